//! What a bundle finds besides the language does what browsers do, as far as it goes.

mod support;

use ssr::Renderer;
use support::{bundle, calm, ok};

#[tokio::test]
async fn the_polyfills_keep_their_promises() {
    let bundle = bundle(include_str!("support/polyfills.js"));
    let renderer = Renderer::start(bundle, calm()).expect("it starts");
    for _ in 0..2 {
        assert_eq!(ok(&renderer, "/").await.html, "");
    }
}

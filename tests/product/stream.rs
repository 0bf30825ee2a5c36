//! Documents as streams of brotli that the build has begun and the server goes on with.

use std::sync::Arc;

use dastarkhan::{
    pages::document::Document,
    web::{encoding::opening::Opening, files::assets::Manifest, headers::Allowed},
};
use proptest::prelude::*;

/// The opening of menus with its packed form, as the build has left them.
fn menu() -> Arc<Opening> {
    let manifest: Manifest = serde_json::from_str(bundle::BUNDLE.manifest).unwrap();
    let document = Document::new(&manifest, &Allowed::default(), &[]);
    document
        .opening([Some("menu"), None])
        .expect("a packed opening")
}

fn unpacked(stream: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    brotli::BrotliDecompress(&mut &stream[..], &mut whole).unwrap();
    whole
}

/// What stands before the opening of menus.
const BEFORE: &str = "<!doctype html>\n<html lang=\"ka\" data-build=\"01234567\">\n<head>\n";

#[test]
fn what_begins_otherwise_has_no_opening() {
    let menu = menu();
    assert_eq!(menu.pack(b"", 7), None);
    assert_eq!(menu.pack(BEFORE.as_bytes(), 7), None);
    let longer = format!("{BEFORE} {}", menu.text());
    assert_eq!(menu.pack(longer.as_bytes(), 7), None);
    let whole = format!("{BEFORE}{}", menu.text());
    let packed = menu.pack(whole.as_bytes(), 7).unwrap();
    assert_eq!(unpacked(&packed), whole.as_bytes());
}

#[test]
fn an_opening_of_another_text_is_none() {
    let manifest: Manifest = serde_json::from_str(bundle::BUNDLE.manifest).unwrap();
    let packed = &manifest.routes["menu"].opening;
    let text = menu().text().to_owned();
    assert!(Opening::new(format!("{text} "), packed).is_none());
    assert!(Opening::new(text, packed).is_some());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Whatever follows, short or long, is read as it was written.
    #[test]
    fn a_continued_stream_is_the_document(
        rest in "(\\PC|<p class=\"price num\">| time |ლობიო|\0){0,40}",
        times in 1..400_usize,
        effort in 4..8_u32,
    ) {
        let menu = menu();
        let document = format!("{BEFORE}{}{}", menu.text(), rest.repeat(times));
        let packed = menu.pack(document.as_bytes(), effort).unwrap();
        prop_assert_eq!(unpacked(&packed), document.as_bytes());
    }
}

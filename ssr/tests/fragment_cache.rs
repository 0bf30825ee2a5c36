//! What need not cross for each render: a shared part of the data, and fragments that an isolate caches.

mod support;

use std::sync::Arc;

use ssr::{Options, RenderError, Renderer, Shared};
use support::{calm, fails, is_well, ok, start};

async fn html(renderer: &Renderer, url: &str, data: &str) -> Result<String, RenderError> {
    Ok(renderer.render(url, data).await?.html)
}

#[tokio::test]
async fn a_shared_part_is_that_of_the_render_under_way() {
    let renderer = start(calm());
    let parts = ["[\"плов\"]", "[]"].map(|text| Shared::new(Arc::new(text.to_owned())));
    assert_ne!(parts[0], parts[1]);
    for part in [&parts[0], &parts[1], &parts[0]] {
        let rendered = renderer.render_with("/shared", "{}", Some(part.clone()));
        assert_eq!(
            rendered.await.unwrap().html,
            format!("true {}", part.text())
        );
        // Nothing of it is left for the next, nor after a render that failed.
        assert_eq!(ok(&renderer, "/shared").await.html, "false ");
        let failed = renderer.render_with("/throw", "{}", Some(part.clone()));
        assert!(failed.await.is_err());
        assert_eq!(ok(&renderer, "/shared").await.html, "false ");
    }
}

#[tokio::test]
async fn a_fragment_stands_where_its_placeholder_is_until_the_cache_is_emptied() {
    let renderer = start(calm());
    for (name, number) in [("Айгүл", "1"), ("Нино", "2")] {
        let data = format!("{{\"name\":\"{name}\"}}");
        assert_eq!(html(&renderer, "/insert", &data).await.unwrap(), number);
    }
    assert_eq!(
        html(&renderer, "/fragment/1", "\"a\"").await.unwrap(),
        "<p><b>Айгүл</b></p>\"a\""
    );
    // An answer without placeholders is given as it is.
    let placeholder = "/echo/\u{1}=1\u{2}";
    assert_eq!(
        html(&renderer, placeholder, "{}").await.unwrap(),
        format!("<i>{placeholder}</i>{{}}")
    );
    // A placeholder of nothing is an error of the bundle, told as any other.
    assert!(matches!(
        fails(&renderer, "/fragment/3").await,
        RenderError::Threw(_)
    ));
    assert!(matches!(
        fails(&renderer, "/insert-placeholder").await,
        RenderError::Threw(_)
    ));
    ok(&renderer, "/clear").await;
    assert!(matches!(
        fails(&renderer, "/fragment/1").await,
        RenderError::Threw(_)
    ));
    assert_eq!(html(&renderer, "/insert", "{}").await.unwrap(), "1");
    is_well(&renderer).await;
    assert_eq!(renderer.stats().failed, 0);
}

#[tokio::test]
async fn shared_data_and_cached_fragments_count_for_the_limits() {
    let renderer = start(Options {
        max_input: 2_000,
        max_output: 5_000,
        ..calm()
    });
    let long = Shared::new(Arc::new("x".repeat(3_000)));
    assert_eq!(
        renderer.render_with("/shared", "{}", Some(long)).await,
        Err(RenderError::InputTooLarge)
    );
    let name = format!("{{\"name\":\"{}\"}}", "қ".repeat(900));
    assert_eq!(html(&renderer, "/insert", &name).await.unwrap(), "1");
    assert!(html(&renderer, "/fragment/1", "{}").await.is_ok());
    let twice = "1\u{2}\u{1}=1\u{2}\u{1}=1";
    assert_eq!(
        html(&renderer, &format!("/fragment/{twice}"), "{}").await,
        Err(RenderError::OutputTooLarge)
    );
    is_well(&renderer).await;
}

//! S-13: nothing of one request reaches another.

mod support;

use ssr::Options;
use support::{calm, ok, start};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_interleaved_renders_do_not_cross() {
    let renderer = start(Options {
        isolates: 2,
        queue: 10_000,
        ..calm()
    });
    let tasks: Vec<_> = (0..100)
        .map(|guest| {
            let renderer = renderer.clone();
            tokio::spawn(async move {
                for visit in 0..100 {
                    let canary = format!("canary-{guest}-{visit}");
                    let url = format!("/echo/{canary}");
                    let data = format!("{{\"secret\":\"{canary}\"}}");
                    let rendered = renderer
                        .render(url.clone(), data.clone())
                        .await
                        .expect("it renders");
                    assert_eq!(rendered.head, format!("{{\"title\":\"{url}\"}}"));
                    assert_eq!(rendered.html, format!("<i>{url}</i>{data}"));
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.expect("no crossing");
    }
    assert_eq!(renderer.stats().rendered, 10_000);
}

#[tokio::test]
async fn a_then_b_then_a_in_one_isolate_gives_the_same_bytes() {
    let renderer = start(calm());
    let a = ok(&renderer, "/promise").await;
    let others = [
        "/echo/b",
        "/leave-timer",
        "/leave-microtask",
        "/timer",
        "/unhandled",
        "/late-handled",
    ];
    for other in others {
        ok(&renderer, other).await;
        let again = ok(&renderer, "/promise").await;
        assert_eq!(
            (&again.head, &again.html),
            (&a.head, &a.html),
            "after {other}"
        );
    }
}

#[tokio::test]
async fn timers_that_a_render_leaves_never_run() {
    let renderer = start(calm());
    ok(&renderer, "/leave-timer").await;
    ok(&renderer, "/timer").await;
    assert_eq!(ok(&renderer, "/left").await.html, "<p>nothing</p>");
}

#[tokio::test]
async fn microtasks_that_a_render_leaves_run_before_its_answer_is_given() {
    let renderer = start(calm());
    ok(&renderer, "/leave-microtask").await;
    assert_eq!(ok(&renderer, "/left").await.html, "<p>microtask</p>");
}

//! the queue is bounded by time, turns away at once, and completes what it took.

mod support;

use std::sync::Arc;
use std::time::{Duration, Instant};

use ssr::{Options, RenderError, Renderer};
use support::{calm, is_well, ok, start, until};

#[tokio::test]
async fn a_flood_is_turned_away_at_once_and_what_was_taken_completes() {
    let renderer = start(Options { queue: 8, ..calm() });
    let blocker = tokio::spawn({
        let renderer = renderer.clone();
        async move { ok(&renderer, "/spin/300").await }
    });
    until(&renderer, "it runs", |stats| stats.rendering == 1).await;

    let flood: Vec<_> = (0..100)
        .map(|i| {
            let renderer = renderer.clone();
            tokio::spawn(async move {
                let begun = Instant::now();
                let answer = renderer.render(format!("/echo/{i}"), "{}").await;
                (i, answer, begun.elapsed())
            })
        })
        .collect();
    let mut served = 0;
    let mut slowest_refusal = Duration::ZERO;
    for one in flood {
        let (i, answer, took) = one.await.expect("no panic");
        match answer {
            Ok(rendered) => {
                served += 1;
                assert_eq!(rendered.html, format!("<i>/echo/{i}</i>{{}}"));
            }
            Err(error) => {
                assert_eq!(error, RenderError::Overloaded);
                slowest_refusal = slowest_refusal.max(took);
            }
        }
    }
    blocker.await.expect("no panic");
    let stats = renderer.stats();
    println!("served {served}, slowest refusal {slowest_refusal:?}, {stats:?}");
    assert!((8..60).contains(&served), "the queue has a limit: {served}");
    assert_eq!(stats.overloaded, 100 - served);
    assert_eq!(stats.rendered, served + 1);
    is_well(&renderer).await;
}

/// Starts a long render and, while it runs, as many more; how many of them were turned away before it ended.
async fn turned_away(renderer: &Renderer, url: &'static str, number: usize) -> usize {
    let overloaded = renderer.stats().overloaded;
    let blocker = tokio::spawn({
        let renderer = renderer.clone();
        async move { ok(&renderer, "/spin/3000").await }
    });
    until(renderer, "it runs", |stats| stats.rendering == 1).await;
    let waiting: Vec<_> = (0..number)
        .map(|_| {
            let renderer = renderer.clone();
            tokio::spawn(async move { renderer.render(url, "{}").await })
        })
        .collect();
    until(renderer, "all are taken or turned away", |stats| {
        stats.queued + (stats.overloaded - overloaded) as usize == number || stats.rendering == 0
    })
    .await;
    let refused = renderer.stats().overloaded - overloaded;
    for one in waiting {
        let answer = one.await.expect("no panic");
        assert!(matches!(answer, Ok(_) | Err(RenderError::Overloaded)));
    }
    blocker.await.expect("no panic");
    refused as usize
}

#[tokio::test]
async fn any_number_of_renders_waits_whose_time_will_come() {
    let renderer = start(Options {
        queue: 512,
        ..calm()
    });
    for _ in 0..50 {
        ok(&renderer, "/hello").await;
    }
    assert_eq!(turned_away(&renderer, "/hello", 400).await, 0);
    // All of them and the blocker.
    assert_eq!(renderer.stats().rendered, 50 + 400 + 1);
}

#[tokio::test]
async fn who_would_wait_too_long_is_turned_away_at_once() {
    let renderer = start(Options {
        max_wait: Duration::from_secs(20),
        ..calm()
    });
    for _ in 0..20 {
        ok(&renderer, "/spin/300").await;
    }
    // At 300 ms or more each, no more than 67 have their turn within 20 s.
    let refused = turned_away(&renderer, "/hello", 300).await;
    assert!(refused >= 300 - 68, "{refused}");
}

#[tokio::test]
async fn a_refusal_does_not_wait_for_the_render_under_way() {
    let renderer = start(Options { queue: 1, ..calm() });
    let mut busy = Vec::new();
    for (rendering, queued) in [(1, 0), (1, 1)] {
        let one = renderer.clone();
        busy.push(tokio::spawn(
            async move { one.render("/spin/2000", "{}").await },
        ));
        until(&renderer, "it is taken", |stats| {
            (stats.rendering, stats.queued) == (rendering, queued)
        })
        .await;
    }
    let begun = Instant::now();
    let answer = renderer.render("/hello", "{}").await;
    assert_eq!(answer, Err(RenderError::Overloaded));
    assert!(
        begun.elapsed() < Duration::from_secs(1),
        "{:?}",
        begun.elapsed()
    );
    for one in busy {
        assert!(one.await.expect("no panic").is_ok());
    }
}

#[tokio::test]
async fn who_waits_too_long_is_turned_away_while_the_isolate_is_still_busy() {
    let renderer = start(Options {
        max_wait: Duration::from_millis(100),
        ..calm()
    });
    let blocker = tokio::spawn({
        let renderer = renderer.clone();
        async move { ok(&renderer, "/spin/3000").await }
    });
    until(&renderer, "it runs", |stats| stats.rendering == 1).await;
    let begun = Instant::now();
    assert_eq!(
        renderer.render("/hello", "{}").await,
        Err(RenderError::Overloaded)
    );
    assert!(
        begun.elapsed() < Duration::from_secs(2),
        "{:?}",
        begun.elapsed()
    );
    blocker.await.expect("no panic");
    is_well(&renderer).await;
}

#[tokio::test]
async fn callers_that_went_away_hold_no_place() {
    let renderer = start(Options { queue: 2, ..calm() });
    let blocker = tokio::spawn({
        let renderer = renderer.clone();
        async move { ok(&renderer, "/spin/1000").await }
    });
    until(&renderer, "it runs", |stats| stats.rendering == 1).await;
    for _ in 0..2 {
        let waiting = renderer.render("/echo/gone", "{}");
        let gone = tokio::time::timeout(Duration::from_millis(10), waiting).await;
        assert!(gone.is_err());
    }
    assert_eq!(renderer.stats().queued, 2);
    is_well(&renderer).await;
    blocker.await.expect("no panic");
    // The two that went away were never rendered.
    assert_eq!(renderer.stats().rendered, 2);
}

#[test]
fn a_renderer_starts_and_renders_without_an_outer_runtime() {
    let renderer: Renderer = start(calm());
    let data: Arc<str> = "{\"name\":\"Aigul\"}".into();
    let tokio = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    let rendered = tokio
        .block_on(renderer.render("/hello", data))
        .expect("it renders");
    assert_eq!(rendered.html, "<p>Aigul</p>");
    renderer.shutdown();
    let after = tokio.block_on(renderer.render("/hello", "{}"));
    assert_eq!(after, Err(RenderError::Unavailable));
}

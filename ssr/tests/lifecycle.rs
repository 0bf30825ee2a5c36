//! Isolates come and go: spares, recycling, replacement of the bundle, rest, shutdown.

mod support;

use std::time::{Duration, Instant};

use ssr::{Bundle, Options, RenderError, Renderer, StartError, make_snapshot};
use support::{bundle, calm, fails, is_well, ok, start, until};

fn page(text: &str) -> String {
    format!("globalThis.__render = () => '{{}}\\n{text}'")
}

#[tokio::test]
async fn the_spare_takes_over_from_a_killed_isolate() {
    let renderer = start(Options {
        cpu_limit: Duration::from_millis(100),
        ..calm()
    });
    until(&renderer, "a spare", |stats| stats.spares == 1).await;
    for _ in 0..3 {
        let error = fails(&renderer, "/loop").await;
        assert!(matches!(error, RenderError::Timeout { .. }));
        // The answer comes after the spare took over.
        assert_eq!(renderer.stats().isolates, 1);
        is_well(&renderer).await;
        until(&renderer, "a new spare", |stats| stats.spares == 1).await;
    }
}

#[tokio::test]
async fn an_old_isolate_is_recycled_without_a_render() {
    let renderer = start(Options {
        recycle_age: Duration::from_millis(1),
        ..calm()
    });
    until(&renderer, "age", |stats| stats.recycled >= 1).await;
    is_well(&renderer).await;
}

#[tokio::test]
async fn a_fat_isolate_is_recycled() {
    let renderer = start(Options {
        recycle_heap: 1,
        ..calm()
    });
    is_well(&renderer).await;
    until(&renderer, "size", |stats| stats.recycled >= 1).await;
    is_well(&renderer).await;
}

#[tokio::test]
async fn a_bundle_is_replaced_without_a_gap() {
    let options = Options {
        isolates: 2,
        ..calm()
    };
    let renderer = Renderer::start(bundle(&page("one")), options).expect("it starts");
    assert_eq!(ok(&renderer, "/").await.html, "one");
    let reader = tokio::spawn({
        let renderer = renderer.clone();
        async move {
            let mut seen = Vec::new();
            while seen.last().is_none_or(|html| html != "two") {
                seen.push(ok(&renderer, "/").await.html);
            }
            seen
        }
    });
    let second = bundle(&page("two"));
    let replaced = tokio::task::spawn_blocking({
        let renderer = renderer.clone();
        move || renderer.replace_bundle(second)
    });
    replaced
        .await
        .expect("no panic")
        .expect("the bundle is replaced");
    for _ in 0..20 {
        assert_eq!(ok(&renderer, "/").await.html, "two");
    }
    let seen = reader.await.expect("no panic");
    assert!(seen.iter().all(|html| html == "one" || html == "two"));
    until(&renderer, "a spare", |stats| {
        stats.spares == 1 && stats.isolates == 2
    })
    .await;
}

#[tokio::test]
async fn a_bundle_that_does_not_start_leaves_the_old_one() {
    let renderer = Renderer::start(bundle(&page("old")), calm()).expect("it starts");
    // Warms well once, for the snapshot, and never again.
    let broken = format!(
        "{}; let n = 0; globalThis.__warm = () => {{ if (n++) throw new Error('cold') }}",
        page("new")
    );
    let broken = bundle(&broken);
    let replaced = tokio::task::spawn_blocking({
        let renderer = renderer.clone();
        move || renderer.replace_bundle(broken)
    });
    let error = replaced
        .await
        .expect("no panic")
        .expect_err("it does not start");
    assert!(
        matches!(&error, StartError::Isolate(text) if text.contains("cold")),
        "{error}"
    );
    assert_eq!(ok(&renderer, "/").await.html, "old");
    until(&renderer, "a spare", |stats| stats.spares == 1).await;
    assert_eq!(ok(&renderer, "/").await.html, "old");
}

#[tokio::test]
async fn too_many_losses_bring_a_rest_and_then_service_again() {
    let renderer = start(Options {
        cpu_limit: Duration::from_millis(50),
        breaker_losses: 3,
        breaker_window: Duration::from_secs(60),
        breaker_rest: Duration::from_secs(2),
        ..calm()
    });
    for _ in 0..3 {
        assert!(matches!(
            fails(&renderer, "/loop").await,
            RenderError::Timeout { .. }
        ));
    }
    let begun = Instant::now();
    assert_eq!(fails(&renderer, "/hello").await, RenderError::Unavailable);
    assert!(begun.elapsed() < Duration::from_secs(1));
    assert!(renderer.stats().resting);
    assert_eq!(renderer.stats().rests, 1);
    until(&renderer, "the end of the rest", |stats| !stats.resting).await;
    is_well(&renderer).await;
}

#[tokio::test]
async fn shutdown_completes_the_render_under_way_and_ends_the_isolates() {
    let renderer = start(calm());
    let under_way = tokio::spawn({
        let renderer = renderer.clone();
        async move { ok(&renderer, "/spin/300").await }
    });
    until(&renderer, "it runs", |stats| stats.rendering == 1).await;
    let closing = renderer.clone();
    tokio::task::spawn_blocking(move || closing.shutdown())
        .await
        .expect("no panic");
    assert_eq!(under_way.await.expect("no panic").html, "<p>spun</p>");
    assert_eq!(fails(&renderer, "/hello").await, RenderError::Unavailable);
    assert_eq!(renderer.stats().isolates, 0);
}

#[tokio::test]
async fn two_renderers_live_in_one_process() {
    let one = Renderer::start(bundle(&page("one")), calm()).expect("it starts");
    let two = Renderer::start(bundle(&page("two")), calm()).expect("it starts");
    for _ in 0..50 {
        assert_eq!(ok(&one, "/").await.html, "one");
        assert_eq!(ok(&two, "/").await.html, "two");
    }
}

#[test]
fn a_foreign_or_damaged_snapshot_is_refused() {
    let snapshot = make_snapshot(&page("x"), &[]).expect("it becomes a snapshot");
    let mut damaged = snapshot.clone();
    damaged[1000] ^= 1;
    let mut foreign = snapshot.clone();
    let engine = foreign.len() - 12;
    foreign[engine] ^= 1;
    let cut = snapshot[..snapshot.len() / 2].to_vec();
    for bytes in [Vec::new(), vec![0; 10_000], damaged, foreign, cut] {
        let error = Bundle::new(bytes).expect_err("it is refused");
        assert!(matches!(error, StartError::ForeignSnapshot(_)), "{error}");
    }
    Bundle::new(snapshot).expect("the whole one is taken");
}

//! memory that a render took comes back. Alone in its process, because it measures it.

mod support;

use ssr::{Options, RenderError};
use support::{calm, fails, is_well, rss, start, until};

#[tokio::test]
async fn allocating_without_end_is_stopped_and_the_memory_comes_back() {
    let renderer = start(Options {
        heap_limit: 64 << 20,
        ..calm()
    });
    is_well(&renderer).await;
    let ways = [
        "/memory-arrays",
        "/memory-strings",
        "/memory-objects",
        "/memory-one-array",
        "/memory-huge-arrays",
        "/memory-map",
        "/memory-microtasks",
    ];
    // The first round compiles code and touches pages that stay; the second must add nothing.
    let mut resident = Vec::new();
    for round in 1..=2 {
        for url in ways {
            settle(&renderer).await;
            let error = fails(&renderer, url).await;
            assert_eq!(error, RenderError::HeapLimit, "{url}");
            is_well(&renderer).await;
            println!("{url}: {error}, resident {} MB", rss() >> 20);
        }
        assert_eq!(renderer.stats().killed_heap, round * ways.len() as u64);
        settle(&renderer).await;
        resident.push(rss());
    }
    let (before, after) = (resident[0], resident[1]);
    // The isolates that live now may have touched one young generation more, or less.
    let young = 16 << 20;
    let limit = before + before / 10 + young;
    assert!(
        after <= limit,
        "resident {} → {} MB",
        before >> 20,
        after >> 20
    );
}

/// Waits until the spare is ready and the lost isolates are gone.
async fn settle(renderer: &ssr::Renderer) {
    until(renderer, "rest", |stats| {
        stats.spares == 1 && stats.leaving == 0
    })
    .await;
}

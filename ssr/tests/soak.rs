//! Recycling costs nothing that stays. Alone in its process, because it counts threads and memory.

mod support;

use ssr::Options;
use support::{calm, is_well, rss, start, threads, until};

#[tokio::test]
async fn two_hundred_recyclings_leave_no_threads_and_no_memory() {
    let renderer = start(Options {
        isolates: 2,
        recycle_after: 1,
        ..calm()
    });
    let mut early = (0, 0);
    for round in [50, 250] {
        while renderer.stats().recycled < round {
            is_well(&renderer).await;
        }
        until(&renderer, "a spare", |stats| {
            stats.spares == 1 && stats.leaving == 0
        })
        .await;
        if round == 50 {
            early = (threads(), rss());
        }
    }
    let late = (threads(), rss());
    println!(
        "threads and MB: {} {} → {} {}",
        early.0,
        early.1 >> 20,
        late.0,
        late.1 >> 20
    );
    assert!(renderer.stats().isolates == 2);
    assert!(late.0 <= early.0 + 1, "threads {} → {}", early.0, late.0);
    assert!(
        late.1 <= early.1 + (16 << 20),
        "MB {} → {}",
        early.1 >> 20,
        late.1 >> 20
    );
}

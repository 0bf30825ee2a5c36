//! Memory that was freed goes back to the system while the server runs.

use std::time::Duration;

use tokio::{
    task::spawn_blocking,
    time::{MissedTickBehavior, interval},
};

/// So often. It takes about a millisecond; what is needed again afterwards costs a page fault for each 4 KB.
const INTERVAL: Duration = Duration::from_secs(10);

/// Lets the allocator keep little, and gives the rest back again and again; ends with the runtime.
pub async fn give_back() {
    ssr::keep_little_memory();
    let mut ticks = interval(INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        // Each arena is locked while it is gone through.
        if let Err(error) = spawn_blocking(ssr::release_memory).await {
            tracing::warn!(%error, "Freed memory was not given back");
        }
    }
}

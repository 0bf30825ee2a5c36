//! The deadline of a page as a whole: its calls share one time, however one of them follows from another.

use std::time::{Duration, Instant};

use super::Upstream;

tokio::task_local! {
    static DUE: Instant;
}

impl Upstream {
    /// Works on a page. Each of its calls takes its own time at most, and no more than what those before it have left. What
    /// is spawned goes on without the page and has its own time alone, as has what sends an order.
    pub async fn within_page<T>(&self, work: impl Future<Output = T>) -> T {
        let due = Instant::now() + self.inner.config.deadlines.page;
        DUE.scope(due, work).await
    }
}

/// How long a page may wait for something that may take so long: no longer than is left of the page. Outside of a page
/// all of it.
#[must_use]
pub fn in_time(longest: Duration) -> Duration {
    let left = DUE.try_with(|due| due.saturating_duration_since(Instant::now()));
    left.map_or(longest, |left| longest.min(left))
}

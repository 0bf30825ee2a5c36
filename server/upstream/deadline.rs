//! The deadline of a page and of a change as a whole: their calls share one time, however one of them follows from
//! another.

use std::time::{Duration, Instant};

use super::Upstream;

/// When the calls of a piece of work must be done.
#[derive(Debug, Clone, Copy)]
struct Due {
    at: Instant,
    /// Only what is read must: a write that is sent has its own time, so that it is not left half-way for being late.
    spares_writes: bool,
}

tokio::task_local! {
    static DUE: Due;
}

impl Upstream {
    /// Works on a page. Each of its calls takes its own time at most, and no more than what those before it have left. What
    /// is spawned goes on without the page and has its own time alone, as has what sends an order.
    pub async fn within_page<T>(&self, work: impl Future<Output = T>) -> T {
        let due = Due {
            at: Instant::now() + self.inner.config.deadlines.page,
            spares_writes: false,
        };
        DUE.scope(due, work).await
    }

    /// Works on a change. What it reads shares one time; each write has its own, as has what is spawned and what sends an
    /// order.
    pub async fn within_change<T>(&self, work: impl Future<Output = T>) -> T {
        let due = Due {
            at: Instant::now() + self.inner.config.deadlines.change,
            spares_writes: true,
        };
        DUE.scope(due, work).await
    }
}

/// How long a page or a change may wait for something that may take so long: no longer than is left of it. Outside of both
/// all of it.
#[must_use]
pub fn in_time(longest: Duration) -> Duration {
    left(longest, |_| true)
}

/// The same for a write.
#[must_use]
pub(super) fn write_in_time(longest: Duration) -> Duration {
    left(longest, |due| !due.spares_writes)
}

fn left(longest: Duration, is_bound: impl Fn(&Due) -> bool) -> Duration {
    let left =
        DUE.try_with(|due| is_bound(due).then(|| due.at.saturating_duration_since(Instant::now())));
    left.ok()
        .flatten()
        .map_or(longest, |left| longest.min(left))
}

//! Time as an argument: the cache, the breakers and the budgets read it here, tests move it by hand.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// Time since the clock was made.
#[derive(Debug, Clone)]
pub struct Clock {
    start: Instant,
    /// Milliseconds moved by hand; `None` runs with the machine.
    manual: Option<Arc<AtomicU64>>,
}

impl Clock {
    /// Runs with the machine.
    #[must_use]
    pub fn system() -> Self {
        Self {
            start: Instant::now(),
            manual: None,
        }
    }

    /// Stands still until `advance`.
    #[must_use]
    pub fn manual() -> Self {
        Self {
            start: Instant::now(),
            manual: Some(Arc::default()),
        }
    }

    /// Moves a manual clock, and all its clones, forward. Does nothing to a system clock.
    pub fn advance(&self, by: Duration) {
        if let Some(manual) = &self.manual {
            manual.fetch_add(
                u64::try_from(by.as_millis()).unwrap_or(u64::MAX),
                Ordering::Relaxed,
            );
        }
    }

    pub(super) fn now(&self) -> Duration {
        match &self.manual {
            Some(manual) => Duration::from_millis(manual.load(Ordering::Relaxed)),
            None => self.start.elapsed(),
        }
    }
}

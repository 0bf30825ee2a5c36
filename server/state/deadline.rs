//! A call of the store that takes longer than this counts as a store that is down. A page has 2.5 s for everything.

use std::time::{Duration, Instant};

use super::Error;

/// Runs `work` for at most so long, and counts how it went.
pub(super) async fn within<T>(
    kind: &'static str,
    deadline: Duration,
    work: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    let started = Instant::now();
    let answer = tokio::time::timeout(deadline, work)
        .await
        .unwrap_or_else(|_| Err(Error::Unavailable("it took too long".to_owned())));
    let outcome = if answer.is_ok() { "ok" } else { "failed" };
    metrics::histogram!("state_seconds", "kind" => kind, "outcome" => outcome)
        .record(started.elapsed());
    answer
}

//! What waits to be sent to a receiver outside. It is bounded: when the receiver is slow or gone the oldest are
//! dropped and counted, and no request waits.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use reqwest::{RequestBuilder, StatusCode};
use tokio::{sync::Notify, time::Instant};

use crate::telemetry::reason;

/// One batch has so long.
pub(super) const DEADLINE: Duration = Duration::from_secs(5);
/// How many wait at most.
const MOST: usize = 1000;
/// What comes within this goes together.
const GATHERED: Duration = Duration::from_millis(500);
/// After a failure, and twice as long after each further one.
const PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// That nothing is taken is said no more often.
const SAID: Duration = Duration::from_secs(60);

/// See the module; cloning shares it.
pub(super) struct Outbox<T>(Arc<Inner<T>>);

struct Inner<T> {
    to: &'static str,
    /// How many go in one request.
    at_once: usize,
    waiting: Mutex<VecDeque<T>>,
    more: Notify,
}

impl<T: Send + Sync + 'static> Outbox<T> {
    /// Sends what is pushed in a task of its own, in batches.
    pub(super) fn start(
        to: &'static str,
        at_once: usize,
        request: impl Fn(&[T]) -> RequestBuilder + Send + 'static,
    ) -> Self {
        let outbox = Self::new(to, at_once);
        let own = Self(Arc::clone(&outbox.0));
        tokio::spawn(async move { own.send(request).await });
        outbox
    }

    fn new(to: &'static str, at_once: usize) -> Self {
        Self(Arc::new(Inner {
            to,
            at_once,
            waiting: Mutex::default(),
            more: Notify::new(),
        }))
    }

    pub(super) fn push(&self, item: T) {
        let mut waiting = self.waiting();
        if waiting.len() == MOST {
            waiting.pop_front();
            self.count("dropped", 1);
        }
        waiting.push_back(item);
        drop(waiting);
        self.0.more.notify_one();
    }

    async fn send(&self, request: impl Fn(&[T]) -> RequestBuilder) {
        let mut pause = PAUSE;
        let mut said: Option<Instant> = None;
        loop {
            let batch = self.batch().await;
            let size = batch.len() as u64;
            let outcome = request(&batch).send().await;
            let (why, is_over) = match &outcome {
                Ok(answer) if answer.status().is_success() => {
                    pause = PAUSE;
                    self.count("sent", size);
                    continue;
                }
                Ok(answer) => (answer.status().to_string(), is_final(answer.status())),
                Err(error) => (reason(error), false),
            };
            if said.is_none_or(|at| at.elapsed() >= SAID) {
                said = Some(Instant::now());
                tracing::warn!(to = self.0.to, why, "What is told is not taken");
            }
            if is_over {
                pause = PAUSE;
                self.count("refused", size);
            } else {
                self.count("failed", size);
                self.put_back(batch);
                tokio::time::sleep(pause).await;
                pause = (2 * pause).min(LONGEST_PAUSE);
            }
        }
    }

    /// The oldest, when there are some.
    async fn batch(&self) -> Vec<T> {
        while self.waiting().is_empty() {
            self.0.more.notified().await;
            tokio::time::sleep(GATHERED).await;
        }
        let mut waiting = self.waiting();
        let size = waiting.len().min(self.0.at_once);
        waiting.drain(..size).collect()
    }

    /// In front of what came meanwhile, as far as there is room.
    fn put_back(&self, batch: Vec<T>) {
        let mut waiting = self.waiting();
        let room = MOST - waiting.len();
        let lost = batch.len().saturating_sub(room);
        for item in batch.into_iter().skip(lost).rev() {
            waiting.push_front(item);
        }
        drop(waiting);
        self.count("dropped", lost as u64);
    }

    fn count(&self, outcome: &'static str, count: u64) {
        if count > 0 {
            metrics::counter!("reports_total", "to" => self.0.to, "outcome" => outcome)
                .increment(count);
        }
    }

    fn waiting(&self) -> MutexGuard<'_, VecDeque<T>> {
        self.0
            .waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// The same would be refused again.
fn is_final(status: StatusCode) -> bool {
    status.is_client_error()
        && !matches!(
            status,
            StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_oldest_give_way_and_what_failed_stands_in_front_again() {
        let outbox = Outbox::new("test", 100);
        for item in 0..MOST + 5 {
            outbox.push(item);
        }
        let batch = outbox.batch().await;
        assert_eq!((batch[0], batch.len()), (5, 100));
        // 30 come while it is on its way.
        for item in 2000..2030 {
            outbox.push(item);
        }
        outbox.put_back(batch);
        assert_eq!(outbox.waiting().len(), MOST);
        assert_eq!(outbox.waiting()[0], 35, "the oldest thirty are lost");
        assert_eq!(outbox.waiting()[MOST - 1], 2029);
    }

    #[test]
    fn only_what_may_go_well_later_is_sent_again() {
        assert!(is_final(StatusCode::BAD_REQUEST) && is_final(StatusCode::UNAUTHORIZED));
        assert!(!is_final(StatusCode::TOO_MANY_REQUESTS) && !is_final(StatusCode::BAD_GATEWAY));
    }
}

//! Admission of pages: what comes beyond what the machine can do is refused at once and cheaply, so that what is let in
//! is answered soon. Orders, payments and everything about them always come in, suggestions are the first to be
//! refused.
//!
//! A machine that waits for others (the upstream, a guest's line) has time for any number of pages, so it is not they
//! that are counted: whether there is too much to do shows in how late the runtime wakes a task that has slept. While it
//! is late pages take turns, a few at once, and those whose turn would come too late go away.

use std::{
    num::NonZero,
    sync::{
        Arc,
        atomic::{AtomicU32, AtomicU64, Ordering},
    },
    thread::available_parallelism,
    time::{Duration, Instant},
};

use axum::{
    extract::{Request, State},
    http::{Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use tokio::{
    runtime::Handle,
    sync::{Notify, OwnedSemaphorePermit, Semaphore, SemaphorePermit},
    time::{sleep, timeout},
};

use crate::{
    telemetry::Throttle,
    web::{
        page::{Matched, NOT_FOUND},
        work,
    },
};

/// So often the runtime is asked how late it is.
const INTERVAL: Duration = Duration::from_millis(10);
/// A runtime that is so late has too much to do.
const LATE: Duration = Duration::from_millis(10);
/// Pages of which a part is done at the same time, for each core: while V8 renders one, the next is loaded. With two the
/// core has pauses, with six everything waits twice as long (`tests/operation/saturation.test.mjs`).
const TURNS_A_CORE: usize = 3;
/// A request that has waited this many times longer than expected is refused as well.
const WAIT_FACTOR: u32 = 4;
/// This many may wait, whatever is expected.
const FEW: u32 = 4;
/// Before anything is measured, a quick machine is assumed: no request is refused by a guess, and sixteen pages tell.
const USUAL: Duration = Duration::from_micros(700);
/// Searches of all guests that are under way. Each asks the upstream up to twenty times, and one that is slow would let them
/// pile up until menus have no time left.
const SEARCHES: usize = 32;
/// Completes a text while it is typed.
const SUGGESTIONS: [&str; 2] = ["/search/suggest", "/addresses/suggest"];

static REFUSED: Throttle = Throttle::new();

/// Which pages are admitted, and when.
#[derive(Debug, Clone)]
pub struct Admission(Arc<Inner>);

/// Times are microseconds since `begun`.
#[derive(Debug)]
struct Inner {
    begun: Instant,
    /// When the probe wants to be awake.
    due: AtomicU64,
    /// How late it was, the last times.
    late: AtomicU64,
    turns: Arc<Semaphore>,
    /// Tells those who wait that there is time again.
    rested: Notify,
    waiting: AtomicU32,
    searches: Semaphore,
    /// From one finished page to the next, while others wait.
    usual: AtomicU64,
    /// When the last one was finished; 0 when no other waited.
    finished: AtomicU64,
    max_wait: Duration,
}

/// A page that was let in.
struct Turn {
    admission: Admission,
    _permit: Option<OwnedSemaphorePermit>,
}

impl Admission {
    /// A page that would wait longer than `max_wait` for its turn is refused.
    #[must_use]
    pub fn new(max_wait: Duration) -> Self {
        let cores = available_parallelism().map_or(1, NonZero::get);
        Self(Arc::new(Inner {
            begun: Instant::now(),
            due: AtomicU64::new(u64::MAX),
            late: AtomicU64::new(0),
            turns: Arc::new(Semaphore::new(TURNS_A_CORE * cores)),
            rested: Notify::new(),
            waiting: AtomicU32::new(0),
            searches: Semaphore::new(SEARCHES),
            usual: AtomicU64::new(micros(USUAL)),
            finished: AtomicU64::new(0),
            max_wait,
        }))
    }

    /// Asks again and again how late the runtime is; ends with it.
    pub async fn probe(self) {
        loop {
            let due = self.now() + micros(INTERVAL);
            self.0.due.store(due, Ordering::Relaxed);
            sleep(INTERVAL).await;
            let late = self.now().saturating_sub(due);
            // One moment of rest does not end a rush.
            let before = self.0.late.load(Ordering::Relaxed) * 3 / 4;
            self.0.late.store(late.max(before), Ordering::Relaxed);
            if !self.is_late() {
                self.0.rested.notify_waiters();
            }
        }
    }

    /// The leave to search, until it is dropped; none while too many others do. The page says so itself.
    #[must_use]
    pub fn search(&self) -> Option<SemaphorePermit<'_>> {
        let turn = self.0.searches.try_acquire().ok();
        if turn.is_none() {
            count_refusal("search");
        }
        turn
    }

    /// How long the next page would wait for its turn.
    fn expected(&self) -> Duration {
        let waiting = u64::from(self.0.waiting.load(Ordering::Relaxed));
        Duration::from_micros(waiting * self.0.usual.load(Ordering::Relaxed))
    }

    /// Whether there is too much to do. A probe that is still asleep beyond its time says so, too.
    fn is_late(&self) -> bool {
        let overdue = self
            .now()
            .saturating_sub(self.0.due.load(Ordering::Relaxed));
        self.0.late.load(Ordering::Relaxed).max(overdue) > micros(LATE)
    }

    /// Whether optional requests should be refused.
    fn is_crowded(&self) -> bool {
        self.expected() > self.0.max_wait / 2
    }

    /// A turn, at once or after a while; none when it would come too late.
    async fn enter(&self) -> Option<Turn> {
        let turn = |permit| Turn {
            admission: self.clone(),
            _permit: permit,
        };
        if !self.is_late() {
            return Some(turn(None));
        }
        let waiting = self.0.waiting.load(Ordering::Relaxed);
        if waiting == 0
            && let Ok(permit) = Arc::clone(&self.0.turns).try_acquire_owned()
        {
            return Some(turn(Some(permit)));
        }
        // How long a few wait is what the others are told.
        if waiting >= FEW && self.expected() > self.0.max_wait {
            return None;
        }
        let _waits = Waits::new(&self.0.waiting);
        let permit = Arc::clone(&self.0.turns).acquire_owned();
        let permit = async {
            tokio::select! {
                permit = permit => permit.ok(),
                // A page with a turn may wait for another.
                () = self.0.rested.notified() => None,
            }
        };
        let permit = timeout(WAIT_FACTOR * self.0.max_wait, permit).await.ok()?;
        Some(turn(permit))
    }

    fn now(&self) -> u64 {
        micros(self.0.begun.elapsed())
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        // Pages admitted while there was time count as well: they use the machine before those that wait.
        let inner = &self.admission.0;
        let now = self.admission.now();
        let took = if inner.waiting.load(Ordering::Relaxed) == 0 {
            inner.finished.store(0, Ordering::Relaxed);
            // What one rush was like is forgotten until the next.
            micros(USUAL)
        } else {
            match inner.finished.swap(now, Ordering::Relaxed) {
                0 => return,
                before => now.saturating_sub(before),
            }
        };
        let usual = inner.usual.load(Ordering::Relaxed);
        inner
            .usual
            .store((usual * 15 + took) / 16, Ordering::Relaxed);
    }
}

/// One more waits, until this is dropped.
struct Waits<'a>(&'a AtomicU32);

impl<'a> Waits<'a> {
    fn new(waiting: &'a AtomicU32) -> Self {
        waiting.fetch_add(1, Ordering::Relaxed);
        Self(waiting)
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What [`guard`] needs.
#[derive(Debug, Clone)]
pub struct Context {
    /// What is admitted.
    pub admission: Admission,
    /// Where requests are worked on.
    pub runtime: Handle,
}

/// Middleware around everything that is made for one guest.
pub async fn guard(State(context): State<Context>, request: Request, next: Next) -> Response {
    // What is not only read is in its own task already.
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return next.run(request).await;
    }
    if SUGGESTIONS.contains(&request.uri().path()) && context.admission.is_crowded() {
        return refused("suggestion");
    }
    let page = Matched::of(request.extensions()).page;
    let waits = page != NOT_FOUND && !page.of_orders;
    let turn = if waits {
        let Some(turn) = context.admission.enter().await else {
            return refused("page");
        };
        Some(turn)
    } else {
        None
    };
    let response = work::read(&context.runtime, next.run(request)).await;
    drop(turn);
    response
}

/// To come again soon, not all at the same time.
fn refused(kind: &'static str) -> Response {
    count_refusal(kind);
    let again = 2 + rand::random::<u32>() % 4;
    let headers = [(header::RETRY_AFTER, again.to_string())];
    (StatusCode::SERVICE_UNAVAILABLE, headers).into_response()
}

fn count_refusal(kind: &'static str) {
    metrics::counter!("admission_refused_total", "kind" => kind).increment(1);
    if let Some(others) = REFUSED.admit() {
        tracing::warn!(kind, others, "There is too much to do: refused");
    }
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use futures_util::FutureExt as _;

    use super::*;

    const WAIT: Duration = Duration::from_millis(200);

    /// One that is late, and everybody who has a turn.
    async fn full() -> (Admission, Vec<Turn>) {
        let admission = Admission::new(WAIT);
        admission.0.late.store(1_000_000, Ordering::Relaxed);
        let mut turns = Vec::new();
        for _ in 0..admission.0.turns.available_permits() {
            turns.push(admission.enter().await.unwrap());
        }
        (admission, turns)
    }

    /// Until so many wait.
    async fn wait_for(admission: &Admission, waiting: u32) {
        while admission.0.waiting.load(Ordering::Relaxed) < waiting {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn a_machine_that_has_time_admits_all() {
        let admission = Admission::new(WAIT);
        let mut all = Vec::new();
        for _ in 0..5000 {
            all.push(admission.enter().await.unwrap());
        }
        assert!(!admission.is_crowded());
    }

    #[test]
    fn so_many_search_at_once_and_no_more() {
        let admission = Admission::new(WAIT);
        let mut all: Vec<_> = (0..SEARCHES).map_while(|_| admission.search()).collect();
        assert_eq!(all.len(), SEARCHES);
        assert!(admission.search().is_none());
        all.pop();
        assert!(admission.search().is_some());
    }

    #[tokio::test]
    async fn one_that_is_late_lets_a_few_in_the_next_wait_and_the_rest_is_refused_at_once() {
        let (admission, turns) = full().await;
        let room = u32::try_from(WAIT.as_micros() / USUAL.as_micros()).unwrap() + 1;
        let waiting: Vec<_> = (0..room)
            .map(|_| {
                let admission = admission.clone();
                tokio::spawn(async move { admission.enter().await.is_some() })
            })
            .collect();
        wait_for(&admission, room).await;
        assert!(admission.is_crowded());
        let at_once = admission.enter().now_or_never();
        assert!(at_once.unwrap().is_none());
        drop(turns);
        for one in waiting {
            assert!(one.await.unwrap(), "each that waits has a turn");
        }
        assert!(admission.enter().await.is_some());
    }

    #[tokio::test]
    async fn a_rush_of_two_hundred_and_fifty_is_let_in_before_anything_is_measured() {
        let (admission, turns) = full().await;
        let waiting: Vec<_> = (0..250)
            .map(|_| {
                let admission = admission.clone();
                tokio::spawn(async move { admission.enter().await.is_some() })
            })
            .collect();
        wait_for(&admission, 250).await;
        drop(turns);
        for one in waiting {
            assert!(one.await.unwrap(), "a guess refuses no request");
        }
    }

    #[tokio::test]
    async fn pages_that_came_in_before_the_rush_tell_how_long_one_takes() {
        let admission = Admission::new(WAIT);
        let mut before = Vec::new();
        for _ in 0..200 {
            before.push(admission.enter().await.unwrap());
        }
        admission.0.late.store(1_000_000, Ordering::Relaxed);
        let mut turns = Vec::new();
        for _ in 0..admission.0.turns.available_permits() {
            turns.push(admission.enter().await.unwrap());
        }
        let waits = tokio::spawn({
            let admission = admission.clone();
            async move { admission.enter().await.is_some() }
        });
        tokio::task::yield_now().await;
        let begun = Instant::now();
        // From the first page with a turn to the next two hundred others are done.
        let _waits = Waits::new(&admission.0.waiting);
        turns.pop();
        for one in before {
            std::thread::sleep(Duration::from_millis(1));
            drop(one);
        }
        turns.pop();
        let usual = admission.0.usual.load(Ordering::Relaxed);
        assert!(usual < micros(begun.elapsed()) / 50, "{usual} µs");
        assert!(waits.await.unwrap());
    }

    #[tokio::test]
    async fn a_turn_that_does_not_come_is_refused_in_the_end() {
        let (admission, _turns) = full().await;
        assert!(admission.enter().await.is_none());
        assert_eq!(admission.0.waiting.load(Ordering::Relaxed), 0);
    }

    #[tokio::test]
    async fn who_waits_goes_in_once_there_is_time_although_no_turn_is_over() {
        let (admission, _turns) = full().await;
        let waits = tokio::spawn({
            let admission = admission.clone();
            async move { admission.enter().await.is_some() }
        });
        tokio::task::yield_now().await;
        assert_eq!(admission.0.waiting.load(Ordering::Relaxed), 1);
        admission.0.late.store(0, Ordering::Relaxed);
        let probe = tokio::spawn(admission.probe());
        assert!(waits.await.unwrap());
        probe.abort();
    }

    #[tokio::test]
    async fn a_probe_that_sleeps_on_is_late() {
        let admission = Admission::new(WAIT);
        admission.0.due.store(0, Ordering::Relaxed);
        std::thread::sleep(2 * LATE);
        assert!(admission.is_late());
    }
}

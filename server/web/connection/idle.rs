//! How long one connection may keep its place without anything happening on it: before its first request, between
//! requests, and while the other side takes nothing of an answer (S-19).
//!
//! hyper's own header deadline begins after the first byte, and knows nothing of readers. A stream of events that waits
//! for its next event holds its place: there it is the server that has nothing to send.

use std::{
    collections::HashMap,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    body::{Body, Bytes, HttpBody},
    http::Version,
};
use hyper::body::{Frame, Incoming, SizeHint};
use tokio::time::Instant;

/// How long a connection may be idle in each way.
#[derive(Debug, Clone, Copy)]
pub struct IdleLimits {
    /// Until the headers of a request are complete, the first one as well as the next.
    pub header: Duration,
    /// While the other side takes nothing of an answer, and between requests of HTTP/2.
    pub stall: Duration,
}

/// Why a connection has to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Overdue {
    /// No request came.
    Request,
    /// Nothing was taken of an answer.
    Reader,
    /// Nothing is asked, and others wait for its place.
    Evicted,
}

/// What is happening on one connection; cloning shares it.
#[derive(Debug, Clone)]
pub(super) struct Progress(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    idle_limits: IdleLimits,
    /// Names the next exchange.
    next: u64,
    /// Requests that are not answered to their end. With the time: since then the answer waits for its reader.
    open: HashMap<u64, Option<Instant>>,
    /// Those of them whose next bytes are waited for, and since when.
    coming: HashMap<u64, Instant>,
    /// Since then the socket takes no bytes.
    blocked: Option<Instant>,
    /// The last time that a request came or an answer ended.
    last: Instant,
    /// Requests are frames of streams.
    frames: bool,
}

/// A request until its answer has ended.
#[derive(Debug)]
pub(super) struct Exchange {
    progress: Progress,
    name: u64,
}

/// The body of an answer, seen as it goes.
pub(super) struct Seen {
    body: Body,
    exchange: Exchange,
}

impl Progress {
    pub(super) fn new(idle_limits: IdleLimits) -> Self {
        Self(Arc::new(Mutex::new(State {
            idle_limits,
            next: 0,
            open: HashMap::new(),
            coming: HashMap::new(),
            blocked: None,
            last: Instant::now(),
            frames: false,
        })))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The headers of a request are complete.
    pub(super) fn begin(&self, version: Version) -> Exchange {
        let mut state = self.lock();
        state.frames = version == Version::HTTP_2;
        state.last = Instant::now();
        let name = state.next;
        state.next += 1;
        state.open.insert(name, None);
        Exchange {
            progress: self.clone(),
            name,
        }
    }

    /// Whether the socket took what was written.
    pub(super) fn wrote(&self, taken: bool) {
        let mut state = self.lock();
        if !taken {
            state.blocked.get_or_insert_with(Instant::now);
        } else if state.blocked.take().is_some() {
            state.last = Instant::now();
        }
    }

    /// Since when nothing is asked on it, or nothing that has come whole; none while something is.
    pub(super) fn idle_since(&self) -> Option<Instant> {
        let state = self.lock();
        if state.open.is_empty() {
            return Some(state.last);
        }
        (state.coming.len() == state.open.len())
            .then(|| state.coming.values().max().copied())
            .flatten()
    }

    /// Whether a request is not answered to its end.
    pub(super) fn is_asked(&self) -> bool {
        !self.lock().open.is_empty()
    }

    /// Why it has to end by now, or when to look again.
    pub(super) fn overdue(&self, now: Instant) -> Result<Instant, Overdue> {
        let state = self.lock();
        let IdleLimits { header, stall } = state.idle_limits;
        // Something else may begin to wait before this is over.
        let soon = now + header.min(stall);
        let readers = state.open.values().flatten().chain(&state.blocked).min();
        let (until, why) = match readers {
            Some(since) => (*since + stall, Overdue::Reader),
            // Handlers and bodies have deadlines of their own.
            None if !state.open.is_empty() => return Ok(soon),
            None if state.frames => (state.last + stall, Overdue::Request),
            None => (state.last + header, Overdue::Request),
        };
        if until <= now {
            Err(why)
        } else {
            Ok(until.min(soon))
        }
    }
}

impl Exchange {
    /// The body of its request, seen as it comes.
    pub(super) fn body(&self, body: Incoming) -> Body {
        if body.is_end_stream() {
            return Body::new(body);
        }
        Body::new(Upload {
            body,
            progress: self.progress.clone(),
            name: self.name,
        })
    }

    /// The answer waits for its reader since now, or for us.
    fn waits_for_reader(&self, waits: bool) {
        if let Some(since) = self.progress.lock().open.get_mut(&self.name) {
            *since = waits.then(Instant::now);
        }
    }

    /// The answer begins.
    pub(super) fn answer(self, body: Body) -> Seen {
        self.waits_for_reader(true);
        Seen {
            body,
            exchange: self,
        }
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        let mut state = self.progress.lock();
        state.open.remove(&self.name);
        state.coming.remove(&self.name);
        state.last = Instant::now();
    }
}

/// The body of a request, until it is whole or nobody reads on.
struct Upload {
    body: Incoming,
    progress: Progress,
    name: u64,
}

impl Drop for Upload {
    fn drop(&mut self) {
        self.progress.lock().coming.remove(&self.name);
    }
}

impl HttpBody for Upload {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        let mut state = self.progress.lock();
        // What nobody has asked for yet is not late.
        if polled.is_pending() && state.open.contains_key(&self.name) {
            state.coming.entry(self.name).or_insert_with(Instant::now);
        } else {
            state.coming.remove(&self.name);
        }
        drop(state);
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl HttpBody for Seen {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        // A client that asks for more has read what was there.
        self.exchange.waits_for_reader(polled.is_ready());
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDLE_LIMITS: IdleLimits = IdleLimits {
        header: Duration::from_secs(100),
        stall: Duration::from_secs(300),
    };

    /// How it looks `seconds` from now.
    fn after(progress: &Progress, seconds: u64) -> Result<(), Overdue> {
        let then = Instant::now() + Duration::from_secs(seconds);
        progress.overdue(then).map(|_| ())
    }

    #[test]
    fn who_asks_nothing_ends_and_who_is_served_stays() {
        let progress = Progress::new(IDLE_LIMITS);
        assert_eq!(after(&progress, 50), Ok(()));
        assert_eq!(after(&progress, 100), Err(Overdue::Request));
        let exchange = progress.begin(Version::HTTP_11);
        assert_eq!(after(&progress, 1000), Ok(()), "a handler is at work");
        drop(exchange);
        assert_eq!(after(&progress, 50), Ok(()));
        assert_eq!(after(&progress, 100), Err(Overdue::Request));
    }

    #[test]
    fn connections_of_http2_rest_longer_and_not_for_ever() {
        let progress = Progress::new(IDLE_LIMITS);
        drop(progress.begin(Version::HTTP_2));
        assert_eq!(after(&progress, 200), Ok(()));
        assert_eq!(after(&progress, 300), Err(Overdue::Request));
    }

    #[tokio::test]
    async fn an_answer_that_is_not_read_ends_and_one_that_has_nothing_to_say_stays() {
        let progress = Progress::new(IDLE_LIMITS);
        let (sender, receiver) = tokio::sync::mpsc::channel::<Result<Bytes, axum::Error>>(4);
        let stream = tokio_stream::wrappers::ReceiverStream::new(receiver);
        let exchange = progress.begin(Version::HTTP_2);
        let mut body = exchange.answer(Body::from_stream(stream));
        assert_eq!(
            after(&progress, 300),
            Err(Overdue::Reader),
            "a closed window"
        );
        let mut context = Context::from_waker(std::task::Waker::noop());
        let mut poll = |body: &mut Seen| Pin::new(body).poll_frame(&mut context).is_ready();
        assert!(!poll(&mut body), "it waits for its first event");
        assert_eq!(after(&progress, 10_000), Ok(()));
        sender.send(Ok(Bytes::from_static(b"event"))).await.unwrap();
        assert!(poll(&mut body));
        assert_eq!(after(&progress, 200), Ok(()));
        assert_eq!(after(&progress, 300), Err(Overdue::Reader));
    }

    #[test]
    fn a_socket_that_takes_nothing_ends_and_one_that_takes_a_little_stays() {
        let progress = Progress::new(IDLE_LIMITS);
        let _exchange = progress.begin(Version::HTTP_11);
        progress.wrote(false);
        assert_eq!(after(&progress, 200), Ok(()));
        assert_eq!(after(&progress, 300), Err(Overdue::Reader));
        progress.wrote(true);
        assert_eq!(after(&progress, 300), Ok(()));
    }
}

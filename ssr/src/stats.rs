//! Numbers for `/metrics` and for the tests.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A moment's view of a renderer. Counters only grow; gauges say so.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stats {
    /// Gauge: renders that wait now.
    pub queued: usize,
    /// Gauge: renders under way.
    pub rendering: usize,
    /// Gauge: isolates that serve now.
    pub isolates: usize,
    /// Gauge: isolates that are warm and wait to take over.
    pub spares: usize,
    /// Gauge: isolates that end, or that hang after their termination.
    pub leaving: usize,
    /// Gauge: true while the engine rests after too many losses.
    pub resting: bool,
    /// Renders that answered with HTML.
    pub rendered: u64,
    /// Renders that threw, rejected or broke the contract.
    pub threw: u64,
    /// Renders turned away because of the queue.
    pub overloaded: u64,
    /// Renders turned away because the engine rested or shut down.
    pub unavailable: u64,
    /// Renders whose input or output was too large.
    pub too_large: u64,
    /// Isolates lost to the CPU limit.
    pub killed_cpu: u64,
    /// Isolates lost to the wall-clock limit.
    pub killed_wall: u64,
    /// Isolates lost to the heap limit.
    pub killed_heap: u64,
    /// Isolates lost to a panic or a failed start.
    pub failed: u64,
    /// Isolates replaced in good order.
    pub recycled: u64,
    /// Times that the engine went to rest.
    pub rests: u64,
    /// Rejections that no one handled during renders.
    pub unhandled_rejections: u64,
    /// Microseconds spent rendering, all successful renders together.
    pub render_micros: u64,
    /// Microseconds of the longest successful render.
    pub render_micros_max: u64,
    /// Microseconds that successful renders waited in the queue, together.
    pub wait_micros: u64,
    /// Gauge: microseconds that a render takes of late, the moving average.
    pub usual_micros: u64,
    /// Gauge: bytes in use in all isolates' heaps, as last seen.
    pub heap_bytes: u64,
}

/// The growing numbers, as the threads count them.
#[derive(Default)]
pub(crate) struct Counters {
    pub rendered: AtomicU64,
    pub threw: AtomicU64,
    pub overloaded: AtomicU64,
    pub unavailable: AtomicU64,
    pub too_large: AtomicU64,
    pub killed_cpu: AtomicU64,
    pub killed_wall: AtomicU64,
    pub killed_heap: AtomicU64,
    pub failed: AtomicU64,
    pub recycled: AtomicU64,
    pub rests: AtomicU64,
    pub unhandled_rejections: AtomicU64,
    render_micros: AtomicU64,
    render_micros_max: AtomicU64,
    wait_micros: AtomicU64,
    usual_micros: AtomicU64,
}

/// Renders that the usual time is averaged over, so that one long render sheds no page.
const WEIGHT: u64 = 16;

impl Counters {
    pub(crate) fn add(counter: &AtomicU64) {
        counter.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn time(&self, waited: Duration, took: Duration) {
        let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.render_micros
            .fetch_add(micros(took), Ordering::Relaxed);
        self.render_micros_max
            .fetch_max(micros(took), Ordering::Relaxed);
        self.wait_micros
            .fetch_add(micros(waited), Ordering::Relaxed);
        let took = micros(took);
        // It never fails: the closure always has a value.
        let _ = self
            .usual_micros
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |usual| {
                Some(match usual {
                    0 => took,
                    usual => usual - usual / WEIGHT + took / WEIGHT,
                })
            });
    }

    /// How long a render takes of late; nothing before the first one.
    pub(crate) fn usual(&self) -> Duration {
        Duration::from_micros(self.usual_micros.load(Ordering::Relaxed))
    }

    pub(crate) fn read(&self) -> Stats {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Stats {
            rendered: read(&self.rendered),
            threw: read(&self.threw),
            overloaded: read(&self.overloaded),
            unavailable: read(&self.unavailable),
            too_large: read(&self.too_large),
            killed_cpu: read(&self.killed_cpu),
            killed_wall: read(&self.killed_wall),
            killed_heap: read(&self.killed_heap),
            failed: read(&self.failed),
            recycled: read(&self.recycled),
            rests: read(&self.rests),
            unhandled_rejections: read(&self.unhandled_rejections),
            render_micros: read(&self.render_micros),
            render_micros_max: read(&self.render_micros_max),
            wait_micros: read(&self.wait_micros),
            usual_micros: read(&self.usual_micros),
            ..Stats::default()
        }
    }
}

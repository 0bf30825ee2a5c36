//! Numbers for `/metrics` and for the tests.

/// A moment's view of a renderer. Counters only grow; gauges say so.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stats {
    /// Gauge: renders that wait now.
    pub queued: usize,
    /// Gauge: isolates that serve now.
    pub isolates: usize,
    /// Gauge: isolates that are warm and wait to take over.
    pub spares: usize,
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
    /// Gauge: bytes in use in all isolates' heaps, as last seen.
    pub heap_bytes: u64,
}

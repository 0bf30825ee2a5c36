//! The limits of a renderer.

use std::time::Duration;

/// How many isolates, and what a render may use. `Options::default()` suits production.
#[derive(Debug, Clone)]
pub struct Options {
    /// Isolates that render at the same time. Default: cores minus one, at least one.
    pub isolates: usize,
    /// Renders that may wait, whatever their time: a backstop for memory. Default: 512.
    pub queue: usize,
    /// How long a render may wait before it is answered with `Overloaded`; one that would wait longer, by the time that
    /// renders took of late, is turned away at once. Default: 200 ms.
    pub max_wait: Duration,
    /// Computing time of one render. Default: 500 ms.
    pub cpu_limit: Duration,
    /// Time of one render by the clock. Default: 1 s.
    pub wall_limit: Duration,
    /// Bytes of V8's heap per isolate. Default: 192 MiB.
    pub heap_limit: usize,
    /// Bytes of array buffers per isolate, which V8 keeps outside its heap. Default: 32 MiB.
    pub buffer_limit: usize,
    /// Bytes of URL and data together. Default: 4 MiB.
    pub max_input: usize,
    /// Bytes of head and HTML together. Default: 8 MiB.
    pub max_output: usize,
    /// An isolate is replaced after about this many renders. Default: 500,000.
    pub recycle_after: u32,
    /// An isolate is replaced at about this age. Default: 1 h.
    pub recycle_age: Duration,
    /// An isolate is replaced when its heap is above this. Default: 128 MiB.
    pub recycle_heap: usize,
    /// How many lost isolates within `breaker_window` make the engine rest. Default: 8.
    pub breaker_losses: usize,
    /// The window in which losses are counted. Default: 10 s.
    pub breaker_window: Duration,
    /// How long the engine rests; all renders are `Unavailable` meanwhile. Default: 30 s.
    pub breaker_rest: Duration,
    /// Call the bundle's `__warm` in each new isolate before it serves. Default: true.
    pub warm: bool,
    /// How long an isolate may take to become ready, warming included. Default: 30 s, half of what
    /// a service manager waits for the whole start; slow machines need some of it.
    pub start_limit: Duration,
}

impl Default for Options {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            isolates: cores.saturating_sub(1).max(1),
            queue: 512,
            max_wait: Duration::from_millis(200),
            cpu_limit: Duration::from_millis(500),
            wall_limit: Duration::from_secs(1),
            heap_limit: 192 << 20,
            buffer_limit: 32 << 20,
            max_input: 4 << 20,
            max_output: 8 << 20,
            recycle_after: 500_000,
            recycle_age: Duration::from_secs(3600),
            recycle_heap: 128 << 20,
            breaker_losses: 8,
            breaker_window: Duration::from_secs(10),
            breaker_rest: Duration::from_secs(30),
            warm: true,
            start_limit: Duration::from_secs(30),
        }
    }
}

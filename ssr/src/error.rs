//! What can go wrong, named for the caller who has to decide what to send instead.

use std::time::Duration;

/// Which of the two time limits ended a render.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Time that the isolate's thread really spent computing.
    Cpu,
    /// Time that passed, also while the thread waited for a core.
    Wall,
}

/// Why there is no HTML. In every case the document can go out without it and the browser renders.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RenderError {
    /// The render would have waited too long, or has. Nothing was computed.
    #[error("too many renders are waiting")]
    Overloaded,
    /// The render ran over a time limit and its isolate was thrown away.
    #[error("the render was stopped after {after:?} ({limit:?} limit)")]
    Timeout {
        /// The limit that was hit.
        limit: Limit,
        /// How long the render had run by the clock.
        after: Duration,
    },
    /// The render used up the isolate's memory and its isolate was thrown away.
    #[error("the render ran out of memory")]
    HeapLimit,
    /// The bundle threw, rejected, or did not keep the render contract. The isolate stays.
    #[error("the render failed: {0}")]
    Threw(String),
    /// The URL and data together are larger than `Options::max_input`.
    #[error("the render's input is too large")]
    InputTooLarge,
    /// The answer is larger than `Options::max_output`.
    #[error("the render's output is too large")]
    OutputTooLarge,
    /// The engine is shutting down, or lost too many isolates in a short time and rests.
    #[error("the render engine is not available")]
    Unavailable,
}

/// Why a renderer, or a new bundle, could not be started.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StartError {
    /// The bytes are no snapshot, or were made by another build of the engine. Make it anew.
    #[error("this snapshot was not made by this build of the engine: {0}")]
    ForeignSnapshot(&'static str),
    /// An isolate could not be made ready.
    #[error("an isolate did not start: {0}")]
    Isolate(String),
    /// The operating system gave no thread.
    #[error("no thread could be started: {0}")]
    Thread(String),
    /// The isolates were not ready in time.
    #[error("the isolates were not ready after {0:?}")]
    TooSlow(Duration),
}

/// Why a bundle cannot become a snapshot. The text names the place in the bundle where known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SnapshotError {
    /// The bundle threw while it was evaluated.
    #[error("the bundle threw while it was evaluated: {0}")]
    Evaluation(String),
    /// The bundle did not set `globalThis.__render` to a function.
    #[error("the bundle does not set globalThis.__render to a function")]
    NoRender,
    /// `__warm`, or one of the warming renders, failed.
    #[error("warming up failed: {0}")]
    Warm(String),
    /// An `Intl` object was made: ICU objects cannot be kept in a snapshot.
    #[error("Intl is used while the snapshot is made (ICU objects cannot be kept in it): {0}")]
    Intl(String),
    /// A timer was set at module level.
    #[error("a timer is set at module level: {0}")]
    Timer(String),
    /// A promise made at module level never settles.
    #[error("a promise made at module level is still pending: {0}")]
    PendingPromise(String),
    /// WebAssembly was used.
    #[error("WebAssembly is used (it cannot be kept in a snapshot): {0}")]
    Wasm(String),
    /// The thread that makes the snapshot could not be started or died.
    #[error("the snapshot's thread failed: {0}")]
    Thread(String),
}

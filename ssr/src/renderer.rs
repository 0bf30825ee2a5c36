//! The public handle.

use std::sync::Arc;
use std::time::Duration;

use crate::{Bundle, Options, RenderError, StartError, Stats};

/// What a render gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// The first line of the bundle's answer: JSON.
    pub head: String,
    /// The rest.
    pub html: String,
    /// How long the render waited for an isolate.
    pub waited: Duration,
    /// How long the render itself took.
    pub took: Duration,
}

/// The engine: a pool of isolates behind one queue. Cheap to clone; the isolates end when the
/// last clone is dropped.
#[derive(Clone)]
pub struct Renderer {
    _inner: Arc<()>,
}

impl Renderer {
    /// Starts the isolates and waits until they are ready. Needs no tokio runtime and may be
    /// called from `main`; inside an async task, call it with `spawn_blocking`.
    pub fn start(_bundle: Bundle, _options: Options) -> Result<Self, StartError> {
        Ok(Self { _inner: Arc::new(()) })
    }

    /// Renders `url` with `data` (one JSON text). Answers at once with `Overloaded` when the
    /// queue is full, and within the limits of [`Options`] in every other case.
    pub async fn render(
        &self,
        _url: impl Into<String>,
        _data: impl Into<Arc<str>>,
    ) -> Result<Rendered, RenderError> {
        Err(RenderError::Unavailable)
    }

    /// Moves all isolates to another bundle without a gap and waits until it is done. If the
    /// new bundle does not start, the old one stays. Blocks: from async code, `spawn_blocking`.
    pub fn replace_bundle(&self, _bundle: Bundle) -> Result<(), StartError> {
        Ok(())
    }

    /// The numbers of this moment.
    #[must_use]
    pub fn stats(&self) -> Stats {
        Stats::default()
    }

    /// Turns away new renders, ends the isolates and waits for their threads (at most 2 s).
    pub fn shutdown(&self) {}
}

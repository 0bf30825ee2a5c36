//! The public handle.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use crate::members::{Job, Role};
use crate::pool::{Pool, lock};
use crate::stats::Counters;
use crate::{Bundle, Options, RenderError, Shared, StartError, Stats, keeper, platform};

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
    handle: Arc<Handle>,
}

struct Handle {
    pool: Arc<Pool>,
    replacing: Mutex<()>,
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.pool.close();
    }
}

impl Renderer {
    /// Starts the isolates and waits until they are ready. Needs no tokio runtime and may be
    /// called from `main`; inside an async task, call it with `spawn_blocking`.
    pub fn start(bundle: Bundle, options: Options) -> Result<Self, StartError> {
        let options = Options {
            isolates: options.isolates.max(1),
            ..options
        };
        let limit = options.start_limit;
        let pool = Arc::new(Pool::new(bundle, options));
        let renderer = Self {
            handle: Arc::new(Handle {
                pool: Arc::clone(&pool),
                replacing: Mutex::new(()),
            }),
        };
        let watched = Arc::clone(&pool);
        platform::spawn("v8-keeper", move || keeper::run(&watched))
            .map_err(|error| StartError::Thread(error.to_string()))?;
        pool.wait(limit + MARGIN, |state| {
            state.error.is_some() || state.is_settled(&pool.options)
        });
        let mut state = pool.lock();
        match state.error.take() {
            Some(error) => Err(error),
            None if state.is_settled(&pool.options) => Ok(()),
            None => Err(StartError::TooSlow(limit)),
        }?;
        drop(state);
        Ok(renderer)
    }

    /// Renders `url` with `data` (one JSON text). Answers at once with `Overloaded` when it
    /// would wait too long, and within the limits of [`Options`] in every other case. Dropping the
    /// future gives up the place in the queue.
    pub async fn render(
        &self,
        url: impl Into<String>,
        data: impl Into<Arc<str>>,
    ) -> Result<Rendered, RenderError> {
        self.render_with(url, data, None).await
    }

    /// The same with a part of the data that many renders share: where `data` has its place, the
    /// bundle knows.
    pub async fn render_with(
        &self,
        url: impl Into<String>,
        data: impl Into<Arc<str>>,
        shared: Option<Shared>,
    ) -> Result<Rendered, RenderError> {
        let pool = &self.handle.pool;
        let (url, data) = (url.into(), data.into());
        let part = shared.as_ref().map_or(0, |shared| shared.text().len());
        let input = url.len().saturating_add(data.len()).saturating_add(part);
        if input > pool.options.max_input {
            Counters::add(&pool.counters.too_large);
            return Err(RenderError::InputTooLarge);
        }
        let (reply, answer) = oneshot::channel();
        pool.push(Job {
            url,
            data,
            shared,
            since: Instant::now(),
            reply,
        })?;
        answer.await.unwrap_or(Err(RenderError::Unavailable))
    }

    /// Moves all isolates to another bundle without a gap and waits until it is done. If the
    /// new bundle does not start, the old one stays. Blocks: from async code, `spawn_blocking`.
    pub fn replace_bundle(&self, bundle: Bundle) -> Result<(), StartError> {
        let _one_at_a_time = lock(&self.handle.replacing);
        let pool = &self.handle.pool;
        let generation = {
            let mut state = pool.lock();
            state.error = None;
            state.retry_at = None;
            state.previous = Some((state.bundle, state.generation));
            state.bundle = bundle;
            state.generation = state.next_generation;
            state.next_generation += 1;
            for member in &mut state.members {
                if member.role == Role::Spare {
                    member.role = Role::Leaving;
                }
            }
            state.generation
        };
        pool.notify_all();
        let isolates = u32::try_from(pool.options.isolates).unwrap_or(1);
        let limit = pool.options.start_limit * isolates + MARGIN;
        pool.wait(limit, |state| {
            state.generation != generation || state.is_settled(&pool.options)
        });
        let mut state = pool.lock();
        if state.generation == generation && state.is_settled(&pool.options) {
            return Ok(());
        }
        Err(state.error.take().unwrap_or(StartError::TooSlow(limit)))
    }

    /// The numbers of this moment.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.handle.pool.stats()
    }

    /// Turns away new renders, ends the isolates and waits for their threads (at most 2 s).
    pub fn shutdown(&self) {
        let pool = &self.handle.pool;
        pool.close();
        if !pool.wait(SHUTDOWN_TIMEOUT, |state| state.members.is_empty()) {
            tracing::warn!("Some isolates did not end in time and are left behind");
        }
    }
}

/// More than the limit of the isolates themselves, so that their own error arrives.
const MARGIN: Duration = Duration::from_secs(1);
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(2);

//! One re-authorisation for all calls that lose the same bearer at once (AU-07, R-16).

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use futures_util::{
    FutureExt as _,
    future::{BoxFuture, Shared},
};
use tracing::Instrument as _;

use super::{Bearer, Clock};

/// What stands behind a bearer: how it is renewed when the upstream no longer takes it, and what happens when
/// that fails.
#[derive(Clone)]
pub struct Renewal {
    renew: Arc<dyn Fn(Bearer) -> BoxFuture<'static, Renewed> + Send + Sync>,
    end: Arc<dyn Fn(Bearer) -> BoxFuture<'static, ()> + Send + Sync>,
}

/// How a renewal ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Renewed {
    /// This one is taken from now on.
    Bearer(Bearer),
    /// The guest has to sign in again.
    Refused,
    /// It could not be found out; the guest stays signed in.
    Later,
}

/// Renewals under way, and those just done: a call that went out before may still come back refused.
pub(super) struct Renewals {
    clock: Clock,
    running: Mutex<HashMap<Bearer, Running>>,
}

struct Running {
    result: Shared<BoxFuture<'static, Renewed>>,
    since: Duration,
}

/// Longer than any call may be under way.
const REMEMBERED: Duration = Duration::from_secs(60);

impl Renewal {
    /// `renew` asks for another bearer and keeps it; `end` forgets one that is not taken any more, however often it is
    /// told.
    pub fn new<R, E>(
        renew: impl Fn(Bearer) -> R + Send + Sync + 'static,
        end: impl Fn(Bearer) -> E + Send + Sync + 'static,
    ) -> Self
    where
        R: Future<Output = Renewed> + Send + 'static,
        E: Future<Output = ()> + Send + 'static,
    {
        Self {
            renew: Arc::new(move |lost| renew(lost).boxed()),
            end: Arc::new(move |refused| end(refused).boxed()),
        }
    }

    /// The bearer is refused for good: signs the guest out (AU-08). On its own, so that a guest who leaves does not
    /// stop it half-way.
    pub(super) async fn end(&self, refused: Bearer) {
        // A panic in it is logged where it happens; the call is refused either way.
        let _ = tokio::spawn((self.end)(refused).in_current_span()).await;
    }
}

impl fmt::Debug for Renewal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Renewal(…)")
    }
}

impl Renewals {
    pub fn new(clock: Clock) -> Self {
        Self {
            clock,
            running: Mutex::default(),
        }
    }

    /// The bearer after the lost one, asked for once however many calls lost it.
    pub async fn renew(&self, lost: &Bearer, renewal: &Renewal) -> Renewed {
        let result = {
            let since = self.clock.now();
            let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
            running.retain(|_, one| {
                // What could not be found out may be asked again.
                one.result.peek() != Some(&Renewed::Later)
                    && since.saturating_sub(one.since) < REMEMBERED
            });
            let start = || {
                // On its own, so that a guest who leaves does not stop it for the other calls.
                let task = tokio::spawn((renewal.renew)(lost.clone()).in_current_span());
                let result = task.map(|done| done.unwrap_or(Renewed::Later));
                let result = result.boxed().shared();
                Running { result, since }
            };
            let one = running.entry(lost.clone()).or_insert_with(start);
            one.result.clone()
        };
        result.await
    }

    /// The bearer that has replaced a lost one a moment ago.
    pub fn after(&self, lost: &Bearer) -> Option<Bearer> {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        match running.get(lost)?.result.peek()? {
            Renewed::Bearer(bearer) => Some(bearer.clone()),
            Renewed::Refused | Renewed::Later => None,
        }
    }
}

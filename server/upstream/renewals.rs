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

use super::{Bearer, Clock};

/// Gets another bearer for one that is no longer taken; `None` when the guest has to sign in again.
#[derive(Clone)]
pub struct Renewal(Arc<dyn Fn(Bearer) -> BoxFuture<'static, Option<Bearer>> + Send + Sync>);

/// Renewals under way, and those just done: a call that went out before may still come back refused.
pub(super) struct Renewals {
    clock: Clock,
    running: Mutex<HashMap<Bearer, Running>>,
}

struct Running {
    result: Shared<BoxFuture<'static, Option<Bearer>>>,
    since: Duration,
}

/// Longer than any call may be under way.
const REMEMBERED: Duration = Duration::from_secs(60);

impl Renewal {
    /// Wraps what asks for another bearer and stores it in the session.
    pub fn new<F>(renew: impl Fn(Bearer) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Option<Bearer>> + Send + 'static,
    {
        Self(Arc::new(move |lost| renew(lost).boxed()))
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
    pub async fn renew(&self, lost: &Bearer, renewal: &Renewal) -> Option<Bearer> {
        let result = {
            let since = self.clock.now();
            let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
            running.retain(|_, one| since.saturating_sub(one.since) < REMEMBERED);
            let start = || {
                // On its own, so that a guest who leaves does not stop it for the other calls.
                let task = tokio::spawn(renewal.0(lost.clone()));
                let result = task.map(|done| done.ok().flatten()).boxed().shared();
                Running { result, since }
            };
            let one = running.entry(lost.clone()).or_insert_with(start);
            one.result.clone()
        };
        result.await
    }
}

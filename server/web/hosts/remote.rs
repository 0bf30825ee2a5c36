//! The remote configuration (AN-03): asked for at the start and again and again in the background, so that no page ever
//! waits for it. What can't be had or read leaves what was known; before the first answer that are the defaults.

use std::{
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use crate::{
    upstream::{Caller, Class, RemoteConfig, Upstream},
    values::{Country, Lang},
};

/// It is waited for so long (L347).
const DEADLINE: Duration = Duration::from_secs(5);
/// It is asked for no more often.
const OFTEN: Duration = Duration::from_millis(200);

/// What is known of it; cloning shares it.
#[derive(Clone, Default)]
pub struct Remote(Arc<RwLock<Arc<RemoteConfig>>>);

impl Remote {
    /// As it was told last. Waits for nothing.
    #[must_use]
    pub fn now(&self) -> Arc<RemoteConfig> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Follows the upstream for ever.
    pub async fn follow(self, upstream: Upstream, every: Duration) {
        // Never an answer of the cache: it is this that keeps it.
        let caller = Caller::guest(Lang::Ru, Country::Kz).with_class(Class::Order);
        loop {
            let settings = tokio::time::timeout(DEADLINE, upstream.remote_config(&caller)).await;
            let outcome = match settings {
                Ok(Ok(settings)) => {
                    let settings = Arc::clone(settings.value());
                    *self.0.write().unwrap_or_else(PoisonError::into_inner) = settings;
                    "told"
                }
                // The upstream's own log line says why.
                Ok(Err(_)) => "failed",
                Err(_) => "late",
            };
            metrics::counter!("remote_config_total", "outcome" => outcome).increment(1);
            tokio::time::sleep(every.max(OFTEN)).await;
        }
    }
}

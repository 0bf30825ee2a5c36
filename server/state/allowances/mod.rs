//! How much a client may do, counted by all instances together. On one machine each process counts for itself.

mod redis;

use std::time::Duration;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};

use super::Error;
use crate::{
    keys::seal::{Derived, Keys},
    state::redis::Redis,
};

/// Allowances in a server that all instances reach; cloning shares the connection.
#[derive(Debug, Clone)]
pub struct Allowances {
    redis: Redis,
    /// Addresses of guests are no more for the server than for a log.
    secret: Derived,
}

/// One of an allowance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spend {
    /// What is counted.
    pub what: &'static str,
    /// Whose it is.
    pub whose: String,
    /// How many may come at once.
    pub burst: u32,
    /// Until one more may.
    pub pause: Duration,
}

impl Allowances {
    pub(super) fn new(redis: Redis, keys: &Keys) -> Self {
        Self {
            redis,
            secret: keys.derive("names of allowances"),
        }
    }

    /// Counts one of each, or says how long to wait and counts none.
    ///
    /// # Errors
    /// When the store does not answer: the caller counts alone then.
    pub async fn take(&self, spends: Vec<Spend>) -> Result<Result<(), Duration>, Error> {
        let named = spends.into_iter().map(|spend| (self.name(&spend), spend));
        let named: Vec<_> = named.collect();
        self.redis.take_allowances(&named).await
    }

    fn name(&self, spend: &Spend) -> String {
        let mut hash = Sha256::new();
        hash.update(self.secret.as_slice());
        hash.update(&spend.whose);
        let hash = URL_SAFE_NO_PAD.encode(&hash.finalize()[..16]);
        format!("{}:{hash}", spend.what)
    }
}

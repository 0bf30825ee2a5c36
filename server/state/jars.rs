//! Cookies of browsers that keep none: each jar is one versioned record, found by its name alone, which is as secret as what
//! lies in it (beyond.md, 5). Sealed, as the session's cookie is among them.
//!
//! The records lie in the table of the carts, like those of bills.

use std::{collections::BTreeMap, time::Duration};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};

use super::{
    Error,
    clock::{Clock, millis},
    engine::Engine,
    sessions::SHORT,
    texts::{Text, backoff},
};
use crate::keys::seal::Keys;

/// A jar that was not used for this long is deleted.
const LIFETIME: Duration = Duration::from_secs(24 * 3600);
const ATTEMPTS: u32 = 50;
const PURPOSE: &str = "cookie jar";

/// What one browser does not keep.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Jar {
    /// Values by name.
    pub cookies: BTreeMap<String, String>,
    /// Its session is short-lived, and so is the jar.
    #[serde(default)]
    pub is_short_lived: bool,
    /// When it was written down, milliseconds since the epoch.
    at: i64,
}

impl Jar {
    const fn lifetime(&self) -> Duration {
        if self.is_short_lived { SHORT } else { LIFETIME }
    }
}

/// The records in the store.
#[derive(Debug, Clone)]
pub struct Jars {
    engine: Engine,
    keys: Keys,
    clock: Clock,
}

impl Jars {
    pub(super) const fn new(engine: Engine, keys: Keys, clock: Clock) -> Self {
        Self {
            engine,
            keys,
            clock,
        }
    }

    /// What lies in a jar; one that was never filled is empty.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn load(&self, name: &str) -> Result<Jar, Error> {
        Ok(self.read(name).await?.1)
    }

    /// Whether a jar that is in use has to be written down before it is gone.
    #[must_use]
    pub fn is_due(&self, jar: &Jar) -> bool {
        !jar.cookies.is_empty() && self.clock.now() - jar.at > millis(jar.lifetime()) / 4
    }

    /// Puts cookies into a jar, and takes those out that have no value.
    ///
    /// # Errors
    /// When the store does not answer, or too many others change the same jar.
    pub async fn change(
        &self,
        name: &str,
        cookies: &[(String, Option<String>)],
        is_short_lived: bool,
    ) -> Result<(), Error> {
        for attempt in 0..ATTEMPTS {
            let (version, mut jar) = self.read(name).await?;
            for (cookie, value) in cookies {
                match value {
                    Some(value) => jar.cookies.insert(cookie.clone(), value.clone()),
                    None => jar.cookies.remove(cookie),
                };
            }
            jar.is_short_lived = is_short_lived;
            jar.at = self.clock.now();
            if self.swap(name, version, &jar).await? {
                return Ok(());
            }
            tokio::time::sleep(backoff(attempt)).await;
        }
        Err(Error::Contended(ATTEMPTS))
    }

    /// One that can't be opened, because it was sealed by a secret that is no more, is as good as none.
    async fn read(&self, name: &str) -> Result<(i64, Jar), Error> {
        let Some((version, body)) = self.engine.text(&record(name)).await? else {
            return Ok((0, Jar::default()));
        };
        let jar = URL_SAFE_NO_PAD
            .decode(body)
            .ok()
            .and_then(|sealed| self.keys.open(PURPOSE, name.as_bytes(), &sealed))
            .and_then(|plain| serde_json::from_slice(&plain).ok());
        Ok((version, jar.unwrap_or_default()))
    }

    async fn swap(&self, name: &str, expected: i64, jar: &Jar) -> Result<bool, Error> {
        let plain = serde_json::to_vec(jar).map_err(|error| Error::Corrupt(error.to_string()))?;
        let sealed = self.keys.seal(PURPOSE, name.as_bytes(), &plain);
        self.engine
            .swap_text(Text {
                name: record(name),
                expected,
                version: expected + 1,
                body: URL_SAFE_NO_PAD.encode(sealed),
                now: self.clock.now(),
                lifetime: jar.lifetime(),
            })
            .await
    }
}

/// A name hashed: a reader of the store can't use it in an address.
fn record(name: &str) -> String {
    use sha2::{Digest as _, Sha256};
    format!(
        "jar.{}",
        URL_SAFE_NO_PAD.encode(Sha256::digest(name.as_bytes()))
    )
}

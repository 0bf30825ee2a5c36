//! Sign-ins that were begun and are not over: what the return from the sign-in page is checked against (S-06).

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tower_sessions::SessionStore as _;

use super::{Key, Sess, Unavailable, unavailable};
use crate::state::sessions::Sessions;

/// So many tabs of one browser may be at the sign-in page at once; beyond it the oldest is forgotten.
const MOST: usize = 5;

/// A sign-in on its way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// Names it in the `state`; 128 random bits.
    pub nonce: String,
    /// The secret behind the challenge that the page was opened with.
    pub verifier: String,
    /// The address that the page sends its answer to, to the letter.
    pub redirect_uri: String,
    /// Milliseconds since the epoch; after that it is too late.
    pub until: i64,
}

impl Sess {
    /// Notes a sign-in that begins.
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written.
    pub async fn begin_sign_in(&self, attempt: Attempt, now: i64) -> Result<(), Unavailable> {
        let kept: Vec<Attempt> = self.get(Key::SignIns).await.unwrap_or_default();
        let mut kept: Vec<Attempt> = kept.into_iter().filter(|old| old.until > now).collect();
        kept.drain(..(kept.len() + 1).saturating_sub(MOST));
        kept.push(attempt);
        self.put(Key::SignIns, &kept).await
    }

    /// Takes a sign-in out of the session, once however often its return comes at the same time.
    ///
    /// # Errors
    /// [`Unavailable`] when the store does not answer.
    pub async fn take_sign_in(
        &self,
        store: &Sessions,
        nonce: &str,
    ) -> Result<Option<Attempt>, Unavailable> {
        let session = self.writable()?;
        let Some(id) = session.id() else {
            return Ok(None);
        };
        let name = Key::SignIns.name();
        loop {
            let record = store.load(&id).await;
            let record = record.map_err(|error| unavailable(error.into()))?;
            let Some(value) = record.and_then(|mut record| record.data.remove(name)) else {
                return Ok(None);
            };
            let mut kept: Vec<Attempt> = serde_json::from_value(value.clone()).unwrap_or_default();
            let Some(at) = kept.iter().position(|attempt| attempt.nonce == nonce) else {
                return Ok(None);
            };
            let taken = kept.remove(at);
            let rest = serde_json::to_value(&kept).ok();
            let rest = rest.filter(|_| !kept.is_empty());
            let swapped = store.swap(&id, name, value, rest.clone()).await;
            // Somebody else has changed it meanwhile, or the session is over: look again.
            if swapped.map_err(|error| unavailable(error.into()))? {
                self.set::<Value>(Key::SignIns, rest).await?;
                return Ok(Some(taken));
            }
        }
    }
}

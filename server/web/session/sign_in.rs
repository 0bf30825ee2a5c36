//! Sign-ins that were begun and are not over: what the return from the sign-in page is checked against (S-06).

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tower_sessions::{SessionStore as _, session::Id};

use super::{Key, Sess, Unavailable, unavailable};
use crate::state::sessions::Sessions;

/// How many tabs of one browser may be at the sign-in page at once; beyond that the oldest is forgotten.
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
    /// Notes a sign-in that begins, beside those of other tabs.
    ///
    /// # Errors
    /// [`Unavailable`] when the store does not answer, or the session has ended meanwhile.
    pub async fn begin_sign_in(
        &self,
        store: &Sessions,
        attempt: Attempt,
        now: i64,
    ) -> Result<(), Unavailable> {
        let Some(id) = self.writable()?.id() else {
            // Its first row is written when the answer is ready.
            return self.put(Key::SignIns, &[attempt]).await;
        };
        loop {
            let record = store.load(&id).await;
            let record = record.map_err(|error| unavailable(error.into()))?;
            let mut data = record.ok_or(Unavailable)?.data;
            let value = data.remove(Key::SignIns.name());
            let mut list = attempts(value.as_ref());
            list.retain(|old| old.until > now);
            list.drain(..(list.len() + 1).saturating_sub(MOST));
            list.push(attempt.clone());
            if swap(store, &id, value, &list).await? {
                return Ok(());
            }
        }
    }

    /// Whether a sign-in has begun in this session whose return has not come yet.
    pub async fn is_signing_in(&self) -> bool {
        !attempts(self.value(Key::SignIns).await.as_ref()).is_empty()
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
        let Some(id) = self.writable()?.id() else {
            return Ok(None);
        };
        loop {
            let record = store.load(&id).await;
            let record = record.map_err(|error| unavailable(error.into()))?;
            let value = record.and_then(|mut record| record.data.remove(Key::SignIns.name()));
            let mut list = attempts(value.as_ref());
            let Some(at) = list.iter().position(|attempt| attempt.nonce == nonce) else {
                return Ok(None);
            };
            let taken = list.remove(at);
            if swap(store, &id, value, &list).await? {
                return Ok(Some(taken));
            }
        }
    }
}

fn attempts(value: Option<&Value>) -> Vec<Attempt> {
    let attempts = value.and_then(|value| serde_json::from_value(value.clone()).ok());
    attempts.unwrap_or_default()
}

/// `false` when another request has changed them meanwhile: look again.
async fn swap(
    store: &Sessions,
    id: &Id,
    from: Option<Value>,
    to: &[Attempt],
) -> Result<bool, Unavailable> {
    let written = serde_json::to_value(to).map_err(|error| unavailable(error.into()))?;
    let to = (!to.is_empty()).then_some(written);
    store
        .swap(id, Key::SignIns.name(), from, to)
        .await
        .map_err(|error| unavailable(error.into()))
}

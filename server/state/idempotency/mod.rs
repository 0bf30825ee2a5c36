//! One order per key: who works on it, what was sent, and what came of it.
//!
//! A record is worked on under a lease of one server process. When that process is gone, or its
//! lease ran out, the next request with the key takes the work over and sends the same body again.

pub(super) mod record;
mod redis;
mod rows;

use std::time::Duration;

use sha2::{Digest, Sha256};
use tokio::time::Instant;

pub use record::Phase;
use record::{Next, Record, Taken, Wanted};
pub(super) use rows::sweep;

use super::{
    Error,
    carts::{CartId, MutationId},
    clock::Clock,
    engine::Engine,
};
use crate::keys::seal::Keys;

/// How long an answer is kept.
pub const LIFETIME: Duration = Duration::from_secs(24 * 3600);
/// How long a living process may work before others take over; longer than all its retries.
pub const LEASE: Duration = Duration::from_secs(30);
/// A second post of the same waits so long for the end of the first.
const WAIT: Duration = Duration::from_secs(8);
const WAIT_STEP: Duration = Duration::from_millis(200);
/// A lease that the store has not taken back is given back again after so long: its disk may have room again.
const AGAIN: Duration = Duration::from_secs(1);

const PURPOSE_BODY: &str = "idempotency body";
const PURPOSE_ANSWER: &str = "idempotency answer";

/// What to do with a request that carries a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Begun {
    /// It was not sent: send it, then [`Idempotency::finish`], [`Idempotency::unknown`] or [`Idempotency::release`].
    New,
    /// It was answered before: answer the same.
    Done {
        /// As given to [`Idempotency::finish`].
        answer: String,
    },
    /// Another request is sending it now.
    InFlight,
    /// The key was used with another body.
    Mismatch,
    /// It was sent, and the outcome is unknown. The caller holds the lease now: send `body`
    /// again with the same key.
    Orphaned {
        /// As first given to [`Idempotency::begin`].
        body: String,
    },
}

/// How a lease ends.
#[derive(Debug, Clone, Copy)]
enum End {
    Return(Next),
    Forget,
}

/// What is known about a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// The key.
    pub key: String,
    /// How far it is.
    pub phase: Phase,
    /// What was sent.
    pub body: String,
    /// The answer once there is one.
    pub answer: Option<String>,
    /// When the key was first used.
    pub created_at: i64,
    /// When it last changed.
    pub updated_at: i64,
}

/// Idempotency records in the store.
#[derive(Debug, Clone)]
pub struct Idempotency {
    engine: Engine,
    keys: Keys,
    clock: Clock,
}

/// Begins the keys of changes: they are sent again by browsers, never by the server.
const OF_CHANGE: &str = "change.";

/// Begins the keys of doors that were told to open: no one may open them later, when the guest is gone.
pub const OF_DOOR: &str = "door.";

/// The key of a change of one guest: the cart's name is a secret of the session's.
#[must_use]
pub fn change_key(cart: &CartId, mutation: &MutationId) -> String {
    of_change(&serde_json::json!([cart, mutation]))
}

/// The key of a work that one guest, by whatever name, does once.
#[must_use]
pub fn work_key(guest: &str, work: &[&str]) -> String {
    of_change(&serde_json::json!([guest, "work", work]))
}

fn of_change(parts: &serde_json::Value) -> String {
    use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
    let hash = body_hash(&parts.to_string());
    format!("{OF_CHANGE}{}", URL_SAFE_NO_PAD.encode(hash))
}

/// The hash by which two bodies of one key are told apart.
#[must_use]
pub fn body_hash(body: &str) -> [u8; 32] {
    Sha256::digest(body.as_bytes()).into()
}

impl Idempotency {
    pub(super) fn new(engine: Engine, keys: Keys, clock: Clock) -> Self {
        Self {
            engine,
            keys,
            clock,
        }
    }

    /// Takes the lease of a key, or tells why it cannot be had. Of many at once exactly one gets
    /// [`Begun::New`] or [`Begun::Orphaned`].
    ///
    /// # Errors
    /// When the store fails: nothing may be sent then.
    pub async fn begin(&self, key: &str, body_hash: [u8; 32], body: &str) -> Result<Begun, Error> {
        let wanted = Wanted {
            key: key.to_owned(),
            body_hash,
            body: self
                .keys
                .seal(PURPOSE_BODY, key.as_bytes(), body.as_bytes()),
            is_of_server: !key.starts_with(OF_CHANGE) && !key.starts_with(OF_DOOR),
            now: self.clock.now(),
        };
        let unseal = |purpose, sealed: &[u8]| self.unseal(purpose, key, sealed);
        Ok(match self.engine.take_lease(wanted).await? {
            Taken::New => Begun::New,
            Taken::InFlight => Begun::InFlight,
            Taken::Mismatch => Begun::Mismatch,
            Taken::Done(None) => Begun::Done {
                answer: String::new(),
            },
            Taken::Done(Some(answer)) => Begun::Done {
                answer: unseal(PURPOSE_ANSWER, &answer)?,
            },
            Taken::Orphaned(body) => Begun::Orphaned {
                body: unseal(PURPOSE_BODY, &body)?,
            },
        })
    }

    /// As [`Self::begin`], but where another holds the lease it waits for what comes of it, eight seconds at most.
    ///
    /// # Errors
    /// When the store fails: nothing may be sent then.
    pub async fn begin_in_turn(
        &self,
        key: &str,
        body_hash: [u8; 32],
        body: &str,
    ) -> Result<Begun, Error> {
        let deadline = Instant::now() + WAIT;
        loop {
            match self.begin(key, body_hash, body).await? {
                Begun::InFlight if Instant::now() < deadline => {
                    tokio::time::sleep(WAIT_STEP).await;
                }
                begun => return Ok(begun),
            }
        }
    }

    /// Records the definite answer. A key that has one keeps its first.
    ///
    /// # Errors
    /// When the store fails: the outcome is then found by asking with the same key again.
    pub async fn finish(&self, key: &str, answer: &str) -> Result<(), Error> {
        let now = self.clock.now();
        let sealed = self
            .keys
            .seal(PURPOSE_ANSWER, key.as_bytes(), answer.as_bytes());
        self.engine.finish_lease(key, sealed, now).await
    }

    /// Gives the lease back without an answer: the outcome is not known. The next request sends it again.
    ///
    /// # Errors
    /// When the store fails: the lease is then given back as soon as it can be.
    pub async fn unknown(&self, key: &str) -> Result<(), Error> {
        self.end_lease(key, End::Return(Next::Anyone)).await
    }

    /// As [`Self::unknown`], but no server sends it again by itself: only a guest asks for that.
    ///
    /// # Errors
    /// When the store fails: the lease is then given back as soon as it can be.
    pub async fn leave_to_guest(&self, key: &str) -> Result<(), Error> {
        self.end_lease(key, End::Return(Next::Guest)).await
    }

    /// Forgets a key that the upstream definitely refused, so that the guest can put it right and
    /// try again with the same cart.
    ///
    /// # Errors
    /// When the store fails: the key is then forgotten as soon as it can be.
    pub async fn release(&self, key: &str) -> Result<(), Error> {
        self.end_lease(key, End::Forget).await
    }

    /// Ends a lease. What the store does not take is tried again for as long as the lease lasts, so that a guest who looks
    /// again does not wait until it runs out.
    async fn end_lease(&self, key: &str, end: End) -> Result<(), Error> {
        let now = self.clock.now();
        let ended = self.try_to_end(key, end, now).await;
        if ended.is_err() {
            let (records, key) = (self.clone(), key.to_owned());
            tokio::spawn(async move {
                let deadline = Instant::now() + LEASE;
                while Instant::now() < deadline {
                    tokio::time::sleep(AGAIN).await;
                    let Ok(record) = records.engine.record(&key).await else {
                        continue;
                    };
                    let is_ours =
                        |record: Record| record.phase == Phase::Working && record.updated_at <= now;
                    // Another one may work under it by now.
                    if !record.is_some_and(is_ours)
                        || records.try_to_end(&key, end, now).await.is_ok()
                    {
                        break;
                    }
                }
            });
        }
        ended
    }

    async fn try_to_end(&self, key: &str, end: End, now: i64) -> Result<(), Error> {
        match end {
            End::Return(next) => self.engine.return_lease(key, next, now).await,
            End::Forget => self.engine.drop_lease(key).await,
        }
    }

    /// What is known about a key, without taking its lease.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn get(&self, key: &str) -> Result<Option<Known>, Error> {
        let now = self.clock.now();
        self.engine
            .record(key)
            .await?
            .filter(|record| now < record.expires_at)
            .map(|record| self.known(record))
            .transpose()
    }

    /// Keys of orders, bookings and shut fridges without answer and lease that are not left to their guests, oldest first:
    /// for the background resolver. One that can't be read keeps none of the others from it.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn unresolved(&self, limit: u32) -> Result<Vec<Known>, Error> {
        let records = self.engine.open_records(self.clock.now(), limit).await?;
        let known = records.into_iter().filter_map(|record| {
            self.known(record)
                .inspect_err(|error| tracing::error!(%error, "An open attempt can't be read"))
                .ok()
        });
        Ok(known.collect())
    }

    fn known(&self, record: Record) -> Result<Known, Error> {
        Ok(Known {
            body: self.body(&record)?,
            answer: self.answer(&record)?,
            key: record.key,
            phase: record.phase,
            created_at: record.created_at,
            updated_at: record.updated_at,
        })
    }

    fn body(&self, record: &Record) -> Result<String, Error> {
        self.unseal(PURPOSE_BODY, &record.key, &record.body)
    }

    fn answer(&self, record: &Record) -> Result<Option<String>, Error> {
        record
            .answer
            .as_deref()
            .map(|answer| self.unseal(PURPOSE_ANSWER, &record.key, answer))
            .transpose()
    }

    fn unseal(&self, purpose: &str, key: &str, sealed: &[u8]) -> Result<String, Error> {
        self.keys
            .open(purpose, key.as_bytes(), sealed)
            .and_then(|plain| String::from_utf8(plain).ok())
            .ok_or_else(|| {
                Error::Corrupt("idempotency: sealed with a secret that is gone".to_owned())
            })
    }
}

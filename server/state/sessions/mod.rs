//! The tower-sessions store: rows are named by the hash of the session id, and their data is
//! sealed, so that a stolen database gives no sign-in (S-04).
//!
//! tower-sessions writes whole records and lets the last writer win. Here a save carries only what
//! its request changed: the loaded values travel along under a reserved key, and the difference is
//! merged into the row as it is by then.

mod change_id;
mod redis;
pub(super) mod rows;

use std::{collections::HashMap, sync::Arc, time::Duration};

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use time::OffsetDateTime;
use tower_sessions::{
    SessionStore,
    session::{Id, Record},
    session_store,
};

pub use change_id::{Changed, IdChange, Left};
use rows::{Next, Opened, Row, Writes, name_of};

use super::{
    ABSOLUTE, Error,
    clock::{Clock, millis},
    engine::Engine,
};
use crate::keys::seal::Keys;

/// A session ends after this long without a request (S-05).
pub const IDLE: Duration = Duration::from_secs(30 * 24 * 3600);
/// A session of an address that begins more than its share ends after this long without a request: the store does not
/// fill up with them.
pub const SHORT: Duration = Duration::from_secs(3600);
/// What is [`Left`] under an id of before can be found for so long: a meal.
const LEFT: Duration = Duration::from_secs(4 * 3600);
/// Reading a session extends it, but writes at most this often.
const TOUCH_EVERY: Duration = Duration::from_secs(24 * 3600);

pub(super) const PURPOSE: &str = "session";
/// Holds the values as they were loaded; never stored, and no value of ours has this name.
const LOADED: &str = "\u{0}loaded";
/// Holds the cart as it was read with the session; never stored, either.
pub const CART_READ: &str = "\u{0}cart";
/// Stands among the values of a session that ends after [`SHORT`]; saved without it, the session lives as long as others.
/// Never stored: the row tells.
pub const SHORT_LIVED: &str = "\u{0}short";
/// The value that names a session's cart.
pub const CART: &str = "cart";
/// Schema of a stored record; readers accept the one before too.
const SCHEMA: u32 = 1;

type Data = HashMap<String, Value>;

/// Sessions in the store.
#[derive(Debug, Clone)]
pub struct Sessions {
    engine: Engine,
    keys: Keys,
    clock: Clock,
    /// A load reads the cart as well.
    reads_cart: bool,
}

/// What is sealed into a row.
#[derive(Serialize, Deserialize)]
struct Stored {
    schema: u32,
    data: Data,
}

/// A row that begins or is visited now.
fn fresh(data: Vec<u8>, now: i64, ends_at: i64, idle: Duration) -> Row {
    Row {
        data,
        touched_at: now,
        idle_until: now + millis(idle),
        ends_at,
    }
}

/// How long it lives without a request.
fn idle_of(row: &Row) -> Duration {
    if row.idle_until - row.touched_at <= millis(SHORT) {
        SHORT
    } else {
        IDLE
    }
}

/// Whether a visit should extend it.
fn is_due(row: &Row, now: i64) -> bool {
    now - row.touched_at >= millis(TOUCH_EVERY.min(idle_of(row) / 2))
}

impl Sessions {
    pub(super) fn new(engine: Engine, keys: Keys, clock: Clock) -> Self {
        Self {
            engine,
            keys,
            clock,
            reads_cart: true,
        }
    }

    /// The same for requests that show no cart: a change reads it when it changes it.
    #[must_use]
    pub fn without_carts(self) -> Self {
        Self {
            reads_cart: false,
            ..self
        }
    }

    fn seal(&self, row: &[u8; 32], data: &Data) -> Result<Vec<u8>, session_store::Error> {
        let stored = Stored {
            schema: SCHEMA,
            data: without_reserved(data),
        };
        let text = serde_json::to_vec(&stored)
            .map_err(|error| session_store::Error::Encode(error.to_string()))?;
        Ok(self.keys.seal(PURPOSE, row, &text))
    }

    /// Sets or removes one value of a session if it still is what it was, or is not there. `false` when it is not:
    /// another request changed it, or the session is over.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn swap(
        &self,
        id: &Id,
        name: &'static str,
        from: Option<Value>,
        to: Option<Value>,
    ) -> session_store::Result<bool> {
        let (row, store) = (name_of(id), self.clone());
        let swapped = self
            .engine
            .change_session(row, self.clock.now(), move |found| {
                let data = store.open(&row, &found.data);
                let Some(mut data) = data.filter(|data| data.get(name) == from.as_ref()) else {
                    return Ok((Writes::default(), false));
                };
                match &to {
                    Some(to) => data.insert(name.to_owned(), to.clone()),
                    None => data.remove(name),
                };
                let data = store.seal(&row, &data)?;
                Ok((Next::Becomes(Row { data, ..found }).into(), true))
            })
            .await?;
        Ok(swapped.unwrap_or(false))
    }

    /// Deletes every session but one whose values are meant, and answers what they held. It opens them all, a few at a
    /// time: nothing but the seal knows whose a session is.
    ///
    /// # Errors
    /// When the store does not answer; some of them may be deleted by then.
    pub async fn delete_where(
        &self,
        but: Option<Id>,
        meant: impl Fn(&HashMap<String, Value>) -> bool + Send + Sync + 'static,
    ) -> session_store::Result<Vec<HashMap<String, Value>>> {
        let (spared, now) = (but.as_ref().map(name_of), self.clock.now());
        let meant = Arc::new(meant);
        let (mut after, mut deleted) = (Vec::new(), Vec::new());
        loop {
            let (rows, next) = self.engine.sessions_after(after).await?;
            for (row, _) in rows.iter().filter(|(row, found)| {
                let is_meant = || self.open(row, &found.data).is_some_and(|data| meant(&data));
                Some(*row) != spared && found.lives(now) && is_meant()
            }) {
                let (row, store, is_meant) = (*row, self.clone(), Arc::clone(&meant));
                let ended = self
                    .engine
                    .change_session(row, now, move |found| {
                        let data = store.open(&row, &found.data);
                        // Another guest may have signed in there since.
                        Ok(match data.filter(|data| is_meant(data)) {
                            Some(data) => (Next::Goes.into(), Some(data)),
                            None => (Writes::default(), None),
                        })
                    })
                    .await?;
                deleted.extend(ended.flatten());
            }
            match next {
                Some(next) => after = next,
                None => return Ok(deleted),
            }
        }
    }

    /// How many of some sessions that are there can be opened, and how many were sealed with secrets that are none of ours.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(super) async fn opened_and_sealed(&self) -> session_store::Result<(usize, usize)> {
        let (rows, _) = self.engine.sessions_after(Vec::new()).await?;
        let now = self.clock.now();
        let (mut opened, mut sealed) = (0, 0);
        for (row, found) in rows.iter().filter(|(_, found)| found.lives(now)) {
            match self.keys.open(PURPOSE, row, &found.data) {
                Some(_) => opened += 1,
                None => sealed += 1,
            }
        }
        Ok((opened, sealed))
    }

    /// The values of a row; `None` when it was sealed with a key that is no longer active, or by a
    /// program that this one does not understand: the visit then starts anew (ST-10).
    fn open(&self, row: &[u8; 32], sealed: &[u8]) -> Option<Data> {
        let text = self.keys.open(PURPOSE, row, sealed)?;
        let stored: Stored = serde_json::from_slice(&text).ok()?;
        (stored.schema == SCHEMA).then_some(stored.data)
    }
}

#[async_trait]
impl SessionStore for Sessions {
    /// Always takes a fresh id, also after a sign-in or sign-out (S-03).
    async fn create(&self, record: &mut Record) -> session_store::Result<()> {
        record.id = Id::default();
        let row = name_of(&record.id);
        let now = self.clock.now();
        let data = self.seal(&row, &record.data)?;
        let idle = if record.data.contains_key(SHORT_LIVED) {
            SHORT
        } else {
            IDLE
        };
        self.engine
            .add_session(row, fresh(data, now, now + millis(ABSOLUTE), idle))
            .await?;
        remember_loaded(&mut record.data);
        Ok(())
    }

    /// Merges what changed since the load. A session that was ended meanwhile stays ended.
    async fn save(&self, record: &Record) -> session_store::Result<()> {
        let row = name_of(&record.id);
        let changes = Changes::of(&record.data);
        let is_short_lived = record.data.contains_key(SHORT_LIVED);
        let now = self.clock.now();
        let store = self.clone();
        self.engine
            .change_session(row, now, move |found| {
                let before = store.open(&row, &found.data);
                let mut data = before.clone().unwrap_or_default();
                changes.apply(&mut data);
                // Another request may have made it one that lives longer.
                let idle = if is_short_lived {
                    idle_of(&found)
                } else {
                    IDLE
                };
                let is_as_before = before.as_ref() == Some(&data) && idle == idle_of(&found);
                if is_as_before && !is_due(&found, now) {
                    return Ok((Writes::default(), ()));
                }
                let next = fresh(store.seal(&row, &data)?, now, found.ends_at, idle);
                Ok((Next::Becomes(next).into(), ()))
            })
            .await
            .map(|_| ())
    }

    async fn load(&self, id: &Id) -> session_store::Result<Option<Record>> {
        let row = name_of(id);
        let now = self.clock.now();
        let store = self.clone();
        let found = self.engine.session(row, move |found| {
            let data = store.open(&row, &found.data).filter(|_| found.lives(now))?;
            let cart = data.get(CART).filter(|_| store.reads_cart);
            let cart = cart.and_then(Value::as_str).map(str::to_owned);
            Some((data, cart))
        });
        let Some(Opened {
            row: found,
            values: mut data,
            cart,
        }) = found.await?
        else {
            return Ok(None);
        };
        if is_due(&found, now) {
            let touch = move |found: Row| {
                let idle = idle_of(&found);
                let next = fresh(found.data, now, found.ends_at, idle);
                Ok((Next::Becomes(next).into(), ()))
            };
            // The visit goes on without it; the next request tries again.
            if let Err(error) = self.engine.change_session(row, now, touch).await {
                tracing::warn!(%error, "A session could not be extended");
            }
        }
        remember_loaded(&mut data);
        if let Some(cart) = cart.and_then(|cart| serde_json::to_value(cart).ok()) {
            data.insert(CART_READ.to_owned(), cart);
        }
        if idle_of(&found) == SHORT {
            data.insert(SHORT_LIVED.to_owned(), Value::Bool(true));
        }
        Ok(Some(Record {
            id: *id,
            data,
            expiry_date: date(found.end()),
        }))
    }

    async fn delete(&self, id: &Id) -> session_store::Result<()> {
        self.engine.delete_session(name_of(id)).await
    }
}

impl From<Error> for session_store::Error {
    fn from(error: Error) -> Self {
        Self::Backend(error.to_string())
    }
}

/// What a request did to the values it had loaded.
enum Changes {
    /// Nothing was loaded, or everything was cleared: these are all the values.
    All(Data),
    Some {
        set: Data,
        removed: Vec<String>,
    },
}

impl Changes {
    fn of(data: &Data) -> Self {
        let Some(Value::Object(loaded)) = data.get(LOADED) else {
            return Self::All(without_reserved(data));
        };
        let set = data
            .iter()
            .filter(|(name, value)| !is_reserved(name) && loaded.get(*name) != Some(value))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        let removed = loaded
            .keys()
            .filter(|name| !data.contains_key(*name))
            .cloned()
            .collect();
        Self::Some { set, removed }
    }

    fn apply(&self, data: &mut Data) {
        match self {
            Self::All(all) => data.clone_from(all),
            Self::Some { set, removed } => {
                data.retain(|name, _| !removed.contains(name));
                data.extend(
                    set.iter()
                        .map(|(name, value)| (name.clone(), value.clone())),
                );
            }
        }
    }
}

/// Whether a key is the store's own and not a value of the visit.
fn is_reserved(name: &str) -> bool {
    [LOADED, CART_READ, SHORT_LIVED].contains(&name)
}

fn without_reserved(data: &Data) -> Data {
    data.iter()
        .filter(|(name, _)| !is_reserved(name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

fn remember_loaded(data: &mut Data) {
    data.remove(LOADED);
    let loaded = Value::Object(data.clone().into_iter().collect());
    data.insert(LOADED.to_owned(), loaded);
}

fn date(millis: i64) -> OffsetDateTime {
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(millis) * 1_000_000)
        .unwrap_or(OffsetDateTime::UNIX_EPOCH)
}

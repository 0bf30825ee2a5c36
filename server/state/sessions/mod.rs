//! The tower-sessions store: rows are named by the hash of the session id, and their data is
//! sealed, so that a stolen database signs nobody in (S-04).
//!
//! tower-sessions writes whole records and lets the last writer win. Here a save carries only what
//! its request changed: the loaded values travel along under a reserved key, and the difference is
//! merged into the row as it is by then.

mod change_id;

use std::{collections::HashMap, sync::Arc, time::Duration};

use async_trait::async_trait;
use rusqlite::{OptionalExtension, Transaction, params};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use time::OffsetDateTime;
use tower_sessions::{
    SessionStore,
    session::{Id, Record},
    session_store,
};

pub use change_id::{Changed, IdChange, Left};

use super::{
    Error,
    clock::{Clock, millis},
    db::Db,
};
use crate::keys::seal::Keys;

/// A session ends after this long without a request (S-05).
pub const IDLE: Duration = Duration::from_secs(30 * 24 * 3600);
/// A session ends this long after it began, whatever happens (S-05).
pub const ABSOLUTE: Duration = Duration::from_secs(90 * 24 * 3600);
/// What is [`Left`] under an id of before can be found for so long: a meal.
const LEFT: Duration = Duration::from_secs(4 * 3600);
/// Reading a session extends it, but writes at most this often.
const TOUCH_EVERY: Duration = Duration::from_secs(24 * 3600);

/// So many sessions are opened in one read.
const AT_ONCE: u32 = 1000;

const PURPOSE: &str = "session";
/// Holds the values as they were loaded; never stored, and no value of ours has this name.
const LOADED: &str = "\u{0}loaded";
/// Schema of a stored record; readers accept the one before too.
const SCHEMA: u32 = 1;

type Data = HashMap<String, Value>;

/// The last row that was read, unless it was the last of all; and the rows that are meant.
type Found = (Option<[u8; 32]>, Vec<[u8; 32]>);

/// Sessions in the state database.
#[derive(Debug, Clone)]
pub struct Sessions {
    db: Db,
    keys: Keys,
    clock: Clock,
}

/// What is sealed into a row.
#[derive(Serialize, Deserialize)]
struct Stored {
    schema: u32,
    data: Data,
}

struct Row {
    data: Vec<u8>,
    touched_at: i64,
    idle_until: i64,
    ends_at: i64,
}

impl Row {
    fn lives(&self, now: i64) -> bool {
        now < self.idle_until.min(self.ends_at)
    }

    /// Whether a visit should extend it.
    fn is_due(&self, now: i64) -> bool {
        now - self.touched_at >= millis(TOUCH_EVERY)
    }
}

impl Sessions {
    pub(super) fn new(db: Db, keys: Keys, clock: Clock) -> Self {
        Self { db, keys, clock }
    }

    fn seal(&self, row: &[u8; 32], data: &Data) -> Result<Vec<u8>, session_store::Error> {
        let stored = Stored {
            schema: SCHEMA,
            data: without_loaded(data),
        };
        let text = serde_json::to_vec(&stored)
            .map_err(|error| session_store::Error::Encode(error.to_string()))?;
        Ok(self.keys.seal(PURPOSE, row, &text))
    }

    /// Sets or removes one value of a session if it still is what it was, or is not there. `false` when it is not:
    /// somebody else changed it, or the session is over.
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
        let (row, now, store) = (row_name(id), self.clock.now(), self.clone());
        self.db
            .write(move |db| {
                let found = find(db, &row)?.filter(|found| found.lives(now));
                let data = found.and_then(|found| store.open(&row, &found.data));
                let Some(mut data) = data.filter(|data| data.get(name) == from.as_ref()) else {
                    return Ok(Ok(false));
                };
                match to {
                    Some(to) => data.insert(name.to_owned(), to),
                    None => data.remove(name),
                };
                let sealed = match store.seal(&row, &data) {
                    Ok(sealed) => sealed,
                    Err(error) => return Ok(Err(error)),
                };
                db.prepare_cached("UPDATE sessions SET data = ? WHERE id = ?")?
                    .execute(params![sealed, row])?;
                Ok(Ok(true))
            })
            .await?
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
        let (kept, now) = (but.as_ref().map(row_name), self.clock.now());
        let meant = Arc::new(meant);
        let (mut after, mut deleted) = (Vec::new(), Vec::new());
        loop {
            let (store, is_meant, from) = (self.clone(), Arc::clone(&meant), after);
            let (last, rows) = self
                .db
                .read(move |db| store.search(db, &from, now, |data| is_meant(data)))
                .await?;
            let (store, is_meant) = (self.clone(), Arc::clone(&meant));
            if rows.iter().any(|row| Some(*row) != kept) {
                let ended = self
                    .db
                    .write(move |db| {
                        let mut ended = Vec::new();
                        for row in rows.into_iter().filter(|row| Some(*row) != kept) {
                            let found = find(db, &row)?;
                            let data = found.and_then(|found| store.open(&row, &found.data));
                            // Somebody else may have signed in there since.
                            let Some(data) = data.filter(|data| is_meant(data)) else {
                                continue;
                            };
                            db.prepare_cached("DELETE FROM sessions WHERE id = ?")?
                                .execute([row])?;
                            ended.push(data);
                        }
                        Ok(ended)
                    })
                    .await?;
                deleted.extend(ended);
            }
            match last {
                Some(last) => after = last.to_vec(),
                None => return Ok(deleted),
            }
        }
    }

    /// The rows after one that are meant, of the next few; and the last of those, unless it was the last of all.
    fn search(
        &self,
        db: &rusqlite::Connection,
        after: &[u8],
        now: i64,
        meant: impl Fn(&Data) -> bool,
    ) -> rusqlite::Result<Found> {
        let mut rows = db.prepare_cached(
            "SELECT id, data FROM sessions WHERE id > ?1 AND idle_until > ?2 AND ends_at > ?2 ORDER BY id LIMIT ?3",
        )?;
        let found = rows
            .query_map(params![after, now, AT_ONCE], |found| {
                Ok((found.get::<_, [u8; 32]>(0)?, found.get::<_, Vec<u8>>(1)?))
            })?
            .collect::<Result<Vec<_>, _>>()?;
        let last = found.last().map(|(row, _)| *row);
        let is_full = u32::try_from(found.len()).is_ok_and(|length| length == AT_ONCE);
        let meant = found
            .iter()
            .filter(|(row, data)| self.open(row, data).is_some_and(|data| meant(&data)))
            .map(|(row, _)| *row)
            .collect();
        Ok((last.filter(|_| is_full), meant))
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
        let row = row_name(&record.id);
        let sealed = self.seal(&row, &record.data)?;
        let now = self.clock.now();
        self.db
            .write(move |db| {
                db.prepare_cached(
                    "INSERT INTO sessions (id, data, touched_at, idle_until, ends_at) VALUES (?, ?, ?, ?, ?)",
                )?
                .execute(params![row, sealed, now, now + millis(IDLE), now + millis(ABSOLUTE)])
            })
            .await?;
        remember_loaded(&mut record.data);
        Ok(())
    }

    /// Merges what changed since the load. A session that was ended meanwhile stays ended.
    async fn save(&self, record: &Record) -> session_store::Result<()> {
        let row = row_name(&record.id);
        let changes = Changes::of(&record.data);
        let now = self.clock.now();
        let store = self.clone();
        self.db
            .write(move |db| {
                let Some(found) = find(db, &row)?.filter(|found| found.lives(now)) else {
                    return Ok(Ok(()));
                };
                let before = store.open(&row, &found.data);
                let mut data = before.clone().unwrap_or_default();
                changes.apply(&mut data);
                if before.as_ref() == Some(&data) && !found.is_due(now) {
                    return Ok(Ok(()));
                }
                let sealed = match store.seal(&row, &data) {
                    Ok(sealed) => sealed,
                    Err(error) => return Ok(Err(error)),
                };
                db.prepare_cached(
                    "UPDATE sessions SET data = ?, touched_at = ?, idle_until = ? WHERE id = ?",
                )?
                .execute(params![sealed, now, now + millis(IDLE), row])?;
                Ok(Ok(()))
            })
            .await?
    }

    async fn load(&self, id: &Id) -> session_store::Result<Option<Record>> {
        let row = row_name(id);
        let now = self.clock.now();
        let found = self.db.read(move |db| find(db, &row)).await?;
        let Some(found) = found.filter(|found| found.lives(now)) else {
            return Ok(None);
        };
        let Some(mut data) = self.open(&row, &found.data) else {
            return Ok(None);
        };
        if found.is_due(now) {
            // The visit goes on without it; the next request tries again.
            if let Err(error) = self.db.write(move |db| touch(db, &row, now)).await {
                tracing::warn!(%error, "A session could not be extended");
            }
        }
        remember_loaded(&mut data);
        Ok(Some(Record {
            id: *id,
            data,
            expiry_date: date(found.idle_until.min(found.ends_at)),
        }))
    }

    async fn delete(&self, id: &Id) -> session_store::Result<()> {
        let row = row_name(id);
        self.db
            .write(move |db| {
                db.prepare_cached("DELETE FROM sessions WHERE id = ?")?
                    .execute([row])
            })
            .await?;
        Ok(())
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
            return Self::All(without_loaded(data));
        };
        let set = data
            .iter()
            .filter(|(name, value)| name.as_str() != LOADED && loaded.get(*name) != Some(value))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        let removed = loaded
            .keys()
            .filter(|name| !data.contains_key(*name))
            .cloned()
            .collect();
        Self::Some { set, removed }
    }

    fn apply(self, data: &mut Data) {
        match self {
            Self::All(all) => *data = all,
            Self::Some { set, removed } => {
                data.retain(|name, _| !removed.contains(name));
                data.extend(set);
            }
        }
    }
}

/// Whether a key is the store's own and not a value of the visit.
#[must_use]
pub(crate) fn is_reserved(name: &str) -> bool {
    name == LOADED
}

/// Deletes ended sessions.
pub(super) fn sweep(db: &Transaction<'_>, now: i64) -> rusqlite::Result<usize> {
    db.execute(
        "DELETE FROM sessions WHERE idle_until <= ?1 OR ends_at <= ?1",
        [now],
    )
}

fn row_name(id: &Id) -> [u8; 32] {
    Sha256::digest(id.0.to_le_bytes()).into()
}

fn find(db: &rusqlite::Connection, row: &[u8; 32]) -> rusqlite::Result<Option<Row>> {
    db.prepare_cached("SELECT data, touched_at, idle_until, ends_at FROM sessions WHERE id = ?")?
        .query_row([row], |found| {
            Ok(Row {
                data: found.get(0)?,
                touched_at: found.get(1)?,
                idle_until: found.get(2)?,
                ends_at: found.get(3)?,
            })
        })
        .optional()
}

fn touch(db: &Transaction<'_>, row: &[u8; 32], now: i64) -> rusqlite::Result<usize> {
    db.prepare_cached("UPDATE sessions SET touched_at = ?, idle_until = ? WHERE id = ?")?
        .execute(params![now, now + millis(IDLE), row])
}

fn without_loaded(data: &Data) -> Data {
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

//! Versioned texts, written by compare-and-set: carts, and what guests of a bill share.

pub(super) mod redis;

use std::{sync::atomic::Ordering, time::Duration};

use rand::RngExt as _;
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};

use super::{Error, clock::millis, db::Db, engine::Engine};

/// A text as it is to be written.
#[derive(Debug, Clone)]
pub(super) struct Text {
    pub(super) name: String,
    /// Written if the stored one still has this version; 0 is one that was never written.
    pub(super) expected: i64,
    /// Its version from then on.
    pub(super) version: i64,
    pub(super) body: String,
    pub(super) now: i64,
    pub(super) lifetime: Duration,
}

/// Version and body of a text; none: it was never written.
pub(super) type Found = Option<(i64, String)>;

/// A text that was read together with something else. Where another process writes it may be as old as the request: it is
/// for showing; a change reads the text again and writes by compare-and-set.
#[derive(Debug, Serialize, Deserialize)]
pub struct Beside {
    name: String,
    found: Found,
    /// How many texts this process had written before.
    written: u64,
}

impl Beside {
    /// Reads it on a connection that something else is read on. Blocks.
    pub(super) fn find(db: &Connection, name: String, written: u64) -> rusqlite::Result<Self> {
        Ok(Self {
            found: find(db, &name)?,
            name,
            written,
        })
    }
}

fn find(db: &Connection, name: &str) -> rusqlite::Result<Found> {
    db.prepare_cached("SELECT version, body FROM carts WHERE id = ?")?
        .query_row([name], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()
}

impl Db {
    /// Ask before a text is read beside something else.
    pub(super) fn texts_written(&self) -> u64 {
        self.texts_written.load(Ordering::Acquire)
    }

    fn note_written(&self) {
        self.texts_written.fetch_add(1, Ordering::Release);
    }
}

impl Engine {
    /// Version and body of a text.
    pub(super) async fn text(&self, name: &str) -> Result<Found, Error> {
        match self {
            Self::Redis(redis) => redis.text(name).await,
            Self::Sqlite { db, .. } => {
                let name = name.to_owned();
                db.read(move |db| find(db, &name)).await
            }
        }
    }

    /// The same, from what was read of it before, unless this process has written any text since: what a request has
    /// changed itself it has to see.
    pub(super) async fn text_beside(
        &self,
        name: &str,
        beside: Option<Beside>,
    ) -> Result<Found, Error> {
        match (self, beside) {
            (Self::Sqlite { db, .. }, Some(beside))
                if beside.name == name && beside.written == db.texts_written() =>
            {
                Ok(beside.found)
            }
            _ => self.text(name).await,
        }
    }

    /// Whether it was written: not when somebody else was first.
    pub(super) async fn swap_text(&self, text: Text) -> Result<bool, Error> {
        match self {
            Self::Redis(redis) => redis.swap_text(&text).await,
            Self::Sqlite { db, .. } => {
                let expires = text.now + millis(text.lifetime);
                let Text {
                    name,
                    expected,
                    version,
                    body,
                    ..
                } = text;
                let changed = db
                    .write(move |db| {
                        if expected == 0 {
                            return db
                                .prepare_cached(
                                    "INSERT INTO carts (id, version, body, expires_at) VALUES (?, ?, ?, ?)
                                     ON CONFLICT (id) DO NOTHING",
                                )?
                                .execute(params![name, version, body, expires]);
                        }
                        db.prepare_cached(
                            "UPDATE carts SET version = ?, body = ?, expires_at = ? WHERE id = ? AND version = ?",
                        )?
                        .execute(params![version, body, expires, name, expected])
                    })
                    .await?;
                db.note_written();
                Ok(changed == 1)
            }
        }
    }

    /// Deletes a text; one that is not there is gone already.
    pub(super) async fn delete_text(&self, name: &str) -> Result<(), Error> {
        match self {
            Self::Redis(redis) => redis.delete_text(name).await,
            Self::Sqlite { db, .. } => {
                let name = name.to_owned();
                db.write(move |db| {
                    db.prepare_cached("DELETE FROM carts WHERE id = ?")?
                        .execute([name])
                })
                .await?;
                db.note_written();
                Ok(())
            }
        }
    }
}

/// Up to some milliseconds at random, so that those who collided do not collide again.
pub(super) fn backoff(attempt: u32) -> Duration {
    let most = 500 * u64::from(attempt.min(20) + 1);
    Duration::from_micros(rand::rng().random_range(0..most))
}

//! Records in either engine: one step each.

use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use super::{
    LEASE, LIFETIME, OF_CHANGE, OF_DOOR,
    record::{Next, Phase, Record, Taken, Wanted},
};
use crate::state::{Error, clock::millis, engine::Engine, owner::Owner};

impl Engine {
    /// Of many at once exactly one gets the lease.
    pub(super) async fn take_lease(&self, wanted: Wanted) -> Result<Taken, Error> {
        match self {
            Self::Redis(redis) => redis.take_lease(&wanted).await,
            Self::Sqlite { db, owner } => {
                let owner = owner.clone();
                db.write(move |db| take(db, &owner, &wanted)).await
            }
        }
    }

    /// The first answer stays.
    pub(super) async fn finish_lease(
        &self,
        key: &str,
        answer: Vec<u8>,
        now: i64,
    ) -> Result<(), Error> {
        match self {
            Self::Redis(redis) => redis.finish_lease(key, &answer, now).await,
            Self::Sqlite { db, .. } => {
                let key = key.to_owned();
                db.write(move |db| {
                    db.prepare_cached(
                        "UPDATE idempotency SET phase = 'done', answer = ?, updated_at = ?, expires_at = ?
                         WHERE key = ? AND phase <> 'done'",
                    )?
                    .execute(params![answer, now, now + millis(LIFETIME), key])
                })
                .await
                .map(|_| ())
            }
        }
    }

    /// Only who has the lease gives it back.
    pub(super) async fn return_lease(&self, key: &str, next: Next, now: i64) -> Result<(), Error> {
        match self {
            Self::Redis(redis) => redis.return_lease(key, next, now).await,
            Self::Sqlite { db, owner } => {
                let (key, owner) = (key.to_owned(), owner.id().to_owned());
                let lease_until = match next {
                    Next::Anyone => 0,
                    Next::Guest => OF_GUEST,
                };
                db.write(move |db| {
                    db.prepare_cached(
                        "UPDATE idempotency SET phase = 'unknown', lease_until = ?, updated_at = ?
                         WHERE key = ? AND owner = ? AND phase = 'working'",
                    )?
                    .execute(params![lease_until, now, key, owner])
                })
                .await
                .map(|_| ())
            }
        }
    }

    /// Only who has the lease forgets the key.
    pub(super) async fn drop_lease(&self, key: &str) -> Result<(), Error> {
        match self {
            Self::Redis(redis) => redis.drop_lease(key).await,
            Self::Sqlite { db, owner } => {
                let (key, owner) = (key.to_owned(), owner.id().to_owned());
                db.write(move |db| {
                    db.prepare_cached(
                        "DELETE FROM idempotency WHERE key = ? AND owner = ? AND phase = 'working'",
                    )?
                    .execute(params![key, owner])
                })
                .await
                .map(|_| ())
            }
        }
    }

    pub(super) async fn record(&self, key: &str) -> Result<Option<Record>, Error> {
        match self {
            Self::Redis(redis) => redis.record(key).await,
            Self::Sqlite { db, .. } => {
                let key = key.to_owned();
                db.read(move |db| find(db, &key)).await
            }
        }
    }

    /// Those that a server may send again and that have no lease, oldest first.
    pub(super) async fn open_records(&self, now: i64, limit: u32) -> Result<Vec<Record>, Error> {
        match self {
            Self::Redis(redis) => redis.open_records(now, limit).await,
            Self::Sqlite { db, owner } => {
                let owner = owner.clone();
                db.read(move |db| open(db, &owner, now, limit as usize))
                    .await
            }
        }
    }
}

/// Deletes records older than a day.
pub(in crate::state) fn sweep(db: &Transaction<'_>, now: i64) -> rusqlite::Result<usize> {
    db.execute("DELETE FROM idempotency WHERE expires_at <= ?", [now])
}

/// The end of the lease of what no server sends by itself any more; a release before takes it for one that ran out.
const OF_GUEST: i64 = -1;

/// In the order of [`read`].
const COLUMNS: &str =
    "key, body_hash, body, phase, owner, lease_until, answer, created_at, updated_at, expires_at";

fn take(db: &Transaction<'_>, owner: &Owner, wanted: &Wanted) -> rusqlite::Result<Taken> {
    owner.show();
    let Wanted { key, now, .. } = wanted;
    let record = find(db, key)?.filter(|record| *now < record.expires_at);
    let Some(record) = record else {
        insert(db, owner, wanted)?;
        return Ok(Taken::New);
    };
    if record.body_hash != wanted.body_hash {
        return Ok(Taken::Mismatch);
    }
    match record.phase {
        Phase::Done => Ok(Taken::Done(record.answer)),
        Phase::Working if is_held(owner, &record, *now) => Ok(Taken::InFlight),
        Phase::Working | Phase::Unknown => {
            db.prepare_cached(
                "UPDATE idempotency SET phase = 'working', owner = ?, lease_until = ?, updated_at = ? WHERE key = ?",
            )?
            .execute(params![owner.id(), now + millis(LEASE), now, key])?;
            Ok(Taken::Orphaned(record.body))
        }
    }
}

fn insert(db: &Transaction<'_>, owner: &Owner, wanted: &Wanted) -> rusqlite::Result<usize> {
    db.prepare_cached(&format!(
        "INSERT OR REPLACE INTO idempotency ({COLUMNS}) VALUES (?, ?, ?, 'working', ?, ?, NULL, ?, ?, ?)"
    ))?
    .execute(params![
        wanted.key,
        wanted.body_hash,
        wanted.body,
        owner.id(),
        wanted.now + millis(LEASE),
        wanted.now,
        wanted.now,
        wanted.now + millis(LIFETIME)
    ])
}

fn open(db: &Connection, owner: &Owner, now: i64, limit: usize) -> rusqlite::Result<Vec<Record>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM idempotency WHERE phase <> 'done' AND expires_at > ? AND lease_until <> {OF_GUEST}
         AND key NOT LIKE '{OF_CHANGE}%' AND key NOT LIKE '{OF_DOOR}%' ORDER BY created_at"
    );
    let mut open = Vec::new();
    for record in db.prepare_cached(&sql)?.query_map([now], read)? {
        let record = record?;
        if record.phase == Phase::Unknown || !is_held(owner, &record, now) {
            open.push(record);
        }
        if open.len() >= limit {
            break;
        }
    }
    Ok(open)
}

fn is_held(owner: &Owner, record: &Record, now: i64) -> bool {
    now < record.lease_until && owner.is_alive(&record.owner)
}

fn find(db: &Connection, key: &str) -> rusqlite::Result<Option<Record>> {
    db.prepare_cached(&format!("SELECT {COLUMNS} FROM idempotency WHERE key = ?"))?
        .query_row([key], read)
        .optional()
}

fn read(row: &Row<'_>) -> rusqlite::Result<Record> {
    let phase: String = row.get(3)?;
    Ok(Record {
        key: row.get(0)?,
        body_hash: row.get(1)?,
        body: row.get(2)?,
        phase: Phase::from_word(&phase),
        owner: row.get(4)?,
        lease_until: row.get(5)?,
        answer: row.get(6)?,
        created_at: row.get(7)?,
        updated_at: row.get(8)?,
        expires_at: row.get(9)?,
    })
}

//! Rows of sessions in either engine, and what may be written to them in one step.

use rusqlite::{Connection, OptionalExtension, Transaction, params};
use sha2::{Digest, Sha256};
use tower_sessions::{session::Id, session_store};

use crate::state::{
    carts::{self, CartId},
    db::Db,
    engine::Engine,
    texts::Beside,
};

/// A row's name: the hash of the session's id.
pub(in crate::state) type Name = [u8; 32];

/// Rows to look through, and where to go on; nothing when these were the last.
pub(in crate::state) type Page = (Vec<(Name, Row)>, Option<Vec<u8>>);

/// How many rows are looked through in one read.
pub(in crate::state) const AT_ONCE: u32 = 1000;

#[derive(Debug, Clone)]
pub(in crate::state) struct Row {
    pub(in crate::state) data: Vec<u8>,
    pub(in crate::state) touched_at: i64,
    pub(in crate::state) idle_until: i64,
    pub(in crate::state) ends_at: i64,
}

impl Row {
    /// When it ends.
    pub(in crate::state) fn end(&self) -> i64 {
        self.idle_until.min(self.ends_at)
    }

    pub(in crate::state) fn lives(&self, now: i64) -> bool {
        now < self.end()
    }
}

/// A row that was opened.
#[derive(Debug)]
pub(super) struct Opened<T> {
    pub(super) row: Row,
    pub(super) values: T,
    pub(super) cart: Option<Beside>,
}

/// What is done to a row and beside it: all of it, or nothing.
#[derive(Debug, Default)]
pub(in crate::state) struct Writes {
    pub(in crate::state) row: Next,
    /// A row that is new.
    pub(in crate::state) other: Option<(Name, Row)>,
    /// A copy of a cart under another name, with its version; of one that is not there, nothing.
    pub(in crate::state) copy: Option<(CartId, CartId)>,
}

/// What becomes of a row.
#[derive(Debug, Default)]
pub(in crate::state) enum Next {
    #[default]
    Stays,
    Becomes(Row),
    Goes,
}

impl From<Next> for Writes {
    fn from(row: Next) -> Self {
        Self {
            row,
            ..Self::default()
        }
    }
}

pub(super) fn name_of(id: &Id) -> Name {
    Sha256::digest(id.0.to_le_bytes()).into()
}

impl Engine {
    /// A row, what `open` makes of it, and its cart where that costs no further way to the store. `open` names the cart.
    pub(super) async fn session<T, F>(
        &self,
        name: Name,
        open: F,
    ) -> session_store::Result<Option<Opened<T>>>
    where
        T: Send + 'static,
        F: FnOnce(&Row) -> Option<(T, Option<String>)> + Send + 'static,
    {
        Ok(match self {
            Self::Redis(redis) => redis.session(&name).await?.and_then(|row| {
                let (values, _) = open(&row)?;
                Some(Opened {
                    row,
                    values,
                    cart: None,
                })
            }),
            Self::Sqlite { db, .. } => {
                let written = db.texts_written();
                db.read(move |db| {
                    let Some(row) = find(db, &name)? else {
                        return Ok(None);
                    };
                    let Some((values, cart)) = open(&row) else {
                        return Ok(None);
                    };
                    // A request that needs an unreadable one meets the error itself.
                    let cart = cart.and_then(|cart| Beside::find(db, cart, written).ok());
                    Ok(Some(Opened { row, values, cart }))
                })
                .await?
            }
        })
    }

    pub(super) async fn add_session(&self, name: Name, row: Row) -> session_store::Result<()> {
        match self {
            Self::Redis(redis) => redis.add_session(&name, &row, row.touched_at).await?,
            Self::Sqlite { db, .. } => {
                db.write(move |db| insert(db, &name, &row)).await?;
            }
        }
        Ok(())
    }

    pub(super) async fn delete_session(&self, name: Name) -> session_store::Result<()> {
        match self {
            Self::Redis(redis) => redis.delete_session(&name).await?,
            Self::Sqlite { db, .. } => {
                db.write(move |db| delete(db, &name)).await?;
            }
        }
        Ok(())
    }

    /// Changes a row as it is by then, and answers what `change` answered; nothing when it is over. `change` may run
    /// several times and has no side effects; no other write comes between its read and its write.
    pub(super) async fn change_session<T, F>(
        &self,
        name: Name,
        now: i64,
        change: F,
    ) -> session_store::Result<Option<T>>
    where
        T: Send + 'static,
        F: Fn(Row) -> session_store::Result<(Writes, T)> + Send + Sync + 'static,
    {
        match self {
            Self::Redis(redis) => redis.change_session(&name, now, change).await,
            Self::Sqlite { db, .. } => change_in(db, name, now, change).await,
        }
    }

    /// Rows after those that were looked through, in whatever order; a row that comes or goes meanwhile may be missed.
    pub(super) async fn sessions_after(&self, after: Vec<u8>) -> session_store::Result<Page> {
        Ok(match self {
            Self::Redis(redis) => redis.sessions_after(&after).await?,
            Self::Sqlite { db, .. } => db.read(move |db| page(db, &after)).await?,
        })
    }
}

async fn change_in<T, F>(
    db: &Db,
    name: Name,
    now: i64,
    change: F,
) -> session_store::Result<Option<T>>
where
    T: Send + 'static,
    F: Fn(Row) -> session_store::Result<(Writes, T)> + Send + 'static,
{
    db.write(move |db| {
        let Some(found) = find(db, &name)?.filter(|found| found.lives(now)) else {
            return Ok(Ok(None));
        };
        // Before anything is written: what was is committed with an error of this.
        let (Writes { row, other, copy }, answer) = match change(found) {
            Ok(changed) => changed,
            Err(error) => return Ok(Err(error)),
        };
        if let Some((name, row)) = other {
            insert(db, &name, &row)?;
        }
        if let Some((from, to)) = copy {
            carts::copy(db, &from, &to)?;
        }
        match row {
            Next::Stays => 0,
            Next::Becomes(row) => update(db, &name, &row)?,
            Next::Goes => delete(db, &name)?,
        };
        Ok(Ok(Some(answer)))
    })
    .await?
}

/// Deletes ended sessions.
pub(in crate::state) fn sweep(db: &Transaction<'_>, now: i64) -> rusqlite::Result<usize> {
    db.execute(
        "DELETE FROM sessions WHERE idle_until <= ?1 OR ends_at <= ?1",
        [now],
    )
}

fn find(db: &Connection, name: &Name) -> rusqlite::Result<Option<Row>> {
    db.prepare_cached(
        "SELECT id, data, touched_at, idle_until, ends_at FROM sessions WHERE id = ?",
    )?
    .query_row([name], |row| read(row).map(|(_, row)| row))
    .optional()
}

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<(Name, Row)> {
    Ok((
        row.get(0)?,
        Row {
            data: row.get(1)?,
            touched_at: row.get(2)?,
            idle_until: row.get(3)?,
            ends_at: row.get(4)?,
        },
    ))
}

fn page(db: &Connection, after: &[u8]) -> rusqlite::Result<Page> {
    let rows = db
        .prepare_cached(
            "SELECT id, data, touched_at, idle_until, ends_at FROM sessions WHERE id > ?1 ORDER BY id LIMIT ?2",
        )?
        .query_map(params![after, AT_ONCE], read)?
        .collect::<Result<Vec<_>, _>>()?;
    let is_full = u32::try_from(rows.len()).is_ok_and(|length| length == AT_ONCE);
    let last = rows.last().map(|(name, _)| name.to_vec());
    Ok((rows, last.filter(|_| is_full)))
}

fn insert(db: &Transaction<'_>, name: &Name, row: &Row) -> rusqlite::Result<usize> {
    db.prepare_cached(
        "INSERT INTO sessions (id, data, touched_at, idle_until, ends_at) VALUES (?, ?, ?, ?, ?)",
    )?
    .execute(params![
        name,
        row.data,
        row.touched_at,
        row.idle_until,
        row.ends_at
    ])
}

fn update(db: &Transaction<'_>, name: &Name, row: &Row) -> rusqlite::Result<usize> {
    db.prepare_cached(
        "UPDATE sessions SET data = ?, touched_at = ?, idle_until = ?, ends_at = ? WHERE id = ?",
    )?
    .execute(params![
        row.data,
        row.touched_at,
        row.idle_until,
        row.ends_at,
        name
    ])
}

fn delete(db: &Transaction<'_>, name: &Name) -> rusqlite::Result<usize> {
    db.prepare_cached("DELETE FROM sessions WHERE id = ?")?
        .execute([name])
}

//! The row of a key.

use rusqlite::{Connection, OptionalExtension, Row};

/// How far the work on a key is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Being sent, or its server died while sending.
    Working,
    /// Sent without a definite answer.
    Unknown,
    /// Answered.
    Done,
}

/// A row as stored.
pub(super) struct Record {
    pub(super) key: String,
    pub(super) body_hash: Vec<u8>,
    pub(super) body: Vec<u8>,
    pub(super) phase: Phase,
    pub(super) owner: String,
    pub(super) lease_until: i64,
    pub(super) answer: Option<Vec<u8>>,
    pub(super) created_at: i64,
    pub(super) updated_at: i64,
    pub(super) expires_at: i64,
}

/// In the order of [`read`].
pub(super) const COLUMNS: &str =
    "key, body_hash, body, phase, owner, lease_until, answer, created_at, updated_at, expires_at";

pub(super) fn find(db: &Connection, key: &str) -> rusqlite::Result<Option<Record>> {
    db.prepare_cached(&format!("SELECT {COLUMNS} FROM idempotency WHERE key = ?"))?
        .query_row([key], read)
        .optional()
}

pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Record> {
    let phase: String = row.get(3)?;
    Ok(Record {
        key: row.get(0)?,
        body_hash: row.get(1)?,
        body: row.get(2)?,
        phase: match phase.as_str() {
            "done" => Phase::Done,
            "unknown" => Phase::Unknown,
            _ => Phase::Working,
        },
        owner: row.get(4)?,
        lease_until: row.get(5)?,
        answer: row.get(6)?,
        created_at: row.get(7)?,
        updated_at: row.get(8)?,
        expires_at: row.get(9)?,
    })
}

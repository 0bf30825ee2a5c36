//! The database: WAL, `synchronous=FULL`, one writer. What a committed write
//! acknowledged survives a killed process.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::StatusCode;
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

use crate::refusal::Refusal;

/// The number of the tables' layout: raise it with every change of `schema.sql`.
const LAYOUT: i64 = 7;

/// The database file with its one writer and one reader.
pub(crate) struct Store {
    writer: Arc<Mutex<Connection>>,
    reader: Arc<Mutex<Connection>>,
}

impl Store {
    /// Opens or creates the database in this folder.
    pub(crate) fn open(folder: &Path) -> Result<Store, rusqlite::Error> {
        let file = folder.join("sandbox.sqlite3");
        let writer = Connection::open(&file)?;
        writer.pragma_update(None, "journal_mode", "WAL")?;
        writer.pragma_update(None, "synchronous", "FULL")?;
        writer.pragma_update(None, "foreign_keys", "ON")?;
        writer.busy_timeout(std::time::Duration::from_secs(5))?;
        writer.set_prepared_statement_cache_capacity(128);
        let layout: i64 = writer.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if layout != LAYOUT {
            forget(&writer)?;
            writer.execute_batch(include_str!("schema.sql"))?;
            writer.pragma_update(None, "user_version", LAYOUT)?;
        }
        let reader = Connection::open_with_flags(&file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        reader.busy_timeout(std::time::Duration::from_secs(5))?;
        reader.set_prepared_statement_cache_capacity(128);
        Ok(Store {
            writer: Arc::new(Mutex::new(writer)),
            reader: Arc::new(Mutex::new(reader)),
        })
    }

    /// One transaction on the writer: committed when the work succeeds, undone when it refuses.
    pub(crate) async fn write<T, F>(&self, work: F) -> Result<T, Refusal>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction<'_>) -> Result<T, Refusal> + Send + 'static,
    {
        let writer = Arc::clone(&self.writer);
        let task = move || write_with(&writer, work);
        tokio::task::spawn_blocking(task)
            .await
            .unwrap_or_else(|_| Err(gone()))
    }

    /// One look at committed data.
    pub(crate) async fn read<T, F>(&self, work: F) -> Result<T, Refusal>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, Refusal> + Send + 'static,
    {
        let reader = Arc::clone(&self.reader);
        let task = move || work(&reader.lock().unwrap_or_else(PoisonError::into_inner));
        tokio::task::spawn_blocking(task)
            .await
            .unwrap_or_else(|_| Err(gone()))
    }

    /// For the start, before anything is served.
    pub(crate) fn write_now<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        write_with(&self.writer, work)
    }
}

/// Another version of the sandbox wrote it: its data is no one's, so it starts anew.
fn forget(writer: &Connection) -> Result<(), rusqlite::Error> {
    writer.pragma_update(None, "foreign_keys", "OFF")?;
    let names: Vec<String> = writer
        .prepare(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
        )?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    for name in names {
        writer.execute_batch(&format!("DROP TABLE \"{name}\""))?;
    }
    writer.pragma_update(None, "foreign_keys", "ON")
}

fn write_with<T>(
    writer: &Mutex<Connection>,
    work: impl FnOnce(&Transaction<'_>) -> Result<T, Refusal>,
) -> Result<T, Refusal> {
    let mut connection = writer.lock().unwrap_or_else(PoisonError::into_inner);
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let done = work(&transaction)?;
    transaction.commit()?;
    Ok(done)
}

fn gone() -> Refusal {
    Refusal::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "storage",
        "The storage is not available",
    )
}

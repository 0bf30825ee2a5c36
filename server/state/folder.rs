//! What a state folder tells of itself before anything is opened or made in it.

use std::{fs, path::Path};

use rusqlite::{Connection, OpenFlags};

use super::{files::FILE, owner::FOLDER};
use crate::keys::seal::FILE as SECRETS;

/// Whether a database holds what was sealed, and the secrets that it was sealed with are not beside it. Blocks.
#[must_use]
pub fn is_without_secrets(folder: &Path) -> bool {
    !folder.join(SECRETS).exists() && holds_records(&folder.join(FILE)).unwrap_or(false)
}

/// Whether a server has kept its state here, and its database is gone, or cut to nothing. A log that lies beside it is no
/// help: SQLite begins with an empty one and deletes the log. Blocks.
#[must_use]
pub fn is_without_database(folder: &Path) -> bool {
    let database = folder.join(FILE);
    let is_empty = || fs::metadata(&database).map_or(true, |file| file.len() == 0);
    folder.join(FOLDER).is_dir() && is_empty()
}

/// Opening one that can't be read tells more.
fn holds_records(database: &Path) -> rusqlite::Result<bool> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(database, flags)?.query_row(
        "SELECT EXISTS (SELECT 1 FROM sessions) OR EXISTS (SELECT 1 FROM idempotency)",
        [],
        |row| row.get(0),
    )
}

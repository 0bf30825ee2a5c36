//! Ways to open the database. On a disk that is full or read-only SQLite can't make the files that processes share beside
//! it, and would not even read.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, ErrorCode, OpenFlags};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// Beside other processes.
    Shared,
    /// This process alone, with the index of the log in its memory: it can write as soon as there is room, and then goes
    /// on beside others.
    Exclusive,
    /// As it lies there; nothing will be written until the next start.
    Fixed,
}

const WAYS: [Way; 3] = [Way::Shared, Way::Exclusive, Way::Fixed];

/// The first connection, and the way that the others go too.
pub(super) fn first(path: &Path) -> rusqlite::Result<(Connection, Way)> {
    let mut first = None;
    for way in WAYS {
        if way == Way::Fixed && has_log(path) {
            // What stands in the log would be missing.
            continue;
        }
        match way.open(path).and_then(readable) {
            Ok(connection) => {
                if let Some(error) = first {
                    tracing::warn!(%error, ?way, "The state's disk can't be written: what guests do is not remembered");
                }
                return Ok((connection, way));
            }
            Err(error) if is_of_the_disk(&error) => {
                first.get_or_insert(error);
            }
            Err(error) => return Err(error),
        }
    }
    Err(first.unwrap_or(rusqlite::Error::InvalidQuery))
}

impl Way {
    pub(super) fn open(self, path: &Path) -> rusqlite::Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let writing = flags | OpenFlags::SQLITE_OPEN_READ_WRITE;
        match self {
            Self::Shared => Connection::open_with_flags(path, writing),
            Self::Exclusive => Connection::open_with_flags_and_vfs(path, writing, c"unix-excl"),
            Self::Fixed => {
                let reading = flags | OpenFlags::SQLITE_OPEN_READ_ONLY;
                Connection::open_with_flags(fixed(path), reading | OpenFlags::SQLITE_OPEN_URI)
            }
        }
    }
}

/// Opening reads nothing yet.
fn readable(connection: Connection) -> rusqlite::Result<Connection> {
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    Ok(connection)
}

fn is_of_the_disk(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(
            ErrorCode::CannotOpen
                | ErrorCode::ReadOnly
                | ErrorCode::DiskFull
                | ErrorCode::SystemIoFailure
        )
    )
}

fn has_log(path: &Path) -> bool {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    std::fs::metadata(PathBuf::from(log)).is_ok_and(|log| log.len() > 0)
}

/// The address of a file that does not change.
fn fixed(path: &Path) -> String {
    let path = path.to_string_lossy();
    let path = path
        .replace('%', "%25")
        .replace('?', "%3f")
        .replace('#', "%23");
    format!("file:{path}?immutable=1")
}

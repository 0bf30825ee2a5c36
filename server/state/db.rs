//! SQLite: one writer and a few readers, each used on a blocking thread, under a deadline.
//!
//! SQLite lets one writer in at a time anyway; queueing for it in memory keeps parallel edits from
//! sleeping in the busy handler. The busy timeout is for a second process on the same file.

use std::{
    path::Path,
    sync::{
        Arc, Mutex as SyncMutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior};
use tokio::sync::{Mutex, Semaphore};

use super::{
    Error, Health,
    deadline::within,
    files::{self, FILE},
    opening::{self, Way},
    place::Place,
};

const READERS: usize = 3;
const READ_DEADLINE: Duration = Duration::from_secs(1);
const WRITE_DEADLINE: Duration = Duration::from_secs(2);
const BUSY: Duration = Duration::from_millis(1500);
/// A health check has little time; no write of ours takes so long.
const PROBE_BUSY: Duration = Duration::from_millis(250);
const PROBE_DEADLINE: Duration = Duration::from_millis(600);
/// After an attempt to let other processes in that failed.
const SHARE_AGAIN: Duration = Duration::from_secs(5);

/// Each entry lifts the schema by one version; entries are never edited once released.
const MIGRATIONS: &[&str] = &["
    CREATE TABLE sessions (
        id BLOB PRIMARY KEY,
        data BLOB NOT NULL,
        touched_at INTEGER NOT NULL,
        idle_until INTEGER NOT NULL,
        ends_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sessions_idle ON sessions (idle_until);

    CREATE TABLE carts (
        id TEXT PRIMARY KEY,
        version INTEGER NOT NULL,
        body TEXT NOT NULL,
        expires_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX carts_expiry ON carts (expires_at);

    CREATE TABLE idempotency (
        key TEXT PRIMARY KEY,
        body_hash BLOB NOT NULL,
        body BLOB NOT NULL,
        phase TEXT NOT NULL CHECK (phase IN ('working', 'unknown', 'done')),
        owner TEXT NOT NULL,
        lease_until INTEGER NOT NULL,
        answer BLOB,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX idempotency_expiry ON idempotency (expires_at);
    CREATE INDEX idempotency_open ON idempotency (created_at) WHERE phase <> 'done';
"];

/// The database, shared by all stores.
#[derive(Debug, Clone)]
pub(super) struct Db {
    dir: Arc<Path>,
    /// None, as the others: it could not be opened again.
    writer: Arc<Mutex<Option<Connection>>>,
    readers: Arc<Readers>,
    prober: Arc<Mutex<Option<Connection>>>,
    /// Opened alone, and it is to be tried whether that is needed any more.
    is_exclusive: Arc<AtomicBool>,
    /// A read or a write has met damage. It stays: more may be damaged.
    damaged: Arc<AtomicBool>,
    place: Arc<Place>,
    /// How many texts this process has written (`texts`).
    pub(super) texts_written: Arc<AtomicU64>,
}

#[derive(Debug)]
struct Readers {
    free: SyncMutex<Vec<Connection>>,
    permits: Arc<Semaphore>,
}

impl Db {
    /// Opens or creates the file and brings it to the newest schema. Writes nothing when it has that already: a full disk
    /// or a read-only one can still be read. Blocks.
    pub(super) fn open(dir: &Path) -> Result<Self, Error> {
        let opened = Opened::of(dir)?;
        Ok(Self {
            dir: dir.into(),
            is_exclusive: Arc::new(AtomicBool::new(opened.way == Way::Exclusive)),
            prober: Arc::new(Mutex::new(Some(opened.prober))),
            writer: Arc::new(Mutex::new(Some(opened.writer))),
            readers: Arc::new(Readers {
                free: SyncMutex::new(opened.readers),
                permits: Arc::new(Semaphore::new(READERS)),
            }),
            damaged: Arc::default(),
            // Named by path, not opened once more: closing it would give up SQLite's own locks.
            place: Arc::new(Place::of(&dir.join(FILE))),
            texts_written: Arc::default(),
        })
    }

    /// Runs `work` on a reading connection.
    pub(super) async fn read<T, F>(&self, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    {
        let (readers, damaged) = (Arc::clone(&self.readers), Arc::clone(&self.damaged));
        within("read", READ_DEADLINE, async move {
            let permit = Arc::clone(&readers.permits)
                .acquire_owned()
                .await
                .map_err(|error| Error::Unavailable(error.to_string()))?;
            blocking(move || {
                let _permit = permit;
                let reader = Reader::take(&readers);
                let connection = reader.connection.as_ref().ok_or_else(closed)?;
                work(connection).map_err(|error| noted(&damaged, error))
            })
            .await
        })
        .await
    }

    /// Runs `work` in one immediate transaction, which is committed when it answers `Ok`.
    pub(super) async fn write<T, F>(&self, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction<'_>) -> rusqlite::Result<T> + Send + 'static,
    {
        let (writer, damaged) = (Arc::clone(&self.writer), Arc::clone(&self.damaged));
        let place = Arc::clone(&self.place);
        let answer = within("write", WRITE_DEADLINE, async move {
            let mut writer = writer.lock_owned().await;
            blocking(move || {
                let connection = writer.as_mut().ok_or_else(closed)?;
                // Guests go on all the same: a cart that is lost later is better than none.
                place.is_lost();
                let written = || -> rusqlite::Result<T> {
                    let transaction =
                        connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
                    let answer = work(&transaction)?;
                    transaction.commit()?;
                    Ok(answer)
                };
                written().map_err(|error| noted(&damaged, error))
            })
            .await
        })
        .await?;
        self.let_others_in();
        Ok(answer)
    }

    /// Called after a write. A process that started on a full disk keeps all others out, backups and the next start
    /// among them: that ends once there is room.
    fn let_others_in(&self) {
        if !self.is_exclusive.load(Ordering::Relaxed)
            || !self.is_exclusive.swap(false, Ordering::Relaxed)
        {
            return;
        }
        let db = self.clone();
        tokio::spawn(async move {
            loop {
                match db.open_again().await {
                    Ok(Way::Shared) => {
                        tracing::info!(
                            "The state's disk can be written again, other processes can use it"
                        );
                        break;
                    }
                    Ok(Way::Fixed) => break,
                    Ok(Way::Exclusive) => {
                        tokio::time::sleep(SHARE_AGAIN).await;
                        db.is_exclusive.store(true, Ordering::Relaxed);
                        break;
                    }
                    Err(error) => {
                        tracing::error!(%error, "The state's database could not be opened again");
                        tokio::time::sleep(SHARE_AGAIN).await;
                    }
                }
            }
        });
    }

    /// Waits until no connection is in use, closes all, as the lock is given up with the last, and opens others.
    async fn open_again(&self) -> Result<Way, Error> {
        let mut writer = Arc::clone(&self.writer).lock_owned().await;
        let mut prober = Arc::clone(&self.prober).lock_owned().await;
        let readers = Arc::clone(&self.readers);
        let all = u32::try_from(READERS).unwrap_or(u32::MAX);
        let permits = Arc::clone(&readers.permits)
            .acquire_many_owned(all)
            .await
            .map_err(|error| Error::Unavailable(error.to_string()))?;
        let (dir, place) = (Arc::clone(&self.dir), Arc::clone(&self.place));
        blocking(move || {
            let _permits = permits;
            drop((writer.take(), prober.take()));
            readers.free().clear();
            let opened = Opened::of(&dir)?;
            place.renew(&dir.join(FILE));
            *writer = Some(opened.writer);
            *prober = Some(opened.prober);
            *readers.free() = opened.readers;
            Ok(opened.way)
        })
        .await
    }
}

/// All connections, opened in one way.
struct Opened {
    way: Way,
    writer: Connection,
    readers: Vec<Connection>,
    prober: Connection,
}

impl Opened {
    fn of(dir: &Path) -> Result<Self, Error> {
        let path = dir.join(FILE);
        let failed = |error: rusqlite::Error| {
            let advice = match files::no_room(dir).filter(|_| is_locked(&error)) {
                Some(full) => format!(
                    "the disk of STATE_DIR can't be written ({full}), and a server that was started on it keeps others out until there is room: make room"
                ),
                None => advice(&error).to_owned(),
            };
            Error::Open(format!("{}: {error}: {advice}", path.display()))
        };
        files::private_database(&path)
            .map_err(|error| Error::Open(format!("{}: {error}", path.display())))?;
        let (mut writer, way) = opening::first(&path).map_err(failed)?;
        prepare(&writer, BUSY).map_err(failed)?;
        migrate(&mut writer, &path)?;
        let another = |busy| -> Result<Connection, Error> {
            let connection = way.open(&path).map_err(failed)?;
            prepare(&connection, busy).map_err(failed)?;
            Ok(connection)
        };
        Ok(Self {
            readers: (0..READERS)
                .map(|_| another(BUSY))
                .collect::<Result<_, _>>()?,
            prober: another(PROBE_BUSY)?,
            writer,
            way,
        })
    }
}

impl Db {
    /// Looks through all of the file, so that [`Self::health`] knows of damage that no read has met yet. Its time grows
    /// with the file.
    pub(super) async fn look_through(&self) -> Result<(), Error> {
        let damaged = Arc::clone(&self.damaged);
        let prober = Arc::clone(&self.prober).lock_owned().await;
        blocking(move || {
            let connection = prober.as_ref().ok_or_else(closed)?;
            let look =
                connection.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0));
            let found = look.map_err(|error| noted(&damaged, error))?;
            damaged.fetch_or(found != "ok", Ordering::Relaxed);
            Ok(())
        })
        .await
    }

    /// Tries a small write, unless reads or writes have met damage. It has a connection of its own, so that nothing of a guest's waits for it.
    pub(super) async fn health(&self) -> Health {
        if self.damaged.load(Ordering::Relaxed) {
            return Health::Damaged;
        }
        let (prober, place) = (Arc::clone(&self.prober), Arc::clone(&self.place));
        let probed = tokio::time::timeout(PROBE_DEADLINE, async move {
            let mut prober = prober.lock_owned().await;
            tokio::task::spawn_blocking(move || {
                let probed = prober.as_mut().map(probe);
                probed.map(|probed| (place.is_lost(), probed))
            })
            .await
        });
        match probed.await {
            Ok(Ok(Some((true, _)))) => Health::Gone,
            Ok(Ok(Some((false, Ok(()))))) => {
                self.let_others_in();
                Health::Works
            }
            Ok(Ok(Some((false, Err(error))))) => match error.sqlite_error_code() {
                _ if is_locked(&error) => Health::Locked,
                Some(ErrorCode::DiskFull) => Health::Full,
                Some(ErrorCode::ReadOnly) => Health::ReadOnly,
                _ if is_damage(&error) => Health::Damaged,
                _ => Health::Down,
            },
            Ok(Ok(None) | Err(_)) | Err(_) => Health::Down,
        }
    }
}

/// Writes the version of the schema over itself: it writes a page of the file and changes nothing.
fn probe(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let version: i64 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    transaction.execute_batch(&format!("PRAGMA user_version = {version}"))?;
    transaction.commit()
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        Self::Unavailable(error.to_string())
    }
}

impl Readers {
    fn free(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection that goes back to its pool when dropped, also after a panic.
struct Reader {
    pool: Arc<Readers>,
    connection: Option<Connection>,
}

impl Reader {
    fn take(pool: &Arc<Readers>) -> Self {
        let connection = pool.free().pop();
        Self {
            pool: Arc::clone(pool),
            connection,
        }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.pool.free().extend(self.connection.take());
    }
}

/// What a read or a write came to says how the store is: a small write elsewhere in the file would not meet the damage.
fn noted(damaged: &AtomicBool, error: rusqlite::Error) -> Error {
    if is_damage(&error) && !damaged.swap(true, Ordering::Relaxed) {
        tracing::error!(%error, "The state's database is damaged: restore it from a backup");
    }
    error.into()
}

fn is_damage(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(
        code,
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
    )
}

fn closed() -> Error {
    Error::Unavailable("no connection is left".to_owned())
}

fn is_locked(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(
        code,
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
    )
}

/// What the operator can do about it.
fn advice(error: &rusqlite::Error) -> &'static str {
    match error.sqlite_error_code() {
        _ if is_damage(error) => {
            "restore it from a backup, or move it away to begin with an empty one"
        }
        Some(ErrorCode::DiskFull | ErrorCode::SystemIoFailure) => {
            "make room on the disk of STATE_DIR and see that it works"
        }
        _ if is_locked(error) => {
            "another process holds it: stop that one, or start again when it is done"
        }
        _ => "see that the user of this process may read and write STATE_DIR and what is in it",
    }
}

fn prepare(connection: &Connection, busy: Duration) -> rusqlite::Result<()> {
    connection.busy_timeout(busy)?;
    // Survives kill -9. A power loss may take the last commits: the order key is derivable.
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "secure_delete", "ON")?;
    connection.set_prepared_statement_cache_capacity(32);
    Ok(())
}

fn migrate(connection: &mut Connection, path: &Path) -> Result<(), Error> {
    let failed = |error: rusqlite::Error| {
        let (path, advice) = (path.display(), advice(&error));
        Error::Open(format!(
            "{path}: its schema is older and can't be brought up to date: {error}: {advice}"
        ))
    };
    let logged = connection.pragma_update(None, "journal_mode", "WAL");
    if missing(connection)
        .map_err(failed)?
        .is_none_or(<[_]>::is_empty)
    {
        // A backup is one file without a log of writes, and stays so when it is restored: its readers would wait for
        // a writer. Where nothing can be written it is read as it is.
        if let Err(error) = logged {
            tracing::warn!(%error, "The database has no log of writes");
        }
        return known(connection, path);
    }
    if is_foreign(connection).map_err(failed)? {
        return Err(Error::Open(format!(
            "{}: it holds tables of another program: move it away, or name another STATE_DIR",
            path.display()
        )));
    }
    logged.map_err(failed)?;
    let transaction = connection
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .map_err(failed)?;
    // Another process may have been first.
    for migration in missing(&transaction).map_err(failed)?.unwrap_or_default() {
        transaction.execute_batch(migration).map_err(failed)?;
    }
    if missing(&transaction).map_err(failed)?.is_some() {
        transaction
            .execute_batch(&format!("PRAGMA user_version = {}", MIGRATIONS.len()))
            .map_err(failed)?;
    }
    transaction.commit().map_err(failed)?;
    known(connection, path)
}

/// Has tables that no step of ours has made.
fn is_foreign(connection: &Connection) -> rusqlite::Result<bool> {
    let tables = "SELECT count(*) FROM sqlite_schema WHERE type = 'table'";
    let tables: u32 = connection.query_row(tables, [], |row| row.get(0))?;
    Ok(tables > 0 && version(connection)? == 0)
}

/// A copy of what a server has kept: one that was cut off to nothing is whole to SQLite, as is one of another program.
pub(super) fn is_ours(connection: &Connection) -> rusqlite::Result<bool> {
    let ours =
        "SELECT count(*) FROM sqlite_schema WHERE name IN ('sessions', 'carts', 'idempotency')";
    let count: u32 = connection.query_row(ours, [], |row| row.get(0))?;
    Ok(version(connection)? > 0 && count == 3)
}

/// The steps from the file's version of the schema to ours; none when it is newer.
fn missing(connection: &Connection) -> rusqlite::Result<Option<&'static [&'static str]>> {
    Ok(MIGRATIONS.get(version(connection)?..))
}

fn version(connection: &Connection) -> rusqlite::Result<usize> {
    let version = connection.query_row("PRAGMA user_version", [], |row| row.get::<_, i64>(0))?;
    Ok(version.try_into().unwrap_or(usize::MAX))
}

pub(super) fn known(connection: &Connection, path: &Path) -> Result<(), Error> {
    match version(connection) {
        Ok(version) if version > MIGRATIONS.len() => Err(Error::Open(format!(
            "{}: schema version {version} is newer than this program's {}: start the newer program, or restore the backup of before the upgrade",
            path.display(),
            MIGRATIONS.len()
        ))),
        Ok(_) => Ok(()),
        Err(error) => Err(Error::Open(format!(
            "{}: {error}: {}",
            path.display(),
            advice(&error)
        ))),
    }
}

async fn blocking<T, F>(work: F) -> Result<T, Error>
where
    T: Send + 'static,
    F: FnOnce() -> Result<T, Error> + Send + 'static,
{
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|error| Err(Error::Unavailable(error.to_string())))
}

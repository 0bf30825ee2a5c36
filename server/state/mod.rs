//! What outlives a request: sessions, carts, what guests of a bill share, and idempotency records.
//!
//! One machine keeps them in SQLite. Everything outside this module sees only [`State`] and the
//! types beside it, so a second engine becomes a second variant inside `db`, without a trait.

pub mod bills;
pub mod carts;
pub mod clock;
mod db;
mod files;
pub mod idempotency;
mod opening;
mod owner;
pub mod sessions;

use std::{path::PathBuf, time::Duration};

use tokio::task::JoinHandle;

use crate::keys::seal::Keys;
use bills::Tabs;
use carts::Carts;
pub use clock::Clock;
use db::Db;
pub use files::private_folder;
use idempotency::Idempotency;
use owner::Owner;
use sessions::Sessions;

/// How often what has expired is deleted.
const SWEEP_EVERY: Duration = Duration::from_secs(10 * 60);

/// What [`State::open`] needs.
#[derive(Debug, Clone)]
pub struct Options {
    /// Directory of the database; created when missing.
    pub dir: PathBuf,
    /// Seals what is personal before it is stored.
    pub keys: Keys,
    /// Tells the time.
    pub clock: Clock,
}

impl Options {
    /// Options with the system's clock.
    pub fn new(dir: impl Into<PathBuf>, keys: Keys) -> Self {
        Self {
            dir: dir.into(),
            keys,
            clock: Clock::system(),
        }
    }
}

/// Why the state could not be read or written.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// The store is down, busy for too long or broken; the guest can try again.
    #[error("the state store is not answering: {0}")]
    Unavailable(String),
    /// Too many others changed the same cart at the same moment.
    #[error("the record was changed by others {0} times in a row")]
    Contended(u32),
    /// A stored record cannot be read.
    #[error("a stored record cannot be read: {0}")]
    Corrupt(String),
    /// The directory or the file cannot be used (start-up only).
    #[error("the state directory cannot be used: {0}")]
    Open(String),
}

/// How the store is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Health {
    /// It can be read and written.
    Works,
    /// Another process holds the lock for writing.
    Locked,
    /// The disk is full.
    Full,
    /// Its file may not be written.
    ReadOnly,
    /// A part of its file can't be read.
    Damaged,
    /// It does not answer, or is broken.
    Down,
}

impl Health {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Works,
        Self::Locked,
        Self::Full,
        Self::ReadOnly,
        Self::Damaged,
        Self::Down,
    ];

    /// One word for a report.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Works => "ok",
            Self::Locked => "locked",
            Self::Full => "full",
            Self::ReadOnly => "read-only",
            Self::Damaged => "damaged",
            Self::Down => "down",
        }
    }
}

/// How many expired rows a sweep deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Swept {
    /// Sessions past their idle or absolute end.
    pub sessions: usize,
    /// Carts that nobody has touched for as long as a session can live.
    pub carts: usize,
    /// Idempotency records older than a day.
    pub idempotency: usize,
}

/// Handle to everything that is stored; cloning it is cheap.
#[derive(Debug, Clone)]
pub struct State {
    db: Db,
    keys: Keys,
    clock: Clock,
    owner: Owner,
}

impl State {
    /// Opens the database in `options.dir`, creates or migrates it.
    ///
    /// # Errors
    /// [`Error::Open`] when the directory or the file cannot be used, or was written by a newer version.
    pub async fn open(options: Options) -> Result<Self, Error> {
        let dir = options.dir.clone();
        let (db, owner) = tokio::task::spawn_blocking(move || {
            private_folder(&dir)
                .map_err(|error| Error::Open(format!("{}: {error}", dir.display())))?;
            Ok::<_, Error>((Db::open(&dir)?, Owner::register(&dir)))
        })
        .await
        .map_err(|error| Error::Open(error.to_string()))??;
        Ok(Self {
            db,
            keys: options.keys,
            clock: options.clock,
            owner,
        })
    }

    /// The session store for tower-sessions.
    #[must_use]
    pub fn sessions(&self) -> Sessions {
        Sessions::new(self.db.clone(), self.keys.clone(), self.clock.clone())
    }

    /// The carts.
    #[must_use]
    pub fn carts(&self) -> Carts {
        Carts::new(self.db.clone(), self.clock.clone())
    }

    /// What guests of one bill do at the same time.
    #[must_use]
    pub fn tabs(&self) -> Tabs {
        Tabs::new(self.db.clone(), self.clock.clone())
    }

    /// The idempotency records of orders.
    #[must_use]
    pub fn idempotency(&self) -> Idempotency {
        Idempotency::new(
            self.db.clone(),
            self.keys.clone(),
            self.clock.clone(),
            self.owner.clone(),
        )
    }

    /// The clock that the records live by.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// How the store is: what reads and writes have met, and a small write is tried, as a full disk can be read well.
    pub async fn health(&self) -> Health {
        self.db.health().await
    }

    /// Deletes what has expired.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the store does not answer.
    pub async fn sweep(&self) -> Result<Swept, Error> {
        let now = self.clock.now();
        self.db
            .write(move |db| {
                Ok(Swept {
                    sessions: sessions::sweep(db, now)?,
                    carts: carts::sweep(db, now)?,
                    idempotency: idempotency::sweep(db, now)?,
                })
            })
            .await
    }

    /// Sweeps every ten minutes until the task is aborted.
    pub fn spawn_sweeper(&self) -> JoinHandle<()> {
        let state = self.clone();
        tokio::spawn(async move {
            let mut ticks = tokio::time::interval(SWEEP_EVERY);
            ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
            loop {
                ticks.tick().await;
                match state.sweep().await {
                    Ok(swept) => tracing::debug!(
                        sessions = swept.sessions,
                        carts = swept.carts,
                        idempotency = swept.idempotency,
                        "Expired state was deleted"
                    ),
                    Err(error) => tracing::warn!(%error, "Expired state could not be deleted"),
                }
            }
        })
    }
}

//! What outlives a request: sessions, carts, what guests of a bill share, and idempotency records.
//!
//! One machine keeps them in SQLite, several in a Redis or Valkey that they share. Everything outside this module sees
//! only [`State`] and the types beside it, and does not know which it is; what both must do is one suite of tests.

pub mod allowances;
pub mod backup;
pub mod bills;
pub mod carts;
pub mod clock;
mod db;
mod deadline;
mod engine;
mod files;
pub mod folder;
pub mod idempotency;
pub mod jars;
mod opening;
mod owner;
mod place;
mod redis;
pub mod sessions;
mod texts;

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use tokio::task::JoinHandle;

use crate::keys::seal::Keys;
use allowances::Allowances;
use bills::Tabs;
use carts::Carts;
pub use clock::Clock;
use db::Db;
use engine::Engine;
pub use files::{expect_own_folder, private_folder};
use idempotency::Idempotency;
use jars::Jars;
use owner::Owner;
pub use owner::Presence;
use redis::Redis;
use sessions::Sessions;

/// A session ends this long after it began, whatever happens (S-05).
pub const ABSOLUTE: Duration = Duration::from_secs(90 * 24 * 3600);
/// How often what has expired is deleted.
const SWEEP_EVERY: Duration = Duration::from_secs(10 * 60);

/// What [`State::open`] needs.
#[derive(Debug, Clone)]
pub struct Options {
    /// Directory of the database; created when missing.
    pub dir: PathBuf,
    /// Address of a Redis or Valkey that holds the state instead.
    pub url: Option<String>,
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
            url: None,
            keys,
            clock: Clock::system(),
        }
    }

    /// With a server that several instances share, if there is one.
    #[must_use]
    pub fn shared(self, url: Option<String>) -> Self {
        Self { url, ..self }
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
    /// The directory, its file or the server cannot be used (start-up only).
    #[error("the state cannot be used: {0}")]
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
    /// Its file was deleted or another one is in its place: what is written is lost with this process.
    Gone,
    /// It does not answer, or is broken.
    Down,
}

impl Health {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Works,
        Self::Locked,
        Self::Full,
        Self::ReadOnly,
        Self::Damaged,
        Self::Gone,
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
            Self::Gone => "gone",
            Self::Down => "down",
        }
    }
}

/// Whether a shared server answers at an address, without secrets to open it with.
///
/// # Errors
/// When the address is invalid, or no server answers there.
pub async fn answers(url: &str) -> Result<(), Error> {
    Redis::answers(url).await
}

/// How many expired rows a sweep deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Swept {
    /// Sessions past their idle or absolute end.
    pub sessions: usize,
    /// Carts that were not changed for as long as a session can live.
    pub carts: usize,
    /// Idempotency records older than a day.
    pub idempotency: usize,
}

/// Handle to everything that is stored; cloning it is cheap.
#[derive(Debug, Clone)]
pub struct State {
    engine: Engine,
    keys: Keys,
    clock: Clock,
}

impl State {
    /// Opens the database in `options.dir`, creates or migrates it; or goes to the server of `options.url`. One that is
    /// away can be there later.
    ///
    /// # Errors
    /// [`Error::Open`] when it cannot be used, was written by a newer version, or holds what other secrets have sealed.
    pub async fn open(options: Options) -> Result<Self, Error> {
        let engine = match &options.url {
            Some(url) => Engine::Redis(Redis::open(url, &options.keys).await?),
            None => sqlite(options.dir).await?,
        };
        let state = Self {
            engine,
            keys: options.keys,
            clock: options.clock,
        };
        state.expect_own_secrets().await?;
        Ok(state)
    }

    /// With other secrets than those of then nothing that lies there could be read, and everybody would be signed out without
    /// a word. A shared server looks for itself, as soon as it is reached.
    async fn expect_own_secrets(&self) -> Result<(), Error> {
        let Engine::Sqlite { .. } = self.engine else {
            return Ok(());
        };
        match self.sessions().opened_and_sealed().await {
            Ok((_, 0)) => Ok(()),
            Ok((0, _)) => Err(Error::Open(
                "other SECRET_KEYS were in use there: set those, or put the secret.keys of then back; move state.sqlite away to begin with an empty one"
                    .to_owned(),
            )),
            Ok((opened, sealed)) => {
                tracing::warn!(
                    opened,
                    sealed,
                    "Some sessions were sealed with secrets that are not set: their guests are signed out"
                );
                Ok(())
            }
            // The next read tells more.
            Err(error) => {
                tracing::warn!(%error, "Whose the sessions are is not known");
                Ok(())
            }
        }
    }

    /// How many sessions were sealed with other secrets than ours, and how many were read (of many a sample). `None`
    /// when all are ours, or the store can't tell.
    pub async fn sealed_by_others(&self) -> Option<(usize, usize)> {
        let (opened, sealed) = self.sessions().opened_and_sealed().await.ok()?;
        (sealed > 0).then_some((sealed, opened + sealed))
    }

    /// The session store for tower-sessions.
    #[must_use]
    pub fn sessions(&self) -> Sessions {
        Sessions::new(self.engine.clone(), self.keys.clone(), self.clock.clone())
    }

    /// The carts.
    #[must_use]
    pub fn carts(&self) -> Carts {
        Carts::new(self.engine.clone(), self.keys.clone(), self.clock.clone())
    }

    /// What guests of one bill do at the same time.
    #[must_use]
    pub fn tabs(&self) -> Tabs {
        Tabs::new(self.engine.clone(), self.clock.clone())
    }

    /// Cookies of browsers that keep none.
    #[must_use]
    pub fn jars(&self) -> Jars {
        Jars::new(self.engine.clone(), self.keys.clone(), self.clock.clone())
    }

    /// The idempotency records of orders.
    #[must_use]
    pub fn idempotency(&self) -> Idempotency {
        Idempotency::new(self.engine.clone(), self.keys.clone(), self.clock.clone())
    }

    /// Allowances that all instances count together; none where there is one machine.
    #[must_use]
    pub fn allowances(&self) -> Option<Allowances> {
        match &self.engine {
            Engine::Redis(redis) => Some(Allowances::new(redis.clone(), &self.keys)),
            Engine::Sqlite { .. } => None,
        }
    }

    /// The clock that the records live by.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// How the store is: what reads and writes have met, and a small write is tried, as a full disk can be read well.
    pub async fn health(&self) -> Health {
        match &self.engine {
            Engine::Sqlite { db, .. } => db.health().await,
            Engine::Redis(redis) => redis.health().await,
        }
    }

    /// Looks through a database of our own for damage, of which [`Self::health`] then knows.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when it can't be read.
    pub async fn look_through(&self) -> Result<(), Error> {
        match &self.engine {
            Engine::Sqlite { db, .. } => db.look_through().await,
            Engine::Redis(_) => Ok(()),
        }
    }

    /// How a shared server makes room when its memory is full, if that costs records; none also where it does not tell.
    pub async fn throws_away(&self) -> Option<String> {
        match &self.engine {
            Engine::Sqlite { .. } => None,
            Engine::Redis(redis) => redis.throws_away().await,
        }
    }

    /// Deletes what has expired; in Redis it goes by itself.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the store does not answer.
    pub async fn sweep(&self) -> Result<Swept, Error> {
        let now = self.clock.now();
        let Engine::Sqlite { db, .. } = &self.engine else {
            return Ok(Swept::default());
        };
        db.write(move |db| {
            Ok(Swept {
                sessions: sessions::rows::sweep(db, now)?,
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

/// Keeps restores away from a state folder: secrets and database of it are read together. Blocks.
///
/// # Errors
/// [`Error::Open`] while a backup is being restored there.
pub fn enter(dir: &Path) -> Result<Presence, Error> {
    Presence::shared(dir).ok_or_else(|| {
        Error::Open(format!(
            "{}: a backup is being restored there: start again when that is done",
            dir.display()
        ))
    })
}

async fn sqlite(dir: PathBuf) -> Result<Engine, Error> {
    tokio::task::spawn_blocking(move || {
        private_folder(&dir).map_err(|error| Error::Open(format!("{}: {error}", dir.display())))?;
        let presence = enter(&dir)?;
        let db = Db::open(&dir)?;
        let owner = Owner::register(&dir, presence);
        Ok(Engine::Sqlite { db, owner })
    })
    .await
    .map_err(|error| Error::Open(error.to_string()))?
}

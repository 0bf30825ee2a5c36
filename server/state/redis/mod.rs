//! A Redis or Valkey that all instances share: one line that comes back by itself, and a deadline on each call.
//!
//! What has to happen as one is a script that runs there, without others in between. Records end by themselves, after
//! the time that our clock gives them: the clocks of two machines are never compared.

mod address;
mod entry;
mod wire;

use std::{
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use redis::{
    Cmd, FromRedisValue, Pipeline, RedisError, RedisResult, ScriptInvocation, ServerErrorKind,
};

use super::{Error, Health, clock::millis, deadline::within};
use crate::keys::seal::{Keys, random_name};
use address::Address;
use entry::Secrets;
use wire::Wire;

/// Begins every name there, so that a server may be shared with others. What stands in braces keeps all names on one node
/// of a cluster: what happens as one may be about several of them.
pub(super) const PREFIX: &str = "{dk}:";
/// A network's round trip takes a millisecond.
const DEADLINE: Duration = Duration::from_millis(700);
/// After one that came too late, until any is answered or the doubt ends: a page asks several times, and its guest waits
/// for all of them.
const DOUBTED: Duration = Duration::from_millis(250);
/// Then calls wait as long as before: a server that is slow but answers is not given up.
const DOUBT: Duration = Duration::from_secs(1);
const CONNECT: Duration = Duration::from_millis(500);
/// Sentinels are asked one after the other, and the primary that they name for its role.
const REACH: Duration = Duration::from_secs(2);
/// A health check has little time.
const PROBE_DEADLINE: Duration = Duration::from_millis(600);
/// A connection on which nothing came in time is replaced, at most so often.
const RENEW_EVERY: Duration = Duration::from_secs(1);
/// An instance tells so often that it lives; when it has not for longer, others take its work over.
const BEAT_EVERY: Duration = Duration::from_secs(1);
pub(super) const ALIVE: Duration = Duration::from_secs(5);
/// Calls that wait to be sent: as many as guests who come at the same moment.
const QUEUE: usize = 1024;

/// A server that all instances reach; cloning shares the connection.
#[derive(Clone)]
pub(super) struct Redis(Arc<Inner>);

struct Inner {
    address: Address,
    line: Mutex<Line>,
    /// This instance, as named in leases.
    owner: String,
    secrets: Secrets,
    entered: AtomicBool,
    /// When a call that was not doubted came too late, unless one was answered since.
    late: Mutex<Option<Instant>>,
}

struct Line {
    /// Or why it is not connected yet.
    wire: RedisResult<Wire>,
    since: Instant,
}

/// What a call came to, where that matters.
#[derive(Debug)]
pub(super) enum Failure {
    Late,
    Refused(RedisError),
}

impl Redis {
    /// A server that is away is no reason not to start: menus can be read without it. One that refuses us is.
    pub(super) async fn open(url: &str, keys: &Keys) -> Result<Self, Error> {
        let address = Address::read(url)?;
        let wire = reach(&address).await;
        if let Err(error) = &wire {
            if entry::is_lasting(error) {
                return Err(Error::Open(error.to_string()));
            }
            tracing::warn!(%error, "No sentinel tells where the primary of the state store is");
        }
        let redis = Self(Arc::new(Inner {
            line: Mutex::new(Line {
                wire,
                since: Instant::now(),
            }),
            address,
            owner: random_name(),
            secrets: Secrets::of(keys),
            entered: AtomicBool::new(false),
            late: Mutex::default(),
        }));
        redis.enter_first().await?;
        if redis.0.entered.load(Ordering::Acquire)
            && let Some(policy) = redis.throws_away().await
        {
            tracing::warn!(
                policy,
                "The state store throws records away for room: set its maxmemory-policy to noeviction"
            );
        }
        redis.beat();
        Ok(redis)
    }

    /// Whether a server answers there. Nothing is asked about secrets, and none are named.
    pub(super) async fn answers(url: &str) -> Result<(), Error> {
        let address = Address::read(url)?;
        let pinged = tokio::time::timeout(REACH, async {
            let mut wire = reach(&address).await?;
            redis::cmd("PING").query_async::<()>(&mut wire).await
        });
        match pinged.await {
            Ok(pinged) => pinged.map_err(|error| Failure::Refused(error).into()),
            Err(_) => Err(Failure::Late.into()),
        }
    }

    /// This instance, as named in leases.
    pub(super) fn owner(&self) -> &str {
        &self.0.owner
    }

    /// Tries a small write.
    pub(super) async fn health(&self) -> Health {
        let probe = tokio::time::timeout(PROBE_DEADLINE, async {
            self.enter().await?;
            let mut probe = redis::cmd("SET");
            probe
                .arg(format!("{PREFIX}probe"))
                .arg(1)
                .arg("PX")
                .arg(60_000);
            Ok::<_, Error>(self.call::<()>(&probe).await)
        });
        match probe.await {
            Ok(Ok(Ok(()))) => Health::Works,
            Ok(Ok(Err(Failure::Refused(error)))) => match error.code() {
                Some("OOM" | "MISCONF") => Health::Full,
                Some("READONLY" | "NOREPLICAS") => Health::ReadOnly,
                _ => Health::Down,
            },
            Ok(Ok(Err(Failure::Late)) | Err(_)) => Health::Down,
            Err(_) => {
                self.renew();
                Health::Down
            }
        }
    }

    /// The policy by which it throws records away for room. Not every user may ask for it: then it is unknown.
    pub(super) async fn throws_away(&self) -> Option<String> {
        let mut info = redis::cmd("INFO");
        info.arg("memory");
        let text: String = self.call(&info).await.ok()?;
        let policy = text
            .lines()
            .find_map(|line| line.strip_prefix("maxmemory_policy:"))?
            .trim();
        (policy != "noeviction").then(|| policy.to_owned())
    }

    /// One command.
    pub(super) async fn query<T: FromRedisValue>(
        &self,
        kind: &'static str,
        cmd: &Cmd,
    ) -> Result<T, Error> {
        within(kind, 2 * DEADLINE, async {
            self.enter().await?;
            Ok(self.call(cmd).await?)
        })
        .await
    }

    /// One script.
    pub(super) async fn run<T: FromRedisValue>(
        &self,
        kind: &'static str,
        script: &ScriptInvocation<'_>,
    ) -> Result<T, Error> {
        within(kind, 2 * DEADLINE, async {
            self.enter().await?;
            Ok(self.invoke(script).await?)
        })
        .await
    }

    /// Commands that go together.
    pub(super) async fn pipe<T: FromRedisValue>(
        &self,
        kind: &'static str,
        pipeline: &Pipeline,
    ) -> Result<T, Error> {
        within(kind, 2 * DEADLINE, async {
            self.enter().await?;
            let mut wire = self.wire()?;
            Ok(self.timed(pipeline.query_async(&mut wire)).await?)
        })
        .await
    }

    pub(super) async fn call<T: FromRedisValue>(&self, cmd: &Cmd) -> Result<T, Failure> {
        let mut wire = self.wire()?;
        self.timed(cmd.query_async(&mut wire)).await
    }

    pub(super) async fn invoke<T: FromRedisValue>(
        &self,
        script: &ScriptInvocation<'_>,
    ) -> Result<T, Failure> {
        let mut wire = self.wire()?;
        self.timed(script.invoke_async(&mut wire)).await
    }

    async fn timed<T>(
        &self,
        call: impl Future<Output = redis::RedisResult<T>>,
    ) -> Result<T, Failure> {
        let late = || self.0.late.lock().unwrap_or_else(PoisonError::into_inner);
        let is_doubted = late().is_some_and(|at| at.elapsed() < DOUBT);
        let deadline = if is_doubted { DOUBTED } else { DEADLINE };
        let Ok(done) = tokio::time::timeout(deadline, call).await else {
            if !is_doubted {
                *late() = Some(Instant::now());
            }
            // Nothing says whether it is slow, or the line is dead.
            self.renew();
            return Err(Failure::Late);
        };
        *late() = None;
        done.map_err(|error| {
            // A primary that became a replica, or is gone: another one may be it by now.
            let is_gone = error.is_io_error() && self.0.address.moves();
            if is_gone || error.kind() == ServerErrorKind::ReadOnly.into() {
                self.renew();
            }
            Failure::Refused(error)
        })
    }

    fn wire(&self) -> Result<Wire, Failure> {
        let wire = self.line().wire.clone();
        wire.map_err(|error| {
            self.renew();
            Failure::Refused(error)
        })
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.0.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a new line beside the calls that wait for the old one.
    fn renew(&self) {
        let mut line = self.line();
        if line.since.elapsed() < RENEW_EVERY {
            return;
        }
        line.since = Instant::now();
        drop(line);
        let redis = self.clone();
        tokio::spawn(async move {
            match reach(&redis.0.address).await {
                Ok(wire) => redis.line().wire = Ok(wire),
                Err(error) => {
                    tracing::warn!(%error, "The line to the state store can't be renewed");
                    let line = &mut redis.line().wire;
                    if line.is_err() {
                        *line = Err(error);
                    }
                }
            }
        });
    }

    /// Says now and then that this instance lives, until it is dropped.
    fn beat(&self) {
        let inner = Arc::downgrade(&self.0);
        tokio::spawn(async move {
            let mut ticks = tokio::time::interval(BEAT_EVERY);
            ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
            loop {
                ticks.tick().await;
                let Some(redis) = inner.upgrade().map(Self) else {
                    return;
                };
                let mut beat = redis::cmd("SET");
                beat.arg(owner_key(&redis.0.owner))
                    .arg(1)
                    .arg("PX")
                    .arg(millis(ALIVE));
                // The health report tells what is wrong; this also reconnects when nothing else does.
                if redis.enter().await.is_ok() {
                    let _: Result<(), _> = redis.call(&beat).await;
                }
            }
        });
    }
}

/// A line, as soon as it is known to where.
async fn reach(address: &Address) -> RedisResult<Wire> {
    let reached = tokio::time::timeout(REACH, address.wire()).await;
    reached.unwrap_or_else(|_| Err(std::io::Error::from(std::io::ErrorKind::TimedOut).into()))
}

impl fmt::Debug for Redis {
    /// Its address holds a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Redis")
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Late => Self::Unavailable("it took too long".to_owned()),
            Failure::Refused(error) => Self::Unavailable(error.to_string()),
        }
    }
}

pub(super) fn owner_key(owner: &str) -> String {
    format!("{PREFIX}owner:{owner}")
}

//! A Redis or Valkey that all instances share: one connection that comes back by itself, and a deadline on each call.
//!
//! What has to happen as one is a script that runs there, without others in between. Records end by themselves, after
//! the time that our clock gives them: the clocks of two machines are never compared.

mod allowances;
mod entry;
mod records;
mod sessions;
mod texts;

use std::{
    fmt,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use redis::{
    Client, Cmd, FromRedisValue, Pipeline, RedisError, ScriptInvocation, ServerErrorKind,
    aio::{ConnectionManager, ConnectionManagerConfig},
    io::tcp::TcpSettings,
};

use super::{Error, Health, clock::millis, deadline::within};
use crate::keys::seal::{Keys, random_name};
use entry::Secrets;

/// Begins every name there, so that a server may be shared with others.
const PREFIX: &str = "dk:";
/// A network's round trip takes a millisecond.
const DEADLINE: Duration = Duration::from_millis(700);
const CONNECT: Duration = Duration::from_millis(500);
/// Whoever asks how the store is has little time.
const PROBE_DEADLINE: Duration = Duration::from_millis(600);
/// A connection on which nothing came in time is replaced, at most so often.
const RENEW_EVERY: Duration = Duration::from_secs(1);
/// An instance tells so often that it lives; when it has not for longer, others take its work over.
const BEAT_EVERY: Duration = Duration::from_secs(1);
const ALIVE: Duration = Duration::from_secs(5);
/// Calls that wait to be sent: as many as guests who come at the same moment.
const QUEUE: usize = 1024;

/// A server that all instances reach; cloning shares the connection.
#[derive(Clone)]
pub(super) struct Redis(Arc<Inner>);

struct Inner {
    client: Client,
    line: Mutex<Line>,
    /// This instance, as named in leases.
    owner: String,
    secrets: Secrets,
    entered: AtomicBool,
}

struct Line {
    manager: ConnectionManager,
    since: Instant,
}

/// What a call came to, where that matters.
#[derive(Debug)]
enum Failure {
    Late,
    Told(RedisError),
}

impl Redis {
    /// A server that is away is no reason not to start: menus can be read without it. One that refuses us is.
    pub(super) async fn open(url: &str, keys: &Keys) -> Result<Self, Error> {
        let client = client(url)?;
        let line = Line::to(&client).map_err(|error| Error::Open(error.to_string()))?;
        let redis = Self(Arc::new(Inner {
            line: Mutex::new(line),
            client,
            owner: random_name(),
            secrets: Secrets::of(keys),
            entered: AtomicBool::new(false),
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
            Ok(Ok(Err(Failure::Told(error)))) => match error.code() {
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

    /// The policy by which it throws records away for room. Not every user may ask for it: then nobody knows.
    pub(super) async fn throws_away(&self) -> Option<String> {
        let mut info = redis::cmd("INFO");
        info.arg("memory");
        let told: String = self.call(&info).await.ok()?;
        let policy = told
            .lines()
            .find_map(|line| line.strip_prefix("maxmemory_policy:"))?
            .trim();
        (policy != "noeviction").then(|| policy.to_owned())
    }

    /// One command.
    async fn query<T: FromRedisValue>(&self, kind: &'static str, cmd: &Cmd) -> Result<T, Error> {
        within(kind, 2 * DEADLINE, async {
            self.enter().await?;
            Ok(self.call(cmd).await?)
        })
        .await
    }

    /// One script.
    async fn run<T: FromRedisValue>(
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
    async fn pipe<T: FromRedisValue>(
        &self,
        kind: &'static str,
        pipeline: &Pipeline,
    ) -> Result<T, Error> {
        within(kind, 2 * DEADLINE, async {
            self.enter().await?;
            let mut manager = self.manager();
            Ok(self.timed(pipeline.query_async(&mut manager)).await?)
        })
        .await
    }

    async fn call<T: FromRedisValue>(&self, cmd: &Cmd) -> Result<T, Failure> {
        let mut manager = self.manager();
        self.timed(cmd.query_async(&mut manager)).await
    }

    async fn invoke<T: FromRedisValue>(&self, script: &ScriptInvocation<'_>) -> Result<T, Failure> {
        let mut manager = self.manager();
        self.timed(script.invoke_async(&mut manager)).await
    }

    async fn timed<T>(
        &self,
        call: impl Future<Output = redis::RedisResult<T>>,
    ) -> Result<T, Failure> {
        match tokio::time::timeout(DEADLINE, call).await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(error)) => {
                // A primary that became a replica: its name may lead to the new one by now.
                if error.kind() == ServerErrorKind::ReadOnly.into() {
                    self.renew();
                }
                Err(Failure::Told(error))
            }
            // Nothing says whether it is slow, or the line is dead.
            Err(_) => {
                self.renew();
                Err(Failure::Late)
            }
        }
    }

    fn manager(&self) -> ConnectionManager {
        let line = self.0.line.lock().unwrap_or_else(PoisonError::into_inner);
        line.manager.clone()
    }

    fn renew(&self) {
        let mut line = self.0.line.lock().unwrap_or_else(PoisonError::into_inner);
        if line.since.elapsed() < RENEW_EVERY {
            return;
        }
        match Line::to(&self.0.client) {
            Ok(new) => *line = new,
            Err(error) => tracing::warn!(%error, "The line to the state store can't be renewed"),
        }
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
                // The health report tells what is wrong; this also brings the line back when nobody else asks.
                if redis.enter().await.is_ok() {
                    let _: Result<(), _> = redis.call(&beat).await;
                }
            }
        });
    }
}

impl Line {
    fn to(client: &Client) -> redis::RedisResult<Self> {
        let config = ConnectionManagerConfig::new()
            .set_connection_timeout(Some(CONNECT))
            // Ours.
            .set_response_timeout(None)
            .set_number_of_retries(1)
            .set_min_delay(Duration::from_millis(50))
            .set_max_delay(Duration::from_millis(100))
            .set_pipeline_buffer_size(QUEUE);
        Ok(Self {
            manager: ConnectionManager::new_lazy_with_config(client.clone(), config)?,
            since: Instant::now(),
        })
    }
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
            Failure::Told(error) => Self::Unavailable(error.to_string()),
        }
    }
}

/// What an address must look like; it is not repeated, as it may hold a password.
fn client(url: &str) -> Result<Client, Error> {
    let wrong = |reason: String| {
        Error::Open(format!(
            "{reason}: write it like redis://user:password@host:6379/0, with rediss:// for TLS"
        ))
    };
    if url.contains("#insecure") {
        return Err(wrong("TLS without a check of the certificate".to_owned()));
    }
    let info = redis::IntoConnectionInfo::into_connection_info(url)
        .map_err(|error| wrong(error.to_string()))?
        .set_tcp_settings(TcpSettings::default().set_nodelay(true));
    Client::open(info).map_err(|error| wrong(error.to_string()))
}

fn owner_key(owner: &str) -> String {
    format!("{PREFIX}owner:{owner}")
}

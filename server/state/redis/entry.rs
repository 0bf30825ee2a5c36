//! What is looked at before anything is read or written: whether a newer program has written there, and whether its
//! secrets are ours. With other secrets each instance would sign out the guests of the others.

use std::{
    error::Error as _,
    io,
    sync::{Arc, LazyLock, atomic::Ordering},
};

use redis::{ErrorKind, Script, ServerErrorKind};

use super::{Failure, PREFIX, Redis};
use crate::{keys::seal::Keys, state::Error};

/// Grows when records are written that the program before can't read. Readers accept records of one before.
const SCHEMA: u32 = 1;

static ENTER: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("enter.lua")));

/// Marks of the active secrets, which do not reveal them.
pub(super) struct Secrets {
    current: String,
    previous: String,
}

impl Secrets {
    pub(super) fn of(keys: &Keys) -> Self {
        let (current, previous) = keys.derive_active("mark of the shared state");
        Self {
            current: hex::encode(*current),
            previous: previous.map(|key| hex::encode(*key)).unwrap_or_default(),
        }
    }
}

/// Why nothing may be read or written.
enum Refusal {
    /// It is away, for now.
    Away(Error),
    /// It will not be better without an operator.
    Refused(String),
}

impl Redis {
    /// At a start: a server that is refused does not start, one that finds no store does.
    pub(super) async fn enter_first(&self) -> Result<(), Error> {
        match self.ask_to_enter().await {
            Ok(()) => Ok(()),
            Err(Refusal::Refused(reason)) => Err(Error::Open(reason)),
            Err(Refusal::Away(error)) => {
                tracing::warn!(%error, "The state store is away: menus can be read, nothing is remembered until it is back");
                Ok(())
            }
        }
    }

    /// Once for a process, as soon as the server can be reached.
    pub(super) async fn enter(&self) -> Result<(), Error> {
        if self.0.entered.load(Ordering::Acquire) {
            return Ok(());
        }
        self.ask_to_enter().await.map_err(|refusal| match refusal {
            Refusal::Away(error) => error,
            Refusal::Refused(reason) => Error::Unavailable(reason),
        })
    }

    async fn ask_to_enter(&self) -> Result<(), Refusal> {
        let secrets = &self.0.secrets;
        let mut enter = ENTER.prepare_invoke();
        enter
            .key(format!("{PREFIX}schema"))
            .key(format!("{PREFIX}secrets"))
            .arg(SCHEMA)
            .arg(&secrets.current)
            .arg(&secrets.previous);
        let (answer, schema): (String, String) = match self.invoke(&enter).await {
            Ok(answer) => answer,
            Err(Failure::Refused(error)) if is_lasting(&error) => {
                return Err(Refusal::Refused(error.to_string()));
            }
            Err(failure) => return Err(Refusal::Away(failure.into())),
        };
        match answer.as_str() {
            "welcome" => {
                self.0.entered.store(true, Ordering::Release);
                Ok(())
            }
            "newer" => Err(Refusal::Refused(format!(
                "schema version {schema} is newer than this program's {SCHEMA}: start the newer program, or use another database number"
            ))),
            _ => Err(Refusal::Refused(
                "other SECRET_KEYS are in use there: give all instances the same, or use another database number"
                    .to_owned(),
            )),
        }
    }
}

/// A wrong password, a certificate of another server, no such database: not what comes and goes with a server.
pub(super) fn is_lasting(error: &redis::RedisError) -> bool {
    let is_away = error.is_connection_dropped()
        || io_error(error).is_some_and(|kind| kind != io::ErrorKind::InvalidData)
        || matches!(
            error.kind(),
            ErrorKind::ClusterConnectionNotFound
                | ErrorKind::MasterNameNotFoundBySentinel
                | ErrorKind::Server(
                    ServerErrorKind::BusyLoading
                        | ServerErrorKind::ClusterDown
                        | ServerErrorKind::MasterDown
                        | ServerErrorKind::ReadOnly
                        | ServerErrorKind::TryAgain
                )
        )
        || matches!(error.code(), Some("OOM" | "MISCONF" | "NOREPLICAS"));
    !is_away
}

/// What the network said: also that a name leads nowhere, or that there is no way, as while a machine or a whole network
/// comes up. TLS says `InvalidData` of a certificate that it does not accept.
fn io_error(error: &redis::RedisError) -> Option<io::ErrorKind> {
    let cause: &Arc<dyn std::error::Error + Send + Sync> = error.source()?.downcast_ref()?;
    Some(cause.downcast_ref::<io::Error>()?.kind())
}

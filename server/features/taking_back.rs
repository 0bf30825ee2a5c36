//! Taking back an order or a table: of many presses at once one is sent, and the others have what came of it.

use crate::{
    error::Error,
    state::idempotency::{Begun, Idempotency, body_hash, work_key},
    upstream::Caller,
    web::visit::Visit,
};

/// What a press finds.
pub enum Turn {
    /// It is to be sent by this one.
    Ours(Press),
    /// It was taken back by another one, which has noted this.
    Done(String),
    /// Another one is not answered yet.
    Busy,
}

/// The press that is sent. Dropped without a word it keeps the others waiting until its lease ends.
pub struct Press {
    records: Idempotency,
    /// None of a visitor whom the upstream can't tell from others.
    key: Option<String>,
}

/// Waits until no other press of this guest's is taking the same back.
///
/// # Errors
/// When the store does not answer: nothing may be sent then.
pub async fn turn(visit: &Visit, caller: &Caller, kind: &str, id: &str) -> Result<Turn, Error> {
    let records = visit.app.state.idempotency();
    let Some(guest) = guest_of(visit, caller).await else {
        return Ok(Turn::Ours(Press { records, key: None }));
    };
    let key = work_key(&guest, &[kind, id]);
    let begun = records.begin_in_turn(&key, body_hash(""), "").await?;
    Ok(match begun {
        Begun::New | Begun::Orphaned { .. } => Turn::Ours(Press {
            records,
            key: Some(key),
        }),
        Begun::Done { answer } => Turn::Done(answer),
        Begun::InFlight | Begun::Mismatch => Turn::Busy,
    })
}

impl Press {
    /// It is taken back: the others need not ask, and have this.
    pub async fn done(self, note: &str) {
        if let Some(key) = &self.key {
            tell(self.records.finish(key, note).await);
        }
    }

    /// It is not, or that is not known: the next press is sent.
    pub async fn release(self) {
        if let Some(key) = &self.key {
            tell(self.records.release(key).await);
        }
    }
}

/// An account on all its devices, else a device: nobody learns here what another guest has taken back.
async fn guest_of(visit: &Visit, caller: &Caller) -> Option<String> {
    let Some(bearer) = &caller.bearer else {
        return Some(format!("device {}", caller.fingerprint.as_ref()?.as_str()));
    };
    let account = visit.sess.account().await;
    Some(match account.and_then(|account| account.user) {
        Some(user) => format!("user {user}"),
        None => format!("bearer {}", bearer.as_str()),
    })
}

fn tell(noted: Result<(), crate::state::Error>) {
    if let Err(error) = noted {
        tracing::warn!(%error, "Those who take the same back wait until the lease ends");
    }
}

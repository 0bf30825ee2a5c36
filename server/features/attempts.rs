//! What is sent once under an idempotency key and kept until its outcome is known: orders, bookings, parts of
//! bills, shut fridges.

use std::{future::Future, time::Duration};

use serde::de::DeserializeOwned;

use crate::{
    error::Error,
    state::{
        carts::{Cart, CartId, Line, MutationId},
        idempotency::{Begun, Idempotency, body_hash, change_key},
    },
    telemetry,
    upstream::{self, Bearer, Caller, Fingerprint, Payment},
    values::{Country, Lang, Sum},
    web::app::App,
};

/// A guest who presses waits so long; after that a page tells how it stands.
pub const PRESS: Duration = Duration::from_secs(5);
/// A page waits so long for what it asks for once more; it looks again by itself.
pub const GLANCE: Duration = Duration::from_millis(1500);

/// Works in a task of its own: neither a guest who leaves nor one who waits no longer than `limit` stops it half-way.
/// `None` when it goes on.
///
/// # Errors
/// Those of the work.
pub async fn within<T: Send + 'static>(
    limit: Duration,
    work: impl Future<Output = Result<T, Error>> + Send + 'static,
) -> Result<Option<T>, Error> {
    let work = tokio::spawn(telemetry::of_request(work));
    match tokio::time::timeout(upstream::in_time(limit), work).await {
        Ok(Ok(done)) => done.map(Some),
        Ok(Err(error)) => Err(Error::Internal(format!("an attempt ended early: {error}"))),
        Err(_) => Ok(None),
    }
}

/// The end of an attempt's key: enough to find its lines in the log, and of no other use.
#[must_use]
pub fn short(key: &str) -> &str {
    key.get(key.len().saturating_sub(6)..).unwrap_or_default()
}

/// Whether what is sent may have reached the upstream before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sending {
    /// It has not.
    First,
    /// It was sent, or about to be, and nothing is known of it.
    Again,
}

impl Sending {
    /// Whether the upstream may have taken it all the same. What it answers of a key it has looked up first; that a
    /// later call was not sent, or came without a sign-in, tells nothing of the call before. Nor does a sign-in that
    /// has ended since, where it was `signed_in`.
    #[must_use]
    pub fn is_open(self, error: &upstream::Error, signed_in: bool) -> bool {
        match error {
            upstream::Error::Rejected(_) | upstream::Error::NotFound => false,
            upstream::Error::Unauthorized if signed_in => true,
            _ => self == Self::Again || error.outcome_unknown(),
        }
    }
}

/// Something that is sent once.
pub trait Attempt: DeserializeOwned {
    /// Tells two bodies of one key apart.
    fn hash(&self) -> [u8; 32];
}

/// Reads what was kept under a key: an attempt, or what came of it.
///
/// # Errors
/// When it can't be read.
pub fn read_record<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    serde_json::from_str(text).map_err(|error| {
        let kind = std::any::type_name::<T>();
        Error::Internal(format!("a kept {kind} can't be read: {error}"))
    })
}

/// An attempt without a lease, as it was first written down; the caller must send it again. `None` when there is nothing
/// to do.
///
/// # Errors
/// When the store does not answer, or what was kept can't be read.
pub async fn take_over<T: Attempt>(app: &App, key: &str, body: &str) -> Result<Option<T>, Error> {
    let attempt: T = read_record(body)?;
    let records = app.state.idempotency();
    match records.begin(key, attempt.hash(), body).await? {
        // It was refused and forgotten a moment ago.
        Begun::New => {
            records.release(key).await?;
            Ok(None)
        }
        Begun::Orphaned { body } => read_record(&body).map(Some),
        Begun::Done { .. } | Begun::InFlight | Begun::Mismatch => Ok(None),
    }
}

/// The page of an order whose outcome is not known yet.
#[must_use]
pub fn checking(key: &str) -> String {
    format!("/orders/checking/{key}")
}

/// What a press finds that orders the dishes of a cart.
pub enum Turn {
    /// It is this press's to order, or what came of the same one.
    Begun(Begun),
    /// What was begun with other dishes of the cart, or in another way, may still come about: by this key.
    Open(String),
    /// The cart is not the one that the guest has seen: another press may have ordered it.
    Moved,
    /// Another press has had the turn for eight seconds: the store is slow.
    Busy,
}

/// Begins to order the dishes of a cart, seen at a version, under `key`: by themselves or with a table. In a task of its
/// own: a guest who leaves does not keep the next press waiting. What was begun before may still come about: both would be
/// cooked, and the second could be paid beside the first.
///
/// # Errors
/// When the store does not answer: nothing may be sent then.
pub async fn begin_to_order(
    app: &App,
    (cart, version): (&CartId, u64),
    key: &str,
    hash: [u8; 32],
    body: String,
) -> Result<Turn, Error> {
    let turn = change_key(cart, &MutationId::of_order("turn"));
    let (state, cart, key) = (app.state.clone(), cart.clone(), key.to_owned());
    let work = async move {
        let records = state.idempotency();
        if let Some(not_yet) = take_turn(&records, &turn, &key).await? {
            return Ok(not_yet);
        }
        if records.get(&key).await?.is_none() && state.carts().load(&cart).await?.version != version
        {
            records.release(&turn).await?;
            return Ok(Turn::Moved);
        }
        let begun = records.begin(&key, hash, &body).await;
        // Kept for the next press, which finds this one open.
        records.unknown(&turn).await?;
        Ok(Turn::Begun(begun?))
    };
    tokio::spawn(telemetry::of_request(work))
        .await
        .map_err(|error| Error::Internal(format!("an order ended early: {error}")))?
}

/// Takes a turn for a key, unless what had it before may still come about, or has it now. Given back as of unknown outcome
/// it remembers the key for the next one.
///
/// # Errors
/// When the store does not answer.
pub async fn take_turn(
    records: &Idempotency,
    turn: &str,
    key: &str,
) -> Result<Option<Turn>, Error> {
    loop {
        let before = match records.begin_in_turn(turn, body_hash(""), key).await? {
            Begun::Orphaned { body } if body != key => body,
            Begun::InFlight => return Ok(Some(Turn::Busy)),
            _ => return Ok(None),
        };
        let known = records.get(&before).await?;
        if known.is_some_and(|known| known.answer.is_none()) {
            records.unknown(turn).await?;
            return Ok(Some(Turn::Open(before)));
        }
        records.release(turn).await?;
    }
}

/// The bank's page of a first attempt to pay: guests are charged what they have seen (PY-14). None where it, or what it
/// pays, is told to be of another sum than `due`; our own page shows the sum first then.
#[must_use]
pub fn first_bank_page(
    payment: Option<&Payment>,
    reported: Option<Sum>,
    due: Sum,
) -> Option<String> {
    let reported = [reported, payment.and_then(|payment| payment.sum)];
    if reported.into_iter().flatten().any(|sum| sum != due) {
        tracing::error!("A first attempt to pay is about another sum than its guest has seen");
        return None;
    }
    payment?.url.clone()
}

/// The guest of that time, for whom it is sent again.
#[must_use]
pub fn guest_of_then(
    bearer: Option<&str>,
    fingerprint: Option<&str>,
    lang: Lang,
    country: Country,
) -> Caller {
    Caller {
        bearer: bearer.and_then(Bearer::new),
        fingerprint: fingerprint.and_then(Fingerprint::new),
        ..Caller::guest(lang, country)
    }
}

/// What was ordered leaves the cart, once for a key. It comes before the record has its answer: one without is sent again.
///
/// # Errors
/// When the store does not answer.
pub async fn leave_cart(
    app: &App,
    cart: &CartId,
    (lines, generation): (&[Line], Option<i64>),
    key: &str,
) -> Result<(), Error> {
    let once = MutationId::of_order(key);
    app.state
        .carts()
        .update(cart, |cart: &mut Cart| {
            cart.once(Some(&once), |cart| {
                cart.take_ordered(lines, generation);
                Ok::<_, std::convert::Infallible>(())
            })
        })
        .await
        .map_err(Error::from_update)?;
    Ok(())
}

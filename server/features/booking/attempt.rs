//! One attempt to book: kept under its key until its outcome is known, as an order is (R-01).

use serde::{Deserialize, Serialize};

use super::load::of_device;
use crate::{
    error::Error,
    features::{
        attempts::{
            self, PRESS, Sending, Turn, guest_of_then, leave_cart, short, take_over, within,
        },
        checkout::order_item,
    },
    state::{
        carts::{CartId, Line, MutationId},
        idempotency::{body_hash, change_key},
    },
    telemetry,
    upstream::{self, BookingId, Caller, Class, IdempotencyKey, NewBooking, VenueId},
    values::{Country, Lang},
    web::{app::App, visit::Visit},
};

/// Keys of bookings begin with it; keys of orders never do.
const PREFIX: &str = "booking.";

/// Dishes that are ordered with the table.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Ahead {
    pub cart: CartId,
    pub lines: Vec<Line>,
    /// The generation of the cart that they are of; none in records of before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generation: Option<i64>,
    /// The version of the cart that the guest has seen; of no use once they are sent.
    #[serde(skip)]
    pub version: u64,
    /// As in the attempt, which has none in records of before.
    pub bearer: Option<String>,
}

/// What the guest asked for.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Attempt {
    // Stored under its first name, so that what is stored already is read.
    #[serde(rename = "filial")]
    pub venue: VenueId,
    /// ISO 8601 with Z.
    pub at: String,
    /// Day and time as they were chosen, by the venue's clock.
    #[serde(default)]
    pub chosen: (String, String),
    pub guests: u32,
    pub name: String,
    pub phone: String,
    pub comment: String,
    /// The cart whose dishes are to be ready by then.
    #[serde(default)]
    pub ahead: Option<Ahead>,
    pub fingerprint: String,
    /// Of a guest who is signed in: else the table would be nobody's, and the upstream takes no dishes. It lies in a sealed
    /// record, as in the session (S-04).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bearer: Option<String>,
    pub lang: Lang,
    pub country: Country,
}

/// How sending ended.
#[derive(Debug)]
pub(super) enum Sent {
    /// The booking's id.
    Booked(String),
    /// The upstream refused for good; the key is free again.
    Refused(upstream::Rejection),
    /// The upstream was not reached; the key is free again.
    Unreached,
    /// It may or may not be booked: the same key will be sent again.
    Unknown,
}

/// Whether a key is one of a booking.
#[must_use]
pub fn is_key(key: &str) -> bool {
    key.starts_with(PREFIX)
}

/// The key of one form of one visit. It can't be guessed, as the cart's id can't.
pub(super) fn key(cart: &str, form: &str) -> String {
    use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
    let hash = body_hash(&serde_json::json!([cart, form]).to_string());
    format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(hash))
}

/// Under it a guest books one table after another, so that each sees those before.
pub(super) fn turn(cart: &CartId) -> String {
    change_key(cart, &MutationId::of_order(PREFIX))
}

/// The key of what a form has sent last is kept under it.
pub(super) fn last_of(cart: &CartId, form: &str) -> String {
    change_key(cart, &MutationId::of_order(&format!("{PREFIX}last.{form}")))
}

/// It is kept under it that the guest has given a table back.
pub(super) fn given_back(cart: &CartId, booking: &str) -> String {
    change_key(
        cart,
        &MutationId::of_order(&format!("{PREFIX}back.{booking}")),
    )
}

impl attempts::Attempt for Attempt {
    fn hash(&self) -> [u8; 32] {
        body_hash(
            &serde_json::json!([
                self.venue,
                self.at,
                self.guests,
                self.name,
                self.phone,
                self.comment,
                // Not the dishes: they leave the cart with the booking, and the same form is the same booking.
                self.ahead.is_some()
            ])
            .to_string(),
        )
    }
}

impl Attempt {
    /// Sends it in a task of its own: a guest who leaves does not stop it half-way.
    pub(super) async fn send(
        self,
        app: App,
        caller: Caller,
        key: String,
        sending: Sending,
    ) -> Result<Sent, Error> {
        tokio::spawn(telemetry::of_request(async move {
            self.deliver(&app, &caller, &key, sending).await
        }))
        .await
        .map_err(|error| Error::Internal(format!("an attempt to book ended early: {error}")))?
    }

    async fn deliver(
        &self,
        app: &App,
        caller: &Caller,
        key: &str,
        sending: Sending,
    ) -> Result<Sent, Error> {
        let records = app.state.idempotency();
        let Some(upstream_key) = IdempotencyKey::new(key) else {
            return Err(Error::Internal(
                "a booking key is no idempotency key".to_owned(),
            ));
        };
        let booking = NewBooking {
            venue: self.venue,
            at: self.at.clone(),
            guests: self.guests,
            name: self.name.clone(),
            phone: self.phone.clone(),
            comment: self.comment.clone(),
            items: self
                .ahead
                .iter()
                .flat_map(|ahead| &ahead.lines)
                .map(order_item)
                .collect(),
        };
        let mut booked = app.upstream.book(caller, &booking, &upstream_key).await;
        // The sign-in has ended since; a table by itself can be the device's, dishes can't.
        if let (Sending::Again, None, Err(upstream::Error::Unauthorized), Some(_), Some(device)) = (
            sending,
            &self.ahead,
            &booked,
            &caller.bearer,
            of_device(caller),
        ) {
            booked = app.upstream.book(&device, &booking, &upstream_key).await;
        }
        match booked {
            Ok(booked) => {
                if let Err(error) = self.settle(app, key, &booked.id).await {
                    tracing::error!(%error, "A booking was taken and could not be written down; it will be sent again");
                    // It is given back as soon as that can be written.
                    let _ = records.unknown(key).await;
                    return Ok(Sent::Unknown);
                }
                Ok(Sent::Booked(booked.id.to_string()))
            }
            Err(upstream::Error::Rejected(rejection)) => {
                records.release(key).await?;
                Ok(Sent::Refused(rejection))
            }
            Err(error) if sending.is_open(&error, false) => {
                records.unknown(key).await?;
                tracing::error!(
                    class = error.class(),
                    attempt = short(key),
                    "The outcome of a booking is not known; it will be sent again"
                );
                Ok(Sent::Unknown)
            }
            Err(error) => {
                records.release(key).await?;
                tracing::warn!(class = error.class(), "A booking could not be sent");
                Ok(Sent::Unreached)
            }
        }
    }

    /// What was ordered leaves the cart first: a record without an answer is sent again under its key.
    async fn settle(&self, app: &App, key: &str, id: &BookingId) -> Result<(), Error> {
        if let Some(ahead) = &self.ahead {
            leave_cart(app, &ahead.cart, (&ahead.lines, ahead.generation), key).await?;
        }
        app.state.idempotency().finish(key, id.as_str()).await?;
        Ok(())
    }
}

/// Begins to order the dishes of a cart. A booking with dishes of it that is open still is first sent once more, for the
/// guest who presses now: the sign-in that was kept with it may have ended.
///
/// # Errors
/// When the store does not answer: nothing may be sent then.
pub async fn begin_to_order(
    visit: &Visit,
    cart: (&CartId, u64),
    key: &str,
    hash: [u8; 32],
    body: String,
) -> Result<Turn, Error> {
    let app = &visit.app;
    let open = match attempts::begin_to_order(app, cart, key, hash, body.clone()).await? {
        Turn::Open(open) if is_key(&open) => open,
        turn => return Ok(turn),
    };
    if let Some(known) = app.state.idempotency().get(&open).await? {
        let caller = visit.personal_caller().await.with_class(Class::Order);
        let app = app.clone();
        let work = async move { send_again(&app, &open, &known.body, Some(caller)).await };
        within(PRESS, work).await?;
    }
    attempts::begin_to_order(app, cart, key, hash, body).await
}

/// Takes over an attempt without a lease and sends it again.
///
/// # Errors
/// When the store does not answer, or what was kept can't be read.
pub async fn resolve(app: &App, key: &str, body: &str) -> Result<(), Error> {
    send_again(app, key, body, None).await
}

/// `caller`: the guest, if they are there; else the one of then.
async fn send_again(app: &App, key: &str, body: &str, caller: Option<Caller>) -> Result<(), Error> {
    if let Some(attempt) = take_over::<Attempt>(app, key, body).await? {
        let device = Some(attempt.fingerprint.as_str());
        let ahead = attempt.ahead.as_ref();
        let bearer = attempt
            .bearer
            .as_deref()
            .or_else(|| ahead.and_then(|ahead| ahead.bearer.as_deref()));
        let then = guest_of_then(bearer, device, attempt.lang, attempt.country);
        let caller = match caller.filter(|caller| caller.bearer.is_some()) {
            // The key is the device's of then.
            Some(caller) => Caller {
                fingerprint: then.fingerprint,
                ..caller
            },
            None => then,
        };
        attempt
            .send(app.clone(), caller, key.to_owned(), Sending::Again)
            .await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As a release wrote it that asked for no dishes with a table.
    const BEFORE: &str = r#"{
        "filial": 1013, "at": "2026-11-25T10:00:00Z", "guests": 2, "name": "", "phone": "", "comment": "",
        "fingerprint": "f", "lang": "ru", "country": "kz"
    }"#;

    #[test]
    fn a_record_of_before_is_read_and_keeps_its_names() {
        let attempt: Attempt = serde_json::from_str(BEFORE).unwrap();
        assert_eq!(attempt.venue, VenueId(1013));
        assert_eq!(attempt.bearer, None);
        assert_eq!(serde_json::to_value(&attempt).unwrap()["filial"], 1013);
    }
}

//! `POST /fridge/close`: the door is shut and what was taken is paid for, once per door (BC-05, BC-06).
//!
//! What was scanned or chosen stands in the cart. It is written down before it is sent, and sent again under the same key
//! until it is known what came of it, also by another process: the upstream settles a door once.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::{LOST, basket, path};
use crate::{
    error::Error,
    features::{
        attempts::{Attempt, Sending, guest_of_then, kept, leave_cart, short, take_over},
        cart_view::{name_of, unpaid},
        checkout::order_item,
        page_data::OrderLine,
    },
    state::{
        carts::{CartId, Line, Unpaid},
        idempotency::{Begun, body_hash},
    },
    telemetry,
    upstream::{
        self, Caller, Door, FridgeSessionId, IdempotencyKey, Order, OrderPosition, VenueId,
    },
    values::{Country, Lang, Sum},
    web::{
        app::App,
        change::{
            form::Form,
            outcome::{ErrorCode, FieldError, Outcome, Text},
        },
        session::OpenedFridge,
        visit::Visit,
    },
};

/// Begins the keys of shut fridges; the rest is the upstream's id of the door.
const PREFIX: &str = "fridge.";

/// What was taken, as it was when the door was shut.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Taken {
    cart: CartId,
    // Stored under its first name, so that what is stored already is read.
    #[serde(rename = "filial")]
    venue: VenueId,
    session: FridgeSessionId,
    lines: Vec<Line>,
    /// The generation of the cart that they are of; none in records of before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    generation: Option<i64>,
    fingerprint: Option<String>,
    /// Only with it the upstream shuts the door. It lies in a sealed record, as in the session (S-04).
    bearer: Option<String>,
    lang: Lang,
    country: Country,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Settled {
    /// None: nothing was taken.
    pub order: Option<String>,
    /// Pieces that the fridge has counted beyond those that were scanned.
    pub unscanned: u32,
}

enum Sent {
    Settled,
    Refused(upstream::Rejection),
    Unreached,
    Unknown,
}

/// The key of a door that is shut.
pub(super) fn key(session: &str) -> String {
    format!("{PREFIX}{session}")
}

/// What the fridge has counted beyond what was scanned: the positions of the order, less what was written down in `body`.
/// A position without a known product tells nothing.
///
/// # Errors
/// When what was kept can't be read.
pub(super) fn unseen(body: &str, order: &Order) -> Result<Vec<OrderLine>, Error> {
    let taken: Taken = kept(body)?;
    let mut scanned: HashMap<u64, u32> = HashMap::new();
    for line in &taken.lines {
        *scanned.entry(line.product_id).or_default() += line.quantity;
    }
    let beyond = |position: &OrderPosition| {
        let left = scanned.entry(position.product?.0).or_default();
        let seen = position.count.min(*left);
        *left -= seen;
        let qty = position.count - seen;
        (qty > 0).then(|| OrderLine {
            name: position.name.clone(),
            qty,
            sum: worth(position, qty),
            options: Vec::new(),
            note: None,
        })
    };
    Ok(order.positions.iter().filter_map(beyond).collect())
}

/// What some pieces of a position cost.
fn worth(position: &OrderPosition, pieces: u32) -> Sum {
    let all = position.sum.unwrap_or_default();
    match position.price {
        _ if pieces == position.count => all,
        Some(one) => Sum(one.0 * i64::from(pieces)),
        None => Sum(all.0 * i64::from(pieces) / i64::from(position.count.max(1))),
    }
}

/// Whether a key is one of a fridge.
#[must_use]
pub fn is_key(key: &str) -> bool {
    key.starts_with(PREFIX)
}

/// Shuts a fridge and settles what was taken. A guest who was let in is let out: limits count openings.
///
/// # Errors
/// Not found for a door that is not this guest's; when the store does not answer.
pub async fn close(visit: Visit, form: Form) -> Result<Outcome, Error> {
    let (Some(venue), Some(session)) = (
        form.parse::<VenueId>("filial"),
        form.parse::<FridgeSessionId>("session"),
    ) else {
        let back = form.back();
        return Ok(Outcome::refused_form(&form, back, ErrorCode::BadInput));
    };
    let page = path(venue);
    let refused = |error| Ok(Outcome::refused(&form, page.clone(), vec![error]));
    if visit.signed_in.is_none() {
        return refused(FieldError::new("form", ErrorCode::SignIn));
    }
    let caller = visit.personal_caller().await;
    let door = visit.app.upstream.fridge_session(&caller, &session).await;
    match door {
        Ok(known) if known.venue.is_some_and(|own| own != venue) => {
            return Err(Error::NotFound("order"));
        }
        Ok(known) if known.door == Door::Closed => {
            remember(&visit, venue, &session).await?;
            return Ok(Outcome::go(page).with_cart());
        }
        // A guest who shuts it on another phone pays for what was scanned on the first.
        Ok(known) => basket::take_up(&visit, &known).await?,
        Err(error @ upstream::Error::Unauthorized) => return Err(error.into()),
        Err(upstream::Error::NotFound) => {
            // Its page tells the guest what is known of a door that was theirs.
            let known = visit.sess.fridge().await;
            return if known.is_some_and(|known| known.session == session.as_str()) {
                Ok(Outcome::go(page))
            } else {
                Err(Error::NotFound("order"))
            };
        }
        Err(_) => return refused(FieldError::new("form", ErrorCode::Unavailable)),
    }
    let cart = visit.sess.cart_or_new().await?;
    let cart = visit.app.state.carts().load(&cart).await?;
    let cart = unpaid::settled(&visit, cart).await?;
    // An order of another venue is paid by itself, before or after.
    let ordered_here = |unpaid: &&Unpaid| unpaid.venue_id == venue.0;
    if let Some(unpaid) = cart.unpaid.as_ref().filter(ordered_here) {
        // These goods wait for their payment: they must not be paid for twice.
        return Ok(Outcome::go(unpaid.href.clone()).with_cart());
    }
    let here = cart.venue_id == Some(venue.0);
    let taken = Taken {
        cart: cart.id,
        venue,
        session: session.clone(),
        lines: if here { cart.lines } else { Vec::new() },
        generation: here.then_some(cart.generation),
        fingerprint: caller.fingerprint.as_ref().map(|it| it.as_str().to_owned()),
        bearer: caller.bearer.as_ref().map(|it| it.as_str().to_owned()),
        lang: visit.lang,
        country: visit.country,
    };
    let records = visit.app.state.idempotency();
    let key = key(session.as_str());
    let body = serde_json::to_string(&taken).map_err(|error| Error::Internal(error.to_string()))?;
    let (taken, sending) = match records.begin(&key, taken.hash(), &body).await? {
        Begun::New => (taken, Sending::First),
        Begun::Orphaned { body } => (kept(&body)?, Sending::Again),
        Begun::Done { .. } => {
            remember(&visit, venue, &session).await?;
            return Ok(Outcome::go(page).with_cart());
        }
        Begun::InFlight => return Ok(Outcome::go(page).in_flight()),
        Begun::Mismatch => return refused(FieldError::new("form", ErrorCode::BadInput)),
    };
    // A door that was opened on another phone is this one's from here on.
    remember(&visit, venue, &session).await?;
    let lines = taken.lines.clone();
    match taken.send(visit.app.clone(), Some(caller), sending).await? {
        Sent::Settled | Sent::Unknown => Ok(Outcome::go(page).with_cart()),
        Sent::Unreached => refused(FieldError::new("form", ErrorCode::Unavailable)),
        // The page tells how the door is.
        Sent::Refused(rejection) if rejection.code == "door_not_open" => Ok(Outcome::go(page)),
        Sent::Refused(rejection) => {
            let error = match rejection.code.as_str() {
                "item_unavailable" | "options_invalid" => {
                    unsold(&visit, venue, &lines, &rejection).await
                }
                "price_changed" | "sum_mismatch" => {
                    FieldError::new("form", ErrorCode::PriceChanged)
                }
                _ => FieldError::told(&rejection),
            };
            Ok(Outcome::refused(&form, page, vec![error]).with_cart())
        }
    }
}

/// What the upstream takes no money for is named: the guest has it in their hands, or finds it on the list.
async fn unsold(
    visit: &Visit,
    venue: VenueId,
    lines: &[Line],
    rejection: &upstream::Rejection,
) -> FieldError {
    let Some(line) = rejection.item().and_then(|index| lines.get(index)) else {
        return FieldError::new("form", ErrorCode::Gone);
    };
    let caller = visit.caller(None).optional();
    let menu = visit.app.upstream.menu(&caller, venue).await.ok();
    let name = name_of(line, menu.as_deref()).to_owned();
    FieldError::new("form", ErrorCode::FridgeGone).with("name", Text::Word(name))
}

/// Whether a cart holds what was scanned at a door that was not shut yet, as far as is known. It is paid for when the door
/// is shut, so it outlives the session: the guest finds it when they sign in again, or on another phone.
pub async fn is_of_open_door(app: &App, fridge: Option<&OpenedFridge>, cart: &CartId) -> bool {
    let Some(fridge) = fridge else {
        return false;
    };
    match basket::cart_of(app, &fridge.session).await {
        Ok(held) if held.as_ref() != Some(cart) => return false,
        Ok(_) => {}
        Err(_) => return true,
    }
    let settled = app.state.idempotency().get(&key(&fridge.session)).await;
    settled.map_or(true, |settled| {
        settled.is_none_or(|settled| settled.answer.is_none())
    })
}

/// A door that is settled needs its cart no more: the phone that had taken it up goes on with its own. Two sessions that
/// name one cart for longer would take it from each other at a sign-out.
///
/// # Errors
/// When the store does not answer.
pub async fn give_back(visit: &Visit) -> Result<(), Error> {
    let Some(borrowed) = visit.sess.borrowed().await else {
        return Ok(());
    };
    let records = visit.app.state.idempotency();
    let settled = records.get(&key(&borrowed.door)).await?;
    let is_settled = settled.is_some_and(|settled| settled.answer.is_some());
    if is_settled || visit.now.saturating_sub(borrowed.at) >= LOST {
        visit.sess.give_cart_back().await?;
    }
    Ok(())
}

/// Takes over a door without a lease and settles it with what was written down, at the prices of now: its guest has said
/// that it is shut, and may be gone with what was taken.
///
/// # Errors
/// When the store does not answer, or what was kept can't be read.
pub async fn resolve(app: &App, key: &str, body: &str) -> Result<(), Error> {
    if let Some(taken) = take_over::<Taken>(app, key, body).await? {
        taken.send(app.clone(), None, Sending::Again).await?;
    }
    Ok(())
}

impl Attempt for Taken {
    /// A door is settled with what was first written down, whatever stands in the cart later.
    fn hash(&self) -> [u8; 32] {
        body_hash(self.session.as_str())
    }
}

impl Taken {
    /// In a task of its own: a guest who leaves does not stop it half-way.
    async fn send(self, app: App, caller: Option<Caller>, sending: Sending) -> Result<Sent, Error> {
        tokio::spawn(telemetry::of_request(async move {
            self.deliver(&app, caller, sending).await
        }))
        .await
        .map_err(|error| Error::Internal(format!("settling a fridge ended early: {error}")))?
    }

    async fn deliver(
        mut self,
        app: &App,
        caller: Option<Caller>,
        sending: Sending,
    ) -> Result<Sent, Error> {
        let records = app.state.idempotency();
        let key = key(self.session.as_str());
        let Some(named) = IdempotencyKey::new(&key) else {
            return Err(Error::Internal("a fridge's key is none".to_owned()));
        };
        // A guest who presses sees a new sum first. One refusal tells of one line.
        let mut repriced_unseen = if caller.is_some() {
            0
        } else {
            self.lines.len()
        };
        let (bearer, device) = (self.bearer.as_deref(), self.fingerprint.as_deref());
        let caller =
            caller.unwrap_or_else(|| guest_of_then(bearer, device, self.lang, self.country));
        let closed = loop {
            let items: Vec<_> = self.lines.iter().map(order_item).collect();
            let closed = app
                .upstream
                .close_fridge(&caller, &self.session, &items, &named)
                .await;
            let Err(upstream::Error::Rejected(rejection)) = &closed else {
                break closed;
            };
            if !self.reprice(app, rejection).await? || repriced_unseen == 0 {
                break closed;
            }
            repriced_unseen -= 1;
        };
        let count = |outcome: &'static str| {
            metrics::counter!("orders_total", "outcome" => outcome).increment(1);
        };
        match closed {
            Ok(session) if session.door == Door::Closed => {
                self.settle(app, &key, &session).await?;
                count("placed");
                Ok(Sent::Settled)
            }
            // It is shut and not counted yet.
            Ok(_) => {
                records.unknown(&key).await?;
                Ok(Sent::Unknown)
            }
            Err(upstream::Error::Rejected(rejection)) => {
                records.release(&key).await?;
                count("refused");
                Ok(Sent::Refused(rejection))
            }
            // Only a guest who is signed in opens a door.
            Err(error) if sending.is_open(&error, true) => {
                records.unknown(&key).await?;
                count("unknown");
                tracing::error!(
                    class = error.class(),
                    attempt = short(&key),
                    "What came of a fridge is not known; it will be asked again"
                );
                Ok(Sent::Unknown)
            }
            Err(error) => {
                records.release(&key).await?;
                tracing::warn!(class = error.class(), "A fridge could not be shut");
                Ok(Sent::Unreached)
            }
        }
    }

    /// What was refused for its price gets that of now, in the basket as well. Whether that is another one.
    async fn reprice(&mut self, app: &App, rejection: &upstream::Rejection) -> Result<bool, Error> {
        let line = rejection.item().and_then(|index| self.lines.get_mut(index));
        let (Some(line), Some(price), "price_changed") =
            (line, rejection.price(), rejection.code.as_str())
        else {
            return Ok(false);
        };
        if line.price == price {
            return Ok(false);
        }
        line.price = price;
        let id = line.id.clone();
        app.state
            .carts()
            .update(&self.cart, |cart| {
                if let Some(own) = cart.lines.iter_mut().find(|own| own.id == id) {
                    own.price = price;
                }
                Ok::<_, std::convert::Infallible>(())
            })
            .await
            .map_err(Error::from_update)?;
        Ok(true)
    }

    async fn settle(
        &self,
        app: &App,
        key: &str,
        session: &upstream::FridgeSession,
    ) -> Result<(), Error> {
        let scanned: u32 = self.lines.iter().map(|line| line.quantity).sum();
        let settled = Settled {
            order: session.order.as_ref().map(ToString::to_string),
            unscanned: session.counted.unwrap_or(0).saturating_sub(scanned),
        };
        let answer =
            serde_json::to_string(&settled).map_err(|error| Error::Internal(error.to_string()))?;
        // A cart of another venue keeps its code, its bonuses and what can be brought back.
        if !self.lines.is_empty() {
            leave_cart(app, &self.cart, (&self.lines, self.generation), key).await?;
        }
        app.state.idempotency().finish(key, &answer).await?;
        Ok(())
    }
}

async fn remember(visit: &Visit, venue: VenueId, session: &FridgeSessionId) -> Result<(), Error> {
    let known = visit.sess.fridge().await;
    if known.is_some_and(|known| known.session == session.as_str()) {
        return Ok(());
    }
    let fridge = OpenedFridge {
        venue: venue.0,
        key: String::new(),
        session: session.to_string(),
        at: visit.now,
    };
    visit.sess.set_fridge(&fridge).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: &str = r#"{
        "cart": "AAAAAAAAAAAAAAAAAAAAAA", "filial": 1191, "session": "s_1", "lines": [], "fingerprint": "f",
        "bearer": null, "lang": "ru", "country": "kz"
    }"#;

    #[test]
    fn a_record_of_before_is_read_and_keeps_its_names() {
        let taken: Taken = serde_json::from_str(BEFORE).unwrap();
        assert_eq!(taken.venue, VenueId(1191));
        assert_eq!(serde_json::to_value(&taken).unwrap()["filial"], 1191);
    }
}

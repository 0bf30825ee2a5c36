//! What was taken at a door, and what came of it (BC-05, BC-06). What was scanned or chosen stands in the cart. It is written
//! down before it is sent, and sent again under the same key until it is known what came of it, also by another process: the
//! upstream settles a door once.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::{
    error::Error,
    features::{
        attempts::{Attempt, Sending, guest_of_then, leave_cart, read_record, short, take_over},
        checkout::order_item,
        page_data::OrderLine,
    },
    state::{
        carts::{Cart, CartId, Line, MutationId},
        idempotency::{Begun, body_hash, change_key},
    },
    telemetry,
    upstream::{
        self, Caller, Door, FridgeSessionId, IdempotencyKey, Order, OrderPosition, VenueId,
    },
    values::{Country, Lang, Sum},
    web::{app::App, visit::Visit},
};

/// Begins the keys of shut fridges; the rest is the upstream's id of the door.
const PREFIX: &str = "fridge.";

/// What was taken, as it was when the door was shut.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Taken {
    pub cart: CartId,
    // Stored under its first name, so that what is stored already is read.
    #[serde(rename = "filial")]
    pub venue: VenueId,
    pub session: FridgeSessionId,
    pub lines: Vec<Line>,
    /// The generation of the cart that they are of; none in records of before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generation: Option<i64>,
    pub fingerprint: Option<String>,
    /// Only with it the upstream shuts the door. It lies in a sealed record, as in the session (S-04).
    pub bearer: Option<String>,
    pub lang: Lang,
    pub country: Country,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Settled {
    /// None: nothing was taken.
    pub order: Option<String>,
    /// Pieces that the fridge has counted beyond those that were scanned.
    pub unscanned: u32,
}

pub(super) enum Sent {
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
    let taken: Taken = read_record(body)?;
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

/// The upstream says that a door is shut and counted: what was sent of it and has no answer yet has this one. Its lines
/// leave the cart now, not when it is sent again: they would be paid at the next door as well.
///
/// # Errors
/// When the store does not answer, or what was kept can't be read.
pub(super) async fn finish(app: &App, session: &upstream::FridgeSession) -> Result<(), Error> {
    let key = key(session.id.as_str());
    let known = app.state.idempotency().get(&key).await?;
    let Some(open) = known.filter(|known| known.answer.is_none()) else {
        return Ok(());
    };
    match take_over::<Taken>(app, &key, &open.body).await? {
        Some(taken) => taken.settle(app, &key, session).await,
        None => Ok(()),
    }
}

/// Under it a cart keeps the door that its lines were sent for.
fn of_cart(cart: &CartId) -> String {
    change_key(cart, &MutationId::of_order(PREFIX))
}

/// Keeps the door that lines of a cart are sent for.
///
/// # Errors
/// When the store does not answer.
pub(super) async fn note_sent(app: &App, cart: &CartId, key: &str) -> Result<(), Error> {
    let (records, own) = (app.state.idempotency(), of_cart(cart));
    for _ in 0..2 {
        match records.begin_in_turn(&own, body_hash(""), key).await? {
            Begun::Orphaned { body } if body != key => {}
            _ => return records.unknown(&own).await.map_err(Error::from),
        }
        // The one before is settled, or its lines are not among these.
        records.release(&own).await?;
    }
    Ok(())
}

/// What was sent of a cart for a door and is not known to be settled: its lines are in the cart still, and may be paid.
///
/// # Errors
/// When the store does not answer, or what was kept can't be read.
pub(super) async fn unsettled(visit: &Visit, cart: &CartId) -> Result<Option<Taken>, Error> {
    let records = visit.app.state.idempotency();
    let Some(last) = records.get(&of_cart(cart)).await? else {
        return Ok(None);
    };
    let open = async || {
        let known = records.get(&last.body).await?;
        let open = known.filter(|known| known.answer.is_none());
        open.map(|open| read_record::<Taken>(&open.body))
            .transpose()
    };
    let Some(taken) = open().await? else {
        return Ok(None);
    };
    let caller = visit.personal_caller().await;
    let asked = visit.app.upstream.fridge_session(&caller, &taken.session);
    match asked.await {
        Ok(session) if session.door == Door::Closed => {
            finish(&visit.app, &session).await?;
            open().await
        }
        Ok(_) | Err(_) => Ok(Some(taken)),
    }
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
    /// The lines of the cart that were not sent.
    pub(super) fn beyond(&self, cart: &Cart) -> Vec<Line> {
        if self.cart != cart.id || self.generation.is_some_and(|own| own != cart.generation) {
            return cart.lines.clone();
        }
        let left = |line: &Line| {
            let sent = self.lines.iter().find(|sent| sent.id == line.id);
            let quantity = line
                .quantity
                .saturating_sub(sent.map_or(0, |sent| sent.quantity));
            (quantity > 0).then(|| Line {
                quantity,
                ..line.clone()
            })
        };
        cart.lines.iter().filter_map(left).collect()
    }

    /// In a task of its own: a guest who leaves does not stop it half-way.
    pub(super) async fn send(
        self,
        app: App,
        caller: Option<Caller>,
        sending: Sending,
    ) -> Result<Sent, Error> {
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

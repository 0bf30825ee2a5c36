//! What is typed at the order. Each post of its form keeps it in the session: where no scripts run a page lives for one
//! press, and the same form is posted to the plus of a dish, to the sign-in or to a promo code. It is there until it is
//! ordered; an order that was called off unpaid has it once more.

use serde::Serialize;

use super::load;
use crate::{
    features::page_data::PayWay,
    state::{self, carts::Cart},
    web::{
        change::form::Form,
        session::{TypedOrder, Unavailable},
        visit::Visit,
    },
};

/// Only the form of the order has this field.
const OF_ORDER: &str = "cart_version";
/// Characters of a field that are kept: more than an order takes, so that what is too long is not lost.
const LONGEST: usize = 2000;

/// What was typed at the order, for its form.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Typed {
    /// Null: no name was asked for yet.
    pub name: Option<String>,
    /// Wishes for the kitchen; may be empty.
    pub comment: String,
    /// The chosen way to pay.
    pub payment: Option<PayWay>,
    /// Milliseconds since it was sent.
    #[cfg_attr(test, ts(type = "number"))]
    pub age: i64,
}

impl std::fmt::Debug for Typed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Typed(…)")
    }
}

/// Keeps what a post of the order's form brings.
///
/// # Errors
/// When the store does not answer.
pub async fn keep_typed(visit: &Visit, form: &Form) -> Result<(), state::Error> {
    if form.get(OF_ORDER).is_none() {
        return Ok(());
    }
    let Some(cart) = load(visit).await? else {
        return Ok(());
    };
    // Of what is ordered already nothing is typed any more: it is a second press.
    if cart.is_empty() || cart.unpaid.is_some() {
        return Ok(());
    }
    let before = visit.sess.typed_order().await;
    let before = before.filter(|typed| is_of(typed, &cart));
    let known = before.clone().unwrap_or_default();
    let sent = |field: &str| {
        let text = form.typed(field)?;
        Some(text.chars().take(LONGEST).collect::<String>())
    };
    let typed = TypedOrder {
        venue: cart.venue_id,
        generation: cart.generation,
        at: known.at,
        name: sent("name").or(known.name),
        comment: sent("comment").or(known.comment),
        payment: sent("payment").or(known.payment),
    };
    if before.as_ref() == Some(&typed) {
        return Ok(());
    }
    let typed = TypedOrder {
        at: visit.now,
        ..typed
    };
    Ok(visit.sess.set_typed_order(Some(&typed)).await?)
}

/// Chooses a way to pay for the next order of the cart, as the guest has said elsewhere.
///
/// # Errors
/// When the store does not answer.
pub async fn choose_way(visit: &Visit, way: PayWay) -> Result<(), state::Error> {
    let Some(cart) = load(visit).await? else {
        return Ok(());
    };
    let known = visit.sess.typed_order().await;
    let known = known.filter(|typed| is_of(typed, &cart));
    let typed = TypedOrder {
        venue: cart.venue_id,
        generation: cart.generation,
        at: visit.now,
        payment: Some(way.code().to_owned()),
        ..known.unwrap_or_default()
    };
    Ok(visit.sess.set_typed_order(Some(&typed)).await?)
}

/// What was typed at the order of this cart.
pub(in crate::features) async fn typed_at(visit: &Visit, cart: &Cart) -> Option<Typed> {
    let typed = visit.sess.typed_order().await;
    let typed = typed.filter(|typed| is_of(typed, cart))?;
    Some(Typed {
        name: typed.name,
        comment: typed.comment.unwrap_or_default(),
        payment: typed.payment.as_deref().and_then(PayWay::from_code),
        age: visit.now.saturating_sub(typed.at),
    })
}

/// Forgets what the cart was ordered with. While the order waits for its payment it may still be called off.
///
/// # Errors
/// When the session cannot be written.
pub(in crate::features) async fn forget_typed(
    visit: &Visit,
    cart: &Cart,
) -> Result<(), Unavailable> {
    match visit.sess.typed_order().await {
        Some(typed) if is_ordered(&typed, cart) => visit.sess.set_typed_order(None).await,
        _ => Ok(()),
    }
}

/// Another venue's order is another one, unless the dishes went along to another service.
fn is_of(typed: &TypedOrder, cart: &Cart) -> bool {
    let is_same = typed.venue == cart.venue_id || typed.generation == cart.generation;
    is_same && !is_ordered(typed, cart)
}

fn is_ordered(typed: &TypedOrder, cart: &Cart) -> bool {
    cart.became.iter().any(|order| order.at >= typed.at)
}

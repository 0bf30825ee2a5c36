//! An order that waits for its payment: its lines leave the cart when the upstream confirms it, and stay when it is
//! called off (beyond.md, 6). Nothing that a browser says is believed here.

use super::{forget_typed, of_page};
use crate::{
    features::analytics::{self, Cleared},
    state::{
        self,
        carts::{Cart, CartId, Unpaid, UpdateError},
    },
    upstream::{Error, Order, OrderId, OrderStatus},
    web::{
        app::App,
        session::{OwnOrder, Unavailable},
        visit::Visit,
    },
};

/// How an order that had to be paid stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Truth {
    /// It waits.
    Waits,
    /// The upstream has the money.
    Paid,
    /// It was called off: by the guest, or as it was not paid in time.
    CalledOff,
}

/// What an order says of its payment. A kitchen that has begun has its money too.
#[must_use]
pub fn truth(order: &Order) -> Truth {
    match order.status {
        OrderStatus::Canceled => Truth::CalledOff,
        OrderStatus::Created | OrderStatus::Unknown if !order.is_paid => Truth::Waits,
        _ => Truth::Paid,
    }
}

/// The cart as it is once its unpaid order was asked for. A cart without one needs no call; while the upstream does
/// not answer it stays as it is. The session learns of its orders, if a server died before it could.
///
/// # Errors
/// When the store does not answer.
pub async fn settled(visit: &Visit, cart: Cart) -> Result<Cart, state::Error> {
    if !visit.is_prefetch()
        && let Err(error) = learn(visit, &cart).await
    {
        tracing::warn!(%error, "A session could not learn of its order");
    }
    let Some(order) = cart.unpaid.as_ref().and_then(id) else {
        return Ok(cart);
    };
    let caller = visit.personal_caller().await.optional();
    let known = match visit.app.upstream.order(&caller, &order).await {
        Ok(order) => truth(&order),
        Err(Error::NotFound) => Truth::CalledOff,
        Err(_) => return Ok(cart),
    };
    Ok(apply(&visit.app, &cart.id, order.as_str(), known)
        .await?
        .unwrap_or(cart))
}

/// The session knows the orders of its cart, and what they were ordered with no more.
async fn learn(visit: &Visit, cart: &Cart) -> Result<(), Unavailable> {
    // The oldest first: the newest stands in front.
    let settled = cart.became.iter().rev().cloned();
    let became = settled.chain(cart.unpaid.as_ref().map(Unpaid::became));
    let own = became.map(|became| OwnOrder {
        id: became.order,
        number: became.number,
        href: became.page,
        placed_at: became.at,
        door: None,
    });
    visit.sess.learn_own_orders(own).await?;
    forget_typed(visit, cart).await
}

/// The orders of this visit, newest first, those of its cart among them.
pub async fn own_orders(visit: &Visit) -> Vec<OwnOrder> {
    // What the store does not tell now it tells later.
    let _ = of_page(visit).await;
    visit.sess.own_orders().await
}

/// Tells a cart how its order ended; once, by the first request. `None` while it has not ended.
///
/// # Errors
/// When the store does not answer.
pub async fn apply(
    app: &App,
    cart: &CartId,
    order: &str,
    truth: Truth,
) -> Result<Option<Cart>, state::Error> {
    let carts = app.state.carts();
    let changed = match truth {
        Truth::Waits => return Ok(None),
        Truth::Paid => {
            carts
                .update(cart, |cart| {
                    Ok::<_, std::convert::Infallible>(cart.settle(order))
                })
                .await
        }
        Truth::CalledOff => {
            carts
                .update(cart, |cart| {
                    cart.give_up(order);
                    Ok(false)
                })
                .await
        }
    };
    let (cart, paid) = changed.map_err(|error| match error {
        UpdateError::State(error) => error,
        UpdateError::Refused(never) => match never {},
    })?;
    if paid {
        analytics::payment_succeeded();
        if cart.is_empty() {
            analytics::cart_cleared(Cleared::Ordered);
        }
    }
    Ok(Some(cart))
}

fn id(unpaid: &Unpaid) -> Option<OrderId> {
    unpaid.order.parse().ok()
}

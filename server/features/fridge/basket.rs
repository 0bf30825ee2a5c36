//! What is scanned at an open door stands in one cart, on whatever phone of the guest: one may die, another goes on (BC-14).

use crate::{
    error::Error,
    state::{
        carts::CartId,
        idempotency::{Begun, OF_DOOR, body_hash},
    },
    upstream::FridgeSession,
    web::{app::App, visit::Visit},
};

fn key(session: &str) -> String {
    format!("{OF_DOOR}basket.{session}")
}

/// Keeps which cart belongs to a door; the first word counts.
pub(super) async fn remember(visit: &Visit, session: &str, cart: &CartId) -> Result<(), Error> {
    let records = visit.app.state.idempotency();
    let key = key(session);
    if let Begun::New = records.begin(&key, body_hash(session), "").await? {
        records.finish(&key, cart.as_str()).await?;
    }
    Ok(())
}

/// The cart of a door, if it was opened here.
pub(super) async fn cart_of(app: &App, session: &str) -> Result<Option<CartId>, Error> {
    let known = app.state.idempotency().get(&key(session)).await?;
    let answer = known.and_then(|known| known.answer);
    Ok(answer.as_deref().and_then(CartId::parse))
}

/// A phone on which nothing lies in the cart goes on with the cart of the door until that is settled. Whose door it is the
/// upstream has said.
pub(super) async fn take_up(visit: &Visit, session: &FridgeSession) -> Result<(), Error> {
    let Some(cart) = cart_of(&visit.app, session.id.as_str()).await? else {
        return Ok(());
    };
    let own = visit.sess.cart().await;
    if own.as_ref() == Some(&cart) {
        return Ok(());
    }
    if let Some(own) = own
        && !visit.app.state.carts().load(&own).await?.is_empty()
    {
        return Ok(());
    }
    let door = session.id.as_str();
    visit.sess.borrow_cart(&cart, door, visit.now).await?;
    Ok(())
}

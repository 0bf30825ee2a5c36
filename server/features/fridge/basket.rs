//! What is scanned at an open door stands in one cart, on whatever phone of the guest: one may die, another goes on (BC-14).

use super::settle;
use crate::{
    error::Error,
    state::{
        carts::CartId,
        idempotency::{Begun, OF_DOOR, body_hash},
    },
    upstream::FridgeSession,
    web::{app::App, session::OpenedFridge, visit::Visit},
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

/// A phone on which nothing lies in the cart goes on with the cart of the door. Whose door it is the upstream has said.
pub(super) async fn take_up(visit: &Visit, session: &FridgeSession) -> Result<(), Error> {
    let key = key(session.id.as_str());
    let known = visit.app.state.idempotency().get(&key).await?;
    let answer = known.and_then(|known| known.answer);
    let Some(cart) = answer.as_deref().and_then(CartId::parse) else {
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
    visit.sess.take_cart(&cart).await?;
    Ok(())
}

/// Whether a cart holds what was scanned at a door that was not shut yet, as far as is known. It is paid for when the door
/// is shut, so it outlives the session: the guest finds it when they sign in again, or on another phone.
pub async fn is_of_open_door(app: &App, fridge: Option<&OpenedFridge>, cart: &CartId) -> bool {
    let Some(fridge) = fridge else {
        return false;
    };
    let records = app.state.idempotency();
    match records.get(&key(&fridge.session)).await {
        Ok(Some(door)) if door.answer.as_deref() == Some(cart.as_str()) => {}
        Ok(_) => return false,
        Err(_) => return true,
    }
    match records.get(&settle::key(&fridge.session)).await {
        Ok(settled) => settled.is_none_or(|settled| settled.answer.is_none()),
        Err(_) => true,
    }
}

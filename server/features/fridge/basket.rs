//! What is scanned at an open door stands in one cart, on whatever phone of the guest: one may die, another goes on (BC-14).

use crate::{
    error::Error,
    features::attempts::leave_cart,
    state::{
        carts::{CartId, MutationId, UpdateError},
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

/// The phone goes on with the cart of the door until that is settled; then it gets its own back. Whose door it is the
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
        && !makes_way(visit, &own, &cart, session).await?
    {
        return Ok(());
    }
    let door = session.id.as_str();
    visit.sess.borrow_cart(&cart, door, visit.now).await?;
    Ok(())
}

/// Whether the phone's own cart can wait until the door is settled. What was chosen there of this fridge goes into the cart
/// of the door: it is in the guest's hands as well.
async fn makes_way(
    visit: &Visit,
    own: &CartId,
    door: &CartId,
    session: &FridgeSession,
) -> Result<bool, Error> {
    let carts = visit.app.state.carts();
    let own = carts.load(own).await?;
    if own.is_empty() {
        return Ok(true);
    }
    let here = session.venue.map(|venue| venue.0);
    let shared = carts.load(door).await?;
    if !shared.is_empty() && shared.venue_id != here {
        // The phone that opened the door has scanned nothing.
        return Ok(false);
    }
    let Some(venue) = here.filter(|here| own.venue_id == Some(*here)) else {
        return Ok(true);
    };
    let key = format!("{}.{}", key(session.id.as_str()), own.id.as_str());
    let once = MutationId::of_order(&key);
    let taken = carts
        .update(door, |cart| {
            cart.once(Some(&once), |cart| {
                cart.take_in(venue, &own.lines, visit.now)
            })
        })
        .await;
    match taken {
        Ok(_) => {
            let lines = (own.lines.as_slice(), Some(own.generation));
            leave_cart(&visit.app, &own.id, lines, &key).await?;
            Ok(true)
        }
        // More than a cart holds.
        Err(UpdateError::Refused(_)) => Ok(false),
        Err(UpdateError::State(error)) => Err(error.into()),
    }
}

//! What is scanned at an open door stands in one cart, on whatever phone of the guest: one may die, another goes on (BC-14).
//! Carts in which other phones have scanned before that are known beside it, and their goods come along.

use super::settle;
use crate::{
    error::Error,
    features::attempts::leave_cart,
    state::{
        carts::{Cart, CartId, MutationId, UpdateError},
        idempotency::{Begun, OF_DOOR, body_hash},
    },
    upstream::{Door, FridgeSession, VenueId},
    web::{app::App, visit::Visit},
};

/// The first cart of a door, or another one.
fn key(session: &str, place: usize) -> String {
    match place {
        0 => format!("{OF_DOOR}basket.{session}"),
        place => format!("{OF_DOOR}basket.{session}.{place}"),
    }
}

/// Keeps which cart belongs to a door; the first word counts.
pub(super) async fn remember(visit: &Visit, session: &str, cart: &CartId) -> Result<(), Error> {
    keep(&visit.app, session, 0, cart).await
}

async fn keep(app: &App, session: &str, place: usize, cart: &CartId) -> Result<(), Error> {
    let records = app.state.idempotency();
    let key = key(session, place);
    if let Begun::New = records.begin(&key, body_hash(session), "").await? {
        records.finish(&key, cart.as_str()).await?;
    }
    Ok(())
}

/// The carts of a door that was opened here, the first one first.
pub(super) async fn carts_of(app: &App, session: &str) -> Result<Vec<CartId>, Error> {
    let (records, mut carts) = (app.state.idempotency(), Vec::new());
    loop {
        let known = records.get(&key(session, carts.len())).await?;
        let answer = known.and_then(|known| known.answer);
        match answer.as_deref().and_then(CartId::parse) {
            Some(cart) => carts.push(cart),
            None => return Ok(carts),
        }
    }
}

/// One more cart of a door.
async fn join(app: &App, session: &str, cart: &CartId) -> Result<(), Error> {
    // Another phone may take the place meanwhile.
    for _ in 0..3 {
        let carts = carts_of(app, session).await?;
        if carts.contains(cart) {
            break;
        }
        keep(app, session, carts.len(), cart).await?;
    }
    Ok(())
}

/// Notes at the guest's open door that goods of its fridge are in the cart of this phone: its page may have been loaded
/// before another phone has opened the door. Where the upstream does not answer in time they are found when this phone
/// looks at the door.
///
/// # Errors
/// When the store does not answer.
pub async fn note_scanned(visit: &Visit, venue: VenueId) -> Result<(), Error> {
    let (Some(_), Some(cart)) = (&visit.signed_in, visit.sess.cart().await) else {
        return Ok(());
    };
    let public = visit.caller(None).optional();
    let card = visit
        .app
        .upstream
        .venue(&public, venue, visit.brand())
        .await;
    if !card.is_ok_and(|card| card.is_fridge()) {
        return Ok(());
    }
    if let Some(known) = visit.sess.fridge().await
        && known.venue == venue.0
        && carts_of(&visit.app, &known.session).await?.contains(&cart)
    {
        let key = settle::key(&known.session);
        if visit.app.state.idempotency().get(&key).await?.is_none() {
            return Ok(());
        }
    }
    let caller = visit.personal_caller().await.optional();
    let running = visit.app.upstream.fridge_sessions(&caller).await;
    let running = running.unwrap_or_default();
    let here = |session: &&FridgeSession| session.venue == Some(venue);
    match running.iter().find(here) {
        Some(session) if session.door == Door::Open => {
            join(&visit.app, session.id.as_str(), &cart).await
        }
        _ => Ok(()),
    }
}

/// The phone goes on with the cart of the door until that is settled; then it gets its own back. Whose door it is the
/// upstream has said.
pub(super) async fn take_up(visit: &Visit, session: &FridgeSession) -> Result<(), Error> {
    let door = session.id.as_str();
    let carts = carts_of(&visit.app, door).await?;
    let own = visit.sess.cart().await;
    if own.is_some() && carts.as_slice() == own.as_slice() {
        return Ok(());
    }
    let Some(cart) = cart_for(visit, session, &carts, own.as_ref()).await? else {
        return Ok(());
    };
    if own.as_ref() == Some(&cart) {
        return Ok(());
    }
    if let Some(own) = own
        && !makes_way(visit, &own, &cart, session).await?
    {
        return Ok(());
    }
    visit.sess.borrow_cart(&cart, door, visit.now).await?;
    Ok(())
}

/// The cart that goods of the door go into: the first of the door's that holds nothing of another venue, or that of this
/// phone.
async fn cart_for(
    visit: &Visit,
    session: &FridgeSession,
    carts: &[CartId],
    own: Option<&CartId>,
) -> Result<Option<CartId>, Error> {
    for cart in carts {
        if is_for(&visit.app.state.carts().load(cart).await?, session) {
            return Ok(Some(cart.clone()));
        }
    }
    // A door that was not opened here has no cart, and a phone keeps its own.
    let Some(own) = own.filter(|own| !carts.is_empty() && !carts.contains(own)) else {
        return Ok(None);
    };
    let can_hold = is_for(&visit.app.state.carts().load(own).await?, session);
    if can_hold {
        join(&visit.app, session.id.as_str(), own).await?;
    }
    Ok(can_hold.then(|| own.clone()))
}

/// Whether it can hold goods of the fridge.
fn is_for(cart: &Cart, session: &FridgeSession) -> bool {
    cart.is_empty() || cart.venue_id == session.venue.map(|venue| venue.0)
}

/// What the guest's other phones have scanned at the door comes into the cart of this one, which pays for it.
pub(super) async fn gather(visit: &Visit, session: &FridgeSession) -> Result<(), Error> {
    let Some(cart) = visit.sess.cart().await else {
        return Ok(());
    };
    for other in carts_of(&visit.app, session.id.as_str()).await? {
        if other != cart {
            makes_way(visit, &other, &cart, session).await?;
        }
    }
    Ok(())
}

/// Whether a cart can wait until the door is settled. What was chosen there of this fridge goes into the cart of the door:
/// it is in the guest's hands as well. What was paid at a door before stays until it leaves.
async fn makes_way(
    visit: &Visit,
    own: &CartId,
    door: &CartId,
    session: &FridgeSession,
) -> Result<bool, Error> {
    let Some(venue) = session.venue.map(|venue| venue.0) else {
        return Ok(true);
    };
    let carts = visit.app.state.carts();
    if carts.load(own).await?.venue_id != Some(venue) {
        return Ok(true);
    }
    let sent = settle::unsettled(visit, own).await?;
    // Two phones that look at once move the same goods once.
    let records = visit.app.state.idempotency();
    let turn = format!("{}.turn", key(session.id.as_str(), 0));
    let (Begun::New | Begun::Orphaned { .. }) =
        records.begin_in_turn(&turn, body_hash(""), "").await?
    else {
        return Ok(false);
    };
    let moved: Result<bool, Error> = async {
        let own = carts.load(own).await?;
        let lines = match &sent {
            Some(sent) => sent.beyond(&own),
            None => own.lines.clone(),
        };
        let key = format!(
            "{}.{}.{}",
            key(session.id.as_str(), 0),
            own.id.as_str(),
            own.version
        );
        let once = MutationId::of_order(&key);
        let taken = carts
            .update(door, |cart| {
                cart.once(Some(&once), |cart| cart.take_in(venue, &lines, visit.now))
            })
            .await;
        match taken {
            Ok(_) if lines.is_empty() => Ok(true),
            Ok(_) => {
                leave_cart(&visit.app, &own.id, (&lines, Some(own.generation)), &key).await?;
                Ok(true)
            }
            // More than a cart holds.
            Err(UpdateError::Refused(_)) => Ok(false),
            Err(UpdateError::State(error)) => Err(error.into()),
        }
    }
    .await;
    records.release(&turn).await?;
    moved
}

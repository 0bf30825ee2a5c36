//! `POST /fridge/close`: the door is shut and what was taken is paid for, once per door (BC-05, BC-06). Then the phones that
//! have scanned there have their own carts again.

use super::{
    LOST, basket, path,
    settle::{Sent, Taken, finish, key, note_sent, unsettled},
};
use crate::{
    error::Error,
    features::{
        attempts::{Attempt as _, Sending, read_record},
        cart_view::{name_of, unpaid},
    },
    state::{
        carts::{CartId, Line, Unpaid},
        idempotency::Begun,
    },
    upstream::{self, Door, FridgeSessionId, VenueId},
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
            finish(&visit.app, &known).await?;
            remember(&visit, venue, &session).await?;
            return Ok(Outcome::go(page).with_cart());
        }
        // Whichever phone shuts it pays for what was scanned on all.
        Ok(known) => {
            basket::take_up(&visit, &known).await?;
            basket::gather(&visit, &known).await?;
        }
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
    let sent = match here {
        true => unsettled(&visit, &cart.id).await?,
        false => None,
    };
    // What is being paid at another door is not paid here as well.
    let sent = sent.filter(|sent| sent.session != session);
    let lines = match &sent {
        Some(sent) => sent.beyond(&cart),
        None if here => cart.lines,
        None => Vec::new(),
    };
    let taken = Taken {
        cart: cart.id,
        venue,
        session: session.clone(),
        lines,
        generation: here.then_some(cart.generation),
        fingerprint: caller.fingerprint.as_ref().map(|it| it.as_str().to_owned()),
        bearer: visit.app.upstream.bearer_to_keep(&caller),
        lang: visit.lang,
        country: visit.country,
    };
    let records = visit.app.state.idempotency();
    let key = key(session.as_str());
    let body = serde_json::to_string(&taken).map_err(|error| Error::Internal(error.to_string()))?;
    let (taken, sending) = match records.begin(&key, taken.hash(), &body).await? {
        Begun::New => (taken, Sending::First),
        Begun::Orphaned { body } => (read_record(&body)?, Sending::Again),
        Begun::Done { .. } => {
            remember(&visit, venue, &session).await?;
            return Ok(Outcome::go(page).with_cart());
        }
        Begun::InFlight => return Ok(Outcome::go(page).in_flight()),
        Begun::Mismatch => return refused(FieldError::new("form", ErrorCode::BadInput)),
    };
    // A door that was opened on another phone is this one's from here on.
    remember(&visit, venue, &session).await?;
    if !taken.lines.is_empty() {
        note_sent(&visit.app, &taken.cart, &key).await?;
    }
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
                _ => FieldError::rejected(&rejection),
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
    match basket::carts_of(app, &fridge.session).await {
        Ok(carts) if !carts.contains(cart) => return false,
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

/// The same for a page, which shows the cart: the upstream may know that the door is over, and nobody has settled it here.
///
/// # Errors
/// When the store does not answer.
pub async fn give_back_if_over(visit: &Visit) -> Result<(), Error> {
    give_back(visit).await?;
    let (Some(borrowed), Some(_)) = (visit.sess.borrowed().await, &visit.signed_in) else {
        return Ok(());
    };
    let Ok(door) = borrowed.door.parse() else {
        return Ok(());
    };
    let caller = visit.personal_caller().await.optional();
    match visit.app.upstream.fridge_session(&caller, &door).await {
        Ok(session) if session.door == Door::Closed => finish(&visit.app, &session).await?,
        Ok(session) if session.door == Door::Failed => {}
        // Its own page tells what was not paid at a door that is lost.
        Err(upstream::Error::NotFound) if !visit.matched.page.opens_door => {}
        Ok(_) | Err(_) => return Ok(()),
    }
    visit.sess.give_cart_back().await?;
    Ok(())
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

//! `/orders/checking/{key}`: an order whose outcome is not known yet. It is sent again with the same key: by itself
//! while its guest is surely waiting for it, then by the guest.

use axum::extract::Path;

use super::{
    CheckingPage, LeftOrder,
    attempt::{Attempt, Placed},
    place::{again, at_button, done, not_placed},
    prepare::CART,
    resolving::{is_left, resolve},
};
use crate::{
    error::Error,
    features::{
        attempts::{Attempt as _, checking, read_record, short},
        cart_view,
        checkout::ORDER_BUTTON,
        loaded::{Facts, Loaded, PageRequest},
        mapping,
        place::Place,
    },
    keys::seal::Keys,
    state::{
        carts::Cart,
        idempotency::{Begun, Known, Phase},
    },
    web::{
        change::{
            form::Form,
            outcome::{ErrorCode, Outcome},
        },
        page::Page,
        visit::Visit,
    },
};

/// Seconds until the page looks again where scripts do not run.
const REFRESH: u32 = 3;

/// A cart may have changed so often since it was ordered.
const VERSIONS: u64 = 100;

/// `/orders/checking/{key}`
pub const PAGE: Page = Page::builder("checking", "/orders/checking/{key}")
    .of_orders()
    .open();

/// Loads the page; leads to the order once it exists, to the cart when it never will.
///
/// # Errors
/// Not found for a key of another guest's cart; when the store does not answer.
pub async fn load(request: PageRequest) -> Result<Loaded<CheckingPage>, Error> {
    let Facts { visit, place, .. } = &*request;
    let key = visit.matched.param("key");
    let Some(known) = visit.app.state.idempotency().get(key).await? else {
        // It did not become an order and was given up; a guest whose dishes still wait is told so at the order's button.
        // Any other key comes from a foreign link, and tells nothing.
        let waits = cart_view::of_page(visit)
            .await?
            .is_some_and(|cart| !cart.is_empty() && is_key_of(&visit.app.keys, cart, key));
        if waits && !visit.is_prefetch() {
            visit.sess.set_flash(&not_placed()).await?;
        }
        return Ok(Loaded::Redirect(ORDER_BUTTON.to_owned()));
    };
    let attempt = own(visit, &known).await?;
    match &known {
        Known {
            answer: Some(answer),
            ..
        } => {
            if visit.is_prefetch() {
                let placed: Placed = read_record(answer)?;
                return Ok(Loaded::Redirect(placed.href));
            }
            let outcome = done(visit, &known.key, &known.body, answer).await?;
            return Ok(Loaded::Redirect(outcome.to));
        }
        Known {
            phase: Phase::Working | Phase::Unknown | Phase::Done,
            answer: None,
            ..
        } if !visit.is_prefetch() && !is_left(&visit.app, &known) => {
            let (app, key, body) = (visit.app.clone(), known.key.clone(), known.body.clone());
            let caller = match visit.signed_in {
                Some(_) => Some(visit.personal_caller().await),
                None => None,
            };
            tokio::spawn(async move {
                if let Err(error) = resolve(&app, &key, &body, caller).await {
                    tracing::warn!(%error, "An open attempt to order could not be resolved");
                }
            });
        }
        Known { .. } => {}
    }
    // One that is being sent was asked for.
    let is_left = is_left(&visit.app, &known) && known.phase == Phase::Unknown;
    let page = CheckingPage {
        left: match is_left {
            true => Some(left(visit, place, &attempt).await),
            false => None,
        },
        key: known.key,
    };
    let page = Loaded::page(page).stale(true);
    Ok(page.refresh((!is_left).then_some(REFRESH)))
}

/// What was ordered from the cart of this visit.
async fn own(visit: &Visit, known: &Known) -> Result<Attempt, Error> {
    let attempt: Attempt = read_record(&known.body)?;
    visit.sess.must_be_available()?;
    if visit.sess.cart().await.as_ref() != Some(&attempt.cart) {
        return Err(Error::NotFound("order"));
    }
    Ok(attempt)
}

async fn left(visit: &Visit, place: &Place, attempt: &Attempt) -> LeftOrder {
    let caller = visit.caller(None).optional();
    let upstream = &visit.app.upstream;
    let Ok(venue) = upstream.venue(&caller, attempt.venue, None).await else {
        return LeftOrder { phone: None };
    };
    let country = place.country_of(visit, venue.town.as_ref()).await;
    LeftOrder {
        phone: mapping::phone_of(&venue, &place.phone_code(country, venue.town.as_ref())),
    }
}

/// `POST /orders/checking/{key}/send`: the guest still wants what the server does not send by itself any more.
///
/// # Errors
/// Not found for a key of another guest's cart; when the store does not answer.
pub async fn send(visit: Visit, Path(key): Path<String>, form: Form) -> Result<Outcome, Error> {
    let Some(known) = visit.app.state.idempotency().get(&key).await? else {
        return Ok(Outcome::go(ORDER_BUTTON.to_owned()));
    };
    let attempt = own(&visit, &known).await?;
    let outcome = again(&visit, &form, &known, attempt.hash()).await?;
    let page = checking(&key);
    Ok(match outcome {
        // It is as before: that the press was heard has to be said.
        open if open.to == page && !open.busy => {
            Outcome::refused_form(&form, page, ErrorCode::Unavailable)
        }
        outcome => at_button(outcome),
    })
}

/// `POST /orders/checking/{key}/drop`: the guest does not want it any more. The cart keeps its dishes.
///
/// # Errors
/// Not found for a key of another guest's cart; when the store does not answer.
pub async fn drop(visit: Visit, Path(key): Path<String>) -> Result<Outcome, Error> {
    let records = visit.app.state.idempotency();
    let Some(known) = records.get(&key).await? else {
        return Ok(Outcome::go(CART.to_owned()));
    };
    let attempt = own(&visit, &known).await?;
    if !is_left(&visit.app, &known) {
        return Ok(Outcome::go(checking(&key)));
    }
    match records.begin(&key, attempt.hash(), &known.body).await? {
        Begun::Done { answer } => done(&visit, &key, &known.body, &answer).await,
        Begun::InFlight | Begun::Mismatch => Ok(Outcome::go(checking(&key))),
        Begun::New | Begun::Orphaned { .. } => {
            records.release(&key).await?;
            tracing::info!(
                attempt = short(&key),
                "An order of unknown outcome is not wanted any more"
            );
            Ok(Outcome::go(CART.to_owned()))
        }
    }
}

/// Whether it is the key of an order of this cart, as it is or was.
fn is_key_of(keys: &Keys, cart: &Cart, key: &str) -> bool {
    let oldest = cart.version.saturating_sub(VERSIONS);
    (oldest..=cart.version).any(|version| {
        let own = keys.order_key(cart.id.as_str(), version);
        let before = keys.previous_order_key(cart.id.as_str(), version);
        own == key || before.as_deref() == Some(key)
    })
}

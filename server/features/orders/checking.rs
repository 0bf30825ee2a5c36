//! `/orders/checking/{key}`: an order whose outcome is not known yet. It is sent again with the same key.

use super::{
    CheckingPage,
    attempt::{Attempt, Placed},
    place::{done, not_placed},
    resolving::resolve,
};
use crate::{
    error::Error,
    features::{
        attempts::kept,
        cart_view,
        checkout::ORDER_BUTTON,
        loaded::{Facts, Loaded, PageRequest},
    },
    keys::seal::Keys,
    state::{
        carts::Cart,
        idempotency::{Known, Phase},
    },
    web::page::Page,
};

/// Seconds until the page looks again where scripts do not run.
const REFRESH: u32 = 3;

/// A cart may have changed so often since it was ordered.
const VERSIONS: u64 = 100;

/// `/orders/checking/{key}`
pub const PAGE: Page = Page::new("checking", "/orders/checking/{key}").of_orders();

/// Loads the page; leads to the order once it exists, to the cart when it never will.
///
/// # Errors
/// Not found for a key of another guest's cart; when the store does not answer.
pub async fn load(request: PageRequest) -> Result<Loaded<CheckingPage>, Error> {
    let Facts { visit, .. } = &*request;
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
    let attempt: Attempt = kept(&known.body)?;
    visit.sess.must_be_available()?;
    if visit.sess.cart().await.as_ref() != Some(&attempt.cart) {
        return Err(Error::NotFound("order"));
    }
    match &known {
        Known {
            answer: Some(answer),
            ..
        } => {
            if visit.is_prefetch() {
                let placed: Placed = kept(answer)?;
                return Ok(Loaded::Redirect(placed.href));
            }
            let outcome = done(visit, &known.key, &known.body, answer).await?;
            return Ok(Loaded::Redirect(outcome.to));
        }
        Known {
            phase: Phase::Working | Phase::Unknown | Phase::Done,
            answer: None,
            ..
        } if !visit.is_prefetch() => {
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
    let page = CheckingPage { key: known.key };
    Ok(Loaded::page(page).stale(true).refresh(Some(REFRESH)))
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

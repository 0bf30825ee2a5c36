//! Signing out: what is the guest's leaves this browser, what is the device's stays (AU-06, S-03).

use super::push;
use crate::{
    error::Error,
    state::carts::CartId,
    upstream::{Bearer, Caller},
    web::{form::Form, outcome::Outcome, session::Moved, visit::Visit},
};

/// Signs out: the push token first, which needs the bearer, then the session with the account, the age answer and the
/// links to orders, the cart last. Table and place stay. An upstream that fails keeps nobody signed in.
///
/// # Errors
/// When the store does not answer: the guest is still signed in then, with everything.
pub async fn sign_out(visit: Visit, form: Form) -> Result<Outcome, Error> {
    if visit.signed_in.is_none() {
        return Ok(Outcome::go(form.back()));
    }
    push::unassign(&visit).await;
    let cart = visit.sess.cart().await;
    let ended = visit.sess.end(&visit.app.state.sessions()).await?;
    if let Moved::On {
        before: Some(account),
    } = ended
    {
        revoke_bearer(&visit, account.bearer);
    }
    if let Some(cart) = cart {
        delete_cart(&visit, &cart).await;
    }
    Ok(Outcome::go(form.back()).with_cart())
}

/// No session names it any more: one that can't be deleted now goes with its time.
pub async fn delete_cart(visit: &Visit, cart: &CartId) {
    if let Err(error) = visit.app.state.carts().delete(cart).await {
        tracing::warn!(%error, "The cart of a guest who is gone could not be deleted");
    }
}

/// The upstream shall take a token no more. The session has lost it already, so nobody waits for this.
pub fn revoke_bearer(visit: &Visit, bearer: Bearer) {
    let (app, caller) = (visit.app.clone(), Caller::guest(visit.lang, visit.country));
    let caller = Caller {
        bearer: Some(bearer),
        ..caller
    };
    tokio::spawn(async move {
        if let Err(error) = app.upstream.revoke_token(&caller).await {
            tracing::warn!(
                class = error.class(),
                "The token of a guest who is gone could not be revoked"
            );
        }
    });
}

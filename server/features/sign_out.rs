//! Signing out: what is the guest's leaves this browser, what is the device's stays (AU-06, S-03).

use super::push;
use crate::{
    error::Error,
    web::{form::Form, outcome::Outcome, visit::Visit},
};

/// Signs out: the push token first, which needs the bearer, then the session with the account, the cart, the age answer
/// and the links to orders. Table, place and device stay. An upstream that fails keeps nobody signed in.
///
/// # Errors
/// When the store does not answer: the guest is still signed in then.
pub async fn sign_out(visit: Visit, form: Form) -> Result<Outcome, Error> {
    if visit.signed_in.is_none() {
        return Ok(Outcome::go(form.back()));
    }
    push::unassign(&visit).await;
    if let Some(cart) = visit.sess.cart().await {
        visit.app.state.carts().delete(&cart).await?;
    }
    visit.sess.end().await?;
    revoke(&visit);
    Ok(Outcome::go(form.back()).with_cart())
}

/// The upstream shall take the guest's token no more. The session has lost it already, so nobody waits for this.
pub fn revoke(visit: &Visit) {
    if visit.signed_in.is_none() {
        return;
    }
    let visit = visit.clone();
    tokio::spawn(async move {
        if let Err(error) = visit.app.upstream.revoke_token(&visit.caller(None)).await {
            tracing::warn!(
                class = error.class(),
                "The token of a guest who is gone could not be revoked"
            );
        }
    });
}

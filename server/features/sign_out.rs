//! Signing out: what is the guest's leaves this browser, what is the device's stays (AU-06, S-03).

use super::{fridge, push};
use crate::{
    error::Error,
    state::carts::CartId,
    upstream::{Bearer, Caller, UserId},
    web::{
        change::{
            form::Form,
            outcome::{ErrorCode, Outcome},
        },
        session::{Moved, OpenedFridge, PushToken},
        visit::Visit,
    },
};

/// The field of the form that ends every session of the account.
const EVERYWHERE: &str = "everywhere";

/// Signs out here; with `everywhere`, first in every other browser. A failing upstream does not prevent that.
///
/// # Errors
/// When the store does not answer: the guest is still signed in then, with everything; of other browsers some may be
/// signed out.
pub async fn sign_out(visit: Visit, form: Form) -> Result<Outcome, Error> {
    if visit.signed_in.is_none() {
        return Ok(Outcome::go(form.back()));
    }
    if form.get(EVERYWHERE).is_some() {
        let Some(user) = user_of(&visit).await else {
            // Whose the sessions are is not known: none of them is ended by a guess.
            let profile = "/profile".to_owned();
            return Ok(Outcome::refused_form(&form, profile, ErrorCode::NotDone));
        };
        end_others(&visit, user).await?;
    }
    end(&visit).await?;
    Ok(Outcome::go(form.back()).with_cart())
}

/// Whose session it is: as the sign-in was told, else as the upstream says now.
async fn user_of(visit: &Visit) -> Option<UserId> {
    if let Some(user) = visit.sess.account().await.and_then(|account| account.user) {
        return Some(user);
    }
    let caller = visit.personal_caller().await;
    visit
        .app
        .upstream
        .user(&caller)
        .await
        .ok()
        .map(|user| user.id)
}

/// Ends the session of this browser: the push token first, which needs the bearer, then the session with the account,
/// the age answer and the links to orders, the cart last. Table and place stay, and what was scanned at an open fridge.
///
/// # Errors
/// When the store does not answer: the guest is still signed in then, with everything.
pub async fn end(visit: &Visit) -> Result<(), Error> {
    push::unassign(visit).await;
    let (cart, fridge) = (visit.sess.own_cart().await, visit.sess.fridge().await);
    let ended = visit.sess.end(&visit.app.state.sessions()).await?;
    if let Moved::On {
        before: Some(account),
    } = ended
    {
        revoke_bearer(visit, account.bearer);
    }
    if let Some(cart) = cart {
        delete_cart(visit, &cart, fridge.as_ref()).await;
    }
    Ok(())
}

/// Ends every other session of an account, with its cart, push token and token (S-25).
///
/// # Errors
/// When the store does not answer: some of them may have ended by then.
pub async fn end_others(visit: &Visit, user: UserId) -> Result<(), Error> {
    let store = visit.app.state.sessions();
    for other in visit.sess.end_others(&store, user).await? {
        if let Some(cart) = &other.cart {
            delete_cart(visit, cart, other.fridge.as_ref()).await;
        }
        let_go(visit, other.account.bearer, other.push);
    }
    Ok(())
}

/// What another session had of the upstream: the push token first, which needs the bearer. No request waits for it.
fn let_go(visit: &Visit, bearer: Bearer, push: Option<PushToken>) {
    let visit = visit.clone();
    tokio::spawn(async move {
        if let Some(push) = push {
            push::unassign_ended(&visit, bearer.clone(), push).await;
        }
        revoke_bearer(&visit, bearer);
    });
}

/// No session names it any more: one that can't be deleted now goes with its time. What was scanned at `fridge`, the last
/// door of that session, stays while the door is open.
pub async fn delete_cart(visit: &Visit, cart: &CartId, fridge: Option<&OpenedFridge>) {
    if fridge::is_of_open_door(&visit.app, fridge, cart).await {
        return;
    }
    if let Err(error) = visit.app.state.carts().delete(cart).await {
        tracing::warn!(%error, "The cart of a guest who is gone could not be deleted");
    }
}

/// The upstream shall take a token no more. The session has lost it already, so no request waits for this.
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

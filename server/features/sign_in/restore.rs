//! A deleted account: its guest is asked whether to restore it, and is signed in only then (AU-16).
//!
//! Its token waits in the sealed session for ten minutes. It is given back when the guest goes on without.

use super::{LASTS, Problem, problem_url};
use crate::{
    error::Error,
    features::{analytics, sign_out},
    upstream::Caller,
    web::{
        change::{
            form::Form,
            outcome::{ErrorCode, Outcome},
        },
        session::{Account, Moved, Restorable, Things},
        visit::Visit,
    },
};

/// What the session keeps of a deleted account.
pub(super) fn waiting(visit: &Visit, account: Account) -> Restorable {
    Restorable {
        account,
        until: visit.now + LASTS,
    }
}

/// The account of a signed-in guest was deleted elsewhere: the guest is signed out. Answers the page that asks whether to restore it.
///
/// # Errors
/// When the session can't be written.
pub async fn keep_deleted(visit: &Visit, back: &str) -> Result<String, Error> {
    if let Some(account) = visit.sess.account().await {
        let store = visit.app.state.sessions();
        let waiting = waiting(visit, account);
        visit
            .sess
            .keep_restorable(&store, &waiting, Things::Own)
            .await?;
    }
    Ok(problem_url(Problem::Deleted, back))
}

/// `POST /session/restore`: restores the account that waits and signs in, or with `answer=no` goes on without it.
///
/// # Errors
/// When the session can't be written.
pub async fn restore(visit: Visit, form: Form) -> Result<Outcome, Error> {
    let (app, back) = (&visit.app, form.back());
    let fail = |problem| Ok(Outcome::go(problem_url(problem, &back)));
    let waiting = visit.sess.restorable(visit.now).await;
    if form.get("answer") == Some("no") {
        visit.sess.forget_restorable().await?;
        if let Some(account) = waiting {
            sign_out::revoke_bearer(&visit, account.bearer);
        }
        return Ok(Outcome::go(back));
    }
    let Some(account) = waiting else {
        return match visit.signed_in {
            Some(_) => Ok(Outcome::go(back)),
            None => fail(Problem::Expired),
        };
    };
    let caller = Caller {
        bearer: Some(account.bearer.clone()),
        renewal: None,
        ..visit.personal_caller().await
    };
    let user = match app.upstream.restore_user(&caller).await {
        Ok(user) => user,
        Err(error) => {
            let problem = Problem::from(error);
            if problem == Problem::Unavailable {
                // It waits on.
                let to = problem_url(Problem::Deleted, &back);
                return Ok(Outcome::refused_form(
                    &Form::default(),
                    to,
                    ErrorCode::Unavailable,
                ));
            }
            visit.sess.forget_restorable().await?;
            sign_out::revoke_bearer(&visit, account.bearer);
            return fail(problem);
        }
    };
    let track = match &account.track {
        Some(_) => account.track,
        None => app.upstream.track(&caller.optional()).await.ok(),
    };
    let account = Account {
        track,
        user: Some(user.id),
        ..account
    };
    let store = app.state.sessions();
    let moved = visit
        .sess
        .sign_in(&store, &account, Things::Own, visit.now)
        .await?;
    match moved {
        Moved::On { .. } => {
            analytics::auth_success();
            Ok(Outcome::go(back))
        }
        Moved::Over => {
            sign_out::revoke_bearer(&visit, account.bearer);
            fail(Problem::Elsewhere)
        }
    }
}

//! What signs a guest in: the answer of the sign-in page, or the track of a host app. Both are exchanged for a token, and
//! that for who it is.

use url::Url;

use super::{Problem, State, open, problem_url, restore};
use crate::{
    error::Error,
    features::{address_book, analytics, booking, cookies, language, push, sign_out},
    upstream::{Bearer, Caller, Class, Fingerprint, Grant, TrackId, User},
    web::{
        change::{
            form::Form,
            outcome::{ErrorCode, Outcome},
        },
        redirect::safe_path,
        session::{Account, Moved, Things},
        visit::Visit,
    },
};

/// Longer codes are refused.
const LONGEST_CODE: usize = 2048;

/// Whether what the session holds went along.
enum Admitted {
    /// The guest is who it was, be it before the upstream ended the sign-in, or the first one to sign in here.
    Same,
    /// Another guest was signed in, whose things are gone.
    Another,
}

/// What the answer of the sign-in page came to: the page that the guest comes back to, or what went wrong on the way to
/// it.
pub async fn finish(visit: &Visit) -> Result<String, (Problem, String)> {
    let state = visit
        .query_value("state")
        .and_then(|text| open(&visit.app, text));
    let Some(state) = state else {
        return Err((Problem::State, "/".to_owned()));
    };
    let back = safe_path(&state.back);
    match exchange(visit, &state).await {
        Ok(_) => {
            booking::forget_typed(visit, &back).await;
            Ok(back)
        }
        Err(Problem::Deleted) => Err((Problem::Deleted, back)),
        // The code was used before, by Back or in a second tab: the guest is signed in (AU-13).
        Err(_) if visit.signed_in.is_some() => Ok(back),
        Err(problem) => Err((problem, back)),
    }
}

/// Signs in with the track that a host app hands over, without leaving the page (AU-03). One that is known already asks
/// no guest (AU-04). It comes by a post of our own pages alone: an address that did it would sign a guest in as somebody
/// else (S-07).
///
/// # Errors
/// None: what goes wrong is told to scripts where they are, and on `/auth` without them.
pub async fn by_track(visit: Visit, form: Form) -> Result<Outcome, Error> {
    // Without what was sent: a track buys a bearer, and enters no page (S-01).
    let refused = |problem, code| {
        let url = problem_url(problem, &form.back());
        Ok(Outcome::refused_form(&Form::default(), url, code))
    };
    let Some(track) = form.parse::<TrackId>("track_id") else {
        return refused(Problem::TrackId, ErrorCode::BadInput);
    };
    if visit.is_carried() {
        return Ok(Outcome::go(cookies::no_sign_in(&form.back())));
    }
    let known = visit.sess.account().await;
    if known.is_some_and(|known| known.has(&track)) {
        return Ok(Outcome::back(form.back()));
    }
    let token = token(&visit, Grant::Track(&track)).await;
    let admitted = match token {
        Ok(bearer) => admit(&visit, bearer, Some(track)).await,
        Err(problem) => Err(problem),
    };
    match admitted {
        Ok(Admitted::Same) => Ok(Outcome::back(form.back())),
        // Scripts load the page anew: it shows the cart of a guest who is gone.
        Ok(Admitted::Another) => Ok(Outcome::go(form.back())),
        Err(Problem::Deleted) => Ok(Outcome::go(problem_url(Problem::Deleted, &form.back()))),
        Err(Problem::Unavailable) => refused(Problem::Unavailable, ErrorCode::Unavailable),
        Err(problem) => refused(problem, ErrorCode::SignIn),
    }
}

/// Asks for a token: this device, without an account yet. A code can't be sent again, so its answer is waited for.
async fn anonymous(visit: &Visit) -> Caller {
    let device = visit.sess.device().await;
    Caller {
        fingerprint: device.as_deref().and_then(Fingerprint::new),
        class: Class::Order,
        ..Caller::guest(visit.lang, visit.country)
    }
}

async fn token(visit: &Visit, grant: Grant<'_>) -> Result<Bearer, Problem> {
    let app = &visit.app;
    let caller = anonymous(visit).await;
    let token = app
        .upstream
        .token(&caller, &app.config.oauth_client_id, grant)
        .await;
    Ok(token.map_err(Problem::from)?.bearer)
}

/// Signs the session in for the code that came, under a new id.
async fn exchange(visit: &Visit, state: &State) -> Result<Admitted, Problem> {
    let app = &visit.app;
    let store = app.state.sessions();
    let taken = visit.sess.take_sign_in(&store, &state.nonce).await;
    let taken = taken.map_err(|_| Problem::Unavailable)?;
    if state.until <= visit.now {
        return Err(Problem::Expired);
    }
    let attempt = taken.ok_or(Problem::Elsewhere)?;
    let iss = visit
        .query_value("iss")
        .and_then(|iss| Url::parse(iss).ok());
    let ours = iss
        .is_some_and(|iss| Some(iss.origin().ascii_serialization()) == app.config.oauth_origin());
    if visit.query.contains_key("iss") && !ours {
        return Err(Problem::State);
    }
    match visit.query_value("error") {
        None => {}
        Some("access_denied") => return Err(Problem::Denied),
        Some("server_error" | "temporarily_unavailable") => return Err(Problem::Unavailable),
        Some(_) => return Err(Problem::Refused),
    }
    // One device from the first call on (ST-12).
    let device = visit.sess.device_or_new().await;
    device.map_err(|_| Problem::Unavailable)?;
    let code = visit
        .query_value("code")
        .filter(|code| code.len() <= LONGEST_CODE);
    let grant = Grant::Code {
        code: code.ok_or(Problem::Code)?,
        redirect_uri: &attempt.redirect_uri,
        verifier: Some(&attempt.verifier),
    };
    let bearer = token(visit, grant).await?;
    admit(visit, bearer, None).await
}

/// Signs in whom a token is of. One that comes to nothing is given back.
async fn admit(visit: &Visit, bearer: Bearer, track: Option<TrackId>) -> Result<Admitted, Problem> {
    let caller = Caller {
        bearer: Some(bearer.clone()),
        ..anonymous(visit).await
    };
    let user = visit
        .app
        .upstream
        .user(&caller)
        .await
        .map_err(Problem::from);
    let admitted = match user {
        Ok(user) => settle(visit, &caller, &bearer, track, &user).await,
        Err(problem) => Err(problem),
    };
    if !matches!(admitted, Ok(_) | Err(Problem::Deleted)) {
        sign_out::revoke_bearer(visit, bearer);
    }
    admitted
}

async fn settle(
    visit: &Visit,
    caller: &Caller,
    bearer: &Bearer,
    track: Option<TrackId>,
    user: &User,
) -> Result<Admitted, Problem> {
    let deleted = user.deleted_at.is_some();
    let account = match track {
        Some(track) => Account::handed(bearer.clone(), track, user.id),
        None if deleted => Account::new(bearer.clone(), None, Some(user.id)),
        // One that does not come now is bought later.
        None => {
            let track = visit.app.upstream.track(&caller.optional()).await;
            Account::new(bearer.clone(), track.ok(), Some(user.id))
        }
    };
    let last = visit.sess.last_user().await;
    let same = match &visit.signed_in {
        Some(_) => last == account.user,
        None => last.is_none_or(|last| Some(last) == account.user),
    };
    let (cart, fridge) = (visit.sess.own_cart().await, visit.sess.fridge().await);
    if !same {
        // It needs a bearer: of the guest who goes, where there is one yet.
        match (&visit.signed_in, visit.sess.push().await) {
            (None, Some(push)) => push::unassign_ended(visit, bearer.clone(), push).await,
            _ => push::unassign(visit).await,
        }
    }
    let store = visit.app.state.sessions();
    let things = if same { Things::Own } else { Things::Another };
    let moved = if deleted {
        let waiting = restore::waiting(visit, account);
        visit.sess.keep_restorable(&store, &waiting, things).await
    } else {
        visit
            .sess
            .sign_in(&store, &account, things, visit.now)
            .await
    };
    match moved.map_err(|_| Problem::Unavailable)? {
        Moved::Over => return Err(Problem::Elsewhere),
        Moved::On { before } => {
            let replaced = before.map(|before| before.bearer);
            if let Some(replaced) = replaced.filter(|replaced| replaced != bearer) {
                sign_out::revoke_bearer(visit, replaced);
            }
        }
    }
    if !same && let Some(cart) = cart {
        sign_out::delete_cart(visit, &cart, fridge.as_ref()).await;
    }
    if !deleted {
        analytics::auth_success();
        let (visit, caller) = (visit.clone(), caller.optional());
        tokio::spawn(async move { language::tell_at_sign_in(&visit, &caller).await });
    }
    match (deleted, same) {
        (true, _) => Err(Problem::Deleted),
        (false, true) => {
            address_book::adopt(visit, &caller.optional()).await;
            Ok(Admitted::Same)
        }
        (false, false) => Ok(Admitted::Another),
    }
}

//! Signing in: off to the upstream's sign-in page, and what its answer is exchanged for (AU-02, AU-09, S-06).
//!
//! The session keeps a name and a secret of each sign-in that it has begun, for ten minutes and one use. The `state`
//! carries that name and the way back, sealed: whoever did not begin it in this session can't end it here, and nobody
//! can read or change where it leads.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use ts_rs::TS;
use url::Url;

use crate::{
    app::App,
    error::Error,
    keys::seal,
    upstream::{self, Caller, Class, Fingerprint, Grant, TrackId},
    web::{
        form::Form,
        outcome::{ErrorCode, Outcome},
        redirect::safe_path,
        session::{Account, Attempt},
        visit::Visit,
    },
};

/// Where the sign-in page sends its answer.
pub const RETURN: &str = "/auth";
/// So long a guest may take on the sign-in page, milliseconds.
const LASTS: i64 = 10 * 60 * 1000;
/// A longer way back is cut to its path: many sign-in pages take no longer `state`.
const LONGEST_BACK: usize = 1500;
/// Longer codes are nobody's.
const LONGEST_CODE: usize = 2048;
const PURPOSE: &str = "sign-in state";

/// Why nobody is signed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "page-data.ts")]
pub enum Problem {
    /// The guest has cancelled.
    Denied,
    /// The answer has no code.
    Code,
    /// The code, or the client, is not taken: used, too old, not ours.
    Refused,
    /// It took too long.
    Expired,
    /// There is no state, or one that we did not make.
    State,
    /// It was begun in another browser, in a session that is over, or was answered already.
    Elsewhere,
    /// The upstream, or our store, does not answer now.
    Unavailable,
}

/// What the `state` says under its seal.
#[derive(Serialize, Deserialize)]
struct State {
    nonce: String,
    back: String,
    until: i64,
}

/// Where a guest goes who opened a page for signed-in guests: to the sign-in page, and from a navigation inside the app
/// to the same address by a whole load. None where nothing may be begun: on a tablet, whose guests do not leave the
/// product, and for whoever asks ahead or for the head alone.
///
/// # Errors
/// When the session can't be written.
pub async fn gate(visit: &Visit) -> Result<Option<String>, Error> {
    if on_tablet(visit).await {
        return Ok(None);
    }
    let query = visit.raw_query.as_deref();
    let here = query.map_or_else(
        || visit.path.clone(),
        |query| format!("{}?{query}", visit.path),
    );
    if !visit.is_document {
        return Ok(Some(format!("{}{}", visit.origin, safe_path(&here))));
    }
    if visit.is_prefetch() {
        return Ok(None);
    }
    begin(visit, &here).await.map(Some)
}

/// The form that leads to the sign-in page; the guest comes back to where it stands.
///
/// # Errors
/// When the session can't be written.
pub async fn start(visit: Visit, form: Form) -> Result<Outcome, Error> {
    if visit.signed_in.is_some() {
        return Ok(Outcome::go(form.back()));
    }
    if on_tablet(&visit).await {
        return Ok(Outcome::refused_form(&form, form.back(), ErrorCode::SignIn));
    }
    Ok(Outcome::leave(begin(&visit, &form.back()).await?))
}

/// What the answer of the sign-in page came to: the page that the guest comes back to, or what went wrong on the way to
/// it.
pub async fn finish(visit: &Visit) -> Result<String, (Problem, String)> {
    let state = visit.asked("state").and_then(|text| open(&visit.app, text));
    let Some(state) = state else {
        return Err((Problem::State, "/".to_owned()));
    };
    let back = safe_path(&state.back);
    match exchange(visit, &state).await {
        Ok(()) => Ok(back),
        // Back to an answer that was used, or a second one beside it: the guest is signed in (AU-13).
        Err(_) if visit.signed_in.is_some() => Ok(back),
        Err(problem) => Err((problem, back)),
    }
}

/// Signs in with the track that a host app hands over, without leaving the page (AU-03). One that is known already asks
/// nobody (AU-04). It comes by a post of our own pages alone: an address that did it would sign a guest in as somebody
/// else (S-07).
///
/// # Errors
/// When the session can't be written.
pub async fn by_track(visit: Visit, form: Form) -> Result<Outcome, Error> {
    let refused = |code| Ok(Outcome::refused_form(&form, form.back(), code));
    let Some(track) = form.parse::<TrackId>("track_id") else {
        return refused(ErrorCode::BadInput);
    };
    let known = visit.sess.account().await.and_then(|account| account.track);
    if known.as_ref() == Some(&track) {
        return Ok(Outcome::back(form.back()));
    }
    let app = &visit.app;
    let caller = stranger(&visit).await;
    let grant = Grant::Track(&track);
    let token = app
        .upstream
        .token(&caller, &app.config.oauth_client_id, grant)
        .await;
    let bearer = match token.map_err(problem_of) {
        Ok(token) => token.bearer,
        Err(Problem::Unavailable) => return refused(ErrorCode::Unavailable),
        Err(_) => return refused(ErrorCode::SignIn),
    };
    let track = Some(track);
    let account = Account { bearer, track };
    visit.sess.sign_in(&app.state.sessions(), &account).await?;
    Ok(Outcome::back(form.back()))
}

/// Who asks for a token: this device, and nobody yet. A code can't be sent again, so its answer is waited for.
async fn stranger(visit: &Visit) -> Caller {
    let device = visit.sess.device().await;
    Caller {
        fingerprint: device.as_deref().and_then(Fingerprint::new),
        class: Class::Order,
        ..Caller::guest(visit.lang, visit.country)
    }
}

/// The address of the sign-in page for a sign-in that begins here.
async fn begin(visit: &Visit, back: &str) -> Result<String, Error> {
    let app = &visit.app;
    let attempt = Attempt {
        nonce: seal::random_name(),
        verifier: seal::random_name() + &seal::random_name(),
        redirect_uri: format!("{}{RETURN}", visit.origin),
        until: visit.now + LASTS,
    };
    let page = app.config.oauth_url.as_deref().unwrap_or_default();
    let mut page = Url::parse(page).map_err(|error| Error::Internal(error.to_string()))?;
    page.query_pairs_mut()
        .append_pair("response_type", "code")
        .append_pair("client_id", &app.config.oauth_client_id)
        .append_pair("redirect_uri", &attempt.redirect_uri)
        .append_pair("state", &sealed(app, &attempt, back)?)
        .append_pair("code_challenge", &challenge_of(&attempt.verifier))
        .append_pair("code_challenge_method", "S256");
    visit.sess.begin_sign_in(attempt, visit.now).await?;
    Ok(page.into())
}

/// Signs the session in for the code that came, under a new id.
async fn exchange(visit: &Visit, state: &State) -> Result<(), Problem> {
    let app = &visit.app;
    let store = app.state.sessions();
    let taken = visit.sess.take_sign_in(&store, &state.nonce).await;
    let taken = taken.map_err(|_| Problem::Unavailable)?;
    if state.until <= visit.now {
        return Err(Problem::Expired);
    }
    let attempt = taken.ok_or(Problem::Elsewhere)?;
    let iss = visit.asked("iss").and_then(|iss| Url::parse(iss).ok());
    let ours = iss
        .is_some_and(|iss| Some(iss.origin().ascii_serialization()) == app.config.oauth_origin());
    if visit.query.contains_key("iss") && !ours {
        return Err(Problem::State);
    }
    match visit.asked("error") {
        None => {}
        Some("access_denied") => return Err(Problem::Denied),
        Some("server_error" | "temporarily_unavailable") => return Err(Problem::Unavailable),
        Some(_) => return Err(Problem::Refused),
    }
    let code = visit
        .asked("code")
        .filter(|code| code.len() <= LONGEST_CODE);
    let code = code.ok_or(Problem::Code)?;
    let caller = stranger(visit).await;
    let grant = Grant::Code {
        code,
        redirect_uri: &attempt.redirect_uri,
        verifier: Some(&attempt.verifier),
    };
    let token = app
        .upstream
        .token(&caller, &app.config.oauth_client_id, grant)
        .await;
    let bearer = token.map_err(problem_of)?.bearer;
    let caller = Caller {
        bearer: Some(bearer.clone()),
        ..caller.optional()
    };
    // Without one the sign-in ends with its bearer; that is no reason to have none.
    let track = app.upstream.track(&caller).await.ok();
    let account = Account { bearer, track };
    visit
        .sess
        .sign_in(&store, &account)
        .await
        .map_err(|_| Problem::Unavailable)
}

fn problem_of(error: upstream::Error) -> Problem {
    match error {
        upstream::Error::Unauthorized
        | upstream::Error::NotFound
        | upstream::Error::Rejected(_) => Problem::Refused,
        _ => Problem::Unavailable,
    }
}

async fn on_tablet(visit: &Visit) -> bool {
    let temp = visit.sess.menu_temp().await;
    temp.is_some_and(|temp| temp.is_kiosk())
}

fn sealed(app: &App, attempt: &Attempt, back: &str) -> Result<String, Error> {
    let back = safe_path(back);
    let path = back.split(['?', '#']).next().unwrap_or("/");
    let back = match (back.len(), path.len()) {
        (..=LONGEST_BACK, _) => back.as_str(),
        (_, ..=LONGEST_BACK) => path,
        _ => "/",
    };
    let state = State {
        nonce: attempt.nonce.clone(),
        back: back.to_owned(),
        until: attempt.until,
    };
    let plain = serde_json::to_vec(&state).map_err(|error| Error::Internal(error.to_string()))?;
    Ok(URL_SAFE_NO_PAD.encode(app.keys.seal(PURPOSE, b"", &plain)))
}

fn open(app: &App, text: &str) -> Option<State> {
    let plain = app
        .keys
        .open(PURPOSE, b"", &URL_SAFE_NO_PAD.decode(text).ok()?)?;
    serde_json::from_slice(&plain).ok()
}

/// PKCE's S256 (RFC 7636).
fn challenge_of(verifier: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::challenge_of;

    #[test]
    fn the_challenge_is_that_of_the_standard() {
        // RFC 7636, appendix B.
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
        let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
        assert_eq!(challenge_of(verifier), challenge);
    }
}

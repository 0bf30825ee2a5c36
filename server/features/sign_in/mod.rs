//! Signing in: off to the upstream's sign-in page, and what its answer is exchanged for (AU-02, AU-09, S-06).
//!
//! The session keeps a name and a secret of each sign-in that it has begun, for ten minutes and one use. The `state`
//! carries that name and the way back, sealed: only the session that began it can end it, and no one
//! can read or change where it leads.

mod finish;
mod needed;
pub mod post;
mod restore;

use axum::http::header;
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use url::{Position, Url, form_urlencoded::Serializer};

pub use finish::{by_track, finish};
pub use needed::SignedInVisit;
pub use restore::{keep_deleted, restore};

use super::{booking, cookies, kiosk::on_tablet};
use crate::{
    error::Error,
    keys::seal,
    upstream,
    web::{
        app::App,
        change::{
            form::Form,
            outcome::{ErrorCode, Outcome},
        },
        page::{Access, Page},
        prefix,
        redirect::{SIGN_IN_RETURN, safe_path},
        session::Attempt,
        visit::Visit,
    },
};

/// So long a guest may take on the sign-in page, and to restore a deleted account, milliseconds.
const LASTS: i64 = 10 * 60 * 1000;
/// A longer way back is cut to its path: many sign-in pages take no longer `state`.
const LONGEST_BACK: usize = 1500;
const PURPOSE: &str = "sign-in state";

/// Why the sign-in failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum Problem {
    /// The guest has cancelled.
    Denied,
    /// The answer has no code.
    Code,
    /// A host app has handed over no track, or none that could be one.
    TrackId,
    /// The account was deleted and can be restored (AU-16).
    Deleted,
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

impl From<upstream::Error> for Problem {
    fn from(error: upstream::Error) -> Self {
        match error {
            upstream::Error::Unauthorized
            | upstream::Error::NotFound
            | upstream::Error::Rejected(_) => Self::Refused,
            _ => Self::Unavailable,
        }
    }
}

/// What the `state` says under its seal.
#[derive(Serialize, Deserialize)]
struct State {
    nonce: String,
    back: String,
    until: i64,
}

/// Where a guest goes who opened a page for signed-in guests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Gate {
    /// Off to the sign-in page; its return needs the session.
    Away(String),
    /// To a page of ours that is open to all.
    Stay(String),
}

/// What a browser is led to: the sign-in page, and from a navigation inside the app the same address by a whole load. In a
/// host app no guest is shown that page unasked: what the session holds was tried in silence before, so the guest stays, or
/// goes home where there is nothing to stay on (AU-09, RT-21). None where nothing may be begun: on a tablet, whose guests
/// do not leave the product, and for a request ahead or for the head alone.
///
/// # Errors
/// When the session can't be written, and when too many sign-ins are begun.
pub async fn gate(visit: &Visit) -> Result<Option<Gate>, Error> {
    if on_tablet(visit).await {
        return Ok(None);
    }
    if visit.is_carried() {
        return Ok(Some(Gate::Stay(cookies::no_sign_in(&stay(visit)))));
    }
    if visit.platform.is_host_app() {
        return Ok(Some(Gate::Stay(stay(visit))));
    }
    let query = visit.raw_query.as_deref();
    let here = query.map_or_else(
        || visit.path.clone(),
        |query| format!("{}?{query}", visit.path),
    );
    if !visit.is_document {
        let whole = format!("{}{}", visit.origin, safe_path(&here));
        return Ok(Some(Gate::Away(whole)));
    }
    if visit.is_prefetch() {
        return Ok(None);
    }
    visit.begin_sign_in().await.map_err(Error::TooMany)?;
    Ok(Some(Gate::Away(begin(visit, &here).await?)))
}

/// Whether a page leads guests to the sign-in who have not signed in. A page that only offers it
/// does not.
fn is_gated(page: &Page) -> bool {
    page.access == Access::SignedIn && !page.offers_sign_in
}

/// The page of ours that the guest comes from. Not one for signed-in guests: its own gate would lead in
/// a circle.
fn stay(visit: &Visit) -> String {
    let from = visit.headers.get(header::REFERER);
    let from = from
        .and_then(|from| from.to_str().ok())
        .and_then(|from| Url::parse(from).ok())
        .filter(|from| from.origin().ascii_serialization() == visit.origin)
        .filter(|from| from.path() != SIGN_IN_RETURN)
        .filter(|from| !is_gated(visit.app.page_of(prefix::without(from.path())).page));
    from.map_or_else(
        || "/".to_owned(),
        |from| {
            let page = &from[Position::BeforePath..Position::AfterQuery];
            safe_path(prefix::without(page))
        },
    )
}

/// The form that leads to the sign-in page; the guest comes back to where it stands, and finds what was typed there: where
/// scripts do not run the form of the order or of the booking itself is posted here (AU-11).
///
/// # Errors
/// When the session can't be written.
pub async fn start(visit: Visit, form: Form) -> Result<Outcome, Error> {
    if on_tablet(&visit).await {
        return Ok(Outcome::refused_form(&form, form.back(), ErrorCode::SignIn));
    }
    booking::keep_typed(&visit, &form).await?;
    if visit.signed_in.is_some() {
        return Ok(Outcome::go(form.back()));
    }
    // The name in an address would lead to more than a cart.
    if visit.is_carried() {
        return Ok(Outcome::go(cookies::no_sign_in(&form.back())));
    }
    let away = Outcome::leave(begin(&visit, &form.back()).await?);
    Ok(away)
}

/// The page that tells a guest what a sign-in came to.
#[must_use]
pub fn problem_url(problem: Problem, back: &str) -> String {
    let word = serde_json::to_value(problem).ok();
    let word = word.as_ref().and_then(|word| word.as_str());
    let query = Serializer::new(String::new())
        .append_pair("problem", word.unwrap_or_default())
        .append_pair("back", back)
        .finish();
    format!("{SIGN_IN_RETURN}?{query}")
}

/// The address of the sign-in page for a sign-in that begins here.
async fn begin(visit: &Visit, back: &str) -> Result<String, Error> {
    let app = &visit.app;
    let attempt = Attempt {
        nonce: seal::random_name(),
        verifier: seal::random_name() + &seal::random_name(),
        redirect_uri: format!("{}{SIGN_IN_RETURN}", visit.origin),
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
    let store = app.state.sessions();
    visit.sess.begin_sign_in(&store, attempt, visit.now).await?;
    Ok(page.into())
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
    let plain =
        serde_json::to_string(&state).map_err(|error| Error::Internal(error.to_string()))?;
    Ok(app.keys.seal_text(PURPOSE, &plain))
}

fn open(app: &App, text: &str) -> Option<State> {
    serde_json::from_str(&app.keys.open_text(PURPOSE, text)?).ok()
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

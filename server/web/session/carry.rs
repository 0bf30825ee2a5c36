//! The session of a request: found by its cookie, written when the answer is ready.
//!
//! It stands in the place of tower-sessions' own layer, which makes an error of a finished page when the session can't
//! be written, and takes the cookie away without `Secure`, which browsers overlook for a `__Host-` name.

use std::{net::IpAddr, sync::Arc, time::Duration};

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use tower_sessions::{Session, session::Id};

use super::{
    Sess, Unavailable,
    cookie::{Security, expired_cookie, session_cookie},
    key::Key,
    unavailable,
};
use crate::{
    state::sessions::{SHORT_LIVED, Sessions},
    web::{
        locale::cookie,
        prefix::Carried,
        rate::{BegunBy, Rate, too_many},
    },
};

/// What [`carry`] needs.
#[derive(Clone)]
pub struct Carrier {
    store: Arc<Sessions>,
    /// For what is no page.
    of_changes: Arc<Sessions>,
    security: Security,
    rate: Rate,
}

impl Carrier {
    /// Sessions of a store; `rate` says how many of them an address may begin.
    #[must_use]
    pub fn new(store: Sessions, security: Security, rate: Rate) -> Self {
        Self {
            of_changes: Arc::new(store.clone().without_carts()),
            store: Arc::new(store),
            security,
            rate,
        }
    }
}

/// Who asks for a session to be written.
struct Asker {
    /// The session is not in the store yet.
    is_new: bool,
    client: Option<IpAddr>,
}

/// Extension of a response to a GET that is of no use unless its session is saved: it redirects to the sign-in page, whose
/// answer is checked with what the session remembers.
#[derive(Debug, Clone, Copy)]
pub struct NeedsSession;

/// Extension of a response to a change that was refused: what its session holds is of no use to the guest yet.
#[derive(Debug, Clone, Copy)]
pub struct NothingKept;

/// Extension of a response whose session's cookie lies in a jar of our own: that ends with the session.
#[derive(Debug, Clone, Copy)]
pub struct Lives {
    /// The session is short-lived.
    pub is_short: bool,
}

/// Middleware: loads the session once, and writes what was changed unless the answer is a `5xx`.
///
/// What was read is answered even if its session can't be written, or the address has begun too many of them: a guest
/// without a session sees the menu all the same. Whoever shares an address with somebody who begins sessions without end
/// still gets one, which ends soon if nobody comes back with it. A change is to be tried again then, with [`Unavailable`] in the
/// extensions. A HEAD writes nothing: previews and checkers of links send it, so it binds no table.
pub async fn carry(State(carrier): State<Carrier>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let sent = cookie(&parts.headers, carrier.security.cookie()).map(str::to_owned);
    let id = sent.as_deref().and_then(|text| text.parse::<Id>().ok());
    let store = if parts.method.is_safe() {
        &carrier.store
    } else {
        &carrier.of_changes
    };
    let session = Session::new(id, Arc::clone(store), None);
    parts.extensions.insert(session.clone());
    let sess = Sess::of(&parts).await;
    let known = session.id();
    parts.extensions.insert(sess.clone());
    let method = parts.method.clone();
    let asker = Asker {
        is_new: known.is_none(),
        client: carrier.rate.client_of(&parts),
    };
    let in_jar = parts.extensions.get::<Carried>().is_some();
    let response = next.run(Request::from_parts(parts, body)).await;
    if method == Method::HEAD {
        return response;
    }
    let session = sess.next.get().unwrap_or(&session);
    let mut response = save(&carrier, session, &asker, &method, response).await;
    if in_jar {
        let is_short = has(session, SHORT_LIVED).await;
        response.extensions_mut().insert(Lives { is_short });
    }
    if session.is_empty().await {
        // An unknown one is left alone: another tab may have a newer one by now, which this would delete.
        if known.is_some() {
            put(response.headers_mut(), &expired_cookie(carrier.security));
        }
    } else if let Some(id) = session.id().filter(|id| known != Some(*id)) {
        // The cookie lives as long as a session can: one that the browser has is not sent again. An id that the store
        // has already is told whatever else went wrong.
        put(
            response.headers_mut(),
            &session_cookie(id, carrier.security),
        );
    }
    response
}

/// Writes what was changed, or answers that it is to be tried again.
async fn save(
    carrier: &Carrier,
    session: &Session,
    asker: &Asker,
    method: &Method,
    response: Response,
) -> Response {
    let by = match response.extensions().get::<NeedsSession>() {
        _ if !method.is_safe() => BegunBy::Change,
        Some(_) => BegunBy::SignIn,
        None => BegunBy::Link,
    };
    let is_kept = match by {
        BegunBy::Change => keeps(&response),
        // That a message was shown makes nothing of a session that is there; a table does.
        BegunBy::Link | BegunBy::SignIn => asker.is_new || sits(session).await,
    };
    // What was changed may lie in the cart, which the session of a change that was refused names already.
    let lives_on = async || by == BegunBy::Change && is_kept && has(session, SHORT_LIVED).await;
    if session.is_empty().await
        || response.status().is_server_error()
        || !(session.is_modified() || lives_on().await)
    {
        return response;
    }
    let may_be_lost = by == BegunBy::Link;
    if let Err(wait) = admit(carrier, session, asker, by, is_kept).await {
        metrics::counter!("sessions_unsaved_total", "cause" => "rate").increment(1);
        if may_be_lost {
            return response;
        }
        metrics::counter!("rate_limited_total").increment(1);
        return too_many(wait);
    }
    match session.save().await.map_err(unavailable) {
        Ok(()) => response,
        Err(reason) => {
            metrics::counter!("sessions_unsaved_total", "cause" => "store").increment(1);
            if may_be_lost {
                response
            } else {
                try_again(reason)
            }
        }
    }
}

/// Whether the session may be kept. Beyond the allowance of its address, and while nothing is kept in it, it is short-lived,
/// until something is changed when there is room again.
async fn admit(
    carrier: &Carrier,
    session: &Session,
    asker: &Asker,
    by: BegunBy,
    is_kept: bool,
) -> Result<(), Duration> {
    if !(asker.is_new || is_kept && has(session, SHORT_LIVED).await) {
        return Ok(());
    }
    if is_kept && carrier.rate.begin_session(asker.client).await.is_ok() {
        // One that stays short-lived is asked about again.
        let _ = session.remove_value(SHORT_LIVED).await;
    } else if asker.is_new {
        carrier.rate.begin_short_lived(asker.client, by).await?;
        if is_kept {
            metrics::counter!("sessions_short_lived_total").increment(1);
        }
        // At worst it lives as long as others. Who has signed in stays so: that has an allowance of its own.
        if !has(session, Key::Account.name()).await {
            let _ = session.insert(SHORT_LIVED, true).await;
        }
    }
    Ok(())
}

async fn has(session: &Session, name: &str) -> bool {
    matches!(session.get_value(name).await, Ok(Some(_)))
}

async fn sits(session: &Session) -> bool {
    has(session, Key::MenuTemp.name()).await
}

fn keeps(response: &Response) -> bool {
    !response.status().is_client_error() && response.extensions().get::<NothingKept>().is_none()
}

fn put(headers: &mut HeaderMap, cookie: &str) {
    // Its parts are ours and ASCII.
    if let Ok(value) = HeaderValue::from_str(cookie) {
        headers.append(header::SET_COOKIE, value);
    }
}

fn try_again(reason: Unavailable) -> Response {
    let mut response = (
        StatusCode::SERVICE_UNAVAILABLE,
        [(header::RETRY_AFTER, "2")],
    )
        .into_response();
    response.extensions_mut().insert(reason);
    response
}

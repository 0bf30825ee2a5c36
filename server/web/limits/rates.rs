//! Which requests count as changes, and are refused when there were too many (S-20).

use axum::{
    extract::{Request, State},
    http::{Extensions, Method},
    middleware::Next,
    response::Response,
};
use url::form_urlencoded;

use crate::web::{
    page::Matched,
    rate::{Rate, too_many},
    redirect::SIGN_IN_RETURN,
    session::Sess,
};

/// Reads that each go upstream, to services that cost by the call.
const UNCACHED_READS: [&str; 3] = ["/addresses/at", "/addresses/suggest", "/search/suggest"];

/// Changes that sign a guest in. The answer of the sign-in page is a page of ours.
const SIGN_INS: [&str; 3] = ["/session/sign-in", "/session/track", "/session/restore"];

/// Middleware inside the session layer: `429` with `Retry-After`, or on. Reading is not counted, but for what is asked
/// upstream each time.
///
/// A cookie counts as a session only when the store knows it, so that made-up cookies share their
/// address's allowance.
pub async fn guard(State(rate): State<Rate>, request: Request, next: Next) -> Response {
    // HEAD does all that GET does, and tells by the length what was found.
    let reads = match *request.method() {
        Method::GET | Method::HEAD => {
            !UNCACHED_READS.contains(&request.uri().path()) && !is_counted(&request)
        }
        _ => false,
    };
    if reads {
        return next.run(request).await;
    }
    let is_sign_in = is_sign_in(&request);
    let (mut parts, body) = request.into_parts();
    let sess = Sess::of(&parts).await;
    parts.extensions.insert(sess.clone());
    let client = rate.client_of(&parts);
    let counted = match (sess.is_available(), is_sign_in) {
        // Its begin was counted for the address: whatever others do there now, this guest ends it.
        (true, true) if returns(&parts.extensions) && sess.is_signing_in().await => {
            rate.check_sign_in(sess.name(), None).await
        }
        (true, true) => rate.check_sign_in(sess.name(), client).await,
        (true, false) => rate.check(sess.name(), client).await,
        (false, _) => rate.check_local(client),
    };
    match counted {
        Ok(()) => next.run(Request::from_parts(parts, body)).await,
        Err(wait) => too_many(wait),
    }
}

fn is_sign_in(request: &Request) -> bool {
    SIGN_INS.contains(&request.uri().path()) || returns(request.extensions())
}

/// Whether it is the answer of the sign-in page.
fn returns(extensions: &Extensions) -> bool {
    Matched::of(extensions).page.path == SIGN_IN_RETURN
}

/// Whether it is a page, or the data of one, with a query key that its page counts.
fn is_counted(request: &Request) -> bool {
    let counted = Matched::of(request.extensions()).page.counted;
    !counted.is_empty()
        && form_urlencoded::parse(request.uri().query().unwrap_or_default().as_bytes())
            .any(|(key, _)| counted.contains(&&*key))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use std::net::SocketAddr;

    use axum::{
        Router, body::Body, extract::ConnectInfo, http::header, middleware::from_fn_with_state,
        routing::post,
    };
    use tower::ServiceExt as _;

    use super::*;
    use crate::web::{connection::client::TrustedProxies, rate::Options};

    #[tokio::test]
    async fn a_forged_forwarded_for_does_not_help() {
        let options = Options::per_minute(240, 60, 60, 120);
        let rate = Rate::new(options, TrustedProxies::default());
        let app = Router::new()
            .route("/orders", post(async || "ok").get(async || "ok"))
            .layer(from_fn_with_state(rate, guard));
        let peer: SocketAddr = "203.0.113.9:4711".parse().unwrap();
        let mut last = None;
        for n in 0..100 {
            let request = Request::post("/orders")
                .header("x-forwarded-for", format!("198.51.100.{n}"))
                .header(
                    "cookie",
                    format!("__Host-dk={}", crate::keys::seal::random_name()),
                )
                .extension(ConnectInfo(peer))
                .body(Body::empty());
            last = Some(app.clone().oneshot(request.unwrap()).await.unwrap());
        }
        let last = last.unwrap();
        assert_eq!(last.status(), 429);
        assert!(last.headers().contains_key(header::RETRY_AFTER));

        let read = Request::get("/orders")
            .extension(ConnectInfo(peer))
            .body(Body::empty());
        assert_eq!(app.oneshot(read.unwrap()).await.unwrap().status(), 200);
    }
}

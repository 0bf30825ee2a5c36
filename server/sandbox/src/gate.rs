//! What every request passes before and after its call: journal, faults, and
//! the promise that nothing ends the process.

use std::panic::AssertUnwindSafe;
use std::time::Instant;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, Request, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use tower::ServiceExt;

use crate::app::App;
use crate::faults::{Fault, Kind};
use crate::refusal::Refusal;

const LARGEST_BODY: usize = 8 << 20;

/// The connection is to be reset, without any answer.
#[derive(Debug)]
pub(crate) struct Reset;

/// Answers one request, or resets its connection.
pub(crate) async fn pass(
    app: App,
    router: Router,
    request: Request<Body>,
) -> Result<Response, Reset> {
    let (parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, LARGEST_BODY).await else {
        let refusal = Refusal::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "too_large",
            "The body is too large",
        );
        return Ok(refusal.into_response());
    };
    if parts.uri.path().starts_with("/_sandbox") {
        if is_from_elsewhere(&parts) {
            let title = "Only the sandbox's own page may change something";
            return Ok(Refusal::new(StatusCode::FORBIDDEN, "cross_site", title).into_response());
        }
        return Ok(call(router, parts, body).await);
    }
    let started = Instant::now();
    let faults = app.faults.take(&parts.method, parts.uri.path());
    let names = faults
        .iter()
        .map(|fault| format!("{:?}", fault.kind))
        .collect();
    let entry = app.journal.begin(&parts, &body, names);
    let response = with_faults(router, parts, body, &faults).await?;
    let micros = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
    app.journal.end(entry, response.status().as_u16(), micros);
    Ok(response)
}

/// A change that a browser sends for a page of another site. Scripts and tests send neither header.
fn is_from_elsewhere(parts: &Parts) -> bool {
    if parts.method.is_safe() {
        return false;
    }
    let header = |name: &str| parts.headers.get(name).map(HeaderValue::as_bytes);
    if let Some(site) = header("sec-fetch-site") {
        return !matches!(site, b"same-origin" | b"none");
    }
    header("origin").is_some_and(|origin| {
        let named = origin
            .strip_prefix(b"http://")
            .or(origin.strip_prefix(b"https://"));
        named.is_none() || named != header("host")
    })
}

async fn with_faults(
    router: Router,
    parts: Parts,
    body: Bytes,
    faults: &[Fault],
) -> Result<Response, Reset> {
    let late: Vec<&Fault> = faults
        .iter()
        .filter(|fault| fault.kind == Kind::Delay)
        .collect();
    for fault in late.iter().filter(|fault| !fault.after_commit) {
        tokio::time::sleep(fault.delay()).await;
    }
    let other = faults.iter().find(|fault| fault.kind != Kind::Delay);
    let response = match other {
        None => call(router, parts, body).await,
        Some(fault) => spoilt(router, parts, body, fault).await?,
    };
    for fault in late.iter().filter(|fault| fault.after_commit) {
        tokio::time::sleep(fault.delay()).await;
    }
    Ok(response)
}

/// Without `after_commit` nothing is changed: only reading calls are made at all,
/// because some faults are made from the honest answer.
async fn spoilt(
    router: Router,
    parts: Parts,
    body: Bytes,
    fault: &Fault,
) -> Result<Response, Reset> {
    let made_from_honest = matches!(
        fault.kind,
        Kind::Truncate | Kind::CutJson | Kind::WrongType | Kind::Replace
    );
    let harmless = made_from_honest && parts.method == Method::GET;
    let mut honest = None;
    if fault.after_commit || harmless {
        let response = call(router, parts, body).await;
        honest = to_bytes(response.into_body(), usize::MAX).await.ok();
    }
    match fault.kind {
        Kind::Reset => Err(Reset),
        Kind::Hang => std::future::pending().await,
        _ => Ok(fault.spoil(honest)),
    }
}

async fn call(router: Router, parts: Parts, body: Bytes) -> Response {
    let request = Request::from_parts(parts, Body::from(body));
    let answered = AssertUnwindSafe(router.oneshot(request))
        .catch_unwind()
        .await;
    match answered {
        Ok(Ok(response)) => response,
        Ok(Err(never)) => match never {},
        Err(_) => {
            tracing::error!("A call of the sandbox panicked");
            let status = StatusCode::INTERNAL_SERVER_ERROR;
            Refusal::new(status, "internal", "The sandbox failed").into_response()
        }
    }
}

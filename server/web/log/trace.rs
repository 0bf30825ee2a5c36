//! The span of a request, which its log lines and its upstream calls belong to.

use axum::{
    extract::{MatchedPath, Request, State},
    middleware::Next,
    response::Response,
};
use tracing::{Instrument as _, Span, field::Empty};

use crate::{
    telemetry,
    web::{connection::client::TrustedProxies, headers::RequestId},
};

/// Whose word is taken for the trace that a request belongs to: a guest could fill another's.
#[derive(Debug, Clone)]
pub struct Tracing(pub TrustedProxies);

/// Marks a request that has its span.
#[derive(Clone, Copy)]
struct Traced;

/// Middleware: the first of it that a request meets begins the span.
pub async fn requests(
    State(Tracing(proxies)): State<Tracing>,
    mut request: Request,
    next: Next,
) -> Response {
    if request.extensions().get::<Traced>().is_some() {
        return next.run(request).await;
    }
    request.extensions_mut().insert(Traced);
    let span = begin(&request);
    if proxies.sent(&request) {
        telemetry::continue_trace(&span, request.headers());
    }
    let response = next.run(request).instrument(span.clone()).await;
    span.record("http.response.status_code", response.status().as_u16());
    response
}

/// Of the level of errors: whatever is logged, it is told of whose request.
fn begin(request: &Request) -> Span {
    let extensions = request.extensions();
    let id = extensions.get::<RequestId>().map_or("", |id| id.0.as_str());
    let route = extensions.get::<MatchedPath>().map(MatchedPath::as_str);
    tracing::error_span!(
        "request",
        request.id = id,
        http.route = route,
        http.request.method = %request.method(),
        http.response.status_code = Empty,
        otel.kind = "server",
    )
}

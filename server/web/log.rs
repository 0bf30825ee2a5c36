//! One log line and one measurement for each request; no personal data (S-21).

use std::time::Instant;

use axum::{
    extract::{MatchedPath, Request, State},
    http::Method,
    middleware::Next,
    response::Response,
};

use super::headers::RequestId;
use crate::app::App;

/// Middleware inside the one that gives requests their id. Paths are told as route templates: they may hold
/// capabilities.
pub async fn requests(State(app): State<App>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let id = request
        .extensions()
        .get::<RequestId>()
        .map(|id| id.0.clone())
        .unwrap_or_default();
    let route = template(&app, &request);
    let method = method(request.method());
    let response = next.run(request).await;
    let status = response.status().as_u16();
    let seconds = begun.elapsed().as_secs_f64();
    let class = match status {
        200..300 => "2xx",
        300..400 => "3xx",
        400..500 => "4xx",
        _ => "5xx",
    };
    metrics::histogram!("http_request_seconds", "route" => route.clone(), "class" => class)
        .record(seconds);
    tracing::info!(
        request.id = %id,
        route,
        method,
        status,
        ms = (seconds * 1000.0).round(),
        "{method} {route} answered {status}"
    );
    response
}

fn method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        _ => "other",
    }
}

/// The pattern of a request's address: a bounded set of names for metrics and logs.
fn template(app: &App, request: &Request) -> String {
    if let Some(matched) = request.extensions().get::<MatchedPath>() {
        return matched.as_str().to_owned();
    }
    // A slash at the end leads to the same page.
    let page = app.page_at(request.uri().path()).page;
    let known = !page.path.is_empty();
    if known { page.path } else { "other" }.to_owned()
}

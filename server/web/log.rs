//! One log line and one measurement for each request; no personal data (S-21).

use std::time::Instant;

use axum::{extract::Request, http::Method, middleware::Next, response::Response};

use super::headers::RequestId;
use crate::routes::PageRoute;

/// Middleware inside the one that gives requests their id. Paths are told as route templates: they may hold
/// capabilities.
pub async fn requests(request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let id = request
        .extensions()
        .get::<RequestId>()
        .map(|id| id.0.clone())
        .unwrap_or_default();
    let route = template(request.uri().path());
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
    metrics::histogram!("http_request_seconds", "route" => route, "class" => class).record(seconds);
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

/// A bounded set of names for metrics and logs.
fn template(path: &str) -> &'static str {
    if let Some(rest) = path.strip_prefix("/_data") {
        return if PageRoute::of(rest) == PageRoute::NotFound {
            "/_data/*"
        } else {
            "/_data"
        };
    }
    match path.split('/').nth(1) {
        Some("assets") => return "/assets",
        Some("static") => return "/static",
        Some("img") => return "/img",
        Some("session") => return "/session/*",
        _ => {}
    }
    match path.split('/').collect::<Vec<_>>().as_slice() {
        ["", "events"] => return "/events",
        ["", "filials", _, "events"] => return "/filials/{filial_id}/events",
        ["", "filials", _, "order", _, "events"] => {
            return "/filials/{filial_id}/order/{id}/events";
        }
        _ => {}
    }
    if path.starts_with("/cart/") {
        return "/cart/*";
    }
    match PageRoute::of(path) {
        PageRoute::Home => "/",
        PageRoute::Filials => "/filials",
        PageRoute::Town => "/town",
        PageRoute::Menu { .. } => "/filials/{filial_id}",
        PageRoute::Cart => "/cart",
        PageRoute::Order { .. } => "/filials/{filial_id}/order/{id}",
        PageRoute::Checking { .. } => "/orders/checking/{key}",
        PageRoute::Brands => "/brands",
        PageRoute::BrandFilials => "/brands/filials",
        PageRoute::Booking => "/brands/booking",
        PageRoute::Map => "/map",
        PageRoute::Search => "/search",
        PageRoute::MenuSearch { .. } => "/filials/{filial_id}/search",
        PageRoute::Details { .. } => "/filials/{filial_id}/details",
        PageRoute::Faq => "/faq",
        PageRoute::Legal { .. } => "/legal/{doc}",
        PageRoute::Language => "/language",
        PageRoute::Age => "/age",
        PageRoute::Cookies => "/cookies",
        PageRoute::Coming { route, .. } => route,
        PageRoute::NotFound => "other",
    }
}

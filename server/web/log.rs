//! One log line and one measurement for each request; no personal data (S-21).

use std::{
    sync::{
        LazyLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

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

/// Says a thing at most once a second: under load what happens to every page is one line, not one a page.
#[derive(Debug, Default)]
pub struct Seldom {
    /// Milliseconds, one more than they are: none yet.
    last: AtomicU64,
    untold: AtomicU64,
}

impl Seldom {
    /// Nothing said yet.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            last: AtomicU64::new(0),
            untold: AtomicU64::new(0),
        }
    }

    /// Whether to say it now, and how often it went unsaid before.
    pub fn untold(&self) -> Option<u64> {
        static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
        let now = u64::try_from(BEGIN.elapsed().as_millis()).unwrap_or(u64::MAX) + 1;
        let last = self.last.load(Ordering::Relaxed);
        let due = last == 0 || now >= last + 1000;
        let mine = due
            && self
                .last
                .compare_exchange(last, now, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok();
        if !mine {
            self.untold.fetch_add(1, Ordering::Relaxed);
            return None;
        }
        Some(self.untold.swap(0, Ordering::Relaxed))
    }
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
        PageRoute::Coming { route, .. } => route,
        PageRoute::NotFound => "other",
    }
}

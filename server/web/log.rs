//! One log line and one measurement for each request; no personal data (S-21).

use std::{
    sync::{
        LazyLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

use axum::{
    extract::{MatchedPath, Request, State},
    http::Method,
    middleware::Next,
    response::Response,
};

use super::{app::App, headers::RequestId};

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

/// Says a thing at most once a second: under load what happens to every page is one line, not one a page.
#[derive(Debug, Default)]
pub struct Throttle {
    /// Milliseconds, one more than they are: none yet.
    last: AtomicU64,
    suppressed: AtomicU64,
}

impl Throttle {
    /// Nothing said yet.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            last: AtomicU64::new(0),
            suppressed: AtomicU64::new(0),
        }
    }

    /// Whether to say it now, and how often it went unsaid before.
    pub fn admit(&self) -> Option<u64> {
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
            self.suppressed.fetch_add(1, Ordering::Relaxed);
            return None;
        }
        Some(self.suppressed.swap(0, Ordering::Relaxed))
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

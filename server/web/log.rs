//! One log line and one measurement for each request; no personal data (S-21).

use std::time::Instant;

use axum::{
    extract::{MatchedPath, Request, State},
    http::Method,
    middleware::Next,
    response::Response,
};

use super::{app::App, headers::RequestId};
use crate::telemetry::Calls;
pub use crate::telemetry::Throttle;

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
    let calls = Calls::default();
    let response = calls.count(next.run(request)).await;
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
    let Done { cache, render } = response.extensions().get().copied().unwrap_or_default();
    let upstream = calls.so_far();
    let ms = (seconds * 1000.0).round();
    let assets = app.assets();
    let build = assets.manifest().build.as_str();
    macro_rules! tell {
        ($tell:ident) => {
            tracing::$tell!(
                request.id = %id,
                route,
                method,
                status,
                ms,
                upstream,
                cache,
                render,
                build,
                "{method} {route} answered {status}"
            )
        };
    }
    if class == "5xx" {
        tell!(warn);
    } else {
        tell!(info);
    }
    response
}

/// What was done for a request, for its line; lies in the extensions of the response.
#[derive(Debug, Clone, Copy, Default)]
pub struct Done {
    /// What the page cache came to.
    pub cache: Option<&'static str>,
    /// Who renders the page: `ssr`, `shell`.
    pub render: Option<&'static str>,
}

impl Done {
    /// Adds what is known to what was said of the response before.
    pub fn note(self, response: &mut Response) {
        let extensions = response.extensions_mut();
        let before = extensions.get::<Self>().copied().unwrap_or_default();
        extensions.insert(Self {
            cache: self.cache.or(before.cache),
            render: self.render.or(before.render),
        });
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

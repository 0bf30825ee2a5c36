//! One log line and one measurement for each request; no personal data (S-21).

pub mod csp_report;
pub mod metrics;
pub mod trace;

use std::time::Instant;

use axum::{
    extract::{MatchedPath, Request, State},
    http::Method,
    middleware::Next,
    response::Response,
};

use super::{
    files::assets::InUse,
    headers::RequestId,
    page::{Matched, Page},
};
use crate::telemetry::Calls;

/// Middleware inside the one that gives requests their id. Paths are told as route templates: they may hold
/// capabilities. A request whose client has left has a line too: what it began may still be done. `assets` say whose build
/// answers.
pub async fn requests(State(assets): State<InUse>, request: Request, next: Next) -> Response {
    let id = request
        .extensions()
        .get::<RequestId>()
        .map(|id| id.0.clone())
        .unwrap_or_default();
    let page = Matched::of(request.extensions()).page;
    let route = template(page, &request);
    let mut line = Line {
        begun: Instant::now(),
        id,
        kind: kind(page, &route, request.method()),
        route,
        method: method(request.method()),
        calls: Calls::default(),
        assets,
        is_logged: false,
    };
    let response = line.calls.clone().count(next.run(request)).await;
    let done = response.extensions().get().copied().unwrap_or_default();
    line.tell(response.status().as_u16(), done);
    response
}

/// As in nginx: the client left before the answer.
const GIVEN_UP: u16 = 499;

/// What is known of a request that is under way.
struct Line {
    assets: InUse,
    begun: Instant,
    id: String,
    route: String,
    kind: &'static str,
    method: &'static str,
    calls: Calls,
    is_logged: bool,
}

impl Line {
    fn tell(&mut self, status: u16, Done { cache, render }: Done) {
        self.is_logged = true;
        let seconds = self.begun.elapsed().as_secs_f64();
        let class = match status {
            GIVEN_UP => "given_up",
            200..300 => "2xx",
            300..400 => "3xx",
            400..500 => "4xx",
            _ => "5xx",
        };
        ::metrics::histogram!(
            "http_request_seconds",
            "route" => self.route.clone(),
            "kind" => self.kind,
            "class" => class
        )
        .record(seconds);
        let Self {
            id, route, method, ..
        } = self;
        let upstream = self.calls.so_far();
        let ms = (seconds * 1000.0).round();
        let assets = self.assets.get();
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
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if !self.is_logged {
            self.tell(GIVEN_UP, Done::default());
        }
    }
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
fn template(page: &Page, request: &Request) -> String {
    if let Some(matched) = request.extensions().get::<MatchedPath>() {
        return matched.as_str().to_owned();
    }
    // A slash at the end leads to the same page.
    let known = !page.path.is_empty();
    if known { page.path } else { "other" }.to_owned()
}

/// What the objectives of operators tell apart: a page that is read, a change, and the rest. Forms may be posted to the
/// address of a page.
fn kind(page: &Page, route: &str, method: &Method) -> &'static str {
    match *method {
        Method::GET | Method::HEAD if page.path == route => "page",
        Method::POST => "change",
        _ => "other",
    }
}

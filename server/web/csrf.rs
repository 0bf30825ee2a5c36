//! Cross-site request forgery: every request that is not a GET or HEAD must come from our own pages (S-08).
//!
//! tower-http's layer lets requests through that carry neither `Sec-Fetch-Site` nor `Origin`. Here
//! those need a header that no foreign form can send.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::{HeaderMap, Method, StatusCode, Uri, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use url::{Origin, Url};

use super::hosts::{Hosts, names};
use crate::telemetry::Throttle;

/// Our own fetches say who they are by this header.
pub const REQUESTED_WITH: &str = "x-requested-with";
/// What they say.
pub const OUR_NAME: &str = "dastarkhan";

/// Which origins are our own.
#[derive(Debug, Clone, Default)]
pub struct Csrf(Arc<Config>);

#[derive(Debug, Default)]
struct Config {
    origins: Vec<Origin>,
    exempt: Vec<String>,
    hosts: Option<Hosts>,
}

/// Why a request was denied; lies in the response's extensions for the error page and the counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Denial {
    /// The browser says that another site sent it.
    CrossSite,
    /// The browser says that a neighbouring host sent it.
    SameSite,
    /// `Sec-Fetch-Site` holds something unknown.
    UnknownSite,
    /// `Origin` is `null`: a sandboxed frame or a local file.
    NullOrigin,
    /// `Origin` is another one.
    ForeignOrigin,
    /// No origin is configured, and the host of the request is not this machine: the page is not ours (DNS
    /// rebinding).
    ForeignHost,
    /// Neither header, and not one of our own fetches either.
    Unproven,
}

impl Csrf {
    /// `origins` are the configured public origins; without any, `Origin` must name the host that was
    /// asked, one of this machine. `exempt` are paths that may be posted to from anywhere because they change nothing for
    /// a visit, such as the intake of CSP reports. A request for one of the `hosts` comes from that host's own pages.
    #[must_use]
    pub fn new(origins: &[Url], exempt: &[&str], hosts: Option<Hosts>) -> Self {
        Self(Arc::new(Config {
            origins: origins.iter().map(Url::origin).collect(),
            exempt: exempt.iter().map(|path| (*path).to_owned()).collect(),
            hosts,
        }))
    }

    /// Whether a request may be handled.
    ///
    /// # Errors
    /// What about it is not allowed.
    pub fn check(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<(), Denial> {
        if matches!(*method, Method::GET | Method::HEAD)
            || self.0.exempt.iter().any(|path| path == uri.path())
        {
            return Ok(());
        }
        let named = self.origin_of_host(uri, headers);
        if self.0.origins.is_empty()
            && named.is_none()
            && !names::requested(headers, uri).is_some_and(names::is_local)
        {
            return Err(Denial::ForeignHost);
        }
        if let Some(site) = headers.get("sec-fetch-site") {
            return match site.as_bytes() {
                b"same-origin" | b"none" => Ok(()),
                b"same-site" => Err(Denial::SameSite),
                b"cross-site" => Err(Denial::CrossSite),
                _ => Err(Denial::UnknownSite),
            };
        }
        if let Some(origin) = headers.get(header::ORIGIN) {
            return match origin.to_str() {
                Ok("null") => Err(Denial::NullOrigin),
                Ok(origin) if self.is_own(origin, uri, headers) => Ok(()),
                Ok(_) | Err(_) => Err(Denial::ForeignOrigin),
            };
        }
        if is_our_fetch(headers) {
            Ok(())
        } else {
            Err(Denial::Unproven)
        }
    }

    fn origin_of_host(&self, uri: &Uri, headers: &HeaderMap) -> Option<String> {
        self.0.hosts.as_ref()?.origin(headers, uri)
    }

    fn is_own(&self, origin: &str, uri: &Uri, headers: &HeaderMap) -> bool {
        let Some(origin) = parse_origin(origin) else {
            return false;
        };
        if let Some(own) = self.origin_of_host(uri, headers) {
            return parse_origin(&own) == Some(origin);
        }
        if !self.0.origins.is_empty() {
            return self.0.origins.contains(&origin);
        }
        // TLS may end in front of us, so the scheme is taken from the origin itself.
        let (Some(host), Origin::Tuple(scheme, _, _)) = (names::requested(headers, uri), &origin)
        else {
            return false;
        };
        parse_origin(&format!("{scheme}://{host}")).is_some_and(|own| own == origin)
    }
}

impl Denial {
    /// Label of the counter.
    #[must_use]
    pub const fn kind(self) -> &'static str {
        match self {
            Self::CrossSite => "cross_site",
            Self::SameSite => "same_site",
            Self::UnknownSite => "unknown_site",
            Self::NullOrigin => "null_origin",
            Self::ForeignOrigin => "foreign_origin",
            Self::ForeignHost => "foreign_host",
            Self::Unproven => "unproven",
        }
    }
}

/// Middleware: `403` with the [`Denial`] in its extensions, or on to the handler.
pub async fn guard(State(csrf): State<Csrf>, request: Request, next: Next) -> Response {
    match csrf.check(request.method(), request.uri(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(denial) => {
            if denial == Denial::ForeignOrigin {
                warn_of_another_name(request.headers(), request.uri());
            }
            metrics::counter!("csrf_denied_total", "kind" => denial.kind()).increment(1);
            let mut response = StatusCode::FORBIDDEN.into_response();
            response.extensions_mut().insert(denial);
            response
        }
    }
}

/// A page that comes under a name which `PUBLIC_URL` does not have can change nothing, where the browser does not say by
/// itself that the page is ours: on plain http, and older ones anywhere.
fn warn_of_another_name(headers: &HeaderMap, uri: &Uri) {
    static WARNINGS: Throttle = Throttle::new();
    let origin = headers
        .get(header::ORIGIN)
        .and_then(|origin| origin.to_str().ok());
    let (Some(origin), Some(host)) = (origin, names::requested(headers, uri)) else {
        return;
    };
    let is_ours = origin.split_once("://").is_some_and(|(_, own)| own == host);
    if is_ours
        && parse_origin(origin).is_some()
        && let Some(others) = WARNINGS.admit()
    {
        tracing::warn!(
            %origin,
            others,
            "A change from our own page was refused: PUBLIC_URL and HOSTS_FILE know no such origin"
        );
    }
}

/// An http or https origin and nothing more.
fn parse_origin(text: &str) -> Option<Origin> {
    let url = Url::parse(text).ok()?;
    let bare = url.path() == "/"
        && !text.ends_with('/')
        && url.query().is_none()
        && url.fragment().is_none()
        && url.username().is_empty()
        && url.password().is_none();
    (bare && matches!(url.scheme(), "http" | "https")).then(|| url.origin())
}

/// A form cannot set a header, and another site's script may not without our leave.
fn is_our_fetch(headers: &HeaderMap) -> bool {
    let named = headers
        .get(REQUESTED_WITH)
        .is_some_and(|name| name == OUR_NAME);
    let media_type = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').next())
        .map(str::trim);
    named
        && media_type.is_some_and(|media_type| {
            media_type.eq_ignore_ascii_case("application/json")
                || media_type.eq_ignore_ascii_case("application/x-www-form-urlencoded")
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_with(
        csrf: &Csrf,
        method: &Method,
        headers: &[(&'static str, &str)],
    ) -> Result<(), Denial> {
        let headers = std::iter::once(&("host", "app.test:8080"))
            .chain(headers)
            .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()))
            .collect();
        csrf.check(method, &"/cart/lines".parse().unwrap(), &headers)
    }

    fn post(headers: &[(&'static str, &str)]) -> Result<(), Denial> {
        check_with(&Csrf::default(), &Method::POST, headers)
    }

    #[test]
    fn other_sites_are_denied() {
        for (headers, denial) in [
            (&[("sec-fetch-site", "cross-site")][..], Denial::CrossSite),
            (&[("sec-fetch-site", "same-site")], Denial::SameSite),
            (&[("sec-fetch-site", "SAME-ORIGIN")], Denial::UnknownSite),
            (&[("sec-fetch-site", "")], Denial::UnknownSite),
            (
                &[
                    ("sec-fetch-site", "cross-site"),
                    ("origin", "http://app.test:8080"),
                ],
                Denial::CrossSite,
            ),
            (
                &[
                    ("sec-fetch-site", "cross-site"),
                    ("x-requested-with", "dastarkhan"),
                ],
                Denial::CrossSite,
            ),
            (&[("origin", "https://evil.example")], Denial::ForeignOrigin),
            (&[("origin", "null")], Denial::NullOrigin),
            (&[("origin", "")], Denial::ForeignOrigin),
            (&[("origin", "http://app.test")], Denial::ForeignOrigin),
            (&[("origin", "http://app.test:8081")], Denial::ForeignOrigin),
            (
                &[("origin", "http://app.test:8080.evil.example")],
                Denial::ForeignOrigin,
            ),
            (
                &[("origin", "http://app.test:8080@evil.example")],
                Denial::ForeignOrigin,
            ),
            (
                &[("origin", "http://us@app.test:8080")],
                Denial::ForeignOrigin,
            ),
            (
                &[("origin", "http://app.test:8080/")],
                Denial::ForeignOrigin,
            ),
            (&[("origin", "file://app.test:8080")], Denial::ForeignOrigin),
            (&[], Denial::Unproven),
            (
                &[("content-type", "application/x-www-form-urlencoded")],
                Denial::Unproven,
            ),
            (&[("content-type", "application/json")], Denial::Unproven),
            (&[("x-requested-with", "dastarkhan")], Denial::Unproven),
            (
                &[
                    ("x-requested-with", "dastarkhan"),
                    ("content-type", "text/plain"),
                ],
                Denial::Unproven,
            ),
            (
                &[
                    ("x-requested-with", "XMLHttpRequest"),
                    ("content-type", "application/json"),
                ],
                Denial::Unproven,
            ),
        ] {
            assert_eq!(post(headers), Err(denial), "{headers:?}");
        }
    }

    #[test]
    fn where_no_origin_is_configured_a_name_of_the_internet_is_not_our_own() {
        let uri = "/cart/lines".parse().unwrap();
        for (name, value) in [
            ("sec-fetch-site", "same-origin"),
            ("origin", "http://evil.example"),
            ("x-requested-with", "dastarkhan"),
        ] {
            let headers = [("host", "evil.example"), (name, value)]
                .into_iter()
                .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()))
                .collect();
            assert_eq!(
                Csrf::default().check(&Method::POST, &uri, &headers),
                Err(Denial::ForeignHost),
                "{name}"
            );
        }
    }

    #[test]
    fn our_own_pages_pass() {
        for headers in [
            &[("sec-fetch-site", "same-origin")][..],
            &[("sec-fetch-site", "none")],
            &[("origin", "http://app.test:8080")],
            &[("origin", "http://APP.test:8080")],
            &[("origin", "https://app.test:8080")],
            &[
                ("x-requested-with", "dastarkhan"),
                ("content-type", "application/json; charset=utf-8"),
            ],
            &[
                ("x-requested-with", "dastarkhan"),
                ("content-type", "application/x-www-form-urlencoded"),
            ],
        ] {
            assert_eq!(post(headers), Ok(()), "{headers:?}");
        }
    }

    #[test]
    fn only_get_and_head_are_free() {
        let cross = &[("sec-fetch-site", "cross-site")];
        for (method, passes) in [
            (Method::GET, true),
            (Method::HEAD, true),
            (Method::POST, false),
            (Method::PUT, false),
            (Method::PATCH, false),
            (Method::DELETE, false),
            (Method::OPTIONS, false),
            (Method::from_bytes(b"QUERY").unwrap(), false),
        ] {
            assert_eq!(
                check_with(&Csrf::default(), &method, cross).is_ok(),
                passes,
                "{method}"
            );
        }
    }

    #[test]
    fn a_configured_origin_counts_and_the_host_does_not() {
        let own = Url::parse("https://dastarkhan.example/").unwrap();
        let csrf = Csrf::new(&[own], &["/csp-report"], None);
        let check = |origin| check_with(&csrf, &Method::POST, &[("origin", origin)]);
        assert_eq!(check("https://dastarkhan.example"), Ok(()));
        assert_eq!(check("https://dastarkhan.example:443"), Ok(()));
        assert_eq!(
            check("http://dastarkhan.example"),
            Err(Denial::ForeignOrigin)
        );
        assert_eq!(check("http://app.test:8080"), Err(Denial::ForeignOrigin));
        let report = "/csp-report?x=1".parse().unwrap();
        assert_eq!(
            csrf.check(&Method::POST, &report, &HeaderMap::new()),
            Ok(())
        );
    }

    #[test]
    fn the_authority_of_http2_is_the_host() {
        let uri = "https://app.test/orders".parse().unwrap();
        let mut headers = HeaderMap::new();
        headers.insert("origin", "https://app.test".parse().unwrap());
        assert_eq!(Csrf::default().check(&Method::POST, &uri, &headers), Ok(()));
        headers.insert("origin", "https://evil.example".parse().unwrap());
        assert!(
            Csrf::default()
                .check(&Method::POST, &uri, &headers)
                .is_err()
        );
    }
}

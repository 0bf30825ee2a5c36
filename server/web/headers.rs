//! Headers that every response carries, errors included (S-10, S-24).

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, header},
    middleware::Next,
    response::Response,
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};

use crate::keys::seal;

/// Name of the header that tells a request's id.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const PERMISSIONS: HeaderName = HeaderName::from_static("permissions-policy");
/// Where browsers send what the policy stopped.
pub const CSP_REPORT: &str = "/csp-report";

/// Id of a request, in its extensions, its response and its log line. Always our own: what a client
/// sends would be written into our logs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestId(pub String);

/// What the content security policy of this deployment allows beside our own origin.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Allowed {
    /// Origins that a form may lead to by a redirect: payment and login pages.
    pub form_action: Vec<String>,
    /// Origins that may embed the app; empty: no origin may.
    pub frame_ancestors: Vec<String>,
    /// Origins of pictures that are not proxied.
    pub images: Vec<String>,
}

/// The policy of one kind of page.
#[derive(Debug, Clone, Copy, Default)]
pub struct Page<'a> {
    /// Texts of inline style elements.
    pub styles: &'a [&'a str],
    /// The barcode scanner compiles WebAssembly.
    pub wasm: bool,
}

/// Builds the policy; cloning is cheap.
#[derive(Debug, Clone)]
pub struct Security(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    script: String,
    tail: String,
    plain: HeaderValue,
    /// Of data, and of an answer that only leads elsewhere.
    data: HeaderValue,
    leading: HeaderValue,
}

impl Security {
    /// `scripts` are the texts of the inline scripts that pages carry: the early-tap script, and nothing else.
    #[must_use]
    pub fn new(scripts: &[&str], allowed: &Allowed) -> Self {
        let script = sources("'self'", scripts.iter().map(|text| hash(text)));
        let images = sources(
            "'self' data:",
            allowed.images.iter().filter_map(|o| origin(o)),
        );
        let forms = sources(
            "'self'",
            allowed.form_action.iter().filter_map(|o| origin(o)),
        );
        let ancestors: Vec<_> = allowed
            .frame_ancestors
            .iter()
            .filter_map(|o| origin(o))
            .collect();
        let ancestors = match ancestors.as_slice() {
            [] => "'none'".to_owned(),
            some => some.join(" "),
        };
        let tail = format!(
            "; img-src {images}; font-src 'self'; connect-src 'self'; manifest-src 'self'; \
             worker-src 'self'; object-src 'none'; frame-src 'none'; media-src 'none'; base-uri 'none'; \
             form-action {forms}; frame-ancestors {ancestors}; report-uri {CSP_REPORT}"
        );
        let plain = value(&policy(&script, &tail, Page::default()));
        let data = value(&format!("{NOTHING}; frame-ancestors 'none'"));
        let leading = value(&format!("{NOTHING}; frame-ancestors {ancestors}"));
        Self(Arc::new(Inner {
            script,
            tail,
            plain,
            data,
            leading,
        }))
    }

    /// The policy of a page. Compute it once where the page is: it hashes the styles.
    #[must_use]
    pub fn policy(&self, page: Page<'_>) -> HeaderValue {
        value(&policy(&self.0.script, &self.0.tail, page))
    }
}

/// As lines of an answer that has neither body nor request.
pub(super) fn lines() -> String {
    let policy = format!("{NOTHING}; frame-ancestors 'none'");
    let own = (header::CONTENT_SECURITY_POLICY, policy.as_str());
    let all = ALWAYS.into_iter().chain([own]);
    all.map(|(name, value)| format!("{name}: {value}\r\n"))
        .collect()
}

/// Middleware around everything: gives the request its id, and each response the headers it has not
/// set itself.
pub async fn guard(State(security): State<Security>, mut request: Request, next: Next) -> Response {
    let id = seal::random_name();
    request.extensions_mut().insert(RequestId(id.clone()));
    let path = request.uri().path();
    let asset = path.starts_with("/assets/") || path.starts_with("/static/");
    let mut response = next.run(request).await;
    let part = asset && response.status().is_success() && is_part(response.headers());
    let headers = response.headers_mut();
    if part {
        headers.insert(
            header::X_CONTENT_TYPE_OPTIONS,
            HeaderValue::from_static("nosniff"),
        );
        headers.remove(header::CONTENT_SECURITY_POLICY);
        return response;
    }
    if scans(headers) {
        headers.insert(PERMISSIONS, HeaderValue::from_static(WITH_CAMERA));
    }
    for (name, value) in ALWAYS {
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
    let is_data = kind_of(headers).starts_with("application/json");
    // Not a 304: its headers become those of the kept page.
    let leads = headers.contains_key(header::LOCATION);
    headers
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert_with(|| {
            if is_data {
                security.0.data.clone()
            } else if leads {
                security.0.leading.clone()
            } else {
                security.0.plain.clone()
            }
        });
    headers.insert(REQUEST_ID, value(&id));
    response
}

/// The page of the scanner, known by its policy.
fn scans(headers: &HeaderMap) -> bool {
    headers
        .get(header::CONTENT_SECURITY_POLICY)
        .and_then(|policy| policy.to_str().ok())
        .is_some_and(|policy| policy.contains(WASM))
}

/// Scripts, styles and texts are parts of documents and never one themselves: what rules documents would only be weight,
/// some 11 KB on the way from a table's code to the order.
fn is_part(headers: &HeaderMap) -> bool {
    let kind = kind_of(headers);
    ["text/javascript", "text/css", "application/json"]
        .iter()
        .any(|part| kind.starts_with(part))
}

fn kind_of(headers: &HeaderMap) -> &str {
    headers
        .get(header::CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok())
        .unwrap_or_default()
}

/// What is no page may load nothing. A page's policy would be 1 KB more on the way to an order.
const NOTHING: &str =
    "default-src 'none'; script-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'";

/// The page that may compile the reader of barcodes is the one that may use the camera.
const WITH_CAMERA: &str =
    "camera=(self), geolocation=(self), microphone=(), payment=(), usb=(), browsing-topics=()";
const WASM: &str = " 'wasm-unsafe-eval'";

const ALWAYS: [(HeaderName, &str); 5] = [
    (header::STRICT_TRANSPORT_SECURITY, "max-age=31536000"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "strict-origin-when-cross-origin"),
    (
        PERMISSIONS,
        "camera=(), geolocation=(self), microphone=(), payment=(), usb=(), browsing-topics=()",
    ),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
];

fn policy(script: &str, tail: &str, page: Page<'_>) -> String {
    let style = sources("'self'", page.styles.iter().map(|text| hash(text)));
    let wasm = if page.wasm { WASM } else { "" };
    // Every directive stands for itself. The default is for what has none: before Firefox 132 the icons of a sprite.
    format!("default-src 'self'; script-src {script}{wasm}; style-src {style}{tail}")
}

fn sources(own: &str, others: impl Iterator<Item = String>) -> String {
    others.fold(own.to_owned(), |list, other| {
        // Two settings may name the same.
        if list.split(' ').any(|known| known == other) {
            list
        } else {
            format!("{list} {other}")
        }
    })
}

/// The source expression of an inline text.
fn hash(text: &str) -> String {
    format!(
        "'sha256-{}'",
        STANDARD.encode(Sha256::digest(text.as_bytes()))
    )
}

/// A configured origin, without what could end the directive.
fn origin(text: &str) -> Option<String> {
    let origin = url::Url::parse(text).ok()?.origin();
    origin.is_tuple().then(|| origin.ascii_serialization())
}

/// Everything that gets here was made of ASCII.
fn value(text: &str) -> HeaderValue {
    HeaderValue::from_str(text).unwrap_or(HeaderValue::from_static("default-src 'none'"))
}

#[cfg(test)]
mod tests {
    use axum::{
        Router, body::Body, http::StatusCode, middleware::from_fn_with_state, routing::get,
    };
    use tower::ServiceExt as _;

    use super::*;

    #[test]
    fn the_policy_names_the_hashes_and_nothing_loose() {
        let allowed = Allowed {
            form_action: vec![
                "https://pay.example/path".to_owned(),
                "https://x.example; script-src *".to_owned(),
                "https://pay.example".to_owned(),
            ],
            ..Allowed::default()
        };
        let security = Security::new(&["early()"], &allowed);
        let page = Page {
            styles: &["a{}"],
            wasm: false,
        };
        let policy = security.policy(page);
        let policy = policy.to_str().unwrap();
        assert_eq!(
            policy,
            "default-src 'self'; \
             script-src 'self' 'sha256-G2Y/0fpEoq/QMzbid/byF0KE5sX9e6ar19Om2+xoMnU='; \
             style-src 'self' 'sha256-X1RutGBrXCt9KkSaXMK7tHftWiRscFHOhxsS8tv8hBk='; \
             img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; \
             worker-src 'self'; object-src 'none'; frame-src 'none'; media-src 'none'; base-uri 'none'; \
             form-action 'self' https://pay.example; frame-ancestors 'none'; report-uri /csp-report"
        );
        assert!(!policy.contains("unsafe"));
        let scanner = security.policy(Page {
            styles: &[],
            wasm: true,
        });
        assert!(
            scanner
                .to_str()
                .unwrap()
                .contains(" 'wasm-unsafe-eval'; style-src 'self'; ")
        );
    }

    #[test]
    fn only_configured_partners_may_embed() {
        let allowed = Allowed {
            frame_ancestors: vec!["https://partner.example".to_owned()],
            ..Allowed::default()
        };
        let policy = Security::new(&[], &allowed).policy(Page::default());
        assert!(
            policy
                .to_str()
                .unwrap()
                .contains("frame-ancestors https://partner.example;")
        );
    }

    #[tokio::test]
    async fn every_response_carries_them_and_may_bring_its_own_policy() {
        let security = Security::new(&[], &Allowed::default());
        let app = Router::new()
            .route(
                "/own",
                get(async || ([(header::CONTENT_SECURITY_POLICY, "own")], "")),
            )
            .route("/fails", get(async || StatusCode::INTERNAL_SERVER_ERROR))
            .layer(from_fn_with_state(security, guard));
        let ask = async |path: &str| {
            let request = Request::get(path)
                .header("x-request-id", "evil")
                .body(Body::empty());
            app.clone().oneshot(request.unwrap()).await.unwrap()
        };
        for path in ["/own", "/fails", "/missing"] {
            let response = ask(path).await;
            for (name, expected) in ALWAYS {
                assert_eq!(response.headers()[&name], expected, "{path} {name}");
            }
            assert!(seal::is_name(
                response.headers()[&REQUEST_ID].to_str().unwrap()
            ));
        }
        assert_eq!(
            ask("/own").await.headers()["content-security-policy"],
            "own"
        );
    }
}

//! The error page that needs neither V8 nor the upstream: texts compiled in, styles inline, one link.

use askama::Template;
use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use super::{Site, document::Document};
use crate::{
    values::Lang,
    web::{
        headers::{Page, RequestId},
        locale::Wishes,
        prefix::Prefix,
        session::Unavailable,
        texts::text_of,
        visit::is_for_json,
    },
};

/// The type of a page.
pub(super) const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");
const STYLE: &str = include_str!("../templates/plain_error.css");

#[derive(Template)]
#[template(path = "plain_error.html", escape = "html")]
struct PlainError<'a> {
    lang: &'a str,
    title: &'a str,
    text: &'a str,
    action: &'a str,
    /// Empty: the same address once more.
    href: &'a str,
    request: String,
    /// Seconds after which the page reloads itself.
    again: Option<u32>,
    style: &'a str,
}

/// Middleware around everything that may answer an error without a body: it gets a page in the guest's language, or
/// JSON where that is wanted.
pub async fn guard(State(site): State<Site>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let wishes = Wishes::of(&parts, &site.app.hosts, &site.app.upstream);
    let lang = wishes.locale.lang;
    parts.extensions.insert(wishes);
    let id = parts
        .extensions
        .get::<RequestId>()
        .map(|id| id.0.clone())
        .unwrap_or_default();
    let json = is_for_json(parts.uri.path(), &parts.headers);
    let is_read = parts.method.is_safe();
    let prefix = parts.extensions.get::<Prefix>().cloned();
    let response = next.run(Request::from_parts(parts, body)).await;
    let status = response.status();
    let bare =
        !response.headers().contains_key(header::CONTENT_TYPE) || is_plain_text(response.headers());
    if !(status.is_client_error() || status.is_server_error()) || !bare {
        return response;
    }
    let mut page = if json {
        as_json(status, &id)
    } else {
        let home = prefix.map_or_else(|| "/".to_owned(), |prefix| prefix.before("/"));
        as_page(&site.document(), lang, &response, is_read, &home, id)
    };
    for (name, value) in response.headers() {
        if name != header::CONTENT_TYPE && name != header::CONTENT_LENGTH {
            page.headers_mut().insert(name, value.clone());
        }
    }
    page
}

fn as_page(
    document: &Document,
    lang: Lang,
    refused: &Response,
    is_read: bool,
    home: &str,
    request: String,
) -> Response {
    let status = refused.status();
    // A store that does not answer is no rush of guests.
    let is_lost = refused.extensions().get::<Unavailable>().is_some();
    let (title, text) = match status.as_u16() {
        503 if is_lost => ("error.unavailable", "error.soon"),
        403 => ("error.forbidden", "error.soon"),
        404 => ("notFound.page", "notFound.text"),
        413 => ("error.tooLarge", "error.tooLargeText"),
        429 | 503 => ("error.overloaded", "error.soon"),
        400..500 => ("error.badRequest", "error.soon"),
        _ => ("error.unavailable", "error.soon"),
    };
    // What was posted is behind the page that had the form; a page that may come later is asked for again.
    let may_come = status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS;
    let (action, href) = if is_read && may_come {
        ("app.retry", "")
    } else {
        ("app.toHome", home)
    };
    let page = PlainError {
        lang: lang.code(),
        title: text_of(lang, title),
        text: text_of(lang, text),
        action: text_of(lang, action),
        href,
        request,
        again: again(refused).filter(|_| is_read && status == StatusCode::SERVICE_UNAVAILABLE),
        style: STYLE,
    };
    let html = page.render().unwrap_or_default();
    let policy = document.security().policy(Page {
        styles: &[STYLE],
        wasm: false,
    });
    (
        status,
        [
            (header::CONTENT_TYPE, HTML),
            (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
            (header::CONTENT_SECURITY_POLICY, policy),
        ],
        html,
    )
        .into_response()
}

/// What the answer says of coming again.
fn again(response: &Response) -> Option<u32> {
    let seconds = response.headers().get(header::RETRY_AFTER)?;
    seconds.to_str().ok()?.parse().ok()
}

fn as_json(status: StatusCode, request: &str) -> Response {
    let body = serde_json::json!({ "error": status.as_u16(), "requestId": request });
    (
        status,
        [(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))],
        axum::Json(body),
    )
        .into_response()
}

fn is_plain_text(headers: &HeaderMap) -> bool {
    headers
        .get(header::CONTENT_TYPE)
        .is_some_and(|value| value.as_bytes().starts_with(b"text/plain"))
}

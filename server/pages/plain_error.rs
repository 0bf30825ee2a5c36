//! The error page that needs neither V8 nor the upstream: texts compiled in, styles inline, one link.

use askama::Template;
use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use super::document::Document;
use crate::{
    app::App,
    values::Lang,
    web::{
        headers::{Page, RequestId},
        locale::Locale,
        visit::is_for_json,
        words::words,
    },
};

const STYLE: &str = include_str!("../templates/plain_error.css");

#[derive(Template)]
#[template(path = "plain_error.html", escape = "html")]
struct PlainError<'a> {
    lang: &'a str,
    title: &'a str,
    text: &'a str,
    action: &'a str,
    request: String,
    style: &'a str,
}

/// Middleware around everything that may answer an error without a body: it gets a page in the guest's language, or
/// JSON where that is wanted.
pub async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let lang = Locale::of(&parts, &app.upstream).lang;
    let id = parts
        .extensions
        .get::<RequestId>()
        .map(|id| id.0.clone())
        .unwrap_or_default();
    let json = is_for_json(parts.uri.path(), &parts.headers);
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
        as_page(&app.build().document, lang, status, id)
    };
    for (name, value) in response.headers() {
        if name != header::CONTENT_TYPE && name != header::CONTENT_LENGTH {
            page.headers_mut().insert(name, value.clone());
        }
    }
    page
}

fn as_page(document: &Document, lang: Lang, status: StatusCode, request: String) -> Response {
    let (title, text) = match status.as_u16() {
        403 => ("error.forbidden", "error.kept"),
        404 => ("notFound.page", "notFound.text"),
        429 | 503 => ("error.overloaded", "error.kept"),
        400..500 => ("error.badRequest", "error.kept"),
        _ => ("error.unavailable", "error.kept"),
    };
    let page = PlainError {
        lang: lang.code(),
        title: words(lang, title),
        text: words(lang, text),
        action: words(lang, "app.toHome"),
        request,
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
            (
                header::CONTENT_TYPE,
                HeaderValue::from_static("text/html; charset=utf-8"),
            ),
            (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
            (header::CONTENT_SECURITY_POLICY, policy),
        ],
        html,
    )
        .into_response()
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

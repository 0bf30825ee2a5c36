//! Sizes that a request may have (S-18); what is larger never reaches a loader or an isolate.

use axum::{
    body::Body,
    extract::Request,
    http::{HeaderMap, HeaderValue, StatusCode, Uri, Version, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use http_body_util::Limited;
use serde::de::DeserializeOwned;

/// Path and query.
pub const URL: usize = 8 * 1024;
/// Names and values of all headers.
pub const HEADERS: usize = 16 * 1024;
/// Number of headers.
pub const HEADER_COUNT: usize = 100;
/// Body.
pub const BODY: usize = 64 * 1024;
/// Arrays and objects inside each other.
pub const JSON_DEPTH: usize = 128;

/// A JSON text that is not what was expected, or too deep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the JSON cannot be read")]
pub struct BadJson;

/// Middleware: `414`, `431` or `413`, or on with a body that cannot grow past its limit. Extractors
/// answer `413` when a body without a length does.
pub async fn guard(request: Request, next: Next) -> Response {
    let version = request.version();
    let mut response = match check(request.uri(), request.headers()) {
        Ok(()) => {
            next.run(request.map(|body| Body::new(Limited::new(body, BODY))))
                .await
        }
        Err(status) => status.into_response(),
    };
    // The rest of the body is not read: the connection ends with this answer. A browser that is not told would send its
    // next request into it and get nothing.
    if response.status() == StatusCode::PAYLOAD_TOO_LARGE && version <= Version::HTTP_11 {
        response
            .headers_mut()
            .insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// Reads a JSON body.
///
/// # Errors
/// [`BadJson`]: answer `400`.
pub fn json<T: DeserializeOwned>(body: &[u8]) -> Result<T, BadJson> {
    if depth(body) > JSON_DEPTH {
        return Err(BadJson);
    }
    serde_json::from_slice(body).map_err(|_| BadJson)
}

fn check(uri: &Uri, headers: &HeaderMap) -> Result<(), StatusCode> {
    if uri.path_and_query().map_or(0, |url| url.as_str().len()) > URL {
        return Err(StatusCode::URI_TOO_LONG);
    }
    let size: usize = headers
        .iter()
        .map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len())
        .sum();
    if headers.len() > HEADER_COUNT || size > HEADERS {
        return Err(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE);
    }
    let length = headers
        .get(header::CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > BODY as u64) {
        return Err(StatusCode::PAYLOAD_TOO_LARGE);
    }
    Ok(())
}

/// serde_json counts depth too, but not in values that it skips.
fn depth(body: &[u8]) -> usize {
    let (mut depth, mut deepest, mut in_string, mut escaped) = (0_usize, 0, false, false);
    for byte in body {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use axum::{Router, body::Bytes, middleware::from_fn, routing::post};
    use serde_json::Value;
    use tower::ServiceExt as _;

    use super::*;

    async fn status(request: Request) -> u16 {
        let app = Router::new()
            .fallback(post(async |_body: Bytes| "ok"))
            .layer(from_fn(guard));
        app.oneshot(request).await.unwrap().status().as_u16()
    }

    fn request() -> axum::http::request::Builder {
        Request::post("/cart/lines")
    }

    #[tokio::test]
    async fn what_is_too_large_is_told_by_its_own_status() {
        let long = |len: usize| format!("/{}", "a".repeat(len - 1));
        assert_eq!(
            status(Request::post(long(URL)).body(Body::empty()).unwrap()).await,
            200
        );
        assert_eq!(
            status(Request::post(long(URL + 1)).body(Body::empty()).unwrap()).await,
            414
        );

        let big = request().header("x-big", "a".repeat(HEADERS));
        assert_eq!(status(big.body(Body::empty()).unwrap()).await, 431);
        let many = (0..=HEADER_COUNT).fold(request(), |many, n| many.header(format!("x-{n}"), "1"));
        assert_eq!(status(many.body(Body::empty()).unwrap()).await, 431);

        assert_eq!(
            status(request().body(Body::from(vec![b'a'; BODY])).unwrap()).await,
            200
        );
        let declared = request().header("content-length", BODY + 1);
        assert_eq!(status(declared.body(Body::empty()).unwrap()).await, 413);
    }

    #[tokio::test]
    async fn a_body_that_tells_no_length_is_cut_off() {
        let pieces = (0..65).map(|_| Ok::<_, std::io::Error>(Bytes::from(vec![b'a'; 1024])));
        let body = Body::from_stream(futures_util::stream::iter(pieces));
        assert_eq!(status(request().body(body).unwrap()).await, 413);
    }

    #[test]
    fn json_may_be_so_deep_and_no_deeper() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(json::<Value>(nested(100).as_bytes()).is_ok());
        assert!(json::<Value>(nested(129).as_bytes()).is_err());
        let skipped = format!(r#"{{"skipped":{}}}"#, nested(128));
        #[derive(serde::Deserialize)]
        struct Empty {}
        assert!(json::<Empty>(skipped.as_bytes()).is_err());
        let text = format!(r#"{{"text":"\"{}"}}"#, "[".repeat(500));
        assert!(json::<Value>(text.as_bytes()).is_ok());
        assert!(json::<Value>(b"{").is_err());
    }
}

//! What a request may be: sizes (S-18), one host, a body that comes in time (S-19). Other requests never reach a loader
//! or an isolate.

pub mod admission;
pub mod counts;
pub mod rates;
pub mod streams;

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    body::{Body, Bytes, HttpBody},
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, Uri, Version, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use http_body_util::Limited;
use hyper::body::{Frame, SizeHint};
use serde::de::DeserializeOwned;
use tokio::time::Sleep;

/// Path and query.
pub const URL: usize = 8 * 1024;
/// Names and values of all headers.
pub const HEADERS: usize = 16 * 1024;
/// Number of headers.
pub const HEADER_COUNT: usize = 100;
/// Body.
pub const BODY: usize = 64 * 1024;
/// What multipart adds around a file: boundaries, names, the other fields.
const AROUND_A_FILE: usize = 16 * 1024;
/// Arrays and objects inside each other.
pub const JSON_DEPTH: usize = 128;

/// What bodies may be: how long they may take, and which paths take a file of how many bytes.
#[derive(Debug, Clone)]
pub struct Bodies {
    deadline: Duration,
    uploads: Vec<(&'static str, usize)>,
}

/// Lies in the extensions of a request whose form may carry files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TakesFiles;

impl Bodies {
    /// Bodies of the usual size, each within this time.
    #[must_use]
    pub const fn within(deadline: Duration) -> Self {
        Self {
            deadline,
            uploads: Vec::new(),
        }
    }

    /// Forms of this path may carry a file of at most `most` bytes. It is read into memory only.
    #[must_use]
    pub fn with_upload(mut self, path: &'static str, most: usize) -> Self {
        self.uploads.push((path, most));
        self
    }

    fn upload(&self, path: &str) -> Option<usize> {
        let found = self.uploads.iter().find(|(upload, _)| *upload == path);
        found.map(|(_, most)| most.saturating_add(AROUND_A_FILE))
    }
}

/// A JSON text that is not what was expected, or too deep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the JSON cannot be read")]
pub struct BadJson;

/// The body did not come in time.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("the body did not come in time")]
struct Late;

/// Middleware: `400`, `414`, `431` or `413`, or on with a body that can neither grow past its limit nor take longer than
/// this. Extractors answer `413` when a body without a length grows; `408` stands for all that they make of a late one.
pub async fn guard(State(bodies): State<Bodies>, mut request: Request, next: Next) -> Response {
    let upload = bodies.upload(request.uri().path());
    if upload.is_some() {
        request.extensions_mut().insert(TakesFiles);
    }
    let most = upload.unwrap_or(BODY);
    let version = request.version();
    let bodiless = request.body().is_end_stream();
    let late = Arc::new(AtomicBool::new(false));
    let ended = Arc::new(AtomicBool::new(bodiless));
    let checked = check(version, request.uri(), request.headers(), most);
    let mut response = match checked {
        Ok(()) if bodiless => next.run(request).await,
        Ok(()) => {
            let timed = |body| Timed {
                body: Limited::new(body, most),
                until: Box::pin(tokio::time::sleep(bodies.deadline)),
                late: Arc::clone(&late),
                ended: Arc::clone(&ended),
            };
            next.run(request.map(|body| Body::new(timed(body)))).await
        }
        Err(status) => status.into_response(),
    };
    let late = late.load(Ordering::Relaxed);
    if late {
        metrics::counter!("connections_cut_total", "cause" => "slow_body").increment(1);
        response = StatusCode::REQUEST_TIMEOUT.into_response();
    }
    // The rest of the body is not read, whichever layer has answered: the connection ends with this answer. A browser that
    // is not told would send its next request into it and get nothing.
    let unread = !ended.load(Ordering::Relaxed);
    if unread && version <= Version::HTTP_11 {
        response
            .headers_mut()
            .insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// A body that ends with an error when its time is over, however much of it has come.
struct Timed {
    body: Limited<Body>,
    until: Pin<Box<Sleep>>,
    late: Arc<AtomicBool>,
    /// All of it was read.
    ended: Arc<AtomicBool>,
}

impl HttpBody for Timed {
    type Data = Bytes;
    type Error = Box<dyn std::error::Error + Send + Sync>;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if polled.is_pending() && self.until.as_mut().poll(context).is_ready() {
            self.late.store(true, Ordering::Relaxed);
            return Poll::Ready(Some(Err(Late.into())));
        }
        let is_end = matches!(polled, Poll::Ready(None)) || self.body.is_end_stream();
        if is_end && !matches!(polled, Poll::Ready(Some(Err(_)))) {
            self.ended.store(true, Ordering::Relaxed);
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
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

/// Whether [`guard`] lets a request without a body through, for layers that answer before it.
#[must_use]
pub fn admits(request: &Request) -> bool {
    request.body().is_end_stream()
        && check(request.version(), request.uri(), request.headers(), 0).is_ok()
}

fn check(version: Version, uri: &Uri, headers: &HeaderMap, most: usize) -> Result<(), StatusCode> {
    // Of two hosts a proxy in front may have meant the other one.
    let hosts = headers.get_all(header::HOST).iter().count();
    let unnamed = hosts == 0 && uri.authority().is_none() && version >= Version::HTTP_11;
    if hosts > 1 || unnamed {
        return Err(StatusCode::BAD_REQUEST);
    }
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
    if length.is_some_and(|length| length > most as u64) {
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
    use axum::{Router, body::Bytes, middleware::from_fn_with_state, routing::post};
    use serde_json::Value;
    use tower::ServiceExt as _;

    use super::*;

    async fn status(request: Request) -> u16 {
        let app = Router::new()
            .fallback(post(async |_body: Bytes| "ok"))
            .layer(from_fn_with_state(
                Bodies::within(Duration::from_secs(60)),
                guard,
            ));
        app.oneshot(request).await.unwrap().status().as_u16()
    }

    fn request() -> axum::http::request::Builder {
        Request::post("/cart/lines").header("host", "own.example")
    }

    #[tokio::test]
    async fn what_is_too_large_is_told_by_its_own_status() {
        let long = |len: usize| format!("/{}", "a".repeat(len - 1));
        assert_eq!(
            status(request().uri(long(URL)).body(Body::empty()).unwrap()).await,
            200
        );
        assert_eq!(
            status(request().uri(long(URL + 1)).body(Body::empty()).unwrap()).await,
            414
        );

        let big = request().header("x-big", "a".repeat(HEADERS));
        assert_eq!(status(big.body(Body::empty()).unwrap()).await, 431);
        let many = (0..HEADER_COUNT).fold(request(), |many, n| many.header(format!("x-{n}"), "1"));
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
        let chunks = (0..65).map(|_| Ok::<_, std::io::Error>(Bytes::from(vec![b'a'; 1024])));
        let body = Body::from_stream(futures_util::stream::iter(chunks));
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

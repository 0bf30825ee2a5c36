//! Server-sent events as all our streams answer them.

pub mod readers;

use std::{convert::Infallible, time::Duration};

use axum::{
    http::{HeaderValue, header},
    response::{
        IntoResponse as _, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use futures_util::{Stream, StreamExt as _};
use tokio::sync::watch;

use crate::web::insight::carried_on;

/// Browsers come back after so long.
const RETRY: Duration = Duration::from_secs(2);
/// Between two keep-alive comments: idle connections are closed by proxies.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Streams the events until `closing` turns true, so that the server can drain. What happens meanwhile happens to the guest
/// of the request.
pub fn answer(
    events: impl Stream<Item = Result<Event, Infallible>> + Send + 'static,
    mut closing: watch::Receiver<bool>,
) -> Response {
    let first = futures_util::stream::once(std::future::ready(Ok(Event::default().retry(RETRY))));
    let stream = first.chain(carried_on(events)).take_until(async move {
        // An error means that the server is gone, which ends the stream as well.
        let _ = closing.wait_for(|closing| *closing).await;
    });
    let mut response = Sse::new(stream)
        .keep_alive(KeepAlive::new().interval(KEEP_ALIVE))
        .into_response();
    // Proxies must neither keep nor gather it.
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

//! `GET /filials/{filial}/events`: the state of now first, then each change (beyond.md, 9). Asked for as JSON it answers
//! with the first of them alone, for browsers whose streams do not get through.

use std::{collections::HashSet, convert::Infallible, time::Duration};

use axum::{
    Json,
    extract::{Path, State},
    http::{HeaderValue, header},
    response::{IntoResponse as _, Response, sse::Event},
};
use futures_util::StreamExt as _;
use tokio_stream::wrappers::WatchStream;

use super::Venues;
use crate::{
    error::Error,
    features::{
        place::Place,
        sitemap::{Directory, count_unknown},
    },
    upstream::VenueId,
    web::{events, visit::Visit},
};

/// How long one answer waits for the first look at the venue.
const TIMEOUT: Duration = Duration::from_secs(3);
/// Products that a page may ask for by themselves: a cart has no more lines.
const MOST: usize = 200;

/// Answers with the changes of a venue since `since` (or the browser's own `Last-Event-ID`), with `only` of these
/// products.
///
/// # Errors
/// Not found for an unknown venue, the upstream's failure when nothing is known of it.
pub async fn events(
    State(venues): State<Venues>,
    State(directory): State<Directory>,
    visit: Visit,
    Path(venue): Path<String>,
) -> Result<Response, Error> {
    let venue: VenueId = venue.parse().map_err(|_| Error::NotFound("venue"))?;
    count_unknown(&directory, &visit, venue).await?;
    // Nothing is read again and again for a venue that does not exist.
    visit
        .app
        .upstream
        .venue(&visit.caller(None), venue, visit.brand())
        .await?;
    let place = Place::of(&visit).await;
    let mut reader = venues.watch(&visit, place, venue);
    let (since, only) = (since(&visit), only(&visit));
    if visit.wants_json() {
        let reading = tokio::time::timeout(TIMEOUT, reader.wait_for(Option::is_some)).await;
        let event = match reading {
            Ok(Ok(reading)) => reading
                .as_ref()
                .map(|reading| reading.event(since, only.as_ref())),
            Ok(Err(_)) | Err(_) => None,
        };
        let event = event.ok_or(Error::Overloaded)?;
        let mut response = Json(event).into_response();
        response
            .headers_mut()
            .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        return Ok(response);
    }
    let mut known = since;
    let events = WatchStream::new(reader).filter_map(move |reading| {
        let event = reading.and_then(|reading| {
            let event = reading.event(known, only.as_ref());
            known = Some(reading.rev);
            Event::default()
                .id(event.rev.clone())
                .json_data(&event)
                .ok()
        });
        std::future::ready(event.map(Ok::<_, Infallible>))
    });
    Ok(events::answer(events, venues.closing()))
}

/// The state that the page shows: the browser's word on what it heard last comes first.
fn since(visit: &Visit) -> Option<u64> {
    let heard = visit
        .headers
        .get("last-event-id")
        .and_then(|id| id.to_str().ok());
    u64::from_str_radix(heard.or_else(|| visit.query_value("since"))?, 16).ok()
}

fn only(visit: &Visit) -> Option<HashSet<u64>> {
    let ids = visit.query_value("only")?.split(',');
    Some(ids.take(MOST).filter_map(|id| id.parse().ok()).collect())
}

//! What the map of addresses asks while it is moved and typed into. The place comes in a header, as a position does: what
//! stands in an address is kept in histories and logs (S-21).

use axum::{
    Json,
    http::header,
    response::{IntoResponse as _, Response},
};

use super::{AddressSpot, AddressSuggestions, zone};
use crate::{
    error::Error,
    features::place::Place,
    upstream::{self, Caller, Spot},
    web::visit::Visit,
};

/// A typed text is cut here.
pub(super) const LONGEST_QUERY: usize = 100;

/// What is known of a place (`GET /addresses/at`).
///
/// # Errors
/// When the request names no place.
pub async fn at(visit: Visit) -> Result<Response, Error> {
    let place = visit.near().ok_or(Error::BadRequest("no place"))?;
    let found = zone::look(&visit, place, None).await;
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(found)).into_response())
}

/// What a typed text may mean (`GET /addresses/suggest`).
pub async fn suggest(visit: Visit) -> Response {
    let query = visit.query_text("q", LONGEST_QUERY);
    let city = visit.query_text("city", LONGEST_QUERY);
    let items = suggestions(&visit, &query, &city).await;
    let found = AddressSuggestions { query, items };
    ([(header::CACHE_CONTROL, "no-store")], Json(found)).into_response()
}

/// Addresses that a text may mean, at most three; none without an answer. The text alone would find streets of other
/// countries: town and city go with it (DG-08). A guest who writes to another city than the chosen town is asked about that one
/// when the two together mean nothing.
pub(super) async fn suggestions(
    visit: &Visit,
    query: &str,
    city: &str,
) -> Option<Vec<AddressSpot>> {
    if query.is_empty() {
        return Some(Vec::new());
    }
    let place = Place::of(visit).await;
    let town = place.town().map_or("", |town| town.name(visit.lang));
    let caller = visit.caller(place.centre()).optional();
    let mut found = ask(visit, &caller, &[query, town, city]).await;
    if found.as_ref().is_ok_and(Vec::is_empty) && !city.is_empty() && city != town {
        found = ask(visit, &caller, &[query, city]).await;
    }
    match found {
        Ok(spots) => Some(spots.into_iter().take(3).map(AddressSpot::from).collect()),
        Err(error) => {
            tracing::warn!(class = error.class(), "Addresses could not be suggested");
            None
        }
    }
}

/// Asks for the parts of an address, each once.
async fn ask(visit: &Visit, caller: &Caller, parts: &[&str]) -> Result<Vec<Spot>, upstream::Error> {
    let mut text: Vec<&str> = Vec::new();
    for part in parts {
        if !part.is_empty() && !text.contains(part) {
            text.push(part);
        }
    }
    let text = text.join(", ");
    visit.app.upstream.address_suggestions(caller, &text).await
}

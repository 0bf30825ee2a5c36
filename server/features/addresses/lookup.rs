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
    let found = suggestions(&visit, query, &city).await;
    ([(header::CACHE_CONTROL, "no-store")], Json(found)).into_response()
}

/// Addresses that a text may mean, at most three; null without an answer. The text alone would find streets of other
/// countries: town and city go with it (DG-08). A guest who writes to another city than the chosen town is asked about that one
/// when the two together mean nothing. Where all of the text means nothing, a part of it may: a street without its house, a
/// name without a slip beside it.
pub(super) async fn suggestions(visit: &Visit, query: String, city: &str) -> AddressSuggestions {
    let (found, partial) = if query.is_empty() {
        (Ok(Vec::new()), false)
    } else {
        meant(visit, &query, city).await
    };
    let items = match found {
        Ok(spots) => Some(spots.into_iter().take(3).map(AddressSpot::from).collect()),
        Err(error) => {
            tracing::warn!(class = error.class(), "Addresses could not be suggested");
            None
        }
    };
    AddressSuggestions {
        query,
        items,
        partial,
    }
}

/// What a text may mean, and whether that is only a part of it.
async fn meant(
    visit: &Visit,
    query: &str,
    city: &str,
) -> (Result<Vec<Spot>, upstream::Error>, bool) {
    let place = Place::of(visit).await;
    let town = place.town().map_or("", |town| town.name(visit.lang));
    let caller = visit.caller(place.centre()).optional();
    let mut found = ask(visit, &caller, &[query, town, city]).await;
    if found.as_ref().is_ok_and(Vec::is_empty) && !city.is_empty() && city != town {
        found = ask(visit, &caller, &[query, city]).await;
    }
    let near = if city.is_empty() { town } else { city };
    for part in parts(query) {
        if found.as_ref().is_ok_and(Vec::is_empty) {
            found = ask(visit, &caller, &[part.as_str(), near]).await;
            if found.as_ref().is_ok_and(|spots| !spots.is_empty()) {
                return (found, true);
            }
        }
    }
    (found, false)
}

/// What a street may be called beside its own name, in the languages of the product.
const KINDS: [&str; 19] = [
    "улица",
    "проспект",
    "переулок",
    "площадь",
    "бульвар",
    "шоссе",
    "микрорайон",
    "мкр",
    "көшесі",
    "даңғылы",
    "алаңы",
    "street",
    "avenue",
    "square",
    "ქუჩა",
    "გამზირი",
    "მოედანი",
    "road",
    "lane",
];

/// Parts of a text by which its street may be found: without numbers, and the longest word of its name. None of them is the
/// text itself.
fn parts(query: &str) -> Vec<String> {
    let words = query.split(|letter: char| letter.is_whitespace() || ",;".contains(letter));
    let names: Vec<&str> = words
        .filter(|word| word.chars().any(char::is_alphabetic))
        .filter(|word| !word.chars().any(char::is_numeric))
        .collect();
    let own = names
        .iter()
        .filter(|word| !KINDS.contains(&word.to_lowercase().as_str()))
        .max_by_key(|word| word.chars().count());
    let mut parts = vec![names.join(" ")];
    parts.extend(own.map(|word| (*word).to_owned()));
    // A syllable finds half of the town.
    parts.retain(|part| part.chars().count() > 3 && part != query);
    parts.dedup();
    parts
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

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn a_street_is_looked_for_without_its_house_and_by_its_own_name() {
        for (query, expected) in [
            ("Абай 150", vec!["Абай"]),
            ("проспект Абая, 150к2", vec!["проспект Абая", "Абая"]),
            ("Abay Avenue", vec!["Abay"]),
            ("Розыбакиева уг. Тимирязева", vec!["Розыбакиева"]),
            ("150", vec![]),
            ("qxjvbk", vec![]),
            ("ул 5", vec![]),
        ] {
            assert_eq!(parts(query), expected, "{query}");
        }
    }
}

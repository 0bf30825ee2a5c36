//! What the map of addresses asks while it is moved and typed into. The place comes in a header, as a position does: what
//! stands in an address is kept in histories and logs (S-21).

use axum::{
    Json,
    http::header,
    response::{IntoResponse as _, Response},
};
use futures_util::future::join_all;

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
    if !found.as_ref().is_ok_and(Vec::is_empty) {
        return (found, false);
    }
    let near = if city.is_empty() { town } else { city };
    let (parts, caller) = (parts(query), &caller);
    let answers = parts
        .iter()
        .map(|part| async move { ask(visit, caller, &[part.as_str(), near]).await });
    // A part without an answer takes nothing away from the one to the whole text.
    let mut meant = join_all(answers).await.into_iter().flatten();
    match meant.find(|spots| !spots.is_empty()) {
        Some(mut spots) => {
            let has_house = house_first(&mut spots, query);
            (Ok(spots), !has_house)
        }
        None => (found, false),
    }
}

/// Sorts those first whose house is a number that was typed; whether there is one. The word for a street may be all that
/// the whole text has failed for.
fn house_first(spots: &mut [Spot], query: &str) -> bool {
    let typed = query.to_lowercase();
    let is_typed = |spot: &Spot| {
        let house = spot.building.to_lowercase();
        typed
            .split(|sign: char| sign.is_whitespace() || matches!(sign, ',' | ';'))
            .any(|word| is_number(word) && word == house)
    };
    spots.sort_by_key(|spot| !is_typed(spot));
    spots.first().is_some_and(is_typed)
}

/// What a street may be called beside its own name, in the languages of the product.
const KINDS: [&str; 18] = [
    "улица",
    "проспект",
    "просп",
    "переулок",
    "площадь",
    "бульвар",
    "шоссе",
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

/// What stands before the number of a house or of a flat.
const HOUSES: [&str; 7] = ["дом", "д", "кв", "үй", "house", "სახლი", "ბინა"];

/// What a part of a town is called: of many the number is the name.
const DISTRICTS: [&str; 9] = [
    "микрорайон",
    "мкр",
    "мкрн",
    "квартал",
    "ықшамауданы",
    "шағынауданы",
    "მიკრორაიონი",
    "კვარტალი",
    "microdistrict",
];

fn is_one_of(kinds: &[&str], word: &str) -> bool {
    kinds.contains(&word.trim_end_matches('.').to_lowercase().as_str())
}

/// A number of a house, of a flat or of a district.
fn is_number(word: &str) -> bool {
    let is_numbered = word.chars().any(char::is_numeric);
    is_numbered && !is_name_with_number(word)
}

/// `Самал-2`: a name of at least three letters, and a number that tells it from others of the same.
fn is_name_with_number(word: &str) -> bool {
    word.split_once('-').is_some_and(|(name, number)| {
        name.chars().count() > 2
            && name.chars().all(char::is_alphabetic)
            && number.chars().all(char::is_numeric)
    })
}

/// The words of a name: without numbers, but for the one that a district is named by.
fn names(query: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for segment in query.split([',', ';']) {
        let words: Vec<&str> = segment.split_whitespace().collect();
        let district = words.iter().position(|word| is_one_of(&DISTRICTS, word));
        let number = district.and_then(|at| {
            let mut beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
            beside.find(|place| words.get(*place).is_some_and(|word| is_number(word)))
        });
        for (at, word) in words.iter().enumerate() {
            let is_of_house =
                is_one_of(&HOUSES, word) && words.get(at + 1).is_some_and(|next| is_number(next));
            let is_word = word.chars().any(char::is_alphabetic) && !is_number(word);
            if (is_word && !is_of_house) || Some(at) == number {
                names.push(*word);
            }
        }
    }
    names
}

/// Parts of a text by which its street may be found: without numbers, and the longest word of its name. None of them is the
/// text itself.
fn parts(query: &str) -> Vec<String> {
    let names = names(query);
    let is_own =
        |word: &&&str| !is_number(word) && !is_one_of(&KINDS, word) && !is_one_of(&DISTRICTS, word);
    let own = names
        .iter()
        .filter(is_own)
        .max_by_key(|word| word.chars().count());
    let is_named = own.is_some() || names.iter().any(|word| is_number(word));
    let mut parts = Vec::new();
    if is_named {
        parts.push(names.join(" "));
    }
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
    use super::{house_first, parts};
    use crate::upstream::{Coordinates, Spot};

    #[test]
    fn a_house_that_was_typed_stands_first_and_is_no_part_of_an_address() {
        let spot = |building: &str| Spot {
            address: String::new(),
            city: String::new(),
            street: "Абая".to_owned(),
            building: building.to_owned(),
            coordinates: Coordinates::new(43.0, 77.0).unwrap(),
        };
        for (query, first, has_house) in [
            ("ул. Абая, 10", "10", true),
            ("ул. Абая, 44А", "44а", true),
            ("ул. Абая, 1", "44а", false),
            ("ул. Абая", "44а", false),
        ] {
            let mut spots = ["44а", "150", "10"].map(spot);
            assert_eq!(house_first(&mut spots, query), has_house, "{query}");
            assert_eq!(spots[0].building, first, "{query}");
        }
    }

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
            ("улица 5", vec![]),
            ("просп. 5", vec![]),
            ("улица, дом 150", vec![]),
            ("Абая дом 150", vec!["Абая"]),
            // A district may be called by its number.
            ("5 микрорайон", vec![]),
            ("микрорайон 8", vec![]),
            ("5 микрорайон, 12", vec!["5 микрорайон"]),
            ("5-й микрорайон 12", vec!["5-й микрорайон"]),
            ("мкр. 8, дом 3", vec!["мкр. 8"]),
            ("Абая 150, мкр 5", vec!["Абая мкр 5", "Абая"]),
            ("мкр Самал-2, 33", vec!["мкр Самал-2", "Самал-2"]),
            ("Самал-2 33", vec!["Самал-2"]),
            ("микрорайон", vec![]),
        ] {
            assert_eq!(parts(query), expected, "{query}");
        }
    }
}

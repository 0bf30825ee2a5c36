//! `/search`: dishes, goods and venues by their names in one list (SE), with what helps when nothing is found.

mod ask;
mod data;
mod instead;
mod narrow;
mod spelling;
mod suggest;

use std::time::Duration;

use tokio::time::Instant;

use self::{
    ask::{Results, ask},
    instead::popular,
    narrow::Chosen,
    spelling::Spelling,
};
pub use self::{
    data::{DishHit, FoundVenue, SearchPage, Suggestion, Suggestions},
    narrow::{FilterKind, SearchFilter},
    suggest::suggest,
};
use super::{
    loaded::{Facts, Loaded, PageRequest},
    mapping,
    place::Place,
    venues,
};
use crate::{
    error::Error,
    upstream::{self, BrandId, Facets, Location},
    web::{
        page::{Frame, Page},
        visit::Visit,
    },
};

/// Of a page that may take 2.5 s.
const TIMEOUT: Duration = Duration::from_secs(2);
/// Results of one page (HM-13).
const PAGE_SIZE: u32 = 20;
/// A search text is cut here.
const LONGEST_QUERY: usize = 80;
/// Of each venue; the others are found by the search of its menu.
const DISHES_OF_EACH: usize = 3;

/// The search text of a visit: trimmed, cut, whitespace and what can't be seen are nothing (SE-04). No dish is called by a
/// picture: beside words they are left out.
#[must_use]
pub fn query_of(visit: &Visit) -> String {
    let cut = visit.query_text("q", LONGEST_QUERY);
    let cut = finding::plain(&cut);
    let words: String = cut.chars().filter(|letter| !is_picture(*letter)).collect();
    let words = words.trim();
    if words.is_empty() { cut.trim() } else { words }.to_owned()
}

/// Arrows, signs and emoji, and what joins and colours these.
fn is_picture(letter: char) -> bool {
    (letter >= '\u{2190}' && !letter.is_alphanumeric()) || letter == '\u{200d}'
}

/// `/search`
pub const PAGE: Page = Page::builder("search", "/search")
    .query(&[
        "q", "brand", "page", "exact", "open", "meatless", "halal", "price", "kitchen",
    ])
    // A search asks many venues.
    .counted(&["q"])
    .of_all_venues()
    .frame(Frame::Search)
    .open();

/// Loads `/search`.
///
/// # Errors
/// When its address has searched too often. A list that did not come says so itself and keeps the query.
pub async fn load(request: PageRequest) -> Result<Loaded<SearchPage>, Error> {
    let until = Instant::now() + TIMEOUT;
    let Facts { visit, place, .. } = &*request;
    let query = query_of(visit);
    let page = venues::page(visit);
    let brand = brand(visit);
    let chosen = Chosen::of(visit);
    let exact = visit.query_value("exact") == Some("1");
    let blank = SearchPage {
        query: query.clone(),
        brand: brand.map(|brand| brand.0),
        shown: None,
        nearest: None,
        exact,
        // Without a text, too: the next one is narrowed down by them.
        filters: chosen.offered(&Facets::default()),
        found: Vec::new(),
        total: 0,
        page,
        last_page: 1,
        failed: false,
        partial: false,
        others: Vec::new(),
        popular: Vec::new(),
    };
    if query.is_empty() {
        let popular = popular(visit, place, brand).await;
        return Ok(Loaded::page(SearchPage { popular, ..blank }));
    }
    visit.take_search().await.map_err(Error::TooMany)?;
    let Some(_turn) = visit.app.admission.search() else {
        let busy = SearchPage {
            failed: true,
            ..blank
        };
        return Ok(Loaded::page(busy).lacking(true).status(503));
    };
    let mut results = ask(visit, place, brand, visit.service, &query, &chosen, page).await;
    let (mut shown, mut nearest) = (None, None);
    let (mut others, mut popular) = (Vec::new(), Vec::new());
    // What is made up finds nothing, and working out what may be meant costs most of the calls.
    if is_unknown(&results) && visit.take_guess().await.is_ok() {
        let other = Spelling {
            visit,
            place,
            brand,
            query: &query,
            chosen: &chosen,
            page,
            exact,
            until,
        };
        let found = other.find().await;
        others = found.others;
        popular = found.popular;
        nearest = found.nearest;
        if let Some((spelling, answer)) = found.results {
            shown = spelling;
            results = answer;
        }
    }
    let total = results.total();
    let failure = results.failure();
    if let Some(error) = failure {
        tracing::warn!(class = error.class(), "A part of a search did not answer");
    }
    let last_page = results.last_page().max(1);
    // A part that did not answer may have more pages.
    if page > last_page && failure.is_none() {
        return Ok(Loaded::Redirect(venues::on_page(visit, last_page)));
    }
    // A search that did not answer may have results that the others lack.
    let failed = total == 0 && failure.is_some();
    let partial = total > 0 && failure.is_some();
    let loaded = Loaded::page(SearchPage {
        shown,
        nearest,
        filters: chosen.offered(&results.facets()),
        found: found(visit, place, &results),
        total,
        last_page,
        failed,
        partial,
        others,
        popular,
        ..blank
    })
    .lacking(failed || partial);
    Ok(if failed { loaded.status(503) } else { loaded })
}

/// Nothing was found, and not because of what it was narrowed down by.
fn is_unknown(results: &Results) -> bool {
    results.total() == 0 && results.failure().is_none() && results.facets().total == 0
}

/// Venues with what of their menus was found, in the order of the best match; behind them those that are called so. What can
/// be ordered now comes first: by the venue, then by what of it was found.
fn found(visit: &Visit, place: &Place, results: &Results) -> Vec<FoundVenue> {
    let mut all: Vec<FoundVenue> = Vec::new();
    let card = |location: &Location| FoundVenue {
        venue: mapping::card_of(visit, place, location, false),
        dishes: Vec::new(),
        more: false,
    };
    for hit in results.hits.iter().flat_map(|hits| &hits.items) {
        let at = all
            .iter()
            .position(|one| one.venue.id == hit.location.venue_id.0);
        let at = at.unwrap_or_else(|| {
            all.push(card(&hit.location));
            all.len() - 1
        });
        let Some(one) = all.get_mut(at) else { continue };
        if one.dishes.len() < DISHES_OF_EACH {
            one.dishes
                .push(mapping::product(&hit.product, &visit.app.images));
        } else {
            one.more = true;
        }
    }
    for location in results.named().iter().flat_map(|venues| &venues.items) {
        if !all.iter().any(|one| one.venue.id == location.venue_id.0) {
            all.push(card(location));
        }
    }
    all.sort_by_key(|one| {
        let is_sold_out = one.dishes.iter().all(|dish| dish.out || dish.unpriced);
        (
            one.venue.open.wait(),
            one.venue.paused,
            one.dishes.is_empty(),
            is_sold_out,
        )
    });
    all
}

/// The brand that is searched: the installation's own, else the one that was asked for (SV-09, SE-10).
fn brand(visit: &Visit) -> Option<BrandId> {
    let in_query = || visit.query_value("brand").and_then(|id| id.parse().ok());
    visit.brand().or_else(in_query)
}

fn dish(visit: &Visit, place: &Place, product: &upstream::Product, location: &Location) -> DishHit {
    DishHit {
        product: mapping::product(product, &visit.app.images),
        venue: location.venue_id.0,
        name: location.name.clone(),
        open: mapping::open(location, visit.now, place.meta.utc_offset),
    }
}

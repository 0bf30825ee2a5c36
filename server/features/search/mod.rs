//! `/search`: dishes, goods and venues by their names in one list (SE), with what helps when nothing is found.

mod ask;
mod data;
mod found;
mod instead;
mod narrow;
mod spelling;
mod suggest;

use std::time::Duration;

use futures_util::future::join_all;
use tokio::time::{Instant, timeout_at};

use self::{
    ask::{CALLS, Results, ask},
    found::found,
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
        corrections::Correction,
        page::{Frame, Page},
        visit::Visit,
    },
};

/// Of a page that may take 2.5 s.
const TIMEOUT: Duration = Duration::from_secs(2);
/// Venues of which popular dishes are offered are chosen among so many.
const PAGE_SIZE: u32 = 20;
/// Results that a page adds to those before it: each may have three dishes, and a phone shows one at a time.
const RESULTS: usize = 8;
/// A search text is cut here.
const LONGEST_QUERY: usize = 80;

/// The search text of a visit: trimmed, cut, whitespace and what can't be seen are nothing (SE-04). No dish is called by a
/// picture: beside words they are left out.
#[must_use]
pub fn query_of(visit: &Visit) -> String {
    let cut = visit.query_text("q", LONGEST_QUERY);
    let cut = finding::plain(&cut);
    let words: String = cut.chars().filter(|letter| !is_picture(*letter)).collect();
    let words = words.trim();
    let words = if words.is_empty() { cut.trim() } else { words };
    // One letter may stand for many.
    let cut: String = words.chars().take(LONGEST_QUERY).collect();
    cut.trim_end().to_owned()
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
        throttled: false,
        // Without a text, too: the next one is narrowed down by them.
        filters: chosen.offered(&Facets::default()),
        found: Vec::new(),
        added: 0,
        total: 0,
        page,
        last_page: 1,
        rest: false,
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
    let service = visit.service;
    let mut results = ask(visit, place, brand, service, &query, &chosen, CALLS).await;
    let (mut shown, mut nearest) = (None, None);
    let mut throttled = false;
    let (mut others, mut popular) = (Vec::new(), Vec::new());
    let search = || {
        let (town, filters) = (place.upstream_town(), &chosen.0);
        let lang = visit.lang;
        format!("{lang:?} {town:?} {service:?} {brand:?} {filters:?} {exact} {query}")
    };
    let known = is_unknown(&results).then(|| visit.app.corrections.get(&search()));
    // What is made up finds nothing, and working out what may be meant costs most of the calls.
    if let Some(Some(known)) = known {
        let asked = known
            .texts
            .iter()
            .map(|text| ask(visit, place, brand, service, text, &chosen, known.calls));
        results = Results::merged(join_all(asked).await);
        shown = known.shown;
    } else if known.is_some() && visit.take_guess().await.is_err() {
        throttled = true;
        let popular_there = instead::popular(visit, place, brand);
        popular = timeout_at(until, popular_there).await.unwrap_or_default();
    } else if known.is_some() {
        let other = Spelling {
            visit,
            place,
            brand,
            query: &query,
            chosen: &chosen,
            exact,
            until,
        };
        let found = other.find().await;
        others = found.others;
        popular = found.popular;
        nearest = found.nearest;
        if let Some((spelling, answer)) = found.results {
            let correction = Correction {
                shown: spelling.clone(),
                texts: answer.texts().map(str::to_owned).collect(),
                calls: found.calls,
            };
            visit.app.corrections.insert(search(), correction);
            shown = spelling;
            results = answer;
        }
    }
    let failure = results.failure();
    if let Some(error) = failure {
        tracing::warn!(class = error.class(), "A part of a search did not answer");
    }
    let (mut found, total) = found(visit, place, &results, until).await;
    let last_page = u32::try_from(found.len().div_ceil(RESULTS))
        .unwrap_or(1)
        .max(1);
    // A part that did not answer may have more pages, and so may what was not looked for.
    if page > last_page && failure.is_none() && !throttled {
        return Ok(Loaded::Redirect(venues::on_page(visit, last_page)));
    }
    // A page has those of the pages before it: a list that has grown is there after Back and a reload.
    let shown_before = RESULTS.saturating_mul(page as usize - 1).min(found.len());
    found.truncate(RESULTS.saturating_mul(page as usize));
    // A search that did not answer may have results that the others lack.
    let failed = total == 0 && failure.is_some();
    let partial = total > 0 && failure.is_some();
    let loaded = Loaded::page(SearchPage {
        shown,
        nearest,
        throttled,
        filters: chosen.offered(&results.facets()),
        added: u32::try_from(shown_before).unwrap_or_default(),
        found,
        total,
        last_page,
        rest: page >= last_page && results.has_rest(),
        failed,
        partial,
        others,
        popular,
        ..blank
    })
    .lacking(failed || partial || throttled);
    Ok(if failed { loaded.status(503) } else { loaded })
}

/// Nothing was found, and not because of what it was narrowed down by.
fn is_unknown(results: &Results) -> bool {
    results.total() == 0 && results.failure().is_none() && results.facets().total == 0
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

//! `/search`: venues, dishes and goods by their names (SE), with what helps when nothing is found.

mod ask;
mod data;
mod instead;
mod suggest;

use futures_util::future::join_all;

use self::{
    ask::ask,
    instead::{nearest, popular},
};
pub use self::{
    data::{DishHit, SearchPage, SearchTab, Suggestion, Suggestions, TabCount},
    suggest::suggest,
};
use super::{
    finding,
    loaded::{Facts, Loaded, PageRequest},
    mapping,
    place::Place,
};
use crate::{
    error::Error,
    upstream::{self, BrandId, Location},
    web::{
        page::{Frame, Page},
        visit::Visit,
    },
};

/// Results of one page (HM-13).
const PAGE_SIZE: u32 = 20;
/// A search text is cut here.
const LONGEST_QUERY: usize = 80;
/// Other spellings that are tried when the query itself finds nothing.
const SPELLINGS: usize = 3;

/// The search text of a visit: trimmed, cut, whitespace is nothing (SE-04).
#[must_use]
pub fn query_of(visit: &Visit) -> String {
    let cut = visit.asked_text("q", LONGEST_QUERY);
    cut.trim().to_owned()
}

/// `/search`
pub const PAGE: Page = Page::new("search", "/search")
    .query(&["q", "brand", "tab", "page"])
    .frame(Frame::Search);

/// Loads `/search`.
///
/// # Errors
/// None: a list that did not come says so itself and keeps the query.
pub async fn load(request: PageRequest) -> Result<Loaded<SearchPage>, Error> {
    let Facts { visit, place, .. } = &*request;
    let query = query_of(visit);
    let asked = visit.asked("tab").and_then(SearchTab::from_slug);
    let page = visit
        .asked("page")
        .and_then(|page| page.parse().ok())
        .filter(|page| (1..=10_000).contains(page))
        .unwrap_or(1);
    let brand = brand(visit);
    let blank = SearchPage {
        query: query.clone(),
        brand: brand.map(|brand| brand.0),
        shown: None,
        nearest: None,
        tab: asked.unwrap_or(SearchTab::Venues),
        tabs: Vec::new(),
        venues: Vec::new(),
        dishes: Vec::new(),
        page,
        last_page: 1,
        failed: false,
        popular: Vec::new(),
    };
    if query.is_empty() {
        let popular = popular(visit, place, brand).await;
        return Ok(Loaded::page(SearchPage { popular, ..blank }));
    }
    let mut results = ask(visit, place, brand, &query, asked, page).await;
    let mut shown = None;
    if results.first_found().is_none() && !results.failed() {
        let spellings: Vec<String> = finding::spellings(&query)
            .into_iter()
            .take(SPELLINGS)
            .collect();
        let answers = join_all(
            spellings
                .iter()
                .map(|spelling| ask(visit, place, brand, spelling, asked, page)),
        )
        .await;
        if let Some((spelling, found)) = spellings
            .into_iter()
            .zip(answers)
            .find(|(_, answer)| answer.first_found().is_some())
        {
            results = found;
            shown = Some(spelling);
        }
    }
    let tab = asked
        .or_else(|| results.first_found())
        .unwrap_or(SearchTab::Venues);
    let tabs: Vec<TabCount> = SearchTab::ALL
        .into_iter()
        .map(|tab| TabCount {
            tab,
            count: results.count(tab),
        })
        .collect();
    let nothing = results.first_found().is_none() && !results.failed();
    let (popular, nearest) = if nothing {
        let popular = popular(visit, place, brand).await;
        let nearest = nearest(visit, place, &popular, &query).await;
        (popular, nearest)
    } else {
        (Vec::new(), None)
    };
    let stale = results.failed();
    // What did not answer may hold what nobody else has.
    let failed =
        results.count(tab).is_none() || (results.first_found().is_none() && results.failed());
    let offset = place.meta.utc_offset;
    let mut last_page = 1;
    let (mut venues, mut dishes) = (Vec::new(), Vec::new());
    match tab {
        SearchTab::Venues => {
            if let Ok(found) = &results.venues {
                last_page = found.last_page;
                venues = found
                    .items
                    .iter()
                    .map(|location| {
                        mapping::venue_card(location, &visit.app.images, visit.now, offset)
                    })
                    .collect();
            }
        }
        SearchTab::Dishes | SearchTab::Goods => {
            let found = if tab == SearchTab::Dishes {
                &results.dishes
            } else {
                &results.goods
            };
            if let Ok(found) = found {
                last_page = found.last_page;
                dishes = found
                    .items
                    .iter()
                    .map(|hit| dish(visit, place, &hit.product, &hit.location))
                    .collect();
            }
        }
    }
    if let Err(error) = [
        results.venues.map(drop),
        results.dishes.map(drop),
        results.goods.map(drop),
    ]
    .into_iter()
    .collect::<Result<Vec<()>, _>>()
    {
        tracing::warn!(class = error.class(), "A part of a search did not answer");
    }
    let loaded = Loaded::page(SearchPage {
        shown,
        nearest,
        tab,
        tabs,
        venues,
        dishes,
        last_page: last_page.max(1),
        failed,
        popular,
        ..blank
    })
    .stale(stale);
    Ok(if failed { loaded.status(503) } else { loaded })
}

/// The brand that is searched: the installation's own, else the one that was asked for (SV-09, SE-10).
fn brand(visit: &Visit) -> Option<BrandId> {
    let asked = || visit.asked("brand").and_then(|id| id.parse().ok());
    visit.brand().or_else(asked)
}

fn dish(visit: &Visit, place: &Place, product: &upstream::Product, location: &Location) -> DishHit {
    DishHit {
        product: mapping::product(product, &visit.app.images),
        venue: location.filial_id.0,
        name: location.name.clone(),
        open: mapping::open(location, visit.now, place.meta.utc_offset),
    }
}

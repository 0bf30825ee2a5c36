//! `/search`: venues, dishes and goods by their names (SE), with what helps when nothing is found.

use axum::{
    Json,
    http::header,
    response::{IntoResponse as _, Response},
};
use futures_util::future::join_all;
use serde::Serialize;
use ts_rs::TS;

use super::{
    finding, mapping,
    menu::Product,
    page::Page,
    place::Place,
    venues::{OpenState, VenueCard},
};
use crate::{
    error::Error,
    upstream::{
        self, Answer, BrandId, CompletionKind, Hit, HitKind, HitsQuery, Location, LocationsQuery,
        Paged, Sort,
    },
    web::{load::Loaded, visit::Visit},
};

/// Results of one page (HM-13).
const PAGE: u32 = 20;
/// A search text is cut here.
pub const LONGEST_QUERY: usize = 80;
/// Other spellings that are tried when the query itself finds nothing.
const SPELLINGS: usize = 3;
/// Venues whose popular dishes are offered where there is nothing else to show.
const POPULAR_VENUES: usize = 3;
/// Of each of them.
const POPULAR_OF_EACH: usize = 2;

/// What a tab lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "page-data.ts")]
#[expect(missing_docs, reason = "the names say it")]
pub enum SearchTab {
    Venues,
    Dishes,
    Goods,
}

/// One tab.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "page-data.ts")]
pub struct TabCount {
    /// What it lists.
    pub tab: SearchTab,
    /// How many there are; null when the upstream did not answer.
    pub count: Option<u32>,
}

/// A dish or good with the venue that has it.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[ts(export_to = "page-data.ts")]
pub struct DishHit {
    /// The product.
    pub product: Product,
    /// Filial id of the venue for the chosen service.
    #[ts(type = "number")]
    pub venue: u64,
    /// Its name.
    pub name: String,
    /// Its open state: nothing can be added while it is closed.
    pub open: OpenState,
}

/// Page data of `/search`.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "page-data.ts")]
pub struct SearchPage {
    /// Search text, trimmed; empty: nothing was asked for (SE-04).
    pub query: String,
    /// Only of this brand (SE-10).
    #[ts(type = "number | null")]
    pub brand: Option<u64>,
    /// The spelling whose results are shown, when the query itself found nothing.
    pub shown: Option<String>,
    /// A spelling near the query that finds something.
    pub nearest: Option<String>,
    /// The tab that is open.
    pub tab: SearchTab,
    /// All tabs with their counts.
    pub tabs: Vec<TabCount>,
    /// Venues of this page.
    pub venues: Vec<VenueCard>,
    /// Dishes or goods of this page.
    pub dishes: Vec<DishHit>,
    /// From 1.
    pub page: u32,
    /// At least 1.
    pub last_page: u32,
    /// The open tab's list did not come: the page offers a retry.
    pub failed: bool,
    /// What others like, where there are no results.
    pub popular: Vec<DishHit>,
}

/// A line of the autocomplete list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "page-data.ts")]
pub struct Suggestion {
    /// The whole text.
    pub text: String,
    /// What it names: `brand`, `venue`, `product` or nothing known.
    pub kind: Option<String>,
}

/// What completes the text that is being typed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "page-data.ts")]
pub struct Suggestions {
    /// The text that was asked for: an answer to another one is dropped (SE-11).
    pub query: String,
    /// At most three (SE-07).
    pub items: Vec<Suggestion>,
}

/// The answers to one spelling.
struct Results {
    venues: Result<Answer<Paged<Location>>, upstream::Error>,
    dishes: Result<Answer<Paged<Hit>>, upstream::Error>,
    goods: Result<Answer<Paged<Hit>>, upstream::Error>,
}

impl SearchTab {
    const ALL: [Self; 3] = [Self::Venues, Self::Dishes, Self::Goods];

    fn from_slug(slug: &str) -> Option<Self> {
        match slug {
            "venues" => Some(Self::Venues),
            "dishes" => Some(Self::Dishes),
            "goods" => Some(Self::Goods),
            _ => None,
        }
    }
}

impl Results {
    fn count(&self, tab: SearchTab) -> Option<u32> {
        match tab {
            SearchTab::Venues => self.venues.as_ref().ok().map(|page| page.total),
            SearchTab::Dishes => self.dishes.as_ref().ok().map(|page| page.total),
            SearchTab::Goods => self.goods.as_ref().ok().map(|page| page.total),
        }
    }

    fn first_found(&self) -> Option<SearchTab> {
        SearchTab::ALL
            .into_iter()
            .find(|tab| self.count(*tab).is_some_and(|count| count > 0))
    }

    fn failed(&self) -> bool {
        SearchTab::ALL.iter().any(|tab| self.count(*tab).is_none())
    }
}

/// The search text of a visit: trimmed, cut, whitespace is nothing (SE-04).
#[must_use]
pub fn query_of(visit: &Visit) -> String {
    let cut: String = visit
        .asked("q")
        .unwrap_or_default()
        .chars()
        .take(LONGEST_QUERY)
        .collect();
    cut.trim().to_owned()
}

/// Loads `/search`.
///
/// # Errors
/// None: a list that did not come says so itself and keeps the query.
pub async fn load(visit: &Visit, place: &Place) -> Result<Loaded, Error> {
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
        return Ok(Loaded::page(Page::Search(Box::new(SearchPage {
            popular,
            ..blank
        }))));
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
    let failed = results.count(tab).is_none();
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
    let loaded = Loaded::page(Page::Search(Box::new(SearchPage {
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
    })))
    .stale(stale);
    Ok(if failed { loaded.status(503) } else { loaded })
}

/// What completes a text (`/search/suggest`): at most three lines, none when the upstream does not answer.
pub async fn suggest(visit: &Visit) -> Response {
    let query = query_of(visit);
    let brand = brand(visit);
    let place = Place::of(visit).await;
    let found = visit
        .app
        .upstream
        .autocomplete(
            &visit.caller(None).optional(),
            &query,
            brand,
            place.upstream_town(),
        )
        .await;
    let items = found
        .unwrap_or_default()
        .into_iter()
        .take(3)
        .map(|completion| Suggestion {
            kind: match completion.kind {
                CompletionKind::Brand => Some("brand".to_owned()),
                CompletionKind::Venue => Some("venue".to_owned()),
                CompletionKind::Product => Some("product".to_owned()),
                CompletionKind::Unknown => None,
            },
            text: completion.text,
        })
        .collect();
    (
        [(header::CACHE_CONTROL, "no-store")],
        Json(Suggestions { query, items }),
    )
        .into_response()
}

/// All three lists for one spelling; the asked tab's at the asked page, the others for their counts.
async fn ask(
    visit: &Visit,
    place: &Place,
    brand: Option<BrandId>,
    text: &str,
    asked: Option<SearchTab>,
    page: u32,
) -> Results {
    let upstream = &visit.app.upstream;
    let caller = visit.caller(place.centre());
    let page_of = |tab| if asked == Some(tab) { page } else { 1 };
    let venues = LocationsQuery {
        service: Some(visit.service),
        town: place.upstream_town(),
        brand,
        search: text.to_owned(),
        page: page_of(SearchTab::Venues),
        limit: PAGE,
        ..LocationsQuery::default()
    };
    let hits = |kind, tab| HitsQuery {
        text: text.to_owned(),
        kind,
        service: Some(visit.service),
        town: place.upstream_town(),
        brand,
        page: page_of(tab),
        limit: PAGE,
    };
    let (of_dishes, of_goods) = (
        hits(HitKind::Dish, SearchTab::Dishes),
        hits(HitKind::Good, SearchTab::Goods),
    );
    let (venues, dishes, goods) = tokio::join!(
        upstream.locations(&caller, &venues),
        upstream.search_products(&caller, &of_dishes),
        upstream.search_products(&caller, &of_goods),
    );
    Results {
        venues,
        dishes,
        goods,
    }
}

fn dish(visit: &Visit, place: &Place, product: &upstream::Product, location: &Location) -> DishHit {
    DishHit {
        product: mapping::product(product, &visit.app.images),
        venue: location.filial_id.0,
        name: location.name.clone(),
        open: mapping::open(location, visit.now, place.meta.utc_offset),
    }
}

/// The brand that is searched: the installation's own, else the one that was asked for (SV-09, SE-10).
fn brand(visit: &Visit) -> Option<BrandId> {
    let asked = || visit.asked("brand").and_then(|id| id.parse().ok());
    visit.brand().or_else(asked)
}

/// The best rated venues of the town.
async fn best(visit: &Visit, place: &Place, brand: Option<BrandId>) -> Vec<Location> {
    let query = LocationsQuery {
        service: Some(visit.service),
        sort: Sort::Rating,
        town: place.upstream_town(),
        brand,
        limit: PAGE,
        ..LocationsQuery::default()
    };
    let caller = visit.caller(place.centre()).optional();
    visit
        .app
        .upstream
        .locations(&caller, &query)
        .await
        .map(|answer| answer.items.clone())
        .unwrap_or_default()
}

/// Popular dishes of the best rated venues.
async fn popular(visit: &Visit, place: &Place, brand: Option<BrandId>) -> Vec<DishHit> {
    let caller = visit.caller(None).optional();
    let venues = best(visit, place, brand).await;
    let open: Vec<&Location> = venues
        .iter()
        .filter(|location| mapping::open(location, visit.now, place.meta.utc_offset).open)
        .take(POPULAR_VENUES)
        .collect();
    let lists = join_all(
        open.iter()
            .map(|location| visit.app.upstream.popular(&caller, location.filial_id)),
    )
    .await;
    open.iter()
        .zip(lists)
        .flat_map(|(location, list)| {
            let products = list.map(|list| list.value().to_vec()).unwrap_or_default();
            products
                .into_iter()
                .filter(|product| !product.is_unavailable)
                .take(POPULAR_OF_EACH)
                .map(|product| dish(visit, place, &product, location))
                .collect::<Vec<_>>()
        })
        .collect()
}

/// A spelling near the query, out of the names of venues and popular dishes.
async fn nearest(visit: &Visit, place: &Place, popular: &[DishHit], query: &str) -> Option<String> {
    let venues = best(visit, place, None).await;
    let names = venues
        .iter()
        .flat_map(|location| [location.name.as_str(), location.brand_name.as_str()])
        .chain(popular.iter().map(|hit| hit.product.name.as_str()));
    finding::nearest(names, query)
}

//! Venue list, and what a venue looks like in every list.

use futures_util::future::join_all;
use serde::Serialize;
use url::form_urlencoded::Serializer;

use super::{
    loaded::{Facts, Loaded, PageRequest},
    mapping,
    page_data::{ServiceHits, VenueCard},
    place::Place,
    rails::RailKind,
};
use crate::{
    error::Error,
    upstream::{Filters, Location, LocationsQuery},
    values::Service,
    web::{
        page::{Frame, Page},
        visit::Visit,
    },
};

/// Venues of one page (HM-13).
pub const PAGE_SIZE: u32 = 20;
/// Names a kitchen in the address, as in that of the search.
const KITCHEN: &str = "kitchen";
/// Numbers the pages of a list in addresses.
const PAGE_KEY: &str = "page";
/// No code of a kitchen is longer.
const LONGEST_CODE: usize = 40;
/// A search text is cut here.
const LONGEST_QUERY: usize = 100;

/// A kind of cooking, which leads to its venues.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct KitchenLink {
    /// Its word in addresses.
    pub code: String,
    /// Its name in the page's language.
    pub name: String,
}

/// Page data of `/filials`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct VenueListPage {
    /// The rail whose full list this is, null for all venues.
    pub category: Option<RailKind>,
    /// Search text, trimmed.
    pub query: String,
    /// The kitchen whose venues these are; its name is empty where none of the town has it.
    pub kitchen: Option<KitchenLink>,
    /// Venues of this page.
    pub venues: Vec<VenueCard>,
    /// From 1.
    pub page: u32,
    /// At least 1.
    pub last_page: u32,
    /// Venues on all pages.
    pub total: u32,
    /// The upstream did not answer: the list offers a retry.
    pub failed: bool,
    /// The other services that have venues, where the chosen one has none at all (HM-10).
    pub others: Vec<ServiceHits>,
}

/// The other services on offer that have venues in the town. Those that do not answer are left out.
pub async fn by_other_services(visit: &Visit, place: &Place) -> Vec<ServiceHits> {
    let mut others = visit.offered();
    others.retain(|service| *service != visit.service);
    let caller = visit.caller(place.centre()).optional();
    let mut answers = join_all(others.into_iter().map(async |service| {
        let query = LocationsQuery {
            // As the list of that service asks for its first page.
            limit: PAGE_SIZE,
            ..all(visit, place, service)
        };
        let found = visit.app.upstream.locations(&caller, &query).await;
        let total = found.map_or(0, |answer| answer.total);
        ServiceHits { service, total }
    }))
    .await;
    answers.retain(|answer| answer.total > 0);
    answers
}

/// All venues of the town that have a service.
fn all(visit: &Visit, place: &Place, service: Service) -> LocationsQuery {
    LocationsQuery {
        service: Some(service),
        town: place.upstream_town(),
        brand: visit.brand(),
        ..LocationsQuery::default()
    }
}

/// The search text of a list, cut.
#[must_use]
pub fn search(visit: &Visit) -> String {
    visit.query_text("q", LONGEST_QUERY)
}

/// The asked page of a list, from 1.
#[must_use]
pub fn page(visit: &Visit) -> u32 {
    visit
        .query_value(PAGE_KEY)
        .and_then(|page| page.parse().ok())
        .filter(|page| (1..=10_000).contains(page))
        .unwrap_or(1)
}

/// A kitchen by the name that venues give it: those of the list or, where it has none, others of the town. Anything may
/// stand in an address, and no page is headed by that.
async fn named(
    visit: &Visit,
    place: &Place,
    code: Option<String>,
    venues: &[Location],
) -> Option<KitchenLink> {
    let code = code?;
    let name = match name_among(venues, &code) {
        Some(name) => name,
        None => name_in_town(visit, place, &code).await.unwrap_or_default(),
    };
    Some(KitchenLink { code, name })
}

/// What the venues of a kitchen call it, whatever else they are narrowed down by.
async fn name_in_town(visit: &Visit, place: &Place, code: &str) -> Option<String> {
    let query = LocationsQuery {
        // As the list of the kitchen alone asks for its first page.
        limit: PAGE_SIZE,
        filters: Filters {
            kitchen: Some(code.to_owned()),
            ..Filters::default()
        },
        ..all(visit, place, visit.service)
    };
    let caller = visit.caller(place.centre()).optional();
    let found = visit.app.upstream.locations(&caller, &query).await.ok()?;
    name_among(&found.items, code)
}

fn name_among(venues: &[Location], code: &str) -> Option<String> {
    let mut kitchens = venues.iter().flat_map(|venue| &venue.kitchens);
    let kitchen = kitchens.find(|kitchen| kitchen.code == code)?;
    Some(kitchen.name.clone())
}

/// Where another page of the visit's list stands: one past the end is no page of its own (SO-08).
#[must_use]
pub fn on_page(visit: &Visit, page: u32) -> String {
    let mut params = Serializer::new(String::new());
    let Page { path, query, .. } = visit.matched.page;
    for key in query.iter().copied().chain(["lang", "country"]) {
        if key == PAGE_KEY {
            if page > 1 {
                params.append_pair(key, &page.to_string());
            }
        } else if let Some(value) = visit.query_value(key) {
            params.append_pair(key, value);
        }
    }
    let params = params.finish();
    if params.is_empty() {
        (*path).to_owned()
    } else {
        format!("{path}?{params}")
    }
}

/// `/filials`
pub const PAGE: Page = Page::builder("venues", "/filials")
    .in_sitemap()
    .query(&["category", "kitchen", "q", "page"])
    .frame(Frame::Search)
    .navbar()
    .shared();

/// Loads `/filials`: all venues, a rail's full list, or what a search found.
///
/// # Errors
/// None: a list that did not come says so itself and offers a retry (ZZ-18).
pub async fn load(request: PageRequest) -> Result<Loaded<VenueListPage>, Error> {
    let Facts { visit, place, .. } = &*request;
    let category = visit.query_value("category").and_then(RailKind::from_slug);
    let (query, page) = (search(visit), page(visit));
    let base = category.map_or_else(
        || all(visit, place, visit.service),
        |kind| kind.query(visit, place),
    );
    let kitchen = Some(visit.query_text(KITCHEN, LONGEST_CODE)).filter(|code| !code.is_empty());
    let wanted = LocationsQuery {
        page,
        limit: PAGE_SIZE,
        search: query.clone(),
        filters: Filters {
            kitchen: kitchen.clone(),
            ..Filters::default()
        },
        ..base
    };
    let found = visit
        .app
        .upstream
        .locations(&visit.caller(place.centre()), &wanted)
        .await;
    let loaded = match found {
        Ok(answer) => {
            let mut venues: Vec<VenueCard> = answer
                .items
                .iter()
                .map(|location| mapping::card_of(visit, place, location, false))
                .collect();
            venues.sort_by_key(|venue| venue.open.wait());
            let (last_page, total) = (answer.last_page.max(1), answer.total);
            if page > last_page {
                return Ok(Loaded::Redirect(on_page(visit, last_page)));
            }
            let keep = VenueCard::soonest(&venues);
            let is_narrowed = category.is_some() || kitchen.is_some() || !query.is_empty();
            let others = if total == 0 && !is_narrowed {
                by_other_services(visit, place).await
            } else {
                Vec::new()
            };
            Loaded::page(VenueListPage {
                category,
                query,
                kitchen: named(visit, place, kitchen, &answer.items).await,
                venues,
                page,
                last_page,
                total,
                failed: false,
                others,
            })
            .stale(answer.is_stale())
            .keep(keep)
        }
        Err(error) => {
            tracing::warn!(class = error.class(), "The venue list could not be loaded");
            let page = VenueListPage {
                category,
                query,
                kitchen: named(visit, place, kitchen, &[]).await,
                venues: Vec::new(),
                page,
                last_page: page,
                total: 0,
                failed: true,
                others: Vec::new(),
            };
            Loaded::page(page).status(503)
        }
    };
    Ok(loaded)
}

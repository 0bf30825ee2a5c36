//! `/brands/filials?brand=ID`: the venues of one brand, nearest first (2.2, HM-08).

use futures_util::future::try_join_all;
use serde::Serialize;

use super::{
    loaded::{Facts, Loaded, PageRequest},
    mapping,
    page_data::VenueCard,
    place::Place,
    venues,
};
use crate::{
    config::custom::FrontTexts,
    error::Error,
    upstream::{self, Answer, BrandId, Location},
    values::Service,
    web::{
        page::{Frame, Page},
        visit::Visit,
    },
};

/// Pages of the upstream that are read for one list.
const MOST_PAGES: u32 = 10;

/// Page data of `/brands/filials`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BrandVenuesPage {
    /// The brand.
    #[cfg_attr(test, ts(type = "number"))]
    pub brand: u64,
    /// Name of the brand, empty when nothing came.
    pub name: String,
    /// There are other brands to go back to.
    pub others: bool,
    /// Venues of this page, nearest first.
    pub venues: Vec<VenueCard>,
    /// From 1.
    pub page: u32,
    /// At least 1.
    pub last_page: u32,
    /// Venues on all pages.
    pub total: u32,
    /// The upstream did not answer: the list offers a retry.
    pub failed: bool,
    /// What the host name says of its own there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub front: Option<FrontTexts>,
}

/// `/brands/filials`
pub const PAGE: Page = Page::builder("brandVenues", "/brands/filials")
    .query(&["brand", "q", "page"])
    .frame(Frame::Search)
    .navbar()
    .shared();

/// Loads `/brands/filials`. Without a brand the guest chooses one.
///
/// # Errors
/// [`Error::NotFound`] for an unknown brand.
pub async fn load(request: PageRequest) -> Result<Loaded<BrandVenuesPage>, Error> {
    let Facts { visit, place, .. } = &*request;
    let in_query = visit.query_value("brand").and_then(|id| id.parse().ok());
    let Some(brand) = visit.brand().or(in_query.map(BrandId)) else {
        return Ok(Loaded::Redirect("/brands".to_owned()));
    };
    let page = venues::page(visit);
    let mut data = BrandVenuesPage {
        brand: brand.0,
        name: String::new(),
        others: visit.brand().is_none(),
        venues: Vec::new(),
        page,
        last_page: page,
        total: 0,
        failed: false,
        // The venues of the only brand are the front.
        front: visit.brand().and_then(|_| visit.custom.front(visit.lang)),
    };
    match Listed::read(visit, place, brand, page).await {
        Ok(listed) => {
            if page > listed.last_page {
                return Ok(Loaded::Redirect(venues::on_page(visit, listed.last_page)));
            }
            data.name = listed.name;
            data.last_page = listed.last_page;
            data.total = listed.total;
            let venues = listed.venues.iter();
            data.venues = venues
                .map(|location| card(visit, place, location))
                .collect();
            if visit.near().is_none() {
                data.venues.sort_by_key(|venue| venue.open.wait());
            }
            let keep = VenueCard::soonest(&data.venues);
            Ok(Loaded::page(data).stale(listed.is_stale).keep(keep))
        }
        // A number that no brand can have is refused.
        Err(upstream::Error::NotFound | upstream::Error::Rejected(_)) => {
            Err(Error::NotFound("page"))
        }
        Err(error) => {
            tracing::warn!(
                class = error.class(),
                "The venues of a brand could not be loaded"
            );
            data.failed = true;
            Ok(Loaded::page(data).status(503))
        }
    }
}

/// A page of the venues of a brand.
struct Listed {
    name: String,
    venues: Vec<Location>,
    last_page: u32,
    total: u32,
    is_stale: bool,
}

impl Listed {
    /// The upstream knows nothing of services here: where not all are on offer, the whole list is read for those that have
    /// one of them.
    async fn read(
        visit: &Visit,
        place: &Place,
        brand: BrandId,
        page: u32,
    ) -> Result<Self, upstream::Error> {
        let caller = visit.caller(visit.near().or(place.centre()));
        let (upstream, town) = (&visit.app.upstream, place.upstream_town());
        let ask = |page| upstream.brand_locations(&caller, brand, town, page);
        let offered = visit.offered();
        let is_whole = Service::ALL.iter().all(|service| offered.contains(service));
        let first = ask(if is_whole { page } else { 1 }).await?;
        let mut pages = vec![first];
        if !is_whole && let Some(first) = pages.first() {
            let last_page = first.last_page.min(MOST_PAGES);
            pages.extend(try_join_all((2..=last_page).map(ask)).await?);
        }
        let groups = || pages.iter().flat_map(|page| &page.items);
        let name = groups().next().map(|group| group.brand_name.clone());
        let venues = groups().flat_map(|group| &group.locations);
        let mut listed = Self {
            name: name.unwrap_or_default(),
            venues: venues.cloned().collect(),
            last_page: pages.first().map_or(1, |first| first.last_page.max(1)),
            total: pages.first().map_or(0, |first| first.total),
            is_stale: pages.iter().any(Answer::is_stale),
        };
        if !is_whole {
            let venues = &mut listed.venues;
            venues.retain(|location| mapping::is_offered(visit, location));
            let (size, total) = (venues::PAGE_SIZE as usize, venues.len());
            listed.total = u32::try_from(total).unwrap_or(u32::MAX);
            listed.last_page = listed.total.div_ceil(venues::PAGE_SIZE).max(1);
            let before = (page as usize - 1).saturating_mul(size).min(total);
            venues.drain(..before);
            venues.truncate(size);
        }
        Ok(listed)
    }
}

/// This list comes with any of a venue's siblings: the one of the chosen service is what the guest wants (SV-03).
fn card(visit: &Visit, place: &Place, location: &Location) -> VenueCard {
    let venue_id = location
        .venue_for(visit.service)
        .unwrap_or(location.venue_id);
    let location = Location {
        venue_id,
        ..location.clone()
    };
    mapping::card_of(visit, place, &location, visit.near().is_some())
}

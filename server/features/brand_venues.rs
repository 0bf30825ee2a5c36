//! `/brands/filials?brand=ID`: the venues of one brand, nearest first (2.2, HM-08).

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
    upstream::{self, BrandId, Location},
    web::{
        page::{Frame, Page},
        visit::Visit,
    },
};

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
pub const PAGE: Page = Page::new("brandVenues", "/brands/filials")
    .query(&["brand", "q", "page"])
    .shared()
    .frame(Frame::Search)
    .navbar();

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
    let found = visit
        .app
        .upstream
        .brand_locations(
            &visit.caller(visit.near().or(place.centre())),
            brand,
            place.upstream_town(),
            page,
        )
        .await;
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
    match found {
        Ok(answer) => {
            let last_page = answer.last_page.max(1);
            if page > last_page {
                return Ok(Loaded::Redirect(venues::on_page(visit, last_page)));
            }
            data.name = answer
                .items
                .first()
                .map(|group| group.brand_name.clone())
                .unwrap_or_default();
            data.last_page = last_page;
            data.total = answer.total;
            data.venues = answer
                .items
                .iter()
                .flat_map(|group| &group.locations)
                .map(|location| card(visit, place, location))
                .collect();
            let keep = VenueCard::soonest(&data.venues);
            Ok(Loaded::page(data).stale(answer.is_stale()).keep(keep))
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

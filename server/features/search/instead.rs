//! What is offered where nothing was found.

use futures_util::future::join_all;

use super::{PAGE_SIZE, data::DishHit, dish};
use crate::{
    features::{mapping, place::Place},
    upstream::{BrandId, Location, LocationsQuery, Sort},
    web::visit::Visit,
};

/// Venues whose popular dishes are offered where there is nothing else to show.
const POPULAR_VENUES: usize = 3;
/// Of each of them.
const POPULAR_OF_EACH: usize = 2;

/// The best rated venues of the town.
pub(super) async fn best(visit: &Visit, place: &Place, brand: Option<BrandId>) -> Vec<Location> {
    let query = LocationsQuery {
        service: Some(visit.service),
        sort: Sort::Rating,
        town: place.upstream_town(),
        brand,
        limit: PAGE_SIZE,
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
pub(super) async fn popular(visit: &Visit, place: &Place, brand: Option<BrandId>) -> Vec<DishHit> {
    let caller = visit.caller(None).optional();
    let venues = best(visit, place, brand).await;
    let open: Vec<&Location> = venues
        .iter()
        .filter(|location| mapping::open(location, visit.now, place.meta.utc_offset).open)
        .take(POPULAR_VENUES)
        .collect();
    let lists = join_all(
        open.iter()
            .map(|location| visit.app.upstream.popular(&caller, location.venue_id)),
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

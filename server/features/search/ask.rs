//! What the upstream finds for one spelling.

use super::{PAGE_SIZE, data::SearchTab};
use crate::{
    features::place::Place,
    upstream::{self, Answer, BrandId, Hit, HitKind, HitsQuery, Location, LocationsQuery, Paged},
    web::visit::Visit,
};

/// The answers to one spelling.
pub(super) struct Results {
    pub(super) venues: Result<Answer<Paged<Location>>, upstream::Error>,
    pub(super) dishes: Result<Answer<Paged<Hit>>, upstream::Error>,
    pub(super) goods: Result<Answer<Paged<Hit>>, upstream::Error>,
}

impl Results {
    pub(super) fn count(&self, tab: SearchTab) -> Option<u32> {
        match tab {
            SearchTab::Venues => self.venues.as_ref().ok().map(|page| page.total),
            SearchTab::Dishes => self.dishes.as_ref().ok().map(|page| page.total),
            SearchTab::Goods => self.goods.as_ref().ok().map(|page| page.total),
        }
    }

    pub(super) fn first_found(&self) -> Option<SearchTab> {
        SearchTab::ALL
            .into_iter()
            .find(|tab| self.count(*tab).is_some_and(|count| count > 0))
    }

    pub(super) fn failed(&self) -> bool {
        SearchTab::ALL.iter().any(|tab| self.count(*tab).is_none())
    }
}

/// All three lists for one spelling; the asked tab's at the asked page, the others for their counts.
pub(super) async fn ask(
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
        limit: PAGE_SIZE,
        ..LocationsQuery::default()
    };
    let hits = |kind, tab| HitsQuery {
        text: text.to_owned(),
        kind,
        service: Some(visit.service),
        town: place.upstream_town(),
        brand,
        page: page_of(tab),
        limit: PAGE_SIZE,
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

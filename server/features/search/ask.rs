//! What the upstream finds for one spelling.

use super::{PAGE_SIZE, narrow::Chosen};
use crate::{
    features::place::Place,
    upstream::{self, Answer, BrandId, Facets, Hits, HitsQuery, Location, LocationsQuery, Paged},
    values::Service,
    web::visit::Visit,
};

/// The answers to one spelling.
pub(super) struct Results {
    /// Dishes and goods.
    pub(super) hits: Result<Answer<Hits>, upstream::Error>,
    /// Venues that are called so; none where only dishes are wanted.
    pub(super) venues: Option<Result<Answer<Paged<Location>>, upstream::Error>>,
}

impl Results {
    pub(super) fn total(&self) -> u32 {
        let hits = self.hits.as_ref().map_or(0, |hits| hits.total);
        hits.saturating_add(self.named().map_or(0, |venues| venues.total))
    }

    pub(super) fn last_page(&self) -> u32 {
        let hits = self.hits.as_ref().map_or(1, |hits| hits.last_page);
        hits.max(self.named().map_or(1, |venues| venues.last_page))
    }

    pub(super) fn named(&self) -> Option<&Answer<Paged<Location>>> {
        self.venues.as_ref()?.as_ref().ok()
    }

    pub(super) fn facets(&self) -> Facets {
        self.hits
            .as_ref()
            .map(|hits| hits.facets.clone())
            .unwrap_or_default()
    }

    /// Why a part did not come.
    pub(super) fn failure(&self) -> Option<&upstream::Error> {
        let venues = self.venues.as_ref();
        self.hits
            .as_ref()
            .err()
            .or_else(|| venues.and_then(|venues| venues.as_ref().err()))
    }
}

/// Both lists for one spelling and service, each at the asked page.
pub(super) async fn ask(
    visit: &Visit,
    place: &Place,
    brand: Option<BrandId>,
    service: Service,
    text: &str,
    chosen: &Chosen,
    page: u32,
) -> Results {
    let upstream = &visit.app.upstream;
    let caller = visit.caller(place.centre());
    let venues = LocationsQuery {
        service: Some(service),
        town: place.upstream_town(),
        brand,
        search: text.to_owned(),
        in_names: true,
        filters: chosen.0.clone(),
        page,
        limit: PAGE_SIZE,
        ..LocationsQuery::default()
    };
    let hits = HitsQuery {
        text: text.to_owned(),
        inside: false,
        kind: None,
        filters: chosen.0.clone(),
        service: Some(service),
        town: place.upstream_town(),
        brand,
        page,
        limit: PAGE_SIZE,
    };
    let named = async {
        // What a dish costs and is made of says nothing of a restaurant.
        if chosen.is_of_dishes() {
            return None;
        }
        Some(upstream.locations(&caller, &venues).await)
    };
    let (hits, venues) = tokio::join!(upstream.search_products(&caller, &hits), named);
    Results { hits, venues }
}

//! What the upstream finds for one spelling, or for several.

use futures_util::future::join_all;

use super::narrow::Chosen;
use crate::{
    features::place::Place,
    upstream::{
        self, Answer, BrandId, Facets, Hit, Hits, HitsQuery, Location, LocationsQuery, Paged,
    },
    values::Service,
    web::visit::Visit,
};

/// Of each call: what is open comes first in the whole list, so it is read as a whole.
const AT_ONCE: u32 = 100;
/// A town that has more hits has too many for a guest to look at: the best of them are read.
pub(super) const CALLS: u32 = 3;

/// What was found.
pub(super) struct Results {
    /// The answers to each spelling.
    answers: Vec<Answers>,
}

/// The answers to one spelling.
struct Answers {
    text: String,
    /// Pages of dishes and goods, the best match first.
    hits: Vec<Answer<Hits>>,
    /// Venues that are called so; none where only dishes are wanted.
    venues: Option<Answer<Paged<Location>>>,
    /// Why a part did not come.
    failure: Option<upstream::Error>,
    /// So many pages of dishes were wanted.
    calls: u32,
}

impl Answers {
    fn first(&self) -> Option<&Answer<Hits>> {
        self.hits.first()
    }

    fn total(&self) -> u32 {
        let hits = self.first().map_or(0, |hits| hits.total);
        hits.saturating_add(self.venues.as_ref().map_or(0, |venues| venues.total))
    }

    /// There are more dishes than were asked for.
    fn is_cut(&self) -> bool {
        self.first().is_some_and(|hits| hits.last_page > self.calls)
    }

    fn hits(&self) -> impl Iterator<Item = &Hit> {
        self.hits.iter().flat_map(|hits| &hits.items)
    }
}

impl Results {
    /// Of several spellings as one.
    pub(super) fn merged(all: Vec<Self>) -> Self {
        Self {
            answers: all.into_iter().flat_map(|one| one.answers).collect(),
        }
    }

    /// Dishes, goods and venues, also those that are not read.
    pub(super) fn total(&self) -> u32 {
        let totals = self.answers.iter().map(Answers::total);
        totals.fold(0, u32::saturating_add)
    }

    /// What was looked for.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.answers.iter().map(|answers| answers.text.as_str())
    }

    /// Dishes and goods, the best match first, of each spelling in turn.
    pub(super) fn hits(&self) -> Vec<&Hit> {
        let mut lists: Vec<_> = self.answers.iter().map(|own| own.hits().fuse()).collect();
        let mut all = Vec::new();
        loop {
            let before = all.len();
            all.extend(lists.iter_mut().filter_map(Iterator::next));
            if all.len() == before {
                return all;
            }
        }
    }

    /// Venues that are called so.
    pub(super) fn named(&self) -> impl Iterator<Item = &Location> {
        let venues = self.answers.iter().filter_map(|own| own.venues.as_ref());
        venues.flat_map(|venues| &venues.items)
    }

    /// There is more than was read.
    pub(super) fn has_rest(&self) -> bool {
        self.is_cut()
            || self.answers.iter().any(|own| {
                let venues = own.venues.as_ref().map_or(1, |venues| venues.last_page);
                venues > 1
            })
    }

    /// More pages of dishes would bring more of them.
    pub(super) fn is_cut(&self) -> bool {
        self.answers.iter().any(Answers::is_cut)
    }

    /// What one spelling can be narrowed down by.
    pub(super) fn facets(&self) -> Facets {
        match self.answers.as_slice() {
            [one] => one
                .first()
                .map(|hits| hits.facets.clone())
                .unwrap_or_default(),
            _ => Facets::default(),
        }
    }

    /// Why a part did not come.
    pub(super) fn failure(&self) -> Option<&upstream::Error> {
        self.answers.iter().find_map(|own| own.failure.as_ref())
    }
}

/// Both lists for one spelling and service: of dishes at most so many calls, of venues one.
pub(super) async fn ask(
    visit: &Visit,
    place: &Place,
    brand: Option<BrandId>,
    service: Service,
    text: &str,
    chosen: &Chosen,
    calls: u32,
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
        limit: AT_ONCE,
        ..LocationsQuery::default()
    };
    let on_page = |page| HitsQuery {
        text: text.to_owned(),
        inside: false,
        kind: None,
        filters: chosen.0.clone(),
        service: Some(service),
        town: place.upstream_town(),
        brand,
        page,
        limit: AT_ONCE,
    };
    let named = async {
        // What a dish costs and is made of says nothing of a restaurant.
        if chosen.is_of_dishes() {
            return None;
        }
        Some(upstream.locations(&caller, &venues).await)
    };
    let hits = async {
        let first = upstream.search_products(&caller, &on_page(1)).await;
        let last = first.as_ref().map_or(1, |hits| hits.last_page).min(calls);
        let others = (2..=last).map(async |page| {
            let query = on_page(page);
            upstream.search_products(&caller, &query).await
        });
        let mut pages = vec![first];
        pages.extend(join_all(others).await);
        pages
    };
    let (pages, named) = tokio::join!(hits, named);
    let mut failure = None;
    let mut hits = Vec::new();
    for page in pages {
        match page {
            Ok(page) => hits.push(page),
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    let venues = match named {
        Some(Ok(venues)) => Some(venues),
        Some(Err(error)) => {
            failure = failure.or(Some(error));
            None
        }
        None => None,
    };
    Results {
        answers: vec![Answers {
            text: text.to_owned(),
            hits,
            venues,
            failure,
            calls,
        }],
    }
}

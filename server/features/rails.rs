//! The rails of Home: what each shows, where it stands and how it is loaded.

use serde::Serialize;

use super::{mapping, page_data::VenueCard, place::Place};
use crate::{
    telemetry::Throttle,
    upstream::{Kitchen, List, Location, LocationsQuery, Sort, VenueId},
    values::Service,
    web::visit::Visit,
};

/// Venues of a rail; the rest is behind its link.
const RAIL: u32 = 8;
/// Venues of the repeat rail (HM-01).
const RECENT: usize = 2;

/// What a rail shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum RailKind {
    Promo,
    Recent,
    Near,
    Popular,
    Bakery,
    SemiFinished,
    ReadyMeals,
    Grocery,
}

/// One rail of Home.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Rail {
    /// What it shows.
    pub kind: RailKind,
    /// Place on the page; rails are shown by it, not by array order (HM-01).
    pub position: u32,
    /// The full list.
    pub href: String,
    /// First venues of the list.
    pub venues: Vec<VenueCard>,
    /// The upstream did not answer: the rail offers a retry.
    pub failed: bool,
    /// Measured from where the guest is, not from the town's centre.
    pub located: bool,
    /// How is cooked at its venues, once for each of them.
    #[serde(skip)]
    #[cfg_attr(test, ts(skip))]
    pub kitchens: Vec<Kitchen>,
}

impl RailKind {
    /// The product's own rails with their places (HM-01).
    pub const OWN: [(Self, u32); 4] = [
        (Self::Promo, 1),
        (Self::Recent, 2),
        (Self::Near, 3),
        (Self::Popular, 4),
    ];

    /// Categories where the upstream does not say which it wants where: 6 and 8 are free for them, 5, 7, 9 and 10 are
    /// the shortcuts' (HM-01).
    pub const GIVEN: [(Self, u32); 4] = [
        (Self::Bakery, 6),
        (Self::ReadyMeals, 8),
        (Self::SemiFinished, 11),
        (Self::Grocery, 12),
    ];

    /// Its name in addresses.
    #[must_use]
    pub const fn slug(self) -> &'static str {
        match self {
            Self::Promo => "promo",
            Self::Recent => "recent",
            Self::Near => "near",
            Self::Popular => "popular",
            Self::Bakery => "bakery",
            Self::SemiFinished => "semiFinished",
            Self::ReadyMeals => "readyMeals",
            Self::Grocery => "grocery",
        }
    }

    /// The rail of a name; the recent venues are a guest's own and have no list.
    #[must_use]
    pub fn from_slug(slug: &str) -> Option<Self> {
        Self::OWN
            .into_iter()
            .chain(Self::GIVEN)
            .map(|(kind, _)| kind)
            .find(|kind| kind.slug() == slug && *kind != Self::Recent)
    }

    /// What the upstream is asked for.
    #[must_use]
    pub fn query(self, visit: &Visit, place: &Place) -> LocationsQuery {
        LocationsQuery {
            list: list(self),
            service: Some(visit.service),
            only_promo: self == Self::Promo,
            sort: if self == Self::Popular {
                Sort::Rating
            } else {
                Sort::Distance
            },
            town: place.upstream_town(),
            brand: visit.brand(),
            limit: RAIL,
            ..LocationsQuery::default()
        }
    }
}

/// The upstream's list behind a rail.
#[must_use]
pub const fn list(kind: RailKind) -> List {
    match kind {
        RailKind::Near => List::Near,
        RailKind::Bakery => List::Bakery,
        RailKind::SemiFinished => List::SemiFinished,
        RailKind::ReadyMeals => List::ReadyMeals,
        RailKind::Grocery => List::Grocery,
        RailKind::Promo | RailKind::Recent | RailKind::Popular => List::All,
    }
}

/// The rail of a category list.
#[must_use]
pub const fn kind(list: List) -> Option<RailKind> {
    match list {
        List::Bakery => Some(RailKind::Bakery),
        List::SemiFinished => Some(RailKind::SemiFinished),
        List::ReadyMeals => Some(RailKind::ReadyMeals),
        List::Grocery => Some(RailKind::Grocery),
        List::All | List::Near => None,
    }
}

/// One rail, and whether it is old or missing; none when it has nothing to show.
pub async fn load(
    visit: &Visit,
    place: &Place,
    kind: RailKind,
    position: u32,
    recent: &[VenueId],
) -> Option<(Rail, bool)> {
    let mut query = kind.query(visit, place);
    if kind == RailKind::Recent {
        if recent.is_empty() {
            return None;
        }
        // More than are shown: some may be in another country.
        query.ids = recent.iter().take(RAIL as usize).copied().collect();
        query.town = None;
    }
    // Only this rail is about where the guest stands; all others stay as they are.
    let here = visit.near().filter(|_| kind == RailKind::Near);
    let caller = visit.caller(here.or(place.centre())).optional();
    let rail = |venues, failed| Rail {
        kind,
        position,
        href: format!("/filials?category={}", kind.slug()),
        venues,
        failed,
        located: here.is_some(),
        kitchens: Vec::new(),
    };
    match visit.app.upstream.locations(&caller, &query).await {
        Ok(answer) => {
            let mut found: Vec<&Location> = answer.items.iter().collect();
            found.sort_by_key(|location| rank(location, recent));
            if kind == RailKind::Recent {
                found.retain(|location| place.offers(location.town_id));
                found.truncate(RECENT);
            }
            let kitchens = found
                .iter()
                .flat_map(|location| location.kitchens.iter().cloned())
                .collect();
            let mut venues: Vec<VenueCard> = found
                .into_iter()
                .map(|location| mapping::card_of(visit, place, location, here.is_some()))
                .collect();
            // What the guest has ordered last stays first, and so does what is nearest to where they stand.
            if kind != RailKind::Recent && here.is_none() {
                venues.sort_by_key(|venue| venue.open.wait());
            }
            let rail = Rail {
                kitchens,
                ..rail(venues, false)
            };
            (!rail.venues.is_empty()).then(|| (rail, answer.is_stale()))
        }
        Err(error) => {
            static SAID: Throttle = Throttle::new();
            if let Some(others) = error.admitted_by(&SAID) {
                tracing::warn!(
                    rail = kind.slug(),
                    class = error.class(),
                    others,
                    "A rail of Home could not be loaded"
                );
            }
            Some((rail(Vec::new(), true), true))
        }
    }
}

/// The place of a venue among the recent ones, whichever of its services the guest ordered from.
fn rank(location: &Location, recent: &[VenueId]) -> Option<usize> {
    let venues = Service::ALL.map(|service| location.venue_for(service));
    recent.iter().position(|id| venues.contains(&Some(*id)))
}

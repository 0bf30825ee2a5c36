//! Home: rails of venues, each loaded and failing on its own (HM-01 to HM-03).

use futures_util::future::join_all;
use serde::Serialize;
use ts_rs::TS;

use super::{mapping, page::Page, place::Place, venues::VenueCard};
use crate::{
    error::Error,
    upstream::{FilialId, LocationsQuery, Sort},
    web::{load::Loaded, visit::Visit},
};

/// Venues of a rail; the rest is behind its link.
const RAIL: u32 = 8;
/// Venues of the repeat rail (HM-01).
const RECENT: usize = 2;

/// What a rail shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "page-data.ts")]
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
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[ts(export_to = "page-data.ts")]
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
}

/// Page data of `/`.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[ts(export_to = "page-data.ts")]
pub struct HomePage {
    /// By position; rails with nothing to show are left out.
    pub rails: Vec<Rail>,
    /// No rail at all could be loaded.
    pub failed: bool,
}

impl RailKind {
    /// All of them with their places; 6 and 8 are free for the upstream's own (HM-01).
    const POSITIONS: [(Self, u32); 8] = [
        (Self::Promo, 1),
        (Self::Recent, 2),
        (Self::Near, 3),
        (Self::Popular, 4),
        (Self::Bakery, 5),
        (Self::SemiFinished, 7),
        (Self::ReadyMeals, 9),
        (Self::Grocery, 10),
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
        Self::POSITIONS
            .into_iter()
            .map(|(kind, _)| kind)
            .find(|kind| kind.slug() == slug && *kind != Self::Recent)
    }

    /// What the upstream is asked for.
    #[must_use]
    pub fn query(self, visit: &Visit, place: &Place) -> LocationsQuery {
        LocationsQuery {
            list: mapping::list(self),
            service: Some(visit.service),
            only_promo: self == Self::Promo,
            sort: if self == Self::Popular {
                Sort::Rating
            } else {
                Sort::Distance
            },
            town: place.upstream_town(),
            limit: RAIL,
            ..LocationsQuery::default()
        }
    }
}

/// Loads `/`: all rails at once, each with its own failure (HM-02).
///
/// # Errors
/// None: a page without any rail says so itself.
pub async fn load(visit: &Visit, place: &Place) -> Result<Loaded, Error> {
    let recent = recent(visit).await;
    let rails = join_all(
        RailKind::POSITIONS.map(|(kind, position)| rail(visit, place, kind, position, &recent)),
    )
    .await;
    let mut rails: Vec<Rail> = rails.into_iter().flatten().collect();
    rails.sort_by_key(|rail| rail.position);
    let failed = !rails.is_empty() && rails.iter().all(|rail| rail.failed);
    let stale = rails.iter().any(|rail| rail.failed);
    let page = Loaded::page(Page::Home(HomePage { rails, failed })).stale(stale);
    Ok(if failed { page.status(503) } else { page })
}

/// One rail; none when it has nothing to show.
async fn rail(
    visit: &Visit,
    place: &Place,
    kind: RailKind,
    position: u32,
    recent: &[FilialId],
) -> Option<Rail> {
    let mut query = kind.query(visit, place);
    if kind == RailKind::Recent {
        if recent.is_empty() {
            return None;
        }
        query.ids = recent.to_vec();
        query.town = None;
    }
    let caller = visit.caller(place.centre()).optional();
    let href = format!("/filials?category={}", kind.slug());
    match visit.app.upstream.locations(&caller, &query).await {
        Ok(answer) => {
            let venues: Vec<VenueCard> = answer
                .items
                .iter()
                .map(|location| {
                    mapping::venue_card(
                        location,
                        &visit.app.images,
                        visit.now,
                        place.meta.utc_offset,
                    )
                })
                .collect();
            (!venues.is_empty()).then_some(Rail {
                kind,
                position,
                href,
                venues,
                failed: false,
            })
        }
        Err(error) => {
            tracing::warn!(
                rail = kind.slug(),
                class = error.class(),
                "A rail of Home could not be loaded"
            );
            Some(Rail {
                kind,
                position,
                href,
                venues: Vec::new(),
                failed: true,
            })
        }
    }
}

/// Venues where this visit has ordered, newest first, each once.
async fn recent(visit: &Visit) -> Vec<FilialId> {
    let mut venues = Vec::new();
    for order in visit.sess.own_orders().await {
        let filial = order.href.split('/').nth(2).and_then(|id| id.parse().ok());
        venues.extend(filial.filter(|filial| !venues.contains(filial)));
    }
    venues.truncate(RECENT);
    venues
}

//! Home: rails of venues and shortcuts to brands, each loaded and failing on its own (HM-01 to HM-03, HM-17).

use futures_util::future::{join, join_all};
use serde::Serialize;
use ts_rs::TS;

use super::{
    addresses::{Book, line},
    cart::unpaid::own_orders,
    loaded::{Facts, Loaded, PageRequest},
    mapping, orders,
    place::Place,
    rails::{self, Rail, RailKind},
    shell::TownRef,
    shortcuts::{self, Shortcut},
};
use crate::{
    error::Error,
    upstream::FilialId,
    values::Service,
    web::{
        page::{Frame, Page},
        visit::Visit,
    },
};

/// Venues of the repeat rail (HM-01).
const RECENT: usize = 2;
/// The guest seems to be in another town when the nearest venue is more than so many metres away (LC-13).
const ELSEWHERE: u32 = 50_000;

/// The nearest venue is so far from the guest that the town can't be right (LC-13).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "page-data.ts")]
pub struct Elsewhere {
    /// The town whose centre is closest to the guest, if that is another one.
    pub town: Option<TownRef>,
}

/// Page data of `/`.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[ts(export_to = "page-data.ts")]
pub struct HomePage {
    /// By position; rails with nothing to show are left out.
    pub rails: Vec<Rail>,
    /// Brands between the rails, by position.
    pub shortcuts: Vec<Shortcut>,
    /// No rail at all could be loaded.
    pub failed: bool,
    /// The guest may be asked for a position.
    pub locate: bool,
    /// Where deliveries are brought to, if that is known.
    pub address: Option<String>,
    /// Set only when the guest's position is known.
    pub elsewhere: Option<Elsewhere>,
}

/// `/`
pub const PAGE: Page = Page::new("home", "/")
    .shared()
    .frame(Frame::Search)
    .navbar();

/// Loads `/`: all rails at once, each with its own failure (HM-02). With a custom config the front is the list of
/// brands (RT-03).
///
/// # Errors
/// None: a page without any rail says so itself.
pub async fn load(request: PageRequest) -> Result<Loaded<HomePage>, Error> {
    let Facts { visit, place, .. } = &*request;
    if visit.app.config.is_custom() {
        let query = visit.raw_query.as_deref().filter(|query| !query.is_empty());
        let to = query.map_or_else(|| "/brands".to_owned(), |query| format!("/brands?{query}"));
        return Ok(Loaded::Redirect(to));
    }
    let recent = recent(visit).await;
    let own = join_all(
        RailKind::OWN.map(|(kind, position)| rails::load(visit, place, kind, position, &recent)),
    );
    let ((own, (given, locate)), (shortcuts, address)) = join(
        join(own, given(visit, place)),
        join(shortcuts::load(visit, place), address(visit)),
    )
    .await;
    let (mut rails, stale): (Vec<Rail>, Vec<bool>) = own.into_iter().chain(given).flatten().unzip();
    rails.sort_by_key(|rail| rail.position);
    let failed = !rails.is_empty() && rails.iter().all(|rail| rail.failed);
    let stale = stale.contains(&true) || shortcuts.is_none();
    let page = Loaded::page(HomePage {
        elsewhere: elsewhere(visit, place, &rails).await,
        shortcuts: shortcuts.unwrap_or_default(),
        address,
        locate,
        failed,
        rails,
    })
    .stale(stale);
    Ok(if failed { page.status(503) } else { page })
}

/// The active address, where one is of use.
async fn address(visit: &Visit) -> Option<String> {
    if visit.service != Service::Delivery {
        return None;
    }
    let book = Book::of(visit).await;
    book.active().map(|known| line(&known.address))
}

/// The rails that the upstream places, else the usual ones, and whether a position may be asked for.
async fn given(visit: &Visit, place: &Place) -> (Vec<Option<(Rail, bool)>>, bool) {
    let caller = visit.caller(None).optional();
    let config = visit.app.upstream.remote_config(&caller).await;
    let mut places = Vec::new();
    if let Ok(config) = &config {
        places.extend(
            config
                .home
                .iter()
                .filter_map(|category| Some((mapping::kind(category.list)?, category.position))),
        );
    }
    if places.is_empty() {
        places.extend(RailKind::GIVEN);
    }
    let rails = join_all(
        places
            .into_iter()
            .map(|(kind, position)| rails::load(visit, place, kind, position, &[])),
    )
    .await;
    (rails, config.is_ok_and(|config| config.is_location_enabled))
}

/// Whether the nearest venue is too far from the guest for the chosen town. Asked once in a session (LC-14).
async fn elsewhere(visit: &Visit, place: &Place, rails: &[Rail]) -> Option<Elsewhere> {
    let here = visit.near()?;
    if visit.sess.town_picker_disabled().await {
        return None;
    }
    let near = rails.iter().find(|rail| rail.kind == RailKind::Near)?;
    let nearest = near
        .venues
        .iter()
        .filter_map(|venue| venue.distance)
        .min()?;
    (nearest > ELSEWHERE).then(|| Elsewhere {
        town: place
            .nearest_town(here)
            .filter(|town| place.town().is_none_or(|chosen| chosen.id != town.id))
            .and_then(|town| {
                Some(TownRef {
                    id: u32::try_from(town.id.0).ok()?,
                    name: town.name.clone(),
                })
            }),
    })
}

/// Venues where the guest has ordered, newest first, each once: by the account, then in this session.
async fn recent(visit: &Visit) -> Vec<FilialId> {
    let mut venues = Vec::new();
    for order in orders::of_account(visit).await.unwrap_or_default() {
        venues.extend(order.filial_id.filter(|filial| !venues.contains(filial)));
    }
    for order in own_orders(visit).await {
        let filial = order.href.split('/').nth(2).and_then(|id| id.parse().ok());
        venues.extend(filial.filter(|filial| !venues.contains(filial)));
    }
    venues.truncate(RECENT);
    venues
}

//! Home: rails of venues and shortcuts to brands, each loaded and failing on its own (HM-01 to HM-03, HM-17).

use futures_util::future::{join, join_all, join3};
use serde::Serialize;

use super::{
    address_book::{Book, line},
    cart::{RepeatCard, repeat_card},
    cart_view::{self, unpaid::own_orders},
    fridge, kiosk,
    loaded::{Facts, Loaded, PageRequest},
    orders,
    page_data::{ServiceHits, VenueCard},
    place::Place,
    rails::{self, Rail, RailKind},
    shell::TownRef,
    shortcuts::{self, Shortcut},
    venues::{self, KitchenLink},
};
use crate::{
    config::custom::FrontTexts,
    error::Error,
    upstream::VenueId,
    values::Service,
    web::{
        page::{Frame, Page},
        visit::Visit,
    },
};

/// Cards of a rail that a desktop shows before anything is moved.
const SEEN_FIRST: usize = 4;
/// Kitchens at a glance.
const KITCHENS: usize = 8;
/// The guest seems to be in another town when the nearest venue is further away than this, in metres (LC-13).
const ELSEWHERE: u32 = 50_000;

/// The nearest venue is so far from the guest that the town can't be right (LC-13).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Elsewhere {
    /// The town whose centre is closest to the guest, if that is another one.
    pub town: Option<TownRef>,
}

/// Page data of `/`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HomePage {
    /// By position; rails with nothing to show are left out.
    pub rails: Vec<Rail>,
    /// How is cooked in the town, the most frequent first; empty where the upstream tells none or one.
    pub kitchens: Vec<KitchenLink>,
    /// Brands between the rails, by position.
    pub shortcuts: Vec<Shortcut>,
    /// No rail at all could be loaded.
    pub failed: bool,
    /// The other services that have venues, where the chosen one has none (HM-10).
    pub others: Vec<ServiceHits>,
    /// The guest may be asked for a position.
    pub locate: bool,
    /// Where deliveries are brought to, if that is known.
    pub address: Option<String>,
    /// The fridge that the guest has open, on whatever phone (BC-14).
    #[cfg_attr(test, ts(type = "number | null"))]
    pub fridge: Option<u64>,
    /// The last order, to be had again.
    pub repeat: Option<RepeatCard>,
    /// What the host name says of its own there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub front: Option<FrontTexts>,
    /// Set only when the guest's position is known.
    pub elsewhere: Option<Elsewhere>,
}

/// `/`
pub const PAGE: Page = Page::builder("home", "/")
    .in_sitemap()
    .frame(Frame::Search)
    .navbar()
    .shared();

/// Loads `/`: all rails at once, each with its own failure (HM-02). With a custom config the front is the list of
/// brands (RT-03).
///
/// # Errors
/// None: a page without any rail says so itself.
pub async fn load(request: PageRequest) -> Result<Loaded<HomePage>, Error> {
    let Facts { visit, place, .. } = &*request;
    if let Some(to) = kiosk::front(visit).await {
        return Ok(Loaded::Redirect(to));
    }
    if visit.custom.has_brands_first() {
        let query = visit.raw_query.as_deref().filter(|query| !query.is_empty());
        let to = query.map_or_else(|| "/brands".to_owned(), |query| format!("/brands?{query}"));
        return Ok(Loaded::Redirect(to));
    }
    let recent = recent(visit).await;
    let own = join_all(
        RailKind::OWN.map(|(kind, position)| rails::load(visit, place, kind, position, &recent)),
    );
    // Without former orders there is nothing to order again.
    let repeat = async {
        if recent.is_empty() {
            return None;
        }
        repeat_card(visit).await
    };
    let ((own, (given, locate)), (shortcuts, address), (fridge, repeat, saved)) = join3(
        join(own, given(visit, place)),
        join(shortcuts::load(visit, place), address(visit)),
        join3(fridge::running(visit), repeat, cart_view::saved(visit)),
    )
    .await;
    let (mut rails, stale): (Vec<Rail>, Vec<bool>) = own.into_iter().chain(given).flatten().unzip();
    rails.sort_by_key(|rail| rail.position);
    vary(&mut rails);
    let failed = !rails.is_empty() && rails.iter().all(|rail| rail.failed);
    let stale = stale.contains(&true);
    let lacking = shortcuts.is_none() || rails.iter().any(|rail| rail.failed);
    let keep = VenueCard::soonest(rails.iter().flat_map(|rail| &rail.venues));
    let overlay = repeat.is_some().then_some("lastOrder");
    let others = if rails.is_empty() {
        venues::by_other_services(visit, place).await
    } else {
        Vec::new()
    };
    let page = Loaded::page(HomePage {
        front: visit.custom.front(visit.lang),
        elsewhere: elsewhere(visit, place, &rails).await,
        kitchens: kitchens(&rails),
        shortcuts: shortcuts.unwrap_or_default(),
        fridge: fridge.map(|venue| venue.0),
        address,
        repeat,
        locate,
        failed,
        others,
        rails,
    })
    .stale(stale)
    .lacking(lacking)
    .overlay(overlay)
    .flash(saved)
    .keep(keep);
    Ok(if failed { page.status(503) } else { page })
}

/// The kitchens of the venues that the rails show.
fn kitchens(rails: &[Rail]) -> Vec<KitchenLink> {
    let mut known: Vec<(KitchenLink, usize)> = Vec::new();
    for kitchen in rails.iter().flat_map(|rail| &rail.kitchens) {
        match known.iter_mut().find(|(link, _)| link.code == kitchen.code) {
            Some((_, count)) => *count += 1,
            None => {
                let link = KitchenLink {
                    code: kitchen.code.clone(),
                    name: kitchen.name.clone(),
                };
                known.push((link, 1));
            }
        }
    }
    known.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    // One alone is no choice.
    let most = if known.len() > 1 { KITCHENS } else { 0 };
    known.into_iter().take(most).map(|(link, _)| link).collect()
}

/// No venue is twice in what is seen first: one that an earlier rail begins with, or that the guest has ordered from, is
/// left out of the others; where they have too few without it, it comes last. The guest's own, and what is measured from
/// where they stand, stay as they are.
fn vary(rails: &mut [Rail]) {
    let begins = |rail: &Rail| -> Vec<u64> {
        let seen = rail.venues.iter().take(SEEN_FIRST);
        seen.map(|venue| venue.id).collect()
    };
    let is_own = |rail: &Rail| rail.kind == RailKind::Recent;
    let mut first: Vec<u64> = rails
        .iter()
        .filter(|rail| is_own(rail))
        .flat_map(begins)
        .collect();
    for rail in rails {
        if !is_own(rail) && !rail.located {
            let is_fresh = |venue: &VenueCard| !first.contains(&venue.id);
            if rail.venues.iter().filter(|venue| is_fresh(venue)).count() >= SEEN_FIRST {
                rail.venues.retain(is_fresh);
            } else {
                rail.venues.sort_by_key(|venue| !is_fresh(venue));
            }
        }
        first.extend(begins(rail));
    }
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
    let config = visit.app.remote.now();
    let mut places: Vec<_> = config
        .home
        .iter()
        .filter_map(|category| Some((rails::kind(category.list)?, category.position)))
        .collect();
    if places.is_empty() {
        places.extend(RailKind::GIVEN);
    }
    let rails = join_all(
        places
            .into_iter()
            .map(|(kind, position)| rails::load(visit, place, kind, position, &[])),
    )
    .await;
    (rails, config.is_location_enabled)
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
                    name: town.name(visit.lang).to_owned(),
                })
            }),
    })
}

/// Venues where the guest has ordered, newest first, each once: by the account, then in this session.
async fn recent(visit: &Visit) -> Vec<VenueId> {
    let mut venues = Vec::new();
    for order in orders::of_account(visit).await.unwrap_or_default() {
        venues.extend(order.venue_id.filter(|venue| !venues.contains(venue)));
    }
    for order in own_orders(visit).await {
        let venue = order.href.split('/').nth(2).and_then(|id| id.parse().ok());
        venues.extend(venue.filter(|venue| !venues.contains(venue)));
    }
    venues
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::upstream::Kitchen;

    fn rail(codes: &[&str]) -> Rail {
        let kitchen = |code: &&str| Kitchen {
            code: (*code).to_owned(),
            name: code.to_uppercase(),
        };
        Rail {
            kind: RailKind::Popular,
            position: 4,
            href: String::new(),
            venues: Vec::new(),
            failed: false,
            located: false,
            kitchens: codes.iter().map(kitchen).collect(),
        }
    }

    fn codes(rails: &[Rail]) -> Vec<String> {
        kitchens(rails).into_iter().map(|link| link.code).collect()
    }

    #[test]
    fn kitchens_come_by_how_many_venues_have_them_and_never_alone() {
        let rails = [
            rail(&["uyghur", "korean"]),
            rail(&[]),
            rail(&["korean", "kazakh"]),
        ];
        assert_eq!(codes(&rails), ["korean", "uyghur", "kazakh"]);
        assert!(codes(&[rail(&["uyghur", "uyghur"])]).is_empty());
        assert!(codes(&[]).is_empty());
        let many: Vec<String> = (0..20).map(|number| number.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(codes(&[rail(&many)]).len(), KITCHENS);
    }
}

//! What was found, venue by venue.

use std::collections::HashSet;

use futures_util::future::join_all;
use tokio::time::{Instant, timeout_at};

use super::{ask::Results, data::FoundVenue};
use crate::{
    features::{mapping, menu_matches, place::Place, stock::Stock},
    upstream::{Location, VenueId},
    web::visit::Visit,
};

/// Of each venue; the others are found by the search of its menu.
const DISHES_OF_EACH: usize = 3;
/// Menus of venues without a dish that are looked through.
const MENUS: usize = 8;

/// Venues with what of their menus was found, in the order of the best match; behind them those that are called so. What can
/// be ordered now comes first: by the venue, then by what of it was found. And how much that is in all: what the upstream has
/// counted where it was not all read, else what is there.
pub(super) async fn found(
    visit: &Visit,
    place: &Place,
    results: &Results,
    until: Instant,
) -> (Vec<FoundVenue>, u32) {
    let mut all: Vec<FoundVenue> = Vec::new();
    let mut known = HashSet::new();
    let card = |location: &Location| FoundVenue {
        venue: mapping::card_of(visit, place, location, false),
        dishes: Vec::new(),
        more: 0,
    };
    for hit in results.hits() {
        let at = all
            .iter()
            .position(|one| one.venue.id == hit.location.venue_id.0);
        let at = at.unwrap_or_else(|| {
            all.push(card(&hit.location));
            all.len() - 1
        });
        let Some(one) = all.get_mut(at) else { continue };
        // Several spellings may find the same one.
        if !known.insert((hit.location.venue_id, hit.product.id)) {
            continue;
        }
        if one.dishes.len() < DISHES_OF_EACH {
            one.dishes
                .push(mapping::product(&hit.product, &visit.app.images));
        } else {
            one.more += 1;
        }
    }
    let mut called = HashSet::new();
    for location in results.named() {
        called.insert(location.venue_id);
        if !all.iter().any(|one| one.venue.id == location.venue_id.0) {
            all.push(card(location));
        }
    }
    sort(&mut all);
    let filled = fill(visit, &mut all, results, until).await;
    sort(&mut all);
    let total = if results.has_rest() {
        results.total().saturating_add(filled)
    } else {
        let dishes = |one: &FoundVenue| count(one.dishes.len()).saturating_add(one.more);
        let dishes = all.iter().map(dishes).fold(0, u32::saturating_add);
        dishes.saturating_add(count(called.len()))
    };
    (all, total)
}

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

fn sort(all: &mut [FoundVenue]) {
    all.sort_by_key(|one| {
        let is_sold_out = one.dishes.iter().all(|dish| dish.out || dish.unpriced);
        (
            one.venue.open.wait(),
            one.venue.paused,
            one.dishes.is_empty(),
            is_sold_out,
        )
    });
}

/// The upstream has each dish once, at the nearest venue that makes it: an open one that is called so, but stands farther,
/// has dishes as well. They are in its menu, which is mostly at hand; what has not come in time leaves the venue alone.
async fn fill(visit: &Visit, all: &mut [FoundVenue], results: &Results, until: Instant) -> u32 {
    let mut filled = 0;
    // A text that no dish is called by names the venue alone; and a call that begins now would not be waited for.
    if results.hits().is_empty() || Instant::now() >= until {
        return filled;
    }
    let caller = visit.caller(None).optional();
    let is_bare =
        |one: &&mut FoundVenue| one.dishes.is_empty() && one.venue.open.open && !one.venue.paused;
    let bare: Vec<&mut FoundVenue> = all.iter_mut().filter(is_bare).take(MENUS).collect();
    let menus = join_all(bare.iter().map(|one| {
        let menu = visit.app.upstream.menu(&caller, VenueId(one.venue.id));
        timeout_at(until, menu)
    }))
    .await;
    for (one, menu) in bare.into_iter().zip(menus) {
        let Ok(Ok(menu)) = menu else { continue };
        // Each menu takes its time: others have theirs between two of them.
        tokio::task::yield_now().await;
        if Instant::now() >= until {
            break;
        }
        let mut by_text = results
            .texts()
            .map(|text| menu_matches::sure(&menu, text, visit.lang, &Stock::default()));
        let Some(products) = by_text.find(|products| !products.is_empty()) else {
            continue;
        };
        one.more = count(products.len().saturating_sub(DISHES_OF_EACH));
        filled += count(products.len());
        let shown = products.into_iter().take(DISHES_OF_EACH);
        one.dishes = shown
            .map(|product| mapping::product(product, &visit.app.images))
            .collect();
    }
    filled
}

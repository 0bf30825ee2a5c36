//! Carts that wait aside while their guest orders elsewhere, as pages and messages tell of them (FL-06).

use super::{counted, name_of, of_page};
use crate::{
    features::{
        order_venue,
        page_data::{OrderedLine, SavedHere},
    },
    state::carts::Undo,
    upstream::{Menu, VenueId},
    web::{
        change::outcome::{Flash, Notice},
        visit::Visit,
    },
};

/// How many of its lines are named.
const MOST_NAMED: usize = 3;

/// What tells a guest with an empty cart of one that waits aside, with the way to bring it back (CT-15).
pub async fn saved(visit: &Visit) -> Option<Flash> {
    let cart = of_page(visit).await.ok().flatten()?;
    let venue_id = VenueId(cart.saved(visit.now)?.venue_id);
    let name = order_venue::name(visit, venue_id, String::new()).await;
    // A venue that does not answer is offered once it does.
    if name.is_empty() {
        return None;
    }
    let values = [("name", name), ("venue", venue_id.to_string())];
    Some(Flash {
        values: values
            .map(|(key, value)| (key.to_owned(), vec![value]))
            .into(),
        ..Flash::new(Notice::BranchChanged)
    })
}

/// Whether a message tells of the cart of that venue: its own page tells what is in it instead.
#[must_use]
pub fn is_saved(flash: &Flash, venue: VenueId) -> bool {
    let id = flash.values.get("venue").and_then(|ids| ids.first());
    flash.kind == Notice::BranchChanged && id.is_some_and(|id| *id == venue.to_string())
}

/// The cart of this very venue that waits aside, whatever the guest's cart holds now, or that a dish has just brought back.
pub async fn saved_here(visit: &Visit, venue: VenueId, menu: Option<&Menu>) -> Option<SavedHere> {
    let cart = of_page(visit).await.ok().flatten()?;
    let shown = |saved: &Undo, returned| SavedHere {
        name: contents(saved, menu),
        lines: saved
            .lines
            .iter()
            .map(|line| OrderedLine {
                id: line.id.clone(),
                qty: line.quantity,
            })
            .collect(),
        returned,
    };
    match cart.just_returned(visit.now) {
        Some(returned) if returned.venue_id == venue.0 => Some(shown(returned, true)),
        Some(_) | None => cart
            .saved_of(venue.0, visit.now)
            .map(|saved| shown(saved, false)),
    }
}

/// What was in a cart that left, with counts; of many lines the first ones.
#[must_use]
pub fn contents(left: &Undo, menu: Option<&Menu>) -> String {
    let named = left.lines.iter().take(MOST_NAMED);
    let names: Vec<String> = named
        .map(|line| counted(name_of(line, menu), line.quantity))
        .collect();
    let more = if left.lines.len() > MOST_NAMED {
        " …"
    } else {
        ""
    };
    names.join(", ") + more
}

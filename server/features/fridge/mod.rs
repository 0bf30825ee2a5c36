//! Fridges that guests open by themselves: the lock opens, goods are scanned or chosen, the door closes, what was taken is
//! paid for (BC-05, BC-06, BC-13, BC-14; screens.md, 2.13). What the upstream says of a door is the truth; the session of
//! this browser only remembers which door it was.

mod basket;
mod close;
mod load;
mod open;
mod settle;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::Serialize;

use super::page_data::{OrderLine, Phone, Venue};
use crate::{
    state::idempotency::body_hash,
    upstream::{Door, FridgeSession, VenueId, When},
    values::Sum,
    web::visit::Visit,
};

pub use basket::note_scanned;
pub use close::{close, give_back, give_back_if_over, is_of_open_door};
pub use load::{PAGE, load, open_door, running};
pub use open::open;
pub use settle::{is_key, resolve};

/// A lock that has not opened by now has not opened, milliseconds.
const OPENING: i64 = 10_000;
/// A door of which nothing is known any more is told of for so long, milliseconds.
const LOST: i64 = 60 * 60_000;
/// A door that has been open for so long is asked about, milliseconds.
const LONG: i64 = 3 * 60_000;

/// A door that has not opened for so long was told to open by another visit, milliseconds.
const IN_A_ROW: i64 = 30 * 60_000;

/// How a fridge is for its guest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum FridgeState {
    /// The upstream opens it for guests that it knows only.
    SignIn,
    /// It can be opened.
    Ready,
    /// The lock was told to open.
    Opening,
    /// The door can be opened, or stands open.
    Open,
    /// It was shut, and what was taken is being counted.
    Settling,
    /// What was taken is an order, or nothing was taken.
    Settled,
    /// The lock did not open.
    Failed,
    /// The door was open, and the upstream does not know of it any more.
    Lost,
    /// It is not known now; it is asked again.
    Unknown,
}

/// Page data of `/filials/{id}/fridge`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FridgePage {
    /// The fridge.
    pub venue: Venue,
    /// How it is.
    pub state: FridgeState,
    /// The door stands open for longer than any guest needs.
    pub long: bool,
    /// The door, as long as something may come of it.
    pub session: Option<String>,
    /// The order that it came to.
    pub order: Option<String>,
    /// What was charged for it; null: not known yet.
    pub charged: Option<Sum>,
    /// All of it was charged to the card.
    pub card: bool,
    /// Pieces that the fridge has counted beyond those that were scanned.
    pub unscanned: u32,
    /// Which those are, as far as the order tells.
    pub unseen: Vec<OrderLine>,
    /// Some of its goods are sold to adults only, from this age on.
    pub age: Option<u32>,
    /// The guest has said that they are younger: the door stays shut until they answer otherwise.
    pub too_young: bool,
    /// Whom to call when it does not open.
    pub support: Option<Phone>,
    /// How often it was told to open in a row and has not.
    pub presses: u32,
}

/// Whether a lock was told to open so long ago that it has not opened: nothing waits for it, though it may open late.
fn is_late(session: &FridgeSession, now: i64) -> bool {
    session.door == Door::Opening && since(session, now) >= OPENING
}

/// Milliseconds since the lock was told to open.
fn since(session: &FridgeSession, now: i64) -> i64 {
    let then = session.opened_at.as_ref().and_then(When::utc);
    then.map_or(0, |then| now.saturating_sub(then))
}

/// How often this fridge was told to open in a row and has not.
async fn presses(visit: &Visit, venue: VenueId) -> u32 {
    let known = visit.sess.fridge_presses().await;
    known
        .filter(|known| known.venue == venue.0 && visit.now.saturating_sub(known.at) < IN_A_ROW)
        .map_or(0, |known| known.count)
}

/// The page of a fridge.
pub(in crate::features) fn path(venue: impl std::fmt::Display) -> String {
    format!("/filials/{venue}/fridge")
}

/// A key that only this guest's session can make: the parts begin with the cart's name, which is its secret.
fn key(prefix: &str, parts: &[&str]) -> String {
    let hash = body_hash(&serde_json::json!(parts).to_string());
    format!("{prefix}{}", URL_SAFE_NO_PAD.encode(hash))
}

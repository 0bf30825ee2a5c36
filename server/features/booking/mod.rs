//! `/brands/booking`: a table for a day and a time, its calendar file, and giving it back (2.2).

mod attempt;
mod book;
mod calendar;
mod days;
mod load;
mod typed;
mod venue;

use serde::Serialize;

use super::page_data::Phone;
use crate::values::{MoneyFormat, Sum};

pub use attempt::{begin_to_order, is_key, resolve};
pub use book::{book, cancel, list, page_of, preorder_of, question, unreached};
pub use calendar::calendar;
pub(super) use days::today;
pub use load::{PAGE, Standing, is_over, left_of, load, next_tables, standing_of};
pub use typed::{begun, forget_typed, keep_typed};

/// The page.
const PATH: &str = "/brands/booking";
/// A guest stays so long at a booked table, milliseconds.
const STAY: i64 = 2 * 3600 * 1000;
/// Guests of one table.
const MOST_GUESTS: u32 = 20;
/// Who does not say how many comes with a friend.
const GUESTS: u32 = 2;

/// A venue where a table can be booked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BookVenue {
    /// Its id.
    #[cfg_attr(test, ts(type = "number"))]
    pub id: u64,
    /// Its name.
    pub name: String,
    /// Street and building.
    pub address: String,
    /// Minutes east of UTC.
    pub utc_offset: i32,
    /// Its phone, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub phone: Option<Phone>,
    /// Closed by hand, for no one knows how long: nothing can be booked.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, type = "true"))]
    pub closed: bool,
    /// Its bills are paid there alone.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, type = "true"))]
    pub not_online: bool,
}

/// A day that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BookDay {
    /// `2026-11-21`.
    pub date: String,
    /// 0 is Monday.
    pub weekday: u8,
    /// Of the month.
    pub day: u8,
}

/// A time of the day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BookSlot {
    /// `18:30` by the venue's clock.
    pub time: String,
    /// There is a place.
    pub free: bool,
}

/// A table that this guest has booked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BookedTable {
    /// Upstream id.
    pub id: String,
    /// Where; null when the venue is not known any more.
    pub venue: Option<BookVenue>,
    /// When, milliseconds since the epoch.
    #[cfg_attr(test, ts(type = "number"))]
    pub at: i64,
    /// For how many.
    pub guests: u32,
    /// In whose name.
    pub name: String,
    /// What the guest has asked for; may be empty.
    pub comment: String,
    /// The page of the bill of what was ordered with it.
    pub bill: Option<String>,
    /// What that is; null where nothing was, or where its bill did not come.
    pub ahead: Option<OrderedAhead>,
    /// It was given back.
    pub canceled: bool,
}

/// Dishes that were ordered with a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct OrderedAhead {
    /// How many.
    pub count: u32,
    /// What they cost with service, hundredths.
    pub sum: Sum,
    /// What of it is not paid, hundredths.
    pub left: Sum,
    /// What was charged for it, with tips and without bonuses: what comes back when the table is given back.
    pub charged: Sum,
    /// What of that is given back.
    pub refund: Sum,
    /// What bonuses have paid of it: they come back with the money.
    pub bonuses: Sum,
    /// The bonuses that are given back.
    pub refunded_bonuses: Sum,
    /// Its table was given back, and something that was paid is still to come back.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, type = "true"))]
    pub waits: bool,
    /// What was paid earns bonuses, which go with the table.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, type = "true"))]
    pub earns: bool,
    /// Until when the rest is paid online, milliseconds since the epoch; null: it is not.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub pay_until: Option<i64>,
    /// How they are written where the table is.
    pub money: MoneyFormat,
}

impl OrderedAhead {
    /// Whether something of it was paid, be it given back since.
    fn was_paid(&self) -> bool {
        let Self {
            charged,
            refund,
            bonuses,
            refunded_bonuses,
            ..
        } = self;
        [charged, refund, bonuses, refunded_bonuses]
            .iter()
            .any(|sum| sum.0 > 0)
    }
}

/// A table that a guest has booked, in one line that leads to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct NextTable {
    /// Upstream id.
    pub id: String,
    /// Name of the venue.
    pub venue: String,
    /// When, milliseconds since the epoch.
    #[cfg_attr(test, ts(type = "number"))]
    pub at: i64,
    /// Minutes east of UTC there.
    pub utc_offset: i32,
    /// The page of the bill of what was ordered with it.
    pub bill: Option<String>,
    /// What that is; null where nothing was, or where its bill did not come.
    pub ahead: Option<OrderedAhead>,
    /// It was given back: what was paid of its preorder comes back.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, type = "true"))]
    pub canceled: bool,
}

/// Page data of `/brands/booking`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BookingPage {
    /// The venue; null while it has to be chosen.
    pub venue: Option<BookVenue>,
    /// Venues to choose from, without one.
    pub venues: Vec<BookVenue>,
    /// The next seven days at the venue.
    pub days: Vec<BookDay>,
    /// The chosen day.
    pub date: String,
    /// The last day that can be chosen.
    pub last: String,
    /// The chosen number of guests.
    pub guests: u32,
    /// At most so many.
    pub most: u32,
    /// That day was not chosen: nothing is free today any more.
    pub is_next: bool,
    /// Times of the chosen day.
    pub slots: Vec<BookSlot>,
    /// The times or the venues did not come: the page offers a retry.
    pub failed: bool,
    /// What became of the booking that the address names did not come: the page says so and offers a retry.
    pub not_loaded: bool,
    /// The chosen time.
    pub time: Option<String>,
    /// Names this form: pressed twice, it is one booking.
    pub attempt: String,
    /// The browser has a session that its other tabs share; not when the page was fetched before it was opened.
    pub held: bool,
    /// The dishes of a cart of this venue can be ordered with the table: the upstream takes them of signed-in guests.
    pub ahead: bool,
    /// The guest comes back from the cart to order its dishes with the table.
    pub ticked: bool,
    /// Name and phone of the guest's last booking, else of the profile.
    pub name: String,
    /// The same.
    pub phone: String,
    /// Tables that the guest has booked, the next one first; those whose time has come stand last.
    pub own: Vec<BookedTable>,
    /// Without a venue: the last ones that are over or were given back, the newest first.
    pub past: Vec<BookedTable>,
    /// The one that was just booked, or given back: what became of it.
    pub done: Option<String>,
    /// The one that is to be cancelled, once the guest agrees.
    pub cancel: Option<String>,
}

//! Page data of a bill, and of what comes after a part of it is paid.

use serde::Serialize;

use super::choice::BillChoice;
use crate::{
    features::page_data::PayWay,
    values::{MoneyFormat, Sum},
};

/// How a bill stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum BillState {
    /// It can be paid.
    Open,
    /// It was there and is closed.
    Closed,
    /// The table has none (PY-07).
    NotFound,
}

/// What came in the way of what the guest has just asked for. Each has a text on the page of the bill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum BillProblem {
    /// Others have paid meanwhile: less is left (PY-14).
    Less,
    /// The sums are others than those that were shown; nothing was charged.
    Changed,
    /// The guest has typed or chosen another sum than was counted: it is shown before it is paid.
    Check,
    /// Another guest was faster with a dish.
    Taken,
    /// Neither bank nor venue has answered; nothing was charged.
    Unavailable,
    /// The venue has said no.
    Refused,
    /// The waiter could not be told.
    Waiter,
    /// Waiters were called too often from here; this call was not sent.
    Often,
    /// The guest's own part was called off, as they asked for.
    CalledOff,
    /// It could not be called off: there was no answer, or it is being sent.
    StillPaying,
    /// Another part of this guest's is being paid: one at a time.
    Pending,
}

/// One line of a bill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BillLine {
    /// Names it in forms.
    pub key: String,
    /// What was brought.
    pub name: String,
    /// How many.
    pub count: u32,
    /// What one costs.
    pub price: Sum,
    /// All of them.
    pub sum: Sum,
    /// Chosen by this guest.
    pub mine: u32,
    /// Chosen or being paid by others.
    pub others: u32,
    /// Being paid by this guest.
    pub paying: u32,
    /// Paid.
    pub paid: u32,
}

/// A part of this guest's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct OwnPart {
    /// Where it is paid and called off, or what came of it.
    pub href: String,
    /// Of the bill.
    pub sum: Sum,
    /// On top of it.
    pub tips: Sum,
    /// What the bank asks for: with tips, without bonuses.
    pub due: Sum,
    /// The upstream has the money.
    pub paid: bool,
}

/// Page data of `/filials/{filial_id}/bill` and `/bills/preorder/{id}`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BillPage {
    /// How it stands.
    pub state: BillState,
    /// Its id; empty where there is none.
    pub bill: String,
    /// Its address without what is chosen on it.
    pub href: String,
    /// Of a bill that is closed: the address of the one that its table may have by now.
    pub table_href: Option<String>,
    /// The address that tells its changes; null: there are none.
    pub events: Option<String>,
    /// What the venue calls it.
    pub number: String,
    /// The venue.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub venue_id: Option<u64>,
    /// Its name.
    pub venue: String,
    /// Number of the table.
    pub table: Option<String>,
    /// Name of the waiter.
    pub waiter: Option<String>,
    /// Of a booking.
    pub preorder: bool,
    /// Its time, where it is known, milliseconds since the epoch.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub booked: Option<i64>,
    /// What it is for.
    pub lines: Vec<BillLine>,
    /// Dishes without service.
    pub goods: Sum,
    /// Percent for service.
    pub percent: u32,
    /// That in money.
    pub service: Sum,
    /// All of it.
    pub total: Sum,
    /// Paid, by this guest or others.
    pub paid: Sum,
    /// Being paid by others now.
    pub paying: Sum,
    /// What is neither paid nor being paid.
    pub left: Sum,
    /// How sums are written.
    pub money: MoneyFormat,
    /// Percent that this guest gets back for the first bill paid here (PY-10).
    pub cashback: Option<u32>,
    /// Parts of this guest's, the newest first.
    pub mine: Vec<OwnPart>,
    /// Of a closed preorder: the money that is given back.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub refund: Option<Sum>,
    /// Of a closed bill: its guests have paid all of it here.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, type = "true"))]
    pub paid_in_full: bool,
    /// Its table was given back.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, type = "true"))]
    pub canceled: bool,
    /// The dishes of this guest are held until then, milliseconds since the epoch.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub held_until: Option<i64>,
    /// Milliseconds until the waiter can be called again; 0: now.
    #[cfg_attr(test, ts(type = "number"))]
    pub waiter_in: i64,
    /// The guest is asked whether to call the waiter.
    pub calling: bool,
    /// There is a table that a waiter can be called to.
    pub calls_waiter: bool,
    /// Tips on offer, percent.
    pub tip_percents: Vec<u32>,
    /// Ways to pay; none: not online.
    pub ways: Vec<PayWay>,
    /// What is being paid, with its sums; null: the guest looks at the bill.
    pub choice: Option<BillChoice>,
    /// What came in the way.
    pub problem: Option<BillProblem>,
    /// What the guest has wanted to pay, where less was left: that is told until so much is there again.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub wanted: Option<Sum>,
    /// Server time of this reading.
    #[cfg_attr(test, ts(type = "number"))]
    pub read_at: i64,
    /// Minutes east of UTC at the venue.
    pub utc_offset: i32,
}

/// Page data of `/bills/paid/{token}`: thank you.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct BillPaidPage {
    /// Its address, which its form posts to.
    pub href: String,
    /// The bill.
    pub bill: String,
    /// The venue.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub venue_id: Option<u64>,
    /// Its name.
    pub venue: String,
    /// Of the bill.
    pub sum: Sum,
    /// On top of it.
    pub tips: Sum,
    /// Paid with bonuses.
    pub bonus: Sum,
    /// What this guest has paid of the bill in several parts; null: this is the only one.
    pub in_all: Option<Sum>,
    /// How it was paid (PY-11); null: bonuses have paid it all.
    pub way: Option<PayWay>,
    /// Given back (PY-10, PY-11).
    pub cashback: Sum,
    /// How sums are written.
    pub money: MoneyFormat,
    /// The fiscal receipt, if there is one (PY-17).
    pub receipt: Option<String>,
    /// The table was given back, and so is what was paid.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, type = "true"))]
    pub refunded: bool,
    /// The guest can still say how it was.
    pub asks: bool,
    /// Of a booking.
    pub preorder: bool,
    /// Of a booking whose time has not come: when the table waits, milliseconds since the epoch.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub booked: Option<i64>,
    /// Minutes east of UTC at the venue.
    pub utc_offset: i32,
    /// The guest has said it.
    pub thanked: bool,
    /// What is left of the bill; null: unknown.
    pub left: Option<Sum>,
    /// What is at a bank; as long as there is something, the bill is not paid.
    pub paying: Sum,
}

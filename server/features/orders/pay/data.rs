//! Page data of paying an order.

use serde::Serialize;

use crate::{
    features::page_data::PayWay,
    values::{MoneyFormat, Sum},
};

/// How the payment of an order stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum PaymentState {
    /// The bank waits for the guest.
    Waiting,
    /// It is not known yet: the bank or the venue has not told.
    Checking,
    /// The upstream has the money.
    Paid,
    /// The bank has refused it.
    Declined,
    /// The guest has left the bank's page without paying.
    Abandoned,
    /// It was not paid in time; it can be tried again.
    TimedOut,
    /// The order was called off unpaid.
    CalledOff,
    /// The order was called off after it was paid, and the money goes back.
    Refunded,
}

/// What a guest without scripts reads on the page, which does not look anew meanwhile: it would be closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum PaymentStep {
    /// Whether the order is called off.
    Cancel,
    /// Another way to pay.
    Way,
}

impl PaymentStep {
    pub(super) fn from_code(code: &str) -> Option<Self> {
        match code {
            "cancel" => Some(Self::Cancel),
            "way" => Some(Self::Way),
            _ => None,
        }
    }
}

/// Page data of `/pay/{token}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PaymentPage {
    /// Its address, which forms post to.
    pub href: String,
    /// How it stands.
    pub state: PaymentState,
    /// How it is paid now; null before the first attempt.
    pub way: Option<PayWay>,
    /// What the venue calls the order.
    pub number: String,
    /// Name of the venue.
    pub venue: String,
    /// Its id.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub venue_id: Option<u64>,
    /// What is to be paid.
    pub sum: Option<Sum>,
    /// How it is written.
    pub money: MoneyFormat,
    /// The bank's page or application, while it waits.
    pub bank: Option<String>,
    /// When the bank gives it up, milliseconds since the epoch.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub until: Option<i64>,
    /// Server time of this reading.
    #[cfg_attr(test, ts(type = "number"))]
    pub read_at: i64,
    /// Minutes east of UTC at the venue.
    pub utc_offset: i32,
    /// What is opened.
    pub step: Option<PaymentStep>,
    /// The guest comes from the bank.
    pub returned: bool,
    /// Ways to try it again.
    pub ways: Vec<PayWay>,
    /// The venue takes cash: the order can be called off, and its dishes, which this browser's cart holds, be ordered once
    /// more.
    pub cash: bool,
    /// The page of the bill, of a part of one.
    pub bill: Option<String>,
    /// A part of a bill that this browser has begun and can call off.
    pub part: bool,
    /// The order is called off, and the cart of this browser holds its dishes.
    pub in_cart: bool,
    /// This browser has placed the order: the link to its page, and it may be called off.
    pub order: Option<String>,
}

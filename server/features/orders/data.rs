//! Page data of an order.

use serde::Serialize;
use ts_rs::TS;

use crate::features::cart::{PaymentKind, Total};
use crate::values::{MoneyFormat, Service, Sum};

/// Status of an order (OR-02).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export_to = "page-data.ts")]
#[expect(missing_docs, reason = "the upstream's own names")]
pub enum OrderStatus {
    Created,
    Cooking,
    Ready,
    Delivery,
    Completed,
    Canceled,
    /// Anything that the upstream may invent later.
    Unknown,
}

impl OrderStatus {
    /// Place on the way from created to completed (OR-03).
    #[must_use]
    pub const fn rank(self) -> u32 {
        match self {
            Self::Unknown => 0,
            Self::Created => 1,
            Self::Cooking => 2,
            Self::Ready => 3,
            Self::Delivery => 4,
            Self::Completed => 5,
            Self::Canceled => 6,
        }
    }

    /// Nothing follows it.
    #[must_use]
    pub const fn is_final(self) -> bool {
        matches!(self, Self::Completed | Self::Canceled)
    }
}

/// One position of an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "page-data.ts")]
pub struct OrderLine {
    /// Its name.
    pub name: String,
    /// Pieces.
    pub qty: u32,
    /// Hundredths.
    pub sum: Sum,
    /// Size and options in words.
    pub options: Vec<String>,
    /// The guest's wish to the kitchen.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub note: Option<String>,
}

/// One step of an order's way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "page-data.ts")]
pub struct OrderStep {
    /// Status reached by it.
    pub status: OrderStatus,
    /// When it was reached, milliseconds since the epoch.
    #[ts(type = "number | null")]
    pub at: Option<i64>,
}

/// The venue of an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "page-data.ts")]
pub struct OrderVenue {
    /// Filial id.
    #[ts(type = "number")]
    pub id: u64,
    /// Its name.
    pub name: String,
    /// Street and building.
    pub address: String,
}

/// Page data of an order; also what its event stream sends.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "page-data.ts")]
pub struct OrderPage {
    /// Upstream id.
    pub id: String,
    /// What the venue calls it.
    pub number: String,
    /// Kind of service.
    pub service: Service,
    /// Status now.
    pub status: OrderStatus,
    /// Furthest rank reached; progress never runs backwards.
    pub rank: u32,
    /// The way for this service, with times where known.
    pub steps: Vec<OrderStep>,
    /// How it is paid.
    pub payment: PaymentKind,
    /// When it was placed, milliseconds since the epoch.
    #[ts(type = "number | null")]
    pub created_at: Option<i64>,
    /// The same in the upstream's words, where they are no time that this program can read (OR-05).
    pub created_words: Option<String>,
    /// When the next status is expected.
    #[ts(type = "number | null")]
    pub next_at: Option<i64>,
    /// When it will be ready, as long as that lies ahead and nobody has to bring it.
    #[ts(type = "number | null")]
    pub ready_at: Option<i64>,
    /// Server time of this reading.
    #[ts(type = "number")]
    pub read_at: i64,
    /// Nothing follows.
    pub r#final: bool,
    /// Why it was cancelled (OR-04).
    pub reason: Option<String>,
    /// Where it is made.
    pub venue: OrderVenue,
    /// How its sums are written.
    pub money: MoneyFormat,
    /// Minutes east of UTC at the venue.
    pub utc_offset: i32,
    /// False without the capability: nothing personal is told (ZZ-06).
    pub personal: bool,
    /// Table number.
    pub table: Option<String>,
    /// It is handed out at the counter, by its number.
    pub pickup: bool,
    /// The guest's wishes.
    pub comment: Option<String>,
    /// Positions.
    pub lines: Vec<OrderLine>,
    /// Sums.
    pub totals: Vec<Total>,
    /// Address of the event stream.
    pub events: String,
}

/// An order whose outcome is not known yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "page-data.ts")]
pub struct CheckingPage {
    /// Idempotency key of the attempt.
    pub key: String,
}

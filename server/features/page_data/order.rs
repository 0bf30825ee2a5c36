//! Orders: their status, what is in them, who brings them.

use serde::Serialize;

use crate::values::Sum;

/// Status of an order (OR-02).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
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
    #[cfg_attr(test, ts(optional))]
    pub note: Option<String>,
}

/// Who brings an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum CourierKind {
    Foot,
    Car,
    /// The venue's own.
    Venue,
}

//! The cart as every page shows it.

use serde::Serialize;

use crate::values::{MoneyFormat, Sum};

/// Why a cart line can't be ordered as it is (CT-04).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum LineProblem {
    /// The venue no longer sells it.
    Gone,
    /// It costs something else than the guest saw.
    Price,
}

/// The pieces of a line that are above its promo's limit (MN-14).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RegularPart {
    /// So many pieces.
    pub qty: u32,
    /// One of them, hundredths.
    pub price: Sum,
}

/// One cart line.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CartLine {
    /// Stable id of the line within its cart.
    pub id: String,
    /// Upstream product id.
    pub product_id: u64,
    /// Name in the page's language where the menu still knows it.
    pub name: String,
    /// Pieces, 1 to 99.
    pub qty: u32,
    /// One piece with its options, hundredths.
    pub price: Sum,
    /// All pieces, hundredths.
    pub sum: Sum,
    /// Pieces that cost the regular price; the others cost `price`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub regular: Option<RegularPart>,
    /// Chosen size and options in words.
    pub options: Vec<String>,
    /// The guest's wish for this line.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub note: Option<String>,
    /// Picture address with `{w}` for the width in pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub image: Option<String>,
    /// Set when it can't be ordered as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub problem: Option<LineProblem>,
    /// The price that the guest saw when it was added, with [`LineProblem::Price`].
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub old_price: Option<Sum>,
    /// No options and no note: the menu's stepper changes it.
    pub plain: bool,
}

/// Pieces of a line that are part of an order already.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OrderedLine {
    /// The line's id in the cart.
    pub id: String,
    /// How many.
    pub qty: u32,
}

/// The cart of the venue whose page it is: it waits aside, or a dish has just brought it back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SavedHere {
    /// What is in it, with counts; of many lines the first ones.
    pub name: String,
    /// Its lines, to know them in the cart.
    pub lines: Vec<OrderedLine>,
    /// It is in the cart again, as a dish was added.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, type = "true"))]
    pub returned: bool,
}

/// The cart as every page shows it. A higher `version` is newer.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CartView {
    /// Tells it from other carts that the guest may have instead, as at an open fridge; says nothing of its id.
    pub mark: u32,
    /// Grows with every change.
    pub version: u32,
    /// Id of the venue that the lines belong to.
    pub venue_id: u64,
    /// Name of that venue.
    pub venue_name: String,
    /// Pieces in all lines.
    pub count: u32,
    /// Sum of the lines that can be ordered, hundredths.
    pub total: Sum,
    /// How its money is written, where that is not the money of the place.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub money: Option<MoneyFormat>,
    /// What comes on top for service there, whole percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub service_percent: Option<u32>,
    /// Oldest first.
    pub lines: Vec<CartLine>,
}

/// A range of minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Minutes {
    /// At least.
    pub min: u32,
    /// At most.
    pub max: u32,
}

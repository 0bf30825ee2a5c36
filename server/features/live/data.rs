//! What open pages are told.

use serde::Serialize;

use crate::{features::venues::OpenState, values::Sum};

/// What of a product changes while a page shows it; a field that is not there holds for it no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LiveProduct {
    /// Upstream product id.
    #[cfg_attr(test, ts(type = "number"))]
    pub id: u64,
    /// One piece without a promo, hundredths.
    pub price: Sum,
    /// One piece with the promo.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub promo: Option<Sum>,
    /// Negative whole percent of the promo.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub percent: Option<i32>,
    /// The price is the lowest of several sizes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, type = "true"))]
    pub from: bool,
    /// No price is told.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, type = "true"))]
    pub unpriced: bool,
    /// Sold out or unavailable now.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, type = "true"))]
    pub out: bool,
    /// At most so many for the promo price.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub limit: Option<u32>,
}

/// One event of a venue, the first of them too: what differs from the state that the page has named.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LiveMenu {
    /// Names this state.
    pub rev: String,
    /// Names which products stand on the menu: with another one the page has to be loaded anew.
    pub shape: String,
    /// Open state of the venue.
    pub open: OpenState,
    /// Bills of the venue's tables are pulled from the till.
    pub bill: bool,
    /// `products` are all of the menu: what is not among them is gone.
    pub full: bool,
    /// Those that have changed, or all.
    pub products: Vec<LiveProduct>,
}

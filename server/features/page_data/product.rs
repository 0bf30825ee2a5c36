//! Dishes and goods.

use serde::Serialize;

use crate::values::Sum;

/// One dish or good.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Product {
    /// Upstream product id.
    #[cfg_attr(test, ts(type = "number"))]
    pub id: u64,
    /// Its name.
    pub name: String,
    /// Its description.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub text: Option<String>,
    /// One piece without a promo, hundredths.
    pub price: Sum,
    /// One piece with the promo (MN-01).
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
    /// No price is told: it is shown and can't be ordered (MN-15).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, type = "true"))]
    pub unpriced: bool,
    /// Weight or volume in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub weight: Option<String>,
    /// Picture address with `{w}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub image: Option<String>,
    /// Sold out or unavailable now.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, type = "true"))]
    pub out: bool,
    /// Has sizes or additives: + opens the sheet.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, type = "true"))]
    pub options: bool,
    /// Least age of the buyer, years (CT-23).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub age: Option<u32>,
    /// At most so many for the promo price (MN-02).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub limit: Option<u32>,
}

/// One category of the menu.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Category {
    /// Upstream id; -2 for favourites (MN-05).
    pub id: i32,
    /// Its name.
    pub name: String,
    /// Rows show photos (MN-06).
    pub photos: bool,
    /// In the venue's order.
    pub products: Vec<Product>,
}

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

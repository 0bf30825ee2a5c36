//! Page data of the menu.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Categories;
use crate::{
    features::page_data::{Banner, Product, SavedHere, Venue},
    values::Sum,
};

/// A short list out of the menu, before its categories (MN-05, MN-08). Its products stand in the categories; a product
/// is in one list at most.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ShortList {
    /// Made-up category: -2 favourites, -3 popular, -4 what the guest orders most.
    pub id: i32,
    /// Ids of products.
    #[cfg_attr(test, ts(type = "number[]"))]
    pub products: Vec<u64>,
}

/// A promo of the venue with what it holds for (MN-12).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct MenuPromo {
    /// Its name, may be empty.
    pub name: String,
    /// Begins at, milliseconds since the epoch; only of one that has not begun.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "number"))]
    pub from: Option<i64>,
    /// The last moment at which it holds, milliseconds since the epoch.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "number"))]
    pub until: Option<i64>,
    /// So many at this price in one order.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub limit: Option<u32>,
    /// So many at this price in a day.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub day_limit: Option<u32>,
    /// Ids of products of this menu.
    #[cfg_attr(test, ts(type = "number[]"))]
    pub products: Vec<u64>,
}

/// From a sum of goods on, so much of the delivery is paid for the guest (MN-12).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DeliveryOff {
    /// Sum of goods.
    pub from: Sum,
    /// What comes off.
    pub discount: Sum,
}

/// One size of a product.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Size {
    /// Upstream id.
    #[cfg_attr(test, ts(type = "number"))]
    pub id: u64,
    /// Its name.
    pub name: String,
    /// One piece of this size, hundredths.
    pub price: Sum,
    /// Sold out.
    pub out: bool,
}

/// One option of a group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "Option"))]
pub struct Choice {
    /// Upstream id.
    #[cfg_attr(test, ts(type = "number"))]
    pub id: u64,
    /// Its name.
    pub name: String,
    /// Added to the price of one piece, hundredths.
    pub price: Sum,
    /// At most so many of this option.
    pub max: u32,
    /// Sold out.
    pub out: bool,
}

/// A group of options with its rule (AT-01).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OptionGroup {
    /// Upstream id.
    #[cfg_attr(test, ts(type = "number"))]
    pub id: u64,
    /// Its name.
    pub name: String,
    /// At least so many, counted with quantities (AT-08).
    pub min: u32,
    /// At most so many.
    pub max: u32,
    /// In the venue's order.
    pub options: Vec<Choice>,
}

/// A cart line that is opened to be changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EditedLine {
    /// Id of the line.
    pub id: String,
    /// Pieces.
    pub qty: u32,
    /// The guest's wish.
    pub note: String,
}

/// The sheet of a dish: one product with everything that can be chosen.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DishSheet {
    /// The product.
    pub product: Product,
    /// Null when it has none (MN-03).
    pub sizes: Option<Vec<Size>>,
    /// Option groups.
    pub groups: Vec<OptionGroup>,
    /// Option id to count, from last_selected (AT-02).
    pub selected: BTreeMap<String, u32>,
    /// The guest has chosen that themselves, the last time.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, type = "true"))]
    pub last: bool,
    /// Size chosen beforehand.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub selected_size: Option<u64>,
    /// Cooking time in minutes.
    pub minutes: Option<u32>,
    /// The cart line whose choice is being changed, with `?line=`.
    pub line: Option<EditedLine>,
    /// The options could not be loaded: it can't be added (AT-11).
    pub failed: bool,
}

/// Page data of `/filials/{id}`.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MenuPage {
    /// The venue.
    pub venue: Venue,
    /// A warning over the menu.
    pub banner: Option<Banner>,
    /// In the venue's order; the short lists themselves when the menu did not come.
    #[cfg_attr(test, ts(as = "Vec<crate::features::page_data::Category>"))]
    pub categories: Categories,
    /// Short lists that are not empty.
    pub lists: Vec<ShortList>,
    /// The venue's choice stands in for the guest's favourites.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, type = "true"))]
    pub house: bool,
    /// Promos of now.
    pub promos: Vec<MenuPromo>,
    /// What comes off the delivery, by sum of goods; empty for other services.
    pub delivery: Vec<DeliveryOff>,
    /// Names prices and stock as they are here: what the stream of changes goes on from.
    pub rev: String,
    /// The table's guests pay by its bill.
    pub bill: bool,
    /// It is a fridge, which can be opened.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, type = "true"))]
    pub fridge: bool,
    /// The menu itself did not come (MN-07).
    pub failed: bool,
    /// The guest has said to be too young for what has an age (ST-08).
    pub locked: bool,
    /// The sheet of a dish, with `?item=`.
    pub dish: Option<DishSheet>,
    /// The guest's cart of this venue that waits aside, or has just come back by itself (FL-06).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub saved: Option<SavedHere>,
}

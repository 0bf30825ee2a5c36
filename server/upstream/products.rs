//! A product as every list of the menu sends it, normalised once (MN-01 to MN-04).

use super::{
    ProductId, SizeId,
    wire::{Bad, FromWire, Wire},
};
use crate::values::Sum;

/// A dish or good.
#[derive(Debug, Clone, PartialEq)]
pub struct Product {
    /// The id that all calls take.
    pub id: ProductId,
    /// The id of its place in the menu (MN-04).
    pub menu_id: Option<u64>,
    /// Its name.
    pub name: String,
    /// What it is.
    pub description: Option<String>,
    /// What one piece costs without a promo; 0 when nothing is told.
    pub price: Sum,
    /// A price is told, of itself or of a size: without one it can't be ordered (MN-15).
    pub has_price: bool,
    /// What it costs now, when that is less (MN-01).
    pub promo_price: Option<Sum>,
    /// Negative whole percent of the promo, rounded towards zero.
    pub percent: Option<i32>,
    /// The reward behind the promo.
    pub reward_id: Option<u64>,
    /// The most pieces for the promo price; 9999 if a reward exists and nothing is told (MN-02).
    pub promo_limit: Option<u32>,
    /// The same per day.
    pub promo_day_limit: Option<u32>,
    /// Sizes; `None` when there are none (MN-03).
    pub sizes: Option<Vec<Size>>,
    /// Pictures.
    pub images: Vec<String>,
    /// Colour of the first picture as `#rrggbb`, to stand in its place until it comes.
    pub image_color: Option<String>,
    /// Has options to choose.
    pub has_additives: bool,
    /// Minutes.
    pub cooking_time: Option<u32>,
    /// The guest likes it.
    pub is_favorite: bool,
    /// Sold out or not offered now.
    pub is_unavailable: bool,
    /// As text, such as `350 г`.
    pub weight: Option<String>,
    /// Least age of the buyer.
    pub min_age: Option<u32>,
    /// What a scanner reads.
    pub barcode: Option<String>,
    /// It is marked as having no meat.
    pub is_meatless: bool,
}

/// A size of a product with its own price.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Size {
    /// Its id.
    pub id: SizeId,
    /// Its name.
    pub name: String,
    /// What one piece costs without a promo.
    pub price: Sum,
    /// What it costs now, when that is less.
    pub promo_price: Option<Sum>,
    /// Sold out.
    pub is_unavailable: bool,
}

/// Stands for a limit that is not told (MN-02).
pub const PROMO_LIMIT: u32 = 9999;

impl Product {
    /// What one piece costs now, without sizes and additives.
    #[must_use]
    pub fn current_price(&self) -> Sum {
        self.promo_price.unwrap_or(self.price)
    }

    /// How many a guest gets for the promo price on a day on which they have had none, if the upstream tells.
    #[must_use]
    pub fn stated_limit(&self) -> Option<u32> {
        [self.promo_limit, self.promo_day_limit]
            .into_iter()
            .flatten()
            .min()
            .filter(|limit| *limit < PROMO_LIMIT)
    }

    /// A size by its id.
    #[must_use]
    pub fn size(&self, id: SizeId) -> Option<&Size> {
        self.sizes.as_ref()?.iter().find(|size| size.id == id)
    }
}

impl Size {
    /// What one piece costs now, without additives.
    #[must_use]
    pub fn current_price(&self) -> Sum {
        self.promo_price.unwrap_or(self.price)
    }
}

impl FromWire for Product {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        let prices = prices(wire);
        let sizes: Vec<Size> = wire.list("sizes");
        let has_price = prices.is_ok() || !sizes.is_empty();
        let (price, promo_price) = prices.unwrap_or_default();
        let reward_id = wire.id("reward_id", |id| id);
        let limit = |key| wire.count(key).or(reward_id.map(|_| PROMO_LIMIT));
        let additive_categories = wire.get("additive_categories").raw().as_array();
        Ok(Self {
            id: wire.id("product_id", ProductId).ok_or(Bad("product_id"))?,
            menu_id: wire.id("id", |id| id),
            name: wire.text("product_name").ok_or(Bad("product_name"))?,
            description: wire.text("description"),
            price,
            has_price,
            promo_price,
            percent: promo_price.and_then(|promo| percent(price, promo)),
            reward_id,
            promo_limit: limit("promo_limit"),
            promo_day_limit: limit("promo_day_limit"),
            sizes: Some(sizes).filter(|sizes| !sizes.is_empty()),
            images: wire
                .get("images")
                .elements(|image| image.link("image_url").ok_or(Bad("image_url"))),
            image_color: wire
                .get("images")
                .first()
                .text("color")
                .filter(|color| is_color(color)),
            has_additives: wire.flag("has_additive_categories").unwrap_or_else(|| {
                additive_categories.is_some_and(|categories| !categories.is_empty())
            }),
            cooking_time: wire.count("cooking_time"),
            is_favorite: wire.flag("is_favorite").unwrap_or(false),
            is_unavailable: wire.flag("is_unavailable").unwrap_or(false),
            weight: wire.text("weight"),
            min_age: wire.count("min_age"),
            barcode: wire.text("barcode"),
            is_meatless: wire.flag("is_meatless").unwrap_or(false),
        })
    }
}

impl FromWire for Size {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        let (price, promo_price) = prices(wire)?;
        Ok(Self {
            id: wire.id("id", SizeId).ok_or(Bad("size id"))?,
            name: wire.text("name").unwrap_or_default(),
            price,
            promo_price,
            is_unavailable: wire.flag("is_unavailable").unwrap_or(false),
        })
    }
}

fn is_color(text: &str) -> bool {
    text.len() == 7
        && text
            .strip_prefix('#')
            .is_some_and(|hex| hex.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Regular and promo price. An old price that is 0, equal or lower is no promo (MN-01).
fn prices(wire: Wire<'_>) -> Result<(Sum, Option<Sum>), Bad> {
    let price = wire.price("price").ok_or(Bad("price"))?;
    Ok(match wire.price("old_price") {
        Some(old) if old > price => (old, Some(price)),
        _ => (price, None),
    })
}

/// The discount as a negative whole percent, floored as all our rounding is; a promo under one percent has no badge.
fn percent(price: Sum, promo: Sum) -> Option<i32> {
    let off = (i128::from(price.0) - i128::from(promo.0)) * 100 / i128::from(price.0).max(1);
    i32::try_from(off)
        .ok()
        .filter(|off| *off > 0)
        .map(|off| -off)
}

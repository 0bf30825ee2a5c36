//! What one item of an order costs here and now, and why it may not be had.
//! Nothing is taken from the caller but what was chosen.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::app::App;
use crate::catalogue::Place;
use crate::model::{Additive, AdditiveGroup, Product, Size};
use crate::money;
use crate::refusal::Refusal;

/// The greatest count of one item.
pub(crate) const MOST: i64 = 99;
/// The greatest number of items in one call.
const MOST_ITEMS: usize = 200;
const LONGEST_COMMENT: usize = 500;

/// ITEM
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Item {
    pub(crate) product_id: i64,
    #[serde(default)]
    pub(crate) size_id: Option<i64>,
    pub(crate) count: i64,
    /// What the caller believes one piece costs.
    #[serde(default)]
    pub(crate) price: Option<f64>,
    #[serde(default)]
    pub(crate) additives: Option<Vec<Chosen>>,
    #[serde(default)]
    pub(crate) comment: Option<String>,
    /// The guest has it already, so that it is not sold out.
    #[serde(skip)]
    pub(crate) in_hand: bool,
}

/// An additive that was chosen.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Chosen {
    pub(crate) id: i64,
    #[serde(default = "one")]
    pub(crate) count: i64,
}

/// An item with its price.
pub(crate) struct Quote<'a> {
    pub(crate) product: &'a Product,
    pub(crate) size: Option<&'a Size>,
    pub(crate) additives: Vec<(&'a Additive, i64)>,
    pub(crate) count: i64,
    /// One piece with size and additives, hundredths.
    pub(crate) price: i64,
    /// One piece without its promo; the price itself without a promo.
    pub(crate) regular: i64,
    /// How many pieces cost the price; the rest cost the regular one (MN-14).
    pub(crate) promo_count: i64,
    pub(crate) comment: String,
}

/// Why an item cannot be had.
pub(crate) enum Trouble {
    /// Not sold here, or sold out.
    Unavailable,
    /// The chosen options do not fit the product.
    Options(Value),
}

impl Item {
    /// Refuses what no honest caller sends.
    pub(crate) fn check(&self) -> Result<(), Refusal> {
        let additives = self.additives.as_deref().unwrap_or(&[]);
        let sensible = |count: i64| (1..=MOST).contains(&count);
        if !sensible(self.count) || !additives.iter().all(|chosen| sensible(chosen.count)) {
            return Err(Refusal::bad(format!("count must be from 1 to {MOST}")));
        }
        if self
            .price
            .is_some_and(|price| price < 0.0 || money::hundredths(price).is_none())
        {
            return Err(Refusal::bad("price must be a sum"));
        }
        if self
            .comment
            .as_ref()
            .is_some_and(|text| text.chars().count() > LONGEST_COMMENT)
        {
            return Err(Refusal::bad("comment is too long"));
        }
        Ok(())
    }

    /// Whether the caller believes in another price.
    pub(crate) fn believes_another(&self, price: i64) -> bool {
        self.price
            .and_then(money::hundredths)
            .is_some_and(|believed| believed != price)
    }

    /// The price of the item in this place.
    pub(crate) fn quote<'a>(&self, app: &App, place: &Place<'a>) -> Result<Quote<'a>, Trouble> {
        let product = place
            .menu
            .product(self.product_id)
            .ok_or(Trouble::Unavailable)?;
        if product.unpriced || !self.in_hand && app.overrides.is_unavailable(place.venue, product) {
            return Err(Trouble::Unavailable);
        }
        let size = self.size(product)?;
        let (base, old) = match size {
            Some(size) => (
                app.overrides.size_price(place.venue, product, size),
                size.old_price,
            ),
            None => (app.overrides.price(place.venue, product), product.old_price),
        };
        let additives = self.chosen(product)?;
        let extra: i64 = additives
            .iter()
            .map(|(additive, count)| additive.price * count)
            .sum();
        Ok(Quote {
            product,
            size,
            additives,
            count: self.count,
            price: base + extra,
            regular: old.map_or(base, |old| old.max(base)) + extra,
            promo_count: self.count,
            comment: self.comment.clone().unwrap_or_default(),
        })
    }

    fn size<'a>(&self, product: &'a Product) -> Result<Option<&'a Size>, Trouble> {
        let Some(id) = self.size_id else {
            return if product.sizes.is_empty() {
                Ok(None)
            } else {
                Err(Trouble::Options(json!({"reason": "size_required"})))
            };
        };
        let size = product.sizes.iter().find(|size| size.id == id);
        let size =
            size.ok_or_else(|| Trouble::Options(json!({"reason": "size_unknown", "size_id": id})))?;
        if size.is_unavailable && !self.in_hand {
            Err(Trouble::Unavailable)
        } else {
            Ok(Some(size))
        }
    }

    fn chosen<'a>(&self, product: &'a Product) -> Result<Vec<(&'a Additive, i64)>, Trouble> {
        let chosen = self.additives.as_deref().unwrap_or(&[]);
        let known = |id: i64| {
            product
                .additive_groups
                .iter()
                .any(|group| group.additive(id).is_some())
        };
        if let Some(unknown) = chosen.iter().find(|chosen| !known(chosen.id)) {
            return Err(Trouble::Options(
                json!({"reason": "additive_unknown", "additive_id": unknown.id}),
            ));
        }
        let mut all = Vec::new();
        for group in &product.additive_groups {
            all.extend(group.chosen(chosen)?);
        }
        Ok(all)
    }
}

impl Quote<'_> {
    pub(crate) fn sum(&self) -> i64 {
        self.price * self.promo_count + self.regular * (self.count - self.promo_count)
    }
}

impl AdditiveGroup {
    fn additive(&self, id: i64) -> Option<&Additive> {
        self.additives.iter().find(|additive| additive.id == id)
    }

    /// What was chosen of this group, within its minimum and maximum.
    fn chosen(&self, chosen: &[Chosen]) -> Result<Vec<(&Additive, i64)>, Trouble> {
        let mut mine: Vec<(&Additive, i64)> = Vec::new();
        for one in chosen {
            let Some(additive) = self.additive(one.id) else {
                continue;
            };
            if additive.is_unavailable {
                return Err(Trouble::Unavailable);
            }
            match mine.iter_mut().find(|(other, _)| other.id == one.id) {
                Some((_, count)) => *count += one.count,
                None => mine.push((additive, one.count)),
            }
        }
        if let Some((additive, _)) = mine
            .iter()
            .find(|(additive, count)| *count > additive.max_count.max(1))
        {
            return Err(self.trouble("additive_max", additive.max_count.max(1)));
        }
        let total: i64 = mine.iter().map(|(_, count)| count).sum();
        let min = self.min.unwrap_or(0);
        match self.max {
            _ if total < min => Err(self.trouble("min", min)),
            Some(max) if total > max => Err(self.trouble("max", max)),
            _ => Ok(mine),
        }
    }

    fn trouble(&self, reason: &str, limit: i64) -> Trouble {
        Trouble::Options(json!({"reason": reason, "group_id": self.id, "limit": limit}))
    }
}

/// The slowest dish, and one minute more for every three further pieces.
pub(crate) fn minutes(products: &[(i64, i64)]) -> i64 {
    let slowest = products
        .iter()
        .map(|(minutes, _)| *minutes)
        .max()
        .unwrap_or(0);
    let pieces: i64 = products.iter().map(|(_, count)| count).sum();
    (slowest + (pieces - 1).max(0) / 3).clamp(1, 180)
}

/// Refuses empty and endless lists.
pub(crate) fn few<T>(items: &[T]) -> Result<(), Refusal> {
    match items.len() {
        0 => Err(Refusal::bad("There must be at least one item")),
        1..=MOST_ITEMS => Ok(()),
        _ => Err(Refusal::bad("There are too many items")),
    }
}

fn one() -> i64 {
    1
}

//! What the lines of a cart cost: pieces above a promo's limit cost the regular price (MN-14).

use std::collections::HashMap;

use super::product::product_of;
use crate::{
    state::carts::{Cart, Line},
    upstream::{Menu, SizeId},
    values::Sum,
};

/// The venue's day: promo limits count by it.
#[must_use]
pub fn day(now: i64, utc_offset: i32) -> i64 {
    (now + i64::from(utc_offset) * 60_000).div_euclid(24 * 3600 * 1000)
}

/// What one line costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Priced {
    /// All its pieces.
    pub sum: Sum,
    /// Pieces above the promo's limit.
    pub regular: u32,
    /// What one of them costs.
    pub regular_price: Sum,
    /// Pieces that used up the promo's limit.
    pub promo: u32,
}

/// Prices the lines in their order, each with its price of now. `split` is the upstream's own word on a promo's limit
/// (pieces for the promo price, price of the others); without it the menu and what this cart has ordered today tell. `None` as a price leaves a line out: it can't be had,
/// so it uses up no promo either. Without a menu no limit is known; the upstream has the last word then.
#[must_use]
pub fn priced(
    cart: &Cart,
    prices: &[Option<Sum>],
    split: &[Option<(u32, Sum)>],
    menu: Option<&Menu>,
    day: i64,
) -> Vec<Priced> {
    let mut left: HashMap<u64, u32> = HashMap::new();
    cart.lines
        .iter()
        .zip(prices)
        .enumerate()
        .map(|(place, (line, price))| {
            let plain = Priced {
                sum: Sum(price
                    .unwrap_or(line.price)
                    .0
                    .saturating_mul(i64::from(line.quantity))),
                regular: 0,
                regular_price: price.unwrap_or(line.price),
                promo: 0,
            };
            let (Some(price), Some(promo)) = (price, menu.and_then(|menu| Promo::of(line, menu)))
            else {
                return plain;
            };
            let left = left.entry(line.product_id).or_insert_with(|| {
                let taken = cart.taken(day, cart.venue_id.unwrap_or_default(), line.product_id);
                promo.limit.min(promo.day_limit.saturating_sub(taken))
            });
            let quoted = split.get(place).copied().flatten();
            let for_promo = line
                .quantity
                .min(quoted.map_or(*left, |(pieces, _)| pieces));
            *left = left.saturating_sub(for_promo);
            let regular = line.quantity - for_promo;
            let regular_price =
                quoted.map_or(Sum(price.0.saturating_add(promo.off.0)), |(_, price)| price);
            Priced {
                sum: Sum(price
                    .0
                    .saturating_mul(i64::from(for_promo))
                    .saturating_add(regular_price.0.saturating_mul(i64::from(regular)))),
                regular,
                regular_price,
                promo: for_promo,
            }
        })
        .collect()
}

/// A promo with a limit, as it concerns one line.
struct Promo {
    /// What it takes off one piece.
    off: Sum,
    limit: u32,
    day_limit: u32,
}

impl Promo {
    fn of(line: &Line, menu: &Menu) -> Option<Self> {
        let product = product_of(line, menu)?;
        let (regular, current) = match line.size_id {
            Some(size) => {
                let size = product.size(SizeId(size))?;
                (size.price, size.current_price())
            }
            None => (product.price, product.current_price()),
        };
        let off = Sum(regular.0 - current.0);
        (off.0 > 0 && product.reward_id.is_some()).then(|| Self {
            off,
            limit: product.promo_limit.unwrap_or(u32::MAX),
            day_limit: product.promo_day_limit.unwrap_or(u32::MAX),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::day;

    #[test]
    fn the_day_changes_at_the_venues_midnight() {
        let evening = 1_795_287_600_000 - 1; // 2026-11-21T19:00:00Z less a moment: almost midnight at +05:00
        assert_eq!(day(evening + 1, 300), day(evening, 300) + 1);
        assert_eq!(day(evening + 1, 0), day(evening, 0));
        assert_eq!(day(-1, 0), -1);
    }
}

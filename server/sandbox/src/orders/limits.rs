//! The limits of promos: pieces above `promo_limit` in one order or above
//! `promo_day_limit` in a day of the venue cost the regular price (MN-14).

use std::collections::HashMap;

use rusqlite::{Connection, params};

use super::quote::Quote;
use crate::catalogue::Place;
use crate::hours::offset_minutes;
use crate::model::Product;
use crate::refusal::Refusal;

const DAY: i64 = 24 * 60 * 60 * 1000;

/// Who buys: the person, else the device.
#[derive(Clone, Debug)]
pub(crate) struct Buyer {
    pub(crate) user: Option<i64>,
    pub(crate) fingerprint: Option<String>,
}

/// Pieces at the promo price that this buyer has had today, by product.
pub(crate) type Used = HashMap<i64, i64>;

/// Splits the pieces of each position. What of a product is in several positions counts together.
pub(crate) fn split<'a, 'b: 'a>(quotes: impl Iterator<Item = &'a mut Quote<'b>>, used: &Used) {
    let mut taken: Used = HashMap::new();
    for quote in quotes.filter(|quote| quote.regular > quote.price) {
        let product = quote.product;
        let before = taken.entry(product.id).or_default();
        let today = used.get(&product.id).copied().unwrap_or(0);
        let left = limit(product, product.promo_limit) - *before;
        let left_today = limit(product, product.promo_day_limit) - today - *before;
        quote.promo_count = quote.count.min(left.min(left_today).max(0));
        *before += quote.promo_count;
    }
}

/// A limit exists only together with a reward.
fn limit(product: &Product, limit: Option<i64>) -> i64 {
    limit
        .filter(|_| product.reward_id.is_some())
        .unwrap_or(i64::MAX / 4)
}

/// What the buyer has had since the midnight of the venue; canceled orders give it back.
pub(crate) fn used(
    db: &Connection,
    place: &Place<'_>,
    buyer: &Buyer,
    products: &[i64],
    now: i64,
) -> Result<Used, Refusal> {
    let since = midnight(now, offset_minutes(&place.country.meta.utc_offset));
    let mut statement = db.prepare_cached(
        "SELECT COALESCE(SUM(l.promo_count), 0) FROM orders o JOIN order_lines l ON l.order_seq = o.seq
         WHERE l.product_id = ?1 AND l.regular > l.price AND o.venue_id = ?2 AND o.created_at >= ?3
           AND (o.user_id = ?4 OR ?4 IS NULL AND o.fingerprint = ?5)
           AND NOT EXISTS (SELECT 1 FROM order_statuses s WHERE s.order_seq = o.seq AND s.status = 'canceled')",
    )?;
    let mut used = HashMap::new();
    for id in products {
        let limited = place.menu.product(*id).is_some_and(|product| {
            product.reward_id.is_some() && product.promo_day_limit.is_some()
        });
        if limited && !used.contains_key(id) {
            let values = params![id, place.venue.id, since, buyer.user, buyer.fingerprint];
            used.insert(*id, statement.query_row(values, |row| row.get(0))?);
        }
    }
    Ok(used)
}

/// The last midnight of the venue, milliseconds since the epoch.
fn midnight(now: i64, offset: i64) -> i64 {
    let shift = offset * 60_000;
    (now + shift).div_euclid(DAY) * DAY - shift
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::parse_iso;

    #[test]
    fn the_day_begins_at_the_midnight_of_the_venue() {
        let at = |text: &str| parse_iso(text).unwrap_or_default();
        let begins = at("2026-11-21T00:00:00+05:00");
        assert_eq!(midnight(at("2026-11-20T19:00:00Z"), 300), begins);
        assert_eq!(midnight(at("2026-11-21T18:59:59Z"), 300), begins);
        assert_eq!(midnight(at("2026-11-20T18:59:59Z"), 300), begins - DAY);
    }
}

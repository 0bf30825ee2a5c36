//! What the controls changed: prices, stock, opening, check pulling. Kept in
//! memory for the calls and in the database for the next start.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use rusqlite::{Transaction, params};

use crate::model::{Product, Size, Venue};
use crate::refusal::Refusal;

/// One change of a control; it holds for the whole venue, not for one service.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Change {
    Price {
        venue: i64,
        product: i64,
        price: i64,
    },
    Stock {
        venue: i64,
        product: i64,
        available: bool,
    },
    Closed {
        venue: i64,
        closed: bool,
    },
    CheckPulling {
        venue: i64,
        enabled: bool,
    },
}

/// The changes in force.
#[derive(Default)]
pub(crate) struct Overrides {
    inner: RwLock<Maps>,
}

#[derive(Default)]
struct Maps {
    prices: HashMap<(i64, i64), i64>,
    stock: HashMap<(i64, i64), bool>,
    closed: HashMap<i64, bool>,
    check_pulling: HashMap<i64, bool>,
}

impl Overrides {
    pub(crate) fn load(transaction: &Transaction<'_>) -> Result<Overrides, Refusal> {
        let mut maps = Maps::default();
        let mut products = transaction
            .prepare("SELECT venue_id, product_id, price, available FROM product_overrides")?;
        let mut rows = products.query([])?;
        while let Some(row) = rows.next()? {
            let key = (row.get(0)?, row.get(1)?);
            maps.prices
                .extend(row.get::<_, Option<i64>>(2)?.map(|price| (key, price)));
            maps.stock.extend(
                row.get::<_, Option<bool>>(3)?
                    .map(|available| (key, available)),
            );
        }
        let mut venues =
            transaction.prepare("SELECT venue_id, closed, check_pulling FROM venue_overrides")?;
        let mut rows = venues.query([])?;
        while let Some(row) = rows.next()? {
            let key = row.get(0)?;
            maps.closed
                .extend(row.get::<_, Option<bool>>(1)?.map(|closed| (key, closed)));
            maps.check_pulling
                .extend(row.get::<_, Option<bool>>(2)?.map(|enabled| (key, enabled)));
        }
        Ok(Overrides {
            inner: RwLock::new(maps),
        })
    }

    /// The memory follows after the database has committed.
    pub(crate) fn apply(&self, change: Change) {
        let mut maps = self.inner.write().unwrap_or_else(PoisonError::into_inner);
        match change {
            Change::Price {
                venue,
                product,
                price,
            } => {
                maps.prices.insert((venue, product), price);
            }
            Change::Stock {
                venue,
                product,
                available,
            } => {
                maps.stock.insert((venue, product), available);
            }
            Change::Closed { venue, closed } => {
                maps.closed.insert(venue, closed);
            }
            Change::CheckPulling { venue, enabled } => {
                maps.check_pulling.insert(venue, enabled);
            }
        }
    }

    pub(crate) fn clear(&self) {
        *self.inner.write().unwrap_or_else(PoisonError::into_inner) = Maps::default();
    }

    /// What the product costs now, hundredths.
    pub(crate) fn price(&self, venue: &Venue, product: &Product) -> i64 {
        let maps = self.inner.read().unwrap_or_else(PoisonError::into_inner);
        maps.prices
            .get(&(venue.id, product.id))
            .copied()
            .unwrap_or(product.price)
    }

    /// A changed price moves the sizes by the same amount.
    pub(crate) fn size_price(&self, venue: &Venue, product: &Product, size: &Size) -> i64 {
        (size.price + self.price(venue, product) - product.price).max(0)
    }

    pub(crate) fn is_unavailable(&self, venue: &Venue, product: &Product) -> bool {
        if product.unpriced {
            return true;
        }
        let maps = self.inner.read().unwrap_or_else(PoisonError::into_inner);
        let changed = maps
            .stock
            .get(&(venue.id, product.id))
            .map(|available| !available);
        changed.unwrap_or(product.is_unavailable)
    }

    pub(crate) fn is_closed(&self, venue: &Venue) -> bool {
        let maps = self.inner.read().unwrap_or_else(PoisonError::into_inner);
        maps.closed.get(&venue.id).copied().unwrap_or(venue.closed)
    }

    pub(crate) fn check_pulling(&self, venue: &Venue) -> bool {
        let maps = self.inner.read().unwrap_or_else(PoisonError::into_inner);
        maps.check_pulling
            .get(&venue.id)
            .copied()
            .unwrap_or(venue.check_pulling)
    }
}

/// Writes one change down.
pub(crate) fn save(transaction: &Transaction<'_>, change: Change) -> Result<(), Refusal> {
    match change {
        Change::Price { venue, product, price } => transaction
            .prepare_cached(
                "INSERT INTO product_overrides (venue_id, product_id, price) VALUES (?1, ?2, ?3)
                 ON CONFLICT DO UPDATE SET price = excluded.price",
            )?
            .execute(params![venue, product, price])?,
        Change::Stock { venue, product, available } => transaction
            .prepare_cached(
                "INSERT INTO product_overrides (venue_id, product_id, available) VALUES (?1, ?2, ?3)
                 ON CONFLICT DO UPDATE SET available = excluded.available",
            )?
            .execute(params![venue, product, available])?,
        Change::Closed { venue, closed } => transaction
            .prepare_cached(
                "INSERT INTO venue_overrides (venue_id, closed) VALUES (?1, ?2)
                 ON CONFLICT DO UPDATE SET closed = excluded.closed",
            )?
            .execute(params![venue, closed])?,
        Change::CheckPulling { venue, enabled } => transaction
            .prepare_cached(
                "INSERT INTO venue_overrides (venue_id, check_pulling) VALUES (?1, ?2)
                 ON CONFLICT DO UPDATE SET check_pulling = excluded.check_pulling",
            )?
            .execute(params![venue, enabled])?,
    };
    Ok(())
}

//! One look at a venue.

use std::{
    collections::{BTreeMap, HashSet, VecDeque},
    hash::{DefaultHasher, Hash as _, Hasher as _},
    sync::Arc,
};

use super::LiveMenu;
use crate::{
    features::{
        mapping,
        page_data::{LiveProduct, OpenState},
        stock::Stock,
    },
    upstream::Menu,
};

/// Changes that a page may have missed and still be told one by one; after more of them it gets everything.
const REMEMBERED: usize = 32;

/// The state of a venue, and how it came to it.
#[derive(Debug)]
pub(super) struct Reading {
    pub rev: u64,
    pub shape: u64,
    pub open: OpenState,
    pub bill: bool,
    pub products: BTreeMap<u64, LiveProduct>,
    pub stock: Stock,
    /// States before this one, the oldest first, each with the products that changed after it.
    before: VecDeque<(u64, Arc<[u64]>)>,
}

/// The name of the prices and the stock of a menu.
#[must_use]
pub fn rev_of(menu: &Menu, stock: &Stock) -> String {
    name(rev(&products(menu, stock), shape(menu)))
}

pub(super) fn name(hash: u64) -> String {
    format!("{hash:016x}")
}

fn products(menu: &Menu, stock: &Stock) -> BTreeMap<u64, LiveProduct> {
    menu.shown()
        .map(|product| (product.id.0, mapping::standing(product, stock)))
        .collect()
}

fn rev(products: &BTreeMap<u64, LiveProduct>, shape: u64) -> u64 {
    let mut hasher = DefaultHasher::new();
    shape.hash(&mut hasher);
    products.hash(&mut hasher);
    hasher.finish()
}

/// Which products stand where. Names are left out: they differ by language.
fn shape(menu: &Menu) -> u64 {
    let mut hasher = DefaultHasher::new();
    for category in menu.categories.iter().filter(|category| category.is_active) {
        (category.id.0, category.is_show_photo).hash(&mut hasher);
        for product in &category.products {
            product.id.hash(&mut hasher);
        }
    }
    hasher.finish()
}

impl Reading {
    /// The state by these answers, after an earlier one.
    pub fn after(
        last: Option<&Self>,
        menu: &Menu,
        stock: Stock,
        open: OpenState,
        bill: bool,
    ) -> Self {
        let (products, shape) = (products(menu, &stock), shape(menu));
        let rev = rev(&products, shape);
        let before = last.map_or_else(VecDeque::new, |last| {
            let mut before = last.before.clone();
            if last.rev != rev {
                before.push_back((last.rev, last.changed_to(&products)));
                before.drain(..before.len().saturating_sub(REMEMBERED));
            }
            before
        });
        Self {
            rev,
            shape,
            open,
            bill,
            products,
            stock,
            before,
        }
    }

    fn changed_to(&self, next: &BTreeMap<u64, LiveProduct>) -> Arc<[u64]> {
        next.iter()
            .filter(|(id, product)| self.products.get(id) != Some(product))
            .map(|(id, _)| *id)
            .collect()
    }

    /// Whether pages see any difference.
    pub fn shows_as(&self, other: &Self) -> bool {
        self.rev == other.rev && self.open == other.open && self.bill == other.bill
    }

    /// What a page at state `since` has to be told, of some products alone if it asks for them.
    pub fn event(&self, since: Option<u64>, only: Option<&HashSet<u64>>) -> LiveMenu {
        let wanted = |id: &u64| only.is_none_or(|only| only.contains(id));
        let changed = since.and_then(|since| self.changed_since(since));
        let products = match &changed {
            Some(changed) => changed
                .iter()
                .filter(|id| wanted(id))
                .filter_map(|id| self.products.get(id).copied())
                .collect(),
            None => self
                .products
                .values()
                .filter(|product| wanted(&product.id))
                .copied()
                .collect(),
        };
        LiveMenu {
            rev: name(self.rev),
            shape: name(self.shape),
            open: self.open.clone(),
            bill: self.bill,
            full: changed.is_none(),
            products,
        }
    }

    /// The products that changed since a state that is still remembered.
    fn changed_since(&self, since: u64) -> Option<HashSet<u64>> {
        if since == self.rev {
            return Some(HashSet::new());
        }
        // The last time that it was so: states come back when a dish is sold out and returns.
        let place = self.before.iter().rposition(|(rev, _)| *rev == since)?;
        Some(
            self.before
                .iter()
                .skip(place)
                .flat_map(|(_, changed)| changed.iter().copied())
                .collect(),
        )
    }
}

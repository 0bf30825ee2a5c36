//! Orders, tables and bills that the upstream has told of within a day: whatever names one of them is not made up.

use std::time::Duration;

use super::{BillId, OrderId, TableId, Upstream, VenueId};

const LASTS: Duration = Duration::from_hours(24);
const AT_MOST: u64 = 20_000;

/// What was found, by what its address says of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Thing {
    Order(OrderId),
    Table(VenueId, TableId),
    Preorder(BillId),
}

pub(super) type Found = moka::sync::Cache<Thing, ()>;

/// Nothing yet.
pub(super) fn nothing() -> Found {
    Found::builder()
        .max_capacity(AT_MOST)
        .time_to_live(LASTS)
        .build()
}

impl Upstream {
    pub(super) fn note_found(&self, thing: Thing) {
        self.inner.found.insert(thing, ());
    }

    /// Whether the upstream has told of this order.
    #[must_use]
    pub fn has_found_order(&self, id: &OrderId) -> bool {
        self.has_found(&Thing::Order(id.clone()))
    }

    /// Whether it has told of this table, or of a bill there.
    #[must_use]
    pub fn has_found_table(&self, venue: VenueId, table: &TableId) -> bool {
        self.has_found(&Thing::Table(venue, table.clone()))
    }

    /// Whether it has told of the bill of this preorder.
    #[must_use]
    pub fn has_found_preorder(&self, id: &BillId) -> bool {
        self.has_found(&Thing::Preorder(id.clone()))
    }

    fn has_found(&self, thing: &Thing) -> bool {
        self.inner.found.contains_key(thing)
    }
}

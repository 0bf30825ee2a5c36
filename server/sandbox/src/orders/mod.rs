//! Orders: what an item costs, how one is placed, how it moves on.

pub(crate) mod place;
pub(crate) mod quote;
pub(crate) mod record;
pub(crate) mod timeline;

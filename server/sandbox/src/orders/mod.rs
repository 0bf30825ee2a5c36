//! Orders: what an item costs, how one is placed, how it moves on.

pub(crate) mod cancel;
pub(crate) mod draft;
pub(crate) mod kind;
pub(crate) mod limits;
pub(crate) mod paying;
pub(crate) mod place;
pub(crate) mod promo;
pub(crate) mod quote;
pub(crate) mod record;
pub(crate) mod rules;
pub(crate) mod timeline;

//! The menu of a venue and the item sheet over it (MN, AT).

mod data;

pub use data::*;

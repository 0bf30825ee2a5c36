//! The menu of a venue and the item sheet over it (MN, AT).

mod data;
mod item;
mod load;
mod table;

pub use data::*;
pub(super) use load::banner_of;
pub use load::{load, service};

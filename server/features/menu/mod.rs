//! The menu of a venue and the sheet of a dish over it (MN, AT).

pub mod address;
mod around;
mod data;
mod dish;
mod load;
mod offers;
mod sections;
mod shown;
mod table;

pub use data::*;
pub use load::{PAGE, load};
pub use shown::{Categories, Menus};
pub(super) use table::pays_by_bill;

//! Orders: placing one exactly once, its page, its live status (OR, R-01).

mod attempt;
pub mod checking;
mod data;
pub mod live;
mod load;
pub mod pay;
mod place;

pub use attempt::resolve_open_attempts;
pub use data::*;
pub use load::{PAGE, load};
pub use place::place;

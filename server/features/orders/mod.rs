//! Orders: placing one exactly once, its page, its live status (OR, R-01).

mod attempt;
mod checking;
mod data;
pub mod live;
mod load;
mod place;

pub use attempt::resolve_open_attempts;
pub use checking::load as load_checking;
pub use data::*;
pub use load::load;
pub use place::place;

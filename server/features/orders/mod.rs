//! Orders: placing one exactly once, its pages, its live status, the list, what a guest does with one (OR, R-01).

mod act;
mod attempt;
mod bringing;
pub mod checking;
mod data;
mod list;
pub mod live;
mod load;
mod page;
pub mod pay;
mod pay_token;
mod place;
mod prepare;
mod reader;
mod resolving;
mod status;
mod times;
mod view;

pub use act::{cancel, grade};
pub use data::*;
pub use list::{LIST, is_over, load as load_list, of_account, placed_here, under_way};
pub use load::{INFO, PAGE, THANKS, load, load_own};
pub use place::place;
pub use resolving::resolve_open_attempts;
pub use times::{Placed, placed};

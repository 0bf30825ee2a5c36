//! The cart: its view on every page, its own page, and its form posts (CT).

mod add;
mod change;
mod data;
mod load;
pub mod view;

pub use add::add;
pub use change::{change, clear, repair, replay};
pub use data::*;
pub use load::{load, order_item, payments, service_sum, table_of, totals, verdicts};
pub use view::Verdict;

//! The cart as it is now: what is kept of it, beside the menu of now, and what became of an order that was being paid.

mod product;
mod saved;
mod sums;
mod typed;
pub mod unpaid;
mod view;

pub use product::{name_of, product_of};
pub use saved::{contents, is_saved, saved, saved_here};
pub use sums::{Priced, day, priced};
pub use typed::{Typed, choose_way, keep_typed};
pub(in crate::features) use typed::{forget_typed, typed_at};
pub use view::*;

//! What the cart costs as an order, which order it makes, and what is in its way.

mod check;
mod data;
mod delivery;
mod kind;
mod quote;
mod typed;

pub use check::*;
pub use data::*;
pub use delivery::{CartDelivery, DeliveryStep, DeliveryTariff, NextStep};
pub use kind::*;
pub use quote::Quote;
pub use typed::{Typed, keep_typed};
pub(in crate::features) use typed::{forget_typed, typed_at};

/// What is wrong with an order is told where its button stands, and a page without scripts opens there.
pub const ORDER_BUTTON: &str = "/cart#order";

//! What the cart costs as an order, which order it makes, and what is in its way.

mod check;
mod data;
mod delivery;
mod door_time;
mod kind;
mod quote;

pub use check::*;
pub use data::*;
pub use delivery::{CartDelivery, DeliveryStep, DeliveryTariff, NextStep};
pub use door_time::DoorTime;
pub use kind::*;
pub use quote::{Quote, floor_to};

/// What is wrong with an order is told where its button stands, and a page without scripts opens there.
pub const ORDER_BUTTON: &str = "/cart#order";

//! The cart: its view on every page, its own page, and its form posts (CT).

mod add;
mod change;
mod choice;
mod data;
mod delivery;
mod discounts;
mod kind;
mod load;
mod quote;
mod repeat;
mod sums;
mod table;
pub mod unpaid;
pub mod view;

pub use add::add;
pub use change::{change, change_service, clear, edit, follow_service, repair, replay, undo};
pub(in crate::features) use choice::siblings;
pub use data::*;
pub use delivery::{CartDelivery, CourierKind, DeliveryStep, DeliveryTariff, NextStep};
pub use discounts::{set_bonus, set_promo};
pub use kind::{accept_far, kind_blocks, kind_of, payments, table_of};
pub use load::{PAGE, check, load, order_item, service_sum};
pub use quote::Quote;
pub(in crate::features) use repeat::card as repeat_card;
pub use repeat::repeat;
pub use sums::{Priced, day, priced};
pub use table::type_table;
pub use view::Verdict;

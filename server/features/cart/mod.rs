//! The cart: its view on every page, its own page, and its form posts (CT).

mod add;
mod change;
mod choice;
mod data;
mod discounts;
mod far;
mod load;
mod repeat;
mod table;

pub use add::add;
pub use change::{change, change_service, clear, edit, follow_service, repair, replay, undo};
pub use data::*;
pub use discounts::{entered, set_bonus, set_promo};
pub use far::accept_far;
pub use load::load;
pub(in crate::features) use repeat::card as repeat_card;
pub use repeat::repeat;
pub use table::type_table;

use crate::web::page::{OnService, Page};

/// `/cart`; the handlers of dishes ask for its address, too.
pub const PAGE: Page = Page::builder("cart", "/cart")
    .balance()
    .of_orders()
    .on_service(OnService::Cart)
    .open();

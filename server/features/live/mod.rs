//! Live truth of a menu: prices, stock, opening and the bill of a venue as open pages learn of them within two seconds
//! (beyond.md, 9). One reader per venue asks the upstream, however many pages look; it stops with the last of them.

mod data;
mod events;
mod reading;
mod venues;

pub use data::LiveMenu;
pub use events::events;
pub use reading::rev_of;
pub use venues::Venues;

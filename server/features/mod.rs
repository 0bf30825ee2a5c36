//! The parts of the product: page data, loaders and form handlers, side by side.

pub mod cart;
pub mod home;
pub mod mapping;
pub mod menu;
pub mod orders;
pub mod page;
pub mod place;
pub mod preferences;
pub mod schedule;
pub mod shell;
pub mod venues;

//! The cart: its view on every page, its own page, and its form posts (CT).

mod data;

pub use data::*;

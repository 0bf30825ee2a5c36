//! Orders: placing one exactly once, its page, its live status (OR, R-01).

mod data;

pub use data::*;

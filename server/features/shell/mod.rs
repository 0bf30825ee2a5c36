//! What every page gets beside its own data.

mod build;
mod data;

pub use build::shell;
pub use data::*;

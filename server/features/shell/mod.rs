//! What every page gets beside its own data.

mod build;
mod data;
mod layout;

pub use build::shell;
pub use data::*;
pub use layout::{Frame, Layout};

//! What the pages of several features show: their data alone, nothing that reads it.

mod cart;
mod contact;
mod order;
mod payment;
mod product;
mod venue;

pub use cart::*;
pub use contact::*;
pub use order::*;
pub use payment::*;
pub use product::*;
pub use venue::*;

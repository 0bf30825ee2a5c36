//! What open pages are told.

use serde::Serialize;

use crate::features::page_data::{LiveProduct, OpenState};

/// One event of a venue, the first of them too: what differs from the state that the page has named.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LiveMenu {
    /// Names this state.
    pub rev: String,
    /// Names which products stand on the menu: with another one the page has to be loaded anew.
    pub shape: String,
    /// Open state of the venue.
    pub open: OpenState,
    /// Bills of the venue's tables are pulled from the till.
    pub bill: bool,
    /// `products` are all of the menu: what is not among them is gone.
    pub full: bool,
    /// Those that have changed, or all.
    pub products: Vec<LiveProduct>,
}

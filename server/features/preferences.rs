//! Town, service and table of the visit: pickers and their form posts.

use serde::Serialize;
use ts_rs::TS;

use super::shell::TownRef;

/// Page data of `/town`.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[ts(export_to = "page-data.ts")]
pub struct TownPage {
    /// Towns of the country.
    pub towns: Vec<TownRef>,
    /// The town that the guest is probably in.
    pub detected: Option<TownRef>,
    /// Where to return to.
    pub back: String,
}

//! Home: rails of venues, each loaded and failing on its own (HM-01 to HM-03).

use serde::Serialize;
use ts_rs::TS;

use super::venues::VenueCard;

/// What a rail shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "page-data.ts")]
#[expect(missing_docs, reason = "the names say it")]
pub enum RailKind {
    Promo,
    Recent,
    Near,
    Popular,
    Bakery,
    SemiFinished,
    ReadyMeals,
    Grocery,
}

/// One rail of Home.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[ts(export_to = "page-data.ts")]
pub struct Rail {
    /// What it shows.
    pub kind: RailKind,
    /// Place on the page; rails are shown by it, not by array order (HM-01).
    pub position: u32,
    /// The full list.
    pub href: String,
    /// First venues of the list.
    pub venues: Vec<VenueCard>,
    /// The upstream did not answer: the rail offers a retry.
    pub failed: bool,
}

/// Page data of `/`.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[ts(export_to = "page-data.ts")]
pub struct HomePage {
    /// By position; rails with nothing to show are left out.
    pub rails: Vec<Rail>,
    /// No rail at all could be loaded.
    pub failed: bool,
}

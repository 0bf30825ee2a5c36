//! Venue list, and what a venue looks like in every list.

use serde::Serialize;
use ts_rs::TS;

use super::home::RailKind;
use crate::values::Service;

/// Open state of a venue, worked out from its schedule and the town's offset.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "page-data.ts")]
pub struct OpenState {
    /// Takes orders now.
    pub open: bool,
    /// Around the clock (FL-04).
    pub always: bool,
    /// "HH:MM" of the next change, null when not known.
    pub at: Option<String>,
    /// Days from today until `at`.
    pub in_days: u32,
}

/// One venue in a list.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[ts(export_to = "page-data.ts")]
pub struct VenueCard {
    /// Filial id for the chosen service.
    #[ts(type = "number")]
    pub id: u64,
    /// Its name.
    pub name: String,
    /// Its brand.
    pub brand: String,
    /// Street and building.
    pub address: String,
    /// Metres, null when not known.
    pub distance: Option<u32>,
    /// 1,500 metres or more (HM-09).
    pub far: bool,
    /// 0 to 5.
    pub rating: Option<f64>,
    /// Picture address with `{w}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub image: Option<String>,
    /// Open state at the server's time.
    pub open: OpenState,
    /// Services it offers.
    pub services: Vec<Service>,
    /// It has a promo.
    pub promo: bool,
    /// Minutes that guests usually wait.
    pub minutes: Option<u32>,
}

/// Page data of `/filials`.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "page-data.ts")]
pub struct VenueListPage {
    /// The rail whose full list this is, null for all venues.
    pub category: Option<RailKind>,
    /// Search text, trimmed.
    pub query: String,
    /// Venues of this page.
    pub venues: Vec<VenueCard>,
    /// From 1.
    pub page: u32,
    /// At least 1.
    pub last_page: u32,
    /// Venues on all pages.
    pub total: u32,
    /// The upstream did not answer: the list offers a retry.
    pub failed: bool,
}

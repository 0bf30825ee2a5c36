//! Page data of `/search` and of what completes its text.

use serde::Serialize;
use ts_rs::TS;

use crate::features::{
    menu::Product,
    venues::{OpenState, VenueCard},
};

/// What a tab lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "page-data.ts")]
#[expect(missing_docs, reason = "the names say it")]
pub enum SearchTab {
    Venues,
    Dishes,
    Goods,
}

/// One tab.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "page-data.ts")]
pub struct TabCount {
    /// What it lists.
    pub tab: SearchTab,
    /// How many there are; null when the upstream did not answer.
    pub count: Option<u32>,
}

/// A dish or good with the venue that has it.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[ts(export_to = "page-data.ts")]
pub struct DishHit {
    /// The product.
    pub product: Product,
    /// Filial id of the venue for the chosen service.
    #[ts(type = "number")]
    pub venue: u64,
    /// Its name.
    pub name: String,
    /// Its open state: nothing can be added while it is closed.
    pub open: OpenState,
}

/// Page data of `/search`.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "page-data.ts")]
pub struct SearchPage {
    /// Search text, trimmed; empty: nothing was asked for (SE-04).
    pub query: String,
    /// Only of this brand (SE-10).
    #[ts(type = "number | null")]
    pub brand: Option<u64>,
    /// The spelling whose results are shown, when the query itself found nothing.
    pub shown: Option<String>,
    /// A spelling near the query that finds something.
    pub nearest: Option<String>,
    /// The tab that is open.
    pub tab: SearchTab,
    /// All tabs with their counts.
    pub tabs: Vec<TabCount>,
    /// Venues of this page.
    pub venues: Vec<VenueCard>,
    /// Dishes or goods of this page.
    pub dishes: Vec<DishHit>,
    /// From 1.
    pub page: u32,
    /// At least 1.
    pub last_page: u32,
    /// The open tab's list did not come: the page offers a retry.
    pub failed: bool,
    /// What others like, where there are no results.
    pub popular: Vec<DishHit>,
}

/// A line of the autocomplete list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "page-data.ts")]
pub struct Suggestion {
    /// The whole text.
    pub text: String,
    /// What it names: `brand`, `venue`, `product` or nothing known.
    pub kind: Option<String>,
}

/// What completes the text that is being typed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "page-data.ts")]
pub struct Suggestions {
    /// The text that was asked for: an answer to another one is dropped (SE-11).
    pub query: String,
    /// At most three (SE-07).
    pub items: Vec<Suggestion>,
}

impl SearchTab {
    pub(super) const ALL: [Self; 3] = [Self::Venues, Self::Dishes, Self::Goods];

    pub(super) fn from_slug(slug: &str) -> Option<Self> {
        match slug {
            "venues" => Some(Self::Venues),
            "dishes" => Some(Self::Dishes),
            "goods" => Some(Self::Goods),
            _ => None,
        }
    }
}

//! Page data of `/search` and of what completes its text.

use serde::Serialize;

use super::narrow::SearchFilter;
use crate::features::page_data::{OpenState, Product, ServiceHits, VenueCard};

/// One result: a venue with what of its menu was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FoundVenue {
    /// The venue.
    pub venue: VenueCard,
    /// Its dishes and goods, the best match first; none where only the venue itself is called so.
    pub dishes: Vec<Product>,
    /// So many more of them were found in its menu.
    pub more: u32,
}

/// A dish or good with the venue that has it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DishHit {
    /// The product.
    pub product: Product,
    /// Id of the venue for the chosen service.
    #[cfg_attr(test, ts(type = "number"))]
    pub venue: u64,
    /// Its name.
    pub name: String,
    /// Its open state: nothing can be added while it is closed.
    pub open: OpenState,
}

/// Page data of `/search`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SearchPage {
    /// Search text, trimmed; empty: nothing was asked for (SE-04).
    pub query: String,
    /// Only of this brand (SE-10).
    #[cfg_attr(test, ts(type = "number | null"))]
    pub brand: Option<u64>,
    /// The spelling whose results are shown, when the query itself found nothing.
    pub shown: Option<String>,
    /// A spelling near the query that finds something.
    pub nearest: Option<String>,
    /// Looked for as it is written, whatever may be meant.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, type = "true"))]
    pub exact: bool,
    /// Nothing is called so, and what may be meant was not looked for: too many texts have found nothing. It can be tried
    /// again in a minute.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, type = "true"))]
    pub throttled: bool,
    /// What the results can be narrowed down by, and are.
    pub filters: Vec<SearchFilter>,
    /// Results of this page and of those before it, each venue once: open ones first, and of these those with dishes.
    pub found: Vec<FoundVenue>,
    /// Place of the first one that the page adds.
    pub added: u32,
    /// Dishes, goods and venues that were found; on all pages together those that are shown and those of `more`, unless there
    /// is a rest.
    pub total: u32,
    /// From 1.
    pub page: u32,
    /// At least 1.
    pub last_page: u32,
    /// The list ends here, and there are more matches: what was typed says too little.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, type = "true"))]
    pub rest: bool,
    /// There is nothing, and a part that could have something did not answer: the page offers a retry.
    pub failed: bool,
    /// A part did not answer, the other one is shown.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, type = "true"))]
    pub partial: bool,
    /// The other services that find it, where the chosen one finds nothing.
    pub others: Vec<ServiceHits>,
    /// What others like, where there are no results.
    pub popular: Vec<DishHit>,
}

/// A line of the autocomplete list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Suggestion {
    /// The whole text.
    pub text: String,
    /// What it names: `brand`, `venue`, `product` or nothing known.
    pub kind: Option<String>,
}

/// What completes the text that is being typed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Suggestions {
    /// The text that was asked for: an answer to another one is dropped (SE-11).
    pub query: String,
    /// At most three (SE-07).
    pub items: Vec<Suggestion>,
}

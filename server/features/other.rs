//! Pages in the place of one that is missing, failed or needs a sign-in.

use serde::Serialize;

use super::{
    loaded::PageRequest,
    orders::{LIST, PlacedOrder, live::Watchers, placed_here},
};
use crate::web::page::Page;

/// What stands at a page for signed-in guests for those who are not (RT-06).
pub const GATE: &Page = &Page::builder("signInNeeded", "").open();

/// Offers the sign-in that a page asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SignInNeededPage {
    /// The id of that page.
    pub page: String,
    /// The venue in the path, for a link back to its menu.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub venue_id: Option<u64>,
    /// On the page of orders: those of this session, the newest first.
    pub orders: Vec<PlacedOrder>,
}

impl SignInNeededPage {
    /// What the page of a request offers to guests who are not signed in.
    pub async fn of(watchers: &Watchers, request: &PageRequest) -> Self {
        let matched = request.matched();
        Self {
            page: matched.page.id.to_owned(),
            venue_id: matched.param("filial_id").parse().ok(),
            orders: match matched.page.is(&LIST) {
                true => placed_here(watchers, &request.visit, &request.place).await,
                false => Vec::new(),
            },
        }
    }
}

impl NotFoundPage {
    /// What is missing at an address.
    #[must_use]
    pub fn at(path: &str, what: &str) -> Self {
        let venue = path
            .strip_prefix("/filials/")
            .filter(|_| matches!(what, "table" | "dish"));
        Self {
            what: what.to_owned(),
            menu: venue.and_then(|rest| rest.split('/').next()?.parse().ok()),
        }
    }
}

/// What stands at an address that has no page.
pub const NOT_FOUND: &Page = crate::web::page::NOT_FOUND;

/// Not found, with what was looked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NotFoundPage {
    /// `page`, `venue`, `service`, `table`, `order` or `dish`.
    pub what: String,
    /// The venue that is there without such a table or dish: its menu leads on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "number"))]
    pub menu: Option<u64>,
}

/// What kept a page from being made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum ErrorKind {
    /// The upstream or the state store does not answer.
    Unavailable,
    /// More guests than the server can serve now.
    Overloaded,
    /// The request can't be understood.
    BadRequest,
    /// What was sent is larger than it may be.
    TooLarge,
    /// A tablet was set up at a venue that takes no orders from one.
    Tablet,
    /// The front of a tablet was opened where none is set up.
    NoTablet,
    /// The request comes from another site.
    Forbidden,
}

/// A page that says why there is none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ErrorPage {
    /// Which texts to show.
    pub kind: ErrorKind,
    /// To name when asking for help.
    pub request_id: String,
    /// The page may come yet.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, type = "true"))]
    pub again: bool,
}

/// The page of a failure.
pub const ERROR: &Page = &Page::builder("error", "").open();

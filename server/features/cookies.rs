//! `/cookies`: where the first change of a visit leads, to see whether its cookie came back. A browser that keeps no
//! cookies would begin another session with every tap, and its cart would be empty without a word.

use serde::Serialize;
use ts_rs::TS;
use url::form_urlencoded::Serializer;

use super::page::Page;
use crate::web::{load::Loaded, redirect::safe_path, visit::Visit};

/// Page data of `/cookies`: only who brings no cookie sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "page-data.ts")]
pub struct CookiesPage {
    /// The page that the guest came from.
    pub back: String,
}

/// Leads on when the cookie came back; else says that it did not, and what can be done.
#[must_use]
pub fn load(visit: &Visit) -> Loaded {
    let back = safe_path(visit.asked("back").unwrap_or("/"));
    if visit.brings_session() {
        Loaded::Redirect(back)
    } else {
        Loaded::page(Page::Cookies(CookiesPage { back }))
    }
}

/// The address that finds out on the way to another.
#[must_use]
pub fn on_the_way_to(page: &str) -> String {
    let query = Serializer::new(String::new())
        .append_pair("back", page)
        .finish();
    format!("/cookies?{query}")
}

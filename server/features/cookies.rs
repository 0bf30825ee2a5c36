//! `/cookies`: where the first change of a visit leads, to see whether its cookie came back. A browser that keeps no
//! cookies would begin another session with every tap, and its cart would be empty without a word.

use serde::Serialize;
use ts_rs::TS;
use url::form_urlencoded::Serializer;

use super::loaded::{Facts, Loaded, PageRequest};
use crate::{
    error::Error,
    web::{page::Page, redirect::safe_path},
};

/// `/cookies`
pub const PAGE: Page = Page::new("cookies", "/cookies").query(&["back"]);

/// Page data of `/cookies`: only who brings no cookie sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "page-data.ts")]
pub struct CookiesPage {
    /// The page that the guest came from.
    pub back: String,
}

/// Leads on when the cookie came back; else says that it did not, and what can be done.
///
/// # Errors
/// None.
pub async fn load(request: PageRequest) -> Result<Loaded<CookiesPage>, Error> {
    let Facts { visit, .. } = &*request;
    let back = safe_path(visit.asked("back").unwrap_or("/"));
    Ok(if visit.brings_session() {
        Loaded::Redirect(back)
    } else {
        Loaded::page(CookiesPage { back })
    })
}

/// The address that finds out on the way to another.
#[must_use]
pub fn on_the_way_to(page: &str) -> String {
    let query = Serializer::new(String::new())
        .append_pair("back", page)
        .finish();
    format!("/cookies?{query}")
}

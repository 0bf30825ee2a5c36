//! `/language`: the language picker (UI-12). The header's list is the same without a page of its own.

use serde::Serialize;

use super::loaded::{Facts, Loaded, PageRequest};
use crate::{
    error::Error,
    web::{page::Page, redirect::safe_path},
};

/// Page data of `/language`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LanguagePage {
    /// Where a choice leads: the page that the guest came from.
    pub back: String,
}

/// `/language`
pub const PAGE: Page = Page::new("language", "/language").query(&["back"]);

/// Loads `/language`.
pub async fn load(request: PageRequest) -> Result<Loaded<LanguagePage>, Error> {
    let Facts { visit, .. } = &*request;
    Ok(Loaded::page(LanguagePage {
        back: safe_path(visit.asked("back").unwrap_or("/")),
    }))
}

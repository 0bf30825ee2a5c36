//! `/language`: the language picker (UI-12). The header's list is the same without a page of its own.

use serde::Serialize;
use ts_rs::TS;

use super::page::Page;
use crate::web::{load::Loaded, redirect::safe_path, visit::Visit};

/// Page data of `/language`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "page-data.ts")]
pub struct LanguagePage {
    /// Where a choice leads: the page that the guest came from.
    pub back: String,
}

/// Loads `/language`.
#[must_use]
pub fn load(visit: &Visit) -> Loaded {
    Loaded::page(Page::Language(LanguagePage {
        back: safe_path(visit.asked("back").unwrap_or("/")),
    }))
}

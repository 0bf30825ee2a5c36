//! `/faq`: answers about ordering, paying, bonuses (BL-11, 2.15 of the screens).

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::texts::FAQ;
use crate::{
    features::page::Page,
    web::{load::Loaded, visit::Visit},
};

/// One question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "page-data.ts")]
pub struct FaqItem {
    /// Name in addresses: `/faq#name` opens it.
    pub id: String,
    /// The question.
    pub question: String,
    /// Paragraphs of the answer.
    pub answer: Vec<String>,
}

/// Questions of one subject.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export_to = "page-data.ts")]
pub struct FaqGroup {
    /// The subject.
    pub title: String,
    /// Its questions.
    pub items: Vec<FaqItem>,
}

/// Page data of `/faq`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "page-data.ts")]
pub struct FaqPage {
    /// By subject.
    pub groups: Vec<FaqGroup>,
}

/// Loads `/faq`.
#[must_use]
pub fn load(visit: &Visit) -> Loaded {
    Loaded::page(Page::Faq(FaqPage {
        groups: FAQ.of(visit.lang).clone(),
    }))
}

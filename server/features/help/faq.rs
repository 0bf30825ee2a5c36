//! `/faq`: answers about ordering, paying, bonuses (BL-11, 2.15 of the screens).

use serde::{Deserialize, Serialize};

use super::texts::FAQ;
use crate::{
    error::Error,
    features::loaded::{Facts, Loaded, PageRequest},
    web::page::Page,
};

/// One question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FaqItem {
    /// Name in addresses: `/faq#name` opens it.
    pub id: String,
    /// The question.
    pub question: String,
    /// Paragraphs of the answer.
    pub answer: Vec<String>,
}

/// Questions of one subject.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FaqGroup {
    /// The subject.
    pub title: String,
    /// Its questions.
    pub items: Vec<FaqItem>,
}

/// Page data of `/faq`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FaqPage {
    /// By subject.
    pub groups: Vec<FaqGroup>,
}

/// `/faq`
pub const PAGE: Page = Page::builder("faq", "/faq").in_sitemap().shared();

/// Loads `/faq`.
pub async fn load(request: PageRequest) -> Result<Loaded<FaqPage>, Error> {
    let Facts { visit, .. } = &*request;
    Ok(Loaded::page(FaqPage {
        groups: FAQ.of(visit.lang).clone(),
    }))
}

//! `/legal/terms` and `/legal/privacy` (BL-11).

use serde::Serialize;

use super::texts::{Document, LegalSection, PRIVACY, TERMS};
use crate::{
    error::Error,
    features::loaded::{Facts, Loaded, PageRequest},
    web::page::Page,
};

/// Page data of `/legal/{doc}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LegalPage {
    /// `terms` or `privacy`.
    pub doc: String,
    /// Its title.
    pub title: String,
    /// The day of this version, `YYYY-MM-DD`: another text is another version (SC-09).
    pub version: String,
    /// What it is about.
    pub lead: String,
    /// Its sections.
    pub sections: Vec<LegalSection>,
}

/// `/legal/{doc}`
pub const PAGE: Page = Page::builder("legal", "/legal/{doc}")
    .before_consent()
    .shared();

/// Loads `/legal/{doc}`.
///
/// # Errors
/// `NotFound` for a document that there is not.
pub async fn load(request: PageRequest) -> Result<Loaded<LegalPage>, Error> {
    let Facts { visit, .. } = &*request;
    let doc = visit.matched.param("doc");
    let texts = match doc {
        "terms" => &TERMS,
        "privacy" => &PRIVACY,
        _ => return Err(Error::NotFound("page")),
    };
    let Document {
        title,
        version,
        lead,
        sections,
    } = texts.of(visit.lang).clone();
    Ok(Loaded::page(LegalPage {
        doc: doc.to_owned(),
        title,
        version,
        lead,
        sections,
    }))
}

//! `/consent`: a partner's app is used by guests who agree that their data is used (HB-14). A browser does not ask.

use serde::Serialize;
use url::form_urlencoded::Serializer;

use super::loaded::{Facts, Loaded, PageRequest};
use crate::{
    error::Error,
    web::{
        change::{
            form::Form,
            outcome::{ErrorCode, Outcome},
        },
        page::Page,
        redirect::safe_path,
        visit::Visit,
    },
};

/// Version of the text that is agreed to. Change it with the text: guests are asked anew (SC-09).
pub const VERSION: &str = "2026-11-24";

/// `/consent`
pub const PAGE: Page = Page::builder("consent", PATH)
    .query(&["back", "refused"])
    .before_consent()
    .open();
const PATH: &str = "/consent";

/// Page data of `/consent`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ConsentPage {
    /// Where a yes leads.
    pub back: String,
    /// The guest has said no: nothing else can be used.
    pub refused: bool,
    /// Version of the text.
    pub version: String,
}

/// Whether the page of a visit is not shown before the guest agrees.
pub async fn is_missing(visit: &Visit) -> bool {
    visit.platform.is_host_app() && !visit.matched.page.before_consent && !has_agreed(visit).await
}

/// Whether the guest has agreed to the text of now.
pub async fn has_agreed(visit: &Visit) -> bool {
    visit.sess.consent().await.as_deref() == Some(VERSION)
}

/// Whether a page is shown before the consent and after it, and differs: then it is not kept for others.
#[must_use]
pub fn depends_on_consent(visit: &Visit) -> bool {
    visit.platform.is_host_app() && visit.matched.page.before_consent
}

/// Where the guest of a visit is asked, with the way back.
#[must_use]
pub fn address(visit: &Visit) -> String {
    let here = visit.raw_query.as_deref().map_or_else(
        || visit.path.clone(),
        |query| format!("{}?{query}", visit.path),
    );
    consent_path(&here, false)
}

/// Loads `/consent`.
///
/// # Errors
/// None.
pub async fn load(request: PageRequest) -> Result<Loaded<ConsentPage>, Error> {
    let Facts { visit, .. } = &*request;
    let back = safe_path(visit.query_value("back").unwrap_or("/"));
    if has_agreed(visit).await || !visit.platform.is_host_app() {
        return Ok(Loaded::Redirect(back));
    }
    Ok(Loaded::page(ConsentPage {
        back,
        refused: visit.query_value("refused").is_some(),
        version: VERSION.to_owned(),
    }))
}

/// Keeps a yes to the very text that was shown, for the session. A no keeps nothing: it says what can't be done.
///
/// # Errors
/// When the store does not answer.
pub async fn answer(visit: Visit, form: Form) -> Result<Outcome, Error> {
    let back = form.back();
    match (form.get("answer"), form.get("version")) {
        (Some("yes"), Some(VERSION)) => {
            visit.sess.set_consent(VERSION).await?;
            Ok(Outcome::go(back))
        }
        (Some("no"), _) => Ok(Outcome::go(consent_path(&back, true))),
        _ => {
            let page = consent_path(&back, false);
            Ok(Outcome::refused_form(&form, page, ErrorCode::BadInput))
        }
    }
}

fn consent_path(back: &str, refused: bool) -> String {
    let mut query = Serializer::new(String::new());
    query.append_pair("back", &safe_path(back));
    if refused {
        query.append_pair("refused", "1");
    }
    format!("{PATH}?{}", query.finish())
}

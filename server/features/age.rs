//! `/age`: the page that asks for the age, and the answer (CT-23, UI-04, ST-08). It is kept for the session, and what was
//! being added when the question came goes on after a yes.

use axum::extract::State;
use serde::Serialize;

use super::{
    cart,
    live::Venues,
    loaded::{Facts, Loaded, PageRequest},
};
use crate::{
    error::Error,
    web::{
        change::{
            form::Form,
            outcome::{ErrorCode, Outcome},
        },
        page::Page,
        redirect::safe_path,
        session::AgeAnswer,
        visit::Visit,
    },
};

/// Page data of `/age`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AgePage {
    /// Where either answer leads: the page that the guest came from.
    pub back: String,
    /// It is asked before a fridge opens: behind its door there is no question any more (BC-13).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, type = "true"))]
    pub fridge: bool,
}

/// `/age`
pub const PAGE: Page = Page::builder("age", "/age").query(&["back"]).open();

/// Loads `/age`.
pub async fn load(request: PageRequest) -> Result<Loaded<AgePage>, Error> {
    let Facts { visit, .. } = &*request;
    let back = safe_path(visit.query_value("back").unwrap_or("/"));
    Ok(Loaded::page(AgePage {
        fridge: visit.app.page_of(&back).page.opens_door,
        back,
    }))
}

/// Keeps the answer, a no as well. After a yes the add or the repeated order that asked is done.
///
/// # Errors
/// When the store does not answer, and those of the add.
pub async fn answer(venues: State<Venues>, visit: Visit, form: Form) -> Result<Outcome, Error> {
    let answer = match form.get("answer") {
        Some("yes") => AgeAnswer::Accepted,
        Some("no") => AgeAnswer::Declined,
        Some(_) | None => {
            return Ok(Outcome::refused_form(
                &form,
                form.back(),
                ErrorCode::BadInput,
            ));
        }
    };
    visit.sess.set_age(answer).await?;
    if answer == AgeAnswer::Accepted && form.get("product").is_some() {
        return cart::add(venues, visit, form).await;
    }
    if answer == AgeAnswer::Accepted && form.get("order").is_some() {
        return cart::repeat(visit, form).await;
    }
    Ok(Outcome::back(form.back()))
}

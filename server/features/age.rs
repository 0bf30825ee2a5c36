//! `/age`: the question of age before restricted goods (CT-23, UI-04, ST-08). Goods are restricted by their own data;
//! the answer is kept for the session, and what was being added when the question came goes on after a yes.

use axum::extract::State;
use serde::Serialize;
use url::form_urlencoded::Serializer;

use super::{
    cart, fridge,
    live::Venues,
    loaded::{Facts, Loaded, PageRequest},
    menu,
};
use crate::{
    error::Error,
    upstream::Product,
    web::{
        form::Form,
        outcome::{ErrorCode, FieldError, Outcome, Way},
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
    /// It is asked before a fridge opens: behind its door nobody asks any more (BC-13).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, type = "true"))]
    pub fridge: bool,
}

/// `/age`
pub const PAGE: Page = Page::new("age", "/age").query(&["back"]);

/// Loads `/age`.
pub async fn load(request: PageRequest) -> Result<Loaded<AgePage>, Error> {
    let Facts { visit, .. } = &*request;
    let back = safe_path(visit.query_value("back").unwrap_or("/"));
    Ok(Loaded::page(AgePage {
        fridge: is_of(visit, &back, &fridge::PAGE),
        back,
    }))
}

/// Whether a product may only be sold to adults.
#[must_use]
pub fn is_restricted(product: &Product) -> bool {
    product.min_age.is_some_and(|age| age > 0)
}

/// Whether the guest has confirmed the age in this session.
pub async fn is_confirmed(visit: &Visit) -> bool {
    visit.sess.age().await == Some(AgeAnswer::Accepted)
}

/// The outcome of a form that needs an answer first: the question, with everything that was typed. A menu asks over
/// itself where scripts run; from every other page they go to the question as forms do.
#[must_use]
pub fn question(visit: &Visit, form: &Form, back: &str) -> Outcome {
    let query = Serializer::new(String::new())
        .append_pair("back", back)
        .finish();
    let errors = vec![FieldError::new("form", ErrorCode::Age)];
    Outcome {
        way: if is_of(visit, back, &menu::PAGE) {
            Way::Back
        } else {
            Way::On
        },
        ..Outcome::refused(form, format!("/age?{query}"), errors)
    }
}

/// Whether an address shows a page.
fn is_of(visit: &Visit, address: &str, page: &Page) -> bool {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    visit.app.page_at(path).page.is(page)
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

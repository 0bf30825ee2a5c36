//! Restricted goods and the question before them (CT-23, UI-04, ST-08). Goods are restricted by their own data.

use url::form_urlencoded::Serializer;

use crate::{
    upstream::Product,
    web::{
        change::{
            form::Form,
            outcome::{ErrorCode, FieldError, Outcome, Way},
        },
        session::AgeAnswer,
        visit::Visit,
    },
};

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
        way: if visit.app.page_of(back).page.asks_age {
            Way::Back
        } else {
            Way::On
        },
        ..Outcome::refused(form, format!("/age?{query}"), errors)
    }
}

//! What is typed at the order.

use std::collections::BTreeMap;

use crate::web::change::form::Form;

const FIELDS: [&str; 3] = ["name", "comment", "payment"];

/// What a form has of it: where scripts do not run, other forms of the cart bring it along, so that it is not lost.
#[must_use]
pub fn typed(form: &Form) -> BTreeMap<String, Vec<String>> {
    let mut typed = form.values();
    typed.retain(|name, values| {
        FIELDS.contains(&name.as_str()) && values.iter().any(|value| !value.is_empty())
    });
    typed
}

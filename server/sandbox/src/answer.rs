//! What calls answer, and its schema.

use axum::Json;
use serde_json::{Value, json};

use crate::openapi::schema::reference;
use crate::params::Params;
use crate::refusal::Refusal;

/// What every call answers.
pub(crate) type Answer = Result<Json<Value>, Refusal>;

/// `{"data": …}`
pub(crate) fn data(value: Value) -> Answer {
    Ok(Json(json!({"data": value})))
}

/// What a change without an answer of its own answers.
pub(crate) fn ok() -> Answer {
    data(json!({"ok": true}))
}

/// Its schema.
pub(crate) fn done() -> Value {
    reference("Done")
}

/// One page of a list that is wholly known.
pub(crate) fn page<T>(params: &Params, all: &[T], wire: impl Fn(&T) -> Value) -> Answer {
    let page = params.count("page", 1, 1_000_000)?;
    let limit = params.count("limit", 20, 100)?;
    let shown: Vec<Value> = all
        .iter()
        .skip((page - 1) * limit)
        .take(limit)
        .map(wire)
        .collect();
    let last = all.len().div_ceil(limit).max(1);
    Ok(Json(json!({
        "data": shown,
        "meta": {"current_page": page, "last_page": last, "total": all.len()},
    })))
}

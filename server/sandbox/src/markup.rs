//! Pages that people see, from the templates in `templates/`.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Html;

use crate::refusal::Refusal;

/// Writes a page.
pub(crate) fn page(template: &impl Template) -> Result<Html<String>, Refusal> {
    template.render().map(Html).map_err(|error| {
        let status = StatusCode::INTERNAL_SERVER_ERROR;
        Refusal::new(status, "internal", error.to_string())
    })
}

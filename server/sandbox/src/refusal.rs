//! Answers that refuse: one body shape for every call.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

/// A refused call: status, machine code, title, details.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    pub(crate) code: &'static str,
    pub(crate) title: String,
    pub(crate) meta: Value,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, code: &'static str, title: impl Into<String>) -> Refusal {
        Refusal {
            status,
            code,
            title: title.into(),
            meta: json!({}),
        }
    }

    pub(crate) fn bad(title: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, "bad_request", title)
    }

    pub(crate) fn not_found(code: &'static str, title: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, code, title)
    }

    pub(crate) fn unprocessable(code: &'static str, title: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, code, title)
    }

    pub(crate) fn terminal_not_found() -> Refusal {
        Refusal::not_found("terminal_not_found", "Terminal is not found")
    }

    pub(crate) fn order_not_found() -> Refusal {
        Refusal::not_found("order_not_found", "Order is not found")
    }

    pub(crate) fn product_not_found() -> Refusal {
        Refusal::not_found("product_not_found", "Product is not found")
    }

    pub(crate) fn with(mut self, meta: Value) -> Refusal {
        self.meta = meta;
        self
    }

    pub(crate) fn body(&self) -> Value {
        json!({
            "error_code": self.status.as_u16(),
            "message": self.title,
            "errors": [{"code": self.code, "title": self.title, "meta": self.meta}],
        })
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(self.body())).into_response()
    }
}

impl From<rusqlite::Error> for Refusal {
    /// The disk is full or the file is gone: said plainly, and logged once here.
    fn from(error: rusqlite::Error) -> Refusal {
        tracing::error!(%error, "The sandbox's database refused");
        Refusal::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "storage",
            "The storage is not available",
        )
    }
}

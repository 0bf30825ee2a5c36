//! The controls under `/_sandbox`: what people and tests change.

mod business;
mod form;
mod fridge;
mod host;
mod html;
mod json;
mod links;
mod page;
mod reviews;
mod state;
mod watch;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;

use crate::app::App;
use crate::openapi::schema::reference;
use crate::openapi::{Api, Operation};

pub(crate) use state::restore;
pub(crate) use watch::schemas;

/// The page, the document and the JSON controls.
pub(crate) fn routes(api: Api) -> Api {
    api.add(
        Operation::get("/_sandbox/openapi.json", "openapi", "This document")
            .answers(200, serde_json::json!({"type": "object"})),
        get(document),
    )
    .add(
        Operation::get("/", "root", "Leads to the controls").answers_bare(303),
        get(|| async { Redirect::to("/_sandbox") }),
    )
    .with(json::routes)
    .with(watch::routes)
    .with(business::routes)
    .with(fridge::routes)
    .with(reviews::routes)
    .with(host::routes)
    .with(page::routes)
}

async fn document(State(app): State<App>) -> Response {
    (
        [(header::CONTENT_TYPE, "application/json")],
        app.openapi.clone(),
    )
        .into_response()
}

/// What every change answers.
fn done() -> serde_json::Value {
    reference("Done")
}

//! The page for people: table links, controls as plain forms, the newest orders.

use axum::extract::State;
use axum::response::{Html, Redirect};
use axum::routing::{get, post};

use super::form::{self, Form};
use super::{html, links};
use crate::app::App;
use crate::bills;
use crate::markup;
use crate::openapi::schema::{object, text};
use crate::openapi::{Api, Operation};
use crate::orders::record;
use crate::params::Params;
use crate::refusal::Refusal;
use crate::reviews;

pub(crate) fn routes(api: Api) -> Api {
    api.add(
        Operation::get("/_sandbox", "page", "The controls for people").answers_as(200, "text/html"),
        get(show),
    )
    .add(
        Operation::post(
            "/_sandbox/forms/{control}",
            "form",
            "A control as a form; leads back to the page",
        )
        .form(object(&[("filial_id?", text())]))
        .answers_bare(303),
        post(submit),
    )
}

async fn show(State(app): State<App>, params: Params) -> Result<Html<String>, Refusal> {
    app.expire().await?;
    let orders = app.store.read(|db| record::newest(db, 20)).await?;
    let bill = app.store.read(bills::newest_open).await?;
    let review = app.store.read(reviews::newest_pending).await?;
    let review = review.map(|id| id.to_string());
    let links = links::first_of_each(&app);
    let view = html::View::of(&html::Shown {
        bill: bill.as_deref().unwrap_or(""),
        review: review.as_deref().unwrap_or(""),
        app: &app,
        links: &links,
        orders: &orders,
        done: params.get("done"),
        wrong: params.get("wrong"),
    });
    markup::page(&view)
}

/// Every form leads back to the page with what became of it.
async fn submit(
    State(app): State<App>,
    axum::extract::Path(control): axum::extract::Path<String>,
    body: String,
) -> Redirect {
    let form = Form::parse(&body);
    let said = match form::apply(&app, &control, &form).await {
        Ok(done) => ("done", done),
        Err(refusal) => ("wrong", refusal.title),
    };
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair(said.0, &said.1)
        .finish();
    Redirect::to(&format!("/_sandbox?{query}"))
}

//! Tips. Reviews have a room of their own.

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post;
use serde::Deserialize;
use serde_json::Value;

use crate::answer::data;
use crate::app::App;
use crate::body::Json;
use crate::caller::Caller;
use crate::ids::unguessable;
use crate::money::hundredths;
use crate::openapi::schema::{self, integer, number, object, one_of_texts, reference, text};
use crate::openapi::{Api, Operation};
use crate::payments::{self, Page};
use crate::refusal::Refusal;

pub(crate) fn routes(api: Api) -> Api {
    let tips = object(&[
        ("filial_id", integer()),
        ("sum", number()),
        ("success_url", text()),
        ("failure_url?", text()),
        ("method?", one_of_texts(&["card", "qr"])),
    ]);
    api.add(
        Operation::post("/tips/v1/tips", "tips", "Tips for the waiter of a venue")
            .body(tips)
            .answers(201, schema::data(reference("Payment")))
            .refuses(&[400, 404]),
        post(give_tips),
    )
}

#[derive(Deserialize)]
struct TipsBody {
    filial_id: i64,
    sum: f64,
    success_url: String,
    #[serde(default)]
    failure_url: Option<String>,
    #[serde(default)]
    method: Option<String>,
}

async fn give_tips(
    State(app): State<App>,
    caller: Caller,
    Json(body): Json<TipsBody>,
) -> Result<(StatusCode, axum::Json<Value>), Refusal> {
    let place = app.place(body.filial_id)?;
    let sum = hundredths(body.sum).filter(|sum| *sum > 0);
    let sum = sum.ok_or_else(|| Refusal::bad("sum must be a sum above 0"))?;
    let failure = body.failure_url.as_deref().unwrap_or(&body.success_url);
    let method = body.method.as_deref().unwrap_or("card");
    let page = Page::new(
        &app,
        &place.country.meta.money,
        method,
        &body.success_url,
        failure,
    )?;
    let now = app.clock.now();
    let payment = app
        .store
        .write(move |db| payments::open(db, &page.request("tips", &unguessable("t_"), sum), now))
        .await?;
    Ok((StatusCode::CREATED, data(payment.wire(&caller.base))?))
}

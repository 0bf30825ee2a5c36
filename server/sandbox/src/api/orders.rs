//! Orders: placing one to the table and reading it back.

use axum::Json as Wire;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::{get, post};
use serde_json::Value;

use super::{Answer, data};
use crate::app::App;
use crate::body::Json;
use crate::caller::Caller;
use crate::openapi::schema::{
    self, any, boolean, integer, list, nullable, number, object, one_of_texts, reference, text,
};
use crate::openapi::{Api, Operation};
use crate::orders::timeline::STATUSES;
use crate::orders::{place, record};
use crate::params::Params;
use crate::refusal::Refusal;

pub(crate) fn routes(api: Api) -> Api {
    api.add(
        Operation::post(
            "/takeaway/v1/express/order",
            "placeExpress",
            "Places an order to the table, once per key",
        )
        .header("X-Country", false, "The country of the order")
        .body(reference("ExpressOrder"))
        .answers(201, schema::data(reference("Placed")))
        .refuses(&[400, 404, 422]),
        post(express),
    )
    .add(
        Operation::get(
            "/takeaway/v2/user/order",
            "order",
            "One order; the personal part for whoever placed it",
        )
        .required("order_id", text())
        .answers(200, schema::data(reference("Order")))
        .refuses(&[400, 404]),
        get(order),
    )
}

async fn express(
    State(app): State<App>,
    caller: Caller,
    Json(body): Json<Value>,
) -> Result<(StatusCode, Wire<Value>), Refusal> {
    let answer = place::express(&app, &caller, body).await?;
    Ok((place::PLACED, Wire(answer)))
}

async fn order(State(app): State<App>, params: Params, caller: Caller) -> Answer {
    let id = params
        .get("order_id")
        .ok_or_else(|| Refusal::bad("order_id is required"))?
        .to_owned();
    let found = app.store.read(move |db| record::find(db, &id)).await?;
    let record = found.ok_or_else(order_not_found)?;
    data(record.wire(&app, &caller))
}

pub(crate) fn order_not_found() -> Refusal {
    Refusal::not_found("order_not_found", "Order is not found")
}

pub(crate) fn schemas() -> Vec<(&'static str, Value)> {
    let sum = || nullable(number());
    vec![
        (
            "ExpressOrder",
            object(&[
                ("filial_id", integer()),
                ("main_terminal_id?", any()),
                ("table_id?", nullable(text())),
                ("source?", nullable(text())),
                ("payment_type", one_of_texts(&["cash", "online"])),
                ("name?", nullable(text())),
                ("comment?", nullable(text())),
                ("items", list(reference("Item"))),
                ("expected_sum?", nullable(number())),
            ]),
        ),
        (
            "Placed",
            object(&[
                ("id", text()),
                ("number", text()),
                ("status", text()),
                ("sum", number()),
            ]),
        ),
        (
            "Order",
            object(&[
                ("id", text()),
                ("number", text()),
                ("type", text()),
                ("status", one_of_texts(&STATUSES)),
                ("table_number", nullable(text())),
                ("sum", sum()),
                ("goods_sum", sum()),
                ("service_sum", sum()),
                ("payment_type", one_of_texts(&["cash", "online"])),
                ("paid_with_card", sum()),
                ("bonus_paid", sum()),
                ("cashback_given", sum()),
                ("comment", nullable(text())),
                ("name", nullable(text())),
                ("created_at", text()),
                ("cooking_time", integer()),
                (
                    "current_order_status",
                    object(&[
                        ("status", text()),
                        ("next_average_time", nullable(text())),
                        ("next_status_time", nullable(text())),
                    ]),
                ),
                (
                    "statuses",
                    list(object(&[("status", text()), ("time", text())])),
                ),
                ("positions", list(reference("Position"))),
                (
                    "filial",
                    nullable(object(&[
                        ("id", integer()),
                        ("name", text()),
                        ("address", text()),
                        ("brand_name", text()),
                    ])),
                ),
                ("cancel_reason", nullable(text())),
                ("personal", boolean()),
            ]),
        ),
        (
            "Position",
            object(&[
                ("product_id", integer()),
                ("name", text()),
                ("count", integer()),
                ("price", number()),
                ("sum", number()),
                (
                    "additives",
                    list(object(&[
                        ("name", text()),
                        ("count", integer()),
                        ("price", number()),
                    ])),
                ),
            ]),
        ),
    ]
}

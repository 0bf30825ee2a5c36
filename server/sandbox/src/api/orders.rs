//! Orders: placing one to the table and reading it back.

use axum::Json as Wire;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::{get, post};
use serde_json::Value;

use crate::answer::{Answer, data};
use crate::app::App;
use crate::body::Json;
use crate::caller::Caller;
use crate::openapi::schema::{
    self, any, boolean, integer, list, nullable, number, object, one_of_texts, reference, text,
};
use crate::openapi::{Api, Operation};
use crate::orders::kind::Kind;
use crate::orders::place;
use crate::orders::record;
use crate::orders::timeline::STATUSES;
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
        .body(reference("NewOrder"))
        .answers(201, schema::data(reference("Placed")))
        .refuses(&[400, 404, 422]),
        post(express),
    )
    .add(
        placing(
            "/takeaway/v1/takeaway/order",
            "placeTakeaway",
            "Places an order to take away",
        ),
        post(takeaway),
    )
    .add(
        placing(
            "/takeaway/v1/delivery/order",
            "placeDelivery",
            "Places an order to be brought",
        ),
        post(delivery),
    )
    .add(
        placing(
            "/takeaway/v1/vendor-delivery/order",
            "placeVendorDelivery",
            "The venue's own couriers bring it",
        ),
        post(vendor_delivery),
    )
    .add(
        placing(
            "/takeaway/v1/micromarket/order",
            "placeMicromarket",
            "Goods of a fridge",
        ),
        post(micromarket),
    )
    .add(
        Operation::get(
            "/takeaway/v2/user/order",
            "order",
            "One order; the personal part for the guest who placed it",
        )
        .required("order_id", text())
        .answers(200, schema::data(reference("Order")))
        .refuses(&[400, 401, 404]),
        get(order),
    )
}

fn placing(path: &'static str, id: &'static str, summary: &'static str) -> Operation {
    Operation::post(path, id, summary)
        .header("X-Country", false, "The country of the order")
        .body(reference("NewOrder"))
        .answers(201, schema::data(reference("Placed")))
        .refuses(&[400, 401, 404, 422])
}

type Placed = Result<(StatusCode, Wire<Value>), Refusal>;

async fn express(State(app): State<App>, caller: Caller, Json(body): Json<Value>) -> Placed {
    placed(&app, &caller, Kind::Express, body).await
}

async fn takeaway(State(app): State<App>, caller: Caller, Json(body): Json<Value>) -> Placed {
    placed(&app, &caller, Kind::Takeaway, body).await
}

async fn delivery(State(app): State<App>, caller: Caller, Json(body): Json<Value>) -> Placed {
    placed(&app, &caller, Kind::Delivery, body).await
}

async fn vendor_delivery(
    State(app): State<App>,
    caller: Caller,
    Json(body): Json<Value>,
) -> Placed {
    placed(&app, &caller, Kind::VendorDelivery, body).await
}

async fn micromarket(State(app): State<App>, caller: Caller, Json(body): Json<Value>) -> Placed {
    placed(&app, &caller, Kind::Micromarket, body).await
}

async fn placed(app: &App, caller: &Caller, kind: Kind, body: Value) -> Placed {
    let answer = place::place(app, caller, kind, body).await?;
    Ok((place::PLACED, Wire(answer)))
}

async fn order(State(app): State<App>, params: Params, caller: Caller) -> Answer {
    let id = params
        .get("order_id")
        .ok_or_else(|| Refusal::bad("order_id is required"))?
        .to_owned();
    let user = app.maybe_signed_in(&caller).await?;
    let record = find(&app, id).await?;
    data(record.wire(&app, &caller, user.map(|user| user.id)))
}

/// The order of this id, or a 404.
pub(crate) async fn find(app: &App, id: String) -> Result<record::Record, Refusal> {
    app.expire().await?;
    let found = app.store.read(move |db| record::find(db, &id)).await?;
    found.ok_or_else(Refusal::order_not_found)
}

pub(crate) fn schemas() -> Vec<(&'static str, Value)> {
    let sum = || nullable(number());
    vec![
        (
            "NewOrder",
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
                ("bonus?", nullable(number())),
                ("promo_code?", nullable(text())),
                ("address?", nullable(reference("AddressBody"))),
                ("transport_type?", nullable(one_of_texts(&["FOOT", "CAR"]))),
                ("payment_method?", nullable(one_of_texts(&["card", "qr"]))),
                ("success_url?", nullable(text())),
                ("failure_url?", nullable(text())),
            ]),
        ),
        (
            "Placed",
            object(&[
                ("id", text()),
                ("number", text()),
                ("status", text()),
                ("sum", number()),
                ("payment", nullable(reference("Payment"))),
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
                ("delivery_sum", sum()),
                ("discount_sum", sum()),
                ("refund_sum", sum()),
                ("is_paid", boolean()),
                ("payment", nullable(reference("Payment"))),
                ("address", nullable(reference("Address"))),
                ("bonus_paid", sum()),
                ("cashback_given", sum()),
                ("grade", nullable(integer())),
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
                ("regular_price", number()),
                ("promo_count", integer()),
                ("sum", number()),
                (
                    "additives",
                    list(object(&[
                        ("name", text()),
                        ("count", integer()),
                        ("price", number()),
                    ])),
                ),
                ("comment?", text()),
            ]),
        ),
    ]
}

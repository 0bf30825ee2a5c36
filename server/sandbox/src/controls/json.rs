//! The controls as JSON calls, for tests and scripts.

use axum::extract::State;
use axum::routing::post;
use serde::Deserialize;
use serde_json::json;

use super::{done, state};
use crate::answer::{Answer, data};
use crate::app::App;
use crate::body::Json;
use crate::clock::parse_iso;
use crate::money::hundredths;
use crate::openapi::schema::{any, boolean, integer, number, object, text};
use crate::openapi::{Api, Operation};
use crate::overrides::Change;
use crate::refusal::Refusal;

pub(crate) fn routes(api: Api) -> Api {
    let filial = || ("filial_id", integer());
    let product = || ("product_id", integer());
    api.add(
        control(
            "/_sandbox/api/speed",
            "setSpeed",
            "How many times faster than life orders move",
        )
        .body(object(&[("factor", number())])),
        post(speed),
    )
    .add(
        control(
            "/_sandbox/api/clock",
            "setClock",
            "Sets the sandbox's clock; null gives it back to the machine",
        )
        .body(object(&[("now", any()), ("frozen?", boolean())])),
        post(clock),
    )
    .add(
        control(
            "/_sandbox/api/price",
            "setPrice",
            "Changes the price of a product in a venue",
        )
        .body(object(&[filial(), product(), ("price", number())])),
        post(price),
    )
    .add(
        control(
            "/_sandbox/api/stock",
            "setStock",
            "Stops or returns a product in a venue",
        )
        .body(object(&[filial(), product(), ("available", boolean())])),
        post(stock),
    )
    .add(
        control(
            "/_sandbox/api/opening",
            "setOpening",
            "Closes or opens a venue by hand",
        )
        .body(object(&[filial(), ("closed", boolean())])),
        post(opening),
    )
    .add(
        control(
            "/_sandbox/api/check-pulling",
            "setCheckPulling",
            "Whether the table QR leads to the bill",
        )
        .body(object(&[filial(), ("enabled", boolean())])),
        post(check_pulling),
    )
    .add(
        control(
            "/_sandbox/api/order/status",
            "setOrderStatus",
            "Moves an order to a status",
        )
        .body(object(&[
            ("order_id", text()),
            ("status", text()),
            ("reason?", text()),
            ("any?", boolean()),
        ])),
        post(order_status),
    )
    .add(
        control(
            "/_sandbox/api/reset",
            "reset",
            "Everything as at the first start",
        ),
        post(reset),
    )
}

fn control(path: &'static str, id: &'static str, summary: &'static str) -> Operation {
    Operation::post(path, id, summary)
        .answers(200, done())
        .refuses(&[400, 404])
}

fn ok() -> Answer {
    data(json!({"ok": true}))
}

#[derive(Deserialize)]
struct SpeedBody {
    factor: f64,
}

async fn speed(State(app): State<App>, Json(body): Json<SpeedBody>) -> Answer {
    state::set_speed(&app, body.factor).await?;
    ok()
}

#[derive(Deserialize)]
struct ClockBody {
    now: Option<String>,
    #[serde(default)]
    frozen: bool,
}

async fn clock(State(app): State<App>, Json(body): Json<ClockBody>) -> Answer {
    let now = body
        .now
        .as_deref()
        .map(|text| parse_iso(text).ok_or_else(|| Refusal::bad("now must be ISO 8601")));
    state::set_now(&app, now.transpose()?, body.frozen).await?;
    ok()
}

#[derive(Deserialize)]
struct PriceBody {
    filial_id: i64,
    product_id: i64,
    price: f64,
}

async fn price(State(app): State<App>, Json(body): Json<PriceBody>) -> Answer {
    let price = hundredths(body.price).filter(|price| *price >= 0);
    let price = price.ok_or_else(|| Refusal::bad("price must be a sum"))?;
    let (venue, product) = product_in(&app, body.filial_id, body.product_id)?;
    state::change(
        &app,
        Change::Price {
            venue,
            product,
            price,
        },
    )
    .await?;
    ok()
}

#[derive(Deserialize)]
struct StockBody {
    filial_id: i64,
    product_id: i64,
    available: bool,
}

async fn stock(State(app): State<App>, Json(body): Json<StockBody>) -> Answer {
    let (venue, product) = product_in(&app, body.filial_id, body.product_id)?;
    state::change(
        &app,
        Change::Stock {
            venue,
            product,
            available: body.available,
        },
    )
    .await?;
    ok()
}

#[derive(Deserialize)]
struct OpeningBody {
    filial_id: i64,
    closed: bool,
}

async fn opening(State(app): State<App>, Json(body): Json<OpeningBody>) -> Answer {
    let venue = app.place(body.filial_id)?.venue.id;
    state::change(
        &app,
        Change::Closed {
            venue,
            closed: body.closed,
        },
    )
    .await?;
    ok()
}

#[derive(Deserialize)]
struct CheckPullingBody {
    filial_id: i64,
    enabled: bool,
}

async fn check_pulling(State(app): State<App>, Json(body): Json<CheckPullingBody>) -> Answer {
    let venue = app.place(body.filial_id)?.venue.id;
    state::change(
        &app,
        Change::CheckPulling {
            venue,
            enabled: body.enabled,
        },
    )
    .await?;
    ok()
}

#[derive(Deserialize)]
struct StatusBody {
    order_id: String,
    status: String,
    #[serde(default)]
    reason: Option<String>,
    /// Any text as a status, to see what callers make of it.
    #[serde(default)]
    any: bool,
}

async fn order_status(State(app): State<App>, Json(body): Json<StatusBody>) -> Answer {
    state::set_status(&app, body.order_id, body.status, body.reason, body.any).await?;
    ok()
}

async fn reset(State(app): State<App>) -> Answer {
    state::reset(&app).await?;
    ok()
}

/// The venue of a filial and the product in its menu.
pub(crate) fn product_in(app: &App, filial: i64, product: i64) -> Result<(i64, i64), Refusal> {
    let place = app.place(filial)?;
    place
        .menu
        .product(product)
        .ok_or_else(Refusal::product_not_found)?;
    Ok((place.venue.id, product))
}

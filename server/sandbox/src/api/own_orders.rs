//! What a person does with orders that are there: list, cancel, pay again,
//! grade, repeat; and who brings them.

use axum::extract::{Path, State};
use axum::routing::{get, post};
use rusqlite::params;
use serde::Deserialize;
use serde_json::{Value, json};

use super::orders::find;
use crate::accounts::user::User;
use crate::answer::{Answer, data, done, ok, page};
use crate::app::App;
use crate::body::Json;
use crate::caller::Caller;
use crate::catalogue::Service;
use crate::money::major;
use crate::openapi::schema::{
    self, any, integer, list, nullable, number, object, one_of_texts, reference, text,
};
use crate::openapi::{Api, Operation};
use crate::orders::cancel::cancel as take_back;
use crate::orders::paying;
use crate::orders::place::{remember, replay};
use crate::orders::quote::Item;
use crate::orders::record::{self, Record};
use crate::params::{Params, short};
use crate::payments::{self, Page};
use crate::refusal::Refusal;

pub(crate) fn routes(api: Api) -> Api {
    let pay = object(&[
        ("method?", one_of_texts(&["card", "qr"])),
        ("success_url", text()),
        ("failure_url?", text()),
    ]);
    let grade = object(&[
        ("grade", integer()),
        ("comment?", text()),
        ("tags?", list(text())),
    ]);
    let repeat = object(&[
        ("filial_id", integer()),
        ("items", list(reference("Item"))),
        ("missing", list(object(&[("product_id", integer())]))),
    ]);
    api.add(
        Operation::get(
            "/takeaway/v2/user/orders",
            "orders",
            "The orders of the signed-in person",
        )
        .query("page", integer())
        .query("limit", integer())
        .query("service_type", integer())
        .query("brand_id", integer())
        .answers(200, schema::paged(reference("Order")))
        .refuses(&[400, 401]),
        get(orders),
    )
    .add(
        Operation::post(
            "/takeaway/v1/order/{order}/cancel",
            "cancelOrder",
            "Takes an order back before it is cooked",
        )
        .body(object(&[("reason?", text())]))
        .answers(200, schema::data(reference("Order")))
        .refuses(&[400, 401, 404, 422]),
        post(cancel),
    )
    .add(
        Operation::post(
            "/takeaway/v1/order/{order}/payment",
            "payOrder",
            "One more attempt to pay an order",
        )
        .body(pay)
        .answers(200, schema::data(reference("Payment")))
        .refuses(&[400, 404, 422]),
        post(pay_again),
    )
    .add(
        Operation::post(
            "/takeaway/v1/order/{order}/grade",
            "gradeOrder",
            "One to five for an order",
        )
        .body(grade)
        .answers(200, done())
        .refuses(&[400, 404]),
        post(grade_order),
    )
    .add(
        Operation::post(
            "/takeaway/v1/order/{order}/repeat",
            "repeatOrder",
            "What of an order can be had again",
        )
        .answers(200, schema::data(repeat))
        .refuses(&[404]),
        post(repeat_order),
    )
    .add(
        Operation::get(
            "/dr-delivery/api/v1/courier",
            "courier",
            "Who brings an order, and where that is now",
        )
        .required("takeaway_order_id", text())
        .answers(
            200,
            schema::data(object(&[
                ("name", text()),
                ("phone", text()),
                ("latitude", number()),
                ("longitude", number()),
                ("transport_type", text()),
            ])),
        )
        .refuses(&[400, 404]),
        get(courier),
    )
    .add(
        Operation::get(
            "/telegram-user-notifications/v1/chat",
            "chat",
            "The chat that tells of orders; 404 without one",
        )
        .answers(
            200,
            schema::data(object(&[("chat_id", text()), ("any?", nullable(any()))])),
        )
        .refuses(&[404]),
        get(chat),
    )
}

async fn orders(State(app): State<App>, params: Params, caller: Caller) -> Answer {
    let user = app.signed_in(&caller).await?;
    let service = match params.get("service_type") {
        Some(text) => {
            Some(Service::parse(text).ok_or_else(|| Refusal::bad("service_type is unknown"))?)
        }
        None => None,
    };
    let brand = params.int("brand_id")?;
    let mut found = app
        .store
        .read(move |db| record::of_user(db, user.id))
        .await?;
    found.retain(|record| {
        let place = app.catalogue.place(record.filial);
        service.is_none_or(|service| place.is_some_and(|place| place.service == service))
            && brand.is_none_or(|brand| place.is_some_and(|place| place.venue.brand_id == brand))
    });
    page(&params, &found, |record| {
        record.wire(&app, &caller, Some(user.id))
    })
}

/// The order, if this caller placed it; for others it is not there.
async fn own(app: &App, caller: &Caller, id: String) -> Result<(Record, Option<User>), Refusal> {
    let user = app.maybe_signed_in(caller).await?;
    let record = find(app, id).await?;
    if record.is_of(caller, user.as_ref().map(|user| user.id)) {
        return Ok((record, user));
    }
    Err(Refusal::order_not_found())
}

#[derive(Deserialize)]
struct CancelBody {
    #[serde(default)]
    reason: Option<String>,
}

async fn cancel(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    Json(body): Json<CancelBody>,
) -> Answer {
    let (record, user) = own(&app, &caller, id.clone()).await?;
    let status = record.steps(&app).last().map(|step| step.status.clone());
    if status.as_deref() != Some("created") {
        return Err(Refusal::unprocessable(
            "too_late",
            "The order can no longer be taken back",
        ));
    }
    let reason = short(body.reason.as_deref(), "reason", 500)?;
    let reason = Some(reason).filter(|reason| !reason.is_empty());
    let shared = app.clone();
    app.store
        .write(move |db| take_back(db, &shared, &record, reason))
        .await?;
    data(
        find(&app, id)
            .await?
            .wire(&app, &caller, user.map(|user| user.id)),
    )
}

#[derive(Deserialize)]
struct PayBody {
    #[serde(default)]
    method: Option<String>,
    success_url: String,
    #[serde(default)]
    failure_url: Option<String>,
}

async fn pay_again(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    Json(body): Json<PayBody>,
) -> Answer {
    let (record, _) = own(&app, &caller, id).await?;
    let canceled = record
        .steps(&app)
        .iter()
        .any(|step| step.status == "canceled");
    if !record.held || canceled {
        return Err(payments::nothing_to_pay());
    }
    let place = app.place(record.filial)?;
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
    let key = caller.idempotency_key.clone();
    let text = json!([record.id, body.method, body.success_url, body.failure_url]).to_string();
    let base = caller.base.clone();
    let answer = app
        .store
        .write(move |db| {
            if let Some(key) = &key
                && let Some(answer) = replay(db, "pay", key, &text)?
            {
                return Ok(answer);
            }
            let answer = paying::open_again(db, &record, &page, now)?.wire(&base);
            if let Some(key) = &key {
                remember(db, "pay", key, &text, &answer, now)?;
            }
            Ok(answer)
        })
        .await?;
    data(answer)
}

#[derive(Deserialize)]
struct GradeBody {
    grade: i64,
    #[serde(default)]
    comment: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
}

async fn grade_order(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    Json(body): Json<GradeBody>,
) -> Answer {
    let (record, _) = own(&app, &caller, id).await?;
    if !(1..=5).contains(&body.grade) {
        return Err(Refusal::bad("grade must be from 1 to 5"));
    }
    let comment = short(body.comment.as_deref(), "comment", 2000)?;
    let tags: String = body.tags.join(",").chars().take(500).collect();
    app.store
        .write(move |db| {
            Ok(db.execute(
                "INSERT INTO grades (order_seq, grade, comment, tags) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT DO UPDATE SET grade = excluded.grade, comment = excluded.comment, tags = excluded.tags",
                params![record.seq, body.grade, comment, tags],
            )?)
        })
        .await?;
    ok()
}

/// The items at the prices of now; what is gone is named apart.
async fn repeat_order(State(app): State<App>, Path(id): Path<String>, caller: Caller) -> Answer {
    let (record, _) = own(&app, &caller, id).await?;
    let place = app.place(record.filial)?;
    let (mut items, mut missing) = (Vec::new(), Vec::new());
    for mut wire in record.items() {
        let item: Option<Item> = serde_json::from_value(wire.clone()).ok();
        match item.map(|item| item.quote(&app, &place)) {
            Some(Ok(quote)) => {
                wire["price"] = major(quote.price);
                items.push(wire);
            }
            _ => missing.push(json!({"product_id": wire["product_id"]})),
        }
    }
    data(json!({"filial_id": record.filial, "items": items, "missing": missing}))
}

/// The courier drives in a straight line, as long as the status lasts.
async fn courier(State(app): State<App>, params: Params, caller: Caller) -> Answer {
    let id = params.get("takeaway_order_id");
    let id = id
        .ok_or_else(|| Refusal::bad("takeaway_order_id is required"))?
        .to_owned();
    let (record, _) = own(&app, &caller, id).await?;
    let no_courier = || Refusal::not_found("courier_not_found", "No courier is on the way");
    let steps = record.steps(&app);
    let last = steps
        .last()
        .filter(|step| step.status == "delivery")
        .ok_or_else(no_courier)?;
    let address = record.address.as_ref().ok_or_else(no_courier)?;
    let venue = app.place(record.filial)?.venue;
    let way = ((app.clock.paced() - last.paced) / 90_000.0).clamp(0.0, 1.0);
    let between = |from: f64, to: &Value| {
        let to = to.as_f64().unwrap_or(from);
        ((from + (to - from) * way) * 1e6).round() / 1e6
    };
    let names = ["Ержан", "Дана", "Гиорги", "Нино"];
    let index = usize::try_from(record.seq).unwrap_or(0) % names.len();
    data(json!({
        "name": names.get(index),
        "phone": format!("+7701000{:04}", record.seq % 10_000),
        "latitude": between(venue.latitude, &address["latitude"]),
        "longitude": between(venue.longitude, &address["longitude"]),
        "transport_type": "CAR",
    }))
}

async fn chat(State(app): State<App>, caller: Caller) -> Answer {
    let none = || Refusal::not_found("chat_not_found", "There is no chat yet");
    let user = app.maybe_signed_in(&caller).await?.ok_or_else(none)?;
    data(json!({"chat_id": user.chat.ok_or_else(none)?}))
}

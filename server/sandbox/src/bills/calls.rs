//! The calls about bills and booked tables.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use rusqlite::params;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Bill, add, create, find, not_found, open_of, pay, was_closed_lately};
use crate::accounts::user::{self, User};
use crate::api::{Answer, data, done, ok};
use crate::app::App;
use crate::body::Json;
use crate::caller::Caller;
use crate::clock::{iso, parse_iso};
use crate::openapi::schema::{
    self, any, boolean, integer, list, nullable, number, object, one_of_texts, reference, text,
};
use crate::openapi::{Api, Operation};
use crate::orders::draft::short;
use crate::orders::place::unguessable;
use crate::orders::quote::Item;
use crate::params::Params;
use crate::refusal::Refusal;

pub(crate) fn routes(api: Api) -> Api {
    let part = object(&[
        ("sum?", nullable(number())),
        ("tips?", nullable(number())),
        ("bonus?", nullable(number())),
        ("method?", nullable(one_of_texts(&["card", "qr"]))),
        ("success_url?", nullable(text())),
        ("failure_url?", nullable(text())),
    ]);
    let booking = object(&[
        ("filial_id", integer()),
        ("at", text()),
        ("guests", integer()),
        ("name", text()),
        ("phone", text()),
        ("comment?", text()),
        ("items?", list(reference("Item"))),
    ]);
    api.add(
        Operation::get("/bills/v1/bill", "bill", "The open bill of a table")
            .required("filial_id", integer())
            .required("table_id", text())
            .query("main_terminal_id", integer())
            .answers(200, schema::data(reference("Bill")))
            .refuses(&[400, 401, 404]),
        get(of_table),
    )
    .add(
        Operation::post(
            "/bills/v1/bill/{bill}/payments",
            "payBill",
            "Pays a part of a bill, once per key",
        )
        .body(part)
        .answers(201, schema::data(reference("BillPayment")))
        .refuses(&[400, 401, 404, 422]),
        post(pay_part),
    )
    .add(
        Operation::post(
            "/bills/v1/bill/{bill}/waiter-call",
            "callWaiter",
            "Calls the waiter to the table",
        )
        .answers(200, done())
        .refuses(&[404]),
        post(call_waiter),
    )
    .add(
        Operation::get(
            "/bills/v1/preorder/{bill}",
            "preorder",
            "The bill of what was ordered with a booking",
        )
        .answers(200, schema::data(reference("Bill")))
        .refuses(&[401, 404]),
        get(preorder),
    )
    .add(
        Operation::get(
            "/booking/v1/bookings",
            "bookings",
            "The booked tables of the signed-in person",
        )
        .answers(200, schema::data(list(reference("Booking"))))
        .refuses(&[401]),
        get(bookings).post(book),
    )
    .describe(
        Operation::post(
            "/booking/v1/bookings",
            "book",
            "Books a table, with dishes or without",
        )
        .body(booking)
        .answers(201, schema::data(reference("Booking")))
        .refuses(&[400, 401, 404, 422]),
    )
}

pub(crate) fn schemas() -> Vec<(&'static str, Value)> {
    let item = object(&[
        ("product_id", integer()),
        ("name", text()),
        ("count", integer()),
        ("price", number()),
        ("sum", number()),
    ]);
    let part = object(&[
        ("sum", number()),
        ("tips", number()),
        ("status", text()),
        ("mine", boolean()),
    ]);
    vec![
        (
            "Bill",
            object(&[
                ("id", text()),
                ("number", text()),
                ("filial_id", integer()),
                ("table", nullable(reference("Table"))),
                ("is_preorder", boolean()),
                ("status", one_of_texts(&["open", "closed"])),
                ("created_at", text()),
                ("items", list(item)),
                ("goods_sum", number()),
                ("service_percentage", number()),
                ("service_sum", number()),
                ("sum", number()),
                ("paid_sum", number()),
                ("left_sum", number()),
                ("payments", list(part)),
                ("is_first_payment", boolean()),
                ("cashback_percentage", number()),
                ("max_bonus", number()),
                ("tips_percentages", list(integer())),
                ("waiter", nullable(object(&[("name", text())]))),
            ]),
        ),
        (
            "BillPayment",
            object(&[
                ("id", text()),
                ("sum", number()),
                ("tips", number()),
                ("bonus", number()),
                ("cashback", number()),
                ("status", text()),
                ("payment", nullable(reference("Payment"))),
            ]),
        ),
        (
            "Booking",
            object(&[
                ("id", text()),
                ("filial_id", integer()),
                ("at", text()),
                ("guests", integer()),
                ("name", text()),
                ("phone", text()),
                ("comment", text()),
                ("preorder_id", nullable(text())),
                ("any?", any()),
            ]),
        ),
    ]
}

/// A table of a venue whose QR leads to the bill has one as soon as someone looks,
/// as if the waiter had opened it; elsewhere the waiter (a control) opens it.
async fn of_table(State(app): State<App>, params: Params, caller: Caller) -> Answer {
    let place = app.place(params.required_int("filial_id")?)?;
    let (filial, table) = (
        place.filial,
        params.get("table_id").unwrap_or("").to_owned(),
    );
    let other = params
        .int("main_terminal_id")?
        .is_some_and(|id| id != place.venue.main_terminal_id);
    let known = place.venue.tables.iter().any(|known| known.id == table);
    if other || !known {
        return Err(not_found());
    }
    let user = app.maybe_signed_in(&caller).await?;
    let shared = app.clone();
    let id = app
        .store
        .write(move |db| {
            let place = shared.place(filial)?;
            if let Some(id) = open_of(db, place.venue.id, &table)? {
                return Ok(id);
            }
            let now = shared.clock.now();
            let by_itself = shared.overrides.check_pulling(place.venue);
            if !by_itself || was_closed_lately(db, place.venue.id, &table, now)? {
                return Err(not_found());
            }
            let table = place.venue.tables.iter().find(|known| known.id == table);
            let id = create(db, &place, table, None, now)?;
            let there = |product: &&crate::model::Product| {
                !shared.overrides.is_unavailable(place.venue, product)
            };
            for product in place.menu.products().filter(there).take(3) {
                add(
                    db,
                    &id,
                    product,
                    shared.overrides.price(place.venue, product),
                    1,
                )?;
            }
            Ok(id)
        })
        .await?;
    show(&app, &caller, id, user).await
}

async fn show(app: &App, caller: &Caller, id: String, user: Option<User>) -> Answer {
    let person = user.as_ref().map(|user| user.id);
    let (bill, first): (Bill, bool) = app
        .store
        .read(move |db| {
            let first = person.map_or(Ok(true), |user| pay::is_first(db, user))?;
            Ok((find(db, &id)?, first))
        })
        .await?;
    data(bill.wire(
        app,
        caller,
        person,
        first,
        user.map_or(0, |user| user.bonus),
    ))
}

async fn pay_part(
    State(app): State<App>,
    Path(bill): Path<String>,
    caller: Caller,
    Json(body): Json<Value>,
) -> Result<(StatusCode, axum::Json<Value>), Refusal> {
    let user = app.maybe_signed_in(&caller).await?;
    let answer = pay::pay(&app, &caller, bill, body, user).await?;
    Ok((StatusCode::CREATED, axum::Json(answer)))
}

async fn call_waiter(State(app): State<App>, Path(bill): Path<String>) -> Answer {
    app.store
        .read(move |db| find(db, &bill).map(|_| ()))
        .await?;
    ok()
}

/// A preorder is shown to whoever made it.
async fn preorder(State(app): State<App>, Path(id): Path<String>, caller: Caller) -> Answer {
    let user = app.signed_in(&caller).await?;
    let wanted = id.clone();
    let bill = app.store.read(move |db| find(db, &wanted)).await?;
    if bill.user != Some(user.id) {
        return Err(not_found());
    }
    show(&app, &caller, id, Some(user)).await
}

#[derive(Deserialize)]
struct BookingBody {
    filial_id: i64,
    at: String,
    guests: i64,
    name: String,
    phone: String,
    #[serde(default)]
    comment: Option<String>,
    #[serde(default)]
    items: Vec<Item>,
}

async fn book(
    State(app): State<App>,
    caller: Caller,
    Json(body): Json<BookingBody>,
) -> Result<(StatusCode, axum::Json<Value>), Refusal> {
    let person = app.signed_in(&caller).await?;
    app.place(body.filial_id)?;
    let at = parse_iso(&body.at).ok_or_else(|| Refusal::bad("at must be ISO 8601"))?;
    if at < app.clock.now() {
        return Err(Refusal::unprocessable("too_late", "This time is over"));
    }
    if !(1..=50).contains(&body.guests) {
        return Err(Refusal::bad("guests must be from 1 to 50"));
    }
    let name = short(Some(&body.name), "name", 100)?;
    let phone = user::phone(&body.phone).ok_or_else(|| Refusal::bad("phone must be a phone"))?;
    let comment = short(body.comment.as_deref(), "comment", 500)?;
    body.items.iter().try_for_each(Item::check)?;
    let shared = app.clone();
    let wire = app
        .store
        .write(move |db| {
            let (id, now) = (unguessable("bk_"), shared.clock.now());
            let place = shared.place(body.filial_id)?;
            let preorder = if body.items.is_empty() {
                None
            } else {
                let bill = create(db, &place, None, Some(person.id), now)?;
                for item in &body.items {
                    let quote = item.quote(&shared, &place).map_err(|_| {
                        Refusal::unprocessable("item_unavailable", "A position is no longer available")
                    })?;
                    add(db, &bill, quote.product, quote.price, quote.count)?;
                }
                Some(bill)
            };
            db.execute(
                "INSERT INTO bookings (id, user_id, filial_id, at, guests, name, phone, comment, preorder, created_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                params![id, person.id, body.filial_id, at, body.guests, name, phone, comment, preorder, now],
            )?;
            Ok(json!({
                "id": id, "filial_id": body.filial_id, "at": iso(at), "guests": body.guests,
                "name": name, "phone": phone, "comment": comment, "preorder_id": preorder,
            }))
        })
        .await?;
    Ok((StatusCode::CREATED, data(wire)?))
}

async fn bookings(State(app): State<App>, caller: Caller) -> Answer {
    let user = app.signed_in(&caller).await?;
    let found: Vec<Value> = app
        .store
        .read(move |db| {
            let mut statement = db.prepare_cached(
                "SELECT id, filial_id, at, guests, name, phone, comment, preorder FROM bookings
                 WHERE user_id = ?1 AND canceled = 0 ORDER BY at",
            )?;
            let found = statement.query_map([user.id], |row| {
                Ok(json!({
                    "id": row.get::<_, String>(0)?, "filial_id": row.get::<_, i64>(1)?, "at": iso(row.get(2)?),
                    "guests": row.get::<_, i64>(3)?, "name": row.get::<_, String>(4)?,
                    "phone": row.get::<_, String>(5)?, "comment": row.get::<_, String>(6)?,
                    "preorder_id": row.get::<_, Option<String>>(7)?,
                }))
            })?;
            Ok(found.collect::<Result<_, _>>()?)
        })
        .await?;
    data(Value::Array(found))
}

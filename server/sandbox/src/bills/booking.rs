//! Booked tables, with dishes or without.

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::get;
use rusqlite::params;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{add, create};
use crate::accounts::user;
use crate::api::{Answer, data};
use crate::app::App;
use crate::body::Json;
use crate::caller::Caller;
use crate::clock::{iso, parse_iso};
use crate::openapi::schema::{self, integer, list, nullable, object, reference, text};
use crate::openapi::{Api, Operation};
use crate::orders::place::unguessable;
use crate::orders::quote::Item;
use crate::orders::rules::short;
use crate::refusal::Refusal;

pub(crate) fn routes(api: Api) -> Api {
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
    vec![(
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
        ]),
    )]
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

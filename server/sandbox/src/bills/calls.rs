//! The calls about bills and booked tables.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use rusqlite::params;
use serde::Deserialize;
use serde_json::Value;

use super::{Bill, add, create, find, not_found, open_of, pay, was_closed_lately};
use crate::accounts::user::User;
use crate::answer::{Answer, data, done, ok};
use crate::app::App;
use crate::body::Json;
use crate::caller::Caller;
use crate::catalogue::Place;
use crate::model::Product;
use crate::openapi::schema::{
    self, boolean, integer, list, nullable, number, object, one_of_texts, reference, text,
};
use crate::openapi::{Api, Operation};
use crate::params::{Params, short};
use crate::payments::STATUSES;
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
        Operation::post(
            "/bills/v1/waiter-call",
            "callWaiterToTable",
            "Calls the waiter to a table that has no bill yet",
        )
        .body(object(&[
            ("filial_id", integer()),
            ("table_id", text()),
            ("main_terminal_id?", nullable(integer())),
        ]))
        .answers(200, done())
        .refuses(&[400, 404]),
        post(call_waiter_to_table),
    )
    .add(
        Operation::post(
            "/bills/v1/payment/{part}/cancel",
            "cancelBillPayment",
            "Calls off a part that is not paid yet. What it held is there for others again, and no bank takes money for \
             it any more. One that was paid before stays paid: the answer says how it stands. As often as one likes",
        )
        .answers(200, schema::data(reference("BillPayment")))
        .refuses(&[404]),
        post(cancel_part),
    )
    .add(
        Operation::post(
            "/bills/v1/payment/{part}/grade",
            "gradeBill",
            "One to five for a bill, by a part of it that was paid",
        )
        .body(object(&[
            ("grade", integer()),
            ("comment?", text()),
            ("tags?", list(text())),
        ]))
        .answers(200, done())
        .refuses(&[400, 404]),
        post(grade_part),
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
        ("bonus", number()),
        ("status", one_of_texts(&STATUSES)),
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
    table_of(&place, &table, params.int("main_terminal_id")?)?;
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
            let there = |product: &&Product| !shared.overrides.is_unavailable(place.venue, product);
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

/// A table that the venue has, under its own terminal.
fn table_of(place: &Place<'_>, table: &str, terminal: Option<i64>) -> Result<(), Refusal> {
    let other = terminal.is_some_and(|id| id != place.venue.main_terminal_id);
    let known = place.venue.tables.iter().any(|known| known.id == table);
    if other || !known {
        return Err(not_found());
    }
    Ok(())
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

#[derive(Deserialize)]
struct TableBody {
    filial_id: i64,
    table_id: String,
    #[serde(default)]
    main_terminal_id: Option<i64>,
}

async fn call_waiter_to_table(State(app): State<App>, Json(body): Json<TableBody>) -> Answer {
    let place = app.place(body.filial_id)?;
    table_of(&place, &body.table_id, body.main_terminal_id)?;
    ok()
}

/// A caller that knows the part's name has begun it.
async fn cancel_part(State(app): State<App>, Path(part): Path<String>) -> Answer {
    let shared = app.clone();
    let answer = app
        .store
        .write(move |db| pay::call_off(db, &shared, &part))
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

/// A caller that knows the part's name has paid it, with or without an account. A second grade replaces the first.
async fn grade_part(
    State(app): State<App>,
    Path(part): Path<String>,
    Json(body): Json<GradeBody>,
) -> Answer {
    if !(1..=5).contains(&body.grade) {
        return Err(Refusal::bad("grade must be from 1 to 5"));
    }
    let comment = short(body.comment.as_deref(), "comment", 2000)?;
    let tags: String = body.tags.join(",").chars().take(500).collect();
    let graded = app
        .store
        .write(move |db| {
            Ok(db.execute(
                "INSERT INTO bill_grades (part, grade, comment, tags)
                 SELECT id, ?2, ?3, ?4 FROM bill_payments WHERE id = ?1 AND status = 'succeeded'
                 ON CONFLICT DO UPDATE SET grade = excluded.grade, comment = excluded.comment, tags = excluded.tags",
                params![part, body.grade, comment, tags],
            )?)
        })
        .await?;
    if graded == 0 {
        return Err(Refusal::not_found(
            "part_not_found",
            "No such part was paid",
        ));
    }
    ok()
}

/// A preorder is shown to the account that made it.
async fn preorder(State(app): State<App>, Path(id): Path<String>, caller: Caller) -> Answer {
    let user = app.signed_in(&caller).await?;
    let wanted = id.clone();
    let bill = app.store.read(move |db| find(db, &wanted)).await?;
    if bill.user != Some(user.id) {
        return Err(not_found());
    }
    show(&app, &caller, id, Some(user)).await
}

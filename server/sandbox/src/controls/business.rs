//! Business events as controls: the waiter, another phone, the bank.

use axum::extract::State;
use axum::routing::post;
use rusqlite::params;
use serde::Deserialize;
use serde_json::json;

use super::json::product_in;
use crate::accounts::user;
use crate::answer::{Answer, data, done, ok};
use crate::app::App;
use crate::bank;
use crate::bills;
use crate::body::Json;
use crate::ids::unguessable;
use crate::money::hundredths;
use crate::openapi::schema::{self, integer, nullable, number, object, one_of_texts, text};
use crate::openapi::{Api, Operation};
use crate::payments::OUTCOMES;
use crate::refusal::Refusal;

pub(crate) fn routes(api: Api) -> Api {
    api.add(
        Operation::post(
            "/_sandbox/api/bill/open",
            "openBill",
            "The waiter opens a bill for a table",
        )
        .body(object(&[("filial_id", integer()), ("table_id", text())]))
        .answers(200, schema::data(object(&[("id", text())])))
        .refuses(&[400, 404]),
        post(open_bill),
    )
    .add(
        control(
            "/_sandbox/api/bill/add",
            "addToBill",
            "The waiter adds to a bill",
        )
        .body(object(&[
            ("bill_id", text()),
            ("product_id", integer()),
            ("count?", integer()),
        ])),
        post(add_to_bill),
    )
    .add(
        control(
            "/_sandbox/api/bill/pay",
            "payBillElsewhere",
            "Another phone pays a part of a bill",
        )
        .body(object(&[("bill_id", text()), ("sum", number())])),
        post(pay_bill),
    )
    .add(
        control(
            "/_sandbox/api/bill/close",
            "closeBill",
            "The waiter closes a bill",
        )
        .body(object(&[("bill_id", text())])),
        post(close_bill),
    )
    .add(
        control(
            "/_sandbox/api/payment",
            "endPayment",
            "Ends an attempt to pay",
        )
        .body(object(&[
            ("payment_id", text()),
            ("outcome", one_of_texts(&OUTCOMES)),
        ])),
        post(end_payment),
    )
    .add(
        control(
            "/_sandbox/api/tokens/end",
            "endTokens",
            "Ends every token of a phone, or of everybody",
        )
        .body(object(&[("phone?", nullable(text()))])),
        post(end_tokens),
    )
    .add(
        control(
            "/_sandbox/api/balance",
            "setBalance",
            "Sets bonuses, money and points of a phone",
        )
        .body(object(&[
            ("phone", text()),
            ("bonus?", nullable(number())),
            ("money?", nullable(number())),
            ("points?", nullable(integer())),
            ("chat?", nullable(text())),
        ])),
        post(balance),
    )
}

fn control(path: &'static str, id: &'static str, summary: &'static str) -> Operation {
    Operation::post(path, id, summary)
        .answers(200, done())
        .refuses(&[400, 404])
}

#[derive(Deserialize)]
pub(super) struct OpenBody {
    filial_id: i64,
    table_id: String,
}

pub(super) async fn open_bill(State(app): State<App>, Json(body): Json<OpenBody>) -> Answer {
    let shared = app.clone();
    let id = app
        .store
        .write(move |db| {
            let place = shared.place(body.filial_id)?;
            let table = place
                .venue
                .tables
                .iter()
                .find(|table| table.id == body.table_id);
            let table = table.ok_or_else(|| {
                Refusal::not_found("table_unknown", "The table is not known here")
            })?;
            bills::create(db, &place, Some(table), None, shared.clock.now())
        })
        .await?;
    data(json!({"id": id}))
}

#[derive(Deserialize)]
pub(super) struct AddBody {
    bill_id: String,
    product_id: i64,
    #[serde(default)]
    count: Option<i64>,
}

pub(super) async fn add_to_bill(State(app): State<App>, Json(body): Json<AddBody>) -> Answer {
    let count = body.count.unwrap_or(1);
    if !(1..=99).contains(&count) {
        return Err(Refusal::bad("count must be from 1 to 99"));
    }
    let shared = app.clone();
    app.store
        .write(move |db| {
            let bill = bills::find(db, &body.bill_id)?;
            product_in(&shared, bill.filial, body.product_id)?;
            let place = shared.place(bill.filial)?;
            let product = place
                .menu
                .product(body.product_id)
                .ok_or_else(Refusal::terminal_not_found)?;
            bills::add(
                db,
                &bill.id,
                product,
                shared.overrides.price(place.venue, product),
                count,
            )
        })
        .await?;
    ok()
}

#[derive(Deserialize)]
pub(super) struct PayBody {
    bill_id: String,
    sum: f64,
}

pub(super) async fn pay_bill(State(app): State<App>, Json(body): Json<PayBody>) -> Answer {
    let sum = hundredths(body.sum).filter(|sum| *sum > 0);
    let sum = sum.ok_or_else(|| Refusal::bad("sum must be a sum above 0"))?;
    let shared = app.clone();
    app.store
        .write(move |db| {
            let bill = bills::find(db, &body.bill_id)?;
            if sum > bill.left(&shared) {
                return Err(Refusal::unprocessable("sum_too_much", "Less is left to pay"));
            }
            db.execute(
                "INSERT INTO bill_payments (id, bill_id, sum, status, created_at) VALUES (?1, ?2, ?3, 'succeeded', ?4)",
                params![unguessable("bp_"), bill.id, sum, shared.clock.now()],
            )?;
            bills::close_if_paid(db, &shared, &bill.id)
        })
        .await?;
    ok()
}

#[derive(Deserialize)]
pub(super) struct CloseBody {
    bill_id: String,
}

pub(super) async fn close_bill(State(app): State<App>, Json(body): Json<CloseBody>) -> Answer {
    let now = app.clock.now();
    app.store
        .write(move |db| {
            let bill = bills::find(db, &body.bill_id)?;
            bills::close(db, &bill.id, now)
        })
        .await?;
    ok()
}

#[derive(Deserialize)]
pub(super) struct EndBody {
    payment_id: String,
    outcome: String,
}

pub(super) async fn end_payment(State(app): State<App>, Json(body): Json<EndBody>) -> Answer {
    if !OUTCOMES.contains(&body.outcome.as_str()) {
        return Err(Refusal::bad(format!(
            "outcome must be one of {}",
            OUTCOMES.join(", ")
        )));
    }
    let shared = app.clone();
    app.store
        .write(move |db| bank::finish(db, &shared, &body.payment_id, &body.outcome))
        .await?;
    ok()
}

#[derive(Deserialize)]
pub(super) struct TokensBody {
    #[serde(default)]
    phone: Option<String>,
}

pub(super) async fn end_tokens(State(app): State<App>, Json(body): Json<TokensBody>) -> Answer {
    let phone = body
        .phone
        .as_deref()
        .map(|text| user::phone(text).ok_or_else(|| Refusal::bad("phone must be a phone")));
    let phone = phone.transpose()?;
    app.store
        .write(move |db| {
            let query = "DELETE FROM tokens WHERE ?1 IS NULL OR user_id = (SELECT id FROM users WHERE phone = ?1)";
            Ok(db.execute(query, params![phone])?)
        })
        .await?;
    ok()
}

#[derive(Deserialize)]
pub(super) struct BalanceBody {
    phone: String,
    #[serde(default)]
    bonus: Option<f64>,
    #[serde(default)]
    money: Option<f64>,
    #[serde(default)]
    points: Option<i64>,
    #[serde(default)]
    chat: Option<String>,
}

pub(super) async fn balance(State(app): State<App>, Json(body): Json<BalanceBody>) -> Answer {
    let phone = user::phone(&body.phone).ok_or_else(|| Refusal::bad("phone must be a phone"))?;
    let sum = |sum: Option<f64>| {
        let read = sum.map(|sum| hundredths(sum).filter(|sum| *sum >= 0));
        read.map(|sum| sum.ok_or_else(|| Refusal::bad("A sum is wrong")))
            .transpose()
    };
    let (bonus, money) = (sum(body.bonus)?, sum(body.money)?);
    let changed = app
        .store
        .write(move |db| {
            let query = "UPDATE users SET bonus = COALESCE(?2, bonus), money = COALESCE(?3, money),
                 points = COALESCE(?4, points), chat = COALESCE(?5, chat) WHERE phone = ?1";
            Ok(db.execute(query, params![phone, bonus, money, body.points, body.chat])?)
        })
        .await?;
    if changed == 0 {
        Err(Refusal::not_found(
            "user_not_found",
            "No guest has this phone",
        ))
    } else {
        ok()
    }
}

//! An order as it is read: with its lines and everything that it has reached.

use rusqlite::{Connection, OptionalExtension, Row};
use serde_json::{Value, json};

use super::timeline::{self, Step};
use crate::app::App;
use crate::caller::Caller;
use crate::catalogue::Voice;
use crate::clock::iso;
use crate::model::{Lang, Text};
use crate::money::major;
use crate::payments::{self, Payment};
use crate::refusal::Refusal;

/// One order out of the database.
pub(crate) struct Record {
    pub(crate) seq: i64,
    pub(crate) id: String,
    pub(crate) number: String,
    pub(crate) kind: String,
    pub(crate) filial: i64,
    pub(crate) table: Option<String>,
    pub(crate) payment: String,
    pub(crate) name: String,
    pub(crate) comment: String,
    pub(crate) goods: i64,
    pub(crate) service: i64,
    pub(crate) delivery: i64,
    pub(crate) discount: i64,
    pub(crate) bonus: i64,
    pub(crate) sum: i64,
    pub(crate) minutes: i64,
    pub(crate) fingerprint: Option<String>,
    pub(crate) created_at: i64,
    pub(crate) user: Option<i64>,
    /// Waits for its payment.
    pub(crate) held: bool,
    pub(crate) cashback: i64,
    /// Where it is brought.
    pub(crate) address: Option<Value>,
    /// The newest attempt to pay.
    pub(crate) attempt: Option<Payment>,
    /// One to five, once the guest has said.
    grade: Option<i64>,
    lines: Vec<Line>,
    steps: Vec<Step>,
}

struct Line {
    product: i64,
    size: Option<i64>,
    name: String,
    count: i64,
    price: i64,
    regular: i64,
    promo_count: i64,
    sum: i64,
    additives: String,
    chosen: String,
    comment: String,
}

const COLUMNS: &str = "seq, id, number, kind, filial_id, table_number, payment_type, name, comment, goods_sum, \
     service_sum, delivery_sum, discount_sum, bonus_sum, sum, cooking_time, fingerprint, created_at, user_id, \
     held, cashback, address";

/// The order of this id.
pub(crate) fn find(db: &Connection, id: &str) -> Result<Option<Record>, Refusal> {
    let found = db
        .prepare_cached(&format!("SELECT {COLUMNS} FROM orders WHERE id = ?1"))?
        .query_row([id], Record::from_row)
        .optional()?;
    found.map(|record| record.complete(db)).transpose()
}

/// The orders of a person, the newest first.
pub(crate) fn of_user(db: &Connection, user: i64) -> Result<Vec<Record>, Refusal> {
    let query =
        format!("SELECT {COLUMNS} FROM orders WHERE user_id = ?1 ORDER BY seq DESC LIMIT 1000");
    let mut statement = db.prepare_cached(&query)?;
    let found = statement.query_map([user], Record::from_row)?;
    found.map(|record| record?.complete(db)).collect()
}

/// The newest orders.
pub(crate) fn newest(db: &Connection, most: i64) -> Result<Vec<Record>, Refusal> {
    let mut statement = db.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM orders ORDER BY seq DESC LIMIT ?1"
    ))?;
    let found = statement.query_map([most], Record::from_row)?;
    found.map(|record| record?.complete(db)).collect()
}

impl Record {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Record> {
        Ok(Record {
            seq: row.get(0)?,
            id: row.get(1)?,
            number: row.get(2)?,
            kind: row.get(3)?,
            filial: row.get(4)?,
            table: row.get(5)?,
            payment: row.get(6)?,
            name: row.get(7)?,
            comment: row.get(8)?,
            goods: row.get(9)?,
            service: row.get(10)?,
            delivery: row.get(11)?,
            discount: row.get(12)?,
            bonus: row.get(13)?,
            sum: row.get(14)?,
            minutes: row.get(15)?,
            fingerprint: row.get(16)?,
            created_at: row.get(17)?,
            user: row.get(18)?,
            held: row.get(19)?,
            cashback: row.get(20)?,
            address: row
                .get::<_, Option<String>>(21)?
                .and_then(|text| serde_json::from_str(&text).ok()),
            attempt: None,
            grade: None,
            lines: Vec::new(),
            steps: Vec::new(),
        })
    }

    fn complete(mut self, db: &Connection) -> Result<Record, Refusal> {
        self.steps = timeline::load(db, self.seq)?;
        self.attempt = payments::newest(db, "order", &self.id)?;
        self.grade = db
            .prepare_cached("SELECT grade FROM grades WHERE order_seq = ?1")?
            .query_row([self.seq], |row| row.get(0))
            .optional()?;
        let mut statement = db.prepare_cached(
            "SELECT product_id, name, count, price, sum, additives, size_id, chosen, comment, promo_count, regular FROM order_lines WHERE order_seq = ?1 ORDER BY position",
        )?;
        let lines = statement.query_map([self.seq], |row| {
            Ok(Line {
                product: row.get(0)?,
                name: row.get(1)?,
                count: row.get(2)?,
                price: row.get(3)?,
                sum: row.get(4)?,
                additives: row.get(5)?,
                size: row.get(6)?,
                chosen: row.get(7)?,
                comment: row.get(8)?,
                promo_count: row.get(9)?,
                regular: row.get(10)?,
            })
        })?;
        self.lines = lines.collect::<Result<_, _>>()?;
        Ok(self)
    }

    /// Every step until now, those included that are not written yet.
    pub(crate) fn steps(&self, app: &App) -> Vec<Step> {
        let mut steps = self.steps.clone();
        if let Some(last) = self.steps.last().filter(|_| !self.held) {
            steps.extend(timeline::due(&self.kind, last, &app.clock));
        }
        steps
    }

    /// Whether this caller placed it.
    pub(crate) fn is_of(&self, caller: &Caller, user: Option<i64>) -> bool {
        let same_phone = self.fingerprint.is_some() && self.fingerprint == caller.fingerprint;
        let same_person = self.user.is_some() && self.user == user;
        same_phone || same_person
    }

    /// What was ordered, as items of a new order.
    pub(crate) fn items(&self) -> impl Iterator<Item = Value> {
        self.lines.iter().map(|line| {
            let chosen: Value = serde_json::from_str(&line.chosen).unwrap_or(Value::Null);
            json!({
                "product_id": line.product, "size_id": line.size, "count": line.count,
                "additives": chosen, "comment": line.comment,
            })
        })
    }

    /// Who placed it may see everything; others see that it exists and how far it is.
    pub(crate) fn wire(&self, app: &App, caller: &Caller, user: Option<i64>) -> Value {
        let mine = self.is_of(caller, user);
        let place = app.catalogue.place(self.filial);
        let voice = match &place {
            Some(place) => caller.voice(place.country),
            None => Voice {
                lang: Lang::Ru,
                fallback: Lang::En,
            },
        };
        let steps = self.steps(app);
        let last = steps.last();
        let status = last.map_or("created", |step| step.status.as_str());
        let waits = last.filter(|_| !self.held);
        let next = waits.and_then(|last| timeline::expected(&self.kind, last, &app.clock));
        let personal = |value: Value| if mine { value } else { Value::Null };
        let paid = self.payment == "online" && !self.held;
        let card = if paid { self.sum } else { 0 };
        let refunded = paid && status == "canceled";
        let positions: Vec<Value> = self
            .lines
            .iter()
            .filter(|_| mine)
            .map(|line| line.wire(voice))
            .collect();
        json!({
            "id": self.id,
            "number": self.number,
            "type": self.kind,
            "status": status,
            "table_number": personal(json!(self.table)),
            "sum": personal(major(self.sum)),
            "goods_sum": personal(major(self.goods)),
            "service_sum": personal(major(self.service)),
            "payment_type": self.payment,
            "paid_with_card": personal(major(card)),
            "delivery_sum": personal(major(self.delivery)),
            "discount_sum": personal(major(self.discount)),
            "bonus_paid": personal(major(self.bonus)),
            "cashback_given": personal(major(if self.held || status == "canceled" { 0 } else { self.cashback })),
            "refund_sum": personal(if refunded { major(self.sum) } else { Value::Null }),
            "is_paid": paid,
            "payment": personal(json!(self.attempt.as_ref().map(|payment| payment.wire(&caller.base)))),
            "address": personal(json!(self.address)),
            "grade": personal(json!(self.grade)),
            "comment": personal(json!(self.comment)),
            "name": personal(json!(self.name)),
            "created_at": iso(self.created_at),
            "cooking_time": self.minutes,
            "current_order_status": {
                "status": status,
                "next_average_time": next.map(iso),
                "next_status_time": null,
            },
            "statuses": steps.iter().map(|step| json!({"status": step.status, "time": iso(step.at)})).collect::<Vec<_>>(),
            "positions": positions,
            "filial": place.map(|place| json!({
                "id": place.filial,
                "name": place.venue.name.get(voice.lang, voice.fallback),
                "address": place.venue.address.get(voice.lang, voice.fallback),
                "brand_name": place.brand.name.get(voice.lang, voice.fallback),
            })),
            "cancel_reason": last.and_then(|step| step.reason.as_deref()).map(|reason| said(reason, voice)),
            "personal": mine,
        })
    }
}

/// A reason of the sandbox itself is there in every language; others are as they were typed.
fn said(reason: &str, voice: Voice) -> String {
    match serde_json::from_str::<Text>(reason) {
        Ok(text) => text.get(voice.lang, voice.fallback).to_owned(),
        Err(_) => reason.to_owned(),
    }
}

impl Line {
    fn wire(&self, voice: Voice) -> Value {
        let additives: Vec<Value> = serde_json::from_str(&self.additives).unwrap_or_default();
        let additives: Vec<Value> = additives
            .iter()
            .map(|additive| {
                let name: Text =
                    serde_json::from_value(additive["name"].clone()).unwrap_or_default();
                json!({
                    "name": name.get(voice.lang, voice.fallback),
                    "count": additive["count"],
                    "price": major(additive["price"].as_i64().unwrap_or(0)),
                })
            })
            .collect();
        let name: Text = serde_json::from_str(&self.name).unwrap_or_default();
        json!({
            "product_id": self.product,
            "name": name.get(voice.lang, voice.fallback),
            "count": self.count,
            "price": major(self.price),
            "regular_price": major(self.regular),
            "promo_count": if self.regular > self.price { self.promo_count } else { 0 },
            "comment": self.comment,
            "sum": major(self.sum),
            "additives": additives,
        })
    }
}

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
    pub(crate) sum: i64,
    pub(crate) minutes: i64,
    pub(crate) fingerprint: Option<String>,
    pub(crate) created_at: i64,
    lines: Vec<Line>,
    steps: Vec<Step>,
}

struct Line {
    product: i64,
    name: String,
    count: i64,
    price: i64,
    sum: i64,
    additives: String,
}

const COLUMNS: &str = "seq, id, number, kind, filial_id, table_number, payment_type, name, comment, goods_sum, \
     service_sum, sum, cooking_time, fingerprint, created_at";

/// The order of this id.
pub(crate) fn find(db: &Connection, id: &str) -> Result<Option<Record>, Refusal> {
    let found = db
        .prepare_cached(&format!("SELECT {COLUMNS} FROM orders WHERE id = ?1"))?
        .query_row([id], Record::from_row)
        .optional()?;
    found.map(|record| record.complete(db)).transpose()
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
            sum: row.get(11)?,
            minutes: row.get(12)?,
            fingerprint: row.get(13)?,
            created_at: row.get(14)?,
            lines: Vec::new(),
            steps: Vec::new(),
        })
    }

    fn complete(mut self, db: &Connection) -> Result<Record, Refusal> {
        self.steps = timeline::load(db, self.seq)?;
        let mut statement = db.prepare_cached(
            "SELECT product_id, name, count, price, sum, additives FROM order_lines WHERE order_seq = ?1 ORDER BY position",
        )?;
        let lines = statement.query_map([self.seq], |row| {
            Ok(Line {
                product: row.get(0)?,
                name: row.get(1)?,
                count: row.get(2)?,
                price: row.get(3)?,
                sum: row.get(4)?,
                additives: row.get(5)?,
            })
        })?;
        self.lines = lines.collect::<Result<_, _>>()?;
        Ok(self)
    }

    /// Every step until now, those included that nobody has written down yet.
    pub(crate) fn steps(&self, app: &App) -> Vec<Step> {
        let mut steps = self.steps.clone();
        if let Some(last) = self.steps.last() {
            steps.extend(timeline::due(&self.kind, last, &app.clock));
        }
        steps
    }

    /// Who placed it may see everything; others see that it exists and how far it is.
    pub(crate) fn wire(&self, app: &App, caller: &Caller) -> Value {
        let mine = self.fingerprint.is_some() && self.fingerprint == caller.fingerprint;
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
        let next = last.and_then(|last| timeline::expected(&self.kind, last, &app.clock));
        let personal = |value: Value| if mine { value } else { Value::Null };
        let card = if self.payment == "online" {
            self.sum
        } else {
            0
        };
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
            "bonus_paid": personal(json!(0)),
            "cashback_given": personal(json!(0)),
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
            "cancel_reason": last.and_then(|step| step.reason.clone()),
            "personal": mine,
        })
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
            "sum": major(self.sum),
            "additives": additives,
        })
    }
}

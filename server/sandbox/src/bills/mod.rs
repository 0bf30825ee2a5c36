//! Bills of tables: a waiter adds to them, several phones pay them in parts.

pub(crate) mod booking;
pub(crate) mod calls;
pub(crate) mod pay;

use rusqlite::{Connection, OptionalExtension, Transaction, params};
use serde_json::{Value, json};

use crate::accounts::balance;
use crate::app::App;
use crate::caller::Caller;
use crate::catalogue::Place;
use crate::clock::iso;
use crate::ids::unguessable;
use crate::model::{Country, Lang, Product, Table, Text};
use crate::money::{major, percent_floor};
use crate::refusal::Refusal;

/// The first bill that someone pays here gives this much back, percent.
pub(crate) const FIRST_PERCENT: i64 = 10;
/// A table whose bill was closed stays without one this long, milliseconds.
const QUIET: i64 = 10 * 60 * 1000;
/// An attempt to pay a part holds that part for so long, milliseconds.
const HOLD_TIME: i64 = 15 * 60 * 1000;

/// A bill with its lines and the parts that are paid or being paid.
pub(crate) struct Bill {
    pub(crate) id: String,
    pub(crate) filial: i64,
    table: String,
    number: String,
    preorder: bool,
    pub(crate) user: Option<i64>,
    pub(crate) closed: bool,
    created_at: i64,
    lines: Vec<Line>,
    parts: Vec<Part>,
}

struct Line {
    product: i64,
    name: Text,
    count: i64,
    price: i64,
}

struct Part {
    user: Option<i64>,
    sum: i64,
    tips: i64,
    bonus: i64,
    status: String,
    created_at: i64,
}

/// The bill of this id.
pub(crate) fn find(db: &Connection, id: &str) -> Result<Bill, Refusal> {
    let query = "SELECT id, filial_id, table_id, number, preorder, user_id, closed, created_at FROM bills WHERE id = ?1";
    let found = db
        .prepare_cached(query)?
        .query_row([id], |row| {
            Ok(Bill {
                id: row.get(0)?,
                filial: row.get(1)?,
                table: row.get(2)?,
                number: row.get(3)?,
                preorder: row.get(4)?,
                user: row.get(5)?,
                closed: row.get(6)?,
                created_at: row.get(7)?,
                lines: Vec::new(),
                parts: Vec::new(),
            })
        })
        .optional()?;
    let mut bill = found.ok_or_else(not_found)?;
    let query = "SELECT product_id, name, count, price FROM bill_lines WHERE bill_id = ?1 ORDER BY position";
    let mut lines = db.prepare_cached(query)?;
    let lines = lines.query_map([id], |row| {
        let name: String = row.get(1)?;
        let name = serde_json::from_str(&name).unwrap_or_default();
        Ok(Line {
            product: row.get(0)?,
            name,
            count: row.get(2)?,
            price: row.get(3)?,
        })
    })?;
    bill.lines = lines.collect::<Result<_, _>>()?;
    let query = "SELECT user_id, sum, tips, bonus, status, created_at FROM bill_payments WHERE bill_id = ?1 ORDER BY created_at";
    let mut parts = db.prepare_cached(query)?;
    let parts = parts.query_map([id], |row| {
        Ok(Part {
            user: row.get(0)?,
            sum: row.get(1)?,
            tips: row.get(2)?,
            bonus: row.get(3)?,
            status: row.get(4)?,
            created_at: row.get(5)?,
        })
    })?;
    bill.parts = parts.collect::<Result<_, _>>()?;
    Ok(bill)
}

/// The open bill of a table.
pub(crate) fn open_of(db: &Connection, venue: i64, table: &str) -> Result<Option<String>, Refusal> {
    let query = "SELECT id FROM bills WHERE venue_id = ?1 AND table_id = ?2 AND closed = 0 AND preorder = 0";
    Ok(db
        .query_row(query, params![venue, table], |row| row.get(0))
        .optional()?)
}

/// The open bill that was made last.
pub(crate) fn newest_open(db: &Connection) -> Result<Option<String>, Refusal> {
    let query = "SELECT id FROM bills WHERE closed = 0 ORDER BY created_at DESC LIMIT 1";
    Ok(db.query_row(query, [], |row| row.get(0)).optional()?)
}

/// The bills that were made last.
pub(crate) fn newest(db: &Connection, most: i64) -> Result<Vec<String>, Refusal> {
    let mut statement =
        db.prepare_cached("SELECT id FROM bills ORDER BY created_at DESC LIMIT ?1")?;
    let found = statement.query_map([most], |row| row.get(0))?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// Whether the table had a bill a moment ago: its guests are still there.
pub(crate) fn was_closed_lately(
    db: &Connection,
    venue: i64,
    table: &str,
    now: i64,
) -> Result<bool, Refusal> {
    let query = "SELECT COUNT(*) FROM bills WHERE venue_id = ?1 AND table_id = ?2 AND closed = 1 AND closed_at > ?3";
    let count: i64 = db.query_row(query, params![venue, table, now - QUIET], |row| row.get(0))?;
    Ok(count > 0)
}

/// A new bill for a table, or for a preorder of someone.
pub(crate) fn create(
    db: &Transaction<'_>,
    place: &Place<'_>,
    table: Option<&Table>,
    user: Option<i64>,
    now: i64,
) -> Result<String, Refusal> {
    let id = unguessable("b_");
    let count: i64 = db.query_row("SELECT COUNT(*) FROM bills", [], |row| row.get(0))?;
    let added = db.execute(
        "INSERT INTO bills (id, filial_id, venue_id, table_id, number, preorder, user_id, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO NOTHING",
        params![
            id,
            place.filial,
            place.venue.id,
            table.map_or("", |table| &table.id),
            (count + 1).to_string(),
            table.is_none(),
            user,
            now
        ],
    )?;
    match table.filter(|_| added == 0) {
        Some(table) => open_of(db, place.venue.id, &table.id)?.ok_or_else(not_found),
        None => Ok(id),
    }
}

/// The waiter brings one more thing.
pub(crate) fn add(
    db: &Transaction<'_>,
    bill: &str,
    product: &Product,
    price: i64,
    count: i64,
) -> Result<(), Refusal> {
    db.prepare_cached(
        "INSERT INTO bill_lines (bill_id, position, product_id, name, count, price)
         SELECT ?1, COALESCE(MAX(position) + 1, 0), ?2, ?3, ?4, ?5 FROM bill_lines WHERE bill_id = ?1",
    )?
    .execute(params![bill, product.id, json!(product.name).to_string(), count, price])?;
    Ok(())
}

/// Closes a bill when nothing is left to pay.
pub(crate) fn close_if_paid(db: &Transaction<'_>, app: &App, id: &str) -> Result<(), Refusal> {
    let bill = find(db, id)?;
    if bill.paid() >= bill.sum(app) && !bill.lines.is_empty() {
        close(db, id, app.clock.now())?;
    }
    Ok(())
}

/// Closes a bill.
pub(crate) fn close(db: &Transaction<'_>, id: &str, now: i64) -> Result<(), Refusal> {
    db.execute(
        "UPDATE bills SET closed = 1, closed_at = ?2 WHERE id = ?1",
        params![id, now],
    )?;
    Ok(())
}

impl Bill {
    pub(crate) fn goods(&self) -> i64 {
        self.lines.iter().map(|line| line.price * line.count).sum()
    }

    pub(crate) fn service(&self, app: &App) -> i64 {
        let place = app.catalogue.place(self.filial);
        place.map_or(0, |place| {
            percent_floor(
                self.goods(),
                place.service_percentage(),
                place.country.meta.money.fraction_digits,
            )
        })
    }

    pub(crate) fn sum(&self, app: &App) -> i64 {
        self.goods() + self.service(app)
    }

    pub(crate) fn paid(&self) -> i64 {
        let paid = self.parts.iter().filter(|part| part.status == "succeeded");
        paid.map(|part| part.sum).sum()
    }

    /// What is neither paid nor being paid.
    pub(crate) fn left(&self, app: &App) -> i64 {
        let oldest = app.clock.now() - HOLD_TIME;
        let pending = self
            .parts
            .iter()
            .filter(|part| part.status == "pending" && part.created_at > oldest);
        let pending: i64 = pending.map(|part| part.sum).sum();
        (self.sum(app) - self.paid() - pending).max(0)
    }

    /// Its sums and parts, for tests of what the product has done.
    pub(crate) fn to_json(&self, app: &App) -> Value {
        let parts = self.parts.iter().map(
            |part| json!({"sum": major(part.sum), "tips": major(part.tips), "status": part.status}),
        );
        json!({
            "id": self.id,
            "status": if self.closed { "closed" } else { "open" },
            "sum": major(self.sum(app)),
            "left_sum": major(self.left(app)),
            "payments": parts.collect::<Vec<_>>(),
        })
    }

    pub(crate) fn wire(
        &self,
        app: &App,
        caller: &Caller,
        user: Option<i64>,
        first: bool,
        bonus: i64,
    ) -> Value {
        let place = app.catalogue.place(self.filial);
        let voice = place.map(|place| caller.voice(place.country));
        let items: Vec<Value> = self
            .lines
            .iter()
            .map(|line| {
                json!({
                    "product_id": line.product,
                    "name": voice.map_or("", |voice| line.name.get(voice.lang, voice.fallback)),
                    "count": line.count,
                    "price": major(line.price),
                    "sum": major(line.price * line.count),
                })
            })
            .collect();
        let parts = self.parts.iter().map(|part| {
            let mine = user.is_some() && part.user == user;
            json!({
                "sum": major(part.sum),
                "tips": major(part.tips),
                "bonus": major(part.bonus),
                "status": part.status,
                "mine": mine,
            })
        });
        let table = place.and_then(|place| {
            place
                .venue
                .tables
                .iter()
                .find(|table| table.id == self.table)
        });
        json!({
            "id": self.id,
            "number": self.number,
            "filial_id": self.filial,
            "table": table.map(|table| json!({"id": table.id, "number": table.number})),
            "is_preorder": self.preorder,
            "status": if self.closed { "closed" } else { "open" },
            "created_at": iso(self.created_at),
            "items": items,
            "goods_sum": major(self.goods()),
            "service_percentage": place.map_or(0, |place| place.service_percentage()),
            "service_sum": major(self.service(app)),
            "sum": major(self.sum(app)),
            "paid_sum": major(self.paid()),
            "left_sum": major(self.left(app)),
            "payments": parts.collect::<Vec<_>>(),
            "is_first_payment": first,
            "cashback_percentage": if first { FIRST_PERCENT } else { 3 },
            "max_bonus": major((self.goods() * balance::MOST_BONUS_PERCENT / 100).min(bonus)),
            "tips_percentages": [0, 5, 10, 15],
            "waiter": {"name": place.map(|place| waiter(place.country, caller))},
        })
    }
}

/// Who serves there, in letters that the guest reads.
fn waiter(country: &Country, caller: &Caller) -> &'static str {
    let lang = caller.voice(country).lang;
    match (country.meta.country_code.as_str(), lang) {
        ("ge", Lang::Ka) => "ნინო",
        ("ge", Lang::En) => "Nino",
        ("ge", _) => "Нино",
        (_, Lang::En | Lang::Ka) => "Aidana",
        _ => "Айдана",
    }
}

pub(crate) fn not_found() -> Refusal {
    Refusal::not_found("bill_not_found", "Bill is not found")
}

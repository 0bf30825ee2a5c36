//! Placing an order: once per idempotency key, at the prices of the moment.

use axum::http::StatusCode;
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use serde::Deserialize;
use serde_json::{Value, json};

use super::quote::{Item, Quote, Trouble};
use super::timeline::{self, Step};
use crate::api::stop_list;
use crate::app::App;
use crate::caller::Caller;
use crate::catalogue::{Place, Service};
use crate::hours;
use crate::model::{Table, Text};
use crate::money::{hundredths, major, percent_floor};
use crate::refusal::Refusal;

/// What an order to the table brings along.
#[derive(Deserialize)]
pub(crate) struct ExpressBody {
    filial_id: i64,
    #[serde(default)]
    main_terminal_id: Value,
    #[serde(default)]
    table_id: Option<String>,
    #[serde(default)]
    source: Option<String>,
    payment_type: String,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    comment: Option<String>,
    items: Vec<Item>,
    #[serde(default)]
    expected_sum: Option<f64>,
}

/// An order that may be written down.
pub(crate) struct Draft {
    kind: &'static str,
    filial: i64,
    venue: i64,
    table: Option<Table>,
    source: String,
    payment: String,
    name: String,
    comment: String,
    goods: i64,
    service: i64,
    minutes: i64,
    lines: Vec<Line>,
    fingerprint: Option<String>,
    key: String,
}

struct Line {
    product: i64,
    size: Option<i64>,
    name: String,
    count: i64,
    price: i64,
    additives: String,
    chosen: String,
    comment: String,
}

/// Places an order to the table, or gives the answer that this key got before.
pub(crate) async fn express(app: &App, caller: &Caller, body: Value) -> Result<Value, Refusal> {
    const OPERATION: &str = "express";
    let key = caller.idempotency_key.clone();
    let key = key.ok_or_else(|| Refusal::bad("X-Idempotency-key is required"))?;
    let (asked, text) = (key.clone(), body.to_string());
    if let Some(answer) = app
        .store
        .read(move |db| replay(db, OPERATION, &asked, &text))
        .await?
    {
        return Ok(answer);
    }
    let text = body.to_string();
    let order: ExpressBody = serde_json::from_value(body)
        .map_err(|error| Refusal::bad(format!("The body is not as expected: {error}")))?;
    let draft = order.draft(app, caller, key)?;
    let id = unguessable("o_");
    let shared = app.clone();
    app.store
        .write(move |db| draft.commit(db, &shared, OPERATION, &text, &id))
        .await
}

/// The stored answer of this key; another body under it is refused.
pub(crate) fn replay(
    db: &Connection,
    operation: &str,
    key: &str,
    body: &str,
) -> Result<Option<Value>, Refusal> {
    let found: Option<(String, String)> = db
        .prepare_cached("SELECT body, answer FROM idempotency WHERE operation = ?1 AND key = ?2")?
        .query_row((operation, key), |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    match found {
        None => Ok(None),
        Some((first, answer)) if first == body => Ok(serde_json::from_str(&answer).ok()),
        Some(_) => Err(Refusal::unprocessable(
            "idempotency_mismatch",
            "This idempotency key came with another body before",
        )),
    }
}

/// Remembers the answer of this key.
pub(crate) fn remember(
    db: &Transaction<'_>,
    operation: &str,
    key: &str,
    body: &str,
    answer: &Value,
    now: i64,
) -> Result<(), Refusal> {
    db.prepare_cached(
        "INSERT INTO idempotency (operation, key, body, status, answer, created_at) VALUES (?1, ?2, ?3, 201, ?4, ?5)",
    )?
    .execute(params![operation, key, body, answer.to_string(), now])?;
    Ok(())
}

/// A prefix and 128 random bits.
pub(crate) fn unguessable(prefix: &str) -> String {
    format!("{prefix}{:032x}", rand::random::<u128>())
}

impl ExpressBody {
    fn draft(self, app: &App, caller: &Caller, key: String) -> Result<Draft, Refusal> {
        let place = app.place(self.filial_id)?;
        if place.service != Service::Express {
            return Err(Refusal::bad("This filial takes no orders to the table"));
        }
        stop_list::few(&self.items)?;
        self.items.iter().try_for_each(Item::check)?;
        let name = short(self.name.as_deref(), "name", 100)?;
        let comment = short(self.comment.as_deref(), "comment", 500)?;
        let source = short(self.source.as_deref().or(Some("QR")), "source", 40)?;
        open(app, &place)?;
        let table = table(&place, self.table_id.as_deref(), &self.main_terminal_id)?;
        pays(&place, &self.payment_type)?;
        let quotes = quotes(app, &place, &self.items)?;
        let goods: i64 = quotes.iter().map(Quote::sum).sum();
        let digits = place.country.meta.money.fraction_digits;
        let service = percent_floor(goods, place.service_percentage(), digits);
        expects(self.expected_sum, goods + service)?;
        let kitchen: Vec<(i64, i64)> = quotes
            .iter()
            .map(|quote| (quote.product.cooking_time, quote.count))
            .collect();
        Ok(Draft {
            kind: "express",
            filial: place.filial,
            venue: place.venue.id,
            table: Some(table),
            source,
            payment: self.payment_type,
            name,
            comment,
            goods,
            service,
            minutes: stop_list::minutes(&kitchen),
            lines: quotes.iter().map(Line::from_quote).collect(),
            fingerprint: caller.fingerprint.clone(),
            key,
        })
    }
}

fn open(app: &App, place: &Place<'_>) -> Result<(), Refusal> {
    let by_hand = app.overrides.is_closed(place.venue);
    let by_hours = !hours::takes_orders(place.venue, &place.country.meta, app.clock.now());
    if by_hand || by_hours {
        return Err(Refusal::unprocessable(
            "venue_closed",
            "The venue is closed",
        ));
    }
    Ok(())
}

/// The table of the QR link; a link of another terminal attaches none.
fn table(place: &Place<'_>, id: Option<&str>, terminal: &Value) -> Result<Table, Refusal> {
    let id = id.filter(|id| !id.is_empty());
    let id = id.ok_or_else(|| Refusal::unprocessable("table_required", "A table is required"))?;
    let terminal = match terminal {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let own = terminal.is_none_or(|text| text == place.venue.main_terminal_id.to_string());
    let table = place
        .venue
        .tables
        .iter()
        .find(|table| own && table.id == id)
        .cloned();
    table.ok_or_else(|| Refusal::unprocessable("table_unknown", "The table is not known here"))
}

fn pays(place: &Place<'_>, payment: &str) -> Result<(), Refusal> {
    let takes = match payment {
        "cash" => place.takes_cash(),
        "online" => place.takes_online(),
        _ => return Err(Refusal::bad("payment_type must be cash or online")),
    };
    if takes {
        return Ok(());
    }
    Err(Refusal::unprocessable(
        "payment_unavailable",
        "This payment is not possible here",
    ))
}

fn quotes<'a>(app: &App, place: &Place<'a>, items: &[Item]) -> Result<Vec<Quote<'a>>, Refusal> {
    let mut quotes = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let about = json!({"index": index, "product_id": item.product_id});
        match item.quote(app, place) {
            Err(Trouble::Unavailable) => {
                let title = "A position is no longer available";
                return Err(Refusal::unprocessable("item_unavailable", title).with(about));
            }
            Err(Trouble::Options(mut meta)) => {
                crate::api::location::merge(&mut meta, about);
                let title = "The chosen options do not fit";
                return Err(Refusal::unprocessable("options_invalid", title).with(meta));
            }
            Ok(quote) if item.believes_another(quote.price) => {
                let mut meta = about;
                meta["price"] = major(quote.price);
                let title = "A position has changed in price";
                return Err(Refusal::unprocessable("price_changed", title).with(meta));
            }
            Ok(quote) => quotes.push(quote),
        }
    }
    Ok(quotes)
}

fn expects(expected: Option<f64>, sum: i64) -> Result<(), Refusal> {
    let Some(expected) = expected else {
        return Ok(());
    };
    match hundredths(expected) {
        None => Err(Refusal::bad("expected_sum must be a sum")),
        Some(expected) if expected == sum => Ok(()),
        Some(_) => {
            let refusal = Refusal::unprocessable("sum_mismatch", "The sum is another one");
            Err(refusal.with(json!({"sum": major(sum)})))
        }
    }
}

fn short(text: Option<&str>, name: &str, most: usize) -> Result<String, Refusal> {
    let text = text.unwrap_or("").trim();
    if text.chars().count() > most {
        return Err(Refusal::bad(format!("{name} is too long")));
    }
    Ok(text.to_owned())
}

impl Line {
    fn from_quote(quote: &Quote<'_>) -> Line {
        let name = match quote.size {
            Some(size) => quote.product.name.joined(&size.name),
            None => quote.product.name.clone(),
        };
        let additives: Vec<Value> = quote
            .additives
            .iter()
            .map(|(additive, count)| json!({"name": additive.name, "count": count, "price": additive.price}))
            .collect();
        let chosen: Vec<Value> = quote
            .additives
            .iter()
            .map(|(additive, count)| json!({"id": additive.id, "count": count}))
            .collect();
        Line {
            product: quote.product.id,
            size: quote.size.map(|size| size.id),
            name: json!(name).to_string(),
            count: quote.count,
            price: quote.price,
            additives: Value::Array(additives).to_string(),
            chosen: Value::Array(chosen).to_string(),
            comment: quote.comment.clone(),
        }
    }
}

impl Text {
    /// "Кола, 0,5 л" in every language that has the first text.
    fn joined(&self, size: &Text) -> Text {
        let join = |name: &Option<String>, lang| {
            name.as_ref()
                .map(|name| format!("{name}, {}", size.get(lang, crate::model::Lang::Ru)))
        };
        use crate::model::Lang;
        Text {
            kk: join(&self.kk, Lang::Kk),
            ru: join(&self.ru, Lang::Ru),
            en: join(&self.en, Lang::En),
            ka: join(&self.ka, Lang::Ka),
        }
    }
}

impl Draft {
    /// Writes the order with its answer in one transaction, unless its key was quicker.
    fn commit(
        self,
        db: &Transaction<'_>,
        app: &App,
        operation: &str,
        body: &str,
        id: &str,
    ) -> Result<Value, Refusal> {
        if let Some(answer) = replay(db, operation, &self.key, body)? {
            return Ok(answer);
        }
        let now = app.clock.now();
        let seq: i64 = db
            .prepare_cached("SELECT COALESCE(MAX(seq), 0) + 1 FROM orders")?
            .query_row([], |row| row.get(0))?;
        let number = number(seq);
        self.insert(db, seq, id, &number, now)?;
        let step = Step {
            status: "created".to_owned(),
            at: now,
            paced: app.clock.paced(),
            reason: None,
        };
        timeline::append(db, seq, &step)?;
        let sum = major(self.goods + self.service);
        let answer = json!({"data": {"id": id, "number": number, "status": "created", "sum": sum}});
        remember(db, operation, &self.key, body, &answer, now)?;
        Ok(answer)
    }

    fn insert(
        &self,
        db: &Transaction<'_>,
        seq: i64,
        id: &str,
        number: &str,
        now: i64,
    ) -> Result<(), Refusal> {
        db.prepare_cached(
            "INSERT INTO orders (seq, id, number, kind, filial_id, venue_id, table_id, table_number, source,
                payment_type, name, comment, goods_sum, service_sum, sum, cooking_time, fingerprint,
                idempotency_key, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)",
        )?
        .execute(params![
            seq,
            id,
            number,
            self.kind,
            self.filial,
            self.venue,
            self.table.as_ref().map(|table| &table.id),
            self.table.as_ref().map(|table| &table.number),
            self.source,
            self.payment,
            self.name,
            self.comment,
            self.goods,
            self.service,
            self.goods + self.service,
            self.minutes,
            self.fingerprint,
            self.key,
            now,
        ])?;
        for (position, line) in self.lines.iter().enumerate() {
            self.insert_line(db, seq, position, line)?;
        }
        Ok(())
    }

    fn insert_line(
        &self,
        db: &Transaction<'_>,
        seq: i64,
        position: usize,
        line: &Line,
    ) -> Result<(), Refusal> {
        db.prepare_cached(
            "INSERT INTO order_lines (order_seq, position, product_id, size_id, name, count, price, sum, additives, comment)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        )?
        .execute(params![
            seq,
            i64::try_from(position).unwrap_or(i64::MAX),
            line.product,
            line.size,
            line.name,
            line.count,
            line.price,
            line.price * line.count,
            line.additives,
            line.comment,
        ])?;
        if let (Some(owner), false) = (&self.fingerprint, line.chosen == "[]") {
            db.prepare_cached(
                "INSERT INTO last_selected (owner, product_id, additives) VALUES (?1, ?2, ?3)
                 ON CONFLICT DO UPDATE SET additives = excluded.additives",
            )?
            .execute(params![owner, line.product, line.chosen])?;
        }
        Ok(())
    }
}

/// `A-001` … `Z-999`, then from the start.
fn number(seq: i64) -> String {
    let letter = char::from(b'A' + u8::try_from(seq / 1000 % 26).unwrap_or(0));
    format!("{letter}-{:03}", seq % 1000)
}

/// The status of a placed order.
pub(crate) const PLACED: StatusCode = StatusCode::CREATED;

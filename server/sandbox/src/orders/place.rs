//! Placing an order: once per idempotency key, at the prices of the moment.

use axum::http::StatusCode;
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use serde_json::{Value, json};

use super::draft::{Draft, Line, OrderBody};
use super::kind::Kind;
use super::limits::{self, Buyer, Used};
use super::paying::reward;
use super::timeline::{self, Step};
use crate::accounts::unauthorized;
use crate::app::App;
use crate::caller::Caller;
use crate::ids::unguessable;
use crate::money::major;
use crate::payments;
use crate::refusal::Refusal;

/// The status of a placed order.
pub(crate) const PLACED: StatusCode = StatusCode::CREATED;

/// Places an order, or gives the answer that this key got before.
pub(crate) async fn place(
    app: &App,
    caller: &Caller,
    kind: Kind,
    body: Value,
) -> Result<Value, Refusal> {
    let user = app.maybe_signed_in(caller).await?;
    if user.is_none() && kind != Kind::Express {
        return Err(unauthorized());
    }
    let key = required_key(caller)?;
    let (asked, text) = (key.clone(), body.to_string());
    if let Some(answer) = app
        .store
        .read(move |db| replay(db, kind.name(), &asked, &text))
        .await?
    {
        return Ok(answer);
    }
    let text = body.to_string();
    let order: OrderBody = serde_json::from_value(body)
        .map_err(|error| Refusal::bad(format!("The body is not as expected: {error}")))?;
    let (filial, products) = (order.filial(), order.products());
    let buyer = Buyer {
        user: user.as_ref().map(|user| user.id),
        fingerprint: caller.fingerprint.clone(),
    };
    let used = app.used(filial, buyer, products).await?;
    let mut draft = order.draft(app, caller, kind, user.as_ref(), used)?;
    draft.key = key;
    let shared = app.clone();
    app.store
        .write(move |db| draft.commit(db, &shared, &text))
        .await
}

impl App {
    /// What this buyer has had today of the promos that a day limits.
    pub(crate) async fn used(
        &self,
        filial: i64,
        buyer: Buyer,
        products: Vec<i64>,
    ) -> Result<Used, Refusal> {
        let app = self.clone();
        let now = self.clock.now();
        self.store
            .read(move |db| limits::used(db, &app.place(filial)?, &buyer, &products, now))
            .await
    }
}

/// The idempotency key, without which nothing is bought.
pub(crate) fn required_key(caller: &Caller) -> Result<String, Refusal> {
    let key = caller.idempotency_key.clone();
    key.ok_or_else(|| Refusal::bad("X-Idempotency-key is required"))
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

impl Draft {
    /// Writes the order with its answer in one transaction, unless its key was quicker.
    fn commit(self, db: &Transaction<'_>, app: &App, body: &str) -> Result<Value, Refusal> {
        let operation = self.kind.name();
        if let Some(answer) = replay(db, operation, &self.key, body)? {
            return Ok(answer);
        }
        let now = app.clock.now();
        self.still_within_the_day(db, app, now)?;
        let seq: i64 = db
            .prepare_cached("SELECT COALESCE(MAX(seq), 0) + 1 FROM orders")?
            .query_row([], |row| row.get(0))?;
        let (id, number) = (unguessable("o_"), number(seq));
        self.take_bonus(db)?;
        self.insert(db, seq, &id, &number, now)?;
        let step = Step {
            status: "created".to_owned(),
            at: now,
            paced: app.clock.paced(),
            reason: None,
        };
        timeline::append(db, seq, &step)?;
        let payment = match &self.pay_page {
            Some(page) => Some(payments::open(
                db,
                &page.request("order", &id, self.sum()),
                now,
            )?),
            None => {
                reward(db, seq)?;
                None
            }
        };
        let answer = json!({"data": {
            "id": id,
            "number": number,
            "status": "created",
            "sum": major(self.sum()),
            "payment": payment.map(|payment| payment.wire(&self.base)),
        }});
        remember(db, operation, &self.key, body, &answer, now)?;
        Ok(answer)
    }

    /// Another order of the same buyer may have taken from the day's promos meanwhile.
    fn still_within_the_day(
        &self,
        db: &Transaction<'_>,
        app: &App,
        now: i64,
    ) -> Result<(), Refusal> {
        let products: Vec<i64> = self.used.keys().copied().collect();
        if limits::used(db, &app.place(self.filial)?, &self.buyer, &products, now)? == self.used {
            return Ok(());
        }
        let title = "The day's limit of a promo has changed";
        Err(Refusal::unprocessable("price_changed", title))
    }

    /// Two orders cannot spend the same bonus: the row refuses to go below nothing.
    fn take_bonus(&self, db: &Transaction<'_>) -> Result<(), Refusal> {
        if self.bonus == 0 {
            return Ok(());
        }
        let taken = db.execute(
            "UPDATE users SET bonus = bonus - ?2 WHERE id = ?1 AND bonus >= ?2",
            params![self.buyer.user, self.bonus],
        )?;
        if taken == 1 {
            Ok(())
        } else {
            Err(super::rules::bonus_too_much())
        }
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
                payment_type, name, comment, goods_sum, service_sum, delivery_sum, discount_sum, bonus_sum, sum,
                cooking_time, fingerprint, user_id, held, cashback, address, idempotency_key, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20,
                ?21, ?22, ?23, ?24, ?25, ?26)",
        )?
        .execute(params![
            seq,
            id,
            number,
            self.kind.name(),
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
            self.delivery,
            self.discount,
            self.bonus,
            self.sum(),
            self.minutes,
            self.buyer.fingerprint,
            self.buyer.user,
            self.pay_page.is_some(),
            self.cashback,
            self.address.as_ref().map(Value::to_string),
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
            "INSERT INTO order_lines (order_seq, position, product_id, size_id, name, count, price, sum,
                additives, chosen, comment, promo_count, regular)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
        )?
        .execute(params![
            seq,
            i64::try_from(position).unwrap_or(i64::MAX),
            line.product,
            line.size,
            line.name,
            line.count,
            line.price,
            line.sum,
            line.additives,
            line.chosen,
            line.comment,
            line.promo_count,
            line.regular,
        ])?;
        if let (Some(owner), false) = (&self.buyer.fingerprint, line.chosen == "[]") {
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

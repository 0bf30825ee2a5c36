//! Paying a part of a bill.

use rusqlite::{Connection, OptionalExtension, Transaction, params};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{FIRST_PERCENT, close_if_paid, find};
use crate::accounts::balance;
use crate::accounts::user::User;
use crate::app::App;
use crate::caller::Caller;
use crate::ids::unguessable;
use crate::money::{hundredths, major, percent_floor};
use crate::orders::place::{remember, replay, required_key};
use crate::orders::rules::bonus_too_much;
use crate::payments::{self, Page};
use crate::refusal::Refusal;

/// What someone wants to pay.
#[derive(Deserialize)]
pub(crate) struct PartBody {
    /// All that is left, when missing.
    #[serde(default)]
    sum: Option<f64>,
    #[serde(default)]
    tips: Option<f64>,
    #[serde(default)]
    bonus: Option<f64>,
    #[serde(default)]
    method: Option<String>,
    #[serde(default)]
    success_url: Option<String>,
    #[serde(default)]
    failure_url: Option<String>,
}

/// A part with everything decided but what is left of the bill by now.
struct Plan {
    bill: String,
    sum: Option<i64>,
    tips: i64,
    bonus: i64,
    page: Option<Page>,
    user: Option<User>,
    digits: u8,
    key: String,
    base: String,
}

/// Opens the payment of a part, once per key.
pub(crate) async fn pay(
    app: &App,
    caller: &Caller,
    bill: String,
    body: Value,
    user: Option<User>,
) -> Result<Value, Refusal> {
    let text = json!({"bill": bill, "body": body}).to_string();
    let part: PartBody = serde_json::from_value(body)
        .map_err(|error| Refusal::bad(format!("The body is not as expected: {error}")))?;
    let id = bill.clone();
    let found = app.store.read(move |db| find(db, &id)).await?;
    let money = &app.place(found.filial)?.country.meta.money;
    let page = match part.success_url.as_deref() {
        Some(success) => {
            let failure = part.failure_url.as_deref().unwrap_or(success);
            Some(Page::new(
                app,
                money,
                part.method.as_deref().unwrap_or("card"),
                success,
                failure,
            )?)
        }
        None => None,
    };
    let plan = Plan {
        bill,
        sum: part.sum.map(|sum| positive("sum", sum)).transpose()?,
        tips: not_negative("tips", part.tips)?,
        bonus: not_negative("bonus", part.bonus)?,
        page,
        user,
        digits: money.fraction_digits,
        key: required_key(caller)?,
        base: caller.base.clone(),
    };
    let shared = app.clone();
    app.store
        .write(move |db| plan.commit(db, &shared, &text))
        .await
}

impl Plan {
    fn commit(self, db: &Transaction<'_>, app: &App, text: &str) -> Result<Value, Refusal> {
        const OPERATION: &str = "bill";
        if let Some(answer) = replay(db, OPERATION, &self.key, text)? {
            return Ok(answer);
        }
        let bill = find(db, &self.bill)?;
        let left = bill.left(app);
        let sum = self.sum.unwrap_or(left);
        if bill.closed || left == 0 {
            return Err(Refusal::unprocessable(
                "nothing_to_pay",
                "There is nothing left to pay",
            ));
        }
        if sum > left {
            let refusal = Refusal::unprocessable("sum_too_much", "Less is left to pay");
            return Err(refusal.with(json!({"left_sum": major(left)})));
        }
        self.take_bonus(db, sum)?;
        let user = self.user.as_ref();
        let first = user.is_some_and(|user| is_first(db, user.id).unwrap_or(false));
        let percent = match user {
            Some(_) if first => FIRST_PERCENT,
            Some(user) => balance::cashback_percent(user.points),
            None => 0,
        };
        let cashback = percent_floor(sum - self.bonus, percent, self.digits);
        let (part, now) = (unguessable("bp_"), app.clock.now());
        db.execute(
            "INSERT INTO bill_payments (id, bill_id, user_id, sum, tips, bonus, cashback, status, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'pending', ?8)",
            params![part, self.bill, user.map(|user| user.id), sum, self.tips, self.bonus, cashback, now],
        )?;
        let due = sum - self.bonus + self.tips;
        let payment = match &self.page {
            Some(page) if due > 0 => {
                Some(payments::open(db, &page.request("bill", &part, due), now)?)
            }
            _ => {
                settle_part(db, app, &part, "succeeded")?;
                close_if_paid(db, app, &self.bill)?;
                None
            }
        };
        let answer = json!({"data": {
            "id": part,
            "sum": major(sum),
            "tips": major(self.tips),
            "bonus": major(self.bonus),
            "cashback": major(cashback),
            "status": if payment.is_some() { "pending" } else { "succeeded" },
            "payment": payment.map(|payment| payment.wire(&self.base)),
        }});
        remember(db, OPERATION, &self.key, text, &answer, now)?;
        Ok(answer)
    }

    /// Bonuses pay a part of the sum and never the tips.
    fn take_bonus(&self, db: &Transaction<'_>, sum: i64) -> Result<(), Refusal> {
        if self.bonus == 0 {
            return Ok(());
        }
        let most = sum * balance::MOST_BONUS_PERCENT / 100;
        let user = self.user.as_ref().map(|user| user.id);
        let taken = db.execute(
            "UPDATE users SET bonus = bonus - ?2 WHERE id = ?1 AND bonus >= ?2 AND ?2 <= ?3",
            params![user, self.bonus, most],
        )?;
        if taken == 1 {
            Ok(())
        } else {
            Err(bonus_too_much().with(json!({"max": major(most)})))
        }
    }
}

/// A part of a bill is paid, or is there again for others to pay.
pub(crate) fn settle_part(
    db: &Transaction<'_>,
    app: &App,
    part: &str,
    outcome: &str,
) -> Result<(), Refusal> {
    let query = "SELECT bill_id, user_id, bonus, cashback FROM bill_payments WHERE id = ?1 AND status = 'pending'";
    let found: Option<(String, Option<i64>, i64, i64)> = db
        .query_row(query, [part], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
        })
        .optional()?;
    let Some((bill, user, bonus, cashback)) = found else {
        return Ok(());
    };
    db.execute(
        "UPDATE bill_payments SET status = ?2 WHERE id = ?1",
        params![part, outcome],
    )?;
    match user {
        Some(user) if outcome == "succeeded" => balance::give(db, user, cashback, 1)?,
        Some(user) => balance::give(db, user, bonus, 0)?,
        None => {}
    }
    close_if_paid(db, app, &bill)
}

/// Calls off a part that is not paid yet, and answers how it stands then. A bank's page that is still open elsewhere
/// takes no money for it.
pub(crate) fn call_off(db: &Transaction<'_>, app: &App, part: &str) -> Result<Value, Refusal> {
    let opened = payments::newest(db, "bill", part)?;
    if let Some(payment) = opened.filter(|payment| payment.status == "pending") {
        let ended = payments::end(db, payment, "abandoned", app.clock.now())?;
        settle_part(db, app, part, &ended.status)?;
    }
    let query = "SELECT sum, tips, bonus, cashback, status FROM bill_payments WHERE id = ?1";
    let found = db
        .query_row(query, [part], |row| {
            Ok(json!({
                "id": part,
                "sum": major(row.get(0)?),
                "tips": major(row.get(1)?),
                "bonus": major(row.get(2)?),
                "cashback": major(row.get(3)?),
                "status": row.get::<_, String>(4)?,
                "payment": null,
            }))
        })
        .optional()?;
    found.ok_or_else(|| Refusal::not_found("part_not_found", "There is no such part"))
}

/// Gives back what was paid of a bill: the money, the bonuses and the cashback go where they came from.
pub(crate) fn refund(db: &Transaction<'_>, bill: &str) -> Result<(), Refusal> {
    let query = "SELECT id, user_id, bonus, cashback FROM bill_payments WHERE bill_id = ?1 AND status = 'succeeded'";
    let mut paid = db.prepare_cached(query)?;
    let paid = paid.query_map([bill], |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
    })?;
    let paid: Vec<(String, Option<i64>, i64, i64)> = paid.collect::<Result<_, _>>()?;
    for (part, user, bonus, cashback) in paid {
        db.execute(
            "UPDATE bill_payments SET status = 'refunded' WHERE id = ?1",
            [&part],
        )?;
        db.execute(
            "UPDATE payments SET status = 'refunded'
             WHERE subject = 'bill' AND subject_id = ?1 AND status = 'succeeded'",
            [&part],
        )?;
        if let Some(user) = user {
            balance::give(db, user, bonus, 0)?;
            balance::give(db, user, -cashback, -1)?;
        }
    }
    Ok(())
}

/// Whether this person has paid no bill yet.
pub(crate) fn is_first(db: &Connection, user: i64) -> Result<bool, Refusal> {
    let query = "SELECT COUNT(*) FROM bill_payments WHERE user_id = ?1 AND status = 'succeeded'";
    let paid: i64 = db.query_row(query, [user], |row| row.get(0))?;
    Ok(paid == 0)
}

fn positive(name: &str, sum: f64) -> Result<i64, Refusal> {
    let sum = hundredths(sum).filter(|sum| *sum > 0);
    sum.ok_or_else(|| Refusal::bad(format!("{name} must be a sum above 0")))
}

fn not_negative(name: &str, sum: Option<f64>) -> Result<i64, Refusal> {
    let sum = hundredths(sum.unwrap_or(0.0)).filter(|sum| *sum >= 0);
    sum.ok_or_else(|| Refusal::bad(format!("{name} must be a sum")))
}

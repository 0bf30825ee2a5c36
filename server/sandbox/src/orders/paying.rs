//! What a payment is to an order.

use rusqlite::{OptionalExtension, Transaction, params};

use super::record::Record;
use crate::accounts::balance;
use crate::app::App;
use crate::payments::{self, Page, Payment};
use crate::refusal::Refusal;

/// Whether an order still waits for its payment.
pub(crate) fn waits(db: &Transaction<'_>, order: &str) -> Result<bool, Refusal> {
    let query = "SELECT 1 FROM orders o WHERE id = ?1 AND held = 1
        AND NOT EXISTS (SELECT 1 FROM order_statuses s WHERE s.order_seq = o.seq AND s.status = 'canceled')";
    let found: Option<i64> = db.query_row(query, [order], |row| row.get(0)).optional()?;
    Ok(found.is_some())
}

/// One more attempt to pay an order, while it waits for one.
pub(crate) fn open_again(
    db: &Transaction<'_>,
    order: &Record,
    page: &Page,
    now: i64,
) -> Result<Payment, Refusal> {
    if !waits(db, &order.id)? {
        return Err(payments::nothing_to_pay());
    }
    payments::open_again(db, &page.request("order", &order.id, order.sum), now)
}

/// A paid order begins to move; paying it twice begins nothing twice.
pub(crate) fn release(db: &Transaction<'_>, app: &App, order: &str) -> Result<(), Refusal> {
    let held: Option<i64> = db
        .query_row(
            "SELECT seq FROM orders WHERE id = ?1 AND held = 1",
            [order],
            |row| row.get(0),
        )
        .optional()?;
    let Some(seq) = held else { return Ok(()) };
    db.execute("UPDATE orders SET held = 0 WHERE seq = ?1", [seq])?;
    db.execute(
        "UPDATE order_statuses SET paced = ?2 WHERE order_seq = ?1 AND step = 0",
        params![seq, app.clock.paced()],
    )?;
    reward(db, seq)
}

/// Gives the cashback of an order that is paid or will be paid in cash.
pub(super) fn reward(db: &Transaction<'_>, seq: i64) -> Result<(), Refusal> {
    let found: Option<(i64, i64)> = db
        .query_row(
            "SELECT user_id, cashback FROM orders WHERE seq = ?1 AND user_id IS NOT NULL",
            [seq],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .optional()?;
    match found {
        Some((user, cashback)) => balance::give(db, user, cashback, 1),
        None => Ok(()),
    }
}

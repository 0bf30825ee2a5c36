//! Taking an order back: the money, the bonuses and the cashback go where they came from.

use rusqlite::{Transaction, params};

use super::record::Record;
use super::timeline::{self, Step};
use crate::accounts::balance;
use crate::app::App;
use crate::refusal::Refusal;

/// Cancels an order, once.
pub(crate) fn cancel(
    db: &Transaction<'_>,
    app: &App,
    record: &Record,
    reason: Option<String>,
) -> Result<(), Refusal> {
    let steps = timeline::load(db, record.seq)?;
    if steps.iter().any(|step| step.status == "canceled") {
        return Ok(());
    }
    let (at, paced) = (app.clock.now(), app.clock.paced());
    let step = Step {
        status: "canceled".to_owned(),
        at,
        paced,
        reason,
    };
    timeline::append(db, record.seq, &step)?;
    if let Some(user) = record.user {
        balance::give(db, user, record.bonus, 0)?;
        if !record.held {
            balance::give(db, user, -record.cashback, -1)?;
        }
    }
    db.execute(
        "UPDATE payments SET status = CASE status WHEN 'succeeded' THEN 'refunded' ELSE 'abandoned' END
         WHERE subject = 'order' AND subject_id = ?1 AND status IN ('pending', 'succeeded')",
        params![record.id],
    )?;
    Ok(())
}

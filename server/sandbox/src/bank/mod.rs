//! The bank: its pages, how attempts to pay end, and what comes of it for what they pay.

mod expiry;
mod pages;

use rusqlite::Transaction;

use crate::app::App;
use crate::bills::pay::settle_part;
use crate::orders::paying::{release, waits};
use crate::payments::{self, Payment};
use crate::refusal::Refusal;

pub(crate) use expiry::expire;
pub(crate) use pages::{routes, schemas};

/// Ends an attempt. One that has ended stays as it is: no page pays twice.
pub(crate) fn finish(
    db: &Transaction<'_>,
    app: &App,
    id: &str,
    outcome: &str,
) -> Result<Payment, Refusal> {
    let payment = payments::written(db, id)?;
    if payment.status != "pending" {
        return Ok(payment);
    }
    // Another attempt was quicker, or the order was called off: it is not paid again.
    let is_idle = payment.subject == "order" && !waits(db, &payment.subject_id)?;
    let outcome = if is_idle { "abandoned" } else { outcome };
    let payment = payments::end(db, payment, outcome, app.clock.now())?;
    match (payment.subject.as_str(), payment.status.as_str()) {
        ("order", "succeeded") => release(db, app, &payment.subject_id)?,
        ("bill", outcome) => settle_part(db, app, &payment.subject_id, outcome)?,
        _ => {}
    }
    Ok(payment)
}

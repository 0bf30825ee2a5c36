//! What is not paid in time ends: attempts, and orders that waited for one. Bonuses
//! that they had reserved go back. Looked at whenever someone asks for what it may
//! concern, so that it holds for a clock that was set as well.

use futures_util::future::BoxFuture;
use rusqlite::Connection;
use serde_json::json;

use super::finish;
use crate::app::App;
use crate::model::Text;
use crate::orders::cancel::cancel;
use crate::orders::record;
use crate::payments;
use crate::refusal::Refusal;

/// An order waits so long for its payment, milliseconds.
const WAITS: i64 = 30 * 60 * 1000;

/// Ends what is over by now.
pub(crate) fn expire(app: &App) -> BoxFuture<'_, Result<(), Refusal>> {
    Box::pin(async move {
        let now = app.clock.now();
        let due = move |db: &Connection| {
            Ok(!payments::overdue(db, now)?.is_empty() || !unpaid(db, now)?.is_empty())
        };
        if !app.store.read(due).await? {
            return Ok(());
        }
        let shared = app.clone();
        app.store
            .write(move |db| {
                for id in payments::overdue(db, now)? {
                    finish(db, &shared, &id, "timed_out")?;
                }
                for id in unpaid(db, now)? {
                    if let Some(order) = record::find(db, &id)? {
                        cancel(db, &shared, &order, Some(reason()))?;
                    }
                }
                Ok(())
            })
            .await
    })
}

/// Orders that have waited long enough, without an attempt under way.
fn unpaid(db: &Connection, now: i64) -> Result<Vec<String>, Refusal> {
    let mut statement = db.prepare_cached(
        "SELECT id FROM orders o WHERE held = 1 AND created_at < ?1
           AND NOT EXISTS (SELECT 1 FROM order_statuses s WHERE s.order_seq = o.seq AND s.status = 'canceled')
           AND NOT EXISTS (SELECT 1 FROM payments p
             WHERE p.subject = 'order' AND p.subject_id = o.id AND p.status = 'pending')",
    )?;
    let found = statement.query_map([now - WAITS], |row| row.get(0))?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// In the language of the request.
fn reason() -> String {
    json!(Text {
        kk: Some("Төлем уақытында жасалмады".to_owned()),
        ru: Some("Оплата не поступила вовремя".to_owned()),
        en: Some("The payment was not made in time".to_owned()),
        ka: Some("გადახდა დროულად არ შესრულდა".to_owned()),
    })
    .to_string()
}

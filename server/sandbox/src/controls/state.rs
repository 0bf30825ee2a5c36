//! What the controls change, for the JSON calls and for the page alike, and how
//! it is found again after a restart.

use rusqlite::{OptionalExtension, params};

use crate::app::App;
use crate::clock::Clock;
use crate::orders::cancel::cancel;
use crate::orders::record;
use crate::orders::timeline::{self, STATUSES, Step};
use crate::overrides::{self, Change, Overrides};
use crate::refusal::Refusal;
use crate::store::Store;

/// Reads the changes and the clock of the last run. A speed given anew wins.
pub(crate) fn restore(store: &Store, clock: &Clock, speed: f64) -> Result<Overrides, Refusal> {
    store.write_now(|db| {
        if let Some(text) = setting(db, "clock")? {
            clock.restore(serde_json::from_str(&text).unwrap_or_else(|_| clock.setting()));
        }
        let given = setting(db, "speed_option")?;
        if given.is_some_and(|given| given != speed.to_string()) {
            timeline::settle(db, clock)?;
            clock.set_speed(speed);
        }
        put_setting(db, "speed_option", &speed.to_string())?;
        save_clock(db, clock)?;
        Overrides::load(db)
    })
}

/// Applies one change of a venue or a product.
pub(crate) async fn change(app: &App, change: Change) -> Result<(), Refusal> {
    let shared = app.clone();
    app.store
        .write(move |db| overrides::save(db, change))
        .await?;
    shared.overrides.apply(change);
    Ok(())
}

/// Sets how fast orders move. What they have reached stays reached.
pub(crate) async fn set_speed(app: &App, factor: f64) -> Result<(), Refusal> {
    if !(factor > 0.0 && factor <= 1e6) {
        return Err(Refusal::bad("factor must be above 0 and at most 1000000"));
    }
    let shared = app.clone();
    app.store
        .write(move |db| {
            timeline::settle(db, &shared.clock)?;
            shared.clock.set_speed(factor);
            save_clock(db, &shared.clock)
        })
        .await
}

/// Sets the clock, or gives it back to the machine.
pub(crate) async fn set_now(app: &App, now: Option<i64>, frozen: bool) -> Result<(), Refusal> {
    let shared = app.clone();
    app.store
        .write(move |db| {
            timeline::settle(db, &shared.clock)?;
            shared.clock.set_now(now, frozen);
            save_clock(db, &shared.clock)
        })
        .await
}

/// Moves an order to a status by hand; from there it goes on by itself.
pub(crate) async fn set_status(
    app: &App,
    order: String,
    status: String,
    reason: Option<String>,
    any: bool,
) -> Result<(), Refusal> {
    if !any && !STATUSES.contains(&status.as_str()) {
        return Err(Refusal::bad(format!(
            "status must be one of {}",
            STATUSES.join(", ")
        )));
    }
    let shared = app.clone();
    app.store
        .write(move |db| {
            let record = record::find(db, &order)?.ok_or_else(Refusal::order_not_found)?;
            if !record.held {
                timeline::settle_one(db, record.seq, &record.kind, &shared.clock)?;
            }
            if status == "canceled" {
                return cancel(db, &shared, &record, reason);
            }
            let (at, paced) = (shared.clock.now(), shared.clock.paced());
            timeline::append(
                db,
                record.seq,
                &Step {
                    status,
                    at,
                    paced,
                    reason,
                },
            )
        })
        .await
}

/// Everything as at the first start.
pub(crate) async fn reset(app: &App) -> Result<(), Refusal> {
    let shared = app.clone();
    app.store
        .write(move |db| {
            db.execute_batch(
                "DELETE FROM orders; DELETE FROM idempotency; DELETE FROM last_selected; DELETE FROM payments;
                 DELETE FROM bookings; DELETE FROM bills; DELETE FROM users; DELETE FROM locks;
                 DELETE FROM fridge_sessions; DELETE FROM fridge_taken; DELETE FROM push_tokens; DELETE FROM review_reports;
                 DELETE FROM product_overrides; DELETE FROM venue_overrides;",
            )?;
            shared.clock.set_now(None, false);
            shared.clock.set_speed(shared.speed);
            save_clock(db, &shared.clock)
        })
        .await?;
    app.overrides.clear();
    app.faults.clear();
    app.journal.clear();
    Ok(())
}

fn save_clock(db: &rusqlite::Transaction<'_>, clock: &Clock) -> Result<(), Refusal> {
    let text = serde_json::to_string(&clock.setting()).unwrap_or_default();
    put_setting(db, "clock", &text)
}

fn setting(db: &rusqlite::Transaction<'_>, name: &str) -> Result<Option<String>, Refusal> {
    let mut statement = db.prepare_cached("SELECT value FROM settings WHERE name = ?1")?;
    Ok(statement.query_row([name], |row| row.get(0)).optional()?)
}

fn put_setting(db: &rusqlite::Transaction<'_>, name: &str, value: &str) -> Result<(), Refusal> {
    db.prepare_cached(
        "INSERT INTO settings (name, value) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = excluded.value",
    )?
    .execute(params![name, value])?;
    Ok(())
}

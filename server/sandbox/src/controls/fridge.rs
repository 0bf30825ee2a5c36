//! What can happen to a fridge: its lock, its door, and what is taken out unseen.

use axum::extract::State;
use axum::routing::post;
use rusqlite::params;
use serde::Deserialize;

use super::done;
use super::json::product_in;
use crate::answer::{Answer, ok};
use crate::app::App;
use crate::body::Json;
use crate::openapi::schema::{boolean, integer, object, one_of_texts};
use crate::openapi::{Api, Operation};
use crate::refusal::Refusal;

/// How a lock can be. A slow one says that it opens, and goes on saying so until it is told again and works; a jammed one
/// takes the order to open and does not open.
pub(super) const LOCKS: [&str; 4] = ["works", "broken", "slow", "jammed"];
/// What becomes of an open door: a slow lock opens or fails, a door stays open for ten minutes, the fridge forgets whose
/// door it was.
pub(super) const EVENTS: [&str; 4] = ["opens", "fails", "stays", "lost"];
const STAYS: i64 = 10 * 60 * 1000;

pub(crate) fn routes(api: Api) -> Api {
    api.add(
        control(
            "/_sandbox/api/lock",
            "breakLock",
            "Breaks or mends the lock of a fridge",
        )
        .body(object(&[
            ("filial_id", integer()),
            ("broken?", boolean()),
            ("lock?", one_of_texts(&LOCKS)),
        ])),
        post(lock),
    )
    .add(
        control(
            "/_sandbox/api/door",
            "moveDoor",
            "What becomes of the door that a guest has opened",
        )
        .body(object(&[
            ("filial_id", integer()),
            ("event", one_of_texts(&EVENTS)),
        ])),
        post(door),
    )
    .add(
        control(
            "/_sandbox/api/taken",
            "takeUnseen",
            "Takes out of an open fridge what is not scanned",
        )
        .body(object(&[
            ("filial_id", integer()),
            ("product_id", integer()),
            ("count", integer()),
        ])),
        post(taken),
    )
}

fn control(path: &'static str, id: &'static str, summary: &'static str) -> Operation {
    Operation::post(path, id, summary)
        .answers(200, done())
        .refuses(&[400, 404])
}

#[derive(Deserialize)]
pub(super) struct LockBody {
    filial_id: i64,
    #[serde(default)]
    broken: bool,
    #[serde(default)]
    lock: Option<String>,
}

pub(super) async fn lock(State(app): State<App>, Json(body): Json<LockBody>) -> Answer {
    app.place(body.filial_id)?;
    let state = body.lock.unwrap_or_else(|| {
        let state = if body.broken { "broken" } else { "works" };
        state.to_owned()
    });
    known("lock", &state, &LOCKS)?;
    app.store
        .write(move |db| {
            db.execute("DELETE FROM locks WHERE filial_id = ?1", [body.filial_id])?;
            if state != "works" {
                let query = "INSERT INTO locks (filial_id, state) VALUES (?1, ?2)";
                db.execute(query, params![body.filial_id, state])?;
            }
            Ok(())
        })
        .await?;
    ok()
}

#[derive(Deserialize)]
pub(super) struct DoorBody {
    filial_id: i64,
    event: String,
}

pub(super) async fn door(State(app): State<App>, Json(body): Json<DoorBody>) -> Answer {
    app.place(body.filial_id)?;
    known("event", &body.event, &EVENTS)?;
    let (door, ago) = match body.event.as_str() {
        "opens" => (Some("open"), 0),
        "fails" => (Some("failed"), 0),
        "stays" => (Some("open"), STAYS),
        _ => (None, 0),
    };
    let moved = app
        .store
        .write(move |db| {
            let running = "WHERE filial_id = ?1 AND door IN ('opening', 'open')";
            let Some(door) = door else {
                let query = format!("DELETE FROM fridge_sessions {running}");
                return Ok(db.execute(&query, [body.filial_id])?);
            };
            let query = format!(
                "UPDATE fridge_sessions SET door = ?2, opened_at = opened_at - ?3 {running}"
            );
            Ok(db.execute(&query, params![body.filial_id, door, ago])?)
        })
        .await?;
    if moved == 0 {
        return Err(Refusal::not_found(
            "session_not_found",
            "No guest has this fridge open",
        ));
    }
    ok()
}

#[derive(Deserialize)]
pub(super) struct TakenBody {
    filial_id: i64,
    product_id: i64,
    count: i64,
}

pub(super) async fn taken(State(app): State<App>, Json(body): Json<TakenBody>) -> Answer {
    if !(1..=99).contains(&body.count) {
        return Err(Refusal::bad("count must be from 1 to 99"));
    }
    product_in(&app, body.filial_id, body.product_id)?;
    app.store
        .write(move |db| {
            let query =
                "INSERT INTO fridge_taken (filial_id, product_id, count) VALUES (?1, ?2, ?3)
                 ON CONFLICT DO UPDATE SET count = excluded.count";
            Ok(db.execute(query, params![body.filial_id, body.product_id, body.count])?)
        })
        .await?;
    ok()
}

fn known(name: &str, value: &str, all: &[&str]) -> Result<(), Refusal> {
    if all.contains(&value) {
        Ok(())
    } else {
        let all = all.join(", ");
        Err(Refusal::bad(format!("{name} must be one of {all}")))
    }
}

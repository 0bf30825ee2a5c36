//! Fridges: the lock opens, the door closes, what was taken is settled.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use rusqlite::{OptionalExtension, Row, params};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::answer::{Answer, data};
use crate::app::App;
use crate::body::Json;
use crate::caller::Caller;
use crate::clock::iso;
use crate::ids::unguessable;
use crate::openapi::schema::{
    self, integer, list, nullable, object, one_of_texts, reference, text,
};
use crate::openapi::{Api, Operation};
use crate::orders::kind::Kind;
use crate::orders::place::place;
use crate::refusal::Refusal;

pub(crate) fn routes(api: Api) -> Api {
    api.add(
        Operation::post("/smart-lock/v1/open-lock", "openLock", "Opens a fridge")
            .body(object(&[("terminal_id", integer())]))
            .answers(200, schema::data(reference("FridgeSession")))
            .refuses(&[400, 401, 404, 409, 422]),
        post(open),
    )
    .add(
        Operation::get(
            "/smart-lock/v1/sessions",
            "fridgeSessions",
            "The caller's fridges that are not closed yet, the newest first",
        )
        .answers(200, schema::data(list(reference("FridgeSession"))))
        .refuses(&[401]),
        get(running),
    )
    .add(
        Operation::get(
            "/smart-lock/v1/sessions/{session}",
            "fridgeSession",
            "The open door, or what came of it",
        )
        .answers(200, schema::data(reference("FridgeSession")))
        .refuses(&[401, 404]),
        get(show),
    )
    .add(
        Operation::post(
            "/smart-lock/v1/sessions/{session}/close",
            "closeFridge",
            "Closes the door; what was taken becomes an order",
        )
        .body(object(&[("items", list(reference("Item")))]))
        .answers(200, schema::data(reference("FridgeSession")))
        .refuses(&[400, 401, 404, 422]),
        post(close),
    )
}

pub(crate) fn schemas() -> Vec<(&'static str, Value)> {
    let session = object(&[
        ("session_id", text()),
        ("terminal_id", integer()),
        (
            "status",
            one_of_texts(&["opening", "open", "closed", "failed"]),
        ),
        ("opened_at", text()),
        ("order_id", nullable(text())),
        ("counted", nullable(integer())),
    ]);
    vec![("FridgeSession", session)]
}

/// Sessions of which the door is not shut.
const RUNNING: &str = "door IN ('opening', 'open')";
/// Milliseconds after which a lock that has not opened is free for others.
const LATE: i64 = 10_000;

struct Session {
    id: String,
    filial: i64,
    order: Option<String>,
    /// `opening`, `open`, `closed`, or `failed`: it never opened.
    door: String,
    opened_at: i64,
    /// Pieces that the fridge says were taken, once it is closed.
    counted: Option<i64>,
}

impl Session {
    const COLUMNS: &str = "id, filial_id, order_id, door, opened_at, counted";

    fn read(row: &Row<'_>) -> rusqlite::Result<Session> {
        Ok(Session {
            id: row.get(0)?,
            filial: row.get(1)?,
            order: row.get(2)?,
            door: row.get(3)?,
            opened_at: row.get(4)?,
            counted: row.get(5)?,
        })
    }

    fn wire(&self) -> Value {
        json!({
            "session_id": self.id,
            "terminal_id": self.filial,
            "status": self.door,
            "opened_at": iso(self.opened_at),
            "order_id": self.order,
            "counted": self.counted,
        })
    }
}

#[derive(Deserialize)]
struct OpenBody {
    terminal_id: i64,
}

/// The account that has the door open gets the same session again, and so does a repeated key: a lock that has not
/// opened yet is tried once more. Others wait, but not for a door that never opened.
async fn open(State(app): State<App>, caller: Caller, Json(body): Json<OpenBody>) -> Answer {
    let user = app.signed_in(&caller).await?;
    let filial = app.place(body.terminal_id)?.filial;
    let now = app.clock.now();
    let key = caller.idempotency_key;
    let session = app
        .store
        .write(move |db| {
            let query = format!(
                "SELECT {} FROM fridge_sessions WHERE user_id = ?1 AND filial_id = ?2 AND key = ?3",
                Session::COLUMNS
            );
            let known = db.query_row(&query, params![user.id, filial, key], Session::read);
            if let Some(known) = known.optional()?.filter(|known| known.door != "opening") {
                return Ok(known);
            }
            let query = "SELECT state FROM locks WHERE filial_id = ?1";
            let lock: Option<String> =
                db.query_row(query, [filial], |row| row.get(0)).optional()?;
            if lock.as_deref() == Some("broken") {
                return Err(Refusal::unprocessable(
                    "lock_failed",
                    "The fridge did not open",
                ));
            }
            let door = match lock.as_deref() {
                Some("slow") => "opening",
                Some("jammed") => "failed",
                _ => "open",
            };
            let query = format!(
                "SELECT {}, user_id FROM fridge_sessions WHERE filial_id = ?1 AND {RUNNING}",
                Session::COLUMNS
            );
            let found = db.query_row(&query, [filial], |row| {
                Ok((Session::read(row)?, row.get::<_, i64>(6)?))
            });
            let moved = "UPDATE fridge_sessions SET door = ?2, opened_at = ?3 WHERE id = ?1";
            match found.optional()? {
                Some((session, owner)) if owner == user.id && session.door == "open" => {
                    return Ok(session);
                }
                Some((session, owner)) if owner == user.id => {
                    db.execute(moved, params![session.id, door, now])?;
                    return Ok(Session {
                        door: door.to_owned(),
                        opened_at: now,
                        ..session
                    });
                }
                Some((session, _))
                    if session.door == "opening" && now - session.opened_at >= LATE =>
                {
                    db.execute(moved, params![session.id, "failed", session.opened_at])?;
                }
                Some(_) => {
                    return Err(Refusal::new(
                        StatusCode::CONFLICT,
                        "lock_busy",
                        "Someone has the door open",
                    ));
                }
                None => {}
            }
            let session = Session {
                id: unguessable("f_"),
                filial,
                order: None,
                door: door.to_owned(),
                opened_at: now,
                counted: None,
            };
            db.execute(
                "INSERT INTO fridge_sessions (id, filial_id, user_id, door, key, opened_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                params![session.id, filial, user.id, door, key, now],
            )?;
            Ok(session)
        })
        .await?;
    data(session.wire())
}

async fn running(State(app): State<App>, caller: Caller) -> Answer {
    let user = app.signed_in(&caller).await?;
    let sessions: Vec<Session> = app
        .store
        .read(move |db| {
            let query = format!(
                "SELECT {} FROM fridge_sessions WHERE user_id = ?1 AND {RUNNING} ORDER BY opened_at DESC, id",
                Session::COLUMNS
            );
            let mut statement = db.prepare_cached(&query)?;
            let found = statement.query_map([user.id], Session::read)?;
            Ok(found.collect::<Result<_, _>>()?)
        })
        .await?;
    data(sessions.iter().map(Session::wire).collect())
}

async fn show(State(app): State<App>, Path(id): Path<String>, caller: Caller) -> Answer {
    let user = app.signed_in(&caller).await?;
    data(find(&app, id, user.id).await?.wire())
}

#[derive(Deserialize)]
struct CloseBody {
    items: Vec<Value>,
}

/// The session is the key of the order: closing twice settles once. What was taken without being scanned is counted by
/// the fridge and paid for as well.
async fn close(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    Json(body): Json<CloseBody>,
) -> Answer {
    let user = app.signed_in(&caller).await?;
    let mut session = find(&app, id.clone(), user.id).await?;
    if session.door == "closed" {
        return data(session.wire());
    }
    if session.door != "open" {
        return Err(Refusal::unprocessable(
            "door_not_open",
            "The door is not open",
        ));
    }
    let mut items = body.items;
    items.extend(taken(&app, session.filial).await?);
    let pieces = |item: &Value| item["count"].as_i64().unwrap_or(0);
    let counted = items.iter().map(pieces).fold(0, i64::saturating_add);
    if !items.is_empty() {
        let order = json!({
            "filial_id": session.filial, "source": "FRIDGE", "payment_type": "online", "items": items,
        });
        let keyed = Caller {
            idempotency_key: Some(id.clone()),
            ..caller
        };
        let placed = place(&app, &keyed, Kind::Fridge, order).await?;
        session.order = placed["data"]["id"].as_str().map(str::to_owned);
    }
    let (order, filial) = (session.order.clone(), session.filial);
    app.store
        .write(move |db| {
            db.execute("DELETE FROM fridge_taken WHERE filial_id = ?1", [filial])?;
            let query =
                "UPDATE fridge_sessions SET door = 'closed', order_id = ?2, counted = ?3 WHERE id = ?1";
            Ok(db.execute(query, params![id, order, counted])?)
        })
        .await?;
    "closed".clone_into(&mut session.door);
    session.counted = Some(counted);
    data(session.wire())
}

/// What a control says was taken beside what was scanned, as items of an order.
async fn taken(app: &App, filial: i64) -> Result<Vec<Value>, Refusal> {
    let extra: Vec<(i64, i64)> = app
        .store
        .read(move |db| {
            let query = "SELECT product_id, count FROM fridge_taken WHERE filial_id = ?1 ORDER BY product_id";
            let mut statement = db.prepare_cached(query)?;
            let found = statement.query_map([filial], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(found.collect::<Result<_, _>>()?)
        })
        .await?;
    let menu = app.place(filial)?.menu;
    let item = |(product, count)| {
        let size = menu.product(product).and_then(|one| one.sizes.first());
        json!({"product_id": product, "count": count, "size_id": size.map(|size| size.id)})
    };
    Ok(extra.into_iter().map(item).collect())
}

async fn find(app: &App, id: String, user: i64) -> Result<Session, Refusal> {
    let found = app
        .store
        .read(move |db| {
            let query = format!(
                "SELECT {} FROM fridge_sessions WHERE id = ?1 AND user_id = ?2",
                Session::COLUMNS
            );
            let found = db.query_row(&query, params![id, user], Session::read);
            Ok(found.optional()?)
        })
        .await?;
    found.ok_or_else(|| Refusal::not_found("session_not_found", "Session is not found"))
}

//! Fridges: the lock opens, the door closes, what was taken is settled.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use rusqlite::{OptionalExtension, params};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Answer, data};
use crate::app::App;
use crate::body::Json;
use crate::caller::Caller;
use crate::clock::iso;
use crate::openapi::schema::{
    self, integer, list, nullable, object, one_of_texts, reference, text,
};
use crate::openapi::{Api, Operation};
use crate::orders::place::{Kind, place, unguessable};
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
        ("status", one_of_texts(&["open", "closed"])),
        ("opened_at", text()),
        ("order_id", nullable(text())),
    ]);
    vec![("FridgeSession", session)]
}

struct Session {
    id: String,
    filial: i64,
    order: Option<String>,
    closed: bool,
    opened_at: i64,
}

impl Session {
    fn wire(&self) -> Value {
        json!({
            "session_id": self.id,
            "terminal_id": self.filial,
            "status": if self.closed { "closed" } else { "open" },
            "opened_at": iso(self.opened_at),
            "order_id": self.order,
        })
    }
}

#[derive(Deserialize)]
struct OpenBody {
    terminal_id: i64,
}

/// Whoever has the door open gets the same session again; others wait.
async fn open(State(app): State<App>, caller: Caller, Json(body): Json<OpenBody>) -> Answer {
    let user = app.signed_in(&caller).await?;
    let filial = app.place(body.terminal_id)?.filial;
    let now = app.clock.now();
    let session = app
        .store
        .write(move |db| {
            let query = "SELECT COUNT(*) FROM broken_locks WHERE filial_id = ?1";
            let broken: i64 = db.query_row(query, [filial], |row| row.get(0))?;
            if broken > 0 {
                return Err(Refusal::unprocessable("lock_failed", "The fridge did not open"));
            }
            let query = "SELECT id, user_id, opened_at FROM fridge_sessions WHERE filial_id = ?1 AND closed = 0";
            let found: Option<(String, i64, i64)> =
                db.query_row(query, [filial], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).optional()?;
            match found {
                Some((id, owner, opened_at)) if owner == user.id => {
                    Ok(Session { id, filial, order: None, closed: false, opened_at })
                }
                Some(_) => Err(Refusal::new(StatusCode::CONFLICT, "lock_busy", "Someone has the door open")),
                None => {
                    let id = unguessable("f_");
                    db.execute(
                        "INSERT INTO fridge_sessions (id, filial_id, user_id, opened_at) VALUES (?1, ?2, ?3, ?4)",
                        params![id, filial, user.id, now],
                    )?;
                    Ok(Session { id, filial, order: None, closed: false, opened_at: now })
                }
            }
        })
        .await?;
    data(session.wire())
}

async fn show(State(app): State<App>, Path(id): Path<String>, caller: Caller) -> Answer {
    let user = app.signed_in(&caller).await?;
    data(find(&app, id, user.id).await?.wire())
}

#[derive(Deserialize)]
struct CloseBody {
    items: Vec<Value>,
}

/// The session is the key of the order: closing twice settles once.
async fn close(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    Json(body): Json<CloseBody>,
) -> Answer {
    let user = app.signed_in(&caller).await?;
    let mut session = find(&app, id.clone(), user.id).await?;
    if !session.closed && !body.items.is_empty() {
        let order = json!({
            "filial_id": session.filial, "source": "FRIDGE", "payment_type": "online", "items": body.items,
        });
        let keyed = Caller {
            idempotency_key: Some(id.clone()),
            ..caller
        };
        let placed = place(&app, &keyed, Kind::Micromarket, order).await?;
        session.order = placed["data"]["id"].as_str().map(str::to_owned);
    }
    if !session.closed {
        let order = session.order.clone();
        app.store
            .write(move |db| {
                let query = "UPDATE fridge_sessions SET closed = 1, order_id = ?2 WHERE id = ?1";
                Ok(db.execute(query, params![id, order])?)
            })
            .await?;
        session.closed = true;
    }
    data(session.wire())
}

async fn find(app: &App, id: String, user: i64) -> Result<Session, Refusal> {
    let found = app
        .store
        .read(move |db| {
            let query = "SELECT id, filial_id, order_id, closed, opened_at FROM fridge_sessions WHERE id = ?1 AND user_id = ?2";
            let found = db.query_row(query, params![id, user], |row| {
                Ok(Session {
                    id: row.get(0)?,
                    filial: row.get(1)?,
                    order: row.get(2)?,
                    closed: row.get(3)?,
                    opened_at: row.get(4)?,
                })
            });
            Ok(found.optional()?)
        })
        .await?;
    found.ok_or_else(|| Refusal::not_found("session_not_found", "Session is not found"))
}

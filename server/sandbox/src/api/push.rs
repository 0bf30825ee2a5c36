//! Push tokens and opened notifications.

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::routing::post;
use rusqlite::params;
use serde::Deserialize;

use crate::answer::{Answer, done, ok};
use crate::app::App;
use crate::body::Json;
use crate::caller::Caller;
use crate::clock::parse_iso;
use crate::openapi::schema::{object, text};
use crate::openapi::{Api, Operation};
use crate::params::short;
use crate::refusal::Refusal;

pub(crate) fn routes(api: Api) -> Api {
    let token = || object(&[("token", text()), ("analyticDeviceID?", text())]);
    let opened = object(&[
        ("analytic_device_id", text()),
        ("opened_at", text()),
        ("project", text()),
        ("token", text()),
    ]);
    api.add(
        Operation::post(
            "/api/v2/push-gateway/token",
            "pushToken",
            "Registers the device of a person",
        )
        .header("X-OS", true, "web, ios or android")
        .header("X-Project", true, "The project of the notifications")
        .body(token())
        .answers(200, done())
        .refuses(&[400, 401]),
        post(register),
    )
    .add(
        Operation::post(
            "/api/v2/push-gateway/token/un-assign",
            "unassignPushToken",
            "The device has no owner",
        )
        .header("X-OS", false, "web, ios or android")
        .header("X-Project", false, "The project of the notifications")
        .body(token())
        .answers(200, done())
        .refuses(&[400]),
        post(unassign),
    )
    .add(
        Operation::post(
            "/push-gateway/v1/notifications/{notification}/open",
            "openNotification",
            "A notification was opened",
        )
        .body(opened)
        .answers(200, done())
        .refuses(&[400]),
        post(opened_one),
    )
}

#[derive(Deserialize)]
struct TokenBody {
    token: String,
    #[serde(default, rename = "analyticDeviceID")]
    device: Option<String>,
}

async fn register(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    Json(body): Json<TokenBody>,
) -> Answer {
    let user = app.maybe_signed_in(&caller).await?.map(|user| user.id);
    let required = |name: &str| {
        let value = headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .filter(|value| !value.is_empty());
        value
            .map(str::to_owned)
            .ok_or_else(|| Refusal::bad(format!("{name} is required")))
    };
    let (os, project) = (required("X-OS")?, required("X-Project")?);
    if !matches!(os.as_str(), "web" | "ios" | "android") {
        return Err(Refusal::bad("X-OS must be web, ios or android"));
    }
    let token = present(&body.token)?;
    let device = short(body.device.as_deref(), "analyticDeviceID", 200)?;
    let now = app.clock.now();
    app.store
        .write(move |db| {
            Ok(db.execute(
                "INSERT INTO push_tokens (token, user_id, device, os, project, updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                 ON CONFLICT DO UPDATE SET user_id = excluded.user_id, device = excluded.device, os = excluded.os,
                    project = excluded.project, updated_at = excluded.updated_at",
                params![token, user, device, os, project, now],
            )?)
        })
        .await?;
    ok()
}

/// Unknown tokens are fine: they belong to no account.
async fn unassign(State(app): State<App>, Json(body): Json<TokenBody>) -> Answer {
    let token = present(&body.token)?;
    let query = "UPDATE push_tokens SET user_id = NULL WHERE token = ?1";
    app.store
        .write(move |db| Ok(db.execute(query, [token])?))
        .await?;
    ok()
}

#[derive(Deserialize)]
struct OpenedBody {
    analytic_device_id: String,
    opened_at: String,
    project: String,
    token: String,
}

async fn opened_one(Path(notification): Path<String>, Json(body): Json<OpenedBody>) -> Answer {
    short(Some(&notification), "id", 200)?;
    short(Some(&body.analytic_device_id), "analytic_device_id", 200)?;
    short(Some(&body.project), "project", 200)?;
    present(&body.token)?;
    parse_iso(&body.opened_at).ok_or_else(|| Refusal::bad("opened_at must be ISO 8601"))?;
    ok()
}

fn present(token: &str) -> Result<String, Refusal> {
    let token = short(Some(token), "token", 4096)?;
    if token.is_empty() {
        Err(Refusal::bad("token is required"))
    } else {
        Ok(token)
    }
}

//! The picture of a person: raw bytes with their own type, given back as they came.

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use rusqlite::{OptionalExtension, params};

use super::user::wire;
use crate::answer::{Answer, data};
use crate::app::App;
use crate::caller::Caller;
use crate::openapi::schema::{self, reference};
use crate::openapi::{Api, Operation};
use crate::refusal::Refusal;

const LARGEST_AVATAR: usize = 5 << 20;

pub(crate) fn routes(api: Api) -> Api {
    let person = || schema::data(reference("User"));
    api.add(
        Operation::post(
            "/api/v3/user/avatar",
            "avatar",
            "A picture as raw bytes with its own type",
        )
        .bytes("image/png")
        .answers(200, person())
        .refuses(&[400, 401]),
        post(set_avatar).delete(drop_avatar),
    )
    .describe(
        Operation::new(
            "delete",
            "/api/v3/user/avatar",
            "deleteAvatar",
            "No picture any more",
        )
        .answers(200, person())
        .refuses(&[401]),
    )
    .add(
        Operation::get("/avatars/{id}", "avatarFile", "The picture of a person")
            .answers_as(200, "image/png")
            .refuses(&[404]),
        get(avatar),
    )
}

async fn set_avatar(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    bytes: Bytes,
) -> Answer {
    let mut user = app.signed_in(&caller).await?;
    let kind = headers
        .get(header::CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok())
        .unwrap_or("")
        .to_owned();
    if !kind.starts_with("image/") || kind.len() > 100 {
        return Err(Refusal::bad("The content type must be that of an image"));
    }
    if bytes.is_empty() || bytes.len() > LARGEST_AVATAR {
        return Err(Refusal::bad("The picture must have up to 5 MB"));
    }
    let id = user.id;
    app.store
        .write(move |db| {
            let change = "UPDATE users SET avatar = ?2, avatar_type = ?3 WHERE id = ?1";
            Ok(db.execute(change, params![id, bytes.as_ref(), kind])?)
        })
        .await?;
    user.has_avatar = true;
    data(wire(&user, &caller))
}

async fn drop_avatar(State(app): State<App>, caller: Caller) -> Answer {
    let mut user = app.signed_in(&caller).await?;
    let id = user.id;
    app.store
        .write(move |db| {
            Ok(db.execute(
                "UPDATE users SET avatar = NULL, avatar_type = NULL WHERE id = ?1",
                [id],
            )?)
        })
        .await?;
    user.has_avatar = false;
    data(wire(&user, &caller))
}

async fn avatar(State(app): State<App>, Path(id): Path<String>) -> Result<Response, Refusal> {
    let id = crate::params::parse_int("id", &id)?;
    let found: Option<(Vec<u8>, String)> = app
        .store
        .read(move |db| {
            let query =
                "SELECT avatar, avatar_type FROM users WHERE id = ?1 AND avatar IS NOT NULL";
            Ok(db
                .query_row(query, [id], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()?)
        })
        .await?;
    let (bytes, kind) =
        found.ok_or_else(|| Refusal::not_found("file_not_found", "File is not found"))?;
    // What another user uploaded is shown as an image and as nothing else.
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
    ];
    Ok((headers, bytes).into_response())
}

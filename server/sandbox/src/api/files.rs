//! Pictures of venues and dishes.

use std::sync::PoisonError;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::app::App;
use crate::openapi::{Api, Operation};
use crate::pictures;
use crate::refusal::Refusal;

pub(crate) fn routes(api: Api) -> Api {
    api.add(
        Operation::get("/files/{*path}", "file", "A picture")
            .answers_as(200, "image/webp")
            .refuses(&[404]),
        get(file),
    )
}

async fn file(State(app): State<App>, Path(path): Path<String>) -> Result<Response, Refusal> {
    let known = app
        .pictures
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .get(&path)
        .cloned();
    let (content_type, bytes) = match known {
        Some(picture) => picture,
        None => drawn(&app, path).await?,
    };
    let headers = [
        (header::CONTENT_TYPE, content_type),
        (header::CACHE_CONTROL, "public, max-age=86400"),
    ];
    Ok((headers, bytes).into_response())
}

/// Drawing takes a while: not on a thread that answers others.
async fn drawn(app: &App, path: String) -> Result<(&'static str, Bytes), Refusal> {
    let asked = path.clone();
    let folder = app.pictures_dir.clone();
    let picture = tokio::task::spawn_blocking(move || match folder {
        Some(folder) => pictures::shared(&asked, &folder),
        None => pictures::picture(&asked),
    })
    .await;
    let (content_type, bytes) = picture
        .ok()
        .flatten()
        .ok_or_else(|| Refusal::not_found("file_not_found", "File is not found"))?;
    let picture = (content_type, Bytes::from(bytes));
    let mut known = app.pictures.lock().unwrap_or_else(PoisonError::into_inner);
    known.insert(path, picture.clone());
    Ok(picture)
}

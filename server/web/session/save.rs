//! Saving at the end of a request, with an answer of its own when that fails.

use axum::{
    extract::Request,
    http::{StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use tower_sessions::Session;

use super::{Sess, Unavailable, unavailable};

/// Middleware directly inside [`super::layer`]: loads the session once and saves what was changed.
///
/// tower-sessions answers an empty `500` when it cannot save. The guest should try again instead
/// so this saves first and answers `503`, with [`Unavailable`] in its extensions; nothing is
/// left for the layer to write then. Neither saves after a `5xx`.
pub async fn save(request: Request, next: Next) -> Response {
    let Some(session) = request.extensions().get::<Session>().cloned() else {
        return next.run(request).await;
    };
    let (mut parts, body) = request.into_parts();
    let sess = Sess::of(&parts).await;
    parts.extensions.insert(sess);
    let response = next.run(Request::from_parts(parts, body)).await;
    let wanted =
        session.is_modified() && !session.is_empty().await && !response.status().is_server_error();
    match wanted {
        true => match session.save().await {
            Ok(()) => response,
            Err(error) => try_again(unavailable(error)),
        },
        false => response,
    }
}

fn try_again(reason: Unavailable) -> Response {
    let mut response = (
        StatusCode::SERVICE_UNAVAILABLE,
        [(header::RETRY_AFTER, "2")],
    )
        .into_response();
    response.extensions_mut().insert(reason);
    response
}

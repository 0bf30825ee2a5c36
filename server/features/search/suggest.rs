//! What completes the text that is being typed.

use axum::{
    Json,
    http::header,
    response::{IntoResponse as _, Response},
};

use super::{
    brand,
    data::{Suggestion, Suggestions},
    query_of,
};
use crate::{features::place::Place, upstream::CompletionKind, web::visit::Visit};

/// What completes a text (`/search/suggest`): at most three lines, none when the upstream does not answer.
pub async fn suggest(visit: Visit) -> Response {
    let query = query_of(&visit);
    let brand = brand(&visit);
    let place = Place::of(&visit).await;
    let found = visit
        .app
        .upstream
        .autocomplete(
            &visit.caller(None).optional(),
            &query,
            brand,
            place.upstream_town(),
        )
        .await;
    let items = found
        .unwrap_or_default()
        .into_iter()
        .take(3)
        .map(|completion| Suggestion {
            kind: match completion.kind {
                CompletionKind::Brand => Some("brand".to_owned()),
                CompletionKind::Venue => Some("venue".to_owned()),
                CompletionKind::Product => Some("product".to_owned()),
                CompletionKind::Unknown => None,
            },
            text: completion.text,
        })
        .collect();
    (
        [(header::CACHE_CONTROL, "no-store")],
        Json(Suggestions { query, items }),
    )
        .into_response()
}

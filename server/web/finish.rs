//! What a guest has begun is finished, also when nobody waits for the answer any more: a second tap gives up the first
//! post, a webview dies, a phone leaves the table's network.

use axum::{
    extract::{Request, State},
    http::StatusCode,
    middleware::Next,
    response::{IntoResponse, Response},
};
use tracing::Instrument;

use crate::app::App;

/// Middleware around handlers and their session: a connection that ends takes a read with it, as nobody needs that,
/// but no change half-way, nor one that was made and not written into its session. The server waits for
/// them when it stops.
pub async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    if request.method().is_safe() {
        return next.run(request).await;
    }
    let work = app.changes.spawn(next.run(request).in_current_span());
    match work.await {
        Ok(response) => response,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => StatusCode::SERVICE_UNAVAILABLE.into_response(),
        },
    }
}

//! A JSON body, whatever its content type says; anything unreadable is a 400.

use axum::body::{Body, to_bytes};
use axum::extract::{FromRequest, Request};
use serde::de::DeserializeOwned;

use crate::refusal::Refusal;

const LARGEST: usize = 1 << 20;

/// A body that was read into its type.
pub(crate) struct Json<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Sync> FromRequest<S> for Json<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request<Body>, _: &S) -> Result<Json<T>, Refusal> {
        let bytes = to_bytes(request.into_body(), LARGEST)
            .await
            .map_err(|_| Refusal::bad("The body is too large or was cut off"))?;
        // No body at all is an empty object: it lacks what it must have, no more.
        let text = if bytes.is_empty() {
            b"{}"
        } else {
            bytes.as_ref()
        };
        serde_json::from_slice(text)
            .map(Json)
            .map_err(|error| Refusal::bad(format!("The body is not as expected: {error}")))
    }
}

//! Errors as a Sentry-compatible service takes them: one envelope each, by plain HTTP.

use reqwest::{Client, RequestBuilder, header};
use serde_json::json;

use super::fault::Fault;
use crate::config::dsn::Dsn;

/// Errors on their way to the service: one, as an envelope holds no more.
pub(super) fn request(dsn: &Dsn, http: &Client, batch: &[Fault]) -> RequestBuilder {
    let auth = format!(
        "Sentry sentry_version=7, sentry_client=dastarkhan/{}, sentry_key={}",
        env!("CARGO_PKG_VERSION"),
        dsn.key
    );
    http.post(&dsn.envelopes)
        .header("x-sentry-auth", auth)
        .header(header::CONTENT_TYPE, "application/x-sentry-envelope")
        .body(batch.iter().map(envelope).collect::<String>())
}

/// A line about the envelope, one about the item, the item. Nothing of the guest: no address, no user, no page's path.
fn envelope(fault: &Fault) -> String {
    let id = hex::encode(rand::random::<[u8; 16]>());
    let frames: Vec<_> = fault
        .place()
        .map(|(file, line, column)| {
            json!({ "filename": format!("app:///assets/{file}"), "lineno": line, "colno": column, "in_app": true })
        })
        .into_iter()
        .collect();
    let event = json!({
        "event_id": id,
        "platform": "javascript",
        "level": "error",
        "logger": "browser",
        "release": env!("CARGO_PKG_VERSION"),
        "dist": fault.build,
        "transaction": fault.page,
        "tags": { "kind": fault.kind.name() },
        "exception": { "values": [{
            "type": fault.name,
            "value": fault.message,
            "stacktrace": { "frames": frames },
        }] },
    });
    format!(
        "{}\n{}\n{event}\n",
        json!({ "event_id": id }),
        json!({ "type": "event" })
    )
}

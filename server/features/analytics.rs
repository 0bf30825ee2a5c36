//! What happened, for those who run the product: counted here on the server, and told on where a setting says to whom
//! (AN-02, CT-22, PY-18). What only browsers see they post here, together with their errors and vitals.

use axum::{
    Json,
    body::Bytes,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::client_settings::ClientSettings;
use crate::{
    upstream::PayMethod,
    values::Service,
    web::{
        app::App,
        insight::{Event, Fault, Seen, Vital, happened, session_name},
        limits,
        locale::Wishes,
    },
};

pub use crate::web::insight::Cleared;

/// How many of each kind are taken of one batch.
const MOST: usize = 50;
/// A batch is not older: browsers send it when their page hides.
const OLDEST: i64 = 30 * 60 * 1000;

/// What a browser tells at once.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Batch {
    /// Its session of the analytics (AN-01).
    session: String,
    events: Vec<Value>,
    faults: Vec<Value>,
    vitals: Vec<Value>,
    /// An app waits for what the server has seen.
    ask: bool,
}

/// When something happened, by a clock that may be wrong: how long ago.
#[derive(Debug, Deserialize)]
struct Ago {
    #[serde(default)]
    ago: i64,
}

/// `POST /events`: what is no part of the closed lists is left out, and counted. A browser inside of a host app may ask for
/// what the server has seen of its guest since, for the app to log (AN-04); a page that goes away does not.
pub async fn take(State(app): State<App>, wishes: Wishes, body: Bytes) -> Response {
    let Ok(batch) = limits::json::<Batch>(&body) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let now = app.state.clock().now();
    let wanted = ClientSettings::of(&app, &wishes);
    if wanted.analytics {
        let session = session_name(&batch.session);
        for event in batch.events.into_iter().take(MOST) {
            let ago = Ago::deserialize(&event).map_or(0, |value| value.ago.clamp(0, OLDEST));
            if let Some(seen) = read::<Seen>(event) {
                app.insight.seen(seen.into(), now - ago, session);
            }
        }
    }
    if wanted.faults {
        for fault in batch.faults.into_iter().take(MOST) {
            if let Some(fault) = read::<Fault>(fault) {
                app.insight.fault(fault);
            }
        }
        for vital in batch.vitals.into_iter().take(MOST) {
            if let Some(vital) = read::<Vital>(vital) {
                vital.note();
            }
        }
    }
    if !batch.ask {
        return StatusCode::NO_CONTENT.into_response();
    }
    match app.insight.of_host() {
        events if events.is_empty() => StatusCode::NO_CONTENT.into_response(),
        events => Json(events).into_response(),
    }
}

fn read<T: DeserializeOwned>(value: Value) -> Option<T> {
    let read = serde_json::from_value(value).ok();
    if read.is_none() {
        metrics::counter!("browser_reports_refused_total").increment(1);
    }
    read
}

/// The event "auth success", in whatever way a guest has signed in.
pub fn auth_success() {
    happened(Event::AuthSuccess);
}

/// The event "item added".
pub fn item_added(venue: u64, product: u64) {
    happened(Event::ItemAdded { venue, product });
}

/// The event "payment requested" (PY-18).
pub fn payment_requested(method: PayMethod) {
    happened(Event::PaymentRequested { via: method.code() });
}

/// The event "payment succeeded" (PY-18).
pub fn payment_succeeded() {
    happened(Event::PaymentSucceeded);
}

/// The event "tips" (PY-18).
pub fn tips() {
    happened(Event::Tips);
}

/// The event "review": a guest has said how a venue is.
pub fn review() {
    happened(Event::Review);
}

/// The event "address": a guest has saved one.
pub fn address() {
    happened(Event::Address);
}

/// The event "service changed" with the old one and the new one; nothing when it is the same (SV-06).
pub fn service_changed(from: Service, to: Service) {
    if let Some(event) = Event::service_changed(from, to) {
        happened(event);
    }
}

/// The event "profile deleted" (PR-12).
pub fn profile_deleted() {
    happened(Event::ProfileDeleted);
}

/// The event "cart cleared" with its cause.
pub fn cart_cleared(cause: Cleared) {
    happened(Event::CartCleared { cause });
}

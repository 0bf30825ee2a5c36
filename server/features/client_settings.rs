//! What browsers do beside the app, as the settings and the remote configuration want it: asked by a page that has come to
//! rest, so that a switch is turned without a new page (AN-03, AN-05, PW-03).

use axum::{
    Json,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use serde::Serialize;

use crate::web::{app::App, locale::Wishes};

/// The same for everybody who comes by a host name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ClientSettings {
    /// What guests do is told.
    pub analytics: bool,
    /// Errors and vitals are.
    pub faults: bool,
    /// A service worker may be there.
    pub worker: bool,
    /// The key of the service that sends notifications, where they are offered.
    pub push: Option<String>,
}

/// `GET /client-settings`
pub async fn show(State(app): State<App>, wishes: Wishes) -> Response {
    let settings = ClientSettings::of(&app, &wishes);
    let cacheable = [(header::CACHE_CONTROL, "public, max-age=60")];
    (cacheable, Json(settings)).into_response()
}

impl ClientSettings {
    /// As of now, for the host of a request.
    #[must_use]
    pub fn of(app: &App, wishes: &Wishes) -> Self {
        let (own, remote) = (&app.config.insight, app.remote.now());
        let worker = own.service_worker.is_on() && remote.worker;
        Self {
            analytics: wishes.chosen.custom.analytics && remote.analytics,
            faults: remote.faults,
            worker,
            // The worker is who shows them.
            push: own.push_key.clone().filter(|_| worker && remote.push),
        }
    }
}

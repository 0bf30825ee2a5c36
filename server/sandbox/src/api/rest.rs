//! The remote configuration.

use axum::extract::State;
use axum::routing::get;
use serde_json::json;

use crate::accounts::grant::TOKEN_LASTS;
use crate::answer::{Answer, data};
use crate::app::App;
use crate::openapi::schema::{self, boolean, integer, list, object, text};
use crate::openapi::{Api, Operation};

pub(crate) fn routes(api: Api) -> Api {
    let category = object(&[
        ("name", text()),
        ("position", integer()),
        ("payload", object(&[("category", text())])),
    ]);
    let config = object(&[
        ("services", list(integer())),
        ("is_location_enabled", boolean()),
        ("image_hosts", list(text())),
        ("tile_url", text()),
        ("home", list(category)),
        ("token_lasts_seconds", integer()),
        (
            "switches",
            object(&[
                ("analytics", boolean()),
                ("browser_errors", boolean()),
                ("service_worker", boolean()),
                ("push", boolean()),
            ]),
        ),
    ]);
    api.add(
        Operation::get(
            "/remote-config/v1/config",
            "remoteConfig",
            "What the product reads at its start",
        )
        .answers(200, schema::data(config)),
        get(remote_config),
    )
}

/// The categories of the front. The places between them are the product's own.
fn home() -> Vec<serde_json::Value> {
    let places = [
        ("bakery", 6),
        ("ready_meals", 8),
        ("semi_finished", 11),
        ("grocery", 12),
    ];
    places
        .map(|(name, position)| {
            json!({"name": name, "position": position, "payload": {"category": name}})
        })
        .to_vec()
}

async fn remote_config(State(app): State<App>, caller: crate::caller::Caller) -> Answer {
    data(json!({
        "services": [1, 3, 4],
        "is_location_enabled": true,
        "image_hosts": [format!("{}/files/", caller.base)],
        "tile_url": format!("{}/tiles/{{z}}/{{x}}/{{y}}", app.public_url.as_deref().unwrap_or(&caller.base)),
        "home": home(),
        "token_lasts_seconds": TOKEN_LASTS / 1000,
        "switches": { "analytics": true, "browser_errors": true, "service_worker": true, "push": true },
    }))
}

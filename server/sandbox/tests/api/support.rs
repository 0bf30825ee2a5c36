//! A sandbox of a test: its own folder, its own small catalogue, its own port.

use std::path::{Path, PathBuf};

use sandbox::model::Seed;
use sandbox::{Options, Sandbox};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::{Reply, send};
use crate::fixture::seed;

pub const EXPRESS: i64 = 1013;
pub const TAKEAWAY: i64 = 1011;
pub const DELIVERY: i64 = 1014;

/// A running sandbox with its folder.
pub struct World {
    pub sandbox: Sandbox,
    folder: TempDir,
}

impl World {
    pub async fn start() -> World {
        World::start_in(tempfile::tempdir().unwrap(), Some(seed())).await
    }

    /// With the catalogue that guests of the demo see.
    pub async fn built_in() -> World {
        World::start_in(tempfile::tempdir().unwrap(), None).await
    }

    pub async fn start_at(now: &str) -> World {
        let world = World::start().await;
        world.control("clock", json!({"now": now})).await;
        world
    }

    /// With a folder of pictures that it shares with others.
    pub async fn with_pictures(shared: &Path) -> World {
        let folder = tempfile::tempdir().unwrap();
        World::start_with(folder, None, Some(shared.to_owned())).await
    }

    async fn start_in(folder: TempDir, seed: Option<Seed>) -> World {
        World::start_with(folder, seed, None).await
    }

    async fn start_with(folder: TempDir, seed: Option<Seed>, pictures: Option<PathBuf>) -> World {
        let options = Options {
            listen: ([127, 0, 0, 1], 0).into(),
            state_dir: PathBuf::from(folder.path()),
            seed,
            pictures_dir: pictures,
            ..Options::default()
        };
        World {
            sandbox: sandbox::start(options).await.unwrap(),
            folder,
        }
    }

    /// Stops it and starts it again over the same folder.
    pub async fn restart(self) -> World {
        self.sandbox.stop().await;
        World::start_in(self.folder, Some(seed())).await
    }

    pub async fn get(&self, target: &str) -> Reply {
        self.get_with(target, &[]).await
    }

    pub async fn get_with(&self, target: &str, headers: &[(&str, &str)]) -> Reply {
        send(self.sandbox.addr, "GET", target, headers, Vec::new())
            .await
            .unwrap()
    }

    pub async fn post(&self, target: &str, body: &Value) -> Reply {
        self.post_with(target, body, &[]).await
    }

    pub async fn post_with(&self, target: &str, body: &Value, headers: &[(&str, &str)]) -> Reply {
        self.try_post(target, body, headers).await.unwrap()
    }

    pub async fn try_post(
        &self,
        target: &str,
        body: &Value,
        headers: &[(&str, &str)],
    ) -> Result<Reply, String> {
        let mut all = vec![("content-type", "application/json")];
        all.extend_from_slice(headers);
        send(
            self.sandbox.addr,
            "POST",
            target,
            &all,
            body.to_string().into_bytes(),
        )
        .await
    }

    pub async fn control(&self, name: &str, body: Value) {
        let reply = self.post(&format!("/_sandbox/api/{name}"), &body).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
    }

    /// Any call of a signed-in person.
    pub async fn as_user(&self, token: &str, method: &str, target: &str, body: &Value) -> Reply {
        let bearer = format!("Bearer {token}");
        let headers = [
            ("authorization", bearer.as_str()),
            ("x-language", "ru"),
            ("x-fingerprint", "phone-9"),
        ];
        let body = if body.is_null() {
            Vec::new()
        } else {
            body.to_string().into_bytes()
        };
        send(self.sandbox.addr, method, target, &headers, body)
            .await
            .unwrap()
    }

    /// A token for this phone, by a track.
    pub async fn sign_in(&self, phone: &str) -> String {
        let track = self
            .post(
                "/api/v1/oauth2/tracks",
                &json!({"phone": phone, "code": "1234"}),
            )
            .await
            .json();
        let body = json!({"client_id": "web", "grant_type": "authorization_track_id", "track_id": track["data"]["id"]});
        let token = self.post("/api/v2/oauth2/tokens", &body).await;
        assert_eq!(token.status, 200, "{}", token.text());
        token.json()["access_token"].as_str().unwrap().to_owned()
    }

    pub async fn order(&self, body: &Value, key: &str) -> Reply {
        self.post_with(
            "/takeaway/v1/express/order",
            body,
            &[
                ("x-idempotency-key", key),
                ("x-fingerprint", "phone-1"),
                ("x-language", "ru"),
            ],
        )
        .await
    }

    /// Any order of a signed-in person.
    pub async fn buy(&self, token: &str, kind: &str, body: &Value, key: &str) -> Reply {
        let bearer = format!("Bearer {token}");
        let headers = [
            ("authorization", bearer.as_str()),
            ("x-idempotency-key", key),
            ("x-fingerprint", "phone-9"),
        ];
        self.post_with(&format!("/takeaway/v1/{kind}/order"), body, &headers)
            .await
    }

    pub async fn read_order(&self, id: &str, fingerprint: &str) -> Value {
        let reply = self
            .get_with(
                &format!("/takeaway/v2/user/order?order_id={id}"),
                &[("x-fingerprint", fingerprint), ("x-language", "ru")],
            )
            .await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        reply.json()["data"].clone()
    }

    pub async fn orders(&self) -> Vec<Value> {
        self.get("/_sandbox/api/orders")
            .await
            .json()
            .as_array()
            .unwrap()
            .clone()
    }
}

/// Two lagmans with the required additive at table 7: 2 × 1,900 + 10 %.
pub fn dinner() -> Value {
    json!({
        "filial_id": EXPRESS, "main_terminal_id": 1010, "table_id": "t7", "source": "QR",
        "payment_type": "cash", "name": "Айгүл", "comment": "",
        "items": [{"product_id": 551, "size_id": null, "count": 2, "price": 1900, "additives": [{"id": 11, "count": 1}], "comment": ""}],
        "expected_sum": 4180,
    })
}

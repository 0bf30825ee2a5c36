//! Faults on purpose.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::send;
use crate::support::{EXPRESS, World, dinner};

const TOWNS: &str = "/locations/v2/towns?country_id=1";

#[tokio::test]
async fn a_status_fault_counts_and_ends() {
    let world = World::start().await;
    let fault =
        json!({"path": "/locations", "method": "get", "kind": "status", "status": 502, "times": 2});
    world.control("faults", fault).await;
    let mut seen = Vec::new();
    for _ in 0..3 {
        seen.push(world.get(TOWNS).await.status);
    }
    assert_eq!(seen, [502, 502, 200]);
    assert_eq!(world.get("/_sandbox/api/faults").await.json(), json!([]));
}

#[tokio::test]
async fn bodies_are_spoilt_in_every_way() {
    let world = World::start().await;
    world
        .control("faults", json!({"path": "*", "kind": "html", "times": 1}))
        .await;
    let html = world.get(TOWNS).await;
    assert!(html.status == 200 && html.content_type.starts_with("text/html"));

    world
        .control(
            "faults",
            json!({"path": "*", "kind": "error_code", "status": 401, "times": 1}),
        )
        .await;
    let wrapped = world.get(TOWNS).await;
    assert_eq!(
        (wrapped.status, &wrapped.json()["error_code"]),
        (200, &json!(401))
    );

    world
        .control(
            "faults",
            json!({"path": "*", "kind": "wrong_type", "times": 1}),
        )
        .await;
    let twisted = world.get(TOWNS).await.json();
    assert!(
        !twisted["data"].is_array() && twisted["data"]["name"] == 7,
        "{twisted}"
    );

    let values = json!({"/data/0/name": "Нұр", "/data/0/new": [1], "/none/0": 7});
    world
        .control(
            "faults",
            json!({"path": "*", "kind": "replace", "values": values, "times": 1}),
        )
        .await;
    let replaced = world.get(TOWNS).await.json();
    let town = &replaced["data"][0];
    assert_eq!(
        (&town["name"], &town["new"], &town["id"]),
        (&json!("Нұр"), &json!([1]), &json!(1)),
        "{replaced}"
    );

    world
        .control(
            "faults",
            json!({"path": "*", "kind": "cut_json", "times": 1}),
        )
        .await;
    let cut = world.get(TOWNS).await;
    assert!(cut.status == 200 && serde_json::from_slice::<serde_json::Value>(&cut.bytes).is_err());

    world
        .control(
            "faults",
            json!({"path": "*", "kind": "truncate", "times": 1}),
        )
        .await;
    let truncated = send(world.sandbox.addr, "GET", TOWNS, &[], Vec::new()).await;
    assert!(truncated.is_err(), "the body should have ended early");
    assert_eq!(world.get(TOWNS).await.status, 200);
}

#[tokio::test]
async fn a_reset_ends_the_connection_and_a_hang_keeps_it() {
    let world = World::start().await;
    world
        .control(
            "faults",
            json!({"path": TOWNS.split('?').next(), "kind": "reset", "times": 1}),
        )
        .await;
    assert!(
        send(world.sandbox.addr, "GET", TOWNS, &[], Vec::new())
            .await
            .is_err()
    );

    world
        .control("faults", json!({"path": "*", "kind": "hang"}))
        .await;
    let hung = tokio::time::timeout(Duration::from_millis(300), world.get(TOWNS)).await;
    assert!(hung.is_err());
    // The controls are never spoilt.
    let cleared = send(
        world.sandbox.addr,
        "DELETE",
        "/_sandbox/api/faults",
        &[],
        Vec::new(),
    )
    .await
    .unwrap();
    assert_eq!(cleared.status, 200);
    assert_eq!(world.get(TOWNS).await.status, 200);
}

#[tokio::test]
async fn a_delay_is_late_and_right() {
    let world = World::start().await;
    world
        .control(
            "faults",
            json!({"path": "*", "kind": "delay", "delay_ms": 200, "times": 1}),
        )
        .await;
    let started = Instant::now();
    assert_eq!(world.get(TOWNS).await.status, 200);
    assert!(started.elapsed() >= Duration::from_millis(200));
}

#[tokio::test]
async fn after_commit_the_order_stands_and_the_retry_gets_it() {
    let world = World::start().await;
    let path = "/takeaway/v1/express/order";
    world
        .control(
            "faults",
            json!({"path": path, "kind": "reset", "times": 1, "after_commit": true}),
        )
        .await;
    let headers = [("x-idempotency-key", "lost"), ("x-fingerprint", "phone-1")];
    assert!(world.try_post(path, &dinner(), &headers).await.is_err());
    assert_eq!(world.orders().await.len(), 1);
    let again = world.order(&dinner(), "lost").await;
    assert_eq!(again.status, 201);
    assert_eq!(world.orders().await.len(), 1);

    world
        .control(
            "faults",
            json!({"path": path, "kind": "status", "times": 1}),
        )
        .await;
    assert_eq!(world.order(&dinner(), "next").await.status, 503);
    assert_eq!(
        world.orders().await.len(),
        1,
        "without after_commit nothing is done"
    );
}

#[tokio::test]
async fn the_log_shows_what_was_asked() {
    let world = World::start().await;
    world
        .get_with(TOWNS, &[("x-language", "ru"), ("lat", "43.2")])
        .await;
    world
        .get(&format!("/menu/v2/category/products?filial_id={EXPRESS}"))
        .await;
    let log = world.get("/_sandbox/log").await.json();
    assert_eq!(log.as_array().map(Vec::len), Some(2));
    let first = &log[0];
    assert_eq!(
        (&first["method"], &first["path"]),
        (&json!("GET"), &json!("/locations/v2/towns"))
    );
    assert_eq!(
        (&first["query"], &first["status"]),
        (&json!("country_id=1"), &json!(200))
    );
    assert_eq!(first["headers"]["x-language"], "ru");
    let menu = world
        .get("/_sandbox/api/log?path=/menu&limit=1")
        .await
        .json();
    assert_eq!(menu[0]["path"], "/menu/v2/category/products");
}

#[tokio::test]
async fn a_wrong_fault_is_refused() {
    let world = World::start().await;
    for body in [
        json!({"path": "*", "kind": "explode"}),
        json!({"kind": "hang"}),
        json!({"path": "x", "kind": "hang"}),
        json!({"path": "*", "kind": "status", "status": 99}),
        json!(7),
    ] {
        assert_eq!(
            world.post("/_sandbox/api/faults", &body).await.status,
            400,
            "{body}"
        );
    }
}

//! Placing orders and following them.

use serde_json::{Value, json};

use crate::support::{EXPRESS, TAKEAWAY, World, dinner};

#[tokio::test]
async fn an_order_is_placed_and_read_back_by_its_phone_alone() {
    let world = World::start().await;
    let placed = world.order(&dinner(), "k1").await;
    assert_eq!(placed.status, 201, "{}", placed.text());
    let placed = placed.json()["data"].clone();
    assert_eq!(
        (&placed["status"], &placed["sum"]),
        (&json!("created"), &json!(4180))
    );
    let id = placed["id"].as_str().unwrap();
    assert!(id.starts_with("o_") && id.len() == 34, "{id}");

    let mine = world.read_order(id, "phone-1").await;
    assert_eq!(mine["personal"], true);
    assert_eq!(
        (&mine["goods_sum"], &mine["service_sum"], &mine["sum"]),
        (&json!(3800), &json!(380), &json!(4180))
    );
    assert_eq!(
        (&mine["table_number"], &mine["name"]),
        (&json!("7"), &json!("Айгүл"))
    );
    assert_eq!(mine["positions"][0]["name"], "Лагман");
    assert_eq!(mine["positions"][0]["price"], 1900);
    assert_eq!(
        mine["positions"][0]["additives"],
        json!([{"name": "Орташа", "count": 1, "price": 50}])
    );
    assert!(
        mine["current_order_status"]["next_average_time"]
            .as_str()
            .unwrap()
            .ends_with('Z')
    );

    let others = world.read_order(id, "phone-2").await;
    assert_eq!(others["personal"], false);
    assert_eq!(others["positions"], json!([]));
    for field in [
        "sum",
        "goods_sum",
        "service_sum",
        "table_number",
        "name",
        "comment",
    ] {
        assert_eq!(others[field], Value::Null, "{field}");
    }
    assert_eq!(others["status"], "created");
    let unknown = world.get("/takeaway/v2/user/order?order_id=o_00").await;
    assert_eq!(
        (unknown.status, unknown.code()),
        (404, "order_not_found".into())
    );
}

#[tokio::test]
async fn fifty_parallel_submits_of_one_key_make_one_order() {
    let world = std::sync::Arc::new(World::start().await);
    let tasks: Vec<_> = (0..50)
        .map(|_| {
            let world = world.clone();
            tokio::spawn(async move { world.order(&dinner(), "same").await.text() })
        })
        .collect();
    let mut answers = Vec::new();
    for task in tasks {
        answers.push(task.await.unwrap());
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:?}");
    assert_eq!(world.orders().await.len(), 1);
}

#[tokio::test]
async fn a_key_holds_its_first_body_and_answer_over_a_restart() {
    let world = World::start().await;
    let first = world.order(&dinner(), "k1").await;
    let mut other = dinner();
    other["comment"] = json!("no onions");
    let refused = world.order(&other, "k1").await;
    assert_eq!(
        (refused.status, refused.code()),
        (422, "idempotency_mismatch".into())
    );
    world
        .control(
            "stock",
            json!({"filial_id": EXPRESS, "product_id": 551, "available": false}),
        )
        .await;
    let world = world.restart().await;
    let again = world.order(&dinner(), "k1").await;
    assert_eq!((again.status, again.text()), (201, first.text()));
    assert_eq!(world.orders().await.len(), 1);
}

#[tokio::test]
async fn what_cannot_be_had_is_refused_with_its_code() {
    let world = World::start().await;
    let cases: Vec<(&str, Value, u16, &str)> = vec![
        ("/table_id", json!(null), 422, "table_required"),
        ("/table_id", json!("t99"), 422, "table_unknown"),
        ("/main_terminal_id", json!(2020), 422, "table_unknown"),
        ("/payment_type", json!("gold"), 400, "bad_request"),
        ("/expected_sum", json!(1), 422, "sum_mismatch"),
        ("/filial_id", json!(TAKEAWAY), 400, "bad_request"),
        ("/filial_id", json!(999_999), 404, "terminal_not_found"),
        ("/filial_id", json!("x"), 400, "bad_request"),
        ("/items", json!([]), 400, "bad_request"),
        ("/items/0/count", json!(0), 400, "bad_request"),
        ("/items/0/count", json!(-3), 400, "bad_request"),
        ("/items/0/count", json!(100), 400, "bad_request"),
        ("/items/0/count", json!(1e30), 400, "bad_request"),
        ("/items/0/price", json!(1), 422, "price_changed"),
        ("/items/0/price", json!(-1), 400, "bad_request"),
        ("/items/0/product_id", json!(1), 422, "item_unavailable"),
        ("/items/0/product_id", json!(560), 422, "item_unavailable"),
        ("/items/0/product_id", json!(554), 422, "item_unavailable"),
        ("/items/0/product_id", json!(552), 422, "options_invalid"),
        ("/items/0/size_id", json!(5), 422, "options_invalid"),
        ("/items/0/additives", json!([]), 422, "options_invalid"),
        (
            "/items/0/additives",
            json!([{"id": 77}]),
            422,
            "options_invalid",
        ),
        (
            "/items/0/additives",
            json!([{"id": 11}, {"id": 12}]),
            422,
            "options_invalid",
        ),
        (
            "/items/0/additives",
            json!([{"id": 12}, {"id": 21, "count": 4}]),
            422,
            "options_invalid",
        ),
        (
            "/items/0/additives",
            json!([{"id": 12, "count": -1}]),
            400,
            "bad_request",
        ),
        (
            "/items/0/additives",
            json!([{"id": 13}]),
            422,
            "item_unavailable",
        ),
    ];
    for (index, (pointer, value, status, code)) in cases.into_iter().enumerate() {
        let mut body = dinner();
        *body.pointer_mut(pointer).unwrap() = value.clone();
        let reply = world.order(&body, &format!("k{index}")).await;
        assert_eq!(
            (reply.status, reply.code().as_str()),
            (status, code),
            "{pointer} = {value}: {}",
            reply.text()
        );
    }
    let without_key = world.post("/takeaway/v1/express/order", &dinner()).await;
    assert_eq!(without_key.status, 400);
    assert_eq!(world.orders().await.len(), 0);
}

#[tokio::test]
async fn sums_are_worked_out_here_in_the_money_of_the_country() {
    let world = World::start().await;
    let tea = json!({
        "filial_id": EXPRESS, "table_id": "t8", "payment_type": "online",
        "items": [{"product_id": 553, "count": 3}],
    });
    // 3 × 400.50 = 1,201.50; ten percent, down to whole tenge: 120.
    assert_eq!(
        world.order(&tea, "kz").await.json()["data"]["sum"],
        json!(1321.5)
    );
    let khinkali = json!({
        "filial_id": 2013, "table_id": "t7", "payment_type": "cash",
        "items": [{"product_id": 701, "count": 3}],
    });
    // 3 × 12.55 = 37.65; ten percent, down to hundredths: 3.76.
    assert_eq!(
        world.order(&khinkali, "ge").await.json()["data"]["sum"],
        json!(41.41)
    );
    let large = json!({
        "filial_id": EXPRESS, "table_id": "t8", "payment_type": "cash",
        "items": [{"product_id": 552, "size_id": 2, "count": 1, "price": 1400}],
    });
    let placed = world.order(&large, "size").await.json();
    let order = world
        .read_order(placed["data"]["id"].as_str().unwrap(), "phone-1")
        .await;
    assert_eq!(order["positions"][0]["name"], "Кола, 1 л");
}

#[tokio::test]
async fn a_closed_venue_takes_no_orders() {
    let world = World::start_at("2026-11-21T16:00:00+05:00").await;
    let late = json!({
        "filial_id": 1033, "table_id": "t7", "payment_type": "cash",
        "items": [{"product_id": 553, "count": 1}],
    });
    assert_eq!(world.order(&late, "k1").await.code(), "venue_closed");
    world
        .control("clock", json!({"now": "2026-11-22T01:30:00+05:00"}))
        .await;
    assert_eq!(world.order(&late, "k1").await.status, 201);
    world
        .control("clock", json!({"now": "2026-11-22T01:50:00+05:00"}))
        .await;
    assert_eq!(world.order(&late, "k2").await.code(), "venue_closed");
    world
        .control("opening", json!({"filial_id": EXPRESS, "closed": true}))
        .await;
    assert_eq!(world.order(&dinner(), "k3").await.code(), "venue_closed");
    world
        .control("opening", json!({"filial_id": EXPRESS, "closed": false}))
        .await;
    assert_eq!(world.order(&dinner(), "k3").await.status, 201);
}

#[tokio::test]
async fn an_order_moves_by_itself_with_the_speed_and_never_back() {
    let world = World::start().await;
    let id = world.order(&dinner(), "k1").await.json()["data"]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(world.read_order(&id, "phone-1").await["status"], "created");
    world.control("speed", json!({"factor": 10_000})).await;
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    let order = world.read_order(&id, "phone-1").await;
    assert_eq!(order["status"], "completed");
    let reached: Vec<&str> = order["statuses"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|step| step["status"].as_str())
        .collect();
    assert_eq!(reached, ["created", "cooking", "ready", "completed"]);
    assert_eq!(
        order["current_order_status"]["next_average_time"],
        Value::Null
    );
    world.control("speed", json!({"factor": 0.001})).await;
    let world = world.restart().await;
    assert_eq!(
        world.read_order(&id, "phone-1").await["status"],
        "completed"
    );
}

#[tokio::test]
async fn an_order_can_be_canceled_with_a_reason() {
    let world = World::start().await;
    let id = world.order(&dinner(), "k1").await.json()["data"]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    world
        .control(
            "order/status",
            json!({"order_id": id, "status": "canceled", "reason": "No gas"}),
        )
        .await;
    world.control("speed", json!({"factor": 100_000})).await;
    tokio::time::sleep(std::time::Duration::from_millis(30)).await;
    let order = world.read_order(&id, "phone-1").await;
    assert_eq!(
        (&order["status"], &order["cancel_reason"]),
        (&json!("canceled"), &json!("No gas"))
    );
    let wrong = world
        .post(
            "/_sandbox/api/order/status",
            &json!({"order_id": id, "status": "eaten"}),
        )
        .await;
    assert_eq!(wrong.status, 400);
}

#[tokio::test]
async fn what_was_chosen_last_is_offered_again() {
    let world = World::start().await;
    let target =
        format!("/menu/v2/product/additives?filial_id={EXPRESS}&product_id=551&service_type=3");
    let fresh = world
        .get_with(&target, &[("x-fingerprint", "phone-1")])
        .await
        .json();
    assert_eq!(
        fresh["data"]["last_selected"],
        json!([{"id": 11, "count": 1}])
    );
    let mut body = dinner();
    body["items"][0]["additives"] = json!([{"id": 12}, {"id": 21, "count": 2}]);
    body["items"][0]["price"] = json!(2250);
    body["expected_sum"] = json!(4950);
    assert_eq!(world.order(&body, "k1").await.status, 201);
    let again = world
        .get_with(&target, &[("x-fingerprint", "phone-1")])
        .await
        .json();
    assert_eq!(
        again["data"]["last_selected"],
        json!([{"id": 12, "count": 1}, {"id": 21, "count": 2}])
    );
    let other = world
        .get_with(&target, &[("x-fingerprint", "phone-2")])
        .await
        .json();
    assert_eq!(
        other["data"]["last_selected"],
        json!([{"id": 11, "count": 1}])
    );
}

//! Fridges, promos, search, feedback, push, geo.

use serde_json::{Value, json};

use crate::support::{EXPRESS, TAKEAWAY, World, dinner};

const OPEN_LOCK: &str = "/smart-lock/v1/open-lock";

#[tokio::test]
async fn a_key_opens_a_fridge_once_also_when_it_is_shut_again() {
    let world = World::start().await;
    let token = world.sign_in("+77010000002").await;
    let bearer = format!("Bearer {token}");
    let keyed = [
        ("authorization", bearer.as_str()),
        ("x-idempotency-key", "one"),
    ];
    let open = json!({"terminal_id": TAKEAWAY});
    let first = world.post_with(OPEN_LOCK, &open, &keyed).await.json()["data"].clone();
    let target = format!(
        "/smart-lock/v1/sessions/{}",
        first["session_id"].as_str().unwrap()
    );
    let close = format!("{target}/close");
    let none = json!({"items": []});
    world.as_user(&token, "POST", &close, &none).await;
    let again = world.post_with(OPEN_LOCK, &open, &keyed).await.json()["data"].clone();
    assert_eq!(again["session_id"], first["session_id"]);
    assert_eq!(again["status"], "closed");
    let running = world.as_user(&token, "GET", "/smart-lock/v1/sessions", &Value::Null);
    assert_eq!(running.await.json()["data"], json!([]));
}

#[tokio::test]
async fn a_lock_is_slow_or_jams_and_a_door_stays_open_or_is_forgotten() {
    let world = World::start().await;
    let token = world.sign_in("+77010000002").await;
    let fridge = |lock: &str| json!({"filial_id": TAKEAWAY, "lock": lock});
    let door = |event: &str| json!({"filial_id": TAKEAWAY, "event": event});
    let open = json!({"terminal_id": TAKEAWAY});
    let status = async || {
        let opened = world.as_user(&token, "POST", OPEN_LOCK, &open).await;
        opened.json()["data"]["status"].clone()
    };
    world.control("lock", fridge("jammed")).await;
    assert_eq!(status().await, "failed");
    world.control("lock", fridge("slow")).await;
    assert_eq!(status().await, "opening");
    world.control("door", door("opens")).await;
    assert_eq!(status().await, "open");
    let running = async || {
        let sessions = world.as_user(&token, "GET", "/smart-lock/v1/sessions", &Value::Null);
        sessions.await.json()["data"].clone()
    };
    let since = running().await[0]["opened_at"].clone();
    world.control("door", door("stays")).await;
    let now = running().await[0]["opened_at"].clone();
    assert!(now.as_str() < since.as_str(), "{now} {since}");
    world.control("door", door("lost")).await;
    assert_eq!(running().await, json!([]));
    let no_door = world.post("/_sandbox/api/door", &door("opens")).await;
    assert_eq!(no_door.status, 404);
}

#[tokio::test]
async fn a_slow_lock_is_told_again_and_one_that_never_opened_keeps_no_guest_waiting() {
    let world = World::start().await;
    let first = world.sign_in("+77010000002").await;
    let second = world.sign_in("+77010000003").await;
    let lock = |lock: &str| json!({"filial_id": TAKEAWAY, "lock": lock});
    let open = json!({"terminal_id": TAKEAWAY});
    let status = async |token: &str| {
        let opened = world.as_user(token, "POST", OPEN_LOCK, &open).await;
        opened.json()["data"]["status"].clone()
    };
    world
        .control("clock", json!({"now": "2026-11-21T12:00:00+05:00"}))
        .await;
    world.control("lock", lock("slow")).await;
    assert_eq!(status(&first).await, "opening");
    assert_eq!(status(&second).await, Value::Null, "the first one waits");
    assert_eq!(status(&first).await, "opening");
    world
        .control("clock", json!({"now": "2026-11-21T12:00:11+05:00"}))
        .await;
    assert_eq!(status(&second).await, "opening");
    let running = world.as_user(&first, "GET", "/smart-lock/v1/sessions", &Value::Null);
    assert_eq!(running.await.json()["data"], json!([]));
    world.control("lock", lock("works")).await;
    assert_eq!(status(&second).await, "open");
    assert_eq!(status(&first).await, Value::Null, "the door is open now");
}

#[tokio::test]
async fn what_is_taken_unseen_is_counted_and_paid_for() {
    let world = World::start().await;
    let token = world.sign_in("+77010000002").await;
    let open = json!({"terminal_id": TAKEAWAY});
    let session = world.as_user(&token, "POST", OPEN_LOCK, &open).await.json()["data"].clone();
    let taken = json!({"filial_id": TAKEAWAY, "product_id": 552, "count": 2});
    world.control("taken", taken).await;
    let close = format!(
        "/smart-lock/v1/sessions/{}/close",
        session["session_id"].as_str().unwrap()
    );
    let scanned = json!({"items": [{"product_id": 552, "size_id": 1, "count": 1}]});
    let closed = world.as_user(&token, "POST", &close, &scanned).await.json()["data"].clone();
    assert_eq!(
        (&closed["status"], &closed["counted"]),
        (&json!("closed"), &json!(3))
    );
    assert_eq!(world.orders().await.len(), 1);
}

#[tokio::test]
async fn a_fridge_opens_for_one_and_settles_once() {
    let world = World::start().await;
    let (token, other) = (
        world.sign_in("+77010000002").await,
        world.sign_in("+77010000003").await,
    );
    let open = json!({"terminal_id": TAKEAWAY});
    assert_eq!(
        world.post("/smart-lock/v1/open-lock", &open).await.status,
        401
    );
    world
        .control("lock", json!({"filial_id": TAKEAWAY, "broken": true}))
        .await;
    assert_eq!(
        world
            .as_user(&token, "POST", "/smart-lock/v1/open-lock", &open)
            .await
            .code(),
        "lock_failed"
    );
    world
        .control("lock", json!({"filial_id": TAKEAWAY, "broken": false}))
        .await;
    let session = world
        .as_user(&token, "POST", "/smart-lock/v1/open-lock", &open)
        .await
        .json()["data"]
        .clone();
    let again = world
        .as_user(&token, "POST", "/smart-lock/v1/open-lock", &open)
        .await
        .json()["data"]
        .clone();
    assert_eq!(again["session_id"], session["session_id"]);
    assert_eq!(
        world
            .as_user(&other, "POST", "/smart-lock/v1/open-lock", &open)
            .await
            .status,
        409
    );
    let target = format!(
        "/smart-lock/v1/sessions/{}",
        session["session_id"].as_str().unwrap()
    );
    assert_eq!(
        world
            .as_user(&other, "GET", &target, &Value::Null)
            .await
            .status,
        404
    );
    let taken = json!({"items": [{"product_id": 552, "size_id": 1, "count": 1}]});
    let closed = world
        .as_user(&token, "POST", &format!("{target}/close"), &taken)
        .await
        .json()["data"]
        .clone();
    assert_eq!(closed["status"], "closed");
    let twice = world
        .as_user(&token, "POST", &format!("{target}/close"), &taken)
        .await
        .json()["data"]
        .clone();
    assert_eq!(twice["order_id"], closed["order_id"]);
    let orders = world.orders().await;
    assert_eq!(
        (orders.len(), &orders[0]["kind"], &orders[0]["sum"]),
        (1, &json!("micromarket"), &json!(900))
    );
}

#[tokio::test]
async fn goods_are_found_by_their_barcode() {
    let world = World::start().await;
    let find = |code: &'static str| {
        let world = &world;
        async move {
            world
                .get(&format!(
                    "/menu/v3/product-by-barcode?filial_id={TAKEAWAY}&barcode={code}"
                ))
                .await
        }
    };
    assert_eq!(
        find("4870000000017").await.json()["data"]["product_id"],
        552
    );
    assert_eq!(find("12345678").await.code(), "product_not_found");
    for wrong in ["1234567", "abcdefgh", "", "123456789012"] {
        assert_eq!(find(wrong).await.status, 400, "{wrong}");
    }
}

#[tokio::test]
async fn frequent_products_are_the_callers_own() {
    let world = World::start().await;
    let mut order = dinner();
    order["items"] = json!([{"product_id": 553, "count": 5}]);
    order["expected_sum"] = Value::Null;
    assert_eq!(world.order(&order, "k").await.status, 201);
    let target = format!("/takeaway/v1/filial/{EXPRESS}/products/frequent/?limit=20");
    let mine = world
        .get_with(&target, &[("x-fingerprint", "phone-1")])
        .await
        .json();
    assert_eq!(mine["data"][0]["product_id"], 553);
    let other = world
        .get_with(&target, &[("x-fingerprint", "phone-2")])
        .await
        .json();
    assert_eq!(other["data"][0]["product_id"], 551);
    let there = world
        .get(&format!("/menu/v2/products/available?filial_id={EXPRESS}"))
        .await
        .json();
    assert_eq!(there["data"], json!([551, 552, 553, 555]));
}

#[tokio::test]
async fn favourites_are_the_persons_own_once_something_was_ordered() {
    let world = World::start().await;
    let token = world.sign_in("+77010000002").await;
    let target = format!("/menu/v3/favourite/products?filial_id={EXPRESS}&limit=20");
    let public = world
        .as_user(&token, "GET", &target, &Value::Null)
        .await
        .json();
    assert_eq!(
        (
            &public["data"][0]["product_id"],
            &public["data"][0]["is_favorite"]
        ),
        (&json!(551), &json!(false))
    );
    let tea = json!({"filial_id": TAKEAWAY, "payment_type": "cash", "items": [{"product_id": 553, "count": 1}]});
    assert_eq!(world.buy(&token, "takeaway", &tea, "k").await.status, 201);
    let own = world
        .as_user(&token, "GET", &target, &Value::Null)
        .await
        .json();
    assert_eq!(
        (
            &own["data"][0]["product_id"],
            &own["data"][0]["is_favorite"]
        ),
        (&json!(553), &json!(true))
    );
}

#[tokio::test]
async fn promos_gather_the_products_of_a_reward() {
    let world = World::start().await;
    let target = format!(
        "/menu-promos/api/v2/promos?filter[filial_id]={EXPRESS}&filter[onlyActive]=1&include=products"
    );
    let promos = world.get(&target).await.json()["data"].clone();
    assert_eq!(
        (&promos[0]["id"], &promos[0]["percentage"]),
        (&json!(9), &json!(19))
    );
    assert_eq!(promos[0]["products"][0]["product_id"], 553);
    let subsidies = world
        .get(&format!(
            "/menu-promos/v1/promos/subsidies?terminal_ids[]={EXPRESS}&terminal_ids[]=5"
        ))
        .await
        .json();
    assert_eq!(subsidies["data"].as_array().map(Vec::len), Some(1));
    assert_eq!(
        subsidies["data"][0]["thresholds"][0],
        json!({"threshold": 5000, "amount": 5000, "discount": 200})
    );
}

#[tokio::test]
async fn search_is_completed_by_brands_venues_and_dishes() {
    let world = World::start().await;
    let ask = |query: &'static str| {
        let world = &world;
        async move {
            world
                .get_with(
                    &format!("/brandy/api/v1/autocomplete?query={query}"),
                    &[("x-language", "ru")],
                )
                .await
                .json()["data"]
                .clone()
        }
    };
    let hits = ask("лагман").await;
    let kinds: Vec<&str> = hits
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|hit| hit["kind"].as_str())
        .collect();
    assert_eq!(kinds, ["brand", "venue", "venue"], "three by default");
    assert_eq!(
        ask("ШАЙ").await[0]["text"],
        "Чай",
        "case and Kazakh letters are folded"
    );
    let brand = world
        .get("/brandy/api/v1/locations/brand/5?limit=20")
        .await
        .json();
    assert_eq!(
        brand["data"][0]["locations"].as_array().map(Vec::len),
        Some(2)
    );
    let brands = world.get("/brandy/api/v1/brands?town_id=1").await.json();
    assert_eq!(brands["meta"]["total"], 2);
}

#[tokio::test]
async fn addresses_are_suggested_and_read_from_the_map() {
    let world = World::start().await;
    let found = world
        .get("/geo-service/suggestions/?address=дастур,Алматы&limit=3")
        .await
        .json()["data"]
        .clone();
    assert_eq!(
        (&found[0]["street"], &found[0]["building"]),
        (&json!("Дәстүр"), &json!("5"))
    );
    let here = world
        .get("/geo-service/reverse-geocode/?lat=43.231&long=76.951")
        .await
        .json()["data"]
        .clone();
    assert_eq!(here["city"], "Алматы");
    assert_eq!(
        world
            .get("/geo-service/reverse-geocode/?lat=0&long=0")
            .await
            .code(),
        "address_not_found"
    );
    assert_eq!(
        world
            .get("/geo-service/reverse-geocode/?lat=x&long=0")
            .await
            .status,
        400
    );
    let tile = world.get("/tiles/12/2900/1500").await;
    assert!(tile.status == 200 && tile.text().starts_with("<svg"));
    assert_eq!(world.get("/tiles/1/9/0").await.status, 404);
}

#[tokio::test]
async fn push_needs_its_headers_and_takes_tokens_back() {
    let world = World::start().await;
    let body = json!({"token": "abc", "analyticDeviceID": "d1"});
    assert_eq!(
        world.post("/api/v2/push-gateway/token", &body).await.status,
        400
    );
    let headers = [("x-os", "web"), ("x-project", "dastarkhan")];
    assert_eq!(
        world
            .post_with("/api/v2/push-gateway/token", &body, &headers)
            .await
            .status,
        200
    );
    assert_eq!(
        world
            .post_with(
                "/api/v2/push-gateway/token",
                &body,
                &[("x-os", "dos"), ("x-project", "p")]
            )
            .await
            .status,
        400
    );
    assert_eq!(
        world
            .post("/api/v2/push-gateway/token/un-assign", &body)
            .await
            .status,
        200
    );
}

#[tokio::test]
async fn tips_reach_the_venue() {
    let world = World::start().await;
    let tips =
        json!({"filial_id": EXPRESS, "sum": 500, "success_url": "http://127.0.0.1:8080/thanks"});
    let payment = world.post("/tips/v1/tips", &tips).await.json()["data"].clone();
    assert_eq!(
        (&payment["subject"], &payment["sum"]),
        (&json!("tips"), &json!(500))
    );
}

#[tokio::test]
async fn a_chat_is_there_once_it_was_opened() {
    let world = World::start().await;
    let token = world.sign_in("+77010000002").await;
    let target = "/telegram-user-notifications/v1/chat";
    assert_eq!(world.get(target).await.status, 404);
    assert_eq!(
        world
            .as_user(&token, "GET", target, &Value::Null)
            .await
            .status,
        404
    );
    world
        .control(
            "balance",
            json!({"phone": "+77010000002", "chat": "c-1", "bonus": 250}),
        )
        .await;
    assert_eq!(
        world
            .as_user(&token, "GET", target, &Value::Null)
            .await
            .json()["data"]["chat_id"],
        "c-1"
    );
    world
        .control("tokens/end", json!({"phone": "+77010000002"}))
        .await;
    assert_eq!(
        world
            .as_user(&token, "GET", "/balance/user", &Value::Null)
            .await
            .status,
        401
    );
}

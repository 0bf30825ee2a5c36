//! Orders of signed-in people: delivery, payment, bonuses, cancellation.

use serde_json::{Value, json};

use crate::client::{Reply, send};
use crate::support::{DELIVERY, TAKEAWAY, World};

const SHOP: &str = "http://127.0.0.1:8080";

/// Two large colas to take away, paid online.
pub fn online(method: &str) -> Value {
    json!({
        "filial_id": TAKEAWAY, "payment_type": "online", "payment_method": method,
        "success_url": format!("{SHOP}/orders?x=1"), "failure_url": format!("{SHOP}/cart"),
        "items": [{"product_id": 552, "size_id": 2, "count": 2, "price": 1400}],
    })
}

/// Two large colas brought a kilometre away.
pub fn brought() -> Value {
    json!({
        "filial_id": DELIVERY, "payment_type": "cash", "transport_type": "FOOT",
        "items": [{"product_id": 552, "size_id": 2, "count": 2, "price": 1400}],
        "address": {"street": "Абай", "latitude": 43.238, "longitude": 76.95},
    })
}

async fn outcome(world: &World, id: &str, outcome: &str) -> Reply {
    let body = format!("outcome={outcome}").into_bytes();
    let headers = [("content-type", "application/x-www-form-urlencoded")];
    send(
        world.sandbox.addr,
        "POST",
        &format!("/pay/card/{id}"),
        &headers,
        body,
    )
    .await
    .unwrap()
}

fn ids(placed: &Value) -> (String, String) {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    (
        text(&placed["data"]["id"]),
        text(&placed["data"]["payment"]["id"]),
    )
}

pub async fn mine(world: &World, token: &str, id: &str) -> Value {
    let reply = world
        .as_user(
            token,
            "GET",
            &format!("/takeaway/v2/user/order?order_id={id}"),
            &Value::Null,
        )
        .await;
    reply.json()["data"].clone()
}

pub async fn bonus(world: &World, token: &str) -> Value {
    world
        .as_user(token, "GET", "/balance/user", &Value::Null)
        .await
        .json()["data"]["bonus_kzt"]
        .clone()
}

#[tokio::test]
async fn everything_but_the_table_asks_to_sign_in() {
    let world = World::start().await;
    for kind in ["takeaway", "delivery", "vendor-delivery", "micromarket"] {
        let reply = world
            .post_with(
                &format!("/takeaway/v1/{kind}/order"),
                &brought(),
                &[("x-idempotency-key", "k")],
            )
            .await;
        assert_eq!(reply.status, 401, "{kind}");
    }
}

#[tokio::test]
async fn an_online_order_waits_for_its_payment_and_tells_the_truth() {
    let world = World::start().await;
    let token = world.sign_in("+77010000002").await;
    world.control("speed", json!({"factor": 100_000})).await;
    let (order, first) = ids(&world
        .buy(&token, "takeaway", &online("card"), "k1")
        .await
        .json());
    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    let waiting = mine(&world, &token, &order).await;
    assert_eq!(
        (&waiting["status"], &waiting["is_paid"]),
        (&json!("created"), &json!(false))
    );
    assert_eq!(waiting["payment"]["status"], "pending");

    let declined = outcome(&world, &first, "declined").await;
    assert_eq!(declined.location, format!("{SHOP}/cart?payment_id={first}"));
    // The page that has ended pays nothing any more.
    assert_eq!(
        outcome(&world, &first, "succeeded").await.location,
        format!("{SHOP}/cart?payment_id={first}")
    );
    assert_eq!(mine(&world, &token, &order).await["is_paid"], false);

    let again = json!({"success_url": format!("{SHOP}/orders")});
    let target = format!("/takeaway/v1/order/{order}/payment");
    let second = world.as_user(&token, "POST", &target, &again).await.json()["data"]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let paid = outcome(&world, &second, "succeeded").await;
    assert_eq!(paid.location, format!("{SHOP}/orders?payment_id={second}"));
    let truth = world
        .get(&format!("/payments/v1/payment/{second}"))
        .await
        .json();
    assert_eq!(truth["data"]["status"], "succeeded");
    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    let done = mine(&world, &token, &order).await;
    assert_eq!(
        (&done["status"], &done["is_paid"], &done["paid_with_card"]),
        (&json!("completed"), &json!(true), &json!(2800))
    );
    assert_eq!(
        world.as_user(&token, "POST", &target, &again).await.code(),
        "nothing_to_pay"
    );
}

#[tokio::test]
async fn an_attempt_that_is_not_ended_has_timed_out_and_pays_nothing() {
    let world = World::start().await;
    let token = world.sign_in("+77010000002").await;
    let (order, payment) = ids(&world
        .buy(&token, "takeaway", &online("card"), "k1")
        .await
        .json());
    let later = time::OffsetDateTime::now_utc() + time::Duration::minutes(16);
    let later = later
        .format(&time::format_description::well_known::Rfc3339)
        .unwrap();
    world.control("clock", json!({"now": later})).await;
    let truth = world
        .get(&format!("/payments/v1/payment/{payment}"))
        .await
        .json();
    assert_eq!(truth["data"]["status"], "timed_out");
    outcome(&world, &payment, "succeeded").await;
    assert_eq!(mine(&world, &token, &order).await["is_paid"], false);
}

#[tokio::test]
async fn payments_lead_only_into_the_web_application() {
    let world = World::start().await;
    let token = world.sign_in("+77010000002").await;
    for url in [
        "http://evil.example/",
        "http://127.0.0.1:8080.evil.example/",
        "javascript:alert(1)",
    ] {
        let mut body = online("card");
        body["success_url"] = json!(url);
        assert_eq!(
            world.buy(&token, "takeaway", &body, url).await.status,
            400,
            "{url}"
        );
    }
}

#[tokio::test]
async fn a_delivery_knows_its_zone_its_price_and_its_courier() {
    let world = World::start().await;
    let token = world.sign_in("+77010000002").await;
    let zone = "/brandy/api/v1/locations/101/delivery-zones/check";
    assert_eq!(
        world.get(zone).await.status,
        400,
        "coordinates are required"
    );
    let near = world
        .get_with(zone, &[("lat", "43.238"), ("long", "76.95")])
        .await
        .json();
    assert_eq!(
        near["data"],
        json!({"is_in_delivery_zone": true, "delivery_cost": 400})
    );
    let far = world
        .get_with(zone, &[("lat", "51.1"), ("long", "71.4")])
        .await
        .json();
    assert_eq!(
        far["data"],
        json!({"is_in_delivery_zone": false, "delivery_cost": 0})
    );

    let placed = world.buy(&token, "delivery", &brought(), "k1").await.json();
    assert_eq!(placed["data"]["sum"], 3200, "{placed}");
    let order = placed["data"]["id"].as_str().unwrap();
    let courier = format!("/dr-delivery/api/v1/courier?takeaway_order_id={order}");
    assert_eq!(
        world
            .as_user(&token, "GET", &courier, &Value::Null)
            .await
            .status,
        404
    );
    world
        .control(
            "order/status",
            json!({"order_id": order, "status": "delivery"}),
        )
        .await;
    let start = world
        .as_user(&token, "GET", &courier, &Value::Null)
        .await
        .json()["data"]
        .clone();
    world.control("speed", json!({"factor": 50})).await;
    let mut later = start.clone();
    for _ in 0..200 {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        let answer = world.as_user(&token, "GET", &courier, &Value::Null).await;
        later = answer.json()["data"].clone();
        if later != start {
            break;
        }
    }
    assert!(
        later["latitude"].as_f64() > start["latitude"].as_f64(),
        "{start} {later}"
    );
    assert_eq!(
        world.get(&courier).await.status,
        404,
        "a stranger sees no courier"
    );

    for (field, value, code) in [
        ("address", Value::Null, "address_required"),
        (
            "address",
            json!({"latitude": 51.1, "longitude": 71.4}),
            "out_of_zone",
        ),
        ("items", json!([{"product_id": 553, "count": 1}]), "min_sum"),
    ] {
        let mut body = brought();
        body[field] = value;
        assert_eq!(
            world.buy(&token, "delivery", &body, code).await.code(),
            code
        );
    }
    let own = world
        .buy(&token, "vendor-delivery", &brought(), "k2")
        .await
        .json();
    assert_eq!(own["data"]["sum"], 3500, "{own}");
}

#[tokio::test]
async fn tariffs_name_the_fastest_and_the_next_tier() {
    let world = World::start().await;
    let ask = json!({
        "origin": {"latitude": 43.23, "longitude": 76.95}, "destination": {"latitude": 43.238, "longitude": 76.95}, "sum": 4000,
    });
    let tariffs = world.post("/dr-delivery/api/v1/tariffs", &ask).await.json()["data"].clone();
    assert_eq!(
        (&tariffs[0]["transport_type"], &tariffs[0]["is_fastest"]),
        (&json!("FOOT"), &json!(false))
    );
    assert_eq!(
        tariffs[0]["next_tier"],
        json!({"threshold": 5000, "price": 200})
    );
    assert_eq!(tariffs[1]["is_fastest"], true);
    let wrong = json!({"origin": {"latitude": 430, "longitude": 1}, "destination": {"latitude": 1, "longitude": 1}});
    assert_eq!(
        world
            .post("/dr-delivery/api/v1/tariffs", &wrong)
            .await
            .status,
        400
    );
}

#[tokio::test]
async fn bonuses_and_codes_take_off_what_they_may_and_come_back() {
    let world = World::start().await;
    let token = world.sign_in("+77010000002").await;
    assert_eq!(bonus(&world, &token).await, 500);
    let mut body = brought();
    body["filial_id"] = json!(TAKEAWAY);
    body["promo_code"] = json!("dastarkhan10");
    body["bonus"] = json!(5000);
    assert_eq!(
        world.buy(&token, "takeaway", &body, "k0").await.code(),
        "bonus_too_much"
    );
    body["bonus"] = json!(500);
    // 2,800 − 280 − 500; three percent of that come back as cashback.
    let placed = world.buy(&token, "takeaway", &body, "k1").await.json();
    assert_eq!(placed["data"]["sum"], 2020, "{placed}");
    assert_eq!(bonus(&world, &token).await, 60);
    let order = placed["data"]["id"].as_str().unwrap();
    let target = format!("/takeaway/v1/order/{order}/cancel");
    let canceled = world
        .as_user(&token, "POST", &target, &json!({"reason": "Late"}))
        .await
        .json();
    assert_eq!(
        (
            &canceled["data"]["status"],
            &canceled["data"]["cancel_reason"]
        ),
        (&json!("canceled"), &json!("Late"))
    );
    assert_eq!(bonus(&world, &token).await, 500);
    assert_eq!(
        world
            .as_user(&token, "POST", &target, &json!({}))
            .await
            .code(),
        "too_late"
    );
    for (code, refusal) in [
        ("NONE", "promo_code_unknown"),
        ("SUMMER", "promo_code_expired"),
        ("FIRST500", "promo_code_sum"),
    ] {
        body["promo_code"] = json!(code);
        body["bonus"] = json!(0);
        assert_eq!(
            world.buy(&token, "takeaway", &body, code).await.code(),
            refusal
        );
    }
}

#[tokio::test]
async fn a_paid_order_is_refunded_when_it_is_canceled() {
    let world = World::start().await;
    let token = world.sign_in("+77010000002").await;
    let (order, payment) = ids(&world
        .buy(&token, "takeaway", &online("card"), "k1")
        .await
        .json());
    outcome(&world, &payment, "succeeded").await;
    world
        .control(
            "order/status",
            json!({"order_id": order, "status": "canceled", "reason": "Sold out"}),
        )
        .await;
    let order = mine(&world, &token, &order).await;
    assert_eq!(
        (&order["refund_sum"], &order["payment"]["status"]),
        (&json!(2800), &json!("refunded"))
    );
}

#[tokio::test]
async fn orders_are_listed_graded_and_repeated_by_their_owner() {
    let world = World::start().await;
    let (token, other) = (
        world.sign_in("+77010000002").await,
        world.sign_in("+77010000003").await,
    );
    let placed = world.buy(&token, "delivery", &brought(), "k1").await.json();
    let order = placed["data"]["id"].as_str().unwrap().to_owned();
    let list = |token: String, query: &'static str| {
        let world = &world;
        async move {
            let target = format!("/takeaway/v2/user/orders?{query}");
            world
                .as_user(&token, "GET", &target, &Value::Null)
                .await
                .json()["meta"]["total"]
                .clone()
        }
    };
    assert_eq!(list(token.clone(), "page=1").await, 1);
    assert_eq!(list(token.clone(), "service_type=1").await, 0);
    assert_eq!(list(token.clone(), "service_type=4&brand_id=5").await, 1);
    assert_eq!(list(other.clone(), "").await, 0);
    let bearer = format!("Bearer {other}");
    let other_guest = [
        ("authorization", bearer.as_str()),
        ("x-fingerprint", "phone-8"),
    ];
    let grade = format!("/takeaway/v1/order/{order}/grade");
    assert_eq!(
        world
            .post_with(&grade, &json!({"grade": 5}), &other_guest)
            .await
            .status,
        404
    );
    assert_eq!(
        world
            .as_user(&token, "POST", &grade, &json!({"grade": 6}))
            .await
            .status,
        400
    );
    assert_eq!(
        world
            .as_user(&token, "POST", &grade, &json!({"grade": 4}))
            .await
            .status,
        200
    );
    let repeat = format!("/takeaway/v1/order/{order}/repeat");
    let again = world
        .as_user(&token, "POST", &repeat, &json!({}))
        .await
        .json();
    assert_eq!(again["data"]["items"][0]["price"], 1400);
    world
        .control(
            "stock",
            json!({"filial_id": DELIVERY, "product_id": 552, "available": false}),
        )
        .await;
    let again = world
        .as_user(&token, "POST", &repeat, &json!({}))
        .await
        .json();
    assert_eq!(again["data"]["missing"], json!([{"product_id": 552}]));
}

//! Promo limits (MN-14), and what happens to what is not paid.

use serde_json::{Value, json};

use crate::client::send;
use crate::purchases::{bonus, mine, online};
use crate::support::{EXPRESS, TAKEAWAY, World};

fn cheese(count: i64, key_sum: Option<i64>) -> Value {
    json!({
        "filial_id": TAKEAWAY, "payment_type": "cash", "expected_sum": key_sum,
        "items": [{"product_id": 555, "count": count, "price": 600}],
    })
}

async fn check(world: &World, token: &str, items: Value) -> Value {
    let body = json!({"filial_id": TAKEAWAY, "items": items});
    let reply = world
        .as_user(token, "POST", "/menu/v2/stop_list/order_items/check", &body)
        .await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.json()["data"].clone()
}

#[tokio::test]
async fn pieces_above_the_promo_limit_cost_the_regular_price() {
    let world = World::start_at("2026-11-21T12:00:00+05:00").await;
    let token = world.sign_in("+77010000021").await;
    // Two of five at 600, three at 800: also when they stand in two positions.
    let answer = check(
        &world,
        &token,
        json!([{"product_id": 555, "count": 5, "price": 600}]),
    )
    .await;
    let item = &answer["items"][0];
    assert_eq!(
        (&item["status"], &item["promo_count"]),
        (&json!("ok"), &json!(2))
    );
    assert_eq!(
        (&item["sum"], &item["regular_price"]),
        (&json!(3600), &json!(800))
    );
    let apart = json!([{"product_id": 555, "count": 1}, {"product_id": 555, "count": 4}]);
    let answer = check(&world, &token, apart).await;
    assert_eq!(answer["items"][1]["promo_count"], 1);
    assert_eq!(answer["goods_sum"], 3600);

    let wrong = world
        .buy(&token, "takeaway", &cheese(5, Some(3000)), "wrong")
        .await;
    assert_eq!(wrong.code(), "sum_mismatch");
    let placed = world
        .buy(&token, "takeaway", &cheese(5, Some(3600)), "first")
        .await;
    assert_eq!(placed.status, 201, "{}", placed.text());
    let placed = placed.json();
    assert_eq!(placed["data"]["sum"], 3600);
    let id = placed["data"]["id"].as_str().unwrap();
    let position = mine(&world, &token, id).await["positions"][0].clone();
    assert_eq!(
        (&position["promo_count"], &position["sum"]),
        (&json!(2), &json!(3600))
    );

    // Three a day: one is left for the second order, none for the third.
    let second = world
        .buy(&token, "takeaway", &cheese(2, Some(1400)), "second")
        .await;
    assert_eq!(second.status, 201, "{}", second.text());
    let third = world
        .buy(&token, "takeaway", &cheese(1, Some(800)), "third")
        .await;
    assert_eq!(third.status, 201, "{}", third.text());
    // Another guest has an own day.
    let other = world.sign_in("+77010000022").await;
    let theirs = world
        .buy(&other, "takeaway", &cheese(2, Some(1200)), "other")
        .await;
    assert_eq!(theirs.status, 201, "{}", theirs.text());
}

#[tokio::test]
async fn the_day_of_a_promo_is_the_day_of_the_venue() {
    // 23:30 in Almaty, 18:30 in Greenwich.
    let world = World::start_at("2026-11-21T23:30:00+05:00").await;
    let token = world.sign_in("+77010000023").await;
    for (key, sum) in [("a", 1200), ("b", 1400)] {
        let placed = world
            .buy(&token, "takeaway", &cheese(2, Some(sum)), key)
            .await;
        assert_eq!(placed.status, 201, "{}", placed.text());
    }
    world
        .control("clock", json!({"now": "2026-11-22T00:10:00+05:00"}))
        .await;
    let placed = world
        .buy(&token, "takeaway", &cheese(2, Some(1200)), "c")
        .await;
    assert_eq!(placed.status, 201, "{}", placed.text());
    // A canceled order gives back what it took of the day.
    let id = placed.json()["data"]["id"].as_str().unwrap().to_owned();
    world
        .control(
            "order/status",
            json!({"order_id": id, "status": "canceled"}),
        )
        .await;
    let again = world
        .buy(&token, "takeaway", &cheese(2, Some(1200)), "d")
        .await;
    assert_eq!(again.status, 201, "{}", again.text());
}

#[tokio::test]
async fn two_orders_at_once_share_the_limit_of_the_day() {
    let world = World::start_at("2026-11-21T12:00:00+05:00").await;
    let token = world.sign_in("+77010000024").await;
    let (first, second) = (cheese(2, None), cheese(2, None));
    let (one, two) = tokio::join!(
        world.buy(&token, "takeaway", &first, "at-once-1"),
        world.buy(&token, "takeaway", &second, "at-once-2"),
    );
    let mut sums: Vec<i64> = Vec::new();
    for reply in [one, two] {
        match reply.status {
            201 => sums.extend(reply.json()["data"]["sum"].as_i64()),
            _ => assert_eq!(reply.code(), "price_changed"),
        }
    }
    sums.sort_unstable();
    assert!([vec![1200], vec![1200, 1400]].contains(&sums), "{sums:?}");
}

#[tokio::test]
async fn an_unpaid_order_expires_and_gives_its_bonuses_back() {
    let world = World::start_at("2026-11-21T12:00:00+05:00").await;
    let token = world.sign_in("+77010000025").await;
    world
        .control("balance", json!({"phone": "+77010000025", "bonus": 1000}))
        .await;
    let mut body = online("card");
    body["bonus"] = json!(500);
    let placed = world.buy(&token, "takeaway", &body, "unpaid").await.json();
    let id = placed["data"]["id"].as_str().unwrap().to_owned();
    let payment = placed["data"]["payment"]["id"].as_str().unwrap().to_owned();
    assert_eq!(bonus(&world, &token).await, 500);

    world
        .control("clock", json!({"now": "2026-11-21T12:20:00+05:00"}))
        .await;
    let order = mine(&world, &token, &id).await;
    assert_eq!(order["payment"]["status"], "timed_out");
    assert_eq!(
        order["status"], "created",
        "it may still be paid by another attempt"
    );
    assert_eq!(bonus(&world, &token).await, 500);

    world
        .control("clock", json!({"now": "2026-11-21T12:31:00+05:00"}))
        .await;
    assert_eq!(bonus(&world, &token).await, 1000);
    let order = mine(&world, &token, &id).await;
    assert_eq!(order["status"], "canceled");
    assert_eq!(order["cancel_reason"], "Оплата не поступила вовремя");
    assert_eq!(order["is_paid"], false);
    // No late payment wakes it up, and the bonuses come back once.
    world
        .control(
            "payment",
            json!({"payment_id": payment, "outcome": "succeeded"}),
        )
        .await;
    assert_eq!(mine(&world, &token, &id).await["status"], "canceled");
    assert_eq!(bonus(&world, &token).await, 1000);
}

#[tokio::test]
async fn an_attempt_under_way_keeps_an_order_from_expiring() {
    let world = World::start_at("2026-11-21T12:00:00+05:00").await;
    let token = world.sign_in("+77010000026").await;
    let placed = world
        .buy(&token, "takeaway", &online("card"), "late")
        .await
        .json();
    let id = placed["data"]["id"].as_str().unwrap().to_owned();
    world
        .control("clock", json!({"now": "2026-11-21T12:29:00+05:00"}))
        .await;
    let again = world
        .as_user(
            &token,
            "POST",
            &format!("/takeaway/v1/order/{id}/payment"),
            &json!({"success_url": "http://127.0.0.1:8080/x"}),
        )
        .await
        .json();
    world
        .control("clock", json!({"now": "2026-11-21T12:35:00+05:00"}))
        .await;
    assert_eq!(mine(&world, &token, &id).await["status"], "created");
    let payment = &again["data"]["id"];
    world
        .control(
            "payment",
            json!({"payment_id": payment, "outcome": "succeeded"}),
        )
        .await;
    assert_eq!(mine(&world, &token, &id).await["is_paid"], true);
}

#[tokio::test]
async fn an_abandoned_part_of_a_bill_gives_its_bonuses_back() {
    let world = World::start_at("2026-11-21T12:00:00+05:00").await;
    let token = world.sign_in("+77010000027").await;
    world
        .control("balance", json!({"phone": "+77010000027", "bonus": 1000}))
        .await;
    let table = json!({"filial_id": EXPRESS, "table_id": "t7"});
    let bill = world.post("/_sandbox/api/bill/open", &table).await.json();
    let bill = bill["data"]["id"].as_str().unwrap().to_owned();
    world
        .control(
            "bill/add",
            json!({"bill_id": bill, "product_id": 552, "count": 2}),
        )
        .await;
    let bearer = format!("Bearer {token}");
    let headers = [
        ("authorization", bearer.as_str()),
        ("x-idempotency-key", "part"),
    ];
    let part = world
        .post_with(
            &format!("/bills/v1/bill/{bill}/payments"),
            &json!({"sum": 1000, "bonus": 300, "success_url": "http://127.0.0.1:8080/x"}),
            &headers,
        )
        .await;
    assert_eq!(part.status, 201, "{}", part.text());
    assert_eq!(bonus(&world, &token).await, 700);
    world
        .control("clock", json!({"now": "2026-11-21T12:16:00+05:00"}))
        .await;
    assert_eq!(bonus(&world, &token).await, 1000);
}

#[tokio::test]
async fn the_qr_page_shows_a_code_that_the_phone_can_pay_from() {
    let world = World::start().await;
    let token = world.sign_in("+77010000028").await;
    let placed = world
        .buy(&token, "takeaway", &online("qr"), "qr")
        .await
        .json();
    let payment = placed["data"]["payment"]["id"].as_str().unwrap().to_owned();
    let page = world.get(&format!("/pay/qr/{payment}")).await.text();
    assert!(
        page.contains("<svg") && page.contains("role=\"img\""),
        "{page}"
    );
    // As many dark modules as a code of that length has, not an empty frame.
    let path = page.split("<path").nth(1).unwrap();
    assert!(path.split('>').next().unwrap().len() > 2000, "{path}");
    let phone = format!("/pay/qr/{payment}?phone=1");
    assert!(page.contains(&phone));
    assert!(world.get(&phone).await.text().contains("Your bank"));
    let headers = [("content-type", "application/x-www-form-urlencoded")];
    let body = b"outcome=succeeded&phone=1".to_vec();
    let target = format!("/pay/qr/{payment}");
    let paid = send(world.sandbox.addr, "POST", &target, &headers, body)
        .await
        .unwrap();
    assert_eq!((paid.status, paid.location.as_str()), (303, phone.as_str()));
    // The page that showed the code leads back to the shop.
    let shown = world.get(&target).await;
    assert_eq!(shown.status, 303);
    assert!(shown.location.contains("payment_id="), "{}", shown.location);
}

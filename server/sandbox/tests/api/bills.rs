//! Bills of tables and preorders.

use serde_json::{Value, json};

use crate::client::Reply;
use crate::support::{EXPRESS, World};

/// A table for four tomorrow, with tea.
pub fn booking() -> Value {
    json!({
        "filial_id": EXPRESS, "at": "2099-01-01T19:00:00+05:00", "guests": 4, "name": "Айгүл", "phone": "+77010000002",
        "items": [{"product_id": 553, "count": 4}],
    })
}

async fn opened(world: &World) -> String {
    let table = json!({"filial_id": EXPRESS, "table_id": "t7"});
    let id = world.post("/_sandbox/api/bill/open", &table).await.json()["data"]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    world
        .control(
            "bill/add",
            json!({"bill_id": id, "product_id": 552, "count": 2}),
        )
        .await;
    id
}

async fn of_table(world: &World) -> Reply {
    world
        .get(&format!(
            "/bills/v1/bill?filial_id={EXPRESS}&table_id=t7&main_terminal_id=1010"
        ))
        .await
}

pub async fn pay(world: &World, bill: &str, body: &Value, key: &str, token: Option<&str>) -> Reply {
    let bearer = token.map(|token| format!("Bearer {token}"));
    let mut headers = vec![("x-idempotency-key", key)];
    headers.extend(
        bearer
            .iter()
            .map(|bearer| ("authorization", bearer.as_str())),
    );
    world
        .post_with(&format!("/bills/v1/bill/{bill}/payments"), body, &headers)
        .await
}

#[tokio::test]
async fn a_part_that_is_not_paid_is_called_off_and_one_that_is_stays_paid() {
    let world = World::start().await;
    let bill = opened(&world).await;
    let page =
        json!({"sum": 1000, "success_url": "http://127.0.0.1:8080/thanks", "method": "card"});
    let waiting = pay(&world, &bill, &page, "k1", None).await.json();
    let part = waiting["data"]["id"].as_str().unwrap().to_owned();
    assert_eq!(of_table(&world).await.json()["data"]["left_sum"], 980);
    let cancel = format!("/bills/v1/payment/{part}/cancel");
    for _ in 0..2 {
        let off = world.post(&cancel, &json!({})).await;
        assert_eq!(off.json()["data"]["status"], "abandoned");
    }
    assert_eq!(of_table(&world).await.json()["data"]["left_sum"], 1980);
    // Its page of the bank takes no money any more.
    let end = json!({"payment_id": waiting["data"]["payment"]["id"], "outcome": "succeeded"});
    world.control("payment", end).await;
    assert_eq!(of_table(&world).await.json()["data"]["paid_sum"], 0);
    let paid = pay(&world, &bill, &json!({"sum": 1000}), "k2", None)
        .await
        .json();
    let part = paid["data"]["id"].as_str().unwrap();
    let late = world
        .post(&format!("/bills/v1/payment/{part}/cancel"), &json!({}))
        .await;
    assert_eq!(late.json()["data"]["status"], "succeeded");
    assert_eq!(of_table(&world).await.json()["data"]["paid_sum"], 1000);
    let none = world
        .post("/bills/v1/payment/bp_none/cancel", &json!({}))
        .await;
    assert_eq!((none.status, none.code().as_str()), (404, "part_not_found"));
}

#[tokio::test]
async fn a_waiter_is_called_to_a_table_without_a_bill() {
    let world = World::start().await;
    let call = async |table: &str, terminal: u64| {
        let body = json!({"filial_id": EXPRESS, "table_id": table, "main_terminal_id": terminal});
        world.post("/bills/v1/waiter-call", &body).await.status
    };
    assert_eq!(call("t7", 1010).await, 200);
    assert_eq!(call("t7", 9999).await, 404);
    assert_eq!(call("t999", 1010).await, 404);
}

#[tokio::test]
async fn a_bill_grows_and_is_paid_in_parts_by_several_phones() {
    let world = World::start().await;
    assert_eq!(of_table(&world).await.code(), "bill_not_found");
    let bill = opened(&world).await;
    // 2 × 900 and ten percent.
    assert_eq!(of_table(&world).await.json()["data"]["left_sum"], 1980);
    world
        .control(
            "bill/add",
            json!({"bill_id": bill, "product_id": 552, "count": 1}),
        )
        .await;
    assert_eq!(of_table(&world).await.json()["data"]["sum"], 2970);
    let part = pay(
        &world,
        &bill,
        &json!({"sum": 970, "tips": 100, "success_url": "http://127.0.0.1:8080/thanks"}),
        "k1",
        None,
    )
    .await;
    assert_eq!(part.status, 201, "{}", part.text());
    let payment = part.json()["data"]["payment"].clone();
    assert_eq!(payment["sum"], 1070);
    // What one phone is paying, no other can.
    assert_eq!(of_table(&world).await.json()["data"]["left_sum"], 2000);
    assert_eq!(
        pay(&world, &bill, &json!({"sum": 2500}), "k2", None)
            .await
            .code(),
        "sum_too_much"
    );
    world
        .control(
            "payment",
            json!({"payment_id": payment["id"], "outcome": "declined"}),
        )
        .await;
    assert_eq!(of_table(&world).await.json()["data"]["left_sum"], 2970);
    world
        .control("bill/pay", json!({"bill_id": bill, "sum": 1000}))
        .await;
    assert_eq!(
        pay(&world, &bill, &json!({}), "k3", None).await.json()["data"]["sum"],
        1970
    );
    assert_eq!(
        of_table(&world).await.code(),
        "bill_not_found",
        "a paid bill is closed"
    );
    assert_eq!(
        pay(&world, &bill, &json!({}), "k4", None).await.code(),
        "nothing_to_pay"
    );
}

#[tokio::test]
async fn twenty_phones_at_once_never_pay_too_much() {
    let world = std::sync::Arc::new(World::start().await);
    let bill = opened(&world).await;
    let tasks: Vec<_> = (0..20)
        .map(|phone| {
            let (world, bill) = (world.clone(), bill.clone());
            tokio::spawn(async move {
                pay(
                    &world,
                    &bill,
                    &json!({"sum": 300}),
                    &phone.to_string(),
                    None,
                )
                .await
                .status
            })
        })
        .collect();
    let mut paid = 0;
    for task in tasks {
        paid += i64::from(task.await.unwrap() == 201);
    }
    assert_eq!(paid, 6, "six times 300 fit into 1,980");
}

#[tokio::test]
async fn the_first_bill_gives_ten_percent_and_a_key_pays_once() {
    let world = World::start().await;
    let token = world.sign_in("+77010000002").await;
    let bill = opened(&world).await;
    let first = pay(&world, &bill, &json!({"sum": 1000}), "k1", Some(&token)).await;
    assert_eq!(first.json()["data"]["cashback"], 100);
    let again = pay(&world, &bill, &json!({"sum": 1000}), "k1", Some(&token)).await;
    assert_eq!(again.text(), first.text());
    assert_eq!(
        pay(&world, &bill, &json!({"sum": 900}), "k1", Some(&token))
            .await
            .code(),
        "idempotency_mismatch"
    );
    let second = pay(
        &world,
        &bill,
        &json!({"sum": 500, "bonus": 100}),
        "k2",
        Some(&token),
    )
    .await;
    assert_eq!(
        second.json()["data"]["cashback"],
        12,
        "three percent of what bonuses did not pay"
    );
    let balance = world
        .as_user(&token, "GET", "/balance/user", &Value::Null)
        .await
        .json();
    assert_eq!(balance["data"]["bonus_kzt"], 512);
    assert_eq!(
        pay(
            &world,
            &bill,
            &json!({"sum": 480, "bonus": 400}),
            "k3",
            Some(&token)
        )
        .await
        .code(),
        "bonus_too_much"
    );
}

#[tokio::test]
async fn a_part_that_was_paid_is_graded_without_an_account_and_no_other() {
    let world = World::start().await;
    let bill = opened(&world).await;
    let grade = async |part: &str, grade: i64| {
        let body = json!({"grade": grade, "comment": "Дәмді", "tags": ["tasty"]});
        let target = format!("/bills/v1/payment/{part}/grade");
        world.post(&target, &body).await
    };
    let paid = pay(&world, &bill, &json!({"sum": 980}), "k1", None)
        .await
        .json();
    let part = paid["data"]["id"].as_str().unwrap();
    assert_eq!(grade(part, 5).await.status, 200);
    assert_eq!(grade(part, 4).await.status, 200, "a change of mind");
    assert_eq!(grade(part, 6).await.status, 400);
    let pending = json!({"sum": 500, "success_url": "http://127.0.0.1:8080/thanks"});
    let pending = pay(&world, &bill, &pending, "k2", None).await.json();
    let part = pending["data"]["id"].as_str().unwrap();
    for part in [part, "bp_nothing"] {
        assert_eq!(grade(part, 5).await.code(), "part_not_found");
    }
}

#[tokio::test]
async fn a_check_pulling_table_has_a_bill_at_once() {
    let world = World::start().await;
    world
        .control(
            "check-pulling",
            json!({"filial_id": EXPRESS, "enabled": true}),
        )
        .await;
    let bill = of_table(&world).await.json()["data"].clone();
    assert_eq!(bill["items"].as_array().map(Vec::len), Some(3));
    assert_eq!(of_table(&world).await.json()["data"]["id"], bill["id"]);
    assert_eq!(
        pay(&world, bill["id"].as_str().unwrap(), &json!({}), "k", None)
            .await
            .status,
        201
    );
    assert_eq!(
        of_table(&world).await.status,
        404,
        "the next party gets its own bill later"
    );
}

#[tokio::test]
async fn a_preorder_belongs_to_the_guest_who_booked() {
    let world = World::start().await;
    let (token, other) = (
        world.sign_in("+77010000002").await,
        world.sign_in("+77010000003").await,
    );
    let booked = world
        .as_user(&token, "POST", "/booking/v1/bookings", &booking())
        .await;
    assert_eq!(booked.status, 201, "{}", booked.text());
    let preorder = booked.json()["data"]["preorder_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let target = format!("/bills/v1/preorder/{preorder}");
    let bill = world
        .as_user(&token, "GET", &target, &Value::Null)
        .await
        .json();
    assert_eq!(
        (&bill["data"]["goods_sum"], &bill["data"]["is_preorder"]),
        (&json!(1602), &json!(true))
    );
    assert_eq!(
        world
            .as_user(&other, "GET", &target, &Value::Null)
            .await
            .status,
        404
    );
    assert_eq!(world.get(&target).await.status, 401);
    let mine = world
        .as_user(&token, "GET", "/booking/v1/bookings", &Value::Null)
        .await
        .json();
    assert_eq!(mine["data"].as_array().map(Vec::len), Some(1));
    let mut late = booking();
    late["at"] = json!("2020-01-01T19:00:00+05:00");
    assert_eq!(
        world
            .as_user(&token, "POST", "/booking/v1/bookings", &late)
            .await
            .code(),
        "too_late"
    );
    // With the table its dishes are given back.
    let booking = booked.json()["data"]["id"].as_str().unwrap().to_owned();
    let cancel = format!("/booking/v1/bookings/{booking}/cancel");
    let answer = world.as_user(&token, "POST", &cancel, &json!({})).await;
    assert_eq!(answer.status, 200);
    let bill = world.as_user(&token, "GET", &target, &Value::Null).await;
    assert_eq!(bill.json()["data"]["status"], "closed", "{}", bill.text());
}

#[tokio::test]
async fn what_was_paid_of_a_preorder_goes_back_with_its_table() {
    let world = World::start().await;
    let token = world.sign_in("+77010000002").await;
    let balance = async || {
        let info = world
            .as_user(
                &token,
                "GET",
                "/ladder-go/api/v1/balance/calculate-info",
                &Value::Null,
            )
            .await
            .json();
        (
            info["data"]["bonus_kzt"].clone(),
            info["data"]["points"].clone(),
        )
    };
    let before = balance().await;
    let booked = world
        .as_user(&token, "POST", "/booking/v1/bookings", &booking())
        .await
        .json();
    let (id, preorder) = (&booked["data"]["id"], &booked["data"]["preorder_id"]);
    let preorder = preorder.as_str().unwrap();
    let part = json!({"sum": 1000, "tips": 100, "success_url": "http://127.0.0.1:8080/thanks"});
    let paid = pay(&world, preorder, &part, "k1", Some(&token))
        .await
        .json();
    let payment = paid["data"]["payment"]["id"].as_str().unwrap().to_owned();
    let end = json!({"payment_id": payment, "outcome": "succeeded"});
    world.control("payment", end).await;
    assert_ne!(balance().await, before);
    let cancel = format!("/booking/v1/bookings/{}/cancel", id.as_str().unwrap());
    for _ in 0..2 {
        let answer = world.as_user(&token, "POST", &cancel, &json!({})).await;
        assert_eq!(answer.status, 200);
        let target = format!("/bills/v1/preorder/{preorder}");
        let bill = world.as_user(&token, "GET", &target, &Value::Null).await;
        let bill = bill.json()["data"].clone();
        assert_eq!(bill["paid_sum"], 0);
        let part = &bill["payments"][0];
        assert_eq!(
            (&part["status"], &part["sum"], &part["tips"], &part["bonus"]),
            (&json!("refunded"), &json!(1000), &json!(100), &json!(0))
        );
        let target = format!("/payments/v1/payment/{payment}");
        let payment = world.as_user(&token, "GET", &target, &Value::Null).await;
        let payment = payment.json()["data"].clone();
        assert_eq!(payment["status"], "refunded");
        assert!(payment["receipt_url"].is_string());
        // The bonuses that it has given are taken back, once.
        assert_eq!(balance().await, before);
    }
}

//! A day in the life: everything that one person does, over HTTP, in the built-in catalogue.

use serde_json::{Value, json};

use crate::client::send;
use crate::support::World;

const SHOP: &str = "http://127.0.0.1:8080";

struct Person {
    world: World,
    token: String,
    keys: u32,
}

impl Person {
    async fn get(&self, target: &str) -> Value {
        let reply = self
            .world
            .as_user(&self.token, "GET", target, &Value::Null)
            .await;
        assert_eq!(reply.status, 200, "{target}: {}", reply.text());
        reply.json()
    }

    async fn post(&self, target: &str, body: &Value) -> Value {
        let reply = self.world.as_user(&self.token, "POST", target, body).await;
        assert!(reply.status < 300, "{target}: {}", reply.text());
        reply.json()
    }

    async fn buy(&mut self, kind: &str, body: Value) -> Value {
        self.keys += 1;
        let reply = self
            .world
            .buy(&self.token, kind, &body, &format!("day-{}", self.keys))
            .await;
        assert_eq!(reply.status, 201, "{kind}: {}", reply.text());
        reply.json()["data"].clone()
    }

    async fn pay(&self, payment: &Value) {
        let url = payment["url"].as_str().unwrap();
        let path = url.strip_prefix(&self.world.sandbox.url()).unwrap();
        let headers = [("content-type", "application/x-www-form-urlencoded")];
        let body = b"outcome=succeeded".to_vec();
        let paid = send(self.world.sandbox.addr, "POST", path, &headers, body)
            .await
            .unwrap();
        assert!(
            paid.status == 303 && paid.location.starts_with(SHOP),
            "{}",
            paid.location
        );
    }

    async fn status(&self, order: &str, status: &str) {
        for _ in 0..200 {
            let read = self
                .get(&format!("/takeaway/v2/user/order?order_id={order}"))
                .await;
            if read["data"]["status"] == status {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        panic!("{order} never became {status}");
    }

    /// The first venue near this place that takes orders of this kind, with two plain products for a good sum.
    async fn venue(&self, service: &str, fits: impl Fn(&Value) -> bool) -> (Value, Value) {
        let list = self
            .get(&format!(
                "/takeaway/v2/locations?filter%5Bservice%5D={service}&town_id=1&limit=100"
            ))
            .await;
        for venue in list["data"].as_array().unwrap() {
            let filial = venue["filial_id"].as_i64().unwrap();
            let card = self
                .get(&format!(
                    "/takeaway/locations/card/terminal/{filial}?include=extra"
                ))
                .await;
            let card = card["data"].clone();
            let open = venue["is_closed"] == false
                && venue["opening_hours"][0]["from"] == venue["opening_hours"][0]["to"];
            let online = card["payment_types"]
                .as_array()
                .unwrap()
                .contains(&json!("online"));
            if !open || !online || card["payment_button_disabled"] == true || !fits(&card) {
                continue;
            }
            let menu = self
                .get(&format!("/menu/v2/category/products?filial_id={filial}"))
                .await;
            if let Some(item) = plain(&menu) {
                return (card, item);
            }
        }
        panic!("no venue for {service}");
    }
}

/// One plain product, as often as 6,000 need.
fn plain(menu: &Value) -> Option<Value> {
    let categories = menu["data"]
        .as_array()?
        .iter()
        .filter(|category| category["attributes"]["is_active"] == true);
    let mut products = categories.flat_map(|category| {
        category["relationships"]["products"]["data"]
            .as_array()
            .unwrap()
    });
    let product = products.find(|product| {
        let free = product["is_unavailable"] == false && product["sizes"] == json!([]);
        free && product["has_additive_categories"] == false
            && product["price"].as_f64() > Some(100.0)
    })?;
    let count = (6000.0 / product["price"].as_f64()?).ceil().min(99.0);
    Some(
        json!({"product_id": product["product_id"], "count": count as i64, "price": product["price"]}),
    )
}

#[tokio::test]
async fn a_day_from_breakfast_to_the_fridge() {
    let world = World::built_in().await;
    let token = world.sign_in("+77010000042").await;
    let mut person = Person {
        world,
        token,
        keys: 0,
    };
    delivery(&mut person).await;
    takeaway(&mut person).await;
    express(&mut person).await;
    fridge(&mut person).await;
    let orders = person.get("/takeaway/v2/user/orders?page=1").await;
    assert_eq!(
        orders["meta"]["total"],
        person.keys + 1,
        "the fridge settles one more"
    );
    let level = person.get("/ladder-go/api/v1/balance/calculate-info").await;
    assert!(level["data"]["balance"].as_f64() > Some(500.0), "{level}");
}

async fn delivery(person: &mut Person) {
    let (card, item) = person
        .venue("delivery", |card| card["delivery_state"] == "open")
        .await;
    let (filial, at) = (card["terminal_id"].clone(), card["coordinates"].clone());
    let near = json!({
        "name": "Үй", "street": "Абай", "building": "1",
        "latitude": at["latitude"].as_f64().unwrap() + 0.009, "longitude": at["longitude"],
    });
    let address = person.post("/profile/api/v1/address", &near).await["data"].clone();
    let zone = format!(
        "/brandy/api/v1/locations/{}/delivery-zones/check",
        card["id"]
    );
    let (lat, long) = (near["latitude"].to_string(), near["longitude"].to_string());
    let zone = person
        .world
        .get_with(&zone, &[("lat", &lat), ("long", &long)])
        .await
        .json();
    assert_eq!(zone["data"]["is_in_delivery_zone"], true);
    let sum = item["price"].as_f64().unwrap() * item["count"].as_f64().unwrap();
    let tariffs = person
        .post(
            "/dr-delivery/api/v1/tariffs",
            &json!({"origin": at, "destination": near, "filial_id": filial, "sum": sum}),
        )
        .await;
    let foot = tariffs["data"][0].clone();
    assert_eq!(foot["transport_type"], "FOOT");
    person
        .post(
            "/menu/v2/stop_list/order_items/check",
            &json!({"filial_id": filial, "service_type": 4, "items": [item]}),
        )
        .await;
    let placed = person
        .buy(
            "delivery",
            json!({
                "filial_id": filial, "payment_type": "online", "items": [item], "address": address,
                "transport_type": "FOOT", "expected_sum": sum + foot["price"].as_f64().unwrap(),
                "success_url": format!("{SHOP}/"), "failure_url": format!("{SHOP}/cart"),
            }),
        )
        .await;
    let order = placed["id"].as_str().unwrap();
    person.pay(&placed["payment"]).await;
    person.world.control("speed", json!({"factor": 300})).await;
    person.status(order, "delivery").await;
    let courier = person
        .get(&format!(
            "/dr-delivery/api/v1/courier?takeaway_order_id={order}"
        ))
        .await;
    assert!(courier["data"]["phone"].as_str().unwrap().starts_with('+'));
    person.status(order, "completed").await;
    person
        .post(
            &format!("/takeaway/v1/order/{order}/grade"),
            &json!({"grade": 5}),
        )
        .await;
    person
        .post(
            "/reviews/v1/reviews",
            &json!({"filial_id": filial, "rating": 5, "text": "Рахмет"}),
        )
        .await;
    let tips = json!({"filial_id": filial, "sum": 300, "success_url": format!("{SHOP}/")});
    let tips = person.post("/tips/v1/tips", &tips).await;
    person.pay(&tips["data"]).await;
    let again = person
        .post(&format!("/takeaway/v1/order/{order}/repeat"), &json!({}))
        .await;
    assert_eq!(again["data"]["items"][0]["product_id"], item["product_id"]);
}

async fn takeaway(person: &mut Person) {
    let (card, item) = person.venue("takeaway", |_| true).await;
    let body = json!({
        "filial_id": card["terminal_id"], "payment_type": "online", "payment_method": "qr", "items": [item],
        "bonus": 100, "success_url": format!("{SHOP}/"),
    });
    let placed = person.buy("takeaway", body).await;
    person.pay(&placed["payment"]).await;
    person
        .status(placed["id"].as_str().unwrap(), "completed")
        .await;
}

async fn express(person: &mut Person) {
    let (card, item) = person
        .venue("express", |card| card["is_check_pulling_enabled"] == false)
        .await;
    let filial = card["terminal_id"].clone();
    let terminal = person.get(&format!("/terminals/terminals/{filial}")).await;
    let table = terminal["data"]["tables"][0]["id"].clone();
    let body =
        json!({"filial_id": filial, "table_id": table, "payment_type": "online", "items": [item]});
    let placed = person.buy("express", body).await;
    person
        .status(placed["id"].as_str().unwrap(), "completed")
        .await;

    let opened = person
        .world
        .post(
            "/_sandbox/api/bill/open",
            &json!({"filial_id": filial, "table_id": table}),
        )
        .await
        .json();
    let bill = opened["data"]["id"].as_str().unwrap();
    let added = json!({"bill_id": bill, "product_id": item["product_id"], "count": 2});
    person.world.control("bill/add", added).await;
    let read = person
        .get(&format!(
            "/bills/v1/bill?filial_id={filial}&table_id={}",
            table.as_str().unwrap()
        ))
        .await;
    assert_eq!(read["data"]["is_first_payment"], true);
    let bearer = format!("Bearer {}", person.token);
    let headers = [
        ("authorization", bearer.as_str()),
        ("x-idempotency-key", "day-bill"),
    ];
    let target = format!("/bills/v1/bill/{bill}/payments");
    let part = person
        .world
        .post_with(
            &target,
            &json!({"success_url": format!("{SHOP}/"), "tips": 200}),
            &headers,
        )
        .await;
    person.pay(&part.json()["data"]["payment"]).await;
    let closed = person
        .world
        .post_with(&target, &json!({}), &[("x-idempotency-key", "late")])
        .await;
    assert_eq!(closed.code(), "nothing_to_pay");
}

async fn fridge(person: &mut Person) {
    let (card, item) = person.venue("takeaway", |_| true).await;
    let open = json!({"terminal_id": card["terminal_id"]});
    let session =
        person.post("/smart-lock/v1/open-lock", &open).await["data"]["session_id"].clone();
    let target = format!(
        "/smart-lock/v1/sessions/{}/close",
        session.as_str().unwrap()
    );
    let closed = person.post(&target, &json!({"items": [item]})).await;
    person
        .status(closed["data"]["order_id"].as_str().unwrap(), "completed")
        .await;
}

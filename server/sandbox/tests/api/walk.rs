//! What it takes to call every operation once.

use serde_json::{Value, json};

use crate::accounts::REDIRECT;
use crate::client::{Reply, send};
use crate::support::{DELIVERY, EXPRESS, TAKEAWAY, World, dinner};

/// What the walk needs to call everything: a signed-in person with some belongings.
pub struct Walk {
    review: i64,
    order: String,
    brought: String,
    bill: String,
    part: String,
    preorder: String,
    booking: String,
    session: String,
    unpaid: String,
    regretted: String,
    payments: std::sync::Mutex<Vec<String>>,
    pub token: String,
    address: String,
    doomed: String,
    code: String,
}

impl Walk {
    pub async fn prepare(world: &World, order: String) -> Walk {
        let token = world.sign_in("+77010000009").await;
        let place = json!({"latitude": 43.24, "longitude": 76.94});
        let address = world
            .as_user(&token, "POST", "/profile/api/v1/address", &place)
            .await
            .json();
        let doomed = world
            .as_user(&token, "POST", "/profile/api/v1/address", &place)
            .await
            .json();
        let code = crate::accounts::code(world, "+77010000009", None).await;
        let brought = brought(world, &token).await;
        let mut payments = Vec::new();
        for attempt in 0..5 {
            let body = crate::purchases::online(["card", "qr"][attempt % 2]);
            let placed = world
                .buy(&token, "takeaway", &body, &format!("walk-{attempt}"))
                .await
                .json();
            payments.push(placed["data"]["payment"]["id"].as_str().unwrap().to_owned());
        }
        let unpaid = waiting(world, &token, "walk-unpaid").await;
        let regretted = waiting(world, &token, "walk-regretted").await;
        let payments = std::sync::Mutex::new(payments);
        let table = json!({"filial_id": EXPRESS, "table_id": "t7"});
        let bill = world.post("/_sandbox/api/bill/open", &table).await.json();
        let bill = bill["data"]["id"].as_str().unwrap().to_owned();
        world
            .control(
                "bill/add",
                json!({"bill_id": bill, "product_id": 552, "count": 20}),
            )
            .await;
        let part = crate::bills::pay(world, &bill, &json!({"sum": 1}), "walk-part", None).await;
        let part = part.json()["data"]["id"].as_str().unwrap().to_owned();
        let booking = crate::bills::booking();
        let booked = world
            .as_user(&token, "POST", "/booking/v1/bookings", &booking)
            .await
            .json();
        let preorder = booked["data"]["preorder_id"].as_str().unwrap().to_owned();
        let booking = booked["data"]["id"].as_str().unwrap().to_owned();
        let opened = world
            .as_user(
                &token,
                "POST",
                "/smart-lock/v1/open-lock",
                &json!({"terminal_id": TAKEAWAY}),
            )
            .await
            .json();
        let session = opened["data"]["session_id"].as_str().unwrap().to_owned();
        let review = json!({"filial_id": EXPRESS, "rating": 5});
        let path = "/reviews/v1/reviews";
        world.as_user(&token, "POST", path, &review).await;
        let another = world.sign_in("+77010000012").await;
        let review = world.as_user(&another, "POST", path, &review).await.json();
        Walk {
            review: review["data"]["id"].as_i64().unwrap(),
            order,
            brought,
            bill,
            part,
            preorder,
            booking,
            session,
            unpaid,
            regretted,
            payments,
            token,
            address: address["data"]["id"].to_string(),
            doomed: doomed["data"]["id"].to_string(),
            code,
        }
    }

    /// Values that exist, by the name of their field; an `id` by the beginning of its path.
    pub fn known(&self) -> Value {
        let filials = json!([EXPRESS, TAKEAWAY, DELIVERY]);
        let tables = json!(["t7", "t8"]);
        let payments = self.payments.lock().unwrap().clone();
        let orders = json!([self.order, self.brought, self.unpaid, self.regretted]);
        let known = [
            ("filial_id", json!(filials)),
            ("filter[filial_id]", json!(filials)),
            ("terminal_id", json!(filials)),
            ("terminal_ids", json!(filials)),
            ("main_terminal_id", json!([1010, null])),
            ("table_id", json!(tables)),
            ("product_id", json!([551, 552, 553])),
            ("products", json!([551, 552, 553])),
            ("count", json!([1, 2, 99])),
            ("size_id", json!([null, 1])),
            (
                "items",
                json!([
                    dinner()["items"],
                    [{"product_id": 551, "count": 2, "additives": [{"id": 11, "count": 1}]}],
                    [{"product_id": 552, "size_id": 2, "count": 2}, {"product_id": 553, "count": 4}],
                ]),
            ),
            ("sum", json!([100, 500, null])),
            ("tips", json!([0, 100])),
            ("rating", json!([5])),
            ("grade", json!([5, 1])),
            ("guests", json!([2])),
            ("name", json!(["Айгүл", null])),
            ("comment", json!(["", null])),
            ("method", json!(["card", "qr"])),
            ("payment_method", json!(["card", "qr", null])),
            ("lat", json!([43.24])),
            ("long", json!([76.95])),
            ("bday", json!(["1990-12-31"])),
            ("price", json!([null, 1900])),
            ("expected_sum", json!([null, 4180])),
            ("payment_type", json!(["cash", "online"])),
            ("bonus", json!([null, 100, 0])),
            ("promo_code", json!([null, "DASTARKHAN10"])),
            ("code", json!(["1234", "DASTARKHAN10"])),
            ("success_url", json!(["http://127.0.0.1:8080/x", null])),
            ("failure_url", json!(["http://127.0.0.1:8080/y"])),
            ("order_id", json!(orders)),
            ("takeaway_order_id", json!(orders)),
            ("order", json!(orders)),
            ("bill", json!([self.bill, self.preorder])),
            ("bill_id", json!([self.bill, self.preorder])),
            ("session", json!([self.session])),
            ("review", json!(["1", "2"])),
            ("review_id", json!([self.review])),
            ("reason", json!(["spam"])),
            ("payment", json!(payments)),
            ("payment_id", json!(payments)),
            ("phone", json!(["+77010000009", "+77010000011"])),
            ("barcode", json!(["4870000000017"])),
            (
                "filter[service]",
                json!(["express", "takeaway", "delivery"]),
            ),
            ("service_type", json!([1, 3, 4])),
            ("town_id", json!([1])),
            ("country_id", json!([1, 2])),
            ("brand_id", json!([5])),
            ("category", json!(["bakery"])),
            ("bbox", json!(["76,43,78,44"])),
            ("search", json!(["лагман"])),
            ("query", json!(["лагман"])),
            ("page", json!([1, 2, null])),
            ("latitude", json!([43.24])),
            ("longitude", json!([76.94])),
            ("client_id", json!(["web"])),
            ("redirect_uri", json!([REDIRECT])),
            ("path", json!(["dishes/551.webp", "venues/5.webp"])),
            ("z", json!([0, 12])),
            ("x", json!([0, 2926])),
            ("y", json!([0, 1510])),
            ("opened_at", json!(["2026-11-21T06:10:00Z"])),
            ("at", json!([crate::bills::booking()["at"]])),
            ("status", json!(["cooking", "ready", "canceled"])),
            ("/", json!(filials)),
            ("/locations/v1/countries/", json!([1, 2])),
            ("/avatars/", json!([1])),
            ("/profile/api/v1/address/", json!([self.address])),
            ("/brandy/api/v1/brands/", json!([5])),
            ("/brandy/api/v1/locations/brand/", json!([5])),
        ];
        known
            .into_iter()
            .map(|(name, values)| (name.to_owned(), values))
            .collect::<serde_json::Map<_, _>>()
            .into()
    }

    /// Calls one operation as the document describes it.
    pub async fn call(
        &self,
        world: &World,
        path: &str,
        method: &str,
        operation: &Value,
        document: &Value,
    ) -> Reply {
        let mut target = path.to_owned();
        let mut query = form_urlencoded::Serializer::new(String::new());
        for parameter in operation["parameters"].as_array().unwrap() {
            let Some(name) = parameter["name"].as_str() else {
                assert!(
                    document
                        .pointer(&parameter["$ref"].as_str().unwrap()[1..])
                        .is_some()
                );
                continue;
            };
            match parameter["in"].as_str() {
                Some("path") => {
                    target =
                        target.replace(&format!("{{{name}}}"), &self.in_path(path, method, name))
                }
                Some("query") if parameter["required"] == true => {
                    query.append_pair(name, &self.in_query(name));
                }
                _ => {}
            }
        }
        let query = query.finish();
        if !query.is_empty() {
            target = format!("{target}?{query}");
        }
        let content = &operation["requestBody"]["content"];
        let kind = content
            .as_object()
            .and_then(|content| content.keys().next().cloned());
        let kind = kind.unwrap_or_else(|| "application/json".to_owned());
        // Tokens and people are ended last, so by tokens of their own.
        let own = if path.ends_with("/revoke") || (path == "/api/v3/user" && method == "delete") {
            world.sign_in("+77010000010").await
        } else {
            self.token.clone()
        };
        let bearer = format!("Bearer {own}");
        let headers = [
            ("content-type", kind.as_str()),
            ("x-idempotency-key", path),
            ("x-fingerprint", "phone-1"),
            ("authorization", bearer.as_str()),
            ("x-os", "web"),
            ("x-project", "dastarkhan"),
            ("lat", "43.24"),
            ("long", "76.95"),
        ];
        let body = match kind.as_str() {
            "application/x-www-form-urlencoded" => self.form(path).into_bytes(),
            "application/json" => self.body(path).to_string().into_bytes(),
            _ => b"bytes".to_vec(),
        };
        let body = if operation["requestBody"].is_object() {
            body
        } else {
            Vec::new()
        };
        send(
            world.sandbox.addr,
            &method.to_uppercase(),
            &target,
            &headers,
            body,
        )
        .await
        .unwrap()
    }

    pub fn in_path(&self, path: &str, method: &str, name: &str) -> String {
        match name {
            "category" => "bakery".to_owned(),
            "path" => "dishes/551.webp".to_owned(),
            "control" => "speed".to_owned(),
            "bill" if path.contains("/preorder/") => self.preorder.clone(),
            "bill" => self.bill.clone(),
            "part" => self.part.clone(),
            "booking" => self.booking.clone(),
            "session" => self.session.clone(),
            "notification" => "n1".to_owned(),
            "review" => "1".to_owned(),
            "z" | "x" | "y" => "0".to_owned(),
            "id" if path.ends_with("/locations/brand/{id}") => "5".to_owned(),
            "payment" => {
                let mut payments = self.payments.lock().unwrap();
                payments.rotate_left(1);
                payments[0].clone()
            }
            "order" if path.ends_with("/cancel") => self.regretted.clone(),
            "order" if path.ends_with("/payment") => self.unpaid.clone(),
            "order" => self.order.clone(),
            _ if path.contains("/brands/") => "5".to_owned(),
            _ if path.contains("/countries/") || path.starts_with("/avatars") => "1".to_owned(),
            _ if path.contains("/address/") && method == "delete" => self.doomed.clone(),
            _ if path.contains("/address/") => self.address.clone(),
            _ => EXPRESS.to_string(),
        }
    }

    pub fn in_query(&self, name: &str) -> String {
        match name {
            "order_id" => self.order.clone(),
            "table_id" => "t7".to_owned(),
            "barcode" => "4870000000017".to_owned(),
            "date" => "2099-01-01".to_owned(),
            "filter[filial_id]" => EXPRESS.to_string(),
            "query" | "address" => "лагман".to_owned(),
            "lat" => "43.24".to_owned(),
            "long" => "76.95".to_owned(),
            "takeaway_order_id" => self.brought.clone(),
            "product_id" => "551".to_owned(),
            "redirect_uri" => REDIRECT.to_owned(),
            "response_type" => "code".to_owned(),
            "client_id" => "web".to_owned(),
            _ => EXPRESS.to_string(),
        }
    }

    fn form(&self, path: &str) -> String {
        match path {
            "/oauth2/authorize" => {
                format!("client_id=web&redirect_uri={REDIRECT}&phone=%2B77010000009")
            }
            _ if path.starts_with("/pay/") => "outcome=succeeded".to_owned(),
            _ => "factor=1".to_owned(),
        }
    }

    /// A body that the call takes.
    pub fn body(&self, path: &str) -> Value {
        let order = &self.order;
        match path {
            "/menu/v2/stop_list/order_items/check" => dinner(),
            "/takeaway/order/cooking_time" => {
                json!({"filial_id": EXPRESS, "products": [{"product_id": 551}]})
            }
            "/takeaway/v1/express/order" => dinner(),
            "/takeaway/v1/delivery/order" | "/takeaway/v1/vendor-delivery/order" => {
                crate::purchases::brought()
            }
            "/takeaway/v1/takeaway/order" | "/takeaway/v1/micromarket/order" => {
                crate::purchases::online("card")
            }
            "/takeaway/v1/order/{order}/payment" => {
                json!({"success_url": "http://127.0.0.1:8080/orders"})
            }
            "/takeaway/v1/order/{order}/grade" | "/bills/v1/payment/{part}/grade" => {
                json!({"grade": 5, "tags": ["fast"]})
            }
            "/dr-delivery/api/v1/tariffs" => json!({
                "origin": {"latitude": 43.24, "longitude": 76.95}, "destination": {"latitude": 43.25, "longitude": 76.94},
            }),
            "/api/v2/oauth2/tokens" => json!({
                "client_id": "web", "grant_type": "authorization_code", "redirect_uri": REDIRECT, "code": self.code,
            }),
            "/api/v3/user" => json!({"name": "Айгүл", "bday": "1990-12-31", "gender": "female"}),
            "/profile/api/v1/profile/language" => json!({"language": "ru"}),
            path if path.starts_with("/profile/api/v1/address") => {
                json!({"latitude": 43.24, "longitude": 76.94})
            }
            "/bills/v1/bill/{bill}/payments" => {
                json!({"sum": 100, "success_url": "http://127.0.0.1:8080/x"})
            }
            "/bills/v1/waiter-call" => {
                json!({"filial_id": EXPRESS, "table_id": "t7", "main_terminal_id": 1010})
            }
            "/booking/v1/bookings" => crate::bills::booking(),
            "/menu-promos/v1/promo-codes/check" => {
                json!({"filial_id": EXPRESS, "code": "DASTARKHAN10", "sum": 1000})
            }
            "/reviews/v1/reviews" => json!({"filial_id": EXPRESS, "rating": 5, "text": "Рахмет"}),
            "/reviews/v1/reviews/{review}/report" => {
                json!({"filial_id": EXPRESS, "reason": "spam"})
            }
            "/_sandbox/api/review" => json!({"review_id": self.review, "state": "pending"}),
            "/tips/v1/tips" => {
                json!({"filial_id": EXPRESS, "sum": 500, "success_url": "http://127.0.0.1:8080/x"})
            }
            "/smart-lock/v1/open-lock" => json!({"terminal_id": TAKEAWAY}),
            "/smart-lock/v1/sessions/{session}/close" => json!({"items": []}),
            path if path.starts_with("/api/v2/push-gateway/token") => json!({"token": "push"}),
            "/push-gateway/v1/notifications/{notification}/open" => json!({
                "analytic_device_id": "d", "opened_at": "2026-11-21T06:10:00Z", "project": "p", "token": "push",
            }),
            "/_sandbox/api/bill/open" => json!({"filial_id": EXPRESS, "table_id": "t7"}),
            "/_sandbox/api/bill/add" => json!({"bill_id": self.bill, "product_id": 553}),
            "/_sandbox/api/bill/pay" => json!({"bill_id": self.bill, "sum": 1}),
            "/_sandbox/api/bill/close" => json!({"bill_id": self.preorder}),
            "/_sandbox/api/payment" => {
                json!({"payment_id": self.payments.lock().unwrap()[0], "outcome": "declined"})
            }
            "/_sandbox/api/tokens/end" => json!({"phone": "+77010000099"}),
            "/_sandbox/api/balance" => json!({"phone": "+77010000009", "bonus": 1000}),
            "/_sandbox/api/lock" => json!({"filial_id": EXPRESS, "broken": true}),
            "/_sandbox/api/door" => json!({"filial_id": TAKEAWAY, "event": "opens"}),
            "/_sandbox/api/taken" => {
                json!({"filial_id": TAKEAWAY, "product_id": 553, "count": 1})
            }
            "/_sandbox/api/speed" => json!({"factor": 1}),
            "/_sandbox/api/clock" => json!({"now": null}),
            "/_sandbox/api/price" => {
                json!({"filial_id": EXPRESS, "product_id": 551, "price": 1850})
            }
            "/_sandbox/api/stock" => {
                json!({"filial_id": EXPRESS, "product_id": 551, "available": true})
            }
            "/_sandbox/api/opening" => json!({"filial_id": EXPRESS, "closed": false}),
            "/_sandbox/api/check-pulling" => json!({"filial_id": EXPRESS, "enabled": false}),
            "/_sandbox/api/order/status" => json!({"order_id": order, "status": "ready"}),
            "/_sandbox/api/faults" => json!({"path": "/nothing", "kind": "hang"}),
            _ => json!({}),
        }
    }
}

/// An order that is on its way.
async fn brought(world: &World, token: &str) -> String {
    let placed = world
        .buy(
            token,
            "delivery",
            &crate::purchases::brought(),
            "walk-brought",
        )
        .await
        .json();
    let id = placed["data"]["id"].as_str().unwrap().to_owned();
    world
        .control(
            "order/status",
            json!({"order_id": id, "status": "delivery"}),
        )
        .await;
    id
}

/// An order that waits for its payment.
async fn waiting(world: &World, token: &str, key: &str) -> String {
    let placed = world
        .buy(token, "takeaway", &crate::purchases::online("card"), key)
        .await
        .json();
    placed["data"]["id"].as_str().unwrap().to_owned()
}

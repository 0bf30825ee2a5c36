//! The OpenAPI document against the router: every operation is called, and its
//! answer must have the shape that the document promises.

use serde_json::{Map, Value, json};

use crate::accounts::REDIRECT;
use crate::client::{Reply, send};
use crate::support::{EXPRESS, TAKEAWAY, World, dinner};

#[tokio::test]
async fn every_operation_answers_in_its_shape() {
    let world = World::start().await;
    let order = world.order(&dinner(), "walk").await.json()["data"]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let walk = Walk::prepare(&world, order).await;
    let document = world.get("/_sandbox/openapi.json").await.json();
    assert_eq!(document["openapi"], "3.1.0");
    let mut walked = 0;
    let mut ids = Vec::new();
    let paths = document["paths"].as_object().unwrap();
    // The one that forgets everything comes last.
    let (last, first): (Vec<_>, Vec<_>) =
        paths.iter().partition(|(path, _)| path.ends_with("/reset"));
    for (path, item) in first.into_iter().chain(last) {
        for (method, operation) in item.as_object().unwrap() {
            let reply = walk.call(&world, path, method, operation, &document).await;
            let schema = &operation["responses"][reply.status.to_string()];
            assert!(
                schema.is_object(),
                "{method} {path} answered {}: {}",
                reply.status,
                reply.text()
            );
            let refused = reply.status >= 400;
            assert!(
                !refused
                    || ["/files", "/avatars", "/telegram"]
                        .iter()
                        .any(|start| path.starts_with(start))
                    || path.starts_with("/avatars")
                    || path.ends_with("/chat"),
                "{method} {path}: {}",
                reply.text()
            );
            if reply.content_type.starts_with("application/json") {
                let schema = &schema["content"]["application/json"]["schema"];
                check(
                    &reply.json(),
                    schema,
                    &document,
                    &format!("{method} {path}"),
                );
            }
            ids.push(operation["operationId"].as_str().unwrap().to_owned());
            walked += 1;
        }
    }
    assert!(walked >= 90, "only {walked} operations");
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count, "operation ids must be unique");
}

/// Section 7 of the specification, letter for letter.
#[tokio::test]
async fn the_paths_of_the_specification_are_all_there() {
    let world = World::start().await;
    let document = world.get("/_sandbox/openapi.json").await.json();
    for (method, path) in SPECIFIED {
        assert!(
            document["paths"][*path][*method].is_object(),
            "{method} {path} is missing"
        );
    }
}

const SPECIFIED: &[(&str, &str)] = &[
    ("get", "/locations/v1/countries/{id}"),
    ("get", "/locations/v2/towns"),
    ("get", "/takeaway/v2/locations"),
    ("get", "/takeaway/v2/locations/{category}"),
    ("get", "/brandy/api/v1/locations/near"),
    ("get", "/takeaway/locations/card/terminal/{id}"),
    ("get", "/locations/v2/locations/card/terminal/{id}"),
    ("get", "/terminals/terminals/{id}"),
    ("get", "/locations/v1/branches/{id}"),
    ("get", "/menu/v2/category/products"),
    ("get", "/menu/v3/popular/products"),
    ("get", "/menu/v3/favourite/products"),
    ("get", "/menu/v3/cross-sell/products"),
    ("get", "/menu/v2/product/additives"),
    ("get", "/menu/v2/favourite-product/additives"),
    ("get", "/menu/v2/products/with/additives/"),
    ("post", "/menu/v2/stop_list/order_items/check"),
    ("post", "/takeaway/order/cooking_time"),
    ("get", "/takeaway/v2/filial/settings/banner/info/{id}"),
    ("post", "/takeaway/v1/express/order"),
    ("get", "/takeaway/v2/user/order"),
    ("post", "/api/v2/oauth2/tokens"),
    ("post", "/api/v1/oauth2/tracks"),
    ("get", "/api/v3/user"),
    ("put", "/api/v3/user"),
    ("post", "/api/v3/user/avatar"),
    ("delete", "/api/v3/user/avatar"),
    ("get", "/profile/api/v1/profile"),
    ("post", "/profile/api/v1/profile/language"),
    ("get", "/profile/api/v1/address"),
    ("post", "/profile/api/v1/address"),
    ("get", "/profile/api/v1/address/{id}"),
    ("put", "/profile/api/v1/address/{id}"),
    ("delete", "/profile/api/v1/address/{id}"),
    ("get", "/ladder-go/api/v1/balance/calculate-info"),
    ("get", "/balance/user"),
    ("post", "/takeaway/v1/delivery/order"),
    ("post", "/takeaway/v1/micromarket/order"),
    ("post", "/takeaway/v1/takeaway/order"),
    ("post", "/takeaway/v1/vendor-delivery/order"),
    ("get", "/takeaway/v2/user/orders"),
    ("get", "/telegram-user-notifications/v1/chat"),
    ("post", "/dr-delivery/api/v1/tariffs"),
    ("get", "/dr-delivery/api/v1/courier"),
    ("get", "/brandy/api/v1/locations/brand/{id}"),
    ("get", "/menu/v3/product-by-barcode"),
    ("get", "/takeaway/v1/filial/{id}/products/frequent/"),
    ("get", "/menu-promos/api/v2/promos"),
    ("get", "/menu-promos/v1/promos/subsidies"),
    ("post", "/smart-lock/v1/open-lock"),
    ("get", "/geo-service/suggestions/"),
    ("get", "/geo-service/reverse-geocode/"),
    ("post", "/api/v2/push-gateway/token"),
    ("post", "/api/v2/push-gateway/token/un-assign"),
    ("post", "/push-gateway/v1/notifications/{notification}/open"),
    ("get", "/brandy/api/v1/brands/{id}/delivery-zones/check"),
    ("get", "/brandy/api/v1/locations/{id}/delivery-zones/check"),
];

/// What the walk needs to call everything: a signed-in person with some belongings.
struct Walk {
    order: String,
    brought: String,
    bill: String,
    preorder: String,
    session: String,
    unpaid: String,
    payments: std::sync::Mutex<Vec<String>>,
    token: String,
    address: String,
    doomed: String,
    code: String,
}

impl Walk {
    async fn prepare(world: &World, order: String) -> Walk {
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
        let mut unpaid = String::new();
        for attempt in 0..5 {
            let body = crate::purchases::online(["card", "qr"][attempt % 2]);
            let placed = world
                .buy(&token, "takeaway", &body, &format!("walk-{attempt}"))
                .await
                .json();
            payments.push(placed["data"]["payment"]["id"].as_str().unwrap().to_owned());
            unpaid = placed["data"]["id"].as_str().unwrap().to_owned();
        }
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
        let booking = crate::bills::booking();
        let booked = world
            .as_user(&token, "POST", "/booking/v1/bookings", &booking)
            .await
            .json();
        let preorder = booked["data"]["preorder_id"].as_str().unwrap().to_owned();
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
        Walk {
            order,
            brought,
            bill,
            preorder,
            session,
            unpaid,
            payments,
            token,
            address: address["data"]["id"].to_string(),
            doomed: doomed["data"]["id"].to_string(),
            code,
        }
    }

    async fn call(
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

    fn in_path(&self, path: &str, method: &str, name: &str) -> String {
        match name {
            "category" => "bakery".to_owned(),
            "path" => "dishes/551.webp".to_owned(),
            "control" => "speed".to_owned(),
            "bill" if path.contains("/preorder/") => self.preorder.clone(),
            "bill" => self.bill.clone(),
            "session" => self.session.clone(),
            "notification" => "n1".to_owned(),
            "z" | "x" | "y" => "0".to_owned(),
            "id" if path.ends_with("/locations/brand/{id}") => "5".to_owned(),
            "payment" => self.payments.lock().unwrap().pop().unwrap(),
            "order" if path.ends_with("/cancel") || path.ends_with("/payment") => {
                self.unpaid.clone()
            }
            "order" => self.order.clone(),
            _ if path.contains("/brands/") => "5".to_owned(),
            _ if path.contains("/countries/") || path.starts_with("/avatars") => "1".to_owned(),
            _ if path.contains("/address/") && method == "delete" => self.doomed.clone(),
            _ if path.contains("/address/") => self.address.clone(),
            _ => EXPRESS.to_string(),
        }
    }

    fn in_query(&self, name: &str) -> String {
        match name {
            "order_id" => self.order.clone(),
            "table_id" => "t7".to_owned(),
            "barcode" => "4870000000017".to_owned(),
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

    fn body(&self, path: &str) -> Value {
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
            "/takeaway/v1/order/{order}/grade" => json!({"grade": 5, "tags": ["fast"]}),
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
            "/booking/v1/bookings" => crate::bills::booking(),
            "/menu-promos/v1/promo-codes/check" => {
                json!({"filial_id": EXPRESS, "code": "DASTARKHAN10", "sum": 1000})
            }
            "/reviews/v1/reviews" => json!({"filial_id": EXPRESS, "rating": 5, "text": "Рахмет"}),
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

/// As much of JSON Schema as the document uses.
fn check(value: &Value, schema: &Value, document: &Value, at: &str) {
    if let Some(reference) = schema["$ref"].as_str() {
        let target = document.pointer(&reference[1..]);
        return check(
            value,
            target.unwrap_or_else(|| panic!("{reference} is missing")),
            document,
            at,
        );
    }
    if let Some(all) = schema["allOf"].as_array() {
        return all
            .iter()
            .for_each(|schema| check(value, schema, document, at));
    }
    if let Some(any) = schema["anyOf"].as_array() {
        if value.is_null() && any.iter().any(|schema| schema["type"] == "null") {
            return;
        }
        return check(value, &any[0], document, at);
    }
    let right = match schema["type"].as_str() {
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64(),
        Some("number") => value.is_number(),
        Some("boolean") => value.is_boolean(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        _ => true,
    };
    assert!(right, "{at} is {value}, not {}", schema["type"]);
    if let Some(allowed) = schema["enum"].as_array() {
        assert!(allowed.contains(value), "{at} is {value}");
    }
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        check(item, &schema["items"], document, &format!("{at}[{index}]"));
    }
    let empty = Map::new();
    let fields = value.as_object().unwrap_or(&empty);
    for name in schema["required"].as_array().into_iter().flatten() {
        assert!(
            fields.contains_key(name.as_str().unwrap()),
            "{at} lacks {name}"
        );
    }
    for (name, schema) in schema["properties"].as_object().unwrap_or(&empty) {
        if let Some(value) = fields.get(name) {
            check(value, schema, document, &format!("{at}.{name}"));
        }
    }
}

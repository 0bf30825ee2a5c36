//! What is told to analytics, and what a browser keeps for the server (SV-06, SE-05, ST-01, ST-12).

use serde_json::{Value, json};

use crate::support::{Product, VENUE, as_fields, order_fields, plain_products};

/// How often an event with these labels was counted.
async fn counted(product: &Product, labels: &[&str]) -> u32 {
    let (_, text) = product.admin("/metrics").await;
    text.lines()
        .filter(|line| line.starts_with("analytics_events_total"))
        .find(|line| labels.iter().all(|label| line.contains(label)))
        .and_then(|line| line.rsplit(' ').next()?.parse().ok())
        .unwrap_or(0)
}

#[tokio::test]
async fn a_change_of_service_is_told_with_the_old_one_and_the_new_one() {
    let product = Product::start().await;
    let guest = product.guest();
    let changed = async |from: &str, to: &str| {
        let (from, to) = (format!(r#"from="{from}""#), format!(r#"to="{to}""#));
        counted(&product, &[r#"event="service_changed""#, &from, &to]).await
    };
    let choose = async |service: &str| {
        let fields = [("service", service), ("back", "/")];
        guest.post("/session/service", &fields).await;
    };
    choose("takeaway").await;
    assert_eq!(changed("express", "takeaway").await, 1);
    choose("takeaway").await;
    choose("nonsense").await;
    assert_eq!(
        changed("express", "takeaway").await,
        1,
        "nothing has changed"
    );
    choose("delivery").await;
    assert_eq!(changed("takeaway", "delivery").await, 1);
    // An address may name it, too.
    guest.get("/filials?service=express").await;
    guest.get("/filials?service=express").await;
    assert_eq!(changed("delivery", "express").await, 1);
}

#[tokio::test]
async fn a_confirmed_search_is_counted_by_its_way_and_nothing_else_is_taken() {
    let product = Product::start().await;
    let guest = product.guest();
    let batch_of = |event: Value| json!({ "events": [event] });
    for via in ["submit", "history", "suggestion", "плов"] {
        let event = json!({ "name": "searchConfirmed", "via": via, "text": "плов" });
        let answer = guest.tell(&batch_of(event)).await;
        assert_eq!(answer.status, 204);
        assert_eq!(
            answer.header("set-cookie"),
            "",
            "nothing is kept of a stranger"
        );
    }
    // What the server sees itself it takes nobody's word for.
    let event = json!({ "name": "cartCleared", "cause": "guest" });
    assert_eq!(guest.tell(&batch_of(event)).await.status, 204);
    assert_eq!(counted(&product, &[r#"event="cart_cleared""#]).await, 0);
    let refused = product.number("browser_reports_refused_total", "").await;
    assert_eq!(refused, 2, "the way and the name that are on no list");
    assert_eq!(guest.tell(&json!("x")).await.status, 400);
    for via in ["submit", "history", "suggestion"] {
        let via = format!(r#"via="{via}""#);
        let labels = [r#"event="search_confirmed""#, via.as_str()];
        assert_eq!(counted(&product, &labels).await, 1, "{via}");
    }
    // Other pages can't write our numbers.
    let foreign = guest
        .request(reqwest::Method::POST, "/events")
        .header("sec-fetch-site", "cross-site")
        .json(&batch_of(
            json!({ "name": "searchConfirmed", "via": "submit" }),
        ));
    assert_eq!(guest.send(foreign).await.status, 403);
}

#[tokio::test]
async fn the_device_stays_with_the_session_and_scripts_get_a_name_that_leads_nowhere() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    assert_eq!(guest.cookie("deviceId"), None, "nothing needs it yet");
    let order = async |guest: &crate::support::Guest| {
        let dish = plain_products(&guest.get(&format!("/filials/{VENUE}")).await.data())[0].0;
        guest.add(VENUE, dish).await;
        let fields = order_fields(&guest.get("/cart").await.data());
        let placed = guest.post("/orders", &as_fields(&fields)).await.location();
        guest.data(&placed).await;
        let log = product.sandbox_get("log").await;
        let sent = log
            .iter()
            .rfind(|call| call["path"] == "/takeaway/v1/express/order")
            .unwrap();
        sent["headers"]["x-fingerprint"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let device = order(&guest).await;
    let name = guest.cookie("deviceId").unwrap();
    // Once something is in the cart all calls of this guest are of one device.
    let log = product.sandbox_get("log").await;
    for path in ["/takeaway/order/cooking_time", "stop_list"] {
        let calls: Vec<&Value> = log
            .iter()
            .filter(|call| call["path"].as_str().unwrap().contains(path))
            .collect();
        assert!(!calls.is_empty(), "{path}");
        for call in calls {
            assert_eq!(call["headers"]["x-fingerprint"], device, "{path}");
        }
    }
    assert_ne!(
        name, device,
        "the browser holds nothing that the upstream takes"
    );
    assert_eq!(order(&guest).await, device);
    assert_eq!(guest.cookie("deviceId").unwrap(), name, "made once");

    // What was planted is replaced, and never becomes the device.
    guest.set_cookie("deviceId", "0123456789abcdefghijkl");
    guest.get("/faq").await;
    assert_eq!(guest.cookie("deviceId").unwrap(), name);
    for planted in [device.as_str(), name.as_str(), "0123456789abcdefghijkl"] {
        let other = product.guest();
        other.set_cookie("deviceId", planted);
        other.get(&crate::support::table_link(VENUE, "t7")).await;
        assert_eq!(other.cookie("deviceId"), None, "it is nobody's");
        other.set_cookie("deviceId", planted);
        assert_ne!(order(&other).await, device);
        assert_ne!(other.cookie("deviceId").unwrap(), planted);
    }
}

#[tokio::test]
async fn the_platform_is_one_of_three_and_is_remembered() {
    let product = Product::start().await;
    let guest = product.guest();
    for wrong in ["windows", "IOS", "", "ios%3B"] {
        guest.get(&format!("/faq?platform={wrong}")).await;
        assert_eq!(guest.cookie("platform"), None, "{wrong}");
    }
    guest.get("/faq?platform=ios").await;
    assert_eq!(guest.cookie("platform").as_deref(), Some("ios"));
}

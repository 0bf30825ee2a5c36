//! The controls and what is left of them after a restart.

use serde_json::json;

use crate::support::{EXPRESS, TAKEAWAY, World};

#[tokio::test]
async fn changes_are_seen_at_once_and_after_a_restart() {
    let world = World::start().await;
    world
        .control(
            "price",
            json!({"filial_id": EXPRESS, "product_id": 552, "price": 950.5}),
        )
        .await;
    world
        .control(
            "stock",
            json!({"filial_id": EXPRESS, "product_id": 551, "available": false}),
        )
        .await;
    world
        .control(
            "stock",
            json!({"filial_id": EXPRESS, "product_id": 554, "available": true}),
        )
        .await;
    world
        .control("opening", json!({"filial_id": EXPRESS, "closed": true}))
        .await;
    world
        .control(
            "check-pulling",
            json!({"filial_id": EXPRESS, "enabled": true}),
        )
        .await;
    changed(&world).await;
    let world = world.restart().await;
    changed(&world).await;
    assert_eq!(
        world.post("/_sandbox/api/reset", &json!({})).await.status,
        200
    );
    let card = world
        .get(&format!("/takeaway/locations/card/terminal/{EXPRESS}"))
        .await
        .json();
    assert_eq!(card["data"]["is_closed"], false);
}

async fn changed(world: &World) {
    let menu = world
        .get(&format!("/menu/v2/category/products?filial_id={TAKEAWAY}"))
        .await
        .json();
    let product = |category: usize, index: usize| {
        menu["data"][category]["relationships"]["products"]["data"][index].clone()
    };
    assert_eq!(product(0, 0)["is_unavailable"], true);
    assert_eq!(product(1, 0)["price"], json!(950.5));
    assert_eq!(product(1, 0)["sizes"][1]["price"], json!(1450.5));
    assert_eq!(product(1, 2)["is_unavailable"], false);
    let card = world
        .get(&format!("/takeaway/locations/card/terminal/{EXPRESS}"))
        .await
        .json();
    assert_eq!(card["data"]["is_closed"], true);
    assert_eq!(card["data"]["is_check_pulling_enabled"], true);
    let banner = world
        .get(&format!(
            "/takeaway/v2/filial/settings/banner/info/{EXPRESS}?is_web_view=1"
        ))
        .await
        .json();
    assert_eq!(banner["data"]["kind"], "closed");
}

#[tokio::test]
async fn another_venue_of_the_brand_keeps_its_price() {
    let world = World::start().await;
    world
        .control(
            "price",
            json!({"filial_id": EXPRESS, "product_id": 552, "price": 1}),
        )
        .await;
    let menu = world
        .get("/menu/v2/category/products?filial_id=1033")
        .await
        .json();
    assert_eq!(
        menu["data"][1]["relationships"]["products"]["data"][0]["price"],
        900
    );
}

#[tokio::test]
async fn table_links_lead_to_the_web_application() {
    let world = World::start().await;
    let tables = world.get("/_sandbox/api/tables").await.json();
    let first = &tables[0];
    assert_eq!(first["table_id"], "t7");
    assert_eq!(
        first["url"],
        format!(
            "http://127.0.0.1:8080/filials/{EXPRESS}?filial_id={EXPRESS}&table_id=t7&main_terminal_id=1010"
        )
    );
    let georgian = tables
        .as_array()
        .unwrap()
        .iter()
        .find(|table| table["country"] == "ge")
        .unwrap();
    assert!(georgian["url"].as_str().unwrap().ends_with("&country=ge"));
}

#[tokio::test]
async fn the_page_lists_tables_and_works_by_forms() {
    let world = World::start().await;
    let page = world.get("/_sandbox").await;
    assert_eq!(page.status, 200);
    assert!(page.content_type.starts_with("text/html"));
    let html = page.text();
    assert!(
        html.contains("Лағман үйі Самал") && html.contains("table_id=t7&#38;main_terminal_id=1010"),
        "{html}"
    );
    let body = b"filial_id=1013&product_id=551&price=2100".to_vec();
    let form = [("content-type", "application/x-www-form-urlencoded")];
    let posted = crate::client::send(
        world.sandbox.addr,
        "POST",
        "/_sandbox/forms/price",
        &form,
        body,
    )
    .await
    .unwrap();
    assert_eq!(
        (posted.status, posted.location.split('?').next()),
        (303, Some("/_sandbox"))
    );
    let menu = world
        .get(&format!("/menu/v2/category/products?filial_id={EXPRESS}"))
        .await
        .json();
    assert_eq!(
        menu["data"][0]["relationships"]["products"]["data"][0]["price"],
        2100
    );
    let wrong = b"filial_id=1013&product_id=1&price=<b>".to_vec();
    let posted = crate::client::send(
        world.sandbox.addr,
        "POST",
        "/_sandbox/forms/price",
        &form,
        wrong,
    )
    .await
    .unwrap();
    assert_eq!(posted.status, 303);
    let page = world.get(&posted.location).await.text();
    assert!(page.contains("role=\"alert\""), "{page}");
}

#[tokio::test]
async fn the_page_lists_fridges_and_has_a_form_for_every_business_event() {
    let world = World::built_in().await;
    let html = world.get("/_sandbox").await.text();
    let fridges = html.split("<h2>Fridges</h2>").nth(1).unwrap();
    let fridges = fridges.split("</ul>").next().unwrap();
    for fridge in ["Бизнес-орталық", "Университет"] {
        assert!(fridges.contains(fridge), "{fridges}");
    }
    assert!(
        html.contains("<strong>1234</strong>"),
        "the code of the test phones"
    );
    let events = [
        "price",
        "stock",
        "opening",
        "check-pulling",
        "order-status",
        "payment",
        "bill-open",
        "bill-add",
        "bill-pay",
        "bill-close",
        "lock",
        "door",
        "taken",
        "balance",
        "tokens",
        "clock",
        "speed",
        "fault",
    ];
    for event in events {
        let action = format!("action=\"/_sandbox/forms/{event}\"");
        assert!(html.contains(&action), "no form for {event}");
    }
}

#[tokio::test]
async fn a_waiter_opens_fills_and_closes_a_bill_by_the_forms() {
    let world = World::start().await;
    let submit = async |control: &str, body: String| {
        let form = [("content-type", "application/x-www-form-urlencoded")];
        let target = format!("/_sandbox/forms/{control}");
        let addr = world.sandbox.addr;
        let posted = crate::client::send(addr, "POST", &target, &form, body.into_bytes()).await;
        let posted = posted.unwrap();
        assert!(posted.location.contains("done="), "{}", posted.location);
    };
    submit("bill-open", format!("filial_id={EXPRESS}&table_id=t7")).await;
    let target = format!("/bills/v1/bill?filial_id={EXPRESS}&table_id=t7");
    let bill = world.get(&target).await.json()["data"].clone();
    let id = bill["id"].as_str().unwrap();
    assert!(
        world.get("/_sandbox").await.text().contains(id),
        "the forms know the open bill"
    );
    submit("bill-add", format!("bill_id={id}&product_id=553&count=2")).await;
    let sum = world.get(&target).await.json()["data"]["goods_sum"].clone();
    assert_eq!(sum, 801);
    submit("bill-pay", format!("bill_id={id}&sum=100")).await;
    submit("bill-close", format!("bill_id={id}")).await;
    let closed = world.get(&target).await;
    assert_ne!(closed.json()["data"]["id"], id, "{}", closed.text());
}

/// A running demo must not be changed by any page that is open beside it.
#[tokio::test]
async fn a_page_of_another_site_changes_nothing() {
    let world = World::start().await;
    let own = world.sandbox.url();
    let body = json!({"filial_id": EXPRESS, "closed": true});
    for (name, value, status) in [
        ("sec-fetch-site", "cross-site", 403),
        ("sec-fetch-site", "same-site", 403),
        ("origin", "http://evil.example", 403),
        ("origin", "http://127.0.0.1:1", 403),
        ("origin", "null", 403),
        ("sec-fetch-site", "same-origin", 200),
        ("origin", own.as_str(), 200),
    ] {
        let headers = [(name, value)];
        let target = "/_sandbox/api/opening";
        let reply = world.post_with(target, &body, &headers).await;
        assert_eq!(reply.status, status, "{name}: {value}");
        let form = "/_sandbox/forms/heal";
        let reply = world.post_with(form, &json!({}), &headers).await;
        let expected = if status == 200 { 303 } else { status };
        assert_eq!(reply.status, expected, "{name}: {value}");
    }
    let read = [("sec-fetch-site", "cross-site")];
    assert_eq!(world.get_with("/_sandbox", &read).await.status, 200);
}

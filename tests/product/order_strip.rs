//! The one line about an order under way, on the pages that carry it (screens.md, active order strip).

use std::time::Duration;

use serde_json::{Value, json};

use crate::{
    account::calls_to,
    orders::{press, ready_to_order},
    orders_own::{ORDER, set_status},
    support::{Guest, Product, VENUE, order_fields, plain_products},
};

/// What is read of an order for the strip is good for so long.
const RELOAD_AFTER: Duration = Duration::from_millis(3_500);

async fn strip(guest: &Guest) -> Value {
    guest.get("/faq").await.data()["shell"]["activeOrder"].clone()
}

/// Its id and its page.
async fn again(guest: &Guest) -> (String, String) {
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    guest.add(VENUE, plain_products(&menu)[0].0).await;
    let seen = order_fields(&guest.get("/cart").await.data());
    placed(guest, press(guest, &seen).await.location()).await
}

async fn placed(guest: &Guest, path: String) -> (String, String) {
    let order = guest.get(&path).await.data()["page"]["data"].clone();
    (order["id"].as_str().unwrap().to_owned(), path)
}

#[tokio::test]
async fn an_order_under_way_stays_in_the_strip_when_a_newer_one_is_over() {
    let product = Product::start().await;
    let (guest, seen) = ready_to_order(&product).await;
    let (first, first_page) = placed(&guest, press(&guest, &seen).await.location()).await;
    let (second, second_page) = again(&guest).await;
    assert_eq!(strip(&guest).await["href"], second_page.as_str());
    set_status(&product, &second, "canceled").await;
    tokio::time::sleep(RELOAD_AFTER).await;
    assert_eq!(strip(&guest).await["href"], first_page.as_str());

    // What is over is asked about no more.
    tokio::time::sleep(RELOAD_AFTER).await;
    product.forget_log().await;
    assert_eq!(strip(&guest).await["href"], first_page.as_str());
    assert_eq!(calls_to(&product, ORDER).await.len(), 1);
    set_status(&product, &first, "completed").await;
    tokio::time::sleep(RELOAD_AFTER).await;
    assert_eq!(strip(&guest).await, Value::Null);
    tokio::time::sleep(RELOAD_AFTER).await;
    product.forget_log().await;
    assert_eq!(strip(&guest).await, Value::Null);
    assert!(calls_to(&product, ORDER).await.is_empty());
}

#[tokio::test]
async fn the_strip_tells_the_time_by_the_clock_of_the_venue() {
    let product = Product::start().await;
    let (guest, seen) = ready_to_order(&product).await;
    press(&guest, &seen).await;
    // Made in Tbilisi, read on a visit to Almaty.
    product
        .replace(ORDER, json!({ "/data/filial/id": 2191 }))
        .await;
    let page = guest.get("/?country=kz").await;
    let shell = page.data()["shell"].clone();
    let order = &shell["activeOrder"];
    assert_eq!(
        (&shell["utcOffset"], &order["utcOffset"]),
        (&json!(300), &json!(240))
    );
    let minutes = order["readyAt"].as_i64().unwrap() / 60_000 + 240;
    let time = format!("~{:02}:{:02}", minutes / 60 % 24, minutes % 60);
    assert_eq!(page.texts(".strip > .num"), [time]);
}

/// It says of which venue its order is wherever that is not plain.
#[tokio::test]
async fn the_strip_names_the_venue_but_on_its_own_menu() {
    let product = Product::start().await;
    let (guest, seen) = ready_to_order(&product).await;
    let (_, path) = placed(&guest, press(&guest, &seen).await.location()).await;
    let order = guest.get(&path).await.data()["page"]["data"].clone();
    let number = order["number"].as_str().unwrap();
    let venue = order["venue"]["name"].as_str().unwrap();
    let named = format!("{number} ({venue})");
    let strip_of = async |path: &str| guest.get(path).await.texts(".strip").concat();
    let own = strip_of(&format!("/filials/{VENUE}")).await;
    assert!(own.contains(number) && !own.contains(venue), "{own}");
    for path in ["/", "/filials/1021"] {
        let strip = strip_of(path).await;
        assert!(strip.contains(&named), "{path}: {strip}");
    }
    // Beside a second one it is not plain there either.
    again(&guest).await;
    let strip = strip_of(&format!("/filials/{VENUE}")).await;
    assert!(strip.contains(venue), "{strip}");
}

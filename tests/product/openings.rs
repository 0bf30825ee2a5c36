//! One fact about whether a venue is open, everywhere on a page (FL-05).

use serde_json::{Value, json};

use crate::{
    search::found,
    support::{Product, VENUE, plain_products},
};

#[tokio::test]
async fn a_closed_venue_promises_no_minutes_and_its_dishes_can_be_looked_at() {
    let product = Product::with(&["--catalogue-fresh-ms", "1", "--page-fresh-ms", "0"]).await;
    let guest = product.guest();
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    let dish = plain_products(&menu)[0].0;
    let item = format!("/filials/{VENUE}?item={dish}&lang=en");
    let details = format!("/filials/{VENUE}/details?lang=en");
    let card = async || -> Value {
        let list = found(&guest, "/filials?q=%D0%9B%D0%B0%D2%93%D0%BC%D0%B0%D0%BD").await;
        let text = list.to_string();
        assert!(text.contains(&format!("\"id\":{VENUE}")), "{text}");
        find(&list, VENUE).expect("it is listed")
    };
    assert!(guest.get(&item).await.rendered().contains("Takes about"));
    assert!(guest.get(&details).await.rendered().contains("Usual wait"));
    assert!(!card().await["minutes"].is_null());

    product
        .control("opening", json!({ "filial_id": VENUE, "closed": true }))
        .await;
    for path in [&item, &details] {
        guest.get(path).await;
    }
    card().await;
    let shown = guest.get(&item).await;
    let html = shown.rendered();
    assert_eq!(shown.texts("#dish-name").len(), 1, "it opens");
    assert!(!html.contains("Takes about"));
    assert!(
        !html.contains("action=\"/cart/lines\""),
        "it can't be added"
    );
    assert!(!guest.get(&details).await.rendered().contains("Usual wait"));
    let card = card().await;
    assert_eq!(
        (&card["open"]["open"], &card["minutes"]),
        (&json!(false), &Value::Null)
    );
}

/// The venue with this id, wherever it stands.
fn find(value: &Value, id: u64) -> Option<Value> {
    match value {
        Value::Object(map) if map.get("id") == Some(&json!(id)) && map.contains_key("open") => {
            Some(value.clone())
        }
        Value::Object(map) => map.values().find_map(|value| find(value, id)),
        Value::Array(list) => list.iter().find_map(|value| find(value, id)),
        _ => None,
    }
}

#[tokio::test]
async fn a_page_knows_when_its_venue_opens_or_closes() {
    let product = Product::start().await;
    let guest = product.guest();
    let list = found(&guest, "/filials").await;
    let timed = timed(&list).expect("a venue with hours");
    for path in [
        format!("/filials/{timed}"),
        format!("/filials/{timed}/details"),
        format!("/filials/{timed}/search"),
    ] {
        let shell = guest.data(&path).await["shell"].clone();
        let (now, until) = (shell["now"].as_i64().unwrap(), shell["until"].as_i64());
        let left = until.expect("it closes or opens some day") - now;
        assert!((0..=7 * 24 * 3_600_000).contains(&left), "{path}: {left}");
    }
    let always = guest.data(&format!("/filials/{VENUE}/details")).await;
    assert!(always["shell"]["until"].is_null());
}

/// A venue that is not open around the clock, nor closed by hand.
fn timed(value: &Value) -> Option<u64> {
    match value {
        Value::Object(map) if map.contains_key("open") && map.contains_key("address") => {
            map["open"]["at"]
                .is_string()
                .then(|| map["id"].as_u64())
                .flatten()
        }
        Value::Object(map) => map.values().find_map(timed),
        Value::Array(list) => list.iter().find_map(timed),
        _ => None,
    }
}

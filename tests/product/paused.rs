//! Venues that bring nothing now (FL-13).

use serde_json::{Map, Value, json};

use crate::support::Product;

#[tokio::test]
async fn a_venue_that_brings_nothing_now_says_so_on_the_map_too() {
    let product = Product::start().await;
    let stopped: Map<String, Value> = (0..100)
        .map(|at| (format!("/data/{at}/delivery_state"), json!("closed")))
        .collect();
    product
        .replace("/takeaway/v2/locations", Value::Object(stopped))
        .await;
    let page = product.guest().get("/map?lang=en&service=delivery").await;
    let data = page.data()["page"]["data"].clone();
    let mut open = data["venues"].as_array().unwrap().clone();
    open.retain(|venue| venue["card"]["open"]["open"] == true && venue["card"]["paused"] == true);
    assert!(!open.is_empty(), "{data}");
    for venue in open {
        let line = format!(r#".stops [data-id="{}"] .open"#, venue["card"]["id"]);
        assert_eq!(page.texts(&line), ["Not delivering now"], "{venue}");
    }
}

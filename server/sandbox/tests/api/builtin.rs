//! The built-in catalogue through the calls.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::support::World;

#[tokio::test]
async fn every_table_link_leads_to_a_menu_that_can_be_ordered_from() {
    let world = World::built_in().await;
    let tables = world.get("/_sandbox/api/tables").await.json();
    let mut seen = HashSet::new();
    let mut placed = 0;
    for table in tables.as_array().unwrap() {
        let filial = table["filial_id"].as_i64().unwrap();
        if !seen.insert(filial) {
            continue;
        }
        let card = world
            .get(&format!(
                "/takeaway/locations/card/terminal/{filial}?include=extra"
            ))
            .await;
        assert_eq!(card.status, 200, "{filial}");
        let menu = world
            .get(&format!("/menu/v2/category/products?filial_id={filial}"))
            .await
            .json();
        let Some(simple) = simple(&menu) else {
            continue;
        };
        let payments = &card.json()["data"]["payment_types"];
        let payment = if payments.as_array().unwrap().contains(&json!("cash")) {
            "cash"
        } else {
            "online"
        };
        let body = json!({
            "filial_id": filial, "main_terminal_id": table["main_terminal_id"], "table_id": table["table_id"],
            "payment_type": payment, "items": [{"product_id": simple, "count": 1}],
        });
        let reply = world.order(&body, &filial.to_string()).await;
        let code = if reply.status == 201 {
            String::new()
        } else {
            reply.code()
        };
        let allowed = ["", "venue_closed", "payment_unavailable"];
        assert!(
            allowed.contains(&code.as_str()),
            "{filial}: {}",
            reply.text()
        );
        placed += usize::from(reply.status == 201);
    }
    assert!(seen.len() >= 20, "only {} venues with tables", seen.len());
    assert!(
        placed * 2 > seen.len(),
        "only {placed} of {} venues took an order now",
        seen.len()
    );
    let first = &tables[0];
    let branch = world
        .get(&format!(
            "/locations/v1/branches/{}?table_id={}",
            first["filial_id"],
            first["table_id"].as_str().unwrap()
        ))
        .await
        .json();
    assert_eq!(
        branch["data"]["is_check_pulling_enabled"], false,
        "the first link opens a menu"
    );
}

/// MN-06: the largest menu, whole and once per product, while others ask for it too.
#[tokio::test(flavor = "multi_thread")]
async fn a_menu_of_two_thousand_products_is_answered_whole() {
    let world = World::built_in().await;
    let listed = world
        .get("/takeaway/v2/locations?filter[service]=takeaway&town_id=1&brand_id=13&limit=100")
        .await
        .json();
    let wholesale = listed["data"]
        .as_array()
        .unwrap()
        .iter()
        .find(|venue| venue["id"] == 144)
        .unwrap();
    let filial = &wholesale["filial_id"];
    let target = format!("/menu/v2/category/products?filial_id={filial}");
    let began = std::time::Instant::now();
    for _ in 0..10 {
        assert_eq!(world.get(&target).await.status, 200);
    }
    // A debug build on a busy machine; no request may have to wait for seconds.
    assert!(began.elapsed().as_secs() < 10, "{:?}", began.elapsed());
    let menu = world.get(&target).await.json();
    let ids: HashSet<i64> = menu["data"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|category| {
            category["relationships"]["products"]["data"]
                .as_array()
                .unwrap()
        })
        .map(|product| product["product_id"].as_i64().unwrap())
        .collect();
    assert_eq!(ids.len(), 2000);
    let pack = ids.iter().find(|id| **id > 1_000_000).unwrap();
    let body = json!({"filial_id": filial, "items": [{"product_id": pack, "count": 1}]});
    let checked = world
        .post("/menu/v2/stop_list/order_items/check", &body)
        .await;
    assert_eq!(checked.status, 200, "{}", checked.text());
}

/// A product that needs no choice.
fn simple(menu: &Value) -> Option<i64> {
    let categories = menu["data"]
        .as_array()?
        .iter()
        .filter(|category| category["attributes"]["is_active"] == true);
    let products = categories.flat_map(|category| {
        category["relationships"]["products"]["data"]
            .as_array()
            .unwrap()
    });
    let mut plain = products.filter(|product| {
        product["is_unavailable"] == false
            && product["has_additive_categories"] == false
            && product["sizes"] == json!([])
    });
    plain.next()?["product_id"].as_i64()
}

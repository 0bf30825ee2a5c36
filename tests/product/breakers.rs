//! What may fail beside an order stops no order.

use crate::{
    orders::{press, ready_to_order},
    support::{Product, VENUE},
};

#[tokio::test]
async fn what_anyone_may_ask_for_stops_nobody_who_orders_when_it_fails() {
    let product = Product::start().await;
    let other_guest = product.guest();
    let (at_cart, _) = ready_to_order(&product).await;
    let sheets = other_guest.get(&format!("/filials/{VENUE}")).await.data();
    let dishes = sheets["page"]["data"]["categories"].as_array().unwrap();
    let dishes: Vec<String> = dishes
        .iter()
        .flat_map(|category| category["products"].as_array().unwrap())
        .map(|dish| dish["id"].to_string())
        .collect();
    for (call, part) in [
        ("/menu/v3/search/products", "search"),
        ("/brandy/api/v1/autocomplete", "search"),
        ("/menu/v2/product/additives", "dishes"),
        ("/takeaway/order/cooking_time", "extras"),
        ("/takeaway/v2/user/order", "tracking"),
    ] {
        let (guest, seen) = ready_to_order(&product).await;
        product.fail(call, 500).await;
        for number in 0..30 {
            let dish = &dishes[number % dishes.len()];
            match call {
                "/menu/v3/search/products" => {
                    other_guest.get(&format!("/search?q=sam{number}")).await
                }
                "/brandy/api/v1/autocomplete" => {
                    other_guest
                        .get(&format!("/search/suggest?q=se{number}"))
                        .await
                }
                "/menu/v2/product/additives" => {
                    at_cart.get(&format!("/filials/{VENUE}?item={dish}")).await
                }
                "/takeaway/order/cooking_time" => at_cart.get("/cart").await,
                _ => {
                    let path = format!("/filials/{VENUE}/order/o_{number:032x}");
                    other_guest.get(&path).await
                }
            };
        }
        let label = format!("part=\"{part}\"");
        let open = product.number("upstream_breaker_open", &label).await;
        assert_eq!(open, 1, "{call}: it is left alone");
        let placed = press(&guest, &seen).await;
        let page = placed.location();
        let told = guest.get(&page).await.data()["shell"]["flash"].clone();
        assert!(page.contains("/order/"), "{call}: {page}: {told}");
        // Nor who has just sat down where no answer is kept yet.
        let venue = 1023;
        let scan = format!("/filials/{venue}?filial_id={venue}&table_id=t2&main_terminal_id=1020");
        assert_ne!(product.guest().get(&scan).await.status, 503, "{call}");
        product.no_faults().await;
    }
}

//! An order once more (OR-14).

use serde_json::{Value, json};

use crate::{
    orders_own::set_status,
    support::{
        Guest, Product, VENUE, as_fields, eventually, order_fields, plain_products, products,
    },
};

/// A guest who has ordered two dishes; the dishes and the order's id.
async fn ordered(product: &Product) -> (Guest, Vec<(u64, i64)>, String) {
    let guest = product.guest_at_table(VENUE, "t7").await;
    let dishes = plain_products(&guest.get(&format!("/filials/{VENUE}")).await.data());
    for (dish, _) in dishes.iter().take(2) {
        guest.add(VENUE, *dish).await;
    }
    guest.add(VENUE, dishes[1].0).await;
    let page = guest.get("/cart").await.data();
    let seen = order_fields(&page);
    let fields = as_fields(&seen);
    let page = guest.submit("/orders", &fields).await.data();
    let id = page["page"]["data"]["id"].as_str().unwrap().to_owned();
    (guest, dishes, id)
}

fn counts(page: &Value) -> Vec<(u64, u64, i64)> {
    page["shell"]["cart"]["lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| {
            (
                line["productId"].as_u64().unwrap(),
                line["qty"].as_u64().unwrap(),
                line["price"].as_i64().unwrap(),
            )
        })
        .collect()
}

#[tokio::test]
async fn the_empty_cart_offers_the_last_order_and_the_way_back_to_its_menu() {
    let product = Product::start().await;
    let (guest, dishes, id) = ordered(&product).await;
    // One that is still made is not offered again.
    for path in ["/cart", "/"] {
        let data = guest.get(path).await.data();
        assert!(data["page"]["data"]["repeat"].is_null(), "{path}");
    }
    set_status(&product, &id, "canceled").await;
    let page = guest.get("/cart").await;
    let data = page.data();
    assert_eq!(data["page"]["data"]["blocks"], json!(["empty"]));
    assert_eq!(data["page"]["data"]["home"]["id"], VENUE);
    assert_eq!(data["page"]["data"]["repeat"]["order"], id.as_str());
    assert_eq!(
        data["page"]["data"]["repeat"]["lines"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    assert!(page.rendered().contains(r#"action="/orders/repeat""#));
    assert!(page.rendered().contains(r#"href="/filials/1013""#));
    let again = guest
        .submit("/orders/repeat", &[("order", &id), ("back", "/cart")])
        .await
        .data();
    assert_eq!(
        counts(&again),
        [(dishes[0].0, 1, dishes[0].1), (dishes[1].0, 2, dishes[1].1)]
    );
    assert_eq!(again["shell"]["flash"]["kind"], "repeated");

    // A stranger has neither the card nor the order.
    let other_guest = product.guest();
    let data = other_guest.get("/cart").await.data();
    assert!(data["page"]["data"]["repeat"].is_null());
    assert!(data["page"]["data"]["home"].is_null());
    let refused = other_guest
        .post_json("/orders/repeat", &[("order", &id)])
        .await;
    assert_eq!(refused.status, 422);
    assert!(refused.json()["cart"].is_null());
}

/// A finger taps twice, a page is slow to go, the browser has kept the page of before: one wish, one repeat.
#[tokio::test]
async fn a_second_press_means_the_same_repeat_until_the_cart_changes() {
    let product = Product::start().await;
    let (guest, dishes, id) = ordered(&product).await;
    let fields = [("order", id.as_str()), ("back", "/orders")];
    let again = async || guest.submit("/orders/repeat", &fields).await.data();
    let once = [(dishes[0].0, 1, dishes[0].1), (dishes[1].0, 2, dishes[1].1)];
    let (one, two) = tokio::join!(
        guest.post("/orders/repeat", &fields),
        guest.post_json("/orders/repeat", &fields)
    );
    assert_eq!((one.status, two.status), (303, 200));
    assert_eq!(counts(&guest.get("/cart").await.data()), once);
    let page = again().await;
    assert_eq!(counts(&page), once);
    assert_eq!(page["shell"]["flash"]["kind"], "repeated", "it is there");

    // A guest who has changed the cart since wants it once more, beside the rest, and is told so.
    guest.add(VENUE, dishes[0].0).await;
    let page = again().await;
    assert_eq!(
        counts(&page),
        [(dishes[0].0, 3, dishes[0].1), (dishes[1].0, 4, dishes[1].1)]
    );
    assert_eq!(page["shell"]["flash"]["kind"], "repeatedBeside");
    assert_eq!(counts(&again().await), counts(&page));

    guest.post("/cart/clear", &[]).await;
    let page = again().await;
    assert_eq!(counts(&page), once);
    assert_eq!(page["shell"]["flash"]["kind"], "repeated");
}

/// The dishes of an order that was called off come back to the cart, and wait aside while the guest orders elsewhere.
#[tokio::test]
async fn what_a_call_off_has_given_back_is_not_ordered_twice() {
    let product = Product::start().await;
    let (guest, dishes, id) = ordered(&product).await;
    guest
        .submit(&format!("/orders/{id}/cancel"), &[("back", "/orders")])
        .await;
    let once = [(dishes[0].0, 1, dishes[0].1), (dishes[1].0, 2, dishes[1].1)];
    assert_eq!(counts(&guest.get("/cart").await.data()), once);
    let there = plain_products(&guest.get("/filials/1023").await.data());
    let other = [
        ("filial", "1023"),
        ("product", &there[0].0.to_string()),
        ("delta", "1"),
        ("replace", "1"),
    ];
    guest.post("/cart/lines", &other).await;
    let again = [
        ("order", id.as_str()),
        ("back", "/orders"),
        ("replace", "1"),
    ];
    let page = guest.submit("/orders/repeat", &again).await.data();
    assert_eq!(counts(&page), once);
    assert_eq!(page["shell"]["flash"]["kind"], "repeated");

    // What the guest had chosen besides is still there, and said.
    guest.add(VENUE, dishes[2].0).await;
    guest.post("/cart/lines", &other).await;
    let page = guest.submit("/orders/repeat", &again).await.data();
    assert_eq!(counts(&page)[..2], once);
    assert_eq!(counts(&page).len(), 3);
    assert_eq!(page["shell"]["flash"]["kind"], "repeatedBeside");
}

#[tokio::test]
async fn what_is_gone_is_named_and_prices_are_those_of_now() {
    let product = Product::with(&["--catalogue-fresh-ms", "1"]).await;
    let (guest, dishes, id) = ordered(&product).await;
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    let gone = products(&menu)
        .find(|dish| dish["id"] == dishes[0].0)
        .unwrap()["name"]
        .clone();
    product.sell_out(VENUE, dishes[0].0).await;
    product.set_price(VENUE, dishes[1].0, 7770).await;
    // Until the answers that were kept are renewed.
    guest.get(&format!("/filials/{VENUE}")).await;
    let page = guest
        .submit("/orders/repeat", &[("order", &id), ("back", "/cart")])
        .await
        .data();
    assert_eq!(page["shell"]["flash"]["kind"], "repeatedPartly");
    assert_eq!(page["shell"]["flash"]["values"]["names"], json!([gone]));
    assert_eq!(counts(&page), [(dishes[1].0, 2, 777_000)]);

    product.sell_out(VENUE, dishes[1].0).await;
    guest.post("/cart/clear", &[]).await;
    let page = guest
        .submit("/orders/repeat", &[("order", &id), ("back", "/cart")])
        .await
        .data();
    assert_eq!(page["shell"]["flash"]["kind"], "repeatedNothing");
    assert!(page["shell"]["cart"].is_null());
}

/// Without its option it would be another dish at another price.
#[tokio::test]
async fn a_dish_whose_option_is_gone_is_named_and_left_out() {
    let product = Product::with(&["--catalogue-fresh-ms", "1"]).await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    let plain = plain_products(&menu)[0];
    let mut optional = None;
    for dish in products(&menu).filter(|dish| dish["options"] == true && dish["out"].is_null()) {
        let sheet = format!("/filials/{VENUE}?item={}", dish["id"]);
        let item = guest.get(&sheet).await.data()["page"]["data"]["dish"].clone();
        let groups = item["groups"].as_array().unwrap();
        let free = groups.iter().all(|group| group["min"] == 0);
        let open = |option: &&Value| option["out"] == false && option["price"] != 0;
        let options = groups.first().and_then(|group| group["options"].as_array());
        let option = options.and_then(|all| all.iter().find(open));
        if let (true, true, Some(option)) = (free, item["sizes"].is_null(), option) {
            optional = Some((dish.clone(), option.clone()));
            break;
        }
    }
    let (dish, option) = optional.expect("the seed has a dish whose options are free to choose");
    let (venue, id) = (VENUE.to_string(), dish["id"].to_string());
    let chosen = format!("option.{}", option["id"]);
    let fields = [("filial", &*venue), ("product", &*id), (&*chosen, "1")];
    assert_eq!(guest.post("/cart/lines", &fields).await.status, 303);
    guest.add(VENUE, plain.0).await;
    let page = guest.get("/cart").await.data();
    assert_eq!(page["shell"]["cart"]["lines"].as_array().unwrap().len(), 2);
    let seen = order_fields(&page);
    let page = guest.submit("/orders", &as_fields(&seen)).await.data();
    let order = page["page"]["data"]["id"].as_str().unwrap().to_owned();

    // The other dish has no groups: nothing of it changes, wherever it stands.
    let gone = json!({
        "/data/0/additive_groups/0/additives": [], "/data/1/additive_groups/0/additives": [],
    });
    let fields = [("order", &*order), ("back", "/cart")];
    let again = guest.submit("/orders/repeat", &fields).await.data();
    assert_eq!(counts(&again).len(), 2, "it is all there still");
    product
        .replace("/menu/v2/products/with/additives/", gone)
        .await;
    // Until the answer that was kept is renewed.
    let page = eventually(20, || async {
        guest.post("/cart/clear", &[]).await;
        let page = guest.submit("/orders/repeat", &fields).await.data();
        (page["shell"]["flash"]["kind"] == "repeatedPartly").then_some(page)
    })
    .await;
    let left_out = &page["shell"]["flash"]["values"]["names"];
    assert_eq!(*left_out, json!([dish["name"]]));
    assert_eq!(counts(&page), [(plain.0, 1, plain.1)]);
}

#[tokio::test]
async fn the_cart_of_another_venue_is_asked_about_first() {
    let product = Product::start().await;
    let (guest, _, id) = ordered(&product).await;
    let other = plain_products(&guest.get("/filials/1023").await.data())[0].0;
    guest.add(1023, other).await;
    let asked = guest
        .submit("/orders/repeat", &[("order", &id), ("back", "/cart")])
        .await;
    let data = asked.data();
    assert_eq!(data["shell"]["flash"]["errors"][0]["code"], "otherVenue");
    assert_eq!(data["shell"]["cart"]["venueId"], 1023);
    // Without scripts the message itself has the button.
    let html = asked.rendered();
    assert!(html.contains(r#"action="/orders/repeat""#) && html.contains(r#"name="replace""#));
    let page = guest
        .submit(
            "/orders/repeat",
            &[("order", &id), ("replace", "1"), ("back", "/cart")],
        )
        .await
        .data();
    assert_eq!(page["shell"]["cart"]["venueId"], VENUE);
    assert_eq!(counts(&page).len(), 2);
}

/// SV-03: dishes of another service of the same venue are no other venue's.
#[tokio::test]
async fn an_order_comes_beside_dishes_of_another_service_of_its_venue() {
    let product = Product::start().await;
    let (guest, dishes, id) = ordered(&product).await;
    guest.add(1011, dishes[2].0).await;
    let page = guest.get("/cart").await.data();
    assert_eq!(page["shell"]["cart"]["venueId"], 1011);
    let again = guest
        .submit("/orders/repeat", &[("order", &id), ("back", "/cart")])
        .await
        .data();
    assert_eq!(again["shell"]["flash"]["kind"], "repeatedBeside");
    assert_eq!(again["shell"]["cart"]["venueId"], VENUE);
    assert_eq!(counts(&again).len(), 3);
}

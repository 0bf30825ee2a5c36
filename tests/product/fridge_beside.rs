//! A door beside what else the guest has: an order that waits for its payment, a cart on another phone (BC-05, BC-06, BC-14).

use serde_json::{Value, json};

use crate::{
    barcode::good,
    checkout::{FRIDGE, cart, order, put_in as put_in_cart},
    fridge::{open, page, put_in, ready, seen, shut},
    sign_in::{at_table_with_a_dish, sign_in},
    support::{Guest, Product, VENUE},
};

/// The orders of the fridge, not of restaurants.
async fn of_fridge(product: &Product) -> Vec<Value> {
    let mut orders = product.sandbox_get("orders").await;
    orders.retain(|order| order["kind"] == "micromarket");
    orders
}

async fn in_cart(guest: &Guest) -> Value {
    guest.get("/cart").await.data()["shell"]["cart"].clone()
}

/// How many pieces the page of the guest's last order names.
async fn pieces(product: &Product, guest: &Guest) -> u64 {
    let order = of_fridge(product).await[0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let info = guest.get(&format!("/orders/{order}")).await.data();
    let lines = info["page"]["data"]["lines"].as_array().unwrap().clone();
    lines.iter().map(|line| line["qty"].as_u64().unwrap()).sum()
}

#[tokio::test]
async fn a_door_is_shut_though_an_order_of_a_restaurant_waits_for_its_payment() {
    for (scans, reads) in [(true, true), (true, false), (false, true)] {
        let product = Product::start().await;
        let guest = at_table_with_a_dish(&product).await;
        sign_in(&product, &guest, &page()).await;
        guest
            .post("/session/age", &[("answer", "yes"), ("back", "/")])
            .await;
        let bank = order(&guest, "card").await.location();
        assert!(bank.contains("/pay/card/"), "{bank}");
        let unpaid = cart(&guest).await["unpaid"]["href"].clone();
        let unpaid = unpaid.as_str().unwrap();
        open(&guest).await;
        if scans {
            let (_, id) = good(&product).await;
            let (venue, id) = (FRIDGE.to_string(), id.to_string());
            let fields = [("filial", &*venue), ("product", &*id), ("replace", "1")];
            guest.post_json("/cart/lines", &fields).await;
        }
        if !reads {
            product.fail("/takeaway/v2/user/order", 503).await;
        }
        assert_eq!(shut(&guest).await.location(), page());
        product.no_faults().await;
        let settled = seen(&guest).await;
        assert_eq!(
            (&settled["state"], &settled["unscanned"]),
            (&json!("settled"), &json!(0))
        );
        assert_eq!(of_fridge(&product).await.len(), usize::from(scans));
        // The other one waits as before.
        let waits = guest.get(unpaid).await.data();
        assert_eq!(waits["page"]["data"]["state"], "waiting");
        let left = if scans { Value::Null } else { json!(VENUE) };
        assert_eq!(in_cart(&guest).await["venueId"], left);
    }
}

#[tokio::test]
async fn a_phone_with_a_cart_of_its_own_pays_for_what_the_other_has_scanned() {
    let product = Product::start().await;
    let (first, second) = (ready(&product).await, ready(&product).await);
    put_in_cart(&second, VENUE).await;
    open(&first).await;
    for _ in 0..2 {
        put_in(&product, &first).await;
    }
    // It is shown before it is paid.
    let taken = second.get(&page()).await.texts(".taken").concat();
    assert!(taken.contains('₸'), "{taken}");
    assert_eq!(shut(&second).await.location(), page());
    let settled = seen(&second).await;
    assert_eq!(
        (&settled["state"], &settled["unscanned"]),
        (&json!("settled"), &json!(0))
    );
    assert_eq!(pieces(&product, &second).await, 2);
    // Nothing is left for the next door, and the phone has its own cart again.
    assert_eq!(in_cart(&first).await, Value::Null);
    let own = in_cart(&second).await;
    assert_eq!((&own["venueId"], &own["count"]), (&json!(VENUE), &json!(1)));
}

#[tokio::test]
async fn what_two_phones_have_chosen_is_paid_in_one_order() {
    let product = Product::start().await;
    let (first, second) = (ready(&product).await, ready(&product).await);
    put_in(&product, &second).await;
    open(&first).await;
    put_in(&product, &first).await;
    let count = async |guest: &Guest| guest.get(&page()).await.data()["shell"]["cart"].clone();
    assert_eq!(count(&second).await["count"], 2);
    assert_eq!(count(&first).await["count"], 2);
    shut(&second).await;
    assert_eq!(seen(&second).await["unscanned"], 0);
    assert_eq!(of_fridge(&product).await.len(), 1);
    assert_eq!(pieces(&product, &second).await, 2);
    for guest in [&first, &second] {
        assert_eq!(count(guest).await, Value::Null);
    }
}

#[tokio::test]
async fn a_door_that_opened_beside_a_cart_of_a_restaurant_is_paid_by_who_has_scanned() {
    let product = Product::start().await;
    let (first, second) = (ready(&product).await, ready(&product).await);
    put_in_cart(&first, VENUE).await;
    open(&first).await;
    put_in(&product, &second).await;
    shut(&second).await;
    assert_eq!(seen(&second).await["state"], "settled");
    assert_eq!(pieces(&product, &second).await, 1);
    assert_eq!(in_cart(&first).await["venueId"], VENUE);
}

/// What the page of the fridge shows as the cart.
async fn at_door(guest: &Guest) -> Value {
    guest.get(&page()).await.data()["shell"]["cart"].clone()
}

#[tokio::test]
async fn the_phone_that_opened_the_door_pays_for_what_the_other_has_scanned() {
    for (of_restaurant, looks) in [(true, true), (true, false), (false, false)] {
        let product = Product::start().await;
        let (first, second) = (ready(&product).await, ready(&product).await);
        if of_restaurant {
            put_in_cart(&first, VENUE).await;
        }
        // Loaded before the door is open: that it is this page does not learn.
        assert_eq!(seen(&second).await["state"], "ready");
        open(&first).await;
        if looks {
            assert_eq!(seen(&second).await["state"], "open");
        }
        for _ in 0..2 {
            put_in(&product, &second).await;
        }
        assert_eq!(shut(&first).await.location(), page());
        let settled = seen(&first).await;
        assert_eq!(
            (&settled["state"], &settled["unscanned"]),
            (&json!("settled"), &json!(0))
        );
        assert_eq!(pieces(&product, &first).await, 2);
        assert_eq!(at_door(&second).await, Value::Null);
        let own = in_cart(&first).await;
        let left = if of_restaurant {
            json!(VENUE)
        } else {
            Value::Null
        };
        assert_eq!(own["venueId"], left);
        // Nothing is charged once more.
        open(&second).await;
        shut(&second).await;
        assert_eq!(of_fridge(&product).await.len(), 1);
    }
}

#[tokio::test]
async fn a_lock_that_does_not_open_takes_no_cart_of_another_phone() {
    let product = Product::start().await;
    let (first, second) = (ready(&product).await, ready(&product).await);
    let lock = json!({ "filial_id": FRIDGE, "lock": "slow" });
    product.control("lock", lock).await;
    open(&first).await;
    put_in_cart(&second, VENUE).await;
    assert_eq!(seen(&second).await["state"], "opening");
    assert_eq!(in_cart(&second).await["venueId"], VENUE);
    // Once it has opened the phone goes on with the cart of the door, until that is over upstream.
    let door = |event: &str| json!({ "filial_id": FRIDGE, "event": event });
    product.control("door", door("opens")).await;
    assert_eq!(seen(&second).await["state"], "open");
    assert_eq!(in_cart(&second).await, Value::Null);
    product.control("door", door("lost")).await;
    assert_eq!(in_cart(&second).await["venueId"], VENUE);
}

#[tokio::test]
async fn a_door_whose_answer_was_lost_is_settled_by_the_upstreams_word() {
    let product = Product::start().await;
    let guest = ready(&product).await;
    open(&guest).await;
    put_in(&product, &guest).await;
    lose_answer(&product).await;
    shut(&guest).await;
    product.no_faults().await;
    assert_eq!(seen(&guest).await["state"], "settled");
    assert_eq!(at_door(&guest).await, Value::Null);
    open(&guest).await;
    shut(&guest).await;
    assert_eq!(of_fridge(&product).await.len(), 1);
}

/// The door is shut and paid for, and its guest is not told.
async fn lose_answer(product: &Product) {
    let lost = json!({ "path": "/smart-lock/v1/sessions/", "method": "POST", "kind": "status", "status": 502,
        "after_commit": true });
    product.control("faults", lost).await;
}

#[tokio::test]
async fn goods_that_are_paid_at_one_door_do_not_go_along_to_the_next() {
    for tells in [true, false] {
        let product = Product::start().await;
        let (first, second) = (ready(&product).await, ready(&product).await);
        open(&first).await;
        put_in(&product, &first).await;
        lose_answer(&product).await;
        shut(&first).await;
        product.no_faults().await;
        open(&second).await;
        if !tells {
            let silent = json!({ "path": "/smart-lock/v1/sessions/", "method": "GET", "kind": "status", "status": 503 });
            product.control("faults", silent).await;
        }
        assert_eq!(seen(&first).await["state"], "open");
        assert_eq!(at_door(&second).await, Value::Null, "tells: {tells}");
        product.no_faults().await;
        shut(&second).await;
        assert_eq!(of_fridge(&product).await.len(), 1, "tells: {tells}");
    }
}

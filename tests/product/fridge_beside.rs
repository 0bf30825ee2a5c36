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
    let mut orders = product.told("orders").await;
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

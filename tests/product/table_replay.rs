//! The code of a table is printed: who has photographed it can replay it from home. What that is worth has an end: a
//! browser gets up from a table at which nothing is done, and orders that nobody answers for, and calls of waiters, are
//! counted by table and by address (SC-03, SC-07).

use serde_json::{Value, json};

use crate::{
    orders::{press, ready_to_order},
    sign_in::sign_in,
    support::{
        Guest, Product, VENUE, as_fields, eventually, order_fields, plain_products, table_link,
    },
};

async fn table_of(guest: &Guest) -> Value {
    let page = guest.get(&format!("/filials/{VENUE}")).await;
    page.data()["shell"]["table"]["number"].clone()
}

#[tokio::test]
async fn a_browser_gets_up_from_a_table_at_which_it_does_nothing() {
    let product = Product::with(&["--table-seconds", "1"]).await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let dishes = plain_products(&guest.get(&format!("/filials/{VENUE}")).await.data());
    eventually(60, async || table_of(&guest).await.is_null().then_some(())).await;
    // The cart is kept, and asks for the table before it can be ordered.
    guest.add(VENUE, dishes[0].0).await;
    let cart = guest.get("/cart").await.data();
    assert_eq!(cart["page"]["data"]["blocks"][0], "table");
    let refused = press(&guest, &order_fields(&cart)).await.location();
    assert!(refused.starts_with("/cart"), "{refused}");
    assert!(product.sandbox_get("orders").await.is_empty());
    // A guest who scans the code again sits there again.
    eventually(60, async || {
        guest.get(&table_link(VENUE, "t7")).await;
        (table_of(&guest).await == "7").then_some(())
    })
    .await;
    // Who comes within the hours stays.
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    assert_eq!(table_of(&guest).await, "7");
}

/// A guest at a table who has chosen something; the fields of the order.
async fn with_a_dish(product: &Product, table: &str) -> (Guest, Value) {
    let guest = product.guest_at_table(VENUE, table).await;
    let dishes = plain_products(&guest.get(&format!("/filials/{VENUE}")).await.data());
    guest.add(VENUE, dishes[0].0).await;
    let cart = guest.get("/cart").await.data();
    (guest, cart)
}

#[tokio::test]
async fn unpaid_anonymous_orders_to_a_table_come_to_an_end() {
    let product = Product::with(&["--table-orders-per-hour", "1"]).await;
    let (guest, seen) = ready_to_order(&product).await;
    assert!(press(&guest, &seen).await.location().contains("/order/"));
    // The second one to that table, from another browser, in words; the basket stays.
    let (other, cart) = with_a_dish(&product, "t7").await;
    let cash = order_fields(&cart);
    let cash = as_fields(&cash);
    let refused = other.post_json("/orders", &cash).await;
    assert_eq!(refused.status, 429);
    assert_eq!(refused.json()["flash"]["errors"][0]["code"], "tableOften");
    let page = other.submit("/orders", &cash).await;
    assert!(
        page.rendered().contains("алдын ала төленбеген"),
        "{}",
        page.rendered()
    );
    assert_eq!(product.sandbox_get("orders").await.len(), 1);
    // Who pays answers for it.
    let mut card = order_fields(&cart);
    card[2].1 = "card".to_owned();
    let paid = other.post("/orders", &as_fields(&card)).await.location();
    assert!(paid.starts_with("http"), "{paid}");
    // So does who is known, and another table is another one.
    let (known, _) = with_a_dish(&product, "t7").await;
    sign_in(&product, &known, "/cart").await;
    let cart = known.get("/cart").await.data();
    let placed = press(&known, &order_fields(&cart)).await;
    assert!(
        placed.location().contains("/order"),
        "{}",
        placed.location()
    );
    let (there, cart) = with_a_dish(&product, "t5").await;
    let placed = press(&there, &order_fields(&cart)).await;
    assert!(
        placed.location().contains("/order/"),
        "{}",
        placed.location()
    );
}

/// Nobody pays for it, whichever way was chosen.
#[tokio::test]
async fn what_costs_nothing_is_no_order_that_is_paid() {
    let arguments = ["--table-orders-per-hour", "1", "--catalogue-fresh-ms", "1"];
    let product = Product::with(&arguments).await;
    let menu = product.guest().get(&format!("/filials/{VENUE}")).await;
    product
        .set_price(VENUE, plain_products(&menu.data())[0].0, 0)
        .await;
    let order = async |way: &str| {
        let (guest, cart) = with_a_dish(&product, "t7").await;
        let mut fields = order_fields(&cart);
        assert_eq!(fields[1], ("total", "0".to_owned()));
        way.clone_into(&mut fields[2].1);
        guest.post_json("/orders", &as_fields(&fields)).await
    };
    assert_eq!(order("card").await.status, 200);
    let refused = order("qr").await;
    assert_eq!(refused.status, 429);
    assert_eq!(refused.json()["flash"]["errors"][0]["code"], "tableOften");
}

#[tokio::test]
async fn no_address_calls_the_waiters_of_a_whole_room() {
    let product = Product::with(&["--address-calls-per-hour", "1"]).await;
    let none = [("bill", "")];
    let call = async |guest: &Guest, table: &str| {
        let link = table_link(VENUE, table);
        let path = format!(
            "/filials/{VENUE}/bill/waiter?{}",
            link.split_once('?').unwrap().1
        );
        guest.submit(&path, &none).await.data()["page"]["data"].clone()
    };
    let called = call(&product.guest(), "t7").await;
    assert!(called["waiterIn"].as_i64() > Some(0), "{called}");
    // At the next table, from another session: told that it was not done, and the table is not to wait for it.
    let page = call(&product.guest(), "t5").await;
    assert_eq!(
        (&page["problem"], &page["waiterIn"]),
        (&json!("often"), &json!(0))
    );
    let log = product.sandbox_get("log").await;
    let calls = log
        .iter()
        .filter(|call| call["path"].as_str().unwrap().ends_with("/waiter-call"));
    assert_eq!(calls.count(), 1);
    assert_eq!(product.number("rate_limited_total", "").await, 1);
    // A guest does not fill the log.
    assert!(!product.logs().contains("waiter could not be called"));
}

/// A script that goes from table to table, over all venues, with a session of its own or without any.
#[tokio::test]
async fn one_guest_calls_ten_waiters_in_an_hour_and_is_told_why_no_more_come() {
    let product = Product::start().await;
    let path = |venue: u64, number: usize| {
        let link = table_link(venue, &format!("t{number}"));
        let query = link.split_once('?').unwrap().1.to_owned();
        format!("/filials/{venue}/bill/waiter?{query}")
    };
    let none = [("bill", "")];
    let calls = async || {
        let log = product.sandbox_get("log").await;
        let is_call = |call: &&Value| call["path"].as_str().unwrap().ends_with("/waiter-call");
        log.iter().filter(is_call).count()
    };
    let mut rung = 0;
    for (is_known, venues) in [(true, [VENUE, 1023]), (false, [1043, 1253])] {
        let own = product.guest_at_table(VENUE, "t7").await;
        let call = async |path: String| {
            let other_guest = product.guest();
            let guest = if is_known { &own } else { &other_guest };
            let answer = guest.post_json(&path, &none).await;
            (answer.status, answer.json()["redirect"].clone())
        };
        // What no venue has heard is not counted.
        product.fail("/bills/v1/waiter-call", 422).await;
        let (status, page) = call(path(venues[0], 7)).await;
        assert_eq!(status, 200);
        assert!(page.as_str().unwrap().contains("problem=waiter"), "{page}");
        product.no_faults().await;
        product.forget_log().await;
        for number in 1..=5 {
            for venue in venues {
                let (status, page) = call(path(venue, number)).await;
                assert_eq!(status, 200, "{venue} {number}");
                assert!(!page.as_str().unwrap().contains("problem"), "{page}");
                rung += 1;
            }
        }
        assert_eq!(calls().await, 10);
        let (status, page) = call(path(venues[1], 6)).await;
        assert_eq!(status, 429);
        assert!(page.as_str().unwrap().contains("problem=often"), "{page}");
        assert_eq!(calls().await, 10, "nobody hears of it");
        // Without scripts the page says it, and the table has not to wait for it.
        if is_known {
            let page = own.submit(&path(venues[1], 6), &none).await;
            let data = &page.data()["page"]["data"];
            assert_eq!(data["waiterIn"], 0);
            assert!(page.rendered().contains("тым жиі шақырылды"));
            assert!(page.rendered().contains("step=waiter"));
        }
    }
    assert_eq!(rung, 20);
}

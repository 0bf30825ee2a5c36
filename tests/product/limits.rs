//! What one address may do, however many sessions it begins (S-20).

use reqwest::Method;

use crate::support::{Guest, Product, VENUE, plain_products, table_link};

/// How many of so many guests, each with a new session, were answered `status`.
async fn answered<F: Future<Output = u16>>(
    status: u16,
    guests: usize,
    mut ask: impl FnMut(Guest) -> F,
    product: &Product,
) -> usize {
    let mut count = 0;
    for _ in 0..guests {
        let guest = product.guest_at_table(VENUE, "t7").await;
        count += usize::from(ask(guest).await == status);
    }
    count
}

#[tokio::test]
async fn new_sessions_do_not_raise_what_an_address_may_change_or_order() {
    let product = Product::with(&[
        "--address-mutations-per-minute",
        "12",
        "--address-orders-per-minute",
        "4",
    ])
    .await;
    // What is refused for another reason was asked for all the same.
    let order = async |guest: Guest| {
        let fields = [("cart_version", "1"), ("payment", "cash")];
        guest.post_json("/orders", &fields).await.status
    };
    let refused = answered(429, 12, order, &product).await;
    assert!((1..=8).contains(&refused), "{refused} of 12 orders");
    let change = async |guest: Guest| {
        let fields = [("service", "express"), ("back", "/")];
        guest.post("/session/service", &fields).await.status
    };
    let refused = answered(429, 12, change, &product).await;
    assert!(refused >= 1, "{refused} of 12 changes");
    // Reading is free.
    let read = async |guest: Guest| guest.get("/filials").await.status;
    assert_eq!(answered(200, 12, read, &product).await, 12);
}

#[tokio::test]
async fn an_address_that_has_begun_its_sessions_is_shown_menus_and_remembered_no_more() {
    let product = Product::with(&["--address-sessions-per-minute", "3"]).await;
    let first = product.guest_at_table(VENUE, "t7").await;
    assert!(first.cookie("dk").is_some());
    let mut unknown = None;
    for _ in 0..12 {
        let guest = product.guest_at_table(VENUE, "t7").await;
        if guest.cookie("dk").is_none() {
            unknown = Some(guest);
        }
    }
    let unknown = unknown.expect("sessions are not for the asking");
    let menu = unknown.get(&table_link(VENUE, "t7")).await;
    assert_eq!(menu.data()["shell"]["table"]["number"], "7");
    // A change without a session can't be kept, and says when to come again.
    let dish = plain_products(&menu.data())[0].0;
    let mut refused = unknown.add(VENUE, dish).await;
    for _ in 0..3 {
        if refused.status != 429 {
            refused = product.guest().add(VENUE, dish).await;
        }
    }
    assert_eq!(refused.status, 429);
    assert!(refused.header("retry-after").parse::<u32>().unwrap() >= 1);
    // Who has a session goes on.
    assert_eq!(first.add(VENUE, dish).await.status, 303);
}

#[tokio::test]
async fn new_sessions_do_not_raise_the_streams_of_an_address() {
    let product = Product::with(&["--address-streams", "5"]).await;
    let mut open = Vec::new();
    let events = format!("/filials/{VENUE}/events");
    for _ in 0..6 {
        let guest = product.guest_at_table(VENUE, "t7").await;
        let cookie = format!("dk={}", guest.cookie("dk").unwrap());
        let request = guest.request(Method::GET, &events).header("cookie", cookie);
        open.push(request.send().await.unwrap());
    }
    let status: Vec<u16> = open.iter().map(|one| one.status().as_u16()).collect();
    assert_eq!(status, [200, 200, 200, 200, 200, 429]);
}

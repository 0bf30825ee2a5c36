//! What one address may do, however many sessions it begins (S-20).

use reqwest::Method;

use crate::{
    account,
    orders::{press, ready_to_order},
    search::{booking_page, form, free},
    support::{Guest, Product, VENUE, order_fields, plain_products, table_link},
};

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
async fn new_sessions_do_not_raise_what_an_address_may_change() {
    let product = Product::with(&["--address-mutations-per-minute", "12"]).await;
    let change = async |guest: Guest| {
        let fields = [("service", "express"), ("back", "/")];
        guest.post("/session/service", &fields).await.status
    };
    let refused = answered(429, 24, change, &product).await;
    assert!(refused >= 1, "{refused} of 24 changes");
    // Reading is free.
    let read = async |guest: Guest| guest.get("/filials").await.status;
    assert_eq!(answered(200, 12, read, &product).await, 12);
}

const ONE_ORDER: [&str; 2] = ["--address-orders-per-minute", "1"];

/// One phone in the room must not keep the others from ordering.
#[tokio::test]
async fn what_is_refused_or_sent_again_costs_an_address_no_order() {
    let product = Product::with(&ONE_ORDER).await;
    let (guest, seen) = ready_to_order(&product).await;
    let phone = product.guest_at_table(VENUE, "t5").await;
    let [version, total, payment] = [&seen[0], &seen[1], &seen[2]].map(|(_, text)| text.as_str());
    for fields in [
        &[][..],
        &[("cart_version", "1"), ("payment", "cash")],
        &[("cart_version", "1"), ("payment", "shells")],
        &[("m", "x"), ("cart_version", "1"), ("payment", "cash")],
    ] {
        let refused = phone.post_json("/orders", fields).await;
        assert_eq!(refused.status, 422, "{fields:?}");
    }
    // A cart that can't be ordered as it was seen, and a form that can't be sent.
    let long = "x".repeat(61);
    for fields in [
        [
            ("cart_version", "999"),
            ("total", total),
            ("payment", payment),
            ("name", ""),
        ],
        [
            ("cart_version", version),
            ("total", "1"),
            ("payment", payment),
            ("name", ""),
        ],
        [
            ("cart_version", version),
            ("total", total),
            ("payment", payment),
            ("name", &long),
        ],
    ] {
        let refused = guest.second_tab().post_json("/orders", &fields).await;
        assert_eq!(refused.status, 422, "{fields:?}");
    }
    let ordered = press(&guest, &seen).await.location();
    assert!(ordered.contains("/order/"), "{ordered}");
    for _ in 0..3 {
        assert_eq!(press(&guest, &seen).await.location(), ordered);
    }
    assert_eq!(product.told("orders").await.len(), 1);
}

#[tokio::test]
async fn orders_of_an_address_are_counted_and_one_too_many_can_be_sent_later() {
    let product = Product::with(&ONE_ORDER).await;
    let (first, seen) = ready_to_order(&product).await;
    let (second, also) = ready_to_order(&product).await;
    assert!(press(&first, &seen).await.location().contains("/order/"));
    let refused = press(&second, &also).await;
    assert_eq!(refused.status, 429);
    assert!(refused.header("retry-after").parse::<u32>().unwrap() >= 1);
    assert_eq!(product.told("orders").await.len(), 1);
    // Nothing of it is on record: the form may be corrected meanwhile.
    let state = rusqlite::Connection::open(product.folder.join("state.sqlite")).unwrap();
    let open = "SELECT count(*) FROM idempotency WHERE phase <> 'done' AND key NOT LIKE 'change.%'";
    let open: u32 = state.query_row(open, [], |row| row.get(0)).unwrap();
    assert_eq!(open, 0);
    assert_eq!(
        second.get("/cart").await.data()["shell"]["cart"]["count"],
        2
    );
}

#[tokio::test]
async fn bookings_that_are_refused_or_sent_again_cost_an_address_nothing() {
    let product = Product::with(&ONE_ORDER).await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    for _ in 0..3 {
        assert_eq!(guest.post_json("/bookings", &[]).await.status, 422);
    }
    let page = booking_page(&guest).await;
    let venue = VENUE.to_string();
    let fields = form(&page, &venue, free(&page));
    let booked = guest.post("/bookings", &fields).await.location();
    assert!(booked.contains("booking="), "{booked}");
    assert_eq!(guest.post("/bookings", &fields).await.location(), booked);
    let other = product.guest_at_table(VENUE, "t5").await;
    let page = booking_page(&other).await;
    let fields = form(&page, &venue, free(&page));
    assert_eq!(other.post("/bookings", &fields).await.status, 429);
}

#[tokio::test]
async fn a_room_full_of_guests_without_a_session_makes_its_first_change() {
    // The defaults.
    let product = Product::with(&[
        "--mutations-per-minute",
        "240",
        "--address-mutations-per-minute",
        "2400",
        "--address-sessions-per-minute",
        "120",
    ])
    .await;
    let menu = product.guest().get(&format!("/filials/{VENUE}")).await;
    let dish = plain_products(&menu.data())[0].0;
    let guests = (0..100).map(|_| async {
        let added = product.guest().add(VENUE, dish).await;
        added.status
    });
    let answers = futures_util::future::join_all(guests).await;
    assert_eq!(answers, vec![303; 100]);
}

/// One search asks the upstream a dozen times.
#[tokio::test]
async fn an_address_that_searches_without_end_waits_and_reads_on() {
    let product = Product::with(&["--address-mutations-per-minute", "20"]).await;
    let other_guest = product.guest();
    for (number, path) in [
        "/search",
        "/_data/search",
        "/search/suggest",
        "/_data/address-map",
        "/search",
        "/_data/search",
        "/search/suggest",
        "/search",
        "/search",
        "/search",
    ]
    .into_iter()
    .enumerate()
    {
        let answer = other_guest.get(&format!("{path}?q=qwxz{number}")).await;
        assert_ne!(answer.status, 429, "{number}");
    }
    for path in [
        "/search",
        "/search/",
        "/_data/search",
        "/search/suggest",
        "/_data/address-map",
    ] {
        let answer = other_guest.get(&format!("{path}?q=qwxz")).await;
        assert_eq!(answer.status, 429, "{path}");
        assert!(answer.header("retry-after").parse::<u32>().is_ok());
    }
    // What is only read is not counted.
    for path in ["/search", "/filials", "/"] {
        assert_eq!(other_guest.get(path).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn changes_without_a_session_leave_room_for_guests_who_have_one() {
    let product = Product::with(&["--address-mutations-per-minute", "60"]).await;
    let known = product.guest_at_table(VENUE, "t7").await;
    let fields = [("service", "express"), ("back", "/")];
    let change = async |guest: Guest| guest.post("/session/service", &fields).await.status;
    let mut refused = false;
    for _ in 0..60 {
        refused |= change(product.guest()).await == 429;
    }
    assert!(refused, "nobody may fill the address without a session");
    assert_eq!(change(known).await, 303);
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

/// Each asks the upstream many times, made-up numbers too.
#[tokio::test]
async fn an_address_that_looks_up_without_end_waits_and_guests_see_what_is_theirs() {
    let product = Product::with(&["--address-lookups-per-minute", "12"]).await;
    let (guest, seen) = ready_to_order(&product).await;
    let own = press(&guest, &seen).await.location();
    let (known, _) = ready_to_order(&product).await;
    account::sign_in(&product, &known).await;
    let seen = order_fields(&known.get("/cart").await.data());
    let theirs = press(&known, &seen).await.location();
    let script = product.guest();
    let bill = |table: u32| format!("/filials/{VENUE}/bill?filial_id={VENUE}&table_id={table}");
    for number in 0..4 {
        for path in [
            format!("/search?q=qwxz{number}"),
            format!("/filials/{VENUE}/order/99{number}"),
            bill(9000 + number),
        ] {
            let answer = script.get(&path).await;
            assert_ne!(answer.status, 429, "{path}");
        }
    }
    // One more is allowed every five seconds.
    let refused = async |path: &str| {
        for _ in 0..20 {
            product.forget_log().await;
            let answer = script.get(path).await;
            if answer.status == 429 {
                return (answer, product.told("log").await);
            }
        }
        panic!("{path} is not refused");
    };
    for path in [
        "/search?q=qwxz&lang=en",
        "/search/?q=qwxz&lang=en",
        "/_data/search?q=qwxz",
        &format!("/filials/{VENUE}/order/990"),
        &format!("/_data/filials/{VENUE}/order/990"),
        &format!("/filials/{VENUE}/order/990/events"),
        &bill(9000),
        &bill(9000).replace("bill?", "bill/events?"),
        &format!("/filials/{VENUE}/search?q=4870001000015"),
    ] {
        let counted = product.number("rate_limited_total", "").await;
        let (answer, log) = refused(path).await;
        assert!(answer.header("retry-after").parse::<u32>().unwrap() >= 1);
        let now = product.number("rate_limited_total", "").await;
        assert_eq!(now, counted + 1, "{path}");
        let kept = answer.header("cache-control");
        assert!(
            ["no-store", "private, no-cache"].contains(&kept),
            "{path}: {kept}"
        );
        if path.ends_with("lang=en") {
            assert!(answer.text().contains(r#"<html lang="en""#), "{path}");
        }
        let asked = log.iter().filter_map(|call| call["path"].as_str());
        let dear = ["search", "order", "bill", "barcode"];
        let dear: Vec<_> = asked
            .filter(|path| dear.iter().any(|one| path.contains(one)))
            .collect();
        assert!(dear.is_empty(), "{path}: {dear:?}");
    }
    // The orders that were placed here, signed in or not, and the bill of the guest's own table.
    assert_eq!(guest.get(&own).await.status, 200);
    assert_eq!(known.get(&theirs).await.status, 200, "{theirs}");
    let bill = guest.get(&format!("/filials/{VENUE}/bill")).await;
    assert_ne!(bill.status, 429);
    assert_eq!(script.get("/search").await.status, 200);
}

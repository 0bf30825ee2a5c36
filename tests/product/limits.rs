//! What one address may do, however many sessions it begins (S-20).

use std::time::Duration;

use reqwest::Method;
use serde_json::json;

use crate::{
    account,
    orders::{press, ready_to_order},
    search::{booking_page, form, free},
    sign_in::{begin, confirm, sign_in, track_of},
    support::{Guest, Product, VENUE, eventually, order_fields, plain_products, table_link},
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
    assert_eq!(product.sandbox_get("orders").await.len(), 1);
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
    assert_eq!(product.sandbox_get("orders").await.len(), 1);
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
        // On a slow machine one more is let in meanwhile.
        let mut answer = other_guest.get(&format!("{path}?q=qwxz")).await;
        for _ in 0..3 {
            if answer.status != 429 {
                answer = other_guest.get(&format!("{path}?q=qwxz")).await;
            }
        }
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

/// Which sessions there are: those that live as long as usual, and those that end after an hour.
fn sessions(product: &Product) -> (u32, u32) {
    let state = rusqlite::Connection::open(product.folder.join("state.sqlite")).unwrap();
    state.busy_timeout(Duration::from_secs(5)).unwrap();
    let count = |is: &str| -> u32 {
        let query = format!("SELECT count(*) FROM sessions WHERE idle_until - touched_at {is}");
        state.query_row(&query, [], |row| row.get(0)).unwrap()
    };
    (count("> 86400000"), count("<= 3600000"))
}

/// Follows the link of a table, each time as somebody new, until the address is given no session any more.
async fn flood(product: &Product) -> u32 {
    for links in 1..=120 {
        let guest = product.guest_at_table(VENUE, "t7").await;
        if guest.cookie("dk").is_none() {
            return links;
        }
    }
    panic!("sessions are for the asking");
}

const SHARED: [&str; 4] = [
    "--address-sessions-per-minute",
    "3",
    "--address-mutations-per-minute",
    "20",
];

/// A café's guests and a carrier's customers share an address with strangers.
#[tokio::test]
async fn who_begins_sessions_without_end_keeps_nobody_of_the_address_from_ordering_or_signing_in() {
    let product = Product::with(&SHARED).await;
    let links = flood(&product).await;
    let (usual, short_lived) = sessions(&product);
    assert!(usual >= 3 && short_lived >= 1, "{usual}, {short_lived}");
    assert!(usual + short_lived < links);
    let told = product.number("sessions_short_lived_total", "").await;
    assert_eq!(told, u64::from(short_lived));

    // The app around the page signs its guest in, who has no session yet.
    let track = track_of(&product, "+77010000077").await;
    let silent = product.guest();
    let fields = [("track_id", track.as_str()), ("back", "/")];
    let answer = silent.post_json("/session/track", &fields).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert!(sessions(&product).0 > usual, "who has signed in stays");
    let usual = sessions(&product).0;

    let newcomer = product.guest_at_table(VENUE, "t5").await;
    let menu = newcomer.get(&table_link(VENUE, "t5")).await;
    assert_eq!(menu.data()["shell"]["table"]["number"], "5");
    let dish = plain_products(&menu.data())[0].0;
    assert_eq!(newcomer.add(VENUE, dish).await.status, 303);
    let cart = newcomer.get("/cart").await.data();
    assert_eq!(cart["shell"]["cart"]["count"], 1);

    let known = product.guest();
    let away = known.get("/profile").await;
    assert_eq!(away.status, 303);
    assert!(known.cookie("dk").is_some(), "{}", away.location());
    sign_in(&product, &newcomer, "/cart").await;
    let cart = newcomer.get("/cart").await.data();
    assert_eq!(cart["shell"]["cart"]["count"], 1);
    assert!(sessions(&product).0 > usual, "who has signed in stays");
}

/// The same by forms: they share what an address may change without a session, which is counted before.
#[tokio::test]
async fn sessions_that_are_begun_by_changes_are_bounded_and_a_known_guest_goes_on() {
    let product = Product::with(&SHARED).await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let menu = guest.get(&format!("/filials/{VENUE}")).await;
    let dish = plain_products(&menu.data())[0].0;
    let mut refused = None;
    for _ in 0..60 {
        let answer = product.guest().add(VENUE, dish).await;
        if answer.status == 429 {
            refused = Some(answer);
            break;
        }
    }
    let refused = refused.expect("sessions are for the asking");
    assert!(refused.header("retry-after").parse::<u32>().unwrap() >= 1);
    assert_eq!(guest.add(VENUE, dish).await.status, 303);
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
    // One is the venue that nobody has opened yet.
    let product = Product::with(&["--address-lookups-per-minute", "13"]).await;
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
                return (answer, product.sandbox_get("log").await);
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

/// Numbers are made up as easily as sessions, and each is asked for.
#[tokio::test]
async fn an_address_that_makes_up_venues_waits_and_a_printed_code_opens_its_menu() {
    let product = Product::with(&["--address-lookups-per-minute", "8"]).await;
    let script = product.guest();
    let asked = async |number: &str| {
        let log = product.sandbox_get("log").await;
        let paths = log.iter().filter_map(|call| call["path"].as_str());
        paths.filter(|path| path.ends_with(number)).count()
    };
    let mut made_up = 880_000_u64;
    let mut refused = async |path: fn(u64) -> String| {
        for _ in 0..40 {
            made_up += 1;
            let answer = script.get(&path(made_up)).await;
            if answer.status == 429 {
                assert!(answer.header("retry-after").parse::<u32>().unwrap() >= 1);
                let number = made_up.to_string();
                assert_eq!(asked(&number).await, 0, "{}", path(made_up));
                return;
            }
            assert!([404, 200].contains(&answer.status), "{}", answer.status);
        }
        panic!("{} is not refused", path(made_up));
    };
    refused(|number| format!("/filials/{number}")).await;
    refused(|number| format!("/filials/{number}/")).await;
    refused(|number| format!("/_data/filials/{number}")).await;
    refused(|number| format!("/filials/{number}?filial_id={number}&table_id=7&main_terminal_id=1"))
        .await;
    refused(|number| format!("/filials/{number}/details")).await;
    refused(|number| format!("/filials/{number}/reviews")).await;
    refused(|number| format!("/filials/{number}/search")).await;
    refused(|number| format!("/filials/{number}/fridge")).await;
    refused(|number| format!("/filials/{number}/barcode-manual")).await;
    refused(|number| format!("/filials/{number}/events")).await;
    refused(|number| format!("/brands/booking?filial={number}")).await;
    // The map does without the venue.
    product.forget_log().await;
    let mut known = 0;
    for number in 890_000..890_008 {
        assert_eq!(
            script.get(&format!("/map?venue={number}")).await.status,
            200
        );
        known += usize::from(asked(&number.to_string()).await > 0);
    }
    assert!(known < 8, "{known}");

    // None of these has been opened here before.
    for (venue, table) in [(VENUE, "t7"), (1011, "t1"), (2033, "t1")] {
        let page = product.guest().get(&table_link(venue, table)).await;
        assert_ne!(page.status, 429, "{venue}");
        assert_ne!(page.status, 404, "{venue}");
    }
    let menu = product.guest_at_table(VENUE, "t5").await;
    let menu = menu.get(&format!("/filials/{VENUE}?lang=en")).await;
    assert_eq!(menu.status, 200);
}

#[tokio::test]
async fn a_number_that_no_venue_has_is_asked_for_once_in_a_while() {
    let product = Product::start().await;
    for page in ["", "/details", "/reviews", "/search"] {
        let path = format!("/filials/999998{page}");
        assert_eq!(product.guest().get(&path).await.status, 404, "{path}");
    }
    let card = "/takeaway/locations/card/terminal/999998";
    assert_eq!(product.queries(card).await.len(), 1);
}

/// Who shares a link can't help what else comes from the address of whoever opens it.
#[tokio::test]
async fn a_shared_order_and_the_bill_of_a_table_open_behind_an_address_that_makes_numbers_up() {
    let product = Product::with(&["--address-lookups-per-minute", "8"]).await;
    let (guest, seen) = ready_to_order(&product).await;
    let own = press(&guest, &seen).await.location();
    assert_eq!(guest.get(&own).await.status, 200);
    let shared = own.split_once('?').map_or(&*own, |(path, _)| path);
    let script = product.guest();
    let link = table_link(VENUE, "t5");
    let bill = format!("/filials/{VENUE}/bill?{}", link.split_once('?').unwrap().1);
    let mut made_up = 0;
    let mut refused = async |path: fn(u32) -> String| {
        for _ in 0..40 {
            made_up += 1;
            if script.get(&path(made_up)).await.status == 429 {
                return;
            }
        }
        panic!("{} is not refused", path(made_up));
    };
    refused(|number| format!("/filials/{VENUE}/order/77{number}")).await;
    let page = product.guest().get(shared).await;
    assert_eq!(page.status, 200, "{shared}");
    refused(|number| format!("/filials/{VENUE}/bill?filial_id={VENUE}&table_id=x{number}")).await;
    assert_eq!(product.guest().get(&bill).await.status, 429);
    // Its code was scanned by somebody. There is no bill yet, which its page says.
    product.guest_at_table(VENUE, "t5").await;
    for path in [&bill, &format!("/_data{bill}")] {
        assert_eq!(product.guest().get(path).await.status, 404, "{path}");
    }
}

/// The sign-in page of the upstream is asked nothing by taps into carts.
#[tokio::test]
async fn changes_without_end_keep_nobody_of_the_address_from_signing_in() {
    let product = Product::with(&["--address-mutations-per-minute", "24"]).await;
    let begun = product.guest();
    let page = begin(&begun, "/profile").await;
    let back = confirm(&product, &page).await;
    let known = product.guest_at_table(VENUE, "t7").await;
    let fields = [("service", "express"), ("back", "/")];
    let flood = async |guest: &Guest| {
        for _ in 0..60 {
            if guest.post("/session/service", &fields).await.status == 429 {
                return;
            }
        }
        panic!("changes are for the asking");
    };
    let other = product.guest();
    flood(&other).await;
    flood(&known).await;
    assert_eq!(begun.get(&back).await.location(), "/profile");
    let newcomer = product.guest();
    sign_in(&product, &newcomer, "/profile").await;
    assert_eq!(newcomer.get("/profile").await.status, 200);
}

/// Guests who are at the sign-in page already come back to a room whose address somebody keeps busy.
#[tokio::test]
async fn sign_ins_that_are_begun_without_end_keep_no_other_from_being_ended() {
    let product = Product::with(&SHARED).await;
    let begun = product.guest();
    let page = begin(&begun, "/profile").await;
    let back = confirm(&product, &page).await;
    let seated = product.guest_at_table(VENUE, "t7").await;
    let other = product.guest_at_table(VENUE, "t5").await;
    let flood = async |known: Option<&Guest>| {
        for _ in 0..60 {
            let newcomer = product.guest();
            let guest = known.unwrap_or(&newcomer);
            if guest.get("/profile").await.status == 429 {
                return;
            }
        }
        panic!("sign-ins are for the asking");
    };
    flood(None).await;
    // Without a session no more are begun, with one they are.
    let page = begin(&seated, "/profile").await;
    let seated_back = confirm(&product, &page).await;
    flood(Some(&other)).await;
    for (guest, back) in [(begun, back), (seated, seated_back)] {
        assert_eq!(guest.get(&back).await.location(), "/profile");
        assert_eq!(guest.get("/profile").await.status, 200);
    }
}

/// Numbers are no searches, and whoever is signed in searches by the account.
#[tokio::test]
async fn what_others_look_up_without_end_takes_no_search_from_a_guest() {
    let product = Product::with(&["--address-lookups-per-minute", "8"]).await;
    let known = [product.guest(), product.guest()];
    for guest in &known {
        sign_in(&product, guest, "/").await;
    }
    let script = product.guest();
    let refused = async |guest: &Guest, path: &dyn Fn(u32) -> String| {
        for number in 0..40 {
            if guest.get(&path(number)).await.status == 429 {
                return;
            }
        }
        panic!("{} is not refused", path(0));
    };
    refused(&script, &|number| {
        format!("/filials/{VENUE}/order/77{number}")
    })
    .await;
    let search = |number| format!("/search?q=plov{number}");
    assert_eq!(product.guest().get(&search(0)).await.status, 200);
    refused(&script, &search).await;
    assert_eq!(known[0].get(&search(0)).await.status, 200);
    // One account, however many sessions it has.
    refused(&known[0], &search).await;
    assert_eq!(known[1].get(&search(0)).await.status, 429);
}

/// A text that finds nothing is asked for in many spellings.
#[tokio::test]
async fn made_up_texts_are_not_guessed_at_without_end() {
    // One guess a minute.
    let product = Product::with(&["--address-lookups-per-minute", "8"]).await;
    let script = product.guest();
    let mut calls = Vec::new();
    for number in 0..5 {
        product.forget_log().await;
        let page = script.get(&format!("/search?q=qwxz{number}")).await;
        assert_eq!(page.status, 200);
        calls.push(product.queries("/menu/v3/search/products").await.len());
    }
    assert!(calls[0] > 3, "{calls:?}");
    assert!(calls.contains(&1), "{calls:?}");
}

/// Of all addresses together, while the upstream is slow.
#[tokio::test]
async fn searches_that_hang_are_bounded_and_menus_come() {
    let product = Product::start().await;
    let hangs = json!({ "path": "/menu/v3/search/products", "kind": "hang" });
    product.control("faults", hangs).await;
    let product = &product;
    eventually(120, async || {
        let searches = (0..64).map(async |number| {
            let path = format!("/_data/search?q=qwxz{number}");
            let answer = product.guest().get(&path).await;
            assert_eq!(answer.status, 503);
            usize::from(answer.text().contains(r#""failed":true"#))
        });
        let menu = async {
            let menu = product.guest().get(&format!("/filials/{VENUE}")).await;
            assert_eq!(menu.status, 200);
        };
        let searches = futures_util::future::join_all(searches);
        let (failed, ()) = tokio::join!(searches, menu);
        let refused = product.number("admission_refused_total", "search").await;
        assert!(refused == 0 || failed.iter().sum::<usize>() > 0);
        (refused > 0).then_some(())
    })
    .await;
    // Their places are free again.
    product.no_faults().await;
    eventually(60, async || {
        let page = product.guest().get("/search?q=burger&lang=en").await;
        (page.status == 200).then_some(())
    })
    .await;
}

/// A tap that comes to nothing leaves nothing to keep for three months.
#[tokio::test]
async fn a_session_whose_first_change_is_refused_ends_soon_until_something_is_kept() {
    let product = Product::start().await;
    let menu = product.guest().get(&format!("/filials/{VENUE}")).await;
    let dish = plain_products(&menu.data())[0].0;
    assert_eq!(sessions(&product), (0, 0));
    let guest = product.guest();
    guest.add(VENUE, 999_999).await;
    assert_eq!(sessions(&product), (0, 1));
    // A script is told at once, so nothing has to be kept for the next page.
    let other = product.guest();
    let product_id = 999_999.to_string();
    let venue = VENUE.to_string();
    let fields = [
        ("filial", &*venue),
        ("product", &*product_id),
        ("back", "/"),
    ];
    assert_eq!(other.post_json("/cart/lines", &fields).await.status, 422);
    assert_eq!(sessions(&product), (0, 1));
    // What is sent again with the cookie that it begins.
    let ordering = product.guest();
    ordering.post_json("/orders", &[]).await;
    assert_eq!(sessions(&product), (0, 2));
    // The page that tells of it keeps nothing, either.
    guest.get(&format!("/filials/{VENUE}")).await;
    assert_eq!(sessions(&product), (0, 2));
    assert_eq!(guest.add(VENUE, dish).await.status, 303);
    assert_eq!(sessions(&product), (1, 1));
    assert_eq!(guest.get("/cart").await.data()["shell"]["cart"]["count"], 1);
    assert_eq!(product.number("sessions_short_lived_total", "").await, 0);
}

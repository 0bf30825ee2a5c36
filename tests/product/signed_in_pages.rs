//! What the pages of a signed-in guest ask the upstream for, and that each comes while any of it hangs.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::{
    addresses::save_an_address,
    bill::{href, opened},
    sign_in::{MENU, at_table_with_a_dish, sign_in},
    support::{Guest, Product, VENUE},
};

const FORM: &str = "/profile/form";
const USER: &str = "/api/v3/user";

/// Each page with what it asks for beyond what is the same for everybody, which is in memory.
const PAGES: [(&str, &[&str]); 7] = [
    (
        "/",
        &["/smart-lock/v1/sessions", "/takeaway/v2/user/orders"],
    ),
    (
        "/orders",
        &[
            "/balance/user",
            // The tables that the person has booked, and those of the device before the sign-in.
            "/booking/v1/bookings",
            "/booking/v1/bookings",
            "/takeaway/v2/user/orders",
        ],
    ),
    (
        MENU,
        &[
            "/balance/user",
            "/menu-promos/api/v2/promos",
            "/menu/v3/favourite/products",
            "/takeaway/v1/filial/1013/products/frequent/",
        ],
    ),
    (
        "/cart",
        &[
            USER,
            "/balance/user",
            "/menu-promos/v1/coupons",
            "/menu-promos/v1/gifts",
            "/menu/v2/stop_list/order_items/check",
            "/private-reward/api/v1/balance",
            "/takeaway/order/cooking_time",
        ],
    ),
    (
        "/profile",
        &[
            USER,
            "/balance/user",
            "/profile/api/v1/address",
            "/profile/api/v1/profile",
        ],
    ),
    (FORM, &[USER]),
    ("/addresses?back=%2Fcart", &["/profile/api/v1/address"]),
];

/// At a table with a dish and an address. What everybody sees is in memory, and stays there for the test.
async fn world() -> (Product, Guest) {
    let product = Product::with(&["--catalogue-fresh-ms", "3600000"]).await;
    let guest = at_table_with_a_dish(&product).await;
    sign_in(&product, &guest, "/faq").await;
    save_an_address(&guest).await;
    for (page, _) in PAGES {
        assert_eq!(guest.get(page).await.status, 200, "{page}");
    }
    (product, guest)
}

#[tokio::test]
async fn a_page_of_a_signed_in_guest_asks_for_what_it_shows_and_for_each_once() {
    let (product, guest) = world().await;
    for (page, expected) in PAGES {
        product.forget_log().await;
        assert_eq!(guest.get(page).await.status, 200, "{page}");
        let log = product.sandbox_get("log").await;
        let path = |call: &serde_json::Value| call["path"].as_str().unwrap().to_owned();
        let mut calls: Vec<String> = log.iter().map(path).collect();
        calls.sort();
        assert_eq!(calls, expected, "{page}");
    }
}

#[tokio::test]
async fn each_page_of_a_signed_in_guest_comes_while_any_call_hangs() {
    let (product, guest) = world().await;
    for (page, calls) in PAGES {
        for call in calls {
            let hang = json!({ "path": call, "kind": "hang" });
            product.control("faults", hang).await;
            let answer = guest.get(page).await;
            // A form of somebody is not shown empty: it alone needs its answer (PR-10). A list without its orders says
            // so itself.
            let is_needed = page == FORM;
            let is_empty = page == "/orders" && call.ends_with("/orders");
            assert_eq!(
                answer.status,
                if is_needed || is_empty { 503 } else { 200 },
                "{page} {call}"
            );
            let data = answer.data();
            assert_eq!(data["page"]["route"] == "error", is_needed, "{page} {call}");
            if page == "/orders" {
                assert_eq!(data["page"]["data"]["failed"], is_empty, "{call}");
            }
            // What else it shows is there.
            if page == "/cart" || page == MENU {
                assert_eq!(data["shell"]["cart"]["count"], 1, "{page} {call}");
            }
            if page == MENU {
                assert_eq!(data["page"]["data"]["failed"], false, "{call}");
            }
            product.no_faults().await;
        }
    }
}

/// Calls that follow from each other had their times one after another: the cart and the form of a booking took 3.6 s.
#[tokio::test]
async fn no_page_of_a_signed_in_guest_takes_longer_than_a_page_may_while_everything_hangs() {
    /// What a page may take, and what a busy machine may add.
    const LONGEST: Duration = Duration::from_millis(2500 + 700);
    let (product, guest) = world().await;
    opened(&product, &[1]).await;
    let pages = [
        "/cart".to_owned(),
        format!("/brands/booking?filial={VENUE}"),
        "/profile".to_owned(),
        "/orders".to_owned(),
        href(),
    ];
    for page in &pages {
        assert_eq!(guest.get(page).await.status, 200, "{page}");
    }
    for page in &pages {
        let hang = json!({ "path": "*", "kind": "hang" });
        product.control("faults", hang).await;
        let mut shortest = Duration::MAX;
        // Of a page that was in time once it is the machine that is slow.
        for _ in 0..2 {
            let begun = Instant::now();
            let answer = guest.get(page).await;
            shortest = shortest.min(begun.elapsed());
            assert!(matches!(answer.status, 200 | 503), "{page}");
            assert_eq!(answer.data()["shell"]["cart"]["count"], 1, "{page}");
            if shortest < LONGEST {
                break;
            }
        }
        assert!(shortest < LONGEST, "{page}: {shortest:?}");
        product.no_faults().await;
    }
}

/// What a page can do without costs it 0.6 s at most, what it needs 1.5 s.
#[tokio::test]
async fn bonuses_and_own_tables_that_hang_hold_up_no_page_that_can_do_without() {
    let (product, guest) = world().await;
    let booking = format!("/brands/booking?filial={VENUE}");
    for (page, call) in [
        ("/cart", "/private-reward/api/v1/balance"),
        (booking.as_str(), "/booking/v1/bookings"),
    ] {
        assert_eq!(guest.get(page).await.status, 200, "{page}");
        let hang = json!({ "path": call, "kind": "hang" });
        product.control("faults", hang).await;
        let mut shortest = Duration::MAX;
        for _ in 0..3 {
            let begun = Instant::now();
            assert_eq!(guest.get(page).await.status, 200, "{page}");
            shortest = shortest.min(begun.elapsed());
        }
        assert!(
            shortest < Duration::from_millis(1300),
            "{page}: {shortest:?}"
        );
        product.no_faults().await;
    }
}

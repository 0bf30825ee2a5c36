//! What is asked of the upstream again, and when (HM-06, HM-07).

use std::time::Duration;

use serde_json::json;

use crate::support::{Guest, Product, VENUE, eventually, plain_products};

/// Longer than what was asked a moment ago stays good.
const A_MOMENT: Duration = Duration::from_millis(3200);
const RELOAD: [(&str, &str); 2] = [("cache-control", "max-age=0"), ("accept", "text/html")];

/// Which of a venue's three calls were made since the last look.
async fn calls_since(product: &Product) -> Vec<&'static str> {
    let log = product.sandbox_get("log").await;
    product.forget_log().await;
    [
        ("card", "/takeaway/locations/card/terminal/"),
        ("menu", "/menu/v2/category/products"),
        ("banner", "/takeaway/v2/filial/settings/banner/info/"),
    ]
    .into_iter()
    .filter(|(_, path)| {
        log.iter()
            .any(|call| call["path"].as_str().unwrap().starts_with(path))
    })
    .map(|(name, _)| name)
    .collect()
}

async fn price(guest: &Guest, dish: u64, headers: &[(&str, &str)]) -> i64 {
    let page = guest.get_with(&format!("/filials/{VENUE}"), headers).await;
    let all = plain_products(&page.data());
    all.into_iter().find(|(id, _)| *id == dish).unwrap().1
}

#[tokio::test]
async fn of_the_venue_that_a_guest_comes_back_to_only_the_banner_is_asked_for() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let menu = format!("/filials/{VENUE}");
    product.forget_log().await;
    guest.get(&menu).await;
    assert!(
        calls_since(&product).await.is_empty(),
        "that was a moment ago"
    );
    tokio::time::sleep(A_MOMENT).await;
    guest.data(&menu).await;
    assert_eq!(calls_since(&product).await, ["banner"]);
    // Another venue is asked for whole, and then this one is the recent one.
    guest.get("/filials/1023").await;
    assert_eq!(calls_since(&product).await, ["card", "menu", "banner"]);
    guest.get(&menu).await;
    assert!(
        !calls_since(&product).await.contains(&"menu"),
        "the terminal's menu is kept"
    );
}

#[tokio::test]
async fn a_banner_that_changes_is_seen_at_the_next_visit_and_a_late_one_holds_no_page_up() {
    let product = Product::start().await;
    let guest = product.guest_at_table(1223, "t1").await;
    let banner = async || guest.data("/filials/1223").await["page"]["data"]["banner"].clone();
    let told = banner().await;
    assert!(told.is_object());
    let path = "/takeaway/v2/filial/settings/banner";
    product
        .replace(path, json!({ "/data/message": "Басқа сөз" }))
        .await;
    tokio::time::sleep(A_MOMENT).await;
    let changed = banner().await;
    assert_eq!(changed["message"], "Басқа сөз", "the one of now");
    product
        .control(
            "faults",
            json!({ "path": path, "kind": "delay", "delay_ms": 30_000 }),
        )
        .await;
    tokio::time::sleep(A_MOMENT).await;
    let began = std::time::Instant::now();
    assert_eq!(banner().await, changed, "the last good one");
    // Half of what it would wait, however slow the machine is.
    assert!(began.elapsed() < Duration::from_secs(15));
}

#[tokio::test]
async fn a_reload_asks_for_everything_anew_but_no_more_often_than_every_three_seconds() {
    let product = Product::start().await;
    for guest in [product.guest_at_table(VENUE, "t7").await, product.guest()] {
        let page = guest.get(&format!("/filials/{VENUE}")).await.data();
        let (dish, before) = plain_products(&page)[0];
        let new = before / 100 + 100;
        product.set_price(VENUE, dish, new).await;
        product.forget_log().await;
        tokio::time::sleep(A_MOMENT).await;
        assert_eq!(price(&guest, dish, &[]).await, before, "the menu is kept");
        assert!(!calls_since(&product).await.contains(&"menu"));
        // A page is kept from its second request on: that was a moment ago.
        tokio::time::sleep(A_MOMENT).await;
        let named = [
            ("cache-control", "no-cache"),
            ("accept", "application/json"),
        ];
        guest
            .get_with(&format!("/_data/filials/{VENUE}"), &named)
            .await;
        assert!(
            !calls_since(&product).await.contains(&"menu"),
            "a navigation is no reload"
        );

        assert_eq!(price(&guest, dish, &RELOAD).await, new * 100);
        // The banner was asked for a moment ago, when the guest came back.
        assert_eq!(calls_since(&product).await[..2], ["card", "menu"]);
        for _ in 0..5 {
            assert_eq!(price(&guest, dish, &RELOAD).await, new * 100);
        }
        assert!(
            calls_since(&product).await.is_empty(),
            "that was a moment ago"
        );
    }
}

#[tokio::test]
async fn a_reload_while_the_upstream_is_down_shows_what_was_known() {
    let product = Product::start().await;
    for guest in [product.guest_at_table(VENUE, "t7").await, product.guest()] {
        let menu = format!("/filials/{VENUE}");
        let known = plain_products(&guest.get(&menu).await.data());
        tokio::time::sleep(A_MOMENT).await;
        product
            .control("faults", json!({ "path": "*", "kind": "reset" }))
            .await;
        let page = guest.get_with(&menu, &RELOAD).await;
        product.no_faults().await;
        assert_eq!(page.status, 200);
        assert_eq!(plain_products(&page.data()), known);
    }
}

/// When the page was made, for a visitor of whom nothing is known: no cookie, no session.
async fn made(product: &Product, path: &str) -> i64 {
    let page = product.guest().get(path).await;
    assert_eq!(page.status, 200, "{path}");
    page.data()["shell"]["now"].as_i64().unwrap()
}

#[tokio::test]
async fn a_cached_page_is_made_anew_when_it_is_requested_stale() {
    let product = Product::with(&["--page-fresh-ms", "300"]).await;
    for path in [
        "/",
        "/faq",
        &format!("/filials/{VENUE}"),
        &format!("/filials/{VENUE}?lang=en"),
    ] {
        // It is kept once it was asked for again.
        for _ in 0..3 {
            made(&product, path).await;
        }
        for _ in 0..2 {
            let before = made(&product, path).await;
            eventually(10, async || {
                (made(&product, path).await > before + 300).then_some(())
            })
            .await;
        }
    }
}

#[tokio::test]
async fn a_page_that_can_be_made_of_older_answers_is_newer_than_one_that_was_kept_too_long() {
    let product = Product::with(&["--catalogue-fresh-ms", "1000"]).await;
    let menu = format!("/filials/{VENUE}");
    for _ in 0..3 {
        made(&product, &menu).await;
    }
    let before = made(&product, &menu).await;
    tokio::time::sleep(A_MOMENT).await;
    product
        .control("faults", json!({ "path": "*", "kind": "reset" }))
        .await;
    let page = product.guest().get_with(&menu, &RELOAD).await;
    product.no_faults().await;
    assert_eq!((page.status, page.header("x-stale")), (200, "1"));
    assert!(page.data()["shell"]["now"].as_i64().unwrap() > before);
}

//! Upstreams that fail and answer nonsense: typed errors, right statuses, pages in the guest's language.

use serde_json::json;

use crate::support::{Product, VENUE};

#[tokio::test]
async fn whatever_nonsense_the_upstream_answers_no_page_breaks() {
    let product = Product::with(&["--page-fresh-ms", "0", "--catalogue-fresh-ms", "1"]).await;
    for kind in ["html", "truncate", "wrong_type", "error_code", "reset"] {
        product
            .control(
                "faults",
                json!({ "path": "*", "kind": kind, "status": 500 }),
            )
            .await;
        for path in ["/", "/filials", "/filials/1023", "/cart", "/town"] {
            let page = product.guest().get(path).await;
            assert!(
                [200, 404, 503].contains(&page.status),
                "{kind} {path}: {}",
                page.status
            );
            assert!(!page.data()["page"]["route"].is_null(), "{kind} {path}");
        }
        product.no_faults().await;
    }
    assert!(!product.logs().contains("panicked"));
    // The breaker heals and pages are whole again.
    crate::support::eventually(30, || async {
        (product.guest().get("/filials/1033").await.status == 200).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_hanging_optional_call_costs_no_page() {
    let product = Product::start().await;
    for path in ["/menu/v3/favourite", "/takeaway/v2/filial/settings/banner"] {
        product
            .control("faults", json!({ "path": path, "kind": "hang" }))
            .await;
    }
    let page = product.guest().get(&format!("/filials/{VENUE}")).await;
    assert_eq!(page.status, 200);
    assert_eq!(page.data()["page"]["data"]["failed"], false);
}

#[tokio::test]
async fn a_catalogue_that_is_down_leaves_home_and_menu_marked_stale() {
    let arguments = ["--page-fresh-ms", "0", "--catalogue-fresh-ms", "3000"];
    let product = Product::with(&arguments).await;
    let pages = ["/".to_owned(), format!("/filials/{VENUE}")];
    for path in &pages {
        let page = product.guest().get(path).await;
        assert_eq!((page.status, page.header("x-stale")), (200, ""), "{path}");
    }
    tokio::time::sleep(std::time::Duration::from_millis(3100)).await;
    product.fail("*", 503).await;
    for _ in 0..5 {
        for path in &pages {
            let page = product.guest().get(path).await;
            assert_eq!((page.status, page.header("x-stale")), (200, "1"), "{path}");
            assert!(page.rendered().contains("<h1"), "{path}");
        }
    }
}

#[tokio::test]
async fn an_upstream_that_is_gone_is_a_503_in_the_guests_language() {
    let product = Product::start().await;
    product.fail("*", 503).await;
    for (lang, text) in [
        ("kk", "Қап! Серверде қате бар"),
        ("en", "Oops! An error occurred on the server"),
    ] {
        let page = product
            .guest()
            .get(&format!("/filials/{VENUE}?lang={lang}"))
            .await;
        assert_eq!(page.status, 503);
        assert_eq!(page.header("retry-after"), "5");
        assert!(page.rendered().contains(text), "{lang}");
        // One way on is the main one, and nobody is told of a cart who has none.
        let kept = ["Себетіңіз сақталды", "Your cart is kept"];
        assert!(!kept.iter().any(|words| page.rendered().contains(words)));
        assert_eq!(page.rendered().matches("class=\"button\"").count(), 1);
        assert_eq!(page.texts("main a.link[href='/']").len(), 1);
        assert!(page.text().contains(&format!("<html lang=\"{lang}\"")));
    }
}

#[tokio::test]
async fn the_plain_error_page_speaks_the_guests_language_and_needs_nothing() {
    let product = Product::with(&["--public-url", "http://shop.example.ge"]).await;
    let guest = product.guest();
    let large = guest
        .request(reqwest::Method::POST, "/cart/lines?lang=ka")
        .header("sec-fetch-site", "same-origin")
        .header("host", "shop.example.ge")
        .header("content-type", "text/xml")
        .body("x");
    let page = guest.send(large).await;
    assert_eq!(page.status, 415);
    assert!(page.text().contains("<html lang=\"ka\""));
    assert!(page.text().contains("href=\"/\""));
    let json = guest
        .request(reqwest::Method::POST, "/cart/lines")
        .header("accept", "application/json")
        .body("x");
    let answer = guest.send(json).await;
    assert_eq!(answer.status, 403);
    assert_eq!(answer.json()["error"], 403);
}

/// A script that asks for data can read an error of it, too.
#[tokio::test]
async fn errors_of_data_are_json_whatever_the_request_accepts() {
    let product = Product::start().await;
    let guest = product.guest();
    let long = format!("/_data/{}", "x".repeat(9000));
    for path in [
        "/_data/legal/notices",
        "/_data/nowhere",
        "/_data/%ff",
        "/_data/robots.txt",
        "/_data/filials/999999",
        &long,
    ] {
        for accept in [None, Some("text/html"), Some("*/*")] {
            let headers: Vec<_> = accept
                .map(|accept| ("accept", accept))
                .into_iter()
                .collect();
            let answer = guest.get_with(path, &headers).await;
            assert!(
                (400..500).contains(&answer.status),
                "{path}: {}",
                answer.status
            );
            let kind = answer.header("content-type");
            assert!(
                kind.starts_with("application/json"),
                "{path} {accept:?}: {kind}"
            );
            answer.json();
        }
    }
    for method in [reqwest::Method::POST, reqwest::Method::DELETE] {
        let request = guest
            .request(method, "/_data/")
            .header("sec-fetch-site", "same-origin");
        let answer = guest.send(request).await;
        assert_eq!(answer.status, 405);
        answer.json();
    }
    // A page of a like name is a page.
    let page = guest.get("/_datax").await;
    assert_eq!(
        (page.status, page.data()["page"]["route"].clone()),
        (404, json!("notFound"))
    );
}

/// A script that navigates is told when to come again, as a browser is.
#[tokio::test]
async fn data_that_can_not_be_had_says_when_to_come_again() {
    let product = Product::with(&["--page-fresh-ms", "0"]).await;
    product.fail("*", 503).await;
    let guest = product.guest();
    for path in ["/filials/1033", "/_data/filials/1033"] {
        let answer = guest.get(path).await;
        assert_eq!(
            (answer.status, answer.header("retry-after")),
            (503, "5"),
            "{path}"
        );
    }
}

/// Nobody is signed in, so there is nothing to renew: it is a fault, and alerts see one.
#[tokio::test]
async fn a_401_where_no_guest_is_signed_in_is_a_fault_of_the_upstream() {
    let product = Product::with(&["--page-fresh-ms", "0", "--catalogue-fresh-ms", "1"]).await;
    let guest = product.guest();
    assert_eq!(guest.get("/filials/1033").await.status, 200);
    product.fail("*", 401).await;
    let (menu, order) = (
        format!("/filials/{VENUE}"),
        format!("/filials/{VENUE}/order/o_1"),
    );
    let data = format!("/_data{menu}");
    for path in ["/brands", &menu, &data, &order] {
        let page = guest.get(path).await;
        assert_eq!(
            (page.status, page.header("retry-after")),
            (503, "5"),
            "{path}"
        );
    }
    let told = product.logged("GET /filials/{filial_id} answered 503");
    assert!(told.iter().any(|line| line.contains("WARN")), "{told:?}");
    // What it said before is better than nothing, also for who wants it anew.
    let before = guest
        .get_with("/filials/1033", &[("cache-control", "max-age=0")])
        .await;
    assert_eq!((before.status, before.header("x-stale")), (200, "1"));
}

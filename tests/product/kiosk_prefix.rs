//! The addresses of a tablet: all of them begin with `/kiosk`, nobody else's do (RT-20, KS-01).

use reqwest::Method;
use scraper::{Html, Selector};
use serde_json::json;
use url::Url;

use crate::support::{Guest, Product, VENUE, plain_products, table_link};

const TABLET: &str = "/kiosk/filials/1043?source=TABLET";

async fn tablet(product: &Product) -> Guest {
    let guest = product.guest();
    assert_eq!(guest.get(TABLET).await.status, 200);
    guest
}

/// Values of an attribute in a document, those that are paths of ours.
pub fn own_paths(html: &str, selector: &str, attribute: &str) -> Vec<String> {
    Html::parse_document(html)
        .select(&Selector::parse(selector).unwrap())
        .filter_map(|element| element.attr(attribute))
        .filter(|value| value.starts_with('/'))
        .map(str::to_owned)
        .collect()
}

#[tokio::test]
async fn links_forms_and_the_canonical_address_of_a_tablet_have_the_prefix_once() {
    let product = Product::start().await;
    let guest = tablet(&product).await;
    let menu = guest.get(TABLET).await.data();
    guest.add(1043, plain_products(&menu)[0].0).await;
    let mut forms = 0;
    for path in [
        TABLET,
        "/kiosk/cart",
        "/kiosk/faq",
        "/kiosk/filials/1043/details",
        "/kiosk/filials/1043/search?q=a",
        "/kiosk/language?back=/kiosk/faq",
        "/kiosk/nowhere",
    ] {
        let page = guest.get(path).await.text();
        let links = own_paths(&page, "a", "href");
        let actions = own_paths(&page, "form", "action");
        assert!(!links.is_empty(), "{path}");
        forms += actions.len();
        for address in links.iter().chain(&actions) {
            let rest = address.strip_prefix("/kiosk/");
            assert!(
                rest.is_some_and(|rest| !rest.starts_with("kiosk/")),
                "{path}: {address}"
            );
        }
        // Files are no pages.
        let files = own_paths(&page, "link[rel=modulepreload]", "href");
        assert!(files.iter().all(|file| file.starts_with("/assets/")));
    }
    assert!(forms > 10, "{forms}");
    for (path, own) in [(TABLET, "/filials/1043"), ("/kiosk/faq", "/faq")] {
        let page = Html::parse_document(&guest.get(path).await.text());
        let found = |selector: &str, name: &str| {
            let selector = Selector::parse(selector).unwrap();
            let values = page
                .select(&selector)
                .filter_map(|one| one.attr(name))
                .map(str::to_owned);
            values.collect::<Vec<_>>()
        };
        let canonical = found("link[rel=canonical]", "href");
        assert_eq!(canonical, [format!("{}/kiosk{own}", product.web)]);
        assert_eq!(found("meta[name=robots]", "content"), ["noindex"]);
        assert!(found("link[rel=alternate]", "href").is_empty());
    }
}

#[tokio::test]
async fn redirects_of_a_tablet_keep_the_prefix_and_the_whole_query() {
    let product = Product::start().await;
    // Who sets it up may leave the prefix out.
    let guest = product.guest();
    let link = format!("{}&source=TABLET", table_link(1043, "t3"));
    let first = guest.get(&link).await;
    assert_eq!(
        (first.status, first.location()),
        (303, format!("/kiosk{link}"))
    );
    assert_eq!(guest.get(&first.location()).await.status, 200);
    let stray = guest.get("/filials/1043?item=1&x=%2F%2Fe&x=2").await;
    assert_eq!(stray.status, 303);
    assert_eq!(stray.location(), "/kiosk/filials/1043?item=1&x=%2F%2Fe&x=2");
    // The prefix alone is the front, which leads to the menu where the tablet rests.
    let front = guest.get("/kiosk").await.location();
    assert!(front.starts_with("/kiosk/session/still?"), "{front}");
    assert_eq!(guest.get(&front).await.location(), format!("/kiosk{link}"));
    // Of forms, with and without scripts.
    let usual = [("size", "usual"), ("back", "/filials/1043?item=1")];
    let posted = guest.post("/kiosk/session/text", &usual).await;
    assert_eq!(
        (posted.status, posted.location()),
        (303, "/kiosk/filials/1043?item=1".to_owned())
    );
    let twice = [("size", "usual"), ("back", "/kiosk/cart")];
    let posted = guest.post("/kiosk/session/text", &twice).await;
    assert_eq!(posted.location(), "/kiosk/cart");
    let wiped = guest.post_json("/kiosk/session/wipe", &[]).await.json();
    assert_eq!(wiped["redirect"], format!("/kiosk{link}"));
    // Slashes too many.
    let guest = tablet(&product).await;
    let collapsed = guest.get("/kiosk//filials//1043?u=//x").await;
    assert_eq!(collapsed.status, 308);
    assert_eq!(collapsed.location(), "/kiosk/filials/1043?u=//x");
    // Pages that lead on: as documents, and as the data of a navigation.
    let on = guest.get("/kiosk/consent?back=/cart").await;
    assert_eq!((on.status, on.location()), (303, "/kiosk/cart".to_owned()));
    let on = guest.data("/kiosk/consent?back=/cart").await;
    assert_eq!(on["redirect"], "/kiosk/cart");
    let data = guest.data("/kiosk/filials/1043").await;
    assert_eq!(data["page"]["route"], "menu");
    assert_eq!(data["shell"]["url"], "/filials/1043");
    assert_eq!(data, {
        let mut same = guest.data("/filials/1043").await;
        same["shell"]["now"] = data["shell"]["now"].clone();
        same
    });
}

#[tokio::test]
async fn only_a_tablet_has_the_prefix() {
    let product = Product::start().await;
    // What is kept for everybody is not kept under a second address.
    product.guest().get("/faq").await;
    let phone = product.guest();
    for path in ["/faq", "/filials/1043?item=1&x=//e", "/cart", "/nowhere"] {
        let led = phone.get(&format!("/kiosk{path}")).await;
        assert_eq!((led.status, led.location()), (303, path.to_owned()));
    }
    // A venue without a tablet makes none.
    let led = phone
        .get(&format!("/kiosk/filials/{VENUE}?source=TABLET"))
        .await;
    let plain = format!("/filials/{VENUE}?source=TABLET");
    assert_eq!((led.status, led.location()), (303, plain.clone()));
    let page = phone.get(&plain).await;
    assert_eq!(page.status, 200);
    assert!(!page.text().contains("/kiosk"));
    // Another site posts no more to it than to any other address.
    let attack = phone.request(Method::POST, "/kiosk/session/wipe");
    let attack = attack.header("sec-fetch-site", "cross-site");
    assert_eq!(phone.send(attack).await.status, 403);
    // Nor is there a page of that name.
    let guest = tablet(&product).await;
    assert_eq!(guest.get("/kiosk/kiosk/faq").await.status, 404);
}

#[tokio::test]
async fn an_error_without_a_page_leads_a_tablet_to_its_own_home() {
    let product = Product::start().await;
    let guest = tablet(&product).await;
    let posted = guest
        .request(Method::POST, "/kiosk/cart/lines")
        .header("sec-fetch-site", "same-origin")
        .header("content-type", "text/xml")
        .body("x");
    let page = guest.send(posted).await;
    assert_eq!(page.status, 415);
    assert_eq!(own_paths(&page.text(), "main a", "href"), ["/kiosk/"]);
}

#[tokio::test]
async fn no_address_behind_the_prefix_leads_to_another_site() {
    let product = Product::start().await;
    let own = Url::parse(&product.web).unwrap();
    for guest in [product.guest(), tablet(&product).await] {
        for path in [
            "/kiosk//evil.example",
            "/kiosk///evil.example/%2e%2e",
            "/kiosk/\\evil.example",
            "/kiosk/%2f%2fevil.example",
            "/kiosk/%5cevil.example",
            "/kiosk/..//evil.example",
            "/kiosk/kiosk//evil.example",
            "/kiosk/consent?back=//evil.example",
            "/kiosk/consent?back=https://evil.example",
            "/_data/kiosk//evil.example",
        ] {
            let answer = guest
                .send(
                    guest
                        .request(Method::GET, path)
                        .header("accept", "text/html"),
                )
                .await;
            let location = answer.location();
            if !location.is_empty() {
                let target = own.join(&location).unwrap();
                assert_eq!(target.origin(), own.origin(), "{path}: {location}");
            }
        }
    }
}

#[tokio::test]
async fn taps_before_the_app_count_on_a_tablet_too() {
    let product = Product::start().await;
    let guest = tablet(&product).await;
    let dish = plain_products(&guest.get(TABLET).await.data())[0].0;
    let body = format!("filial=1043&product={dish}&delta=1&m=1234567890123456789012");
    let queue = json!([{ "action": "/kiosk/cart/lines", "body": body }]).to_string();
    let fields = [("queue", &*queue), ("back", "/kiosk/filials/1043")];
    let posted = guest.post("/cart/mutations", &fields).await;
    assert_eq!(posted.location(), "/kiosk/filials/1043");
    let cart = guest.get("/kiosk/cart").await.data();
    assert_eq!(cart["shell"]["cart"]["count"], 1);
}

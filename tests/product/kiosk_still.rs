//! A tablet whose browser runs no scripts: its pages ask by themselves whether the guest is still there, and forget the guest when
//! nobody is (KS-02, KS-05). A browser without scripts is played by following what its `noscript` says.

use serde_json::Value;

use crate::support::{Answer, Guest, Product, as_fields, order_fields, plain_products};

const TABLET: &str = "/kiosk/filials/1043?source=TABLET";

/// Where the page leads by itself without scripts: seconds and address.
fn leads(page: &Answer) -> (u32, String) {
    let html = page.text();
    let (_, rest) = html
        .split_once("<noscript><meta http-equiv=\"refresh\" content=\"")
        .unwrap_or_else(|| panic!("it leads nowhere: {html}"));
    let (content, _) = rest.split_once('"').unwrap();
    let (seconds, address) = content.split_once("; url=").unwrap_or((content, ""));
    (seconds.parse().unwrap(), address.replace("&#38;", "&"))
}

async fn lines(guest: &Guest) -> usize {
    let cart = guest.get("/kiosk/cart").await.data();
    cart["shell"]["cart"]["lines"]
        .as_array()
        .map_or(0, Vec::len)
}

async fn with_cart(product: &Product) -> Guest {
    let guest = product.guest();
    let menu = guest.get(TABLET).await.data();
    guest.add(1043, plain_products(&menu)[0].0).await;
    assert_eq!(lines(&guest).await, 1);
    guest
}

#[tokio::test]
async fn without_an_answer_the_guest_is_forgotten() {
    let product = Product::with(&["--kiosk-idle-seconds", "60"]).await;
    let guest = with_cart(&product).await;
    let cart = guest.get("/kiosk/cart?lang=en").await;
    let (seconds, still) = leads(&cart);
    assert_eq!(
        seconds, 180,
        "a menu is read for longer than it is touched seldom"
    );
    let question = guest.get(&still).await;
    assert_eq!(question.status, 200);
    assert_eq!(question.header("cache-control"), "no-store");
    let html = question.text();
    assert!(html.contains("Are you still here?"), "{html}");
    assert!(html.contains("href=\"/kiosk/cart\""), "{html}");
    let (seconds, gone) = leads(&question);
    assert_eq!(seconds, 20);
    // Only this tablet, and only by the name it was asked with.
    let forged = gone.split('=').next().unwrap();
    guest.get(&format!("{forged}=a")).await;
    guest.get(forged).await;
    product.guest().get(&gone).await;
    assert_eq!(lines(&guest).await, 1);
    let done = guest.get(&gone).await;
    assert_eq!((done.status, done.location().as_str()), (303, TABLET));
    let gone_cookies = done.header("set-cookie");
    assert!(gone_cookies.contains("Max-Age=0"), "{gone_cookies}");
    guest.get(TABLET).await;
    assert_eq!(lines(&guest).await, 0);
    // The name worked once.
    assert_eq!(guest.get(&gone).await.location(), TABLET);
}

#[tokio::test]
async fn an_unused_tablet_asks_no_question() {
    let product = Product::start().await;
    let guest = product.guest();
    let (seconds, still) = leads(&guest.get(TABLET).await);
    assert_eq!(seconds, 270);
    let rests = guest.get(&still).await;
    assert_eq!((rests.status, rests.location().as_str()), (303, TABLET));
    // What only looks like the key of a dish opens none.
    let back = |query: &str| {
        let page = format!("/kiosk/filials/1043?source=TABLET&{query}");
        let page = page.replace('&', "%26").replace('=', "%3D");
        format!("/kiosk/session/still?back={page}")
    };
    for query in ["tag=item=1", "lineitem=1", "item="] {
        let rests = guest.get(&back(query)).await;
        assert_eq!(rests.location(), TABLET, "{query}");
    }
    // A guest who reads about a dish or something else is asked, and so is one who has chosen a language.
    assert_eq!(guest.get(&back("item=1")).await.status, 200);
    for path in ["/kiosk/faq", "/kiosk/filials/1043?lang=kk"] {
        let (_, still) = leads(&guest.get(path).await);
        assert_eq!(guest.get(&still).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn a_page_that_follows_an_order_does_so_until_the_guest_has_left() {
    let product = Product::with(&["--kiosk-idle-seconds", "10"]).await;
    let guest = with_cart(&product).await;
    let seen = order_fields(&guest.get("/kiosk/cart").await.data());
    let order = guest
        .post("/kiosk/orders", &as_fields(&seen))
        .await
        .location();
    let mut page = guest.get(&order).await;
    let mut waited = 0;
    let still = loop {
        let (seconds, next) = leads(&page);
        waited += seconds;
        if next.contains("/session/still") {
            break next;
        }
        page = guest.get(&next).await;
        assert_eq!(page.status, 200, "{next}");
        let data: Value = page.data();
        assert_eq!(data["page"]["route"], "order", "{next}");
        assert!(!data["shell"]["url"].as_str().unwrap().contains("idle="));
        assert!(waited <= 30, "{next}");
    };
    assert_eq!(waited, 30);
    let question = guest.get(&format!("{still}&lang=en")).await;
    assert!(question.text().contains("Your order stands."));
    let (_, gone) = leads(&question);
    assert_eq!(guest.get(&gone).await.location(), TABLET);
}

#[tokio::test]
async fn only_a_tablet_asks_the_question() {
    let product = Product::start().await;
    let phone = product.guest();
    let menu = phone.get("/filials/1043").await;
    assert!(!menu.text().contains("http-equiv=\"refresh\""));
    for path in [
        "/session/still?back=/cart",
        "/session/gone?asked=a",
        "/kiosk/session/still",
    ] {
        let page = phone.get(path).await;
        assert_eq!(page.status, 303, "{path}");
        assert!(
            ["/", "/kiosk/"].contains(&page.location().as_str()),
            "{path}"
        );
    }
    // A tablet is led to no other site.
    let guest = with_cart(&product).await;
    for back in ["https://e.example/", "//e.example", "/\\e.example"] {
        let page = guest
            .get(&format!("/kiosk/session/still?back={back}"))
            .await;
        assert!(page.text().contains("href=\"/kiosk/\""), "{back}");
    }
}

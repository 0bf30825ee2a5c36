//! The session's cookie: what it carries on which address, and what is said to a guest whose browser keeps none.

use serde_json::json;

use crate::support::{Answer, Product, VENUE, plain_products, table_link};

const COOKIE: &str = "dk";

/// The `Set-Cookie` of the session.
fn session_cookie(answer: &Answer) -> String {
    answer
        .headers
        .get_all("set-cookie")
        .iter()
        .map(|value| value.to_str().unwrap())
        .find(|cookie| cookie.starts_with("__Host-dk=") || cookie.starts_with("dk="))
        .unwrap()
        .to_owned()
}

#[tokio::test]
async fn on_plain_http_of_this_machine_cookies_are_kept_by_safari() {
    let product = Product::start().await;
    let answer = product
        .guest()
        .get(&format!("{}&lang=ru", table_link(VENUE, "t7")))
        .await;
    // WebKit keeps neither `Secure` cookies nor those with a prefix on http://127.0.0.1.
    assert!(session_cookie(&answer).starts_with("dk="));
    for cookie in answer.headers.get_all("set-cookie") {
        let cookie = cookie.to_str().unwrap();
        assert!(
            !cookie.contains("Secure") && !cookie.contains("__Host"),
            "{cookie}"
        );
        assert!(cookie.contains("SameSite=Lax"), "{cookie}");
    }
    assert!(session_cookie(&answer).contains("HttpOnly"));
}

#[tokio::test]
async fn on_an_https_address_the_session_cookie_is_locked_to_its_host() {
    let product = Product::with(&["--public-url", "https://dastarkhan.example"]).await;
    let answer = product
        .guest()
        .get(&format!("{}&lang=ru", table_link(VENUE, "t7")))
        .await;
    assert!(session_cookie(&answer).starts_with("__Host-dk="));
    let cookies = answer.headers.get_all("set-cookie");
    assert!(cookies.iter().count() > 1, "a preference, too");
    for cookie in cookies {
        let cookie = cookie.to_str().unwrap();
        let parts: Vec<&str> = cookie.split("; ").collect();
        for part in ["Secure", "Path=/", "SameSite=Lax"] {
            assert!(parts.contains(&part), "{part}: {cookie}");
        }
        assert!(!cookie.contains("Domain"), "{cookie}");
        let is_session = cookie.starts_with("__Host-dk=");
        assert_eq!(parts.contains(&"HttpOnly"), is_session, "{cookie}");
    }
}

/// The first dish of a visit without a session, by a form: where it leads.
async fn first_dish(product: &Product, json: bool) -> Answer {
    let dish = plain_products(
        &product
            .guest()
            .get(&format!("/filials/{VENUE}"))
            .await
            .data(),
    )[0]
    .0;
    let (venue, dish) = (VENUE.to_string(), dish.to_string());
    let back = format!("/filials/{VENUE}?lang=ru");
    let fields = [
        ("filial", venue.as_str()),
        ("product", &dish),
        ("back", &back),
    ];
    match json {
        true => product.guest().post_json("/cart/lines", &fields).await,
        false => product.guest().post_once("/cart/lines", &fields).await,
    }
}

#[tokio::test]
async fn the_first_change_finds_out_whether_cookies_are_kept() {
    let product = Product::start().await;
    let answer = first_dish(&product, false).await;
    assert_eq!(answer.status, 303);
    let check = answer.location();
    assert_eq!(
        check,
        format!("/cookies?back=%2Ffilials%2F{VENUE}%3Flang%3Dru")
    );

    // Kept: on to the page that the guest came from, and nothing is asked again.
    let guest = product.guest();
    let (pair, _) = session_cookie(&answer).split_once(';').map(owned).unwrap();
    let (name, value) = pair.split_once('=').unwrap();
    guest.set_cookie(name, value);
    let kept = guest.get(&check).await;
    assert_eq!(kept.status, 303);
    assert_eq!(kept.location(), format!("/filials/{VENUE}?lang=ru"));
    let again = guest
        .post_once("/cart/clear", &[("back", "/cart"), ("filial", "1")])
        .await;
    assert_eq!(again.location(), "/cart");

    // A press that has come again without its cookie leads there once, not to a check of the check.
    let lost = product
        .guest()
        .post_once("/orders?begun=1", &[("back", "/cart")])
        .await;
    assert_eq!(lost.location(), "/cookies?back=%2Fcart");
}

fn owned((one, other): (&str, &str)) -> (String, String) {
    (one.to_owned(), other.to_owned())
}

#[tokio::test]
async fn a_guest_whose_browser_refuses_cookies_is_told_so_in_every_language() {
    let product = Product::start().await;
    let check = first_dish(&product, false).await.location();
    for (lang, words) in [
        ("kk&country=kz", "Браузер cookie файлдарын сақтамайды"),
        ("ru&country=kz", "Браузер не сохраняет файлы cookie"),
        ("en&country=kz", "This browser keeps no cookies"),
        ("ka&country=ge", "ბრაუზერი არ ინახავს cookie ფაილებს"),
    ] {
        let page = product.guest().get(&format!("{check}&lang={lang}")).await;
        assert_eq!(page.status, 200);
        assert_eq!(page.headers["cache-control"], "private, no-cache");
        assert!(page.text().contains(words), "{lang}");
        // The way on.
        assert!(page.text().contains(&format!(
            r#"class="button" href="/filials/{VENUE}?lang=ru""#
        )));
        assert!(page.text().contains(r#"content="noindex""#));
    }
    // No other site can use it to lead guests away.
    let page = product.guest().get("/cookies?back=//evil.example").await;
    assert_eq!(
        page.data()["page"]["data"],
        json!({ "back": "/", "window": null })
    );
}

#[tokio::test]
async fn scripts_are_told_when_a_session_begins() {
    let product = Product::start().await;
    let answer = first_dish(&product, true).await.json();
    assert_eq!(answer["begins"], json!(true));
    assert_eq!(answer["cart"]["count"], json!(1));
    let guest = product.guest_at_table(VENUE, "t7").await;
    let next = guest
        .post_json("/cart/clear", &[("back", "/cart")])
        .await
        .json();
    assert!(next.get("begins").is_none(), "{next}");
}

#[tokio::test]
async fn a_session_that_is_over_is_no_browser_without_cookies() {
    let product = Product::start().await;
    let guest = product.guest();
    guest.set_cookie(COOKIE, "AAAAAAAAAAAAAAAAAAAAAA");
    let answer = guest
        .post_once("/session/age", &[("answer", "yes"), ("back", "/faq")])
        .await;
    assert_eq!(answer.location(), "/faq");
}

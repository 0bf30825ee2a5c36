//! Signing in over the upstream's sign-in page, and what it comes to (AU-02, AU-05, AU-09, AU-10, S-01, S-03). What
//! attackers may try on the way is `sign_in_attacks`'.

use dastarkhan::web::session::INSECURE_COOKIE as COOKIE;
use serde_json::json;
use url::Url;

use crate::{
    account::{account_of, calls_to, sandbox, session_of},
    support::{Answer, Guest, Product, VENUE, as_fields, order_fields, plain_products},
};

pub const TOKENS: &str = "/api/v2/oauth2/tokens";
pub const PHONE: &str = "+77010000031";
pub const MENU: &str = "/filials/1013";
pub const LANGS: [&str; 4] = ["kk&country=kz", "ru&country=kz", "en", "ka&country=ge"];

/// The sign-in page's address for a guest who wants to come back to a place.
pub async fn begin(guest: &Guest, back: &str) -> Url {
    let answer = guest.post_once("/session/sign-in", &[("back", back)]).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    assert_eq!(answer.header("cache-control"), "no-store");
    Url::parse(&answer.location()).unwrap()
}

pub fn query_value(page: &Url, name: &str) -> String {
    let mut pairs = page.query_pairs();
    let found = pairs.find(|(key, _)| key == name);
    found
        .map(|(_, value)| value.into_owned())
        .unwrap_or_default()
}

/// What a guest does on the sign-in page: the address of ours that it leads back to.
async fn on_the_page(product: &Product, page: &Url, typed: &[(&str, &str)]) -> String {
    let mut form: Vec<(String, String)> = page.query_pairs().into_owned().collect();
    form.extend(
        typed
            .iter()
            .map(|(name, value)| ((*name).into(), (*value).into())),
    );
    let request = crate::support::client()
        .post(format!("{}/oauth2/authorize", product.sandbox))
        .form(&form);
    let answer = request.send().await.unwrap();
    assert_eq!(answer.status().as_u16(), 303);
    let back = answer.headers()["location"].to_str().unwrap();
    let path = back.strip_prefix(&product.web).unwrap();
    path.to_owned()
}

pub async fn confirm(product: &Product, page: &Url) -> String {
    confirm_as(product, page, PHONE).await
}

/// By somebody with a phone.
pub async fn confirm_as(product: &Product, page: &Url, phone: &str) -> String {
    on_the_page(product, page, &[("phone", phone), ("code", "1234")]).await
}

/// What a host app hands over for a phone.
pub async fn track_of(product: &Product, phone: &str) -> String {
    let phone = json!({ "phone": phone, "code": "1234" });
    let made = sandbox(product, "/api/v1/oauth2/tracks", None, phone).await;
    made["data"]["id"].as_str().unwrap().to_owned()
}

/// The whole way.
pub async fn sign_in(product: &Product, guest: &Guest, back: &str) -> Answer {
    let page = begin(guest, back).await;
    let answer = guest.get(&confirm(product, &page).await).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    answer
}

pub async fn at_table_with_a_dish(product: &Product) -> Guest {
    let guest = product.guest_at_table(VENUE, "t7").await;
    let menu = guest.get(MENU).await.data();
    guest.add(VENUE, plain_products(&menu)[0].0).await;
    guest
}

/// Where `/auth` leads when it came to nothing.
pub fn problem(answer: &Answer) -> String {
    assert_eq!(answer.status, 303, "{}", answer.text());
    let page = Url::parse("http://own.invalid")
        .unwrap()
        .join(&answer.location());
    let page = page.unwrap();
    assert_eq!(page.path(), "/auth", "{page}");
    query_value(&page, "problem")
}

#[tokio::test]
async fn a_guest_signs_in_and_comes_back_to_the_very_place_with_everything() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    guest
        .post("/session/age", &[("answer", "yes"), ("back", MENU)])
        .await;
    let before = guest.get("/cart").await.data();
    let (session, sess) = session_of(&product, &guest).await;
    sess.device_or_new().await.unwrap();
    session.save().await.unwrap();
    let (old, other_guest) = (guest.cookie(COOKIE).unwrap(), guest.second_tab());

    let back = "/search?q=a+b&f[x]=1&next=%2Fe&k=%D2%9B%3D%26#part";
    let page = begin(&guest, back).await;
    assert_eq!(page.origin().ascii_serialization(), product.sandbox);
    for (name, value) in [
        ("response_type", "code"),
        ("client_id", "web"),
        ("redirect_uri", format!("{}/auth", product.web).as_str()),
        ("code_challenge_method", "S256"),
    ] {
        assert_eq!(query_value(&page, name), value);
    }
    assert_eq!(query_value(&page, "code_challenge").len(), 43);
    assert!(!page.as_str().contains("search"), "the way back is sealed");

    let answer = guest.get(&confirm(&product, &page).await).await;
    assert_eq!((answer.status, answer.location()), (303, back.to_owned()));
    let new = guest.cookie(COOKIE).unwrap();
    assert_ne!(new, old, "another session id");
    let account = account_of(&product, &guest).await.unwrap();
    assert!(account.track.is_some(), "a lost bearer can be renewed");

    // All is kept: cart, table, age.
    let after = guest.get("/cart").await;
    let shell = &after.data()["shell"];
    for kept in ["cart", "table", "home", "town", "locked"] {
        assert_eq!(shell[kept], before["shell"][kept], "{kept}");
    }
    assert_eq!(shell["cart"]["count"], 1);
    assert!(session_of(&product, &guest).await.1.age().await.is_some());
    assert!(shell["balance"].is_number(), "the upstream knows the guest");

    // The session id of before is signed in nowhere, and has no device: none of its bookings.
    assert!(account_of(&product, &other_guest).await.is_none());
    let (device, other) = (
        device_of(&product, &guest).await,
        device_of(&product, &other_guest).await,
    );
    assert!(device.is_some() && other.is_none());

    // What a signed-in guest sees is kept nowhere and holds no secret, nor does any cookie.
    let mut seen = format!("{:?}", answer.headers);
    for path in ["/", MENU, "/cart?lang=ru", "/faq", "/orders"] {
        let page = guest.get(path).await;
        assert_eq!(page.header("cache-control"), "private, no-store", "{path}");
        seen += &format!(
            "{:?}{}{}",
            page.headers,
            page.text(),
            guest.data(path).await
        );
    }
    seen += &product.logs();
    let track = account.track.unwrap();
    for secret in [
        account.bearer.as_str(),
        &serde_json::to_string(&track).unwrap().replace('"', ""),
    ] {
        assert!(!seen.contains(secret), "{}", &secret[..3]);
    }
    let anonymous = product.guest().get(MENU).await;
    assert!(!anonymous.header("cache-control").contains("no-store"));
}

pub async fn device_of(product: &Product, guest: &Guest) -> Option<String> {
    session_of(product, guest).await.1.device().await
}

/// Orders the cart in cash; the address of the order.
pub async fn order(guest: &Guest) -> String {
    let fields = order_fields(&guest.get("/cart").await.data());
    let placed = guest.post("/orders", &as_fields(&fields)).await;
    assert!(placed.location().contains("/order/"), "{}", placed.text());
    assert_eq!(guest.get(&placed.location()).await.status, 200);
    placed.location()
}

#[tokio::test]
async fn a_lost_answer_of_a_sign_in_costs_neither_cart_nor_table() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    guest
        .post("/session/age", &[("answer", "yes"), ("back", MENU)])
        .await;
    order(&guest).await;
    let menu = guest.get(MENU).await.data();
    guest.add(VENUE, plain_products(&menu)[0].0).await;
    let before = guest.get("/cart").await.data();
    let page = begin(&guest, MENU).await;
    let back = confirm(&product, &page).await;
    // The answer with the new cookie does not come; the guest opens the app again.
    let lost = guest.second_tab();
    assert_eq!(lost.get(&back).await.location(), MENU);
    let again = guest.get("/cart").await;
    let shell = &again.data()["shell"];
    for kept in ["table", "home", "town", "locked"] {
        assert_eq!(shell[kept], before["shell"][kept], "{kept}");
    }
    // It has a name of its own now.
    let mut cart = shell["cart"].clone();
    cart["mark"] = before["shell"]["cart"]["mark"].clone();
    assert_eq!(cart, before["shell"]["cart"]);
    assert_eq!(cart["count"], 1);
    let sess = session_of(&product, &guest).await.1;
    assert!(sess.age().await.is_some());
    let orders = sess.own_orders().await;
    assert_eq!(guest.get(&orders[0].href).await.status, 200);
    assert!(account_of(&product, &guest).await.is_none());
    // And signs in with it once more.
    assert_eq!(sign_in(&product, &guest, "/cart").await.location(), "/cart");
    let shell = guest.get("/cart").await.data()["shell"].clone();
    assert_eq!(shell["cart"]["count"], 1);
    assert!(account_of(&product, &guest).await.is_some());
}

#[tokio::test]
async fn a_tab_that_still_asks_under_the_id_of_before_takes_no_cookie_away() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    order(&guest).await;
    let tab = guest.second_tab();
    assert!(tab.cookie("deviceId").is_some());
    sign_in(&product, &guest, MENU).await;
    for path in [MENU, "/cart", "/faq"] {
        let answer = tab.get(path).await;
        assert!(
            !answer.headers.contains_key("set-cookie"),
            "{path}: {answer:?}"
        );
    }
    // Nor does one with an id that nobody knows any more.
    let late = product.guest();
    late.set_cookie(COOKIE, &tower_sessions::session::Id::default().to_string());
    let answer = late.get(MENU).await;
    assert!(!answer.headers.contains_key("set-cookie"), "{answer:?}");
}

#[tokio::test]
async fn two_tabs_that_sign_in_both_get_there() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    let one = begin(&guest, "/faq").await;
    let two = begin(&guest, "/cart").await;
    for (page, place) in [(one, "/faq"), (two, "/cart")] {
        assert_eq!(
            guest.get(&confirm(&product, &page).await).await.location(),
            place
        );
    }
    assert!(account_of(&product, &guest).await.is_some());
}

#[tokio::test]
async fn what_goes_wrong_is_told_at_an_address_without_code_and_state() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    let state = |page: &Url| query_value(page, "state");
    // Cancelled.
    let page = begin(&guest, "/cart").await;
    let denied = on_the_page(&product, &page, &[("cancel", "1")]).await;
    let answer = guest.get(&denied).await;
    assert_eq!(answer.location(), "/auth?problem=denied&back=%2Fcart");
    assert_eq!(answer.header("cache-control"), "no-store");
    // That was its one use.
    assert_eq!(problem(&guest.get(&denied).await), "elsewhere");
    // No code.
    let page = begin(&guest, "/cart").await;
    let answer = guest.get(&format!("/auth?state={}", state(&page))).await;
    assert_eq!(problem(&answer), "code");
    // A code that nobody has given.
    let page = begin(&guest, "/cart").await;
    let answer = guest
        .get(&format!("/auth?code=c_none&state={}", state(&page)))
        .await;
    assert_eq!(problem(&answer), "refused");
    // From another sign-in page.
    let page = begin(&guest, "/cart").await;
    let back = confirm(&product, &page).await;
    product.forget_log().await;
    let answer = guest
        .get(&format!("{back}&iss=https%3A%2F%2Fevil.example"))
        .await;
    assert_eq!(problem(&answer), "state");
    assert!(calls_to(&product, TOKENS).await.is_empty());
    // From ours, which says so.
    let page = begin(&guest, "/cart").await;
    let back = confirm(&product, &page).await;
    let whole = begin(&product.guest(), "/").await;
    let forged = state(&whole).replace(|c: char| c.is_ascii_digit(), "A");
    // No state, and states of nobody.
    for state in ["", "&state=", "&state=abc", &format!("&state={forged}")] {
        let answer = guest.get(&format!("/auth?code=c_none{state}")).await;
        assert_eq!(problem(&answer), "state", "{state}");
    }
    let answer = guest.get(&format!("{back}&iss={}", product.sandbox)).await;
    assert_eq!(answer.location(), "/cart");
}

#[tokio::test]
async fn each_problem_is_a_page_in_four_languages_with_two_ways_on() {
    let product = Product::start().await;
    let problems = [
        "denied",
        "code",
        "trackId",
        "refused",
        "expired",
        "state",
        "elsewhere",
        "unavailable",
    ];
    for lang in LANGS {
        let mut words = Vec::new();
        for problem in problems {
            let guest = product.guest();
            let page = guest
                .get(&format!(
                    "/auth?problem={problem}&back=%2Fprofile&lang={lang}"
                ))
                .await;
            assert_eq!(page.status, 200);
            assert_eq!(page.data()["page"]["data"]["problem"], json!(problem));
            words.extend(page.texts(".empty .soft"));
            let html = page.rendered();
            assert!(html.contains(r#"action="/session/sign-in""#), "{html}");
            assert!(html.contains(r#"name="back" value="/profile""#));
            assert!(
                html.contains(r#"class="link" href="/""#),
                "not back to the sign-in"
            );
            assert!(page.text().contains(r#"content="noindex""#));
        }
        words.dedup();
        assert_eq!(words.len(), problems.len(), "{words:?}");
    }
    let page = product
        .guest()
        .get("/auth?problem=denied&back=%2Fcart")
        .await;
    assert_eq!(page.data()["page"]["data"]["on"], "/cart");
    assert_eq!(product.guest().get("/auth").await.status, 200);
}

#[tokio::test]
async fn a_sign_in_that_does_not_answer_can_be_tried_again() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    let page = begin(&guest, "/cart").await;
    let back = confirm(&product, &page).await;
    product.fail(TOKENS, 503).await;
    product.forget_log().await;
    assert_eq!(problem(&guest.get(&back).await), "unavailable");
    assert_eq!(
        calls_to(&product, TOKENS).await.len(),
        1,
        "a code is sent once"
    );
    assert_eq!(guest.get("/cart").await.data()["shell"]["cart"]["count"], 1);
    product.no_faults().await;
    assert_eq!(sign_in(&product, &guest, "/cart").await.location(), "/cart");
    // A sign-in without a track is one.
    let other = product.guest();
    product.fail("/api/v1/oauth2/tracks", 500).await;
    assert_eq!(sign_in(&product, &other, "/faq").await.location(), "/faq");
    assert!(account_of(&product, &other).await.unwrap().track.is_none());
}

#[tokio::test]
async fn a_page_for_signed_in_guests_leads_to_the_sign_in_and_is_shown_after_it() {
    let product = Product::start().await;
    let guest = product.guest();
    let answer = guest.get("/profile?utm=a%26b").await;
    assert_eq!(answer.status, 303);
    assert_eq!(answer.header("cache-control"), "no-store");
    let page = Url::parse(&answer.location()).unwrap();
    assert_eq!(page.origin().ascii_serialization(), product.sandbox);
    let answer = guest.get(&confirm(&product, &page).await).await;
    assert_eq!(answer.location(), "/profile?utm=a%26b");
    let profile = guest.get("/profile").await;
    assert_eq!(profile.status, 200);
    assert_eq!(profile.data()["page"]["data"]["phone"], PHONE);
    assert!(profile.rendered().contains(r#"action="/session/sign-out""#));

    // The app leaves for a whole load; nothing is begun by what is asked ahead, nor on a tablet.
    let other = product.guest();
    let data = other.data("/profile?a=b").await;
    assert_eq!(data["redirect"], format!("{}/profile?a=b", product.web));
    let ahead = other
        .get_with("/profile", &[("sec-purpose", "prefetch")])
        .await;
    assert_eq!(ahead.status, 403);
    other
        .send(other.request(reqwest::Method::HEAD, "/profile"))
        .await;
    assert!(other.cookie(COOKIE).is_none());
    let tablet = product.guest();
    tablet.get("/kiosk/filials/1043?source=TABLET").await;
    assert_eq!(tablet.get("/kiosk/profile").await.status, 401);
    let refused = tablet
        .post_json("/session/sign-in", &[("back", "/cart")])
        .await;
    assert_eq!(refused.status, 422);
    // A request under another name is led back to our own.
    let request = product
        .guest()
        .request(reqwest::Method::GET, "/profile")
        .header("host", "evil.example");
    let page = Url::parse(&product.guest().send(request).await.location()).unwrap();
    assert_eq!(query_value(&page, "redirect_uri"), "http://localhost/auth");

    // Without the upstream's answer there is still the way out.
    product.fail("/api/v3/user", 500).await;
    product.fail("/profile/api/v1/profile", 500).await;
    let profile = guest.get("/profile").await;
    assert_eq!(
        (profile.status, &profile.data()["page"]["data"]["phone"]),
        (200, &json!(""))
    );
    assert!(profile.rendered().contains(r#"action="/session/sign-out""#));
}

#[tokio::test]
async fn a_way_back_says_after_the_sign_in_what_it_said_before() {
    let product = Product::start().await;
    let own = Url::parse("http://own.invalid").unwrap();
    for back in [
        "/search?q=қазы+мен+ет&town=%D3%99",
        "/search?f[x][y]=1&f[x][z][]=%5B%5D&f[w]=a%26b%3Dc",
        "/search?q=1%2B1&plus=a+b&empty=&flag#part=1&x",
        "/filials/1013?fav=1#ас",
    ] {
        let answer = sign_in(&product, &product.guest(), back).await;
        let (to, from) = (own.join(&answer.location()), own.join(back));
        assert_eq!(to.unwrap(), from.unwrap(), "{back}");
    }
    // As long as it may be it comes whole, and a longer one makes no longer state.
    let whole = format!("/search?q={}", "a".repeat(1400));
    for (back, comes) in [
        (whole.clone(), whole),
        (
            format!("/search?q={}", "a".repeat(3000)),
            "/search".to_owned(),
        ),
    ] {
        let guest = product.guest();
        let page = begin(&guest, &back).await;
        assert!(query_value(&page, "state").len() < 2200);
        let answer = guest.get(&confirm(&product, &page).await).await;
        assert_eq!(answer.location(), comes);
    }
}

#[tokio::test]
async fn a_guest_is_signed_in_only_once_there_is_a_token() {
    const FAVOURITES: &str = "/menu/v3/favourite/products";
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    // Begun, not answered; answered without a token, with an empty one, with none that the upstream knows.
    for step in 0..4 {
        let page = begin(&guest, "/cart").await;
        let back = confirm(&product, &page).await;
        match step {
            1 => product.fail(TOKENS, 503).await,
            2 => {
                product
                    .replace(TOKENS, json!({ "/access_token": "" }))
                    .await
            }
            3 => {
                product
                    .replace(TOKENS, json!({ "/access_token": "at_none" }))
                    .await
            }
            _ => {}
        }
        if step > 0 {
            problem(&guest.get(&back).await);
        }
        product.no_faults().await;
        product.forget_log().await;
        assert!(account_of(&product, &guest).await.is_none(), "{step}");
        for path in [MENU, "/cart"] {
            let shell = guest.get(path).await.data()["shell"].clone();
            assert!(shell["balance"].is_null(), "{step}: {shell}");
        }
        assert_eq!(guest.get("/profile").await.status, 303);
        let log = product.sandbox_get("log").await;
        assert!(
            log.iter()
                .all(|call| call["headers"]["authorization"].is_null())
        );
    }
    sign_in(&product, &guest, "/cart").await;
    product.forget_log().await;
    assert_eq!(guest.get("/profile").await.status, 200);
    guest.get(MENU).await;
    let bearer = account_of(&product, &guest).await.unwrap().bearer;
    assert_eq!(
        calls_to(&product, FAVOURITES).await,
        [format!("Bearer {}", bearer.as_str())]
    );
}

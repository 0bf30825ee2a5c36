//! Signing in over the upstream's sign-in page, and what attackers may try on the way (AU-02, AU-05, AU-09, AU-10, AU-13,
//! S-01, S-03, S-06).

use dastarkhan::{
    keys::seal::Keys,
    web::session::{Attempt, INSECURE_COOKIE as COOKIE},
};
use serde_json::{Value, json};
use url::Url;

use crate::{
    account::{account_of, asked, sandbox, session_of, sessions},
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

pub fn told(page: &Url, name: &str) -> String {
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
    told(&page, "problem")
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
    let (old, stranger) = (guest.cookie(COOKIE).unwrap(), guest.second_tab());

    let back = "/search?q=a+b&f[x]=1&next=%2Fe&k=%D2%9B%3D%26#part";
    let page = begin(&guest, back).await;
    assert_eq!(page.origin().ascii_serialization(), product.sandbox);
    for (name, value) in [
        ("response_type", "code"),
        ("client_id", "web"),
        ("redirect_uri", format!("{}/auth", product.web).as_str()),
        ("code_challenge_method", "S256"),
    ] {
        assert_eq!(told(&page, name), value);
    }
    assert_eq!(told(&page, "code_challenge").len(), 43);
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

    // Whoever has the id of before is signed in nowhere, and has no device: none of its bookings.
    assert!(account_of(&product, &stranger).await.is_none());
    let (device, other) = (
        device_of(&product, &guest).await,
        device_of(&product, &stranger).await,
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
    for kept in ["cart", "table", "home", "town", "locked"] {
        assert_eq!(shell[kept], before["shell"][kept], "{kept}");
    }
    assert_eq!(shell["cart"]["count"], 1);
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
async fn a_code_that_comes_again_is_not_sent_again() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    let page = begin(&guest, MENU).await;
    let back = confirm(&product, &page).await;
    let before = guest.second_tab();
    assert_eq!(guest.get(&back).await.location(), MENU);
    product.forget_log().await;
    // Back in the browser's history (AU-13).
    assert_eq!(guest.get(&back).await.location(), MENU);
    // By somebody else, and by the session that is over.
    for other in [product.guest(), before] {
        assert_eq!(problem(&other.get(&back).await), "elsewhere");
    }
    assert!(asked(&product, TOKENS).await.is_empty());
    // A sign-in when there is one already asks nobody.
    let again = guest
        .post_once("/session/sign-in", &[("back", "/cart")])
        .await;
    assert_eq!(again.location(), "/cart");
    assert!(account_of(&product, &guest).await.is_some());
}

#[tokio::test]
async fn an_answer_at_the_same_time_twice_signs_in_once() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    let page = begin(&guest, MENU).await;
    let back = confirm(&product, &page).await;
    product.forget_log().await;
    let tabs: Vec<Guest> = (0..8).map(|_| guest.second_tab()).collect();
    let answers = futures_util::future::join_all(tabs.iter().map(|tab| tab.get(&back))).await;
    let signed = answers.iter().filter(|answer| answer.location() == MENU);
    assert_eq!(signed.count(), 1);
    assert_eq!(asked(&product, TOKENS).await.len(), 1);
}

#[tokio::test]
async fn an_answer_for_another_session_signs_nobody_in() {
    let product = Product::start().await;
    let attacker = product.guest();
    let page = begin(&attacker, "/cart").await;
    let planted = confirm(&product, &page).await;
    let victim = at_table_with_a_dish(&product).await;
    let own = begin(&victim, MENU).await;
    product.forget_log().await;
    assert_eq!(problem(&victim.get(&planted).await), "elsewhere");
    assert_eq!(problem(&product.guest().get(&planted).await), "elsewhere");
    // The attacker's code under the victim's own state fails at PKCE.
    let code = Url::parse(&format!("http://own.invalid{planted}")).unwrap();
    let mixed = format!(
        "/auth?code={}&state={}",
        told(&code, "code"),
        told(&own, "state")
    );
    assert!(asked(&product, TOKENS).await.is_empty());
    assert_eq!(problem(&victim.get(&mixed).await), "refused");
    assert!(account_of(&product, &victim).await.is_none());
    assert_eq!(
        victim.get("/cart").await.data()["shell"]["cart"]["count"],
        1
    );
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
    let state = |page: &Url| told(page, "state");
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
    assert!(asked(&product, TOKENS).await.is_empty());
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
        asked(&product, TOKENS).await.len(),
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
async fn after_ten_minutes_it_is_too_late() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    let keys = Keys::load_or_create(&product.folder).unwrap();
    let attempt = Attempt {
        nonce: "n".repeat(22),
        verifier: "v".repeat(44),
        redirect_uri: format!("{}/auth", product.web),
        until: 1,
    };
    let state = json!({ "nonce": attempt.nonce, "back": "/cart", "until": 1 });
    let sealed = keys.seal("sign-in state", b"", state.to_string().as_bytes());
    let (_, sess) = session_of(&product, &guest).await;
    let store = sessions(&product).await;
    sess.begin_sign_in(&store, attempt, 0).await.unwrap();
    let state = base64(&sealed);
    product.forget_log().await;
    let answer = guest.get(&format!("/auth?code=c&state={state}")).await;
    assert_eq!(problem(&answer), "expired");
    assert!(asked(&product, TOKENS).await.is_empty());
}

/// Without padding, as addresses have it.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    bytes
        .chunks(3)
        .flat_map(|three| {
            let bits = three
                .iter()
                .fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte));
            let bits = bits << (8 * (3 - three.len()));
            (0..=three.len()).map(move |at| LETTERS[(bits >> (18 - 6 * at) & 63) as usize] as char)
        })
        .collect()
}

#[tokio::test]
async fn no_way_back_leads_to_another_site() {
    let product = Product::start().await;
    for evil in [
        "//evil.example",
        "/\\evil.example",
        "https://evil.example/",
        "/%2f%2fevil.example",
        "\t//evil.example",
        "javascript:alert(1)",
        "https:evil.example",
        "",
    ] {
        let guest = product.guest();
        let answer = sign_in(&product, &guest, evil).await;
        assert_eq!(answer.location(), "/", "{evil:?}");
        let query = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("problem", "denied")
            .append_pair("back", evil)
            .finish();
        let page = product.guest().get(&format!("/auth?{query}")).await.data();
        let data = &page["page"]["data"];
        assert_eq!(
            (&data["back"], &data["on"]),
            (&json!("/"), &json!("/")),
            "{evil:?}"
        );
        assert_eq!(guest.get(&format!("/auth?{query}")).await.location(), "/");
    }
    // A way that is too long loses its query, not the sign-in.
    let guest = product.guest();
    let long = format!("/search?q={}", "a".repeat(3000));
    assert_eq!(sign_in(&product, &guest, &long).await.location(), "/search");
}

#[tokio::test]
async fn the_sign_in_page_answers_to_our_own_address_only() {
    let product = Product::with(&["--public-url", "http://shop.example"]).await;
    let guest = product.guest();
    let request = guest
        .request(reqwest::Method::POST, "/session/sign-in")
        .header("host", "evil.example")
        .header("sec-fetch-site", "same-origin")
        .form(&[("back", "/cart")]);
    let answer = guest.send(request).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    let page = Url::parse(&answer.location()).unwrap();
    assert_eq!(told(&page, "redirect_uri"), "http://shop.example/auth");
    // Nobody else can begin one in a guest's name.
    let request = guest
        .request(reqwest::Method::POST, "/session/sign-in")
        .header("sec-fetch-site", "cross-site")
        .form(&[("back", "/cart")]);
    assert_eq!(guest.send(request).await.status, 403);
}

#[tokio::test]
async fn a_head_and_what_is_asked_ahead_use_no_code_up() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    let page = begin(&guest, "/cart").await;
    let back = confirm(&product, &page).await;
    product.forget_log().await;
    let head = guest.request(reqwest::Method::HEAD, &back);
    guest.send(head).await;
    guest.get_with(&back, &[("sec-purpose", "prefetch")]).await;
    guest.data(&back).await;
    assert!(asked(&product, TOKENS).await.is_empty());
    assert_eq!(guest.get(&back).await.location(), "/cart");
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
    assert_eq!(ahead.status, 401);
    other
        .send(other.request(reqwest::Method::HEAD, "/profile"))
        .await;
    assert!(other.cookie(COOKIE).is_none());
    let tablet = product.guest();
    tablet.get("/filials/1043?source=TABLET").await;
    assert_eq!(tablet.get("/profile").await.status, 401);
    let refused = tablet
        .post_json("/session/sign-in", &[("back", "/cart")])
        .await;
    assert_eq!(refused.status, 422);
    // Whoever calls us by another name is led back to our own.
    let request = product
        .guest()
        .request(reqwest::Method::GET, "/profile")
        .header("host", "evil.example");
    let page = Url::parse(&product.guest().send(request).await.location()).unwrap();
    assert_eq!(told(&page, "redirect_uri"), "http://localhost/auth");

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
async fn signing_out_takes_what_is_the_guests_and_leaves_what_is_the_devices() {
    const UNASSIGN: &str = "/api/v2/push-gateway/token/un-assign";
    const REVOKE: &str = "/api/v2/oauth2/tokens/revoke";
    let product = Product::with(&["--push-project", "shop"]).await;
    for fails in [false, true] {
        let guest = at_table_with_a_dish(&product).await;
        guest
            .post("/session/age", &[("answer", "yes"), ("back", MENU)])
            .await;
        let push = [
            ("token", "push-token-of-the-guest"),
            ("analyticDeviceID", "a-1"),
        ];
        // Only of a guest who is signed in (PU-05).
        product.forget_log().await;
        assert_eq!(guest.post_json("/session/push", &push).await.status, 422);
        let registered = asked(&product, "/api/v2/push-gateway/token").await;
        assert!(registered.is_empty());
        sign_in(&product, &guest, "/cart").await;
        let (old, before) = (guest.second_tab(), guest.get("/cart").await.data());
        let bearer = account_of(&product, &guest).await.unwrap().bearer;
        let bearer = format!("Bearer {}", bearer.as_str());
        assert_eq!(guest.post_json("/session/push", &push).await.status, 200);
        if fails {
            product.fail("/api/v2/push-gateway", 503).await;
        } else {
            product.forget_log().await;
        }
        let id = guest.cookie(COOKIE).unwrap();
        let answer = guest
            .post_once("/session/sign-out", &[("back", MENU)])
            .await;
        assert_eq!((answer.status, answer.location()), (303, MENU.to_owned()));
        let log = product.told("log").await;
        let sent = log.iter().find(|entry| entry["path"] == UNASSIGN).unwrap();
        assert_eq!(
            sent["headers"]["authorization"],
            json!(bearer),
            "before the bearer goes"
        );
        assert_eq!(sent["headers"]["x-project"], "shop");

        // The guest's is gone, and so is the id.
        assert_ne!(guest.cookie(COOKIE).unwrap(), id);
        let (_, sess) = session_of(&product, &guest).await;
        assert!(sess.account().await.is_none() && sess.push().await.is_none());
        assert!(sess.age().await.is_none());
        let cart = guest.get("/cart").await;
        assert_eq!(cart.data()["shell"]["cart"], Value::Null);
        assert!(!cart.header("cache-control").contains("no-store"));
        assert_eq!(guest.get("/profile").await.status, 303);
        // The device's stays.
        assert_eq!(cart.data()["shell"]["table"], before["shell"]["table"]);
        assert!(cart.data()["shell"]["table"].is_object());
        // The id of before is nobody's, and the upstream takes the bearer no more.
        assert!(account_of(&product, &old).await.is_none());
        assert_eq!(old.get("/profile").await.status, 303);
        crate::support::eventually(10, || async {
            let sent = asked(&product, REVOKE).await;
            sent.contains(&bearer).then_some(())
        })
        .await;
        product.no_faults().await;
        assert!(!product.logs().contains("push-token-of-the-guest"));
    }
    // A stranger has nothing to sign out of.
    let answer = product
        .guest()
        .post_once("/session/sign-out", &[("back", "/faq")])
        .await;
    assert_eq!(answer.location(), "/faq");
    assert_eq!(answer.header("set-cookie"), "");
}

#[tokio::test]
async fn a_track_of_the_host_signs_in_by_a_post_of_our_own_and_is_used_once() {
    let product = Product::start().await;
    let track = track_of(&product, PHONE).await;
    let track = track.as_str();
    let guest = at_table_with_a_dish(&product).await;
    let (before, old) = (guest.cookie(COOKIE), guest.second_tab());
    product.forget_log().await;
    // An address signs nobody in, nor does another site (S-07).
    guest.get(&format!("/?track_id={track}")).await;
    let foreign = guest
        .request(reqwest::Method::POST, "/session/track")
        .header("sec-fetch-site", "cross-site")
        .form(&[("track_id", track)]);
    assert_eq!(guest.send(foreign).await.status, 403);
    assert!(account_of(&product, &guest).await.is_none());
    assert!(asked(&product, TOKENS).await.is_empty());

    let fields = [("track_id", track), ("back", MENU)];
    let answer = guest.post_json("/session/track", &fields).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert!(!answer.text().contains(track));
    assert_ne!(guest.cookie(COOKIE), before);
    assert_eq!(guest.get("/cart").await.data()["shell"]["cart"]["count"], 1);
    assert!(account_of(&product, &old).await.is_none());
    assert!(account_of(&product, &guest).await.is_some());
    // The same again asks nobody (AU-04).
    assert_eq!(guest.post_json("/session/track", &fields).await.status, 200);
    assert_eq!(asked(&product, TOKENS).await.len(), 1);

    let other = product.guest();
    for (track, code) in [("", "badInput"), ("tr_none", "signIn")] {
        let answer = other
            .post_json("/session/track", &[("track_id", track)])
            .await;
        assert_eq!(
            (answer.status, &answer.json()["flash"]["errors"][0]["code"]),
            (422, &json!(code))
        );
    }
    product.fail(TOKENS, 503).await;
    let answer = other.post_json("/session/track", &fields).await;
    assert_eq!(answer.json()["flash"]["errors"][0]["code"], "unavailable");
    assert!(other.cookie(COOKIE).is_none(), "nobody was signed in");
}

//! What attackers may try at a sign-in, and what its return is checked for (AU-13, S-03, S-06, S-09, SC-01).

use dastarkhan::{
    keys::seal::Keys,
    web::session::{Attempt, INSECURE_COOKIE as COOKIE},
};
use reqwest::Method;
use serde_json::json;
use url::Url;

use crate::{
    account::{account_of, calls_to, session_of, sessions},
    sign_in::{MENU, TOKENS, at_table_with_a_dish, begin, confirm, problem, query_value, sign_in},
    support::{Answer, Guest, Product},
};

const EVIL: [&str; 10] = [
    "//evil.example",
    "/\\evil.example",
    "https://evil.example/",
    "/%2f%2fevil.example",
    "/%5cevil.example",
    "\t//evil.example",
    "\n//evil.example",
    "javascript:alert(1)",
    "https:evil.example",
    "https://localhost@evil.example",
];

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
    assert!(calls_to(&product, TOKENS).await.is_empty());
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
    assert_eq!(calls_to(&product, TOKENS).await.len(), 1);
}

#[tokio::test]
async fn an_answer_for_another_session_signs_no_guest_in() {
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
        query_value(&code, "code"),
        query_value(&own, "state")
    );
    assert!(calls_to(&product, TOKENS).await.is_empty());
    assert_eq!(problem(&victim.get(&mixed).await), "refused");
    assert!(account_of(&product, &victim).await.is_none());
    assert_eq!(
        victim.get("/cart").await.data()["shell"]["cart"]["count"],
        1
    );
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
    assert!(calls_to(&product, TOKENS).await.is_empty());
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
    for evil in EVIL.into_iter().chain([""]) {
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
        .request(Method::POST, "/session/sign-in")
        .header("host", "evil.example")
        .header("sec-fetch-site", "same-origin")
        .form(&[("back", "/cart")]);
    let answer = guest.send(request).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    let page = Url::parse(&answer.location()).unwrap();
    assert_eq!(
        query_value(&page, "redirect_uri"),
        "http://shop.example/auth"
    );
    // Nobody else can begin one in a guest's name.
    let request = guest
        .request(Method::POST, "/session/sign-in")
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
    let head = guest.request(Method::HEAD, &back);
    guest.send(head).await;
    guest.get_with(&back, &[("sec-purpose", "prefetch")]).await;
    guest.data(&back).await;
    assert!(calls_to(&product, TOKENS).await.is_empty());
    assert_eq!(guest.get(&back).await.location(), "/cart");
}

/// Whether an address leads from a page of ours to the attacker, or runs a script.
fn is_theirs(address: &str) -> bool {
    let page = Url::parse("http://own.invalid/addresses").unwrap();
    page.join(address).is_ok_and(|to| {
        to.scheme() == "javascript" || to.host_str().is_some_and(|host| host.contains("evil"))
    })
}

/// Links, forms and hidden ways back of a page.
fn ways(page: &Answer) -> Vec<String> {
    let html = scraper::Html::parse_fragment(&page.rendered());
    let found = |selector: &str, attribute: &str| -> Vec<String> {
        let selector = scraper::Selector::parse(selector).unwrap();
        html.select(&selector)
            .filter_map(|element| element.value().attr(attribute).map(str::to_owned))
            .collect()
    };
    [
        found("[href]", "href"),
        found("[action]", "action"),
        found(r#"input[name="back"], input[name="next"]"#, "value"),
    ]
    .concat()
}

#[tokio::test]
async fn no_form_and_no_page_of_a_guest_leads_to_another_site() {
    const POSTS: [&str; 16] = [
        "/session/track",
        "/session/restore",
        "/session/age",
        "/session/service",
        "/session/town",
        "/session/table/leave",
        "/addresses",
        "/addresses/place",
        "/addresses/undo",
        "/addresses/confirm",
        "/addresses/-1/choose",
        "/addresses/-1/delete",
        "/profile/form",
        "/profile/avatar",
        "/profile/avatar/remove",
        "/session/sign-out",
    ];
    const PAGES: [&str; 7] = [
        "/addresses",
        "/address-map",
        "/address-form",
        "/profile",
        "/profile/form",
        "/profile/delete",
        "/auth",
    ];
    let product = Product::start().await;
    let guest = product.guest();
    let other_guest = product.guest();
    sign_in(&product, &guest, "/faq").await;
    other_guest
        .post("/session/age", &[("answer", "yes"), ("back", "/")])
        .await;
    for evil in EVIL {
        let query = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("back", evil)
            .append_pair("next", evil)
            .append_pair("problem", "denied")
            .finish();
        for (who, path) in [(&guest, &PAGES[..]), (&other_guest, &PAGES[..3])]
            .into_iter()
            .flat_map(|(who, paths)| paths.iter().map(move |path| (who, path)))
        {
            let page = who.get(&format!("{path}?{query}")).await;
            if page.status == 200 {
                let ways = ways(&page);
                assert!(!ways.is_empty(), "{path}");
                for way in ways {
                    assert!(!is_theirs(&way), "{path}: {evil:?} became {way}");
                }
            } else {
                assert!(!is_theirs(&page.location()), "{path}: {evil:?}");
            }
        }
    }
    // The last one signs out: each attempt has its turn on all the others first.
    for path in POSTS {
        for evil in EVIL {
            let fields = [
                ("back", evil),
                ("next", evil),
                ("lat", "43.238"),
                ("long", "76.945"),
                ("street", "Абай даңғылы"),
                ("name", "Айгүл"),
                ("answer", "no"),
                ("service", "takeaway"),
                ("town", "1"),
            ];
            let told = guest.post_once(path, &fields).await;
            assert!(!is_theirs(&told.location()), "{path}: {evil:?}: {told:?}");
            let told = guest.post_json(path, &fields).await;
            if told.header("content-type").contains("json") {
                let way = told.json()["redirect"].as_str().unwrap_or("/").to_owned();
                assert!(!is_theirs(&way), "{path}: {evil:?} became {way}");
            }
        }
    }
}

#[tokio::test]
async fn a_state_that_was_changed_anywhere_is_none() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    let page = begin(&guest, "/cart").await;
    let back = confirm(&product, &page).await;
    let state = query_value(&page, "state");
    product.forget_log().await;
    for at in (0..state.len()).step_by(7) {
        let other = if state.as_bytes()[at] == b'A' {
            "B"
        } else {
            "A"
        };
        let forged = format!("{}{other}{}", &state[..at], &state[at + 1..]);
        let answer = guest.get(&back.replace(&state, &forged)).await;
        assert_eq!(problem(&answer), "state", "{at}");
    }
    for forged in [&state[1..], &state[..state.len() - 4], &state.repeat(2)] {
        let answer = guest.get(&back.replace(&state, forged)).await;
        assert_eq!(problem(&answer), "state");
    }
    assert!(calls_to(&product, TOKENS).await.is_empty());
    // None of it has used the sign-in up.
    assert_eq!(guest.get(&back).await.location(), "/cart");
}

#[tokio::test]
async fn a_session_that_was_planted_is_signed_in_for_its_guest_alone() {
    let product = Product::start().await;
    // One that the attacker has begun, with a cart, and one that nobody has.
    let attacker = at_table_with_a_dish(&product).await;
    let anonymous = tower_sessions::session::Id::default().to_string();
    for planted in [attacker.cookie(COOKIE).unwrap(), anonymous] {
        let victim = product.guest();
        victim.set_cookie(COOKIE, &planted);
        let page = begin(&victim, MENU).await;
        let back = confirm(&product, &page).await;
        let knows = victim.second_tab();
        assert_eq!(victim.get(&back).await.location(), MENU);
        assert!(account_of(&product, &victim).await.is_some());
        assert_ne!(victim.cookie(COOKIE).unwrap(), planted);
        let spy = product.guest();
        spy.set_cookie(COOKIE, &planted);
        for spy in [&spy, &knows] {
            assert_eq!(spy.get("/profile").await.status, 303);
            let shell = spy.data(MENU).await["shell"].clone();
            assert!(shell["balance"].is_null(), "{shell}");
        }
        // Nor does a sign-out give the planted one back.
        victim
            .post_once("/session/sign-out", &[("back", MENU)])
            .await;
        assert_ne!(victim.cookie(COOKIE), Some(planted));
    }
}

//! A signed-in guest whose bearer runs out (AU-07, AU-08, AU-14, R-16, S-01). The sessions are prepared through the
//! product's own state, in its own folder, with its own keys: the way over the sign-in page is `sign_in`'s.

use std::sync::Arc;

use dastarkhan::{
    keys::seal::Keys,
    state::{Options, State, sessions::Sessions},
    upstream::{Bearer, TrackId},
    web::session::{Account, INSECURE_COOKIE as COOKIE, Moved, Sess, Things},
};
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use tower_sessions::{Session, session::Id};

use crate::{
    cart_sums::REWARDING,
    sign_in,
    support::{Guest, Product, VENUE, client, eventually, plain_products},
};

const TOKENS: &str = "/api/v2/oauth2/tokens";
const FAVOURITES: &str = "/menu/v3/favourite/products";
const MENU: &str = "/filials/1013";

/// A guest with a dish in the cart whom the sandbox has signed in.
struct SignedIn {
    guest: Guest,
    bearer: String,
    track: String,
}

pub async fn sandbox(product: &Product, path: &str, bearer: Option<&str>, body: Value) -> Value {
    let mut request = client()
        .request(Method::POST, format!("{}{path}", product.sandbox))
        .json(&body);
    if let Some(bearer) = bearer {
        request = request.bearer_auth(bearer);
    }
    let answer = request.send().await.unwrap();
    assert!(answer.status().is_success(), "{path}");
    answer.json().await.unwrap()
}

pub async fn sessions(product: &Product) -> Arc<Sessions> {
    let keys = Keys::load_or_create(&product.folder).unwrap();
    let state = State::open(Options::new(&product.folder, keys)).await;
    Arc::new(state.unwrap().sessions())
}

/// The session of a guest, with what reads and writes it.
pub async fn session_of(product: &Product, guest: &Guest) -> (Session, Sess) {
    let id: Id = guest.cookie(COOKIE).unwrap().parse().unwrap();
    let session = Session::new(Some(id), sessions(product).await, None);
    let (mut parts, ()) = axum::http::Request::new(()).into_parts();
    parts.extensions.insert(session.clone());
    let sess = Sess::of(&parts).await;
    (session, sess)
}

pub async fn account_of(product: &Product, guest: &Guest) -> Option<Account> {
    session_of(product, guest).await.1.account().await
}

async fn signed_in(product: &Product) -> SignedIn {
    let guest = product.guest_at_table(VENUE, "t7").await;
    let menu = guest.get(MENU).await.data();
    guest.add(VENUE, plain_products(&menu)[0].0).await;
    let (bearer, track) = sign_in(product, &guest).await;
    product.forget_log().await;
    SignedIn {
        guest,
        bearer,
        track,
    }
}

/// Signs a guest in who has a session already; the bearer and its track.
pub async fn sign_in(product: &Product, guest: &Guest) -> (String, String) {
    let phone = json!({ "phone": "+77010000009", "code": "1234" });
    let track = sandbox(product, "/api/v1/oauth2/tracks", None, phone).await["data"]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let grant = json!({
        "client_id": "web", "grant_type": "authorization_track_id", "track_id": track,
    });
    let bearer = sandbox(product, TOKENS, None, grant).await["access_token"]
        .as_str()
        .unwrap()
        .to_owned();
    let (_, sess) = session_of(product, guest).await;
    let before = sess.id();
    keep(
        product,
        &sess,
        Account::new(
            Bearer::new(&bearer).unwrap(),
            Some(track.parse::<TrackId>().unwrap()),
            None,
        ),
    )
    .await;
    assert_ne!(sess.id(), before, "a sign-in gives another session id");
    guest.set_cookie(COOKIE, &sess.id().unwrap().to_string());
    (bearer, track)
}

/// Signs a session in.
pub async fn keep(product: &Product, sess: &Sess, account: Account) -> Moved {
    let store = sessions(product).await;
    sess.sign_in(&store, &account, Things::Own, 0)
        .await
        .unwrap()
}

const REVOKE: &str = "/api/v2/oauth2/tokens/revoke";

/// The token runs out.
pub async fn revoke(product: &Product, bearer: &str) {
    sandbox(product, REVOKE, Some(bearer), json!({})).await;
    product.forget_log().await;
}

/// The token of this guest runs out. One that was just renewed may be written a moment after the page that it was renewed
/// for: the one of before has run out already.
pub async fn bearer_runs_out(product: &Product, guest: &Guest) {
    eventually(30, async || {
        let account = account_of(product, guest).await?;
        let request = client()
            .post(format!("{}{REVOKE}", product.sandbox))
            .json(&json!({}))
            .bearer_auth(account.bearer.as_str());
        let answer = request.send().await.unwrap();
        answer.status().is_success().then_some(())
    })
    .await;
    product.forget_log().await;
}

/// The requests of a path, each with its bearer.
pub async fn calls_to(product: &Product, path: &str) -> Vec<String> {
    let log = product.sandbox_get("log").await;
    log.iter()
        .filter(|entry| entry["path"] == path)
        .map(|entry| {
            let sent = entry["headers"]["authorization"].as_str();
            sent.unwrap_or_default().to_owned()
        })
        .collect()
}

fn cart_count(page: &Value) -> u64 {
    page["shell"]["cart"]["count"].as_u64().unwrap_or_default()
}

#[tokio::test]
async fn parallel_requests_whose_bearer_ran_out_renew_it_once_and_keep_it() {
    let product = Product::start().await;
    let signed = signed_in(&product).await;
    revoke(&product, &signed.bearer).await;

    let tabs: Vec<Guest> = (0..50).map(|_| signed.guest.second_tab()).collect();
    for page in join_all(tabs.iter().map(|tab| tab.data(MENU))).await {
        assert_eq!((&page["status"], cart_count(&page)), (&json!(200), 1));
    }
    assert_eq!(calls_to(&product, TOKENS).await.len(), 1);
    let old = format!("Bearer {}", signed.bearer);
    let (refused, again): (Vec<_>, Vec<_>) = calls_to(&product, FAVOURITES)
        .await
        .into_iter()
        .partition(|sent| *sent == old);
    // None is sent a third time; one whose deadline of 600 ms came first is not sent again at all.
    assert!((1..=50).contains(&refused.len()), "{}", refused.len());
    assert!(again.len() <= 50, "{}", again.len());
    assert!(
        again
            .iter()
            .all(|sent| sent.starts_with("Bearer ") && *sent != old)
    );

    let account = account_of(&product, &signed.guest).await.unwrap();
    assert_ne!(account.bearer.as_str(), signed.bearer);
    product.forget_log().await;
    // On a slow machine so many came too late that favourites are left alone for a while.
    let calls = eventually(30, async || {
        let page = signed.guest.get(MENU).await;
        assert_eq!(page.header("etag"), "", "never a page for everybody");
        Some(calls_to(&product, FAVOURITES).await).filter(|calls| !calls.is_empty())
    })
    .await;
    let new = format!("Bearer {}", account.bearer.as_str());
    assert_eq!(calls, [new]);
    assert_eq!(calls_to(&product, TOKENS).await.len(), 0);
}

#[tokio::test]
async fn a_guest_whose_bearer_can_not_be_renewed_goes_on_signed_out_with_the_cart() {
    let product = Product::start().await;
    let signed = signed_in(&product).await;
    revoke(&product, &signed.bearer).await;
    product.fail(TOKENS, 401).await;

    let tabs: Vec<Guest> = (0..20).map(|_| signed.guest.second_tab()).collect();
    // Data, not documents: so many renders at once may be shed on a busy machine.
    for page in join_all(tabs.iter().map(|tab| tab.data(MENU))).await {
        assert_eq!((&page["status"], cart_count(&page)), (&json!(200), 1));
        assert_eq!(page["page"]["data"]["failed"], false);
    }
    assert_eq!(calls_to(&product, TOKENS).await.len(), 1);
    assert!(account_of(&product, &signed.guest).await.is_none());

    product.forget_log().await;
    let cart = signed.guest.get("/cart").await;
    assert_eq!((cart.status, cart_count(&cart.data())), (200, 1));
    signed.guest.get(MENU).await;
    let log = product.sandbox_get("log").await;
    assert!(
        log.iter()
            .all(|entry| entry["headers"]["authorization"].is_null()),
        "no call tries the old bearer again"
    );
    assert_eq!(
        product
            .logs()
            .matches("the guest goes on signed out")
            .count(),
        1,
        "signed out once"
    );
}

#[tokio::test]
async fn a_renewed_bearer_that_is_refused_too_ends_the_sign_in_without_a_loop() {
    let product = Product::start().await;
    let signed = signed_in(&product).await;
    product
        .control(
            "faults",
            json!({ "path": FAVOURITES, "kind": "error_code", "status": 401 }),
        )
        .await;
    let page = signed.guest.get(MENU).await;
    assert_eq!((page.status, cart_count(&page.data())), (200, 1));
    assert_eq!(calls_to(&product, TOKENS).await.len(), 1);
    let bearers = calls_to(&product, FAVOURITES).await;
    let signed_calls = bearers.iter().filter(|sent| !sent.is_empty()).count();
    assert_eq!(signed_calls, 2, "the call and its repetition");
    assert!(account_of(&product, &signed.guest).await.is_none());
    product.forget_log().await;
    signed.guest.get(MENU).await;
    assert_eq!(calls_to(&product, TOKENS).await.len(), 0);
}

#[tokio::test]
async fn a_sign_in_service_that_is_down_signs_no_guest_out() {
    let product = Product::start().await;
    let signed = signed_in(&product).await;
    revoke(&product, &signed.bearer).await;
    product.fail(TOKENS, 503).await;
    assert_eq!(signed.guest.get(MENU).await.status, 200);
    let kept = account_of(&product, &signed.guest).await.unwrap();
    assert_eq!(kept.bearer.as_str(), signed.bearer);

    product.no_faults().await;
    assert_eq!(signed.guest.get(MENU).await.status, 200);
    let renewed = account_of(&product, &signed.guest).await.unwrap();
    assert_ne!(renewed.bearer.as_str(), signed.bearer);
}

#[tokio::test]
async fn neither_bearer_nor_track_leaves_the_server() {
    let product = Product::start().await;
    let signed = signed_in(&product).await;
    let mut told = String::new();
    for round in 0..2 {
        for path in ["/", "/filials", MENU, "/cart", "/town", "/nowhere"] {
            let page = signed.guest.get(path).await;
            told += &format!("{:?}", page.headers);
            told += &page.text();
            told += &signed.guest.data(path).await.to_string();
        }
        if round == 0 {
            revoke(&product, &signed.bearer).await;
        }
    }
    let account = account_of(&product, &signed.guest).await.unwrap();
    assert_ne!(account.bearer.as_str(), signed.bearer, "it was renewed");
    told += &product.logs();
    told += &product.admin("/metrics").await.1;
    let mut stored = Vec::new();
    for file in std::fs::read_dir(&product.folder).unwrap() {
        let path = file.unwrap().path();
        if path
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with("state.sqlite"))
        {
            stored.extend(std::fs::read(path).unwrap());
        }
    }
    assert!(!stored.is_empty());
    told += &String::from_utf8_lossy(&stored);
    for secret in [&signed.bearer, account.bearer.as_str(), &signed.track] {
        assert!(!told.contains(secret), "{}", &secret[..3]);
    }
}

#[tokio::test]
async fn the_header_shows_the_balance_where_the_route_asks_for_it() {
    let product = Product::start().await;
    let signed = signed_in(&product).await;
    product
        .control(
            "balance",
            json!({ "phone": "+77010000009", "bonus": 99_999 }),
        )
        .await;
    let page = signed.guest.get("/cart").await;
    let shown = page.data()["shell"]["balance"].as_i64().unwrap();
    assert!(shown >= 9_999_900, "bonus and money in hundredths: {shown}");
    assert!(page.rendered().contains("class=\"chip balance num\""));
    assert!(signed.guest.get("/faq").await.data()["shell"]["balance"].is_null());
    assert!(product.guest().get("/cart").await.data()["shell"]["balance"].is_null());

    // BL-06: smaller letters at 100,000 or more.
    let small = "data-long=\"true\"";
    for (bonus, long) in [(0, false), (99_999, false), (100_000, true)] {
        let set = json!({ "phone": "+77010000009", "bonus": bonus });
        product.control("balance", set).await;
        let page = signed.guest.get("/brands").await;
        let shown = page.data()["shell"]["balance"].as_i64().unwrap();
        assert_eq!(shown >= 10_000_000, long, "{shown}");
        assert_eq!(page.rendered().contains(small), long, "{shown}");
    }

    product.fail("/balance", 500).await;
    let page = signed.guest.get("/cart").await;
    assert_eq!(page.status, 200);
    assert_eq!(page.data()["shell"]["balance"], 0, "any failure is 0");
}

/// BL-03, BL-04.
#[tokio::test]
async fn a_menu_shows_the_reward_of_its_venue_else_the_plain_balance_unless_the_venue_hides_it() {
    const CHIP: &str = "class=\"chip balance num\"";
    let product = Product::with(&["--catalogue-fresh-ms", "1"]).await;
    let signed = signed_in(&product).await;
    let menu = format!("/filials/{REWARDING}");
    let told = json!({ "/data/balance": 99, "/data/available_balance": 77 });
    product
        .replace("/private-reward/api/v1/balance", told)
        .await;
    let page = signed.guest.get(&menu).await;
    assert_eq!(page.data()["shell"]["balance"], 7_700);
    assert!(page.rendered().contains(CHIP));
    // Elsewhere it is the plain one.
    let plain = signed.guest.get("/cart").await.data()["shell"]["balance"].clone();
    assert!(plain.is_i64() && plain != 7_700, "{plain}");

    product.no_faults().await;
    product.fail("/private-reward", 500).await;
    let page = signed.guest.get(&menu).await;
    assert_eq!(page.data()["shell"]["balance"], plain);
    assert!(page.rendered().contains(CHIP));

    let card = format!("/takeaway/locations/card/terminal/{REWARDING}");
    let hides = json!({ "/data/private_reward_button_disabled": true });
    product.replace(&card, hides).await;
    product.fail("/private-reward", 500).await;
    // Until the venue that was kept is renewed.
    let page = eventually(20, || async {
        let page = signed.guest.get(&menu).await;
        page.data()["shell"]["balance"].is_null().then_some(page)
    })
    .await;
    assert_eq!(page.status, 200);
    assert!(!page.rendered().contains(CHIP));
}

/// A failure is an answer, silence is none: what nobody has told is no zero.
#[tokio::test]
async fn while_the_upstream_is_silent_the_balance_has_no_number() {
    let product = Product::start().await;
    let signed = signed_in(&product).await;
    for path in ["/cart", "/brands"] {
        let page = signed.guest.get(path).await;
        assert!(page.data()["shell"]["balance"].is_i64(), "{path}");
    }
    for kind in ["hang", "reset"] {
        let fault = json!({ "path": "/balance", "kind": kind });
        product.control("faults", fault).await;
        for path in ["/cart", "/brands"] {
            let page = signed.guest.get(path).await;
            assert_eq!(page.status, 200, "{kind} {path}");
            let shell = &page.data()["shell"];
            assert!(shell["balance"].is_null(), "{kind} {path}: {shell}");
            assert_eq!(shell["balanceUnknown"], true);
            let html = page.rendered();
            let (_, chip) = html.split_once("class=\"chip balance num\"").unwrap();
            let (chip, _) = chip.split_once("</a>").unwrap();
            let (_, said) = chip.split_once('>').unwrap();
            assert!(
                !said.contains(|sign: char| sign.is_ascii_digit()),
                "{kind} {path}: {said}"
            );
        }
        product.no_faults().await;
    }
}

#[tokio::test]
async fn a_chosen_language_is_told_to_the_upstream_and_its_failure_changes_nothing() {
    const LANGUAGE: &str = "/profile/api/v1/profile/language";
    let product = Product::start().await;
    let signed = signed_in(&product).await;
    let broken = json!({ "path": LANGUAGE, "kind": "status", "status": 500 });
    for fails in [false, true] {
        if fails {
            product.control("faults", broken.clone()).await;
        }
        product.forget_log().await;
        let page = signed.guest.get("/faq?lang=en").await;
        assert_eq!(page.status, 200);
        assert!(page.text().contains("<html lang=\"en\""));
        let told = eventually(10, || async {
            let log = product.sandbox_get("log").await;
            log.into_iter().find(|entry| entry["path"] == LANGUAGE)
        })
        .await;
        assert_eq!(told["method"], "POST");
        let body = told["body"].to_string();
        assert!(body.contains("en"), "{body}");

        // Not after the failure, which is tried once more by itself.
        if !fails {
            product.forget_log().await;
            signed.guest.get("/faq").await;
            assert!(
                calls_to(&product, LANGUAGE).await.is_empty(),
                "only a choice"
            );
        }
    }
}

/// What the upstream has at a sign-in is the language of before, while it is told the one that is spoken here.
#[tokio::test]
async fn the_language_of_messages_is_not_named_before_the_sign_in_has_set_it() {
    let product = Product::start().await;
    product
        .control(
            "faults",
            json!({ "path": "/profile/api/v1/profile/language", "kind": "hang" }),
        )
        .await;
    for (said, named) in [
        // Not spoken in Georgia: it gives way.
        ("kk", Value::Null),
        // Chosen elsewhere: it stays.
        ("en", json!("en")),
    ] {
        product
            .replace("/profile/api/v1/profile", json!({ "/data/language": said }))
            .await;
        let guest = product.guest();
        guest.get("/faq?country=ge").await;
        let page = sign_in::begin(&guest, "/profile?country=ge").await;
        let back = sign_in::confirm_as(&product, &page, "+995555000322").await;
        assert_eq!(guest.get(&back).await.status, 303);
        let page = guest.get("/profile?country=ge").await;
        assert!(page.text().contains("<html lang=\"ka\""));
        assert_eq!(page.data()["page"]["data"]["messages"], named, "{said}");
    }
}

/// An account begins with a language of its own.
#[tokio::test]
async fn messages_come_in_a_language_that_is_spoken_where_the_guest_signs_in() {
    const LANGUAGE: &str = "/profile/api/v1/profile/language";
    let product = Product::start().await;
    for (place, told) in [
        ("lang=ka&country=ge", Some("ka")),
        // Of the country, while the guest reads another one here.
        ("lang=en&country=kz", Some("en")),
        ("lang=kk&country=kz", None),
    ] {
        let guest = product.guest();
        guest.get(&format!("/faq?{place}")).await;
        let page = sign_in::begin(&guest, "/faq").await;
        product.forget_log().await;
        let phone = if told == Some("ka") {
            "+995555000321"
        } else {
            "+77010000321"
        };
        let back = sign_in::confirm_as(&product, &page, phone).await;
        assert_eq!(guest.get(&back).await.status, 303);
        // The profile is asked in any case, to see which one it has.
        eventually(10, || async {
            let log = product.sandbox_get("log").await;
            let called = |path: &str| log.iter().any(|entry| entry["path"] == path);
            let is_told = told.is_none() || called(LANGUAGE);
            (called("/profile/api/v1/profile") && is_told).then_some(())
        })
        .await;
        let log = product.sandbox_get("log").await;
        let sent = log.iter().find(|entry| entry["path"] == LANGUAGE);
        assert_eq!(
            sent.map(|entry| entry["body"].to_string().contains(told.unwrap_or_default())),
            told.map(|_| true)
        );
    }
}

#[tokio::test]
async fn gifts_and_coupons_of_a_guest_stand_in_the_cart_and_their_failure_costs_nothing() {
    let product = Product::start().await;
    let signed = signed_in(&product).await;
    let offers = async || {
        let cart = signed.guest.get("/cart?lang=en").await;
        assert_eq!((cart.status, cart_count(&cart.data())), (200, 1));
        cart.data()["page"]["data"]["offers"].clone()
    };
    let gift = json!({ "id": "g", "name": "Tea", "code": "TEA", "expires_at": null });
    let over =
        json!({ "id": "o", "name": "Bread", "code": "OVER", "expires_at": "2020-01-01T00:00:00Z" });
    product
        .replace("/menu-promos/v1/gifts", json!({ "/data": [over, gift] }))
        .await;
    let both = offers().await;
    let free = json!({ "from": null, "until": null });
    let tea = json!({ "name": "Tea", "code": "TEA", "terms": free });
    assert_eq!(both[0], tea, "{both}");
    // What a coupon depends on stands with it, in the money of the venue.
    let asked = product.queries("/menu-promos/v1/coupons").await;
    assert_eq!(asked[0]["filial_id"], VENUE.to_string());
    let first = both
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["code"] == "FIRST500")
        .unwrap();
    assert_eq!(first["terms"]["from"], 300_000, "{first}");
    assert_eq!(first["terms"]["off"], 50_000, "{first}");
    assert!(first["terms"]["until"].is_i64(), "{first}");
    assert!(both.as_array().unwrap().len() > 1, "coupons, too: {both}");
    assert!(!both.to_string().contains("OVER"), "{both}");
    let shown = signed.guest.get("/cart?lang=en").await.texts(".offers");
    assert!(shown[0].contains("Tea"), "{shown:?}");
    let terms = "500\u{a0}₸ off · Orders from 3\u{a0}000\u{a0}₸ · Last day: ";
    assert!(shown[0].contains(terms), "{shown:?}");

    product.fail("/menu-promos/v1/coupons", 500).await;
    assert_eq!(offers().await, json!([tea]));
    product.no_faults().await;
    product.fail("/menu-promos/v1", 500).await;
    assert_eq!(offers().await, json!([]));
    // Nobody else has any.
    product.no_faults().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let menu = guest.get(MENU).await.data();
    guest.add(VENUE, plain_products(&menu)[0].0).await;
    assert_eq!(
        guest.get("/cart").await.data()["page"]["data"]["offers"],
        json!([])
    );
}

//! A deleted account is not signed in as if nothing were wrong: its guest may restore it, or go on without (AU-16).

use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    account::{account_of, calls_to, sandbox, session_of},
    sign_in::{
        LANGS, MENU, TOKENS, at_table_with_a_dish, begin, confirm_as, order, problem, sign_in,
        track_of,
    },
    support::{Guest, Product, client, eventually},
};

const RESTORE: &str = "/api/v3/user/restore";
const REVOKE: &str = "/api/v2/oauth2/tokens/revoke";
const PHONE: &str = "+77010000033";
const ASKED: &str = "/auth?problem=deleted&back=%2Fcart";

async fn bearer(product: &Product) -> String {
    let track = track_of(product, PHONE).await;
    let grant =
        json!({ "client_id": "web", "grant_type": "authorization_track_id", "track_id": track });
    let token = sandbox(product, TOKENS, None, grant).await;
    token["access_token"].as_str().unwrap().to_owned()
}

/// The account of the phone, elsewhere.
async fn account(product: &Product, method: Method) -> Value {
    let request = client()
        .request(method, format!("{}/api/v3/user", product.sandbox))
        .bearer_auth(bearer(product).await);
    let answer: Value = request.send().await.unwrap().json().await.unwrap();
    answer["data"].clone()
}

/// A guest with a dish at a table who has signed in with the deleted account.
async fn asked_to_restore(product: &Product) -> (Guest, Guest) {
    account(product, Method::DELETE).await;
    let guest = at_table_with_a_dish(product).await;
    let page = begin(&guest, "/cart").await;
    let (back, old) = (confirm_as(product, &page, PHONE).await, guest.second_tab());
    let answer = guest.get(&back).await;
    assert_eq!(problem(&answer), "deleted");
    assert_eq!(answer.location(), ASKED);
    (guest, old)
}

async fn problem_shown(guest: &Guest) -> Value {
    guest.get(ASKED).await.data()["page"]["data"]["problem"].clone()
}

#[tokio::test]
async fn a_deleted_account_is_signed_in_once_it_is_restored() {
    let product = Product::start().await;
    let (guest, old) = asked_to_restore(&product).await;
    assert!(account_of(&product, &guest).await.is_none());
    let (mut words, reader) = (Vec::new(), guest.second_tab());
    for lang in LANGS {
        let page = reader.get(&format!("{ASKED}&lang={lang}")).await;
        assert_eq!(page.data()["page"]["data"]["problem"], "deleted");
        let html = page.rendered();
        assert_eq!(html.matches(r#"action="/session/restore""#).count(), 2);
        assert!(!html.contains(r#"action="/session/sign-in""#), "{html}");
        words.extend(page.texts(".empty .soft"));
        words.extend(page.texts(".empty button"));
    }
    words.sort();
    words.dedup();
    assert_eq!(words.len(), 12, "{words:?}");
    // Neither a stranger nor who knows the id of before restores it.
    for other in [&product.guest(), &old] {
        let answer = other.post_once("/session/restore", &[("back", "/")]).await;
        assert_eq!(problem(&answer), "expired");
    }
    assert!(calls_to(&product, RESTORE).await.is_empty());
    // An upstream that fails is asked again.
    product.fail(RESTORE, 503).await;
    let fields = [("back", "/cart")];
    let page = guest.submit("/session/restore", &fields).await;
    let error = &page.data()["shell"]["flash"]["errors"][0]["code"];
    assert_eq!(error, "unavailable");
    assert_eq!(page.data()["page"]["data"]["problem"], "deleted");
    product.no_faults().await;

    let before = guest.second_tab();
    let answer = guest.post_once("/session/restore", &fields).await;
    assert_eq!(
        (answer.status, answer.location()),
        (303, "/cart".to_owned())
    );
    let kept = account_of(&product, &guest).await.unwrap();
    assert!(kept.track.is_some());
    assert!(account_of(&product, &before).await.is_none(), "a new id");
    assert_eq!(
        account(&product, Method::GET).await["deleted_at"],
        Value::Null
    );
    let cart = guest.get("/cart").await.data();
    assert_eq!(cart["shell"]["cart"]["count"], 1);
    let profile = guest.get("/profile").await.data();
    assert_eq!(profile["page"]["data"]["phone"], PHONE);
    order(&guest).await;
}

#[tokio::test]
async fn a_guest_who_goes_on_without_the_deleted_account_orders_and_its_token_is_given_back() {
    let product = Product::start().await;
    let (guest, _) = asked_to_restore(&product).await;
    product.forget_log().await;
    let no = [("answer", "no"), ("back", "/cart")];
    let answer = guest.post_once("/session/restore", &no).await;
    assert_eq!(answer.location(), "/cart");
    let given = eventually(10, || async { calls_to(&product, REVOKE).await.pop() }).await;
    assert!(given.starts_with("Bearer "), "{given}");
    assert_eq!(problem_shown(&guest).await, "expired");
    let again = guest.post_once("/session/restore", &[("back", "/")]).await;
    assert_eq!(problem(&again), "expired");
    assert!(account_of(&product, &guest).await.is_none());
    order(&guest).await;
    assert!(account(&product, Method::GET).await["deleted_at"].is_string());
}

#[tokio::test]
async fn a_deleted_account_waits_for_ten_minutes() {
    let product = Product::start().await;
    let (guest, _) = asked_to_restore(&product).await;
    let (_, sess) = session_of(&product, &guest).await;
    let now = std::time::UNIX_EPOCH.elapsed().unwrap().as_millis() as i64;
    assert!(sess.restorable(now).await.is_some());
    assert!(sess.restorable(now + 10 * 60 * 1000).await.is_none());
}

#[tokio::test]
async fn a_track_and_the_profile_tell_of_a_deleted_account_too() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    account(&product, Method::DELETE).await;
    let track = track_of(&product, PHONE).await;
    let fields = [("track_id", track.as_str()), ("back", "/cart")];
    let answer = guest.post_json("/session/track", &fields).await;
    assert_eq!(answer.json()["redirect"], ASKED);
    assert!(account_of(&product, &guest).await.is_none());
    assert_eq!(problem_shown(&guest).await, "deleted");
    // A guest who is signed in while the account is deleted elsewhere.
    let other = at_table_with_a_dish(&product).await;
    let request = client()
        .post(format!("{}{RESTORE}", product.sandbox))
        .bearer_auth(bearer(&product).await);
    assert!(request.send().await.unwrap().status().is_success());
    let page = begin(&other, MENU).await;
    let back = confirm_as(&product, &page, PHONE).await;
    assert_eq!(other.get(&back).await.location(), MENU);
    account(&product, Method::DELETE).await;
    let answer = other.get("/profile").await;
    assert_eq!(problem(&answer), "deleted");
    assert!(account_of(&product, &other).await.is_none());
    let restored = other
        .post_once("/session/restore", &[("back", "/profile")])
        .await;
    assert_eq!(restored.location(), "/profile");
    assert_eq!(other.get("/profile").await.status, 200);
    // Other guests are not asked.
    let third = product.guest();
    assert_eq!(sign_in(&product, &third, "/faq").await.location(), "/faq");
}

/// S-16: the cart was of the guest whose account is gone.
#[tokio::test]
async fn another_guest_after_an_account_that_was_deleted_elsewhere_takes_over_nothing() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    let page = begin(&guest, MENU).await;
    guest.get(&confirm_as(&product, &page, PHONE).await).await;
    account(&product, Method::DELETE).await;
    assert_eq!(problem(&guest.get("/profile").await), "deleted");
    assert_eq!(guest.get("/cart").await.data()["shell"]["cart"]["count"], 1);
    // Of another phone.
    sign_in(&product, &guest, "/cart").await;
    assert_eq!(
        guest.get("/cart").await.data()["shell"]["cart"],
        Value::Null
    );
}

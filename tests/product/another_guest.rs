//! One browser, one guest after another: nothing of the first is the second's (AU-06, S-01, S-03, S-16).

use serde_json::{Value, json};

use crate::{
    account::{account_of, calls_to, revoke, session_of},
    orders::{refuse_writes, take_writes},
    search::{booking_page, form, found, free},
    sign_in::{
        MENU, PHONE, TOKENS, at_table_with_a_dish, begin, confirm, confirm_as, device_of, order,
        sign_in, track_of,
    },
    support::{Guest, Product, VENUE, eventually, plain_products},
};

const REVOKE: &str = "/api/v2/oauth2/tokens/revoke";
const UNASSIGN: &str = "/api/v2/push-gateway/token/un-assign";
const BOOKING: &str = "/brands/booking";
const OTHER: &str = "+77010000032";

/// A guest with an order, a dish in the cart, an age answer and a push token, signed in; the bearer.
async fn with_everything(product: &Product, guest: &Guest) -> String {
    order(guest).await;
    let menu = guest.get(MENU).await.data();
    guest.add(VENUE, plain_products(&menu)[0].0).await;
    guest
        .post("/session/age", &[("answer", "yes"), ("back", MENU)])
        .await;
    let push = [("token", "push-token-of-the-first")];
    assert_eq!(guest.post_json("/session/push", &push).await.status, 200);
    bearer_of(product, guest).await
}

async fn bearer_of(product: &Product, guest: &Guest) -> String {
    let account = account_of(product, guest).await.unwrap();
    format!("Bearer {}", account.bearer.as_str())
}

async fn revoked(product: &Product, bearer: &str) {
    eventually(10, || async {
        let sent = calls_to(product, REVOKE).await;
        sent.iter().any(|sent| sent == bearer).then_some(())
    })
    .await;
}

/// Nothing of the first guest is there, but the table.
async fn is_bare(product: &Product, guest: &Guest, before: &Value) {
    let shell = guest.get("/cart").await.data()["shell"].clone();
    assert_eq!(shell["cart"], Value::Null);
    assert!(shell["table"].is_object());
    assert_eq!(
        shell["table"]["tableId"],
        before["shell"]["table"]["tableId"]
    );
    let (_, sess) = session_of(product, guest).await;
    assert!(sess.own_orders().await.is_empty());
    assert!(sess.age().await.is_none() && sess.push().await.is_none());
}

async fn phone_of(guest: &Guest) -> Value {
    guest.get("/profile").await.data()["page"]["data"]["phone"].clone()
}

#[tokio::test]
async fn a_track_of_another_guest_takes_over_nothing_of_the_first() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    sign_in(&product, &guest, "/cart").await;
    let bearer = with_everything(&product, &guest).await;
    let (old, device) = (guest.second_tab(), device_of(&product, &guest).await);
    let before = guest.get("/cart").await.data();
    assert_eq!(before["shell"]["cart"]["count"], 1);
    let track = track_of(&product, OTHER).await;
    product.forget_log().await;

    let fields = [("track_id", track.as_str()), ("back", MENU)];
    let answer = guest.post_json("/session/track", &fields).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.json()["redirect"], MENU, "scripts load it anew");
    assert_eq!(phone_of(&guest).await, OTHER);
    is_bare(&product, &guest, &before).await;
    assert_ne!(device_of(&product, &guest).await, device);
    // Told with the bearer of the first, who is then taken no more; the second is.
    assert_eq!(calls_to(&product, UNASSIGN).await, [bearer.as_str()]);
    revoked(&product, &bearer).await;
    assert_eq!(calls_to(&product, REVOKE).await, [bearer.as_str()]);
    // The id of before leads nowhere.
    assert!(account_of(&product, &old).await.is_none());
    let shell = old.get("/cart").await.data()["shell"].clone();
    assert_eq!(shell["cart"], Value::Null);
    assert_eq!(shell["table"], Value::Null);
}

#[tokio::test]
async fn another_phone_in_a_second_tab_takes_over_nothing_of_the_first() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    let pages = [begin(&guest, MENU).await, begin(&guest, MENU).await];
    guest.get(&confirm(&product, &pages[0]).await).await;
    let bearer = with_everything(&product, &guest).await;
    let before = guest.get("/cart").await.data();
    product.forget_log().await;
    let answer = guest
        .get(&confirm_as(&product, &pages[1], OTHER).await)
        .await;
    assert_eq!(answer.location(), MENU);
    assert_eq!(phone_of(&guest).await, OTHER);
    is_bare(&product, &guest, &before).await;
    assert_eq!(calls_to(&product, UNASSIGN).await, [bearer.as_str()]);
    revoked(&product, &bearer).await;
}

#[tokio::test]
async fn the_same_guest_who_signs_in_again_keeps_everything_under_one_token() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    let pages = [begin(&guest, MENU).await, begin(&guest, MENU).await];
    guest.get(&confirm(&product, &pages[0]).await).await;
    let mut bearer = with_everything(&product, &guest).await;
    product.forget_log().await;
    let track = track_of(&product, PHONE).await;
    for again in ["code", "track"] {
        match again {
            "code" => drop(guest.get(&confirm(&product, &pages[1]).await).await),
            _ => drop(
                guest
                    .post_json("/session/track", &[("track_id", track.as_str())])
                    .await,
            ),
        }
        let now = bearer_of(&product, &guest).await;
        assert_ne!(now, bearer, "{again}");
        revoked(&product, &bearer).await;
        bearer = now;
        let cart = guest.get("/cart").await.data();
        assert_eq!(cart["shell"]["cart"]["count"], 1, "{again}");
        let (_, sess) = session_of(&product, &guest).await;
        assert_eq!(sess.own_orders().await.len(), 1, "{again}");
        assert!(sess.push().await.is_some(), "{again}");
    }
    assert!(calls_to(&product, UNASSIGN).await.is_empty());
    assert_eq!(phone_of(&guest).await, PHONE);
}

#[tokio::test]
async fn a_track_that_is_posted_again_signs_in_whom_the_upstream_has_signed_out() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    let track = track_of(&product, PHONE).await;
    let m = "m".repeat(22);
    let fields = [("track_id", track.as_str()), ("m", m.as_str())];
    assert_eq!(guest.post_json("/session/track", &fields).await.status, 200);
    let account = account_of(&product, &guest).await.unwrap();
    revoke(&product, account.bearer.as_str()).await;
    product.fail(TOKENS, 401).await;
    assert_eq!(guest.get("/profile").await.status, 303);
    assert!(account_of(&product, &guest).await.is_none());
    product.no_faults().await;
    // The very same post.
    assert_eq!(guest.post_json("/session/track", &fields).await.status, 200);
    assert!(account_of(&product, &guest).await.is_some());
}

#[tokio::test]
async fn a_refusal_holds_neither_the_track_nor_the_push_token() {
    const SECRET: &str = "tr_canary_of_the_guest";
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    for (path, field) in [("/session/track", "track_id"), ("/session/push", "token")] {
        let fields = [(field, SECRET), ("back", "/faq")];
        let told = guest.post_json(path, &fields).await;
        assert_eq!(told.json()["flash"]["errors"][0]["code"], "signIn");
        assert!(!told.text().contains(SECRET), "{path}: {}", told.text());
        let page = guest.submit(path, &fields).await;
        assert_eq!(page.data()["shell"]["flash"]["errors"][0]["code"], "signIn");
        assert!(!page.text().contains(SECRET), "{path}");
    }
}

/// Books a table, be it one more for the same time; the name and the phone are the form's own.
async fn book(guest: &Guest) -> String {
    let page = booking_page(guest).await;
    let venue = VENUE.to_string();
    let mut fields = form(&page, &venue, free(&page));
    fields.push(("another", "1"));
    let booked = guest.submit("/bookings", &fields).await.data();
    let done = &booked["page"]["data"]["done"];
    done.as_str().expect("a table was booked").to_owned()
}

#[tokio::test]
async fn the_next_one_after_a_sign_out_sees_no_booking_of_the_last() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    book(&guest).await;
    let named = guest.cookie("deviceId").unwrap();
    sign_in(&product, &guest, "/cart").await;
    guest
        .post_once("/session/sign-out", &[("back", MENU)])
        .await;
    let next = found(&guest, BOOKING).await;
    assert_eq!(next["own"], json!([]));
    assert_eq!((&next["name"], &next["phone"]), (&json!(""), &json!("")));
    let now = guest.cookie("deviceId").unwrap();
    assert_ne!(now, named, "scripts are told of another device");
    assert!(guest.get("/cart").await.data()["shell"]["table"].is_object());
}

#[tokio::test]
async fn a_table_booked_before_the_sign_in_is_shown_and_given_back_after_it() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let before = book(&guest).await;
    sign_in(&product, &guest, "/cart").await;
    let after = book(&guest).await;
    let own = found(&guest, BOOKING).await["own"].clone();
    let ids: Vec<&str> = own
        .as_array()
        .unwrap()
        .iter()
        .map(|table| table["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, [before.as_str(), after.as_str()]);
    for id in [before, after] {
        let calendar = guest.get(&format!("/bookings/{id}/calendar.ics")).await;
        assert_eq!(calendar.status, 200);
        let given = guest.post(&format!("/bookings/{id}/cancel"), &[]).await;
        assert_eq!((given.status, given.location()), (303, BOOKING.to_owned()));
    }
    assert_eq!(found(&guest, BOOKING).await["own"], json!([]));
}

#[tokio::test]
async fn a_sign_out_that_the_store_refuses_takes_nothing() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    sign_in(&product, &guest, "/cart").await;
    refuse_writes(&product, "no_session", "INSERT ON sessions");
    let out = [("back", MENU)];
    assert_eq!(guest.post_once("/session/sign-out", &out).await.status, 503);
    take_writes(&product, "no_session");
    assert!(account_of(&product, &guest).await.is_some());
    let cart = guest.get("/cart").await.data();
    assert_eq!(cart["shell"]["cart"]["count"], 1);
    assert!(cart["shell"]["table"].is_object());
    // And once it takes them again.
    assert_eq!(guest.post_once("/session/sign-out", &out).await.status, 303);
    assert!(account_of(&product, &guest).await.is_none());
    let cart = guest.get("/cart").await.data();
    assert_eq!(cart["shell"]["cart"], Value::Null);
}

/// The upstream ends the sign-in while the guest is away: everything stays for the guest who comes back (AU-08).
async fn ended_by_the_upstream(product: &Product, guest: &Guest) {
    let account = account_of(product, guest).await.unwrap();
    revoke(product, account.bearer.as_str()).await;
    product.fail(TOKENS, 401).await;
    assert_eq!(guest.get("/profile").await.status, 303);
    product.no_faults().await;
    assert!(account_of(product, guest).await.is_none());
    let (_, sess) = session_of(product, guest).await;
    assert_eq!(sess.own_orders().await.len(), 1);
    assert!(sess.age().await.is_some() && sess.push().await.is_some());
}

#[tokio::test]
async fn another_guest_after_a_sign_in_that_the_upstream_has_ended_takes_over_nothing() {
    let product = Product::start().await;
    for by in ["code", "track"] {
        let guest = at_table_with_a_dish(&product).await;
        sign_in(&product, &guest, "/cart").await;
        with_everything(&product, &guest).await;
        let (before, device) = (
            guest.get("/cart").await.data(),
            device_of(&product, &guest).await,
        );
        ended_by_the_upstream(&product, &guest).await;
        assert_eq!(guest.get("/cart").await.data()["shell"]["cart"]["count"], 1);
        let (page, track) = (begin(&guest, MENU).await, track_of(&product, OTHER).await);
        product.forget_log().await;
        match by {
            "code" => drop(guest.get(&confirm_as(&product, &page, OTHER).await).await),
            _ => drop(
                guest
                    .post_json("/session/track", &[("track_id", track.as_str())])
                    .await,
            ),
        }
        assert_eq!(phone_of(&guest).await, OTHER, "{by}");
        is_bare(&product, &guest, &before).await;
        assert_ne!(device_of(&product, &guest).await, device, "{by}");
        let now = bearer_of(&product, &guest).await;
        assert_eq!(calls_to(&product, UNASSIGN).await, [now], "{by}");
    }
}

#[tokio::test]
async fn the_same_guest_after_a_sign_in_that_the_upstream_has_ended_keeps_everything() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    sign_in(&product, &guest, "/cart").await;
    with_everything(&product, &guest).await;
    let device = device_of(&product, &guest).await;
    ended_by_the_upstream(&product, &guest).await;
    sign_in(&product, &guest, "/cart").await;
    assert_eq!(phone_of(&guest).await, PHONE);
    assert_eq!(guest.get("/cart").await.data()["shell"]["cart"]["count"], 1);
    let (_, sess) = session_of(&product, &guest).await;
    assert_eq!(sess.own_orders().await.len(), 1);
    assert!(sess.age().await.is_some() && sess.push().await.is_some());
    assert_eq!(device_of(&product, &guest).await, device);
}

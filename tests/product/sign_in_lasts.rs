//! How long a sign-in lasts: a bearer for an hour, a track for a day, both bought anew while the guest comes back (AU-07,
//! S-05).

use dastarkhan::web::session::Account;
use serde_json::json;

use crate::{
    account::{account_of, calls_to},
    sign_in::{MENU, PHONE, TOKENS, at_table_with_a_dish, sign_in, track_of},
    support::{Guest, Product, eventually},
};

const TRACKS: &str = "/api/v1/oauth2/tracks";
const PROFILE: &str = "/profile";

/// The upstream's clock is so many hours ahead.
async fn hours_pass(product: &Product, hours: i64) {
    use time::{Duration, OffsetDateTime, format_description::well_known::Rfc3339};
    let now = OffsetDateTime::now_utc() + Duration::hours(hours);
    let now = now.format(&Rfc3339).unwrap();
    product.control("clock", json!({ "now": now })).await;
}

/// The account, once it has another track than `before`.
async fn with_another_track(product: &Product, guest: &Guest, before: &Account) -> Account {
    eventually(10, || async {
        let account = account_of(product, guest).await.expect("signed in");
        (account.track.is_some() && account.track != before.track).then_some(account)
    })
    .await
}

#[tokio::test]
async fn a_guest_who_comes_back_every_day_stays_signed_in() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    sign_in(&product, &guest, MENU).await;
    let mut account = account_of(&product, &guest).await.unwrap();
    for day in 1..=4 {
        // Each visit finds the bearer over, and after the first one the track of the sign-in, too.
        hours_pass(&product, day * 20).await;
        assert_eq!(guest.get(PROFILE).await.status, 200, "day {day}");
        account = with_another_track(&product, &guest, &account).await;
    }
    assert_eq!(guest.get("/cart").await.data()["shell"]["cart"]["count"], 1);
}

#[tokio::test]
async fn a_track_that_was_not_to_be_had_at_the_sign_in_is_bought_by_a_later_visit() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    product.fail(TRACKS, 503).await;
    sign_in(&product, &guest, MENU).await;
    let without = account_of(&product, &guest).await.unwrap();
    assert!(without.track.is_none());
    product.no_faults().await;
    guest.get("/faq").await;
    with_another_track(&product, &guest, &without).await;
    hours_pass(&product, 2).await;
    assert_eq!(guest.get(PROFILE).await.status, 200);
}

#[tokio::test]
async fn a_track_that_can_not_be_had_is_not_asked_for_by_every_page() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    product.fail(TRACKS, 422).await;
    sign_in(&product, &guest, MENU).await;
    product.forget_log().await;
    guest.get("/faq").await;
    eventually(10, || async {
        (!calls_to(&product, TRACKS).await.is_empty()).then_some(())
    })
    .await;
    for page in ["/faq", "/cart", MENU] {
        guest.get(page).await;
    }
    assert_eq!(calls_to(&product, TRACKS).await.len(), 1);
}

#[tokio::test]
async fn the_track_of_a_host_app_is_known_after_another_one_was_bought() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    let track = track_of(&product, PHONE).await;
    let fields = [("track_id", track.as_str()), ("back", MENU)];
    assert_eq!(guest.post_json("/session/track", &fields).await.status, 200);
    let mut account = account_of(&product, &guest).await.unwrap();
    for day in 1..=2 {
        hours_pass(&product, day * 20).await;
        assert_eq!(guest.get(PROFILE).await.status, 200, "day {day}");
        // It is bought beside the page, and the next day needs it.
        account = with_another_track(&product, &guest, &account).await;
    }
    product.forget_log().await;
    assert_eq!(guest.post_json("/session/track", &fields).await.status, 200);
    assert_eq!(
        calls_to(&product, TOKENS).await,
        [""; 0],
        "no other sign-in"
    );
    assert_eq!(guest.get(PROFILE).await.status, 200);
}

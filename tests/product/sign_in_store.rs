//! What becomes of the session at a sign-in: other tabs, the id of before, a store that fails (R-14, R-15, S-03, S-20).

use dastarkhan::{
    upstream::Bearer,
    web::session::{Account, Attempt, INSECURE_COOKIE as COOKIE, Moved},
};

use crate::{
    account::{account_of, calls_to, keep, session_of, sessions},
    orders::{refuse_writes, take_writes},
    sign_in::{
        MENU, TOKENS, at_table_with_a_dish, begin, confirm, device_of, order, problem, sign_in,
        track_of,
    },
    support::{Product, VENUE, as_fields, eventually, order_fields, plain_products},
};

const REVOKE: &str = "/api/v2/oauth2/tokens/revoke";

fn an_account() -> Account {
    Account::new(Bearer::new("of-nobody").unwrap(), None, None)
}

#[tokio::test]
async fn what_another_tab_writes_while_a_sign_in_is_on_its_way_goes_along() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    // The callback has read its session and waits for the token.
    let (_, callback) = session_of(&product, &guest).await;
    guest
        .post("/session/age", &[("answer", "yes"), ("back", MENU)])
        .await;
    order(&guest).await;
    let old = guest.second_tab();
    let moved = keep(&product, &callback, an_account()).await;
    assert!(matches!(moved, Moved::On { before: None }));
    guest.set_cookie(COOKIE, &callback.id().unwrap().to_string());
    for tab in [guest, old] {
        let (_, sess) = session_of(&product, &tab).await;
        assert!(sess.age().await.is_some());
        assert_eq!(sess.own_orders().await.len(), 1);
    }
}

#[tokio::test]
async fn a_session_that_has_ended_meanwhile_is_not_signed_in() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    sign_in(&product, &guest, MENU).await;
    let (_, callback) = session_of(&product, &guest).await;
    let old = guest.second_tab();
    guest
        .post_once("/session/sign-out", &[("back", MENU)])
        .await;
    let moved = keep(&product, &callback, an_account()).await;
    assert!(matches!(moved, Moved::Over));
    for tab in [guest, old] {
        assert!(account_of(&product, &tab).await.is_none());
    }
}

#[tokio::test]
async fn a_store_that_fails_at_a_sign_in_leaves_everything_and_gives_the_token_back() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    order(&guest).await;
    let menu = guest.get(MENU).await.data();
    guest.add(VENUE, plain_products(&menu)[0].0).await;
    let (cookie, device) = (guest.cookie(COOKIE), device_of(&product, &guest).await);
    let page = begin(&guest, MENU).await;
    let back = confirm(&product, &page).await;
    let track = track_of(&product, "+77010000031").await;
    refuse_writes(&product, "no_session", "INSERT ON sessions");
    product.forget_log().await;
    assert_eq!(problem(&guest.get(&back).await), "unavailable");
    let track = [("track_id", track.as_str())];
    let told = guest.post_json("/session/track", &track).await;
    assert_eq!(told.json()["flash"]["errors"][0]["code"], "unavailable");
    take_writes(&product, "no_session");
    eventually(10, || async {
        (calls_to(&product, REVOKE).await.len() == 2).then_some(())
    })
    .await;
    assert_eq!(guest.cookie(COOKIE), cookie);
    assert!(account_of(&product, &guest).await.is_none());
    assert_eq!(device_of(&product, &guest).await, device);
    let shell = guest.get("/cart").await.data()["shell"].clone();
    assert_eq!(shell["cart"]["count"], 1);
    assert!(shell["table"].is_object());
    let (_, sess) = session_of(&product, &guest).await;
    assert_eq!(sess.own_orders().await.len(), 1);
    assert_eq!(sign_in(&product, &guest, MENU).await.location(), MENU);
}

#[tokio::test]
async fn the_session_id_of_before_the_sign_in_has_a_cart_of_its_own() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    let thief = guest.second_tab();
    sign_in(&product, &guest, MENU).await;
    let menu = guest.get(MENU).await.data();
    let dishes = plain_products(&menu);
    // Neither sees what the other does.
    let count = async |tab: &crate::support::Guest| {
        tab.get("/cart").await.data()["shell"]["cart"]["count"].clone()
    };
    thief.add(VENUE, dishes[1].0).await;
    assert_eq!(
        (count(&guest).await, count(&thief).await),
        (1.into(), 2.into())
    );
    guest.add(VENUE, dishes[2].0).await;
    guest.add(VENUE, dishes[3].0).await;
    assert_eq!(
        (count(&guest).await, count(&thief).await),
        (3.into(), 2.into())
    );
    // Nor does the version of the guest's order lead to it.
    let fields = order_fields(&guest.get("/cart").await.data());
    let placed = guest.post("/orders", &as_fields(&fields)).await.location();
    assert!(placed.contains("/order/"), "{placed}");
    let stolen = thief.post_once("/orders", &as_fields(&fields)).await;
    assert!(
        !stolen.location().contains("/order"),
        "{}",
        stolen.location()
    );
    assert!(
        session_of(&product, &thief)
            .await
            .1
            .own_orders()
            .await
            .is_empty()
    );
    assert_eq!(product.sandbox_get("orders").await.len(), 1);
}

#[tokio::test]
async fn two_tabs_that_begin_a_sign_in_at_once_are_both_known() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    let store = sessions(&product).await;
    let attempt = |name: char| Attempt {
        nonce: name.to_string().repeat(22),
        verifier: "v".repeat(44),
        redirect_uri: format!("{}/auth", product.web),
        until: i64::MAX,
    };
    // Both have read the session before either writes.
    let (one, two) = (
        session_of(&product, &guest).await,
        session_of(&product, &guest).await,
    );
    for ((session, sess), name) in [(&one, 'a'), (&two, 'b')] {
        sess.begin_sign_in(&store, attempt(name), 0).await.unwrap();
        session.save().await.unwrap();
    }
    // One ends while a third tab that has read both writes something else.
    let (session, third) = session_of(&product, &guest).await;
    let taken = one.1.take_sign_in(&store, &attempt('a').nonce).await;
    assert!(taken.unwrap().is_some());
    third.set_redirect_url("/faq").await.unwrap();
    session.save().await.unwrap();
    for (name, known) in [('a', false), ('b', true)] {
        let (_, sess) = session_of(&product, &guest).await;
        let taken = sess.take_sign_in(&store, &attempt(name).nonce).await;
        assert_eq!(taken.unwrap().is_some(), known, "{name}");
    }
}

#[tokio::test]
async fn a_guest_whose_return_would_not_be_known_is_not_sent_to_the_sign_in_page() {
    let product = Product::with(&[
        "--address-sessions-per-minute",
        "1",
        "--address-mutations-per-minute",
        "4",
    ])
    .await;
    let mut refused = None;
    for _ in 0..20 {
        let guest = product.guest();
        let answer = guest.get("/profile").await;
        if answer.status == 429 {
            refused = Some(guest);
            break;
        }
        assert_eq!(answer.status, 303);
        assert!(guest.cookie(COOKIE).is_some());
    }
    let refused = refused.expect("sessions are for the asking");
    assert!(refused.cookie(COOKIE).is_none());

    let product = Product::start().await;
    refuse_writes(&product, "no_session", "INSERT ON sessions");
    let guest = product.guest();
    let answer = guest.get("/profile").await;
    assert_eq!(answer.status, 503, "{}", answer.location());
    assert!(!answer.header("retry-after").is_empty());
    assert!(guest.cookie(COOKIE).is_none());
    take_writes(&product, "no_session");
    assert_eq!(guest.get("/profile").await.status, 303);
}

#[tokio::test]
async fn codes_are_counted_as_changes_are() {
    // Two at once, of which the second begin is one.
    let product = Product::with(&["--mutations-per-minute", "8"]).await;
    let guest = product.guest();
    let pages = [guest.get("/profile").await, guest.get("/profile").await];
    product.forget_log().await;
    let mut statuses = Vec::new();
    for page in pages {
        let page = url::Url::parse(&page.location()).unwrap();
        let state = crate::sign_in::query_value(&page, "state");
        let answer = guest.get(&format!("/auth?code=c_none&state={state}")).await;
        statuses.push(answer.status);
    }
    assert_eq!(statuses, [303, 429]);
    assert_eq!(calls_to(&product, TOKENS).await.len(), 1);
    // What brings no code is read.
    for _ in 0..3 {
        let page = guest.get("/auth?problem=denied&back=%2Fcart").await;
        assert_eq!(page.status, 200);
    }
}

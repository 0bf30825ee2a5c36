//! Signing out in every browser at once (AU-06, S-25).

use serde_json::json;

use crate::{
    account::account_of,
    deletion::Devices,
    menu_live::Stream,
    sign_in::{MENU, order},
    support::Product,
};

const OUT: &str = "/session/sign-out";
const EVERYWHERE: [(&str, &str); 2] = [("everywhere", "yes"), ("back", MENU)];

#[tokio::test]
async fn a_guest_signs_out_everywhere_and_other_guests_stay_signed_in() {
    let product = Product::start().await;
    let devices = Devices::of(&product).await;
    let profile = devices.guest.get("/profile").await.rendered();
    assert!(profile.contains(r#"name="everywhere""#), "{profile}");
    let out = devices.guest.post_once(OUT, &EVERYWHERE).await;
    assert_eq!((out.status, out.location()), (303, MENU.to_owned()));
    devices.have_ended(&product).await;
}

#[tokio::test]
async fn signing_out_here_leaves_the_other_browser_signed_in() {
    let product = Product::start().await;
    let devices = Devices::of(&product).await;
    devices.guest.post_once(OUT, &[("back", MENU)]).await;
    assert!(account_of(&product, &devices.guest).await.is_none());
    assert!(account_of(&product, &devices.other).await.is_some());
    assert_eq!(devices.other.get("/profile").await.status, 200);
}

#[tokio::test]
async fn a_sign_out_everywhere_needs_no_answer_of_the_upstream() {
    let product = Product::start().await;
    let devices = Devices::of(&product).await;
    product
        .control(
            "faults",
            json!({ "path": "*", "kind": "status", "status": 503 }),
        )
        .await;
    let out = devices.guest.post_once(OUT, &EVERYWHERE).await;
    assert_eq!(out.location(), MENU);
    for gone in [&devices.guest, &devices.other] {
        assert!(account_of(&product, gone).await.is_none());
    }
}

/// A page of an order that is open elsewhere tells no more of it: what is left is what any stranger is told.
#[tokio::test]
async fn a_stream_of_an_order_is_anonymous_after_a_sign_out_here_or_elsewhere() {
    for ends_elsewhere in [false, true] {
        let product = Product::start().await;
        let devices = Devices::of(&product).await;
        let placed = order(&devices.other).await;
        let path = placed.split('?').next().unwrap();
        let id = path.rsplit('/').next().unwrap();
        let events = format!("{path}/events").replace("/typ/", "/filials/");
        let mut open = Stream::at(&devices.other, &events, None).await.unwrap();
        assert_eq!(open.next().await.1["personal"], true);
        let cookie = devices.other.second_tab();
        let out = match ends_elsewhere {
            true => devices.guest.post_once(OUT, &EVERYWHERE).await,
            false => devices.other.post_once(OUT, &[("back", MENU)]).await,
        };
        assert_eq!(out.status, 303);
        product
            .control(
                "order/status",
                json!({ "order_id": id, "status": "cooking" }),
            )
            .await;
        assert_eq!(
            open.next_or_end().await,
            None,
            "elsewhere: {ends_elsewhere}"
        );
        let mut again = Stream::at(&cookie, &events, None).await.unwrap();
        let told = again.next().await.1;
        assert_eq!(told["personal"], false, "elsewhere: {ends_elsewhere}");
    }
}

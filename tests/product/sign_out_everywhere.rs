//! Signing out in every browser at once (AU-06, S-25).

use serde_json::json;

use crate::{account::account_of, deletion::Devices, sign_in::MENU, support::Product};

const OUT: &str = "/session/sign-out";
const EVERYWHERE: [(&str, &str); 2] = [("everywhere", "yes"), ("back", MENU)];

#[tokio::test]
async fn a_guest_signs_out_everywhere_and_nobody_else_is() {
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

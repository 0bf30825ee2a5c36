//! Signing out (AU-06, PU-02, PU-05, S-03).

use dastarkhan::web::session::INSECURE_COOKIE as COOKIE;
use serde_json::{Value, json};

use crate::{
    account::{account_of, calls_to, session_of},
    sign_in::{MENU, at_table_with_a_dish, sign_in},
    support::Product,
};

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
        let registered = calls_to(&product, "/api/v2/push-gateway/token").await;
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
        let log = product.sandbox_get("log").await;
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
        let home = guest.get("/").await;
        assert!(!home.header("cache-control").contains("no-store"));
        assert_eq!(guest.get("/profile").await.status, 303);
        // The device's stays.
        assert_eq!(
            cart.data()["shell"]["table"]["tableId"],
            before["shell"]["table"]["tableId"]
        );
        assert!(cart.data()["shell"]["table"].is_object());
        // The id of before is nobody's, and the upstream takes the bearer no more.
        assert!(account_of(&product, &old).await.is_none());
        assert_eq!(old.get("/profile").await.status, 303);
        crate::support::eventually(10, || async {
            let sent = calls_to(&product, REVOKE).await;
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

//! The product inside of a host app: a track signs in, and nobody is led to the sign-in page unasked (AU-03, AU-04, AU-05,
//! AU-09, AU-15, RT-21, S-07).

use dastarkhan::web::session::INSECURE_COOKIE as COOKIE;
use serde_json::json;
use url::Url;

use crate::{
    account::{account_of, bearer_runs_out, calls_to},
    sign_in::{
        LANGS, MENU, PHONE, TOKENS, at_table_with_a_dish, begin, confirm, problem, sign_in,
        track_of,
    },
    support::{Guest, Product},
};

/// A guest at a table with a dish, in an app or in a browser.
async fn guest_in(product: &Product, platform: &str) -> Guest {
    let guest = at_table_with_a_dish(product).await;
    let page = guest
        .get(&format!("/legal/privacy?platform={platform}"))
        .await;
    assert_eq!(page.status, 200);
    guest.agree().await;
    assert_eq!(guest.cookie("platform").as_deref(), Some(platform));
    guest
}

#[tokio::test]
async fn a_track_of_the_host_signs_in_by_a_post_of_our_own_and_is_used_once() {
    let product = Product::start().await;
    let track = track_of(&product, PHONE).await;
    let track = track.as_str();
    let guest = at_table_with_a_dish(&product).await;
    let (before, old) = (guest.cookie(COOKIE), guest.second_tab());
    product.forget_log().await;
    // An address signs no guest in, nor does another site (S-07).
    guest.get(&format!("/?track_id={track}")).await;
    let foreign = guest
        .request(reqwest::Method::POST, "/session/track")
        .header("sec-fetch-site", "cross-site")
        .form(&[("track_id", track)]);
    assert_eq!(guest.send(foreign).await.status, 403);
    assert!(account_of(&product, &guest).await.is_none());
    assert!(calls_to(&product, TOKENS).await.is_empty());

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
    assert_eq!(calls_to(&product, TOKENS).await.len(), 1);

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

#[tokio::test]
async fn a_host_app_signs_in_in_silence_and_a_browser_over_the_sign_in_page() {
    let product = Product::start().await;
    for platform in ["web", "ios", "android"] {
        let in_app = platform != "web";
        let guest = guest_in(&product, platform).await;
        let track = track_of(&product, PHONE).await;
        let handed = [("track_id", track.as_str())];
        assert_eq!(guest.post_json("/session/track", &handed).await.status, 200);
        // A bearer that ran out is bought anew, and nobody sees anything of it.
        bearer_runs_out(&product, &guest).await;
        let profile = guest.get("/profile").await;
        assert_eq!(profile.data()["page"]["data"]["phone"], PHONE);
        assert_eq!(calls_to(&product, TOKENS).await.len(), 1);

        // It comes to nothing: where a page is open already, the guest stays on it.
        bearer_runs_out(&product, &guest).await;
        product.fail(TOKENS, 401).await;
        let origin = &product.web;
        let open = format!("{MENU}?fav=1");
        let from = |page: &str| format!("{origin}{page}");
        let inside = guest
            .get_with("/_data/profile", &[("referer", &from(&open))])
            .await
            .json();
        let expected = if in_app {
            open.clone()
        } else {
            from("/profile")
        };
        assert_eq!(inside["redirect"], expected, "{platform}");
        assert!(account_of(&product, &guest).await.is_none());
        // By links, too. Where none is open that the guest may see, home.
        for (referer, place) in [
            (Some(from(&open)), open.as_str()),
            (None, "/"),
            (Some(from("/profile/form")), "/"),
            (Some(from("/auth?problem=denied")), "/"),
            (Some("http://evil.example/cart".to_owned()), "/"),
            (Some(format!("{origin}//evil.example")), "/"),
        ] {
            let headers: Vec<(&str, &str)> = referer
                .iter()
                .map(|referer| ("referer", referer.as_str()))
                .collect();
            let answer = guest.get_with("/profile", &headers).await;
            assert_eq!(answer.status, 303);
            if in_app {
                assert_eq!(answer.location(), place, "{referer:?}");
            } else {
                let page = Url::parse(&answer.location()).unwrap();
                assert_eq!(page.origin().ascii_serialization(), product.sandbox);
            }
        }
        let cart = guest.get("/cart").await.data();
        assert_eq!(cart["shell"]["cart"]["count"], 1);
        // A guest who asks for the sign-in gets it, in an app too.
        let page = begin(&guest, "/cart").await;
        assert_eq!(page.origin().ascii_serialization(), product.sandbox);
        product.no_faults().await;
    }
}

#[tokio::test]
async fn a_code_and_a_track_that_are_missing_and_one_that_is_not_taken_differ() {
    let product = Product::start().await;
    for lang in LANGS {
        let mut words = Vec::new();
        for (track, told) in [("", "trackId"), ("tr_none", "refused")] {
            let guest = at_table_with_a_dish(&product).await;
            guest.get(&format!("/faq?lang={lang}")).await;
            let fields = [("track_id", track), ("back", "/cart")];
            let page = guest.submit("/session/track", &fields).await;
            let data = page.data()["page"].clone();
            assert_eq!(
                (&data["route"], &data["data"]["problem"]),
                (&json!("auth"), &json!(told))
            );
            assert_eq!(data["data"]["on"], "/cart");
            words.extend(page.texts(".empty .soft"));
        }
        let guest = at_table_with_a_dish(&product).await;
        guest.get(&format!("/faq?lang={lang}")).await;
        let page = begin(&guest, "/cart").await;
        let (_, state) = page
            .query_pairs()
            .find(|(name, _)| name == "state")
            .unwrap();
        let answer = guest.get(&format!("/auth?state={state}")).await;
        assert_eq!(problem(&answer), "code");
        words.extend(guest.get(&answer.location()).await.texts(".empty .soft"));
        words.sort();
        words.dedup();
        assert_eq!(words.len(), 3, "{words:?}");
    }
}

#[tokio::test]
async fn a_sign_in_that_lands_in_another_browser_is_ended_where_it_was_begun() {
    let product = Product::start().await;
    let app = guest_in(&product, "ios").await;
    let page = begin(&app, "/cart").await;
    // The phone opens it in its own browser, which knows nothing of the app's session.
    let back = confirm(&product, &page).await;
    let browser = product.guest();
    product.forget_log().await;
    let answer = browser.get(&back).await;
    assert_eq!(problem(&answer), "elsewhere");
    let told = browser.get(&answer.location()).await;
    assert!(told.rendered().contains(r#"action="/session/sign-in""#));
    assert!(
        calls_to(&product, TOKENS).await.is_empty(),
        "the code is left"
    );
    assert!(browser.get("/cart").await.data()["shell"]["cart"].is_null());
    // The app goes on as it was, and can end it.
    assert_eq!(app.get("/cart").await.data()["shell"]["cart"]["count"], 1);
    assert_eq!(app.get(&back).await.location(), "/cart");
    assert!(account_of(&product, &app).await.is_some());
    assert_eq!(app.get("/cart").await.data()["shell"]["cart"]["count"], 1);
    // A guest who wants to go on in the browser signs in there.
    assert_eq!(
        sign_in(&product, &browser, "/cart").await.location(),
        "/cart"
    );
}

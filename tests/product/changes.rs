//! Changes of every kind: done once however often they are sent, answered by one layer, refused in the upstream's words.

use std::time::Duration;

use serde_json::{Value, json};

use crate::{
    account::{calls_to, sign_in},
    search::{booking_page, form, free},
    support::{Answer, Guest, Product, VENUE, plain_products},
};

const TOKENS: &str = "/api/v2/oauth2/tokens";
const MUTATION: &str = "AAAAAAAAAAAAAAAAAAAAAA";

/// A guest with a booked table, and where it is given back.
async fn booked(product: &Product) -> (Guest, String) {
    let guest = product.guest_at_table(VENUE, "t7").await;
    let page = booking_page(&guest).await;
    let venue = VENUE.to_string();
    let fields = form(&page, &venue, free(&page));
    let shown = guest.submit("/bookings", &fields).await.data();
    let id = shown["page"]["data"]["done"].as_str().unwrap();
    product.forget_log().await;
    (guest, format!("/bookings/{id}/cancel"))
}

async fn cancelled(product: &Product) -> usize {
    let log = product.sandbox_get("log").await;
    log.iter()
        .filter(|call| call["path"].as_str().unwrap().ends_with("/cancel"))
        .count()
}

fn code(answer: &Answer) -> Value {
    answer.json()["flash"]["errors"][0]["code"].clone()
}

#[tokio::test]
async fn any_change_that_comes_twice_gets_the_first_answer_and_is_done_once() {
    let product = Product::start().await;
    let (guest, cancel) = booked(&product).await;
    let first = guest.post_json(&cancel, &[("m", MUTATION)]).await;
    assert_eq!(first.json()["flash"]["kind"], "bookingCancelled");
    for _ in 0..2 {
        let again = guest.post_json(&cancel, &[("m", MUTATION)]).await;
        assert_eq!(
            (again.status, again.json()["flash"].clone()),
            (200, first.json()["flash"].clone())
        );
        assert_eq!(again.json()["redirect"], first.json()["redirect"]);
    }
    assert_eq!(cancelled(&product).await, 1);
    // Without scripts, too.
    let form = guest.submit(&cancel, &[("m", MUTATION)]).await.data();
    assert_eq!(form["shell"]["flash"]["kind"], "bookingCancelled");
    assert_eq!(cancelled(&product).await, 1);
    // Another id is another change.
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    let (venue, dish) = (VENUE.to_string(), plain_products(&menu)[0].0.to_string());
    let first = "AAAAAAAAAAAAAAAAAAAAAQ";
    for (id, count) in [(first, 1), (first, 1), ("BBBBBBBBBBBBBBBBBBBBBQ", 2)] {
        let fields = [("filial", &*venue), ("product", &dish), ("m", id)];
        let cart = guest.post_json("/cart/lines", &fields).await.json();
        assert_eq!(cart["cart"]["count"], count, "{id}: {cart}");
    }
}

/// What an answer is made of: the names in its JSON and of its cookies.
fn shape(answer: &Answer) -> (u16, Vec<String>, Vec<String>) {
    let json = answer.json();
    let keys = json.as_object().unwrap().keys().cloned().collect();
    let cookies = answer.headers.get_all("set-cookie").iter();
    let name = |cookie: &reqwest::header::HeaderValue| {
        let (name, _) = cookie.to_str().unwrap().split_once('=').unwrap();
        name.to_owned()
    };
    (answer.status, keys, cookies.map(name).collect())
}

#[tokio::test]
async fn a_change_that_comes_again_is_answered_in_the_shape_of_the_first() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    let dish = plain_products(&menu)[0].0.to_string();
    let venue = VENUE.to_string();
    let changes: [(&str, &[(&str, &str)]); 7] = [
        ("/cart/lines", &[("filial", &venue), ("product", &dish)]),
        ("/cart/lines/none", &[("delta", "1")]),
        (
            "/session/service",
            &[("service", "takeaway"), ("back", "/faq")],
        ),
        (
            "/session/service",
            &[("service", "nonsense"), ("back", "/faq")],
        ),
        ("/session/age", &[("answer", "no"), ("back", "/faq")]),
        ("/session/table/leave", &[("back", "/faq")]),
        ("/cart/clear", &[]),
    ];
    for (number, (path, fields)) in changes.iter().enumerate() {
        let id = format!("AAAAAAAAAAAAAAAAAAAAA{number}");
        let fields: Vec<_> = fields.iter().copied().chain([("m", id.as_str())]).collect();
        let first = guest.post_json(path, &fields).await;
        let again = guest.post_json(path, &fields).await;
        assert_eq!(shape(&again), shape(&first), "{path} {fields:?}");
        assert_eq!(again.json()["flash"], first.json()["flash"], "{path}");
    }
}

#[tokio::test]
async fn a_change_whose_id_is_none_is_refused_and_not_done() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    let dish = plain_products(&menu)[0].0.to_string();
    let venue = VENUE.to_string();
    for id in [
        "x",
        "AAAAAAAAAAAAAAAAAAAAA",
        "AAAAAAAAAAAAAAAAAAAAAA0",
        "AAAAAAAAAAAAAAAAAAAA/A",
    ] {
        let fields = [("filial", &*venue), ("product", &dish), ("m", id)];
        for path in ["/cart/lines", "/session/service", "/orders", "/bookings"] {
            let refused = guest.post_json(path, &fields).await;
            assert_eq!(
                (refused.status, code(&refused)),
                (422, json!("badInput")),
                "{path} {id}"
            );
        }
        // A tap from before the app was there.
        let body = format!("filial={venue}&product={dish}&m={}", id.replace('/', "%2F"));
        let taps = json!([{ "action": "/cart/lines", "body": body }]).to_string();
        let refused = guest
            .post_json("/cart/mutations", &[("queue", &taps)])
            .await;
        assert_eq!(
            (refused.status, code(&refused)),
            (422, json!("badInput")),
            "{id}"
        );
    }
    // Without scripts it is told in the guest's language where the form stands.
    let back = format!("/filials/{VENUE}?lang=en");
    let fields = [
        ("filial", &*venue),
        ("product", &dish),
        ("m", "x"),
        ("back", &back),
    ];
    let page = guest.submit("/cart/lines", &fields).await;
    assert_eq!(
        page.data()["shell"]["flash"]["errors"][0]["code"],
        "badInput"
    );
    assert!(page.data()["shell"]["cart"].is_null());
}

#[tokio::test]
async fn a_change_that_is_still_under_way_is_waited_for_and_not_done_again() {
    let product = Product::start().await;
    let (guest, cancel) = booked(&product).await;
    let slow =
        json!({ "path": "/booking/v1/bookings", "kind": "delay", "delay_ms": 600, "times": 1 });
    product.control("faults", slow).await;
    let other = guest.second_tab();
    let (one, two) = tokio::join!(
        guest.post_json(&cancel, &[("m", MUTATION)]),
        other.post_json(&cancel, &[("m", MUTATION)])
    );
    for answer in [one, two] {
        assert_eq!(answer.json()["flash"]["kind"], "bookingCancelled");
    }
    assert_eq!(cancelled(&product).await, 1);
}

#[tokio::test]
async fn an_id_belongs_to_one_change_of_one_guest() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let choose = async |guest: &Guest, service: &str| {
        let fields = [("service", service), ("m", MUTATION), ("back", "/faq")];
        guest.post_json("/session/service", &fields).await
    };
    assert_eq!(choose(&guest, "takeaway").await.status, 200);
    assert_eq!(guest.cookie("service").unwrap(), "takeaway");
    // Another body under the same id is refused, and nothing is changed by it.
    let other = choose(&guest, "delivery").await;
    assert_eq!((other.status, code(&other)), (422, json!("badInput")));
    assert_eq!(guest.cookie("service").unwrap(), "takeaway");
    // A cookie of the first answer comes with the repeated one, too.
    guest.set_cookie("service", "express");
    assert_eq!(choose(&guest, "takeaway").await.status, 200);
    assert_eq!(guest.cookie("service").unwrap(), "takeaway");
    // Somebody else's id is another guest's.
    let second = product.guest_at_table(VENUE, "t5").await;
    assert_eq!(choose(&second, "delivery").await.status, 200);
    assert_eq!(second.cookie("service").unwrap(), "delivery");
}

#[tokio::test]
async fn what_could_not_be_done_leaves_no_record_and_is_done_when_it_is_sent_again() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    let dish = plain_products(&menu)[0].0.to_string();
    let venue = VENUE.to_string();
    let fields = [("filial", &*venue), ("product", &dish), ("m", MUTATION)];
    let cold = product.guest_at_table(VENUE, "t5").await;
    product.fail("*", 500).await;
    let typed = [("filial", &*venue), ("table", "5"), ("m", MUTATION)];
    // The venue's tables are asked for anew.
    assert_eq!(cold.post_json("/session/table", &typed).await.status, 503);
    product.no_faults().await;
    tokio::time::sleep(Duration::from_secs(6)).await;
    assert_ne!(cold.post_json("/session/table", &typed).await.status, 503);
    assert_eq!(guest.post_json("/cart/lines", &fields).await.status, 200);
}

#[tokio::test]
async fn the_cart_comes_with_the_answer_only_when_the_change_is_about_it() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    let dish = plain_products(&menu)[0].0.to_string();
    let venue = VENUE.to_string();
    let added = guest
        .post_json("/cart/lines", &[("filial", &venue), ("product", &dish)])
        .await;
    assert_eq!(added.json()["cart"]["count"], 1);
    for (path, fields) in [
        ("/session/age", [("answer", "no"), ("back", "/faq")]),
        (
            "/session/service",
            [("service", "express"), ("back", "/faq")],
        ),
        ("/session/table/leave", [("x", "y"), ("back", "/faq")]),
    ] {
        let answer = guest.post_json(path, &fields).await;
        assert_eq!(answer.status, 200, "{path}");
        assert!(answer.json().get("cart").is_none(), "{path}");
    }
    // The cart of another tab is shown by a refusal: the browser's may be older.
    let gone = guest.post_json("/cart/lines/none", &[("delta", "1")]).await;
    assert_eq!(
        (code(&gone), gone.json()["cart"]["count"].clone()),
        (json!("lineGone"), json!(1))
    );
    // A guest who empties it is told so.
    let wiped = guest.post_json("/session/wipe", &[]).await.json();
    assert_eq!(wiped.get("cart"), Some(&Value::Null));
}

#[tokio::test]
async fn a_refusal_of_the_upstream_keeps_its_meaning_and_its_words() {
    let product = Product::start().await;
    let (guest, cancel) = booked(&product).await;
    for status in [400, 403, 409, 422] {
        product.no_faults().await;
        product.fail("/booking/v1/bookings", status).await;
        let answer = guest.post_json(&cancel, &[]).await;
        assert_eq!(
            (answer.status, code(&answer)),
            (status, json!("upstreamWords"))
        );
        let words = &answer.json()["flash"]["errors"][0]["values"]["words"];
        assert_eq!(words, "A fault on purpose");
    }
    // Without scripts the page that the form stands on says it.
    let fields = [("back", "/faq")];
    let page = guest.submit(&cancel, &fields).await;
    assert!(page.rendered().contains("A fault on purpose"));
    // What may go well later is no refusal.
    for status in [429, 500, 503] {
        product.no_faults().await;
        product.fail("/booking/v1/bookings", status).await;
        let answer = guest.post_json(&cancel, &[]).await;
        assert_eq!(
            answer.json()["flash"]["kind"],
            "bookingUnreached",
            "{status}"
        );
    }
}

#[tokio::test]
async fn a_bearer_that_is_not_taken_is_renewed_once_and_then_the_guest_is_asked_to_sign_in() {
    let product = Product::start().await;
    let (guest, cancel) = booked(&product).await;
    sign_in(&product, &guest).await;
    product.forget_log().await;
    product.fail("/booking/v1/bookings", 401).await;
    let answer = guest.post_json(&cancel, &[]).await;
    assert_eq!((answer.status, code(&answer)), (401, json!("signIn")));
    assert_eq!(calls_to(&product, TOKENS).await.len(), 1);
}

/// The change that begins the session has nothing to be found by while it is under way.
#[tokio::test]
async fn the_id_of_the_change_that_begins_the_session_belongs_to_it_as_well() {
    let product = Product::start().await;
    let menu = product.guest().get(&format!("/filials/{VENUE}")).await;
    let menu = menu.data();
    let dishes = plain_products(&menu);
    let ids = [dishes[0].0, dishes[1].0].map(|id| id.to_string());
    let venue = VENUE.to_string();
    let back = format!("/filials/{VENUE}?lang=en");
    let fields = |dish| {
        [
            ("filial", &*venue),
            ("product", dish),
            ("m", MUTATION),
            ("back", &*back),
        ]
    };
    let guest = product.guest();
    let first = guest.post_json("/cart/lines", &fields(&ids[0])).await;
    assert_eq!(first.status, 200);
    let other = guest.post_json("/cart/lines", &fields(&ids[1])).await;
    assert_eq!((other.status, code(&other)), (422, json!("badInput")));
    let told = guest.submit("/cart/lines", &fields(&ids[1])).await;
    assert!(told.rendered().contains("Enter it correctly"));
    // The same once more is answered as the first.
    let again = guest.post_json("/cart/lines", &fields(&ids[0])).await;
    assert_eq!(
        (again.status, again.json()["flash"].clone()),
        (200, Value::Null)
    );
    let page = guest.get("/cart").await.data();
    let lines = page["shell"]["cart"]["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 1);
    assert_eq!(
        (&lines[0]["productId"], &lines[0]["qty"]),
        (&json!(dishes[0].0), &json!(1))
    );
}

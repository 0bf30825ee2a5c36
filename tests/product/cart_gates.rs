//! What has to be settled before an order can be sent at all: one notice, the ways on, no button that can't succeed.

use serde_json::{Value, json};

use crate::{
    cart_sums::REWARDING,
    sign_in::{at_table_with_a_dish, sign_in},
    support::{
        Answer, Product, VENUE, as_fields, eventually, order_fields, plain_products, table_link,
    },
};

/// The takeaway of [`VENUE`]'s town that needs a sign-in.
const TAKEAWAY: u64 = 1011;

fn has_order_form(page: &Answer) -> bool {
    page.rendered().contains("action=\"/orders\"")
}

#[tokio::test]
async fn takeaway_without_a_sign_in_has_one_notice_the_way_to_sign_in_and_the_one_to_a_table() {
    let product = Product::start().await;
    let guest = product.guest();
    let dish = plain_products(&guest.get(&format!("/filials/{TAKEAWAY}")).await.data())[0].0;
    guest.add(TAKEAWAY, dish).await;
    let page = guest.get("/cart?lang=en").await;
    assert!(!has_order_form(&page));
    assert_eq!(page.texts(".notes > .note").len(), 1);
    let words = page.texts(".main").concat();
    assert_eq!(words.matches("needs a sign-in").count(), 1, "{words}");
    let rendered = page.rendered();
    let ways = rendered.matches("action=\"/session/sign-in\"");
    assert_eq!(ways.count(), 1);
    assert!(words.contains("Order at a table"));

    // The way to a table works without scripts, too.
    let seated = guest
        .submit(
            "/session/service",
            &[("service", "express"), ("back", "/cart")],
        )
        .await;
    assert_eq!(seated.data()["page"]["data"]["blocks"][0], "table");
    assert!(!has_order_form(&seated));
}

#[tokio::test]
async fn without_a_table_there_is_the_way_to_one_and_no_order_button() {
    let product = Product::start().await;
    let guest = product.guest();
    let dish = plain_products(&guest.get(&format!("/filials/{VENUE}")).await.data())[0].0;
    guest.add(VENUE, dish).await;
    let page = guest.get("/cart?lang=en").await;
    assert!(!has_order_form(&page));
    assert_eq!(page.texts("#block-table").len(), 1);
    assert_eq!(page.texts(".notes > .note").len(), 1);
    let scanner = format!("href=\"/filials/{VENUE}/barcode-scanner?table=1\"");
    assert!(page.rendered().contains(&scanner));
    let words = page.texts(".checkout").concat();
    assert!(words.contains("Scan the table’s code") && words.contains("Order takeaway"));

    // Who has no table near takes the same dishes away, without scripts, too; and comes back.
    for (service, block) in [("takeaway", "signIn"), ("express", "table")] {
        let fields = [("service", service), ("back", "/cart")];
        let data = guest.submit("/session/service", &fields).await.data();
        let blocks = data["page"]["data"]["blocks"].as_array().unwrap();
        assert!(blocks.iter().any(|one| one == block), "{blocks:?}");
        assert_eq!(blocks.iter().any(|one| one == "table"), block == "table");
        assert_eq!(data["shell"]["cart"]["count"], 1, "{service}");
    }

    // Once the code is scanned the same cart can be ordered.
    guest.get(&crate::support::table_link(VENUE, "t7")).await;
    let page = guest.get("/cart?lang=en").await;
    assert!(has_order_form(&page));
    assert!(
        page.texts(".consent")
            .concat()
            .contains("terms and privacy policy")
    );
}

/// Without scripts its fields are of the order's form: what is typed means another sum than the one that was shown.
#[tokio::test]
async fn a_code_or_bonuses_that_are_typed_and_not_applied_count_before_the_order_does() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    let seen = guest.get("/cart").await.data();
    let pressed = |cart: &Value, typed: (&'static str, &'static str)| {
        let mut fields = order_fields(cart).to_vec();
        fields.push((typed.0, typed.1.to_owned()));
        fields
    };
    let fields = pressed(&seen, ("code", "dastarkhan10"));
    let told = guest.post("/orders", &as_fields(&fields)).await;
    assert_eq!(told.location(), "/cart#order");
    let cart = guest.get("/cart").await.data();
    assert_eq!(cart["page"]["data"]["promo"]["state"], "applied");
    assert_eq!(cart["shell"]["flash"]["errors"][0]["code"], "priceChanged");
    assert_eq!(product.sandbox_get("orders").await.len(), 0);
    let fields = pressed(&cart, ("code", "DASTARKHAN10"));
    let placed = guest.post("/orders", &as_fields(&fields)).await;
    assert!(
        placed.location().contains("/order/"),
        "{}",
        placed.location()
    );
    let orders = product.sandbox_get("orders").await;
    let total = &order_fields(&cart)[1].1;
    // The sandbox tells whole tenge.
    assert_eq!(format!("{}00", orders[0]["sum"]), *total);
    assert_ne!(*total, order_fields(&seen)[1].1);

    let guest = product.guest_at_table(REWARDING, "t1").await;
    sign_in(&product, &guest, "/cart").await;
    let menu = guest.get(&format!("/filials/{REWARDING}")).await.data();
    guest.add(REWARDING, plain_products(&menu)[0].0).await;
    let seen = guest.get("/cart").await.data();
    assert_eq!(seen["page"]["data"]["bonus"]["state"], "ready");
    let fields = pressed(&seen, ("bonus", "100"));
    let told = guest.post("/orders", &as_fields(&fields)).await;
    assert_eq!(told.location(), "/cart#order");
    let cart = guest.get("/cart").await.data();
    assert_eq!(cart["page"]["data"]["bonus"]["used"], 10_000);
    assert_eq!(product.sandbox_get("orders").await.len(), 1);
    let fields = pressed(&cart, ("bonus", "100"));
    guest.post("/orders", &as_fields(&fields)).await;
    assert_eq!(product.sandbox_get("orders").await.len(), 2);
}

/// Another tab may have taken another table since.
#[tokio::test]
async fn an_order_comes_to_the_table_that_the_guest_has_seen() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    let seen = guest.get("/cart").await;
    assert!(
        seen.rendered().contains(r#"name="table" value="7""#),
        "the form says its table"
    );
    guest.get(&table_link(VENUE, "t2")).await;
    let mut fields = order_fields(&guest.get("/cart").await.data()).to_vec();
    fields.push(("table", "7".to_owned()));
    let told = guest.post("/orders", &as_fields(&fields)).await;
    assert_eq!(told.location(), "/cart#order");
    let cart = guest.get("/cart").await.data();
    assert_eq!(
        cart["shell"]["flash"]["errors"][0]["code"],
        "versionChanged"
    );
    assert_eq!(product.sandbox_get("orders").await.len(), 0);
    fields.retain(|(name, _)| *name != "table");
    fields.push(("table", "2".to_owned()));
    guest.post("/orders", &as_fields(&fields)).await;
    assert_eq!(product.sandbox_get("orders").await.len(), 1);
}

/// FL-16, PY-01: a venue that takes no payment takes no order.
#[tokio::test]
async fn a_venue_without_a_way_to_pay_has_one_notice_the_way_to_its_menu_and_no_order_button() {
    let product = Product::with(&["--catalogue-fresh-ms", "1"]).await;
    let guest = at_table_with_a_dish(&product).await;
    let seen = order_fields(&guest.get("/cart").await.data());
    let card = format!("/takeaway/locations/card/terminal/{VENUE}");
    for none in [
        json!({ "/data/payment_types": [] }),
        json!({ "/data/payment_button_disabled": true }),
        json!({ "/data/payment_types": ["online"], "/data/online_payment_disabled": true }),
    ] {
        product.no_faults().await;
        eventually(20, || async {
            has_order_form(&guest.get("/cart").await).then_some(())
        })
        .await;
        product.replace(&card, none.clone()).await;
        // Until the venue that was kept is renewed.
        let page = eventually(20, || async {
            let page = guest.get("/cart?lang=en").await;
            (!has_order_form(&page)).then_some(page)
        })
        .await;
        let data = &page.data()["page"]["data"];
        assert_eq!(data["payments"], json!([]), "{none}");
        assert_eq!(data["blocks"], json!(["noPayment"]), "{none}");
        let notes = page.texts(".notes > .note");
        assert_eq!(notes.len(), 1, "{notes:?}");
        assert!(notes[0].contains("does not take orders here now"));
        let menu = page.texts(&format!("#order a[href='/filials/{VENUE}']"));
        assert_eq!(menu.len(), 1, "{none}");
        // The server asks as well, whatever a page has shown.
        let refused = guest.post_json("/orders", &as_fields(&seen)).await;
        assert_eq!(refused.status, 422, "{none}");
        let error = &refused.json()["flash"]["errors"][0];
        assert_eq!(error["code"], "paymentUnavailable", "{none}");
    }
    assert!(product.sandbox_get("orders").await.is_empty());
}

/// Of all that is in the way only this is of use: nothing can be done about it here.
#[tokio::test]
async fn a_closed_venue_is_told_once_and_asks_for_no_sign_in() {
    let product = Product::with(&["--catalogue-fresh-ms", "1"]).await;
    let guest = product.guest();
    let dish = plain_products(&guest.get(&format!("/filials/{TAKEAWAY}")).await.data())[0].0;
    guest.add(TAKEAWAY, dish).await;
    let closed = json!({ "filial_id": TAKEAWAY, "closed": true });
    product.control("opening", closed).await;
    let page = eventually(10, async || {
        let page = guest.get("/cart?lang=en").await;
        (page.data()["page"]["data"]["venue"]["open"]["open"] == false).then_some(page)
    })
    .await;
    assert_eq!(page.data()["page"]["data"]["blocks"], json!(["closed"]));
    assert_eq!(page.texts(".notes > .note").len(), 1);
    let rendered = page.rendered();
    assert!(!rendered.contains("action=\"/session/sign-in\""));
    assert!(!page.texts(".main").concat().contains("Bonuses"));
}

//! What has to be settled before an order can be sent at all: one notice, the ways on, no button that can't succeed.

use crate::support::{Answer, Product, VENUE, plain_products};

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

//! How was it? Asked once of an order that is over (OR-12).

use serde_json::{Value, json};

use crate::{
    orders::{press, ready_to_order},
    orders_own::{ORDER, TAKEAWAY, bought, data, set_status, signed_in},
    support::{Guest, Product},
};

/// What the upstream was told of an order, in the order of telling.
async fn grades_sent(product: &Product, id: &str) -> Vec<Value> {
    let path = format!("/takeaway/v1/order/{id}/grade");
    let log = product.sandbox_get("log").await;
    let of = log.iter().filter(|entry| entry["path"] == path.as_str());
    of.map(|entry| serde_json::from_str(entry["body"].as_str().unwrap()).unwrap())
        .collect()
}

async fn is_requested(guest: &Guest, path: &str) -> bool {
    let page = guest.get(path).await;
    let requested = data(&page)["grade"]["requested"] == true;
    assert_eq!(!page.texts(".grade").is_empty(), requested, "{path}");
    requested
}

#[tokio::test]
async fn a_completed_order_is_graded_once_without_scripts() {
    let product = Product::start().await;
    let (guest, bearer) = signed_in(&product).await;
    let id = bought(&product, &bearer, "takeaway", "cash").await;
    let path = format!("/orders/{id}");
    for status in ["created", "cooking", "ready"] {
        set_status(&product, &id, status).await;
        assert!(!is_requested(&guest, &path).await, "{status}");
    }
    set_status(&product, &id, "completed").await;
    let page = guest.get(&format!("{path}?lang=en")).await;
    assert_eq!(page.texts(".stars label").len(), 5);
    assert_eq!(page.texts(".stars label")[0], "1 star out of 5");
    assert_eq!(page.texts(".praise .chip").len(), 6);
    assert_eq!(page.texts(".grade button"), ["Send the rating", "Not now"]);
    assert!(
        page.rendered()
            .contains(&format!(r#"action="{path}/grade""#))
    );

    // Without stars nothing is sent, and nothing that was typed is lost.
    let grade = format!("{path}/grade");
    let typed = [
        ("tag", "fast"),
        ("tag", "tasty"),
        ("comment", "Рақмет"),
        ("back", path.as_str()),
    ];
    for stars in ["", "0", "6", "x"] {
        let mut fields = typed.to_vec();
        fields.push(("grade", stars));
        let refused = guest.submit(&grade, &fields).await;
        assert_eq!(refused.texts("#ungraded").len(), 1, "{stars}");
        assert!(refused.rendered().contains("Рақмет</textarea>"));
    }
    assert!(grades_sent(&product, &id).await.is_empty());

    let mut fields = typed.to_vec();
    fields.push(("grade", "4"));
    // What turns a line on another's screen stays behind.
    fields[2] = ("comment", "Рақмет\u{0}\u{202e}");
    let done = guest.submit(&grade, &fields).await;
    assert_eq!(done.data()["shell"]["flash"]["kind"], "orderGraded");
    assert_eq!(
        data(&done)["grade"],
        json!({ "requested": false, "given": 4 })
    );
    assert_eq!(
        grades_sent(&product, &id).await,
        [json!({ "grade": 4, "comment": "Рақмет", "tags": ["fast", "tasty"] })]
    );
    // Nor is it asked in another browser of the same guest: the upstream knows.
    let (elsewhere, _) = signed_in(&product).await;
    for guest in [&guest, &elsewhere] {
        assert!(!is_requested(guest, &path).await);
        let said = guest
            .get(&format!("{path}?lang=en"))
            .await
            .texts(".track .note");
        assert_eq!(said, ["Thank you. Your rating: 4 out of 5"]);
    }
}

#[tokio::test]
async fn not_to_say_is_an_answer_too_and_strangers_are_not_asked() {
    let product = Product::start().await;
    let (guest, seen) = ready_to_order(&product).await;
    let path = press(&guest, &seen).await.location();
    let id = data(&guest.get(&path).await)["id"]
        .as_str()
        .unwrap()
        .to_owned();
    set_status(&product, &id, "completed").await;
    assert!(is_requested(&guest, &path).await);
    let open = path.split('?').next().unwrap();
    assert!(!is_requested(&product.guest(), open).await);
    // Nobody else grades it.
    let other_guest = product.guest();
    let grade = format!("/orders/{id}/grade");
    let refused = other_guest
        .post(&grade, &[("grade", "1"), ("back", open)])
        .await;
    assert_eq!(refused.status, 404);

    let skipped = guest
        .submit(&grade, &[("skip", "1"), ("back", &path)])
        .await;
    assert!(skipped.data()["shell"]["flash"].is_null());
    assert!(!is_requested(&guest, &path).await);
    assert_eq!(
        grades_sent(&product, &id).await.len(),
        1,
        "only the stranger tried"
    );
}

#[tokio::test]
async fn a_grade_is_remembered_even_if_the_upstream_does_not_tell_it_and_old_orders_are_left_alone()
{
    let product = Product::start().await;
    let (guest, bearer) = signed_in(&product).await;
    let id = bought(&product, &bearer, "takeaway", "cash").await;
    let path = format!("/orders/{id}");
    set_status(&product, &id, "completed").await;
    let old = json!({ "/data/created_at": "2026-01-01T06:00:00Z" });
    product.replace(ORDER, old).await;
    assert!(!is_requested(&guest, &path).await, "months ago");
    product.replace(ORDER, json!({ "/data/grade": null })).await;
    assert!(is_requested(&guest, &path).await);
    let grade = format!("{path}/grade");
    // An answer that does not come is asked for again.
    product
        .fail(&format!("/takeaway/v1/order/{id}/grade"), 500)
        .await;
    let failed = guest
        .submit(&grade, &[("grade", "5"), ("back", &path)])
        .await;
    assert_eq!(failed.texts(r#".grade [role="alert"]"#).len(), 1);
    product.replace(ORDER, json!({ "/data/grade": null })).await;
    let done = guest
        .submit(&grade, &[("grade", "5"), ("back", &path)])
        .await;
    assert_eq!(done.data()["shell"]["flash"]["kind"], "orderGraded");
    assert!(!is_requested(&guest, &path).await);
    assert!(!is_requested(&guest, &format!("/typ/{TAKEAWAY}/order/{id}")).await);
}

//! A booked table is given back while what was ordered ahead with it is being paid: no bank takes money for it afterwards
//! (R-01, PY-14).

use crate::{
    bill::{begin_to_pay, of, with_ahead},
    bill_off::PARTS,
    bill_pay::{at_bank, captured},
    support::{Product, eventually},
};

const BOOKINGS: &str = "/booking/v1/bookings";

#[tokio::test]
async fn a_table_that_is_given_back_while_its_dishes_are_being_paid_is_not_paid() {
    let product = Product::start().await;
    let (guest, own) = with_ahead(&product).await;
    let bill = own["bill"].as_str().unwrap();
    let bank = begin_to_pay(&guest, bill).await;
    assert!(bank.starts_with("http"), "{bank}");

    let cancel = format!("/bookings/{}/cancel", own["id"].as_str().unwrap());
    let booked = async || {
        let page = guest.get("/brands/booking").await.data();
        page["page"]["data"]["own"].as_array().unwrap().len()
    };
    // The bank may take the money still: the table stays, and the bill says why.
    product.fail(PARTS, 500).await;
    let kept = guest.post(&cancel, &[]).await.location();
    assert_eq!(of(&guest.get(&kept).await)["problem"], "stillPaying");
    assert_eq!(booked().await, 1);
    product.no_faults().await;
    eventually(60, async || {
        guest.post(&cancel, &[]).await;
        (booked().await == 0).then_some(())
    })
    .await;

    at_bank(&bank, "succeeded").await;
    assert_eq!(captured(&product).await, [0_i64; 0]);
}

/// A bill that is not known of may be being paid.
#[tokio::test]
async fn a_table_stays_while_it_is_not_known_what_was_ordered_ahead() {
    let product = Product::start().await;
    let (guest, own) = with_ahead(&product).await;
    let cancel = format!("/bookings/{}/cancel", own["id"].as_str().unwrap());
    product.fail(BOOKINGS, 500).await;
    product.forget_log().await;
    guest.post(&cancel, &[]).await.location();
    let asked = product.queries(BOOKINGS).await;
    assert!(!asked.is_empty());
    assert!(product.queries(&format!("{BOOKINGS}/")).await.is_empty());
    product.no_faults().await;
    eventually(60, async || {
        let page = guest.get("/brands/booking").await.data();
        let own = page["page"]["data"]["own"].as_array()?;
        (own.len() == 1).then_some(())
    })
    .await;
}

/// Whoever agrees to give a table back that is not paid has not agreed to one that is.
#[tokio::test]
async fn what_the_bank_has_taken_meanwhile_is_shown_before_the_table_is_given_back() {
    let product = Product::start().await;
    let (guest, own) = with_ahead(&product).await;
    let id = own["id"].as_str().unwrap();
    let bank = begin_to_pay(&guest, own["bill"].as_str().unwrap()).await;
    let left = async || {
        let page = guest.get("/brands/booking").await.data();
        page["page"]["data"]["own"][0]["ahead"]["left"].as_i64()
    };
    let seen = left().await.unwrap();
    assert!(seen > 0, "{seen}");
    at_bank(&bank, "succeeded").await;

    let cancel = format!("/bookings/{id}/cancel");
    let pressed = async |left: i64| {
        let left = left.to_string();
        guest.post(&cancel, &[("left", left.as_str())]).await
    };
    let asked = pressed(seen).await.location();
    assert_eq!(asked, format!("/brands/booking?cancel={id}"));
    let paid = eventually(60, async || left().await.filter(|now| *now < seen)).await;
    assert_eq!(paid, 0);
    assert_eq!(pressed(paid).await.location(), "/brands/booking");
    assert_eq!(left().await, None);
}

//! Booking where nothing can be booked, and giving a table back only after a question.

use serde_json::json;

use crate::{
    search::{booking_page, form, found, free},
    support::{Product, VENUE},
};

#[tokio::test]
async fn a_venue_that_is_closed_by_hand_takes_no_booking_and_says_so() {
    let product = Product::with(&["--catalogue-fresh-ms", "1"]).await;
    let guest = product.guest();
    let before = booking_page(&guest).await;
    let venue = VENUE.to_string();
    let fields = form(&before, &venue, free(&before));
    product
        .control("opening", json!({ "filial_id": VENUE, "closed": true }))
        .await;
    let address = format!("/brands/booking?filial={VENUE}&lang=en");
    // The first look may still be at what was kept.
    guest.get(&address).await;
    let page = guest.get(&address).await;
    let html = page.rendered();
    assert!(html.contains("is temporarily closed"), "{html}");
    assert!(!html.contains("name=\"time\"") && !html.contains("action=\"/bookings\""));
    // A form that was opened before comes to nothing, with the reason.
    let refused = guest.post_json("/bookings", &fields).await.json();
    assert_eq!(refused["flash"]["errors"][0]["code"], "closed");
    assert_eq!(
        found(&guest, "/brands/booking").await["own"],
        json!([]),
        "nothing is booked"
    );
    product
        .control("opening", json!({ "filial_id": VENUE, "closed": false }))
        .await;
    guest.get(&address).await;
    assert!(
        !booking_page(&guest).await["slots"]
            .as_array()
            .unwrap()
            .is_empty()
    );
}

#[tokio::test]
async fn a_table_is_given_back_only_after_a_question_and_the_venue_can_be_called() {
    let product = Product::start().await;
    let guest = product.guest();
    let page = booking_page(&guest).await;
    let venue = VENUE.to_string();
    let booked = guest
        .submit("/bookings", &form(&page, &venue, free(&page)))
        .await;
    let id = booked.data()["page"]["data"]["done"].clone();
    let id = id.as_str().unwrap();
    let html = booked.rendered();
    assert!(html.contains("href=\"tel:+"), "the venue can be called");
    let cancel = format!("action=\"/bookings/{id}/cancel\"");
    assert!(!html.contains(&cancel), "one press gives nothing back");
    let ask = format!("/brands/booking?cancel={id}");
    assert!(html.contains(&format!("href=\"{ask}\"")), "{html}");

    let question = guest.get(&format!("{ask}&lang=en")).await;
    assert_eq!(question.texts("h2"), ["Cancel this booking?"]);
    let html = question.rendered();
    assert!(html.contains(&cancel) && html.contains("Keep the booking"));
    // A question about a table that is another's, or gone, is none.
    let stranger = product.guest().get(&ask).await;
    assert!(!stranger.rendered().contains(&cancel));
}

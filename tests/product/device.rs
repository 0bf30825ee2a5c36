//! A device is whose bookings and orders they are: it is not for planting (ST-12, S-16).

use serde_json::Value;

use crate::{
    account,
    search::{booking_page, form, found, free},
    sign_in,
    support::{Guest, Product, VENUE, as_fields, order_fields, plain_products},
};

const BOOKING: &str = "/brands/booking";

/// Orders a dish at a table, and books one under a name; what the upstream knows the device by.
async fn order_and_book(product: &Product, name: &str, phone: &str) -> (Guest, String) {
    let guest = product.guest_at_table(VENUE, "t7").await;
    order(&guest).await;
    book(&guest, name, phone).await;
    let log = product.sandbox_get("log").await;
    let sent = log
        .iter()
        .rfind(|call| call["path"] == "/takeaway/v1/express/order")
        .unwrap();
    let device = sent["headers"]["x-fingerprint"].as_str().unwrap();
    (guest, device.to_owned())
}

/// Orders a dish; the order's id.
async fn order(guest: &Guest) -> String {
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    guest.add(VENUE, plain_products(&menu)[0].0).await;
    let fields = order_fields(&guest.get("/cart").await.data());
    let placed = guest.submit("/orders", &as_fields(&fields)).await.data();
    placed["page"]["data"]["id"].as_str().unwrap().to_owned()
}

/// Books a table; the booking's id.
async fn book(guest: &Guest, name: &str, phone: &str) -> String {
    let page = booking_page(guest).await;
    let venue = VENUE.to_string();
    let mut fields = form(&page, &venue, free(&page));
    fields.retain(|(field, _)| !matches!(*field, "name" | "phone"));
    fields.extend([("name", name), ("phone", phone)]);
    let booked = guest.submit("/bookings", &fields).await.data();
    let done = &booked["page"]["data"]["done"];
    done.as_str().expect("a table was booked").to_owned()
}

fn names(page: &Value) -> Vec<&str> {
    let own = page["own"].as_array().unwrap();
    own.iter()
        .map(|table| table["name"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn a_signed_in_guest_is_one_device_to_all_calls() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    account::sign_in(&product, &guest).await;
    product.forget_log().await;
    for path in ["/profile", "/addresses", "/orders"] {
        assert_eq!(guest.get(path).await.status, 200, "{path}");
    }
    each_is_of_one_device(&product).await;
}

#[tokio::test]
async fn a_first_sign_in_is_one_device_from_its_first_call_on() {
    let product = Product::start().await;
    product.forget_log().await;
    let guest = product.guest();
    sign_in::sign_in(&product, &guest, "/profile").await;
    assert_eq!(guest.get("/profile").await.status, 200);
    each_is_of_one_device(&product).await;
}

/// Calls of a guest, and what buys the bearer for them.
async fn each_is_of_one_device(product: &Product) {
    let log = product.sandbox_get("log").await;
    let own = |call: &&Value| {
        let buys = call["path"].as_str().unwrap().contains("oauth2/tokens");
        buys || call["headers"]["authorization"].is_string()
    };
    let calls: Vec<&Value> = log.iter().filter(own).collect();
    assert!(calls.len() > 3, "{log:?}");
    let device = &calls[0]["headers"]["x-fingerprint"];
    for call in &calls {
        let headers = &call["headers"];
        assert_eq!(&headers["x-fingerprint"], device, "{}", call["path"]);
    }
}

#[tokio::test]
async fn a_stolen_device_reads_cancels_and_repeats_nothing() {
    let product = Product::start().await;
    let (guest, device) = order_and_book(&product, "Айгүл", "+7 701 000 00 12").await;
    let named = guest.cookie("deviceId").unwrap();
    let own = found(&guest, BOOKING).await;
    assert_eq!(names(&own), ["Айгүл"]);
    let tells = |page: &Value| page.to_string().replace(' ', "").contains("7010000012");
    assert!(tells(&own), "{own}");
    let table = own["own"][0]["id"].as_str().unwrap().to_owned();
    let dish = order(&guest).await;

    for planted in [named, device] {
        // With a session of their own, a cart and a booking, an attacker is as much a guest as can be.
        let thief = product.guest();
        thief.set_cookie("deviceId", &planted);
        thief.get(&crate::support::table_link(VENUE, "t5")).await;
        thief.set_cookie("deviceId", &planted);
        order(&thief).await;
        thief.set_cookie("deviceId", &planted);
        book(&thief, "Ұры", "+7 701 000 00 99").await;
        thief.set_cookie("deviceId", &planted);
        let seen = found(&thief, BOOKING).await;
        assert_eq!(names(&seen), ["Ұры"]);
        assert!(!tells(&seen), "{seen}");
        thief.set_cookie("deviceId", &planted);
        let calendar = format!("/bookings/{table}/calendar.ics");
        assert_eq!(thief.get(&calendar).await.status, 404);
        thief.set_cookie("deviceId", &planted);
        let cancel = format!("/bookings/{table}/cancel");
        assert_eq!(thief.post(&cancel, &[]).await.status, 404);
        thief.set_cookie("deviceId", &planted);
        let fields = [("order", dish.as_str()), ("back", "/cart")];
        let repeated = thief.post_json("/orders/repeat", &fields).await;
        assert_eq!(repeated.status, 422);
        assert!(repeated.json()["cart"].is_null(), "{}", repeated.text());
    }
    let own = found(&guest, BOOKING).await;
    assert_eq!(names(&own), ["Айгүл"], "the table is still booked");
}

/// The other way round: the victim is given a device that the attacker knows.
#[tokio::test]
async fn a_device_that_was_planted_beforehand_reads_nothing() {
    let product = Product::start().await;
    let (thief, device) = order_and_book(&product, "Ұры", "+7 701 000 00 99").await;
    for planted in [thief.cookie("deviceId").unwrap(), device] {
        let guest = product.guest();
        guest.set_cookie("deviceId", &planted);
        guest.get(&crate::support::table_link(VENUE, "t7")).await;
        // A sibling domain can plant it again and again.
        guest.set_cookie("deviceId", &planted);
        book(&guest, "Айгүл", "+7 701 000 00 12").await;
        assert_eq!(names(&found(&guest, BOOKING).await), ["Айгүл"]);
        guest.get("/faq").await;
        assert_ne!(guest.cookie("deviceId").unwrap(), planted, "replaced");
        assert_eq!(names(&found(&thief, BOOKING).await), ["Ұры"]);
    }
}

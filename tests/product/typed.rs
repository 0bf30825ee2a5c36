//! What is typed at the order is there until it is ordered: where no scripts run a page lives for one press.

use serde_json::{Value, json};

use crate::{
    checkout::{cart, order},
    kiosk::{TABLET, guest_at_tablet},
    sign_in::{MENU, at_table_with_a_dish, sign_in},
    support::{Guest, Product, VENUE, as_fields, order_fields, plain_products},
};

const COMMENT: &str = "Жаңғақ болмасын";

/// What the form of the order sends, whichever button of the cart is pressed.
async fn press(guest: &Guest, path: &str, more: &[(&str, &str)]) -> Value {
    let seen = order_fields(&guest.get("/cart").await.data());
    let mut fields = as_fields(&seen);
    fields.retain(|(name, _)| *name != "payment" && more.iter().all(|(one, _)| one != name));
    fields.extend([("name", "Айша"), ("comment", COMMENT), ("payment", "qr")]);
    fields.extend([("back", "/cart")].iter().chain(more));
    guest.submit(path, &fields).await.data()
}

async fn typed(guest: &Guest) -> Value {
    typed_in(guest, "/cart").await
}

async fn typed_in(guest: &Guest, page: &str) -> Value {
    let page = guest.get(page).await.data();
    let mut typed = page["page"]["data"]["typed"].clone();
    if let Some(typed) = typed.as_object_mut() {
        typed.remove("age");
    }
    typed
}

fn all() -> Value {
    json!({ "name": "Айша", "comment": COMMENT, "payment": "qr" })
}

#[tokio::test]
async fn what_was_typed_stands_in_each_cart_until_it_is_ordered() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    assert!(typed(&guest).await.is_null(), "nothing yet");
    // A sum that was not seen: nothing is ordered.
    let refused = press(&guest, "/orders", &[("total", "1")]).await;
    assert_eq!(
        refused["shell"]["flash"]["errors"][0]["code"],
        "priceChanged"
    );
    for _ in 0..2 {
        guest.get(MENU).await;
        assert_eq!(typed(&guest).await, all());
    }
    let html = guest.get("/cart").await.rendered();
    assert!(html.contains("value=\"Айша\"") && html.contains(&format!(">{COMMENT}</textarea>")));
    let mut ways = html
        .split("<input")
        .filter(|one| one.contains("type=\"radio\""));
    let chosen = ways.find(|one| one.split('>').next().unwrap().contains("checked"));
    assert!(
        chosen.is_some_and(|one| one.contains("value=\"qr\"")),
        "{html}"
    );
    let other = at_table_with_a_dish(&product).await;
    assert!(typed(&other).await.is_null(), "another guest's");

    // What is emptied is empty, and not what it was.
    press(&guest, "/cart/repair", &[]).await;
    let fields = [("cart_version", "1"), ("name", ""), ("back", "/cart")];
    guest.post("/cart/repair", &fields).await;
    assert_eq!(typed(&guest).await["name"], "");
    assert_eq!(typed(&guest).await["comment"], COMMENT);

    let placed = order(&guest, "cash").await;
    assert!(placed.location().contains("/order/"));
    guest.get(&placed.location()).await;
    let menu = guest.get(MENU).await.data();
    guest.add(VENUE, plain_products(&menu)[0].0).await;
    assert!(typed(&guest).await.is_null(), "it was ordered");
}

#[tokio::test]
async fn an_order_that_is_called_off_unpaid_gives_back_what_was_typed() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    let page = press(&guest, "/orders", &[]).await;
    assert_eq!(page["page"]["route"], "pay", "{page}");
    // A second press of the same form is the same order.
    let own = cart(&guest).await["unpaid"]["href"].clone();
    let own = own.as_str().unwrap();
    let seen = guest.submit(&format!("{own}/cancel"), &[]).await.data();
    assert_eq!(seen["page"]["route"], "cart");
    assert_eq!(typed(&guest).await, all());
}

#[tokio::test]
async fn what_was_typed_goes_with_its_guest() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    press(&guest, "/cart/repair", &[]).await;
    sign_in(&product, &guest, MENU).await;
    assert_eq!(typed(&guest).await, all(), "the same guest");
    guest
        .post_once("/session/sign-out", &[("back", MENU)])
        .await;
    let menu = guest.get(MENU).await.data();
    let dish = plain_products(&menu)[0].0;
    guest.add(VENUE, dish).await;
    assert_eq!(cart(&guest).await["venue"]["id"], VENUE);
    assert!(typed(&guest).await.is_null(), "signed out");

    let tablet = guest_at_tablet(&product).await;
    let menu = tablet.get("/kiosk/filials/1043").await.data();
    let dish = plain_products(&menu)[0].0;
    tablet.add(1043, dish).await;
    let fields = [("cart_version", "1"), ("comment", COMMENT)];
    tablet.post("/kiosk/cart/repair", &fields).await;
    let typed = typed_in(&tablet, "/kiosk/cart").await;
    assert_eq!(typed["comment"], COMMENT);
    tablet.post("/session/wipe", &[]).await;
    tablet.get(TABLET).await;
    tablet.add(1043, dish).await;
    let next = tablet.get("/kiosk/cart").await.data();
    assert_eq!(next["shell"]["cart"]["count"], 1);
    assert!(next["page"]["data"]["typed"].is_null(), "the next guest");
}

/// A message that names a dish is none that names a guest.
#[tokio::test]
async fn the_name_of_a_removed_dish_is_not_the_guests() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    let menu = guest.get(MENU).await.data();
    guest.add(VENUE, plain_products(&menu)[1].0).await;
    let seen = guest.get("/cart").await.data();
    let line = seen["shell"]["cart"]["lines"][0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let page = guest
        .submit(
            &format!("/cart/lines/{line}"),
            &[("qty", "0"), ("back", "/cart")],
        )
        .await;
    let dish = page.data()["shell"]["flash"]["values"]["name"][0].clone();
    let name = format!("value=\"{}\"", dish.as_str().unwrap());
    assert!(!page.rendered().contains(&name), "{name}");
}

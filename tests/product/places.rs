//! The address of a delivery: out of the zone it blocks the order (CT-18), and changing it changes nothing in the cart
//! (CT-19).

use serde_json::{Value, json};

use crate::{
    account::sign_in,
    addresses::{venue_at, with_delivery},
    support::{Guest, Product, as_fields, client, order_fields},
};

struct Delivery {
    guest: Guest,
    bearer: String,
    address: String,
    /// Where the venue is.
    here: (f64, f64),
}

/// A signed-in guest with two dishes in the cart and an address a kilometre away from the venue.
async fn delivery(product: &Product) -> Delivery {
    let guest = product.guest();
    with_delivery(&guest).await;
    let (bearer, _) = sign_in(product, &guest).await;
    let here = venue_at(product).await;
    let saved = client()
        .post(format!("{}/profile/api/v1/address", product.sandbox))
        .bearer_auth(&bearer)
        .json(&address("Абай даңғылы", here.0 + 0.01, here.1))
        .send()
        .await
        .unwrap();
    let saved: Value = saved.json().await.unwrap();
    Delivery {
        guest,
        bearer,
        address: saved["data"]["id"].to_string(),
        here,
    }
}

fn address(street: &str, latitude: f64, longitude: f64) -> Value {
    json!({
        "name": "Үй", "address": format!("{street}, 10"), "city": "Алматы", "street": street, "building": "10",
        "entrance": "", "floor": "", "apartment": "", "is_private_house": true, "comment": "",
        "latitude": latitude, "longitude": longitude,
    })
}

async fn move_to(product: &Product, delivery: &Delivery, place: Value) {
    let path = format!(
        "{}/profile/api/v1/address/{}",
        product.sandbox, delivery.address
    );
    let changed = client()
        .put(path)
        .bearer_auth(&delivery.bearer)
        .json(&place)
        .send()
        .await
        .unwrap();
    assert!(changed.status().is_success(), "{}", changed.status());
}

#[tokio::test]
async fn an_address_out_of_the_zone_blocks_the_order_on_the_server_too() {
    let product = Product::start().await;
    let delivery = delivery(&product).await;
    let guest = &delivery.guest;
    let blocks = async || {
        let page = guest.get("/cart").await.data();
        page["page"]["data"]["blocks"].clone()
    };
    assert!(
        !blocks()
            .await
            .as_array()
            .unwrap()
            .contains(&json!("outOfZone"))
    );
    move_to(
        &product,
        &delivery,
        address("Алыс көше", delivery.here.0 + 1.5, delivery.here.1),
    )
    .await;
    assert_eq!(blocks().await[0], "outOfZone");

    // The address says so itself, with the way on, and nothing beside it speaks of a delivery that there is none of.
    let shown = guest.get("/cart?lang=en").await;
    let card = shown.texts(".delivery");
    assert!(
        card[0].contains("Delivery not available to the address. You can choose takeaway."),
        "{card:?}"
    );
    assert_eq!(
        shown.texts(".delivery .where-to > *"),
        ["Pick up here", "Another address"]
    );
    assert_eq!(shown.texts(".delivery .next, .delivery details"), [""; 0]);
    let from = shown.texts(".from").join("");
    assert!(!from.contains("min"), "{from}");

    // A guest who posts all the same is told the same, and nothing is ordered.
    let page = guest.get("/cart").await.data();
    let seen = order_fields(&page);
    let fields = as_fields(&seen);
    let answer = guest.post_json("/orders", &fields).await;
    assert_eq!(answer.status, 422);
    let error = &answer.json()["flash"]["errors"][0];
    assert_eq!(
        (&error["code"], &error["values"]["reason"]),
        (&json!("blocked"), &json!("outOfZone"))
    );
    assert!(product.sandbox_get("orders").await.is_empty());
    let shown = guest.submit("/orders", &fields).await;
    assert!(
        shown.rendered().contains("block-outOfZone"),
        "the page says why"
    );
    assert_eq!(
        shown.data()["shell"]["cart"]["count"],
        4,
        "the cart is kept"
    );
}

#[tokio::test]
async fn what_keeps_a_delivery_from_being_ordered_is_said_in_the_given_words() {
    let product = Product::start().await;
    let delivery = delivery(&product).await;
    let guest = &delivery.guest;
    let said = async |lang: &str, of: &str| {
        let page = guest.get(&format!("/cart?lang={lang}")).await;
        page.texts(&format!("#block-{of}"))
    };
    move_to(
        &product,
        &delivery,
        address("Алыс көше", delivery.here.0 + 1.5, delivery.here.1),
    )
    .await;
    for (lang, words) in [
        ("en", "Delivery not available to the address. "),
        ("ru", "Доставка по этому адресу недоступна. "),
        ("kk", "Бұл мекенжайға жеткізу қолжетімсіз. "),
    ] {
        let found = said(lang, "outOfZone").await;
        assert!(found[0].starts_with(words), "{lang}: {found:?}");
        assert!(said(lang, "address").await.is_empty());
    }

    let path = format!(
        "{}/profile/api/v1/address/{}",
        product.sandbox, delivery.address
    );
    let gone = client().delete(path).bearer_auth(&delivery.bearer).send();
    assert!(gone.await.unwrap().status().is_success());
    for (lang, words) in [
        ("en", "You need to specify the delivery address"),
        ("ru", "Нужно указать адрес доставки"),
        ("kk", "Жеткізу мекенжайын көрсету қажет"),
    ] {
        assert_eq!(said(lang, "address").await, [words], "{lang}");
        assert!(said(lang, "outOfZone").await.is_empty());
    }
}

#[tokio::test]
async fn changing_the_address_leaves_the_cart_as_it_is() {
    let product = Product::start().await;
    let delivery = delivery(&product).await;
    let guest = &delivery.guest;
    let lines = async || {
        let page = guest.get("/cart").await.data();
        (
            page["shell"]["cart"]["lines"].clone(),
            page["page"]["data"]["delivery"]["address"].clone(),
        )
    };
    let (before, there) = lines().await;
    assert_eq!(there, "Абай даңғылы, 10");
    assert_eq!(before.as_array().unwrap().len(), 2);
    let (north, east) = delivery.here;
    let places = [
        ("Төле би көшесі", north - 0.01, east),
        ("Алыс көше", north + 1.5, east),
        ("Сәтбаев көшесі", north, east + 0.01),
    ];
    for (street, latitude, longitude) in places {
        move_to(&product, &delivery, address(street, latitude, longitude)).await;
        let (after, there) = lines().await;
        assert_eq!(there, format!("{street}, 10"));
        assert_eq!(after, before, "nothing is gone or dearer in {street}");
        assert!(
            after
                .as_array()
                .unwrap()
                .iter()
                .all(|line| line["problem"].is_null()),
            "nothing is called unavailable in {street}"
        );
    }
}

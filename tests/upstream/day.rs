//! A day in the life, without any page: each kind of order from the menu to the grade.

use dastarkhan::{
    upstream::{
        Address, Caller, Class, Coordinates, IdempotencyKey, LocationsQuery, OrderDraft, OrderId,
        OrderItem, OrderKind, OrderStatus, PayMethod, PayPage, Paying, Payment, PaymentKind,
        PaymentStatus, Product, Serving, Source, Tariff, Transport, Venue, VenueId, ZoneOf,
    },
    values::{Service, Sum},
};
use serde_json::json;

use crate::{double::guest, sandbox::World};

const PHONE: &str = "+7 701 000 00 11";

/// The first venue of a service that fits, with a dish that can be ordered as it stands.
async fn fitting(
    world: &World,
    service: Service,
    fits: impl Fn(&Venue) -> bool,
) -> (Venue, Product) {
    let mut query = LocationsQuery {
        service: Some(service),
        limit: 100,
        ..LocationsQuery::default()
    };
    loop {
        let page = world.client.locations(&guest(), &query).await.unwrap();
        for location in &page.items {
            let venue = world
                .client
                .venue(&guest(), location.venue_id, None)
                .await
                .unwrap();
            if fits(&venue)
                && !venue.location.is_closed
                && let Some(dish) = dish(world, location.venue_id).await
            {
                return (Venue::clone(&venue), dish);
            }
        }
        assert!(query.page < page.last_page, "no venue fits");
        query.page += 1;
    }
}

async fn dish(world: &World, venue: VenueId) -> Option<Product> {
    let menu = world.client.menu(&guest(), venue).await.unwrap();
    let plain = |dish: &&Product| {
        !dish.is_unavailable
            && !dish.has_additives
            && dish.sizes.is_none()
            && dish.min_age.is_none()
            && dish.price > Sum(50_000)
    };
    menu.categories
        .iter()
        .flat_map(|category| &category.products)
        .find(plain)
        .cloned()
}

/// A draft of so many pieces; `more` is what comes on top of the goods.
fn draft(
    venue: &Venue,
    dish: &Product,
    count: u32,
    serving: Serving,
    paying: Paying,
    more: Sum,
) -> OrderDraft {
    let price = dish.current_price();
    OrderDraft {
        venue: venue.location.venue_id,
        serving,
        source: Some(Source::Qr),
        paying,
        name: "Айгүл".to_owned(),
        comment: String::new(),
        items: vec![OrderItem {
            product: dish.id,
            size: None,
            count,
            price,
            additives: Vec::new(),
            comment: String::new(),
        }],
        expected_sum: Sum(price.0 * i64::from(count) + more.0),
        bonus: Sum(0),
        promo_code: String::new(),
    }
}

fn home(venue: &Venue) -> Address {
    let venue = venue.location.coordinates.unwrap();
    Address {
        name: "Үй".to_owned(),
        address: "Абай 10".to_owned(),
        city: "Алматы".to_owned(),
        street: "Абай".to_owned(),
        building: "10".to_owned(),
        entrance: "1".to_owned(),
        floor: "2".to_owned(),
        apartment: "3".to_owned(),
        is_private_house: false,
        comment: String::new(),
        coordinates: Coordinates::new(venue.latitude() + 0.01, venue.longitude()).unwrap(),
    }
}

fn bank(world: &World, method: PayMethod) -> Paying {
    let origin = "http://127.0.0.1:8080";
    assert_ne!(world.sandbox.url(), origin);
    Paying::Online(Some(PayPage {
        method,
        success_url: format!("{origin}/orders"),
        failure_url: format!("{origin}/cart"),
    }))
}

/// What the guest does on the page of the bank.
async fn at_the_bank(world: &World, payment: &Payment, outcome: &str) {
    let no_redirect = reqwest::redirect::Policy::none();
    let browser = reqwest::Client::builder()
        .no_proxy()
        .redirect(no_redirect)
        .build()
        .unwrap();
    let url = payment.url.clone().unwrap();
    let answer = browser
        .post(url)
        .body(format!("outcome={outcome}"))
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), 303);
    assert!(
        answer.headers()["location"]
            .to_str()
            .unwrap()
            .contains("payment_id=")
    );
    let _ = world;
}

async fn move_to(world: &World, id: &OrderId, statuses: &[&str]) {
    for status in statuses {
        world
            .control("order/status", json!({ "order_id": id, "status": status }))
            .await;
    }
}

fn key(name: &str) -> IdempotencyKey {
    IdempotencyKey::new(name).unwrap()
}

async fn status(world: &World, caller: &Caller, id: &OrderId) -> OrderStatus {
    world.client.order(caller, id).await.unwrap().status
}

fn cheapest(tariffs: &[Tariff]) -> &Tariff {
    tariffs.iter().min_by_key(|tariff| tariff.price).unwrap()
}

#[tokio::test]
async fn a_delivery_is_paid_by_card_brought_by_a_courier_graded_and_repeated() {
    let world = World::start().await;
    let client = &world.client;
    let caller = world.signed_in(PHONE).await;
    let (venue, dish) = fitting(&world, Service::Delivery, |venue| {
        venue.payments().contains(&PaymentKind::Online)
    })
    .await;
    let address = client
        .create_address(&caller, &home(&venue))
        .await
        .unwrap()
        .address;

    let zone_of = Some(ZoneOf::Location(venue.location.id.unwrap()));
    assert!(
        client
            .zone(&caller, zone_of, address.coordinates)
            .await
            .unwrap()
            .is_inside
    );
    let moon = Coordinates::new(0.0, 0.0).unwrap();
    assert!(!client.zone(&caller, zone_of, moon).await.unwrap().is_inside);
    assert!(
        client.zone(&caller, None, moon).await.unwrap().is_inside,
        "DG-11"
    );
    let outline = client
        .zones(&caller, venue.location.id.unwrap())
        .await
        .unwrap();
    assert!(outline[0].len() > 3);

    let count = u32::try_from(1_000_000 / dish.current_price().0 + 1).unwrap();
    let goods = Sum(dish.current_price().0 * i64::from(count));
    let origin = venue.location.coordinates.unwrap();
    let tariffs = client
        .tariffs(
            &caller,
            origin,
            address.coordinates,
            Some(venue.location.venue_id),
            goods,
        )
        .await;
    assert_eq!(
        tariffs.len(),
        1,
        "on foot is not the fastest, so the cheapest is kept"
    );
    let tariff = cheapest(&tariffs);
    assert_eq!(tariff.transport, Some(Transport::Foot));

    let serving = Serving::Delivery {
        address: address.clone(),
        transport: tariff.transport,
    };
    let order = draft(
        &venue,
        &dish,
        count,
        serving,
        bank(&world, PayMethod::Card),
        tariff.price,
    );
    let placed = client
        .place_order(&caller, &order, &key("delivery"))
        .await
        .unwrap();
    let payment = placed.payment.unwrap();
    assert_eq!(
        (payment.status, payment.sum),
        (PaymentStatus::Pending, Some(order.expected_sum))
    );

    at_the_bank(&world, &payment, "declined").await;
    assert_eq!(
        client.payment(&caller, &payment.id).await.unwrap().status,
        PaymentStatus::Declined
    );
    let Paying::Online(Some(page)) = &order.paying else {
        panic!("online")
    };
    let again = client
        .pay_order(&caller, &placed.id, page, &key("again"))
        .await
        .unwrap();
    at_the_bank(&world, &again, "succeeded").await;
    assert_eq!(
        client.payment(&caller, &again.id).await.unwrap().status,
        PaymentStatus::Succeeded
    );

    let told = client.order(&caller, &placed.id).await.unwrap();
    assert_eq!(
        (told.kind, told.service, told.is_paid),
        (OrderKind::Delivery, Some(Service::Delivery), true)
    );
    assert_eq!(
        (told.delivery_sum, told.paid_with_card),
        (Some(tariff.price), order.expected_sum)
    );
    assert_eq!(told.address, Some(address));

    assert_eq!(
        client.courier(&caller, &placed.id).await.unwrap(),
        None,
        "nobody on the way yet"
    );
    move_to(&world, &placed.id, &["cooking", "ready", "delivery"]).await;
    let courier = client.courier(&caller, &placed.id).await.unwrap().unwrap();
    assert!(courier.phone.is_some() && courier.coordinates.is_some());
    let mut other_guest = guest();
    other_guest.fingerprint = None;
    assert_eq!(
        client.courier(&other_guest, &placed.id).await.unwrap(),
        None,
        "not for others"
    );

    move_to(&world, &placed.id, &["completed"]).await;
    assert_eq!(
        status(&world, &caller, &placed.id).await,
        OrderStatus::Completed
    );
    client
        .grade_order(&caller, &placed.id, 5, "Дәмді", &["fast".to_owned()])
        .await
        .unwrap();
    let repeat = client
        .repeat_order(&caller, &placed.id, &key("repeat"))
        .await
        .unwrap();
    assert_eq!((repeat.items, repeat.missing), (order.items, Vec::new()));

    let mine = client
        .orders(&caller, 1, Some(Service::Delivery), None)
        .await
        .unwrap();
    assert_eq!((mine.total, mine.items[0].id.clone()), (1, placed.id));
    assert_eq!(
        client
            .orders(&caller, 1, Some(Service::Express), None)
            .await
            .unwrap()
            .total,
        0
    );
    assert_eq!(client.chat(&caller).await.unwrap(), None, "OR-10");
}

#[tokio::test]
async fn a_takeaway_order_can_be_taken_back_before_it_is_cooked() {
    let world = World::start().await;
    let client = &world.client;
    let caller = world.signed_in(PHONE).await;
    let (venue, dish) = fitting(&world, Service::Takeaway, |venue| {
        venue.payments().contains(&PaymentKind::Cash)
    })
    .await;
    let order = draft(&venue, &dish, 1, Serving::Takeaway, Paying::Cash, Sum(0));
    let refused = client
        .place_order(&guest(), &order, &key("nobody"))
        .await
        .err();
    assert_eq!(
        refused,
        Some(dastarkhan::upstream::Error::Unauthorized),
        "a guest signs in for this"
    );

    let first = client
        .place_order(&caller, &order, &key("first"))
        .await
        .unwrap();
    let canceled = client
        .cancel_order(&caller, &first.id, "ойландым")
        .await
        .unwrap();
    assert_eq!(
        (canceled.status, canceled.cancel_reason.as_deref()),
        (OrderStatus::Canceled, Some("ойландым"))
    );

    let second = client
        .place_order(&caller, &order, &key("second"))
        .await
        .unwrap();
    move_to(&world, &second.id, &["cooking"]).await;
    let late = client
        .cancel_order(&caller, &second.id, "")
        .await
        .unwrap_err();
    assert_eq!(late.code(), Some("too_late"));
    move_to(&world, &second.id, &["ready", "completed"]).await;
    assert_eq!(
        status(&world, &caller, &second.id).await,
        OrderStatus::Completed
    );
}

#[tokio::test]
async fn the_venues_own_couriers_and_a_fridge_have_calls_of_their_own() {
    let world = World::start().await;
    let client = &world.client;
    let caller = world.signed_in(PHONE).await.with_class(Class::Critical);
    let takes_cash = |venue: &Venue| venue.payments().contains(&PaymentKind::Cash);

    let (venue, dish) = fitting(&world, Service::Delivery, |venue| {
        venue.vendor_delivery_enabled && takes_cash(venue)
    })
    .await;
    let price = dish.current_price().0;
    let count = u32::try_from(venue.vendor_min_sum.0 / price + 1).unwrap();
    let serving = Serving::VendorDelivery {
        address: home(&venue),
    };
    let order = draft(
        &venue,
        &dish,
        count,
        serving,
        Paying::Cash,
        venue.vendor_delivery_cost,
    );
    let placed = client
        .place_order(&caller, &order, &key("vendor"))
        .await
        .unwrap();
    let told = client.order(&caller, &placed.id).await.unwrap();
    assert_eq!(
        (told.kind, told.service),
        (OrderKind::VendorDelivery, Some(Service::Delivery))
    );

    let (venue, dish) = fitting(&world, Service::Takeaway, takes_cash).await;
    let order = OrderDraft {
        source: Some(Source::Fridge),
        ..draft(&venue, &dish, 1, Serving::Micromarket, Paying::Cash, Sum(0))
    };
    let placed = client
        .place_order(&caller, &order, &key("fridge"))
        .await
        .unwrap();
    assert_eq!(
        client.order(&caller, &placed.id).await.unwrap().kind,
        OrderKind::Micromarket
    );
}

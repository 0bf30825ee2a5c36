//! The whole contract: every call of the client against the sandbox, and no call of the sandbox's OpenAPI document
//! without one of the client.

use dastarkhan::{
    upstream::{
        AdditivesOf, Address, Barcode, BillPay, Booking, Caller, Coordinates, Door, Filters,
        HitKind, HitsQuery, IdempotencyKey, ImageKind, List, LocationsQuery, NewBooking,
        OrderDraft, OrderItem, Os, PayMethod, PayPage, Paying, PaymentStatus, Product, PushDevice,
        ReviewState, Serving, Source, UserChange, VenueId, ZoneOf,
    },
    values::{Country, Lang, Service, Sum},
};
use serde_json::json;

use crate::sandbox::{Seat, World};

/// Pages and files for browsers: nothing that the client calls.
const NOT_CALLS: [&str; 7] = [
    "/_sandbox",
    "/oauth2/authorize",
    "/pay/",
    "/files/",
    "/avatars/",
    "/tiles/",
    "/favicon.ico",
];

struct Play {
    world: World,
    caller: Caller,
    seat: Seat,
    dish: Product,
    number: u32,
}

impl Play {
    fn key(&mut self) -> IdempotencyKey {
        self.number += 1;
        IdempotencyKey::new(&format!("contract-{}", self.number)).unwrap()
    }

    fn item(&self) -> OrderItem {
        OrderItem {
            product: self.dish.id,
            size: None,
            count: 1,
            price: self.dish.current_price(),
            additives: Vec::new(),
            comment: String::new(),
        }
    }

    fn page() -> PayPage {
        PayPage {
            method: PayMethod::Card,
            success_url: "http://127.0.0.1:8080/orders".to_owned(),
            failure_url: "http://127.0.0.1:8080/cart".to_owned(),
        }
    }
}

#[tokio::test]
async fn the_client_has_a_call_for_each_operation_and_reads_its_answer() {
    let world = World::start().await;
    let caller = world.signed_in("+7 701 000 00 12").await;
    let seat = world.seat().await;
    let dish = world.dish(seat.venue).await;
    let mut play = Play {
        world,
        caller,
        seat,
        dish,
        number: 0,
    };
    places(&play).await;
    menus(&play).await;
    orders(&mut play).await;
    bills(&mut play).await;
    person(&mut play).await;
    the_rest(&mut play).await;
    sign_out(&play).await;

    let document = play.world.get("/_sandbox/openapi.json").await;
    let log = play.world.get("/_sandbox/api/log").await;
    let asked: Vec<(&str, &str)> = log
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            (
                entry["method"].as_str().unwrap(),
                entry["path"].as_str().unwrap(),
            )
        })
        .collect();
    let mut missing = Vec::new();
    let mut met_operations = 0;
    for (path, operations) in document["paths"].as_object().unwrap() {
        if path == "/" || NOT_CALLS.iter().any(|other| path.starts_with(other)) {
            continue;
        }
        for method in operations
            .as_object()
            .unwrap()
            .keys()
            .map(|method| method.to_uppercase())
        {
            let met = asked
                .iter()
                .any(|(verb, asked)| *verb == method && fits(path, asked));
            met_operations += u32::from(met);
            if !met {
                missing.push(format!("{method} {path}"));
            }
        }
    }
    assert!(met_operations > 80, "{met_operations}");
    assert!(missing.is_empty(), "no call of the client for {missing:#?}");
}

/// Whether a path is that of a template with `{…}` segments.
fn fits(template: &str, path: &str) -> bool {
    let mut parts = path.split('/');
    let same = template.split('/').all(|part| match parts.next() {
        Some(other) => part == other || (part.starts_with('{') && !other.is_empty()),
        None => false,
    });
    same && parts.next().is_none()
}

async fn places(play: &Play) {
    let Play {
        world,
        caller,
        seat,
        ..
    } = play;
    let client = &world.client;
    assert!(!client.country(caller, Country::Kz).await.built_in);
    let towns = client.towns(caller, Country::Kz).await.unwrap();
    let town = Some(towns.items[0].id);
    for list in [List::All, List::Near, List::Bakery] {
        client
            .locations(
                caller,
                &LocationsQuery {
                    list,
                    ..LocationsQuery::default()
                },
            )
            .await
            .unwrap();
    }
    let venue = client.venue_v2(caller, seat.venue).await.unwrap();
    client
        .venue(caller, seat.venue, venue.location.brand_id)
        .await
        .unwrap();
    assert!(
        !client
            .tables(caller, seat.venue)
            .await
            .unwrap()
            .tables
            .is_empty()
    );
    client
        .branch(caller, seat.venue, Some(&seat.table), Some(seat.main_venue))
        .await
        .unwrap();
    client.banner(caller, seat.venue).await.unwrap();

    let brand = venue.location.brand_id.unwrap();
    let brands = client.brands(caller, town, 1).await.unwrap();
    assert!(brands.items.iter().all(|brand| brand.venues_count > 0));
    let group = client
        .brand_locations(caller, brand, None, 1)
        .await
        .unwrap();
    assert!(
        group.items[0]
            .locations
            .iter()
            .all(|location| location.brand_id == Some(brand))
    );
    let hits = client
        .autocomplete(caller, &venue.location.brand_name, None, None)
        .await
        .unwrap();
    assert!(!hits.is_empty() && hits.len() <= 3);
    assert!(
        client
            .autocomplete(caller, "  ", None, None)
            .await
            .unwrap()
            .is_empty()
    );

    let query = HitsQuery {
        text: "лағман".to_owned(),
        inside: true,
        kind: Some(HitKind::Dish),
        filters: Filters::default(),
        service: None,
        town,
        brand: None,
        page: 1,
        limit: 20,
    };
    let hits = client.search_products(caller, &query).await.unwrap();
    assert!(hits.items.iter().all(|hit| hit.product.barcode.is_none()));
    assert!(hits.total > 0 && !hits.items.is_empty());

    let place = venue.location.coordinates.unwrap();
    for of in [
        ZoneOf::Brand(brand),
        ZoneOf::Location(venue.location.id.unwrap()),
    ] {
        client.zone(caller, Some(of), place).await.unwrap();
    }
    client
        .zones(caller, venue.location.id.unwrap())
        .await
        .unwrap();
    assert!(
        !client
            .tariffs(caller, place, place, Some(seat.venue), Sum(500_000))
            .await
            .is_empty()
    );
    let spot = client.address_of(caller, place).await.unwrap().unwrap();
    let found = client
        .address_suggestions(caller, &spot.street)
        .await
        .unwrap();
    assert!(!found.is_empty() && found.len() <= 3);
    assert_eq!(
        client
            .address_of(caller, Coordinates::new(0.0, 0.0).unwrap())
            .await
            .unwrap(),
        None
    );
}

async fn menus(play: &Play) {
    let Play {
        world,
        caller,
        seat,
        dish,
        ..
    } = play;
    let (client, venue) = (&world.client, seat.venue);
    let menu = client.menu(caller, venue).await.unwrap();
    client.popular(caller, venue).await.unwrap();
    client.favourites(caller, venue).await.unwrap();
    client.cross_sell(caller, venue, &[dish.id]).await.unwrap();
    for of in [AdditivesOf::Product, AdditivesOf::Favourite] {
        client
            .additives(caller, venue, dish.id, Service::Express, of)
            .await
            .unwrap();
    }
    assert_eq!(
        client
            .products_with_additives(caller, venue, &[dish.id])
            .await
            .unwrap()
            .len(),
        1
    );
    client.frequent(caller, venue).await.unwrap();
    client.recommended(caller, venue).await.unwrap();
    assert!(
        client
            .available(caller, venue)
            .await
            .unwrap()
            .contains(&dish.id)
    );
    let coded = menu
        .categories
        .iter()
        .flat_map(|category| &category.products)
        .find_map(|product| product.barcode.clone());
    let nothing: Barcode = "00000000".parse().unwrap();
    assert_eq!(
        client
            .product_by_barcode(caller, venue, &nothing)
            .await
            .unwrap()
            .map(|product| product.id),
        None
    );
    if let Some(code) = coded {
        let found = client
            .product_by_barcode(caller, venue, &code.parse().unwrap())
            .await
            .unwrap();
        assert_eq!(found.unwrap().barcode, Some(code));
    }
    client.promos(caller, venue, None).await.unwrap();
    client.subsidies(caller, &[venue]).await.unwrap();
    assert!(
        client
            .check_promo_code(caller, venue, "NO-SUCH-CODE", Sum(500_000))
            .await
            .is_err()
    );
    client.gifts(caller, Some(venue)).await.unwrap();
    for coupon in client.coupons(caller, Some(venue)).await.unwrap() {
        client
            .check_promo_code(caller, venue, &coupon.code, Sum(1_000_000))
            .await
            .unwrap();
    }
}

async fn orders(play: &mut Play) {
    let (key, again, repeat) = (play.key(), play.key(), play.key());
    let item = play.item();
    let Play {
        world,
        caller,
        seat,
        ..
    } = play;
    let client = &world.client;
    let check = client
        .check_stop_list(
            caller,
            seat.venue,
            Service::Express,
            std::slice::from_ref(&item),
        )
        .await
        .unwrap();
    assert!(check.ok);
    client
        .cooking_time(caller, seat.venue, &[(item.product, 1)])
        .await
        .unwrap();
    let venue = client.venue(caller, seat.venue, None).await.unwrap();
    let goods = item.price.0;
    let draft = OrderDraft {
        venue: seat.venue,
        serving: Serving::Express {
            table: Some(seat.table.clone()),
            main_venue: Some(seat.main_venue),
        },
        source: Some(Source::Qr),
        paying: Paying::Online(Some(Play::page())),
        name: String::new(),
        comment: String::new(),
        items: vec![item],
        expected_sum: Sum((goods + goods * i64::from(venue.service_percentage) / 100) / 100 * 100),
        bonus: Sum(0),
        promo_code: String::new(),
    };
    let placed = client.place_order(caller, &draft, &key).await.unwrap();
    let payment = client
        .pay_order(caller, &placed.id, &Play::page(), &again)
        .await
        .unwrap();
    client.payment(caller, &payment.id).await.unwrap();
    client.order(caller, &placed.id).await.unwrap();
    assert_eq!(
        client
            .orders(caller, 1, None, None)
            .await
            .unwrap()
            .items
            .len(),
        1
    );
    assert_eq!(client.courier(caller, &placed.id).await.unwrap(), None);
    client
        .repeat_order(caller, &placed.id, &repeat)
        .await
        .unwrap();
    client
        .grade_order(caller, &placed.id, 4, "", &[])
        .await
        .unwrap();
    client.cancel_order(caller, &placed.id, "").await.unwrap();
    client.chat(caller).await.unwrap();
    // The other kinds are played through in day.rs; here their calls are only met.
    let address = home();
    for serving in [
        Serving::Takeaway,
        Serving::Delivery {
            address: address.clone(),
            transport: None,
        },
        Serving::VendorDelivery { address },
        Serving::Micromarket,
    ] {
        let draft = OrderDraft {
            serving,
            paying: Paying::Cash,
            ..draft.clone()
        };
        let _either_way = client
            .place_order(caller, &draft, &IdempotencyKey::random())
            .await;
    }
}

async fn bills(play: &mut Play) {
    let key = play.key();
    let item = play.item();
    let Play {
        world,
        caller,
        seat,
        dish,
        ..
    } = play;
    let client = &world.client;
    let none = client.bill(caller, seat.venue, &seat.table, None).await;
    assert_eq!(none.err(), Some(dastarkhan::upstream::Error::NotFound));
    let opened = json!({ "filial_id": seat.venue, "table_id": seat.table });
    world.control("bill/open", opened).await;
    let bill = client
        .bill(caller, seat.venue, &seat.table, Some(seat.main_venue))
        .await
        .unwrap();
    world
        .control(
            "bill/add",
            json!({ "bill_id": bill.id, "product_id": dish.id, "count": 2 }),
        )
        .await;
    let bill = client
        .bill(caller, seat.venue, &seat.table, None)
        .await
        .unwrap();
    assert_eq!(bill.left_sum, bill.sum);
    assert!(
        bill.items.iter().any(|item| item.product == Some(dish.id))
            && !bill.tips_percentages.is_empty()
    );

    let half = Sum(bill.left_sum.0 / 200 * 100);
    let pay = BillPay {
        sum: Some(half),
        tips: Sum(10_000),
        bonus: Sum(0),
        page: Play::page(),
    };
    let part = client.pay_bill(caller, &bill.id, &pay, &key).await.unwrap();
    assert_eq!((part.sum, part.tips), (half, Sum(10_000)));
    let payment = part.payment.unwrap();
    world
        .control(
            "payment",
            json!({ "payment_id": payment.id, "outcome": "succeeded" }),
        )
        .await;
    let bill = client
        .bill(caller, seat.venue, &seat.table, None)
        .await
        .unwrap();
    assert_eq!(
        (bill.paid_sum, bill.left_sum),
        (half, Sum(bill.sum.0 - half.0))
    );
    assert!(bill.parts.iter().any(|part| part.mine));
    client
        .grade_bill(caller, &part.id, 5, "Дәмді", &["tasty".to_owned()])
        .await
        .unwrap();
    client.call_waiter(caller, &bill.id).await.unwrap();
    client
        .call_waiter_to_table(caller, seat.venue, &seat.table, Some(seat.main_venue))
        .await
        .unwrap();
    // What is paid stays paid.
    let late = client.cancel_bill_payment(caller, &part.id).await;
    assert_eq!(late, Ok(PaymentStatus::Succeeded));

    let booking = NewBooking {
        venue: seat.venue,
        at: "2026-11-25T14:00:00Z".to_owned(),
        guests: 4,
        name: "Айгүл".to_owned(),
        phone: "+7 701 000 00 12".to_owned(),
        comment: String::new(),
        items: vec![item],
    };
    let booked = client
        .book(caller, &booking, &IdempotencyKey::random())
        .await
        .unwrap();
    assert_eq!(
        client.bookings(caller).await.unwrap(),
        std::slice::from_ref(&booked)
    );
    let preorder = client
        .preorder(caller, &booked.preorder.clone().unwrap())
        .await
        .unwrap();
    assert!(preorder.is_preorder && preorder.items.len() == 1);
    let slots = client
        .booking_slots(caller, seat.venue, "2026-11-25", 4)
        .await
        .unwrap();
    assert!(slots.iter().any(|slot| slot.free));
    client.cancel_booking(caller, &booked.id).await.unwrap();
    let given_back = Booking {
        is_canceled: true,
        ..booked
    };
    assert_eq!(client.bookings(caller).await.unwrap(), [given_back]);
}

async fn person(play: &mut Play) {
    let Play {
        world,
        caller,
        seat,
        ..
    } = play;
    let client = &world.client;
    client.user(caller).await.unwrap();
    let change = UserChange {
        name: Some("Айгүл".to_owned()),
        ..UserChange::default()
    };
    client.change_user(caller, &change).await.unwrap();
    client
        .set_avatar(caller, ImageKind::Png, b"\x89PNG\r\n\x1a\n".to_vec())
        .await
        .unwrap();
    client.delete_avatar(caller).await.unwrap();
    client.profile(caller).await.unwrap();
    client.set_profile_language(caller, Lang::Ru).await.unwrap();
    let saved = client.create_address(caller, &home()).await.unwrap();
    client.addresses(caller).await.unwrap();
    client.address(caller, saved.id).await.unwrap();
    client
        .change_address(caller, saved.id, &home())
        .await
        .unwrap();
    client.delete_address(caller, saved.id).await.unwrap();
    assert!(
        client.balance(caller).await.unwrap().total() > Sum(0),
        "a new account has a welcome bonus"
    );
    client.balance_info(caller).await.unwrap();
    let _either_way = client.reward(caller, seat.venue).await;
}

async fn the_rest(play: &mut Play) {
    let (open, close, review, tips) = (play.key(), play.key(), play.key(), play.key());
    let Play {
        world,
        caller,
        seat,
        ..
    } = play;
    let client = &world.client;
    let fridge = fridge(world, caller).await;
    let session = client.open_lock(caller, fridge, &open).await.unwrap();
    assert_eq!(session.door, Door::Open);
    client.fridge_session(caller, &session.id).await.unwrap();
    let running = client.fridge_sessions(caller).await.unwrap();
    assert_eq!(running, std::slice::from_ref(&session));
    let closed = client.close_fridge(caller, &session.id, &[], &close).await;
    assert_eq!(closed.unwrap().door, Door::Closed);
    assert!(client.fridge_sessions(caller).await.unwrap().is_empty());
    world
        .control("lock", json!({ "filial_id": fridge, "broken": true }))
        .await;
    let stuck = client
        .open_lock(caller, fridge, &IdempotencyKey::random())
        .await
        .unwrap_err();
    assert_eq!(stuck.code(), Some("lock_failed"));

    let written = client
        .write_review(caller, seat.venue, 5, "Дәмді", &review)
        .await
        .unwrap();
    assert_eq!(
        (written.lang, written.state),
        (Some(Lang::Kk), ReviewState::Pending)
    );
    let own = client.own_review(caller, seat.venue).await.unwrap();
    assert_eq!(own.as_ref(), Some(&written));
    let all = client
        .reviews(caller, seat.venue, None, 1, 10)
        .await
        .unwrap();
    let newest = &all.list.items[0];
    assert_ne!(newest.id, written.id, "nobody has read it yet");
    assert_eq!(
        all.summary.stars.map(|stars| stars.iter().sum()),
        Some(all.summary.count)
    );
    client
        .report_review(caller, seat.venue, newest.id, "spam")
        .await
        .unwrap();
    client.delete_review(caller, seat.venue).await.unwrap();
    assert_eq!(client.own_review(caller, seat.venue).await, Ok(None));
    client
        .tips(caller, seat.venue, Sum(50_000), &Play::page(), &tips)
        .await
        .unwrap();

    let device = PushDevice {
        os: Os::Web,
        project: "dastarkhan".to_owned(),
        token: "push-token".to_owned(),
        analytic_device_id: "device-1".to_owned(),
    };
    client.register_push(caller, &device).await.unwrap();
    let opened = client
        .notification_opened(
            caller,
            &"n1".parse().unwrap(),
            &device,
            "2026-11-21T07:00:00Z",
        )
        .await;
    opened.unwrap();
    client.unassign_push(caller, &device).await.unwrap();
    let config = client.remote_config(caller).await.unwrap();
    assert!(config.services.len() == 3 && config.tile_url.is_some());
}

async fn sign_out(play: &Play) {
    let Play { world, caller, .. } = play;
    let client = &world.client;
    client.delete_user(caller).await.unwrap();
    client.restore_user(caller).await.unwrap();
    client.track(caller).await.unwrap();
    client.revoke_token(caller).await.unwrap();
}

/// Any venue will do as a fridge that nobody has open.
async fn fridge(world: &World, caller: &Caller) -> VenueId {
    let query = LocationsQuery {
        service: Some(Service::Takeaway),
        ..LocationsQuery::default()
    };
    world.client.locations(caller, &query).await.unwrap().items[0].venue_id
}

fn home() -> Address {
    Address {
        name: "Үй".to_owned(),
        address: String::new(),
        city: String::new(),
        street: "Абай".to_owned(),
        building: "10".to_owned(),
        entrance: String::new(),
        floor: String::new(),
        apartment: String::new(),
        is_private_house: false,
        comment: String::new(),
        coordinates: Coordinates::new(43.24, 76.9).unwrap(),
    }
}

#[test]
fn templates_fit_their_paths_alone() {
    assert!(fits("/a/{id}/b", "/a/7/b") && fits("/a/b/", "/a/b/"));
    assert!(!fits("/a/{id}", "/a/") && !fits("/a/b", "/a/b/") && !fits("/a/{id}", "/a/7/b"));
}

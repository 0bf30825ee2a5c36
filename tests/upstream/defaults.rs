//! What missing, null and wrong fields become (FL-02, MN-01 to MN-04, AT-01, AT-02, ZZ-13), over HTTP.

use dastarkhan::{
    upstream::{
        AdditiveGroup, Additives, AdditivesOf, DeliveryState, Error, ItemStatus, OrderStatus,
        PaymentKind, Product, Venue, When,
    },
    values::{Country, Lang, Service, Sum},
};
use serde_json::{Value, json};

use crate::{
    double::{Double, Reply, guest},
    samples::{VENUE, additives, good, items, product},
};

async fn answering(answer: Value) -> dastarkhan::upstream::Upstream {
    Double::start(move |_, _| Reply::Json(200, answer.clone()))
        .await
        .client()
}

async fn venue_with(change: impl Fn(&mut Value)) -> Venue {
    let mut answer = good("card");
    change(&mut answer["data"]);
    Venue::clone(
        &answering(answer)
            .await
            .venue(&guest(), VENUE, None)
            .await
            .unwrap()
            .value()
            .as_ref()
            .clone(),
    )
}

async fn product_with(changes: Value) -> Product {
    let mut product = product();
    product
        .as_object_mut()
        .unwrap()
        .extend(changes.as_object().unwrap().clone());
    let upstream = answering(json!({ "data": [product] })).await;
    upstream.popular(&guest(), VENUE).await.unwrap()[0].clone()
}

async fn group_with(changes: Value) -> AdditiveGroup {
    let option = |id: u64| json!({ "id": id, "name": "x", "price": 100, "max_count": 2 });
    let mut group =
        json!({ "id": 1, "name": "g", "additives": [option(11), option(12), option(13)] });
    group
        .as_object_mut()
        .unwrap()
        .extend(changes.as_object().unwrap().clone());
    chosen(json!({ "additive_groups": [group] })).await.groups[0].clone()
}

async fn chosen(data: Value) -> Additives {
    let upstream = answering(json!({ "data": data })).await;
    additives(&upstream, &guest(), AdditivesOf::Product)
        .await
        .unwrap()
        .value()
        .as_ref()
        .clone()
}

#[tokio::test]
async fn zero_and_zero_is_an_unknown_place() {
    let at = async |latitude: f64, longitude: f64| {
        let place = json!({ "latitude": latitude, "longitude": longitude });
        venue_with(|data| data["coordinates"] = place.clone())
            .await
            .location
            .coordinates
    };
    assert_eq!(at(0.0, 0.0).await, None);
    assert!(at(0.0, 76.95).await.is_some() && at(43.23, 0.0).await.is_some());
}

#[tokio::test]
async fn vendor_sums_delivery_and_reward_flags_have_their_defaults() {
    let fields = [
        "vendor_min_sum",
        "vendor_max_sum",
        "vendor_delivery_cost",
        "delivery_state",
        "delivery_delay_time",
        "private_reward_enabled",
        "private_reward_button_disabled",
    ];
    for wrong in [
        None,
        Some(Value::Null),
        Some(json!([{}])),
        Some(json!({ "x": 1 })),
    ] {
        let venue = venue_with(|data| {
            for field in fields {
                match &wrong {
                    None => drop(data.as_object_mut().unwrap().remove(field)),
                    Some(value) => data[field] = value.clone(),
                }
            }
        })
        .await;
        assert_eq!(
            (
                venue.vendor_min_sum,
                venue.vendor_max_sum,
                venue.vendor_delivery_cost
            ),
            (Sum(0), Sum(0), Sum(0))
        );
        assert_eq!(
            (
                venue.location.delivery_state.clone(),
                venue.location.delivery_delay_time
            ),
            (DeliveryState::Open, 0)
        );
        assert!(
            !venue.private_reward_enabled && !venue.private_reward_button_disabled,
            "{wrong:?}"
        );
    }
}

#[tokio::test]
async fn a_venue_is_read_as_it_is_sent() {
    let venue = venue_with(|_| ()).await;
    assert_eq!(venue.location.name, "Лағман үйі Самал");
    assert_eq!(
        (venue.service_percentage, venue.main_venue_id.map(|id| id.0)),
        (10, Some(1010))
    );
    assert_eq!(
        venue.location.venue_for(Service::Takeaway).map(|id| id.0),
        Some(1011)
    );
    assert_eq!(venue.location.venue_for(Service::Delivery), None);
    let hours: Vec<_> = venue
        .location
        .opening_hours
        .iter()
        .map(|hours| (hours.day, hours.from, hours.to))
        .collect();
    assert_eq!(hours, [(1, 600, 1380), (6, 1080, 120)]);
    assert_eq!(venue.location.close_in_advance_minutes, 15);
    assert_eq!(venue.social_networks[0].name, "instagram");
}

#[tokio::test]
async fn only_web_links_of_a_venue_survive() {
    let links = [
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "//evil",
        "https://social.example/",
    ];
    let venue = venue_with(|data| {
        data["extra"]["social_networks"] = links
            .iter()
            .map(|link| json!({ "name": "x", "link": link }))
            .collect();
        data["image_url"] = json!("javascript:alert(1)");
    })
    .await;
    let kept: Vec<&str> = venue
        .social_networks
        .iter()
        .map(|network| network.link.as_str())
        .collect();
    assert_eq!(kept, ["https://social.example/"]);
    assert_eq!(venue.location.image_url, None);
}

#[tokio::test]
async fn payments_follow_the_venues_switches() {
    use PaymentKind::{Cash, Online};
    let payments = async |types: Value, button: bool, online: bool| {
        let venue = venue_with(|data| {
            data["payment_types"] = types.clone();
            data["payment_button_disabled"] = json!(button);
            data["online_payment_disabled"] = json!(online);
        });
        venue.await.payments()
    };
    // PY-01: the eight combinations of cash, a disabled online payment and a disabled button.
    for (cash, online_off, ways) in [
        (true, false, &[Online, Cash][..]),
        (true, true, &[Cash]),
        (false, false, &[Online]),
        (false, true, &[]),
    ] {
        let types = if cash {
            json!(["online", "cash"])
        } else {
            json!(["online"])
        };
        let told = payments(types.clone(), false, online_off).await;
        assert_eq!(told, ways, "cash {cash}, online off {online_off}");
        let told = payments(types, true, online_off).await;
        assert_eq!(told, [], "no button: cash {cash}, online off {online_off}");
    }
    assert_eq!(payments(json!(["barter", 7, null]), false, true).await, []);
    // None is none; of what is not told online is not excluded.
    assert_eq!(payments(json!([]), false, false).await, []);
    assert_eq!(payments(Value::Null, false, false).await, [Online]);
}

#[tokio::test]
async fn a_service_share_that_can_not_be_read_is_no_zero() {
    let mut answer = good("card");
    answer["data"]["service_percentage"] = json!("ten");
    let error = answering(answer)
        .await
        .venue(&guest(), VENUE, None)
        .await
        .err();
    assert_eq!(
        error,
        Some(Error::BadAnswer {
            why: "service_percentage"
        })
    );
    assert_eq!(
        venue_with(|data| data["service_percentage"] = Value::Null)
            .await
            .service_percentage,
        0
    );
}

#[tokio::test]
async fn an_old_price_is_a_promo_only_when_it_is_higher() {
    let promo = product_with(json!({ "price": 1480, "old_price": 1850 })).await;
    assert_eq!(
        (promo.price, promo.promo_price, promo.percent),
        (Sum(185_000), Some(Sum(148_000)), Some(-20))
    );
    for old in [
        json!(0),
        json!(1850),
        json!(1000),
        json!(null),
        json!("x"),
        json!(-5),
    ] {
        let plain = product_with(json!({ "price": 1850, "old_price": old })).await;
        assert_eq!(
            (plain.price, plain.promo_price, plain.percent),
            (Sum(185_000), None, None),
            "{old}"
        );
    }
}

#[tokio::test]
async fn the_percent_of_a_promo_is_floored_and_less_than_one_is_no_badge() {
    for (price, old, percent) in [
        (667, 1000, Some(-33)),
        (1, 3, Some(-66)),
        (999, 1000, None),
        (995, 1000, None),
        (990, 1000, Some(-1)),
    ] {
        let product = product_with(json!({ "price": price, "old_price": old })).await;
        assert_eq!(product.percent, percent, "{price} of {old}");
        assert!(product.promo_price.is_some());
    }
}

#[tokio::test]
async fn promo_limits_exist_with_a_reward_only() {
    let with = product_with(json!({ "reward_id": 4 })).await;
    assert_eq!(
        (with.promo_limit, with.promo_day_limit),
        (Some(9999), Some(9999))
    );
    let told = product_with(json!({ "reward_id": 4, "promo_limit": 2 })).await;
    assert_eq!(
        (told.promo_limit, told.promo_day_limit),
        (Some(2), Some(9999))
    );
    let without = product_with(json!({})).await;
    assert_eq!((without.promo_limit, without.promo_day_limit), (None, None));
    let by_day =
        product_with(json!({ "reward_id": 4, "promo_limit": 3, "promo_day_limit": 2 })).await;
    let limits = [&with, &told, &without, &by_day].map(Product::stated_limit);
    assert_eq!(
        limits,
        [None, Some(2), None, Some(2)],
        "what a guest is told"
    );
}

#[tokio::test]
async fn no_sizes_are_none_and_both_ids_are_kept() {
    let plain = product_with(json!({ "sizes": [] })).await;
    assert_eq!(plain.sizes, None);
    assert_eq!((plain.id.0, plain.menu_id), (551, Some(90551)));
    let sized = product_with(json!({ "sizes": [{ "id": 1, "name": "0,5 л", "price": 9.5, "old_price": 12 }, { "id": 2 }] })).await;
    let sizes = sized.sizes.unwrap();
    assert_eq!(sizes.len(), 1, "a size without a price is left out");
    assert_eq!(
        (sizes[0].price, sizes[0].current_price()),
        (Sum(1200), Sum(950))
    );
}

#[tokio::test]
async fn a_colour_is_one_or_none() {
    let color = async |color: Value| {
        let product =
            product_with(json!({ "images": [{ "image_url": "http://h/1.webp", "color": color }] }));
        product.await.image_color
    };
    assert_eq!(color(json!("#c0FFee")).await.as_deref(), Some("#c0FFee"));
    for bad in [
        json!("red;background:url(//e)"),
        json!("#12345"),
        json!("#12345g"),
        json!(7),
        json!(null),
    ] {
        assert_eq!(color(bad).await, None);
    }
}

#[tokio::test]
async fn a_product_without_a_name_is_left_out_and_a_menu_of_such_is_an_error() {
    let mut bad = product();
    bad.as_object_mut().unwrap().remove("product_name");
    let upstream = answering(json!({ "data": [bad, product()] })).await;
    assert_eq!(upstream.popular(&guest(), VENUE).await.unwrap().len(), 1);
    let upstream = answering(json!({ "data": [bad] })).await;
    assert!(matches!(
        upstream.popular(&guest(), VENUE).await,
        Err(Error::BadAnswer { .. })
    ));
}

#[tokio::test]
async fn a_group_has_minimum_0_and_its_own_maximum_or_the_number_of_its_options() {
    let bounds = async |changes: Value| {
        let group = group_with(changes).await;
        (group.min, group.max)
    };
    assert_eq!(bounds(json!({})).await, (0, 3));
    assert_eq!(bounds(json!({ "min": null, "max": null })).await, (0, 3));
    assert_eq!(bounds(json!({ "min": "1", "max": 2 })).await, (1, 2));
    assert_eq!(bounds(json!({ "max": 0 })).await, (0, 3));
    assert_eq!(bounds(json!({ "min": [], "max": {} })).await, (0, 3));
    assert_eq!(bounds(json!({ "min": 4, "max": 2 })).await, (4, 4));
}

#[tokio::test]
async fn the_last_choice_is_cleaned_of_what_is_gone_or_too_much() {
    let option = |id: u64, out: bool| json!({ "id": id, "name": "x", "price": 0, "max_count": 2, "is_unavailable": out });
    let answer = chosen(json!({
        "additive_groups": [
            { "id": 1, "max": 3, "additives": [option(11, false), option(12, true), option(14, false)] },
            { "id": 2, "max": 9, "additives": [option(13, false)] },
        ],
        "last_selected": [
            { "id": 11, "count": 2 }, { "id": 12, "count": 1 }, { "id": 13, "count": 3 }, { "id": 14, "count": 2 },
            { "id": 99, "count": 1 }, { "id": 14 }, "x",
        ],
    }))
    .await;
    let kept: Vec<_> = answer
        .last_selected
        .iter()
        .map(|selected| (selected.id.0, selected.count))
        .collect();
    assert_eq!(
        kept,
        [(11, 2)],
        "12 is sold out, 13 beyond its own maximum, 14 beyond the group's, 99 gone"
    );
}

#[tokio::test]
async fn a_group_that_can_not_be_read_does_not_vanish() {
    let upstream = answering(
        json!({ "data": { "additive_groups": [{ "id": 1, "min": 1, "additives": "x" }] } }),
    )
    .await;
    assert!(matches!(
        additives(&upstream, &guest(), AdditivesOf::Product).await,
        Err(Error::BadAnswer { .. })
    ));
}

#[tokio::test]
async fn a_check_is_fine_only_when_it_says_so_of_every_line() {
    let check = async |data: Value| {
        let upstream = answering(json!({ "data": data })).await;
        upstream
            .check_stop_list(&guest(), VENUE, Service::Express, &items())
            .await
    };
    let line =
        |status: &str| json!({ "index": 0, "product_id": 551, "status": status, "price": 1900 });
    assert!(
        check(json!({ "ok": true, "items": [line("ok")] }))
            .await
            .unwrap()
            .ok
    );
    assert!(
        !check(json!({ "ok": true, "items": [line("unavailable")] }))
            .await
            .unwrap()
            .ok
    );
    let odd = check(json!({ "ok": true, "items": [line("quarantined")] }))
        .await
        .unwrap();
    assert_eq!((odd.ok, odd.items[0].status), (false, ItemStatus::Unknown));
    assert!(
        check(json!({ "items": [line("ok")] })).await.is_err(),
        "nothing said is no yes"
    );
    assert!(check(json!({ "ok": true, "items": ["x"] })).await.is_err());
}

#[tokio::test]
async fn an_order_of_another_guest_shows_its_status_alone() {
    let upstream = answering(json!({ "data": {
        "id": "o_abc", "number": "A-1", "type": "express", "status": "ready", "sum": null, "positions": [],
        "created_at": "2026-11-21T06:10:00Z", "statuses": [{ "status": "frozen", "time": "11:10" }],
    } }))
    .await;
    let order = upstream
        .order(&guest(), &"o_abc".parse().unwrap())
        .await
        .unwrap();
    assert_eq!(
        (order.status, order.sum, order.personal),
        (OrderStatus::Ready, None, false)
    );
    assert_eq!(order.created_at, Some(When::Utc(1_795_241_400_000)));
    assert_eq!(order.statuses[0].status, OrderStatus::Unknown);
    assert_eq!(
        order.statuses[0].time,
        Some(When::Local("11:10".to_owned()))
    );
}

#[tokio::test]
async fn towns_and_countries_are_read_as_they_are_sent() {
    let upstream = answering(good("country")).await;
    let country = upstream.country(&guest(), Country::Kz).await;
    assert!(!country.built_in);
    assert_eq!(country.currency, "gel");
    assert_eq!(country.meta.money.symbol, "₸");
    assert_eq!(country.towns[0].name(Lang::En), "Almaty");
    assert_eq!(country.towns[0].meta(&country.meta).timezone, "Asia/Almaty");
    let other = upstream.country(&guest(), Country::Ge).await;
    assert!(other.built_in, "another country's answer is no answer");
}

#[tokio::test]
async fn a_product_without_a_price_stays_on_the_menu() {
    for wrong in [json!(null), json!({}), json!(-5), json!("x")] {
        let product = product_with(json!({ "price": wrong, "old_price": 900, "sizes": [] })).await;
        assert!(!product.has_price, "{wrong}");
        assert_eq!((product.price, product.promo_price), (Sum(0), None));
    }
    let mut bare = product();
    bare.as_object_mut().unwrap().remove("price");
    let upstream = answering(json!({ "data": [bare] })).await;
    let listed = upstream.popular(&guest(), VENUE).await.unwrap();
    assert!(!listed[0].has_price, "missing");
    let free = product_with(json!({ "price": 0, "sizes": [] })).await;
    assert!(free.has_price, "nothing is a price, too");
    let size = json!({ "id": 1, "name": "0,5", "price": 450 });
    let sized = product_with(json!({ "price": null, "sizes": [size] })).await;
    assert!(sized.has_price, "its sizes have one");
}

#[tokio::test]
async fn the_menu_keeps_the_venues_own_name_for_it() {
    let mut answer = good("menu");
    answer["external_id"] = json!("m-101");
    let menu = answering(answer).await.menu(&guest(), VENUE).await.unwrap();
    assert_eq!(menu.external_id.as_deref(), Some("m-101"));
    let mut answer = good("menu");
    answer["external_id"] = json!(null);
    let menu = answering(answer).await.menu(&guest(), VENUE).await.unwrap();
    assert_eq!(menu.external_id, None);
}

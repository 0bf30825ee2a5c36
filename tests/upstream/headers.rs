//! What every call says (HT-01 to HT-04, HT-13 to HT-17, S-15): headers, methods, paths, queries, bodies.

use std::collections::HashSet;

use dastarkhan::{
    upstream::{
        AdditivesOf, Address, Bearer, BrandId, Coordinates, List, LocationId, LocationsQuery,
        OrderDraft, Os, PushDevice, Serving, ZoneOf,
    },
    values::{Country, Lang, Service, Sum},
};
use serde_json::json;

use crate::{
    double::{Double, Reply, Seen, guest},
    more_samples::{self, MORE},
    samples::{CALLS, PRODUCT, VENUE, call, express, good, key},
};

async fn all_calls(caller: &dastarkhan::upstream::Caller) -> Vec<(&'static str, Seen)> {
    let mut seen = Vec::new();
    for name in CALLS.into_iter().chain(["express"]) {
        let double = Double::start(move |_, _| Reply::Json(200, good(name))).await;
        call(&double.client(), caller, name).await.unwrap();
        let all = double.seen();
        assert_eq!(all.len(), 1, "{name}");
        seen.push((name, all[0].clone()));
    }
    seen
}

#[tokio::test]
async fn every_call_carries_the_common_headers() {
    let mut keys = HashSet::new();
    for (name, seen) in all_calls(&guest()).await {
        assert_eq!(seen.header("accept"), "application/vnd.api+json", "{name}");
        assert_eq!(seen.header("content-type"), "application/json", "{name}");
        assert_eq!(seen.header("x-language"), "ru", "{name}");
        assert!(!seen.header("x-fingerprint").is_empty(), "{name}");
        assert!(
            seen.header("user-agent").starts_with("dastarkhan/"),
            "{name}"
        );
        assert!(
            keys.insert(seen.header("x-idempotency-key").to_owned()),
            "{name} has a key of its own"
        );
        assert_eq!(
            seen.header("authorization"),
            "",
            "{name}: a guest has no bearer"
        );
        let country = if name == "express" { "kz" } else { "" };
        assert_eq!(seen.header("x-country"), country, "{name}");
    }
    let mut other = guest();
    other.lang = Lang::Ka;
    for (name, seen) in all_calls(&other).await {
        assert_eq!(seen.header("x-language"), "ka", "{name}");
    }
}

#[tokio::test]
async fn only_personal_calls_say_who_the_guest_is() {
    let mut caller = guest();
    caller.bearer = Bearer::new("token-1");
    caller.coordinates = Coordinates::new(43.238_949, 76.889_709);
    let personal = [
        "favourites",
        "additives",
        "favourite_additives",
        "stop_list",
        "cooking_time",
        "order",
        "express",
    ];
    for (name, seen) in all_calls(&caller).await {
        let is_personal = personal.contains(&name);
        assert_eq!(
            seen.header("x-fingerprint") == "device-1",
            is_personal,
            "{name}"
        );
        assert_eq!(
            seen.header("authorization") == "Bearer token-1",
            is_personal,
            "{name}"
        );
        assert_eq!(
            (seen.header("lat"), seen.header("long")) == ("43.238949", "76.889709"),
            is_personal,
            "{name}: exact places go with personal calls only"
        );
        assert!(
            !seen.uri.to_string().contains("43.2"),
            "{name}: places go in headers"
        );
    }
}

#[tokio::test]
async fn shared_calls_say_the_same_for_every_guest() {
    let double = Double::start(|_, _| Reply::Json(200, good("menu"))).await;
    let mut config = double.config();
    config.cache.fresh = std::time::Duration::ZERO;
    config.cache.recent = std::time::Duration::ZERO;
    config.cache.revalidate = std::time::Duration::ZERO;
    let client = dastarkhan::upstream::Upstream::new(&config).unwrap();
    for (device, bearer) in [("device-1", None), ("device-2", Bearer::new("token-2"))] {
        let mut caller = guest();
        caller.fingerprint = dastarkhan::upstream::Fingerprint::new(device);
        caller.bearer = bearer;
        client
            .config()
            .clock
            .advance(std::time::Duration::from_secs(3600));
        call(&client, &caller, "menu").await.unwrap();
    }
    let seen = double.seen();
    assert!(seen.len() >= 2, "asked again for the second guest");
    let devices: HashSet<&str> = seen
        .iter()
        .map(|seen| seen.header("x-fingerprint"))
        .collect();
    assert_eq!(devices.len(), 1, "the server's own: {devices:?}");
    assert!(!devices.contains("") && !devices.contains("device-1"));
    assert!(
        seen.iter()
            .all(|seen| seen.header("authorization").is_empty())
    );
}

#[tokio::test]
async fn shared_venue_calls_say_where_the_guest_is_to_a_hundred_metres() {
    let mut caller = guest();
    caller.coordinates = Coordinates::new(43.238_949, 76.889_709);
    for (name, seen) in all_calls(&caller).await {
        if ["locations", "card", "card_v2"].contains(&name) {
            assert_eq!(
                (seen.header("lat"), seen.header("long")),
                ("43.239", "76.89"),
                "{name}"
            );
        }
    }
}

#[tokio::test]
async fn calls_without_a_device_have_a_fingerprint_each() {
    let mut caller = guest();
    caller.fingerprint = None;
    let double = Double::start(|_, _| Reply::Json(200, good("order"))).await;
    let client = double.client();
    for _ in 0..2 {
        call(&client, &caller, "order").await.unwrap();
    }
    let seen = double.seen();
    assert_ne!(
        seen[0].header("x-fingerprint"),
        seen[1].header("x-fingerprint")
    );
}

#[tokio::test]
async fn paths_and_queries_are_those_of_the_specification() {
    let expected = [
        "GET /locations/v1/countries/1?include=towns",
        "GET /locations/v2/towns?country_id=2",
        "GET /takeaway/v2/locations/bakery?filter[service]=express&filter[only-promo]=1&page=2&limit=20&sort=distance&town_id=1&search=лағман & co&category_id=128",
        "GET /takeaway/locations/card/terminal/1013?include=extra&brand_id=5",
        "GET /locations/v2/locations/card/terminal/1013",
        "GET /terminals/terminals/1013",
        "GET /locations/v1/branches/1013?table_id=t7&main_terminal_id=1010",
        "GET /menu/v2/category/products?filial_id=1013",
        "GET /menu/v3/popular/products?filial_id=1013&limit=20",
        "GET /menu/v3/favourite/products?filial_id=1013&limit=20",
        "GET /menu/v3/cross-sell/products?filial_id=1013&products[]=551&products[]=552",
        "GET /menu/v2/product/additives?filial_id=1013&product_id=551&service_type=3",
        "GET /menu/v2/favourite-product/additives?filial_id=1013&product_id=551&service_type=3",
        "GET /menu/v2/products/with/additives/?filial_id=1013&products[]=551",
        "POST /menu/v2/stop_list/order_items/check",
        "POST /takeaway/order/cooking_time",
        "GET /takeaway/v2/filial/settings/banner/info/1013?is_web_view=1",
        "GET /takeaway/v2/user/order?order_id=o_abc",
        "POST /takeaway/v1/express/order",
    ];
    for ((name, seen), expected) in all_calls(&guest()).await.into_iter().zip(expected) {
        let query: Vec<String> = seen
            .query()
            .into_iter()
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        let mark = if query.is_empty() { "" } else { "?" };
        let told = format!("{} {}{mark}{}", seen.method, seen.path(), query.join("&"));
        assert_eq!(told, expected, "{name}");
    }
}

#[tokio::test]
async fn bodies_are_those_of_the_contract() {
    let item = json!({
        "product_id": 551, "size_id": null, "count": 2, "price": 1850.5, "additives": [{ "id": 11, "count": 1 }],
        "comment": "ащы",
    });
    for (name, seen) in all_calls(&guest()).await {
        let expected = match name {
            "stop_list" => json!({ "filial_id": 1013, "service_type": 3, "items": [item] }),
            "cooking_time" => {
                json!({ "filial_id": 1013, "products": [{ "product_id": 551, "count": 2 }] })
            }
            "express" => json!({
                "filial_id": 1013, "main_terminal_id": 1010, "table_id": "t7", "source": "QR", "payment_type": "cash",
                "name": "", "comment": "тез", "items": [item], "expected_sum": 4070,
            }),
            _ => {
                assert!(seen.body.is_empty(), "{name}");
                continue;
            }
        };
        assert_eq!(seen.json(), expected, "{name}");
    }
}

#[tokio::test]
async fn an_order_is_sent_with_the_key_it_was_given() {
    let double = Double::start(|_, _| Reply::Json(201, good("express"))).await;
    let order = double
        .client()
        .place_express_order(&guest(), &express(), &key())
        .await
        .unwrap();
    assert_eq!(order.id.as_str(), "o_abc");
    assert_eq!(double.seen()[0].header("x-idempotency-key"), key().as_str());
}

/// HT-02, OR-01.
#[tokio::test]
async fn an_order_of_each_kind_says_its_country_and_the_key_it_was_given() {
    let address = Address {
        name: "Үй".to_owned(),
        address: "Абай 10".to_owned(),
        city: "Алматы".to_owned(),
        street: "Абай".to_owned(),
        building: "10".to_owned(),
        entrance: String::new(),
        floor: String::new(),
        apartment: String::new(),
        is_private_house: true,
        comment: String::new(),
        coordinates: Coordinates::new(43.24, 76.9).unwrap(),
    };
    let usual = OrderDraft::from(&express());
    let kinds = [
        ("express", usual.serving.clone()),
        ("takeaway", Serving::Takeaway),
        (
            "delivery",
            Serving::Delivery {
                address: address.clone(),
                transport: None,
            },
        ),
        ("vendor-delivery", Serving::VendorDelivery { address }),
        ("micromarket", Serving::Micromarket),
    ];
    for (name, serving) in kinds {
        let order = OrderDraft {
            serving,
            ..usual.clone()
        };
        for (country, told) in [(Country::Kz, "kz"), (Country::Ge, "ge")] {
            let mut caller = guest();
            caller.country = country;
            let double = Double::start(|_, _| Reply::Json(201, good("express"))).await;
            let client = double.client();
            client.place_order(&caller, &order, &key()).await.unwrap();
            let seen = &double.seen()[0];
            assert_eq!(seen.path(), format!("/takeaway/v1/{name}/order"));
            assert_eq!(seen.header("x-country"), told, "{name}");
            let sent = seen.header("x-idempotency-key");
            assert_eq!(sent, key().as_str(), "{name}");
        }
    }
}

#[tokio::test]
async fn near_venues_have_their_own_endpoint_and_are_the_same_for_all_who_are_near() {
    let double = Double::start(|_, _| Reply::Json(200, good("locations"))).await;
    let query = LocationsQuery {
        list: List::Near,
        ..LocationsQuery::default()
    };
    let client = double.client();
    for _ in 0..2 {
        client.locations(&guest(), &query).await.unwrap();
    }
    let seen = double.seen();
    assert_eq!(seen.len(), 1, "kept for the next guest");
    assert_eq!(seen[0].path(), "/brandy/api/v1/locations/near");
    let names_a_guest = |(key, _): &(String, String)| key == "user_id";
    assert!(!seen[0].query().iter().any(names_a_guest));
    assert_eq!(seen[0].header("authorization"), "");
}

#[tokio::test]
async fn a_service_has_one_id_in_lists_and_another_with_dishes() {
    for (service, category, kind) in [
        (Service::Express, "128", "3"),
        (Service::Delivery, "8", "4"),
        (Service::Takeaway, "4", "1"),
    ] {
        let double = Double::start(|_, _| Reply::Json(200, good("locations"))).await;
        let client = double.client();
        for list in [List::All, List::Near] {
            let query = LocationsQuery {
                list,
                service: Some(service),
                ..LocationsQuery::default()
            };
            client.locations(&guest(), &query).await.unwrap();
        }
        let dishes = Double::start(|_, _| Reply::Json(200, good("additives"))).await;
        let of = AdditivesOf::Product;
        dishes
            .client()
            .additives(&guest(), VENUE, PRODUCT, service, of)
            .await
            .unwrap();
        let query_values = |double: &Double, name: &str| -> Vec<String> {
            let all = double.seen().into_iter().flat_map(|seen| seen.query());
            all.filter(|(key, _)| key == name)
                .map(|(_, value)| value)
                .collect()
        };
        assert_eq!(query_values(&double, "category_id"), [category, category]);
        assert_eq!(query_values(&dishes, "service_type"), [kind]);
    }
}

#[tokio::test]
async fn a_path_prefix_of_the_upstream_is_kept() {
    let double = Double::start(|_, _| Reply::Json(200, good("menu"))).await;
    let mut config = double.config();
    config.base_url = format!("{}/gateway/", double.base);
    let client = dastarkhan::upstream::Upstream::new(&config).unwrap();
    call(&client, &guest(), "menu").await.unwrap();
    assert_eq!(
        double.seen()[0].path(),
        "/gateway/menu/v2/category/products"
    );
}

#[tokio::test]
async fn the_calls_beyond_the_first_slice_carry_the_common_headers_too() {
    let mut caller = guest();
    caller.bearer = Bearer::new("token-1");
    let shared = [
        "brands",
        "brand_locations",
        "autocomplete",
        "barcode",
        "promos",
        "subsidies",
        "reviews",
    ];
    for name in MORE {
        let double = Double::start(move |_, _| Reply::Json(200, more_samples::good(name))).await;
        more_samples::call(&double.client(), &caller, name)
            .await
            .unwrap();
        let seen = &double.seen()[0];
        assert_eq!(seen.header("accept"), "application/vnd.api+json", "{name}");
        assert_eq!(seen.header("content-type"), "application/json", "{name}");
        assert_eq!(seen.header("x-language"), "ru", "{name}");
        assert!(!seen.header("x-idempotency-key").is_empty(), "{name}");
        assert_eq!(seen.header("x-country"), "", "{name}");
        assert!(
            seen.header("user-agent").starts_with("dastarkhan/"),
            "{name}"
        );
        let is_shared = shared.contains(&name);
        assert_eq!(seen.header("authorization").is_empty(), is_shared, "{name}");
        assert_eq!(
            seen.header("x-fingerprint") == "device-1",
            !is_shared,
            "{name}"
        );
    }
}

#[tokio::test]
async fn push_calls_say_what_the_device_runs_and_whose_notifications_it_gets() {
    let device = PushDevice {
        os: Os::Android,
        project: "dastarkhan".to_owned(),
        token: "push-1".to_owned(),
        analytic_device_id: "a-1".to_owned(),
    };
    assert!(!format!("{device:?}").contains("push-1"));
    let double = Double::start(|_, _| Reply::Json(200, json!({ "data": { "ok": true } }))).await;
    let client = double.client();
    client.register_push(&guest(), &device).await.unwrap();
    client.unassign_push(&guest(), &device).await.unwrap();
    for seen in double.seen() {
        assert_eq!(
            (seen.header("x-os"), seen.header("x-project")),
            ("android", "dastarkhan")
        );
        assert_eq!(
            seen.json(),
            json!({ "token": "push-1", "analyticDeviceID": "a-1" })
        );
    }
}

#[tokio::test]
async fn a_zone_check_sends_the_place_in_headers_and_without_brand_and_venue_makes_no_call() {
    let outside = json!({ "data": { "is_in_delivery_zone": false, "delivery_cost": 500 } });
    let double = Double::start(move |_, _| Reply::Json(200, outside.clone())).await;
    let client = double.client();
    let place = Coordinates::new(43.25, 76.95).unwrap();
    let zone = client.zone(&guest(), None, place).await.unwrap();
    assert_eq!((zone.is_inside, zone.cost), (true, Sum(0)));
    assert_eq!(double.count(), 0);
    for of in [ZoneOf::Brand(BrandId(5)), ZoneOf::Location(LocationId(7))] {
        let zone = client.zone(&guest(), Some(of), place).await.unwrap();
        assert_eq!((zone.is_inside, zone.cost), (false, Sum(50_000)));
    }
    let seen = double.seen();
    assert_eq!(seen.len(), 2);
    for one in seen {
        assert_eq!((one.header("lat"), one.header("long")), ("43.25", "76.95"));
        assert_eq!(one.query(), [], "not in the query");
    }
}

#[tokio::test]
async fn the_key_of_a_read_is_new_each_time_and_no_part_of_what_is_cached() {
    let double = Double::start(|_, _| Reply::Json(200, good("menu"))).await;
    let client = double.client();
    for _ in 0..3 {
        call(&client, &guest(), "menu").await.unwrap();
    }
    assert_eq!(
        double.count(),
        1,
        "each of the three would have had a key of its own"
    );
    // An upstream that knows keys again must not answer a renewal from its memory.
    client
        .config()
        .clock
        .advance(std::time::Duration::from_secs(3600));
    call(&client, &guest(), "menu").await.unwrap();
    let seen = double.seen();
    assert_eq!(seen.len(), 2);
    assert_ne!(
        seen[0].header("x-idempotency-key"),
        seen[1].header("x-idempotency-key")
    );
}

//! Good answers of every call, as the contract writes them, and a way to make every call.

use dastarkhan::{
    upstream::{
        AdditiveId, AdditivesOf, Answer, BrandId, Caller, Error, ExpressOrder, IdempotencyKey,
        List, LocationsQuery, OrderItem, PaymentKind, ProductId, Selected, TownId, Upstream,
        VenueId,
    },
    values::{Country, Service, Sum},
};
use serde_json::{Value, json};

pub const VENUE: VenueId = VenueId(1013);
pub const PRODUCT: ProductId = ProductId(551);

/// All calls of the client, in the order of `CALLS`.
pub const CALLS: [&str; 18] = [
    "country",
    "towns",
    "locations",
    "card",
    "card_v2",
    "terminal",
    "branch",
    "menu",
    "popular",
    "favourites",
    "cross_sell",
    "additives",
    "favourite_additives",
    "with_additives",
    "stop_list",
    "cooking_time",
    "banner",
    "order",
];

/// Makes a call by its name and throws the answer away.
pub async fn call(upstream: &Upstream, caller: &Caller, name: &str) -> Result<(), Error> {
    fn without_answer<T>(answer: Result<Answer<T>, Error>) -> Result<(), Error> {
        answer.map(drop)
    }
    match name {
        "country" => {
            upstream.country(caller, Country::Kz).await;
            Ok(())
        }
        "towns" => without_answer(upstream.towns(caller, Country::Ge).await),
        "locations" => without_answer(upstream.locations(caller, &venues()).await),
        "card" => without_answer(upstream.venue(caller, VENUE, Some(BrandId(5))).await),
        "card_v2" => without_answer(upstream.venue_v2(caller, VENUE).await),
        "terminal" => without_answer(upstream.tables(caller, VENUE).await),
        "branch" => {
            let table = "t7".parse().unwrap();
            upstream
                .branch(caller, VENUE, Some(&table), Some(VenueId(1010)))
                .await
                .map(drop)
        }
        "menu" => without_answer(upstream.menu(caller, VENUE).await),
        "popular" => without_answer(upstream.popular(caller, VENUE).await),
        "favourites" => without_answer(upstream.favourites(caller, VENUE).await),
        "cross_sell" => without_answer(
            upstream
                .cross_sell(caller, VENUE, &[ProductId(552), PRODUCT, PRODUCT])
                .await,
        ),
        "additives" => without_answer(additives(upstream, caller, AdditivesOf::Product).await),
        "favourite_additives" => {
            without_answer(additives(upstream, caller, AdditivesOf::Favourite).await)
        }
        "with_additives" => without_answer(
            upstream
                .products_with_additives(caller, VENUE, &[PRODUCT])
                .await,
        ),
        "stop_list" => upstream
            .check_stop_list(caller, VENUE, Service::Express, &items())
            .await
            .map(drop),
        "cooking_time" => upstream
            .cooking_time(caller, VENUE, &[(PRODUCT, 2)])
            .await
            .map(drop),
        "banner" => without_answer(upstream.banner(caller, VENUE).await),
        "order" => upstream
            .order(caller, &"o_abc".parse().unwrap())
            .await
            .map(drop),
        "express" => upstream
            .place_express_order(caller, &express(), &key())
            .await
            .map(drop),
        other => panic!("no call {other}"),
    }
}

pub async fn additives(
    upstream: &Upstream,
    caller: &Caller,
    of: AdditivesOf,
) -> Result<Answer<dastarkhan::upstream::Additives>, Error> {
    upstream
        .additives(caller, VENUE, PRODUCT, Service::Express, of)
        .await
}

pub fn venues() -> LocationsQuery {
    LocationsQuery {
        list: List::Bakery,
        service: Some(Service::Express),
        only_promo: true,
        page: 2,
        town: Some(TownId(1)),
        search: " лағман & co ".to_owned(),
        ..LocationsQuery::default()
    }
}

pub fn items() -> Vec<OrderItem> {
    vec![OrderItem {
        product: PRODUCT,
        size: None,
        count: 2,
        price: Sum(185_050),
        additives: vec![Selected {
            id: AdditiveId(11),
            count: 1,
        }],
        comment: "ащы".to_owned(),
    }]
}

pub fn express() -> ExpressOrder {
    ExpressOrder {
        venue: VENUE,
        main_venue: Some(VenueId(1010)),
        table: "t7".parse().unwrap(),
        payment: PaymentKind::Cash,
        name: String::new(),
        comment: "тез".to_owned(),
        items: items(),
        expected_sum: Sum(407_000),
    }
}

pub fn key() -> IdempotencyKey {
    IdempotencyKey::new("order-key-1").unwrap()
}

/// A good answer to a call.
pub fn good(name: &str) -> Value {
    match name {
        "country" => json!({ "data": {
            "id": 1, "name_key": "country.kz", "name": "Қазақстан", "code": "kz", "currency": "gel",
            "supportedLanguages": ["kk", "ru", "en"], "defaultLocale": "kk", "fallbackLocale": "ru",
            "config": { "meta": meta() }, "towns": [town()],
        } }),
        "towns" => {
            json!({ "data": [town()], "meta": { "current_page": 1, "last_page": 1, "total": 1 } })
        }
        "locations" => {
            json!({ "data": [location()], "meta": { "current_page": 2, "last_page": 3, "total": 41 } })
        }
        "card" | "card_v2" => card(),
        "terminal" => json!({ "data": {
            "id": 1013, "location_id": 101, "town_id": 1, "service_type": 3, "tables": [{ "id": "t7", "number": "7" }],
        } }),
        "branch" => json!({ "data": {
            "filial_id": 1013, "is_check_pulling_enabled": false, "table": { "id": "t7", "number": "7" },
            "main_terminal_id": 1010,
        } }),
        "menu" => json!({ "external_id": "m-101", "data": [{
            "id": 12, "type": "categories",
            "attributes": { "name": "Ыстық тағамдар", "is_active": true, "is_show_photo": true },
            "relationships": { "products": { "data": [product()] } },
        }] }),
        "popular" | "favourites" | "cross_sell" => json!({ "data": [product()] }),
        "additives" | "favourite_additives" => json!({ "data": {
            "product_id": 551, "additive_groups": groups(), "last_selected": [{ "id": 11, "count": 1 }],
        } }),
        "with_additives" => {
            let mut product = product();
            product["additive_groups"] = groups();
            json!({ "data": [product] })
        }
        "stop_list" => json!({ "data": { "ok": false, "items": [
            { "index": 0, "product_id": 551, "status": "price_changed", "price": 1900 },
        ] } }),
        "cooking_time" => json!({ "data": { "minutes": 18, "min": 15, "max": 20 } }),
        "banner" => json!({ "data": { "kind": "weather_issues", "message": "Жаңбыр" } }),
        "order" => order(),
        "express" => {
            json!({ "data": { "id": "o_abc", "number": "A-123", "status": "created", "sum": 4070 } })
        }
        other => panic!("no call {other}"),
    }
}

fn meta() -> Value {
    json!({
        "timezone": "Asia/Almaty", "utc_offset": "+05:00", "phone": { "code": "+7" },
        "country": { "code": "kz", "name": "Kazakhstan" },
        "money": {
            "currency": "KZT", "symbol": "₸", "symbol_position": "after", "thousands_separator": " ",
            "decimal_separator": ",", "format": "%v %s", "fraction_digits": 0,
            "rounding": { "mode": "floor", "precision": 0 },
        },
    })
}

fn town() -> Value {
    json!({
        "id": 1, "name": "Алматы", "coordinates": { "latitude": 43.238, "longitude": 76.945 },
        "translit_name": "town.almaty", "parstore_id": 11, "code": "ALA",
        "config": { "id": 1, "version": 3, "meta": meta(), "locale": { "default": "kk", "fallback": "ru", "supported": ["kk", "ru", "en"] } },
    })
}

fn location() -> Value {
    json!({
        "id": 101, "filial_id": 1013, "name": "Лағман үйі Самал", "brand_id": 5, "brand_name": "Лағман үйі",
        "prefix_en": "Samal", "address": "Самал-2, 33", "coordinates": { "latitude": 43.23, "longitude": 76.95 },
        "distance": 1234.5, "town_id": 1, "rating": 4.7, "reviews_count": 120,
        "image_url": "http://127.0.0.1:8081/files/venues/5.webp", "has_promo": true, "average_minutes": 20,
        "delivery_state": "open", "delivery_delay_time": 0, "takeaway": { "filial_id": 1011 },
        "express": { "filial_id": 1013 }, "delivery": null,
        "opening_hours": [{ "day": 1, "from": "10:00", "to": "23:00" }, { "day": 6, "from": "18:00", "to": "02:00" }],
        "relationships": { "filial_settings": { "close_in_advance_minutes": 15 } }, "is_closed": false,
    })
}

fn card() -> Value {
    let mut card = location();
    let more = json!({
        "terminal_id": 1013, "main_terminal_id": 1010, "service_type": 3, "service_percentage": 10,
        "payment_types": ["online", "cash"], "payment_button_disabled": false, "online_payment_disabled": false,
        "linked_terminals": [1010], "is_check_pulling_enabled": false, "exclude_from_terminal_linking": false,
        "has_tablet": false, "vendor_delivery_enabled": false, "vendor_delivery_cost": 0, "vendor_min_sum": 0,
        "vendor_max_sum": 0, "private_reward_enabled": false, "private_reward_button_disabled": false, "town": town(),
        "extra": {
            "schedule": "10–23", "social_networks": [{ "name": "instagram", "link": "https://social.example/lagman" }],
            "phone": "+77270000000",
        },
        "banner_info": { "message": "Сәлем" }, "table_number_allowed": false,
    });
    card.as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    json!({ "data": card })
}

pub fn product() -> Value {
    json!({
        "id": 90551, "product_id": 551, "product_name": "Лағман", "description": "Қолмен созылған", "price": 1850,
        "old_price": null, "reward_id": null, "promo_limit": null, "promo_day_limit": null, "sizes": [],
        "images": [{ "image_url": "http://127.0.0.1:8081/files/dishes/551.webp" }], "additive_categories": [],
        "has_additive_categories": true, "cooking_time": 15, "is_favorite": false, "is_unavailable": false,
        "weight": "350 г", "min_age": null, "barcode": null,
    })
}

fn groups() -> Value {
    json!([{
        "id": 1, "name": "Ащылық", "min": 1, "max": 1,
        "additives": [{ "id": 11, "name": "Орташа", "price": 0, "max_count": 1, "is_unavailable": false }],
    }])
}

fn order() -> Value {
    json!({ "data": {
        "id": "o_abc", "number": "A-123", "type": "express", "status": "cooking", "table_number": "7", "sum": 4070,
        "goods_sum": 3700, "service_sum": 370, "payment_type": "cash", "paid_with_card": 0, "bonus_paid": 0,
        "cashback_given": 0, "comment": "", "name": "", "created_at": "2026-11-21T06:10:00Z", "cooking_time": 15,
        "current_order_status": { "status": "cooking", "next_average_time": "2026-11-21T06:20:00Z", "next_status_time": null },
        "statuses": [{ "status": "created", "time": "2026-11-21T06:10:00Z" }],
        "positions": [{ "product_id": 551, "name": "Лағман", "count": 2, "price": 1850, "sum": 3700, "additives": [{ "name": "Орташа", "count": 1, "price": 0 }] }],
        "filial": { "id": 1013, "name": "Самал", "address": "Самал-2, 33", "brand_name": "Лағман үйі" },
        "cancel_reason": null, "personal": true,
    } })
}

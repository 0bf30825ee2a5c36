//! Good answers of the calls beyond the first slice, and a way to make them.

use dastarkhan::{
    upstream::{
        Bill, BillId, BrandId, Caller, Coordinates, Error, FridgeSessionId, Grant, OrderId,
        PaymentId, Upstream, ZoneOf,
    },
    values::Sum,
};
use serde_json::{Value, json};

use crate::samples::{VENUE, key, product};

pub const MORE: [&str; 32] = [
    "token",
    "track",
    "user",
    "profile",
    "addresses",
    "address",
    "balance",
    "balance_info",
    "reward",
    "zone",
    "zones",
    "tariffs",
    "courier",
    "payment",
    "orders",
    "repeat",
    "chat",
    "bill",
    "bookings",
    "brands",
    "brand_locations",
    "autocomplete",
    "suggestions",
    "address_of",
    "available",
    "barcode",
    "promos",
    "subsidies",
    "coupons",
    "fridge",
    "reviews",
    "own_review",
];

/// Makes a call by its name and throws the answer away.
pub async fn call(client: &Upstream, caller: &Caller, name: &str) -> Result<(), Error> {
    let place = Coordinates::new(43.24, 76.9).unwrap();
    let order: OrderId = "o_abc".parse().unwrap();
    match name {
        "token" => client
            .token(caller, "web", Grant::Track(&"tr_1".parse().unwrap()))
            .await
            .map(drop),
        "track" => client.track(caller).await.map(drop),
        "user" => client.user(caller).await.map(drop),
        "profile" => client.profile(caller).await.map(drop),
        "addresses" => client.addresses(caller).await.map(drop),
        "address" => client
            .address(caller, dastarkhan::upstream::AddressId(7))
            .await
            .map(drop),
        "balance" => {
            client.balance(caller).await;
            Ok(())
        }
        "balance_info" => client.balance_info(caller).await.map(drop),
        "reward" => client.reward(caller, VENUE).await.map(drop),
        "zone" => client
            .zone(caller, Some(ZoneOf::Brand(BrandId(5))), place)
            .await
            .map(drop),
        "zones" => client
            .zones(caller, dastarkhan::upstream::LocationId(101))
            .await
            .map(drop),
        "tariffs" => {
            client
                .tariffs(caller, place, place, Some(VENUE), Sum(100))
                .await;
            Ok(())
        }
        "courier" => client.courier(caller, &order).await.map(drop),
        "payment" => client
            .payment(caller, &"p_1".parse::<PaymentId>().unwrap())
            .await
            .map(drop),
        "orders" => client.orders(caller, 1, None, None).await.map(drop),
        "repeat" => client.repeat_order(caller, &order, &key()).await.map(drop),
        "chat" => client.chat(caller).await.map(drop),
        "bill" => client
            .preorder(caller, &"b_1".parse::<BillId>().unwrap())
            .await
            .map(|_: Bill| ()),
        "bookings" => client.bookings(caller).await.map(drop),
        "brands" => client.brands(caller, None, 1).await.map(drop),
        "brand_locations" => client
            .brand_locations(caller, BrandId(5), None, 1)
            .await
            .map(drop),
        "autocomplete" => client
            .autocomplete(caller, "лағ", None, None)
            .await
            .map(drop),
        "suggestions" => client.address_suggestions(caller, "Абай").await.map(drop),
        "address_of" => client.address_of(caller, place).await.map(drop),
        "available" => client.available(caller, VENUE).await.map(drop),
        "barcode" => client
            .product_by_barcode(caller, VENUE, &"4870000000017".parse().unwrap())
            .await
            .map(drop),
        "promos" => client.promos(caller, VENUE, None).await.map(drop),
        "subsidies" => client.subsidies(caller, &[VENUE]).await.map(drop),
        "coupons" => client.coupons(caller, None).await.map(drop),
        "fridge" => client
            .fridge_session(caller, &"f_1".parse::<FridgeSessionId>().unwrap())
            .await
            .map(drop),
        "reviews" => client.reviews(caller, VENUE, None, 1, 10).await.map(drop),
        "own_review" => client.own_review(caller, VENUE).await.map(drop),
        other => panic!("no call {other}"),
    }
}

/// A good answer to a call.
pub fn good(name: &str) -> Value {
    let data = |value: Value| json!({ "data": value });
    let meta = json!({ "current_page": 1, "last_page": 1, "total": 1 });
    match name {
        "token" => json!({ "access_token": "t_1", "token_type": "Bearer", "expires_in": 3600 }),
        "track" => data(json!({ "id": "tr_1" })),
        "user" => data(json!({
            "id": 1, "phone": "+77010000001", "name": "Айгүл", "secondName": "", "bday": "1990-12-31", "gender": "female",
            "photo": "http://127.0.0.1:8081/avatars/1", "deleted_at": null, "restore_until": "2026-12-01T00:00:00Z",
        })),
        "profile" => data(
            json!({ "id": 1, "name": "Айгүл", "phone": "+7", "language": "kk", "level": level() }),
        ),
        "addresses" => data(json!([address()])),
        "address" => data(address()),
        "balance" => data(json!({ "bonus_kzt": 500, "money_kzt": 12.5 })),
        "balance_info" => data(json!({
            "balance": 512.5, "bonus_kzt": 500, "money_kzt": 12.5, "points": 7, "level": level(), "levels": [level()],
            "expires_in_months": 12, "expires_at": "2027-11-23T06:10:00Z", "is_first_bill": true, "first_bill_percentage": 10,
        })),
        "reward" => data(json!({
            "balance": 900, "available_balance": 500, "cashback_amount": 7, "cashback_used_balance": 40,
            "max_bonus_usage_percentage": 30,
        })),
        "zone" => data(json!({ "is_in_delivery_zone": true, "delivery_cost": 500 })),
        "zones" => data(json!([{ "id": 101, "polygon": [spot(), spot(), spot()] }])),
        "tariffs" => data(json!([{
            "id": "foot", "transport_type": "FOOT", "is_fastest": false, "price": 500, "cost": 700, "minutes": 30,
            "free_delivery_threshold": 15000, "next_tier": { "threshold": 5000, "price": 300 }, "min_order_sum": 2000,
            "subsidy": [{ "threshold": 5000, "amount": 5000, "discount": 200 }],
        }])),
        "courier" => data(json!({
            "name": "Ержан", "phone": "+77010000002", "latitude": 43.2, "longitude": 76.9, "transport_type": "CAR",
        })),
        "payment" => data(json!({
            "id": "p_1", "status": "pending", "sum": 4070, "currency": "KZT", "method": "card",
            "url": "http://127.0.0.1:8081/pay/card/p_1", "subject": "order", "subject_id": "o_abc",
        })),
        "orders" => json!({ "data": [crate::samples::good("order")["data"]], "meta": meta }),
        "repeat" => data(json!({ "filial_id": 1013, "items": [{
            "product_id": 551, "size_id": 1, "count": 2, "price": 1850, "additives": [{ "id": 11, "count": 1 }], "comment": "",
        }], "missing": [{ "product_id": 552 }] })),
        "chat" => data(json!({ "chat_id": "c1" })),
        "bill" => data(json!({
            "id": "b_1", "number": "7", "filial_id": 1013, "table": { "id": "t7", "number": "7" }, "is_preorder": false,
            "status": "open", "created_at": "2026-11-21T06:10:00Z",
            "items": [{ "product_id": 551, "name": "Лағман", "count": 2, "price": 1850, "sum": 3700 }],
            "goods_sum": 3700, "service_percentage": 10, "service_sum": 370, "sum": 4070, "paid_sum": 0, "left_sum": 4070,
            "payments": [{ "sum": 100, "tips": 0, "status": "pending", "mine": true }], "is_first_payment": true,
            "cashback_percentage": 10, "max_bonus": 500, "tips_percentages": [0, 5, 10], "waiter": { "name": "Айдана" },
        })),
        "bookings" => data(json!([{
            "id": "bk_1", "filial_id": 1013, "at": "2026-11-25T14:00:00Z", "guests": 4, "name": "Айгүл", "phone": "+7",
            "comment": "", "preorder_id": "b_1",
        }])),
        "brands" => json!({ "data": [{
            "id": 5, "name": "Лағман үйі", "image_url": "http://h/5.webp", "venues_count": 3, "has_promo": true,
        }], "meta": meta }),
        "brand_locations" => json!({ "data": [{
            "brand_id": 5, "brand_name": "Лағман үйі", "locations": crate::samples::good("locations")["data"],
        }], "meta": meta }),
        "autocomplete" => data(
            json!([{ "kind": "product", "text": "Лағман", "filial_id": 1013, "product_id": 551 }]),
        ),
        "suggestions" => data(json!([spot()])),
        "address_of" => data(spot()),
        "available" => data(json!([551, 552])),
        "barcode" => data(product()),
        "promos" => data(json!([{
            "id": 4, "name": "−20 %", "percentage": 20, "limit": 2, "day_limit": null, "products": [product()],
        }])),
        "subsidies" => data(json!([{
            "terminal_id": 1013, "thresholds": [{ "threshold": 5000, "amount": 5000, "discount": 200 }],
        }])),
        "coupons" => data(
            json!([{ "id": "c", "name": "C", "code": "C10", "expires_at": "2026-12-01T00:00:00Z" }]),
        ),
        "fridge" => data(json!({
            "session_id": "f_1", "terminal_id": 1013, "status": "open", "opened_at": "2026-11-21T06:10:00Z", "order_id": null,
        })),
        "reviews" => json!({ "data": [review()], "meta": meta, "summary": {
            "rating": 4.7, "count": 12, "stars": [1, 0, 1, 2, 8], "languages": [{ "language": "kk", "count": 1 }],
        } }),
        "own_review" => data(review()),
        other => panic!("no call {other}"),
    }
}

fn review() -> Value {
    json!({
        "id": 1, "rating": 5, "text": "Дәмді", "author": "Айгүл", "language": "kk", "state": "published",
        "created_at": "2026-11-21T06:10:00Z",
    })
}

fn level() -> Value {
    json!({ "name": "friend", "points": 5, "cashback_percentage": 7, "next_points": 15 })
}

fn address() -> Value {
    json!({
        "id": 7, "name": "Үй", "address": "Абай 10", "city": "Алматы", "street": "Абай", "building": "10", "entrance": "1",
        "floor": "2", "apartment": "3", "is_private_house": false, "comment": "", "latitude": 43.24, "longitude": 76.9,
        "distance": 120,
    })
}

fn spot() -> Value {
    json!({
        "address": "Алматы, Абай, 10", "city": "Алматы", "street": "Абай", "building": "10", "latitude": 43.24,
        "longitude": 76.9,
    })
}

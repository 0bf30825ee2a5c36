//! The check before an order, and how long the kitchen needs.

use axum::extract::{Path, State};
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::answer::{Answer, data};
use crate::app::App;
use crate::body::Json;
use crate::caller::Caller;
use crate::money::major;
use crate::openapi::schema::{self, integer, list, number, object, one_of_texts, reference, text};
use crate::openapi::{Api, Operation};
use crate::orders::limits::{self, Buyer};
use crate::orders::quote::{Item, MOST, Quote, few, minutes};
use crate::refusal::Refusal;

pub(crate) fn routes(api: Api) -> Api {
    api.add(
        Operation::post(
            "/menu/v2/stop_list/order_items/check",
            "checkItems",
            "Whether these items can be had at these prices",
        )
        .body(object(&[
            ("filial_id", integer()),
            ("service_type?", integer()),
            ("items", list(reference("Item"))),
        ]))
        .answers(200, schema::data(reference("Check")))
        .refuses(&[400, 404]),
        post(check),
    )
    .add(
        Operation::post(
            "/takeaway/order/cooking_time",
            "cookingTime",
            "How long these products take",
        )
        .body(object(&[
            ("filial_id", integer()),
            (
                "products",
                list(object(&[("product_id", integer()), ("count?", integer())])),
            ),
        ]))
        .answers(
            200,
            schema::data(object(&[
                ("minutes", number()),
                ("min", number()),
                ("max", number()),
            ])),
        )
        .refuses(&[400, 404]),
        post(cooking_time),
    )
    .add(
        Operation::get(
            "/takeaway/v2/filial/settings/banner/info/{id}",
            "banner",
            "A notice about the filial",
        )
        .query("is_web_view", text())
        .answers(
            200,
            schema::data(object(&[
                (
                    "kind",
                    schema::nullable(one_of_texts(&["weather_issues", "night_shift", "closed"])),
                ),
                ("message", text()),
            ])),
        )
        .refuses(&[400, 404]),
        get(banner),
    )
}

#[derive(Deserialize)]
struct CheckBody {
    filial_id: i64,
    items: Vec<Item>,
}

async fn check(State(app): State<App>, caller: Caller, Json(body): Json<CheckBody>) -> Answer {
    let place = app.place(body.filial_id)?;
    few(&body.items)?;
    body.items.iter().try_for_each(Item::check)?;
    // A token that has ended is no reason to refuse: the check is for guests, too.
    let user = app.maybe_signed_in(&caller).await.ok().flatten();
    let buyer = Buyer {
        user: user.map(|user| user.id),
        fingerprint: caller.fingerprint.clone(),
    };
    let products = body.items.iter().map(|item| item.product_id).collect();
    let used = app.used(body.filial_id, buyer, products).await?;
    let mut quotes: Vec<_> = body
        .items
        .iter()
        .map(|item| item.quote(&app, &place).ok())
        .collect();
    limits::split(quotes.iter_mut().flatten(), &used);
    let goods: i64 = quotes.iter().flatten().map(Quote::sum).sum();
    let items: Vec<Value> = body
        .items
        .iter()
        .zip(&quotes)
        .enumerate()
        .map(|(index, (item, quote))| checked(index, item, quote.as_ref()))
        .collect();
    let ok = items.iter().all(|item| item["status"] == "ok");
    data(json!({"ok": ok, "items": items, "goods_sum": major(goods)}))
}

/// One position of the check; pieces above a promo's limit cost the regular price.
fn checked(index: usize, item: &Item, quote: Option<&Quote<'_>>) -> Value {
    let Some(quote) = quote else {
        return json!({
            "index": index, "product_id": item.product_id, "status": "unavailable", "price": null,
            "regular_price": null, "promo_count": 0, "sum": null,
        });
    };
    let changed = item.believes_another(quote.price);
    let promo = quote.regular > quote.price;
    json!({
        "index": index,
        "product_id": item.product_id,
        "status": if changed { "price_changed" } else { "ok" },
        "price": major(quote.price),
        "regular_price": major(quote.regular),
        "promo_count": if promo { quote.promo_count } else { 0 },
        "sum": major(quote.sum()),
    })
}

#[derive(Deserialize)]
struct TimeBody {
    filial_id: i64,
    products: Vec<TimeItem>,
}

#[derive(Deserialize)]
struct TimeItem {
    product_id: i64,
    #[serde(default)]
    count: Option<i64>,
}

async fn cooking_time(State(app): State<App>, Json(body): Json<TimeBody>) -> Answer {
    let place = app.place(body.filial_id)?;
    few(&body.products)?;
    let mut products = Vec::new();
    for item in &body.products {
        let count = item.count.unwrap_or(1);
        if !(1..=MOST).contains(&count) {
            return Err(Refusal::bad("count must be from 1 to 99"));
        }
        products.extend(
            place
                .menu
                .product(item.product_id)
                .map(|product| (product.cooking_time, count)),
        );
    }
    let minutes = minutes(&products);
    data(json!({"minutes": minutes, "min": (minutes - 3).max(1), "max": minutes + 2}))
}

async fn banner(State(app): State<App>, Path(id): Path<String>, caller: Caller) -> Answer {
    let place = app.place_at(&id)?;
    let voice = caller.voice(place.country);
    let message = place.venue.banner.get(voice.lang, voice.fallback);
    let closed = app.overrides.is_closed(place.venue);
    let kind = if closed {
        Some("closed")
    } else {
        place.venue.banner_kind.as_deref()
    };
    data(json!({"kind": kind, "message": message}))
}

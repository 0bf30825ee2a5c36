//! Promos, subsidies, promo codes, gifts and coupons.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::{Value, json};

use super::product::product;
use crate::answer::{Answer, data};
use crate::app::App;
use crate::body::Json;
use crate::caller::Caller;
use crate::clock::iso;
use crate::delivery;
use crate::hours::offset_minutes;
use crate::model::{Meta, Product};
use crate::money::{hundredths, major};
use crate::openapi::schema::{self, integer, list, nullable, number, object, reference, text};
use crate::openapi::{Api, Operation};
use crate::orders::promo;
use crate::params::Params;
use crate::refusal::Refusal;

const DAY: i64 = 24 * 60 * 60 * 1000;
/// Minutes east of UTC.
const KZ_OFFSET: i64 = 300;

pub(crate) fn routes(api: Api) -> Api {
    let promo = object(&[
        ("id", integer()),
        ("name", text()),
        ("percentage", integer()),
        ("limit", nullable(integer())),
        ("day_limit", nullable(integer())),
        ("starts_at", nullable(text())),
        ("ends_at", nullable(text())),
        ("products", list(reference("Product"))),
    ]);
    let subsidy = object(&[
        ("terminal_id", integer()),
        ("thresholds", list(reference("Subsidy"))),
    ]);
    let offer = || {
        object(&[
            ("id", text()),
            ("name", text()),
            ("code", text()),
            ("percentage", nullable(integer())),
            ("discount", nullable(number())),
            ("min_sum", nullable(number())),
            ("expires_at", nullable(text())),
        ])
    };
    api.add(
        Operation::get(
            "/menu-promos/api/v2/promos",
            "promos",
            "The promos of a filial with their products",
        )
        .required("filter[filial_id]", integer())
        .query("filter[onlyActive]", text())
        .query("include", text())
        .query("user_id", text())
        .answers(200, schema::data(list(promo)))
        .refuses(&[400, 404]),
        get(promos),
    )
    .add(
        Operation::get(
            "/menu-promos/v1/promos/subsidies",
            "subsidies",
            "What comes off the delivery, by sum",
        )
        .numbers("terminal_ids")
        .query("only_active", text())
        .answers(200, schema::data(list(subsidy)))
        .refuses(&[400]),
        get(subsidies),
    )
    .add(
        Operation::post(
            "/menu-promos/v1/promo-codes/check",
            "checkPromoCode",
            "What a promo code takes off",
        )
        .body(object(&[
            ("filial_id", integer()),
            ("code", text()),
            ("sum", number()),
        ]))
        .answers(
            200,
            schema::data(object(&[
                ("code", text()),
                ("discount", number()),
                ("min_sum", nullable(number())),
                ("expires_at", nullable(text())),
            ])),
        )
        .refuses(&[400, 404, 422]),
        post(check_code),
    )
    .add(
        Operation::get(
            "/menu-promos/v1/gifts",
            "gifts",
            "The gifts of the signed-in person; sums are in the money of the filial, else of the country",
        )
        .query("filial_id", integer())
        .query("country_id", integer())
        .answers(200, schema::data(list(offer())))
        .refuses(&[400, 401, 404]),
        get(gifts),
    )
    .add(
        Operation::get(
            "/menu-promos/v1/coupons",
            "coupons",
            "The coupons of the signed-in person; sums are in the money of the filial, else of the country",
        )
        .query("filial_id", integer())
        .query("country_id", integer())
        .answers(200, schema::data(list(offer())))
        .refuses(&[400, 401, 404]),
        get(coupons),
    )
}

/// Products of one reward are one promo; those without a reward are one together.
async fn promos(State(app): State<App>, params: Params, caller: Caller) -> Answer {
    let place = app.place(params.required_int("filter[filial_id]")?)?;
    let mut rewards: BTreeMap<i64, Vec<&Product>> = BTreeMap::new();
    for product in place.menu.products() {
        let price = app.overrides.price(place.venue, product);
        if product.old_price.is_some_and(|old| old > price) {
            rewards
                .entry(product.reward_id.unwrap_or(0))
                .or_default()
                .push(product);
        }
    }
    let with_products = params
        .get("include")
        .is_some_and(|include| include.contains("products"));
    let week = week(
        app.clock.now(),
        offset_minutes(&place.country.meta.utc_offset),
    );
    let wire = rewards.iter().map(|(id, products)| {
        // A promo with a reward holds for the venue's week, and then for the next one.
        let (starts_at, ends_at) = match id {
            0 => (None, None),
            _ => (Some(iso(week.0)), Some(iso(week.1))),
        };
        let percent = products
            .iter()
            .filter_map(|product| percent(product))
            .max()
            .unwrap_or(0);
        let shown = products.iter().filter(|_| with_products);
        json!({
            "id": id,
            "name": format!("−{percent}\u{a0}%"),
            "percentage": percent,
            "limit": products.first().and_then(|product| product.promo_limit),
            "day_limit": products.first().and_then(|product| product.promo_day_limit),
            "starts_at": starts_at,
            "ends_at": ends_at,
            "products": shown.map(|one| product(&app, &caller, &place, one)).collect::<Vec<_>>(),
        })
    });
    data(wire.collect())
}

/// The Mondays at whose midnight the week of a place begins and ends.
fn week(now: i64, offset: i64) -> (i64, i64) {
    let shift = offset * 60_000;
    let day = (now + shift).div_euclid(DAY);
    // The first of January 1970 was a Thursday.
    let monday = day - (day + 3).rem_euclid(7);
    (monday * DAY - shift, (monday + 7) * DAY - shift)
}

fn percent(product: &Product) -> Option<i64> {
    let old = product.old_price.filter(|old| *old > 0)?;
    Some((old - product.price) * 100 / old)
}

/// Unknown filials have none.
async fn subsidies(State(app): State<App>, params: Params) -> Answer {
    let asked = params.ints("terminal_ids")?;
    let known = asked.iter().filter_map(|id| app.catalogue.place(*id));
    data(
        known
            .map(|place| {
                let thresholds = delivery::subsidies(&place.country.meta.money);
                json!({"terminal_id": place.filial, "thresholds": thresholds})
            })
            .collect(),
    )
}

#[derive(Deserialize)]
struct CodeBody {
    filial_id: i64,
    code: String,
    sum: f64,
}

async fn check_code(State(app): State<App>, Json(body): Json<CodeBody>) -> Answer {
    let place = app.place(body.filial_id)?;
    let sum = hundredths(body.sum).filter(|sum| *sum >= 0);
    let sum = sum.ok_or_else(|| Refusal::bad("sum must be a sum"))?;
    let discount = promo::discount(&body.code, sum, place.country.meta.money.fraction_digits)?;
    let code = body.code.trim().to_uppercase();
    let (min_sum, expires_at) = terms(&app, &code, Some(&place.country.meta));
    data(json!({
        "code": code,
        "discount": major(discount),
        "min_sum": min_sum,
        "expires_at": expires_at,
    }))
}

/// On what a code depends: its least sum in the money of a place, and its end by the clock of it, else of Kazakhstan.
fn terms(app: &App, code: &str, meta: Option<&Meta>) -> (Option<Value>, Option<String>) {
    let least = meta.and_then(|meta| promo::min_sum(code, meta.money.fraction_digits));
    let offset = meta.map_or(KZ_OFFSET, |meta| offset_minutes(&meta.utc_offset));
    let end = week(app.clock.now(), offset).1;
    (least.map(major), promo::is_weekly(code).then(|| iso(end)))
}

/// Money and clock of the filial or the country that is named; none where neither is.
fn meta_of<'a>(app: &'a App, params: &Params) -> Result<Option<&'a Meta>, Refusal> {
    if let Some(filial) = params.int("filial_id")? {
        return Ok(Some(&app.place(filial)?.country.meta));
    }
    let Some(id) = params.int("country_id")? else {
        return Ok(None);
    };
    let country = app.catalogue.country(id);
    let unknown = || Refusal::not_found("country_not_found", "Country is not found");
    Ok(Some(&country.ok_or_else(unknown)?.meta))
}

fn offer(app: &App, name: &str, code: &str, meta: Option<&Meta>) -> Value {
    let (min_sum, expires_at) = terms(app, code, meta);
    let digits = meta.map_or(0, |meta| meta.money.fraction_digits);
    let (percentage, discount) = promo::gain(code, digits);
    json!({
        "id": code.to_lowercase(),
        "name": name,
        "code": code,
        "percentage": percentage,
        "discount": meta.and(discount).map(major),
        "min_sum": min_sum,
        "expires_at": expires_at,
    })
}

/// Accounts that order often have a gift.
async fn gifts(State(app): State<App>, params: Params, caller: Caller) -> Answer {
    let user = app.signed_in(&caller).await?;
    let meta = meta_of(&app, &params)?;
    let gift = offer(&app, "Шай · Чай · Tea", "DASTARKHAN10", meta);
    data(Value::Array(if user.points >= 5 {
        vec![gift]
    } else {
        Vec::new()
    }))
}

async fn coupons(State(app): State<App>, params: Params, caller: Caller) -> Answer {
    app.signed_in(&caller).await?;
    let meta = meta_of(&app, &params)?;
    data(
        promo::codes()
            .filter(|code| *code != "SUMMER")
            .map(|code| offer(&app, code, code, meta))
            .collect(),
    )
}

//! More ways to products: by barcode, frequent, recommended, those that can be had.

use axum::extract::{Path, State};
use axum::routing::get;
use rusqlite::params;
use serde_json::{Value, json};

use super::product::{listed, product};
use crate::answer::{Answer, data};
use crate::app::App;
use crate::caller::Caller;
use crate::openapi::schema::{self, integer, list, reference, text};
use crate::openapi::{Api, Operation};
use crate::params::Params;
use crate::refusal::Refusal;

pub(crate) fn routes(api: Api) -> Api {
    let products = || schema::data(list(reference("Product")));
    api.add(
        Operation::get(
            "/menu/v3/product-by-barcode",
            "byBarcode",
            "The good with this barcode",
        )
        .required("filial_id", integer())
        .required("barcode", text())
        .answers(200, schema::data(reference("Product")))
        .refuses(&[400, 404]),
        get(by_barcode),
    )
    .add(
        Operation::get(
            "/takeaway/v1/filial/{id}/products/frequent/",
            "frequent",
            "What the caller orders most here",
        )
        .query("limit", integer())
        .answers(200, products())
        .refuses(&[400, 401, 404]),
        get(frequent),
    )
    .add(
        Operation::get(
            "/menu/v3/recommended/products",
            "recommended",
            "What the venue recommends",
        )
        .required("filial_id", integer())
        .query("limit", integer())
        .answers(200, products())
        .refuses(&[400, 404]),
        get(recommended),
    )
    .add(
        Operation::get(
            "/menu/v2/products/available",
            "available",
            "The ids of the products that can be had now",
        )
        .required("filial_id", integer())
        .answers(200, schema::data(list(integer())))
        .refuses(&[400, 404]),
        get(available),
    )
}

async fn by_barcode(State(app): State<App>, params: Params, caller: Caller) -> Answer {
    let place = app.place(params.required_int("filial_id")?)?;
    let barcode = params.get("barcode").unwrap_or("");
    let sensible =
        matches!(barcode.len(), 8 | 13) && barcode.bytes().all(|byte| byte.is_ascii_digit());
    if !sensible {
        return Err(Refusal::bad("barcode must have 8 or 13 digits"));
    }
    let found = place
        .menu
        .products()
        .find(|product| product.barcode.as_deref() == Some(barcode));
    data(product(
        &app,
        &caller,
        &place,
        found.ok_or_else(Refusal::product_not_found)?,
    ))
}

/// By the person, or by the device of a guest; popular ones fill the rest.
async fn frequent(
    State(app): State<App>,
    Path(id): Path<String>,
    params: Params,
    caller: Caller,
) -> Answer {
    let place = app.place_at(&id)?;
    let limit = params.count("limit", 20, 100)?;
    let user = app.maybe_signed_in(&caller).await?.map(|user| user.id);
    let counted = counted(&app, place.venue.id, user, caller.fingerprint.clone()).await?;
    let own = counted.iter().filter_map(|id| place.menu.product(*id));
    let popular = place
        .menu
        .products()
        .filter(|product| product.popular && !counted.contains(&product.id));
    data(Value::Array(listed(
        &app,
        &caller,
        &place,
        own.chain(popular).take(limit),
    )))
}

/// The products that this person or this device has ordered here, the most frequent first.
pub(crate) async fn counted(
    app: &App,
    venue: i64,
    user: Option<i64>,
    device: Option<String>,
) -> Result<Vec<i64>, Refusal> {
    let query = "SELECT l.product_id FROM order_lines l JOIN orders o ON o.seq = l.order_seq
         WHERE o.venue_id = ?1 AND (o.user_id = ?2 OR o.fingerprint = ?3)
         GROUP BY l.product_id ORDER BY SUM(l.count) DESC, l.product_id LIMIT 100";
    app.store
        .read(move |db| {
            let mut statement = db.prepare_cached(query)?;
            let found = statement.query_map(params![venue, user, device], |row| row.get(0))?;
            Ok(found.collect::<Result<_, _>>()?)
        })
        .await
}

/// Popular dishes first, then what has a promo.
async fn recommended(State(app): State<App>, params: Params, caller: Caller) -> Answer {
    let place = app.place(params.required_int("filial_id")?)?;
    let limit = params.count("limit", 10, 100)?;
    let there =
        |product: &&crate::model::Product| !app.overrides.is_unavailable(place.venue, product);
    let popular = place.menu.products().filter(|product| product.popular);
    let promos = place
        .menu
        .products()
        .filter(|product| !product.popular && product.old_price.is_some());
    data(Value::Array(listed(
        &app,
        &caller,
        &place,
        popular.chain(promos).filter(there).take(limit),
    )))
}

async fn available(State(app): State<App>, params: Params) -> Answer {
    let place = app.place(params.required_int("filial_id")?)?;
    let there = place
        .menu
        .products()
        .filter(|product| !app.overrides.is_unavailable(place.venue, product));
    data(there.map(|product| json!(product.id)).collect())
}

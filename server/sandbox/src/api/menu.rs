//! Menus, popular and favourite products, what goes with a cart, additives.

use axum::Json;
use axum::extract::State;
use axum::routing::get;
use rusqlite::OptionalExtension;
use serde_json::{Value, json};

use super::goods::counted;
use super::product::{groups, listed, preselected, product};
use crate::answer::{Answer, data};
use crate::app::App;
use crate::caller::Caller;
use crate::model::Product;
use crate::openapi::schema::{self, integer, list, reference};
use crate::openapi::{Api, Operation};
use crate::params::Params;
use crate::refusal::Refusal;

pub(crate) fn routes(api: Api) -> Api {
    api.add(
        Operation::get(
            "/menu/v2/category/products",
            "menu",
            "The whole menu of a filial",
        )
        .required("filial_id", integer())
        .answers(200, reference("Menu"))
        .refuses(&[400, 404]),
        get(menu),
    )
    .add(
        products(
            "/menu/v3/popular/products",
            "popular",
            "What is ordered most",
        ),
        get(popular),
    )
    .add(
        products(
            "/menu/v3/favourite/products",
            "favourites",
            "The favourites of the person, or the public ones",
        ),
        get(favourites),
    )
    .add(
        products(
            "/menu/v3/cross-sell/products",
            "crossSell",
            "What goes with these products",
        )
        .numbers("products"),
        get(cross_sell),
    )
    .add(
        additives_of("/menu/v2/product/additives", "additives"),
        get(additives),
    )
    .add(
        additives_of("/menu/v2/favourite-product/additives", "favouriteAdditives"),
        get(additives),
    )
    .add(
        Operation::get(
            "/menu/v2/products/with/additives/",
            "withAdditives",
            "Several products with their additives",
        )
        .required("filial_id", integer())
        .numbers("products")
        .answers(200, schema::data(list(reference("ProductWithAdditives"))))
        .refuses(&[400, 404]),
        get(with_additives),
    )
}

fn products(path: &'static str, id: &'static str, summary: &'static str) -> Operation {
    Operation::get(path, id, summary)
        .required("filial_id", integer())
        .query("limit", integer())
        .answers(200, schema::data(list(reference("Product"))))
        .refuses(&[400, 404])
}

fn additives_of(path: &'static str, id: &'static str) -> Operation {
    Operation::get(
        path,
        id,
        "The additives of a product, with those chosen last",
    )
    .required("filial_id", integer())
    .required("product_id", integer())
    .query("service_type", integer())
    .answers(200, schema::data(reference("Additives")))
    .refuses(&[400, 404])
}

async fn menu(State(app): State<App>, params: Params, caller: Caller) -> Answer {
    let place = app.place(params.required_int("filial_id")?)?;
    let voice = caller.voice(place.country);
    let categories: Vec<Value> = place
        .menu
        .categories
        .iter()
        .map(|category| {
            json!({
                "id": category.id,
                "type": "categories",
                "attributes": {
                    "name": category.name.get(voice.lang, voice.fallback),
                    "is_active": !category.hidden,
                    "is_show_photo": !category.without_photos,
                },
                "relationships": {"products": {"data": listed(&app, &caller, &place, category.products.iter())}},
            })
        })
        .collect();
    Ok(Json(
        json!({"external_id": format!("m-{}", place.venue.id), "data": categories}),
    ))
}

async fn popular(State(app): State<App>, params: Params, caller: Caller) -> Answer {
    let place = app.place(params.required_int("filial_id")?)?;
    let limit = params.count("limit", 20, 100)?;
    let popular = place
        .menu
        .products()
        .filter(|product| product.popular)
        .take(limit);
    data(Value::Array(listed(&app, &caller, &place, popular)))
}

/// What the signed-in person has ordered; for guests the public favourites: every
/// second popular product, so that the two lists differ.
async fn favourites(State(app): State<App>, params: Params, caller: Caller) -> Answer {
    let place = app.place(params.required_int("filial_id")?)?;
    let limit = params.count("limit", 20, 100)?;
    let user = app.maybe_signed_in(&caller).await?.map(|user| user.id);
    let own = match user {
        Some(_) => counted(&app, place.venue.id, user, None).await?,
        None => Vec::new(),
    };
    let own: Vec<&Product> = own
        .iter()
        .filter_map(|id| place.menu.product(*id))
        .take(limit)
        .collect();
    if own.is_empty() {
        let public = place
            .menu
            .products()
            .filter(|product| product.popular)
            .step_by(2);
        return data(Value::Array(listed(
            &app,
            &caller,
            &place,
            public.take(limit),
        )));
    }
    let mut personal = listed(&app, &caller, &place, own.into_iter());
    for product in &mut personal {
        product["is_favorite"] = Value::Bool(true);
    }
    data(Value::Array(personal))
}

/// Companions that can be had now and are not in the cart yet.
async fn cross_sell(State(app): State<App>, params: Params, caller: Caller) -> Answer {
    let place = app.place(params.required_int("filial_id")?)?;
    let limit = params.count("limit", 10, 100)?;
    let chosen = params.ints("products")?;
    let companions = place.menu.products().filter(|product| {
        product.companion
            && !chosen.contains(&product.id)
            && !app.overrides.is_unavailable(place.venue, product)
    });
    data(Value::Array(listed(
        &app,
        &caller,
        &place,
        companions.take(limit),
    )))
}

async fn additives(State(app): State<App>, params: Params, caller: Caller) -> Answer {
    let place = app.place(params.required_int("filial_id")?)?;
    let id = params.required_int("product_id")?;
    let product = place
        .menu
        .product(id)
        .ok_or_else(Refusal::product_not_found)?;
    let remembered = match caller.fingerprint.clone() {
        Some(owner) => {
            app.store
                .read(move |db| last_selected(db, &owner, id))
                .await?
        }
        None => None,
    };
    let selected = remembered.unwrap_or_else(|| Value::Array(preselected(product)));
    data(json!({
        "product_id": id,
        "additive_groups": groups(product, caller.voice(place.country)),
        "last_selected": selected,
    }))
}

/// Products that the filial does not have are left out.
async fn with_additives(State(app): State<App>, params: Params, caller: Caller) -> Answer {
    let place = app.place(params.required_int("filial_id")?)?;
    let voice = caller.voice(place.country);
    let asked = params.ints("products")?;
    let found = asked
        .iter()
        .filter_map(|id| place.menu.product(*id))
        .map(|one| {
            let mut wire = product(&app, &caller, &place, one);
            wire["additive_groups"] = Value::Array(groups(one, voice));
            wire
        });
    data(found.collect())
}

fn last_selected(
    db: &rusqlite::Connection,
    owner: &str,
    product: i64,
) -> Result<Option<Value>, Refusal> {
    let found: Option<String> = db
        .prepare_cached("SELECT additives FROM last_selected WHERE owner = ?1 AND product_id = ?2")?
        .query_row((owner, product), |row| row.get(0))
        .optional()?;
    Ok(found.and_then(|text| serde_json::from_str(&text).ok()))
}

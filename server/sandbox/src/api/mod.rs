//! The calls, one file per resource.

pub(crate) mod addresses;
pub(crate) mod avatar;
pub(crate) mod balance;
pub(crate) mod catalogue_schemas;
pub(crate) mod directory;
pub(crate) mod feedback;
pub(crate) mod files;
mod filters;
pub(crate) mod fridge;
pub(crate) mod geo_service;
pub(crate) mod goods;
pub(crate) mod location;
pub(crate) mod locations;
pub(crate) mod menu;
pub(crate) mod orders;
pub(crate) mod own_orders;
pub(crate) mod places;
pub(crate) mod product;
pub(crate) mod product_schemas;
pub(crate) mod promos;
pub(crate) mod push;
pub(crate) mod rest;
mod search;
pub(crate) mod sign_in;
pub(crate) mod stop_list;
mod tiles;
pub(crate) mod tokens;
pub(crate) mod user;
pub(crate) mod zones;

use axum::Json;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use crate::app::App;
use crate::catalogue::Place;
use crate::openapi::Api;
use crate::params::{Params, parse_int};
use crate::refusal::Refusal;

/// What every call answers.
pub(crate) type Answer = Result<Json<Value>, Refusal>;

/// Every business call.
pub(crate) fn routes(api: Api) -> Api {
    api.with(places::routes)
        .with(locations::routes)
        .with(menu::routes)
        .with(stop_list::routes)
        .with(orders::routes)
        .with(files::routes)
        .with(sign_in::routes)
        .with(tokens::routes)
        .with(user::routes)
        .with(avatar::routes)
        .with(addresses::routes)
        .with(balance::routes)
        .with(own_orders::routes)
        .with(zones::routes)
        .with(crate::payments::routes)
        .with(crate::bills::calls::routes)
        .with(crate::bills::booking::routes)
        .with(goods::routes)
        .with(promos::routes)
        .with(directory::routes)
        .with(search::routes)
        .with(feedback::routes)
        .with(crate::reviews::calls::routes)
        .with(fridge::routes)
        .with(push::routes)
        .with(geo_service::routes)
        .with(rest::routes)
        .with(tiles::routes)
}

/// The named schemas of all calls.
pub(crate) fn schemas() -> Vec<(&'static str, Value)> {
    let mut all = catalogue_schemas::schemas();
    all.extend(orders::schemas());
    all.extend(user::schemas());
    all.extend(addresses::schemas());
    all.extend(balance::schemas());
    all.extend(zones::schemas());
    all.extend(crate::payments::schemas());
    all.extend(crate::bills::calls::schemas());
    all.extend(crate::bills::booking::schemas());
    all.extend(fridge::schemas());
    all.extend(crate::reviews::calls::schemas());
    all.extend(geo_service::schemas());
    all
}

/// `{"data": …}`
pub(crate) fn data(value: Value) -> Answer {
    Ok(Json(json!({"data": value})))
}

/// What a change without an answer of its own answers.
pub(crate) fn ok() -> Answer {
    data(json!({"ok": true}))
}

/// Its schema.
pub(crate) fn done() -> Value {
    crate::openapi::schema::reference("Done")
}

/// One page of a list that is wholly known.
pub(crate) fn page<T>(params: &Params, all: &[T], wire: impl Fn(&T) -> Value) -> Answer {
    let page = params.count("page", 1, 1_000_000)?;
    let limit = params.count("limit", 20, 100)?;
    let shown: Vec<Value> = all
        .iter()
        .skip((page - 1) * limit)
        .take(limit)
        .map(wire)
        .collect();
    let last = all.len().div_ceil(limit).max(1);
    Ok(Json(json!({
        "data": shown,
        "meta": {"current_page": page, "last_page": last, "total": all.len()},
    })))
}

impl App {
    /// The place of a filial, or "Terminal is not found".
    pub(crate) fn place(&self, filial: i64) -> Result<Place<'_>, Refusal> {
        self.catalogue
            .place(filial)
            .ok_or_else(Refusal::terminal_not_found)
    }

    /// The place of a filial whose number stands in the path.
    pub(crate) fn place_at(&self, text: &str) -> Result<Place<'_>, Refusal> {
        self.place(parse_int("id", text)?)
    }
}

/// Any path that no call has.
pub(crate) async fn nothing_here() -> Response {
    Refusal::not_found("not_found", "There is no such call").into_response()
}

/// A path that exists with another method.
pub(crate) async fn wrong_method() -> Response {
    let status = axum::http::StatusCode::METHOD_NOT_ALLOWED;
    Refusal::new(status, "method_not_allowed", "This call has another method").into_response()
}

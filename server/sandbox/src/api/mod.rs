//! The calls, one file per resource.

mod addresses;
mod avatar;
mod balance;
mod catalogue_schemas;
mod directory;
mod feedback;
mod files;
mod filters;
mod fridge;
mod geo_service;
mod goods;
mod location;
mod locations;
mod menu;
mod orders;
mod own_orders;
mod places;
mod product;
mod product_schemas;
mod promos;
mod push;
mod rest;
mod search;
mod sign_in;
mod stop_list;
mod tiles;
mod tokens;
mod user;
mod zones;

use axum::response::{IntoResponse, Response};
use serde_json::Value;

use crate::openapi::Api;
use crate::refusal::Refusal;

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
        .with(crate::bank::routes)
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
    all.extend(crate::bank::schemas());
    all.extend(crate::bills::calls::schemas());
    all.extend(crate::bills::booking::schemas());
    all.extend(fridge::schemas());
    all.extend(crate::reviews::calls::schemas());
    all.extend(geo_service::schemas());
    all
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

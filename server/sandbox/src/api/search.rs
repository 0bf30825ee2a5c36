//! Dishes and goods of all venues by their names.

use std::collections::HashSet;

use axum::Json;
use axum::extract::State;
use axum::routing::get;
use serde_json::json;

use super::filters::{Facets, Filters};
use super::location::{distance, location};
use super::product::product;
use crate::answer::{Answer, page};
use crate::app::App;
use crate::caller::Caller;
use crate::catalogue::{Place, Service};
use crate::fold::{fold, matches};
use crate::model::Product;
use crate::openapi::schema::{self, integer, object, one_of_texts, reference, text};
use crate::openapi::{Api, Operation};
use crate::params::Params;
use crate::refusal::Refusal;

pub(crate) fn routes(api: Api) -> Api {
    let hit = object(&[
        ("product", reference("Product")),
        ("location", reference("Location")),
    ]);
    api.add(
        Filters::of_dishes(Operation::get(
            "/menu/v3/search/products",
            "searchProducts",
            "Dishes and goods by name, each once, at the nearest venue that has it",
        ))
        .required("query", text())
        .query("kind", one_of_texts(&["dish", "good"]))
        .query(
            "filter[service]",
            one_of_texts(&["express", "takeaway", "delivery"]),
        )
        .query("town_id", integer())
        .query("brand_id", integer())
        .query("page", integer())
        .query("limit", integer())
        .answers(
            200,
            schema::both(schema::paged(hit), object(&[("facets?", Facets::schema())])),
        )
        .refuses(&[400]),
        get(search),
    )
}

/// Names that begin with the text come first, then the nearer venues.
async fn search(State(app): State<App>, params: Params, caller: Caller) -> Answer {
    let query = fold(params.get("query").unwrap_or("").trim());
    let service = match params.get("filter[service]") {
        None => None,
        Some(text) => {
            Some(Service::parse(text).ok_or_else(|| Refusal::bad("filter[service] is unknown"))?)
        }
    };
    let good = match params.get("kind") {
        None => None,
        Some("dish") => Some(false),
        Some("good") => Some(true),
        Some(_) => return Err(Refusal::bad("kind must be dish or good")),
    };
    let filters = Filters::read(&params)?;
    let (town, brand) = (params.int("town_id")?, params.int("brand_id")?);
    let mut places: Vec<Place<'_>> = app
        .catalogue
        .listed()
        .map(|(venue, _, _)| venue)
        .filter(|venue| {
            town.is_none_or(|town| town == venue.town_id)
                && brand.is_none_or(|brand| brand == venue.brand_id)
        })
        .filter_map(|venue| match service {
            Some(service) => app.catalogue.place_of(venue, service),
            None => Service::ALL
                .iter()
                .find_map(|service| app.catalogue.place_of(venue, *service)),
        })
        .collect();
    let voice = places.first().map(|place| caller.voice(place.country));
    places.sort_by(|a, b| distance(&caller, a).total_cmp(&distance(&caller, b)));
    let mut known = HashSet::new();
    let mut facets = Facets::default();
    let mut found: Vec<(bool, Place<'_>, &Product)> = Vec::new();
    if !query.is_empty() {
        for place in places {
            for product in place.menu.products() {
                let of_kind = good.is_none_or(|good| good == product.barcode.is_some());
                let names = || product.name.all().map(fold);
                if !of_kind || !names().any(|name| matches(&name, &query)) {
                    continue;
                }
                facets.count(&app, &place, product);
                if filters.take_place(&app, &place)
                    && filters.take_product(&app, &place, product)
                    && known.insert(product.id)
                {
                    let inside = !names().any(|name| name.starts_with(&query));
                    found.push((inside, place, product));
                }
            }
        }
    }
    found.sort_by_key(|(inside, _, _)| *inside);
    let Json(mut answer) = page(&params, &found, |(_, place, found)| {
        let promo = app.catalogue.has_promo(place.venue);
        json!({
            "product": product(&app, &caller, place, found),
            "location": location(&app, &caller, place, promo),
        })
    })?;
    if let Some(voice) = voice {
        answer["facets"] = facets.wire(voice);
    }
    Ok(Json(answer))
}

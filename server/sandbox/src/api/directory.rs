//! Brands, the venues of one brand, and what completes a search.

use std::collections::{BTreeMap, HashSet};

use axum::extract::{Path, State};
use axum::routing::get;
use finding::{Fit, Query};
use serde_json::{Value, json};

use super::location::{distance, location};
use crate::answer::{Answer, data, page};
use crate::app::App;
use crate::caller::Caller;
use crate::catalogue::{Place, Service};
use crate::index::fit;
use crate::model::Text;
use crate::openapi::schema::{
    self, boolean, integer, list, nullable, object, one_of_texts, reference, text,
};
use crate::openapi::{Api, Operation};
use crate::params::{Params, parse_int};
use crate::refusal::Refusal;

pub(crate) fn routes(api: Api) -> Api {
    let brand = object(&[
        ("id", integer()),
        ("name", text()),
        ("image_url", text()),
        ("venues_count", integer()),
        ("has_promo", boolean()),
    ]);
    let group = object(&[
        ("brand_id", integer()),
        ("brand_name", text()),
        ("locations", list(reference("Location"))),
    ]);
    let hit = object(&[
        ("kind", one_of_texts(&["brand", "venue", "product"])),
        ("text", text()),
        ("filial_id", nullable(integer())),
        ("product_id", nullable(integer())),
    ]);
    api.add(
        Operation::get("/brandy/api/v1/brands", "brands", "The brands of a town")
            .query("town_id", integer())
            .query("page", integer())
            .query("limit", integer())
            .answers(200, schema::paged(brand))
            .refuses(&[400]),
        get(brands),
    )
    .add(
        Operation::get(
            "/brandy/api/v1/locations/brand/{id}",
            "locationsOfBrand",
            "The venues of a brand, by its name",
        )
        .query("town_id", integer())
        .query("page", integer())
        .query("limit", integer())
        .answers(200, schema::paged(group))
        .refuses(&[400, 404]),
        get(of_brand),
    )
    .add(
        Operation::get(
            "/brandy/api/v1/autocomplete",
            "autocomplete",
            "What completes the text of a search",
        )
        .required("query", text())
        .query("brand_id", integer())
        .query("town_id", integer())
        .query("limit", integer())
        .answers(200, schema::data(list(hit)))
        .refuses(&[400]),
        get(autocomplete),
    )
}

/// Each venue of a town (or of all) through its first service.
fn places(app: &App, town: Option<i64>) -> impl Iterator<Item = Place<'_>> {
    let venues = app
        .catalogue
        .venues()
        .iter()
        .filter(move |venue| town.is_none_or(|town| town == venue.town_id));
    venues.filter_map(|venue| {
        Service::ALL
            .iter()
            .find_map(|service| app.catalogue.place_of(venue, *service))
    })
}

async fn brands(State(app): State<App>, params: Params, caller: Caller) -> Answer {
    let mut grouped: BTreeMap<i64, Vec<Place<'_>>> = BTreeMap::new();
    for place in places(&app, params.int("town_id")?) {
        grouped.entry(place.brand.id).or_default().push(place);
    }
    let grouped: Vec<Vec<Place<'_>>> = grouped.into_values().collect();
    page(&params, &grouped, |places| {
        let first = places.first();
        let voice = first.map(|place| caller.voice(place.country));
        json!({
            "id": first.map(|place| place.brand.id),
            "name": first.zip(voice).map(|(place, voice)| place.brand.name.get(voice.lang, voice.fallback)),
            "image_url": first.map(|place| caller.file(&place.venue.image)),
            "venues_count": places.len(),
            "has_promo": places.iter().any(|place| app.catalogue.has_promo(place.venue)),
        })
    })
}

/// One group, as one brand has one name; the paging counts its venues.
async fn of_brand(
    State(app): State<App>,
    Path(id): Path<String>,
    params: Params,
    caller: Caller,
) -> Answer {
    let id = parse_int("id", &id)?;
    app.catalogue
        .brand(id)
        .ok_or_else(|| Refusal::not_found("brand_not_found", "Brand is not found"))?;
    let mut found: Vec<Place<'_>> = places(&app, params.int("town_id")?)
        .filter(|place| place.brand.id == id)
        .collect();
    found.sort_by(|a, b| distance(&caller, a).total_cmp(&distance(&caller, b)));
    let mut answer = page(&params, &found, |place| {
        location(&app, &caller, place, app.catalogue.has_promo(place.venue))
    })?;
    let locations = answer.0["data"].take();
    let name = locations.get(0).map(|first| first["brand_name"].clone());
    let group =
        name.map(|name| json!({"brand_id": id, "brand_name": name, "locations": locations}));
    answer.0["data"] = Value::Array(group.into_iter().collect());
    Ok(answer)
}

/// What begins so before what has it elsewhere; of these brands first, then venues, then dishes; each text once.
async fn autocomplete(State(app): State<App>, params: Params, caller: Caller) -> Answer {
    // What is typed so far may be the beginning of another word, whatever it is in the caller's language.
    let query = Query::of(params.get("query").unwrap_or(""), "");
    let limit = params.count("limit", 3, 20)?;
    let brand = params.int("brand_id")?;
    let places: Vec<Place<'_>> = places(&app, params.int("town_id")?)
        .filter(|place| !query.is_empty() && brand.is_none_or(|brand| brand == place.brand.id))
        .collect();
    let mut hits: Vec<(Fit, Value)> = Vec::new();
    let mut known = HashSet::new();
    let mut offer = |fit: Option<Fit>,
                     kind: &str,
                     text: &Text,
                     place: &Place<'_>,
                     filial: Option<i64>,
                     product: Option<i64>| {
        let voice = caller.voice(place.country);
        let said = text.get(voice.lang, voice.fallback);
        if let Some(fit) = fit
            && known.insert(said.to_owned())
        {
            let hit =
                json!({"kind": kind, "text": said, "filial_id": filial, "product_id": product});
            hits.push((fit, hit));
        }
    };
    for place in &places {
        let name = &place.brand.name;
        offer(fit(&query, name.all()), "brand", name, place, None, None);
    }
    for place in &places {
        let name = &place.venue.name;
        let fit = fit(&query, name.all());
        offer(fit, "venue", name, place, Some(place.filial), None);
    }
    let dishes = app.catalogue.dishes();
    for place in &places {
        for (category, product) in place.menu.shown() {
            let voice = caller.voice(place.country);
            let rank = dishes.fit(&query, voice.languages(), category, product, Fit::Inside);
            let fit = rank.map(|rank| rank.called);
            let (filial, id) = (Some(place.filial), Some(product.id));
            offer(fit, "product", &product.name, place, filial, id);
        }
    }
    let best = hits.iter().map(|(fit, _)| *fit).min();
    hits.retain(|(fit, _)| best.is_some_and(|best| query.wants(*fit, best)));
    hits.sort_by_key(|(fit, _)| *fit > Fit::Begins);
    let hits = hits.into_iter().take(limit).map(|(_, hit)| hit);
    data(Value::Array(hits.collect()))
}

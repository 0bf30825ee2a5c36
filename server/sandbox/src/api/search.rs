//! Dishes and goods of all venues by their names.

use std::collections::HashMap;

use axum::Json;
use axum::extract::State;
use axum::routing::get;
use finding::{Fit, Query};
use serde_json::json;

use super::filters::{Facets, Filters, is_open};
use super::location::{distance, location};
use super::product::product;
use crate::answer::{Answer, page};
use crate::app::App;
use crate::caller::Caller;
use crate::catalogue::{Place, Service, Voice};
use crate::index::Rank;
use crate::model::{Menu, Product};
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
            "Dishes and goods by name, category or text, each once, at the nearest venue where it can be had now",
        ))
        .required("query", text())
        .query("inside", text())
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

/// A dish that was found at a venue, and how well it fits.
struct Hit<'a> {
    rank: Rank,
    is_out: bool,
    /// The position of its venue among all, the nearest first.
    nearness: usize,
    place: Place<'a>,
    product: &'a Product,
}

/// The best fit comes first, of these what can be had now, then the nearer venues.
async fn search(State(app): State<App>, params: Params, caller: Caller) -> Answer {
    let typed = params.get("query").unwrap_or("");
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
        .map(|(venue, _)| venue)
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
    let query = Query::of(typed, voice.map_or("", |voice| voice.lang.code()));
    places.sort_by(|a, b| distance(&caller, a).total_cmp(&distance(&caller, b)));
    // Of a short text what has it inside of a word is left out beside what begins so.
    let inside = params.flag("inside");
    let of_kind = |product: &Product| good.is_none_or(|good| good == product.barcode.is_some());
    let ranks = voice
        .map(|voice| ranks(&app, &places, &query, voice))
        .unwrap_or_default();
    let best = ranks.values().map(|rank| rank.fit).min();
    let mut facets = Facets::default();
    let mut found: Vec<Hit<'_>> = Vec::new();
    let mut known = HashMap::new();
    for (nearness, place) in places.into_iter().enumerate() {
        let is_closed = !is_open(&app, &place);
        for product in place.menu.products().filter(|product| of_kind(product)) {
            let rank = ranks.get(&product.id).copied();
            let Some(rank) =
                rank.filter(|rank| inside || best.is_some_and(|best| query.wants(rank.fit, best)))
            else {
                continue;
            };
            facets.count(&app, &place, product);
            if !filters.take_place(&app, &place) || !filters.take_product(&app, &place, product) {
                continue;
            }
            let hit = Hit {
                rank,
                is_out: is_closed
                    || product.unpriced
                    || app.overrides.is_unavailable(place.venue, product),
                nearness,
                place,
                product,
            };
            let position = *known.entry(product.id).or_insert(found.len());
            match found.get_mut(position) {
                Some(nearer) if nearer.is_out && !hit.is_out => *nearer = hit,
                Some(_) => {}
                None => found.push(hit),
            }
        }
    }
    found.sort_by_key(|hit| (hit.rank, hit.is_out, hit.nearness));
    let Json(mut answer) = page(&params, &found, |hit| {
        let promo = app.catalogue.has_promo(hit.place.venue);
        json!({
            "product": product(&app, &caller, &hit.place, hit.product),
            "location": location(&app, &caller, &hit.place, promo),
        })
    })?;
    if let Some(voice) = voice {
        answer["facets"] = facets.wire(voice);
    }
    Ok(Json(answer))
}

/// How well the dishes of some venues fit; each menu is read once.
fn ranks(app: &App, places: &[Place<'_>], query: &Query, voice: Voice) -> HashMap<i64, Rank> {
    if query.is_empty() {
        return HashMap::new();
    }
    let dishes = app.catalogue.dishes();
    let menus: HashMap<i64, &Menu> = places
        .iter()
        .map(|place| (place.menu.id, place.menu))
        .collect();
    let shown = menus.into_values().flat_map(Menu::shown);
    shown
        .filter_map(|(category, product)| {
            let rank = dishes.fit(query, voice.languages(), category, product, Fit::Other)?;
            Some((product.id, rank))
        })
        .collect()
}

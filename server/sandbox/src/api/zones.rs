//! Delivery zones and tariffs.

use axum::extract::{Path, State};
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::answer::{Answer, data};
use crate::app::App;
use crate::body::Json;
use crate::caller::Caller;
use crate::catalogue::{Place, Service};
use crate::money::{hundredths, major};
use crate::openapi::schema::{
    self, boolean, integer, list, nullable, number, object, one_of_texts, reference, text,
};
use crate::openapi::{Api, Operation};
use crate::params::parse_int;
use crate::refusal::Refusal;
use crate::{delivery, geo};

pub(crate) fn routes(api: Api) -> Api {
    let zone = || {
        schema::data(object(&[
            ("is_in_delivery_zone", boolean()),
            ("delivery_cost", number()),
        ]))
    };
    let tariffs = object(&[
        ("origin", reference("Coordinates")),
        ("destination", reference("Coordinates")),
        ("filial_id?", nullable(integer())),
        ("sum?", nullable(number())),
    ]);
    api.add(
        Operation::get(
            "/brandy/api/v1/brands/{id}/delivery-zones/check",
            "brandZone",
            "Whether a brand brings orders to the guest",
        )
        .answers(200, zone())
        .refuses(&[400, 404]),
        get(brand_zone),
    )
    .add(
        Operation::get(
            "/brandy/api/v1/locations/{id}/delivery-zones/check",
            "locationZone",
            "Whether a venue brings orders to the guest",
        )
        .answers(200, zone())
        .refuses(&[400, 404]),
        get(location_zone),
    )
    .add(
        Operation::get(
            "/brandy/api/v1/locations/{id}/delivery-zones",
            "zones",
            "The zones of a venue as polygons",
        )
        .answers(
            200,
            schema::data(list(object(&[
                ("id", integer()),
                ("polygon", list(reference("Coordinates"))),
            ]))),
        )
        .refuses(&[400, 404]),
        get(zones),
    )
    .add(
        Operation::post(
            "/dr-delivery/api/v1/tariffs",
            "tariffs",
            "The ways to bring an order",
        )
        .body(tariffs)
        .answers(200, schema::data(list(reference("Tariff"))))
        .refuses(&[400, 404]),
        post(tariffs_of),
    )
}

pub(crate) fn schemas() -> Vec<(&'static str, Value)> {
    let tier = object(&[("threshold", number()), ("price", number())]);
    let subsidy = object(&[
        ("threshold", number()),
        ("amount", number()),
        ("discount", number()),
    ]);
    let tariff = object(&[
        ("id", text()),
        ("transport_type", one_of_texts(&["FOOT", "CAR"])),
        ("is_fastest", boolean()),
        ("price", number()),
        ("cost", number()),
        ("minutes", integer()),
        ("free_delivery_threshold", number()),
        ("next_tier", nullable(tier)),
        ("min_order_sum", number()),
        ("subsidy", list(reference("Subsidy"))),
    ]);
    vec![("Tariff", tariff), ("Subsidy", subsidy)]
}

/// The guest's coordinates are required, in the headers.
fn point(caller: &Caller) -> Result<(f64, f64), Refusal> {
    caller
        .coordinates
        .ok_or_else(|| Refusal::bad("The headers lat and long are required"))
}

fn answer(cost: Option<i64>) -> Answer {
    data(json!({"is_in_delivery_zone": cost.is_some(), "delivery_cost": major(cost.unwrap_or(0))}))
}

async fn brand_zone(State(app): State<App>, Path(id): Path<String>, caller: Caller) -> Answer {
    let (id, point) = (parse_int("id", &id)?, point(&caller)?);
    let brand = app.catalogue.brand(id);
    brand.ok_or_else(|| Refusal::not_found("brand_not_found", "Brand is not found"))?;
    let venues = app
        .catalogue
        .venues()
        .iter()
        .filter(|venue| venue.brand_id == id);
    let places = venues.filter_map(|venue| app.catalogue.place_of(venue, Service::Delivery));
    answer(
        places
            .filter_map(|place| delivery::check(&place, point))
            .min(),
    )
}

async fn location_zone(State(app): State<App>, Path(id): Path<String>, caller: Caller) -> Answer {
    let point = point(&caller)?;
    let place = brings(&app, &id)?;
    answer(place.and_then(|place| delivery::check(&place, point)))
}

async fn zones(State(app): State<App>, Path(id): Path<String>) -> Answer {
    let zone = brings(&app, &id)?.map(|place| {
        let corners = delivery::zone(place.venue);
        let polygon: Vec<Value> = corners
            .iter()
            .map(|(latitude, longitude)| json!({"latitude": latitude, "longitude": longitude}))
            .collect();
        json!({"id": place.venue.id, "polygon": polygon})
    });
    data(zone.into_iter().collect())
}

/// The delivery of a venue by its location id or by one of its filials; nothing when it brings nothing.
fn brings<'a>(app: &'a App, id: &str) -> Result<Option<Place<'a>>, Refusal> {
    let id = parse_int("id", id)?;
    let by_id = app.catalogue.venues().iter().find(|venue| venue.id == id);
    let venue = by_id.or_else(|| app.catalogue.place(id).map(|place| place.venue));
    let venue = venue.ok_or_else(Refusal::terminal_not_found)?;
    Ok(app.catalogue.place_of(venue, Service::Delivery))
}

#[derive(Deserialize)]
struct TariffsBody {
    origin: Spot,
    destination: Spot,
    #[serde(default)]
    filial_id: Option<i64>,
    #[serde(default)]
    sum: Option<f64>,
}

#[derive(Deserialize)]
struct Spot {
    latitude: f64,
    longitude: f64,
}

impl Spot {
    fn checked(&self) -> Result<(f64, f64), Refusal> {
        let on_globe =
            (-90.0..=90.0).contains(&self.latitude) && (-180.0..=180.0).contains(&self.longitude);
        if on_globe {
            Ok((self.latitude, self.longitude))
        } else {
            Err(Refusal::bad("The place must be on the globe"))
        }
    }
}

/// Without a filial, the money is that of the country whose town is nearest.
async fn tariffs_of(State(app): State<App>, Json(body): Json<TariffsBody>) -> Answer {
    let (from, to) = (body.origin.checked()?, body.destination.checked()?);
    let goods = hundredths(body.sum.unwrap_or(0.0)).filter(|sum| *sum >= 0);
    let goods = goods.ok_or_else(|| Refusal::bad("sum must be a sum"))?;
    let country = match body.filial_id {
        Some(filial) => Some(app.place(filial)?.country),
        None => {
            let far =
                |town: &&crate::model::Town| geo::distance(from, (town.latitude, town.longitude));
            let nearest = app
                .catalogue
                .towns()
                .iter()
                .min_by(|a, b| far(a).total_cmp(&far(b)));
            nearest.and_then(|town| app.catalogue.country(town.country_id))
        }
    };
    let money = &country
        .ok_or_else(|| Refusal::bad("There is no town there"))?
        .meta
        .money;
    let tariffs = delivery::tariffs(geo::distance(from, to), goods, money);
    data(
        tariffs
            .iter()
            .map(|tariff| tariff.wire(goods, money))
            .collect(),
    )
}

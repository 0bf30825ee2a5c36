//! Addresses by text and by place, out of the streets where the venues stand.

use axum::extract::State;
use axum::routing::get;
use serde_json::{Value, json};

use crate::answer::{Answer, data};
use crate::app::App;
use crate::caller::Caller;
use crate::catalogue::{Place, Service};
use crate::fold::{fold, matches};
use crate::geo;
use crate::openapi::schema::{self, integer, list, number, object, reference, text};
use crate::openapi::{Api, Operation};
use crate::params::Params;
use crate::refusal::Refusal;

/// Metres from every known street beyond which there is no address.
const FAR: f64 = 50_000.0;

pub(crate) fn routes(api: Api) -> Api {
    api.add(
        Operation::get(
            "/geo-service/suggestions/",
            "suggestions",
            "Addresses that a text may mean",
        )
        .required("address", text())
        .query("limit", integer())
        .answers(200, schema::data(list(reference("Spot"))))
        .refuses(&[400]),
        get(suggestions),
    )
    .add(
        Operation::get(
            "/geo-service/reverse-geocode/",
            "reverseGeocode",
            "The address of a place",
        )
        .required("lat", number())
        .required("long", number())
        .answers(200, schema::data(reference("Spot")))
        .refuses(&[400, 404]),
        get(reverse),
    )
}

pub(crate) fn schemas() -> Vec<(&'static str, Value)> {
    let spot = object(&[
        ("address", text()),
        ("city", text()),
        ("street", text()),
        ("building", text()),
        ("latitude", number()),
        ("longitude", number()),
    ]);
    vec![("Spot", spot)]
}

fn places(app: &App) -> impl Iterator<Item = Place<'_>> {
    let venues = app.catalogue.venues().iter();
    venues.filter_map(|venue| {
        Service::ALL
            .iter()
            .find_map(|service| app.catalogue.place_of(venue, *service))
    })
}

fn spot(caller: &Caller, place: &Place<'_>, at: (f64, f64)) -> Value {
    let voice = caller.voice(place.country);
    let city = place.town.name.get(voice.lang, voice.fallback);
    let address = place.venue.address.get(voice.lang, voice.fallback);
    let (street, building) = parts(address);
    json!({
        "address": format!("{city}, {address}"),
        "city": city,
        "street": street,
        "building": building,
        "latitude": at.0,
        "longitude": at.1,
    })
}

/// "Дәстүр көшесі, 5" and "5 Dastur Street" into street and number.
fn parts(address: &str) -> (&str, &str) {
    if let Some((building, street)) = address.split_once(' ')
        && building.starts_with(|first: char| first.is_ascii_digit())
    {
        return (street, building);
    }
    let cut = address.rfind([',', ' ']).filter(|cut| {
        address
            .get(cut + 1..)
            .is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
    });
    match cut.and_then(|cut| address.split_at_checked(cut)) {
        Some((street, building)) => (
            street.trim_end_matches([',', ' ']),
            building.trim_start_matches([',', ' ']),
        ),
        None => (address, ""),
    }
}

async fn suggestions(State(app): State<App>, params: Params, caller: Caller) -> Answer {
    let query = fold(params.get("address").unwrap_or("").trim());
    let limit = params.count("limit", 3, 20)?;
    // Commas part what was built from street, town and city; empty parts say nothing.
    let query = query.replace(',', " ");
    let found = places(&app).filter(|place| {
        let texts = place.venue.address.all().chain(place.town.name.all());
        let text = fold(&texts.collect::<Vec<_>>().join(" "));
        !query.trim().is_empty() && matches(&text, &query)
    });
    let wire = found.take(limit).map(|place| {
        let at = (place.venue.latitude, place.venue.longitude);
        spot(&caller, &place, at)
    });
    data(wire.collect())
}

async fn reverse(State(app): State<App>, params: Params, caller: Caller) -> Answer {
    let number = |name: &str, most: f64| {
        let number = params.get(name).and_then(|text| text.parse::<f64>().ok());
        let number = number.filter(|number| number.abs() <= most);
        number.ok_or_else(|| Refusal::bad(format!("{name} must be on the globe")))
    };
    let at = (number("lat", 90.0)?, number("long", 180.0)?);
    let far = |place: &Place<'_>| geo::distance(at, (place.venue.latitude, place.venue.longitude));
    let nearest = places(&app)
        .min_by(|a, b| far(a).total_cmp(&far(b)))
        .filter(|place| far(place) < FAR);
    let place =
        nearest.ok_or_else(|| Refusal::not_found("address_not_found", "Address is not found"))?;
    data(spot(&caller, &place, at))
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn a_number_at_the_end_is_the_building() {
        assert_eq!(parts("Дәстүр көшесі, 5"), ("Дәстүр көшесі", "5"));
        assert_eq!(parts("Abay 12A"), ("Abay", "12A"));
        assert_eq!(parts("10 Abay Avenue"), ("Abay Avenue", "10"));
        assert_eq!(parts("Market square"), ("Market square", ""));
        assert_eq!(parts(""), ("", ""));
    }
}

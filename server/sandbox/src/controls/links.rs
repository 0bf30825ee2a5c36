//! The table QR codes as links to the web application.

use serde::Serialize;

use crate::app::App;
use crate::catalogue::{Place, Service, Voice};
use crate::model::Table;

/// One table QR code.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Link {
    pub(crate) venue: String,
    pub(crate) town: String,
    pub(crate) country: String,
    pub(crate) filial_id: i64,
    pub(crate) table_id: String,
    pub(crate) main_terminal_id: i64,
    pub(crate) number: String,
    pub(crate) url: String,
    pub(crate) closed: bool,
    pub(crate) check_pulling: bool,
}

/// Every table of every venue, by country and town.
pub(crate) fn all(app: &App) -> Vec<Link> {
    places(app)
        .flat_map(|place| {
            place
                .venue
                .tables
                .iter()
                .map(move |table| link(app, &place, table))
        })
        .collect()
}

/// One table of each venue.
pub(crate) fn first_of_each(app: &App) -> Vec<Link> {
    places(app)
        .filter_map(|place| {
            place
                .venue
                .tables
                .first()
                .map(|table| link(app, &place, table))
        })
        .collect()
}

/// The self-service fridges: nothing but take-away, no table, no cash.
pub(super) fn fridges(app: &App) -> impl Iterator<Item = Place<'_>> {
    let alone = |place: &Place<'_>| {
        let venue = place.venue;
        venue.express.is_none() && venue.delivery.is_none() && !venue.cash && venue.online
    };
    app.catalogue
        .venues()
        .iter()
        .filter_map(|venue| app.catalogue.place_of(venue, Service::Takeaway))
        .filter(alone)
}

fn places(app: &App) -> impl Iterator<Item = Place<'_>> {
    let mut places: Vec<Place<'_>> = app
        .catalogue
        .venues()
        .iter()
        .filter_map(|venue| app.catalogue.place_of(venue, Service::Express))
        .collect();
    // Those that lead straight to an open menu come first in their town.
    places.sort_by_key(|place| {
        let odd = app.overrides.is_closed(place.venue) || app.overrides.check_pulling(place.venue);
        (place.country.id, place.town.id, odd, place.venue.id)
    });
    places.into_iter()
}

fn link(app: &App, place: &Place<'_>, table: &Table) -> Link {
    let voice = Voice::choose(None, place.country);
    let (filial, terminal) = (place.filial, place.venue.main_terminal_id);
    let id: String = form_urlencoded::byte_serialize(table.id.as_bytes()).collect();
    // A plain address of the demo has no country in its host name.
    let country = if place.country.code == "kz" {
        ""
    } else {
        "&country=ge"
    };
    let query = format!("filial_id={filial}&table_id={id}&main_terminal_id={terminal}{country}");
    Link {
        venue: place.venue.name.get(voice.lang, voice.fallback).to_owned(),
        town: place.town.name.get(voice.lang, voice.fallback).to_owned(),
        country: place.country.code.clone(),
        filial_id: filial,
        table_id: table.id.clone(),
        main_terminal_id: terminal,
        number: table.number.clone(),
        url: format!("{}/filials/{filial}?{query}", app.web_url),
        closed: app.overrides.is_closed(place.venue),
        check_pulling: app.overrides.check_pulling(place.venue),
    }
}

//! Countries, towns, tables and the branch check.

use axum::extract::{Path, State};
use axum::routing::get;
use serde_json::{Value, json};

use super::location::{codes, locale, meta, town};
use crate::answer::{Answer, data, page};
use crate::app::App;
use crate::caller::Caller;
use crate::catalogue::Service;
use crate::model::Town;
use crate::openapi::schema::{self, integer, reference, text};
use crate::openapi::{Api, Operation};
use crate::params::{Params, parse_int};
use crate::refusal::Refusal;

pub(crate) fn routes(api: Api) -> Api {
    api.add(
        Operation::get(
            "/locations/v1/countries/{id}",
            "country",
            "A country with its languages, money and towns",
        )
        .query("include", text())
        .answers(200, schema::data(reference("Country")))
        .refuses(&[400, 404]),
        get(country),
    )
    .add(
        Operation::get("/locations/v2/towns", "towns", "The towns of a country")
            .query("country_id", integer())
            .query("page", integer())
            .query("limit", integer())
            .answers(200, schema::paged(reference("Town")))
            .refuses(&[400, 404]),
        get(towns),
    )
    .add(
        Operation::get(
            "/terminals/terminals/{id}",
            "terminal",
            "A terminal with its tables",
        )
        .answers(200, schema::data(reference("Terminal")))
        .refuses(&[400, 404]),
        get(terminal),
    )
    .add(
        Operation::get(
            "/locations/v1/branches/{id}",
            "branch",
            "What a table QR leads to: the menu or the bill",
        )
        .query("table_id", text())
        .query("main_terminal_id", integer())
        .answers(200, schema::data(reference("Branch")))
        .refuses(&[400, 404]),
        get(branch),
    )
}

async fn country(
    State(app): State<App>,
    Path(id): Path<String>,
    params: Params,
    caller: Caller,
) -> Answer {
    let country = app
        .catalogue
        .country(parse_int("id", &id)?)
        .ok_or_else(|| Refusal::not_found("country_not_found", "Country is not found"))?;
    let voice = caller.voice(country);
    let mut body = json!({
        "id": country.id,
        "name_key": country.name_key,
        "name": country.name.get(voice.lang, voice.fallback),
        "code": country.code,
        "currency": country.currency,
        "supportedLanguages": codes(&country.languages),
        "defaultLocale": country.default.code(),
        "fallbackLocale": country.fallback.code(),
        "config": {"meta": meta(&country.meta), "locale": locale(country)},
    });
    if params
        .get("include")
        .is_some_and(|include| include.split(',').any(|part| part == "towns"))
    {
        let towns = app
            .catalogue
            .towns()
            .iter()
            .filter(|town| town.country_id == country.id);
        body["towns"] = towns.map(|one| town(one, country, voice)).collect();
    }
    data(body)
}

/// Without a country the constant of the specification counts, 2.
async fn towns(State(app): State<App>, params: Params, caller: Caller) -> Answer {
    let id = params.int("country_id")?.unwrap_or(2);
    let country = app
        .catalogue
        .country(id)
        .ok_or_else(|| Refusal::not_found("country_not_found", "Country is not found"))?;
    let voice = caller.voice(country);
    let towns: Vec<&Town> = app
        .catalogue
        .towns()
        .iter()
        .filter(|town| town.country_id == id)
        .collect();
    // All towns fit on one page unless another size is asked for.
    let whole = Params::parse("limit=100");
    let params = if params.get("limit").is_some() {
        params
    } else {
        whole
    };
    page(&params, &towns, |one| town(one, country, voice))
}

async fn terminal(State(app): State<App>, Path(id): Path<String>) -> Answer {
    let place = app.place_at(&id)?;
    let tables: Vec<Value> = if place.service == Service::Express {
        place
            .venue
            .tables
            .iter()
            .map(|table| json!({"id": table.id, "number": table.number}))
            .collect()
    } else {
        Vec::new()
    };
    data(json!({
        "id": place.filial,
        "location_id": place.venue.id,
        "town_id": place.venue.town_id,
        "service_type": place.service.type_id(),
        "tables": tables,
    }))
}

/// A table counts only at its own terminal: the QR of another venue attaches none.
async fn branch(State(app): State<App>, Path(id): Path<String>, params: Params) -> Answer {
    let place = app.place_at(&id)?;
    let terminal = params.get("main_terminal_id").map(str::to_owned);
    let own = terminal.is_none_or(|text| text == place.venue.main_terminal_id.to_string());
    let asked = params.get("table_id").filter(|_| own);
    let table = asked.and_then(|id| place.venue.tables.iter().find(|table| table.id == id));
    data(json!({
        "filial_id": place.filial,
        "is_check_pulling_enabled": app.overrides.check_pulling(place.venue),
        "table": table.map(|table| json!({"id": table.id, "number": table.number})),
        "main_terminal_id": place.venue.main_terminal_id,
    }))
}

//! The saved addresses of the signed-in person.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::get;
use serde_json::Value;

use crate::accounts::address::{Address, COLUMNS, bind, of_user};
use crate::answer::{Answer, data, done, ok};
use crate::app::App;
use crate::body::Json;
use crate::caller::Caller;
use crate::openapi::schema::{
    self, boolean, integer, list, nullable, number, object, reference, text,
};
use crate::openapi::{Api, Operation};
use crate::params::parse_int;
use crate::refusal::Refusal;

const MOST: i64 = 50;

pub(crate) fn routes(api: Api) -> Api {
    let one = || schema::data(reference("Address"));
    api.add(
        Operation::get(
            "/profile/api/v1/address",
            "addresses",
            "The saved addresses",
        )
        .answers(200, schema::data(list(reference("Address"))))
        .refuses(&[401]),
        get(all).post(create),
    )
    .describe(
        Operation::post(
            "/profile/api/v1/address",
            "createAddress",
            "Saves an address",
        )
        .body(reference("AddressBody"))
        .answers(201, one())
        .refuses(&[400, 401]),
    )
    .add(
        Operation::get("/profile/api/v1/address/{id}", "address", "One address")
            .answers(200, one())
            .refuses(&[400, 401, 404]),
        get(show).put(change).delete(remove),
    )
    .describe(
        Operation::new(
            "put",
            "/profile/api/v1/address/{id}",
            "changeAddress",
            "Changes an address",
        )
        .body(reference("AddressBody"))
        .answers(200, one())
        .refuses(&[400, 401, 404]),
    )
    .describe(
        Operation::new(
            "delete",
            "/profile/api/v1/address/{id}",
            "deleteAddress",
            "Forgets an address",
        )
        .answers(200, done())
        .refuses(&[400, 401, 404]),
    )
}

const TEXTS: [&str; 8] = [
    "name",
    "address",
    "city",
    "street",
    "building",
    "entrance",
    "floor",
    "apartment",
];

pub(crate) fn schemas() -> Vec<(&'static str, Value)> {
    let optional = [
        "name?",
        "address?",
        "city?",
        "street?",
        "building?",
        "entrance?",
        "floor?",
        "apartment?",
    ];
    let mut body: Vec<(&str, Value)> = optional.iter().map(|name| (*name, text())).collect();
    body.extend([
        ("is_private_house?", boolean()),
        ("comment?", text()),
        ("latitude", number()),
        ("longitude", number()),
    ]);
    let mut whole: Vec<(&str, Value)> = vec![("id", integer())];
    whole.extend(TEXTS.iter().map(|name| (*name, text())));
    whole.extend([
        ("is_private_house", boolean()),
        ("comment", text()),
        ("latitude", number()),
        ("longitude", number()),
        ("distance", nullable(number())),
    ]);
    vec![("AddressBody", object(&body)), ("Address", object(&whole))]
}

async fn all(State(app): State<App>, caller: Caller) -> Answer {
    let user = app.signed_in(&caller).await?;
    let found = app.store.read(move |db| of_user(db, user.id)).await?;
    data(
        found
            .iter()
            .map(|(id, address)| address.wire(*id, &caller))
            .collect(),
    )
}

async fn create(
    State(app): State<App>,
    caller: Caller,
    Json(address): Json<Address>,
) -> Result<(StatusCode, axum::Json<Value>), Refusal> {
    let user = app.signed_in(&caller).await?;
    address.check()?;
    let saved = address.clone();
    let id = app
        .store
        .write(move |db| {
            if of_user(db, user.id)?.len() as i64 >= MOST {
                return Err(Refusal::unprocessable("too_many", "There are too many addresses"));
            }
            let query = format!("INSERT INTO addresses (user_id, {COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)");
            db.execute(&query, bind(user.id, &saved))?;
            Ok(db.last_insert_rowid())
        })
        .await?;
    Ok((StatusCode::CREATED, data(address.wire(id, &caller))?))
}

async fn show(State(app): State<App>, Path(id): Path<String>, caller: Caller) -> Answer {
    let user = app.signed_in(&caller).await?;
    let id = parse_int("id", &id)?;
    let found = app.store.read(move |db| of_user(db, user.id)).await?;
    let address = found
        .iter()
        .find(|(other, _)| *other == id)
        .ok_or_else(not_found)?;
    data(address.1.wire(id, &caller))
}

async fn change(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    Json(address): Json<Address>,
) -> Answer {
    let user = app.signed_in(&caller).await?;
    let id = parse_int("id", &id)?;
    address.check()?;
    let saved = address.clone();
    let changed = app
        .store
        .write(move |db| {
            let query = format!("UPDATE addresses SET ({COLUMNS}) = (?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13) WHERE user_id = ?1 AND id = {id}");
            Ok(db.execute(&query, bind(user.id, &saved))?)
        })
        .await?;
    if changed == 0 {
        return Err(not_found());
    }
    data(address.wire(id, &caller))
}

async fn remove(State(app): State<App>, Path(id): Path<String>, caller: Caller) -> Answer {
    let user = app.signed_in(&caller).await?;
    let id = parse_int("id", &id)?;
    let query = "DELETE FROM addresses WHERE user_id = ?1 AND id = ?2";
    let removed = app
        .store
        .write(move |db| Ok(db.execute(query, [user.id, id])?))
        .await?;
    if removed == 0 { Err(not_found()) } else { ok() }
}

fn not_found() -> Refusal {
    Refusal::not_found("address_not_found", "Address is not found")
}

//! The saved addresses of the signed-in person.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::get;
use rusqlite::{Connection, Row, params};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Answer, data, ok};
use crate::app::App;
use crate::body::Json;
use crate::caller::Caller;
use crate::geo;
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
        .answers(200, super::done())
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

/// An address as it is sent; only the place is required.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Address {
    #[serde(default)]
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) address: String,
    #[serde(default)]
    pub(crate) city: String,
    #[serde(default)]
    pub(crate) street: String,
    #[serde(default)]
    pub(crate) building: String,
    #[serde(default)]
    pub(crate) entrance: String,
    #[serde(default)]
    pub(crate) floor: String,
    #[serde(default)]
    pub(crate) apartment: String,
    #[serde(default)]
    pub(crate) is_private_house: bool,
    #[serde(default)]
    pub(crate) comment: String,
    pub(crate) latitude: f64,
    pub(crate) longitude: f64,
}

const COLUMNS: &str = "name, address, city, street, building, entrance, floor, apartment, \
     is_private_house, comment, latitude, longitude";

impl Address {
    pub(crate) fn check(&self) -> Result<(), Refusal> {
        let placed =
            (-90.0..=90.0).contains(&self.latitude) && (-180.0..=180.0).contains(&self.longitude);
        if !placed {
            return Err(Refusal::bad("latitude and longitude must be on the globe"));
        }
        let texts = [
            &self.name,
            &self.address,
            &self.city,
            &self.street,
            &self.building,
            &self.entrance,
        ];
        let rest = [&self.floor, &self.apartment, &self.comment];
        if texts
            .iter()
            .chain(&rest)
            .any(|text| text.chars().count() > 500)
        {
            return Err(Refusal::bad("A part of the address is too long"));
        }
        Ok(())
    }

    fn from_row(row: &Row<'_>) -> rusqlite::Result<Address> {
        Ok(Address {
            name: row.get(0)?,
            address: row.get(1)?,
            city: row.get(2)?,
            street: row.get(3)?,
            building: row.get(4)?,
            entrance: row.get(5)?,
            floor: row.get(6)?,
            apartment: row.get(7)?,
            is_private_house: row.get(8)?,
            comment: row.get(9)?,
            latitude: row.get(10)?,
            longitude: row.get(11)?,
        })
    }

    pub(crate) fn wire(&self, id: i64, caller: &Caller) -> Value {
        let distance = caller
            .coordinates
            .map(|from| geo::distance(from, (self.latitude, self.longitude)).round());
        json!({
            "id": id, "name": self.name, "address": self.address, "city": self.city,
            "street": self.street, "building": self.building, "entrance": self.entrance,
            "floor": self.floor, "apartment": self.apartment,
            "is_private_house": self.is_private_house, "comment": self.comment,
            "latitude": self.latitude, "longitude": self.longitude, "distance": distance,
        })
    }
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

fn bind(user: i64, address: &Address) -> impl rusqlite::Params {
    let address = address.clone();
    (
        user,
        address.name,
        address.address,
        address.city,
        address.street,
        address.building,
        address.entrance,
        address.floor,
        address.apartment,
        address.is_private_house,
        address.comment,
        address.latitude,
        address.longitude,
    )
}

fn of_user(db: &Connection, user: i64) -> Result<Vec<(i64, Address)>, Refusal> {
    let query = format!("SELECT {COLUMNS}, id FROM addresses WHERE user_id = ?1 ORDER BY id");
    let mut statement = db.prepare_cached(&query)?;
    let found = statement.query_map(params![user], |row| {
        Ok((row.get(12)?, Address::from_row(row)?))
    })?;
    Ok(found.collect::<Result<_, _>>()?)
}

fn not_found() -> Refusal {
    Refusal::not_found("address_not_found", "Address is not found")
}

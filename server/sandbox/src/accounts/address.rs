//! An address: as it is sent along and as it is saved.

use rusqlite::{Connection, Row, params};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::caller::Caller;
use crate::geo;
use crate::refusal::Refusal;

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

/// In the order of the table.
pub(crate) const COLUMNS: &str = "name, address, city, street, building, entrance, floor, apartment, \
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

/// What the columns of an address hold, behind its owner.
pub(crate) fn bind(user: i64, address: &Address) -> impl rusqlite::Params {
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

/// The saved addresses of this account, the oldest first.
pub(crate) fn of_user(db: &Connection, user: i64) -> Result<Vec<(i64, Address)>, Refusal> {
    let query = format!("SELECT {COLUMNS}, id FROM addresses WHERE user_id = ?1 ORDER BY id");
    let mut statement = db.prepare_cached(&query)?;
    let found = statement.query_map(params![user], |row| {
        Ok((row.get(12)?, Address::from_row(row)?))
    })?;
    Ok(found.collect::<Result<_, _>>()?)
}

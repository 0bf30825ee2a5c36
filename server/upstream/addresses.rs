//! Saved addresses of the signed-in guest.

use axum::http::Method;
use serde_json::{Value, json};

use super::{
    AddressId, Caller, Coordinates, Error, Upstream,
    address::Path,
    breaker::Part,
    call::Call,
    countries::coordinates,
    wire::{self, Bad, FromWire, Wire},
};

/// Where something can be brought. All texts may be empty; the place is required.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Address {
    pub name: String,
    pub address: String,
    pub city: String,
    pub street: String,
    pub building: String,
    pub entrance: String,
    pub floor: String,
    pub apartment: String,
    pub is_private_house: bool,
    /// Word to the courier.
    pub comment: String,
    pub coordinates: Coordinates,
}

/// An address that the upstream keeps.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedAddress {
    /// Its id.
    pub id: AddressId,
    /// The address itself.
    pub address: Address,
    /// Metres from the caller.
    pub distance: Option<f64>,
}

impl Upstream {
    /// All saved addresses.
    pub async fn addresses(&self, caller: &Caller) -> Result<Vec<SavedAddress>, Error> {
        self.ask(Call::get(caller, Part::Accounts, all()), wire::data_list)
            .await
    }

    /// One of them.
    pub async fn address(&self, caller: &Caller, id: AddressId) -> Result<SavedAddress, Error> {
        self.ask(Call::get(caller, Part::Accounts, one(id)), wire::data)
            .await
    }

    /// Saves a new one.
    pub async fn create_address(
        &self,
        caller: &Caller,
        address: &Address,
    ) -> Result<SavedAddress, Error> {
        self.ask(
            Call::post(caller, Part::Accounts, all(), &address.to_wire()),
            wire::data,
        )
        .await
    }

    /// Changes one.
    pub async fn change_address(
        &self,
        caller: &Caller,
        id: AddressId,
        address: &Address,
    ) -> Result<SavedAddress, Error> {
        let call = Call::send(
            Method::PUT,
            caller,
            Part::Accounts,
            one(id),
            &address.to_wire(),
        );
        self.ask(call, wire::data).await
    }

    /// Forgets one.
    pub async fn delete_address(&self, caller: &Caller, id: AddressId) -> Result<(), Error> {
        self.ask(
            Call::bare(Method::DELETE, caller, Part::Accounts, one(id)),
            wire::done,
        )
        .await
    }
}

impl Address {
    pub(super) fn to_wire(&self) -> Value {
        json!({
            "name": self.name, "address": self.address, "city": self.city, "street": self.street,
            "building": self.building, "entrance": self.entrance, "floor": self.floor, "apartment": self.apartment,
            "is_private_house": self.is_private_house, "comment": self.comment,
            "latitude": self.coordinates.latitude(), "longitude": self.coordinates.longitude(),
        })
    }
}

impl FromWire for SavedAddress {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        Ok(Self {
            id: wire.id("id", AddressId).ok_or(Bad("address id"))?,
            address: Address::from_wire(wire)?,
            distance: wire.number("distance"),
        })
    }
}

impl FromWire for Address {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        let text = |key| wire.text(key).unwrap_or_default();
        Ok(Self {
            name: text("name"),
            address: text("address"),
            city: text("city"),
            street: text("street"),
            building: text("building"),
            entrance: text("entrance"),
            floor: text("floor"),
            apartment: text("apartment"),
            is_private_house: wire.flag("is_private_house").unwrap_or(false),
            comment: text("comment"),
            coordinates: coordinates(wire).ok_or(Bad("coordinates"))?,
        })
    }
}

fn all() -> Path {
    Path::fixed("profile/api/v1/address")
}

fn one(id: AddressId) -> Path {
    Path::with("profile/api/v1/address/{}", &id)
}

//! The geo service: addresses by text and by place (HT-06, HT-13). Where the guest is stays out of the cache and out
//! of the log, as the query is not logged.

use super::{
    Caller, Coordinates, Error, Upstream,
    address::Path,
    breaker::Part,
    call::Call,
    countries::coordinates,
    query::Query,
    wire::{self, Bad, FromWire, Wire},
};

/// An address with its place.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "the upstream's own names")]
pub struct Spot {
    pub address: String,
    pub city: String,
    pub street: String,
    pub building: String,
    pub coordinates: Coordinates,
}

/// Suggestions shown.
const LIMIT: u32 = 3;

impl Upstream {
    /// Addresses that a text may mean. Nothing is asked for an empty one.
    pub async fn address_suggestions(
        &self,
        caller: &Caller,
        text: &str,
    ) -> Result<Vec<Spot>, Error> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(Vec::new());
        }
        let query = Query::new().with("address", text).with("limit", LIMIT);
        let call = Call::get(caller, Part::Geo, Path::fixed("geo-service/suggestions/"));
        self.ask(call.query(query), wire::data_list).await
    }

    /// The address of a place; `None` where none is known.
    pub async fn address_of(
        &self,
        caller: &Caller,
        place: Coordinates,
    ) -> Result<Option<Spot>, Error> {
        let query = Query::new()
            .with("lat", place.latitude())
            .with("long", place.longitude());
        let call = Call::get(
            caller,
            Part::Geo,
            Path::fixed("geo-service/reverse-geocode/"),
        );
        match self.ask(call.query(query), wire::data).await {
            Ok(spot) => Ok(Some(spot)),
            Err(Error::NotFound) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl FromWire for Spot {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        let text = |key| wire.text(key).unwrap_or_default();
        Ok(Self {
            address: text("address"),
            city: text("city"),
            street: text("street"),
            building: text("building"),
            coordinates: coordinates(wire).ok_or(Bad("coordinates"))?,
        })
    }
}

//! Bringing an order: zones, tariffs, and the courier on the way (CT-10, DG-11, OR-09).

use serde_json::{Value, json};

use super::{
    BrandId, Caller, Coordinates, Error, LocationId, OrderId, Upstream, VenueId,
    address::Path,
    breaker::Part,
    call::Call,
    countries::coordinates,
    query::Query,
    wire::{self, Bad, FromWire, Wire, sum_to_wire},
};
use crate::values::Sum;

/// Whose zone is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ZoneOf {
    /// Any venue of a brand.
    Brand(BrandId),
    /// One venue.
    Location(LocationId),
}

/// Whether a place is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Zone {
    /// Inside.
    pub is_inside: bool,
    /// What bringing it costs.
    pub cost: Sum,
}

/// Who brings it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Transport {
    /// On foot.
    Foot,
    /// By car.
    Car,
}

/// One way to bring an order.
#[derive(Debug, Clone, PartialEq)]
pub struct Tariff {
    /// Its id.
    pub id: String,
    /// Who brings it; `None` if this program does not know the word.
    pub transport: Option<Transport>,
    /// The fastest way.
    pub is_fastest: bool,
    /// What the guest pays.
    pub price: Sum,
    /// What it costs without a subsidy.
    pub cost: Option<Sum>,
    /// Minutes on the way.
    pub minutes: Option<u32>,
    /// From this sum of goods on it is free.
    pub free_from: Option<Sum>,
    /// The next cheaper step: from which sum of goods, and its price.
    pub next_tier: Option<(Sum, Sum)>,
    /// Least goods.
    pub min_order_sum: Sum,
    /// What is paid for the guest.
    pub subsidy: Vec<Subsidy>,
}

/// A step of a subsidy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the upstream's own names")]
pub struct Subsidy {
    pub threshold: Sum,
    pub amount: Sum,
    pub discount: Sum,
}

/// Who brings an order, and where that is now.
#[derive(Debug, Clone, PartialEq)]
pub struct Courier {
    /// May be empty.
    pub name: String,
    /// Can be called; `None` if it is no phone number.
    pub phone: Option<String>,
    /// On the map.
    pub coordinates: Option<Coordinates>,
    /// How it comes.
    pub transport: Option<Transport>,
}

impl Upstream {
    /// Whether a place is served. With neither brand nor venue it is, at no cost, without a call (DG-11).
    pub async fn zone(
        &self,
        caller: &Caller,
        of: Option<ZoneOf>,
        place: Coordinates,
    ) -> Result<Zone, Error> {
        let path = match of {
            None => {
                return Ok(Zone {
                    is_inside: true,
                    cost: Sum(0),
                });
            }
            Some(ZoneOf::Brand(id)) => {
                Path::with("brandy/api/v1/brands/{}/delivery-zones/check", &id)
            }
            Some(ZoneOf::Location(id)) => {
                Path::with("brandy/api/v1/locations/{}/delivery-zones/check", &id)
            }
        };
        let caller = Caller {
            coordinates: Some(place),
            ..caller.clone()
        };
        self.ask(Call::get(&caller, Part::Delivery, path), wire::data)
            .await
    }

    /// The outlines of a venue's zones.
    pub async fn zones(
        &self,
        caller: &Caller,
        location: LocationId,
    ) -> Result<Vec<Vec<Coordinates>>, Error> {
        let path = Path::with("brandy/api/v1/locations/{}/delivery-zones", &location);
        let call = Call::get(caller, Part::Delivery, path);
        self.ask(call, |wire| {
            let corner = |wire: Wire<'_>| coordinates(wire).ok_or(Bad("corner"));
            Ok(wire
                .get("data")
                .elements(|zone| Ok(zone.get("polygon").elements(corner))))
        })
        .await
    }

    /// The ways to bring goods worth a sum. None when they can't be had; when one of them is not the fastest, only the
    /// cheapest of all (CT-10, ZZ-12).
    pub async fn tariffs(
        &self,
        caller: &Caller,
        origin: Coordinates,
        destination: Coordinates,
        venue: Option<VenueId>,
        goods: Sum,
    ) -> Vec<Tariff> {
        let body = json!({
            "origin": place(origin), "destination": place(destination), "filial_id": venue, "sum": sum_to_wire(goods),
        });
        let call = Call::post(
            caller,
            Part::Delivery,
            Path::fixed("dr-delivery/api/v1/tariffs"),
            &body,
        );
        let tariffs = self.ask(call, wire::data_list).await.unwrap_or_default();
        to_offer(tariffs)
    }

    /// The courier of an order; `None` before one is on the way (OR-09).
    pub async fn courier(
        &self,
        caller: &Caller,
        order: &OrderId,
    ) -> Result<Option<Courier>, Error> {
        let call = Call::get(
            caller,
            Part::Delivery,
            Path::fixed("dr-delivery/api/v1/courier"),
        );
        match self
            .ask(
                call.query(Query::new().with("takeaway_order_id", order)),
                wire::data,
            )
            .await
        {
            Ok(courier) => Ok(Some(courier)),
            Err(Error::NotFound) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl Transport {
    /// The upstream's word.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Foot => "FOOT",
            Self::Car => "CAR",
        }
    }

    /// The transport of a word.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        [Self::Foot, Self::Car]
            .into_iter()
            .find(|transport| transport.code() == code)
    }
}

impl FromWire for Zone {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        Ok(Self {
            is_inside: wire
                .flag("is_in_delivery_zone")
                .ok_or(Bad("is_in_delivery_zone"))?,
            cost: wire.price("delivery_cost").unwrap_or_default(),
        })
    }
}

impl FromWire for Tariff {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        let tier = wire.get("next_tier");
        Ok(Self {
            id: wire.text("id").unwrap_or_default(),
            transport: wire
                .text("transport_type")
                .and_then(|code| Transport::from_code(&code)),
            is_fastest: wire.flag("is_fastest").unwrap_or(false),
            price: wire.price("price").ok_or(Bad("tariff price"))?,
            cost: wire.price("cost"),
            minutes: wire.count("minutes"),
            free_from: wire.price("free_delivery_threshold"),
            next_tier: tier.price("threshold").zip(tier.price("price")),
            min_order_sum: wire.price("min_order_sum").unwrap_or_default(),
            subsidy: wire.list("subsidy"),
        })
    }
}

impl FromWire for Subsidy {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        Ok(Self {
            threshold: wire.price("threshold").ok_or(Bad("threshold"))?,
            amount: wire.price("amount").unwrap_or_default(),
            discount: wire.price("discount").unwrap_or_default(),
        })
    }
}

impl FromWire for Courier {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        let dialled = |phone: &String| {
            phone
                .chars()
                .all(|sign| sign.is_ascii_digit() || "+-() ".contains(sign))
        };
        Ok(Self {
            name: wire.text("name").unwrap_or_default(),
            phone: wire.text("phone").filter(dialled),
            coordinates: coordinates(wire),
            transport: wire
                .text("transport_type")
                .and_then(|code| Transport::from_code(&code)),
        })
    }
}

fn place(place: Coordinates) -> Value {
    json!({ "latitude": place.latitude(), "longitude": place.longitude() })
}

fn to_offer(tariffs: Vec<Tariff>) -> Vec<Tariff> {
    if tariffs.iter().all(|tariff| tariff.is_fastest) {
        return tariffs;
    }
    tariffs
        .into_iter()
        .min_by_key(|tariff| tariff.price)
        .into_iter()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offered_prices(tariffs: &[(i64, bool)]) -> Vec<i64> {
        let tariff = |(price, is_fastest): &(i64, bool)| Tariff {
            id: String::new(),
            transport: None,
            is_fastest: *is_fastest,
            price: Sum(*price),
            cost: None,
            minutes: None,
            free_from: None,
            next_tier: None,
            min_order_sum: Sum(0),
            subsidy: Vec::new(),
        };
        to_offer(tariffs.iter().map(tariff).collect())
            .iter()
            .map(|tariff| tariff.price.0)
            .collect()
    }

    #[test]
    fn one_slower_tariff_leaves_the_cheapest_of_all() {
        assert_eq!(
            offered_prices(&[(900, true), (700, false), (500, true)]),
            [500]
        );
        assert_eq!(
            offered_prices(&[(900, true), (500, false), (500, false)]),
            [500]
        );
        assert_eq!(offered_prices(&[(900, true), (700, true)]), [900, 700]);
        assert!(offered_prices(&[]).is_empty());
    }
}

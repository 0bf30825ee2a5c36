//! Page data of addresses.

use serde::Serialize;

use crate::{
    features::{
        address_book::{Known, line},
        page_data::{MapCredit, Point, VenueRef},
    },
    upstream::{Address, Spot},
    web::session::StoredAddress,
};

/// One address of the sheet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AddressCard {
    /// Upstream id, -1 for the local one.
    #[cfg_attr(test, ts(type = "number"))]
    pub id: i64,
    /// What the guest calls it; may be empty.
    pub name: String,
    /// Street and building.
    pub text: String,
    /// May be empty, as all that follows.
    pub city: String,
    /// Of a house with flats.
    pub entrance: String,
    /// Of a house with flats.
    pub floor: String,
    /// Flat or office.
    pub apartment: String,
    /// A house of its own.
    pub private_house: bool,
    /// Metres from the guest; null while the guest's position is unknown.
    pub distance: Option<u32>,
}

/// Page data of `/addresses`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AddressesPage {
    /// The active one first, then the nearest.
    pub addresses: Vec<AddressCard>,
    /// The saved ones could not be had.
    pub failed: bool,
    /// The guest is not signed in: the address stays in this browser.
    pub local: bool,
    /// The address that was deleted last and can be had back.
    pub deleted: Option<String>,
    /// Where the guest came from.
    pub back: String,
}

/// What the form asks.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct AddressFields {
    pub name: String,
    pub street: String,
    pub building: String,
    pub entrance: String,
    pub floor: String,
    pub apartment: String,
    pub private_house: bool,
    /// Word to the courier.
    pub comment: String,
}

/// Page data of `/address-form`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AddressFormPage {
    /// The address that is changed, -1 the local one; null for a new one.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub id: Option<i64>,
    /// The guest has no other, and has not said what it is called: it is Home.
    pub first: bool,
    /// As it was saved, or as far as it was written.
    pub fields: AddressFields,
    /// What the map knows of the place.
    pub place: String,
    /// Its city.
    pub city: String,
    /// The place.
    pub at: Point,
    /// Where the guest came from.
    pub back: String,
}

/// A place with its address.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AddressSpot {
    /// All of it in one line.
    pub text: String,
    /// May be empty, as all that follows.
    pub city: String,
    /// Its street.
    pub street: String,
    /// Its building.
    pub building: String,
    /// Where it is.
    pub at: Point,
}

/// Whether a place is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum ZoneState {
    /// Orders are brought there.
    Inside,
    /// They are not.
    Outside,
    /// Not known now.
    Unknown,
}

/// What is known of the place under the pin.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AddressAt {
    /// Its address; null where it is unknown.
    pub spot: Option<AddressSpot>,
    /// There was no answer.
    pub failed: bool,
    /// Whether the venue of the cart brings orders there.
    pub zone: ZoneState,
    /// Outside of the zone: the venue of the cart, where it hands orders out.
    pub of_cart: Option<VenueRef>,
    /// Outside of the zone: the nearest other venue where orders are picked up.
    pub takeaway: Option<VenueRef>,
}

/// Page data of `/address-map`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AddressMapPage {
    /// The address that gets another place, -1 the local one; null for a new one.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub id: Option<i64>,
    /// The middle of the map.
    pub at: Point,
    /// The middle is a place that the guest has chosen, not the town's centre.
    pub chosen: bool,
    /// What is known of the chosen place.
    pub found: AddressAt,
    /// What was typed, trimmed.
    pub query: String,
    /// Addresses that it may mean; null without an answer.
    pub suggestions: Option<Vec<AddressSpot>>,
    /// They are found by a part of it: all of it means nothing.
    pub partial: bool,
    /// Where the guest came from.
    pub back: String,
    /// Whose map it is.
    pub credit: Option<MapCredit>,
}

/// What a typed text may mean.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AddressSuggestions {
    /// The text, trimmed.
    pub query: String,
    /// At most three; null without an answer.
    pub items: Option<Vec<AddressSpot>>,
    /// They are found by a part of the text: all of it means nothing.
    pub partial: bool,
}

impl AddressCard {
    /// An address of the visit; its distance only where it is that from the guest.
    #[must_use]
    pub fn of(known: &Known, located: bool) -> Self {
        let address = known.address.clone();
        Self {
            id: known.id,
            text: line(&address),
            name: address.name,
            city: address.city,
            entrance: address.entrance,
            floor: address.floor,
            apartment: address.apartment,
            private_house: address.is_private_house,
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "`as` saturates, distances are metres"
            )]
            distance: known
                .distance
                .filter(|metres| located && metres.is_finite())
                .map(|metres| metres.round() as u32),
        }
    }
}

impl From<&StoredAddress> for AddressFields {
    fn from(stored: &StoredAddress) -> Self {
        let stored = stored.clone();
        Self {
            name: stored.name,
            street: stored.street,
            building: stored.building,
            entrance: stored.entrance,
            floor: stored.floor,
            apartment: stored.apartment,
            private_house: stored.is_private_house,
            comment: stored.comment,
        }
    }
}

impl From<Spot> for AddressSpot {
    fn from(spot: Spot) -> Self {
        Self {
            text: spot.address,
            city: spot.city,
            street: spot.street,
            building: spot.building,
            at: spot.coordinates.into(),
        }
    }
}

impl From<&Address> for AddressSpot {
    fn from(address: &Address) -> Self {
        Self {
            text: if address.address.is_empty() {
                line(address)
            } else {
                address.address.clone()
            },
            city: address.city.clone(),
            street: address.street.clone(),
            building: address.building.clone(),
            at: address.coordinates.into(),
        }
    }
}

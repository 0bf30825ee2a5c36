//! What is known of a place: its address (DG-09), and whether the venue of the cart brings orders there (DG-11, DG-12).

use super::{AddressAt, AddressSpot, ZoneState};
use crate::{
    features::{cart_view, mapping, page_data::VenueRef, place::Place},
    upstream::{Address, Caller, Coordinates, Location, LocationsQuery, VenueId, ZoneOf},
    values::Service,
    web::visit::Visit,
};

/// Venues among which one to pick up at is looked for.
const NEAREST: u32 = 5;

/// What is known of a place: its address, unless that is `known` already, and whether it is served.
pub(super) async fn look(visit: &Visit, place: Coordinates, known: Option<Address>) -> AddressAt {
    let caller = visit.caller(Some(place)).optional();
    let (spot, zone) = tokio::join!(
        async {
            match known {
                Some(address) => Ok(Some(AddressSpot::from(&address))),
                None => {
                    let found = visit.app.upstream.address_of(&caller, place).await;
                    // The pin stands where the guest has put it, not at the nearest known house.
                    found.map(|found| {
                        found.map(|spot| AddressSpot {
                            at: place.into(),
                            ..spot.into()
                        })
                    })
                }
            }
        },
        zone(visit, place)
    );
    if let Err(error) = &spot {
        tracing::warn!(class = error.class(), "A place could not be named");
    }
    AddressAt {
        failed: spot.is_err(),
        spot: spot.ok().flatten(),
        takeaway: match zone {
            ZoneState::Outside => takeaway(visit, &caller).await,
            ZoneState::Inside | ZoneState::Unknown => None,
        },
        zone,
    }
}

/// Whether orders are brought to a place: by the venue of the cart, else by the brand of this installation, else by
/// somebody (DG-11: then there is no call).
pub(super) async fn zone(visit: &Visit, place: Coordinates) -> ZoneState {
    let caller = visit.personal_caller().await.optional();
    let of = match venue(visit, &caller).await {
        Some(location) => Some(location),
        None => visit.brand().map(ZoneOf::Brand),
    };
    match visit.app.upstream.zone(&caller, of, place).await {
        Ok(zone) if zone.is_inside => ZoneState::Inside,
        Ok(_) => ZoneState::Outside,
        Err(error) => {
            tracing::warn!(class = error.class(), "A delivery zone could not be asked");
            ZoneState::Unknown
        }
    }
}

/// The venue of the cart, if it brings orders at all.
async fn venue(visit: &Visit, caller: &Caller) -> Option<ZoneOf> {
    let cart = cart_view::of_page(visit).await.ok().flatten()?;
    let venue_id = VenueId(cart.venue_id.filter(|_| !cart.is_empty())?);
    let venue = visit
        .app
        .upstream
        .venue(caller, venue_id, None)
        .await
        .ok()?;
    venue.location.delivery?;
    venue.location.id.map(ZoneOf::Location)
}

/// The nearest venue of the place that is open and hands out what is ordered: no fridge.
async fn takeaway(visit: &Visit, caller: &Caller) -> Option<VenueRef> {
    let query = LocationsQuery {
        service: Some(Service::Takeaway),
        brand: visit.brand(),
        limit: NEAREST,
        ..LocationsQuery::default()
    };
    if !visit.offered().contains(&Service::Takeaway) {
        return None;
    }
    let found = visit.app.upstream.locations(caller, &query).await.ok()?;
    let place = Place::of(visit).await;
    let offset = place.meta.utc_offset;
    let is_open = |location: &&Location| mapping::open(location, visit.now, offset).open;
    for location in found.items.iter().filter(is_open) {
        let id = location.takeaway.unwrap_or(location.venue_id);
        // Only its card says what it is.
        let venue = visit.app.upstream.venue(caller, id, visit.brand()).await;
        if venue.is_ok_and(|venue| !venue.is_fridge()) {
            return Some(VenueRef {
                id: id.0,
                name: location.name.clone(),
            });
        }
    }
    None
}

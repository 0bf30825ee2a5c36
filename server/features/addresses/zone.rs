//! What is known of a place: its address (DG-09), and whether the venue of the cart brings orders there (DG-11, DG-12).

use super::{AddressAt, AddressSpot, ZoneState};
use crate::{
    features::{cart_view, mapping, page_data::VenueRef, place::Place},
    upstream::{
        Address, Answer, Caller, Coordinates, Location, LocationsQuery, Venue, VenueId, ZoneOf,
    },
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
    let (of_cart, takeaway) = match zone {
        ZoneState::Outside => pick_ups(visit, &caller).await,
        ZoneState::Inside | ZoneState::Unknown => (None, None),
    };
    AddressAt {
        failed: spot.is_err(),
        spot: spot.ok().flatten(),
        of_cart,
        takeaway,
        zone,
    }
}

/// Whether orders are brought to a place: by the venue of the cart, else by the brand of this installation, else by
/// somebody (DG-11: then there is no call).
pub(super) async fn zone(visit: &Visit, place: Coordinates) -> ZoneState {
    let caller = visit.personal_caller().await.optional();
    let of = venue(visit, &caller)
        .await
        .filter(|venue| venue.location.delivery.is_some())
        .and_then(|venue| venue.location.id.map(ZoneOf::Location))
        .or_else(|| visit.brand().map(ZoneOf::Brand));
    match visit.app.upstream.zone(&caller, of, place).await {
        Ok(zone) if zone.is_inside => ZoneState::Inside,
        Ok(_) => ZoneState::Outside,
        Err(error) => {
            tracing::warn!(class = error.class(), "A delivery zone could not be asked");
            ZoneState::Unknown
        }
    }
}

/// The venue of the cart.
async fn venue(visit: &Visit, caller: &Caller) -> Option<Answer<Venue>> {
    let cart = cart_view::of_page(visit).await.ok().flatten()?;
    let venue_id = VenueId(cart.venue_id.filter(|_| !cart.is_empty())?);
    let upstream = &visit.app.upstream;
    upstream.venue(caller, venue_id, None).await.ok()
}

/// Where orders are picked up: at the venue of the cart, and at the nearest other one.
async fn pick_ups(visit: &Visit, caller: &Caller) -> (Option<VenueRef>, Option<VenueRef>) {
    if !visit.offered().contains(&Service::Takeaway) {
        return (None, None);
    }
    let offset = Place::of(visit).await.meta.utc_offset;
    let of_cart = venue(visit, caller).await.and_then(|venue| {
        let location = &venue.location;
        let is_open = mapping::open(location, visit.now, offset).open;
        Some(VenueRef {
            id: location.takeaway.filter(|_| is_open)?.0,
            name: location.name.clone(),
        })
    });
    let known = of_cart.as_ref().map(|venue| VenueId(venue.id));
    let other = nearest(visit, caller, offset, known).await;
    (of_cart, other)
}

/// The nearest venue of the place that is open and hands out what is ordered: no fridge, nor the one that is `known`.
async fn nearest(
    visit: &Visit,
    caller: &Caller,
    offset: i32,
    known: Option<VenueId>,
) -> Option<VenueRef> {
    let query = LocationsQuery {
        service: Some(Service::Takeaway),
        brand: visit.brand(),
        limit: NEAREST,
        ..LocationsQuery::default()
    };
    let found = visit.app.upstream.locations(caller, &query).await.ok()?;
    let is_open = |location: &&Location| mapping::open(location, visit.now, offset).open;
    for location in found.items.iter().filter(is_open) {
        let id = location.takeaway.unwrap_or(location.venue_id);
        if known == Some(id) {
            continue;
        }
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

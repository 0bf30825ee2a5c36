//! Whether a venue takes what a guest sends now. A kept answer never refuses: the venue may have opened since.

use super::{mapping, place::Place};
use crate::{
    upstream::{BrandId, Caller, Freshness, Venue, VenueId},
    web::visit::Visit,
};

/// Whether it takes orders now. `brand` is the one that `venue` was asked for with.
pub async fn takes_orders(visit: &Visit, venue: &Venue, brand: Option<BrandId>) -> bool {
    let place = Place::of(visit).await;
    let offset = place.meta_of(venue.town.as_ref()).utc_offset;
    holds(visit, venue, brand, |venue| {
        mapping::open(&venue.location, visit.now, offset).open
    })
    .await
}

/// Whether it takes bookings: also for a day to come while its hours say closed.
pub async fn takes_bookings(visit: &Visit, venue: &Venue, brand: Option<BrandId>) -> bool {
    holds(visit, venue, brand, |venue| !venue.location.is_closed).await
}

/// An order or booking was refused because the venue is closed: what is kept of it may say otherwise, and the next page
/// asks anew.
pub async fn refused_as_closed(visit: &Visit, venue: VenueId) {
    let upstream = &visit.app.upstream;
    upstream
        .outdate_all_of_venue(&visit.caller(None), venue, visit.brand())
        .await;
}

/// Of what is kept or, if that says no, of what the venue itself says.
async fn holds(
    visit: &Visit,
    venue: &Venue,
    brand: Option<BrandId>,
    is: impl Fn(&Venue) -> bool,
) -> bool {
    if is(venue) {
        return true;
    }
    let caller = Caller {
        freshness: Freshness::Recent,
        ..visit.caller(None)
    };
    let id = venue.location.venue_id;
    let asked = visit.app.upstream.venue(&caller, id, brand).await;
    asked.is_ok_and(|venue| is(&venue))
}

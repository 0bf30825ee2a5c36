//! The venue of a booking.

use crate::{
    upstream::{Answer, Error, Venue, VenueId},
    web::visit::Visit,
};

/// A venue where tables can be booked.
///
/// # Errors
/// The upstream's. Not found for a fridge as well, which has no tables.
pub(super) async fn with_tables(visit: &Visit, id: VenueId) -> Result<Answer<Venue>, Error> {
    let caller = visit.caller(None);
    let venue = visit.app.upstream.venue(&caller, id, visit.brand()).await?;
    if venue.is_fridge() {
        return Err(Error::NotFound);
    }
    Ok(venue)
}

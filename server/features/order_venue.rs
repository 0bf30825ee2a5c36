//! The venue of an order or a bill, and what a venue is called in the language of the page.

use std::collections::HashMap;

use futures_util::future::join_all;

use super::{mapping, page_data::Phone, place::Place};
use crate::{
    upstream::{Meta, Order, PaymentKind, VenueId},
    web::visit::Visit,
};

/// The venue of an order or a bill, as far as its page tells it.
pub struct Venue {
    /// Its id; 0 where it is unknown.
    pub id: VenueId,
    /// Its name, when the venue came.
    pub name: String,
    /// Its town, when the venue came.
    pub town: Option<String>,
    /// Money and time of its town.
    pub meta: Meta,
    /// Percent for service, when the venue came.
    pub percent: Option<u32>,
    /// It takes payments online, as far as is known.
    pub online: bool,
    /// It takes cash.
    pub cash: bool,
    /// It is a fridge that its guests open.
    pub is_fridge: bool,
    /// Its phone, when the venue came and has one.
    pub phone: Option<Phone>,
}

impl Venue {
    /// Reads the venue; without it the visit's own town tells offset and money.
    pub async fn of(visit: &Visit, place: &Place, venue_id: VenueId) -> Self {
        let caller = visit.caller(None).optional();
        let venue = visit.app.upstream.venue(&caller, venue_id, None).await.ok();
        let phone = match &venue {
            Some(venue) => {
                let town = venue.town.as_ref();
                let country = place.country_of(visit, town).await;
                mapping::phone_of(venue, &place.phone_code(country, town))
            }
            None => None,
        };
        Self {
            phone,
            id: venue_id,
            name: venue
                .as_ref()
                .map(|venue| venue.location.name.clone())
                .unwrap_or_default(),
            town: venue
                .as_ref()
                .and_then(|venue| Some(venue.town.as_ref()?.name(visit.lang).to_owned())),
            percent: venue.as_ref().map(|venue| venue.service_percentage),
            is_fridge: venue.as_ref().is_some_and(|venue| venue.is_fridge()),
            cash: venue
                .as_ref()
                .is_some_and(|venue| venue.payments().contains(&PaymentKind::Cash)),
            online: venue.as_ref().is_none_or(|venue| venue.pays_online()),
            meta: venue.map_or_else(
                || place.meta.clone(),
                |venue| place.meta_of(venue.town.as_ref()),
            ),
        }
    }

    /// The venues of several orders by their ids, each read once.
    pub async fn of_all<'a>(
        visit: &Visit,
        place: &Place,
        orders: impl Iterator<Item = &'a Order>,
    ) -> HashMap<u64, Self> {
        let mut venues: Vec<VenueId> = orders.filter_map(|order| order.venue_id).collect();
        venues.sort_unstable_by_key(|venue_id| venue_id.0);
        venues.dedup();
        let read = venues
            .into_iter()
            .map(|venue_id| Self::of(visit, place, venue_id));
        let venues = join_all(read).await.into_iter();
        venues.map(|venue| (venue.id.0, venue)).collect()
    }

    /// Its id, where it is known.
    #[must_use]
    pub fn known(&self) -> Option<u64> {
        (self.id.0 > 0).then_some(self.id.0)
    }
}

/// What a venue is called in the language of the page; `kept` is its name as the guest has once seen it, perhaps in another
/// language.
pub async fn name(visit: &Visit, venue_id: VenueId, stored_name: String) -> String {
    let caller = visit.caller(None).optional();
    let venue = visit.app.upstream.venue(&caller, venue_id, None).await;
    venue.map_or(stored_name, |venue| venue.location.name.clone())
}

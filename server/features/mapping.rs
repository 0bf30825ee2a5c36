//! From upstream answers to page data, once for all features.

use super::{
    page_data::{LiveProduct, OpenState, Phone, Product, Sibling, Venue, VenueCard},
    place::Place,
    schedule::{Hours, open_state},
    stock::Stock,
};
use crate::{
    upstream::{self, DeliveryState, Location, Meta},
    values::Service,
    web::{change::phone, files::images::Images, visit::Visit},
};

/// Metres from which a venue counts as far (HM-09, ZZ-17).
pub const FAR: f64 = 1500.0;

/// The opening intervals of a venue.
#[must_use]
pub fn hours(location: &Location) -> Vec<Hours> {
    location
        .opening_hours
        .iter()
        .filter(|interval| (1..=7).contains(&interval.day))
        .map(|interval| Hours {
            day: interval.day - 1,
            from: interval.from,
            to: interval.to,
        })
        .collect()
}

/// Minutes before closing from which a venue takes no more orders.
#[must_use]
pub fn close_in_advance(location: &Location) -> u16 {
    u16::try_from(location.close_in_advance_minutes).unwrap_or(u16::MAX)
}

/// The open state of a venue at `now`.
#[must_use]
pub fn open(location: &Location, now: i64, offset: i32) -> OpenState {
    open_state(
        &hours(location),
        close_in_advance(location),
        location.is_closed,
        now,
        offset,
    )
}

/// A venue of a list of this visit, and how far it is from the guest, if that is what the list was measured from.
#[must_use]
pub fn card_of(visit: &Visit, place: &Place, location: &Location, located: bool) -> VenueCard {
    let card = venue_card(
        location,
        &visit.app.images,
        visit.now,
        place.meta.utc_offset,
    );
    let distance = location
        .distance
        .filter(|metres| located && metres.is_finite());
    VenueCard {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "`as` saturates, distances are metres"
        )]
        distance: distance.map(|metres| metres.round() as u32),
        far: distance.is_some_and(|metres| metres >= FAR),
        ..card
    }
}

/// A venue of a list. Upstreams measure from the town's centre or a map's middle, too: that tells a guest nothing.
#[must_use]
pub fn venue_card(location: &Location, images: &Images, now: i64, offset: i32) -> VenueCard {
    let delivers = location.delivery == Some(location.venue_id);
    let open = open(location, now, offset);
    VenueCard {
        id: location.venue_id.0,
        name: location.name.clone(),
        brand: location.brand_name.clone(),
        address: location.address.clone(),
        distance: None,
        far: false,
        rating: rating(location),
        image: location
            .image_url
            .as_deref()
            .and_then(|url| images.address(url)),
        services: services(location),
        promo: location.has_promo,
        percent: promo_percent(location),
        minutes: wait(location, &open),
        paused: delivers && location.delivery_state != DeliveryState::Open,
        delay: Some(location.delivery_delay_time).filter(|delay| delivers && *delay > 0),
        open,
    }
}

/// Without ratings there are no stars, rather than the worst.
fn rating(location: &Location) -> Option<f64> {
    location.rating.filter(|stars| *stars > 0.0)
}

/// As promos are written: with a minus (MN-01).
fn promo_percent(location: &Location) -> Option<i32> {
    let percent = location.promo_percent.filter(|_| location.has_promo)?;
    Some(-i32::try_from(percent).ok()?)
}

/// Who is closed promises nothing.
fn wait(location: &Location, open: &OpenState) -> Option<u32> {
    location.average_minutes.filter(|_| open.open)
}

/// The venue of a menu or a cart.
#[must_use]
pub fn venue(venue: &upstream::Venue, meta: &Meta, images: &Images, now: i64) -> Venue {
    let location = &venue.location;
    let open = open(location, now, meta.utc_offset);
    Venue {
        id: location.venue_id.0,
        name: location.name.clone(),
        brand: location.brand_name.clone(),
        address: location.address.clone(),
        image: location
            .image_url
            .as_deref()
            .and_then(|url| images.address(url)),
        services: services(location),
        siblings: Service::ALL
            .into_iter()
            .filter_map(|service| {
                Some(Sibling {
                    service,
                    id: location.venue_for(service)?.0,
                })
            })
            .collect(),
        service_percent: venue.service_percentage,
        rating: rating(location),
        // Nothing is cooked behind a fridge's door.
        minutes: wait(location, &open).filter(|_| !venue.is_fridge()),
        open,
        utc_offset: meta.utc_offset,
        money: meta.money.clone(),
    }
}

/// The service that a venue id stands for; a venue of one service needs no type.
#[must_use]
pub fn service_of(venue: &upstream::Venue) -> Option<Service> {
    let by_type = venue.service_type.and_then(|id| {
        Service::ALL
            .into_iter()
            .find(|service| service.type_id() == id)
    });
    by_type.or_else(|| {
        Service::ALL
            .into_iter()
            .find(|service| venue.location.venue_for(*service) == Some(venue.location.venue_id))
    })
}

/// Whether a venue has a service that is on offer here (SV-07); one that tells of none is not left out.
#[must_use]
pub fn is_offered(visit: &Visit, location: &Location) -> bool {
    let offered = visit.offered();
    let services = services(location);
    services.is_empty() || services.iter().any(|service| offered.contains(service))
}

/// Whether a guest may choose from the menu of a venue here. The goods of a fridge are behind its lock, whatever is on
/// offer.
#[must_use]
pub fn is_for_sale(visit: &Visit, venue: &upstream::Venue) -> bool {
    venue.is_fridge() || is_offered(visit, &venue.location)
}

/// One dish or good.
#[must_use]
pub fn product(product: &upstream::Product, images: &Images) -> Product {
    shown(product, &Stock::default(), images)
}

/// One dish or good, out when it is not in stock (MN-10).
#[must_use]
pub fn shown(product: &upstream::Product, stock: &Stock, images: &Images) -> Product {
    let live = standing(product, stock);
    Product {
        id: live.id,
        name: product.name.clone(),
        text: product.description.clone(),
        price: live.price,
        promo: live.promo,
        percent: live.percent,
        from: live.from,
        unpriced: live.unpriced,
        weight: product.weight.clone(),
        image: product.images.first().and_then(|url| images.address(url)),
        out: live.out,
        options: product.has_additives || product.sizes.is_some(),
        age: product.min_age.filter(|age| *age > 0),
        limit: live.limit,
    }
}

/// What of a product may change while a page shows it: its price and whether it can be had.
#[must_use]
pub fn standing(product: &upstream::Product, stock: &Stock) -> LiveProduct {
    let sizes = product.sizes.as_deref().unwrap_or_default();
    let there = || sizes.iter().filter(|size| !size.is_unavailable);
    let cheapest = there().min_by_key(|size| size.current_price());
    let (price, promo) = cheapest.map_or((product.price, product.promo_price), |size| {
        (size.price, size.promo_price)
    });
    let percent = match (cheapest, promo) {
        (_, None) => None,
        (None, Some(_)) => product.percent,
        (Some(_), Some(promo)) => Some(percent_off(price.0, promo.0)),
    };
    LiveProduct {
        id: product.id.0,
        price,
        promo,
        percent,
        // Sizes of one price are no range (MN-15).
        from: cheapest
            .is_some_and(|least| there().any(|size| size.current_price() != least.current_price())),
        unpriced: !product.has_price,
        out: !stock.has(product) || (!sizes.is_empty() && cheapest.is_none()),
        limit: promo.and_then(|_| product.stated_limit()),
    }
}

/// Whole percent that a promo takes off, rounded down, as a negative number (MN-01).
fn percent_off(price: i64, promo: i64) -> i32 {
    let off = (price - promo)
        .saturating_mul(100)
        .checked_div(price)
        .unwrap_or(0);
    -i32::try_from(off).unwrap_or(0)
}

fn services(location: &Location) -> Vec<Service> {
    Service::ALL
        .into_iter()
        .filter(|service| location.venue_for(*service).is_some())
        .collect()
}

/// The service that the venue's id stands for, else the visit's (SV-03).
#[must_use]
pub fn service(venue: &upstream::Venue, visit: &Visit) -> Service {
    service_of(venue).unwrap_or(visit.service)
}

/// A venue's ids, one for each service: one venue, whichever service (SV-03).
#[must_use]
pub fn siblings(venue: &upstream::Venue) -> Vec<u64> {
    let location = &venue.location;
    [
        Some(location.venue_id),
        location.takeaway,
        location.express,
        location.delivery,
    ]
    .into_iter()
    .flatten()
    .map(|id| id.0)
    .collect()
}

/// The ids that are one place with a venue: its own, its siblings, the main venue, and those linked with it (FL-08).
#[must_use]
pub fn linked_with(venue: &upstream::Venue) -> Vec<u64> {
    let location = &venue.location;
    let mut ids: Vec<u64> = [
        Some(location.venue_id),
        location.takeaway,
        location.express,
        location.delivery,
        venue.main_venue_id,
    ]
    .into_iter()
    .flatten()
    .chain(
        venue
            .linked_venues
            .iter()
            .filter(|_| !venue.exclude_from_linking)
            .copied(),
    )
    .map(|id| id.0)
    .collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// The venue's phone, if it is one, dialled with the code of the place where it gives none.
#[must_use]
pub fn phone_of(venue: &upstream::Venue, code: &str) -> Option<Phone> {
    venue.phone.as_deref().and_then(|text| called(text, code))
}

/// None for text that holds no number. What is no full number, such as a short one, is called as it stands.
fn called(text: &str, code: &str) -> Option<Phone> {
    let text = text.trim();
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let plus = if text.starts_with('+') { "+" } else { "" };
    let called = phone::international(text, code).unwrap_or_else(|| format!("{plus}{digits}"));
    (3..=15).contains(&digits.len()).then(|| Phone {
        text: text.to_owned(),
        href: format!("tel:{called}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phone_is_called_by_its_digits() {
        let href = |text| called(text, "+7").map(|phone| phone.href);
        assert_eq!(
            href(" +7 (727) 123-45-01 ").as_deref(),
            Some("tel:+77271234501")
        );
        assert_eq!(href("8 727 1234501").as_deref(), Some("tel:+77271234501"));
        assert_eq!(href("1414").as_deref(), Some("tel:1414"));
        assert_eq!(href("ask the waiter"), None);
        assert_eq!(href("1234567890123456"), None);
    }
}

//! What stands over the pages of a venue (FL-11 to FL-13, FL-21).

use super::{
    mapping::service,
    page_data::{Banner, BannerKind},
    rush,
};
use crate::{
    upstream::{self, BannerKind as Kind, DeliveryState, Venue},
    values::Service,
    web::visit::Visit,
};

/// What stands over the pages of a venue: what the upstream tells, else that nothing is brought now, else the rush hour.
#[must_use]
pub fn banner_over(
    visit: &Visit,
    venue: &Venue,
    banner: Option<&upstream::Banner>,
    utc_offset: i32,
) -> Option<Banner> {
    banner_of(venue, banner)
        .or_else(|| not_delivering(venue, visit))
        .or_else(|| rush::banner(visit, utc_offset))
}

/// Of a venue that would bring its dishes and does not now, where the upstream has no word for it (FL-13).
fn not_delivering(venue: &Venue, visit: &Visit) -> Option<Banner> {
    let is_off = service(venue, visit) == Service::Delivery
        && venue.location.delivery_state != DeliveryState::Open;
    is_off.then(|| Banner {
        kind: Some(BannerKind::Closed),
        message: String::new(),
    })
}

/// The delivery banner if there is one, else the venue's own message (FL-11, FL-12).
#[must_use]
pub fn banner_of(venue: &Venue, banner: Option<&upstream::Banner>) -> Option<Banner> {
    let kind = banner.and_then(|banner| {
        banner.kind.map(|kind| match kind {
            Kind::WeatherIssues => BannerKind::WeatherIssues,
            Kind::NightShift => BannerKind::NightShift,
            Kind::Closed => BannerKind::Closed,
        })
    });
    let message = banner
        .map(|banner| banner.message.trim())
        .filter(|message| !message.is_empty())
        .or_else(|| {
            venue
                .banner_message
                .as_deref()
                .map(str::trim)
                .filter(|message| !message.is_empty())
        })
        .unwrap_or_default()
        .to_owned();
    (kind.is_some() || !message.is_empty()).then_some(Banner { kind, message })
}

//! What is typed in the form of a booking is kept over a sign-in: where no scripts run the form itself is posted there, and
//! the guest comes back to its page. While dishes are chosen for it, its address is kept.

use url::form_urlencoded::Serializer;

use super::PATH;
use crate::{
    upstream::VenueId,
    web::{
        change::{
            form::Form,
            outcome::{Flash, Notice},
        },
        session::{BookingBegun, TypedBooking, Unavailable},
        visit::Visit,
    },
};

/// Day and number of guests are in the address that the guest comes back to.
const FIELDS: [&str; 5] = ["attempt", "time", "name", "phone", "comment"];
/// A sign-in and another try at it take less, milliseconds.
const LASTS: i64 = 60 * 60 * 1000;

/// Keeps what a form of a booking brings. What is empty is left to the profile.
///
/// # Errors
/// When the session can't be written.
pub async fn keep_typed(visit: &Visit, form: &Form) -> Result<(), Unavailable> {
    let venue: Option<VenueId> = form.parse("filial");
    let Some(venue) = venue.filter(|_| form.get("attempt").is_some()) else {
        return Ok(());
    };
    let mut values = form.values();
    values.retain(|name, typed| {
        // The form has each of them once.
        typed.truncate(1);
        FIELDS.contains(&name.as_str()) && typed.iter().any(|one| !one.is_empty())
    });
    let typed = TypedBooking {
        venue: venue.0,
        at: visit.now,
        values,
    };
    visit.sess.set_typed_booking(Some(&typed)).await
}

/// What was typed for a table of this venue, for its form, once.
pub(super) async fn take_typed(visit: &Visit, venue: u64) -> Option<Flash> {
    if visit.is_prefetch() {
        return None;
    }
    let typed = visit.sess.typed_booking().await?;
    let lasts = typed.at + LASTS > visit.now;
    if lasts && typed.venue != venue {
        return None;
    }
    // It was just read, so it can be removed; at worst it is there twice.
    let _ = visit.sess.set_typed_booking(None).await;
    lasts.then(|| Flash {
        values: typed.values,
        ..Flash::new(Notice::BookingChosen)
    })
}

/// Forgets it at a sign-in that leads elsewhere: it was begun apart from the form, and may be that of another person.
pub async fn forget_typed(visit: &Visit, back: &str) {
    if !back.starts_with(PATH) && visit.sess.typed_booking().await.is_some() {
        let _ = visit.sess.set_typed_booking(None).await;
    }
}

/// Notes the page of a booking, so that the cart leads back to it. What can't be written down costs that way alone.
pub(super) async fn note_begun(visit: &Visit, venue: u64, day: &str, guests: u32) {
    let begun = BookingBegun {
        venue,
        at: visit.now,
        address: address(venue, day, guests, visit.query_value("time")),
    };
    let known = visit.sess.booking_begun().await;
    if known.is_none_or(|known| known.address != begun.address || known.at + LASTS / 2 < begun.at) {
        let _ = visit.sess.set_booking_begun(&begun).await;
    }
}

fn address(venue: u64, day: &str, guests: u32, time: Option<&str>) -> String {
    let mut query = Serializer::new(String::new());
    query
        .append_pair("filial", &venue.to_string())
        .append_pair("date", day)
        .append_pair("guests", &guests.to_string());
    if let Some(time) = time {
        query.append_pair("time", time);
    }
    // What lies in the cart by then is what the guest has gone for.
    query.append_pair("ahead", "1");
    format!("{PATH}?{}", query.finish())
}

/// The page of the booking at this venue that the guest has begun and may come back to.
pub async fn begun(visit: &Visit, venue: VenueId) -> Option<String> {
    let begun = visit.sess.booking_begun().await?;
    (begun.venue == venue.0 && begun.at + LASTS > visit.now).then_some(begun.address)
}

//! Loading `/brands/booking`.

use axum::extract::State;
use futures_util::future::join_all;
use time::Date;

use super::{BookSlot, BookVenue, BookedTable, BookingPage, GUESTS, MOST_GUESTS, days, venue};
use crate::{
    error::Error,
    features::{
        loaded::{Facts, Loaded, PageRequest},
        mapping,
        place::Place,
        sitemap::{Directory, count_unknown},
    },
    keys::seal,
    upstream::{self, BillId, Booking, Caller, LocationsQuery, Venue, VenueId},
    web::{page::Page, visit::Visit},
};

/// A guest stays so long at a booked table, milliseconds; until then it is shown.
const STAY: i64 = 2 * 3600 * 1000;
/// Venues to choose from: as many as the upstream gives at once.
const VENUES: u32 = 100;

/// `/brands/booking`
pub const PAGE: Page = Page::builder("booking", "/brands/booking")
    .query(&["filial", "date", "guests", "time", "booking", "cancel"])
    .navbar()
    .open();

/// Loads the page.
///
/// # Errors
/// Not found for an unknown venue and for a fridge, the upstream's failure when the venue itself did not come.
pub async fn load(
    State(directory): State<Directory>,
    request: PageRequest,
) -> Result<Loaded<BookingPage>, Error> {
    let Facts { visit, place, .. } = &*request;
    let own = own(visit, place).await;
    // What became of a booking is asked for, and can't be told.
    let not_loaded = own.is_err()
        && ["booking", "cancel"]
            .iter()
            .any(|key| visit.query_value(key).is_some());
    let mut own = own.unwrap_or_default();
    let venue = match visit.query_value("filial") {
        Some(venue_id) => {
            let venue_id: VenueId = venue_id.parse().map_err(|_| Error::NotFound("venue"))?;
            count_unknown(&directory, visit, venue_id).await?;
            let known = venue::with_tables(visit, venue_id)
                .await
                .map_err(|error| match error {
                    upstream::Error::NotFound => Error::NotFound("venue"),
                    other => Error::Upstream(other),
                })?;
            Some(book_venue(visit, place, &known).await)
        }
        None => None,
    };
    // From here on the browser has one session, whichever of its tabs books first: two that begin with their bookings would
    // know nothing of each other. What can't be written down is by the booking.
    if venue.is_some() && visit.may_bind() {
        let _ = visit.sess.device_or_new().await;
    }
    let named = |key| {
        visit
            .query_value(key)
            .filter(|id| own.iter().any(|(table, _)| table.id == *id))
            .map(str::to_owned)
    };
    let (done, cancel) = (named("booking"), named("cancel"));
    let offset = venue
        .as_ref()
        .map_or(place.meta.utc_offset, |venue| venue.utc_offset);
    let today = days::today(visit.now, offset);
    let in_query = visit
        .query_value("date")
        .and_then(|date| days::parse(date, today));
    let mut date = in_query.unwrap_or(today);
    let guests = visit
        .query_value("guests")
        .and_then(|guests| guests.parse().ok())
        .filter(|guests| (1..=MOST_GUESTS).contains(guests))
        .unwrap_or(GUESTS);
    let mut failed = false;
    let mut is_next = false;
    let (mut slots, mut venues) = (Vec::new(), Vec::new());
    match &venue {
        // Nothing else is shown.
        _ if not_loaded => {}
        Some(venue) if venue.closed => {}
        Some(venue) => match slots_of(visit, venue, date, guests).await {
            Ok(found) => {
                slots = found;
                // Late in the evening nothing is left of today: without a chosen day tomorrow is shown.
                let tomorrow = date
                    .next_day()
                    .filter(|_| in_query.is_none() && !has_free(&slots));
                if let Some(tomorrow) = tomorrow
                    && let Ok(found) = slots_of(visit, venue, tomorrow, guests).await
                    && has_free(&found)
                {
                    (date, slots, is_next) = (tomorrow, found, true);
                }
            }
            Err(error) => {
                tracing::warn!(class = error.class(), "The times of a venue did not come");
                failed = true;
            }
        },
        None => match choose(visit, place).await {
            Ok(found) => venues = found,
            Err(error) => {
                tracing::warn!(class = error.class(), "Venues to book at did not come");
                failed = true;
            }
        },
    }
    let time = visit
        .query_value("time")
        .filter(|time| slots.iter().any(|slot| slot.free && slot.time == *time))
        .map(str::to_owned);
    let (name, phone) = match own.last() {
        Some((table, phone)) => (table.name.clone(), phone.clone()),
        None if venue.is_some() => known(visit).await,
        None => Default::default(),
    };
    own.sort_by_key(|(table, _)| (table.at <= visit.now, table.at));
    let loaded = Loaded::page(BookingPage {
        venue,
        venues,
        days: days::next(today),
        date: days::text(date),
        last: days::text(days::last(today)),
        guests,
        most: MOST_GUESTS,
        is_next,
        slots,
        failed,
        not_loaded,
        time,
        attempt: seal::random_name(),
        held: visit.sess.device().await.is_some(),
        ahead: visit.signed_in.is_some(),
        name,
        phone,
        own: own.into_iter().map(|(table, _)| table).collect(),
        done,
        cancel,
    });
    Ok(if failed || not_loaded {
        loaded.status(503)
    } else {
        loaded
    })
}

/// The times of one day.
async fn slots_of(
    visit: &Visit,
    venue: &BookVenue,
    date: Date,
    guests: u32,
) -> Result<Vec<BookSlot>, upstream::Error> {
    let (caller, date) = (visit.caller(None), days::text(date));
    let found = visit
        .app
        .upstream
        .booking_slots(&caller, VenueId(venue.id), &date, guests)
        .await?;
    let slot = |slot: upstream::Slot| BookSlot {
        time: slot.time,
        free: slot.free,
    };
    Ok(found.into_iter().map(slot).collect())
}

fn has_free(slots: &[BookSlot]) -> bool {
    slots.iter().any(|slot| slot.free)
}

async fn choose(visit: &Visit, place: &Place) -> Result<Vec<BookVenue>, upstream::Error> {
    let query = LocationsQuery {
        service: Some(crate::values::Service::Express),
        town: place.upstream_town(),
        brand: visit.brand(),
        limit: VENUES,
        ..LocationsQuery::default()
    };
    let found = visit
        .app
        .upstream
        .locations(&visit.caller(place.centre()), &query)
        .await?;
    Ok(found
        .items
        .iter()
        .filter(|location| !location.is_closed)
        .map(|location| BookVenue {
            id: location.venue_id.0,
            name: location.name.clone(),
            address: location.address.clone(),
            utc_offset: place.meta.utc_offset,
            phone: None,
            closed: false,
        })
        .collect())
}

async fn book_venue(visit: &Visit, place: &Place, venue: &Venue) -> BookVenue {
    let country = place.country_of(visit, venue.town.as_ref()).await;
    BookVenue {
        id: venue.location.venue_id.0,
        name: venue.location.name.clone(),
        address: venue.location.address.clone(),
        utc_offset: place.meta_of(venue.town.as_ref()).utc_offset,
        phone: mapping::phone_of(venue, &place.phone_code(country, venue.town.as_ref())),
        closed: venue.location.is_closed,
    }
}

/// The guest's tables that are not over, with the phone they were booked with.
async fn own(visit: &Visit, place: &Place) -> Result<Vec<(BookedTable, String)>, upstream::Error> {
    let booked = bookings(visit).await?;
    let cards = join_all(booked.iter().map(async |booking| {
        let caller = visit.caller(None).optional();
        let upstream = &visit.app.upstream;
        let venue = upstream.venue(&caller, booking.venue?, None).await.ok()?;
        Some(book_venue(visit, place, &venue).await)
    }))
    .await;
    Ok(booked
        .into_iter()
        .zip(cards)
        .filter_map(|(booking, venue)| {
            let at = booking.at.utc().filter(|at| at + STAY > visit.now)?;
            let table = BookedTable {
                id: booking.id.to_string(),
                venue,
                at,
                guests: booking.guests,
                name: booking.name,
                comment: booking.comment,
                bill: booking
                    .preorder
                    .map(|bill| format!("/bills/preorder/{bill}")),
            };
            Some((table, booking.phone))
        })
        .collect())
}

/// What the upstream knows of this device and of this person; nothing of a visitor who has neither. Of a signed-in guest
/// it tells what the person has booked: what the device has booked before the sign-in is asked for beside it.
pub(super) async fn bookings(visit: &Visit) -> Result<Vec<Booking>, upstream::Error> {
    let caller = visit.personal_caller().await;
    let upstream = &visit.app.upstream;
    let Some(device) = of_device(&caller) else {
        return match caller.bearer {
            Some(_) => upstream.bookings(&caller).await,
            None => Ok(Vec::new()),
        };
    };
    if caller.bearer.is_none() {
        return upstream.bookings(&caller).await;
    }
    let (of_device, of_person) =
        tokio::join!(upstream.bookings(&device), upstream.bookings(&caller));
    let (mut all, of_person) = (of_device?, of_person?);
    all.retain(|one| of_person.iter().all(|other| other.id != one.id));
    all.extend(of_person);
    Ok(all)
}

/// The time of the booking that a bill was ordered ahead with, milliseconds since the epoch; none where it is unknown.
pub async fn time_of(visit: &Visit, bill: &BillId) -> Option<i64> {
    let known = bookings(visit).await.unwrap_or_default();
    let booking = known.iter().find(|one| one.preorder.as_ref() == Some(bill));
    booking?.at.utc()
}

/// Whether the visit of a booking for that time is over.
pub const fn is_over(at: i64, now: i64) -> bool {
    at + STAY <= now
}

/// The same caller without the sign-in, if the visit has a device.
pub(super) fn of_device(caller: &Caller) -> Option<Caller> {
    caller.fingerprint.is_some().then(|| Caller {
        bearer: None,
        renewal: None,
        ..caller.clone()
    })
}

/// What the profile says of a signed-in guest need not be typed once more (AX-04): name and phone.
async fn known(visit: &Visit) -> (String, String) {
    if visit.signed_in.is_none() {
        return Default::default();
    }
    let caller = visit.personal_caller().await.optional();
    let user = visit.app.upstream.user(&caller).await;
    user.map(|user| (user.name, user.phone)).unwrap_or_default()
}

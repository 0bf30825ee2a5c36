//! Loading `/brands/booking`.

use axum::extract::State;
use futures_util::future::join_all;
use time::Date;

use super::{
    BookSlot, BookVenue, BookedTable, BookingPage, GUESTS, MOST_GUESTS, NextTable, OrderedAhead,
    STAY, days, typed, venue,
};
use crate::{
    error::Error,
    features::{
        loaded::{Facts, Loaded, PageRequest},
        mapping,
        place::Place,
        sitemap::{Directory, count_unknown},
    },
    keys::seal,
    upstream::{self, Bill, BillId, Booking, BookingId, Caller, LocationsQuery, Venue, VenueId},
    values::{MoneyFormat, Sum},
    web::{page::Page, visit::Visit},
};

/// Venues to choose from: as many as the upstream gives at once.
const VENUES: u32 = 100;
/// So many bookings that are over are listed.
const PAST: usize = 10;
/// Seconds until the page of a table that was given back looks for its money again where scripts do not run.
const REFRESH: u32 = 15;

/// `/brands/booking`
pub const PAGE: Page = Page::builder("booking", "/brands/booking")
    .query(&[
        "filial", "date", "guests", "time", "booking", "cancel", "ahead",
    ])
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
    let (own, venue) = tokio::join!(own(visit, place), asked_for(&directory, visit, place));
    let venue = venue?;
    // What became of a booking is asked for, and can't be told.
    let not_loaded = own.is_err() && asks_for_own(visit);
    let (mut own, past) = own.unwrap_or_default();
    // From here on the browser has one session, whichever of its tabs books first: two that begin with their bookings would
    // know nothing of each other. What can't be written down is by the booking.
    if venue.is_some() && visit.may_bind() {
        let _ = visit.sess.device_or_new().await;
    }
    let named = |key, of_past: &[BookedTable]| {
        let tables = own.iter().map(|(table, _)| table).chain(of_past);
        let mut ids = tables.map(|table| table.id.as_str());
        let id = visit.query_value(key)?;
        ids.any(|one| one == id).then(|| id.to_owned())
    };
    let (done, cancel) = (named("booking", &past), named("cancel", &[]));
    let offset = venue
        .as_ref()
        .map_or(place.meta.utc_offset, |venue| venue.utc_offset);
    let today = days::today(visit.now, offset);
    let in_query = visit
        .query_value("date")
        .and_then(|date| days::parse(date, today));
    let mut date = in_query.unwrap_or(today);
    let guests = party(visit.query_value("guests"));
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
    if let Some(venue) = venue.as_ref().filter(|_| visit.may_bind()) {
        typed::note_begun(visit, venue.id, &days::text(date), guests).await;
    }
    let mut of_past = past.iter();
    let waits = of_past.any(|table| done.as_ref() == Some(&table.id) && waits(table));
    let left = match &venue {
        Some(venue) => typed::take_typed(visit, venue.id).await,
        None => None,
    };
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
        ticked: visit.query_value("ahead").is_some(),
        name,
        phone,
        own: own.into_iter().map(|(table, _)| table).collect(),
        past,
        done,
        cancel,
    })
    .refresh(waits.then_some(REFRESH))
    .flash(left);
    Ok(if failed || not_loaded {
        loaded.status(503)
    } else {
        loaded
    })
}

/// The venue that the address names.
async fn asked_for(
    directory: &Directory,
    visit: &Visit,
    place: &Place,
) -> Result<Option<BookVenue>, Error> {
    let Some(venue_id) = visit.query_value("filial") else {
        return Ok(None);
    };
    let venue_id: VenueId = venue_id.parse().map_err(|_| Error::NotFound("venue"))?;
    count_unknown(directory, visit, venue_id).await?;
    let known = venue::with_tables(visit, venue_id)
        .await
        .map_err(|error| match error {
            upstream::Error::NotFound => Error::NotFound("venue"),
            other => Error::Upstream(other),
        })?;
    Ok(Some(book_venue(visit, place, &known).await))
}

/// Whether the address names a booking: then the page is about that one.
fn asks_for_own(visit: &Visit) -> bool {
    let mut keys = ["booking", "cancel"].iter();
    keys.any(|key| visit.query_value(key).is_some())
}

/// How many come, as an address says it: what is no number of guests is as if it were not there, and of a number that is too
/// large the page says how large it may be.
fn party(asked: Option<&str>) -> u32 {
    let asked = asked.filter(|asked| !asked.is_empty());
    let is_number = |asked: &&str| asked.bytes().all(|byte| byte.is_ascii_digit());
    match asked.filter(is_number).map(str::parse) {
        None | Some(Ok(0)) => GUESTS,
        // More digits than a number has.
        Some(Err(_)) => MOST_GUESTS,
        Some(Ok(guests)) => MOST_GUESTS.min(guests),
    }
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
            not_online: false,
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
        not_online: !venue.pays_online(),
    }
}

/// A guest's tables that are not over, with the phone they were booked with, and those that are.
type Tables = (Vec<(BookedTable, String)>, Vec<BookedTable>);

async fn own(visit: &Visit, place: &Place) -> Result<Tables, upstream::Error> {
    let caller = visit.personal_caller().await;
    // A page that is to book a table can do without those that there are.
    let caller = match asks_for_own(visit) {
        true => caller,
        false => caller.optional(),
    };
    let is_next = |booking: &Booking| {
        let at = booking.at.utc();
        !booking.is_canceled && at.is_some_and(|at| !is_over(at, visit.now))
    };
    let (next, mut past): (Vec<_>, Vec<_>) = all_bookings(visit, caller)
        .await?
        .into_iter()
        .partition(is_next);
    past.sort_by_key(|booking| std::cmp::Reverse(booking.at.utc()));
    // Whoever chooses a time at a venue is not shown them; the one that the address names is, however many there are.
    let shown = match visit.query_value("filial") {
        Some(_) => 0,
        None => PAST,
    };
    let named = visit.query_value("booking");
    let mut count = 0;
    past.retain(|booking| {
        count += 1;
        count <= shown || (shown > 0 && named == Some(booking.id.as_str()))
    });
    let tables = |of: Vec<Booking>| {
        join_all(of.into_iter().map(async |booking| {
            let phone = booking.phone.clone();
            Some((table_of(visit, place, booking).await?, phone))
        }))
    };
    let (next, past) = tokio::join!(tables(next), tables(past));
    let past = past.into_iter().flatten().map(|(table, _)| table);
    Ok((next.into_iter().flatten().collect(), past.collect()))
}

/// A booking with its venue and with what was ordered ahead; none where its time can't be read.
async fn table_of(visit: &Visit, place: &Place, booking: Booking) -> Option<BookedTable> {
    let at = booking.at.utc()?;
    let upstream = &visit.app.upstream;
    let (venue, bill) = tokio::join!(
        async {
            let caller = visit.caller(None).optional();
            upstream.venue(&caller, booking.venue?, None).await.ok()
        },
        bill_of(visit, &booking)
    );
    let meta = match &venue {
        Some(venue) => place.meta_of(venue.town.as_ref()),
        None => place.meta.clone(),
    };
    let is_online = venue.as_ref().is_none_or(|venue| venue.pays_online());
    let is_payable = is_online && at > visit.now && !booking.is_canceled;
    Some(BookedTable {
        id: booking.id.to_string(),
        venue: match &venue {
            Some(venue) => Some(book_venue(visit, place, venue).await),
            None => None,
        },
        at,
        guests: booking.guests,
        name: booking.name,
        comment: booking.comment,
        ahead: bill.map(|bill| {
            ordered(
                &bill,
                meta.money,
                is_payable.then_some(at),
                booking.is_canceled,
            )
        }),
        bill: booking.preorder.as_ref().map(bill_path),
        canceled: booking.is_canceled,
    })
}

/// The bill of what was ordered ahead with a table, if anything was and it comes.
async fn bill_of(visit: &Visit, booking: &Booking) -> Option<Bill> {
    let bill = booking
        .preorder
        .as_ref()
        .filter(|_| visit.signed_in.is_some())?;
    let caller = visit.personal_caller().await.optional();
    visit.app.upstream.preorder(&caller, bill).await.ok()
}

fn bill_path(bill: &BillId) -> String {
    format!("/bills/preorder/{bill}")
}

/// Whether money or bonuses of a table that was given back are still to come.
fn waits(table: &BookedTable) -> bool {
    table.ahead.as_ref().is_some_and(|ahead| ahead.waits)
}

/// Dishes that were ordered ahead; `until`: they can be paid online until then.
fn ordered(bill: &Bill, money: MoneyFormat, until: Option<i64>, is_canceled: bool) -> OrderedAhead {
    let left = left_of(bill);
    let counts = bill.items.iter().map(|item| item.count);
    let (charged, refund) = (bill.charged(), bill.refunded());
    let (bonuses, refunded_bonuses) = (bill.bonuses(), bill.refunded_bonuses());
    let is_due = |paid: Sum, back: Sum| paid.0 > 0 && back.0 == 0;
    OrderedAhead {
        count: counts.fold(0, u32::saturating_add),
        sum: bill.sum,
        left,
        charged,
        refund,
        bonuses,
        refunded_bonuses,
        waits: is_canceled && (is_due(charged, refund) || is_due(bonuses, refunded_bonuses)),
        earns: bill.cashback_percentage > 0.0 && charged.0 + refund.0 > 0,
        pay_until: until.filter(|_| left.0 > 0 && !bill.is_closed),
        money,
    }
}

/// What is not paid yet of what was ordered ahead.
#[must_use]
pub fn left_of(bill: &Bill) -> Sum {
    Sum(bill.sum.0.saturating_sub(bill.paid_sum.0).max(0))
}

/// The tables that a guest has. What was given back is none of them.
pub(super) async fn bookings(visit: &Visit) -> Result<Vec<Booking>, upstream::Error> {
    let mut all = all_bookings(visit, visit.personal_caller().await).await?;
    all.retain(|booking| !booking.is_canceled);
    Ok(all)
}

/// Whether the upstream says that a table of the guest's was given back.
pub(super) async fn is_given_back(visit: &Visit, id: &BookingId) -> bool {
    let known = all_bookings(visit, visit.personal_caller().await).await;
    let mut all = known.unwrap_or_default().into_iter();
    all.any(|booking| booking.id == *id && booking.is_canceled)
}

/// What the upstream knows of this device and of this person; nothing of a visitor who has neither. Of a signed-in guest
/// it tells what the person has booked: what the device has booked before the sign-in is asked for beside it.
async fn all_bookings(visit: &Visit, caller: Caller) -> Result<Vec<Booking>, upstream::Error> {
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

/// The guest's tables that are to come, the next one first; none when they do not come soon. Behind them those that were
/// given back and of whose preorder something was paid: until their time is over its guest looks for the money.
pub async fn next_tables(visit: &Visit, place: &Place) -> Vec<NextTable> {
    let caller = visit.personal_caller().await.optional();
    let tables = all_bookings(visit, caller).await.unwrap_or_default();
    let mut coming: Vec<(i64, Booking)> = tables
        .into_iter()
        .filter_map(|table| Some((table.at.utc()?, table)))
        .filter(|(at, table)| {
            let is_listed = !table.is_canceled || table.preorder.is_some();
            is_listed && !is_over(*at, visit.now)
        })
        .collect();
    coming.sort_by_key(|(at, table)| (table.is_canceled, *at));
    let open = coming.partition_point(|(_, table)| !table.is_canceled);
    coming.truncate(open + PAST);
    let tables = coming.into_iter().map(async |(at, table)| {
        let caller = visit.caller(None).optional();
        let venue = table.venue?;
        let (venue, bill) = tokio::join!(
            visit.app.upstream.venue(&caller, venue, None),
            bill_of(visit, &table)
        );
        let venue = venue.ok()?;
        let meta = place.meta_of(venue.town.as_ref());
        let is_canceled = table.is_canceled;
        let is_payable = at > visit.now && venue.pays_online() && !is_canceled;
        let until = is_payable.then_some(at);
        let ahead = bill.map(|bill| ordered(&bill, meta.money, until, is_canceled));
        if is_canceled && !ahead.as_ref().is_some_and(OrderedAhead::was_paid) {
            return None;
        }
        Some(NextTable {
            id: table.id.to_string(),
            utc_offset: meta.utc_offset,
            venue: venue.location.name.clone(),
            at,
            ahead,
            bill: table.preorder.as_ref().map(bill_path),
            canceled: is_canceled,
        })
    });
    join_all(tables).await.into_iter().flatten().collect()
}

/// How a booking stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// The table is booked for then, milliseconds since the epoch.
    At(i64),
    /// It was given back.
    Canceled,
    /// There is none, or it did not come.
    Unknown,
}

impl Standing {
    /// When the table is booked.
    #[must_use]
    pub const fn at(self) -> Option<i64> {
        match self {
            Self::At(at) => Some(at),
            Self::Canceled | Self::Unknown => None,
        }
    }
}

/// How the booking stands that a bill was ordered ahead with.
pub async fn standing_of(visit: &Visit, bill: &BillId) -> Standing {
    let caller = visit.personal_caller().await.optional();
    let known = all_bookings(visit, caller).await.unwrap_or_default();
    let mut own: Vec<_> = known
        .iter()
        .filter(|one| one.preorder.as_ref() == Some(bill))
        .collect();
    own.sort_by_key(|one| one.is_canceled);
    match own.first() {
        Some(one) if one.is_canceled => Standing::Canceled,
        Some(one) => one.at.utc().map_or(Standing::Unknown, Standing::At),
        None => Standing::Unknown,
    }
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

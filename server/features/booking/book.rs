//! `POST /bookings` and `POST /bookings/{id}/cancel`.

use axum::Extension;
use time::{OffsetDateTime, format_description::well_known::Rfc3339};
use url::form_urlencoded::Serializer;

use super::{
    MOST_GUESTS, PATH, STAY,
    attempt::{self, Ahead, Attempt, Sent},
    days,
    load::{bookings, is_given_back, of_device},
    venue,
};
use crate::{
    error::Error,
    features::{
        age_check,
        attempts::{Attempt as _, Sending, Turn, checking, read_record, take_turn},
        cart_view::{product_of, unpaid},
        mapping, opened,
        place::Place,
        taking_back,
    },
    keys::seal,
    state::{
        carts::CartId,
        idempotency::{Begun, Known, body_hash},
    },
    telemetry,
    upstream::{self, BillId, BookingId, Class, VenueId},
    web::{
        change::{
            form::Form,
            outcome::{ErrorCode, FieldError, Flash, Notice, Outcome},
            phone,
            plain::{plain, plain_lines},
        },
        rate::AddressAllowance,
        visit::Visit,
    },
};

/// Buttons of the form where scripts do not run: another day of the week, the day of the field, another number of guests.
const CHOOSES: [&str; 3] = ["day", "show", "party"];
const LONGEST_NAME: usize = 60;
const LONGEST_COMMENT: usize = 300;

/// What was typed, checked as far as it can be without the upstream.
struct Wish {
    venue: VenueId,
    date: String,
    time: String,
    guests: u32,
    name: String,
    /// In international writing.
    phone: String,
    comment: String,
    /// With the dishes of the cart.
    ahead: bool,
    /// The cart's version that its guest has seen; none from a page of before.
    seen: Option<u64>,
    /// Beside a table that the guest has at that time.
    another: bool,
}

impl Wish {
    /// Whether an attempt is for the same venue and time.
    fn is_of(&self, attempt: &Attempt) -> bool {
        let (date, time) = &attempt.chosen;
        self.venue == attempt.venue && self.date == *date && self.time == *time
    }

    /// The same, with dishes or without.
    fn is_same(&self, attempt: &Attempt) -> bool {
        self.is_of(attempt) && self.ahead == attempt.ahead.is_some()
    }
}

/// Why nothing is sent.
enum Refusal {
    Field(FieldError),
    /// The guest has a table there already: which, and when.
    Twice {
        table: String,
        time: String,
    },
    Unreached,
}

/// Books a table: one, however often the button is pressed.
///
/// # Errors
/// When the store does not answer, or the address has booked too much: then nothing was sent.
pub async fn book(
    visit: Visit,
    Extension(allowance): Extension<AddressAllowance>,
    form: Form,
) -> Result<Outcome, Error> {
    let back = back(&form);
    if is_choosing(&form) {
        return Ok(with_notice(&form, back, Notice::BookingChosen));
    }
    let refused = |errors| Ok(Outcome::refused(&form, back.clone(), errors));
    let place = Place::of(&visit).await;
    let wish = match wish(&form, &place.meta.phone_code) {
        Ok(wish) => wish,
        Err(errors) => return refused(errors),
    };
    let Some(named) = form.get("attempt").filter(|name| seal::is_name(name)) else {
        return refused(vec![FieldError::new("form", ErrorCode::BadInput)]);
    };
    let press = Press {
        cart: visit.sess.cart_or_new().await?,
        named: named.to_owned(),
        form: form.clone(),
        back,
        visit,
        allowance,
        place,
        wish,
    };
    if press.before().await?.1.is_some() {
        return press.send().await;
    }
    let turn = attempt::turn(&press.cart);
    if !press.wait_for(&turn).await? {
        return Ok(press.with_notice(Notice::BookingUnknown).in_flight());
    }
    // In a task of its own: a guest who leaves does not keep the next form waiting.
    let work = async move {
        let records = press.visit.app.state.idempotency().clone();
        let outcome = press.send().await;
        if let Err(error) = records.release(&turn).await {
            tracing::warn!(%error, "A guest's turn to book runs out by itself");
        }
        outcome
    };
    tokio::spawn(telemetry::of_request(work))
        .await
        .map_err(|error| Error::Internal(format!("a booking ended early: {error}")))?
}

/// The button of one form.
struct Press {
    visit: Visit,
    allowance: AddressAllowance,
    place: Place,
    cart: CartId,
    /// What the form calls itself.
    named: String,
    form: Form,
    back: String,
    wish: Wish,
}

impl Press {
    /// The key, and what has been sent under it. A form that was booked and come back to for another time is another one,
    /// as is one whose table was given back since.
    async fn before(&self) -> Result<(String, Option<Known>), Error> {
        let records = self.visit.app.state.idempotency();
        let mut named = self.named.clone();
        loop {
            let (key, known) = self.before_as(&named).await?;
            let answer = known.as_ref().and_then(|known| known.answer.as_deref());
            let Some(id) = answer else {
                return Ok((key, known));
            };
            let given_back = attempt::given_back(&self.cart, id);
            if records.get(&given_back).await?.is_none() {
                return Ok((key, known));
            }
            named = format!("{named} {id}");
        }
    }

    /// The same of a name of the form.
    async fn before_as(&self, named: &str) -> Result<(String, Option<Known>), Error> {
        let records = self.visit.app.state.idempotency();
        let key = attempt::key(self.cart.as_str(), named);
        let known = records.get(&key).await?;
        let Some(earlier) = known.as_ref().filter(|known| known.answer.is_some()) else {
            return Ok((key, known));
        };
        if self.wish.is_of(&read_record(&earlier.body)?) {
            return Ok((key, known));
        }
        let Wish {
            venue, date, time, ..
        } = &self.wish;
        let named = format!("{named} {venue} {date} {time}");
        let key = attempt::key(self.cart.as_str(), &named);
        let known = records.get(&key).await?;
        Ok((key, known))
    }

    /// Waits until no other form of the guest's is being sent.
    async fn wait_for(&self, turn: &str) -> Result<bool, Error> {
        let records = self.visit.app.state.idempotency();
        Ok(matches!(
            records.begin_in_turn(turn, body_hash(""), "").await?,
            Begun::New | Begun::Orphaned { .. }
        ))
    }

    async fn send(&self) -> Result<Outcome, Error> {
        let visit = &self.visit;
        let refused = |error| {
            let back = self.back.clone();
            Ok(Outcome::refused(&self.form, back, vec![error]))
        };
        let records = visit.app.state.idempotency();
        let (key, known) = self.before().await?;
        let is_first = known.is_none();
        let attempt = match known {
            // Pressed before: its place may be the one that is taken now.
            Some(known) => {
                let before: Attempt = read_record(&known.body)?;
                let is_open = known.answer.is_none();
                if is_open && !self.wish.is_same(&before) {
                    // Sent again it would book the first one, and be told as the one that is asked for now.
                    return Ok(self.with_notice(Notice::BookingSent));
                }
                Attempt {
                    guests: self.wish.guests,
                    name: self.wish.name.clone(),
                    phone: self.wish.phone.clone(),
                    comment: self.wish.comment.clone(),
                    ..before
                }
            }
            None => match prepare(visit, &self.place, &self.wish).await? {
                Ok(attempt) if is_too_young(visit, &attempt).await => {
                    return Ok(age_check::question(visit, &self.form, &self.back));
                }
                Ok(attempt) => attempt,
                Err(Refusal::Twice { table, time }) => {
                    let mut values = self.form.values();
                    values.insert("twice".to_owned(), vec![table, time]);
                    return Ok(Outcome::back(self.back.clone()).with_flash(Flash {
                        values,
                        ..Flash::new(Notice::BookingTwice)
                    }));
                }
                Err(Refusal::Field(error)) => return refused(error),
                Err(Refusal::Unreached) => return Ok(self.with_notice(Notice::BookingUnreached)),
            },
        };
        if is_first && self.is_another_open(&key).await? {
            return Ok(self.with_notice(Notice::BookingSent));
        }
        let body =
            serde_json::to_string(&attempt).map_err(|error| Error::Internal(error.to_string()))?;
        // Another press of this form may be on its way: what comes of it is the answer to this one, too.
        let begun = match &attempt.ahead {
            // The dishes may be ordered from the cart meanwhile, or have been.
            Some(ahead) if is_first => {
                let cart = (&ahead.cart, ahead.version);
                let hash = attempt.hash();
                match attempt::begin_to_order(visit, cart, &key, hash, body).await? {
                    Turn::Begun(begun) => begun,
                    // A table with these dishes may be booked already.
                    Turn::Open(open) if attempt::is_key(&open) => {
                        return Ok(self.with_notice(Notice::BookingUnknown));
                    }
                    Turn::Open(open) => return Ok(Outcome::go(checking(&open))),
                    Turn::Moved => {
                        return refused(FieldError::new("ahead", ErrorCode::VersionChanged));
                    }
                    Turn::Busy => return Ok(self.with_notice(Notice::BookingUnreached)),
                }
            }
            _ => records.begin_in_turn(&key, attempt.hash(), &body).await?,
        };
        let (attempt, sending) = match begun {
            Begun::New => {
                if let Err(wait) = self.allowance.take_order().await {
                    records.release(&key).await?;
                    return Err(Error::TooMany(wait));
                }
                (attempt, Sending::First)
            }
            Begun::Orphaned { body } => (read_record(&body)?, Sending::Again),
            Begun::Done { answer } => return Ok(booked(&answer)),
            Begun::InFlight => return Ok(self.with_notice(Notice::BookingUnknown).in_flight()),
            Begun::Mismatch => return Ok(self.with_notice(Notice::BookingSent)),
        };
        let caller = visit.personal_caller().await.with_class(Class::Order);
        match attempt
            .send(visit.app.clone(), caller, key, sending)
            .await?
        {
            Sent::Booked(id) => Ok(booked(&id)),
            Sent::Unknown => Ok(self.with_notice(Notice::BookingUnknown)),
            Sent::Unreached => Ok(self.with_notice(Notice::BookingUnreached)),
            Sent::Refused(rejection) => match rejection.code.as_str() {
                "no_places" | "too_late" => refused(FieldError::new("time", ErrorCode::NoPlaces)),
                "venue_closed" => {
                    opened::refused_as_closed(visit, self.wish.venue).await;
                    refused(FieldError::new("form", ErrorCode::Closed))
                }
                "item_unavailable" | "options_invalid" => {
                    refused(FieldError::new("ahead", ErrorCode::Gone))
                }
                "idempotency_mismatch" => Ok(self.with_notice(Notice::BookingSent)),
                _ => refused(FieldError::rejected(&rejection)),
            },
        }
    }

    /// Whether what this form has sent before, for another time, is not known yet: both might come about.
    async fn is_another_open(&self, key: &str) -> Result<bool, Error> {
        let records = self.visit.app.state.idempotency();
        let last = attempt::last_of(&self.cart, &self.named);
        if take_turn(&records, &last, key).await?.is_some() {
            return Ok(true);
        }
        records.unknown(&last).await?;
        Ok(false)
    }

    fn with_notice(&self, kind: Notice) -> Outcome {
        with_notice(&self.form, self.back.clone(), kind)
    }
}

/// The bill of what was ordered ahead with a table of this guest, if anything was.
///
/// # Errors
/// When the upstream does not tell which tables the guest has.
pub async fn preorder_of(visit: &Visit, id: &BookingId) -> Result<Option<BillId>, upstream::Error> {
    let known = bookings(visit).await?;
    let booking = known.into_iter().find(|one| one.id == *id);
    Ok(booking.and_then(|one| one.preorder))
}

/// The page that asks whether a table is to be given back.
#[must_use]
pub fn question(id: &BookingId) -> String {
    named("cancel", id.as_str())
}

/// The page of the guest's bookings.
#[must_use]
pub fn list() -> String {
    PATH.to_owned()
}

/// The table is not given back: the upstream does not answer.
#[must_use]
pub fn unreached(form: &Form) -> Outcome {
    with_notice(form, PATH.to_owned(), Notice::BookingUnreached)
}

/// The page of a booking: what became of it.
#[must_use]
pub fn page_of(id: &BookingId) -> String {
    named("booking", id.as_str())
}

/// Gives a table back, and leads to the page that says so. However many press at once, one call is made.
///
/// # Errors
/// When upstream or store does not answer.
pub async fn cancel(
    visit: Visit,
    id: BookingId,
    form: Form,
    page: String,
) -> Result<Outcome, Error> {
    let caller = visit.personal_caller().await;
    let given_back = Outcome::go(page).saying(Notice::BookingCancelled);
    let press = match taking_back::turn(&visit, &caller, "table", id.as_str()).await? {
        taking_back::Turn::Ours(press) => press,
        taking_back::Turn::Done(_) => {
            // It may have been given back by another phone, whose cart is another.
            note_given_back(&visit, &id).await;
            return Ok(given_back);
        }
        taking_back::Turn::Busy => return Ok(unreached(&form).in_flight()),
    };
    let upstream = &visit.app.upstream;
    let cancelled = match (
        upstream.cancel_booking(&caller, &id).await,
        of_device(&caller),
    ) {
        // Booked before the sign-in: it is the device's, not the person's.
        (Err(upstream::Error::NotFound), Some(device)) if visit.signed_in.is_some() => {
            upstream.cancel_booking(&device, &id).await
        }
        (cancelled, _) => cancelled,
    };
    // The answer alone may be lost.
    let is_unknown = cancelled
        .as_ref()
        .is_err_and(upstream::Error::outcome_unknown);
    let cancelled = match is_unknown && is_given_back(&visit, &id).await {
        true => Ok(()),
        false => cancelled,
    };
    match cancelled {
        Ok(()) => {
            note_given_back(&visit, &id).await;
            press.done("").await;
            Ok(given_back)
        }
        Err(error) => {
            press.release().await;
            not_given_back(&visit, &id, &form, error).await
        }
    }
}

async fn not_given_back(
    visit: &Visit,
    id: &BookingId,
    form: &Form,
    error: upstream::Error,
) -> Result<Outcome, Error> {
    match error {
        upstream::Error::Unauthorized if visit.signed_in.is_some() => Err(error.into()),
        upstream::Error::NotFound | upstream::Error::Unauthorized => Err(Error::NotFound("page")),
        upstream::Error::Rejected(_) => Err(error.into()),
        _ => {
            // Where the table is still there, its form asks before it books a second one.
            if error.outcome_unknown() {
                note_given_back(visit, id).await;
            }
            Ok(unreached(form))
        }
    }
}

/// The form that it was booked with books another one.
async fn note_given_back(visit: &Visit, id: &BookingId) {
    let Some(cart) = visit.sess.cart().await else {
        return;
    };
    let records = visit.app.state.idempotency();
    let key = attempt::given_back(&cart, id.as_str());
    let noted = match records.begin(&key, body_hash(""), "").await {
        Ok(Begun::New) => records.finish(&key, "").await,
        begun => begun.map(drop),
    };
    if let Err(error) = noted {
        tracing::warn!(%error, "A form of a table that was given back leads to that one still");
    }
}

/// Not done, for a reason that no field has; everything typed comes back, the form's own name too.
fn with_notice(form: &Form, to: String, kind: Notice) -> Outcome {
    Outcome::back(to).with_flash(Flash {
        values: form.values(),
        ..Flash::new(kind)
    })
}

fn booked(id: &str) -> Outcome {
    Outcome::go(named("booking", id))
}

/// The page of bookings, with one of them under a key of its query.
fn named(key: &str, id: &str) -> String {
    let query = Serializer::new(String::new()).append_pair(key, id).finish();
    format!("{PATH}?{query}")
}

/// A button other than that which books was pressed, or a day stands in its field while the times of another are shown:
/// nobody means to book the one shown.
fn is_choosing(form: &Form) -> bool {
    CHOOSES.iter().any(|button| form.get(button).is_some()) || day(form) != form.get("date")
}

/// The day to show next: that of a button, else that of the field, unless only the number of guests is another.
fn day(form: &Form) -> Option<&str> {
    let shown = form.get("date");
    match (form.get("day"), form.get("party")) {
        (Some(day), _) => Some(day),
        (None, Some(_)) => shown,
        (None, None) => form.get("other_day").or(shown),
    }
}

/// The page with what was chosen.
fn back(form: &Form) -> String {
    let guests = form.get("party").or(form.get("guests"));
    let chosen = [
        ("filial", form.get("filial")),
        ("date", day(form)),
        ("guests", guests),
        ("time", form.get("time")),
    ];
    let mut query = Serializer::new(String::new());
    for (field, value) in chosen {
        if let Some(value) = value {
            query.append_pair(field, value);
        }
    }
    format!("{PATH}?{}", query.finish())
}

fn wish(form: &Form, phone_code: &str) -> Result<Wish, Vec<FieldError>> {
    let mut errors = Vec::new();
    let mut text = |field: &str, longest: usize, missing: Option<ErrorCode>| {
        let typed = form.get(field).unwrap_or_default();
        // Who prints a name gets one line of it.
        let value = if field == "comment" {
            plain_lines(typed)
        } else {
            plain(typed)
        };
        if let Some(missing) = missing.filter(|_| value.is_empty()) {
            errors.push(FieldError::new(field, missing));
        } else if value.chars().count() > longest {
            errors.push(FieldError::too_long(field, longest));
        }
        value
    };
    // A time is no field to be filled in.
    let time = text("time", 5, Some(ErrorCode::ChooseTime));
    let date = text("date", 10, Some(ErrorCode::Required));
    let name = text("name", LONGEST_NAME, Some(ErrorCode::Required));
    let written = text("phone", 30, Some(ErrorCode::Required));
    let comment = text("comment", LONGEST_COMMENT, None);
    let called = phone::international(&written, phone_code);
    if !written.is_empty() && called.is_none() {
        errors.push(phone::wrong("phone", phone_code));
    }
    let guests: Option<u32> = form
        .parse("guests")
        .filter(|guests| (1..=MOST_GUESTS).contains(guests));
    let venue: Option<VenueId> = form.parse("filial");
    match (venue, guests) {
        (Some(venue), Some(guests)) if errors.is_empty() => Ok(Wish {
            venue,
            date,
            time,
            guests,
            name,
            phone: called.unwrap_or_default(),
            comment,
            ahead: form.get("ahead").is_some(),
            seen: form
                .get("ahead")
                .and_then(|seen| seen.strip_prefix('v')?.parse().ok()),
            another: form.get("another").is_some(),
        }),
        (venue, guests) => {
            if venue.is_none() {
                errors.push(FieldError::new("form", ErrorCode::BadInput));
            }
            if guests.is_none() {
                errors.push(FieldError::new("guests", ErrorCode::BadInput));
            }
            Err(errors)
        }
    }
}

/// The instant of the chosen time is the upstream's own, never the browser's.
async fn prepare(
    visit: &Visit,
    place: &Place,
    wish: &Wish,
) -> Result<Result<Attempt, Refusal>, Error> {
    let venue = match venue::with_tables(visit, wish.venue).await {
        Ok(venue) => venue,
        Err(upstream::Error::NotFound) => return Err(Error::NotFound("venue")),
        Err(_) => return Ok(Err(Refusal::Unreached)),
    };
    if !opened::takes_bookings(visit, &venue, visit.brand()).await {
        return Ok(Err(Refusal::Field(FieldError::new(
            "form",
            ErrorCode::Closed,
        ))));
    }
    let offset = place.meta_of(venue.town.as_ref()).utc_offset;
    let today = days::today(visit.now, offset);
    if days::parse(&wish.date, today).is_none() {
        return Ok(Err(Refusal::Field(FieldError::new(
            "date",
            ErrorCode::BadInput,
        ))));
    }
    let slots = visit
        .app
        .upstream
        .booking_slots(&visit.caller(None), wish.venue, &wish.date, wish.guests)
        .await;
    let Ok(slots) = slots else {
        return Ok(Err(Refusal::Unreached));
    };
    let chosen = slots.iter().find(|slot| slot.time == wish.time);
    let at = chosen
        .filter(|slot| slot.free)
        .and_then(|slot| slot.at.utc());
    let written = at
        .and_then(|at| OffsetDateTime::from_unix_timestamp(at.div_euclid(1000)).ok())
        .and_then(|at| at.format(&Rfc3339).ok());
    let (Some(at), Some(written)) = (at, written) else {
        return Ok(Err(Refusal::Field(FieldError::new(
            "time",
            ErrorCode::NoPlaces,
        ))));
    };
    if !wish.another {
        let here = mapping::linked_with(&venue);
        match beside(visit, &here, at).await {
            Ok(None) => {}
            Ok(Some((table, at))) => {
                let time = days::clock(at, offset);
                return Ok(Err(Refusal::Twice { table, time }));
            }
            Err(error @ upstream::Error::Unauthorized) => return Err(error.into()),
            Err(_) => return Ok(Err(Refusal::Unreached)),
        }
    }
    let ahead = if wish.ahead {
        match ahead(visit, wish.venue).await? {
            Some(ahead) if wish.seen.is_none_or(|seen| seen == ahead.version) => Some(ahead),
            // The form was made for a cart that is another one by now.
            _ => {
                let error = FieldError::new("ahead", ErrorCode::VersionChanged);
                return Ok(Err(Refusal::Field(error)));
            }
        }
    } else {
        None
    };
    Ok(Ok(Attempt {
        venue: wish.venue,
        ahead,
        at: written,
        chosen: (wish.date.clone(), wish.time.clone()),
        guests: wish.guests,
        name: wish.name.clone(),
        phone: wish.phone.clone(),
        comment: wish.comment.clone(),
        fingerprint: visit.sess.device_or_new().await?,
        bearer: bearer_of(visit).await,
        lang: visit.lang,
        country: visit.country,
    }))
}

/// The guest's table at the venue whose time runs into another one's, with its time. A second one at once is a
/// mistake: the form was sent from another tab, or come back to.
async fn beside(
    visit: &Visit,
    here: &[u64],
    wanted: i64,
) -> Result<Option<(String, i64)>, upstream::Error> {
    let own = bookings(visit).await?;
    Ok(own.into_iter().find_map(|table| {
        let at = table.at.utc()?;
        let is_here = table.venue.is_some_and(|venue| here.contains(&venue.0));
        // Two tables for one visit are asked about.
        (is_here && (at - wanted).abs() <= STAY).then(|| (table.id.to_string(), at))
    }))
}

/// The dishes of the cart, if they are of this venue and the guest is one whom the upstream takes them of.
async fn ahead(visit: &Visit, venue: VenueId) -> Result<Option<Ahead>, Error> {
    let Some(cart) = visit.sess.cart().await else {
        return Ok(None);
    };
    let cart = visit.app.state.carts().load(&cart).await?;
    let cart = unpaid::settled(visit, cart).await?;
    let is_theirs = !cart.is_empty() && cart.venue_id == Some(venue.0);
    // What waits for its payment elsewhere must not be paid for twice.
    if visit.signed_in.is_none() || !is_theirs || cart.unpaid.is_some() {
        return Ok(None);
    }
    Ok(Some(Ahead {
        cart: cart.id,
        lines: cart.lines,
        generation: Some(cart.generation),
        version: cart.version,
        bearer: bearer_of(visit).await,
    }))
}

async fn bearer_of(visit: &Visit) -> Option<String> {
    let caller = visit.personal_caller().await;
    visit.app.upstream.bearer_to_keep(&caller)
}

/// Whether it orders what is sold to adults only, and the guest has not said to be one, or has taken it back (BC-13, CT-23). What
/// cannot be looked up now is asked about as well.
async fn is_too_young(visit: &Visit, attempt: &Attempt) -> bool {
    let Some(ahead) = &attempt.ahead else {
        return false;
    };
    if age_check::is_confirmed(visit).await {
        return false;
    }
    let caller = visit.caller(None);
    let Ok(menu) = visit.app.upstream.menu(&caller, attempt.venue).await else {
        return true;
    };
    ahead
        .lines
        .iter()
        .any(|line| product_of(line, &menu).is_none_or(age_check::is_restricted))
}

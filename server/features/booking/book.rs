//! `POST /bookings` and `POST /bookings/{id}/cancel`.

use axum::{Extension, extract::Path};
use time::{OffsetDateTime, format_description::well_known::Rfc3339};
use url::form_urlencoded::Serializer;

use super::{
    MOST_GUESTS, PATH,
    attempt::{self, Attempt, Sent},
    days,
    load::of_device,
};
use crate::{
    error::Error,
    features::{
        attempts::{Attempt as _, kept},
        place::Place,
    },
    keys::seal,
    state::idempotency::Begun,
    upstream::{self, BookingId, Class, FilialId},
    values::Country,
    web::{
        form::Form,
        outcome::{ErrorCode, FieldError, Flash, Notice, Outcome, Text},
        phone,
        plain::plain_lines,
        rate::OrderAllowance,
        visit::Visit,
    },
};

const LONGEST_NAME: usize = 60;
const LONGEST_COMMENT: usize = 300;

/// What was typed, checked as far as it can be without asking anybody.
struct Wish {
    filial: FilialId,
    date: String,
    time: String,
    guests: u32,
    name: String,
    /// In international writing.
    phone: String,
    comment: String,
}

/// Why nothing is sent.
enum Unfit {
    Field(FieldError),
    Unreached,
}

/// Books a table: one, however often the button is pressed.
///
/// # Errors
/// When the store does not answer, or the address has booked too much: then nothing was sent.
pub async fn book(
    visit: Visit,
    Extension(allowance): Extension<OrderAllowance>,
    form: Form,
) -> Result<Outcome, Error> {
    let back = back(&form);
    let refused = |errors| Ok(Outcome::refused(&form, back.clone(), errors));
    let wish = match wish(&form, visit.country) {
        Ok(wish) => wish,
        Err(errors) => return refused(errors),
    };
    let Some(named) = form.get("attempt").filter(|name| seal::is_name(name)) else {
        return refused(vec![FieldError::new("form", ErrorCode::BadInput)]);
    };
    let cart = visit.sess.cart_or_new().await?;
    let key = attempt::key(cart.as_str(), named);
    let records = visit.app.state.idempotency();
    let attempt = match records.get(&key).await? {
        // Pressed before: its place may be the one that is taken now.
        Some(known) => Attempt {
            guests: wish.guests,
            name: wish.name,
            phone: wish.phone,
            comment: wish.comment,
            ..kept(&known.body)?
        },
        None => match prepare(&visit, wish).await? {
            Ok(attempt) => attempt,
            Err(Unfit::Field(error)) => return refused(vec![error]),
            Err(Unfit::Unreached) => return Ok(told(&form, back, Notice::BookingUnreached)),
        },
    };
    let body =
        serde_json::to_string(&attempt).map_err(|error| Error::Internal(error.to_string()))?;
    let attempt = match records.begin(&key, attempt.hash(), &body).await? {
        Begun::New => {
            if let Err(wait) = allowance.take() {
                records.release(&key).await?;
                return Err(Error::TooMany(wait));
            }
            attempt
        }
        Begun::Orphaned { body } => kept(&body)?,
        Begun::Done { answer } => return Ok(booked(&answer)),
        Begun::InFlight => {
            return Ok(told(&form, back, Notice::BookingUnknown).in_flight());
        }
        Begun::Mismatch => return Ok(told(&form, back, Notice::BookingSent)),
    };
    let caller = visit.personal_caller().await.with_class(Class::Order);
    match attempt.send(visit.app.clone(), caller, key).await? {
        Sent::Booked(id) => Ok(booked(&id)),
        Sent::Unknown => Ok(told(&form, back, Notice::BookingUnknown)),
        Sent::Unreached => Ok(told(&form, back, Notice::BookingUnreached)),
        Sent::Refused(rejection) => match rejection.code.as_str() {
            "no_places" | "too_late" => refused(vec![FieldError::new("time", ErrorCode::NoPlaces)]),
            "venue_closed" => refused(vec![FieldError::new("form", ErrorCode::Closed)]),
            "idempotency_mismatch" => Ok(told(&form, back, Notice::BookingSent)),
            _ => refused(vec![FieldError::told(&rejection)]),
        },
    }
}

/// Gives a table back.
///
/// # Errors
/// When the upstream does not answer.
pub async fn cancel(visit: Visit, Path(id): Path<String>, form: Form) -> Result<Outcome, Error> {
    let id: BookingId = id.parse().map_err(|_| Error::NotFound("page"))?;
    let caller = visit.personal_caller().await;
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
    match cancelled {
        Ok(()) => Ok(Outcome::go(PATH.to_owned()).saying(Notice::BookingCancelled)),
        Err(error @ upstream::Error::Unauthorized) if visit.signed_in.is_some() => {
            Err(error.into())
        }
        Err(upstream::Error::NotFound | upstream::Error::Unauthorized) => {
            Err(Error::NotFound("page"))
        }
        Err(error @ upstream::Error::Rejected(_)) => Err(error.into()),
        Err(_) => Ok(told(&form, PATH.to_owned(), Notice::BookingUnreached)),
    }
}

/// Not done, for a reason that no field has; everything typed comes back, the form's own name too.
fn told(form: &Form, to: String, kind: Notice) -> Outcome {
    Outcome::back(to).with_flash(Flash {
        values: form.values(),
        ..Flash::new(kind)
    })
}

fn booked(id: &str) -> Outcome {
    let query = Serializer::new(String::new())
        .append_pair("booking", id)
        .finish();
    Outcome::go(format!("{PATH}?{query}"))
}

/// The page with what was chosen, so that it shows the same day again.
fn back(form: &Form) -> String {
    let mut query = Serializer::new(String::new());
    for field in ["filial", "date", "guests", "time"] {
        if let Some(value) = form.get(field) {
            query.append_pair(field, value);
        }
    }
    format!("{PATH}?{}", query.finish())
}

fn wish(form: &Form, country: Country) -> Result<Wish, Vec<FieldError>> {
    let mut errors = Vec::new();
    let mut text = |field: &str, longest: usize, needed: bool| {
        let value = plain_lines(form.get(field).unwrap_or_default());
        if needed && value.is_empty() {
            errors.push(FieldError::new(field, ErrorCode::Required));
        } else if value.chars().count() > longest {
            let most = Text::Number(i32::try_from(longest).unwrap_or(i32::MAX));
            errors.push(FieldError::new(field, ErrorCode::TooLong).with("count", most));
        }
        value
    };
    let time = text("time", 5, true);
    let date = text("date", 10, true);
    let name = text("name", LONGEST_NAME, true);
    let written = text("phone", 30, true);
    let comment = text("comment", LONGEST_COMMENT, false);
    let called = phone::international(&written, country);
    if !written.is_empty() && called.is_none() {
        errors.push(FieldError::new("phone", ErrorCode::Phone));
    }
    let guests: Option<u32> = form
        .parse("guests")
        .filter(|guests| (1..=MOST_GUESTS).contains(guests));
    let filial: Option<FilialId> = form.parse("filial");
    match (filial, guests) {
        (Some(filial), Some(guests)) if errors.is_empty() => Ok(Wish {
            filial,
            date,
            time,
            guests,
            name,
            phone: called.unwrap_or_default(),
            comment,
        }),
        (filial, guests) => {
            if filial.is_none() {
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
async fn prepare(visit: &Visit, wish: Wish) -> Result<Result<Attempt, Unfit>, Error> {
    let caller = visit.caller(None);
    let Ok(card) = visit.app.upstream.card(&caller, wish.filial, None).await else {
        return Ok(Err(Unfit::Unreached));
    };
    if card.location.is_closed {
        return Ok(Err(Unfit::Field(FieldError::new(
            "form",
            ErrorCode::Closed,
        ))));
    }
    let place = Place::of(visit).await;
    let today = days::today(visit.now, place.meta_of(card.town.as_ref()).utc_offset);
    if days::parse(&wish.date, today).is_none() {
        return Ok(Err(Unfit::Field(FieldError::new(
            "date",
            ErrorCode::BadInput,
        ))));
    }
    let slots = visit
        .app
        .upstream
        .booking_slots(&caller, wish.filial, &wish.date, wish.guests)
        .await;
    let Ok(slots) = slots else {
        return Ok(Err(Unfit::Unreached));
    };
    let chosen = slots.iter().find(|slot| slot.time == wish.time);
    let at = chosen
        .filter(|slot| slot.free)
        .and_then(|slot| slot.at.utc())
        .and_then(|at| OffsetDateTime::from_unix_timestamp(at.div_euclid(1000)).ok())
        .and_then(|at| at.format(&Rfc3339).ok());
    let Some(at) = at else {
        return Ok(Err(Unfit::Field(FieldError::new(
            "time",
            ErrorCode::NoPlaces,
        ))));
    };
    Ok(Ok(Attempt {
        filial: wish.filial,
        at,
        guests: wish.guests,
        name: wish.name,
        phone: wish.phone,
        comment: wish.comment,
        fingerprint: visit.sess.device_or_new().await?,
        lang: visit.lang,
        country: visit.country,
    }))
}

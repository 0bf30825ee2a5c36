//! Booked tables, with dishes or without. A guest's belong to the device, as orders at a table do.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::get;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{add, create};
use crate::accounts::unauthorized;
use crate::accounts::user;
use crate::answer::{Answer, data, done, ok};
use crate::app::App;
use crate::body::Json;
use crate::caller::Caller;
use crate::catalogue::Place;
use crate::clock::{iso, parse_iso};
use crate::hours::{offset_minutes, takes_orders};
use crate::ids::unguessable;
use crate::openapi::schema::{
    self, boolean, integer, list, nullable, object, one_of_texts, reference, text,
};
use crate::openapi::{Api, Operation};
use crate::orders::limits::{self, Buyer};
use crate::orders::quote::{Item, Quote};
use crate::params::{Params, short};
use crate::refusal::Refusal;

pub(crate) fn routes(api: Api) -> Api {
    let booking = object(&[
        ("filial_id", integer()),
        ("at", text()),
        ("guests", integer()),
        ("name", text()),
        ("phone", text()),
        ("comment?", text()),
        ("items?", list(reference("Item"))),
    ]);
    let slot = object(&[("time", text()), ("at", text()), ("free", boolean())]);
    api.add(
        Operation::get(
            "/booking/v1/bookings",
            "bookings",
            "The booked tables of the signed-in person, else of the device, with those of before and those given back",
        )
        .answers(200, schema::data(list(reference("Booking"))))
        .refuses(&[401]),
        get(bookings).post(book),
    )
    .describe(
        Operation::post(
            "/booking/v1/bookings",
            "book",
            "Books a table, with dishes (signed in) or without",
        )
        .body(booking)
        .answers(201, schema::data(reference("Booking")))
        .refuses(&[400, 401, 404, 422]),
    )
    .add(
        Operation::get(
            "/booking/v1/slots",
            "slots",
            "The times of a day at which a table can be booked",
        )
        .required("filial_id", integer())
        .required("date", text())
        .query("guests", integer())
        .answers(200, schema::data(list(slot)))
        .refuses(&[400, 404]),
        get(slots),
    )
    .add(
        Operation::post(
            "/booking/v1/bookings/{booking}/cancel",
            "cancelBooking",
            "Gives a booked table back; what was paid for its dishes goes back as well, within minutes",
        )
        .answers(200, done())
        .refuses(&[401, 404]),
        axum::routing::post(cancel),
    )
}

pub(crate) fn schemas() -> Vec<(&'static str, Value)> {
    vec![(
        "Booking",
        object(&[
            ("id", text()),
            ("filial_id", integer()),
            ("at", text()),
            ("guests", integer()),
            ("name", text()),
            ("phone", text()),
            ("comment", text()),
            ("preorder_id", nullable(text())),
            ("status", one_of_texts(&["booked", "canceled"])),
        ]),
    )]
}

#[derive(Deserialize)]
struct BookingBody {
    filial_id: i64,
    at: String,
    guests: i64,
    name: String,
    phone: String,
    #[serde(default)]
    comment: Option<String>,
    #[serde(default)]
    items: Vec<Item>,
}

/// Tables that can be booked for one time.
const TABLES: i64 = 3;
const MINUTE: i64 = 60_000;
/// A table is kept so long, and booked so long ahead at least, minutes.
const STAY: i64 = 60;
const AHEAD: i64 = 30;
const COLUMNS: &str = "id, filial_id, at, guests, name, phone, comment, preorder, canceled";

/// Whose bookings they are.
struct Owner {
    user: Option<i64>,
    fingerprint: String,
}

impl Owner {
    async fn of(app: &App, caller: &Caller) -> Result<Owner, Refusal> {
        let user = app.maybe_signed_in(caller).await?.map(|user| user.id);
        match (&caller.fingerprint, user) {
            (None, None) => Err(unauthorized()),
            (fingerprint, user) => Ok(Owner {
                user,
                fingerprint: fingerprint.clone().unwrap_or_default(),
            }),
        }
    }
}

async fn book(
    State(app): State<App>,
    caller: Caller,
    Json(body): Json<BookingBody>,
) -> Result<(StatusCode, axum::Json<Value>), Refusal> {
    let owner = Owner::of(&app, &caller).await?;
    if owner.user.is_none() && !body.items.is_empty() {
        return Err(unauthorized());
    }
    app.place(body.filial_id)?;
    let at = parse_iso(&body.at).ok_or_else(|| Refusal::bad("at must be ISO 8601"))?;
    if !(1..=50).contains(&body.guests) {
        return Err(Refusal::bad("guests must be from 1 to 50"));
    }
    let name = short(Some(&body.name), "name", 100)?;
    let phone = user::phone(&body.phone).ok_or_else(|| Refusal::bad("phone must be a phone"))?;
    let comment = short(body.comment.as_deref(), "comment", 500)?;
    body.items.iter().try_for_each(Item::check)?;
    let (shared, key) = (app.clone(), caller.idempotency_key.clone());
    let wire = app
        .store
        .write(move |db| {
            let sent = json!([body.filial_id, at, body.guests, name, phone, comment]).to_string();
            if let Some((wire, before)) = known(db, &owner, key.as_deref())? {
                return if before == sent {
                    Ok(wire)
                } else {
                    Err(Refusal::unprocessable("idempotency_mismatch", "The key was used before"))
                };
            }
            let (id, now) = (unguessable("bk_"), shared.clock.now());
            if at < now {
                return Err(Refusal::unprocessable("too_late", "This time is over"));
            }
            let place = shared.place(body.filial_id)?;
            if shared.overrides.is_closed(place.venue) {
                return Err(Refusal::unprocessable("venue_closed", "The venue is closed"));
            }
            if !is_free(db, &place, at)? {
                return Err(Refusal::unprocessable("no_places", "All tables are taken at this time"));
            }
            let preorder = match owner.user.filter(|_| !body.items.is_empty()) {
                None => None,
                Some(user) => {
                    let bill = create(db, &place, None, Some(user), now)?;
                    order_ahead(db, &shared, &place, user, &bill, &body.items)?;
                    Some(bill)
                }
            };
            db.execute(
                "INSERT INTO bookings (id, user_id, fingerprint, key, body, filial_id, at, guests, name, phone, comment,
                   preorder, created_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
                params![
                    id, owner.user, owner.fingerprint, key, sent, body.filial_id, at, body.guests, name, phone,
                    comment, preorder, now
                ],
            )?;
            Ok(json!({
                "id": id, "filial_id": body.filial_id, "at": iso(at), "guests": body.guests,
                "name": name, "phone": phone, "comment": comment, "preorder_id": preorder,
                "status": "booked",
            }))
        })
        .await?;
    Ok((StatusCode::CREATED, data(wire)?))
}

/// The dishes of a booking; pieces above a promo's limit stand apart, at the regular price.
fn order_ahead(
    db: &Transaction<'_>,
    app: &App,
    place: &Place<'_>,
    user: i64,
    bill: &str,
    items: &[Item],
) -> Result<(), Refusal> {
    let gone = |_| Refusal::unprocessable("item_unavailable", "A position is no longer available");
    let quotes = items
        .iter()
        .map(|item| item.quote(app, place).map_err(gone));
    let mut quotes: Vec<Quote<'_>> = quotes.collect::<Result<_, _>>()?;
    let buyer = Buyer {
        user: Some(user),
        fingerprint: None,
    };
    let products: Vec<i64> = items.iter().map(|item| item.product_id).collect();
    let used = limits::used(db, place, &buyer, &products, app.clock.now())?;
    limits::split(quotes.iter_mut(), &used);
    for quote in &quotes {
        let parts = [
            (quote.price, quote.promo_count),
            (quote.regular, quote.count - quote.promo_count),
        ];
        for (price, count) in parts.into_iter().filter(|(_, count)| *count > 0) {
            add(db, bill, quote.product, price, count)?;
        }
    }
    Ok(())
}

/// What this key has booked before, with what was sent then.
fn known(
    db: &Connection,
    owner: &Owner,
    key: Option<&str>,
) -> Result<Option<(Value, String)>, Refusal> {
    let query = format!("SELECT {COLUMNS}, body FROM bookings WHERE fingerprint = ?1 AND key = ?2");
    Ok(db
        .prepare_cached(&query)?
        .query_row(params![owner.fingerprint, key], |row| {
            Ok((wire(row)?, row.get(9)?))
        })
        .optional()?)
}

async fn bookings(State(app): State<App>, caller: Caller) -> Answer {
    let owner = Owner::of(&app, &caller).await?;
    let found: Vec<Value> = app
        .store
        .read(move |db| {
            let query = format!(
                "SELECT {COLUMNS} FROM bookings
                 WHERE user_id = ?1 OR ?1 IS NULL AND user_id IS NULL AND fingerprint = ?2
                 ORDER BY at"
            );
            let mut statement = db.prepare_cached(&query)?;
            let found = statement.query_map(params![owner.user, owner.fingerprint], wire)?;
            Ok(found.collect::<Result<_, _>>()?)
        })
        .await?;
    data(Value::Array(found))
}

async fn cancel(State(app): State<App>, Path(id): Path<String>, caller: Caller) -> Answer {
    let owner = Owner::of(&app, &caller).await?;
    let now = app.clock.now();
    app.store
        .write(move |db| {
            let changed = db.execute(
                "UPDATE bookings SET canceled = 1
                 WHERE id = ?1 AND (user_id = ?2 OR ?2 IS NULL AND user_id IS NULL AND fingerprint = ?3)",
                params![id, owner.user, owner.fingerprint],
            )?;
            if changed == 0 {
                return Err(Refusal::not_found("booking_not_found", "Booking is not found"));
            }
            let query = "SELECT bills.id, bills.closed FROM bookings JOIN bills ON bills.id = bookings.preorder
                 WHERE bookings.id = ?1";
            let bill = db.query_row(query, [&id], |row| Ok((row.get(0)?, row.get(1)?)));
            let Some((bill, is_closed)): Option<(String, bool)> = bill.optional()? else {
                return Ok(());
            };
            // Nobody pays for dishes of a table that was given back.
            if !is_closed {
                super::close(db, &bill, now)?;
            }
            super::pay::refund(db, &bill)
        })
        .await?;
    ok()
}

/// Every half hour of the day at which the venue is open for a whole stay; none of one that is closed by hand.
async fn slots(State(app): State<App>, params: Params) -> Answer {
    let filial = params.required_int("filial_id")?;
    let place = app.place(filial)?;
    let offset = offset_minutes(&place.country.meta.utc_offset);
    let midnight = params
        .get("date")
        .and_then(|date| parse_iso(&format!("{date}T00:00:00Z")))
        .map(|midnight| midnight - offset * MINUTE)
        .ok_or_else(|| Refusal::bad("date must be YYYY-MM-DD"))?;
    params.count("guests", 2, 50)?;
    let earliest = app.clock.now() + AHEAD * MINUTE;
    let shared = app.clone();
    let found: Vec<Value> = app
        .store
        .read(move |db| {
            let place = shared.place(filial)?;
            let meta = &place.country.meta;
            let closed = shared.overrides.is_closed(place.venue);
            (16..48)
                .map(|half| half * 30)
                .map(|minute| (minute, midnight + minute * MINUTE))
                .filter(|(_, at)| {
                    let last = at + (STAY - 1) * MINUTE;
                    !closed
                        && *at >= earliest
                        && takes_orders(place.venue, meta, *at)
                        && takes_orders(place.venue, meta, last)
                })
                .map(|(minute, at)| {
                    Ok(json!({
                        "time": format!("{:02}:{:02}", minute / 60, minute % 60),
                        "at": iso(at),
                        "free": is_free(db, &place, at)?,
                    }))
                })
                .collect()
        })
        .await?;
    data(Value::Array(found))
}

/// Friday and Saturday evenings are full already, as in life.
fn is_free(db: &Connection, place: &Place<'_>, at: i64) -> Result<bool, Refusal> {
    let local = at.div_euclid(MINUTE) + offset_minutes(&place.country.meta.utc_offset);
    // The epoch began on a Thursday.
    let weekday = (local.div_euclid(1440) + 3).rem_euclid(7);
    if matches!(weekday, 4 | 5) && matches!(local.rem_euclid(1440), 1140 | 1230) {
        return Ok(false);
    }
    let taken: i64 = db
        .prepare_cached(
            "SELECT COUNT(*) FROM bookings WHERE filial_id = ?1 AND at = ?2 AND canceled = 0",
        )?
        .query_row(params![place.filial, at], |row| row.get(0))?;
    Ok(taken < TABLES)
}

fn wire(row: &Row<'_>) -> rusqlite::Result<Value> {
    Ok(json!({
        "id": row.get::<_, String>(0)?, "filial_id": row.get::<_, i64>(1)?, "at": iso(row.get(2)?),
        "guests": row.get::<_, i64>(3)?, "name": row.get::<_, String>(4)?,
        "phone": row.get::<_, String>(5)?, "comment": row.get::<_, String>(6)?,
        "preorder_id": row.get::<_, Option<String>>(7)?,
        "status": if row.get(8)? { "canceled" } else { "booked" },
    }))
}

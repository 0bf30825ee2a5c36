//! Booked tables.

use axum::http::Method;
use serde_json::json;

use super::{
    BillId, BookingId, Caller, Error, IdempotencyKey, OrderItem, Upstream, VenueId, When,
    address::Path,
    breaker::Part,
    call::Call,
    query::Query,
    wire::{self, Bad, FromWire, Wire},
};

/// A table to be booked.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct NewBooking {
    pub venue: VenueId,
    /// ISO 8601 with Z.
    pub at: String,
    pub guests: u32,
    pub name: String,
    pub phone: String,
    pub comment: String,
    /// Dishes to be ready by then; may be empty.
    pub items: Vec<OrderItem>,
}

/// A booked table.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Booking {
    pub id: BookingId,
    pub venue: Option<VenueId>,
    pub at: When,
    pub guests: u32,
    pub name: String,
    pub phone: String,
    pub comment: String,
    /// The bill of the dishes.
    pub preorder: Option<BillId>,
    /// It was given back.
    pub is_canceled: bool,
}

/// A time at which a table may be had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// `18:30` by the venue's clock.
    pub time: String,
    /// The instant, to be sent back as it is.
    pub at: When,
    /// There is a place.
    pub free: bool,
}

impl Upstream {
    /// The times of a day (`2026-11-21` by the venue's calendar). Never cached, as places go.
    pub async fn booking_slots(
        &self,
        caller: &Caller,
        venue: VenueId,
        date: &str,
        guests: u32,
    ) -> Result<Vec<Slot>, Error> {
        let query = Query::new()
            .with("filial_id", venue)
            .with("date", date)
            .with("guests", guests);
        let call = Call::shared(self, caller, Part::Bills, Path::fixed("booking/v1/slots"));
        self.ask(call.query(query), wire::data_list).await
    }

    /// Gives a booked table back. Doing it twice changes nothing.
    pub async fn cancel_booking(&self, caller: &Caller, id: &BookingId) -> Result<(), Error> {
        let path = Path::with("booking/v1/bookings/{}/cancel", id);
        // That it is not the person's says nothing about the device.
        let whose = match caller.bearer {
            Some(_) => "person",
            None => "device",
        };
        let work = ["cancel booking", id.as_str(), whose, caller.device()];
        let key = IdempotencyKey::of(&work);
        let call = Call::bare(Method::POST, caller, Part::Bills, path).key(&key);
        self.ask(call, wire::done).await
    }

    /// The booked tables of the signed-in guest, else of the device, also those of before and those given back.
    pub async fn bookings(&self, caller: &Caller) -> Result<Vec<Booking>, Error> {
        self.ask(Call::get(caller, Part::Bills, path()), wire::data_list)
            .await
    }

    /// Books a table.
    pub async fn book(
        &self,
        caller: &Caller,
        booking: &NewBooking,
        key: &IdempotencyKey,
    ) -> Result<Booking, Error> {
        let body = json!({
            "filial_id": booking.venue, "at": booking.at, "guests": booking.guests, "name": booking.name,
            "phone": booking.phone, "comment": booking.comment,
            "items": booking.items.iter().map(OrderItem::to_wire).collect::<Vec<_>>(),
        });
        self.ask(
            Call::post(caller, Part::Bills, path(), &body).key(key),
            wire::data,
        )
        .await
    }
}

impl FromWire for Booking {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        let text = |key| wire.text(key).unwrap_or_default();
        Ok(Self {
            id: wire
                .text("id")
                .and_then(|id| id.parse().ok())
                .ok_or(Bad("booking id"))?,
            venue: wire.id("filial_id", VenueId),
            at: wire
                .text("at")
                .map(When::from_text)
                .ok_or(Bad("booking time"))?,
            guests: wire.count("guests").unwrap_or(1),
            name: text("name"),
            phone: text("phone"),
            comment: text("comment"),
            preorder: wire.text("preorder_id").and_then(|id| id.parse().ok()),
            is_canceled: wire.text("status").as_deref() == Some("canceled"),
        })
    }
}

impl FromWire for Slot {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        Ok(Self {
            time: wire.text("time").ok_or(Bad("slot time"))?,
            at: wire.text("at").map(When::from_text).ok_or(Bad("slot"))?,
            free: wire.flag("free").unwrap_or(false),
        })
    }
}

fn path() -> Path {
    Path::fixed("booking/v1/bookings")
}

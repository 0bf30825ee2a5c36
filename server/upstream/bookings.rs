//! Booked tables.

use serde_json::json;

use super::{
    BillId, Caller, Error, FilialId, IdempotencyKey, OrderItem, Upstream, When,
    address::Path,
    breaker::Part,
    call::Call,
    wire::{self, Bad, FromWire, Wire},
};

/// A table to be booked.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct NewBooking {
    pub filial: FilialId,
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
    pub id: String,
    pub filial: Option<FilialId>,
    pub at: When,
    pub guests: u32,
    pub name: String,
    pub phone: String,
    pub comment: String,
    /// The bill of the dishes.
    pub preorder: Option<BillId>,
}

impl Upstream {
    /// The booked tables of the signed-in guest.
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
            "filial_id": booking.filial, "at": booking.at, "guests": booking.guests, "name": booking.name,
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
            id: wire.text("id").ok_or(Bad("booking id"))?,
            filial: wire.id("filial_id", FilialId),
            at: wire
                .text("at")
                .map(When::from_text)
                .ok_or(Bad("booking time"))?,
            guests: wire.count("guests").unwrap_or(1),
            name: text("name"),
            phone: text("phone"),
            comment: text("comment"),
            preorder: wire.text("preorder_id").and_then(|id| id.parse().ok()),
        })
    }
}

fn path() -> Path {
    Path::fixed("booking/v1/bookings")
}

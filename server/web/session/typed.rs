//! What is typed at the order, kept beside the cart until it is ordered; and at a booking, kept over a sign-in. It may tell
//! of an illness: never shown by `{:?}` (S-21).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Key, Sess, Unavailable};

/// Name, wishes and the way to pay, and the cart that they were typed at.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TypedOrder {
    /// The venue of the cart.
    pub venue: Option<u64>,
    /// The generation of the cart.
    pub generation: i64,
    /// When it was sent last, milliseconds since the epoch.
    pub at: i64,
    /// Empty: the guest wants none. None: it was not in the form.
    pub name: Option<String>,
    /// Wishes for the kitchen.
    pub comment: Option<String>,
    /// Code of the way to pay.
    pub payment: Option<String>,
}

/// What was typed in the form of a booking that was left for the sign-in.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TypedBooking {
    /// The venue.
    pub venue: u64,
    /// When it was left, milliseconds since the epoch.
    pub at: i64,
    /// By the names of the fields.
    pub values: BTreeMap<String, Vec<String>>,
}

/// The page of a booking that was looked at last: from it a guest goes to choose dishes.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookingBegun {
    /// The venue.
    pub venue: u64,
    /// When, milliseconds since the epoch.
    pub at: i64,
    /// Its address, with the day and the number of guests.
    pub address: String,
}

impl Sess {
    /// The page of a booking that was looked at last.
    pub async fn booking_begun(&self) -> Option<BookingBegun> {
        self.get(Key::BookingBegun).await
    }

    /// Keeps it.
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written.
    pub async fn set_booking_begun(&self, begun: &BookingBegun) -> Result<(), Unavailable> {
        self.set(Key::BookingBegun, Some(begun)).await
    }

    /// What was typed in the form of a booking.
    pub async fn typed_booking(&self) -> Option<TypedBooking> {
        self.get(Key::TypedBooking).await
    }

    /// Keeps or forgets it.
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written.
    pub async fn set_typed_booking(&self, typed: Option<&TypedBooking>) -> Result<(), Unavailable> {
        self.set(Key::TypedBooking, typed).await
    }

    /// What was typed at the order last.
    pub async fn typed_order(&self) -> Option<TypedOrder> {
        self.get(Key::TypedOrder).await
    }

    /// Keeps or forgets it.
    ///
    /// # Errors
    /// [`Unavailable`] when the session cannot be written.
    pub async fn set_typed_order(&self, typed: Option<&TypedOrder>) -> Result<(), Unavailable> {
        self.set(Key::TypedOrder, typed).await
    }
}

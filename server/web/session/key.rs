//! Names of the values.

use crate::state::sessions::CART;

/// A value of the session; its name is written here and nowhere else, but for that of the cart, which the store reads, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    Cart,
    ScannedVenues,
    MenuTemp,
    TableAt,
    ArrivedAt,
    SeatsBefore,
    AddressConfirmed,
    FarAccepted,
    LocalAddress,
    ActiveAddress,
    TempAddress,
    DeletedAddress,
    RedirectUrl,
    TownPickerDisabled,
    Age,
    Consent,
    Device,
    Flash,
    OwnOrders,
    Graded,
    Account,
    SignIns,
    Restorable,
    LastUser,
    SignedInAt,
    Fridge,
    FridgePresses,
    Borrowed,
    Push,
    LeftToPayment,
    Left,
    LargeText,
    Asked,
    TypedOrder,
    TypedBooking,
    BookingBegun,
}

impl Key {
    /// The values that change what a page shows. The cart is judged by its lines, as is what was typed beside them, the device is
    /// never shown, the redirect url, a booking that was begun, when the table was last used and the venue come to, the seats of before, when the guest signed in, sign-ins on their way, the push token and the marks of use change no page, the
    /// orders that were graded only pages of this guest.
    pub(super) const VISIBLE: [Self; 12] = [
        Self::LocalAddress,
        Self::TempAddress,
        Self::DeletedAddress,
        Self::ScannedVenues,
        Self::MenuTemp,
        Self::Age,
        Self::Flash,
        Self::OwnOrders,
        Self::Account,
        Self::Restorable,
        Self::LeftToPayment,
        Self::TypedBooking,
    ];

    /// The values that show that a guest was at a tablet. The cart is judged by its lines.
    pub(super) const OF_A_GUEST: [Self; 12] = [
        Self::Account,
        Self::Age,
        Self::DeletedAddress,
        Self::Flash,
        Self::Fridge,
        Self::LargeText,
        Self::LocalAddress,
        Self::OwnOrders,
        Self::Restorable,
        Self::TempAddress,
        Self::TypedBooking,
        Self::TypedOrder,
    ];

    /// The values that are no guest's. The device is not among them: bookings are asked for by it.
    pub(super) const OF_DEVICE: [Self; 4] = [
        Self::MenuTemp,
        Self::TableAt,
        Self::ScannedVenues,
        Self::TownPickerDisabled,
    ];

    /// The values that a sign-in leaves under the id of before, beside a copy of the cart: where the guest is, and the
    /// links to orders, which that id could read before, and whose they are. The device is not among them: bookings are
    /// asked for by it.
    pub(super) const BEFORE_SIGN_IN: [Self; 10] = [
        Self::LastUser,
        Self::Cart,
        Self::LocalAddress,
        Self::OwnOrders,
        Self::MenuTemp,
        Self::TableAt,
        Self::ScannedVenues,
        Self::Age,
        Self::AddressConfirmed,
        Self::TownPickerDisabled,
    ];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Cart => CART,
            Self::ScannedVenues => "tempTerminals",
            Self::MenuTemp => "menuTempData",
            Self::TableAt => "tableAt",
            Self::ArrivedAt => "arrivedAt",
            Self::SeatsBefore => "seatsBefore",
            Self::AddressConfirmed => "addressConfirmed",
            Self::FarAccepted => "farAccepted",
            Self::LocalAddress => "localAddress",
            Self::ActiveAddress => "activeAddress",
            Self::TempAddress => "tempAddress",
            Self::DeletedAddress => "deletedAddress",
            Self::RedirectUrl => "redirectUrl",
            Self::TownPickerDisabled => "townPickerDisabled",
            Self::Age => "ageConfirm",
            Self::Consent => "consent",
            // Not `deviceId`, as before: those could come from a planted cookie.
            Self::Device => "device",
            Self::Flash => "flash",
            Self::OwnOrders => "ownOrders",
            Self::Graded => "gradedOrders",
            Self::Account => "account",
            Self::SignIns => "signIns",
            Self::Restorable => "restorable",
            Self::LastUser => "lastUser",
            Self::SignedInAt => "signedInAt",
            Self::Fridge => "fridge",
            Self::FridgePresses => "fridgePresses",
            Self::Borrowed => "borrowedCart",
            Self::Push => "push",
            Self::LeftToPayment => "leftToPayment",
            Self::Left => "left",
            Self::LargeText => "largeText",
            Self::Asked => "asked",
            Self::TypedOrder => "typedOrder",
            Self::TypedBooking => "typedBooking",
            Self::BookingBegun => "bookingBegun",
        }
    }
}

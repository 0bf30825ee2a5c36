//! Names of the values.

/// A value of the session; its name is written here and nowhere else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    Cart,
    TempTerminals,
    MenuTemp,
    AddressConfirmed,
    RedirectUrl,
    TownPickerDisabled,
    Age,
    Device,
    Flash,
    OwnOrders,
    Account,
    SignIns,
    Push,
    LeftToPayment,
}

impl Key {
    /// The values that change what a page shows. The cart is judged by its lines, the device is
    /// never shown, the redirect url, sign-ins on their way, the push token and the two marks of use change no page.
    pub(super) const VISIBLE: [Self; 7] = [
        Self::TempTerminals,
        Self::MenuTemp,
        Self::Age,
        Self::Flash,
        Self::OwnOrders,
        Self::Account,
        Self::LeftToPayment,
    ];

    /// The values that are no guest's.
    pub(super) const OF_DEVICE: [Self; 4] = [
        Self::Device,
        Self::MenuTemp,
        Self::TempTerminals,
        Self::TownPickerDisabled,
    ];

    /// The values that a sign-in leaves under the id of before: where the guest is, and the cart, nothing that names
    /// anybody. The device is not among them: orders and bookings are asked for by it.
    pub(super) const BEFORE_SIGN_IN: [Self; 6] = [
        Self::Cart,
        Self::MenuTemp,
        Self::TempTerminals,
        Self::Age,
        Self::AddressConfirmed,
        Self::TownPickerDisabled,
    ];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Cart => "cart",
            Self::TempTerminals => "tempTerminals",
            Self::MenuTemp => "menuTempData",
            Self::AddressConfirmed => "addressConfirmed",
            Self::RedirectUrl => "redirectUrl",
            Self::TownPickerDisabled => "townPickerDisabled",
            Self::Age => "ageConfirm",
            // Not `deviceId`, as before: those could come from a cookie that anybody could plant.
            Self::Device => "device",
            Self::Flash => "flash",
            Self::OwnOrders => "ownOrders",
            Self::Account => "account",
            Self::SignIns => "signIns",
            Self::Push => "push",
            Self::LeftToPayment => "leftToPayment",
        }
    }
}

//! Page data of the cart.

use serde::{Deserialize, Serialize};

use super::CartDelivery;
use crate::features::menu::{Product, Venue};
use crate::upstream::{self, PayMethod};
use crate::values::Sum;

/// How an order is paid (PY-01).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum PaymentKind {
    /// Card or QR-pay page.
    Online,
    /// Cash at the venue.
    Cash,
}

impl From<upstream::PaymentKind> for PaymentKind {
    fn from(kind: upstream::PaymentKind) -> Self {
        match kind {
            upstream::PaymentKind::Online => Self::Online,
            upstream::PaymentKind::Cash => Self::Cash,
        }
    }
}

/// A way to pay that a guest can choose (PY-01, PY-02).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum PayWay {
    /// On the bank's page.
    Card,
    /// With the bank's application, by a link or a QR code.
    Qr,
    /// At the venue, or to the courier.
    Cash,
}

impl PayWay {
    /// The way of a form's word; `online` is the upstream's word for the first of them.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        match code {
            "card" | "online" => Some(Self::Card),
            "qr" => Some(Self::Qr),
            "cash" => Some(Self::Cash),
            _ => None,
        }
    }

    /// Its word.
    #[must_use]
    pub fn code(self) -> &'static str {
        self.method().map_or("cash", PayMethod::code)
    }

    /// How it is paid online.
    #[must_use]
    pub const fn method(self) -> Option<PayMethod> {
        match self {
            Self::Card => Some(PayMethod::Card),
            Self::Qr => Some(PayMethod::Qr),
            Self::Cash => None,
        }
    }
}

impl From<PayMethod> for PayWay {
    fn from(method: PayMethod) -> Self {
        match method {
            PayMethod::Card => Self::Card,
            PayMethod::Qr => Self::Qr,
        }
    }
}

/// An order of this cart that waits for its payment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct UnpaidOrder {
    /// What the venue calls it.
    pub number: String,
    /// What it costs, hundredths.
    pub sum: Sum,
    /// Its page of paying.
    pub href: String,
}

/// What a line of the totals stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum TotalKind {
    Goods,
    Service,
    Discount,
    Delivery,
    Bonus,
    Total,
}

/// One line of the totals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Total {
    /// What it stands for.
    pub kind: TotalKind,
    /// Hundredths.
    pub sum: Sum,
    /// Percent, of service.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub percent: Option<u32>,
}

/// A range of minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Minutes {
    /// At least.
    pub min: u32,
    /// At most.
    pub max: u32,
}

/// Page data of `/cart`; the lines are the shell's.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CartPage {
    /// The table's guests pay by its bill.
    pub bill: bool,
    /// Venue of the lines, null for an empty cart or while the upstream does not answer.
    pub venue: Option<Venue>,
    /// Each fee on its own line.
    pub totals: Vec<Total>,
    /// Ways to pay (PY-01).
    pub payments: Vec<PayWay>,
    /// What this cart became and is not paid: pay it or call it off first.
    pub unpaid: Option<UnpaidOrder>,
    /// Cooking time, null when not known (CT-06).
    pub minutes: Option<Minutes>,
    /// Goods that go with it (CT-07).
    pub cross_sell: Vec<Product>,
    /// Why it can't be ordered yet, in order: `empty`, `unpaid`, `checkFailed`, `closed`, `problems`, `table`, `signIn`,
    /// `paused`, `address`, `outOfZone`, `noTariff`, `minSum`, `maxSum`, `confirmAddress`, `far`, `noPayment`.
    pub blocks: Vec<String>,
    /// Name to fill in beforehand.
    pub name: String,
    /// The promo code that the guest has entered (CT-13).
    pub promo: Option<PromoCode>,
    /// Gifts and coupons of a signed-in guest, to be entered by a tap.
    pub offers: Vec<CartOffer>,
    /// Bonuses; null for an empty cart (CT-08).
    pub bonus: Option<CartBonus>,
    /// Bringing it, for deliveries (CT-09).
    pub delivery: Option<CartDelivery>,
    /// The venue lets a guest type the table's number (FL-07).
    pub table_typed: bool,
    /// Metres to the venue, if that is far and the guest has not said that it is all right (ZZ-17).
    #[cfg_attr(test, ts(type = "number | null"))]
    pub far: Option<u32>,
    /// A tablet's order that is handed out at the counter, by its number.
    pub pickup: bool,
    /// A tablet asks for the table on keys of its own.
    pub keypad: bool,
    /// Of an empty cart: the venue whose menu the guest comes from (RT-19).
    pub home: Option<VenueRef>,
    /// Of an empty cart: the order that can be had again (OR-14).
    pub repeat: Option<RepeatCard>,
}

/// What became of a promo code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum PromoState {
    /// It takes something off.
    Applied,
    /// There is no such code.
    Unknown,
    /// It was good once.
    Expired,
    /// The goods are not worth enough for it.
    Small,
    /// It could not be checked.
    Failed,
}

/// A promo code in the cart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PromoCode {
    /// As the guest typed it.
    pub code: String,
    /// What became of it.
    pub state: PromoState,
    /// What it takes off, hundredths.
    pub discount: Sum,
}

/// A gift or coupon of the guest (BL-11).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CartOffer {
    /// Its name.
    pub name: String,
    /// The promo code behind it.
    pub code: String,
}

/// Whether bonuses can be spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum BonusState {
    /// Only by signed-in guests.
    SignIn,
    /// Never for delivery.
    Delivery,
    /// The venue takes none.
    NotHere,
    /// The balance could not be had.
    Failed,
    /// There are none.
    Nothing,
    /// Up to `max`.
    Ready,
}

/// Bonuses as far as they concern the cart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CartBonus {
    /// Whether they can be spent.
    pub state: BonusState,
    /// What the guest has, hundredths.
    pub balance: Sum,
    /// The venue's share: at most so many percent of the goods.
    pub percent: u32,
    /// What may be spent on this cart, hundredths.
    pub max: Sum,
    /// What is spent, hundredths.
    pub used: Sum,
    /// The guest wanted more than may be spent now.
    pub lowered: bool,
}

/// A venue to link to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct VenueRef {
    /// Its id.
    #[cfg_attr(test, ts(type = "number"))]
    pub id: u64,
    /// Its name.
    pub name: String,
}

/// An order that can be had again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RepeatCard {
    /// Upstream id.
    pub order: String,
    /// What the venue calls it.
    pub number: String,
    /// Name of the venue.
    pub venue: String,
    /// What was in it, with counts.
    pub lines: Vec<String>,
}

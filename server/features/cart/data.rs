//! Page data of the cart.

use serde::Serialize;

use crate::{
    features::{
        cart_view::Typed,
        checkout::{CartBonus, CartDelivery, CodeTerms, DoorTime, PromoCode},
        page_data::{Minutes, OrderedLine, PayWay, Product, Total, Venue, VenueRef},
    },
    values::Sum,
};

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
    /// Where it was ordered, if that is another venue than the cart's.
    pub venue: Option<String>,
    /// What of the lines in the cart is part of it.
    pub lines: Vec<OrderedLine>,
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
    /// When it is at the door, null where nothing is brought or that is not known.
    pub door: Option<DoorTime>,
    /// Goods that go with it (CT-07).
    pub cross_sell: Vec<Product>,
    /// Why it can't be ordered yet, in order: `empty`, `unpaid`, `checkFailed`, `closed`, `problems`, `table`, `signIn`,
    /// `paused`, `address`, `addressFailed`, `outOfZone`, `noTariff`, `minSum`, `maxSum`, `confirmAddress`, `far`,
    /// `noPayment`. Of a closed venue nothing after that, unless a table of it is being booked.
    pub blocks: Vec<String>,
    /// Name to fill in beforehand.
    pub name: String,
    /// What was typed at the order before.
    pub typed: Option<Typed>,
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
    /// The page of a booking here that the guest has begun, while there is no table to order to.
    pub booking: Option<String>,
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
    /// What waits aside while the guest orders elsewhere, newest first (FL-06, CT-16).
    pub saved: Vec<SavedCart>,
}

/// The cart of another venue, to be brought back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SavedCart {
    /// Its venue.
    pub venue: VenueRef,
    /// Pieces in all its lines.
    pub count: u32,
}

/// A gift or coupon of the guest (BL-11).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CartOffer {
    /// Its name.
    pub name: String,
    /// The promo code behind it.
    pub code: String,
    /// On what it depends.
    pub terms: CodeTerms,
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

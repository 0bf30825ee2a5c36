//! Page data of an order.

use serde::Serialize;

use crate::{
    features::{
        booking::NextTable,
        page_data::{
            CourierKind, MapCredit, OrderLine, OrderStatus, PaymentKind, Phone, Point, Total,
        },
    },
    values::{MoneyFormat, Service, Sum},
};

/// One step of an order's way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OrderStep {
    /// Status reached by it.
    pub status: OrderStatus,
    /// When it was reached, milliseconds since the epoch.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub at: Option<i64>,
}

/// The venue of an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OrderVenue {
    /// Its id.
    #[cfg_attr(test, ts(type = "number"))]
    pub id: u64,
    /// Its name.
    pub name: String,
    /// Street and building.
    pub address: String,
}

/// What a guest is promised whose order was called off (PY-12).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum RefundPromise {
    /// Nothing was charged.
    Nothing,
    /// The money comes back within minutes (TX-24).
    Minutes,
    /// What was to be brought and came too late is paid back within one business day.
    Day,
}

/// What becomes of the money of an order that was called off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OrderRefund {
    /// What is promised.
    pub promise: RefundPromise,
    /// What is given back, hundredths, when the upstream tells it.
    pub sum: Option<Sum>,
}

/// Who brings an order (OR-09).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OrderCourier {
    /// May be empty.
    pub name: String,
    /// To read and to call.
    pub phone: Option<Phone>,
    /// How it comes.
    pub transport: Option<CourierKind>,
    /// Where that is now.
    pub at: Option<Point>,
    /// Metres to the address.
    pub distance: Option<u32>,
}

/// When an order was promised at the door, milliseconds since the epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OrderPromise {
    /// Then at the earliest.
    #[cfg_attr(test, ts(type = "number"))]
    pub from: i64,
    /// And by then.
    #[cfg_attr(test, ts(type = "number"))]
    pub until: i64,
}

impl OrderPromise {
    /// So many minutes after it was placed.
    pub(super) fn of(placed_at: i64, (min, max): (u32, u32)) -> Self {
        let after = |minutes: u32| placed_at + i64::from(minutes) * 60_000;
        Self {
            from: after(min),
            until: after(max),
        }
    }
}

/// Where an order is brought to, and by whom: told to who has placed it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OrderDelivery {
    /// Street and building.
    pub address: String,
    /// Of the building; may be empty, as the next two.
    pub entrance: String,
    /// Number of the floor.
    pub floor: String,
    /// Flat or office.
    pub apartment: String,
    /// Word to the courier; may be empty.
    pub comment: String,
    /// On the map.
    pub to: Option<Point>,
    /// Who brings it.
    pub courier: Option<OrderCourier>,
    /// No courier is on the way yet.
    pub waiting: bool,
    /// What its cart said of the time at the door, until that is over or its courier is expected in time.
    pub promise: Option<OrderPromise>,
    /// Whose map it is.
    pub credit: Option<MapCredit>,
}

/// What a guest says of an order that is over (OR-12).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OrderGrade {
    /// A grade is requested: once.
    pub requested: bool,
    /// One to five, once it was given.
    pub given: Option<u32>,
}

/// Page data of an order; also what its event stream sends.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct OrderPage {
    /// Upstream id.
    pub id: String,
    /// What the venue calls it.
    pub number: String,
    /// Kind of service.
    pub service: Service,
    /// Status now.
    pub status: OrderStatus,
    /// Furthest rank reached; progress never runs backwards.
    pub rank: u32,
    /// The way for this service, with times where known.
    pub steps: Vec<OrderStep>,
    /// How it is paid.
    pub payment: PaymentKind,
    /// It was paid online.
    pub paid: bool,
    /// Where an order is paid that waits for it.
    pub pay_href: Option<String>,
    /// The fiscal receipt of the payment (PY-17).
    pub receipt: Option<String>,
    /// What becomes of the money, once it was called off.
    pub refund: Option<OrderRefund>,
    /// Paid with a card, hundredths (PY-11).
    pub card_sum: Option<Sum>,
    /// Bonuses given for it, hundredths.
    pub cashback: Option<Sum>,
    /// When it was placed, milliseconds since the epoch.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub created_at: Option<i64>,
    /// The same in the upstream's words, where they are no time that this program can read (OR-05).
    pub created_words: Option<String>,
    /// When the next status is expected.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub next_at: Option<i64>,
    /// The end of that, when two times lie ahead: it comes between them (OR-06).
    #[cfg_attr(test, ts(type = "number | null"))]
    pub next_until: Option<i64>,
    /// When it will be ready, as long as that lies ahead. What is brought sets out then.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub ready_at: Option<i64>,
    /// By then it should be there: what is brought at the door, everything else ready. After that it is late.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub due_at: Option<i64>,
    /// Once it is late, while it waits to be fetched, and once it was called off: the venue's phone, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub contact: Option<Phone>,
    /// Server time of this reading.
    #[cfg_attr(test, ts(type = "number"))]
    pub read_at: i64,
    /// Nothing follows.
    pub r#final: bool,
    /// Why it was cancelled (OR-04).
    pub reason: Option<String>,
    /// Where it is made.
    pub venue: OrderVenue,
    /// How its sums are written.
    pub money: MoneyFormat,
    /// Minutes east of UTC at the venue.
    pub utc_offset: i32,
    /// False without the capability: nothing personal is told (ZZ-06).
    pub personal: bool,
    /// Table number.
    pub table: Option<String>,
    /// It is handed out at the counter, by its number.
    pub pickup: bool,
    /// Where it is brought to.
    pub delivery: Option<OrderDelivery>,
    /// The chat that tells of it (OR-10).
    pub chat: Option<String>,
    /// Where goods were taken that are not cooked or handed over: their order has a view of its own, which leads there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub fridge: Option<String>,
    /// The guest may take it back: it is not cooked yet.
    pub can_cancel: bool,
    /// The guest is asked whether to take it back.
    pub cancelling: bool,
    /// What the guest says of it.
    pub grade: OrderGrade,
    /// It shows something that most orders do not, and that has code of its own.
    pub care: bool,
    /// The guest's wishes.
    pub comment: Option<String>,
    /// Positions.
    pub lines: Vec<OrderLine>,
    /// Sums.
    pub totals: Vec<Total>,
    /// Address of the event stream.
    pub events: String,
}

/// What an order of a list costs, and what became of the money.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OrderSum {
    /// Hundredths, if the upstream tells it.
    pub sum: Option<Sum>,
    /// It was called off, and nothing was charged for it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, type = "true"))]
    pub uncharged: bool,
    /// What of it is given back.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub refund: Option<Sum>,
    /// How that is written where it was ordered.
    pub money: MoneyFormat,
}

/// One order in the list of a guest's orders.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct OrderRow {
    /// Upstream id.
    pub id: String,
    /// What the venue calls it.
    pub number: String,
    /// Kind of service; none of a fridge.
    pub service: Option<Service>,
    /// Status now.
    pub status: OrderStatus,
    /// How it is paid.
    pub payment: PaymentKind,
    /// It was paid online.
    pub paid: bool,
    /// Minutes east of UTC there.
    pub utc_offset: i32,
    /// Name of the venue.
    pub venue: String,
    /// Its town, where orders of the list were placed by different clocks.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub town: Option<String>,
    /// When it was placed, milliseconds since the epoch.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub at: Option<i64>,
    /// The same in the upstream's words, where they are no time that this program can read (OR-05).
    pub words: Option<String>,
    /// Nothing follows.
    pub r#final: bool,
    /// What it costs.
    #[serde(flatten)]
    pub sum: OrderSum,
}

/// An order of the account that is not over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OpenOrder {
    /// What the venue calls it.
    pub number: String,
    /// Its page.
    pub href: String,
}

/// Page data of `/orders`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct OrdersPage {
    /// Only orders of this service.
    pub service: Option<Service>,
    /// Services to choose from.
    pub services: Vec<Service>,
    /// Those on their way first, then by their time.
    pub orders: Vec<OrderRow>,
    /// Placed in this browser and not by this account, on the first page.
    pub here: Vec<PlacedOrder>,
    /// The tables that the guest has booked, the next one first, on the first page.
    pub tables: Vec<NextTable>,
    /// From 1.
    pub page: u32,
    /// At least 1.
    pub last_page: u32,
    /// The upstream did not answer: the page offers a retry.
    pub failed: bool,
}

/// An order of this session: its page is open to who has placed it, signed in or not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PlacedOrder {
    /// What the venue calls it.
    pub number: String,
    /// Its page.
    pub href: String,
    /// When it was placed, milliseconds since the epoch.
    #[cfg_attr(test, ts(type = "number"))]
    pub at: i64,
    /// Its status, if the upstream tells it.
    pub status: OrderStatus,
    /// Kind of service, if the upstream tells it: what becomes of an order is called by it.
    pub service: Option<Service>,
    /// Name of the venue; may be empty.
    pub venue: String,
    /// Minutes east of UTC there.
    pub utc_offset: i32,
    /// It waits for its payment; `href` is where it is paid then.
    pub unpaid: bool,
    /// What it costs.
    #[serde(flatten)]
    pub sum: OrderSum,
}

/// An order whose outcome is not known yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CheckingPage {
    /// Idempotency key of the attempt.
    pub key: String,
    /// It is not sent any more unless the guest asks for it; none: it is.
    pub left: Option<LeftOrder>,
}

/// An order that has been of unknown outcome for so long that its guest may not want it any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LeftOrder {
    /// The venue knows whether it has the order.
    pub phone: Option<Phone>,
}

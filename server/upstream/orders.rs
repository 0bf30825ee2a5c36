//! An order after it was placed: its status, times and lines (OR-02 to OR-06, OR-08).

use time::{OffsetDateTime, format_description::well_known::Rfc3339};

use super::{
    Address, Caller, Error, OrderId, Payment, ProductId, Upstream, VenueId,
    address::Path,
    breaker::Part,
    call::Call,
    found::Thing,
    query::Query,
    venue::PaymentKind,
    wire::{self, Bad, FromWire, Wire},
};
pub use crate::values::OrderKind;
use crate::values::{Service, Sum};

/// Where an order stands (OR-02, OR-03).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OrderStatus {
    /// Accepted.
    Created,
    /// In the kitchen.
    Cooking,
    /// Can be fetched.
    Ready,
    /// With the courier.
    Delivery,
    /// Handed over.
    Completed,
    /// Called off.
    Canceled,
    /// A status that this program does not know.
    Unknown,
}

/// A moment as the upstream tells it (OR-05).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum When {
    /// Ended with Z: milliseconds since the epoch, to be shown in the town's time.
    Utc(i64),
    /// Anything else, to be shown as it is.
    Local(String),
}

/// An order as the caller may see it.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    /// Its id.
    pub id: OrderId,
    /// What the venue calls it.
    pub number: String,
    /// Kind of the order.
    pub kind: OrderKind,
    /// The service behind the kind; `None` for a fridge and for a kind that this program does not know.
    pub service: Option<Service>,
    /// Where it stands.
    pub status: OrderStatus,
    /// What is written on the table.
    pub table_number: Option<String>,
    /// What it costs.
    pub sum: Option<Sum>,
    /// Goods alone.
    pub goods_sum: Option<Sum>,
    /// Service charge alone.
    pub service_sum: Option<Sum>,
    /// Bringing it.
    pub delivery_sum: Option<Sum>,
    /// Taken off by a promo code.
    pub discount_sum: Option<Sum>,
    /// Given back after it was called off.
    pub refund_sum: Option<Sum>,
    /// How it is paid.
    pub payment: Option<PaymentKind>,
    /// Paid online already.
    pub is_paid: bool,
    /// The last attempt to pay it online.
    pub attempt: Option<Payment>,
    /// Where it is brought to.
    pub address: Option<Address>,
    /// Part paid by card.
    pub paid_with_card: Sum,
    /// Part paid with bonuses.
    pub bonus_paid: Sum,
    /// Bonuses given for it.
    pub cashback_given: Sum,
    /// One to five, once the guest has said (OR-12).
    pub grade: Option<u32>,
    /// Word to the venue.
    pub comment: Option<String>,
    /// Of the guest.
    pub name: Option<String>,
    /// When it was placed.
    pub created_at: Option<When>,
    /// Minutes.
    pub cooking_time: Option<u32>,
    /// When the next status usually comes (OR-06).
    pub next_average_time: Option<When>,
    /// When the next status is promised.
    pub next_status_time: Option<When>,
    /// What it went through.
    pub statuses: Vec<StatusAt>,
    /// Its lines.
    pub positions: Vec<OrderPosition>,
    /// The venue.
    pub venue_id: Option<VenueId>,
    /// Name of the venue.
    pub venue_name: String,
    /// Address of the venue.
    pub venue_address: String,
    /// Brand of the venue.
    pub brand_name: String,
    /// Why it was called off (OR-04).
    pub cancel_reason: Option<String>,
    /// The caller may see what is personal.
    pub personal: bool,
}

/// A status that was reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusAt {
    /// Which one.
    pub status: OrderStatus,
    /// When.
    pub time: Option<When>,
}

/// One line of an order as it was taken.
#[derive(Debug, Clone, PartialEq)]
pub struct OrderPosition {
    /// Which product.
    pub product: Option<ProductId>,
    /// Its name then.
    pub name: String,
    /// Pieces.
    pub count: u32,
    /// Of one piece.
    pub price: Option<Sum>,
    /// Of the line.
    pub sum: Option<Sum>,
    /// Options: name and pieces.
    pub additives: Vec<(String, u32)>,
    /// The guest's wish to the kitchen.
    pub comment: Option<String>,
}

impl Upstream {
    /// An order as the caller may see it: whole for who placed it, the status alone for others.
    pub async fn order(&self, caller: &Caller, id: &OrderId) -> Result<Order, Error> {
        let call = Call::get(
            caller,
            Part::Tracking,
            Path::fixed("takeaway/v2/user/order"),
        );
        let query = Query::new().with("order_id", id);
        let order = self.ask(call.query(query), wire::data::<Order>).await?;
        if order.id == *id {
            self.note_found(Thing::Order(id.clone()));
            Ok(order)
        } else {
            Err(Error::BadAnswer {
                why: "another order",
            })
        }
    }
}

impl OrderStatus {
    pub(super) fn from_wire(wire: Wire<'_>) -> Self {
        match wire.raw().as_str() {
            Some("created") => Self::Created,
            Some("cooking") => Self::Cooking,
            Some("ready") => Self::Ready,
            Some("delivery") => Self::Delivery,
            Some("completed") => Self::Completed,
            Some("canceled") => Self::Canceled,
            _ => Self::Unknown,
        }
    }
}

fn kind(wire: Wire<'_>) -> OrderKind {
    wire.raw()
        .as_str()
        .and_then(OrderKind::from_code)
        .unwrap_or(OrderKind::Unknown)
}

impl When {
    /// Only times that end with Z are moments; a Z that ends no time stays text.
    pub(super) fn from_text(text: String) -> Self {
        let utc = text
            .ends_with('Z')
            .then(|| OffsetDateTime::parse(&text, &Rfc3339).ok())
            .flatten();
        match utc.and_then(|moment| i64::try_from(moment.unix_timestamp_nanos() / 1_000_000).ok()) {
            Some(milliseconds) => Self::Utc(milliseconds),
            None => Self::Local(text),
        }
    }

    /// Milliseconds since the epoch, if the upstream told a moment.
    #[must_use]
    pub fn utc(&self) -> Option<i64> {
        match self {
            Self::Utc(milliseconds) => Some(*milliseconds),
            Self::Local(_) => None,
        }
    }

    /// The last millisecond before it: what ends at a midnight has its last day before it.
    #[must_use]
    pub fn last_moment(&self) -> Option<i64> {
        self.utc().map(|end| end - 1)
    }
}

impl FromWire for Order {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        let id = wire.order_id("id").ok_or(Bad("order id"))?;
        let current = wire.get("current_order_status");
        let venue = wire.get("filial");
        let text = |wire: Wire<'_>, key| wire.text(key).unwrap_or_default();
        let status = match OrderStatus::from_wire(current.get("status")) {
            OrderStatus::Unknown => OrderStatus::from_wire(wire.get("status")),
            known => known,
        };
        let kind = kind(wire.get("type"));
        Ok(Self {
            number: wire.text("number").unwrap_or_else(|| id.to_string()),
            kind,
            service: kind.service(),
            status,
            table_number: wire.text("table_number"),
            sum: wire.price("sum"),
            goods_sum: wire.price("goods_sum"),
            service_sum: wire.price("service_sum"),
            payment: wire
                .text("payment_type")
                .and_then(|code| PaymentKind::from_code(&code)),
            delivery_sum: wire.price("delivery_sum"),
            discount_sum: wire.price("discount_sum"),
            refund_sum: wire.price("refund_sum"),
            is_paid: wire.flag("is_paid").unwrap_or(false),
            attempt: wire.node("payment"),
            address: wire.node("address"),
            paid_with_card: wire.price("paid_with_card").unwrap_or_default(),
            bonus_paid: wire.price("bonus_paid").unwrap_or_default(),
            cashback_given: wire.price("cashback_given").unwrap_or_default(),
            grade: wire.count("grade"),
            comment: wire.text("comment"),
            name: wire.text("name"),
            created_at: when(wire, "created_at"),
            cooking_time: wire.count("cooking_time"),
            next_average_time: when(current, "next_average_time"),
            next_status_time: when(current, "next_status_time"),
            statuses: wire.list("statuses"),
            positions: wire.list("positions"),
            venue_id: venue.id("id", VenueId),
            venue_name: text(venue, "name"),
            venue_address: text(venue, "address"),
            brand_name: text(venue, "brand_name"),
            cancel_reason: wire.text("cancel_reason"),
            // What is not said to be the caller's is another guest's.
            personal: wire.flag("personal").unwrap_or(false),
            id,
        })
    }
}

impl FromWire for StatusAt {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        let status = OrderStatus::from_wire(wire.object("status")?.get("status"));
        Ok(Self {
            status,
            time: when(wire, "time"),
        })
    }
}

impl FromWire for OrderPosition {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        let additive = |wire: Wire<'_>| {
            let name = wire.text("name").ok_or(Bad("additive name"))?;
            Ok((name, wire.count("count").unwrap_or(1)))
        };
        Ok(Self {
            product: wire.id("product_id", ProductId),
            name: wire.text("name").ok_or(Bad("position name"))?,
            count: wire.count("count").unwrap_or(1),
            price: wire.price("price"),
            sum: wire.price("sum"),
            additives: wire.get("additives").elements(additive),
            comment: wire.text("comment"),
        })
    }
}

fn when(wire: Wire<'_>, key: &str) -> Option<When> {
    wire.text(key).map(When::from_text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_times_that_end_with_z_are_moments() {
        let when = |text: &str| When::from_text(text.to_owned());
        assert_eq!(when("2026-11-21T06:10:00Z"), When::Utc(1_795_241_400_000));
        assert_eq!(
            when("2026-11-21T06:10:00.250Z"),
            When::Utc(1_795_241_400_250)
        );
        for local in [
            "2026-11-21T11:10:00",
            "2026-11-21T11:10:00+05:00",
            "11:10",
            "Z",
            "soonZ",
        ] {
            assert_eq!(when(local), When::Local(local.to_owned()));
        }
    }
}

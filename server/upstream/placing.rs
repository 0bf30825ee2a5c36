//! Placing an order of any of the five kinds, once per key (OR-01, HT-02, ZZ-11, R-01).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{
    Address, Caller, Class, Error, IdempotencyKey, OrderId, OrderItem, OrderStatus, PayPage,
    Payment, PaymentKind, TableId, Transport, Upstream, VenueId,
    address::Path,
    breaker::Part,
    call::Call,
    wire::{self, Bad, FromWire, Wire, sum_to_wire},
};
use crate::values::Sum;

/// An order as it is sent.
#[derive(Debug, Clone, PartialEq)]
pub struct OrderDraft {
    /// The venue.
    pub venue: VenueId,
    /// How it gets to the guest; this is the kind of the order.
    pub serving: Serving,
    /// How the guest came to the venue; none: on their own.
    pub source: Option<Source>,
    /// How it will be paid.
    pub paying: Paying,
    /// Of the guest; may be empty.
    pub name: String,
    /// Word to the venue; may be empty.
    pub comment: String,
    /// What is ordered.
    pub items: Vec<OrderItem>,
    /// What the guest was told it costs.
    pub expected_sum: Sum,
    /// Bonuses to be spent.
    pub bonus: Sum,
    /// May be empty.
    pub promo_code: String,
}

/// How an order gets to the guest.
#[derive(Debug, Clone, PartialEq)]
pub enum Serving {
    /// Brought to a table of the venue.
    Express {
        /// Where the guest sits; none for an order of a tablet that is handed out at the counter.
        table: Option<TableId>,
        /// The venue that others are linked to.
        main_venue: Option<VenueId>,
    },
    /// Picked up.
    Takeaway,
    /// Brought to an address.
    Delivery {
        /// Where to.
        address: Address,
        /// By whom; the cheapest tariff if not told.
        transport: Option<Transport>,
    },
    /// Brought by the venue's own couriers.
    VendorDelivery {
        /// Where to.
        address: Address,
    },
    /// Taken from a fridge.
    Micromarket,
}

/// Where the guest came from (FL-10).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Source {
    /// A self-service fridge.
    Fridge,
    /// A table's QR code.
    Qr,
    /// A QR code on a stand.
    StandQr,
    /// A kiosk tablet.
    Tablet,
    /// A QR code shown on a kiosk tablet.
    TabletQr,
    /// An entry in a directory of places. The specification does not show its word.
    Directory,
}

/// How an order will be paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Paying {
    /// In cash.
    Cash,
    /// Online, on a page of the bank if one is told.
    Online(Option<PayPage>),
}

/// An express order in short, as a table QR link makes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpressOrder {
    /// The venue.
    pub venue: VenueId,
    /// The venue that others are linked to.
    pub main_venue: Option<VenueId>,
    /// Where the guest sits.
    pub table: TableId,
    /// How it will be paid.
    pub payment: PaymentKind,
    /// Of the guest; may be empty.
    pub name: String,
    /// Word to the venue; may be empty.
    pub comment: String,
    /// What is ordered.
    pub items: Vec<OrderItem>,
    /// What the guest was told it costs.
    pub expected_sum: Sum,
}

/// What came of placing an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewOrder {
    /// Its id.
    pub id: OrderId,
    /// What the venue calls it.
    pub number: String,
    /// Where it stands.
    pub status: OrderStatus,
    /// What it costs.
    pub sum: Option<Sum>,
    /// Where it has to be paid now, if online.
    pub payment: Option<Payment>,
}

impl Upstream {
    /// Places an order. The same key places it once, however often it is called; after an error whose outcome is
    /// unknown only the same key may be used again.
    pub async fn place_order(
        &self,
        caller: &Caller,
        order: &OrderDraft,
        key: &IdempotencyKey,
    ) -> Result<NewOrder, Error> {
        let caller = caller.with_class(Class::Order);
        let path = Path::fixed(order.serving.path());
        let call = Call::post(&caller, Part::Orders, path, &order.to_wire())
            .key(key)
            .country(&caller);
        self.ask(call, wire::data).await
    }

    /// Places an order for a table: `place_order` in short.
    pub async fn place_express_order(
        &self,
        caller: &Caller,
        order: &ExpressOrder,
        key: &IdempotencyKey,
    ) -> Result<NewOrder, Error> {
        self.place_order(caller, &OrderDraft::from(order), key)
            .await
    }
}

impl Serving {
    const fn path(&self) -> &'static str {
        match self {
            Self::Express { .. } => "takeaway/v1/express/order",
            Self::Takeaway => "takeaway/v1/takeaway/order",
            Self::Delivery { .. } => "takeaway/v1/delivery/order",
            Self::VendorDelivery { .. } => "takeaway/v1/vendor-delivery/order",
            Self::Micromarket => "takeaway/v1/micromarket/order",
        }
    }

    fn put(&self, body: &mut Map<String, Value>) {
        match self {
            Self::Express { table, main_venue } => {
                body.insert("table_id".to_owned(), json!(table));
                body.insert("main_terminal_id".to_owned(), json!(main_venue));
            }
            Self::Delivery { address, transport } => {
                body.insert("address".to_owned(), address.to_wire());
                body.insert(
                    "transport_type".to_owned(),
                    json!(transport.map(Transport::code)),
                );
            }
            Self::VendorDelivery { address } => {
                drop(body.insert("address".to_owned(), address.to_wire()))
            }
            Self::Takeaway | Self::Micromarket => {}
        }
    }
}

impl Source {
    const ALL: [Self; 6] = [
        Self::Fridge,
        Self::Qr,
        Self::StandQr,
        Self::Tablet,
        Self::TabletQr,
        Self::Directory,
    ];

    /// The source of a word, in whatever letters a link has it.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|source| source.code().eq_ignore_ascii_case(code))
    }

    /// Stands for a tablet of the venue.
    #[must_use]
    pub const fn is_tablet(self) -> bool {
        matches!(self, Self::Tablet | Self::TabletQr)
    }

    /// The specification's word.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Fridge => "FRIDGE",
            Self::Qr => "QR",
            Self::StandQr => "STANDQR",
            Self::Tablet => "TABLET",
            Self::TabletQr => "TABLETQR",
            Self::Directory => "DIRECTORY",
        }
    }
}

impl OrderDraft {
    fn to_wire(&self) -> Value {
        let mut body = Map::new();
        let mut put = |key: &str, value: Value| drop(body.insert(key.to_owned(), value));
        put("filial_id", json!(self.venue));
        if let Some(source) = self.source {
            put("source", json!(source.code()));
        }
        put("name", json!(self.name));
        put("comment", json!(self.comment));
        put("items", self.items.iter().map(OrderItem::to_wire).collect());
        put("expected_sum", sum_to_wire(self.expected_sum));
        if self.bonus.0 > 0 {
            put("bonus", sum_to_wire(self.bonus));
        }
        if !self.promo_code.is_empty() {
            put("promo_code", json!(self.promo_code));
        }
        match &self.paying {
            Paying::Cash => put("payment_type", json!("cash")),
            Paying::Online(page) => {
                put("payment_type", json!("online"));
                if let Some(page) = page {
                    put("payment_method", json!(page.method.code()));
                    put("success_url", json!(page.success_url));
                    put("failure_url", json!(page.failure_url));
                }
            }
        }
        self.serving.put(&mut body);
        Value::Object(body)
    }
}

impl From<&ExpressOrder> for OrderDraft {
    fn from(order: &ExpressOrder) -> Self {
        Self {
            venue: order.venue,
            serving: Serving::Express {
                table: Some(order.table.clone()),
                main_venue: order.main_venue,
            },
            source: Some(Source::Qr),
            paying: match order.payment {
                PaymentKind::Cash => Paying::Cash,
                PaymentKind::Online => Paying::Online(None),
            },
            name: order.name.clone(),
            comment: order.comment.clone(),
            items: order.items.clone(),
            expected_sum: order.expected_sum,
            bonus: Sum(0),
            promo_code: String::new(),
        }
    }
}

impl FromWire for NewOrder {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        let id = wire.order_id("id").ok_or(Bad("order id"))?;
        // An id alone may be a spoilt answer's; believed, it would hide the order that was made. Not believed, the
        // same key is sent again and brings the truth.
        if wire.get("status").as_text().is_none() {
            return Err(Bad("order status"));
        }
        Ok(Self {
            number: wire.text("number").unwrap_or_else(|| id.to_string()),
            status: OrderStatus::from_wire(wire.get("status")),
            sum: wire.price("sum"),
            payment: wire.node("payment"),
            id,
        })
    }
}

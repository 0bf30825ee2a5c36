//! Bills of tables and of preorders: read anew each time, as the waiter adds to them and other phones pay them.

use serde_json::{Map, Value, json};

use super::{
    BillId, Caller, Class, Error, IdempotencyKey, PayPage, Payment, PaymentStatus, ProductId,
    Table, TableId, Upstream, VenueId, When,
    address::Path,
    breaker::Part,
    call::Call,
    found::Thing,
    query::Query,
    wire::{self, Bad, FromWire, Wire, sum_to_wire},
};
use crate::values::Sum;

/// A bill.
#[derive(Debug, Clone, PartialEq)]
pub struct Bill {
    /// Its id.
    pub id: BillId,
    /// What the venue calls it.
    pub number: String,
    /// The venue.
    pub venue: Option<VenueId>,
    /// The table, of a bill of one.
    pub table: Option<Table>,
    /// Of a booking.
    pub is_preorder: bool,
    /// Nothing can be paid any more.
    pub is_closed: bool,
    /// When it was opened.
    pub created_at: Option<When>,
    /// What it is for.
    pub items: Vec<BillItem>,
    /// Goods alone.
    pub goods_sum: Sum,
    /// Whole percent added for service.
    pub service_percentage: u32,
    /// That in money.
    pub service_sum: Sum,
    /// All of it.
    pub sum: Sum,
    /// Paid by all guests.
    pub paid_sum: Sum,
    /// What is left to pay.
    pub left_sum: Sum,
    /// The parts that were paid or are being paid.
    pub parts: Vec<BillPart>,
    /// The guest's first bill here (ZZ-15).
    pub is_first_payment: bool,
    /// Percent given back.
    pub cashback_percentage: f64,
    /// Most bonuses that can be spent.
    pub max_bonus: Sum,
    /// Tips on offer, in percent.
    pub tips_percentages: Vec<u32>,
    /// Name of the waiter.
    pub waiter: Option<String>,
}

/// One line of a bill.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct BillItem {
    pub product: Option<ProductId>,
    pub name: String,
    pub count: u32,
    pub price: Sum,
    pub sum: Sum,
}

/// A part that a guest pays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BillPart {
    /// Of the bill.
    pub sum: Sum,
    /// On top of it.
    pub tips: Sum,
    /// Of the sum, with bonuses.
    pub bonus: Sum,
    /// How it stands.
    pub status: PaymentStatus,
    /// The caller's own.
    pub mine: bool,
}

impl BillPart {
    /// Its sum, its tips and its bonuses: a bill does not name its parts, and these tell them apart.
    #[must_use]
    pub const fn sums(&self) -> (Sum, Sum, Sum) {
        (self.sum, self.tips, self.bonus)
    }
}

impl Bill {
    /// What was charged for it: with tips, without bonuses. Where no part tells it, what is paid of the bill: what bonuses
    /// have paid, or was given back, is told by its parts, and is no money.
    #[must_use]
    pub fn charged(&self) -> Sum {
        if self.parts.iter().any(was_paid) {
            self.money_of(PaymentStatus::Succeeded)
        } else {
            self.paid_sum
        }
    }

    /// Whether the caller's own part of these sums was given back. A bill does not name its parts.
    #[must_use]
    pub fn has_refunded(&self, sums: (Sum, Sum, Sum)) -> bool {
        let is_it = |part: &&BillPart| part.mine && part.sums() == sums;
        let mut own = self.parts.iter().filter(is_it).peekable();
        own.peek().is_some() && own.all(|part| part.status == PaymentStatus::Refunded)
    }

    /// What of the money is given back.
    #[must_use]
    pub fn refunded(&self) -> Sum {
        self.money_of(PaymentStatus::Refunded)
    }

    /// What bonuses have paid of it.
    #[must_use]
    pub fn bonuses(&self) -> Sum {
        self.bonuses_of(PaymentStatus::Succeeded)
    }

    /// What of the bonuses is given back.
    #[must_use]
    pub fn refunded_bonuses(&self) -> Sum {
        self.bonuses_of(PaymentStatus::Refunded)
    }

    fn bonuses_of(&self, status: PaymentStatus) -> Sum {
        let parts = self.parts.iter().filter(|part| part.status == status);
        Sum(parts.map(|part| part.bonus.0).sum())
    }

    fn money_of(&self, status: PaymentStatus) -> Sum {
        let parts = self.parts.iter().filter(|part| part.status == status);
        let money = parts.map(|part| part.sum.0 + part.tips.0 - part.bonus.0);
        Sum(money.sum::<i64>().max(0))
    }
}

/// Whether a part was paid, be it given back since.
const fn was_paid(part: &BillPart) -> bool {
    matches!(
        part.status,
        PaymentStatus::Succeeded | PaymentStatus::Refunded
    )
}

/// What the guest wants to pay of a bill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BillPay {
    /// All that is left, when `None`.
    pub sum: Option<Sum>,
    /// On top of it.
    pub tips: Sum,
    /// Of the sum, with bonuses.
    pub bonus: Sum,
    /// The page of the bank.
    pub page: PayPage,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BillPayment {
    /// Its id.
    pub id: String,
    /// Of the bill.
    pub sum: Sum,
    /// On top of it.
    pub tips: Sum,
    /// With bonuses.
    pub bonus: Sum,
    /// Given back.
    pub cashback: Sum,
    /// How it stands, in the upstream's words.
    pub status: String,
    /// Where it has to be paid now; nothing when bonuses paid it all.
    pub payment: Option<Payment>,
}

impl Upstream {
    /// The open bill of a table; `NotFound` if it has none.
    pub async fn bill(
        &self,
        caller: &Caller,
        venue: VenueId,
        table: &TableId,
        main_venue: Option<VenueId>,
    ) -> Result<Bill, Error> {
        let query = Query::new()
            .with("filial_id", venue)
            .with("table_id", table)
            .maybe("main_terminal_id", main_venue);
        let call = Call::get(caller, Part::Bills, Path::fixed("bills/v1/bill"));
        let bill = self.ask(call.query(query), wire::data).await?;
        self.note_found(Thing::Table(venue, table.clone()));
        Ok(bill)
    }

    /// The bill of what was ordered with a booking.
    pub async fn preorder(&self, caller: &Caller, id: &BillId) -> Result<Bill, Error> {
        let call = Call::get(caller, Part::Bills, Path::with("bills/v1/preorder/{}", id));
        let bill = self.ask(call, wire::data).await?;
        self.note_found(Thing::Preorder(id.clone()));
        Ok(bill)
    }

    /// Pays a part of a bill, once per key.
    pub async fn pay_bill(
        &self,
        caller: &Caller,
        id: &BillId,
        pay: &BillPay,
        key: &IdempotencyKey,
    ) -> Result<BillPayment, Error> {
        let caller = caller.with_class(Class::Order);
        let path = Path::with("bills/v1/bill/{}/payments", id);
        self.ask(
            Call::post(&caller, Part::Bills, path, &pay.to_wire()).key(key),
            wire::data,
        )
        .await
    }

    /// One to five for how it was, by a part that was paid (PY-09).
    pub async fn grade_bill(
        &self,
        caller: &Caller,
        part: &str,
        grade: u8,
        comment: &str,
        tags: &[String],
    ) -> Result<(), Error> {
        // Parts are named as bills are.
        let part: BillId = part.parse().map_err(|_| Error::NotFound)?;
        let body = json!({ "grade": grade, "comment": comment, "tags": tags });
        let path = Path::with("bills/v1/payment/{}/grade", &part);
        let mut call = Call::post(caller, Part::Bills, path, &body);
        // However often it is pressed, a part has one grade.
        let key = IdempotencyKey::new(&format!("grade.{part}"));
        if let Some(key) = &key {
            call = call.key(key);
        }
        self.ask(call, wire::done).await
    }

    /// Calls off a part that is not paid yet, and tells how it stands then: a bank may have been quicker. As often as one
    /// likes: it is one and the same part.
    pub async fn cancel_bill_payment(
        &self,
        caller: &Caller,
        part: &str,
    ) -> Result<PaymentStatus, Error> {
        let part: BillId = part.parse().map_err(|_| Error::NotFound)?;
        let path = Path::with("bills/v1/payment/{}/cancel", &part);
        let call = Call::post(caller, Part::Bills, path, &json!({}));
        let payment: BillPayment = self.ask(call, wire::data).await?;
        Ok(PaymentStatus::of(&payment.status))
    }

    /// Calls the waiter to a table that has no bill yet.
    pub async fn call_waiter_to_table(
        &self,
        caller: &Caller,
        venue: VenueId,
        table: &TableId,
        main_venue: Option<VenueId>,
    ) -> Result<(), Error> {
        let body = json!({
            "filial_id": venue.0,
            "table_id": table.as_str(),
            "main_terminal_id": main_venue.map(|main| main.0),
        });
        let path = Path::fixed("bills/v1/waiter-call");
        self.ask(Call::post(caller, Part::Bills, path, &body), wire::done)
            .await
    }

    /// Calls the waiter to the table.
    pub async fn call_waiter(&self, caller: &Caller, id: &BillId) -> Result<(), Error> {
        let path = Path::with("bills/v1/bill/{}/waiter-call", id);
        self.ask(
            Call::post(caller, Part::Bills, path, &json!({})),
            wire::done,
        )
        .await
    }
}

impl BillPay {
    fn to_wire(&self) -> Value {
        let mut body = Map::new();
        let mut put = |key: &str, value: Value| drop(body.insert(key.to_owned(), value));
        if let Some(sum) = self.sum {
            put("sum", sum_to_wire(sum));
        }
        put("tips", sum_to_wire(self.tips));
        put("bonus", sum_to_wire(self.bonus));
        put("method", json!(self.page.method.code()));
        put("success_url", json!(self.page.success_url));
        put("failure_url", json!(self.page.failure_url));
        Value::Object(body)
    }
}

impl FromWire for Bill {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        let sum = |key| wire.price(key).unwrap_or_default();
        let id = wire
            .text("id")
            .and_then(|id| id.parse().ok())
            .ok_or(Bad("bill id"))?;
        // What is to be paid is never guessed.
        let need = |key: &'static str| wire.price(key).ok_or(Bad(key));
        Ok(Self {
            number: wire.text("number").unwrap_or_default(),
            venue: wire.id("filial_id", VenueId),
            table: wire.node("table"),
            is_preorder: wire.flag("is_preorder").unwrap_or(false),
            is_closed: wire.get("status").raw().as_str() != Some("open"),
            created_at: wire.text("created_at").map(When::from_text),
            items: wire.list("items"),
            goods_sum: sum("goods_sum"),
            service_percentage: wire.count("service_percentage").unwrap_or(0),
            service_sum: sum("service_sum"),
            sum: need("sum")?,
            paid_sum: sum("paid_sum"),
            left_sum: need("left_sum")?,
            parts: wire.list("payments"),
            is_first_payment: wire.flag("is_first_payment").unwrap_or(false),
            cashback_percentage: wire.number("cashback_percentage").unwrap_or(0.0),
            max_bonus: sum("max_bonus"),
            tips_percentages: wire.get("tips_percentages").elements(|percent| {
                percent
                    .raw()
                    .as_u64()
                    .and_then(|percent| percent.try_into().ok())
                    .ok_or(Bad("tips"))
            }),
            waiter: wire.get("waiter").text("name"),
            id,
        })
    }
}

impl FromWire for BillItem {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        Ok(Self {
            product: wire.id("product_id", ProductId),
            name: wire.text("name").ok_or(Bad("item name"))?,
            count: wire.count("count").unwrap_or(1),
            price: wire.price("price").unwrap_or_default(),
            sum: wire.price("sum").ok_or(Bad("item sum"))?,
        })
    }
}

impl FromWire for BillPart {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        Ok(Self {
            sum: wire.price("sum").ok_or(Bad("part sum"))?,
            tips: wire.price("tips").unwrap_or_default(),
            bonus: wire.price("bonus").unwrap_or_default(),
            status: PaymentStatus::of(&wire.text("status").unwrap_or_default()),
            mine: wire.flag("mine").unwrap_or(false),
        })
    }
}

impl FromWire for BillPayment {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        let sum = |key| wire.price(key).unwrap_or_default();
        Ok(Self {
            id: wire.text("id").ok_or(Bad("payment id"))?,
            sum: wire.price("sum").ok_or(Bad("payment sum"))?,
            tips: sum("tips"),
            bonus: sum("bonus"),
            cashback: sum("cashback"),
            status: wire.text("status").unwrap_or_default(),
            payment: wire.node("payment"),
        })
    }
}

//! Attempts to pay online: opened with an order, ended on a page of the bank, read back here.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    Caller, Class, Error, IdempotencyKey, OrderId, PaymentId, Upstream, When,
    address::Path,
    breaker::Part,
    call::Call,
    wire::{self, Bad, FromWire, Wire},
};
use crate::values::Sum;

/// Which page the guest pays on and where it leads back to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayPage {
    /// Card or QR.
    pub method: PayMethod,
    /// Where to after a payment.
    pub success_url: String,
    /// Where to without one.
    pub failure_url: String,
}

/// How an online payment is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PayMethod {
    /// With a card.
    #[default]
    Card,
    /// By a QR code that the bank's application scans.
    Qr,
}

/// An attempt to pay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payment {
    /// Its id.
    pub id: PaymentId,
    /// How it stands.
    pub status: PaymentStatus,
    /// What is paid.
    pub sum: Option<Sum>,
    /// ISO code.
    pub currency: String,
    /// How.
    pub method: Option<PayMethod>,
    /// The page of the bank; http(s) only.
    pub url: Option<String>,
    /// Id of the order, bill or tip that is paid.
    pub subject_id: String,
    /// Opens the bank's application on the phone itself; http(s) only.
    pub deep_link: Option<String>,
    /// When the bank gives it up, if it says so.
    pub expires_at: Option<When>,
    /// The fiscal receipt of what was paid; http(s) only (PY-17).
    pub receipt_url: Option<String>,
}

/// How an attempt stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PaymentStatus {
    /// Not ended.
    Pending,
    /// Paid.
    Succeeded,
    /// Refused by the bank.
    Declined,
    /// Given up by the guest.
    Abandoned,
    /// Given up by the bank.
    TimedOut,
    /// Paid and given back.
    Refunded,
    /// A status that this program does not know: neither paid nor lost.
    Unknown,
}

impl PaymentStatus {
    /// The word of the upstream.
    pub(super) fn of(word: &str) -> Self {
        match word {
            "pending" => Self::Pending,
            "succeeded" => Self::Succeeded,
            "declined" => Self::Declined,
            "abandoned" => Self::Abandoned,
            "timed_out" => Self::TimedOut,
            "refunded" => Self::Refunded,
            _ => Self::Unknown,
        }
    }
}

impl Upstream {
    /// How an attempt stands. The return from the bank's page proves nothing, this does.
    pub async fn payment(&self, caller: &Caller, id: &PaymentId) -> Result<Payment, Error> {
        let call = Call::get(
            caller,
            Part::Payments,
            Path::with("payments/v1/payment/{}", id),
        );
        self.ask(call, wire::data).await
    }

    /// One more attempt for an order that is not paid.
    pub async fn pay_order(
        &self,
        caller: &Caller,
        order: &OrderId,
        page: &PayPage,
        key: &IdempotencyKey,
    ) -> Result<Payment, Error> {
        let caller = caller.with_class(Class::Order);
        let body = json!({
            "method": page.method.code(), "success_url": page.success_url, "failure_url": page.failure_url,
        });
        let call = Call::post(
            &caller,
            Part::Payments,
            Path::with("takeaway/v1/order/{}/payment", order),
            &body,
        );
        self.ask(call.key(key), wire::data).await
    }
}

impl PayMethod {
    /// The upstream's word.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Card => "card",
            Self::Qr => "qr",
        }
    }

    /// The method of a word.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        [Self::Card, Self::Qr]
            .into_iter()
            .find(|method| method.code() == code)
    }
}

impl FromWire for Payment {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        Ok(Self {
            id: wire
                .text("id")
                .and_then(|id| id.parse().ok())
                .ok_or(Bad("payment id"))?,
            status: PaymentStatus::of(wire.get("status").raw().as_str().unwrap_or_default()),
            sum: wire.price("sum"),
            currency: wire.text("currency").unwrap_or_default(),
            method: wire
                .text("method")
                .and_then(|code| PayMethod::from_code(&code)),
            url: wire.link("url"),
            subject_id: wire.text("subject_id").unwrap_or_default(),
            deep_link: wire.link("deep_link"),
            expires_at: wire.text("expires_at").map(When::from_text),
            receipt_url: wire.link("receipt_url"),
        })
    }
}

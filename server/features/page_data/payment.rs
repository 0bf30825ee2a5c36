//! Ways to pay, and what is paid.

use serde::{Deserialize, Serialize};

use crate::{
    upstream::{self, PayMethod},
    values::Sum,
};

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
    /// The ways to pay online (PY-02). A tablet shows the code that the guest's phone pays: the page of a bank would not
    /// forget its guest, and nothing leads back from it (KS-05, KS-06).
    #[must_use]
    pub const fn online(on_tablet: bool) -> &'static [Self] {
        if on_tablet {
            &[Self::Qr]
        } else {
            &[Self::Card, Self::Qr]
        }
    }

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
    Refund,
    Kept,
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

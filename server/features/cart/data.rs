//! Page data of the cart.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::features::menu::{Product, Venue};
use crate::values::Sum;

/// How an order is paid (PY-01).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export_to = "page-data.ts")]
pub enum PaymentKind {
    /// Card or QR-pay page.
    Online,
    /// Cash at the venue.
    Cash,
}

/// What a line of the totals stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export_to = "page-data.ts")]
#[expect(missing_docs, reason = "the names say it")]
pub enum TotalKind {
    Goods,
    Service,
    Discount,
    Delivery,
    Total,
}

/// One line of the totals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "page-data.ts")]
pub struct Total {
    /// What it stands for.
    pub kind: TotalKind,
    /// Hundredths.
    pub sum: Sum,
    /// Percent, of service.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub percent: Option<u32>,
}

/// A range of minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[ts(export_to = "page-data.ts")]
pub struct Minutes {
    /// At least.
    pub min: u32,
    /// At most.
    pub max: u32,
}

/// Page data of `/cart`; the lines are the shell's.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "page-data.ts")]
pub struct CartPage {
    /// Venue of the lines, null for an empty cart or while the upstream does not answer.
    pub venue: Option<Venue>,
    /// Each fee on its own line.
    pub totals: Vec<Total>,
    /// Ways to pay (PY-01).
    pub payments: Vec<PaymentKind>,
    /// Cooking time, null when not known (CT-06).
    pub minutes: Option<Minutes>,
    /// Goods that go with it (CT-07).
    pub cross_sell: Vec<Product>,
    /// Why it can't be ordered yet, in order: `empty`, `checkFailed`, `closed`, `problems`, `table`, `noPayment`, `signIn`.
    pub blocks: Vec<String>,
    /// Name to fill in beforehand.
    pub name: String,
}

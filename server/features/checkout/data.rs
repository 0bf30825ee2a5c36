//! What takes something off.

use serde::Serialize;

use crate::{
    upstream::{Offer, When},
    values::Sum,
};

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
    /// On what it depends.
    pub terms: CodeTerms,
}

/// What a promo code takes off and on what it depends, as far as the upstream tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CodeTerms {
    /// Of a gift or coupon: whole percent off.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub percent: Option<u32>,
    /// Of a gift or coupon: the sum off, hundredths.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub off: Option<Sum>,
    /// For how much of goods it counts at least, hundredths.
    pub from: Option<Sum>,
    /// The last moment at which it counts, milliseconds since the epoch.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub until: Option<i64>,
}

impl CodeTerms {
    /// As the upstream tells them.
    #[must_use]
    pub fn of(min_sum: Option<Sum>, expires_at: Option<&When>) -> Self {
        Self {
            from: min_sum.filter(|sum| sum.0 > 0),
            until: expires_at.and_then(When::last_moment),
            ..Self::default()
        }
    }

    /// Those of a gift or coupon.
    #[must_use]
    pub fn of_offer(offer: &Offer) -> Self {
        Self {
            percent: offer.percentage.filter(|percent| *percent > 0),
            off: offer.discount.filter(|sum| sum.0 > 0),
            ..Self::of(offer.min_sum, offer.expires_at.as_ref())
        }
    }
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

//! The minutes to the door that a cart shows, and their way through the order's form: the upstream says none once it has
//! the order, and a browser is believed only what it was shown (S-17).

use serde::Serialize;

use super::CartDelivery;
use crate::{
    features::page_data::Minutes,
    keys::{seal::Keys, sign::Signer},
    state::carts::Cart,
};

/// What the signatures are for.
const PURPOSE: &str = "time at the door";
/// Letters of a signature, 6 bits each.
const SIGNATURE: usize = 22;

/// When what is brought is at the door, counted from the order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DoorTime {
    /// At least.
    pub min: u32,
    /// At most.
    pub max: u32,
    /// The same as the order repeats it: `43-48.` and its signature.
    pub signed: String,
}

impl DoorTime {
    /// The kitchen's minutes and those on the way, where it is known how long each way to bring it takes.
    #[must_use]
    pub fn of(
        keys: &Keys,
        cart: &Cart,
        kitchen: Option<Minutes>,
        delivery: Option<&CartDelivery>,
    ) -> Option<Self> {
        let (kitchen, delivery) = (kitchen?, delivery?);
        let ways = delivery.tariffs.iter();
        let ways = ways.map(|tariff| tariff.minutes.filter(|minutes| *minutes > 0));
        let ways: Vec<u32> = ways.collect::<Option<_>>()?;
        let min = kitchen.min.saturating_add(*ways.iter().min()?);
        let max = kitchen.max.saturating_add(*ways.iter().max()?);
        let range = format!("{min}-{max}");
        let signature = signer(keys).sign::<SIGNATURE>(&[&message(cart, delivery, &range)]);
        let signed = format!("{range}.{signature}");
        Some(Self { min, max, signed })
    }

    /// The minutes of a form, if they were shown with this version of this cart and this address.
    #[must_use]
    pub fn read(
        keys: &Keys,
        cart: &Cart,
        delivery: &CartDelivery,
        signed: &str,
    ) -> Option<(u32, u32)> {
        let (range, signature) = signed.split_once('.')?;
        let message = message(cart, delivery, range);
        let is_own = signer(keys).is_signed::<SIGNATURE>(&[&message], signature);
        let (min, max) = range.split_once('-').filter(|_| is_own)?;
        Some((min.parse().ok()?, max.parse().ok()?))
    }
}

fn signer(keys: &Keys) -> Signer {
    Signer::new(keys, PURPOSE)
}

/// No part of it has a space.
fn message(cart: &Cart, delivery: &CartDelivery, range: &str) -> Vec<u8> {
    let (id, version, mark) = (cart.id.as_str(), cart.version, &delivery.mark);
    format!("{id} {version} {mark} {range}").into_bytes()
}

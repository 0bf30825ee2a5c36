//! How far an order is.

use crate::{
    features::page_data::OrderStatus,
    upstream::{self, Order, OrderKind},
};

/// The places on the way that the upstream tells of an order.
pub(super) fn ranks(order: &Order) -> impl Iterator<Item = u32> + '_ {
    order
        .statuses
        .iter()
        .map(|step| step.status)
        .chain([order.status])
        .map(|known| status(known).rank())
}

/// The status of an order: it never goes back behind what was reached (OR-03). Of the goods of a
/// fridge there is nothing between the first and the last.
pub(super) fn furthest(order: &Order) -> OrderStatus {
    let now = status(order.status);
    if now == OrderStatus::Unknown {
        return now;
    }
    let furthest = order
        .statuses
        .iter()
        .map(|step| status(step.status))
        .filter(|step| step.rank() > now.rank())
        .max_by_key(|step| step.rank())
        .unwrap_or(now);
    match order.kind {
        OrderKind::Micromarket if !furthest.is_final() => OrderStatus::Created,
        _ => furthest,
    }
}

/// A status of the upstream as pages show it.
pub(super) const fn status(status: upstream::OrderStatus) -> OrderStatus {
    match status {
        upstream::OrderStatus::Created => OrderStatus::Created,
        upstream::OrderStatus::Cooking => OrderStatus::Cooking,
        upstream::OrderStatus::Ready => OrderStatus::Ready,
        upstream::OrderStatus::Delivery => OrderStatus::Delivery,
        upstream::OrderStatus::Completed => OrderStatus::Completed,
        upstream::OrderStatus::Canceled => OrderStatus::Canceled,
        upstream::OrderStatus::Unknown => OrderStatus::Unknown,
    }
}

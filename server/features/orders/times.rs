//! The times of an order: which of them are moments, what lies ahead, what came too late.

use super::status::status;
use crate::{
    features::page_data::OrderStatus,
    upstream::{Meta, Order, When},
};

/// When the next status comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Next {
    /// Then, or from then on.
    pub at: Option<i64>,
    /// And by then.
    pub until: Option<i64>,
    /// It should have come by then: that time has passed.
    pub missed: Option<i64>,
}

/// When an order was placed.
pub struct Placed {
    /// Milliseconds since the epoch.
    pub at: Option<i64>,
    /// In the upstream's words, where they are no time that this program can read (OR-05).
    pub words: Option<String>,
}

/// When an order was placed, by the clock of its venue.
#[must_use]
pub fn placed(order: &Order, meta: &Meta) -> Placed {
    let created_at = order.created_at.as_ref();
    let at = millis(created_at, meta);
    Placed {
        at,
        words: created_at.filter(|_| at.is_none()).and_then(words),
    }
}

/// The usual time of the next status and the promised one: a range when both lie ahead, else the one that does (OR-06).
/// What has passed is no time at which something comes. They are about the status that the upstream calls the present
/// one: when more was reached already, or nothing follows, they tell nothing.
pub(super) fn next(order: &Order, furthest: OrderStatus, meta: &Meta, now: i64) -> Next {
    if furthest.is_final() || status(order.status) != furthest {
        return Next::default();
    }
    let usual = millis(order.next_average_time.as_ref(), meta);
    let promised = millis(order.next_status_time.as_ref(), meta);
    let ahead = |at: Option<i64>| at.filter(|at| *at > now);
    match (ahead(usual), ahead(promised)) {
        (Some(one), Some(other)) if one != other => Next {
            at: Some(one.min(other)),
            until: Some(one.max(other)),
            missed: None,
        },
        (None, None) => Next {
            missed: usual.max(promised),
            ..Next::default()
        },
        (one, other) => Next {
            at: one.or(other),
            ..Next::default()
        },
    }
}

/// Whether an order that was to be brought was called off after it should have been there: after the time that was still
/// promised then, else after the minutes that the kitchen asked for when it was placed.
pub(super) fn is_late(
    order: &Order,
    meta: &Meta,
    created_at: Option<i64>,
    canceled_at: i64,
) -> bool {
    let kitchen = || {
        let minutes = order.cooking_time.filter(|minutes| *minutes > 0)?;
        Some(created_at? + i64::from(minutes) * 60_000)
    };
    let promised = millis(order.next_status_time.as_ref(), meta).or_else(kitchen);
    promised.is_some_and(|promised| canceled_at > promised)
}

/// What follows cooking is ready; before it, what the kitchen needs is all that is known.
pub(super) fn ready_at(
    status: OrderStatus,
    next_at: Option<i64>,
    created_at: Option<i64>,
    cooking: Option<u32>,
) -> Option<i64> {
    let promised = || {
        let minutes = i64::from(cooking.filter(|minutes| *minutes > 0)?);
        Some(created_at? + minutes * 60_000)
    };
    match status {
        OrderStatus::Created => promised(),
        OrderStatus::Cooking => next_at.or_else(promised),
        OrderStatus::Ready
        | OrderStatus::Delivery
        | OrderStatus::Completed
        | OrderStatus::Canceled
        | OrderStatus::Unknown => None,
    }
}

/// What is no moment is shown as it is (OR-05); a moment that can't be read tells a guest nothing.
pub(super) fn words(when: &When) -> Option<String> {
    match when {
        When::Local(text) => Some(text.trim())
            .filter(|text| !text.is_empty() && !text.ends_with('Z') && text.chars().count() <= 40)
            .map(str::to_owned),
        When::Utc(_) => None,
    }
}

/// Times with a Z are moments; others are the venue's own wall clock and are shown as they are (OR-05).
pub(super) fn millis(when: Option<&When>, meta: &Meta) -> Option<i64> {
    match when? {
        When::Utc(millis) => Some(*millis),
        When::Local(text) => {
            let format =
                time::macros::format_description!("[year]-[month]-[day]T[hour]:[minute]:[second]");
            let text: String = text.replace(' ', "T").chars().take(19).collect();
            let local = time::PrimitiveDateTime::parse(&text, format)
                .ok()?
                .assume_utc();
            Some((local.unix_timestamp() - i64::from(meta.utc_offset) * 60) * 1000)
        }
    }
}

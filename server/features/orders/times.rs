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

impl Next {
    /// When it begins at the latest, or should have begun.
    fn begins(&self) -> Option<i64> {
        self.until.or(self.at).or(self.missed)
    }
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

/// What is known of the minutes that a kitchen needs for an order.
pub(super) struct Kitchen {
    /// When it was placed.
    pub placed_at: Option<i64>,
    /// What the kitchen needs.
    pub minutes: Option<u32>,
    /// How long it has waited for its payment, milliseconds: who pays at the bank takes their time, and the minutes are
    /// counted from when the kitchen has begun. None as long as it has not.
    pub waited: Option<i64>,
    /// When the bank gives up a payment: by then it was paid.
    pub paid_by: Option<i64>,
}

impl Kitchen {
    /// When it was to be done, counted from when it has begun.
    pub fn done_by(&self) -> Option<i64> {
        Some(self.placed_at? + self.waited? + self.lasts()?)
    }

    /// The same of what has not begun yet: counted from when that is expected, so that no dish is ready before it is cooked.
    fn done_after(&self, begins: Option<i64>) -> Option<i64> {
        let placed_at = self.placed_at?;
        let promised = self.done_by();
        let is_before = promised.is_none_or(|at| begins.is_some_and(|begins| at <= begins));
        match begins.filter(|_| is_before) {
            Some(begins) => Some(begins + self.lasts()?),
            None => promised.or_else(|| Some(placed_at + self.lasts()?)),
        }
    }

    /// How long it has waited for its payment, or may have.
    pub fn waits(&self) -> i64 {
        let at_most = || Some((self.paid_by? - self.placed_at?).max(0));
        self.waited.or_else(at_most).unwrap_or(0)
    }

    fn lasts(&self) -> Option<i64> {
        let minutes = self.minutes.filter(|minutes| *minutes > 0)?;
        Some(i64::from(minutes) * 60_000)
    }
}

/// By when it was to be ready: the time that its guest was told last. What is not begun yet, and of which nobody says when it
/// begins, may have been paid only when the bank was about to give that up.
pub(super) fn due_at(status: OrderStatus, next: &Next, kitchen: &Kitchen) -> Option<i64> {
    if status != OrderStatus::Created {
        return kitchen.done_by();
    }
    let is_known = kitchen.waited.is_some() || next.begins().is_some();
    let waits = if is_known { 0 } else { kitchen.waits() };
    Some(kitchen.done_after(next.begins())? + waits)
}

/// What follows cooking is ready; before it, what the kitchen needs is all that is known.
pub(super) fn ready_at(status: OrderStatus, next: &Next, kitchen: &Kitchen) -> Option<i64> {
    match status {
        OrderStatus::Created => kitchen.done_after(next.begins()),
        OrderStatus::Cooking => next.at.or_else(|| kitchen.done_by()),
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

//! An order of the upstream as its pages show it.

use super::{
    OrderDelivery, OrderGrade, OrderPage, OrderPromise, OrderRefund, OrderStep, OrderVenue,
    RefundPromise, bringing,
    status::{furthest, ranks, status},
    times::{self, Kitchen},
    view::View,
};
use crate::{
    features::{
        cart_view::counted,
        fridge,
        order_venue::Venue,
        page_data::{OrderLine, OrderStatus, PaymentKind, Total, TotalKind},
    },
    upstream::{self, Meta, Order, OrderKind, PaymentStatus},
    values::{Service, Sum},
};

/// So long after it was placed a guest is asked how an order was, milliseconds.
const REQUESTED_FOR: i64 = 7 * 24 * 3_600_000;

/// An order as its page shows it.
pub(super) fn page(order: &Order, bringing: &bringing::Known, view: &View, now: i64) -> OrderPage {
    let (venue, meta) = (&view.venue, &view.venue.meta);
    let is_of_fridge = order.kind == OrderKind::Micromarket;
    let service = order.service.unwrap_or(match is_of_fridge {
        true => Service::Takeaway,
        false => Service::Express,
    });
    let status = furthest(order);
    let reached = |wanted: OrderStatus| reached(order, wanted, meta);
    let rank = ranks(order).max().unwrap_or_default();
    let mut way = vec![OrderStatus::Created];
    if !is_of_fridge {
        way.extend([OrderStatus::Cooking, OrderStatus::Ready]);
    }
    if service == Service::Delivery {
        way.push(OrderStatus::Delivery);
    }
    way.push(OrderStatus::Completed);
    if status == OrderStatus::Canceled {
        way.retain(|step| *step == OrderStatus::Created || reached(*step).is_some());
        way.push(OrderStatus::Canceled);
    }
    let created_at = created_at(order, meta);
    let next = times::next(order, status, meta, now);
    let payment = payment(order);
    // What is not paid is not cooked.
    let is_begun = payment == PaymentKind::Cash || order.is_paid;
    let promise = promise(view, created_at)
        .filter(|_| is_begun && service == Service::Delivery && !status.is_final());
    let due_at = due_at(order, meta, promise, now);
    let canceled_at = reached(OrderStatus::Canceled).unwrap_or(now);
    let is_canceled = status == OrderStatus::Canceled;
    let refund =
        is_canceled.then(|| refund(order, times::is_late(order, meta, created_at, canceled_at)));
    let mut page = OrderPage {
        id: order.id.to_string(),
        number: order.number.clone(),
        service,
        status,
        rank,
        steps: way
            .into_iter()
            .map(|status| OrderStep {
                at: reached(status),
                status,
            })
            .collect(),
        payment,
        // The attempt may know of the money before the order does.
        paid: order.is_paid || is_charged(order),
        pay_href: view
            .pay
            .clone()
            .filter(|_| order.personal && payment == PaymentKind::Online)
            .filter(|_| !order.is_paid && status == OrderStatus::Created),
        receipt: order
            .attempt
            .as_ref()
            .and_then(|attempt| attempt.receipt_url.clone())
            .filter(|_| order.personal && !view.is_tablet),
        refund,
        // Nothing was paid for what was called off and never charged, and it has earned nothing.
        card_sum: personal_sum(order, order.paid_with_card).filter(|_| !is_uncharged(order)),
        cashback: personal_sum(order, order.cashback_given).filter(|_| !is_canceled),
        created_at,
        created_words: order
            .created_at
            .as_ref()
            .filter(|_| created_at.is_none())
            .and_then(times::words),
        next_at: next.at,
        next_until: next.until,
        ready_at: ready_at(order, meta, now),
        due_at,
        contact: venue.phone.clone().filter(|_| {
            let is_late = due_at.is_some_and(|due| due <= now);
            let is_fetched = status == OrderStatus::Ready
                && (service == Service::Takeaway || is_pickup(order, service));
            !is_of_fridge && (is_late || is_fetched || is_canceled)
        }),
        read_at: now,
        r#final: status.is_final(),
        reason: order
            .cancel_reason
            .clone()
            .filter(|reason| !reason.trim().is_empty()),
        venue: OrderVenue {
            id: venue.id.0,
            name: order.venue_name.clone(),
            address: order.venue_address.clone(),
        },
        money: meta.money.clone(),
        utc_offset: meta.utc_offset,
        personal: order.personal,
        table: order.table_number.clone().filter(|_| order.personal),
        pickup: is_pickup(order, service),
        delivery: bringing::delivery(order, bringing, view.credit.clone()).map(|delivery| {
            // One who is on the way and expected in time is told as such; a later time does not take the promise back.
            let is_expected = |by: i64| {
                let ends = next.until.or(next.at);
                status == OrderStatus::Delivery && ends.is_some_and(|ends| ends <= by)
            };
            let holds = |promise: &OrderPromise| promise.until > now && !is_expected(promise.until);
            OrderDelivery {
                promise: promise.filter(holds),
                ..delivery
            }
        }),
        chat: view
            .chat
            .clone()
            .filter(|_| order.personal && !status.is_final()),
        fridge: is_of_fridge.then(|| goods(venue)),
        // What was taken can't be given back here; what is not paid is called off where it is paid.
        can_cancel: order.personal && status == OrderStatus::Created && !is_of_fridge,
        cancelling: false,
        grade: OrderGrade {
            requested: order.personal
                && status == OrderStatus::Completed
                && order.grade.is_none()
                && !view.has_graded
                && created_at.is_none_or(|at| now - at < REQUESTED_FOR),
            given: order.grade.filter(|_| order.personal),
        },
        comment: order
            .comment
            .clone()
            .filter(|comment| order.personal && !comment.is_empty()),
        lines: lines(order),
        totals: totals(order, venue.percent),
        events: view.events.clone(),
        care: false,
    };
    page.care = page.fridge.is_none()
        && (page.delivery.is_some()
            || page.refund.is_some()
            || page.grade.requested
            || page.grade.given.is_some()
            || page.card_sum.is_some()
            || page.cashback.is_some()
            || page.receipt.is_some());
    page
}

/// Whether it is handed out at the counter of a venue that serves.
const fn is_pickup(order: &Order, service: Service) -> bool {
    matches!(service, Service::Express) && order.personal && order.table_number.is_none()
}

/// When a status was reached.
fn reached(order: &Order, wanted: OrderStatus, meta: &Meta) -> Option<i64> {
    order
        .statuses
        .iter()
        .find(|step| status(step.status) == wanted)
        .and_then(|step| times::millis(step.time.as_ref(), meta))
}

fn created_at(order: &Order, meta: &Meta) -> Option<i64> {
    times::millis(order.created_at.as_ref(), meta)
        .or_else(|| reached(order, OrderStatus::Created, meta))
}

/// What this browser was promised of the time at its door, by the clock of all its other times: the answer to an order may
/// come long after the order, and no promise is made anew by it.
fn promise(view: &View, created_at: Option<i64>) -> Option<OrderPromise> {
    let own = view.own.as_ref()?;
    Some(OrderPromise::of(
        created_at.unwrap_or(own.placed_at),
        own.door?,
    ))
}

/// When it will be ready, as long as that lies ahead; what is brought is ready before it sets out. What is not
/// paid yet is not cooked, nor are goods of a fridge.
pub(super) fn ready_at(order: &Order, meta: &Meta, now: i64) -> Option<i64> {
    let is_of_fridge = order.kind == OrderKind::Micromarket;
    if is_of_fridge || !(payment(order) == PaymentKind::Cash || order.is_paid) {
        return None;
    }
    let status = furthest(order);
    let next = times::next(order, status, meta, now);
    times::ready_at(status, &next, &kitchen(order, meta)).filter(|at| *at > now)
}

/// By when it should be there. Of what is brought: the end of what its cart has promised, else the time that its courier
/// was expected by. Of everything else, and of what is brought to somebody who was promised nothing here, while it is cooked:
/// the end of the kitchen's minutes, else the time that it was expected to be ready by.
fn due_at(order: &Order, meta: &Meta, promise: Option<OrderPromise>, now: i64) -> Option<i64> {
    let status = furthest(order);
    let next = times::next(order, status, meta, now);
    let kitchen = kitchen(order, meta);
    if let Some(promise) = promise {
        return Some(promise.until + kitchen.waits());
    }
    if status == OrderStatus::Delivery {
        return next.missed.filter(|_| order.personal);
    }
    let is_open = matches!(status, OrderStatus::Created | OrderStatus::Cooking);
    let is_begun = payment(order) == PaymentKind::Cash || order.is_paid;
    if !is_open || !is_begun || order.kind == OrderKind::Micromarket {
        return None;
    }
    // Before it is cooked its next step is no end.
    let missed = next.missed.filter(|_| status == OrderStatus::Cooking);
    times::due_at(status, &next, &kitchen).or(missed)
}

/// What is known of the kitchen's minutes.
fn kitchen(order: &Order, meta: &Meta) -> Kitchen {
    let placed_at = created_at(order, meta);
    Kitchen {
        placed_at,
        minutes: order.cooking_time,
        waited: match payment(order) {
            PaymentKind::Cash => Some(0),
            _ => reached(order, OrderStatus::Cooking, meta)
                .zip(placed_at)
                .map(|(begun, placed)| (begun - placed).max(0)),
        },
        paid_by: order
            .attempt
            .as_ref()
            .and_then(|attempt| times::millis(attempt.expires_at.as_ref(), meta)),
    }
}

/// How it is paid; what is not told is cash.
pub(super) fn payment(order: &Order) -> PaymentKind {
    match order.payment {
        Some(upstream::PaymentKind::Online) => PaymentKind::Online,
        Some(upstream::PaymentKind::Cash) | None => PaymentKind::Cash,
    }
}

/// What becomes of the money (PY-12). An order is charged when the upstream says that it is paid, that its last payment
/// went well, or what it gives back.
fn refund(order: &Order, is_late: bool) -> OrderRefund {
    let sum = given_back(order);
    let promise = if !is_charged(order) {
        RefundPromise::Nothing
    } else if order.service == Some(Service::Delivery) && is_late {
        RefundPromise::Day
    } else {
        RefundPromise::Minutes
    };
    OrderRefund {
        sum: sum.filter(|_| order.personal),
        promise,
    }
}

fn is_charged(order: &Order) -> bool {
    let paid = order.attempt.as_ref().is_some_and(|attempt| {
        matches!(
            attempt.status,
            PaymentStatus::Succeeded | PaymentStatus::Refunded
        )
    });
    let online = payment(order) == PaymentKind::Online;
    online && (order.is_paid || paid || given_back(order).is_some())
}

/// Whether it was called off, and nothing was charged for it.
pub(super) fn is_uncharged(order: &Order) -> bool {
    furthest(order) == OrderStatus::Canceled && !is_charged(order)
}

/// What is given back of what was paid online, whole or in part.
pub(super) fn given_back(order: &Order) -> Option<Sum> {
    let online = payment(order) == PaymentKind::Online;
    order.refund_sum.filter(|sum| online && sum.0 > 0)
}

/// A sum above zero, for the guest who has placed the order.
fn personal_sum(order: &Order, sum: Sum) -> Option<Sum> {
    (order.personal && sum.0 > 0).then_some(sum)
}

fn lines(order: &Order) -> Vec<OrderLine> {
    if !order.personal {
        return Vec::new();
    }
    order
        .positions
        .iter()
        .map(|position| OrderLine {
            name: position.name.clone(),
            qty: position.count,
            sum: position.sum.unwrap_or_default(),
            options: position
                .additives
                .iter()
                .map(|(name, count)| counted(name, *count))
                .collect(),
            note: position
                .comment
                .clone()
                .filter(|note| !note.trim().is_empty()),
        })
        .collect()
}

fn totals(order: &Order, percent: Option<u32>) -> Vec<Total> {
    let line = |kind, sum: Option<Sum>| {
        sum.map(|sum| Total {
            kind,
            sum,
            percent: percent.filter(|_| kind == TotalKind::Service),
        })
    };
    if !order.personal {
        return Vec::new();
    }
    let back = given_back(order);
    [
        line(TotalKind::Goods, order.goods_sum),
        line(
            TotalKind::Service,
            order.service_sum.filter(|sum| sum.0 > 0),
        ),
        line(
            TotalKind::Delivery,
            order.delivery_sum.filter(|sum| sum.0 > 0),
        ),
        line(
            TotalKind::Discount,
            order
                .discount_sum
                .filter(|sum| sum.0 > 0)
                .map(|sum| Sum(-sum.0)),
        ),
        line(
            TotalKind::Bonus,
            (order.bonus_paid.0 > 0).then_some(Sum(-order.bonus_paid.0)),
        ),
        line(TotalKind::Total, order.sum),
        line(TotalKind::Refund, back.map(|back| Sum(-back.0))),
        line(
            TotalKind::Kept,
            back.zip(order.sum)
                .map(|(back, sum)| Sum(sum.0 - back.0))
                .filter(|rest| rest.0 >= 0),
        ),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Where the goods of a venue are taken: a fridge has its door, other venues the menu.
fn goods(venue: &Venue) -> String {
    match venue.is_fridge {
        true => fridge::path(venue.id),
        false => format!("/filials/{}", venue.id),
    }
}

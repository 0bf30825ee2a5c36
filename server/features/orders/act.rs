//! What a guest does with an order: takes it back before it is cooked, says how it was.

use axum::extract::{Path, State};

use super::{live::Watchers, reader::Reader};
use crate::{
    error::Error,
    features::{
        grade::Grade,
        reorder::put_back,
        taking_back::{Turn, turn},
    },
    upstream::{self, Caller, Order, OrderId, OrderStatus, Upstream},
    web::{
        change::{
            form::Form,
            outcome::{ErrorCode, Notice, Outcome},
        },
        visit::Visit,
    },
};

/// A reason is cut here.
const LONGEST_REASON: usize = 200;

/// What is noted of an order that was taken back: whether it had dishes that may be in the cart again.
pub(super) const DISHES: &str = "dishes";

/// `POST /orders/{id}/cancel`: the answer to the question of `?step=cancel`. Whatever it comes to, the page of the order
/// tells it. However many press at once, one call is made.
///
/// # Errors
/// Not found for what is no order of this guest; the upstream's own refusals; when the store does not answer.
pub async fn cancel(
    State(watchers): State<Watchers>,
    visit: Visit,
    Path(id): Path<String>,
    form: Form,
) -> Result<Outcome, Error> {
    let id: OrderId = id.parse().map_err(|_| Error::NotFound("order"))?;
    let reader = Reader::of(&visit, &id).await;
    let reason: String = form
        .get("reason")
        .unwrap_or_default()
        .chars()
        .take(LONGEST_REASON)
        .collect();
    let press = match turn(&visit, &reader.caller, "order", id.as_str()).await? {
        Turn::Ours(press) => press,
        Turn::Done(note) => return cancelled(&visit, &form, &id, note == DISHES).await,
        Turn::Busy => return Ok(Outcome::go(form.back()).in_flight()),
    };
    match taken_back(&visit, &watchers, &reader.caller, &id, &reason).await {
        Ok(Some(order)) => {
            let note = note_of(&order);
            let outcome = cancelled(&visit, &form, &id, note == DISHES).await;
            press.done(note).await;
            outcome
        }
        Ok(None) => {
            press.release().await;
            Ok(Outcome::go(form.back()).saying(Notice::OrderTooLate))
        }
        Err(error) => {
            press.release().await;
            failed(&visit, &form, error)
        }
    }
}

/// What the presses that wait are told of it. What was taken out of a fridge has no service, and is taken there again.
pub(super) fn note_of(order: &Order) -> &'static str {
    order.service.map_or("", |_| DISHES)
}

/// The order, once it is canceled; none where it is too late for that.
pub(super) async fn taken_back(
    visit: &Visit,
    watchers: &Watchers,
    caller: &Caller,
    id: &OrderId,
    reason: &str,
) -> Result<Option<Order>, upstream::Error> {
    let upstream = &visit.app.upstream;
    match upstream.cancel_order(caller, id, reason).await {
        Ok(order) => {
            watchers.note(&order, visit.lang);
            metrics::counter!("orders_total", "outcome" => "taken_back").increment(1);
            Ok(Some(order))
        }
        Err(upstream::Error::Rejected(rejection)) if rejection.code == "too_late" => {
            // An earlier press may have done it, and its answer was lost.
            Ok(if_canceled(upstream, caller, id).await)
        }
        // So may the answer to this one be.
        Err(error) if error.outcome_unknown() => {
            let order = if_canceled(upstream, caller, id).await.ok_or(error)?;
            watchers.note(&order, visit.lang);
            metrics::counter!("orders_total", "outcome" => "taken_back").increment(1);
            Ok(Some(order))
        }
        Err(error) => Err(error),
    }
}

/// The order, where it is canceled by now.
async fn if_canceled(upstream: &Upstream, caller: &Caller, id: &OrderId) -> Option<Order> {
    let order = upstream.order(caller, id).await.ok();
    order.filter(|order| order.status == OrderStatus::Canceled)
}

/// Its dishes are in the cart again, where they can be: who takes an order back often wants another one. The page of the
/// order tells that it is taken back.
async fn cancelled(
    visit: &Visit,
    form: &Form,
    id: &OrderId,
    has_dishes: bool,
) -> Result<Outcome, Error> {
    let outcome = Outcome::go(form.back());
    if has_dishes && put_back(visit, id).await? {
        return Ok(outcome.saying(Notice::OrderCancelled).with_cart());
    }
    Ok(outcome)
}

/// `POST /orders/{id}/grade`: stars, tags and words, or that the guest does not want to say (OR-12).
///
/// # Errors
/// Not found for what is no order of this guest; when the session can't be written.
pub async fn grade(visit: Visit, Path(id): Path<String>, form: Form) -> Result<Outcome, Error> {
    let id: OrderId = id.parse().map_err(|_| Error::NotFound("order"))?;
    if form.get("skip").is_some() {
        visit.sess.note_graded(id.as_str()).await?;
        return Ok(Outcome::go(form.back()));
    }
    let Grade {
        stars,
        comment,
        tags,
    } = match Grade::read(&form) {
        Ok(grade) => grade,
        Err(error) => return Ok(Outcome::refused(&form, form.back(), vec![error])),
    };
    let reader = Reader::of(&visit, &id).await;
    let result = visit
        .app
        .upstream
        .grade_order(&reader.caller, &id, stars, &comment, &tags)
        .await;
    match result {
        Ok(()) => {
            visit.sess.note_graded(id.as_str()).await?;
            Ok(Outcome::go(form.back()).saying(Notice::OrderGraded))
        }
        Err(error) => failed(&visit, &form, error),
    }
}

/// Another guest's order is not found (S-16); what may be tried again says so where the form stands.
fn failed(visit: &Visit, form: &Form, error: upstream::Error) -> Result<Outcome, Error> {
    match error {
        upstream::Error::Unauthorized if visit.signed_in.is_some() => Err(error.into()),
        upstream::Error::NotFound | upstream::Error::Unauthorized => Err(Error::NotFound("order")),
        upstream::Error::Rejected(_) => Err(error.into()),
        _ => {
            // A page without scripts opens again at its question.
            let to = form
                .get("ask")
                .map_or_else(|| form.back(), crate::web::redirect::safe_path);
            Ok(Outcome::refused_form(form, to, ErrorCode::NotDone))
        }
    }
}

//! Changing, emptying and repairing the cart, and what early taps recorded.

use serde::Deserialize;

use super::{
    add::{add, refusal},
    load::verdicts,
    view::{self, Verdict},
};
use crate::{
    error::Error,
    features::{cart, menu},
    state::carts::{Cart, Change, MutationId, Refused},
    upstream::FilialId,
    web::{
        form::{Form, Outcome},
        limits,
        visit::Visit,
    },
};

/// Early taps that one post may replay.
const MOST_TAPS: usize = 200;

/// Changes the quantity of a line: `delta`, or `qty` absolute.
///
/// # Errors
/// When the store does not answer.
pub async fn change(visit: &Visit, form: &Form, line: &str) -> Result<Outcome, Error> {
    let change = match (form.get("qty"), form.get("delta")) {
        (Some(qty), _) => qty.parse().ok().map(Change::To),
        (None, Some(delta)) => delta.parse().ok().map(Change::By),
        (None, None) => None,
    };
    let Some(change) = change else {
        return Ok(Outcome::refused_form(form, form.back(), "badInput"));
    };
    update(visit, form, |cart| cart.change(line, change)).await
}

/// Empties the cart; it can be brought back for ten minutes.
///
/// # Errors
/// When the store does not answer.
pub async fn clear(visit: &Visit, form: &Form) -> Result<Outcome, Error> {
    update(visit, form, |cart| {
        cart.clear(visit.now);
        Ok(())
    })
    .await
}

/// Removes what is gone and accepts the prices of now (CT-04, CT-05): only what the guest has just been shown.
///
/// # Errors
/// When the store or the upstream does not answer.
pub async fn repair(visit: &Visit, form: &Form) -> Result<Outcome, Error> {
    let Some(cart) = view::load(visit).await? else {
        return Ok(Outcome::back(form.back()));
    };
    let Some(filial) = cart.filial_id.map(FilialId) else {
        return Ok(Outcome::back(form.back()));
    };
    let card = visit
        .app
        .upstream
        .card(&visit.caller(None), filial, None)
        .await?;
    let verdicts = verdicts(visit, &cart, filial, menu::service(&card, visit)).await?;
    let judged: std::collections::HashMap<String, Verdict> = cart
        .lines
        .iter()
        .map(|line| line.id.clone())
        .zip(verdicts)
        .collect();
    update(visit, form, |cart| {
        cart.repair(|line| match judged.get(&line.id) {
            Some(Verdict::Gone) => false,
            Some(Verdict::Price(price)) => {
                line.price = *price;
                true
            }
            Some(Verdict::Fine) | None => true,
        });
        Ok(())
    })
    .await
}

async fn update(
    visit: &Visit,
    form: &Form,
    mut change: impl FnMut(&mut Cart) -> Result<(), Refused>,
) -> Result<Outcome, Error> {
    let Some(cart) = visit.sess.cart().await else {
        return Ok(Outcome::back(form.back()));
    };
    let mutation = form.get("m").and_then(MutationId::parse);
    let done = visit
        .app
        .state
        .carts()
        .update(&cart, |cart| {
            cart.once(mutation.as_ref(), &mut change).map(|_| ())
        })
        .await;
    refusal(visit, form, done.map(|_| ())).await
}

#[derive(Deserialize)]
struct Tap {
    action: String,
    body: String,
}

/// Replays what the early-tap script recorded, in order (beyond.md, 3). Each tap has its own mutation id, so that
/// those which came through already count once. The first refusal is shown; the other taps are done.
///
/// # Errors
/// When the store or the upstream does not answer: the browser still has the taps then.
pub async fn replay(visit: &Visit, form: &Form) -> Result<Outcome, Error> {
    let taps: Vec<Tap> = form
        .get("queue")
        .and_then(|queue| limits::json(queue.as_bytes()).ok())
        .unwrap_or_default();
    let mut refused = None;
    for tap in taps.into_iter().take(MOST_TAPS) {
        let tapped = Form::urlencoded(tap.body.as_bytes());
        let outcome = match tap.action.strip_prefix("/cart/").unwrap_or_default() {
            "lines" => add(visit, &tapped).await?,
            "clear" => cart::clear(visit, &tapped).await?,
            "repair" => cart::repair(visit, &tapped).await?,
            action => match action.strip_prefix("lines/") {
                Some(line) if !line.contains('/') => change(visit, &tapped, line).await?,
                Some(_) | None => continue,
            },
        };
        if outcome.is_refused() && refused.is_none() {
            refused = Some(outcome);
        }
    }
    Ok(refused.unwrap_or_else(|| Outcome::back(form.back())))
}

//! What guests do at a bill beside paying: choosing dishes, calling the waiter.

use axum::extract::Path;

use super::{
    BillProblem, tab,
    target::{Target, guest_of},
};
use crate::{
    error::Error,
    state::bills::Units,
    upstream::{self, Bill},
    web::{form::Form, outcome::Outcome, visit::Visit},
};

/// Most of one line that is chosen.
const MOST: u32 = 999;
/// What a field of the form about dishes begins with; a line's key follows.
const UNIT: &str = "unit.";

/// `POST …/bill/dishes`: the guest's choice in the place of the one before, held for a while, so that others see it
/// before they pay. None of it: it is given back.
///
/// # Errors
/// Not found for an address that names no bill; when store or upstream does not answer.
pub async fn hold(visit: Visit, Path(name): Path<String>, form: Form) -> Result<Outcome, Error> {
    let target = of(&visit, &name).await?;
    let bill = match open(&visit, &target, &form).await? {
        Ok(bill) => bill,
        Err(gone) => return Ok(gone),
    };
    let mut wanted = Units::new();
    for (key, count) in form.with_prefix(UNIT) {
        let count: u32 = count.parse().unwrap_or(0);
        if count > 0 {
            wanted.insert(key.to_owned(), count.min(MOST));
        }
    }
    let device = visit.sess.device_or_new().await?;
    let guest = guest_of(&device);
    let now = visit.now;
    let (_, whole) = visit
        .app
        .state
        .tabs()
        .update(bill.id.as_str(), |shared| {
            tab::hold(shared, &bill, &guest, &wanted, now)
        })
        .await?;
    let mut query = vec![("bill", bill.id.as_str()), ("split", "dishes")];
    let kept = ["tip", "tip_sum", "bonus"].map(|name| (name, form.get(name)));
    query.extend(
        kept.iter()
            .filter_map(|(name, value)| Some((*name, (*value)?))),
    );
    if !whole {
        query.push(("problem", BillProblem::Taken.code()));
    }
    Ok(Outcome::go(target.href(&query)))
}

/// `POST …/bill/waiter`: the answer to the question of `?step=waiter`. Once in a while for a bill, whoever asks: the
/// moment is kept where all servers and sessions share it (PY-08, SC-07).
///
/// # Errors
/// Not found for an address that names no bill; when store or upstream does not answer.
pub async fn call_waiter(
    visit: Visit,
    Path(name): Path<String>,
    form: Form,
) -> Result<Outcome, Error> {
    let target = of(&visit, &name).await?;
    let bill = match open(&visit, &target, &form).await? {
        Ok(bill) => bill,
        Err(gone) => return Ok(gone),
    };
    let now = visit.now;
    let tabs = visit.app.state.tabs();
    let (_, is_ours) = tabs
        .update(bill.id.as_str(), |shared| {
            let is_ours = tab::waiter_in(shared, now) == 0;
            if is_ours {
                shared.called_at = Some(now);
            }
            is_ours
        })
        .await?;
    let mut query = vec![("bill", bill.id.as_str())];
    if is_ours {
        let caller = visit.personal_caller().await;
        if let Err(error) = visit.app.upstream.call_waiter(&caller, &bill.id).await {
            tracing::warn!(class = error.class(), "A waiter could not be called");
            tabs.update(bill.id.as_str(), |shared| {
                if shared.called_at == Some(now) {
                    shared.called_at = None;
                }
            })
            .await?;
            query.push(("problem", BillProblem::Waiter.code()));
        } else {
            metrics::counter!("waiter_calls_total").increment(1);
        }
    }
    Ok(Outcome::go(target.href(&query)))
}

/// The bill of a form: the path names a venue or a preorder.
async fn of(visit: &Visit, name: &str) -> Result<Target, Error> {
    let is_preorder = visit.path.starts_with("/bills/");
    if is_preorder && visit.signed_in.is_none() {
        return Err(Error::NotFound("bill"));
    }
    let target = if is_preorder {
        Target::of(visit, "", name).await?
    } else {
        Target::of(visit, name, "").await?
    };
    target.ok_or(Error::NotFound("bill"))
}

/// The bill that the form was about, while it is open; else the page that says what has become of it.
async fn open(visit: &Visit, target: &Target, form: &Form) -> Result<Result<Bill, Outcome>, Error> {
    let seen = form.get("bill").unwrap_or_default();
    let caller = visit.personal_caller().await;
    match target.read(&visit.app.upstream, &caller).await {
        Ok(bill) if bill.id.as_str() == seen && !bill.is_closed => Ok(Ok(bill)),
        Ok(_) | Err(upstream::Error::NotFound) => {
            Ok(Err(Outcome::go(target.href(&[("bill", seen)]))))
        }
        Err(error) => Err(Error::Upstream(error)),
    }
}

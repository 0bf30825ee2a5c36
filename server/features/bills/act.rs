//! What guests do at a bill beside paying: choosing dishes, calling the waiter.

use axum::{Extension, extract::Path};

use super::{
    BillProblem, tab,
    target::{Target, expect_table, guest_of},
    way::{self, WaitLimits},
};
use crate::{
    error::Error,
    state::bills::Units,
    upstream::{self, Bill, BillId, Caller},
    web::{
        change::{form::Form, outcome::Outcome},
        rate::AddressAllowance,
        visit::Visit,
    },
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
    take(&visit, &target, &form).await
}

/// Takes the dishes of a form for its guest.
///
/// # Errors
/// When store or upstream does not answer.
pub(super) async fn take(visit: &Visit, target: &Target, form: &Form) -> Result<Outcome, Error> {
    let bill = match open(visit, target, form).await? {
        Ok(bill) => bill,
        Err(gone) => return Ok(gone),
    };
    let device = visit.sess.device_or_new().await?;
    let whole = choose(visit, &bill, &guest_of(&device), &ticked(form)).await?;
    let mut query = vec![("bill", bill.id.as_str()), ("split", "dishes")];
    let values = ["tip", "tip_sum", "bonus", "payment"].map(|name| (name, form.get(name)));
    query.extend(
        values
            .iter()
            .filter_map(|(name, value)| Some((*name, (*value)?))),
    );
    if !whole {
        query.push(("problem", BillProblem::Taken.code()));
    }
    Ok(Outcome::go(target.href(&query)))
}

/// The dishes of a form.
pub(super) fn ticked(form: &Form) -> Units {
    let mut wanted = Units::new();
    for (key, count) in form.with_prefix(UNIT) {
        let count: u32 = count.parse().unwrap_or(0);
        if count > 0 {
            wanted.insert(key.to_owned(), count.min(MOST));
        }
    }
    wanted
}

/// Holds them for a guest. False: others have some of them.
pub(super) async fn choose(
    visit: &Visit,
    bill: &Bill,
    guest: &str,
    wanted: &Units,
) -> Result<bool, Error> {
    let (now, limits) = (visit.now, WaitLimits::of(&visit.app));
    let (_, whole) = visit
        .app
        .state
        .tabs()
        .update(bill.id.as_str(), |shared| {
            let whole = limits.hold(shared, bill, guest, wanted, now);
            tab::forget_lost(shared, guest);
            whole
        })
        .await?;
    Ok(whole)
}

/// `POST …/bill/waiter`: the answer to the question of `?step=waiter`, also at a table that has no bill yet. Once in a
/// while for a table, for all its guests, and whether or not there is a bill: the moment is kept where all servers and
/// sessions share it (PY-08, SC-07).
///
/// # Errors
/// Not found for an address that names no bill; when store or upstream does not answer.
pub async fn call_waiter(
    visit: Visit,
    Extension(allowance): Extension<AddressAllowance>,
    Path(name): Path<String>,
    form: Form,
) -> Result<Outcome, Error> {
    let target = of(&visit, &name).await?;
    let seen = form.get("bill").unwrap_or_default();
    let is_seen = |bill: &Bill| seen.is_empty() || bill.id.as_str() == seen;
    let bill = match standing(&visit, &target).await? {
        Some(bill) if !bill.is_closed && is_seen(&bill) => Some(bill.id),
        // Who has paid may want something all the same.
        Some(bill) if is_seen(&bill) && target.table_name().is_some() => None,
        None if seen.is_empty() && target.table_name().is_some() => None,
        _ => return Ok(Outcome::go(target.href(&named(seen)))),
    };
    let (now, tabs) = (visit.now, visit.app.state.tabs());
    let bill_name = bill.as_ref().map(|bill| bill.as_str().to_owned());
    // The moment that counts is the table's; the bill, where there is one, shows it.
    let table = target.table_name().or_else(|| bill_name.clone());
    let Some(table) = table else {
        return Err(Error::NotFound("bill"));
    };
    let (shared, is_ours) = tabs
        .update(&table, |shared| {
            let is_ours = tab::waiter_in(shared, now) == 0;
            if is_ours {
                shared.called_at = Some(now);
            }
            is_ours
        })
        .await?;
    if let Some(bill) = &bill_name {
        let at = shared.called_at;
        tabs.update(bill, |shared| shared.called_at = at).await?;
    }
    let seen = bill_name.clone().unwrap_or_default();
    let mut query = named(&seen);
    if is_ours {
        let caller = visit.personal_caller().await;
        let own = own_calls(&visit, &allowance);
        // A guest goes from table to table without being there (SC-03).
        let is_soon = match &own {
            Some(own) => !tabs.update(own, |shared| tab::call(shared, now)).await?.1,
            None => false,
        };
        if is_soon {
            metrics::counter!("rate_limited_total").increment(1);
        }
        let is_fine = !is_soon && allowance.take_call().await.is_ok();
        let result = if is_fine {
            call(&visit, &caller, &target, bill.as_ref())
                .await
                .map_err(|error| (error.class(), BillProblem::Waiter))
        } else {
            Err(("too_many", BillProblem::Often))
        };
        if let Err((class, problem)) = result {
            // Calls over the limit are counted: guests could fill the log with them.
            match problem {
                BillProblem::Often => tracing::debug!(class, "A waiter is called too often"),
                _ => tracing::warn!(class, "A waiter could not be called"),
            }
            for name in [Some(&table), bill_name.as_ref()].into_iter().flatten() {
                tabs.update(name, |shared| {
                    if shared.called_at == Some(now) {
                        shared.called_at = None;
                    }
                })
                .await?;
            }
            if let Some(own) = &own {
                tabs.update(own, |shared| tab::uncall(shared, now)).await?;
            }
            query.push(("problem", problem.code()));
            let outcome = Outcome::go(target.href(&query));
            return Ok(match problem {
                BillProblem::Often => outcome.too_often(),
                _ => outcome,
            });
        }
        metrics::counter!("waiter_calls_total").increment(1);
    }
    Ok(Outcome::go(target.href(&query)))
}

async fn call(
    visit: &Visit,
    caller: &Caller,
    target: &Target,
    bill: Option<&BillId>,
) -> Result<(), upstream::Error> {
    let upstream = &visit.app.upstream;
    match (bill, target) {
        (Some(bill), _) => upstream.call_waiter(caller, bill).await,
        (
            None,
            Target::Table {
                venue,
                table,
                main_venue,
            },
        ) => {
            upstream
                .call_waiter_to_table(caller, *venue, table, *main_venue)
                .await
        }
        (None, Target::Preorder(_)) => Err(upstream::Error::NotFound),
    }
}

/// Names where the calls of one guest are counted: of a session, else of all who have none at an address.
fn own_calls(visit: &Visit, allowance: &AddressAllowance) -> Option<String> {
    match visit.sess.name() {
        Some(session) => Some(format!("calls of {session}")),
        None => way::name_of(&visit.app, "calls", allowance.client())
            .map(|address| format!("calls at {address}")),
    }
}

/// The query that names a bill, if there is one.
fn named(bill: &str) -> Vec<(&'static str, &str)> {
    if bill.is_empty() {
        Vec::new()
    } else {
        vec![("bill", bill)]
    }
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
    Ok(match standing(visit, target).await? {
        Some(bill) if bill.id.as_str() == seen && !bill.is_closed => Ok(bill),
        _ => Err(Outcome::go(target.href(&[("bill", seen)]))),
    })
}

/// The bill as it is now; `None` without one.
async fn standing(visit: &Visit, target: &Target) -> Result<Option<Bill>, Error> {
    let caller = visit.personal_caller().await;
    match target.read(&visit.app.upstream, &caller).await {
        Ok(bill) => Ok(Some(bill)),
        Err(upstream::Error::NotFound) => {
            expect_table(visit, None, Some(target)).await?;
            Ok(None)
        }
        Err(error) => Err(Error::Upstream(error)),
    }
}

//! A booked table is given back: nobody pays any more for what was ordered ahead with it.

use axum::extract::Path;

use super::{
    BillProblem,
    off::{self, Off},
    settle::settled,
    target::Target,
};
use crate::{
    error::Error,
    features::booking,
    state::bills::ClaimState,
    upstream::{self, BillId, BookingId},
    web::{
        change::{form::Form, outcome::Outcome},
        visit::Visit,
    },
};

/// `POST /bookings/{id}/cancel`: first what is being paid is called off, as the bank would take the money still. What can't
/// be called off now keeps the table: the page of the bill says that a payment is under way. What the bank has taken
/// meanwhile is shown before the guest is asked once more.
///
/// # Errors
/// Not found for a table that is not the guest's; when store or upstream does not answer.
pub async fn cancel_booking(
    visit: Visit,
    Path(id): Path<String>,
    form: Form,
) -> Result<Outcome, Error> {
    let booking: BookingId = id.parse().map_err(|_| Error::NotFound("page"))?;
    let bill = match booking::preorder_of(&visit, &booking).await {
        Ok(bill) => bill,
        Err(error @ upstream::Error::Rejected(_)) => return Err(error.into()),
        Err(error @ upstream::Error::Unauthorized) if visit.signed_in.is_some() => {
            return Err(error.into());
        }
        // A bill that is not known of may be being paid.
        Err(_) => return Ok(booking::unreached(&form)),
    };
    let Some(bill) = bill else {
        return booking::cancel(visit, booking, form, booking::list()).await;
    };
    match payments_called_off(&visit, &bill).await? {
        Off::Waits => {
            let query = [
                ("bill", bill.as_str()),
                ("problem", BillProblem::StillPaying.code()),
            ];
            return Ok(Outcome::go(Target::Preorder(bill.clone()).href(&query)));
        }
        Off::Paid => return Ok(Outcome::go(booking::question(&booking))),
        Off::Free if is_another_sum(&visit, &form, &bill).await => {
            return Ok(Outcome::go(booking::question(&booking)));
        }
        Off::Free => {}
    }
    // What becomes of the money is said there.
    let page = booking::page_of(&booking);
    let outcome = booking::cancel(visit.clone(), booking, form, page).await?;
    // What was begun while the table was given back: of a bill that is closed no more is.
    match payments_called_off(&visit, &bill).await {
        Ok(Off::Free) => {}
        left => tracing::warn!(
            left = ?left.ok(),
            "A table was given back while its dishes were being paid"
        ),
    }
    Ok(outcome)
}

/// Whether more or less is left to pay than the guest has seen.
async fn is_another_sum(visit: &Visit, form: &Form, bill: &BillId) -> bool {
    let Some(seen) = form.parse::<i64>("left") else {
        return false;
    };
    let caller = visit.personal_caller().await.optional();
    let known = visit.app.upstream.preorder(&caller, bill).await;
    known.is_ok_and(|bill| booking::left_of(&bill).0 != seen)
}

/// How the parts stand that were being paid: `Paid` where a bank was quicker with one, `Waits` where one may be paid yet.
async fn payments_called_off(visit: &Visit, bill: &BillId) -> Result<Off, Error> {
    let caller = visit.personal_caller().await.optional();
    let shared = settled(&visit.app, &caller, bill.as_str()).await?;
    let mut all = Off::Free;
    for claim in shared.claims {
        if claim.state == ClaimState::Paying {
            match off::tell_of_claim(&visit.app, bill, &claim).await? {
                Off::Waits => all = Off::Waits,
                Off::Paid if all == Off::Free => all = Off::Paid,
                Off::Paid | Off::Free => {}
            }
        }
    }
    Ok(all)
}

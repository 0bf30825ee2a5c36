//! `POST /pay/{token}/cancel` of a part of a bill: the guest who did not pay at the bank pays another way, and the others
//! need not wait until the bank gives it up (PY-14, PY-15).

use super::{BillProblem, paid::Part, settle::settled, tab};
use crate::{
    error::Error,
    state::bills::ClaimState,
    upstream::{Caller, PaymentStatus},
    web::{app::App, change::outcome::Outcome, visit::Visit},
};

/// How a part stands once the upstream was told to call it off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Off {
    /// No bank takes money for it any more; its share is free.
    Free,
    /// The bank was quicker.
    Paid,
    /// Nobody has confirmed either: it may be paid yet.
    Waits,
}

/// Calls a part off: first at the upstream, which lets no bank take money for it afterwards, then its share is free for
/// others. What the bank has taken meanwhile counts as paid. A death in between leaves nothing behind: whoever looks at
/// the bill next asks how the part stands.
///
/// # Errors
/// When the store does not answer.
pub(super) async fn tell(
    app: &App,
    caller: &Caller,
    bill: &str,
    key: &str,
    part: &str,
) -> Result<Off, Error> {
    match app.upstream.cancel_bill_payment(caller, part).await {
        Ok(PaymentStatus::Succeeded) => {
            settled(app, caller, bill).await?;
            Ok(Off::Paid)
        }
        Ok(
            PaymentStatus::Abandoned
            | PaymentStatus::Declined
            | PaymentStatus::TimedOut
            | PaymentStatus::Refunded,
        ) => {
            give_back(app, bill, key).await?;
            Ok(Off::Free)
        }
        Ok(PaymentStatus::Pending | PaymentStatus::Unknown) => Ok(Off::Waits),
        Err(error) => {
            tracing::warn!(
                class = error.class(),
                "A part of a bill could not be called off"
            );
            Ok(Off::Waits)
        }
    }
}

/// What a part had of the bill is free again.
async fn give_back(app: &App, bill: &str, key: &str) -> Result<(), Error> {
    app.state
        .tabs()
        .update(bill, |shared| {
            if let Some(claim) = tab::claim_mut(shared, key)
                && claim.state == ClaimState::Paying
            {
                claim.state = ClaimState::Ended;
            }
        })
        .await?;
    Ok(())
}

impl Part {
    /// Calls a part off that is not paid yet.
    ///
    /// # Errors
    /// Not found for whom has not begun it; when the store does not answer.
    pub async fn call_off(&self, visit: &Visit) -> Result<Outcome, Error> {
        if !self.own {
            return Err(Error::NotFound("bill"));
        }
        let (app, bill) = (&visit.app, self.attempt.bill.as_str());
        let told = match &self.opened {
            Some(_) if self.is_free() => Off::Paid,
            Some(opened) => tell(app, &self.caller, bill, &self.key, &opened.part).await?,
            // Its share was given back before anything was sent.
            None if self.is_over(visit).await? => Off::Free,
            // It is being sent, or nobody knows whether it was: what is not there yet can't be called off.
            None => Off::Waits,
        };
        let problem = match told {
            Off::Paid => return Ok(Outcome::go(self.paid_href())),
            Off::Free => BillProblem::CalledOff,
            Off::Waits => BillProblem::StillPaying,
        };
        metrics::counter!("bill_payments_total", "outcome" => problem.code()).increment(1);
        Ok(Outcome::go(self.bill_page(Some(problem))))
    }
}

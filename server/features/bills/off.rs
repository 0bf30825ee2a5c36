//! `POST /pay/{token}/cancel` of a part of a bill: the guest who did not pay at the bank pays another way, and the others
//! need not wait until the bank gives it up (PY-14, PY-15).

use super::{BillProblem, paid::Part, settle::settled, tab};
use crate::{
    error::Error,
    state::bills::ClaimState,
    upstream::{self, PaymentStatus},
    web::{outcome::Outcome, visit::Visit},
};

impl Part {
    /// Calls a part off that is not paid yet: first at the upstream, which lets no bank take money for it afterwards,
    /// then its share is free for others. What the bank has taken meanwhile is shown as paid. A death in between leaves
    /// nothing behind: whoever looks at the bill next asks how the part stands.
    ///
    /// # Errors
    /// Not found for whom has not begun it; when the store does not answer.
    pub async fn call_off(&self, visit: &Visit) -> Result<Outcome, Error> {
        if !self.own {
            return Err(Error::NotFound("bill"));
        }
        let paid = || Ok(Outcome::go(self.paid_href()));
        let told = match &self.opened {
            Some(_) if self.is_free() => return paid(),
            Some(opened) => {
                let upstream = &visit.app.upstream;
                upstream
                    .cancel_bill_payment(&self.caller, &opened.part)
                    .await
            }
            // Its share was given back before anything was sent.
            None if self.is_over(visit).await? => Ok(PaymentStatus::Abandoned),
            // It is being sent, or nobody knows whether it was: what is not there yet can't be called off.
            None => Err(upstream::Error::NotFound),
        };
        let problem = match told {
            Ok(PaymentStatus::Succeeded) => {
                settled(&visit.app, &self.caller, self.attempt.bill.as_str()).await?;
                return paid();
            }
            Ok(
                PaymentStatus::Abandoned
                | PaymentStatus::Declined
                | PaymentStatus::TimedOut
                | PaymentStatus::Refunded,
            ) => {
                self.give_back(visit).await?;
                BillProblem::CalledOff
            }
            Ok(PaymentStatus::Pending | PaymentStatus::Unknown) => BillProblem::StillPaying,
            Err(error) => {
                tracing::warn!(
                    class = error.class(),
                    "A part of a bill could not be called off"
                );
                BillProblem::StillPaying
            }
        };
        metrics::counter!("bill_payments_total", "outcome" => problem.code()).increment(1);
        let bill = self.attempt.bill.as_str();
        let query = [("bill", bill), ("problem", problem.code())];
        Ok(Outcome::go(self.attempt.target.href(&query)))
    }

    /// What it had of the bill is free again.
    async fn give_back(&self, visit: &Visit) -> Result<(), Error> {
        let tabs = visit.app.state.tabs();
        tabs.update(self.attempt.bill.as_str(), |shared| {
            if let Some(claim) = tab::claim_mut(shared, &self.key)
                && claim.state == ClaimState::Paying
            {
                claim.state = ClaimState::Ended;
            }
        })
        .await?;
        Ok(())
    }
}

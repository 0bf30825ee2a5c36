//! Calling off a part of a bill that is not paid: its guest pays another way, and the others need not wait until the bank
//! gives it up (PY-14, PY-15).

use super::{
    attempt::{Attempt, Opened},
    settle::settled,
    tab,
};
use crate::{
    error::Error,
    features::attempts::read_record,
    state::bills::{Claim, ClaimState},
    upstream::{BillId, Caller, Fingerprint, PaymentStatus},
    web::app::App,
};

/// How a part stands once the upstream was told to call it off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Off {
    /// No bank takes money for it any more; its share is free.
    Free,
    /// The bank was quicker.
    Paid,
    /// Neither is confirmed: it may be paid yet.
    Waits,
}

/// Calls a part off: first at the upstream, which lets no bank take money for it afterwards, then its share is free for
/// others. What the bank has taken meanwhile counts as paid. A crash in between leaves nothing behind: the next look at
/// the bill asks how the part stands.
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

/// Calls off the part of a claim, as the guest who has begun it: who asks may be another one, or that guest on another
/// device.
///
/// # Errors
/// When the store does not answer.
pub(super) async fn tell_of_claim(app: &App, bill: &BillId, claim: &Claim) -> Result<Off, Error> {
    let Some(known) = app.state.idempotency().get(&claim.key).await? else {
        return Ok(Off::Waits);
    };
    // It is being sent, or may have been.
    let Some(answer) = known.answer else {
        return Ok(Off::Waits);
    };
    let attempt: Attempt = read_record(&known.body)?;
    let opened: Opened = read_record(&answer)?;
    // The sign-in of then may have ended.
    let caller = Caller {
        fingerprint: Fingerprint::new(&attempt.fingerprint),
        ..Caller::guest(attempt.lang, attempt.country)
    };
    tell(app, &caller, bill.as_str(), &claim.key, &opened.part).await
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

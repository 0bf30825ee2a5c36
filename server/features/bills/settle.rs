//! What became of parts that are being paid: each look at the bill asks for it, and it is recorded once.

use super::{
    attempt::{Attempt, Opened},
    tab,
};
use crate::{
    error::Error,
    features::{analytics, attempts::read_record},
    state::bills::{Claim, ClaimState, Tab},
    upstream::{self, Bill, Caller, PaymentId, PaymentStatus},
    web::{
        app::App,
        insight::{Came, carried},
    },
};

/// What is known of a bill's guests, with the parts that have ended since.
///
/// # Errors
/// When the store does not answer. What the upstream does not tell stays as it was.
pub(super) async fn settled(app: &App, caller: &Caller, bill: &str) -> Result<Tab, Error> {
    let tabs = app.state.tabs();
    let mut shared = tabs.load(bill).await?;
    let now = app.state.clock().now();
    let open: Vec<Claim> = shared
        .claims
        .iter()
        .filter(|claim| claim.state == ClaimState::Paying)
        .cloned()
        .collect();
    for claim in open {
        let Some(end) = end_of(app, caller, &claim, now).await? else {
            continue;
        };
        let changed = tabs
            .update(bill, |shared| {
                let Some(known) = tab::claim_mut(shared, &claim.key) else {
                    return false;
                };
                // Another request has worked on it meanwhile, or has ended it.
                if *known != claim {
                    return false;
                }
                match &end {
                    End::Opened(payment) => known.payment = Some(payment.clone()),
                    End::Paid => tab::pay(shared, &claim.key),
                    End::Nothing => known.state = ClaimState::Ended,
                }
                end == End::Paid
            })
            .await?;
        shared = changed.0;
        if changed.1 {
            let came = came(app, &claim.key).await;
            carried(&app.hosts, &came, async { analytics::payment_succeeded() }).await;
        }
    }
    tab::tidy(&mut shared, now);
    Ok(shared)
}

/// The tab of a bill that is open, settled: what its guests have chosen is blocked while a guest pays all of it, and what was
/// given back is open again.
///
/// # Errors
/// As [`settled`].
pub(super) async fn settled_open(app: &App, caller: &Caller, bill: &Bill) -> Result<Tab, Error> {
    let mut shared = settled(app, caller, bill.id.as_str()).await?;
    let now = app.state.clock().now();
    let tabs = app.state.tabs();
    for claim in tab::perhaps_refunded(&shared, bill) {
        if is_refunded(app, caller, &claim).await {
            let end = |shared: &mut Tab| {
                let known = tab::claim_mut(shared, &claim.key);
                if let Some(known) = known.filter(|known| **known == claim) {
                    known.state = ClaimState::Ended;
                }
            };
            (shared, ()) = tabs.update(bill.id.as_str(), end).await?;
        }
    }
    if tab::keep(&mut shared, bill, now) {
        let keep = |shared: &mut Tab| tab::keep(shared, bill, now);
        (shared, _) = tabs.update(bill.id.as_str(), keep).await?;
        tab::tidy(&mut shared, now);
    }
    Ok(shared)
}

/// Whether the bank has given back what a part was paid with. What only bonuses have paid has no payment to ask for.
async fn is_refunded(app: &App, caller: &Caller, claim: &Claim) -> bool {
    let Some(Ok(id)) = claim.payment.as_ref().map(|id| id.parse::<PaymentId>()) else {
        return false;
    };
    let payment = app.upstream.payment(&caller.optional(), &id).await;
    payment.is_ok_and(|payment| payment.status == PaymentStatus::Refunded)
}

/// By what its guest came, for a look without a request: streams of all at the table share one. A record
/// that is gone or of before says nothing.
async fn came(app: &App, key: &str) -> Came {
    let record = app.state.idempotency().get(key).await.ok().flatten();
    let attempt = record.and_then(|record| read_record::<Attempt>(&record.body).ok());
    attempt.map(|attempt| attempt.came).unwrap_or_default()
}

/// What has become known of a part.
#[derive(Debug, PartialEq, Eq)]
enum End {
    /// There is an attempt at the bank.
    Opened(String),
    Paid,
    Nothing,
}

async fn end_of(app: &App, caller: &Caller, claim: &Claim, now: i64) -> Result<Option<End>, Error> {
    let Some(payment) = &claim.payment else {
        let record = app.state.idempotency().get(&claim.key).await?;
        return Ok(match record {
            // Its server died before it wrote down what it wanted to send.
            None => (now - claim.at > tab::UNSENT).then_some(End::Nothing),
            Some(record) => match record.answer {
                None => None,
                Some(answer) => {
                    let opened: Opened = read_record(&answer)?;
                    Some(opened.payment.map_or(End::Paid, End::Opened))
                }
            },
        });
    };
    let Ok(id) = payment.parse::<PaymentId>() else {
        return Ok(Some(End::Nothing));
    };
    Ok(match app.upstream.payment(&caller.optional(), &id).await {
        Ok(payment) => match payment.status {
            PaymentStatus::Succeeded => Some(End::Paid),
            PaymentStatus::Declined
            | PaymentStatus::Abandoned
            | PaymentStatus::TimedOut
            | PaymentStatus::Refunded => Some(End::Nothing),
            PaymentStatus::Pending | PaymentStatus::Unknown => None,
        },
        Err(upstream::Error::NotFound) => Some(End::Nothing),
        Err(_) => None,
    })
}

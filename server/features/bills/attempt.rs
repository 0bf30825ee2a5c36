//! One attempt to pay a part of a bill: everything that is sent, kept under its idempotency key until the outcome is
//! known (R-01), and the part that it has of the bill meanwhile.

use serde::{Deserialize, Serialize};

use super::{tab, target::Target};
use crate::{
    error::Error,
    features::{
        analytics,
        attempts::{self, Sending, first_bank_page, guest_of_then, short},
    },
    state::{bills::ClaimState, idempotency::body_hash},
    upstream::{
        self, BillId, BillPay, Caller, Fingerprint, IdempotencyKey, PayMethod, PayPage, VenueId,
    },
    values::{Country, Lang, Sum},
    web::{
        app::App,
        insight::{Came, carried},
    },
};

/// Keys of parts of bills begin with it; those of orders and bookings never do.
const PREFIX: &str = "bill.";

/// What the guest wants to pay.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Attempt {
    pub bill: BillId,
    pub number: String,
    /// The page of the bill.
    pub target: Target,
    // Stored under its first name, so that what is stored already is read.
    #[serde(rename = "filial")]
    pub venue: Option<VenueId>,
    pub sum: Sum,
    pub tips: Sum,
    pub bonus: Sum,
    pub method: PayMethod,
    /// What was chosen, as it stands in addresses.
    #[serde(default)]
    pub choice: Vec<(String, String)>,
    /// Our own page, which tells the truth anywhere.
    pub return_url: String,
    pub fingerprint: String,
    /// Of a guest who is signed in; it lies in a sealed record, as in the session (S-04).
    pub bearer: Option<String>,
    pub lang: Lang,
    pub country: Country,
    /// By what the guest came (AN-07).
    #[serde(default)]
    pub came: Came,
}

/// The answer that is kept: what the upstream has made of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Opened {
    /// The part, by which it is graded.
    pub part: String,
    /// The attempt at the bank; none: bonuses paid it all.
    pub payment: Option<String>,
    /// The bank's page, as first told.
    pub bank: Option<String>,
    /// What the upstream says of the part.
    pub sum: Sum,
    pub tips: Sum,
    pub bonus: Sum,
    pub cashback: Sum,
}

/// How sending ended.
#[derive(Debug)]
pub(super) enum Sent {
    /// There is one payment.
    Opened(Opened),
    /// The upstream refused for good.
    Refused(upstream::Rejection),
    /// Nothing was sent.
    Unreached,
    /// It may or may not have become a payment: the same key will be sent again.
    Unknown,
}

/// Whether a key is one of a part of a bill.
#[must_use]
pub fn is_key(key: &str) -> bool {
    key.starts_with(PREFIX)
}

/// The key of a guest's part: the same in all tabs, another one for the next part.
pub(super) fn key(app: &App, bill: &BillId, guest: &str, turn: u32) -> String {
    let key = app
        .keys
        .pay_key(&format!("bill {bill}"), guest, &turn.to_string());
    format!("{PREFIX}{key}")
}

impl attempts::Attempt for Attempt {
    fn hash(&self) -> [u8; 32] {
        let fields = serde_json::json!([
            self.bill,
            self.sum,
            self.tips,
            self.bonus,
            self.method.code()
        ]);
        body_hash(&fields.to_string())
    }
}

impl Attempt {
    /// What the bank is asked for.
    pub(super) fn due(&self) -> Sum {
        Sum(self.sum.0 + self.tips.0 - self.bonus.0)
    }

    /// Sends it in a task of its own: a guest who leaves does not stop it half-way.
    pub(super) async fn send(
        self,
        app: App,
        key: String,
        caller: Option<Caller>,
        sending: Sending,
    ) -> Result<Sent, Error> {
        let (hosts, came) = (app.hosts.clone(), self.came.clone());
        let work = async move { self.deliver(&app, &key, caller, sending).await };
        let work = carried(&hosts, &came, work);
        let sent = attempts::within(attempts::PRESS, work).await?;
        Ok(sent.unwrap_or(Sent::Unknown))
    }

    async fn deliver(
        &self,
        app: &App,
        key: &str,
        caller: Option<Caller>,
        sending: Sending,
    ) -> Result<Sent, Error> {
        let records = app.state.idempotency();
        let Some(upstream_key) = IdempotencyKey::new(key) else {
            return Err(Error::Internal("a bill's key is none".to_owned()));
        };
        if !self.take_up(app, key).await? {
            // Its share was given to others: nothing was sent, and nothing will be.
            records.release(key).await?;
            return Ok(Sent::Unreached);
        }
        let caller = Caller {
            fingerprint: Fingerprint::new(&self.fingerprint),
            ..caller.unwrap_or_else(|| {
                guest_of_then(self.bearer.as_deref(), None, self.lang, self.country)
            })
        };
        let pay = BillPay {
            sum: Some(self.sum),
            tips: self.tips,
            bonus: self.bonus,
            page: PayPage {
                method: self.method,
                success_url: self.return_url.clone(),
                failure_url: self.return_url.clone(),
            },
        };
        match app
            .upstream
            .pay_bill(&caller, &self.bill, &pay, &upstream_key)
            .await
        {
            Ok(paid) => {
                let opened = Opened {
                    part: paid.id,
                    payment: paid.payment.as_ref().map(|payment| payment.id.to_string()),
                    bank: first_bank_page(paid.payment.as_ref(), None, self.due()),
                    sum: paid.sum,
                    tips: paid.tips,
                    bonus: paid.bonus,
                    cashback: paid.cashback,
                };
                if let Err(error) = self.settle(app, key, &opened).await {
                    tracing::error!(%error, "A payment of a bill was opened and could not be written down; it will be sent again");
                    // It is given back as soon as that can be written.
                    let _ = records.unknown(key).await;
                    return Ok(Sent::Unknown);
                }
                analytics::payment_requested(self.method);
                if self.tips.0 > 0 {
                    analytics::tips();
                }
                metrics::counter!("bill_payments_total", "outcome" => "opened").increment(1);
                Ok(Sent::Opened(opened))
            }
            Err(upstream::Error::Rejected(rejection)) => {
                self.end(app, key).await?;
                records.release(key).await?;
                metrics::counter!("bill_payments_total", "outcome" => "refused").increment(1);
                Ok(Sent::Refused(rejection))
            }
            Err(error) if sending.is_open(&error, self.bearer.is_some()) => {
                records.unknown(key).await?;
                metrics::counter!("bill_payments_total", "outcome" => "unknown").increment(1);
                tracing::error!(
                    class = error.class(),
                    attempt = short(key),
                    "The outcome of paying a bill is not known; it will be sent again"
                );
                Ok(Sent::Unknown)
            }
            Err(error) => {
                self.end(app, key).await?;
                records.release(key).await?;
                tracing::warn!(
                    class = error.class(),
                    "A payment of a bill could not be sent"
                );
                Ok(Sent::Unreached)
            }
        }
    }

    /// Makes sure that the share is still this attempt's before anything is sent. The moment is written down, so that
    /// it is not taken for a forgotten one.
    async fn take_up(&self, app: &App, key: &str) -> Result<bool, Error> {
        let now = app.state.clock().now();
        let (_, is_ours) = app
            .state
            .tabs()
            .update(self.bill.as_str(), |shared| {
                let Some(claim) = tab::claim_mut(shared, key) else {
                    return false;
                };
                if claim.state == ClaimState::Paying {
                    claim.at = claim.at.max(now);
                }
                claim.state == ClaimState::Paying
            })
            .await?;
        Ok(is_ours)
    }

    /// The share first: a record without an answer is sent again under its key by the next reader.
    async fn settle(&self, app: &App, key: &str, opened: &Opened) -> Result<(), Error> {
        let answer =
            serde_json::to_string(opened).map_err(|error| Error::Internal(error.to_string()))?;
        app.state
            .tabs()
            .update(self.bill.as_str(), |shared| {
                if let Some(claim) = tab::claim_mut(shared, key) {
                    claim.payment.clone_from(&opened.payment);
                    if opened.payment.is_none() {
                        tab::pay(shared, key);
                    }
                }
            })
            .await?;
        app.state.idempotency().finish(key, &answer).await?;
        Ok(())
    }

    /// What it had of the bill is free again.
    async fn end(&self, app: &App, key: &str) -> Result<(), Error> {
        app.state
            .tabs()
            .update(self.bill.as_str(), |shared| {
                if let Some(claim) = tab::claim_mut(shared, key) {
                    claim.state = ClaimState::Ended;
                }
            })
            .await?;
        Ok(())
    }
}

/// Takes over an attempt without a lease and sends it again. `None` when there is nothing to do.
///
/// # Errors
/// When the store does not answer, or what was kept can't be read.
pub(super) async fn take_over(
    app: &App,
    key: &str,
    body: &str,
    caller: Option<Caller>,
) -> Result<Option<Sent>, Error> {
    match attempts::take_over::<Attempt>(app, key, body).await? {
        Some(attempt) => attempt
            .send(app.clone(), key.to_owned(), caller, Sending::Again)
            .await
            .map(Some),
        None => Ok(None),
    }
}

/// The same for the task that looks after attempts whose guests have left.
///
/// # Errors
/// When the store does not answer, or what was kept can't be read.
pub async fn resolve(app: &App, key: &str, body: &str) -> Result<(), Error> {
    take_over(app, key, body, None).await.map(drop)
}

/// The venue of a part, if known.
pub(super) fn venue_of(attempt: &Attempt) -> VenueId {
    attempt.venue.unwrap_or(VenueId(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As a release wrote it that kept no host names.
    const BEFORE: &str = r#"{
        "bill": "b_1", "number": "7", "target": { "Preorder": "b_1" }, "filial": 1013, "sum": 100, "tips": 0, "bonus": 0,
        "method": "card", "return_url": "http://localhost/x", "fingerprint": "f", "bearer": null, "lang": "ru",
        "country": "kz"
    }"#;

    #[test]
    fn a_record_of_before_is_read() {
        let attempt: Attempt = serde_json::from_str(BEFORE).unwrap();
        assert_eq!(attempt.came, Came::default());
        let table = BEFORE.replace(
            r#"{ "Preorder": "b_1" }"#,
            r#"{ "Table": { "filial": 1013, "table": "t7", "terminal": 1010 } }"#,
        );
        let attempt: Attempt = serde_json::from_str(&table).unwrap();
        let before: serde_json::Value = serde_json::from_str(&table).unwrap();
        let now = serde_json::to_value(&attempt).unwrap();
        assert_eq!(
            (&now["target"], &now["filial"]),
            (&before["target"], &before["filial"])
        );
    }
}

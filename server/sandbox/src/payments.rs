//! Payments by card and by QR: attempts that succeed, are declined, time out or
//! are abandoned. What they pay for knows of them, not they of it.

use rusqlite::{Connection, OptionalExtension, Transaction, params};
use serde_json::{Value, json};

use crate::app::App;
use crate::clock::iso;
use crate::ids::unguessable;
use crate::model::Money;
use crate::money::major;
use crate::refusal::Refusal;

/// Milliseconds after which an open attempt is over.
const LASTS: i64 = 15 * 60 * 1000;

/// How an attempt can stand.
pub(crate) const STATUSES: [&str; 6] = [
    "pending",
    "succeeded",
    "declined",
    "abandoned",
    "timed_out",
    "refunded",
];

/// How the guest or the bank can end one.
pub(crate) const OUTCOMES: [&str; 4] = ["succeeded", "declined", "abandoned", "timed_out"];

/// Where and how it is paid.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    method: String,
    currency: String,
    success_url: String,
    failure_url: String,
}

/// An attempt to be opened.
pub(crate) struct Request<'a> {
    page: &'a Page,
    subject: &'a str,
    subject_id: &'a str,
    sum: i64,
}

/// An attempt.
#[derive(Clone, Debug)]
pub(crate) struct Payment {
    pub(crate) id: String,
    pub(crate) subject: String,
    pub(crate) subject_id: String,
    pub(crate) sum: i64,
    pub(crate) currency: String,
    pub(crate) method: String,
    pub(crate) status: String,
    pub(crate) success_url: String,
    pub(crate) failure_url: String,
    created_at: i64,
}

impl Page {
    /// Both addresses must lie in the web application: a payment leads nowhere else.
    pub(crate) fn new(
        app: &App,
        money: &Money,
        method: &str,
        success: &str,
        failure: &str,
    ) -> Result<Page, Refusal> {
        let ours = |url: &str| {
            app.web_origins().any(|origin| {
                url.strip_prefix(origin)
                    .is_some_and(|rest| rest.starts_with('/'))
            })
        };
        if !ours(success) || !ours(failure) {
            return Err(Refusal::bad(
                "success_url and failure_url must lie in the web application",
            ));
        }
        if !matches!(method, "card" | "qr") {
            return Err(Refusal::bad("payment_method must be card or qr"));
        }
        Ok(Page {
            method: method.to_owned(),
            currency: money.currency.clone(),
            success_url: success.to_owned(),
            failure_url: failure.to_owned(),
        })
    }

    pub(crate) fn request<'a>(
        &'a self,
        subject: &'a str,
        subject_id: &'a str,
        sum: i64,
    ) -> Request<'a> {
        Request {
            page: self,
            subject,
            subject_id,
            sum,
        }
    }
}

impl Payment {
    fn is_over(&self, now: i64) -> bool {
        self.created_at + LASTS < now
    }

    /// What the code of a QR payment holds: the page in the application of the phone's bank.
    pub(crate) fn deep_link(&self, base: &str) -> String {
        format!("{base}/pay/qr/{}?phone=1", self.id)
    }

    pub(crate) fn wire(&self, base: &str) -> Value {
        json!({
            "id": self.id,
            "status": self.status,
            "sum": major(self.sum),
            "currency": self.currency,
            "method": self.method,
            "url": format!("{base}/pay/{}/{}", self.method, self.id),
            "subject": self.subject,
            "subject_id": self.subject_id,
            "expires_at": iso(self.created_at + LASTS),
            "deep_link": (self.method == "qr").then(|| self.deep_link(base)),
            "receipt_url": self.has_receipt().then(|| format!("{base}/pay/receipt/{}", self.id)),
        })
    }

    /// What was paid has a fiscal receipt; a refund leaves the receipt.
    pub(crate) fn has_receipt(&self) -> bool {
        matches!(self.status.as_str(), "succeeded" | "refunded")
    }
}

/// Opens an attempt.
pub(crate) fn open(
    db: &Transaction<'_>,
    request: &Request<'_>,
    now: i64,
) -> Result<Payment, Refusal> {
    let page = request.page;
    let payment = Payment {
        id: unguessable("p_"),
        subject: request.subject.to_owned(),
        subject_id: request.subject_id.to_owned(),
        sum: request.sum,
        currency: page.currency.clone(),
        method: page.method.clone(),
        status: "pending".to_owned(),
        success_url: page.success_url.clone(),
        failure_url: page.failure_url.clone(),
        created_at: now,
    };
    if payment.sum <= 0 {
        return Err(nothing_to_pay());
    }
    db.prepare_cached(
        "INSERT INTO payments (id, subject, subject_id, sum, currency, method, status, success_url, failure_url, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?
    .execute(params![
        payment.id,
        payment.subject,
        payment.subject_id,
        payment.sum,
        payment.currency,
        payment.method,
        payment.status,
        payment.success_url,
        payment.failure_url,
        now,
    ])?;
    Ok(payment)
}

const COLUMNS: &str =
    "id, subject, subject_id, sum, currency, method, status, success_url, failure_url, created_at";

/// The attempt of this id; one that took too long has timed out.
pub(crate) fn find(db: &Connection, id: &str, now: i64) -> Result<Payment, Refusal> {
    let mut payment = written(db, id)?;
    if payment.status == "pending" && payment.is_over(now) {
        payment.status = "timed_out".to_owned();
    }
    Ok(payment)
}

/// Attempts that were not ended in time.
pub(crate) fn overdue(db: &Connection, now: i64) -> Result<Vec<String>, Refusal> {
    let mut statement =
        db.prepare_cached("SELECT id FROM payments WHERE status = 'pending' AND created_at < ?1")?;
    let found = statement.query_map([now - LASTS], |row| row.get(0))?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// The attempt of this id as it was written down.
pub(crate) fn written(db: &Connection, id: &str) -> Result<Payment, Refusal> {
    let query = format!("SELECT {COLUMNS} FROM payments WHERE id = ?1");
    let found = db
        .prepare_cached(&query)?
        .query_row([id], from_row)
        .optional()?;
    found.ok_or_else(|| Refusal::not_found("payment_not_found", "Payment is not found"))
}

/// The newest attempt for this subject.
pub(crate) fn newest(db: &Connection, subject: &str, id: &str) -> Result<Option<Payment>, Refusal> {
    let query = format!(
        "SELECT {COLUMNS} FROM payments WHERE subject = ?1 AND subject_id = ?2 ORDER BY created_at DESC, status = 'pending' DESC LIMIT 1"
    );
    Ok(db
        .prepare_cached(&query)?
        .query_row((subject, id), from_row)
        .optional()?)
}

/// The newest attempts of all.
pub(crate) fn newest_of_all(db: &Connection, most: i64) -> Result<Vec<Payment>, Refusal> {
    let query = format!("SELECT {COLUMNS} FROM payments ORDER BY created_at DESC LIMIT ?1");
    let mut statement = db.prepare_cached(&query)?;
    let found = statement.query_map([most], from_row)?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// Ends an attempt, which has timed out when it took too long. How it ended is for its subject to hear.
pub(crate) fn end(
    db: &Transaction<'_>,
    mut payment: Payment,
    outcome: &str,
    now: i64,
) -> Result<Payment, Refusal> {
    let is_over = payment.is_over(now);
    payment.status = if is_over { "timed_out" } else { outcome }.to_owned();
    db.execute(
        "UPDATE payments SET status = ?2 WHERE id = ?1",
        params![payment.id, payment.status],
    )?;
    Ok(payment)
}

/// A new attempt ends the one before: a page of the bank that is still open elsewhere takes no money.
pub(crate) fn open_again(
    db: &Transaction<'_>,
    request: &Request<'_>,
    now: i64,
) -> Result<Payment, Refusal> {
    db.execute(
        "UPDATE payments SET status = 'abandoned' WHERE subject = ?1 AND subject_id = ?2 AND status = 'pending'",
        params![request.subject, request.subject_id],
    )?;
    open(db, request, now)
}

pub(crate) fn nothing_to_pay() -> Refusal {
    Refusal::unprocessable("nothing_to_pay", "There is nothing to pay")
}

fn from_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Payment> {
    Ok(Payment {
        id: row.get(0)?,
        subject: row.get(1)?,
        subject_id: row.get(2)?,
        sum: row.get(3)?,
        currency: row.get(4)?,
        method: row.get(5)?,
        status: row.get(6)?,
        success_url: row.get(7)?,
        failure_url: row.get(8)?,
        created_at: row.get(9)?,
    })
}

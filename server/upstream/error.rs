//! How a call can fail. The upstream's statuses and bodies are read into these once (receive.rs, HT-07, HT-08).

use std::cell::Cell;

use serde_json::Value;

use super::wire::Wire;
use crate::{telemetry::Throttle, values::Sum};

/// Why a call gave no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// 404: no such venue, order, town.
    #[error("the upstream knows no such thing")]
    NotFound,
    /// 401: the bearer is missing or no longer good.
    #[error("the upstream wants a sign-in")]
    Unauthorized,
    /// The upstream understood and said no. Its words are not shown here: logs would keep them.
    #[error("the upstream refused ({})", .0.status)]
    Rejected(Rejection),
    /// Broke off, or answered 408, 425, 429 or 5xx, on the last try. The upstream may have done the work.
    #[error("the upstream failed ({})", .status.map_or_else(|| "connection lost".to_owned(), |status| status.to_string()))]
    Unavailable {
        /// The status, unless the connection was lost.
        status: Option<u16>,
    },
    /// No connection could be made: the upstream has not seen the call.
    #[error("the upstream can't be reached: {why}")]
    Unreachable {
        /// What the system says of it.
        why: String,
    },
    /// No answer in time. The upstream may have done the work.
    #[error("the upstream did not answer in time")]
    Deadline,
    /// The answer is not what was agreed: no JSON, wrong types where there is no default, a redirect.
    #[error("the upstream's answer can't be read: {why}")]
    BadAnswer {
        /// What is wrong with it; never the answer itself.
        why: &'static str,
    },
    /// The answer is longer than the cap.
    #[error("the upstream's answer is too large")]
    TooLarge,
    /// Not sent: this part of the upstream has been failing.
    #[error("the upstream is failing, the call was not sent")]
    BreakerOpen,
}

/// The upstream's own words for a refusal.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rejection {
    /// HTTP status, or `error_code` of a body sent with 200.
    pub status: u16,
    /// `errors[0].code`, empty if missing.
    pub code: String,
    /// `errors[0].title`, else `message`, empty if missing (HT-08).
    pub title: String,
    /// `errors[0].meta`, null if missing.
    pub meta: Value,
}

impl Rejection {
    /// Which of the items that were sent it is about.
    #[must_use]
    pub fn item(&self) -> Option<usize> {
        let index = Wire::new(&self.meta, &Cell::new(0)).count("index")?;
        usize::try_from(index).ok()
    }

    /// What one piece of that costs now.
    #[must_use]
    pub fn price(&self) -> Option<Sum> {
        Wire::new(&self.meta, &Cell::new(0)).price("price")
    }

    /// The least sum for which it would have been taken.
    #[must_use]
    pub fn min_sum(&self) -> Option<Sum> {
        Wire::new(&self.meta, &Cell::new(0)).price("min_sum")
    }
}

/// Why a client could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// Not a plain http(s) address.
    #[error("{0:?} is no http(s) address of an upstream")]
    Address(String),
    /// TLS or sockets.
    #[error("the HTTP client can't be made: {0}")]
    Client(String),
}

impl Error {
    /// 401 without a sign-in, so that there is nothing to renew.
    pub const UNEXPECTED_SIGN_IN: Self = Self::Unavailable { status: Some(401) };

    /// The status of an answer that is an exception of the API; none for a network that fails (HT-11). An answer that
    /// could not be read counts as 200. That something does not exist is no exception.
    pub(super) fn said(&self) -> Option<u16> {
        match self {
            Self::Rejected(rejection) => Some(rejection.status),
            Self::Unauthorized => Some(401),
            Self::Unavailable { status } => *status,
            Self::BadAnswer { .. } | Self::TooLarge => Some(200),
            Self::NotFound | Self::Unreachable { .. } | Self::Deadline | Self::BreakerOpen => None,
        }
    }

    /// Whether another try may help (ZZ-07).
    pub(super) fn is_retryable(&self) -> bool {
        matches!(
            self,
            Self::Unavailable { .. } | Self::Unreachable { .. } | Self::Deadline
        )
    }

    /// Whether the upstream is at fault, so that its breaker counts it. A refusal is an answer.
    pub(super) fn is_failure(&self) -> bool {
        match self {
            Self::NotFound | Self::Unauthorized | Self::Rejected(_) | Self::BreakerOpen => false,
            Self::Unavailable { .. }
            | Self::Unreachable { .. }
            | Self::Deadline
            | Self::BadAnswer { .. }
            | Self::TooLarge => true,
        }
    }

    /// Whether the upstream may have done the work although we have no answer: then only the same idempotency
    /// key may be sent again.
    #[must_use]
    pub fn outcome_unknown(&self) -> bool {
        self.is_failure() && !matches!(self, Self::Unreachable { .. })
    }

    /// Whether the same call may well work later, as far as the upstream's health goes.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        self.is_failure() || matches!(self, Self::BreakerOpen)
    }

    /// Code of a refusal, `None` for all other failures.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        match self {
            Self::Rejected(rejection) => Some(&rejection.code),
            Self::NotFound
            | Self::Unauthorized
            | Self::Unavailable { .. }
            | Self::Unreachable { .. }
            | Self::Deadline
            | Self::BadAnswer { .. }
            | Self::TooLarge
            | Self::BreakerOpen => None,
        }
    }

    /// Whether to say it now, and how often it went unsaid before. That the breaker is open has been told when it opened.
    pub fn admitted_by(&self, said: &Throttle) -> Option<u64> {
        match self {
            Self::BreakerOpen => None,
            _ => said.admit(),
        }
    }

    /// Word for logs and metrics.
    #[must_use]
    pub fn class(&self) -> &'static str {
        match self {
            Self::NotFound => "not_found",
            Self::Unauthorized => "unauthorized",
            Self::Rejected(_) => "rejected",
            Self::Unavailable { .. } => "unavailable",
            Self::Unreachable { .. } => "unreachable",
            Self::Deadline => "deadline",
            Self::BadAnswer { .. } => "bad_answer",
            Self::TooLarge => "too_large",
            Self::BreakerOpen => "breaker_open",
        }
    }
}

//! Every failure of a page or a mutation, and the one place that gives it a status.

use axum::http::StatusCode;

use crate::{state, upstream};

/// What a visitor missed or broke.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No such page, venue, order or item.
    #[error("{0} not found")]
    NotFound(&'static str),
    /// A venue that was there and is no more (SO-08).
    #[error("{0} is gone")]
    Gone(&'static str),
    /// The upstream failed where the page can't do without it.
    #[error(transparent)]
    Upstream(#[from] upstream::Error),
    /// The store of sessions and carts does not answer.
    #[error("the state store: {0}")]
    State(#[from] state::Error),
    /// A request that can't be understood.
    #[error("bad request: {0}")]
    BadRequest(&'static str),
    /// A tablet was set up where nobody could order from it.
    #[error("a tablet of this venue could not order")]
    Tablet,
    /// More work than can be taken now.
    #[error("overloaded")]
    Overloaded,
    /// A defect of ours.
    #[error("internal: {0}")]
    Internal(String),
}

impl Error {
    /// HTTP status of the answer.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        match self {
            Self::NotFound(_) => StatusCode::NOT_FOUND,
            Self::Gone(_) => StatusCode::GONE,
            Self::Upstream(upstream::Error::NotFound) => StatusCode::NOT_FOUND,
            Self::Upstream(_) | Self::State(_) | Self::Overloaded => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            Self::BadRequest(_) => StatusCode::BAD_REQUEST,
            Self::Tablet => StatusCode::CONFLICT,
            Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl Error {
    /// The failure of a cart update whose change can't be refused.
    #[must_use]
    pub fn from_update(error: state::carts::UpdateError<std::convert::Infallible>) -> Self {
        match error {
            state::carts::UpdateError::State(error) => Self::State(error),
            state::carts::UpdateError::Refused(never) => match never {},
        }
    }
}

impl From<crate::web::session::Unavailable> for Error {
    fn from(error: crate::web::session::Unavailable) -> Self {
        Self::State(state::Error::Unavailable(error.to_string()))
    }
}

//! Every failure of a page or a mutation, and the one place that gives it a status.

use std::{sync::Arc, time::Duration};

use axum::{
    http::StatusCode,
    response::{IntoResponse, Response},
};

use crate::{
    state, upstream,
    web::{change::bad_form::BadForm, rate::too_many},
};

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
    /// A form or a file that is not taken.
    #[error(transparent)]
    Form(BadForm),
    /// A tablet was set up where it could order nothing.
    #[error("a tablet of this venue could not order")]
    Tablet,
    /// The front of a tablet was opened where none is set up.
    #[error("no tablet is set up here")]
    NoTablet,
    /// More work than can be taken now.
    #[error("overloaded")]
    Overloaded,
    /// More of it than one address may do; after this long it may again.
    #[error("too many requests")]
    TooMany(Duration),
    /// A defect of ours.
    #[error("internal: {0}")]
    Internal(String),
}

/// Lies in the response's extensions for the layer that answers it; without one it is the bare status.
impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let mut response = match self {
            Self::TooMany(wait) => too_many(wait),
            _ => self.status().into_response(),
        };
        response.extensions_mut().insert(Arc::new(self));
        response
    }
}

impl From<BadForm> for Error {
    fn from(bad: BadForm) -> Self {
        Self::Form(bad)
    }
}

impl Error {
    /// HTTP status of the answer.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        match self {
            Self::NotFound(_) => StatusCode::NOT_FOUND,
            Self::Gone(_) => StatusCode::GONE,
            Self::NoTablet | Self::Upstream(upstream::Error::NotFound) => StatusCode::NOT_FOUND,
            Self::Upstream(upstream::Error::Unauthorized) => StatusCode::UNAUTHORIZED,
            Self::Upstream(upstream::Error::Rejected(rejection)) => refusal(rejection.status),
            Self::Form(bad) => bad.status(),
            Self::Upstream(_) | Self::State(_) | Self::Overloaded => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            Self::BadRequest(_) => StatusCode::BAD_REQUEST,
            Self::TooMany(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::Tablet => StatusCode::CONFLICT,
            Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

/// A refusal keeps the meaning of its status; one that came with 200 or a code of the upstream's own is one of content.
fn refusal(status: u16) -> StatusCode {
    StatusCode::from_u16(status)
        .ok()
        .filter(StatusCode::is_client_error)
        .unwrap_or(StatusCode::UNPROCESSABLE_ENTITY)
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
        Self::State(error.into())
    }
}

//! Forms that can't be read.

use axum::{
    http::StatusCode,
    response::{IntoResponse, Response},
};

/// Why a form can't be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadForm {
    /// It is no form of the kind that it says, or does not come to its end.
    #[error("the form can't be read")]
    Unreadable,
    /// It, or one of its files, is larger than it may be.
    #[error("the form is too large")]
    TooLarge,
    /// Its kind is not taken here, or a file is not what is asked for.
    #[error("this kind of content is not taken")]
    Unsupported,
}

impl BadForm {
    /// HTTP status of the answer.
    #[must_use]
    pub const fn status(self) -> StatusCode {
        match self {
            Self::Unreadable => StatusCode::BAD_REQUEST,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Unsupported => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        }
    }
}

impl IntoResponse for BadForm {
    fn into_response(self) -> Response {
        self.status().into_response()
    }
}

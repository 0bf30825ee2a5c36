//! A visit of a guest who is signed in.

use std::ops::Deref;

use axum::{
    extract::{FromRef, FromRequestParts},
    http::request::Parts,
};

use crate::{
    error::Error,
    upstream,
    web::{app::App, visit::Visit},
};

/// What forms of an account take in the place of a [`Visit`]: who is not signed in any more is asked to sign in, with
/// everything typed (AU-14).
pub struct SignedInVisit(Visit);

impl Deref for SignedInVisit {
    type Target = Visit;

    fn deref(&self) -> &Visit {
        &self.0
    }
}

impl<S> FromRequestParts<S> for SignedInVisit
where
    App: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let Ok(visit) = Visit::from_request_parts(parts, state).await;
        match visit.signed_in {
            Some(_) => Ok(Self(visit)),
            None => Err(Error::Upstream(upstream::Error::Unauthorized)),
        }
    }
}

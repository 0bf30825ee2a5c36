//! Who may send a form. Changes are registered by these instead of `axum::routing::post`, so that each says it.

use axum::{
    handler::Handler,
    routing::{MethodRouter, post},
};

use super::SignedInVisit;

/// Arguments of a handler that refuses who is not signed in.
pub trait NeedsSignIn {}

impl<M> NeedsSignIn for (M, SignedInVisit) {}
impl<M, A> NeedsSignIn for (M, SignedInVisit, A) {}
impl<M, A, B> NeedsSignIn for (M, SignedInVisit, A, B) {}

/// A form of an account: its handler takes a [`SignedInVisit`] first.
pub fn signed_in<H, T, S>(handler: H) -> MethodRouter<S>
where
    H: Handler<T, S>,
    T: NeedsSignIn + 'static,
    S: Clone + Send + Sync + 'static,
{
    post(handler)
}

/// A form that guests without an account send as well: of a session, a table, an order known by its key.
pub fn anyone<H, T, S>(handler: H) -> MethodRouter<S>
where
    H: Handler<T, S>,
    T: 'static,
    S: Clone + Send + Sync + 'static,
{
    post(handler)
}

//! How many streams of changes one guest and one address may hold open: each costs a connection for as long as it lives
//! (S-20). Sessions are for the asking, so those of an address are counted together.

use std::{net::IpAddr, sync::Arc};

use axum::{
    body::Body,
    extract::{Request, State},
    http::{StatusCode, header},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use futures_util::StreamExt as _;

use super::counts::{Counts, Permit};
use crate::web::{
    connection::client::{TrustedProxies, subscriber},
    session::Sess,
};

/// One session: a few windows, each with one page in sight.
const PER_SESSION: u32 = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Owner {
    Session(u64),
    Address(IpAddr),
    All,
}

/// Counts streams that are open; cloning shares the counts.
#[derive(Clone)]
pub struct Streams {
    proxies: TrustedProxies,
    per_address: u32,
    most: u32,
    open: Arc<Counts<Owner>>,
}

impl Streams {
    /// Counts from zero; all guests of one address together may hold `per_address`. All addresses together may hold half of
    /// the server's `connections`: the rest is for pages, however many addresses somebody has.
    #[must_use]
    pub fn new(proxies: TrustedProxies, per_address: u32, connections: usize) -> Self {
        Self {
            proxies,
            per_address,
            most: u32::try_from(connections / 2).unwrap_or(u32::MAX),
            open: Arc::default(),
        }
    }

    /// One of the session's, one of the address's and one of all, or none.
    fn acquire(&self, session: Option<u64>, client: Option<IpAddr>) -> Option<Vec<Permit<Owner>>> {
        let session = session.map(|session| (Owner::Session(session), PER_SESSION));
        let address = client.map(|client| (Owner::Address(subscriber(client)), self.per_address));
        session
            .into_iter()
            .chain(address)
            .chain([(Owner::All, self.most)])
            .map(|(owner, most)| Counts::take(&self.open, owner, most))
            .collect()
    }
}

/// Middleware of the streams' routes: `429` when the guest has too many open, which a page answers by asking now and
/// then instead.
pub async fn guard(State(streams): State<Streams>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let sess = Sess::of(&parts).await;
    parts.extensions.insert(sess.clone());
    let client = streams.proxies.client_of(&parts);
    let Some(permits) = streams.acquire(sess.name(), client) else {
        metrics::counter!("streams_refused_total").increment(1);
        return (StatusCode::TOO_MANY_REQUESTS, [(header::RETRY_AFTER, "10")]).into_response();
    };
    let response = next.run(Request::from_parts(parts, body)).await;
    response.map(|body| {
        // It is open for as long as its body is.
        Body::from_stream(body.into_data_stream().map(move |frame| {
            let _permits = &permits;
            frame
        }))
    })
}

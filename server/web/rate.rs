//! How often a guest may change something. The key is the session, else the client's address (S-20).

use std::{
    net::IpAddr,
    num::NonZeroU32,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use axum::{
    extract::{Request, State},
    http::{Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use governor::{
    Quota, RateLimiter,
    clock::{Clock as _, DefaultClock},
    state::keyed::DashMapStateStore,
};

use super::{
    client::{TrustedProxies, subscriber},
    session::Sess,
};

/// Keys that have recovered are forgotten each time after so many checks.
const TIDY_EVERY: u32 = 4096;

type Limiter<K> = RateLimiter<K, DashMapStateStore<K>, DefaultClock>;

/// So many at once, and then one more for each pause.
#[derive(Debug, Clone, Copy)]
pub struct Allowance {
    /// At once.
    pub burst: NonZeroU32,
    /// Until one more is allowed.
    pub pause: Duration,
}

/// How much is allowed.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// To one session.
    pub session: Allowance,
    /// To one address without a session; a venue's guests may share one.
    pub address: Allowance,
}

impl Options {
    /// So many changes a minute for one session, a quarter of them at once; more for an address, where a venue's
    /// guests meet.
    #[must_use]
    pub fn per_minute(changes: u32) -> Self {
        let changes = changes.max(1);
        let burst = NonZeroU32::new(changes / 4).unwrap_or(NonZeroU32::MIN);
        let pause = Duration::from_secs(60) / changes;
        Self {
            session: Allowance { burst, pause },
            address: Allowance {
                burst,
                pause: pause * 4 / 5,
            },
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        let allowance = |burst, pause| Allowance {
            burst: NonZeroU32::new(burst).unwrap_or(NonZeroU32::MIN),
            pause: Duration::from_millis(pause),
        };
        Self {
            session: allowance(60, 250),
            address: allowance(60, 200),
        }
    }
}

/// Counts mutations in memory; cloning shares the counts.
#[derive(Debug, Clone)]
pub struct Rate(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    proxies: TrustedProxies,
    sessions: Limiter<u64>,
    addresses: Limiter<IpAddr>,
    checks: AtomicU32,
}

impl Rate {
    /// Counts from zero.
    #[must_use]
    pub fn new(options: Options, proxies: TrustedProxies) -> Self {
        Self(Arc::new(Inner {
            proxies,
            sessions: Limiter::dashmap(quota(options.session)),
            addresses: Limiter::dashmap(quota(options.address)),
            checks: AtomicU32::new(0),
        }))
    }

    /// Counts one change by this session, else by this address.
    ///
    /// # Errors
    /// How long to wait.
    pub fn check(&self, session: Option<u64>, address: Option<IpAddr>) -> Result<(), Duration> {
        self.tidy();
        match (session, address) {
            (Some(session), _) => take(&self.0.sessions, &session),
            (None, Some(address)) => take(&self.0.addresses, &subscriber(address)),
            (None, None) => Ok(()),
        }
    }

    fn tidy(&self) {
        if self.0.checks.fetch_add(1, Ordering::Relaxed) % TIDY_EVERY == TIDY_EVERY - 1 {
            self.0.sessions.retain_recent();
            self.0.addresses.retain_recent();
        }
    }
}

/// Middleware inside the session layer: `429` with `Retry-After`, or on. Reading is not counted.
///
/// A cookie counts as a session only when the store knows it, so that made-up cookies share their
/// address's allowance.
pub async fn guard(State(rate): State<Rate>, request: Request, next: Next) -> Response {
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return next.run(request).await;
    }
    let (mut parts, body) = request.into_parts();
    let sess = Sess::of(&parts).await;
    parts.extensions.insert(sess.clone());
    match rate.check(sess.name(), rate.0.proxies.client_of(&parts)) {
        Ok(()) => next.run(Request::from_parts(parts, body)).await,
        Err(wait) => {
            metrics::counter!("rate_limited_total").increment(1);
            let seconds = wait.as_secs().saturating_add(1).to_string();
            (
                StatusCode::TOO_MANY_REQUESTS,
                [(header::RETRY_AFTER, seconds)],
            )
                .into_response()
        }
    }
}

fn quota(allowance: Allowance) -> Quota {
    Quota::with_period(allowance.pause)
        .unwrap_or_else(|| Quota::per_second(NonZeroU32::MIN))
        .allow_burst(allowance.burst)
}

fn take<K: std::hash::Hash + Eq + Clone>(limiter: &Limiter<K>, key: &K) -> Result<(), Duration> {
    limiter
        .check_key(key)
        .map_err(|until| until.wait_time_from(DefaultClock::default().now()))
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use axum::{
        Router, body::Body, extract::ConnectInfo, middleware::from_fn_with_state, routing::post,
    };
    use tower::ServiceExt as _;

    use super::*;

    #[test]
    fn a_session_and_an_address_have_their_own_allowance() {
        let rate = Rate::new(Options::default(), TrustedProxies::default());
        let address = "203.0.113.9".parse().ok();
        for _ in 0..60 {
            assert!(rate.check(Some(1), address).is_ok());
        }
        assert!(rate.check(Some(1), address).unwrap_err() > Duration::ZERO);
        assert!(rate.check(Some(2), address).is_ok());
        assert!(rate.check(None, address).is_ok());
    }

    #[test]
    fn moving_within_a_64_changes_nothing() {
        let rate = Rate::new(Options::default(), TrustedProxies::default());
        let refused = (0..100)
            .filter(|n| {
                rate.check(None, format!("2001:db8::{n}").parse().ok())
                    .is_err()
            })
            .count();
        assert!(refused >= 35, "{refused}");
    }

    #[tokio::test]
    async fn a_forged_forwarded_for_does_not_help() {
        let rate = Rate::new(Options::default(), TrustedProxies::default());
        let app = Router::new()
            .route("/orders", post(async || "ok").get(async || "ok"))
            .layer(from_fn_with_state(rate, guard));
        let peer: SocketAddr = "203.0.113.9:4711".parse().unwrap();
        let mut last = None;
        for n in 0..100 {
            let request = Request::post("/orders")
                .header("x-forwarded-for", format!("198.51.100.{n}"))
                .header(
                    "cookie",
                    format!("__Host-dk={}", super::super::seal::random_name()),
                )
                .extension(ConnectInfo(peer))
                .body(Body::empty());
            last = Some(app.clone().oneshot(request.unwrap()).await.unwrap());
        }
        let last = last.unwrap();
        assert_eq!(last.status(), 429);
        assert!(last.headers().contains_key(header::RETRY_AFTER));

        let read = Request::get("/orders")
            .extension(ConnectInfo(peer))
            .body(Body::empty());
        assert_eq!(app.oneshot(read.unwrap()).await.unwrap().status(), 200);
    }
}

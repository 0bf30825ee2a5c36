//! Accepting connections: their deadlines, their number, and a stop in good order.

use std::{
    convert::Infallible, future::Future, net::SocketAddr, pin::pin, sync::Arc, time::Duration,
};

use axum::{
    Router,
    extract::ConnectInfo,
    http::{HeaderValue, Version, header},
};
use hyper::{body::Incoming, service::service_fn};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::conn::auto,
};
use tokio::{
    net::TcpListener,
    sync::{OwnedSemaphorePermit, Semaphore},
    time::Instant,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tower::ServiceExt as _;

use super::{
    idle::{IdleLimits, Overdue, Progress},
    open::{OpenConnections, Place, UNDISTURBED},
    socket::Socket,
};

/// A connection that was asked to end in good order is cut after so long.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);
/// How often it is looked again while no connection can make room.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// Limits of the connections.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Open at once; more wait in the kernel's backlog, until one ends or an idle one makes room.
    pub connections: usize,
    /// How long nothing may happen on one (S-19).
    pub idle_limits: IdleLimits,
    /// Open requests may take so long after the stop.
    pub drain: Duration,
}

/// Serves until `stop` resolves, then lets open requests end. Returns when the time to drain is over: for what else has
/// to end. Once `stays` says no, answers tell that the connection ends, so that no request is under way when it is cut.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    stays: impl Fn() -> bool + Clone + Send + 'static,
    stop: impl Future<Output = ()>,
) -> Instant {
    let builder = Arc::new(builder());
    let permits = Arc::new(Semaphore::new(limits.connections));
    let open = OpenConnections::default();
    let connections = TaskTracker::new();
    let stopping = CancellationToken::new();
    let mut stop = pin!(stop);
    loop {
        // At the cap it is the permit that is waited for: a stop must be heard then as well.
        let next = async {
            let permit = permit(&permits, &open).await;
            (permit, listener.accept().await)
        };
        let (permit, accepted) = tokio::select! {
            next = next => next,
            () = &mut stop => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Out of descriptors or a peer that left: neither is a reason to stop.
                tracing::warn!(%error, "A connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let (builder, router, stopping) = (Arc::clone(&builder), router.clone(), stopping.clone());
        let (stays, idle_limits) = (stays.clone(), limits.idle_limits);
        let progress = Progress::new(idle_limits);
        let place = open.enter(peer.ip(), progress.clone());
        let socket = Socket::new(stream, progress, idle_limits.stall);
        connections.spawn(async move {
            connection(&builder, router, (socket, peer), place, stays, stopping).await;
            drop(permit);
        });
    }
    drop(listener);
    stopping.cancel();
    connections.close();
    let until = Instant::now() + limits.drain;
    if tokio::time::timeout_at(until, connections.wait())
        .await
        .is_err()
    {
        tracing::warn!("Some requests were still open when the time to drain was over");
    }
    until
}

/// Room for one more connection.
async fn permit(permits: &Arc<Semaphore>, open: &OpenConnections) -> Option<OwnedSemaphorePermit> {
    if permits.available_permits() == 0 {
        metrics::counter!("connections_full_total").increment(1);
    }
    loop {
        let permit = Arc::clone(permits).acquire_owned();
        match tokio::time::timeout(LOOK_AGAIN, permit).await {
            Ok(permit) => return permit.ok(),
            Err(_) => open.make_room(Instant::now()),
        }
    }
}

/// Deadlines are ours: hyper's begin late and see no reader.
fn builder() -> auto::Builder<TokioExecutor> {
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(None)
        .max_headers(100)
        .max_buf_size(64 * 1024);
    builder
        .http2()
        .timer(TokioTimer::new())
        // More than a request may have: what is too large is refused by our own layer, with the headers of its answers.
        .max_header_list_size(64 * 1024)
        .max_concurrent_streams(64)
        .max_pending_accept_reset_streams(20)
        .keep_alive_interval(Duration::from_secs(30));
    builder
}

/// One connection, until it ends or has to.
async fn connection(
    builder: &auto::Builder<TokioExecutor>,
    router: Router,
    (socket, peer): (Socket, SocketAddr),
    place: Place,
    stays: impl Fn() -> bool + Clone + Send + 'static,
    stopping: CancellationToken,
) {
    let progress = place.progress.clone();
    let service = service_fn({
        let progress = progress.clone();
        move |mut request: hyper::Request<Incoming>| {
            let version = request.version();
            let exchange = progress.begin(version);
            request
                .extensions_mut()
                .insert(ConnectInfo::<SocketAddr>(peer));
            let answer = router
                .clone()
                .oneshot(request.map(|body| exchange.body(body)));
            let stays = stays.clone();
            async move {
                let mut response = answer.await?;
                if version < Version::HTTP_2 && !stays() {
                    let close = HeaderValue::from_static("close");
                    response.headers_mut().insert(header::CONNECTION, close);
                }
                Ok::<_, Infallible>(response.map(|body| exchange.answer(body)))
            }
        }
    });
    let mut connection = pin!(builder.serve_connection(TokioIo::new(socket), service));
    let mut look = Instant::now();
    let (mut shuts_down, mut asked) = (false, false);
    let cut = loop {
        tokio::select! {
            ended = &mut connection => {
                if let Err(error) = ended {
                    tracing::debug!(%error, "A connection ended early");
                }
                return;
            }
            () = stopping.cancelled(), if !shuts_down => {
                shuts_down = true;
                connection.as_mut().graceful_shutdown();
            }
            () = place.leave.cancelled(), if !asked => {
                // A request may have come since.
                let idle = place.progress.idle_since();
                if idle.is_some_and(|since| Instant::now() >= since + UNDISTURBED) {
                    break Overdue::Evicted;
                }
                asked = true;
                connection.as_mut().graceful_shutdown();
            }
            () = tokio::time::sleep_until(look) => match progress.overdue(Instant::now()) {
                Ok(next) => look = next,
                Err(why) => break why,
            },
        }
    };
    let cause = match cut {
        Overdue::Request => "no_request",
        Overdue::Reader => "no_reader",
        Overdue::Evicted => "crowded",
    };
    metrics::counter!("connections_cut_total", "cause" => cause).increment(1);
    // Who has not said all would keep the place that others wait for.
    if cut != Overdue::Reader && !progress.is_asked() {
        // HTTP/2 says goodbye.
        connection.as_mut().graceful_shutdown();
        let _ = tokio::time::timeout(CLOSE_TIMEOUT, connection).await;
    }
}

//! Accepting connections: header deadline, connection cap, graceful stop.
//!
//! `axum::serve` installs no hyper timer, so its header timeout never fires and slow clients hold sockets for ever.

use std::{future::Future, net::SocketAddr, sync::Arc, time::Duration};

use axum::{Router, extract::ConnectInfo};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::{conn::auto, graceful::GracefulShutdown},
    service::TowerToHyperService,
};
use tokio::{net::TcpListener, sync::Semaphore, time::Instant};
use tower::ServiceExt as _;

/// Limits of the connections.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Open at once; more wait in the kernel's backlog.
    pub connections: usize,
    /// Until the request's headers are complete (S-19).
    pub header: Duration,
    /// Open requests may take so long after the stop.
    pub drain: Duration,
}

/// Serves until `stop` resolves, then lets open requests end. Returns when the time to drain is over: for what else has
/// to end.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    stop: impl Future<Output = ()>,
) -> Instant {
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header)
        .max_headers(100)
        .max_buf_size(64 * 1024);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_header_list_size(16 * 1024)
        .max_concurrent_streams(64)
        .max_pending_accept_reset_streams(20)
        .keep_alive_interval(Duration::from_secs(30));
    let builder = Arc::new(builder);
    let permits = Arc::new(Semaphore::new(limits.connections));
    let graceful = GracefulShutdown::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        let Ok(permit) = Arc::clone(&permits).acquire_owned().await else {
            break;
        };
        let (stream, peer) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    // Out of descriptors or a peer that left: neither is a reason to stop.
                    tracing::warn!(%error, "A connection could not be accepted");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
            () = &mut stop => break,
        };
        // Small answers must not wait for Nagle's timer.
        let _ = stream.set_nodelay(true);
        let service = router.clone().map_request(
            move |mut request: hyper::Request<hyper::body::Incoming>| {
                request
                    .extensions_mut()
                    .insert(ConnectInfo::<SocketAddr>(peer));
                request.map(axum::body::Body::new)
            },
        );
        let connection = builder
            .serve_connection_with_upgrades(TokioIo::new(stream), TowerToHyperService::new(service))
            .into_owned();
        let watched = graceful.watch(connection);
        tokio::spawn(async move {
            if let Err(error) = watched.await {
                tracing::debug!(%error, "A connection ended early");
            }
            drop(permit);
        });
    }
    drop(listener);
    let until = Instant::now() + limits.drain;
    if tokio::time::timeout_at(until, graceful.shutdown())
        .await
        .is_err()
    {
        tracing::warn!("Some requests were still open when the time to drain was over");
    }
    until
}

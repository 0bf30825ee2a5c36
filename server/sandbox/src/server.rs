//! Accepts connections and serves them. An own loop, because a fault must be
//! able to reset the TCP connection, which `axum::serve` cannot.

use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::app::App;
use crate::gate;

const HEADER_DEADLINE: Duration = Duration::from_secs(30);
const DRAIN: Duration = Duration::from_secs(2);

/// Serves until the shutdown says so, then gives open requests two seconds.
pub(crate) async fn run(
    listener: TcpListener,
    app: App,
    router: Router,
    shutdown: impl Future<Output = ()>,
) {
    let mut shutdown = pin!(shutdown);
    let (stop, stopped) = watch::channel(false);
    let mut connections = JoinSet::new();
    loop {
        let stream = tokio::select! {
            () = &mut shutdown => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                Err(error) => {
                    // Out of descriptors, most likely: others may close theirs meanwhile.
                    tracing::warn!(%error, "The sandbox could not accept a connection");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
        };
        connections.spawn(serve(stream, app.clone(), router.clone(), stopped.clone()));
        while connections.try_join_next().is_some() {}
    }
    drop(listener);
    stop.send_replace(true);
    let drained = async { while connections.join_next().await.is_some() {} };
    if tokio::time::timeout(DRAIN, drained).await.is_err() {
        connections.shutdown().await;
    }
}

async fn serve(stream: TcpStream, app: App, router: Router, mut stopped: watch::Receiver<bool>) {
    // A failure to set it costs only speed.
    let _ = stream.set_nodelay(true);
    let reset = Arc::new(AtomicBool::new(false));
    let io = TokioIo::new(Socket {
        stream,
        reset: Arc::clone(&reset),
    });
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        let answer = gate::pass(app.clone(), router.clone(), request.map(Body::new));
        let reset = Arc::clone(&reset);
        async move {
            answer.await.map_err(|gate::Reset| {
                reset.store(true, Ordering::Relaxed);
                io::Error::from(io::ErrorKind::ConnectionReset)
            })
        }
    });
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_DEADLINE);
    let mut connection = pin!(builder.serve_connection(io, service));
    tokio::select! {
        // Broken connections are the callers' business (and often ours, on purpose).
        _ = &mut connection => return,
        _ = stopped.wait_for(|stopped| *stopped) => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

/// A TCP stream that ends with a reset instead of a goodbye when it was told to.
struct Socket {
    stream: TcpStream,
    reset: Arc<AtomicBool>,
}

impl Drop for Socket {
    fn drop(&mut self) {
        if self.reset.load(Ordering::Relaxed) {
            let _ = self.stream.set_zero_linger();
        }
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

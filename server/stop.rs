//! Stopping in good order: not ready at once, new connections a little longer, then no more.

use std::time::Duration;

use tokio::signal::unix::{SignalKind, signal};

use crate::server::Server;

/// Resolves on SIGTERM or SIGINT.
pub async fn requested() {
    let interrupt = tokio::signal::ctrl_c();
    match signal(SignalKind::terminate()) {
        Ok(mut terminate) => {
            tokio::select! {
                _ = interrupt => {}
                _ = terminate.recv() => {}
            }
        }
        Err(error) => {
            tracing::warn!(%error, "SIGTERM can't be watched");
            let _ = interrupt.await;
        }
    }
}

/// Resolves when the listener should close: `/readyz` has said no for the lingering time, so that balancers have
/// turned away. A second signal ends the lingering.
pub async fn draining(server: Server) {
    requested().await;
    server.app.set_ready(false);
    server.watchers.close();
    server.venues.close();
    tracing::info!("Draining: no longer ready");
    tokio::select! {
        () = tokio::time::sleep(Duration::from_secs(server.app.config.linger_seconds)) => {}
        () = requested() => {}
    }
}

//! Stopping in good order: not ready at once, new connections a little longer, then no more.

use std::{io, time::Duration};

use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::server::Server;

/// Signals to stop. They are heard from the moment on when this is made; before it the system ends the process at once.
pub struct Signals {
    terminate: Signal,
    interrupt: Signal,
    /// The terminal has gone; none where the process that has started us wants that ignored (`nohup`).
    hangup: Option<Signal>,
}

impl Signals {
    /// Listens.
    ///
    /// # Errors
    /// When the system does not let us.
    pub fn listen() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            hangup: if ignores_hangup() {
                None
            } else {
                Some(signal(SignalKind::hangup())?)
            },
        })
    }

    /// Resolves on the next SIGTERM, SIGINT or SIGHUP.
    pub async fn requested(&mut self) {
        let hangup = async {
            match &mut self.hangup {
                Some(hangup) => hangup.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
            _ = hangup => {}
        }
    }
}

/// Whether the process was started with SIGHUP ignored, as the kernel tells it.
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask & 1 != 0)
}

/// Resolves when the listener should close: `/readyz` has said no for the lingering time, so that balancers have
/// turned away. A second signal ends the lingering.
pub async fn draining(server: Server, mut signals: Signals) {
    signals.requested().await;
    server.app.set_ready(false);
    server.site.watchers.close();
    server.site.venues.close();
    server.bills.close();
    tracing::info!("Draining: no longer ready");
    tokio::select! {
        () = tokio::time::sleep(Duration::from_secs(server.app.config.linger_seconds)) => {}
        () = signals.requested() => {}
    }
}

//! Ports for servers whose own address has to be known before they are there.

use std::{
    net::TcpListener,
    sync::atomic::{AtomicU32, Ordering},
};

/// A port that is not listened on. The system gives those above to a process that asks for any, so that one of them may be taken
/// until its server comes to it.
pub fn free_port() -> u16 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    loop {
        let turn = NEXT.fetch_add(1, Ordering::Relaxed);
        let port = 12_000 + (std::process::id() * 101 + turn) % 20_000;
        let port = u16::try_from(port).unwrap();
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

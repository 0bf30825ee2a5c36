//! The session cookie.

use tower_sessions::{
    Expiry, SessionManagerLayer,
    cookie::{SameSite, time::Duration},
};

use crate::state::sessions::{self, Sessions};

/// `__Host-`: only this host may set it, over a secure origin and for all paths. Browsers and curl
/// take `http://127.0.0.1` and `http://localhost` for secure.
pub const COOKIE: &str = "__Host-dk";
/// Name without TLS on a real host name, where browsers refuse the other one.
pub const INSECURE_COOKIE: &str = "dk";
/// Whether the cookie is for a secure origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Security {
    /// `__Host-`, Secure: production, and loopback addresses.
    #[default]
    Secure,
    /// Plain http on a network, for trying the app on a phone.
    Insecure,
}

/// The layer that reads and writes the session cookie.
pub fn layer(store: Sessions, security: Security) -> SessionManagerLayer<Sessions> {
    // The store ends idle sessions; the cookie only has to live as long as a session can.
    let longest = Duration::seconds(i64::try_from(sessions::ABSOLUTE.as_secs()).unwrap_or(0));
    SessionManagerLayer::new(store)
        .with_name(match security {
            Security::Secure => COOKIE,
            Security::Insecure => INSECURE_COOKIE,
        })
        .with_secure(security == Security::Secure)
        .with_http_only(true)
        .with_same_site(SameSite::Lax)
        .with_path("/")
        .with_expiry(Expiry::OnInactivity(longest))
}

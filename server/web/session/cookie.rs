//! The session cookie.

use tower_sessions::{
    Expiry, SessionManagerLayer,
    cookie::{SameSite, time::Duration},
};

use crate::state::sessions::{self, Sessions};

/// `__Host-`: only this host may set it, over a secure origin and for all paths.
pub const COOKIE: &str = "__Host-dk";
/// Name without TLS, where not all browsers keep the other one: Chromium and Firefox take `http://127.0.0.1` for
/// secure, Safari and WebKit do not.
pub const INSECURE_COOKIE: &str = "dk";
/// Whether the cookie is for a secure origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Security {
    /// `__Host-`, Secure: production.
    #[default]
    Secure,
    /// Plain http: this machine, and a network on which the app is tried on a phone.
    Insecure,
}

impl Security {
    /// Name of the session cookie.
    #[must_use]
    pub const fn cookie(self) -> &'static str {
        match self {
            Self::Secure => COOKIE,
            Self::Insecure => INSECURE_COOKIE,
        }
    }
}

/// The layer that reads and writes the session cookie.
pub fn layer(store: Sessions, security: Security) -> SessionManagerLayer<Sessions> {
    // The store ends idle sessions; the cookie only has to live as long as a session can.
    let longest = Duration::seconds(i64::try_from(sessions::ABSOLUTE.as_secs()).unwrap_or(0));
    SessionManagerLayer::new(store)
        .with_name(security.cookie())
        .with_secure(security == Security::Secure)
        .with_http_only(true)
        .with_same_site(SameSite::Lax)
        .with_path("/")
        .with_expiry(Expiry::OnInactivity(longest))
}

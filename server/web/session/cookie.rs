//! The session cookie.

use tower_sessions::session::Id;

use crate::state::ABSOLUTE;

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

/// `Set-Cookie` of a session. The store ends idle sessions; the cookie only has to live as long as a session can.
pub(super) fn session_cookie(id: Id, security: Security) -> String {
    text(&id.to_string(), ABSOLUTE.as_secs(), security)
}

/// `Set-Cookie` by which the browser forgets its session. It takes the same attributes: without `Secure` a browser
/// overlooks a cookie whose name begins with `__Host-`.
pub(super) fn expired_cookie(security: Security) -> String {
    text("", 0, security)
}

fn text(value: &str, seconds: u64, security: Security) -> String {
    let name = security.cookie();
    let secure = match security {
        Security::Secure => "; Secure",
        Security::Insecure => "",
    };
    format!("{name}={value}; HttpOnly; SameSite=Lax; Path=/; Max-Age={seconds}{secure}")
}

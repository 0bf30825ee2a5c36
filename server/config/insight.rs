//! Settings of what is told about the product: analytics, errors of browsers, the upstream's own switches; and of what
//! browsers keep beyond a visit.

use clap::{Args, ValueEnum};

use super::{dsn::Dsn, web_address};

/// Something that an installation may do without.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    /// It is done.
    On,
    /// It is not.
    Off,
}

impl Switch {
    /// Whether it is done.
    #[must_use]
    pub const fn is_on(self) -> bool {
        matches!(self, Self::On)
    }
}

/// See the module.
#[derive(Debug, Clone, Args)]
pub struct InsightArgs {
    /// Whether browsers tell what guests do: opened pages and confirmed searches, without anything personal
    #[arg(long, env = "ANALYTICS", value_enum, default_value_t = Switch::On)]
    pub analytics: Switch,
    /// Where batches of events are posted to as JSON, such as `https://analytics.example.kz/batch`; by default they are only counted
    #[arg(long, env = "ANALYTICS_URL", hide_env_values = true, value_parser = web_address)]
    pub analytics_url: Option<String>,
    /// Where errors of browsers are told: the DSN of a Sentry-compatible service, `https://KEY@errors.example.kz/1`; by default they are only logged
    #[arg(long, env = "SENTRY_DSN", hide_env_values = true)]
    pub sentry_dsn: Option<Dsn>,
    /// Whether browsers keep files, a menu and the status of the last order for times without a network; off: browsers that have begun to stop
    #[arg(long, env = "SERVICE_WORKER", value_enum, default_value_t = Switch::On)]
    pub service_worker: Switch,
    /// Public key of the service that sends notifications to browsers (VAPID, base64url); by default none are offered
    #[arg(long, env = "PUSH_KEY", value_parser = push_key)]
    pub push_key: Option<String>,
}

/// An uncompressed point of P-256, 65 bytes, as browsers ask for it.
fn push_key(text: &str) -> Result<String, String> {
    use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
    match URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')) {
        Ok(bytes) if bytes.len() == 65 && bytes[0] == 4 => {
            Ok(text.trim_end_matches('=').to_owned())
        }
        _ => Err("87 letters of base64url, as `web-push generate-vapid-keys` prints".to_owned()),
    }
}

//! Settings of the client. The server's own configuration fills them; the defaults are those of the requirements.

use std::time::Duration;

use super::{Clock, ConfigError};

/// Everything that the client can be told.
#[derive(Debug, Clone)]
pub struct UpstreamConfig {
    /// Where the business APIs answer, such as `http://127.0.0.1:8081`; a path prefix is kept.
    pub base_url: String,
    /// `User-Agent` of all calls.
    pub user_agent: String,
    /// `client_id` of sign-ins (AU-02).
    pub client_id: String,
    /// How long calls may take, by class.
    pub deadlines: Deadlines,
    /// When calls are tried again.
    pub retries: Retries,
    /// Largest answer read, after decompression, in bytes.
    pub body_cap: usize,
    /// How long catalogue answers live.
    pub cache: CacheTimes,
    /// Hosts (with port, if any) that pictures may come from, beside the host of `base_url`.
    pub image_hosts: Vec<String>,
    /// Source of time for the cache, the breakers and the budgets.
    pub clock: Clock,
}

/// Deadlines (R-03, HT-18).
#[derive(Debug, Clone, Copy)]
pub struct Deadlines {
    /// A call without which the page can't be shown.
    pub critical: Duration,
    /// A call that the page can do without.
    pub optional: Duration,
    /// All calls of a page, one after another or beside each other: the rest of R-03's 2.5 s is for rendering it.
    pub page: Duration,
    /// All that a change reads, one call after another or beside each other (HT-18).
    pub change: Duration,
    /// An answer for everybody: who waits has gone by then, and who asks next finds it (HT-18).
    pub late: Duration,
    /// An address by text or by place, all tries together (HT-06, HT-18).
    pub geo: Duration,
    /// Order creation and the checks before it, all tries together.
    pub order: Duration,
    /// One try of an order call, so that a hanging connection leaves time for the next try.
    pub order_attempt: Duration,
    /// Setting up a connection.
    pub connect: Duration,
}

/// Retries (ZZ-07, R-02).
#[derive(Debug, Clone, Copy)]
pub struct Retries {
    /// Tries after the first one of an order call.
    pub order: u32,
    /// Tries after the first one inside a page render.
    pub page: u32,
    /// The wait before retry n of a call outside a page is n times this, and up to a tenth more (HT-05).
    pub order_step: Duration,
    /// Longest wait before the quick retry of a page render; it is random below it.
    pub page_step: Duration,
    /// Retries as a share of first tries.
    pub budget_percent: u32,
}

/// Life of a catalogue answer.
#[derive(Debug, Clone, Copy)]
pub struct CacheTimes {
    /// Answered without a call.
    pub fresh: Duration,
    /// The same for what has to be recent (HM-06), and for a guest who asks for everything anew (HM-07): however many
    /// reload, the upstream is asked no more often.
    pub recent: Duration,
    /// Answered at once while a call renews it.
    pub revalidate: Duration,
    /// Answered when the renewing call fails.
    pub on_error: Duration,
    /// How long a guest waits for the renewing call of an answer that is past `revalidate` before the old one is taken.
    pub timeout: Duration,
    /// Upper bound of all kept answers, in bytes of their JSON.
    pub weight: u64,
}

impl UpstreamConfig {
    /// The defaults for an address.
    #[must_use]
    pub fn new(base_url: impl Into<String>) -> Self {
        Self {
            base_url: base_url.into(),
            user_agent: concat!("dastarkhan/", env!("CARGO_PKG_VERSION")).to_owned(),
            client_id: "web".to_owned(),
            deadlines: Deadlines::default(),
            retries: Retries::default(),
            body_cap: 8 * 1024 * 1024,
            cache: CacheTimes::default(),
            image_hosts: Vec::new(),
            clock: Clock::system(),
        }
    }

    /// Whether a picture's address belongs to one of the product's storage hosts.
    #[must_use]
    pub fn is_image_host(&self, address: &str) -> bool {
        let Some(host) = host_of(address) else {
            return false;
        };
        host_of(&self.base_url).is_some_and(|base| base == host) || self.image_hosts.contains(&host)
    }

    /// Address without a slash at the end; fails on anything but plain http(s).
    pub(super) fn base(&self) -> Result<String, ConfigError> {
        let url = url::Url::parse(&self.base_url)
            .map_err(|_| ConfigError::Address(self.base_url.clone()))?;
        let plain =
            matches!(url.scheme(), "http" | "https") && url.has_host() && url.query().is_none();
        if !plain
            || url.fragment().is_some()
            || !url.username().is_empty()
            || url.password().is_some()
        {
            return Err(ConfigError::Address(self.base_url.clone()));
        }
        Ok(url.as_str().trim_end_matches('/').to_owned())
    }
}

impl Default for Deadlines {
    fn default() -> Self {
        Self {
            critical: Duration::from_millis(1500),
            optional: Duration::from_millis(600),
            page: Duration::from_millis(2400),
            change: Duration::from_secs(8),
            late: Duration::from_secs(8),
            geo: Duration::from_secs(8),
            order: Duration::from_secs(15),
            order_attempt: Duration::from_secs(5),
            connect: Duration::from_secs(1),
        }
    }
}

impl Default for Retries {
    fn default() -> Self {
        Self {
            order: 3,
            page: 1,
            order_step: Duration::from_secs(1),
            page_step: Duration::from_millis(50),
            budget_percent: 20,
        }
    }
}

impl Default for CacheTimes {
    fn default() -> Self {
        Self {
            fresh: Duration::from_secs(60),
            recent: Duration::from_secs(3),
            revalidate: Duration::from_secs(10 * 60),
            on_error: Duration::from_secs(24 * 60 * 60),
            timeout: Duration::from_millis(250),
            weight: 64 * 1024 * 1024,
        }
    }
}

fn host_of(address: &str) -> Option<String> {
    let url = url::Url::parse(address).ok()?;
    if !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    let host = url.host_str()?;
    Some(
        url.port()
            .map_or_else(|| host.to_owned(), |port| format!("{host}:{port}")),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R-03, HT-18.
    #[test]
    fn calls_have_their_deadlines_without_a_setting() {
        let deadlines = Deadlines::default();
        let limits = [
            deadlines.critical,
            deadlines.optional,
            deadlines.page,
            deadlines.change,
            deadlines.geo,
            deadlines.order,
        ];
        assert_eq!(
            limits,
            [1500, 600, 2400, 8000, 8000, 15_000].map(Duration::from_millis)
        );
    }

    #[test]
    fn only_plain_http_addresses_are_taken() {
        for good in [
            "http://127.0.0.1:8081",
            "https://api.example/",
            "https://api.example/prefix/",
        ] {
            assert!(UpstreamConfig::new(good).base().is_ok(), "{good}");
        }
        for bad in [
            "",
            "ftp://a",
            "http://u:p@a",
            "http://a/?x=1",
            "http://a/#f",
            "127.0.0.1:8081",
            "file:///etc",
        ] {
            assert!(UpstreamConfig::new(bad).base().is_err(), "{bad}");
        }
    }

    #[test]
    fn pictures_come_from_the_upstream_and_the_listed_hosts_only() {
        let mut config = UpstreamConfig::new("http://127.0.0.1:8081");
        config.image_hosts.push("img.example".to_owned());
        assert!(config.is_image_host("http://127.0.0.1:8081/files/1.webp"));
        assert!(config.is_image_host("https://img.example/1.webp"));
        assert!(!config.is_image_host("http://127.0.0.1:8082/1.webp"));
        assert!(!config.is_image_host("https://img.example@127.0.0.1/1.webp"));
        assert!(!config.is_image_host("javascript:alert(1)"));
    }
}

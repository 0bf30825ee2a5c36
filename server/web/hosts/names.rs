//! Which names of a `Host` header are believed where no `PUBLIC_URL` is set: those of one's own machine and network.
//!
//! A client can send any name. A trusted one stands in links, the sitemap and cached pages, and is our own origin; so a
//! public name has to be in a setting.

use std::net::IpAddr;

use axum::http::{HeaderMap, Uri, header};

/// Endings that no public name has (RFC 6761, RFC 6762).
const LOCAL: [&str; 3] = [".localhost", ".test", ".local"];

/// The host that a request is for, with its port if it names one.
#[must_use]
pub fn requested<'a>(headers: &'a HeaderMap, uri: &'a Uri) -> Option<&'a str> {
    match uri.authority() {
        Some(authority) => Some(authority.as_str()),
        None => headers.get(header::HOST)?.to_str().ok(),
    }
}

/// The name of a host as settings write it, without a dot at the end and capitals, and its port if it names one.
#[must_use]
pub fn parted(host: &str) -> (String, Option<&str>) {
    let is_port = |(_, port): &(&str, &str)| port.bytes().all(|byte| byte.is_ascii_digit());
    let (name, port) = match host.rsplit_once(':').filter(is_port) {
        Some((name, port)) => (name, Some(port)),
        None => (host, None),
    };
    (name.trim_end_matches('.').to_ascii_lowercase(), port)
}

/// Whether a host, with or without its port, can only be this machine or one beside it.
#[must_use]
pub fn is_local(host: &str) -> bool {
    let Ok(url) = url::Url::parse(&format!("http://{host}")) else {
        return false;
    };
    if url.path() != "/" || !url.username().is_empty() || url.query().is_some() {
        return false;
    }
    match url.host() {
        Some(url::Host::Domain(name)) => {
            let name = name.trim_end_matches('.');
            name == "localhost" || LOCAL.iter().any(|ending| name.ends_with(ending))
        }
        Some(url::Host::Ipv4(address)) => is_own(IpAddr::V4(address)),
        Some(url::Host::Ipv6(address)) => is_own(IpAddr::V6(address).to_canonical()),
        None => false,
    }
}

fn is_own(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => v4.is_loopback() || v4.is_private() || v4.is_link_local(),
        IpAddr::V6(v6) => v6.is_loopback() || v6.is_unique_local() || v6.is_unicast_link_local(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_the_same_however_it_is_written() {
        for written in [
            "burger.kz",
            "Burger.KZ",
            "burger.kz:8080",
            "burger.kz.",
            "burger.kz.:80",
        ] {
            assert_eq!(parted(written).0, "burger.kz", "{written}");
        }
        assert_eq!(parted("[::1]:80"), ("[::1]".to_owned(), Some("80")));
        assert_eq!(parted("[fd00::1]"), ("[fd00::1]".to_owned(), None));
    }

    #[test]
    fn only_names_and_addresses_of_ones_own_network_are_near() {
        for near in [
            "localhost",
            "LOCALHOST:8080",
            "shop.localhost",
            "food.test:80",
            "kitchen.local",
            "127.0.0.1:8080",
            "192.168.1.20",
            "10.0.0.1:1",
            "[::1]:8080",
            "[fd00::1]",
            "[::ffff:127.0.0.1]",
        ] {
            assert!(is_local(near), "{near}");
        }
        for far in [
            "",
            "evil.example",
            "localhost.evil.example",
            "evillocalhost",
            "127.0.0.1.evil.example",
            "127.0.0.1@evil.example",
            "evil.example#localhost",
            "localhost/evil",
            "8.8.8.8",
            "[2001:db8::1]",
            "localhost:80:80",
        ] {
            assert!(!is_local(far), "{far}");
        }
    }
}

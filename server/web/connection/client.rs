//! The address of the client. Only proxies that are configured are believed (S-20).

use std::{
    net::{IpAddr, Ipv6Addr, SocketAddr},
    sync::Once,
};

use axum::{
    extract::{ConnectInfo, Request},
    http::{HeaderMap, request::Parts},
};
use ipnet::IpNet;

/// Networks whose `X-Forwarded-For` is believed.
#[derive(Debug, Clone, Default)]
pub struct TrustedProxies(Vec<IpNet>);

/// A setting that names no network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadNetwork {
    /// It can't be read.
    #[error("{0:?} is neither an address nor a network such as 10.0.0.0/8")]
    Unreadable(String),
    /// Any client could claim another address by `X-Forwarded-For`, and no limit of an address would hold.
    #[error("{0:?} is everybody, not a network of own proxies such as 10.0.0.0/8")]
    Everybody(String),
}

impl TrustedProxies {
    /// Reads addresses and networks, separated by commas.
    ///
    /// # Errors
    /// [`BadNetwork`] with the first that cannot be read.
    pub fn parse(list: &str) -> Result<Self, BadNetwork> {
        list.split(',')
            .map(str::trim)
            .filter(|entry| !entry.is_empty())
            .map(|entry| {
                let network = entry
                    .parse::<IpNet>()
                    .or_else(|_| entry.parse::<IpAddr>().map(IpNet::from))
                    .map_err(|_| BadNetwork::Unreadable(entry.to_owned()))?;
                if network.prefix_len() == 0 {
                    return Err(BadNetwork::Everybody(entry.to_owned()));
                }
                Ok(network)
            })
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// The client of a connection from `peer`: the last address that no proxy of ours wrote.
    #[must_use]
    pub fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let mut client = peer.to_canonical();
        let hops: Vec<&str> = headers
            .get_all("x-forwarded-for")
            .iter()
            .map(|value| value.to_str().unwrap_or("?"))
            .flat_map(|value| value.split(','))
            .collect();
        for hop in hops.into_iter().rev() {
            if !self.trusts(client) {
                break;
            }
            let Some(address) = parse_hop(hop.trim()) else {
                break;
            };
            client = address;
        }
        client
    }

    /// The client of a request; none when it came without a connection (tests).
    #[must_use]
    pub fn client_of(&self, parts: &Parts) -> Option<IpAddr> {
        let ConnectInfo(peer) = parts.extensions.get::<ConnectInfo<SocketAddr>>()?;
        self.warn_of_a_proxy(peer.ip().to_canonical(), &parts.headers);
        Some(self.client(peer.ip(), &parts.headers))
    }

    /// Whether a proxy of ours sent this.
    #[must_use]
    pub fn sent(&self, request: &Request) -> bool {
        let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
        peer.is_some_and(|ConnectInfo(peer)| self.trusts(peer.ip().to_canonical()))
    }

    /// Behind a proxy that is not named all guests look like one, and share one address's limits. Told once of each kind:
    /// anybody may send such a header, which must not hide that a proxy does.
    fn warn_of_a_proxy(&self, peer: IpAddr, headers: &HeaderMap) {
        static LOCAL: Once = Once::new();
        static FAR: Once = Once::new();
        if !headers.contains_key("x-forwarded-for") || self.trusts(peer) {
            return;
        }
        if is_local(peer) {
            LOCAL.call_once(|| {
                tracing::warn!(
                    "A proxy of the own network is not named by TRUSTED_PROXIES: all its guests share one address's limits"
                );
            });
        } else {
            FAR.call_once(|| {
                tracing::warn!(
                    "An X-Forwarded-For is not believed, as TRUSTED_PROXIES does not name who sent it: a proxy of yours has to be named, or all its guests share one address's limits; a guest may have made it up"
                );
            });
        }
    }

    fn trusts(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address))
    }
}

/// Of the own network: with the addresses between a provider and its customers, which clusters use as well.
fn is_local(peer: IpAddr) -> bool {
    match peer {
        IpAddr::V4(peer) => {
            let [a, b, ..] = peer.octets();
            let is_shared = a == 100 && (64..128).contains(&b);
            peer.is_private() || peer.is_loopback() || is_shared
        }
        IpAddr::V6(peer) => peer.is_unique_local() || peer.is_loopback(),
    }
}

/// The part of an address that one subscriber has: an IPv4 address, or a /64.
#[must_use]
pub fn subscriber(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        v4 => v4,
    }
}

/// An address, also with a port.
fn parse_hop(hop: &str) -> Option<IpAddr> {
    hop.parse::<IpAddr>()
        .or_else(|_| hop.parse::<SocketAddr>().map(|socket| socket.ip()))
        .ok()
        .map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(trusted: &str, peer: &str, forwarded: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append("x-forwarded-for", value.parse().unwrap());
        }
        let proxies = TrustedProxies::parse(trusted).unwrap();
        proxies.client(peer.parse().unwrap(), &headers).to_string()
    }

    #[test]
    fn a_stranger_cannot_say_who_it_is() {
        assert_eq!(client("", "203.0.113.9", &["198.51.100.1"]), "203.0.113.9");
        assert_eq!(
            client("10.0.0.0/8", "203.0.113.9", &["198.51.100.1"]),
            "203.0.113.9"
        );
    }

    #[test]
    fn the_last_address_that_no_proxy_of_ours_wrote_counts() {
        let trusted = "10.0.0.0/8, ::1";
        for (peer, forwarded, seen) in [
            ("10.0.0.1", &["198.51.100.1"][..], "198.51.100.1"),
            ("10.0.0.1", &["1.1.1.1, 198.51.100.1"], "198.51.100.1"),
            (
                "10.0.0.1",
                &["1.1.1.1", "198.51.100.1, 10.0.0.2"],
                "198.51.100.1",
            ),
            ("10.0.0.1", &["198.51.100.1:4711"], "198.51.100.1"),
            ("10.0.0.1", &["[2001:db8::1]:4711"], "2001:db8::1"),
            ("::1", &["2001:db8::1"], "2001:db8::1"),
            ("::ffff:10.0.0.1", &["198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", &["198.51.100.1, unknown"], "10.0.0.1"),
            ("10.0.0.1", &[], "10.0.0.1"),
            ("10.0.0.1", &["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        ] {
            assert_eq!(
                client(trusted, peer, forwarded),
                seen,
                "{peer} {forwarded:?}"
            );
        }
    }

    #[test]
    fn a_subscriber_is_a_whole_64() {
        let subscriber = |text: &str| subscriber(text.parse().unwrap()).to_string();
        assert_eq!(subscriber("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(subscriber("::ffff:203.0.113.9"), "203.0.113.9");
    }

    #[test]
    fn a_wrong_setting_is_named() {
        assert_eq!(
            TrustedProxies::parse("10.0.0.0/8,x").unwrap_err(),
            BadNetwork::Unreadable("x".to_owned())
        );
        for everybody in ["0.0.0.0/0", "10.0.0.0/8, ::/0"] {
            let refused = TrustedProxies::parse(everybody).unwrap_err();
            assert!(matches!(refused, BadNetwork::Everybody(_)), "{everybody}");
        }
    }

    #[test]
    fn a_proxy_of_the_own_network_is_told_from_one_elsewhere() {
        for (peer, near) in [
            ("10.1.2.3", true),
            ("127.0.0.1", true),
            ("100.64.0.1", true),
            ("100.128.0.1", false),
            ("203.0.113.9", false),
            ("fd00::1", true),
            ("2001:db8::1", false),
        ] {
            assert_eq!(is_local(peer.parse().unwrap()), near, "{peer}");
        }
    }
}

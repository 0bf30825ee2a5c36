//! Where pictures come from: the storage folders that this deployment names, and nothing else (S-14).
//!
//! A folder is named by the operator, so an address outside of it can't be asked for, signed or not. What a folder's
//! host name resolves to is checked at every connection: a public name that leads into the private network (DNS
//! rebinding) is refused. Redirects are not followed.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use reqwest::{
    StatusCode,
    dns::{Addrs, Name, Resolve, Resolving},
};
use url::{Host, Url};

use super::Error;
use crate::{
    config::secrets::without_secrets,
    telemetry::{Throttle, reason},
};

/// Bytes of an original; a larger one is not read.
const MAX_BYTES: usize = 10 << 20;
/// For everything together: connecting, waiting and reading. A slow sender is given up.
const DEADLINE: Duration = Duration::from_secs(5);

/// The storage folders, in the order of the settings.
pub(super) struct Storage {
    folders: Vec<Folder>,
    outside: reqwest::Client,
    inside: reqwest::Client,
}

struct Folder {
    /// Ends with a slash.
    url: String,
    /// By what its pictures are cached.
    cached_as: String,
    /// On the operator's own network: named by an address of it, or the upstream's own host.
    inside: bool,
}

/// Why a storage folder can't be used.
#[derive(Debug, thiserror::Error)]
pub enum BadStorage {
    /// Not an address of a folder.
    #[error(
        "IMAGE_STORAGE: {0}: write it like https://storage.example.kz/files/; http:// is for addresses inside the network"
    )]
    Address(String),
    /// The HTTP client can't be made.
    #[error(transparent)]
    Client(#[from] reqwest::Error),
}

impl Storage {
    /// `named` are the folders of the settings; without any, it is the upstream's `/files/`, and `/avatars/` of guests.
    pub(super) fn new(upstream: &str, named: &[String]) -> Result<Self, BadStorage> {
        let mut folders = named
            .iter()
            .filter(|folder| !folder.trim().is_empty())
            .map(|folder| Folder::named(folder.trim()))
            .collect::<Result<Vec<_>, _>>()?;
        if folders.is_empty() {
            folders.extend(["files", "avatars"].map(|folder| Folder::of(upstream, folder)));
        }
        let client = || {
            reqwest::Client::builder()
                .redirect(reqwest::redirect::Policy::none())
                .timeout(DEADLINE)
                .no_proxy()
                .referer(false)
        };
        Ok(Self {
            folders,
            outside: client()
                .https_only(true)
                .dns_resolver(Arc::new(PublicOnly))
                .build()?,
            inside: client().build()?,
        })
    }

    /// Which folder a picture is in, and its path and query there.
    pub(super) fn find<'a>(&self, url: &'a str) -> Option<(&str, &'a str)> {
        self.folders.iter().find_map(|folder| {
            let rest = url.strip_prefix(folder.url.as_str())?;
            is_path(rest).then_some((folder.url.as_str(), rest))
        })
    }

    /// By what the pictures of a folder are cached.
    pub(super) fn cached_as(&self, folder: &str) -> Option<&str> {
        self.folder(folder).map(|known| known.cached_as.as_str())
    }

    fn folder(&self, url: &str) -> Option<&Folder> {
        self.folders.iter().find(|known| known.url == url)
    }

    pub(super) fn folders(&self) -> impl Iterator<Item = &str> {
        self.folders.iter().map(|folder| folder.url.as_str())
    }

    /// Folders whose storage does not answer or fails, and why. A folder that can't be listed is no failure.
    pub(super) async fn unreachable(&self) -> Vec<(String, String)> {
        let mut unreachable = Vec::new();
        for Folder { url, inside, .. } in &self.folders {
            let client = if *inside { &self.inside } else { &self.outside };
            let why = match client.get(url).send().await {
                Ok(answer) if answer.status().is_server_error() => {
                    format!("it answers {}", answer.status().as_u16())
                }
                Ok(_) => continue,
                Err(error) => reason(&error),
            };
            unreachable.push((url.clone(), why));
        }
        unreachable
    }

    /// Reads an original.
    pub(super) async fn fetch(&self, folder: &str, rest: &str) -> Result<Vec<u8>, Error> {
        let inside = self.folder(folder).ok_or(Error::Address)?.inside;
        let client = if inside { &self.inside } else { &self.outside };
        let failed = |error: &reqwest::Error| failure(folder, reason(error));
        let mut answer = client
            .get(format!("{folder}{rest}"))
            .send()
            .await
            .map_err(|error| failed(&error))?;
        match answer.status() {
            StatusCode::OK => {}
            status if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS => {
                return Err(failure(folder, format!("it answers {}", status.as_u16())));
            }
            _ => return Err(Error::Fetch),
        }
        let length = answer.content_length().unwrap_or_default();
        if usize::try_from(length).map_or(true, |length| length > MAX_BYTES) {
            return Err(Error::Decode);
        }
        let mut bytes = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(|error| failed(&error))? {
            if bytes.len() + chunk.len() > MAX_BYTES {
                return Err(Error::Decode);
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    }
}

impl Folder {
    /// One of the upstream's own. On another port it is the same one.
    fn of(upstream: &str, folder: &str) -> Self {
        let url = format!("{}/{folder}/", upstream.trim_end_matches('/'));
        let cached_as = Url::parse(&url).map_or_else(
            |_| url.clone(),
            |mut url| {
                let _ = url.set_port(None);
                url.into()
            },
        );
        Self {
            url,
            cached_as,
            inside: true,
        }
    }

    /// A folder of the settings: https outside, or whatever the operator names by its address inside the network.
    fn named(text: &str) -> Result<Self, BadStorage> {
        let bad = || BadStorage::Address(without_secrets(text));
        let mut url = Url::parse(text).map_err(|_| bad())?;
        let plain = url.username().is_empty()
            && url.password().is_none()
            && url.query().is_none()
            && url.fragment().is_none();
        let inside = match url.host() {
            Some(Host::Ipv4(address)) => !is_public_v4(address),
            // An IPv4 address in other clothes is one all the same.
            Some(Host::Ipv6(address)) => !is_public(address.to_canonical()),
            Some(Host::Domain(_)) => false,
            None => return Err(bad()),
        };
        let scheme = url.scheme();
        if !plain || !(scheme == "https" || inside && scheme == "http") {
            return Err(bad());
        }
        if !url.path().ends_with('/') {
            url.set_path(&format!("{}/", url.path()));
        }
        Ok(Self {
            cached_as: url.as_str().to_owned(),
            url: url.into(),
            inside,
        })
    }
}

/// Tells of a storage that fails: guests see empty places and nothing else would say why.
fn failure(folder: &str, why: String) -> Error {
    static SAID: Throttle = Throttle::new();
    metrics::counter!("picture_storage_failures_total").increment(1);
    if let Some(others) = SAID.admit() {
        tracing::warn!(folder, others, "The storage of pictures fails: {why}");
    }
    Error::Storage
}

/// A path and perhaps a query below a folder: segments of plain characters and escapes, none of which is a way up or a
/// hidden slash.
pub(super) fn is_path(rest: &str) -> bool {
    let (path, query) = match rest.split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (rest, None),
    };
    let plain = |text: &str, extra: &[u8]| {
        text.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || extra.contains(&byte))
    };
    let lower = rest.to_ascii_lowercase();
    rest.len() <= 300
        && path
            .split('/')
            .all(|part| !part.is_empty() && !part.starts_with('.') && plain(part, b"-_.~%+=@"))
        && query.is_none_or(|query| !query.is_empty() && plain(query, b"-_.~=&"))
        && ["%2f", "%5c", "%2e", "%00"]
            .iter()
            .all(|escape| !lower.contains(escape))
}

/// Resolves names to public addresses only.
struct PublicOnly;

impl Resolve for PublicOnly {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let public = public_only(found)?;
            Ok(Box::new(public.into_iter()) as Addrs)
        })
    }
}

/// One private address among them spoils all: a name of the outside has none.
fn public_only(found: impl Iterator<Item = SocketAddr>) -> Result<Vec<SocketAddr>, std::io::Error> {
    let found: Vec<SocketAddr> = found.collect();
    if found.is_empty() || found.iter().any(|address| !is_public(address.ip())) {
        return Err(std::io::Error::other("not a public address"));
    }
    Ok(found)
}

fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    !(address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_broadcast()
        || address.is_documentation()
        || address.is_multicast()
        || a == 0
        || a >= 240
        || (a, b & 0xc0) == (100, 64)
        || (a, b, c) == (192, 0, 0)
        || (a, b, c) == (192, 88, 99)
        || (a, b & 0xfe) == (198, 18))
}

/// Only what is given out to the public (2000::/3), without the ranges that hold or tunnel other addresses.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let [a, b, ..] = address.segments();
    a & 0xe000 == 0x2000
        && a != 0x2002
        && !(a == 0x2001 && (b < 0x0200 || b == 0x0db8))
        && !(a == 0x3fff && b < 0x1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_paths_below_a_folder_are_addresses() {
        for good in [
            "dishes/551.webp",
            "a/b/c.jpg?v=3&size=x",
            "%D0%BF%D0%BB%D0%BE%D0%B2.jpg",
            "photo_2024~1.png",
        ] {
            assert!(is_path(good), "{good}");
        }
        for bad in [
            "../x",
            "a//b",
            "/etc",
            "a/..",
            "a/.b",
            "http://e/x",
            "a%2fb",
            "a%2Fb",
            "%2e%2e/x",
            "",
            "a\\b",
            "a?",
            "a?b#c",
            "a b",
            "a,b",
            "a\"b",
            "a?x=%0d",
            "a?http://e/",
        ] {
            assert!(!is_path(bad), "{bad}");
        }
    }

    #[test]
    fn only_the_folders_of_the_settings_hold_pictures() {
        let storage = Storage::new(
            "http://127.0.0.1:8081",
            &["https://cdn.example.kz/files".to_owned()],
        )
        .unwrap();
        assert_eq!(
            storage.find("https://cdn.example.kz/files/a/1.jpg"),
            Some(("https://cdn.example.kz/files/", "a/1.jpg"))
        );
        for foreign in [
            "http://127.0.0.1:8081/files/a.jpg",
            "http://cdn.example.kz/files/a.jpg",
            "https://cdn.example.kz:444/files/a.jpg",
            "https://cdn.example.kz/other/a.jpg",
            "https://cdn.example.kz@127.0.0.1/files/a.jpg",
            "https://cdn.example.kz/files@127.0.0.1/a.jpg",
            "https://cdn.example.kz.evil.example/files/a.jpg",
            "https://cdn.example.kz/files/../admin",
            "//cdn.example.kz/files/a.jpg",
        ] {
            assert_eq!(storage.find(foreign), None, "{foreign}");
        }
    }

    #[test]
    fn a_folder_is_https_or_an_address_inside() {
        for good in [
            "https://cdn.example.kz",
            "https://cdn.example.kz/a/",
            "http://10.0.0.7:9000/bucket/",
            "http://[fd00::7]/b",
        ] {
            assert!(Folder::named(good).is_ok(), "{good}");
        }
        for bad in [
            "cdn.example.kz",
            "http://cdn.example.kz/",
            "http://8.8.8.8/x",
            "http://134744072/x",
            "http://[2606:4700::1]/x",
            "http://[::ffff:8.8.8.8]/x",
            "ftp://10.0.0.7/",
            "https://user@cdn.example.kz/",
            "https://cdn.example.kz/?a=b",
            "file:///etc/",
        ] {
            assert!(Folder::named(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn private_addresses_are_refused_in_every_disguise() {
        for private in [
            "127.0.0.1",
            "0.0.0.0",
            "10.1.2.3",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "198.18.0.1",
            "192.0.0.8",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:8.8.8.8",
            "::127.0.0.1",
            "64:ff9b::7f00:1",
            "2002:7f00:1::",
            "2001::1",
            "2001:db8::1",
            "fc00::1",
            "fd12::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_public(private.parse().unwrap()), "{private}");
        }
        for public in [
            "8.8.8.8",
            "172.32.0.1",
            "100.128.0.1",
            "2a00:1450:4001::1",
            "2606:4700::1",
        ] {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
    }

    #[test]
    fn one_private_address_spoils_a_name() {
        let address = |text: &str| SocketAddr::new(text.parse().unwrap(), 0);
        let mixed = [address("8.8.8.8"), address("127.0.0.1")];
        assert!(public_only(mixed.into_iter()).is_err());
        assert!(public_only(std::iter::empty()).is_err());
        assert_eq!(
            public_only([address("8.8.8.8")].into_iter()).unwrap().len(),
            1
        );
    }

    #[tokio::test]
    async fn a_public_name_that_leads_inside_is_not_connected_to() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let port = listener.local_addr().unwrap().port();
        let folder = format!("https://localhost:{port}/files/");
        let _ = rustls::crypto::ring::default_provider().install_default();
        let storage = Storage::new("http://127.0.0.1:1", std::slice::from_ref(&folder)).unwrap();
        assert!(storage.fetch(&folder, "a.jpg").await.is_err());
        assert!(listener.accept().is_err(), "there was no call");
    }
}

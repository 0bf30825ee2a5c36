//! What `STATE_URL` says: one server, the sentinels that know which one is the primary, or the nodes of a cluster.

use std::sync::Arc;

use redis::{
    Client, ConnectionInfo, IntoConnectionInfo, RedisResult, TlsMode,
    aio::{ConnectionManager, ConnectionManagerConfig},
    cluster::ClusterClient,
    io::tcp::TcpSettings,
    sentinel::{SentinelClient, SentinelClientBuilder, SentinelServerType},
};
use tokio::sync::Mutex;

use super::{CONNECT, DEADLINE, QUEUE, wire::Wire};
use crate::state::Error;

/// Where sentinels listen.
const SENTINEL_PORT: u16 = 26_379;

/// Where the store is; cloning shares the connections to sentinels.
#[derive(Clone)]
pub(super) enum Address {
    /// One address that leads to the primary.
    One(Box<Client>),
    /// Those who are asked which server is the primary.
    Sentinels(Arc<Mutex<SentinelClient>>),
    /// Nodes that tell of the others.
    Cluster(Box<ClusterClient>),
}

impl Address {
    /// Reads it; it is not repeated in the error, as it may hold a password.
    pub(super) fn read(url: &str) -> Result<Self, Error> {
        let wrong = |reason: String| {
            Error::Open(format!(
                "{reason}: write it like redis://user:password@host:6379/0, \
                 redis+sentinel://user:password@host:26379,host:26379/name/0 or \
                 redis+cluster://user:password@host:6379,host:6379, with rediss:// (rediss+sentinel://, rediss+cluster://) for TLS"
            ))
        };
        if url.contains("#insecure") {
            return Err(wrong("TLS without a check of the certificate".to_owned()));
        }
        let read = match url.split_once("://") {
            Some((scheme @ ("redis+sentinel" | "rediss+sentinel"), rest)) => {
                sentinels(&Parts::of(scheme, rest))
            }
            Some((scheme @ ("redis+cluster" | "rediss+cluster"), rest)) => {
                cluster(&Parts::of(scheme, rest))
            }
            _ => url
                .into_connection_info()
                .and_then(|info| Client::open(info.set_tcp_settings(tcp())))
                .map(|client| Self::One(Box::new(client))),
        };
        read.map_err(|error| wrong(error.to_string()))
    }

    /// A line to the store. One address and a cluster are reached by the first call, sentinels are asked at once.
    pub(super) async fn wire(&self) -> RedisResult<Wire> {
        match self {
            Self::One(client) => manager(Client::clone(client)),
            Self::Sentinels(sentinels) => {
                let primary = sentinels.lock().await.async_get_client().await?;
                manager(primary)
            }
            Self::Cluster(client) => Ok(Wire::cluster(
                client.get_pending_async_connection_with_config(Default::default()),
            )),
        }
    }

    /// Whether another server may be the primary by now, which the line does not find by itself.
    pub(super) fn moves(&self) -> bool {
        matches!(self, Self::Sentinels(_))
    }
}

/// A line that comes back by itself.
fn manager(client: Client) -> RedisResult<Wire> {
    let config = ConnectionManagerConfig::new()
        .set_connection_timeout(Some(CONNECT))
        // Ours.
        .set_response_timeout(None)
        .set_number_of_retries(1)
        .set_min_delay(std::time::Duration::from_millis(50))
        .set_max_delay(std::time::Duration::from_millis(100))
        .set_pipeline_buffer_size(QUEUE);
    ConnectionManager::new_lazy_with_config(client, config).map(Wire::One)
}

fn sentinels(parts: &Parts<'_>) -> RedisResult<Address> {
    let (path, query) = parts.path.split_once('?').unwrap_or((parts.path, ""));
    let (name, db) = path.split_once('/').unwrap_or((path, "0"));
    if name.is_empty() {
        return Err(invalid("the name of the primary is missing"));
    }
    let sentinels: Vec<_> = parts
        .hosts()
        .map(|host| Ok(parts.node("", &with_port(host), "")?.addr().clone()))
        .collect::<RedisResult<_>>()?;
    let primary = parts.node(parts.user, "primary:6379", db)?;
    let mut builder = SentinelClientBuilder::new(sentinels, name, SentinelServerType::Master)?
        .set_client_to_redis_db(primary.redis_settings().db())
        .set_client_to_redis_tcp_settings(tcp())
        .set_client_to_sentinel_tcp_settings(tcp());
    if let Some(user) = primary.redis_settings().username() {
        builder = builder.set_client_to_redis_username(user);
    }
    if let Some(password) = primary.redis_settings().password() {
        builder = builder.set_client_to_redis_password(password);
    }
    if parts.tls {
        builder = builder
            .set_client_to_redis_tls_mode(TlsMode::Secure)
            .set_client_to_sentinel_tls_mode(TlsMode::Secure);
    }
    for (key, value) in url::form_urlencoded::parse(query.as_bytes()) {
        builder = match &*key {
            "sentinel_username" => builder.set_client_to_sentinel_username(value),
            "sentinel_password" => builder.set_client_to_sentinel_password(value),
            _ => return Err(invalid("an unknown parameter")),
        };
    }
    Ok(Address::Sentinels(Arc::new(Mutex::new(builder.build()?))))
}

fn cluster(parts: &Parts<'_>) -> RedisResult<Address> {
    if !parts.path.is_empty() {
        return Err(invalid("a cluster has one database, which has no number"));
    }
    let nodes: Vec<_> = parts
        .hosts()
        .map(|host| parts.node(parts.user, host, ""))
        .collect::<RedisResult<_>>()?;
    let mut builder = ClusterClient::builder(nodes)
        .connection_timeout(CONNECT)
        .response_timeout(DEADLINE)
        .tcp_settings(tcp())
        .retries(1);
    if parts.tls {
        builder = builder.tls(TlsMode::Secure);
    }
    Ok(Address::Cluster(Box::new(builder.build()?)))
}

/// An address with several hosts, which URLs do not allow.
struct Parts<'a> {
    tls: bool,
    /// With its password, or empty.
    user: &'a str,
    hosts: &'a str,
    path: &'a str,
}

impl<'a> Parts<'a> {
    fn of(scheme: &str, rest: &'a str) -> Self {
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        let (user, hosts) = authority.rsplit_once('@').unwrap_or(("", authority));
        Self {
            tls: scheme.starts_with("rediss"),
            user,
            hosts,
            path,
        }
    }

    fn hosts(&self) -> impl Iterator<Item = &'a str> {
        self.hosts.split(',')
    }

    /// One of them, read as an address of its own.
    fn node(&self, user: &str, host: &str, db: &str) -> RedisResult<ConnectionInfo> {
        let scheme = if self.tls { "rediss" } else { "redis" };
        let at = if user.is_empty() { "" } else { "@" };
        let info = format!("{scheme}://{user}{at}{host}/{db}").into_connection_info()?;
        Ok(info.set_tcp_settings(tcp()))
    }
}

fn with_port(host: &str) -> String {
    let has_port = host
        .rsplit_once(':')
        .is_some_and(|(_, port)| !port.ends_with(']'));
    if has_port {
        host.to_owned()
    } else {
        format!("{host}:{SENTINEL_PORT}")
    }
}

fn tcp() -> TcpSettings {
    TcpSettings::default().set_nodelay(true)
}

fn invalid(reason: &'static str) -> redis::RedisError {
    (redis::ErrorKind::InvalidClientConfig, reason).into()
}

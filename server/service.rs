//! The running product: its listeners, what goes on in the background, and its orderly end.

use std::{net::SocketAddr, time::Duration};

use anyhow::{Context, Error, Result, anyhow, bail};
use futures_util::future::BoxFuture;
use tokio::net::{TcpListener, TcpSocket};

use crate::{
    admin,
    config::{Profile, ServerArgs},
    dev, features,
    keys::seal::Keys,
    memory, routes,
    server::Server,
    stop, upstream,
    web::{
        connection::{
            client::TrustedProxies,
            idle::IdleLimits,
            serve::{Limits, serve},
        },
        files::assets::Assets,
        hosts::Hosts,
        log::metrics::begin,
        work,
    },
};

/// Binds an address; `setting` is named where that fails.
///
/// # Errors
/// When the address can't be used.
pub fn bind(address: SocketAddr, setting: &'static str) -> Result<TcpListener> {
    let listen = || {
        let socket = match address {
            SocketAddr::V4(_) => TcpSocket::new_v4()?,
            SocketAddr::V6(_) => TcpSocket::new_v6()?,
        };
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        socket.listen(BACKLOG)
    };
    listen().with_context(|| format!("{setting}: {address} can't be used"))
}

/// How many connections may wait to be taken, as far as the system lets them (`somaxconn`); who comes beyond that tries
/// again by himself after a second.
const BACKLOG: u32 = 4096;

/// Serves until a signal to stop, then lets what is under way finish.
///
/// Boxed, so that all of it is compiled in this crate and not once more in the command's, which is linked anew for
/// every changed script.
///
/// # Errors
/// When an address can't be used, the state can't be opened or the engine can't be stopped.
#[must_use]
pub fn run(
    config: ServerArgs,
    upstream: String,
    assets: Assets,
    renderer: ssr::Renderer,
    listener: TcpListener,
    room: usize,
) -> BoxFuture<'static, Result<()>> {
    Box::pin(async move {
        // A client that learns the address may stop us.
        let signals = stop::Signals::listen().context("signals")?;
        let metrics = admin::recorder().context("metrics")?;
        let admin = bind(config.admin_listen, "ADMIN_LISTEN")?;
        // What else is counted by them, streams, goes by those that there can be.
        let config = ServerArgs {
            max_connections: config.max_connections.min(room),
            ..config
        };
        let warning = inner_payment_page(&config, &upstream);
        let server = Server::new(config, &upstream, assets, renderer, routes::pages()).await?;
        let app = &server.app;
        let pages: Vec<_> = server.site.pages.all().map(|page| page.id).collect();
        begin(&pages, &upstream::parts());
        app.state.spawn_sweeper();
        tokio::spawn(features::orders::resolve_open_attempts(app.clone()));
        tokio::spawn(features::place::learn_languages(app.clone()));
        let every = Duration::from_millis(app.config.catalogue_fresh_ms);
        tokio::spawn(app.remote.clone().follow(app.upstream.clone(), every));
        tokio::spawn(app.hosts.clone().follow());
        tokio::spawn(memory::give_back());
        tokio::spawn(app.admission.clone().probe());
        if app.config.web_dir.is_some() {
            tokio::spawn(dev::watch(server.clone()));
        }
        let admin_address = admin.local_addr()?;
        println!("listening admin http://{admin_address}");
        let admin_router = admin::router(server.clone(), metrics);
        tokio::spawn(async move { axum::serve(admin, admin_router).await });
        println!("listening web http://{}", listener.local_addr()?);
        tracing::info!(
            version = env!("CARGO_PKG_VERSION"),
            profile = ?app.config.profile,
            web = %listener.local_addr()?,
            admin = %admin_address,
            upstream,
            public_url = app.config.public_url,
            state = %app.config.state_dir.display(),
            shared_state = app.config.state_url.is_some(),
            "Started"
        );
        if let Some(warning) = warning {
            tracing::warn!("{warning}");
        }
        app.set_ready(true);
        let limits = Limits {
            connections: app.config.max_connections,
            idle_limits: IdleLimits {
                header: Duration::from_secs(app.config.header_seconds),
                stall: Duration::from_secs(app.config.stall_seconds),
            },
            drain: Duration::from_secs(app.config.drain_seconds),
        };
        let router = routes::router(&server)?;
        let stop = stop::draining(server.clone(), signals);
        let listener = listener.into_std()?;
        let door = work::Door::open()?;
        let stays = {
            let app = app.clone();
            move || app.is_ready()
        };
        let until = door
            .run(async move {
                let listener = TcpListener::from_std(listener)?;
                anyhow::Ok(serve(listener, router, limits, stays, stop).await)
            })
            .await??;
        if tokio::time::timeout_at(until, app.changes.end())
            .await
            .is_err()
        {
            tracing::warn!("Some changes were not finished when the time to drain was over");
        }
        let renderer = app.renderer.clone();
        tokio::task::spawn_blocking(move || renderer.shutdown())
            .await
            .context("stopping the engine")?;
        tracing::info!("Stopped");
        Ok(())
    })
}

/// What `serve` needs besides: guests of a real upstream see our own address.
///
/// # Errors
/// Names the setting.
pub fn check_public(server: &ServerArgs) -> Result<()> {
    if server.profile == Profile::Production && server.public_url.is_none() {
        bail!(
            "PROFILE is production: PUBLIC_URL is needed, the address that guests see; without it a client would say by a header what our own address is"
        );
    }
    Ok(())
}

/// What can be wrong with settings beyond the shape of each, before anything is begun.
///
/// # Errors
/// Names the setting.
pub fn check(server: &ServerArgs) -> Result<()> {
    match problems(server).into_iter().next() {
        Some(problem) => Err(problem),
        None => Ok(()),
    }
}

/// The same, all of it.
#[must_use]
pub fn problems(server: &ServerArgs) -> Vec<Error> {
    let keys = server.secret_keys.as_deref();
    let proxies = server.trusted_proxies.join(",");
    let mut problems = [
        keys.map_or(Ok(()), |hex| {
            Keys::from_hex(hex).map(drop).context("SECRET_KEYS")
        }),
        TrustedProxies::parse(&proxies)
            .map(drop)
            .context("TRUSTED_PROXIES"),
        Hosts::of(server).map(drop),
        is_ours(server.listen, "LISTEN"),
        is_ours(server.admin_listen, "ADMIN_LISTEN"),
    ]
    .map(Result::err)
    .into_iter()
    .flatten()
    .collect::<Vec<_>>();
    if server.anonymous_orders.len() > 1 && server.anonymous_orders.contains(&None) {
        problems.push(anyhow!(
            "ANONYMOUS_ORDERS: none stands alone: no kind, or those that are named"
        ));
    }
    if meet(server.listen, server.admin_listen) {
        problems.push(anyhow!(
            "ADMIN_LISTEN: {} is the address of LISTEN too: take another port",
            server.admin_listen
        ));
    }
    if server.profile == Profile::Production {
        if server.public_url.as_deref().is_some_and(is_open_to_all) {
            problems.push(anyhow!(
                "PUBLIC_URL is plain http and PROFILE is production: cookies would not be Secure; write https://, where TLS ends in front of this process as well"
            ));
        }
        if server.oauth_url.as_deref().is_some_and(is_open_to_all) {
            problems.push(anyhow!(
                "OAUTH_URL is plain http and PROFILE is production: whoever is on the guests' network could read what they sign in with; write https://"
            ));
        }
    }
    problems
}

/// Whether what goes to an address can be read on the way: plain http that leaves this machine.
#[must_use]
pub fn is_open_to_all(address: &str) -> bool {
    let Ok(address) = url::Url::parse(address) else {
        return false;
    };
    let is_local = ["localhost", "127.0.0.1", "[::1]"]
        .map(Some)
        .contains(&address.host_str());
    address.scheme() == "http" && !is_local
}

/// Where no payment pages are named they are the upstream's own, and its origin stands in the policy of every page: what is
/// to be warned of, if no guest can pay there or that can be read on the way.
#[must_use]
pub fn inner_payment_page(server: &ServerArgs, upstream_url: &str) -> Option<String> {
    let is_upstreams = server.profile == Profile::Production && server.payment_origins.is_empty();
    let upstream = url::Url::parse(upstream_url)
        .ok()
        .filter(|_| is_upstreams)?;
    let is_inner = match upstream.host()? {
        url::Host::Domain(name) => !name.trim_end_matches('.').contains('.'),
        url::Host::Ipv4(address) => {
            address.is_private() || address.is_loopback() || address.is_link_local()
        }
        url::Host::Ipv6(address) => {
            address.is_unique_local() || address.is_loopback() || address.is_unicast_link_local()
        }
    };
    let why = match upstream.scheme() {
        _ if is_inner => "an address inside your network",
        "http" => "plain http",
        _ => return None,
    };
    Some(format!(
        "PAYMENT_ORIGINS: it is not set, so that every page names the origin of UPSTREAM_URL as that of payment pages, which is {why}"
    ))
}

/// An address that this machine does not have can't be listened at. Asked without listening: a server may be running.
fn is_ours(address: SocketAddr, setting: &'static str) -> Result<()> {
    std::net::UdpSocket::bind((address.ip(), 0))
        .map(drop)
        .with_context(|| format!("{setting}: {address} can't be used"))
}

/// Whether two listeners would be in each other's way.
fn meet(one: SocketAddr, other: SocketAddr) -> bool {
    let is_all = one.ip().is_unspecified() || other.ip().is_unspecified();
    one.port() != 0 && one.port() == other.port() && (is_all || one.ip() == other.ip())
}

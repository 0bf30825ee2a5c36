//! What every request needs, made once at start. What belongs to features and pages alone is put together above
//! (`server.rs`).

use std::{
    ops::Deref,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use anyhow::{Context, Result};
use axum::{
    extract::{FromRef, FromRequestParts},
    http::request::Parts,
};
use ssr::Renderer;
use tokio::runtime::Handle;

use super::{
    change::{finish::Changes, uploads::Turns},
    corrections::Corrections,
    files::{
        assets::{Assets, InUse},
        images::Images,
        tiles::Tiles,
    },
    hosts::{Hosts, remote::Remote},
    insight::Insight,
    limits::admission::Admission,
    locale::Wishes,
    page::{Matched, Table},
    parts,
    session::Security,
};
use crate::{config::ServerArgs, keys::seal::Keys, state::State, upstream::Upstream};

/// What every request needs; cloning shares it.
#[derive(Clone)]
pub struct App(Arc<Inner>);

/// See [`App`].
pub struct Inner {
    /// Settings.
    pub config: ServerArgs,
    /// What host names have of their own.
    pub hosts: Hosts,
    /// Client of the business APIs.
    pub upstream: Upstream,
    /// Sessions, carts, idempotency records.
    pub state: State,
    /// Seals and keys.
    pub keys: Keys,
    /// V8.
    pub renderer: Renderer,
    /// Where requests are worked on.
    pub runtime: Handle,
    /// What guests have begun and is not finished.
    pub changes: Changes,
    /// Photos in the sizes that pages ask for.
    pub images: Images,
    /// Who may hold a form with files.
    pub uploads: Turns,
    /// Tiles of the map.
    pub tiles: Tiles,
    /// The remote configuration.
    pub remote: Remote,
    /// What texts that find nothing were found to mean.
    pub corrections: Corrections,
    /// Where events and errors of browsers go.
    pub insight: Insight,
    /// Pages by their paths.
    pub pages: Arc<Table>,
    /// Which pages are let in.
    pub admission: Admission,
    /// The files of the build.
    pub assets: InUse,
    ready: AtomicBool,
}

impl Deref for App {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl App {
    /// Puts the parts together. `table` tells the page of a path.
    ///
    /// # Errors
    /// When the state folder, the keys or the upstream's address can't be used.
    pub async fn new(
        mut config: ServerArgs,
        upstream_url: &str,
        assets: Assets,
        renderer: Renderer,
        table: Table,
    ) -> Result<Self> {
        let hosts = Hosts::of(&config)?;
        let entered = parts::enter(&config)?;
        let keys = parts::keys(&config, &entered)?;
        let state = parts::state(&config, &keys).await?;
        drop(entered);
        let base = upstream_url.trim_end_matches('/');
        config
            .oauth_url
            .get_or_insert_with(|| format!("{base}/oauth2/authorize"));
        if config.payment_origins.is_empty() {
            let own = url::Url::parse(base).ok();
            config.payment_origins = own
                .map(|url| url.origin().ascii_serialization())
                .into_iter()
                .collect();
        }
        let upstream = parts::upstream(&config, upstream_url)?;
        let images = parts::images(&config, upstream_url, &keys)?;
        let tiles = match &config.tile_url {
            Some(source) => Tiles::new(source),
            None => Tiles::new(&format!("{base}/tiles/{{z}}/{{x}}/{{y}}")),
        }
        .context("TILE_URL")?;
        let security = security(&config);
        let insight = Insight::start(&config.insight, &keys)?;
        Ok(Self(Arc::new(Inner {
            admission: Admission::new(Duration::from_millis(config.render_wait_ms)),
            runtime: Handle::current(),
            changes: Changes::new(Handle::current(), security.cookie()),
            assets: InUse::new(assets),
            ready: AtomicBool::new(false),
            images,
            uploads: Turns::new(),
            tiles,
            insight,
            remote: Remote::default(),
            corrections: Corrections::default(),
            config,
            hosts,
            upstream,
            state,
            keys,
            renderer,
            pages: Arc::new(table),
        })))
    }

    /// Whether cookies are for a secure origin: that of `PUBLIC_URL`, which production names. Without it guests come
    /// by plain http to this machine, where Safari keeps no `Secure` cookie.
    #[must_use]
    pub fn cookie_security(&self) -> Security {
        security(&self.config)
    }

    /// Whether cookies may carry `Secure`.
    #[must_use]
    pub fn is_secure(&self) -> bool {
        self.cookie_security() == Security::Secure
    }

    /// The page of another address of ours than the request's, whose page is [`Matched::of`] it.
    #[must_use]
    pub fn page_of(&self, address: &str) -> Matched {
        self.pages
            .find(address.split(['?', '#']).next().unwrap_or_default())
    }

    /// Whether new requests are welcome.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.ready.load(Ordering::Acquire)
    }

    /// Says whether new requests are welcome: yes when everything is warm, no once the server drains.
    pub fn set_ready(&self, ready: bool) {
        self.ready.store(ready, Ordering::Release);
    }
}

fn security(config: &ServerArgs) -> Security {
    match config.public_url.as_deref() {
        Some(url) if url.starts_with("https://") => Security::Secure,
        Some(_) | None => Security::Insecure,
    }
}

impl<S> FromRequestParts<S> for Wishes
where
    App: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Self::Rejection> {
        let app = App::from_ref(state);
        Ok(Self::of(parts, &app.hosts, &app.upstream))
    }
}

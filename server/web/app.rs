//! What every request needs, made once at start. What belongs to features and pages alone is put together above
//! (`server.rs`).

use std::{
    ops::Deref,
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use anyhow::{Context, Result};
use ssr::Renderer;
use tokio::runtime::Handle;
use tokio_util::task::TaskTracker;

use super::{
    admission::Admission,
    assets::Assets,
    finish::CartChanges,
    hosts::Hosts,
    images::Images,
    insight::Insight,
    page::{Matched, Table},
    parts,
    remote::Remote,
    session::Security,
    tiles::Tiles,
    uploads::Turns,
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
    /// What guests have begun and is not finished, with or without a connection that waits for it.
    pub changes: TaskTracker,
    /// Which of them change a cart.
    pub cart_changes: CartChanges,
    /// Photos in the sizes that pages ask for.
    pub images: Images,
    /// Who may hold a form with files.
    pub uploads: Turns,
    /// Tiles of the map.
    pub tiles: Tiles,
    /// The remote configuration.
    pub remote: Remote,
    /// Where events and errors of browsers go.
    pub insight: Insight,
    table: Table,
    /// Which pages are let in.
    pub admission: Admission,
    assets: RwLock<Arc<Assets>>,
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
        let keys = parts::keys(&config)?;
        let state = parts::state(&config, &keys).await?;
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
        let insight = Insight::start(&config.insight, &keys)?;
        Ok(Self(Arc::new(Inner {
            admission: Admission::new(Duration::from_millis(config.render_wait_ms)),
            runtime: Handle::current(),
            changes: TaskTracker::new(),
            cart_changes: CartChanges::default(),
            assets: RwLock::new(Arc::new(assets)),
            ready: AtomicBool::new(false),
            images,
            uploads: Turns::new(),
            tiles,
            insight,
            remote: Remote::default(),
            config,
            hosts,
            upstream,
            state,
            keys,
            renderer,
            table,
        })))
    }

    /// The files of the build that is in use now.
    #[must_use]
    pub fn assets(&self) -> Arc<Assets> {
        Arc::clone(&self.assets.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Moves to the files of another build.
    pub fn replace_assets(&self, assets: Assets) {
        *self.assets.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(assets);
    }

    /// Whether cookies are for a secure origin: that of `PUBLIC_URL`, which production names. Without it guests come
    /// by plain http to this machine, where Safari keeps no `Secure` cookie.
    #[must_use]
    pub fn cookie_security(&self) -> Security {
        match self.config.public_url.as_deref() {
            Some(url) if url.starts_with("https://") => Security::Secure,
            Some(_) | None => Security::Insecure,
        }
    }

    /// The page of a path of ours, with what the path names.
    #[must_use]
    pub fn page_at(&self, path: &str) -> Matched {
        self.table.find(path)
    }

    /// The same for an address, whatever stands behind its path.
    #[must_use]
    pub fn page_of(&self, address: &str) -> Matched {
        self.page_at(address.split(['?', '#']).next().unwrap_or_default())
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

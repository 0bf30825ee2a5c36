//! What every request needs, made once at start.

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
use tokio_util::task::TaskTracker;

use crate::{
    config::ServerArgs,
    features::{live::Venues, orders::live::Watchers, sitemap::Directory},
    keys::seal::Keys,
    pages::{Pages, cache::PageCache, document::Document},
    state::{Options, State},
    upstream::{Upstream, UpstreamConfig},
    web::{
        assets::Assets,
        finish::CartChanges,
        headers::Allowed,
        images::{self, Images},
        page::Matched,
        session::Security,
        tiles::Tiles,
    },
};

/// Bytes that the page cache may hold.
const PAGE_CACHE_BYTES: u64 = 64 << 20;
/// Cached pages are answered stale for so long while one task makes them anew.
const PAGE_STALE: Duration = Duration::from_secs(600);

/// The product's state; cloning shares it.
#[derive(Clone)]
pub struct App(Arc<Inner>);

/// See [`App`].
pub struct Inner {
    /// Settings.
    pub config: ServerArgs,
    /// Client of the business APIs.
    pub upstream: Upstream,
    /// Sessions, carts, idempotency records.
    pub state: State,
    /// Seals and keys.
    pub keys: Keys,
    /// V8.
    pub renderer: Renderer,
    /// Ready pages of blank sessions.
    pub page_cache: PageCache,
    /// Every page of the product.
    pub pages: Pages,
    /// What guests have begun and is not finished, with or without a connection that waits for it.
    pub changes: TaskTracker,
    /// Which of them change a cart.
    pub cart_changes: CartChanges,
    /// Orders that pages watch now.
    pub watchers: Watchers,
    /// Venues that pages watch now.
    pub venues: Venues,
    /// All venues, for search engines.
    pub directory: Directory,
    /// Photos in the sizes that pages ask for.
    pub images: Images,
    /// Tiles of the map.
    pub tiles: Tiles,
    build: RwLock<Arc<Build>>,
    ready: AtomicBool,
}

/// One build of the front end.
pub struct Build {
    /// Files and manifest.
    pub assets: Assets,
    /// Documents of this build.
    pub document: Document,
}

impl Deref for App {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl App {
    /// Puts the parts together.
    ///
    /// # Errors
    /// When the state folder, the keys or the upstream's address can't be used.
    pub async fn new(
        mut config: ServerArgs,
        upstream_url: &str,
        assets: Assets,
        renderer: Renderer,
        pages: Pages,
    ) -> Result<Self> {
        let keys = match &config.secret_keys {
            Some(hex) => Keys::from_hex(hex).context("SECRET_KEYS")?,
            None => Keys::load_or_create(&config.state_dir).context("STATE_DIR")?,
        };
        let state = State::open(Options::new(&config.state_dir, keys.clone()))
            .await
            .context("STATE_DIR")?;
        let base = upstream_url.trim_end_matches('/');
        config
            .oauth_url
            .get_or_insert_with(|| format!("{base}/oauth2/authorize"));
        let mut upstream = UpstreamConfig::new(upstream_url);
        upstream.client_id.clone_from(&config.oauth_client_id);
        upstream.cache.fresh = Duration::from_millis(config.catalogue_fresh_ms);
        let upstream = Upstream::new(&upstream).context("UPSTREAM_URL")?;
        let images = Images::new(
            &keys,
            images::Options {
                upstream: upstream_url,
                storage: &config.image_storage,
                origins: &config.image_origins,
                state: &config.state_dir,
                disk_bytes: config.image_cache_mb << 20,
            },
        )
        .context("the image service")?;
        let tiles = match &config.tile_url {
            Some(source) => Tiles::new(source),
            None => Tiles::new(&format!("{base}/tiles/{{z}}/{{x}}/{{y}}")),
        }
        .context("TILE_URL")?;
        let document = Document::new(assets.manifest(), &allowed(&config));
        Ok(Self(Arc::new(Inner {
            page_cache: PageCache::new(PAGE_CACHE_BYTES, config.page_fresh(), PAGE_STALE),
            changes: TaskTracker::new(),
            cart_changes: CartChanges::default(),
            watchers: Watchers::default(),
            venues: Venues::new(Duration::from_millis(config.catalogue_fresh_ms)),
            build: RwLock::new(Arc::new(Build { assets, document })),
            ready: AtomicBool::new(false),
            directory: Directory::open(&config.state_dir),
            images,
            tiles,
            config,
            upstream,
            state,
            keys,
            renderer,
            pages,
        })))
    }

    /// The build that documents are made of now.
    #[must_use]
    pub fn build(&self) -> Arc<Build> {
        Arc::clone(&self.build.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Moves to another build (`make dev`); the renderer has it already.
    pub fn replace_build(&self, assets: Assets) {
        let document = Document::new(assets.manifest(), &allowed(&self.config));
        *self.build.write().unwrap_or_else(PoisonError::into_inner) =
            Arc::new(Build { assets, document });
        self.page_cache.clear();
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
        self.pages.table().find(path)
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

/// What pages may touch beside our own origin, by the settings.
fn allowed(config: &ServerArgs) -> Allowed {
    let sign_in = config.oauth_origin();
    Allowed {
        form_action: config
            .payment_origins
            .iter()
            .cloned()
            .chain(sign_in)
            .collect(),
        frame_ancestors: config.host_origins.clone(),
        images: config.image_origins.clone(),
    }
}

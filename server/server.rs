//! The parts of the server, put together once at start. This is the state of the router: each handler takes the part
//! that it needs by `State`.

use std::{ops::Deref, sync::Arc, time::Duration};

use anyhow::{Context, Result};
use axum::extract::FromRef;
use ssr::Renderer;

use crate::{
    config::ServerArgs,
    features::{bills::Bills, live::Venues, orders::live::Watchers, sitemap::Directory},
    pages::{Pages, Site, cache::PageCache},
    web::{app::App, files::assets::Assets},
};

/// Bytes that the page cache may hold.
const PAGE_CACHE_BYTES: u64 = 64 << 20;
/// Cached pages are answered stale for so long while one task makes them anew.
const PAGE_STALE: Duration = Duration::from_secs(600);

/// All parts; cloning shares them.
#[derive(Clone)]
pub struct Server(Arc<Parts>);

/// See [`Server`].
pub struct Parts {
    /// What every request needs.
    pub app: App,
    /// What pages are made with.
    pub site: Site,
    /// Bills that pages watch now.
    pub bills: Bills,
}

impl Deref for Server {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl Server {
    /// Puts the parts together.
    ///
    /// # Errors
    /// When the state folder, the keys or the upstream's address can't be used, or two pages have the same address.
    pub async fn new(
        config: ServerArgs,
        upstream_url: &str,
        assets: Assets,
        renderer: Renderer,
        pages: Pages,
    ) -> Result<Self> {
        let table = pages.table().context("two pages have the same address")?;
        let app = App::new(config, upstream_url, assets, renderer, table).await?;
        let config = &app.config;
        let cache = Arc::new(PageCache::new(
            PAGE_CACHE_BYTES,
            config.page_fresh(),
            PAGE_STALE,
        ));
        let venues = Venues::new(Duration::from_millis(config.catalogue_fresh_ms), {
            let cache = Arc::clone(&cache);
            move |path| cache.outdate(path)
        });
        let directory = Directory::open(&config.state_dir);
        let site = Site::new(
            app.clone(),
            pages,
            cache,
            venues,
            Watchers::default(),
            directory,
        );
        Ok(Self(Arc::new(Parts {
            app,
            site,
            bills: Bills::default(),
        })))
    }

    /// Moves to another build (`make dev`); the renderer has it already.
    pub fn replace_build(&self, assets: Assets) {
        self.app.assets.replace(assets);
        self.site.follow_build();
    }
}

impl FromRef<Server> for App {
    fn from_ref(server: &Server) -> Self {
        server.app.clone()
    }
}

impl FromRef<Server> for Site {
    fn from_ref(server: &Server) -> Self {
        server.site.clone()
    }
}

impl FromRef<Server> for Venues {
    fn from_ref(server: &Server) -> Self {
        server.site.venues.clone()
    }
}

impl FromRef<Server> for Watchers {
    fn from_ref(server: &Server) -> Self {
        server.site.watchers.clone()
    }
}

impl FromRef<Server> for Bills {
    fn from_ref(server: &Server) -> Self {
        server.bills.clone()
    }
}

impl FromRef<Server> for Directory {
    fn from_ref(server: &Server) -> Self {
        server.site.directory.clone()
    }
}

//! What pages are made with, beside what every request needs.

use std::{
    ops::Deref,
    sync::{Arc, PoisonError, RwLock},
};

use axum::extract::FromRef;

use super::{Pages, cache::PageCache, document::Document};
use crate::{
    config::ServerArgs,
    features::{live::Venues, menu::Menus, orders::live::Watchers, sitemap::Directory},
    web::{app::App, headers::Allowed},
};

/// What pages are made with; cloning shares it.
#[derive(Clone)]
pub struct Site(Arc<Inner>);

/// See [`Site`].
pub struct Inner {
    /// What every request needs.
    pub app: App,
    /// Every page of the product.
    pub pages: Pages,
    /// Pages of blank sessions.
    pub cache: Arc<PageCache>,
    /// Venues that pages watch now.
    pub venues: Venues,
    /// Orders that pages watch now.
    pub watchers: Watchers,
    /// All venues, for search engines.
    pub directory: Directory,
    /// Menus that were shown of late.
    pub menus: Menus,
    document: RwLock<Arc<Document>>,
}

impl Deref for Site {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl Site {
    /// Prepares the documents of the build that `app` has.
    #[must_use]
    pub fn new(
        app: App,
        pages: Pages,
        cache: Arc<PageCache>,
        venues: Venues,
        watchers: Watchers,
        directory: Directory,
    ) -> Self {
        let document = RwLock::new(Arc::new(documents(&app, &pages)));
        Self(Arc::new(Inner {
            app,
            pages,
            cache,
            venues,
            watchers,
            directory,
            menus: Menus::new(),
            document,
        }))
    }

    /// Documents of the build that is in use now.
    #[must_use]
    pub fn document(&self) -> Arc<Document> {
        Arc::clone(&self.document.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Moves to the build that the app has now; pages of the one before are forgotten.
    pub fn follow_build(&self) {
        *self
            .document
            .write()
            .unwrap_or_else(PoisonError::into_inner) = Arc::new(documents(&self.app, &self.pages));
        self.cache.clear();
    }
}

impl FromRef<Site> for Venues {
    fn from_ref(site: &Site) -> Self {
        site.venues.clone()
    }
}

impl FromRef<Site> for Watchers {
    fn from_ref(site: &Site) -> Self {
        site.watchers.clone()
    }
}

impl FromRef<Site> for Directory {
    fn from_ref(site: &Site) -> Self {
        site.directory.clone()
    }
}

impl FromRef<Site> for Menus {
    fn from_ref(site: &Site) -> Self {
        site.menus.clone()
    }
}

fn documents(app: &App, pages: &Pages) -> Document {
    let wasm = pages.all().filter(|page| page.wasm).map(|page| page.id);
    Document::new(
        app.assets.get().manifest(),
        &allowed(&app.config),
        &wasm.collect::<Vec<_>>(),
    )
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

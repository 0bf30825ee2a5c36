//! What a loader answers: the data of a page with its status, or another address.

use std::sync::Arc;

use crate::{
    features::{page::Page, shell::Flash},
    upstream::Card,
};

/// The outcome of a loader.
#[derive(Debug, Clone, PartialEq)]
pub enum Loaded {
    /// A page.
    Page(Box<LoadedPage>),
    /// Another page of ours, by 303.
    Redirect(String),
    /// The page has another address for good, by 301.
    Moved(String),
}

/// A page that was loaded.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadedPage {
    /// Its data.
    pub page: Page,
    /// HTTP status.
    pub status: u16,
    /// Something was old or missing: the page must not be kept for others.
    pub stale: bool,
    /// Seconds after which it reloads itself where scripts do not run.
    pub refresh: Option<u32>,
    /// A message that the loader itself has for the guest; one left by a form comes first.
    pub flash: Option<Flash>,
    /// The venue that the page is about, for search engines (SO-04).
    pub card: Option<Arc<Card>>,
}

impl Loaded {
    /// A page with status 200.
    #[must_use]
    pub fn page(page: Page) -> Self {
        Self::Page(Box::new(LoadedPage {
            page,
            status: 200,
            stale: false,
            refresh: None,
            flash: None,
            card: None,
        }))
    }

    /// The same page with another status.
    #[must_use]
    pub fn status(self, status: u16) -> Self {
        self.with(|page| page.status = status)
    }

    /// Marks what must not be kept for others.
    #[must_use]
    pub fn stale(self, stale: bool) -> Self {
        self.with(|page| page.stale |= stale)
    }

    /// Lets the page reload itself where scripts do not run.
    #[must_use]
    pub fn refresh(self, seconds: Option<u32>) -> Self {
        self.with(|page| page.refresh = seconds)
    }

    /// Adds a message.
    #[must_use]
    pub fn flash(self, flash: Option<Flash>) -> Self {
        self.with(|page| page.flash = flash)
    }

    /// Names the venue that the page is about.
    #[must_use]
    pub fn about(self, card: &Arc<Card>) -> Self {
        self.with(|page| page.card = Some(Arc::clone(card)))
    }

    fn with(mut self, change: impl FnOnce(&mut LoadedPage)) -> Self {
        if let Self::Page(page) = &mut self {
            change(page);
        }
        self
    }
}

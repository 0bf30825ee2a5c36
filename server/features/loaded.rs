//! What a loader gets, and what it answers: the data of a page with its status, or another address.

use std::{ops::Deref, sync::Arc};

use serde_json::Value;
use ssr::Shared;

use super::{page_data::CartView, place::Place};
use crate::{
    values::Country,
    web::{change::outcome::Flash, page::Matched, visit::Visit},
};

/// What a loader gets; cloning shares it.
#[derive(Clone)]
pub struct PageRequest(Arc<Facts>);

/// What is worked out once for each request of a page.
pub struct Facts {
    /// Who asks, in which language, for what.
    pub visit: Visit,
    /// Where the visit is.
    pub place: Place,
}

impl PageRequest {
    /// Reads where the visit is.
    pub async fn of(visit: Visit) -> Self {
        let place = Place::of(&visit).await;
        Self(Arc::new(Facts { visit, place }))
    }
}

impl Deref for PageRequest {
    type Target = Facts;

    fn deref(&self) -> &Facts {
        &self.0
    }
}

impl Facts {
    /// The page with what its address names.
    #[must_use]
    pub fn matched(&self) -> &Matched {
        &self.visit.matched
    }
}

/// What the loader of a page for signed-in guests gets. There is none without a sign-in, so that such a page can't be
/// loaded for others (AU-14).
pub struct SignedInRequest(PageRequest);

impl SignedInRequest {
    /// The request of a guest who is signed in; none of another.
    #[must_use]
    pub fn of(request: PageRequest) -> Option<Self> {
        request.visit.signed_in.is_some().then_some(Self(request))
    }
}

impl Deref for SignedInRequest {
    type Target = Facts;

    fn deref(&self) -> &Facts {
        &self.0
    }
}

/// The outcome of a loader.
#[derive(Debug, Clone, PartialEq)]
pub enum Loaded<T> {
    /// A page.
    Page(Box<LoadedPage<T>>),
    /// Another page of ours, by 303.
    Redirect(String),
    /// The page has another address for good, by 301.
    Moved(String),
    /// The guest has to sign in for it, as for a page of signed-in guests (AU-09).
    SignIn,
}

/// A page that was loaded.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadedPage<T> {
    /// Its data.
    pub data: T,
    /// HTTP status.
    pub status: u16,
    /// Something was old or missing: the page must not be kept for others.
    pub stale: bool,
    /// A part of it did not come: one that was kept before is better, however old.
    pub lacking: bool,
    /// Seconds after which it reloads itself where scripts do not run.
    pub refresh: Option<u32>,
    /// When what it says of opening hours ends, milliseconds since the epoch.
    pub until: Option<i64>,
    /// It is kept for others until then, milliseconds since the epoch: an open list is not asked for anew, as what was
    /// found and looked through on it would be lost.
    pub keep: Option<i64>,
    /// A message that the loader itself has for the guest; one left by a form comes first.
    pub flash: Option<Flash>,
    /// What is shown over the page: a folder in `components/overlays/`.
    pub overlay: Option<&'static str>,
    /// What search engines are told beside the page (SO-04).
    pub structured: Option<Value>,
    /// The country of its venue, where that is not the visit's: search engines know the page there (LC-02).
    pub country: Option<Country>,
    /// The cart as the loader has checked it, for what stands around the page; none: it has not looked.
    pub cart: Option<Option<CartView>>,
    /// What the data holds as `categories` and many guests get alike: the engine reads it once.
    pub shared: Option<Shared>,
}

impl<T> Loaded<T> {
    /// A page with status 200.
    #[must_use]
    pub fn page(data: T) -> Self {
        Self::Page(Box::new(LoadedPage {
            data,
            status: 200,
            stale: false,
            lacking: false,
            refresh: None,
            until: None,
            keep: None,
            flash: None,
            overlay: None,
            structured: None,
            country: None,
            cart: None,
            shared: None,
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

    /// Marks what a part did not come for: nor must it be kept.
    #[must_use]
    pub fn lacking(self, lacking: bool) -> Self {
        self.with(|page| {
            page.lacking |= lacking;
            page.stale |= lacking;
        })
    }

    /// Lets the page reload itself where scripts do not run.
    #[must_use]
    pub fn refresh(self, seconds: Option<u32>) -> Self {
        self.with(|page| page.refresh = seconds)
    }

    /// Says when what the page tells of a venue's hours changes: it is asked for anew then, and kept no longer.
    #[must_use]
    pub fn until(self, until: Option<i64>) -> Self {
        self.with(|page| page.until = until)
    }

    /// Says until when a list of venues is kept for others.
    #[must_use]
    pub fn keep(self, until: Option<i64>) -> Self {
        self.with(|page| page.keep = until)
    }

    /// Adds a message.
    #[must_use]
    pub fn flash(self, flash: Option<Flash>) -> Self {
        self.with(|page| page.flash = flash)
    }

    /// Names what is shown over the page.
    #[must_use]
    pub fn overlay(self, overlay: Option<&'static str>) -> Self {
        self.with(|page| page.overlay = overlay)
    }

    /// Adds what search engines are told.
    #[must_use]
    pub fn structured(self, structured: Option<Value>) -> Self {
        self.with(|page| page.structured = structured)
    }

    /// Names the country of its venue, where that is not the visit's.
    #[must_use]
    pub fn of_country(self, country: Option<Country>) -> Self {
        self.with(|page| page.country = country)
    }

    /// Hands on the cart that the loader has checked.
    #[must_use]
    pub fn cart(self, cart: Option<CartView>) -> Self {
        self.with(|page| page.cart = Some(cart))
    }

    /// Names the categories of the data, where all guests get the same.
    #[must_use]
    pub fn shared(self, shared: Option<Shared>) -> Self {
        self.with(|page| page.shared = shared)
    }

    fn with(mut self, change: impl FnOnce(&mut LoadedPage<T>)) -> Self {
        if let Self::Page(page) = &mut self {
            change(page);
        }
        self
    }
}

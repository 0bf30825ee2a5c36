//! Everything that a call may need.

use std::collections::HashMap;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use axum::body::Bytes;
use futures_util::future::BoxFuture;

use crate::catalogue::{Catalogue, Place};
use crate::clock::Clock;
use crate::faults::Faults;
use crate::journal::Journal;
use crate::overrides::Overrides;
use crate::params::parse_int;
use crate::refusal::Refusal;
use crate::store::Store;

/// Who is signed in has bonuses that an end gives back, and only rooms above this one know what ends.
pub(crate) type Expiry = for<'a> fn(&'a App) -> BoxFuture<'a, Result<(), Refusal>>;

/// The sandbox's parts, shared by all calls.
#[derive(Clone)]
pub(crate) struct App(Arc<Parts>);

pub(crate) struct Parts {
    pub(crate) catalogue: Catalogue,
    pub(crate) clock: Clock,
    pub(crate) overrides: Overrides,
    pub(crate) store: Store,
    pub(crate) faults: Faults,
    pub(crate) journal: Journal,
    /// Pictures that were asked for before.
    pub(crate) pictures: Mutex<HashMap<String, (&'static str, Bytes)>>,
    /// Where those are kept for other sandboxes.
    pub(crate) pictures_dir: Option<PathBuf>,
    /// Where the world reaches the sandbox, when it is not the Host header's place.
    pub(crate) public_url: Option<String>,
    /// The web application that the table links lead to.
    pub(crate) web_url: String,
    /// Where the sign-in page may lead back to, to the letter.
    pub(crate) redirect_uris: Vec<String>,
    /// The speed that the options gave.
    pub(crate) speed: f64,
    /// Ends what is over.
    pub(crate) expiry: Expiry,
    /// The OpenAPI document, made once.
    pub(crate) openapi: String,
}

impl App {
    pub(crate) fn new(parts: Parts) -> App {
        App(Arc::new(parts))
    }

    /// Origins of the web application: some type one name of the machine, some the other.
    pub(crate) fn web_origins(&self) -> impl Iterator<Item = &str> {
        self.redirect_uris
            .iter()
            .filter_map(|uri| uri.strip_suffix("/auth"))
    }

    /// Ends what is over by now.
    pub(crate) async fn expire(&self) -> Result<(), Refusal> {
        (self.expiry)(self).await
    }

    /// The place of a filial, or "Terminal is not found".
    pub(crate) fn place(&self, filial: i64) -> Result<Place<'_>, Refusal> {
        self.catalogue
            .place(filial)
            .ok_or_else(Refusal::terminal_not_found)
    }

    /// The place of a filial whose number stands in the path.
    pub(crate) fn place_at(&self, text: &str) -> Result<Place<'_>, Refusal> {
        self.place(parse_int("id", text)?)
    }
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

//! The menu of a venue beside its stock, as pages show it: made once for all guests who read one language.

use std::{ops::Deref, sync::Arc, time::Duration};

use moka::sync::Cache;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use ssr::Shared;

use super::sections;
use crate::{
    error::Error,
    features::{live, page_data::Category, stock::Stock},
    upstream::{Menu, VenueId},
    values::Lang,
    web::files::images::Images,
};

/// Bytes of JSON that are kept; what it was written from takes twice as much beside it.
const MOST: u64 = 16_000_000;
/// How long an unused menu is kept.
const IDLE: Duration = Duration::from_secs(60);

/// Menus that were shown of late; cloning shares them.
#[derive(Clone)]
pub struct Menus(Cache<(VenueId, Lang), Arc<Shown>>);

/// A state of a menu.
pub(super) struct Shown {
    menu: Arc<Menu>,
    stock: Stock,
    /// What the page shows of it.
    pub categories: Categories,
    /// Names its prices and stock.
    pub rev: String,
}

/// Categories with their JSON, which is written once for many pages, and read once by each isolate; cloning shares them.
#[derive(Debug, Clone)]
pub struct Categories(Arc<Written>);

#[derive(Debug)]
struct Written {
    list: Vec<Category>,
    json: Arc<Json>,
    shared: Shared,
}

#[derive(Debug)]
struct Json(Box<RawValue>);

impl AsRef<str> for Json {
    fn as_ref(&self) -> &str {
        self.0.get()
    }
}

impl Menus {
    /// Keeps nothing yet.
    #[must_use]
    pub fn new() -> Self {
        let weight = |_: &_, shown: &Arc<Shown>| {
            u32::try_from(shown.categories.shared().text().len()).unwrap_or(u32::MAX)
        };
        let menus = Cache::builder().max_capacity(MOST).weigher(weight);
        Self(menus.time_to_idle(IDLE).build())
    }

    /// The state of this answer beside this stock.
    pub(super) fn shown(
        &self,
        of: (VenueId, Lang),
        menu: &Arc<Menu>,
        stock: &Stock,
        images: &Images,
    ) -> Result<Arc<Shown>, Error> {
        let before = self.0.get(&of);
        if let Some(shown) = &before
            && Arc::ptr_eq(&shown.menu, menu)
            && shown.stock == *stock
        {
            return Ok(Arc::clone(shown));
        }
        let categories = Categories::new(sections::categories(menu, stock, images))?;
        // A menu that was asked for anew is mostly the same, and isolates know it by its name.
        let known = before
            .map(|shown| shown.categories.clone())
            .filter(|known| known.shared().text() == categories.shared().text());
        let shown = Arc::new(Shown {
            menu: Arc::clone(menu),
            stock: stock.clone(),
            categories: known.unwrap_or(categories),
            rev: live::rev_of(menu, stock),
        });
        self.0.insert(of, Arc::clone(&shown));
        Ok(shown)
    }
}

impl Default for Menus {
    fn default() -> Self {
        Self::new()
    }
}

impl Categories {
    /// Writes them.
    pub(super) fn new(categories: Vec<Category>) -> Result<Self, Error> {
        let json = serde_json::value::to_raw_value(&categories)
            .map_err(|error| Error::Internal(error.to_string()))?;
        let json = Arc::new(Json(json));
        Ok(Self(Arc::new(Written {
            list: categories,
            shared: Shared::new(Arc::<Json>::clone(&json)),
            json,
        })))
    }

    /// Their JSON for the engine.
    pub(super) fn shared(&self) -> &Shared {
        &self.0.shared
    }
}

impl Deref for Categories {
    type Target = [Category];

    fn deref(&self) -> &[Category] {
        &self.0.list
    }
}

impl Serialize for Categories {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.json.0.serialize(serializer)
    }
}

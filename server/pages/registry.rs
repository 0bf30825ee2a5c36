//! All pages with their loaders. The one list is in `routes.rs`; matching, page cache, labels, the sign-in gate, the
//! browser's route table and the generated types come from it.

use std::{collections::HashMap, fmt::Write as _, future::Future};

use futures_util::future::BoxFuture;
use matchit::InsertError;
use serde::Serialize;
use ts_rs::{Config, ExportError, TS};

use crate::{
    error::Error,
    features::loaded::{Loaded, LoadedPage, PageRequest},
    web::page::{Page, Table},
};

/// The data of a page as JSON, with what its loader said.
pub(super) type LoadedJson = Loaded<String>;

type Loader =
    Box<dyn Fn(PageRequest) -> BoxFuture<'static, Result<LoadedJson, Error>> + Send + Sync>;
type Export = fn(&Config) -> Result<(), ExportError>;

/// The pages of the product.
#[derive(Default)]
pub struct Pages {
    /// In the order of registration; a page of several addresses comes several times.
    all: Vec<&'static Page>,
    loaders: HashMap<&'static str, Loader>,
    types: Vec<(&'static str, String, Export)>,
}

impl Pages {
    /// Adds a page and what loads it.
    #[must_use]
    pub fn add<T, F, L>(self, page: &'static Page, load: L) -> Self
    where
        T: Serialize + TS + 'static,
        F: Future<Output = Result<Loaded<T>, Error>> + Send + 'static,
        L: Fn(PageRequest) -> F + Send + Sync + 'static,
    {
        self.add_all(std::slice::from_ref(page), load)
    }

    /// Adds a page that has several addresses.
    #[must_use]
    pub fn add_all<T, F, L>(mut self, pages: &'static [Page], load: L) -> Self
    where
        T: Serialize + TS + 'static,
        F: Future<Output = Result<Loaded<T>, Error>> + Send + 'static,
        L: Fn(PageRequest) -> F + Send + Sync + 'static,
    {
        self.all.extend(pages);
        if let Some(page) = pages.first() {
            self = self.typed::<T>(page);
            self.loaders.insert(
                page.id,
                Box::new(move |request| {
                    let loading = load(request);
                    Box::pin(async move { to_json(loading.await?) })
                }),
            );
        }
        self
    }

    /// Adds a page that no address shows: it stands where another one can't be shown.
    #[must_use]
    pub fn instead<T: Serialize + TS + 'static>(mut self, page: &'static Page) -> Self {
        self.all.push(page);
        self.typed::<T>(page)
    }

    fn typed<T: TS + 'static>(mut self, page: &'static Page) -> Self {
        let name = T::name(&Config::default());
        self.types.push((page.id, name, T::export_all));
        self
    }

    /// What finds the page of an address.
    ///
    /// # Errors
    /// When the address of a page can't be told from that of another one.
    pub fn table(&self) -> Result<Table, InsertError> {
        let mut table = Table::default();
        for page in self.all() {
            table.add(page)?;
        }
        Ok(table)
    }

    /// Every address of every page.
    pub fn all(&self) -> impl Iterator<Item = &'static Page> + '_ {
        self.all
            .iter()
            .copied()
            .filter(|page| !page.path.is_empty())
    }

    /// Loads a page.
    pub(super) async fn load(&self, request: PageRequest) -> Result<LoadedJson, Error> {
        let page = request.matched().page;
        match self.loaders.get(page.id) {
            Some(load) => load(request).await,
            None => Err(Error::NotFound("page")),
        }
    }

    /// Writes the types of all page data into the folder that `config` names.
    ///
    /// # Errors
    /// When a file can't be written.
    pub fn export(&self, config: &Config) -> Result<(), ExportError> {
        self.types
            .iter()
            .try_for_each(|(_, _, export)| export(config))
    }

    /// TypeScript: the page data told apart by the page's id.
    #[must_use]
    pub fn types(&self) -> String {
        let mut text = String::from(
            "/**\n * The data of one page, told apart by its id.\n */\nexport type Page =",
        );
        for (id, data, _) in &self.types {
            let _ = write!(text, "\n  | {{ route: '{id}'; data: {data} }}");
        }
        text.push_str(
            "\n\n/**\n * The one JSON text of a page: what stands around it, what it shows, its HTTP status.\n */\n\
             export type PageData = { shell: Shell; page: Page; status: number }\n",
        );
        text
    }

    /// TypeScript: the addresses for the browser's router, and the page that each is expected to show.
    #[must_use]
    pub fn route_table(&self) -> String {
        let mut text = String::from(
            "// Generated from `server/routes.rs` by `make types`. Do not edit.\n\n\
             import type { Page } from './page-data.ts'\n\n\
             export const routeTable = [\n",
        );
        for page in self.all() {
            let path = page.path.replace('{', ":").replace('}', "");
            let _ = writeln!(text, "  {{ id: '{}', path: '{path}' }},", page.id);
        }
        text.push_str("  { id: 'notFound', path: '*' },\n] as const satisfies readonly { id: Page['route']; path: string }[]\n");
        text
    }
}

/// What a loader answers, with its data as JSON.
pub(super) fn to_json<T: Serialize>(loaded: Loaded<T>) -> Result<LoadedJson, Error> {
    let page = match loaded {
        Loaded::Page(page) => *page,
        Loaded::Redirect(to) => return Ok(Loaded::Redirect(to)),
        Loaded::Moved(to) => return Ok(Loaded::Moved(to)),
    };
    let LoadedPage {
        data,
        status,
        stale,
        lacking,
        until,
        refresh,
        flash,
        overlay,
        structured,
        cart,
        shared,
    } = page;
    let data = serde_json::to_string(&data).map_err(|error| Error::Internal(error.to_string()))?;
    Ok(Loaded::Page(Box::new(LoadedPage {
        data,
        status,
        stale,
        lacking,
        until,
        refresh,
        flash,
        overlay,
        structured,
        cart,
        shared,
    })))
}

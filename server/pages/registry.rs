//! All pages with their loaders. The one list is in `routes.rs`; matching, page cache, labels, the sign-in gate, the
//! browser's route table and the generated types come from it.

use std::{collections::HashMap, future::Future};

use axum::extract::{FromRef, State};
use futures_util::future::BoxFuture;
use matchit::InsertError;
use serde::Serialize;

use super::Site;
use crate::{
    error::Error,
    features::loaded::{Loaded, LoadedPage, PageRequest},
    web::page::{Page, Table},
};

#[cfg(test)]
use super::typescript::{self, Declarations};

/// The data of a page as JSON, with what its loader said.
pub(super) type LoadedJson = Loaded<String>;

type Loader =
    Box<dyn Fn(&Site, PageRequest) -> BoxFuture<'static, Result<LoadedJson, Error>> + Send + Sync>;

/// What loads a page: a function of the request that takes what features keep between requests as handlers of axum do,
/// by `State`, before it. `States` are their types.
pub trait Load<T, States>: Send + Sync + 'static {
    /// Begins to load.
    fn load(
        &self,
        site: &Site,
        request: PageRequest,
    ) -> impl Future<Output = Result<Loaded<T>, Error>> + Send + 'static;
}

macro_rules! load {
    ($($state:ident),*) => {
        impl<T, F, L, $($state),*> Load<T, ($($state,)*)> for L
        where
            F: Future<Output = Result<Loaded<T>, Error>> + Send + 'static,
            L: Fn($(State<$state>,)* PageRequest) -> F + Send + Sync + 'static,
            $($state: FromRef<Site>,)*
        {
            #[allow(unused_variables, reason = "most loaders take the request alone")]
            fn load(
                &self,
                site: &Site,
                request: PageRequest,
            ) -> impl Future<Output = Result<Loaded<T>, Error>> + Send + 'static {
                self($(State($state::from_ref(site)),)* request)
            }
        }
    };
}

load!();
load!(A);
load!(A, B);
load!(A, B, C);

/// The data of a page; tests know its TypeScript, too.
#[cfg(not(test))]
pub trait Data: Serialize + 'static {}
#[cfg(not(test))]
impl<T: Serialize + 'static> Data for T {}
#[cfg(test)]
pub trait Data: Serialize + ts_rs::TS + 'static {}
#[cfg(test)]
impl<T: Serialize + ts_rs::TS + 'static> Data for T {}

#[cfg(test)]
type Declare = fn(&mut Declarations, &'static str);

/// The pages of the product.
#[derive(Default)]
pub struct Pages {
    /// In the order of registration; a page of several addresses comes several times.
    all: Vec<&'static Page>,
    loaders: HashMap<&'static str, Loader>,
    #[cfg(test)]
    declared: Vec<(&'static str, Declare)>,
}

impl Pages {
    /// Adds a page and what loads it.
    #[must_use]
    pub fn add<T: Data, States>(self, page: &'static Page, load: impl Load<T, States>) -> Self {
        self.add_all(std::slice::from_ref(page), load)
    }

    /// Adds a page that has several addresses.
    #[must_use]
    pub fn add_all<T: Data, States>(
        mut self,
        pages: &'static [Page],
        load: impl Load<T, States>,
    ) -> Self {
        self.all.extend(pages);
        if let Some(page) = pages.first() {
            self.declare::<T>(page);
            self.loaders.insert(
                page.id,
                Box::new(move |site, request| {
                    let loading = load.load(site, request);
                    Box::pin(async move { to_json(loading.await?) })
                }),
            );
        }
        self
    }

    /// Adds a page that no address shows: it stands where another one can't be shown.
    #[must_use]
    pub fn instead<T: Data>(mut self, page: &'static Page) -> Self {
        self.all.push(page);
        self.declare::<T>(page);
        self
    }

    #[cfg(test)]
    fn declare<T: Data>(&mut self, page: &Page) {
        self.declared.push((page.id, Declarations::add_page::<T>));
    }

    #[cfg(not(test))]
    fn declare<T: Data>(&mut self, _: &Page) {}

    /// The types of all page data.
    #[cfg(test)]
    pub fn declarations(&self) -> Declarations {
        let mut declarations = Declarations::default();
        for (id, declare) in &self.declared {
            declare(&mut declarations, id);
        }
        declarations
    }

    /// The addresses for the browser's router.
    #[cfg(test)]
    pub fn route_table(&self) -> String {
        typescript::route_table(self.all())
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
    pub(super) async fn load(
        &self,
        site: &Site,
        request: PageRequest,
    ) -> Result<LoadedJson, Error> {
        let page = request.matched().page;
        match self.loaders.get(page.id) {
            Some(load) => load(site, request).await,
            None => Err(Error::NotFound("page")),
        }
    }
}

/// What a loader answers, with its data as JSON.
pub(super) fn to_json<T: Serialize>(loaded: Loaded<T>) -> Result<LoadedJson, Error> {
    let page = match loaded {
        Loaded::Page(page) => *page,
        Loaded::Redirect(to) => return Ok(Loaded::Redirect(to)),
        Loaded::Moved(to) => return Ok(Loaded::Moved(to)),
        Loaded::SignIn => return Ok(Loaded::SignIn),
    };
    let LoadedPage {
        data,
        status,
        stale,
        lacking,
        until,
        keep,
        refresh,
        flash,
        overlay,
        structured,
        country,
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
        keep,
        refresh,
        flash,
        overlay,
        structured,
        country,
        cart,
        shared,
    })))
}

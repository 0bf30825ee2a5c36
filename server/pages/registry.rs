//! All pages with their loaders. The one list is in `routes.rs`; matching, page cache, labels, the sign-in gate, the
//! browser's route table and the generated types come from it.

use std::{
    collections::HashMap,
    future::{Future, ready},
};

use axum::extract::{FromRef, State};
use futures_util::future::BoxFuture;
use matchit::InsertError;
use serde::Serialize;

use super::Site;
use crate::{
    error::Error,
    features::loaded::{Loaded, LoadedPage, PageRequest, SignedInRequest},
    web::page::{Page, SignedInPage, Table},
};

#[cfg(test)]
use super::typescript::{self, Declarations};

/// The data of a page as JSON, with what its loader said.
pub(super) type LoadedJson = Loaded<String>;

type Loader =
    Box<dyn Fn(&Site, PageRequest) -> BoxFuture<'static, Result<LoadedJson, Error>> + Send + Sync>;

/// A page as it is registered: who may open it decides what its loader takes.
pub trait Registered: 'static {
    /// What its loader takes.
    type Request: FromPageRequest;

    /// The page.
    fn page(&'static self) -> &'static Page;
}

impl Registered for Page {
    type Request = PageRequest;

    fn page(&'static self) -> &'static Page {
        self
    }
}

impl Registered for SignedInPage {
    type Request = SignedInRequest;

    fn page(&'static self) -> &'static Page {
        self
    }
}

/// What a loader takes.
pub trait FromPageRequest: Sized {
    /// None: the guest has to sign in first.
    fn from_page(request: PageRequest) -> Option<Self>;
}

impl FromPageRequest for PageRequest {
    fn from_page(request: PageRequest) -> Option<Self> {
        Some(request)
    }
}

impl FromPageRequest for SignedInRequest {
    fn from_page(request: PageRequest) -> Option<Self> {
        Self::of(request)
    }
}

/// What loads a page: a function of the request `R` that takes what features keep between requests as handlers of axum
/// do, by `State`, before it. `States` are their types.
pub trait Load<T, R, States>: Send + Sync + 'static {
    /// Begins to load.
    fn load(
        &self,
        site: &Site,
        request: R,
    ) -> impl Future<Output = Result<Loaded<T>, Error>> + Send + 'static;
}

macro_rules! load {
    ($($state:ident),*) => {
        impl<T, R, F, L, $($state),*> Load<T, R, ($($state,)*)> for L
        where
            F: Future<Output = Result<Loaded<T>, Error>> + Send + 'static,
            L: Fn($(State<$state>,)* R) -> F + Send + Sync + 'static,
            $($state: FromRef<Site>,)*
        {
            #[allow(unused_variables, reason = "most loaders take the request alone")]
            fn load(
                &self,
                site: &Site,
                request: R,
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
    /// By the addresses of their pages.
    loaders: HashMap<&'static str, Loader>,
    #[cfg(test)]
    declared: Vec<(&'static str, Declare)>,
}

impl Pages {
    /// Adds a page and what loads it. A page of several addresses is added with each of them.
    #[must_use]
    pub fn add<P: Registered, T: Data, States>(
        mut self,
        page: &'static P,
        load: impl Load<T, P::Request, States>,
    ) -> Self {
        let page = page.page();
        self.all.push(page);
        self.declare::<T>(page);
        self.loaders.insert(
            page.path,
            Box::new(move |site, request| {
                let Some(request) = P::Request::from_page(request) else {
                    return Box::pin(ready(Ok(Loaded::SignIn)));
                };
                let loading = load.load(site, request);
                Box::pin(async move { to_json(loading.await?) })
            }),
        );
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
        if self.declared.iter().all(|(id, _)| *id != page.id) {
            self.declared.push((page.id, Declarations::add_page::<T>));
        }
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
    pub fn all(&self) -> impl Iterator<Item = &'static Page> + Clone + '_ {
        self.all
            .iter()
            .copied()
            .filter(|page| !page.path.is_empty())
    }

    /// Loads a page, one for signed-in guests for them alone.
    pub(super) async fn load(
        &self,
        site: &Site,
        request: PageRequest,
    ) -> Result<LoadedJson, Error> {
        let page = request.matched().page;
        match self.loaders.get(page.path) {
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

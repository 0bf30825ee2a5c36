//! What a page shows, before it is rendered: the loader of its route, and the shell around it.

use std::sync::Arc;

use url::form_urlencoded::Serializer;

use crate::{
    error::Error,
    features::{
        age, booking, brand_venues, brands, cart, details, help, home, language, map, menu,
        menu_search, orders,
        page::{ComingPage, ErrorKind, ErrorPage, NotFoundPage, Page, PageData},
        place::Place,
        preferences, search,
        shell::{CartView, Flash, Layout, shell},
        venues,
    },
    routes::PageRoute,
    upstream::Card,
    web::{load::Loaded, visit::Visit},
};

/// What a loader came to.
pub(super) enum Ready {
    Page(Box<PageJson>),
    Redirect(String),
    Moved(String),
}

/// The data of a page and the one text of it that engine, document and browser get.
pub(super) struct PageJson {
    pub(super) data: PageData,
    pub(super) json: String,
    pub(super) stale: bool,
    pub(super) refresh: Option<u32>,
    pub(super) card: Option<Arc<Card>>,
}

impl PageJson {
    pub(super) fn new(
        data: PageData,
        stale: bool,
        refresh: Option<u32>,
        card: Option<Arc<Card>>,
    ) -> Result<Self, Error> {
        let json =
            serde_json::to_string(&data).map_err(|error| Error::Internal(error.to_string()))?;
        Ok(Self {
            data,
            json,
            stale,
            refresh,
            card,
        })
    }
}

/// The one JSON text of a page. When the upstream ends the sign-in meanwhile, the page is loaded again, once, as a
/// signed-out guest's (AU-08).
pub(super) async fn page_data(visit: &Visit, route: &PageRoute) -> Result<Ready, Error> {
    let ready = ready(visit, route).await;
    match visit.signed_out() {
        Some(visit) => self::ready(&visit, route).await,
        None => ready,
    }
}

/// Runs the route's loader and adds the shell.
async fn ready(visit: &Visit, route: &PageRoute) -> Result<Ready, Error> {
    let place = Place::of(visit).await;
    let mut checked: Option<Option<CartView>> = None;
    let loaded = match route {
        PageRoute::Home => home::load(visit, &place).await?,
        PageRoute::Filials => venues::load(visit, &place).await?,
        PageRoute::Town => preferences::load(visit, &place).await?,
        PageRoute::Menu { filial } => Box::pin(menu::load(visit, &place, filial)).await?,
        PageRoute::Cart => {
            let (loaded, view) = cart::load(visit, &place).await?;
            checked = Some(view);
            loaded
        }
        PageRoute::Order { filial, order } => orders::load(visit, &place, filial, order).await?,
        PageRoute::Checking { key } => orders::load_checking(visit, key).await?,
        PageRoute::Brands => brands::load(visit, &place).await?,
        PageRoute::BrandFilials => brand_venues::load(visit, &place).await?,
        PageRoute::Booking => booking::load(visit, &place).await?,
        PageRoute::Map => map::load(visit, &place).await?,
        PageRoute::Search => search::load(visit, &place).await?,
        PageRoute::MenuSearch { filial } => menu_search::load(visit, &place, filial).await?,
        PageRoute::Details { filial } => details::load(visit, &place, filial).await?,
        PageRoute::Faq => help::load_faq(visit),
        PageRoute::Legal { doc } => help::load_legal(visit, doc)?,
        PageRoute::Language => language::load(visit),
        PageRoute::Age => age::load(visit),
        PageRoute::Coming {
            route: name,
            filial,
        } => {
            // Nobody can sign in yet, so whoever comes here has not.
            let login = route.needs_login();
            Loaded::page(Page::Coming(ComingPage {
                route: (*name).to_owned(),
                login,
                filial_id: filial.as_deref().and_then(|id| id.parse().ok()),
            }))
            .status(if login { 401 } else { 200 })
        }
        PageRoute::NotFound => Loaded::page(Page::NotFound(NotFoundPage {
            what: "page".to_owned(),
        }))
        .status(404),
    };
    let page = match loaded {
        Loaded::Redirect(to) => return Ok(Ready::Redirect(to)),
        Loaded::Moved(to) => return Ok(Ready::Moved(to)),
        Loaded::Page(page) => page,
    };
    let data = assemble(visit, &place, page.page, page.status, page.flash, checked).await;
    let page = PageJson::new(data, page.stale, page.refresh, page.card)?;
    Ok(Ready::Page(Box::new(page)))
}

pub(super) async fn assemble(
    visit: &Visit,
    place: &Place,
    page: Page,
    status: u16,
    said: Option<Flash>,
    checked: Option<Option<CartView>>,
) -> PageData {
    let view = match checked {
        Some(view) => view,
        None => match cart::view::load(visit).await {
            Ok(Some(cart)) => cart::view::view(visit, &cart).await,
            // A store that does not answer costs the cart's place on the page, not the page.
            Ok(None) | Err(_) => None,
        },
    };
    // What is fetched ahead of a tap must not use up a message that is shown once.
    let left = if visit.is_ahead() {
        None
    } else {
        visit.sess.take_flash().await
    };
    let route = PageRoute::of(&visit.path);
    let url = own_url(visit, &route);
    let layout = Layout::of(&route, &page);
    PageData {
        shell: shell(visit, place, view, left.or(said), url, layout).await,
        page,
        status,
    }
}

/// Path with the query keys that the route declares, in their order.
pub(super) fn own_url(visit: &Visit, route: &PageRoute) -> String {
    let mut query = Serializer::new(String::new());
    for key in route.query_keys() {
        if let Some(value) = visit.asked(key) {
            query.append_pair(key, value);
        }
    }
    let query = query.finish();
    if query.is_empty() {
        visit.path.clone()
    } else {
        format!("{}?{query}", visit.path)
    }
}

pub(super) fn error_page(visit: &Visit, error: &Error) -> (Page, u16) {
    let status = error.status();
    if status.is_server_error() {
        tracing::error!(request.id = %visit.request_id, "A page could not be made: {error}");
    }
    let kind = match error {
        Error::NotFound(what) | Error::Gone(what) => {
            return (
                Page::NotFound(NotFoundPage {
                    what: (*what).to_owned(),
                }),
                status.as_u16(),
            );
        }
        Error::Overloaded => ErrorKind::Overloaded,
        Error::BadRequest(_) => ErrorKind::BadRequest,
        Error::Tablet => ErrorKind::Tablet,
        Error::Upstream(_) | Error::State(_) | Error::Internal(_) => ErrorKind::Unavailable,
    };
    (
        Page::Error(ErrorPage {
            kind,
            request_id: visit.request_id.clone(),
        }),
        status.as_u16(),
    )
}

//! What a page shows, before it is rendered: what its loader says, and what stands around it.

use std::sync::Arc;

use memchr::memmem;
use serde::Serialize;
use serde_json::Value;
use ssr::Shared;
use tracing::{Instrument as _, info_span};
use url::form_urlencoded::Serializer;

use super::{Site, registry::to_json};
use crate::{
    error::Error,
    features::{
        cart_view, consent,
        loaded::{Loaded, LoadedPage, PageRequest},
        other::{ERROR, ErrorKind, ErrorPage, GATE, NOT_FOUND, NotFoundPage, SignInNeededPage},
        place::Place,
        shell::{Abroad, Shell, shell},
        sign_in::{self, Gate},
        sitemap,
    },
    telemetry::Throttle,
    upstream::{self, VenueId},
    web::{
        change::bad_form::BadForm,
        page::{Access, Page},
        visit::Visit,
    },
};

/// While a breaker is open no page that needs the part can be rendered.
static REFUSED: Throttle = Throttle::new();
static SHED: Throttle = Throttle::new();

/// What stands before the shared part of a page's data (`components/lib/page/fragments.ts`).
const SHARED_AT: &[u8] = b"\"categories\":";

/// What a loader came to.
pub(super) enum Assembled {
    Page(Box<PageJson>),
    Redirect(String),
    Moved(String),
    /// Off to the sign-in page. A navigation inside the app leaves it for a whole load.
    Away(String),
}

/// The data of a page and the one text of it that engine, document and browser get.
pub(super) struct PageJson {
    /// Names the page in the asset manifest, in logs and metrics.
    pub(super) id: &'static str,
    pub(super) overlay: Option<&'static str>,
    pub(super) shell: Shell,
    pub(super) status: u16,
    pub(super) json: String,
    pub(super) stale: bool,
    pub(super) lacking: bool,
    pub(super) refresh: Option<u32>,
    /// See [`LoadedPage`].
    pub(super) until: Option<i64>,
    pub(super) structured: Option<Value>,
    shared: Option<Shared>,
}

impl PageJson {
    /// What the engine gets: the shared part by its name, if that is where it belongs.
    pub(super) fn for_engine(&self) -> (Arc<str>, Option<Shared>) {
        let shared = self.shared.as_ref();
        match shared.and_then(|shared| without(&self.json, shared)) {
            Some(rest) => (rest.into(), self.shared.clone()),
            None => (Arc::from(self.json.as_str()), None),
        }
    }
}

/// The JSON of a page with `null` in the place of its shared part; none: it is nowhere. The field is looked for by its
/// name and its text: another one may have the same name, and in what a guest has written quotes are escaped.
fn without(json: &str, shared: &Shared) -> Option<String> {
    let mut places = memmem::find_iter(json.as_bytes(), SHARED_AT);
    places.find_map(|at| {
        let (before, rest) = json.split_at(at + SHARED_AT.len());
        Some([before, "null", rest.strip_prefix(shared.text())?].concat())
    })
}

/// The one JSON text of a page. When the upstream ends the sign-in meanwhile, the page is loaded again, once, as a
/// signed-out guest's (AU-08).
pub(super) async fn page_data(site: &Site, visit: &Visit) -> Result<Assembled, Error> {
    let request = PageRequest::of(visit.clone()).await;
    let assembled = load_and_assemble(site, request).await;
    match visit.signed_out() {
        Some(visit) => load_and_assemble(site, PageRequest::of(visit).await).await,
        None => assembled,
    }
}

/// The venue of an address, unless it is that of an order or a bill: those count what is not the guest's themselves.
fn unlooked(visit: &Visit) -> Option<VenueId> {
    let matched = &visit.matched;
    let venue = matched.param("filial_id").parse().ok();
    venue.filter(|_| !matched.page.of_orders)
}

/// Runs the page's loader and adds what stands around it. A page for signed-in guests has no loader for others
/// (`Pages::add`): they are led to the sign-in and come back (AU-09).
async fn load_and_assemble(site: &Site, request: PageRequest) -> Result<Assembled, Error> {
    let page = request.matched().page;
    let visit = &request.visit;
    if consent::is_missing(visit).await {
        return Ok(Assembled::Redirect(consent::address(visit)));
    }
    if let Some(venue) = unlooked(visit) {
        sitemap::count_unknown(&site.directory, visit, venue).await?;
    }
    let (page, loaded) = if page == NOT_FOUND {
        let data = NotFoundPage::at(&visit.path, "page");
        (NOT_FOUND, to_json(Loaded::page(data).status(404)))
    } else {
        let loading = site.pages.load(site, request.clone());
        (
            page,
            loading.instrument(info_span!("load", page = page.id)).await,
        )
    };
    let gated = matches!(loaded, Ok(Loaded::SignIn));
    let loaded = if gated {
        // A sign-in that can't be read now is no reason to sign in again.
        visit.sess.must_be_available()?;
        let gate = if page.offers_sign_in {
            None
        } else {
            sign_in::gate(visit).await?
        };
        match gate {
            Some(Gate::Away(to)) => return Ok(Assembled::Away(to)),
            // From a page that asks for a sign-in by itself a host app would lead back to where the guest comes from: that
            // may be this very page.
            Some(Gate::Stay(to)) if page.access == Access::SignedIn => {
                return Ok(Assembled::Redirect(to));
            }
            Some(Gate::Stay(_)) | None => sign_in_needed(site, &request).await,
        }
    } else {
        loaded
    };
    match loaded.map_err(|error| at_fault(visit, error))? {
        Loaded::Redirect(to) => Ok(Assembled::Redirect(to)),
        Loaded::Moved(to) => Ok(Assembled::Moved(to)),
        Loaded::SignIn => Err(Error::Internal(
            "the page that asks for a sign-in needs none".to_owned(),
        )),
        Loaded::Page(loaded) => {
            let id = if gated { GATE.id } else { page.id };
            let page = assemble(site, visit, &request.place, page, id, *loaded).await?;
            Ok(Assembled::Page(Box::new(page)))
        }
    }
}

/// The page that is shown in the place of one for signed-in guests.
async fn sign_in_needed(site: &Site, request: &PageRequest) -> Result<Loaded<String>, Error> {
    let data = SignInNeededPage::of(&site.watchers, request).await;
    to_json(Loaded::page(data).status(401))
}

/// Who is not signed in has no sign-in to renew: an upstream that wants one for a page of theirs fails like any other.
fn at_fault(visit: &Visit, error: Error) -> Error {
    match error {
        Error::Upstream(upstream::Error::Unauthorized) if visit.signed_in.is_none() => {
            Error::Upstream(upstream::Error::UNEXPECTED_SIGN_IN)
        }
        error => error,
    }
}

/// The page of a failure.
pub(super) async fn failure(site: &Site, visit: &Visit, error: &Error) -> Result<PageJson, Error> {
    let place = Place::of(visit).await;
    let status = error.status();
    match error {
        Error::Upstream(upstream::Error::BreakerOpen) => {
            if let Some(others) = REFUSED.admit() {
                tracing::error!(others, "A request could not be answered: {error}");
            }
        }
        // It works as it should: nothing is broken where too many come.
        Error::Overloaded => {
            if let Some(others) = SHED.admit() {
                tracing::warn!(others, "A request could not be answered: {error}");
            }
        }
        _ if status.is_server_error() => {
            tracing::error!("A request could not be answered: {error}");
        }
        _ => {}
    }
    let status = status.as_u16();
    let kind = match error {
        Error::NotFound(what) | Error::Gone(what) => {
            let data = NotFoundPage::at(&visit.path, what);
            return of(site, visit, &place, NOT_FOUND, data, status).await;
        }
        Error::Overloaded | Error::TooMany(_) => ErrorKind::Overloaded,
        Error::Form(BadForm::TooLarge) => ErrorKind::TooLarge,
        Error::BadRequest(_) | Error::Form(_) => ErrorKind::BadRequest,
        Error::Tablet => ErrorKind::Tablet,
        Error::NoTablet => ErrorKind::NoTablet,
        Error::Upstream(_) | Error::State(_) | Error::Internal(_) => ErrorKind::Unavailable,
    };
    let data = ErrorPage {
        kind,
        request_id: visit.request_id.clone(),
        again: !visit.acts && matches!(error, Error::Upstream(upstream) if upstream.is_temporary()),
    };
    of(site, visit, &place, ERROR, data, status).await
}

async fn of<T: Serialize>(
    site: &Site,
    visit: &Visit,
    place: &Place,
    page: &'static Page,
    data: T,
    status: u16,
) -> Result<PageJson, Error> {
    match to_json(Loaded::page(data).status(status))? {
        Loaded::Page(loaded) => assemble(site, visit, place, page, page.id, *loaded).await,
        Loaded::Redirect(_) | Loaded::Moved(_) | Loaded::SignIn => Err(Error::Internal(
            "a page that is made here leads nowhere else".to_owned(),
        )),
    }
}

async fn assemble(
    site: &Site,
    visit: &Visit,
    place: &Place,
    page: &'static Page,
    id: &'static str,
    loaded: LoadedPage<String>,
) -> Result<PageJson, Error> {
    let view = match loaded.cart {
        Some(view) => Some(view),
        None => match cart_view::of_page(visit).await {
            Ok(Some(cart)) => Some(cart_view::view(visit, place, cart).await),
            Ok(None) => Some(None),
            // A store that does not answer costs the cart's place on the page, not the page (R-14).
            Err(_) => None,
        },
    };
    // What is fetched ahead of a tap must not use up a message that is shown once.
    let left = if visit.is_prefetch() {
        None
    } else {
        visit.sess.take_flash().await
    };
    let flash = left.or(loaded.flash);
    let url = own_url(visit);
    let mut shell = shell(visit, place, &site.watchers, view, flash, url, page.layout).await;
    shell.until = loaded.until;
    shell.abroad = loaded.country.map(|country| Abroad {
        country,
        langs: visit.languages_of(country).offered.to_vec(),
    });
    Ok(PageJson {
        json: text(&shell, id, &loaded.data, loaded.status)?,
        id,
        overlay: loaded.overlay,
        shell,
        status: loaded.status,
        stale: loaded.stale,
        lacking: loaded.lacking,
        refresh: loaded.refresh,
        until: loaded.until.or(loaded.keep),
        structured: loaded.structured,
        shared: loaded.shared,
    })
}

/// `PageData` of the generated types, around data that is JSON already.
fn text(shell: &Shell, id: &str, data: &str, status: u16) -> Result<String, Error> {
    let shell = serde_json::to_string(shell).map_err(|error| Error::Internal(error.to_string()))?;
    Ok(format!(
        r#"{{"shell":{shell},"page":{{"route":"{id}","data":{data}}},"status":{status}}}"#
    ))
}

/// Path with the query keys that its page declares, in their order.
pub(super) fn own_url(visit: &Visit) -> String {
    let mut query = Serializer::new(String::new());
    for key in visit.matched.page.keys() {
        if let Some(value) = visit.query_value(key) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn categories(text: &'static str) -> Shared {
        Shared::new(Arc::new(text))
    }

    #[test]
    fn the_shared_part_goes_by_its_name() {
        let json = r#"{"data":{"categories":[{"id":1}],"promos":[]}}"#;
        assert_eq!(
            without(json, &categories(r#"[{"id":1}]"#)).unwrap(),
            r#"{"data":{"categories":null,"promos":[]}}"#
        );
    }

    #[test]
    fn a_field_of_that_name_with_another_text_stays() {
        let shared = categories(r#"[{"id":1}]"#);
        let json = r#"{"shell":{"categories":[2]},"data":{"categories":[{"id":1}]}}"#;
        assert_eq!(
            without(json, &shared).unwrap(),
            r#"{"shell":{"categories":[2]},"data":{"categories":null}}"#
        );
        assert_eq!(without(r#"{"categories":[2]}"#, &shared), None);
    }

    #[test]
    fn a_field_that_a_guest_wrote_is_text() {
        let comment = serde_json::to_string(r#""categories":[{"id":1}]"#).unwrap();
        let json = format!(r#"{{"comment":{comment},"categories":[{{"id":1}}]}}"#);
        assert_eq!(
            without(&json, &categories(r#"[{"id":1}]"#)).unwrap(),
            format!(r#"{{"comment":{comment},"categories":null}}"#)
        );
    }
}

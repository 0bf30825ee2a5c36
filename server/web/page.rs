//! One page: from the request to HTML or JSON (architecture.md, "The path of a request").

use std::sync::Arc;

use axum::{
    Json,
    body::Body,
    extract::{Request, State},
    http::{HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use serde_json::json;
use ssr::RenderError;
use url::form_urlencoded::Serializer;

use super::{
    document::{Body as DocumentBody, Head},
    encoding::Encoding,
    form::see_other,
    load::Loaded,
    locale::{self, preference_cookie},
    page_cache::{Age, Kept, Key},
    visit::{NEAR, Visit},
};
use crate::{
    app::App,
    error::Error,
    features::{
        age, analytics, booking, brand_venues, brands, cart, details, help, home, language, map,
        menu, menu_search, orders,
        page::{ComingPage, ErrorKind, ErrorPage, NotFoundPage, Page, PageData},
        place::Place,
        preferences, search,
        shell::{CartView, Layout, shell},
        structured, venues,
    },
    routes::PageRoute,
    upstream::Card,
};

/// Effort of compressing for one guest, and for everybody.
const EFFORT_ONCE: u32 = 5;
const EFFORT_KEPT: u32 = 10;
const RETRY_AFTER: HeaderValue = HeaderValue::from_static("5");

/// A document that was made.
struct Made {
    html: String,
    csp: HeaderValue,
    status: StatusCode,
    /// Rendered by V8, with status 200 and nothing old or missing: fit to be kept for others.
    good: bool,
    stale: bool,
}

/// Answers a visitor who sends no cookie from ready bytes, before there is a session to look for. Whatever is not ready
/// and fresh goes on to the handlers.
pub async fn strangers(State(app): State<App>, request: Request, next: Next) -> Response {
    let plain = request.method() == Method::GET
        && request.uri().query().is_none()
        && !request.headers().contains_key(header::COOKIE);
    if !plain {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    let visit = Visit::of(app, &parts).await;
    // The data of a navigation has another address and is never kept.
    if visit.path == parts.uri.path()
        && let Some(key) = strangers_key(&visit, &PageRoute::of(&visit.path))
        && let Some((page, Age::Fresh)) = visit.app.pages.get(&key, visit.is_forced)
    {
        metrics::counter!("page_cache_total", "outcome" => "hit").increment(1);
        return page.answer(&visit.headers, false);
    }
    next.run(Request::from_parts(parts, body)).await
}

/// Answers every page as a document.
pub async fn document(State(_): State<App>, visit: Visit, method: Method) -> Response {
    if !matches!(method, Method::GET | Method::HEAD) {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    let route = PageRoute::of(&visit.path);
    let mut response = match cache_key(&visit, &route).await {
        Some(key) => cached(&visit, &route, key).await,
        None => fresh(&visit, &route).await,
    };
    if visit.lang_asked && visit.signed_in.is_some() {
        tell_language(&visit);
    }
    let asked = [
        visit
            .lang_asked
            .then(|| preference_cookie(locale::LANG, visit.lang.code(), visit.is_secure())),
        visit
            .country_asked
            .then(|| preference_cookie(locale::COUNTRY, visit.country.code(), visit.is_secure())),
        visit
            .service_asked
            .then(|| preference_cookie(locale::SERVICE, visit.service.code(), visit.is_secure())),
        visit
            .platform_asked
            .then(|| preference_cookie(locale::PLATFORM, visit.platform.code(), visit.is_secure())),
        Some(new_device(&visit).await),
    ];
    if visit.service_asked {
        analytics::service_changed(visit.service_before, visit.service);
    }
    for cookie in asked.into_iter().flatten().flatten() {
        response.headers_mut().append(header::SET_COOKIE, cookie);
        response.headers_mut().insert(
            header::CACHE_CONTROL,
            HeaderValue::from_static("private, no-cache"),
        );
    }
    response
}

/// The cookie of a device that the browser does not know yet: it outlives the session (ST-12).
async fn new_device(visit: &Visit) -> Option<HeaderValue> {
    match visit.device_cookie {
        Some(_) => None,
        None => visit
            .sess
            .device()
            .await
            .and_then(|device| preference_cookie(locale::DEVICE, &device, visit.is_secure())),
    }
}

/// Messages of the upstream shall come in the language that a signed-in guest has chosen. The page does not wait for it
/// and stands when it fails (LC-16).
fn tell_language(visit: &Visit) {
    let visit = visit.clone();
    tokio::spawn(async move {
        let caller = visit.caller(None);
        let told = visit
            .app
            .upstream
            .set_profile_language(&caller, visit.lang)
            .await;
        if let Err(error) = told {
            tracing::warn!(
                class = error.class(),
                "The upstream does not know the guest's language"
            );
        }
    });
}

/// Answers `/_data/…`: the same loader, as JSON, for client navigations.
pub async fn data(visit: Visit) -> Response {
    let route = PageRoute::of(&visit.path);
    let mut response = match page_data(&visit, &route).await {
        Ok(Ready::Page(page)) => {
            let status = StatusCode::from_u16(page.data.status).unwrap_or(StatusCode::OK);
            (
                [(header::CONTENT_TYPE, "application/json")],
                packed(&visit, page.json.into_bytes(), status),
            )
                .into_response()
        }
        Ok(Ready::Redirect(to) | Ready::Moved(to)) => {
            Json(json!({ "redirect": to, "status": 303 })).into_response()
        }
        Err(error) => failure(&visit, &error).await,
    };
    let device = new_device(&visit).await;
    let headers = response.headers_mut();
    if let Some(cookie) = device {
        headers.append(header::SET_COOKIE, cookie);
    }
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // The page itself is what search engines shall know.
    headers.insert("x-robots-tag", HeaderValue::from_static("noindex"));
    if let Ok(build) = HeaderValue::from_str(&visit.app.build().assets.manifest().build) {
        headers.insert("x-build", build);
    }
    response
}

/// A failure as a page or as JSON, whichever is wanted.
pub async fn failure(visit: &Visit, error: &Error) -> Response {
    let place = Place::of(visit).await;
    let (page, status) = error_page(visit, error);
    let data = assemble(visit, &place, page, status, None, None).await;
    if visit.wants_json() {
        let code = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (code, Json(data)).into_response();
        response
            .headers_mut()
            .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        return response;
    }
    let ready = match PageJson::new(data, false, None, None) {
        Ok(ready) => ready,
        Err(error) => return internal(visit, &error),
    };
    match make(visit, ready).await {
        Ok(made) => send(visit, made),
        Err(error) => internal(visit, &error),
    }
}

/// A page of a blank session under everything that it may depend on; none for all others.
async fn cache_key(visit: &Visit, route: &PageRoute) -> Option<Key> {
    let key = strangers_key(visit, route)?;
    let blank = visit.sess.is_available()
        && visit.sess.is_blank().await
        && cart::view::load(visit)
            .await
            .ok()?
            .is_none_or(|cart| cart.is_empty());
    blank.then_some(key)
}

/// The key for a visitor without a session.
fn strangers_key(visit: &Visit, route: &PageRoute) -> Option<Key> {
    let table_link = matches!(route, PageRoute::Menu { .. })
        && ["filial_id", "table_id", "main_terminal_id"]
            .iter()
            .all(|key| visit.asked(key).is_some());
    // What the address says of how the guest came is noted in the session (FL-10).
    let told_source = matches!(route, PageRoute::Menu { .. }) && visit.asked("source").is_some();
    if visit.app.config.page_fresh_ms == 0
        || !route.is_public()
        || table_link
        || told_source
        || visit.is_from_payment()
        || visit.headers.contains_key(NEAR)
        // Each piece of the map would be a page of its own, seldom asked for again.
        || visit.asked("bbox").is_some()
    {
        return None;
    }
    Some(Key {
        url: own_url(visit, route),
        lang: visit.lang,
        country: visit.country,
        town: u32::try_from(visit.town.unwrap_or_default()).ok()?,
        service: visit.service,
        origin: visit.origin.clone(),
    })
}

async fn cached(visit: &Visit, route: &PageRoute, key: Key) -> Response {
    let known = visit.app.pages.get(&key, visit.is_forced);
    let outcome = match &known {
        Some((_, Age::Fresh)) => "hit",
        Some((_, Age::Renew | Age::Stale)) => "stale",
        Some((_, Age::OnError)) | None => "miss",
    };
    metrics::counter!("page_cache_total", "outcome" => outcome).increment(1);
    match known {
        Some((page, Age::Fresh | Age::Stale)) => page.answer(&visit.headers, false),
        Some((page, Age::Renew)) => {
            let (visit_again, route) = (visit.clone(), route.clone());
            tokio::spawn(async move {
                if keep(&visit_again, &route, key.clone()).await.is_err() {
                    visit_again.app.pages.release(&key);
                }
            });
            page.answer(&visit.headers, false)
        }
        Some((page, Age::OnError)) => match keep(visit, route, key).await {
            Ok(response) => response,
            Err(_) => page.answer(&visit.headers, true),
        },
        None => keep(visit, route, key)
            .await
            .unwrap_or_else(|response| *response),
    }
}

/// Makes a page and keeps it if it is good; an error holds the answer of a page that is not.
async fn keep(visit: &Visit, route: &PageRoute, key: Key) -> Result<Response, Box<Response>> {
    let made = match made(visit, route).await {
        Ok(made) => made,
        Err(response) => return Err(response),
    };
    if !made.good {
        return Err(Box::new(send(visit, made)));
    }
    let kept =
        tokio::task::spawn_blocking(move || Kept::new(made.html, made.csp, EFFORT_KEPT)).await;
    match kept {
        Ok(kept) => {
            let kept = Arc::new(kept);
            visit.app.pages.put(key, Arc::clone(&kept));
            Ok(kept.answer(&visit.headers, false))
        }
        Err(error) => Err(Box::new(internal(
            visit,
            &Error::Internal(error.to_string()),
        ))),
    }
}

async fn fresh(visit: &Visit, route: &PageRoute) -> Response {
    match made(visit, route).await {
        Ok(made) => send(visit, made),
        Err(response) => *response,
    }
}

async fn made(visit: &Visit, route: &PageRoute) -> Result<Made, Box<Response>> {
    match page_data(visit, route).await {
        Ok(Ready::Page(page)) => make(visit, *page)
            .await
            .map_err(|error| Box::new(internal(visit, &error))),
        Ok(Ready::Redirect(to)) => Err(Box::new(see_other(&to))),
        Ok(Ready::Moved(to)) => Err(Box::new(moved(&to))),
        Err(error) => Err(Box::new(failure(visit, &error).await)),
    }
}

enum Ready {
    Page(Box<PageJson>),
    Redirect(String),
    Moved(String),
}

struct PageJson {
    data: PageData,
    json: String,
    stale: bool,
    refresh: Option<u32>,
    card: Option<Arc<Card>>,
}

impl PageJson {
    fn new(
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
async fn page_data(visit: &Visit, route: &PageRoute) -> Result<Ready, Error> {
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

async fn assemble(
    visit: &Visit,
    place: &Place,
    page: Page,
    status: u16,
    said: Option<crate::features::shell::Flash>,
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
fn own_url(visit: &Visit, route: &PageRoute) -> String {
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

fn error_page(visit: &Visit, error: &Error) -> (Page, u16) {
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

/// Renders and wraps. Without V8's help the document goes out with the data alone and the browser renders.
async fn make(visit: &Visit, page: PageJson) -> Result<Made, Error> {
    let build = visit.app.build();
    let route = page.data.page.route();
    let assets = page.data.page.assets();
    let json: Arc<str> = page.json.into();
    let rendered = if visit.app.config.render_limit_ms == 0 {
        Err(RenderError::Unavailable)
    } else {
        let url = page.data.shell.url.clone();
        visit.app.renderer.render(url, Arc::clone(&json)).await
    };
    let mode = if rendered.is_ok() { "ssr" } else { "shell" };
    metrics::counter!("pages_total", "route" => route, "mode" => mode).increment(1);
    let (head, html) = match &rendered {
        Ok(rendered) => (
            serde_json::from_str::<Head>(&rendered.head).ok(),
            Some(rendered.html.as_str()),
        ),
        Err(error) => {
            tracing::error!(request.id = %visit.request_id, route, %error, "A page is left to the browser to render");
            (None, None)
        }
    };
    let good = page.data.status == 200 && html.is_some() && head.is_some() && !page.stale;
    let head = head.unwrap_or_else(|| Head {
        title: "Dastarkhan".to_owned(),
        noindex: true,
        ..Head::default()
    });
    let mut head = head;
    if !head.noindex && page.data.status == 200 {
        head.jsonld.extend(
            page.card
                .as_deref()
                .and_then(|card| structured::of(visit, &page.data.page, card)),
        );
    }
    let html = build
        .document
        .write(&DocumentBody {
            lang: visit.lang,
            assets,
            head: &head,
            html,
            data: &json,
            refresh: page.refresh,
        })
        .map_err(|error| Error::Internal(error.to_string()))?;
    Ok(Made {
        html,
        csp: build.document.policy(assets),
        status: StatusCode::from_u16(page.data.status).unwrap_or(StatusCode::OK),
        good,
        stale: page.stale,
    })
}

fn send(visit: &Visit, made: Made) -> Response {
    let mut response = packed(visit, made.html.into_bytes(), made.status).into_response();
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("text/html; charset=utf-8"),
    );
    headers.insert(header::CONTENT_SECURITY_POLICY, made.csp);
    headers.insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static("private, no-cache"),
    );
    headers.insert(
        header::VARY,
        HeaderValue::from_static("accept-encoding, cookie"),
    );
    if made.stale {
        headers.insert("x-stale", HeaderValue::from_static("1"));
    }
    if made.status == StatusCode::SERVICE_UNAVAILABLE {
        headers.insert(header::RETRY_AFTER, RETRY_AFTER);
    }
    response
}

/// Compressed as the browser takes it.
fn packed(visit: &Visit, text: Vec<u8>, status: StatusCode) -> Response {
    let encoding = Encoding::best(&visit.headers);
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    match encoding.pack(&text, EFFORT_ONCE) {
        Some(packed) => {
            response.headers_mut().insert(
                header::CONTENT_ENCODING,
                HeaderValue::from_static(encoding.name()),
            );
            *response.body_mut() = Body::from(packed);
        }
        None => *response.body_mut() = Body::from(text),
    }
    response
}

/// Another address for good; browsers may not keep that, as ids can come back.
fn moved(to: &str) -> Response {
    let mut response = see_other(to);
    *response.status_mut() = StatusCode::MOVED_PERMANENTLY;
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

/// Nothing could be made: the outer layer writes the plain error page.
fn internal(visit: &Visit, error: &Error) -> Response {
    tracing::error!(request.id = %visit.request_id, "A page could not be made: {error}");
    StatusCode::INTERNAL_SERVER_ERROR.into_response()
}

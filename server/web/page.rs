//! One page: from the request to HTML or JSON (architecture.md, "The path of a request").

use std::sync::Arc;

use axum::{
    Json,
    body::Body,
    extract::State,
    http::{HeaderValue, Method, StatusCode, header},
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
    visit::Visit,
};
use crate::{
    app::App,
    error::Error,
    features::{
        cart, home, menu, orders,
        page::{ComingPage, ErrorKind, ErrorPage, NotFoundPage, Page, PageData},
        place::Place,
        preferences,
        shell::{CartView, shell},
        venues,
    },
    routes::PageRoute,
};

/// Effort of compressing for one guest, and for everybody.
const EFFORT_ONCE: u32 = 5;
const EFFORT_KEPT: u32 = 9;
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
    let asked = [
        visit
            .lang_asked
            .then(|| preference_cookie(locale::LANG, visit.lang.code(), visit.is_secure())),
        visit
            .country_asked
            .then(|| preference_cookie(locale::COUNTRY, visit.country.code(), visit.is_secure())),
    ];
    for cookie in asked.into_iter().flatten().flatten() {
        response.headers_mut().append(header::SET_COOKIE, cookie);
        response.headers_mut().insert(
            header::CACHE_CONTROL,
            HeaderValue::from_static("private, no-cache"),
        );
    }
    response
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
        Ok(Ready::Redirect(to)) => Json(json!({ "redirect": to, "status": 303 })).into_response(),
        Err(error) => failure(&visit, &error).await,
    };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
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
    let ready = match PageJson::new(data, false, None) {
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
    let table_link = matches!(route, PageRoute::Menu { .. })
        && ["filial_id", "table_id", "main_terminal_id"]
            .iter()
            .all(|key| visit.asked(key).is_some());
    if visit.app.config.page_fresh_ms == 0
        || !route.is_public()
        || table_link
        || !visit.sess.is_available()
    {
        return None;
    }
    if !visit.sess.is_blank().await
        || cart::view::load(visit)
            .await
            .ok()?
            .is_some_and(|cart| !cart.is_empty())
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
    let known = visit.app.pages.get(&key);
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
        Err(error) => Err(Box::new(failure(visit, &error).await)),
    }
}

enum Ready {
    Page(Box<PageJson>),
    Redirect(String),
}

struct PageJson {
    data: PageData,
    json: String,
    stale: bool,
    refresh: Option<u32>,
}

impl PageJson {
    fn new(data: PageData, stale: bool, refresh: Option<u32>) -> Result<Self, Error> {
        let json =
            serde_json::to_string(&data).map_err(|error| Error::Internal(error.to_string()))?;
        Ok(Self {
            data,
            json,
            stale,
            refresh,
        })
    }
}

/// Runs the route's loader and adds the shell: the one JSON text of a page.
async fn page_data(visit: &Visit, route: &PageRoute) -> Result<Ready, Error> {
    let place = Place::of(visit).await;
    let mut checked: Option<Option<CartView>> = None;
    let loaded = match route {
        PageRoute::Home => home::load(visit, &place).await?,
        PageRoute::Filials => venues::load(visit, &place).await?,
        PageRoute::Town => preferences::load(visit, &place).await?,
        PageRoute::Menu { filial } => menu::load(visit, &place, filial).await?,
        PageRoute::Cart => {
            let (loaded, view) = cart::load(visit, &place).await?;
            checked = Some(view);
            loaded
        }
        PageRoute::Order { filial, order } => orders::load(visit, &place, filial, order).await?,
        PageRoute::Checking { key } => orders::load_checking(visit, key).await?,
        PageRoute::Coming { route, filial } => Loaded::page(Page::Coming(ComingPage {
            route: (*route).to_owned(),
            filial_id: filial.as_deref().and_then(|id| id.parse().ok()),
        })),
        PageRoute::NotFound => Loaded::page(Page::NotFound(NotFoundPage {
            what: "page".to_owned(),
        }))
        .status(404),
    };
    let page = match loaded {
        Loaded::Redirect(to) => return Ok(Ready::Redirect(to)),
        Loaded::Page(page) => page,
    };
    let data = assemble(visit, &place, page.page, page.status, page.flash, checked).await;
    let page = PageJson::new(data, page.stale, page.refresh)?;
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
            Ok(Some(cart)) => cart::view::view(visit, &cart, &[]).await,
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
    let url = own_url(visit, &PageRoute::of(&visit.path));
    PageData {
        shell: shell(visit, place, view, left.or(said), url).await,
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
        Error::NotFound(what) => {
            return (
                Page::NotFound(NotFoundPage {
                    what: (*what).to_owned(),
                }),
                404,
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
    let html = build
        .document
        .write(&DocumentBody {
            lang: visit.lang,
            route,
            head: &head,
            html,
            data: &json,
            refresh: page.refresh,
        })
        .map_err(|error| Error::Internal(error.to_string()))?;
    Ok(Made {
        html,
        csp: build.document.policy(route),
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

/// Nothing could be made: the outer layer writes the plain error page.
fn internal(visit: &Visit, error: &Error) -> Response {
    tracing::error!(request.id = %visit.request_id, "A page could not be made: {error}");
    StatusCode::INTERNAL_SERVER_ERROR.into_response()
}

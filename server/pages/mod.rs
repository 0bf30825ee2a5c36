//! One page: from the request to HTML or JSON (architecture.md, "The path of a request").

mod assemble;
pub mod cache;
mod cached;
pub mod changes;
pub mod document;
pub mod plain_error;
mod registry;
mod render;
mod site;
pub mod still_here;
#[cfg(test)]
mod typescript;

use axum::{
    Json,
    extract::State,
    http::{HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::json;

use self::{
    assemble::{Assembled, page_data},
    cached::{cache_key, cached},
    render::{RETRY_SECONDS, Rendered, cache_control, internal, moved, packed, render, send},
};
pub use self::{cached::anonymous, registry::Pages, render::shown, site::Site};
use crate::{
    error::Error,
    features::{analytics, fridge, home, language},
    web::{
        locale::{self, gone_cookie, preference_cookie},
        prefix::{self, Unprefixed},
        rate::too_many,
        redirect::{self, safe_path, see_other},
        session::{NeedsSession, Source},
        visit::Visit,
    },
};

/// Answers every page as a document.
pub async fn document(State(site): State<Site>, visit: Visit, method: Method) -> Response {
    let upstream = visit.app.upstream.clone();
    upstream
        .within_page(Box::pin(whole(site, visit, method)))
        .await
}

async fn whole(site: Site, mut visit: Visit, method: Method) -> Response {
    if !matches!(method, Method::GET | Method::HEAD) {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    // Shown later as it is, it would have lost the table or the language. Browsers drop an answer that is no success, which
    // 204 is, and load the page when the guest goes there; 5xx would count as a failure of ours.
    if visit.is_too_early() {
        return (StatusCode::FORBIDDEN, [(header::CACHE_CONTROL, "no-store")]).into_response();
    }
    if let Some(astray) = astray(&site, &visit).await {
        return astray;
    }
    give_cart_back(&visit).await;
    let key = cache_key(&visit).await;
    visit.is_personal = key.is_none() && visit.brings_session();
    let mut response = match key {
        Some(key) => cached(&site, &visit, key).await,
        None => fresh(&site, &visit).await,
    };
    if visit.is_head {
        return response;
    }
    let device = device_cookie(&visit).await;
    remember(&mut response, device, cache_control(&visit));
    if !visit.may_bind() {
        return response;
    }
    if visit.lang_in_query && visit.signed_in.is_some() {
        tell_language(&visit);
    }
    let cookies = [
        visit
            .lang_in_query
            .then(|| preference_cookie(locale::LANG, visit.lang.code(), visit.is_secure())),
        visit
            .country_in_query
            .then(|| preference_cookie(locale::COUNTRY, visit.country.code(), visit.is_secure())),
        visit
            .service_in_query
            .then(|| preference_cookie(locale::SERVICE, visit.service.code(), visit.is_secure())),
        visit
            .platform_in_query
            .then(|| preference_cookie(locale::PLATFORM, visit.platform.code(), visit.is_secure())),
    ];
    if visit.service_in_query {
        analytics::service_changed(visit.service_before, visit.service);
    }
    for cookie in cookies.into_iter().flatten() {
        remember(&mut response, cookie, cache_control(&visit));
    }
    response
}

/// Gives a page a cookie, which makes it private. `no-store` stays.
fn remember(response: &mut Response, cookie: Option<HeaderValue>, control: &'static str) {
    let Some(cookie) = cookie else { return };
    let headers = response.headers_mut();
    headers.append(header::SET_COOKIE, cookie);
    if headers
        .get(header::CACHE_CONTROL)
        .is_none_or(|value| value != "no-store")
    {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(control));
    }
}

/// Leads a tablet from an address without the prefix to the one with it, and everybody else the other way (RT-20). Who
/// opens the address that sets a tablet up becomes one by its page. The front of a tablet names no venue: where none is
/// known, it says so instead of offering all restaurants.
async fn astray(site: &Site, visit: &Visit) -> Option<Response> {
    let temp = visit.sess.menu_temp().await;
    let is_tablet = temp.is_some_and(|temp| temp.is_kiosk());
    if !is_tablet && visit.is_at_tablet() && visit.path == home::PAGE.path {
        let available = visit.sess.must_be_available();
        let error = available.err().map_or(Error::NoTablet, Error::from);
        return Some(failure(site, visit, &error).await);
    }
    let becomes = visit.query_value("source") == Some(Source::Tablet.code());
    (is_tablet != visit.is_at_tablet() && (is_tablet || !becomes)).then(|| led(visit, is_tablet))
}

/// 303 to the same page, as tablets or all others have it.
fn led(visit: &Visit, is_tablet: bool) -> Response {
    let query = visit.raw_query.as_ref();
    let own = safe_path(&format!(
        "{}{}",
        visit.path,
        query.map_or_else(String::new, |query| format!("?{query}"))
    ));
    if is_tablet {
        return redirect::to(&prefix::with(&own));
    }
    let mut response = redirect::to(&own);
    response.extensions_mut().insert(Unprefixed);
    response
}

/// The cookie that names the session's device, where the browser has none or another one: planted, or of a session that
/// is over (ST-12).
async fn device_cookie(visit: &Visit) -> Option<HeaderValue> {
    // One that has been left knows no device: the one that goes on has its name.
    if !visit.sess.is_available() || visit.sess.is_left().await {
        return None;
    }
    let own = visit.sess.device_name().await;
    match own {
        _ if own == visit.device_cookie => None,
        Some(name) => preference_cookie(locale::DEVICE, &name, visit.is_secure()),
        None => gone_cookie(locale::DEVICE, visit.is_secure()),
    }
}

/// Messages of the upstream shall come in the language that a signed-in guest has chosen. The page does not wait for it
/// and stands when it fails (LC-16).
fn tell_language(visit: &Visit) {
    let visit = visit.clone();
    tokio::spawn(async move { language::tell(&visit, &visit.caller(None)).await });
}

/// Before anything of the cart is shown. What can't be kept now is by a later request.
async fn give_cart_back(visit: &Visit) {
    if !visit.is_prefetch() {
        let _ = fridge::give_back_if_over(visit).await;
    }
}

/// Answers `/_data/…`: the same loader, as JSON, for client navigations.
pub async fn data(State(site): State<Site>, visit: Visit) -> Response {
    let upstream = visit.app.upstream.clone();
    upstream.within_page(Box::pin(part(site, visit))).await
}

async fn part(site: Site, visit: Visit) -> Response {
    give_cart_back(&visit).await;
    let mut response = match page_data(&site, &visit).await {
        Ok(Assembled::Page(page)) => {
            let status = StatusCode::from_u16(page.status).unwrap_or(StatusCode::OK);
            (
                [(header::CONTENT_TYPE, "application/json")],
                packed(&visit, page.json.into_bytes(), None, status),
            )
                .into_response()
        }
        Ok(Assembled::Redirect(to) | Assembled::Moved(to) | Assembled::Away(to)) => {
            Json(json!({ "redirect": visit.way_on(to), "status": 303 })).into_response()
        }
        Err(Error::TooMany(wait)) => too_many(wait),
        Err(error) => failure(&site, &visit, &error).await,
    };
    let device = if visit.is_head {
        None
    } else {
        device_cookie(&visit).await
    };
    say_when(&mut response);
    let headers = response.headers_mut();
    if let Some(cookie) = device {
        headers.append(header::SET_COOKIE, cookie);
    }
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // The page itself is what search engines shall know.
    headers.insert("x-robots-tag", HeaderValue::from_static("noindex"));
    if let Ok(build) = HeaderValue::from_str(&visit.app.assets.get().manifest().build) {
        headers.insert("x-build", build);
    }
    response
}

/// A script is told as well when to come again.
fn say_when(response: &mut Response) {
    if response.status() == StatusCode::SERVICE_UNAVAILABLE {
        let headers = response.headers_mut();
        headers
            .entry(header::RETRY_AFTER)
            .or_insert_with(|| RETRY_SECONDS.into());
    }
}

/// A failure as a page or as JSON, whichever is wanted.
pub async fn failure(site: &Site, visit: &Visit, error: &Error) -> Response {
    let page = match assemble::failure(site, visit, error).await {
        Ok(page) => page,
        Err(error) => return internal(&error),
    };
    if visit.wants_json() {
        let status = StatusCode::from_u16(page.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let headers = [
            (header::CONTENT_TYPE, "application/json"),
            (header::CACHE_CONTROL, "no-store"),
        ];
        let mut response = (status, headers, page.json).into_response();
        say_when(&mut response);
        return response;
    }
    match render(site, visit, page).await {
        Ok(rendered) => send(visit, rendered),
        Err(error) => internal(&error),
    }
}

async fn fresh(site: &Site, visit: &Visit) -> Response {
    match load_and_render(site, visit).await {
        Ok(rendered) => send(visit, rendered),
        Err(response) => *response,
    }
}

async fn load_and_render(site: &Site, visit: &Visit) -> Result<Rendered, Box<Response>> {
    match page_data(site, visit).await {
        // It became a tablet by this page, or did not.
        Ok(Assembled::Page(page)) if page.shell.kiosk.is_some() != visit.is_at_tablet() => {
            Err(Box::new(led(visit, page.shell.kiosk.is_some())))
        }
        Ok(Assembled::Page(page)) => render(site, visit, *page)
            .await
            .map_err(|error| Box::new(internal(&error))),
        Ok(Assembled::Redirect(to)) => Err(Box::new(see_other(&to))),
        Ok(Assembled::Moved(to)) => Err(Box::new(moved(&to))),
        Ok(Assembled::Away(to)) => {
            let mut away = redirect::to(&to);
            away.extensions_mut().insert(NeedsSession);
            Err(Box::new(away))
        }
        // The plain page: whoever asks without end is not to be rendered for.
        Err(Error::TooMany(wait)) => Err(Box::new(too_many(wait))),
        Err(error) => Err(Box::new(failure(site, visit, &error).await)),
    }
}

//! Documents of visitors with nothing of their own: one is cached for all of them (`cache`).

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header, request::Parts},
    middleware::Next,
    response::Response,
};

use super::{
    Site,
    assemble::own_url,
    cache::{Age, CachedPage, Key, PageCache},
    load_and_render, remember,
    render::{PRIVATE, Rendered, send},
};
use crate::{
    features::{cart_view, consent},
    web::{
        app::App,
        limits,
        locale::{LANG, Locale, Wishes, preference_cookie},
        log::Done,
        page::{self, Access, Matched},
        prefix::{Carried, Prefixed},
        visit::{DEFAULT_SERVICE, NEAR, Visit, comes_from_payment, is_opened, is_reload, origin},
    },
};

/// Effort of compressing a page that was not cached yet: it has to fit into the first round trip with the largest head.
const EFFORT_MISSED: u32 = 7;

/// Answers a visitor without a cookie from the cache, before a session is read. What is not cached and fresh goes on to
/// the handlers.
pub async fn anonymous(State(site): State<Site>, request: Request, next: Next) -> Response {
    let plain = request.method() == Method::GET
        && request.uri().query().is_none_or(is_language)
        && request.extensions().get::<Prefixed>().is_none()
        && request.extensions().get::<Carried>().is_none()
        && !request.headers().contains_key(header::COOKIE)
        && limits::admits(&request);
    if !plain {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    let first =
        first_key(&site.app, &parts).filter(|(_, is_asked)| !is_asked || is_opened(&parts.headers));
    if let Some((key, is_asked)) = first
        && let Some(page) = site.cache.fresh(&key, is_reload(&parts))
    {
        metrics::counter!("page_cache_total", "outcome" => "hit").increment(1);
        let mut response = page.answer(&parts.headers, false);
        if is_asked {
            remember(
                &mut response,
                preference_cookie(LANG, key.lang.code(), site.app.is_secure()),
                PRIVATE,
            );
        }
        return marked(response, "hit");
    }
    next.run(Request::from_parts(parts, body)).await
}

/// Whether a query says the language and nothing else, as links of other languages do.
fn is_language(query: &str) -> bool {
    query
        .strip_prefix("lang=")
        .is_some_and(|code| code.bytes().all(|byte| byte.is_ascii_alphabetic()))
}

/// What [`anonymous_key`] is for a request without cookies, and whether it asks for its language. The data of a navigation
/// is no page's address.
fn first_key(app: &App, parts: &Parts) -> Option<(Key, bool)> {
    let path = parts.uri.path();
    let matched = Matched::of(&parts.extensions);
    if page::is_data(path)
        || !is_cacheable(app, &matched, path, &parts.headers)
        || comes_from_payment(app, &parts.headers)
    {
        return None;
    }
    let Wishes { locale, chosen, .. } = Wishes::of(parts, &app.hosts, &app.upstream);
    let Locale {
        lang,
        country,
        lang_in_query,
        ..
    } = locale;
    let key = Key {
        url: path.to_owned(),
        lang,
        country,
        town: 0,
        service: chosen.custom.allowed(None, DEFAULT_SERVICE, false),
        in_app: false,
        origin: origin(app, &parts.headers, &parts.uri),
        custom: chosen.number,
    };
    Some((key, lang_in_query))
}

/// Whether pages of a route are cached, and nothing in this request belongs to one guest. Under another spelling of its
/// path a page would not hear of new prices (`PageCache::outdate`).
fn is_cacheable(app: &App, matched: &Matched, path: &str, headers: &HeaderMap) -> bool {
    app.config.page_fresh_ms != 0
        && matched.page.access == Access::Shared
        && matched.is_plain(path)
        && !headers.contains_key(NEAR)
}

/// A page of a blank session under everything that it may depend on; none for all others.
pub(super) async fn cache_key(visit: &Visit) -> Option<Key> {
    let key = anonymous_key(visit)?;
    if consent::depends_on_consent(visit) || consent::is_missing(visit).await {
        return None;
    }
    let blank = visit.sess.is_available()
        && visit.sess.is_blank().await
        && cart_view::of_page(visit)
            .await
            .ok()?
            .is_none_or(|cart| cart.is_blank(visit.now));
    blank.then_some(key)
}

/// The key for a visitor without a session.
fn anonymous_key(visit: &Visit) -> Option<Key> {
    // Blank, it is a field that was sent empty: the address of the page does not tell.
    let is_personal = |key: &&str| visit.typed(key).is_some();
    if !is_cacheable(&visit.app, &visit.matched, &visit.path, &visit.headers)
        || visit.matched.page.personal.iter().any(is_personal)
        || visit.is_carried()
        || visit.is_from_payment()
    {
        return None;
    }
    Some(Key {
        url: own_url(visit),
        lang: visit.lang,
        country: visit.country,
        town: u32::try_from(visit.town.unwrap_or_default()).ok()?,
        service: visit.service,
        in_app: visit.platform.is_host_app(),
        origin: visit.origin.clone(),
        custom: visit.custom_number,
    })
}

/// Notes the outcome of the cache for the line of the request. Cached pages were rendered here.
fn marked(mut response: Response, cache: &'static str) -> Response {
    let render = Some("ssr");
    let cache = Some(cache);
    Done { cache, render }.note(&mut response);
    response
}

pub(super) async fn cached(site: &Site, visit: &Visit, key: Key) -> Response {
    let pages = &site.cache;
    let count = |outcome: &'static str| {
        metrics::counter!("page_cache_total", "outcome" => outcome).increment(1);
    };
    let known = match pages.get(&key, visit.is_forced) {
        Some((page, Age::Fresh)) => {
            count("hit");
            return marked(page.answer(&visit.headers, false), "hit");
        }
        Some((page, Age::Stale)) => {
            count("stale");
            return marked(page.answer(&visit.headers, false), "stale");
        }
        Some((page, Age::Revalidate)) => {
            count("stale");
            let (site, again) = (site.clone(), visit.clone());
            tokio::spawn(async move { revalidate(&site, &again, key).await });
            return marked(page.answer(&visit.headers, false), "stale");
        }
        Some((page, Age::OnError)) => Some(page),
        None => None,
    };
    match (load_and_render(site, visit).await, known) {
        (Ok(rendered), known) if rendered.cacheable => {
            // Only addresses that exist are counted and remembered.
            count("miss");
            let wanted = pages.is_repeated(&key) || known.is_some();
            let html = wanted.then(|| rendered.html.clone());
            let opening = rendered.opening.as_deref();
            let csp = rendered.csp.clone();
            let page = CachedPage::once(rendered.html, csp, &visit.headers, opening, EFFORT_MISSED);
            let page = Arc::new(page.valid_for(rendered.valid_for));
            if let Some(html) = html {
                pages.put(key.clone(), Arc::clone(&page));
                pack_in_background(&site.cache, key, Arc::clone(&page), html, rendered.csp);
            }
            marked(page.answer(&visit.headers, false), "miss")
        }
        // Its answers are being revalidated, but it is newer than the page that was cached for too long.
        (Ok(rendered), Some(_)) if rendered.complete => {
            count("miss");
            send(visit, rendered)
        }
        // It is not there any more, or elsewhere: no failure that an older page stands for (SO-08).
        (Err(response), Some(_)) if is_definite(&response) => {
            pages.forget(&key);
            *response
        }
        (_, Some(page)) => {
            count("stale_on_error");
            marked(page.answer(&visit.headers, true), "stale_on_error")
        }
        (Ok(rendered), None) => send(visit, rendered),
        (Err(response), None) => *response,
    }
}

/// Whether it says what has become of a page, and not that the page could not be made.
fn is_definite(response: &Response) -> bool {
    let status = response.status();
    status.is_redirection() || [StatusCode::NOT_FOUND, StatusCode::GONE].contains(&status)
}

/// Compresses a cached page with full effort, if a core is free.
fn pack_in_background(
    pages: &Arc<PageCache>,
    key: Key,
    page: Arc<CachedPage>,
    html: String,
    csp: HeaderValue,
) {
    let Some(permit) = pages.packer() else {
        return;
    };
    let pages = Arc::clone(pages);
    tokio::task::spawn_blocking(move || {
        pages.improve(key, &page, CachedPage::new(html, csp));
        drop(permit);
    });
}

/// Renders a cached page again while the older one is answered.
async fn revalidate(site: &Site, visit: &Visit, key: Key) {
    let pages = &site.cache;
    let rendered = load_and_render(site, visit).await;
    if rendered
        .as_ref()
        .is_err_and(|response| is_definite(response))
    {
        pages.forget(&key);
        return;
    }
    if let Ok(Rendered {
        html,
        csp,
        cacheable: true,
        valid_for,
        ..
    }) = rendered
        && let Some(permit) = pages.next_packer().await
        && let Ok(page) = tokio::task::spawn_blocking(move || CachedPage::new(html, csp)).await
    {
        pages.put(key, Arc::new(page.valid_for(valid_for)));
        drop(permit);
    } else {
        pages.release(&key);
    }
}

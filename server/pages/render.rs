//! A document: rendered, wrapped and sent.

use std::{borrow::Cow, sync::Arc, time::Duration};

use axum::{
    body::Body,
    extract::Request,
    http::{HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use ssr::RenderError;
use tracing::Instrument as _;

use super::{
    Site,
    assemble::PageJson,
    document::{Body as DocumentBody, Head, Loss, Tablet},
};
use crate::{
    error::Error,
    features::manifest,
    telemetry::Throttle,
    web::{
        encoding::{Encoding, opening::Opening},
        log::Done,
        prefix::{self, Prefix},
        redirect::see_other,
        visit::Visit,
    },
};

/// Effort of compressing a first view that is not cached: it has to fit into the first round trip.
const EFFORT_FIRST: u32 = 6;
/// Effort of compressing for a guest with a session: a fourth of the time for an eighth more bytes.
const EFFORT_GUEST: u32 = 3;
/// After these seconds a page that V8 had no time for, or no isolate, is worth another try.
const BUSY_SECONDS: u32 = 2;
const REST_SECONDS: u32 = 10;
/// The same for pages that failed for another reason.
pub(super) const RETRY_SECONDS: u32 = 5;

static UNRENDERED: Throttle = Throttle::new();

/// A rendered document.
pub(super) struct Rendered {
    pub(super) html: String,
    pub(super) opening: Option<Arc<Opening>>,
    pub(super) csp: HeaderValue,
    status: StatusCode,
    /// The loader succeeded and only the render failed: see [`shown`].
    loaded: bool,
    /// Rendered by V8, with status 200 and nothing old or missing: may be cached for others.
    pub(super) cacheable: bool,
    /// The same, but answers of the upstream may be old.
    pub(super) complete: bool,
    /// How long what it says of opening hours is true.
    pub(super) valid_for: Option<Duration>,
    stale: bool,
    mode: &'static str,
    /// Seconds after which a page that could not be shown is worth another try.
    retry: u32,
}

/// Renders and wraps. Without V8's help the document goes out with the data alone and the browser renders: to people a
/// page, to everything else a `503` that says when to come again.
pub(super) async fn render(site: &Site, visit: &Visit, page: PageJson) -> Result<Rendered, Error> {
    let document = site.document();
    let route = page.id;
    let assets = [page.overlay, Some(route)];
    let (json, shared) = page.for_engine();
    let off = visit.app.config.render_limit_ms == 0;
    let rendered = if off {
        Err(RenderError::Unavailable)
    } else {
        let url = page.shell.url.clone();
        visit
            .app
            .renderer
            .render_with(url, json, shared)
            .instrument(tracing::info_span!("render", route))
            .await
    };
    let mode = if rendered.is_ok() { "ssr" } else { "shell" };
    metrics::counter!("pages_total", "route" => route, "mode" => mode).increment(1);
    let (head, html) = match &rendered {
        Ok(rendered) => (
            serde_json::from_str::<Head>(&rendered.head).ok(),
            Some(rendered.html.as_str()),
        ),
        Err(error) => {
            if !off && let Some(others) = UNRENDERED.admit() {
                // That there is too much to do is no fault.
                if matches!(error, RenderError::Overloaded) {
                    tracing::warn!(route, %error, others, "A page is left to the browser to render");
                } else {
                    tracing::error!(route, %error, others, "A page is left to the browser to render");
                }
            }
            (None, None)
        }
    };
    // Where scripts do not run, the words of the shell are all there is: the engine is asked again once it may have time.
    let soon = match &rendered {
        Err(RenderError::Overloaded) => Some(BUSY_SECONDS),
        Err(RenderError::Unavailable | RenderError::Timeout { .. }) if !off => Some(REST_SECONDS),
        _ => None,
    };
    let unrendered = rendered.is_err() && !off;
    let lossless = head.as_ref().is_some_and(|head| head.losses.is_empty());
    let mut head = head.unwrap_or_else(|| Head {
        title: page
            .shell
            .site
            .clone()
            .unwrap_or_else(|| "Dastarkhan".to_owned()),
        noindex: true,
        ..Head::default()
    });
    for Loss { section, error, .. } in &head.losses {
        tracing::error!(route, section, error, "A section could not be rendered");
        metrics::counter!("sections_lost_total", "route" => route).increment(1);
    }
    metrics::counter!("fragments_reused_total").increment(head.reused);
    let status = status_of(page.status, &head, unrendered);
    let complete = status == 200 && lossless && !page.lacking;
    let cacheable = complete && !page.stale;
    let is_tablet = page.shell.kiosk.is_some();
    // Who opens the address that sets a tablet up is on none of its addresses yet.
    let prefix = if is_tablet {
        Some(Prefix::Tablet)
    } else {
        visit.prefix.clone()
    };
    let html = html.map(|html| match &prefix {
        Some(prefix) => Cow::Owned(prefix.in_html(html)),
        None => Cow::Borrowed(html),
    });
    if is_tablet {
        of_tablet(&mut head, &visit.origin);
    }
    if !head.noindex && status == 200 {
        head.jsonld.extend(page.structured);
    }
    let manifest = manifest::address(visit, &page.shell);
    let tablet = match &page.shell.kiosk {
        Some(kiosk) => Some(Tablet {
            large: visit.sess.has_large_text().await,
            url: &page.shell.url,
            away: kiosk.away(),
            rest: &kiosk.rest,
        }),
        None => None,
    };
    let every = page.refresh.or(soon);
    let refresh = match &page.shell.kiosk {
        Some(kiosk) => Some(kiosk.leads(&page.shell.url, visit.idle, every)),
        // The same address once more.
        None => every.map(|every| (every, String::new())),
    };
    let html = document
        .write(&DocumentBody {
            lang: visit.lang,
            assets,
            head: &head,
            html: html.as_deref(),
            data: &page.json,
            refresh,
            prefix: prefix.as_ref().map(ToString::to_string).as_deref(),
            tablet,
            manifest: manifest.as_deref(),
            icons: manifest::icon_addresses(&visit.custom),
        })
        .map_err(|error| Error::Internal(error.to_string()))?;
    Ok(Rendered {
        html,
        opening: document.opening(assets),
        csp: document.policy(assets),
        status: StatusCode::from_u16(status).unwrap_or(StatusCode::OK),
        loaded: page.status == 200,
        cacheable,
        complete,
        valid_for: page.until.map(|until| {
            Duration::from_millis(u64::try_from(until - visit.now).unwrap_or_default())
        }),
        stale: page.stale,
        mode,
        retry: soon.unwrap_or(RETRY_SECONDS),
    })
}

/// No search engine learns an address of a tablet (SO-01).
fn of_tablet(head: &mut Head, origin: &str) {
    head.noindex = true;
    head.alternates.clear();
    let own = head.canonical.take();
    head.canonical = own.map(|own| match own.strip_prefix(origin) {
        Some(path) => format!("{origin}{}", prefix::with(path)),
        None => own,
    });
}

/// A page without a section keeps its status; one without its screen, or not rendered, must not be indexed.
fn status_of(status: u16, head: &Head, unrendered: bool) -> u16 {
    if status == 200 && (unrendered || head.losses.iter().any(|loss| loss.whole)) {
        StatusCode::SERVICE_UNAVAILABLE.as_u16()
    } else {
        status
    }
}

pub(super) fn send(visit: &Visit, rendered: Rendered) -> Response {
    let opening = rendered.opening.as_deref();
    let mut response =
        packed(visit, rendered.html.into_bytes(), opening, rendered.status).into_response();
    let done = Done {
        render: Some(rendered.mode),
        cache: None,
    };
    done.note(&mut response);
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("text/html; charset=utf-8"),
    );
    headers.insert(header::CONTENT_SECURITY_POLICY, rendered.csp);
    headers.insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static(cache_control(visit)),
    );
    headers.insert(
        header::VARY,
        HeaderValue::from_static("accept-encoding, cookie"),
    );
    if rendered.stale {
        headers.insert("x-stale", HeaderValue::from_static("1"));
    }
    if rendered.status == StatusCode::SERVICE_UNAVAILABLE {
        headers.insert(header::RETRY_AFTER, rendered.retry.into());
    }
    if rendered.loaded && rendered.status != StatusCode::OK {
        *response.status_mut() = StatusCode::OK;
        response.extensions_mut().insert(Shown(rendered.status));
    }
    response
}

/// Of pages for one guest that hold nothing of an account or of orders.
pub(super) const PRIVATE: &str = "private, no-cache";

/// What a signed-in guest sees is written nowhere: after a sign-out Back must not show it. Nor is what an order and its
/// payment are about: Back from the bank must not show a cart that was ordered, nor a shared phone what another guest ate.
pub(super) fn cache_control(visit: &Visit) -> &'static str {
    if visit.signed_in.is_some() || visit.matched.page.of_orders {
        "private, no-store"
    } else {
        PRIVATE
    }
}

/// The status of a page that could not be shown although all that it was to do is done.
#[derive(Debug, Clone, Copy)]
struct Shown(StatusCode);

/// Middleware around the session's: nothing is saved of a visit that ends with `5xx`, but a table that was bound stays
/// bound when only the picture of it is late.
pub async fn shown(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    if let Some(Shown(status)) = response.extensions_mut().remove() {
        *response.status_mut() = status;
    }
    response
}

/// Compressed as the browser takes it.
pub(super) fn packed(
    visit: &Visit,
    text: Vec<u8>,
    opening: Option<&Opening>,
    status: StatusCode,
) -> Response {
    let encoding = Encoding::best(&visit.headers);
    let effort = if visit.brings_session() {
        EFFORT_GUEST
    } else {
        EFFORT_FIRST
    };
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    match encoding.pack_document(&text, opening, effort) {
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
pub(super) fn moved(to: &str) -> Response {
    let mut response = see_other(to);
    *response.status_mut() = StatusCode::MOVED_PERMANENTLY;
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

/// Nothing could be rendered: the outer layer writes the plain error page.
pub(super) fn internal(error: &Error) -> Response {
    tracing::error!("A request could not be answered: {error}");
    StatusCode::INTERNAL_SERVER_ERROR.into_response()
}

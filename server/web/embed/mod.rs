//! Cookies of pages in frames of host apps (S-02, HB-16). A frame of another site gets no `Lax` cookie, so there the same
//! cookies go out as `SameSite=None; Secure; Partitioned`: kept apart for each site that has us in a frame. The session's
//! has another name there, so that none of a frame ever stands in for that of the site itself. Whether a browser keeps
//! them at all is known before a frame shows its first page: where not, they are [`carried`].
//!
//! A partner may be of our own site, such as `burger.kz` around `order.burger.kz`: its frame is sent every cookie of ours,
//! and a tab of our own is sent those of the frame. There the two are one guest. Which it is the browser says itself: it
//! sends a `Lax` cookie to our own site alone.
//!
//! A layer around everything that knows cookies; what is inside sees the usual names.

mod carried;

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, Uri, header},
    middleware::Next,
    response::Response,
};

use super::{
    app::App,
    locale::cookie,
    prefix::Prefix,
    rate::Rate,
    redirect,
    session::{COOKIE, Security},
    visit,
};

/// The session's cookie in a frame.
const FRAMED_COOKIE: &str = "__Host-dk-framed";
/// Says that a request comes out of a frame: only the request of a document says so itself.
const MARK: &str = "__Host-framed";
/// Comes where the mark comes, but for frames of other sites: `Lax`.
const OWN: &str = "__Host-own";
/// A page of a frame is asked for once more, with this in its query, to see whether the mark has come back.
const MARKED: &str = "framed";
/// The mark lives as long as a session can, in seconds.
const MAX_AGE_SECONDS: u32 = 90 * 24 * 3600;

/// Who may have us in a frame, as the settings name them.
#[derive(Clone)]
pub struct Embedders {
    app: App,
    rate: Rate,
}

impl Embedders {
    /// `None` where no site may embed, or cookies can't be `Secure`: then there is nothing to do.
    #[must_use]
    pub fn of(app: &App, rate: &Rate) -> Option<Self> {
        let secure = app.cookie_security() == Security::Secure;
        (secure && !app.config.host_origins.is_empty()).then(|| Self {
            app: app.clone(),
            rate: rate.clone(),
        })
    }

    /// Whether the browser says that the document is for a frame, of a page that may have one. One that hides where it is
    /// gets the cookies, and no page: `frame-ancestors` sees to that.
    fn frames(&self, headers: &HeaderMap) -> bool {
        is_framed(&self.app.config.host_origins, headers)
    }
}

fn is_framed(origins: &[String], headers: &HeaderMap) -> bool {
    let is = |name: &str, value: &str| headers.get(name).is_some_and(|found| found == value);
    if !is("sec-fetch-dest", "iframe") {
        return false;
    }
    let from = headers
        .get(header::REFERER)
        .and_then(|from| from.to_str().ok())
        .and_then(|from| url::Url::parse(from).ok())
        .map(|from| from.origin().ascii_serialization());
    is("sec-fetch-site", "same-origin") || from.is_none_or(|from| origins.contains(&from))
}

/// Middleware: renames the cookies of a frame on their way in and out, or carries them.
pub async fn guard(
    State(embedders): State<Embedders>,
    mut request: Request,
    next: Next,
) -> Response {
    let headers = request.headers();
    let has = |name: &str| cookie(headers, name).is_some();
    let (is_marked, is_known) = (has(MARK), has(OWN));
    // A document that is opened by itself is in no frame; what its scripts and forms ask for comes with a `Lax` cookie.
    let at_top = headers
        .get("sec-fetch-dest")
        .is_some_and(|dest| dest == "document");
    let is_own = at_top || is_known || has(COOKIE);
    let keeps = is_marked || is_known || has(COOKIE) || has(FRAMED_COOKIE);
    let in_address = matches!(request.extensions().get(), Some(Prefix::Carried(_)));
    // A browser that does not say where a document goes is never given a name: one that brings it has opened a link.
    let alone = at_top || !headers.contains_key("sec-fetch-dest");
    if in_address && (keeps || alone) {
        return carried::end(&path_and_query(request.uri(), |_| true));
    }
    let app = &embedders.app;
    let own = visit::origin(app, headers, request.uri());
    if !keeps && let Some(name) = carried::name(&request, &own) {
        return carried::answer(&app.state.jars(), &embedders.rate, name, request, next).await;
    }
    let in_frame = embedders.frames(headers);
    if in_frame && !keeps && request.method() == Method::GET {
        return ask_for_mark(request.uri());
    }
    if is_own || (!is_marked && !in_frame) {
        let mut response = next.run(request).await;
        if is_marked && !is_known {
            tell(response.headers_mut(), &own_mark());
        }
        return response;
    }
    let inside = usual(headers);
    let headers = request.headers_mut();
    headers.remove(header::COOKIE);
    if let Some(inside) = inside {
        headers.insert(header::COOKIE, inside);
    }
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let cookies: Vec<HeaderValue> = headers
        .get_all(header::SET_COOKIE)
        .iter()
        .filter_map(|cookie| framed(cookie.to_str().ok()?).parse().ok())
        .collect();
    headers.remove(header::SET_COOKIE);
    for cookie in cookies {
        headers.append(header::SET_COOKIE, cookie);
    }
    if !is_marked {
        tell(headers, &mark());
    }
    response
}

/// The first page of a frame waits until it is known whether its browser keeps cookies, and whether it is of our own site:
/// whatever is done on a page whose session is lost is lost with it.
fn ask_for_mark(uri: &Uri) -> Response {
    let is_asked = |part: &str| part == MARKED;
    let path = path_and_query(uri, |part| !is_asked(part));
    if uri
        .query()
        .is_some_and(|query| query.split('&').any(is_asked))
    {
        return carried::begin(&path);
    }
    let joint = if path.contains('?') { '&' } else { '?' };
    let mut response = redirect::see_other(&format!("{path}{joint}{MARKED}"));
    tell(response.headers_mut(), &mark());
    tell(response.headers_mut(), &own_mark());
    response
}

fn mark() -> String {
    framed(&format!(
        "{MARK}=1; HttpOnly; Path=/; Max-Age={MAX_AGE_SECONDS}; SameSite=Lax"
    ))
}

fn own_mark() -> String {
    format!("{OWN}=1; HttpOnly; Path=/; Max-Age={MAX_AGE_SECONDS}; SameSite=Lax; Secure")
}

fn tell(headers: &mut HeaderMap, cookie: &str) {
    if let Ok(cookie) = cookie.parse() {
        headers.append(header::SET_COOKIE, cookie);
    }
}

/// With those parts of the query that are to stay.
fn path_and_query(uri: &Uri, stays: impl Fn(&str) -> bool) -> String {
    let query: Vec<&str> = uri
        .query()
        .into_iter()
        .flat_map(|query| query.split('&'))
        .filter(|part| stays(part))
        .collect();
    match query.as_slice() {
        [] => uri.path().to_owned(),
        query => format!("{}?{}", uri.path(), query.join("&")),
    }
}

/// What a frame of another site sends, under the usual names.
fn usual(headers: &HeaderMap) -> Option<HeaderValue> {
    let pairs: Vec<String> = headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .filter(|(name, _)| *name != MARK)
        .map(|(name, value)| {
            let name = if name == FRAMED_COOKIE { COOKIE } else { name };
            format!("{name}={value}")
        })
        .collect();
    (!pairs.is_empty())
        .then(|| pairs.join("; ").parse().ok())
        .flatten()
}

/// A `Set-Cookie` as a frame keeps it.
fn framed(cookie: &str) -> String {
    let own = format!("{COOKIE}=");
    let named = match cookie.strip_prefix(&own) {
        Some(rest) => format!("{FRAMED_COOKIE}={rest}"),
        None => cookie.to_owned(),
    };
    let secure = if named.contains("; Secure") {
        ""
    } else {
        "; Secure"
    };
    let open = named.replace("SameSite=Lax", "SameSite=None");
    format!("{open}{secure}; Partitioned")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(headers: &[(&'static str, &str)]) -> HeaderMap {
        headers
            .iter()
            .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()))
            .collect()
    }

    #[test]
    fn only_named_pages_have_frames_of_ours() {
        let partner = "https://partner.example".to_owned();
        let origins = [partner];
        let frame = |from_page: Option<&str>, site: &str, dest: &str| {
            let mut headers = from(&[("sec-fetch-dest", dest), ("sec-fetch-site", site)]);
            if let Some(page) = from_page {
                headers.insert("referer", page.parse().unwrap());
            }
            is_framed(&origins, &headers)
        };
        assert!(frame(
            Some("https://partner.example/app"),
            "cross-site",
            "iframe"
        ));
        assert!(frame(
            Some("https://app.example/faq"),
            "same-origin",
            "iframe"
        ));
        assert!(frame(None, "cross-site", "iframe"));
        assert!(!frame(
            Some("https://evil.example/"),
            "cross-site",
            "iframe"
        ));
        assert!(!frame(
            Some("https://partner.example/"),
            "cross-site",
            "document"
        ));
        assert!(!is_framed(&origins, &HeaderMap::new()));
    }

    #[test]
    fn cookies_of_a_frame_have_other_names_and_attributes_and_never_meet_the_others() {
        assert_eq!(
            framed("__Host-dk=abc; HttpOnly; SameSite=Lax; Path=/; Max-Age=5; Secure"),
            "__Host-dk-framed=abc; HttpOnly; SameSite=None; Path=/; Max-Age=5; Secure; Partitioned"
        );
        assert_eq!(
            framed("lang=ru; Path=/; SameSite=Lax"),
            "lang=ru; Path=/; SameSite=None; Secure; Partitioned"
        );
        let sent = from(&[("cookie", "__Host-framed=1; lang=ru; __Host-dk-framed=abc")]);
        assert_eq!(usual(&sent).unwrap(), "lang=ru; __Host-dk=abc");
        assert!(usual(&from(&[("cookie", "__Host-framed=1")])).is_none());
    }
}

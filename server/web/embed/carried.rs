//! A frame whose browser keeps no cookies at all: what it would have kept lies with us, and the name of that stands in front
//! of every address of the frame (beyond.md, 5).
//!
//! Scripts ask for data, changes and streams at the usual addresses; the browser says by `Referer` which page asks, to us
//! alone. Other sites are told our origin and no more (`Referrer-Policy`). The name works in frames only: a link that
//! holds one and is opened by itself leads to the same page without it.

use axum::{
    extract::Request,
    http::{HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use url::Url;

use crate::{
    keys::seal,
    state::jars::Jars,
    web::{
        locale::Wishes,
        prefix::{self, Carried, Prefix, Unprefixed},
        rate::Rate,
        redirect,
        session::{COOKIE, Lives},
    },
};

/// The name that a request brings: in its address, or in that of the page of our origin `own` that asks.
pub fn name(request: &Request, own: &str) -> Option<String> {
    if let Some(Prefix::Carried(name)) = request.extensions().get() {
        return Some(name.clone());
    }
    let page = request.headers().get(header::REFERER)?.to_str().ok()?;
    let page = Url::parse(page).ok()?;
    if page.origin().ascii_serialization() != own {
        return None;
    }
    match prefix::split(page.path())? {
        (Prefix::Carried(name), _) => Some(name),
        (Prefix::Tablet, _) => None,
    }
}

/// Answers a request with the cookies that lie under a name, and lays down there what the answer sets. A first cookie takes
/// from the address's new sessions, unless it is the session's, which has taken already: beyond them nothing is laid down.
/// A jar ends with a session that is short-lived.
pub async fn answer(
    jars: &Jars,
    rate: &Rate,
    name: String,
    request: Request,
    next: Next,
) -> Response {
    // A store that is down is no empty jar: sessions do not work then either, and what lies there stays.
    let jar = match jars.load(&name).await {
        Ok(jar) => jar,
        Err(error) => {
            tracing::warn!(%error, "The cookies of a frame could not be read");
            return StatusCode::SERVICE_UNAVAILABLE.into_response();
        }
    };
    let sent: Vec<String> = jar
        .cookies
        .iter()
        .map(|(cookie, value)| format!("{cookie}={value}"))
        .collect();
    let (parts, body) = request.into_parts();
    let client = rate.client_of(&parts);
    let mut request = Request::from_parts(parts, body);
    let headers = request.headers_mut();
    headers.remove(header::COOKIE);
    if let Ok(sent) = HeaderValue::from_str(&sent.join("; "))
        && !sent.is_empty()
    {
        headers.insert(header::COOKIE, sent);
    }
    let prefix = Prefix::Carried(name.clone());
    let known = request.extensions_mut();
    // Worked out above from the cookies that did not come.
    known.remove::<Wishes>();
    known.insert(Carried(prefix));
    let mut response = next.run(request).await;
    let set: Vec<_> = response
        .headers()
        .get_all(header::SET_COOKIE)
        .iter()
        .filter_map(|cookie| laid(cookie.to_str().ok()?))
        .collect();
    response.headers_mut().remove(header::SET_COOKIE);
    let is_begun = !jar.cookies.is_empty() || set.iter().any(|(cookie, _)| cookie == COOKIE);
    if !is_begun && !set.is_empty() && rate.begin_session(client).await.is_err() {
        metrics::counter!("rate_limited_total").increment(1);
        return response;
    }
    // An answer that was made without the session says nothing of it.
    let lives = response.extensions().get::<Lives>();
    let is_short_lived = lives.map_or(jar.is_short_lived, |lives| lives.is_short);
    let lives_on = jar.is_short_lived && !is_short_lived;
    if (!set.is_empty() || jars.is_due(&jar) || lives_on)
        && let Err(error) = jars.change(&name, &set, is_short_lived).await
    {
        // Said to be done, it would be lost.
        tracing::warn!(%error, "The cookies of a frame could not be written");
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    response
}

/// Leads a frame whose browser has sent back nothing to the same page under a new name.
#[must_use]
pub fn begin(path_and_query: &str) -> Response {
    let prefix = Prefix::Carried(seal::random_name());
    redirect::to(&prefix.before(&redirect::safe_path(path_and_query)))
}

/// Leads to the same page without a name.
#[must_use]
pub fn end(path_and_query: &str) -> Response {
    let mut response = redirect::see_other(path_and_query);
    response.extensions_mut().insert(Unprefixed);
    response
}

/// Name and value of a `Set-Cookie`; no value where it takes the cookie away.
fn laid(cookie: &str) -> Option<(String, Option<String>)> {
    let mut parts = cookie.split(';');
    let (name, value) = parts.next()?.split_once('=')?;
    let is_over = parts.any(|part| {
        let (name, age) = part.split_once('=').unwrap_or_default();
        name.trim().eq_ignore_ascii_case("max-age") && age.trim() == "0"
    });
    let value = (!is_over).then(|| value.trim().to_owned());
    Some((name.trim().to_owned(), value))
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    const NAME: &str = "AAAAAAAAAAAAAAAAAAAAAA";

    #[test]
    fn only_pages_of_our_own_name_what_they_carry() {
        for (from, found) in [
            (format!("https://app.example/~{NAME}/cart?x"), true),
            (format!("https://APP.example/~{NAME}/"), true),
            (format!("http://app.example/~{NAME}/"), false),
            (format!("https://evil.example/~{NAME}/cart"), false),
            (format!("https://app.example:444/~{NAME}/cart"), false),
            ("https://app.example/~short/cart".to_owned(), false),
            ("https://app.example/kiosk/cart".to_owned(), false),
            ("https://app.example/cart".to_owned(), false),
            (String::new(), false),
        ] {
            let request = Request::builder()
                .uri("/cart/lines")
                .header("referer", &from)
                .body(Body::empty())
                .unwrap();
            let found = found.then_some(NAME);
            assert_eq!(
                name(&request, "https://app.example").as_deref(),
                found,
                "{from}"
            );
        }
    }

    #[test]
    fn a_cookie_is_laid_down_or_taken_away() {
        let of =
            |name: &str, value: Option<&str>| Some((name.to_owned(), value.map(str::to_owned)));
        assert_eq!(
            laid("__Host-dk=abc; HttpOnly; Path=/; Max-Age=5; Secure"),
            of("__Host-dk", Some("abc"))
        );
        assert_eq!(laid("lang=; Path=/; Max-Age=0"), of("lang", None));
        assert_eq!(laid("lang=ru"), of("lang", Some("ru")));
        assert_eq!(laid("nothing"), None);
    }
}

//! What stands in front of every address of some visits: `/kiosk` on a tablet (RT-20, KS-01), `/~name` in a frame whose
//! browser keeps no cookies (`carried`).
//!
//! Only the edge knows of it. A request loses the prefix before anything is routed, and what leads on gets it back: the
//! redirects in [`edge`], links, forms and the canonical address of a document by [`Prefix`]. In between a page has one
//! address, and what is asked for by scripts (data, changes, streams) is the same for all.

use std::fmt;

use axum::{
    extract::Request,
    http::{HeaderValue, Uri, header},
    middleware::Next,
    response::Response,
};

use crate::keys::seal;

const TABLET: &str = "/kiosk";
const CARRIED: &str = "/~";
const DATA: &str = "/_data";

/// Seconds since a guest last used a tablet without scripts: each time that its page reloads itself, the address counts
/// on.
const IDLE: &str = "idle";

/// What stands in front of an address; lies in the request's extensions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Prefix {
    /// That of a tablet.
    Tablet,
    /// That of a frame, with the name of what its browser does not keep.
    Carried(String),
}

/// What stands in front of the addresses of this visit, whose cookies lie with us; lies in the request's extensions.
#[derive(Debug, Clone)]
pub struct Carried(pub Prefix);

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tablet => f.write_str(TABLET),
            Self::Carried(name) => write!(f, "{CARRIED}{name}"),
        }
    }
}

impl Prefix {
    /// The address with the prefix for a path of ours; one that has one already, or leads to another site, stays as it
    /// is.
    #[must_use]
    pub fn before(&self, path: &str) -> String {
        let own = path.starts_with('/') && !path.starts_with("//");
        if own && split(path).is_none() {
            format!("{self}{path}")
        } else {
            path.to_owned()
        }
    }

    /// A rendered page with the prefix in its links and forms. React escapes `"` and `>` in every value and text, so that
    /// only tags are found.
    #[must_use]
    pub fn in_html(&self, html: &str) -> String {
        let mut prefixed = String::with_capacity(html.len() + html.len() / 16);
        let mut rest = html;
        while let Some(begin) = rest.find('<') {
            let end = rest[begin..]
                .find('>')
                .map_or(rest.len(), |end| begin + end);
            let tag = &rest[begin..end];
            let name = tag[1..].split([' ', '/']).next().unwrap_or_default();
            let attribute = match name {
                "a" => " href=\"",
                "form" => " action=\"",
                "button" => " formAction=\"",
                _ => "",
            };
            let value = (!attribute.is_empty())
                .then(|| tag.find(attribute))
                .flatten()
                .map(|at| begin + at + attribute.len());
            if let Some(value) = value {
                let path = rest[value..end].split('"').next().unwrap_or_default();
                prefixed.push_str(&rest[..value]);
                prefixed.push_str(&self.before(path));
                prefixed.push_str(&rest[value + path.len()..end]);
            } else {
                prefixed.push_str(&rest[..end]);
            }
            rest = &rest[end..];
        }
        prefixed.push_str(rest);
        prefixed
    }
}

/// The prefix of a path, and the path behind it; `None` for a path without prefix.
#[must_use]
pub fn split(path: &str) -> Option<(Prefix, &str)> {
    if path == TABLET {
        return Some((Prefix::Tablet, "/"));
    }
    let (prefix, rest) = if let Some(rest) = path.strip_prefix(TABLET) {
        (Prefix::Tablet, rest)
    } else {
        let rest = path.strip_prefix(CARRIED)?;
        let (name, rest) = rest.split_at(rest.find('/')?);
        seal::is_name(name).then(|| (Prefix::Carried(name.to_owned()), rest))?
    };
    rest.starts_with('/').then_some((prefix, rest))
}

/// A request came to an address of a tablet; lies in its extensions.
#[derive(Debug, Clone, Copy)]
pub struct Prefixed {
    /// Seconds for which the page has loaded itself anew; 0 when a guest has opened it.
    pub idle: u32,
}

/// A redirect is to stay as it is: it leads away from the addresses with a prefix. Lies in the response's extensions.
#[derive(Debug, Clone, Copy)]
pub struct Unprefixed;

/// The address of a tablet for a path of ours, as [`Prefix::before`].
#[must_use]
pub fn with(path: &str) -> String {
    Prefix::Tablet.before(path)
}

/// The address of a tablet's page that loads itself anew after it was shown for `idle` seconds.
#[must_use]
pub fn idle(path: &str, idle: u32) -> String {
    let joint = if path.contains('?') { '&' } else { '?' };
    format!("{}{joint}{IDLE}={idle}", with(path))
}

/// A path without its prefix, if it has one.
#[must_use]
pub fn without(path: &str) -> &str {
    split(path).map_or(path, |(_, rest)| rest)
}

/// Layer around all routes: `/kiosk/…` is the page of that name without it, `/_data/kiosk/…` its data, and a redirect of
/// either keeps the prefix.
pub async fn edge(mut request: Request, next: Next) -> Response {
    let Some((plain, prefix, prefixed)) = plain(request.uri()) else {
        return next.run(request).await;
    };
    *request.uri_mut() = plain;
    request.extensions_mut().insert(prefix.clone());
    if prefix == Prefix::Tablet {
        request.extensions_mut().insert(prefixed);
    }
    let mut response = next.run(request).await;
    if response.extensions().get::<Unprefixed>().is_some() {
        return response;
    }
    let location = response.headers().get(header::LOCATION);
    if let Some(location) = location
        .and_then(|location| location.to_str().ok())
        .and_then(|location| HeaderValue::from_str(&prefix.before(location)).ok())
    {
        response.headers_mut().insert(header::LOCATION, location);
    }
    response
}

/// The same address without the prefix, if it has one, and without what it counts.
fn plain(uri: &Uri) -> Option<(Uri, Prefix, Prefixed)> {
    let path = uri.path();
    let (prefix, plain) = match path.strip_prefix(DATA).and_then(split) {
        Some((prefix, page)) => (prefix, format!("{DATA}{page}")),
        None => split(path).map(|(prefix, page)| (prefix, page.to_owned()))?,
    };
    let (counts, others): (Vec<_>, Vec<_>) = uri
        .query()
        .into_iter()
        .flat_map(|query| query.split('&'))
        .partition(|part| part.split('=').next() == Some(IDLE));
    let idle = counts
        .first()
        .and_then(|part| part.split_once('=')?.1.parse().ok())
        .unwrap_or_default();
    let target = match others.as_slice() {
        [] => plain,
        others => format!("{plain}?{}", others.join("&")),
    };
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(target.parse().ok()?);
    Some((Uri::from_parts(parts).ok()?, prefix, Prefixed { idle }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_of_ours_gets_the_prefix_once() {
        for (path, expected) in [
            ("/", "/kiosk/"),
            ("/filials/7?item=1#part", "/kiosk/filials/7?item=1#part"),
            ("/kiosk/filials/7", "/kiosk/filials/7"),
            ("/kiosk", "/kiosk"),
            ("/kiosks", "/kiosk/kiosks"),
            ("//e.example", "//e.example"),
            ("https://pay.example/", "https://pay.example/"),
            ("#part", "#part"),
        ] {
            assert_eq!(with(path), expected);
            assert_eq!(with(&with(path)), expected);
        }
    }

    #[test]
    fn only_the_prefix_of_an_address_goes() {
        for (address, left) in [
            ("/kiosk/cart?back=/kiosk/", Some("/cart?back=/kiosk/")),
            ("/~AAAAAAAAAAAAAAAAAAAAAA/cart?a", Some("/cart?a")),
            ("/_data/~AAAAAAAAAAAAAAAAAAAAAA/", Some("/_data/")),
            ("/~AAAAAAAAAAAAAAAAAAAAAA", None),
            ("/~short/cart", None),
            ("/kiosk/", Some("/")),
            ("/_data/kiosk/filials/7?x", Some("/_data/filials/7?x")),
            ("/kiosk/cart?idle=30", Some("/cart")),
            ("/kiosk/cart?a=1&idle=30&idle&b=", Some("/cart?a=1&b=")),
            ("/kiosk//e.example", Some("//e.example")),
            ("/kiosk", Some("/")),
            ("/kiosk?lang=ru", Some("/?lang=ru")),
            ("/kiosks/1", None),
            ("/filials/kiosk/", None),
            ("/_data/filials/7", None),
        ] {
            let found = plain(&address.parse().expect("an address"));
            assert_eq!(found.map(|(uri, ..)| uri.to_string()).as_deref(), left);
        }
    }

    #[test]
    fn a_page_that_loads_itself_anew_counts_on() {
        for (address, counted) in [
            (idle("/cart", 30), 30),
            (idle("/filials/7?item=1", 200), 200),
            ("/kiosk/cart?idle=-1".to_owned(), 0),
            ("/kiosk/cart?idle=99999999999".to_owned(), 0),
            ("/kiosk/cart?idle".to_owned(), 0),
            ("/kiosk/cart?idles=4".to_owned(), 0),
        ] {
            let (_, _, Prefixed { idle }) =
                plain(&address.parse().expect("one")).expect("a tablet's");
            assert_eq!(idle, counted, "{address}");
        }
    }

    #[test]
    fn links_and_forms_of_a_page_get_it_and_nothing_else() {
        let html = concat!(
            r#"<p>a href="/" is &lt;a href=&quot;/&quot;</p><a class="x" href="/cart">1</a>"#,
            r##"<a href="#lines">2</a><a href="//e">3</a><a href="/kiosk/faq">4</a><a>5</a>"##,
            r#"<svg><use href="/assets/s.svg#a"/></svg><img src="/img/1"/><link href="/assets/a"/>"#,
            r#"<form method="post" action="/orders"><button formAction="/pay">6</button></form>"#,
        );
        let expected = html
            .replace(r#"x" href="/cart""#, r#"x" href="/kiosk/cart""#)
            .replace("\"/orders", "\"/kiosk/orders")
            .replace("\"/pay", "\"/kiosk/pay");
        assert_eq!(Prefix::Tablet.in_html(html), expected);
        let none = "no tag < at all";
        assert_eq!(Prefix::Tablet.in_html(none), none);
        let named = Prefix::Carried("AAAAAAAAAAAAAAAAAAAAAA".to_owned());
        let expected = html
            .replace(
                r#"x" href="/cart""#,
                r#"x" href="/~AAAAAAAAAAAAAAAAAAAAAA/cart""#,
            )
            .replace("\"/orders", "\"/~AAAAAAAAAAAAAAAAAAAAAA/orders")
            .replace("\"/pay", "\"/~AAAAAAAAAAAAAAAAAAAAAA/pay");
        assert_eq!(named.in_html(html), expected);
    }
}

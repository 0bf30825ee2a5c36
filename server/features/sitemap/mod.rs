//! What search engines are told to look at: `robots.txt`, an index of sitemaps, and a sitemap for each country and
//! language (SO-01, SO-03, SO-08). A host that names a country has that country's; any other has both.

mod directory;
mod seen;

use std::{borrow::Cow, sync::Arc};

use axum::{
    body::{Body, Bytes},
    extract::{Path, State},
    http::{HeaderMap, StatusCode, Uri, header},
    response::{IntoResponse as _, Response},
};
use futures_util::stream;
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

pub use self::directory::Directory;
use self::directory::{Entry, VenueStatus};
use crate::{
    config::custom::Custom,
    error::Error,
    features::loaded::Loaded,
    upstream::{self, VenueId},
    values::{Country, Lang},
    web::{
        app::App,
        locale::Wishes,
        public::{Public, country_of},
        visit::{self, Visit},
    },
};

/// Venues of one file. Each has two addresses of about half a kilobyte; a file may have 50,000 of them and 50 MB.
const VENUES: usize = 5_000;
/// Entries that are written at a time.
const CHUNK: usize = 100;
const HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8"?>"#;
const SPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// Answers for a venue that the upstream does not know: its new address if it has one, gone if it once was there,
/// otherwise not found (SO-08). `rest` is what follows the id in the path; the query goes along: a printed code has its
/// table there (RT-08).
///
/// # Errors
/// Not found or gone, or the upstream's own failure.
pub async fn missing<T>(
    directory: &Directory,
    visit: &Visit,
    venue: VenueId,
    error: upstream::Error,
    rest: &str,
) -> Result<Loaded<T>, Error> {
    let upstream::Error::NotFound = error else {
        return Err(Error::Upstream(error));
    };
    let upstream = &visit.app.upstream;
    let status = directory.status(upstream, visit.country, &visit.custom, venue.0, visit.now);
    match status.await {
        VenueStatus::Moved(id) => {
            let query = moved_query(visit.raw_query.as_deref(), venue, VenueId(id));
            Ok(Loaded::Moved(format!("/filials/{id}{rest}{query}")))
        }
        VenueStatus::Gone => Err(Error::Gone("venue")),
        VenueStatus::Unknown => Err(Error::NotFound("venue")),
    }
}

/// Counts a number that may be no venue's as something that its address looks up: the upstream is asked for each (S-20).
/// What is kept or listed is never refused, as its code is printed on tables.
///
/// # Errors
/// Too many of them.
pub async fn count_unknown(
    directory: &Directory,
    visit: &Visit,
    venue: VenueId,
) -> Result<(), Error> {
    let (upstream, caller) = (&visit.app.upstream, visit.caller(None));
    let is_free =
        directory.has_seen(venue.0) || upstream.has_asked_for(&caller, venue, visit.brand()).await;
    if is_free {
        return Ok(());
    }
    visit
        .look_up_unless(directory.lists(upstream, venue.0, visit.now))
        .await
        .map_err(Error::TooMany)
}

/// The query of a venue that has another id now. A table's code names the venue again, as its own and perhaps as the main
/// one: the upstream would not know either by the old id.
fn moved_query(query: Option<&str>, old: VenueId, new: VenueId) -> String {
    let Some(query) = query.filter(|query| !query.is_empty()) else {
        return String::new();
    };
    let parts: Vec<Cow<'_, str>> = query
        .split('&')
        .map(|part| match part.split_once('=') {
            Some((key @ ("filial_id" | "main_terminal_id"), id))
                if id.parse().is_ok_and(|id: VenueId| id == old) =>
            {
                format!("{key}={new}").into()
            }
            _ => part.into(),
        })
        .collect();
    format!("?{}", parts.join("&"))
}

/// `GET /robots.txt`. Nothing is forbidden: pages that shall not be found say so themselves, and must be read for that.
pub async fn robots(State(app): State<App>, headers: HeaderMap, uri: Uri) -> Response {
    let origin = visit::origin(&app, &headers, &uri);
    let text = format!("User-agent: *\nAllow: /\n\nSitemap: {origin}/sitemap.xml\n");
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        (header::CACHE_CONTROL, "public, max-age=3600"),
    ];
    (headers, text).into_response()
}

/// `GET /sitemap.xml`: the index.
pub async fn index(
    State(app): State<App>,
    State(directory): State<Directory>,
    Wishes { chosen, .. }: Wishes,
    headers: HeaderMap,
    uri: Uri,
) -> Response {
    let origin = visit::origin(&app, &headers, &uri);
    let custom = &chosen.custom;
    let mut text = format!(r#"{HEAD}<sitemapindex xmlns="{SPACE}">"#);
    for country in countries(&origin) {
        let Ok(entries) = entries(&app, &directory, country, custom).await else {
            return StatusCode::SERVICE_UNAVAILABLE.into_response();
        };
        let modified = modified(&entries);
        let languages = custom.languages(app.upstream.languages(country));
        for lang in languages.offered.iter() {
            for part in 1..=parts(&entries) {
                text.push_str(&format!(
                    "<sitemap><loc>{origin}/sitemaps/{}-{}-{part}.xml</loc>{modified}</sitemap>",
                    country.code(),
                    lang.code(),
                ));
            }
        }
    }
    text.push_str("</sitemapindex>");
    (xml(), text).into_response()
}

/// `GET /sitemaps/{country}-{lang}-{part}.xml`. Written while it is sent.
pub async fn map(
    State(app): State<App>,
    State(directory): State<Directory>,
    Path(name): Path<String>,
    Wishes { chosen, .. }: Wishes,
    headers: HeaderMap,
    uri: Uri,
) -> Response {
    let origin = visit::origin(&app, &headers, &uri);
    let custom = &chosen.custom;
    let Some((country, lang, part)) = named(&app, custom, &name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    if !countries(&origin).any(|known| known == country) {
        return StatusCode::NOT_FOUND.into_response();
    }
    let Ok(entries) = entries(&app, &directory, country, custom).await else {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    };
    if part > parts(&entries) {
        return StatusCode::NOT_FOUND.into_response();
    }
    let languages = custom.languages(app.upstream.languages(country));
    let public = Public::new(&origin, country, languages);
    let mut start = format!(r#"{HEAD}<urlset xmlns="{SPACE}">"#);
    if part == 1 {
        let modified = modified(&entries);
        let paths = app.pages.all().filter(|page| page.in_sitemap);
        for path in paths.filter_map(|page| path_on(custom, page.path)) {
            start.push_str(&address(&public, &path, lang, &modified));
        }
    }
    let begin = (part - 1) * VENUES;
    let end = (begin + VENUES).min(entries.len());
    let custom = chosen.custom.clone();
    let chunks = stream::unfold(begin, move |at| {
        let until = (at + CHUNK).min(end);
        let text: Option<String> = entries
            .get(at..until)
            .filter(|chunk| !chunk.is_empty())
            .map(|chunk| {
                chunk
                    .iter()
                    .map(|entry| venue(&public, entry.id_on(&custom), entry.since, lang))
                    .collect()
            });
        async move { Some((text?, until)) }
    });
    let whole = futures_util::StreamExt::chain(
        futures_util::StreamExt::chain(stream::iter([start]), chunks),
        stream::iter(["</urlset>".to_owned()]),
    );
    let body = futures_util::StreamExt::map(whole, |text| {
        Ok::<_, std::convert::Infallible>(Bytes::from(text))
    });
    (xml(), Body::from_stream(body)).into_response()
}

fn xml() -> [(header::HeaderName, &'static str); 2] {
    [
        (header::CONTENT_TYPE, "application/xml; charset=utf-8"),
        (header::CACHE_CONTROL, "public, max-age=3600"),
    ]
}

fn countries(origin: &str) -> impl Iterator<Item = Country> + use<> {
    let named = country_of(origin);
    Country::ALL
        .into_iter()
        .filter(move |country| named.is_none_or(|named| named == *country))
}

/// The venues of a country that a host has.
async fn entries(
    app: &App,
    directory: &Directory,
    country: Country,
    custom: &Custom,
) -> Result<Arc<Vec<Entry>>, ()> {
    let now = app.state.clock().now();
    let all = directory.entries(&app.upstream, country, now).await;
    let all = all.map_err(|error| {
        tracing::warn!(
            class = error.class(),
            "The venues of a sitemap could not be read"
        );
    })?;
    let is_own = |one: &&Entry| one.is_of(custom);
    Ok(if all.iter().all(|one| is_own(&one)) {
        all
    } else {
        Arc::new(all.iter().filter(is_own).cloned().collect())
    })
}

fn parts(entries: &[Entry]) -> usize {
    entries.len().div_ceil(VENUES).max(1)
}

fn named(app: &App, custom: &Custom, name: &str) -> Option<(Country, Lang, usize)> {
    let mut words = name.strip_suffix(".xml")?.split('-');
    let (country, lang, part) = (words.next()?, words.next()?, words.next()?);
    let country = Country::ALL
        .into_iter()
        .find(|known| known.code() == country)?;
    let langs = custom.languages(app.upstream.languages(country));
    let lang = langs
        .offered
        .iter()
        .copied()
        .find(|known| known.code() == lang)?;
    let part: usize = part.parse().ok().filter(|part| *part > 0)?;
    words.next().is_none().then_some((country, lang, part))
}

/// Where a page stands on a host: what its front and its list of brands lead to, if they do (RT-03).
fn path_on<'a>(custom: &Custom, path: &'a str) -> Option<Cow<'a, str>> {
    match (path, custom.brand()) {
        ("/", _) if custom.has_brands_first() => None,
        ("/brands", Some(brand)) => Some(format!("/brands/filials?brand={}", brand.0).into()),
        _ => Some(path.into()),
    }
}

fn venue(public: &Public, id: u64, since: i64, lang: Lang) -> String {
    let modified = lastmod(since);
    let menu = format!("/filials/{id}");
    let details = format!("{menu}/details");
    address(public, &menu, lang, &modified) + &address(public, &details, lang, &modified)
}

/// An address of a map. Its other languages are told by the head of its page alone (SO-03).
fn address(public: &Public, path: &str, lang: Lang, modified: &str) -> String {
    format!(
        "<url><loc>{}</loc>{modified}</url>",
        own(public, path, lang)
    )
}

/// Origins hold no markup (`visit::origin`), paths and queries are ours: the ampersand is all there is to escape.
fn own(public: &Public, path: &str, lang: Lang) -> String {
    public.address(path, lang).replace('&', "&amp;")
}

/// Of a list: the latest change of any of its venues.
fn modified(entries: &[Entry]) -> String {
    let latest = entries.iter().map(|entry| entry.since).max();
    latest.map(lastmod).unwrap_or_default()
}

fn lastmod(at: i64) -> String {
    OffsetDateTime::from_unix_timestamp(at.div_euclid(1000))
        .ok()
        .and_then(|at| at.format(&Rfc3339).ok())
        .map(|at| format!("<lastmod>{at}</lastmod>"))
        .unwrap_or_default()
}

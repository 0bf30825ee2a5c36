//! What JavaScript may ask of Rust: a console, URLs and the fragment cache. Nothing else leaves an isolate.
//!
//! A panic in an op would end the process, so these only return values.

use deno_core::{OpState, extension, op2};
use url::{Position, Url, form_urlencoded};

use crate::fragment_cache::FragmentCache;

extension!(
    engine,
    ops = [
        op_ssr_console,
        op_ssr_url_parse,
        op_ssr_url_set,
        op_ssr_query_parse,
        op_ssr_query_write,
        op_ssr_shared,
        op_ssr_insert,
        op_ssr_clear
    ],
    state = |state| state.put(FragmentCache::default()),
);

/// The extension, the same for the snapshot and for what is restored from it.
pub(crate) fn extension() -> deno_core::Extension {
    engine::init()
}

/// Lines that a bundle may send to the log in one call; a render must not fill the disk.
const LOG_LINE: usize = 4096;

/// What a bundle says while it renders may hold a guest's words, such as an address that it cannot read. So it is told
/// that something was said; the words are for who asks for them (`LOG=info,ssr::console=debug`), on a machine without
/// guests.
#[op2(fast)]
fn op_ssr_console(level: u32, #[string] text: &str) {
    let end = text.floor_char_boundary(LOG_LINE);
    let words = &text[..end];
    match level {
        0 => tracing::error!("The bundle reported an error to its console"),
        1 => tracing::warn!("The bundle wrote a warning to its console"),
        _ => {}
    }
    tracing::debug!(target: "ssr::console", "{words}");
}

/// The parts of a URL in the order that `js/url.js` reads them; empty if it is no URL.
fn parts(url: &Url) -> Vec<String> {
    let origin = url.origin().ascii_serialization();
    let or_none = |mark: char, part: Option<&str>| match part {
        Some(part) if !part.is_empty() => format!("{mark}{part}"),
        Some(_) | None => String::new(),
    };
    vec![
        url.as_str().to_owned(),
        origin,
        url[..Position::AfterScheme].to_owned() + ":",
        url.username().to_owned(),
        url.password().unwrap_or_default().to_owned(),
        url[Position::BeforeHost..Position::AfterPort].to_owned(),
        url.host_str().unwrap_or_default().to_owned(),
        url.port().map(|port| port.to_string()).unwrap_or_default(),
        url.path().to_owned(),
        or_none('?', url.query()),
        or_none('#', url.fragment()),
    ]
}

#[op2]
#[serde]
fn op_ssr_url_parse(#[string] href: &str, #[string] base: &str) -> Vec<String> {
    let parsed = if base.is_empty() {
        Url::parse(href)
    } else {
        Url::parse(base).and_then(|base| base.join(href))
    };
    parsed.as_ref().map(parts).unwrap_or_default()
}

/// Sets one part, by `url::quirks`, which follows the standard's setters.
#[op2]
#[serde]
fn op_ssr_url_set(
    #[string] href: &str,
    #[string] part: &str,
    #[string] value: &str,
) -> Vec<String> {
    let Ok(mut url) = Url::parse(href) else {
        return Vec::new();
    };
    // A refused value leaves the URL as it was: that is what the standard asks for.
    let _refused = match part {
        "protocol" => url::quirks::set_protocol(&mut url, value).is_err(),
        "username" => url::quirks::set_username(&mut url, value).is_err(),
        "password" => url::quirks::set_password(&mut url, value).is_err(),
        "host" => url::quirks::set_host(&mut url, value).is_err(),
        "hostname" => url::quirks::set_hostname(&mut url, value).is_err(),
        "port" => url::quirks::set_port(&mut url, value).is_err(),
        "pathname" => {
            url::quirks::set_pathname(&mut url, value);
            false
        }
        "search" => {
            url::quirks::set_search(&mut url, value);
            false
        }
        "hash" => {
            url::quirks::set_hash(&mut url, value);
            false
        }
        _ => true,
    };
    parts(&url)
}

/// Names and values of a query, one after the other.
#[op2]
#[serde]
fn op_ssr_query_parse(#[string] query: &str) -> Vec<String> {
    form_urlencoded::parse(query.as_bytes())
        .flat_map(|(name, value)| [name.into_owned(), value.into_owned()])
        .collect()
}

#[op2]
#[string]
fn op_ssr_query_write(#[serde] pairs: Vec<String>) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for pair in pairs.chunks_exact(2) {
        query.append_pair(&pair[0], &pair[1]);
    }
    query.finish()
}

/// The shared part of the data of the render under way; empty if it has none.
#[op2]
#[string]
fn op_ssr_shared(state: &OpState) -> String {
    let cache = state.borrow::<FragmentCache>();
    let text = cache.shared.as_ref().map(crate::Shared::text);
    text.unwrap_or_default().to_owned()
}

#[op2(fast)]
fn op_ssr_insert(state: &mut OpState, #[string] html: &str) -> u32 {
    state.borrow_mut::<FragmentCache>().insert(html)
}

#[op2(fast)]
fn op_ssr_clear(state: &mut OpState) {
    state.borrow_mut::<FragmentCache>().clear();
}

//! The one way a redirect target is made: a path of our own origin, or `/` (S-09); off to others only where the
//! settings name their origin.

use axum::{
    extract::Request,
    http::{HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use url::Url;

/// Where the sign-in page sends its answer. It comes by GET and changes the session all the same: its code works once.
pub const SIGN_IN_RETURN: &str = "/auth";
/// Where a tablet without scripts goes when no guest answers: a GET with a one-time name that forgets the guest.
pub const TABLET_GONE: &str = "/session/gone";
/// Longer targets are refused.
const LONGEST: usize = 4096;

/// Path, query and fragment of `target` if it can only ever lead to our own origin, else `/`.
///
/// The result is ASCII, fit for a `Location` header, begins with exactly one slash, and passes
/// through this function unchanged.
#[must_use]
pub fn safe_path(target: &str) -> String {
    own_path(target).unwrap_or_else(|| "/".to_owned())
}

/// `target` as a whole address, if its origin is exactly one of `origins`: nothing in front of the host, no other port.
#[must_use]
pub fn outside(target: &str, origins: &[&[String]]) -> Option<String> {
    let foreign = |c: char| c.is_control() || c.is_whitespace() || c == '\\';
    if target.len() > LONGEST || target.contains(foreign) {
        return None;
    }
    let url = Url::parse(target).ok()?;
    let bare = url.username().is_empty() && url.password().is_none();
    let web = matches!(url.scheme(), "http" | "https");
    let origin = url.origin().ascii_serialization();
    let named = origins.iter().any(|list| list.contains(&origin));
    (bare && web && named).then(|| url.into())
}

/// 303 to a path of ours.
#[must_use]
pub fn see_other(path: &str) -> Response {
    to(&safe_path(path))
}

/// 303 to an address that [`safe_path`] or [`outside`] has made.
pub fn to(address: &str) -> Response {
    let location = HeaderValue::from_str(address).unwrap_or(HeaderValue::from_static("/"));
    let no_store = HeaderValue::from_static("no-store");
    (
        StatusCode::SEE_OTHER,
        [
            (header::LOCATION, location),
            (header::CACHE_CONTROL, no_store),
        ],
    )
        .into_response()
}

/// `308` to the same path with single slashes; the query stays as it is (RT-07).
pub async fn collapse_slashes(request: Request, next: Next) -> Response {
    let uri = request.uri();
    let Some(location) = collapsed(uri.path(), uri.query()) else {
        return next.run(request).await;
    };
    match HeaderValue::from_bytes(location.as_bytes()) {
        Ok(location) => (
            StatusCode::PERMANENT_REDIRECT,
            [(header::LOCATION, location)],
        )
            .into_response(),
        Err(_) => StatusCode::BAD_REQUEST.into_response(),
    }
}

/// Where a path with double slashes should go; `None` when it has none.
fn collapsed(path: &str, query: Option<&str>) -> Option<String> {
    // Browsers read a backslash as a slash: `/\host` is as foreign as `//host`.
    if !path.starts_with('/') || !(path.contains("//") || path.contains('\\')) {
        return None;
    }
    let path = safe_path(&single_slashes(&path.replace('\\', "/")));
    Some(match query {
        Some(query) => format!("{path}?{query}"),
        None => path,
    })
}

fn own_path(target: &str) -> Option<String> {
    let foreign = |c: char| c.is_control() || c == '\\';
    if target.len() > LONGEST || !target.starts_with('/') || target.contains(foreign) {
        return None;
    }
    // `//host`, `///host` and `/.//host` name a host to a browser; only a path that still begins with
    // one slash after it was resolved is ours.
    if target[1..].starts_with('/') {
        return None;
    }
    let base = Url::parse("https://own.invalid/").ok()?;
    let url = base.join(target).ok()?;
    if url.origin() != base.origin() || has_encoded_slash(url.path()) {
        return None;
    }
    let mut path = single_slashes(url.path());
    if let Some(query) = url.query() {
        path.push('?');
        path.push_str(query);
    }
    if let Some(fragment) = url.fragment() {
        path.push('#');
        path.push_str(fragment);
    }
    (path.len() <= LONGEST).then_some(path)
}

/// No path of ours has one, and a proxy in front may decode it.
fn has_encoded_slash(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    path.contains("%2f") || path.contains("%5c")
}

fn single_slashes(path: &str) -> String {
    let mut single = String::with_capacity(path.len());
    for c in path.chars() {
        if c != '/' || !single.ends_with('/') {
            single.push(c);
        }
    }
    single
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ATTACKS: &[&str] = &[
        "//e",
        "///e",
        "/\\e",
        "\\\\e",
        "/%2f%2fe",
        "/%2F/e",
        "/%5ce",
        "\t//e",
        "\n//e",
        "/\t/e",
        "/\n/e",
        "/\r/e",
        " //e",
        "https:e",
        "https://e",
        "http:/e",
        "javascript:alert(1)",
        "https://us@e",
        "//us@e",
        "data:text/html,x",
        "",
        "e",
        "?x",
        "#x",
        "/.//e",
        "/..//e",
        "/a/..//e",
        "/%2e%2e//e",
        "/./\\e",
        "/\u{0}/e",
        "/\u{7f}/e",
        "/x\r\nSet-Cookie: a=b",
    ];

    fn lands_with_us(path: &str) {
        for base in ["https://own.example/a/b?c#d", "http://own.example:8080/"] {
            let base = Url::parse(base).unwrap();
            let landed = base.join(path).unwrap();
            assert_eq!(landed.origin(), base.origin(), "{path:?}");
            assert_eq!(landed.username(), "", "{path:?}");
        }
        assert!(path.starts_with('/') && !path.starts_with("//"), "{path:?}");
        assert!(
            HeaderValue::from_str(path).is_ok() && path.is_ascii(),
            "{path:?}"
        );
        assert_eq!(safe_path(path), path, "made safe once, it stays as it is");
    }

    #[test]
    fn every_known_trick_lands_with_us() {
        for attack in ATTACKS {
            lands_with_us(&safe_path(attack));
        }
        for attack in [
            "//e",
            "/\\e",
            "/%2f%2fe",
            "/%5ce",
            "https://us@e",
            "\t//e",
            "/\t/e",
        ] {
            assert_eq!(safe_path(attack), "/", "{attack:?}");
        }
    }

    #[test]
    fn only_named_origins_are_left_to() {
        let banks = [
            "https://pay.example".to_owned(),
            "https://pay.example:8443".to_owned(),
        ];
        let hosts = ["https://host.example".to_owned()];
        let out = |target: &str| outside(target, &[&banks, &hosts]);
        for named in [
            "https://pay.example/card?order=1&back=https%3A%2F%2Fown.example",
            "https://pay.example:8443/",
            "https://host.example/done#end",
        ] {
            assert_eq!(out(named).as_deref(), Some(named));
        }
        for foreign in [
            "https://evil.example/",
            "http://pay.example/",
            "https://pay.example:444/",
            "https://pay.example.evil.example/",
            "https://pay.example@evil.example/",
            "https://guest@pay.example/",
            "https://guest:word@pay.example/",
            "https://evil.example\\@pay.example/",
            "https://evil.example\t@pay.example/",
            "https://pay.example\r\nSet-Cookie: a=b",
            "//pay.example/",
            "javascript:alert(1)//https://pay.example",
            "pay.example",
            "/cart",
            "",
        ] {
            assert_eq!(out(foreign), None, "{foreign:?}");
        }
    }

    #[test]
    fn own_paths_are_kept_with_query_and_fragment() {
        for (path, expected) in [
            ("/", "/"),
            (
                "/filials/1013?table_id=t7&main_terminal_id=1010",
                "/filials/1013?table_id=t7&main_terminal_id=1010",
            ),
            (
                "/search?q=a+b&next=//e%2Fx&f[x]=1#part",
                "/search?q=a+b&next=//e%2Fx&f[x]=1#part",
            ),
            (
                "/іздеу?q=қазы",
                "/%D1%96%D0%B7%D0%B4%D0%B5%D1%83?q=%D2%9B%D0%B0%D0%B7%D1%8B",
            ),
            ("/a//b///c/", "/a/b/c/"),
            ("/a/../b", "/b"),
        ] {
            assert_eq!(safe_path(path), expected);
        }
        assert_eq!(safe_path(&format!("/{}", "a".repeat(5000))), "/");
    }

    #[test]
    fn slashes_collapse_on_our_own_origin_and_the_query_is_untouched() {
        for (path, query, location) in [
            ("//filials//7", None, "/filials/7"),
            ("///e", Some("u=//x"), "/e?u=//x"),
            ("//e.example/%2e%2e", None, "/"),
            ("/\\e.example", None, "/e.example"),
            ("//\\e.example", None, "/e.example"),
            ("/a//", Some(""), "/a/?"),
            ("/..//e", None, "/e"),
        ] {
            assert_eq!(collapsed(path, query).unwrap(), location, "{path}");
        }
        assert_eq!(collapsed("/a/b/", Some("c=//d")), None);
        assert_eq!(collapsed("*", None), None);
    }

    proptest! {
        #[test]
        fn whatever_comes_in_lands_with_us(target in "\\PC*") {
            lands_with_us(&safe_path(&target));
        }

        #[test]
        fn whatever_is_made_of_tricks_lands_with_us(
            parts in proptest::collection::vec(
                prop_oneof![
                    Just("/"), Just("\\"), Just("."), Just(".."), Just("%2f"), Just("%5C"), Just("%2e"),
                    Just("\t"), Just("\n"), Just("@"), Just(":"), Just("https"), Just("e.example"),
                    Just("?"), Just("#"), Just("[::1]"), Just("\u{ff0f}"), Just("\u{2028}"), Just("%"),
                ],
                0..10,
            )
        ) {
            let target = parts.concat();
            lands_with_us(&safe_path(&target));
            lands_with_us(&safe_path(&format!("/{target}")));
            if let Some(location) = collapsed(&format!("/{}", target.replace(['\t', '\n', '?', '#'], "")), None) {
                lands_with_us(&location);
            }
        }
    }
}

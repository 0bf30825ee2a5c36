//! What of a setting may be told.

use std::{fmt, ops::Deref};

/// A setting that nobody may read: printing shows nothing.
#[derive(Clone)]
pub struct Secret(String);

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl Deref for Secret {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// A text with `…` for what stands before the `@` of an address and in its query: keys of a DSN or of tiles, user and
/// password. A comma ends an address, as in a list. What stands before an `@` is not told where no address begins either:
/// it may be one that was mistyped.
#[must_use]
pub fn without_secrets(text: &str) -> String {
    let mut shown = String::new();
    let mut rest = text;
    while let Some((before, address)) = rest.split_once("://") {
        shown.push_str(&without_users(before));
        shown.push_str("://");
        let end = address
            .find(|sign: char| is_end(sign) || matches!(sign, '/' | '?' | '#'))
            .unwrap_or(address.len());
        let (host, more) = address.split_at(end);
        match host.rsplit_once('@') {
            Some((_, host)) => {
                shown.push_str("…@");
                shown.push_str(host);
            }
            None => shown.push_str(host),
        }
        let end = more.find(is_end).unwrap_or(more.len());
        let (path, after) = more.split_at(end);
        match path.split_once('?') {
            Some((path, _)) => {
                shown.push_str(path);
                shown.push_str("?…");
            }
            None => shown.push_str(path),
        }
        rest = after;
    }
    shown + &without_users(rest)
}

fn without_users(text: &str) -> String {
    let words = text.split_inclusive(is_end);
    words
        .map(|word| match word.rsplit_once('@') {
            Some((_, host)) => format!("…@{host}"),
            None => word.to_owned(),
        })
        .collect()
}

/// What no address has in it: a text goes on behind it.
fn is_end(sign: char) -> bool {
    sign.is_whitespace() || matches!(sign, '\'' | '"' | ',')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_of_a_server_are_printed_without_their_secrets() {
        use clap::Parser as _;

        let key = "7f".repeat(32);
        let upstream = ["--upstream-url", "https://api.example.kz"];
        let keys = ["--secret-keys", &key];
        let given = ["dastarkhan", "serve"]
            .into_iter()
            .chain(upstream)
            .chain(keys);
        let command = crate::config::Cli::try_parse_from(given).unwrap();
        assert!(!format!("{command:?}").contains(&key));
    }

    #[test]
    fn a_refused_value_is_shown_without_its_secrets() {
        assert_eq!(
            without_secrets(
                "value 'https://key:secret@host/1?x' for '--sentry-dsn <DSN>': no https://host"
            ),
            "value 'https://…@host/1?…' for '--sentry-dsn <DSN>': no https://host"
        );
        assert_eq!(
            without_secrets("https://a,https://u:p@b/x?key=1,https://c?sig=2 next"),
            "https://a,https://…@b/x?…,https://c?… next"
        );
        assert_eq!(without_secrets("a path /a, 'b'"), "a path /a, 'b'");
        for (given, shown) in [
            ("'https:/user:secret@h/x y'", "'…@h/x y'"),
            ("'user:secret@h/x'", "'…@h/x'"),
            ("//secret@a.example/1,b", "…@a.example/1,b"),
            ("a:b@c://d:e@f", "…@c://…@f"),
        ] {
            assert_eq!(without_secrets(given), shown);
        }
    }
}

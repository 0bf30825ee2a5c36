//! Errors of browsers (HT-11, AN-06): what kind, in which file and line of ours, on which kind of page. Browsers leave out
//! what network and aborts do; whatever else they say is cleaned here, as a message may quote what a guest has typed.

use serde::Deserialize;

use crate::telemetry::Throttle;

/// Longer messages tell nothing more.
const LONGEST: usize = 200;

static SAID: Throttle = Throttle::new();

/// One error, as it is told to others.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "Raw")]
pub struct Fault {
    pub(super) kind: FaultKind,
    /// Its class, such as `TypeError`.
    pub(super) name: String,
    pub(super) message: String,
    /// File of ours, line, column.
    place: Option<(String, u32, u32)>,
    /// The kind of page, never its address.
    pub(super) page: String,
    pub(super) build: String,
}

/// What went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FaultKind {
    /// Something was thrown and not caught.
    Error,
    /// The same in a promise.
    Rejection,
    /// The app found another page than the server has sent.
    Hydration,
    /// The app did not start.
    Start,
    /// A part of the app was gone, and the page was loaded anew for it (RT-12).
    Reload,
}

#[derive(Deserialize)]
struct Raw {
    kind: FaultKind,
    #[serde(default)]
    name: String,
    #[serde(default)]
    message: String,
    #[serde(default)]
    place: String,
    #[serde(default)]
    page: String,
    #[serde(default)]
    build: String,
}

impl From<Raw> for Fault {
    fn from(raw: Raw) -> Self {
        Self {
            kind: raw.kind,
            name: word(&raw.name),
            message: clean(&raw.message),
            place: place(&raw.place),
            page: word(&raw.page),
            build: word(&raw.build),
        }
    }
}

impl Fault {
    /// A line of the log, at most one a second, and a number.
    pub(super) fn note(&self) {
        metrics::counter!("browser_faults_total", "kind" => self.kind.name()).increment(1);
        let Some(others) = SAID.admit() else { return };
        let Self {
            name,
            message,
            page,
            build,
            ..
        } = self;
        let kind = self.kind.name();
        let place = self
            .place
            .as_ref()
            .map(|(file, line, column)| format!("{file}:{line}:{column}"));
        tracing::warn!(
            kind,
            name,
            // `message` is the line's own.
            error.message = message,
            page,
            place,
            build,
            others,
            "A browser met an error"
        );
    }

    pub(super) const fn place(&self) -> Option<&(String, u32, u32)> {
        self.place.as_ref()
    }
}

impl FaultKind {
    /// Label of the counter.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Rejection => "rejection",
            Self::Hydration => "hydration",
            Self::Start => "start",
            Self::Reload => "reload",
        }
    }
}

/// A word of a program; anything else is no word.
fn word(text: &str) -> String {
    let is_word = text.len() <= 40
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'));
    if is_word { text } else { "" }.to_owned()
}

/// `menu-AB12CD.js:1:2345`.
fn place(text: &str) -> Option<(String, u32, u32)> {
    let mut parts = text.rsplitn(3, ':');
    let (column, line) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let file = parts
        .next()
        .map(word)
        .filter(|file| file.ends_with(".js"))?;
    Some((file, line, column))
}

/// The message without what may be a guest's: what it quotes unless that is a name of a program, letters beyond ASCII,
/// words with an `@`, queries, long words with digits, and all digits where there are enough for a phone.
fn clean(message: &str) -> String {
    let message: String = message.chars().take(LONGEST).collect();
    let mut quoted = String::new();
    for (at, part) in message.split('"').enumerate() {
        // Every second part stands between two quotation marks; the last one may have lost its end.
        quoted.push_str(match at % 2 {
            0 => part,
            _ if word(part).is_empty() => "\u{2026}",
            _ => part,
        });
    }
    let many = quoted.bytes().filter(u8::is_ascii_digit).count() > 6;
    quoted
        .split_whitespace()
        .map(|token| {
            let token = token.split('?').next().unwrap_or_default();
            let long = token
                .split(|letter: char| !letter.is_ascii_alphanumeric())
                .any(|run| run.len() >= 16 && run.bytes().any(|byte| byte.is_ascii_digit()));
            if token.contains('@') || long || !token.is_ascii() {
                "\u{2026}".to_owned()
            } else if many {
                token.replace(|letter: char| letter.is_ascii_digit(), "0")
            } else {
                token.to_owned()
            }
        })
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_keeps_what_the_program_says_and_nothing_of_the_guest() {
        for (message, json) in [
            (
                "Cannot read properties of undefined (reading 'price')",
                "Cannot read properties of undefined (reading 'price')",
            ),
            ("Minified React error #418", "Minified React error #418"),
            (
                r#"Unexpected token, "Айгуль, +7 701 000 11 22" is not valid JSON"#,
                "Unexpected token, \u{2026} is not valid JSON",
            ),
            ("call +7 701 000 11 22", "call +0 000 000 00 00"),
            ("to aigul@example.kz", "to \u{2026}"),
            ("at /pay/Zm9vYmFyMTIzNDU2Nzg5MA", "at \u{2026}"),
            ("at /cart?phone=7701", "at /cart"),
            ("имя гостя", "\u{2026} \u{2026}"),
        ] {
            assert_eq!(clean(message), json);
        }
        assert_eq!(clean(&"a".repeat(1000)).len(), LONGEST);
    }

    #[test]
    fn a_place_is_a_file_of_ours_and_a_page_is_a_word() {
        let json = r#"{"kind":"error","name":"TypeError","place":"menu-AB12.js:1:20","page":"/bill/17?x","extra":1}"#;
        let fault: Fault = serde_json::from_str(json).unwrap();
        assert_eq!(fault.place, Some(("menu-AB12.js".to_owned(), 1, 20)));
        assert_eq!(
            (fault.name.as_str(), fault.page.as_str()),
            ("TypeError", "")
        );
        for wrong in [
            "https://evil.example/x.js:1:2",
            "x.js",
            "x.js:1",
            "x.css:1:2",
        ] {
            assert_eq!(place(wrong), None, "{wrong}");
        }
        assert!(serde_json::from_str::<Fault>(r#"{"kind":"other"}"#).is_err());
    }
}

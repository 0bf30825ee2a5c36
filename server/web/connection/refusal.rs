//! What hyper's parser does not take it answers itself, before there is a request, and has no hook for that answer. Here
//! it gets the headers of all others on its way to the socket (S-24).

use std::sync::LazyLock;

use crate::web::headers;

/// Longer heads are not hyper's own.
const LONGEST: usize = 256;
/// What the parser answers.
const STATUSES: [&str; 3] = [
    "400 Bad Request",
    "414 URI Too Long",
    "431 Request Header Fields Too Large",
];
/// The headers that hyper gives an answer without any. Of the product's own answers each has others.
const NAMES: [&str; 3] = ["connection", "content-length", "date"];

static HEADERS: LazyLock<String> = LazyLock::new(headers::lines);

/// An answer of hyper's own with our headers, as far as it is written.
#[derive(Debug)]
pub(super) struct Refusal {
    text: String,
    written: usize,
    /// How long hyper takes it to be.
    length: usize,
}

impl Refusal {
    /// None of bytes that are anything else.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        if bytes.len() > LONGEST || !bytes.starts_with(b"HTTP/1.") {
            return None;
        }
        let head = std::str::from_utf8(bytes).ok()?.strip_suffix("\r\n\r\n")?;
        let mut lines = head.split("\r\n");
        let (_, status) = lines.next()?.split_once(' ')?;
        let is_own = |line: &str| {
            let name = line.split(':').next().unwrap_or_default();
            NAMES.iter().any(|own| name.eq_ignore_ascii_case(own))
        };
        (STATUSES.contains(&status) && lines.all(is_own)).then(|| Self {
            text: format!("{head}\r\n{}\r\n", *HEADERS),
            written: 0,
            length: bytes.len(),
        })
    }

    /// What is not written yet.
    pub(super) fn rest(&self) -> &[u8] {
        self.text.as_bytes().get(self.written..).unwrap_or_default()
    }

    /// So much more of it is written. Once it is whole: how long hyper takes it to be.
    pub(super) fn advance(&mut self, count: usize) -> Option<usize> {
        self.written += count;
        self.rest().is_empty().then_some(self.length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\ndate: Mon, 30 Nov 2026 19:00:00 GMT\r\n\r\n";

    #[test]
    fn an_answer_of_the_parser_gets_the_headers_however_slowly_it_is_taken() {
        let mut refusal = Refusal::of(OWN.as_bytes()).unwrap();
        let mut seen = Vec::new();
        let length = loop {
            let next = refusal.rest()[0];
            seen.push(next);
            if let Some(length) = refusal.advance(1) {
                break length;
            }
        };
        assert_eq!(length, OWN.len());
        let text = String::from_utf8(seen).unwrap();
        let head = text.strip_suffix("\r\n\r\n").unwrap();
        assert!(head.starts_with(OWN.trim_end()), "{text}");
        assert!(head.contains("\r\nx-content-type-options: nosniff\r\n"));
        assert!(head.contains("\r\ncontent-security-policy: default-src 'none'"));
        assert!(!head.contains("\r\n\r\n"));
    }

    #[test]
    fn all_other_bytes_are_left_as_they_are() {
        let page = OWN.replace("date:", "x-request-id: a\r\ndate:");
        let whole = format!("{OWN}HTTP/1.1 200 OK\r\n\r\n");
        let fine = OWN.replace("400 Bad Request", "200 OK");
        let part = &OWN[..OWN.len() - 2];
        for bytes in [page.as_str(), &whole, &fine, part, "", "HTTP/1.1", "<p>400"] {
            assert!(Refusal::of(bytes.as_bytes()).is_none(), "{bytes}");
        }
    }
}

//! Entity tags: one for each encoding of the same bytes, and what a browser says that it has (RFC 9110, 8.8.3, 13.1.2).

use axum::http::{HeaderMap, HeaderValue, header};
use sha2::{Digest, Sha256};

use super::Encoding;

/// The tags of one text, plain and in its encodings: as bytes differ, tags differ.
#[derive(Debug, Clone)]
pub struct Tags {
    plain: HeaderValue,
    br: HeaderValue,
    gzip: HeaderValue,
}

impl Tags {
    /// Tags of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        let mut hex = hex::encode(Sha256::digest(bytes));
        hex.truncate(16);
        let tag = |suffix: &str| {
            HeaderValue::from_str(&format!("\"{hex}{suffix}\""))
                .unwrap_or(HeaderValue::from_static("\"\""))
        };
        Self {
            plain: tag(""),
            br: tag("-br"),
            gzip: tag("-gzip"),
        }
    }

    /// The tag of an encoding.
    #[must_use]
    pub const fn tag(&self, encoding: Encoding) -> &HeaderValue {
        match encoding {
            Encoding::Brotli => &self.br,
            Encoding::Gzip => &self.gzip,
            Encoding::Identity => &self.plain,
        }
    }
}

/// Whether the browser has what a tag stands for: `If-None-Match` is a list, in one or several headers, weak or not, or
/// a star for whatever there is.
#[must_use]
pub fn is_known(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    let Ok(tag) = tag.to_str() else { return false };
    headers
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|known| known.to_str().ok())
        .flat_map(|known| known.split(','))
        .map(str::trim)
        .any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn if_none_match(values: &[&'static str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header::IF_NONE_MATCH, HeaderValue::from_static(value));
        }
        headers
    }

    #[test]
    fn a_tag_is_found_in_lists_weak_and_by_a_star() {
        let tag = HeaderValue::from_static("\"a1-br\"");
        for known in [
            &["\"a1-br\""][..],
            &["W/\"a1-br\""],
            &["\"x\", \"a1-br\""],
            &["\"x\",W/\"a1-br\" , \"y\""],
            &["\"x\"", "\"a1-br\""],
            &["*"],
        ] {
            assert!(is_known(&if_none_match(known), &tag), "{known:?}");
        }
        for other in [&["\"a1\""][..], &["a1-br"], &[], &["\"a1-gzip\""]] {
            assert!(!is_known(&if_none_match(other), &tag), "{other:?}");
        }
    }

    #[test]
    fn every_encoding_has_a_tag_of_its_own() {
        let tags = Tags::of(b"menu");
        assert_ne!(tags.tag(Encoding::Brotli), tags.tag(Encoding::Gzip));
        assert_ne!(tags.tag(Encoding::Brotli), tags.tag(Encoding::Identity));
    }
}

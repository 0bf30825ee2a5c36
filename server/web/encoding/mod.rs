//! Content encodings: what the browser takes, and compressing what was made just now.

pub mod etag;
pub mod opening;

use std::io::Write as _;

use axum::http::{HeaderMap, header};

/// A content encoding that we send.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// `br`
    Brotli,
    /// `gzip`
    Gzip,
    /// None.
    Identity,
}

impl Encoding {
    /// The encoding that the request likes best, and of those that it likes equally the smallest (RFC 9110, 12.5.3):
    /// names in any case, weights, `*` for what is not named. No encoding has a weight only where it is named: who names
    /// others alone is sent one of them.
    #[must_use]
    pub fn best(headers: &HeaderMap) -> Self {
        let mut weights = [None; 2];
        let mut plain = 0;
        let mut others = 0;
        for (name, weight) in accepted(headers) {
            if name == "*" {
                others = weight;
            } else if name.eq_ignore_ascii_case("br") {
                weights[0] = Some(weight);
            } else if name.eq_ignore_ascii_case("gzip") || name.eq_ignore_ascii_case("x-gzip") {
                weights[1] = Some(weight);
            } else if name.eq_ignore_ascii_case("identity") {
                plain = weight;
            }
        }
        let [br, gzip] = weights.map(|weight| weight.unwrap_or(others));
        if br > 0 && br >= gzip && br >= plain {
            Self::Brotli
        } else if gzip > 0 && gzip >= plain {
            Self::Gzip
        } else {
            Self::Identity
        }
    }

    /// Its name in `Content-Encoding`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
            Self::Identity => "identity",
        }
    }

    /// Compresses, with an effort from 1 (for one guest, now) to 11 (kept for many).
    /// The answer is the text itself when compressing fails, which memory alone could cause.
    #[must_use]
    pub fn pack(self, text: &[u8], effort: u32) -> Option<Vec<u8>> {
        match self {
            Self::Brotli => compression::pack(text, effort),
            Self::Gzip => {
                let mut encoder = flate2::write::GzEncoder::new(
                    Vec::with_capacity(text.len() / 3),
                    flate2::Compression::new(effort.min(9)),
                );
                encoder.write_all(text).ok()?;
                encoder.finish().ok()
            }
            Self::Identity => None,
        }
    }
}

/// Whether the request names this encoding as one that it takes.
#[must_use]
pub fn takes(headers: &HeaderMap, encoding: &str) -> bool {
    accepted(headers).any(|(name, weight)| weight > 0 && name.eq_ignore_ascii_case(encoding))
}

/// What `Accept-Encoding` names, with its weight in thousandths.
fn accepted(headers: &HeaderMap) -> impl Iterator<Item = (&str, u16)> {
    headers
        .get_all(header::ACCEPT_ENCODING)
        .iter()
        .flat_map(|accept| accept.to_str().unwrap_or_default().split(','))
        .map(|part| {
            let mut params = part.split(';').map(str::trim);
            let name = params.next().unwrap_or_default();
            (name, params.find_map(weight).unwrap_or(1000))
        })
}

/// `q=0.5` in thousandths; none for another parameter, and full weight for one that can't be read.
fn weight(parameter: &str) -> Option<u16> {
    let (name, value) = parameter.split_once('=')?;
    if !name.trim().eq_ignore_ascii_case("q") {
        return None;
    }
    let value: f32 = value.trim().parse().unwrap_or(1.0);
    // Between 0 and 1000, whatever was sent; what is no number counts as 0.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped"
    )]
    Some((value.clamp(0.0, 1.0) * 1000.0) as u16)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn best(accept: &'static str) -> Encoding {
        let mut headers = HeaderMap::new();
        headers.append(header::ACCEPT_ENCODING, HeaderValue::from_static(accept));
        Encoding::best(&headers)
    }

    #[test]
    fn the_best_encoding_follows_weights_case_and_star() {
        for (accept, wanted) in [
            ("gzip, deflate, br", Encoding::Brotli),
            ("GZIP, BR;Q=0.5", Encoding::Gzip),
            ("br;q=0, gzip;q=0.1", Encoding::Gzip),
            ("br;q=0.000, *", Encoding::Gzip),
            ("*", Encoding::Brotli),
            ("*;q=0", Encoding::Identity),
            ("gzip;q=0.8, *;q=0.9", Encoding::Brotli),
            ("identity", Encoding::Identity),
            ("identity;q=1, br;q=0.1", Encoding::Identity),
            ("gzip;q=0.3, IDENTITY;q=0.5, br;q=0.1", Encoding::Identity),
            ("identity;q=0.5, gzip, br;q=0.4", Encoding::Gzip),
            ("identity;q=0.5, *;q=0.5", Encoding::Brotli),
            ("identity;q=0, gzip;q=0.1", Encoding::Gzip),
            ("gzip, identity, br", Encoding::Brotli),
            ("br;q=0.1", Encoding::Brotli),
            ("br ; q=0.2 , gzip ; q=0.1", Encoding::Brotli),
            ("deflate, zstd", Encoding::Identity),
            ("x-gzip", Encoding::Gzip),
            ("", Encoding::Identity),
        ] {
            assert_eq!(best(accept), wanted, "{accept}");
        }
        assert_eq!(Encoding::best(&HeaderMap::new()), Encoding::Identity);
    }
}

//! Content encodings: what the browser takes, and compressing what was made just now.

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
    /// The best encoding that the request allows. A `q=0` refuses one.
    #[must_use]
    pub fn best(headers: &HeaderMap) -> Self {
        let Some(accept) = headers
            .get(header::ACCEPT_ENCODING)
            .and_then(|value| value.to_str().ok())
        else {
            return Self::Identity;
        };
        let takes = |name: &str| {
            accept.split(',').any(|part| {
                let mut pieces = part.split(';').map(str::trim);
                pieces.next() == Some(name)
                    && !pieces.any(|piece| matches!(piece, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
            })
        };
        if takes("br") {
            Self::Brotli
        } else if takes("gzip") {
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
            Self::Brotli => {
                let mut packed = Vec::with_capacity(text.len() / 4);
                let params = brotli::enc::BrotliEncoderParams {
                    quality: i32::try_from(effort.min(11)).unwrap_or(11),
                    lgwin: 19,
                    size_hint: text.len(),
                    ..Default::default()
                };
                brotli::BrotliCompress(&mut &text[..], &mut packed, &params).ok()?;
                Some(packed)
            }
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

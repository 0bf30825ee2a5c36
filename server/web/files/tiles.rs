//! Tiles of the map from our own origin, so that no map service learns where a guest looks (S-24).
//!
//! An address holds three plain numbers and nothing else; where tiles come from is a setting. What comes is a picture of
//! a known kind and a bounded size, or it is no tile.

use std::{sync::Arc, time::Duration};

use axum::{
    body::{Body, Bytes},
    http::{HeaderValue, Response, StatusCode, header},
};
use moka::future::Cache;
use tokio::sync::Semaphore;

use crate::web::rate::{AddressAllowance, too_many};

/// Greatest zoom of web maps that the product offers.
const DEEPEST: u32 = 19;
/// A tile of 256 pixels is a tenth of it.
const MAX_BYTES: usize = 512 << 10;
const MEMORY: u64 = 32 << 20;
/// The source may draw a tile anew after so long.
const MAX_AGE: Duration = Duration::from_secs(24 * 3600);
const DEADLINE: Duration = Duration::from_secs(5);
/// Tiles fetched at once: a map service must not be flooded through us.
const AT_ONCE: usize = 16;
const KINDS: [&str; 4] = ["image/png", "image/jpeg", "image/webp", "image/svg+xml"];
/// An SVG that is opened by its address runs no script in our origin.
const POLICY: HeaderValue =
    HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; sandbox");

/// The tile service; cloning shares it.
#[derive(Clone)]
pub struct Tiles {
    source: Arc<str>,
    http: reqwest::Client,
    cache: Cache<Tile, (HeaderValue, Bytes)>,
    fetching: Arc<Semaphore>,
}

/// One square of the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tile {
    z: u32,
    x: u32,
    y: u32,
}

#[derive(Debug, Clone, Copy, thiserror::Error)]
enum Error {
    #[error("the map's source does not answer")]
    Fetch,
    #[error("the map's source answers something that is no tile")]
    Kind,
}

impl Tile {
    /// The whole world on one.
    pub const WORLD: Self = Self { z: 0, x: 0, y: 0 };

    /// Reads the parts of a path: canonical numbers of a square that exists.
    #[must_use]
    pub fn of(z: &str, x: &str, y: &str) -> Option<Self> {
        let number = |text: &str| {
            let number: u32 = text.parse().ok()?;
            (number.to_string() == text).then_some(number)
        };
        let (z, x, y) = (number(z)?, number(x)?, number(y)?);
        let side = (z <= DEEPEST).then(|| 1_u32 << z)?;
        (x < side && y < side).then_some(Self { z, x, y })
    }

    /// Its address at a source with `{z}`, `{x}` and `{y}`.
    #[must_use]
    pub fn address(self, source: &str) -> String {
        source
            .replace("{z}", &self.z.to_string())
            .replace("{x}", &self.x.to_string())
            .replace("{y}", &self.y.to_string())
    }
}

impl Tiles {
    /// `source` is the address of tiles with `{z}`, `{x}` and `{y}`.
    ///
    /// # Errors
    /// When the HTTP client can't be made.
    pub fn new(source: &str) -> Result<Self, reqwest::Error> {
        let http = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .timeout(DEADLINE)
            .user_agent(concat!("dastarkhan/", env!("CARGO_PKG_VERSION")))
            .no_proxy()
            .build()?;
        Ok(Self {
            source: source.into(),
            http,
            cache: Cache::builder()
                .max_capacity(MEMORY)
                .time_to_live(MAX_AGE)
                .weigher(|_, (_, bytes): &(HeaderValue, Bytes)| {
                    u32::try_from(bytes.len()).unwrap_or(u32::MAX)
                })
                .build(),
            fetching: Arc::new(Semaphore::new(AT_ONCE)),
        })
    }

    /// Answers `GET /tiles/{z}/{x}/{y}`. What is kept costs an address nothing.
    pub async fn answer(
        &self,
        (z, x, y): (&str, &str, &str),
        allowance: &AddressAllowance,
    ) -> Response<Body> {
        let mut response = Response::new(Body::empty());
        response
            .headers_mut()
            .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        let Some(tile) = Tile::of(z, x, y) else {
            *response.status_mut() = StatusCode::NOT_FOUND;
            return response;
        };
        if !self.cache.contains_key(&tile)
            && let Err(wait) = allowance.take_tile().await
        {
            return too_many(wait);
        }
        match self.cache.try_get_with(tile, self.fetch(tile)).await {
            Ok((kind, bytes)) => {
                let headers = response.headers_mut();
                headers.insert(header::CONTENT_TYPE, kind);
                headers.insert(header::CONTENT_SECURITY_POLICY, POLICY);
                headers.insert(
                    header::CACHE_CONTROL,
                    HeaderValue::from_static("public, max-age=604800, immutable"),
                );
                *response.body_mut() = Body::from(bytes);
            }
            Err(error) => {
                tracing::debug!(%error, "A tile could not be served");
                *response.status_mut() = StatusCode::BAD_GATEWAY;
            }
        }
        response
    }

    async fn fetch(&self, tile: Tile) -> Result<(HeaderValue, Bytes), Error> {
        let _permit = self.fetching.acquire().await.map_err(|_| Error::Fetch)?;
        let mut answer = self
            .http
            .get(tile.address(&self.source))
            .send()
            .await
            .map_err(|_| Error::Fetch)?;
        if answer.status() != StatusCode::OK {
            return Err(Error::Fetch);
        }
        let kind = answer
            .headers()
            .get(header::CONTENT_TYPE)
            .and_then(|kind| kind.to_str().ok())
            .and_then(|kind| kind.split(';').next())
            .and_then(|kind| KINDS.into_iter().find(|known| *known == kind.trim()))
            .ok_or(Error::Kind)?;
        let mut bytes = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(|_| Error::Fetch)? {
            if bytes.len() + chunk.len() > MAX_BYTES {
                return Err(Error::Kind);
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok((HeaderValue::from_static(kind), bytes.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::Tile;

    #[test]
    fn an_address_holds_three_plain_numbers_of_a_square_that_exists() {
        assert!(Tile::of("0", "0", "0").is_some());
        assert!(Tile::of("19", "524287", "0").is_some());
        for (z, x, y) in [
            ("19", "524288", "0"),
            ("20", "0", "0"),
            ("32", "0", "0"),
            ("1", "2", "0"),
            ("1", "-1", "0"),
            ("1", "+1", "0"),
            ("01", "0", "0"),
            ("1", "0", "0.svg"),
            ("1", "0", "../0"),
            ("", "0", "0"),
        ] {
            assert!(Tile::of(z, x, y).is_none(), "{z}/{x}/{y}");
        }
    }
}

//! Photos in the sizes that pages ask for: fetched from the product's storage host, resized, WebP quality 70, kept.
//!
//! An address names a width of the list and a path below the storage host's folder, nothing else: no host, no scheme,
//! no free size. What can't be read is a 404 with a placeholder's colour left to the page.

use std::{
    io::Cursor,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use axum::{
    body::{Body, Bytes},
    http::{HeaderValue, Response, StatusCode, header},
};
use fast_image_resize::{ResizeOptions, Resizer};
use image::{DynamicImage, ImageReader, Limits};
use moka::future::Cache;
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;

/// Widths in pixels that pages may ask for.
const WIDTHS: [u32; 7] = [96, 192, 288, 360, 540, 720, 1080];
/// Photos larger than this are not read (S-14).
const MAX_BYTES: usize = 10 << 20;
const MAX_SIDE: u32 = 4096;
const MEMORY: u64 = 32 << 20;
const QUALITY: f32 = 70.0;
const DEADLINE: Duration = Duration::from_secs(5);

/// The image service; cloning shares it.
#[derive(Clone)]
pub struct Images {
    storage: Arc<str>,
    http: reqwest::Client,
    kept: Cache<(u32, String), Bytes>,
    folder: Arc<PathBuf>,
    work: Arc<Semaphore>,
}

/// Why there is no picture.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// The width is not on the list or the path is none.
    #[error("no such picture address")]
    Address,
    /// The storage host does not answer or has no such file.
    #[error("the picture can't be fetched")]
    Fetch,
    /// Not a picture, or too large.
    #[error("the picture can't be read")]
    Decode,
}

impl Images {
    /// `upstream` is the address whose `/files/` folder holds the pictures; resized ones are kept below `state`.
    ///
    /// # Errors
    /// When the HTTP client can't be made.
    pub fn new(upstream: &str, state: &Path) -> Result<Self, reqwest::Error> {
        let http = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .timeout(DEADLINE)
            .no_proxy()
            .build()?;
        Ok(Self {
            storage: format!("{}/files/", upstream.trim_end_matches('/')).into(),
            http,
            kept: Cache::builder()
                .max_capacity(MEMORY)
                .weigher(|_, bytes: &Bytes| u32::try_from(bytes.len()).unwrap_or(u32::MAX))
                .build(),
            folder: Arc::new(state.join("images")),
            work: Arc::new(Semaphore::new(2)),
        })
    }

    /// The page's address of a picture, with `{w}` for the width; none for pictures of other hosts.
    #[must_use]
    pub fn address(&self, url: &str) -> Option<String> {
        let path = url
            .strip_prefix(&*self.storage)
            .filter(|path| is_path(path))?;
        Some(format!("/img/{{w}}/{path}"))
    }

    /// Answers `GET /img/{width}/{path}`.
    pub async fn answer(&self, width: u32, path: &str) -> Response<Body> {
        let mut response = Response::new(Body::empty());
        match self.picture(width, path).await {
            Ok(bytes) => {
                let headers = response.headers_mut();
                headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("image/webp"));
                headers.insert(
                    header::CACHE_CONTROL,
                    HeaderValue::from_static("public, max-age=604800"),
                );
                *response.body_mut() = Body::from(bytes);
            }
            Err(error) => {
                tracing::debug!(%error, "A picture could not be served");
                *response.status_mut() = StatusCode::NOT_FOUND;
                response
                    .headers_mut()
                    .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
            }
        }
        response
    }

    async fn picture(&self, width: u32, path: &str) -> Result<Bytes, Arc<Error>> {
        if !WIDTHS.contains(&width) || !is_path(path) {
            return Err(Arc::new(Error::Address));
        }
        let key = (width, path.to_owned());
        self.kept
            .try_get_with(key, self.make(width, path.to_owned()))
            .await
    }

    async fn make(&self, width: u32, path: String) -> Result<Bytes, Error> {
        let digest = Sha256::digest(format!("{}{path}", self.storage).as_bytes());
        let name: String = digest
            .iter()
            .take(16)
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let file = self.folder.join(format!("{width}-{name}.webp"));
        if let Ok(bytes) = tokio::fs::read(&file).await {
            return Ok(bytes.into());
        }
        let original = self.fetch(&path).await?;
        let _permit = self.work.acquire().await.map_err(|_| Error::Fetch)?;
        let small = tokio::task::spawn_blocking(move || resized(&original, width))
            .await
            .map_err(|_| Error::Decode)??;
        // A full disk costs the cache, not the picture.
        let part = file.with_extension("part");
        if tokio::fs::create_dir_all(&*self.folder).await.is_ok()
            && tokio::fs::write(&part, &small).await.is_ok()
        {
            let _ = tokio::fs::rename(&part, &file).await;
        }
        Ok(small.into())
    }

    async fn fetch(&self, path: &str) -> Result<Vec<u8>, Error> {
        let mut answer = self
            .http
            .get(format!("{}{path}", self.storage))
            .send()
            .await
            .map_err(|_| Error::Fetch)?;
        if !answer.status().is_success() {
            return Err(Error::Fetch);
        }
        let mut bytes = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(|_| Error::Fetch)? {
            if bytes.len() + chunk.len() > MAX_BYTES {
                return Err(Error::Decode);
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    }
}

/// Segments of letters, digits, dots, dashes and underscores; none begins with a dot.
fn is_path(path: &str) -> bool {
    path.len() <= 200
        && path.split('/').all(|part| {
            !part.is_empty()
                && !part.starts_with('.')
                && part
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
        })
}

fn resized(original: &[u8], width: u32) -> Result<Vec<u8>, Error> {
    let mut reader = ImageReader::new(Cursor::new(original))
        .with_guessed_format()
        .map_err(|_| Error::Decode)?;
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(64 << 20);
    reader.limits(limits);
    let picture = DynamicImage::ImageRgb8(reader.decode().map_err(|_| Error::Decode)?.into_rgb8());
    let (from_width, from_height) = (picture.width().max(1), picture.height());
    let width = width.min(from_width);
    let height = (u64::from(from_height) * u64::from(width) / u64::from(from_width)).max(1);
    let mut small =
        DynamicImage::new_rgb8(width, u32::try_from(height).map_err(|_| Error::Decode)?);
    Resizer::new()
        .resize(&picture, &mut small, &ResizeOptions::new())
        .map_err(|_| Error::Decode)?;
    let encoder = webp::Encoder::from_image(&small).map_err(|_| Error::Decode)?;
    Ok(encoder.encode(QUALITY).to_vec())
}

#[cfg(test)]
mod tests {
    use super::is_path;

    #[test]
    fn only_plain_paths_below_the_storage_folder_are_addresses() {
        assert!(is_path("dishes/551.webp"));
        for bad in [
            "../x",
            "a//b",
            "/etc",
            "a/..",
            "a/.b",
            "http://e/x",
            "a%2fb",
            "",
            "a\\b",
            "a?b",
        ] {
            assert!(!is_path(bad), "{bad}");
        }
    }
}

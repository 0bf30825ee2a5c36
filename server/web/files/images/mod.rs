//! Photos in the sizes that pages ask for: fetched from the product's storage, resized, WebP quality 70, kept (MN-13).
//!
//! An address is `/img/{size}/{signature}/{path}`: one of the fixed sizes, this server's signature of the original's
//! whole address, and the path below a storage folder. The signature is the same for every size, so that pages carry
//! one address with `{w}` in it; it does not name the host, whose folder is found by it. Made-up addresses get
//! nothing, at five letters an address. What can't be had is a 404 and the page shows its placeholder.

mod disk;
mod size;
mod storage;

use std::{path::Path, sync::Arc, time::Duration};

use axum::{
    body::{Body, Bytes},
    http::{HeaderValue, Response, StatusCode, Uri, header},
};
use moka::future::Cache;
use tokio::sync::{Semaphore, SemaphorePermit};

pub use self::storage::BadStorage;
use self::{disk::Disk, size::Size, storage::Storage};
use crate::keys::{seal::Keys, sign::Signer};

/// Bytes of ready pictures in memory.
const MEMORY: u64 = 32 << 20;
/// Picture addresses in memory, a quarter of a kilobyte each.
const ADDRESSES: u64 = 20_000;
/// Originals that are fetched at once, and pictures that are made at once.
const FETCHES: usize = 16;
const MAKERS: usize = 2;
/// Of them those that make guests' own pictures, which may be the largest: menus have theirs meanwhile.
const AVATARS: usize = 1;
/// Small ones beside them, which are made in no time: they wait for no others, and none wait for them.
const SMALL_AVATARS: usize = 1;
/// Pixels of a small one. Browsers with scripts send none that is larger.
const SMALL: u64 = 1_500_000;
/// Guests whose own pictures are being made, and for how long the last of them are known.
const GUESTS: u64 = 10_000;
const GUEST: Duration = Duration::from_mins(1);
/// At most so long a picture waits for others to be fetched.
const PLACE: Duration = Duration::from_secs(4);
/// How long a picture that could not be fetched is not tried again.
const GIVEN_UP: Duration = Duration::from_secs(10);
/// Letters of a signature: 30 bits. Guessing one takes half a thousand million requests and shows one more picture of
/// the product's own storage in a size that pages use; menus carry hundreds of these, and nothing packs
/// them.
const SIGNATURE: usize = 5;
const PURPOSE: &str = "picture address";
/// As long as the disk keeps it. The address stands for these bytes: no browser needs to ask again.
const CACHED: &str = "public, max-age=2592000, immutable";

/// Settings of the image service.
#[derive(Debug, Clone, Copy)]
pub struct Options<'a> {
    /// Address of the business APIs, whose `/files/` folder holds the pictures when no storage is named.
    pub upstream: &'a str,
    /// Storage folders.
    pub storage: &'a [String],
    /// Origins whose pictures browsers load as they are.
    pub origins: &'a [String],
    /// The state folder.
    pub state: &'a Path,
    /// Bytes of resized pictures on disk.
    pub disk_bytes: u64,
}

/// The image service; cloning shares it.
#[derive(Clone)]
pub struct Images(Arc<Inner>);

struct Inner {
    storage: Storage,
    signer: Signer,
    origins: Vec<String>,
    /// What was worked out of addresses: every row of every menu asks, and the signature is a digest.
    addresses: moka::sync::Cache<String, Option<String>>,
    ready: Cache<(Size, String), Bytes>,
    given_up: Cache<String, Arc<Error>>,
    disk: Disk,
    fetches: Semaphore,
    makers: Semaphore,
    avatars: Semaphore,
    small_avatars: Semaphore,
    /// Each guest has one made at a time: what one sends twice keeps the others waiting once.
    guests: moka::sync::Cache<u64, Arc<Semaphore>>,
}

/// Why there is no picture.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// The size is not on the list, the path is invalid, or the signature is not ours.
    #[error("no such picture address")]
    Address,
    /// The storage has no such file.
    #[error("the picture can't be fetched")]
    Fetch,
    /// The storage does not answer, or with a failure of its own.
    #[error("the storage of pictures fails")]
    Storage,
    /// Too many others are fetched; it may well be there a moment later.
    #[error("too many pictures are fetched")]
    Busy,
    /// Not a picture, or too large.
    #[error("the picture can't be read")]
    Decode,
    /// A guest's own picture has more than this many million pixels.
    #[error("the picture has too many pixels")]
    Pixels(u64),
    /// A guest's own picture has more than this many megabytes for its kind.
    #[error("the picture has too many bytes")]
    Heavy(u64),
}

impl Images {
    /// Starts the service.
    ///
    /// # Errors
    /// When a storage folder is not written like one, or the HTTP client can't be made.
    pub fn new(keys: &Keys, options: Options<'_>) -> Result<Self, BadStorage> {
        Ok(Self(Arc::new(Inner {
            storage: Storage::new(options.upstream, options.storage)?,
            signer: Signer::new(keys, PURPOSE),
            origins: options
                .origins
                .iter()
                .filter_map(|origin| url::Url::parse(origin.trim()).ok())
                .map(|url| url.origin().ascii_serialization())
                .collect(),
            addresses: moka::sync::Cache::new(ADDRESSES),
            ready: Cache::builder()
                .max_capacity(MEMORY)
                .weigher(|_, bytes: &Bytes| u32::try_from(bytes.len()).unwrap_or(u32::MAX))
                .build(),
            given_up: Cache::builder()
                .max_capacity(10_000)
                .time_to_live(GIVEN_UP)
                .build(),
            disk: Disk::open(options.state.join("images"), options.disk_bytes),
            fetches: Semaphore::new(FETCHES),
            makers: Semaphore::new(MAKERS),
            avatars: Semaphore::new(AVATARS),
            small_avatars: Semaphore::new(SMALL_AVATARS),
            guests: moka::sync::Cache::builder()
                .max_capacity(GUESTS)
                .time_to_idle(GUEST)
                .build(),
        })))
    }

    /// Storage folders that can't be reached, and why.
    pub async fn unreachable(&self) -> Vec<(String, String)> {
        self.0.storage.unreachable().await
    }

    /// The page's address of a picture, with `{w}` for the size; the picture's own address when it lies elsewhere and
    /// this deployment lets browsers load it from there; otherwise none.
    #[must_use]
    pub fn address(&self, url: &str) -> Option<String> {
        if let Some(known) = self.0.addresses.get(url) {
            return known;
        }
        let address = self.address_of(url);
        self.0.addresses.insert(url.to_owned(), address.clone());
        address
    }

    fn address_of(&self, url: &str) -> Option<String> {
        if let Some((folder, rest)) = self.0.storage.find(url) {
            let message = [folder.as_bytes(), rest.as_bytes()];
            let signature = self.0.signer.sign::<SIGNATURE>(&message);
            return Some(format!("/img/{{w}}/{signature}/{rest}"));
        }
        let foreign = url::Url::parse(url).ok()?;
        let origin = foreign.origin().ascii_serialization();
        // A brace would be taken for a place of the width, a space would end an address of a list.
        (self.0.origins.contains(&origin) && !foreign.as_str().contains(['{', ' ', ',']))
            .then(|| foreign.into())
    }

    /// Answers `GET /img/{size}/{signature}/{path}`.
    pub async fn answer(&self, uri: &Uri) -> Response<Body> {
        let mut response = Response::new(Body::empty());
        match self.picture(uri).await {
            Ok((size, bytes)) => {
                let headers = response.headers_mut();
                headers.insert(
                    header::CONTENT_TYPE,
                    HeaderValue::from_static(size.content_type()),
                );
                headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(CACHED));
                *response.body_mut() = Body::from(bytes);
            }
            Err(error) => {
                tracing::debug!(%error, "A picture could not be served");
                *response.status_mut() = match *error {
                    Error::Storage | Error::Busy => StatusCode::BAD_GATEWAY,
                    _ => StatusCode::NOT_FOUND,
                };
                response
                    .headers_mut()
                    .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
            }
        }
        response
    }

    /// A guest's own picture as it is sent to the upstream: a small square JPEG, upright, with nothing that came along
    /// with it. `guest` names the account, if it is known.
    ///
    /// # Errors
    /// [`Error::Pixels`] or [`Error::Heavy`] when it would take too long, another one when it can't be read.
    pub async fn avatar(&self, guest: Option<u64>, original: Bytes) -> Result<Vec<u8>, Error> {
        let head = original.clone();
        let pixels = tokio::task::spawn_blocking(move || size::pixels(&head))
            .await
            .map_err(|_| Error::Decode)??;
        let places = guest.map(|guest| {
            let places = || Arc::new(Semaphore::new(1));
            self.0.guests.get_with(guest, places)
        });
        let _own = match &places {
            Some(places) => places.acquire().await.ok(),
            None => None,
        };
        let is_small = pixels <= SMALL;
        let row = if is_small {
            &self.0.small_avatars
        } else {
            &self.0.avatars
        };
        let _place = row.acquire().await.map_err(|_| Error::Fetch)?;
        let _permit = match is_small {
            true => None,
            false => Some(self.0.makers.acquire().await.map_err(|_| Error::Fetch)?),
        };
        tokio::task::spawn_blocking(move || size::avatar(&original))
            .await
            .map_err(|_| Error::Decode)?
    }

    /// A picture of one guest, in the size of an avatar, kept nowhere.
    ///
    /// # Errors
    /// When it lies in no storage folder, can't be fetched or read.
    pub async fn personal(&self, url: &str) -> Result<Bytes, Error> {
        let (folder, rest) = self.0.storage.find(url).ok_or(Error::Address)?;
        let original = {
            let _place = self.place().await?;
            self.0.storage.fetch(folder, rest).await?
        };
        let _permit = self.0.makers.acquire().await.map_err(|_| Error::Fetch)?;
        let small = tokio::task::spawn_blocking(move || size::resized(&original, size::PERSONAL))
            .await
            .map_err(|_| Error::Decode)??;
        Ok(small.into())
    }

    async fn picture(&self, uri: &Uri) -> Result<(Size, Bytes), Arc<Error>> {
        let address = uri.path_and_query().map_or("", |address| address.as_str());
        let (size, folder, rest) = self.read(address).ok_or(Error::Address)?;
        let url = format!("{folder}{rest}");
        if let Some(error) = self.0.given_up.get(&url).await {
            return Err(error);
        }
        // Other requests for the same picture wait for this one.
        let resized = self
            .0
            .ready
            .try_get_with((size, url.clone()), self.make(size, folder, rest))
            .await;
        if let Err(error) = &resized
            && matches!(**error, Error::Fetch | Error::Storage | Error::Decode)
        {
            self.0.given_up.insert(url, error.clone()).await;
        }
        Ok((size, resized?))
    }

    /// Size, folder and path of an address that this server made.
    fn read<'a>(&self, address: &'a str) -> Option<(Size, &str, &'a str)> {
        let (size, rest) = address.strip_prefix("/img/")?.split_once('/')?;
        let (signature, rest) = rest.split_once('/')?;
        let size = Size::of(size)?;
        if !storage::is_path(rest) {
            return None;
        }
        let folder = self.0.storage.folders().find(|folder| {
            let message = [folder.as_bytes(), rest.as_bytes()];
            self.0.signer.is_signed::<SIGNATURE>(&message, signature)
        })?;
        Some((size, folder, rest))
    }

    /// Leave to fetch an original. Behind a storage that hangs a browser's connections, which its orders need, are not held
    /// for long.
    async fn place(&self) -> Result<SemaphorePermit<'_>, Error> {
        let place = tokio::time::timeout(PLACE, self.0.fetches.acquire()).await;
        place.ok().and_then(Result::ok).ok_or(Error::Busy)
    }

    async fn make(&self, size: Size, folder: &str, rest: &str) -> Result<Bytes, Error> {
        let known = self.0.storage.cached_as(folder).ok_or(Error::Address)?;
        let name = Disk::name(&size.name(), &format!("{known}{rest}"));
        if let Some(bytes) = self.0.disk.read(&name).await {
            return Ok(bytes);
        }
        let original = {
            let _place = self.place().await?;
            self.0.storage.fetch(folder, rest).await?
        };
        let small = {
            let _permit = self.0.makers.acquire().await.map_err(|_| Error::Fetch)?;
            tokio::task::spawn_blocking(move || size::resized(&original, size))
                .await
                .map_err(|_| Error::Decode)??
        };
        self.0.disk.keep(&name, &small).await;
        Ok(small.into())
    }
}

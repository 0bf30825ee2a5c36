//! The browser bundle and static files: embedded, precompressed, immutable where the name holds a hash.
//!
//! Older builds stay served: each start leaves its hashed files under the state folder, and the files of the
//! two builds before are answered from there.

use std::{
    collections::HashMap,
    fs::TryLockError,
    path::{Path, PathBuf},
    sync::{Arc, PoisonError, RwLock},
    time::SystemTime,
};

use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, Response, StatusCode, header},
};
use serde::Deserialize;

use super::dictionary::{self, Deltas};
use crate::web::encoding::{
    Encoding,
    etag::{self, Tags},
    opening::PackedOpening,
};

/// A build inside the binary. The crate in `components` makes it, and the command hands it over: the server does not
/// depend on it, so that a changed script compiles nothing of the server again.
#[derive(Debug)]
pub struct Embedded {
    /// The script that renders pages in V8.
    pub server: &'static str,
    /// The bundler's manifest, as JSON.
    pub manifest: &'static str,
    /// Files for browsers.
    pub files: &'static [EmbeddedFile],
}

/// A file for browsers.
#[derive(Debug)]
pub struct EmbeddedFile {
    /// Path below `/assets/`.
    pub name: &'static str,
    /// As it is.
    pub plain: &'static [u8],
    /// Packed with brotli, where that is smaller.
    pub br: Option<&'static [u8]>,
    /// Packed with gzip, where that is smaller.
    pub gz: Option<&'static [u8]>,
}

/// How many builds before this one keep their files.
const OLD_BUILDS: usize = 2;
/// Ends the name of a build's folder until all of its files are there.
const UNFINISHED: &str = "new";

/// What a route needs in the browser.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct RouteAssets {
    /// Script chunks in preload order.
    pub js: Vec<String>,
    /// Style sheets for client navigations.
    pub css: Vec<String>,
    /// Styles to inline into the first document.
    pub critical: String,
    /// The begin of its documents, packed.
    pub opening: PackedOpening,
    /// File of the screen's own texts, by language.
    #[serde(default)]
    pub texts: HashMap<String, String>,
}

/// The files of the build that is in use now; cloning shares it.
#[derive(Clone)]
pub struct InUse(Arc<RwLock<Arc<Assets>>>);

impl InUse {
    /// Begins with these.
    #[must_use]
    pub fn new(assets: Assets) -> Self {
        Self(Arc::new(RwLock::new(Arc::new(assets))))
    }

    /// What is in use.
    #[must_use]
    pub fn get(&self) -> Arc<Assets> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Moves to the files of another build.
    pub fn replace(&self, assets: Assets) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(assets);
    }
}

/// The bundler's manifest.
#[derive(Debug, Clone, Deserialize)]
pub struct Manifest {
    /// Hash over the whole build.
    pub build: String,
    /// Entry script.
    pub entry: String,
    /// By route id.
    pub routes: HashMap<String, RouteAssets>,
    /// Message chunk by language.
    pub locales: HashMap<String, String>,
    /// Text of the inline early-tap script.
    pub early: String,
    /// Icon sprite.
    pub sprite: String,
}

/// A file that can't be served or loaded.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The manifest does not parse.
    #[error("the asset manifest is broken: {0}")]
    Manifest(#[from] serde_json::Error),
    /// A bundle folder can't be read.
    #[error("the bundle in {0} can't be read: {1}")]
    Folder(PathBuf, std::io::Error),
}

#[derive(Clone)]
enum Bytes {
    Fixed(&'static [u8]),
    Owned(Arc<[u8]>),
}

impl Bytes {
    fn body(&self) -> Body {
        match self {
            Self::Fixed(bytes) => Body::from(*bytes),
            Self::Owned(bytes) => Body::from(axum::body::Bytes::copy_from_slice(bytes)),
        }
    }

    fn as_slice(&self) -> &[u8] {
        match self {
            Self::Fixed(bytes) => bytes,
            Self::Owned(bytes) => bytes,
        }
    }
}

struct File {
    plain: Bytes,
    br: Option<Bytes>,
    gz: Option<Bytes>,
    tags: Tags,
}

/// All files of one build, and those of the builds before it.
pub struct Assets {
    manifest: Manifest,
    bundle: Arc<str>,
    files: HashMap<String, File>,
    old: PathBuf,
    deltas: Deltas,
}

impl Assets {
    /// The build inside the binary. `state` is the folder in which older builds are kept.
    ///
    /// # Errors
    /// When the embedded manifest does not parse.
    pub fn embedded(build: &Embedded, state: &Path) -> Result<Self, Error> {
        let files = build
            .files
            .iter()
            .map(|file| {
                let loaded = File {
                    plain: Bytes::Fixed(file.plain),
                    br: file.br.map(Bytes::Fixed),
                    gz: file.gz.map(Bytes::Fixed),
                    tags: Tags::of(file.plain),
                };
                (file.name.to_owned(), loaded)
            })
            .collect();
        let manifest: Manifest = serde_json::from_str(build.manifest)?;
        let assets = Self {
            manifest,
            bundle: build.server.into(),
            files,
            old: state.join("builds"),
            deltas: Deltas::new(state.join("builds")),
        };
        assets.keep();
        Ok(assets)
    }

    /// A build in a folder, as `build.mjs --out` left it (`make dev`).
    ///
    /// # Errors
    /// When the folder is not a complete build.
    pub fn from_folder(folder: &Path, state: &Path) -> Result<Self, Error> {
        let read = |path: PathBuf| std::fs::read(&path).map_err(|error| Error::Folder(path, error));
        let manifest: Manifest = serde_json::from_slice(&read(folder.join("manifest.json"))?)?;
        let bundle = String::from_utf8_lossy(&read(folder.join("server.js"))?).into();
        let public = folder.join("public");
        let mut files = HashMap::new();
        let mut folders = vec![public.clone()];
        while let Some(next) = folders.pop() {
            let entries =
                std::fs::read_dir(&next).map_err(|error| Error::Folder(next.clone(), error))?;
            for path in entries.flatten().map(|entry| entry.path()) {
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let Some(name) = path.strip_prefix(&public).ok().and_then(Path::to_str) else {
                    continue;
                };
                let plain = read(path.clone())?;
                let tags = Tags::of(&plain);
                files.insert(
                    name.to_owned(),
                    File {
                        plain: Bytes::Owned(plain.into()),
                        br: None,
                        gz: None,
                        tags,
                    },
                );
            }
        }
        Ok(Self {
            manifest,
            bundle,
            files,
            old: state.join("builds"),
            deltas: Deltas::new(state.join("builds")),
        })
    }

    /// The manifest of this build.
    #[must_use]
    pub const fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Text of the server bundle.
    #[must_use]
    pub fn bundle(&self) -> Arc<str> {
        Arc::clone(&self.bundle)
    }

    /// Answers `GET /assets/{name}`: hashed names, kept for ever by the browser; of scripts only what is new to a
    /// browser that has an older one.
    pub async fn hashed(&self, name: &str, headers: &HeaderMap) -> Option<Response<Body>> {
        const FOREVER: HeaderValue =
            HeaderValue::from_static("public, max-age=31536000, immutable");
        let old;
        let file = match self.files.get(name) {
            Some(file) => file,
            None => {
                old = self.old_file(name)?;
                &old
            }
        };
        let plain = file.plain.as_slice();
        let Some(offer) = dictionary::offer(name, plain.len()) else {
            return Some(answer(name, file, headers, FOREVER));
        };
        let mut response = match self.deltas.find(name, plain, headers).await {
            Some(delta) => difference(name, delta, headers, FOREVER),
            None => answer(name, file, headers, FOREVER),
        };
        let out = response.headers_mut();
        out.insert(dictionary::USE_AS_DICTIONARY, offer);
        out.insert(header::VARY, dictionary::VARY);
        Some(response)
    }

    /// Answers a file with a fixed name, such as `favicon.ico`: revalidated after an hour.
    #[must_use]
    pub fn fixed(&self, name: &str, headers: &HeaderMap) -> Option<Response<Body>> {
        let file = self.files.get(&format!("static/{name}"))?;
        Some(answer(
            name,
            file,
            headers,
            HeaderValue::from_static("public, max-age=3600"),
        ))
    }

    /// Leaves the hashed files for later builds and forgets builds that are too old. A full disk is no reason to stop.
    fn keep(&self) {
        let own = self.old.join(&self.manifest.build);
        let Some(_lock) = lock_builds(&self.old) else {
            return;
        };
        for folder in folders(&self.old).filter(|folder| is_unfinished(folder)) {
            let _ = std::fs::remove_dir_all(folder);
        }
        if self.is_whole(&own) {
            // Builds go by the age of their folder, and one that was gone back to is the newest again.
            #[expect(
                clippy::disallowed_methods,
                reason = "files are as old as the system's time says, which no test sets"
            )]
            let now = SystemTime::now();
            let renewed = std::fs::File::open(&own).and_then(|own| own.set_modified(now));
            if let Err(error) = renewed {
                tracing::warn!(%error, "The files of this build may be forgotten too early");
            }
            return;
        }
        // In the same folder, as that may be a disk of its own.
        let unfinished = self
            .old
            .join(format!("{}.{UNFINISHED}", self.manifest.build));
        if let Err(error) = self.write(&unfinished, &own) {
            let _ = std::fs::remove_dir_all(&unfinished);
            tracing::warn!(%error, "The files of this build could not be kept for later builds");
            return;
        }
        let mut builds: Vec<_> = folders(&self.old)
            .filter_map(|build| Some((build.metadata().ok()?.modified().ok()?, build)))
            .collect();
        builds.sort();
        let surplus = builds.len().saturating_sub(OLD_BUILDS + 1);
        for (_, path) in builds.into_iter().take(surplus) {
            // A build that can't be removed now is removed at the next start.
            let _ = std::fs::remove_dir_all(path);
        }
    }

    fn hashed_files(&self) -> impl Iterator<Item = (&String, &[u8])> {
        let hashed = self.files.iter().filter(|(name, _)| !name.contains('/'));
        hashed.map(|(name, file)| (name, file.plain.as_slice()))
    }

    /// A power loss, or a program of before that was killed, may have left files that are too short.
    fn is_whole(&self, folder: &Path) -> bool {
        self.hashed_files().all(|(name, bytes)| {
            std::fs::metadata(folder.join(name))
                .is_ok_and(|found| usize::try_from(found.len()) == Ok(bytes.len()))
        })
    }

    /// Writes them all before `folder` has its name.
    fn write(&self, unfinished: &Path, folder: &Path) -> std::io::Result<()> {
        std::fs::create_dir(unfinished)?;
        for (name, bytes) in self.hashed_files() {
            std::fs::write(unfinished.join(name), bytes)?;
        }
        if folder.is_dir() {
            std::fs::remove_dir_all(folder)?;
        }
        std::fs::rename(unfinished, folder)
    }

    fn old_file(&self, name: &str) -> Option<File> {
        let plain = name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
            && !name.starts_with('.');
        if !plain {
            return None;
        }
        let bytes = folders(&self.old)
            .filter(|build| !is_unfinished(build))
            .find_map(|build| std::fs::read(build.join(name)).ok())?;
        let tags = Tags::of(&bytes);
        Some(File {
            plain: Bytes::Owned(bytes.into()),
            br: None,
            gz: None,
            tags,
        })
    }
}

fn folders(builds: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = std::fs::read_dir(builds).into_iter().flatten().flatten();
    entries.map(|entry| entry.path())
}

/// Its files are not served: browsers would keep half a file for ever.
fn is_unfinished(build: &Path) -> bool {
    build.extension().is_some_and(|ending| ending == UNFINISHED)
}

/// Makes the folder of builds and keeps other processes out of it until the answer is dropped. None where it can't be
/// made, or another one starts there at this moment: that one's files matter more than waiting for it.
fn lock_builds(builds: &Path) -> Option<std::fs::File> {
    std::fs::create_dir_all(builds).ok()?;
    let folder = std::fs::File::open(builds).ok()?;
    match folder.try_lock() {
        Err(TryLockError::WouldBlock) => None,
        // Not every file system has locks.
        Ok(()) | Err(TryLockError::Error(_)) => Some(folder),
    }
}

fn answer(name: &str, file: &File, headers: &HeaderMap, cache: HeaderValue) -> Response<Body> {
    let (bytes, encoding) = match (Encoding::best(headers), &file.br, &file.gz) {
        (Encoding::Brotli, Some(br), _) => (br, Some(Encoding::Brotli)),
        (Encoding::Brotli | Encoding::Gzip, _, Some(gz)) => (gz, Some(Encoding::Gzip)),
        _ => (&file.plain, None),
    };
    let tag = file.tags.tag(encoding.unwrap_or(Encoding::Identity));
    let coded = Coded {
        name: encoding.map(Encoding::name),
        tag,
    };
    respond(name, bytes.body(), &coded, headers, cache)
}

/// The file as its difference to the dictionary that the browser has.
fn difference(
    name: &str,
    delta: axum::body::Bytes,
    headers: &HeaderMap,
    cache: HeaderValue,
) -> Response<Body> {
    let coded = Coded {
        name: Some(dictionary::ENCODING),
        tag: &dictionary::tag(&delta),
    };
    respond(name, Body::from(delta), &coded, headers, cache)
}

/// How bytes are encoded, and the tag of these bytes.
struct Coded<'a> {
    name: Option<&'static str>,
    tag: &'a HeaderValue,
}

fn respond(
    name: &str,
    body: Body,
    coded: &Coded<'_>,
    headers: &HeaderMap,
    cache: HeaderValue,
) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    let Coded {
        name: encoding,
        tag,
    } = *coded;
    let same = etag::is_known(headers, tag);
    let out = response.headers_mut();
    out.insert(header::CACHE_CONTROL, cache);
    out.insert(header::ETAG, tag.clone());
    out.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    out.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static(content_type(name)),
    );
    // A file loads nothing. The policy of pages would be longer than most chunks.
    out.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; script-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
        ),
    );
    if same {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        return response;
    }
    if let Some(encoding) = encoding {
        out.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    *response.body_mut() = body;
    response
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        // Modules are UTF-8 whatever is said, and there are some twenty on the way from a table to an order.
        Some("js") => "text/javascript",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json" | "map") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("png") => "image/png",
        Some("webp") => "image/webp",
        Some("ico") => "image/x-icon",
        Some("txt") => "text/plain; charset=utf-8",
        Some("woff2") => "font/woff2",
        // Compiled while it comes, which no other type allows.
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    }
}

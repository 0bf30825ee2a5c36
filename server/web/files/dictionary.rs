//! Compression dictionaries (RFC 9842): a browser with a script of an older build is sent the difference.
//!
//! Each large script says that it may serve as the dictionary of its successor, which has the same name but for the
//! hash. A browser that has kept one tells its SHA-256. Files of older builds lie in the state folder, so the
//! difference is made here, once, and kept. Browsers that know nothing of dictionaries ask and are answered as ever.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use axum::{
    body::Bytes,
    http::{HeaderMap, HeaderName, HeaderValue},
};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use moka::future::Cache;
use sha2::{Digest as _, Sha256};

use crate::web::encoding;

/// Says of an answer for which later requests it may be the dictionary.
pub const USE_AS_DICTIONARY: HeaderName = HeaderName::from_static("use-as-dictionary");
/// What answers of files with a dictionary depend on.
pub const VARY: HeaderValue = HeaderValue::from_static("accept-encoding, available-dictionary");
/// The content encoding: zstd with a dictionary.
pub const ENCODING: &str = "dcz";

const AVAILABLE_DICTIONARY: HeaderName = HeaderName::from_static("available-dictionary");
/// Smaller scripts, in bytes, are not worth the headers.
const SMALLEST: usize = 10 * 1024;
/// What `dcz` begins with: a skippable frame of zstd that holds the SHA-256 of the dictionary (RFC 9842, 5).
const MAGIC: [u8; 8] = [0x5e, 0x2a, 0x4d, 0x18, 0x20, 0x00, 0x00, 0x00];
/// Made once for each file and build before, so time matters little.
const EFFORT: i32 = 19;

type Digest = [u8; 32];

/// A script of an older build.
struct Dictionary {
    stem: String,
    path: PathBuf,
}

/// The differences between scripts of this build and those of the builds before it.
pub struct Deltas {
    builds: PathBuf,
    dictionaries: OnceLock<HashMap<Digest, Dictionary>>,
    cache: Cache<(String, Digest), Option<Bytes>>,
}

impl Deltas {
    /// `builds` is the folder in which each build left its files.
    #[must_use]
    pub fn new(builds: PathBuf) -> Self {
        Self {
            builds,
            dictionaries: OnceLock::new(),
            // A name, and the two builds before: far more than there are.
            cache: Cache::new(256),
        }
    }

    /// The file in the encoding `dcz`, if the browser takes that and has what the file was in an older build.
    pub async fn find(&self, name: &str, plain: &[u8], headers: &HeaderMap) -> Option<Bytes> {
        let wanted = available(headers)?;
        if !encoding::takes(headers, ENCODING) {
            return None;
        }
        let known = self.dictionaries.get_or_init(|| read(&self.builds));
        let dictionary = known.get(&wanted)?;
        if dictionary.stem != stem(name)? {
            return None;
        }
        let path = dictionary.path.clone();
        let plain: Arc<[u8]> = plain.into();
        self.cache
            .get_with((name.to_owned(), wanted), async move {
                tokio::task::spawn_blocking(move || pack(&plain, &wanted, &path))
                    .await
                    .ok()
                    .flatten()
            })
            .await
    }
}

/// For which requests a file may be the dictionary: those for the same name with another hash. None for files that are
/// not worth it.
#[must_use]
pub fn offer(name: &str, bytes: usize) -> Option<HeaderValue> {
    if bytes < SMALLEST {
        return None;
    }
    HeaderValue::from_str(&format!("match=\"/assets/{}-*.js\"", stem(name)?)).ok()
}

/// The name of a script without hash and ending.
fn stem(name: &str) -> Option<&str> {
    Some(name.strip_suffix(".js")?.rsplit_once('-')?.0)
}

/// The SHA-256 that the browser tells, a byte sequence of structured fields (RFC 9651).
fn available(headers: &HeaderMap) -> Option<Digest> {
    let value = headers.get(&AVAILABLE_DICTIONARY)?.to_str().ok()?.trim();
    let base64 = value.strip_prefix(':')?.strip_suffix(':')?;
    BASE64_STANDARD.decode(base64).ok()?.try_into().ok()
}

/// All scripts in the folder of builds that may be dictionaries.
fn read(builds: &Path) -> HashMap<Digest, Dictionary> {
    let mut found = HashMap::new();
    let entries = |folder: &Path| std::fs::read_dir(folder).into_iter().flatten().flatten();
    for file in entries(builds).flat_map(|build| entries(&build.path())) {
        let name = file.file_name();
        let Some(stem) = name.to_str().and_then(stem) else {
            continue;
        };
        let path = file.path();
        match std::fs::read(&path) {
            Ok(bytes) if bytes.len() >= SMALLEST => {
                let stem = stem.to_owned();
                found.insert(Sha256::digest(&bytes).into(), Dictionary { stem, path });
            }
            _ => {}
        }
    }
    found
}

/// The script as its difference to the dictionary. None when the dictionary's file has gone since.
fn pack(plain: &[u8], digest: &Digest, dictionary: &Path) -> Option<Bytes> {
    let dictionary = std::fs::read(dictionary).ok()?;
    let mut packer = zstd::bulk::Compressor::with_dictionary(EFFORT, &dictionary).ok()?;
    let packed = packer.compress(plain).ok()?;
    Some([MAGIC.as_slice(), digest, &packed].concat().into())
}

/// The entity tag of a difference.
#[must_use]
pub fn tag(delta: &[u8]) -> HeaderValue {
    let mut hex = hex::encode(Sha256::digest(delta));
    hex.truncate(16);
    HeaderValue::from_str(&format!("\"{hex}-{ENCODING}\""))
        .unwrap_or(HeaderValue::from_static("\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_the_dictionary_of_its_successors_alone() {
        assert_eq!(
            offer("chunk-ABC.js", SMALLEST).unwrap(),
            "match=\"/assets/chunk-*.js\""
        );
        assert_eq!(offer("chunk-ABC.js", SMALLEST - 1), None);
        assert_eq!(offer("chunk-ABC.css", SMALLEST), None);
        assert_eq!(offer("plain.js", SMALLEST), None);
    }

    #[test]
    fn what_is_no_digest_is_no_dictionary() {
        let digest_of = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(AVAILABLE_DICTIONARY, HeaderValue::from_str(value).unwrap());
            available(&headers)
        };
        let digest: Digest = Sha256::digest(b"kept").into();
        let base64 = BASE64_STANDARD.encode(digest);
        assert_eq!(digest_of(&format!(":{base64}:")), Some(digest));
        for wrong in [base64.as_str(), ":", "::", ":AAAA:", ":%%:", ""] {
            assert_eq!(digest_of(wrong), None, "{wrong}");
        }
    }
}

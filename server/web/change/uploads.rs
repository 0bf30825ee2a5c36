//! Files that a form carries (SC-08): read into memory, as long as the path allows, and told by their first bytes; what
//! a browser says of their name and kind counts for nothing. Nothing of them touches a disk.

use std::{sync::Arc, time::Duration};

use axum::body::{Body, Bytes};
use multer::{Constraints, Multipart, SizeLimit};
use tokio::sync::{Semaphore, SemaphorePermit};

use super::bad_form::BadForm;
use crate::web::limits::counts::{Counts, Permit};

/// How many forms with files are in memory at once; another one waits for its turn.
const AT_ONCE: usize = 6;
/// Of them those of one account, or of all guests together who have none.
const OWN_AT_ONCE: u32 = 2;
/// And no longer than this.
const TIMEOUT: Duration = Duration::from_secs(5);
/// Files of one form.
const MOST_FILES: usize = 8;
/// Bytes of a field that is no file.
const LONGEST_FIELD: usize = 16 * 1024;

/// A file as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Upload {
    /// Its field.
    pub(super) name: String,
    pub(super) bytes: Bytes,
}

/// A picture that a guest has sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// What it really is.
    pub kind: PictureKind,
    /// All of it.
    pub bytes: Bytes,
}

/// The kinds of pictures that are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureKind {
    /// PNG
    Png,
    /// JPEG
    Jpeg,
    /// WebP
    WebP,
}

impl PictureKind {
    /// Its name in `Content-Type`.
    #[must_use]
    pub const fn media(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::WebP => "image/webp",
        }
    }

    fn of(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
            Some(Self::Png)
        } else if bytes.starts_with(b"\xff\xd8\xff") {
            Some(Self::Jpeg)
        } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
            Some(Self::WebP)
        } else {
            None
        }
    }
}

impl Upload {
    /// An input that nothing was chosen for comes as an empty file.
    pub(super) fn picture(&self, most: usize) -> Result<Option<Picture>, BadForm> {
        if self.bytes.is_empty() {
            return Ok(None);
        }
        if self.bytes.len() > most {
            return Err(BadForm::TooLarge);
        }
        let kind = PictureKind::of(&self.bytes).ok_or(BadForm::Unsupported)?;
        let bytes = self.bytes.clone();
        Ok(Some(Picture { kind, bytes }))
    }
}

type Parts = (Vec<(String, String)>, Vec<Upload>);

/// Which guests may hold a form with files: large ones of all would take all memory.
#[derive(Debug)]
pub struct Turns {
    all: Semaphore,
    own: Arc<Counts<Option<u64>>>,
}

/// The leave to hold one.
#[derive(Debug)]
pub struct Turn<'turns> {
    _of_all: SemaphorePermit<'turns>,
    _own: Permit<Option<u64>>,
}

impl Turns {
    /// None is held.
    #[must_use]
    pub fn new() -> Self {
        Self {
            all: Semaphore::new(AT_ONCE),
            own: Arc::default(),
        }
    }

    /// A permit to hold one for a signed-in guest, by a name of the account, or for all others together; `None` when
    /// they hold enough of them, or others have held theirs for too long.
    pub async fn turn(&self, guest: Option<u64>) -> Option<Turn<'_>> {
        let own = Counts::take(&self.own, guest, OWN_AT_ONCE)?;
        let of_all = tokio::time::timeout(TIMEOUT, self.all.acquire()).await;
        Some(Turn {
            _of_all: of_all.ok()?.ok()?,
            _own: own,
        })
    }
}

impl Default for Turns {
    fn default() -> Self {
        Self::new()
    }
}

/// Reads `multipart/form-data`. How long all of it may be is kept by `limits::guard`.
pub(super) async fn read(
    content_type: &str,
    body: Body,
    most_fields: usize,
) -> Result<Parts, BadForm> {
    let boundary = multer::parse_boundary(content_type).map_err(|_| BadForm::Unreadable)?;
    let limits = Constraints::new().size_limit(SizeLimit::new());
    let mut form = Multipart::with_constraints(body.into_data_stream(), boundary, limits);
    let (mut fields, mut files) = (Vec::new(), Vec::new());
    while let Some(field) = form.next_field().await.map_err(|error| bad(&error))? {
        let name = field.name().unwrap_or_default().to_owned();
        let is_file = field.file_name().is_some();
        let bytes = field.bytes().await.map_err(|error| bad(&error))?;
        if is_file {
            if files.len() == MOST_FILES {
                return Err(BadForm::TooLarge);
            }
            files.push(Upload { name, bytes });
        } else {
            if bytes.len() > LONGEST_FIELD || fields.len() == most_fields {
                return Err(BadForm::TooLarge);
            }
            fields.push((name, String::from_utf8_lossy(&bytes).into_owned()));
        }
    }
    Ok((fields, files))
}

/// A body that grew past its limit ends with the error of the limit, inside of those of the stream.
fn bad(error: &multer::Error) -> BadForm {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if error.is::<http_body_util::LengthLimitError>() {
            return BadForm::TooLarge;
        }
        cause = error.source();
    }
    BadForm::Unreadable
}

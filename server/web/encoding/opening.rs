//! Documents of one screen begin alike: what the head says of the product, the styles, the early script. The build packs
//! that as well as it can be, and for each document only the rest is packed, as the continuation of one stream.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use compression::WINDOW;
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use super::Encoding;

/// An empty last block: the end of a stream.
const END: u8 = 3;

/// What `components/build/opening.mjs` says of the begin of documents.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct PackedOpening {
    /// Bytes before it.
    pub at: usize,
    /// The first hex digits of its SHA-256.
    pub of: String,
    /// Base64 of blocks of brotli that give it.
    pub br: String,
}

/// The begin of a screen's documents.
#[derive(Debug, Clone)]
pub struct Opening {
    text: String,
    /// Bytes before it; they differ by language and build, never in length.
    at: usize,
    br: Vec<u8>,
}

impl Opening {
    /// `text` with its packed form from the build; `None` when that is missing, unreadable or of another text, as of a
    /// bundle that was built beside a newer template.
    #[must_use]
    pub fn new(text: String, packed: &PackedOpening) -> Option<Self> {
        let br = STANDARD.decode(&packed.br).ok()?;
        let at = packed.at;
        if !hex::encode(Sha256::digest(&text)).starts_with(&packed.of) {
            return None;
        }
        (!br.is_empty() && (1..1 << 16).contains(&at)).then_some(Self { text, at, br })
    }

    /// What is the same in all documents.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// A whole document as a stream of brotli; none when it does not begin like this, such as that of a tablet.
    #[must_use]
    pub fn pack(&self, document: &[u8], effort: u32) -> Option<Vec<u8>> {
        let (before, from) = document.split_at_checked(self.at)?;
        let rest = from.strip_prefix(self.text.as_bytes())?;
        let begin = document.len() - rest.len();
        let mut stream = Vec::with_capacity(self.br.len() + rest.len() / 4);
        // The window, and a block that is stored as it is (RFC 7932, 9.1 and 9.2): with its length less one, 24 bits.
        let length = u32::try_from(before.len()).ok()? - 1;
        let window = (WINDOW.unsigned_abs() - 17) << 1 | 1;
        let head = window | length << 7 | 1 << 23;
        stream.extend_from_slice(&head.to_le_bytes()[..3]);
        stream.extend_from_slice(before);
        stream.extend_from_slice(&self.br);
        stream.extend_from_slice(&compression::pack_rest(document, begin, effort)?);
        stream.push(END);
        Some(stream)
    }
}

impl Encoding {
    /// [`Self::pack`] for a document whose begin may be packed already.
    #[must_use]
    pub fn pack_document(
        self,
        document: &[u8],
        opening: Option<&Opening>,
        effort: u32,
    ) -> Option<Vec<u8>> {
        let continued = match (self, opening) {
            (Self::Brotli, Some(opening)) => opening.pack(document, effort),
            _ => None,
        };
        continued.or_else(|| self.pack(document, effort))
    }
}

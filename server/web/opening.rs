//! Documents of one screen begin alike: what the head says of the product, the styles, the early script. The build packs
//! that as well as it can be, and for each document only the rest is packed, as the continuation of one stream.

use base64::{Engine as _, engine::general_purpose::STANDARD};

use super::{
    assets::PackedOpening,
    brotli::{self, WINDOW},
};

/// The begin of a screen's documents.
#[derive(Debug, Clone)]
pub struct Opening {
    text: String,
    /// So many bytes stand before it; they differ by language and build, never in length.
    at: usize,
    br: Vec<u8>,
}

impl Opening {
    /// `text` with its packed form from the build; none when there is none that can be read.
    #[must_use]
    pub fn new(text: String, packed: &PackedOpening) -> Option<Self> {
        let br = STANDARD.decode(&packed.br).ok()?;
        let at = packed.at;
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
        let window = (u32::from(WINDOW) - 17) << 1 | 1;
        let head = window | length << 7 | 1 << 23;
        stream.extend_from_slice(&head.to_le_bytes()[..3]);
        stream.extend_from_slice(before);
        stream.extend_from_slice(&self.br);
        stream.extend_from_slice(&brotli::pack(rest, begin, effort)?);
        Some(stream)
    }
}

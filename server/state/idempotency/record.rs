//! The record of a key, in whatever engine.

/// How far the work on a key is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Being sent, or its server died while sending.
    Working,
    /// Sent without a definite answer.
    Unknown,
    /// Answered.
    Done,
}

impl Phase {
    pub(in crate::state) fn from_word(word: &str) -> Self {
        match word {
            "done" => Self::Done,
            "unknown" => Self::Unknown,
            _ => Self::Working,
        }
    }
}

/// A record as stored.
#[derive(Debug)]
pub(in crate::state) struct Record {
    pub(in crate::state) key: String,
    pub(in crate::state) body_hash: Vec<u8>,
    pub(in crate::state) body: Vec<u8>,
    pub(in crate::state) phase: Phase,
    pub(in crate::state) owner: String,
    pub(in crate::state) lease_until: i64,
    pub(in crate::state) answer: Option<Vec<u8>>,
    pub(in crate::state) created_at: i64,
    pub(in crate::state) updated_at: i64,
    pub(in crate::state) expires_at: i64,
}

/// Who may take the lease of a key of unknown outcome next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::state) enum Next {
    /// A request with the key, or a server by itself.
    Anyone,
    /// A request with the key.
    Guest,
}

/// Who asks for the lease of a key, and with what.
#[derive(Debug)]
pub(in crate::state) struct Wanted {
    pub(in crate::state) key: String,
    pub(in crate::state) body_hash: [u8; 32],
    /// Sealed.
    pub(in crate::state) body: Vec<u8>,
    /// Whether a server may send it again by itself.
    pub(in crate::state) is_of_server: bool,
    pub(in crate::state) now: i64,
}

/// What came of asking.
#[derive(Debug)]
pub(in crate::state) enum Taken {
    /// The lease of a new record.
    New,
    /// The lease, with the sealed body that was sent before.
    Orphaned(Vec<u8>),
    /// The sealed answer.
    Done(Option<Vec<u8>>),
    /// Another request has the lease.
    InFlight,
    /// The key is for another body.
    Mismatch,
}

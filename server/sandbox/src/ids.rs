//! Names of records, which can't be guessed.

/// A prefix and 128 random bits.
pub(crate) fn unguessable(prefix: &str) -> String {
    format!("{prefix}{:032x}", rand::random::<u128>())
}

//! Names of what is written down: nobody guesses another one.

/// A prefix and 128 random bits.
pub(crate) fn unguessable(prefix: &str) -> String {
    format!("{prefix}{:032x}", rand::random::<u128>())
}

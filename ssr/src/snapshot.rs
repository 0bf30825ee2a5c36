//! Snapshots: the bundle, evaluated and warmed, as bytes that an isolate starts from.

use crate::{SnapshotError, StartError};

/// A snapshot that was checked to be made by this build. It lives as long as the process,
/// because V8 reads from it for as long as an isolate lives.
#[derive(Debug, Clone, Copy)]
pub struct Bundle(#[expect(dead_code, reason = "skeleton")] pub(crate) &'static [u8]);

impl Bundle {
    /// Takes the bytes that [`make_snapshot`] gave, perhaps by way of a file.
    pub fn new(snapshot: Vec<u8>) -> Result<Self, StartError> {
        Ok(Self(Vec::leak(snapshot)))
    }
}

/// Evaluates the polyfills and `bundle_js`, calls `__warm` and renders each `(url, json)` of
/// `warm`, and gives the snapshot. Meant for a process of its own: what the checks do not catch
/// makes V8 end the process with its own message.
pub fn make_snapshot(_bundle_js: &str, _warm: &[(&str, &str)]) -> Result<Vec<u8>, SnapshotError> {
    Err(SnapshotError::NoRender)
}

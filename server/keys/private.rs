//! Files that are for their user alone: secrets, and what they seal.

use std::{
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt as _,
    path::Path,
};

/// Mode of such a file.
pub const FILE_MODE: u32 = 0o600;
/// What group and others may do.
pub const FOREIGN: u32 = 0o077;

/// Whether others may read, write or enter it.
#[must_use]
pub fn is_open(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.permissions().mode() & FOREIGN != 0)
}

/// Takes it from others; whether that could be done. A process that does not own it, as on some mounted volumes, leaves it
/// as the owner has set it.
pub fn close(path: &Path, mode: u32) -> bool {
    let closed = fs::set_permissions(path, Permissions::from_mode(mode));
    if let Err(error) = &closed {
        tracing::warn!(%error, path = %path.display(), "Others may be able to read a part of the state");
    }
    closed.is_ok()
}

//! File descriptors: as many as the system allows, and how many of them guests may hold.
//!
//! Shells and services start processes with 1,024 by habit, whatever the system would allow; at the limit nothing can
//! be accepted, no upstream asked and no file read.

use anyhow::{Result, bail};

/// The share that is left for upstream calls, files and the admin address.
const OTHERS: u64 = 4;
/// At least this many: what the process holds without a guest, and some for the upstream.
const LEAST_OTHERS: u64 = 64;
/// With fewer there would be hardly any guests.
const LEAST: u64 = 96;

/// Raises the soft limit to the hard one and tells how many connections of guests fit in.
///
/// # Errors
/// When next to nothing would be left for guests.
pub fn room() -> Result<usize> {
    let limit = match rlimit::increase_nofile_limit(u64::MAX) {
        Ok(limit) => limit,
        Err(error) => {
            tracing::warn!(%error, "The limit of descriptors stays as it is");
            rlimit::getrlimit(rlimit::Resource::NOFILE).map_or(1024, |(soft, _)| soft)
        }
    };
    if limit < LEAST {
        bail!(
            "this process may open {limit} files and connections only, {LEAST} is the least: raise the limit (`ulimit -n`, LimitNOFILE of systemd)"
        );
    }
    let others = (limit / OTHERS).max(LEAST_OTHERS);
    let room = usize::try_from(limit - others).unwrap_or(usize::MAX);
    tracing::info!(descriptors = limit, room, "Descriptors that may be open");
    Ok(room)
}

//! File descriptors: as many as the system allows, and how many of them guests may hold.
//!
//! Shells and services start processes with 1,024 by habit, whatever the system would allow; at the limit nothing can
//! be accepted, no upstream asked and no file read.

/// The share that is left for upstream calls, files and the admin address.
const OTHERS: u64 = 4;

/// Raises the soft limit to the hard one and tells how many connections of guests fit in.
#[must_use]
pub fn room() -> usize {
    let limit = match rlimit::increase_nofile_limit(u64::MAX) {
        Ok(limit) => limit,
        Err(error) => {
            tracing::warn!(%error, "The limit of descriptors stays as it is");
            rlimit::getrlimit(rlimit::Resource::NOFILE).map_or(1024, |(soft, _)| soft)
        }
    };
    let room = usize::try_from(limit - limit / OTHERS).unwrap_or(usize::MAX);
    tracing::info!(descriptors = limit, room, "Descriptors that may be open");
    room.max(1)
}

//! Memory that was freed goes back to the system.
//!
//! glibc has up to eight arenas for each core and keeps what is free in them: each stays as large as the most that one
//! of its threads ever held at once (compressors, documents, an isolate's compiler zones).

/// What an arena may keep free at its end.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const KEPT: libc::c_int = 2 << 20;
/// Compressors' tables stay in the arenas below it: a mapping of their own for each would cost more.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const MAPPED: libc::c_int = 16 << 20;

/// From now on an arena whose end is free gives it back at once. By itself glibc would keep twice as much as the largest
/// mapping that was ever freed.
pub fn keep_little_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: it may be called at any time from any thread.
    unsafe {
        libc::mallopt(libc::M_TRIM_THRESHOLD, KEPT);
        libc::mallopt(libc::M_MMAP_THRESHOLD, MAPPED);
    }
}

/// Returns what is free between what arenas hold. Blocks for about a millisecond, and the users of each arena for a part
/// of it.
pub fn release_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: it may be called at any time from any thread.
    unsafe {
        libc::malloc_trim(0);
    }
}

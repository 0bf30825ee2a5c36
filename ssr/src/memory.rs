//! Memory that was freed goes back to the system.

/// Returns to the system what the allocator keeps of freed memory. Blocks for about a millisecond, and the users of each
/// arena for a part of it.
///
/// glibc has up to eight arenas for each core and never gives back what lies free below an arena's last used byte: each
/// arena stays as large as the most that one of its threads ever held at once (compressors, documents, an isolate's
/// compiler zones).
pub fn give_memory_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: it may be called at any time from any thread.
    unsafe {
        libc::malloc_trim(0);
    }
}

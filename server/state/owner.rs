//! Which server process holds a lease.
//!
//! Each process locks a file of its own. The kernel drops the lock when the process ends, also by
//! kill -9, so that another process knows at once whether an owner still lives. All of them share a lock of the folder
//! itself, which a restore takes alone: that needs neither room on the disk nor a file that others may read.

use std::{
    fs::{File, TryLockError},
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use crate::keys::seal;

/// Inside the state directory; it is made once there is a database.
pub(super) const FOLDER: &str = "owners";

/// This process, as named in leases.
#[derive(Debug, Clone)]
pub(super) struct Owner(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    id: String,
    dir: PathBuf,
    /// Held for its lock; none as long as nothing can be written, and so no lease be taken.
    lock: Mutex<Option<File>>,
    _folder: Presence,
}

/// A lock of a state folder, held as long as this lives.
#[derive(Debug)]
pub struct Presence {
    _lock: Option<File>,
}

impl Presence {
    /// Beside other servers; before the database is opened. `None` while a restore is under way. Blocks.
    pub(super) fn shared(state_dir: &Path) -> Option<Self> {
        Self::of(state_dir, File::try_lock_shared)
    }

    /// With no server there, and none that may start meanwhile. `None` when one runs. Blocks.
    pub(super) fn exclusive(state_dir: &Path) -> Option<Self> {
        // A server of an earlier version has locked nothing but its own file.
        let lock = || Self::of(state_dir, File::try_lock);
        (!is_any_alive(state_dir)).then(lock).flatten()
    }

    /// Where the file system knows no such locks, the files of the owners tell.
    fn of(state_dir: &Path, lock: fn(&File) -> Result<(), TryLockError>) -> Option<Self> {
        let folder = File::open(state_dir).ok();
        let taken = folder.as_ref().map(lock);
        if matches!(taken, Some(Err(TryLockError::WouldBlock))) {
            return None;
        }
        Some(Self { _lock: folder })
    }
}

impl Owner {
    /// Takes a new name and clears away the files of owners that are gone. Blocks.
    pub(super) fn register(state_dir: &Path, folder: Presence) -> Self {
        let dir = state_dir.join(FOLDER);
        let id = seal::random_name();
        let owner = Self(Arc::new(Inner {
            id,
            dir,
            lock: Mutex::default(),
            _folder: folder,
        }));
        owner.show();
        owner
    }

    /// Lets others see that this process lives, if they can't yet: before a lease is taken. Blocks.
    pub(super) fn show(&self) {
        let Inner { id, dir, lock, .. } = &*self.0;
        let mut open = lock.lock().unwrap_or_else(PoisonError::into_inner);
        if open.is_none() {
            *open = self::lock(dir, id)
                .inspect_err(|error| {
                    tracing::warn!(%error, dir = %dir.display(), "Other processes can't see that this one lives");
                })
                .ok();
        }
    }

    pub(super) fn id(&self) -> &str {
        &self.0.id
    }

    /// Whether the process of that name still runs. Blocks for a file system call.
    pub(super) fn is_alive(&self, id: &str) -> bool {
        id == self.0.id || is_locked(&self.0.dir.join(id))
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(self.dir.join(&self.id));
    }
}

/// Whether a server runs on a state folder. Blocks.
fn is_any_alive(state_dir: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(state_dir.join(FOLDER)) else {
        return false;
    };
    entries.flatten().any(|entry| is_locked(&entry.path()))
}

fn lock(dir: &Path, id: &str) -> io::Result<File> {
    std::fs::create_dir_all(dir)?;
    for entry in std::fs::read_dir(dir)? {
        let path = entry?.path();
        if !is_locked(&path) {
            // Another process may have removed it first.
            let _ = std::fs::remove_file(&path);
        }
    }
    // Locked before it has its name, so that a starting process is not taken for a dead one.
    let hidden = dir.with_file_name(format!("owner-{id}.new"));
    let lock = File::create(&hidden)?;
    lock.lock()?;
    std::fs::rename(&hidden, dir.join(id))?;
    Ok(lock)
}

fn is_locked(path: &Path) -> bool {
    let Ok(file) = File::open(path) else {
        return false;
    };
    matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
}

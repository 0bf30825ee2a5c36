//! Whether the files of the database that are open still lie where they were opened.

use std::{
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

/// Where the open files lie. Deleted, they are written on as if nothing had happened, and end with the process.
#[derive(Debug)]
pub(super) struct Place {
    /// What is open under each name: database and log.
    files: Mutex<Vec<Named>>,
    is_reported: AtomicBool,
}

/// A name, with device and inode of the file.
type Named = (PathBuf, (u64, u64));

impl Place {
    pub(super) fn of(database: &Path) -> Self {
        Self {
            files: Mutex::new(Self::files(database)),
            is_reported: AtomicBool::new(false),
        }
    }

    /// For files that were opened again.
    pub(super) fn renew(&self, database: &Path) {
        *self.named() = Self::files(database);
    }

    fn files(database: &Path) -> Vec<Named> {
        let mut log = database.as_os_str().to_owned();
        log.push("-wal");
        let files = [database.to_owned(), PathBuf::from(log)];
        files
            .into_iter()
            .filter_map(|path| Some((path.clone(), number(&path)?)))
            .collect()
    }

    fn named(&self) -> MutexGuard<'_, Vec<Named>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether one of the names leads elsewhere by now. Blocks for a file system call.
    pub(super) fn is_lost(&self) -> bool {
        let named = self.named();
        let lost = named
            .iter()
            .find(|(path, open)| number(path) != Some(*open));
        if let Some((path, _)) = lost
            && !self.is_reported.swap(true, Ordering::Relaxed)
        {
            tracing::error!(
                path = %path.display(),
                "The state's database was deleted or replaced under the running server: all that guests do since is lost when it stops"
            );
        }
        lost.is_some()
    }
}

/// Device and inode.
fn number(path: &Path) -> Option<(u64, u64)> {
    let found = std::fs::metadata(path).ok()?;
    Some((found.dev(), found.ino()))
}

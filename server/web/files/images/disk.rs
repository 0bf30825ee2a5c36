//! Resized pictures on disk, within a bound of bytes. A full or broken disk costs the cache, never the picture.

use std::{path::PathBuf, sync::Arc, time::Duration};

use axum::body::Bytes;
use moka::{notification::RemovalCause, policy::EvictionPolicy, sync::Cache};
use sha2::{Digest, Sha256};

use crate::telemetry::Throttle;

/// After this a picture is fetched again, in case the storage has another one under its address.
pub(super) const MAX_AGE: Duration = Duration::from_secs(30 * 24 * 3600);

/// What is being written by another process on the same folder is younger than this.
const UNFINISHED: Duration = Duration::from_secs(60);

/// On a full disk no picture can be kept.
static FAILURES: Throttle = Throttle::new();

/// The folder and what is in it. What was not used for longest goes first.
#[derive(Clone)]
pub(super) struct Disk {
    folder: Arc<PathBuf>,
    files: Cache<String, u32>,
}

impl Disk {
    /// Takes over what an earlier process has left, as far as there is room; none for no bytes.
    pub(super) fn open(folder: PathBuf, bytes: u64) -> Self {
        let folder = Arc::new(folder);
        let of_files = Arc::clone(&folder);
        let files = Cache::builder()
            .max_capacity(bytes)
            .weigher(|_, size: &u32| *size)
            .eviction_policy(EvictionPolicy::lru())
            .time_to_live(MAX_AGE)
            .eviction_listener(move |name: Arc<String>, _, cause| {
                if cause != RemovalCause::Replaced {
                    let _ = std::fs::remove_file(of_files.join(&*name));
                }
            })
            .build();
        let disk = Self { folder, files };
        disk.take_over();
        disk
    }

    /// The name of a ready picture: no part of an address gets into the file system.
    pub(super) fn name(size: &str, url: &str) -> String {
        let mut hex = hex::encode(Sha256::digest(url.as_bytes()));
        hex.truncate(32);
        format!("{size}-{hex}")
    }

    pub(super) async fn read(&self, name: &str) -> Option<Bytes> {
        self.files.get(name)?;
        match tokio::fs::read(self.folder.join(name)).await {
            Ok(bytes) if !bytes.is_empty() => Some(bytes.into()),
            _ => {
                self.files.invalidate(name);
                None
            }
        }
    }

    /// Written under another name and renamed, so that half a picture is never read.
    pub(super) async fn keep(&self, name: &str, bytes: &[u8]) {
        let Ok(size) = u32::try_from(bytes.len()) else {
            return;
        };
        if self.is_off() {
            return;
        }
        let part = self
            .folder
            .join(format!("{name}-{}.part", std::process::id()));
        let written = async {
            tokio::fs::create_dir_all(&*self.folder).await?;
            tokio::fs::write(&part, bytes).await?;
            tokio::fs::rename(&part, self.folder.join(name)).await
        };
        match written.await {
            Ok(()) => {
                self.files.insert(name.to_owned(), size);
                // Makes room at once and not some time later.
                let files = self.files.clone();
                let _ = tokio::task::spawn_blocking(move || files.run_pending_tasks()).await;
            }
            Err(error) => {
                metrics::counter!("image_cache_failures_total").increment(1);
                if let Some(others) = FAILURES.admit() {
                    tracing::warn!(%error, others, "A picture could not be kept");
                }
                let _ = tokio::fs::remove_file(&part).await;
            }
        }
    }

    /// A full cache drops an entry without telling: its file would stay for ever.
    fn is_off(&self) -> bool {
        self.files.policy().max_capacity() == Some(0)
    }

    fn take_over(&self) {
        let mut found = Vec::new();
        for entry in std::fs::read_dir(&*self.folder)
            .into_iter()
            .flatten()
            .flatten()
        {
            let (Ok(meta), Ok(name)) = (entry.metadata(), entry.file_name().into_string()) else {
                continue;
            };
            let age = meta.modified().ok().and_then(|at| at.elapsed().ok());
            match (age, u32::try_from(meta.len())) {
                (Some(age), Ok(size))
                    if is_name(&name) && age < MAX_AGE && size > 0 && !self.is_off() =>
                {
                    found.push((age, name, size));
                }
                (Some(age), _) if name.ends_with(".part") && age < UNFINISHED => {}
                _ if meta.is_file() => {
                    let _ = std::fs::remove_file(entry.path());
                }
                _ => {}
            }
        }
        found.sort_unstable();
        for (_, name, size) in found.into_iter().rev() {
            self.files.insert(name, size);
        }
        self.files.run_pending_tasks();
    }
}

fn is_name(name: &str) -> bool {
    name.split_once('-').is_some_and(|(size, hex)| {
        super::size::Size::of(size).is_some()
            && hex.len() == 32
            && hex.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::seal::random_name;

    struct Folder(PathBuf);

    impl Folder {
        fn new() -> Self {
            Self(std::env::temp_dir().join(format!("images-{}", random_name())))
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
            let _ = std::fs::remove_file(&self.0);
        }
    }

    fn bytes_in(folder: &std::path::Path) -> u64 {
        let files = std::fs::read_dir(folder).unwrap();
        files
            .map(|file| file.unwrap().metadata().unwrap().len())
            .sum()
    }

    fn name(number: usize) -> String {
        Disk::name("96", &format!("https://e/{number}"))
    }

    #[tokio::test]
    async fn the_folder_never_outgrows_its_bound_and_keeps_what_is_used() {
        let folder = Folder::new();
        let disk = Disk::open(folder.0.clone(), 10_000);
        disk.keep(&name(0), &[0; 1000]).await;
        for number in 1..50 {
            disk.keep(&name(number), &[1; 1000]).await;
            assert!(bytes_in(&folder.0) <= 11_000, "{number}");
            assert_eq!(disk.read(&name(0)).await.unwrap().len(), 1000, "in use");
        }
        assert!(disk.read(&name(1)).await.is_none());
        assert!(disk.read(&name(49)).await.is_some());
        drop(disk);
        // The next process has the same pictures and the same bound; what is not its own it throws out.
        let half = std::fs::File::create(folder.0.join("96-x.part")).unwrap();
        half.set_len(4).unwrap();
        let written = half.metadata().unwrap().modified().unwrap() - 2 * UNFINISHED;
        half.set_modified(written).unwrap();
        let disk = Disk::open(folder.0.clone(), 5000);
        assert!(bytes_in(&folder.0) <= 5000);
        assert!(!folder.0.join("96-x.part").exists());
        assert!(disk.read(&name(49)).await.is_some());
    }

    #[tokio::test]
    async fn a_folder_that_cannot_be_written_caches_nothing_and_fails_no_request() {
        let folder = Folder::new();
        std::fs::write(&folder.0, "a file where the folder should be").unwrap();
        let disk = Disk::open(folder.0.clone(), 10_000);
        disk.keep(&name(0), &[0; 1000]).await;
        assert!(disk.read(&name(0)).await.is_none());
    }

    #[tokio::test]
    async fn a_removed_file_is_a_miss() {
        let folder = Folder::new();
        let disk = Disk::open(folder.0.clone(), 10_000);
        disk.keep(&name(0), &[0; 1000]).await;
        std::fs::remove_file(folder.0.join(name(0))).unwrap();
        assert!(disk.read(&name(0)).await.is_none());
        disk.keep(&name(0), &[0; 1000]).await;
        assert!(disk.read(&name(0)).await.is_some());
    }
}

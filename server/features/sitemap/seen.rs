//! Which venues this installation has ever listed, and since when they look as they do. The upstream tells neither when
//! a venue changed nor that one is gone: it just answers nothing.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::{features::structured::ids, upstream::Location, values::Service};

const FILE: &str = "venues.json";

/// What is remembered of one venue id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    /// The venue that the id belonged to; its other ids have the same.
    pub location: Option<u64>,
    /// The service that the id stood for, where that was told.
    #[serde(default)]
    pub service: Option<Service>,
    /// Of what guests can read of it.
    look: u64,
    /// Since when it looks like this, milliseconds since the epoch.
    pub since: i64,
}

/// The memory; cloning shares it. Kept in a file of the state folder; losing it costs old addresses their 301 or 410.
#[derive(Clone)]
pub(super) struct Seen {
    file: Arc<PathBuf>,
    known: Arc<Mutex<BTreeMap<u64, Record>>>,
}

impl Seen {
    pub(super) fn open(state: &Path) -> Self {
        let file = state.join(FILE);
        let known = match std::fs::read(&file) {
            Ok(bytes) => serde_json::from_slice(&bytes).unwrap_or_else(|error| {
                tracing::warn!(%error, "The memory of venues can't be read and begins anew");
                BTreeMap::new()
            }),
            Err(_) => BTreeMap::new(),
        };
        Self {
            file: Arc::new(file),
            known: Arc::new(Mutex::new(known)),
        }
    }

    pub(super) fn get(&self, venue: u64) -> Option<Record> {
        self.locked(|known| known.get(&venue).cloned())
    }

    /// Remembers a venue under all its ids and tells since when it looks as it does.
    pub(super) fn note(&self, location: &Location, now: i64) -> i64 {
        let look = look(location);
        let services = ids(location);
        let own = location.venue_id.0;
        let all = services.iter().map(|(_, id)| *id);
        self.locked(|known| {
            let mut since = now;
            for id in std::iter::once(own).chain(all) {
                let record = known.entry(id).or_insert(Record {
                    location: None,
                    service: None,
                    look,
                    since: now,
                });
                if record.look != look {
                    (record.look, record.since) = (look, now);
                }
                record.location = location.id.map(|id| id.0);
                let service = services.iter().find(|(_, known)| *known == id);
                record.service = service.map(|(service, _)| *service);
                since = record.since;
            }
            since
        })
    }

    /// Writes it down; a disk that is full costs the memory after a restart.
    pub(super) async fn keep(&self) {
        let seen = self.clone();
        let written = tokio::task::spawn_blocking(move || {
            let text = seen.locked(|known| serde_json::to_vec(known))?;
            let part = seen.file.with_extension("part");
            std::fs::write(&part, text)?;
            std::fs::rename(&part, &*seen.file)
        });
        if let Ok(Err(error)) = written.await {
            tracing::warn!(%error, "The memory of venues could not be written");
        }
    }

    fn locked<T>(&self, act: impl FnOnce(&mut BTreeMap<u64, Record>) -> T) -> T {
        act(&mut self.known.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn look(location: &Location) -> u64 {
    let text = format!(
        "{}\n{}\n{}\n{:?}\n{:?}",
        location.name,
        location.brand_name,
        location.address,
        location.image_url,
        location.opening_hours
    );
    Sha256::digest(text.as_bytes())
        .iter()
        .take(6)
        .fold(0, |number, byte| number << 8 | u64::from(*byte))
}

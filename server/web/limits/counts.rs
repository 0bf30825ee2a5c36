//! Counts of permits, by their owners.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// How many permits each owner has.
#[derive(Debug)]
pub struct Counts<K>(Mutex<HashMap<K, u32>>);

impl<K> Default for Counts<K> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Hash + Eq + Copy> Counts<K> {
    /// One more permit, unless the owner has that many already.
    pub fn take(counts: &Arc<Self>, owner: K, most: u32) -> Option<Permit<K>> {
        let mut open = counts.lock();
        let count = open.entry(owner).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(Permit {
            counts: Arc::clone(counts),
            owner,
        })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<K, u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One of them, given back when it is dropped.
#[derive(Debug)]
pub struct Permit<K: Hash + Eq + Copy> {
    counts: Arc<Counts<K>>,
    owner: K,
}

impl<K: Hash + Eq + Copy> Drop for Permit<K> {
    fn drop(&mut self) {
        let mut open = self.counts.lock();
        if let Some(count) = open.get_mut(&self.owner) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.owner);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_closed_makes_room() {
        let counts = Arc::default();
        let first = Counts::take(&counts, 1_u8, 2);
        let second = Counts::take(&counts, 1, 2);
        assert!(first.is_some() && second.is_some());
        assert!(Counts::take(&counts, 1, 2).is_none());
        assert!(
            Counts::take(&counts, 2, 2).is_some(),
            "another guest's are not counted"
        );
        drop(first);
        assert!(Counts::take(&counts, 1, 2).is_some());
        drop(second);
        assert!(counts.lock().is_empty());
    }
}

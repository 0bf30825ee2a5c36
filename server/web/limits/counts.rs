//! Counts of what is held, by whom.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// How many are held, by whom.
#[derive(Debug)]
pub struct Counts<K>(Mutex<HashMap<K, u32>>);

impl<K> Default for Counts<K> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Hash + Eq + Copy> Counts<K> {
    /// One more, unless the holder has that many already.
    pub fn take(counts: &Arc<Self>, holder: K, most: u32) -> Option<Held<K>> {
        let mut open = counts.lock();
        let count = open.entry(holder).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(Held {
            counts: Arc::clone(counts),
            holder,
        })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<K, u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One of them; gives itself back.
#[derive(Debug)]
pub struct Held<K: Hash + Eq + Copy> {
    counts: Arc<Counts<K>>,
    holder: K,
}

impl<K: Hash + Eq + Copy> Drop for Held<K> {
    fn drop(&mut self) {
        let mut open = self.counts.lock();
        if let Some(count) = open.get_mut(&self.holder) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.holder);
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

//! Readers of the upstream that many open pages share: one for each thing that is looked at, for as long as a page is open.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::sync::watch;

/// Between two readings after failures, doubled up to this.
const SLOWEST: Duration = Duration::from_secs(15);

/// The last reading; none before the first.
pub type Last<T> = Option<Arc<T>>;

type Running<K, T> = HashMap<K, watch::Receiver<Last<T>>>;

/// The readers that run now, by what they read; cloning shares them.
pub struct Readers<K, T>(Arc<Shared<K, T>>);

struct Shared<K, T> {
    running: Mutex<Running<K, T>>,
    closing: watch::Sender<bool>,
}

/// What a reader tells its pages by.
pub struct Telling<K, T> {
    readers: Readers<K, T>,
    key: K,
    /// Takes the readings.
    pub sender: watch::Sender<Last<T>>,
}

impl<K, T> Clone for Readers<K, T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<K, T> Default for Readers<K, T> {
    fn default() -> Self {
        Self(Arc::new(Shared {
            running: Mutex::default(),
            closing: watch::channel(false).0,
        }))
    }
}

impl<K: Clone + Eq + Hash, T> Readers<K, T> {
    /// Ends all streams, so that the server can drain; browsers come back to another instance.
    pub fn close(&self) {
        self.0.closing.send_replace(true);
    }

    /// Turns true when streams have to end.
    #[must_use]
    pub fn closing(&self) -> watch::Receiver<bool> {
        self.0.closing.subscribe()
    }

    /// How many things are read now.
    #[must_use]
    pub fn count(&self) -> usize {
        self.running().len()
    }

    /// The last reading of what an open page shows.
    #[must_use]
    pub fn last(&self, key: &K) -> Last<T> {
        self.running()
            .get(key)
            .and_then(|reader| reader.borrow().clone())
    }

    /// Readings, the last one first. The first caller starts the reader: `read` goes on until no one follows any more
    /// ([`Telling::rest`]) or there is nothing left to say.
    pub fn watch<F>(
        &self,
        key: K,
        read: impl FnOnce(Telling<K, T>) -> F,
    ) -> watch::Receiver<Last<T>>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let mut running = self.running();
        // A reader that has ended has dropped its sender.
        running.retain(|_, reader| reader.has_changed().is_ok());
        if let Some(reader) = running.get(&key) {
            return reader.clone();
        }
        let (sender, reader) = watch::channel(None);
        running.insert(key.clone(), reader.clone());
        drop(running);
        tokio::spawn(read(Telling {
            readers: self.clone(),
            key,
            sender,
        }));
        reader
    }

    fn running(&self) -> MutexGuard<'_, Running<K, T>> {
        self.0
            .running
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Clone + Eq + Hash, T> Telling<K, T> {
    /// Waits for the next reading; false when no one follows any more.
    pub async fn rest(&self, pause: Duration) -> bool {
        tokio::time::sleep(pause).await;
        // The map itself holds one receiver.
        if self.sender.receiver_count() > 1 {
            return true;
        }
        let mut running = self.readers.running();
        if self.sender.receiver_count() > 1 {
            return true;
        }
        running.remove(&self.key);
        false
    }
}

/// The pause after a failure.
#[must_use]
pub fn slower(pause: Duration) -> Duration {
    (pause * 2).min(SLOWEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAUSE: Duration = Duration::from_millis(1);

    /// Counts up until no one follows.
    async fn counting(telling: Telling<&'static str, u32>) {
        for number in 1.. {
            telling.sender.send_replace(Some(Arc::new(number)));
            if !telling.rest(PAUSE).await {
                break;
            }
        }
    }

    async fn heard(reader: &mut watch::Receiver<Last<u32>>, number: u32) -> bool {
        let reached = reader.wait_for(|last| last.as_deref() >= Some(&number));
        reached.await.is_ok()
    }

    async fn none_is_left(readers: &Readers<&'static str, u32>) {
        while readers.count() > 0 {
            tokio::time::sleep(PAUSE).await;
        }
    }

    #[tokio::test]
    async fn one_reader_serves_all_who_look_and_ends_with_the_last() {
        let readers = Readers::default();
        let mut first = readers.watch("bill", counting);
        assert!(heard(&mut first, 5).await);
        // A later follower goes on from the latest reading.
        let mut second = readers.watch("bill", counting);
        assert!(second.borrow().as_deref() >= Some(&5));
        assert_eq!(readers.count(), 1);
        drop(first);
        assert!(heard(&mut second, 10).await);
        assert!(readers.last(&"bill").is_some());
        drop(second);
        none_is_left(&readers).await;
        assert_eq!(readers.last(&"bill"), None);
    }

    #[tokio::test]
    async fn a_reader_that_has_nothing_left_to_say_makes_room_for_another() {
        let readers = Readers::default();
        let mut ended = readers.watch("order", |telling: Telling<_, u32>| async move {
            telling.sender.send_replace(Some(Arc::new(1)));
        });
        assert!(!heard(&mut ended, 2).await, "it has ended");
        assert_eq!(ended.borrow().as_deref(), Some(&1));
        assert!(heard(&mut readers.watch("order", counting), 2).await);
    }
}

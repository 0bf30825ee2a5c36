//! All open connections. When no further one fits, idle ones make room, and those whose request is not whole: otherwise a client that opens all of them and
//! sends nothing would lock every other out (S-19).

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{client::subscriber, idle::Progress};

/// A phone on a slow network has its first request here by then.
pub(super) const UNDISTURBED: Duration = Duration::from_secs(1);

/// The connections; cloning shares them.
#[derive(Debug, Clone, Default)]
pub(super) struct OpenConnections(Arc<Mutex<Members>>);

#[derive(Debug, Default)]
struct Members {
    next: u64,
    open: HashMap<u64, Member>,
}

#[derive(Debug)]
struct Member {
    subscriber: IpAddr,
    progress: Progress,
    leave: CancellationToken,
}

/// One of them, until it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    connections: OpenConnections,
    name: u64,
    /// What is happening on it.
    pub(super) progress: Progress,
    /// Cancelled when it has to make room.
    pub(super) leave: CancellationToken,
}

impl OpenConnections {
    fn lock(&self) -> MutexGuard<'_, Members> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn enter(&self, peer: IpAddr, progress: Progress) -> Place {
        let leave = CancellationToken::new();
        let mut members = self.lock();
        let name = members.next;
        members.next += 1;
        let member = Member {
            subscriber: subscriber(peer),
            progress: progress.clone(),
            leave: leave.clone(),
        };
        members.open.insert(name, member);
        Place {
            connections: self.clone(),
            name,
            progress,
            leave,
        }
    }

    /// Asks some to leave that have been idle for a while: the longest idle of the subscriber who has most of them.
    pub(super) fn make_room(&self, now: Instant) {
        let members = self.lock();
        let mut idle: HashMap<IpAddr, Vec<(Instant, &CancellationToken)>> = HashMap::new();
        for member in members.open.values() {
            if let Some(since) = member.progress.idle_since()
                && now >= since + UNDISTURBED
                && !member.leave.is_cancelled()
            {
                let own = idle.entry(member.subscriber).or_default();
                own.push((since, &member.leave));
            }
        }
        let Some(mut most) = idle.into_values().max_by_key(Vec::len) else {
            return;
        };
        most.sort_unstable_by_key(|(since, _)| *since);
        // Several at once: else a client that fills all of them makes us look through all for each new one.
        for (_, leave) in most.iter().take(members.open.len() / 16 + 1) {
            leave.cancel();
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.connections.lock().open.remove(&self.name);
    }
}

#[cfg(test)]
mod tests {
    use axum::http::Version;

    use super::{super::idle::IdleLimits, *};

    fn progress() -> Progress {
        Progress::new(IdleLimits {
            header: Duration::from_secs(100),
            stall: Duration::from_secs(100),
        })
    }

    #[test]
    fn idle_connections_of_the_address_with_most_of_them_make_room() {
        let connections = OpenConnections::default();
        let [one, other] = ["10.0.0.1", "10.0.0.2"].map(|peer| peer.parse().unwrap());
        let busy = progress();
        let _exchange = busy.begin(Version::HTTP_11);
        let busy = connections.enter(one, busy);
        let idle = [one, other, one].map(|peer| connections.enter(peer, progress()));
        let left = || idle.each_ref().map(|place| place.leave.is_cancelled());
        let now = Instant::now();
        connections.make_room(now);
        assert_eq!(left(), [false; 3], "they have only just come");
        connections.make_room(now + UNDISTURBED);
        assert_eq!(left(), [true, false, false], "the first of two");
        assert!(!busy.leave.is_cancelled());
        drop((busy, idle));
        assert!(connections.lock().open.is_empty());
    }
}

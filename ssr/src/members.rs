//! What the pool's lock guards: who waits, which isolates there are and what each is for.

use std::collections::VecDeque;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use tokio::sync::oneshot;

use crate::pool::lock;
use crate::watch::Watch;
use crate::{Bundle, Options, RenderError, Rendered, Shared, StartError};

pub(crate) type Reply = oneshot::Sender<Result<Rendered, RenderError>>;

/// A render that waits.
pub(crate) struct Job {
    pub url: String,
    pub data: Arc<str>,
    pub shared: Option<Shared>,
    pub since: Instant,
    pub reply: Reply,
}

/// What an isolate's thread shows to the others.
pub(crate) struct Worker {
    pub id: u64,
    pub watch: Arc<Watch>,
    /// The caller of the render under way. The watchdog answers it when it kills.
    pub reply: Mutex<Option<Reply>>,
    pub heap_bytes: AtomicUsize,
}

impl Worker {
    pub(crate) fn hold(&self, reply: Option<Reply>) -> Option<Reply> {
        std::mem::replace(&mut *lock(&self.reply), reply)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Being made ready.
    Starting,
    /// Warm, waiting to take over.
    Spare,
    /// Takes jobs.
    Active,
    /// Ends after the job under way, or is lost already.
    Leaving,
}

pub(crate) struct Member {
    pub worker: Arc<Worker>,
    pub role: Role,
    pub generation: u64,
}

pub(crate) struct State {
    pub queue: VecDeque<Job>,
    pub members: Vec<Member>,
    pub bundle: Bundle,
    pub generation: u64,
    /// While a bundle is being replaced: what to go back to if the new one does not start.
    pub previous: Option<(Bundle, u64)>,
    pub next_generation: u64,
    pub next_id: u64,
    pub losses: VecDeque<Instant>,
    pub resting_until: Option<Instant>,
    pub retry_at: Option<Instant>,
    pub closing: bool,
    /// The last failed start.
    pub error: Option<StartError>,
}

impl State {
    pub(crate) fn count(&self, role: Role) -> usize {
        self.members
            .iter()
            .filter(|member| member.role == role)
            .count()
    }

    pub(crate) fn role(&self, id: u64) -> Option<Role> {
        self.members
            .iter()
            .find(|member| member.worker.id == id)
            .map(|member| member.role)
    }

    pub(crate) fn member(&mut self, id: u64) -> Option<&mut Member> {
        self.members
            .iter_mut()
            .find(|member| member.worker.id == id)
    }

    /// Lets the spare take over.
    pub(crate) fn promote(&mut self) -> bool {
        let spare = self
            .members
            .iter_mut()
            .find(|member| member.role == Role::Spare);
        if let Some(spare) = spare {
            spare.role = Role::Active;
            true
        } else {
            false
        }
    }

    /// Whether the wanted number of isolates serves, all with the current bundle.
    pub(crate) fn is_settled(&self, options: &Options) -> bool {
        let active = self
            .members
            .iter()
            .filter(|member| member.role == Role::Active);
        active.clone().count() >= options.isolates
            && active
                .into_iter()
                .all(|member| member.generation == self.generation)
    }
}

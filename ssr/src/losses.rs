//! Lost isolates: the spare takes over, and too many losses bring a rest.

use std::time::{Duration, Instant};

use crate::members::{Role, State};
use crate::pool::Pool;
use crate::stats::Counters;
use crate::{RenderError, StartError};

/// Pause after a start that failed.
const RETRY: Duration = Duration::from_millis(500);

impl Pool {
    /// An isolate did not get ready.
    pub(crate) fn not_started(&self, id: u64, error: StartError) {
        tracing::error!("An isolate did not start: {error}");
        Counters::add(&self.counters.failed);
        let mut state = self.lock();
        let generation = state.generation;
        let failed = state.member(id).map(|member| member.generation);
        state.members.retain(|member| member.worker.id != id);
        if failed == Some(generation) {
            state.error = Some(error);
            if let Some((bundle, generation)) = state.previous.take() {
                state.bundle = bundle;
                let abandoned = std::mem::replace(&mut state.generation, generation);
                for member in &mut state.members {
                    if member.generation == abandoned {
                        member.role = Role::Leaving;
                    }
                }
            }
        }
        state.retry_at = Some(Instant::now() + RETRY);
        self.note_loss(&mut state);
        drop(state);
        self.notify_all();
    }

    /// An isolate is beyond use: the spare takes over at once. Counts each isolate once.
    pub(crate) fn lose(&self, id: u64) {
        let mut state = self.lock();
        match state.member(id) {
            Some(member) if member.role != Role::Leaving => member.role = Role::Leaving,
            Some(_) | None => return,
        }
        state.promote();
        self.note_loss(&mut state);
        drop(state);
        self.notify_all();
    }

    /// Takes note of a loss, and goes to rest if they are too many.
    fn note_loss(&self, state: &mut State) {
        let now = Instant::now();
        state.losses.push_back(now);
        while state
            .losses
            .front()
            .is_some_and(|loss| now - *loss > self.options.breaker_window)
        {
            state.losses.pop_front();
        }
        if state.losses.len() < self.options.breaker_losses || state.resting_until.is_some() {
            return;
        }
        tracing::error!(
            losses = state.losses.len(),
            rest = ?self.options.breaker_rest,
            "Too many isolates were lost: the render engine rests and browsers render instead"
        );
        Counters::add(&self.counters.rests);
        state.losses.clear();
        state.resting_until = Some(now + self.options.breaker_rest);
        self.turn_away(state);
    }

    /// Answers all that wait with `Unavailable`.
    pub(crate) fn turn_away(&self, state: &mut State) {
        for job in state.queue.drain(..) {
            Counters::add(&self.counters.unavailable);
            let _ = job.reply.send(Err(RenderError::Unavailable));
        }
    }
}

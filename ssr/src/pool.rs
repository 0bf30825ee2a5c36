//! The queue and the isolates' roles, behind one lock. Threads meet only here.
//!
//! The lock is never held while JavaScript runs, nor across an `await`.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::Thread;
use std::time::{Duration, Instant};

use crate::members::{Job, Member, Role, State};
use crate::stats::Counters;
use crate::{Bundle, Options, RenderError, Stats};

/// What a worker does next.
pub(crate) enum Next {
    Render(Job),
    Idle,
    Leave,
}

pub(crate) struct Pool {
    pub options: Options,
    pub counters: Counters,
    state: Mutex<State>,
    work: Condvar,
    standby: Condvar,
    changed: Condvar,
    keeper: OnceLock<Thread>,
    keeper_sleeps: AtomicBool,
}

impl Pool {
    pub(crate) fn new(bundle: Bundle, options: Options) -> Self {
        Self {
            options,
            counters: Counters::default(),
            state: Mutex::new(State {
                queue: VecDeque::new(),
                members: Vec::new(),
                bundle,
                generation: 0,
                previous: None,
                next_generation: 1,
                next_id: 0,
                losses: VecDeque::new(),
                resting_until: None,
                retry_at: None,
                closing: false,
                error: None,
            }),
            work: Condvar::new(),
            standby: Condvar::new(),
            changed: Condvar::new(),
            keeper: OnceLock::new(),
            keeper_sleeps: AtomicBool::new(false),
        }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Puts a job in the queue, or turns it away at once.
    pub(crate) fn push(&self, job: Job) -> Result<(), RenderError> {
        let mut state = self.lock();
        if state.closing
            || state
                .resting_until
                .is_some_and(|until| Instant::now() < until)
        {
            Counters::add(&self.counters.unavailable);
            return Err(RenderError::Unavailable);
        }
        if !self.has_room(&state) {
            // Callers that went away hold no place.
            state.queue.retain(|job| !job.reply.is_closed());
        }
        if !self.has_room(&state) {
            Counters::add(&self.counters.overloaded);
            return Err(RenderError::Overloaded);
        }
        state.queue.push_back(job);
        drop(state);
        self.work.notify_one();
        self.wake_keeper();
        Ok(())
    }

    /// Whether one more would have its turn in time. What counts is the time that those before it will take, not their
    /// number: many small pages pass while a few large ones would be too late.
    fn has_room(&self, state: &State) -> bool {
        let waiting = u32::try_from(state.queue.len()).unwrap_or(u32::MAX);
        let isolates = u32::try_from(state.count(Role::Active)).unwrap_or(1).max(1);
        let expected = self.counters.usual().saturating_mul(waiting) / isolates;
        state.queue.len() < self.options.queue && expected <= self.options.max_wait
    }

    /// Blocks a worker until there is something to do, or for `idle` at most.
    pub(crate) fn next(&self, id: u64, idle: Duration) -> Next {
        let until = Instant::now() + idle;
        let mut state = self.lock();
        loop {
            let wait = match state.role(id) {
                Some(Role::Active) => {
                    while let Some(job) = state.queue.pop_front() {
                        if job.reply.is_closed() {
                            continue;
                        }
                        if job.since.elapsed() >= self.options.max_wait {
                            Counters::add(&self.counters.overloaded);
                            let _ = job.reply.send(Err(RenderError::Overloaded));
                            continue;
                        }
                        return Next::Render(job);
                    }
                    &self.work
                }
                Some(Role::Spare) => &self.standby,
                Some(Role::Starting | Role::Leaving) | None => return Next::Leave,
            };
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Next::Idle;
            }
            state = wait
                .wait_timeout(state, left)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }

    /// An isolate is warm: gives it its role.
    pub(crate) fn ready(&self, id: u64) {
        let mut state = self.lock();
        let generation = state.generation;
        let room = state.count(Role::Active) < self.options.isolates;
        let closing = state.closing;
        let Some(member) = state.member(id) else {
            return;
        };
        if closing || member.generation != generation {
            member.role = Role::Leaving;
        } else if room {
            member.role = Role::Active;
        } else {
            member.role = Role::Spare;
            // Takes the place of an isolate with the bundle of before, if there is one.
            let old = state
                .members
                .iter_mut()
                .find(|member| member.role == Role::Active && member.generation != generation);
            if let Some(old) = old {
                old.role = Role::Leaving;
                state.promote();
            }
        }
        if state.is_settled(&self.options) {
            state.previous = None;
        }
        drop(state);
        self.notify_all();
    }

    /// An isolate is due for replacement. It may go only if the spare can take over, so that they
    /// go one after the other.
    pub(crate) fn may_retire(&self, id: u64) -> bool {
        let mut state = self.lock();
        if state.role(id) != Some(Role::Active) || !state.promote() {
            return false;
        }
        if let Some(member) = state.member(id) {
            member.role = Role::Leaving;
        }
        drop(state);
        Counters::add(&self.counters.recycled);
        self.notify_all();
        true
    }

    /// The last word of an isolate's thread, its isolate being gone.
    pub(crate) fn left(&self, id: u64) {
        self.lock().members.retain(|member| member.worker.id != id);
        self.notify_all();
    }

    /// Asks all isolates to end and turns away those who wait.
    pub(crate) fn close(&self) {
        let mut state = self.lock();
        state.closing = true;
        self.turn_away(&mut state);
        for member in &mut state.members {
            // What starts sees `closing` when it is ready.
            if member.role != Role::Starting {
                member.role = Role::Leaving;
            }
        }
        drop(state);
        self.notify_all();
    }

    /// Blocks until `done`, or for `limit` at most. Tells whether it is done.
    pub(crate) fn wait(&self, limit: Duration, done: impl Fn(&State) -> bool) -> bool {
        let until = Instant::now() + limit;
        let mut state = self.lock();
        while !done(&state) {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            state = self
                .changed
                .wait_timeout(state, left)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
        true
    }

    pub(crate) fn notify_all(&self) {
        self.work.notify_all();
        self.standby.notify_all();
        self.changed.notify_all();
        self.wake_keeper();
    }

    /// Called on the keeper's thread.
    pub(crate) fn sleep(&self, limit: Duration, busy: impl Fn(&State) -> bool) {
        self.keeper.get_or_init(std::thread::current);
        self.keeper_sleeps.store(true, Ordering::SeqCst);
        // After the flag: what happens from here on wakes the keeper.
        let limit = if busy(&self.lock()) {
            self.keeper_sleeps.store(false, Ordering::SeqCst);
            limit.min(TICK)
        } else {
            limit
        };
        std::thread::park_timeout(limit);
        self.keeper_sleeps.store(false, Ordering::SeqCst);
    }

    /// Wakes the keeper from its long sleep; a short one is not worth a system call.
    pub(crate) fn wake_keeper(&self) {
        if self.keeper_sleeps.swap(false, Ordering::SeqCst)
            && let Some(keeper) = self.keeper.get()
        {
            keeper.unpark();
        }
    }

    pub(crate) fn stats(&self) -> Stats {
        let state = self.lock();
        let heap = |member: &Member| member.worker.heap_bytes.load(Ordering::Relaxed) as u64;
        let renders = |member: &&Member| lock(&member.worker.reply).is_some();
        Stats {
            queued: state.queue.len(),
            rendering: state.members.iter().filter(renders).count(),
            isolates: state.count(Role::Active),
            spares: state.count(Role::Spare),
            leaving: state.count(Role::Leaving),
            resting: state
                .resting_until
                .is_some_and(|until| Instant::now() < until),
            heap_bytes: state.members.iter().map(heap).sum(),
            ..self.counters.read()
        }
    }
}

/// How often the watchdog looks while something runs.
const TICK: Duration = Duration::from_millis(10);

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // The state is kept whole by short critical sections; a panic elsewhere does not spoil it.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

//! The keeper's thread: it stops what runs too long, turns away what waits too long, and keeps
//! the wanted number of isolates and one spare.

use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::members::{Job, Member, Role, State, Worker};
use crate::pool::Pool;
use crate::stats::Counters;
use crate::watch::Watch;
use crate::{Bundle, Limit, RenderError, StartError, platform, worker};

/// Sleep while nothing runs; whatever begins wakes the keeper.
const LONG: Duration = Duration::from_secs(1);
/// How long isolates may take to end; what hangs longer is left behind.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

/// The body of the thread. Ends when the pool is closed and empty.
pub(crate) fn run(pool: &Arc<Pool>) {
    let mut closed_at = None;
    loop {
        stop_overdue(pool);
        let (late, starts, finished) = {
            let mut state = pool.lock();
            if state
                .resting_until
                .is_some_and(|until| Instant::now() >= until)
            {
                state.resting_until = None;
                tracing::warn!("The render engine is back from its rest");
            }
            if state.closing && closed_at.is_none() {
                closed_at = Some(Instant::now());
            }
            let overdue = closed_at.is_some_and(|at: Instant| at.elapsed() > SHUTDOWN_TIMEOUT);
            let finished = state.closing && (state.members.is_empty() || overdue);
            (
                take_late(pool, &mut state),
                wanted(pool, &mut state),
                finished,
            )
        };
        for job in late {
            Counters::add(&pool.counters.overloaded);
            let _ = job.reply.send(Err(RenderError::Overloaded));
        }
        for (worker, bundle) in starts {
            start(pool, worker, bundle);
        }
        if finished {
            return;
        }
        pool.sleep(LONG, |state| {
            !state.queue.is_empty()
                || state.closing
                || state.retry_at.is_some()
                || state
                    .members
                    .iter()
                    .any(|member| member.worker.watch.is_running())
        });
    }
}

fn stop_overdue(pool: &Pool) {
    let workers: Vec<Arc<Worker>> = pool
        .lock()
        .members
        .iter()
        .map(|member| Arc::clone(&member.worker))
        .collect();
    for worker in workers {
        let Some((limit, after)) = worker.watch.kill_if_over() else {
            continue;
        };
        match limit {
            Limit::Cpu => Counters::add(&pool.counters.killed_cpu),
            Limit::Wall => Counters::add(&pool.counters.killed_wall),
        }
        tracing::error!(
            ?limit,
            ?after,
            "A render ran too long; its isolate is thrown away"
        );
        // First the spare, then the answer: who asks again at once finds an isolate.
        pool.lose(worker.id);
        if let Some(reply) = worker.hold(None) {
            let _ = reply.send(Err(RenderError::Timeout { limit, after }));
        }
    }
}

/// Jobs that waited too long. The oldest is in front.
fn take_late(pool: &Pool, state: &mut State) -> Vec<Job> {
    let late = state
        .queue
        .iter()
        .take_while(|job| job.since.elapsed() >= pool.options.max_wait)
        .count();
    state.queue.drain(..late).collect()
}

/// The isolates that are missing, entered as starting.
fn wanted(pool: &Pool, state: &mut State) -> Vec<(Arc<Worker>, Bundle)> {
    if state.closing || state.retry_at.is_some_and(|at| Instant::now() < at) {
        return Vec::new();
    }
    state.retry_at = None;
    let generation = state.generation;
    let current = state
        .members
        .iter()
        .filter(|member| member.role != Role::Leaving && member.generation == generation)
        .count();
    // While some serve, one starts at a time: starting takes a core from them. The spare comes
    // after the isolates that are to serve.
    let serving = state.count(Role::Active) > 0;
    let missing = if serving {
        let room = 1_usize.saturating_sub(state.count(Role::Starting));
        (pool.options.isolates + 1)
            .saturating_sub(current)
            .min(room)
    } else {
        pool.options.isolates.saturating_sub(current)
    };
    (0..missing)
        .map(|_| {
            let worker = Arc::new(Worker {
                id: state.next_id,
                watch: Arc::new(Watch::default()),
                reply: Mutex::new(None),
                heap_bytes: AtomicUsize::new(0),
            });
            state.next_id += 1;
            state.members.push(Member {
                worker: Arc::clone(&worker),
                role: Role::Starting,
                generation,
            });
            (worker, state.bundle)
        })
        .collect()
}

fn start(pool: &Arc<Pool>, worker: Arc<Worker>, bundle: Bundle) {
    let id = worker.id;
    let body = {
        let pool = Arc::clone(pool);
        move || worker::run(&pool, &worker, bundle)
    };
    if let Err(error) = platform::spawn(format!("v8-isolate-{id}"), body) {
        pool.not_started(id, StartError::Thread(error.to_string()));
    }
}

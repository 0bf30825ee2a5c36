//! The life of an isolate's thread: start, warm up, render until it is time to go.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::isolate::{Isolate, tokio_context};
use crate::members::{Job, Worker};
use crate::memory::release_memory;
use crate::pool::{Next, Pool};
use crate::stats::Counters;
use crate::watch::{End, Limits};
use crate::{Bundle, Limit, Options, RenderError, Rendered, StartError};

/// Idle for so long after a render: time for V8's small tasks.
const SHORT_IDLE: Duration = Duration::from_millis(20);
/// And so often when there is nothing to do.
const LONG_IDLE: Duration = Duration::from_secs(1);
/// Under constant load, turn the event loop and look at the heap after this many renders.
const ROUND: u32 = 128;

/// The body of the thread.
pub(crate) fn run(pool: &Arc<Pool>, worker: &Arc<Worker>, bundle: Bundle) {
    let id = worker.id;
    match catch_unwind(AssertUnwindSafe(|| live(pool, worker, bundle))) {
        Ok(Ok(())) => {}
        Ok(Err(error)) => pool.not_started(id, error),
        Err(_panic) => {
            tracing::error!("The thread of an isolate panicked; another isolate takes over");
            Counters::add(&pool.counters.failed);
            pool.lose(id);
            drop(worker.hold(None));
        }
    }
    // Its compiler zones and external strings.
    release_memory();
    pool.left(id);
}

fn live(pool: &Arc<Pool>, worker: &Arc<Worker>, bundle: Bundle) -> Result<(), StartError> {
    let tokio = tokio_context().map_err(|error| StartError::Thread(error.to_string()))?;
    let _context = tokio.enter();
    let mut isolate = start(pool, worker, bundle)?;
    pool.ready(worker.id);

    let born = Instant::now();
    let retirement = Retirement::of(pool, worker.id);
    let mut renders: u32 = 0;
    let mut idle = LONG_IDLE;
    loop {
        match pool.next(worker.id, idle) {
            Next::Leave => return Ok(()),
            Next::Idle => {
                idle = LONG_IDLE;
                if !turn(pool, worker, &mut isolate, &tokio) {
                    return Ok(());
                }
            }
            Next::Render(job) => {
                idle = SHORT_IDLE;
                if !render(pool, worker, &mut isolate, job) {
                    return Ok(());
                }
                renders += 1;
                if renders.is_multiple_of(ROUND) && !turn(pool, worker, &mut isolate, &tokio) {
                    return Ok(());
                }
            }
        }
        if retirement.is_due(renders, born, worker) && pool.may_retire(worker.id) {
            return Ok(());
        }
    }
}

fn start(pool: &Pool, worker: &Worker, bundle: Bundle) -> Result<Isolate, StartError> {
    let limit = pool.options.start_limit;
    worker.watch.adopt();
    worker.watch.begin(Limits {
        cpu: limit,
        wall: limit,
    });
    let isolate = Isolate::start(bundle, &pool.options, &worker.watch).and_then(|mut isolate| {
        if pool.options.warm {
            isolate
                .warm()
                .map_err(|error| format!("warming up failed: {error}"))?;
        }
        worker
            .heap_bytes
            .store(isolate.heap_bytes(), Ordering::Relaxed);
        Ok(isolate)
    });
    match worker.watch.end() {
        End::Alive => isolate.map_err(StartError::Isolate),
        End::Killed(_) => Err(StartError::TooSlow(limit)),
        End::OutOfMemory => Err(StartError::Isolate("it ran out of memory".into())),
    }
}

/// One render. Tells whether the isolate is still good.
fn render(pool: &Pool, worker: &Worker, isolate: &mut Isolate, job: Job) -> bool {
    let Job {
        url,
        data,
        shared,
        since,
        reply,
    } = job;
    let waited = since.elapsed();
    worker.hold(Some(reply));

    begin(pool, worker);
    let begun = Instant::now();
    let answer = isolate.render(&url, &data, shared);
    let took = begun.elapsed();
    let end = worker.watch.end();

    match end {
        End::Alive => {}
        // The watchdog has counted, answered and called the spare, or is about to: the caller is left to it, for only
        // it knows how long the render took.
        End::Killed(_) => {
            pool.lose(worker.id);
            return false;
        }
        End::OutOfMemory => {
            tracing::error!("A render ran out of memory; its isolate is thrown away");
            Counters::add(&pool.counters.killed_heap);
            pool.lose(worker.id);
            if let Some(reply) = worker.hold(None) {
                let _ = reply.send(Err(RenderError::HeapLimit));
            }
            return false;
        }
    }

    let (rejections, texts) = isolate.take_unhandled_rejections();
    if rejections > 0 {
        pool.counters
            .unhandled_rejections
            .fetch_add(rejections, Ordering::Relaxed);
        tracing::warn!(
            count = rejections,
            "A render left rejections unhandled: {}",
            texts.join("; ")
        );
    }
    let result = answer.map(|(head, html)| Rendered {
        head,
        html,
        waited,
        took,
    });
    match &result {
        Ok(_) => {
            Counters::add(&pool.counters.rendered);
            pool.counters.time(waited, took);
        }
        Err(RenderError::InputTooLarge | RenderError::OutputTooLarge) => {
            Counters::add(&pool.counters.too_large);
        }
        Err(error) => {
            Counters::add(&pool.counters.threw);
            tracing::error!("{error}");
        }
    }
    if let Some(reply) = worker.hold(None) {
        let _ = reply.send(result);
    }
    true
}

/// Turns the event loop and looks at the heap. Tells whether the isolate is still good.
fn turn(
    pool: &Pool,
    worker: &Worker,
    isolate: &mut Isolate,
    tokio: &tokio::runtime::Runtime,
) -> bool {
    begin(pool, worker);
    isolate.turn(tokio);
    worker
        .heap_bytes
        .store(isolate.heap_bytes(), Ordering::Relaxed);
    match worker.watch.end() {
        End::Alive => true,
        End::Killed(Limit::Cpu | Limit::Wall) | End::OutOfMemory => {
            pool.lose(worker.id);
            false
        }
    }
}

fn begin(pool: &Pool, worker: &Worker) {
    let Options {
        cpu_limit: cpu,
        wall_limit: wall,
        ..
    } = pool.options;
    worker.watch.begin(Limits { cpu, wall });
    pool.wake_keeper();
}

/// When an isolate's time has come; spread, so that isolates of one birth do not go together.
struct Retirement {
    renders: u32,
    age: Duration,
    heap: usize,
}

impl Retirement {
    fn of(pool: &Pool, id: u64) -> Self {
        // Steps of the golden ratio fall evenly between 0.75 and 1.25.
        let share = 0.75 + 0.5 * (id as f64 * 0.618_034).fract();
        Self {
            renders: (f64::from(pool.options.recycle_after) * share) as u32,
            age: pool.options.recycle_age.mul_f64(share),
            heap: pool.options.recycle_heap,
        }
    }

    fn is_due(&self, renders: u32, born: Instant, worker: &Worker) -> bool {
        renders >= self.renders.max(1)
            || born.elapsed() >= self.age
            || worker.heap_bytes.load(Ordering::Relaxed) >= self.heap
    }
}

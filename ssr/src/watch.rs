//! The race between an isolate's thread and the watchdog, decided by one atomic word.
//!
//! `idle → running(epoch)` is the isolate's, `running(epoch) → killed(epoch)` the watchdog's, by
//! compare-and-set *before* it terminates. At the end the isolate swaps back to idle and learns
//! from the old value whether it was killed. So no kill can hit a later render.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use deno_core::v8;

use crate::Limit;

const IDLE: u64 = 0;
const RUNNING: u64 = 1;
const KILLED_CPU: u64 = 2;
const KILLED_WALL: u64 = 3;
const TAG: u64 = 3;
const EPOCH: u64 = 4;

/// Limits of one stretch of work.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub cpu: Duration,
    pub wall: Duration,
}

/// How a stretch of work ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Alive,
    Killed(Limit),
    OutOfMemory,
}

#[derive(Default)]
pub(crate) struct Watch {
    state: AtomicU64,
    origin: OnceLock<Instant>,
    begun: AtomicU64,
    cpu_begun: AtomicU64,
    cpu_limit: AtomicU64,
    wall_limit: AtomicU64,
    clock: OnceLock<CpuClock>,
    handle: OnceLock<v8::IsolateHandle>,
    out_of_memory: AtomicBool,
}

impl Watch {
    /// Called once on the isolate's own thread.
    pub(crate) fn adopt(&self) {
        self.origin.get_or_init(Instant::now);
        self.clock.get_or_init(CpuClock::of_this_thread);
    }

    /// From now on the isolate can be terminated.
    pub(crate) fn guard(&self, handle: v8::IsolateHandle) {
        self.handle.get_or_init(|| handle);
    }

    pub(crate) fn begin(&self, limits: Limits) {
        self.begun.store(self.wall(), Ordering::Relaxed);
        self.cpu_begun.store(self.cpu(), Ordering::Relaxed);
        self.cpu_limit.store(nanos(limits.cpu), Ordering::Relaxed);
        self.wall_limit.store(nanos(limits.wall), Ordering::Relaxed);
        let epoch = (self.state.load(Ordering::Relaxed) & !TAG).wrapping_add(EPOCH);
        self.state.store(epoch | RUNNING, Ordering::SeqCst);
    }

    pub(crate) fn end(&self) -> End {
        let old = self.state.fetch_and(!TAG, Ordering::SeqCst);
        if self.out_of_memory.load(Ordering::SeqCst) {
            return End::OutOfMemory;
        }
        match old & TAG {
            KILLED_CPU => End::Killed(Limit::Cpu),
            KILLED_WALL => End::Killed(Limit::Wall),
            _ => End::Alive,
        }
    }

    pub(crate) fn is_running(&self) -> bool {
        self.state.load(Ordering::SeqCst) & TAG != IDLE
    }

    /// The watchdog's look. Tells the limit and the time that passed if it has just killed.
    pub(crate) fn kill_if_over(&self) -> Option<(Limit, Duration)> {
        let state = self.state.load(Ordering::SeqCst);
        if state & TAG != RUNNING {
            return None;
        }
        let wall = self
            .wall()
            .saturating_sub(self.begun.load(Ordering::Relaxed));
        let cpu = self
            .cpu()
            .saturating_sub(self.cpu_begun.load(Ordering::Relaxed));
        let limit = if cpu >= self.cpu_limit.load(Ordering::Relaxed) {
            Limit::Cpu
        } else if wall >= self.wall_limit.load(Ordering::Relaxed) {
            Limit::Wall
        } else {
            return None;
        };
        let killed = match limit {
            Limit::Cpu => KILLED_CPU,
            Limit::Wall => KILLED_WALL,
        };
        self.state
            .compare_exchange(
                state,
                state & !TAG | killed,
                Ordering::SeqCst,
                Ordering::SeqCst,
            )
            .ok()?;
        self.terminate();
        Some((limit, Duration::from_nanos(wall)))
    }

    /// Called on the isolate's thread from within a garbage collection.
    pub(crate) fn kill_for_memory(&self) {
        self.out_of_memory.store(true, Ordering::SeqCst);
        self.terminate();
    }

    /// Ends the script that runs now, if any; the isolate must not be used afterwards.
    fn terminate(&self) {
        if let Some(handle) = self.handle.get() {
            handle.terminate_execution();
        }
    }

    fn wall(&self) -> u64 {
        self.origin
            .get()
            .map_or(0, |origin| nanos(origin.elapsed()))
    }

    fn cpu(&self) -> u64 {
        self.clock.get().map_or(0, CpuClock::nanos)
    }
}

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// The computing time of one thread, readable from another. Where the system has no such clock,
/// it stands still and the wall-clock limit alone protects.
struct CpuClock(#[cfg(target_os = "linux")] Option<libc::clockid_t>);

#[cfg(target_os = "linux")]
impl CpuClock {
    fn of_this_thread() -> Self {
        let mut clock = 0;
        // SAFETY: `pthread_self` is alive and `clock` is a place to write to.
        let failed = unsafe { libc::pthread_getcpuclockid(libc::pthread_self(), &raw mut clock) };
        Self((failed == 0).then_some(clock))
    }

    fn nanos(&self) -> u64 {
        let Some(clock) = self.0 else { return 0 };
        let mut time = libc::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        // SAFETY: `time` is a place to write to; a clock of a thread that ended is an error.
        if unsafe { libc::clock_gettime(clock, &raw mut time) } != 0 {
            return 0;
        }
        u64::try_from(time.tv_sec).unwrap_or(0) * 1_000_000_000
            + u64::try_from(time.tv_nsec).unwrap_or(0)
    }
}

#[cfg(not(target_os = "linux"))]
impl CpuClock {
    fn of_this_thread() -> Self {
        Self()
    }

    fn nanos(&self) -> u64 {
        0
    }
}

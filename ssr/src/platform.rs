//! V8's process-wide state: its flags, its platform and the thread that starts all others.
//!
//! V8 guards its code pages with memory protection keys, and a thread inherits the right to them
//! from the thread that made it. So one thread, `v8-root`, initialises V8 and makes every thread
//! that touches V8 (rusty_v8#2054). Renderers and snapshots of one process share it.

use std::sync::mpsc::{self, Sender};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

use deno_core::{JsRuntime, v8};

/// - `--no-flush-bytecode`: V8 throws away the bytecode of functions that were idle for a while,
///   and the first visit to a quiet screen would pay for it.
/// - semi-space: a render's garbage dies young, and what dies costs nothing, so it wants room; but each isolate, the
///   spare too, fills its room before it collects. Measured with `examples/bench.rs` (45 KB page, two cores) and as
///   resident memory of the server after 10,000 renders by two isolates: up to 32 MB 0.94 to 0.99 ms, p99 2.4, 252 MB;
///   up to 16 MB 0.98 to 1.02 ms, p99 1.9, 193 MB; up to 8 MB 1.03 ms, p99 2.0. The budget is 200 MB. With a
///   snapshot of 3.1 MB instead of 2.2 MB 16 MB of room came to 208 MB, so it is 8 MB. Collecting on one thread only
///   made no difference, so V8's helper threads stay.
/// - `--no-turboshaft-loop-unrolling`: V8 150's unrolling drops the check for termination from some
///   endless loops (`for (;;) kept.push(new Array(1000))`), which nothing could stop then. A test
///   renders that loop; try without the flag when V8 is updated.
/// - `--no-extensible-ro-snapshot`: all isolates of a process share one read-only heap, taken from
///   the first snapshot that it meets. By default a snapshot extends it by its own objects, and an
///   isolate from another snapshot then reads foreign memory, unchecked in release builds. Not
///   extended, it is V8's own in all snapshots, so bundles can be replaced and made side by side.
/// - `--no-memory-pool-share-memory-on-teardown`: the memory of an isolate that ended goes back to
///   the system, not to a pool for the next.
/// - `--stack-size` (KB): isolate threads have 16 MB, so deep trees need not fail at 1 MB.
const FLAGS: &str = "--no-flush-bytecode --min-semi-space-size=8 --max-semi-space-size=8 \
                     --no-turboshaft-loop-unrolling \
                     --no-extensible-ro-snapshot --no-memory-pool-share-memory-on-teardown \
                     --stack-size=4096";

/// Stack of each isolate's thread.
const STACK: usize = 16 << 20;

type Spawn = (
    String,
    Box<dyn FnOnce() + Send>,
    Sender<std::io::Result<()>>,
);

/// The flags as they enter V8; a snapshot is tied to them.
pub(crate) fn flags() -> &'static str {
    FLAGS
}

/// Has `v8-root` start a thread. Its end is told by what the closure itself does.
pub(crate) fn spawn(
    name: impl Into<String>,
    body: impl FnOnce() + Send + 'static,
) -> std::io::Result<()> {
    static ROOT: OnceLock<Mutex<Sender<Spawn>>> = OnceLock::new();
    let gone = || std::io::Error::other("the v8-root thread is gone");

    // The lock also covers the start of the root, so that its failure is not kept for ever.
    static STARTING: Mutex<()> = Mutex::new(());
    let root = {
        let _starting = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
        match ROOT.get() {
            Some(root) => root,
            None => {
                let sender = start_root()?;
                ROOT.get_or_init(|| Mutex::new(sender))
            }
        }
    };
    let (reply, answer) = mpsc::channel();
    root.lock()
        .unwrap_or_else(PoisonError::into_inner)
        .send((name.into(), Box::new(body), reply))
        .map_err(|_| gone())?;
    answer.recv().map_err(|_| gone())?
}

fn start_root() -> std::io::Result<Sender<Spawn>> {
    let (sender, orders) = mpsc::channel::<Spawn>();
    thread::Builder::new()
        .name("v8-root".into())
        .spawn(move || {
            v8::V8::set_flags_from_string(flags());
            JsRuntime::init_platform(None);
            // Ends never: the sender is static. V8 must not be torn down while isolates live.
            while let Ok((name, body, reply)) = orders.recv() {
                let started = thread::Builder::new()
                    .name(name)
                    .stack_size(STACK)
                    .spawn(body);
                let _ = reply.send(started.map(drop));
            }
        })?;
    Ok(sender)
}

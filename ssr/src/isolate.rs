//! One isolate: made from a snapshot, asked to render, turned when idle. It never leaves its
//! thread. Whether a render was killed is not decided here but by its [`Watch`].

use std::sync::Arc;
use std::task::Poll;

use deno_core::{JsRuntime, PollEventLoopOptions, RuntimeOptions, v8};

use crate::fragment_cache::FragmentCache;
use crate::watch::Watch;
use crate::{Bundle, Options, RenderError, Shared, buffers, ops, rejections};

/// The context that a `JsRuntime` must be made in: V8's delayed tasks are put on it. Without it
/// the process is aborted at the first such task.
pub(crate) fn tokio_context() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
}

/// Head and HTML that a bundle gave.
pub(crate) type Answer = Result<(String, String), RenderError>;

/// What a function of the bundle is called with.
pub(crate) enum Argument<'a> {
    Text(&'a str),
    Number(u32),
}

/// Functions of the snapshot, kept at hand. Dropped before the runtime.
struct Functions {
    render: v8::Global<v8::Function>,
    warm: Option<v8::Global<v8::Function>>,
    turn: v8::Global<v8::Function>,
    reset: v8::Global<v8::Function>,
}

pub(crate) struct Isolate {
    // Before `runtime`: fields are dropped in this order, and globals must go first.
    functions: Functions,
    runtime: JsRuntime,
    max_output: usize,
}

impl Isolate {
    /// Restores the snapshot. Must be called inside an entered [`tokio_context`], on a thread of
    /// [`crate::platform::spawn`], and the isolate must stay on that thread.
    pub(crate) fn start(
        bundle: Bundle,
        options: &Options,
        watch: &Arc<Watch>,
    ) -> Result<Self, String> {
        let params = v8::CreateParams::default()
            .heap_limits(0, options.heap_limit)
            .array_buffer_allocator(buffers::limited(options.buffer_limit).make_shared());
        let mut runtime = JsRuntime::try_new(RuntimeOptions {
            startup_snapshot: Some(bundle.snapshot()),
            create_params: Some(params),
            extensions: vec![ops::extension()],
            skip_op_registration: true,
            ..RuntimeOptions::default()
        })
        .map_err(|error| error.to_string())?;

        watch.guard(runtime.v8_isolate().thread_safe_handle());
        // V8 ends the process if the limit is not raised. The raise is generous, because a single
        // allocation (an array of 1 GB) may be under way; the memory is not taken by raising, and
        // the script is terminated at its next step.
        let on_limit = Arc::clone(watch);
        runtime.add_near_heap_limit_callback(move |current, _initial| {
            on_limit.kill_for_memory();
            current.saturating_add(HEAP_RAISE)
        });
        rejections::track(runtime.v8_isolate());

        let functions = find_functions(&mut runtime)?;
        Ok(Self {
            functions,
            runtime,
            max_output: options.max_output,
        })
    }

    /// Calls the bundle's `__warm`, if it has one.
    pub(crate) fn warm(&mut self) -> Result<(), RenderError> {
        let Some(warm) = self.functions.warm.clone() else {
            return Ok(());
        };
        let turn = self.functions.turn.clone();
        let done = call_and_settle(&mut self.runtime, &warm, &turn, &[], |_, _| Ok(()));
        drop(warm);
        drop(turn);
        self.tidy();
        // What warming leaves behind is garbage, and the spare would hold it until it is called.
        self.runtime.v8_isolate().low_memory_notification();
        done
    }

    /// One render: a scope of its own, one call, microtasks until it is settled.
    pub(crate) fn render(&mut self, url: &str, data: &str, shared: Option<Shared>) -> Answer {
        let max_output = self.max_output;
        let name = shared.as_ref().map_or(0, Shared::name);
        let state = self.runtime.op_state();
        state.borrow_mut().borrow_mut::<FragmentCache>().shared = shared;
        let answer = call_and_settle(
            &mut self.runtime,
            &self.functions.render,
            &self.functions.turn,
            &[
                Argument::Text(url),
                Argument::Text(data),
                Argument::Number(name),
            ],
            |scope, value| {
                let Ok(text) = v8::Local::<v8::String>::try_from(value) else {
                    return Err(RenderError::Threw("__render did not give a string".into()));
                };
                // Each UTF-16 unit is at least one byte, so this spares the longer count.
                if text.length() > max_output || text.utf8_length(scope) > max_output {
                    return Err(RenderError::OutputTooLarge);
                }
                Ok(text.to_rust_string_lossy(scope))
            },
        );
        self.tidy();
        let mut state = state.borrow_mut();
        let cache = state.borrow_mut::<FragmentCache>();
        cache.shared = None;
        let (head, html) = cache.head_and_html(answer?)?;
        if head.len() + html.len() > max_output {
            return Err(RenderError::OutputTooLarge);
        }
        Ok((head, html))
    }

    /// Clears what the render left: microtasks, queued timers. Nothing of it may meet the next.
    fn tidy(&mut self) {
        deno_core::scope!(scope, self.runtime);
        v8::tc_scope!(let scope, scope);
        scope.perform_microtask_checkpoint();
        if scope.has_terminated() {
            return;
        }
        let reset = v8::Local::new(scope, &self.functions.reset);
        let this = v8::undefined(scope).into();
        reset.call(scope, this, &[]);
    }

    /// Tells of rejections that no one handled, and forgets them.
    pub(crate) fn take_unhandled_rejections(&mut self) -> (u64, Vec<String>) {
        rejections::take(self.runtime.v8_isolate())
    }

    /// One turn of the event loop, in which V8 runs the tasks it has queued (mostly GC).
    pub(crate) fn turn(&mut self, tokio: &tokio::runtime::Runtime) {
        tokio.block_on(async {
            // Lets tokio's timers fire, on which V8's delayed tasks wait.
            tokio::task::yield_now().await;
            std::future::poll_fn(|context| {
                match self
                    .runtime
                    .poll_event_loop(context, PollEventLoopOptions::default())
                {
                    Poll::Ready(Err(error)) => {
                        tracing::warn!("An isolate's event loop reported: {error}");
                    }
                    Poll::Ready(Ok(())) | Poll::Pending => {}
                }
                Poll::Ready(())
            })
            .await;
        });
    }

    /// Bytes in use in V8's heap, garbage included.
    pub(crate) fn heap_bytes(&mut self) -> usize {
        self.runtime
            .v8_isolate()
            .get_heap_statistics()
            .used_heap_size()
    }
}

impl Drop for Isolate {
    fn drop(&mut self) {
        // A terminated isolate refuses even its own tear-down calls otherwise.
        self.runtime.v8_isolate().cancel_terminate_execution();
    }
}

const HEAP_RAISE: usize = 2 << 30;

fn find_functions(runtime: &mut JsRuntime) -> Result<Functions, String> {
    deno_core::scope!(scope, runtime);
    let global = scope.get_current_context().global(scope);
    let render = function(scope, global, "__render").ok_or("the bundle has no __render")?;
    let warm = function(scope, global, "__warm");
    let own = property(scope, global, "__ssr")
        .and_then(|own| v8::Local::<v8::Object>::try_from(own).ok())
        .ok_or("the snapshot has no __ssr")?;
    let turn = function(scope, own, "turn").ok_or("the snapshot has no __ssr.turn")?;
    let reset = function(scope, own, "reset").ok_or("the snapshot has no __ssr.reset")?;
    Ok(Functions {
        render: v8::Global::new(scope, render),
        warm: warm.map(|warm| v8::Global::new(scope, warm)),
        turn: v8::Global::new(scope, turn),
        reset: v8::Global::new(scope, reset),
    })
}

fn property<'s>(
    scope: &mut v8::PinScope<'s, '_>,
    object: v8::Local<'s, v8::Object>,
    name: &str,
) -> Option<v8::Local<'s, v8::Value>> {
    let key = v8::String::new(scope, name)?;
    object.get(scope, key.into())
}

pub(crate) fn function<'s>(
    scope: &mut v8::PinScope<'s, '_>,
    object: v8::Local<'s, v8::Object>,
    name: &str,
) -> Option<v8::Local<'s, v8::Function>> {
    property(scope, object, name)?.try_into().ok()
}

/// Calls `called` and settles what it gives, by microtasks and queued timers alone;
/// `read` takes the value out while the scope lives.
pub(crate) fn call_and_settle<T>(
    runtime: &mut JsRuntime,
    called: &v8::Global<v8::Function>,
    turn: &v8::Global<v8::Function>,
    arguments: &[Argument<'_>],
    read: impl FnOnce(&v8::Isolate, v8::Local<v8::Value>) -> Result<T, RenderError>,
) -> Result<T, RenderError> {
    deno_core::scope!(scope, runtime);
    v8::tc_scope!(let scope, scope);

    let called = v8::Local::new(scope, called);
    let this: v8::Local<v8::Value> = v8::undefined(scope).into();
    let mut values = Vec::with_capacity(arguments.len());
    for argument in arguments {
        values.push(match argument {
            Argument::Text(text) => match v8::String::new(scope, text) {
                Some(text) => text.into(),
                None => return Err(RenderError::InputTooLarge),
            },
            Argument::Number(number) => v8::Integer::new_from_unsigned(scope, *number).into(),
        });
    }
    let Some(mut value) = called.call(scope, this, &values) else {
        return Err(thrown(scope));
    };

    if let Ok(promise) = v8::Local::<v8::Promise>::try_from(value) {
        scope.perform_microtask_checkpoint();
        while promise.state() == v8::PromiseState::Pending {
            // The queue of `setTimeout(f, 0)`; an endless one meets the time limits.
            let turn = v8::Local::new(scope, turn);
            match turn.call(scope, this, &[]) {
                Some(more) if more.is_true() => scope.perform_microtask_checkpoint(),
                Some(_) => {
                    return Err(RenderError::Threw(
                        "the promise was still pending when there was nothing left to run".into(),
                    ));
                }
                None => return Err(thrown(scope)),
            }
            if scope.has_terminated() {
                return Err(thrown(scope));
            }
        }
        value = promise.result(scope);
        if promise.state() == v8::PromiseState::Rejected {
            promise.mark_as_handled();
            return Err(RenderError::Threw(describe(scope, value)));
        }
    }
    read(scope, value)
}

/// The exception in flight as an error. After a termination it is missing, and the caller learns
/// the cause from the watch; the text here is for the case that it does not.
fn thrown(scope: &mut v8::PinnedRef<v8::TryCatch<v8::HandleScope>>) -> RenderError {
    match scope.exception() {
        Some(exception) if !scope.has_terminated() => {
            scope.reset();
            RenderError::Threw(describe(scope, exception))
        }
        Some(_) | None => RenderError::Threw("the script was terminated".into()),
    }
}

/// Longest text of an error, in bytes.
const ERROR_TEXT: usize = 4096;

/// An error with its stack, or whatever else was thrown. Runs script of the thrown value only if
/// that is an error whose stack is a getter, and that inside the limits.
pub(crate) fn describe(scope: &mut v8::PinScope<'_, '_>, value: v8::Local<v8::Value>) -> String {
    v8::tc_scope!(let scope, scope);
    let stack = value
        .is_native_error()
        .then(|| v8::Local::<v8::Object>::try_from(value).ok())
        .flatten()
        .and_then(|error| {
            let key = v8::String::new(scope, "stack")?;
            error.get(scope, key.into())
        })
        .and_then(|stack| v8::Local::<v8::String>::try_from(stack).ok())
        .filter(|stack| stack.length() > 0);
    let text = stack.unwrap_or_else(|| v8::Exception::create_message(scope, value).get(scope));
    let mut text = text.to_rust_string_lossy(scope);
    text.truncate(text.floor_char_boundary(ERROR_TEXT));
    text
}

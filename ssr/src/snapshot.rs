//! Snapshots: the polyfills and the bundle, evaluated and warmed, as bytes to start from.
//!
//! A snapshot is tied to the exact V8, its flags, the ops and the polyfills; a seal at its end
//! names them, because V8 ends the process when it meets a foreign one.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::mpsc;

use deno_core::{JsRuntime, JsRuntimeForSnapshot, RuntimeOptions, v8};

use crate::isolate::{Argument, call_and_settle, describe, function, tokio_context};
use crate::{RenderError, SnapshotError, StartError, ops, platform};

/// What a bundle finds besides the language itself, in order of evaluation.
const POLYFILLS: [(&str, &str); 4] = [
    ("ext:ssr/timers.js", include_str!("../js/timers.js")),
    ("ext:ssr/console.js", include_str!("../js/console.js")),
    ("ext:ssr/url.js", include_str!("../js/url.js")),
    (
        "ext:ssr/fragment_cache.js",
        include_str!("../js/fragment_cache.js"),
    ),
];

const GUARD: &str = include_str!("../js/guard.js");

/// The name of the bundle's script in stack traces.
const SCRIPT: &str = "server.js";

/// A snapshot that was checked to be made by this build. It lives as long as the process,
/// because V8 reads from it for as long as an isolate lives.
#[derive(Debug, Clone, Copy)]
pub struct Bundle(&'static [u8]);

impl Bundle {
    /// Takes the bytes that [`make_snapshot`] gave, perhaps by way of a file.
    pub fn new(snapshot: Vec<u8>) -> Result<Self, StartError> {
        let Some((bytes, seal)) = snapshot.split_last_chunk::<SEAL>() else {
            return Err(StartError::ForeignSnapshot("it is too short"));
        };
        if seal[..8] != *MAGIC {
            return Err(StartError::ForeignSnapshot("its end is missing"));
        }
        if seal[8..16] != engine().to_le_bytes() {
            return Err(StartError::ForeignSnapshot(
                "V8, its flags or the polyfills differ",
            ));
        }
        if seal[16..] != sum(bytes).to_le_bytes() {
            return Err(StartError::ForeignSnapshot("its bytes are damaged"));
        }
        let len = bytes.len();
        Ok(Self(&Vec::leak(snapshot)[..len]))
    }

    pub(crate) fn snapshot(self) -> &'static [u8] {
        self.0
    }
}

const MAGIC: &[u8; 8] = b"ssr-snap";
/// Magic, engine, sum.
const SEAL: usize = 24;

/// A number for everything that a snapshot must agree with. Also useful in a file's name.
#[must_use]
pub fn engine() -> u64 {
    let mut hasher = DefaultHasher::new();
    v8::V8::get_version().hash(&mut hasher);
    platform::flags().hash(&mut hasher);
    env!("CARGO_PKG_VERSION").hash(&mut hasher);
    std::env::consts::ARCH.hash(&mut hasher);
    for op in ops::extension().ops.iter() {
        op.name.hash(&mut hasher);
    }
    for (name, code) in POLYFILLS {
        (name, code).hash(&mut hasher);
    }
    hasher.finish()
}

fn sum(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}

/// Evaluates the polyfills and `bundle_js`, calls `__warm`, renders each `(url, json)` of `warm`,
/// and gives the snapshot.
///
/// Module-level `Intl`, timers, pending promises and WebAssembly are found and named, also `Intl`
/// used while warming. Run it in a process of its own all the same: what the checks do not catch
/// makes V8 end the process with its own message.
pub fn make_snapshot(bundle_js: &str, warm: &[(&str, &str)]) -> Result<Vec<u8>, SnapshotError> {
    let bundle = bundle_js.to_owned();
    let warm: Vec<(String, String)> = warm
        .iter()
        .map(|(url, data)| ((*url).to_owned(), (*data).to_owned()))
        .collect();
    let (reply, answer) = mpsc::channel();
    platform::spawn("v8-snapshot", move || {
        let _ = reply.send(make(bundle, &warm));
    })
    .map_err(|error| SnapshotError::Thread(error.to_string()))?;
    answer
        .recv()
        .unwrap_or_else(|_| Err(SnapshotError::Thread("it ended without an answer".into())))
}

fn make(bundle: String, warm: &[(String, String)]) -> Result<Vec<u8>, SnapshotError> {
    let tokio = tokio_context().map_err(|error| SnapshotError::Thread(error.to_string()))?;
    let _context = tokio.enter();
    let mut runtime = JsRuntimeForSnapshot::try_new(RuntimeOptions {
        extensions: vec![ops::extension()],
        ..RuntimeOptions::default()
    })
    .map_err(|error| SnapshotError::Thread(error.to_string()))?;

    if let Err(error) = fill(&mut runtime, &bundle, warm) {
        // A half-filled snapshot isolate can be neither dropped nor written; it is left behind.
        std::mem::forget(runtime);
        return Err(error);
    }
    let mut bytes = runtime.snapshot().into_vec();
    let sum = sum(&bytes);
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&engine().to_le_bytes());
    bytes.extend_from_slice(&sum.to_le_bytes());
    Ok(bytes)
}

fn fill(
    runtime: &mut JsRuntime,
    bundle: &str,
    warm: &[(String, String)],
) -> Result<(), SnapshotError> {
    let failed = |error: &dyn std::fmt::Display| SnapshotError::Evaluation(error.to_string());
    for (name, code) in POLYFILLS {
        runtime
            .execute_script(name, code)
            .map_err(|error| failed(&error))?;
    }
    let guard = runtime
        .execute_script("ext:ssr/guard.js", GUARD)
        .map_err(|error| failed(&error))?;
    if let Err(error) = runtime.execute_script(SCRIPT, bundle.to_owned()) {
        deno_core::scope!(scope, runtime);
        let found = ask(scope, &guard, "thrown");
        report(bundle, &found)?;
        return Err(SnapshotError::Evaluation(with_module(
            bundle,
            &error.to_string(),
        )));
    }

    let (render, warm_up, turn, reset) = {
        deno_core::scope!(scope, runtime);
        v8::tc_scope!(let scope, scope);
        scope.perform_microtask_checkpoint();
        let global = scope.get_current_context().global(scope);
        let own = v8::String::new(scope, "__ssr")
            .and_then(|key| global.get(scope, key.into()))
            .and_then(|own| v8::Local::<v8::Object>::try_from(own).ok())
            .ok_or_else(|| failed(&"the bundle removed __ssr"))?;
        let turn = function(scope, own, "turn").ok_or_else(|| failed(&"no __ssr.turn"))?;
        let reset = function(scope, own, "reset").ok_or_else(|| failed(&"no __ssr.reset"))?;
        let found = ask(scope, &guard, "evaluated");
        report(bundle, &found)?;
        let render = function(scope, global, "__render").ok_or(SnapshotError::NoRender)?;
        let warm_up = function(scope, global, "__warm");
        (
            v8::Global::new(scope, render),
            warm_up.map(|warm_up| v8::Global::new(scope, warm_up)),
            v8::Global::new(scope, turn),
            v8::Global::new(scope, reset),
        )
    };

    let warm_error =
        |error: RenderError| SnapshotError::Warm(with_module(bundle, &error.to_string()));
    if let Some(warm_up) = warm_up {
        call_and_settle(runtime, &warm_up, &turn, &[], |_, _| Ok(())).map_err(warm_error)?;
    }
    for (url, data) in warm {
        call_and_settle(
            runtime,
            &render,
            &turn,
            &[
                Argument::Text(url),
                Argument::Text(data),
                Argument::Number(0),
            ],
            |_, value| match value.is_string() {
                true => Ok(()),
                false => Err(RenderError::Threw("__render did not give a string".into())),
            },
        )
        .map_err(warm_error)?;
    }

    deno_core::scope!(scope, runtime);
    v8::tc_scope!(let scope, scope);
    scope.perform_microtask_checkpoint();
    let this = v8::undefined(scope).into();
    v8::Local::new(scope, &reset).call(scope, this, &[]);
    let found = ask(scope, &guard, "warmed");
    report(bundle, &found)
}

/// Calls one of the guard's functions and gives its findings.
fn ask(scope: &mut v8::PinScope<'_, '_>, guard: &v8::Global<v8::Value>, name: &str) -> String {
    v8::tc_scope!(let scope, scope);
    let guard = v8::Local::new(scope, guard);
    let this = v8::undefined(scope).into();
    let found = v8::Local::<v8::Object>::try_from(guard)
        .ok()
        .and_then(|guard| function(scope, guard, name))
        .and_then(|ask| ask.call(scope, this, &[]));
    match (found, scope.exception()) {
        (Some(found), _) => found.to_rust_string_lossy(scope),
        (None, Some(exception)) => format!("guard\n{}", describe(scope, exception)),
        (None, None) => "guard\nthe guard did not answer".into(),
    }
}

/// The first kind of finding as an error, with all its places.
fn report(bundle: &str, found: &str) -> Result<(), SnapshotError> {
    let findings: Vec<(&str, String)> = found
        .split("\n\n")
        .filter_map(|one| one.split_once('\n'))
        .map(|(kind, place)| (kind, with_module(bundle, place)))
        .collect();
    let Some((first, _)) = findings.first() else {
        return Ok(());
    };
    let places = findings
        .iter()
        .filter(|(kind, _)| kind == first)
        .map(|(_, place)| place.as_str())
        .collect::<Vec<_>>()
        .join("; ");
    Err(match *first {
        "intl" => SnapshotError::Intl(places),
        "timer" => SnapshotError::Timer(places),
        "promise" => SnapshotError::PendingPromise(places),
        "wasm" => SnapshotError::Wasm(places),
        _ => SnapshotError::Evaluation(places),
    })
}

/// Adds the module's name to a place `server.js:LINE:…`: esbuild writes it in a comment before
/// each module, unless it minifies white space.
fn with_module(bundle: &str, text: &str) -> String {
    let line = text
        .split_once("server.js:")
        .and_then(|(_, rest)| rest.split(|letter: char| !letter.is_ascii_digit()).next())
        .and_then(|line| line.parse::<usize>().ok());
    let module = line.and_then(|line| {
        let before: Vec<&str> = bundle.lines().take(line).collect();
        before.into_iter().rev().find_map(|line| {
            let name = line.trim().strip_prefix("// ")?;
            let is_file = [".js", ".mjs", ".cjs", ".ts", ".tsx", ".jsx", ".json"]
                .iter()
                .any(|end| name.ends_with(end));
            (is_file && !name.contains(' ')).then_some(name)
        })
    });
    match module {
        Some(module) => format!("{text} [{module}]"),
        None => text.to_owned(),
    }
}

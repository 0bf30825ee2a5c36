//! Rejections that no one handled: counted and told, never an error of the isolate.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use deno_core::v8;

/// Rejections without a handler, by the hash of their promise: a `Global` here would have to be
/// dropped before the isolate.
#[derive(Default)]
struct Rejections {
    open: RefCell<VecDeque<(i32, String)>>,
    count: Cell<u64>,
}

const REJECTIONS_KEPT: usize = 8;

impl Rejections {
    fn take(&self) -> (u64, Vec<String>) {
        let texts = self.open.take().into_iter().map(|(_, text)| text).collect();
        (self.count.take(), texts)
    }
}

/// Takes deno_core's place, for which a rejection without a handler is an error of the whole
/// isolate at the next turn of its event loop.
pub(crate) fn track(isolate: &mut v8::OwnedIsolate) {
    isolate.set_slot(Rejections::default());
    isolate.set_promise_reject_callback(on_reject);
}

/// How many there were since the last call, and the texts of the first.
pub(crate) fn take(isolate: &mut v8::OwnedIsolate) -> (u64, Vec<String>) {
    isolate
        .get_slot::<Rejections>()
        .map(Rejections::take)
        .unwrap_or_default()
}

extern "C" fn on_reject(message: v8::PromiseRejectMessage) {
    v8::callback_scope!(unsafe scope, &message);
    let hash = message.get_promise().get_identity_hash().get();
    let event = message.get_event();
    let text = match (event, message.get_value()) {
        (v8::PromiseRejectEvent::PromiseRejectWithNoHandler, Some(value)) => {
            // No script runs here: `create_message` reads without side effects.
            v8::Exception::create_message(scope, value)
                .get(scope)
                .to_rust_string_lossy(scope)
        }
        _ => String::new(),
    };
    let Some(rejections) = scope.get_slot::<Rejections>() else {
        return;
    };
    match event {
        v8::PromiseRejectEvent::PromiseRejectWithNoHandler => {
            rejections.count.set(rejections.count.get() + 1);
            let mut open = rejections.open.borrow_mut();
            if open.len() < REJECTIONS_KEPT {
                open.push_back((hash, text));
            }
        }
        v8::PromiseRejectEvent::PromiseHandlerAddedAfterReject => {
            rejections
                .count
                .set(rejections.count.get().saturating_sub(1));
            rejections.open.borrow_mut().retain(|(one, _)| *one != hash);
        }
        v8::PromiseRejectEvent::PromiseRejectAfterResolved
        | v8::PromiseRejectEvent::PromiseResolveAfterResolved => {}
    }
}

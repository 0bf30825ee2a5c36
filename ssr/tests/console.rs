//! What a bundle says to its console while it renders. Alone in its process, because a log is one for all.

mod support;

use std::{
    fmt::{Debug, Write as _},
    sync::{Arc, Mutex},
};

use support::{calm, ok, start};
use tracing::{
    Event, Level, Metadata, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id, Record},
};

/// All that a log of production takes: warnings and worse, with all of their fields.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<String>>);

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, _: &Field, value: &dyn Debug) {
        let _ = write!(self.0, "{value:?} ");
    }
}

impl Subscriber for Log {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= Level::INFO
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut line = Line(String::new());
        event.record(&mut line);
        self.0.lock().expect("a log").push_str(&line.0);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// S-21: an address that it can't read may hold a guest's words.
#[tokio::test]
async fn that_something_was_said_is_told_and_its_words_are_not() {
    let log = Log::default();
    tracing::subscriber::set_global_default(log.clone()).expect("the first log of this process");
    let renderer = start(calm());
    ok(&renderer, "/says/canary").await;
    let log_text = log.0.lock().expect("a log").clone();
    assert!(log_text.contains("a warning to its console"), "{log_text}");
    assert!(log_text.contains("an error to its console"), "{log_text}");
    assert!(!log_text.contains("canary"), "{log_text}");
}

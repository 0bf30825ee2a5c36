//! A watchdog that gets no core between its kill and its answer: here, because writing the log takes that long. Alone
//! in its process, because a log is one for all.

mod support;

use std::time::Duration;

use ssr::{Limit, Options, RenderError};
use support::{calm, fails, is_well, start};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

struct SlowLog;

impl Subscriber for SlowLog {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() == Level::ERROR
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {
        std::thread::sleep(Duration::from_millis(500));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// the isolate is long gone when the watchdog gets to its answer; the caller hears the reason all the same.
#[tokio::test]
async fn who_is_stopped_hears_why_though_the_isolate_ends_first() {
    tracing::subscriber::set_global_default(SlowLog).expect("the first log of this process");
    let renderer = start(Options {
        wall_limit: Duration::from_millis(300),
        ..calm()
    });
    let error = fails(&renderer, "/loop").await;
    assert!(
        matches!(
            error,
            RenderError::Timeout {
                limit: Limit::Wall,
                ..
            }
        ),
        "{error}"
    );
    is_well(&renderer).await;
    assert_eq!(renderer.stats().killed_wall, 1);
}

//! whatever a bundle does, the process lives and the next render is right.

mod support;

use std::time::{Duration, Instant};

use ssr::{Limit, Options, RenderError};
use support::{calm, fails, is_well, ok, rss, start, until};

#[tokio::test]
async fn an_endless_loop_is_stopped_and_the_next_request_is_served() {
    // The limit of whoever sets none; a shorter one saves this test its time.
    let usual = Options::default().cpu_limit;
    assert_eq!(usual, Duration::from_millis(500));
    let renderer = start(Options {
        cpu_limit: Duration::from_millis(300),
        wall_limit: Duration::from_secs(30),
        ..calm()
    });
    let loops = [
        "/loop",
        "/loop-in-promise",
        "/loop-of-microtasks",
        "/loop-of-timers",
        "/loop-in-finally",
        "/loop-in-regexp",
        "/loop-of-arrays",
    ];
    for (killed, url) in (1..).zip(loops) {
        until(&renderer, "a spare", |stats| stats.spares == 1).await;
        let error = fails(&renderer, url).await;
        assert!(
            matches!(
                error,
                RenderError::Timeout {
                    limit: Limit::Cpu,
                    ..
                }
            ),
            "{url}: {error}"
        );
        let back = Instant::now();
        is_well(&renderer).await;
        println!("{url}: {error}; next answer after {:?}", back.elapsed());
        assert_eq!(renderer.stats().killed_cpu, killed, "{url}");
        // The caller has its answer before the thread ends; the thread must end all the same.
        until(&renderer, url, |stats| stats.leaving == 0).await;
    }
}

#[tokio::test]
async fn a_loop_is_stopped_by_the_clock_when_cores_are_scarce() {
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

#[tokio::test]
async fn buffers_outside_of_the_heap_have_a_limit_too() {
    let renderer = start(calm());
    let before = rss();
    let error = fails(&renderer, "/memory-buffers").await;
    // V8 asks for more heap before it gives up and throws a RangeError; both are an end.
    assert!(
        matches!(error, RenderError::HeapLimit | RenderError::Threw(_)),
        "{error}"
    );
    assert!(
        rss() < before + (200 << 20),
        "{} → {} MB",
        before >> 20,
        rss() >> 20
    );
    is_well(&renderer).await;
}

#[tokio::test]
async fn strings_that_double_end_in_an_error() {
    let renderer = start(Options {
        heap_limit: 128 << 20,
        ..calm()
    });
    let error = fails(&renderer, "/memory-doubling-string").await;
    assert!(
        matches!(error, RenderError::HeapLimit | RenderError::Threw(_)),
        "{error}"
    );
    is_well(&renderer).await;
}

#[tokio::test]
async fn what_is_thrown_becomes_an_error_and_the_isolate_stays() {
    let renderer = start(calm());
    let expected = [
        ("/throw", "Error: the soup is cold"),
        ("/throw-text", "only text"),
        ("/throw-nothing", "undefined"),
        ("/throw-trap", "[object Object]"),
        ("/reject", "Error: the promise is broken"),
        ("/deep", "RangeError: Maximum call stack size exceeded"),
        ("/never", "still pending"),
        ("/slow-timer", "still pending"),
        ("/number", "did not give a string"),
        ("/no-head", "line of JSON"),
        ("/no-such-command", "TypeError"),
    ];
    for (url, text) in expected {
        let error = fails(&renderer, url).await;
        assert!(
            matches!(&error, RenderError::Threw(message) if message.contains(text)),
            "{url}: {error}"
        );
        is_well(&renderer).await;
    }
    let stats = renderer.stats();
    assert_eq!(stats.threw, expected.len() as u64);
    assert_eq!(
        stats.killed_cpu + stats.killed_wall + stats.killed_heap + stats.failed,
        0
    );
}

#[tokio::test]
async fn an_error_names_its_place_in_the_bundle() {
    let renderer = start(calm());
    let error = fails(&renderer, "/throw").await;
    assert!(error.to_string().contains("server.js:"), "{error}");
}

#[tokio::test]
async fn an_unhandled_rejection_is_counted_and_harms_nothing() {
    let renderer = start(calm());
    assert_eq!(ok(&renderer, "/unhandled").await.html, "<p>fine</p>");
    assert_eq!(renderer.stats().unhandled_rejections, 1);
    assert_eq!(ok(&renderer, "/late-handled").await.html, "<p>caught</p>");
    assert_eq!(renderer.stats().unhandled_rejections, 1);
    // The event loop turns after a while of rest; it must not meet the rejection.
    tokio::time::sleep(Duration::from_millis(100)).await;
    is_well(&renderer).await;
    assert_eq!(renderer.stats().failed, 0);
}

#[tokio::test]
async fn input_and_output_have_limits() {
    let renderer = start(Options {
        max_input: 1000,
        max_output: 10_000,
        ..calm()
    });
    let data = format!("\"{}\"", "x".repeat(1000));
    assert_eq!(
        renderer.render("/hello", data).await,
        Err(RenderError::InputTooLarge)
    );
    assert_eq!(
        fails(&renderer, "/large").await,
        RenderError::OutputTooLarge
    );
    // 6,000 letters are 12,000 bytes.
    assert_eq!(
        fails(&renderer, "/large-letters").await,
        RenderError::OutputTooLarge
    );
    assert_eq!(renderer.stats().too_large, 3);
    is_well(&renderer).await;
}

#[tokio::test]
async fn promises_and_immediate_timers_settle() {
    let renderer = start(calm());
    assert_eq!(ok(&renderer, "/promise").await.html, "<p>Aigul</p>");
    assert_eq!(ok(&renderer, "/timer").await.html, "<p>timer</p>");
    assert_eq!(ok(&renderer, "/log").await.html, "<p>logged</p>");
    assert_eq!(ok(&renderer, "/surrogate").await.html, "<p>\u{fffd}</p>");
}

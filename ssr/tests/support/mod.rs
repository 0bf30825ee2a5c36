//! A renderer over a tiny bundle, and the process's memory.
#![allow(dead_code, reason = "each test file uses a part")]

use std::time::{Duration, Instant};

use ssr::{Bundle, Options, RenderError, Rendered, Renderer, Stats, make_snapshot};

/// What most tests render: the commands are in the URL.
pub const BUNDLE: &str = include_str!("bundle.js");

pub fn bundle(js: &str) -> Bundle {
    Bundle::new(make_snapshot(js, &[]).expect("the bundle becomes a snapshot"))
        .expect("the snapshot is of this build")
}

/// Limits that a loaded machine cannot reach by chance, except where a test sets one.
pub fn calm() -> Options {
    Options {
        isolates: 1,
        queue: 1000,
        max_wait: Duration::from_secs(60),
        cpu_limit: Duration::from_secs(20),
        wall_limit: Duration::from_secs(60),
        start_limit: Duration::from_secs(60),
        breaker_losses: 1000,
        ..Options::default()
    }
}

pub fn start(options: Options) -> Renderer {
    Renderer::start(bundle(BUNDLE), options).expect("the renderer starts")
}

pub async fn ok(renderer: &Renderer, url: &str) -> Rendered {
    renderer
        .render(url, "{\"name\":\"Aigul\"}")
        .await
        .unwrap_or_else(|error| panic!("{url}: {error}"))
}

pub async fn fails(renderer: &Renderer, url: &str) -> RenderError {
    match renderer.render(url, "{}").await {
        Ok(rendered) => panic!("{url} rendered: {}", rendered.html),
        Err(error) => error,
    }
}

/// The process lives and the next render is right.
pub async fn is_well(renderer: &Renderer) {
    let rendered = ok(renderer, "/hello").await;
    assert_eq!(rendered.head, "{\"title\":\"/hello\"}");
    assert_eq!(rendered.html, "<p>Aigul</p>");
}

pub async fn until(renderer: &Renderer, what: &str, holds: impl Fn(&Stats) -> bool) {
    let begun = Instant::now();
    while !holds(&renderer.stats()) {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "{what}: {:?}",
            renderer.stats()
        );
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Bytes of memory that the process really holds.
pub fn rss() -> usize {
    let status = std::fs::read_to_string("/proc/self/statm").expect("Linux tells");
    let pages: usize = status
        .split(' ')
        .nth(1)
        .and_then(|n| n.parse().ok())
        .expect("a number");
    pages * 4096
}

pub fn threads() -> usize {
    std::fs::read_dir("/proc/self/task")
        .expect("Linux tells")
        .count()
}

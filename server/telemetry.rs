//! Logs and traces: one JSON object a line on standard error, and spans that may be exported over OTLP.
//!
//! Spans: `request` (inside the page cache, so that what is answered from ready bytes costs none; around everything
//! when spans are exported), `load`, `render`, and `upstream` for each attempt of a call. A log line inside of one
//! carries its fields, above all the request's id. No span holds anything personal: paths are templates (S-21).

use std::{
    error::Error as _,
    sync::{
        Arc, LazyLock, OnceLock,
        atomic::{AtomicU32, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use opentelemetry::{
    KeyValue,
    propagation::{Extractor, Injector, TextMapPropagator},
    trace::TracerProvider as _,
};
use opentelemetry_otlp::WithExportConfig as _;
use opentelemetry_sdk::{
    Resource,
    propagation::TraceContextPropagator,
    trace::{Sampler, SdkTracerProvider},
};
use tracing::{Instrument as _, Span};
use tracing_appender::non_blocking::{ErrorCounter, NonBlockingBuilder, WorkerGuard};
use tracing_opentelemetry::OpenTelemetrySpanExt as _;
use tracing_subscriber::{EnvFilter, layer::SubscriberExt as _, util::SubscriberInitExt as _};

/// Waited for at the end, for spans that are not exported yet.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(3);

/// Stands before what `LOG` says, which may take it back. The session library warns of each cookie that names no session:
/// anybody could fill the log with made-up ones. Of a store that fails it says no word that this server does not say too.
const QUIET: &str = "tower_sessions=off";

/// What to tell, and to whom.
#[derive(Debug, Clone, Copy)]
pub struct Options<'a> {
    /// What to log, such as `info,dastarkhan=debug`.
    pub log: &'a str,
    /// Where spans go: the address that takes OTLP over HTTP, with its path.
    pub otlp_url: Option<&'a str>,
    /// Share of the requests that are traced, 0 to 1, where the caller has not decided.
    pub otlp_share: f64,
}

/// Lines that wait for whoever reads the log. A reader that stands still must not hold up a request: what comes beyond
/// them is dropped and counted.
const LINES: usize = 10_000;

static DROPPED: OnceLock<ErrorCounter> = OnceLock::new();

/// Log lines that were dropped, as their reader stood still.
#[must_use]
pub fn dropped_lines() -> u64 {
    let dropped = DROPPED.get().map_or(0, ErrorCounter::dropped_lines);
    u64::try_from(dropped).unwrap_or(u64::MAX)
}

/// Holds the exporter and the writer of the log; ends with the process.
#[derive(Debug)]
pub struct Telemetry {
    spans: SdkTracerProvider,
    /// Writes what waits, for a second at most, when it goes.
    _lines: WorkerGuard,
}

/// Begins logging and tracing, once for the process.
///
/// # Errors
/// When the filter or the address can't be used.
pub fn start(options: Options<'_>) -> Result<Telemetry> {
    let filter = EnvFilter::try_new(format!("{QUIET},{}", options.log)).context("LOG")?;
    let provider = provider(options)?;
    let traces = tracing_opentelemetry::layer()
        .with_tracer(provider.tracer("dastarkhan"))
        .with_location(false)
        .with_threads(false)
        .with_tracked_inactivity(false);
    let (writer, guard) = NonBlockingBuilder::default()
        .lossy(true)
        .buffered_lines_limit(LINES)
        .thread_name("log")
        .finish(std::io::stderr());
    DROPPED.get_or_init(|| writer.error_counter());
    let lines = tracing_subscriber::fmt::layer()
        .json()
        .flatten_event(true)
        .with_current_span(false)
        .with_span_list(true)
        .with_writer(writer);
    tracing_subscriber::registry()
        .with(filter)
        .with(lines)
        .with(traces)
        .init();
    Ok(Telemetry {
        spans: provider,
        _lines: guard,
    })
}

/// Without an address nothing is exported: spans only name the trace for the upstream.
fn provider(options: Options<'_>) -> Result<SdkTracerProvider> {
    let builder = SdkTracerProvider::builder();
    let Some(url) = options.otlp_url else {
        return Ok(builder
            .with_sampler(Sampler::ParentBased(Box::new(Sampler::AlwaysOff)))
            .build());
    };
    let exporter = opentelemetry_otlp::SpanExporter::builder()
        .with_http()
        .with_endpoint(url)
        .with_timeout(Duration::from_secs(5))
        .build()
        .context("OTLP_URL")?;
    let resource = Resource::builder()
        .with_service_name("dastarkhan")
        .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
        .build();
    let own = Sampler::TraceIdRatioBased(options.otlp_share);
    Ok(builder
        .with_sampler(Sampler::ParentBased(Box::new(own)))
        .with_resource(resource)
        .with_batch_exporter(exporter)
        .build())
}

impl Telemetry {
    /// Exports what is left. Blocks for three seconds at most.
    pub fn stop(self) {
        // No receiver is left.
        let _ = self.spans.shutdown_with_timeout(SHUTDOWN_TIMEOUT);
    }
}

/// Continues the trace of the sender of these headers (W3C `traceparent`).
pub fn continue_trace(span: &Span, headers: &HeaderMap) {
    let parent = TraceContextPropagator::new().extract(&Incoming(headers));
    // A span that the log's filter left out has no parent either.
    let _ = span.set_parent(parent);
}

/// Names the current trace to the receiver of these headers (W3C `traceparent`).
pub fn name_trace(headers: &mut HeaderMap) {
    let context = Span::current().context();
    TraceContextPropagator::new().inject_context(&context, &mut Outgoing(headers));
}

tokio::task_local! {
    static CALLS: Calls;
}

/// How often the upstream was called for a request.
#[derive(Debug, Clone, Default)]
pub struct Calls(Arc<AtomicU32>);

impl Calls {
    /// Counts what `work` sends.
    pub async fn count<T>(&self, work: impl Future<Output = T>) -> T {
        CALLS.scope(self.clone(), work).await
    }

    /// Calls by now, each try of its own.
    #[must_use]
    pub fn so_far(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }
}

/// One more call of the upstream; outside of a request it is not counted.
pub fn count_call() {
    let _ = CALLS.try_with(|calls| calls.0.fetch_add(1, Ordering::Relaxed));
}

/// Work in a task of its own that belongs to this request all the same: in its log lines and its number of calls.
pub fn of_request<F: Future>(work: F) -> impl Future<Output = F::Output> {
    let calls = CALLS.try_with(Clone::clone).unwrap_or_default();
    CALLS.scope(calls, work.in_current_span())
}

/// Why a request did not get through, in the words of the system: an unknown name, a closed port, a
/// certificate of another server, no time left. Its address is not among them, which may hold a key.
#[must_use]
pub fn reason(error: &reqwest::Error) -> String {
    let sources = std::iter::successors(error.source(), |&source| source.source());
    let words: Vec<String> = sources
        .map(ToString::to_string)
        // The client's own word for whatever comes behind it.
        .filter(|word| !word.starts_with("client error"))
        .collect();
    if words.is_empty() {
        "the connection was lost".to_owned()
    } else {
        words.join(": ")
    }
}

/// Says a thing at most once a second: under load what happens to every page is one line, not one a page.
#[derive(Debug, Default)]
pub struct Throttle {
    /// Milliseconds, one more than they are: none yet.
    last: AtomicU64,
    suppressed: AtomicU64,
}

impl Throttle {
    /// Nothing said yet.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            last: AtomicU64::new(0),
            suppressed: AtomicU64::new(0),
        }
    }

    /// Whether to say it now, and how often it went unsaid before.
    pub fn admit(&self) -> Option<u64> {
        static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
        let now = u64::try_from(BEGIN.elapsed().as_millis()).unwrap_or(u64::MAX) + 1;
        let last = self.last.load(Ordering::Relaxed);
        let due = last == 0 || now >= last + 1000;
        let mine = due
            && self
                .last
                .compare_exchange(last, now, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok();
        if !mine {
            self.suppressed.fetch_add(1, Ordering::Relaxed);
            return None;
        }
        Some(self.suppressed.swap(0, Ordering::Relaxed))
    }
}

struct Incoming<'a>(&'a HeaderMap);

impl Extractor for Incoming<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(HeaderName::as_str).collect()
    }
}

struct Outgoing<'a>(&'a mut HeaderMap);

impl Injector for Outgoing<'_> {
    fn set(&mut self, key: &str, value: String) {
        let name = HeaderName::from_bytes(key.as_bytes());
        let value = HeaderValue::from_str(&value);
        if let (Ok(name), Ok(value)) = (name, value)
            && !value.is_empty()
        {
            self.0.insert(name, value);
        }
    }
}

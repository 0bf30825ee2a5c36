//! The admin address: `/livez`, `/readyz`, `/metrics`. Not for guests.

use std::time::Duration;

use axum::{Router, extract::State, http::StatusCode, response::IntoResponse, routing::get};
use metrics_exporter_prometheus::{BuildError, PrometheusBuilder, PrometheusHandle};

use crate::{server::Server, state::Health, telemetry, web::log::metrics::describe};

/// How often what was measured is added up.
const UPKEEP: Duration = Duration::from_secs(5);

/// Installs the recorder that all `metrics` macros write to. Once per process, inside of its runtime.
///
/// Each measured time is held until it is added up, which happens only when `/metrics` is read: so it is done here.
///
/// # Errors
/// When another recorder is installed already.
pub fn recorder() -> Result<PrometheusHandle, BuildError> {
    let recorder = PrometheusBuilder::new()
        .set_buckets(&[
            0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0,
        ])?
        .install_recorder()?;
    describe();
    let own = recorder.clone();
    tokio::spawn(async move {
        let mut ticks = tokio::time::interval(UPKEEP);
        loop {
            ticks.tick().await;
            own.run_upkeep();
        }
    });
    Ok(recorder)
}

/// The admin address' routes.
pub fn router(server: Server, metrics: PrometheusHandle) -> Router {
    Router::new()
        .route("/livez", get(|| async { "alive\n" }))
        .route("/readyz", get(ready))
        .route("/metrics", get(text))
        .with_state(Admin { server, metrics })
}

#[derive(Clone)]
struct Admin {
    server: Server,
    metrics: PrometheusHandle,
}

/// Ready when isolates are warm and the server is not draining; the store's state is told but does not fail it.
async fn ready(State(admin): State<Admin>) -> impl IntoResponse {
    let app = &admin.server.app;
    let isolates = app.renderer.stats().isolates;
    let ready = app.is_ready() && isolates > 0;
    let store = app.state.health().await.word();
    let status = if ready {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    (
        status,
        format!("ready {ready}\nisolates {isolates}\nstore {store}\n"),
    )
}

async fn text(State(admin): State<Admin>) -> String {
    let app = &admin.server.app;
    let health = app.state.health().await;
    for state in Health::ALL {
        let now = f64::from(u8::from(state == health));
        metrics::gauge!("state_health", "state" => state.word()).set(now);
    }
    let stats = app.renderer.stats();
    gauge("ssr_queue_depth", stats.queued);
    gauge("ssr_isolates", stats.isolates);
    gauge("ssr_spares", stats.spares);
    gauge("page_cache_pages", admin.server.site.cache.len());
    for (cause, count) in [
        ("cpu", stats.killed_cpu),
        ("wall", stats.killed_wall),
        ("heap", stats.killed_heap),
        ("failed", stats.failed),
    ] {
        metrics::counter!("ssr_terminations_total", "cause" => cause).absolute(count);
    }
    metrics::counter!("log_lines_dropped_total").absolute(telemetry::dropped_lines());
    metrics::counter!("ssr_renders_total").absolute(stats.rendered);
    metrics::counter!("ssr_render_microseconds_total").absolute(stats.render_micros);
    metrics::counter!("ssr_wait_microseconds_total").absolute(stats.wait_micros);
    gauge(
        "ssr_usual_render_microseconds",
        usize::try_from(stats.usual_micros).unwrap_or(usize::MAX),
    );
    metrics::counter!("ssr_threw_total").absolute(stats.threw);
    metrics::counter!("ssr_overloaded_total").absolute(stats.overloaded);
    metrics::counter!("ssr_recycled_total").absolute(stats.recycled);
    metrics::counter!("ssr_unhandled_rejections_total").absolute(stats.unhandled_rejections);
    gauge(
        "ssr_heap_bytes",
        usize::try_from(stats.heap_bytes).unwrap_or(usize::MAX),
    );
    admin.metrics.run_upkeep();
    admin.metrics.render()
}

fn gauge(name: &'static str, value: usize) {
    // Exact below 2^53, which these never reach.
    #[expect(clippy::cast_precision_loss, reason = "gauges are floats")]
    metrics::gauge!(name).set(value as f64);
}

//! What happened to one request: its id on every line, one trace through the upstream, spans for a collector.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
};

use axum::{Router, body::Bytes, extract::State, routing::post};
use serde_json::Value;

use crate::support::{Product, VENUE, eventually};

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const SPAN: &str = "b7ad6b7169203331";

fn menu() -> String {
    format!("/filials/{VENUE}")
}

/// The `traceparent` headers that the upstream got, each in its four parts.
async fn traced(product: &Product) -> Vec<Vec<String>> {
    let log = product.sandbox_get("log").await;
    log.iter()
        .filter(|entry| entry["headers"]["x-language"].is_string())
        // The countries and the remote configuration are asked for at the start, by nobody's request.
        .filter(|entry| {
            let path = entry["path"].as_str().unwrap_or_default();
            !path.contains("/countries/") && !path.contains("/remote-config")
        })
        .map(|entry| {
            let header = entry["headers"]["traceparent"].as_str().unwrap_or_default();
            header.split('-').map(str::to_owned).collect()
        })
        .collect()
}

#[tokio::test]
async fn a_failure_of_the_upstream_is_logged_with_the_id_of_the_request() {
    let product = Product::with(&["--log", "warn"]).await;
    product.fail("/menu/v2/category", 500).await;
    let id = product
        .guest()
        .get(&menu())
        .await
        .header("x-request-id")
        .to_owned();
    // A busy machine writes it after the answer.
    let told = (0..100)
        .map(|_| product.logged("\"The upstream failed"))
        .find(|lines| !lines.is_empty())
        .expect("it is logged");
    for line in told {
        let line: Value = serde_json::from_str(&line).unwrap();
        let spans = line["spans"].as_array().unwrap();
        assert!(
            spans.iter().any(|span| span["request.id"] == id.as_str()),
            "{line}"
        );
    }
}

#[tokio::test]
async fn the_upstream_calls_of_a_page_are_of_one_trace_and_each_has_a_span_of_its_own() {
    let product = Product::with(&["--catalogue-fresh-ms", "1", "--page-fresh-ms", "0"]).await;
    let mut traces = BTreeSet::new();
    for _ in 0..2 {
        product.forget_log().await;
        // From the street: somebody else's trace is not theirs to fill.
        let incoming = format!("00-{TRACE}-{SPAN}-01");
        let page = product
            .guest()
            .get_with(&menu(), &[("traceparent", incoming.as_str())])
            .await;
        assert_eq!(page.status, 200);
        let calls = traced(&product).await;
        assert!(calls.len() > 2, "{calls:?}");
        let ids: BTreeSet<_> = calls.iter().map(|parts| parts[1].clone()).collect();
        let spans: BTreeSet<_> = calls.iter().map(|parts| parts[2].clone()).collect();
        assert_eq!((ids.len(), spans.len()), (1, calls.len()), "{calls:?}");
        assert!(!ids.contains(TRACE));
        traces.extend(ids);
    }
    assert_eq!(traces.len(), 2, "each request is a trace");
}

#[tokio::test]
async fn a_trace_that_our_proxy_began_goes_on_to_the_upstream() {
    let product = Product::with(&["--trusted-proxies", "127.0.0.1"]).await;
    product.forget_log().await;
    let incoming = format!("00-{TRACE}-{SPAN}-01");
    product
        .guest()
        .get_with(&menu(), &[("traceparent", incoming.as_str())])
        .await;
    let calls = traced(&product).await;
    assert!(!calls.is_empty());
    for parts in calls {
        assert_eq!((parts[0].as_str(), parts[1].as_str()), ("00", TRACE));
        assert_ne!(parts[2], SPAN);
        assert_eq!(parts[3], "01", "what the proxy samples stays sampled");
    }
    // What is no trace context is as good as none.
    product.forget_log().await;
    let page = product
        .guest()
        .get_with("/filials/1043", &[("traceparent", "00-xyz-1-01")])
        .await;
    assert_eq!(page.status, 200);
}

#[tokio::test]
async fn spans_are_exported_over_otlp_when_a_collector_is_named_and_hold_nothing_personal() {
    let taken: Arc<Mutex<Vec<u8>>> = Arc::default();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let collector = format!("http://{}/v1/traces", listener.local_addr().unwrap());
    let take = |State(taken): State<Arc<Mutex<Vec<u8>>>>, body: Bytes| async move {
        taken.lock().unwrap().extend_from_slice(&body);
    };
    let router = Router::new()
        .route("/v1/traces", post(take))
        .with_state(Arc::clone(&taken));
    tokio::spawn(async move { axum::serve(listener, router).await });

    let product = Product::with(&[
        "--otlp-url",
        &collector,
        "--linger-seconds",
        "0",
        "--page-fresh-ms",
        "60000",
    ])
    .await;
    let guest = product.guest();
    guest.get(&format!("{}?promo=SECRETWORD", menu())).await;
    // Also what is answered from ready bytes has its span.
    for _ in 0..3 {
        guest.get("/assets/no-such-file.js").await;
    }
    let calls = traced(&product).await;
    let trace = hex::decode(&calls[0][1]).unwrap();
    product.terminate();
    let holds = |wanted: &[u8]| {
        let taken = taken.lock().unwrap();
        taken.windows(wanted.len()).any(|part| part == wanted)
    };
    eventually(20, || async { holds(b"upstream").then_some(()) }).await;
    for wanted in [
        b"dastarkhan".as_slice(),
        b"request",
        b"load",
        b"render",
        b"/filials/{filial_id}",
        b"/assets/{name}",
        &trace,
    ] {
        assert!(holds(wanted), "{}", String::from_utf8_lossy(wanted));
    }
    assert!(!holds(b"SECRETWORD"));
}

//! Nothing personal in the logs, whatever goes wrong (S-21).

use std::{
    io::Write,
    sync::{Arc, Mutex},
};

use dastarkhan::upstream::{
    Bearer, Coordinates, Fingerprint, Grant, IdempotencyKey, LocationsQuery,
};
use serde_json::json;

use crate::{
    double::{Double, Reply, guest},
    samples::{CALLS, call, express},
};

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Log {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }

    fn subscriber(&self) -> impl tracing::Subscriber + Send + Sync + use<> {
        let writer = self.clone();
        tracing_subscriber::fmt()
            .with_max_level(tracing::Level::DEBUG)
            .with_ansi(false)
            .without_time()
            .with_writer(move || writer.clone())
            .finish()
    }
}

#[tokio::test]
async fn an_exception_of_the_api_is_reported_without_authorization_and_a_lost_network_is_none() {
    let log = Log::default();
    // For this thread alone, on which all of this test runs.
    let _guard = tracing::subscriber::set_default(log.subscriber());
    let mut caller = guest();
    caller.bearer = Bearer::new("canary-token");
    let double = Double::start(|_, _| Reply::Json(422, json!({ "error_code": 422 }))).await;
    call(&double.client(), &caller, "order").await.unwrap_err();
    let text = log.text();
    let line = text
        .lines()
        .find(|line| line.contains("The upstream refused"))
        .unwrap();
    for told in [
        "upstream.status=422",
        "upstream.method=GET",
        "x-fingerprint",
        "x-language",
        "upstream.params=\"order_id\"",
    ] {
        assert!(line.contains(told), "{told}: {line}");
    }
    assert!(!line.contains("device-1"), "{line}");
    assert!(line.contains("upstream.signed_in=true"), "{line}");

    // What was sent and what was answered, by names and by the API's own code.
    let refused = |_, _: &_| {
        let error = json!({ "code": "closed", "title": "canary title", "meta": { "x": "canary" } });
        Reply::Json(422, json!({ "errors": [error] }))
    };
    let double = Double::start(refused).await;
    call(&double.client(), &guest(), "cooking_time")
        .await
        .unwrap_err();
    let text = log.text();
    let line = text
        .lines()
        .rfind(|line| line.contains("The upstream refused"))
        .unwrap();
    for told in [
        "upstream.method=POST",
        "upstream.call=\"takeaway/order/cooking_time\"",
        "upstream.body=\"filial_id,products\"",
        "upstream.signed_in=false",
        "upstream.code=\"closed\"",
    ] {
        assert!(line.contains(told), "{told}: {line}");
    }
    assert!(!text.contains("authorization") && !text.contains("canary"));

    let lost = Log::default();
    let _guard = tracing::subscriber::set_default(lost.subscriber());
    let double = Double::start(|_, _| Reply::Break).await;
    call(&double.client(), &caller, "order").await.unwrap_err();
    let hanging = Double::start(|_, _| Reply::Hang).await;
    let client = hanging.client();
    let given_up = call(&client, &caller, "order");
    let given_up = tokio::time::timeout(std::time::Duration::from_millis(300), given_up).await;
    assert!(given_up.is_err());
    let text = lost.text();
    assert!(text.contains("The upstream failed: the upstream failed (connection lost)"));
    assert!(!text.contains("upstream.headers"), "no exception: {text}");
    let failures = text.matches("The upstream failed").count();
    assert_eq!(
        failures, 1,
        "a call that was given up is not reported: {text}"
    );
}

#[tokio::test]
async fn no_canary_reaches_the_log() {
    let log = Log::default();
    // For the whole binary: what other tests log meanwhile must be as clean.
    tracing::subscriber::set_global_default(log.subscriber()).unwrap();

    let canary = json!({ "error_code": 422, "message": "canary-message", "errors": [{ "code": "canary-code", "title": "canary-title" }] });
    let mut caller = guest();
    caller.bearer = Bearer::new("canary-token");
    caller.fingerprint = Fingerprint::new("canary-device");
    caller.coordinates = Coordinates::new(43.123_45, 76.543_21);
    let mut order = express();
    order.name = "canary-name".to_owned();
    order.comment = "canary-comment".to_owned();
    let search = LocationsQuery {
        search: "canary-search".to_owned(),
        ..LocationsQuery::default()
    };
    for status in [200, 401, 404, 422, 503] {
        let answer = canary.clone();
        let double = Double::start(move |_, _| Reply::Json(status, answer.clone())).await;
        let client = double.client();
        for name in CALLS {
            let _either_way = call(&client, &caller, name).await;
        }
        let key = IdempotencyKey::new("canary-key").unwrap();
        client
            .place_express_order(&caller, &order, &key)
            .await
            .unwrap_err();
        client.locations(&caller, &search).await.unwrap_err();
    }

    let double =
        Double::start(|_, _| Reply::Json(401, json!({ "message": "canary-message" }))).await;
    let track = "canary-track".parse().unwrap();
    double
        .client()
        .token(&caller, "web", Grant::Track(&track))
        .await
        .unwrap_err();
    double.client().track(&caller).await.unwrap_err();

    let text = log.text();
    assert!(text.contains("The upstream failed"), "failures are logged");
    let is_logged = |level: &str, path: &str| {
        text.lines()
            .any(|line| line.contains(level) && line.contains(path))
    };
    assert!(is_logged("WARN", "api/v2/oauth2/tokens"), "HT-09");
    assert!(is_logged("ERROR", "api/v1/oauth2/tracks"), "HT-09");
    for trace in ["canary", "43.123", "76.543", "o_abc"] {
        let line = text.lines().find(|line| line.contains(trace));
        assert_eq!(line, None, "{trace}");
    }
}

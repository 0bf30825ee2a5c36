//! What is told about the product: events, errors and vitals of browsers, and the remote configuration (AN-01 to AN-08,
//! HT-11, PY-18, S-21).

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU16, Ordering},
    },
    time::Duration,
};

use axum::{
    Router,
    extract::State,
    http::{HeaderMap, StatusCode},
};
use serde_json::{Value, json};

use crate::{
    bill::opened,
    bill_pay::pay,
    sign_in::{PHONE, sign_in},
    support::{Product, VENUE, as_fields, eventually, order_fields, plain_products, table_link},
};

/// A receiver: keeps what comes, and answers with a status, or not at all.
#[derive(Clone)]
pub struct Receiver {
    pub url: String,
    got: Arc<Mutex<Vec<(HeaderMap, String)>>>,
    status: Arc<AtomicU16>,
}

const SILENT: u16 = 0;

impl Receiver {
    pub async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let own = Self {
            url: format!("http://{}", listener.local_addr().unwrap()),
            got: Arc::default(),
            status: Arc::new(AtomicU16::new(200)),
        };
        let app = Router::new().fallback(take).with_state(own.clone());
        tokio::spawn(async move { axum::serve(listener, app).await });
        own
    }

    pub fn answers(&self, status: u16) {
        self.status.store(status, Ordering::Relaxed);
    }

    /// All events that came.
    fn events(&self) -> Vec<Value> {
        let got = self.got.lock().unwrap();
        got.iter()
            .flat_map(|(_, body)| {
                let batch: Value = serde_json::from_str(body).unwrap();
                batch["events"].as_array().unwrap().clone()
            })
            .collect()
    }

    /// The events of a name, when so many have come.
    pub async fn named(&self, name: &str, count: usize) -> Vec<Value> {
        eventually(20, || async {
            let mut events = self.events();
            events.retain(|event| event["name"] == name);
            (events.len() >= count).then_some(events)
        })
        .await
    }

    pub fn has(&self, name: &str) -> bool {
        self.events().iter().any(|event| event["name"] == name)
    }

    fn text(&self) -> String {
        let got = self.got.lock().unwrap();
        got.iter().map(|(_, body)| body.as_str()).collect()
    }
}

async fn take(State(receiver): State<Receiver>, headers: HeaderMap, body: String) -> StatusCode {
    let status = receiver.status.load(Ordering::Relaxed);
    if status == SILENT {
        std::future::pending::<()>().await;
    }
    if status == 200 {
        receiver.got.lock().unwrap().push((headers, body));
    }
    StatusCode::from_u16(status).unwrap()
}

const SESSION: &str = "AbCdEfGhIjKlMnOpQrStUv";

#[tokio::test]
async fn what_browser_and_server_see_goes_to_the_receiver_and_nothing_else() {
    let receiver = Receiver::start().await;
    let product = Product::with(&["--analytics-url", &receiver.url]).await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let dish = plain_products(&guest.get(&format!("/filials/{VENUE}")).await.data())[0].0;
    guest.add(VENUE, dish).await;
    let told = json!({
        "session": SESSION,
        "phone": PHONE,
        "events": [
            { "name": "appOpened", "ago": 5000, "user": "Айгуль" },
            { "name": "venueSelected", "venue": VENUE, "url": "/filials/1013?table_id=7", "ago": 10 },
            { "name": "menuOpened", "venue": VENUE, "token": "secret-token" },
            { "name": "basketOpened", "total": 100 },
            { "name": "searchConfirmed", "via": "history", "query": "плов" },
        ],
    });
    assert_eq!(guest.tell(&told).await.status, 204);

    let added = receiver.named("item_added", 1).await;
    assert_eq!(added[0]["venue"], VENUE);
    assert_eq!(added[0]["product"], dish);
    let opened = receiver.named("app_opened", 1).await.remove(0);
    let searched = receiver.named("search_confirmed", 1).await.remove(0);
    let ago = searched["at"].as_i64().unwrap() - opened["at"].as_i64().unwrap();
    assert_eq!(ago, 5000, "by our own clock");
    let keys = |event: &Value| -> Vec<String> {
        let mut keys: Vec<String> = event.as_object().unwrap().keys().cloned().collect();
        keys.sort();
        keys
    };
    assert_eq!(keys(&opened), ["at", "guest", "name", "session"]);
    assert_eq!(opened["session"], SESSION);
    assert_eq!(
        keys(&receiver.named("venue_selected", 1).await[0]),
        ["at", "guest", "name", "session", "venue"]
    );
    receiver.named("menu_opened", 1).await;
    receiver.named("basket_opened", 1).await;
    assert_eq!(
        opened["guest"], added[0]["guest"],
        "what both have seen belongs together"
    );

    // What only the server sees.
    guest.post("/cart/clear", &[("back", "/cart")]).await;
    let cleared = receiver.named("cart_cleared", 1).await.remove(0);
    assert_eq!(cleared["cause"], "guest");
    sign_in(&product, &guest, "/").await;
    receiver.named("auth_success", 1).await;
    let address = [
        ("city", "Алматы"),
        ("street", "Абая"),
        ("building", "10"),
        ("lat", "43.238"),
        ("long", "76.945"),
        ("back", "/addresses"),
    ];
    let saved = guest.post("/addresses", &address).await;
    assert_eq!(saved.status, 303, "{}", saved.text());
    receiver.named("address", 1).await;

    let text = receiver.text();
    let session = guest.cookie(dastarkhan::web::session::INSECURE_COOKIE);
    for personal in [
        PHONE,
        "7010000031",
        "Айгуль",
        "secret-token",
        "плов",
        "table_id",
        "Абая",
        "76.945",
        session.as_deref().unwrap(),
    ] {
        assert!(!text.contains(personal), "{personal}: {text}");
    }
}

#[tokio::test]
async fn money_that_is_asked_for_is_told_and_the_tips_in_it() {
    let receiver = Receiver::start().await;
    let product = Product::with(&["--analytics-url", &receiver.url]).await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    opened(&product, &[2, 1]).await;
    let paid = pay(&guest, "&split=all&tip=10", "card").await;
    assert_eq!(paid.status, 303, "{}", paid.text());
    let asked = receiver.named("payment_requested", 1).await;
    assert_eq!(asked[0]["via"], "card");
    receiver.named("tips", 1).await;
    assert!(asked[0]["guest"].is_string());
    // An order of the cart asks for none.
    guest.add(VENUE, plain_products(&menu)[0].0).await;
    let fields = order_fields(&guest.get("/cart").await.data());
    guest.post("/orders", &as_fields(&fields)).await;
    receiver.named("cart_cleared", 1).await;
    assert_eq!(receiver.named("tips", 1).await.len(), 1);
}

#[tokio::test]
async fn no_request_waits_for_a_receiver_and_the_oldest_events_are_dropped() {
    let receiver = Receiver::start().await;
    receiver.answers(SILENT);
    let product = Product::with(&["--analytics-url", &receiver.url]).await;
    let guest = product.guest();
    let batch = |from: u64| {
        let events: Vec<Value> = (from..from + 50)
            .map(|venue| json!({ "name": "menuOpened", "venue": venue }))
            .collect();
        json!({ "events": events })
    };
    for from in (0..1150).step_by(50) {
        assert_eq!(guest.tell(&batch(from)).await.status, 204);
    }
    assert_eq!(
        product
            .number("analytics_events_total", "menu_opened")
            .await,
        1150
    );
    // It comes back to life after it has failed, too.
    receiver.answers(503);
    eventually(30, || async {
        (product.number("reports_total", "dropped").await == 150).then_some(())
    })
    .await;
    receiver.answers(200);
    let events = eventually(90, || async {
        let events = receiver.events();
        (events.len() >= 1000).then_some(events)
    })
    .await;
    let venues: Vec<u64> = events
        .iter()
        .map(|event| event["venue"].as_u64().unwrap())
        .collect();
    assert_eq!(
        venues,
        (150..1150).collect::<Vec<u64>>(),
        "the newest, in order, each once"
    );
}

#[tokio::test]
async fn a_receiver_that_takes_nothing_is_counted_and_told_once_a_minute() {
    let product = Product::with(&["--analytics-url", "http://127.0.0.1:9/events"]).await;
    let told = json!({ "events": [{ "name": "menuOpened", "venue": VENUE }] });
    assert_eq!(product.guest().tell(&told).await.status, 204);
    // Another try after a second, and one after two more.
    eventually(30, || async {
        (product.number("reports_total", r#"outcome="failed""#).await >= 3).then_some(())
    })
    .await;
    let lines = product.logged("What is told is not taken");
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].contains("Connection refused"), "{}", lines[0]);
    assert!(lines[0].contains(r#""to":"analytics""#), "{}", lines[0]);
}

#[tokio::test]
async fn switched_off_nothing_of_browsers_is_taken() {
    let receiver = Receiver::start().await;
    let off = ["--analytics", "off", "--service-worker", "off"];
    let product = Product::with(&[&off[..], &["--analytics-url", &receiver.url]].concat()).await;
    let guest = product.guest();
    let settings = guest.get("/client-settings").await;
    assert_eq!(settings.header("cache-control"), "public, max-age=60");
    assert_eq!(
        settings.json(),
        json!({ "analytics": false, "faults": true, "worker": false, "push": null })
    );
    let told = json!({ "events": [{ "name": "appOpened" }] });
    assert_eq!(guest.tell(&told).await.status, 204);
    assert_eq!(
        product.number("analytics_events_total", "app_opened").await,
        0
    );
}

#[tokio::test]
async fn the_intake_is_small_and_counted() {
    let product = Product::with(&[
        "--mutations-per-minute",
        "240",
        "--address-mutations-per-minute",
        "8",
    ])
    .await;
    let guest = product.guest();
    let large = json!({ "session": "x".repeat(64 * 1024) });
    assert_eq!(guest.tell(&large).await.status, 413);
    let many: Vec<Value> = (0..200).map(|_| json!({ "name": "appOpened" })).collect();
    assert_eq!(guest.tell(&json!({ "events": many })).await.status, 204);
    assert_eq!(
        product.number("analytics_events_total", "app_opened").await,
        50,
        "of one batch"
    );
    let mut last = 204;
    for _ in 0..10 {
        last = guest.tell(&json!({})).await.status;
    }
    assert_eq!(last, 429);
    let foreign = guest
        .request(reqwest::Method::POST, "/events")
        .header("sec-fetch-site", "cross-site")
        .body("{}");
    assert_eq!(guest.send(foreign).await.status, 403);
}

#[tokio::test]
async fn errors_of_browsers_come_to_the_log_the_numbers_and_the_named_service_without_the_guest() {
    let receiver = Receiver::start().await;
    let dsn = receiver.url.replace("http://", "http://abc123@") + "/42";
    let product = Product::with(&["--sentry-dsn", &dsn]).await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let fault = |kind: &str, message: &str| {
        json!({
            "kind": kind, "name": "TypeError", "message": message, "place": "menu-AB12CD34.js:1:2345",
            "page": "menu", "build": "abcdef", "url": "/filials/1013?table_id=t7", "user": "Айгуль",
        })
    };
    let told = json!({
        "faults": [
            fault("error", "Cannot read properties of undefined (reading 'price')"),
            fault("hydration", r#"Unexpected token, "Айгуль +77010001122" is not valid JSON"#),
            fault("reload", ""),
            fault("network", "of no kind"),
        ],
        "vitals": [{ "name": "LCP", "value": 1200 }, { "name": "INP", "value": 900 }, { "name": "X", "value": 1 }],
    });
    assert_eq!(guest.tell(&told).await.status, 204);
    for (kind, count) in [
        ("error", 1),
        ("hydration", 1),
        ("reload", 1),
        ("network", 0),
    ] {
        let label = format!(r#"kind="{kind}""#);
        assert_eq!(
            product.number("browser_faults_total", &label).await,
            count,
            "{kind}"
        );
    }
    assert_eq!(
        product
            .number("browser_vitals_total", r#"name="LCP",rating="good""#)
            .await,
        1
    );
    assert_eq!(
        product
            .number("browser_vitals_total", r#"name="INP",rating="poor""#)
            .await,
        1
    );
    let logs = product.logs();
    let line = logs
        .lines()
        .find(|line| line.contains("A browser met an error"))
        .unwrap();
    let line: Value = serde_json::from_str(line).unwrap();
    assert_eq!(line["level"], "WARN");
    // The line's own message is not the browser's.
    assert_eq!(line["message"], "A browser met an error");
    assert!(line["error.message"].is_string(), "{line}");
    assert_eq!(line["kind"], "error");
    assert_eq!(line["place"], "menu-AB12CD34.js:1:2345");

    let got = eventually(20, || async {
        let got = receiver.got.lock().unwrap().clone();
        (got.len() == 3).then_some(got)
    })
    .await;
    let (headers, body) = &got[0];
    let auth = headers["x-sentry-auth"].to_str().unwrap();
    assert!(
        auth.contains("sentry_version=7") && auth.contains("sentry_key=abc123"),
        "{auth}"
    );
    let lines: Vec<Value> = body
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 3, "the envelope, the item, the event");
    assert_eq!(lines[0]["event_id"], lines[2]["event_id"]);
    assert_eq!(lines[1]["type"], "event");
    let exception = &lines[2]["exception"]["values"][0];
    assert_eq!(exception["type"], "TypeError");
    assert_eq!(exception["stacktrace"]["frames"][0]["lineno"], 1);
    let everything = receiver.text() + &logs;
    for personal in ["Айгуль", "77010001122", "table_id"] {
        assert!(!everything.contains(personal), "{personal}");
    }
}

#[tokio::test]
async fn guests_of_a_host_app_are_told_of_by_their_app_alone() {
    let receiver = Receiver::start().await;
    let product = Product::with(&["--analytics-url", &receiver.url]).await;
    let guest = product.guest();
    guest
        .get(&format!("{}&platform=ios", table_link(VENUE, "t7")))
        .await;
    guest.agree().await;
    let dish = plain_products(&guest.get(&format!("/filials/{VENUE}")).await.data())[0].0;
    guest.add(VENUE, dish).await;
    // A page that goes away could hand nothing on.
    assert_eq!(guest.tell(&json!({ "session": SESSION })).await.status, 204);
    let answer = guest
        .tell(&json!({ "session": SESSION, "ask": true }))
        .await;
    assert_eq!(answer.status, 200);
    assert_eq!(
        answer.json(),
        json!([{ "name": "item_added", "venue": VENUE, "product": dish }])
    );
    let again = guest.tell(&json!({ "ask": true })).await;
    assert_eq!(again.status, 204, "once");
    // Somebody else's events are theirs.
    let other = product.guest_at_table(VENUE, "t8").await;
    other.add(VENUE, dish).await;
    assert_eq!(receiver.named("item_added", 1).await.len(), 1);
}

#[tokio::test]
async fn no_page_waits_for_the_remote_configuration_and_its_switches_have_defaults() {
    let upstream = Product::start().await;
    let settings = json!({ "analytics": true, "faults": true, "worker": true, "push": null });
    for (kind, outcome) in [
        ("hang", "late"),
        ("status", "failed"),
        ("html", "failed"),
        // Whatever can't be read is as if it were not told.
        ("wrong_type", "told"),
    ] {
        upstream.no_faults().await;
        let fault = json!({ "path": "/remote-config", "kind": kind, "status": 404 });
        upstream.control("faults", fault).await;
        let begun = tokio::time::Instant::now();
        let product = Product::in_front_of(&upstream).await;
        let guest = product.guest();
        assert_eq!(guest.get("/").await.status, 200, "{kind}");
        assert_eq!(
            guest.get("/client-settings").await.json(),
            settings,
            "{kind}"
        );
        eventually(30, || async {
            (product.number("remote_config_total", outcome).await >= 1).then_some(())
        })
        .await;
        if kind == "hang" {
            assert!(
                begun.elapsed() >= Duration::from_secs(5),
                "it is given up after five seconds, in the background"
            );
        }
        assert_eq!(
            guest.get("/client-settings").await.json(),
            settings,
            "{kind}"
        );
    }
}

#[tokio::test]
async fn a_switch_is_turned_from_afar_and_stays_when_the_upstream_fails_afterwards() {
    let product = Product::with(&["--catalogue-fresh-ms", "1"]).await;
    let guest = product.guest();
    let switches =
        json!({ "/data/switches/analytics": false, "/data/switches/service_worker": "no" });
    product.replace("/remote-config", switches).await;
    let off = eventually(20, || async {
        let settings = guest.get("/client-settings").await.json();
        (settings["analytics"] == false).then_some(settings)
    })
    .await;
    assert_eq!(off["worker"], true, "a word is no switch");
    assert_eq!(off["faults"], true);
    product.no_faults().await;
    product.fail("/remote-config", 404).await;
    let failed = product.number("remote_config_total", "failed").await;
    eventually(20, || async {
        (product.number("remote_config_total", "failed").await > failed).then_some(())
    })
    .await;
    assert_eq!(guest.get("/client-settings").await.json(), off);
}

//! Admin address, draining, render failures.

use std::{
    collections::BTreeSet,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use serde_json::Value;
use tokio::{sync::Semaphore, task::JoinSet, time::MissedTickBehavior};

use crate::support::{Product, VENUE, as_fields, eventually, order_fields, plain_products};

#[tokio::test]
async fn the_admin_address_tells_life_readiness_and_numbers() {
    let product = Product::start().await;
    product.guest().get(&format!("/filials/{VENUE}")).await;
    assert_eq!(product.admin("/livez").await.0, 200);
    let (status, text) = product.admin("/readyz").await;
    assert_eq!(status, 200, "{text}");
    assert!(text.contains("store ok\n"), "{text}");
    let (_, metrics) = product.admin("/metrics").await;
    for name in [
        "ssr_renders_total",
        "ssr_isolates",
        "http_request_seconds",
        "page_cache_total",
        "pages_total",
        "build_info{version=",
        r#"state_health{state="ok"} 1"#,
        "live_venues 0",
        "# HELP http_request_seconds ",
    ] {
        assert!(metrics.contains(name), "{name}");
    }
    // Guests do not reach it.
    assert_eq!(product.guest().get("/metrics").await.status, 404);
}

/// What the objectives of operators count: pages that are read, apart from changes at the same address.
#[tokio::test]
async fn every_page_is_counted_as_a_page_and_a_form_at_its_address_is_not() {
    let product = Product::start().await;
    let guest = product.guest();
    let pages: BTreeSet<_> = dastarkhan::routes::pages()
        .all()
        .map(|page| page.path)
        .collect();
    for path in &pages {
        guest.get(&path.replace(['{', '}'], "")).await;
    }
    guest.get("/_data/faq").await;
    guest.get("/favicon.svg").await;
    guest.post("/orders", &[("back", "/cart")]).await;
    let (_, metrics) = product.admin("/metrics").await;
    let routes = |kind: &str| -> BTreeSet<String> {
        let label = format!(r#"kind="{kind}""#);
        metrics
            .lines()
            .filter(|line| line.starts_with("http_request_seconds_count") && line.contains(&label))
            .filter_map(|line| line.split_once(r#"route=""#)?.1.split_once('"'))
            .map(|(route, _)| route.to_owned())
            .collect()
    };
    assert!(routes("page").iter().eq(&pages), "{:?}", routes("page"));
    assert!(routes("change").contains("/orders"));
    assert!(routes("other").is_superset(&BTreeSet::from([
        "/_data/faq".to_owned(),
        "/favicon.svg".to_owned()
    ])));
    assert!(
        routes("other")
            .iter()
            .all(|route| !pages.contains(&**route))
    );
}

#[tokio::test]
async fn logs_are_json_with_a_request_id() {
    let product = Product::start().await;
    let answer = product.guest().get("/").await;
    let id = answer.header("x-request-id").to_owned();
    let logs = product.logs();
    let line: Value = logs
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .find(|line: &Value| line["request.id"] == id.as_str())
        .expect("the request has a line");
    assert_eq!(
        (line["status"].as_u64(), line["route"].as_str()),
        (Some(200), Some("/"))
    );
}

/// The line of the request that got this answer.
fn line_of(product: &Product, answer: &crate::support::Answer) -> Value {
    let id = answer.header("x-request-id");
    let is_own = |line: &Value| line["request.id"] == id && line["status"].is_u64();
    // It is written by a thread of its own.
    let deadline = std::time::Instant::now() + Duration::from_secs(10);
    loop {
        let logs = product.logs();
        let mut lines = logs
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        if let Some(line) = lines.find(is_own) {
            return line;
        }
        assert!(
            std::time::Instant::now() < deadline,
            "the request has a line"
        );
    }
}

#[tokio::test]
async fn the_line_of_a_request_tells_what_was_done_for_it() {
    let product = Product::start().await;
    let menu = format!("/filials/{VENUE}");
    let first = line_of(&product, &product.guest().get(&menu).await);
    assert!(first["upstream"].as_u64().unwrap() > 1, "{first}");
    assert_eq!(
        (&first["cache"], &first["render"]),
        (&"miss".into(), &"ssr".into())
    );
    assert!(!first["build"].as_str().unwrap().is_empty());
    product.guest().get(&menu).await;
    let kept = line_of(&product, &product.guest().get(&menu).await);
    assert_eq!(
        (&kept["cache"], &kept["upstream"]),
        (&"hit".into(), &0.into())
    );
    // An order is sent by a task of its own, which belongs to the request.
    let guest = product.guest_at_table(VENUE, "t7").await;
    let dish = plain_products(&guest.get(&menu).await.data())[0].0;
    guest.add(VENUE, dish).await;
    let order = order_fields(&guest.get("/cart").await.data());
    product.forget_log().await;
    let placed = guest.post("/orders", &as_fields(&order)).await;
    let sent = product.sandbox_get("log").await.len() as u64;
    let line = line_of(&product, &placed);
    assert_eq!(line["upstream"].as_u64(), Some(sent), "{line}");
    assert_eq!(line["level"], "INFO");
    // What fails is looked for by its level.
    product.fail("*", 503).await;
    let failed = product.guest().get("/filials/1033").await;
    assert_eq!(failed.status, 503);
    assert_eq!(line_of(&product, &failed)["level"], "WARN");
}

/// One that is born as 1 has not grown: no alert would see its first event.
#[tokio::test]
async fn every_counter_is_there_before_its_first_event() {
    let product = Product::start().await;
    let missing = |metrics: &str| -> Vec<String> {
        let has = |name: &str| {
            metrics.lines().any(|line| {
                line.starts_with(&format!("{name}{{")) || line.starts_with(&format!("{name} "))
            })
        };
        let all = dastarkhan::web::log::metrics::ALL.iter();
        all.filter(|(_, kind, _)| *kind == dastarkhan::web::log::metrics::Kind::Counter)
            .map(|(name, ..)| (*name).to_owned())
            .filter(|name| !has(name))
            .collect()
    };
    // The first calls of the upstream are those of the start.
    let metrics = eventually(20, || async {
        let (_, metrics) = product.admin("/metrics").await;
        missing(&metrics).is_empty().then_some(metrics)
    })
    .await;
    for born in [
        r#"orders_total{outcome="unknown"} 0"#,
        r#"bill_payments_total{outcome="unknown"} 0"#,
        r#"fridges_total{outcome="refused"} 0"#,
        r#"sessions_unsaved_total{cause="store"} 0"#,
        "connections_full_total 0",
        "rate_limited_total 0",
        r#"ssr_terminations_total{cause="cpu"} 0"#,
        r#"pages_total{route="menu",mode="shell"} 0"#,
        r#"upstream_retries_total{part="orders"} 0"#,
    ] {
        assert!(metrics.contains(born), "{born}");
    }
    // Whatever rules and alerts ask for has a name that is there.
    for file in ["alerts.yml", "rules.yml"] {
        let path = format!("{}/server/operation/{file}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        for name in words.filter(|word| word.ends_with("_total")) {
            assert!(metrics.contains(&format!("\n{name}")), "{name} of {file}");
        }
    }
}

/// What is counted anywhere is told in the one list of names, and so in the README.
#[test]
fn every_counter_of_the_code_is_in_the_list() {
    let mut folders = vec![std::path::PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/server"
    ))];
    let known = |name: &str| {
        dastarkhan::web::log::metrics::ALL
            .iter()
            .any(|(known, ..)| *known == name)
    };
    let mut found = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
        {
            if entry.is_dir() && !entry.ends_with("sandbox") {
                folders.push(entry);
            } else if entry.extension().is_some_and(|end| end == "rs") {
                let text = std::fs::read_to_string(&entry).unwrap();
                for kind in ["counter!(", "gauge!(", "histogram!("] {
                    for rest in text.split(kind).skip(1) {
                        if let Some(name) = rest
                            .trim_start()
                            .strip_prefix('"')
                            .and_then(|rest| rest.split('"').next())
                        {
                            found += 1;
                            assert!(known(name), "{name} of {}", entry.display());
                        }
                    }
                }
            }
        }
    }
    assert!(found > 30, "{found}");
}

#[tokio::test]
async fn a_request_whose_client_has_left_is_logged_and_counted() {
    let product = Product::start().await;
    product
        .control(
            "faults",
            serde_json::json!({ "path": "/menu/v2/category", "kind": "delay", "delay_ms": 60_000 }),
        )
        .await;
    let guest = product.guest();
    let menu = format!("/filials/{VENUE}");
    let left = tokio::time::timeout(Duration::from_millis(300), guest.get(&menu)).await;
    assert!(left.is_err(), "it has left before the answer");
    let line = eventually(20, || async {
        let logs = product.logs();
        let mut lines = logs
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok());
        lines.find(|line| line["status"] == 499)
    })
    .await;
    assert_eq!(line["route"], "/filials/{filial_id}");
    assert!(line["request.id"].as_str().is_some_and(|id| !id.is_empty()));
    let metrics = product.admin("/metrics").await.1;
    let counted = metrics.lines().any(|line| {
        line.starts_with("http_request_seconds_count")
            && line.contains(r#"class="given_up""#)
            && line.ends_with(" 1")
    });
    assert!(counted);
}

#[tokio::test]
async fn sigterm_finishes_what_is_under_way() {
    let mut product = Product::with(&[
        "--linger-seconds",
        "1",
        "--page-fresh-ms",
        "0",
        "--catalogue-fresh-ms",
        "1",
    ])
    .await;
    product
        .control(
            "faults",
            serde_json::json!({ "path": "/menu/v2/category", "kind": "delay", "delay_ms": 1200 }),
        )
        .await;
    product.terminate();
    eventually(5, || async {
        (product.admin("/readyz").await.0 == 503).then_some(())
    })
    .await;
    // Who was not told yet is served on, and told that the connection ends.
    let told = product.guest().get("/faq").await;
    assert_eq!((told.status, told.header("connection")), (200, "close"));
    // Begun before the listener closes, ended after it.
    let begun = std::time::Instant::now();
    let slow = product.guest().get(&format!("/filials/{VENUE}")).await;
    assert_eq!(slow.status, 200);
    assert!(begun.elapsed() > Duration::from_secs(1));
    product.ended().await;
}

#[tokio::test]
async fn a_page_that_v8_does_not_render_goes_out_with_its_data_for_the_browser() {
    let product = Product::with(&["--render-limit-ms", "0"]).await;
    for path in ["/", "/filials/1013", "/cart", "/nowhere"] {
        let page = product.guest().get(path).await;
        assert_eq!(page.status, if path == "/nowhere" { 404 } else { 200 });
        assert!(page.text().contains(r#"<div id="app" data-shell>"#));
        assert!(!page.data()["page"]["route"].is_null());
        assert!(
            page.header("etag").is_empty(),
            "it is not kept for others: {path}"
        );
    }
}

/// Without scripts a page that V8 had no time for would be empty: it says so and comes again by itself.
#[tokio::test]
async fn a_page_that_the_engine_has_no_time_for_says_so_and_comes_again() {
    let product = Product::with(&["--render-wait-ms", "0"]).await;
    for (query, words) in [
        ("lang=kk", "Бет әдеттегіден ұзақ ашылып жатыр"),
        ("lang=ru", "Страница открывается дольше обычного"),
        ("lang=en", "This page takes longer than usual"),
        ("lang=ka&country=ge", "გვერდი ჩვეულებრივზე დიდხანს იხსნება"),
    ] {
        let page = product.guest().get(&format!("/?{query}")).await;
        assert_eq!(page.status, 503);
        assert_eq!(page.header("retry-after"), "2");
        let text = page.text();
        assert!(text.contains(&format!(
            r#"<div id="app" data-shell><main class="late"><h1>{words}</h1><a class="button" href="">"#
        )));
        assert!(text.contains(r#"<noscript><meta http-equiv="refresh" content="2"></noscript>"#));
    }
}

/// Nothing is saved of a visit that ends with 5xx; a code that was scanned under load is scanned all the same.
#[tokio::test]
async fn a_table_is_bound_also_when_its_page_is_late() {
    let product = Product::with(&["--render-wait-ms", "0"]).await;
    let guest = product.guest();
    let page = guest.get(&crate::support::table_link(VENUE, "t7")).await;
    assert_eq!(page.status, 503);
    assert!(guest.cookie("dk").is_some(), "{:?}", page.headers);
    assert_eq!(guest.data("/").await["shell"]["table"]["number"], "7");
}

/// As many pages at once, each by a connection of its own, of a menu with a session: none comes from the page cache.
async fn menus_at_once(product: &Product, connections: usize) -> Vec<crate::support::Answer> {
    let guest = product.guest();
    guest.get(&crate::support::table_link(VENUE, "t7")).await;
    let asking: Vec<_> = (0..connections)
        .map(|_| {
            let guest = guest.second_tab();
            tokio::spawn(async move { guest.get(&format!("/filials/{VENUE}")).await })
        })
        .collect();
    let mut pages = Vec::new();
    for page in asking {
        pages.push(page.await.unwrap());
    }
    pages
}

/// What is shed follows the expected wait, not a count.
#[tokio::test]
async fn every_page_is_rendered_whose_turn_comes_in_time() {
    let product = Product::with(&["--render-wait-ms", "60000", "--isolates", "1"]).await;
    for connections in [16, 64, 256] {
        for page in menus_at_once(&product, connections).await {
            assert_eq!(page.status, 200, "{connections} at once");
            assert!(!page.rendered().is_empty());
        }
    }
    assert_eq!(product.number("ssr_overloaded_total", "").await, 0);
}

#[tokio::test]
async fn a_page_whose_turn_would_come_too_late_is_503_and_one_line_a_second_says_so() {
    let product = Product::with(&["--render-wait-ms", "1", "--isolates", "1"]).await;
    let begun = std::time::Instant::now();
    let (mut shed, mut refused) = (0, 0);
    for _ in 0..4 {
        for page in menus_at_once(&product, 64).await {
            if page.text().contains(r#"<div id="app" data-shell>"#) {
                assert_eq!((page.status, page.header("retry-after")), (503, "2"));
                // For who has scripts it is a page all the same.
                assert_eq!(page.data()["page"]["route"], "menu");
                shed += 1;
            } else if page.status == 503 {
                // It was not even loaded.
                let again = page.header("retry-after").to_owned();
                assert!(("2"..="5").contains(&again.as_str()), "{again}");
                let comes = format!(r#"<meta http-equiv="refresh" content="{again}">"#);
                assert!(page.text().contains(&comes), "{}", page.text());
                refused += 1;
            } else {
                assert_eq!(page.status, 200);
            }
        }
    }
    let seconds = begun.elapsed().as_secs();
    assert!(shed + refused > 8, "{shed}, {refused}");
    // The guests' own arrival may have been shed as well.
    assert!(product.number("ssr_overloaded_total", "").await >= shed);
    let kind = r#"kind="page""#;
    assert!(product.number("admission_refused_total", kind).await >= refused);
    for (words, pages) in [
        ("left to the browser", shed),
        ("There is too much to do", refused),
    ] {
        let told = product.logs().matches(words).count() as u64;
        assert!(
            (u64::from(pages > 0)..=seconds + 2).contains(&told),
            "{told} lines in {seconds} s"
        );
    }
}

/// R-12: another process on the same state, then the first one goes; no guest loses anything by it.
#[tokio::test]
async fn a_rolling_restart_keeps_carts_and_orders() {
    let upstream = Product::start().await;
    let mut old = Product::in_front_of(&upstream).await;
    let guest = old.guest_at_table(VENUE, "t7").await;
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    let dishes = plain_products(&menu);
    assert_eq!(guest.add(VENUE, dishes[0].0).await.status, 303);

    let new = old.beside().await;
    let moved = guest.at(&new);
    let cart = moved.get("/cart").await.data();
    assert_eq!(cart["shell"]["cart"]["count"], 1, "both see it");
    let order = order_fields(&guest.get("/cart").await.data());
    let placed = guest.post("/orders", &as_fields(&order)).await;
    assert_eq!(placed.status, 303, "{}", placed.text());
    assert_eq!(guest.add(VENUE, dishes[1].0).await.status, 303);
    old.terminate();
    old.ended().await;

    assert_eq!(moved.get(&placed.location()).await.status, 200);
    let cart = moved.get("/cart").await.data();
    assert_eq!(cart["shell"]["cart"]["count"], 1, "what was added since");
    assert_eq!(cart["shell"]["table"]["number"], "7");
    // The same order asked for again is the same order.
    let again = moved.post("/orders", &as_fields(&order)).await;
    assert_ne!(again.status, 500);
    assert_eq!(upstream.sandbox_get("orders").await.len(), 1);
    assert_eq!(moved.add(VENUE, dishes[0].0).await.status, 303);
}

/// Answers that guests get from when a process is told to stop until the next one is.
const EACH_STOP: usize = 100;

/// R-12: three processes are replaced one after the other while guests go on asking, through a balancer that leads
/// nobody to a process that is not ready. Nothing fails, and no dish is lost.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rolling_restart_of_three_under_load_fails_no_request() {
    let upstream = Product::start().await;
    let first = Product::lingering(&upstream, 5).await;
    let (second, third) = (first.beside().await, first.beside().await);
    let guest = first.guest_at_table(VENUE, "t7").await;
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    let dishes: Vec<u64> = plain_products(&menu).iter().map(|dish| dish.0).collect();
    assert_eq!(guest.add(VENUE, dishes[0]).await.status, 303);

    // Whom the balancer leads guests to.
    let ready = [&first, &second, &third].map(|product| Arc::new(guest.at(product)));
    let ready = Arc::new(Mutex::new(ready.to_vec()));
    let over = Arc::new(AtomicBool::new(false));
    let answered = Arc::new(AtomicUsize::new(0));
    let load = tokio::spawn({
        let (ready, over) = (Arc::clone(&ready), Arc::clone(&over));
        let answered = Arc::clone(&answered);
        async move {
            let mut hundred_a_second = tokio::time::interval(Duration::from_millis(10));
            hundred_a_second.set_missed_tick_behavior(MissedTickBehavior::Skip);
            // No more at once than a slow machine gets done in time.
            let room = Arc::new(Semaphore::new(32));
            let (mut asking, mut added) = (JoinSet::new(), 1);
            for turn in 0.. {
                hundred_a_second.tick().await;
                if over.load(Ordering::Relaxed) {
                    break;
                }
                let place = Arc::clone(&room).acquire_owned().await.unwrap();
                let led_to = {
                    let ready = ready.lock().unwrap();
                    Arc::clone(&ready[turn % ready.len()])
                };
                let dish = (turn % 50 == 0).then(|| dishes[turn / 50 % dishes.len()]);
                added += u64::from(dish.is_some());
                let answered = Arc::clone(&answered);
                asking.spawn(async move {
                    let _place = place;
                    let path = ["/cart", "/filials/1013", "/faq", "/_data/cart"][turn % 4];
                    let (got, wanted) = match dish {
                        Some(dish) => (led_to.add(VENUE, dish).await.status, 303),
                        None => (led_to.get(path).await.status, 200),
                    };
                    answered.fetch_add(1, Ordering::Relaxed);
                    (got, wanted)
                });
            }
            (asking.join_all().await, added)
        }
    });

    let mut old = [first, second, third];
    let mut new = Vec::new();
    for at in 0..old.len() {
        // The state belongs to the first.
        let next = old[0].beside().await;
        eventually(30, || async {
            (next.admin("/readyz").await.0 == 200).then_some(())
        })
        .await;
        ready.lock().unwrap().push(Arc::new(guest.at(&next)));
        new.push(next);
        let before = answered.load(Ordering::Relaxed);
        old[at].terminate();
        eventually(30, || async {
            (old[at].admin("/readyz").await.0 == 503).then_some(())
        })
        .await;
        ready.lock().unwrap().remove(0);
        old[at].ended().await;
        // However slow the machine: a hundred from the signal on, before the next one is told to stop.
        eventually(60, || async {
            (answered.load(Ordering::Relaxed) >= before + EACH_STOP).then_some(())
        })
        .await;
    }
    over.store(true, Ordering::Relaxed);
    let (answers, added) = load.await.unwrap();
    assert!(
        answers.len() >= old.len() * EACH_STOP,
        "{} answers",
        answers.len()
    );
    let failed: Vec<_> = answers
        .iter()
        .filter(|(got, wanted)| got != wanted)
        .collect();
    assert!(
        failed.is_empty(),
        "{} of {}: {failed:?}",
        failed.len(),
        answers.len()
    );
    let cart = guest.at(&new[0]).get("/cart").await.data();
    assert_eq!(cart["shell"]["cart"]["count"], added);
}

#[test]
fn the_readme_has_every_metric() {
    let readme = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/server/operation/README.md"
    ))
    .unwrap();
    for (name, ..) in dastarkhan::web::log::metrics::ALL {
        assert!(readme.contains(&format!("| `{name}")), "{name}");
    }
}

#[tokio::test]
async fn begin_and_end_of_the_process_are_logged() {
    let mut product = Product::start().await;
    // At once: it listens to signals before it says its address.
    product.terminate();
    assert!(product.ended().await.success());
    let logs = product.logs();
    for words in [r#""message":"Started""#, r#""message":"Stopped""#] {
        assert_eq!(logs.matches(words).count(), 1, "{words}: {logs}");
    }
    assert!(logs.contains(env!("CARGO_PKG_VERSION")), "{logs}");
}

#[tokio::test]
async fn an_outage_is_told_when_a_breaker_opens_and_not_by_every_call() {
    let product = Product::with(&["--page-fresh-ms", "0", "--catalogue-fresh-ms", "1"]).await;
    product.fail("*", 503).await;
    for _ in 0..60 {
        product.guest().get(&format!("/filials/{VENUE}")).await;
    }
    let refused = product.number("upstream_calls_total", "breaker_open").await;
    assert!(refused > 0, "calls are refused");
    let logs = product.logs();
    assert!(logs.contains("its breaker is open"), "{logs}");
    assert!(!logs.contains(r#""upstream.outcome":"breaker_open""#));
}

/// A cold start without an upstream: the settings of the country are asked for by every page.
#[tokio::test]
async fn settings_that_do_not_come_are_a_line_a_second_and_none_once_the_breaker_is_open() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let silent_upstream = format!("http://{}", silent.local_addr().unwrap());
    drop(silent);
    let product = Product::before(&silent_upstream).await;
    let begun = std::time::Instant::now();
    for _ in 0..60 {
        product.guest().get(&format!("/filials/{VENUE}")).await;
    }
    let seconds = begun.elapsed().as_secs();
    let told = product.logged("country's settings did not come");
    assert!(
        (1..=seconds + 2).contains(&(told.len() as u64)),
        "{told:#?}"
    );
    assert!(
        !told.iter().any(|line| line.contains("was not sent")),
        "{told:#?}"
    );
}

/// Isolates start beside each other; what comes before and after them needs some of the time, too.
#[test]
fn an_isolate_of_a_slow_machine_may_take_half_of_what_the_service_manager_waits() {
    let unit = include_str!("../../server/operation/dastarkhan@.service");
    let waits = unit
        .lines()
        .find_map(|line| line.strip_prefix("TimeoutStartSec="));
    let waits = Duration::from_secs(waits.unwrap().parse().unwrap());
    assert_eq!(ssr::Options::default().start_limit * 2, waits);
}

/// journald on a full disk, a container's log driver: who reads the log may stand still for as long as it likes.
#[tokio::test]
async fn a_log_that_nobody_reads_holds_up_no_guest_and_no_end() {
    let mut product = Product::with_a_stalled_log().await;
    let guest = product.guest();
    // A pipe holds 64 KB: some 220 lines.
    for _ in 0..600 {
        assert_eq!(guest.get("/robots.txt").await.status, 200);
    }
    assert!(
        product
            .admin("/metrics")
            .await
            .1
            .contains("log_lines_dropped_total")
    );
    product.terminate();
    product.ended().await;
}

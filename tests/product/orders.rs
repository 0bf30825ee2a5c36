//! Exactly one order, and its page (R-01, OR, ZZ-06).

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::support::{
    Answer, Guest, Product, VENUE, as_fields, eventually, order_fields, plain_products,
};

/// What the cart's form holds.
pub type Seen = [(&'static str, String); 4];

pub async fn ready_to_order(product: &Product) -> (Guest, Seen) {
    let guest = product.guest_at_table(VENUE, "t7").await;
    let dishes = plain_products(&guest.get(&format!("/filials/{VENUE}")).await.data());
    guest.add(VENUE, dishes[0].0).await;
    guest.add(VENUE, dishes[1].0).await;
    let seen = order_fields(&guest.get("/cart").await.data());
    (guest, seen)
}

fn filled_in(seen: &Seen) -> Vec<(&str, &str)> {
    let mut fields = as_fields(seen);
    fields.extend([("name", "Айша"), ("comment", "Тез")]);
    fields
}

pub async fn press(guest: &Guest, seen: &Seen) -> Answer {
    guest.post("/orders", &filled_in(seen)).await
}

async fn orders(product: &Product) -> usize {
    product.sandbox_get("orders").await.len()
}

#[tokio::test]
async fn an_express_order_in_cash_lands_on_its_open_page() {
    let product = Product::start().await;
    let (guest, seen) = ready_to_order(&product).await;
    let total = guest.get("/cart").await.data()["page"]["data"]["totals"]
        .as_array()
        .unwrap()
        .last()
        .unwrap()["sum"]
        .clone();
    let answer = press(&guest, &seen).await;
    assert_eq!(answer.status, 303);
    assert!(
        answer
            .location()
            .starts_with(&format!("/filials/{VENUE}/order/")),
        "{}",
        answer.location()
    );
    let page = guest.get(&answer.location()).await;
    assert_eq!(page.status, 200);
    let order = page.data()["page"]["data"].clone();
    assert_eq!(order["status"], "created");
    assert_eq!(order["payment"], "cash");
    assert_eq!(order["personal"], true);
    assert_eq!(order["table"], "7");
    assert_eq!(order["comment"], "Тез");
    assert_eq!(order["lines"].as_array().unwrap().len(), 2);
    assert!(order["nextAt"].is_i64(), "{order}");
    assert_eq!(
        order["totals"].as_array().unwrap().last().unwrap()["sum"],
        total
    );
    assert!(page.rendered().contains(order["number"].as_str().unwrap()));
    // The cart is empty, and the strip leads to the order from everywhere.
    let home = guest.get("/").await.data();
    assert!(home["shell"]["cart"].is_null());
    assert_eq!(home["shell"]["activeOrder"]["number"], order["number"]);
    assert_eq!(home["shell"]["activeOrder"]["href"], answer.location());
    assert_eq!(
        home["page"]["data"]["rails"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|rail| rail["kind"] == "recent")
            .count(),
        1
    );
    // What the upstream was told: the key, the country, the table.
    let placed = product
        .sandbox_get("log")
        .await
        .into_iter()
        .find(|call| call["path"] == "/takeaway/v1/express/order")
        .unwrap();
    assert!(
        !placed["headers"]["x-idempotency-key"]
            .as_str()
            .unwrap()
            .is_empty()
    );
    assert_eq!(placed["headers"]["x-country"], "kz");
}

#[tokio::test]
async fn the_page_tells_when_the_order_will_be_ready_until_it_is() {
    let product = Product::start().await;
    let (guest, version) = ready_to_order(&product).await;
    let cart = guest.get("/cart").await.data();
    let minutes = cart["page"]["data"]["minutes"]["max"].as_i64().unwrap();
    let least = cart["page"]["data"]["minutes"]["min"].as_i64().unwrap();
    let path = press(&guest, &version).await.location();
    let page = guest.get(&format!("{path}&lang=en")).await;
    let order = page.data()["page"]["data"].clone();
    let at = |order: &Value, key: &str| order[key].as_i64();
    let promised = at(&order, "readyAt").unwrap() - at(&order, "createdAt").unwrap();
    // What the cart has promised.
    assert!((least..=minutes).contains(&(promised / 60_000)), "{order}");
    assert!(page.rendered().contains("Ready at about"), "{order}");
    let move_on = async |status: &str| {
        let id = &order["id"];
        product
            .control("order/status", json!({ "order_id": id, "status": status }))
            .await;
        guest.get(&format!("{path}&lang=en")).await
    };
    // Now the kitchen itself says when.
    let cooking = move_on("cooking").await.data()["page"]["data"].clone();
    assert_eq!(cooking["status"], "cooking");
    assert_eq!(at(&cooking, "readyAt"), at(&cooking, "nextAt"));
    let ready = move_on("ready").await;
    assert_eq!(at(&ready.data()["page"]["data"], "readyAt"), None);
    assert!(!ready.rendered().contains("Ready at about"));
}

#[tokio::test]
async fn the_page_follows_the_order_to_its_end_by_plain_refresh() {
    let product = Product::with(&["--sandbox-speed", "40"]).await;
    let (guest, seen) = ready_to_order(&product).await;
    let page = press(&guest, &seen).await.location();
    let first = guest.get(&page).await;
    assert!(
        first
            .text()
            .contains(r#"<noscript><meta http-equiv="refresh""#)
    );
    let mut seen: Vec<String> = Vec::new();
    eventually(30, || {
        let (guest, page) = (&guest, &page);
        async move {
            Some(
                guest.get(page).await.data()["page"]["data"]["status"]
                    .as_str()
                    .unwrap()
                    .to_owned(),
            )
        }
    })
    .await;
    for _ in 0..400 {
        let status = guest.get(&page).await.data()["page"]["data"]["status"]
            .as_str()
            .unwrap()
            .to_owned();
        if seen.last() != Some(&status) {
            seen.push(status.clone());
        }
        if status == "completed" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    let order = ["created", "cooking", "ready", "completed"];
    let ranks: Vec<usize> = seen
        .iter()
        .map(|status| order.iter().position(|known| known == status).unwrap())
        .collect();
    assert!(ranks.is_sorted(), "{seen:?}");
    assert_eq!(seen.last().unwrap(), "completed");
    assert!(
        !guest
            .get(&page)
            .await
            .text()
            .contains(r#"http-equiv="refresh""#),
        "nothing more to wait for"
    );
    assert!(guest.get("/").await.data()["shell"]["activeOrder"].is_null());
}

#[tokio::test]
async fn the_event_stream_tells_the_state_of_now_first_and_each_change_after() {
    use futures_util::StreamExt as _;
    let product = Product::start().await;
    let (guest, seen) = ready_to_order(&product).await;
    let page = press(&guest, &seen).await.location();
    let order = guest.get(&page).await.data()["page"]["data"].clone();
    let events = order["events"].as_str().unwrap();
    let response = guest
        .request(reqwest::Method::GET, events)
        .send()
        .await
        .unwrap();
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let mut stream = response.bytes_stream();
    let mut text = String::new();
    let mut statuses: Vec<String> = Vec::new();
    for next in ["created", "cooking", "ready", "completed"] {
        if next != "created" {
            product
                .control(
                    "order/status",
                    json!({ "order_id": order["id"], "status": next }),
                )
                .await;
        }
        while statuses.last().map(String::as_str) != Some(next) {
            let chunk = tokio::time::timeout(Duration::from_secs(20), stream.next())
                .await
                .expect("an event comes")
                .unwrap()
                .unwrap();
            text.push_str(&String::from_utf8_lossy(&chunk));
            while let Some((event, rest)) = text.split_once("\n\n") {
                let data = event.lines().find_map(|line| line.strip_prefix("data: "));
                if let Some(data) = data.filter(|data| !data.is_empty()) {
                    let reading: Value = serde_json::from_str(data).unwrap();
                    assert_eq!(reading["id"], order["id"]);
                    statuses.push(reading["status"].as_str().unwrap().to_owned());
                }
                text = rest.to_owned();
            }
        }
    }
    // It is over: the stream ends by itself.
    let rest = tokio::time::timeout(Duration::from_secs(20), async {
        while stream.next().await.is_some() {}
    })
    .await;
    assert!(rest.is_ok());
}

#[tokio::test]
async fn a_stranger_sees_the_status_and_nothing_personal() {
    let product = Product::start().await;
    let (guest, seen) = ready_to_order(&product).await;
    let link = press(&guest, &seen).await.location();
    let (path, _) = link.split_once('?').unwrap();
    let other_guest = product.guest();
    for url in [
        path.to_owned(),
        format!("{path}?key=made-up"),
        format!("{path}?key={}", "A".repeat(200)),
    ] {
        let page = other_guest.get(&url).await;
        assert_eq!(page.status, 200, "{url}");
        let order = page.data()["page"]["data"].clone();
        assert_eq!(order["personal"], false);
        assert_eq!(order["status"], "created");
        assert_eq!(
            (
                &order["table"],
                &order["comment"],
                &order["lines"],
                &order["totals"]
            ),
            (&Value::Null, &Value::Null, &json!([]), &json!([]))
        );
        assert!(!page.text().contains("Айша") && !page.text().contains("Тез<"));
    }
    // The link itself works in another browser, and only in its own venue.
    assert_eq!(
        other_guest.get(&link).await.data()["page"]["data"]["personal"],
        true
    );
    assert_eq!(
        other_guest
            .get(&link.replace("/filials/1013", "/filials/1023"))
            .await
            .status,
        404
    );
    assert_eq!(
        other_guest
            .get("/filials/1013/order/o_unknown")
            .await
            .status,
        404
    );
    assert_eq!(
        other_guest
            .get("/filials/1013/order/..%2f..%2fx")
            .await
            .status,
        404
    );
}

/// A friend who looks at the link of an order takes nothing out of the list of its guest, neither sums nor language.
#[tokio::test]
async fn the_list_of_a_guest_is_not_what_a_stranger_has_read() {
    let product = Product::start().await;
    let (guest, seen) = ready_to_order(&product).await;
    let link = press(&guest, &seen).await.location();
    let (path, _) = link.split_once('?').unwrap();
    let listed = async |lang: &str| {
        let page = guest.get(&format!("/orders?lang={lang}")).await.data();
        page["page"]["data"]["orders"][0].clone()
    };
    let friend = product.guest();
    friend.get(&format!("{path}?lang=kk")).await;
    let russian = listed("ru").await;
    assert!(russian["sum"].as_i64().unwrap() > 0, "{russian}");
    let name = &russian["venue"];
    friend.get(&format!("{path}?lang=kk")).await;
    let again = listed("ru").await;
    assert_eq!((&again["venue"], &again["sum"]), (name, &russian["sum"]));
    let kazakh = listed("kk").await;
    assert_ne!(&kazakh["venue"], name, "in the words of its page");
    assert_eq!(kazakh["sum"], russian["sum"]);
}

#[tokio::test]
async fn fifty_presses_at_once_are_one_order_and_all_see_it() {
    let product = Product::start().await;
    let (guest, seen) = ready_to_order(&product).await;
    let presses = (0..50).map(|_| {
        let tab = guest.second_tab();
        let seen = seen.clone();
        async move { press(&tab, &seen).await }
    });
    let answers = futures_util::future::join_all(presses).await;
    assert_eq!(orders(&product).await, 1);
    let first = answers[0].location();
    assert!(first.contains("/order/"));
    let (same, _) = first.split_once("?key=").unwrap();
    for answer in &answers {
        assert!(answer.location().starts_with(same), "{}", answer.location());
    }
}

#[tokio::test]
async fn a_script_that_presses_twice_is_told_to_wait_with_409() {
    let product = Product::start().await;
    let (guest, seen) = ready_to_order(&product).await;
    product
        .control(
            "faults",
            json!({ "path": "/takeaway/v1/express/order", "kind": "delay", "delay_ms": 1500 }),
        )
        .await;
    let tab = guest.second_tab();
    let slow = press(&guest, &seen);
    let quick = async {
        tokio::time::sleep(Duration::from_millis(700)).await;
        tab.post_json("/orders", &filled_in(&seen)).await
    };
    let (slow, quick) = tokio::join!(slow, quick);
    assert_eq!(slow.status, 303);
    assert_eq!(quick.status, 409);
    assert!(
        quick.json()["redirect"]
            .as_str()
            .unwrap()
            .starts_with("/orders/checking/")
    );
    assert_eq!(orders(&product).await, 1);
}

#[tokio::test]
async fn the_same_version_with_other_words_is_refused_and_the_order_stays() {
    let product = Product::start().await;
    let (guest, seen) = ready_to_order(&product).await;
    press(&guest, &seen).await;
    let mut other = as_fields(&seen);
    other.push(("comment", "other"));
    let answer = guest.post_json("/orders", &other).await;
    assert_eq!(answer.status, 422);
    assert_eq!(answer.json()["flash"]["errors"][0]["code"], "ordered");
    assert_eq!(orders(&product).await, 1);
    // The same words again: the same order.
    assert!(press(&guest, &seen).await.location().contains("/order/"));
    assert_eq!(orders(&product).await, 1);
}

/// A 422 was no order: what the order is known by is the version of its cart, not the id of a try.
#[tokio::test]
async fn a_corrected_form_orders_under_the_same_mutation_id_and_only_once() {
    let product = Product::start().await;
    let (guest, seen) = ready_to_order(&product).await;
    let tried = async |comment: &str| {
        let mut fields = as_fields(&seen);
        fields.extend([("m", "AAAAAAAAAAAAAAAAAAAAAA"), ("comment", comment)]);
        guest.post_json("/orders", &fields).await
    };
    // Refused by us, then by the upstream.
    let long = tried(&"x".repeat(501)).await;
    assert_eq!(long.json()["flash"]["errors"][0]["code"], "tooLong");
    let closed = json!({ "filial_id": VENUE, "closed": true });
    product.control("opening", closed).await;
    let closed = tried("in time").await;
    assert_eq!(closed.json()["flash"]["errors"][0]["code"], "closed");
    assert_eq!((long.status, closed.status), (422, 422));
    let open = json!({ "filial_id": VENUE, "closed": false });
    product.control("opening", open).await;
    let cookie = guest.cookie("dk");
    // As many letters as there may be.
    let corrected = "ұ".repeat(500);
    let ordered = tried(&corrected).await;
    let path = ordered.json()["redirect"].clone();
    assert!(path.as_str().unwrap().contains("/order/"), "{path}");
    assert_eq!(ordered.json().get("cart"), Some(&Value::Null));
    // Again, and with other words.
    let again = tried(&corrected).await;
    assert_eq!((again.status, &again.json()["redirect"]), (200, &path));
    let other = tried("more").await;
    assert_eq!(other.json()["flash"]["errors"][0]["code"], "ordered");
    let placed = product.sandbox_get("orders").await;
    assert_eq!(placed.len(), 1);
    assert_eq!(placed[0]["comment"], corrected);
    // An order makes nobody somebody else: the session keeps its id.
    assert_eq!(guest.cookie("dk"), cookie);
}

#[tokio::test]
async fn an_answer_that_is_lost_after_the_commit_still_leads_to_one_order() {
    let product = Product::start().await;
    for kind in ["reset", "truncate", "status"] {
        let before = orders(&product).await;
        let (guest, seen) = ready_to_order(&product).await;
        product
            .control("faults", json!({ "path": "/takeaway/v1/express/order", "kind": kind, "status": 502, "times": 2, "after_commit": true }))
            .await;
        let answer = press(&guest, &seen).await;
        let page = follow(&guest, answer).await;
        assert_eq!(page["page"]["route"], "order", "{kind}");
        assert_eq!(orders(&product).await, before + 1, "{kind}");
        product.no_faults().await;
    }
}

#[tokio::test]
async fn a_server_killed_while_ordering_leaves_one_order_and_the_guest_finds_it() {
    let product = Product::start().await;
    let (guest, seen) = ready_to_order(&product).await;
    product
        .control(
            "faults",
            json!({ "path": "/takeaway/v1/express/order", "kind": "hang", "after_commit": true }),
        )
        .await;
    let tab = guest.second_tab();
    let sent = seen.clone();
    let lost = tokio::spawn(async move {
        let request = tab
            .request(reqwest::Method::POST, "/orders")
            .header("sec-fetch-site", "same-origin");
        let cookie = format!("dk={}", tab.cookie("dk").unwrap());
        let _ = request
            .header("cookie", cookie)
            .form(&filled_in(&sent))
            .send()
            .await;
    });
    eventually(10, || async { (orders(&product).await == 1).then_some(()) }).await;
    let product = product.killed_and_started_again().await;
    lost.abort();
    let guest = guest.at(&product);
    let answer = press(&guest, &seen).await;
    let page = follow(&guest, answer).await;
    assert_eq!(page["page"]["route"], "order");
    assert_eq!(orders(&product).await, 1);
    assert!(page["shell"]["cart"].is_null());
}

/// The store takes no write of a kind any more, as when the disk is full.
pub fn refuse_writes(product: &Product, name: &str, on: &str) {
    let refusal = format!(
        "CREATE TRIGGER {name} BEFORE {on} BEGIN SELECT RAISE(ABORT, 'no room is left'); END"
    );
    database(product).execute_batch(&refusal).unwrap();
}

pub fn take_writes(product: &Product, name: &str) {
    let back = format!("DROP TRIGGER {name}");
    database(product).execute_batch(&back).unwrap();
}

fn database(product: &Product) -> rusqlite::Connection {
    let state = rusqlite::Connection::open(product.folder.join("state.sqlite")).unwrap();
    state.busy_timeout(Duration::from_secs(5)).unwrap();
    state
}

/// The two writes that follow an accepted order: its dishes leave the cart, and its record gets the answer. The process
/// dies with only one of them made, whichever comes first, and the guest presses again.
#[tokio::test]
async fn a_server_killed_between_the_order_and_its_cart_leaves_no_dish_to_be_ordered_again() {
    for on in ["UPDATE ON carts", "UPDATE OF answer ON idempotency"] {
        let product = Product::start().await;
        let (guest, seen) = ready_to_order(&product).await;
        refuse_writes(&product, "half", on);
        let unsettled = press(&guest, &seen).await.location();
        assert!(unsettled.starts_with("/orders/checking/"), "{on}");
        assert_eq!(orders(&product).await, 1, "{on}");
        let product = product.killed_and_started_again().await;
        take_writes(&product, "half");
        let guest = guest.at(&product);
        let answer = press(&guest, &seen).await;
        let page = follow(&guest, answer).await;
        assert_eq!(page["page"]["route"], "order", "{on}");
        assert!(page["shell"]["cart"].is_null(), "{on}");

        // The next order holds what was added after this one, and nothing else.
        let dishes = plain_products(&guest.get(&format!("/filials/{VENUE}")).await.data());
        guest.add(VENUE, dishes[2].0).await;
        let cart = guest.get("/cart").await.data();
        assert_eq!(cart["shell"]["cart"]["count"], 1, "{on}");
        let answer = press(&guest, &order_fields(&cart)).await;
        let page = follow(&guest, answer).await;
        let lines = page["page"]["data"]["lines"].as_array().unwrap();
        assert_eq!(lines.len(), 1, "{on}");
        assert_eq!(orders(&product).await, 2, "{on}");
    }
}

/// The guest has gone on without pressing again: what is open is finished by the server itself.
#[tokio::test]
async fn a_guest_who_does_not_press_again_finds_the_cart_empty_too() {
    for on in ["UPDATE ON carts", "UPDATE OF answer ON idempotency"] {
        let product = Product::start().await;
        let (guest, seen) = ready_to_order(&product).await;
        refuse_writes(&product, "half", on);
        press(&guest, &seen).await;
        take_writes(&product, "half");
        let product = product.killed_and_started_again().await;
        let guest = guest.at(&product);
        eventually(40, || async {
            let home = guest.get("/").await.data();
            home["shell"]["cart"].is_null().then_some(())
        })
        .await;
        assert_eq!(orders(&product).await, 1, "{on}");
        // A guest who was never led there finds the order all the same.
        let home = guest.get("/").await.data();
        let page = home["shell"]["activeOrder"]["href"].as_str().unwrap();
        let order = guest.get(page).await.data();
        assert_eq!(order["page"]["data"]["status"], "created", "{on}");
        let listed = guest.get("/orders").await.data();
        assert_eq!(listed["page"]["data"]["orders"][0]["href"], page, "{on}");
    }
}

#[tokio::test]
async fn a_lost_idempotency_record_makes_no_second_order() {
    let product = Product::start().await;
    let (guest, seen) = ready_to_order(&product).await;
    product.control("faults", json!({ "path": "/takeaway/v1/express/order", "kind": "status", "status": 502, "after_commit": true })).await;
    let answer = press(&guest, &seen).await;
    assert!(
        answer.location().starts_with("/orders/checking/"),
        "{}",
        answer.location()
    );
    assert_eq!(orders(&product).await, 1);
    let state = rusqlite::Connection::open(product.folder.join("state.sqlite")).unwrap();
    state.busy_timeout(Duration::from_secs(5)).unwrap();
    state.execute("DELETE FROM idempotency", []).unwrap();
    product.no_faults().await;
    let answer = press(&guest, &seen).await;
    let page = follow(&guest, answer).await;
    assert_eq!(page["page"]["route"], "order");
    assert_eq!(orders(&product).await, 1);
}

#[tokio::test]
async fn an_unknown_outcome_shows_checking_and_resolves_by_itself() {
    let product = Product::start().await;
    let (guest, seen) = ready_to_order(&product).await;
    product.fail("/takeaway/v1/express/order", 503).await;
    let checking = press(&guest, &seen).await.location();
    assert!(checking.starts_with("/orders/checking/"));
    let page = guest.get(&checking).await;
    assert_eq!(page.data()["page"]["route"], "checking");
    assert!(page.text().contains(r#"http-equiv="refresh""#));
    assert_eq!(
        guest.get("/cart").await.data()["shell"]["cart"]["count"],
        2,
        "nothing is lost"
    );
    assert_eq!(
        product.guest().get(&checking).await.status,
        404,
        "it is nobody else's"
    );
    product.no_faults().await;
    let page = eventually(40, || {
        let (guest, checking) = (&guest, &checking);
        async move {
            let answer = guest.get(checking).await;
            (answer.status == 303).then(|| answer.location())
        }
    })
    .await;
    assert_eq!(
        guest.get(&page).await.data()["page"]["data"]["personal"],
        true
    );
    assert_eq!(orders(&product).await, 1);
}

/// Nobody waits for what is cooked hours later. The server stops by itself; the guest decides.
#[tokio::test]
async fn an_order_that_has_been_unknown_for_long_waits_for_the_word_of_its_guest() {
    let product = Product::with(&["--order-resend-seconds", "2"]).await;
    let (guest, seen) = ready_to_order(&product).await;
    let (other, other_seen) = ready_to_order(&product).await;
    product.fail("/takeaway/v1/express/order", 503).await;
    let checking = press(&guest, &seen).await.location();
    let unwanted = press(&other, &other_seen).await.location();
    assert!(checking.starts_with("/orders/checking/"), "{checking}");
    let page = eventually(20, async || {
        let page = guest.get(&checking).await;
        (!page.data()["page"]["data"]["left"].is_null()).then_some(page)
    })
    .await;
    assert!(
        !page.text().contains(r#"http-equiv="refresh""#),
        "it does not look by itself"
    );
    let phone = &page.data()["page"]["data"]["left"]["phone"]["href"];
    assert!(
        page.text()
            .contains(&format!("href=\"{}\"", phone.as_str().unwrap()))
    );
    let (send, give_up) = (format!("{checking}/send"), format!("{unwanted}/drop"));
    assert!(page.text().contains(&format!("action=\"{send}\"")));
    // Upstream is still away: that the press was heard is said.
    let again = guest.post(&send, &[]).await;
    assert_eq!((again.status, again.location()), (303, checking.clone()));
    let told = guest.get(&checking).await.data();
    assert_eq!(
        told["shell"]["flash"]["errors"][0]["code"], "unavailable",
        "{told}"
    );
    let unknown = r#"outcome="unknown""#;
    eventually(30, async || {
        let ended = product.number("orders_total", unknown).await;
        (ended >= 3).then_some(())
    })
    .await;
    product.no_faults().await;
    // Two rounds of the server by itself, and looks of the guest: nothing is sent.
    eventually(60, async || {
        guest.get(&checking).await;
        (product.number("orders_total", r#"outcome="left""#).await >= 2).then_some(())
    })
    .await;
    assert_eq!(orders(&product).await, 0);
    for path in [&checking, &unwanted] {
        assert_eq!(product.guest().get(path).await.status, 404);
    }
    for path in [&send, &give_up] {
        let foreign = product.guest_at_table(VENUE, "t7").await;
        assert_eq!(foreign.post(path, &[]).await.status, 404, "{path}");
    }
    // One wants it, however often the button is pressed.
    let placed = guest.post(&send, &[]).await;
    assert_eq!(placed.status, 303);
    assert_eq!(
        guest.get(&placed.location()).await.data()["page"]["route"],
        "order"
    );
    assert_eq!(guest.post(&send, &[]).await.location(), placed.location());
    assert_eq!(orders(&product).await, 1);
    // The other does not; the dishes stay, and may be ordered anew.
    let dropped = other.post(&give_up, &[]).await;
    assert_eq!((dropped.status, dropped.location()), (303, "/cart".into()));
    let cart = other.get("/cart").await.data();
    assert_eq!(cart["shell"]["cart"]["count"], 2);
    assert_eq!(orders(&product).await, 1);
    let ordered = press(&other, &order_fields(&cart)).await.location();
    assert_eq!(other.get(&ordered).await.data()["page"]["route"], "order");
    assert_eq!(orders(&product).await, 2);
}

/// A guest who waits has it sent without being asked.
#[tokio::test]
async fn an_order_that_is_still_sent_by_itself_is_not_given_up() {
    let product = Product::start().await;
    let (guest, seen) = ready_to_order(&product).await;
    product
        .control("faults", json!({ "path": "/takeaway/v1/express/order", "kind": "status", "status": 503, "after_commit": true }))
        .await;
    let checking = press(&guest, &seen).await.location();
    let answer = guest.post(&format!("{checking}/drop"), &[]).await;
    assert_eq!((answer.status, answer.location()), (303, checking.clone()));
    product.no_faults().await;
    eventually(40, async || {
        (guest.get(&checking).await.status == 303).then_some(())
    })
    .await;
    assert_eq!(orders(&product).await, 1);
}

/// A breaker that is open has sent nothing, but the press before it may have become an order.
#[tokio::test]
async fn what_could_not_be_asked_again_is_not_said_to_be_no_order() {
    let product = Product::start().await;
    let (guest, seen) = ready_to_order(&product).await;
    let mut others = Vec::new();
    for _ in 0..10 {
        others.push(ready_to_order(&product).await);
    }
    product
        .control("faults", json!({ "path": "/takeaway/v1/express/order", "kind": "status", "status": 503, "after_commit": true }))
        .await;
    let checking = press(&guest, &seen).await.location();
    assert!(checking.starts_with("/orders/checking/"), "{checking}");
    // As many calls that fail as open the breaker.
    let presses = others.iter().map(|(guest, seen)| press(guest, seen));
    join_all(presses).await;
    let refused = eventually(20, async || {
        assert_eq!(press(&guest, &seen).await.location(), checking);
        let refused = product.number("upstream_calls_total", "breaker_open").await;
        (refused > 0).then_some(refused)
    })
    .await;
    assert!(refused > 0);
    assert_eq!(press(&guest, &seen).await.location(), checking);
    let placed = orders(&product).await;
    product.no_faults().await;
    let page = eventually(40, async || {
        let answer = guest.get(&checking).await;
        (answer.status == 303).then(|| answer.location())
    })
    .await;
    assert_eq!(guest.get(&page).await.data()["page"]["route"], "order");
    assert_eq!(orders(&product).await, placed);
}

/// Both would be cooked.
#[tokio::test]
async fn a_cart_whose_order_is_being_checked_is_not_ordered_once_more_when_it_has_changed() {
    let product = Product::start().await;
    let (guest, seen) = ready_to_order(&product).await;
    product
        .control("faults", json!({ "path": "/takeaway/v1/express/order", "kind": "status", "status": 503, "after_commit": true }))
        .await;
    let checking = press(&guest, &seen).await.location();
    assert!(checking.starts_with("/orders/checking/"), "{checking}");
    assert_eq!(orders(&product).await, 1);
    let dishes = plain_products(&guest.get(&format!("/filials/{VENUE}")).await.data());
    guest.add(VENUE, dishes[2].0).await;
    let changed = order_fields(&guest.get("/cart").await.data());
    assert_ne!(changed, seen);
    assert_eq!(press(&guest, &changed).await.location(), checking);
    assert_eq!(orders(&product).await, 1);
    product.no_faults().await;
    eventually(40, async || {
        let answer = guest.get(&checking).await;
        (answer.status == 303).then_some(())
    })
    .await;
    // What came after the press is still there, and can be ordered now.
    let cart = guest.get("/cart").await.data();
    assert_eq!(cart["shell"]["cart"]["count"], 1);
    let answer = press(&guest, &order_fields(&cart)).await;
    let page = follow(&guest, answer).await;
    assert_eq!(page["page"]["route"], "order");
    assert_eq!(orders(&product).await, 2);
}

/// Whose order it is stands in the session: one that can't be read is no reason to say that there is no such order.
#[tokio::test]
async fn an_order_that_is_checked_while_the_session_can_not_be_read_is_not_denied() {
    let product = Product::start().await;
    let (guest, seen) = ready_to_order(&product).await;
    product.fail("/takeaway/v1/express/order", 503).await;
    let checking = press(&guest, &seen).await.location();
    let store = rusqlite::Connection::open(product.folder.join("state.sqlite")).unwrap();
    store.busy_timeout(Duration::from_secs(5)).unwrap();
    store
        .execute_batch("ALTER TABLE sessions RENAME TO elsewhere")
        .unwrap();
    let told = guest.get(&checking).await;
    assert_eq!(told.status, 503);
    assert!(!told.header("retry-after").is_empty());
    store
        .execute_batch("ALTER TABLE elsewhere RENAME TO sessions")
        .unwrap();
    let page = guest.get(&checking).await;
    assert_eq!(page.data()["page"]["route"], "checking");
}

/// Nobody is to learn of it from guests: it is counted, and burns the budget of orders.
#[tokio::test]
async fn an_order_that_the_upstream_keeps_from_being_taken_is_counted() {
    let product = Product::start().await;
    let (guest, seen) = ready_to_order(&product).await;
    product
        .fail("/menu/v2/stop_list/order_items/check", 503)
        .await;
    let page = guest.submit("/orders", &filled_in(&seen)).await.data();
    let told = &page["shell"]["flash"]["errors"][0]["code"];
    assert_eq!(told, "unavailable");
    assert_eq!(product.number("orders_total", "unavailable").await, 1);
    product.no_faults().await;
    assert_eq!(orders(&product).await, 0);
}

#[tokio::test]
async fn a_link_to_an_attempt_that_never_was_does_not_say_that_an_order_failed() {
    let product = Product::start().await;
    let (guest, _) = ready_to_order(&product).await;
    let opened = guest.get("/orders/checking/AAAAAAAAAAAAAAAAAAAAAA").await;
    assert_eq!(
        (opened.status, opened.location()),
        (303, "/cart#order".to_owned())
    );
    assert!(guest.get("/cart").await.data()["shell"]["flash"].is_null());
}

#[tokio::test]
async fn refusals_of_the_upstream_keep_the_cart_and_free_the_key() {
    let product = Product::start().await;
    let (guest, seen) = ready_to_order(&product).await;
    // The catalogue still says open; the upstream knows better.
    product
        .control("opening", json!({ "filial_id": VENUE, "closed": true }))
        .await;
    let page = guest.submit("/orders", &filled_in(&seen)).await.data();
    assert_eq!(page["shell"]["flash"]["errors"][0]["code"], "closed");
    assert_eq!(page["shell"]["flash"]["values"]["comment"][0], "Тез");
    assert_eq!(page["shell"]["cart"]["count"], 2);
    product
        .control("opening", json!({ "filial_id": VENUE, "closed": false }))
        .await;
    // A page has asked the venue since: it is asked again after three seconds.
    tokio::time::sleep(Duration::from_millis(3100)).await;
    assert!(press(&guest, &seen).await.location().contains("/order/"));
    assert_eq!(orders(&product).await, 1);
    assert!(guest.get("/").await.data()["shell"]["cart"].is_null());
}

#[tokio::test]
async fn a_cart_that_changed_in_another_tab_is_not_ordered_unseen() {
    let product = Product::start().await;
    let (guest, seen) = ready_to_order(&product).await;
    let dish = plain_products(&guest.get(&format!("/filials/{VENUE}")).await.data())[2].0;
    guest.second_tab().add(VENUE, dish).await;
    let page = guest.submit("/orders", &as_fields(&seen)).await.data();
    assert_eq!(
        page["shell"]["flash"]["errors"][0]["code"],
        "versionChanged"
    );
    assert_eq!(orders(&product).await, 0);
}

/// Follows redirects and the checking page to what the guest ends with.
async fn follow(guest: &Guest, answer: Answer) -> Value {
    assert_eq!(answer.status, 303, "{}", answer.text());
    let mut to = answer.location();
    for _ in 0..200 {
        let page = guest.get(&to).await;
        if page.status == 303 {
            to = page.location();
            continue;
        }
        let data = page.data();
        if data["page"]["route"] != "checking" {
            return data;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    panic!("the outcome stayed unknown");
}

//! Who brings an order, and the chat that tells of it (OR-09, OR-10, PU-08).

use std::time::Duration;

use futures_util::StreamExt as _;
use serde_json::{Value, json};

use crate::{
    bill::minutes_from_now,
    checkout::ready_for_delivery,
    orders::{press, ready_to_order},
    orders_own::{DELIVERY, LANGS, ORDER, bought, data, open, set_status, signed_in},
    sign_in::sign_in,
    support::{Guest, Product, as_fields, order_fields},
};

const COURIER: &str = "/dr-delivery/api/v1/courier";
const CHAT: &str = "/telegram-user-notifications/v1/chat";

#[tokio::test]
async fn the_courier_is_told_once_there_is_one_with_name_number_way_and_distance() {
    let product = Product::start().await;
    let (guest, bearer) = signed_in(&product).await;
    let id = bought(&product, &bearer, "delivery", "cash").await;
    let path = format!("/orders/{id}?lang=en");
    let page = guest.get(&path).await;
    let delivery = data(&page)["delivery"].clone();
    assert_eq!(
        (&delivery["courier"], &delivery["waiting"]),
        (&json!(null), &json!(false))
    );
    // Nobody is on the way, but what the cart has told of the kitchen holds.
    let cooked = page.texts(".now .ready-at").join("");
    assert!(
        cooked.starts_with("The kitchen will be done at about "),
        "{cooked}"
    );
    let said = page.texts(".brings").join("");
    for word in [
        "Абай даңғылы, 10",
        "entrance 2, floor 3, apt. 14",
        "Домофон жоқ",
    ] {
        assert!(said.contains(word), "{word}: {said}");
    }
    assert!(
        product.queries(COURIER).await.is_empty(),
        "nobody is asked too early"
    );

    // Ready, and nobody has taken it: a 404 is no error (OR-09).
    set_status(&product, &id, "ready").await;
    let page = guest.get(&path).await;
    assert_eq!(page.status, 200);
    assert_eq!(data(&page)["delivery"]["waiting"], true);
    assert!(
        page.texts(".brings")
            .join("")
            .contains("No courier has been assigned yet")
    );

    set_status(&product, &id, "delivery").await;
    for path in [
        path.clone(),
        format!("/typ/{DELIVERY}/order/{id}?lang=en"),
        format!("/filials/{DELIVERY}/order/{id}?lang=en"),
    ] {
        let page = guest.get(&path).await;
        let courier = data(&page)["delivery"]["courier"].clone();
        assert_eq!(courier["transport"], "car", "{path}");
        assert!(courier["distance"].as_u64().unwrap() > 0, "{courier}");
        assert!(courier["at"]["lat"].as_f64().unwrap() > 43.0);
        let name = courier["name"].as_str().unwrap();
        let said = page.texts(".courier").join("");
        assert!(said.contains(name) && said.contains("By car"), "{said}");
        assert!(said.contains("away from you"), "in words: {said}");
        // The number is seen and can be pressed.
        assert!(said.contains("Call: +7\u{a0}701\u{a0}000\u{a0}"), "{said}");
        let href = courier["phone"]["href"].as_str().unwrap();
        assert!(href.starts_with("tel:+7701"));
        assert!(page.rendered().contains(&format!(r#"href="{href}""#)));
        // Beside the status, not only far below among the steps.
        let expected = page.texts(".now .ready-at").join("");
        assert!(expected.starts_with("Arrives at about "), "{expected}");
    }
    // Nobody else learns of address and courier.
    let asked = product.queries(COURIER).await.len();
    let other_guest = product.guest();
    let page = other_guest
        .get(&format!("/filials/{DELIVERY}/order/{id}"))
        .await;
    assert_eq!(data(&page)["delivery"], json!(null));
    assert!(!page.text().contains("Абай даңғылы, 10"));
    assert_eq!(product.queries(COURIER).await.len(), asked);
    // It is over: so is the courier.
    set_status(&product, &id, "completed").await;
    assert_eq!(
        data(&guest.get(&path).await)["delivery"]["courier"],
        json!(null)
    );
}

#[tokio::test]
async fn a_courier_that_can_not_be_had_is_no_failure_of_the_page() {
    let product = Product::start().await;
    let (guest, bearer) = signed_in(&product).await;
    let id = bought(&product, &bearer, "delivery", "cash").await;
    set_status(&product, &id, "delivery").await;
    let path = format!("/orders/{id}?lang=en");
    for fault in [
        json!({ "path": COURIER, "kind": "status", "status": 500 }),
        json!({ "path": COURIER, "kind": "hang" }),
        json!({ "path": COURIER, "kind": "replace", "values": { "/data": null } }),
    ] {
        product.no_faults().await;
        product.control("faults", fault.clone()).await;
        let page = guest.get(&path).await;
        assert_eq!(page.status, 200, "{fault}");
        let delivery = data(&page)["delivery"].clone();
        assert_eq!(
            (&delivery["courier"], &delivery["waiting"]),
            (&json!(null), &json!(false)),
            "{fault}"
        );
        assert_eq!(page.texts("h1"), ["With the courier"]);
        assert!(page.texts(".courier").is_empty());
    }
    // What nobody can call is not offered to be called, and what has no place is on no map.
    product
        .replace(COURIER, json!({ "/data/phone": "javascript:alert(1)", "/data/latitude": 4200, "/data/name": null }))
        .await;
    let page = guest.get(&path).await;
    let courier = data(&page)["delivery"]["courier"].clone();
    assert_eq!(
        (&courier["phone"], &courier["at"], &courier["distance"]),
        (&json!(null), &json!(null), &json!(null))
    );
    assert!(page.texts(".courier").join("").starts_with("Courier"));
    assert!(!page.rendered().contains("javascript:"));
}

#[tokio::test]
async fn the_stream_tells_where_the_courier_is_now() {
    let product = Product::start().await;
    let (guest, bearer) = signed_in(&product).await;
    let id = bought(&product, &bearer, "delivery", "cash").await;
    set_status(&product, &id, "delivery").await;
    let events = data(&guest.get(&format!("/orders/{id}")).await)["events"].clone();
    let mut stream = open(&guest, events.as_str().unwrap())
        .send()
        .await
        .unwrap()
        .bytes_stream();
    let (mut text, mut places) = (String::new(), Vec::new());
    while places.len() < 2 {
        let chunk = tokio::time::timeout(Duration::from_secs(30), stream.next());
        text += &String::from_utf8_lossy(&chunk.await.unwrap().unwrap().unwrap());
        while let Some((event, rest)) = text.split_once("\n\n") {
            let data = event.lines().find_map(|line| line.strip_prefix("data: "));
            if let Some(reading) = data.and_then(|data| serde_json::from_str::<Value>(data).ok()) {
                let at = reading["delivery"]["courier"]["at"].clone();
                assert!(at.is_object(), "{reading}");
                if places.last() != Some(&at) {
                    places.push(at);
                }
            }
            text = rest.to_owned();
        }
    }
}

#[tokio::test]
async fn the_chat_that_there_is_not_yet_begins_with_the_order_and_nothing_of_the_guest() {
    let product = Product::with(&["--chat-url", "https://chat.example/bot"]).await;
    // Without a sign-in there is none yet.
    let (guest, seen) = ready_to_order(&product).await;
    let path = press(&guest, &seen).await.location();
    let page = guest.get(&path).await;
    let order = data(&page);
    let id = order["id"].as_str().unwrap();
    let link = format!("https://chat.example/bot?start={id}");
    assert_eq!(order["chat"], link.as_str());
    assert!(page.rendered().contains(&link));
    assert!(product.queries(CHAT).await.is_empty());
    let open = path.split('?').next().unwrap();
    assert_eq!(data(&product.guest().get(open).await)["chat"], json!(null));
    set_status(&product, id, "completed").await;
    assert_eq!(
        data(&guest.get(&path).await)["chat"],
        json!(null),
        "there is no more to tell"
    );

    let (guest, bearer) = signed_in(&product).await;
    let id = bought(&product, &bearer, "takeaway", "cash").await;
    let path = format!("/orders/{id}");
    let chat = async || data(&guest.get(&path).await)["chat"].clone();
    assert_eq!(chat().await, format!("https://chat.example/bot?start={id}"));
    product
        .control(
            "balance",
            json!({ "phone": "+77010000009", "chat": "4711" }),
        )
        .await;
    assert_eq!(chat().await, "https://chat.example/bot", "it is known");
    for fault in ["status", "hang"] {
        product.no_faults().await;
        product
            .control(
                "faults",
                json!({ "path": CHAT, "kind": fault, "status": 500 }),
            )
            .await;
        assert_eq!(
            chat().await,
            json!(null),
            "nobody knows whether there is one"
        );
    }
}

#[tokio::test]
async fn what_is_late_says_so_and_no_time_that_has_passed_is_told_as_one_to_come() {
    let product = Product::start().await;
    let (guest, bearer) = signed_in(&product).await;
    let id = bought(&product, &bearer, "delivery", "cash").await;
    let path = format!("/orders/{id}");
    set_status(&product, &id, "delivery").await;
    let see = async |average: Value, promised: Value, lang: &str| {
        let values = json!({
            "/data/current_order_status/next_average_time": average,
            "/data/current_order_status/next_status_time": promised,
        });
        product.replace("/takeaway/v2/user/order", values).await;
        let page = guest.get(&format!("{path}?lang={lang}")).await;
        let words = [page.texts(".now .ready-at"), page.texts(".steps li")].concat();
        (data(&page), words.join("|"))
    };
    let (passed, ahead) = (json!("2026-01-01T06:10:00Z"), json!("2099-01-01T06:10:00Z"));
    let late = [
        "Тапсырыс кешігіп жатыр",
        "Заказ опаздывает",
        "The order is late",
        "შეკვეთა იგვიანებს",
    ];
    for (lang, late) in LANGS.into_iter().zip(late) {
        let (order, words) = see(passed.clone(), json!(null), lang).await;
        assert_eq!(order["dueAt"], 1_767_247_800_000_i64);
        assert!(order["nextAt"].is_null(), "{lang}");
        assert!(words.contains(late), "{lang}: {words}");
        assert!(
            order["contact"]["href"]
                .as_str()
                .unwrap()
                .starts_with("tel:")
        );
        assert_eq!(words.matches("11:10").count(), 1, "{lang}: {words}");
    }
    // The promised time is later than the usual one, and holds.
    let (order, words) = see(passed, ahead.clone(), "en").await;
    assert!(order["dueAt"].is_null());
    assert!(
        words.contains("Arrives at about 11:10") && !words.contains("late"),
        "{words}"
    );
    // What has come was late, if at all.
    set_status(&product, &id, "completed").await;
    let (order, words) = see(json!("2026-01-01T06:10:00Z"), json!(null), "en").await;
    assert!(order["dueAt"].is_null());
    assert!(!words.contains("late"), "{words}");
}

/// What is fetched is late as what is brought is.
#[tokio::test]
async fn what_is_fetched_and_not_ready_by_the_end_of_the_kitchens_minutes_is_late() {
    let product = Product::start().await;
    let (guest, bearer) = signed_in(&product).await;
    let id = bought(&product, &bearer, "takeaway", "cash").await;
    let path = format!("/orders/{id}");
    let see = async |status: &str, next: Value, lang: &str| {
        let values = json!({
            "/data/status": status,
            "/data/created_at": "2026-01-01T06:00:00Z",
            "/data/cooking_time": 10,
            "/data/current_order_status/status": status,
            "/data/current_order_status/next_average_time": next,
            "/data/statuses": [],
        });
        product.replace(ORDER, values).await;
        let page = guest.get(&format!("{path}?lang={lang}")).await;
        (data(&page), page.texts(".now .ready-at").join("|"))
    };
    let late = [
        "Тапсырыс кешігіп жатыр: 11:10",
        "Заказ опаздывает: ждали к 11:10",
        "The order is late: it was expected by 11:10",
        "შეკვეთა იგვიანებს: ველოდით 11:10-მდე",
    ];
    for (lang, late) in LANGS.into_iter().zip(late) {
        for status in ["created", "cooking"] {
            let (order, words) = see(status, json!(null), lang).await;
            assert_eq!(order["dueAt"], 1_767_247_800_000_i64);
            let called = order["contact"]["href"].as_str().unwrap();
            assert!(called.starts_with("tel:+7"), "{called}");
            assert!(order["readyAt"].is_null(), "{lang}");
            assert!(words.contains(late), "{lang}: {words}");
        }
    }
    // When it comes instead stands with it.
    let (_, words) = see("cooking", json!("2099-01-01T06:30:00Z"), "en").await;
    assert!(words.contains("The order is late: it was expected by 11:10"));
    assert!(words.contains("Ready at about 11:30"), "{words}");
    // Whom to ask stands beside it.
    let late = guest.get(&format!("{path}?lang=en")).await;
    assert_eq!(late.texts(".now a[href^='tel:+7']").len(), 1);
    assert!(
        late.texts(".now")
            .concat()
            .contains("Call the restaurant: +7")
    );
    // What is ready, handed over or called off is not waited for.
    for status in ["ready", "completed", "canceled"] {
        let (order, words) = see(status, json!(null), "en").await;
        assert!(order["dueAt"].is_null() && words.is_empty(), "{words}");
        // Who comes for it, or is told that there will be none, may have to ask.
        assert_eq!(order["contact"].is_null(), status == "completed");
        // Where it is fetched stays with it until it is, with the ways there.
        let page = guest.get(&format!("{path}?lang=en")).await;
        let where_to = format!(
            "Pick it up at {}.",
            order["venue"]["address"].as_str().unwrap()
        );
        let said = page.texts(".now > p").join("|");
        assert_eq!(said.contains(&where_to), status == "ready", "{said}");
        let venue = &order["venue"]["id"];
        let way = format!("href=\"/filials/{venue}/details#address\"");
        assert_eq!(page.rendered().contains(&way), status == "ready");
        let called = page.texts(".now a[href^='tel:+7']");
        assert_eq!(called.is_empty(), status == "completed", "{status}");
    }
}

/// Whoever comes for an order reads since when it waits, and whom to call; who sits at a table is served.
#[tokio::test]
async fn what_is_ready_to_be_fetched_says_since_when_and_whom_to_call() {
    let product = Product::start().await;
    let (guest, bearer) = signed_in(&product).await;
    let id = bought(&product, &bearer, "takeaway", "cash").await;
    set_status(&product, &id, "ready").await;
    let times =
        json!({ "/data/statuses": [{ "status": "ready", "time": "2026-01-01T06:10:00Z" }] });
    let mut served = times.clone();
    served["/data/type"] = json!("express");
    served["/data/table_number"] = json!("7");
    for (lang, since) in LANGS.into_iter().zip([
        "Дайын болған уақыты: 11:10",
        "Готов с 11:10",
        "Ready since 11:10",
        "მზადაა 11:10-დან",
    ]) {
        product.replace(ORDER, times.clone()).await;
        let page = guest.get(&format!("/orders/{id}?lang={lang}")).await;
        let said = page.texts(".now [role='status'] .ready-at").join("|");
        assert!(said.contains(since), "{lang}: {said}");
        assert_eq!(page.texts(".now a[href^='tel:+7']").len(), 1, "{lang}");
    }
    product.replace(ORDER, served).await;
    let page = guest.get(&format!("/orders/{id}?lang=en")).await;
    assert_eq!(data(&page)["table"], "7");
    assert!(page.texts(".now .ready-at").is_empty());
    assert!(page.texts(".now a[href^='tel:']").is_empty());
}

#[tokio::test]
async fn nothing_is_told_to_be_ready_before_it_is_cooked() {
    let product = Product::start().await;
    let (guest, bearer) = signed_in(&product).await;
    let id = bought(&product, &bearer, "takeaway", "cash").await;
    let see = async |next: i64| {
        let next = minutes_from_now(next);
        let values = json!({
            "/data/status": "created",
            "/data/cooking_time": 10,
            "/data/statuses": [],
            "/data/current_order_status/status": "created",
            "/data/current_order_status/next_average_time": next,
        });
        product.replace(ORDER, values).await;
        data(&guest.get(&format!("/orders/{id}")).await)
    };
    // The kitchen begins at once: its minutes are counted from the order.
    let order = see(1).await;
    let at = |order: &Value, key: &str| order[key].as_i64().unwrap();
    assert_eq!(at(&order, "readyAt") - at(&order, "createdAt"), 10 * 60_000);
    // It begins in an hour.
    let order = see(60).await;
    assert_eq!(order["status"], "created");
    assert_eq!(at(&order, "readyAt") - at(&order, "nextAt"), 10 * 60_000);
    // What is to begin later is not late meanwhile, however long ago it was ordered; nor before its kitchen's minutes are over.
    let ordered = minutes_from_now(-20);
    let old = async |next: i64| {
        let values = json!({
            "/data/status": "created",
            "/data/cooking_time": 10,
            "/data/created_at": ordered,
            "/data/statuses": [],
            "/data/current_order_status/status": "created",
            "/data/current_order_status/next_average_time": minutes_from_now(next),
        });
        product.replace(ORDER, values).await;
        let page = guest.get(&format!("/orders/{id}?lang=en")).await;
        let words = page.texts(".now .ready-at").join("|");
        (data(&page), words.contains("The order is late"))
    };
    let (order, is_late) = old(60).await;
    assert_eq!(at(&order, "dueAt"), at(&order, "readyAt"));
    assert!(!is_late);
    let (order, is_late) = old(-5).await;
    assert_eq!(at(&order, "dueAt"), at(&order, "readyAt"));
    assert!(!is_late);
    let (_, is_late) = old(-15).await;
    assert!(is_late);
}

/// Who pays at the bank takes their time, which is not the kitchen's.
#[tokio::test]
async fn what_was_paid_at_the_bank_is_late_by_when_its_kitchen_has_begun() {
    let product = Product::start().await;
    let steps = json!([
        { "status": "created", "time": "2026-01-01T06:00:00Z" },
        { "status": "cooking", "time": "2026-01-01T06:20:00Z" },
    ]);
    let of = |paid: bool| {
        json!({
            "/data/status": "cooking",
            "/data/payment_type": if paid { "online" } else { "cash" },
            "/data/is_paid": paid,
            "/data/created_at": "2026-01-01T06:00:00Z",
            "/data/cooking_time": 10,
            "/data/current_order_status/status": "cooking",
            "/data/current_order_status/next_average_time": null,
            "/data/statuses": steps,
        })
    };
    let minute = |order: &Value| order["dueAt"].as_i64().unwrap() / 60_000 % 60;
    let (guest, bearer) = signed_in(&product).await;
    let id = bought(&product, &bearer, "takeaway", "cash").await;
    for (paid, due) in [(false, 10), (true, 30)] {
        product.replace(ORDER, of(paid)).await;
        let order = data(&guest.get(&format!("/orders/{id}")).await);
        assert_eq!(minute(&order), due, "{paid}");
    }
    // As long as the kitchen has not begun, by when that was expected; else its minutes are counted from when it was placed,
    // or from when the bank would have given up its payment.
    let mut waits = of(true);
    waits["/data/status"] = json!("created");
    waits["/data/current_order_status/status"] = json!("created");
    waits["/data/statuses"] = json!([steps[0]]);
    let payment =
        json!({ "id": "p_1", "status": "succeeded", "expires_at": "2026-01-01T06:15:00Z" });
    let expected = json!("2026-01-01T06:12:00Z");
    for (next, attempt, due) in [
        (&expected, &payment, 22),
        (&expected, &Value::Null, 22),
        (&Value::Null, &Value::Null, 10),
        (&Value::Null, &payment, 25),
    ] {
        waits["/data/current_order_status/next_average_time"] = next.clone();
        waits["/data/payment"] = attempt.clone();
        product.replace(ORDER, waits.clone()).await;
        let page = guest.get(&format!("/orders/{id}?lang=en")).await;
        assert_eq!(minute(&data(&page)), due, "{next} {attempt}");
        let late = page.texts(".now [role='status']").concat();
        let said = format!("The order is late: it was expected by 11:{due}");
        assert!(late.contains(&said), "{late}");
        assert_eq!(page.texts(".now a[href^='tel:+7']").len(), 1);
    }

    // What is brought to somebody who was promised nothing here is late by then, too.
    let brought = bought(&product, &bearer, "delivery", "cash").await;
    product.replace(ORDER, of(false)).await;
    let order = data(&guest.get(&format!("/orders/{brought}")).await);
    assert_eq!(minute(&order), 10);
    assert!(order["contact"].is_object(), "{order}");

    // What is brought: by the end of what its cart has promised from when it was placed, and as much later.
    product.no_faults().await;
    let guest = ready_for_delivery(&product, DELIVERY).await;
    let cart = guest.get("/cart").await.data();
    let door = &cart["page"]["data"]["door"];
    let end = door["max"].as_i64().unwrap();
    let seen = order_fields(&cart);
    let mut fields = as_fields(&seen);
    fields.push(("door", door["signed"].as_str().unwrap()));
    let path = guest.post("/orders", &fields).await.location();
    for (paid, due) in [(false, end % 60), (true, (end + 20) % 60)] {
        product.replace(ORDER, of(paid)).await;
        let order = data(&guest.get(&path).await);
        assert_eq!(minute(&order), due, "{paid}");
    }
}

/// The answer to an order may come long after it was placed, and its courier may be expected later than the cart has said.
#[tokio::test]
async fn a_promise_at_the_door_counts_from_the_order_and_a_later_time_does_not_take_it_back() {
    let product = Product::start().await;
    let guest = ready_for_delivery(&product, DELIVERY).await;
    let cart = guest.get("/cart").await.data();
    let door = &cart["page"]["data"]["door"];
    let seen = order_fields(&cart);
    let mut fields = as_fields(&seen);
    fields.push(("door", door["signed"].as_str().unwrap()));
    let path = guest.post("/orders", &fields).await.location();
    let path = format!(
        "{path}{}lang=en",
        if path.contains('?') { '&' } else { '?' }
    );
    let see = async |status: &str, placed: i64, next: Option<i64>| {
        let values = json!({
            "/data/status": status,
            "/data/payment_type": "cash",
            "/data/created_at": minutes_from_now(placed),
            "/data/cooking_time": 10,
            "/data/statuses": [],
            "/data/current_order_status/status": status,
            "/data/current_order_status/next_average_time": next.map(minutes_from_now),
        });
        product.replace(ORDER, values).await;
        let page = guest.get(&path).await;
        let said = page.texts(".now [role='status']").concat();
        let words = ["Promised at your door", "Arrives at", "The order is late"];
        let told = words.map(|words| said.contains(words));
        (told, page.texts(".now a[href^='tel:+7']").len())
    };
    // Both times of the promise are over, whenever the answer came.
    assert_eq!(see("cooking", -200, None).await, ([false, false, true], 1));
    assert_eq!(see("cooking", -5, None).await, ([true, false, false], 0));
    // Expected in time, later than was promised, and after that.
    let (in_time, later) = (Some(20), Some(150));
    assert_eq!(see("delivery", -5, in_time).await.0, [false, true, false]);
    assert_eq!(see("delivery", -5, later).await.0, [true, true, false]);
    let late = see("delivery", -200, in_time).await;
    assert_eq!(late, ([false, true, true], 1));
}

/// A browser repeats what its cart has shown and makes no promise of its own (S-17).
#[tokio::test]
async fn a_time_at_the_door_that_this_cart_has_not_shown_is_no_promise() {
    let product = Product::start().await;
    let ordered = async |guest: &Guest, cart: &Value, door: &str| {
        let seen = order_fields(cart);
        let mut fields = as_fields(&seen);
        fields.push(("door", door));
        let path = guest.post("/orders", &fields).await.location();
        data(&guest.get(&path).await)["delivery"].clone()
    };
    let guest = ready_for_delivery(&product, DELIVERY).await;
    let cart = guest.get("/cart").await.data();
    let door = &cart["page"]["data"]["door"];
    let of_before = door["signed"].as_str().unwrap().to_owned();
    let delivery = ordered(&guest, &cart, &of_before).await;
    let span = door["max"].as_i64().unwrap() - door["min"].as_i64().unwrap();
    let promise = &delivery["promise"];
    let promised = promise["until"].as_i64().unwrap() - promise["from"].as_i64().unwrap();
    assert_eq!(promised, span * 60_000, "{delivery}");

    let dishes = cart["shell"]["cart"]["lines"].as_array().unwrap();
    let refilled = async || {
        for dish in dishes {
            guest
                .add(DELIVERY, dish["productId"].as_u64().unwrap())
                .await;
        }
        guest.get("/cart").await.data()
    };
    let (range, signature) = of_before.split_once('.').unwrap();
    let (shorter, unsigned) = (format!("0-1.{signature}"), format!("{range}."));
    for door in ["0-1", range, &unsigned, &shorter, &of_before, "", "."] {
        let delivery = ordered(&guest, &refilled().await, door).await;
        assert!(
            delivery.is_object() && delivery["promise"].is_null(),
            "{door}: {delivery}"
        );
    }
    // Nor is what it has shown of fewer dishes.
    let fewer = refilled().await["page"]["data"]["door"]["signed"].clone();
    let more = refilled().await;
    let delivery = ordered(&guest, &more, fewer.as_str().unwrap()).await;
    assert!(
        delivery.is_object() && delivery["promise"].is_null(),
        "{delivery}"
    );
}

/// A guest at a table is nearer to a waiter than to a phone; once it is ready, what follows is the guest's own time.
#[tokio::test]
async fn a_late_order_at_a_table_calls_the_waiter_first_and_one_that_is_ready_says_no_time() {
    let product = Product::start().await;
    let (guest, _) = ready_to_order(&product).await;
    sign_in(&product, &guest, "/cart").await;
    let seen = order_fields(&guest.get("/cart").await.data());
    let path = press(&guest, &seen).await.location();
    assert!(path.starts_with("/typ/"), "the page that says thank you");
    let see = async |kind: &str, status: &str, next: Option<i64>| {
        let values = json!({
            "/data/type": kind,
            "/data/status": status,
            "/data/created_at": minutes_from_now(-60),
            "/data/cooking_time": 10,
            "/data/statuses": [],
            "/data/current_order_status/status": status,
            "/data/current_order_status/next_average_time": next.map(minutes_from_now),
        });
        product.replace(ORDER, values).await;
        guest.get(&format!("{path}?lang=en")).await
    };
    let late = see("express", "cooking", None).await;
    let ways = late.texts(".now [role='status'] a");
    assert_eq!(ways[0], "Call the waiter");
    assert!(ways[1].starts_with("Call the restaurant"), "{ways:?}");
    assert!(late.texts(".at-hand a").is_empty(), "once");
    let ready = see("express", "ready", Some(10)).await;
    assert_eq!(ready.texts(".at-hand a"), ["Call the waiter"]);
    let said = ready.texts(".now p").join("|");
    assert!(said.contains("The waiter is bringing it"), "{said}");
    assert!(!said.contains("will bring it"), "said twice: {said}");
    for (kind, is_told) in [("express", false), ("takeaway", false), ("delivery", true)] {
        let page = see(kind, "ready", Some(10)).await;
        let steps = page.texts(".steps li").join("|");
        assert_eq!(steps.contains("At about"), is_told, "{kind}: {steps}");
    }
}

//! The bill at the table as its guests see it: whole in one answer, live, without a trace of another party; the waiter,
//! the preorder (PY-07 to PY-11, RT-06, FL-08, SC-07, S-16, beyond.md 11 and 17).

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::{
    bill_pay::{at_bank, captured, pay, tenge},
    menu_live::Stream,
    search::{booking_page, form, free},
    sign_in::sign_in,
    support::{Answer, Guest, Product, VENUE, client, eventually, plain_products, table_link},
};

/// From the change to the page.
const IN_TIME: Duration = Duration::from_secs(2);
/// The first HTML of the bill, as it is sent.
const MOST_BYTES: usize = 10 * 1024;

/// What the QR code of the table names.
pub fn table_query() -> String {
    let link = table_link(VENUE, "t7");
    link.split_once('?').unwrap().1.to_owned()
}

/// The address of the bill of the table.
pub fn href() -> String {
    format!("/filials/{VENUE}/bill?{}", table_query())
}

/// Three dishes of the menu: their ids and prices, hundredths.
pub async fn dishes(product: &Product) -> Vec<(u64, i64)> {
    let menu = product
        .guest()
        .get(&format!("/filials/{VENUE}"))
        .await
        .data();
    let mut all = plain_products(&menu);
    all.truncate(3);
    all
}

/// The waiter opens the bill of the table and brings so many of each of the first dishes.
pub async fn opened(product: &Product, counts: &[u32]) -> String {
    let table = json!({ "filial_id": VENUE, "table_id": "t7" });
    let made = product.control("bill/open", table).await;
    let bill = made["data"]["id"].as_str().unwrap().to_owned();
    for ((dish, _), count) in dishes(product).await.iter().zip(counts) {
        bring(product, &bill, *dish, *count).await;
    }
    bill
}

pub async fn bring(product: &Product, bill: &str, dish: u64, count: u32) {
    let line = json!({ "bill_id": bill, "product_id": dish, "count": count });
    product.control("bill/add", line).await;
}

/// The data of a bill's page.
pub fn of(answer: &Answer) -> Value {
    answer.data()["page"]["data"].clone()
}

/// The bill as a guest sees it, with more of a query.
pub async fn seen(guest: &Guest, more: &str) -> Value {
    of(&guest.get(&format!("{}{more}", href())).await)
}

#[tokio::test]
async fn the_first_answer_is_the_whole_bill_and_small() {
    let product = Product::start().await;
    opened(&product, &[2, 1, 3]).await;
    let guest = product.guest();
    let page = guest.get(&format!("{}&lang=en", href())).await;
    assert_eq!(page.status, 200);
    assert_eq!(page.header("cache-control"), "private, no-store");
    let data = of(&page);
    let dishes = dishes(&product).await;
    let goods: i64 = dishes
        .iter()
        .zip([2, 1, 3])
        .map(|((_, price), count)| price * count)
        .sum();
    assert_eq!(data["state"], "open");
    assert_eq!(data["goods"], goods);
    assert_eq!(data["percent"], 10);
    assert_eq!(data["service"], goods / 1000 * 100);
    assert_eq!(data["total"], goods + goods / 1000 * 100);
    assert_eq!((&data["paid"], &data["paying"]), (&json!(0), &json!(0)));
    assert_eq!(data["left"], data["total"]);
    assert_eq!(
        (&data["table"], &data["waiter"]),
        (&json!("7"), &json!("Aidana"))
    );
    assert!(data["cashback"].is_null(), "nobody is signed in");
    // Rendered without scripts: names, the percentage, every way to pay, a link that refreshes.
    let html = page.rendered();
    for line in data["lines"].as_array().unwrap() {
        assert!(html.contains(line["name"].as_str().unwrap()));
    }
    for word in [
        "10\u{a0}%",
        "split=all",
        "split=dishes",
        "split=equal",
        "split=sum",
        "step=waiter",
    ] {
        assert!(html.contains(word), "{word}");
    }
    assert!(page.text().contains(r#"http-equiv="refresh""#));
    let packed = client()
        .get(format!("{}{}", product.web, href()))
        .header("accept-encoding", "br")
        .send()
        .await
        .unwrap();
    assert_eq!(packed.headers()["content-encoding"], "br");
    let bytes = packed.bytes().await.unwrap().len();
    println!("  {bytes} bytes of HTML, brotli; at most {MOST_BYTES}");
    assert!(bytes <= MOST_BYTES, "{bytes}");
}

#[tokio::test]
async fn a_table_without_a_bill_says_what_to_do() {
    let product = Product::start().await;
    let guest = product.guest();
    for address in [href(), format!("/filials/{VENUE}/bill")] {
        let page = guest
            .get(&format!(
                "{address}{}lang=en",
                if address.contains('?') { "&" } else { "?" }
            ))
            .await;
        assert_eq!(page.status, 404);
        assert_eq!(of(&page)["state"], "notFound");
        assert_eq!(page.texts("h1"), ["Bill not found"]);
        let html = page.rendered();
        for words in ["QR code", "refresh", "Scan again", "Refresh"] {
            assert!(html.contains(words), "{words}");
        }
    }
    // Who sits at the table finds it from the menu, by a link that needs no scripts.
    let seated = product.guest_at_table(VENUE, "t7").await;
    let menu = seated.get(&format!("/filials/{VENUE}?lang=en")).await;
    let own = format!("/filials/{VENUE}/bill");
    assert_eq!(menu.texts(&format!("a.chip[href='{own}']")), ["Table 7"]);
    let page = seated.get(&format!("{own}?lang=en")).await;
    assert!(page.rendered().contains("Call the waiter"));
    // Another venue's table is none of this one.
    opened(&product, &[1]).await;
    let other = href().replace("main_terminal_id=1010", "main_terminal_id=9999");
    assert_eq!(guest.get(&other).await.status, 404);
}

/// A fridge, say: whatever its address names, nobody is called, and no page is an empty bill.
#[tokio::test]
async fn a_table_of_a_venue_without_tables_is_not_found() {
    let product = Product::start().await;
    let guest = product.guest();
    let query = "filial_id=1201&table_id=t1&main_terminal_id=1200";
    let menu = guest.get(&format!("/filials/1201?{query}")).await;
    assert_eq!(menu.status, 200, "the menu is there all the same");
    assert_eq!(menu.data()["shell"]["flash"]["kind"], "tableUnknown");
    for address in [
        format!("/filials/1201/bill?{query}"),
        format!("/filials/1201/bill?{query}&bill=b_1"),
        format!("/filials/1201/bill?{query}&step=waiter"),
        "/filials/1201/bill".to_owned(),
        "/filials/1201/bill?bill=b_1".to_owned(),
        "/filials/1201/bill?table_id=t1".to_owned(),
        // Nor is a table that a venue does not have one without a bill.
        href().replace("table_id=t7", "table_id=t999"),
    ] {
        let page = guest.get(&address).await;
        assert_eq!(page.status, 404, "{address}");
        let data = page.data()["page"].clone();
        assert_eq!(data["route"], "notFound", "{address}");
        assert_eq!(data["data"]["what"], "table", "{address}");
        let venue = if address.contains("t999") {
            VENUE
        } else {
            1201
        };
        assert_eq!(data["data"]["menu"], venue, "{address}");
        assert!(
            page.rendered()
                .contains(&format!("href=\"/filials/{venue}\""))
        );
        assert!(!page.rendered().contains("/bill/waiter"), "{address}");
    }
    for (lang, venue, title) in [
        ("kk", 1201, "Үстел табылмады"),
        ("ru", 1201, "Стол не найден"),
        ("en", 1201, "Table not found"),
        ("ka", 2191, "მაგიდა ვერ მოიძებნა"),
    ] {
        let country = if lang == "ka" { "ge" } else { "kz" };
        let query = format!("table_id=t1&lang={lang}&country={country}");
        let page = guest.get(&format!("/filials/{venue}/bill?{query}")).await;
        assert_eq!(
            (page.status, page.texts("h1")),
            (404, vec![title.to_owned()])
        );
    }
    let menu = guest.get("/filials/1201?country=kz").await.data();
    assert!(menu["shell"]["table"].is_null(), "nobody sits there");
    let fields = [
        ("bill", "b_1"),
        ("split", "all"),
        ("payment", "card"),
        ("turn", "0"),
        ("amount", "1"),
        ("tips", "0"),
        ("bonuses", "0"),
    ];
    for form in ["waiter", "dishes", "pay"] {
        let path = format!("/filials/1201/bill/{form}?{query}");
        assert_eq!(guest.post(&path, &fields).await.status, 404, "{form}");
        assert_eq!(guest.post_json(&path, &fields).await.status, 404, "{form}");
    }
    let call = format!("/filials/1201/bill/waiter?{query}");
    assert_eq!(guest.post(&call, &[("bill", "")]).await.status, 404);
    let events = guest
        .get(&format!("/filials/1201/bill/events?{query}"))
        .await;
    assert_eq!(events.status, 404);
    assert_eq!(calls(&product).await, 0);
}

#[tokio::test]
async fn a_bill_stands_at_its_own_address_under_the_name_of_its_venue() {
    let product = Product::start().await;
    let bill = opened(&product, &[1]).await;
    let guest = product.guest();
    let name = seen(&guest, "&lang=en").await["venue"].clone();
    // Under the path of another venue, whatever else is asked for.
    let foreign = href().replace(&format!("/filials/{VENUE}/"), "/filials/1023/");
    let answer = guest.get(&format!("{foreign}&step=waiter&lang=en")).await;
    assert_eq!(answer.status, 303);
    assert_eq!(answer.location(), format!("{}&step=waiter&lang=en", href()));
    let inside = guest.data(&foreign).await;
    assert_eq!(inside["redirect"], href());
    let shown = of(&guest.get(&answer.location()).await);
    assert_eq!((&shown["state"], &shown["venue"]), (&json!("open"), &name));
    // What a guest has begun to pay of it does not stand at the table of another venue either.
    let part = [
        ("bill", bill.as_str()),
        ("split", "all"),
        ("payment", "card"),
        ("turn", "0"),
        ("amount", &shown["left"].as_i64().unwrap().to_string()),
        ("tips", "0"),
        ("bonuses", "0"),
    ];
    let pay = href().replace("/bill?", "/bill/pay?");
    let paying = guest.post(&pay, &part).await;
    assert!(
        paying.location().contains("/pay/card/"),
        "{}",
        paying.location()
    );
    let elsewhere = table_link(1023, "t1").replace("?", "/bill?");
    let led = guest.get(&format!("{elsewhere}&bill={bill}")).await;
    assert_eq!(
        (led.status, led.location()),
        (303, format!("{}&bill={bill}", href()))
    );
    // Others read nothing of it there.
    let other_guest = product.guest();
    let page = of(&other_guest.get(&format!("{elsewhere}&bill={bill}")).await);
    assert_ne!(page["state"], "open");
    assert_eq!((&page["lines"], &page["mine"]), (&json!([]), &json!([])));
}

#[tokio::test]
async fn an_upstream_that_is_down_is_no_missing_bill() {
    let product = Product::start().await;
    opened(&product, &[1]).await;
    product.fail("/bills/v1/bill", 503).await;
    let page = product.guest().get(&href()).await;
    assert_eq!(page.status, 503);
    let data = page.data();
    assert_eq!(data["page"]["route"], "error");
    assert_eq!(data["page"]["data"]["kind"], "unavailable");
    product.no_faults().await;
    let again = eventually(60, async || {
        let page = product.guest().get(&href()).await;
        (page.status == 200).then_some(page)
    });
    assert_eq!(of(&again.await)["state"], "open");
}

#[tokio::test]
async fn the_code_of_a_linked_venue_leads_to_the_bill_of_the_main_one() {
    let product = Product::start().await;
    let guest = product.guest();
    let check = json!({ "filial_id": VENUE, "enabled": true });
    product.control("check-pulling", check).await;
    let answer = guest.get(&table_link(VENUE, "t7")).await;
    assert_eq!(answer.status, 303);
    assert_eq!(answer.location(), href());
    let data = of(&guest.get(&answer.location()).await);
    assert_eq!(data["state"], "open");
    let asked = product.queries("/bills/v1/bill").await;
    let asked = asked.last().unwrap();
    assert_eq!(asked["filial_id"], VENUE.to_string());
    assert_eq!(asked["main_terminal_id"], (VENUE / 10 * 10).to_string());
    assert_ne!(asked["main_terminal_id"], asked["filial_id"]);
    // The guest sits at that table from then on, whatever table was scanned before.
    guest.get(&table_link(1023, "t1")).await;
    guest.get(&table_link(VENUE, "t7")).await;
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    assert_eq!(menu["shell"]["table"]["number"], "7");
}

#[tokio::test]
async fn what_a_waiter_brings_a_friend_pays_and_an_end_reach_all_open_pages_in_time_by_one_reader()
{
    let product = Product::start().await;
    let bill = opened(&product, &[2]).await;
    let extra = dishes(&product).await[1].0;
    let mut streams = Vec::new();
    for _ in 0..5 {
        let guest = product.guest();
        let events = seen(&guest, "&lang=ru").await["events"]
            .as_str()
            .unwrap()
            .to_owned();
        let mut stream = Stream::at(&guest, &events, None).await.unwrap();
        let (id, first) = stream.next().await;
        assert!(!id.is_empty());
        assert_eq!(
            first["lines"].as_array().unwrap().len(),
            1,
            "the snapshot comes first"
        );
        streams.push(stream);
    }
    bring(&product, &bill, extra, 1).await;
    for stream in &mut streams {
        let took = stream
            .until(|event| {
                event["lines"]
                    .as_array()
                    .is_some_and(|lines| lines.len() == 2)
            })
            .await;
        assert!(took < IN_TIME, "the dish after {took:?}");
    }
    product
        .control("bill/pay", json!({ "bill_id": bill, "sum": 500 }))
        .await;
    for stream in &mut streams {
        let took = stream.until(|event| event["paid"] == 50_000).await;
        assert!(took < IN_TIME, "the payment after {took:?}");
    }
    // Five pages, one reader: in the time of some readings nobody asks five times as often.
    product.forget_log().await;
    tokio::time::sleep(Duration::from_secs(4)).await;
    let asked = product.queries("/bills/v1/bill").await.len();
    assert!(asked <= 6, "{asked} readings in four seconds");
    product
        .control("bill/close", json!({ "bill_id": bill }))
        .await;
    for stream in &mut streams {
        let took = stream.until(|event| event["state"] == "closed").await;
        assert!(took < IN_TIME, "the end after {took:?}");
    }
}

#[tokio::test]
async fn the_next_party_at_the_table_sees_nothing_of_the_one_before() {
    let product = Product::start().await;
    let bill = opened(&product, &[2, 1]).await;
    let first = product.guest();
    let page = seen(&first, "").await;
    let names: Vec<String> = page["lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line["name"].as_str().unwrap().to_owned())
        .collect();
    let own = page["href"].as_str().unwrap().to_owned();
    product
        .control("bill/close", json!({ "bill_id": bill }))
        .await;
    let closed = first.get(&own).await;
    assert_eq!(
        (closed.status, of(&closed)["state"].clone()),
        (200, json!("closed"))
    );
    // A new context on the same code, while there is no bill and when there is another one.
    let other_guest = product.guest();
    let nothing = other_guest.get(&href()).await;
    assert_eq!(nothing.status, 404);
    assert!(!nothing.text().contains(&bill));
    let third = dishes(&product).await[2].0;
    let table = json!({ "filial_id": VENUE, "table_id": "t7" });
    let made = product.control("bill/open", table).await;
    let next = made["data"]["id"].as_str().unwrap().to_owned();
    bring(&product, &next, third, 1).await;
    let page = product.guest().get(&href()).await;
    assert_eq!(of(&page)["bill"], json!(next));
    for old in names.iter().chain([&bill]) {
        assert!(!page.text().contains(old.as_str()), "{old}");
    }
    // A look at the old one learns nothing of the next.
    let old = first.get(&own).await;
    assert_eq!(of(&old)["state"], "closed");
    assert!(!old.text().contains(&next));
    let stream = of(&closed);
    assert!(stream["events"].is_null());
    // But the way to it, and to the waiter.
    let page = first.get(&format!("{own}&lang=en")).await;
    assert_eq!(of(&page)["tableHref"], json!(href()));
    assert_eq!(
        page.texts(&format!("a[href='{}']", href())),
        ["The table’s bill now"]
    );
    let html = page.rendered();
    assert!(html.contains("Call the waiter") && html.contains("step=waiter"));
    let there = seen(&first, "").await;
    assert_eq!(there["bill"], json!(next));
    let mut events = Stream::at(&first, &own.replace("/bill?", "/bill/events?"), None)
        .await
        .unwrap();
    let (_, told) = events.next().await;
    assert_eq!(told["state"], "closed");
    assert_eq!(told["lines"], json!([]));
}

/// One reader asks for all pages of a bill; each asks at most once for itself, as it begins.
#[tokio::test]
async fn many_open_pages_of_a_bill_ask_the_upstream_as_one() {
    let product = Product::start().await;
    opened(&product, &[1]).await;
    let mut streams = Vec::new();
    for _ in 0..12 {
        let path = href().replace("/bill?", "/bill/events?");
        let mut events = Stream::at(&product.guest(), &path, None).await.unwrap();
        events.next().await;
        streams.push(events);
    }
    tokio::time::sleep(Duration::from_secs(3)).await;
    product.forget_log().await;
    let begun = Instant::now();
    tokio::time::sleep(Duration::from_secs(4)).await;
    let log = product.sandbox_get("log").await;
    let asked = log
        .iter()
        .filter(|call| call["path"].as_str().unwrap().contains("bill"))
        .count();
    // A look is two calls, and one each second; some may have begun late.
    let most = 2 * (begun.elapsed().as_secs() as usize + 2) + streams.len();
    assert!((1..=most).contains(&asked), "{asked} of at most {most}");
}

#[tokio::test]
async fn a_guest_who_has_paid_a_bill_is_told_so_at_the_next_scan_and_others_are_not() {
    let product = Product::start().await;
    let bill = opened(&product, &[1]).await;
    let (guest, friend) = (product.guest(), product.guest());
    let own = seen(&guest, "").await["href"].as_str().unwrap().to_owned();
    seen(&friend, "").await;
    let bank = pay(&guest, "&split=all&tip=10", "card").await.location();
    let thanks = guest.get(&at_bank(&bank, "succeeded").await).await;
    let thanks = thanks.location();
    assert!(thanks.starts_with("/bills/paid/"), "{thanks}");
    // A reload, Back, and the code of the table once more; also by its link, and without what it names.
    guest.get(&table_link(VENUE, "t7")).await;
    let short = format!("/filials/{VENUE}/bill");
    for address in [own.as_str(), &href(), &short] {
        let mark = if address.contains('?') { '&' } else { '?' };
        let page = guest.get(&format!("{address}{mark}lang=en")).await;
        assert_eq!(page.status, 200, "{address}");
        assert_eq!(page.texts("h1"), ["The bill is paid"], "{address}");
        let data = of(&page);
        assert_eq!(data["state"], "closed");
        let part = &data["mine"][0];
        assert_eq!(part["paid"], true);
        assert_eq!(data["lines"], json!([]), "nothing of the bill");
        let receipt = page.texts(&format!("a[href='{}']", part["href"].as_str().unwrap()));
        // What was paid, tips too.
        let sum = captured(&product).await[0];
        assert_eq!(part["due"], sum);
        assert_eq!(receipt, [format!("Receipt for {}", tenge(sum))]);
        let there = guest.get(part["href"].as_str().unwrap()).await;
        assert_eq!(there.status, 200);
        assert!(of(&there)["receipt"].is_string());
    }
    // A guest who has paid nothing, at the table before or after, learns nothing of it.
    let token = thanks.rsplit('/').next().unwrap();
    for other in [&friend, &product.guest()] {
        let page = other.get(&format!("{}&lang=en", href())).await;
        assert_eq!(page.status, 404);
        assert_eq!(page.texts("h1"), ["Bill not found"]);
        assert_eq!(of(&page)["mine"], json!([]));
        for trace in [bill.as_str(), token, "paid"] {
            assert!(!page.rendered().contains(trace), "{trace}");
        }
    }
    // The next party's bill is theirs, also when it is paid.
    opened(&product, &[2]).await;
    let next = product.guest();
    let page = seen(&next, "").await;
    assert_eq!(
        (&page["state"], &page["mine"]),
        (&json!("open"), &json!([]))
    );
    let bank = pay(&next, "&split=all", "card").await.location();
    at_bank(&bank, "succeeded").await;
    assert_eq!(seen(&next, "").await["state"], "closed");
    let before = guest.get(&href()).await;
    assert_eq!((before.status, &of(&before)["mine"]), (404, &json!([])));
}

#[tokio::test]
async fn who_has_paid_the_bill_and_calls_the_waiter_is_told_when_they_can_call_again() {
    let product = Product::start().await;
    opened(&product, &[1]).await;
    let guest = product.guest();
    let own = seen(&guest, "").await["href"].as_str().unwrap().to_owned();
    let bank = pay(&guest, "&split=all", "card").await.location();
    guest.get(&at_bank(&bank, "succeeded").await).await;
    assert_eq!(seen(&guest, "").await["waiterIn"], 0);
    let path = format!("/filials/{VENUE}/bill/waiter?{}", table_query());
    let called = guest.submit(&path, &[("bill", "")]).await;
    assert_eq!(calls(&product).await, 1);
    // Also at the address of the bill that was paid.
    for page in [called, guest.get(&own).await] {
        let data = of(&page);
        assert_eq!(data["state"], "closed");
        assert!(data["waiterIn"].as_i64() > Some(0), "{data}");
    }
}

/// What calls of the waiter the venue has heard.
async fn calls(product: &Product) -> usize {
    let log = product.sandbox_get("log").await;
    log.iter()
        .filter(|call| call["path"].as_str().unwrap().ends_with("/waiter-call"))
        .count()
}

#[tokio::test]
async fn the_waiter_is_called_once_a_minute_for_a_table_by_all_its_guests() {
    let product = Product::start().await;
    let bill = opened(&product, &[1]).await;
    let guest = product.guest();
    let asked = guest.get(&format!("{}&step=waiter&lang=en", href())).await;
    assert_eq!(of(&asked)["calling"], true);
    assert!(asked.rendered().contains("Call the waiter to your table?"));
    let path = format!("/filials/{VENUE}/bill/waiter?{}", table_query());
    let fields = [("bill", bill.as_str())];
    // A failure is told, and nothing is spent by it.
    product
        .fail(&format!("/bills/v1/bill/{bill}/waiter-call"), 500)
        .await;
    let failed = of(&guest.submit(&path, &fields).await);
    assert_eq!(
        (&failed["problem"], &failed["waiterIn"]),
        (&json!("waiter"), &json!(0))
    );
    product.no_faults().await;
    product.forget_log().await;
    let called = eventually(30, async || {
        let page = of(&guest.submit(&path, &fields).await);
        (page["problem"] != "waiter").then_some(page)
    })
    .await;
    let wait = called["waiterIn"].as_i64().unwrap();
    assert!((1..=60_000).contains(&wait), "{wait}");
    let before = calls(&product).await;
    // Other sessions, other tabs, no session at all.
    for other in [guest.second_tab(), product.guest(), product.guest()] {
        let page = of(&other.submit(&path, &fields).await);
        assert!(page["waiterIn"].as_i64().unwrap() > 0);
    }
    assert_eq!(calls(&product).await, before);
    // Another bill's id opens no second way.
    let made_up = [("bill", "b_another")];
    let page = of(&guest.submit(&path, &made_up).await);
    assert_eq!(page["state"], "closed");
    assert_eq!(calls(&product).await, before);
}

#[tokio::test]
async fn at_a_table_without_a_bill_the_waiter_is_called_as_seldom_as_with_one() {
    let product = Product::start().await;
    let guest = product.guest();
    let page = guest.get(&format!("{}&lang=en", href())).await;
    assert_eq!(of(&page)["callsWaiter"], true);
    let html = page.rendered();
    assert!(html.contains("step=waiter") && html.contains("Call the waiter"));
    // Where the code is scanned again; a path of the page, so that it may use the camera.
    assert!(html.contains(&format!(
        "href=\"/filials/{VENUE}/barcode-scanner?table=1\""
    )));
    assert!(html.contains("Refresh"));
    let asked = guest.get(&format!("{}&step=waiter&lang=en", href())).await;
    // Links prefetch it: what is not found would be an error in the console of who looks at a dish or an order.
    assert_eq!((page.status, asked.status), (404, 200));
    assert!(asked.rendered().contains("Call the waiter to your table?"));
    // A guest who only wants the waiter is not told of a bill.
    assert_eq!(asked.texts("h1"), ["Call the waiter"]);
    assert!(
        !asked.text().contains(r#"http-equiv="refresh""#),
        "a question waits"
    );
    let path = format!("/filials/{VENUE}/bill/waiter?{}", table_query());
    let none = [("bill", "")];
    product.fail("/bills/v1/waiter-call", 500).await;
    let failed = of(&guest.submit(&path, &none).await);
    assert_eq!(
        (&failed["problem"], &failed["waiterIn"]),
        (&json!("waiter"), &json!(0))
    );
    product.no_faults().await;
    product.forget_log().await;
    let called = eventually(30, async || {
        let page = of(&guest.submit(&path, &none).await);
        (page["problem"] != "waiter").then_some(page)
    })
    .await;
    assert_eq!(called["state"], "notFound");
    assert!((1..=60_000).contains(&called["waiterIn"].as_i64().unwrap()));
    // Nor is who has called.
    let shown = guest.get(&format!("{}&lang=en", href())).await;
    assert_eq!(shown.texts("h1"), ["Call the waiter"]);
    assert_eq!(shown.status, 200);
    let before = calls(&product).await;
    let other = product.guest();
    assert!(of(&other.submit(&path, &none).await)["waiterIn"].as_i64() > Some(0));
    // The bill that is opened now begins with the same minute.
    let bill = opened(&product, &[1]).await;
    for fields in [[("bill", bill.as_str())], none] {
        let page = of(&other.submit(&path, &fields).await);
        assert_eq!(page["state"], "open");
        assert!(page["waiterIn"].as_i64() > Some(0));
    }
    assert_eq!(calls(&product).await, before, "one call in all");
    // A table that the venue does not have calls nobody.
    let nowhere = path.replace("table_id=t7", "table_id=t999");
    assert_eq!(guest.post(&nowhere, &none).await.status, 404);
    assert_eq!(calls(&product).await, before);
    // And without a table nobody knows where to.
    let page = of(&product.guest().get(&format!("/filials/{VENUE}/bill")).await);
    assert_eq!(page["callsWaiter"], false);
    let lost = guest
        .post(&format!("/filials/{VENUE}/bill/waiter"), &none)
        .await;
    assert_eq!(lost.status, 404);
}

#[tokio::test]
async fn the_waiter_is_called_to_a_table_whose_bill_is_closed() {
    for is_paid in [true, false] {
        let product = Product::start().await;
        let bill = opened(&product, &[1]).await;
        let guest = product.guest();
        if is_paid {
            let left = seen(&guest, "").await["left"].as_i64().unwrap() / 100;
            let paying = json!({ "bill_id": bill, "sum": left });
            product.control("bill/pay", paying).await;
        } else {
            product
                .control("bill/close", json!({ "bill_id": bill }))
                .await;
        }
        let own = format!("{}&bill={bill}&step=waiter&lang=en", href());
        let asked = guest.get(&own).await;
        assert_eq!(of(&asked)["state"], "closed", "paid: {is_paid}");
        assert!(asked.rendered().contains("Call the waiter to your table?"));
        let path = format!("/filials/{VENUE}/bill/waiter?{}", table_query());
        let called = guest.submit(&path, &[("bill", "")]).await;
        assert!(of(&called)["waiterIn"].as_i64() > Some(0));
        assert_eq!(calls(&product).await, 1);
    }
}

#[tokio::test]
async fn a_preorder_is_its_owners_bill_alone() {
    let product = Product::start().await;
    let owner = product.guest();
    let target = "/bills/preorder/b_1";
    let gate = owner.get(target).await;
    assert_eq!(gate.status, 303, "a sign-in is asked for first");
    assert!(
        gate.location().contains("/oauth2/authorize"),
        "{}",
        gate.location()
    );
    sign_in(&product, &owner, "/").await;
    let dish = dishes(&product).await[0].0;
    let bearer = product
        .sandbox_get("log")
        .await
        .iter()
        .rev()
        .find_map(|call| call["headers"]["authorization"].as_str().map(str::to_owned))
        .expect("a call of the signed-in guest");
    let booking = json!({
        "filial_id": VENUE, "at": "2099-01-01T19:00:00+05:00", "guests": 4, "name": "Айгүл",
        "phone": "+77010000031", "items": [{ "product_id": dish, "count": 4 }],
    });
    let booked = client()
        .post(format!("{}/booking/v1/bookings", product.sandbox))
        .header("authorization", bearer)
        .json(&booking)
        .send()
        .await
        .unwrap();
    assert_eq!(booked.status().as_u16(), 201);
    let booked: Value = booked.json().await.unwrap();
    let bill = booked["data"]["preorder_id"].as_str().unwrap().to_owned();
    let tables = owner.get("/brands/booking").await;
    let target = format!("/bills/preorder/{bill}");
    assert!(
        tables.rendered().contains(&target),
        "the booking leads to its bill"
    );
    let page = owner.get(&target).await;
    assert_eq!(page.status, 200);
    let data = of(&page);
    assert_eq!(
        (&data["state"], &data["preorder"]),
        (&json!("open"), &json!(true))
    );
    assert_eq!(data["lines"][0]["count"], 4);
    // Whatever venue the query names, it is that of the booking.
    for more in ["?filial_id=1023", "?filial_id=1023&table_id=t1"] {
        let page = of(&owner.get(&format!("{target}{more}")).await);
        assert_eq!(page["venue"], data["venue"], "{more}");
    }
    // The same guest elsewhere: the sign-in leads to the very bill, with what the guest has.
    let tab = product.guest();
    let led = sign_in(&product, &tab, &target).await;
    assert_eq!(led.location(), target);
    let page = tab.get(&target).await;
    assert_eq!(of(&page)["lines"], data["lines"]);
    let balance = page.data()["shell"]["balance"].as_i64().unwrap();
    assert!(balance > 0);
    let shown = page
        .texts(".balance")
        .concat()
        .replace(|one: char| !one.is_ascii_digit(), "");
    assert_eq!(shown, (balance / 100).to_string());
    let other = product.guest();
    let forms = ["pay", "dishes", "waiter"].map(|form| format!("{target}/{form}"));
    let fields = [
        ("bill", bill.as_str()),
        ("split", "all"),
        ("payment", "card"),
        ("turn", "0"),
        ("amount", "1"),
        ("tips", "0"),
        ("bonuses", "0"),
    ];
    for form in &forms {
        assert_eq!(other.post(form, &fields).await.status, 404, "{form}");
    }
    let events = other.get(&format!("{target}/events")).await;
    assert_eq!(events.status, 404);
    sign_in_as(&product, &other).await;
    assert_eq!(other.get(&target).await.status, 404);
    assert_eq!(owner.get(&target).await.status, 200);
    assert_eq!(other.get(&target).await.status, 404, "warm as well");
}

/// The booking of a guest who orders the dishes of the cart with it, as the list tells it.
pub async fn ordered_ahead(guest: &Guest) -> Value {
    let page = booking_page(guest).await;
    let venue = VENUE.to_string();
    let mut fields = form(&page, &venue, free(&page));
    fields.push(("ahead", "1"));
    guest.post("/bookings", &fields).await;
    let tables = guest.get("/brands/booking").await.data();
    tables["page"]["data"]["own"][0].clone()
}

/// A signed-in guest with a table whose dish is ordered ahead, and that booking.
pub async fn with_ahead(product: &Product) -> (Guest, Value) {
    let guest = product.guest();
    sign_in(product, &guest, "/").await;
    let dish = dishes(product).await[0].0;
    guest.add(VENUE, dish).await;
    let own = ordered_ahead(&guest).await;
    (guest, own)
}

/// Begins to pay all of a preorder by card: the page of the bank.
pub async fn begin_to_pay(guest: &Guest, bill: &str) -> String {
    let left = of(&guest.get(bill).await)["left"].as_i64().unwrap();
    let part = [
        ("bill", bill.rsplit('/').next().unwrap()),
        ("split", "all"),
        ("payment", "card"),
        ("turn", "0"),
        ("amount", &left.to_string()),
        ("tips", "0"),
        ("bonuses", "0"),
    ];
    let answer = guest.post(&format!("{bill}/pay"), &part).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    answer.location()
}

/// S-13, S-16: the stream is the owner's as the page is, also while the owner looks and just after.
#[tokio::test]
async fn a_preorder_is_told_live_to_its_owner_alone() {
    let product = Product::start().await;
    let (owner, other) = (product.guest(), product.guest());
    sign_in(&product, &owner, "/").await;
    sign_in_as(&product, &other).await;
    let dish = dishes(&product).await[0].0;
    owner.add(VENUE, dish).await;
    let own = ordered_ahead(&owner).await;
    let bill = own["bill"].as_str().unwrap();
    let events = of(&owner.get(bill).await)["events"]
        .as_str()
        .unwrap()
        .to_owned();
    let bare = events.split('?').next().unwrap();
    // A phone that has only signed in has no device yet: no two of those are one guest.
    let cold = product.guest();
    sign_in(&product, &cold, "/").await;
    let mut own = Stream::at(&cold, &events, None).await.unwrap();
    let (_, told) = own.next().await;
    assert_eq!(told["lines"].as_array().unwrap().len(), 1);
    let other_guests = async || {
        for (guest, path) in [(&other, events.as_str()), (&other, bare)] {
            assert_eq!(Stream::at(guest, path, None).await.err(), Some(404));
        }
        let other_guest = Stream::at(&product.guest(), &events, None).await;
        assert_eq!(other_guest.err(), Some(404));
    };
    other_guests().await;
    let _second = Stream::at(&owner, &events, None).await.unwrap();
    other_guests().await;
    // The owner's streams go on.
    let id = bare.split('/').nth(3).unwrap();
    product
        .control("bill/pay", json!({ "bill_id": id, "sum": 100 }))
        .await;
    own.until(|event| event["paid"] == 10_000).await;
    drop(own);
    other_guests().await;
    // Whose it is can't be asked: nothing is told.
    let down = json!({ "path": "/bills/v1/preorder", "kind": "status", "status": 503 });
    product.control("faults", down).await;
    assert!(Stream::at(&other, &events, None).await.is_err());
    assert!(Stream::at(&owner, &events, None).await.is_err());
}

/// PY-08, ZZ: what lies in the cart is ordered with the table, is on the bill of the booking, and is paid there.
#[tokio::test]
async fn dishes_of_the_cart_are_ordered_with_a_table_once_and_paid_on_its_bill() {
    let product = Product::start().await;
    let guest = product.guest();
    let venue = VENUE.to_string();
    // The upstream takes dishes of guests whom it knows.
    let dish = dishes(&product).await[0].0;
    guest.add(VENUE, dish).await;
    // Another day: of this one no time may be left.
    let date = booking_page(&guest).await["date"].clone();
    let date = date.as_str().unwrap();
    let address = format!("/brands/booking?filial={VENUE}&date={date}&lang=ru");
    let page = guest.get(&address).await;
    assert!(!page.text().contains("name=\"ahead\""));
    // How it is done is said in one line.
    assert!(page.rendered().contains("Войдите, чтобы заказать заранее"));
    sign_in(&product, &guest, "/").await;
    guest.add(VENUE, dish).await;
    let page = booking_page(&guest).await;
    let offered = guest.get(&address).await;
    assert!(offered.text().contains("name=\"ahead\""));
    let told = offered
        .texts("label:has(input[name='ahead']) .num")
        .concat();
    assert!(
        !offered
            .rendered()
            .contains("Войдите, чтобы заказать заранее")
    );
    let mut fields = form(&page, &venue, free(&page));
    fields.push(("ahead", "1"));
    // The answer of the upstream is lost, the process dies: it is one booking, with its dishes.
    let hang = json!({ "path": "/booking/v1/bookings", "method": "POST", "kind": "status", "status": 502,
        "after_commit": true });
    product.control("faults", hang).await;
    guest.post("/bookings", &fields).await;
    let product = product.killed_and_started_again().await;
    product.no_faults().await;
    let guest = guest.at(&product);
    let booked = guest.post("/bookings", &fields).await;
    assert_eq!(booked.status, 303, "{}", booked.text());
    let gone = async || {
        let data = guest.get("/brands/booking").await.data();
        data["shell"]["cart"].is_null().then_some(data)
    };
    let tables = eventually(60, gone).await;
    let own = tables["page"]["data"]["own"].as_array().unwrap().clone();
    assert_eq!(own.len(), 1, "{own:?}");
    let bill = own[0]["bill"]
        .as_str()
        .expect("a bill of its own")
        .to_owned();
    let data = of(&guest.get(&bill).await);
    assert_eq!(data["lines"][0]["count"], 2);
    // It costs what was told before.
    assert_eq!(told, tenge(data["total"].as_i64().unwrap()));
    assert!(data["total"].as_i64() > data["goods"].as_i64());
    // The same form once more is the same booking.
    guest.post("/bookings", &fields).await;
    let again = guest.get("/brands/booking").await.data();
    assert_eq!(again["page"]["data"]["own"].as_array().unwrap().len(), 1);
    // It is paid as any bill is.
    let bank = begin_to_pay(&guest, &bill).await;
    assert!(bank.contains("/pay/card/"), "to the bank: {bank}");
    // Paid, its own address says so.
    at_bank(&bank, "succeeded").await;
    let paid = guest.get(&format!("{bill}?lang=en")).await;
    assert_eq!(paid.status, 200);
    assert_eq!(paid.texts("h1"), ["The bill is paid"]);
    // Before the table is given back the guest is told what becomes of the money, and whom to ask.
    let id = own[0]["id"].as_str().unwrap();
    let question = format!("/brands/booking?cancel={id}&lang=en");
    let question = guest.get(&question).await.rendered();
    assert!(question.contains("What you have paid will be returned within minutes"));
    assert!(
        question
            .split("class=\"card leaving\"")
            .nth(1)
            .unwrap()
            .contains("href=\"tel:")
    );
}

/// The bill says for when it is and leads back to the bookings; the page that says thank you tells when the table waits, and
/// asks how it was once the visit is over.
#[tokio::test]
async fn a_preorder_names_its_time_and_asks_how_it_was_after_the_visit() {
    let product = Product::start().await;
    let (guest, own) = with_ahead(&product).await;
    let bill = own["bill"].as_str().unwrap();
    let page = guest.get(&format!("{bill}?lang=en")).await;
    assert_eq!(of(&page)["booked"], own["at"]);
    let top = page.texts(".top").concat();
    assert!(
        top.contains("Table booked for ") && top.contains("Pay for the preorder here by then.")
    );
    assert_eq!(page.texts(".back[href='/brands/booking']").len(), 1);
    // Who serves is known when the guests are there.
    let served = async |minutes: i64| {
        let booked = json!({ "/data/0/at": minutes_from_now(minutes) });
        product.replace("/booking/v1/bookings", booked).await;
        let page = guest.get(&format!("{bill}?lang=en")).await;
        let top = page.texts(".top").concat();
        top.contains("Your waiter: ")
    };
    assert_eq!((served(60).await, served(-10).await), (false, true));
    product.no_faults().await;
    let bank = begin_to_pay(&guest, bill).await;
    let back = at_bank(&bank, "succeeded").await;
    let thanks = back.split('?').next().unwrap();
    let thanks = thanks.replace("/pay/", "/bills/paid/");
    let shown = async || {
        let page = guest.get(&format!("{thanks}?lang=en")).await;
        assert_eq!(page.status, 200);
        let waits = page.rendered().contains("Your table waits for you on ");
        (
            of(&page)["booked"].clone(),
            waits,
            of(&page)["asks"] == true,
        )
    };
    assert_eq!(shown().await, (own["at"].clone(), true, false));
    // It lasts for two hours.
    for (minutes, asks) in [(60, false), (121, true)] {
        let booked = json!({ "/data/0/at": minutes_from_now(-minutes) });
        product.replace("/booking/v1/bookings", booked).await;
        assert_eq!(shown().await, (Value::Null, false, asks));
    }
}

/// A time as the upstream tells it.
pub fn minutes_from_now(minutes: i64) -> String {
    let at = time::OffsetDateTime::now_utc() + time::Duration::minutes(minutes);
    at.format(&time::format_description::well_known::Rfc3339)
        .unwrap()
}

/// A guest who has taken their answer back orders nothing with a table that is for adults.
#[tokio::test]
async fn what_is_for_adults_is_not_ordered_with_a_table_by_who_is_none() {
    let product = Product::start().await;
    let guest = product.guest();
    sign_in(&product, &guest, "/").await;
    let (wine, _, dish) = crate::age::wine(&product).await;
    guest.get(&format!("/filials/{wine}?country=ge")).await;
    let say = async |answer: &str| {
        let fields = [("answer", answer), ("back", "/")];
        guest.post("/session/age", &fields).await;
    };
    say("yes").await;
    guest.add(wine, dish).await;
    say("no").await;
    let venue = wine.to_string();
    let first = guest
        .get(&format!("/brands/booking?filial={wine}"))
        .await
        .data();
    let date = first["page"]["data"]["days"][2]["date"]
        .as_str()
        .unwrap()
        .to_owned();
    let page = guest
        .get(&format!(
            "/brands/booking?filial={wine}&date={date}&guests=3"
        ))
        .await
        .data()["page"]["data"]
        .clone();
    let mut fields = form(&page, &venue, free(&page));
    fields.push(("ahead", "1"));
    let asked = guest.post("/bookings", &fields).await;
    assert!(
        asked.location().starts_with("/age?"),
        "{}",
        asked.location()
    );
    let log = product.sandbox_get("log").await;
    let sent = |call: &&Value| call["method"] == "POST" && call["path"] == "/booking/v1/bookings";
    assert_eq!(log.iter().filter(sent).count(), 0);
    say("yes").await;
    let booked = guest.post("/bookings", &fields).await;
    assert!(
        booked.location().contains("booking="),
        "{}",
        booked.location()
    );
}

/// Somebody else.
async fn sign_in_as(product: &Product, guest: &Guest) {
    let page = crate::sign_in::begin(guest, "/").await;
    let back = crate::sign_in::confirm_as(product, &page, "+77010000077").await;
    assert_eq!(guest.get(&back).await.status, 303);
}

#[tokio::test]
async fn the_first_bill_gives_back_ten_percent_to_those_who_are_signed_in() {
    let product = Product::start().await;
    opened(&product, &[1]).await;
    let guest = product.guest();
    // What is told, and what the guest reads.
    let cashback = async || {
        let page = guest.get(&format!("{}&lang=en", href())).await;
        let read = page.rendered().replace('\u{a0}', " ");
        (
            of(&page)["cashback"].clone(),
            read.contains("get 10 % back"),
        )
    };
    assert_eq!(cashback().await, (Value::Null, false));
    sign_in(&product, &guest, "/").await;
    assert_eq!(cashback().await, (json!(10), true));
    product
        .replace("/bills/v1/bill", json!({ "/data/is_first_payment": false }))
        .await;
    assert_eq!(cashback().await, (Value::Null, false));
}

#[tokio::test]
async fn the_bill_of_another_table_does_not_say_that_the_guest_sits_elsewhere() {
    let product = Product::start().await;
    opened(&product, &[1]).await;
    let table = async |guest: &Guest| {
        let shell = guest.get(&href()).await.data()["shell"].clone();
        shell["table"]["number"].clone()
    };
    let neighbour = product.guest_at_table(VENUE, "t1").await;
    assert_eq!(table(&neighbour).await, Value::Null);
    // It is read, and the guest still sits where they sat.
    let menu = neighbour.get(&format!("/filials/{VENUE}")).await.data();
    assert_eq!(menu["shell"]["table"]["tableId"], "t1");
    let own = product.guest_at_table(VENUE, "t7").await;
    assert_eq!(table(&own).await, "7");
}

//! A part of a bill that waits at the bank is called off and paid another way: nobody pays twice, nothing stays with a
//! guest who does not pay, and what the bank took meanwhile is paid (PY-14, PY-15, R-01).

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::{
    bill::{href, of, opened, seen},
    bill_pay::{at_bank, captured, fields_of, pay, pay_path, post, take},
    menu_live::Stream,
    support::{Answer, Guest, Product, VENUE, client, eventually},
};

/// Where parts are called off upstream; the id of the part stands between.
pub const PARTS: &str = "/bills/v1/payment/";

/// The page of the guest's own part that is not paid.
pub async fn own(guest: &Guest) -> String {
    let page = seen(guest, "").await;
    let part = page["mine"]
        .as_array()
        .unwrap()
        .iter()
        .find(|part| part["paid"] == false);
    part.unwrap()["href"].as_str().unwrap().to_owned()
}

pub async fn call_off(guest: &Guest, part: &str) -> Answer {
    let (path, back) = (format!("{part}/cancel"), href());
    guest.post(&path, &[("back", back.as_str())]).await
}

/// The bill as the guest sees it after a press.
async fn after(guest: &Guest, answer: &Answer) -> Value {
    assert_eq!(answer.status, 303, "{}", answer.text());
    of(&guest.get(&answer.location()).await)
}

/// A press whose answer nobody waits for.
pub fn hangs(
    guest: &Guest,
    path: &str,
    fields: Vec<(String, String)>,
) -> tokio::task::JoinHandle<()> {
    let (tab, path) = (guest.second_tab(), path.to_owned());
    tokio::spawn(async move {
        let request = tab
            .request(reqwest::Method::POST, &path)
            .header("sec-fetch-site", "same-origin")
            .header("cookie", format!("dk={}", tab.cookie("dk").unwrap()))
            .form(&fields);
        let _ = request.send().await;
    })
}

/// How often the upstream was told to call a part off.
pub async fn told_off(product: &Product) -> usize {
    let log = product.sandbox_get("log").await;
    log.iter()
        .filter(|call| {
            let path = call["path"].as_str().unwrap();
            path.starts_with(PARTS) && path.ends_with("/cancel")
        })
        .count()
}

/// The guest who comes next pays the rest of the bill: what the bank has is the bill, and the table has none any more.
pub async fn the_rest_is_paid_once(product: &Product, total: i64) {
    let last = product.guest();
    let bank = pay(&last, "&split=all", "card").await.location();
    at_bank(&bank, "succeeded").await;
    assert_eq!(captured(product).await.iter().sum::<i64>(), total);
    assert_eq!(product.guest().get(&href()).await.status, 404);
}

#[tokio::test]
async fn a_guest_who_did_not_pay_at_the_bank_pays_another_way_and_others_have_the_dishes_meanwhile()
{
    let product = Product::start().await;
    opened(&product, &[2, 1]).await;
    let (guest, friend) = (product.guest(), product.guest());
    take(&guest, &[1, 1]).await;
    let bank = pay(&guest, "&split=dishes&tip=10", "card").await.location();
    assert!(bank.starts_with("http"), "{bank}");
    // The dish is nobody else's while it is being paid.
    let before = seen(&friend, "").await;
    let total = before["total"].as_i64().unwrap();
    assert_eq!(before["lines"][1]["others"], 1);
    assert!(before["left"].as_i64().unwrap() < total);
    // The way out stands where the guest comes back to, without scripts: on the bill and on the page of the payment.
    let part = own(&guest).await;
    let ways_out = [
        (format!("{}&split=all&lang=en", href()), "Stop this payment"),
        (format!("{part}?lang=en"), "Pay another way"),
    ];
    for (page, words) in ways_out {
        let page = guest.get(&page).await;
        let data = of(&page);
        let own = data["mine"][0]["href"].as_str().or(data["href"].as_str());
        let html = page.rendered();
        let form = format!("action=\"{}/cancel\"", own.unwrap());
        assert!(html.contains(&form), "{form}");
        assert!(html.contains(words));
        // One payment at a time: there is no other button that pays, and what is being paid stands first.
        assert!(page.texts(".share, .splits").is_empty());
        let first = page.texts(".top .left");
        assert!(data["mine"].is_null() || first[0].starts_with("You are paying now"));
    }
    let off = call_off(&guest, &part).await;
    let page = guest.get(&format!("{}&lang=en", off.location())).await;
    assert!(
        page.rendered().contains("nothing was charged"),
        "{}",
        page.rendered()
    );
    let now = of(&page);
    assert_eq!(
        (&now["problem"], &now["mine"]),
        (&json!("calledOff"), &json!([]))
    );
    assert_eq!(now["left"], total);
    // Back at the bill the dishes are still chosen; given back, they are there for the others.
    assert_eq!(
        (&now["lines"][0]["mine"], &now["lines"][1]["mine"]),
        (&json!(1), &json!(1))
    );
    take(&guest, &[0, 0]).await;
    let there = seen(&friend, "").await;
    assert_eq!(
        (&there["lines"][1]["others"], &there["left"]),
        (&json!(0), &json!(total))
    );
    // The page of the bank that is still open takes no money, and says so nowhere else.
    at_bank(&bank, "succeeded").await;
    assert!(captured(&product).await.is_empty());
    assert_eq!(of(&guest.get(&part).await)["state"], "abandoned");
    // Another way: nothing of the part before is in it.
    take(&guest, &[1, 0]).await;
    let waiting = pay(&guest, "&split=dishes", "qr").await.location();
    assert_ne!(waiting, part);
    let bank = of(&guest.get(&waiting).await)["bank"]
        .as_str()
        .unwrap()
        .to_owned();
    at_bank(&bank, "succeeded").await;
    the_rest_is_paid_once(&product, total).await;
}

/// What a guest has chosen of each line.
fn mine(page: &Value) -> Vec<u64> {
    let lines = page["lines"].as_array().unwrap();
    lines
        .iter()
        .map(|line| line["mine"].as_u64().unwrap())
        .collect()
}

/// Back from the bank without having paid: the page of the bill, where the way back of the payment leads.
async fn unpaid(guest: &Guest, outcome: &str) -> String {
    let bank = pay(guest, "&split=dishes&tip=10", "card").await.location();
    let back = at_bank(&bank, outcome).await;
    let failed = of(&guest.get(&back).await);
    assert!(failed["bank"].is_null(), "{failed}");
    failed["bill"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn dishes_that_the_bank_did_not_take_the_money_for_are_still_chosen_on_the_way_back() {
    for outcome in ["declined", "abandoned", "timed_out"] {
        let product = Product::start().await;
        opened(&product, &[2, 1]).await;
        let (guest, friend) = (product.guest(), product.guest());
        take(&guest, &[1, 1]).await;
        let before = seen(&guest, "&split=dishes&tip=10").await;
        let bill = unpaid(&guest, outcome).await;
        assert_eq!(mine(&seen(&friend, "").await), [0, 0]);
        // A look ahead of the tap shows what the tap will, and takes nothing from the others.
        let ahead = guest.get_with(&bill, &[("x-prefetch", "1")]).await;
        assert_eq!(mine(&of(&ahead)), [1, 1], "{outcome}");
        assert_eq!(seen(&friend, "").await["lines"][1]["others"], 0);
        let page = guest.get(&bill).await;
        let now = of(&page);
        assert_eq!(mine(&now), [1, 1], "{outcome}");
        assert_eq!(now["problem"], Value::Null);
        assert_eq!(
            (&now["choice"]["due"], &now["choice"]["tip"]),
            (&before["choice"]["due"], &json!(10))
        );
        assert!(now["heldUntil"].is_i64());
        // Without scripts: the form has them chosen.
        assert_eq!(page.texts(".dishes option[selected]"), ["1"]);
        assert_eq!(page.texts(".dishes .choice:has([checked])").len(), 1);
        assert_eq!(seen(&friend, "").await["lines"][1]["others"], 1);
        // Given back by the guest, they do not come again.
        take(&guest, &[0, 0]).await;
        assert_eq!(mine(&of(&guest.get(&bill).await)), [0, 0]);
    }
}

#[tokio::test]
async fn dishes_that_are_chosen_again_stay_so_when_the_page_of_a_look_ahead_goes_live() {
    let product = Product::start().await;
    opened(&product, &[2, 1]).await;
    let guest = product.guest();
    take(&guest, &[1, 1]).await;
    let bill = unpaid(&guest, "declined").await;
    let ahead = guest.get_with(&bill, &[("x-prefetch", "1")]).await;
    let events = of(&ahead)["events"].as_str().unwrap().to_owned();
    let mut stream = Stream::at(&guest, &events, None).await.unwrap();
    assert_eq!(mine(&stream.next().await.1), [1, 1]);
    // A reading that was begun before they were chosen again knows nothing of it.
    let rest = Duration::from_secs(3);
    while let Ok((_, told)) = tokio::time::timeout(rest, stream.next()).await {
        assert_eq!(mine(&told), [1, 1]);
    }
}

#[tokio::test]
async fn what_others_have_taken_meanwhile_is_said_on_the_way_back_from_the_bank() {
    let product = Product::start().await;
    opened(&product, &[2, 1]).await;
    let (guest, friend) = (product.guest(), product.guest());
    take(&guest, &[1, 1]).await;
    let bill = unpaid(&guest, "declined").await;
    take(&friend, &[0, 1]).await;
    let page = guest.get(&format!("{bill}&lang=en")).await;
    let now = of(&page);
    assert_eq!(mine(&now), [1, 0]);
    assert_eq!(now["problem"], "taken");
    assert!(
        page.rendered()
            .contains("Another guest was faster with one of these dishes."),
        "{}",
        page.rendered()
    );
    // What is chosen is what is paid.
    let bank = post(&guest, &pay_path(), &fields_of(&now, "card"))
        .await
        .location();
    at_bank(&bank, "succeeded").await;
    let due = now["choice"]["due"].as_i64().unwrap();
    assert_eq!(captured(&product).await, [due]);
    // Another guest of the table, who has chosen nothing, comes back to nothing.
    let other = seen(&product.guest(), "&split=dishes").await;
    assert_eq!(mine(&other), [0, 0]);
}

#[tokio::test]
async fn dishes_that_could_not_be_sent_to_the_bank_are_still_chosen() {
    let product = Product::start().await;
    let bill = opened(&product, &[1, 1]).await;
    let guest = product.guest();
    take(&guest, &[1, 0]).await;
    let path = format!("/bills/v1/bill/{bill}/payments");
    let refusal = json!({ "path": path, "kind": "status", "status": 422, "times": 1 });
    product.control("faults", refusal).await;
    let answer = pay(&guest, "&split=dishes", "card").await;
    let page = after(&guest, &answer).await;
    assert_eq!(page["problem"], "refused");
    assert_eq!(mine(&page), [1, 0]);
}

#[tokio::test]
async fn what_the_bank_took_meanwhile_is_paid_and_never_called_off() {
    let product = Product::start().await;
    opened(&product, &[2]).await;
    let guest = product.guest();
    let total = seen(&guest, "").await["total"].as_i64().unwrap();
    let bank = pay(&guest, "&split=sum&sum=500", "card").await.location();
    let part = own(&guest).await;
    at_bank(&bank, "succeeded").await;
    let late = call_off(&guest, &part).await;
    let thanks = part.replace("/pay/", "/bills/paid/");
    assert_eq!(late.location(), thanks);
    assert_eq!(of(&guest.get(&thanks).await)["sum"], 50_000);
    let page = seen(&guest, "").await;
    assert_eq!(
        (&page["paid"], &page["mine"][0]["paid"], &page["left"]),
        (&json!(50_000), &json!(true), &json!(total - 50_000))
    );
    assert_eq!(captured(&product).await, [50_000]);
    the_rest_is_paid_once(&product, total).await;
}

#[tokio::test]
async fn presses_in_two_tabs_beside_the_bank_leave_one_truth() {
    let product = Product::with(&["--bill-unpaid-per-hour", "100"]).await;
    let bill = opened(&product, &[3]).await;
    let guest = product.guest();
    let total = seen(&guest, "").await["total"].as_i64().unwrap();
    for round in 0..6 {
        let before: i64 = captured(&product).await.iter().sum();
        let bank = pay(&guest, "&split=sum&sum=100", "card").await.location();
        let (part, tab) = (own(&guest).await, guest.second_tab());
        let presses = join_all((0..4).map(|at| {
            let guest = if at % 2 == 0 { &guest } else { &tab };
            call_off(guest, &part)
        }));
        let (answers, _) = tokio::join!(presses, at_bank(&bank, "succeeded"));
        let taken = captured(&product).await.iter().sum::<i64>() - before;
        assert!(taken == 0 || taken == 10_000, "round {round}: {taken}");
        for answer in &answers {
            let to = answer.location();
            let paid = to.starts_with("/bills/paid/");
            assert_eq!(paid, taken > 0, "round {round}: {to}");
        }
        let page = seen(&guest, "").await;
        assert_eq!(page["left"], total - before - taken, "round {round}");
        assert_eq!(page["paid"], before + taken, "round {round}");
    }
    // A part that was called off is so for good: its form begins nothing again.
    let page = seen(&guest, "&split=sum&sum=100").await;
    let fields = fields_of(&page, "qr");
    post(&guest, &pay_path(), &fields).await;
    call_off(&guest, &own(&guest).await).await;
    let stale = post(&guest, &pay_path(), &fields).await;
    assert!(
        stale.location().contains("problem=changed"),
        "{}",
        stale.location()
    );
    assert!(stale.location().contains(&bill));
}

#[tokio::test]
async fn a_part_is_called_off_by_its_guest_alone() {
    let product = Product::start().await;
    opened(&product, &[1]).await;
    let guest = product.guest();
    pay(&guest, "&split=all", "qr").await;
    let part = own(&guest).await;
    let other_guest = product.guest();
    // A friend who was sent the link may pay it and has no button; a bent press is none.
    let there = of(&other_guest.get(&part).await);
    assert_eq!(
        (&there["state"], &there["part"]),
        (&json!("waiting"), &json!(false))
    );
    assert_eq!(call_off(&other_guest, &part).await.status, 404);
    assert_eq!(call_off(&other_guest, "/pay/x").await.status, 404);
    assert_eq!(told_off(&product).await, 0);
    assert_eq!(of(&guest.get(&part).await)["state"], "waiting");
    // Nowhere else does it lead.
    let path = format!("{part}/cancel");
    let off = guest
        .post(&path, &[("back", "https://evil.example/")])
        .await;
    assert!(
        off.location().starts_with("/filials/"),
        "{}",
        off.location()
    );
}

#[tokio::test]
async fn while_the_upstream_does_not_answer_the_part_waits_on_and_the_page_says_so() {
    let product = Product::start().await;
    opened(&product, &[1]).await;
    let guest = product.guest();
    pay(&guest, "&split=all", "card").await;
    let part = own(&guest).await;
    product.fail(PARTS, 500).await;
    let page = after(&guest, &call_off(&guest, &part).await).await;
    assert_eq!(
        (&page["problem"], &page["left"], &page["mine"][0]["paid"]),
        (&json!("stillPaying"), &json!(0), &json!(false))
    );
    product.no_faults().await;
    let page = eventually(60, async || {
        let page = after(&guest, &call_off(&guest, &part).await).await;
        (page["problem"] == "calledOff").then_some(page)
    })
    .await;
    assert_eq!(page["left"], page["total"]);
}

#[tokio::test]
async fn a_payment_whose_opening_is_unknown_is_found_and_called_off() {
    let product = Product::start().await;
    let bill = opened(&product, &[1]).await;
    let guest = product.guest();
    let total = seen(&guest, "").await["total"].as_i64().unwrap();
    // Taken, and the answers are lost.
    let lost = json!({
        "path": format!("/bills/v1/bill/{bill}/payments"), "kind": "reset", "times": 9, "after_commit": true,
    });
    product.control("faults", lost).await;
    let part = pay(&guest, "&split=all", "card").await.location();
    assert!(part.starts_with("/pay/"), "{part}");
    product.no_faults().await;
    eventually(60, async || {
        let page = after(&guest, &call_off(&guest, &part).await).await;
        (page["problem"] == "calledOff" && page["left"] == total).then_some(())
    })
    .await;
    assert_eq!(product.sandbox_get("payments").await.len(), 1);
    the_rest_is_paid_once(&product, total).await;
}

#[tokio::test]
async fn a_server_killed_while_it_calls_off_leaves_the_part_called_off_or_waiting() {
    for after_commit in [true, false] {
        let product = Product::start().await;
        opened(&product, &[1, 1]).await;
        let guest = product.guest();
        take(&guest, &[1, 0]).await;
        let bank = pay(&guest, "&split=dishes", "card").await.location();
        let total = seen(&guest, "").await["total"].as_i64().unwrap();
        let part = own(&guest).await;
        let fault = json!({ "path": PARTS, "kind": "hang", "after_commit": after_commit });
        product.control("faults", fault).await;
        let lost = hangs(&guest, &format!("{part}/cancel"), Vec::new());
        let told = async || (told_off(&product).await > 0).then_some(());
        eventually(20, told).await;
        let product = product.killed_and_started_again().await;
        lost.abort();
        let guest = guest.at(&product);
        let page = seen(&guest, "").await;
        if after_commit {
            // The upstream has done it, and nobody has written it down: the guest who looks next asks.
            assert_eq!((&page["left"], &page["mine"]), (&json!(total), &json!([])));
        } else {
            assert_eq!(page["mine"][0]["paid"], false);
            let off = after(&guest, &call_off(&guest, &part).await).await;
            assert_eq!(
                (&off["problem"], &off["left"]),
                (&json!("calledOff"), &json!(total))
            );
        }
        // That page of the bank was on the sandbox that died with its server; no other takes money for the part.
        let _ = client()
            .post(bank)
            .form(&[("outcome", "succeeded")])
            .send()
            .await;
        assert!(captured(&product).await.is_empty());
        the_rest_is_paid_once(&product, total).await;
    }
}

#[tokio::test]
async fn a_server_killed_while_the_upstream_takes_a_payment_opens_it_once() {
    for after_commit in [true, false] {
        // The next process has another port; guests come back from the bank by the same name.
        let product = Product::with(&["--public-url", "http://shop.example"]).await;
        let bill = opened(&product, &[1, 1]).await;
        let guest = product.guest();
        take(&guest, &[1, 0]).await;
        let page = seen(&guest, "&split=dishes").await;
        let total = page["total"].as_i64().unwrap();
        let path = format!("/bills/v1/bill/{bill}/payments");
        let fault = json!({ "path": path, "kind": "hang", "after_commit": after_commit });
        product.control("faults", fault).await;
        let lost = hangs(&guest, &pay_path(), fields_of(&page, "card"));
        eventually(20, async || {
            let log = product.sandbox_get("log").await;
            log.iter().any(|call| call["path"] == path).then_some(())
        })
        .await;
        let product = product.killed_and_started_again().await;
        lost.abort();
        let guest = guest.at(&product);
        // Sent again under its key by the next process: one payment, which waits for its guest.
        let waiting = eventually(60, async || {
            let page = seen(&guest, "").await;
            let own = page["mine"][0]["href"].as_str()?.to_owned();
            let page = of(&guest.get(&own).await);
            page["bank"].as_str().map(str::to_owned)
        })
        .await;
        // It is no order that the log speaks of.
        let logs = product.logs();
        assert!(logs.contains("taken up again: payment of a bill"), "{logs}");
        assert_eq!(product.sandbox_get("payments").await.len(), 1);
        at_bank(&waiting, "succeeded").await;
        let page = seen(&guest, "").await;
        assert_eq!(
            (&page["mine"][0]["paid"], &page["lines"][0]["paid"]),
            (&json!(true), &json!(1))
        );
        the_rest_is_paid_once(&product, total).await;
    }
}

#[tokio::test]
async fn a_server_killed_at_the_first_payment_of_a_guest_leaves_it_that_guests() {
    for is_at_table in [true, false] {
        let product = Product::with(&["--public-url", "http://shop.example"]).await;
        let bill = opened(&product, &[1, 1]).await;
        // A browser that nobody knows, whose cookie of the form was lost, is known before anything is sent.
        let guest = if is_at_table {
            product.guest_at_table(VENUE, "t7").await
        } else {
            product.guest()
        };
        let page = seen(&guest.second_tab(), "&split=all").await;
        let total = page["total"].as_i64().unwrap();
        assert_eq!(guest.cookie("dk").is_some(), is_at_table);
        let fields = fields_of(&page, "card");
        let mut path = pay_path();
        if !is_at_table {
            let plain: Vec<(&str, &str)> = fields
                .iter()
                .map(|(name, value)| (name.as_str(), value.as_str()))
                .collect();
            let first = guest.post_once(&path, &plain).await;
            assert_eq!(first.status, 307);
            assert_eq!(first.location(), format!("{path}&begun=1"));
            assert!(guest.cookie("dk").is_some());
            path = first.location();
        }
        let part = format!("/bills/v1/bill/{bill}/payments");
        let fault = json!({ "path": part, "kind": "hang", "after_commit": true });
        product.control("faults", fault).await;
        let lost = hangs(&guest, &path, fields.clone());
        eventually(20, async || {
            let log = product.sandbox_get("log").await;
            log.iter().any(|call| call["path"] == part).then_some(())
        })
        .await;
        let product = product.killed_and_started_again().await;
        lost.abort();
        let guest = guest.at(&product);
        let again = eventually(60, async || {
            let answer = post(&guest, &pay_path(), &fields).await;
            let location = answer.location();
            location.contains("/pay/").then_some(location)
        })
        .await;
        assert_eq!(product.sandbox_get("payments").await.len(), 1, "{again}");
        let page = seen(&guest, "").await;
        let own = page["mine"][0]["href"].as_str().unwrap().to_owned();
        let bank = of(&guest.get(&own).await)["bank"]
            .as_str()
            .unwrap()
            .to_owned();
        at_bank(&bank, "succeeded").await;
        assert_eq!(seen(&guest, "").await["mine"][0]["paid"], true);
        assert_eq!(captured(&product).await, [total]);
    }
}

#[tokio::test]
async fn a_browser_that_keeps_no_cookies_is_told_so_before_it_pays() {
    let product = Product::start().await;
    opened(&product, &[1]).await;
    let page = seen(&product.guest(), "&split=all").await;
    let fields = fields_of(&page, "card");
    let plain: Vec<(&str, &str)> = fields
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    let first = product.guest().post_once(&pay_path(), &plain).await;
    assert_eq!(first.status, 307);
    let second = product.guest().post_once(&first.location(), &plain).await;
    assert_eq!(second.status, 303);
    assert!(
        second.location().starts_with("/cookies?"),
        "{}",
        second.location()
    );
    assert!(product.sandbox_get("payments").await.is_empty());
}

#[tokio::test]
async fn a_payment_that_the_upstream_does_not_answer_lets_the_guest_go_on_to_its_page() {
    let product = Product::start().await;
    let bill = opened(&product, &[1, 1]).await;
    let path = format!("/bills/v1/bill/{bill}/payments");
    let fault = json!({ "path": path, "kind": "hang", "times": 1, "after_commit": true });
    product.control("faults", fault).await;
    let guest = product.guest();
    let part = pay(&guest, "&split=all", "card").await.location();
    assert!(part.starts_with("/pay/"), "{part}");
    // It is still being asked: nothing is sent beside it, however many look.
    let calls = async || {
        let log = product.sandbox_get("log").await;
        log.iter().filter(|call| call["path"] == path).count()
    };
    for _ in 0..3 {
        assert!(of(&guest.get(&part).await)["bank"].is_null());
    }
    assert_eq!(calls().await, 1);
    let bank = eventually(60, async || {
        let page = of(&guest.get(&part).await);
        page["bank"].as_str().map(str::to_owned)
    })
    .await;
    assert_eq!(product.sandbox_get("payments").await.len(), 1);
    at_bank(&bank, "succeeded").await;
    assert_eq!(captured(&product).await.len(), 1);
}

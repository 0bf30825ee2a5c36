//! A fridge that its guest opens: one door however often it is pressed, one order however often it is shut, and a way back
//! from everywhere (BC-05, BC-06, BC-13, BC-14, SC-07).

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::{
    barcode::good,
    checkout::FRIDGE,
    orders::{refuse_writes, take_writes},
    sign_in::sign_in,
    support::{Answer, Guest, Product, VENUE, eventually, plain_products, products},
};

/// Another one of the same chain.
const OTHER: u64 = 1191;
const OPEN_LOCK: &str = "/smart-lock/v1/open-lock";
/// Begins the paths of doors that are told to be shut; nothing else is posted there.
const CLOSE: &str = "/smart-lock/v1/sessions/";

pub fn page() -> String {
    format!("/filials/{FRIDGE}/fridge")
}

/// Signed in, and old enough for what is behind the door.
pub async fn ready(product: &Product) -> Guest {
    let guest = product.guest();
    sign_in(product, &guest, &page()).await;
    of_age(&guest).await;
    guest
}

async fn of_age(guest: &Guest) {
    guest
        .post("/session/age", &[("answer", "yes"), ("back", "/")])
        .await;
}

pub async fn open(guest: &Guest) -> Answer {
    let venue = FRIDGE.to_string();
    guest
        .post("/fridge/open", &[("filial", &venue), ("back", &page())])
        .await
}

pub async fn seen(guest: &Guest) -> Value {
    guest.get(&page()).await.data()["page"]["data"].clone()
}

pub async fn shut(guest: &Guest) -> Answer {
    let venue = FRIDGE.to_string();
    let session = seen(guest).await["session"].as_str().unwrap().to_owned();
    shut_of(guest, &venue, &session).await
}

async fn shut_of(guest: &Guest, venue: &str, session: &str) -> Answer {
    let fields = [("filial", venue), ("session", session), ("back", "/")];
    guest.post("/fridge/close", &fields).await
}

pub async fn put_in(product: &Product, guest: &Guest) -> u64 {
    let (_, id) = good(product).await;
    guest.add(FRIDGE, id).await;
    id
}

/// Keys of the calls that told a lock to open, or a door that it is shut.
async fn keys(product: &Product, path: &str) -> Vec<String> {
    let log = product.sandbox_get("log").await;
    log.iter()
        .filter(|call| call["method"] == "POST" && call["path"].as_str().unwrap().ends_with(path))
        .map(|call| {
            call["headers"]["x-idempotency-key"]
                .as_str()
                .unwrap_or_default()
                .to_owned()
        })
        .collect()
}

fn distinct(mut keys: Vec<String>) -> usize {
    keys.sort();
    keys.dedup();
    keys.len()
}

async fn orders(product: &Product) -> Vec<Value> {
    product.sandbox_get("orders").await
}

async fn fault(product: &Product, fault: Value) {
    product.control("faults", fault).await;
}

#[tokio::test]
async fn what_was_scanned_on_one_phone_is_paid_when_another_says_that_the_door_is_shut() {
    let product = Product::start().await;
    let (first, second) = (product.guest(), product.guest());
    for guest in [&first, &second] {
        sign_in(&product, guest, &page()).await;
        of_age(guest).await;
    }
    open(&first).await;
    put_in(&product, &first).await;
    // The first one is dead from here on; the second shows its basket.
    assert_eq!(seen(&second).await["state"], "open");
    let taken = second.get(&page()).await.texts(".taken").concat();
    assert!(taken.contains('₸'), "{taken}");
    shut(&second).await;
    assert_eq!(seen(&second).await["state"], "settled");
    let orders = orders(&product).await;
    assert_eq!(orders.len(), 1);
    // What is in the guest's hands is not cooked.
    assert_eq!(orders[0]["status"], "completed");
    let order = orders[0]["id"].as_str().unwrap();
    let info = first.get(&format!("/orders/{order}")).await.data();
    assert_eq!(info["page"]["data"]["lines"].as_array().unwrap().len(), 1);
    for guest in [&first, &second] {
        assert!(guest.get(&page()).await.data()["shell"]["cart"].is_null());
    }
}

#[tokio::test]
async fn a_guest_with_an_open_door_is_led_to_it_by_the_lock_of_another() {
    let product = Product::start().await;
    let guest = product.guest();
    sign_in(&product, &guest, &page()).await;
    of_age(&guest).await;
    open(&guest).await;
    let other = OTHER.to_string();
    let led = guest.post("/fridge/open", &[("filial", &other)]).await;
    assert_eq!(led.location(), page());
    assert_eq!(keys(&product, "/open-lock").await.len(), 1);
    shut(&guest).await;
    let led = guest.post("/fridge/open", &[("filial", &other)]).await;
    assert_eq!(led.location(), format!("/filials/{other}/fridge"));
    assert_eq!(keys(&product, "/open-lock").await.len(), 2);
}

/// BC-05, BC-14: the way from one fridge to another and back opens each of them anew.
#[tokio::test]
async fn a_fridge_opens_again_after_another_one_was_opened() {
    let product = Product::start().await;
    let guest = ready(&product).await;
    open(&guest).await;
    let first = seen(&guest).await["session"].clone();
    shut(&guest).await;
    let other = OTHER.to_string();
    let there = format!("/filials/{other}/fridge");
    guest.post("/fridge/open", &[("filial", &other)]).await;
    let page = guest.get(&there).await.data();
    let session = page["page"]["data"]["session"].as_str().unwrap().to_owned();
    shut_of(&guest, &other, &session).await;

    for _ in 0..2 {
        open(&guest).await;
    }
    let page = seen(&guest).await;
    assert_eq!(page["state"], "open", "{page}");
    assert_ne!(page["session"], first);
    let told = keys(&product, OPEN_LOCK).await;
    assert_eq!(told.len(), 3, "a second press opens nothing: {told:?}");
}

#[tokio::test]
async fn the_whole_way_without_scripts() {
    let product = Product::start().await;
    let other_guest = product.guest();
    // The code on the fridge leads to its lock, and says how the guest came.
    let scanned = other_guest
        .get(&format!("/filials/{FRIDGE}?source=FRIDGE"))
        .await;
    assert_eq!(scanned.location(), page());
    assert_eq!(seen(&other_guest).await["state"], "signIn");
    sign_in(&product, &other_guest, &page()).await;
    let guest = other_guest;
    of_age(&guest).await;
    assert_eq!(seen(&guest).await["state"], "ready");
    assert_eq!(open(&guest).await.location(), page());
    let now = seen(&guest).await;
    assert_eq!(
        (&now["state"], &now["long"]),
        (&json!("open"), &json!(false))
    );
    put_in(&product, &guest).await;
    assert!(
        guest
            .get(&page())
            .await
            .texts(".taken")
            .concat()
            .contains('₸')
    );
    assert_eq!(shut(&guest).await.location(), page());
    let done = seen(&guest).await;
    assert_eq!(
        (&done["state"], &done["unscanned"]),
        (&json!("settled"), &json!(0))
    );
    let orders = orders(&product).await;
    assert_eq!(orders.len(), 1);
    // The sum is told at the fridge, not on another page only.
    let charged = done["charged"].as_i64().unwrap();
    assert_eq!(orders[0]["sum"], charged / 100);
    assert_eq!(orders[0]["kind"], "micromarket");
    let told = guest.get(&format!("{}?lang=en", page())).await.rendered();
    assert!(told.contains("was charged to your card"), "{told}");
    let order = done["order"].as_str().unwrap();
    let info = guest.get(&format!("/orders/{order}")).await.data();
    assert_eq!(info["page"]["data"]["lines"].as_array().unwrap().len(), 1);
    assert!(info["shell"]["cart"].is_null());
    // What is chosen now is a purchase of its own: the one before folds away.
    let lang = format!("{}?lang=en", page());
    let titles = async || {
        guest
            .get(&lang)
            .await
            .texts(".fridge .card h2, .fridge details > summary")
    };
    assert_eq!(titles().await, ["Thank you, all done"]);
    put_in(&product, &guest).await;
    let next = titles().await;
    assert_eq!(next.last().unwrap(), "Your purchase before");
    assert!(
        !next.contains(&"Thank you, all done".to_owned()),
        "{next:?}"
    );
    // And once more: another door, another key.
    open(&guest).await;
    assert_eq!(seen(&guest).await["state"], "open");
    assert_eq!(distinct(keys(&product, OPEN_LOCK).await), 2);
}

#[tokio::test]
async fn who_is_not_signed_in_or_not_of_age_opens_nothing() {
    let product = Product::start().await;
    let guest = product.guest();
    guest.get(&page()).await;
    open(&guest).await;
    sign_in(&product, &guest, &page()).await;
    let asked = open(&guest).await.location();
    assert!(asked.starts_with("/age?back="), "{asked}");
    let page_now = seen(&guest).await;
    assert_eq!(page_now["age"], 21);
    assert!(keys(&product, OPEN_LOCK).await.is_empty());
    // A no keeps it shut.
    guest
        .post("/session/age", &[("answer", "no"), ("back", &page())])
        .await;
    open(&guest).await;
    assert!(keys(&product, OPEN_LOCK).await.is_empty());
    // What the no means is said, and it can be taken back where it was said.
    let shut = guest.get(&format!("{}?lang=en", page())).await;
    assert_eq!(shut.data()["page"]["data"]["tooYoung"], true);
    let html = shut.rendered();
    assert!(
        html.contains("You answered that you are under 21"),
        "{html}"
    );
    let russian = guest.get(&format!("{}?lang=ru", page())).await.rendered();
    assert!(russian.contains("вам нет 21 года."), "{russian}");
    assert!(html.contains("href=\"/age?back="), "{html}");
    assert!(!html.contains("action=\"/fridge/open\""), "{html}");
    // Nothing asks for a button that is not there.
    assert!(!html.contains("press “Open”"), "{html}");
    of_age(&guest).await;
    assert_eq!(seen(&guest).await["tooYoung"], false);
    open(&guest).await;
    assert_eq!(keys(&product, OPEN_LOCK).await.len(), 1);
    // What is no fridge has no lock.
    let venue = [("filial", "1013"), ("back", "/")];
    assert_eq!(guest.post("/fridge/open", &venue).await.status, 404);
    assert_eq!(guest.get("/filials/1013/fridge").await.status, 404);
}

#[tokio::test]
async fn a_fridge_speaks_the_languages_of_its_country_wherever_its_guest_came_from() {
    let product = Product::start().await;
    let guest = product.guest();
    let georgian = guest.get("/filials?country=ge").await;
    assert!(georgian.text().contains("<html lang=\"ka\""));
    let moved = guest.get(&page()).await;
    assert!(
        moved.location().contains("country=kz"),
        "{} {}",
        moved.status,
        moved.location()
    );
    let here = guest.get(&moved.location()).await;
    assert_eq!(here.status, 200);
    assert!(!here.text().contains("<html lang=\"ka\""));
    // Nobody cooks behind its door, and its menu promises no minutes.
    let menu = guest.get(&format!("/filials/{FRIDGE}")).await.data();
    assert_eq!(menu["page"]["data"]["venue"]["minutes"], Value::Null);
    // From there on it is one country: no second turn.
    assert_eq!(guest.get(&page()).await.status, 200);
}

#[tokio::test]
async fn a_door_that_is_pressed_many_times_opens_once() {
    let product = Product::start().await;
    let guest = ready(&product).await;
    let pressed = join_all((0..6).map(|_| open(&guest))).await;
    for answer in pressed {
        assert_eq!(answer.location(), page());
    }
    assert_eq!(distinct(keys(&product, OPEN_LOCK).await), 1);
    assert_eq!(seen(&guest).await["state"], "open");
    // Pressed again, it is open already: nothing is sent.
    let sent = keys(&product, OPEN_LOCK).await.len();
    open(&guest).await;
    assert_eq!(keys(&product, OPEN_LOCK).await.len(), sent);
}

#[tokio::test]
async fn a_broken_lock_says_so_and_a_retry_has_the_same_key() {
    let product = Product::start().await;
    let guest = ready(&product).await;
    let lock = |lock: &str| json!({ "filial_id": FRIDGE, "lock": lock });
    product.control("lock", lock("broken")).await;
    for _ in 0..2 {
        open(&guest).await;
        let failed = guest.get(&page()).await;
        let told = failed.texts(".note").concat();
        assert_eq!(told, "Тоңазытқыш ашылмады");
        // Whom to call, and what to read.
        assert!(!failed.texts(".help a").is_empty());
    }
    product.control("lock", lock("works")).await;
    open(&guest).await;
    assert_eq!(seen(&guest).await["state"], "open");
    assert_eq!(distinct(keys(&product, OPEN_LOCK).await), 1);
}

/// Who has pressed in vain three times is offered a call, with and without scripts.
#[tokio::test]
async fn a_door_that_fails_again_and_again_offers_a_call() {
    let product = Product::start().await;
    let guest = ready(&product).await;
    let venue = FRIDGE.to_string();
    let fields = [("filial", venue.as_str()), ("back", "/")];
    product
        .control("lock", json!({ "filial_id": FRIDGE, "lock": "broken" }))
        .await;
    for press in 1..=2 {
        let answer = guest.post_json("/fridge/open", &fields).await.json();
        let error = &answer["flash"]["errors"][0];
        assert_eq!(
            error["values"]["presses"], press,
            "a script is told with the answer"
        );
    }
    assert_eq!(guest.get(&page()).await.texts(".note a"), [""; 0]);
    let refused = guest.submit("/fridge/open", &fields).await;
    let offered = refused.texts(".note a[href^='tel:+7']").concat();
    // As numbers are written everywhere.
    let number: Vec<usize> = offered
        .split('+')
        .nth(1)
        .unwrap()
        .split(' ')
        .map(str::len)
        .collect();
    assert_eq!(number, [1, 3, 3, 2, 2], "{offered}");
    assert_eq!(seen(&guest).await["presses"], 3);
}

#[tokio::test]
async fn a_door_that_opens_ends_what_was_pressed_in_vain() {
    let product = Product::start().await;
    let guest = ready(&product).await;
    let lock = |lock: &str| json!({ "filial_id": FRIDGE, "lock": lock });
    product.control("lock", lock("broken")).await;
    open(&guest).await;
    assert_eq!(seen(&guest).await["presses"], 1);
    product.control("lock", lock("works")).await;
    open(&guest).await;
    let page = seen(&guest).await;
    assert_eq!(
        (&page["state"], &page["presses"]),
        (&json!("open"), &json!(0))
    );
}

#[tokio::test]
async fn a_slow_lock_opens_or_fails_before_the_guests_eyes() {
    let product = Product::start().await;
    let guest = ready(&product).await;
    let door = |event: &str| json!({ "filial_id": FRIDGE, "event": event });
    product
        .control("lock", json!({ "filial_id": FRIDGE, "lock": "slow" }))
        .await;
    open(&guest).await;
    let page_now = guest.get(&page()).await;
    assert_eq!(page_now.data()["page"]["data"]["state"], "opening");
    // Without scripts the page looks again by itself.
    assert!(page_now.text().contains("http-equiv=\"refresh\""));
    product.control("door", door("opens")).await;
    assert_eq!(seen(&guest).await["state"], "open");
    // Left open for ten minutes.
    product.control("door", door("stays")).await;
    let long = seen(&guest).await;
    assert_eq!(
        (&long["state"], &long["long"]),
        (&json!("open"), &json!(true))
    );
    shut(&guest).await;
    assert_eq!(seen(&guest).await["state"], "settled");
    open(&guest).await;
    product.control("door", door("fails")).await;
    assert_eq!(seen(&guest).await["state"], "failed");
    product
        .control("lock", json!({ "filial_id": FRIDGE, "lock": "works" }))
        .await;
    open(&guest).await;
    assert_eq!(seen(&guest).await["state"], "open");
}

/// BC-05: ten seconds from the press, however the lock or the way to it is silent.
#[tokio::test]
async fn a_lock_that_says_nothing_is_called_failed_after_ten_seconds() {
    let product = Product::start().await;
    // The lock itself.
    let guest = ready(&product).await;
    product
        .control("lock", json!({ "filial_id": FRIDGE, "lock": "slow" }))
        .await;
    open(&guest).await;
    let failed = async |guest: &Guest| {
        let page = guest.get(&page()).await;
        let state = page.data()["page"]["data"]["state"].clone();
        assert!(state == "opening" || state == "failed", "{state}");
        (state == "failed").then_some(page)
    };
    let page = eventually(60, || failed(&guest)).await;
    assert!(
        page.text().contains("action=\"/fridge/open\""),
        "it can be tried again"
    );
    // Another try has its ten seconds again, before the guest's eyes.
    open(&guest).await;
    assert_eq!(seen(&guest).await["state"], "opening");
    product
        .control("lock", json!({ "filial_id": FRIDGE, "lock": "works" }))
        .await;
    product
        .control("door", json!({ "filial_id": FRIDGE, "event": "lost" }))
        .await;

    // The call to it. The seconds that it was waited for are counted.
    let guest = ready(&product).await;
    fault(&product, json!({ "path": OPEN_LOCK, "kind": "hang" })).await;
    open(&guest).await;
    let answered = std::time::Instant::now();
    eventually(60, || failed(&guest)).await;
    assert!(answered.elapsed() < std::time::Duration::from_secs(9));
}

/// Somebody else's account, old enough as well.
async fn other_guest(product: &Product) -> Guest {
    let other = product.guest();
    let begun = crate::sign_in::begin(&other, &page()).await;
    let back = crate::sign_in::confirm_as(product, &begun, "+77010000099").await;
    other.get(&back).await;
    of_age(&other).await;
    other
}

/// A slow lock that has failed before its guest's eyes, and works from then on.
async fn failed_and_mended(product: &Product, guest: &Guest) {
    let lock = |lock: &str| json!({ "filial_id": FRIDGE, "lock": lock });
    product.control("lock", lock("slow")).await;
    open(guest).await;
    let failed = async || (seen(guest).await["state"] == "failed").then_some(());
    eventually(60, failed).await;
    product.control("lock", lock("works")).await;
}

#[tokio::test]
async fn a_slow_lock_that_works_by_now_opens_by_trying_again_on_either_phone() {
    let product = Product::start().await;
    let (guest, second) = (ready(&product).await, ready(&product).await);
    failed_and_mended(&product, &guest).await;
    open(&guest).await;
    assert_eq!(seen(&guest).await["state"], "open");
    assert_eq!(distinct(keys(&product, OPEN_LOCK).await), 1);
    let session = seen(&guest).await["session"].clone();
    assert_eq!(seen(&second).await["session"], session);
    shut(&guest).await;
    // Another phone of the same guest has no key of that attempt.
    failed_and_mended(&product, &guest).await;
    assert_eq!(seen(&second).await["state"], "failed");
    open(&second).await;
    for phone in [&guest, &second] {
        assert_eq!(seen(phone).await["state"], "open");
    }
    assert_eq!(product.sandbox_get("orders").await.len(), 0);
}

#[tokio::test]
async fn a_door_that_never_opened_keeps_no_guest_out_of_a_fridge() {
    let product = Product::start().await;
    let (guest, other) = (ready(&product).await, other_guest(&product).await);
    failed_and_mended(&product, &guest).await;
    // It leads nobody back, and its guest may go to another fridge.
    let home = guest.get("/").await.data();
    assert_eq!(home["page"]["data"]["fridge"], Value::Null);
    let there = OTHER.to_string();
    let led = guest.post("/fridge/open", &[("filial", &there)]).await;
    assert_eq!(led.location(), format!("/filials/{there}/fridge"));
    // Somebody else gets in here.
    open(&other).await;
    assert_eq!(seen(&other).await["state"], "open");
    // The first guest stands before another door by now.
    assert_eq!(seen(&guest).await["state"], "ready");
}

#[tokio::test]
async fn a_door_that_another_guest_has_open_says_so() {
    let product = Product::start().await;
    let guest = ready(&product).await;
    open(&guest).await;
    let other = other_guest(&product).await;
    open(&other).await;
    let told = other.get(&page()).await.texts(".note").concat();
    assert!(told.contains("басқа адам"), "{told}");
    // Nor is it theirs to shut.
    let session = seen(&guest).await["session"].as_str().unwrap().to_owned();
    let answer = shut_of(&other, &FRIDGE.to_string(), &session).await;
    assert_eq!(answer.status, 404);
    assert_eq!(seen(&guest).await["state"], "open");
}

#[tokio::test]
async fn a_lost_answer_opens_no_second_door_and_is_found_out_by_asking() {
    let product = Product::start().await;
    let guest = ready(&product).await;
    fault(
        &product,
        json!({ "path": OPEN_LOCK, "kind": "status", "status": 502, "after_commit": true }),
    )
    .await;
    assert_eq!(open(&guest).await.location(), page());
    product.no_faults().await;
    // The upstream knows that it is open.
    assert_eq!(seen(&guest).await["state"], "open");
    open(&guest).await;
    assert_eq!(distinct(keys(&product, OPEN_LOCK).await), 1);
    put_in(&product, &guest).await;
    fault(
        &product,
        json!({ "path": CLOSE, "method": "POST", "kind": "status", "status": 502, "after_commit": true }),
    )
    .await;
    shut(&guest).await;
    let log = product.sandbox_get("log").await;
    let lost = log
        .iter()
        .filter(|call| call["status"] == 502 && call["method"] == "POST");
    assert!(lost.count() > 1, "the answer to the door was lost as well");
    product.no_faults().await;
    let settled = async || (seen(&guest).await["state"] == "settled").then_some(());
    eventually(60, settled).await;
    let orders = orders(&product).await;
    assert_eq!(orders.len(), 1);
    // The dishes leave the cart as soon as it is known what became of them.
    let gone = async || {
        let page = guest.get("/faq").await.data();
        page["shell"]["cart"].is_null().then_some(())
    };
    eventually(60, gone).await;
}

#[tokio::test]
async fn what_was_never_sent_is_not_opened_later_without_its_guest() {
    let product = Product::start().await;
    let guest = ready(&product).await;
    // The call is lost before it has done anything.
    fault(&product, json!({ "path": OPEN_LOCK, "kind": "reset" })).await;
    open(&guest).await;
    let state = seen(&guest).await["state"].clone();
    assert!(state == "opening" || state == "failed", "{state}");
    product.no_faults().await;
    product.forget_log().await;
    let product = product.killed_and_started_again().await;
    let guest = guest.at(&product);
    // The start takes up open orders; it does not open doors.
    assert_ne!(seen(&guest).await["state"], "open");
    assert!(keys(&product, OPEN_LOCK).await.is_empty());
    open(&guest).await;
    assert_eq!(seen(&guest).await["state"], "open");
}

#[tokio::test]
async fn a_door_that_is_shut_many_times_is_settled_once() {
    let product = Product::start().await;
    let guest = ready(&product).await;
    open(&guest).await;
    put_in(&product, &guest).await;
    let session = seen(&guest).await["session"].as_str().unwrap().to_owned();
    let venue = FRIDGE.to_string();
    join_all((0..5).map(|_| shut_of(&guest, &venue, &session))).await;
    let settled = async || (seen(&guest).await["state"] == "settled").then_some(());
    eventually(30, settled).await;
    shut_of(&guest, &venue, &session).await;
    assert_eq!(orders(&product).await.len(), 1);
    assert_eq!(distinct(keys(&product, "/close").await), 1);
}

#[tokio::test]
async fn a_server_killed_while_it_opens_or_settles_does_neither_twice() {
    for after_commit in [true, false] {
        killed_while_it_opens_and_settles(after_commit).await;
    }
}

async fn killed_while_it_opens_and_settles(after_commit: bool) {
    let product = Product::start().await;
    let guest = ready(&product).await;
    let hang = json!({ "path": OPEN_LOCK, "kind": "hang", "after_commit": after_commit });
    fault(&product, hang).await;
    let tab = guest.second_tab();
    let lost = tokio::spawn(async move {
        let venue = FRIDGE.to_string();
        let request = tab
            .request(reqwest::Method::POST, "/fridge/open")
            .header("sec-fetch-site", "same-origin")
            .header("cookie", format!("dk={}", tab.cookie("dk").unwrap()))
            .form(&[("filial", venue.as_str())]);
        let _ = request.send().await;
    });
    let told = async || (!keys(&product, OPEN_LOCK).await.is_empty()).then_some(());
    eventually(20, told).await;
    let first = keys(&product, OPEN_LOCK).await;
    let product = product.killed_and_started_again().await;
    lost.abort();
    let guest = guest.at(&product);
    if after_commit {
        assert_eq!(seen(&guest).await["state"], "open", "as the upstream says");
    } else {
        // The lock was never told, and nobody tells it for a guest who may be gone.
        assert_ne!(seen(&guest).await["state"], "open");
    }
    open(&guest).await;
    assert_eq!(seen(&guest).await["state"], "open");
    let again = keys(&product, OPEN_LOCK).await;
    assert!(
        again.iter().all(|key| first.contains(key)),
        "{first:?} {again:?}"
    );

    // Now between the writes that follow the settling.
    put_in(&product, &guest).await;
    for on in ["UPDATE ON carts", "UPDATE OF answer ON idempotency"] {
        refuse_writes(&product, "half", on);
        let session = seen(&guest).await["session"].as_str().unwrap().to_owned();
        shut_of(&guest, &FRIDGE.to_string(), &session).await;
        take_writes(&product, "half");
    }
    let product = product.killed_and_started_again().await;
    let guest = guest.at(&product);
    let settled = async || {
        let home = guest.get("/faq").await.data();
        let done = seen(&guest).await["state"] == "settled";
        (done && home["shell"]["cart"].is_null()).then_some(())
    };
    eventually(60, settled).await;
    assert_eq!(orders(&product).await.len(), 1);
}

/// The writes between the lock's answer and the page: what was not kept is asked for, and no second door opens.
#[tokio::test]
async fn a_door_that_could_not_be_kept_is_found_again_and_opens_once() {
    for on in [
        "UPDATE OF answer ON idempotency",
        "UPDATE ON sessions",
        "INSERT ON idempotency",
    ] {
        let product = Product::start().await;
        let guest = ready(&product).await;
        refuse_writes(&product, "half", on);
        open(&guest).await;
        take_writes(&product, "half");
        let product = product.killed_and_started_again().await;
        let guest = guest.at(&product);
        open(&guest).await;
        assert_eq!(seen(&guest).await["state"], "open", "{on}");
        assert!(distinct(keys(&product, OPEN_LOCK).await) <= 1, "{on}");
        put_in(&product, &guest).await;
        shut(&guest).await;
        assert_eq!(orders(&product).await.len(), 1, "{on}");
    }
}

#[tokio::test]
async fn a_server_killed_while_the_upstream_shuts_a_door_settles_it_once() {
    for after_commit in [true, false] {
        let product = Product::start().await;
        let guest = ready(&product).await;
        open(&guest).await;
        put_in(&product, &guest).await;
        let session = seen(&guest).await["session"].as_str().unwrap().to_owned();
        fault(
            &product,
            json!({ "path": CLOSE, "method": "POST", "kind": "hang", "after_commit": after_commit }),
        )
        .await;
        let tab = guest.second_tab();
        let lost = tokio::spawn(async move {
            let venue = FRIDGE.to_string();
            let request = tab
                .request(reqwest::Method::POST, "/fridge/close")
                .header("sec-fetch-site", "same-origin")
                .header("cookie", format!("dk={}", tab.cookie("dk").unwrap()))
                .form(&[("filial", venue.as_str()), ("session", session.as_str())]);
            let _ = request.send().await;
        });
        let told = async || (!keys(&product, "/close").await.is_empty()).then_some(());
        eventually(20, told).await;
        let first = keys(&product, "/close").await;
        let product = product.killed_and_started_again().await;
        lost.abort();
        let guest = guest.at(&product);
        // The next process settles it with what was written down, whether or not the upstream had.
        let settled = async || {
            if seen(&guest).await["state"] != "settled" {
                return None;
            }
            let page = guest.get("/faq").await.data();
            page["shell"]["cart"].is_null().then_some(())
        };
        eventually(60, settled).await;
        assert_eq!(orders(&product).await.len(), 1);
        let again = keys(&product, "/close").await;
        assert!(again.iter().all(|key| first.contains(key)), "{again:?}");
    }
}

#[tokio::test]
async fn an_open_door_is_shown_to_its_guest_in_a_new_browser_and_on_home() {
    let product = Product::start().await;
    let guest = ready(&product).await;
    assert!(guest.get("/").await.data()["page"]["data"]["fridge"].is_null());
    open(&guest).await;
    let home = guest.get("/").await;
    assert_eq!(home.data()["page"]["data"]["fridge"], FRIDGE);
    let link = format!("href=\"{}\"", page());
    assert!(home.rendered().contains(&link));
    // The phone has died: another one, the same account.
    let other = product.guest();
    sign_in(&product, &other, &page()).await;
    assert_eq!(
        other.get("/").await.data()["page"]["data"]["fridge"],
        FRIDGE
    );
    let there = seen(&other).await;
    assert_eq!(there["state"], "open");
    put_in(&product, &other).await;
    shut(&other).await;
    assert_eq!(seen(&other).await["state"], "settled");
    assert_eq!(orders(&product).await.len(), 1);
    assert_eq!(seen(&guest).await["state"], "settled");
    assert!(guest.get("/").await.data()["page"]["data"]["fridge"].is_null());
}

async fn product_named(guest: &Guest, id: u64) -> String {
    let menu = guest.get(&format!("/filials/{FRIDGE}")).await.data();
    let found = products(&menu).find(|one| one["id"] == id);
    found.unwrap()["name"].as_str().unwrap().to_owned()
}

/// Some of a good was scanned and more was taken, or nothing of it was: each is told by itself, and nothing more.
#[tokio::test]
async fn what_was_scanned_is_not_named_among_what_was_taken_unseen() {
    let product = Product::start().await;
    let guest = ready(&product).await;
    open(&guest).await;
    let scanned = put_in(&product, &guest).await;
    let menu = guest.get(&format!("/filials/{FRIDGE}")).await.data();
    let other = products(&menu)
        .filter(|one| one["out"].is_null() && one["age"].is_null())
        .find(|one| one["id"] != scanned)
        .unwrap();
    let taken = json!({ "filial_id": FRIDGE, "product_id": other["id"], "count": 1 });
    product.control("taken", taken).await;
    shut(&guest).await;
    let done = seen(&guest).await;
    assert_eq!(done["unscanned"], 1);
    let unseen = done["unseen"].as_array().unwrap();
    assert_eq!(unseen.len(), 1, "{unseen:?}");
    assert_eq!(
        (&unseen[0]["name"], &unseen[0]["qty"]),
        (&other["name"], &json!(1))
    );
    assert!(unseen[0]["sum"].as_i64().unwrap() > 0);
    // The order can't be asked for: how many there were is known all the same.
    product.fail("/takeaway/v2/user/order", 503).await;
    let page_now = guest.get(&page()).await;
    let data = page_now.data()["page"]["data"].clone();
    assert_eq!(
        (&data["unscanned"], &data["unseen"]),
        (&json!(1), &json!([]))
    );
    assert!(page_now.texts(".note").concat().contains('1'));
}

#[tokio::test]
async fn what_was_taken_unseen_is_told_and_a_lost_door_is_no_dead_end() {
    let product = Product::start().await;
    let guest = ready(&product).await;
    open(&guest).await;
    let id = put_in(&product, &guest).await;
    product
        .control(
            "taken",
            json!({ "filial_id": FRIDGE, "product_id": id, "count": 2 }),
        )
        .await;
    shut(&guest).await;
    let done = guest.get(&page()).await;
    assert_eq!(done.data()["page"]["data"]["unscanned"], 2);
    let told = done.texts(".note").concat();
    assert!(told.contains('2'), "{told}");
    // By name, with how many there are and what they cost.
    let name = product_named(&guest, id).await;
    let goods = done.texts(".unseen li");
    assert_eq!(goods.len(), 1, "{goods:?}");
    for part in [name.as_str(), "× 2", "₸"] {
        assert!(goods[0].contains(part), "{part} in {goods:?}");
    }
    let data = done.data()["page"]["data"].clone();
    assert_eq!(
        data["unseen"][0]["sum"],
        data["charged"].as_i64().unwrap() / 3 * 2
    );
    // Another phone has paid here as well, and follows this door.
    let other = ready(&product).await;
    open(&guest).await;
    let id = put_in(&product, &guest).await;
    assert_eq!(seen(&other).await["state"], "open");
    product
        .control("door", json!({ "filial_id": FRIDGE, "event": "lost" }))
        .await;
    // It is said, with what was not paid, and nothing is said of the receipt before.
    for phone in [&guest, &other] {
        let page = phone.get(&format!("{}?lang=en", page())).await;
        let data = page.data()["page"]["data"].clone();
        assert_eq!(data["state"], "lost");
        assert_eq!(
            (&data["charged"], &data["order"]),
            (&Value::Null, &Value::Null)
        );
        assert_eq!(
            page.texts("[role=status] h2"),
            ["Contact with the fridge was lost"]
        );
        let html = page.rendered();
        assert!(html.contains("We have charged nothing for this purchase"));
        assert!(html.contains("href=\"tel:"), "whom to ask");
        let taken = page.texts(".taken").concat();
        assert!(taken.contains(&product_named(&guest, id).await), "{taken}");
    }
    open(&guest).await;
    assert_eq!(seen(&guest).await["state"], "open");
}

/// Without scripts a guest who shuts a door that is lost, or that never opened, is led to the page that says so.
#[tokio::test]
async fn a_door_that_can_not_be_shut_leads_back_to_its_page() {
    for (event, state) in [("lost", "lost"), ("fails", "failed")] {
        let product = Product::start().await;
        let guest = ready(&product).await;
        open(&guest).await;
        put_in(&product, &guest).await;
        let session = seen(&guest).await["session"].as_str().unwrap().to_owned();
        let event = json!({ "filial_id": FRIDGE, "event": event });
        product.control("door", event).await;
        let led = shut_of(&guest, &FRIDGE.to_string(), &session).await;
        assert_eq!((led.status, led.location()), (303, page()));
        let shown = guest.get(&page()).await;
        assert_eq!(shown.data()["page"]["data"]["state"], state);
        assert_eq!(shown.texts(".notes"), [""; 0]);
        assert_eq!(orders(&product).await.len(), 0);
    }
}

#[tokio::test]
async fn while_the_upstream_fails_nothing_is_opened_and_the_page_says_so() {
    let product = Product::start().await;
    let guest = ready(&product).await;
    open(&guest).await;
    product.fail("/smart-lock/v1/sessions", 503).await;
    let page_now = guest.get(&page()).await;
    assert_eq!(page_now.status, 200);
    assert_eq!(page_now.data()["page"]["data"]["state"], "unknown");
    assert!(page_now.header("cache-control").contains("no-store"));
    product.no_faults().await;
    let back = async || (seen(&guest).await["state"] == "open").then_some(());
    eventually(30, back).await;
}

/// Goods behind a lock are paid by shutting the door, whenever they were chosen: the cart leads there, and nothing is
/// ordered before, which would be paid a second time.
#[tokio::test]
async fn the_cart_of_a_fridge_leads_to_its_door_and_is_paid_there_alone() {
    let product = Product::start().await;
    let guest = ready(&product).await;
    put_in(&product, &guest).await;
    let cart = guest.get("/cart").await;
    assert_eq!((cart.status, cart.location()), (303, page()), "shut");
    let chosen = guest.get(&page()).await;
    let version = chosen.data()["shell"]["cart"]["version"].to_string();
    let total = chosen.data()["shell"]["cart"]["total"].to_string();
    assert!(
        chosen.rendered().contains("class=\"taken\""),
        "what was chosen is shown"
    );
    let fields = [
        ("cart_version", &*version),
        ("total", &total),
        ("payment", "card"),
    ];
    let ordered = guest.post("/orders", &fields).await;
    assert_eq!((ordered.status, ordered.location()), (303, page()));
    assert_eq!(orders(&product).await.len(), 0);
    open(&guest).await;
    let cart = guest.get("/cart").await;
    assert_eq!((cart.status, cart.location()), (303, page()));
    shut(&guest).await;
    assert_eq!(orders(&product).await.len(), 1);
}

#[tokio::test]
async fn a_door_that_is_shut_leaves_the_cart_of_a_restaurant_as_it_was() {
    let product = Product::start().await;
    let guest = ready(&product).await;
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    let (stays, leaves) = (plain_products(&menu)[0].0, plain_products(&menu)[1].0);
    guest.add(VENUE, stays).await;
    guest.add(VENUE, leaves).await;
    guest
        .post(
            "/cart/promo",
            &[("code", "DASTARKHAN10"), ("back", "/cart")],
        )
        .await;
    let line = guest.get("/cart").await.data()["shell"]["cart"]["lines"][1]["id"].clone();
    let line = format!("/cart/lines/{}", line.as_str().unwrap());
    guest.post(&line, &[("qty", "0"), ("back", "/cart")]).await;
    open(&guest).await;
    shut(&guest).await;
    assert_eq!(keys(&product, "/close").await.len(), 1);
    let cart = guest.get("/cart").await.data();
    assert_eq!(cart["shell"]["cart"]["count"], 1);
    assert_eq!(cart["page"]["data"]["promo"]["code"], "DASTARKHAN10");
    let back = guest
        .submit("/cart/undo", &[("back", "/cart")])
        .await
        .data();
    assert_eq!(
        back["shell"]["cart"]["count"], 2,
        "{}",
        back["shell"]["flash"]
    );
}

#[tokio::test]
async fn opening_is_held_back_for_an_address() {
    let product = Product::with(&["--address-orders-per-minute", "1"]).await;
    let guest = ready(&product).await;
    open(&guest).await;
    shut(&guest).await;
    let answers = [open(&guest).await, open(&guest).await];
    assert!(answers.iter().any(|answer| answer.status == 429));
    let sent = keys(&product, OPEN_LOCK).await.len();
    assert!(sent <= 2, "{sent}");
}

/// S-17: counted by the account, whatever phone it is on.
#[tokio::test]
async fn the_fourth_door_in_a_minute_waits_and_the_page_says_so() {
    let product = Product::start().await;
    let (guest, other) = (ready(&product).await, ready(&product).await);
    for _ in 0..3 {
        open(&guest).await;
        shut(&guest).await;
    }
    product.forget_log().await;
    let venue = FRIDGE.to_string();
    let fields = [("filial", venue.as_str()), ("back", "/")];
    for phone in [&guest, &other] {
        let answer = phone.post_json("/fridge/open", &fields).await;
        assert_eq!(answer.status, 429);
        let error = answer.json()["flash"]["errors"][0].clone();
        assert_eq!(error["code"], "often");
        let seconds = error["values"]["count"].as_i64().unwrap();
        assert!((1..=60).contains(&seconds), "{seconds}");
    }
    for (lang, words) in [
        ("kk", "Қатарынан тым көп рет аштыңыз"),
        ("ru", "Слишком много попыток открыть подряд"),
        ("en", "Too many attempts to open in a row"),
    ] {
        guest.get(&format!("{}?lang={lang}", page())).await;
        let refused = guest.submit("/fridge/open", &fields).await;
        let told = refused.texts(".note [role=alert]").concat();
        assert!(told.contains(words), "{told}");
        let wait = refused.texts("#often").concat();
        assert!(wait.contains(|sign: char| sign.is_ascii_digit()), "{wait}");
        // Nothing of a form is missing.
        assert_eq!(refused.texts(".notes"), [""; 0]);
    }
    assert!(keys(&product, OPEN_LOCK).await.is_empty());
}

#[tokio::test]
async fn two_phones_of_one_guest_tell_the_lock_once() {
    let product = Product::start().await;
    let (first, second) = (ready(&product).await, ready(&product).await);
    fault(
        &product,
        json!({ "path": OPEN_LOCK, "kind": "delay", "delay_ms": 700 }),
    )
    .await;
    let (one, two) = tokio::join!(open(&first), open(&second));
    assert_eq!((one.location(), two.location()), (page(), page()));
    assert_eq!(keys(&product, OPEN_LOCK).await.len(), 1);
    for phone in [&first, &second] {
        assert_eq!(seen(phone).await["state"], "open");
    }
    product.no_faults().await;
    shut(&second).await;
    // Whatever becomes of an answer, the other phone sends the same key.
    fault(&product, json!({ "path": OPEN_LOCK, "kind": "reset" })).await;
    product.forget_log().await;
    open(&first).await;
    product.no_faults().await;
    open(&second).await;
    assert_eq!(distinct(keys(&product, OPEN_LOCK).await), 1);
    assert_eq!(seen(&second).await["state"], "open");
}

/// It is in the guest's hands, and is paid for when the door is shut, with whatever is told then.
#[tokio::test]
async fn what_was_scanned_at_an_open_door_outlives_a_sign_out_of_one_phone_or_all() {
    const OUT: &str = "/session/sign-out";
    for everywhere in [false, true] {
        let product = Product::start().await;
        let (guest, other) = (ready(&product).await, ready(&product).await);
        open(&guest).await;
        put_in(&product, &guest).await;
        // The second phone shows the basket of the first, too.
        assert_eq!(seen(&other).await["state"], "open");
        let mut fields = vec![("back", "/")];
        fields.extend(everywhere.then_some(("everywhere", "yes")));
        other.post_once(OUT, &fields).await;
        // Nobody is told of it without the account.
        let after = other.get(&page()).await.data();
        assert_eq!(after["page"]["data"]["state"], "signIn");
        assert_eq!(after["shell"]["cart"], Value::Null);
        if everywhere {
            assert_eq!(seen(&guest).await["state"], "signIn");
            sign_in(&product, &guest, &page()).await;
        }
        assert_eq!(seen(&guest).await["state"], "open");
        let taken = guest.get(&page()).await.texts(".taken").concat();
        assert!(taken.contains('₸'), "everywhere: {everywhere}: {taken}");
        guest.post_once(OUT, &[("back", "/")]).await;
        sign_in(&product, &guest, &page()).await;
        shut(&guest).await;
        let settled = seen(&guest).await;
        assert_eq!(
            (&settled["state"], &settled["unscanned"]),
            (&json!("settled"), &json!(0))
        );
        let order = orders(&product).await[0]["id"].as_str().unwrap().to_owned();
        let info = guest.get(&format!("/orders/{order}")).await.data();
        assert_eq!(info["page"]["data"]["lines"].as_array().unwrap().len(), 1);
    }
}

/// ST-04: two phones share what is scanned at a door, and nothing afterwards.
#[tokio::test]
async fn a_sign_out_after_a_door_was_settled_takes_no_cart_of_the_guests_other_phone() {
    const OUT: &str = "/session/sign-out";
    let count = async |guest: &Guest| guest.get(&page()).await.data()["shell"]["cart"].clone();
    for (settled_by_second, signs_out) in [(false, "second"), (true, "first"), (true, "second")] {
        let product = Product::start().await;
        let (first, second) = (ready(&product).await, ready(&product).await);
        open(&first).await;
        put_in(&product, &first).await;
        assert_eq!(seen(&second).await["state"], "open");
        shut(if settled_by_second { &second } else { &first }).await;
        let (out, stays) = match signs_out {
            "first" => (&first, &second),
            _ => (&second, &first),
        };
        put_in(&product, stays).await;
        assert_eq!(count(stays).await["count"], 1, "{signs_out}");
        assert_eq!(count(out).await, Value::Null, "{signs_out}: another cart");
        out.post_once(OUT, &[("back", "/")]).await;
        assert_eq!(count(stays).await["count"], 1, "{signs_out} signs out");
    }
}

#[tokio::test]
async fn before_it_is_opened_a_fridge_says_when_and_by_what_it_is_paid() {
    let product = Product::start().await;
    let (other_guest, guest) = (product.guest(), ready(&product).await);
    for (lang, words) in [
        ("kk", "Төлем тәсілі мұнда таңдалмайды"),
        ("ru", "Способ оплаты здесь не выбирают"),
        ("en", "You do not choose how to pay here"),
    ] {
        let path = format!("{}?lang={lang}", page());
        for guest in [&other_guest, &guest] {
            let said = guest.get(&path).await.texts(".fridge .card").concat();
            assert!(said.contains(words), "{lang}: {said}");
        }
    }
    open(&guest).await;
    put_in(&product, &guest).await;
    shut(&guest).await;
    let path = format!("{}?lang=ru", page());
    let said = guest.get(&path).await.texts(".fridge .card").concat();
    assert!(!said.contains("Способ оплаты здесь"), "{said}");
}

/// What a line of the shown basket costs, hundredths.
async fn basket(guest: &Guest) -> (String, i64) {
    let page = guest.get(&page()).await.data();
    let line = &page["shell"]["cart"]["lines"][0];
    let name = line["name"].as_str().unwrap().to_owned();
    (name, page["shell"]["cart"]["total"].as_i64().unwrap())
}

#[tokio::test]
async fn a_new_price_is_shown_before_it_is_paid_at_a_door_that_is_shut() {
    let product = Product::start().await;
    let guest = ready(&product).await;
    open(&guest).await;
    let id = put_in(&product, &guest).await;
    let (_, before) = basket(&guest).await;
    let dearer = before / 100 + 50;
    product.set_price(FRIDGE, id, dearer).await;
    let session = seen(&guest).await["session"].as_str().unwrap().to_owned();
    let venue = FRIDGE.to_string();
    let fields = [("filial", venue.as_str()), ("session", session.as_str())];
    // A script has the new sum with the refusal.
    let refused = guest.post_json("/fridge/close", &fields).await.json();
    assert_eq!(refused["flash"]["errors"][0]["code"], "priceChanged");
    assert_eq!(refused["cart"]["total"], dearer * 100, "{refused}");
    assert!(orders(&product).await.is_empty());
    assert_eq!(basket(&guest).await.1, dearer * 100);
    assert_eq!(seen(&guest).await["state"], "open");
    shut(&guest).await;
    let done = seen(&guest).await;
    assert_eq!(
        (&done["state"], &done["charged"]),
        (&json!("settled"), &json!(dearer * 100))
    );
    assert_eq!(orders(&product).await.len(), 1);
}

#[tokio::test]
async fn what_was_taken_is_paid_for_though_it_is_sold_out_by_now() {
    let product = Product::start().await;
    let guest = ready(&product).await;
    open(&guest).await;
    let id = put_in(&product, &guest).await;
    product.sell_out(FRIDGE, id).await;
    shut(&guest).await;
    assert_eq!(seen(&guest).await["state"], "settled");
    assert_eq!(orders(&product).await.len(), 1);
}

#[tokio::test]
async fn what_can_not_be_paid_for_is_named_with_who_can_help() {
    let product = Product::start().await;
    let guest = ready(&product).await;
    open(&guest).await;
    let id = put_in(&product, &guest).await;
    let (name, _) = basket(&guest).await;
    let refusal = json!({ "code": "item_unavailable", "title": "Gone", "meta": { "index": 0, "product_id": id } });
    fault(
        &product,
        json!({
            "path": CLOSE, "method": "POST", "kind": "replace",
            "values": { "/error_code": 422, "/errors": [refusal] },
        }),
    )
    .await;
    let session = seen(&guest).await["session"].as_str().unwrap().to_owned();
    let venue = FRIDGE.to_string();
    let fields = [("filial", venue.as_str()), ("session", session.as_str())];
    let told = guest.submit("/fridge/close", &fields).await;
    let error = told.data()["shell"]["flash"]["errors"][0].clone();
    assert_eq!(
        (&error["code"], &error["values"]["name"]),
        (&json!("fridgeGone"), &json!(name))
    );
    assert!(told.rendered().contains(&name));
    assert!(!told.texts("a[href^='tel:+7']").is_empty());
    // Nothing of it is forgotten.
    product.no_faults().await;
    shut(&guest).await;
    assert_eq!(seen(&guest).await["state"], "settled");
    assert_eq!(orders(&product).await.len(), 1);
}

/// The guest has said that the door is shut, and is gone with what was taken.
#[tokio::test]
async fn a_door_that_the_server_settles_alone_is_settled_at_the_price_of_now() {
    let product = Product::start().await;
    let guest = ready(&product).await;
    open(&guest).await;
    let id = put_in(&product, &guest).await;
    let (_, before) = basket(&guest).await;
    let dearer = before / 100 + 50;
    let session = seen(&guest).await["session"].as_str().unwrap().to_owned();
    fault(
        &product,
        json!({ "path": CLOSE, "method": "POST", "kind": "hang" }),
    )
    .await;
    let tab = guest.second_tab();
    let lost = tokio::spawn(async move {
        let venue = FRIDGE.to_string();
        let request = tab
            .request(reqwest::Method::POST, "/fridge/close")
            .header("sec-fetch-site", "same-origin")
            .header("cookie", format!("dk={}", tab.cookie("dk").unwrap()))
            .form(&[("filial", venue.as_str()), ("session", session.as_str())]);
        let _ = request.send().await;
    });
    let told = async || (!keys(&product, "/close").await.is_empty()).then_some(());
    eventually(20, told).await;
    product.set_price(FRIDGE, id, dearer).await;
    let product = product.killed_and_started_again().await;
    lost.abort();
    let guest = guest.at(&product);
    let settled = async || (seen(&guest).await["state"] == "settled").then_some(());
    eventually(60, settled).await;
    assert_eq!(seen(&guest).await["charged"], dearer * 100);
    assert_eq!(orders(&product).await.len(), 1);
}

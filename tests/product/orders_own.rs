//! The pages of an order for its signed-in owner: `/orders/{id}` and the thank-you page (OR-11, RT-24, S-16), and what
//! they tell of its payment (OR-13, PY-11, PY-17, ZZ-09).

use dastarkhan::web::session::INSECURE_COOKIE as COOKIE;
use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::{
    account,
    support::{Answer, Guest, Product, VENUE, client, order_fields, plain_products},
};

/// What the upstream answers about an order.
pub const ORDER: &str = "/takeaway/v2/user/order";
/// A venue that is open around the clock, for orders that are fetched and that are brought.
pub const TAKEAWAY: u64 = 1021;
pub const DELIVERY: u64 = 1024;
pub const LANGS: [&str; 4] = ["kk&country=kz", "ru", "en", "ka&country=ge"];

/// A guest whom the upstream has signed in, and the bearer.
pub async fn signed_in(product: &Product) -> (Guest, String) {
    let guest = product.guest();
    guest
        .post("/session/age", &[("answer", "yes"), ("back", "/")])
        .await;
    let (bearer, _) = account::sign_in(product, &guest).await;
    (guest, bearer)
}

/// An order that somebody has placed elsewhere; its id.
pub async fn bought(product: &Product, bearer: &str, kind: &str, payment: &str) -> String {
    placed(product, bearer, kind, payment).await["id"]
        .as_str()
        .unwrap()
        .to_owned()
}

/// The same, with all that the upstream answers.
pub async fn placed(product: &Product, bearer: &str, kind: &str, payment: &str) -> Value {
    let mut body = json!({
        "filial_id": if kind == "delivery" { DELIVERY } else { TAKEAWAY },
        "payment_type": payment,
        "items": [{"product_id": 1004, "count": 2, "price": 5400}],
    });
    if payment == "online" {
        body["payment_method"] = json!("card");
        body["success_url"] = json!(format!("{}/orders", product.web));
        body["failure_url"] = json!(format!("{}/cart", product.web));
    }
    if kind == "delivery" {
        body["transport_type"] = json!("CAR");
        body["address"] = json!({
            "street": "Абай даңғылы", "building": "10", "entrance": "2", "floor": "3", "apartment": "14",
            "comment": "Домофон жоқ", "latitude": 43.238, "longitude": 76.95,
        });
    }
    let key = format!("test-{}", product.sandbox_get("orders").await.len());
    let request = client()
        .post(format!("{}/takeaway/v1/{kind}/order", product.sandbox))
        .bearer_auth(bearer)
        .header("x-idempotency-key", key)
        .json(&body);
    let answer = request.send().await.unwrap();
    let status = answer.status();
    let told: Value = answer.json().await.unwrap();
    assert!(status.is_success(), "{told}");
    told["data"].clone()
}

pub async fn set_status(product: &Product, id: &str, status: &str) {
    product
        .control("order/status", json!({ "order_id": id, "status": status }))
        .await;
}

/// Ends an attempt to pay as the bank does.
pub async fn pay(product: &Product, placed: &Value) {
    let payment = placed["payment"]["id"].as_str().unwrap();
    let request = client()
        .post(format!("{}/pay/card/{payment}", product.sandbox))
        .form(&[("outcome", "succeeded")]);
    assert_eq!(request.send().await.unwrap().status().as_u16(), 303);
}

/// Asks for the changes of an order; the answer is read while it comes.
pub fn open(guest: &Guest, events: &str) -> RequestBuilder {
    let session = guest.cookie(COOKIE).unwrap_or_default();
    guest
        .request(reqwest::Method::GET, events)
        .header("cookie", format!("{COOKIE}={session}"))
}

pub fn data(page: &Answer) -> Value {
    page.data()["page"]["data"].clone()
}

#[tokio::test]
async fn both_pages_show_the_whole_order_to_its_owner_again_and_again_with_their_layout() {
    let product = Product::start().await;
    let (guest, bearer) = signed_in(&product).await;
    let id = bought(&product, &bearer, "takeaway", "cash").await;
    for (path, route) in [
        (format!("/orders/{id}"), "orderInfo"),
        (format!("/typ/{TAKEAWAY}/order/{id}"), "thankYou"),
        (format!("/filials/{TAKEAWAY}/order/{id}"), "order"),
    ] {
        // Opened from outside, refreshed, and as a navigation inside the app.
        let first = guest.get(&path).await;
        let again = guest.get(&path).await;
        let inside = guest.data(&path).await;
        for page in [first.data(), again.data(), inside] {
            assert_eq!(page["page"]["route"], route);
            let order = &page["page"]["data"];
            assert_eq!(order["id"], id.as_str());
            assert_eq!(order["personal"], true, "{path}");
            assert_eq!(order["lines"].as_array().unwrap().len(), 1);
            let layout =
                json!({ "frame": "default", "navbar": route != "order", "balance": false });
            assert_eq!(page["shell"]["layout"], layout, "{path}");
        }
        assert_eq!(first.header("cache-control"), "private, no-store", "{path}");
        assert_eq!(
            json!(first.texts(".ticket")),
            json!([data(&first)["number"]])
        );
        assert!(first.text().contains(r#"http-equiv="refresh""#), "{path}");
    }
    let thanks = guest
        .get(&format!("/typ/{TAKEAWAY}/order/{id}?lang=en"))
        .await;
    assert_eq!(thanks.texts("h1"), ["Thank you for your order"]);
    assert_eq!(thanks.texts(".now h2"), ["Order received"]);
    let said = thanks.texts(".now p").join("|");
    assert!(
        said.contains("The kitchen has your order."),
        "what is next: {said}"
    );
    assert!(said.contains("Pick it up at "), "where: {said}");
    assert!(said.contains("Ready at about "), "when: {said}");
    assert!(thanks.text().contains("<title>Thank you for order"));
    // Later the state is what the page is about.
    let old = json!({ "/data/created_at": "2026-01-01T06:00:00Z", "/data/statuses": [] });
    let begun = json!({ "/data/current_order_status/status": "cooking" });
    for (change, heading) in [(old, "Order received"), (begun, "Cooking")] {
        product.replace(ORDER, change).await;
        let later = guest
            .get(&format!("/typ/{TAKEAWAY}/order/{id}?lang=en"))
            .await;
        assert_eq!(later.texts("h1"), [heading]);
        assert!(!later.rendered().contains("Thank you"));
        assert!(later.text().contains("<title>Order "));
    }
    product.no_faults().await;
    // The link that is to be kept is there without scripts, too: the page's own.
    assert_eq!(thanks.texts("#keep"), ["Keep the link to this page"]);
    assert!(
        thanks
            .rendered()
            .contains(&format!(r#"href="/orders/{id}""#))
    );
    // An order that is over does not go on.
    let over = json!({ "order_id": id, "status": "completed" });
    product.control("order/status", over).await;
    let over = guest.get(&format!("/typ/{TAKEAWAY}/order/{id}")).await;
    assert_eq!(data(&over)["final"], true);
    assert!(over.texts("#keep").is_empty());
}

#[tokio::test]
async fn another_guests_order_is_not_found_warm_and_cold_and_a_stranger_is_led_to_the_sign_in() {
    let product = Product::start().await;
    let (guest, bearer) = signed_in(&product).await;
    let id = bought(&product, &bearer, "takeaway", "cash").await;
    let other = product.guest();
    let page = crate::sign_in::begin(&other, "/faq").await;
    let back = crate::sign_in::confirm_as(&product, &page, "+77010000077").await;
    other.get(&back).await;
    let paths = [
        format!("/orders/{id}"),
        format!("/typ/{TAKEAWAY}/order/{id}"),
    ];
    // Cold, warm after the owner has looked, and as data.
    for _ in 0..2 {
        for path in &paths {
            let page = other.get(path).await;
            assert_eq!(page.status, 404, "{path}");
            assert!(!page.text().contains("Сірне"), "{path}");
            assert_eq!(other.data(path).await["status"], 404, "{path}");
            assert_eq!(guest.get(path).await.status, 200, "{path}");
        }
    }
    // Nor are an order of another venue, or one that nobody has placed.
    for path in [
        format!("/typ/{VENUE}/order/{id}"),
        format!("/typ/x/order/{id}"),
        "/orders/o_none".to_owned(),
        "/orders/..%2fx".to_owned(),
    ] {
        assert_eq!(guest.get(&path).await.status, 404, "{path}");
    }
    let other_guest = product.guest();
    for path in &paths {
        let away = other_guest.get(path).await;
        assert_eq!(away.status, 303, "{path}");
        assert!(away.location().starts_with(&product.sandbox));
    }
    // The way back is this very order.
    let page = url::Url::parse(&other_guest.get(&paths[0]).await.location()).unwrap();
    let back = crate::sign_in::confirm_as(&product, &page, "+77010000077").await;
    assert_eq!(other_guest.get(&back).await.location(), paths[0]);
    // What others may see of it is its status, at the open address.
    let open = format!("/filials/{TAKEAWAY}/order/{id}");
    assert_eq!(data(&other.get(&open).await)["personal"], false);
}

#[tokio::test]
async fn an_order_that_waits_for_its_payment_says_so_and_is_called_paid_only_then() {
    let product = Product::start().await;
    let (guest, bearer) = signed_in(&product).await;
    let placed = placed(&product, &bearer, "takeaway", "online").await;
    let id = placed["id"].as_str().unwrap();
    let seen = async |lang: &str| {
        let page = guest.get(&format!("/orders/{id}?lang={lang}")).await;
        (page.texts("h1"), page.texts(".steps li span:first-child"))
    };
    let words = [
        ("Төлем күтілуде", "Төленді"),
        ("Ожидает оплаты", "Оплачен"),
        ("Awaiting payment", "Paid"),
        ("ელოდება გადახდას", "გადახდილია"),
    ];
    for (lang, (awaiting, _)) in LANGS.into_iter().zip(words) {
        let (header, steps) = seen(lang).await;
        assert_eq!((header, &*steps[0]), (vec![awaiting.to_owned()], awaiting));
    }
    let before = data(&guest.get(&format!("/orders/{id}")).await);
    assert_eq!(
        (&before["paid"], &before["receipt"]),
        (&json!(false), &json!(null))
    );
    assert_eq!(before["cardSum"], json!(null));

    pay(&product, &placed).await;
    for (lang, (_, paid)) in LANGS.into_iter().zip(words) {
        let (header, steps) = seen(lang).await;
        assert_eq!(steps[0], paid);
        assert_ne!(header, [paid], "the header is another word");
    }
    let page = guest.get(&format!("/orders/{id}?lang=en")).await;
    let order = data(&page);
    assert_eq!(order["cardSum"], 1_080_000);
    let facts = page.texts(".facts div").join("|");
    assert!(facts.contains("Paid online10\u{a0}800\u{a0}₸"), "{facts}");
    // The receipt is the provider's page.
    let receipt = order["receipt"].as_str().unwrap();
    assert!(page.rendered().contains(&format!(r#"href="{receipt}""#)));
    let shown = client().get(receipt).send().await.unwrap();
    assert!(shown.status().is_success());
    assert!(shown.text().await.unwrap().contains("Fiscal receipt"));
    // A cash order is never called paid.
    let cash = bought(&product, &bearer, "takeaway", "cash").await;
    let page = guest.get(&format!("/orders/{cash}?lang=en")).await;
    assert_eq!(page.texts(".steps li span:first-child")[0], "Accepted");
    assert_eq!(data(&page)["receipt"], json!(null));
}

#[tokio::test]
async fn bonuses_and_cashback_stand_with_the_sums_for_who_has_placed_it() {
    let product = Product::start().await;
    let (guest, bearer) = signed_in(&product).await;
    let id = bought(&product, &bearer, "takeaway", "cash").await;
    product
        .replace(
            ORDER,
            json!({ "/data/bonus_paid": 150, "/data/cashback_given": 42.5, "/data/paid_with_card": 2650 }),
        )
        .await;
    let page = guest.get(&format!("/orders/{id}?lang=en")).await;
    let facts = page.texts(".facts div").join("|");
    assert!(facts.contains("Paid online2\u{a0}650\u{a0}₸"), "{facts}");
    // They are the guest's once it is over.
    assert!(facts.contains("Bonuses to be credited42"), "{facts}");
    let totals = page.texts(".totals div").join("|");
    assert!(totals.contains("Bonuses−150\u{a0}₸"), "{totals}");
    let done =
        json!({ "/data/current_order_status/status": "completed", "/data/cashback_given": 42.5 });
    product.replace(ORDER, done).await;
    let page = guest.get(&format!("/orders/{id}?lang=en")).await;
    let facts = page.texts(".facts div").join("|");
    assert!(facts.contains("Bonuses earned42"), "{facts}");
    // What was called off has earned nothing, and of what is not given back nothing was paid.
    product
        .replace(
            ORDER,
            json!({ "/data/current_order_status/status": "canceled", "/data/cashback_given": 42.5, "/data/paid_with_card": 2650 }),
        )
        .await;
    let page = guest.get(&format!("/orders/{id}?lang=en")).await;
    let facts = page.texts(".facts div").join("|");
    assert!(
        !facts.contains("Paid online") && !facts.contains("Bonuses"),
        "{facts}"
    );
    let other_guest = product.guest();
    let page = other_guest
        .get(&format!("/filials/{TAKEAWAY}/order/{id}?lang=en"))
        .await;
    let seen = data(&page);
    for key in [
        "cardSum", "cashback", "receipt", "chat", "delivery", "payHref",
    ] {
        assert_eq!(seen[key], json!(null), "{key}");
    }
    assert_eq!(seen["totals"], json!([]));
}

#[tokio::test]
async fn the_next_status_comes_between_two_times_that_lie_ahead_and_never_goes_back() {
    let product = Product::start().await;
    let (guest, bearer) = signed_in(&product).await;
    let id = bought(&product, &bearer, "takeaway", "cash").await;
    let path = format!("/orders/{id}?lang=en");
    let see = async |average: Value, promised: Value, reached: Value| {
        let mut values = json!({
            "/data/current_order_status/status": "cooking",
            "/data/current_order_status/next_average_time": average,
            "/data/current_order_status/next_status_time": promised,
        });
        if !reached.is_null() {
            values["/data/statuses"] = reached;
        }
        product.replace(ORDER, values).await;
        let page = guest.get(&path).await;
        (data(&page), page.texts(".steps li").join("|"))
    };
    // In Almaty it is five hours later.
    let (sooner, later) = (json!("2099-01-01T06:10:00Z"), json!("2099-01-01T06:25:00Z"));
    let none = || json!(null);
    for (average, promised) in [(&sooner, &later), (&later, &sooner)] {
        let (order, steps) = see(average.clone(), promised.clone(), none()).await;
        assert!(steps.contains("At about 11:10–11:25"), "{steps}");
        assert!(order["nextUntil"].as_i64() > order["nextAt"].as_i64());
    }
    let (order, steps) = see(sooner.clone(), sooner.clone(), none()).await;
    assert!(
        steps.contains("At about 11:10") && !steps.contains('–'),
        "{steps}"
    );
    assert_eq!(order["nextUntil"], json!(null));
    // One of them is over: it is no range any more.
    let (order, _) = see(json!("2026-01-01T06:10:00Z"), later.clone(), none()).await;
    assert_eq!(order["nextUntil"], json!(null));
    // The upstream's present status runs behind what was reached: the times are of a step that is done.
    let reached = json!([
        {"status": "created", "time": "2026-11-21T06:00:00Z"},
        {"status": "cooking", "time": "2026-11-21T06:01:00Z"},
        {"status": "ready", "time": "2026-11-21T06:02:00Z"},
    ]);
    let (order, steps) = see(sooner, later, reached).await;
    assert_eq!(
        (&order["status"], &order["rank"]),
        (&json!("ready"), &json!(3))
    );
    assert_eq!(order["nextAt"], json!(null));
    assert!(!steps.contains("At about"), "{steps}");
    // A status that nobody knows has words, too.
    product
        .replace(
            ORDER,
            json!({ "/data/status": "teleporting", "/data/current_order_status/status": "teleporting" }),
        )
        .await;
    let page = guest.get(&path).await;
    assert_eq!(page.texts("h1"), ["The order is in progress"]);
}

#[tokio::test]
async fn the_stream_tells_the_owner_more_than_others() {
    use futures_util::StreamExt as _;
    let product = Product::start().await;
    let (guest, bearer) = signed_in(&product).await;
    let id = bought(&product, &bearer, "takeaway", "cash").await;
    let page = data(&guest.get(&format!("/orders/{id}")).await);
    let events = page["events"].as_str().unwrap();
    assert!(
        !events.contains("key="),
        "the cookie says who it is (OR-18)"
    );
    let first = async |guest: &Guest| -> Value {
        let mut stream = open(guest, events).send().await.unwrap().bytes_stream();
        let mut text = String::new();
        loop {
            let chunk = stream.next().await.unwrap().unwrap();
            text += &String::from_utf8_lossy(&chunk);
            let data = text
                .split("\n\n")
                .find_map(|event| event.lines().find_map(|line| line.strip_prefix("data: ")));
            if let Some(reading) = data.and_then(|data| serde_json::from_str(data).ok()) {
                return reading;
            }
        }
    };
    let (own, other_guest) = (first(&guest).await, first(&product.guest()).await);
    assert_eq!((&own["personal"], &own["id"]), (&json!(true), &json!(id)));
    assert_eq!(own["lines"], page["lines"]);
    assert_eq!(other_guest["personal"], false);
    assert_eq!(other_guest["lines"], json!([]));
}

#[tokio::test]
async fn the_empty_cart_and_home_offer_what_the_account_has_ordered_elsewhere() {
    let product = Product::start().await;
    let (guest, bearer) = signed_in(&product).await;
    let first = bought(&product, &bearer, "takeaway", "cash").await;
    let newest = bought(&product, &bearer, "delivery", "cash").await;
    // The newest one that is over: what is still made is not offered again.
    let offered = async || {
        let cart = guest.get("/cart").await.data();
        cart["page"]["data"]["repeat"]["order"].clone()
    };
    assert_eq!(offered().await, Value::Null);
    set_status(&product, &first, "completed").await;
    assert_eq!(offered().await, first.as_str());
    set_status(&product, &newest, "canceled").await;
    assert_eq!(offered().await, newest.as_str());
    assert_ne!(first, newest);
    let home = guest.get("/").await.data()["page"]["data"].clone();
    assert_eq!(home["repeat"]["order"], newest.as_str());
    let other_guest = product.guest().get("/").await.data();
    assert!(other_guest["page"]["data"]["repeat"].is_null());
    let recent = home["rails"]
        .as_array()
        .unwrap()
        .iter()
        .find(|rail| rail["kind"] == "recent");
    assert!(recent.is_some_and(|rail| !rail["venues"].as_array().unwrap().is_empty()));
    // Without the account's answer what was ordered here is offered.
    let at_table = product.guest_at_table(VENUE, "t7").await;
    let menu = at_table.get(&format!("/filials/{VENUE}")).await.data();
    at_table.add(VENUE, plain_products(&menu)[0].0).await;
    let seen = order_fields(&at_table.get("/cart").await.data());
    let page = at_table
        .submit("/orders", &crate::support::as_fields(&seen))
        .await;
    let here = data(&page)["id"].clone();
    account::sign_in(&product, &at_table).await;
    product.fail("/takeaway/v2/user/orders", 500).await;
    set_status(&product, here.as_str().unwrap(), "completed").await;
    let cart = at_table.get("/cart").await.data();
    assert_eq!(cart["page"]["data"]["repeat"]["order"], here);
}

//! Orders of all five kinds: each goes its own way to the upstream, and asks first for what it needs (OR-01, CT-02, ZZ-06,
//! ZZ-11).

use serde_json::{Value, json};

use crate::{
    addresses::{book, ids, save, save_an_address},
    sign_in::sign_in,
    support::{Answer, Guest, Product, VENUE, as_fields, eventually, order_fields, plain_products},
};

/// The takeaway beside [`VENUE`], which serves tables.
pub const TAKEAWAY: u64 = 1011;
const DELIVERY: u64 = 1024;
/// Its own couriers bring what it sells.
const VENDOR: u64 = 1064;
pub const FRIDGE: u64 = 1201;
const CARD: &str = "/takeaway/locations/card/terminal/1024";

/// The cart's page as it is now.
pub async fn cart(guest: &Guest) -> Value {
    guest.get("/cart").await.data()["page"]["data"].clone()
}

/// Presses the button, in cash or by whatever way.
pub async fn order(guest: &Guest, way: &str) -> Answer {
    order_seen(guest, &guest.get("/cart").await.data(), way).await
}

/// Presses the button of a cart that was shown.
pub async fn order_seen(guest: &Guest, cart: &Value, way: &str) -> Answer {
    let seen = order_fields(cart);
    let mut fields = as_fields(&seen);
    fields.retain(|(name, _)| *name != "payment");
    fields.extend([("payment", way), ("name", "Айша"), ("comment", "Тез")]);
    guest.post("/orders", &fields).await
}

/// The calls that placed orders.
pub async fn placed(product: &Product) -> Vec<Value> {
    let mut log = product.sandbox_get("log").await;
    log.retain(|call| {
        let path = call["path"].as_str().unwrap();
        call["method"] == "POST" && path.starts_with("/takeaway/v1/") && path.ends_with("/order")
    });
    log
}

/// What each call that places an order says beside it.
fn has_country_and_key(call: &Value) {
    let headers = &call["headers"];
    assert_eq!(headers["x-country"], "kz");
    assert!(!headers["x-idempotency-key"].as_str().unwrap().is_empty());
}

pub async fn put_in(guest: &Guest, venue: u64) {
    let menu = guest.get(&format!("/filials/{venue}")).await.data();
    guest.add(venue, plain_products(&menu)[0].0).await;
}

/// A guest of a delivering venue, with dishes that are worth bringing.
async fn with_dishes_of(product: &Product, venue: u64) -> Guest {
    let guest = product.guest();
    guest
        .post("/session/age", &[("answer", "yes"), ("back", "/")])
        .await;
    let menu = guest.get(&format!("/filials/{venue}")).await.data();
    let mut dishes = plain_products(&menu);
    dishes.sort_by_key(|(_, price)| std::cmp::Reverse(*price));
    // Enough for an order, too little for a free delivery.
    let enough = dishes.iter().filter(|(_, price)| *price < 600_000);
    for (dish, _) in enough.take(2) {
        guest.add(venue, *dish).await;
    }
    guest
}

/// The same guest, signed in, with an address that is confirmed.
pub async fn ready_for_delivery(product: &Product, venue: u64) -> Guest {
    let guest = with_dishes_of(product, venue).await;
    sign_in(product, &guest, "/cart").await;
    save_an_address(&guest).await;
    guest.post("/addresses/confirm", &[("back", "/cart")]).await;
    guest
}

#[tokio::test]
async fn takeaway_asks_for_a_sign_in_and_the_cart_comes_back_from_it_whole() {
    let product = Product::start().await;
    let guest = product.guest();
    put_in(&guest, TAKEAWAY).await;
    assert_eq!(cart(&guest).await["blocks"], json!(["signIn"]));
    let before = guest.get("/cart").await.data()["shell"]["cart"].clone();
    // The server asks as well, whatever a page has shown.
    let refused = order(&guest, "cash").await;
    assert_eq!(refused.location(), "/cart#order");
    assert!(placed(&product).await.is_empty());

    let back = sign_in(&product, &guest, "/cart").await;
    assert_eq!(back.location(), "/cart");
    let page = guest.get("/cart").await.data();
    assert_eq!(page["shell"]["cart"]["lines"], before["lines"]);
    assert_eq!(page["page"]["data"]["blocks"], json!([]));
    assert_eq!(order(&guest, "cash").await.status, 303);
    let calls = placed(&product).await;
    assert_eq!(calls.len(), 1);
    assert_eq!(calls[0]["path"], "/takeaway/v1/takeaway/order");
    // No code and no list has led the guest here (FL-10).
    let sent: Value = serde_json::from_str(calls[0]["body"].as_str().unwrap()).unwrap();
    assert_eq!(sent.get("source"), None);
    has_country_and_key(&calls[0]);
    let orders = product.sandbox_get("orders").await;
    assert_eq!(orders.len(), 1);
    assert_eq!(orders[0]["kind"], "takeaway");
    assert!(guest.get("/").await.data()["shell"]["cart"].is_null());
}

#[tokio::test]
async fn an_order_is_brought_to_the_confirmed_address_by_couriers() {
    let product = Product::start().await;
    let guest = with_dishes_of(&product, DELIVERY).await;
    assert_eq!(cart(&guest).await["blocks"], json!(["signIn"]));
    sign_in(&product, &guest, "/cart").await;
    assert_eq!(cart(&guest).await["blocks"], json!(["address"]));
    // The sum is not the whole one yet, the one thing to do is the address, and no time at the door is known.
    let page = guest.get("/cart?lang=en").await;
    assert!(page.texts(".checkout").concat().contains("+ delivery"));
    assert_eq!(page.texts(".order > .button"), ["Choose an address"]);
    assert!(!page.texts(".from").concat().contains("Ready in"));
    let refused = order(&guest, "cash").await;
    let page = guest.get(&refused.location()).await.data();
    let error = &page["shell"]["flash"]["errors"][0];
    assert_eq!(
        (&error["code"], &error["values"]["reason"]),
        (&json!("blocked"), &json!("address"))
    );
    save_an_address(&guest).await;
    let seen = cart(&guest).await;
    assert_eq!(seen["blocks"], json!([]));
    let sum = |kind: &str| {
        let all = seen["totals"].as_array().unwrap();
        all.iter().find(|one| one["kind"] == kind).unwrap()["sum"]
            .as_f64()
            .unwrap()
    };
    assert!(sum("delivery") > 0.0);
    assert_eq!(
        json!(sum("delivery") as i64),
        seen["delivery"]["tariffs"][0]["price"]
    );
    assert_eq!(order(&guest, "cash").await.status, 303);
    let calls = placed(&product).await;
    assert_eq!(calls[0]["path"], "/takeaway/v1/delivery/order");
    has_country_and_key(&calls[0]);
    let orders = product.sandbox_get("orders").await;
    assert_eq!(orders[0]["kind"], "delivery");
    assert_eq!(orders[0]["sum"].as_f64().unwrap() * 100.0, sum("total"));
}

/// What the cart says of the delivery, beside the obstacles.
async fn brought(guest: &Guest) -> (Value, Value, Value) {
    let seen = cart(guest).await;
    let delivery = &seen["delivery"];
    (
        delivery["address"].clone(),
        delivery["confirmed"].clone(),
        seen["blocks"].clone(),
    )
}

/// The order was not sent: whether the address is right is asked, and nothing that was typed is lost.
async fn asks_for_the_address(guest: &Guest, refused: &Answer) {
    assert_eq!(refused.location(), "/cart#order");
    let flash = guest.get("/cart").await.data()["shell"]["flash"].clone();
    let error = &flash["errors"][0];
    assert_eq!(
        (&error["code"], &error["values"]["reason"]),
        (&json!("blocked"), &json!("confirmAddress")),
        "{flash}"
    );
    assert_eq!(flash["values"]["name"], json!(["Айша"]));
}

/// DG-05, CT-21: in another tab another address was chosen since the page was shown.
#[tokio::test]
async fn an_order_goes_to_the_address_that_its_page_has_shown_or_nowhere() {
    let product = Product::start().await;
    let guest = ready_for_delivery(&product, DELIVERY).await;
    save(&guest, &[("street", "Төле би көшесі")]).await;
    let known = ids(&book(&guest).await);
    let choose = async |id: i64| {
        let path = format!("/addresses/{id}/choose");
        guest.post(&path, &[("back", "/cart")]).await;
    };
    choose(known[1]).await;
    let shown = guest.get("/cart").await.data();
    let first = "Абай даңғылы, 10";
    assert_eq!(shown["page"]["data"]["delivery"]["address"], first);
    choose(known[0]).await;
    let refused = order_seen(&guest, &shown, "cash").await;
    asks_for_the_address(&guest, &refused).await;
    assert!(placed(&product).await.is_empty());
    let second = "Төле би көшесі, 10";
    let asked = (json!(second), json!(false), json!(["confirmAddress"]));
    assert_eq!(brought(&guest).await, asked);
    // A yes to the address of the first tab is none to this one.
    let mark = order_fields(&shown)[3].1.clone();
    let yes = async |mark: &str| {
        let fields = [("address", mark), ("back", "/cart")];
        guest.post("/addresses/confirm", &fields).await;
    };
    yes(&mark).await;
    assert_eq!(brought(&guest).await, asked);
    let mark = cart(&guest).await["delivery"]["mark"].clone();
    yes(mark.as_str().unwrap()).await;
    assert_eq!(
        brought(&guest).await,
        (json!(second), json!(true), json!([]))
    );
    let sent = order(&guest, "cash").await;
    assert_ne!(sent.location(), "/cart#order");
    let calls = placed(&product).await;
    assert_eq!(calls.len(), 1);
    assert!(calls[0]["body"].as_str().unwrap().contains("Төле би"));
}

/// DG-05: the address was changed, and then deleted, on another phone of the same guest.
#[tokio::test]
async fn an_address_that_another_phone_has_changed_is_asked_about_before_the_order() {
    let product = Product::start().await;
    let guest = ready_for_delivery(&product, DELIVERY).await;
    let phone = product.guest();
    sign_in(&product, &phone, "/cart").await;
    save(&phone, &[("street", "Төле би көшесі")]).await;
    let shown = guest.get("/cart").await.data();
    assert_eq!(shown["page"]["data"]["blocks"], json!([]));
    let own = ids(&book(&guest).await)[0].to_string();
    save(&phone, &[("id", &own), ("apartment", "77")]).await;
    let refused = order_seen(&guest, &shown, "cash").await;
    asks_for_the_address(&guest, &refused).await;

    let shown = guest.get("/cart").await.data();
    assert_eq!(shown["page"]["data"]["delivery"]["apartment"], "77");
    guest.post("/addresses/confirm", &[("back", "/cart")]).await;
    let path = format!("/addresses/{own}/delete");
    phone.post(&path, &[("back", "/addresses")]).await;
    let refused = order_seen(&guest, &shown, "cash").await;
    asks_for_the_address(&guest, &refused).await;
    assert!(placed(&product).await.is_empty());
    let (address, confirmed, _) = brought(&guest).await;
    assert_eq!(
        (address, confirmed),
        (json!("Төле би көшесі, 10"), json!(false))
    );
    // A page of a server before this says nothing of its address, and its order goes.
    guest.post("/addresses/confirm", &[("back", "/cart")]).await;
    let seen = order_fields(&guest.get("/cart").await.data());
    let mut fields = as_fields(&seen);
    fields.retain(|(name, _)| *name != "address");
    let sent = guest.post("/orders", &fields).await;
    assert_ne!(sent.location(), "/cart#order");
    assert_eq!(placed(&product).await.len(), 1);
}

/// DG-05: nobody is told to type an address that is only not known now.
#[tokio::test]
async fn addresses_that_come_late_are_waited_for_and_a_failure_is_no_missing_address() {
    const ADDRESSES: &str = "/profile/api/v1/address";
    let product = Product::start().await;
    let guest = ready_for_delivery(&product, DELIVERY).await;
    let late = json!({ "path": ADDRESSES, "method": "GET", "kind": "delay", "delay_ms": 800 });
    product.control("faults", late).await;
    let shown = guest.get("/cart").await.data();
    assert_eq!(shown["page"]["data"]["blocks"], json!([]));
    product.no_faults().await;
    product.fail(ADDRESSES, 500).await;
    let page = guest.get("/cart?lang=en").await;
    let blocks = page.data()["page"]["data"]["blocks"].clone();
    assert_eq!(blocks, json!(["addressFailed"]));
    let told = page.texts("#block-addressFailed").concat();
    assert_eq!(told, "We could not get your addresses. Try again.");
    let refused = order_seen(&guest, &shown, "cash").await;
    let page = guest.get(&refused.location()).await.data();
    let error = &page["shell"]["flash"]["errors"][0];
    assert_eq!(error["values"]["reason"], "addressFailed");
    assert!(placed(&product).await.is_empty());
    product.no_faults().await;
    let is_back = async || (brought(&guest).await.2 == json!([])).then_some(());
    eventually(30, is_back).await;
    assert_ne!(order(&guest, "cash").await.location(), "/cart#order");
    assert_eq!(placed(&product).await.len(), 1);
}

#[tokio::test]
async fn the_venues_own_couriers_have_a_call_of_their_own() {
    let product = Product::start().await;
    let guest = ready_for_delivery(&product, VENDOR).await;
    assert_eq!(cart(&guest).await["blocks"], json!([]));
    assert_eq!(order(&guest, "cash").await.status, 303);
    let calls = placed(&product).await;
    assert_eq!(calls[0]["path"], "/takeaway/v1/vendor-delivery/order");
    has_country_and_key(&calls[0]);
    assert_eq!(
        product.sandbox_get("orders").await[0]["kind"],
        "vendor-delivery"
    );
}

/// ZZ-11: a shelf without a lock has the code of a fridge too.
#[tokio::test]
async fn who_came_by_the_code_of_a_fridge_orders_at_a_micromarket() {
    let product = Product::start().await;
    let guest = product.guest();
    guest
        .get(&format!("/filials/{TAKEAWAY}?source=FRIDGE"))
        .await;
    put_in(&guest, TAKEAWAY).await;
    sign_in(&product, &guest, "/cart").await;
    let answer = order(&guest, "card").await;
    assert!(
        answer.location().starts_with(&product.sandbox),
        "{}",
        answer.location()
    );
    let calls = placed(&product).await;
    assert_eq!(calls[0]["path"], "/takeaway/v1/micromarket/order");
    has_country_and_key(&calls[0]);
    let sent: Value = serde_json::from_str(calls[0]["body"].as_str().unwrap()).unwrap();
    assert_eq!(sent["source"], "FRIDGE");
    assert_eq!(
        product.sandbox_get("orders").await[0]["kind"],
        "micromarket"
    );
}

/// A product whose delivering venue has other values in its card.
async fn with_card(values: Value) -> (Product, Guest) {
    let product = Product::start().await;
    product.replace(CARD, values).await;
    let guest = ready_for_delivery(&product, DELIVERY).await;
    (product, guest)
}

#[tokio::test]
async fn a_venue_that_brings_nothing_now_says_so_before_the_order_and_at_it() {
    let (product, guest) = with_card(json!({ "/data/delivery_state": "closed" })).await;
    let seen = cart(&guest).await;
    assert_eq!(seen["delivery"]["paused"], true, "{seen}");
    assert_eq!(seen["blocks"], json!(["paused"]));
    order(&guest, "cash").await;
    assert!(placed(&product).await.is_empty());
    // Before anything is chosen, too.
    for path in ["/filials/1024", "/filials/1024/details"] {
        let data = guest.get(path).await.data();
        assert_eq!(data["page"]["data"]["banner"]["kind"], "closed", "{path}");
    }
}

#[tokio::test]
async fn what_the_venue_is_late_by_is_added_to_the_minutes_of_the_couriers() {
    let mut minutes = Vec::new();
    for late in [0, 25] {
        let told = json!({ "/data/delivery_delay_time": late });
        let (_product, guest) = with_card(told).await;
        let seen = cart(&guest).await;
        minutes.push(seen["delivery"]["tariffs"][0]["minutes"].as_i64().unwrap());
    }
    assert_eq!(minutes[1], minutes[0] + 25);
}

#[tokio::test]
async fn without_tariffs_nothing_is_ordered_and_nothing_is_lost() {
    let product = Product::start().await;
    let guest = ready_for_delivery(&product, DELIVERY).await;
    product.fail("/dr-delivery/api/v1/tariffs", 503).await;
    assert_eq!(cart(&guest).await["blocks"], json!(["noTariff"]));
    order(&guest, "cash").await;
    assert!(placed(&product).await.is_empty());
    product.no_faults().await;
    eventually(15, async || {
        (cart(&guest).await["blocks"] == json!([])).then_some(())
    })
    .await;
    assert_eq!(order(&guest, "cash").await.status, 303);
    assert_eq!(placed(&product).await.len(), 1);
}

#[tokio::test]
async fn who_may_order_without_a_sign_in_is_a_setting() {
    let product = Product::with(&["--anonymous-orders", "takeaway"]).await;
    let guest = product.guest();
    put_in(&guest, TAKEAWAY).await;
    assert_eq!(cart(&guest).await["blocks"], json!([]));
    let seated = product.guest_at_table(VENUE, "t7").await;
    put_in(&seated, VENUE).await;
    assert_eq!(cart(&seated).await["blocks"], json!(["signIn"]));

    let product = Product::with(&["--anonymous-orders", "none"]).await;
    let seated = product.guest_at_table(VENUE, "t7").await;
    put_in(&seated, VENUE).await;
    assert_eq!(cart(&seated).await["blocks"], json!(["signIn"]));
}

#[tokio::test]
async fn a_venue_far_away_asks_once() {
    let product = Product::start().await;
    let guest = product.guest();
    put_in(&guest, TAKEAWAY).await;
    sign_in(&product, &guest, "/cart").await;
    let at = async |near: &str| {
        let far = guest.request(reqwest::Method::GET, "/_data/cart");
        let page = guest.send(far.header("x-near", near)).await;
        page.json()["page"]["data"].clone()
    };
    // From Astana, a thousand kilometres off.
    let cart = async || at("51.13,71.43").await;
    let asked = cart().await;
    assert!(asked["far"].as_i64().unwrap() > 900_000, "{asked}");
    assert_eq!(asked["blocks"], json!(["far"]));
    // So many metres to the north of it, by the radius of the earth.
    let details = guest.data(&format!("/filials/{TAKEAWAY}/details")).await;
    let point = &details["page"]["data"]["point"];
    for (metres, far) in [(1499.5, Value::Null), (1500.5, json!(1500))] {
        let north = point["lat"].as_f64().unwrap() + f64::to_degrees(metres / 6_371_000.0);
        let seen = at(&format!("{north:.8},{}", point["lon"])).await;
        assert_eq!(seen["far"], far, "{metres}");
        let blocks: Vec<&str> = if far.is_null() { vec![] } else { vec!["far"] };
        assert_eq!(seen["blocks"], json!(blocks), "{metres}");
    }
    let venue = TAKEAWAY.to_string();
    let agree = [("filial", venue.as_str()), ("back", "/cart")];
    guest.post("/cart/far", &agree).await;
    let agreed = cart().await;
    assert!(agreed["far"].is_null());
    assert_eq!(agreed["blocks"], json!([]));
}

#[tokio::test]
async fn what_a_printer_takes_for_a_command_is_left_out_of_wishes() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    let (venue, dish) = (VENUE.to_string(), plain_products(&menu)[0].0.to_string());
    let line = [
        ("filial", venue.as_str()),
        ("product", &dish),
        ("note", "тұзсыз\u{1b}@\u{202e}"),
        ("back", "/cart"),
    ];
    assert_eq!(guest.post("/cart/lines", &line).await.status, 303);
    let seen = order_fields(&guest.get("/cart").await.data());
    let mut fields = as_fields(&seen);
    fields.retain(|(name, _)| *name != "payment");
    fields.extend([
        ("payment", "cash"),
        ("name", "Ай\u{0}ша\u{2066}\r\nТөленді"),
        ("comment", "бірінші\r\nекінші\u{7}\u{202e}"),
    ]);
    assert_eq!(guest.post("/orders", &fields).await.status, 303);
    let call = placed(&product).await[0]["body"].clone();
    let sent: Value = serde_json::from_str(call.as_str().unwrap()).unwrap();
    assert_eq!(sent["name"], "Айша Төленді", "{sent}");
    assert_eq!(sent["comment"], "бірінші\nекінші");
    assert_eq!(sent["items"][0]["comment"], "тұзсыз@");
}

/// FL-10, CT-02: the table that the cart names is the one that the order goes to.
#[tokio::test]
async fn who_sits_at_a_table_orders_to_it_whatever_shelf_was_looked_at() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    guest.get(&format!("/filials/{VENUE}?source=FRIDGE")).await;
    put_in(&guest, VENUE).await;
    let page = guest.get("/cart").await.data();
    assert_eq!(page["shell"]["table"]["number"], "7");
    assert_eq!(page["page"]["data"]["blocks"], json!([]));
    assert_eq!(order_seen(&guest, &page, "cash").await.status, 303);
    let calls = placed(&product).await;
    assert_eq!(calls[0]["path"], "/takeaway/v1/express/order");
    assert_eq!(product.sandbox_get("orders").await[0]["kind"], "express");
}

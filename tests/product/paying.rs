//! Paying an order online: the return tells the truth in whatever browser it opens, the cart is closed when the upstream
//! has the money, and nothing is paid twice (PY-02 to PY-06, PY-13 to PY-15, PY-18, beyond.md 6).

use futures_util::future::join_all;
use serde_json::{Value, json};
use url::{Position, Url};

use crate::{
    checkout::{TAKEAWAY, cart, order, order_seen, put_in},
    orders_own::set_status,
    sign_in::{at_table_with_a_dish, sign_in},
    support::{Answer, Guest, Product, VENUE, client, eventually, order_fields, plain_products},
};

/// How the bank ends an attempt: the page that it leads back to.
async fn bank(product: &Product, page: &str, outcome: &str) -> String {
    let form = client().post(page).form(&[("outcome", outcome)]);
    let answer = form.send().await.unwrap();
    assert_eq!(answer.status().as_u16(), 303);
    let back = Url::parse(answer.headers()["location"].to_str().unwrap()).unwrap();
    assert_eq!(
        back.host_str(),
        Url::parse(&product.web).unwrap().host_str()
    );
    back[Position::BeforePath..].to_owned()
}

async fn payments(product: &Product) -> Vec<Value> {
    product.sandbox_get("payments").await
}

async fn captured(product: &Product) -> Vec<Value> {
    let mut all = payments(product).await;
    all.retain(|one| one["status"] == "succeeded");
    all
}

/// A guest at a table who has ordered by card: with the page of the bank.
pub async fn at_the_bank(product: &Product) -> (Guest, String) {
    let guest = at_table_with_a_dish(product).await;
    let answer = order(&guest, "card").await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    let page = answer.location();
    assert!(
        page.starts_with(&format!("{}/pay/card/", product.sandbox)),
        "{page}"
    );
    (guest, page)
}

fn state(page: &Answer) -> Value {
    page.data()["page"]["data"]["state"].clone()
}

/// Our own page of the unpaid order.
async fn pay_page(guest: &Guest) -> String {
    cart(guest).await["unpaid"]["href"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[tokio::test]
async fn a_card_is_paid_at_the_bank_and_the_cart_closed_when_the_upstream_has_the_money() {
    let product = Product::start().await;
    let (guest, page) = at_the_bank(&product).await;
    // Nothing is paid yet: the dishes stay, and the cart says what they became.
    let seen = guest.get("/cart").await.data();
    assert_eq!(seen["shell"]["cart"]["count"], 1);
    assert_eq!(seen["page"]["data"]["blocks"][0], "unpaid");
    assert_eq!(captured(&product).await.len(), 0);

    let back = bank(&product, &page, "succeeded").await;
    assert!(back.starts_with("/pay/"), "{back}");
    let there = guest.get(&back).await;
    assert_eq!(there.status, 303);
    let order = guest.get(&there.location()).await.data();
    assert_eq!(order["page"]["data"]["payment"], "online");
    assert_eq!(order["page"]["data"]["personal"], true);
    assert!(order["shell"]["cart"].is_null());
    let captured = captured(&product).await;
    let orders = product.sandbox_get("orders").await;
    assert_eq!((captured.len(), orders.len()), (1, 1));
    assert_eq!(captured[0]["sum"], orders[0]["sum"]);
    assert_eq!(
        product
            .number("analytics_events_total", "payment_requested")
            .await,
        1
    );
    assert_eq!(
        product
            .number("analytics_events_total", "payment_succeeded")
            .await,
        1
    );
}

/// RT-16: the bank is told one page of ours for either end, by its whole address; that page leads on to the order, or stays.
#[tokio::test]
async fn either_end_of_a_payment_leads_to_a_path_of_our_own_origin() {
    let product = Product::start().await;
    for (outcome, stays) in [
        ("succeeded", false),
        ("declined", true),
        ("abandoned", true),
    ] {
        let (guest, page) = at_the_bank(&product).await;
        let form = client().post(&page).form(&[("outcome", outcome)]);
        let answer = form.send().await.unwrap();
        let back = answer.headers()["location"].to_str().unwrap();
        let path = back.strip_prefix(&product.web).unwrap();
        assert!(path.starts_with("/pay/"), "{outcome}: {path}");
        let there = guest.get(path).await;
        if stays {
            assert_eq!(there.status, 200, "{outcome}");
        } else {
            assert_eq!(there.status, 303, "{outcome}");
            assert!(there.location().starts_with("/filials/"), "{outcome}");
        }
    }
}

#[tokio::test]
async fn a_query_that_says_success_is_not_believed() {
    let product = Product::start().await;
    let (guest, _) = at_the_bank(&product).await;
    let page = pay_page(&guest).await;
    for query in [
        "status=success",
        "payment_id=p_1",
        "paid=1&result=ok",
        "state=paid",
    ] {
        let forged = guest.get(&format!("{page}?{query}")).await;
        assert_eq!(forged.status, 200, "{query}");
        assert_eq!(state(&forged), "waiting", "{query}");
    }
    assert_eq!(guest.get("/cart").await.data()["shell"]["cart"]["count"], 1);
    // Nor an address that we did not make.
    let other = if page.ends_with('A') { 'B' } else { 'A' };
    let bent = format!("{}{other}", &page[..page.len() - 1]);
    for forged in [bent.as_str(), "/pay/x", "/pay/%00"] {
        assert_eq!(guest.get(forged).await.status, 404, "{forged}");
        assert_eq!(
            guest.post(forged, &[("payment", "card")]).await.status,
            404,
            "{forged}"
        );
    }
}

#[tokio::test]
async fn the_return_works_in_another_browser_and_tells_it_nothing_personal() {
    let product = Product::start().await;
    let (guest, page) = at_the_bank(&product).await;
    let back = bank(&product, &page, "succeeded").await;
    // The bank's application opens the phone's own browser, which nobody has ordered in.
    let other = product.guest();
    let there = other.get(&back).await;
    assert_eq!(there.status, 200);
    assert_eq!(there.header("cache-control"), "private, no-store");
    assert_eq!(state(&there), "paid");
    let data = there.data()["page"]["data"].clone();
    assert!(data["order"].is_null());
    for word in ["Айша", "Тез", "key="] {
        assert!(!there.text().contains(word), "{word}");
    }
    assert!(other.get("/").await.data()["shell"]["activeOrder"].is_null());
    // It cannot call the order off either.
    let path = back.split('?').next().unwrap();
    let cancel = other.post(&format!("{path}/cancel"), &[]).await;
    assert_eq!(cancel.status, 404);
    // The browser that has ordered never comes back from the bank, and its cart is closed all the same.
    assert!(guest.get("/cart").await.data()["shell"]["cart"].is_null());
}

/// Titles and words where the bank has refused; the specification gives two of the titles.
const DECLINED: [(&str, &str, &str); 3] = [
    (
        "kk",
        "Төлем кезінде қате шықты",
        "Банк төлемді қабылдамады, ақша алынған жоқ.",
    ),
    (
        "ru",
        "Банк отклонил платёж",
        "Деньги не списаны. Проверьте остаток и лимиты",
    ),
    (
        "en",
        "Payment error",
        "The bank declined the payment; nothing was charged. Check the balance",
    ),
];

#[tokio::test]
async fn who_does_not_pay_has_lost_nothing_and_pays_by_another_way_without_ordering_again() {
    let product = Product::start().await;
    for outcome in ["declined", "abandoned", "timed_out"] {
        let (guest, page) = at_the_bank(&product).await;
        let before = product.sandbox_get("orders").await.len();
        let back = bank(&product, &page, outcome).await;
        let failed = guest.get(&back).await;
        let expected = if outcome == "timed_out" {
            "timedOut"
        } else {
            outcome
        };
        assert_eq!(state(&failed), expected);
        if outcome == "declined" {
            // What the bank has said, and what can be done about it.
            let and = if back.contains('?') { '&' } else { '?' };
            for (lang, title, what) in DECLINED {
                let page = guest.get(&format!("{back}{and}lang={lang}")).await;
                assert_eq!(page.texts("h1"), [title]);
                assert!(page.texts("main p").concat().contains(what), "{lang}");
            }
        }
        let data = failed.data();
        assert_eq!(data["shell"]["cart"]["count"], 1, "{outcome}");
        assert_eq!(data["page"]["data"]["ways"], json!(["card", "qr"]));
        let path = back.split('?').next().unwrap();
        let again = guest.post(path, &[("payment", "qr")]).await;
        assert_eq!(again.location(), path);
        let waiting = guest.get(path).await;
        assert_eq!(state(&waiting), "waiting");
        let deep = waiting.data()["page"]["data"]["bank"]
            .as_str()
            .unwrap()
            .to_owned();
        let code = guest.get(&format!("{path}/code.svg")).await;
        assert_eq!(
            (code.status, code.header("content-type")),
            (200, "image/svg+xml")
        );
        assert!(code.text().contains("<svg"));
        assert!(waiting.data()["page"]["data"]["until"].is_i64());
        let bank_app = client()
            .post(&deep)
            .form(&[("outcome", "succeeded"), ("phone", "1")]);
        assert!(bank_app.send().await.unwrap().status().is_redirection());
        assert_eq!(guest.get(path).await.status, 303);
        assert!(guest.get("/").await.data()["shell"]["cart"].is_null());
        assert_eq!(product.sandbox_get("orders").await.len(), before);
        assert_eq!(captured(&product).await.len(), before);
    }
}

#[tokio::test]
async fn the_button_of_a_cart_that_waits_for_its_payment_leads_to_it_and_orders_nothing() {
    let product = Product::start().await;
    let (guest, page) = at_the_bank(&product).await;
    let own = pay_page(&guest).await;
    // Back from the bank: the cart, and the button again, in whatever way and from another tab.
    for (guest, way) in [
        (&guest, "card"),
        (&guest.second_tab(), "qr"),
        (&guest, "cash"),
    ] {
        assert_eq!(order(guest, way).await.location(), own, "{way}");
    }
    assert_eq!(product.sandbox_get("orders").await.len(), 1);
    assert_eq!(payments(&product).await.len(), 1);
    bank(&product, &page, "succeeded").await;
    // Paid meanwhile, and the button of a page that does not know it yet.
    let late = guest.post(
        "/orders",
        &[("cart_version", "1"), ("total", "1"), ("payment", "card")],
    );
    assert_eq!(late.await.status, 303);
    assert_eq!(product.sandbox_get("orders").await.len(), 1);
    assert_eq!(captured(&product).await.len(), 1);
}

#[tokio::test]
async fn an_unpaid_order_is_called_off_and_its_dishes_ordered_anew() {
    let product = Product::start().await;
    let (guest, page) = at_the_bank(&product).await;
    let own = pay_page(&guest).await;
    let cancelled = guest.post(&format!("{own}/cancel"), &[]).await;
    assert_eq!(cancelled.location(), "/cart");
    let seen = guest.get("/cart").await.data();
    assert_eq!(seen["shell"]["cart"]["count"], 1);
    assert!(seen["page"]["data"]["unpaid"].is_null());
    assert_eq!(seen["shell"]["flash"]["kind"], "orderCancelled");
    assert_eq!(state(&guest.get(&own).await), "calledOff");
    // The strip does not go on announcing it.
    assert!(seen["shell"]["activeOrder"].is_null(), "{}", seen["shell"]);
    // The bank's page that is still open takes no money any more.
    bank(&product, &page, "succeeded").await;
    assert_eq!(captured(&product).await.len(), 0);
    let second = order(&guest, "cash").await;
    assert!(
        second.location().contains("/order/"),
        "{}",
        second.location()
    );
    let orders = product.sandbox_get("orders").await;
    assert_eq!(orders.len(), 2);
    let cancelled = orders.iter().filter(|order| order["status"] == "canceled");
    assert_eq!(cancelled.count(), 1);
}

/// PY-06: no call of the upstream changes how an order is paid. It is called off, and the same dishes are ordered in cash.
#[tokio::test]
async fn after_a_refused_card_the_dishes_are_ordered_anew_in_cash_and_nothing_is_charged() {
    let product = Product::with(&["--catalogue-fresh-ms", "1"]).await;
    let (guest, page) = at_the_bank(&product).await;
    let own = pay_page(&guest).await;
    let offers_cash =
        async |guest: &Guest| guest.get(&own).await.data()["page"]["data"]["cash"].clone();
    assert_eq!(offers_cash(&guest).await, true, "instead of the bank, too");
    let back = bank(&product, &page, "declined").await;
    let failed = guest.get(&format!("{back}&lang=en")).await;
    let forms = failed.texts("form[action$='/cancel']");
    assert!(
        forms.iter().any(|form| form.contains("in cash")),
        "{forms:?}"
    );
    // Another browser pays with its own money only.
    assert_eq!(offers_cash(&product.guest()).await, false);
    // Where no cash is taken, there is no such way.
    let card = format!("/takeaway/locations/card/terminal/{VENUE}");
    let online = json!({ "/data/payment_types": ["online"] });
    product.replace(&card, online).await;
    eventually(20, || async {
        (offers_cash(&guest).await == false).then_some(())
    })
    .await;
    product.no_faults().await;
    eventually(20, || async {
        (offers_cash(&guest).await == true).then_some(())
    })
    .await;

    let cancel = format!("{own}/cancel");
    let in_cash = [("in_cash", "1")];
    assert_eq!(guest.post(&cancel, &in_cash).await.location(), "/cart");
    let seen = guest.get("/cart?lang=en").await;
    let words = seen.rendered();
    assert!(words.contains("Cash is chosen"), "{words}");
    let data = seen.data();
    assert_eq!(data["shell"]["cart"]["count"], 1);
    let cart = &data["page"]["data"];
    assert!(cart["unpaid"].is_null());
    let typed = &cart["typed"];
    assert_eq!(
        (&typed["payment"], &typed["comment"]),
        (&json!("cash"), &json!("Тез")),
        "and what was typed is there"
    );
    let second = order(&guest, "cash").await.location();
    assert!(second.contains("/order/"), "{second}");
    let orders = product.sandbox_get("orders").await;
    let cancelled = orders.iter().filter(|order| order["status"] == "canceled");
    assert_eq!((orders.len(), cancelled.count()), (2, 1));
    assert_eq!(captured(&product).await.len(), 0);
}

/// The page looks anew by itself where no scripts run: what the guest reads stays open, at an address of its own.
#[tokio::test]
async fn what_is_read_on_the_page_of_a_payment_is_not_closed_by_a_refresh() {
    let product = Product::start().await;
    let (guest, _) = at_the_bank(&product).await;
    let own = pay_page(&guest).await;
    let refresh = "http-equiv=\"refresh\"";
    let waiting = guest.get(&own).await;
    assert!(waiting.text().contains(refresh));
    let waiting = waiting.rendered();
    assert!(!waiting.contains("<details>"), "a refresh would close it");
    for (step, action) in [
        ("cancel", format!("action=\"{own}/cancel\"")),
        ("way", format!("action=\"{own}\"")),
    ] {
        let address = format!("{own}?step={step}");
        assert!(waiting.contains(&format!("href=\"{address}\"")), "{step}");
        assert!(!waiting.contains(&action), "{step}: not yet");
        let read = guest.get(&address).await;
        assert!(!read.text().contains(refresh), "{step}");
        let read = read.rendered();
        let (_, opened) = read.split_once("<details open=\"\">").expect(step);
        assert!(opened.contains(&action), "{step}");
        // Asking for the payment leads back to the page that looks by itself.
        assert!(read.contains(&format!("href=\"{own}\"")), "{step}");
    }
    // There is no such question any more.
    guest.post(&format!("{own}/cancel"), &[]).await;
    let over = guest.get(&format!("{own}?step=cancel")).await;
    assert_eq!(state(&over), "calledOff");
    assert!(over.data()["page"]["data"]["step"].is_null());
}

#[tokio::test]
async fn an_order_that_is_paid_cannot_be_called_off_by_a_late_press() {
    let product = Product::start().await;
    let (guest, page) = at_the_bank(&product).await;
    let own = pay_page(&guest).await;
    bank(&product, &page, "succeeded").await;
    for in_cash in [&[][..], &[("in_cash", "1")]] {
        let late = guest.post(&format!("{own}/cancel"), in_cash).await;
        assert_eq!(late.location(), own);
        assert_eq!(guest.get(&own).await.status, 303);
    }
    assert_eq!(product.sandbox_get("orders").await[0]["paid"], true);
    assert_ne!(product.sandbox_get("orders").await[0]["status"], "canceled");
}

/// However many press at once, one call is made, and it is counted.
#[tokio::test]
async fn an_unpaid_order_is_called_off_by_one_call_and_counted() {
    let product = Product::start().await;
    let (guest, _) = at_the_bank(&product).await;
    let own = pay_page(&guest).await;
    let call = call_off(&product, 300).await;
    let cancel = format!("{own}/cancel");
    let press = async |_| guest.second_tab().post(&cancel, &[]).await;
    for answer in join_all((0..6).map(press)).await {
        assert_eq!((answer.status, answer.location()), (303, "/cart".into()));
    }
    assert_eq!(product.queries(&call).await.len(), 1);
    assert_eq!(product.number("orders_total", "taken_back").await, 1);
    assert_eq!(cart(&guest).await["unpaid"], Value::Null);
}

/// The upstream waits so long before it calls the only order off: the path of that.
async fn call_off(product: &Product, delay: u32) -> String {
    let orders = product.sandbox_get("orders").await;
    let path = format!(
        "/takeaway/v1/order/{}/cancel",
        orders[0]["id"].as_str().unwrap()
    );
    let slow = json!({ "path": path, "kind": "delay", "delay_ms": delay });
    product.control("faults", slow).await;
    path
}

/// The bank takes the money while the order is called off, and the guest looks in between.
#[tokio::test]
async fn the_dishes_of_an_order_that_is_called_off_while_it_is_paid_are_in_the_cart() {
    let product = Product::start().await;
    let (guest, page) = at_the_bank(&product).await;
    let own = pay_page(&guest).await;
    let call = call_off(&product, 1200).await;
    let (other_tab, cancel) = (guest.second_tab(), format!("{own}/cancel"));
    let (pressed, seen) = tokio::join!(guest.post(&cancel, &[]), async {
        eventually(10, async || {
            (product.queries(&call).await.len() == 1).then_some(())
        })
        .await;
        bank(&product, &page, "succeeded").await;
        other_tab.get(&own).await
    });
    assert_eq!(seen.status, 303, "it was paid then");
    assert_eq!(product.sandbox_get("orders").await[0]["status"], "canceled");
    assert_eq!(pressed.location(), "/cart");
    let after = guest.get("/cart").await.data();
    assert_eq!(after["shell"]["cart"]["count"], 1);
    assert_eq!(after["shell"]["flash"]["kind"], "orderCancelled");
}

#[tokio::test]
async fn what_is_not_paid_in_time_expires_in_words_and_the_cart_is_there() {
    let product = Product::start().await;
    let (guest, _) = at_the_bank(&product).await;
    let own = pay_page(&guest).await;
    let now = product.sandbox_get("payments").await[0]["expires_at"]
        .as_str()
        .unwrap()
        .to_owned();
    // A quarter of an hour for the bank, half an hour for the order.
    product
        .control("clock", json!({ "now": later(&now, 1), "frozen": false }))
        .await;
    assert_eq!(state(&guest.get(&own).await), "timedOut");
    product
        .control("clock", json!({ "now": later(&now, 20), "frozen": false }))
        .await;
    let expired = guest.get(&format!("{own}?lang=en")).await;
    assert_eq!(state(&expired), "calledOff");
    let seen = guest.get("/cart").await.data();
    assert_eq!(seen["shell"]["cart"]["count"], 1);
    assert!(seen["page"]["data"]["unpaid"].is_null());
    let again = guest.post(&own, &[("payment", "card")]).await;
    assert_eq!(again.location(), own);
    assert_eq!(captured(&product).await.len(), 0);
}

/// So many minutes after a moment.
fn later(moment: &str, minutes: i64) -> String {
    use time::{Duration, OffsetDateTime, format_description::well_known::Rfc3339};
    let moment = OffsetDateTime::parse(moment, &Rfc3339).unwrap();
    (moment + Duration::minutes(minutes))
        .format(&Rfc3339)
        .unwrap()
}

#[tokio::test]
async fn two_tabs_that_pay_again_at_once_get_one_attempt_and_one_capture() {
    let product = Product::start().await;
    let (guest, page) = at_the_bank(&product).await;
    let back = bank(&product, &page, "declined").await;
    let path = back.split('?').next().unwrap();
    let (one, other) = (guest.second_tab(), guest.second_tab());
    let form = [("payment", "card")];
    let (one, other) = tokio::join!(one.post(path, &form), other.post(path, &form));
    assert_eq!(one.location(), other.location());
    assert_eq!(payments(&product).await.len(), 2);
    // The tab of the first attempt, and this one twice: the money is taken once.
    for page in [page, one.location(), other.location()] {
        bank(&product, &page, "succeeded").await;
    }
    assert_eq!(captured(&product).await.len(), 1);
    // Doubled and late returns show the same.
    for _ in 0..3 {
        assert_eq!(guest.get(&back).await.status, 303);
    }
    let late = guest.post(path, &form).await;
    assert_eq!(late.location(), path);
    assert_eq!(payments(&product).await.len(), 2);
}

#[tokio::test]
async fn a_friend_may_pay_and_the_guest_keeps_the_attempt() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    let own = order(&guest, "qr").await.location();
    let friend = product.guest();
    assert_eq!(
        friend.post(&own, &[("payment", "card")]).await.location(),
        own
    );
    let waiting = payments(&product).await;
    assert_eq!(waiting.len(), 1);
    assert_eq!(waiting[0]["status"], "pending");
    let page = waiting[0]["url"].as_str().unwrap();
    let page = format!(
        "{}{}",
        product.sandbox,
        &Url::parse(page).unwrap()[Position::BeforePath..]
    );
    bank(&product, &page, "declined").await;
    // An order that waits for its payment promises no time.
    let link = guest.get(&own).await.data()["page"]["data"]["order"].clone();
    let open = guest.get(link.as_str().unwrap()).await;
    assert_eq!(open.header("cache-control"), "private, no-store");
    assert!(open.data()["page"]["data"]["readyAt"].is_null());
    let paying = friend.post(&own, &[("payment", "card")]).await.location();
    bank(&product, &paying, "succeeded").await;
    assert_eq!(state(&friend.get(&own).await), "paid");
    assert!(guest.get("/cart").await.data()["shell"]["cart"].is_null());
}

#[tokio::test]
async fn two_phones_at_a_table_pay_different_orders_without_crossing() {
    let product = Product::start().await;
    let (one, first) = at_the_bank(&product).await;
    let (other, second) = at_the_bank(&product).await;
    let (back_one, back_other) = (
        bank(&product, &first, "succeeded").await,
        bank(&product, &second, "declined").await,
    );
    let there = one.get(&back_one).await.location();
    let number = |page: &Answer| page.data()["page"]["data"]["number"].clone();
    let failed = other.get(&back_other).await;
    assert_eq!(state(&failed), "declined");
    assert_ne!(number(&one.get(&there).await), number(&failed));
    assert_eq!(other.get("/cart").await.data()["shell"]["cart"]["count"], 1);
    // Each sees the other's as a stranger does.
    let crossed = other.get(&back_one).await;
    assert_eq!((crossed.status, state(&crossed)), (200, json!("paid")));
    assert!(crossed.data()["page"]["data"]["order"].is_null());
}

#[tokio::test]
async fn no_guest_is_led_to_a_bank_that_no_setting_names() {
    let product = Product::with(&["--payment-origins", "https://bank.example"]).await;
    let guest = at_table_with_a_dish(&product).await;
    let answer = order(&guest, "card").await;
    assert!(
        answer.location().starts_with("/pay/"),
        "{}",
        answer.location()
    );
    let page = guest.get(&answer.location()).await;
    assert_eq!(state(&page), "waiting");
    assert!(page.data()["page"]["data"]["bank"].is_null());
    assert!(!page.text().contains("/pay/card/"));
}

#[tokio::test]
async fn an_attempt_about_another_sum_does_not_lead_to_the_bank() {
    let product = Product::start().await;
    let (guest, _) = at_the_bank(&product).await;
    let own = pay_page(&guest).await;
    assert!(guest.get(&own).await.data()["page"]["data"]["bank"].is_string());
    product
        .replace("/takeaway/v2/user/order", json!({ "/data/payment/sum": 1 }))
        .await;
    assert!(guest.get(&own).await.data()["page"]["data"]["bank"].is_null());
    assert_eq!(
        guest.post(&own, &[("payment", "card")]).await.location(),
        own
    );
}

/// The first page of a bank is looked at as each later one is.
#[tokio::test]
async fn an_order_whose_first_attempt_is_about_another_sum_leads_to_its_own_page() {
    let product = Product::start().await;
    for other in ["/data/payment/sum", "/data/sum"] {
        let guest = at_table_with_a_dish(&product).await;
        let fault = json!({ "path": "/takeaway/v1/express/order", "kind": "replace", "after_commit": true, "values": { other: 1 } });
        product.control("faults", fault).await;
        let own = order(&guest, "card").await.location();
        assert!(own.starts_with("/pay/"), "{other}: {own}");
        product.no_faults().await;
        assert_eq!(state(&guest.get(&own).await), "waiting");
    }
}

/// Nothing is paid online, and the way that was chosen is part of the form all the same.
#[tokio::test]
async fn an_order_that_costs_nothing_is_the_same_one_when_it_is_pressed_twice() {
    let product = Product::with(&["--catalogue-fresh-ms", "1"]).await;
    for way in ["qr", "card"] {
        let menu = guest_menu(&product).await;
        product
            .set_price(VENUE, plain_products(&menu)[0].0, 0)
            .await;
        let guest = at_table_with_a_dish(&product).await;
        let page = guest.get("/cart").await.data();
        let seen = order_fields(&page);
        assert_eq!(seen[1], ("total", "0".to_owned()));
        let first = order_seen(&guest, &page, way).await;
        assert!(first.location().contains("/order/"), "{}", first.location());
        let again = order_seen(&guest, &page, way).await;
        assert_eq!(again.location(), first.location(), "{way}");
    }
    assert_eq!(product.sandbox_get("orders").await.len(), 2);
    assert_eq!(payments(&product).await.len(), 0);
}

async fn guest_menu(product: &Product) -> Value {
    let guest = product.guest();
    guest.get(&format!("/filials/{VENUE}")).await.data()
}

/// Puts a dish of another venue in the place of what is in the cart.
async fn restart(guest: &Guest) {
    let menu = guest.get("/filials/1023").await.data();
    let dish = plain_products(&menu)[0].0.to_string();
    let fields = [
        ("filial", "1023"),
        ("product", dish.as_str()),
        ("replace", "1"),
    ];
    let answer = guest.post_json("/cart/lines", &fields).await;
    assert_eq!(answer.json()["cart"]["venueId"], 1023);
}

#[tokio::test]
async fn an_unpaid_order_that_is_called_off_claims_no_dishes_in_a_cart_of_others() {
    let product = Product::start().await;
    let (guest, _) = at_the_bank(&product).await;
    let own = pay_page(&guest).await;
    restart(&guest).await;
    // Pressed twice, it is told the same.
    for _ in 0..2 {
        let cancelled = guest.post(&format!("{own}/cancel"), &[]).await;
        assert_eq!(cancelled.location(), own);
        let page = guest.get(&own).await;
        assert_eq!(state(&page), "calledOff");
        assert!(page.data()["shell"]["flash"].is_null());
        assert_eq!(page.data()["page"]["data"]["inCart"], false);
    }
    assert_eq!(
        guest.get("/cart").await.data()["shell"]["cart"]["venueId"],
        1023
    );

    // From the page of the order, too.
    let (guest, _) = at_the_bank(&product).await;
    let page = guest.get(&pay_page(&guest).await).await.data();
    let path = page["page"]["data"]["order"].as_str().unwrap().to_owned();
    restart(&guest).await;
    let order = guest.get(&path).await.data();
    let id = order["page"]["data"]["id"].as_str().unwrap().to_owned();
    let key = path.split("key=").nth(1).unwrap();
    let cancel = format!("/orders/{id}/cancel?key={key}");
    let done = guest.submit(&cancel, &[("back", &path)]).await.data();
    assert_eq!(done["page"]["data"]["status"], "canceled");
    assert!(
        done["shell"]["flash"].is_null(),
        "{}",
        done["shell"]["flash"]
    );
}

#[tokio::test]
async fn an_unpaid_order_says_in_a_cart_of_another_venue_where_it_was_made() {
    let product = Product::start().await;
    let (guest, _) = at_the_bank(&product).await;
    let seen = guest.get("/cart?lang=en").await.data()["page"]["data"].clone();
    assert_eq!(seen["unpaid"]["venue"], Value::Null);
    let name = seen["venue"]["name"].as_str().unwrap().to_owned();
    restart(&guest).await;
    let page = guest.get("/cart?lang=en").await;
    let data = page.data()["page"]["data"].clone();
    assert_eq!(data["unpaid"]["venue"], name.as_str());
    assert_eq!(data["unpaid"]["lines"], json!([]));
    let number = data["unpaid"]["number"].as_str().unwrap();
    let html = page.text();
    for words in [
        format!("Order {number} at {name} for"),
        format!("Pay for order {number},"),
    ] {
        assert!(html.contains(&words), "{words}");
    }
}

#[tokio::test]
async fn an_unpaid_order_that_another_phone_calls_off_is_not_said_to_be_in_its_cart() {
    let product = Product::start().await;
    let guest = product.guest();
    sign_in(&product, &guest, "/").await;
    put_in(&guest, TAKEAWAY).await;
    order(&guest, "card").await;
    let phone = product.guest();
    sign_in(&product, &phone, "/").await;
    let id = product.sandbox_get("orders").await[0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let page = phone.get(&format!("/orders/{id}")).await.data();
    let pay = page["page"]["data"]["payHref"].as_str().unwrap().to_owned();
    let cancelled = phone.post(&format!("{pay}/cancel"), &[]).await;
    assert_eq!(cancelled.location(), pay);
    let page = phone.get(&pay).await.data();
    assert_eq!(page["page"]["data"]["state"], "calledOff");
    assert_eq!(page["page"]["data"]["inCart"], false);
    assert!(page["shell"]["cart"].is_null());
}

/// What is kept of a form goes after a day; the cart waits for longer.
#[tokio::test]
async fn the_cart_leads_to_the_payment_of_its_order_when_the_record_is_gone() {
    let product = Product::start().await;
    let (guest, _) = at_the_bank(&product).await;
    let own = pay_page(&guest).await;
    let db = rusqlite::Connection::open(product.folder.join("state.sqlite")).unwrap();
    db.busy_timeout(std::time::Duration::from_secs(5)).unwrap();
    db.execute("DELETE FROM idempotency", []).unwrap();
    assert_eq!(pay_page(&guest).await, own);
    assert_eq!(state(&guest.get(&own).await), "waiting");
    let again = guest.post(&own, &[("payment", "card")]).await;
    assert!(
        again.location().contains("/pay/card/"),
        "{}",
        again.location()
    );
    // Nobody else finds it by that.
    assert_eq!(product.guest().get(&own).await.status, 404);
    let cancelled = guest.submit(&format!("{own}/cancel"), &[]).await.data();
    assert_eq!(cancelled["shell"]["flash"]["kind"], "orderCancelled");
    assert_eq!(cancelled["shell"]["cart"]["count"], 1);
    // The cart knows it no more: the list does.
    let gone = guest.get(&own).await;
    assert_eq!((gone.status, gone.location()), (303, "/orders".into()));
    let again = guest.post(&format!("{own}/cancel"), &[]).await;
    assert_eq!((again.status, again.location()), (303, own.clone()));
    assert_eq!(product.guest().get(&own).await.status, 404);
}

#[tokio::test]
async fn while_the_upstream_does_not_answer_nothing_is_said_to_be_paid_or_lost() {
    let product = Product::start().await;
    let (guest, page) = at_the_bank(&product).await;
    let back = bank(&product, &page, "succeeded").await;
    product.fail("/takeaway/v2/user/order", 503).await;
    let unknown = guest.get(&back).await;
    assert_eq!(unknown.status, 503);
    assert_eq!(guest.get("/cart").await.data()["shell"]["cart"]["count"], 1);
    product.no_faults().await;
    let paid = eventually(15, async || {
        let page = guest.get(&back).await;
        (page.status == 303).then_some(page)
    })
    .await;
    assert!(paid.location().contains("/order/"));
    assert!(guest.get("/cart").await.data()["shell"]["cart"].is_null());
}

/// A guest who takes a dish out of the cart would pay for it all the same.
#[tokio::test]
async fn what_waits_for_its_payment_does_not_leave_the_cart_unseen() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    order(&guest, "card").await;
    let cart = guest.get("/cart").await.data();
    assert!(cart["page"]["data"]["unpaid"]["href"].is_string());
    let line = async || guest.get("/cart").await.data()["shell"]["cart"]["lines"][0].clone();
    let (id, qty) = (line().await["id"].clone(), line().await["qty"].clone());
    let path = format!("/cart/lines/{}", id.as_str().unwrap());
    let refused = async |path: &str, fields: &[(&str, &str)]| {
        let page = guest.submit(path, fields).await.data();
        let error = page["shell"]["flash"]["errors"][0].clone();
        assert_eq!(error["code"], "unpaid", "{path} {fields:?}");
        assert_ne!(error["values"]["number"], "");
        assert_eq!(line().await["qty"], qty);
    };
    refused(&path, &[("qty", "0")]).await;
    refused(&path, &[("delta", "-1")]).await;
    refused("/cart/clear", &[]).await;
    // What is added now is not part of the order, and leaves as it came.
    for delta in ["1", "-1"] {
        let page = guest.submit(&path, &[("delta", delta)]).await.data();
        assert!(page["shell"]["flash"]["errors"][0].is_null(), "{delta}");
    }
    assert_eq!(line().await["qty"], qty);
    // So does the minus of a menu's row.
    let dish = line().await["productId"].to_string();
    let venue = VENUE.to_string();
    let minus = [
        ("filial", venue.as_str()),
        ("product", &dish),
        ("delta", "-1"),
    ];
    refused("/cart/lines", &minus).await;
    // The page tells which of its lines are ordered; clearing takes out what was added since, and can be undone.
    let ordered = json!([{ "id": id, "qty": qty }]);
    let menu = guest_menu(&product).await;
    let other = plain_products(&menu)[1].0;
    guest.add(VENUE, other).await;
    guest.submit(&path, &[("delta", "1")]).await;
    let page = guest.get("/cart?lang=en").await;
    assert_eq!(page.data()["page"]["data"]["unpaid"]["lines"], ordered);
    assert_eq!(page.texts(".ordered > li").len(), 1);
    assert_eq!(page.texts(".lines .line").len(), 2);
    assert_eq!(page.texts(".lines .line [data-count]").join(""), "11");
    let cleared = guest.submit("/cart/clear", &[]).await.data();
    assert_eq!(cleared["shell"]["flash"]["kind"], "removed");
    let names = cleared["shell"]["flash"]["values"]["name"][0].clone();
    assert_eq!(names.as_str().unwrap().split(", ").count(), 2, "{names}");
    let lines = async || guest.get("/cart").await.data()["shell"]["cart"]["lines"].clone();
    assert_eq!(lines().await.as_array().unwrap().len(), 1);
    assert_eq!(line().await["qty"], qty);
    assert!(guest.get("/cart").await.texts(".lines").is_empty());
    guest.submit("/cart/undo", &[("back", "/cart")]).await;
    assert_eq!(lines().await.as_array().unwrap().len(), 2);
    // A tap that went with those before the app came comes by itself, too: nothing more leaves, and no cart is called empty
    // that is not.
    let once = "clear-what-was-added-1";
    let tap = json!([{ "action": "/cart/clear", "body": format!("m={once}") }]).to_string();
    let early = [("queue", tap.as_str())];
    let answer = guest.post_json("/cart/mutations", &early).await.json();
    assert_eq!(answer["cart"]["count"], qty);
    let answer = guest.post_json("/cart/clear", &[("m", once)]).await.json();
    assert_eq!(answer["flash"]["kind"], Value::Null);
    assert_eq!(answer["cart"]["count"], qty);
    guest.submit("/cart/undo", &[("back", "/cart")]).await;
    // What is sold out of the order waits with it all the same.
    product
        .sell_out(VENUE, line().await["productId"].as_u64().unwrap())
        .await;
    product.sell_out(VENUE, other).await;
    guest.submit("/cart/repair", &[("back", "/cart")]).await;
    let left = lines().await;
    assert_eq!((&left[0]["id"], &left[0]["qty"]), (&id, &qty));
    assert_eq!(left.as_array().unwrap().len(), 1);
    // Called off behind our back, it holds nothing back.
    let id = product.sandbox_get("orders").await[0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    set_status(&product, &id, "canceled").await;
    guest.submit("/cart/lines", &minus).await;
    assert!(guest.get("/cart").await.data()["shell"]["cart"].is_null());
}

#[tokio::test]
async fn an_order_that_died_between_the_upstream_and_the_cart_is_found_and_paid_once() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    // The order is made, its answer is lost.
    let fault = json!({
        "path": "/takeaway/v1/express/order", "kind": "reset", "after_commit": true, "times": 8,
    });
    product.control("faults", fault).await;
    let answer = order(&guest, "card").await;
    assert!(
        answer.location().starts_with("/orders/checking/"),
        "{}",
        answer.location()
    );
    product.no_faults().await;
    let product = product.killed_and_started_again().await;
    let guest = guest.at(&product);
    let checking = answer.location();
    let pay = eventually(20, async || {
        let page = guest.get(&checking).await;
        (page.status == 303).then(|| page.location())
    })
    .await;
    assert!(pay.starts_with("/pay/"), "{pay}");
    assert_eq!(product.sandbox_get("orders").await.len(), 1);
    let waiting = guest.get(&pay).await.data()["page"]["data"].clone();
    let bank_page = waiting["bank"].as_str().unwrap().to_owned();
    assert!(
        bank_page.starts_with(&product.sandbox),
        "{bank_page} {}",
        product.sandbox
    );
    bank(&product, &bank_page, "succeeded").await;
    assert_eq!(guest.get(&pay).await.status, 303);
    assert_eq!(captured(&product).await.len(), 1);
}

#[tokio::test]
async fn an_order_of_a_signed_in_guest_is_found_after_a_crash_although_its_kind_needs_the_sign_in()
{
    let product = Product::start().await;
    let guest = product.guest();
    put_in(&guest, TAKEAWAY).await;
    sign_in(&product, &guest, "/cart").await;
    let fault = json!({
        "path": "/takeaway/v1/takeaway/order", "kind": "reset", "after_commit": true, "times": 8,
    });
    product.control("faults", fault).await;
    assert!(
        order(&guest, "cash")
            .await
            .location()
            .starts_with("/orders/checking/")
    );
    product.no_faults().await;
    // The guest has left for good: the server itself finds out.
    let product = product.killed_and_started_again().await;
    let guest = guest.at(&product);
    eventually(60, async || {
        let home = guest.get("/").await.data();
        home["shell"]["cart"].is_null().then_some(())
    })
    .await;
    assert_eq!(product.sandbox_get("orders").await.len(), 1);
}

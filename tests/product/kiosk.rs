//! A tablet that stands in a venue: who it is, and what it forgets between two guests (UI-13, KS-02, KS-05, KS-08, ST-15).

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::{
    account::{calls_to, session_of, sign_in},
    bill::{bring, of},
    bill_pay::{at_bank, fields_of, post},
    checkout::FRIDGE,
    support::{
        Guest, Product, VENUE, as_fields, order_fields, plain_products, products, table_link,
    },
};

/// The sandbox's venue with a tablet.
pub const TABLET: &str = "/kiosk/filials/1043?source=TABLET";

pub async fn guest_at_tablet(product: &Product) -> Guest {
    let guest = product.guest();
    assert_eq!(guest.get(TABLET).await.status, 200);
    guest
}

async fn kiosk(guest: &Guest, path: &str) -> Value {
    guest.get(path).await.data()["shell"]["kiosk"].clone()
}

#[tokio::test]
async fn only_the_tablet_itself_is_a_kiosk() {
    let product = Product::with(&["--kiosk-idle-seconds", "45"]).await;
    let told = json!({ "rest": TABLET, "idle": 45, "warning": 20 });
    let guest = guest_at_tablet(&product).await;
    for path in [
        TABLET,
        "/kiosk/cart",
        "/kiosk/faq",
        "/kiosk/filials/1043/details",
    ] {
        let page = guest.get(path).await;
        assert_eq!(page.data()["shell"]["kiosk"], told, "{path}");
        assert!(page.text().contains(" data-kiosk>"), "{path}");
    }
    // A code on its screen is scanned by the guest's own phone (KS-03), and a venue without a tablet has none.
    for path in [
        "/filials/1043?source=TABLETQR".to_owned(),
        format!("/filials/{VENUE}?source=TABLET"),
        table_link(VENUE, "t7"),
        "/".to_owned(),
    ] {
        let phone = product.guest();
        let page = phone.get(&path).await;
        assert!(page.data()["shell"]["kiosk"].is_null(), "{path}");
        assert!(!page.text().contains(" data-kiosk>"), "{path}");
    }
    // "Home" of a tablet is the menu of its venue (KS-04), and from there no way leads to other venues.
    let back = |page: &str| page.contains("class=\"back\"");
    assert!(!back(&guest.get(TABLET).await.rendered()));
    assert!(back(&guest.get("/kiosk/faq").await.rendered()));
    assert_eq!(
        guest.get("/kiosk/faq").await.data()["shell"]["home"],
        "/filials/1043"
    );
}

#[tokio::test]
async fn no_link_makes_a_tablet_of_a_guests_phone() {
    let product = Product::start().await;
    let own = "/filials/1043?source=TABLET";
    let link = format!("{}&source=TABLET", table_link(1043, "t3"));
    let is_phone = async |guest: &Guest| {
        let menu = guest.get("/filials/1043").await;
        assert_eq!(menu.status, 200);
        assert!(menu.data()["shell"]["kiosk"].is_null());
    };
    // Of another site, whichever page opens it.
    for site in ["cross-site", "same-site"] {
        for address in [own, link.as_str(), TABLET] {
            let guest = product.guest();
            guest.get_with(address, &[("sec-fetch-site", site)]).await;
            is_phone(&guest).await;
        }
    }
    // One that is sent to a guest who has something in the cart, has ordered, or is signed in.
    let guest = product.guest();
    let dish = plain_products(&guest.get("/filials/1043").await.data())[0].0;
    guest.add(1043, dish).await;
    let signed_in = product.guest_at_table(VENUE, "t7").await;
    sign_in(&product, &signed_in).await;
    for guest in [guest, signed_in] {
        for address in [own, link.as_str(), TABLET] {
            guest.get(address).await;
            is_phone(&guest).await;
        }
    }
    // Who sets a tablet up types its address, or scans it.
    let tablet = product.guest();
    tablet.get_with(own, &[("sec-fetch-site", "none")]).await;
    assert!(!kiosk(&tablet, "/kiosk/filials/1043").await.is_null());
}

#[tokio::test]
async fn a_tablet_at_a_table_keeps_it_and_a_typed_number_goes_with_the_guest() {
    let product = Product::start().await;
    let guest = product.guest();
    let link = format!("/kiosk{}&source=TABLET", table_link(1043, "t3"));
    guest.get(&link).await;
    assert_eq!(kiosk(&guest, "/kiosk/cart").await["rest"], link);
    assert_eq!(guest.post("/session/wipe", &[]).await.location(), link);
    let next = guest.get(&link).await.data();
    assert_eq!(next["shell"]["table"]["number"], "3");
    // A venue whose guests type where they sit.
    let typing = product.guest();
    let counter = "/kiosk/filials/1253?source=TABLET";
    typing.get(counter).await;
    let typed = [("filial", "1253"), ("table", "3"), ("back", "/cart")];
    let page = typing.submit("/kiosk/session/table", &typed).await.data();
    assert_eq!(page["shell"]["table"]["number"], "3");
    assert_eq!(page["shell"]["kiosk"]["rest"], counter);
    assert_eq!(typing.post("/session/wipe", &[]).await.location(), counter);
    assert!(typing.get(counter).await.data()["shell"]["table"].is_null());
}

#[tokio::test]
async fn the_idle_time_is_ninety_seconds_unless_the_owner_says_otherwise() {
    let product = Product::start().await;
    let guest = guest_at_tablet(&product).await;
    assert_eq!(kiosk(&guest, "/kiosk/cart").await["idle"], 90);
}

#[tokio::test]
async fn a_wipe_leaves_nothing_of_the_guest() {
    let product = Product::start().await;
    let guest = product.guest();
    // The tablet stands where its owner has put it.
    guest.set_cookie("country", "kz");
    guest.set_cookie("platform", "android");
    guest.get(&format!("{TABLET}&lang=ru")).await;
    guest.agree().await;
    let dish = plain_products(&guest.get(TABLET).await.data())[0].0;
    guest.add(1043, dish).await;
    guest.post("/session/age", &[("answer", "yes")]).await;
    guest.post("/session/town", &[("town", "2")]).await;
    guest
        .post("/session/service", &[("service", "takeaway")])
        .await;
    let (bearer, _) = sign_in(&product, &guest).await;
    let page = guest.get("/kiosk/cart").await.data();
    assert_eq!(page["shell"]["cart"]["count"], 1);
    assert_eq!(page["shell"]["lang"], "ru");
    let (_, before) = session_of(&product, &guest).await;
    assert!(before.age().await.is_some() && before.account().await.is_some());
    // A browser with a copy of this guest's cookies.
    let thief = guest.second_tab();
    product.forget_log().await;

    let wiped = guest.post("/session/wipe", &[]).await;
    assert_eq!((wiped.status, wiped.location()), (303, TABLET.to_owned()));
    assert_eq!(wiped.header("clear-site-data"), "\"storage\"");
    assert_eq!(wiped.header("cache-control"), "no-store");
    for gone in ["dk", "lang", "townId", "service", "deviceId"] {
        assert_eq!(guest.cookie(gone), None, "{gone}");
    }
    assert_eq!(guest.cookie("country").unwrap(), "kz");
    assert_eq!(guest.cookie("platform").unwrap(), "android");

    let gate = guest.get(TABLET).await;
    assert!(
        gate.location().starts_with("/kiosk/consent?"),
        "the next guest has agreed to nothing"
    );
    guest.agree().await;
    let next = guest.get(TABLET).await.data();
    assert!(next["shell"]["cart"].is_null());
    assert!(next["shell"]["balance"].is_null());
    assert_eq!(next["shell"]["lang"], "kk");
    assert_eq!(next["shell"]["kiosk"]["rest"], TABLET);
    let (_, after) = session_of(&product, &guest).await;
    assert!(after.age().await.is_none() && after.account().await.is_none());
    assert!(after.own_orders().await.is_empty());

    // Old cookies open nothing.
    thief.agree().await;
    let stolen = thief.get("/cart").await.data();
    assert!(stolen["shell"]["cart"].is_null());

    // The upstream is told that the token is over; nobody waits for that.
    let deadline = Instant::now() + Duration::from_secs(10);
    let revoke = "/api/v2/oauth2/tokens/revoke";
    while calls_to(&product, revoke).await != [format!("Bearer {bearer}")] {
        assert!(
            Instant::now() < deadline,
            "{:?}",
            product.sandbox_get("log").await
        );
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn a_tablet_that_is_told_twice_to_forget_stays_a_tablet() {
    let product = Product::start().await;
    let guest = guest_at_tablet(&product).await;
    let session = guest.cookie("dk").unwrap();
    guest.post("/kiosk/session/wipe", &[("rest", TABLET)]).await;
    // The page and the watch over it may both have done so after a sleep: the second one comes without a session.
    let late = product.guest();
    late.set_cookie("dk", &session);
    let wiped = late.post("/kiosk/session/wipe", &[("rest", TABLET)]).await;
    assert_eq!((wiped.status, wiped.location()), (303, TABLET.to_owned()));
    assert!(!kiosk(&late, TABLET).await.is_null());
    // It leads to nothing but tablets, and no phone there.
    for rest in [
        "/kiosk/cart",
        "/kiosk/filials/1043",
        "/kiosk/filials/x?source=TABLET",
        "/filials/1043?source=TABLET",
        "//evil.example/kiosk/filials/1043?source=TABLET",
        "/kiosk//evil.example/filials/1043?source=TABLET",
    ] {
        let wiped = product
            .guest()
            .post("/kiosk/session/wipe", &[("rest", rest)])
            .await;
        assert_eq!(wiped.location(), "/kiosk/", "{rest}");
    }
    let phone = product.guest();
    assert_eq!(
        phone
            .post("/session/wipe", &[("rest", TABLET)])
            .await
            .location(),
        "/"
    );
}

#[tokio::test]
async fn the_front_of_a_tablet_is_its_menu_and_one_that_is_not_set_up_says_so() {
    let product = Product::start().await;
    for (lang, words) in [
        ("kk", "Планшет бапталмаған"),
        ("ru", "Планшет не настроен"),
        ("en", "This tablet is not set up"),
        ("ka&country=ge", "პლანშეტი გამართული არ არის"),
    ] {
        let page = product.guest().get(&format!("/kiosk?lang={lang}")).await;
        assert_eq!(page.status, 404);
        assert_eq!(page.data()["page"]["data"]["kind"], "noTablet");
        assert_eq!(page.texts("h1"), [words]);
    }
    // Any other address of a tablet leads a phone to its page.
    assert_eq!(product.guest().get("/kiosk/faq").await.location(), "/faq");

    let guest = guest_at_tablet(&product).await;
    let front = guest.get("/kiosk").await.location();
    assert_eq!(guest.get(&front).await.location(), TABLET);
    let inside = guest.get("/_data/kiosk/").await.json();
    assert_eq!(inside["redirect"], TABLET);
    // Who comes to it after another guest sees nothing of that one, and a question without an answer forgets them.
    let dish = plain_products(&guest.get(TABLET).await.data())[0].0;
    guest.add(1043, dish).await;
    let asked = guest.get(&guest.get("/kiosk").await.location()).await;
    assert_eq!(asked.status, 200);
    let text = asked.text();
    let leads = asked.header("refresh");
    let gone = leads.strip_prefix("20; url=").unwrap();
    assert!(gone.starts_with("/kiosk/session/gone?"), "{gone}");
    assert!(text.contains(TABLET), "{text}");
    assert_eq!(guest.get(gone).await.location(), TABLET);
    assert_eq!(guest.get(TABLET).await.status, 200);
    assert!(guest.get("/kiosk/cart").await.data()["shell"]["cart"].is_null());
}

#[tokio::test]
async fn a_script_is_told_where_the_next_guest_begins() {
    let product = Product::start().await;
    let guest = guest_at_tablet(&product).await;
    let wiped = guest.post_json("/session/wipe", &[]).await;
    assert_eq!(wiped.status, 200);
    assert_eq!(wiped.json()["redirect"], TABLET);
    assert!(wiped.json()["cart"].is_null());
    // Who is at no tablet is forgotten just so, and begins at the front.
    let phone = product.guest_at_table(VENUE, "t7").await;
    let wiped = phone.post("/session/wipe", &[]).await;
    assert_eq!(wiped.location(), "/");
    assert!(phone.get("/cart").await.data()["shell"]["table"].is_null());
    // A stranger has nothing to forget.
    assert_eq!(product.guest().post("/session/wipe", &[]).await.status, 303);
}

#[tokio::test]
async fn another_site_cannot_wipe_a_guest() {
    let product = Product::start().await;
    let guest = guest_at_tablet(&product).await;
    let request = guest
        .request(reqwest::Method::POST, "/session/wipe")
        .header("sec-fetch-site", "cross-site");
    assert_eq!(guest.send(request).await.status, 403);
    assert!(kiosk(&guest, "/kiosk/cart").await.is_object());
}

#[tokio::test]
async fn nothing_leads_out_of_a_tablet() {
    let product = Product::start().await;
    let outside = |page: &str| -> Vec<String> {
        page.split("href=\"")
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
            .filter(|href| !href.starts_with('/') && !href.starts_with('#'))
            .map(str::to_owned)
            .collect()
    };
    let details = "/kiosk/filials/1043/details";
    let phone = outside(
        &product
            .guest()
            .get("/filials/1043/details")
            .await
            .rendered(),
    );
    assert!(
        phone.iter().any(|href| href.starts_with("tel:")),
        "{phone:?}"
    );
    assert!(
        phone.iter().any(|href| href.starts_with("https:")),
        "{phone:?}"
    );
    let guest = guest_at_tablet(&product).await;
    for path in [
        details,
        "/kiosk/map",
        "/kiosk/cart",
        TABLET,
        "/kiosk/faq",
        "/kiosk/legal/terms",
    ] {
        let page = guest.get(path).await.rendered();
        assert_eq!(outside(&page), Vec::<String>::new(), "{path}");
    }
}

/// It stands in its venue.
#[tokio::test]
async fn a_tablet_offers_no_delivery_on_the_page_of_its_venue_either() {
    let product = Product::start().await;
    let list = product
        .guest()
        .get("/filials?service=delivery")
        .await
        .data();
    let delivers = &list["page"]["data"]["venues"][0]["id"];
    let path = format!("/filials/{delivers}/details");
    let phone = product.guest().get(&path).await;
    assert!(phone.rendered().contains("#bike"));
    let tablet = guest_at_tablet(&product).await;
    let page = tablet.get(&format!("/kiosk{path}")).await;
    assert_eq!(page.data()["page"]["route"], "details");
    assert!(!page.rendered().contains("#bike"));
    let services = page.data()["shell"]["services"].to_string();
    assert!(!services.contains("delivery"), "{services}");
}

/// KS-06: a tablet does not call; whom to call is read.
#[tokio::test]
async fn the_number_of_a_fridge_is_no_link_on_a_tablet() {
    let product = Product::start().await;
    let path = format!("/filials/{FRIDGE}/fridge");
    let phone = product.guest().get(&path).await;
    assert_eq!(phone.texts(".help a[href^='tel:']").len(), 1);
    let tablet = guest_at_tablet(&product).await;
    let page = tablet.get(&format!("/kiosk{path}")).await;
    assert_eq!(page.texts("a[href^='tel:']"), [""; 0]);
    let number = page.texts(".help a.num").concat();
    assert!(number.contains("+7"), "{number}");
}

#[tokio::test]
async fn no_tap_makes_a_tablet_a_phone() {
    let product = Product::start().await;
    let guest = product.guest();
    let link = format!("/kiosk{}&source=TABLET", table_link(1043, "t3"));
    guest.get(&link).await;
    // Another venue's menu, leaving the table, a table that was typed for another venue.
    guest.get(&format!("/kiosk/filials/{VENUE}")).await;
    assert_eq!(kiosk(&guest, "/kiosk/cart").await["rest"], link);
    guest
        .post("/session/table/leave", &[("back", "/cart")])
        .await;
    assert_eq!(kiosk(&guest, "/kiosk/cart").await["rest"], link);
    let typed = [("filial", "1253"), ("table", "3"), ("back", "/cart")];
    guest.post("/session/table", &typed).await;
    assert_eq!(kiosk(&guest, "/kiosk/cart").await["rest"], link);
    // A table that the venue does not know.
    let lost = product.guest();
    lost.get(&format!("/kiosk{}&source=TABLET", table_link(1043, "t999")))
        .await;
    assert_eq!(kiosk(&lost, "/kiosk/cart").await["rest"], TABLET);
}

#[tokio::test]
async fn an_order_of_the_last_guest_is_not_read_by_its_address() {
    let product = Product::start().await;
    let guest = product.guest();
    let link = format!("/kiosk{}&source=TABLET", table_link(1043, "t3"));
    let menu = guest.get(&link).await.data();
    let dish = plain_products(&menu)[0].0;
    let name = products(&menu).find(|one| one["id"] == dish).unwrap()["name"].clone();
    guest.add(1043, dish).await;
    let seen = order_fields(&guest.get("/kiosk/cart").await.data());
    let fields = as_fields(&seen);
    let order = guest.post("/orders", &fields).await.location();
    let at_tablet = format!("/kiosk{order}");
    assert!(order.contains("key="), "{order}");
    let shows_dish = async |guest: &Guest, order: &str| {
        let page = guest.get(order).await;
        page.data()["page"]
            .to_string()
            .contains(name.as_str().unwrap())
    };
    assert!(shows_dish(&guest, &at_tablet).await);
    let phone = product.guest();
    assert!(
        shows_dish(&phone, &order).await,
        "the link works on a phone"
    );
    guest.post("/session/wipe", &[]).await;
    guest.get(&link).await;
    assert!(!shows_dish(&guest, &at_tablet).await);
}

#[tokio::test]
async fn a_tablet_orders_to_the_counter_and_tells_the_number() {
    let product = Product::start().await;
    let guest = guest_at_tablet(&product).await;
    let dish = plain_products(&guest.get(TABLET).await.data())[0].0;
    guest.add(1043, dish).await;
    let cart = guest.get("/kiosk/cart?lang=en").await;
    let page = cart.data();
    assert_eq!(page["page"]["data"]["blocks"], json!([]));
    assert_eq!(page["page"]["data"]["pickup"], true);
    let html = cart.rendered();
    assert!(html.contains("At the counter") && html.contains("You pay at the counter"));
    let order = order_of(&guest, "/kiosk").await;
    assert_eq!(order["page"]["data"]["pickup"], true, "{order}");
    assert!(order["page"]["data"]["table"].is_null());
    assert!(!order["page"]["data"]["number"].as_str().unwrap().is_empty());
    assert!(
        order["page"]["data"]["chat"].is_null(),
        "no way out (KS-06)"
    );
    assert_eq!(product.sandbox_get("orders").await.len(), 1);
    // A phone that came without a table is no tablet.
    let phone = product.guest();
    phone.get("/filials/1043").await;
    phone.add(1043, dish).await;
    let page = phone.get("/cart").await.data();
    assert_eq!(page["page"]["data"]["blocks"], json!(["table"]));
    assert_eq!(page["page"]["data"]["pickup"], false);
    let refused = order_of(&phone, "").await;
    assert_eq!(
        refused["shell"]["flash"]["errors"][0]["code"],
        "tableRequired"
    );
}

#[tokio::test]
async fn a_tablet_of_a_venue_that_serves_at_tables_asks_for_the_table_on_keys() {
    let product = Product::start().await;
    let guest = product.guest();
    let dish = plain_products(&guest.get("/kiosk/filials/1253?source=TABLET").await.data())[0].0;
    guest.add(1253, dish).await;
    let cart = guest.get("/kiosk/cart?lang=en").await;
    let page = cart.data();
    assert_eq!(page["page"]["data"]["blocks"], json!(["table"]));
    assert_eq!(page["page"]["data"]["keypad"], true);
    let html = cart.rendered();
    assert!(html.contains("Which table are you at?") && !html.contains("QR code of your table"));
    let typed = [("filial", "1253"), ("table", "99"), ("back", "/cart")];
    let wrong = guest.submit("/kiosk/session/table", &typed).await;
    assert!(
        wrong.rendered().contains("value=\"99\""),
        "what was typed stays"
    );
    let typed = [("filial", "1253"), ("table", "3"), ("back", "/cart")];
    let page = guest.submit("/kiosk/session/table", &typed).await.data();
    assert_eq!(page["page"]["data"]["keypad"], false);
    assert_eq!(page["page"]["data"]["blocks"], json!([]));
    let order = order_of(&guest, "/kiosk").await;
    assert_eq!(order["page"]["data"]["table"], "3");
    assert_eq!(order["page"]["data"]["pickup"], false);
}

#[tokio::test]
async fn a_tablet_that_could_not_order_is_refused_when_it_is_set_up() {
    let product = Product::start().await;
    // A takeaway venue needs a sign-in, a fridge has neither counter nor tables.
    for venue in [1041, 1191] {
        let guest = product.guest();
        let page = guest
            .get(&format!("/filials/{venue}?source=TABLET&lang=en"))
            .await;
        assert_eq!(page.status, 409, "{venue}");
        assert!(
            page.rendered()
                .contains("This tablet cannot take orders here"),
            "{venue}"
        );
        assert!(kiosk(&guest, "/cart").await.is_null(), "{venue}");
        let plain = product.guest().get(&format!("/filials/{venue}")).await;
        assert_eq!(plain.status, 200, "{venue}");
    }
}

/// Orders what is in the cart, in cash: the order's page, or the cart's that says why not.
async fn order_of(guest: &Guest, prefix: &str) -> Value {
    let cart = guest.get(&format!("{prefix}/cart")).await.data();
    let seen = order_fields(&cart);
    let address = format!("{prefix}/orders");
    guest.submit(&address, &as_fields(&seen)).await.data()
}

/// KS-05, KS-06: the page of a bank would not forget the guest.
#[tokio::test]
async fn on_a_tablet_an_order_is_paid_by_a_code_or_at_the_counter_and_nothing_leads_to_the_bank() {
    let product = Product::start().await;
    let (guest, phone) = (product.guest(), product.guest_at_table(1253, "t3").await);
    let tablet = format!("/kiosk{}&source=TABLET", table_link(1253, "t3"));
    let dish = plain_products(&guest.get(&tablet).await.data())[0].0;
    guest.add(1253, dish).await;
    phone.add(1253, dish).await;
    let ways = |page: Value| page["page"]["data"]["payments"].clone();
    let here = guest.get("/kiosk/cart").await.data();
    assert_eq!(
        ways(phone.get("/cart").await.data()),
        json!(["card", "qr", "cash"])
    );
    assert_eq!(ways(here.clone()), json!(["qr", "cash"]));
    let order = async |way: &str| {
        let seen = order_fields(&here);
        let mut fields = as_fields(&seen);
        fields.retain(|(name, _)| *name != "payment");
        fields.push(("payment", way));
        guest.submit("/kiosk/orders", &fields).await
    };
    // A page of before has it yet.
    let refused = json!({ "field": "payment", "code": "paymentUnavailable" });
    let is_refused = |page: &Value| {
        let error = &page["shell"]["flash"]["errors"][0];
        assert_eq!(
            (&error["field"], &error["code"]),
            (&refused["field"], &refused["code"])
        );
    };
    is_refused(&order("card").await.data());
    assert!(product.sandbox_get("orders").await.is_empty());

    let waiting = order("qr").await;
    let page = waiting.data();
    assert_eq!(page["page"]["data"]["state"], "waiting");
    assert_eq!(page["page"]["data"]["ways"], json!(["qr"]));
    let html = waiting.rendered();
    assert!(html.contains("/code.svg"), "what its guest scans");
    assert!(!html.contains("data-bank"), "no way to the bank");
    let bank = page["page"]["data"]["bank"].as_str().unwrap();
    assert!(!html.contains(bank) && !html.contains(&bank.replace('&', "&amp;")));
    let href = page["page"]["data"]["href"].as_str().unwrap().to_owned();
    let again = guest
        .submit(&format!("/kiosk{href}"), &[("payment", "card")])
        .await;
    is_refused(&again.data());
    // The guest's phone, which reads a link of that page, goes on to the bank.
    assert!(phone.get(&href).await.rendered().contains("data-bank"));

    // Once it is paid, the page of the order names neither the receipt, which is the bank's page, nor a chat.
    at_bank(bank, "succeeded").await;
    let own = guest.get(&format!("/kiosk{href}")).await.location();
    let paid = guest.get(&own).await;
    let page = of(&paid);
    assert_eq!(paid.data()["page"]["route"], "order");
    assert_eq!(page["paid"], true);
    assert_eq!(
        (&page["receipt"], &page["chat"]),
        (&Value::Null, &Value::Null)
    );
    let html = paid.text();
    for outside in [
        product.sandbox.as_str(),
        "//t.me",
        "href=\"tel:",
        "href=\"http",
    ] {
        assert!(!html.contains(outside), "{outside}");
    }
}

#[tokio::test]
async fn on_a_tablet_a_bill_is_paid_by_a_code_alone() {
    let product = Product::start().await;
    let link = table_link(1253, "t3");
    let guest = product.guest();
    let menu = guest.get(&format!("/kiosk{link}&source=TABLET")).await;
    let table = json!({ "filial_id": 1253, "table_id": "t3" });
    let opened = product.control("bill/open", table).await;
    let bill = opened["data"]["id"].as_str().unwrap();
    bring(&product, bill, plain_products(&menu.data())[0].0, 1).await;
    let (_, query) = link.split_once('?').unwrap();
    let whole = format!("/kiosk/filials/1253/bill?{query}&split=all");
    let page = of(&guest.get(&whole).await);
    assert_eq!(page["ways"], json!(["qr"]), "{page}");
    let path = format!("/kiosk/filials/1253/bill/pay?{query}");
    let refused = post(&guest, &path, &fields_of(&page, "card")).await;
    assert!(refused.location().contains("problem=refused"));
    assert!(product.sandbox_get("payments").await.is_empty());
    let paid = post(&guest, &path, &fields_of(&page, "qr")).await;
    let waiting = guest.get(&paid.location()).await;
    assert_eq!(of(&waiting)["state"], "waiting");
    let html = waiting.rendered();
    assert!(html.contains("/code.svg") && !html.contains("data-bank"));
    // Its receipt is the bank's page.
    let bank = of(&waiting)["bank"].as_str().unwrap().to_owned();
    let back = at_bank(&bank, "succeeded").await;
    let thanks = guest.get(&format!("/kiosk{back}")).await.location();
    let thanks = guest.get(&thanks).await;
    assert_eq!(of(&thanks)["sum"], page["total"]);
    assert_eq!(of(&thanks)["receipt"], Value::Null);
    assert!(!thanks.rendered().contains(&product.sandbox));
}

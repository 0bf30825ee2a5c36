//! `/orders`: what the guest has ordered (OR-07, OR-11, OR-20, SV-09).

use serde_json::{Value, json};

use crate::{
    bill::{begin_to_pay, with_ahead},
    bill_pay::{at_bank, captured, tenge},
    orders::{press, ready_to_order},
    orders_own::{LANGS, ORDER, bought, data, set_status, signed_in},
    search::{booking_page, form, found, free},
    support::{Answer, Guest, Product, VENUE},
};

/// Of the venue that is ordered from.
const BRAND: &str = "1";
const ORDERS: &str = "/takeaway/v2/user/orders";

fn ids(page: &Answer) -> Vec<String> {
    let orders = data(page)["orders"].clone();
    let id = |order: &Value| order["id"].as_str().unwrap().to_owned();
    orders.as_array().unwrap().iter().map(id).collect()
}

#[tokio::test]
async fn orders_on_their_way_come_first_then_the_newest_each_with_status_sum_venue_and_date() {
    let product = Product::start().await;
    let (guest, bearer) = signed_in(&product).await;
    let mut placed = Vec::new();
    for kind in ["takeaway", "delivery", "takeaway", "takeaway"] {
        placed.push(bought(&product, &bearer, kind, "cash").await);
    }
    set_status(&product, &placed[3], "canceled").await;
    set_status(&product, &placed[0], "completed").await;
    let page = guest.get("/orders?lang=en").await;
    assert_eq!(page.header("cache-control"), "private, no-store");
    let expected = [2, 1, 3, 0].map(|at: usize| placed[at].clone());
    assert_eq!(ids(&page), expected);
    let rows = page.texts(".orders > ul > li");
    assert_eq!(rows.len(), 4);
    for (row, order) in rows.iter().zip(data(&page)["orders"].as_array().unwrap()) {
        let text = |key: &str| order[key].as_str().unwrap().to_owned();
        assert!(
            row.contains(&text("number")) && row.contains(&text("venue")),
            "{row}"
        );
        let whole = order["sum"].as_i64().unwrap() / 100;
        let sum = format!("{}\u{a0}{:03}\u{a0}₸", whole / 1000, whole % 1000);
        assert!(row.contains(&sum), "{row}");
        // "21 November, 11:10" (OR-20)
        let is_date = regex_like_date(row);
        assert!(is_date, "{row}");
    }
    // What is over can be had again, what is not leads to its page alone.
    let html = page.rendered();
    assert_eq!(html.matches(r#"action="/orders/repeat""#).count(), 2);
    for id in &placed {
        assert!(html.contains(&format!(r#"href="/orders/{id}""#)));
    }
    assert_eq!(
        html.matches("#circle-x").count(),
        1,
        "a status is a sign, too"
    );
    let again = guest
        .post(
            "/orders/repeat",
            &[("order", &placed[0]), ("back", "/orders")],
        )
        .await;
    assert_eq!(again.location(), "/cart");
    // Each is called as on its own page, in each language.
    let called = [
        ["Тапсырыс қабылданды", "Тапсырыстан бас тартылды", "Берілді"],
        ["Заказ принят", "Заказ отменён", "Выдан"],
        ["Order received", "Canceled", "Handed over"],
        ["შეკვეთა მიღებულია", "გაუქმებულია", "გადაცემულია"],
    ];
    for (lang, [received, canceled, handed_over]) in LANGS.into_iter().zip(called) {
        let page = guest.get(&format!("/orders?lang={lang}")).await;
        let headers = page.texts(".orders > ul > li a b:not(.num)");
        let expected = [received, received, canceled, handed_over];
        assert_eq!(headers, expected, "{lang}");
    }
}

/// A day, a month and a time.
fn regex_like_date(row: &str) -> bool {
    let words: Vec<&str> = row.split(", ").collect();
    words.len() > 1
        && words[1..].iter().any(|rest| {
            let time: Vec<char> = rest.chars().take(5).collect();
            time.len() == 5
                && time[2] == ':'
                && time[0].is_ascii_digit()
                && time[4].is_ascii_digit()
        })
}

#[tokio::test]
async fn a_service_filters_the_list_by_links_and_leaves_the_service_of_the_visit_alone() {
    let product = Product::with(&["--brand-id", BRAND]).await;
    let (guest, bearer) = signed_in(&product).await;
    let fetched = bought(&product, &bearer, "takeaway", "cash").await;
    let brought = bought(&product, &bearer, "delivery", "cash").await;
    let before = guest.get("/faq").await.data()["shell"]["service"].clone();
    product.forget_log().await;
    let all = guest.get("/orders").await;
    let html = all.rendered();
    for service in ["delivery", "takeaway", "express"] {
        assert!(html.contains(&format!(r#"href="/orders?type={service}""#)));
    }
    for (service, expected) in [("delivery", &brought), ("takeaway", &fetched)] {
        let page = guest.get(&format!("/orders?type={service}")).await;
        assert_eq!(ids(&page), std::slice::from_ref(expected), "{service}");
        let asked = product.queries(ORDERS).await.pop().unwrap();
        assert_eq!(asked["brand_id"], BRAND, "SV-09");
        assert!(asked.contains_key("service_type"));
    }
    let none = guest.get("/orders?type=express&lang=en").await;
    assert!(none.texts(".empty h2")[0].contains("no such orders"));
    // What is no service is no filter.
    assert_eq!(ids(&guest.get("/orders?type=nothing").await).len(), 2);
    assert_eq!(guest.get("/faq").await.data()["shell"]["service"], before);
}

#[tokio::test]
async fn pages_are_links_and_one_past_the_end_is_the_last() {
    let product = Product::with(&["--address-orders-per-minute", "1000"]).await;
    let (guest, bearer) = signed_in(&product).await;
    let id = bought(&product, &bearer, "takeaway", "cash").await;
    let order = {
        let page = format!("/takeaway/v2/user/order?order_id={id}");
        let request = crate::support::client()
            .get(format!("{}{page}", product.sandbox))
            .bearer_auth(&bearer);
        let told: Value = request.send().await.unwrap().json().await.unwrap();
        told["data"].clone()
    };
    let shown = |page: u32| json!({ "/data": [order], "/meta": { "current_page": page, "last_page": 3, "total": 41 } });
    product.replace(ORDERS, shown(2)).await;
    let page = guest.get("/orders?page=2&lang=en").await;
    assert_eq!(page.texts(".more a"), ["Newer orders", "Older orders"]);
    let html = page.rendered();
    assert!(html.contains(r#"href="/orders""#) && html.contains(r#"href="/orders?page=3""#));
    let asked = product.queries(ORDERS).await.pop().unwrap();
    assert_eq!(asked["page"], "2");
    product.replace(ORDERS, shown(3)).await;
    let last = guest.get("/orders?page=3&type=takeaway&lang=en").await;
    assert_eq!(last.texts(".more a"), ["Newer orders"]);
    assert!(
        last.rendered()
            .contains(r#"href="/orders?type=takeaway&amp;page=2""#)
    );
    let past = guest.get("/orders?page=9&type=takeaway").await;
    assert_eq!(
        (past.status, past.location()),
        (303, "/orders?type=takeaway&page=3".to_owned())
    );
}

#[tokio::test]
async fn no_orders_lead_home_and_a_list_that_does_not_come_offers_another_try() {
    let product = Product::start().await;
    let (guest, _) = signed_in(&product).await;
    for lang in LANGS {
        let page = guest.get(&format!("/orders?lang={lang}")).await;
        assert_eq!(page.status, 200);
        assert_eq!(page.texts(".empty h2").len(), 1, "{lang}");
        assert!(
            page.rendered().contains(r#"class="button" href="/""#),
            "{lang}"
        );
    }
    // What has no part of a list is none, as what is no object at all.
    for answer in [json!({}), json!([]), json!(null)] {
        product.replace(ORDERS, json!({ "": answer })).await;
        let page = guest.get("/orders").await;
        assert_eq!((page.status, &data(&page)["failed"]), (503, &json!(true)));
    }
    product.no_faults().await;
    product.fail(ORDERS, 500).await;
    let page = guest.get("/orders?type=delivery").await;
    assert_eq!(page.status, 503);
    assert_eq!(data(&page)["failed"], true);
    assert!(page.rendered().contains(r#"href="/orders?type=delivery""#));
    product.no_faults().await;
    assert_eq!(guest.get("/orders").await.status, 200);
}

#[tokio::test]
async fn what_was_ordered_here_before_the_sign_in_stays_on_the_list() {
    // On a host of one brand, that of the venue, as well.
    for args in [&[][..], &["--brand-id", "5"]] {
        let product = Product::with(args).await;
        let (guest, seen) = ready_to_order(&product).await;
        let path = press(&guest, &seen).await.location();
        crate::account::sign_in(&product, &guest).await;
        let page = guest.get("/orders?lang=en").await;
        assert_eq!(page.status, 200);
        let here = data(&page)["here"].clone();
        assert_eq!(here.as_array().unwrap().len(), 1, "{args:?}");
        assert_eq!(here[0]["href"], path.as_str());
        assert_eq!(page.texts("#here").len(), 1);
        assert!(page.texts(".empty").is_empty());
    }
}

/// Bought in Almaty and in Tbilisi, by two clocks.
async fn bought_in_two_countries() -> (Product, Guest) {
    let product = Product::start().await;
    let (guest, bearer) = signed_in(&product).await;
    for _ in 0..2 {
        bought(&product, &bearer, "takeaway", "cash").await;
    }
    product
        .replace(ORDERS, json!({ "/data/0/filial/id": 2191 }))
        .await;
    (product, guest)
}

#[tokio::test]
async fn a_list_of_two_clocks_names_the_town_beside_each_time() {
    let (product, guest) = bought_in_two_countries().await;
    let page = guest.get("/orders?lang=en&country=kz").await;
    let times = page.texts(".orders > ul > li .num.soft");
    assert_eq!(times.len(), 2, "{times:?}");
    for town in ["Almaty", "Tbilisi"] {
        let named = times.iter().filter(|time| time.ends_with(town)).count();
        assert_eq!(named, 1, "{times:?}");
    }
    product.no_faults().await;
    let page = guest.get("/orders?lang=en&country=kz").await;
    assert!(!page.texts(".orders > ul").concat().contains("Almaty"));
}

#[tokio::test]
async fn who_is_not_signed_in_sees_venue_and_sum_of_the_orders_and_why_to_sign_in() {
    let product = Product::start().await;
    let (guest, seen) = ready_to_order(&product).await;
    let order = data(&guest.get(&press(&guest, &seen).await.location()).await);
    let sum = order["totals"].as_array().unwrap().last().unwrap()["sum"].as_i64();
    let sum = crate::bill_pay::tenge(sum.unwrap());
    for (lang, why) in [
        ("kk", "Аккаунтыңыздың"),
        ("ru", "вашего аккаунта"),
        ("en", "your account"),
    ] {
        let page = guest.get(&format!("/orders?lang={lang}")).await;
        let card = page.texts(".placed a").concat();
        let order = data(&page)["orders"][0].clone();
        let venue = order["venue"].as_str().unwrap();
        assert!(!venue.is_empty() && card.contains(venue), "{lang}: {card}");
        assert!(card.contains(&sum), "{lang}: {card}");
        let words = page.texts(".sign-in-orders > .soft").concat();
        assert!(words.contains(why), "{lang}: {words}");
    }
}

/// A guest who looks for a booking looks among the orders first.
#[tokio::test]
async fn the_next_table_of_a_guest_stands_above_the_orders_and_leads_to_its_booking() {
    let product = Product::start().await;
    let (guest, _) = signed_in(&product).await;
    assert_eq!(data(&guest.get("/orders").await)["tables"], json!([]));
    let page = booking_page(&guest).await;
    let venue = VENUE.to_string();
    let fields = form(&page, &venue, free(&page));
    let booked = guest.submit("/bookings", &fields).await;
    let id = booked.data()["page"]["data"]["done"].clone();
    let orders = guest.get("/orders?lang=en").await;
    assert_eq!(data(&orders)["tables"][0]["id"], id);
    let line = orders.texts(".orders > .note a").concat();
    assert!(line.starts_with("Your table: "), "{line}");
    let way = format!(r#"href="/brands/booking?booking={}""#, id.as_str().unwrap());
    assert!(orders.rendered().contains(&way));
    // It is not told again on what is only a part of the list, nor to be waited for.
    assert_eq!(
        data(&guest.get("/orders?type=takeaway").await)["tables"],
        json!([])
    );
    product.fail("/booking/v1/bookings", 503).await;
    let orders = guest.get("/orders").await;
    assert_eq!((orders.status, &data(&orders)["tables"]), (200, &json!([])));
}

/// A preorder is paid on its bill: what it costs, until when, and the way there stand with its table.
#[tokio::test]
async fn a_preorder_stands_with_its_table_above_the_orders_and_leads_to_its_bill() {
    let product = Product::start().await;
    let (guest, own) = with_ahead(&product).await;
    let bill = own["bill"].as_str().unwrap();
    let sum = own["ahead"]["sum"].as_i64().unwrap();
    let total = tenge(sum);
    let line = async |lang: &str| {
        let page = guest.get(&format!("/orders?lang={lang}")).await;
        assert!(page.rendered().contains(&format!("href=\"{bill}\"")));
        page.texts(".orders > .note a.num").concat()
    };
    let words = [
        (
            "kk",
            format!("Алдын ала тапсырыс {total} · төлеу мерзімі: "),
        ),
        ("ru", format!("Предзаказ {total} · оплатить до ")),
        ("en", format!("Preorder {total} · to be paid by ")),
    ];
    for (lang, words) in words {
        let told = line(lang).await;
        assert!(told.starts_with(&words), "{told}");
    }
    let upstream = bill.replace("/bills", "/bills/v1");
    let paid = |sum: i64| json!({ "/data/paid_sum": sum / 100 });
    product.replace(&upstream, paid(10_000)).await;
    let left = tenge(sum - 10_000);
    let told = line("en").await;
    assert!(
        told.starts_with(&format!("Preorder {total} · pay {left} by ")),
        "{told}"
    );
    product.replace(&upstream, paid(sum)).await;
    assert_eq!(line("en").await, format!("Preorder {total} · paid"));
    // The way is there without the sums, too.
    product.no_faults().await;
    product.fail(&upstream, 500).await;
    assert_eq!(line("en").await, "Bill of the preorder");
}

/// A guest who has paid for a preorder and given its table back looks for the money among the orders.
#[tokio::test]
async fn a_table_that_was_given_back_tells_among_the_orders_what_becomes_of_its_money() {
    let product = Product::start().await;
    let (guest, own) = with_ahead(&product).await;
    let (id, bill) = (own["id"].as_str().unwrap(), own["bill"].as_str().unwrap());
    let page = guest.get("/orders?lang=en").await;
    assert!(!page.rendered().contains("No orders yet"));
    let bank = begin_to_pay(&guest, bill).await;
    at_bank(&bank, "succeeded").await;
    let paid = captured(&product).await[0];
    guest.post(&format!("/bookings/{id}/cancel"), &[]).await;
    for (lang, gone) in [
        ("kk", "Брон жойылды: "),
        ("ru", "Бронь отменена: "),
        ("en", "Booking canceled: "),
    ] {
        let page = guest.get(&format!("/orders?lang={lang}")).await;
        let lines = page.texts(".orders > .note a");
        assert!(lines[0].starts_with(gone), "{lines:?}");
        assert!(lines[1].contains(&tenge(paid)), "{lines:?}");
        let ways = [format!("/brands/booking?booking={id}"), bill.to_owned()];
        for way in ways {
            assert!(
                page.rendered().contains(&format!("href=\"{way}\"")),
                "{way}"
            );
        }
    }
    // The restaurant has not said that it gives it back.
    let parts =
        json!([{ "sum": paid / 100, "tips": 0, "bonus": 0, "status": "succeeded", "mine": true }]);
    let waits = json!({ "/data/payments": parts });
    product
        .replace(&bill.replace("/bills", "/bills/v1"), waits)
        .await;
    let page = guest.get("/orders?lang=en").await;
    let line = page.texts(".orders > .note a.num").concat();
    assert_eq!(
        line,
        format!("Preorder {} · refund not confirmed yet", tenge(paid))
    );
    // One of which nothing was paid is over.
    let none = json!({ "/data/payments": [], "/data/paid_sum": 0 });
    product
        .replace(&bill.replace("/bills", "/bills/v1"), none)
        .await;
    assert_eq!(data(&guest.get("/orders").await)["tables"], json!([]));
}

/// All of them, the next one first, however they were booked.
#[tokio::test]
async fn every_table_that_is_to_come_stands_above_the_orders() {
    let product = Product::start().await;
    let (guest, _) = signed_in(&product).await;
    let venue = VENUE.to_string();
    let first = found(&guest, &format!("/brands/booking?filial={VENUE}")).await;
    for day in [4, 2, 3] {
        let date = first["days"][day]["date"].as_str().unwrap();
        let address = format!("/brands/booking?filial={VENUE}&date={date}&guests=3");
        let page = found(&guest, &address).await;
        let booked = guest
            .post("/bookings", &form(&page, &venue, free(&page)))
            .await;
        assert_eq!(booked.status, 303, "{}", booked.text());
    }
    let orders = guest.get("/orders?lang=en").await;
    let tables = data(&orders)["tables"].as_array().unwrap().clone();
    assert_eq!(tables.len(), 3);
    assert!(tables.is_sorted_by_key(|table| table["at"].as_i64().unwrap()));
    let lines = orders.texts(".orders > .note li");
    assert_eq!(lines.len(), 3, "{lines:?}");
    for table in tables {
        let way = format!("/brands/booking?booking={}", table["id"].as_str().unwrap());
        assert!(orders.rendered().contains(&format!("href=\"{way}\"")));
    }
}

/// What was to be paid on the spot was never charged; what was paid online is told as it was.
#[tokio::test]
async fn the_sum_of_an_order_that_was_called_off_unpaid_is_muted_and_said_to_be_not_charged() {
    let product = Product::start().await;
    let (guest, bearer) = signed_in(&product).await;
    let id = bought(&product, &bearer, "takeaway", "cash").await;
    set_status(&product, &id, "canceled").await;
    let words = [
        "Сізден ақша алынған жоқ.",
        "Деньги не списаны.",
        "You have not been charged.",
        "თანხა არ ჩამოგჭრიათ.",
    ];
    for (lang, words) in LANGS.into_iter().zip(words) {
        let page = guest.get(&format!("/orders?lang={lang}")).await;
        let order = data(&page)["orders"][0].clone();
        assert_eq!(order["uncharged"], true);
        let sum = crate::bill_pay::tenge(order["sum"].as_i64().unwrap());
        assert_eq!(page.texts(".orders .card a > .soft.num"), [sum], "{lang}");
        assert!(page.texts(".orders .card a > b").is_empty());
        let said = page.texts(".orders .card a > span > .soft").join("|");
        assert!(said.contains(words), "{lang}: {said}");
    }
    // What was ordered without a sign-in as well.
    let (here, seen) = ready_to_order(&product).await;
    let path = press(&here, &seen).await.location();
    let own = data(&here.get(&path).await)["id"].clone();
    set_status(&product, own.as_str().unwrap(), "canceled").await;
    let page = here.get("/orders?lang=en").await;
    let said = page.texts(".placed .soft").join("|");
    assert!(said.contains("You have not been charged."), "{said}");
    assert!(page.texts(".placed b.num").is_empty());

    let paid = json!({
        "/data/0/payment_type": "online", "/data/0/is_paid": true, "/data/0/refund_sum": 10_800,
    });
    product.replace(ORDERS, paid).await;
    let page = guest.get("/orders?lang=en").await;
    assert!(data(&page)["orders"][0].get("uncharged").is_none());
    assert_eq!(page.texts(".orders .card a > b.num").len(), 1);
}

/// What was given back of an order, whole or in part, stands in the lists of the account and of this browser.
#[tokio::test]
async fn what_was_given_back_of_an_order_stands_in_every_list() {
    let product = Product::start().await;
    let (guest, bearer) = signed_in(&product).await;
    bought(&product, &bearer, "takeaway", "cash").await;
    let of = |root: &str, way: &str| {
        json!({
            format!("{root}/payment_type"): way,
            format!("{root}/is_paid"): way == "online",
            format!("{root}/refund_sum"): 1000,
        })
    };
    let (here, seen) = ready_to_order(&product).await;
    let path = press(&here, &seen).await.location();
    for (way, words) in [("online", "Refund 1\u{a0}000\u{a0}₸"), ("cash", "")] {
        product.replace(ORDERS, of("/data/0", way)).await;
        let list = guest.get("/orders?lang=en").await;
        let shown = list.texts(".orders .card").concat();
        assert!(shown.contains(words), "{shown}");
        assert_eq!(shown.contains("Refund"), way == "online", "{shown}");

        product.no_faults().await;
        product.replace(ORDER, of("/data", way)).await;
        // The page of the order takes note of it for the list.
        let page = here.get(&path).await;
        let totals = data(&page)["totals"].to_string();
        assert_eq!(totals.contains("-100000"), way == "online", "{totals}");
        let shown = here.get("/orders?lang=en").await.texts(".placed").concat();
        assert!(shown.contains(words), "{shown}");
        assert_eq!(shown.contains("Refund"), way == "online", "{shown}");
        product.no_faults().await;
    }
}

//! A booked table is given back while what was ordered ahead with it is being paid: no bank takes money for it afterwards
//! (R-01, PY-14).

use futures_util::future::join_all;
use serde_json::json;

use crate::{
    bill::{begin_to_pay, of, with_ahead},
    bill_off::PARTS,
    bill_pay::{at_bank, captured, tenge},
    support::{Answer, Product, eventually},
};

const BOOKINGS: &str = "/booking/v1/bookings";

#[tokio::test]
async fn a_table_that_is_given_back_while_its_dishes_are_being_paid_is_not_paid() {
    let product = Product::start().await;
    let (guest, own) = with_ahead(&product).await;
    let bill = own["bill"].as_str().unwrap();
    let bank = begin_to_pay(&guest, bill).await;
    assert!(bank.starts_with("http"), "{bank}");

    let cancel = format!("/bookings/{}/cancel", own["id"].as_str().unwrap());
    let booked = async || {
        let page = guest.get("/brands/booking").await.data();
        page["page"]["data"]["own"].as_array().unwrap().len()
    };
    // The bank may take the money still: the table stays, and the bill says why.
    product.fail(PARTS, 500).await;
    let kept = guest.post(&cancel, &[]).await.location();
    assert_eq!(of(&guest.get(&kept).await)["problem"], "stillPaying");
    assert_eq!(booked().await, 1);
    product.no_faults().await;
    eventually(60, async || {
        guest.post(&cancel, &[]).await;
        (booked().await == 0).then_some(())
    })
    .await;

    at_bank(&bank, "succeeded").await;
    assert_eq!(captured(&product).await, [0_i64; 0]);
}

#[tokio::test]
async fn a_table_that_is_given_back_eight_times_at_once_is_given_back_by_one_call() {
    let product = Product::start().await;
    let (guest, own) = with_ahead(&product).await;
    let id = own["id"].as_str().unwrap();
    let call = format!("{BOOKINGS}/{id}/cancel");
    let slow = json!({ "path": call, "kind": "delay", "delay_ms": 300 });
    product.control("faults", slow).await;
    let cancel = format!("/bookings/{id}/cancel");
    let press = async |_| guest.second_tab().post(&cancel, &[]).await;
    let pressed = join_all((0..8).map(press)).await;
    for answer in &pressed {
        assert_eq!(answer.status, 303, "{}", answer.text());
    }
    assert_eq!(product.queries(&call).await.len(), 1);
    let page = guest.get("/brands/booking").await.data();
    assert_eq!(page["page"]["data"]["own"], json!([]));
}

/// Of a lost answer the bookings tell: what is done is not said to have failed.
#[tokio::test]
async fn a_table_that_was_given_back_is_told_as_that_though_the_answer_was_lost() {
    let product = Product::start().await;
    let (guest, own) = with_ahead(&product).await;
    let id = own["id"].as_str().unwrap();
    let lost = json!({ "path": format!("{BOOKINGS}/{id}/cancel"), "kind": "status", "status": 502,
        "after_commit": true });
    product.control("faults", lost).await;
    let done = guest.post(&format!("/bookings/{id}/cancel"), &[]).await;
    let page = format!("/brands/booking?booking={id}");
    assert_eq!((done.status, done.location()), (303, page.clone()));
    let page = guest.get(&format!("{page}&lang=en")).await;
    assert_eq!(page.texts("#gone"), ["The booking is canceled"]);
    assert!(!page.rendered().contains("The restaurant did not answer"));
}

/// A bill that is not known of may be being paid.
#[tokio::test]
async fn a_table_stays_while_it_is_not_known_what_was_ordered_ahead() {
    let product = Product::start().await;
    let (guest, own) = with_ahead(&product).await;
    let cancel = format!("/bookings/{}/cancel", own["id"].as_str().unwrap());
    product.fail(BOOKINGS, 500).await;
    product.forget_log().await;
    guest.post(&cancel, &[]).await.location();
    let asked = product.queries(BOOKINGS).await;
    assert!(!asked.is_empty());
    assert!(product.queries(&format!("{BOOKINGS}/")).await.is_empty());
    product.no_faults().await;
    eventually(60, async || {
        let page = guest.get("/brands/booking").await.data();
        let own = page["page"]["data"]["own"].as_array()?;
        (own.len() == 1).then_some(())
    })
    .await;
}

/// Whoever agrees to give a table back that is not paid has not agreed to one that is.
#[tokio::test]
async fn what_the_bank_has_taken_meanwhile_is_shown_before_the_table_is_given_back() {
    let product = Product::start().await;
    let (guest, own) = with_ahead(&product).await;
    let id = own["id"].as_str().unwrap();
    let bank = begin_to_pay(&guest, own["bill"].as_str().unwrap()).await;
    let left = async || {
        let page = guest.get("/brands/booking").await.data();
        page["page"]["data"]["own"][0]["ahead"]["left"].as_i64()
    };
    let seen = left().await.unwrap();
    assert!(seen > 0, "{seen}");
    at_bank(&bank, "succeeded").await;

    let cancel = format!("/bookings/{id}/cancel");
    let pressed = async |left: i64| {
        let left = left.to_string();
        guest.post(&cancel, &[("left", left.as_str())]).await
    };
    let asked = pressed(seen).await.location();
    assert_eq!(asked, format!("/brands/booking?cancel={id}"));
    let paid = eventually(60, async || left().await.filter(|now| *now < seen)).await;
    assert_eq!(paid, 0);
    let done = pressed(paid).await.location();
    assert_eq!(done, format!("/brands/booking?booking={id}"));
    assert_eq!(left().await, None);
}

/// What becomes of the money is named before the table is given back and after it, with the way to the receipt.
#[tokio::test]
async fn the_money_of_a_table_that_is_given_back_is_named_and_comes_back() {
    let product = Product::start().await;
    let (guest, own) = with_ahead(&product).await;
    let (id, bill) = (own["id"].as_str().unwrap(), own["bill"].as_str().unwrap());
    let question = async |lang: &str| {
        let page = guest
            .get(&format!("/brands/booking?cancel={id}&lang={lang}"))
            .await;
        page.texts(".leaving > p").join("|")
    };
    let unpaid = question("en").await;
    assert!(
        unpaid.contains("You have not been charged for it."),
        "{unpaid}"
    );

    let bank = begin_to_pay(&guest, bill).await;
    at_bank(&bank, "succeeded").await;
    let [charged] = captured(&product).await[..] else {
        panic!("one payment");
    };
    let sum = tenge(charged);
    eventually(60, async || {
        let page = guest.get("/brands/booking").await.data();
        let ahead = &page["page"]["data"]["own"][0]["ahead"];
        (ahead["charged"] == charged && ahead["refund"] == 0).then_some(())
    })
    .await;
    let words = [
        (
            "kk",
            "бірнеше минут ішінде қайтарылады",
            "төлеген картаңызға немесе банк шотыңызға",
        ),
        (
            "ru",
            "вернётся в течение нескольких минут",
            "на карту или банковский счёт, с которых вы платили",
        ),
        (
            "en",
            "will be returned within minutes",
            "to the card or bank account you paid from",
        ),
    ];
    for (lang, words, place) in words {
        let asked = question(lang).await;
        assert!(asked.contains(words) && asked.contains(&sum), "{asked}");
        assert!(asked.contains(place), "{asked}");
    }
    // The page that said thank you has promised some.
    let none = "This payment will earn no bonuses.";
    assert!(question("en").await.contains(none) && !unpaid.contains(none));
    // What gives the table back is no main button.
    let asked = guest.get(&format!("/brands/booking?cancel={id}")).await;
    assert_eq!(
        asked
            .texts(".leaving form[data-bad] .button[data-quiet]")
            .len(),
        1
    );
    assert!(asked.texts(".leaving .button:not([data-quiet])").is_empty());
    let form = [("left", "0")];
    let done = guest.post(&format!("/bookings/{id}/cancel"), &form).await;
    let done = done.location();
    assert_eq!(done, format!("/brands/booking?booking={id}"));
    assert_eq!(captured(&product).await, [0_i64; 0]);

    let page = guest.get(&format!("{done}&lang=en")).await;
    assert_eq!(page.texts("h2"), ["The booking is canceled"]);
    let said = page.texts(".book section p").join("|");
    assert!(said.contains(&format!("Refund {sum}")), "{said}");
    assert!(said.contains(none), "{said}");
    assert!(said.contains(
        "The money will be returned within minutes to the card or bank account you paid from."
    ));
    assert!(page.rendered().contains(&format!("href=\"{bill}\"")));
    // Among the past ones, too.
    let list = guest.get("/brands/booking?lang=en").await;
    let past = list.texts(".past").concat();
    assert!(past.contains(&format!("Refund {sum}")), "{past}");

    // The bill says so as well, and nobody is thanked for a visit; its receipt stays.
    let closed = guest.get(&format!("{bill}?lang=en")).await;
    assert_eq!(closed.texts("h1"), ["The booking is canceled"]);
    assert!(closed.rendered().contains(&sum));
    let part = of(&closed)["mine"][0]["href"].as_str().unwrap().to_owned();
    let paid = guest.get(&format!("{part}?lang=en")).await;
    assert_eq!(paid.texts("h1"), ["The money is being returned"]);
    assert!(paid.text().contains("<title>The money is being returned"));
    let data = of(&paid);
    assert!(data["receipt"].is_string(), "{data}");
    assert_eq!(
        (&data["asks"], &data["cashback"]),
        (&json!(false), &json!(0))
    );
    assert!(!paid.rendered().contains("nothing is left"));
}

/// A bank takes its minutes: just after the table was given back its page, and that of its bill, ask again. A restaurant
/// that has taken the money and does not say that it gives it back is not spoken for later.
#[tokio::test]
async fn money_that_is_not_known_to_come_back_is_not_promised() {
    let product = Product::start().await;
    let (guest, own) = with_ahead(&product).await;
    let (id, bill) = (own["id"].as_str().unwrap(), own["bill"].as_str().unwrap());
    guest.post(&format!("/bookings/{id}/cancel"), &[]).await;
    let paid = json!({ "/data/paid_sum": 1000 });
    product
        .replace(&bill.replace("/bills", "/bills/v1"), paid)
        .await;
    let page = guest
        .get(&format!("/brands/booking?booking={id}&lang=en"))
        .await;
    let said = page.texts(".book section p").join("|");
    assert!(
        said.contains(&format!("Paid: {}.", tenge(100_000))),
        "{said}"
    );
    let waits = "The money will be returned within minutes to the card or bank account you paid from. \
        If it is not, please ask the restaurant.";
    assert!(said.contains(waits), "{said}");
    assert!(page.rendered().contains("href=\"tel:+"), "whom to ask");
    let looks_again = |page: &Answer| page.text().contains("http-equiv=\"refresh\"");
    assert!(looks_again(&page));
    // The list of orders looks for it as well.
    let table = of(&guest.get("/orders").await)["tables"][0].clone();
    assert_eq!(table["ahead"]["waits"], true, "{table}");
    let closed = guest.get(&format!("{bill}?lang=en")).await;
    assert_eq!(closed.texts("h1"), ["The booking is canceled"]);
    assert!(closed.texts(".empty").concat().contains(waits));
    assert!(looks_again(&closed));
    let list = guest.get("/brands/booking?lang=en").await;
    let past = list.texts(".past").concat();
    assert!(past.contains("has not confirmed a refund yet"), "{past}");
    assert!(!past.contains("within minutes"), "{past}");
    product.no_faults().await;
    let page = guest
        .get(&format!("/brands/booking?booking={id}&lang=en"))
        .await;
    let said = page.texts(".book section p").join("|");
    assert!(said.contains("You have not been charged."), "{said}");
    assert!(!looks_again(&page));
    let closed = guest.get(&format!("{bill}?lang=en")).await;
    assert_eq!(closed.texts("h1"), ["The booking is canceled"]);
    let said = closed.texts(".empty").concat();
    assert!(said.contains("You have not been charged."), "{said}");
    assert!(!looks_again(&closed));
}

/// Bonuses are no money: none of it is said to come back, and the part that they have paid tells of itself.
#[tokio::test]
async fn a_preorder_that_bonuses_have_paid_promises_no_money() {
    let product = Product::start().await;
    let (guest, own) = with_ahead(&product).await;
    let (id, bill) = (own["id"].as_str().unwrap(), own["bill"].as_str().unwrap());
    let of_upstream = bill.replace("/bills", "/bills/v1");
    let sum = own["ahead"]["sum"].as_i64().unwrap();
    // The upstream says that nothing is left for a bank.
    let name = bill.rsplit('/').next().unwrap();
    let free = json!({ "/data/payment": null, "/data/status": "succeeded",
        "/data/sum": sum / 100, "/data/tips": 0, "/data/bonus": sum / 100 });
    product
        .replace(&format!("/bills/v1/bill/{name}/payments"), free)
        .await;
    let thanks = begin_to_pay(&guest, bill).await;
    let as_it_is = async |status: &str, paid: i64| {
        let part = json!([{ "sum": sum / 100, "tips": 0, "bonus": sum / 100, "status": status, "mine": true }]);
        let values =
            json!({ "/data/payments": part, "/data/paid_sum": paid / 100, "/data/left_sum": 0 });
        product.replace(&of_upstream, values).await;
    };
    as_it_is("succeeded", sum).await;
    let page = guest.get("/brands/booking").await.data();
    assert_eq!(page["page"]["data"]["own"][0]["ahead"]["charged"], 0);
    let question = guest
        .get(&format!("/brands/booking?cancel={id}&lang=en"))
        .await;
    let asked = question.texts(".leaving > p").join("|");
    assert!(asked.contains("You have not been charged"), "{asked}");
    assert!(!asked.contains("within minutes"), "{asked}");
    let thanks = thanks.replace("/pay/", "/bills/paid/");
    let heading = async || {
        let page = guest.get(&format!("{thanks}?lang=en")).await;
        assert_eq!(page.status, 200, "{thanks}");
        let heading = page.texts("h1").concat();
        assert!(page.text().contains(&format!("<title>{heading}")));
        (heading, page.rendered().contains("within minutes"))
    };
    assert_eq!(heading().await, ("Paid. Thank you".to_owned(), false));
    as_it_is("refunded", 0).await;
    let back = "Your bonuses have been returned".to_owned();
    assert_eq!(heading().await, (back, false));
}

/// The question promises the bonuses that have paid, the page of a table that was given back says which are back: neither
/// counts those of the other.
#[tokio::test]
async fn bonuses_that_have_been_returned_are_not_promised_once_more() {
    let product = Product::start().await;
    let (guest, own) = with_ahead(&product).await;
    let (id, bill) = (own["id"].as_str().unwrap(), own["bill"].as_str().unwrap());
    let of_upstream = bill.replace("/bills", "/bills/v1");
    let part = |status: &str, bonus: i64| json!({ "sum": 1000, "tips": 0, "bonus": bonus, "status": status, "mine": true });
    let said = async |status: &str, page: &str, of: &str| {
        let parts = json!([part("refunded", 300), part(status, 200)]);
        product
            .replace(&of_upstream, json!({ "/data/payments": parts }))
            .await;
        let page = guest
            .get(&format!("/brands/booking?{page}={id}&lang=en"))
            .await;
        page.texts(of).join("|")
    };
    let asked = said("succeeded", "cancel", ".leaving > p").await;
    let back = format!("will be returned: {}", tenge(20_000));
    assert!(asked.contains(&back), "{asked}");
    assert!(!asked.contains("have been returned"), "{asked}");
    guest.post(&format!("/bookings/{id}/cancel"), &[]).await;
    let done = said("refunded", "booking", ".booked > p").await;
    let returned = format!("have been returned: {}", tenge(50_000));
    assert!(done.contains(&returned), "{done}");
    assert!(!done.contains("will be returned:"), "{done}");
}

/// A part of a preorder can be given back while its table stays booked.
#[tokio::test]
async fn the_bill_of_a_table_that_stays_booked_is_not_said_to_be_of_a_canceled_one() {
    let product = Product::start().await;
    let (guest, own) = with_ahead(&product).await;
    let bill = own["bill"].as_str().unwrap();
    let part = json!([{ "sum": 1000, "tips": 0, "bonus": 0, "status": "refunded", "mine": true }]);
    let closed = json!({ "/data/status": "closed", "/data/payments": part, "/data/left_sum": 0 });
    product
        .replace(&bill.replace("/bills", "/bills/v1"), closed)
        .await;
    let page = guest.get(&format!("{bill}?lang=en")).await;
    assert_eq!(page.texts("h1"), ["The bill is closed"]);
    let said = page.texts(".empty").concat();
    assert!(
        said.contains(&format!("Refund for your preorder: {}", tenge(100_000))),
        "{said}"
    );
}

//! Booking where nothing can be booked, without a time, twice; and giving a table back only after a question.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use url::Url;

use crate::{
    account::{account_of, revoke},
    bill::minutes_from_now,
    checkout::{FRIDGE, order, put_in},
    search::{booking_page, form, found, free},
    sign_in::{at_table_with_a_dish, confirm, sign_in},
    support::{Guest, Product, VENUE, eventually, plain_products},
};

#[tokio::test]
async fn a_venue_that_is_closed_by_hand_takes_no_booking_and_says_so() {
    let product = Product::with(&["--catalogue-fresh-ms", "1"]).await;
    let guest = product.guest();
    let before = booking_page(&guest).await;
    let venue = VENUE.to_string();
    let fields = form(&before, &venue, free(&before));
    product
        .control("opening", json!({ "filial_id": VENUE, "closed": true }))
        .await;
    let address = format!("/brands/booking?filial={VENUE}&lang=en");
    // The first look may still be at what was kept.
    guest.get(&address).await;
    let page = guest.get(&address).await;
    let html = page.rendered();
    assert!(html.contains("is temporarily closed"), "{html}");
    assert!(!html.contains("name=\"time\"") && !html.contains("action=\"/bookings\""));
    // A form that was opened before comes to nothing, with the reason.
    let refused = guest.post_json("/bookings", &fields).await.json();
    assert_eq!(refused["flash"]["errors"][0]["code"], "closed");
    assert_eq!(
        found(&guest, "/brands/booking").await["own"],
        json!([]),
        "nothing is booked"
    );
    product
        .control("opening", json!({ "filial_id": VENUE, "closed": false }))
        .await;
    guest.get(&address).await;
    assert!(
        !booking_page(&guest).await["slots"]
            .as_array()
            .unwrap()
            .is_empty()
    );
}

#[tokio::test]
async fn a_table_is_given_back_only_after_a_question_and_the_venue_can_be_called() {
    let product = Product::start().await;
    let guest = product.guest();
    let page = booking_page(&guest).await;
    let venue = VENUE.to_string();
    let booked = guest
        .submit("/bookings", &form(&page, &venue, free(&page)))
        .await;
    let id = booked.data()["page"]["data"]["done"].clone();
    let id = id.as_str().unwrap();
    let html = booked.rendered();
    assert!(html.contains("href=\"tel:+"), "the venue can be called");
    let cancel = format!("action=\"/bookings/{id}/cancel\"");
    assert!(!html.contains(&cancel), "one press gives nothing back");
    let ask = format!("/brands/booking?cancel={id}");
    assert!(html.contains(&format!("href=\"{ask}\"")), "{html}");

    let question = guest.get(&format!("{ask}&lang=en")).await;
    assert_eq!(question.texts("h2"), ["Cancel this booking?"]);
    let html = question.rendered();
    assert!(html.contains(&cancel) && html.contains("Keep the booking"));
    // A question about a table that is another's, or gone, is none.
    let other_guest = product.guest().get(&ask).await;
    assert!(!other_guest.rendered().contains(&cancel));
}

#[tokio::test]
async fn that_bookings_do_not_come_is_said_where_one_of_them_is_asked_for() {
    let product = Product::start().await;
    let guest = product.guest();
    let venue = VENUE.to_string();
    let page = booking_page(&guest).await;
    let silent =
        json!({ "path": "/booking/v1/bookings", "method": "GET", "kind": "status", "status": 500 });
    let made = guest
        .post("/bookings", &form(&page, &venue, free(&page)))
        .await
        .location();
    assert!(made.contains("booking="), "{made}");
    let id = made.split_once("booking=").unwrap().1.to_owned();
    product.control("faults", silent).await;
    for address in [made.clone(), format!("/brands/booking?cancel={id}")] {
        let page = guest.get(&address).await;
        assert_eq!(page.status, 503, "{address}");
        let html = page.rendered();
        assert!(html.contains("Брондарыңыз жүктелмеді"), "{address}");
    }
    product.no_faults().await;
    eventually(60, async || {
        let done = guest.get(&made).await.data()["page"]["data"]["done"].clone();
        (done == *id).then_some(())
    })
    .await;
}

/// The form and the errors of a refusal without scripts.
fn errors(page: &Value) -> Vec<(&str, &str)> {
    let errors = page["shell"]["flash"]["errors"].as_array().unwrap();
    errors
        .iter()
        .map(|error| {
            let text = |key: &str| error[key].as_str().unwrap();
            (text("field"), text("code"))
        })
        .collect()
}

#[tokio::test]
async fn what_a_guest_has_asked_for_stands_on_the_booking_and_in_the_list() {
    let product = Product::start().await;
    let guest = product.guest();
    let page = booking_page(&guest).await;
    let venue = VENUE.to_string();
    let mut fields = form(&page, &venue, free(&page));
    fields.push(("comment", "Терезе жанында"));
    fields.retain(|(name, _)| *name != "name");
    // A name is one line, wherever it is printed.
    fields.push(("name", "Айша\r\nVIP\u{1b}"));
    let booked = guest.submit("/bookings", &fields).await;
    let mut log = product.sandbox_get("log").await;
    log.retain(|call| call["method"] == "POST" && call["path"] == "/booking/v1/bookings");
    let body: Value = serde_json::from_str(log[0]["body"].as_str().unwrap()).unwrap();
    assert_eq!(body["name"], "Айша VIP", "{body}");
    assert_eq!(
        booked.data()["page"]["data"]["own"][0]["id"],
        booked.data()["page"]["data"]["done"]
    );
    let list = guest.get("/brands/booking?lang=en").await;
    for html in [booked.rendered(), list.rendered()] {
        assert!(html.contains("Терезе жанында"), "{html}");
    }
    assert!(list.rendered().contains("Request: "));
}

#[tokio::test]
async fn no_table_can_be_booked_at_a_fridge() {
    let product = Product::start().await;
    let guest = product.guest();
    let page = booking_page(&guest).await;
    let fridge = guest
        .get(&format!("/brands/booking?filial={FRIDGE}&lang=en"))
        .await;
    assert_eq!(fridge.status, 404);
    let venue = FRIDGE.to_string();
    let answer = guest
        .post_json("/bookings", &form(&page, &venue, free(&page)))
        .await;
    assert_eq!(answer.status, 404);
    assert_eq!(found(&guest, "/brands/booking").await["own"], json!([]));
}

#[tokio::test]
async fn a_booking_without_a_time_asks_for_one_and_keeps_what_was_typed() {
    let product = Product::start().await;
    let guest = product.guest();
    let page = booking_page(&guest).await;
    let venue = VENUE.to_string();
    let mut fields = form(&page, &venue, free(&page));
    fields.retain(|(name, _)| *name != "time");
    fields.push(("comment", "у окна"));
    for (lang, words) in [
        ("kk", "Уақытты таңдаңыз"),
        ("ru", "Выберите время"),
        ("en", "Choose a time"),
    ] {
        guest.get(&format!("/brands/booking?lang={lang}")).await;
        let refused = guest.submit("/bookings", &fields).await;
        assert_eq!(errors(&refused.data()), [("time", "chooseTime")]);
        assert_eq!(refused.texts("#time-error"), [words]);
        // Beside the times, and said of them.
        let html = refused.rendered();
        assert!(html.contains(r#"<fieldset aria-describedby="time-error""#));
        assert!(
            !html.contains(r#"aria-invalid="true""#),
            "no field is empty"
        );
        for typed in [r#"value="Айгүл""#, r#"value="+7 701 000 00 12""#, "у окна"] {
            assert!(html.contains(typed), "{typed}");
        }
    }
    let answer = guest.post_json("/bookings", &fields).await;
    assert_eq!(answer.status, 422);
    let georgia = product.guest();
    georgia.get("/brands/booking?country=ge&lang=ka").await;
    let refused = georgia.submit("/bookings", &fields).await;
    assert_eq!(refused.texts("#time-error"), ["აირჩიეთ დრო"]);
}

/// Where no scripts run, the buttons of the days belong to the form: nothing that was typed is lost by another day.
#[tokio::test]
async fn another_day_or_party_keeps_what_was_typed_without_scripts() {
    let product = Product::start().await;
    let guest = product.guest();
    let page = booking_page(&guest).await;
    let html = guest.get(&format!("/brands/booking?filial={VENUE}")).await;
    for button in [r#"name="day""#, r#"name="show""#, r#"name="party""#] {
        assert!(html.rendered().contains(button), "{button}");
    }
    let venue = VENUE.to_string();
    let day = |at: usize| page["days"][at]["date"].as_str().unwrap();
    for (pressed, date, guests) in [
        (vec![("day", day(4)), ("other_day", day(5))], day(4), 3),
        (vec![("show", "1"), ("other_day", day(5))], day(5), 3),
        (vec![("party", "4"), ("other_day", day(5))], day(2), 4),
    ] {
        let mut fields = form(&page, &venue, free(&page));
        fields.push(("comment", "у окна"));
        fields.extend(pressed);
        let shown = guest.submit("/bookings", &fields).await;
        let data = shown.data();
        let now = &data["page"]["data"];
        assert_eq!(
            (&now["date"], &now["guests"]),
            (&json!(date), &json!(guests))
        );
        assert!(errors(&data).is_empty());
        let html = shown.rendered();
        for typed in [r#"value="Айгүл""#, r#"value="+7 701 000 00 12""#, "у окна"] {
            assert!(html.contains(typed), "{typed}");
        }
        assert_eq!(shown.texts("[role=alert], .toast"), [""; 0]);
    }
    // A day that was typed and not shown is not booked as the one that is.
    let mut fields = form(&page, &venue, free(&page));
    fields.push(("other_day", day(5)));
    let shown = guest.submit("/bookings", &fields).await.data();
    assert_eq!(shown["page"]["data"]["date"], json!(day(5)));
    assert_eq!(count(&guest).await, 0, "nothing was booked");
    fields.pop();
    fields.push(("other_day", page["date"].as_str().unwrap()));
    guest.submit("/bookings", &fields).await;
    assert_eq!(count(&guest).await, 1);
}

/// Late in the evening nothing is left of today: tomorrow is shown, unless today was asked for.
#[tokio::test]
async fn a_guest_who_comes_late_is_led_to_tomorrow() {
    let product = Product::start().await;
    let guest = product.guest();
    let almaty = time::UtcOffset::from_hms(5, 0, 0).unwrap();
    let late = time::OffsetDateTime::now_utc()
        .to_offset(almaty)
        .replace_time(time::macros::time!(23:40));
    let now = late
        .format(&time::format_description::well_known::Rfc3339)
        .unwrap();
    product.control("clock", json!({ "now": now })).await;
    let address = format!("/brands/booking?filial={VENUE}");
    let page = found(&guest, &format!("{address}&lang=ru")).await;
    assert_eq!(page["date"], page["days"][1]["date"]);
    // And told why, in each language.
    for (lang, words) in [
        ("kk", "Бүгінге бос уақыт қалмады"),
        ("ru", "На сегодня свободного времени больше нет"),
        ("en", "Nothing is free today any more"),
    ] {
        let told = guest.get(&format!("{address}&lang={lang}")).await;
        let told = told.texts(".next").concat();
        assert!(told.starts_with(words), "{told}");
    }
    assert!(
        page["slots"]
            .as_array()
            .unwrap()
            .iter()
            .any(|slot| slot["free"] == true)
    );
    let today = page["days"][0]["date"].as_str().unwrap();
    let asked = format!("/brands/booking?filial={VENUE}&date={today}");
    let page = found(&guest, &asked).await;
    assert_eq!((&page["date"], &page["slots"]), (&json!(today), &json!([])));
    // A name that was typed has its field all the same.
    let html = guest.get(&asked).await;
    assert!(html.rendered().contains(r#"name="phone""#));
    assert_eq!(html.texts(".next"), [""; 0], "it was asked for");
}

/// Otherwise the wrong evening is booked from an old link.
#[tokio::test]
async fn a_day_that_cannot_be_booked_is_not_replaced_without_a_word() {
    let product = Product::start().await;
    let guest = product.guest();
    let of = |day: &str| format!("/brands/booking?filial={VENUE}&date={day}");
    for (lang, words) in [
        ("kk", "Ол күнге брондауға болмайды."),
        ("ru", "На этот день забронировать нельзя."),
        ("en", "No table can be booked for that day."),
    ] {
        for day in ["2019-11-01", "2031-02-30", "abc"] {
            let page = guest.get(&format!("{}&lang={lang}", of(day))).await;
            let note = page.texts(".note").concat();
            assert!(note.starts_with(words), "{day}: {note}");
        }
    }
    let known = found(&guest, &of("abc")).await;
    let page = guest
        .get(&of(known["days"][3]["date"].as_str().unwrap()))
        .await;
    assert_eq!(page.texts(".note"), [""; 0]);
}

/// Two free times of a page that are less than two hours apart, and one that is further from both.
fn times(page: &Value) -> (&str, &str, &str) {
    let minutes = |time: &str| {
        let (hours, minutes) = time.split_once(':').unwrap();
        hours.parse::<i64>().unwrap() * 60 + minutes.parse::<i64>().unwrap()
    };
    let slots = page["slots"].as_array().unwrap().iter();
    let free: Vec<&str> = slots
        .filter(|slot| slot["free"] == true)
        .map(|slot| slot["time"].as_str().unwrap())
        .collect();
    let last = free[free.len() - 1];
    let apart = |time: &str| minutes(last) - minutes(time);
    let near = free.iter().rfind(|time| (1..=120).contains(&apart(time)));
    let far = free.iter().rfind(|time| apart(time) > 240);
    (last, near.unwrap(), far.unwrap())
}

/// Dishes can be ordered ahead: the offer leads to what there is.
#[tokio::test]
async fn the_offer_to_order_ahead_leads_to_the_menu_of_its_venue() {
    let product = Product::start().await;
    let guest = product.guest();
    let links = format!(".table-for > .soft > a[href='/filials/{VENUE}']");
    let words = async |guest: &Guest, query: &str| {
        let page = format!("/brands/booking?filial={VENUE}&{query}");
        guest.get(&page).await.texts(&links)
    };
    for (lang, word) in [
        ("kk", "Мәзірді көру"),
        ("ru", "Посмотреть меню"),
        ("en", "See the menu"),
    ] {
        assert_eq!(words(&guest, &format!("lang={lang}")).await, [word]);
    }
}

/// Whoever has chosen dishes already is only to sign in, and comes back to the form.
#[tokio::test]
async fn dishes_in_the_cart_are_ordered_ahead_after_a_sign_in() {
    let product = Product::start().await;
    let guest = product.guest();
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    guest.add(VENUE, plain_products(&menu)[0].0).await;
    let address = format!("/brands/booking?filial={VENUE}&lang=en");
    let page = guest.get(&address).await;
    assert_eq!(
        page.texts(".table-for > p:not([class])"),
        ["In the cart: 1 dish. Sign in to order them ahead. Sign in"]
    );
    let html = page.rendered();
    let form = html.split("id=\"sign-in-ahead\"").nth(1).unwrap();
    let back = format!("value=\"/brands/booking?filial={VENUE}");
    assert!(form.split("</form>").next().unwrap().contains(&back));
    let signed = sign_in(&product, &guest, &address).await;
    let page = guest.get(&signed.location()).await;
    assert_eq!(page.texts("button[form=sign-in-ahead]"), [""; 0]);
    assert_eq!(page.texts(".table-for [name=ahead] + span").len(), 1);
    // When and how they are paid is known before it is booked.
    let said = page.texts(".table-for p.soft").concat();
    assert!(
        said.contains("After you book, pay for it here by card or QR code"),
        "{said}"
    );
}

/// A link may ask for what can't be had: the most is shown, and said to be that. What is no number was not asked for.
#[tokio::test]
async fn a_number_of_guests_that_no_table_is_booked_for_is_not_changed_in_silence() {
    let product = Product::start().await;
    let guest = product.guest();
    const WORDS: &str = "up to 20 guests";
    for (asked, guests, told) in [
        ("99", 20, true),
        ("99999999999999999999", 20, true),
        ("20", 20, false),
        ("0", 2, false),
        ("many", 2, false),
        ("-3", 2, false),
        ("2.5", 2, false),
        ("1e3", 2, false),
        ("", 2, false),
        ("5", 5, false),
    ] {
        let address = format!("/brands/booking?filial={VENUE}&guests={asked}&lang=en");
        let page = guest.get(&address).await;
        assert_eq!(page.data()["page"]["data"]["guests"], guests, "{asked}");
        let notes = page.texts(".book > .note").join(" ");
        assert_eq!(notes.contains(WORDS), told, "{asked}: {notes}");
    }
}

/// Dishes that are chosen for a table have a way back to its form, with the day and the guests that stood there.
#[tokio::test]
async fn the_cart_leads_back_to_the_booking_that_was_begun_and_its_dishes_are_ticked_there() {
    let product = Product::start().await;
    let guest = product.guest();
    sign_in(&product, &guest, "/").await;
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    guest.add(VENUE, plain_products(&menu)[0].0).await;
    let booking =
        async || guest.get("/cart?lang=en").await.data()["page"]["data"]["booking"].clone();
    assert_eq!(booking().await, Value::Null, "none was begun");
    let other = guest.get("/brands/booking?filial=1011").await;
    assert_eq!(other.status, 200);
    assert_eq!(booking().await, Value::Null, "it is at another venue");
    let path = format!("/brands/booking?filial={VENUE}&guests=5");
    let page = guest.get(&path).await;
    assert_eq!(page.data()["page"]["data"]["ticked"], false);
    let date = page.data()["page"]["data"]["date"].clone();
    let back = booking().await;
    let back = back.as_str().unwrap();
    assert!(
        guest
            .get("/cart?lang=en")
            .await
            .texts(".checkout a.button")
            .contains(&"Back to the booking".to_owned())
    );
    let again = guest.get(back).await;
    let form = again.data()["page"]["data"].clone();
    assert_eq!((&form["date"], &form["guests"]), (&date, &json!(5)));
    let ticked = again.texts(".table-for [name=ahead][checked]");
    assert_eq!(ticked.len(), 1, "{back}");
    assert!(
        guest
            .get(&path)
            .await
            .texts(".table-for [name=ahead][checked]")
            .is_empty()
    );
}

/// Where no scripts run, the button that signs in posts the form itself: what was typed comes back with the guest, once,
/// also when the first try came to nothing.
#[tokio::test]
async fn what_was_typed_for_a_table_comes_back_after_a_sign_in_without_scripts() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    let page = booking_page(&guest).await;
    let date = page["date"].as_str().unwrap();
    let back = format!("/brands/booking?filial={VENUE}&date={date}&guests=3");
    let button = "button[formaction='/session/sign-in']";
    assert_eq!(guest.get(&back).await.texts(button).len(), 1);
    let (venue, time) = (VENUE.to_string(), free(&page));
    let mut fields = form(&page, &venue, time);
    fields.retain(|(name, _)| *name != "phone");
    fields.extend([("phone", ""), ("comment", "у окна"), ("back", &back)]);
    let away = guest.post("/session/sign-in", &fields).await.location();
    guest.get("/auth?problem=denied").await;
    let at = Url::parse(&away).unwrap();
    let led = guest.get(&confirm(&product, &at).await).await;
    assert_eq!(led.location(), back);
    let shown = guest.get(&back).await;
    // What was left empty is the profile's.
    let html = shown.rendered();
    for typed in [r#"value="Айгүл""#, "у окна", r#"value="+7 701 000 00 31""#] {
        assert!(html.contains(typed), "{typed}");
    }
    let flash = shown.data()["shell"]["flash"].clone();
    assert_eq!(flash["values"]["time"], json!([time]), "{flash}");
    assert_eq!(flash["errors"], json!([]));
    assert!(!guest.get(&back).await.rendered().contains("у окна"));
}

/// Who signs in from elsewhere later may be another person at that browser.
#[tokio::test]
async fn what_was_typed_for_a_table_is_gone_after_a_sign_in_that_was_begun_elsewhere() {
    let product = Product::start().await;
    let guest = at_table_with_a_dish(&product).await;
    let page = booking_page(&guest).await;
    let back = format!("/brands/booking?filial={VENUE}");
    let venue = VENUE.to_string();
    let mut fields = form(&page, &venue, free(&page));
    fields.extend([("comment", "у окна"), ("back", &back)]);
    guest.post("/session/sign-in", &fields).await;
    sign_in(&product, &guest, "/orders").await;
    assert!(!guest.get(&back).await.rendered().contains("у окна"));
}

/// In the list and on its own page; a bill that is closed is its owner's still.
#[tokio::test]
async fn a_booking_tells_what_was_ordered_ahead_and_how_much_of_it_is_paid() {
    let product = Product::with(&["--catalogue-fresh-ms", "0"]).await;
    let guest = with_a_dish(&product).await;
    let page = booking_page(&guest).await;
    let venue = VENUE.to_string();
    let mut fields = form(&page, &venue, free(&page));
    fields.push(("ahead", "1"));
    let done = guest.post("/bookings", &fields).await.location();
    let own = found(&guest, &done).await["own"][0].clone();
    let bill = own["bill"].as_str().unwrap();
    let sum = found(&guest, bill).await["total"].as_i64().unwrap();
    assert_eq!(own["ahead"]["count"], 1, "{own}");
    assert_eq!(own["ahead"]["sum"], sum);
    let facts_say = async |words: &str| {
        for address in [&format!("{done}&lang=en"), "/brands/booking?lang=en"] {
            let page = guest.get(address).await;
            let facts = page.texts(".facts").concat();
            assert!(facts.contains("Ordered ahead: 1 dish, "), "{facts}");
            assert!(facts.contains(words), "{words}: {facts}");
            assert!(page.rendered().contains(&format!("href=\"{bill}\"")));
        }
    };
    facts_say("Not paid yet").await;
    // Among the orders nothing more stands below it: it is one. What is looked for and not there is said all the same.
    let orders = guest.get("/orders?lang=en").await;
    assert!(orders.texts(".orders > p").is_empty());
    assert!(!orders.rendered().contains("will be shown here"));
    let none = guest.get("/orders?type=delivery&lang=en").await;
    assert_eq!(none.texts(".empty h2").len(), 1);
    // Its sum, until when and how it is paid: one button leads there.
    assert_eq!(own["ahead"]["payUntil"], own["at"]);
    let page = guest.get(&format!("{done}&lang=en")).await;
    assert!(page.texts(".booked").concat().contains("Pay online by "));
    let to_pay = format!("Pay for the preorder, {}", crate::bill_pay::tenge(sum));
    assert_eq!(
        page.texts(".booked .button:not([data-quiet])"),
        std::slice::from_ref(&to_pay)
    );
    let list = guest.get("/brands/booking?lang=en").await;
    assert!(list.texts(".booked .button[data-quiet]").contains(&to_pay));
    let upstream = bill.replace("/bills", "/bills/v1");
    for (paid, words) in [(sum / 200, "Left to pay: "), (sum / 100, "· Paid")] {
        let answer = json!({ "/data/paid_sum": paid });
        product.replace(&upstream, answer).await;
        facts_say(words).await;
    }
    // Paid: there is nothing to press for, and no end of it.
    let page = guest.get(&format!("{done}&lang=en")).await;
    assert!(page.texts(".booked .button:not([data-quiet])").is_empty());
    assert!(!page.texts(".booked").concat().contains("Pay online by"));
    product.no_faults().await;
    // Where nothing is paid online there is none, either.
    let card = format!("/takeaway/locations/card/terminal/{VENUE}");
    let there = json!({ "/data/online_payment_disabled": true });
    product.replace(&card, there).await;
    let offline = eventually(60, async || {
        let own = found(&guest, &done).await["own"][0].clone();
        (own["venue"]["notOnline"] == true).then_some(own)
    })
    .await;
    assert_eq!(offline["ahead"]["payUntil"], json!(null));
    product.no_faults().await;
    product.fail(&upstream, 500).await;
    let own = found(&guest, &done).await["own"][0].clone();
    assert_eq!((&own["ahead"], &own["bill"]), (&json!(null), &json!(bill)));
    product.no_faults().await;
    let id = own["id"].as_str().unwrap();
    guest.post(&format!("/bookings/{id}/cancel"), &[]).await;
    let closed = guest.get(bill).await;
    assert_eq!(closed.status, 200);
    assert_eq!(closed.data()["page"]["data"]["state"], "closed");
    assert_eq!(product.guest().get(bill).await.status, 303);
}

/// What is over or was given back stands apart from what is to come.
#[tokio::test]
async fn tables_of_before_and_those_given_back_are_listed_with_what_became_of_them() {
    let product = Product::start().await;
    let guest = product.guest();
    let page = booking_page(&guest).await;
    let venue = VENUE.to_string();
    let fields = form(&page, &venue, free(&page));
    guest.post("/bookings", &fields).await;
    let list = found(&guest, "/brands/booking").await;
    assert_eq!(list["past"], json!([]));
    let id = list["own"][0]["id"].as_str().unwrap();
    guest.post(&format!("/bookings/{id}/cancel"), &[]).await;
    let past_tables = async |lang: &str| {
        let page = guest.get(&format!("/brands/booking?lang={lang}")).await;
        assert_eq!(page.data()["page"]["data"]["own"], json!([]));
        page.texts(".past").concat()
    };
    for (lang, words) in [("kk", "Жойылды"), ("ru", "Отменена"), ("en", "Canceled")]
    {
        let shown = past_tables(lang).await;
        assert!(shown.contains(words) && shown.contains("Айгүл"), "{shown}");
    }
    // Whoever chooses a time is not shown them, and its time is free again.
    let again = booking_page(&guest).await;
    assert_eq!(again["past"], json!([]));
    assert_eq!(
        guest
            .get(&format!("/bookings/{id}/calendar.ics"))
            .await
            .status,
        404
    );
    let over = json!({ "/data/0/status": "booked", "/data/0/at": minutes_from_now(-121) });
    product.replace("/booking/v1/bookings", over).await;
    let shown = past_tables("en").await;
    assert!(
        shown.contains("Past") && !shown.contains("Canceled"),
        "{shown}"
    );
}

async fn count(guest: &Guest) -> usize {
    let own = found(guest, "/brands/booking").await["own"].clone();
    own.as_array().unwrap().len()
}

#[tokio::test]
async fn a_second_booking_of_the_same_hours_is_asked_about_and_made_by_one_more_press() {
    let product = Product::start().await;
    let guest = product.guest();
    let venue = VENUE.to_string();
    let first = booking_page(&guest).await;
    let (last, near, far) = times(&first);
    let booked = guest.submit("/bookings", &form(&first, &venue, last)).await;
    let id = booked.data()["page"]["data"]["done"].clone();
    let id = id.as_str().unwrap();
    // From another tab, and from another venue of the same place: asked, with the time of the first.
    let tab = booking_page(&guest).await;
    for (venue_id, time) in [
        (venue.as_str(), near),
        (venue.as_str(), last),
        ("1011", near),
    ] {
        let fields = form(&tab, venue_id, time);
        let asked = guest.post_json("/bookings", &fields).await;
        let flash = asked.json()["flash"].clone();
        assert_eq!(flash["kind"], "bookingTwice");
        assert_eq!(flash["values"]["twice"], json!([id, last]));
        assert_eq!(count(&guest).await, 1, "nothing is made by it");
    }
    let fields = form(&tab, &venue, near);
    let asked = guest.submit("/bookings", &fields).await;
    let html = asked.rendered();
    assert!(
        !html.contains("role=\"alert\""),
        "nothing is wrong with the form"
    );
    assert_eq!(
        asked.texts("h3"),
        [format!("Бұл мейрамханада {last} уақытына броныңыз бар")]
    );
    assert!(html.contains(&format!("href=\"/brands/booking?booking={id}\"")));
    assert!(html.contains(r#"name="another""#) && html.contains(r#"value="Айгүл""#));
    // One more press, be it a double one, makes one more.
    let mut sure = fields.clone();
    sure.push(("another", "1"));
    let made = guest.post("/bookings", &sure).await;
    assert!(made.location().contains("booking="), "{}", made.location());
    assert_eq!(
        guest.post("/bookings", &sure).await.location(),
        made.location()
    );
    assert_eq!(count(&guest).await, 2);
    // Other hours and other guests are nobody's mistake.
    let later = booking_page(&guest).await;
    let made = guest.post("/bookings", &form(&later, &venue, far)).await;
    assert!(made.location().contains("booking="), "{}", made.location());
    let other = product.guest();
    let page = booking_page(&other).await;
    let made = other.post("/bookings", &form(&page, &venue, near)).await;
    assert!(made.location().contains("booking="), "{}", made.location());
}

#[tokio::test]
async fn a_form_that_is_come_back_to_for_another_time_is_another_booking() {
    let product = Product::start().await;
    let guest = product.guest();
    let venue = VENUE.to_string();
    let page = booking_page(&guest).await;
    let (last, near, far) = times(&page);
    let first = guest.post("/bookings", &form(&page, &venue, last)).await;
    // Back, and the same button: what was made.
    let again = guest.post("/bookings", &form(&page, &venue, last)).await;
    assert_eq!(again.location(), first.location());
    // Back, and another time: asked about, or made where the hours are others; never silently the first.
    let asked = guest
        .post_json("/bookings", &form(&page, &venue, near))
        .await;
    assert_eq!(asked.json()["flash"]["kind"], "bookingTwice");
    let made = guest.post("/bookings", &form(&page, &venue, far)).await;
    assert_ne!(made.location(), first.location());
    let own = found(&guest, "/brands/booking").await["own"].clone();
    assert_eq!(own.as_array().unwrap().len(), 2, "{own}");
    // The nearer one first, though it was made last.
    let times = |own: &Value| [0, 1].map(|index| own[index]["at"].as_i64().unwrap());
    assert!(times(&own).is_sorted(), "{own}");
    let twice = guest.post("/bookings", &form(&page, &venue, far)).await;
    assert_eq!(twice.location(), made.location());
    // One whose time has come stands last.
    let moved = json!({ "/data/0/at": minutes_from_now(-5), "/data/1/at": minutes_from_now(60) });
    product.replace("/booking/v1/bookings", moved).await;
    let own = found(&guest, "/brands/booking").await["own"].clone();
    let [first, second] = times(&own);
    assert!(second < first, "{own}");
}

/// The first one may come about yet.
#[tokio::test]
async fn a_form_whose_answer_was_lost_books_no_other_time_under_the_name_of_the_first() {
    let product = Product::start().await;
    let guest = product.guest();
    let venue = VENUE.to_string();
    let page = booking_page(&guest).await;
    let (last, _, far) = times(&page);
    let lost = json!({ "path": "/booking/v1/bookings", "method": "POST", "kind": "status", "status": 502,
        "after_commit": true });
    product.control("faults", lost).await;
    let (first, other) = (form(&page, &venue, last), form(&page, &venue, far));
    let told = guest.post_json("/bookings", &first).await.json();
    assert_eq!(told["flash"]["kind"], "bookingUnknown");
    for unknown in [true, false] {
        let told = guest.post_json("/bookings", &other).await.json();
        assert_eq!(told["flash"]["kind"], "bookingSent", "{told}");
        if unknown {
            product.no_faults().await;
        }
    }
    // Once the first is known, the other is another one.
    let made = guest.post("/bookings", &first).await.location();
    assert!(made.contains("booking="), "{made}");
    let another = guest.post("/bookings", &other).await.location();
    assert_ne!(another, made);
    assert_eq!(count(&guest).await, 2);
}

/// Nor under the name of a later one.
#[tokio::test]
async fn a_form_whose_second_answer_was_lost_books_no_third_time() {
    let product = Product::start().await;
    let guest = product.guest();
    let venue = VENUE.to_string();
    let page = booking_page(&guest).await;
    let (first, second, third) = times(&page);
    let fields = |time| form(&page, &venue, time);
    let made = guest.post("/bookings", &fields(first)).await.location();
    assert!(made.contains("booking="), "{made}");
    let lost = json!({ "path": "/booking/v1/bookings", "method": "POST", "kind": "status", "status": 502,
        "after_commit": true });
    product.control("faults", lost).await;
    let mut beside = fields(second);
    beside.push(("another", "1"));
    let told = guest.post_json("/bookings", &beside).await.json();
    assert_eq!(told["flash"]["kind"], "bookingUnknown", "{told}");
    product.no_faults().await;
    let mut other = fields(third);
    other.push(("another", "1"));
    let told = guest.post_json("/bookings", &other).await.json();
    assert_eq!(told["flash"]["kind"], "bookingSent", "{told}");
    assert_eq!(count(&guest).await, 2);
    // Once it is known, the third is another one.
    let second = guest.post("/bookings", &beside).await.location();
    assert_ne!(second, made);
    let third = guest.post("/bookings", &other).await.location();
    assert!(third.contains("booking=") && third != second, "{third}");
    assert_eq!(count(&guest).await, 3);
}

/// The dishes and the sum of then are what was seen.
#[tokio::test]
async fn dishes_that_came_in_another_tab_are_not_ordered_with_a_table_unseen() {
    let product = Product::start().await;
    let guest = with_a_dish(&product).await;
    let page = booking_page(&guest).await;
    let venue = VENUE.to_string();
    let version = async || {
        let shell = guest.get("/brands/booking").await.data()["shell"].clone();
        format!("v{}", shell["cart"]["version"])
    };
    let seen = version().await;
    let mut fields = form(&page, &venue, free(&page));
    fields.push(("ahead", &seen));
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    guest.add(VENUE, plain_products(&menu)[1].0).await;
    let refused = guest.post_json("/bookings", &fields).await.json();
    let error = &refused["flash"]["errors"][0];
    assert_eq!(error["field"], "ahead", "{refused}");
    assert_eq!(error["code"], "versionChanged");
    assert_eq!(sent(&product).await, 0);
    let now = version().await;
    fields.pop();
    fields.push(("ahead", &now));
    let made = guest.post("/bookings", &fields).await.location();
    assert!(made.contains("booking="), "{made}");
}

/// A guest who is signed in has it on every phone.
#[tokio::test]
async fn a_table_that_the_server_books_by_itself_is_of_the_account() {
    let product = Product::start().await;
    let (guest, phone) = (product.guest(), product.guest());
    for one in [&guest, &phone] {
        sign_in(&product, one, "/").await;
    }
    let venue = VENUE.to_string();
    let page = booking_page(&guest).await;
    let down = json!({ "path": "/booking/v1/bookings", "method": "POST", "kind": "status", "status": 502 });
    product.control("faults", down).await;
    let fields = form(&page, &venue, free(&page));
    let told = guest.post_json("/bookings", &fields).await.json();
    assert_eq!(told["flash"]["kind"], "bookingUnknown");
    assert_eq!(count(&phone).await, 0);
    product.no_faults().await;
    // The guest has left for good.
    let product = product.killed_and_started_again().await;
    let phone = phone.at(&product);
    eventually(60, async || (count(&phone).await == 1).then_some(())).await;
}

#[tokio::test]
async fn the_form_of_a_table_that_was_given_back_books_anew() {
    let product = Product::start().await;
    let guest = product.guest();
    let venue = VENUE.to_string();
    let page = booking_page(&guest).await;
    let fields = form(&page, &venue, free(&page));
    let mut before = String::new();
    for _ in 0..3 {
        let made = guest.post("/bookings", &fields).await.location();
        assert_ne!(made, before);
        let again = guest.post("/bookings", &fields).await.location();
        assert_eq!(again, made, "pressed twice it is one");
        let own = found(&guest, &made).await;
        assert_eq!(own["own"].as_array().unwrap().len(), 1);
        let id = own["done"].as_str().unwrap();
        // Whether the answer comes, or is lost.
        if !before.is_empty() {
            let path = format!("/booking/v1/bookings/{id}/cancel");
            let lost =
                json!({ "path": path, "kind": "status", "status": 502, "after_commit": true });
            product.control("faults", lost).await;
        }
        guest.post(&format!("/bookings/{id}/cancel"), &[]).await;
        product.no_faults().await;
        assert_eq!(count(&guest).await, 0);
        before = made;
    }
}

/// The calls that have booked a table.
async fn sent(product: &Product) -> usize {
    let mut log = product.sandbox_get("log").await;
    log.retain(|call| call["method"] == "POST" && call["path"] == "/booking/v1/bookings");
    log.len()
}

/// A signed-in guest at a table, with a dish in the cart.
async fn with_a_dish(product: &Product) -> Guest {
    let guest = at_table_with_a_dish(product).await;
    sign_in(product, &guest, "/").await;
    guest
}

/// Both would be cooked.
#[tokio::test]
async fn dishes_whose_order_is_not_known_yet_are_not_ordered_with_a_table_as_well() {
    let product = Product::start().await;
    let guest = with_a_dish(&product).await;
    let page = booking_page(&guest).await;
    let venue = VENUE.to_string();
    let mut fields = form(&page, &venue, free(&page));
    fields.push(("ahead", "1"));
    let lost = json!({ "path": "/takeaway/v1/express/order", "kind": "status", "status": 503, "after_commit": true });
    product.control("faults", lost).await;
    let checking = order(&guest, "cash").await.location();
    assert!(checking.starts_with("/orders/checking/"), "{checking}");
    assert_eq!(guest.post("/bookings", &fields).await.location(), checking);
    assert_eq!(sent(&product).await, 0);
    product.no_faults().await;
    eventually(40, async || {
        (guest.get(&checking).await.status == 303).then_some(())
    })
    .await;
    // They are not in the cart any more; without them the table can be had.
    let refused = guest.post_json("/bookings", &fields).await.json();
    let error = &refused["flash"]["errors"][0];
    assert_eq!(error["field"], "ahead", "{refused}");
    assert_eq!(error["code"], "versionChanged");
    fields.pop();
    let made = guest.post("/bookings", &fields).await.location();
    assert!(made.contains("booking="), "{made}");
}

#[tokio::test]
async fn dishes_of_a_booking_that_is_not_known_yet_are_not_ordered_by_themselves_as_well() {
    let product = Product::start().await;
    let guest = with_a_dish(&product).await;
    let page = booking_page(&guest).await;
    let venue = VENUE.to_string();
    let mut fields = form(&page, &venue, free(&page));
    fields.push(("ahead", "1"));
    let lost = json!({ "path": "/booking/v1/bookings", "method": "POST", "kind": "status", "status": 503, "after_commit": true });
    product.control("faults", lost).await;
    let told = guest.post_json("/bookings", &fields).await.json();
    assert_eq!(told["flash"]["kind"], "bookingUnknown");
    let told = order(&guest, "cash").await;
    assert_eq!(told.location(), "/cart#order");
    let cart = guest.get("/cart").await.data();
    let error = &cart["shell"]["flash"]["errors"][0];
    assert_eq!(error["code"], "blocked");
    assert_eq!(error["values"]["reason"], "booked");
    assert_eq!(product.sandbox_get("orders").await.len(), 0);
    // Nor with another table.
    let other = booking_page(&guest).await;
    let mut another = form(&other, &venue, free(&other));
    another.extend([("ahead", "1"), ("another", "1")]);
    let told = guest.post_json("/bookings", &another).await.json();
    assert_eq!(told["flash"]["kind"], "bookingUnknown", "{told}");
    product.no_faults().await;
    let made = guest.post("/bookings", &fields).await.location();
    assert!(made.contains("booking="), "{made}");
    assert_eq!(count(&guest).await, 1);
    assert!(guest.get("/cart").await.data()["shell"]["cart"].is_null());
    // What comes into the cart then can be ordered.
    put_in(&guest, VENUE).await;
    let placed = order(&guest, "cash").await.location();
    assert!(placed.contains("/order/"), "{placed}");
}

/// The sign-in of the guest ends upstream; the next call of theirs gets another one.
async fn end_sign_in(product: &Product, guest: &Guest) {
    let account = account_of(product, guest).await.unwrap();
    revoke(product, account.bearer.as_str()).await;
}

#[tokio::test]
async fn a_booking_that_is_open_is_found_out_for_who_orders_though_the_kept_sign_in_has_ended() {
    let product = Product::start().await;
    let guest = with_a_dish(&product).await;
    let page = booking_page(&guest).await;
    let venue = VENUE.to_string();
    let mut fields = form(&page, &venue, free(&page));
    fields.push(("ahead", "1"));
    let lost = json!({ "path": "/booking/v1/bookings", "method": "POST", "kind": "status", "status": 503, "after_commit": true });
    product.control("faults", lost).await;
    let told = guest.post_json("/bookings", &fields).await.json();
    assert_eq!(told["flash"]["kind"], "bookingUnknown");
    end_sign_in(&product, &guest).await;
    product.no_faults().await;
    assert_eq!(order(&guest, "cash").await.location(), "/cart#order");
    let cart = guest.get("/cart").await.data();
    let error = &cart["shell"]["flash"]["errors"][0];
    assert_eq!(error["code"], "versionChanged", "{error}");
    assert!(cart["shell"]["cart"].is_null(), "they come with the table");
    assert_eq!(product.sandbox_get("orders").await.len(), 0);
    assert_eq!(count(&guest).await, 1);
}

#[tokio::test]
async fn a_table_by_itself_is_booked_for_the_device_where_the_sign_in_has_ended() {
    let product = Product::start().await;
    let guest = product.guest();
    sign_in(&product, &guest, "/").await;
    let page = booking_page(&guest).await;
    let venue = VENUE.to_string();
    let down = json!({ "path": "/booking/v1/bookings", "method": "POST", "kind": "status", "status": 502 });
    product.control("faults", down).await;
    let fields = form(&page, &venue, free(&page));
    let told = guest.post_json("/bookings", &fields).await.json();
    assert_eq!(told["flash"]["kind"], "bookingUnknown");
    end_sign_in(&product, &guest).await;
    product.no_faults().await;
    eventually(60, async || (count(&guest).await == 1).then_some(())).await;
}

#[tokio::test]
async fn a_booking_keeps_the_sign_in_that_was_renewed_while_it_was_made() {
    let product = Product::start().await;
    let guest = with_a_dish(&product).await;
    let page = booking_page(&guest).await;
    let venue = VENUE.to_string();
    let mut fields = form(&page, &venue, free(&page));
    fields.push(("ahead", "1"));
    let down = json!({ "path": "/booking/v1/bookings", "method": "POST", "kind": "status", "status": 502 });
    product.control("faults", down).await;
    end_sign_in(&product, &guest).await;
    let told = guest.post_json("/bookings", &fields).await.json();
    assert_eq!(told["flash"]["kind"], "bookingUnknown");
    product.no_faults().await;
    eventually(60, async || (count(&guest).await == 1).then_some(())).await;
}

#[tokio::test]
async fn a_form_that_is_sent_while_another_is_on_its_way_waits_and_is_asked_about() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let venue = VENUE.to_string();
    let before = booking_page(&guest).await;
    guest
        .post("/bookings", &form(&before, &venue, times(&before).2))
        .await;
    let (one, two) = (booking_page(&guest).await, booking_page(&guest).await);
    let (last, near, _) = times(&one);
    let slow = json!({ "path": "/booking/v1/bookings", "method": "POST", "kind": "delay", "delay_ms": 700 });
    product.control("faults", slow).await;
    let (first, second) = (form(&one, &venue, last), form(&two, &venue, near));
    let (one, two) = tokio::join!(
        guest.post_json("/bookings", &first),
        guest.post_json("/bookings", &second)
    );
    let (one, two) = (one.json(), two.json());
    let asked = |answer: &Value| answer["flash"]["kind"] == "bookingTwice";
    assert!(asked(&one) != asked(&two), "{one} {two}");
    product.no_faults().await;
    assert_eq!(count(&guest).await, 2);
}

#[tokio::test]
async fn two_tabs_of_a_browser_that_has_done_nothing_book_one_table_and_are_asked() {
    let product = Product::start().await;
    let guest = product.guest();
    let address = format!("/brands/booking?filial={VENUE}");
    // A look at the list, a link fetched ahead and a preview leave nothing.
    guest.get("/brands/booking").await;
    let ahead = guest.get_with(&address, &[("x-prefetch", "1")]).await;
    assert_eq!(ahead.data()["page"]["data"]["held"], false);
    guest
        .send(guest.request(reqwest::Method::HEAD, &address))
        .await;
    assert_eq!(guest.cookie("dk"), None);
    // Both tabs come without a cookie; the browser keeps the last one that it is given.
    let (one, two) = tokio::join!(booking_page(&guest), booking_page(&guest));
    assert_eq!((&one["held"], &two["held"]), (&json!(true), &json!(true)));
    assert_ne!(guest.cookie("dk"), None);
    let venue = VENUE.to_string();
    let (last, near, _) = times(&one);
    let (first, second) = (form(&one, &venue, last), form(&two, &venue, near));
    let (one, two) = tokio::join!(
        guest.post_json("/bookings", &first),
        guest.post_json("/bookings", &second)
    );
    let (one, two) = (one.json(), two.json());
    let asked = |answer: &Value| answer["flash"]["kind"] == "bookingTwice";
    assert!(asked(&one) != asked(&two), "{one} {two}");
    assert_eq!(count(&guest).await, 1, "and it is in the browser's list");
    let log = product.sandbox_get("log").await;
    let sent = log
        .iter()
        .filter(|call| call["method"] == "POST" && call["path"] == "/booking/v1/bookings");
    assert_eq!(sent.count(), 1);
}

#[tokio::test]
async fn an_invalid_number_is_answered_with_an_example_of_the_country() {
    let product = Product::start().await;
    let guest = product.guest();
    let page = booking_page(&guest).await;
    let venue = VENUE.to_string();
    let mut fields = form(&page, &venue, free(&page));
    fields.retain(|(name, _)| *name != "phone");
    fields.push(("phone", "7701"));
    let refused = guest.submit("/bookings", &fields).await;
    let html = refused.rendered();
    assert!(html.contains("+7 701 000 00 01"), "{html}");
    assert!(!html.contains("+995"), "{html}");
}

#[tokio::test]
async fn a_number_without_a_code_has_the_code_that_the_town_tells() {
    let upstream = Product::start().await;
    let code = json!({ "/data/towns/0/config/meta/phone/code": "+995" });
    upstream.replace("/locations/v1/countries/1", code).await;
    let product = Product::in_front_of(&upstream).await;
    let guest = product.guest();
    let page = booking_page(&guest).await;
    let venue = VENUE.to_string();
    let mut fields = form(&page, &venue, free(&page));
    fields.retain(|(name, _)| *name != "phone");
    fields.push(("phone", "599 12 34 56"));
    guest.post("/bookings", &fields).await;
    let page = booking_page(&guest).await;
    assert_eq!(page["phone"], "+995599123456");
    // An example of the same place.
    let mut fields = form(&page, &venue, free(&page));
    fields.retain(|(name, _)| *name != "phone");
    fields.push(("phone", "7701"));
    let refused = guest.submit("/bookings", &fields).await;
    assert!(refused.rendered().contains("+995 599 12 34 56"));
}

#[tokio::test]
async fn a_venue_that_does_not_tell_what_is_booked_books_nothing_unseen() {
    let product = Product::start().await;
    let guest = product.guest();
    let venue = VENUE.to_string();
    let page = booking_page(&guest).await;
    let (last, _, far) = times(&page);
    guest.post("/bookings", &form(&page, &venue, far)).await;
    let page = booking_page(&guest).await;
    let fields = form(&page, &venue, last);
    let silent =
        json!({ "path": "/booking/v1/bookings", "method": "GET", "kind": "status", "status": 500 });
    product.control("faults", silent).await;
    let refused = guest.submit("/bookings", &fields).await;
    assert_eq!(refused.data()["shell"]["flash"]["kind"], "bookingUnreached");
    assert!(refused.rendered().contains(r#"value="Айгүл""#));
    product.no_faults().await;
    eventually(60, async || {
        let made = guest.post("/bookings", &fields).await.location();
        made.contains("booking=").then_some(())
    })
    .await;
    assert_eq!(count(&guest).await, 2);
}

#[tokio::test]
async fn a_form_sent_eight_times_at_once_leads_each_time_to_the_one_booking() {
    let product = Product::start().await;
    let guest = product.guest();
    let page = booking_page(&guest).await;
    let venue = VENUE.to_string();
    let fields = form(&page, &venue, free(&page));
    let slow = json!({ "path": "/booking/v1/bookings", "method": "POST", "kind": "delay", "delay_ms": 1500 });
    product.control("faults", slow).await;
    // Some come while the first is looked into, the others while it is on its way to the venue.
    let pressed = join_all((0..8).map(async |number: u64| {
        tokio::time::sleep(Duration::from_millis(number * 150)).await;
        guest.second_tab().post("/bookings", &fields).await
    }))
    .await;
    let first = pressed[0].location();
    assert!(first.contains("booking="), "{first}");
    for answer in &pressed {
        assert_eq!((answer.status, answer.location()), (303, first.clone()));
    }
    product.no_faults().await;
    assert_eq!(count(&guest).await, 1);
}

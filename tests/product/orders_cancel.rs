//! Taking an order back, and what is promised of its money (OR-04, PY-12, TX-24).

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::{
    orders::{press, ready_to_order},
    orders_own::{LANGS, ORDER, bought, data, pay, placed, set_status, signed_in},
    support::{Product, VENUE, as_fields, order_fields, plain_products},
};

#[tokio::test]
async fn a_guest_takes_an_order_back_without_scripts_before_it_is_cooked() {
    let product = Product::start().await;
    let (guest, seen) = ready_to_order(&product).await;
    let path = press(&guest, &seen).await.location();
    let page = guest.get(&format!("{path}&lang=en")).await;
    let id = data(&page)["id"].as_str().unwrap().to_owned();
    let question = format!("{path}&step=cancel");
    let link = format!("href=\"{}\"", question.replace('&', "&amp;"));
    assert!(page.rendered().contains(&link), "{link}");
    assert!(page.texts(".leave").is_empty(), "nothing is asked yet");

    let asked = guest.get(&format!("{question}&lang=en")).await;
    assert_eq!(asked.texts("#leave"), ["Cancel this order?"]);
    assert_eq!(asked.texts(".leave .choice").len(), 3);
    assert!(
        !asked.text().contains(r#"http-equiv="refresh""#),
        "nothing is typed away"
    );
    let key = path.split("key=").nth(1).unwrap();
    let action = format!("/orders/{id}/cancel?key={key}");
    assert!(asked.rendered().contains(&format!(r#"action="{action}""#)));

    // A browser with neither link nor session takes nothing back.
    let other_guest = product.guest();
    let refused = other_guest
        .post(&format!("/orders/{id}/cancel"), &[("back", "/")])
        .await;
    assert_eq!(refused.status, 404);
    assert_eq!(data(&guest.get(&path).await)["status"], "created");

    let fields = [
        ("reason", "There is a mistake in the order"),
        ("back", path.as_str()),
    ];
    let done = guest.submit(&action, &fields).await;
    let order = data(&done);
    assert_eq!(order["status"], "canceled");
    assert_eq!(order["reason"], "There is a mistake in the order");
    assert_eq!(
        order["refund"],
        json!({ "promise": "nothing", "sum": null })
    );
    assert_eq!(
        (&order["canCancel"], &order["cancelling"]),
        (&json!(false), &json!(false))
    );
    assert!(!done.rendered().contains("step=cancel"));
    assert!(
        done.rendered().contains(r#"action="/orders/repeat""#),
        "it can be had again"
    );
    // The strip agrees at once.
    assert!(guest.get("/").await.data()["shell"]["activeOrder"].is_null());
}

#[tokio::test]
async fn an_order_that_is_cooked_or_over_stays_and_the_guest_is_told_why() {
    let product = Product::start().await;
    let words = [
        "Асүй дайындап жатыр",
        "Кухня уже готовит",
        "The kitchen is already cooking",
        "სამზარეულო უკვე ამზადებს",
    ];
    let (guest, bearer) = signed_in(&product).await;
    for (status, kind) in [
        ("cooking", "takeaway"),
        ("ready", "takeaway"),
        ("delivery", "delivery"),
        ("completed", "takeaway"),
    ] {
        let id = bought(&product, &bearer, kind, "cash").await;
        set_status(&product, &id, status).await;
        let path = format!("/orders/{id}");
        let page = guest.get(&format!("{path}?step=cancel&lang=ru")).await;
        assert_eq!(page.location(), format!("{path}?lang=ru"), "{status}");
        let page = guest.get(&path).await;
        assert!(!page.rendered().contains("step=cancel"), "{status}");
        // The page was open before it was cooked.
        let cancel = format!("{path}/cancel");
        for (lang, words) in LANGS.into_iter().zip(words) {
            let back = format!("{path}?lang={lang}");
            let told = guest.submit(&cancel, &[("back", back.as_str())]).await;
            assert_eq!(data(&told)["status"], status);
            assert_eq!(told.data()["shell"]["flash"]["kind"], "orderTooLate");
            let said = told.texts(".track > .note").join("");
            assert_eq!(
                said.contains(words),
                status != "completed",
                "{status} {lang}: {said}"
            );
        }
    }
    // One that is taken back already is taken back, however often the button is pressed.
    let id = bought(&product, &bearer, "takeaway", "cash").await;
    let path = format!("/orders/{id}");
    for _ in 0..2 {
        let told = guest
            .submit(&format!("{path}/cancel"), &[("back", &path)])
            .await;
        assert_eq!(told.data()["shell"]["flash"]["kind"], "orderCancelled");
        assert_eq!(data(&told)["status"], "canceled");
    }
}

#[tokio::test]
async fn an_order_that_is_taken_back_eight_times_at_once_is_taken_back_by_one_call() {
    let product = Product::start().await;
    let (guest, bearer) = signed_in(&product).await;
    let id = bought(&product, &bearer, "takeaway", "cash").await;
    let (path, call) = (
        format!("/orders/{id}"),
        format!("/takeaway/v1/order/{id}/cancel"),
    );
    let slow = json!({ "path": call, "kind": "delay", "delay_ms": 300 });
    product.control("faults", slow).await;
    let cancel = format!("{path}/cancel");
    let fields = [("back", path.as_str())];
    let press = async |_| guest.second_tab().post(&cancel, &fields).await;
    let pressed = join_all((0..8).map(press)).await;
    for answer in &pressed {
        assert_eq!((answer.status, answer.location()), (303, path.clone()));
    }
    assert_eq!(product.queries(&call).await.len(), 1);
    assert_eq!(data(&guest.get(&path).await)["status"], "canceled");
    // Of another guest nothing is known by that, however often they press.
    let other_guest = product.guest();
    let refused = other_guest.post(&cancel, &[("back", "/")]).await;
    assert_eq!(refused.status, 404);
}

#[tokio::test]
async fn an_upstream_that_does_not_answer_leaves_the_question_open() {
    let product = Product::start().await;
    let (guest, bearer) = signed_in(&product).await;
    let id = bought(&product, &bearer, "takeaway", "cash").await;
    let (path, cancel) = (format!("/orders/{id}"), format!("/orders/{id}/cancel"));
    let ask = format!("{path}?step=cancel");
    product
        .fail(&format!("/takeaway/v1/order/{id}/cancel"), 500)
        .await;
    let fields = [("back", path.as_str()), ("ask", ask.as_str())];
    let failed = guest.submit(&cancel, &fields).await;
    assert_eq!(failed.data()["page"]["data"]["cancelling"], true);
    assert_eq!(failed.texts(r#".leave [role="alert"]"#).len(), 1);
    product.no_faults().await;
    let done = guest.submit(&cancel, &fields).await;
    assert_eq!(data(&done)["status"], "canceled");
    // The way back is one of ours.
    let other = bought(&product, &bearer, "takeaway", "cash").await;
    let away = guest
        .post(
            &format!("/orders/{other}/cancel"),
            &[("back", "https://evil.example/")],
        )
        .await;
    assert_eq!((away.status, away.location()), (303, "/".to_owned()));
}

/// Of a lost answer the order itself tells: what is done is not said to have failed.
#[tokio::test]
async fn an_order_that_was_taken_back_is_told_as_that_though_the_answer_was_lost() {
    let product = Product::start().await;
    let (guest, seen) = ready_to_order(&product).await;
    let path = press(&guest, &seen).await.location();
    let order = data(&guest.get(&path).await);
    let id = order["id"].as_str().unwrap();
    let lost = json!({ "path": format!("/takeaway/v1/order/{id}/cancel"), "kind": "status", "status": 502,
        "after_commit": true });
    product.control("faults", lost).await;
    let (_, key) = path.split_once("key=").unwrap();
    let cancel = format!("/orders/{id}/cancel?key={key}");
    let ask = format!("{path}&step=cancel");
    let fields = [("back", path.as_str()), ("ask", ask.as_str())];
    let done = guest.post(&cancel, &fields).await;
    assert_eq!((done.status, done.location()), (303, path.clone()));
    let page = guest.get(&path).await;
    assert_eq!(data(&page)["status"], "canceled");
    // Its dishes are in the cart again, as after an answer that came.
    assert!(page.data()["shell"]["cart"].is_object());
}

#[tokio::test]
async fn what_was_paid_online_comes_back_within_minutes_and_says_how_much() {
    let product = Product::start().await;
    let (guest, bearer) = signed_in(&product).await;
    let placed = placed(&product, &bearer, "delivery", "online").await;
    let id = placed["id"].as_str().unwrap();
    let path = format!("/orders/{id}");
    pay(&product, &placed).await;
    let paid = data(&guest.get(&path).await);
    assert_eq!(paid["paid"], true);
    // Before it is called off: how much, and where it goes; the bonuses beside it.
    let spent = json!({ "/data/bonus_paid": 250 });
    product.replace(ORDER, spent).await;
    let charged = crate::bill_pay::tenge(paid["cardSum"].as_i64().unwrap());
    let before = [
        (
            "kk",
            "төлеген картаңызға немесе банк шотыңызға",
            "Жұмсалған бонустар балансыңызға қайтарылады: 250",
        ),
        (
            "ru",
            "на карту или банковский счёт, с которых вы платили",
            "Потраченные бонусы вернутся на ваш баланс: 250",
        ),
        (
            "en",
            "to the card or bank account you paid from",
            "The bonuses you have spent will be back on your balance: 250",
        ),
        (
            "ka&country=ge",
            "ბარათზე ან საბანკო ანგარიშზე, საიდანაც გადაიხადეთ",
            "დახარჯული ბონუსები თქვენს ბალანსზე დაბრუნდება: 250",
        ),
    ];
    for (lang, place, bonuses) in before {
        let asked = guest.get(&format!("{path}?step=cancel&lang={lang}")).await;
        let said = asked.texts(".leave > p").join("|");
        assert!(
            said.contains(place) && said.contains(&charged),
            "{lang}: {said}"
        );
        assert!(said.contains(bonuses), "{lang}: {said}");
        // What takes the order away is no main button.
        assert!(asked.texts(".leave .button:not([data-quiet])").is_empty());
        assert_eq!(asked.texts(".leave form[data-bad] .button").len(), 1);
    }
    product.no_faults().await;
    guest
        .post(&format!("{path}/cancel"), &[("back", &path)])
        .await;
    let words = [
        (
            "Ақша бірнеше минут ішінде төлеген картаңызға немесе банк шотыңызға қайтарылады.",
            "Ақша 1 жұмыс күні ішінде төлеген картаңызға немесе банк шотыңызға қайтарылады.",
        ),
        (
            "Деньги вернутся в течение нескольких минут на карту или банковский счёт, с которых вы платили.",
            "Деньги вернутся в течение 1 рабочего дня на карту или банковский счёт, с которых вы платили.",
        ),
        (
            "The money will be returned within minutes to the card or bank account you paid from.",
            "The money will be returned within 1 business day to the card or bank account you paid from.",
        ),
        (
            "თანხა რამდენიმე წუთში დაბრუნდება ბარათზე ან საბანკო ანგარიშზე, საიდანაც გადაიხადეთ.",
            "თანხა 1 სამუშაო დღეში დაბრუნდება ბარათზე ან საბანკო ანგარიშზე, საიდანაც გადაიხადეთ.",
        ),
    ];
    // It was called off long after it should have been there: the other promise, of the same money.
    let late = json!({ "/data/created_at": "2026-01-01T06:00:00Z", "/data/statuses/0/time": "2026-01-01T06:00:00Z" });
    for (lang, (minutes, day)) in LANGS.into_iter().zip(words) {
        product.no_faults().await;
        let page = guest.get(&format!("{path}?lang={lang}")).await;
        let order = data(&page);
        assert_eq!(order["refund"]["promise"], "minutes");
        assert_eq!(
            order["refund"]["sum"],
            paid["totals"].as_array().unwrap().last().unwrap()["sum"]
        );
        let said = page.texts(".now > p").join("|");
        assert!(
            said.contains(minutes) && !said.contains(day),
            "{lang}: {said}"
        );
        assert!(order["receipt"].is_string(), "the receipt stays");
        // The sums add up with what is given back, on the page and in the list.
        let totals = order["totals"].as_array().unwrap();
        let told = &totals[totals.len() - 3..];
        let sum = order["refund"]["sum"].as_i64().unwrap();
        let expected = json!([
            { "kind": "total", "sum": sum }, { "kind": "refund", "sum": -sum }, { "kind": "kept", "sum": 0 },
        ]);
        assert_eq!(json!(told), expected);
        let list = guest.get(&format!("/orders?lang={lang}")).await;
        assert_eq!(data(&list)["orders"][0]["refund"], sum);
        // Number, venue, time, and that.
        assert_eq!(list.texts(".orders > ul a > span > .soft").len(), 4);

        product.replace(ORDER, late.clone()).await;
        let page = guest.get(&format!("{path}?lang={lang}")).await;
        assert_eq!(data(&page)["refund"]["promise"], "day");
        let said = page.texts(".now > p").join("|");
        assert!(
            said.contains(day) && !said.contains(minutes),
            "{lang}: {said}"
        );
    }
    // Nobody waited for a courier: it is called off like any other.
    let mut fetched = late;
    fetched["/data/type"] = json!("takeaway");
    product.replace(ORDER, fetched).await;
    assert_eq!(
        data(&guest.get(&path).await)["refund"]["promise"],
        "minutes"
    );
    // A part of it, of an order that has come.
    let partly = json!({ "/data/status": "completed", "/data/current_order_status/status": "completed", "/data/statuses": [], "/data/refund_sum": 1000 });
    product.replace(ORDER, partly).await;
    let page = guest.get(&format!("{path}?lang=en")).await;
    let sum = |kind: &str| {
        let totals = data(&page)["totals"].as_array().unwrap().clone();
        totals
            .iter()
            .find(|one| one["kind"] == kind)
            .map(|one| one["sum"].as_i64().unwrap())
    };
    assert_eq!(sum("refund"), Some(-100_000));
    assert_eq!(sum("kept"), sum("total").map(|total| total - 100_000));
    let said = page.texts(".totals").join("");
    assert!(
        said.contains("Refund") && said.contains("After the refund"),
        "{said}"
    );
    product.no_faults().await;
    // What was not paid is not given back.
    product
        .replace(
            ORDER,
            json!({ "/data/is_paid": false, "/data/refund_sum": null, "/data/payment": null }),
        )
        .await;
    assert_eq!(
        data(&guest.get(&path).await)["refund"],
        json!({ "promise": "nothing", "sum": null })
    );
    // A stranger learns no sum.
    product.no_faults().await;
    let open = format!("/filials/{}/order/{id}", crate::orders_own::DELIVERY);
    let seen: Value = data(&product.guest().get(&open).await);
    assert_eq!(seen["refund"]["sum"], json!(null));
}

#[tokio::test]
async fn the_dishes_of_an_order_that_is_taken_back_are_in_the_cart_again_unless_another_is_begun() {
    let product = Product::start().await;
    let (guest, seen) = ready_to_order(&product).await;
    let count = |page: &Value| page["shell"]["cart"]["count"].as_u64().unwrap_or(0);
    let before = count(&guest.get("/cart").await.data());
    assert!(before > 0);
    let path = press(&guest, &seen).await.location();
    let page = guest.get(&path).await;
    assert_eq!(count(&page.data()), 0);
    let cancel = async |page: &crate::support::Answer, path: &str| {
        let id = data(page)["id"].as_str().unwrap().to_owned();
        let key = path.split("key=").nth(1).unwrap();
        let action = format!("/orders/{id}/cancel?key={key}");
        guest.submit(&action, &[("back", path)]).await.data()
    };
    // Pressed twice, it is put back once.
    for _ in 0..2 {
        let done = cancel(&page, &path).await;
        assert_eq!(done["shell"]["flash"]["kind"], "orderCancelled");
        assert_eq!(count(&done), before);
    }
    // A form that is sent again does not fill a cart that was emptied since.
    guest.submit("/cart/clear", &[("back", "/cart")]).await;
    let done = cancel(&page, &path).await;
    assert!(done["shell"]["flash"].is_null());
    assert_eq!(count(&done), 0);
    guest.submit("/cart/undo", &[("back", "/cart")]).await;
    // Ordered again, and another one is begun before it is taken back: that one stays as it is, and nothing is claimed.
    let cart = guest.get("/cart").await.data();
    let fields = order_fields(&cart);
    let placed = guest.post("/orders", &as_fields(&fields)).await.location();
    let page = guest.get(&placed).await;
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    guest.add(VENUE, plain_products(&menu)[2].0).await;
    let done = cancel(&page, &placed).await;
    assert_eq!(done["page"]["data"]["status"], "canceled");
    assert!(
        done["shell"]["flash"].is_null(),
        "{}",
        done["shell"]["flash"]
    );
    assert_eq!(count(&done), 1);
}

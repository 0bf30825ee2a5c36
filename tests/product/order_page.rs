//! What the page of an order says of it, whatever the upstream knows (OR-02, OR-04, OR-05, OR-06, OR-16, OR-17).

use serde_json::{Value, json};

use crate::{
    orders::{press, ready_to_order},
    support::{Answer, Guest, Product, VENUE, order_fields, plain_products},
};

/// What the upstream answers about an order.
const ORDER: &str = "/takeaway/v2/user/order";

/// The languages of both countries, each with the query that shows it.
const LANGS: [&str; 4] = ["kk", "ru", "en", "ka&country=ge"];

/// Many pages in a row, each rendered however busy the machine is.
async fn start() -> Product {
    Product::with(&["--render-wait-ms", "20000", "--render-limit-ms", "10000"]).await
}

/// An order and the address of its page.
async fn placed(product: &Product) -> (Guest, String) {
    let (guest, version) = ready_to_order(product).await;
    let path = press(&guest, &version).await.location();
    (guest, path)
}

fn order(page: &Answer) -> Value {
    page.data()["page"]["data"].clone()
}

#[tokio::test]
async fn statuses_have_their_labels_and_other_headers_in_four_languages() {
    let product = start().await;
    let (guest, path) = placed(&product).await;
    let statuses = [
        "created",
        "cooking",
        "ready",
        "delivery",
        "completed",
        "canceled",
    ];
    let labels = [
        [
            "Төленді",
            "Дайындалуда",
            "Дайын",
            "Курьерде",
            "Аяқталды",
            "Бас тартылды",
        ],
        [
            "Оплачен",
            "Готовится",
            "Готов",
            "У курьера",
            "Завершён",
            "Отменён",
        ],
        [
            "Paid",
            "Cooking",
            "Ready",
            "With the courier",
            "Completed",
            "Canceled",
        ],
        [
            "გადახდილია",
            "მზადდება",
            "მზადაა",
            "კურიერთანაა",
            "დასრულებულია",
            "გაუქმებულია",
        ],
    ];
    let headers = [
        [
            "Тапсырыс қабылданды",
            "Дайындалуда",
            "Дайын",
            "Курьер жолда",
            "Жеткізілді",
            "Тапсырыстан бас тартылды",
        ],
        [
            "Заказ принят",
            "Готовится",
            "Готово",
            "У курьера",
            "Доставлен",
            "Заказ отменён",
        ],
        [
            "Order received",
            "Cooking",
            "Ready",
            "With the courier",
            "Delivered",
            "Canceled",
        ],
        [
            "შეკვეთა მიღებულია",
            "მზადდება",
            "მზადაა",
            "კურიერთანაა",
            "მიტანილია",
            "გაუქმებულია",
        ],
    ];
    let accepted = ["Қабылданды", "Принят", "Accepted", "მიღებულია"];
    let served = ["Үстелге әкелінді", "Подан", "Served", "მოტანილია"];
    let handed_over = ["Берілді", "Выдан", "Handed over", "გადაცემულია"];
    let see = async |status: &str, kind: &str, payment: &str, lang: &str| {
        let values = json!({
            "/data/type": kind, "/data/payment_type": payment, "/data/is_paid": payment == "online",
            "/data/status": status, "/data/current_order_status/status": status,
        });
        product.replace(ORDER, values).await;
        let page = guest.get(&format!("{path}&lang={lang}")).await;
        (page.texts("h1"), page.texts(".steps li span:first-child"))
    };
    for (lang, code) in LANGS.into_iter().enumerate() {
        for (number, status) in statuses.into_iter().enumerate() {
            let (header, steps) = see(status, "delivery", "online", code).await;
            assert_eq!(header, [headers[lang][number]], "{status} {code}");
            // What was called off ends there, after what was reached before.
            let expected = match status {
                "canceled" => vec![labels[lang][0], labels[lang][5]],
                _ => labels[lang][..5].to_vec(),
            };
            assert_eq!(steps, expected, "{status} {code}");
        }
        // Cash is taken later, and what nobody brings is served or handed over (ZZ-09, ZZ-10).
        for (kind, words) in [("express", served[lang]), ("takeaway", handed_over[lang])] {
            let (header, steps) = see("completed", kind, "cash", code).await;
            assert_eq!(header, [words], "{kind} {code}");
            assert_eq!(steps[0], accepted[lang], "{kind} {code}");
            assert_eq!(steps.len(), 4, "no courier: {steps:?}");
        }
    }
}

#[tokio::test]
async fn a_canceled_order_tells_its_reason_if_there_is_one_and_what_becomes_of_the_money() {
    let product = start().await;
    let (guest, path) = placed(&product).await;
    let id = order(&guest.get(&path).await)["id"].clone();
    let canceled = json!({ "order_id": id, "status": "canceled", "reason": "Ас үй жабылды" });
    product.control("order/status", canceled).await;
    let page = guest.get(&path).await;
    assert_eq!(order(&page)["status"], "canceled");
    assert_eq!(order(&page)["final"], true);
    assert_eq!(order(&page)["reason"], "Ас үй жабылды");

    let words = [
        (
            "Себебі: ",
            "Ақша бірнеше минут ішінде төлеген картаңызға немесе банк шотыңызға қайтарылады.",
            "Сізден ақша алынған жоқ.",
        ),
        (
            "Причина: ",
            "Деньги вернутся в течение нескольких минут на карту или банковский счёт, с которых вы платили.",
            "Деньги не списаны.",
        ),
        (
            "Reason: ",
            "The money will be returned within minutes to the card or bank account you paid from.",
            "You have not been charged.",
        ),
        (
            "მიზეზი: ",
            "თანხა რამდენიმე წუთში დაბრუნდება ბარათზე ან საბანკო ანგარიშზე, საიდანაც გადაიხადეთ.",
            "თანხა არ ჩამოგჭრიათ.",
        ),
    ];
    for (code, (because, refund, no_charge)) in LANGS.into_iter().zip(words) {
        for (payment, money) in [("online", refund), ("cash", no_charge)] {
            for reason in [json!("Ас үй жабылды"), json!(null), json!(" ")] {
                let values = json!({
                    "/data/payment_type": payment, "/data/is_paid": payment == "online",
                    "/data/cancel_reason": reason,
                });
                product.replace(ORDER, values).await;
                let page = guest.get(&format!("{path}&lang={code}")).await;
                // But for the region that is there for words of later.
                let said = page.texts(".now > p:not(.soft, .vh)");
                let mut expected = vec![money.to_owned()];
                if reason == "Ас үй жабылды" {
                    expected.insert(0, format!("{because}Ас үй жабылды"));
                }
                assert_eq!(said, expected, "{code} {payment} {reason}: {said:?}");
            }
        }
    }
}

#[tokio::test]
async fn the_next_status_is_told_by_its_usual_time_else_by_the_promised_one_else_not_at_all() {
    let product = start().await;
    let (guest, path) = placed(&product).await;
    let see = async |average: Value, promised: Value| {
        let values = json!({
            "/data/current_order_status/status": "cooking",
            "/data/current_order_status/next_average_time": average,
            "/data/current_order_status/next_status_time": promised,
        });
        product.replace(ORDER, values).await;
        let page = guest.get(&format!("{path}&lang=en")).await;
        let steps = page.texts(".steps li").join("|");
        (
            order(&page)["nextAt"].clone(),
            steps.contains("At about"),
            page,
        )
    };
    let (average, promised) = (json!("2099-11-21T06:10:00Z"), json!("2099-11-21T06:20:00Z"));
    let (at, told, _) = see(average.clone(), promised.clone()).await;
    assert_eq!((at, told), (json!(4_098_924_600_000_i64), true));
    let (at, told, _) = see(average, json!(null)).await;
    assert_eq!((at, told), (json!(4_098_924_600_000_i64), true));
    let (at, told, _) = see(json!(null), promised).await;
    assert_eq!((at, told), (json!(4_098_925_200_000_i64), true));
    let (at, told, page) = see(json!(null), json!(null)).await;
    assert_eq!((at, told), (json!(null), false));
    assert_eq!(page.texts("h1"), ["Cooking"], "the page stands");
}

#[tokio::test]
async fn the_number_is_shown_of_an_order_that_costs_nothing_too() {
    let product = start().await;
    let (guest, path) = placed(&product).await;
    let number = order(&guest.get(&path).await)["number"].clone();
    for sum in [json!(0), json!(null)] {
        let values = json!({ "/data/sum": sum, "/data/goods_sum": sum, "/data/service_sum": sum });
        product.replace(ORDER, values).await;
        let page = guest.get(&path).await;
        assert_eq!(json!(page.texts(".ticket")), json!([number]), "{sum}");
    }
}

#[tokio::test]
async fn each_page_shows_its_own_order_and_not_the_one_before() {
    let product = start().await;
    let (guest, first) = placed(&product).await;
    let dishes = plain_products(&guest.get(&format!("/filials/{VENUE}")).await.data());
    guest.add(VENUE, dishes[2].0).await;
    let version = order_fields(&guest.get("/cart").await.data());
    let second = press(&guest, &version).await.location();
    assert_ne!(first, second);
    let numbers = product.sandbox_get("orders").await;
    let number_of = |id: &Value| {
        let order = numbers.iter().find(|order| order["id"] == *id);
        order.unwrap()["number"].clone()
    };
    let mut seen = Vec::new();
    for path in [&first, &second, &first] {
        let page = guest.get(path).await;
        let id = order(&page)["id"].clone();
        assert!(path.contains(id.as_str().unwrap()), "{path} shows {id}");
        let lines = page
            .texts(".track li span[lang], .track section li > span:first-child")
            .len();
        assert!(lines > 0);
        assert_eq!(json!(page.texts(".ticket")), json!([number_of(&id)]));
        seen.push(page.texts(".ticket"));
    }
    assert_ne!(seen[0], seen[1]);
}

#[tokio::test]
async fn a_time_of_an_order_that_can_not_be_read_is_not_told_as_now() {
    let product = start().await;
    let (guest, version) = ready_to_order(&product).await;
    let path = press(&guest, &version).await.location();
    let whole = guest.get(&path).await.data()["page"]["data"].clone();
    let seen = async |created: &str, step: Value, lang: &str| {
        let values = json!({ "/data/created_at": created, "/data/statuses/0/time": step });
        product.replace(ORDER, values).await;
        let page = guest.get(&format!("{path}&lang={lang}")).await;
        let data = page.data()["page"]["data"].clone();
        (data, page.texts(".facts div:has(dt)"))
    };
    let label = |lang: &str| match lang {
        "kk" => "Берілген уақыты",
        "ru" => "Оформлен",
        "ka&country=ge" => "გაფორმდა",
        _ => "Placed",
    };
    for lang in ["kk", "ru", "en", "ka&country=ge"] {
        for created in ["soonZ", "", "2026-99-99T10:00:00Z"] {
            let (order, facts) = seen(created, json!("later"), lang).await;
            assert_eq!(order["createdAt"], Value::Null, "{created:?}");
            assert_eq!(order["readyAt"], Value::Null, "nothing to count from");
            assert_eq!(order["number"], whole["number"], "the order is there");
            assert!(!facts.is_empty());
            assert!(
                !facts.iter().any(|fact| fact.starts_with(label(lang))),
                "{created:?} {lang}: {facts:?}"
            );
        }
        // What is no moment is shown as it is.
        let (_, facts) = seen("11:10", json!("later"), lang).await;
        assert_eq!(facts[0], format!("{}11:10", label(lang)));
    }
    // The status that an order begins with tells its time too.
    let (order, facts) = seen("soonZ", json!("2026-11-21T06:10:00Z"), "en").await;
    assert_eq!(order["createdAt"], 1_795_241_400_000_i64);
    assert_eq!(facts[0], "Placed21 November, 11:10");
    // So does a time without a Z, by the clock of the venue.
    let (order, _) = seen("2026-11-21T11:10:00", json!("later"), "en").await;
    assert_eq!(order["createdAt"], 1_795_241_400_000_i64);
}

#[tokio::test]
async fn the_wish_to_the_kitchen_stands_with_its_dish_in_the_quotes_of_the_language() {
    let product = start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let dish = plain_products(&guest.get(&format!("/filials/{VENUE}")).await.data())[0].0;
    let (venue, dish) = (VENUE.to_string(), dish.to_string());
    let added = guest
        .post(
            "/cart/lines",
            &[
                ("filial", venue.as_str()),
                ("product", &dish),
                ("note", "<b>No</b> onion"),
            ],
        )
        .await;
    assert_eq!(added.status, 303, "{}", added.text());
    let seen = order_fields(&guest.get("/cart").await.data());
    let path = press(&guest, &seen).await.location();
    let page = guest.get(&format!("{path}&lang=en")).await;
    assert_eq!(order(&page)["lines"][0]["note"], "<b>No</b> onion");
    let html = page.rendered();
    assert!(html.contains("“&lt;b&gt;No&lt;/b&gt; onion”"), "{html}");
    let russian = guest.get(&format!("{path}&lang=ru")).await.rendered();
    assert!(russian.contains("«&lt;b&gt;No&lt;/b&gt; onion»"));
    // Nobody else learns of it.
    let open = path.split('?').next().unwrap();
    let other_guest = product.guest().get(open).await.text();
    assert!(!other_guest.contains("onion"));
}

#[tokio::test]
async fn the_orders_of_this_browser_stand_on_the_page_of_orders_without_a_sign_in() {
    let product = start().await;
    let none = product.guest().get("/orders?lang=en").await;
    assert_eq!(none.status, 401);
    assert_eq!(none.texts("h1"), ["Your orders"]);
    let (guest, path) = placed(&product).await;
    let number = order(&guest.get(&path).await)["number"].clone();
    let page = guest.get("/orders?lang=en").await;
    assert_eq!(page.status, 401, "those of an account need a sign-in");
    assert!(page.rendered().contains(r#"action="/session/sign-in""#));
    let words = page.texts(".placed a").concat();
    assert!(words.contains(number.as_str().unwrap()), "{words}");
    let attribute = path.replace('&', "&amp;");
    assert!(page.rendered().contains(&format!("href=\"{attribute}\"")));
    assert!(!product.guest().get("/orders").await.text().contains(&path));
}

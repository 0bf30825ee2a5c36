//! The order of what was taken out of a fridge: nobody cooks, serves or brings there (BC-06, OR-02, OR-12, OR-14).

use serde_json::{Value, json};

use crate::{
    checkout::FRIDGE,
    fridge::{open, put_in, ready, seen, shut},
    support::{Answer, Guest, Product},
};

const ORDER: &str = "/takeaway/v2/user/order";
/// The languages of both countries, each with the query that shows it.
const LANGS: [&str; 4] = ["kk", "ru", "en", "ka&country=ge"];
/// Of a kitchen, of serving, of couriers and counters, in small letters.
const NOT_HERE: [&str; 19] = [
    "асүй",
    "аспаз",
    "даяшы",
    "курьер",
    "үстел",
    "кухн",
    "повар",
    "официант",
    "стол",
    "стойк",
    "kitchen",
    "cook",
    "waiter",
    "courier",
    "table",
    "counter",
    "სამზარეულო",
    "კურიერ",
    "ოფიციანტ",
];

/// A guest who has taken something, and the page of the order.
async fn taken(product: &Product) -> (Guest, String) {
    let guest = ready(product).await;
    open(&guest).await;
    put_in(product, &guest).await;
    shut(&guest).await;
    let order = seen(&guest).await["order"].as_str().unwrap().to_owned();
    (guest, format!("/orders/{order}"))
}

fn speaks_of_goods_alone(page: &Answer, lang: &str) {
    let words = page.texts(".track").concat().to_lowercase();
    assert!(!words.is_empty());
    for word in NOT_HERE {
        assert!(!words.contains(word), "{lang}: {word} in {words}");
    }
    let html = page.rendered();
    assert!(html.contains(&format!(r#"href="/filials/{FRIDGE}/fridge""#)));
    for gone in ["/orders/repeat", "step=cancel", "/cancel\""] {
        assert!(!html.contains(gone), "{lang}: {gone}");
    }
}

#[tokio::test]
async fn the_order_of_a_fridge_has_two_steps_and_speaks_of_no_kitchen_in_four_languages() {
    let product = Product::with(&["--render-wait-ms", "20000", "--render-limit-ms", "10000"]).await;
    let (guest, path) = taken(&product).await;
    let steps = [
        ["Алынды", "Төленді"],
        ["Взято", "Оплачено"],
        ["Taken", "Paid"],
        ["აღებულია", "გადახდილია"],
    ];
    for (lang, steps) in LANGS.into_iter().zip(steps) {
        let page = guest.get(&format!("{path}?lang={lang}")).await;
        speaks_of_goods_alone(&page, lang);
        assert_eq!(page.texts(".steps li > span:first-child"), steps, "{lang}");
        // Fresh, its price, its door: nothing of who serves or brings.
        assert_eq!(page.texts(".praise .chip").len(), 6, "{lang}");
        assert!(!page.rendered().contains(r#"value="polite""#), "{lang}");
        // The list calls it as its page does.
        let heading = page.texts("h1");
        let row = guest.get(&format!("/orders?lang={lang}")).await;
        let row = row.texts(".placed a, .own a, main li a").concat();
        assert!(row.contains(&heading[0]), "{lang}: {heading:?} in {row}");
    }
}

#[tokio::test]
async fn an_order_of_a_fridge_that_is_not_paid_or_called_off_speaks_of_no_kitchen() {
    let product = Product::with(&["--render-wait-ms", "20000", "--render-limit-ms", "10000"]).await;
    let (guest, path) = taken(&product).await;
    let see = async |status: &str, paid: bool, lang: &str| {
        let values = json!({
            "/data/status": status, "/data/current_order_status/status": status, "/data/statuses": [],
            "/data/is_paid": paid,
        });
        product.replace(ORDER, values).await;
        guest.get(&format!("{path}?lang={lang}")).await
    };
    let data = |page: &Answer| -> Value { page.data()["page"]["data"].clone() };
    for lang in LANGS {
        // An upstream that tells of a kitchen all the same is not believed.
        for status in ["created", "cooking", "ready", "canceled"] {
            let page = see(status, false, lang).await;
            speaks_of_goods_alone(&page, lang);
            let told = data(&page);
            assert_eq!(told["canCancel"], false);
            assert_eq!(told["pickup"], false);
            assert_eq!(told["payHref"].is_null(), status == "canceled", "{status}");
        }
    }
    let page = see("created", false, "en").await;
    assert_eq!(page.texts("h1"), ["Awaiting payment"]);
    assert_eq!(
        page.texts(".steps li > span:first-child"),
        ["Chosen", "Awaiting payment"]
    );
}

/// What was taken is taken at the door: it is no order to be had again from afar.
#[tokio::test]
async fn what_was_taken_out_of_a_fridge_is_not_offered_once_more_on_home() {
    let product = Product::start().await;
    let (guest, _) = taken(&product).await;
    let home = guest.get("/").await;
    assert!(home.data()["page"]["data"]["repeat"].is_null());
}

//! Bonuses of a signed-in guest: balance and expiry, levels, gifts and coupons, history, rules (BL-08 to BL-11), and the
//! rows of the profile that lead to what is the guest's.

use serde_json::{Value, json};

use crate::{
    account::calls_to,
    profile::{PROFILE, signed_in},
    sign_in::{LANGS, PHONE, sign_in},
    support::{Answer, Guest, Product, VENUE, as_fields, eventually, order_fields, plain_products},
};

/// A venue with a reward of its own, which takes bonuses.
const REWARDING: u64 = 1023;
const PAGE: &str = "/profile/bonuses";
const INFO: &str = "/ladder-go/api/v1/balance/calculate-info";
const PLAIN: &str = "/balance/user";
const GIFTS: &str = "/menu-promos/v1/gifts";
const COUPONS: &str = "/menu-promos/v1/coupons";
const ORDERS: &str = "/takeaway/v2/user/orders";

fn level(name: &str, points: u32, cashback: f64, next: Option<u32>) -> Value {
    json!({ "name": name, "points": points, "cashback_percentage": cashback, "next_points": next })
}

/// Levels that no programme has written into its code.
fn levels() -> [Value; 4] {
    [
        level("Бронза", 0, 1.5, Some(20)),
        level("Күміс", 20, 4.0, Some(300)),
        level("Алтын", 300, 8.0, Some(4000)),
        level("Гауһар", 4000, 13.5, None),
    ]
}

/// The page's own words in a row, its spaces plain.
fn words(page: &Answer) -> String {
    page.texts(".bonuses").join(" ").replace('\u{a0}', " ")
}

fn all(page: &Answer, selector: &str) -> Vec<String> {
    page.texts(selector)
        .into_iter()
        .map(|text| text.replace('\u{a0}', " "))
        .collect()
}

fn data(page: &Answer) -> Value {
    page.data()["page"]["data"].clone()
}

/// What was asked for in the guest's own name.
async fn personal(product: &Product) -> Vec<Value> {
    let mut log = product.sandbox_get("log").await;
    log.retain(|call| call["method"] == "GET" && call["headers"]["authorization"].is_string());
    log
}

#[tokio::test]
async fn balance_expiry_and_levels_are_what_the_upstream_says_in_every_language() {
    let product = Product::start().await;
    let guest = signed_in(&product).await;
    let sums = json!({ "phone": PHONE, "bonus": 123_456, "money": 789 });
    product.control("balance", sums).await;
    let told = json!({
        "/data/points": 37,
        "/data/level": levels()[1],
        // Not in their order.
        "/data/levels": [levels()[3], levels()[0], levels()[1], levels()[2]],
        "/data/expires_in_months": 5,
        "/data/expires_at": "2029-02-28T20:30:00Z",
        "/data/first_bill_percentage": 22.5,
    });
    product.replace(INFO, told).await;
    // They have percents of their own.
    let no_coupons = json!({ "path": COUPONS, "kind": "replace", "values": { "/data": [] } });
    product.control("faults", no_coupons).await;
    // The day is that of the guest's own calendar: it is March already.
    for (lang, figures) in LANGS.into_iter().zip([
        [
            "2029 ж. 1 наурыз",
            "5 айға",
            "5 ай өткенде",
            "13,5 %",
            "22,5 %",
            "263 ұпай",
        ],
        [
            "1 марта 2029 г.",
            "ещё на 5 месяцев",
            "через 5 месяцев",
            "13,5 %",
            "22,5 %",
            "263 балла",
        ],
        [
            "1 March 2029",
            "by 5 months",
            "expire 5 months",
            "13.5 %",
            "22.5 %",
            "263 more points",
        ],
        [
            "2029 წლის 1 მარტი",
            "5 თვით",
            "5 თვეში",
            "13,5 %",
            "22,5 %",
            "263 ქულა",
        ],
    ]) {
        let page = guest.get(&format!("{PAGE}?lang={lang}")).await;
        assert_eq!(page.status, 200);
        let words = words(&page);
        for figure in figures {
            assert!(words.contains(figure), "{lang}: {figure} in {words}");
        }
        // Bonuses and money together, and each.
        let purse = all(&page, ".purse").join(" ");
        for sum in ["124 245", "123 456", "789"] {
            assert!(purse.contains(sum), "{lang}: {sum} in {purse}");
        }
        assert_eq!(
            all(&page, ".levels li > b"),
            match lang {
                "en" => ["1.5 %", "4 %", "8 %", "13.5 %"],
                _ => ["1,5 %", "4 %", "8 %", "13,5 %"],
            },
            "the lowest first"
        );
        assert_eq!(
            all(&page, ".levels li b")
                .into_iter()
                .step_by(2)
                .collect::<Vec<_>>(),
            ["Бронза", "Күміс", "Алтын", "Гауһар"]
        );
        let own = all(&page, r#".levels li[aria-current="true"]"#);
        assert!(own.len() == 1 && own[0].starts_with("Күміс"), "{own:?}");
        // The bar says in words what it shows, of the next level and not of the highest.
        let html = page.rendered();
        assert!(
            html.contains(r#"max="300" value="37""#) || html.contains(r#"value="37" max="300""#),
            "{html}"
        );
        assert!(words.contains("37") && words.contains("Алтын"), "{words}");
        // Nothing of the usual programme is written into the page.
        for usual in ["10 %", "7 %", " 3 %", "12 "] {
            assert!(!words.contains(usual), "{lang}: {usual} in {words}");
        }
    }
    // The first bill is paid, the last level is reached: neither is promised any more.
    let told = json!({
        "/data/is_first_bill": false, "/data/first_bill_percentage": 22.5,
        "/data/points": 5000, "/data/level": levels()[3], "/data/levels": levels(),
    });
    product.replace(INFO, told).await;
    let page = guest.get(&format!("{PAGE}?lang=ru")).await;
    let words = words(&page);
    assert!(!words.contains("22,5 %"), "{words}");
    assert!(words.contains("самый высокий уровень"), "{words}");
    assert!(!page.rendered().contains("<progress"));
}

#[tokio::test]
async fn bonuses_last_for_twelve_months_after_the_last_transaction_and_nothing_expires_where_nothing_is()
 {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    sign_in(&product, &guest, "/cart").await;
    // The account began with bonuses then.
    let began = guest.get(PAGE).await.data();
    let now = began["shell"]["now"].as_i64().unwrap();
    let until = |page: &Value| page["page"]["data"]["expiresAt"].as_i64();
    let day = 86_400_000;
    let whole_year = |until: i64, now: i64| (364 * day..=366 * day + day).contains(&(until - now));
    assert!(whole_year(until(&began).unwrap(), now), "{began}");
    assert_eq!(began["page"]["data"]["months"], 12);

    // Half a year later an order gives some: all of them last for a year again.
    let later = now + 180 * day;
    let at = time::OffsetDateTime::from_unix_timestamp(later / 1000).unwrap();
    let at = at
        .format(&time::format_description::well_known::Rfc3339)
        .unwrap();
    product.control("clock", json!({ "now": at })).await;
    // Half a year is longer than any sign-in.
    assert_eq!(guest.get(PAGE).await.status, 303);
    sign_in(&product, &guest, "/cart").await;
    order(&guest, VENUE).await;
    let page = guest.get(PAGE).await.data();
    assert!(whole_year(until(&page).unwrap(), later), "{page}");

    let none = json!({ "phone": PHONE, "bonus": 0, "money": 0 });
    product.control("balance", none).await;
    let page = guest.get(&format!("{PAGE}?lang=ru")).await;
    assert_eq!(until(&page.data()), None);
    let purse = all(&page, ".purse").join(" ");
    assert!(purse.contains("Бонусов пока нет"), "{purse}");
    assert!(
        words(&page).contains("через 12 месяцев"),
        "the rule stands all the same"
    );
}

/// Orders a dish to the table.
async fn order(guest: &Guest, venue: u64) -> Value {
    let menu = guest.get(&format!("/filials/{venue}")).await.data();
    guest.add(venue, plain_products(&menu)[0].0).await;
    ordered(guest).await
}

async fn ordered(guest: &Guest) -> Value {
    let seen = order_fields(&guest.get("/cart").await.data());
    let page = guest.submit("/orders", &as_fields(&seen)).await;
    assert_eq!(page.data()["page"]["route"], "thankYou", "{}", page.text());
    data(&page)
}

#[tokio::test]
async fn a_level_that_is_not_kept_drops_by_one_step_and_may_come_back() {
    let product = Product::start().await;
    let guest = signed_in(&product).await;
    let level_with = |points: u32, own: usize| {
        json!({
            "/data/points": points, "/data/level": levels()[own], "/data/levels": levels(),
        })
    };
    // Too few points: it is still the guest's, and the step below it is named, not the lowest.
    product.replace(INFO, level_with(12, 3)).await;
    for (lang, [missing, restored, one_step]) in LANGS.into_iter().zip([
        ["3 988 ұпай", "қайтара алады", "бір сатыға ғана"],
        [
            "3 988 баллов",
            "может вернуть прежний уровень",
            "только на одну ступень, а не до самого низкого",
        ],
        [
            "3 988 more points",
            "can bring the level back",
            "one step only, not to the lowest",
        ],
        ["3 988 ქულაა", "დააბრუნოს", "მხოლოდ ერთი საფეხურით"],
    ]) {
        let page = guest.get(&format!("{PAGE}?lang={lang}")).await;
        let keep = all(&page, ".standing .note").join(" ");
        assert!(keep.contains(missing), "{lang}: {keep}");
        assert!(
            keep.contains("Алтын") && !keep.contains("Бронза"),
            "{lang}: {keep}"
        );
        let own = all(&page, r#".levels [aria-current="true"] b"#);
        assert_eq!(own[0], "Гауһар", "{lang}");
        let rules = all(&page, ".rules").join(" ");
        for words in [restored, one_step] {
            assert!(rules.contains(words), "{lang}: {rules}");
        }
    }
    let rules = all(&guest.get(&format!("{PAGE}?lang=ru")).await, ".rules").join(" ");
    assert!(
        rules.contains("только на одну ступень, а не до самого низкого"),
        "{rules}"
    );
    // It has dropped, by the upstream's word; the next visit has brought it back.
    for (points, own, name) in [(12, 2, "Алтын"), (4100, 3, "Гауһар")] {
        product.replace(INFO, level_with(points, own)).await;
        let page = guest.get(&format!("{PAGE}?lang=ru")).await;
        assert_eq!(all(&page, "#standing"), [format!("Ваш уровень: {name}")]);
    }
}

#[tokio::test]
async fn gifts_and_coupons_come_with_code_and_end_and_can_be_copied_without_scripts() {
    let product = Product::start().await;
    let guest = signed_in(&product).await;
    let gifts = json!({ "/data": [
        { "id": "a", "name": "Шай", "code": "TEA-1", "expires_at": "2099-12-31T19:00:00Z" },
        { "id": "b", "name": "Нан", "code": "OVER-2", "expires_at": "2020-01-01T00:00:00Z" },
    ] });
    product.replace(GIFTS, gifts).await;
    let coupons = json!({ "path": COUPONS, "kind": "replace", "values": { "/data": [
        { "id": "c", "name": "SALE-3", "code": "SALE-3", "expires_at": null },
    ] } });
    product.control("faults", coupons).await;
    let page = guest.get(&format!("{PAGE}?lang=ru")).await;
    assert_eq!(
        page.texts(".lines code"),
        ["TEA-1", "SALE-3"],
        "what is over is gone"
    );
    let lines = all(&page, ".lines li");
    assert!(
        lines[0].contains("Шай") && lines[0].contains("Подарок"),
        "{lines:?}"
    );
    // It ends at midnight by the guest's calendar: the day before is the last one, as in the cart.
    assert!(
        lines[0].contains("Последний день: 31 декабря 2099 г."),
        "{lines:?}"
    );
    assert!(
        lines[1].contains("Купон") && !lines[1].contains("Последний"),
        "{lines:?}"
    );
    // Without scripts a button would do nothing: the code is a text, and no button is seen.
    let html = page.rendered();
    assert_eq!(
        html.matches(r#"class="chip copy" data-wait="true""#)
            .count(),
        2,
        "{html}"
    );
    // On to the answers about bonuses.
    assert!(html.contains(r#"href="/faq#earn""#), "{html}");
    assert!(guest.get("/faq").await.rendered().contains(r#"id="earn""#));

    product.replace(GIFTS, json!({ "/data": [] })).await;
    let none = json!({ "path": COUPONS, "kind": "replace", "values": { "/data": [] } });
    product.control("faults", none).await;
    let words = words(&guest.get(&format!("{PAGE}?lang=ru")).await);
    assert!(words.contains("Подарков и купонов пока нет."), "{words}");
}

/// Each kind says in one order what it gives, from which sum on and until when, in the money of the country.
#[tokio::test]
async fn gifts_and_coupons_say_first_what_they_give() {
    let product = Product::start().await;
    let guest = signed_in(&product).await;
    let gifts = json!({ "/data": [
        { "id": "a", "name": "Шай", "code": "TEA-1", "percentage": 10, "discount": null, "min_sum": 2000,
          "expires_at": "2099-12-31T19:00:00Z" },
        { "id": "b", "name": "Нан", "code": "BREAD-2", "expires_at": null },
    ] });
    product.replace(GIFTS, gifts).await;
    let page = guest.get(&format!("{PAGE}?lang=en&country=kz")).await;
    let lines: Vec<String> = all(&page, ".codes li > span:first-child")
        .iter()
        .map(|line| line.replace('\u{a0}', " "))
        .collect();
    // Each of them on a line of its own.
    let (from, until) = ("Orders from 2 000 ₸", "Last day: 31 December 2099");
    assert_eq!(lines[0], format!("10 % off{from}{until}Gift · Шай"));
    assert_eq!(lines[1], "Gift · Нан");
    let first = lines.iter().find(|line| line.starts_with("500 ₸ off"));
    let first = first.expect("the coupon of the sandbox");
    assert!(
        first.starts_with("500 ₸ offOrders from 3 000 ₸Last day: "),
        "{first}"
    );
    assert!(first.ends_with("Coupon"), "{first}");
    let page = guest.get(&format!("{PAGE}?lang=en&country=ge")).await;
    let lari = words(&page).replace('\u{a0}', " ");
    assert!(lari.contains("3,12 ₾ off"), "{lari}");
}

#[tokio::test]
async fn the_history_tells_what_orders_gave_and_took() {
    let product = Product::start().await;
    let guest = product.guest_at_table(REWARDING, "t1").await;
    sign_in(&product, &guest, "/cart").await;
    let page = guest.get(&format!("{PAGE}?lang=ru")).await;
    assert_eq!(data(&page)["history"], json!([]));
    assert!(words(&page).contains("Здесь появятся заказы"));

    // Partly paid with bonuses.
    let menu = guest.get(&format!("/filials/{REWARDING}")).await.data();
    guest.add(REWARDING, plain_products(&menu)[0].0).await;
    let set = guest
        .post("/cart/bonus", &[("bonus", "100"), ("back", "/cart")])
        .await;
    assert_eq!(set.status, 303);
    let first = ordered(&guest).await;
    let second = order(&guest, REWARDING).await;
    let page = guest.get(&format!("{PAGE}?lang=ru")).await;
    let history = data(&page)["history"].clone();
    let numbers: Vec<&Value> = history
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["number"])
        .collect();
    assert!(
        numbers.contains(&&first["number"]) && numbers.contains(&&second["number"]),
        "{history}"
    );
    let entry = |number: &Value| {
        let found = history
            .as_array()
            .unwrap()
            .iter()
            .find(|one| one["number"] == *number);
        found.unwrap().clone()
    };
    let (paid, other) = (entry(&first["number"]), entry(&second["number"]));
    assert_eq!(
        (&paid["spent"], &other["spent"]),
        (&json!(10_000), &json!(0))
    );
    assert!(
        paid["earned"].as_i64() > Some(0) && other["earned"].as_i64() > Some(0),
        "{history}"
    );
    let lines = all(&page, ".moved").join(" ");
    assert!(
        lines.contains("Потрачено −100 ₸") && lines.contains("Начислено +"),
        "{lines}"
    );
    assert!(page.rendered().contains(r#"href="/orders""#));

    // What was called off has given and taken nothing in the end.
    let id = first["id"].as_str().unwrap();
    let called_off = json!({ "order_id": id, "status": "canceled", "reason": "no fish" });
    product.control("order/status", called_off).await;
    let page = guest.get(PAGE).await;
    let left = data(&page)["history"].clone();
    assert_eq!(left.as_array().unwrap().len(), 1, "{left}");
    assert_eq!(left[0]["number"], second["number"]);
}

#[tokio::test]
async fn the_history_writes_each_sum_and_each_day_as_its_venue_does() {
    let product = Product::start().await;
    let guest = product.guest_at_table(REWARDING, "t1").await;
    sign_in(&product, &guest, "/cart").await;
    for _ in 0..3 {
        order(&guest, REWARDING).await;
    }
    // The first of them made in Tbilisi, the others told by clocks of walls: of the venue, and of nobody.
    let told = json!({
        "/data/0/filial/id": 2191,
        "/data/1/created_at": "2027-03-05 09:30:00",
        "/data/2/created_at": "at noon",
    });
    product.replace(ORDERS, told).await;
    let page = guest.get(&format!("{PAGE}?lang=ru&country=kz")).await;
    let history = data(&page)["history"].clone();
    let days: Vec<i64> = history
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["at"].as_i64().unwrap_or_default())
        .collect();
    assert_eq!(days.len(), 3);
    assert_eq!(
        (days[0], days[2]),
        (1_804_221_000_000, 0),
        "the newest first"
    );
    assert_eq!(history[1]["utcOffset"], 240, "{history}");
    let lines = all(&page, r#"[aria-labelledby="history"] li"#);
    assert!(
        lines[0].contains("5 марта 2027") && lines[0].contains('₸'),
        "{lines:?}"
    );
    assert!(
        lines[1].contains('₾') && !lines[1].contains('₸'),
        "{lines:?}"
    );
    assert!(lines[2].contains("at noon"), "{lines:?}");
}

#[tokio::test]
async fn the_page_of_bonuses_comes_whatever_of_it_hangs_or_fails_and_asks_for_each_part_once() {
    let product = Product::start().await;
    let guest = signed_in(&product).await;
    // The sign-in asks for the account's language when its answer is out.
    eventually(20, || async {
        let told = calls_to(&product, PROFILE).await;
        (!told.is_empty()).then_some(())
    })
    .await;
    product.forget_log().await;
    let whole = data(&guest.get(PAGE).await);
    for path in [INFO, PLAIN, GIFTS, COUPONS, ORDERS] {
        assert_eq!(calls_to(&product, path).await.len(), 1, "{path}");
    }
    assert_eq!(personal(&product).await.len(), 5, "and for nothing else");
    for part in ["balance", "standing", "gifts", "coupons", "history"] {
        assert!(!whole[part].is_null(), "{part}: {whole}");
    }

    // The balance comes from the service that tells it; of all other parts the page says that they are missing.
    for (path, missing, words_of_it) in [
        (INFO, vec!["standing"], "Уровень сейчас не загрузился."),
        (PLAIN, vec![], ""),
        (GIFTS, vec!["gifts"], "Подарки сейчас не загрузились."),
        (COUPONS, vec!["coupons"], "Купоны сейчас не загрузились."),
        (ORDERS, vec!["history"], "История сейчас не загрузилась."),
    ] {
        for kind in ["hang", "status"] {
            product.no_faults().await;
            let fault = json!({ "path": path, "kind": kind, "status": 500 });
            product.control("faults", fault).await;
            let page = guest.get(&format!("{PAGE}?lang=ru")).await;
            assert_eq!(page.status, 200, "{path} {kind}");
            let now = data(&page);
            for part in ["balance", "standing", "gifts", "coupons", "history"] {
                let is_missing = missing.contains(&part);
                assert_eq!(now[part].is_null(), is_missing, "{path} {kind}: {part}");
            }
            let words = words(&page);
            assert!(words.contains(words_of_it), "{path} {kind}: {words}");
            assert_eq!(
                words.contains("не всё"),
                !missing.is_empty(),
                "{path} {kind}: {words}"
            );
            let again = page.rendered().contains(&format!(r#"href="{PAGE}""#));
            assert_eq!(again, !missing.is_empty(), "{path} {kind}");
        }
    }
    product.no_faults().await;
    for path in [INFO, PLAIN, GIFTS, COUPONS, ORDERS] {
        product.fail(path, 500).await;
    }
    let page = guest.get(&format!("{PAGE}?lang=ru")).await;
    assert_eq!(page.status, 200);
    let words = words(&page);
    assert!(words.contains("Баланс сейчас не загрузился"), "{words}");
    assert!(!words.contains('₸'), "no sum is made up: {words}");
    assert!(
        words.contains("через 12 месяцев"),
        "the rules are there: {words}"
    );
}

#[tokio::test]
async fn bonuses_are_for_their_guest_alone() {
    let product = Product::start().await;
    let other_guest = product.guest().get(PAGE).await;
    assert_eq!(other_guest.status, 303);
    assert!(
        other_guest.location().starts_with(&product.sandbox),
        "{}",
        other_guest.location()
    );
    let guest = signed_in(&product).await;
    let page = guest.get(PAGE).await;
    assert_eq!(page.header("cache-control"), "private, no-store");
    assert!(page.text().contains(r#"content="noindex""#));
    let layout = json!({ "frame": "default", "navbar": false, "balance": false });
    assert_eq!(page.data()["shell"]["layout"], layout);
    assert!(page.rendered().contains(r#"class="back" href="/profile""#));
}

#[tokio::test]
async fn the_profile_tells_bonuses_and_addresses_and_waits_for_neither() {
    let product = Product::start().await;
    let guest = signed_in(&product).await;
    const ADDRESS: &str = "/profile/api/v1/address";
    let ways = async || {
        let page = guest.get("/profile?lang=ru").await;
        assert_eq!(page.status, 200);
        all(&page, ".own-ways a")
    };
    product.forget_log().await;
    let first = ways().await;
    // All of them at once, each of them once: nothing is saved or asked twice by looking at it.
    for path in ["/api/v3/user", "/profile/api/v1/profile", PLAIN, ADDRESS] {
        assert_eq!(calls_to(&product, path).await.len(), 1, "{path}");
    }
    assert_eq!(personal(&product).await.len(), 4, "and for nothing else");
    assert_eq!(first[1], "Бонусы500 ₸");
    assert_eq!(first[2], "Адреса доставки", "there are none yet");
    let html = guest.get("/profile").await.rendered();
    for way in ["/profile/bonuses", "/addresses?back=%2Fprofile"] {
        assert!(html.contains(&format!(r#"href="{way}""#)), "{html}");
    }

    let saved = |id: u64, street: &str, latitude: f64| json!({ "id": id, "name": "", "street": street, "building": "5", "latitude": latitude, "longitude": 76.9 });
    let two = json!({ "/data": [saved(2, "Дальняя", 43.9), saved(1, "Абай", 43.2)] });
    product.replace(ADDRESS, two).await;
    assert_eq!(ways().await[2], "Адреса доставкиАбай, 5, ещё 1");
    let one = json!({ "/data": [saved(1, "Абай", 43.2)] });
    product.replace(ADDRESS, one).await;
    assert_eq!(ways().await[2], "Адреса доставкиАбай, 5");

    for (path, at, name) in [(PLAIN, 1, "Бонусы"), (ADDRESS, 2, "Адреса доставки")]
    {
        for kind in ["hang", "status"] {
            product.no_faults().await;
            let fault = json!({ "path": path, "kind": kind, "status": 500 });
            product.control("faults", fault).await;
            let ways = ways().await;
            assert_eq!(
                ways[at], name,
                "{path} {kind}: the way is there, what it leads to is not told"
            );
            let other = if at == 1 { &ways[2] } else { &ways[1] };
            let whole = ["Бонусы500 ₸", "Адреса доставки"];
            assert!(whole.contains(&other.as_str()), "{path} {kind}: {ways:?}");
        }
    }
}

//! What the cart costs: promo limits, promo codes, bonuses, delivery. All sums come from the server.

use serde_json::{Value, json};

use crate::{
    account::sign_in,
    addresses::save_an_address,
    checkout::placed,
    support::{
        Guest, Product, VENUE, as_fields, eventually, order_fields, plain_products, products,
    },
};

/// A venue with a dish whose promo holds for 3 pieces of an order and 10 of a day.
const PROMO: u64 = 1163;
/// One with promos of which nobody tells a limit.
const UNLIMITED: u64 = 1153;
/// A venue with a reward of its own.
pub const REWARDING: u64 = 1023;

async fn put(guest: &Guest, venue: u64, dish: u64, count: u32) {
    let (venue, dish, count) = (venue.to_string(), dish.to_string(), count.to_string());
    let fields = [("filial", &*venue), ("product", &*dish), ("delta", &*count)];
    assert_eq!(guest.post("/cart/lines", &fields).await.status, 303);
}

fn total(page: &Value, kind: &str) -> Option<i64> {
    page["page"]["data"]["totals"]
        .as_array()?
        .iter()
        .find(|total| total["kind"] == kind)?["sum"]
        .as_i64()
}

async fn order(guest: &Guest, page: &Value) -> (String, Value) {
    let version = page["shell"]["cart"]["version"].to_string();
    let seen = total(page, "total").unwrap().to_string();
    let fields = [
        ("cart_version", version.as_str()),
        ("payment", "cash"),
        ("total", &seen),
        ("comment", "ащы болмасын"),
    ];
    let answer = guest.post("/orders", &fields).await;
    assert_eq!(answer.status, 303);
    let to = answer.location();
    (to.clone(), guest.get(&to).await.data())
}

/// A guest who presses the order all the same is told the same, nothing is sent, and the cart stays.
async fn the_order_is_blocked(product: &Product, guest: &Guest, reason: &str) {
    let page = guest.get("/cart").await.data();
    let seen = order_fields(&page);
    let answer = guest.post_json("/orders", &as_fields(&seen)).await;
    assert_eq!(answer.status, 422, "{reason}");
    let error = &answer.json()["flash"]["errors"][0];
    assert_eq!(
        (&error["code"], &error["values"]["reason"]),
        (&json!("blocked"), &json!(reason))
    );
    assert!(placed(product).await.is_empty(), "{reason}");
    let kept = guest.get("/cart").await.data();
    assert_eq!(
        kept["shell"]["cart"]["lines"],
        page["shell"]["cart"]["lines"]
    );
}

#[tokio::test]
async fn pieces_above_a_promos_limit_cost_the_regular_price() {
    let product = Product::start().await;
    let guest = product.guest_at_table(PROMO, "t1").await;
    let menu = guest.get(&format!("/filials/{PROMO}")).await.data();
    let dish = products(&menu)
        .find(|dish| dish["limit"] == 3 && dish["options"].is_null() && dish["out"].is_null())
        .expect("the seed has a promo with a limit")
        .clone();
    let id = dish["id"].as_u64().unwrap();
    let (regular, promo) = (
        dish["price"].as_i64().unwrap(),
        dish["promo"].as_i64().unwrap(),
    );
    assert!(promo < regular);
    put(&guest, PROMO, id, 3).await;
    let page = guest.get("/cart").await.data();
    assert_eq!(page["shell"]["cart"]["total"], 3 * promo);
    assert!(page["shell"]["cart"]["lines"][0]["regular"].is_null());
    put(&guest, PROMO, id, 2).await;
    let page = guest.get("/cart").await;
    let data = page.data();
    assert!(
        page.rendered().contains("әдеттегі бағамен"),
        "the split is said"
    );
    let goods = 3 * promo + 2 * regular;
    assert_eq!(data["shell"]["cart"]["total"], goods);
    assert_eq!(
        data["shell"]["cart"]["lines"][0]["regular"],
        json!({ "qty": 2, "price": regular })
    );
    assert_eq!(total(&data, "goods"), Some(goods));
    // The upstream counts the same: the order is taken, with that sum.
    let (_, placed) = order(&guest, &data).await;
    assert_eq!(placed["page"]["route"], "order");
    assert_eq!(total(&placed, "goods"), Some(goods));

    // A day's limit is 10: after four orders of 3 (and the 5) one piece is left for the promo price.
    for _ in 0..2 {
        put(&guest, PROMO, id, 3).await;
        let page = guest.get("/cart").await.data();
        assert_eq!(total(&page, "goods"), Some(3 * promo));
        assert_eq!(order(&guest, &page).await.1["page"]["route"], "order");
    }
    put(&guest, PROMO, id, 3).await;
    let page = guest.get("/cart").await.data();
    assert_eq!(total(&page, "goods"), Some(promo + 2 * regular));
    assert_eq!(order(&guest, &page).await.1["page"]["route"], "order");
}

#[tokio::test]
async fn an_unspecified_limit_is_not_shown() {
    let product = Product::start().await;
    // MN-02 has 9999 stand for what nobody has told.
    for (venue, limit) in [(PROMO, json!(3)), (UNLIMITED, Value::Null)] {
        let menu = product.guest().get(&format!("/filials/{venue}")).await;
        let menu = menu.data();
        let limits: Vec<_> = products(&menu)
            .filter(|dish| dish["promo"].is_u64())
            .map(|dish| &dish["limit"])
            .collect();
        assert!(!limits.is_empty(), "{venue} has promos");
        assert!(limits.iter().all(|one| **one == limit), "{limits:?}");
    }
}

#[tokio::test]
async fn a_promo_code_is_applied_refused_with_its_reason_and_removed() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    let dish = plain_products(&menu)
        .into_iter()
        .find(|(_, price)| (50_000..250_000).contains(price))
        .unwrap();
    put(&guest, VENUE, dish.0, 1).await;
    let enter = async |code: &str| {
        guest
            .submit("/cart/promo", &[("code", code), ("back", "/cart")])
            .await
            .data()
    };
    let full = total(&guest.get("/cart").await.data(), "total").unwrap();
    for (code, state) in [
        ("nonsense", "unknown"),
        ("SUMMER", "expired"),
        ("first500", "small"),
    ] {
        let page = enter(code).await;
        assert_eq!(page["page"]["data"]["promo"]["state"], state, "{code}");
        assert_eq!(
            total(&page, "total"),
            Some(full),
            "{code} takes nothing off"
        );
        assert_eq!(total(&page, "discount"), None);
        assert_eq!(
            page["page"]["data"]["blocks"],
            json!([]),
            "and blocks nothing"
        );
    }
    // What it depends on is told, in the words of the guest.
    for (lang, reason) in [
        ("kk", "3\u{a0}000\u{a0}₸-ден бастап"),
        ("ru", "для заказов от 3\u{a0}000\u{a0}₸"),
        ("en", "for orders from 3\u{a0}000\u{a0}₸"),
    ] {
        let small = guest.get(&format!("/cart?lang={lang}")).await;
        let told = small.texts(".promo .error");
        assert!(told[0].contains(reason), "{lang}: {told:?}");
    }
    guest.get("/cart?lang=kk").await;
    let dropped = enter(" ").await;
    assert!(
        dropped["page"]["data"]["promo"].is_null(),
        "an emptied field"
    );
    assert!(dropped["shell"]["flash"]["errors"][0].is_null());
    let empty = enter(" ").await;
    assert_eq!(empty["shell"]["flash"]["errors"][0]["field"], "code");

    let page = enter(" dastarkhan10 ").await;
    let promo = &page["page"]["data"]["promo"];
    assert_eq!(
        (&promo["code"], &promo["state"]),
        (&json!("DASTARKHAN10"), &json!("applied"))
    );
    let off = promo["discount"].as_i64().unwrap();
    assert_eq!(off, dish.1 / 10 / 100 * 100);
    assert_eq!(total(&page, "discount"), Some(-off));
    assert_eq!(total(&page, "total"), Some(full - off));

    let page = guest
        .submit("/cart/promo", &[("remove", "1"), ("back", "/cart")])
        .await
        .data();
    assert!(page["page"]["data"]["promo"].is_null());
    assert_eq!(page["shell"]["flash"]["kind"], "promoRemoved");
    assert_eq!(total(&page, "total"), Some(full));

    // The code is sent with the order, and the order says what it took off.
    put(&guest, VENUE, dish.0, 9).await;
    let page = enter("FIRST500").await;
    let until = page["page"]["data"]["promo"]["terms"]["until"]
        .as_i64()
        .unwrap();
    assert_eq!(page["page"]["data"]["promo"]["terms"]["from"], 300_000);
    // It ends at midnight, by the clock of the venue: the last moment is of the day before.
    assert_eq!((until + 1 + 5 * 3_600_000) % 86_400_000, 0);
    for (lang, from, last) in [
        (
            "kk",
            "Тапсырыс 3\u{a0}000\u{a0}₸-ден бастап",
            "Соңғы күні: ",
        ),
        ("ru", "Заказ от 3\u{a0}000\u{a0}₸", "Последний день: "),
        ("en", "Orders from 3\u{a0}000\u{a0}₸", "Last day: "),
    ] {
        let shown = guest.get(&format!("/cart?lang={lang}")).await;
        let terms = shown.texts(".promo small").join("");
        assert!(terms.contains(from) && terms.contains(last), "{terms}");
    }
    guest.get("/cart?lang=kk").await;
    let page = enter("DASTARKHAN10").await;
    let off = page["page"]["data"]["promo"]["discount"].as_i64().unwrap();
    let (to, placed) = order(&guest, &page).await;
    assert_eq!(placed["page"]["route"], "order");
    assert_eq!(total(&placed, "discount"), Some(-off));
    assert!(guest.get(&to).await.rendered().contains("ащы болмасын"));
    // The next cart begins without it.
    put(&guest, VENUE, dish.0, 1).await;
    assert!(guest.get("/cart").await.data()["page"]["data"]["promo"].is_null());
}

/// Where no scripts run the code stands in the form of the order: what is typed there comes along, and Enter means the
/// code until it counts.
#[tokio::test]
async fn a_promo_code_without_scripts_keeps_what_was_typed_and_enter_means_it_first() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    put(&guest, VENUE, plain_products(&menu)[0].0, 3).await;
    let keeps = |page: &Value, what: &str| {
        let values = &page["page"]["data"]["typed"];
        for (field, typed) in [
            ("name", "Әйгерім"),
            ("comment", "пиязсыз"),
            ("payment", "cash"),
        ] {
            assert_eq!(values[field], typed, "{what}: {values}");
        }
    };
    let mut known = order_fields(&guest.get("/cart").await.data());
    let typed = [
        ("name", "Әйгерім"),
        ("comment", "пиязсыз"),
        ("back", "/cart"),
    ];
    let send = async |path: &str, known: &[(&'static str, String)], more: &[(&str, &str)]| {
        let fields = [&as_fields(known)[..], &typed[..], more].concat();
        guest.submit(path, &fields).await.data()
    };
    for (more, state) in [
        (&[("code", "nonsense")][..], "unknown"),
        (&[("code", "x"), ("offer", "DASTARKHAN10")], "applied"),
        (&[("remove", "1")], ""),
    ] {
        let page = send("/cart/promo", &known, more).await;
        keeps(&page, state);
        assert_eq!(
            page["page"]["data"]["promo"]["state"]
                .as_str()
                .unwrap_or_default(),
            state
        );
    }
    for (path, more) in [
        ("/cart/repair", &[][..]),
        ("/session/service", &[("service", "express")]),
        ("/addresses/confirm", &[]),
    ] {
        keeps(&send(path, &known, more).await, path);
    }
    let page = send(
        "/orders",
        &known,
        &[("enter", "1"), ("code", "dastarkhan10")],
    )
    .await;
    assert_eq!(page["page"]["route"], "cart", "the code first");
    assert_eq!(page["page"]["data"]["promo"]["state"], "applied");
    keeps(&page, "enter");
    known = order_fields(&page);
    let placed = send(
        "/orders",
        &known,
        &[("enter", "1"), ("code", "DASTARKHAN10")],
    )
    .await;
    assert_eq!(placed["page"]["route"], "order", "it counts already");
}

/// A copied code brings letters along that can't be seen, and a keyboard of East Asia writes full-width ones.
#[tokio::test]
async fn a_promo_code_counts_whatever_cannot_be_seen_in_it() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    put(&guest, VENUE, plain_products(&menu)[0].0, 9).await;
    for code in [
        "FIRST\u{200b}500",
        "\u{feff}first500\u{2060}",
        "FIR\u{ad}ST500\u{a0}",
        "ＦＩＲＳＴ５００",
    ] {
        let entered = [("code", code), ("back", "/cart")];
        let page = guest.submit("/cart/promo", &entered).await.data();
        let promo = &page["page"]["data"]["promo"];
        assert_eq!(
            (&promo["code"], &promo["state"]),
            (&json!("FIRST500"), &json!("applied")),
            "{code:?}"
        );
        let removed = [("remove", "1"), ("back", "/cart")];
        let page = guest.submit("/cart/promo", &removed).await.data();
        assert!(page["page"]["data"]["promo"].is_null());
    }
    let unseen = [("code", "\u{200b}\u{feff}"), ("back", "/cart")];
    let page = guest.submit("/cart/promo", &unseen).await.data();
    assert_eq!(page["shell"]["flash"]["errors"][0]["code"], "required");
    // The order without scripts repeats what is in the field: it counts already.
    let entered = [("code", "FIRST500"), ("back", "/cart")];
    guest.submit("/cart/promo", &entered).await;
    let known = order_fields(&guest.get("/cart").await.data());
    let again = [("code", "FIRST500\u{200b}")];
    let fields = [&as_fields(&known)[..], &again[..]].concat();
    let placed = guest.post("/orders", &fields).await;
    assert!(
        placed.location().contains("/order/"),
        "{}",
        placed.location()
    );
}

/// A code that was pasted may bring a tab or a mark that turns the line along: the reason names that, and the code stays.
#[tokio::test]
async fn a_promo_code_with_foreign_characters_says_so_and_stays_as_it_was_typed() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    put(&guest, VENUE, plain_products(&menu)[0].0, 3).await;
    let long = format!("\u{7}{}", "A".repeat(60));
    for (code, reason) in [
        ("DASTARKHAN\t10", "characters"),
        ("DASTARKHAN\u{202e}10", "characters"),
        (long.as_str(), "characters"),
        (&long[1..], "tooLong"),
    ] {
        let known = order_fields(&guest.get("/cart").await.data());
        let typed = [("comment", "пиязсыз"), ("code", code), ("back", "/cart")];
        let fields = [&as_fields(&known)[..], &typed[..]].concat();
        // Applied by its button, and by the order's where no scripts run.
        for path in ["/cart/promo", "/orders"] {
            let page = guest.submit(path, &fields).await.data();
            let flash = &page["shell"]["flash"];
            assert_eq!(flash["errors"][0]["field"], "code", "{path} {code:?}");
            assert_eq!(flash["errors"][0]["code"], reason, "{path} {code:?}");
            assert_eq!(flash["values"]["code"][0], code, "{path}");
            let data = &page["page"]["data"];
            assert_eq!(data["typed"]["comment"], "пиязсыз", "{path}");
            assert!(data["promo"].is_null(), "{path}");
        }
    }
    let words = guest
        .submit(
            "/cart/promo",
            &[("code", "A\tB"), ("back", "/cart?lang=en")],
        )
        .await;
    let reason = words.texts(".promo .error").join("");
    assert!(reason.contains("not valid"), "{reason}");
    assert!(product.sandbox_get("orders").await.is_empty());
}

#[tokio::test]
async fn a_code_that_can_not_be_checked_is_not_counted_and_stays() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    put(&guest, VENUE, plain_products(&menu)[0].0, 2).await;
    let full = total(&guest.get("/cart").await.data(), "total");
    product.fail("/menu-promos/v1/promo-codes", 500).await;
    let page = guest
        .submit(
            "/cart/promo",
            &[("code", "DASTARKHAN10"), ("back", "/cart")],
        )
        .await
        .data();
    assert_eq!(page["page"]["data"]["promo"]["state"], "failed");
    assert_eq!(total(&page, "total"), full);
}

#[tokio::test]
async fn a_total_that_the_guest_has_not_seen_is_not_ordered() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    put(&guest, VENUE, plain_products(&menu)[0].0, 2).await;
    let page = guest.get("/cart").await.data();
    let version = page["shell"]["cart"]["version"].to_string();
    let seen = total(&page, "total").unwrap();
    let (less, more) = ((seen - 100).to_string(), format!("{seen}.0"));
    // No sum at all is none that was seen.
    for other in ["", "NaN", "0", "null", "1e99", &less, &more] {
        let mut fields = vec![("cart_version", version.as_str()), ("payment", "cash")];
        if other != "null" {
            fields.push(("total", other));
        }
        let refused = guest.submit("/orders", &fields).await.data();
        assert_eq!(
            refused["shell"]["flash"]["errors"][0]["code"], "priceChanged",
            "{other}"
        );
    }
    assert!(product.sandbox_get("orders").await.is_empty());
}

/// What the page could not ask for is in no sum that its guest has seen: it is ordered without, though the upstream answers
/// again.
#[tokio::test]
async fn what_the_page_could_not_count_is_ordered_without() {
    let product = Product::start().await;
    let code = [("code", "DASTARKHAN10"), ("back", "/cart")];
    let bonus = [("bonus", "100"), ("back", "/cart")];
    let (promos, balance) = (
        "/menu-promos/v1/promo-codes/check",
        "/private-reward/api/v1/balance",
    );
    for (venue, change, fields, path, field) in [
        (VENUE, "/cart/promo", code, promos, "no_promo"),
        (REWARDING, "/cart/bonus", bonus, balance, "no_bonus"),
    ] {
        let guest = product.guest_at_table(venue, "t1").await;
        sign_in(&product, &guest).await;
        let menu = guest.get(&format!("/filials/{venue}")).await.data();
        put(&guest, venue, plain_products(&menu)[0].0, 2).await;
        let full = total(&guest.get("/cart").await.data(), "total");
        guest.submit(change, &fields).await;
        let hidden = format!("name=\"{field}\"");
        let counted = guest.get("/cart").await;
        assert!(total(&counted.data(), "total") < full, "{field}");
        assert!(!counted.rendered().contains(&hidden), "{field}");
        product.fail(path, 503).await;
        let page = guest.get("/cart").await;
        let seen = page.data();
        assert_eq!(total(&seen, "total"), full, "{field}");
        assert!(page.rendered().contains(&hidden), "{field}");
        product.no_faults().await;
        let mut fields = order_fields(&seen).to_vec();
        fields.push((field, "1".to_owned()));
        let placed = guest.post("/orders", &as_fields(&fields)).await.location();
        assert!(placed.contains("/order/"), "{field}: {placed}");
        let order = product.sandbox_get("orders").await.remove(0);
        // The sandbox tells whole tenge.
        assert_eq!(order["sum"].as_i64().map(|sum| sum * 100), full, "{field}");
    }
}

#[tokio::test]
async fn bonuses_pay_the_venues_share_of_the_goods_and_nothing_of_the_fees() {
    let product = Product::start().await;
    let guest = product.guest_at_table(REWARDING, "t1").await;
    let menu = guest.get(&format!("/filials/{REWARDING}")).await.data();
    let dish = plain_products(&menu)[0];
    put(&guest, REWARDING, dish.0, 2).await;
    let page = guest.get("/cart").await;
    assert_eq!(page.data()["page"]["data"]["bonus"]["state"], "signIn");
    assert!(
        !page.rendered().contains(r#"action="/cart/bonus""#),
        "no dead control"
    );

    sign_in(&product, &guest).await;
    let set_balance = async |bonus: i64| {
        product
            .control(
                "balance",
                json!({ "phone": "+77010000009", "bonus": bonus }),
            )
            .await;
    };
    set_balance(100_000).await;
    let page = guest.get("/cart").await;
    assert!(page.rendered().contains(r#"action="/cart/bonus""#));
    let data = page.data();
    let goods = 2 * dish.1;
    let max = goods * 30 / 100 / 100 * 100;
    let bonus = &data["page"]["data"]["bonus"];
    assert_eq!(bonus["state"], "ready");
    assert_eq!(bonus["percent"], 30);
    assert_eq!(bonus["max"], max, "30 % of the goods alone");
    let full = total(&data, "total").unwrap();
    assert!(full > goods, "there is a fee on top");

    let spend = async |fields: &[(&str, &str)]| guest.submit("/cart/bonus", fields).await.data();
    let page = spend(&[("bonus", "1 00,00"), ("back", "/cart")]).await;
    assert_eq!(page["page"]["data"]["bonus"]["used"], 10_000);
    assert_eq!(total(&page, "bonus"), Some(-10_000));
    assert_eq!(total(&page, "total"), Some(full - 10_000));
    let page = spend(&[("bonus", "1e9"), ("back", "/cart")]).await;
    assert_eq!(page["shell"]["flash"]["errors"][0]["field"], "bonus");
    assert_eq!(page["page"]["data"]["bonus"]["used"], 10_000, "as it was");
    // There is no coin for it: what is shown in whole tenge would not be what is charged (FM-01).
    let page = spend(&[("bonus", "100,50"), ("back", "/cart")]).await;
    let error = &page["shell"]["flash"]["errors"][0];
    assert_eq!(
        (&error["field"], &error["code"]),
        (&json!("bonus"), &json!("badInput"))
    );
    assert_eq!(page["page"]["data"]["bonus"]["used"], 10_000, "as it was");
    let page = spend(&[("use", "0"), ("bonus", "5"), ("back", "/cart")]).await;
    assert_eq!(total(&page, "bonus"), None);
    // More than may be spent is lowered, and told.
    let page = spend(&[("bonus", "900000"), ("back", "/cart")]).await;
    assert_eq!(page["page"]["data"]["bonus"]["used"], max);
    assert_eq!(page["page"]["data"]["bonus"]["lowered"], true);

    // The balance fell meanwhile: what the guest saw is not what would be spent, so nothing is ordered (BL-12).
    set_balance(50).await;
    let (to, stale) = order(&guest, &page).await;
    assert_eq!(to, "/cart#order");
    assert_eq!(stale["shell"]["flash"]["errors"][0]["code"], "priceChanged");
    assert_eq!(stale["page"]["data"]["bonus"]["used"], 5_000);
    // A slow balance of who spends bonuses is waited for, so that the page shows what the order will cost (R-03).
    let slow = json!({
        "path": "/private-reward/api/v1/balance", "kind": "delay", "delay_ms": 900,
    });
    product.control("faults", slow).await;
    let slow = guest.get("/cart").await.data();
    assert_eq!(slow["page"]["data"]["bonus"]["used"], 5_000);
    product.no_faults().await;
    let (_, placed) = order(&guest, &stale).await;
    assert_eq!(placed["page"]["route"], "thankYou");
    assert_eq!(total(&placed, "bonus"), Some(-5_000));
    assert_eq!(total(&placed, "total"), Some(full - 5_000));
}

/// ZZ-15, BL-05.
#[tokio::test]
async fn bonuses_are_a_share_of_the_goods_after_the_discount_and_of_what_is_available() {
    let product = Product::start().await;
    let guest = product.guest_at_table(REWARDING, "t1").await;
    let menu = guest.get(&format!("/filials/{REWARDING}")).await.data();
    let dish = plain_products(&menu)[0];
    put(&guest, REWARDING, dish.0, 5).await;
    sign_in(&product, &guest).await;
    // What is not available yet pays nothing.
    let told = json!({ "/data/balance": 900, "/data/available_balance": 50 });
    product
        .replace("/private-reward/api/v1/balance", told)
        .await;
    let page = guest.get("/cart").await.data();
    assert_eq!(page["page"]["data"]["bonus"]["max"], 5_000);
    product.no_faults().await;

    let balance = json!({ "phone": "+77010000009", "bonus": 100_000 });
    product.control("balance", balance).await;
    let goods = 5 * dish.1;
    let share = |of: i64| of * 30 / 100 / 100 * 100;
    let coded = [("code", "DASTARKHAN10"), ("back", "/cart")];
    let page = guest.submit("/cart/promo", &coded).await.data();
    let off = page["page"]["data"]["promo"]["discount"].as_i64().unwrap();
    assert!(share(goods - off) < share(goods), "{goods} {off}");
    assert_eq!(page["page"]["data"]["bonus"]["max"], share(goods - off));
    let before = total(&page, "total").unwrap();
    let all = [("bonus", "900000"), ("back", "/cart")];
    let page = guest.submit("/cart/bonus", &all).await.data();
    let due = before - share(goods - off);
    assert_eq!(total(&page, "total"), Some(due));
    // The upstream counts the same.
    let (_, placed) = order(&guest, &page).await;
    assert_eq!(total(&placed, "discount"), Some(-off));
    assert_eq!(total(&placed, "bonus"), Some(-share(goods - off)));
    assert_eq!(total(&placed, "total"), Some(due));
}

#[tokio::test]
async fn a_balance_that_can_not_be_had_spends_nothing() {
    let product = Product::start().await;
    let guest = product.guest_at_table(REWARDING, "t1").await;
    let menu = guest.get(&format!("/filials/{REWARDING}")).await.data();
    put(&guest, REWARDING, plain_products(&menu)[0].0, 2).await;
    sign_in(&product, &guest).await;
    guest.post("/cart/bonus", &[("bonus", "100")]).await;
    product.fail("/private-reward", 500).await;
    let page = guest.get("/cart").await.data();
    assert_eq!(page["page"]["data"]["bonus"]["state"], "failed");
    assert_eq!(total(&page, "bonus"), None);
    product.no_faults().await;

    // Where the venue has no reward, and for a delivery, there is nothing to spend either.
    let guest = product.guest_at_table(VENUE, "t7").await;
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    put(&guest, VENUE, plain_products(&menu)[0].0, 1).await;
    // Nobody signs in for bonuses to learn then that there are none.
    let before = guest.get("/cart?lang=en").await;
    // The bill of the same venue may take them.
    let told = before.texts(".bonus > p");
    assert_eq!(told, ["The restaurant takes no bonuses for such orders."]);
    assert_eq!(before.data()["page"]["data"]["bonus"]["state"], "notHere");
    sign_in(&product, &guest).await;
    let page = guest.get("/cart").await.data();
    assert_eq!(page["page"]["data"]["bonus"]["state"], "notHere");
    let guest = product.guest_at_table(REWARDING, "t1").await;
    let menu = guest.get(&format!("/filials/{REWARDING}")).await.data();
    put(&guest, REWARDING, plain_products(&menu)[0].0, 1).await;
    sign_in(&product, &guest).await;
    let spend = [("bonus", "100"), ("back", "/cart")];
    let page = guest.submit("/cart/bonus", &spend).await.data();
    assert_eq!(page["page"]["data"]["bonus"]["used"], 10_000);
    // What was entered for a table pays nothing of a delivery.
    let by_courier = [("service", "delivery"), ("back", "/cart")];
    let page = guest.submit("/session/service", &by_courier).await;
    let pays_nothing = |page: &Value| {
        let bonus = &page["page"]["data"]["bonus"];
        assert_eq!(bonus["state"], "delivery");
        assert_eq!((&bonus["used"], &bonus["max"]), (&json!(0), &json!(0)));
        assert_eq!(total(page, "bonus"), None);
    };
    pays_nothing(&page.data());
    assert!(!page.rendered().contains(r#"action="/cart/bonus""#));
    let due = total(&page.data(), "total");
    let page = guest.submit("/cart/bonus", &spend).await.data();
    pays_nothing(&page);
    assert_eq!(total(&page, "total"), due);
}

#[tokio::test]
async fn a_delivery_tells_its_price_the_next_step_and_the_least_sum() {
    let product = Product::start().await;
    let guest = product.guest();
    let menu = guest.get("/filials/1024").await.data();
    let dish = plain_products(&menu)
        .into_iter()
        .min_by_key(|(_, price)| *price)
        .unwrap();
    assert!(dish.1 < 200_000);
    // Adding is never blocked by the least sum (CT-17).
    put(&guest, 1024, dish.0, 1).await;
    let page = guest.get("/cart").await.data();
    let delivery = &page["page"]["data"]["delivery"];
    assert!(delivery["address"].is_null() && delivery["tariffs"] == json!([]));
    let step = &delivery["steps"][0];
    assert_eq!(step["reached"], false);
    assert_eq!(delivery["next"]["from"], step["from"]);
    assert_eq!(delivery["next"]["discount"], step["discount"]);
    assert_eq!(
        delivery["next"]["missing"].as_i64().unwrap(),
        step["from"].as_i64().unwrap() - dish.1
    );
    assert_eq!(
        total(&page, "delivery"),
        None,
        "not guessed without an address"
    );

    // A signed-in guest with an address sees tariffs, and the delivery on its own line.
    let (bearer, _) = sign_in(&product, &guest).await;
    let venue = crate::support::client()
        .get(format!(
            "{}/takeaway/locations/card/terminal/1024",
            product.sandbox
        ))
        .send()
        .await
        .unwrap()
        .json::<Value>()
        .await
        .unwrap()["data"]["coordinates"]
        .clone();
    let address = json!({
        "name": "Үй", "address": "Абай даңғылы, 10", "city": "Алматы", "street": "Абай даңғылы", "building": "10",
        "entrance": "2", "floor": "3", "apartment": "14", "is_private_house": false, "comment": "Код 45",
        "latitude": venue["latitude"].as_f64().unwrap() + 0.01, "longitude": venue["longitude"],
    });
    let saved = crate::support::client()
        .post(format!("{}/profile/api/v1/address", product.sandbox))
        .bearer_auth(&bearer)
        .json(&address)
        .send()
        .await
        .unwrap();
    assert!(saved.status().is_success());
    let page = guest.get("/cart?lang=en").await;
    // Too little for any delivery: no cheaper one is offered.
    assert_eq!(page.texts(".delivery .next"), [""; 0]);
    let least = page.texts(".delivery > .note").join("");
    assert!(least.starts_with("Minimum order"), "{least}");
    // A guest who pays sees to which door it is brought.
    let told = page.texts(".delivery").join("");
    assert!(
        told.contains("entrance 2, floor 3, apt. 14") && told.contains("Код 45"),
        "{told}"
    );
    // What is missing is in the menu: nothing can be ordered yet.
    let way_on = ".order > a.button";
    assert_eq!(page.texts(way_on).len(), 1);
    let page = page.data();
    let delivery = &page["page"]["data"]["delivery"];
    assert_eq!(delivery["address"], "Абай даңғылы, 10");
    let price = delivery["tariffs"][0]["price"].as_i64().unwrap();
    assert!(price > 0);
    assert_eq!(total(&page, "delivery"), Some(price));
    assert_eq!(delivery["minSum"], 200_000);
    assert_eq!(page["page"]["data"]["blocks"], json!(["minSum"]));
    assert!(delivery["next"]["price"].as_i64().unwrap() < price);
    the_order_is_blocked(&product, &guest, "minSum").await;
    put(&guest, 1024, dish.0, 98).await;
    let page = guest.get("/cart").await;
    assert!(page.texts(way_on).is_empty());
    let page = page.data();
    assert!(page["page"]["data"]["delivery"]["next"].is_null());
    // The address is asked about once in a session (DG-05).
    assert_eq!(page["page"]["data"]["blocks"], json!(["confirmAddress"]));
    guest.post("/addresses/confirm", &[("back", "/cart")]).await;
    let page = guest.get("/cart").await.data();
    assert_eq!(page["page"]["data"]["delivery"]["confirmed"], true);
    // Nothing is in the way of the order any more.
    assert_eq!(page["page"]["data"]["blocks"], json!([]));
}

#[tokio::test]
async fn the_venues_own_couriers_have_their_price_and_their_limits() {
    let product = Product::with(&["--catalogue-fresh-ms", "1"]).await;
    let guest = product.guest();
    let menu = guest.get("/filials/1064").await.data();
    let dish = plain_products(&menu)
        .into_iter()
        .min_by_key(|(_, price)| *price)
        .unwrap();
    assert!(dish.1 < 300_000);
    put(&guest, 1064, dish.0, 1).await;
    let page = guest.get("/cart").await;
    let data = page.data();
    let delivery = &data["page"]["data"]["delivery"];
    assert_eq!(
        delivery["tariffs"],
        json!([{ "courier": "venue", "price": 60_000, "cost": null, "minutes": null, "fastest": false }])
    );
    assert_eq!(delivery["minSum"], 300_000);
    assert!(delivery["maxSum"].is_null(), "0 is no limit");
    assert_eq!(total(&data, "delivery"), Some(60_000));
    assert_eq!(data["page"]["data"]["blocks"], json!(["signIn", "minSum"]));

    // Exactly the greatest sum is brought, more is not.
    for (most, blocks) in [
        (dish.1, json!(["signIn"])),
        (dish.1 - 100, json!(["signIn", "maxSum"])),
    ] {
        let limits = json!({ "/data/vendor_min_sum": 0, "/data/vendor_max_sum": most / 100 });
        product
            .replace("/takeaway/locations/card/terminal/1064", limits)
            .await;
        // Until the venue that was kept is renewed.
        let told = eventually(20, || async {
            let data = guest.get("/cart").await.data();
            (data["page"]["data"]["delivery"]["maxSum"] == most).then_some(data)
        })
        .await;
        assert_eq!(told["page"]["data"]["blocks"], blocks, "{most}");
    }
    // Nor does the order itself go, once nothing else is in its way.
    sign_in(&product, &guest).await;
    save_an_address(&guest).await;
    let blocks = guest.get("/cart").await.data()["page"]["data"]["blocks"].clone();
    assert_eq!(blocks, json!(["maxSum"]));
    the_order_is_blocked(&product, &guest, "maxSum").await;
}

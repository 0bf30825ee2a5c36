//! What the menu page shows around its categories and of its products: short lists, stock, promos, prices (MN).

use std::{
    collections::HashSet,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{
    account::sign_in,
    orders::press,
    support::{Guest, Product, VENUE, client, eventually, order_fields, plain_products, products},
};

/// Sells nothing yet.
const EMPTY: u64 = 1243;
/// Has a product without a price.
const HOSTILE: u64 = 1263;
/// Has a category that is hidden.
const COFFEE_BRAND: &str = "coffee";
/// Delivers by the service's couriers.
const DELIVERY: u64 = 1014;

async fn menu(guest: &Guest, venue: u64) -> Value {
    let page = guest.get(&format!("/filials/{venue}")).await;
    assert_eq!(page.status, 200);
    page.data()
}

/// What the sandbox itself says.
async fn upstream_answer(product: &Product, path: &str) -> Value {
    let answer = client()
        .get(format!("{}{path}", product.sandbox))
        .header("x-language", "ru")
        .send()
        .await
        .unwrap();
    assert!(answer.status().is_success(), "{path}");
    answer.json().await.unwrap()
}

async fn calls_to(product: &Product, path: &str) -> Vec<Value> {
    let log = product.sandbox_get("log").await;
    log.into_iter()
        .filter(|call| call["path"].as_str().unwrap().starts_with(path))
        .collect()
}

fn query(call: &Value) -> String {
    let text = call["query"].as_str().unwrap_or_default();
    percent_encoding::percent_decode_str(text)
        .decode_utf8()
        .unwrap()
        .into_owned()
}

fn ids(list: &Value) -> Vec<u64> {
    list.as_array()
        .unwrap()
        .iter()
        .map(|id| id.as_u64().unwrap())
        .collect()
}

fn all_ids(page: &Value) -> HashSet<u64> {
    products(page)
        .map(|dish| dish["id"].as_u64().unwrap())
        .collect()
}

#[tokio::test]
async fn short_lists_come_first_and_name_what_is_on_the_menu_once() {
    let product = Product::start().await;
    let page = product.guest().get(&format!("/filials/{VENUE}")).await;
    let data = page.data();
    let lists = data["page"]["data"]["lists"].as_array().unwrap().clone();
    let order: Vec<i64> = lists
        .iter()
        .map(|list| list["id"].as_i64().unwrap())
        .collect();
    assert_eq!(order, [-2, -3], "favourites of all, then what is popular");
    let known = all_ids(&data);
    let mut seen = HashSet::new();
    for id in lists.iter().flat_map(|list| ids(&list["products"])) {
        assert!(known.contains(&id), "{id} is not on the menu");
        assert!(seen.insert(id), "{id} stands in two lists");
    }
    let html = page.rendered();
    for id in order {
        assert_eq!(html.matches(&format!(r#"id="cat-{id}""#)).count(), 1);
        assert!(html.contains(&format!(r##"href="#cat-{id}""##)));
    }
    let first = data["page"]["data"]["categories"][0]["id"].to_string();
    let place = |id: &str| html.find(&format!(r#"id="cat-{id}""#)).unwrap();
    assert!(place("-2") < place("-3") && place("-3") < place(&first));
    let link = |id: &str| html.find(&format!(r##"href="#cat-{id}""##)).unwrap();
    assert!(
        link("-2") < link("-3") && link("-3") < link(&first),
        "the rail, too"
    );
    for path in ["/menu/v3/popular/products", "/menu/v3/favourite/products"] {
        let calls = calls_to(&product, path).await;
        assert!(query(&calls[0]).contains("limit=20"), "{path}");
    }
    assert!(
        calls_to(&product, "/takeaway/v1/filial").await.is_empty(),
        "nobody in particular orders nothing most"
    );
}

#[tokio::test]
async fn a_signed_in_guest_sees_what_this_guest_orders_most() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let (bearer, _) = sign_in(&product, &guest).await;
    // Of one who has ordered nothing yet it is what all guests see, by the names that it has for them.
    let data = menu(&guest, VENUE).await["page"]["data"].clone();
    let lists = |data: &Value| -> Vec<i64> {
        let lists = data["lists"].as_array().unwrap();
        lists
            .iter()
            .map(|list| list["id"].as_i64().unwrap())
            .collect()
    };
    assert_eq!((lists(&data), &data["house"]), (vec![-2, -3], &json!(true)));
    let (dish, _) = plain_products(&menu(&guest, VENUE).await)[0];
    assert_eq!(guest.add(VENUE, dish).await.status, 303);
    let cart = guest.data("/cart").await;
    press(&guest, &order_fields(&cart)).await;
    product.forget_log().await;
    let data = menu(&guest, VENUE).await["page"]["data"].clone();
    assert!(lists(&data).contains(&-4) && data["house"].is_null());
    let calls = calls_to(&product, "/takeaway/v1/filial/1013/products/frequent/").await;
    assert_eq!(calls.len(), 1);
    assert!(query(&calls[0]).contains("limit=20"));
    let favourites = calls_to(&product, "/menu/v3/favourite/products").await;
    let promos = calls_to(&product, "/menu-promos/api/v2/promos").await;
    for call in [&calls[0], &favourites[0], &promos[0]] {
        assert_eq!(call["headers"]["authorization"], format!("Bearer {bearer}"));
    }
    assert!(query(&promos[0]).contains("user_id="));
}

#[tokio::test]
async fn lists_that_fail_or_hang_are_absent_in_silence() {
    let product = Product::start().await;
    for fault in [
        json!({ "path": "/menu/v3/popular", "kind": "status", "status": 500 }),
        json!({ "path": "/menu/v3/favourite", "kind": "hang" }),
        json!({ "path": "/menu-promos", "kind": "wrong_type" }),
        json!({ "path": "/menu/v2/products/available", "kind": "hang" }),
    ] {
        product.control("faults", fault).await;
    }
    let began = Instant::now();
    let page = product
        .guest()
        .get(&format!("/filials/{VENUE}?lang=en"))
        .await;
    assert!(
        began.elapsed() < Duration::from_secs(5),
        "it waits for none of them"
    );
    assert_eq!(page.status, 200);
    let data = page.data();
    assert_eq!(data["page"]["data"]["lists"], json!([]));
    assert_eq!(data["page"]["data"]["promos"], json!([]));
    assert_eq!(all_ids(&data).len(), 60, "the menu is whole");
    let html = page.rendered();
    for silent in ["Popular", "Favourites", "Promotions", "did not load"] {
        assert!(!html.contains(silent), "{silent}");
    }
    assert!(
        html.contains(r#"action="/cart/lines""#),
        "nothing is sold out by it"
    );
}

#[tokio::test]
async fn what_is_not_among_the_available_is_shown_and_not_sold() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let (dish, _) = plain_products(&menu(&guest, VENUE).await)[0];
    // The kept menu still says that it is there: only the list of what can be had knows better.
    product.sell_out(VENUE, dish).await;
    tokio::time::sleep(Duration::from_millis(1100)).await;
    product.forget_log().await;
    let page = guest.get(&format!("/filials/{VENUE}?lang=en")).await;
    let data = page.data();
    let row = products(&data).find(|one| one["id"] == dish).unwrap();
    assert_eq!(row["out"], true);
    let html = page.rendered();
    assert!(html.contains("Sold out"));
    assert!(
        !html.contains(&format!(r#"name="product" value="{dish}""#)),
        "no button to add it"
    );
    let (venue, dish) = (VENUE.to_string(), dish.to_string());
    let answer = guest
        .post_json("/cart/lines", &[("filial", &venue), ("product", &dish)])
        .await;
    assert_eq!(answer.json()["flash"]["errors"][0]["code"], "gone");
}

#[tokio::test]
async fn hidden_categories_are_hidden_and_those_without_photos_have_none() {
    let product = Product::start().await;
    let mut hidden = 0;
    let mut plain = 0;
    for venue in [VENUE, coffee(&product).await] {
        let path = format!("/menu/v2/category/products?filial_id={venue}");
        let upstream = upstream_answer(&product, &path).await;
        let page = menu(&product.guest(), venue).await;
        let shown = page["page"]["data"]["categories"].as_array().unwrap();
        for category in upstream["data"].as_array().unwrap() {
            let ours = shown.iter().find(|one| one["id"] == category["id"]);
            if category["attributes"]["is_active"] == false {
                hidden += 1;
                assert!(ours.is_none());
                for dish in category["relationships"]["products"]["data"]
                    .as_array()
                    .unwrap()
                {
                    let id = dish["product_id"].as_u64().unwrap();
                    assert!(!all_ids(&page).contains(&id));
                }
            } else if category["attributes"]["is_show_photo"] == false {
                plain += 1;
                let dishes = ours.unwrap()["products"].as_array().unwrap();
                assert!(dishes.iter().all(|dish| dish["image"].is_null()));
            }
        }
    }
    assert!(
        hidden > 0 && plain > 0,
        "{hidden} hidden, {plain} without photos"
    );
}

/// A venue of the brand for tables, with a hidden category.
async fn coffee(product: &Product) -> u64 {
    for table in product.sandbox_get("tables").await {
        let venue = table["filial_id"].as_u64().unwrap();
        let path = format!("/menu/v2/category/products?filial_id={venue}");
        let menu = upstream_answer(product, &path).await;
        let hidden = |category: &Value| category["attributes"]["is_active"] == false;
        if menu["data"].as_array().unwrap().iter().any(hidden) {
            return venue;
        }
    }
    panic!("no venue of {COFFEE_BRAND}")
}

#[tokio::test]
async fn an_empty_menu_says_so_in_every_language() {
    let product = Product::start().await;
    for (lang, text) in [
        ("kk", "Мәзірде әзірге тағам жоқ"),
        ("ru", "В меню пока нет блюд"),
        ("en", "The menu has no dishes yet"),
    ] {
        let page = product
            .guest()
            .get(&format!("/filials/{EMPTY}?lang={lang}"))
            .await;
        assert_eq!(page.status, 200);
        assert!(page.rendered().contains(text), "{lang}");
    }
}

#[tokio::test]
async fn a_product_without_a_price_is_told_so_and_not_sold() {
    let product = Product::start().await;
    let guest = product.guest();
    let data = menu(&guest, HOSTILE).await;
    let dish = products(&data)
        .find(|dish| dish["unpriced"] == true)
        .unwrap()["id"]
        .clone();
    for (lang, text) in [
        ("kk", "Бағасы көрсетілмеген"),
        ("ru", "Цена не указана"),
        ("en", "No price given"),
    ] {
        let html = guest
            .get(&format!("/filials/{HOSTILE}?lang={lang}"))
            .await
            .rendered();
        assert!(html.contains(text), "{lang}");
        assert!(!html.contains(&format!(r#"name="product" value="{dish}""#)));
    }
    let (venue, dish) = (HOSTILE.to_string(), dish.to_string());
    let answer = guest
        .post_json("/cart/lines", &[("filial", &venue), ("product", &dish)])
        .await;
    assert_eq!(answer.json()["flash"]["errors"][0]["code"], "gone");
    assert!(answer.json()["cart"].is_null());
}

#[tokio::test]
async fn what_costs_nothing_is_free_and_from_is_said_of_differing_prices_only() {
    let product = Product::start().await;
    let page = product
        .guest()
        .get(&format!("/filials/{VENUE}?lang=en"))
        .await;
    let data = page.data();
    let free = products(&data)
        .find(|dish| dish["price"] == 0 && dish["unpriced"].is_null())
        .unwrap();
    assert!(free["out"].is_null(), "it can be had");
    assert!(page.rendered().contains(">Free</p>"));
    assert!(page.rendered().contains("<b>from "), "the word is there");
    let path = format!("/menu/v2/category/products?filial_id={VENUE}");
    let upstream = upstream_answer(&product, &path).await;
    let mut sized = 0;
    for dish in upstream["data"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|category| {
            category["relationships"]["products"]["data"]
                .as_array()
                .unwrap()
        })
    {
        let prices: HashSet<String> = dish["sizes"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|size| size["is_unavailable"] == false)
            .map(|size| size["price"].to_string())
            .collect();
        let Some(ours) = products(&data).find(|one| one["id"] == dish["product_id"]) else {
            continue;
        };
        assert_eq!(ours["from"] == true, prices.len() > 1, "{dish}");
        sized += usize::from(prices.len() > 1);
    }
    assert!(sized > 0);
}

#[tokio::test]
async fn promos_tell_until_when_how_many_and_for_what() {
    let product = Product::start().await;
    let page = product
        .guest()
        .get(&format!("/filials/{VENUE}?lang=en"))
        .await;
    let data = page.data();
    let now = data["shell"]["now"].as_i64().unwrap();
    let promos = data["page"]["data"]["promos"].as_array().unwrap();
    assert!(!promos.is_empty());
    let cheaper: HashSet<u64> = products(&data)
        .filter(|dish| dish["promo"].is_i64())
        .map(|dish| dish["id"].as_u64().unwrap())
        .collect();
    let mut dated = 0;
    for promo in promos {
        assert!(!promo["name"].as_str().unwrap().is_empty());
        for id in ids(&promo["products"]) {
            assert!(cheaper.contains(&id), "the price of {id} knows of it");
        }
        if let Some(until) = promo["until"].as_i64() {
            assert!(until > now);
            dated += 1;
        }
    }
    assert!(dated > 0);
    let html = page.rendered();
    assert!(html.contains("Promotions") && html.contains("Last day: "));
    assert!(html.contains("At most 3 at this price"));
    let calls = calls_to(&product, "/menu-promos/api/v2/promos").await;
    let query = query(&calls[0]);
    for part in [
        "filter[filial_id]=1013",
        "filter[onlyActive]=",
        "include=products",
    ] {
        assert!(query.contains(part), "{part} in {query}");
    }
    assert!(!query.contains("user_id"));
}

#[tokio::test]
async fn what_comes_off_the_delivery_is_said_where_there_is_one() {
    let product = Product::start().await;
    let delivery = delivering(&product).await;
    let page = product
        .guest()
        .get(&format!("/filials/{delivery}?lang=en"))
        .await;
    let path = format!("/menu-promos/v1/promos/subsidies?terminal_ids[]={delivery}&only_active=1");
    let upstream = upstream_answer(&product, &path).await;
    let steps = upstream["data"][0]["thresholds"]
        .as_array()
        .unwrap()
        .clone();
    let ours = page.data()["page"]["data"]["delivery"].clone();
    assert_eq!(ours.as_array().unwrap().len(), steps.len());
    for (ours, step) in ours.as_array().unwrap().iter().zip(&steps) {
        assert_eq!(ours["from"], step["threshold"].as_i64().unwrap() * 100);
        assert_eq!(ours["discount"], step["discount"].as_i64().unwrap() * 100);
    }
    assert!(page.rendered().contains("delivery costs"));
    let express = menu(&product.guest(), VENUE).await;
    assert_eq!(express["page"]["data"]["delivery"], json!([]));
    let calls = calls_to(&product, "/menu-promos/v1/promos/subsidies").await;
    let ours = calls
        .iter()
        .map(query)
        .find(|query| query.contains("only_active"));
    assert!(
        ours.unwrap()
            .contains(&format!("terminal_ids[]={delivery}"))
    );
}

/// A venue whose orders the service's couriers bring.
async fn delivering(product: &Product) -> u64 {
    for venue in [DELIVERY, 1024, 1034, 1044, 1054, 1064, 1444] {
        let path = format!("/takeaway/locations/card/terminal/{venue}?include=extra");
        let answer = client()
            .get(format!("{}{path}", product.sandbox))
            .send()
            .await
            .unwrap();
        if !answer.status().is_success() {
            continue;
        }
        let card: Value = answer.json().await.unwrap();
        if card["data"]["vendor_delivery_enabled"] != true {
            return venue;
        }
    }
    panic!("nobody delivers")
}

/// Signed in or not: what is the same for every guest of a menu is rendered once by each isolate.
#[tokio::test]
async fn what_every_guest_sees_of_a_menu_is_rendered_once() {
    let product = Product::with(&["--isolates", "1"]).await;
    let guest = product.guest();
    let (dish, _) = plain_products(&menu(&guest, VENUE).await)[0];
    for is_signed_in in [false, true] {
        if is_signed_in {
            sign_in(&product, &guest).await;
        }
        // In the cart: a page of this guest alone.
        guest.add(VENUE, dish).await;
        menu(&guest, VENUE).await;
        let before = product.number("fragments_reused_total", "").await;
        menu(&guest, VENUE).await;
        let reused = product.number("fragments_reused_total", "").await - before;
        assert!(reused > 0, "signed in: {is_signed_in}");
    }
}

/// A menu that is asked for again is the same one as long as nothing in it has changed.
#[tokio::test]
async fn a_menu_that_was_asked_for_anew_is_not_rendered_anew() {
    let product = Product::with(&["--isolates", "1", "--catalogue-fresh-ms", "1"]).await;
    let guest = product.guest();
    let (dish, _) = plain_products(&menu(&guest, VENUE).await)[0];
    guest.add(VENUE, dish).await;
    menu(&guest, VENUE).await;
    product.forget_log().await;
    for _ in 0..8 {
        let before = product.number("fragments_reused_total", "").await;
        menu(&guest, VENUE).await;
        let reused = product.number("fragments_reused_total", "").await - before;
        assert!(reused > 0);
        // What is too old is shown and asked for meanwhile.
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let log = product.sandbox_get("log").await;
    let calls = log
        .iter()
        .filter(|call| call["path"] == "/menu/v2/category/products");
    assert!(calls.count() > 2, "it was requested anew");
}

/// MN-10: what is sold out can be added nowhere, however long the lists were known.
#[tokio::test]
async fn lists_beside_the_menu_know_what_is_sold_out() {
    let product = Product::with(&["--catalogue-fresh-ms", "600000"]).await;
    let guest = product.guest();
    let search = format!("/filials/{VENUE}/search");
    let out = |page: &Value, list: &str, id: u64| {
        let found = page["page"]["data"][list].as_array().unwrap().clone();
        let dish = found.iter().find(|one| one["id"] == id);
        dish.map(|dish| dish["out"] == true)
    };
    let page = guest.get(&search).await.data();
    let popular = page["page"]["data"]["popular"][0].clone();
    let (id, name) = (
        popular["id"].as_u64().unwrap(),
        popular["name"].as_str().unwrap(),
    );
    assert_eq!(out(&page, "popular", id), Some(false));
    let name: String = url::form_urlencoded::byte_serialize(name.as_bytes()).collect();
    let asked = format!("{search}?q={name}");
    assert_eq!(
        out(&guest.get(&asked).await.data(), "products", id),
        Some(false)
    );

    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    let mut dishes = plain_products(&menu).into_iter().map(|(dish, _)| dish);
    guest
        .add(VENUE, dishes.find(|dish| *dish != id).unwrap())
        .await;
    let goods = guest.get("/cart").await.data()["page"]["data"]["crossSell"].clone();
    let good = goods[0]["id"]
        .as_u64()
        .expect("something that goes with it");

    product.sell_out(VENUE, id).await;
    product.sell_out(VENUE, good).await;
    for (address, list) in [(&search, "popular"), (&asked, "products")] {
        eventually(10, async || {
            let page = guest.get(address).await.data();
            (out(&page, list, id) == Some(true)).then_some(())
        })
        .await;
    }
    eventually(10, async || {
        let page = guest.get("/cart").await.data();
        out(&page, "crossSell", good).is_none().then_some(())
    })
    .await;
}

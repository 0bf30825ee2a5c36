//! What is asked of the upstream about dishes with choices, and how often (AT-03, AT-07, AT-08, AT-10); the optional
//! parts of a checkout (CT-01, CT-07).

use std::time::Duration;

use serde_json::{Value, json};

use crate::account::sign_in;
use crate::support::{Guest, Product, VENUE, as_fields, order_fields, plain_products, products};

const MANY: &str = "/menu/v2/products/with/additives/";
const ONE: &str = "/menu/v2/product/additives";
const FAVOURITE: &str = "/menu/v2/favourite-product/additives";

/// The queries of the calls to a path.
async fn calls_to(product: &Product, path: &str) -> Vec<String> {
    let log = product.sandbox_get("log").await;
    log.iter()
        .filter(|call| call["path"] == path)
        .map(|call| call["query"].as_str().unwrap_or_default().to_owned())
        .collect()
}

/// What answers renew themselves behind the page has been asked for.
async fn settled() {
    tokio::time::sleep(Duration::from_secs(1)).await;
}

/// Up to `count` dishes without sizes, each with the form that chooses what it asks for at least.
async fn configured(guest: &Guest, count: usize) -> Vec<Vec<(String, String)>> {
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    let mut forms = Vec::new();
    for dish in products(&menu).filter(|dish| dish["options"] == true && dish["out"].is_null()) {
        let item = item(guest, &dish["id"].to_string()).await;
        if !item["sizes"].is_null() || forms.len() == count {
            continue;
        }
        let mut form = vec![
            ("filial".to_owned(), VENUE.to_string()),
            ("product".to_owned(), dish["id"].to_string()),
            ("back".to_owned(), "/cart".to_owned()),
        ];
        for group in item["groups"].as_array().unwrap() {
            let least = usize::try_from(group["min"].as_u64().unwrap())
                .unwrap()
                .max(1);
            let open = group["options"].as_array().unwrap().iter();
            for option in open.filter(|option| option["out"] == false).take(least) {
                form.push((format!("option.{}", option["id"]), "1".to_owned()));
            }
        }
        forms.push(form);
    }
    assert_eq!(
        forms.len(),
        count,
        "the seed has enough dishes with choices"
    );
    forms
}

async fn item(guest: &Guest, dish: &str) -> Value {
    let page = guest.get(&format!("/filials/{VENUE}?item={dish}")).await;
    page.data()["page"]["data"]["dish"].clone()
}

async fn post(guest: &Guest, form: &[(String, String)]) {
    let fields: Vec<(&str, &str)> = form
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    let answer = guest.post("/cart/lines", &fields).await;
    assert_eq!((answer.status, answer.location().as_str()), (303, "/cart"));
}

#[tokio::test]
async fn a_cart_and_a_repeated_order_ask_for_all_their_dishes_in_one_call() {
    // Nothing comes from a cache.
    let product = Product::with(&["--catalogue-fresh-ms", "0"]).await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let forms = configured(&guest, 3).await;
    for form in &forms {
        post(&guest, form).await;
    }
    settled().await;
    product.forget_log().await;
    let page = guest.get("/cart").await.data();
    let lines = page["shell"]["cart"]["lines"].as_array().unwrap().clone();
    assert_eq!(lines.len(), 3);
    settled().await;
    let calls = calls_to(&product, MANY).await;
    assert_eq!(calls.len(), 1, "one call for three dishes: {calls:?}");
    for form in &forms {
        let (_, dish) = &form[1];
        assert!(calls[0].contains(dish.as_str()), "{dish} in {}", calls[0]);
    }
    assert_eq!(calls_to(&product, ONE).await.len(), 0);

    let seen = order_fields(&page);
    let order = as_fields(&seen);
    let placed = guest.submit("/orders", &order).await.data();
    let id = placed["page"]["data"]["id"].as_str().unwrap().to_owned();
    settled().await;
    product.forget_log().await;
    let fields = [("order", id.as_str()), ("back", "/cart")];
    assert_eq!(
        guest.post("/orders/repeat", &fields).await.location(),
        "/cart"
    );
    settled().await;
    assert_eq!(
        calls_to(&product, MANY).await.len(),
        1,
        "one call to repeat it"
    );
    assert_eq!(calls_to(&product, ONE).await.len(), 0);
    let again = guest.get("/cart").await.data();
    let names = |lines: &Value| -> Vec<Value> {
        let lines = lines.as_array().unwrap().iter();
        lines.map(|line| line["options"].clone()).collect()
    };
    assert_eq!(
        names(&again["shell"]["cart"]["lines"]),
        names(&json!(lines))
    );
}

#[tokio::test]
async fn the_sheet_opens_with_the_last_choice_as_far_as_it_can_be_had() {
    let product = Product::start().await;
    // The choice is somebody's: who is not known has none.
    let guest = product.guest_at_table(VENUE, "t7").await;
    sign_in(&product, &guest).await;
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    let dish = products(&menu)
        .find(|dish| dish["options"] == true && dish["out"].is_null())
        .unwrap()["id"]
        .to_string();
    let path = format!("/filials/{VENUE}?item={dish}");
    let item = guest.get(&path).await.data()["page"]["data"]["dish"].clone();
    let group = item["groups"]
        .as_array()
        .unwrap()
        .iter()
        .find(|group| group["min"] == 1 && group["max"] == 1)
        .unwrap();
    let options = group["options"].as_array().unwrap();
    let mut can_be_had = options.iter().filter(|option| option["out"] == false);
    let chosen = can_be_had.next_back().unwrap()["id"].clone();
    let checked = async || {
        let html = guest.get(&path).await.rendered();
        let html = scraper::Html::parse_fragment(&html);
        let selector = format!("input[name=\"group.{}\"][checked]", group["id"]);
        let selector = scraper::Selector::parse(&selector).unwrap();
        let values: Vec<String> = html
            .select(&selector)
            .map(|input| input.attr("value").unwrap().to_owned())
            .collect();
        values
    };
    let last = async |choice: Value| {
        product
            .replace(ONE, json!({ "/data/last_selected": choice }))
            .await
    };
    let said = async || {
        guest
            .get(&format!("{path}&lang=ru"))
            .await
            .texts(".form .share")
    };
    // Others are answered without that choice: it is this guest's.
    product.guest().get(&format!("{path}&lang=ru")).await;
    last(json!([{ "id": chosen, "count": 1 }])).await;
    assert_eq!(checked().await, [chosen.to_string()]);
    // The guest has not ticked that now.
    assert_eq!(said().await, ["Отмечено то же, что в прошлый раз"]);
    // What is gone, and more than the group takes, is nobody's choice.
    last(json!([{ "id": 99_999_999, "count": 1 }])).await;
    assert_eq!(checked().await, Vec::<String>::new());
    last(json!([{ "id": chosen, "count": 2 }])).await;
    assert_eq!(checked().await, Vec::<String>::new());
    assert_eq!(said().await, Vec::<String>::new());
}

#[tokio::test]
async fn options_are_asked_for_by_the_service_and_by_where_the_dish_was_opened() {
    let product = Product::with(&["--catalogue-fresh-ms", "0"]).await;
    let guest = product.guest();
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    let dish = products(&menu)
        .find(|dish| dish["options"] == true && dish["out"].is_null())
        .unwrap()["id"]
        .to_string();
    settled().await;
    product.forget_log().await;
    let plain = item(&guest, &dish).await;
    settled().await;
    let calls = calls_to(&product, ONE).await;
    assert_eq!(calls.len(), 1);
    assert!(calls[0].contains("service_type"), "{}", calls[0]);
    assert_eq!(calls_to(&product, FAVOURITE).await.len(), 0);

    product.forget_log().await;
    let page = guest
        .get(&format!("/filials/{VENUE}?item={dish}&fav=1"))
        .await
        .data();
    assert_eq!(page["page"]["data"]["dish"], plain);
    settled().await;
    assert_eq!(calls_to(&product, FAVOURITE).await.len(), 1);
    assert_eq!(calls_to(&product, ONE).await.len(), 0);

    // The dishes of the favourites lead there, all others do not.
    let html = guest.get(&format!("/filials/{VENUE}")).await.rendered();
    let (favourites, rest) = html
        .split_once(r#"id="cat-"#)
        .unwrap()
        .1
        .split_once("<section")
        .unwrap();
    assert!(favourites.starts_with("-2"), "favourites come first");
    assert!(favourites.contains("&amp;fav=1"));
    assert!(!rest.contains("fav=1"));

    // Another service has a venue id of its own, and its word in the request.
    let takeaway = guest.get("/filials/1011").await.data();
    let dish = products(&takeaway)
        .find(|dish| dish["options"] == true && dish["out"].is_null())
        .unwrap()["id"]
        .to_string();
    settled().await;
    product.forget_log().await;
    guest.get(&format!("/filials/1011?item={dish}")).await;
    settled().await;
    let other = calls_to(&product, ONE).await;
    assert!(service_type(&other[0]).is_some());
    assert_ne!(service_type(&other[0]), service_type(&calls[0]));
}

fn service_type(query: &str) -> Option<&str> {
    query
        .split('&')
        .find_map(|pair| pair.strip_prefix("service_type="))
}

#[tokio::test]
async fn an_option_taken_twice_counts_twice() {
    let product = Product::start().await;
    let guest = product.guest_at_table(1153, "t1").await;
    let menu = guest.get("/filials/1153").await.data();
    let mut found = None;
    for dish in products(&menu).filter(|dish| dish["options"] == true && dish["out"].is_null()) {
        let page = guest
            .get(&format!("/filials/1153?item={}", dish["id"]))
            .await
            .data();
        let item = page["page"]["data"]["dish"].clone();
        let groups = item["groups"].as_array().unwrap().clone();
        // One option twice, and so many choices in all that it makes the difference.
        let several = groups.iter().find(|group| {
            let open = group["options"].as_array().unwrap().iter();
            let mut open = open.filter(|option| option["out"] == false);
            group["max"].as_u64().unwrap() > 1
                && open
                    .next()
                    .is_some_and(|first| first["max"].as_u64() > Some(1))
                && open.count() as u64 >= group["max"].as_u64().unwrap() - 1
        });
        if let Some(group) = several {
            found = Some((dish["id"].to_string(), group.clone(), groups));
            break;
        }
    }
    let (dish, group, groups) = found.expect("a dish with an option that can be had several times");
    let most = group["max"].as_u64().unwrap();
    let open: Vec<&Value> = group["options"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|option| option["out"] == false)
        .collect();
    // Two of the first, one of each of the next: `total` pieces of fewer options than that.
    let post = |total: u64| {
        let mut form = vec![
            ("filial".to_owned(), "1153".to_owned()),
            ("product".to_owned(), dish.clone()),
        ];
        for (place, option) in open
            .iter()
            .enumerate()
            .take(usize::try_from(total - 1).unwrap())
        {
            let count = if place == 0 { "2" } else { "1" };
            form.push((format!("option.{}", option["id"]), count.to_owned()));
        }
        for other in groups.iter().filter(|other| other["id"] != group["id"]) {
            let least = usize::try_from(other["min"].as_u64().unwrap()).unwrap();
            for one in other["options"].as_array().unwrap().iter().take(least) {
                form.push((format!("option.{}", one["id"]), "1".to_owned()));
            }
        }
        form
    };
    let send = async |form: Vec<(String, String)>| {
        let fields: Vec<(&str, &str)> = form
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        guest.post_json("/cart/lines", &fields).await
    };
    let answer = send(post(most + 1)).await;
    assert_eq!(answer.status, 422, "{most} options, but one more piece");
    let error = &answer.json()["flash"]["errors"][0];
    assert_eq!(
        (&error["code"], &error["values"]["count"]),
        (&json!("max"), &json!(most))
    );
    let answer = send(post(most)).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
}

#[tokio::test]
async fn an_order_needs_no_name() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    guest.add(VENUE, plain_products(&menu)[0].0).await;
    let page = guest.get("/cart").await;
    let html = page.rendered();
    let (_, rest) = html.split_once(r#"name="name""#).unwrap();
    let field = rest.split_once('>').unwrap().0;
    assert!(!field.contains("required"), "{field}");
    let seen = order_fields(&page.data());
    let mut fields = as_fields(&seen);
    fields.push(("name", "  "));
    let placed = guest.post("/orders", &fields).await;
    assert!(
        placed.location().contains("/order/"),
        "{}",
        placed.location()
    );
    assert_eq!(product.sandbox_get("orders").await.len(), 1);
}

#[tokio::test]
async fn what_goes_with_the_cart_is_not_in_it() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    let plain: Vec<u64> = plain_products(&menu).iter().map(|(id, _)| *id).collect();
    let offered = async || -> Vec<u64> {
        let page = guest.get("/cart").await.data();
        let offered = page["page"]["data"]["crossSell"]
            .as_array()
            .unwrap()
            .clone();
        offered
            .iter()
            .map(|one| one["id"].as_u64().unwrap())
            .collect()
    };
    guest.add(VENUE, plain[0]).await;
    let first = offered().await;
    assert!(!first.is_empty() && first.len() <= 6, "{first:?}");
    let taken = *first.iter().find(|id| plain.contains(id)).unwrap();
    guest.add(VENUE, taken).await;
    product.forget_log().await;
    assert!(!offered().await.contains(&taken));
    let calls = calls_to(&product, "/menu/v3/cross-sell/products").await;
    assert!(calls[0].contains(&taken.to_string()), "{calls:?}");

    let page = guest.get("/cart").await;
    let html = page.rendered();
    let (_, also) = html.split_once(r#"class="also""#).unwrap();
    let also = also.split_once("</ul>").unwrap().0;
    assert!(!also.contains(&format!("item={taken}\"")));
    assert!(
        also.contains(r#"value="/cart#cross""#),
        "it is added in place"
    );
}

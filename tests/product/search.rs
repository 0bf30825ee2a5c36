//! Search over all venues and over one menu (SE), and booking a table (2.2).

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::support::{Guest, Product, VENUE};

pub async fn found(guest: &Guest, path: &str) -> Value {
    guest.data(path).await["page"]["data"].clone()
}

fn names(list: &Value, of: impl Fn(&Value) -> &Value) -> Vec<String> {
    list.as_array()
        .unwrap()
        .iter()
        .map(|one| of(one).as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn a_search_finds_venues_dishes_and_goods_with_their_counts() {
    let product = Product::start().await;
    let guest = product.guest();
    let page = guest
        .get("/search?q=%20%D0%BB%D0%B0%D0%B3%D0%BC%D0%B0%D0%BD%20&lang=ru")
        .await;
    assert_eq!(page.status, 200);
    let data = page.data();
    let data = &data["page"]["data"];
    assert_eq!(data["query"], "лагман", "the text is trimmed");
    assert_eq!(data["tab"], "venues");
    let counts = data["tabs"].as_array().unwrap();
    assert_eq!(counts.len(), 3);
    assert!(counts[0]["count"].as_u64().unwrap() > 0 && counts[1]["count"].as_u64().unwrap() > 0);
    assert!(!data["venues"].as_array().unwrap().is_empty());
    assert!(page.rendered().contains(r#"value="лагман""#));

    let dishes = found(&guest, "/search?q=лагман&tab=dishes").await;
    let all = names(&dishes["dishes"], |hit| &hit["product"]["name"]);
    assert_eq!(all.len() as u64, counts[1]["count"].as_u64().unwrap());
    assert!(
        all.iter()
            .all(|name| name.to_lowercase().contains("лагман")),
        "{all:?}"
    );
}

#[tokio::test]
async fn nothing_but_white_space_asks_the_upstream_nothing() {
    let product = Product::start().await;
    let guest = product.guest();
    product.forget_log().await;
    let data = found(&guest, "/search?q=%20%20").await;
    assert_eq!((&data["query"], &data["tabs"]), (&json!(""), &json!([])));
    assert!(
        !data["popular"].as_array().unwrap().is_empty(),
        "no dead end"
    );
    let suggestions: Value = guest
        .get_with("/search/suggest?q=%20", &[("accept", "application/json")])
        .await
        .json();
    assert_eq!(suggestions["items"], json!([]));
    let log = product.told("log").await;
    let asked = |part: &str| {
        log.iter()
            .any(|call| call["path"].as_str().unwrap().contains(part))
    };
    assert!(
        !asked("search/products") && !asked("autocomplete"),
        "{log:?}"
    );
}

#[tokio::test]
async fn another_keyboard_and_another_script_find_the_same() {
    let product = Product::start().await;
    let guest = product.guest();
    for (typed, shown) in [("kfuvfy", json!("лагман")), ("lagman", Value::Null)] {
        let data = found(&guest, &format!("/search?q={typed}&tab=dishes&lang=ru")).await;
        assert!(!data["dishes"].as_array().unwrap().is_empty(), "{typed}");
        assert_eq!(data["shown"], shown, "{typed}");
    }
    let menu = found(&guest, &format!("/filials/{VENUE}/search?q=kfuvfy&lang=ru")).await;
    assert_eq!(menu["shown"], "лагман");
    let folded = found(&guest, &format!("/filials/{VENUE}/search?q=лагман&lang=kk")).await;
    let all = names(&folded["products"], |one| &one["name"]);
    assert!(
        all.iter()
            .any(|name| name.to_lowercase().contains("лағман")),
        "{all:?}"
    );
}

#[tokio::test]
async fn nothing_found_keeps_the_query_and_offers_a_spelling_and_popular_dishes() {
    let product = Product::start().await;
    let page = product.guest().get("/search?q=лагмонн&lang=ru").await;
    assert_eq!(page.status, 200);
    let data = page.data();
    let data = &data["page"]["data"];
    assert_eq!(data["nearest"], "лагман");
    assert!(!data["popular"].as_array().unwrap().is_empty());
    let html = page.rendered();
    assert!(
        html.contains("лагмонн") && html.contains("/search?q=%D0%BB%D0%B0%D0%B3%D0%BC%D0%B0%D0%BD")
    );
}

#[tokio::test]
async fn an_upstream_that_fails_leaves_the_query_and_a_retry() {
    let product = Product::start().await;
    product.fail("/menu/v3/search", 500).await;
    let guest = product.guest();
    let page = guest.get("/search?q=лагман&tab=dishes&lang=ru").await;
    assert_eq!(page.status, 503);
    assert_eq!(page.data()["page"]["data"]["failed"], true);
    assert!(page.rendered().contains(r#"value="лагман""#));
    let venues = guest.get("/search?q=лагман&lang=ru").await;
    assert_eq!(venues.status, 200, "the venues' own list answered");
}

#[tokio::test]
async fn autocomplete_gives_three_lines_and_takes_a_brand() {
    let product = Product::start().await;
    let guest = product.guest();
    let suggest = async |query: &str| -> Value {
        guest
            .get_with(query, &[("accept", "application/json")])
            .await
            .json()
    };
    let all = suggest("/search/suggest?q=а").await;
    assert_eq!(all["query"], "а");
    assert_eq!(all["items"].as_array().unwrap().len(), 3);
    product.forget_log().await;
    suggest("/search/suggest?q=лаг&brand=5").await;
    let log = product.told("log").await;
    let call = log
        .iter()
        .find(|call| call["path"].as_str().unwrap().contains("autocomplete"))
        .unwrap();
    assert!(call.to_string().contains("brand_id"), "{call}");
}

#[tokio::test]
async fn a_dish_of_the_results_goes_into_the_cart_without_scripts_and_leads_back() {
    let product = Product::start().await;
    let guest = product.guest();
    let path = "/search?q=самса&tab=dishes&lang=ru";
    let data = found(&guest, path).await;
    let plain = data["dishes"]
        .as_array()
        .unwrap()
        .iter()
        .find(|hit| hit["product"]["options"].is_null() && hit["product"]["out"].is_null())
        .expect("a dish without options");
    let (venue, id) = (
        plain["venue"].to_string(),
        plain["product"]["id"].to_string(),
    );
    let back = guest.data(path).await["shell"]["url"]
        .as_str()
        .unwrap()
        .to_owned();
    let page = guest
        .submit(
            "/cart/lines",
            &[("filial", &venue), ("product", &id), ("back", &back)],
        )
        .await;
    let data = page.data();
    assert_eq!(data["page"]["route"], "search");
    assert_eq!(data["shell"]["cart"]["count"], 1);
}

#[tokio::test]
async fn a_service_that_is_switched_searches_again() {
    let product = Product::start().await;
    let guest = product.guest();
    let path = "/search?q=лагман&tab=venues";
    product.forget_log().await;
    let page = guest
        .submit(
            "/session/service",
            &[("service", "delivery"), ("back", path)],
        )
        .await;
    let data = page.data();
    assert_eq!(data["page"]["data"]["query"], "лагман");
    assert_eq!(data["shell"]["service"], "delivery");
    let venues = data["page"]["data"]["venues"].as_array().unwrap();
    let delivers = |venue: &Value| {
        venue["services"]
            .as_array()
            .unwrap()
            .contains(&json!("delivery"))
    };
    assert!(venues.iter().all(delivers), "{venues:?}");
    let searches = product.queries("/takeaway/v2/locations").await;
    let is_switched = |query: &HashMap<String, String>| {
        query.get("search").is_some_and(|words| words == "лагман")
            && query["filter[service]"] == "delivery"
    };
    assert!(searches.iter().any(is_switched), "{searches:?}");
}

#[tokio::test]
async fn a_barcode_finds_the_good_of_a_menu() {
    let product = Product::start().await;
    let goods: Value = reqwest::get(format!(
        "{}/menu/v3/search/products?query=с&kind=good",
        product.sandbox
    ))
    .await
    .unwrap()
    .json()
    .await
    .unwrap();
    let good = &goods["data"][0];
    let barcode = good["product"]["barcode"].as_str().unwrap();
    let path = format!(
        "/filials/{}/search?q={barcode}",
        good["location"]["filial_id"]
    );
    let data = found(&product.guest(), &path).await;
    let ids: Vec<&Value> = data["products"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["id"])
        .collect();
    assert_eq!(ids, [&good["product"]["product_id"]]);
}

pub async fn booking_page(guest: &Guest) -> Value {
    let first = found(guest, &format!("/brands/booking?filial={VENUE}&lang=ru")).await;
    let date = first["days"][2]["date"].as_str().unwrap();
    found(
        guest,
        &format!("/brands/booking?filial={VENUE}&date={date}&guests=3"),
    )
    .await
}

pub fn form<'a>(page: &'a Value, venue: &'a str, time: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        ("filial", venue),
        ("date", page["date"].as_str().unwrap()),
        ("guests", "3"),
        ("attempt", page["attempt"].as_str().unwrap()),
        ("time", time),
        ("name", "Айгүл"),
        ("phone", "+7 701 000 00 12"),
    ]
}

pub fn free(page: &Value) -> &str {
    let slots = page["slots"].as_array().unwrap();
    slots.iter().rfind(|slot| slot["free"] == true).unwrap()["time"]
        .as_str()
        .unwrap()
}

#[tokio::test]
async fn a_form_pressed_twice_books_one_table_which_can_be_kept_and_given_back() {
    let product = Product::start().await;
    let guest = product.guest();
    let page = booking_page(&guest).await;
    let venue = VENUE.to_string();
    let fields = form(&page, &venue, free(&page));
    let first = guest.post("/bookings", &fields).await;
    assert_eq!(first.status, 303, "{}", first.text());
    let again = guest.post("/bookings", &fields).await;
    assert_eq!(first.location(), again.location());
    let shown = guest.get(&first.location()).await;
    let data = shown.data()["page"]["data"].clone();
    assert_eq!(data["own"].as_array().unwrap().len(), 1);
    assert_eq!(
        (&data["done"], &data["own"][0]["guests"]),
        (&data["own"][0]["id"], &json!(3))
    );

    let id = data["done"].as_str().unwrap();
    let calendar = guest.get(&format!("/bookings/{id}/calendar.ics")).await;
    assert_eq!(
        calendar.header("content-type"),
        "text/calendar; charset=utf-8"
    );
    let text = calendar.text();
    assert!(
        text.starts_with("BEGIN:VCALENDAR\r\n") && text.contains("DTSTART:20"),
        "{text}"
    );

    let stranger = product.guest();
    let of_another = stranger.get(&format!("/bookings/{id}/calendar.ics")).await;
    assert_eq!(of_another.status, 404);
    let cancel = format!("/bookings/{id}/cancel");
    assert_ne!(stranger.post(&cancel, &[]).await.status, 303);
    assert!(
        found(&stranger, "/brands/booking").await["own"]
            .as_array()
            .unwrap()
            .is_empty()
    );

    let after = guest.submit(&cancel, &[]).await;
    assert_eq!(after.data()["shell"]["flash"]["kind"], "bookingCancelled");
    assert!(
        found(&guest, "/brands/booking").await["own"]
            .as_array()
            .unwrap()
            .is_empty()
    );
}

#[tokio::test]
async fn a_booking_whose_answer_was_lost_is_one_booking() {
    let product = Product::start().await;
    let guest = product.guest();
    let page = booking_page(&guest).await;
    let venue = VENUE.to_string();
    let fields = form(&page, &venue, free(&page));
    let lost = json!({ "path": "/booking/v1/bookings", "method": "POST", "kind": "status", "status": 502,
        "after_commit": true });
    product.control("faults", lost).await;
    let unsure = guest.submit("/bookings", &fields).await;
    let data = unsure.data();
    assert_eq!(data["shell"]["flash"]["kind"], "bookingUnknown");
    assert_eq!(
        data["shell"]["flash"]["values"]["attempt"][0],
        page["attempt"]
    );
    assert!(
        unsure
            .rendered()
            .contains(page["attempt"].as_str().unwrap()),
        "the same form again"
    );
    product.no_faults().await;
    let done = guest.submit("/bookings", &fields).await;
    let own = done.data()["page"]["data"]["own"].clone();
    assert_eq!(own.as_array().unwrap().len(), 1, "{own}");
}

#[tokio::test]
async fn a_wrong_booking_keeps_what_was_typed_and_says_why() {
    let product = Product::start().await;
    let guest = product.guest();
    let page = booking_page(&guest).await;
    let venue = VENUE.to_string();
    let mut fields = form(&page, &venue, free(&page));
    fields.retain(|(name, _)| *name != "phone" && *name != "time");
    fields.push(("phone", "12"));
    let refused = guest.submit("/bookings", &fields).await;
    let data = refused.data();
    let errors = data["shell"]["flash"]["errors"].as_array().unwrap();
    let codes: Vec<_> = errors
        .iter()
        .map(|error| {
            (
                error["field"].as_str().unwrap(),
                error["code"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(codes, [("time", "required"), ("phone", "phone")]);
    let html = refused.rendered();
    assert!(html.contains(r#"value="Айгүл""#) && html.contains(r#"value="12""#));
    assert_eq!(data["page"]["data"]["date"], page["date"], "the same day");

    let taken = form(&page, &venue, "03:00");
    let refused = guest.submit("/bookings", &taken).await;
    assert_eq!(
        refused.data()["shell"]["flash"]["errors"][0]["code"],
        "noPlaces"
    );
}

/// Nobody is told that there is nothing while a part that could have it has not answered.
#[tokio::test]
async fn a_search_that_found_nothing_in_half_of_the_places_has_failed() {
    let product = Product::start().await;
    let guest = product.guest();
    let search = async |query: &str| {
        let page = guest.get(&format!("/search?lang=en&q={query}")).await;
        let failed = page.data()["page"]["data"]["failed"].clone();
        (page.status, failed, page.rendered())
    };
    let (status, failed, html) = search("qqwwqq").await;
    assert_eq!((status, failed), (200, json!(false)));
    assert!(html.contains("Nothing was found"));
    product.fail("/menu/v3/search/products", 500).await;
    let (status, failed, html) = search("wwqqww").await;
    assert_eq!((status, failed), (503, json!(true)));
    assert!(!html.contains("Nothing was found") && html.contains("role=\"status\""));
}

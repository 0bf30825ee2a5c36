//! One fact about whether a venue is open, everywhere on a page (FL-05).

use std::time::{Duration, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::{
    orders::{press, ready_to_order},
    search::found,
    support::{Product, VENUE, eventually, plain_products},
};

#[tokio::test]
async fn a_closed_venue_promises_no_minutes_and_its_dishes_can_be_looked_at() {
    let product = Product::with(&["--catalogue-fresh-ms", "1", "--page-fresh-ms", "0"]).await;
    let guest = product.guest();
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    let dish = plain_products(&menu)[0].0;
    let item = format!("/filials/{VENUE}?item={dish}&lang=en");
    let details = format!("/filials/{VENUE}/details?lang=en");
    let card = async || -> Value {
        let list = found(&guest, "/filials?q=%D0%9B%D0%B0%D2%93%D0%BC%D0%B0%D0%BD").await;
        let text = list.to_string();
        assert!(text.contains(&format!("\"id\":{VENUE}")), "{text}");
        find(&list, VENUE).expect("it is listed")
    };
    assert!(guest.get(&item).await.rendered().contains("Takes about"));
    assert!(guest.get(&details).await.rendered().contains("Usual wait"));
    assert!(!card().await["minutes"].is_null());

    product
        .control("opening", json!({ "filial_id": VENUE, "closed": true }))
        .await;
    for path in [&item, &details] {
        guest.get(path).await;
    }
    card().await;
    let shown = guest.get(&item).await;
    let html = shown.rendered();
    assert_eq!(shown.texts("#dish-name").len(), 1, "it opens");
    assert!(!html.contains("Takes about"));
    assert!(
        !html.contains("action=\"/cart/lines\""),
        "it can't be added"
    );
    assert!(!guest.get(&details).await.rendered().contains("Usual wait"));
    let card = card().await;
    assert_eq!(
        (&card["open"]["open"], &card["minutes"]),
        (&json!(false), &Value::Null)
    );
}

/// The venue with this id, wherever it stands.
fn find(value: &Value, id: u64) -> Option<Value> {
    match value {
        Value::Object(map) if map.get("id") == Some(&json!(id)) && map.contains_key("open") => {
            Some(value.clone())
        }
        Value::Object(map) => map.values().find_map(|value| find(value, id)),
        Value::Array(list) => list.iter().find_map(|value| find(value, id)),
        _ => None,
    }
}

#[tokio::test]
async fn a_page_knows_when_its_venue_opens_or_closes() {
    let product = Product::start().await;
    let guest = product.guest();
    let list = found(&guest, "/filials").await;
    let timed = timed(&list).expect("a venue with hours");
    for path in [
        format!("/filials/{timed}"),
        format!("/filials/{timed}/details"),
        format!("/filials/{timed}/search"),
    ] {
        let shell = guest.data(&path).await["shell"].clone();
        let (now, until) = (shell["now"].as_i64().unwrap(), shell["until"].as_i64());
        let left = until.expect("it closes or opens some day") - now;
        assert!((0..=7 * 24 * 3_600_000).contains(&left), "{path}: {left}");
    }
    let always = guest.data(&format!("/filials/{VENUE}")).await;
    assert!(always["shell"]["until"].is_null());
}

/// FL-05: "opens tomorrow" and the mark of today are wrong from the venue's midnight on.
#[tokio::test]
async fn what_a_page_says_of_days_is_asked_for_anew_at_midnight() {
    let product = Product::start().await;
    let guest = product.guest();
    let details = format!("/filials/{VENUE}/details");
    let until = async |path: &str| {
        let page = guest.data(path).await;
        let (shell, venue) = (&page["shell"], &page["page"]["data"]["venue"]);
        let offset = venue["utcOffset"].as_i64().unwrap() * 60_000;
        let (now, until) = (shell["now"].as_i64().unwrap(), shell["until"].as_i64());
        let day = |at: i64| (at + offset).div_euclid(DAY);
        let until = until.map(|until| (day(until) - day(now), (until + offset).rem_euclid(DAY)));
        (venue["open"].clone(), until)
    };
    // Day and night: its table marks the day all the same.
    let (open, at) = until(&details).await;
    assert_eq!((&open["always"], at), (&json!(true), Some((1, 0))));
    // It opens in three days or four.
    let today = now().div_euclid(DAY) + 3;
    let opens = (today + 4).rem_euclid(7) + 1;
    product
        .replace(
            "/takeaway/locations/card/terminal",
            json!({ "/data/opening_hours": [{ "day": opens, "from": "10:00", "to": "20:00" }] }),
        )
        .await;
    tokio::time::sleep(Duration::from_millis(3200)).await;
    guest
        .get_with(&details, &[("cache-control", "max-age=0")])
        .await;
    for path in [details, format!("/filials/{VENUE}")] {
        let (open, at) = until(&path).await;
        assert!(open["inDays"].as_i64().unwrap() > 1, "{open}");
        assert_eq!(at, Some((1, 0)), "{path}: midnight");
    }
}

/// Milliseconds of a day.
const DAY: i64 = 24 * 3_600_000;

/// A venue that is not open around the clock, nor closed by hand.
fn timed(value: &Value) -> Option<u64> {
    match value {
        Value::Object(map) if map.contains_key("open") && map.contains_key("address") => {
            map["open"]["at"]
                .is_string()
                .then(|| map["id"].as_u64())
                .flatten()
        }
        Value::Object(map) => map.values().find_map(timed),
        Value::Array(list) => list.iter().find_map(timed),
        _ => None,
    }
}

/// FL-05: a list that nobody asks for is kept for minutes, but not beyond what it says.
#[tokio::test]
async fn a_kept_list_says_open_no_longer_than_it_is_true() {
    let product = Product::with(&["--catalogue-fresh-ms", "1", "--page-fresh-ms", "1"]).await;
    // A visitor without a cookie each time: those are the pages that are kept.
    let see = async |path: &str| product.guest().get(path).await.data();
    let list = "/filials?q=%D0%9B%D0%B0%D2%93%D0%BC%D0%B0%D0%BD";
    let venue = find(&see(list).await, VENUE).expect("it is listed");
    assert_eq!(venue["open"]["open"], true);
    // It closes with the next minute but one at the latest.
    let details = see(&format!("/filials/{VENUE}/details")).await;
    let offset = details["page"]["data"]["venue"]["utcOffset"].as_i64();
    let offset = offset.expect("where it is");
    let minute = now() / 60_000 + 1 + i64::from(now() % 60_000 > 50_000);
    let of_day = (minute + offset - 1).rem_euclid(24 * 60) + 1;
    let hours: Vec<Value> = (1..=7)
        .map(|day| {
            let to = format!("{:02}:{:02}", of_day / 60, of_day % 60);
            json!({ "day": day, "from": "00:00", "to": to })
        })
        .collect();
    product
        .replace(
            "/takeaway/v2/locations",
            json!({ "/data/0/opening_hours": hours }),
        )
        .await;
    let open = async || {
        let page = see(list).await;
        find(&page, VENUE).expect("it is listed")["open"]["open"] == true
    };
    // The one that was kept is renewed by whoever asks.
    eventually(10, async || {
        let page = see(list).await;
        let venue = find(&page, VENUE)?;
        venue["open"]["at"].is_string().then_some(())
    })
    .await;
    assert!(open().await);
    let left = u64::try_from(minute * 60_000 - now()).unwrap_or_default();
    tokio::time::sleep(Duration::from_millis(left + 500)).await;
    assert!(!open().await, "the first who asks after it has closed");
}

/// Milliseconds since the epoch.
fn now() -> i64 {
    i64::try_from(UNIX_EPOCH.elapsed().unwrap().as_millis()).unwrap()
}

#[tokio::test]
async fn what_is_kept_of_a_venue_that_was_closed_refuses_nothing_once_it_is_open() {
    let product = Product::start().await;
    let opening = |closed: bool| json!({ "filial_id": VENUE, "closed": closed });
    product.control("opening", opening(true)).await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    assert_eq!(menu["page"]["data"]["venue"]["open"]["open"], false);
    let (venue, dish) = (VENUE.to_string(), plain_products(&menu)[0].0.to_string());
    let add = async || {
        let fields = [("filial", &*venue), ("product", &*dish)];
        guest.post_json("/cart/lines", &fields).await
    };
    let refused = add().await;
    assert_eq!(refused.json()["flash"]["errors"][0]["code"], "closed");
    product.control("opening", opening(false)).await;
    tokio::time::sleep(Duration::from_millis(3100)).await;
    assert_eq!(add().await.status, 200);
}

/// An order that is refused as closed is newer than what is kept of its venue.
#[tokio::test]
async fn the_cart_of_an_order_that_was_refused_as_closed_says_closed() {
    let product = Product::start().await;
    let (guest, seen) = ready_to_order(&product).await;
    let blocks = async |lang: &str| {
        let cart = guest.get(&format!("/cart?lang={lang}")).await.data();
        cart["page"]["data"]["blocks"].clone()
    };
    for lang in ["ru", "en"] {
        assert_eq!(blocks(lang).await, json!([]), "{lang}");
    }
    product
        .control("opening", json!({ "filial_id": VENUE, "closed": true }))
        .await;
    assert_eq!(blocks("en").await, json!([]), "what is kept");
    assert_eq!(press(&guest, &seen).await.location(), "/cart#order");
    for lang in ["en", "ru", "en"] {
        assert_eq!(blocks(lang).await, json!(["closed"]), "{lang}");
    }
}

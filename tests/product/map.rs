//! The map, its tiles, and the page of a venue.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::support::{Product, VENUE, eventually};

/// Two intervals a day, closing half an hour in advance.
const TWICE: u64 = 1083;
/// Closed today, all day.
const DAY_OFF: u64 = 1233;
/// From 18:00 to 03:00, closing half an hour in advance.
const NIGHT: u64 = 1213;
/// In Georgia, from 8 to 13 and from 15 to 22, closing a quarter of an hour in advance.
const TBILISI: u64 = 2073;

fn ids(page: &Value) -> Vec<u64> {
    page["venues"]
        .as_array()
        .unwrap()
        .iter()
        .map(|venue| venue["card"]["id"].as_u64().unwrap())
        .collect()
}

async fn map(product: &Product, query: &str) -> Value {
    let page = product.guest().get(&format!("/map{query}")).await;
    assert_eq!(page.status, 200, "{query}");
    assert_eq!(page.data()["page"]["route"], "map");
    page.data()["page"]["data"].clone()
}

#[tokio::test]
async fn the_map_is_a_list_of_the_venues_in_view_before_any_script() {
    let product = Product::start().await;
    let page = product.guest().get("/map").await;
    let data = page.data()["page"]["data"].clone();
    let html = page.rendered();
    let venues = data["venues"].as_array().unwrap();
    assert!(venues.len() > 10, "{}", venues.len());
    for venue in venues {
        let id = venue["card"]["id"].as_u64().unwrap();
        assert!(html.contains(&format!("href=\"/filials/{id}\"")));
        assert!(html.contains(&format!("href=\"/filials/{id}/details\"")));
        let (view, at) = (&data["view"], &venue["at"]);
        let between = |low: &Value, value: &Value, high: &Value| {
            low.as_f64() < value.as_f64() && value.as_f64() < high.as_f64()
        };
        assert!(between(&view["south"], &at["lat"], &view["north"]));
        assert!(between(&view["west"], &at["lon"], &view["east"]));
    }
    let why = page.texts(".map > .wait > p");
    assert_eq!(why.len(), 1, "it says why there is no map without scripts");
    // The way to the list keeps the search.
    let page = product.guest().get("/map?q=%D0%BF%D0%BB%D0%BE%D0%B2").await;
    assert!(
        page.rendered()
            .contains("href=\"/filials?q=%D0%BF%D0%BB%D0%BE%D0%B2\"")
    );
}

#[tokio::test]
async fn the_address_says_which_part_is_shown_and_what_is_chosen() {
    let product = Product::start().await;
    product.forget_log().await;
    let part = map(&product, "?bbox=76.95,43.23,76.96,43.236").await;
    let asked = product.sandbox_get("log").await;
    let bbox = asked
        .iter()
        .filter_map(|call| call["query"].as_str())
        .find(|query| query.contains("bbox"))
        .unwrap();
    assert!(
        bbox.replace("%2E", ".")
            .contains("bbox=76.95%2C43.23%2C76.96%2C43.236"),
        "west, south, east, north: {bbox}"
    );
    assert_eq!(part["requested"], true);
    assert_eq!(
        part["view"],
        json!({"west": 76.95, "south": 43.23, "east": 76.96, "north": 43.236})
    );
    assert!(
        ids(&part).contains(&VENUE) && ids(&part).len() < 6,
        "{:?}",
        ids(&part)
    );

    let chosen = map(&product, &format!("?venue={VENUE}")).await;
    assert_eq!(chosen["selected"], VENUE);
    assert!(ids(&chosen).contains(&VENUE));

    // The id for another service is of the same venue.
    let takeaway = map(&product, "?venue=1011").await;
    assert_eq!(takeaway["selected"], VENUE);

    // A chosen venue outside of the asked part is still there to be seen in the list.
    let outside = map(&product, &format!("?venue={VENUE}&bbox=70,50,70.1,50.1")).await;
    assert_eq!(
        (ids(&outside), &outside["selected"]),
        (vec![VENUE], &json!(VENUE))
    );
}

/// A part of the map may lie in the other country: hours are those of the clock there.
#[tokio::test]
async fn a_venue_of_the_other_country_is_open_on_the_map_as_long_as_its_menu_says() {
    let product = Product::start().await;
    // Daily 8:00–13:00, 15:00–22:00; in Almaty it is an hour later.
    let is_open = || {
        let there = time::OffsetDateTime::now_utc().to_offset(time::macros::offset!(+4));
        json!(matches!(there.hour(), 8..13 | 15..22))
    };
    let before = is_open();
    let data = map(&product, "?bbox=44.6,41.6,45,41.8&country=kz").await;
    for venue in data["venues"].as_array().unwrap() {
        let card = &venue["card"];
        let menu = format!("/filials/{}", card["id"]);
        let menu = product.guest().get(&menu).await.data();
        let open = &menu["page"]["data"]["venue"]["open"];
        assert_eq!(&card["open"], open, "{}", card["name"]);
    }
    let cards = data["venues"].as_array().unwrap();
    let tbilisi = cards.iter().find(|venue| venue["card"]["id"] == TBILISI);
    let open = &tbilisi.unwrap()["card"]["open"]["open"];
    assert!([before, is_open()].contains(open), "{open}");
}

#[tokio::test]
async fn what_is_no_part_of_a_map_and_no_venue_is_the_town() {
    let product = Product::start().await;
    let town = map(&product, "").await;
    for query in [
        "?bbox=1,2,3",
        "?bbox=NaN,0,1,1",
        "?bbox=77,43,76,44",
        "?bbox=%3Cscript%3E",
        "?bbox=-180,-90,180,90",
        "?venue=999999",
        "?venue=..%2F..",
    ] {
        let page = map(&product, query).await;
        assert_eq!(
            (&page["requested"], &page["view"]),
            (&json!(false), &town["view"]),
            "{query}"
        );
        assert_eq!(page["selected"], Value::Null, "{query}");
    }
}

#[tokio::test]
async fn an_empty_part_offers_a_wider_one_and_a_list_that_fails_a_retry() {
    let product = Product::start().await;
    let page = product.guest().get("/map?bbox=70,50,70.1,50.1").await;
    assert_eq!(page.status, 200);
    assert!(
        page.rendered()
            .contains("href=\"/map?bbox=69.9%2C49.9%2C70.2%2C50.2\"")
    );

    product.fail("/takeaway/v2/locations", 500).await;
    let page = product.guest().get("/map?bbox=71,50,71.1,50.1&q=abc").await;
    assert_eq!(page.status, 503);
    assert_eq!(page.data()["page"]["data"]["failed"], true);
    assert!(
        page.rendered()
            .contains("href=\"/map?bbox=71%2C50%2C71.1%2C50.1&amp;q=abc\"")
    );
    assert!(page.rendered().contains("value=\"abc\""));
}

#[tokio::test]
async fn tiles_come_from_our_own_origin_once_and_immutable() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    product.forget_log().await;
    let told = [
        ("referer", "https://guest.example/"),
        ("accept-language", "kk"),
        ("x-forwarded-for", "203.0.113.7"),
        ("x-fingerprint", "device"),
    ];
    for _ in 0..3 {
        let tile = guest.get_with("/tiles/13/5846/3008", &told).await;
        assert_eq!(tile.status, 200);
        assert_eq!(tile.header("content-type"), "image/svg+xml");
        assert_eq!(
            tile.header("cache-control"),
            "public, max-age=604800, immutable"
        );
        // Opened by its address, a picture runs no script in our origin.
        let policy = tile.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'") && policy.contains("sandbox"));
        assert!(tile.headers.get("set-cookie").is_none());
    }
    let asked = product.sandbox_get("log").await;
    let tiles: Vec<&Value> = asked
        .iter()
        .filter(|call| {
            call["path"]
                .as_str()
                .is_some_and(|path| path.starts_with("/tiles"))
        })
        .collect();
    assert_eq!(tiles.len(), 1, "kept after the first");
    // The source learns nothing of the guest.
    let headers = tiles[0]["headers"].to_string().to_lowercase();
    for of_guest in [
        "cookie",
        "x-forwarded-for",
        "referer",
        "accept-language",
        "x-fingerprint",
    ] {
        assert!(!headers.contains(of_guest), "{of_guest} in {headers}");
    }
    // No other host is allowed for pictures.
    let page = product.guest().get("/map").await;
    let policy = page.header("content-security-policy");
    assert!(policy.contains("img-src 'self' data:;"), "{policy}");
}

#[tokio::test]
async fn an_address_that_is_no_tile_makes_no_call_and_a_failed_tile_is_not_cached() {
    let product = Product::start().await;
    product.forget_log().await;
    for path in [
        "/tiles/20/0/0",
        "/tiles/2/4/0",
        "/tiles/2/-1/0",
        "/tiles/02/1/1",
        "/tiles/2/1/1.svg",
        "/tiles/2/1/%2e%2e",
        "/tiles/2/1/..%2f..%2f_sandbox",
        "/tiles/2/1/1%3fx",
    ] {
        assert_eq!(product.guest().get(path).await.status, 404, "{path}");
    }
    assert!(product.sandbox_get("log").await.iter().all(|call| {
        call["path"]
            .as_str()
            .is_some_and(|path| !path.starts_with("/tiles") && !path.contains("_sandbox"))
    }));

    let fault = |kind: &str| json!({"path": "/tiles", "kind": kind, "status": 500});
    for kind in ["status", "html"] {
        product.control("faults", fault(kind)).await;
        let tile = product.guest().get("/tiles/13/5846/3009").await;
        assert_eq!(
            (tile.status, tile.header("cache-control")),
            (502, "no-store")
        );
        product.no_faults().await;
    }
    assert_eq!(product.guest().get("/tiles/13/5846/3009").await.status, 200);
}

/// A map service is paid for by the tile, or ends the contract of who takes too many.
#[tokio::test]
async fn an_address_that_walks_the_whole_map_waits_and_what_is_kept_still_comes() {
    let product = Product::start().await;
    let guest = product.guest();
    product.forget_log().await;
    let tile = |number: u32| format!("/tiles/13/{}/{}", 5000 + number % 50, 3000 + number / 50);
    let mut refused = 0;
    for first in (0..900).step_by(30) {
        let paths: Vec<_> = (first..first + 30).map(tile).collect();
        for answer in join_all(paths.iter().map(|path| guest.get(path))).await {
            match answer.status {
                200 => {}
                429 => {
                    assert!(!answer.header("retry-after").is_empty());
                    assert_eq!(answer.header("cache-control"), "no-store");
                    refused += 1;
                }
                status => panic!("{status}"),
            }
        }
        // A guest who pans asks for some dozens, and is not alone in the room.
        assert!(first >= 570 || refused == 0, "{refused} of {first}");
    }
    assert!(refused > 0);
    assert!(product.queries("/tiles").await.len() <= 900 - refused);
    assert_eq!(guest.get(&tile(0)).await.status, 200);
}

async fn details(product: &Product, id: u64) -> (Value, String) {
    let page = product
        .guest()
        .get(&format!("/filials/{id}/details?lang=en"))
        .await;
    assert_eq!(page.status, 200, "{id}");
    assert_eq!(page.data()["page"]["route"], "details");
    (page.data()["page"]["data"].clone(), page.rendered())
}

#[tokio::test]
async fn a_venue_tells_where_it_is_how_to_reach_it_and_what_it_offers() {
    let product = Product::start().await;
    let (data, html) = details(&product, VENUE).await;
    assert_eq!(data["venue"]["id"], VENUE);
    assert_eq!(data["phone"]["href"], "tel:+77271234501");
    assert_eq!(data["town"], "Almaty");
    assert_eq!(data["reviews"], 1284);
    for part in [
        "href=\"tel:+77271234501\"",
        "href=\"geo:43.2328,76.9571?q=",
        "href=\"https://social.example/uyghur/instagram\" rel=\"noopener\"",
        "destination=43.2328,76.9571\" rel=\"noopener\"",
        // Each service has a menu of its own, the map works as a link, a table can be booked.
        "href=\"/filials/1013\"",
        "href=\"/filials/1011\"",
        "href=\"/map?venue=1013\"",
        "href=\"/brands/booking?filial=1013\"",
        "Cash",
    ] {
        assert!(html.contains(part), "{part}");
    }
    // What the cart offers is promised.
    assert_eq!(data["payments"], json!(["online", "cash"]));
    assert!(html.contains("Online: card or QR code"));
    let menu = product.guest().get(&format!("/filials/{VENUE}")).await;
    assert!(
        menu.rendered()
            .contains(&format!("href=\"/filials/{VENUE}/details\""))
    );
}

/// FL-15: beside a name in Cyrillic letters it would say the same twice.
#[tokio::test]
async fn the_english_prefix_stands_in_english_and_georgian_where_the_name_has_it_not() {
    let product = Product::with(&["--catalogue-fresh-ms", "1"]).await;
    let card = format!("/takeaway/locations/card/terminal/{VENUE}");
    let told = json!({ "/data/prefix_en": "Golden Square" });
    product.replace(&card, told).await;
    eventually(20, || async {
        let (data, _) = details(&product, VENUE).await;
        (data["prefix"] == "Golden Square").then_some(())
    })
    .await;
    for (lang, country, shown) in [
        ("en", "kz", true),
        ("ka", "ge", true),
        ("kk", "kz", false),
        ("ru", "kz", false),
    ] {
        let path = format!("/filials/{VENUE}/details?lang={lang}&country={country}");
        let page = product.guest().get(&path).await;
        assert_eq!(page.data()["shell"]["lang"], lang);
        assert_eq!(page.rendered().contains("Golden Square"), shown, "{lang}");
    }
    let named = json!({ "/data/prefix_en": "Square", "/data/name": "Cafe Square" });
    product.replace(&card, named).await;
    // Until the venue that was kept is renewed.
    let data = eventually(20, || async {
        let (data, html) = details(&product, VENUE).await;
        html.contains("Cafe Square").then_some(data)
    })
    .await;
    assert_eq!(data["prefix"], Value::Null);
}

/// FL-09: what has no link, or one that is no address of the web, is left out without a word.
#[tokio::test]
async fn a_messenger_without_a_link_is_left_out() {
    let product = Product::with(&["--catalogue-fresh-ms", "1"]).await;
    let card = format!("/takeaway/locations/card/terminal/{VENUE}");
    let networks = json!([
        { "name": "whatsapp", "link": null },
        { "name": "WhatsApp", "link": "" },
        { "name": "whatsapp" },
        { "name": "whatsapp", "link": "javascript:alert(1)" },
        { "name": "instagram", "link": "https://social.example/only" },
    ]);
    product
        .replace(&card, json!({ "/data/extra/social_networks": networks }))
        .await;
    let (data, html) = eventually(20, || async {
        let told = details(&product, VENUE).await;
        told.1
            .contains("https://social.example/only")
            .then_some(told)
    })
    .await;
    let kept: Vec<_> = data["networks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|network| network["link"].as_str().unwrap())
        .collect();
    assert_eq!(kept, ["https://social.example/only"]);
    assert_eq!(html.matches("data-network=").count(), 1);
    assert!(!html.contains("WHATSAPP"));
}

#[tokio::test]
async fn the_table_of_hours_marks_today_and_knows_every_kind_of_day() {
    let product = Product::start().await;
    let today = |data: &Value| {
        let days: Vec<Value> = data["days"].as_array().unwrap().clone();
        assert_eq!(days.len(), 7);
        let mut today = days.into_iter().filter(|day| day["today"] == true);
        let day = today.next().unwrap();
        assert!(today.next().is_none(), "one today");
        day
    };
    let (always, html) = details(&product, VENUE).await;
    assert_eq!(today(&always)["always"], true);
    assert!(html.contains("Open 24 hours") && html.contains("today"));

    let (twice, _) = details(&product, TWICE).await;
    assert_eq!(
        today(&twice)["spans"],
        json!([
            {"from": "11:00", "to": "15:00", "nextDay": false},
            {"from": "17:00", "to": "22:30", "nextDay": false},
        ])
    );

    let (night, html) = details(&product, NIGHT).await;
    assert_eq!(
        today(&night)["spans"],
        json!([{"from": "18:00", "to": "02:30", "nextDay": true}])
    );
    assert!(html.contains("18:00 – 02:30 next day"));

    let (off, html) = details(&product, DAY_OFF).await;
    let day = today(&off);
    assert_eq!((&day["always"], &day["spans"]), (&json!(false), &json!([])));
    assert!(html.contains("Closed"));
}

/// Its page of booking would be none.
#[tokio::test]
async fn who_has_no_tables_offers_none() {
    let product = Product::start().await;
    for (venue, books) in [(VENUE, true), (1201, false)] {
        let (data, html) = details(&product, venue).await;
        assert_eq!(data["books"], books, "{venue}");
        let link = format!("href=\"/brands/booking?filial={venue}\"");
        assert_eq!(html.contains(&link), books, "{venue}");
    }
}

#[tokio::test]
async fn an_unknown_venue_has_no_details_and_a_failing_banner_costs_nothing() {
    let product = Product::start().await;
    for path in ["/filials/999999/details", "/filials/abc/details"] {
        let page = product.guest().get(path).await;
        assert_eq!(page.status, 404, "{path}");
        assert_eq!(page.data()["page"]["data"]["what"], "venue");
    }
    product
        .fail("/takeaway/v2/filial/settings/banner", 500)
        .await;
    let (data, _) = details(&product, VENUE).await;
    assert_eq!(data["banner"], Value::Null);
}

#[tokio::test]
async fn names_of_venues_with_markup_stay_text_on_map_and_details() {
    let product = Product::start().await;
    for path in ["/filials/1263/details", "/map?venue=1263"] {
        let page = product.guest().get(path).await;
        assert!(page.rendered().contains("&lt;b&gt;"), "{path}");
        assert!(!page.rendered().contains("<b>"), "{path}");
    }
}

#[tokio::test]
async fn networks_payments_banners_and_delivery_have_each_of_their_states() {
    let product = Product::start().await;
    let (cakes, html) = details(&product, 1163).await;
    let kinds: Vec<&str> = cakes["networks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|network| network["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["instagram", "tiktok", "other"]);
    assert!(
        html.contains("bulletin"),
        "an unknown network keeps its name"
    );
    assert_eq!(html.matches("rel=\"noopener\" data-network").count(), 3);
    assert!(
        html.contains("On Fridays after 6 pm"),
        "the venue's own word"
    );
    assert!(!html.contains("href=\"tel:"), "no phone, no link");

    for id in [1133, 1393] {
        let (unpaid, html) = details(&product, id).await;
        assert_eq!(unpaid["payments"], json!([]), "{id}");
        assert!(
            html.contains("Orders cannot be paid in the app now"),
            "{id}"
        );
    }

    let (snow, html) = details(&product, 1283).await;
    assert_eq!(snow["banner"]["kind"], "weather_issues");
    assert_eq!(snow["delivery"], json!({"open": true, "delay": 20}));
    assert!(html.contains("Snowstorm") && html.contains("20 min longer"));

    let (repairs, html) = details(&product, 1223).await;
    assert_eq!(repairs["delivery"]["open"], false);
    assert_eq!(repairs["venue"]["open"]["open"], false);
    assert!(html.contains("Delivery is not available now") && html.contains("closed for repairs"));

    let (couriers, _) = details(&product, 1063).await;
    assert_eq!(
        couriers["ownDelivery"],
        json!({"cost": 60_000, "minSum": 300_000, "maxSum": 0})
    );
    let (limited, html) = details(&product, 1144).await;
    assert_eq!(limited["ownDelivery"]["maxSum"], 20_000_000);
    assert!(html.contains("Maximum order for delivery"));

    let (plain, html) = details(&product, 1213).await;
    assert_eq!(plain["banner"], Value::Null);
    assert!(!html.contains("class=\"note\""), "no empty box");

    // Where only a kind is told, the words are ours; an unknown kind is no banner.
    let path = "/takeaway/v2/filial/settings/banner";
    for (id, kind, text) in [
        (1023, "weather_issues", "Because of the weather"),
        (1033, "night_shift", "works its night hours"),
        (1043, "closed", "No orders are taken now"),
        (1053, "meteor", "class=\"note\""),
    ] {
        let said = json!({ "/data/kind": kind, "/data/message": "" });
        product.replace(path, said).await;
        let (data, html) = details(&product, id).await;
        let is_banner = kind != "meteor";
        assert_eq!(data["banner"].is_object(), is_banner, "{kind}");
        assert_eq!(html.contains(text), is_banner, "{kind}");
    }
}

//! Home, lists of venues, brands, and installations with a custom config.

use serde_json::{Value, json};

use crate::checkout::FRIDGE;
use crate::sign_in::sign_in;
use crate::support::{Answer, Guest, Product, as_fields, eventually, order_fields, plain_products};

/// Tamshy Coffee: three venues in Almaty.
const BRAND: u64 = 9;
/// Temirtau: a town without a venue.
const EMPTY_TOWN: &str = "9";
/// Semey: a town with one venue.
const TOWN_OF_ONE: &str = "4";
/// That venue's takeaway; it delivers, too, and has no tables.
const ONE: u64 = 1431;

fn rails(page: &Value) -> &Vec<Value> {
    page["page"]["data"]["rails"].as_array().unwrap()
}

fn rail<'a>(page: &'a Value, kind: &str) -> Option<&'a Value> {
    rails(page).iter().find(|rail| rail["kind"] == kind)
}

fn venues(page: &Value) -> &Vec<Value> {
    page["page"]["data"]["venues"].as_array().unwrap()
}

async fn home_near(guest: &Guest, place: &str) -> Value {
    let headers = [("accept", "application/json"), ("x-near", place)];
    guest.get_with("/_data/", &headers).await.json()
}

fn is_custom(answer: &Answer, to: &str) {
    assert_eq!(answer.status, 303);
    assert_eq!(answer.location(), to);
}

#[tokio::test]
async fn rails_and_shortcuts_have_the_places_of_the_specification() {
    let product = Product::start().await;
    let page = product.guest().get("/").await.data();
    let place = |kind| rail(&page, kind).map(|rail| rail["position"].as_u64().unwrap());
    assert_eq!(place("promo"), Some(1));
    assert_eq!(place("near"), Some(3));
    assert_eq!(place("popular"), Some(4));
    assert_eq!(place("bakery"), Some(6), "the upstream wants it there");
    assert_eq!(place("readyMeals"), Some(8), "the upstream wants it there");
    let shortcuts = page["page"]["data"]["shortcuts"].as_array().unwrap();
    let places: Vec<u64> = shortcuts
        .iter()
        .map(|shortcut| shortcut["position"].as_u64().unwrap())
        .collect();
    assert_eq!(places, [5, 7, 9, 10]);
    let first = shortcuts[0]["brand"].as_u64().unwrap();
    assert_eq!(first, BRAND, "the brand with the most venues of the town");

    // Goods to be cooked at home are taken away.
    let guest = product.guest();
    let page = guest.get("/?service=takeaway").await.data();
    let semi_finished = rail(&page, "semiFinished").expect("a venue sells such goods");
    assert_eq!(semi_finished["position"], 11);
    assert!(!semi_finished["venues"].as_array().unwrap().is_empty());
    let href = semi_finished["href"].as_str().unwrap();
    assert_eq!(href, "/filials?category=semiFinished");
    let list = guest.get(&format!("{href}&service=takeaway")).await.data();
    assert_eq!(list["page"]["data"]["category"], "semiFinished");
    assert!(!venues(&list).is_empty());

    // The upstream may want them elsewhere.
    let product = Product::with(&["--catalogue-fresh-ms", "1", "--page-fresh-ms", "0"]).await;
    let other = json!({ "/data/home/0/position": 8, "/data/home/1/position": 6 });
    product.replace("/remote-config", other).await;
    eventually(10, || async {
        let page = product.guest().get("/").await.data();
        let at = |kind| rail(&page, kind).map(|rail| rail["position"].clone());
        (at("bakery")? == 8 && at("readyMeals")? == 6).then_some(())
    })
    .await;
}

#[tokio::test]
async fn what_the_guest_ordered_is_offered_again_two_at_most() {
    let product = Product::start().await;
    let guest = product.guest_at_table(1013, "t7").await;
    for venue in [1043, 1013, 1023, 1013] {
        guest.get(&crate::support::table_link(venue, "t1")).await;
        let menu = guest.get(&format!("/filials/{venue}")).await.data();
        let (dish, _) = plain_products(&menu)[0];
        guest.add(venue, dish).await;
        let seen = order_fields(&guest.get("/cart").await.data());
        let placed = guest.post("/orders", &as_fields(&seen)).await;
        assert_eq!(placed.status, 303, "{}", placed.text());
    }
    let page = guest.get("/").await.data();
    let recent = rail(&page, "recent").expect("somebody has ordered");
    assert_eq!(recent["position"], 2);
    let venues = |rail: &Value| -> Vec<u64> {
        let venues = rail["venues"].as_array().unwrap();
        venues
            .iter()
            .filter_map(|venue| venue["id"].as_u64())
            .collect()
    };
    let ids = venues(recent);
    assert_eq!(ids, [1013, 1023], "the newest first, each once");
    // And beside them nothing begins with the same ones.
    let twice: Vec<_> = rails(&page)
        .iter()
        .filter(|rail| rail["kind"] != "recent")
        .filter(|rail| venues(rail).iter().take(4).any(|id| ids.contains(id)))
        .map(|rail| rail["kind"].clone())
        .collect();
    assert_eq!(twice, Vec::<Value>::new());
}

/// A town with too few venues for two rails that share none: what an earlier rail begins with comes last.
#[tokio::test]
async fn a_rail_begins_with_venues_that_no_rail_before_it_began_with() {
    let product = Product::start().await;
    let page = product.guest().get("/?country=ge&lang=ka").await.data();
    let mut begun: Vec<u64> = Vec::new();
    let mut had_few = false;
    for rail in rails(&page) {
        let ids = rail["venues"].as_array().unwrap().iter();
        let ids: Vec<u64> = ids.filter_map(|venue| venue["id"].as_u64()).collect();
        let again: Vec<bool> = ids.iter().map(|id| begun.contains(id)).collect();
        assert!(again.is_sorted(), "{}: {again:?}", rail["kind"]);
        had_few |= again.contains(&true) && again.contains(&false);
        begun.extend(ids.iter().take(4));
    }
    assert!(had_few, "Tbilisi has too few venues");
}

#[tokio::test]
async fn a_kitchen_of_the_town_leads_from_home_to_the_venues_that_cook_so() {
    let product = Product::start().await;
    let guest = product.guest();
    let home = guest.get("/?lang=en").await;
    let kitchens = home.data()["page"]["data"]["kitchens"].clone();
    let kitchens = kitchens.as_array().unwrap();
    assert!(kitchens.len() > 2, "{kitchens:?}");
    let list = async |address: &str| guest.get(address).await.data()["page"]["data"].clone();
    let all = list("/filials?lang=en").await["total"].as_u64().unwrap();
    for kitchen in kitchens {
        let code = kitchen["code"].as_str().unwrap();
        let address = format!("/filials?kitchen={code}");
        assert!(
            home.text().contains(&format!("href=\"{address}\"")),
            "{code}"
        );
        let found = list(&address).await;
        assert_eq!(&found["kitchen"], kitchen);
        let total = found["total"].as_u64().unwrap();
        assert!(0 < total && total < all, "{code}: {total} of {all}");
        // Search engines know the list of all (SO-02).
        let html = guest.get(&address).await.text();
        let canonical = format!(r#"<link rel="canonical" href="{}/filials"#, product.web);
        assert!(html.contains(&canonical), "{code}");
        assert!(!html.contains("ItemList"), "{code}");
        // A page past the end is none of its own, and stays in the kitchen.
        let last = guest.get(&format!("{address}&page=900")).await;
        assert_eq!(last.location(), address);
    }
    // One that nobody cooks: nothing is found, nothing breaks, and the words of the address stand nowhere on the page.
    let none = list("/filials?kitchen=%22%3E%3Cb%3E").await;
    assert_eq!(none["total"], 0);
    let spoofed = guest.get("/filials?kitchen=Refund+call+8777&lang=en").await;
    assert_eq!(spoofed.texts("h1"), ["All restaurants"]);
    let chips = spoofed.texts(".chips a");
    assert!(
        chips.len() > 3 && !chips.concat().contains("Refund"),
        "{chips:?}"
    );
    // Nor does it narrow what is searched next, while a kitchen of the town does so and says it.
    let current = r#".chips [aria-current]"#;
    let hidden = r#"input[name="kitchen"]"#;
    assert_eq!(spoofed.texts(current), ["All"]);
    assert!(spoofed.texts(hidden).is_empty());
    let kitchen = &kitchens[0];
    let code = kitchen["code"].as_str().unwrap();
    let nothing = guest
        .get(&format!("/filials?kitchen={code}&q=zzzqqq&lang=en"))
        .await;
    assert_eq!(nothing.data()["page"]["data"]["total"], 0);
    assert_eq!(nothing.texts(current), [kitchen["name"].as_str().unwrap()]);
    assert_eq!(nothing.texts(hidden).len(), 1);
    let html = spoofed.text();
    let (head, _) = html.split_once("</head>").unwrap();
    assert!(head.contains(r#"<meta name="robots" content="noindex"#));
    for named in ["<title>Refund", r#"content="Refund"#] {
        assert!(!head.contains(named), "{named}");
    }
}

#[tokio::test]
async fn a_rail_that_failed_comes_back_when_it_is_asked_again() {
    let product = Product::with(&["--catalogue-fresh-ms", "0"]).await;
    let path = "/takeaway/v2/locations/bakery";
    product.fail(path, 500).await;
    let guest = product.guest();
    let page = guest.get("/").await;
    assert_eq!(page.status, 200);
    assert_eq!(rail(&page.data(), "bakery").unwrap()["failed"], true);
    let others = page.data();
    assert_eq!(
        rails(&others)
            .iter()
            .filter(|rail| rail["failed"] == true)
            .count(),
        1
    );
    assert_eq!(
        page.texts(r#".note a[href="/"]"#).len(),
        1,
        "its retry works without scripts"
    );
    product.no_faults().await;
    eventually(10, || async {
        let page = guest.get("/").await.data();
        (rail(&page, "bakery")?["failed"] == false).then_some(())
    })
    .await;
}

#[tokio::test]
async fn the_front_waits_for_no_call_that_hangs() {
    let product = Product::start().await;
    for path in [
        "/brandy/api/v1/brands",
        "/remote-config",
        "/takeaway/v2/locations/grocery",
    ] {
        let fault = json!({ "path": path, "kind": "hang" });
        product.control("faults", fault).await;
    }
    // The calls hang for ever: a page that waits for one of them does not come.
    let page = product.guest().get("/").await;
    assert_eq!(page.status, 200);
    let data = page.data();
    let failed = |kind| rail(&data, kind).unwrap()["failed"].clone();
    assert_eq!(
        (failed("near"), failed("grocery")),
        (json!(false), json!(true)),
        "the section that did not come says so, the others are there"
    );
    assert!(page.rendered().contains("id=\"rail-grocery\""));
    assert_eq!(data["page"]["data"]["shortcuts"], json!([]));
    assert_eq!(
        rail(&data, "bakery").unwrap()["position"],
        6,
        "the usual places when the upstream says none"
    );
}

#[tokio::test]
async fn a_position_moves_the_near_rail_alone_and_stays_out_of_addresses() {
    let product = Product::start().await;
    let guest = product.guest();
    let before = guest.data("/").await;
    product.forget_log().await;
    let after = home_near(&guest, "43.2050,76.8900").await;
    let ids = |page: &Value, kind: &str| -> Vec<Value> {
        let rail = rail(page, kind).unwrap();
        let venues = rail["venues"].as_array().unwrap();
        venues.iter().map(|venue| venue["id"].clone()).collect()
    };
    assert_ne!(ids(&before, "near"), ids(&after, "near"));
    // What stands in the near rail is in no other one, so it is left aside.
    let near = [ids(&before, "near"), ids(&after, "near")].concat();
    for kind in ["promo", "popular", "bakery", "readyMeals"] {
        for fact in ["position", "href", "failed"] {
            let [was, is] = [&before, &after].map(|page| rail(page, kind).unwrap()[fact].clone());
            assert_eq!(was, is, "{kind}: {fact}");
        }
        let (was, is) = (ids(&before, kind), ids(&after, kind));
        let apart = |venues: &Value| -> Vec<Value> {
            let all = venues["venues"].as_array().unwrap().iter();
            all.filter(|one| {
                let id = &one["id"];
                !near.contains(id) && was.contains(id) && is.contains(id)
            })
            .cloned()
            .collect()
        };
        let rails = [&before, &after].map(|page| apart(rail(page, kind).unwrap()));
        assert!(!rails[0].is_empty(), "{kind}");
        assert_eq!(rails[0], rails[1], "{kind}");
    }
    assert!(after["page"]["data"]["elsewhere"].is_null());
    for call in product.sandbox_get("log").await {
        assert!(!call["query"].as_str().unwrap().contains("76.89"), "{call}");
    }
    assert!(!product.logs().contains("76.89"));
}

#[tokio::test]
async fn a_guest_more_than_50_km_away_is_asked_about_the_town() {
    let product = Product::with(&["--catalogue-fresh-ms", "1"]).await;
    let guest = product.guest();
    let astana = home_near(&guest, "51.1694,71.4491").await;
    assert_eq!(astana["page"]["data"]["elsewhere"]["town"]["id"], 2);
    let steppe = home_near(&guest, "44.2000,76.9450").await;
    let nearest = rail(&steppe, "near").unwrap()["venues"][0]["distance"]
        .as_u64()
        .unwrap();
    assert!(nearest > 50_000, "{nearest}");
    assert!(!steppe["page"]["data"]["elsewhere"].is_null());
    let close = home_near(&guest, "43.6500,76.9450").await;
    let nearest = rail(&close, "near").unwrap()["venues"][0]["distance"]
        .as_u64()
        .unwrap();
    assert!((30_000..=50_000).contains(&nearest), "{nearest}");
    assert!(close["page"]["data"]["elsewhere"].is_null());
    assert!(
        guest.get("/").await.data()["page"]["data"]["elsewhere"].is_null(),
        "nobody knows where the guest is"
    );
    for (metres, place, asked) in [
        (50_000, "44.2100,76.9450", false),
        (50_001, "44.2200,76.9450", true),
    ] {
        let nearest = json!({ "/data/0/distance": metres });
        product
            .replace("/brandy/api/v1/locations/near", nearest)
            .await;
        let page = home_near(&guest, place).await;
        let elsewhere = &page["page"]["data"]["elsewhere"];
        assert_eq!(!elsewhere.is_null(), asked, "{metres}");
    }
}

/// TX-28, TX-29.
#[tokio::test]
async fn the_front_is_called_restaurants_and_its_search_finds_anything() {
    let product = Product::start().await;
    for (query, title, anything) in [
        ("lang=kk", "Мейрамханалар", "Бәрін іздеңіз"),
        ("lang=ru", "Рестораны", "Найти что угодно"),
        ("lang=en", "Restaurants", "Find anything"),
        ("lang=ka&country=ge", "რესტორნები", "მოძებნეთ, რაც გსურთ"),
    ] {
        let page = product.guest().get(&format!("/?{query}")).await;
        assert_eq!(page.texts("h1"), [title]);
        let fields = page.texts(&format!("input[placeholder='{anything}']"));
        assert_eq!(fields.len(), 1, "{query}");
    }
}

#[tokio::test]
async fn a_town_without_venues_is_not_a_search_that_found_none() {
    let product = Product::start().await;
    let guest = product.guest();
    guest.set_cookie("townId", EMPTY_TOWN);
    for (path, text) in [
        ("/?lang=en", "No restaurants in the city"),
        ("/filials?lang=en", "No restaurants in the city"),
        ("/brands?lang=en", "No restaurants in the city"),
        ("/filials?lang=en&q=zzzz", "Nothing found"),
    ] {
        let page = guest.get(path).await;
        assert_eq!(page.status, 200);
        assert!(page.rendered().contains(text), "{path}");
        let change = page.rendered().contains("href=\"/town?back=");
        assert_eq!(change, text.starts_with("No restaurants"), "{path}");
    }
}

/// HM-10: what only another service has is offered with it, also without scripts.
#[tokio::test]
async fn a_town_without_venues_of_a_service_names_the_services_that_have_some() {
    let product = Product::start().await;
    for path in ["/", "/filials"] {
        let guest = product.guest();
        guest.set_cookie("townId", TOWN_OF_ONE);
        let page = guest.get(&format!("{path}?lang=en")).await;
        assert_eq!(page.status, 200);
        assert_eq!(page.texts(".empty h2"), ["No restaurants here to eat in"]);
        assert_eq!(
            page.texts(".empty form .button"),
            ["Delivery: 1 restaurant", "Takeaway: 1 restaurant"],
            "{path}"
        );
        let fields = [("service", "takeaway"), ("back", path)];
        let there = guest.submit("/session/service", &fields).await;
        assert!(there.texts(".empty").is_empty(), "{path}");
        assert!(there.rendered().contains(&format!("\"/filials/{ONE}\"")));
    }
}

#[tokio::test]
async fn far_begins_at_1500_metres() {
    let product = Product::start().await;
    let guest = product.guest();
    let (mut near, mut far) = (0, 0);
    let mut seen = Vec::new();
    for at in ["43.2370,76.9450", "43.2800,76.9450"] {
        let page = home_near(&guest, at).await;
        seen.extend(
            rail(&page, "near").unwrap()["venues"]
                .as_array()
                .unwrap()
                .clone(),
        );
    }
    for venue in seen {
        let metres = venue["distance"].as_u64().unwrap();
        if metres == 1500 {
            continue;
        }
        assert_eq!(venue["far"], metres > 1500, "{venue}");
        if metres > 1500 { far += 1 } else { near += 1 }
    }
    assert!(near > 0 && far > 0);
}

#[tokio::test]
async fn exactly_1500_metres_are_far_and_one_less_is_near() {
    let product = Product::with(&["--catalogue-fresh-ms", "1"]).await;
    let distances = [0, 1499, 1500, 1501];
    let values: serde_json::Map<String, Value> = distances
        .iter()
        .enumerate()
        .map(|(at, metres)| (format!("/data/{at}/distance"), json!(metres)))
        .collect();
    product.replace("*", Value::Object(values)).await;
    let page = home_near(&product.guest(), "43.2370,76.9450").await;
    let venues = rail(&page, "near").unwrap()["venues"]
        .as_array()
        .unwrap()
        .clone();
    let told: Vec<_> = venues
        .iter()
        .filter(|venue| distances.iter().any(|metres| venue["distance"] == *metres))
        .map(|venue| (venue["distance"].as_u64().unwrap(), venue["far"] == true))
        .collect();
    assert_eq!(
        told,
        [(0, false), (1499, false), (1500, true), (1501, true)]
    );
}

#[tokio::test]
async fn no_distance_is_shown_to_a_guest_whose_position_is_unknown() {
    let product = Product::start().await;
    let guest = product.guest();
    let home = guest.get("/?lang=en").await;
    let near = rail(&home.data(), "near").unwrap().clone();
    assert_eq!(near["located"], false);
    let html = home.rendered();
    assert!(html.contains("In the centre") && !html.contains("Nearby"));
    for path in [
        "/?lang=en",
        "/filials?lang=en",
        "/filials?lang=en&category=near",
        "/map?lang=en",
        "/search?lang=en&q=coffee",
        &format!("/brands/filials?lang=en&brand={BRAND}"),
    ] {
        let page = guest.get(path).await;
        let data = page.data().to_string();
        assert!(data.contains("\"distance\":null"), "{path}");
        assert_eq!(
            data.matches("\"distance\":").count(),
            data.matches("\"distance\":null").count(),
            "{path}"
        );
        let html = page.rendered();
        assert!(
            !html.contains("Nearest") && !html.contains(">Nearby<"),
            "{path}"
        );
    }
    let located = home_near(&guest, "43.2370,76.9450").await;
    let near = rail(&located, "near").unwrap();
    assert_eq!(near["located"], true);
    assert!(near["venues"][0]["distance"].is_u64(), "{near}");
}

#[tokio::test]
async fn lists_say_what_is_wanted_and_nothing_that_is_empty() {
    let product = Product::start().await;
    product.forget_log().await;
    let guest = product.guest();
    guest.get("/filials?q=%D0%BB%D0%B0&page=2").await;
    guest.get("/filials?service=delivery&category=promo").await;
    // Who is signed in gets the same lists as all others.
    sign_in(&product, &guest, "/").await;
    guest.get("/filials?service=takeaway&q=%D0%BB%D0%B0").await;
    let calls = product.queries("/takeaway/v2/locations").await;
    let search = calls
        .iter()
        .find(|query| query.contains_key("search"))
        .unwrap();
    assert_eq!(search["search"], "ла");
    assert_eq!(search["page"], "2");
    assert_eq!(search["limit"], "20");
    assert_eq!(search["town_id"], "1");
    assert_eq!(search["filter[service]"], "express");
    assert_eq!(search["category_id"], "128");
    let promo = calls
        .iter()
        .find(|query| query.contains_key("filter[only-promo]"))
        .unwrap();
    assert_eq!(promo["category_id"], "8");
    for query in &calls {
        assert!(
            query.iter().all(|(_, value)| !value.is_empty()),
            "{query:?}"
        );
        for key in ["user_id", "brand_id", "bbox"] {
            assert_eq!(query.get(key), None, "{query:?}");
        }
    }
    let of_guest = calls
        .iter()
        .find(|query| query.get("category_id").is_some_and(|id| id == "4"));
    assert!(of_guest.is_some(), "{calls:?}");
    for call in product.sandbox_get("log").await {
        if call["path"] == "/takeaway/v2/locations" {
            assert!(call["headers"]["authorization"].is_null(), "{call}");
        }
    }
}

#[tokio::test]
async fn an_anonymous_guest_sees_popular_and_promo_venues_and_dishes() {
    let product = Product::start().await;
    product.forget_log().await;
    let guest = product.guest();
    let home = guest.get("/").await.data();
    for kind in ["promo", "popular"] {
        let rail = rail(&home, kind).unwrap();
        assert!(!rail["venues"].as_array().unwrap().is_empty(), "{kind}");
    }
    let menu = guest.get("/filials/1013").await.data();
    let lists = &menu["page"]["data"]["lists"];
    assert_eq!(lists[0]["id"], -2, "what all guests like comes first");
    assert_eq!(lists[1]["id"], -3, "then what is popular");
    let search = guest.get("/search").await.data();
    let dishes = search["page"]["data"]["popular"].as_array().unwrap();
    assert!(!dishes.is_empty(), "popular dishes");
    for call in product.sandbox_get("log").await {
        assert!(call["headers"]["authorization"].is_null(), "{call}");
    }
}

#[tokio::test]
async fn brands_lead_to_their_venues_and_a_single_one_straight() {
    let product = Product::start().await;
    let guest = product.guest();
    let page = guest.get("/brands").await;
    assert_eq!(page.status, 200);
    let data = page.data();
    let brands = data["page"]["data"]["brands"].as_array().unwrap();
    assert!(brands.len() > 10);
    let coffee = brands.iter().find(|brand| brand["id"] == BRAND).unwrap();
    assert_eq!(coffee["venues"], 3);
    let to = format!("/brands/filials?brand={BRAND}");
    assert!(page.rendered().contains(&format!("href=\"{to}\"")));
    let found = guest.get("/brands?lang=en&q=TAMSHY").await.rendered();
    assert!(found.contains("1 brand") && found.contains(&to), "{found}");
    assert!(!found.contains("Qulan Burger"));
    let none = guest.get("/brands?lang=en&q=zzzz").await.rendered();
    assert!(none.contains("Nothing found for"), "{none}");

    guest.set_cookie("townId", TOWN_OF_ONE);
    let only = guest.get("/brands?utm=x").await;
    assert_eq!(only.status, 303);
    assert!(only.location().starts_with("/brands/filials?brand="));
    assert!(only.location().ends_with("&utm=x"), "{}", only.location());
}

#[tokio::test]
async fn the_venues_of_a_brand_come_nearest_first_by_the_chosen_service() {
    let product = Product::start().await;
    let guest = product.guest();
    let express = guest.get(&format!("/brands/filials?brand={BRAND}")).await;
    assert_eq!(express.status, 200);
    let data = express.data();
    assert_eq!(data["page"]["data"]["total"], 3);
    let located = guest
        .get_with(
            &format!("/_data/brands/filials?brand={BRAND}"),
            &[
                ("accept", "application/json"),
                ("x-near", "43.2370,76.9450"),
            ],
        )
        .await
        .json();
    let distances: Vec<u64> = venues(&located)
        .iter()
        .map(|venue| venue["distance"].as_u64().unwrap())
        .collect();
    assert!(distances.is_sorted(), "{distances:?}");
    let ids = |page: &Value| -> Vec<u64> {
        venues(page)
            .iter()
            .map(|venue| venue["id"].as_u64().unwrap())
            .collect()
    };
    let takeaway = guest
        .get(&format!("/brands/filials?brand={BRAND}&service=takeaway"))
        .await
        .data();
    assert_ne!(ids(&data), ids(&takeaway), "each service is another filial");
    let calls = product
        .queries(&format!("/brandy/api/v1/locations/brand/{BRAND}"))
        .await;
    assert!(calls.len() >= 2, "{calls:?}");
    for query in calls {
        assert_eq!(query["limit"], "20", "{query:?}");
    }
    is_custom(&guest.get("/brands/filials").await, "/brands");
    for unknown in ["424242", "18446744073709551615"] {
        let page = guest.get(&format!("/brands/filials?brand={unknown}")).await;
        assert_eq!(page.status, 404, "{unknown}");
    }
}

/// The upstream tells of brands by the page, and looks for none by its name.
#[tokio::test]
async fn a_town_with_more_brands_than_are_read_leads_to_the_search() {
    let product = Product::start().await;
    let (some, none) = ("/brands?lang=en", "/brands?lang=en&q=Zzyzx");
    let searches = async |product: &Product, path: &str| {
        let page = product.guest().get(path).await;
        let links = page.texts(".said a[href^='/search']");
        (page.texts(".said").join(""), links.len())
    };
    let (said, links) = searches(&product, some).await;
    assert!(said.ends_with("brands") && links == 0, "{said}");
    let (said, links) = searches(&product, none).await;
    assert!(said.contains("Nothing found") && links == 0, "{said}");
    let known = product.guest().get(some).await.data();
    let count = known["page"]["data"]["brands"].as_array().unwrap().len();

    let product = Product::start().await;
    let more = json!({ "/meta/last_page": 6 });
    product.replace("/brandy/api/v1/brands", more).await;
    let (said, links) = searches(&product, some).await;
    let first = format!("Only the first {count} brands are here.");
    assert!(said.starts_with(&first) && links == 1, "{said}");
    let (said, links) = searches(&product, none).await;
    let first = format!("“Zzyzx” is not among the first {count} brands");
    assert!(said.starts_with(&first) && links == 1, "{said}");
}

#[tokio::test]
async fn a_list_of_brands_that_did_not_come_says_so() {
    let product = Product::start().await;
    product.fail("/brandy", 500).await;
    for path in ["/brands?lang=en", "/brands/filials?lang=en&brand=9"] {
        let page = product.guest().get(path).await;
        assert_eq!(page.status, 503, "{path}");
        assert_eq!(page.data()["page"]["data"]["failed"], true);
        assert!(page.rendered().contains("The list did not load"), "{path}");
    }
}

#[tokio::test]
async fn a_custom_config_makes_the_brands_the_front_and_keeps_the_query() {
    let product = Product::with(&["--services", "takeaway"]).await;
    let guest = product.guest();
    is_custom(&guest.get("/").await, "/brands");
    is_custom(
        &guest.get("/?utm_source=a&x=%D0%BB+b").await,
        "/brands?utm_source=a&x=%D0%BB+b",
    );
    let data = guest.data("/?utm_source=a").await;
    assert_eq!(data["redirect"], "/brands?utm_source=a");
    assert_eq!(guest.get("/brands").await.status, 200);
}

#[tokio::test]
async fn without_a_custom_config_the_front_is_home() {
    let product = Product::start().await;
    assert_eq!(product.guest().get("/").await.status, 200);
}

#[tokio::test]
async fn a_service_that_is_not_on_offer_gives_way_wherever_it_comes_from() {
    let product = Product::with(&["--services", "takeaway,delivery"]).await;
    let guest = product.guest();
    let shell = guest.get("/filials").await.data()["shell"].clone();
    assert_eq!(shell["service"], "takeaway", "the usual one is not offered");
    assert_eq!(shell["services"], json!(["delivery", "takeaway"]));
    guest.set_cookie("service", "express");
    assert_eq!(
        guest.get("/filials").await.data()["shell"]["service"],
        "takeaway"
    );
    let asked = guest.get("/filials?service=express").await;
    assert_eq!(asked.data()["shell"]["service"], "takeaway");
    guest.set_cookie("service", "delivery");
    assert_eq!(
        guest.get("/filials").await.data()["shell"]["service"],
        "delivery"
    );
    let refused = guest
        .post(
            "/session/service",
            &[("service", "express"), ("back", "/filials")],
        )
        .await;
    assert_eq!(refused.status, 303);
    assert_eq!(guest.cookie("service").as_deref(), Some("delivery"));
}

#[tokio::test]
async fn an_address_of_what_is_not_on_offer_leads_to_what_is() {
    let product = Product::with(&["--services", "takeaway"]).await;
    is_custom(&product.guest().get("/filials/1013").await, "/filials/1011");
    assert_eq!(product.guest().get("/filials/1011").await.status, 200);
    let brand = Product::with(&["--brand-id", "9"]).await;
    assert_eq!(brand.guest().get("/filials/1013").await.status, 404);
}

#[tokio::test]
async fn the_switcher_is_there_only_where_there_is_a_choice() {
    let one = Product::with(&["--services", "takeaway"]).await;
    let page = one.guest().get("/filials").await.rendered();
    assert!(!page.contains("/session/service"));
    let all = Product::start().await;
    let page = all.guest().get("/filials").await.rendered();
    assert!(page.contains("/session/service"));
}

/// HM-14: paging is of one service and one town.
#[tokio::test]
async fn from_a_later_page_of_a_list_another_service_and_another_town_lead_to_the_first() {
    let product = Product::start().await;
    let guest = product.guest();
    let towns = guest.data("/town").await["page"]["data"]["towns"].clone();
    let town = towns[1]["id"].to_string();
    for (from, to) in [
        ("/filials?page=2", "/filials"),
        ("/filials?category=promo&page=2", "/filials?category=promo"),
        ("/brands?page=2&q=a", "/brands?q=a"),
        ("/brands/filials?brand=9&page=2", "/brands/filials?brand=9"),
        ("/search?q=page&page=3", "/search?q=page"),
    ] {
        for (path, name, value) in [
            ("/session/service", "service", "delivery"),
            ("/session/town", "town", &town),
        ] {
            let answer = guest.post(path, &[(name, value), ("back", from)]).await;
            assert_eq!(answer.location(), to, "{path}");
        }
    }
}

/// ZZ-24: what is left without delivery is counted.
#[tokio::test]
async fn of_delivery_and_one_more_service_a_host_app_has_no_choice() {
    let product = Product::with(&["--services", "delivery,takeaway"]).await;
    let app = product.guest();
    app.get("/legal/privacy?platform=android").await;
    app.agree().await;
    let page = app.get("/filials").await;
    assert_eq!(page.data()["shell"]["services"], json!(["takeaway"]));
    assert!(!page.rendered().contains("/session/service"));
    let page = product.guest().get("/filials").await;
    let both = json!(["delivery", "takeaway"]);
    assert_eq!(page.data()["shell"]["services"], both);
    assert!(page.rendered().contains("/session/service"));
}

#[tokio::test]
async fn the_address_may_name_the_service_and_it_is_remembered() {
    let product = Product::start().await;
    let guest = product.guest();
    let page = guest.get("/filials?service=takeaway").await.data();
    assert_eq!(page["shell"]["service"], "takeaway");
    assert_eq!(
        guest.get("/filials").await.data()["shell"]["service"],
        "takeaway"
    );
    let nonsense = guest.get("/filials?service=vendor_delivery").await.data();
    assert_eq!(nonsense["shell"]["service"], "takeaway");
    assert_eq!(
        nonsense["shell"]["services"],
        json!(["delivery", "express", "takeaway"]),
        "kinds of orders are no services"
    );
}

#[tokio::test]
async fn the_brand_of_an_installation_goes_into_every_list() {
    let product = Product::with(&["--brand-id", "9"]).await;
    let guest = product.guest();
    is_custom(&guest.get("/?a=1").await, "/brands?a=1");
    is_custom(
        &guest.get("/brands?a=1").await,
        "/brands/filials?brand=9&a=1",
    );
    let page = guest.get("/brands/filials?brand=1").await.data();
    assert_eq!(
        page["page"]["data"]["brand"], BRAND,
        "no other brand can be had"
    );
    product.forget_log().await;
    let list = guest.get("/filials").await.data();
    assert_eq!(list["page"]["data"]["total"], 3);
    guest.get("/filials?category=popular&q=a").await;
    for path in [
        "/map",
        "/filials?category=near",
        "/search?q=a",
        "/search/suggest?q=ab",
        "/filials?q=a",
    ] {
        assert_eq!(guest.get(path).await.status, 200, "{path}");
    }
    for path in [
        "/takeaway/v2/locations",
        "/brandy/api/v1/locations/near",
        "/menu/v3/search",
        "/brandy/api/v1/autocomplete",
    ] {
        let calls = product.queries(path).await;
        assert!(!calls.is_empty(), "{path}");
        for query in calls {
            assert_eq!(query["brand_id"], "9", "{path} {query:?}");
        }
    }
}

/// SO-08: a page past the end would be one of ten thousand that say the same.
#[tokio::test]
async fn a_page_past_the_last_leads_to_the_last() {
    let product = Product::start().await;
    let guest = product.guest();
    let last = guest.data("/filials").await["page"]["data"]["lastPage"]
        .as_u64()
        .unwrap();
    assert!(last > 1, "there are pages");
    let search = "/search?q=%D1%87%D0%B0%D0%B9";
    let page = guest.data(&format!("{search}&open=1&lang=ru")).await;
    let found = page["page"]["data"]["lastPage"].as_u64().unwrap();
    assert!(found > 1, "there are pages");
    for (asked, to) in [
        (
            "/filials?page=99".to_owned(),
            format!("/filials?page={last}"),
        ),
        (
            "/filials?category=bakery&page=9999&lang=kk".to_owned(),
            "/filials?category=bakery&lang=kk".to_owned(),
        ),
        (
            "/brands/filials?brand=9&page=2&lang=ru".to_owned(),
            "/brands/filials?brand=9&lang=ru".to_owned(),
        ),
        (
            format!("{search}&page=900&open=1&lang=ru"),
            format!("{search}&page={found}&open=1&lang=ru"),
        ),
        (
            "/search?q=zzzzqq&exact=1&page=9".to_owned(),
            "/search?q=zzzzqq&exact=1".to_owned(),
        ),
    ] {
        let page = guest.get(&asked).await;
        assert_eq!((page.status, page.location()), (303, to), "{asked}");
    }
}

/// AX-05: what is not there is told by a region that was there.
#[tokio::test]
async fn that_nothing_was_found_stands_in_a_live_region() {
    let product = Product::start().await;
    for path in ["/filials?q=zzzzqq", "/brands?q=zzzzqq", "/search?q=zzzzqq"] {
        let page = product.guest().get(path).await;
        let html = scraper::Html::parse_fragment(&page.rendered());
        let told = scraper::Selector::parse("[role=status] .empty").unwrap();
        assert_eq!(html.select(&told).count(), 1, "{path}");
    }
}

/// HT-17: what is not of the brand is not there, whatever page of it is asked for.
#[tokio::test]
async fn an_installation_of_a_brand_opens_no_page_of_another() {
    let any = Product::start().await;
    let menu = any.guest().get("/filials/1013").await.data();
    let dish = plain_products(&menu)[0].0.to_string();
    let booking = any.guest().get("/brands/booking").await.data();
    assert!(booking["page"]["data"]["venues"].as_array().unwrap().len() > 3);

    let product = Product::with(&["--brand-id", "9"]).await;
    let guest = product.guest();
    for page in ["", "/details", "/reviews", "/search"] {
        let address = format!("/filials/1013{page}");
        assert_eq!(guest.get(&address).await.status, 404, "{address}");
    }
    let line = [("filial", "1013"), ("product", dish.as_str())];
    assert_eq!(guest.post_json("/cart/lines", &line).await.status, 404);
    let booking = guest.get("/brands/booking").await.data();
    let venues = booking["page"]["data"]["venues"]
        .as_array()
        .unwrap()
        .clone();
    let own = guest.get("/filials").await.data();
    assert!(!venues.is_empty() && venues.len() <= 3, "{venues:?}");
    assert_eq!(own["page"]["data"]["total"], 3);
    let other = guest.get("/brands/booking?filial=1013").await;
    assert_eq!(other.status, 404);
    for page in ["fridge", "barcode-scanner", "barcode-manual"] {
        let address = format!("/filials/{FRIDGE}/{page}");
        assert_eq!(any.guest().get(&address).await.status, 200, "{address}");
        assert_eq!(guest.get(&address).await.status, 404, "{address}");
    }
    sign_in(&product, &guest, "/").await;
    let fridge = FRIDGE.to_string();
    let opened = guest
        .post_json("/fridge/open", &[("filial", &fridge)])
        .await;
    assert_eq!(opened.status, 404);
}

/// SV-07, HB-09: nothing of such a venue could be ordered.
#[tokio::test]
async fn a_venue_without_a_service_on_offer_is_neither_listed_nor_opened() {
    let any = Product::start().await;
    let brand = 11;
    let semey = async |product: &Product| {
        let guest = product.guest();
        guest.set_cookie("townId", TOWN_OF_ONE);
        let list = format!("/brands/filials?brand={brand}&lang=en");
        let page = guest.get(&list).await.data();
        let map = guest.get("/sitemaps/kz-ru-1.xml").await.text();
        let listed = map.contains(&format!("/filials/{ONE}"));
        (page["page"]["data"]["total"].clone(), listed, guest)
    };
    let (total, listed, guest) = semey(&any).await;
    assert_eq!((total, listed), (json!(1), true));
    let menu = guest.get(&format!("/filials/{ONE}")).await.data();
    let dish = plain_products(&menu)[0].0.to_string();

    let product = Product::with(&["--services", "express"]).await;
    let (total, listed, guest) = semey(&product).await;
    assert_eq!((total, listed), (json!(0), false));
    for page in ["", "/search"] {
        let refused = guest.get(&format!("/filials/{ONE}{page}?lang=en")).await;
        assert_eq!(refused.status, 404, "{page}");
        assert_eq!(
            refused.texts("h1"),
            ["This restaurant takes no orders here"]
        );
    }
    let one = ONE.to_string();
    let line = [("filial", one.as_str()), ("product", dish.as_str())];
    assert_eq!(guest.post_json("/cart/lines", &line).await.status, 404);
    // A brand whose other venues have the service keeps those.
    let list = guest.get("/brands/filials?brand=9&town=1").await;
    assert_eq!(list.status, 200);
    // Behind a fridge's door is what its lock gives out.
    let fridge = guest.get(&format!("/filials/{FRIDGE}")).await;
    assert_eq!(fridge.status, 200);

    // What was put into the cart while it was on offer is not ordered any more.
    let product = Product::start().await;
    let guest = product.guest();
    guest.set_cookie("townId", TOWN_OF_ONE);
    assert_eq!(guest.add(ONE, dish.parse().unwrap()).await.status, 303);
    let cart = guest.get("/cart").await.data();
    let product = product
        .killed_and_started_again_with(&["--services", "express"])
        .await;
    let guest = guest.at(&product);
    product.forget_log().await;
    let answer = guest
        .post_json("/orders", &as_fields(&order_fields(&cart)))
        .await;
    assert_eq!(answer.status, 422);
    assert!(answer.text().contains("gone"), "{}", answer.text());
}

/// HB-09, FL-10: what the address says besides holds for the service that is on offer.
#[tokio::test]
async fn an_address_of_what_is_not_on_offer_keeps_its_query() {
    let product = Product::with(&["--services", "takeaway"]).await;
    let answer = product
        .guest()
        .get("/filials/1013?item=551&source=STANDQR")
        .await;
    assert_eq!(answer.status, 303);
    assert_eq!(answer.location(), "/filials/1011?item=551&source=STANDQR");
}

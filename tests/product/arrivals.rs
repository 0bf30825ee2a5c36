//! How a guest comes to a venue, and what the venue says at that hour (FL-10, FL-21, RT-10, RT-17, SV-08).

use serde_json::{Value, json};

use crate::{
    account::{session_of, sign_in},
    checkout::order,
    paying::at_the_bank,
    sign_in::at_table_with_a_dish,
    support::{Guest, Product, VENUE, as_fields, order_fields, plain_products, table_link},
};

/// Orders a plain dish in cash; what the upstream was sent.
async fn ordered(product: &Product, guest: &Guest) -> Value {
    let dish = plain_products(&guest.get(&format!("/filials/{VENUE}")).await.data())[0].0;
    guest.add(VENUE, dish).await;
    let seen = order_fields(&guest.get("/cart").await.data());
    let fields = as_fields(&seen);
    let placed = guest.post("/orders", &fields).await;
    assert!(placed.location().contains("/order/"), "{}", placed.text());
    let log = product.sandbox_get("log").await;
    let sent = log
        .iter()
        .rfind(|call| call["path"] == "/takeaway/v1/express/order")
        .unwrap();
    serde_json::from_str(sent["body"].as_str().unwrap()).unwrap()
}

async fn source_of(product: &Product, guest: &Guest) -> Value {
    let (_, sess) = session_of(product, guest).await;
    json!(sess.menu_temp().await.unwrap().source)
}

#[tokio::test]
async fn how_a_guest_came_is_kept_and_goes_with_the_order() {
    let product = Product::start().await;
    for (said, source) in [
        ("", "QR"),
        ("&source=STANDQR", "STANDQR"),
        ("&source=standqr", "STANDQR"),
        // There is no tablet in this venue, and no such source at all.
        ("&source=TABLETQR", "QR"),
        ("&source=%3Cb%3E", "QR"),
    ] {
        let guest = product.guest();
        let link = format!("{}{said}", table_link(VENUE, "t7"));
        assert_eq!(guest.get(&link).await.status, 200);
        assert_eq!(source_of(&product, &guest).await, source, "{said}");
        assert_eq!(ordered(&product, &guest).await["source"], source, "{said}");
    }
}

#[tokio::test]
async fn a_directory_a_fridge_and_a_tablet_bring_guests_without_a_table() {
    let product = Product::start().await;
    // From the page cache a stranger gets a page that knows nothing of it.
    product.guest().get(&format!("/filials/{VENUE}")).await;
    for (path, source) in [
        (format!("/filials/{VENUE}?source=DIRECTORY"), "DIRECTORY"),
        ("/kiosk/filials/1253?source=TABLET".to_owned(), "TABLET"),
        ("/filials/1201?source=FRIDGE".to_owned(), "FRIDGE"),
    ] {
        let guest = product.guest();
        let mut page = guest.get(&path).await;
        if source == "FRIDGE" {
            // Its code leads to its lock.
            page = guest.get(&page.location()).await;
        }
        let page = page.data();
        assert_eq!(source_of(&product, &guest).await, source);
        assert!(page["shell"]["table"].is_null());
        // Source and id of a venue make it home (RT-19).
        let venue = path.split('?').next().unwrap();
        let prefix = if source == "TABLET" { "/kiosk" } else { "" };
        let faq = guest.get(&format!("{prefix}/faq")).await.data();
        let home = faq["shell"]["home"].as_str().unwrap();
        assert_eq!(format!("{prefix}{home}"), venue);
    }
    // A table that is scanned or typed later is an order of the same visit.
    let guest = product.guest();
    guest
        .get(&format!("/filials/{VENUE}?source=DIRECTORY"))
        .await;
    guest.get(&table_link(VENUE, "t7")).await;
    assert_eq!(source_of(&product, &guest).await, "QR");
    let typing = product.guest();
    typing.get("/filials/1253?source=DIRECTORY").await;
    let typed = [("filial", "1253"), ("table", "3"), ("back", "/cart")];
    let page = typing.submit("/session/table", &typed).await.data();
    assert_eq!(page["shell"]["table"]["number"], "3");
    assert_eq!(source_of(&product, &typing).await, "DIRECTORY");
    // What is no source leaves a stranger a stranger.
    let other_guest = product.guest();
    let page = other_guest.get(&format!("/filials/{VENUE}?source=x")).await;
    assert_eq!(page.header("set-cookie"), "");
    // A code that a tablet shows is scanned by the guest's own phone.
    for source in ["TABLETQR", "STANDQR"] {
        let phone = product.guest();
        let link = format!("{}&source={source}", table_link(1043, "t3"));
        phone.get(&link).await;
        assert_eq!(source_of(&product, &phone).await, source);
    }
}

/// Not the browser's "temporary terminals": those are menus that were opened (ST-03).
#[tokio::test]
async fn the_venues_of_a_scanned_place_are_kept_in_the_session() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let scanned_venues = async || session_of(&product, &guest).await.1.scanned_venues().await;
    // The scanned one, the other service's, and the main one that both are linked with.
    assert_eq!(scanned_venues().await, [1010, 1011, VENUE]);
    // The same place under another service is no other place, another venue is.
    let page = guest.get("/filials/1011").await.data();
    assert_eq!(page["shell"]["table"]["number"], "7");
    let page = guest.get("/filials/1023").await.data();
    assert!(page["shell"]["table"].is_null());
    assert_eq!(scanned_venues().await, [1010, 1011, VENUE]);
    guest.get("/filials/1023?source=STANDQR").await;
    assert_eq!(scanned_venues().await, Vec::<u64>::new());
}

#[tokio::test]
async fn a_venue_that_is_not_linked_with_others_is_one_place_by_itself() {
    let card = format!("/takeaway/locations/card/terminal/{VENUE}");
    for (excluded, places) in [
        (false, vec![1010, 1011, VENUE, 4242]),
        (true, vec![1010, 1011, VENUE]),
    ] {
        let product = Product::with(&["--catalogue-fresh-ms", "0"]).await;
        let changed = json!({
            "/data/linked_terminals": [4242],
            "/data/exclude_from_terminal_linking": excluded,
        });
        product.replace(&card, changed).await;
        let guest = product.guest_at_table(VENUE, "t7").await;
        let kept = session_of(&product, &guest).await.1.scanned_venues().await;
        assert_eq!(kept, places, "excluded: {excluded}");
    }
}

#[tokio::test]
async fn the_branch_check_says_where_the_guest_is_when_that_is_known() {
    let product = Product::start().await;
    let link = table_link(VENUE, "t7");
    let check = async || {
        let log = product.sandbox_get("log").await;
        let mut checks: Vec<Value> = log
            .into_iter()
            .filter(|call| call["path"] == format!("/locations/v1/branches/{VENUE}"))
            .collect();
        product.forget_log().await;
        assert_eq!(checks.len(), 1);
        checks.remove(0)["headers"].clone()
    };
    let guest = product.guest();
    let near = [
        ("x-near", "43.2381,76.9452"),
        ("accept", "application/json"),
    ];
    let page = guest.get_with(&format!("/_data{link}"), &near).await.json();
    assert_eq!(page["shell"]["table"]["number"], "7");
    let told = check().await;
    assert_eq!(
        (&told["lat"], &told["long"]),
        (&json!("43.238"), &json!("76.945"))
    );

    let guest = product.guest();
    let page = guest.get(&link).await.data();
    assert_eq!(page["shell"]["table"]["number"], "7", "it does without");
    assert!(check().await["lat"].is_null());
}

#[tokio::test]
async fn rush_hours_are_told_only_where_an_installation_names_them() {
    let always = ["--rush-hours", "mon-sun 00:00-24:00"];
    let busy = Product::with(&always).await;
    let told = "It is rush hour";
    for path in [
        format!("/filials/{VENUE}"),
        format!("/filials/{VENUE}/details"),
    ] {
        let page = busy.guest().get(&format!("{path}?lang=en")).await;
        assert_eq!(page.data()["page"]["data"]["banner"]["kind"], "rush_hour");
        assert!(page.rendered().contains(told), "{path}");
    }
    // The venue's own word is more pressing.
    let own = busy.guest().get("/filials/1163?lang=en").await;
    assert!(own.data()["page"]["data"]["banner"].is_object());
    assert!(!own.rendered().contains(told));
    drop(busy);

    let usual = Product::start().await;
    let page = usual
        .guest()
        .get(&format!("/filials/{VENUE}?lang=en"))
        .await;
    assert!(
        page.data()["page"]["data"]["banner"].is_null(),
        "off by default"
    );
}

/// Where the way back in the header leads on a page that was opened from that address; none: the browser says nothing.
async fn back(guest: &Guest, path: &str, referrer: &str) -> String {
    let mut headers = vec![("accept", "text/html")];
    if !referrer.is_empty() {
        headers.push(("referer", referrer));
    }
    let page = guest.get_with(path, &headers).await;
    let html = scraper::Html::parse_document(&page.text());
    let link = scraper::Selector::parse("a.back").unwrap();
    let found = html.select(&link).next().unwrap();
    found.value().attr("href").unwrap().to_owned()
}

#[tokio::test]
async fn after_a_payment_page_back_leads_to_the_root() {
    let pays = "https://pay.example";
    let product = Product::with(&["--payment-origins", pays]).await;
    let path = format!("/filials/{VENUE}/details");
    let guest = product.guest_at_table(VENUE, "t7").await;
    let back = async |guest: &Guest, referrer: &str| back(guest, &path, referrer).await;
    let menu = format!("/filials/{VENUE}");
    assert_eq!(back(&guest, "https://other.example/").await, menu);
    assert_eq!(
        back(&guest, "https://pay.example.evil.example/").await,
        menu
    );
    assert_eq!(back(&guest, "https://pay.example/done?id=1").await, "/");
    // A stranger's page, too, though others have it from the page cache.
    assert_eq!(back(&product.guest(), "https://evil.example/").await, menu);
    assert_eq!(back(&product.guest(), "https://pay.example/").await, "/");
}

/// Payment pages may hide where the guest comes from: that an order led there is kept, and told once.
#[tokio::test]
async fn who_was_led_to_a_payment_page_and_comes_back_without_a_referrer_is_led_to_the_root() {
    let product = Product::start().await;
    let path = format!("/filials/{VENUE}/details");
    let menu = format!("/filials/{VENUE}");
    // An order in cash leads nowhere else.
    let guest = at_table_with_a_dish(&product).await;
    order(&guest, "cash").await;
    assert_eq!(back(&guest, &path, "").await, menu);
    // The page of the bank is never opened: the browser has only been told to.
    let (guest, _) = at_the_bank(&product).await;
    // What is fetched ahead or inside the app does not use it up.
    guest.data(&path).await;
    assert_eq!(back(&guest, &path, "").await, "/");
    assert_eq!(back(&guest, &path, "").await, menu);
}

#[tokio::test]
async fn addresses_are_asked_for_where_one_is_needed_and_nowhere_else() {
    const ADDRESSES: &str = "/profile/api/v1/address";
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let dish = plain_products(&guest.get(&format!("/filials/{VENUE}")).await.data())[0].0;
    guest.add(VENUE, dish).await;
    let asked = async |guest: &Guest| {
        product.forget_log().await;
        guest.get("/cart").await;
        let log = product.sandbox_get("log").await;
        log.iter().filter(|call| call["path"] == ADDRESSES).count()
    };
    let delivered = async |guest: &Guest| {
        guest.post("/cart/clear", &[("back", "/cart")]).await;
        let dish = plain_products(&guest.get("/filials/1024").await.data())[0].0;
        guest.add(1024, dish).await;
    };
    sign_in(&product, &guest).await;
    assert_eq!(asked(&guest).await, 0, "a table needs no address");
    delivered(&guest).await;
    assert_eq!(asked(&guest).await, 1);
    // Who is not signed in has none that could be asked for.
    let other_guest = product.guest();
    delivered(&other_guest).await;
    assert_eq!(asked(&other_guest).await, 0);
}

const FETCHED: [&[(&str, &str)]; 9] = [
    &[
        ("sec-fetch-dest", "image"),
        ("sec-fetch-mode", "no-cors"),
        ("sec-fetch-site", "same-site"),
    ],
    &[
        ("sec-fetch-dest", "image"),
        ("sec-fetch-mode", "no-cors"),
        ("sec-fetch-site", "same-origin"),
    ],
    &[
        ("sec-fetch-dest", "script"),
        ("sec-fetch-mode", "no-cors"),
        ("sec-fetch-site", "cross-site"),
    ],
    &[
        ("sec-fetch-dest", "style"),
        ("sec-fetch-mode", "no-cors"),
        ("sec-fetch-site", "cross-site"),
    ],
    &[
        ("sec-fetch-dest", "empty"),
        ("sec-fetch-mode", "cors"),
        ("sec-fetch-site", "cross-site"),
    ],
    &[
        ("sec-fetch-dest", "empty"),
        ("sec-fetch-mode", "no-cors"),
        ("sec-fetch-site", "same-site"),
    ],
    &[
        ("sec-fetch-dest", "document"),
        ("sec-fetch-site", "same-origin"),
        ("sec-purpose", "prefetch"),
    ],
    &[
        ("sec-fetch-dest", "document"),
        ("sec-fetch-site", "none"),
        ("sec-purpose", "prefetch;prerender"),
    ],
    &[("purpose", "prefetch")],
];
const OPENED: [&[(&str, &str)]; 6] = [
    &[
        ("sec-fetch-dest", "document"),
        ("sec-fetch-mode", "navigate"),
        ("sec-fetch-site", "none"),
    ],
    &[
        ("sec-fetch-dest", "document"),
        ("sec-fetch-mode", "navigate"),
        ("sec-fetch-site", "cross-site"),
    ],
    &[
        ("sec-fetch-dest", "iframe"),
        ("sec-fetch-mode", "navigate"),
        ("sec-fetch-site", "cross-site"),
    ],
    &[
        ("sec-fetch-dest", "empty"),
        ("sec-fetch-mode", "cors"),
        ("sec-fetch-site", "same-origin"),
    ],
    // A service worker that passes on what was typed.
    &[
        ("sec-fetch-dest", "empty"),
        ("sec-fetch-mode", "same-origin"),
        ("sec-fetch-site", "none"),
    ],
    // Old Safari and views of apps say nothing.
    &[],
];

/// A picture on some page, a script, a fetch of another site: nobody has come to a table (FL-06, S-08).
#[tokio::test]
async fn a_table_is_bound_by_opening_its_address_and_by_nothing_else() {
    // What a link leads to is known for a moment.
    let product = Product::with(&["--catalogue-fresh-ms", "1"]).await;
    let links = [
        table_link(VENUE, "t7"),
        format!("/_data{}", table_link(VENUE, "t7")),
    ];
    let table_of = async |guest: &Guest| {
        let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
        menu["shell"]["table"]["number"].clone()
    };
    for pulls in [false, true] {
        let check = json!({ "filial_id": VENUE, "enabled": pulls });
        product.control("check-pulling", check).await;
        for link in &links {
            for headers in FETCHED {
                let guest = product.guest();
                let answer = guest.get_with(link, headers).await;
                // It can be read all the same: previews of links do. What is fetched ahead would be shown as it is.
                let is_document = !link.starts_with("/_data");
                let read = match (is_ahead(headers), pulls) {
                    (true, _) if is_document => 403,
                    (false, true) if is_document => 303,
                    _ => 200,
                };
                assert_eq!(answer.status, read, "{link} {headers:?}");
                assert_eq!(table_of(&guest).await, Value::Null, "{link} {headers:?}");
            }
            for headers in OPENED {
                let guest = product.guest();
                guest.get_with(link, headers).await;
                assert_eq!(table_of(&guest).await, "7", "{link} {headers:?}");
            }
        }
    }
    let check = json!({ "filial_id": VENUE, "enabled": false });
    product.control("check-pulling", check).await;
    // A guest who sits somewhere with a basket keeps both, and a tablet is none for a picture.
    let guest = product.guest_at_table(1023, "t1").await;
    let dish = plain_products(&guest.get("/filials/1023").await.data())[0].0;
    guest.add(1023, dish).await;
    let tablet = "/filials/1253?source=TABLET".to_owned();
    for link in links.iter().chain([&tablet]) {
        for headers in FETCHED {
            guest.get_with(link, headers).await;
        }
    }
    let menu = guest.get("/filials/1023").await.data();
    assert_eq!(menu["shell"]["table"]["number"], "1");
    assert_eq!(menu["shell"]["cart"]["count"], 1);
    assert!(menu["shell"]["kiosk"].is_null());
}

fn is_ahead(headers: &[(&str, &str)]) -> bool {
    headers.iter().any(|(name, _)| name.ends_with("purpose"))
}

/// A language, a country or a service is not for a picture of another site to choose, and a page that is fetched ahead
/// with one is loaded when the guest goes there.
#[tokio::test]
async fn a_preference_is_kept_by_opening_its_address_and_by_nothing_else() {
    let product = Product::start().await;
    let links = [
        ("/?lang=ru", "lang"),
        ("/faq?lang=ru&x=1", "lang"),
        ("/filials?service=takeaway", "service"),
        ("/filials?country=ge", "country"),
        ("/filials?platform=web", "platform"),
    ];
    // Ready bytes of the first are no other answer.
    for _ in 0..3 {
        assert_eq!(product.guest().get(links[0].0).await.status, 200);
    }
    for (link, cookie) in links {
        for headers in FETCHED {
            let guest = product.guest();
            let answer = guest.get_with(link, headers).await;
            let ahead = is_ahead(headers);
            let status = if ahead { 403 } else { 200 };
            assert_eq!(answer.status, status, "{link} {headers:?}");
            if ahead {
                assert_eq!(answer.header("cache-control"), "no-store");
            }
            assert!(guest.cookie(cookie).is_none(), "{link} {headers:?}");
        }
        for headers in OPENED {
            let guest = product.guest();
            guest.get_with(link, headers).await;
            assert!(guest.cookie(cookie).is_some(), "{link} {headers:?}");
        }
    }
    // What is the same for everybody may be fetched ahead.
    for path in ["/filials", &format!("/filials/{VENUE}")] {
        let ahead = product.guest();
        let answer = ahead.get_with(path, &[("sec-purpose", "prefetch")]).await;
        assert_eq!(answer.status, 200, "{path}");
    }
}

//! What stands around each route, who may see it, where "home" leads; pickers, answers and documents.

use serde_json::{Value, json};

use crate::support::{Product, VENUE, as_fields, order_fields, plain_products, table_link};

/// Path, frame, navbar, balance, login: the table of the specification's section 2 (RT-01).
const ROUTES: [(&str, &str, bool, bool, bool); 21] = [
    ("/auth", "none", false, false, false),
    ("/", "search", true, false, false),
    ("/brands", "search", true, true, false),
    ("/brands/booking", "default", true, false, false),
    ("/brands/filials?brand=9", "search", true, false, false),
    ("/filials", "search", true, false, false),
    ("/filials/1013", "default", false, true, false),
    ("/filials/1013/bill", "default", false, true, false),
    ("/filials/1013/search", "search", false, false, false),
    ("/cart", "default", false, true, false),
    (
        "/filials/1013/barcode-scanner",
        "plain",
        false,
        false,
        false,
    ),
    (
        "/filials/1013/barcode-manual",
        "default",
        false,
        false,
        false,
    ),
    ("/filials/1013/details", "default", false, false, false),
    ("/map", "search", false, false, false),
    ("/search", "search", false, false, false),
    ("/orders", "default", true, true, true),
    ("/filials/1013/order/o_none", "default", false, false, false),
    ("/faq", "default", false, false, false),
    ("/address-map", "plain", false, false, false),
    ("/addresses", "default", false, false, false),
    ("/any/other", "default", false, false, false),
];

#[tokio::test]
async fn every_route_has_its_own_layout_and_login_rule() {
    let product = Product::start().await;
    let guest = product.guest();
    for (path, frame, navbar, balance, login) in ROUTES {
        let page = guest.get(path).await;
        let data = page.data();
        let layout = json!({ "frame": frame, "navbar": navbar, "balance": balance });
        assert_eq!(data["shell"]["layout"], layout, "{path}");
        assert_eq!(page.status == 401, login, "{path}: {}", page.status);
        assert_eq!(
            data["page"]["route"] == "signInNeeded",
            login,
            "{path} says why"
        );
        let html = page.rendered();
        assert_eq!(html.contains("class=\"nav\""), navbar, "{path}");
        assert_eq!(html.contains("<header"), frame != "none", "{path}");
        // A page that is a sheet has its cross instead of the arrow.
        let is_sheet = html.contains("<a class=\"close\"");
        assert_eq!(is_sheet, path == "/addresses", "{path}");
        assert_eq!(
            html.contains("class=\"back\""),
            !matches!(path, "/" | "/brands" | "/auth") && !is_sheet,
            "{path}: there is a way back (UI-01)"
        );
        assert_eq!(
            html.contains("class=\"lang\""),
            frame != "none",
            "{path}: it can be read in another language"
        );
    }
    // These lead to the sign-in at once; what stands around them is told by `orders_own`.
    for path in [
        "/bills/preorder/5",
        "/typ/1013/order/5",
        "/orders/5",
        "/profile",
        "/profile/form",
    ] {
        let away = guest.get(path).await;
        assert_eq!(away.status, 303, "{path}");
        assert!(away.location().starts_with(&product.sandbox), "{path}");
    }
}

/// Also a page in the place of another: one that asks for a sign-in, a failure, what is not there.
#[tokio::test]
async fn a_document_with_the_navigation_bar_has_its_styles() {
    let product = Product::start().await;
    let guest = product.guest();
    let mut shown = Vec::new();
    let mut see = async |path: &str| {
        let page = guest.get(path).await;
        let text = page.text();
        if let Some((head, body)) = text.split_once("</head>")
            && body.contains("class=\"nav\"")
        {
            shown.push(page.status);
            let rule = head.split(".nav").find(|rest| {
                let (selector, rule) = rest.split_once('{').unwrap_or_default();
                !selector.contains([' ', ',', '>'])
                    && rule.starts_with("display:flex;position:fixed")
            });
            assert!(rule.is_some(), "{path}: {}", page.status);
        }
    };
    let paths: Vec<_> = ROUTES.iter().map(|(path, ..)| *path).collect();
    let missing = ["/brands/filials?brand=99999", "/orders/info?id=1", "/none"];
    for path in paths.iter().chain(&missing) {
        see(path).await;
    }
    product.fail("*", 503).await;
    for path in paths {
        see(path).await;
    }
    assert!(shown.contains(&200) && shown.contains(&401), "{shown:?}");
}

#[tokio::test]
async fn home_and_the_way_back_to_a_menu_follow_source_and_venue() {
    let product = Product::start().await;
    let menu = format!("/filials/{VENUE}");
    let scanned = product.guest_at_table(VENUE, "t7").await;
    let left = product.guest_at_table(VENUE, "t7").await;
    left.post("/session/table/leave", &[("back", "/faq")]).await;
    let looked = product.guest();
    looked.get(&menu).await;
    let told = product.guest();
    told.get("/?source=QR").await;
    // Who, where home is, and where an empty cart leads, which is the forced way: with source and venue, with a venue
    // alone, with a source alone, with neither. A venue without a source is not kept, so both ways lead to the same.
    for (guest, home, forced) in [
        (&scanned, menu.as_str(), Some(VENUE)),
        (&looked, "/", None),
        (&told, "/", None),
        (&left, "/", None),
        (&product.guest(), "/", None),
    ] {
        let cart = guest.get("/cart").await.data();
        assert_eq!(cart["shell"]["home"], json!(home));
        assert_eq!(cart["page"]["data"]["home"]["id"].as_u64(), forced);
    }
}

#[tokio::test]
async fn home_is_the_venue_of_the_scanned_code_until_the_table_is_left() {
    let product = Product::start().await;
    let other_guest = product.guest();
    assert_eq!(other_guest.get("/faq").await.data()["shell"]["home"], "/");
    other_guest.get(&format!("/filials/{VENUE}")).await;
    assert_eq!(
        other_guest.get("/faq").await.data()["shell"]["home"],
        "/",
        "a venue without a source is no home"
    );

    let guest = product.guest_at_table(VENUE, "t7").await;
    let home = format!("/filials/{VENUE}");
    let page = guest.get("/faq").await;
    assert_eq!(page.data()["shell"]["home"], json!(home));
    assert!(page.rendered().contains(&format!("href=\"{home}\"")));
    guest
        .post("/session/table/leave", &[("back", "/faq")])
        .await;
    assert_eq!(guest.get("/faq").await.data()["shell"]["home"], "/");
}

#[tokio::test]
async fn towns_stand_in_the_alphabet_of_the_language_and_are_found_without_scripts() {
    let product = Product::start().await;
    let guest = product.guest();
    let towns = |page: serde_json::Value| -> Vec<String> {
        let towns = page["page"]["data"]["towns"].as_array().unwrap();
        let name = |town: &serde_json::Value| town["name"].as_str().unwrap().to_owned();
        towns.iter().map(name).collect()
    };
    let kazakh = towns(guest.get("/town?lang=kk").await.data());
    let russian = towns(guest.get("/town?lang=ru").await.data());
    let english = towns(guest.get("/town?lang=en").await.data());
    for names in [&kazakh, &russian, &english] {
        let distinct: std::collections::HashSet<_> = names.iter().collect();
        assert_eq!((names.len(), distinct.len()), (19, 19), "{names:?}");
    }
    // Some are written alike in Kazakh and in Russian, none in English.
    assert!(russian.iter().filter(|name| !kazakh.contains(name)).count() > 5);
    assert!(english.iter().all(|name| name.is_ascii()), "{english:?}");
    let at = |name: &str| kazakh.iter().position(|town| town == name).unwrap();
    // In code points Қ, Ө and Ұ stand after Я.
    assert!(at("Қарағанды") < at("Семей"), "{kazakh:?}");
    assert!(at("Көкшетау") < at("Қарағанды"), "{kazakh:?}");

    let shown = async |query: &str| -> Vec<String> {
        let page = guest.get(&format!("/town?{query}")).await;
        let html = scraper::Html::parse_fragment(&page.rendered());
        let button = scraper::Selector::parse("li button[name=town]").unwrap();
        let name =
            |town: scraper::ElementRef<'_>| town.text().next().unwrap_or_default().to_owned();
        html.select(&button).map(name).collect()
    };
    // As typed, by a Russian keyboard, in Latin letters, and with the layout left at Latin.
    for query in [
        "lang=ru&q=%D0%B0%D0%BA%D1%82%D0%B0%D1%83",
        "lang=kk&q=%D0%B0%D0%BA%D1%82%D0%B0%D1%83",
        "lang=kk&q=aktau",
        "lang=kk&q=frnfe",
    ] {
        let found = shown(query).await;
        assert_eq!(found.len(), 1, "{query}: {found:?}");
        assert!(
            ["Актау", "Ақтау"].contains(&found[0].as_str()),
            "{query}: {found:?}"
        );
    }
    let page = guest.get("/town?lang=ru&q=zzz").await;
    assert!(page.rendered().contains("Города «zzz» нет в списке"));
}

#[tokio::test]
async fn a_guest_with_a_cart_is_asked_once_before_the_town_changes() {
    let product = Product::start().await;
    let guest = product.guest();
    let page = guest.get("/town?lang=ru").await.data();
    let current = &page["shell"]["town"]["id"];
    let other = page["page"]["data"]["towns"]
        .as_array()
        .unwrap()
        .iter()
        .find(|town| town["id"] != *current)
        .unwrap()
        .clone();
    let id = other["id"].to_string();

    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    guest.add(VENUE, plain_products(&menu)[0].0).await;
    let asked = guest
        .post(
            "/session/town",
            &[("town", &id), ("back", "/filials?page=2")],
        )
        .await;
    assert_eq!(
        asked.location(),
        format!("/town?to={id}&back=%2Ffilials%3Fpage%3D2")
    );
    let question = guest.get(&asked.location()).await;
    assert_eq!(
        question.data()["page"]["data"]["confirm"]["id"],
        other["id"]
    );
    assert_eq!(question.data()["shell"]["town"]["id"], *current, "not yet");
    assert!(question.rendered().contains("name=\"keep\""));

    let done = guest
        .post(
            "/session/town",
            &[("town", &id), ("back", "/filials?page=2"), ("keep", "1")],
        )
        .await;
    // Of the list of another town the first page is shown (HM-14).
    assert_eq!(done.location(), "/filials");
    let after = guest.get("/cart").await.data();
    assert_eq!(after["shell"]["town"]["id"], other["id"]);
    assert_eq!(after["shell"]["cart"]["count"], 1, "the cart stays");
}

#[tokio::test]
async fn the_language_picker_leads_back_to_the_page_in_the_other_language() {
    let product = Product::start().await;
    let guest = product.guest();
    let page = guest.get("/language?back=%2Ffilials%3Fpage%3D2").await;
    let html = page.rendered();
    for (lang, name) in [("kk", "Қазақша"), ("ru", "Русский"), ("en", "English")] {
        assert!(
            html.contains(&format!(
                "href=\"/filials?page=2&amp;lang={lang}\" lang=\"{lang}\""
            )),
            "{lang}"
        );
        assert!(html.contains(name));
    }
    let tricked = guest.get("/language?back=%2F%2Fevil.example").await;
    assert_eq!(tricked.data()["page"]["data"]["back"], "/");
    assert!(
        tricked
            .rendered()
            .contains("href=\"/?lang=ru\" lang=\"ru\"")
    );
}

#[tokio::test]
async fn answers_and_documents_are_there_in_every_language() {
    let product = Product::start().await;
    let guest = product.guest();
    let (mut titles, mut answers) = (Vec::new(), Vec::new());
    for lang in [
        "country=kz&lang=kk",
        "lang=ru",
        "lang=en",
        "country=ge&lang=ka",
    ] {
        let faq = guest.get(&format!("/faq?{lang}")).await;
        assert_eq!(faq.status, 200);
        for topic in ["table-qr", "earn", "spend", "expire", "level"] {
            let details = format!("<details id=\"{topic}\">");
            assert!(faq.rendered().contains(&details), "{topic}");
        }
        answers.push(faq.texts("#earn"));
        for doc in ["terms", "privacy"] {
            let page = guest.get(&format!("/legal/{doc}?{lang}")).await;
            assert_eq!(page.status, 200);
            titles.push(page.data()["page"]["data"]["title"].clone());
        }
    }
    answers.sort();
    answers.dedup();
    assert_eq!(answers.len(), 4, "each language has its own: {answers:?}");
    titles.sort_by_key(ToString::to_string);
    titles.dedup();
    assert_eq!(titles.len(), 8, "each language has its own: {titles:?}");
    let georgian = guest.get("/legal/terms?country=ge&lang=ka").await;
    assert!(georgian.text().contains("გამოყენების პირობები"));
    assert_eq!(guest.get("/legal/nothing").await.status, 404);
    assert!(
        guest.get("/faq").await.rendered().contains("v4.10.21"),
        "the release label"
    );
}

#[tokio::test]
async fn the_table_outlives_a_look_at_another_venue_and_is_shown_only_in_its_own() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let table = async |path: &str| guest.get(path).await.data()["shell"]["table"]["number"].clone();
    let other = "/filials/1023";
    let look = guest.get(other).await.data();
    assert!(look["shell"]["flash"].is_null(), "nothing was lost");
    for path in [
        other,
        "/filials/1023/search",
        "/filials/1023/details",
        "/filials/1023?source=DIRECTORY",
    ] {
        assert_eq!(table(path).await, json!(null), "{path}");
    }
    let own = format!("/filials/{VENUE}");
    for path in [&own, "/cart", "/", &format!("{own}/search")] {
        assert_eq!(table(path).await, json!("7"), "{path}");
    }
    // Where no venue is named beside it, it says whose table it is.
    let venue = |page: &Value| page["shell"]["table"]["venue"].clone();
    let menu = guest.get(&own).await.data();
    assert_eq!(venue(&menu), Value::Null);
    // An empty cart may be that of another venue.
    let empty = guest.get("/cart").await.data();
    assert_eq!(venue(&empty), menu["page"]["data"]["venue"]["name"]);
    let front = guest.get("/").await;
    assert_eq!(venue(&front.data()), menu["page"]["data"]["venue"]["name"]);
    assert_eq!(
        front.texts(".head .table > span"),
        [venue(&front.data()).as_str().unwrap()]
    );
    let home = guest.get("/faq").await.data()["shell"]["home"].clone();
    assert_eq!(home, json!(own), "home is where the table stands (RT-19)");
    // A cart of the other venue has no table there, and the order to the own one still goes.
    let dish = |data: &Value| plain_products(data)[0].0;
    guest.add(1023, dish(&look)).await;
    assert_eq!(table("/cart").await, json!(null));
    let cart = guest.get("/cart").await.data();
    assert_eq!(cart["page"]["data"]["blocks"], json!(["table"]));
    guest.post("/cart/clear", &[("back", "/cart")]).await;
    let menu = guest.get(&own).await.data();
    guest.add(VENUE, dish(&menu)).await;
    assert_eq!(venue(&guest.get("/cart").await.data()), Value::Null);
    assert_eq!(table("/cart").await, json!("7"));
    let cart = guest.get("/cart").await.data();
    assert_eq!(cart["page"]["data"]["blocks"], json!([]));
    // A code on a stand of the other venue is where the guest is now.
    let moved = guest.get("/filials/1023?source=STANDQR").await.data();
    let told = &moved["shell"]["flash"];
    assert_eq!(
        (&told["kind"], &told["values"]["number"]),
        (&json!("tableLeft"), &json!(["7"]))
    );
    assert_eq!(table("/cart").await, json!(null));
}

/// An order that is taken away is of no table: beside it the chip says whose table it is. So it does on pages of no venue.
#[tokio::test]
async fn beside_an_order_the_table_says_of_which_venue_it_is() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    let name = menu["page"]["data"]["venue"]["name"].as_str().unwrap();
    guest.add(VENUE, plain_products(&menu)[0].0).await;
    let cart = guest.get("/cart").await;
    assert_eq!(cart.data()["shell"]["table"]["number"], "7");
    assert_eq!(cart.texts(".head .table > span"), [""; 0]);
    let faq = guest.get("/faq").await;
    assert_eq!(faq.texts(".head .table > span"), [name]);

    let fields = order_fields(&cart.data());
    let order = guest.post("/orders", &as_fields(&fields)).await.location();
    let order = guest.get(&order).await;
    assert_eq!(order.status, 200);
    assert_eq!(order.data()["shell"]["table"]["number"], "7");
    assert_eq!(order.texts(".head .table > span"), [name]);
    let bill = guest.get(&format!("/filials/{VENUE}/bill")).await;
    assert_eq!(bill.texts(".head .table > span"), [""; 0]);
}

#[tokio::test]
async fn a_cart_that_is_brought_back_does_not_show_the_table_of_another_venue() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    guest.add(VENUE, plain_products(&menu)[0].0).await;
    let there = guest.get(&table_link(1023, "t1")).await.data();
    assert_eq!(there["shell"]["flash"]["kind"], "branchChanged");
    assert_eq!(there["shell"]["table"]["number"], "1");
    guest.post("/cart/undo", &[("back", "/cart")]).await;
    let cart = guest.get("/cart").await.data();
    assert_eq!(cart["shell"]["cart"]["venueId"], VENUE);
    // The way back leads to its own table.
    assert_eq!(cart["shell"]["table"]["number"], "7");
    assert_eq!(cart["page"]["data"]["blocks"], json!([]));
    let there = guest.get("/filials/1023").await.data();
    assert!(there["shell"]["table"].is_null());
}

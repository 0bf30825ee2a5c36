//! What search engines read: heads, structured data against schema.org's vocabulary, sitemaps, old addresses.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use schemaorg_rs::{
    extract_all,
    profiles::{Eligibility, ProfileRegistry, ProfileResult},
    validation::{Severity, validate},
};
use scraper::{Html, Selector};
use serde_json::{Value, json};
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

use crate::support::{Answer, Product, VENUE, eventually, products, table_link};

/// Country, its languages, the own one first.
const PLACES: [(&str, [&str; 3]); 2] = [("kz", ["kk", "ru", "en"]), ("ge", ["ka", "ru", "en"])];

struct Page {
    status: u16,
    html: Html,
    text: String,
}

impl Page {
    /// As a crawler reads it: without any cookie.
    async fn of(product: &Product, path: &str) -> Self {
        let answer = product.guest().get(path).await;
        Self::read(&answer)
    }

    fn read(answer: &Answer) -> Self {
        let text = answer.text();
        Self {
            status: answer.status,
            html: Html::parse_document(&text),
            text,
        }
    }

    fn all(&self, selector: &str, attribute: &str) -> Vec<String> {
        self.html
            .select(&Selector::parse(selector).unwrap())
            .map(|element| element.value().attr(attribute).unwrap().to_owned())
            .collect()
    }

    fn one(&self, selector: &str, attribute: &str) -> String {
        let all = self.all(selector, attribute);
        assert_eq!(all.len(), 1, "{selector}: {all:?}");
        all[0].clone()
    }

    fn canonical(&self) -> String {
        self.one("link[rel=canonical]", "href")
    }

    fn alternates(&self) -> BTreeMap<String, String> {
        let names = self.all("link[rel=alternate][hreflang]", "hreflang");
        let all: BTreeMap<_, _> = names
            .iter()
            .cloned()
            .zip(self.all("link[rel=alternate][hreflang]", "href"))
            .collect();
        assert_eq!(all.len(), names.len(), "no language twice");
        all
    }

    fn is_noindex(&self) -> bool {
        self.all("meta[name=robots]", "content") == ["noindex"]
    }

    fn structured(&self) -> Vec<Value> {
        self.html
            .select(&Selector::parse(r#"script[type="application/ld+json"]"#).unwrap())
            .map(|script| serde_json::from_str(&script.text().collect::<String>()).unwrap())
            .collect()
    }

    fn typed(&self, name: &str) -> Option<Value> {
        self.structured()
            .into_iter()
            .find(|value| value["@type"] == name)
    }

    /// What Google makes of its structured data, which is sound by schema.org's vocabulary.
    fn judged(&self, google: &ProfileRegistry, path: &str) -> ProfileResult {
        let graph = extract_all(&self.text).unwrap();
        let checked = validate(&graph);
        let wrong: Vec<_> = checked
            .diagnostics
            .iter()
            .filter(|found| found.severity != Severity::Info)
            .collect();
        assert!(wrong.is_empty(), "{path}: {wrong:#?}");
        google
            .evaluate("google", &graph, &checked.diagnostics)
            .unwrap()
    }
}

fn assert_eligible(profile: &ProfileResult, path: &str) {
    assert!(
        matches!(
            profile.eligibility,
            Eligibility::Eligible | Eligibility::WarningsOnly
        ),
        "{path}: {profile:#?}"
    );
}

/// A venue of a country, and every page that search engines may know, in one language.
async fn public_pages(product: &Product, country: &str, lang: &str) -> Vec<String> {
    let venue = venue_of(product, country).await;
    [
        "/".to_owned(),
        "/filials".to_owned(),
        format!("/filials/{venue}"),
        format!("/filials/{venue}/details"),
        "/faq".to_owned(),
        "/brands".to_owned(),
    ]
    .map(|path| format!("{path}?country={country}&lang={lang}"))
    .to_vec()
}

async fn venue_of(product: &Product, country: &str) -> u64 {
    if country == "kz" {
        return VENUE;
    }
    let list = product
        .guest()
        .get(&format!("/filials?country={country}"))
        .await;
    list.data()["page"]["data"]["venues"][0]["id"]
        .as_u64()
        .unwrap()
}

#[tokio::test]
async fn structured_data_is_schema_orgs_and_fit_for_rich_results() {
    let product = Product::start().await;
    let google = ProfileRegistry::with_google();
    for (country, langs) in PLACES {
        for lang in langs {
            let expected: [&[&str]; 6] = [
                &["ItemList"],
                &["BreadcrumbList", "ItemList"],
                &["BreadcrumbList", "Restaurant"],
                &["BreadcrumbList", "Restaurant"],
                &["BreadcrumbList"],
                &["BreadcrumbList"],
            ];
            let pages = public_pages(&product, country, lang).await;
            for (path, types) in pages.iter().zip(expected) {
                let page = Page::of(&product, path).await;
                let found: Vec<String> = page
                    .structured()
                    .iter()
                    .map(|value| value["@type"].as_str().unwrap().to_owned())
                    .collect();
                assert_eq!(found, types, "{path}");
                let profile = page.judged(&google, path);
                if profile.type_results.is_empty() {
                    assert_eq!(types, ["ItemList"], "{path}: nothing for a rich result");
                    continue;
                }
                assert_eligible(&profile, path);
            }
        }
    }
}

/// A place is what it is: not everything that sells food is a restaurant.
#[tokio::test]
async fn a_bakery_a_shop_and_a_fridge_say_what_they_are_and_shops_have_no_menu() {
    let product = Product::start().await;
    let google = ProfileRegistry::with_google();
    for (venue, kind, goods) in [
        (1013, "Restaurant", "hasMenu"),
        (1111, "Bakery", "hasMenu"),
        (1153, "Restaurant", "hasMenu"),
        (1141, "GroceryStore", "hasOfferCatalog"),
        (1121, "GroceryStore", "hasOfferCatalog"),
        (1191, "Store", "hasOfferCatalog"),
    ] {
        for path in [
            format!("/filials/{venue}?lang=ru"),
            format!("/filials/{venue}/details?lang=ru"),
        ] {
            let page = Page::of(&product, &path).await;
            let about = page
                .typed(kind)
                .unwrap_or_else(|| panic!("{path}: no {kind}"));
            let other = if goods == "hasMenu" {
                "hasOfferCatalog"
            } else {
                "hasMenu"
            };
            assert!(about[other].is_null(), "{path}");
            assert_eligible(&page.judged(&google, &path), &path);
            if path.contains("details") {
                continue;
            }
            let answer = product.guest().get(&path).await;
            let first = products(&answer.data()).next().unwrap()["name"].clone();
            assert!(
                about[goods].to_string().contains(first.as_str().unwrap()),
                "{path}"
            );
        }
    }
}

/// That the check above can fail: the validator knows the vocabulary.
#[test]
fn the_validator_finds_what_is_not_schema_orgs() {
    for wrong in [
        r#"{"@context":"https://schema.org","@type":"Restorant","name":"x"}"#,
        r#"{"@context":"https://schema.org","@type":"Restaurant","hasMenuItem":"x"}"#,
        r#"{"@context":"https://schema.org","@type":"MenuItem","name":"x","openingHoursSpecification":"x"}"#,
    ] {
        let html = format!(r#"<script type="application/ld+json">{wrong}</script>"#);
        let found = validate(&extract_all(&html).unwrap());
        assert!(found.has_errors() || found.has_warnings(), "{wrong}");
    }
}

#[tokio::test]
async fn prices_and_stock_in_structured_data_are_the_visible_ones() {
    let product = Product::with(&["--page-fresh-ms", "0", "--catalogue-fresh-ms", "0"]).await;
    let guest = product.guest();
    let path = format!("/filials/{VENUE}?lang=ru");
    let dish = products(&guest.get(&path).await.data()).next().unwrap()["id"].clone();
    product.sell_out(VENUE, dish.as_u64().unwrap()).await;
    let answer = product.guest().get(&path).await;
    let data = answer.data();
    let page = Page::read(&answer);
    let menu = page.typed("Restaurant").unwrap()["hasMenu"].clone();
    let told: Vec<(String, String, bool)> = menu["hasMenuSection"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|section| section["hasMenuItem"].as_array().unwrap())
        .map(|item| {
            let offer = &item["offers"];
            assert_eq!(offer["priceCurrency"], "KZT");
            let price = offer["price"].as_str().or(offer["lowPrice"].as_str());
            (
                item["name"].as_str().unwrap().to_owned(),
                price.unwrap().to_owned(),
                offer["availability"] == "https://schema.org/OutOfStock",
            )
        })
        .collect();
    let shown: Vec<(String, String, bool)> = products(&data)
        .map(|product| {
            let price = product["promo"]
                .as_i64()
                .or(product["price"].as_i64())
                .unwrap();
            (
                product["name"].as_str().unwrap().to_owned(),
                (price / 100).to_string(),
                product["out"] == true,
            )
        })
        .collect();
    assert_eq!(told, shown);
    assert_eq!(told.len(), 60);
    assert!(
        told.iter().any(|(_, _, out)| *out),
        "the stopped dish is sold out"
    );
    let rows = Html::parse_fragment(&answer.rendered());
    let part = |dish: &scraper::ElementRef<'_>, selector: &str| -> String {
        let selector = Selector::parse(selector).unwrap();
        let found = dish.select(&selector).next();
        found.map(|one| one.text().collect()).unwrap_or_default()
    };
    let visible: BTreeSet<(String, String, bool)> = rows
        .select(&Selector::parse("li.dish").unwrap())
        .map(|dish| {
            // What costs nothing is said in a word.
            let price = part(&dish, ".price b");
            let price: String = price.chars().filter(char::is_ascii_digit).collect();
            let price = if price.is_empty() {
                "0".to_owned()
            } else {
                price
            };
            let out = !part(&dish, ".out").is_empty();
            (part(&dish, "h3 a"), price, out)
        })
        .collect();
    for one in &told {
        assert!(visible.contains(one), "{one:?}");
    }
}

#[tokio::test]
async fn hours_place_and_phone_of_a_venue_are_told() {
    let product = Product::start().await;
    let path = format!("/filials/{VENUE}/details?lang=en");
    let venue = Page::of(&product, &path).await.typed("Restaurant").unwrap();
    // Open around the clock (SO-05).
    assert_eq!(
        venue["openingHoursSpecification"],
        json!([{
            "@type": "OpeningHoursSpecification",
            "dayOfWeek": ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
            "opens": "00:00",
            "closes": "23:59",
        }])
    );
    assert_eq!(venue["address"]["addressCountry"], "KZ");
    assert!(venue["address"]["addressLocality"].is_string());
    assert!(venue["geo"]["latitude"].is_f64() && venue["telephone"].is_string());
    let kitchens = venue["servesCuisine"].as_array().unwrap();
    assert!(kitchens.contains(&json!("Uyghur")), "{kitchens:?}");
    let booking = venue["acceptsReservations"].as_str().unwrap();
    let booking = booking.strip_prefix(&product.web).unwrap();
    let booked = product.guest().get(booking).await.data();
    assert_eq!(booked["page"]["route"], "booking");
    assert_eq!(booked["page"]["data"]["venue"]["id"], VENUE);
    let order = &venue["potentialAction"];
    assert_eq!(
        (&order["@type"], &order["target"]),
        (&json!("OrderAction"), &venue["url"])
    );
    let menu = Page::of(&product, &format!("/filials/{VENUE}?lang=en")).await;
    let range = menu.typed("Restaurant").unwrap()["priceRange"].clone();
    assert!(
        range.as_str().is_some_and(|range| range.ends_with(" KZT")),
        "{range}"
    );
    let picture = venue["image"]
        .as_str()
        .unwrap()
        .strip_prefix(&product.web)
        .unwrap();
    assert_eq!(product.guest().get(picture).await.status, 200);
    assert!(
        venue.get("aggregateRating").is_none(),
        "no rating about ourselves (SO-06)"
    );
}

/// FL-03: the table that guests see and the hours that search engines are told are the same.
#[tokio::test]
async fn hours_are_told_as_the_visible_table_has_them() {
    let product = Product::start().await;
    let hours = |day, from, to| json!({ "day": day, "from": from, "to": to });
    product
        .replace(
            "/takeaway/locations/card/terminal",
            json!({
                "/data/opening_hours": [
                    hours(1, "10:00", "14:00"),
                    hours(1, "17:00", "22:00"),
                    hours(2, "10:00", "10:20"),
                ],
                "/data/relationships": { "filial_settings": { "close_in_advance_minutes": 30 } },
            }),
        )
        .await;
    let page = Page::of(&product, &format!("/filials/{VENUE}/details")).await;
    let told = page.typed("Restaurant").unwrap()["openingHoursSpecification"].clone();
    let told: Vec<String> = told
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            let first = one["dayOfWeek"][0].as_str().unwrap();
            format!("{first} {} {}", one["opens"], one["closes"])
        })
        .collect();
    assert_eq!(
        told,
        [
            r#"Monday "10:00" "14:00""#,
            r#"Monday "17:00" "21:30""#,
            r#"Tuesday "00:00" "00:00""#,
        ]
    );
}

/// LC-02: a code on a table opens its menu wherever the guest has come from; search engines know it in its own country.
#[tokio::test]
async fn a_venue_of_the_other_country_is_known_in_its_own() {
    let product = Product::start().await;
    let venue = venue_of(&product, "ge").await;
    product
        .replace(
            "/takeaway/locations/card/terminal",
            json!({ "/data/extra/phone": "032 212 34 01" }),
        )
        .await;
    for (path, currency) in [
        (format!("/filials/{venue}"), " GEL"),
        (format!("/filials/{venue}/details"), ""),
        (format!("/filials/{venue}/reviews"), ""),
    ] {
        let own = |lang: &str| match lang {
            "ka" => format!("{}{path}?country=ge", product.web),
            lang => format!("{}{path}?lang={lang}&country=ge", product.web),
        };
        // Kazakh is not offered there: the page is that of the country's own language.
        for (asked, lang) in [("", "ka"), ("?lang=ru", "ru"), ("?lang=en", "en")] {
            let page = Page::of(&product, &format!("{path}{asked}")).await;
            assert_eq!(
                (page.status, page.is_noindex()),
                (200, false),
                "{path}{asked}"
            );
            assert_eq!(page.canonical(), own(lang), "{path}{asked}");
            let alternates = page.alternates();
            assert_eq!(alternates.len(), 4, "{path}: {alternates:?}");
            for lang in ["ka", "ru", "en"] {
                assert_eq!(alternates[lang], own(lang));
            }
            let told = page.typed("Restaurant").unwrap();
            assert_eq!(told["address"]["addressCountry"], "GE");
            let url = told["url"].as_str().unwrap();
            assert!(url.ends_with("country=ge"), "{url}");
            let range = told["priceRange"].as_str().unwrap_or_default();
            assert!(range.ends_with(currency), "{range}");
            let steps = page.typed("BreadcrumbList").unwrap()["itemListElement"].clone();
            for step in steps.as_array().unwrap() {
                let address = step["item"].as_str().unwrap();
                assert!(address.ends_with("country=ge"), "{address}");
            }
        }
    }
    let details = product
        .guest()
        .data(&format!("/filials/{venue}/details"))
        .await;
    assert_eq!(
        details["page"]["data"]["phone"]["href"],
        "tel:+995322123401"
    );
    // One of this country is as it was.
    let page = Page::of(&product, &format!("/filials/{VENUE}")).await;
    assert_eq!(page.canonical(), format!("{}/filials/{VENUE}", product.web));
    // A host that names a country does not name the venue's.
    let product = Product::with(&["--public-url", "http://eda.example.kz"]).await;
    let path = format!("/filials/{venue}");
    let page = product
        .guest()
        .get_with(&path, &[("host", "eda.example.kz")])
        .await;
    let own = format!("http://eda.example.kz{path}?country=ge");
    assert_eq!(Page::read(&page).canonical(), own);
}

#[tokio::test]
async fn languages_of_a_page_name_each_other_over_http() {
    let product = Product::start().await;
    for (country, langs) in PLACES {
        for path in public_pages(&product, country, langs[0]).await {
            let page = Page::of(&product, &path).await;
            let alternates = page.alternates();
            let expected: BTreeSet<&str> = langs.into_iter().chain(["x-default"]).collect();
            let found: BTreeSet<&str> = alternates.keys().map(String::as_str).collect();
            assert_eq!(found, expected, "{path}");
            assert_eq!(
                page.canonical(),
                alternates[langs[0]],
                "the own language is canonical"
            );
            let mut titles = BTreeSet::new();
            for (name, address) in &alternates {
                let other = Page::of(&product, address.strip_prefix(&product.web).unwrap()).await;
                assert_eq!(other.status, 200, "{address}");
                assert!(!other.is_noindex(), "{address}");
                assert_eq!(
                    &other.canonical(),
                    address,
                    "it knows itself by the same address"
                );
                assert_eq!(
                    other.alternates(),
                    alternates,
                    "{address} names all of them back"
                );
                if name != "x-default" {
                    assert_eq!(&other.one("html", "lang"), name, "{address}");
                    assert!(other.one("meta[name=description]", "content").len() > 20);
                    titles.insert(title(&other));
                }
            }
            assert_eq!(titles.len(), 3, "{path}: a title per language {titles:?}");
        }
    }
}

fn title(page: &Page) -> String {
    let found = page
        .html
        .select(&Selector::parse("head > title").unwrap())
        .next();
    found.unwrap().text().collect()
}

#[tokio::test]
async fn tables_dishes_and_tracking_never_make_another_page() {
    let product = Product::start().await;
    let own = format!("{}/filials/{VENUE}", product.web);
    let dish = products(
        &product
            .guest()
            .get(&format!("/filials/{VENUE}"))
            .await
            .data(),
    )
    .next()
    .unwrap()["id"]
        .clone();
    for path in [
        table_link(VENUE, "t7"),
        format!("/filials/{VENUE}?table_id=t7&source=qr"),
        format!("/filials/{VENUE}?item={dish}"),
        format!("/filials/{VENUE}?utm_source=x&gclid=y&main_terminal_id=5"),
        format!("/filials/{VENUE}/"),
    ] {
        let page = Page::of(&product, &path).await;
        assert_eq!(page.canonical(), own, "{path}");
        assert!(
            !page
                .alternates()
                .values()
                .any(|to| to.contains("table") || to.contains("item"))
        );
    }
    // The same venue under the id of another service is the same page, too.
    let menu = product
        .guest()
        .get(&format!("/filials/{VENUE}"))
        .await
        .data();
    let other = menu["page"]["data"]["venue"]["siblings"]
        .as_array()
        .unwrap()
        .iter()
        .find_map(|venue| venue["id"].as_u64().filter(|id| *id != VENUE));
    if let Some(other) = other {
        let page = Page::of(&product, &format!("/filials/{other}")).await;
        assert_eq!(page.canonical(), own);
        assert!(page.typed("Restaurant").is_none());
    }
}

/// A session's cookie alone makes no page a guest's: what comes of it is kept for all, search engines too.
#[tokio::test]
async fn a_cached_page_has_structured_data_whichever_client_came_first() {
    let product = Product::start().await;
    for path in ["/filials/1013", "/filials/1013/details"] {
        for _ in 0..3 {
            let made_up = [("cookie", "dk=an-old-session")];
            let page = product.guest().get_with(path, &made_up).await;
            assert_eq!(page.status, 200);
        }
        let page = product.guest().get(path).await.text();
        assert!(page.contains("openingHoursSpecification"), "{path}");
    }
    let guest = product.guest_at_table(VENUE, "t7").await;
    let page = guest.get("/filials/1013").await.text();
    assert!(
        !page.contains("openingHoursSpecification"),
        "a guest's alone"
    );
}

#[tokio::test]
async fn what_is_not_for_search_engines_says_so_and_robots_may_read_it() {
    let product = Product::start().await;
    for path in [
        "/cart",
        "/orders",
        "/auth",
        "/search?q=plov",
        "/filials?q=plov",
        "/filials/1013/search?q=a",
        "/filials/1013/bill",
        "/filials/1013/barcode-scanner",
        "/filials/1013/barcode-manual",
        "/address-map",
        "/town",
        "/language",
        "/map",
        "/brands/booking",
        "/brands/filials?brand=1",
        "/nowhere",
    ] {
        let page = Page::of(&product, path).await;
        assert!(page.is_noindex(), "{path}");
        assert!(page.all("link[rel=canonical]", "href").is_empty(), "{path}");
        assert!(page.structured().is_empty(), "{path}");
    }
    let data = product.guest().get("/_data/filials").await;
    assert_eq!(data.header("x-robots-tag"), "noindex");
    let robots = product.guest().get("/robots.txt").await.text();
    assert!(
        !robots.contains("Disallow"),
        "a blocked page's noindex is never seen"
    );
    assert!(robots.contains(&format!("Sitemap: {}/sitemap.xml", product.web)));
}

#[tokio::test]
async fn previews_icons_and_manifest_are_there() {
    let product = Product::start().await;
    let guest = product.guest();
    for path in ["/".to_owned(), format!("/filials/{VENUE}")] {
        let page = Page::of(&product, &path).await;
        let picture = page.one(r#"meta[property="og:image"]"#, "content");
        let picture = guest.get(picture.strip_prefix(&product.web).unwrap()).await;
        let decoded = image::load_from_memory(&picture.body).unwrap();
        assert_eq!((decoded.width(), decoded.height()), (1200, 630), "{path}");
        assert_eq!(
            page.one(r#"meta[property="og:title"]"#, "content"),
            title(&page)
        );
        assert_eq!(page.all("meta[name=theme-color]", "content").len(), 2);
        for selector in [
            "link[rel=icon]",
            "link[rel=apple-touch-icon]",
            "link[rel=manifest]",
        ] {
            let file = page.one(selector, "href");
            assert_eq!(guest.get(&file).await.status, 200, "{file}");
        }
    }
    let manifest = guest.get("/manifest.webmanifest").await.json();
    for icon in manifest["icons"].as_array().unwrap() {
        assert_eq!(
            guest.get(icon["src"].as_str().unwrap()).await.status,
            200,
            "{icon}"
        );
    }
}

/// `loc` and `lastmod` of what a sitemap or an index lists.
fn listed(xml: &str, name: &str) -> Vec<(String, String)> {
    let document = roxmltree::Document::parse(xml).unwrap();
    let space = "http://www.sitemaps.org/schemas/sitemap/0.9";
    let all: Vec<_> = document
        .descendants()
        .filter(|node| node.has_tag_name((space, name)))
        .map(|node| {
            let both = |child: &str| {
                node.children()
                    .find(|found| found.has_tag_name((space, child)))
                    .and_then(|found| found.text())
                    .unwrap_or_default()
                    .to_owned()
            };
            (both("loc"), both("lastmod"))
        })
        .collect();
    assert!(!all.is_empty());
    all
}

#[tokio::test]
async fn sitemaps_list_every_public_page_in_every_language() {
    let product = Product::start().await;
    let guest = product.guest();
    let own = |address: &str| address.strip_prefix(&product.web).unwrap().to_owned();
    let index = guest.get("/sitemap.xml").await;
    assert!(index.header("content-type").starts_with("application/xml"));
    let maps = listed(&index.text(), "sitemap");
    assert_eq!(
        maps.len(),
        6,
        "two countries, three languages each: {maps:?}"
    );
    let mut everything = BTreeSet::new();
    for (map, modified) in &maps {
        assert!(
            OffsetDateTime::parse(modified, &Rfc3339).is_ok(),
            "{modified}"
        );
        let answer = guest.get(&own(map)).await;
        let text = answer.text();
        assert!(!text.contains("hreflang"));
        let pages = listed(&text, "url");
        for (page, modified) in &pages {
            assert!(everything.insert(page.clone()), "{page} twice");
            assert!(
                OffsetDateTime::parse(modified, &Rfc3339).is_ok(),
                "{modified}"
            );
        }
        // Each ninth is opened: it is there, it is for search engines, and it says the same of itself.
        for (page, _) in pages.iter().step_by(9) {
            let opened = Page::of(&product, &own(page)).await;
            assert_eq!((opened.status, opened.is_noindex()), (200, false), "{page}");
            assert_eq!(&opened.canonical(), page);
            // By the head of the page alone.
            assert!(opened.alternates().len() > 2, "{page}");
        }
    }
    for (country, langs) in PLACES {
        for lang in langs {
            for path in public_pages(&product, country, lang).await {
                let canonical = Page::of(&product, &path).await.canonical();
                assert!(everything.contains(&canonical), "{canonical}");
            }
        }
    }
    for wrong in [
        "/sitemaps/kz-ka-1.xml",
        "/sitemaps/kz-kk-2.xml",
        "/sitemaps/fr-fr-1.xml",
        "/sitemaps/x",
    ] {
        assert_eq!(guest.get(wrong).await.status, 404, "{wrong}");
    }
}

#[tokio::test]
async fn a_host_of_a_country_has_that_countrys_sitemaps_and_bare_addresses() {
    let product = Product::with(&["--public-url", "http://eda.example.ge"]).await;
    let guest = product.guest();
    let index = guest
        .get_with("/sitemap.xml", &[("host", "eda.example.ge")])
        .await
        .text();
    let maps: Vec<String> = listed(&index, "sitemap")
        .into_iter()
        .map(|(map, _)| map)
        .collect();
    assert_eq!(
        maps,
        ["ka", "ru", "en"].map(|lang| format!("http://eda.example.ge/sitemaps/ge-{lang}-1.xml"))
    );
    let map = guest
        .get_with("/sitemaps/ge-ka-1.xml", &[("host", "eda.example.ge")])
        .await
        .text();
    assert!(map.contains("<loc>http://eda.example.ge/filials/"));
    assert!(!map.contains("country="));
    let robots = guest
        .get_with("/robots.txt", &[("host", "eda.example.ge")])
        .await
        .text();
    assert!(robots.contains("Sitemap: http://eda.example.ge/sitemap.xml"));
    let foreign = guest
        .get_with("/sitemaps/kz-kk-1.xml", &[("host", "eda.example.ge")])
        .await;
    assert_eq!(foreign.status, 404);
}

/// SO-08, SV-03: the address of a service leads to that service, and nowhere from where it would be led on.
#[tokio::test]
async fn the_old_address_of_a_service_leads_to_the_same_service_at_once() {
    let takeaway = VENUE - 2;
    for (services, expected) in [
        (None, [takeaway, VENUE]),
        (Some("takeaway"), [takeaway, takeaway]),
    ] {
        let named = services.into_iter();
        let settings: Vec<&str> = named.flat_map(|one| ["--services", one]).collect();
        let product = Product::with(&settings).await;
        assert_eq!(product.guest().get("/sitemap.xml").await.status, 200);
        let file = product.folder.join("venues.json");
        let mut seen: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        for (old, new) in [(990_011, takeaway), (990_013, VENUE)] {
            seen[old.to_string()] = seen[new.to_string()].clone();
        }
        std::fs::write(&file, seen.to_string()).unwrap();
        let product = product.killed_and_started_again().await;
        let guest = product.guest();
        for (old, new) in [990_011, 990_013].into_iter().zip(expected) {
            let moved = guest.get(&format!("/filials/{old}")).await;
            let to = format!("/filials/{new}");
            assert_eq!(
                (moved.status, moved.location()),
                (301, to.clone()),
                "{services:?}"
            );
            assert_eq!(guest.get(&to).await.status, 200, "{services:?} {to}");
        }
    }
}

/// Pages of the venue are kept; from now on the upstream does not know it.
async fn kept_and_gone(fresh: &str) -> Product {
    // What is loaded of old answers is not kept.
    let product = Product::with(&["--catalogue-fresh-ms", "2000", "--page-fresh-ms", fresh]).await;
    let page = async || product.guest().get(&format!("/filials/{VENUE}")).await;
    for _ in 0..3 {
        assert_eq!(page().await.status, 200);
    }
    let card = format!("/takeaway/locations/card/terminal/{VENUE}");
    let unknown = json!({ "path": card, "kind": "status", "status": 404 });
    product.control("faults", unknown).await;
    product
}

#[tokio::test]
async fn no_kept_page_stands_for_a_venue_that_is_gone() {
    let path = format!("/filials/{VENUE}");
    let product = kept_and_gone("3600000").await;
    assert_eq!(product.guest().get(&path).await.status, 200, "it is kept");
    tokio::time::sleep(Duration::from_millis(3200)).await;
    let now = [("cache-control", "max-age=0")];
    assert_eq!(product.guest().get_with(&path, &now).await.status, 404);
    assert_eq!(product.guest().get(&path).await.status, 404);
    // Nor where it is made anew beside the guests.
    let product = kept_and_gone("1").await;
    eventually(60, async || {
        (product.guest().get(&path).await.status == 404).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_venue_with_another_id_is_301_and_one_that_is_gone_410() {
    let product = Product::start().await;
    // What the sitemaps have seen is remembered over a restart.
    assert_eq!(product.guest().get("/sitemap.xml").await.status, 200);
    let file = product.folder.join("venues.json");
    let mut seen: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    let record = seen[VENUE.to_string()].clone();
    assert!(record["location"].is_u64(), "{record}");
    seen["990013"] = record.clone();
    let mut lost = record;
    lost["location"] = json!(99_999_999);
    // This host names no country: it has the venues of Georgia too.
    let map = product.guest().get("/sitemaps/ge-ka-1.xml").await.text();
    let georgian = map.split("/filials/").nth(1).unwrap();
    let georgian: String = georgian.chars().take_while(char::is_ascii_digit).collect();
    seen["990043"] = seen[&georgian].clone();
    seen["990023"] = lost;
    let listed = seen.as_object().unwrap().len();
    assert!(listed > 60, "{listed}");
    std::fs::write(&file, seen.to_string()).unwrap();
    let product = product.killed_and_started_again().await;

    let moved = product.guest().get("/filials/990013").await;
    assert_eq!(
        (moved.status, moved.location()),
        (301, format!("/filials/{VENUE}"))
    );
    for (old, new) in [
        (
            "/filials/990013/details".to_owned(),
            format!("/filials/{VENUE}/details"),
        ),
        (
            "/filials/990013/details?lang=ru&country=kz".to_owned(),
            format!("/filials/{VENUE}/details?lang=ru&country=kz"),
        ),
        // A printed code: its table is one of the venue by its new id.
        (
            "/filials/990013?filial_id=990013&table_id=t7&main_terminal_id=1010".to_owned(),
            format!("/filials/{VENUE}?filial_id={VENUE}&table_id=t7&main_terminal_id=1010"),
        ),
        (
            "/filials/990013?main_terminal_id=990013&item=990013&q=%26".to_owned(),
            format!("/filials/{VENUE}?main_terminal_id={VENUE}&item=990013&q=%26"),
        ),
    ] {
        let moved = product.guest().get(&old).await;
        assert_eq!((moved.status, moved.location()), (301, new), "{old}");
    }
    // Who scans it sits at the table.
    let guest = product.guest();
    let code = table_link(VENUE, "t7").replace(&VENUE.to_string(), "990013");
    let code = guest.get(&code).await.location();
    assert_eq!(guest.get(&code).await.status, 200);
    let shell = &guest.data(&format!("/filials/{VENUE}")).await["shell"];
    assert_eq!(shell["table"]["tableId"], "t7");
    let moved = product.guest().get("/filials/990043").await;
    assert_eq!(
        (moved.status, moved.location()),
        (301, format!("/filials/{georgian}"))
    );
    for path in ["/filials/990023", "/filials/990023/details"] {
        let gone = Page::of(&product, path).await;
        assert_eq!((gone.status, gone.is_noindex()), (410, true), "{path}");
    }
    for path in ["/filials/990033", "/filials/990033/details", "/filials/x"] {
        assert_eq!(product.guest().get(path).await.status, 404, "{path}");
    }
    // A venue that is merely not answered for is neither.
    product.fail("*", 500).await;
    let fresh = product.guest().get("/filials/990023?lang=en").await;
    assert_eq!(fresh.status, 503);
}

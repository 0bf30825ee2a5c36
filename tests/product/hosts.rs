//! Host names with a configuration of their own: brand, services, languages, towns, name and analytics (SV-09, RT-03,
//! AN-07), and that nothing of one is shown at another.

use std::{path::PathBuf, process::Command};

use serde_json::{Value, json};

use crate::{
    bill::{opened, seen},
    bill_pay::{at_bank, pay},
    insight::Receiver,
    menu_live::Stream,
    orders::{press, refuse_writes, take_writes},
    support::{
        BINARY, Guest, Product, VENUE, eventually, order_fields, plain_products, table_link,
    },
};

/// Of another brand than `VENUE`.
const BRAND: u64 = 9;
const BURGER: &str = "burger.example.kz";
const CAFE: &str = "cafe.example.kz";
const ASTANA: u64 = 2;
const KARAGANDA: u64 = 5;

/// A file that a test writes, gone after it.
struct File(PathBuf);

impl File {
    fn new(name: &str, content: &Value) -> Self {
        let name = format!("dastarkhan-hosts-{name}-{}.json", std::process::id());
        let file = Self(std::env::temp_dir().join(name));
        file.write(&content.to_string());
        file
    }

    /// At once, as a deployment should.
    fn write(&self, text: &str) {
        let part = self.0.with_extension("part");
        std::fs::write(&part, text).unwrap();
        std::fs::rename(&part, &self.0).unwrap();
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// The product with these hosts, reached at `food.example.kz`.
async fn at_food(hosts: &File) -> Product {
    let public = ["--public-url", "https://food.example.kz"];
    Product::with(&["--hosts-file", hosts.path(), public[0], public[1]]).await
}

fn site(page: &Value) -> Option<&str> {
    page["shell"]["site"].as_str()
}

/// All towns of the product, without a configuration.
async fn towns(guest: &Guest) -> Vec<u64> {
    let page = guest.get("/town").await.data();
    let towns = page["page"]["data"]["towns"].as_array().unwrap().clone();
    towns
        .iter()
        .map(|town| town["id"].as_u64().unwrap())
        .collect()
}

#[tokio::test]
async fn a_host_name_has_a_brand_services_languages_towns_and_a_name_of_its_own() {
    let all = towns(&Product::start().await.guest()).await;
    assert!(all.len() > 1);
    let content = json!({
        BURGER: {
            "name": { "ru": "Бургерная", "kk": "Бургер" }, "brand_id": BRAND,
            "services": ["takeaway", "express"], "languages": ["ru", "kk"], "towns": [all[1], all[0]],
        },
        CAFE: { "towns": [all[1]], "name": { "en": "Café" } },
    });
    let file = File::new("own", &content);
    let product = Product::with(&["--hosts-file", file.path()]).await;
    let plain = product.guest();
    let burger = product.guest_of(BURGER);

    // The front is the list of brands, of the only one its venues (RT-03).
    let front = burger.get("/?utm=1").await;
    assert_eq!(
        (front.status, front.location().as_str()),
        (303, "/brands?utm=1")
    );
    let brands = burger.get("/brands?utm=1").await;
    assert_eq!(
        brands.location(),
        format!("/brands/filials?brand={BRAND}&utm=1")
    );
    assert_eq!(burger.data("/?utm=1").await["redirect"], "/brands?utm=1");
    let list = burger.get("/brands/filials?brand=1").await;
    let data = list.data();
    assert_eq!(
        data["page"]["data"]["brand"], BRAND,
        "no other brand can be had"
    );
    let shell = &data["shell"];
    assert_eq!(shell["services"], json!(["express", "takeaway"]));
    assert_eq!(shell["service"], "express", "the usual one is on offer");
    assert_eq!(
        (&shell["lang"], &shell["langs"]),
        (&json!("ru"), &json!(["ru", "kk"]))
    );
    assert_eq!(shell["origin"], format!("http://{BURGER}"));
    assert_eq!(shell["town"]["id"], all[1], "the first of its own");
    assert_eq!(site(&data), Some("Бургерная"));
    let html = list.text();
    assert!(html.contains("· Бургерная</title>"), "{html}");
    let questions = burger.get("/faq").await.text();
    assert!(questions.contains(r#"<meta property="og:site_name" content="Бургерная">"#));
    assert_eq!(
        site(&burger.get("/faq?lang=kk").await.data()),
        Some("Бургер")
    );
    let english = burger.get("/faq?lang=en").await.data();
    assert_eq!(
        english["shell"]["lang"], "kk",
        "not on offer: what was chosen stays"
    );
    assert_eq!(towns(&burger).await.len(), 2);
    let manifest = burger
        .get("/manifest.webmanifest?lang=ru&country=kz")
        .await
        .json();
    assert_eq!(manifest["name"], "Бургерная");
    assert_eq!(burger.get(&format!("/filials/{VENUE}")).await.status, 404);
    product.forget_log().await;
    for path in ["/filials", "/map", "/search?q=a", "/search/suggest?q=ab"] {
        assert_eq!(burger.get(path).await.status, 200, "{path}");
    }
    for path in [
        "/takeaway/v2/locations",
        "/menu/v3/search",
        "/brandy/api/v1/autocomplete",
    ] {
        let calls = product.queries(path).await;
        assert!(!calls.is_empty(), "{path}");
        for query in calls {
            assert_eq!(
                query.get("brand_id"),
                Some(&BRAND.to_string()),
                "{path} {query:?}"
            );
        }
    }

    // One that names neither brand nor services has Home, in its own towns.
    let cafe = product.guest_of(&format!("{}:8080", CAFE.to_uppercase()));
    let home = cafe.get("/").await;
    assert_eq!(home.status, 200);
    assert_eq!(site(&home.data()), Some("Café"));
    assert_eq!(home.texts("a.logo"), ["Café"]);
    assert_eq!(towns(&cafe).await, [all[1]]);
    let other_guest = [("town", all[0].to_string())];
    let fields: Vec<(&str, &str)> = other_guest
        .iter()
        .map(|(key, id)| (*key, id.as_str()))
        .collect();
    cafe.post("/session/town", &fields).await;
    assert_eq!(cafe.get("/").await.data()["shell"]["town"]["id"], all[1]);

    // All other names are the installation's.
    for guest in [&plain, &product.guest_of("other.example.kz")] {
        let home = guest.get("/").await;
        assert_eq!((home.status, site(&home.data())), (200, None));
        assert_eq!(guest.get(&format!("/filials/{VENUE}")).await.status, 200);
    }
}

/// SV-09: a part of the map knows no towns, the host does.
#[tokio::test]
async fn the_map_of_a_host_stays_in_its_towns() {
    let product = Product::start().await;
    let guest = product.guest();
    let part = "/map?bbox=76,42,78,44";
    let on_map = async |guest: &Guest, path: &str| {
        let page = guest.get(path).await;
        assert_eq!(page.status, 200, "{path}");
        page.data()["page"]["data"].clone()
    };
    let everywhere = on_map(&guest, part).await;
    assert!(everywhere["total"].as_u64().unwrap() > 10);
    // Almaty is of neither.
    let content = json!({
        BURGER: { "towns": [ASTANA, KARAGANDA] },
        CAFE: { "towns": [ASTANA] },
    });
    let file = File::new("map", &content);
    let product = Product::with(&["--hosts-file", file.path()]).await;
    for host in [BURGER, CAFE] {
        let guest = product.guest_of(host);
        let there = on_map(&guest, part).await;
        assert_eq!((&there["venues"], &there["total"]), (&json!([]), &json!(0)));
        let chosen = on_map(&guest, &format!("/map?venue={VENUE}")).await;
        assert_eq!(chosen["selected"], Value::Null, "{host}");
        let own = on_map(&guest, "/map").await;
        assert!(own["total"].as_u64().unwrap() > 0, "{host}");
    }
    // Of another brand than the installation's.
    let product = Product::with(&["--brand-id", "9"]).await;
    let chosen = on_map(&product.guest(), &format!("/map?venue={VENUE}")).await;
    assert_eq!(chosen["selected"], Value::Null);
}

#[tokio::test]
async fn no_page_of_one_configuration_is_shown_to_guests_of_another() {
    let named = |name: &str| json!({ "ru": name });
    let file = File::new(
        "caches",
        &json!({ BURGER: { "name": named("Бургерная") }, CAFE: { "name": named("Кофейня") } }),
    );
    let product = Product::with(&[
        "--hosts-file",
        file.path(),
        // A kept page would stay for as long as the test takes.
        "--page-fresh-ms",
        "600000",
    ])
    .await;
    let path = "/faq";
    let hosts = [
        ("localhost", None),
        (BURGER, Some("Бургерная")),
        (CAFE, Some("Кофейня")),
    ];
    let mut tags = Vec::new();
    // So often that it is kept for each of them.
    for _ in 0..3 {
        for (host, name) in hosts {
            let page = product.guest_of(host).get(path).await;
            assert_eq!(site(&page.data()), name, "{host}");
            tags.push((host, page.headers["etag"].to_str().unwrap().to_owned()));
        }
    }
    for (host, name) in hosts {
        for (other, tag) in &tags {
            let known = [("if-none-match", tag.as_str())];
            let answer = product.guest_of(host).get_with(path, &known).await;
            if host == *other {
                continue;
            }
            assert_eq!(answer.status, 200, "{host} {other}");
            assert_eq!(site(&answer.data()), name, "{host} {other}");
        }
    }

    // The same name with another configuration: what was kept of the one before is its alone.
    let pages = json!({ BURGER: { "name": named("Новая") }, CAFE: { "name": named("Кофейня") } });
    file.write(&pages.to_string());
    let burger = product.guest_of(BURGER);
    let changed = eventually(30, || async {
        let page = burger.get(path).await;
        (site(&page.data()) == Some("Новая")).then_some(page)
    })
    .await;
    let (_, old) = tags.iter().find(|(host, _)| *host == BURGER).unwrap();
    assert_ne!(changed.headers["etag"].to_str().unwrap(), old);
    let cafe = product.guest_of(CAFE).get(path).await;
    assert_eq!(site(&cafe.data()), Some("Кофейня"));

    // A wrong file changes nothing, and is told of with its field and line.
    file.write(&format!(
        "{{\n\"{BURGER}\": {{ \"brand_id\": \"nine\" }} }}"
    ));
    let warned = eventually(30, || async {
        let logs = product.logs();
        let mut lines = logs.lines();
        let line = lines.find(|line| line.contains("HOSTS_FILE is wrong"));
        line.map(str::to_owned)
    })
    .await;
    assert!(warned.contains("WARN"), "{warned}");
    for told in ["burger.example.kz.brand_id", "line 2", file.path()] {
        assert!(warned.contains(told), "{told}: {warned}");
    }
    assert_eq!(
        site(&product.guest_of(BURGER).get(path).await.data()),
        Some("Новая")
    );
    assert_eq!(product.number("hosts_file_wrong", "").await, 1);
    // So does one that is gone; a right one is read.
    file.write("{}");
    eventually(30, || async {
        let page = product.guest_of(BURGER).get(path).await;
        site(&page.data()).is_none().then_some(())
    })
    .await;
    assert_eq!(product.number("hosts_file_wrong", "").await, 0);
}

/// Whom everybody's events go to, whom those of one host go to, and a product whose other host has none,
/// with its file of hosts.
async fn with_receivers(name: &str) -> (Receiver, Receiver, File, Product) {
    let (all, own) = (Receiver::start().await, Receiver::start().await);
    let file = File::new(
        name,
        &json!({
            BURGER: { "analytics": { "url": own.url } },
            CAFE: { "analytics": { "enabled": false } },
        }),
    );
    let product = Product::with(&["--hosts-file", file.path(), "--analytics-url", &all.url]).await;
    (all, own, file, product)
}

#[tokio::test]
async fn events_of_a_host_go_to_its_own_receiver_or_nowhere() {
    let (all, own, _file, product) = with_receivers("analytics").await;
    let menu = product.guest().get(&format!("/filials/{VENUE}")).await;
    let dishes = plain_products(&menu.data());
    let told =
        json!({ "session": "AbCdEfGhIjKlMnOpQrStUv", "events": [{ "name": "basketOpened" }] });
    for (host, at, wanted) in [(CAFE, 0, false), (BURGER, 1, true), ("localhost", 2, true)] {
        let guest = product.guest_of(host);
        let settings = guest.get("/client-settings").await.json();
        assert_eq!(settings["analytics"], wanted, "{host}");
        guest.add(VENUE, dishes[at].0).await;
        assert_eq!(guest.tell(&told).await.status, 204);
    }
    // The last one has come: what was before would be there.
    for (receiver, at) in [(&own, 1), (&all, 2)] {
        let added = receiver.named("item_added", 1).await;
        assert_eq!(added.len(), 1);
        assert_eq!(added[0]["product"], dishes[at].0);
        assert_eq!(receiver.named("basket_opened", 1).await.len(), 1);
    }
}

/// The process dies between an order and its cart: the next one ends it, by nobody's request.
#[tokio::test]
async fn what_is_taken_up_at_a_start_is_told_to_the_receiver_of_its_host_or_nowhere() {
    let (all, own, _file, product) = with_receivers("taken-up").await;
    let mut ready = Vec::new();
    // The last one comes in a host app, whose own analytics are not there to be told.
    for (host, is_in_app) in [
        (BURGER, false),
        (CAFE, false),
        ("localhost", false),
        (BURGER, true),
    ] {
        let guest = product.guest_of(host);
        if is_in_app {
            guest.get("/legal/privacy?platform=ios").await;
            guest.agree().await;
        }
        guest.get(&table_link(VENUE, "t7")).await;
        let dishes = plain_products(&guest.get(&format!("/filials/{VENUE}")).await.data());
        guest.add(VENUE, dishes[0].0).await;
        let seen = order_fields(&guest.get("/cart").await.data());
        ready.push((guest, seen));
    }
    refuse_writes(&product, "half", "UPDATE ON carts");
    for (guest, seen) in &ready {
        let left = press(guest, seen).await.location();
        assert!(left.starts_with("/orders/checking/"), "{left}");
    }
    take_writes(&product, "half");
    let product = product.killed_and_started_again().await;
    eventually(60, || async {
        let ended = product
            .number("analytics_events_total", "cart_cleared")
            .await;
        (ended == 4).then_some(())
    })
    .await;
    for receiver in [&own, &all] {
        let cleared = receiver.named("cart_cleared", 1).await;
        assert_eq!(cleared.len(), 1, "{cleared:?}");
        assert_eq!(cleared[0]["cause"], "ordered");
        assert!(cleared[0]["guest"].is_null(), "nobody is there");
    }
}

/// All open pages of a bill share one look at it, which is nobody's request.
#[tokio::test]
async fn a_payment_that_a_shared_look_finds_is_told_to_the_receiver_of_its_payer() {
    let (all, own) = (Receiver::start().await, Receiver::start().await);
    let hosts_with =
        |analytics: Value| json!({ "localhost": { "analytics": analytics } }).to_string();
    let file = File::new("shared-look", &json!({}));
    for (analytics, is_told) in [
        (json!({ "enabled": false }), false),
        (json!({ "url": own.url }), true),
    ] {
        file.write(&hosts_with(analytics));
        let product =
            Product::with(&["--hosts-file", file.path(), "--analytics-url", &all.url]).await;
        opened(&product, &[1]).await;
        // The sandbox's bank leads back to names of this machine alone.
        let payer = product.guest_of(&product.web.replace("http://127.0.0.1", "localhost"));
        let bank = pay(&payer, "&split=sum&sum=500", "card").await.location();
        // A friend looks, by the installation's own name.
        let friend = product.guest();
        let events = seen(&friend, "&lang=ru").await["events"].clone();
        let mut stream = Stream::at(&friend, events.as_str().unwrap(), None)
            .await
            .unwrap();
        stream.next().await;
        at_bank(&bank, "succeeded").await;
        stream.until(|event| event["paid"] == 50_000).await;
        let succeeded = product
            .number("analytics_events_total", "payment_succeeded")
            .await;
        assert_eq!(succeeded, 1);
        if is_told {
            assert_eq!(own.named("payment_succeeded", 1).await.len(), 1);
        }
        // What comes after it has come: were it told there, it would have been before.
        let dishes = plain_products(&friend.get(&format!("/filials/{VENUE}")).await.data());
        friend.add(VENUE, dishes[0].0).await;
        let added = 1 + usize::from(is_told);
        assert_eq!(all.named("item_added", added).await.len(), added);
        assert!(!all.has("payment_succeeded"));
    }
}

/// A square picture of one colour.
fn picture(side: u32) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let image = image::RgbImage::from_pixel(side, side, image::Rgb([200, 60, 10]));
    image.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

#[tokio::test]
async fn a_host_name_has_texts_of_its_front_and_icons_of_its_own() {
    let [large, shaped, small] = ["large", "shaped", "small"].map(|name| {
        let name = format!("dastarkhan-icon-{name}-{}.png", std::process::id());
        File(std::env::temp_dir().join(name))
    });
    std::fs::write(&large.0, picture(512)).unwrap();
    std::fs::write(&shaped.0, picture(192)).unwrap();
    std::fs::write(&small.0, picture(64)).unwrap();
    let name = |file: &File| file.0.file_name().unwrap().to_str().unwrap().to_owned();
    let entry = |icon: &File| {
        json!({
            "name": { "ru": "Бургерная на Абая" },
            "short_name": { "ru": "Бургер" },
            "icons": [{ "file": name(&large) }, { "file": name(icon), "maskable": true }],
            "front": {
                "title": { "ru": "Бургеры <с огня>" },
                "lead": { "ru": "Жарим с утра до ночи.", "en": "From dawn till late." },
            },
        })
    };
    let front = |custom: Value| {
        let mut all = entry(&shaped);
        all.as_object_mut()
            .unwrap()
            .extend(custom.as_object().unwrap().clone());
        all
    };
    let content = |icon: &File| {
        json!({
            BURGER: entry(icon),
            "brands.example.kz": front(json!({ "services": ["express"] })),
            "one.example.kz": front(json!({ "brand_id": BRAND })),
            CAFE: {},
        })
    };
    let file = File::new("front", &content(&shaped));
    let product = Product::with(&["--hosts-file", file.path()]).await;

    let manifest = async |host: &str, lang: &str| {
        let path = format!("/manifest.webmanifest?lang={lang}&country=kz");
        product.guest_of(host).get(&path).await.json()
    };
    let own = manifest(BURGER, "kk").await;
    assert_eq!(
        (&own["name"], &own["short_name"]),
        (&json!("Бургерная на Абая"), &json!("Бургер"))
    );
    let icons = own["icons"].as_array().unwrap();
    assert_eq!(icons.len(), 2);
    for (icon, (size, purpose)) in icons.iter().zip([(512, "any"), (192, "maskable")]) {
        assert_eq!(icon["sizes"], format!("{size}x{size}"));
        assert_eq!(
            (&icon["purpose"], &icon["type"]),
            (&json!(purpose), &json!("image/png"))
        );
        let src = icon["src"].as_str().unwrap();
        let served = product.guest_of(BURGER).get(src).await;
        assert_eq!(
            (served.status, served.header("content-type")),
            (200, "image/png")
        );
        assert_eq!(served.body, picture(size));
        assert_eq!(product.guest_of(CAFE).get(src).await.status, 404);
    }
    // So do documents: a tab has the whole picture, a home screen the one that fills its square.
    let links = async |host: &str| {
        let html = product.guest_of(host).get("/?lang=ru").await.text();
        let lines = html.lines().filter(|line| line.contains("icon\" href"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let src = |at: usize| icons[at]["src"].as_str().unwrap();
    assert_eq!(
        links(BURGER).await,
        [
            format!(r#"<link rel="icon" href="{}" type="image/png">"#, src(0)),
            format!(r#"<link rel="apple-touch-icon" href="{}">"#, src(1)),
        ]
    );
    assert_eq!(
        links(CAFE).await,
        [
            r#"<link rel="icon" href="/favicon.svg">"#,
            r#"<link rel="apple-touch-icon" href="/static/apple-touch-icon.png">"#,
        ]
    );
    let usual = manifest(CAFE, "ru").await;
    assert_eq!(usual["short_name"], usual["name"]);
    assert!(usual["icons"].as_array().unwrap().len() > 2);

    // Each front, in a language that has both texts, one that has one, and one that has none.
    for (host, path) in [
        (BURGER, "/"),
        ("brands.example.kz", "/brands"),
        ("one.example.kz", "/brands/filials?brand=9"),
    ] {
        let guest = product.guest_of(host);
        let joint = if path.contains('?') { '&' } else { '?' };
        let page = async |lang: &str| guest.get(&format!("{path}{joint}lang={lang}")).await;
        let russian = page("ru").await;
        assert_eq!(russian.texts("h1"), ["Бургеры <с огня>"], "{host}");
        let html = russian.text();
        assert!(
            html.contains("<title>Бургеры &#60;с огня&#62; · "),
            "{html}"
        );
        let leads = |answer: &crate::support::Answer| answer.texts("main p.soft");
        assert!(
            leads(&russian).contains(&"Жарим с утра до ночи.".to_owned()),
            "{host}"
        );
        let english = page("en").await;
        assert!(!english.texts("h1")[0].contains("Бургеры"), "{host}");
        assert!(
            leads(&english).contains(&"From dawn till late.".to_owned()),
            "{host}"
        );
        assert_eq!(
            page("kk").await.data()["page"]["data"]["front"],
            Value::Null
        );
    }
    let front = product.guest_of(CAFE).get("/?lang=ru").await;
    assert_eq!(front.data()["page"]["data"]["front"], Value::Null);

    // A picture that launchers can't use is named, at a start and later.
    file.write(&content(&small).to_string());
    let warned = eventually(30, || async {
        let logs = product.logs();
        let mut lines = logs.lines();
        let line = lines.find(|line| line.contains("HOSTS_FILE is wrong"));
        line.map(str::to_owned)
    })
    .await;
    for told in ["burger.example.kz: icons[1].file", &name(&small), "64x64"] {
        assert!(warned.contains(told), "{told}: {warned}");
    }
    assert_eq!(manifest(BURGER, "ru").await["short_name"], "Бургер");
}

#[tokio::test]
async fn addresses_and_forms_of_a_host_are_its_own() {
    let file = File::new("origins", &json!({ BURGER: { "brand_id": BRAND } }));
    let product = at_food(&file).await;
    let burger = product.guest_of(BURGER);
    let page = burger.get("/faq").await;
    let own = format!("https://{BURGER}");
    assert_eq!(page.data()["shell"]["origin"], own);
    assert!(
        page.text()
            .contains(&format!(r#"<link rel="canonical" href="{own}/faq">"#))
    );
    assert!(
        burger
            .get("/robots.txt")
            .await
            .text()
            .contains(&format!("{own}/sitemap.xml"))
    );
    // Search engines learn of its venues alone.
    let venues = |guest: Guest| async move {
        let map = guest.get("/sitemaps/kz-kk-1.xml").await;
        assert_eq!(map.status, 200);
        map.text().matches("/details</loc>").count()
    };
    let (few, all) = (
        venues(product.guest_of(BURGER)).await,
        venues(product.guest_of("food.example.kz")).await,
    );
    assert!(few > 0 && few < all, "{few} of {all}");

    // A name that nobody has configured enters no page.
    let other_guest = product.guest_of("evil.example").get("/faq").await;
    assert_eq!(
        other_guest.data()["shell"]["origin"],
        "https://food.example.kz"
    );
    for (host, origin, status) in [
        (BURGER, own.as_str(), 303),
        (BURGER, "https://food.example.kz", 403),
        (BURGER, "http://burger.example.kz", 403),
        ("food.example.kz", "https://food.example.kz", 303),
        ("food.example.kz", own.as_str(), 403),
        ("evil.example", "https://evil.example", 403),
    ] {
        let guest = product.guest_of(host);
        let form = guest
            .request(reqwest::Method::POST, "/session/service")
            .header("origin", origin)
            .form(&[("service", "takeaway"), ("back", "/faq")]);
        assert_eq!(guest.send(form).await.status, status, "{host} {origin}");
    }
}

/// Each address of a host's sitemap is one that is shown, named by itself, and may be found (SO-01, SO-02, SO-08).
#[tokio::test]
async fn a_sitemap_of_a_host_names_what_its_addresses_show() {
    let lead = "Жарим с утра до ночи.";
    let front =
        json!({ "brand_id": BRAND, "services": ["takeaway"], "front": { "lead": { "ru": lead } } });
    let content = json!({ BURGER: front, CAFE: { "services": ["takeaway"] } });
    let file = File::new("sitemaps", &content);
    let product = at_food(&file).await;
    for host in [BURGER, CAFE] {
        let guest = product.guest_of(host);
        let map = guest.get("/sitemaps/kz-ru-1.xml").await;
        assert_eq!(map.status, 200);
        let origin = format!("https://{host}");
        let text = map.text().replace("&amp;", "&");
        let listed: Vec<&str> = text
            .split("<loc>")
            .skip(1)
            .filter_map(|rest| rest.split_once("</loc>")?.0.strip_prefix(&origin))
            .collect();
        let venues = listed
            .iter()
            .filter(|path| path.starts_with("/filials/"))
            .count();
        assert!(venues > 0 && listed.len() > venues, "{listed:?}");
        for path in &listed {
            let page = guest.get(path).await;
            assert_eq!(page.status, 200, "{host} {path}: {}", page.location());
            let html = page.text().replace("&#38;", "&");
            let own = format!(r#"<link rel="canonical" href="{origin}{path}">"#);
            assert!(html.contains(&own), "{host} {path}");
            assert!(!html.contains(r#"name="robots""#), "{host} {path}");
            let is_venue = path.starts_with("/filials/") && !path.contains("/details");
            assert!(!is_venue || html.contains("OrderAction"), "{host} {path}");
        }
        // The front leads to one of them.
        let mut address = "/?lang=ru".to_owned();
        for _ in 0..3 {
            let page = guest.get(&address).await;
            if page.status == 200 {
                break;
            }
            address = page.location();
        }
        let at = address.split("lang=").next().unwrap();
        assert!(
            listed
                .iter()
                .any(|path| path.starts_with(at.trim_end_matches(['?', '&']))),
            "{address}"
        );
        if host == BURGER {
            let html = guest.get(&address).await.text();
            let both = r#"<meta name="description" property="og:description""#;
            assert!(html.contains(&format!(r#"{both} content="{lead}""#)));
        }
    }
}

/// The names that proxies, caches and frameworks are known to believe.
const FORGED: [&[(&str, &str)]; 6] = [
    &[("host", "evil.example")],
    &[("host", "evil.example:8443")],
    &[
        ("x-forwarded-host", "evil.example"),
        ("x-forwarded-proto", "http"),
    ],
    &[("forwarded", "host=evil.example;proto=http")],
    &[
        ("x-host", "evil.example"),
        ("x-original-host", "evil.example"),
    ],
    &[
        ("x-original-url", "//evil.example/"),
        ("x-rewrite-url", "//evil.example/"),
    ],
];

/// Whatever a request says of the host, addresses are those of the setting, and kept pages stay what they were (S-10).
#[tokio::test]
async fn a_forged_host_enters_no_link_no_redirect_no_cookie_and_no_kept_page() {
    let product = Product::with(&["--public-url", "https://food.example.kz"]).await;
    let plain = product.guest();
    let table = crate::support::table_link(crate::support::VENUE, "t7");
    let pages = [
        "/",
        "/filials",
        "/filials/1013",
        "/filials/1013/details",
        "/brands",
        "/faq",
        "/cart",
        "/brands/booking?filial=1013",
        "/nowhere",
        "/sitemap.xml",
        "/robots.txt",
        "/manifest.webmanifest",
        "/_data/filials/1013",
        "/filials//1013",
        "/orders",
        "/profile",
        "/kiosk/filials/1013",
        &table,
    ];
    for path in pages {
        // Before any other request, so that it would be what is kept.
        for headers in FORGED {
            for _ in 0..2 {
                let answer = product.guest().get_with(path, headers).await;
                assert!(answer.status < 500, "{path} {headers:?}");
                assert!(
                    !answer.text().contains("evil.example"),
                    "{path} {headers:?}"
                );
                for (name, value) in &answer.headers {
                    let value = String::from_utf8_lossy(value.as_bytes()).to_lowercase();
                    assert!(
                        !value.contains("evil.example"),
                        "{path} {headers:?} {name}: {value}"
                    );
                    assert!(
                        name != "set-cookie" || !value.contains("domain="),
                        "{path}: {value}"
                    );
                }
            }
        }
        let own = plain.get(path).await;
        assert!(!own.text().contains("evil.example"), "{path}");
        if ["/", "/filials/1013", "/faq"].contains(&path) {
            let canonical = r#"<link rel="canonical" href="https://food.example.kz/"#;
            assert!(own.text().contains(canonical), "{path}");
        }
    }
    // Nor does it lead a form elsewhere, or tell the bank where to come back to.
    for headers in FORGED {
        let guest = product.guest();
        guest.get(&table).await;
        let menu = guest.get("/filials/1013").await.data();
        guest
            .add(1013, crate::support::plain_products(&menu)[0].0)
            .await;
        let cart = guest.get("/cart").await.data();
        let mut fields = crate::support::order_fields(&cart);
        fields[2].1 = "card".to_owned();
        let mut form = guest
            .request(reqwest::Method::POST, "/orders")
            .header("sec-fetch-site", "same-origin")
            .form(&crate::support::as_fields(&fields));
        for (name, value) in headers {
            form = form.header(*name, *value);
        }
        let answer = guest.send(form).await;
        assert_eq!(answer.status, 303, "{headers:?}: {}", answer.text());
        assert!(
            !answer.location().contains("evil.example"),
            "{}",
            answer.location()
        );
    }
    let log = product.sandbox_get("log").await;
    let sent: Vec<&str> = log
        .iter()
        .filter_map(|call| call["body"].as_str())
        .collect();
    assert!(
        sent.iter()
            .any(|body| body.contains("https://food.example.kz/"))
    );
    assert!(!sent.iter().any(|body| body.contains("evil.example")));
}

#[tokio::test]
async fn a_check_names_brands_and_towns_that_the_upstream_does_not_know() {
    let product = Product::start().await;
    let town = towns(&product.guest()).await[0];
    let check = |content: Value| {
        let file = File::new("check", &content);
        let state = file.0.with_extension("state");
        let mut command = Command::new(BINARY);
        command.args(["check", "--upstream-url", &product.sandbox]);
        command.args(["--hosts-file", file.path()]);
        let done = command.arg("--state-dir").arg(&state).output();
        let _ = std::fs::remove_dir_all(state);
        let done = done.unwrap();
        let text = String::from_utf8_lossy(&done.stderr).into_owned();
        (done.status.success(), text)
    };
    let (fine, text) = check(json!({ BURGER: { "brand_id": BRAND, "towns": [town] } }));
    assert!(fine, "{text}");
    let (fine, text) = check(json!({
        BURGER: { "brand_id": 424_242 },
        CAFE: { "towns": [town, 424_243] },
    }));
    assert!(!fine, "{text}");
    for told in [
        "HOSTS_FILE: burger.example.kz.brand_id: the upstream has no venues of brand 424242",
        "HOSTS_FILE: cafe.example.kz.towns: the upstream has no town 424243",
    ] {
        assert!(text.contains(told), "{text}");
    }
}

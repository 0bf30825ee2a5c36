//! A frame of a host app whose browser keeps no cookies: the address leads to the cart (beyond.md, 5; S-02).

use std::time::Duration;

use reqwest::Method;

use crate::{
    kiosk_prefix::own_paths,
    support::{Answer, Guest, Product, VENUE, plain_products, table_link},
};

const APP: &str = "https://app.example";
const PARTNER: &str = "https://partner.example";
const FRAME: [(&str, &str); 3] = [
    ("sec-fetch-dest", "iframe"),
    ("sec-fetch-site", "cross-site"),
    ("referer", "https://partner.example/"),
];
/// A link that was followed inside of the frame.
const INSIDE: [(&str, &str); 2] = [
    ("sec-fetch-dest", "iframe"),
    ("sec-fetch-site", "same-origin"),
];

async fn product() -> Product {
    Product::with(&["--public-url", APP, "--host-origins", PARTNER]).await
}

/// A browser that keeps nothing: each request comes from another one.
struct Cookieless<'a> {
    product: &'a Product,
    /// `/~name`
    prefix: String,
}

impl<'a> Cookieless<'a> {
    /// Opens a page in the frame; the first answer asks for the cookie, the second one gives the name.
    async fn open(product: &'a Product, path: &str) -> (Self, String) {
        let asked = product.guest().get_with(path, &FRAME).await;
        assert_eq!(asked.status, 303);
        assert!(asked.header("set-cookie").starts_with("__Host-framed=1;"));
        let begun = product.guest().get_with(&asked.location(), &FRAME).await;
        assert_eq!(begun.status, 303);
        let location = begun.location();
        let end = location[1..].find('/').unwrap() + 1;
        let prefix = location[..end].to_owned();
        assert_eq!(prefix.len(), "/~".len() + 22, "{location}");
        let path = location[end..].to_owned();
        (Self { product, prefix }, path)
    }

    fn guest(&self) -> Guest {
        self.product.guest()
    }

    async fn get(&self, path: &str) -> Answer {
        let answer = self
            .guest()
            .get_with(&format!("{}{path}", self.prefix), &INSIDE)
            .await;
        self.keeps_nothing(&answer);
        answer
    }

    /// A form of a page in the frame, without scripts.
    async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let guest = self.guest();
        let mut request = guest.request(Method::POST, &format!("{}{path}", self.prefix));
        for (name, value) in INSIDE {
            request = request.header(name, value);
        }
        let answer = guest.send(request.form(fields)).await;
        self.keeps_nothing(&answer);
        answer
    }

    /// What a script of a page in the frame asks for.
    fn script(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.guest()
            .request(method, path)
            .header("sec-fetch-dest", "empty")
            .header("sec-fetch-site", "same-origin")
            .header("referer", format!("{APP}{}/filials/{VENUE}", self.prefix))
            .header("accept", "application/json")
            .header("x-requested-with", "dastarkhan")
    }

    fn keeps_nothing(&self, answer: &Answer) {
        assert_eq!(answer.header("set-cookie"), "");
        assert_eq!(
            answer.header("referrer-policy"),
            "strict-origin-when-cross-origin"
        );
    }
}

/// Names are made up as easily as sessions.
#[tokio::test]
async fn no_more_jars_are_begun_than_sessions() {
    let product = Product::with(&[
        "--public-url",
        APP,
        "--host-origins",
        PARTNER,
        "--address-sessions-per-minute",
        "3",
    ])
    .await;
    let store = rusqlite::Connection::open(product.folder.join("state.sqlite")).unwrap();
    store.busy_timeout(Duration::from_secs(5)).unwrap();
    let cart_count = || -> u32 {
        store
            .query_row("SELECT count(*) FROM carts", [], |row| row.get(0))
            .unwrap()
    };
    let before = cart_count();
    for one in 0..12 {
        let path = format!("/~{one:0>22}/faq?lang=ru");
        let page = product.guest().get_with(&path, &INSIDE).await;
        assert_eq!((page.status, page.header("set-cookie")), (200, ""));
    }
    assert_eq!(cart_count() - before, 3);
}

/// A frame has what a browser with cookies has beyond the share of its address.
#[tokio::test]
async fn a_frame_behind_an_address_that_begins_sessions_without_end_has_a_cart_for_an_hour() {
    let product = Product::with(&[
        "--public-url",
        APP,
        "--host-origins",
        PARTNER,
        "--address-sessions-per-minute",
        "1",
    ])
    .await;
    let store = rusqlite::Connection::open(product.folder.join("state.sqlite")).unwrap();
    store.busy_timeout(Duration::from_secs(5)).unwrap();
    let ends_within_two_hours = || -> u32 {
        let query = "SELECT count(*) FROM carts WHERE id LIKE 'jar.%'
                     AND expires_at < (unixepoch() + 7200) * 1000";
        store.query_row(query, [], |row| row.get(0)).unwrap()
    };
    let mut frames = Vec::new();
    while ends_within_two_hours() == 0 {
        assert!(frames.len() < 20, "sessions are for the asking");
        let (frame, path) = Cookieless::open(&product, &table_link(VENUE, "t7")).await;
        let menu = frame.get(&path).await.data();
        frames.push((frame, menu));
    }
    let (frame, menu) = frames.pop().unwrap();
    let dish = plain_products(&menu)[0].0.to_string();
    let fields = [("filial", "1013"), ("product", &*dish), ("back", "/cart")];
    assert_eq!(frame.post("/cart/lines", &fields).await.status, 303);
    let cart = frame.get("/cart").await.data();
    assert_eq!(cart["shell"]["cart"]["count"], 1);
    assert_eq!(cart["shell"]["table"]["number"], "7");
}

#[tokio::test]
async fn a_cart_goes_on_by_its_address_with_and_without_scripts() {
    let product = product().await;
    let link = format!("{}&lang=ru", table_link(VENUE, "t7"));
    let (frame, path) = Cookieless::open(&product, &link).await;
    assert_eq!(path, link, "the page that was asked for");
    let menu = frame.get(&path).await;
    assert_eq!(menu.status, 200);
    let data = menu.data();
    assert_eq!(data["shell"]["table"]["number"], "7");
    let html = menu.text();
    assert!(html.contains(&format!(r#"data-prefix="{}""#, frame.prefix)));
    let canonical = format!(r#"<link rel="canonical" href="{APP}/filials/{VENUE}"#);
    assert!(html.contains(&canonical));
    assert!(
        !html.contains(&format!("{APP}{}", frame.prefix)),
        "nothing to share"
    );
    let dishes = plain_products(&data);

    // A form.
    let product_id = dishes[0].0.to_string();
    let fields = [
        ("filial", "1013"),
        ("product", &product_id),
        ("back", &format!("/filials/{VENUE}")),
    ];
    let added = frame.post("/cart/lines", &fields).await;
    assert_eq!(added.status, 303, "{}", added.text());
    assert_eq!(
        added.location(),
        format!("{}/filials/{VENUE}", frame.prefix)
    );

    // A script, whose page says where it is.
    let product_id = dishes[1].0.to_string();
    let change = frame.script(Method::POST, "/cart/lines").form(&[
        ("filial", "1013"),
        ("product", product_id.as_str()),
        ("back", "/"),
    ]);
    let answer = frame.guest().send(change).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.header("set-cookie"), "");
    assert_eq!(answer.json()["cart"]["count"], 2);
    assert_ne!(answer.json()["begins"], true);
    let data = frame.script(Method::GET, &format!("/_data{}/cart", frame.prefix));
    let cart = frame.guest().send(data).await.json();
    assert_eq!(cart["shell"]["lang"], "ru", "preferences are kept, too");
    assert_eq!(cart["shell"]["table"]["number"], "7");

    // Every link and form of every page goes on with the name, once.
    for path in [
        "/cart",
        "/",
        "/faq",
        "/nowhere",
        &format!("/filials/{VENUE}"),
    ] {
        let page = frame.get(path).await;
        assert!(
            page.header("cache-control").starts_with("private"),
            "{path}"
        );
        let html = page.text();
        let mut all = own_paths(&html, "a", "href");
        all.extend(own_paths(&html, "form", "action"));
        assert!(all.len() > 2, "{path}");
        for address in all {
            let rest = address.strip_prefix(&frame.prefix);
            assert!(
                rest.is_some_and(|rest| rest.starts_with('/') && !rest.starts_with("/~")),
                "{path}: {address}"
            );
        }
    }
    assert!(frame.get("/cart").await.text().contains("data-prefix"));

    // What is written down says nothing of the name.
    assert!(!product.logs().contains(&frame.prefix[2..]));
}

#[tokio::test]
async fn that_cart_is_its_guests_alone() {
    let product = product().await;
    let (frame, path) = Cookieless::open(&product, &table_link(VENUE, "t7")).await;
    let dishes = plain_products(&frame.get(&path).await.data());
    let product_id = dishes[0].0.to_string();
    let fields = [
        ("filial", "1013"),
        ("product", product_id.as_str()),
        ("back", "/cart"),
    ];
    frame.post("/cart/lines", &fields).await;
    let count = |answer: Answer| answer.data()["shell"]["cart"]["count"].clone();
    assert_eq!(count(frame.get("/cart").await), 1);

    // A browser that opens the link by itself gets the page and nothing of the cart.
    let alone = [("sec-fetch-dest", "document"), ("sec-fetch-site", "none")];
    let opened = product
        .guest()
        .get_with(&format!("{}/cart?lang=en", frame.prefix), &alone)
        .await;
    assert_eq!(
        (opened.status, opened.location().as_str()),
        (303, "/cart?lang=en")
    );
    // A browser that keeps cookies is led off the name, too, with the cart that it has.
    let guest = product.guest();
    guest.set_cookie("__Host-framed", "1");
    let opened = guest
        .get_with(&format!("{}/cart", frame.prefix), &INSIDE)
        .await;
    assert_eq!((opened.status, opened.location().as_str()), (303, "/cart"));
    // A page of another origin that names it names nothing.
    let foreign = frame.guest().request(Method::GET, "/_data/cart").header(
        "referer",
        format!("https://evil.example{}/cart", frame.prefix),
    );
    let foreign = frame.guest().send(foreign).await.json();
    assert!(foreign["shell"]["cart"].is_null());
    // Another site may post nothing with it (S-08).
    let foreign = frame
        .guest()
        .request(Method::POST, &format!("{}/cart/clear", frame.prefix))
        .header("sec-fetch-site", "cross-site")
        .header("origin", PARTNER)
        .form(&[("back", "/")]);
    assert_eq!(frame.guest().send(foreign).await.status, 403);
    // Each frame has a name of its own, and a made-up one leads to nothing.
    let (other, path) = Cookieless::open(&product, "/cart").await;
    assert_ne!(other.prefix, frame.prefix);
    assert!(other.get(&path).await.data()["shell"]["cart"].is_null());
    assert_eq!(count(frame.get("/cart").await), 1);
}

#[tokio::test]
async fn no_sign_in_is_led_to_by_an_address() {
    let product = product().await;
    let (frame, path) = Cookieless::open(&product, &format!("/filials/{VENUE}?lang=en")).await;
    frame.get(&path).await;
    // A page that needs a sign-in, the form for it, and the track of a host app.
    let gate = frame.get("/profile").await;
    assert_eq!(gate.status, 303);
    assert!(
        gate.location()
            .starts_with(&format!("{}/cookies?", frame.prefix))
    );
    let fields = [
        ("back", "/cart"),
        ("track_id", "00000000-0000-4000-8000-000000000001"),
    ];
    for form in ["/session/sign-in", "/session/track"] {
        let answer = frame.post(form, &fields).await;
        let location = answer.location();
        let page = location.strip_prefix(&frame.prefix);
        let page = page.filter(|page| page.starts_with("/cookies?back=%2Fcart&sign_in=1"));
        let told = frame
            .get(page.unwrap_or_else(|| panic!("{form}: {location}")))
            .await;
        assert_eq!(told.status, 200);
        let html = told.text();
        assert!(
            html.contains(&format!(r#"href="{APP}/cart""#)),
            "a window of its own"
        );
        assert!(html.contains("To sign in, the browser has to keep cookies"));
    }
}

#[tokio::test]
async fn a_browser_that_keeps_cookies_is_asked_once_and_never_named() {
    let product = product().await;
    let guest = product.guest();
    let asked = guest.get_with("/filials?lang=ru", &FRAME).await;
    assert_eq!(
        (asked.status, asked.location().as_str()),
        (303, "/filials?lang=ru&framed")
    );
    let page = guest.get_with(&asked.location(), &FRAME).await;
    assert_eq!(page.status, 200);
    assert!(!page.text().contains("data-prefix"));
    assert_eq!(guest.get_with("/filials", &FRAME).await.status, 200);
    // Frames of strangers, and pages that are in none, are not asked.
    let other_guest = [FRAME[0], FRAME[1], ("referer", "https://evil.example/")];
    assert_eq!(
        product
            .guest()
            .get_with("/filials", &other_guest)
            .await
            .status,
        200
    );
    assert_eq!(product.guest().get("/filials").await.status, 200);
}

/// Somebody who knows a name sends a link with it to a guest, whose cart they would read.
#[tokio::test]
async fn a_name_in_a_link_is_nothing_to_a_browser_that_does_not_say_that_it_is_in_a_frame() {
    let product = product().await;
    let (frame, path) = Cookieless::open(&product, &format!("/filials/{VENUE}")).await;
    let link = format!("{}{path}", frame.prefix);
    for told in [&[][..], &[("sec-fetch-dest", "document")]] {
        let opened = product.guest().get_with(&link, told).await;
        assert_eq!((opened.status, opened.location()), (303, path.clone()));
    }
    assert_eq!(frame.get(&path).await.status, 200);
}

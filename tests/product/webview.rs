//! What the product is in a host app: which services it has, the way back to the host, the consent, and cookies in frames
//! (HB-08, HB-09, HB-10, HB-14, HB-16, S-02, SC-09).

use dastarkhan::features::consent::VERSION;
use serde_json::json;

use crate::support::{Answer, Guest, Product, VENUE};

/// A guest of a partner's app who has agreed.
async fn in_app(product: &Product) -> Guest {
    let guest = product.guest();
    guest.get("/legal/privacy?platform=android").await;
    guest.agree().await;
    guest
}

fn services(page: &Answer) -> (String, Vec<String>) {
    let shell = page.data()["shell"].clone();
    let all = shell["services"].as_array().unwrap();
    (
        shell["service"].as_str().unwrap().to_owned(),
        all.iter()
            .map(|one| one.as_str().unwrap().to_owned())
            .collect(),
    )
}

#[tokio::test]
async fn a_link_of_another_site_makes_no_app_of_a_browser() {
    let product = Product::start().await;
    let led = |dest: &'static str| [("sec-fetch-site", "cross-site"), ("sec-fetch-dest", dest)];
    for dest in ["document", "image", "script"] {
        let guest = product.guest();
        let page = guest.get_with("/?platform=ios", &led(dest)).await;
        assert!(services(&page).1.contains(&"delivery".to_owned()), "{dest}");
        assert_eq!(guest.cookie("platform"), None, "{dest}");
    }
    // An app opens it by itself, and a host's page in its frame.
    for headers in [&[("sec-fetch-site", "none")][..], &led("iframe"), &[]] {
        let guest = product.guest();
        guest.get_with("/legal/privacy?platform=ios", headers).await;
        assert_eq!(
            guest.cookie("platform").as_deref(),
            Some("ios"),
            "{headers:?}"
        );
    }
}

#[tokio::test]
async fn a_host_app_has_no_delivery_wherever_it_is_asked_for() {
    let product = Product::start().await;
    let app = in_app(&product).await;
    let browser = product.guest();
    for path in [
        "/",
        "/filials",
        "/search?q=a",
        "/filials/1013",
        "/brands",
        "/orders",
    ] {
        let deep = format!(
            "{path}{}service=delivery",
            if path.contains('?') { '&' } else { '?' }
        );
        for address in [path, &deep] {
            let page = app.get(address).await;
            assert!(
                !services(&page).1.contains(&"delivery".to_owned()),
                "{address}"
            );
            assert_ne!(services(&page).0, "delivery", "{address}");
            let html = page.rendered();
            assert!(!html.contains(r#"value="delivery""#), "{address}");
            assert!(!html.contains("#bike"), "the sign of delivery: {address}");
            assert!(!html.contains("type=delivery"), "{address}");
        }
    }
    // The address of a venue's delivery leads to what it has here.
    let list = browser.get("/filials?service=delivery").await.data();
    let venues = list["page"]["data"]["venues"].as_array().unwrap();
    let both = venues.iter().find(|venue| {
        let services = venue["services"].as_array().unwrap();
        services.contains(&json!("delivery")) && services.len() > 1
    });
    let near = format!("/filials/{}", both.unwrap()["id"]);
    let venue = browser.get(&near).await.data();
    let details = format!("{near}/details");
    assert!(browser.get(&details).await.rendered().contains("#bike"));
    assert!(!app.get(&details).await.rendered().contains("#bike"));
    let siblings = venue["page"]["data"]["venue"]["siblings"].clone();
    let siblings = siblings.as_array().unwrap();
    let delivery = siblings.iter().find(|one| one["service"] == "delivery");
    let delivery = delivery.unwrap()["id"].clone();
    let path = format!("/filials/{delivery}");
    assert_eq!(browser.get(&path).await.status, 200);
    let led = app.get(&path).await;
    assert_eq!(led.status, 303);
    assert_ne!(led.location(), path);
    let fields = [("service", "delivery"), ("back", "/filials")];
    app.post("/session/service", &fields).await;
    assert_ne!(services(&app.get("/filials").await).0, "delivery");
    // A browser has it.
    let shown = browser.get("/filials?service=delivery").await;
    assert_eq!(services(&shown).0, "delivery");
    assert!(shown.rendered().contains(r#"value="delivery""#));
}

#[tokio::test]
async fn a_host_app_begins_with_the_first_service_of_the_settings_else_with_takeaway() {
    for (setting, first) in [
        (None, "takeaway"),
        (Some("delivery,express,takeaway"), "express"),
        (Some("takeaway,express"), "takeaway"),
    ] {
        let arguments: Vec<&str> = setting
            .iter()
            .flat_map(|all| ["--services", *all])
            .collect();
        let product = Product::with(&arguments).await;
        let app = in_app(&product).await;
        let page = app.get("/filials").await;
        assert_eq!(services(&page).0, first, "{setting:?}");
        // Only the usual one gives way: what the guest has chosen stays.
        let fields = [("service", "express"), ("back", "/filials")];
        app.post("/session/service", &fields).await;
        assert_eq!(services(&app.get("/filials").await).0, "express");
    }
    let product = Product::start().await;
    assert_eq!(
        services(&product.guest().get("/filials").await).0,
        "express"
    );
}

#[tokio::test]
async fn the_header_of_a_host_app_leads_back_to_it_and_no_browser_is_given_that_page() {
    let product = Product::start().await;
    let app = in_app(&product).await;
    let path = format!("/filials/{VENUE}");
    // Asked for so often that its page is kept.
    for _ in 0..3 {
        let page = app.get(&path).await;
        assert!(page.rendered().contains("data-host"));
        let told = json!({ "user": null, "agreed": true });
        assert_eq!(page.data()["shell"]["host"], told);
        let page = product.guest().get(&path).await;
        assert!(!page.rendered().contains("data-host"));
        assert!(page.data()["shell"]["host"].is_null());
    }
}

#[tokio::test]
async fn a_partners_app_asks_for_consent_and_a_browser_does_not() {
    let product = Product::start().await;
    let app = product.guest();
    let path = format!("/filials/{VENUE}?fav=1");
    // Its page is kept, and shown to no guest of an app all the same.
    for _ in 0..3 {
        assert_eq!(product.guest().get(&path).await.status, 200);
    }
    let first = app.get(&format!("{path}&platform=ios")).await;
    assert_eq!(first.status, 303);
    let asked = first.location();
    assert!(asked.starts_with("/consent?back="), "{asked}");
    for lang in ["kk", "ru", "en"] {
        let page = app.get(&format!("{asked}&lang={lang}")).await;
        assert_eq!(page.status, 200);
        let html = page.rendered();
        assert!(html.contains("/legal/privacy") && html.contains(VERSION));
    }
    assert_eq!(app.get("/legal/privacy").await.status, 200);

    // A no blocks every page, and can be taken back.
    let no = [("answer", "no"), ("back", path.as_str())];
    let refused = app.post("/session/consent", &no).await.location();
    let page = app.get(&refused).await;
    assert_eq!(page.data()["page"]["data"]["refused"], true);
    for blocked in ["/", &path, "/cart", "/profile", "/orders"] {
        assert!(app.get(blocked).await.location().starts_with("/consent?"));
        let inside = app.get(&format!("/_data{blocked}")).await.json();
        assert!(
            inside["redirect"]
                .as_str()
                .unwrap()
                .starts_with("/consent?")
        );
    }
    // A yes to another text than the one of now is none.
    let old = [
        ("answer", "yes"),
        ("version", "2020-01-01"),
        ("back", &path),
    ];
    assert!(
        app.post("/session/consent", &old)
            .await
            .location()
            .starts_with("/consent?")
    );
    assert_eq!(app.get(&path).await.status, 303);
    let yes = [("answer", "yes"), ("version", VERSION), ("back", &path)];
    app.post("/session/consent", &yes).await;
    for open in ["/", &path, "/cart"] {
        assert_eq!(app.get(open).await.status, 200, "{open}");
    }
    // It leads to no other site, and another session is asked anew.
    let away = [
        ("answer", "yes"),
        ("version", VERSION),
        ("back", "//evil.example"),
    ];
    assert_eq!(app.post("/session/consent", &away).await.location(), "/");
    let other = app.another_browser();
    other.set_cookie("platform", "ios");
    assert!(other.get("/").await.location().starts_with("/consent?"));
}

#[tokio::test]
async fn cookies_of_a_frame_are_apart_and_only_for_pages_that_the_settings_name() {
    let partner = "https://partner.example";
    let product = Product::with(&[
        "--public-url",
        "https://app.example",
        "--host-origins",
        partner,
    ])
    .await;
    let frame = [
        ("sec-fetch-dest", "iframe"),
        ("sec-fetch-site", "cross-site"),
        ("referer", "https://partner.example/"),
    ];
    let all = |answer: &Answer| -> Vec<String> {
        let cookies = answer.headers.get_all("set-cookie");
        cookies
            .iter()
            .map(|one| one.to_str().unwrap().to_owned())
            .collect()
    };
    let link = crate::support::table_link(VENUE, "t7");
    let guest = product.guest();
    let asked = guest.get_with(&format!("{link}&lang=ru"), &frame).await;
    let first = guest.get_with(&asked.location(), &frame).await;
    // The other one is asked with, too: whether the frame is of our own site.
    let (own, asked) = all(&asked)
        .into_iter()
        .partition::<Vec<_>, _>(|one| one.starts_with("__Host-own="));
    assert!(own[0].ends_with("SameSite=Lax; Secure"), "{own:?}");
    let cookies = [asked, all(&first)].concat();
    assert!(
        cookies.len() >= 3,
        "session, language and the mark: {cookies:?}"
    );
    for cookie in &cookies {
        for part in ["SameSite=None", "Secure", "Partitioned", "Path=/"] {
            assert!(
                cookie.split("; ").any(|one| one == part),
                "{part}: {cookie}"
            );
        }
        assert!(!cookie.contains("Domain"), "{cookie}");
    }
    let session = cookies
        .iter()
        .find(|one| one.starts_with("__Host-dk-framed="))
        .unwrap();
    assert!(session.contains("HttpOnly"));
    // The session goes on in the frame, by fetches, too, and knows the table.
    let inside = guest.get(&format!("/_data/filials/{VENUE}")).await.json();
    assert_eq!(inside["shell"]["table"]["number"], "7");
    assert_eq!(inside["shell"]["lang"], "ru");

    // At the top, and in the frame of a stranger, they are the usual ones.
    let other_guest = [frame[0], frame[1], ("referer", "https://evil.example/")];
    for headers in [&[][..], &other_guest] {
        let answer = product.guest().get_with(&link, headers).await;
        for cookie in all(&answer) {
            assert!(cookie.contains("SameSite=Lax"), "{cookie}");
            assert!(!cookie.contains("Partitioned"), "{cookie}");
        }
    }
    // Another site may post nothing for the guest, framed or not (S-08).
    let foreign = guest
        .request(reqwest::Method::POST, "/cart/clear")
        .header("sec-fetch-site", "cross-site")
        .header("origin", partner)
        .form(&[("back", "/")]);
    assert_eq!(guest.send(foreign).await.status, 403);
    // Who may have us in a frame is named, and what the page may pass on to the frame is ours to use.
    let policy = first.header("content-security-policy");
    assert!(
        policy.contains("frame-ancestors https://partner.example;"),
        "{policy}"
    );
    assert_eq!(first.header("x-frame-options"), "");
    let scanner = guest.get("/filials/1201/barcode-scanner").await;
    let permissions = scanner.header("permissions-policy").to_owned();
    assert!(permissions.contains("camera=(self)") && permissions.contains("geolocation=(self)"));
    assert!(!permissions.contains("clipboard-write=()"));
}

/// What a document says of itself that is opened in a tab, and what its scripts say.
const TAB: [(&str, &str); 2] = [("sec-fetch-dest", "document"), ("sec-fetch-site", "none")];
const SCRIPT: [(&str, &str); 2] = [
    ("sec-fetch-dest", "empty"),
    ("sec-fetch-site", "same-origin"),
];

async fn table_of(guest: &Guest, headers: &[(&str, &str)]) -> serde_json::Value {
    let path = format!("/_data/filials/{VENUE}");
    let data = guest.get_with(&path, headers).await.json();
    data["shell"]["table"]["number"].clone()
}

/// `burger.kz` around `order.burger.kz`: one site to a browser, which sends all cookies to both.
#[tokio::test]
async fn a_frame_of_our_own_site_and_a_tab_are_one_guest() {
    let product = Product::with(&[
        "--public-url",
        "https://order.burger.kz",
        "--host-origins",
        "https://burger.kz",
    ])
    .await;
    let frame = [
        ("sec-fetch-dest", "iframe"),
        ("sec-fetch-site", "same-site"),
        ("referer", "https://burger.kz/"),
    ];
    let inside = [frame[0], ("sec-fetch-site", "same-origin")];
    let link = crate::support::table_link(VENUE, "t7");
    for frame_first in [true, false] {
        let guest = product.guest();
        if frame_first {
            let asked = guest.get_with(&link, &frame).await;
            assert_eq!(asked.status, 303);
            assert_eq!(guest.get_with(&asked.location(), &frame).await.status, 200);
        } else {
            assert_eq!(guest.get_with(&link, &TAB).await.status, 200);
            assert_eq!(guest.get_with("/faq", &frame).await.status, 200, "unasked");
        }
        for headers in [&frame[..], &inside, &TAB, &SCRIPT] {
            assert_eq!(table_of(&guest, headers).await, "7", "{headers:?}");
        }
        assert!(guest.cookie("__Host-dk").is_some());
        assert_eq!(guest.cookie("__Host-dk-framed"), None);
    }
}

/// A browser that keeps cookies of frames without their site sends them to a tab, too.
#[tokio::test]
async fn a_mark_that_comes_to_a_tab_takes_its_session_from_nobody() {
    let product = Product::with(&[
        "--public-url",
        "https://app.example",
        "--host-origins",
        "https://partner.example",
    ])
    .await;
    let link = crate::support::table_link(VENUE, "t7");
    for began in ["before", "with it"] {
        let guest = product.guest();
        if began == "before" {
            guest.get_with(&link, &TAB).await;
        }
        guest.set_cookie("__Host-framed", "1");
        guest.set_cookie("__Host-dk-framed", "A-session-of-the-frame");
        if began == "with it" {
            guest.get_with("/faq", &TAB).await;
            guest.get_with(&link, &SCRIPT).await;
        }
        for headers in [&TAB, &SCRIPT] {
            assert_eq!(table_of(&guest, headers).await, "7", "{began}: {headers:?}");
        }
        let form = guest
            .request(reqwest::Method::POST, "/session/age")
            .header("sec-fetch-dest", "document")
            .header("sec-fetch-site", "same-origin")
            .form(&[("answer", "yes"), ("back", "/faq")]);
        let answer = guest.send(form).await;
        assert_eq!((answer.status, answer.location()), (303, "/faq".to_owned()));
        let framed = guest.cookie("__Host-dk-framed");
        assert_eq!(framed.as_deref(), Some("A-session-of-the-frame"), "{began}");
    }
}

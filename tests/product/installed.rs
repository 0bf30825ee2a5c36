//! The installed app: its manifest, its service worker and how to be rid of that, notifications (PW-01, PW-03, PU-03, PU-04).

use serde_json::Value;

use crate::{
    sign_in::sign_in,
    support::{Product, VENUE, table_link},
};

const LINK: &str = "link[rel=manifest]";

/// Address of the manifest that a document names.
fn manifest_of(page: &crate::support::Answer) -> Option<String> {
    let html = scraper::Html::parse_document(&page.text());
    let link = html
        .select(&scraper::Selector::parse(LINK).unwrap())
        .next()?;
    link.value().attr("href").map(str::to_owned)
}

#[tokio::test]
async fn the_manifest_is_that_of_the_country_in_the_language_of_the_page() {
    let product = Product::start().await;
    for (query, lang, country, name) in [
        ("lang=kk&country=kz", "kk", "kz", "Дастарқан"),
        ("lang=ru&country=kz", "ru", "kz", "Дастархан"),
        ("lang=en&country=ge", "en", "ge", "Dastarkhan"),
        ("lang=ka&country=ge", "ka", "ge", "დასტარხანი"),
    ] {
        let page = product.guest().get(&format!("/?{query}")).await;
        let address = manifest_of(&page).unwrap();
        // Browsers send no cookies with it.
        let answer = product.guest().get(&address).await;
        assert_eq!(answer.header("content-type"), "application/manifest+json");
        let manifest = answer.json();
        assert_eq!(manifest["lang"], lang);
        assert_eq!(manifest["name"], name, "{lang}");
        assert_eq!(manifest["start_url"], format!("/?country={country}"));
        assert_eq!(
            (&manifest["id"], &manifest["scope"]),
            (&"/".into(), &"/".into())
        );
        assert!(manifest["theme_color"].as_str().unwrap().starts_with('#'));
        let icons = manifest["icons"].as_array().unwrap();
        assert!(icons.iter().any(|icon| icon["purpose"] == "maskable"));
        for icon in icons {
            let file = product.guest().get(icon["src"].as_str().unwrap()).await;
            assert_eq!(file.status, 200, "{icon}");
            if icon["type"] == "image/png" {
                let picture = image::load_from_memory(&file.body).unwrap();
                let size = format!("{}x{}", picture.width(), picture.height());
                assert_eq!(icon["sizes"], size);
            }
        }
    }
}

#[tokio::test]
async fn an_installation_of_one_brand_is_called_by_it() {
    let product = Product::with(&["--brand-id", "9"]).await;
    let manifest = product
        .guest()
        .get("/manifest.webmanifest?lang=ru")
        .await
        .json();
    assert_eq!(manifest["name"], "Тамшы Кофе");
    let fails = Product::with(&["--brand-id", "999999"]).await;
    let manifest = fails
        .guest()
        .get("/manifest.webmanifest?lang=ru")
        .await
        .json();
    assert_eq!(manifest["name"], "Дастархан");
}

#[tokio::test]
async fn there_is_no_install_prompt_at_a_table_on_a_tablet_or_in_a_host_app() {
    let product = Product::start().await;
    let guest = product.guest();
    assert!(manifest_of(&guest.get("/").await).is_some());
    for path in [
        table_link(VENUE, "t7"),
        format!("/filials/{VENUE}"),
        "/".to_owned(),
    ] {
        let page = guest.get(&path).await;
        assert_eq!(page.status, 200);
        assert_eq!(manifest_of(&page), None, "{path}");
    }
    let tablet = product.guest();
    let page = tablet.get("/kiosk/filials/1043?source=TABLET").await;
    assert_eq!((page.status, manifest_of(&page)), (200, None));
    let host = product.guest();
    assert_eq!(manifest_of(&host.get("/?platform=android").await), None);
    assert_eq!(manifest_of(&host.get("/faq").await), None, "later as well");
}

#[tokio::test]
async fn the_worker_is_looked_at_anew_and_a_switch_serves_one_that_takes_itself_away() {
    let product = Product::start().await;
    let worker = product.guest().get("/worker.js").await;
    assert_eq!(worker.status, 200);
    assert_eq!(worker.header("content-type"), "text/javascript");
    assert_eq!(worker.header("cache-control"), "no-cache");
    assert!(
        worker
            .header("content-security-policy")
            .contains("connect-src 'self'")
    );
    assert!(worker.text().contains("offline.css"));
    assert!(!worker.text().contains("unregister"));
    assert_eq!(product.guest().get("/static/offline.css").await.status, 200);

    let off = Product::with(&["--service-worker", "off"]).await;
    let worker = off.guest().get("/worker.js").await;
    assert_eq!(worker.header("cache-control"), "no-cache");
    let text = worker.text();
    for what in ["skipWaiting()", "caches.delete", "unregister()"] {
        assert!(text.contains(what), "{what}");
    }
    assert!(!text.contains("fetch"), "it answers nothing");
}

#[tokio::test]
async fn an_opened_notification_is_told_by_what_the_device_was_registered_with() {
    let product = Product::with(&["--push-project", "shop"]).await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let opened = [("id", "note-17"), ("back", "/orders")];
    let calls = async || -> Vec<Value> {
        let mut log = product.sandbox_get("log").await;
        log.retain(|call| call["path"] == "/push-gateway/v1/notifications/note-17/open");
        log
    };
    guest.post_json("/session/push/opened", &opened).await;
    assert!(calls().await.is_empty(), "nobody was told anything");
    sign_in(&product, &guest, "/").await;
    let push = [("token", "push-token-1"), ("analyticDeviceID", "a-1")];
    // Why a registration fails is in the log alone (PU-04); the device hears that it is not registered.
    product.fail("/api/v2/push-gateway/token", 500).await;
    let answer = guest.post_json("/session/push", &push).await;
    assert_eq!(answer.status, 422, "{}", answer.text());
    assert_eq!(answer.json()["flash"]["errors"][0]["code"], "unavailable");
    let logs = product.logs();
    let warned = |line: &str| line.contains("WARN") && line.contains("push");
    assert!(logs.lines().any(warned), "{logs}");
    product.no_faults().await;
    assert_eq!(guest.post_json("/session/push", &push).await.status, 200);
    assert_eq!(
        guest
            .post_json("/session/push/opened", &opened)
            .await
            .status,
        200
    );
    let calls = calls().await;
    let body: Value = serde_json::from_str(calls[0]["body"].as_str().unwrap()).unwrap();
    assert_eq!(body["analytic_device_id"], "a-1");
    assert_eq!(body["project"], "shop");
    assert_eq!(body["token"], "push-token-1");
    let at = body["opened_at"].as_str().unwrap();
    assert!(at.ends_with('Z') && at.starts_with("20"), "{at}");
    for wrong in ["", "../../x", "a b"] {
        let told = guest
            .post_json("/session/push/opened", &[("id", wrong)])
            .await;
        assert_eq!(told.status, 422, "{wrong}");
    }
    product.fail("/push-gateway", 500).await;
    assert_eq!(
        guest
            .post_json("/session/push/opened", &opened)
            .await
            .status,
        200
    );
    assert!(!product.logs().contains("push-token-1"));
}

#[tokio::test]
async fn a_token_of_a_host_app_is_registered_with_what_the_device_runs() {
    let product = Product::start().await;
    for (query, os) in [
        ("", "web"),
        ("&platform=ios", "ios"),
        ("&platform=android", "android"),
    ] {
        let guest = product.guest();
        guest
            .get(&format!("{}{query}", table_link(VENUE, "t7")))
            .await;
        sign_in(&product, &guest, "/").await;
        product.forget_log().await;
        let token = format!("token-of-{os}");
        let answer = guest
            .post_json("/session/push", &[("token", token.as_str())])
            .await;
        assert_eq!(answer.status, 200);
        let log = product.sandbox_get("log").await;
        let call = log
            .iter()
            .find(|call| call["path"] == "/api/v2/push-gateway/token")
            .unwrap();
        assert_eq!(call["headers"]["x-os"], os);
        assert!(call["body"].as_str().unwrap().contains(&token));
    }
}

//! Static files and pictures, and the byte budgets of architecture.md.

use crate::support::{Product, VENUE, eventually, table_link};

/// Bytes of the Menu page with 60 products as sent, critical styles and data included.
const MENU_PAGE: usize = 14 * 1024;
/// Bytes of all scripts and of all styles of a first Menu visit, as sent.
const SCRIPTS: usize = 115 * 1024;
const STYLES: usize = 8 * 1024;

#[tokio::test]
async fn the_menu_page_and_its_scripts_keep_their_budgets() {
    let product = Product::start().await;
    for lang in ["kk", "ru", "en"] {
        let guest = product.guest();
        let link = format!("{}&lang={lang}", table_link(VENUE, "t7"));
        let page = guest
            .get_with(&link, &[("accept-encoding", "br"), ("accept", "text/html")])
            .await;
        assert_eq!(page.header("content-encoding"), "br");
        println!(
            "menu page, {lang}: {} bytes of {MENU_PAGE}",
            page.body.len()
        );
        assert!(
            page.body.len() <= MENU_PAGE,
            "{lang}: {} bytes",
            page.body.len()
        );
    }
    // The page that search engines and everybody without a code get: with structured data, and kept.
    for lang in ["kk", "ru", "en"] {
        let path = format!("/filials/{VENUE}?lang={lang}");
        let guest = product.guest();
        let sent = || async {
            let headers = [("accept-encoding", "br"), ("accept", "text/html")];
            guest.get_with(&path, &headers).await.body.len()
        };
        println!("public menu page, {lang}: {} bytes at first", sent().await);
        // What is asked for again is packed well, aside.
        let size = eventually(60, || async {
            let size = sent().await;
            (size <= MENU_PAGE).then_some(size)
        })
        .await;
        println!("public menu page, {lang}: {size} bytes");
    }
    let guest = product.guest();
    let html = guest.get(&table_link(VENUE, "t7")).await.text();
    let mut scripts = 0;
    for file in addresses(&html, ".js") {
        let answer = guest.get_with(&file, &[("accept-encoding", "br")]).await;
        assert_eq!(answer.status, 200, "{file}");
        assert_eq!(
            answer.header("cache-control"),
            "public, max-age=31536000, immutable"
        );
        assert_eq!(answer.header("content-encoding"), "br");
        scripts += answer.body.len();
    }
    println!("scripts of a first menu visit: {scripts} bytes of {SCRIPTS}");
    assert!(scripts > 0 && scripts <= SCRIPTS, "{scripts}");
    let critical = html
        .split_once("<style>")
        .unwrap()
        .1
        .split_once("</style>")
        .unwrap()
        .0;
    let mut packed = Vec::new();
    brotli::BrotliCompress(
        &mut critical.as_bytes(),
        &mut packed,
        &brotli::enc::BrotliEncoderParams::default(),
    )
    .unwrap();
    println!(
        "styles of a first menu visit: {} bytes of {STYLES}",
        packed.len()
    );
    assert!(packed.len() <= STYLES, "{}", packed.len());
}

#[tokio::test]
async fn no_address_of_a_first_page_leads_elsewhere() {
    let product = Product::start().await;
    let html = product.guest().get(&table_link(VENUE, "t7")).await.text();
    for address in html
        .split(['"', '\'', ' ', ','])
        .filter(|part| part.starts_with("http") || part.starts_with("//"))
    {
        let own = address.starts_with(&product.web)
            || address.starts_with("http://www.w3.org/")
            || address.starts_with("https://schema.org");
        assert!(own, "{address}");
    }
}

#[tokio::test]
async fn a_page_opened_before_a_new_build_still_gets_its_files() {
    let product = Product::start().await;
    let old = product.folder.join("builds").join("0ldbu1ld");
    std::fs::create_dir_all(&old).unwrap();
    std::fs::write(old.join("menu-0LD.js"), "export {}").unwrap();
    let guest = product.guest();
    assert_eq!(guest.get("/assets/menu-0LD.js").await.status, 200);
    for wrong in [
        "/assets/none-XXXX.js",
        "/assets/..%2f..%2fstate.sqlite",
        "/assets/.hidden",
    ] {
        assert_eq!(guest.get(wrong).await.status, 404, "{wrong}");
    }
}

fn addresses(html: &str, ending: &str) -> Vec<String> {
    let mut found: Vec<String> = html
        .split(['"', ' '])
        .filter(|part| part.starts_with("/assets/") && part.ends_with(ending))
        .map(str::to_owned)
        .collect();
    found.sort();
    found.dedup();
    found
}

#[tokio::test]
async fn whose_work_the_product_contains_is_told_with_its_licences_and_linked() {
    let product = Product::start().await;
    let guest = product.guest();
    let notices = guest.get("/legal/notices").await;
    assert_eq!(notices.status, 200);
    assert_eq!(notices.header("content-type"), "text/plain; charset=utf-8");
    let text = notices.text();
    for wanted in [
        "react ",
        "react-dom ",
        "react-router ",
        "leaflet ",
        "lucide-static ",
        "@lobehub/fluent-emoji-3d ",
        "SIL OPEN FONT LICENSE",
        "Permission is hereby granted, free of charge",
    ] {
        assert!(text.contains(wanted), "{wanted}");
    }
    for (lang, name) in [
        ("kk", "Лицензиялар"),
        ("ru", "Лицензии"),
        ("en", "Licences"),
        ("ka&country=ge", "ლიცენზიები"),
    ] {
        let page = guest
            .get(&format!("/legal/terms?lang={lang}"))
            .await
            .rendered();
        let link = format!("<a href=\"/legal/notices\" hrefLang=\"en\">{name}</a>");
        assert!(page.contains(&link), "{lang}");
    }
    // Nothing leads back from a text on a tablet.
    let tablet = product.guest();
    tablet.get("/filials/1043?source=TABLET").await;
    let page = tablet.get("/legal/terms").await.rendered();
    assert!(!page.contains("/legal/notices"));
}

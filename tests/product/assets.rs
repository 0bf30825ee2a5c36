//! Static files and pictures, and the byte budgets of architecture.md.

use std::{
    collections::BTreeSet,
    path::Path,
    time::{Duration, SystemTime},
};

use serde_json::{Value, json};

use crate::{
    orders::press,
    support::{
        Guest, Product, VENUE, client, not_run, order_fields, plain_products, products, table_link,
    },
};

/// Bytes of the Menu page with 60 products as sent, critical styles and data included. The addresses of photos are signed
/// with keys of each start, by which it differs by some tens.
const MENU_PAGE: usize = 14 * 1024;
/// Bytes of all scripts and of all styles of a first Menu visit, as sent.
const SCRIPTS: usize = 88_000;
const STYLES: usize = 7_000;

/// What is sent to somebody who asks for an address that nobody has asked for: packed for this one answer.
async fn sent_first(guest: &Guest, path: &str) -> usize {
    let headers = [("accept-encoding", "br"), ("accept", "text/html")];
    let page = guest.get_with(path, &headers).await;
    assert_eq!(page.status, 200, "{path}");
    assert_eq!(page.header("content-encoding"), "br");
    let mut html = Vec::new();
    brotli::BrotliDecompress(&mut &page.body[..], &mut html).unwrap();
    let html = String::from_utf8(html).unwrap();
    assert!(html.starts_with("<!doctype html>") && html.trim_end().ends_with("</html>"));
    let heads: usize = page
        .headers
        .iter()
        .map(|(name, value)| name.as_str().len() + value.len() + 4)
        .sum();
    println!("{:>6} {heads:>5}  {path}", page.body.len());
    page.body.len()
}

async fn keeps_budget(product: &Product, path: &str) {
    let sent = sent_first(&product.guest(), path).await;
    assert!(sent <= MENU_PAGE, "{path}: {sent} bytes");
}

#[tokio::test]
async fn the_first_request_gets_a_menu_of_sixty_dishes_within_its_budget() {
    let product = Product::start().await;
    println!("  body heads  first asked, brotli; at most {MENU_PAGE}");
    for lang in ["kk", "ru", "en"] {
        // The page that everybody without a code gets, with structured data, and that of a table.
        keeps_budget(&product, &format!("/filials/{VENUE}?lang={lang}")).await;
        keeps_budget(
            &product,
            &format!("{}&lang={lang}", table_link(VENUE, "t7")),
        )
        .await;
    }
    // Georgian menus have forty dishes: one of them gets what is missing from another.
    let (venue, other) = (2013, 2033);
    let mut menu = menu_of(&product, venue).await;
    menu.extend(menu_of(&product, other).await);
    let mut left = 60;
    let mut seen = BTreeSet::new();
    for category in &mut menu {
        let dishes = category["relationships"]["products"]["data"].as_array_mut();
        let dishes = dishes.unwrap();
        dishes.retain(|dish| seen.insert(dish["product_id"].as_u64().unwrap()));
        dishes.truncate(left);
        left -= dishes.len();
    }
    let values = json!({ "/data": menu });
    product.replace("/menu/v2/category/products", values).await;
    keeps_budget(&product, &format!("/filials/{venue}?lang=ka&country=ge")).await;
    let link = format!("{}&lang=ka&country=ge", table_link(venue, "t1"));
    keeps_budget(&product, &link).await;
    let shown = product
        .guest()
        .data(&format!("/filials/{venue}?lang=ka"))
        .await;
    assert_eq!(products(&shown).count(), 60);
}

/// The categories of a Georgian menu as the sandbox tells them.
async fn menu_of(product: &Product, venue: u64) -> Vec<Value> {
    let url = format!(
        "{}/menu/v2/category/products?filial_id={venue}",
        product.sandbox
    );
    let ask = client().get(url).header("accept-language", "ka");
    let menu: Value = ask.send().await.unwrap().json().await.unwrap();
    menu["data"].as_array().unwrap().clone()
}

#[tokio::test]
async fn first_views_of_other_pages_are_as_small() {
    let product = Product::start().await;
    println!("  body heads  first asked, brotli; at most {MENU_PAGE}");
    for path in [
        "/?lang=ru",
        "/filials?lang=ru",
        "/brands?lang=ru",
        "/search?q=лагман&lang=ru",
        "/town?lang=ru",
    ] {
        keeps_budget(&product, path).await;
    }
    for path in ["details", "search"] {
        keeps_budget(&product, &format!("/filials/{VENUE}/{path}?lang=ru")).await;
    }
    let guest = product.guest_at_table(VENUE, "t7").await;
    guest.get("/?lang=ru").await;
    let menu = guest.data(&format!("/filials/{VENUE}")).await;
    for (dish, _) in plain_products(&menu).into_iter().take(8) {
        assert_eq!(guest.add(VENUE, dish).await.status, 303);
    }
    assert!(sent_first(&guest, "/cart").await <= MENU_PAGE);
    let cart = guest.data("/cart").await;
    let order = press(&guest, &order_fields(&cart)).await.location();
    assert!(sent_first(&guest, &order).await <= MENU_PAGE, "{order}");
}

#[tokio::test]
async fn a_first_menu_visit_keeps_the_budgets_of_scripts_and_styles() {
    let product = Product::start().await;
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
    // This build has left its own files for the next one.
    let page = guest.get("/").await.text();
    let names = addresses(&page, ".js");
    assert!(!names.is_empty());
    let builds = product.folder.join("builds");
    for name in names {
        let name = name.rsplit('/').next().unwrap();
        let mut builds = std::fs::read_dir(&builds).unwrap().flatten();
        assert!(builds.any(|one| one.path().join(name).is_file()), "{name}");
    }
}

/// R-19: by their age, whatever they are called.
#[tokio::test]
async fn the_first_start_of_a_build_leaves_the_files_of_the_two_before_it() {
    let product = Product::start().await;
    let builds = product.folder.join("builds");
    // As if the binary were one that has never run on this folder.
    std::fs::remove_dir_all(&builds).unwrap();
    for (name, day) in [("aaaa", 2), ("bbbb", 1), ("cccc", 3)] {
        let build = builds.join(name);
        std::fs::create_dir_all(&build).unwrap();
        std::fs::write(build.join(format!("menu-{name}.js")), "export {}").unwrap();
        let folder = std::fs::File::open(&build).unwrap();
        let then = SystemTime::UNIX_EPOCH + Duration::from_secs(day * 86_400);
        folder.set_modified(then).unwrap();
    }
    let product = product.killed_and_started_again().await;
    let guest = product.guest();
    for (name, status) in [("aaaa", 200), ("bbbb", 404), ("cccc", 200)] {
        let path = format!("/assets/menu-{name}.js");
        assert_eq!(guest.get(&path).await.status, status, "{name}");
    }
}

/// SR-11: the next build would forget the files of the one before it first, as they are the oldest.
#[tokio::test]
async fn a_build_that_is_gone_back_to_is_the_newest_again() {
    let product = Product::start().await;
    let builds = product.folder.join("builds");
    let own = std::fs::read_dir(&builds).unwrap().next().unwrap().unwrap();
    for name in ["aaaa", "bbbb"] {
        std::fs::create_dir(builds.join(name)).unwrap();
    }
    for (name, day) in [(own.file_name(), 1), ("aaaa".into(), 2), ("bbbb".into(), 3)] {
        let then = SystemTime::UNIX_EPOCH + Duration::from_secs(day * 86_400);
        let folder = std::fs::File::open(builds.join(name)).unwrap();
        folder.set_modified(then).unwrap();
    }
    let product = product.killed_and_started_again().await;
    let builds = std::fs::read_dir(product.folder.join("builds")).unwrap();
    let newest = builds
        .flatten()
        .max_by_key(|build| build.metadata().unwrap().modified().unwrap());
    assert_eq!(newest.unwrap().file_name(), own.file_name());
}

/// R-19: browsers keep a file of an older build for a year, also half of one.
#[tokio::test]
async fn files_that_a_kill_or_a_full_disk_cut_off_are_not_left_for_later_builds() {
    let upstream = Product::start().await;
    let product = Product::in_front_of(&upstream).await;
    let builds = product.folder.join("builds");
    let own = std::fs::read_dir(&builds)
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let script = |folder: &Path| {
        let mut files = std::fs::read_dir(folder).unwrap().flatten();
        let file = files.find(|file| file.path().extension().is_some_and(|it| it == "js"));
        file.unwrap().path()
    };
    let cut = script(&own);
    let whole = std::fs::read(&cut).unwrap();
    std::fs::write(&cut, &whole[..10]).unwrap();
    let unfinished = builds.join("0ldbu1ld.new");
    std::fs::create_dir(&unfinished).unwrap();
    std::fs::write(unfinished.join("half-0LD.js"), "export").unwrap();
    let half = product.guest().get("/assets/half-0LD.js").await;
    assert_eq!(half.status, 404);
    let _again = product.beside().await;
    assert_eq!(std::fs::read(&cut).unwrap(), whole);
    assert!(!unfinished.exists());

    let Some(full) = product.on_a_copy(true).await else {
        not_run("files_that_a_kill_or_a_full_disk_cut_off_are_not_left_for_later_builds");
        return;
    };
    let builds = std::fs::read_dir(full.inside().join("builds"));
    assert_eq!(builds.into_iter().flatten().count(), 0);
}

pub fn addresses(html: &str, ending: &str) -> Vec<String> {
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
        "tokio ",
        "V8 (BSD-3-Clause)",
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
    tablet.get("/kiosk/filials/1043?source=TABLET").await;
    let page = tablet.get("/kiosk/legal/terms").await.rendered();
    assert!(!page.contains("/legal/notices"));
}

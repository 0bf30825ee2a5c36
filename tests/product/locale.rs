//! Language and country on the first byte (LC-01 to LC-04).

use serde_json::json;

use crate::support::{Product, VENUE, eventually, table_link};

#[tokio::test]
async fn language_is_query_then_stored_then_the_countrys_default() {
    let product = Product::start().await;
    let guest = product.guest();
    let lang = async |path: &str| {
        guest.get(path).await.data()["shell"]["lang"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert_eq!(lang("/").await, "kk");
    assert_eq!(
        lang("/?lang=ka").await,
        "kk",
        "Georgian is not offered in Kazakhstan"
    );
    assert_eq!(lang("/?lang=ru").await, "ru");
    assert_eq!(lang("/").await, "ru", "it is remembered");
    assert_eq!(
        lang("/?lang=xx").await,
        "ru",
        "nonsense falls to the next source"
    );
    assert_eq!(
        lang("/?country=ge").await,
        "ru",
        "Russian is offered in Georgia, too"
    );
    assert_eq!(lang("/?country=ge&lang=ka").await, "ka");
}

#[tokio::test]
async fn the_hosts_last_segment_names_the_country() {
    let product = Product::start().await;
    let guest = product.guest();
    for (host, country, lang) in [
        ("food.example.ge", "ge", "ka"),
        ("food.example.kz", "kz", "kk"),
        ("food.example.com", "kz", "kk"),
        ("FOOD.EXAMPLE.GE.:8080", "ge", "ka"),
    ] {
        let data = guest.get_with("/", &[("host", host)]).await.data();
        assert_eq!(
            (
                data["shell"]["country"].as_str().unwrap(),
                data["shell"]["lang"].as_str().unwrap()
            ),
            (country, lang),
            "{host}"
        );
    }
    let page = guest
        .get_with("/", &[("host", "food.example.ge")])
        .await
        .data();
    assert_eq!(page["shell"]["money"]["code"], "GEL");
    assert_eq!(page["shell"]["money"]["symbol"], "₾");
    assert_eq!(page["shell"]["utcOffset"], 240);
    assert_eq!(
        page["shell"]["langs"],
        serde_json::json!(["ka", "ru", "en"])
    );
}

#[tokio::test]
async fn a_remembered_country_holds_where_the_host_names_none() {
    let product = Product::start().await;
    let guest = product.guest();
    guest.get("/?country=ge").await;
    assert_eq!(guest.get("/").await.data()["shell"]["country"], "ge");
    assert_eq!(
        guest
            .get_with("/", &[("host", "food.example.kz")])
            .await
            .data()["shell"]["country"],
        "kz"
    );
    assert_eq!(
        guest.get("/?country=kz").await.data()["shell"]["country"],
        "kz"
    );
}

#[tokio::test]
async fn a_page_is_in_one_language_from_its_title_to_its_dishes() {
    let product = Product::start().await;
    let guest = product.guest();
    guest.get(&table_link(VENUE, "t7")).await;
    let mut names = std::collections::BTreeSet::new();
    for (lang, text) in [
        ("kk", "Мазмұнға өту"),
        ("ru", "Перейти к содержанию"),
        ("en", "Skip to content"),
    ] {
        let page = guest.get(&format!("/filials/{VENUE}?lang={lang}")).await;
        assert!(page.text().contains(&format!("<html lang=\"{lang}\"")));
        let data = page.data();
        assert_eq!(data["shell"]["table"]["number"], "7", "the table stays");
        names.insert(
            data["page"]["data"]["categories"][1]["name"]
                .as_str()
                .unwrap()
                .to_owned(),
        );
        assert!(
            page.rendered()
                .to_lowercase()
                .contains(&text.to_lowercase()),
            "{lang}: {text}"
        );
    }
    assert_eq!(
        names.len(),
        3,
        "category names differ by language: {names:?}"
    );
}

#[tokio::test]
async fn a_missing_country_answer_starts_with_the_built_in_one() {
    let upstream = Product::start().await;
    upstream.fail("/locations/v1/countries", 500).await;
    // It is gone from the very start: no answer of before is remembered.
    let product = Product::in_front_of(&upstream).await;
    let page = product.guest().get("/").await;
    assert_eq!(page.status, 200);
    let data = page.data();
    assert_eq!(data["shell"]["money"]["code"], "KZT");
    assert_eq!(data["shell"]["utcOffset"], 300);
    // Its towns have a call of their own, with the country's id.
    assert_eq!(data["shell"]["town"]["id"], 1, "{}", data["shell"]["town"]);
    let towns = product.guest().get("/town").await.data();
    assert_eq!(towns["page"]["data"]["towns"].as_array().unwrap().len(), 19);
    let asked = upstream.queries("/locations/v2/towns").await;
    // At its start the server asks for the towns of both countries, in no certain order.
    assert!(asked.iter().any(|query| query["country_id"] == "1"));
}

#[tokio::test]
async fn towns_are_called_by_their_keys_else_as_the_upstream_writes_them() {
    let upstream = Product::start().await;
    let names = json!({
        "/data/towns/0/name": "Alma-Ata",
        "/data/towns/1/name": "Aqmola",
        "/data/towns/1/translit_name": "town.aqmola",
    });
    upstream.replace("/locations/v1/countries/1", names).await;
    let product = Product::in_front_of(&upstream).await;
    let guest = product.guest();
    for (lang, almaty, uralsk) in [
        ("kk", "Алматы", "Орал"),
        ("ru", "Алматы", "Уральск"),
        ("en", "Almaty", "Uralsk"),
    ] {
        let page = guest.get(&format!("/town?lang={lang}")).await.data();
        let towns = page["page"]["data"]["towns"].as_array().unwrap();
        for name in [almaty, uralsk, "Aqmola"] {
            assert!(
                towns.iter().any(|town| town["name"] == name),
                "{lang}: {name}"
            );
        }
        assert_eq!(page["shell"]["town"]["name"], almaty);
        let details = guest.get(&format!("/filials/{VENUE}/details")).await.data();
        assert_eq!(details["page"]["data"]["town"], almaty, "{lang}");
    }
}

#[tokio::test]
async fn lists_are_of_the_stored_town_while_no_town_can_be_known() {
    let upstream = Product::start().await;
    upstream.fail("/locations", 500).await;
    let product = Product::in_front_of(&upstream).await;
    upstream.forget_log().await;
    let stored = product.guest();
    stored
        .get_with("/filials?q=a", &[("cookie", "townId=3")])
        .await;
    product.guest().get("/filials?q=a").await;
    let asked = upstream.queries("/takeaway/v2/locations").await;
    let towns: Vec<_> = asked.iter().map(|query| query.get("town_id")).collect();
    assert_eq!(towns[0], Some(&"3".to_owned()), "{asked:?}");
    assert_eq!(towns.last(), Some(&Some(&"1".to_owned())), "{asked:?}");
}

#[tokio::test]
async fn the_country_tells_which_languages_are_offered_and_which_is_the_default() {
    let product = Product::with(&["--catalogue-fresh-ms", "50", "--page-fresh-ms", "0"]).await;
    let built_in = product.guest().get("/").await.data();
    assert_eq!(built_in["shell"]["langs"], json!(["kk", "ru", "en"]));
    assert_eq!(built_in["shell"]["fallback"], "ru");
    let values = json!({
        "/data/supportedLanguages": ["kk", "ru", "de"],
        "/data/defaultLocale": "ru",
        "/data/fallbackLocale": "kk",
    });
    let fault = json!({ "path": "/locations/v1/countries/1", "kind": "replace", "values": values });
    product.control("faults", fault).await;
    let shell = eventually(20, async || {
        let shell = product.guest().get("/").await.data()["shell"].clone();
        (shell["lang"] == "ru").then_some(shell)
    })
    .await;
    assert_eq!(shell["langs"], json!(["ru", "kk"]), "{shell}");
    assert_eq!(shell["fallback"], "kk");

    // What it does not offer falls to the next source, also for errors that are written without the upstream.
    let guest = product.guest();
    assert_eq!(guest.get("/?lang=en").await.data()["shell"]["lang"], "ru");
    guest.set_cookie("lang", "en");
    assert_eq!(guest.get("/").await.data()["shell"]["lang"], "ru");
    assert_eq!(guest.get("/?lang=kk").await.data()["shell"]["lang"], "kk");
    let picker = product.guest().get("/language").await;
    assert_eq!(picker.texts("main a[lang]"), ["Русский", "Қазақша"]);
    let refused = product.guest().request(reqwest::Method::DELETE, "/cart");
    let refused = product.guest().send(refused).await.text();
    assert!(refused.contains(r#"<html lang="ru""#), "{refused}");

    // Search engines get the same: the default one is bare.
    let page = product.guest().get("/filials/1013").await.text();
    let page = scraper::Html::parse_document(&page);
    let own = scraper::Selector::parse("link[rel=canonical]").unwrap();
    assert_eq!(
        page.select(&own).next().unwrap().attr("href").unwrap(),
        format!("http://{}/filials/1013", product.address())
    );
    for (lang, query) in [("ru", ""), ("kk", "?lang=kk"), ("x-default", "")] {
        let selector = format!("link[rel=alternate][hreflang={lang}]");
        let links = scraper::Selector::parse(&selector).unwrap();
        let link = page.select(&links).next().unwrap();
        assert_eq!(
            link.attr("href").unwrap(),
            format!("http://{}/filials/1013{query}", product.address())
        );
    }
    let index = product.guest().get("/sitemap.xml").await.text();
    assert!(
        index.contains("/kz-ru-1.xml") && index.contains("/kz-kk-1.xml"),
        "{index}"
    );
    assert!(!index.contains("/kz-en-1.xml"), "{index}");
    let gone = product.guest().get("/sitemaps/kz-en-1.xml").await;
    assert_eq!(gone.status, 404);

    // Georgia has said nothing new.
    let georgia = product.guest().get("/?country=ge").await.data();
    assert_eq!(georgia["shell"]["langs"], json!(["ka", "ru", "en"]));
    assert_eq!(georgia["shell"]["fallback"], "en");
}

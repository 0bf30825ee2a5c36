//! Goods by their barcode: what is said of a code, in every case, with and without scripts (BC-01 to BC-04, SC-07).

use serde_json::{Value, json};

use crate::{
    checkout::FRIDGE,
    support::{Answer, Guest, Product, VENUE},
};

const BY_BARCODE: &str = "/menu/v3/product-by-barcode";

fn page_of(code: &str) -> String {
    format!("/filials/{FRIDGE}/barcode-manual?code={code}")
}

/// A good of the fridge: its barcode and its id.
pub async fn good(product: &Product) -> (String, u64) {
    let goods: Value = reqwest::get(format!(
        "{}/menu/v3/search/products?query=сэндвич&kind=good",
        product.sandbox
    ))
    .await
    .unwrap()
    .json()
    .await
    .unwrap();
    let good = goods["data"]
        .as_array()
        .unwrap()
        .iter()
        .find(|good| good["location"]["filial_id"] == FRIDGE)
        .unwrap_or_else(|| panic!("no sandwich in the fridge: {goods}"));
    let good = &good["product"];
    (
        good["barcode"].as_str().unwrap().to_owned(),
        good["product_id"].as_u64().unwrap(),
    )
}

fn outcome(page: &Answer) -> Value {
    page.data()["page"]["data"]["outcome"].clone()
}

/// The message beside the field, and the field's value.
fn beside(page: &Answer) -> (String, String) {
    let html = scraper::Html::parse_fragment(&page.rendered());
    let select = |text: &str| scraper::Selector::parse(text).unwrap();
    let field = html.select(&select("input[name=code]")).next().unwrap();
    let value = field.value().attr("value").unwrap_or_default().to_owned();
    let error = html.select(&select(".field .error")).next();
    let error = error.map(|it| it.text().collect()).unwrap_or_default();
    (error, value)
}

#[tokio::test]
async fn a_typed_barcode_finds_the_good_and_adds_it_without_scripts() {
    let product = Product::start().await;
    let guest = product.guest();
    let (code, id) = good(&product).await;
    let page = guest.get(&page_of(&code)).await;
    assert_eq!(page.status, 200);
    assert_eq!(outcome(&page), "found");
    assert_eq!(page.data()["page"]["data"]["product"]["id"], id);
    let asked = product.queries(BY_BARCODE).await;
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0]["filial_id"], FRIDGE.to_string());
    assert_eq!(asked[0]["barcode"], code);
    // Its plus is a form.
    let plus = format!("form[action=\"/cart/lines\"] input[name=product][value=\"{id}\"]");
    let html = scraper::Html::parse_fragment(&page.rendered());
    assert!(
        html.select(&scraper::Selector::parse(&plus).unwrap())
            .next()
            .is_some()
    );
    guest.add(FRIDGE, id).await;
    let page = guest.get("/faq").await.data();
    assert_eq!(page["shell"]["cart"]["lines"][0]["productId"], id);
    // Groups of digits are as good.
    let grouped: String = code
        .chars()
        .enumerate()
        .flat_map(|(at, digit)| (at % 4 == 3).then_some('+').into_iter().chain([digit]))
        .collect();
    assert_eq!(outcome(&guest.get(&page_of(&grouped)).await), "found");
}

#[tokio::test]
async fn each_way_to_fail_has_its_own_words_and_the_digits_stay() {
    let product = Product::start().await;
    let guest = product.guest();
    let said = async |code: &str, lang: &str| {
        let page = guest.get(&format!("{}&lang={lang}", page_of(code))).await;
        assert_eq!(page.status, 200, "{code}");
        let (error, value) = beside(&page);
        assert_eq!(value, code);
        let told = page.texts("[role=status] h2").concat();
        (outcome(&page), format!("{error}{told}"))
    };
    for (code, kind, text) in [
        ("4870000130017", "wrong", "Штрихкод қате"),
        ("ABCD1234", "wrong", "Штрихкод қате"),
        ("4870000", "incomplete", "Дұрыс теріңіз: 8 немесе 13 цифр"),
        (
            "00000000000000",
            "incomplete",
            "Дұрыс теріңіз: 8 немесе 13 цифр",
        ),
        ("0000000000000", "notFound", "Штрихкод табылмады"),
        ("00000000", "notFound", "Штрихкод табылмады"),
    ] {
        assert_eq!(
            said(code, "kk").await,
            (json!(kind), text.to_owned()),
            "{code}"
        );
    }
    let ru = said("0000000000000", "ru").await.1;
    assert_eq!(ru, "Штрихкод не найден");
    // What is in no list may be found by its name; what is no barcode is compared with the package.
    let menu = format!("/filials/{FRIDGE}/search");
    for (code, text, by_name) in [
        ("0000000000000", "по названию", true),
        ("4870000130017", "Сверьте", false),
    ] {
        let page = guest.get(&format!("{}&lang=ru", page_of(code))).await;
        let next = page.texts("[role=status] p").concat();
        assert!(next.contains(text), "{code}: {next}");
        let ways = page.rendered();
        assert_eq!(
            ways.contains(&format!("href=\"{menu}\"")),
            by_name,
            "{code}"
        );
    }
    let asked = product.queries(BY_BARCODE).await;
    // What is no barcode is not asked about, and zeros in front stay.
    assert!(
        asked
            .iter()
            .all(|query| query["barcode"].chars().all(|it| it == '0'))
    );
    assert!(asked.iter().any(|query| query["barcode"].len() == 8));
}

#[tokio::test]
async fn a_upc_is_asked_for_with_its_zero_and_a_short_one_written_out() {
    let product = Product::start().await;
    let guest = product.guest();
    for (typed, asked) in [
        ("036000291452", "0036000291452"),
        ("01234565", "0012345000065"),
    ] {
        product.forget_log().await;
        assert_eq!(outcome(&guest.get(&page_of(typed)).await), "notFound");
        let queries = product.queries(BY_BARCODE).await;
        assert!(
            queries.iter().any(|query| query["barcode"] == asked),
            "{queries:?}"
        );
    }
}

#[tokio::test]
async fn a_lookup_that_fails_returns_nothing_and_does_not_say_that_there_is_nothing() {
    let product = Product::start().await;
    let guest = product.guest();
    let (code, _) = good(&product).await;
    for status in [500, 503, 400] {
        product.no_faults().await;
        product.fail(BY_BARCODE, status).await;
        let page = guest.get(&page_of(&code)).await;
        assert_eq!(
            (page.status, outcome(&page)),
            (200, json!("unknown")),
            "{status}"
        );
        assert_eq!(beside(&page).1, code);
        assert!(page.data()["page"]["data"]["product"].is_null());
        assert_eq!(page.texts("[role=status] h2"), ["Тексере алмадық"]);
    }
    product.no_faults().await;
    let found = async || {
        let page = guest.get(&page_of(&code)).await;
        (outcome(&page) == "found").then_some(())
    };
    crate::support::eventually(20, found).await;
}

#[tokio::test]
async fn the_scanner_asks_by_the_same_page_and_no_venue_is_told_of_another() {
    let product = Product::start().await;
    let guest = product.guest();
    let (code, id) = good(&product).await;
    let data = guest.data(&page_of(&code)).await;
    assert_eq!(data["page"]["data"]["product"]["id"], id);
    let elsewhere = format!("/filials/{VENUE}/barcode-manual?code={code}");
    assert_eq!(outcome(&guest.get(&elsewhere).await), "notFound");
    for path in ["barcode-manual", "barcode-scanner", "fridge"] {
        let page = guest.get(&format!("/filials/999999/{path}")).await;
        assert_eq!(page.status, 404, "{path}");
    }
    // What is not a reason is none.
    let page = guest
        .get(&format!("/filials/{FRIDGE}/barcode-manual?camera=x%22%3E"))
        .await;
    assert!(page.data()["page"]["data"]["camera"].is_null());
    let page = guest
        .get(&format!("/filials/{FRIDGE}/barcode-manual?camera=refused"))
        .await;
    let note = page.texts(".note").concat();
    assert!(note.contains("Камераға рұқсат берілмеген"), "{note}");
}

#[tokio::test]
async fn trying_numbers_is_held_back() {
    let product = Product::with(&["--mutations-per-minute", "8"]).await;
    let guest: Guest = product.guest();
    guest
        .post("/session/age", &[("answer", "yes"), ("back", "/")])
        .await;
    let mut refused = None;
    for _ in 0..20 {
        let page = guest.get(&page_of("0000000000000")).await;
        if page.status == 429 {
            refused = Some(page);
            break;
        }
    }
    let refused = refused.expect("twenty lookups in a row are too many");
    assert!(!refused.header("retry-after").is_empty());
    // The page itself, without a code, is read as any other.
    let page = guest
        .get(&format!("/filials/{FRIDGE}/barcode-manual"))
        .await;
    assert_eq!(page.status, 200);
    let path = page_of("0000000000000");
    assert_eq!(guest.get(&format!("/_data{path}")).await.status, 429);
    // The length of what is not sent would tell as much.
    let head = guest
        .send(guest.request(reqwest::Method::HEAD, &path))
        .await;
    assert_eq!(head.status, 429);
}

#[tokio::test]
async fn without_scripts_the_scanner_has_one_main_button_which_needs_no_camera() {
    let product = Product::start().await;
    let guest = product.guest();
    let main = async |path: &str| {
        let page = guest.get(&format!("{path}lang=en")).await;
        assert_eq!(page.status, 200);
        let all = page.texts(".scanner .button");
        (page.texts(".scanner .button:not([data-quiet])"), all)
    };
    let (typing, all) = main(&format!("/filials/{FRIDGE}/barcode-scanner?")).await;
    assert_eq!(typing, ["Type the barcode"]);
    assert_eq!(all, typing, "the same is not offered twice");
    // The number of a table is typed on the page itself.
    let (table, all) = main("/filials/1253/barcode-scanner?table=1&").await;
    assert_eq!(table, ["Set the table"]);
    assert_eq!(all, table);
}

#[tokio::test]
async fn the_camera_and_webassembly_are_for_the_scanner_alone() {
    let product = Product::start().await;
    let guest = product.guest();
    let scanner = format!("/filials/{FRIDGE}/barcode-scanner");
    for (path, may) in [
        (scanner.as_str(), true),
        (&page_of("1"), false),
        ("/", false),
        ("/filials/1013", false),
        ("/cart", false),
        ("/nowhere", false),
    ] {
        let page = guest.get(path).await;
        let camera = page.header("permissions-policy").contains("camera=(self)");
        let none = page.header("permissions-policy").contains("camera=()");
        let policy = page.header("content-security-policy");
        assert_eq!((camera, none), (may, !may), "{path}");
        assert_eq!(policy.contains("'wasm-unsafe-eval'"), may, "{path}");
        assert!(!policy.contains("'unsafe-"), "{path}: {policy}");
    }
}

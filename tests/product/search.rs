//! Search over all venues and over one menu (SE), and booking a table (2.2).

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use crate::support::{Guest, Product, VENUE, eventually};

pub async fn found(guest: &Guest, path: &str) -> Value {
    guest.data(path).await["page"]["data"].clone()
}

/// The product looks for another spelling for two seconds at most, which a busy machine may need for less work than that.
/// Another try finds the answers that came meanwhile.
async fn found_in_time(guest: &Guest, path: &str, is_there: impl Fn(&Value) -> bool) -> Value {
    let mut data = found(guest, path).await;
    for _ in 0..5 {
        if is_there(&data) {
            break;
        }
        data = found(guest, path).await;
    }
    data
}

fn names(list: &Value, of: impl Fn(&Value) -> &Value) -> Vec<String> {
    list.as_array()
        .unwrap()
        .iter()
        .map(|one| of(one).as_str().unwrap().to_owned())
        .collect()
}

/// Names of what was found in the menus, venue by venue.
fn dishes(data: &Value) -> Vec<String> {
    let found = data["found"].as_array().unwrap().iter();
    found
        .flat_map(|one| names(&one["dishes"], |dish| &dish["name"]))
        .collect()
}

/// Days until a venue is open; most for one that tells none.
fn wait(open: &Value) -> u64 {
    let days = open["inDays"].as_u64().unwrap() + 1;
    match (open["open"].as_bool().unwrap(), open["at"].is_null()) {
        (true, _) => 0,
        (false, true) => u64::MAX,
        (false, false) => days,
    }
}

#[tokio::test]
async fn what_is_open_comes_before_what_is_closed_in_a_search_and_on_home() {
    let product = Product::start().await;
    let guest = product.guest();
    for query in ["донер", "айран"] {
        let data = guest
            .get(&format!("/search?q={query}&lang=ru"))
            .await
            .data();
        let found = data["page"]["data"]["found"].as_array().unwrap();
        let waits: Vec<u64> = found
            .iter()
            .map(|one| wait(&one["venue"]["open"]))
            .collect();
        assert!(waits.len() > 1 && waits.is_sorted(), "{query}: {waits:?}");
        // A venue under repair is among them at any hour.
        if query == "донер" {
            assert_eq!(waits.last(), Some(&u64::MAX));
        }
    }
    let home = guest.get("/").await.data();
    let rails = home["page"]["data"]["rails"].as_array().unwrap();
    let venues = rails[0]["venues"].as_array().unwrap();
    let waits: Vec<u64> = venues.iter().map(|one| wait(&one["open"])).collect();
    assert!(waits.len() > 1 && waits.is_sorted(), "{waits:?}");
}

/// Which venues a page of a list has the upstream says; of them the closed ones come last.
#[tokio::test]
async fn each_page_of_a_list_begins_with_what_is_open() {
    let product = Product::start().await;
    let guest = product.guest();
    let mut closed = 0;
    for list in ["/filials?lang=ru", "/brands/filials?brand=9&lang=ru"] {
        let mut page = 1;
        loop {
            let data = guest.get(&format!("{list}&page={page}")).await.data();
            let data = &data["page"]["data"];
            let venues = data["venues"].as_array().unwrap();
            let waits: Vec<u64> = venues.iter().map(|one| wait(&one["open"])).collect();
            assert!(waits.is_sorted(), "{list} {page}: {waits:?}");
            // A venue under repair is closed at any hour.
            let last = waits.iter().filter(|one| **one == u64::MAX).count();
            closed += usize::from(last > 0 && last < waits.len());
            if data["lastPage"].as_u64() <= Some(page) {
                break;
            }
            page += 1;
        }
    }
    assert!(closed > 0, "an open and a closed venue are on one page");
}

#[tokio::test]
async fn a_search_finds_venues_dishes_and_goods_with_their_counts() {
    let product = Product::start().await;
    let guest = product.guest();
    let page = guest
        .get("/search?q=%20%D0%B1%D1%83%D1%80%D0%B3%D0%B5%D1%80%20&lang=ru")
        .await;
    assert_eq!(page.status, 200);
    let data = page.data();
    let data = &data["page"]["data"];
    assert_eq!(data["query"], "бургер", "the text is trimmed");
    let pictures = guest.get("/search?q=бургер%20🍔👍🏽❤️&lang=ru").await.data();
    assert_eq!(pictures["page"]["data"], *data, "no dish is called so");
    let alone = guest.get("/search?q=🍔").await.data();
    assert_eq!(alone["page"]["data"]["query"], "🍔");
    assert!(page.rendered().contains(r#"value="бургер""#));
    let found = data["found"].as_array().unwrap();
    let named: Vec<(u64, bool)> = found
        .iter()
        .map(|one| {
            (
                wait(&one["venue"]["open"]),
                one["dishes"].as_array().unwrap().is_empty(),
            )
        })
        .collect();
    assert!(named.is_sorted(), "open first, then dishes: {named:?}");
    let all = dishes(data);
    assert!(
        all.iter()
            .all(|name| name.to_lowercase().contains("бургер")),
        "{all:?}"
    );
    // A venue stands once, with no more than its three best dishes; what is called so and has none is named by itself.
    let venues: std::collections::HashSet<String> = found
        .iter()
        .map(|one| one["venue"]["id"].to_string())
        .collect();
    assert_eq!(venues.len(), found.len());
    for one in found {
        let (dishes, more) = (
            one["dishes"].as_array().unwrap().len(),
            one["more"].as_u64(),
        );
        assert!(dishes == 3 || (dishes < 3 && more == Some(0)), "{one}");
        let venue = one["venue"]["name"].as_str().unwrap();
        assert!(
            dishes > 0 || venue.to_lowercase().contains("бургер"),
            "{venue}"
        );
    }
    // What is told at the top is what the cards of all pages have and say that there is beside it.
    let path = format!("/search?q=бургер&lang=ru&page={}", data["lastPage"]);
    let whole = self::found(&guest, &path).await;
    let cards = whole["found"].as_array().unwrap();
    let of_card = |one: &Value| {
        let name = one["venue"]["name"].as_str().unwrap().to_lowercase();
        let dishes = one["dishes"].as_array().unwrap().len() as u64;
        dishes + one["more"].as_u64().unwrap() + u64::from(name.contains("бургер"))
    };
    assert_eq!(whole["total"], cards.iter().map(of_card).sum::<u64>());
    assert_eq!(whole["total"], data["total"]);
    let more = found.iter().find(|one| one["more"] != 0).unwrap();
    assert!(html_has_more(&page.rendered(), more), "{more}");
    // No dish is called as these venues are.
    let called_so = self::found(&guest, "/search?q=тамшы&lang=ru").await;
    let venues = called_so["found"].as_array().unwrap().iter();
    let has_none = |one: &&Value| one["dishes"].as_array().unwrap().is_empty();
    let venues: Vec<&Value> = venues.filter(has_none).collect();
    let is_called_so = |one: &&Value| one["venue"]["name"].as_str().unwrap().contains("Тамшы");
    assert!(!venues.is_empty() && venues.iter().all(is_called_so));
    // The dish stands inside of the card of its venue, and there is no tab that could be empty.
    let html = page.rendered();
    assert!(html.contains(r#"class="found-venue""#) && !html.contains("tab=dishes"));
    assert_eq!(page.texts(".found-venue .dish h3").len(), all.len());
}

fn html_has_more(html: &str, card: &Value) -> bool {
    html.contains(&format!("Ещё {} в меню", card["more"]))
}

/// The upstream tells each dish of the nearest venue alone, which leaves another of the same brand without any.
#[tokio::test]
async fn an_open_venue_that_is_called_so_shows_its_dishes() {
    let product = Product::start().await;
    let guest = product.guest();
    let last = found(&guest, "/search?q=кофе&lang=ru").await["lastPage"].clone();
    let page = guest
        .get(&format!("/search?q=кофе&page={last}&lang=ru"))
        .await;
    let data = page.data()["page"]["data"].clone();
    let found = data["found"].as_array().unwrap();
    // Two of them are open around the clock, and have one menu.
    let open = found.iter().filter(|one| {
        let name = one["venue"]["name"].as_str().unwrap();
        name.contains("Тамшы") && one["venue"]["open"]["open"] == true
    });
    let shown: Vec<Vec<String>> = open
        .map(|one| names(&one["dishes"], |dish| &dish["name"]))
        .collect();
    assert!(shown.len() > 1, "{shown:?}");
    assert!(shown.iter().all(|dishes| dishes.len() == 3), "{shown:?}");
    let ids: HashSet<&Value> = found.iter().map(|one| &one["venue"]["id"]).collect();
    assert_eq!(ids.len(), found.len());
    // Each can be added.
    let all: usize = shown.iter().map(Vec::len).sum();
    assert!(page.texts(".found-venue .dish h3").len() >= all);
}

/// A page has the results of those before it, so that Back and a reload show what was there.
#[tokio::test]
async fn more_results_come_behind_those_before_them_and_what_is_open_before_what_is_closed() {
    let product = Product::start().await;
    let guest = product.guest();
    let path = "/search?q=чай&lang=ru";
    let first = guest.get(path).await;
    let data = first.data()["page"]["data"].clone();
    let last = data["lastPage"].as_u64().unwrap();
    assert!(last > 1 && data["added"] == 0, "{last}");
    let ids = |data: &Value| -> Vec<u64> {
        let found = data["found"].as_array().unwrap().iter();
        found
            .map(|one| one["venue"]["id"].as_u64().unwrap())
            .collect()
    };
    let before = ids(&data);
    let next = first.texts("a.more");
    assert_eq!(next, ["Показать ещё"]);
    assert!(first.rendered().contains("page=2#more"), "without scripts");
    let all = guest.get(&format!("{path}&page={last}")).await;
    let data = all.data()["page"]["data"].clone();
    let grown = ids(&data);
    assert!(grown.len() > before.len() && grown.starts_with(&before));
    let each: HashSet<&u64> = grown.iter().collect();
    assert_eq!(each.len(), grown.len(), "each venue once");
    let found = data["found"].as_array().unwrap();
    let waits: Vec<u64> = found
        .iter()
        .map(|one| wait(&one["venue"]["open"]))
        .collect();
    assert!(waits.is_sorted(), "{waits:?}");
    let added = data["added"].as_u64().unwrap() as usize;
    assert!(added > 0 && added < grown.len());
    assert_eq!(all.texts(".finds > #more").len(), 1);
    assert!(all.texts("a.more").is_empty());
}

/// More than is read: what was typed says too little, and the end of the list says so.
#[tokio::test]
async fn a_list_that_is_not_whole_says_so_at_its_end() {
    let product = Product::start().await;
    let many = json!({ "/meta/last_page": 4 });
    product.replace("/menu/v3/search/products", many).await;
    let page = product.guest().get("/search?q=манты&lang=ru").await;
    let data = page.data()["page"]["data"].clone();
    let (page_number, last) = (&data["page"], &data["lastPage"]);
    assert_eq!((page_number == last, &data["rest"]), (true, &json!(true)));
    assert!(page.rendered().contains("Уточните запрос"));
    product.replace("/menu/v3/search/products", json!({})).await;
}

/// One dictionary for both, and small words between what is wanted are left out.
#[tokio::test]
async fn the_search_of_a_menu_and_that_of_all_venues_understand_the_same() {
    let product = Product::start().await;
    let guest = product.guest();
    let menu = format!("/filials/{VENUE}/search");
    let in_menu = async |query: &str, lang: &str| {
        let query = query.replace(' ', "%20");
        let data = found(&guest, &format!("{menu}?q={query}&lang={lang}")).await;
        (
            names(&data["products"], |one| &one["name"]),
            data["shown"].clone(),
        )
    };
    let everywhere = async |query: &str, lang: &str| {
        let path = format!("/search?q={}&lang={lang}", query.replace(' ', "%20"));
        let data = found_in_time(&guest, &path, |data| data["total"] != 0).await;
        (dishes(&data), data["shown"].clone())
    };
    // What is said of a dish by another word.
    let (all, _) = in_menu("картошка", "ru").await;
    assert!(all.contains(&"Казан-кебаб".to_owned()), "{all:?}");
    for (query, lang, meant) in [
        ("плов с бараниной", "ru", "плов"),
        ("plov with lamb", "en", "plov"),
        ("пицца без мяса", "ru", ""),
    ] {
        let (all, shown) = everywhere(query, lang).await;
        assert!(!all.is_empty() && shown.is_null(), "{query}: {all:?}");
        let first = all[0].to_lowercase();
        assert!(first.contains(meant), "{query}: {all:?}");
    }
    // Two wishes that no dish fits together.
    for (shown, all) in [
        in_menu("лагман самса", "ru").await,
        everywhere("лагман самса", "ru").await,
    ]
    .map(|(all, shown)| (shown, all.join(" ").to_lowercase()))
    {
        assert_eq!(shown, "лагман, самса");
        assert!(all.contains("лагман") && all.contains("самса"), "{all}");
    }
    let exact = found(&guest, &format!("{menu}?q=лагман%20самса&exact=1&lang=ru")).await;
    assert_eq!(exact["products"], json!([]));
    // An accent is typed with its letter, and what is mended is made of words.
    let accents = "%CC%81".repeat(5);
    let (all, shown) = everywhere(&format!("плов{accents}"), "ru").await;
    assert!(!all.is_empty() && shown.is_null(), "{all:?}");
    let none = found(&guest, "/search?q=İİİİ&lang=ru").await;
    assert_eq!((&none["total"], &none["shown"]), (&json!(0), &Value::Null));
}

/// What the chip of that meaning leaves is found by its words, in the menu without the upstream's search.
#[tokio::test]
async fn words_for_no_meat_find_what_is_marked_so() {
    let product = Product::start().await;
    let guest = product.guest();
    for (query, lang) in [
        ("вегетарианское", "ru"),
        ("без%20мяса", "ru"),
        ("вегетариандық", "kk"),
        ("етсіз", "kk"),
        ("vegetarian", "en"),
        ("ვეგეტარიანული", "ka"),
        ("უხორცო", "ka"),
    ] {
        let menu = format!("/filials/{VENUE}/search?q={query}&lang={lang}");
        let found_there = found(&guest, &menu).await;
        let marked = ids(&found_there["meatless"], |id| id);
        let products = ids(&found_there["products"], |one| &one["id"]);
        let own = products.iter().filter(|id| marked.contains(id));
        assert!(own.count() > 5, "{query}: {products:?}");
        let all = found(&guest, &format!("/search?q={query}&lang={lang}")).await;
        let (marked, other) = by_mark(&guest, &all).await;
        assert!(marked > 5, "{query}: {marked} and {other}");
    }
    let data = found(&guest, "/search?q=пицца%20без%20мяса&lang=ru").await;
    let (marked, other) = by_mark(&guest, &data).await;
    assert!(marked > 0 && other == 0, "{marked} and {other}");
    // Nothing that has meat stands in for what has none.
    let data = found_in_time(
        &guest,
        "/search?q=самса%20еттен%20без%20мяса&lang=ru",
        |data| data["total"] != 0,
    )
    .await;
    let (marked, other) = by_mark(&guest, &data).await;
    assert!(marked > 0 && other == 0, "{marked} and {other}");
    // The menu itself has no use for the marks.
    let menu = guest.get(&format!("/filials/{VENUE}")).await;
    assert!(!menu.text().contains("meatless"));
}

fn ids(list: &Value, of: impl Fn(&Value) -> &Value) -> HashSet<u64> {
    let list = list.as_array().into_iter().flatten();
    list.map(|one| of(one).as_u64().unwrap()).collect()
}

/// How many dishes of a search are marked as having no meat, and how many are not.
async fn by_mark(guest: &Guest, data: &Value) -> (usize, usize) {
    let (mut marked, mut other) = (0, 0);
    for one in data["found"].as_array().unwrap() {
        let menu = found(guest, &format!("/filials/{}/search", one["venue"]["id"])).await;
        let own = ids(&menu["meatless"], |id| id);
        let dishes = ids(&one["dishes"], |dish| &dish["id"]);
        marked += dishes.intersection(&own).count();
        other += dishes.difference(&own).count();
    }
    (marked, other)
}

/// Where a dish is called so, no other begins by chance with the same letters, in any language of the menus.
#[tokio::test]
async fn an_everyday_word_finds_what_it_names_and_nothing_that_only_sounds_so() {
    let product = Product::start().await;
    let guest = product.guest();
    for (query, lang, right, wrong) in [
        ("чай", "ru", "чай ", "чайхан"),
        ("coke", "en", "cola", "tea"),
        ("soup", "en", "soup", "wrap"),
        ("десерт", "ru", "тирамису", "четыре сыра"),
        ("water", "en", "water", "melon"),
        ("salads", "en", "salad", "fries"),
    ] {
        let path = format!("/search?q={query}&lang={lang}");
        let last = found(&guest, &path).await["lastPage"].clone();
        let all = dishes(&found(&guest, &format!("{path}&page={last}")).await);
        let has = |part: &str| all.iter().any(|name| name.to_lowercase().contains(part));
        assert!(has(right) && !has(wrong), "{query}: {all:?}");
    }
    // No restaurant serves it at a table, and a berry is none.
    let none = found(&guest, "/search?q=beer&lang=en").await;
    assert!(dishes(&none).is_empty(), "{none}");
}

/// In Kazakh `су` is water and `сыра` beer; in Russian they are the beginning of a soup and a form of cheese.
#[tokio::test]
async fn an_everyday_word_of_one_language_is_one_for_its_readers() {
    let product = Product::start().await;
    let guest = product.guest();
    let some = async |path: &str| found_in_time(&guest, path, |data| data["total"] != 0).await;
    let water = some("/search?q=су&lang=kk").await;
    let is_water = |name: &str| {
        let name = name.to_lowercase();
        let mut words = name.split(|letter: char| !letter.is_alphabetic());
        words.any(|word| ["су", "суы"].contains(&word))
    };
    let cards = water["found"].as_array().unwrap();
    let first = |one: &Value| one["dishes"][0]["name"].as_str().unwrap().to_owned();
    let firsts: Vec<String> = cards.iter().map(first).collect();
    assert!(
        !firsts.is_empty() && firsts.iter().all(|name| is_water(name)),
        "{firsts:?}"
    );
    let is_lagman = |name: &String| name.to_lowercase().contains("суйру");
    assert!(!dishes(&water).iter().any(is_lagman), "{water}");
    let soups = dishes(&some("/search?q=су&lang=ru").await);
    let is_soup = |name: &String| name.to_lowercase().contains("суп");
    assert!(soups.iter().any(is_soup), "{soups:?}");
    let beer = async |query: &str, lang: &str| {
        some(&format!("/search?q={query}&service=delivery&lang={lang}")).await
    };
    let (here, there) = (beer("сыра", "kk").await, beer("пиво", "ru").await);
    assert!(here["total"].as_u64().unwrap() > 0, "{here}");
    assert_eq!(here["total"], there["total"]);
    let all = dishes(&here);
    assert!(
        all.iter().all(|name| name.to_lowercase().contains("сыра")),
        "{all:?}"
    );
    // At the tables there is none, which is said with what has it.
    let data = found(&guest, "/search?q=сыра&service=express&lang=kk").await;
    assert_eq!((&data["total"], &data["shown"]), (&json!(0), &Value::Null));
    assert!(!data["others"].as_array().unwrap().is_empty(), "{data}");
}

/// In Kazakh the fruit salad has the very word that is the plural in Russian.
#[tokio::test]
async fn what_is_called_so_in_another_language_comes_behind_what_is_called_so_in_the_own() {
    let product = Product::start().await;
    let (guest, path) = (product.guest(), "/search?q=салаты&lang=ru");
    let all = dishes(&found_in_time(&guest, path, |data| data["total"] != 0).await);
    let salad = all.iter().position(|name| name.contains("Цезарь"));
    let fruit = all.iter().position(|name| name.contains("Фруктовый"));
    assert!(
        salad.is_some_and(|salad| fruit.is_none_or(|fruit| salad < fruit)),
        "{all:?}"
    );
}

/// What the keys of another keyboard write is inside of `чечевицы`.
#[tokio::test]
async fn nonsense_means_nothing_by_another_keyboard_either() {
    let product = Product::start().await;
    let guest = product.guest();
    for lang in ["ru", "kk"] {
        let data = found(&guest, &format!("/search?q=qqwwqq&lang={lang}")).await;
        assert_eq!((&data["total"], &data["shown"]), (&json!(0), &Value::Null));
    }
    let data = found_in_time(&guest, "/search?q=xfq&lang=ru", |data| data["total"] != 0).await;
    assert_eq!(data["shown"], "чай");
}

/// Nothing says that there is nothing where it was not looked for, and the page of the list is asked for again.
#[tokio::test]
async fn a_correction_that_is_refused_says_so_and_is_tried_again() {
    let product = Product::with(&["--address-lookups-per-minute", "48"]).await;
    let guest = product.guest();
    for number in 0..12 {
        found(&guest, &format!("/search?q=qwxz{number}")).await;
    }
    let page = guest.get("/search?q=лагмна&page=2&lang=ru").await;
    assert_eq!(page.status, 200);
    let data = page.data();
    let data = &data["page"]["data"];
    assert_eq!(data["throttled"], true);
    assert!(!data["popular"].as_array().unwrap().is_empty());
    let html = page.rendered();
    assert!(html.contains("Не удалось поискать похожее") && !html.contains("ничего не нашлось"));
    let said = html.split(r#"class="said""#).nth(1).unwrap();
    assert!(said.contains("page=2"), "the page that was asked for");
    let exact = guest
        .get("/search?q=лагмна&exact=1&lang=ru")
        .await
        .rendered();
    let said = exact.split(r#"class="said""#).nth(1).unwrap();
    assert!(said.contains("exact=1"), "as it was asked for");
    // What is spelt as it should be is found all the same.
    let right = found(&guest, "/search?q=лагман&lang=ru").await;
    assert!(right["throttled"].is_null() && !dishes(&right).is_empty());
}

/// One page of each is enough: two wishes that no dish fits together are shown with the best of both.
#[tokio::test]
async fn shorter_texts_are_asked_for_one_page_each() {
    let product = Product::start().await;
    let guest = product.guest();
    let path = "/search?q=рыба%20сок&service=delivery&lang=ru";
    let data = found_in_time(&guest, path, |data| data["total"] != 0).await;
    assert_eq!(data["shown"], "рыба, сок");
    // Each has more than one page of a hundred.
    assert!(data["total"].as_u64().unwrap() > 200, "{data}");
    let asked = product.queries("/menu/v3/search/products").await;
    let of = |text: &str| asked.iter().filter(|query| query["query"] == text).count();
    assert!(of("рыба") > 0 && of("сок") > 0, "{asked:?}");
    let further = asked.iter().filter(|query| query["page"] != "1");
    assert_eq!(further.count(), 0, "{asked:?}");
}

/// Each page of a mended list asks for what was typed.
#[tokio::test]
async fn what_a_text_was_found_to_mean_is_worked_out_once() {
    let product = Product::with(&["--address-lookups-per-minute", "48"]).await;
    let guest = product.guest();
    let path = "/search?q=лагмна&lang=ru";
    let first = found_in_time(&guest, path, |data| data["shown"] == "лагман").await;
    assert_eq!(first["shown"], "лагман");
    // Six corrections a minute, of which one guest has at most three.
    for number in 0..12 {
        found(&guest, &format!("/search?q=qwxz{number}")).await;
    }
    product.forget_log().await;
    let again = found(&guest, path).await;
    assert_eq!(
        (&again["shown"], &again["found"]),
        (&first["shown"], &first["found"])
    );
    let asked = product.queries("/menu/v3/search/products").await;
    assert!(asked.len() <= 2, "{asked:?}");
}

#[tokio::test]
async fn a_slip_of_the_finger_is_mended_and_said_and_can_be_searched_for_all_the_same() {
    let product = Product::start().await;
    let guest = product.guest();
    for (typed, meant) in [("лагмна", "лагман"), ("лагмонн", "лагман")] {
        let page = guest.get(&format!("/search?q={typed}&lang=ru")).await;
        let data = page.data()["page"]["data"].clone();
        assert_eq!(data["shown"], meant, "{typed}");
        assert!(!dishes(&data).is_empty(), "{typed}");
        let said = page.texts("[role=status] .note").join("");
        assert!(said.contains(typed) && said.contains(meant), "{said}");
        assert!(page.rendered().contains("exact=1"), "a link to just that");
        let exact = guest
            .get(&format!("/search?q={typed}&exact=1&lang=ru"))
            .await;
        let data = exact.data()["page"]["data"].clone();
        assert_eq!((&data["shown"], &data["total"]), (&Value::Null, &json!(0)));
        assert_eq!(data["nearest"], meant, "still offered");
    }
    let menu = found(&guest, &format!("/filials/{VENUE}/search?q=лагмна&lang=ru")).await;
    assert_eq!(menu["shown"], "лагман");
    // What is mended stays in the letters that were typed.
    let menu = format!("/filials/{VENUE}/search");
    for (path, typed, meant) in [
        ("/search", "lagmon", "lagman"),
        (&menu, "lagmon", "lagman"),
        (&menu, "ლაგმონ", "ლაგმან"),
    ] {
        let data = found(&guest, &format!("{path}?q={typed}&lang=ru")).await;
        assert_eq!(data["shown"], meant, "{path} {typed}");
    }
    let exact = found(
        &guest,
        &format!("/filials/{VENUE}/search?q=лагмна&exact=1&lang=ru"),
    )
    .await;
    assert_eq!(
        (&exact["products"], &exact["nearest"]),
        (&json!([]), &json!("лагман"))
    );
}

/// Plurals and cases, and sections by their names: in a menu, and in all of them.
#[tokio::test]
async fn other_forms_of_a_word_and_sections_find_their_dishes() {
    let product = Product::start().await;
    let guest = product.guest();
    let menu = format!("/filials/{VENUE}/search");
    for typed in ["лагманы", "лагманов", "лагмандар", "ლაგმანები"]
    {
        let data = found(&guest, &format!("{menu}?q={typed}&lang=ru")).await;
        assert_eq!(data["shown"], Value::Null, "{typed}: it is what was typed");
        let first = data["products"][0]["name"].as_str().unwrap_or_default();
        assert!(first.to_lowercase().contains("лагман"), "{typed}: {first}");
    }
    // What only sounds alike is another word.
    let data = found(&guest, &format!("{menu}?q=супер&lang=ru")).await;
    assert_eq!(
        (&data["products"], &data["shown"]),
        (&json!([]), &Value::Null)
    );
    let data = found(&guest, &format!("{menu}?q=лимонад&lang=ru")).await;
    let lemonades = names(&data["products"], |one| &one["name"]);
    let is_one = |name: &String| name.to_lowercase().contains("лимонад");
    assert!(
        !lemonades.is_empty() && lemonades.iter().all(is_one),
        "{lemonades:?}"
    );
    for (typed, meant) in [
        ("лагманов", "лагман"),
        ("лагмандар", "лагман"),
        ("ლაგმანები", "лагман"),
        ("бургерлер", "бургер"),
        ("пиццы", "пицц"),
    ] {
        let data = found(&guest, &format!("/search?q={typed}&lang=ru")).await;
        assert_eq!(data["shown"], Value::Null, "{typed}: it is what was typed");
        let first = data["found"][0]["dishes"][0]["name"]
            .as_str()
            .unwrap_or_default();
        assert!(first.to_lowercase().contains(meant), "{typed}: {first}");
    }
    // No drink is called so: its section is.
    let data = found(&guest, "/search?q=напитки&lang=ru").await;
    let drinks = dishes(&data);
    let is_called_so = |name: &String| name.to_lowercase().contains("напит");
    assert!(
        data["total"].as_u64().unwrap() > 20 && !drinks.iter().all(is_called_so),
        "{drinks:?}"
    );

    let page = guest.data(&format!("/filials/{VENUE}?lang=ru")).await;
    let sections = page["page"]["data"]["categories"].as_array().unwrap();
    for section in sections {
        let name = section["name"].as_str().unwrap();
        let query = name.to_lowercase().replace(' ', "%20");
        let data = found(&guest, &format!("{menu}?q={query}&lang=ru")).await;
        let ids = |list: &Value| -> HashSet<u64> {
            let list = list.as_array().unwrap().iter();
            list.map(|one| one["id"].as_u64().unwrap()).collect()
        };
        let found = ids(&data["products"]);
        assert!(found.is_superset(&ids(&section["products"])), "{name}");
    }
}

#[tokio::test]
async fn a_spelling_that_is_offered_finds_something() {
    let product = Product::start().await;
    let guest = product.guest();
    for typed in ["плоф", "баурзаг"] {
        let path = format!("/search?q={typed}&lang=ru");
        let data = found_in_time(&guest, &path, |data| data["nearest"].is_string()).await;
        assert_eq!(data["total"], 0, "{typed}");
        let near = data["nearest"].as_str().expect(typed).replace(' ', "%20");
        let data = found(&guest, &format!("/search?q={near}&lang=ru")).await;
        assert_ne!(data["total"], 0, "{typed}: {near}");
    }
    // Both words are near to what there is, and no dish has both: one is found as it is.
    let path = "/search?q=лагман%20плоф&lang=ru";
    let data = found_in_time(&guest, path, |data| data["total"] != 0).await;
    assert_eq!(
        (&data["shown"], &data["nearest"]),
        (&json!("лагман"), &Value::Null)
    );
    // Signs between words are no part of them, for an upstream neither.
    let path = "/search?q=чай-по-казахски&lang=ru";
    let data = found_in_time(&guest, path, |data| data["total"] != 0).await;
    let words = found(&guest, "/search?q=чай%20по%20казахски&lang=ru").await;
    assert_ne!(words["total"], 0);
    assert_eq!(data["total"], words["total"]);
    assert_eq!(data["shown"], Value::Null);
}

/// What guests call a dish in everyday life, in their own language, finds it in all menus and in one.
#[tokio::test]
async fn other_words_for_a_dish_find_it() {
    let product = Product::start().await;
    let guest = product.guest();
    for (typed, called) in [
        ("картошка", "фри"),
        ("картошка", "картофел"),
        ("шаверма", "донер"),
        ("шаурма", "донер"),
        ("coke", "кола"),
        ("сода", "тархун"),
        ("drinks", "чай"),
    ] {
        let data = found(&guest, &format!("/search?q={typed}&lang=ru")).await;
        let all = dishes(&data);
        assert!(
            all.iter().any(|name| name.to_lowercase().contains(called)),
            "{typed}: {all:?}"
        );
        assert_eq!(data["shown"], Value::Null, "{typed}");
    }
    let data = found(&guest, "/filials/1053/search?q=картошка&lang=ru").await;
    let all = names(&data["products"], |one| &one["name"]);
    assert!(all.iter().any(|name| name.contains("Фри")), "{all:?}");
}

/// "Кола" is in "шоколад", which nobody means by it.
#[tokio::test]
async fn a_short_word_inside_of_others_finds_them_only_where_no_name_begins_with_it() {
    let product = Product::start().await;
    let guest = product.guest();
    let data = found(&guest, "/search?q=кола&lang=ru").await;
    let all = dishes(&data);
    assert!(!all.is_empty());
    assert!(
        all.iter()
            .all(|name| !name.to_lowercase().contains("шокола")),
        "{all:?}"
    );
    let inside = found(&guest, "/search?q=околад&lang=ru").await;
    let first = dishes(&inside);
    assert!(first[0].to_lowercase().contains("шокола"), "{first:?}");
    let suggested: Value = guest
        .get_with(
            "/search/suggest?q=кола&lang=ru",
            &[("accept", "application/json")],
        )
        .await
        .json();
    let texts = names(&suggested["items"], |item| &item["text"]);
    assert!(
        texts
            .iter()
            .all(|text| !text.to_lowercase().contains("шокола"))
            && !texts.is_empty(),
        "{texts:?}"
    );
}

/// Each dish is found once: at the nearest of the venues that can make it now.
#[tokio::test]
async fn a_closed_venue_hides_no_dish_of_an_open_one() {
    let product = Product::start().await;
    let guest = product.guest();
    let with = |data: &Value, dish: &Value| {
        let has = |one: &&Value| {
            let mut dishes = one["dishes"].as_array().unwrap().iter();
            dishes.any(|own| own["id"] == *dish)
        };
        let found = data["found"].as_array().unwrap().iter();
        let venues: Vec<Value> = found.filter(has).map(|one| one["venue"].clone()).collect();
        assert_eq!(venues.len(), 1, "{venues:?}");
        venues[0].clone()
    };
    // Two coffee houses of one menu are open around the clock.
    let data = found(&guest, "/search?q=флэт%20уайт&lang=ru").await;
    let dish = data["found"][0]["dishes"][0]["id"].clone();
    let venue = with(&data, &dish);
    assert_eq!(venue["open"]["open"], true, "{venue}");
    let closed = json!({ "filial_id": venue["id"], "closed": true });
    product.control("opening", closed).await;
    // Another text: the answer to the first one may still be known.
    let other = with(&found(&guest, "/search?q=флэт&lang=ru").await, &dish);
    assert_ne!(other["id"], venue["id"]);
    assert_eq!(other["open"]["open"], true, "{other}");
}

/// Of equally good names, in the menu as in the browser (`tests/fixtures/finding.json`).
#[tokio::test]
async fn what_is_sold_out_comes_behind_what_fits_as_well() {
    let product = Product::start().await;
    let guest = product.guest();
    let path = format!("/filials/{VENUE}/search?q=лагман&lang=ru");
    let before = found(&guest, &path).await;
    let first = before["products"][0]["id"].as_u64().unwrap();
    product.sell_out(VENUE, first).await;
    let all = eventually(10, async || {
        let data = found(&guest, &path).await;
        let all = data["products"].as_array().unwrap().clone();
        let is_out = |one: &Value| one["id"] == first && one["out"] == true;
        all.iter().any(is_out).then_some(all)
    })
    .await;
    let begins = |one: &&Value| {
        let name = one["name"].as_str().unwrap().to_lowercase();
        name.starts_with("лагман")
    };
    let best: Vec<&Value> = all.iter().take_while(begins).collect();
    assert!(best.len() > 1, "{all:?}");
    assert_eq!(best.last().unwrap()["id"], first);
    assert!(all.len() > best.len(), "what fits less comes behind it");
}

/// Such letters come with copied words; no guest sees them.
#[tokio::test]
async fn letters_that_cant_be_seen_are_no_part_of_a_text() {
    let product = Product::start().await;
    let guest = product.guest();
    let plain = found(&guest, "/search?q=лагман&lang=ru").await;
    for typed in [
        "%EF%BB%BFлагман",
        "лаг%C2%ADман%E2%80%8B",
        "%E2%80%AAлаг%E2%81%A0ман%E2%80%AC",
    ] {
        let data = found(&guest, &format!("/search?q={typed}&lang=ru")).await;
        assert_eq!(data, plain, "{typed}");
    }
    let wide = found(&guest, "/search?q=ｌａｇｍａｎ&lang=ru").await;
    assert_eq!(
        (&wide["query"], &wide["total"]),
        (&json!("lagman"), &plain["total"])
    );
    let menu = format!("/filials/{VENUE}/search");
    let plain = found(&guest, &format!("{menu}?q=лагман&lang=ru")).await;
    let data = found(&guest, &format!("{menu}?q=%EF%BB%BFлаг%C2%ADман&lang=ru")).await;
    assert_eq!(data, plain);
    product.forget_log().await;
    let none = found(&guest, "/search?q=%EF%BB%BF%E2%80%8B").await;
    assert_eq!((&none["query"], &none["found"]), (&json!(""), &json!([])));
    assert!(product.queries("/menu/v3/search/products").await.is_empty());
    // Nor are control characters, in any list.
    for list in ["/search", &menu, "/brands", "/filials", "/town"] {
        let page = guest
            .get(&format!("{list}?q=%07lag%00man%1B&lang=en"))
            .await;
        assert_eq!(page.data()["page"]["data"]["query"], "lagman", "{list}");
        assert!(!page.text().contains(['\0', '\u{7}', '\u{1b}']), "{list}");
    }
    // One letter may stand for eighteen: the text is cut where it is asked for.
    let unfolded = found(&guest, &format!("/search?q={}", "%EF%B7%BA".repeat(80))).await;
    let asked = unfolded["query"].as_str().unwrap().chars().count();
    assert!((1..=80).contains(&asked), "{asked}");
}

/// The dishes of all venues come to no table of one.
#[tokio::test]
async fn the_search_of_all_venues_shows_no_table() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    for path in ["/search", "/search?q=лагман"] {
        let page = guest.get(path).await;
        assert!(page.data()["shell"]["table"].is_null(), "{path}");
        assert!(page.texts(".chip.table").is_empty(), "{path}");
    }
    for path in [format!("/filials/{VENUE}/search"), "/".to_owned()] {
        let page = guest.get(&path).await.data();
        assert_eq!(page["shell"]["table"]["number"], "7", "{path}");
    }
}

#[tokio::test]
async fn only_what_is_close_is_offered() {
    let product = Product::start().await;
    let guest = product.guest();
    // One letter away from "зелёный", which the menu has, but nobody mistypes the first one.
    let menu = found(
        &guest,
        &format!("/filials/{VENUE}/search?q=меленый&lang=ru"),
    )
    .await;
    assert_eq!(
        (&menu["products"], &menu["shown"]),
        (&json!([]), &Value::Null)
    );
    assert_eq!(menu["nearest"], Value::Null);
    assert!(
        !menu["popular"].as_array().unwrap().is_empty(),
        "no dead end"
    );
    // A letter of four: close, not certain.
    let data = found(&guest, "/search?q=плоф&lang=ru").await;
    assert_eq!(
        (&data["shown"], &data["nearest"]),
        (&Value::Null, &json!("плов"))
    );
}

#[tokio::test]
async fn results_are_narrowed_down_by_what_the_upstream_tells() {
    let product = Product::start().await;
    let guest = product.guest();
    // Half past four in Almaty: who is open then is so around the clock, and "open" narrows down at any hour of a test.
    let night = time::OffsetDateTime::now_utc().replace_time(time::macros::time!(23:30));
    let now = night
        .format(&time::format_description::well_known::Rfc3339)
        .unwrap();
    product.control("clock", json!({ "now": now })).await;
    let query = "/search?q=чай&lang=ru";
    let page = guest.get(query).await;
    let all = page.data()["page"]["data"].clone();
    let total = all["total"].as_u64().unwrap();
    let filters = all["filters"].as_array().unwrap();
    for kind in ["open", "meatless", "halal", "price", "kitchen"] {
        let one = filters
            .iter()
            .find(|filter| filter["kind"] == kind)
            .unwrap_or_else(|| panic!("{kind}: {filters:?}"));
        let value = one["value"].as_str().unwrap();
        assert!(
            page.rendered().contains(&format!("{kind}={value}")),
            "a link"
        );
        product.forget_log().await;
        let narrowed = guest.get(&format!("{query}&{kind}={value}")).await;
        let data = narrowed.data()["page"]["data"].clone();
        let left = data["total"].as_u64().unwrap();
        assert!(0 < left && left < total, "{kind}: {left} of {total}");
        let on = only_chosen(&data);
        assert_eq!((&on["kind"], &on["value"]), (&json!(kind), &one["value"]));
        assert_eq!(narrowed.texts(".filters [aria-current=true]").len(), 1);
        let wire = if kind == "price" { "max-price" } else { kind };
        let asked = product.queries("/menu/v3/search/products").await;
        assert!(
            asked
                .iter()
                .all(|asked| asked[&format!("filter[{wire}]")] == value),
            "{asked:?}"
        );
        let open = |one: &Value| one["venue"]["open"]["open"] == true;
        let found = data["found"].as_array().unwrap();
        assert!(kind != "open" || found.iter().all(open));
        let cheap = |dish: &Value| {
            let price = dish["promo"].as_i64().or(dish["price"].as_i64()).unwrap();
            price <= value.parse::<i64>().unwrap() * 100
        };
        let mut dishes = found
            .iter()
            .flat_map(|one| one["dishes"].as_array().unwrap());
        assert!(kind != "price" || dishes.all(cheap));
    }
    // What leaves nothing says so, and leads back to all.
    let none = guest.get(&format!("{query}&price=1")).await;
    assert_eq!(none.data()["page"]["data"]["total"], 0);
    assert_eq!(none.data()["page"]["data"]["nearest"], Value::Null);
    assert!(
        none.rendered()
            .contains("С этими фильтрами ничего не осталось")
    );
}

#[tokio::test]
async fn an_upstream_that_tells_of_no_filters_offers_none() {
    let product = Product::start().await;
    let known = json!({ "/facets": null });
    product.replace("/menu/v3/search/products", known).await;
    let page = product.guest().get("/search?q=чай&lang=ru").await;
    let data = page.data()["page"]["data"].clone();
    assert!(data["total"].as_u64().unwrap() > 0);
    assert_eq!(data["filters"], json!([]));
    assert!(page.texts(".filters").is_empty());
}

#[tokio::test]
async fn nothing_but_white_space_asks_the_upstream_nothing() {
    let product = Product::start().await;
    let guest = product.guest();
    product.forget_log().await;
    let data = found(&guest, "/search?q=%20%20").await;
    assert_eq!((&data["query"], &data["found"]), (&json!(""), &json!([])));
    assert!(
        !data["popular"].as_array().unwrap().is_empty(),
        "no dead end"
    );
    let suggestions: Value = guest
        .get_with("/search/suggest?q=%20", &[("accept", "application/json")])
        .await
        .json();
    assert_eq!(suggestions["items"], json!([]));
    let log = product.sandbox_get("log").await;
    let asked = |part: &str| {
        log.iter()
            .any(|call| call["path"].as_str().unwrap().contains(part))
    };
    assert!(
        !asked("search/products") && !asked("autocomplete"),
        "{log:?}"
    );
}

/// What was chosen holds for the next text, also where that is another than was meant.
#[tokio::test]
async fn filters_outlast_an_empty_text_and_another_spelling() {
    let product = Product::start().await;
    let guest = product.guest();
    for (query, kind, value) in [
        ("?halal=1", "halal", "1"),
        ("?q=%20&price=2000", "price", "2000"),
        ("?kitchen=nowhere", "kitchen", "nowhere"),
    ] {
        let page = guest.get(&format!("/search{query}")).await;
        let data = page.data()["page"]["data"].clone();
        assert_eq!(data["query"], "", "{query}");
        let on = only_chosen(&data);
        assert_eq!((&on["kind"], &on["value"]), (&json!(kind), &json!(value)));
        // Without scripts the form sends them along.
        let field = format!("form[role=search] input[name={kind}][value='{value}']");
        assert_eq!(page.texts(&field).len(), 1, "{query}");
    }
    let none = guest.get("/search").await.data();
    assert_eq!(none["page"]["data"]["filters"], json!([]));
    let page = guest.get("/search?q=плоф&halal=1&lang=ru").await;
    assert_eq!(page.data()["page"]["data"]["nearest"], "плов");
    let meant = "/search?q=%D0%BF%D0%BB%D0%BE%D0%B2&amp;halal=1";
    assert!(page.rendered().contains(meant));
}

#[tokio::test]
async fn another_keyboard_and_another_script_find_the_same() {
    let product = Product::start().await;
    let guest = product.guest();
    for (typed, shown) in [
        ("kfuvfy", json!("лагман")),
        ("lagman", Value::Null),
        // A sign takes the place of no other spelling.
        ("kompot!", Value::Null),
    ] {
        let data = found(&guest, &format!("/search?q={typed}&lang=ru")).await;
        assert!(!dishes(&data).is_empty(), "{typed}");
        assert_eq!(data["shown"], shown, "{typed}");
    }
    let menu = found(&guest, &format!("/filials/{VENUE}/search?q=kfuvfy&lang=ru")).await;
    assert_eq!(menu["shown"], "лагман");
    let folded = found(&guest, &format!("/filials/{VENUE}/search?q=лагман&lang=kk")).await;
    let all = names(&folded["products"], |one| &one["name"]);
    assert!(
        all.iter()
            .any(|name| name.to_lowercase().contains("лағман")),
        "{all:?}"
    );
}

#[tokio::test]
async fn nothing_found_keeps_the_query_and_offers_a_spelling_and_popular_dishes() {
    let product = Product::start().await;
    let page = product.guest().get("/search?q=плоф&lang=ru").await;
    assert_eq!(page.status, 200);
    let data = page.data();
    let data = &data["page"]["data"];
    assert_eq!(data["nearest"], "плов");
    assert!(!data["popular"].as_array().unwrap().is_empty());
    let html = page.rendered();
    assert!(html.contains("плоф") && html.contains("/search?q=%D0%BF%D0%BB%D0%BE%D0%B2"));
}

#[tokio::test]
async fn what_only_another_service_finds_is_offered_with_it() {
    let product = Product::start().await;
    let guest = product.guest();
    // Its fridge is takeaway alone, and the autocomplete knows it all the same.
    let path = "/search?q=Салкын%20Соре%20Бизнес-центр&lang=ru";
    let page = guest.get(path).await;
    assert_eq!(page.status, 200);
    let data = page.data();
    assert_eq!(data["shell"]["service"], "express");
    let data = &data["page"]["data"];
    let others = data["others"].as_array().unwrap();
    let other = &others[0];
    assert_eq!((others.len(), &data["total"]), (1, &json!(0)));
    assert_eq!(other["service"], "takeaway");
    assert_eq!(data["nearest"], Value::Null);
    let button = page.texts(".empty form .button");
    assert_eq!(button.len(), 1);
    assert!(button[0].starts_with("С собой: "), "{button:?}");
    // Without scripts: the button leads to what it has counted.
    let url = guest.data(path).await["shell"]["url"].clone();
    let fields = [("service", "takeaway"), ("back", url.as_str().unwrap())];
    let found = guest.submit("/session/service", &fields).await.data();
    assert_eq!(found["shell"]["service"], "takeaway");
    let data = &found["page"]["data"];
    assert_eq!(data["total"], other["total"]);
    assert_eq!(data["others"], json!([]));
    let names = names(&data["found"], |one| &one["venue"]["name"]);
    assert!(
        names.iter().any(|name| name.contains("Салкын Соре")),
        "{names:?}"
    );
}

#[tokio::test]
async fn an_upstream_that_fails_leaves_the_query_and_a_retry() {
    let product = Product::start().await;
    product.fail("/menu/v3/search", 500).await;
    let guest = product.guest();
    // No venue is called so: what has not answered may have it.
    let page = guest.get("/search?q=манты&lang=ru").await;
    assert_eq!(page.status, 503);
    assert_eq!(page.data()["page"]["data"]["failed"], true);
    assert!(page.rendered().contains(r#"value="манты""#));
    let venues = guest.get("/search?q=лагман&lang=ru").await;
    assert_eq!(venues.status, 200, "the venues' own list answered");
    let data = venues.data()["page"]["data"].clone();
    assert_eq!(
        (&data["failed"], &data["partial"]),
        (&json!(false), &json!(true))
    );
    assert!(!data["found"].as_array().unwrap().is_empty());
    assert!(
        venues
            .rendered()
            .contains("Часть результатов не загрузилась.")
    );
}

#[tokio::test]
async fn autocomplete_gives_three_lines_and_takes_a_brand() {
    let product = Product::start().await;
    let guest = product.guest();
    let suggest = async |query: &str| -> Value {
        guest
            .get_with(query, &[("accept", "application/json")])
            .await
            .json()
    };
    let all = suggest("/search/suggest?q=а").await;
    assert_eq!(all["query"], "а");
    assert_eq!(all["items"].as_array().unwrap().len(), 3);
    product.forget_log().await;
    suggest("/search/suggest?q=лаг&brand=5").await;
    let log = product.sandbox_get("log").await;
    let call = log
        .iter()
        .find(|call| call["path"].as_str().unwrap().contains("autocomplete"))
        .unwrap();
    assert!(call.to_string().contains("brand_id"), "{call}");
}

#[tokio::test]
async fn a_dish_of_the_results_goes_into_the_cart_without_scripts_and_leads_back() {
    let product = Product::start().await;
    let guest = product.guest();
    let path = "/search?q=самса&lang=ru";
    let data = found(&guest, path).await;
    let (venue, id) = data["found"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["venue"]["open"]["open"] == true)
        .flat_map(|one| {
            let dishes = one["dishes"].as_array().unwrap().iter();
            dishes.map(|dish| (one["venue"]["id"].to_string(), dish))
        })
        .find(|(_, dish)| dish["options"].is_null() && dish["out"].is_null())
        .map(|(venue, dish)| (venue, dish["id"].to_string()))
        .expect("a dish without options");
    let back = guest.data(path).await["shell"]["url"]
        .as_str()
        .unwrap()
        .to_owned();
    let page = guest
        .submit(
            "/cart/lines",
            &[("filial", &venue), ("product", &id), ("back", &back)],
        )
        .await;
    let data = page.data();
    assert_eq!(data["page"]["route"], "search");
    assert_eq!(data["shell"]["cart"]["count"], 1);
    // It is a stepper now, in the result.
    assert_eq!(page.texts(".found-venue .dish .minus").len(), 1);
}

#[tokio::test]
async fn a_service_that_is_switched_searches_again() {
    let product = Product::start().await;
    let guest = product.guest();
    let path = "/search?q=лагман";
    product.forget_log().await;
    let page = guest
        .submit(
            "/session/service",
            &[("service", "delivery"), ("back", path)],
        )
        .await;
    let data = page.data();
    assert_eq!(data["page"]["data"]["query"], "лагман");
    assert_eq!(data["shell"]["service"], "delivery");
    let venues = data["page"]["data"]["found"].as_array().unwrap();
    let delivers = |one: &Value| {
        one["venue"]["services"]
            .as_array()
            .unwrap()
            .contains(&json!("delivery"))
    };
    assert!(venues.iter().all(delivers), "{venues:?}");
    let searches = product.queries("/takeaway/v2/locations").await;
    let is_switched = |query: &HashMap<String, String>| {
        query.get("search").is_some_and(|words| words == "лагман")
            && query["filter[service]"] == "delivery"
    };
    assert!(searches.iter().any(is_switched), "{searches:?}");
}

#[tokio::test]
async fn a_barcode_finds_the_good_of_a_menu() {
    let product = Product::start().await;
    let goods: Value = reqwest::get(format!(
        "{}/menu/v3/search/products?query=с&kind=good",
        product.sandbox
    ))
    .await
    .unwrap()
    .json()
    .await
    .unwrap();
    let good = &goods["data"][0];
    let barcode = good["product"]["barcode"].as_str().unwrap();
    let path = format!(
        "/filials/{}/search?q={barcode}",
        good["location"]["filial_id"]
    );
    let data = found(&product.guest(), &path).await;
    let ids: Vec<&Value> = data["products"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["id"])
        .collect();
    assert_eq!(ids, [&good["product"]["product_id"]]);
}

pub async fn booking_page(guest: &Guest) -> Value {
    let first = found(guest, &format!("/brands/booking?filial={VENUE}&lang=ru")).await;
    let date = first["days"][2]["date"].as_str().unwrap();
    found(
        guest,
        &format!("/brands/booking?filial={VENUE}&date={date}&guests=3"),
    )
    .await
}

pub fn form<'a>(page: &'a Value, venue: &'a str, time: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        ("filial", venue),
        ("date", page["date"].as_str().unwrap()),
        ("guests", "3"),
        ("attempt", page["attempt"].as_str().unwrap()),
        ("time", time),
        ("name", "Айгүл"),
        ("phone", "+7 701 000 00 12"),
    ]
}

pub fn free(page: &Value) -> &str {
    let slots = page["slots"].as_array().unwrap();
    slots.iter().rfind(|slot| slot["free"] == true).unwrap()["time"]
        .as_str()
        .unwrap()
}

#[tokio::test]
async fn a_form_pressed_twice_books_one_table_which_can_be_kept_and_given_back() {
    let product = Product::start().await;
    let guest = product.guest();
    let page = booking_page(&guest).await;
    let venue = VENUE.to_string();
    let fields = form(&page, &venue, free(&page));
    let first = guest.post("/bookings", &fields).await;
    assert_eq!(first.status, 303, "{}", first.text());
    let again = guest.post("/bookings", &fields).await;
    assert_eq!(first.location(), again.location());
    let shown = guest.get(&first.location()).await;
    let data = shown.data()["page"]["data"].clone();
    assert_eq!(data["own"].as_array().unwrap().len(), 1);
    assert_eq!(
        (&data["done"], &data["own"][0]["guests"]),
        (&data["own"][0]["id"], &json!(3))
    );

    let id = data["done"].as_str().unwrap();
    let calendar = guest.get(&format!("/bookings/{id}/calendar.ics")).await;
    assert_eq!(
        calendar.header("content-type"),
        "text/calendar; charset=utf-8"
    );
    let text = calendar.text();
    assert!(
        text.starts_with("BEGIN:VCALENDAR\r\n") && text.contains("DTSTART:20"),
        "{text}"
    );

    let other_guest = product.guest();
    let of_another = other_guest
        .get(&format!("/bookings/{id}/calendar.ics"))
        .await;
    assert_eq!(of_another.status, 404);
    let cancel = format!("/bookings/{id}/cancel");
    assert_ne!(other_guest.post(&cancel, &[]).await.status, 303);
    assert!(
        found(&other_guest, "/brands/booking").await["own"]
            .as_array()
            .unwrap()
            .is_empty()
    );

    let after = guest.submit(&cancel, &[]).await;
    assert_eq!(after.data()["shell"]["flash"]["kind"], "bookingCancelled");
    assert!(
        found(&guest, "/brands/booking").await["own"]
            .as_array()
            .unwrap()
            .is_empty()
    );
}

#[tokio::test]
async fn a_booking_whose_answer_was_lost_is_one_booking() {
    let product = Product::start().await;
    let guest = product.guest();
    let page = booking_page(&guest).await;
    let venue = VENUE.to_string();
    let fields = form(&page, &venue, free(&page));
    let lost = json!({ "path": "/booking/v1/bookings", "method": "POST", "kind": "status", "status": 502,
        "after_commit": true });
    product.control("faults", lost).await;
    let unsure = guest.submit("/bookings", &fields).await;
    let data = unsure.data();
    assert_eq!(data["shell"]["flash"]["kind"], "bookingUnknown");
    assert_eq!(
        data["shell"]["flash"]["values"]["attempt"][0],
        page["attempt"]
    );
    assert!(
        unsure
            .rendered()
            .contains(page["attempt"].as_str().unwrap()),
        "the same form again"
    );
    product.no_faults().await;
    let done = guest.submit("/bookings", &fields).await;
    let own = done.data()["page"]["data"]["own"].clone();
    assert_eq!(own.as_array().unwrap().len(), 1, "{own}");
}

#[tokio::test]
async fn a_wrong_booking_keeps_what_was_typed_and_says_why() {
    let product = Product::start().await;
    let guest = product.guest();
    let page = booking_page(&guest).await;
    let venue = VENUE.to_string();
    let mut fields = form(&page, &venue, free(&page));
    fields.retain(|(name, _)| *name != "phone" && *name != "time");
    fields.push(("phone", "12"));
    let refused = guest.submit("/bookings", &fields).await;
    let data = refused.data();
    let errors = data["shell"]["flash"]["errors"].as_array().unwrap();
    let codes: Vec<_> = errors
        .iter()
        .map(|error| {
            (
                error["field"].as_str().unwrap(),
                error["code"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(codes, [("time", "chooseTime"), ("phone", "phone")]);
    let html = refused.rendered();
    assert!(html.contains(r#"value="Айгүл""#) && html.contains(r#"value="12""#));
    assert_eq!(data["page"]["data"]["date"], page["date"], "the same day");

    let taken = form(&page, &venue, "03:00");
    let refused = guest.submit("/bookings", &taken).await;
    assert_eq!(
        refused.data()["shell"]["flash"]["errors"][0]["code"],
        "noPlaces"
    );
}

/// Nobody is told that there is nothing while a part that could have it has not answered.
#[tokio::test]
async fn a_search_that_found_nothing_in_half_of_the_places_has_failed() {
    let product = Product::start().await;
    let guest = product.guest();
    let search = async |query: &str| {
        let page = guest.get(&format!("/search?lang=en&q={query}")).await;
        let failed = page.data()["page"]["data"]["failed"].clone();
        (page.status, failed, page.rendered())
    };
    let (status, failed, html) = search("zxzxzx").await;
    assert_eq!((status, failed), (200, json!(false)));
    assert!(html.contains("Nothing was found"));
    product.fail("/menu/v3/search/products", 500).await;
    let (status, failed, html) = search("wwqqww").await;
    assert_eq!((status, failed), (503, json!(true)));
    assert!(!html.contains("Nothing was found") && html.contains("role=\"status\""));
}

/// The longest row of calls of which each came after the answer of the one before.
fn longest_row(calls: &[Value]) -> usize {
    let mut rows = Vec::<usize>::new();
    for call in calls {
        let before = calls.iter().zip(&rows);
        let answered = before.filter(|(one, _)| {
            let then = one["then"].as_u64();
            then.is_some_and(|then| then <= call["seq"].as_u64().unwrap())
        });
        rows.push(1 + answered.map(|(_, row)| *row).max().unwrap_or(0));
    }
    rows.into_iter().max().unwrap_or(0)
}

/// Each question that follows from the one before costs a call, and an upstream may be slow. Of a page that may take
/// 2.5 s three answers of 0.8 s have no place: the third is not waited for, and nothing is asked after it.
#[tokio::test]
async fn a_search_that_finds_nothing_is_answered_in_time_by_a_slow_upstream() {
    let product = Product::start().await;
    let guest = product.guest();
    guest.get("/search?q=лагман").await;
    let slow = json!({ "path": "*", "kind": "delay", "delay_ms": 800 });
    product.control("faults", slow).await;
    for query in ["qqwwqq", "бешбормак", "плоф"] {
        product.forget_log().await;
        let page = guest.get(&format!("/_data/search?q={query}")).await;
        assert_eq!(page.status, 200, "{query}");
        let calls = product.sandbox_get("log").await;
        let row = longest_row(&calls);
        assert!(row <= 3, "{query}: {row} of {} calls", calls.len());
    }
}

/// The filter that results are narrowed down by.
fn only_chosen(data: &Value) -> &Value {
    let filters = data["filters"].as_array().unwrap().iter();
    let on: Vec<&Value> = filters.filter(|filter| filter["on"] == true).collect();
    assert_eq!(on.len(), 1, "{on:?}");
    on[0]
}

/// What was chosen for other words can be taken off although nothing has it (screens.md, "No dead end").
#[tokio::test]
async fn a_kitchen_that_no_result_has_stays_among_the_filters() {
    let product = Product::start().await;
    let guest = product.guest();
    let data = async |query: &str| guest.get(query).await.data()["page"]["data"].clone();
    let all = data("/search?q=чай&lang=ru").await;
    assert!(all["total"].as_u64().unwrap() > 0);
    let none = data("/search?q=чай&lang=ru&kitchen=nowhere").await;
    assert_eq!(none["total"], 0);
    assert_eq!(only_chosen(&none)["value"], "nowhere");
    let page = guest.get("/search?q=чай&lang=ru&kitchen=nowhere").await;
    assert!(
        page.rendered()
            .contains("href=\"/search?q=%D1%87%D0%B0%D0%B9\""),
        "a link without it"
    );
}

//! Reviews of a venue: read by everybody, written by who has signed in, published by nobody but the upstream, reported
//! once (L81, PY-09).

use serde_json::{Value, json};
use url::Url;

use crate::{
    profile::signed_in,
    sign_in::{confirm, sign_in},
    support::{Answer, Guest, Product},
};

/// It has pages of reviews; the other one has none.
const VENUE: u64 = 1013;
const NEW: u64 = 1243;
const PAGE: &str = "/filials/1013/reviews";
const FORM: &str = "/filials/1013/reviews/new";
const UPSTREAM: &str = "/reviews/v1/reviews";

fn data(answer: &Answer) -> Value {
    answer.data()["page"]["data"].clone()
}

fn ids(answer: &Answer) -> Vec<u64> {
    let data = data(answer);
    let all = data["reviews"].as_array().unwrap();
    all.iter().map(|one| one["id"].as_u64().unwrap()).collect()
}

/// What the upstream got of one kind of call.
async fn bodies_sent(product: &Product, method: &str, path: &str) -> Vec<Value> {
    let log = product.sandbox_get("log").await;
    log.into_iter()
        .filter(|call| call["method"] == method && call["path"] == path)
        .map(|call| serde_json::from_str(call["body"].as_str().unwrap()).unwrap_or_default())
        .collect()
}

async fn write(guest: &Guest, rating: &str, text: &str) -> Answer {
    let fields = [("rating", rating), ("text", text), ("back", FORM)];
    guest.submit(PAGE, &fields).await
}

/// The moderator reads the guest's own review.
async fn moderate(product: &Product, page: &Answer, state: &str) {
    let id = data(page)["own"]["review"]["id"].clone();
    let body = json!({ "review_id": id, "state": state });
    product.control("review", body).await;
}

/// How often a review was reported.
async fn reports(product: &Product, id: u64) -> Value {
    let path = format!("reviews?filial_id={VENUE}");
    let url = format!("{}/_sandbox/api/{path}", product.sandbox);
    let all: Value = reqwest::get(url).await.unwrap().json().await.unwrap();
    let all = all["data"].as_array().unwrap();
    let one = all.iter().find(|one| one["id"] == id);
    one.unwrap()["reports"].clone()
}

#[tokio::test]
async fn the_list_has_pages_that_are_links_and_ends_where_it_ends() {
    let product = Product::start().await;
    let guest = product.guest();
    let first = guest.get(&format!("{PAGE}?lang=en")).await;
    assert_eq!(first.status, 200);
    let shown = data(&first);
    let last = shown["last_page"].as_u64().or(shown["lastPage"].as_u64());
    let last = last.unwrap();
    assert!(last > 2, "{shown}");
    let mut seen = ids(&first);
    assert_eq!(seen.len(), 10);
    let mut dates: Vec<i64> = Vec::new();
    let mut page = first;
    for number in 1..=last {
        if number > 1 {
            page = guest.get(&format!("{PAGE}?page={number}&lang=en")).await;
            seen.extend(ids(&page));
        }
        let all = data(&page)["reviews"].as_array().unwrap().clone();
        dates.extend(all.iter().map(|one| one["at"].as_i64().unwrap()));
        for (other, rel, is_there) in [
            (number - 1, "prev", number > 1),
            (number + 1, "next", number < last),
        ] {
            let href = match other {
                1 => PAGE.to_owned(),
                other => format!("{PAGE}?page={other}"),
            };
            let link = format!(r#".turn a[rel="{rel}"][href="{href}"]"#);
            assert_eq!(page.texts(&link).len(), usize::from(is_there), "{link}");
        }
        assert_eq!(
            page.texts(".turn > .soft"),
            [format!("Page {number} of {last}")]
        );
    }
    assert!(dates.is_sorted_by(|a, b| a >= b), "the newest first");
    let total = seen.len();
    assert_eq!(data(&page)["total"], total);
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), total, "each stands on one page");

    // One past the end is no page, and no number is too large to be answered.
    let past = guest.get(&format!("{PAGE}?page={}", last + 1)).await;
    assert_eq!(
        (past.status, past.location()),
        (303, format!("{PAGE}?page={last}"))
    );
    product.forget_log().await;
    for page in ["0", "-1", "99999999999999999999", "1001", "x", "2e1", "%00"] {
        let answer = guest.get(&format!("{PAGE}?page={page}")).await;
        assert_eq!((answer.status, ids(&answer).len()), (200, 10), "{page}");
        assert_eq!(data(&answer)["page"], 1, "{page}");
    }
    let asked = product.queries(UPSTREAM).await;
    assert!(
        asked.iter().all(|query| query["page"] == "1"),
        "nothing else goes upstream: {asked:?}"
    );
    let unknown = guest.get("/filials/999999/reviews").await;
    assert_eq!(unknown.status, 404);
}

#[tokio::test]
async fn stars_dates_and_languages_are_told_in_every_language() {
    let product = Product::start().await;
    let guest = product.guest();
    let mut headings = Vec::new();
    for lang in ["kk", "ru", "en", "ka"] {
        let (venue, country) = if lang == "ka" {
            (2013, "ge")
        } else {
            (VENUE, "kz")
        };
        let page = guest
            .get(&format!(
                "/filials/{venue}/reviews?lang={lang}&country={country}"
            ))
            .await;
        assert_eq!(page.status, 200, "{lang}");
        assert_eq!(page.data()["shell"]["lang"], lang);
        headings.extend(page.texts("h1"));
        let shown = data(&page);
        let reviews = shown["reviews"].as_array().unwrap();
        let html = scraper::Html::parse_fragment(&page.rendered());
        let items: Vec<_> = html
            .select(&scraper::Selector::parse(".list > li").unwrap())
            .collect();
        assert_eq!(items.len(), reviews.len());
        for (item, review) in items.iter().zip(reviews) {
            let one = |selector: &str| {
                let selector = scraper::Selector::parse(selector).unwrap();
                item.select(&selector).next()
            };
            let stars = one(".given > .vh").unwrap().text().collect::<String>();
            assert!(stars.contains(&review["rating"].to_string()), "{stars}");
            let time = one("time").unwrap();
            let day = time.text().collect::<String>();
            assert!(day.chars().any(|c| c.is_ascii_digit()), "{lang}: {day}");
            // The language stands on the words, and is named where it is not the page's.
            let text = review["text"].as_str().unwrap();
            let told = review["lang"].as_str().unwrap();
            let words = one(".words");
            assert_eq!(words.is_some(), !text.is_empty());
            let foreign = (told != lang && !text.is_empty()).then_some(told);
            assert_eq!(
                words.and_then(|one| one.value().attr("lang")),
                foreign,
                "{lang}: {text}"
            );
            let mark = one(".said-at > [lang]");
            assert_eq!(mark.and_then(|one| one.value().attr("lang")), foreign);
        }
    }
    headings.sort();
    headings.dedup();
    assert_eq!(headings.len(), 4, "{headings:?}");

    // The day is that of the venue: 23:00 UTC is the next day in Almaty.
    let late = json!({ "/data/0/created_at": "2026-11-19T23:00:00Z" });
    product.replace(UPSTREAM, late).await;
    let page = guest
        .get(&format!("{PAGE}?page=2&lang=en&country=kz"))
        .await;
    assert!(
        page.texts(".list time")[0].starts_with("20 November"),
        "{:?}",
        page.texts(".list time")
    );

    // One language alone.
    let russian = guest.get(&format!("{PAGE}?in=ru&lang=en")).await;
    let shown = data(&russian);
    assert!(
        shown["reviews"]
            .as_array()
            .unwrap()
            .iter()
            .all(|one| one["lang"] == "ru")
    );
    assert!(shown["total"].as_u64() < data(&page)["total"].as_u64());
    assert_eq!(
        russian.texts(".chips [aria-current]")[0].trim_end_matches(char::is_numeric),
        "Русский "
    );
    let any = guest.get(&format!("{PAGE}?in=de")).await;
    assert_eq!(data(&any)["only"], Value::Null);
}

#[tokio::test]
async fn a_venue_without_reviews_says_so_and_details_lead_to_both() {
    let product = Product::start().await;
    let guest = product.guest();
    let page = guest.get(&format!("/filials/{NEW}/reviews?lang=en")).await;
    assert_eq!(
        (page.status, page.texts(".empty h2")),
        (200, vec!["No reviews yet".to_owned()])
    );
    assert!(
        page.rendered()
            .contains(&format!(r#"href="/filials/{NEW}/reviews/new""#))
    );
    for venue in [VENUE, NEW] {
        let details = guest.get(&format!("/filials/{venue}/details")).await;
        let link = format!(r#"href="/filials/{venue}/reviews""#);
        assert!(details.rendered().contains(&link), "{venue}");
    }
    let kept = guest.get("/filials/1013/details?lang=en").await;
    assert!(
        kept.texts(".venue-facts .link")[0].contains("Ratings and reviews: 1\u{a0}284"),
        "{:?}",
        kept.texts(".venue-facts .link")
    );
}

#[tokio::test]
async fn without_the_list_the_page_says_so_and_the_venue_stays() {
    let product = Product::start().await;
    let guest = product.guest();
    for fault in [
        json!({ "kind": "status", "status": 500 }),
        json!({ "kind": "hang" }),
        json!({ "kind": "cut_json" }),
        json!({ "kind": "replace", "values": { "/data": [{ "id": "?" }] } }),
    ] {
        product.no_faults().await;
        let mut fault = fault;
        fault["path"] = UPSTREAM.into();
        product.control("faults", fault.clone()).await;
        let page = guest.get(&format!("{PAGE}?page=2&lang=en")).await;
        assert_eq!(page.status, 503, "{fault}");
        assert_eq!(page.texts(".empty h2"), ["The reviews did not load"]);
        let html = page.rendered();
        assert!(html.contains(&format!(r#"href="{PAGE}?page=2""#)), "again");
        assert!(html.contains(r#"href="/filials/1013/details""#));
        assert_eq!(guest.get("/filials/1013/details").await.status, 200);
    }
    product.no_faults().await;
    // What failed was kept for nobody.
    let page = guest.get(&format!("{PAGE}?page=2&lang=en")).await;
    assert_eq!((page.status, ids(&page).len()), (200, 10));
}

#[tokio::test]
async fn what_the_upstream_has_not_published_is_shown_to_its_guest_alone() {
    let product = Product::start().await;
    let other_guest = product.guest();
    let before = other_guest.get(PAGE).await;
    let guest = signed_in(&product).await;
    let text = "Өте дәмді!\r\nРахмет аспазшыға.";
    let page = write(&guest, "5", text).await;
    let own = data(&page)["own"].clone();
    assert_eq!(own["state"], "pending");
    assert_eq!(own["review"]["text"], "Өте дәмді!\nРахмет аспазшыға.");
    assert_eq!(own["review"]["lang"], "kk");
    assert_eq!(page.header("cache-control"), "private, no-store");
    let id = own["review"]["id"].as_u64().unwrap();
    assert!(!ids(&page).contains(&id));
    // Nobody else sees it, however the page is asked for: in each language it is asked of the upstream anew.
    for path in [
        PAGE,
        "/filials/1013/reviews?lang=ru",
        "/filials/1011/reviews",
    ] {
        let seen = other_guest.get(path).await;
        assert!(!seen.text().contains("аспазшыға"), "{path}");
        assert!(data(&seen)["own"].is_null());
        assert_eq!(data(&seen)["total"], data(&before)["total"]);
    }
    let mut said = page.texts(".own > .note");
    for state in ["refused", "published"] {
        moderate(&product, &page, state).await;
        let page = guest
            .get_with(
                PAGE,
                &[("cache-control", "no-cache"), ("accept", "text/html")],
            )
            .await;
        assert_eq!(data(&page)["own"]["state"], state);
        said.extend(page.texts(".own > .note"));
    }
    said.sort();
    said.dedup();
    assert_eq!(said.len(), 3, "each state has its words: {said:?}");

    let seen = product.guest().get(&format!("{PAGE}?lang=en")).await;
    assert_eq!(ids(&seen)[0], id, "now it is everybody's");
    assert!(data(&seen)["own"].is_null());

    // A list that holds what is not published, or does not say, shows nothing of it.
    for (state, lang) in [("pending", "kk"), ("refused", "ru"), ("", "en")] {
        let values = json!({ "/data/0/state": state, "/data/0/text": "unpublished" });
        product.replace(UPSTREAM, values).await;
        let page = product
            .guest()
            .get(&format!("{PAGE}?in=kk&lang={lang}"))
            .await;
        assert_eq!(page.status, 200);
        assert!(!ids(&page).is_empty());
        assert!(!page.text().contains("unpublished"), "{state}");
    }
}

#[tokio::test]
async fn a_guest_who_writes_signs_in_first_and_comes_back_to_the_form() {
    let product = Product::start().await;
    let guest = product.guest();
    let away = guest.get(FORM).await;
    assert_eq!(away.status, 303);
    let page = Url::parse(&away.location()).unwrap();
    assert_eq!(page.origin().ascii_serialization(), product.sandbox);
    let back = guest.get(&confirm(&product, &page).await).await;
    assert_eq!(back.location(), FORM);
    let form = guest.get(FORM).await;
    assert_eq!((form.status, form.texts(".stars label").len()), (200, 5));
    assert_eq!(form.header("cache-control"), "private, no-store");
    assert!(form.text().contains(r#"content="noindex""#));

    // Signed out meanwhile: what was typed waits for the guest to be back.
    product
        .control("tokens/end", json!({ "phone": null }))
        .await;
    let stays = json!({ "path": "/api/v2/oauth2/tokens", "kind": "status", "status": 401 });
    product.control("faults", stays).await;
    let long = format!("Басталуы {} соңы", "ұзақ ".repeat(300));
    let fields = [("rating", "4"), ("text", long.as_str()), ("back", FORM)];
    let answer = guest.post(PAGE, &fields).await;
    assert_eq!((answer.status, answer.location().as_str()), (303, FORM));
    product.no_faults().await;
    let gate = guest.get(FORM).await;
    assert_eq!(gate.status, 303, "{}", gate.text());
    let page = Url::parse(&gate.location()).unwrap();
    let back = guest.get(&confirm(&product, &page).await).await;
    let form = guest.get(&back.location()).await;
    assert!(
        form.rendered().contains(" соңы</textarea>"),
        "nothing is lost"
    );
    assert!(bodies_sent(&product, "POST", UPSTREAM).await.len() <= 1);
    let own = data(&guest.get(PAGE).await)["own"].clone();
    assert_eq!(own, Value::Null);

    // A stranger's post changes nothing.
    let other_guest = product.guest();
    let answer = other_guest.post_json(PAGE, &fields).await;
    assert_eq!(answer.status, 401);
    let code = &answer.json()["flash"]["errors"][0]["code"];
    assert_eq!(code, "signIn");
}

#[tokio::test]
async fn what_is_wrong_stands_at_its_field_and_nothing_typed_is_lost() {
    let product = Product::start().await;
    let guest = signed_in(&product).await;
    product.forget_log().await;
    for stars in ["", "0", "6", "x", "5.5", "-1"] {
        let refused = write(&guest, stars, "Рақмет").await;
        assert_eq!(refused.texts("#ungraded").len(), 1, "{stars}");
        // There alone, and the focus is there.
        assert_eq!(refused.texts("[role='alert']").len(), 1, "{stars}");
        assert_eq!(refused.texts("[name='rating'][autofocus]").len(), 1);
        assert!(refused.rendered().contains("Рақмет</textarea>"));
    }
    let most = "ә".repeat(2000);
    let long = write(&guest, "5", &format!("{most}б")).await;
    let errors = long.data()["shell"]["flash"]["errors"].clone();
    assert_eq!(
        (&errors[0]["field"], &errors[0]["code"]),
        (&json!("text"), &json!("tooLong"))
    );
    assert_eq!(long.texts(".notes").len(), 0, "it is said at its field");
    assert_eq!(long.texts("textarea[autofocus]").len(), 1);
    assert!(long.rendered().contains(&most));
    assert!(bodies_sent(&product, "POST", UPSTREAM).await.is_empty());

    // The upstream refuses in its own words, fails, or is silent.
    let fails: [(Value, &str); 3] = [
        (
            json!({ "kind": "status", "status": 422, "values": {} }),
            "form",
        ),
        (json!({ "kind": "status", "status": 500 }), "form"),
        (json!({ "kind": "hang" }), "form"),
    ];
    for (mut fault, field) in fails {
        fault["path"] = UPSTREAM.into();
        fault["method"] = "POST".into();
        product.no_faults().await;
        product.control("faults", fault.clone()).await;
        let refused = write(&guest, "4", "Жоғалмасын").await;
        let errors = refused.data()["shell"]["flash"]["errors"].clone();
        assert_eq!(errors[0]["field"], field, "{fault}");
        let html = refused.rendered();
        assert!(html.contains("Жоғалмасын</textarea>"), "{fault}");
        assert_eq!(refused.texts(".note[data-bad]").len(), 1);
    }
    product.no_faults().await;
    let page = write(&guest, "5", &most).await;
    assert_eq!(data(&page)["own"]["review"]["text"], most.as_str());
}

#[tokio::test]
async fn one_review_of_a_guest_and_a_venue_however_often_it_is_sent() {
    let product = Product::start().await;
    let guest = signed_in(&product).await;
    product.forget_log().await;
    let fields = [
        ("rating", "4"),
        ("text", "Бір рет"),
        ("back", FORM),
        ("m", "0123456789012345678901"),
    ];
    let (tab, again) = (guest.second_tab(), guest.second_tab());
    let (one, two) = tokio::join!(tab.post_json(PAGE, &fields), again.post_json(PAGE, &fields));
    for answer in [one, two] {
        assert_eq!(
            (answer.status, &answer.json()["redirect"]),
            (200, &json!(PAGE))
        );
    }
    assert_eq!(bodies_sent(&product, "POST", UPSTREAM).await.len(), 1);
    let counted = product
        .number("analytics_events_total", r#"event="review""#)
        .await;
    assert_eq!(counted, 1);

    // Another one takes its place; the form shows the last.
    write(&guest, "2", "Енді салқын").await;
    let form = guest.get(FORM).await;
    assert!(form.rendered().contains("Енді салқын</textarea>"));
    assert_eq!(data(&form)["own"]["review"]["rating"], 2);

    let removed = guest
        .submit(&format!("{PAGE}/remove"), &[("back", PAGE)])
        .await;
    assert_eq!(data(&removed)["own"], Value::Null);
    assert_eq!(removed.texts(".about .note").len(), 1);
    let again = guest
        .submit(&format!("{PAGE}/remove"), &[("back", PAGE)])
        .await;
    assert_eq!(again.status, 200, "gone already");
    let other_guest = product.guest();
    let answer = other_guest
        .post_json(&format!("{PAGE}/remove"), &[("back", PAGE)])
        .await;
    assert_eq!(answer.status, 401);
}

#[tokio::test]
async fn a_review_is_reported_once_without_a_sign_in_and_only_where_it_stands() {
    let product = Product::start().await;
    let guest = product.guest();
    let page = guest.get(&format!("{PAGE}?page=2&lang=en")).await;
    let id = ids(&page)[0];
    let action = format!("{PAGE}/{id}/report");
    assert!(page.rendered().contains(&format!(r#"action="{action}""#)));
    assert_eq!(
        page.texts(".report label")[..4],
        [
            "Advertising or spam",
            "Insults",
            "Personal data",
            "Not about this restaurant"
        ]
    );
    let fields = [
        ("reason", "insult"),
        ("page", "2"),
        ("back", "/filials/1013/reviews?page=2"),
    ];
    for _ in 0..2 {
        let thanks = guest.submit(&action, &fields).await;
        assert_eq!(data(&thanks)["page"], 2);
        assert_eq!(
            thanks.texts(&format!("#r{id} > .note")),
            ["Thank you. A moderator will look at this review."]
        );
        assert!(thanks.header("cache-control").starts_with("private, no-"));
    }
    assert_eq!(reports(&product, id).await, 1);
    // Another guest's counts, too.
    let another = signed_in(&product).await;
    another.submit(&action, &fields).await;
    assert_eq!(reports(&product, id).await, 2);

    // What is no reason, no review, or another venue's is not told of.
    product.forget_log().await;
    let refused = guest
        .post_json(&action, &[("reason", "boring"), ("back", PAGE)])
        .await;
    assert_eq!(refused.status, 422);
    assert_eq!(
        guest
            .post(&format!("{PAGE}/x/report"), &fields)
            .await
            .status,
        404
    );
    assert!(product.queries(UPSTREAM).await.is_empty());
    for foreign in [
        format!("/filials/{NEW}/reviews/{id}/report"),
        format!("{PAGE}/999999/report"),
    ] {
        let page = guest
            .submit(&foreign, &[("reason", "spam"), ("back", PAGE)])
            .await;
        assert!(data(&page)["reported"].is_null(), "{foreign}");
    }
    assert_eq!(reports(&product, id).await, 2);

    // Down: it says so and can be pressed again.
    let fault =
        json!({ "path": format!("{UPSTREAM}/{id}/report"), "kind": "status", "status": 500 });
    product.control("faults", fault).await;
    let down = product.guest();
    let failed = down.submit(&action, &fields).await;
    assert_eq!(
        failed.data()["shell"]["flash"]["errors"][0]["code"],
        "notDone"
    );
    assert!(data(&failed)["reported"].is_null());
}

#[tokio::test]
async fn anonymous_reports_count_once_for_their_address_and_begin_no_session() {
    let product = Product::start().await;
    let id = ids(&product.guest().get(PAGE).await)[0];
    let action = format!("{PAGE}/{id}/report");
    let fields = [("reason", "spam"), ("back", PAGE)];
    for _ in 0..5 {
        let guest = product.guest();
        let answer = guest.post(&action, &fields).await;
        assert!(answer.location().contains("reported="));
        assert_eq!(guest.cookie("dk"), None);
    }
    assert_eq!(reports(&product, id).await, 1);
    // No more of them go upstream than one address has a reason for.
    let mut answers = Vec::new();
    for _ in 0..60 {
        answers.push(product.guest().post(&action, &fields).await.status);
    }
    assert!(answers.contains(&429), "{answers:?}");
}

#[tokio::test]
async fn words_of_others_are_only_words() {
    let product = Product::start().await;
    let guest = product.guest();
    let page = guest.get("/filials/1263/reviews").await;
    let shown = data(&page)["reviews"][0].clone();
    let text = shown["text"].as_str().unwrap();
    assert!(text.contains("<script>alert('review')</script>"), "{text}");
    for turn in ['\u{202e}', '\u{202c}'] {
        assert!(!page.text().contains(turn));
    }
    let html = page.text();
    assert!(!html.contains("<script>alert('review')"));
    assert!(
        html.contains("&lt;script&gt;alert("),
        "escaped where it is shown"
    );

    // What is typed loses what turns a line, before it goes upstream.
    let guest = sign_in_as(&product).await;
    write(&guest, "3", "a\u{202e}b\u{7}c\u{2066}d <i>e</i>\n\n\n\nf").await;
    let told = bodies_sent(&product, "POST", UPSTREAM).await;
    assert_eq!(told[0]["text"], "abcd <i>e</i>\n\nf");
}

async fn sign_in_as(product: &Product) -> Guest {
    let guest = product.guest();
    sign_in(product, &guest, "/").await;
    guest
}

#[tokio::test]
async fn other_sites_change_nothing() {
    let product = Product::start().await;
    let guest = signed_in(&product).await;
    write(&guest, "5", "Менікі").await;
    product.forget_log().await;
    for path in [PAGE, &format!("{PAGE}/remove"), &format!("{PAGE}/1/report")] {
        let request = guest
            .request(reqwest::Method::POST, path)
            .header("sec-fetch-site", "cross-site")
            .header("origin", "https://evil.example")
            .form(&[("rating", "1"), ("text", "evil"), ("reason", "spam")]);
        assert_eq!(guest.send(request).await.status, 403, "{path}");
    }
    let asked = product.sandbox_get("log").await;
    assert!(asked.iter().all(|call| call["method"] == "GET"));
    // Nor does a form lead elsewhere.
    for back in ["https://evil.example/", "//evil.example", "/\\evil.example"] {
        let fields = [("rating", ""), ("back", back)];
        let answer = guest.post(PAGE, &fields).await;
        assert_eq!(answer.location(), FORM);
        let reported = guest
            .post(
                &format!("{PAGE}/2/report"),
                &[("reason", "spam"), ("back", back)],
            )
            .await;
        assert_eq!(reported.location(), format!("{PAGE}?reported=2#r2"));
    }
}

#[tokio::test]
async fn search_engines_know_each_page_and_the_stars_of_other_businesses() {
    let product = Product::start().await;
    let guest = product.guest();
    let about = |page: &Answer| -> Vec<Value> {
        let html = scraper::Html::parse_document(&page.text());
        let found = scraper::Selector::parse(r#"script[type="application/ld+json"]"#).unwrap();
        html.select(&found)
            .flat_map(|one| {
                let text: String = one.text().collect();
                match serde_json::from_str(&text).unwrap() {
                    Value::Array(all) => all,
                    one => vec![one],
                }
            })
            .collect()
    };
    let canonical = |page: &Answer| {
        let html = scraper::Html::parse_document(&page.text());
        let link = scraper::Selector::parse(r#"link[rel="canonical"]"#).unwrap();
        let href = html.select(&link).next().and_then(|one| one.attr("href"));
        href.map(|href| href.split_once("/filials").unwrap().1.to_owned())
    };
    let first = guest.get(PAGE).await;
    assert_eq!(canonical(&first).as_deref(), Some("/1013/reviews"));
    let venue = about(&first)
        .into_iter()
        .find(|one| one["@type"] == "Restaurant")
        .unwrap();
    let stars = &venue["aggregateRating"];
    assert_eq!(
        (&stars["ratingValue"], &stars["ratingCount"]),
        (&json!(4.7), &json!(1284))
    );
    let shown = data(&first);
    let with_words = shown["reviews"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["text"] != "")
        .count();
    let reviews = venue["review"].as_array().unwrap();
    assert_eq!(reviews.len(), with_words, "only what the page shows");
    assert_eq!(reviews[0]["reviewBody"], shown["reviews"][0]["text"]);

    let second = guest.get(&format!("{PAGE}?page=2")).await;
    assert_eq!(canonical(&second).as_deref(), Some("/1013/reviews?page=2"));
    let filtered = guest.get(&format!("{PAGE}?in=ru")).await;
    assert_eq!(canonical(&filtered).as_deref(), Some("/1013/reviews"));
    let delivery = guest.get("/filials/1011/reviews").await;
    assert_eq!(canonical(&delivery).as_deref(), Some("/1013/reviews"));
    for page in [&second, &filtered, &delivery] {
        assert!(about(page).iter().all(|one| one["review"].is_null()));
    }

    // A site of one brand does not praise itself.
    let own = Product::with(&["--brand-id", "5"]).await;
    let page = own.guest().get(PAGE).await;
    assert_eq!(page.status, 200);
    assert!(
        about(&page)
            .iter()
            .all(|one| one["aggregateRating"].is_null() && one["review"].is_null())
    );
}

//! The profile of a signed-in guest and the form of name, birthday and gender (PR-01 to PR-03, PR-05 to PR-07, PR-09,
//! PR-10, FM-09, FM-12).

use serde_json::{Value, json};
use url::Url;

use crate::{
    account::{account_of, calls_to},
    sign_in::{LANGS, PHONE, TOKENS, begin, confirm, confirm_as, sign_in},
    support::{Answer, Guest, Product},
};

const USER: &str = "/api/v3/user";
/// Who an account is.
pub const PROFILE: &str = "/profile/api/v1/profile";
const FORM: &str = "/profile/form";

pub async fn signed_in(product: &Product) -> Guest {
    let guest = product.guest();
    sign_in(product, &guest, "/profile").await;
    guest
}

/// What the form shows in its fields.
fn shown(page: &Answer) -> [String; 3] {
    let html = scraper::Html::parse_fragment(&page.rendered());
    let value = |selector: &str| {
        let selector = scraper::Selector::parse(selector).unwrap();
        let input = html.select(&selector).next();
        let value = input.and_then(|input| input.value().attr("value"));
        value.unwrap_or_default().to_owned()
    };
    [
        value(".about-me [name=name]"),
        value(".about-me [name=birthday]"),
        value(".about-me [name=gender][checked]"),
    ]
}

fn fields<'a>(name: &'a str, birthday: &'a str, gender: &'a str) -> [(&'a str, &'a str); 4] {
    [
        ("name", name),
        ("birthday", birthday),
        ("gender", gender),
        ("back", FORM),
    ]
}

/// What the upstream was asked to change.
async fn changes(product: &Product) -> Vec<Value> {
    let log = product.sandbox_get("log").await;
    log.into_iter()
        .filter(|entry| entry["path"] == USER && entry["method"] == "PUT")
        .map(|entry| match &entry["body"] {
            Value::String(text) => serde_json::from_str(text).unwrap(),
            body => body.clone(),
        })
        .collect()
}

#[tokio::test]
async fn the_profile_invites_to_set_a_name_and_then_greets_by_it() {
    let product = Product::start().await;
    let guest = signed_in(&product).await;
    let (mut greetings, mut invitations) = (Vec::new(), Vec::new());
    for lang in LANGS {
        let page = guest.get(&format!("/profile?lang={lang}")).await;
        assert_eq!(page.status, 200);
        greetings.extend(page.texts(".profile h1"));
        invitations.extend(page.texts(r#".profile section > a[href="/profile/form"]"#));
        // The ways to what is the guest's, to help and to the documents, and out.
        let html = page.rendered();
        for way in [
            "/orders",
            "/profile/bonuses",
            "/addresses?back=%2Fprofile",
            "/brands/booking",
            "/faq",
            "/legal/terms",
            "/legal/privacy",
            "/profile/delete",
        ] {
            assert!(html.contains(&format!(r#"href="{way}""#)), "{lang}: {way}");
        }
        assert!(html.contains(r#"action="/session/sign-out""#), "{lang}");
        assert!(html.contains(r#"href="/profile?lang="#), "{lang}");
        assert!(
            page.texts(".profile .num")
                .contains(&"+7 701 000 00 31".to_owned())
        );
    }
    for words in [&mut greetings, &mut invitations] {
        assert_eq!(words.len(), 4, "{words:?}");
        words.sort();
        words.dedup();
        assert_eq!(words.len(), 4, "each language has its own: {words:?}");
    }
    guest.post(FORM, &fields("Айгүл", "", "")).await;
    let page = guest.get("/profile?lang=ru").await;
    assert_eq!(page.texts("h1"), ["Айгүл, здравствуйте"]);
    let way = page.texts(r#".profile section > a[href="/profile/form"]"#);
    assert_eq!(way.len(), 1, "it can be changed");
    assert!(!invitations.contains(&way[0]), "and is not asked for");
}

#[tokio::test]
async fn the_profile_is_of_two_sources_and_waits_for_neither() {
    let product = Product::start().await;
    let guest = signed_in(&product).await;
    guest.post(FORM, &fields("Айгүл", "", "")).await;
    let data = async || guest.get("/profile").await.data()["page"]["data"].clone();
    product.forget_log().await;
    let both = data().await;
    assert_eq!(
        (&both["name"], &both["phone"]),
        (&json!("Айгүл"), &json!(PHONE))
    );
    assert_eq!(calls_to(&product, USER).await.len(), 1);
    assert_eq!(calls_to(&product, PROFILE).await.len(), 1);

    // The language of messages is told where it is another than the page's.
    product
        .replace(PROFILE, json!({ "/data/language": "en" }))
        .await;
    guest.get("/faq?lang=kk").await;
    let page = guest.get("/profile").await;
    assert_eq!(page.data()["page"]["data"]["messages"], "en");
    assert!(page.rendered().contains("English."), "{}", page.rendered());
    // Not to a guest who has just chosen: the upstream is told behind the page (LC-16).
    let page = guest.get("/profile?lang=kk").await;
    assert_eq!(page.data()["page"]["data"]["messages"], Value::Null);
    assert!(!page.rendered().contains("English."));
    product
        .replace(PROFILE, json!({ "/data/language": "kk" }))
        .await;
    assert!(!guest.get("/profile").await.rendered().contains("English."));

    // Each names the guest without the other.
    for (silent, messages) in [(USER, true), (PROFILE, false)] {
        for kind in ["status", "hang"] {
            product.no_faults().await;
            let fault = json!({ "path": silent, "kind": kind, "status": 500 });
            product.control("faults", fault).await;
            let data = data().await;
            assert_eq!(data["known"], true, "{silent} {kind}");
            assert_eq!(
                (&data["name"], &data["phone"]),
                (&json!("Айгүл"), &json!(PHONE))
            );
            assert_eq!(data["messages"].is_string(), messages, "{silent} {kind}");
        }
    }
    // Without both there is another try, and the way out.
    product.no_faults().await;
    product.fail(USER, 500).await;
    product.fail(PROFILE, 500).await;
    let page = guest.get("/profile").await;
    assert_eq!(
        (page.status, &page.data()["page"]["data"]["known"]),
        (200, &json!(false))
    );
    let html = page.rendered();
    assert!(
        html.contains(r#"class="button" data-quiet="true" href="/profile""#),
        "{html}"
    );
    assert!(html.contains(r#"action="/session/sign-out""#));
    assert!(
        !html.contains(r#"href="/profile/form""#),
        "nobody is asked for a name that is there"
    );
}

#[tokio::test]
async fn the_form_is_for_signed_in_guests_alone() {
    let product = Product::start().await;
    let guest = product.guest();
    let away = guest.get(FORM).await;
    assert_eq!(away.status, 303);
    let page = Url::parse(&away.location()).unwrap();
    assert_eq!(page.origin().ascii_serialization(), product.sandbox);
    let back = guest.get(&confirm(&product, &page).await).await;
    assert_eq!(back.location(), FORM);
    let form = guest.get(FORM).await;
    assert_eq!(
        (form.status, shown(&form)),
        (200, ["", "", ""].map(str::to_owned))
    );
    assert_eq!(form.header("cache-control"), "private, no-store");
    assert!(form.text().contains(r#"content="noindex""#));
    let layout = json!({ "frame": "default", "navbar": false, "balance": false });
    assert_eq!(form.data()["shell"]["layout"], layout);
    assert!(form.rendered().contains(r#"class="back" href="/profile""#));
    let layout = json!({ "frame": "default", "navbar": true, "balance": false });
    let profile = guest.get("/profile").await;
    assert_eq!(profile.status, 200);
    assert_eq!(profile.data()["shell"]["layout"], layout);
    // Nothing is changed for a stranger.
    product.forget_log().await;
    let answer = product
        .guest()
        .post_json(FORM, &fields("Айгүл", "", ""))
        .await;
    let code = &answer.json()["flash"]["errors"][0]["code"];
    assert_eq!((answer.status, code), (401, &json!("signIn")));
    assert!(changes(&product).await.is_empty());
    // An empty form would take away what the upstream knows.
    product.fail(USER, 500).await;
    assert_eq!(guest.get(FORM).await.status, 503);
}

#[tokio::test]
async fn what_is_typed_is_sent_as_the_upstream_wants_it_and_shown_as_it_was_typed() {
    let product = Product::start().await;
    let guest = signed_in(&product).await;
    product.forget_log().await;
    for (name, sent) in [
        (" Айгүл ", "Айгүл"),
        ("Әлия-Гүл", "Әлия-Гүл"),
        ("ნინო", "ნინო"),
        ("Anna  Maria", "Anna Maria"),
        ("Алия", "Алия"),
    ] {
        let answer = guest
            .post(FORM, &fields(name, "31/12/1990", "female"))
            .await;
        assert_eq!(
            answer.location(),
            "/profile?saved=1",
            "{name}: {}",
            answer.text()
        );
        let sent = json!({ "name": sent, "bday": "1990-12-31", "gender": "female" });
        assert_eq!(changes(&product).await.pop(), Some(sent));
    }
    assert_eq!(
        guest
            .get("/profile?saved=1&lang=ru")
            .await
            .texts(".profile > [role=status]")[0],
        "Сохранено"
    );
    let form = guest.get(FORM).await;
    assert_eq!(
        shown(&form),
        ["Алия", "31/12/1990", "female"].map(str::to_owned)
    );
    // Pasted otherwise, the year first as browsers fill it in; a leap day.
    for (written, sent) in [
        ("01.02.2003", "2003-02-01"),
        ("29022000", "2000-02-29"),
        ("1990-12-31", "1990-12-31"),
    ] {
        guest.post(FORM, &fields("Алия", written, "male")).await;
        assert_eq!(
            changes(&product).await.pop().unwrap()["bday"],
            sent,
            "{written}"
        );
    }
    // A guest who does not tell them any more has none.
    let answer = guest.post(FORM, &fields("Алия", "", "")).await;
    assert_eq!(answer.location(), "/profile?saved=1");
    let form = guest.get(FORM).await;
    assert_eq!(shown(&form), ["Алия", "", ""].map(str::to_owned));
    // The app's own fetch.
    let answer = guest.post_json(FORM, &fields("Ли", "", "male")).await;
    assert_eq!(
        (answer.status, answer.json()["redirect"].clone()),
        (200, json!("/profile?saved=1"))
    );
    assert_eq!(
        guest.get("/profile").await.data()["page"]["data"]["name"],
        "Ли"
    );
}

#[tokio::test]
async fn what_is_wrong_is_told_beside_its_field_and_everything_typed_stays() {
    let product = Product::start().await;
    let guest = signed_in(&product).await;
    product.forget_log().await;
    let long = "ж".repeat(61);
    for (lang, name, birthday, errors) in [
        ("ru", "А", "", vec!["Введите минимум 2 символа"]),
        ("ru", " 𐐀 ", "", vec!["Введите минимум 2 символа"]),
        ("kk", "А", "", vec!["Кем дегенде 2 таңба енгізіңіз"]),
        ("ru", "Алия1", "", vec!["Только буквы, пробелы и дефисы"]),
        ("ru", &long, "", vec!["Не длиннее 60 знаков"]),
        ("en", "  ", "", vec!["Fill in the field"]),
        ("kk", "", "", vec!["Мына жерді толтырыңыз"]),
        ("ru", "Ли", "31/02/2000", vec!["Такого дня нет"]),
        ("kk", "Ли", "29/02/2001", vec!["Мұндай күн жоқ"]),
        ("ru", "Ли", "01/01/0001", vec!["Введите правильные данные"]),
        ("ru", "Ли", "01/01/2999", vec!["Введите правильные данные"]),
        ("ru", "Ли", "когда-то", vec!["Введите правильные данные"]),
        (
            "ru",
            "",
            "12/31/1990",
            vec!["Заполните это поле", "Введите правильные данные"],
        ),
    ] {
        guest.get(&format!("/faq?lang={lang}")).await;
        let page = guest.submit(FORM, &fields(name, birthday, "male")).await;
        assert_eq!(
            page.texts(".about-me .error"),
            errors,
            "{lang} {name} {birthday}"
        );
        let typed = [name, birthday, "male"].map(str::to_owned);
        assert_eq!(shown(&page), typed, "nothing typed is lost");
        let html = page.rendered();
        let invalid = html.matches(r#"aria-invalid="true""#).count();
        assert_eq!(invalid, errors.len(), "{html}");
        assert_eq!(
            html.matches("autofocus").count(),
            1,
            "the first that is wrong: {html}"
        );
    }
    let answer = guest
        .post_json(FORM, &fields("А", "31/02/2000", "none"))
        .await;
    assert_eq!(answer.status, 422);
    let told: Vec<Value> = answer.json()["flash"]["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|error| json!([error["field"], error["code"]]))
        .collect();
    let wrong = [
        json!(["name", "tooShort"]),
        json!(["birthday", "noSuchDay"]),
        json!(["gender", "badInput"]),
    ];
    assert_eq!(told, wrong);
    assert!(changes(&product).await.is_empty(), "nothing of it was sent");
    // Tomorrow by the guest's own calendar is no birthday, today is one.
    let now = i64::try_from(std::time::UNIX_EPOCH.elapsed().unwrap().as_secs()).unwrap();
    let almaty = |days: i64| {
        let at = now + 5 * 3600 + days * 24 * 3600;
        let date = time::OffsetDateTime::from_unix_timestamp(at)
            .unwrap()
            .date();
        format!(
            "{:02}/{:02}/{}",
            date.day(),
            u8::from(date.month()),
            date.year()
        )
    };
    for (birthday, status) in [(almaty(0), 200), (almaty(1), 422)] {
        let answer = guest.post_json(FORM, &fields("Ли", &birthday, "")).await;
        assert_eq!(answer.status, status, "{birthday}");
    }
}

#[tokio::test]
async fn a_refusal_of_the_upstream_is_told_in_words_and_costs_nothing_typed() {
    let product = Product::start().await;
    let guest = signed_in(&product).await;
    guest.get("/faq?lang=ru").await;
    let typed = fields("Айгүл", "31/12/1990", "female");
    let put =
        |status: u16| json!({ "path": USER, "method": "PUT", "kind": "status", "status": status });
    for (status, words) in [
        (422, "A fault on purpose"),
        (503, "Сервис не ответил. Попробуйте ещё раз."),
    ] {
        product.no_faults().await;
        product.control("faults", put(status)).await;
        let page = guest.submit(FORM, &typed).await;
        assert_eq!(page.texts("[role=alert]"), [words], "{status}");
        assert_eq!(
            shown(&page),
            ["Айгүл", "31/12/1990", "female"].map(str::to_owned)
        );
    }
    product.no_faults().await;
    assert_eq!(
        guest.post(FORM, &typed).await.location(),
        "/profile?saved=1"
    );
}

#[tokio::test]
async fn a_sign_in_that_ends_meanwhile_costs_nothing_typed() {
    let product = Product::start().await;
    let guest = signed_in(&product).await;
    product.fail(TOKENS, 401).await;
    let put = json!({ "path": USER, "method": "PUT", "kind": "status", "status": 401 });
    product.control("faults", put).await;
    let answer = guest.post(FORM, &fields("Айгүл", "31/12/1990", "")).await;
    assert_eq!((answer.status, answer.location()), (303, FORM.to_owned()));
    assert!(account_of(&product, &guest).await.is_none());
    product.no_faults().await;
    let page = Url::parse(&guest.get(FORM).await.location()).unwrap();
    let back = guest.get(&confirm(&product, &page).await).await;
    let form = guest.get(&back.location()).await;
    assert_eq!(shown(&form), ["Айгүл", "31/12/1990", ""].map(str::to_owned));
}

#[tokio::test]
async fn a_phone_is_written_as_in_its_country() {
    let product = Product::start().await;
    let guest = product.guest();
    let page = begin(&guest, "/profile").await;
    guest
        .get(&confirm_as(&product, &page, "+995599123456").await)
        .await;
    let page = guest.get("/profile").await;
    assert_eq!(page.texts(".profile .num"), ["+995 599 12 34 56"]);
}

//! Addresses (DG-01 to DG-19): the local one, the saved ones, the form, the map without scripts, zones and tariffs of the
//! active one.

use futures_util::future::join_all;
use serde_json::{Value, json};
use url::Url;

use crate::{
    account::{self, session_of},
    sign_in::{self, TOKENS},
    support::{Answer, Guest, Product, client, eventually, plain_products},
};

const ADDRESSES: &str = "/profile/api/v1/address";
const SUGGESTIONS: &str = "/geo-service/suggestions/";
const REVERSE: &str = "/geo-service/reverse-geocode/";
const TARIFFS: &str = "/dr-delivery/api/v1/tariffs";
/// A venue that delivers.
const VENUE: u64 = 1024;
/// A town's centre of the sandbox: Almaty.
const HERE: (f64, f64) = (43.238, 76.945);

/// Requests of a path as the sandbox has them: method, query, body, latitude and longitude of the headers.
async fn calls(product: &Product, path: &str) -> Vec<Value> {
    let log = product.sandbox_get("log").await;
    let of_path = |call: &&Value| {
        call["path"]
            .as_str()
            .is_some_and(|own| own.starts_with(path))
    };
    log.iter().filter(of_path).cloned().collect()
}

/// A value of a call's query, decoded.
fn said(call: &Value, key: &str) -> String {
    let query = call["query"].as_str().unwrap().trim_start_matches('?');
    let mut pairs = url::form_urlencoded::parse(query.as_bytes());
    let found = pairs.find(|(name, _)| name == key).unwrap();
    found.1.into_owned()
}

async fn count(product: &Product, method: &str) -> usize {
    let calls = calls(product, ADDRESSES).await;
    calls.iter().filter(|call| call["method"] == method).count()
}

fn saved_as(street: &str, at: (f64, f64)) -> Value {
    json!({
        "name": "", "address": format!("Алматы, {street}, 10"), "city": "Алматы", "street": street, "building": "10",
        "entrance": "2", "floor": "3", "apartment": "25", "is_private_house": false, "comment": "",
        "latitude": at.0, "longitude": at.1,
    })
}

async fn keep(product: &Product, bearer: &str, street: &str, at: (f64, f64)) -> i64 {
    let body = saved_as(street, at);
    let made = account::sandbox(product, ADDRESSES, Some(bearer), body).await;
    made["data"]["id"].as_i64().unwrap()
}

async fn upstream_list(product: &Product, bearer: &str) -> Vec<Value> {
    let request = client().get(format!("{}{ADDRESSES}", product.sandbox));
    let answer = request.bearer_auth(bearer).send().await.unwrap();
    let answer: Value = answer.json().await.unwrap();
    answer["data"].as_array().unwrap().clone()
}

pub async fn book(guest: &Guest) -> Value {
    let page = guest.get("/addresses?back=%2Fcart").await;
    assert_eq!(page.status, 200, "{}", page.text());
    page.data()["page"]["data"].clone()
}

pub fn ids(book: &Value) -> Vec<i64> {
    let all = book["addresses"].as_array().unwrap();
    all.iter().map(|one| one["id"].as_i64().unwrap()).collect()
}

fn streets(book: &Value) -> Vec<String> {
    let all = book["addresses"].as_array().unwrap();
    let text = |one: &Value| one["text"].as_str().unwrap().to_owned();
    all.iter().map(text).collect()
}

/// What the form of an address sends, all of it.
const FORM: [(&str, &str); 13] = [
    ("lat", "43.238"),
    ("long", "76.945"),
    ("city", "Алматы"),
    ("street", "Абай даңғылы"),
    ("building", "10"),
    ("entrance", "2"),
    ("floor", "3"),
    ("apartment", "25"),
    ("comment", "Көк есік"),
    ("note", "Leave it at the door"),
    ("label", "Үй"),
    ("next", "/cart"),
    ("back", "/address-form?back=%2Fcart"),
];

fn form_with<'a>(changes: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let mut fields: Vec<(&str, &str)> = FORM.to_vec();
    fields.retain(|(name, _)| !changes.iter().any(|(other, _)| other == name));
    fields.extend(changes);
    fields
}

pub async fn save(guest: &Guest, changes: &[(&str, &str)]) -> Answer {
    guest.post("/addresses", &form_with(changes)).await
}

/// Saves one as the form has it.
pub async fn save_an_address(guest: &Guest) {
    assert_eq!(save(guest, &[]).await.status, 303);
}

/// A signed-in guest without an address.
async fn signed_in(product: &Product) -> (Guest, String) {
    let guest = product.guest();
    guest
        .post("/session/age", &[("answer", "yes"), ("back", "/")])
        .await;
    let (bearer, _) = account::sign_in(product, &guest).await;
    (guest, bearer)
}

/// A guest with a cart that is brought to an address near its venue.
async fn brought_to(product: &Product) -> Guest {
    let guest = product.guest();
    with_delivery(&guest).await;
    let at = venue_at(product).await;
    let (lat, long) = ((at.0 + 0.01).to_string(), at.1.to_string());
    save(&guest, &[("lat", &lat), ("long", &long)]).await;
    guest
}

/// Two dishes of a venue that delivers, each twice.
pub async fn with_delivery(guest: &Guest) {
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    let mut dishes = plain_products(&menu);
    dishes.sort_by_key(|(_, price)| std::cmp::Reverse(*price));
    for (dish, _) in dishes.iter().take(2) {
        guest.add(VENUE, *dish).await;
        guest.add(VENUE, *dish).await;
    }
}

/// Where that venue is: latitude and longitude.
pub async fn venue_at(product: &Product) -> (f64, f64) {
    let path = format!(
        "{}/takeaway/locations/card/terminal/{VENUE}",
        product.sandbox
    );
    let card: Value = client()
        .get(path)
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    let place = &card["data"]["coordinates"];
    (
        place["latitude"].as_f64().unwrap(),
        place["longitude"].as_f64().unwrap(),
    )
}

#[tokio::test]
async fn a_guest_who_has_not_signed_in_has_one_local_address_that_stays_here() {
    let product = Product::start().await;
    let guest = product.guest();
    product.forget_log().await;
    assert_eq!(ids(&book(&guest).await), [0_i64; 0]);
    let answer = save(&guest, &[]).await;
    assert_eq!((answer.status, answer.location().as_str()), (303, "/cart"));
    let kept = book(&guest).await;
    assert_eq!(ids(&kept), [-1]);
    assert_eq!(kept["local"], true);
    let one = &kept["addresses"][0];
    for (field, value) in [
        ("name", "Үй"),
        ("text", "Абай даңғылы, 10"),
        ("city", "Алматы"),
        ("entrance", "2"),
        ("floor", "3"),
        ("apartment", "25"),
    ] {
        assert_eq!(one[field], value, "{field}");
    }
    // The form brings all of it again, the chip with the comment.
    let form = guest.get("/address-form?id=-1").await.data();
    let fields = &form["page"]["data"]["fields"];
    assert_eq!(fields["comment"], "Көк есік; Leave it at the door");
    assert_eq!(fields["street"], "Абай даңғылы");

    // Another one takes its place; a private house has no flats.
    save(&guest, &[("street", "Төле би көшесі"), ("private", "1")]).await;
    let kept = book(&guest).await;
    assert_eq!(
        (ids(&kept), streets(&kept)),
        (vec![-1], vec!["Төле би көшесі, 10".to_owned()])
    );
    let one = &kept["addresses"][0];
    assert_eq!(one["privateHouse"], true);
    for field in ["entrance", "floor", "apartment"] {
        assert_eq!(one[field], "", "{field}");
    }
    assert!(
        calls(&product, ADDRESSES).await.is_empty(),
        "nobody was told"
    );
    assert_eq!(
        ids(&book(&product.guest()).await),
        [0_i64; 0],
        "it is no other guest's"
    );

    // Without an account a delete clears everything; it can be had back.
    let gone = guest
        .submit("/addresses/-1/delete", &[("back", "/addresses")])
        .await;
    let shown = gone.data()["page"]["data"].clone();
    assert!(ids(&shown).is_empty());
    assert_eq!(shown["deleted"], "Төле би көшесі, 10");
    let (_, sess) = session_of(&product, &guest).await;
    assert!(sess.local_address().await.is_none() && sess.address_draft().await.is_none());
    assert!(sess.confirmed_address().await.is_none());
    guest
        .submit("/addresses/undo", &[("back", "/addresses")])
        .await;
    assert_eq!(ids(&book(&guest).await), [-1]);
    assert_eq!(book(&guest).await["deleted"], Value::Null);
}

#[tokio::test]
async fn a_local_address_is_saved_at_the_sign_in_once_and_a_failure_keeps_it_local() {
    let product = Product::start().await;
    let guest = product.guest();
    save(&guest, &[]).await;
    product.forget_log().await;
    product.fail(ADDRESSES, 500).await;
    sign_in::sign_in(&product, &guest, "/faq").await;
    let (_, sess) = session_of(&product, &guest).await;
    assert!(sess.local_address().await.is_some(), "kept");
    assert_eq!(ids(&book(&guest).await), [-1], "and in use");

    product.no_faults().await;
    product.forget_log().await;
    // Several pages at once save it once.
    let pages = futures_util::future::join_all((0..4).map(|_| book(&guest))).await;
    assert!(pages.iter().all(|page| page["local"] == false));
    let kept = book(&guest).await;
    assert_eq!(count(&product, "POST").await, 1);
    assert_eq!(kept["addresses"].as_array().unwrap().len(), 1);
    assert!(ids(&kept)[0] > 0, "it has an id of the upstream");
    assert_eq!(streets(&kept), ["Абай даңғылы, 10"]);
    let sent = calls(&product, ADDRESSES).await;
    let sent = sent.iter().find(|call| call["method"] == "POST").unwrap();
    assert!(!sent["body"].as_str().unwrap().contains("-1"), "{sent}");
    let (_, sess) = session_of(&product, &guest).await;
    assert!(sess.local_address().await.is_none());

    // The same address again in another browser is not saved twice.
    let other = product.guest();
    save(&other, &[]).await;
    product.forget_log().await;
    sign_in::sign_in(&product, &other, "/faq").await;
    assert_eq!(count(&product, "POST").await, 0);
    assert_eq!(ids(&book(&other).await), ids(&kept));
}

#[tokio::test]
async fn a_local_address_survives_the_sign_in_without_another_page() {
    let product = Product::start().await;
    let guest = product.guest();
    save(&guest, &[]).await;
    with_delivery(&guest).await;
    product.forget_log().await;
    sign_in::sign_in(&product, &guest, "/faq").await;
    assert_eq!(
        count(&product, "POST").await,
        1,
        "saved by the sign-in itself"
    );
    let cart = guest.get("/cart").await.data();
    let delivery = &cart["page"]["data"]["delivery"];
    assert_eq!(delivery["confirmed"], true, "and still confirmed");
}

#[tokio::test]
async fn the_nearest_is_active_until_one_is_chosen_and_a_deleted_one_gives_way_to_the_nearest() {
    let product = Product::start().await;
    let (guest, bearer) = signed_in(&product).await;
    let far = keep(&product, &bearer, "Алыс көше", (HERE.0 + 0.2, HERE.1)).await;
    let near = keep(&product, &bearer, "Жақын көше", (HERE.0 + 0.01, HERE.1)).await;
    let middle = keep(&product, &bearer, "Орта көше", (HERE.0 + 0.1, HERE.1)).await;
    assert_eq!(ids(&book(&guest).await), [near, middle, far]);
    let page = guest.get("/addresses").await;
    assert_eq!(
        page.texts(".addresses [aria-current=\"true\"] > b"),
        ["Жақын көше, 10"]
    );
    assert_eq!(
        book(&guest).await["addresses"][0]["distance"],
        Value::Null,
        "not from the guest"
    );
    // Who tells where they are is told how far it is.
    let headers = [("accept", "application/json"), ("x-near", "43.438,76.945")];
    let told = guest.get_with("/_data/addresses", &headers).await.json();
    let told = &told["page"]["data"];
    assert_eq!(ids(told), [far, middle, near]);
    assert_eq!(told["addresses"][0]["distance"], 0);

    let path = format!("/addresses/{middle}/choose");
    let answer = guest.post(&path, &[("back", "/cart")]).await;
    assert_eq!(answer.location(), "/cart");
    assert_eq!(ids(&book(&guest).await), [middle, near, far]);
    let (_, sess) = session_of(&product, &guest).await;
    assert!(
        sess.confirmed_address().await.is_some(),
        "who chooses has confirmed"
    );

    // Another one than the active: nothing else changes.
    guest
        .post(
            &format!("/addresses/{near}/delete"),
            &[("back", "/addresses")],
        )
        .await;
    assert_eq!(ids(&book(&guest).await), [middle, far]);
    let (_, sess) = session_of(&product, &guest).await;
    assert!(sess.confirmed_address().await.is_some());
    guest
        .post("/addresses/undo", &[("back", "/addresses")])
        .await;
    let back = book(&guest).await;
    assert_eq!(
        streets(&back),
        ["Орта көше, 10", "Жақын көше, 10", "Алыс көше, 10"]
    );

    // The active one: the nearest of the rest takes its place, and nobody has confirmed that.
    guest
        .post(
            &format!("/addresses/{middle}/delete"),
            &[("back", "/addresses")],
        )
        .await;
    let left = book(&guest).await;
    assert_eq!(streets(&left), ["Жақын көше, 10", "Алыс көше, 10"]);
    assert_eq!(left["deleted"], "Орта көше, 10");
    let (_, sess) = session_of(&product, &guest).await;
    assert!(sess.confirmed_address().await.is_none());
    assert_eq!(upstream_list(&product, &bearer).await.len(), 2);
    // Had back, it is the active one again.
    guest
        .post("/addresses/undo", &[("back", "/addresses")])
        .await;
    assert_eq!(streets(&book(&guest).await)[0], "Орта көше, 10");
    // A second press on a page that is old deletes nothing and breaks nothing.
    let again = guest
        .post(
            &format!("/addresses/{middle}/delete"),
            &[("back", "/addresses")],
        )
        .await;
    assert_eq!(again.status, 303);
    assert_eq!(upstream_list(&product, &bearer).await.len(), 3);
}

#[tokio::test]
async fn a_saved_address_is_changed_in_its_place_and_a_new_one_that_says_the_same_too() {
    let product = Product::start().await;
    let (guest, bearer) = signed_in(&product).await;
    save(&guest, &[]).await;
    let first = upstream_list(&product, &bearer).await;
    assert_eq!(first.len(), 1);
    for (field, value) in [
        ("name", json!("Үй")),
        ("address", json!("Алматы, Абай даңғылы, 10")),
        ("city", json!("Алматы")),
        ("street", json!("Абай даңғылы")),
        ("building", json!("10")),
        ("entrance", json!("2")),
        ("floor", json!("3")),
        ("apartment", json!("25")),
        ("is_private_house", json!(false)),
        ("comment", json!("Көк есік; Leave it at the door")),
        ("latitude", json!(43.238)),
        ("longitude", json!(76.945)),
    ] {
        assert_eq!(first[0][field], value, "{field}");
    }
    let id = first[0]["id"].to_string();
    // The same with another floor is the same address.
    save(&guest, &[("floor", "4")]).await;
    let second = upstream_list(&product, &bearer).await;
    assert_eq!((second.len(), &second[0]["floor"]), (1, &json!("4")));
    assert_eq!(second[0]["id"].to_string(), id);
    // By its form.
    let form = guest.get(&format!("/address-form?id={id}")).await;
    assert_eq!(form.status, 200);
    assert_eq!(form.data()["page"]["data"]["fields"]["floor"], "4");
    save(
        &guest,
        &[
            ("id", &id),
            ("street", "Сәтбаев көшесі"),
            ("label", ""),
            ("name", "Саяжай"),
        ],
    )
    .await;
    let third = upstream_list(&product, &bearer).await;
    assert_eq!(third.len(), 1);
    assert_eq!(third[0]["street"], "Сәтбаев көшесі");
    assert_eq!(third[0]["name"], "Саяжай");
    assert_eq!(count(&product, "PUT").await, 2);
}

/// The pin has not moved by what is typed: its place is called as it was until the address is saved.
#[tokio::test]
async fn what_is_typed_and_refused_renames_no_place_of_the_map() {
    let product = Product::start().await;
    let guest = product.guest();
    let at = [("lat", "43.238"), ("long", "76.945"), ("next", "/cart")];
    guest.post("/addresses/place", &at).await;
    let named = async || {
        let page = guest.get("/address-form?back=%2Fcart").await.data();
        page["page"]["data"]["place"].as_str().unwrap().to_owned()
    };
    let place = named().await;
    let refused = save(&guest, &[("street", ""), ("place", &place)]).await;
    assert_eq!(refused.status, 303);
    assert!(!place.is_empty());
    assert_eq!(named().await, place);
    // What is saved says what was typed.
    save(&guest, &[("street", "Жаңа көше"), ("place", &place)]).await;
    assert_eq!(streets(&book(&guest).await), ["Жаңа көше, 10"]);
}

/// A guest who brings home asks for no name; who has said that it is another place is not asked anew.
#[tokio::test]
async fn the_first_address_is_home_unless_its_guest_says_otherwise() {
    let product = Product::start().await;
    let (guest, _) = signed_in(&product).await;
    let at = [("lat", "43.238"), ("long", "76.945"), ("next", "/cart")];
    let home = r#"checked="" value="Үй""#;
    let form = async || {
        guest.post("/addresses/place", &at).await;
        let page = guest.get("/address-form?back=%2Fcart&lang=kk").await;
        let is_first = page.data()["page"]["data"]["first"].as_bool().unwrap();
        assert_eq!(page.rendered().contains(home), is_first);
        is_first
    };
    assert!(form().await);
    assert!(form().await, "another place is the first one, too");
    let other = [("label", ""), ("name", ""), ("to", "map")];
    save(&guest, &other).await;
    assert!(!form().await);
    // Typed beside what was only proposed, where the browser shows both.
    let typed = [("suggested", "Үй"), ("name", "Саяжай")];
    save(&guest, &typed).await;
    assert!(!form().await, "there is one");
    assert_eq!(book(&guest).await["addresses"][0]["name"], "Саяжай");
    // Home was pressed after another name had been typed.
    save(&guest, &[("name", "Саяжай")]).await;
    assert_eq!(book(&guest).await["addresses"][0]["name"], "Үй");
}

#[tokio::test]
async fn each_failure_has_its_own_words_and_loses_nothing_that_was_typed() {
    let product = Product::start().await;
    let (guest, bearer) = signed_in(&product).await;
    let id = keep(&product, &bearer, "Абай даңғылы", HERE)
        .await
        .to_string();
    product.fail(ADDRESSES, 500).await;
    let typed = [
        ("street", "Жаңа көше"),
        ("building", "77а"),
        ("entrance", "9"),
        ("floor", "8"),
        ("apartment", "701"),
        ("comment", "Күшік тістейді"),
        ("back", "/address-form?back=%2Fcart&lang=en"),
    ];
    let page = guest.submit("/addresses", &form_with(&typed)).await;
    assert_eq!(page.data()["page"]["route"], "addressForm");
    let html = page.rendered();
    assert!(
        html.contains("The address could not be added. Try again."),
        "{html}"
    );
    for (_, value) in &typed[..6] {
        assert!(html.contains(value), "{value} is kept");
    }
    assert!(html.contains("Leave it at the door"));
    // Also when the guest comes back later.
    product.no_faults().await;
    let later = guest.get("/address-form?back=%2Fcart").await.rendered();
    assert!(later.contains("Жаңа көше") && later.contains("Күшік тістейді"));

    // By scripts: the code, and the page stays as it is.
    product.fail(ADDRESSES, 500).await;
    let answer = guest.post_json("/addresses", &form_with(&typed)).await;
    assert_eq!(answer.status, 422);
    assert_eq!(answer.json()["flash"]["errors"][0]["code"], "addressAdd");
    let change = form_with(&[("id", &id)]);
    let answer = guest.post_json("/addresses", &change).await;
    assert_eq!(answer.json()["flash"]["errors"][0]["code"], "addressUpdate");
    let page = guest.get("/addresses?lang=ru").await;
    assert_eq!(page.data()["page"]["data"]["failed"], true);
    assert!(page.rendered().contains("Не удалось загрузить адреса"));

    // The list comes, changing and deleting fail.
    product.no_faults().await;
    product.fail(&format!("{ADDRESSES}/{id}"), 500).await;
    for (lang, words) in [
        ("en", "The address could not be changed. Try again."),
        ("ru", "Не удалось изменить адрес. Попробуйте ещё раз."),
        ("kk", "Мекенжайды өзгерту мүмкін болмады. Қайталап көріңіз."),
    ] {
        let back = format!("/address-form?id={id}&back=%2Fcart&lang={lang}");
        let change = form_with(&[("id", &id), ("back", &back)]);
        let page = guest.submit("/addresses", &change).await;
        assert!(page.rendered().contains(words), "{lang}");
    }
    let answer = guest
        .post_json(
            &format!("/addresses/{id}/delete"),
            &[("back", "/addresses")],
        )
        .await;
    assert_eq!(answer.json()["flash"]["errors"][0]["code"], "addressDelete");
    let page = guest
        .submit(
            &format!("/addresses/{id}/delete"),
            &[("back", "/addresses?lang=kk")],
        )
        .await;
    assert!(page.rendered().contains("Мекенжайды жою мүмкін болмады"));
    product.no_faults().await;
    assert_eq!(upstream_list(&product, &bearer).await.len(), 1);
}

#[tokio::test]
async fn without_a_place_nothing_is_saved_and_the_form_leads_to_the_map() {
    let product = Product::start().await;
    let guest = product.guest();
    let direct = guest.get("/address-form?back=%2Fcart").await;
    assert_eq!(
        (direct.status, direct.location().as_str()),
        (303, "/address-map?back=%2Fcart")
    );
    let map = guest.get(&direct.location()).await;
    let data = &map.data()["page"]["data"];
    assert_eq!(map.data()["shell"]["layout"]["frame"], "plain");
    assert_eq!(
        (&data["chosen"], &data["back"]),
        (&json!(false), &json!("/cart"))
    );
    let middle = (
        data["at"]["lat"].as_f64().unwrap(),
        data["at"]["lon"].as_f64().unwrap(),
    );
    assert!(
        (43.0..43.5).contains(&middle.0) && (76.5..77.5).contains(&middle.1),
        "{middle:?}"
    );

    for (lat, long) in [
        ("", ""),
        ("0", "0"),
        ("43,238", "76,945"),
        ("100", "76.9"),
        ("x", "y"),
    ] {
        let changes = [("lat", lat), ("long", long)];
        let answer = guest.post_json("/addresses", &form_with(&changes)).await;
        assert_eq!(answer.status, 422, "{lat} {long}");
        let errors = answer.json()["flash"]["errors"].clone();
        assert!(
            errors
                .as_array()
                .unwrap()
                .iter()
                .any(|one| one["field"] == "place"),
            "{errors}"
        );
        let place = [("lat", lat), ("long", long), ("back", "/address-map")];
        let answer = guest.post_json("/addresses/place", &place).await;
        assert_eq!(answer.status, 422, "{lat} {long}");
    }
    assert_eq!(ids(&book(&guest).await), [0_i64; 0]);
    // What must be there, and what is too long, stands beside its field.
    let long = "a".repeat(301);
    let changes = [
        ("street", " "),
        ("floor", "цокольный этаж"),
        ("comment", long.as_str()),
    ];
    let answer = guest.post_json("/addresses", &form_with(&changes)).await;
    let errors = answer.json()["flash"]["errors"].clone();
    assert_eq!(
        errors[0],
        json!({"field": "street", "code": "required", "values": {}})
    );
    assert_eq!(
        errors[1],
        json!({"field": "floor", "code": "range", "values": {"least": -5, "most": 200}})
    );
    assert_eq!(
        (&errors[2]["field"], &errors[2]["code"]),
        (&json!("comment"), &json!("tooLong"))
    );
}

#[tokio::test]
async fn an_address_of_another_guest_is_not_found() {
    let product = Product::start().await;
    let (owner, bearer) = signed_in(&product).await;
    let id = keep(&product, &bearer, "Біреудің көшесі", HERE).await;
    assert_eq!(ids(&book(&owner).await), [id]);
    let thief = product.guest();
    let other_guest = product.guest();
    save(&thief, &[]).await;
    sign_in::sign_in(&product, &thief, "/faq").await;
    for (guest, status) in [(&thief, 404), (&other_guest, 303)] {
        for path in ["/address-form", "/address-map"] {
            let page = guest.get(&format!("{path}?id={id}")).await;
            assert_eq!(page.status, status, "{path}");
            assert!(!page.text().contains("Біреудің"));
        }
        let before = book(guest).await;
        guest
            .post(&format!("/addresses/{id}/choose"), &[("back", "/")])
            .await;
        assert_eq!(ids(&book(guest).await), ids(&before));
        guest
            .post(&format!("/addresses/{id}/delete"), &[("back", "/")])
            .await;
        let text = id.to_string();
        guest
            .post(
                "/addresses",
                &form_with(&[("id", &text), ("street", "Ұрланған")]),
            )
            .await;
    }
    for path in ["/addresses/x/choose", "/addresses/1%2F..%2F2/delete"] {
        assert_eq!(
            thief.post(path, &[("back", "/")]).await.status,
            404,
            "{path}"
        );
    }
    let left = upstream_list(&product, &bearer).await;
    assert_eq!(left[0]["street"], "Біреудің көшесі");
    assert_eq!(left.len(), 1);
}

/// The upstream has ended the sign-in, which the product does not know yet.
async fn with_a_sign_in_that_is_over(product: &Product) -> (Guest, i64) {
    let (guest, bearer) = signed_in(product).await;
    let id = keep(product, &bearer, "Абай", HERE).await;
    assert!(ids(&book(&guest).await).contains(&id));
    account::revoke(product, &bearer).await;
    product.fail(TOKENS, 401).await;
    (guest, id)
}

#[tokio::test]
async fn a_saved_address_leads_to_the_sign_in_and_back_once_that_is_over() {
    let product = Product::start().await;
    for path in ["/address-form", "/address-map"] {
        let (guest, id) = with_a_sign_in_that_is_over(&product).await;
        let address = format!("{path}?id={id}&back=%2Fcart");
        // The first finds it out, the second is a guest's who is signed out.
        for _ in 0..2 {
            let answer = guest.get(&address).await;
            assert_eq!(answer.status, 303, "{path}");
            assert!(answer.location().contains("response_type=code"), "{path}");
        }
        product.no_faults().await;
        let page = Url::parse(&guest.get(&address).await.location()).unwrap();
        let back = guest.get(&sign_in::confirm(&product, &page).await).await;
        assert_eq!(back.location(), address);
        // What is asked for ahead begins none.
        let other_guest = product.guest();
        let ahead = other_guest
            .get_with(&address, &[("sec-purpose", "prefetch")])
            .await;
        assert_eq!(ahead.status, 403);
    }
}

#[tokio::test]
async fn who_changes_a_saved_address_after_the_sign_in_is_over_is_asked_to_sign_in() {
    let product = Product::start().await;
    for change in ["choose", "delete"] {
        let (guest, id) = with_a_sign_in_that_is_over(&product).await;
        let path = format!("/addresses/{id}/{change}");
        for _ in 0..2 {
            let answer = guest.post_json(&path, &[("back", "/")]).await;
            let code = &answer.json()["flash"]["errors"][0]["code"];
            assert_eq!((answer.status, code), (401, &json!("signIn")), "{change}");
        }
        let answer = guest.post(&path, &[("back", "/faq")]).await;
        assert_eq!((answer.status, answer.location()), (303, "/faq".to_owned()));
        product.no_faults().await;
    }
}

#[tokio::test]
async fn choosing_an_address_that_was_deleted_elsewhere_leads_back_to_the_sheet() {
    let product = Product::start().await;
    let (guest, bearer) = signed_in(&product).await;
    let id = keep(&product, &bearer, "Абай", HERE).await;
    assert_eq!(ids(&book(&guest).await), [id]);
    let path = format!("{}{ADDRESSES}/{id}", product.sandbox);
    let gone = client().delete(path).bearer_auth(&bearer).send().await;
    assert!(gone.unwrap().status().is_success());
    let choose = format!("/addresses/{id}/choose");
    let answer = guest.post(&choose, &[("back", "/cart")]).await;
    let sheet = "/addresses?back=%2Fcart".to_owned();
    assert_eq!((answer.status, answer.location()), (303, sheet.clone()));
    let answer = guest.post_json(&choose, &[("back", "/cart")]).await;
    assert_eq!(answer.json()["redirect"], sheet);
    assert!(ids(&book(&guest).await).is_empty());
}

#[tokio::test]
async fn a_typed_address_is_asked_for_with_town_and_city_and_leads_to_the_form() {
    let product = Product::start().await;
    let guest = product.guest();
    // A street that the sandbox knows.
    let at = venue_at(&product).await;
    let reverse = format!("{}{REVERSE}?lat={}&long={}", product.sandbox, at.0, at.1);
    let request = client().get(reverse).header("x-language", "ru");
    let known: Value = request.send().await.unwrap().json().await.unwrap();
    let street = known["data"]["street"].as_str().unwrap();
    let query = url::form_urlencoded::byte_serialize(street.as_bytes()).collect::<String>();

    product.forget_log().await;
    let page = guest
        .get(&format!("/address-map?back=%2Fcart&lang=ru&q={query}"))
        .await;
    let asked = calls(&product, SUGGESTIONS).await;
    assert_eq!(said(&asked[0], "limit"), "3");
    let text = said(&asked[0], "address");
    assert!(text.contains(street) && text.contains("Алматы"), "{text}");
    let data = page.data()["page"]["data"].clone();
    let offered = data["suggestions"].as_array().unwrap();
    assert!((1..=3).contains(&offered.len()), "{offered:?}");
    // Each is a form: no script is needed.
    assert_eq!(page.texts(".typed li button").len(), offered.len());
    assert_eq!(page.texts(".map > .wait > p").len(), 1);

    let spot = &offered[0];
    let (lat, long) = (spot["at"]["lat"].to_string(), spot["at"]["lon"].to_string());
    let fields = [
        ("lat", lat.as_str()),
        ("long", long.as_str()),
        ("text", spot["text"].as_str().unwrap()),
        ("city", spot["city"].as_str().unwrap()),
        ("street", spot["street"].as_str().unwrap()),
        ("building", spot["building"].as_str().unwrap()),
        ("next", "/cart"),
        ("back", "/address-map?back=%2Fcart"),
    ];
    product.forget_log().await;
    let form = guest.submit("/addresses/place", &fields).await;
    assert_eq!(form.data()["page"]["route"], "addressForm");
    let layout = json!({ "frame": "default", "navbar": false, "balance": false });
    assert_eq!(form.data()["shell"]["layout"], layout);
    let data = form.data()["page"]["data"].clone();
    assert_eq!(data["fields"]["street"], spot["street"]);
    assert_eq!(data["fields"]["building"], spot["building"]);
    assert_eq!(data["at"]["lat"], spot["at"]["lat"]);
    assert!(
        calls(&product, REVERSE).await.is_empty(),
        "its name is known"
    );

    // The city of the address under the pin goes along when it is another.
    product.forget_log().await;
    let found = guest
        .get(&format!(
            "/addresses/suggest?city=%D0%90%D1%81%D1%82%D0%B0%D0%BD%D0%B0&q={query}"
        ))
        .await;
    assert_eq!(found.status, 200);
    assert_eq!(found.header("cache-control"), "no-store");
    let asked = calls(&product, SUGGESTIONS).await;
    let text = said(&asked[0], "address");
    assert_eq!(text, format!("{street}, Алматы, Астана"));
    // Nothing is in both cities: the one of the pin is asked about alone.
    let text = said(&asked[1], "address");
    assert_eq!(text, format!("{street}, Астана"));
    // At most its own name is asked about after that.
    assert!(asked.len() <= 3, "{} calls", asked.len());

    // A house that is not known: its street is, and that is said.
    product.forget_log().await;
    let page = guest
        .get(&format!("/address-map?lang=en&q={query}+99977"))
        .await;
    let data = page.data()["page"]["data"].clone();
    assert_eq!(data["partial"], true);
    assert_eq!(data["query"], format!("{street} 99977"));
    assert!(!data["suggestions"].as_array().unwrap().is_empty());
    assert!(page.rendered().contains("Not all of it was found"));
    let asked = calls(&product, SUGGESTIONS).await;
    assert!(said(&asked[0], "address").starts_with(&format!("{street} 99977, ")));
    let parts = asked[1..].iter().map(|call| said(call, "address"));
    let parts: Vec<String> = parts.collect();
    assert!(
        parts
            .iter()
            .any(|part| part.starts_with(&format!("{street}, "))),
        "the whole text, then the street: {parts:?}"
    );
    // Nothing of it is known: what to write, and another town.
    let page = guest.get("/address-map?lang=en&q=qxjvbk+5").await;
    assert_eq!(page.data()["page"]["data"]["partial"], false);
    assert!(page.rendered().contains("Nothing found."));
    assert_eq!(
        page.texts(".typed > a[href^='/town?back=%2Faddress-map']")
            .len(),
        1
    );

    // The whole text means nothing; a part of it without an answer makes no failure of that.
    let nothing =
        json!({ "path": SUGGESTIONS, "kind": "replace", "times": 1, "values": { "/data": [] } });
    product.control("faults", nothing).await;
    product.fail(SUGGESTIONS, 500).await;
    let another = product.guest();
    let page = another.get("/address-map?lang=en&q=qxjvbk+7").await;
    assert_eq!(page.data()["page"]["data"]["suggestions"], json!([]));
    assert!(page.rendered().contains("Nothing found."));

    // Nobody answers: said, not an empty list.
    let page = guest.get("/address-map?lang=en&q=zzz").await;
    assert_eq!(page.status, 200);
    assert_eq!(page.data()["page"]["data"]["suggestions"], Value::Null);
    assert!(page.rendered().contains("No answer now"));
}

#[tokio::test]
async fn the_place_under_the_pin_is_named_and_a_failure_says_so_in_the_given_words() {
    let product = Product::start().await;
    let guest = product.guest();
    let at = venue_at(&product).await;
    let near = format!("{},{}", at.0, at.1);
    product.forget_log().await;
    let found = guest
        .get_with(
            "/addresses/at",
            &[("accept", "application/json"), ("x-near", &near)],
        )
        .await;
    assert_eq!(
        (found.status, found.header("cache-control")),
        (200, "no-store")
    );
    let found = found.json();
    assert!(!found["spot"]["street"].as_str().unwrap().is_empty());
    assert_eq!(found["zone"], "inside", "no cart: everywhere is served");
    let asked = calls(&product, REVERSE).await;
    let query = asked[0]["query"].as_str().unwrap().replace("%2E", ".");
    assert!(
        query.contains(&format!("lat={}", at.0)) && query.contains(&format!("long={}", at.1)),
        "{query}"
    );
    assert!(
        calls(&product, "/brandy").await.is_empty(),
        "nobody is asked for a zone"
    );
    assert_eq!(guest.get("/addresses/at").await.status, 400, "no place");

    // In the middle of the sea nobody knows an address; the guest writes it.
    let place = [
        ("lat", "30.51234"),
        ("long", "-40.25678"),
        ("next", "/cart"),
        ("back", "/address-map"),
    ];
    let form = guest.submit("/addresses/place", &place).await;
    assert_eq!(form.data()["page"]["route"], "addressForm");
    assert_eq!(form.data()["page"]["data"]["fields"]["street"], "");
    for (lang, words) in [
        ("kk", "Мекенжайды анықтау мүмкін болмады"),
        ("ru", "Не удалось определить адрес"),
        ("en", "The address could not be determined"),
    ] {
        product.fail(REVERSE, 500).await;
        let map = guest.get(&format!("/address-map?lang={lang}")).await;
        assert!(map.rendered().contains(words), "{lang}");
        assert_eq!(map.data()["page"]["data"]["found"]["failed"], true);
        product.no_faults().await;
    }
    let logs = product.logs();
    assert!(
        !logs.contains("30.51234") && !logs.contains(&at.0.to_string()),
        "no place in the log"
    );
}

#[tokio::test]
async fn a_place_that_is_not_served_says_so_with_a_way_out() {
    let product = Product::start().await;
    let guest = product.guest();
    with_delivery(&guest).await;
    let at = venue_at(&product).await;
    let (lat, long) = ((at.0 + 1.5).to_string(), at.1.to_string());
    product.forget_log().await;
    let fields = [
        ("lat", lat.as_str()),
        ("long", long.as_str()),
        ("text", "Алыс көше, 1"),
        ("street", "Алыс көше"),
        ("next", "/cart"),
        ("back", "/address-map?back=%2Fcart&lang=en"),
    ];
    let page = guest.submit("/addresses/place", &fields).await;
    let asked = calls(&product, "/brandy/api/v1/locations").await;
    let zone = asked
        .iter()
        .find(|call| {
            call["path"]
                .as_str()
                .unwrap()
                .ends_with("/delivery-zones/check")
        })
        .unwrap();
    assert_eq!(zone["headers"]["lat"], lat);
    assert_eq!(zone["headers"]["long"], long);
    assert_eq!(page.data()["page"]["route"], "addressMap");
    let found = page.data()["page"]["data"]["found"].clone();
    assert_eq!(
        (&found["zone"], &found["failed"]),
        (&json!("outside"), &json!(false))
    );
    assert_eq!(found["spot"]["text"], "Алыс көше, 1", "the place is kept");
    let html = page.rendered();
    assert!(html.contains("Delivery not available to the address"));
    assert!(found["takeaway"]["id"].is_u64(), "{found}");
    // What is in the cart comes first: it is picked up where it was chosen. Then other venues.
    assert!(found["ofCart"]["id"].is_u64(), "{found}");
    assert_ne!(found["ofCart"]["id"], found["takeaway"]["id"]);
    let ways = [&found["ofCart"]["name"], &found["takeaway"]["name"]]
        .map(|name| format!("Take away from {}", name.as_str().unwrap()));
    assert_eq!(page.texts(".pinned > .note button"), ways);
    assert!(html.contains("value=\"takeaway\"") && html.contains("name=\"anyway\""));
    // Another venue may serve it: it can be kept.
    let mut anyway = fields.to_vec();
    anyway.push(("anyway", "1"));
    let form = guest.submit("/addresses/place", &anyway).await;
    assert_eq!(form.data()["page"]["route"], "addressForm");
    // Nobody knows: nothing is in the way.
    product.fail("/brandy/api/v1/locations", 500).await;
    let form = guest.submit("/addresses/place", &fields).await;
    assert_eq!(form.data()["page"]["route"], "addressForm");
    product.no_faults().await;
    let before = page.data()["shell"]["cart"]["count"].clone();
    let picked = [("service", "takeaway"), ("back", "/cart")];
    let cart = guest.submit("/session/service", &picked).await.data();
    assert_eq!(cart["shell"]["cart"]["venueId"], found["ofCart"]["id"]);
    assert_eq!(cart["shell"]["cart"]["count"], before);
}

/// SV-09: whether an address is served is asked of the only brand of the installation, and of nobody where there is none.
#[tokio::test]
async fn the_brand_of_an_installation_is_asked_whether_it_brings_orders_to_an_address() {
    let fields = [
        ("lat", "43.238"),
        ("long", "76.945"),
        ("text", "Алыс көше, 1"),
        ("street", "Алыс көше"),
        ("next", "/"),
        ("back", "/address-map"),
    ];
    let zones = async |product: &Product| {
        product.forget_log().await;
        product.guest().post("/addresses/place", &fields).await;
        let mut asked = calls(product, "/brandy/api/v1/").await;
        asked.retain(|call| call["path"].as_str().unwrap().contains("/delivery-zones"));
        asked
    };
    let product = Product::with(&["--brand-id", "9"]).await;
    let asked = zones(&product).await;
    assert_eq!(asked.len(), 1, "{asked:?}");
    let zone = &asked[0];
    assert_eq!(
        (
            &zone["path"],
            &zone["headers"]["lat"],
            &zone["headers"]["long"]
        ),
        (
            &json!("/brandy/api/v1/brands/9/delivery-zones/check"),
            &json!("43.238"),
            &json!("76.945")
        )
    );
    assert!(zones(&Product::start().await).await.is_empty());
}

/// DG-12: who is sent to pick it up finds somebody there.
#[tokio::test]
async fn where_nothing_is_brought_a_venue_that_is_closed_is_not_named() {
    let product = Product::with(&["--catalogue-fresh-ms", "1"]).await;
    let guest = product.guest();
    with_delivery(&guest).await;
    let at = venue_at(&product).await;
    let near = format!("{},{}", at.0 + 1.5, at.1);
    let named = async || {
        let asked = [("accept", "application/json"), ("x-near", near.as_str())];
        let found = guest.get_with("/addresses/at", &asked).await.json();
        found["takeaway"]["id"].as_u64().unwrap()
    };
    let open = named().await;
    product
        .control("opening", json!({ "filial_id": open, "closed": true }))
        .await;
    eventually(60, async || (named().await != open).then_some(())).await;
}

#[tokio::test]
async fn the_way_over_map_and_form_ends_where_it_began() {
    let product = Product::start().await;
    let guest = product.guest();
    let menu = format!("/filials/{VENUE}?fav=1");
    let place = [
        ("lat", "43.238"),
        ("long", "76.945"),
        ("next", menu.as_str()),
        ("back", "/address-map"),
    ];
    let answer = guest.post("/addresses/place", &place).await;
    assert!(
        answer
            .location()
            .starts_with("/address-form?back=%2Ffilials")
    );
    let (_, sess) = session_of(&product, &guest).await;
    assert_eq!(sess.redirect_url().await.as_deref(), Some(menu.as_str()));
    // The form is left for the map and comes back with all that was typed.
    let typed = [
        ("street", "Жаңа көше"),
        ("comment", "Иті бар"),
        ("to", "map"),
        ("next", menu.as_str()),
    ];
    let map = guest.post("/addresses", &form_with(&typed)).await;
    assert!(
        map.location().starts_with("/address-map?back="),
        "{}",
        map.location()
    );
    // The two pages are never remembered.
    for next in ["/address-map?back=%2F", "/address-form"] {
        let moved = [
            ("lat", "43.24"),
            ("long", "76.95"),
            ("text", "Т"),
            ("street", "Тау көшесі"),
            ("next", next),
            ("back", "/address-map"),
        ];
        guest.post("/addresses/place", &moved).await;
        let (_, sess) = session_of(&product, &guest).await;
        assert_eq!(
            sess.redirect_url().await.as_deref(),
            Some(menu.as_str()),
            "{next}"
        );
    }
    let form = guest.get("/address-form").await.data();
    let data = &form["page"]["data"];
    assert_eq!(data["back"], menu);
    assert_eq!(
        data["fields"]["street"], "Тау көшесі",
        "the map's word is the newer one"
    );
    assert_eq!(data["fields"]["comment"], "Иті бар; Leave it at the door");
    assert_eq!(data["fields"]["apartment"], "25");
    assert_eq!(data["at"]["lat"], 43.24);
    let saved = save(&guest, &[("next", "/address-form")]).await;
    assert_eq!(saved.location(), menu);
    // Never off to others.
    for evil in [
        "//evil.example",
        "https://evil.example/",
        "/\\evil.example",
        "javascript:alert(1)",
    ] {
        let saved = save(&guest, &[("next", evil)]).await;
        assert_eq!(saved.location(), "/", "{evil}");
        let page = guest.get(&format!("/addresses?back={evil}")).await;
        assert_eq!(page.data()["page"]["data"]["back"], "/", "{evil}");
    }
}

#[tokio::test]
async fn the_active_address_is_the_one_that_zone_tariffs_and_home_speak_of() {
    let product = Product::start().await;
    let (guest, bearer) = signed_in(&product).await;
    with_delivery(&guest).await;
    let at = venue_at(&product).await;
    let first = keep(&product, &bearer, "Бірінші көше", (at.0 + 0.01, at.1)).await;
    let second = keep(&product, &bearer, "Екінші көше", (at.0 - 0.02, at.1 + 0.01)).await;
    for (id, street, place) in [
        (first, "Бірінші көше, 10", (at.0 + 0.01, at.1)),
        (second, "Екінші көше, 10", (at.0 - 0.02, at.1 + 0.01)),
    ] {
        guest
            .post(&format!("/addresses/{id}/choose"), &[("back", "/cart")])
            .await;
        product.forget_log().await;
        let cart = guest.get("/cart").await.data();
        let delivery = &cart["page"]["data"]["delivery"];
        assert_eq!(
            (&delivery["address"], &delivery["confirmed"]),
            (&json!(street), &json!(true))
        );
        assert!(delivery["tariffs"][0]["cost"].as_i64().unwrap() > 0);
        let asked = calls(&product, TARIFFS).await;
        let body: Value = serde_json::from_str(asked[0]["body"].as_str().unwrap()).unwrap();
        assert_eq!(body["origin"], json!({"latitude": at.0, "longitude": at.1}));
        assert_eq!(
            body["destination"],
            json!({"latitude": place.0, "longitude": place.1})
        );
        assert_eq!(cart["page"]["data"]["blocks"], json!([]));
        let home = guest.get("/?service=delivery").await;
        assert_eq!(home.data()["page"]["data"]["address"], street);
        assert!(home.rendered().contains(street), "in the header");
    }
    // One that nobody has confirmed in this session is asked about, once.
    guest
        .post(&format!("/addresses/{second}/delete"), &[("back", "/cart")])
        .await;
    let cart = guest.get("/cart?lang=en").await;
    assert_eq!(
        cart.data()["page"]["data"]["blocks"],
        json!(["confirmAddress"])
    );
    assert!(cart.rendered().contains("action=\"/addresses/confirm\""));
    guest.post("/addresses/confirm", &[("back", "/cart")]).await;
    let cart = guest.get("/cart").await;
    assert_eq!(cart.data()["page"]["data"]["blocks"], json!([]));
    assert!(!cart.rendered().contains("action=\"/addresses/confirm\""));
}

#[tokio::test]
async fn a_tariff_says_who_brings_it_and_whether_it_is_the_fastest() {
    let product = Product::start().await;
    let guest = brought_to(&product).await;
    for (word, fastest, courier, icon) in [
        ("FOOT", true, json!("foot"), "#footprints"),
        ("CAR", true, json!("car"), "#car"),
        ("DRONE", false, Value::Null, "#car"),
    ] {
        let values = json!({ "/data/0/transport_type": word, "/data/0/is_fastest": fastest, "/data/0/price": 0 });
        product.no_faults().await;
        let fault =
            json!({ "path": TARIFFS, "kind": "replace", "values": values, "after_commit": true });
        product.control("faults", fault).await;
        let cart = guest.get("/cart?lang=en").await;
        let tariff = cart.data()["page"]["data"]["delivery"]["tariffs"][0].clone();
        assert_eq!(tariff["courier"], courier, "{word}");
        let html = cart.rendered();
        assert!(html.contains(icon), "{word}");
        assert_eq!(tariff["fastest"], fastest, "{word}");
    }
    // Without tariffs there is no price, and the cart goes on.
    product.no_faults().await;
    product.fail(TARIFFS, 500).await;
    let cart = guest.get("/cart").await;
    assert_eq!(cart.status, 200);
    assert_eq!(
        cart.data()["page"]["data"]["delivery"]["tariffs"],
        json!([])
    );
}

/// CT-09: the goods are what they are, the thresholds lie below them, at them and above.
#[tokio::test]
async fn the_next_step_of_a_tariff_is_the_nearest_threshold_that_the_goods_have_not_reached() {
    let product = Product::start().await;
    let guest = brought_to(&product).await;
    let goods = guest.get("/cart").await.data()["shell"]["cart"]["total"]
        .as_i64()
        .unwrap();
    let whole = goods / 100;
    let step = |missing: i64, price: i64| {
        json!({
            "missing": missing * 100, "from": goods + missing * 100, "price": price, "discount": null,
        })
    };
    for (tier, free, next) in [
        (whole + 1, whole + 10_000, step(1, 30_000)),
        (whole, whole + 10_000, step(10_000, 0)),
        (whole - 1, whole + 10_000, step(10_000, 0)),
        (whole - 10_000, whole + 1, step(1, 0)),
        (whole - 10_000, whole, Value::Null),
        (whole - 10_000, whole - 1, Value::Null),
    ] {
        let tariff = json!({
            "id": "car", "transport_type": "CAR", "is_fastest": true, "price": 500, "cost": 700, "minutes": 30,
            "free_delivery_threshold": free, "next_tier": { "threshold": tier, "price": 300 },
            "min_order_sum": 0, "subsidy": [],
        });
        product.no_faults().await;
        let fault = json!({
            "path": TARIFFS, "kind": "replace", "values": { "/data": [tariff] }, "after_commit": true,
        });
        product.control("faults", fault).await;
        let cart = guest.get("/cart").await.data();
        let delivery = &cart["page"]["data"]["delivery"];
        assert_eq!(delivery["next"], next, "{tier} {free} of {whole}");
        assert_eq!(delivery["tariffs"][0]["price"], 50_000);
        assert_eq!(delivery["tariffs"][0]["cost"], 70_000);
    }
}

#[tokio::test]
async fn a_local_address_has_a_zone_and_tariffs_too() {
    let product = Product::start().await;
    let guest = product.guest();
    with_delivery(&guest).await;
    let at = venue_at(&product).await;
    let (lat, long) = ((at.0 + 0.01).to_string(), at.1.to_string());
    save(&guest, &[("lat", &lat), ("long", &long)]).await;
    let cart = guest.get("/cart").await.data();
    let delivery = &cart["page"]["data"]["delivery"];
    assert_eq!(delivery["address"], "Абай даңғылы, 10");
    assert!(!delivery["tariffs"].as_array().unwrap().is_empty());
    assert_eq!(delivery["outOfZone"], false);
    let far = (at.0 + 1.5).to_string();
    save(&guest, &[("lat", &far), ("long", &long)]).await;
    let cart = guest.get("/cart").await.data();
    assert_eq!(cart["page"]["data"]["delivery"]["outOfZone"], true);
    assert_eq!(cart["shell"]["cart"]["count"], 4, "the cart is as it was");
}

#[tokio::test]
async fn the_page_of_a_guest_with_an_address_is_no_other_guests() {
    let product = Product::start().await;
    let guest = product.guest();
    save(&guest, &[]).await;
    let own = guest.get("/?service=delivery").await;
    assert!(own.text().contains("Абай даңғылы, 10"));
    assert_eq!(own.header("cache-control"), "private, no-cache");
    let other = product.guest().get("/?service=delivery&lang=en").await;
    assert!(!other.text().contains("Абай"));
    assert!(other.rendered().contains("Choose address"));
    for path in ["/addresses", "/address-map", "/address-form?id=-1"] {
        assert_eq!(
            guest.get(path).await.header("cache-control"),
            "private, no-cache",
            "{path}"
        );
    }
    assert!(
        !product.logs().contains("Абай"),
        "nothing personal in the log"
    );
}

#[tokio::test]
async fn a_home_that_has_asked_about_the_town_asks_no_more_in_this_session() {
    let product = Product::start().await;
    let guest = product.guest();
    let headers = [
        ("accept", "application/json"),
        ("x-near", "51.1694,71.4491"),
    ];
    let elsewhere = async || {
        let page = guest.get_with("/_data/", &headers).await.json();
        page["page"]["data"]["elsewhere"].clone()
    };
    assert!(!elsewhere().await.is_null());
    let stay = [("asked", "1"), ("stay", "1"), ("back", "/")];
    let answer = guest.post_json("/session/town", &stay).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let (_, sess) = session_of(&product, &guest).await;
    assert!(sess.town_picker_disabled().await);
    assert!(elsewhere().await.is_null());
    assert!(guest.cookie("townId").is_none(), "the town is as it was");
}

#[tokio::test]
async fn an_address_holds_no_signs_that_a_couriers_screen_obeys() {
    let product = Product::start().await;
    let guest = product.guest();
    let street = "А\u{202e}б\u{1b}[31m\r\nв\u{0}";
    let saved = save(
        &guest,
        &[("street", street), ("comment", "бір\r\nекі\u{2066}")],
    )
    .await;
    assert_eq!(saved.status, 303);
    let form = guest.get("/address-form?id=-1").await.data();
    let fields = &form["page"]["data"]["fields"];
    assert_eq!(fields["street"], "Аб[31m в");
    assert_eq!(fields["comment"], "бір екі; Leave it at the door");
}

#[tokio::test]
async fn a_flat_without_a_house_is_not_found_by_a_courier() {
    let product = Product::start().await;
    let guest = product.guest();
    let missing = guest
        .submit(
            "/addresses",
            &form_with(&[("building", ""), ("back", "/address-form")]),
        )
        .await;
    assert_eq!(
        missing.data()["shell"]["flash"]["errors"][0]["field"],
        "building"
    );
    let house = save(&guest, &[("building", ""), ("private", "1")]).await;
    assert_eq!(
        house.location(),
        "/cart",
        "a house of its own may have a name alone"
    );
}

/// A courier finds no door on floor 9999999999, and what was typed stays to be mended.
#[tokio::test]
async fn numbers_of_a_door_that_no_house_has_are_refused_beside_their_fields() {
    let product = Product::start().await;
    let guest = product.guest();
    for (lang, floor, door) in [
        (
            "kk",
            "−5 – 200 аралығындағы сан",
            "1 – 9\u{a0}999 аралығындағы сан",
        ),
        ("ru", "Число от −5 до 200", "Число от 1 до 9\u{a0}999"),
        (
            "en",
            "A number from −5 to 200",
            "A number from 1 to 9\u{a0}999",
        ),
    ] {
        guest.get(&format!("/?lang={lang}")).await;
        let wrong = [
            ("floor", "9999999999"),
            ("apartment", "-1"),
            ("street", "Абай көшесі"),
        ];
        let refused = guest.submit("/addresses", &form_with(&wrong)).await;
        assert_eq!(refused.texts(".field .error"), [floor, door]);
        let fields = &refused.data()["page"]["data"]["fields"];
        for (name, typed) in wrong {
            assert_eq!(fields[name], typed, "{lang}");
        }
    }
    let georgian = product.guest();
    georgian.get("/?country=ge&lang=ka").await;
    let refused = georgian
        .submit("/addresses", &form_with(&[("entrance", "0")]))
        .await;
    assert_eq!(refused.texts(".field .error"), ["რიცხვი 1-დან 99-მდე"]);

    let errors = async |field: &str, typed: &str| {
        let answer = guest
            .post_json("/addresses", &form_with(&[(field, typed)]))
            .await;
        (
            answer.status,
            answer.json()["flash"]["errors"][0]["field"].clone(),
        )
    };
    for (field, typed) in [
        ("floor", "-6"),
        ("floor", "−6"),
        ("floor", "201"),
        ("floor", "цоколь"),
        ("floor", "2А"),
        ("floor", "12-14"),
        ("entrance", "-2"),
        ("entrance", "100"),
        ("apartment", "0"),
        ("apartment", "10000, 12"),
    ] {
        assert_eq!(
            errors(field, typed).await,
            (422, json!(field)),
            "{field} {typed}"
        );
    }
    for (field, typed) in [
        ("floor", "-5"),
        ("floor", "0"),
        ("floor", "−1"),
        ("floor", ""),
        ("entrance", "2А"),
        ("entrance", "2, код 345"),
        ("apartment", "305-306"),
        ("apartment", "45 (10450)"),
        ("apartment", "B-7"),
        ("apartment", ""),
    ] {
        let saved = save(&guest, &[(field, typed)]).await;
        assert_eq!(saved.location(), "/cart", "{field} {typed}");
    }
    // A house of its own has no such fields: nothing is wrong with what is not shown.
    let house = save(&guest, &[("floor", "9999999999"), ("private", "1")]).await;
    assert_eq!(house.location(), "/cart");
    // The browser cuts nothing of what the server would refuse.
    let form = guest.get("/address-form?id=-1").await.rendered();
    assert_eq!(form.matches("maxLength=\"1000\"").count(), 7, "{form}");
}

/// The page says the word itself: in the guest's language, and once.
#[tokio::test]
async fn a_word_that_is_typed_with_the_number_of_a_door_is_not_said_twice() {
    let product = Product::start().await;
    for (lang, entrance, floor, apartment, said) in [
        (
            "ru",
            "подъезд 2",
            "5-й этаж",
            "кв. 45",
            "подъезд 2, этаж 5, кв. 45",
        ),
        (
            "kk",
            "2-кіреберіс",
            "5-қабат",
            "45-пәтер",
            "2-кіреберіс, 5-қабат, 45-пәтер",
        ),
        (
            "en",
            "Entrance 2",
            "5th floor",
            "Apt. 45",
            "entrance 2, floor 5, apt. 45",
        ),
        (
            "ka",
            "სადარბაზო 2",
            "სართული 5",
            "ბინა 45",
            "სადარბაზო 2, სართული 5, ბინა 45",
        ),
    ] {
        let guest = product.guest();
        let country = if lang == "ka" { "ge" } else { "kz" };
        guest.get(&format!("/?country={country}&lang={lang}")).await;
        let typed = [
            ("entrance", entrance),
            ("floor", floor),
            ("apartment", apartment),
        ];
        assert_eq!(save(&guest, &typed).await.location(), "/cart", "{lang}");
        let sheet = guest.get("/addresses").await.rendered();
        assert!(sheet.contains(said), "{lang}: {sheet}");
    }
}

/// DG-07: a courier needs entrance and flat. Form and cart say what is missing, in each language and without scripts, and
/// save the address all the same; of a private house nothing is missing.
#[tokio::test]
async fn an_address_without_its_flat_is_asked_about_and_saved_all_the_same() {
    let product = Product::start().await;
    let guest = brought_to(&product).await;
    for (changes, missing) in [
        (
            &[("entrance", ""), ("floor", ""), ("apartment", "")][..],
            true,
        ),
        (&[("apartment", " ")], true),
        (&[], false),
        (&[("apartment", ""), ("private", "1")], false),
    ] {
        assert_eq!(save(&guest, changes).await.location(), "/cart");
        for (lang, asked, missed) in [
            (
                "kk",
                "Қай кіреберіс, қай пәтер?",
                "Пәтер немесе кеңсе көрсетілмеген",
            ),
            (
                "ru",
                "Какой подъезд и квартира?",
                "Квартира или офис не указаны",
            ),
            (
                "en",
                "Which entrance and flat?",
                "No flat or office is given",
            ),
        ] {
            let form = guest.get(&format!("/address-form?id=-1&lang={lang}")).await;
            let asks = form.texts("#no-flat");
            let described = form.rendered().contains(r#"aria-describedby="no-flat""#);
            // Of a private house the whole group is out of sight.
            let is_empty = changes.iter().any(|(field, _)| *field == "apartment");
            assert_eq!((asks.len(), described), (usize::from(is_empty), is_empty));
            assert!(asks.iter().all(|said| said.starts_with(asked)), "{asks:?}");
            let cart = guest.get(&format!("/cart?lang={lang}")).await.rendered();
            assert_eq!(cart.contains(missed), missing, "{lang} {changes:?}");
        }
    }
}

/// Without scripts Enter looks for what is typed; once the page shows what that may mean, Enter takes the first.
#[tokio::test]
async fn enter_in_the_field_of_the_map_takes_the_first_address_that_is_shown() {
    let product = Product::start().await;
    let guest = product.guest();
    let map = |query: &str| {
        let query: String = url::form_urlencoded::byte_serialize(query.as_bytes()).collect();
        format!("/address-map?back=%2Fcart&lang=ru&q={query}")
    };
    let page = guest.get(&map("а")).await;
    let first = page.data()["page"]["data"]["suggestions"][0].clone();
    assert_eq!(page.texts("[name='enter'][form='place']").len(), 1);
    let enter = async |typed: &str, offered: &str| {
        let fields = [
            ("q", typed),
            ("offered", offered),
            ("enter", "1"),
            ("lat", "43.238"),
            ("long", "76.945"),
            ("next", "/cart"),
            ("back", "/address-map?back=%2Fcart"),
        ];
        guest.post("/addresses/place", &fields).await.location()
    };
    // Nothing is taken that was not seen.
    for offered in ["", "б"] {
        let list = enter("а", offered).await;
        assert!(
            list.starts_with("/address-map?") && list.ends_with("q=%D0%B0"),
            "{list}"
        );
    }
    assert!(
        enter("qxjvbk", "qxjvbk").await.ends_with("q=qxjvbk"),
        "there is none"
    );
    let form = enter("а", "а").await;
    assert!(form.starts_with("/address-form?"), "{form}");
    let chosen = guest.get(&form).await.data()["page"]["data"].clone();
    assert_eq!(chosen["place"], first["text"]);
    assert_eq!(chosen["fields"]["street"], first["street"]);
    assert_eq!(chosen["at"]["lat"], first["at"]["lat"]);
}

#[tokio::test]
async fn what_is_no_id_never_becomes_another_address() {
    let product = Product::start().await;
    let (guest, bearer) = signed_in(&product).await;
    for id in ["../../user", "1e3", "99999999999999999999", "0", "-7"] {
        assert_eq!(save(&guest, &[("id", id)]).await.status, 404, "{id}");
        let place = [
            ("id", id),
            ("lat", "43.24"),
            ("long", "76.95"),
            ("text", "Т"),
        ];
        assert_eq!(guest.post("/addresses/place", &place).await.status, 404);
    }
    assert!(upstream_list(&product, &bearer).await.is_empty());
    let nowhere = guest
        .submit(
            "/addresses",
            &form_with(&[("lat", "-0"), ("long", "1e-320"), ("back", "/")]),
        )
        .await;
    assert_eq!(
        nowhere.data()["shell"]["flash"]["errors"][0]["field"],
        "place"
    );
}

#[tokio::test]
async fn presses_at_the_same_time_make_one_address() {
    let product = Product::start().await;
    let (guest, bearer) = signed_in(&product).await;
    guest.get("/addresses").await;
    join_all((0..8).map(|_| save(&guest, &[]))).await;
    let saved = upstream_list(&product, &bearer).await;
    assert_eq!(saved.len(), 1, "{saved:?}");
    let id = saved[0]["id"].as_i64().unwrap();
    let back = [("back", "/addresses")];
    guest.post(&format!("/addresses/{id}/delete"), &back).await;
    assert!(upstream_list(&product, &bearer).await.is_empty());
    join_all((0..8).map(|_| guest.post("/addresses/undo", &back))).await;
    assert_eq!(upstream_list(&product, &bearer).await.len(), 1);
}

#[tokio::test]
async fn who_asks_for_places_without_end_is_held_back() {
    let product = Product::with(&["--address-mutations-per-minute", "20"]).await;
    let guest = product.guest();
    let mut told = Vec::new();
    for number in 0..12 {
        told.push(
            guest
                .get(&format!("/addresses/suggest?q=a{number}"))
                .await
                .status,
        );
    }
    assert_eq!(told[..10], [200; 10]);
    assert!(told.contains(&429), "{told:?}");
    assert_eq!(guest.get("/address-map").await.status, 200, "pages come");
}

//! The question of age before restricted goods (CT-23, ST-08).

use serde_json::Value;

use crate::support::{Guest, Product, as_fields, order_fields, products, table_link};

/// An open Georgian venue with a plain product that only adults may buy: venue, table and product.
pub async fn wine(product: &Product) -> (u64, String, u64) {
    for table in product.sandbox_get("tables").await {
        let (venue, id) = (
            table["filial_id"].as_u64().unwrap(),
            table["table_id"].as_str().unwrap().to_owned(),
        );
        if table["country"] != "ge" {
            continue;
        }
        let menu = product
            .guest()
            .get(&format!("/filials/{venue}?country=ge"))
            .await
            .data();
        if menu["page"]["data"]["venue"]["open"]["open"] != true {
            continue;
        }
        let found = products(&menu)
            .find(|one| one["age"] == 21 && one["options"].is_null() && one["out"].is_null());
        if let Some(found) = found {
            return (venue, id, found["id"].as_u64().unwrap());
        }
    }
    panic!("no open venue sells anything to adults only");
}

async fn guest_at(product: &Product, venue: u64, table: &str) -> Guest {
    let guest = product.guest();
    let link = format!("{}&country=ge", table_link(venue, table));
    assert_eq!(guest.get(&link).await.status, 200);
    guest
}

/// The fields of the form with the answer yes, as a browser without scripts sends them.
fn yes_form(html: &str) -> Vec<(String, String)> {
    let form = html
        .split("<form")
        .find(|form| form.contains(r#"name="answer" value="yes""#))
        .expect("a form that says yes");
    form.split("<input")
        .skip(1)
        .map(|input| {
            let value = |name: &str| {
                let (_, rest) = input.split_once(&format!("{name}=\"")).unwrap();
                rest.split('"').next().unwrap().replace("&amp;", "&")
            };
            (value("name"), value("value"))
        })
        .collect()
}

async fn count(guest: &Guest) -> Value {
    guest.get("/cart").await.data()["shell"]["cart"]["count"].clone()
}

#[tokio::test]
async fn restricted_goods_are_asked_about_once_and_the_add_goes_on_after_a_yes() {
    let product = Product::start().await;
    let (venue, table, wine) = wine(&product).await;
    let guest = guest_at(&product, venue, &table).await;

    let asked = guest.add(venue, wine).await;
    assert_eq!(asked.status, 303);
    assert_eq!(
        asked.location(),
        format!("/age?back=%2Ffilials%2F{venue}"),
        "the question has a page of its own"
    );
    assert!(count(&guest).await.is_null(), "nothing was added yet");
    let asked = guest.add(venue, wine).await;
    let page = guest.get(&asked.location()).await;
    assert_eq!(page.status, 200);
    assert_eq!(page.data()["page"]["route"], "age");
    let html = page.rendered();
    let sheet = &html[html.find("<dialog").unwrap()..html.find("</dialog>").unwrap()];
    assert_eq!(sheet.matches("<p>").count(), 3, "three paragraphs (UI-04)");
    assert_eq!(
        sheet.matches(r#"name="answer" value="no""#).count(),
        2,
        "No and the X"
    );

    let fields = yes_form(sheet);
    let fields: Vec<(&str, &str)> = fields
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    let done = guest.post("/session/age", &fields).await;
    assert_eq!(done.status, 303);
    assert_eq!(done.location(), format!("/filials/{venue}"));
    assert_eq!(
        count(&guest).await,
        1,
        "what was being added is in the cart"
    );

    guest.add(venue, wine).await;
    assert_eq!(count(&guest).await, 2, "nobody is asked twice in a session");
}

#[tokio::test]
async fn a_no_is_kept_for_the_session_and_locks_what_is_restricted() {
    let product = Product::start().await;
    let (venue, table, wine) = wine(&product).await;
    let guest = guest_at(&product, venue, &table).await;
    let back = format!("/filials/{venue}");
    let no = guest
        .post("/session/age", &[("answer", "no"), ("back", &back)])
        .await;
    assert_eq!(no.location(), back);
    let menu = guest.get(&back).await;
    assert_eq!(menu.data()["page"]["data"]["locked"], true);
    let name = products(&menu.data())
        .find(|one| one["id"] == wine)
        .unwrap()["name"]
        .as_str()
        .unwrap()
        .to_owned();
    // In the menu, its search and the search of all venues alike.
    let query: String = url::form_urlencoded::byte_serialize(name.as_bytes()).collect();
    let found = guest
        .get(&format!("/filials/{venue}/search?q={query}"))
        .await;
    let everywhere = guest.get(&format!("/search?q={query}")).await;
    for html in [menu.rendered(), found.rendered(), everywhere.rendered()] {
        assert!(
            !html.contains(&format!(r#"name="product" value="{wine}""#)),
            "no plus"
        );
        assert!(html.contains("/age?back=%2Ffilials%2F"), "a way back");
    }
    assert!(guest.add(venue, wine).await.location().starts_with("/age?"));
    assert!(count(&guest).await.is_null());
    // Another visitor gets no page of this one.
    let other = product.guest().get(&format!("{back}?country=ge")).await;
    assert_eq!(other.data()["page"]["data"]["locked"], false);
}

#[tokio::test]
async fn scripts_get_the_question_in_place_and_from_other_pages_an_address() {
    let product = Product::start().await;
    let (venue, table, wine) = wine(&product).await;
    let guest = guest_at(&product, venue, &table).await;
    let (venue_id, id) = (venue.to_string(), wine.to_string());
    let add = |back: String| {
        let (guest, venue_id, id) = (&guest, venue_id.clone(), id.clone());
        async move {
            guest
                .post_json(
                    "/cart/lines",
                    &[("filial", &venue_id), ("product", &id), ("back", &back)],
                )
                .await
        }
    };
    let answer = add(format!("/filials/{venue}")).await;
    assert_eq!(answer.status, 422);
    let answer = answer.json();
    assert_eq!(answer["flash"]["errors"][0]["code"], "age");
    assert_eq!(answer["flash"]["values"]["product"][0], id.as_str());
    assert!(answer["redirect"].is_null(), "the menu asks over itself");

    let answer = add("/cart".to_owned()).await;
    assert_eq!(answer.json()["redirect"], "/age?back=%2Fcart");
    let page = guest.data("/age?back=%2Fcart").await;
    assert_eq!(
        page["shell"]["flash"]["values"]["product"][0],
        id.as_str(),
        "what was being added is not lost on the way"
    );
}

#[tokio::test]
async fn an_order_with_restricted_goods_needs_a_yes() {
    let product = Product::start().await;
    let (venue, table, wine) = wine(&product).await;
    let guest = guest_at(&product, venue, &table).await;
    guest
        .post("/session/age", &[("answer", "yes"), ("back", "/")])
        .await;
    guest.add(venue, wine).await;
    guest
        .post("/session/age", &[("answer", "no"), ("back", "/")])
        .await;
    let seen = order_fields(&guest.get("/cart").await.data());
    let order = as_fields(&seen);
    let refused = guest.post("/orders", &order).await;
    assert_eq!(refused.location(), "/age?back=%2Fcart");
    assert!(product.sandbox_get("orders").await.is_empty());
    guest
        .post("/session/age", &[("answer", "yes"), ("back", "/cart")])
        .await;
    let placed = guest.post("/orders", &order).await;
    assert!(
        placed.location().contains("/order/"),
        "{}",
        placed.location()
    );
}

#[tokio::test]
async fn restricted_goods_of_an_order_come_back_after_a_yes_only() {
    let product = Product::start().await;
    let (venue, table, wine) = wine(&product).await;
    let guest = guest_at(&product, venue, &table).await;
    let answer = |answer: &'static str| [("answer", answer), ("back", "/cart")];
    guest.post("/session/age", &answer("yes")).await;
    guest.add(venue, wine).await;
    let seen = order_fields(&guest.get("/cart").await.data());
    let order = as_fields(&seen);
    let placed = guest.submit("/orders", &order).await.data();
    let id = placed["page"]["data"]["id"].as_str().unwrap().to_owned();

    guest.post("/session/age", &answer("no")).await;
    let again = [("order", id.as_str()), ("back", "/cart")];
    let asked = guest.post("/orders/repeat", &again).await;
    assert_eq!(asked.location(), "/age?back=%2Fcart");
    assert!(count(&guest).await.is_null(), "nothing was added");
    let asked = guest.post("/orders/repeat", &again).await;
    let fields = yes_form(&guest.get(&asked.location()).await.rendered());
    let fields: Vec<(&str, &str)> = fields
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    assert_eq!(
        guest.post("/session/age", &fields).await.location(),
        "/cart"
    );
    assert_eq!(
        count(&guest).await,
        1,
        "the order is in the cart after a yes"
    );
}

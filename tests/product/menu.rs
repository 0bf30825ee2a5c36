//! The menu and the table link that leads to it.

use serde_json::{Value, json};

use crate::support::{
    Product, VENUE, as_fields, eventually, order_fields, plain_products, products, table_link,
};

#[tokio::test]
async fn a_table_link_answers_the_whole_menu_at_once_and_binds_the_table() {
    let product = Product::start().await;
    let guest = product.guest();
    let page = guest.get(&table_link(VENUE, "t7")).await;
    assert_eq!(page.status, 200);
    let data = page.data();
    assert_eq!(data["page"]["route"], "menu");
    assert_eq!(data["shell"]["table"]["number"], "7");
    assert_eq!(data["shell"]["table"]["tableId"], "t7");
    assert_eq!(data["shell"]["table"]["mainVenueId"], "1010");
    let html = page.rendered();
    let mut seen = 0;
    for dish in products(&data) {
        assert!(
            html.contains(&escape(dish["name"].as_str().unwrap())),
            "{}",
            dish["name"]
        );
        seen += 1;
    }
    assert_eq!(seen, 60, "the yardstick menu has 60 products");
    assert!(
        html.contains(r#"action="/cart/lines""#),
        "an Add button that works without scripts"
    );
    // The table stays with the session.
    assert_eq!(
        guest.get("/cart").await.data()["shell"]["table"]["number"],
        "7"
    );
}

#[tokio::test]
async fn the_same_table_again_changes_nothing_and_another_table_keeps_the_cart() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    let (dish, _) = plain_products(&menu)[0];
    guest.add(VENUE, dish).await;
    for table in ["t7", "t8"] {
        let page = guest.get(&table_link(VENUE, table)).await.data();
        assert_eq!(page["shell"]["cart"]["count"], 1);
        assert_eq!(page["shell"]["table"]["tableId"], table);
        assert!(page["shell"]["flash"].is_null());
    }
}

#[tokio::test]
async fn the_table_of_another_branch_empties_the_cart_and_says_so() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    guest.add(VENUE, plain_products(&menu)[0].0).await;
    let page = guest.get(&table_link(1023, "t1")).await.data();
    assert!(page["shell"]["cart"].is_null());
    assert_eq!(page["shell"]["flash"]["kind"], "branchChanged");
    assert_eq!(page["shell"]["table"]["venueId"], 1023);
}

#[tokio::test]
async fn only_all_three_keys_make_a_table_link() {
    let product = Product::start().await;
    product.forget_log().await;
    let guest = product.guest();
    for query in [
        "filial_id=1013&table_id=t7",
        "filial_id=1013&main_terminal_id=1010",
        "table_id=t7&main_terminal_id=1010",
    ] {
        let page = guest.get(&format!("/filials/{VENUE}?{query}")).await;
        assert_eq!(page.status, 200);
        assert!(page.data()["shell"]["table"].is_null());
        assert!(
            page.headers.get("set-cookie").is_none(),
            "{query} is a plain visit"
        );
    }
    let asked = product.sandbox_get("log").await;
    assert!(
        !asked
            .iter()
            .any(|call| call["path"].as_str().unwrap().contains("/branches/"))
    );
}

#[tokio::test]
async fn check_pulling_leads_to_the_bill_with_the_same_query() {
    let product = Product::start().await;
    product
        .control(
            "check-pulling",
            json!({ "filial_id": VENUE, "enabled": true }),
        )
        .await;
    // Whatever else stands in it comes along.
    let query = "filial_id=1013&table_id=t7&main_terminal_id=1010&source=STANDQR&lang=ru&x=a%26b";
    let link = format!("/filials/{VENUE}?{query}");
    let answer = product.guest().get(&link).await;
    assert_eq!(answer.status, 303);
    assert_eq!(answer.location(), format!("/filials/{VENUE}/bill?{query}"));
}

#[tokio::test]
async fn a_branch_check_that_fails_or_hangs_lets_the_menu_open_in_silence() {
    let product = Product::start().await;
    for fault in [
        json!({ "path": "/locations/v1/branches", "kind": "status", "status": 500 }),
        json!({ "path": "/locations/v1/branches", "kind": "hang" }),
    ] {
        product.control("faults", fault).await;
        let page = product.guest().get(&table_link(VENUE, "t7")).await;
        assert_eq!(page.status, 200);
        let data = page.data();
        assert_eq!(data["page"]["route"], "menu");
        assert!(data["shell"]["flash"].is_null());
        product.no_faults().await;
    }
}

#[tokio::test]
async fn a_table_that_the_venue_does_not_have_is_not_attached() {
    let product = Product::start().await;
    let page = product.guest().get(&table_link(VENUE, "t999")).await.data();
    assert!(page["shell"]["table"].is_null());
    assert_eq!(page["shell"]["flash"]["kind"], "tableUnknown");
}

#[tokio::test]
async fn a_code_of_a_closed_or_deleted_branch_and_a_table_of_another_venue_say_so() {
    let product = Product::with(&["--catalogue-fresh-ms", "1", "--page-fresh-ms", "0"]).await;
    let closed = json!({ "filial_id": VENUE, "closed": true });
    product.control("opening", closed).await;
    let page = product
        .guest()
        .get(&format!("{}&lang=en", table_link(VENUE, "t7")))
        .await;
    assert_eq!(page.status, 200);
    assert_eq!(page.data()["page"]["data"]["venue"]["open"]["open"], false);
    assert!(page.rendered().contains("Closed"));
    assert_eq!(
        page.data()["shell"]["table"]["number"],
        "7",
        "the menu can be read"
    );

    let page = product
        .guest()
        .get(&format!("{}&lang=en", table_link(999_999, "t7")))
        .await;
    assert_eq!(page.status, 404);
    assert!(page.rendered().contains("Terminal is not found"));

    for (link, words) in [
        (
            table_link(VENUE, "t999"),
            "Table not attached. Scan the code on the table again<",
        ),
        // The table of a venue under the address of another one.
        (
            table_link(1023, "t1").replace("/filials/1023", &format!("/filials/{VENUE}")),
            "Table not attached: this code is from another restaurant<",
        ),
    ] {
        let page = product.guest().get(&format!("{link}&lang=en")).await;
        assert_eq!(page.status, 200, "{link}");
        assert!(page.data()["shell"]["table"].is_null(), "{link}");
        assert!(page.rendered().contains(words), "{link}");
    }
}

#[tokio::test]
async fn an_unknown_venue_is_a_404_with_its_given_text() {
    let product = Product::start().await;
    for path in [
        "/filials/999999",
        "/filials/abc",
        "/filials/..%2f..%2fapi",
        "/filials/1%3Fx=1",
    ] {
        let page = product.guest().get(path).await;
        assert_eq!(page.status, 404, "{path}");
    }
    let page = product.guest().get("/filials/999999?lang=en").await;
    assert!(page.rendered().contains("Terminal is not found"));
    // A number that someone has made up is asked for by one call.
    let calls = product.sandbox_get("log").await;
    let of_it = calls.iter().filter(|call| {
        let path = call["path"].as_str().unwrap();
        path.contains("999999") || call["query"].to_string().contains("999999")
    });
    let paths: std::collections::HashSet<_> = of_it.map(|call| call["path"].clone()).collect();
    let card = json!("/takeaway/locations/card/terminal/999999");
    assert_eq!(paths, [card].into());
}

#[tokio::test]
async fn the_menu_tolerates_the_loss_of_either_call_and_not_of_both() {
    let product = Product::with(&["--catalogue-fresh-ms", "0", "--page-fresh-ms", "0"]).await;
    product.fail("/menu/v3/favourite", 500).await;
    let page = product.guest().get(&format!("/filials/{VENUE}")).await;
    assert_eq!(page.status, 200);
    assert_eq!(page.data()["page"]["data"]["failed"], false);
    product.no_faults().await;

    let fresh = Product::start().await;
    fresh.fail("/menu/v2/category", 500).await;
    let page = fresh.guest().get(&format!("/filials/{VENUE}")).await;
    assert_eq!(page.status, 200);
    let data = page.data();
    assert_eq!(data["page"]["data"]["failed"], true);
    assert_eq!(data["page"]["data"]["categories"][0]["id"], -2);

    let fresh = Product::start().await;
    fresh.fail("/menu/", 500).await;
    let page = fresh.guest().get(&format!("/filials/{VENUE}")).await;
    assert_eq!(page.status, 503);
    assert!(!page.header("retry-after").is_empty());
}

#[tokio::test]
async fn promo_prices_are_shown_with_a_negative_percent() {
    let product = Product::start().await;
    let menu = product
        .guest()
        .get(&format!("/filials/{VENUE}"))
        .await
        .data();
    let promos: Vec<_> = products(&menu)
        .filter(|dish| !dish["promo"].is_null())
        .collect();
    assert!(!promos.is_empty());
    for dish in promos {
        let (price, promo) = (
            dish["price"].as_i64().unwrap(),
            dish["promo"].as_i64().unwrap(),
        );
        assert!(promo < price);
        assert_eq!(
            dish["percent"].as_i64().unwrap(),
            -((price - promo) * 100 / price)
        );
    }
}

#[tokio::test]
async fn a_dish_has_its_sizes_and_groups_and_an_unknown_one_is_a_404() {
    let product = Product::start().await;
    let guest = product.guest();
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    let dish = products(&menu)
        .find(|dish| dish["options"] == true && dish["out"].is_null())
        .unwrap();
    let page = guest
        .get(&format!("/filials/{VENUE}?item={}", dish["id"]))
        .await;
    assert_eq!(page.status, 200);
    let item = page.data()["page"]["data"]["dish"].clone();
    assert_eq!(item["product"]["name"], dish["name"]);
    assert!(
        item["groups"]
            .as_array()
            .is_some_and(|groups| !groups.is_empty())
            || item["sizes"].is_array()
    );
    for group in item["groups"].as_array().unwrap() {
        assert!(group["min"].as_u64().unwrap() <= group["max"].as_u64().unwrap());
        assert!(group["max"].as_u64().unwrap() >= 1);
    }
    // The menu is there, and leads on.
    let gone = guest.get(&format!("/filials/{VENUE}?item=999999999")).await;
    assert_eq!(gone.status, 404);
    assert_eq!(gone.data()["page"]["data"]["menu"], VENUE);
    let menu = format!(r#"href="/filials/{VENUE}""#);
    assert!(gone.rendered().contains(&menu));
}

#[tokio::test]
async fn options_that_do_not_come_leave_a_dish_that_cannot_be_added() {
    let product = Product::start().await;
    let guest = product.guest();
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    let dish = products(&menu)
        .find(|dish| dish["options"] == true && dish["out"].is_null())
        .unwrap()["id"]
        .clone();
    product.fail("/menu/v2/product/additives", 500).await;
    let page = guest.get(&format!("/filials/{VENUE}?item={dish}")).await;
    let item = page.data()["page"]["data"]["dish"].clone();
    // A dish with sizes alone needs no call.
    if item["sizes"].is_null() {
        assert_eq!(item["failed"], true);
        let (venue, dish) = (VENUE.to_string(), dish.to_string());
        let answer = guest
            .post_json("/cart/lines", &[("filial", &venue), ("product", &dish)])
            .await;
        assert_eq!(answer.status, 503);
    }
}

/// AT-02: who has never ordered a dish is shown what the upstream proposes, which is not their last time.
#[tokio::test]
async fn only_a_choice_of_the_guest_is_called_the_last_one() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    let sheet = async |id: &Value| {
        let page = guest.get(&format!("/filials/{VENUE}?item={id}")).await;
        page.data()["page"]["data"]["dish"].clone()
    };
    let mut proposed = None;
    for dish in products(&menu).filter(|dish| dish["options"] == true && dish["out"].is_null()) {
        let item = sheet(&dish["id"]).await;
        if item["selected"] != json!({}) && item["sizes"].is_null() {
            proposed = Some(item);
            break;
        }
    }
    let item = proposed.expect("the seed proposes a choice");
    assert!(item["last"].is_null(), "nobody has ordered it");

    // Another choice than the proposed one, ordered.
    let (venue, dish) = (VENUE.to_string(), item["product"]["id"].to_string());
    let mut fields = vec![("filial".to_owned(), venue), ("product".to_owned(), dish)];
    for group in item["groups"].as_array().unwrap() {
        let open = group["options"].as_array().unwrap().iter();
        let open = open.filter(|option| option["out"] == false);
        let (picked, other): (Vec<&Value>, Vec<&Value>) =
            open.partition(|option| !item["selected"][option["id"].to_string()].is_null());
        let least = usize::try_from(group["min"].as_u64().unwrap())
            .unwrap()
            .max(1);
        for option in other.into_iter().chain(picked).take(least) {
            fields.push((format!("option.{}", option["id"]), "1".to_owned()));
        }
    }
    let fields: Vec<(&str, &str)> = fields
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    assert_eq!(guest.post_json("/cart/lines", &fields).await.status, 200);
    let order = order_fields(&guest.get("/cart").await.data());
    assert_eq!(guest.post("/orders", &as_fields(&order)).await.status, 303);
    let again = sheet(&item["product"]["id"]).await;
    assert_eq!(again["last"], true, "{}", again["selected"]);
    assert_ne!(again["selected"], item["selected"]);
}

#[tokio::test]
async fn the_switch_of_a_venue_shows_the_service_that_its_cart_is_of() {
    let product = Product::start().await;
    let guest = product.guest();
    guest
        .post(
            "/session/service",
            &[("service", "takeaway"), ("back", "/")],
        )
        .await;
    let html = guest.get(&format!("/filials/{VENUE}")).await.rendered();
    let pressed: Vec<&str> = html
        .split("<button")
        .filter(|button| {
            button.contains(r#"aria-pressed="true""#) && button.contains(r#"name="service""#)
        })
        .collect();
    assert_eq!(pressed.len(), 1, "{pressed:?}");
    assert!(pressed[0].contains(r#"value="express""#), "{}", pressed[0]);
}

/// As React writes text into HTML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#x27;")
}

/// MN-05: the ids of the short lists are ours alone.
#[tokio::test]
async fn an_empty_list_of_favourites_is_not_there_and_its_id_is_never_sent() {
    let product = Product::with(&["--catalogue-fresh-ms", "0", "--page-fresh-ms", "0"]).await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let menu = format!("/filials/{VENUE}");
    let lists = |page: &crate::support::Answer| -> Vec<i64> {
        let data = page.data();
        let all = data["page"]["data"]["lists"].as_array().unwrap().clone();
        all.iter().filter_map(|list| list["id"].as_i64()).collect()
    };
    let page = guest.get(&menu).await;
    assert_eq!(lists(&page), [-2, -3]);
    // A dish of that list is looked at and put in.
    let data = page.data();
    let of_list = data["page"]["data"]["lists"][0]["products"].clone();
    let dish = plain_products(&data)
        .into_iter()
        .find(|(id, _)| of_list.as_array().unwrap().contains(&json!(id)))
        .expect("a favourite without options")
        .0;
    let sheet = guest.get(&format!("{menu}?item={dish}")).await;
    assert_eq!(sheet.status, 200);
    guest.add(VENUE, dish).await;
    guest.get("/cart").await;
    for call in product.sandbox_get("log").await {
        let told = format!("{} {} {}", call["path"], call["query"], call["body"]);
        let apart = told.split(|one: char| !one.is_ascii_digit() && one != '-');
        assert!(!apart.into_iter().any(|word| word == "-2"), "{told}");
    }
    let path = "/menu/v3/favourite/products";
    product.replace(path, json!({ "/data": [] })).await;
    // Until the list that was kept is renewed.
    let page = eventually(20, || async {
        let page = guest.get(&menu).await;
        (lists(&page) == [-3]).then_some(page)
    })
    .await;
    assert!(!page.rendered().contains("cat--2"));
}

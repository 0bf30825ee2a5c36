//! The cart by forms and by fetch.

use serde_json::{Value, json};

use crate::support::{
    Guest, Product, VENUE, as_fields, order_fields, plain_products, products, table_link,
};

async fn guest_with(product: &Product, pieces: usize) -> (Guest, Vec<(u64, i64)>) {
    let guest = product.guest_at_table(VENUE, "t7").await;
    let dishes = plain_products(&guest.get(&format!("/filials/{VENUE}")).await.data());
    for (dish, _) in dishes.iter().take(pieces) {
        assert_eq!(guest.add(VENUE, *dish).await.status, 303);
    }
    (guest, dishes)
}

#[tokio::test]
async fn totals_come_from_the_server_with_the_service_on_its_own_line() {
    let product = Product::start().await;
    let (guest, dishes) = guest_with(&product, 2).await;
    let page = guest.get("/cart").await.data();
    let goods: i64 = dishes[..2].iter().map(|(_, price)| price).sum();
    let percent = page["page"]["data"]["venue"]["servicePercent"]
        .as_i64()
        .unwrap();
    assert!(percent > 0);
    let service = goods * percent / 100 / 100 * 100;
    let totals = page["page"]["data"]["totals"].as_array().unwrap();
    let sum = |kind: &str| {
        totals.iter().find(|total| total["kind"] == kind).unwrap()["sum"]
            .as_i64()
            .unwrap()
    };
    assert_eq!(
        (sum("goods"), sum("service"), sum("total")),
        (goods, service, goods + service)
    );
    assert_eq!(page["shell"]["cart"]["total"], goods);
    assert_eq!(page["page"]["data"]["blocks"], json!([]));
    assert!(page["page"]["data"]["minutes"]["max"].as_u64().unwrap() > 0);
}

#[tokio::test]
async fn a_cart_at_a_table_with_a_bill_says_before_its_button_that_the_order_is_paid_apart() {
    let product = Product::start().await;
    let apart = "This order is paid separately";
    let (other, _) = guest_with(&product, 1).await;
    let page = other.get("/cart?lang=en").await;
    assert!(!page.rendered().contains(apart));
    // A server that has not asked yet whether there is a bill.
    let product = Product::start().await;
    let check = json!({ "filial_id": VENUE, "enabled": true });
    product.control("check-pulling", check).await;
    let guest = product.guest();
    assert_eq!(guest.get(&table_link(VENUE, "t7")).await.status, 303);
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    guest.add(VENUE, plain_products(&menu)[0].0).await;
    let page = guest.get("/cart?lang=en").await;
    assert_eq!(page.data()["page"]["data"]["bill"], true);
    let html = page.rendered();
    let said = html.find(apart).expect("it is said");
    assert!(said < html.find("Place order").expect("a button"));
}

#[tokio::test]
async fn a_cart_is_told_in_its_own_money_also_in_another_country() {
    let product = Product::start().await;
    let (guest, _) = guest_with(&product, 1).await;
    let here = guest.get("/filials?country=kz").await;
    assert_eq!(here.data()["shell"]["cart"]["money"], Value::Null);
    let there = guest.get("/filials?country=ge").await;
    let shell = &there.data()["shell"];
    assert_eq!(shell["money"]["symbol"], "₾");
    assert_eq!(shell["cart"]["money"]["symbol"], "₸");
    let bar = there.texts("a.bar").concat();
    assert!(bar.contains('₸') && !bar.contains('₾'), "{bar}");
}

#[tokio::test]
async fn quantities_change_by_delta_and_absolutely_and_zero_removes() {
    let product = Product::start().await;
    let (guest, _) = guest_with(&product, 1).await;
    let line = guest.get("/cart").await.data()["shell"]["cart"]["lines"][0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let path = format!("/cart/lines/{line}");
    let count = async |fields: &[(&str, &str)]| {
        guest.submit(&path, fields).await.data()["shell"]["cart"]["count"].clone()
    };
    assert_eq!(count(&[("delta", "2"), ("back", "/cart")]).await, 3);
    assert_eq!(count(&[("delta", "-1"), ("back", "/cart")]).await, 2);
    assert_eq!(count(&[("qty", "7"), ("back", "/cart")]).await, 7);
    assert_eq!(count(&[("qty", "0"), ("back", "/cart")]).await, Value::Null);
    let empty = guest.get("/cart").await.data();
    assert_eq!(empty["page"]["data"]["blocks"], json!(["empty"]));
}

#[tokio::test]
async fn nonsense_quantities_change_nothing_and_say_so() {
    let product = Product::start().await;
    let (guest, dishes) = guest_with(&product, 1).await;
    let (venue, dish) = (VENUE.to_string(), dishes[0].0.to_string());
    for delta in [
        "1e9",
        "100",
        "-1000",
        "NaN",
        "0x10",
        "1.5",
        "9999999999999999999999",
    ] {
        let answer = guest
            .post_json(
                "/cart/lines",
                &[("filial", &venue), ("product", &dish), ("delta", delta)],
            )
            .await;
        assert_eq!(answer.status, 422, "{delta}");
        assert_eq!(answer.json()["cart"]["count"], 1, "{delta}");
    }
    let answer = guest
        .post_json(
            "/cart/lines",
            &[("filial", &venue), ("product", &dish), ("delta", "99")],
        )
        .await;
    assert_eq!(answer.json()["flash"]["errors"][0]["code"], "quantity");
    // Nor where the count of a line is typed.
    let cart = guest.get("/cart").await.data()["shell"]["cart"].clone();
    let line = format!("/cart/lines/{}", cart["lines"][0]["id"].as_str().unwrap());
    for count in ["1e9", "-1", "1.5", "100", ""] {
        let answer = guest.post_json(&line, &[("qty", count)]).await;
        assert_eq!(answer.status, 422, "{count}");
        assert_eq!(answer.json()["cart"]["count"], 1, "{count}");
    }
}

/// An option may have a lower limit than its group.
#[tokio::test]
async fn too_many_of_one_option_is_told_by_its_name() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    for dish in products(&menu).filter(|dish| dish["options"] == true && dish["out"].is_null()) {
        let id = dish["id"].to_string();
        let back = format!("/filials/{VENUE}?item={id}");
        let item = guest.get(&back).await.data()["page"]["data"]["dish"].clone();
        let groups = item["groups"].as_array().unwrap();
        let lower = groups.iter().find_map(|group| {
            let mut options = group["options"].as_array().unwrap().iter();
            let most = group["max"].as_u64().unwrap();
            let own =
                |option: &&Value| option["max"].as_u64().unwrap() < most && option["out"] != true;
            options.find(own)
        });
        let Some(option) = lower else { continue };
        let field = format!("option.{}", option["id"]);
        let most = option["max"].as_u64().unwrap();
        let count = (most + 1).to_string();
        let venue = VENUE.to_string();
        let fields = [
            ("filial", &*venue),
            ("product", &id),
            (&field, &count),
            ("back", &back),
        ];
        let page = guest.submit("/cart/lines", &fields).await;
        let errors = page.data()["shell"]["flash"]["errors"].clone();
        let mut errors = errors.as_array().unwrap().iter();
        let error = errors.find(|error| error["code"] == "max").unwrap();
        assert_eq!(error["values"]["count"], most);
        let start = format!("{}: ", option["name"].as_str().unwrap());
        let told = page.texts(".group .error");
        assert!(told.iter().any(|one| one.starts_with(&start)), "{told:?}");
        return;
    }
    panic!("the seed has an option with a limit of its own");
}

#[tokio::test]
async fn a_required_group_is_asked_for_and_what_was_typed_is_kept() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    let mut found = None;
    for dish in products(&menu).filter(|dish| dish["options"] == true && dish["out"].is_null()) {
        let item = guest
            .get(&format!("/filials/{VENUE}?item={}", dish["id"]))
            .await
            .data()["page"]["data"]["dish"]
            .clone();
        let required = item["groups"]
            .as_array()
            .unwrap()
            .iter()
            .find(|group| group["min"].as_u64().unwrap() > 0)
            .cloned();
        if let (Some(group), true) = (required, item["sizes"].is_null()) {
            found = Some((dish["id"].to_string(), group, item));
            break;
        }
    }
    let (dish, group, item) = found.expect("the seed has a dish with a required group");
    let (venue, back) = (VENUE.to_string(), format!("/filials/{VENUE}?item={dish}"));
    let wrong = guest
        .submit(
            "/cart/lines",
            &[
                ("filial", &venue),
                ("product", &dish),
                ("note", "тұзсыз"),
                ("back", &back),
            ],
        )
        .await
        .data();
    let flash = &wrong["shell"]["flash"];
    assert_eq!(
        flash["errors"][0]["field"],
        format!("group.{}", group["id"])
    );
    assert_eq!(flash["errors"][0]["code"], "min");
    assert_eq!(flash["errors"][0]["values"]["count"], group["min"]);
    assert_eq!(flash["values"]["note"][0], "тұзсыз");
    assert!(wrong["shell"]["cart"].is_null());
    assert!(
        guest.get(&back).await.data()["shell"]["flash"].is_null(),
        "a message is shown once"
    );
    // A row can't ask for the group: its sheet does, also where the address of the row only looks like that of a sheet.
    for (row, sheet) in [
        ("/search?q=item=1".to_owned(), back.clone()),
        (format!("/filials/{VENUE}?tag=item=1"), back.clone()),
        ("/cart#cross".to_owned(), format!("{back}&from=cart")),
    ] {
        let row = [("filial", &*venue), ("product", &*dish), ("back", &*row)];
        let led = guest.post("/cart/lines", &row).await;
        assert_eq!(led.location(), sheet, "{}", row[2].1);
    }

    let mut fields = vec![
        ("filial".to_owned(), venue.clone()),
        ("product".to_owned(), dish.clone()),
        ("back".to_owned(), back.clone()),
        ("note".to_owned(), "тұзсыз".to_owned()),
    ];
    let mut extra = 0;
    for group in item["groups"].as_array().unwrap() {
        let open = group["options"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|option| option["out"] == false);
        for option in open.take(usize::try_from(group["min"].as_u64().unwrap()).unwrap()) {
            fields.push((format!("option.{}", option["id"]), "1".to_owned()));
            extra += option["price"].as_i64().unwrap();
        }
    }
    let fields: Vec<(&str, &str)> = fields
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    let answer = guest.post("/cart/lines", &fields).await;
    assert_eq!(
        answer.location(),
        format!("/filials/{VENUE}"),
        "the sheet closes"
    );
    let cart = guest.get("/cart").await.data()["shell"]["cart"].clone();
    let price = item["product"]["promo"]
        .as_i64()
        .or(item["product"]["price"].as_i64())
        .unwrap();
    assert_eq!(cart["lines"][0]["price"], price + extra);
    assert_eq!(cart["lines"][0]["note"], "тұзсыз");
    assert_eq!(cart["lines"][0]["plain"], false);
    // The same dish with another wish is another line.
    let other: Vec<(&str, &str)> = fields
        .iter()
        .map(|(name, value)| {
            if *name == "note" {
                (*name, "")
            } else {
                (*name, *value)
            }
        })
        .collect();
    guest.post("/cart/lines", &other).await;
    assert_eq!(
        guest.get("/cart").await.data()["shell"]["cart"]["lines"]
            .as_array()
            .unwrap()
            .len(),
        2
    );

    // More than the maximum is refused on the server as well.
    let most = group["max"].as_u64().unwrap() + 1;
    let option = format!("option.{}", group["options"][0]["id"]);
    let answer = guest
        .post_json(
            "/cart/lines",
            &[
                ("filial", &venue),
                ("product", &dish),
                (&option, &most.to_string()),
            ],
        )
        .await;
    assert_eq!(answer.status, 422);
    assert!(
        answer.json()["flash"]["errors"]
            .as_array()
            .unwrap()
            .iter()
            .any(|error| error["code"] == "max")
    );
}

/// CT-12: letters are counted, and no bytes.
#[tokio::test]
async fn a_wish_for_a_dish_is_at_most_140_letters_of_any_language() {
    let product = Product::start().await;
    let (guest, dishes) = guest_with(&product, 0).await;
    let (venue, dish) = (VENUE.to_string(), dishes[0].0.to_string());
    let wish = async |note: &str| {
        let fields = [("filial", &*venue), ("product", &*dish), ("note", note)];
        guest.post_json("/cart/lines", &fields).await
    };
    for letter in ["x", "ұ"] {
        let long = wish(&letter.repeat(141)).await;
        assert_eq!(long.status, 422, "{letter}");
        let error = &long.json()["flash"]["errors"][0];
        assert_eq!(
            (&error["field"], &error["code"]),
            (&json!("note"), &json!("tooLong"))
        );
    }
    assert!(guest.get("/cart").await.data()["shell"]["cart"].is_null());
    let note = "ұ".repeat(140);
    assert_eq!(wish(&note).await.status, 200);
    let cart = guest.get("/cart").await.data();
    assert_eq!(cart["shell"]["cart"]["lines"][0]["note"], note.as_str());
}

#[tokio::test]
async fn a_mutation_that_comes_twice_counts_once() {
    let product = Product::start().await;
    let (guest, dishes) = guest_with(&product, 1).await;
    let (venue, dish) = (VENUE.to_string(), dishes[0].0.to_string());
    for _ in 0..3 {
        let answer = guest
            .post_json(
                "/cart/lines",
                &[
                    ("filial", &venue),
                    ("product", &dish),
                    ("m", "AAAAAAAAAAAAAAAAAAAAAA"),
                ],
            )
            .await;
        assert_eq!(answer.json()["cart"]["count"], 2);
    }
}

#[tokio::test]
async fn early_taps_are_replayed_once_each() {
    let product = Product::start().await;
    let (guest, dishes) = guest_with(&product, 0).await;
    let tap = |id: char| json!({ "action": "/cart/lines", "body": format!("filial={VENUE}&product={}&delta=1&m={}", dishes[0].0, id.to_string().repeat(22)) });
    let queue = json!([tap('a'), tap('b'), tap('c'), tap('d'), tap('e')]).to_string();
    for _ in 0..2 {
        let page = guest
            .submit(
                "/cart/mutations",
                &[("queue", &queue), ("back", "/filials/1013")],
            )
            .await
            .data();
        assert_eq!(page["shell"]["cart"]["count"], 5);
        assert_eq!(page["page"]["route"], "menu");
    }
    for broken in [
        "",
        "nonsense",
        "{}",
        "[1,2]",
        r#"[{"action":"/orders","body":""}]"#,
        r#"[{"action":"//evil","body":""}]"#,
    ] {
        let page = guest
            .submit(
                "/cart/mutations",
                &[("queue", broken), ("back", "//evil.example")],
            )
            .await
            .data();
        assert_eq!(page["shell"]["cart"]["count"], 5, "{broken}");
        assert_eq!(
            page["page"]["route"], "home",
            "a foreign way back leads home"
        );
    }
}

#[tokio::test]
async fn two_tabs_that_add_at_once_lose_nothing() {
    let product = Product::start().await;
    let (guest, dishes) = guest_with(&product, 1).await;
    let adds = (0..20).map(|number| {
        let tab = guest.second_tab();
        let dish = dishes[number % 4].0;
        async move { assert_eq!(tab.add(VENUE, dish).await.status, 303) }
    });
    futures_util::future::join_all(adds).await;
    assert_eq!(
        guest.get("/cart").await.data()["shell"]["cart"]["count"],
        21
    );
}

#[tokio::test]
async fn a_dish_of_another_venue_is_asked_about_before_the_cart_is_replaced() {
    let product = Product::start().await;
    let (guest, _) = guest_with(&product, 1).await;
    let other = guest.get("/filials/1023").await.data();
    let dish = plain_products(&other)[0].0.to_string();
    let fields = [("filial", "1023"), ("product", dish.as_str())];
    let answer = guest.post_json("/cart/lines", &fields).await;
    assert_eq!(answer.status, 422);
    assert_eq!(answer.json()["flash"]["errors"][0]["code"], "otherVenue");
    assert!(
        !answer.json()["flash"]["errors"][0]["values"]["venue"]
            .as_str()
            .unwrap()
            .is_empty()
    );
    assert_eq!(answer.json()["cart"]["venueId"], VENUE);
    let answer = guest
        .post_json("/cart/lines", &[fields[0], fields[1], ("replace", "1")])
        .await;
    assert_eq!(answer.json()["cart"]["venueId"], 1023);
    assert_eq!(answer.json()["cart"]["count"], 1);
    // It waits at its venue, as when that one's code had been scanned: nothing that was chosen is lost.
    let line = answer.json()["cart"]["lines"][0]["id"].clone();
    let line = format!("/cart/lines/{}", line.as_str().unwrap());
    guest.post(&line, &[("qty", "0"), ("back", "/cart")]).await;
    guest.get("/cart").await;
    let offered = guest.get("/").await.data();
    assert_eq!(offered["shell"]["flash"]["kind"], "branchChanged");
    let more = plain_products(&guest.get(&format!("/filials/{VENUE}")).await.data())[1].0;
    guest.add(VENUE, more).await;
    let back = guest.get("/cart").await.data();
    assert_eq!(back["shell"]["cart"]["venueId"], VENUE);
    assert_eq!(back["shell"]["cart"]["count"], 2);
}

#[tokio::test]
async fn what_is_gone_or_dearer_is_told_and_repaired_by_one_press() {
    let product = Product::start().await;
    let (guest, dishes) = guest_with(&product, 3).await;
    product.sell_out(VENUE, dishes[0].0).await;
    product.set_price(VENUE, dishes[1].0, 9990).await;
    let page = guest.get("/cart").await.data();
    assert_eq!(page["page"]["data"]["blocks"], json!(["problems"]));
    let lines = page["shell"]["cart"]["lines"].as_array().unwrap();
    assert_eq!(lines[0]["problem"], "gone");
    assert_eq!(
        (
            &lines[1]["problem"],
            &lines[1]["price"],
            &lines[1]["oldPrice"]
        ),
        (&json!("price"), &json!(999_000), &json!(dishes[1].1))
    );
    assert!(lines[2]["problem"].is_null());
    // The line itself says what is wrong, and leaves by a button that is seen.
    let shown = guest.get("/cart?lang=en").await;
    assert_eq!(shown.texts(".line > .gone > .error"), ["Not available now"]);
    assert_eq!(shown.texts(".line > .gone button"), ["Remove"]);
    // Nothing is ordered while the guest has not agreed.
    let version = page["shell"]["cart"]["version"].to_string();
    let refused = guest
        .submit(
            "/orders",
            &[("cart_version", &version), ("payment", "cash")],
        )
        .await
        .data();
    assert_eq!(refused["shell"]["flash"]["errors"][0]["code"], "gone");
    assert!(product.sandbox_get("orders").await.is_empty());
    let page = guest
        .submit("/cart/repair", &[("back", "/cart")])
        .await
        .data();
    assert_eq!(page["page"]["data"]["blocks"], json!([]));
    assert_eq!(page["shell"]["cart"]["lines"].as_array().unwrap().len(), 2);
    assert_eq!(page["shell"]["cart"]["lines"][0]["price"], 999_000);
}

#[tokio::test]
async fn where_all_dishes_have_sold_out_the_button_leads_to_the_menu_and_says_why() {
    let product = Product::start().await;
    let (guest, dishes) = guest_with(&product, 2).await;
    let button = ".order .button";
    product.sell_out(VENUE, dishes[0].0).await;
    let page = guest.get("/cart?lang=en").await;
    let texts = page.texts(button);
    assert!(texts[0].starts_with("Pay"), "one is left: {texts:?}");
    product.sell_out(VENUE, dishes[1].0).await;
    let page = guest.get("/cart?lang=en").await;
    assert_eq!(page.texts(button), ["To the menu"]);
    let told = page.texts(".checkout .notes .note").concat();
    assert!(told.starts_with("Nothing in your cart"), "{told}");
    assert_eq!(page.texts(".problems .button"), ["Remove all unavailable"]);
}

#[tokio::test]
async fn what_goes_well_with_a_cart_is_added_beside_the_others_without_scripts_too() {
    let product = Product::start().await;
    let (guest, _) = guest_with(&product, 1).await;
    let page = guest.get("/cart").await;
    let goods = page.data()["page"]["data"]["crossSell"].clone();
    let mut goods = goods.as_array().unwrap().iter();
    let good = &goods.find(|good| good["options"] != true).unwrap()["id"];
    let place = "/cart#cross";
    // Its button is one of the order's form, which leads back to the begin of the cart.
    let button = format!("/cart/lines?filial={VENUE}&product={good}&back=%2Fcart%23cross");
    let is_there = page.rendered().replace("&amp;", "&").contains(&button);
    assert!(is_there, "{button}");
    let added = guest
        .post(&button, &[("back", "/cart"), ("delta", "1")])
        .await;
    assert_eq!((added.status, added.location().as_str()), (303, place));
    // What is chosen first is opened over the menu, and closes where it was opened.
    let sheet = format!("/filials/{VENUE}?item={good}&from=cart#cross");
    let fields = [
        ("filial", VENUE.to_string()),
        ("product", good.to_string()),
        ("back", sheet),
    ];
    let added = guest.post("/cart/lines", &as_fields(&fields)).await;
    assert_eq!((added.status, added.location().as_str()), (303, place));
    // What is wrong is told at the begin of the page.
    let refused = guest
        .post(&button, &[("back", "/cart"), ("delta", "98")])
        .await;
    let to = refused.location();
    assert_eq!((refused.status, to.as_str()), (303, "/cart"));
}

#[tokio::test]
async fn an_unanswered_stop_list_check_blocks_the_order_with_a_way_to_retry() {
    let product = Product::start().await;
    let (guest, _) = guest_with(&product, 1).await;
    let seen = order_fields(&guest.get("/cart").await.data());
    product.fail("/menu/v2/stop_list", 500).await;
    let page = guest.get("/cart").await.data();
    assert_eq!(page["page"]["data"]["blocks"], json!(["checkFailed"]));
    assert_eq!(page["shell"]["cart"]["count"], 1);
    // A form of before does not pass either.
    let refused = guest.submit("/orders", &as_fields(&seen)).await.data();
    assert_eq!(
        refused["shell"]["flash"]["errors"][0]["code"],
        "unavailable"
    );
    assert!(product.sandbox_get("orders").await.is_empty());
}

#[tokio::test]
async fn express_needs_a_table_and_the_other_services_a_sign_in() {
    let product = Product::start().await;
    let guest = product.guest();
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    guest.add(VENUE, plain_products(&menu)[0].0).await;
    let page = guest.get("/cart").await.data();
    assert_eq!(page["page"]["data"]["blocks"], json!(["table"]));
    let version = page["shell"]["cart"]["version"].to_string();
    let refused = guest
        .submit(
            "/orders",
            &[("cart_version", &version), ("payment", "cash")],
        )
        .await
        .data();
    assert_eq!(
        refused["shell"]["flash"]["errors"][0]["code"],
        "tableRequired"
    );
    assert_eq!(refused["shell"]["cart"]["count"], 1);

    let guest = product.guest();
    let takeaway = plain_products(&guest.get("/filials/1011").await.data())[0].0;
    guest.add(1011, takeaway).await;
    assert_eq!(
        guest.get("/cart").await.data()["page"]["data"]["blocks"],
        json!(["signIn"])
    );
}

#[tokio::test]
async fn the_cooking_time_is_that_of_the_dishes_and_hidden_when_it_can_not_be_had() {
    const COOKING: &str = "/takeaway/order/cooking_time";
    let product = Product::start().await;
    let (guest, dishes) = guest_with(&product, 1).await;
    let asked = async || -> Vec<Value> {
        let log = product.sandbox_get("log").await;
        let calls = log.iter().filter(|call| call["path"] == COOKING);
        calls
            .map(|call| {
                assert_eq!(call["method"], "POST");
                serde_json::from_str(call["body"].as_str().unwrap()).unwrap()
            })
            .collect()
    };
    let see = async || {
        product.forget_log().await;
        let page = guest.get("/cart?lang=en").await;
        let shown = page.rendered().contains(" min");
        (
            page.data()["page"]["data"]["minutes"].clone(),
            shown,
            asked().await,
        )
    };
    let one = json!({ "product_id": dishes[0].0, "count": 1 });
    let (minutes, shown, bodies) = see().await;
    assert!(minutes["max"].as_u64().unwrap() > 0 && shown);
    assert_eq!(bodies, [json!({ "filial_id": VENUE, "products": [one] })]);
    // Other lines are another question.
    guest.add(VENUE, dishes[1].0).await;
    guest.add(VENUE, dishes[1].0).await;
    let (minutes, _, bodies) = see().await;
    assert!(!minutes.is_null());
    let two = json!({ "product_id": dishes[1].0, "count": 2 });
    assert_eq!(
        bodies,
        [json!({ "filial_id": VENUE, "products": [one, two] })]
    );
    // Without an answer the cart stands and promises nothing.
    for fault in [
        json!({ "path": COOKING, "kind": "status", "status": 500 }),
        json!({ "path": COOKING, "kind": "wrong_type" }),
        json!({ "path": COOKING, "kind": "hang" }),
    ] {
        product.no_faults().await;
        product.control("faults", fault.clone()).await;
        let (minutes, shown, _) = see().await;
        assert_eq!((minutes, shown), (Value::Null, false), "{fault}");
    }
    product.no_faults().await;
    assert!(see().await.1, "and it comes back");
}

#[tokio::test]
async fn a_closed_venue_takes_no_dish_and_no_order_and_says_why() {
    let product = Product::with(&["--catalogue-fresh-ms", "1"]).await;
    let (guest, dishes) = guest_with(&product, 1).await;
    product
        .control("opening", json!({ "filial_id": VENUE, "closed": true }))
        .await;
    let page = guest.get("/cart").await.data();
    let page = if page["page"]["data"]["blocks"] == json!([]) {
        guest.get("/cart").await.data()
    } else {
        page
    };
    assert_eq!(page["page"]["data"]["blocks"], json!(["closed"]));
    // Nor does it promise when that would be ready, or look like an order.
    assert!(page["page"]["data"]["minutes"].is_null());
    let html = guest.get("/cart?lang=en").await.rendered();
    let button = html.split("class=\"order\"").nth(1).unwrap();
    assert!(
        html.contains("Closed") && button.contains("To the menu") && !button.contains("Order, "),
        "{button}"
    );
    let (venue, dish) = (VENUE.to_string(), dishes[0].0.to_string());
    let answer = guest
        .post_json("/cart/lines", &[("filial", &venue), ("product", &dish)])
        .await;
    assert_eq!(answer.json()["flash"]["errors"][0]["code"], "closed");
    let version = page["shell"]["cart"]["version"].to_string();
    let refused = guest
        .submit(
            "/orders",
            &[("cart_version", &version), ("payment", "cash")],
        )
        .await
        .data();
    assert_eq!(refused["shell"]["flash"]["errors"][0]["code"], "closed");
}

#[tokio::test]
async fn the_cart_survives_a_killed_server_and_a_new_window() {
    let product = Product::start().await;
    let (guest, _) = guest_with(&product, 3).await;
    let before = guest.get("/cart").await.data()["shell"]["cart"].clone();
    let product = product.killed_and_started_again().await;
    let after = guest.at(&product).get("/cart").await.data()["shell"]["cart"].clone();
    assert_eq!(before, after);
}

/// Each press is a page anew where no scripts run.
#[tokio::test]
async fn without_scripts_a_dish_that_goes_well_with_it_leaves_what_is_typed_at_the_order() {
    let product = Product::start().await;
    let (guest, _) = guest_with(&product, 1).await;
    let html = guest.get("/cart").await.rendered();
    let (_, button) = html
        .split_once("\"/cart/lines?")
        .expect("a button of the order's form");
    let (query, _) = button.split_once('"').unwrap();
    let action = format!("/cart/lines?{}", query.replace("&amp;", "&"));
    let typed = [
        ("cart_version", "1"),
        ("name", "Айгүл"),
        ("comment", "ащы болмасын"),
        ("payment", "cash"),
    ];
    for (delta, pieces) in [("1", 2), ("1", 3), ("-1", 2)] {
        let fields = [&typed[..], &[("delta", delta), ("back", "/cart")]].concat();
        let page = guest.submit(&action, &fields).await;
        assert_eq!(
            page.data()["shell"]["cart"]["count"],
            pieces,
            "{}",
            page.text()
        );
        let html = page.rendered();
        assert!(html.contains("value=\"Айгүл\"") && html.contains(">ащы болмасын</textarea>"));
    }
}

#[tokio::test]
async fn the_empty_cart_names_the_last_venue_in_the_language_of_the_page() {
    let product = Product::start().await;
    let guest = product.guest_at_table(1023, "t2").await;
    let mut names = Vec::new();
    for lang in ["kk", "ru", "en"] {
        let menu = guest
            .get(&format!("/filials/1023?lang={lang}"))
            .await
            .data();
        // The menu may be open in one language and the cart in another.
        guest.get("/filials/1023?lang=ru").await;
        let cart = guest.get(&format!("/cart?lang={lang}")).await.data();
        let name = cart["page"]["data"]["home"]["name"].clone();
        assert_eq!(name, menu["page"]["data"]["venue"]["name"], "{lang}");
        names.push(name.as_str().unwrap().to_owned());
    }
    names.dedup();
    assert_eq!(names.len(), 3, "{names:?}");
}

//! What is changed in the cart beyond its quantities: undo, another choice for a line, another service, a typed table.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{
    Guest, Product, VENUE, as_fields, eventually, order_fields, plain_products, products,
    table_link,
};

async fn guest_with(product: &Product, pieces: usize) -> Guest {
    let guest = product.guest_at_table(VENUE, "t7").await;
    let dishes = plain_products(&guest.get(&format!("/filials/{VENUE}")).await.data());
    for (dish, _) in dishes.iter().take(pieces) {
        assert_eq!(guest.add(VENUE, *dish).await.status, 303);
    }
    guest
}

fn lines(page: &Value) -> Vec<Value> {
    page["shell"]["cart"]["lines"]
        .as_array()
        .cloned()
        .unwrap_or_default()
}

fn ids(page: &Value) -> Vec<String> {
    lines(page)
        .iter()
        .map(|line| line["id"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn a_removed_line_comes_back_where_it_stood() {
    let product = Product::start().await;
    let guest = guest_with(&product, 3).await;
    let before = ids(&guest.get("/cart").await.data());
    let path = format!("/cart/lines/{}", before[1]);
    let page = guest
        .submit(&path, &[("qty", "0"), ("back", "/cart")])
        .await;
    let data = page.data();
    assert_eq!(ids(&data), [before[0].clone(), before[2].clone()]);
    assert_eq!(data["shell"]["flash"]["kind"], "removed");
    assert!(
        !data["shell"]["flash"]["values"]["name"][0]
            .as_str()
            .unwrap()
            .is_empty()
    );
    // The way back is a form: it works without scripts.
    assert!(page.rendered().contains(r#"action="/cart/undo""#));
    let data = guest
        .submit("/cart/undo", &[("back", "/cart")])
        .await
        .data();
    assert_eq!(ids(&data), before);
    // Once: a second undo has nothing to bring back, and says so.
    let data = guest
        .submit("/cart/undo", &[("back", "/cart")])
        .await
        .data();
    assert_eq!(ids(&data), before);
    assert_eq!(data["shell"]["flash"]["errors"][0]["code"], "gone");

    // By fetch the answer carries the same word, also when the menu's minus took the last piece.
    let dish = lines(&data)[0]["productId"].to_string();
    let venue = VENUE.to_string();
    let fields = [
        ("filial", venue.as_str()),
        ("product", &dish),
        ("delta", "-1"),
    ];
    let answer = guest.post_json("/cart/lines", &fields).await.json();
    assert_eq!(answer["flash"]["kind"], "removed");
    let answer = guest.post_json("/cart/undo", &[]).await.json();
    assert_eq!(answer["cart"]["lines"][0]["id"], before[0]);
}

#[tokio::test]
async fn an_emptied_cart_comes_back_whole() {
    let product = Product::start().await;
    let guest = guest_with(&product, 3).await;
    let before = guest.get("/cart").await.data()["shell"]["cart"]["lines"].clone();
    let page = guest.submit("/cart/clear", &[("back", "/cart")]).await;
    assert_eq!(page.data()["shell"]["flash"]["kind"], "cartCleared");
    assert!(page.rendered().contains(r#"action="/cart/undo""#));
    let data = guest
        .submit("/cart/undo", &[("back", "/cart")])
        .await
        .data();
    assert_eq!(data["shell"]["cart"]["lines"], before);
}

#[tokio::test]
async fn the_cart_that_another_branchs_code_emptied_can_be_taken_back_and_dropped_again() {
    let product = Product::start().await;
    let guest = guest_with(&product, 2).await;
    let page = guest.get(&table_link(1023, "t1")).await;
    assert_eq!(page.data()["shell"]["flash"]["kind"], "branchChanged");
    assert!(page.data()["shell"]["cart"].is_null());
    assert!(page.rendered().contains(r#"action="/cart/undo""#));
    let dish = plain_products(&page.data())[0].0;
    guest.add(1023, dish).await;
    let kept = guest
        .submit("/cart/undo", &[("back", "/cart")])
        .await
        .data();
    assert_eq!(kept["shell"]["cart"]["venueId"], VENUE);
    assert_eq!(lines(&kept).len(), 2);
    // The way back from a code that was scanned by mistake leads to the table, too.
    assert_eq!(kept["page"]["data"]["blocks"], json!([]));
    let at = |page: &Value| {
        let table = &page["shell"]["table"];
        (table["venueId"].clone(), table["number"].clone())
    };
    assert_eq!(at(&kept), (json!(VENUE), json!("7")));
    // What was there meanwhile changed places with it.
    let other = guest
        .submit("/cart/undo", &[("back", "/cart")])
        .await
        .data();
    assert_eq!(other["shell"]["cart"]["venueId"], 1023);
    assert_eq!(lines(&other)[0]["productId"], dish);
    assert_eq!(at(&other), (json!(1023), json!("1")));
}

/// Each of the carts that wait has its own table, not the one before last alone.
#[tokio::test]
async fn each_of_three_carts_comes_back_to_its_table() {
    let product = Product::start().await;
    let guest = guest_with(&product, 1).await;
    for (venue, table) in [(1023, "t1"), (1043, "t3")] {
        let menu = guest.get(&table_link(venue, table)).await.data();
        guest.add(venue, plain_products(&menu)[0].0).await;
    }
    for venue in [VENUE, 1023, 1043, VENUE] {
        let venue = venue.to_string();
        let fields = [("venue", venue.as_str()), ("back", "/cart")];
        let back = guest.submit("/cart/undo", &fields).await.data();
        assert_eq!(back["shell"]["cart"]["venueId"].to_string(), venue);
        assert_eq!(back["shell"]["table"]["venueId"].to_string(), venue);
        assert_eq!(back["page"]["data"]["blocks"], json!([]), "{venue}");
    }
}

/// What has just been cleared is undone in one place, the carts of other restaurants stand in one list, and the way on is the
/// menu that it came from.
#[tokio::test]
async fn a_cleared_cart_has_one_way_back_and_leads_to_its_own_menu() {
    let product = Product::start().await;
    let guest = product.guest_at_table(1023, "t1").await;
    let menu = guest.get("/filials/1023").await.data();
    guest.add(1023, plain_products(&menu)[0].0).await;
    // At another restaurant's table the guest has looked into the menu of a third.
    guest.get(&table_link(1043, "t3")).await;
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    guest.add(VENUE, plain_products(&menu)[0].0).await;
    guest.get("/cart").await;
    let page = guest.submit("/cart/clear", &[("back", "/cart")]).await;
    let data = page.data();
    assert_eq!(data["shell"]["flash"]["kind"], "cartCleared");
    let listed: Vec<Value> = data["page"]["data"]["saved"].as_array().unwrap().clone();
    let venues: Vec<&Value> = listed.iter().map(|cart| &cart["venue"]["id"]).collect();
    assert_eq!(venues, [1023]);
    assert_eq!(page.texts(".saved").len(), 1);
    assert_eq!(page.texts(".saved button").len(), 1);
    assert_eq!(page.texts(".notes button").len(), 1);
    let ways = page.rendered().matches(r#"action="/cart/undo""#).count();
    assert_eq!(ways, 2, "what was cleared, and the other cart");
    assert_eq!(data["page"]["data"]["home"]["id"], VENUE);
    // Once more: the message is gone, the list stands.
    let again = guest.get("/cart").await;
    assert!(again.data()["shell"]["flash"].is_null());
    assert_eq!(again.texts(".saved button").len(), 1);
    assert_eq!(again.data()["page"]["data"]["home"]["id"], VENUE);
}

/// RT-19: who has come to another restaurant since is led to its menu.
#[tokio::test]
async fn an_empty_cart_leads_to_the_restaurant_that_was_come_to_last() {
    let product = Product::start().await;
    let guest = guest_with(&product, 1).await;
    let line = ids(&guest.get("/cart").await.data()).remove(0);
    let fields = [("qty", "0"), ("back", "/cart")];
    guest.post(&format!("/cart/lines/{line}"), &fields).await;
    let home = async || {
        let page = guest.get("/cart").await.data();
        page["page"]["data"]["home"]["id"].clone()
    };
    assert_eq!(home().await, VENUE);
    guest.get(&table_link(1023, "t1")).await;
    assert_eq!(home().await, 1023);
}

/// A table of long ago may be another guest's: the cart that comes back asks for it, and nothing is ordered to the table of
/// the other venue.
#[tokio::test]
async fn a_cart_that_comes_back_late_asks_for_its_table() {
    let product = Product::with(&["--table-seconds", "1"]).await;
    let guest = guest_with(&product, 1).await;
    guest.get(&table_link(VENUE, "t7")).await;
    guest.get(&table_link(1023, "t1")).await;
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    let venue = VENUE.to_string();
    let fields = [("venue", venue.as_str()), ("back", "/cart")];
    let late = guest.submit("/cart/undo", &fields).await.data();
    assert_eq!(late["shell"]["cart"]["venueId"], VENUE);
    assert_ne!(late["shell"]["table"]["venueId"], VENUE);
    assert_eq!(late["page"]["data"]["blocks"], json!(["table"]));
}

/// Only a cart that another venue's code took brings its table back: a dish that was added at another table and taken off
/// moves no guest. Nor does the form of the way back that comes once more.
#[tokio::test]
async fn a_dish_that_comes_back_leaves_the_guest_at_the_table_of_now() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    guest.get(&table_link(1023, "t1")).await;
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    guest.add(VENUE, plain_products(&menu)[0].0).await;
    let line = ids(&guest.get("/cart").await.data()).remove(0);
    let fields = [("qty", "0"), ("back", "/cart")];
    guest.post(&format!("/cart/lines/{line}"), &fields).await;
    let fields = [("back", "/cart")];
    let back = guest.submit("/cart/undo", &fields).await.data();
    assert_eq!(back["shell"]["cart"]["venueId"], VENUE);
    assert_eq!(back["page"]["data"]["blocks"], json!(["table"]));
    let seat = async || {
        let there = guest.get("/filials/1023").await.data();
        there["shell"]["table"]["number"].clone()
    };
    assert_eq!(seat().await, "1");

    // The dish was ordered nowhere: at its own table the cart is taken by the other one's code, and comes back with it.
    guest.get(&table_link(VENUE, "t7")).await;
    guest.get(&table_link(1023, "t1")).await;
    let mutation = "AbCdEfGhIjKlMnOpQrStUv";
    let fields = [("back", "/cart"), ("m", mutation)];
    let back = guest.submit("/cart/undo", &fields).await.data();
    assert_eq!(back["shell"]["table"]["number"], "7");
    guest.get(&table_link(1023, "t1")).await;
    guest.submit("/cart/undo", &fields).await;
    assert_eq!(seat().await, "1");
}

/// FL-06, CT-15: the way back to a cart that nobody asked to be emptied is there on every visit, not on one page once.
#[tokio::test]
async fn the_cart_that_another_branchs_code_emptied_is_offered_until_the_new_one_has_something() {
    let product = Product::start().await;
    let guest = guest_with(&product, 2).await;
    guest.get(&table_link(1023, "t1")).await;
    for path in ["/filials/1023", "/", "/cart", "/filials/1023"] {
        let page = guest.get(path).await;
        let told = &page.data()["shell"]["flash"];
        if path == "/cart" {
            // It has a list of them, where each stands once.
            assert!(told.is_null(), "{told}");
            assert_eq!(page.texts(".saved button").len(), 1);
            continue;
        }
        assert_eq!(told["kind"], "branchChanged", "{path}");
        assert!(
            told["values"]["name"][0]
                .as_str()
                .is_some_and(|name| !name.is_empty())
        );
        let offer = page.rendered();
        assert!(offer.contains(r#"action="/cart/undo""#), "{path}");
        assert!(
            offer.contains(&format!(r#"name="venue" value="{VENUE}""#)),
            "{path}"
        );
    }

    let dish = plain_products(&guest.get("/filials/1023").await.data())[0].0;
    guest.add(1023, dish).await;
    let menu = guest.get("/filials/1023").await.data();
    assert!(
        menu["shell"]["flash"].is_null(),
        "{}",
        menu["shell"]["flash"]
    );
    // The last thing that was removed is another one to bring back.
    let line = ids(&menu).remove(0);
    guest
        .post(
            &format!("/cart/lines/{line}"),
            &[("qty", "0"), ("back", "/cart")],
        )
        .await;
    guest.get("/cart").await;
    let page = guest.get("/").await.data();
    assert_eq!(page["shell"]["flash"]["kind"], "branchChanged");

    let venue = VENUE.to_string();
    let fields = [("venue", venue.as_str()), ("back", "/cart")];
    let back = guest.submit("/cart/undo", &fields).await.data();
    assert_eq!(back["shell"]["cart"]["venueId"], VENUE);
    assert_eq!(lines(&back).len(), 2);
}

/// FL-06, CT-16: beside a new cart, too, each of the others can be had again, by a form; they change places.
#[tokio::test]
async fn a_cart_that_waits_aside_is_offered_beside_a_full_one_and_changes_places_with_it() {
    let product = Product::start().await;
    let guest = guest_with(&product, 2).await;
    let code = [("code", "DASTARKHAN10"), ("back", "/cart")];
    guest.submit("/cart/promo", &code).await;
    let line = format!("/cart/lines/{}", ids(&guest.get("/cart").await.data())[0]);
    let more = [("delta", "2"), ("back", "/cart")];
    let whole = guest.submit(&line, &more).await.data();
    assert_eq!(whole["page"]["data"]["saved"], json!([]));
    let known = |page: &Value| -> Vec<(u64, u64)> {
        let saved = page["page"]["data"]["saved"].as_array().unwrap();
        let one = |cart: &Value| {
            let named = cart["venue"]["name"].as_str().unwrap();
            assert!(!named.is_empty());
            let of = |value: &Value| value.as_u64().unwrap();
            (of(&cart["venue"]["id"]), of(&cart["count"]))
        };
        saved.iter().map(one).collect()
    };

    guest.get(&table_link(1023, "t1")).await;
    let empty = guest.get("/cart").await;
    assert_eq!(known(&empty.data()), [(VENUE, 4)]);
    let offers = empty.rendered().matches(r#"action="/cart/undo""#).count();
    assert_eq!(offers, 1, "the list alone offers it");

    let dish = plain_products(&guest.get("/filials/1023").await.data())[0].0;
    guest.add(1023, dish).await;
    for path in ["/cart", "/cart?lang=en"] {
        let page = guest.get(path).await;
        assert_eq!(known(&page.data()), [(VENUE, 4)], "{path}");
        let offer = page.texts(".chosen .saved").join("");
        assert!(offer.contains('4'), "{path}: {offer}");
        let button = format!(".saved button[name='venue'][value='{VENUE}']");
        assert_eq!(page.texts(&button).len(), 1, "{path}");
    }
    guest.get("/cart?lang=kk").await;
    let venue = VENUE.to_string();
    let fields = [("venue", venue.as_str()), ("back", "/cart")];
    let back = guest.submit("/cart/undo", &fields).await.data();
    assert_eq!(
        back["shell"]["cart"]["lines"],
        whole["shell"]["cart"]["lines"]
    );
    assert_eq!(back["page"]["data"]["promo"]["code"], "DASTARKHAN10");
    assert_eq!(known(&back), [(1023, 1)]);
    let fields = [("venue", "1023"), ("back", "/cart")];
    let other = guest.submit("/cart/undo", &fields).await.data();
    assert_eq!(lines(&other)[0]["productId"], dish);
    assert_eq!(known(&other), [(VENUE, 4)]);
}

/// FL-06, CT-16: the menu of a cart that waits aside tells of it beside the cart of another restaurant, a dish that brings it
/// back says so, and the way back leaves that dish alone. Without scripts the menu says the same.
#[tokio::test]
async fn a_dish_that_brings_a_saved_cart_back_says_so_and_can_stay_alone() {
    let product = Product::start().await;
    let guest = guest_with(&product, 2).await;
    let path = format!("/filials/{VENUE}");
    let own = guest.get(&path).await;
    assert!(own.data()["page"]["data"]["saved"].is_null());
    let other = plain_products(&guest.get("/filials/1023").await.data())[0].0;
    let other = other.to_string();
    let instead = [
        ("filial", "1023"),
        ("product", &other),
        ("replace", "1"),
        ("back", "/cart"),
    ];
    guest.post("/cart/lines", &instead).await;

    for path in [path.clone(), format!("{path}/search")] {
        let menu = guest.get(&path).await;
        let data = menu.data();
        let saved = &data["page"]["data"]["saved"];
        assert_eq!(saved["lines"].as_array().unwrap().len(), 2, "{path}");
        assert!(saved["returned"].is_null());
        let told = menu.texts(".notes").join(" ");
        assert!(told.contains(saved["name"].as_str().unwrap()), "{told}");
        assert!(menu.rendered().contains(r#"action="/cart/undo""#), "{path}");
    }
    let elsewhere = guest.get("/filials/1023").await.data();
    assert!(elsewhere["page"]["data"]["saved"].is_null());

    // One dish more of what waits, and the cart of the other restaurant makes way for both.
    let dishes = plain_products(&own.data());
    let dish = dishes[0].0.to_string();
    let venue = VENUE.to_string();
    let add = [
        ("filial", venue.as_str()),
        ("product", &dish),
        ("replace", "1"),
    ];
    let answer = guest.post_json("/cart/lines", &add).await.json();
    assert_eq!(answer["cart"]["count"], 3);
    assert_eq!(answer["flash"]["kind"], "cartReturned");
    let said = answer["flash"]["values"]["name"][0].as_str().unwrap();
    assert!(!said.is_empty());
    let menu = guest.get(&path).await;
    assert_eq!(menu.data()["page"]["data"]["saved"]["returned"], true);
    assert!(menu.texts(".notes").join(" ").contains(said));

    let undo = [("returned", "1"), ("back", path.as_str())];
    let alone = guest.submit("/cart/undo", &undo).await.data();
    assert_eq!(alone["shell"]["cart"]["count"], 1);
    assert_eq!(lines(&alone)[0]["productId"], dishes[0].0);
    let saved = &alone["page"]["data"]["saved"];
    assert!(saved["returned"].is_null(), "it waits again: {saved}");
    assert_eq!(saved["lines"].as_array().unwrap().len(), 2);
    // Once.
    let again = guest.submit("/cart/undo", &undo).await.data();
    assert_eq!(again["shell"]["flash"]["errors"][0]["code"], "gone");
    assert_eq!(again["shell"]["cart"]["count"], 1);

    // Nothing is lost: both carts of this restaurant come together.
    let back = [("venue", venue.as_str()), ("back", path.as_str())];
    let whole = guest.submit("/cart/undo", &back).await.data();
    assert_eq!(whole["shell"]["cart"]["count"], 3);
    assert!(whole["page"]["data"]["saved"].is_null());
}

/// What was typed at the order without scripts is there again with its cart.
#[tokio::test]
async fn what_was_typed_at_the_order_waits_aside_with_its_cart() {
    let product = Product::start().await;
    let guest = guest_with(&product, 1).await;
    guest.get(&table_link(1023, "t1")).await;
    let dish = plain_products(&guest.get("/filials/1023").await.data())[0].0;
    guest.add(1023, dish).await;
    let seen = order_fields(&guest.get("/cart").await.data());
    let venue = VENUE.to_string();
    let mut fields = as_fields(&seen);
    fields.retain(|(name, _)| *name != "name" && *name != "comment");
    fields.extend([
        ("name", "Айша"),
        ("comment", "ащы болмасын"),
        ("back", "/cart"),
    ]);
    fields.push(("venue", &venue));
    let other = guest.submit("/cart/undo", &fields).await.data();
    assert_eq!(other["shell"]["cart"]["venueId"], VENUE);
    assert!(other["page"]["data"]["typed"].is_null());
    let fields = [("venue", "1023"), ("back", "/cart")];
    let back = guest.submit("/cart/undo", &fields).await.data();
    assert_eq!(back["page"]["data"]["typed"]["comment"], "ащы болмасын");
}

/// Where it is not cached it takes as long as any other part of the page.
#[tokio::test]
async fn the_venue_of_a_cart_that_waits_is_asked_for_beside_the_rest_of_the_page() {
    for path in ["/filials/1023", "/cart", "/"] {
        let product = Product::start().await;
        let guest = guest_with(&product, 1).await;
        guest.get(&table_link(1023, "t1")).await;
        let slow = json!({ "path": "*", "kind": "delay", "delay_ms": 200 });
        product.control("faults", slow).await;
        product.forget_log().await;
        // Of this language nothing is cached.
        let page = guest.get(&format!("{path}?lang=en")).await.data();
        match path {
            "/cart" => assert_eq!(page["page"]["data"]["saved"][0]["venue"]["id"], VENUE),
            _ => assert_eq!(page["shell"]["flash"]["kind"], "branchChanged", "{path}"),
        }
        let calls = product.sandbox_get("log").await;
        let named = format!("/takeaway/locations/card/terminal/{VENUE}");
        let is_own = |call: &&Value| call["path"] == *named;
        let own = calls.iter().find(is_own).expect("its name is asked for");
        let overlap = |one: &Value, other: &Value| {
            let (first, second) = (one["seq"].as_u64(), other["seq"].as_u64());
            first < second && one["then"].as_u64().is_none_or(|then| Some(then) > second)
        };
        assert!(
            calls
                .iter()
                .any(|call| overlap(call, own) || overlap(own, call)),
            "{path}: it is alone among {} calls",
            calls.len()
        );
    }
}

/// S-12: no page that is cached for all has it, and none takes it from its guest.
#[tokio::test]
async fn a_cart_that_waits_aside_is_offered_to_its_guest_alone() {
    let product = Product::start().await;
    let guest = guest_with(&product, 2).await;
    guest.get(&table_link(1023, "t1")).await;
    let leave = [("back", "/faq")];
    guest.post("/session/table/leave", &leave).await;
    guest.get("/faq").await;
    for path in ["/", "/filials/1023"] {
        let own = guest.get(path).await.data();
        assert_eq!(own["shell"]["flash"]["kind"], "branchChanged", "{path}");
        let another = product.guest().get(path).await.data();
        assert!(another["shell"]["flash"].is_null(), "{path}");
        let again = guest.get(path).await.data();
        assert_eq!(again["shell"]["flash"]["kind"], "branchChanged", "{path}");
    }
}

/// Where nothing can be ordered nothing takes the place of a cart.
#[tokio::test]
async fn the_code_of_a_closed_branch_leaves_the_cart_of_another_one() {
    let product = Product::with(&["--catalogue-fresh-ms", "1", "--page-fresh-ms", "0"]).await;
    let guest = guest_with(&product, 2).await;
    let closed = json!({ "filial_id": 1023, "closed": true });
    product.control("opening", closed).await;
    let page = guest.get(&table_link(1023, "t1")).await.data();
    assert_eq!(page["page"]["data"]["venue"]["open"]["open"], false);
    assert_eq!(page["shell"]["table"]["venueId"], 1023);
    assert_eq!(page["shell"]["cart"]["venueId"], VENUE);
    assert_eq!(lines(&page).len(), 2);
}

/// Without scripts, too: what stands over a closed menu leaves no room for its own line.
#[tokio::test]
async fn a_closed_venue_tells_of_its_own_cart_that_waits() {
    let product = Product::with(&["--catalogue-fresh-ms", "1", "--page-fresh-ms", "0"]).await;
    let guest = guest_with(&product, 1).await;
    guest.get(&table_link(1023, "t1")).await;
    let menu = format!("/filials/{VENUE}");
    let open = guest.get(&menu).await;
    assert!(open.data()["shell"]["flash"].is_null());
    assert_eq!(open.texts(".notes").len(), 1);
    let closed = json!({ "filial_id": VENUE, "closed": true });
    product.control("opening", closed).await;
    // The first look may still be at what was kept.
    let page = eventually(30, async || {
        let page = guest.get(&menu).await;
        (page.data()["page"]["data"]["venue"]["open"]["open"] == false).then_some(page)
    })
    .await;
    assert_eq!(page.data()["shell"]["flash"]["kind"], "branchChanged");
    assert_eq!(page.texts(".notes").len(), 1);
}

/// A dish with one required group and no sizes, as (id, group field, two options).
async fn with_choice(guest: &Guest) -> (String, String, Vec<u64>) {
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    for dish in products(&menu).filter(|dish| dish["options"] == true && dish["out"].is_null()) {
        let item = guest
            .get(&format!("/filials/{VENUE}?item={}", dish["id"]))
            .await
            .data()["page"]["data"]["dish"]
            .clone();
        let groups = item["groups"].as_array().unwrap();
        let required: Vec<&Value> = groups
            .iter()
            .filter(|group| group["min"].as_u64().unwrap() > 0)
            .collect();
        let [group] = required[..] else { continue };
        let open: Vec<u64> = group["options"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|option| option["out"] == false)
            .map(|option| option["id"].as_u64().unwrap())
            .collect();
        if item["sizes"].is_null() && group["min"] == 1 && group["max"] == 1 && open.len() > 1 {
            return (
                dish["id"].to_string(),
                format!("group.{}", group["id"]),
                open,
            );
        }
    }
    panic!("the seed has a dish with one required choice");
}

#[tokio::test]
async fn another_choice_takes_the_place_of_a_line() {
    let product = Product::start().await;
    let guest = guest_with(&product, 1).await;
    let (dish, group, options) = with_choice(&guest).await;
    let venue = VENUE.to_string();
    let (first, second) = (options[0].to_string(), options[1].to_string());
    let chosen = |option: &str, note: &str, count: &str| {
        vec![
            ("filial".to_owned(), venue.clone()),
            ("product".to_owned(), dish.clone()),
            (group.clone(), option.to_owned()),
            ("note".to_owned(), note.to_owned()),
            ("delta".to_owned(), count.to_owned()),
        ]
    };
    let post = async |path: &str, fields: Vec<(String, String)>| {
        let fields: Vec<(&str, &str)> = fields
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        guest.post(path, &fields).await
    };
    post("/cart/lines", chosen(&first, "тұзсыз", "2")).await;
    let page = guest.get("/cart").await;
    let line = lines(&page.data())[1].clone();
    let sheet = format!(
        "/filials/{VENUE}?item={dish}&line={}",
        line["id"].as_str().unwrap()
    );
    assert!(
        page.rendered().contains(&sheet.replace('&', "&amp;")),
        "each line links to its choices"
    );

    // The sheet opens with what the line holds, not with what was chosen last.
    let opened = guest.get(&sheet).await;
    let item = opened.data()["page"]["data"]["dish"].clone();
    assert_eq!(item["selected"], json!({ first.as_str(): 1 }));
    assert_eq!(item["line"]["qty"], 2);
    assert_eq!(item["line"]["note"], "тұзсыз");
    let action = format!("/cart/lines/{}/options", line["id"].as_str().unwrap());
    assert!(opened.rendered().contains(&format!(r#"action="{action}""#)));

    let answer = post(&action, chosen(&second, "", "3")).await;
    assert_eq!((answer.status, answer.location().as_str()), (303, "/cart"));
    let data = guest.get("/cart").await.data();
    let changed = lines(&data)[1].clone();
    assert_eq!(lines(&data).len(), 2);
    assert_ne!(changed["id"], line["id"]);
    assert_ne!(changed["options"], line["options"]);
    assert_eq!(changed["qty"], 3);
    assert!(changed["note"].is_null());

    // The line left in another window: nothing is changed, nothing typed is lost, and it can be added anew.
    let gone = post(&action, chosen(&first, "ащы", "4")).await;
    assert_eq!(gone.status, 303);
    let data = guest.get("/cart").await.data();
    assert_eq!(lines(&data).len(), 2);
    assert_eq!(data["shell"]["flash"]["errors"][0]["code"], "lineGone");
    assert_eq!(data["shell"]["flash"]["values"]["note"][0], "ащы");
    let sheet = guest.get(&sheet).await;
    assert!(sheet.data()["page"]["data"]["dish"]["line"].is_null());
    assert_eq!(sheet.data()["shell"]["flash"]["kind"], "lineGone");

    // A choice that breaks a rule is told beside its group.
    let changed = format!("/cart/lines/{}/options", changed["id"].as_str().unwrap());
    let wrong = guest
        .post_json(&changed, &[("filial", &venue), ("product", &dish)])
        .await;
    assert_eq!(wrong.status, 422);
    assert_eq!(wrong.json()["flash"]["errors"][0]["field"], group.as_str());

    // The same choice as another line's joins it.
    post("/cart/lines", chosen(&first, "", "1")).await;
    let answer = post(&changed, chosen(&first, "", "2")).await;
    assert_eq!(answer.location(), "/cart");
    let data = guest.get("/cart").await.data();
    assert_eq!(lines(&data).len(), 2);
    assert_eq!(lines(&data)[1]["qty"], 3);
}

#[tokio::test]
async fn the_cart_goes_along_to_another_service_and_tells_what_is_not_sold_there() {
    let product = Product::start().await;
    let guest = product.guest();
    let dishes = plain_products(&guest.get("/filials/1013").await.data());
    guest.add(1013, dishes[0].0).await;
    guest.add(1013, dishes[1].0).await;
    product.sell_out(1011, dishes[0].0).await;
    let data = guest
        .submit(
            "/session/service",
            &[("service", "takeaway"), ("back", "/cart")],
        )
        .await
        .data();
    assert_eq!(data["shell"]["cart"]["venueId"], 1011);
    assert_eq!(lines(&data).len(), 2, "nothing is dropped silently");
    assert_eq!(lines(&data)[0]["problem"], "gone");
    assert_eq!(
        data["page"]["data"]["blocks"],
        json!(["problems", "signIn"])
    );

    // Adding under the other service's id asks nothing: it is the same venue.
    let answer = guest
        .post_json(
            "/cart/lines",
            &[("filial", "1013"), ("product", &dishes[2].0.to_string())],
        )
        .await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.json()["cart"]["venueId"], 1013);
    assert_eq!(answer.json()["cart"]["count"], 3);
}

#[tokio::test]
async fn a_tables_number_is_typed_where_the_venue_allows_it() {
    let product = Product::start().await;
    let guest = product.guest();
    let dish = plain_products(&guest.get("/filials/1253").await.data())[0].0;
    guest.add(1253, dish).await;
    let page = guest.get("/cart").await;
    assert_eq!(page.data()["page"]["data"]["tableTyped"], true);
    assert!(page.rendered().contains(r#"action="/session/table""#));
    let typed = async |venue: &str, table: &str| {
        guest
            .submit(
                "/session/table",
                &[("filial", venue), ("table", table), ("back", "/cart")],
            )
            .await
            .data()
    };
    let wrong = typed("1253", "999").await;
    assert_eq!(wrong["shell"]["flash"]["errors"][0]["code"], "noSuchTable");
    assert_eq!(wrong["shell"]["flash"]["values"]["table"][0], "999");
    assert!(wrong["shell"]["table"].is_null());
    let right = typed("1253", "2").await;
    assert_eq!(right["shell"]["table"]["number"], "2");
    let blocks = right["page"]["data"]["blocks"].as_array().unwrap();
    assert!(!blocks.contains(&json!("table")));

    // Elsewhere only a code binds a table, whatever is posted.
    let other = product.guest();
    let dish = plain_products(&other.get("/filials/1013").await.data())[0].0;
    other.add(1013, dish).await;
    let page = other.get("/cart").await;
    assert!(!page.rendered().contains(r#"action="/session/table""#));
    let refused = other
        .submit(
            "/session/table",
            &[("filial", "1013"), ("table", "7"), ("back", "/cart")],
        )
        .await
        .data();
    assert_eq!(
        refused["shell"]["flash"]["errors"][0]["code"],
        "tableRequired"
    );
    assert!(refused["shell"]["table"].is_null());
}

#[tokio::test]
async fn every_way_to_an_empty_cart_is_counted_with_its_cause() {
    let product = Product::start().await;
    let counted = async |cause: &str| {
        let (_, text) = product.admin("/metrics").await;
        text.lines()
            .find(|line| {
                line.starts_with("analytics_events_total")
                    && line.contains(r#"event="cart_cleared""#)
                    && line.contains(&format!(r#"cause="{cause}""#))
            })
            .and_then(|line| line.rsplit(' ').next()?.parse::<u32>().ok())
            .unwrap_or(0)
    };
    let guest = guest_with(&product, 2).await;
    guest.submit("/cart/clear", &[("back", "/cart")]).await;
    assert_eq!(counted("guest").await, 1);
    guest.submit("/cart/clear", &[("back", "/cart")]).await;
    assert_eq!(counted("guest").await, 1, "an empty cart is not cleared");

    let guest = guest_with(&product, 1).await;
    let line = ids(&guest.get("/cart").await.data())[0].clone();
    guest
        .submit(&format!("/cart/lines/{line}"), &[("qty", "0")])
        .await;
    assert_eq!(counted("last_line").await, 1);
    // The minus of a menu.
    let guest = guest_with(&product, 1).await;
    let dish = lines(&guest.get("/cart").await.data())[0]["productId"].to_string();
    let venue = VENUE.to_string();
    let less = [
        ("filial", venue.as_str()),
        ("product", &dish),
        ("delta", "-1"),
    ];
    guest.post("/cart/lines", &less).await;
    assert_eq!(counted("last_line").await, 2);

    let guest = guest_with(&product, 1).await;
    guest.get(&table_link(1023, "t1")).await;
    assert_eq!(counted("other_branch").await, 1);

    let guest = guest_with(&product, 1).await;
    let dish = plain_products(&guest.get("/filials/1023").await.data())[0]
        .0
        .to_string();
    let fields = [("filial", "1023"), ("product", &dish), ("replace", "1")];
    guest.post("/cart/lines", &fields).await;
    assert_eq!(counted("other_venue").await, 1);

    let guest = guest_with(&product, 1).await;
    let data = guest.get("/cart").await.data();
    let seen = order_fields(&data);
    let order = as_fields(&seen);
    let placed = guest.post("/orders", &order).await;
    assert_eq!(placed.status, 303);
    assert_eq!(counted("ordered").await, 1);
    // The same again in place of what is in the cart.
    let to = placed.location();
    let id = to.split(['/', '?']).nth(4).unwrap();
    let other = plain_products(&guest.get("/filials/1023").await.data())[0].0;
    guest.add(1023, other).await;
    let again = [("order", id), ("replace", "1"), ("back", "/cart")];
    guest.post("/orders/repeat", &again).await;
    assert_eq!(counted("other_venue").await, 2);

    let guest = guest_with(&product, 1).await;
    guest.post("/session/wipe", &[]).await;
    guest.post("/session/wipe", &[]).await;
    assert_eq!(counted("forgotten").await, 1);

    // The last: a menu that is still kept may offer the next guest what is sold out here.
    let guest = guest_with(&product, 1).await;
    let line = lines(&guest.get("/cart").await.data())[0].clone();
    let dish = line["productId"].as_u64().unwrap();
    product.sell_out(VENUE, dish).await;
    guest.submit("/cart/repair", &[("back", "/cart")]).await;
    assert_eq!(counted("unavailable").await, 1);
}

/// A guest whose tap takes a second, less than a page waits for a call, and who does not wait for its answer.
async fn a_tap_given_up(product: Product) -> (Product, Guest) {
    let dish = plain_products(
        &product
            .guest()
            .get(&format!("/filials/{VENUE}"))
            .await
            .data(),
    )[0]
    .0;
    let product = product.killed_and_started_again().await;
    let guest = product.guest();
    guest
        .post("/session/age", &[("answer", "yes"), ("back", "/")])
        .await;
    let path = "/menu/v2/category/products";
    product
        .control(
            "faults",
            json!({ "path": path, "kind": "delay", "delay_ms": 1200 }),
        )
        .await;
    product.forget_log().await;
    let tab = guest.second_tab();
    let tap = tokio::spawn(async move { tab.add(VENUE, dish).await.status });
    eventually(10, async || {
        let log = product.sandbox_get("log").await;
        log.iter().any(|call| call["path"] == path).then_some(())
    })
    .await;
    tap.abort();
    assert!(
        tap.await.is_err(),
        "it was answered too soon to be given up"
    );
    (product, guest)
}

/// The next tap gives up the post before it, a webview dies: what the guest has done counts all the same.
#[tokio::test]
async fn a_tap_whose_client_has_left_counts() {
    let (_product, guest) = a_tap_given_up(Product::start().await).await;
    eventually(10, || async {
        let data = guest.get("/_data/cart").await.json();
        (lines(&data).len() == 1).then_some(())
    })
    .await;
}

/// Without scripts the cart may be opened before the form of a tap has answered.
#[tokio::test]
async fn the_document_of_a_cart_waits_for_a_tap_that_is_under_way() {
    let (_product, guest) = a_tap_given_up(Product::start().await).await;
    let data = guest.get("/cart").await.data();
    assert_eq!(lines(&data).len(), 1);
}

/// R-12: no connection waits for it, so draining connections is not enough.
#[tokio::test]
async fn a_server_that_stops_finishes_what_guests_have_begun() {
    let (mut product, guest) =
        a_tap_given_up(Product::with(&["--linger-seconds", "0"]).await).await;
    product.terminate();
    product.ended().await;
    let product = product.killed_and_started_again().await;
    let data = guest.at(&product).get("/cart").await.data();
    assert_eq!(lines(&data).len(), 1);
}

#[tokio::test]
async fn a_form_leads_back_into_its_part_of_the_page_unless_something_stands_at_the_top() {
    let product = Product::start().await;
    // Past the page that looks whether the browser keeps cookies, as well.
    for guest in [product.guest(), product.guest_at_table(VENUE, "t7").await] {
        let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
        let dish = plain_products(&menu)[0].0.to_string();
        let (page, part) = (
            format!("/filials/{VENUE}"),
            format!("/filials/{VENUE}#cat-3"),
        );
        let venue = VENUE.to_string();
        let add_from = async |back: &str, dish: &str, delta: &str| {
            let fields = [
                ("filial", venue.as_str()),
                ("product", dish),
                ("delta", delta),
                ("back", back),
            ];
            guest.post("/cart/lines", &fields).await.location()
        };
        let add = async |dish: &str, delta: &str| add_from(&part, dish, delta).await;
        assert_eq!(add(&dish, "1").await, part);
        assert_eq!(add(&dish, "1").await, part);
        let sheet = format!("{page}?item={dish}#cat-3");
        assert_eq!(add_from(&sheet, &dish, "1").await, part, "a sheet closes");
        assert_eq!(add("99999999", "1").await, page, "an error");
        assert_eq!(add(&dish, "-3").await, page, "what can be brought back");
    }
}

/// SV-03: a guest who has chosen dishes to take away, and then sits down, scans a code of the same restaurant.
#[tokio::test]
async fn a_tables_code_takes_the_dishes_of_another_service_along() {
    let product = Product::start().await;
    let guest = product.guest();
    let dish = plain_products(&guest.get("/filials/1011").await.data())[0].0;
    guest.add(1011, dish).await;
    let page = guest.get(&table_link(VENUE, "t7")).await.data();
    assert_eq!(page["shell"]["table"]["number"], "7");
    assert!(
        page["shell"]["flash"].is_null(),
        "{}",
        page["shell"]["flash"]
    );
    assert_eq!(page["shell"]["cart"]["venueId"], VENUE);
    assert_eq!(lines(&page).len(), 1);

    // One of another restaurant empties it, as before (FL-06).
    let page = guest.get(&table_link(1023, "t1")).await.data();
    assert_eq!(page["shell"]["flash"]["kind"], "branchChanged");
    assert!(lines(&page).is_empty());
}

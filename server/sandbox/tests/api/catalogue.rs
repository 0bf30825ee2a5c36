//! Places, lists, menus, checks.

use serde_json::{Value, json};

use crate::support::{EXPRESS, TAKEAWAY, World};

fn names(list: &Value) -> Vec<&str> {
    list["data"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|venue| venue["name"].as_str())
        .collect()
}

#[tokio::test]
async fn texts_come_in_the_asked_language_or_the_fallback() {
    let world = World::start().await;
    let town = |lang: &'static str, country: i64| {
        let world = &world;
        async move {
            let target = format!("/locations/v2/towns?country_id={country}");
            world
                .get_with(&target, &[("x-language", lang)])
                .await
                .json()["data"][0]["name"]
                .clone()
        }
    };
    assert_eq!(town("en", 1).await, "Almaty");
    assert_eq!(town("ka", 1).await, "Алматы");
    assert_eq!(town("ka", 2).await, "თბილისი");
    assert_eq!(town("kk", 2).await, "Tbilisi");
    assert_eq!(town("xx", 2).await, "თბილისი");
    let country = world
        .get("/locations/v1/countries/1?include=towns")
        .await
        .json();
    assert_eq!(country["data"]["name"], "Қазақстан");
    assert_eq!(country["data"]["towns"].as_array().map(Vec::len), Some(2));
    assert_eq!(
        country["data"]["config"]["meta"]["money"]["rounding"]["mode"],
        "floor"
    );
}

#[tokio::test]
async fn lists_filter_sort_and_page() {
    let world = World::start().await;
    let list = |query: &'static str| {
        let world = &world;
        async move {
            world
                .get(&format!("/takeaway/v2/locations?{query}"))
                .await
                .json()
        }
    };
    let almaty = list("town_id=1&filter%5Bservice%5D=express").await;
    assert_eq!(names(&almaty), ["Наубайхана", "Лағман үйі Самал"]);
    assert_eq!(almaty["data"][1]["filial_id"], EXPRESS);
    assert_eq!(
        almaty["meta"],
        json!({"current_page": 1, "last_page": 1, "total": 2})
    );
    assert_eq!(
        names(&list("town_id=1&sort=rating").await),
        ["Наубайхана", "Лағман үйі Самал"]
    );
    assert_eq!(list("filter[service]=delivery").await["meta"]["total"], 1);
    assert_eq!(list("category_id=8").await["meta"]["total"], 1);
    assert_eq!(
        list("category_id=4").await["data"][0]["filial_id"]
            .as_i64()
            .map(|id| id % 10),
        Some(1)
    );
    assert_eq!(
        names(&list("search=ЛАГМАН%20уйи&town_id=1").await),
        ["Лағман үйі Самал"]
    );
    assert_eq!(list("search=хинкали").await["meta"]["total"], 1);
    assert_eq!(list("filter[only-promo]=1").await["meta"]["total"], 3);
    assert_eq!(list("brand_id=6").await["meta"]["total"], 2);
    assert_eq!(
        names(&list("bbox=76.9,43.235,77,43.3").await),
        ["Наубайхана"]
    );
    assert_eq!(
        names(&list("ids[]=1033&ids[]=1011").await),
        ["Лағман үйі Есіл", "Лағман үйі Самал"]
    );
    let second = list("limit=3&page=2").await;
    assert_eq!(
        second["meta"],
        json!({"current_page": 2, "last_page": 2, "total": 4})
    );
    assert_eq!(second["data"].as_array().map(Vec::len), Some(1));
    assert_eq!(list("page=9").await["data"], json!([]));
    let bakeries = world.get("/takeaway/v2/locations/bakery").await.json();
    assert_eq!(names(&bakeries), ["Наубайхана"]);
    assert_eq!(world.get("/takeaway/v2/locations/garage").await.status, 404);
}

#[tokio::test]
async fn distances_start_at_the_guest_or_at_the_centre() {
    let world = World::start().await;
    let target = "/brandy/api/v1/locations/near?town_id=1";
    let centre = world.get(target).await.json();
    assert!(
        (400.0..600.0).contains(&centre["data"][0]["distance"].as_f64().unwrap()),
        "{centre}"
    );
    let here = world
        .get_with(target, &[("lat", "43.23"), ("long", "76.95")])
        .await
        .json();
    assert_eq!(names(&here)[0], "Лағман үйі Самал");
    assert_eq!(here["data"][0]["distance"], 0.0);
    let nowhere = world
        .get_with(target, &[("lat", "north"), ("long", "76.95")])
        .await
        .json();
    assert_eq!(
        nowhere["data"][0]["distance"],
        centre["data"][0]["distance"]
    );
}

#[tokio::test]
async fn cards_and_branches_know_their_tables() {
    let world = World::start().await;
    let card = world
        .get(&format!(
            "/takeaway/locations/card/terminal/{EXPRESS}?include=extra&brand_id=5"
        ))
        .await
        .json();
    let card = &card["data"];
    assert_eq!(
        (&card["service_type"], &card["service_percentage"]),
        (&json!(3), &json!(10))
    );
    assert_eq!(card["extra"]["phone"], "+77010000000");
    assert_eq!(card["payment_types"], json!(["online", "cash"]));
    let takeaway = world
        .get(&format!("/locations/v2/locations/card/terminal/{TAKEAWAY}"))
        .await
        .json();
    assert_eq!(takeaway["data"]["service_percentage"], 0);
    let unknown = world.get("/takeaway/locations/card/terminal/999999").await;
    assert_eq!(
        (unknown.status, unknown.json()["message"].clone()),
        (404, json!("Terminal is not found"))
    );
    let branch = |query: &'static str| {
        let world = &world;
        async move {
            world
                .get(&format!("/locations/v1/branches/{EXPRESS}?{query}"))
                .await
                .json()["data"]
                .clone()
        }
    };
    assert_eq!(
        branch("table_id=t7&main_terminal_id=1010").await["table"],
        json!({"id": "t7", "number": "7"})
    );
    assert_eq!(
        branch("table_id=t7&main_terminal_id=2020").await["table"],
        Value::Null
    );
    assert_eq!(branch("table_id=zz").await["table"], Value::Null);
    let terminal = world
        .get(&format!("/terminals/terminals/{EXPRESS}"))
        .await
        .json();
    assert_eq!(terminal["data"]["tables"].as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn sandboxes_share_what_one_has_drawn() {
    const PICTURE: &str = "/files/dishes/5001.webp";
    let folder = tempfile::tempdir().unwrap();
    let shared = folder.path().join("pictures");
    let drawn = World::with_pictures(&shared).await.get(PICTURE).await;
    assert_eq!(drawn.status, 200);
    let shared_file = shared.join("dishes-5001.webp");
    assert_eq!(std::fs::read(&shared_file).unwrap(), drawn.bytes);
    std::fs::write(&shared_file, b"of another").unwrap();
    let other = World::with_pictures(&shared).await;
    assert_eq!(other.get(PICTURE).await.bytes, &b"of another"[..]);
    assert_eq!(other.get("/files/dishes/..-5001.webp").await.status, 404);
    // Where none can be kept each is drawn.
    let alone = World::with_pictures(&shared_file).await;
    assert_eq!(alone.get(PICTURE).await.bytes, drawn.bytes);
}

#[tokio::test]
async fn menus_say_prices_promos_and_pictures() {
    let world = World::start().await;
    let menu = world
        .get_with(
            &format!("/menu/v2/category/products?filial_id={EXPRESS}"),
            &[("x-language", "ru")],
        )
        .await
        .json();
    assert_eq!(menu["external_id"], "m-101");
    assert_eq!(menu["data"][2]["attributes"]["is_active"], false);
    assert_eq!(menu["data"][1]["attributes"]["is_show_photo"], false);
    let lagman = &menu["data"][0]["relationships"]["products"]["data"][0];
    assert_eq!(
        (&lagman["product_name"], &lagman["price"]),
        (&json!("Лагман"), &json!(1850))
    );
    let picture = lagman["images"][0]["image_url"].as_str().unwrap();
    assert_eq!(
        picture,
        format!("{}/files/dishes/551.webp", world.sandbox.url())
    );
    let tea = &menu["data"][1]["relationships"]["products"]["data"][1];
    assert_eq!(
        (&tea["price"], &tea["old_price"], &tea["reward_id"]),
        (&json!(400.5), &json!(500), &json!(9))
    );
    let georgian = world
        .get("/menu/v2/category/products?filial_id=2013")
        .await
        .json();
    assert_eq!(
        georgian["data"][0]["relationships"]["products"]["data"][0]["price"],
        json!(12.55)
    );
    let popular = world
        .get(&format!(
            "/menu/v3/popular/products?filial_id={EXPRESS}&limit=20"
        ))
        .await
        .json();
    assert_eq!(popular["data"].as_array().map(Vec::len), Some(2));
    let cross = world
        .get(&format!(
            "/menu/v3/cross-sell/products?filial_id={EXPRESS}&products[]=552"
        ))
        .await
        .json();
    assert_eq!(cross["data"][0]["product_id"], 553);
    let several = world
        .get(&format!("/menu/v2/products/with/additives/?filial_id={EXPRESS}&products%5B%5D=551&products%5B%5D=1"))
        .await
        .json();
    assert_eq!(several["data"].as_array().map(Vec::len), Some(1));
    let groups = &several["data"][0]["additive_groups"];
    assert_eq!(
        (&groups[0]["min"], &groups[0]["max"]),
        (&json!(1), &json!(1))
    );
    assert!(groups[1].get("min").is_none());
}

#[tokio::test]
async fn the_check_tells_each_item_apart() {
    let world = World::start().await;
    let reply = world
        .post(
            "/menu/v2/stop_list/order_items/check",
            &json!({"filial_id": EXPRESS, "service_type": 3, "items": [
                {"product_id": 551, "count": 2, "price": 1900, "additives": [{"id": 11, "count": 1}]},
                {"product_id": 551, "count": 1, "price": 1850, "additives": [{"id": 11, "count": 1}]},
                {"product_id": 554, "count": 1, "price": 3000},
                {"product_id": 1, "count": 1, "price": 1},
            ]}),
        )
        .await
        .json();
    assert_eq!(
        reply["data"],
        json!({"ok": false, "goods_sum": 5700, "items": [
            {"index": 0, "product_id": 551, "status": "ok", "price": 1900, "regular_price": 1900, "promo_count": 0,
                "sum": 3800},
            {"index": 1, "product_id": 551, "status": "price_changed", "price": 1900, "regular_price": 1900,
                "promo_count": 0, "sum": 1900},
            {"index": 2, "product_id": 554, "status": "unavailable", "price": null, "regular_price": null,
                "promo_count": 0, "sum": null},
            {"index": 3, "product_id": 1, "status": "unavailable", "price": null, "regular_price": null,
                "promo_count": 0, "sum": null},
        ]})
    );
    let time = world
        .post(
            "/takeaway/order/cooking_time",
            &json!({"filial_id": EXPRESS, "products": [{"product_id": 551, "count": 7}]}),
        )
        .await
        .json();
    assert_eq!(time["data"], json!({"minutes": 17, "min": 14, "max": 19}));
}

#[tokio::test]
async fn nonsense_is_refused_with_the_error_body() {
    let world = World::start().await;
    let targets = [
        ("/menu/v2/category/products", 400),
        ("/menu/v2/category/products?filial_id=abc", 400),
        (
            "/menu/v2/category/products?filial_id=99999999999999999999",
            400,
        ),
        ("/menu/v2/category/products?filial_id=-1", 404),
        ("/locations/v1/countries/abc", 400),
        ("/locations/v1/countries/9", 404),
        ("/takeaway/v2/locations?page=0", 400),
        ("/takeaway/v2/locations?limit=-5", 400),
        ("/takeaway/v2/locations?bbox=1,2", 400),
        ("/takeaway/v2/locations?filter[service]=taxi", 400),
        ("/takeaway/v2/locations?sort=up", 400),
        ("/takeaway/v2/user/order", 400),
        ("/no/such/call", 404),
        ("/files/dishes/none", 404),
        ("/takeaway/v1/express/order", 405),
        (
            "/menu/v2/product/additives?filial_id=1013&product_id=1",
            404,
        ),
    ];
    for (target, status) in targets {
        let reply = world.get(target).await;
        assert_eq!(reply.status, status, "{target}");
        let body = reply.json();
        assert_eq!(body["error_code"], status, "{target}");
        assert!(
            body["errors"][0]["code"].is_string() && body["message"].is_string(),
            "{target}"
        );
    }
    let broken = crate::client::send(
        world.sandbox.addr,
        "POST",
        "/takeaway/v1/express/order",
        &[("x-idempotency-key", "k")],
        b"{".to_vec(),
    )
    .await
    .unwrap();
    assert_eq!((broken.status, broken.code()), (400, "bad_request".into()));
}

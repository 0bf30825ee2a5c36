//! Home, the venue list, the town picker, honest pages of what is to come, and navigation data.

use serde_json::Value;

use crate::support::{Product, VENUE, eventually};

#[tokio::test]
async fn home_shows_its_rails_by_position() {
    let product = Product::start().await;
    let page = product.guest().get("/").await;
    assert_eq!(page.status, 200);
    let data = page.data();
    let rails = data["page"]["data"]["rails"].as_array().unwrap();
    let positions: Vec<u64> = rails
        .iter()
        .map(|rail| rail["position"].as_u64().unwrap())
        .collect();
    assert!(positions.is_sorted());
    for (kind, position) in [("promo", 1), ("near", 3), ("popular", 4)] {
        let rail = rails.iter().find(|rail| rail["kind"] == kind).unwrap();
        assert_eq!(rail["position"], position);
        assert!(!rail["venues"].as_array().unwrap().is_empty());
    }
    assert!(
        rails.iter().all(|rail| rail["kind"] != "recent"),
        "nobody has ordered yet"
    );
    let ratings: Vec<f64> = rails.iter().find(|rail| rail["kind"] == "popular").unwrap()["venues"]
        .as_array()
        .unwrap()
        .iter()
        // What is closed comes after it, by when it opens.
        .map(|venue| match venue["open"]["open"].as_bool() {
            Some(true) => venue["rating"].as_f64().unwrap_or(0.0),
            _ => 0.0,
        })
        .collect();
    assert!(
        ratings.is_sorted_by(|a, b| a >= b),
        "what is open of the popular is sorted by rating: {ratings:?}"
    );
}

#[tokio::test]
async fn one_rail_may_fail_and_the_page_stands() {
    let product = Product::start().await;
    product.fail("/brandy/api/v1/locations/near", 500).await;
    let page = product.guest().get("/").await;
    assert_eq!(page.status, 200);
    let data = page.data();
    let rails = data["page"]["data"]["rails"].as_array().unwrap().clone();
    let failed: Vec<&Value> = rails.iter().filter(|rail| rail["failed"] == true).collect();
    assert_eq!(failed.len(), 1);
    assert_eq!(failed[0]["kind"], "near");
}

#[tokio::test]
async fn the_venue_list_pages_to_its_end_without_a_double() {
    let product = Product::start().await;
    let guest = product.guest();
    let first = guest.get("/filials").await.data();
    let (last, total) = (
        first["page"]["data"]["lastPage"].as_u64().unwrap(),
        first["page"]["data"]["total"].as_u64().unwrap(),
    );
    assert!(
        last >= 2,
        "the seed has more than a page of express venues in Almaty"
    );
    let mut seen = std::collections::BTreeSet::new();
    for page in 1..=last {
        let data = guest.get(&format!("/filials?page={page}")).await.data();
        for venue in data["page"]["data"]["venues"].as_array().unwrap() {
            assert!(seen.insert(venue["id"].as_u64().unwrap()));
        }
    }
    assert_eq!(seen.len() as u64, total);
}

#[tokio::test]
async fn a_failing_venue_list_says_so_with_503_and_keeps_the_search() {
    let product = Product::start().await;
    product.fail("/takeaway/v2/locations", 500).await;
    let page = product.guest().get("/filials?q=abc&lang=en").await;
    assert_eq!(page.texts(".found a.button"), ["Try again"]);
    assert_eq!(page.status, 503);
    let data = page.data();
    assert_eq!(data["page"]["data"]["failed"], true);
    assert_eq!(data["page"]["data"]["query"], "abc");
}

#[tokio::test]
async fn the_service_and_the_town_are_chosen_by_form_and_kept() {
    let product = Product::start().await;
    let guest = product.guest();
    let page = guest
        .submit(
            "/session/service",
            &[("service", "takeaway"), ("back", "/")],
        )
        .await;
    assert_eq!(page.data()["shell"]["service"], "takeaway");
    let towns = guest.get("/town").await.data()["page"]["data"]["towns"]
        .as_array()
        .unwrap()
        .clone();
    assert_eq!(
        towns.len(),
        19,
        "a first start shows the towns of Kazakhstan"
    );
    let town = towns[1]["id"].to_string();
    let page = guest
        .submit("/session/town", &[("town", &town), ("back", "/filials")])
        .await;
    assert_eq!(page.data()["shell"]["town"]["id"].to_string(), town);
    assert_eq!(page.data()["page"]["route"], "venues");
}

#[tokio::test]
async fn changing_the_service_in_a_venue_leads_to_its_sibling() {
    let product = Product::start().await;
    let guest = product.guest();
    let venue =
        guest.get(&format!("/filials/{VENUE}")).await.data()["page"]["data"]["venue"].clone();
    let takeaway = venue["siblings"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["service"] == "takeaway")
        .unwrap()["id"]
        .clone();
    let answer = guest
        .post(
            "/session/service",
            &[
                ("service", "takeaway"),
                ("back", &format!("/filials/{VENUE}")),
            ],
        )
        .await;
    assert_eq!(answer.location(), format!("/filials/{takeaway}"));
}

#[tokio::test]
async fn a_path_without_a_page_is_a_404() {
    let product = Product::start().await;
    let guest = product.guest();
    let page = guest.get("/nowhere").await;
    assert_eq!(page.status, 404);
    assert_eq!(page.data()["page"]["route"], "notFound");
    assert_eq!(page.texts("main a.button[href='/']").len(), 1);
}

#[tokio::test]
async fn a_client_navigation_gets_the_same_data_as_the_document() {
    let product = Product::start().await;
    let guest = product.guest();
    for path in [
        "/",
        "/filials?category=promo",
        "/filials/1013",
        "/cart",
        "/town",
        "/nowhere",
    ] {
        let mut document = guest.get(path).await.data();
        let mut data = guest.data(path).await;
        for data in [&mut document, &mut data] {
            data["shell"]["now"] = Value::Null;
        }
        assert_eq!(document, data, "{path}");
    }
    let answer = guest
        .get_with("/_data/filials/1013", &[("accept", "application/json")])
        .await;
    assert_eq!(answer.header("cache-control"), "no-store");
    assert!(!answer.header("x-build").is_empty());
}

/// Asks until the page comes from ready bytes; its tag.
async fn cached_etag(product: &Product, path: &str) -> String {
    let guest = product.guest();
    eventually(60, || async {
        let etag = guest.get(path).await.header("etag").to_owned();
        let again = guest.get_with(path, &[("if-none-match", &etag)]).await;
        (again.status == 304).then_some(etag)
    })
    .await
}

/// A search for random words, an address with a random number: each is another page, and nobody asks for it again.
#[tokio::test]
async fn what_is_asked_for_once_is_not_kept_and_what_is_not_there_never() {
    let product = Product::start().await;
    let guest = product.guest();
    let pages = || product.number("page_cache_pages", "");
    let misses = || product.number("page_cache_total", "miss");
    for number in 0..30 {
        for path in [
            format!("/filials?q=random{number}"),
            format!("/brands?q=random{number}"),
        ] {
            let page = guest.get_with(&path, &[("accept-encoding", "br")]).await;
            assert_eq!((page.status, page.header("content-encoding")), (200, "br"));
        }
    }
    assert_eq!(misses().await, 60);
    for number in 0..5 {
        for _ in 0..3 {
            assert_eq!(guest.get(&format!("/filials/99{number}")).await.status, 404);
            // A line of a cart is of one guest, if of any.
            guest
                .get(&format!("/filials/{VENUE}?item=551&line=x{number}"))
                .await;
        }
    }
    assert_eq!(misses().await, 60, "only pages that are there are counted");
    // Were anything packed aside, it would have come by the time that this one has.
    cached_etag(&product, "/faq").await;
    assert_eq!(pages().await, 1);
}

#[tokio::test]
async fn a_host_of_the_internet_enters_no_page_and_no_kept_one() {
    let product = Product::start().await;
    let guest = product.guest();
    let own = product.web.clone();
    cached_etag(&product, "/filials").await;
    for path in [
        "/",
        "/filials",
        "/filials/1013",
        "/sitemap.xml",
        "/robots.txt",
    ] {
        for _ in 0..3 {
            let page = guest.get_with(path, &[("host", "evil.example")]).await;
            assert_eq!(page.status, 200, "{path}");
            assert!(!page.text().contains("evil.example"), "{path}");
        }
        let page = guest.get(path).await.text();
        assert!(!page.contains("evil.example"), "{path}");
        assert!(page.contains(&own), "{path} tells its own address");
    }
    // A page of one name of this machine is not given under another.
    let other = format!("localhost:{}", own.rsplit(':').next().unwrap());
    cached_etag(&product, "/brands").await;
    let page = guest.get_with("/brands", &[("host", &other)]).await.text();
    assert!(page.contains(&format!("http://{other}/brands")) && !page.contains(&own));
    // And a request under a foreign name changes nothing, whatever its browser says of the page.
    for (name, value) in [
        ("sec-fetch-site", "same-origin"),
        ("origin", "http://evil.example"),
    ] {
        let post = guest
            .request(reqwest::Method::POST, "/session/service")
            .header("host", "evil.example")
            .header(name, value)
            .form(&[("service", "express")]);
        assert_eq!(guest.send(post).await.status, 403, "{name}");
    }
}

#[tokio::test]
async fn a_blank_visit_leaves_no_cookie_and_no_row_and_is_answered_from_ready_bytes() {
    let product = Product::start().await;
    let guest = product.guest();
    let first = guest.get("/").await;
    assert!(first.headers.get("set-cookie").is_none());
    let etag = cached_etag(&product, "/").await;
    let second = guest.get_with("/", &[("if-none-match", &etag)]).await;
    assert_eq!(second.status, 304);
    let sessions = rusqlite::Connection::open(product.folder.join("state.sqlite")).unwrap();
    let rows: u32 = sessions
        .query_row("SELECT count(*) FROM sessions", [], |row| row.get(0))
        .unwrap();
    assert_eq!(rows, 0);
    // Tracking parameters make no page of their own.
    let tracked = guest
        .get_with("/?utm_source=x", &[("if-none-match", &etag)])
        .await;
    assert_eq!(tracked.status, 304);
}

/// A link that names its language finds the ready page as any other, and its language is remembered all the same.
#[tokio::test]
async fn a_link_with_its_language_is_answered_from_ready_bytes_and_remembered() {
    let product = Product::start().await;
    let ready = async |path: &'static str| {
        cached_etag(&product, path).await;
        let hits = product.number("page_cache_total", "hit").await;
        let page = product.guest().get(path).await;
        assert_eq!(product.number("page_cache_total", "hit").await, hits + 1);
        page
    };
    let own = ready("/filials?lang=ru").await;
    assert_eq!(own.data()["shell"]["lang"], "ru");
    let cookie = own.header("set-cookie");
    assert!(cookie.starts_with("lang=ru; Path=/; "), "{cookie}");
    assert_eq!(own.headers.get_all("set-cookie").iter().count(), 1);
    assert_eq!(own.header("cache-control"), "private, no-cache");
    // What is not offered here, or is no language, is the page of the country, for everybody.
    cached_etag(&product, "/filials").await;
    for path in ["/filials?lang=ka", "/filials?lang=x", "/filials?lang="] {
        let page = product.guest().get(path).await;
        assert_eq!(page.data()["shell"]["lang"], "kk", "{path}");
        assert!(page.headers.get("set-cookie").is_none(), "{path}");
        assert!(page.header("cache-control").starts_with("public"), "{path}");
    }
    // Nothing else may stand beside it.
    let both = product.guest().get("/filials?lang=ru&country=ge").await;
    assert_eq!(both.data()["shell"]["country"], "ge");
    let guest = product.guest();
    guest.get("/filials?lang=ru").await;
    let later = guest.get("/filials").await;
    assert_eq!(later.data()["shell"]["lang"], "ru");
}

#[tokio::test]
async fn a_key_of_the_request_makes_no_other_page() {
    let product = Product::start().await;
    let guest = product.guest();
    let etag = cached_etag(&product, "/filials").await;
    for key in ["one", "two"] {
        let headers = [("if-none-match", etag.as_str()), ("x-idempotency-key", key)];
        let page = guest.get_with("/filials", &headers).await;
        assert_eq!((page.status, page.header("etag")), (304, etag.as_str()));
        assert_eq!(page.header("vary"), "accept-encoding, cookie");
    }
}

#[tokio::test]
async fn the_page_cache_answers_stale_pages_when_the_upstream_is_gone() {
    let product = Product::with(&["--page-fresh-ms", "1", "--catalogue-fresh-ms", "3000"]).await;
    let guest = product.guest();
    eventually(60, || async {
        guest.get(&format!("/filials/{VENUE}")).await;
        (product.number("page_cache_pages", "").await == 1).then_some(())
    })
    .await;
    let made = product.number("page_cache_total", "miss").await;
    product.fail("*", 503).await;
    for _ in 0..5 {
        let page = guest.get(&format!("/filials/{VENUE}")).await;
        assert_eq!(page.status, 200);
        assert_eq!(page.data()["page"]["route"], "menu");
    }
    assert_eq!(
        product.number("page_cache_total", "miss").await,
        made,
        "the kept page answered"
    );
}

#[tokio::test]
async fn a_page_with_a_session_is_never_shared() {
    let product = Product::start().await;
    let (known, other_guest) = (product.guest_at_table(VENUE, "t7").await, product.guest());
    let menu = known.get(&format!("/filials/{VENUE}")).await;
    assert_eq!(menu.header("cache-control"), "private, no-cache");
    assert!(menu.header("etag").is_empty());
    known
        .add(VENUE, crate::support::plain_products(&menu.data())[0].0)
        .await;
    for path in ["/", "/filials", "/filials/1013"] {
        known.get(path).await;
        let page = other_guest.get(path).await.data();
        assert!(
            page["shell"]["table"].is_null() && page["shell"]["cart"].is_null(),
            "{path}"
        );
    }
    // A forged host changes no kept page of others.
    other_guest
        .get_with("/", &[("x-forwarded-host", "evil.example")])
        .await;
    assert!(!other_guest.get("/").await.text().contains("evil.example"));
}

#[tokio::test]
async fn what_is_fetched_ahead_of_a_tap_uses_up_no_message_and_no_table() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    guest
        .post("/cart/lines", &[("filial", "x"), ("back", "/")])
        .await;
    let ahead = [("accept", "application/json"), ("x-prefetch", "1")];
    let data = guest.get_with("/_data/filials/1023", &ahead).await.json();
    assert!(data["shell"]["flash"].is_null());
    let home = guest.get("/").await.data();
    assert_eq!(home["shell"]["flash"]["errors"][0]["code"], "badInput");
    assert_eq!(home["shell"]["table"]["number"], "7");
    // A code on a stand of another venue, really opened, is where the guest is now.
    let stand = "/filials/1023?source=STANDQR";
    guest.get_with(&format!("/_data{stand}"), &ahead).await;
    assert_eq!(guest.get("/").await.data()["shell"]["table"]["number"], "7");
    guest.get(stand).await;
    assert!(guest.get("/").await.data()["shell"]["table"].is_null());
}

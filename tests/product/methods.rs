//! Pages and the clients that are no browsers: HEAD, OPTIONS, ranges, bots, JSON (SR-07).

use reqwest::Method;

use crate::support::{Guest, Product, VENUE, plain_products, table_link};

#[tokio::test]
async fn head_answers_as_get_does_without_a_body() {
    let product = Product::start().await;
    for (path, status) in [
        ("/".to_owned(), 200),
        (format!("/filials/{VENUE}"), 200),
        ("/nowhere".to_owned(), 404),
        ("/robots.txt".to_owned(), 200),
    ] {
        let guest = product.guest();
        let get = guest.get(&path).await;
        let head = guest.send(guest.request(Method::HEAD, &path)).await;
        assert_eq!((get.status, head.status), (status, status), "{path}");
        assert!(head.body.is_empty(), "{path} has a body");
        assert_eq!(
            head.header("content-type"),
            get.header("content-type"),
            "{path}"
        );
    }
}

/// Messengers and checkers of links ask for the head alone: nobody has come to a table by that.
#[tokio::test]
async fn head_binds_no_table_begins_no_session_and_remembers_nothing() {
    let product = Product::start().await;
    let head = async |guest: &Guest, path: &str| {
        let answer = guest.send(guest.request(Method::HEAD, path)).await;
        assert_eq!(answer.status, 200, "{path}");
        assert_eq!(answer.header("set-cookie"), "", "{path}");
    };
    let other_guest = product.guest();
    head(&other_guest, &table_link(VENUE, "t7")).await;
    head(&other_guest, &format!("/_data{}", table_link(VENUE, "t7"))).await;
    head(&other_guest, &format!("/filials/{VENUE}?source=DIRECTORY")).await;
    head(
        &other_guest,
        "/legal/terms?lang=en&country=ge&service=takeaway&platform=ios",
    )
    .await;
    other_guest.set_cookie("dk", "AAAAAAAAAAAAAAAAAAAAAA");
    head(&other_guest, "/faq").await;

    // A guest at a table stays there, with the cart, and is told what there is to tell.
    let guest = product.guest_at_table(VENUE, "t7").await;
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    let dish = plain_products(&menu)[0].0.to_string();
    let fields = [("filial", "1013"), ("product", &dish), ("delta", "1000")];
    assert_eq!(guest.post("/cart/lines", &fields).await.status, 303);
    let before = guest.second_tab();
    for path in [
        table_link(VENUE, "t5"),
        table_link(1023, "t1"),
        "/filials/1033".to_owned(),
        "/faq".to_owned(),
    ] {
        head(&guest, &path).await;
    }
    let shell = before.get("/faq").await.data()["shell"].clone();
    assert_eq!(shell["table"]["number"], "7");
    assert!(!shell["flash"].is_null(), "it is shown when somebody looks");
}

#[tokio::test]
async fn methods_that_a_page_has_not_are_refused_and_change_nothing() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    guest.add(VENUE, plain_products(&menu)[0].0).await;
    for method in [
        Method::OPTIONS,
        Method::PUT,
        Method::DELETE,
        Method::PATCH,
        Method::TRACE,
    ] {
        let answer = guest
            .send(
                guest
                    .request(method.clone(), "/cart")
                    .header("origin", "https://elsewhere.example"),
            )
            .await;
        assert!(
            matches!(answer.status, 403 | 405),
            "{method}: {}",
            answer.status
        );
        assert_eq!(answer.header("access-control-allow-origin"), "");
    }
    let shell = guest.get("/cart").await.data()["shell"].clone();
    assert_eq!(shell["cart"]["count"], 1);
    assert_eq!(shell["table"]["number"], "7");
}

/// What is no form is refused before anything of the guest's is looked at or begun.
#[tokio::test]
async fn methods_that_a_form_has_not_are_refused_and_begin_nothing() {
    let product = Product::start().await;
    for path in [
        "/bookings",
        "/pay/x",
        "/fridge/open",
        "/profile/form",
        "/cart/lines",
    ] {
        for method in [Method::PUT, Method::DELETE, Method::PATCH] {
            let guest = product.guest();
            let request = guest
                .request(method.clone(), path)
                .header("sec-fetch-site", "same-origin");
            let answer = guest.send(request).await;
            assert_eq!(answer.status, 405, "{method} {path}");
            assert_eq!(answer.header("set-cookie"), "", "{method} {path}");
        }
    }
}

#[tokio::test]
async fn a_page_has_no_ranges_and_comes_whole() {
    let product = Product::start().await;
    let guest = product.guest();
    let part = guest.get_with("/faq", &[("range", "bytes=0-99")]).await;
    assert_eq!(part.status, 200);
    assert!(part.text().ends_with("</html>\n") || part.text().ends_with("</html>"));
}

#[tokio::test]
async fn a_page_answers_a_bot_as_any_client_and_stays_a_page_where_json_is_wanted() {
    let product = Product::start().await;
    let guest = product.guest();
    let googlebot = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
    let bot = guest
        .get_with(
            &format!("/filials/{VENUE}"),
            &[("accept", "*/*"), ("user-agent", googlebot)],
        )
        .await;
    assert_eq!(bot.status, 200);
    assert!(bot.text().contains("<h1"));
    for path in ["/", "/nowhere"] {
        let json = guest
            .get_with(path, &[("accept", "application/json")])
            .await;
        assert_eq!(json.status, if path == "/" { 200 } else { 404 });
        let kind = json.header("content-type");
        // A page is a page to every client; what it holds as JSON has an address of its own.
        assert!(kind.starts_with("text/html"), "{path}: {kind}");
    }
    assert!(
        guest
            .get("/_data/")
            .await
            .header("content-type")
            .starts_with("application/json")
    );
}

/// SR-08: some browsers paint nothing before they have 512 visible characters or the end of the document. So the long
/// pages have that much to say by themselves, and every page comes in one piece of known length; the end of a short one
/// is in its first packets.
#[tokio::test]
async fn a_page_comes_in_one_piece_with_enough_to_paint() {
    let product = Product::start().await;
    let menu = format!("/filials/{VENUE}");
    let details = format!("/filials/{VENUE}/details");
    for (path, is_long) in [
        ("/", true),
        ("/filials", true),
        (&menu, true),
        (&details, true),
        ("/faq", true),
        ("/map", true),
        ("/town", false),
        ("/brands", false),
        ("/cart", false),
        ("/language", false),
    ] {
        let plain = [("accept", "text/html"), ("accept-encoding", "identity")];
        let page = product.guest().get_with(path, &plain).await;
        assert_eq!(page.status, 200, "{path}");
        assert_eq!(
            page.header("content-length"),
            page.body.len().to_string(),
            "{path}"
        );
        let app = scraper::Html::parse_fragment(&page.rendered());
        let text: Vec<&str> = app.root_element().text().collect();
        let words: Vec<&str> = text.iter().flat_map(|one| one.split_whitespace()).collect();
        let count = words.join(" ").chars().count();
        assert!(!is_long || count >= 512, "{path} shows {count} characters");
    }
}

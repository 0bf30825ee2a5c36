//! Attacks over HTTP.

use reqwest::Method;

use dastarkhan::web::page::{Access, Page};

use crate::support::{Product, VENUE, as_fields, client, order_fields, plain_products, table_link};

/// What the server registers.
const ROUTES: &str = include_str!("../../server/routes.rs");

/// Addresses of forms that are registered by this function of `sign_in::post`, from the registration itself. Reports of
/// the policy come from browsers on behalf of no page and change nothing.
fn registered(by: &str) -> Vec<String> {
    let squeezed: String = ROUTES.split_whitespace().collect();
    let by = format!(",post::{by}(");
    let mut found: Vec<String> = squeezed
        .split(".route(\"")
        .skip(1)
        .filter_map(|rest| rest.split_once('"'))
        .filter(|(path, handler)| handler.starts_with(&by) && *path != "/csp-report")
        .map(|(path, _)| path.to_owned())
        .collect();
    found.sort_unstable();
    found
}

/// Every address that takes a POST.
fn patterns() -> Vec<String> {
    [registered("signed_in"), registered("anyone")].concat()
}

/// The same with some value in the place of each parameter.
fn mutations() -> Vec<String> {
    patterns().iter().map(|path| filled(path, "x")).collect()
}

fn filled(pattern: &str, value: &str) -> String {
    let parts = pattern
        .split('/')
        .map(|part| if part.starts_with('{') { value } else { part });
    parts.collect::<Vec<_>>().join("/")
}

/// Forms beside pages that need a sign-in which guests without an account send as well.
const WITHOUT_ACCOUNT: [&str; 10] = [
    // Orders are placed, repeated, called off and graded without an account: by their key or the session.
    "/orders",
    "/orders/repeat",
    "/orders/checking/{key}/send",
    "/orders/checking/{key}/drop",
    "/orders/{id}/cancel",
    "/orders/{id}/grade",
    // A review can be reported by all its readers.
    "/filials/{filial_id}/reviews/{review}/report",
    // The forms of tables; a preorder is not found without a sign-in.
    "/bills/preorder/{bill}/dishes",
    "/bills/preorder/{bill}/pay",
    "/bills/preorder/{bill}/waiter",
];

/// Whether a form stands in the folder of a page that needs a sign-in, by their addresses: `/profile/avatar` beside
/// `/profile/form`.
fn is_of_account(form: &str) -> bool {
    let pages = dastarkhan::routes::pages();
    let needs = |page: &&Page| page.access == Access::SignedIn;
    pages.all().filter(needs).any(|page| {
        let page = filled(page.path, "x");
        let folder = match page.rsplit_once('/') {
            Some(("", _)) | None => &*page,
            Some((folder, _)) => folder,
        };
        filled(form, "x")
            .strip_prefix(folder)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}

#[test]
fn the_mutations_are_those_that_the_server_registers() {
    let found = mutations();
    let posts = ROUTES.matches("post::").count();
    assert_eq!(found.len() + 1, posts, "each but /csp-report: {found:?}");
    assert!(!ROUTES.contains("post("), "each says who may send it");
    for known in [
        "/cart/lines",
        "/cart/lines/x",
        "/orders",
        "/bookings/x/cancel",
        "/session/wipe",
    ] {
        assert!(found.iter().any(|path| path == known), "{known}: {found:?}");
    }
}

#[test]
fn forms_beside_pages_of_an_account_need_it_too() {
    let mut open = registered("anyone");
    open.retain(|path| is_of_account(path));
    let mut known = WITHOUT_ACCOUNT;
    known.sort_unstable();
    assert_eq!(open, known);
}

#[tokio::test]
async fn forms_of_an_account_ask_for_a_sign_in() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let forms = registered("signed_in");
    assert!(forms.len() >= 6, "{forms:?}");
    for path in forms {
        let path = filled(&path, &VENUE.to_string());
        let form = [("sure", "yes"), ("name", "Aliya"), ("back", "/profile")];
        let request = guest
            .request(Method::POST, &path)
            .header("origin", product.web.clone())
            .header("accept", "application/json")
            .form(&form);
        let answer = guest.send(request).await;
        assert_eq!(answer.status, 401, "{path}");
        assert_eq!(
            answer.json()["flash"]["errors"][0]["code"],
            "signIn",
            "{path}"
        );
    }
}

#[tokio::test]
async fn a_mutation_from_elsewhere_is_forbidden() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let dish = plain_products(&guest.get(&format!("/filials/{VENUE}")).await.data())[0].0;
    let body = format!("filial={VENUE}&product={dish}");
    let attacks: [&[(&str, &str)]; 5] = [
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-site")],
        &[("origin", "https://evil.example")],
        &[("origin", "null")],
        &[],
    ];
    for path in mutations() {
        for headers in attacks {
            let mut request = guest
                .request(Method::POST, &path)
                .header("content-type", "application/x-www-form-urlencoded")
                .body(body.clone());
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            assert_eq!(guest.send(request).await.status, 403, "{path} {headers:?}");
        }
    }
    assert!(guest.get("/cart").await.data()["shell"]["cart"].is_null());
    let own = guest
        .request(Method::POST, "/cart/lines")
        .header("origin", product.web.clone())
        .form(&[("filial", VENUE), ("product", dish)]);
    assert_eq!(guest.send(own).await.status, 303);
}

#[tokio::test]
async fn a_get_of_a_mutation_changes_nothing() {
    let product = Product::start().await;
    for path in mutations() {
        let guest = product.guest();
        let answer = guest.get(&path).await;
        // Pages, and a picture that is there for signed-in guests, stand at the same address.
        if [
            "/orders",
            "/pay/x",
            "/addresses",
            "/profile/form",
            "/profile/delete",
            "/profile/avatar",
            "/filials/x/reviews",
        ]
        .contains(&path.as_str())
        {
            assert!(
                [200, 303, 401, 404].contains(&answer.status),
                "{path}: {}",
                answer.status
            );
        } else {
            assert_eq!(answer.status, 405, "{path}");
            assert!(guest.cookie("dk").is_none(), "{path}");
        }
    }
    assert!(product.sandbox_get("orders").await.is_empty());
}

#[tokio::test]
async fn every_answer_carries_the_security_headers_and_no_inline_script_is_allowed() {
    let product = Product::start().await;
    let guest = product.guest();
    product.fail("/menu", 500).await;
    let link = table_link(VENUE, "t7");
    for path in [
        "/",
        "/filials",
        "/filials/1023",
        "/nowhere",
        "/cart",
        "/_data/",
        "/assets/none.js",
        "/cart/lines",
        "/robots.txt",
        &link,
        "//x",
        &format!("/{}", "a".repeat(9000)),
    ] {
        let answer = guest.get(path).await;
        for name in [
            "strict-transport-security",
            "x-content-type-options",
            "referrer-policy",
            "permissions-policy",
            "content-security-policy",
            "x-request-id",
        ] {
            assert!(!answer.header(name).is_empty(), "{name} of {path}");
        }
        let policy = answer.header("content-security-policy");
        assert!(
            policy.contains("object-src 'none'")
                && policy.contains("base-uri 'none'")
                && policy.contains("frame-ancestors 'none'")
        );
        let scripts = policy
            .split(';')
            .find(|part| part.trim().starts_with("script-src"))
            .unwrap();
        assert!(!scripts.contains("unsafe"), "{scripts}");
        assert!(
            !answer.text().contains("panicked") && !answer.text().contains("server/"),
            "{path}"
        );
    }
    // A script is a part of documents and never one.
    let script = guest.get("/static/again.js").await;
    assert_eq!(script.header("content-security-policy"), "");
    assert_eq!(script.header("x-content-type-options"), "nosniff");
    // What only leads elsewhere loads nothing.
    let led = guest
        .post_once("/session/town", &[("town", "1"), ("back", "/")])
        .await;
    let policy = led.header("content-security-policy").to_owned();
    assert_eq!(led.status, 303);
    assert!(
        policy.starts_with("default-src 'none'") && policy.contains("frame-ancestors 'none'"),
        "{policy}"
    );
    // A page that is still the same keeps the policy that it came with.
    let blank = product.guest();
    let page = blank.get("/filials").await;
    let again = blank.request(reqwest::Method::GET, "/filials");
    let same = blank
        .send(again.header("if-none-match", page.header("etag")))
        .await;
    assert_eq!(same.status, 304);
    assert!(
        !same
            .header("content-security-policy")
            .starts_with("default-src 'none'")
    );
}

/// No scripts but ours; the scanner alone compiles WebAssembly (BC-10).
fn is_tight(scripts: &str, what: &str) -> bool {
    let rest = scripts.replace(" 'wasm-unsafe-eval'", "");
    !rest.contains("unsafe") && (rest == scripts) != what.contains("/barcode-scanner")
}

/// S-24 for everything that the server can answer, errors of every kind among them.
#[tokio::test]
async fn after_a_body_that_was_not_read_the_next_request_gets_its_answer() {
    let product = Product::start().await;
    let guest = product.guest();
    for turn in 0..20 {
        let long = guest
            .request(Method::POST, "/cart/lines")
            .header("sec-fetch-site", "same-origin")
            .header("content-type", "application/x-www-form-urlencoded")
            .body("a".repeat(70_000));
        let refused = guest.send(long).await;
        assert_eq!(refused.status, 413);
        assert_eq!(refused.header("connection"), "close", "turn {turn}");
        assert_eq!(guest.get("/faq").await.status, 200, "turn {turn}");
    }
}

#[tokio::test]
async fn every_route_and_error_has_the_security_headers_and_tells_no_insides() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let dish = plain_products(&guest.get(&format!("/filials/{VENUE}")).await.data())[0].0;
    guest.add(VENUE, dish).await;
    let pages = [
        "/",
        "/filials",
        "/brands",
        "/brands/filials",
        "/brands/booking",
        "/map",
        "/search?q=a",
        "/town",
        "/language",
        "/faq",
        "/legal/terms",
        "/legal/privacy",
        "/cart",
        "/orders",
        "/orders/17",
        "/profile",
        "/profile/bonuses",
        "/profile/form",
        "/auth",
        "/address-map",
        "/address-form",
        "/filials/1013/details",
        "/filials/1013/search?q=a",
        "/filials/1013/bill",
        "/filials/1013/barcode-scanner",
        "/filials/1013/barcode-manual",
        "/bills/preorder/1",
        "/typ/1013/order/1",
        "/filials/1013/order/1",
        "/filials/1013/order/1/events",
        "/filials/1013?item=1",
        "/filials/999999",
        "/filials/x",
        "/nowhere",
        "//x",
        "/\\x",
        "/%ff",
        "/_data/filials",
        "/_data/nowhere",
        "/_data/filials/999999",
        "/robots.txt",
        "/sitemap.xml",
        "/sitemaps/kz-kk-1.xml",
        "/sitemaps/x",
        "/manifest.webmanifest",
        "/favicon.ico",
        "/static/og.png",
        "/static/none",
        "/assets/none.js",
        "/img/96/x/y.png",
        "/tiles/1/1/1",
        "/tiles/x/1/1",
        "/csp-report",
        "/cart/lines",
    ];
    let mut answers = Vec::new();
    for path in pages {
        for accept in ["text/html", "application/json"] {
            let answer = guest.get_with(path, &[("accept", accept)]).await;
            answers.push((format!("{path} as {accept}"), answer));
        }
    }
    let own = ("sec-fetch-site", "same-origin");
    let long = "a".repeat(70_000);
    let errors = [
        (
            Method::POST,
            "/cart/lines",
            ("sec-fetch-site", "cross-site"),
            "x=1",
        ),
        (Method::POST, "/cart/lines", own, "filial=x"),
        (Method::POST, "/cart/lines", own, &long),
        (Method::POST, "/orders", own, "cart_version=x"),
        (Method::POST, "/nowhere", own, "x=1"),
        (Method::DELETE, "/cart", own, ""),
        (Method::OPTIONS, "/", own, ""),
        (Method::HEAD, "/", own, ""),
        (Method::TRACE, "/", own, ""),
        (Method::POST, "/csp-report", own, "{"),
    ];
    for (method, path, (name, value), body) in errors {
        let request = guest
            .request(method.clone(), path)
            .header(name, value)
            .header("content-type", "application/x-www-form-urlencoded")
            .body(body.to_owned());
        answers.push((format!("{method} {path}"), guest.send(request).await));
    }
    answers.push((
        "long".into(),
        guest.get(&format!("/{}", "a".repeat(9000))).await,
    ));
    let many = guest
        .request(Method::GET, "/")
        .header("x-large", "a".repeat(17_000));
    answers.push(("headers".into(), guest.send(many).await));
    product.fail("*", 500).await;
    for path in [
        "/",
        "/filials/1023",
        "/filials/1023/details",
        "/cart",
        "/sitemap.xml",
        "/_data/filials",
    ] {
        answers.push((format!("{path} without an upstream"), guest.get(path).await));
    }
    let statuses: std::collections::BTreeSet<u16> =
        answers.iter().map(|(_, answer)| answer.status).collect();
    for status in [200, 308, 400, 401, 403, 404, 405, 413, 414, 431, 503] {
        assert!(
            statuses.contains(&status),
            "{status} was not seen: {statuses:?}"
        );
    }
    for (what, answer) in &answers {
        assert!(answer.status != 500, "{what}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{what}");
        assert_eq!(
            answer.header("strict-transport-security"),
            "max-age=31536000",
            "{what}"
        );
        assert_eq!(
            answer.header("referrer-policy"),
            "strict-origin-when-cross-origin",
            "{what}"
        );
        assert!(
            answer
                .header("permissions-policy")
                .contains("microphone=()"),
            "{what}"
        );
        let policy = answer.header("content-security-policy");
        let scripts = policy
            .split("; ")
            .find(|part| part.starts_with("script-src"));
        assert!(
            scripts.is_some_and(|part| is_tight(part, what))
                || policy.starts_with("default-src 'none'"),
            "{what}: {policy}"
        );
        assert!(
            policy.contains("frame-ancestors 'none'") || policy.ends_with("; sandbox"),
            "{what}"
        );
        assert!(answer.header("server").is_empty() && answer.header("x-powered-by").is_empty());
        let text = answer.text();
        for inside in [
            "panicked",
            ".rs:",
            "/server/",
            "at eval",
            "node_modules",
            "RUST_BACKTRACE",
            "_sandbox",
            "injected",
        ] {
            assert!(!text.contains(inside), "{inside} in {what}: {text}");
        }
    }
}

#[tokio::test]
async fn the_session_cookie_is_locked_down() {
    let product = Product::with(&["--public-url", "https://dastarkhan.example"]).await;
    let guest = product.guest();
    let answer = guest.get(&table_link(VENUE, "t7")).await;
    let cookie = answer
        .headers
        .get_all("set-cookie")
        .iter()
        .map(|value| value.to_str().unwrap())
        .find(|cookie| cookie.starts_with("__Host-dk="))
        .unwrap()
        .to_owned();
    for part in ["HttpOnly", "Secure", "SameSite=Lax", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(!cookie.contains("Domain"));
    // The store holds a hash of it, never itself.
    let value = guest.cookie("__Host-dk").unwrap();
    for file in ["state.sqlite", "state.sqlite-wal"] {
        let bytes = std::fs::read(product.folder.join(file)).unwrap_or_default();
        assert!(
            !bytes
                .windows(value.len())
                .any(|part| part == value.as_bytes()),
            "{file}"
        );
    }
    assert!(!product.logs().contains(&value));
}

/// Before Firefox 132 the icons of a sprite fall under no directive but the default; so nothing else may.
#[tokio::test]
async fn the_policy_lets_the_icons_of_a_sprite_through_and_says_everything_else_for_itself() {
    let product = Product::start().await;
    let page = product.guest().get("/faq").await;
    let policy = page.header("content-security-policy").to_owned();
    let of = |directive: &str| {
        let found = policy.split("; ").find_map(|part| {
            let (name, sources) = part.split_once(' ')?;
            (name == directive).then_some(sources)
        });
        found
            .unwrap_or_else(|| panic!("no {directive} in {policy}"))
            .to_owned()
    };
    assert_eq!(of("default-src"), "'self'");
    for none in ["object-src", "frame-src", "media-src", "base-uri"] {
        assert_eq!(of(none), "'none'", "{none}");
    }
    for own in ["connect-src", "font-src", "manifest-src", "worker-src"] {
        assert_eq!(of(own), "'self'", "{own}");
    }
    assert!(page.text().contains("<use href=\"/assets/"));
}

#[tokio::test]
async fn double_slashes_never_lead_to_another_host() {
    let product = Product::start().await;
    let guest = product.guest();
    for path in [
        "//evil.example",
        "//evil.example/%2e%2e",
        "///evil.example//x",
        "/filials//1013",
    ] {
        let answer = guest.get(path).await;
        assert_eq!(answer.status, 308, "{path}");
        let to = answer.location();
        assert!(to.starts_with('/') && !to.starts_with("//"), "{to}");
        assert!(!to[1..].contains("//"), "one step: {to}");
    }
    assert_eq!(
        guest.get("/filials//1013?next=//x").await.location(),
        "/filials/1013?next=//x"
    );
    for back in [
        "//evil.example",
        "/\\evil.example",
        "https://evil.example",
        "javascript:alert(1)",
        "/%2f%2fevil.example",
        "\t//evil.example",
    ] {
        let answer = guest
            .post(
                "/session/service",
                &[("service", "express"), ("back", back)],
            )
            .await;
        assert_eq!(answer.location(), "/", "{back}");
    }
}

#[tokio::test]
async fn page_data_that_holds_markup_stays_data() {
    let product = Product::start().await;
    let hostile = r#"</script><script>alert(1)</script><!--<script>"#;
    let page = product
        .guest()
        .get(&format!("/filials?q={}", urlencode(hostile)))
        .await;
    assert_eq!(page.data()["page"]["data"]["query"], hostile);
    assert_eq!(
        page.text().matches("<script").count(),
        3,
        "early taps, data, entry"
    );
    // The seed has a dish with markup and line separators in its description.
    let venue = hostile_venue(&product).await;
    let page = product.guest().get(&format!("/filials/{venue}")).await;
    assert!(page.data().to_string().contains("<script>alert(1)"));
    assert!(!page.text().contains("<script>alert(1)"));
}

async fn hostile_venue(product: &Product) -> u64 {
    let guest = product.guest();
    for page in 1..=4 {
        let list = guest.get(&format!("/filials?page={page}")).await.data();
        for venue in list["page"]["data"]["venues"].as_array().unwrap() {
            let menu = guest.data(&format!("/filials/{}", venue["id"])).await;
            if menu.to_string().contains("<script>alert(1)") {
                return venue["id"].as_u64().unwrap();
            }
        }
    }
    panic!("the seed has a hostile description");
}

#[tokio::test]
async fn ids_of_the_path_never_change_the_upstreams_path() {
    let product = Product::start().await;
    let guest = product.guest();
    product.forget_log().await;
    for path in [
        "/filials/..%2f..%2fapi%2fv3%2fuser",
        "/filials/1%3Fx=1",
        "/filials/1013%0d%0aX-Evil:1",
        "/filials/1013/order/..%2f..%2fuser",
        "/filials/1013?item=..%2f1",
    ] {
        assert_eq!(guest.get(path).await.status, 404, "{path}");
    }
    for call in product.sandbox_get("log").await {
        let path = call["path"].as_str().unwrap();
        assert!(
            !path.contains("..") && !path.contains("user") && !path.contains('\r'),
            "{path}"
        );
    }
}

#[tokio::test]
async fn sizes_beyond_the_limits_are_refused_before_any_work() {
    let product = Product::start().await;
    let guest = product.guest();
    assert_eq!(
        guest.get(&format!("/{}", "a".repeat(9000))).await.status,
        414
    );
    let many = guest
        .request(Method::GET, "/")
        .header("x-large", "a".repeat(17_000));
    assert_eq!(guest.send(many).await.status, 431);
    // By HTTP/2 our own layer refuses it, too, with the headers of every answer.
    let http2 = reqwest::Client::builder()
        .http2_prior_knowledge()
        .no_proxy()
        .tls_certs_only([])
        .build()
        .unwrap();
    let many = http2
        .get(format!("http://{}/", product.address()))
        .header("x-large", "a".repeat(17_000));
    let refused = many.send().await.unwrap();
    assert_eq!(
        (refused.status().as_u16(), refused.version()),
        (431, reqwest::Version::HTTP_2)
    );
    assert_eq!(refused.headers()["x-content-type-options"], "nosniff");
    assert!(refused.headers().contains_key("content-security-policy"));
    let large = guest
        .request(Method::POST, "/cart/lines")
        .header("sec-fetch-site", "same-origin")
        .header("content-type", "application/x-www-form-urlencoded")
        .body("a".repeat(70_000));
    let refused = guest.send(large).await;
    assert_eq!(refused.status, 413);
    assert!(refused.text().contains("Жіберілген дерек тым көп"));
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    let json = guest
        .request(Method::POST, "/cart/lines")
        .header("sec-fetch-site", "same-origin")
        .header("content-type", "application/json")
        .body(deep);
    assert_eq!(guest.send(json).await.status, 400);
    let xml = guest
        .request(Method::POST, "/cart/lines")
        .header("sec-fetch-site", "same-origin")
        .header("content-type", "text/xml")
        .body("<a/>");
    assert_eq!(guest.send(xml).await.status, 415);
}

#[tokio::test]
async fn prices_of_the_guest_are_never_believed() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let (dish, price) = plain_products(&guest.get(&format!("/filials/{VENUE}")).await.data())[0];
    let (venue, dish) = (VENUE.to_string(), dish.to_string());
    let cart = guest
        .post_json(
            "/cart/lines",
            &[
                ("filial", &venue),
                ("product", &dish),
                ("price", "1"),
                ("sum", "1"),
            ],
        )
        .await
        .json()["cart"]
        .clone();
    assert_eq!(cart["total"], price);
}

#[tokio::test]
async fn changes_beyond_the_allowance_are_answered_429() {
    let product = Product::with(&["--address-mutations-per-minute", "8"]).await;
    let guest = product.guest();
    let mut refused = None;
    for number in 0..40 {
        let forwarded = format!("10.0.0.{number}");
        let request = guest
            .request(Method::POST, "/session/service")
            .header("sec-fetch-site", "same-origin")
            .header("x-forwarded-for", forwarded)
            .form(&[("service", "express")]);
        let answer = guest.send(request).await;
        if answer.status == 429 {
            refused = Some(answer);
            break;
        }
    }
    let refused = refused.expect("a made-up address is not believed");
    assert!(refused.header("retry-after").parse::<u32>().unwrap() >= 1);
}

#[tokio::test]
async fn no_log_line_holds_what_a_guest_wrote_or_a_capability() {
    let product = Product::start().await;
    let guest = product.guest_at_table(VENUE, "t7").await;
    let dish = plain_products(&guest.get(&format!("/filials/{VENUE}")).await.data())[0].0;
    guest.add(VENUE, dish).await;
    let seen = order_fields(&guest.get("/cart").await.data());
    let mut fields = as_fields(&seen);
    fields.extend([("name", "CanaryName"), ("comment", "CanaryComment")]);
    let link = guest.post("/orders", &fields).await.location();
    guest.get(&link).await;
    let logs = product.logs();
    assert!(
        logs.contains("/filials/{filial_id}/order/{id}"),
        "requests are logged"
    );
    let (_, key) = link.split_once("key=").unwrap();
    for canary in ["CanaryName", "CanaryComment", key] {
        assert!(!logs.contains(canary), "{canary}");
    }
}

/// Nobody fills the log with warnings from outside.
#[tokio::test]
async fn cookies_that_name_no_session_are_no_warning() {
    let product = Product::start().await;
    let guest = product.guest();
    for number in 0..10 {
        guest.set_cookie("dk", &format!("AAAAAAAAAAAAAAAAAAAA{number}A"));
        let page = guest.get("/cart").await;
        assert_eq!(page.status, 200);
        guest.set_cookie("dk", &format!("AAAAAAAAAAAAAAAAAAAA{number}A"));
        guest
            .post("/session/service", &[("service", "express")])
            .await;
    }
    let logs = product.logs();
    assert!(
        logs.contains(r#""route":"/cart""#),
        "requests are logged: {logs}"
    );
    assert!(!logs.contains(r#""level":"WARN""#), "{logs}");
}

/// Whatever a router would say of it.
#[tokio::test]
async fn an_address_that_cannot_be_read_does_not_reach_the_log() {
    let product = Product::start().await;
    let guest = product.guest();
    let long = "canary".repeat(1160);
    for path in ["/%ffcanary", "/filials/%ffcanary", "/legal/%ff?q=canary"] {
        assert_eq!(guest.get(path).await.status, 404, "{path}");
    }
    for path in [format!("/{long}"), format!("/filials/%ff{long}")] {
        assert_eq!(guest.get(&path).await.status, 404);
    }
    let logs = product.logs();
    assert!(logs.contains("answered 404"), "requests are logged");
    assert!(!logs.contains("canary"), "{logs}");
}

fn urlencode(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

#[tokio::test]
async fn a_name_of_ours_that_no_setting_has_is_told_to_the_operator() {
    let product = Product::with(&["--public-url", "https://other.example"]).await;
    let own = format!("http://{}", product.address());
    for origin in ["https://evil.example", &own] {
        let change = client()
            .post(format!("{own}/cart/clear"))
            .header("origin", origin);
        assert_eq!(change.send().await.unwrap().status(), 403, "{origin}");
    }
    let told = product.logged("know no such origin");
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains(&own));
}

//! The session through HTTP: its cookie, its values, and a store that is down (S-02, R-14, ST-*).

use axum::{
    Extension, Router,
    body::Body,
    extract::{Path, Request},
    http::{Response, StatusCode, header},
    middleware::from_fn_with_state,
    routing::{get, post},
};
use dastarkhan::{
    state::sessions::Sessions,
    upstream::Bearer,
    web::{
        connection::client::TrustedProxies,
        rate::{Options, Rate},
        session::{
            self, Account, AgeAnswer, Carrier, MenuTemp, OwnOrder, Security, Sess, Source, Table,
            Things, Unavailable,
        },
    },
};
use tower::ServiceExt as _;

use super::Fixture;

on_each!(
    a_visitor_who_has_done_nothing_gets_neither_cookie_nor_row,
    the_cookie_has_every_attribute_that_protects_it,
    a_cookie_that_means_nothing_opens_nothing_and_is_left_alone,
    a_session_that_is_wiped_takes_its_cookie_along,
    every_value_is_kept_for_the_visit,
    a_flash_is_shown_once,
    the_five_latest_own_orders_are_kept,
    the_way_back_is_ours_and_skips_the_address_pages,
    signing_in_keeps_the_values_and_signing_out_makes_it_another_device,
    a_head_changes_nothing,
    a_request_that_fails_changes_nothing,
);

type Answer = Result<String, StatusCode>;

async fn app(fixture: &Fixture) -> Router {
    let store = fixture.open().await.sessions();
    let rate = Rate::new(Options::default(), TrustedProxies::default());
    let carrier = Carrier::new(store.clone(), Security::Secure, rate);
    Router::new()
        .route("/", get(show))
        .route("/set/{what}", post(set))
        .route(
            "/device",
            get(async |sess: Sess| sess.device().await.unwrap_or_default()),
        )
        .route(
            "/fails",
            post(async |sess: Sess| {
                sess.set_age(AgeAnswer::Declined).await.map_err(busy)?;
                Err::<(), _>(StatusCode::INTERNAL_SERVER_ERROR)
            }),
        )
        .layer(from_fn_with_state(carrier, session::carry))
        .layer(Extension(store))
}

/// Everything that the session holds, and whether it is blank.
async fn show(sess: Sess) -> String {
    let blank = sess.is_blank().await;
    format!(
        "blank={blank} available={} cart={} terminals={:?} menu={:?} confirmed={} back={:?} picker={} age={:?} device={:?} orders={:?} flash={:?}",
        sess.is_available(),
        sess.cart().await.is_some(),
        sess.scanned_venues().await,
        sess.menu_temp().await,
        sess.confirmed_address()
            .await
            .is_some_and(|confirmed| confirmed.is("mark")),
        sess.redirect_url().await,
        sess.town_picker_disabled().await,
        sess.age().await,
        sess.device().await.is_some(),
        sess.own_orders()
            .await
            .iter()
            .map(|order| order.id.clone())
            .collect::<Vec<_>>(),
        sess.take_flash::<String>().await,
    )
}

async fn set(
    Path(what): Path<String>,
    Extension(store): Extension<Sessions>,
    sess: Sess,
) -> Answer {
    let table = MenuTemp {
        source: Source::StandQr,
        venue_id: 1013,
        table: Some(Table {
            id: "t7".into(),
            number: "7".into(),
            main_venue_id: "1010".into(),
            typed: false,
        }),
        venue_name: "Лағман үйі".into(),
    };
    match what.as_str() {
        "cart" => sess.cart_or_new().await.map(|_| ()),
        "terminals" => sess.set_scanned_venues(&[1, 2]).await,
        "table" => sess.set_menu_temp(Some(&table)).await,
        "leave" => sess.set_menu_temp(None).await,
        "confirm" => sess.set_confirmed_address(Some("mark")).await,
        "back" => sess.set_redirect_url("/filials/7?a=b#c").await,
        "back-evil" => sess.set_redirect_url("//evil.example").await,
        "back-address" => sess.set_redirect_url("/address-map?x=1").await,
        "picker" => sess.disable_town_picker().await,
        "age" => sess.set_age(AgeAnswer::Declined).await,
        "device" => sess.device_or_new().await.map(|_| ()),
        "flash" => sess.set_flash(&"added").await,
        "sign-in" => {
            let account = Account::new(Bearer::new("of-a-guest").unwrap(), None, None);
            let moved = sess.sign_in(&store, &account, Things::Own, 0).await;
            moved.map(|_| ())
        }
        "wipe" => sess.wipe().await,
        "end" => sess.end(&store).await.map(|_| ()),
        order => {
            let own = OwnOrder {
                id: order.into(),
                number: "A-1".into(),
                href: "/x".into(),
                placed_at: order.trim_start_matches('o').parse().unwrap_or(0),
                door: None,
            };
            sess.learn_own_orders(std::iter::once(own)).await
        }
    }
    .map(|()| "done".to_owned())
    .map_err(busy)
}

fn busy(_: Unavailable) -> StatusCode {
    StatusCode::SERVICE_UNAVAILABLE
}

/// A browser that keeps the one cookie.
struct Browser {
    app: Router,
    cookie: Option<String>,
}

impl Browser {
    async fn new(fixture: &Fixture) -> Self {
        Self {
            app: app(fixture).await,
            cookie: None,
        }
    }

    async fn ask(&mut self, request: axum::http::request::Builder) -> Response<Body> {
        let request = match &self.cookie {
            Some(cookie) => request.header(header::COOKIE, cookie),
            None => request,
        };
        let response = self
            .app
            .clone()
            .oneshot(request.body(Body::empty()).unwrap())
            .await
            .unwrap();
        if let Some(cookie) = set_cookie(&response) {
            let pair = cookie.split(';').next().unwrap().to_owned();
            self.cookie = (!pair.ends_with('=')).then_some(pair);
        }
        response
    }

    async fn set(&mut self, what: &str) -> StatusCode {
        self.ask(Request::post(format!("/set/{what}")))
            .await
            .status()
    }

    async fn show(&mut self) -> String {
        self.read("/").await
    }

    async fn read(&mut self, path: &str) -> String {
        let response = self.ask(Request::get(path)).await;
        let body = axum::body::to_bytes(response.into_body(), 10_000)
            .await
            .unwrap();
        String::from_utf8(body.to_vec()).unwrap()
    }
}

fn set_cookie(response: &Response<Body>) -> Option<String> {
    Some(
        response
            .headers()
            .get(header::SET_COOKIE)?
            .to_str()
            .unwrap()
            .to_owned(),
    )
}

async fn a_visitor_who_has_done_nothing_gets_neither_cookie_nor_row(fixture: Fixture) {
    let mut browser = Browser::new(&fixture).await;
    let response = browser.ask(Request::get("/")).await;
    assert_eq!(set_cookie(&response), None);
    assert!(
        browser
            .show()
            .await
            .starts_with("blank=true available=true cart=false")
    );
    assert_eq!(browser.set("leave").await, 200);
    assert_eq!((browser.cookie, fixture.count("sessions")), (None, 0));
}

async fn the_cookie_has_every_attribute_that_protects_it(fixture: Fixture) {
    let mut browser = Browser::new(&fixture).await;
    let response = browser.ask(Request::post("/set/cart")).await;
    let cookie = set_cookie(&response).unwrap();
    let mut attributes: Vec<_> = cookie.split("; ").collect();
    let pair = attributes.remove(0);
    attributes.sort_unstable();
    assert!(
        pair.starts_with("__Host-dk=") && pair.len() == "__Host-dk=".len() + 22,
        "{pair}"
    );
    assert_eq!(
        attributes,
        [
            "HttpOnly",
            "Max-Age=7776000",
            "Path=/",
            "SameSite=Lax",
            "Secure"
        ]
    );
}

async fn a_cookie_that_means_nothing_opens_nothing_and_is_left_alone(fixture: Fixture) {
    for made_up in ["__Host-dk=AAAAAAAAAAAAAAAAAAAAAA", "__Host-dk=x"] {
        let mut browser = Browser::new(&fixture).await;
        browser.cookie = Some(made_up.to_owned());
        // Another tab may have a newer one by now.
        assert_eq!(set_cookie(&browser.ask(Request::get("/")).await), None);
        assert!(browser.show().await.starts_with("blank=true"));
    }
}

async fn a_session_that_is_wiped_takes_its_cookie_along(fixture: Fixture) {
    let mut browser = Browser::new(&fixture).await;
    browser.set("age").await;
    let gone = set_cookie(&browser.ask(Request::post("/set/wipe")).await).unwrap();
    assert_eq!(
        gone, "__Host-dk=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0; Secure",
        "browsers overlook a __Host- cookie without Secure, also when it is taken away"
    );
    assert_eq!((browser.cookie, fixture.count("sessions")), (None, 0));
}

async fn every_value_is_kept_for_the_visit(fixture: Fixture) {
    let mut browser = Browser::new(&fixture).await;
    for what in ["cart", "confirm", "back", "picker", "device"] {
        assert_eq!(browser.set(what).await, 200, "{what}");
        assert!(
            browser.show().await.starts_with("blank=true"),
            "{what} shows on no page"
        );
    }
    for what in ["terminals", "table", "age", "order"] {
        let mut other = Browser::new(&fixture).await;
        assert_eq!(other.set(what).await, 200, "{what}");
        assert!(
            other.show().await.starts_with("blank=false"),
            "{what} shows on pages"
        );
        assert_eq!(browser.set(what).await, 200, "{what}");
    }
    assert_eq!(
        browser.show().await,
        "blank=false available=true cart=true terminals=[1, 2] menu=Some(MenuTemp { source: StandQr, \
         venue_id: 1013, table: Some(Table { id: \"t7\", number: \"7\", main_venue_id: \"1010\", typed: false }), \
         venue_name: \"Лағман үйі\" }) confirmed=true back=Some(\"/filials/7?a=b#c\") picker=true \
         age=Some(Declined) device=true orders=[\"order\"] flash=None"
    );
    browser.set("leave").await;
    assert!(browser.show().await.contains("menu=None"));
}

async fn a_flash_is_shown_once(fixture: Fixture) {
    let mut browser = Browser::new(&fixture).await;
    browser.set("flash").await;
    let first = browser.show().await;
    assert!(first.starts_with("blank=false") && first.ends_with("flash=Some(\"added\")"));
    let second = browser.show().await;
    assert!(second.starts_with("blank=true") && second.ends_with("flash=None"));
}

async fn the_five_latest_own_orders_are_kept(fixture: Fixture) {
    let mut browser = Browser::new(&fixture).await;
    for order in ["o1", "o2", "o4", "o3", "o5", "o6", "o4", "o1"] {
        browser.set(order).await;
    }
    let shown = browser.show().await;
    assert!(
        shown.contains(r#"orders=["o6", "o5", "o4", "o3", "o2"]"#),
        "{shown}"
    );
}

async fn the_way_back_is_ours_and_skips_the_address_pages(fixture: Fixture) {
    let mut browser = Browser::new(&fixture).await;
    browser.set("back").await;
    browser.set("back-address").await;
    assert!(
        browser
            .show()
            .await
            .contains(r#"back=Some("/filials/7?a=b#c")"#)
    );
    browser.set("back-evil").await;
    assert!(browser.show().await.contains(r#"back=Some("/")"#));
}

async fn signing_in_keeps_the_values_and_signing_out_makes_it_another_device(fixture: Fixture) {
    let mut browser = Browser::new(&fixture).await;
    browser.set("age").await;
    browser.set("device").await;
    let planted = browser.cookie.clone();
    let device = browser.read("/device").await;
    assert_eq!(device.len(), 22);
    browser.set("sign-in").await;
    assert!(browser.cookie.is_some() && browser.cookie != planted);
    assert!(browser.show().await.contains("age=Some(Declined)"));
    let signed_in = browser.cookie.clone();
    browser.set("end").await;
    assert!(browser.cookie.is_some() && browser.cookie != signed_in);
    let shown = browser.show().await;
    assert!(shown.contains("age=None device=true"), "{shown}");
    let next = browser.read("/device").await;
    assert_eq!(next.len(), 22);
    assert_ne!(next, device);
    for (old, age) in [(planted, "Some(Declined)"), (signed_in, "None")] {
        browser.cookie = old;
        let shown = browser.show().await;
        assert!(
            shown.contains(&format!("age={age} device=false")),
            "{shown}"
        );
    }
}

#[tokio::test]
async fn a_store_that_is_down_leaves_the_page_and_the_cookie() {
    let fixture = Fixture::new();
    let mut browser = Browser::new(&fixture).await;
    browser.set("age").await;
    let cookie = browser.cookie.clone();
    let database = fixture.database();
    database
        .execute_batch("ALTER TABLE sessions RENAME TO away")
        .unwrap();
    assert!(
        browser
            .show()
            .await
            .starts_with("blank=true available=false")
    );
    assert_eq!(browser.set("cart").await, 503);
    assert_eq!(browser.cookie, cookie);
    database
        .execute_batch("ALTER TABLE away RENAME TO sessions")
        .unwrap();
    assert!(browser.show().await.contains("age=Some(Declined)"));
}

#[tokio::test]
async fn a_change_that_cannot_be_saved_is_to_be_tried_again() {
    let fixture = Fixture::new();
    let mut browser = Browser::new(&fixture).await;
    browser.set("cart").await;
    let lock = fixture.database();
    lock.execute_batch("BEGIN IMMEDIATE").unwrap();
    let response = browser.ask(Request::post("/set/age")).await;
    assert_eq!(response.status(), 503);
    assert!(response.headers().contains_key(header::RETRY_AFTER));
    assert!(response.extensions().get::<Unavailable>().is_some());
    lock.execute_batch("ROLLBACK").unwrap();
    assert!(browser.show().await.contains("age=None"));
    assert_eq!(browser.set("age").await, 200);
    assert!(browser.show().await.contains("age=Some(Declined)"));
}

#[tokio::test]
async fn what_was_read_is_answered_though_its_session_cannot_be_saved() {
    let fixture = Fixture::new();
    let mut browser = Browser::new(&fixture).await;
    browser.set("flash").await;
    let lock = fixture.database();
    lock.execute_batch("BEGIN IMMEDIATE").unwrap();
    // Taking the message changes the session.
    assert!(browser.show().await.ends_with("flash=Some(\"added\")"));
    lock.execute_batch("ROLLBACK").unwrap();
    assert!(browser.show().await.ends_with("flash=Some(\"added\")"));
    assert!(browser.show().await.ends_with("flash=None"));
}

async fn a_head_changes_nothing(fixture: Fixture) {
    let mut browser = Browser::new(&fixture).await;
    browser.set("flash").await;
    assert_eq!(browser.ask(Request::head("/")).await.status(), 200);
    assert!(browser.show().await.ends_with("flash=Some(\"added\")"));
}

async fn a_request_that_fails_changes_nothing(fixture: Fixture) {
    let mut browser = Browser::new(&fixture).await;
    browser.set("cart").await;
    assert_eq!(browser.ask(Request::post("/fails")).await.status(), 500);
    assert!(browser.show().await.contains("age=None"));
}

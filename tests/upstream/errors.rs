//! How answers become errors (HT-07, HT-08, R-17), over HTTP.

use std::io::Write as _;

use dastarkhan::upstream::{Class, Error};
use serde_json::{Value, json};

use crate::{
    double::{Double, Reply, Seen, guest},
    samples::{VENUE, call, good, product},
};

async fn error_of(make: impl Fn() -> Reply + Send + Sync + 'static) -> Error {
    let double = Double::start(move |_, _| make()).await;
    call(&double.client(), &guest(), "order").await.unwrap_err()
}

#[tokio::test]
async fn each_kind_of_bad_answer_is_its_own_error() {
    let html = || Reply::Raw(200, "text/html", b"<html>Maintenance</html>".to_vec());
    assert_eq!(error_of(html).await, Error::BadAnswer { why: "no JSON" });
    assert_eq!(
        error_of(|| Reply::Json(404, json!({ "error_code": 404 }))).await,
        Error::NotFound
    );
    assert_eq!(
        error_of(|| Reply::Json(200, json!({ "error_code": 404 }))).await,
        Error::NotFound
    );
    assert_eq!(
        error_of(|| Reply::Json(200, json!({ "error_code": "401" }))).await,
        Error::Unauthorized
    );
    assert_eq!(
        error_of(|| Reply::Json(503, json!({}))).await,
        Error::Unavailable { status: Some(503) }
    );
    assert_eq!(
        error_of(|| Reply::Break).await,
        Error::Unavailable { status: None }
    );
    assert_eq!(
        error_of(|| Reply::Json(200, json!({ "data": [] }))).await,
        Error::BadAnswer { why: "data" }
    );
    assert_eq!(
        error_of(|| Reply::Json(200, json!([1]))).await,
        Error::BadAnswer { why: "no object" }
    );
    assert_eq!(
        error_of(|| Reply::Raw(302, "text/html", Vec::new())).await,
        Error::BadAnswer {
            why: "unexpected status"
        }
    );
}

#[tokio::test]
async fn a_refusal_tells_the_code_and_the_words_of_the_upstream() {
    let body = json!({
        "error_code": 422, "message": "Unprocessable",
        "errors": [{ "code": "price_changed", "title": "The price has changed", "meta": { "product_id": 551 } }],
    });
    let Error::Rejected(rejection) = error_of(move || Reply::Json(422, body.clone())).await else {
        panic!("a refusal")
    };
    assert_eq!(
        (rejection.status, rejection.code.as_str()),
        (422, "price_changed")
    );
    assert_eq!(rejection.title, "The price has changed");
    assert_eq!(rejection.meta, json!({ "product_id": 551 }));
}

#[tokio::test]
async fn an_answer_beyond_the_cap_is_refused_even_when_it_comes_compressed() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    for _ in 0..64 {
        gzip.write_all(&vec![b' '; 1 << 20]).unwrap();
    }
    let bomb = gzip.finish().unwrap();
    assert!(bomb.len() < 1 << 20);
    assert_eq!(
        error_of(move || Reply::Gzip(bomb.clone())).await,
        Error::TooLarge
    );
    let long = vec![b' '; (8 << 20) + 1];
    assert_eq!(
        error_of(move || Reply::Raw(200, "application/json", long.clone())).await,
        Error::TooLarge
    );
}

#[tokio::test]
async fn a_menu_of_a_hundred_thousand_products_is_read_or_too_large() {
    const MANY: usize = 100_000;
    let menu_of = async |product: Value| {
        let mut menu = good("menu");
        menu["data"][0]["relationships"]["products"]["data"] = json!(vec![product; MANY]);
        let body = menu.to_string().into_bytes();
        let reply = move |_, _: &Seen| Reply::Raw(200, "application/json", body.clone());
        let double = Double::start(reply).await;
        double.client().menu(&guest(), VENUE).await
    };
    assert_eq!(menu_of(product()).await.unwrap_err(), Error::TooLarge);
    let bare = json!({ "product_id": 551, "product_name": "x", "price": 1 });
    let menu = menu_of(bare).await.unwrap();
    assert_eq!(menu.value().categories[0].products.len(), MANY);
}

#[tokio::test]
async fn a_compressed_answer_is_read() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(good("branch").to_string().as_bytes())
        .unwrap();
    let body = gzip.finish().unwrap();
    let double = Double::start(move |_, _| Reply::Gzip(body.clone())).await;
    call(&double.client(), &guest(), "branch").await.unwrap();
}

#[tokio::test]
async fn a_refused_connection_is_known_not_to_have_done_the_work() {
    let free = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let double = Double::start(|_, _| Reply::Hang).await;
    let mut config = double.config();
    config.base_url = format!("http://{}", free.local_addr().unwrap());
    drop(free);
    let client = dastarkhan::upstream::Upstream::new(&config).unwrap();
    let error = call(&client, &guest().with_class(Class::Order), "express")
        .await
        .unwrap_err();
    // The operator has to know what to mend.
    assert!(
        matches!(&error, Error::Unreachable { why } if why.contains("refused")),
        "{error}"
    );
    assert!(!error.outcome_unknown());
}

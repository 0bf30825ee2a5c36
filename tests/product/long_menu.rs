//! A menu of thousands of dishes. What is kept of a render for the next ones must cost the first one no more, dish by
//! dish, the longer it is.

use axum::{
    Router,
    extract::{Request, State},
    http::header,
    response::{IntoResponse as _, Response},
};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::support::{Product, VENUE, client, products};

const DISHES: u64 = 2000;
const MENU: &str = "/menu/v2/category/products";

/// Stands before a sandbox and makes its menus long.
async fn lengthened(sandbox: &str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let app = Router::new()
        .fallback(answer)
        .with_state(sandbox.to_owned());
    tokio::spawn(async move { axum::serve(listener, app).await });
    address
}

async fn answer(State(sandbox): State<String>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
    let mut asked = client()
        .request(parts.method, format!("{sandbox}{}", parts.uri))
        .body(body);
    for (name, value) in &parts.headers {
        if ![header::HOST, header::ACCEPT_ENCODING].contains(name) {
            asked = asked.header(name, value);
        }
    }
    let answer = asked.send().await.unwrap();
    let status = answer.status();
    if parts.uri.path() == MENU && status.is_success() {
        return axum::Json(longer(answer.json().await.unwrap())).into_response();
    }
    let kind = answer.headers().get(header::CONTENT_TYPE).cloned();
    let mut response = (status, answer.bytes().await.unwrap()).into_response();
    if let Some(kind) = kind {
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
    }
    response
}

fn longer(mut menu: Value) -> Value {
    let categories = menu["data"].as_array_mut().unwrap();
    categories.truncate(1);
    let dishes = categories[0]["relationships"]["products"]["data"].as_array_mut();
    let dishes = dishes.unwrap();
    let pattern = dishes[0].clone();
    *dishes = (0..DISHES)
        .map(|number| {
            let mut dish = pattern.clone();
            dish["id"] = json!(9_000_000 + number);
            dish["product_id"] = json!(9_000_000 + number);
            dish
        })
        .collect();
    menu
}

#[tokio::test]
async fn a_menu_of_two_thousand_dishes_is_rendered_for_who_asks_first() {
    let sandbox = Product::start().await;
    let product = Product::before(&lengthened(&sandbox.sandbox).await).await;
    let page = product.guest().get(&format!("/filials/{VENUE}")).await;
    assert_eq!(page.status, 200);
    assert_eq!(products(&page.data()).count() as u64, DISHES);
    assert_eq!(page.texts("main .dish h3").len() as u64, DISHES);
}

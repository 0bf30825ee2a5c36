//! Requests that a proxy in front may read in another way than we do (S-18).

use std::time::Duration;

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::support::{Product, eventually};

/// What comes back for these bytes, until the connection ends or nothing more comes for a while.
async fn answer(product: &Product, bytes: &str) -> String {
    let mut stream = TcpStream::connect(product.address()).await.unwrap();
    stream.write_all(bytes.as_bytes()).await.unwrap();
    let mut text = Vec::new();
    let read = stream.read_to_end(&mut text);
    let _ = tokio::time::timeout(Duration::from_secs(60), read).await;
    String::from_utf8_lossy(&text).into_owned()
}

fn statuses(text: &str) -> Vec<&str> {
    text.split("HTTP/1.")
        .skip(1)
        .filter_map(|rest| rest.get(2..5))
        .collect()
}

const CHUNKED: &str = "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n";

#[tokio::test]
async fn a_request_that_can_be_read_in_two_ways_is_refused() {
    let product = Product::with(&["--header-seconds", "5"]).await;
    let own = product.address();
    // Also of a page that is kept.
    eventually(20, || async {
        let answer = product.guest().get("/faq").await;
        assert_eq!(answer.status, 200);
        product.logs().contains(r#""cache":"hit""#).then_some(())
    })
    .await;
    let get = format!("GET /faq HTTP/1.1\r\nHost: {own}\r\n");
    let post = format!("POST /events HTTP/1.1\r\nHost: {own}\r\nSec-Fetch-Site: same-origin\r\n");
    let close = "Connection: close\r\n\r\n";
    let mut unreadable = 0;
    for (what, request) in [
        ("no host", format!("GET /faq HTTP/1.1\r\n{close}")),
        ("two hosts", format!("{get}Host: evil.example\r\n{close}")),
        (
            "the same host twice",
            format!("{get}Host: {own}\r\n{close}"),
        ),
        (
            "a bare LF after the request line",
            format!("GET /faq HTTP/1.1\nHost: {own}\r\n{close}"),
        ),
        (
            "a bare LF after a header",
            format!("GET /faq HTTP/1.1\r\nHost: {own}\n{close}"),
        ),
        (
            "a bare LF at the end",
            format!("{get}Connection: close\r\n\n"),
        ),
        (
            "bare LFs alone",
            format!("GET /faq HTTP/1.1\nHost: {own}\nConnection: close\n\n"),
        ),
        (
            "identity and chunked",
            format!(
                "{post}Transfer-Encoding: identity, chunked\r\nConnection: close\r\n\r\n0\r\n\r\n"
            ),
        ),
        (
            "identity beside chunked",
            format!("{post}Transfer-Encoding: identity\r\n{CHUNKED}"),
        ),
        (
            "chunked twice",
            format!("{post}Transfer-Encoding: chunked\r\n{CHUNKED}"),
        ),
        (
            "a length beside chunked",
            format!("{post}Content-Length: 5\r\n{CHUNKED}"),
        ),
        (
            "two lengths",
            format!("{post}Content-Length: 5\r\nContent-Length: 6\r\n{close}hello"),
        ),
        (
            "a bare LF in a later request",
            format!("{get}\r\nGET /faq HTTP/1.1\nHost: {own}\r\n{close}"),
        ),
    ] {
        let text = answer(&product, &request).await;
        let expected: &[&str] = if what.contains("later") {
            &["200", "400"]
        } else {
            &["400"]
        };
        assert_eq!(statuses(&text), expected, "{what}: {text}");
        // Whoever has made the answer (S-24).
        let refusal = text.rsplit("HTTP/1.").next().unwrap_or_default();
        for header in [
            "strict-transport-security: max-age=",
            "x-content-type-options: nosniff",
            "referrer-policy: ",
            "permissions-policy: ",
            "content-security-policy: default-src ",
        ] {
            assert!(refusal.contains(header), "{what}: {header}: {refusal}");
        }
        unreadable += u64::from(!refusal.contains("x-request-id"));
    }
    assert!(unreadable > 0);
    assert_eq!(
        product.number("connections_cut_total", "unreadable").await,
        unreadable
    );
    // What is clear passes, also line feeds where they belong.
    for (what, request, status) in [
        ("a plain one", format!("{get}{close}"), "200"),
        (
            "HTTP/1.0 without a host",
            "GET /faq HTTP/1.0\r\n\r\n".to_owned(),
            "200",
        ),
        (
            "chunked",
            format!(
                "{post}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n{close}3\r\n{{\n}}\r\n0\r\n\r\n"
            ),
            "204",
        ),
        (
            "a body with line feeds",
            format!("{post}Content-Type: application/json\r\nContent-Length: 4\r\n{close}\n{{}}\n"),
            "204",
        ),
    ] {
        let text = answer(&product, &request).await;
        assert_eq!(statuses(&text), [status], "{what}: {text}");
        // Answered by the product, not by the parser.
        assert!(text.contains("x-request-id"), "{what}: {text}");
    }
}

//! Slow and silent clients (S-19), the number of connections, and a stop that does not depend on it.

use std::time::{Duration, Instant};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::support::{Product, VENUE, eventually};

async fn connect(product: &Product) -> TcpStream {
    TcpStream::connect(product.address()).await.unwrap()
}

/// Sends and reads until the server ends the connection; what came.
async fn until_closed(mut stream: TcpStream, bytes: &[u8]) -> Vec<u8> {
    stream.write_all(bytes).await.unwrap();
    let mut came = Vec::new();
    // An end by a reset is an end.
    let _ = tokio::time::timeout(Duration::from_secs(90), stream.read_to_end(&mut came))
        .await
        .expect("the server ends the connection");
    came
}

fn get(product: &Product, path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: {}\r\n", product.address())
}

/// A frame of HTTP/2.
fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u8::try_from(payload.len()).unwrap();
    let mut frame = vec![0, 0, length, kind, flags];
    frame.extend_from_slice(&stream.to_be_bytes());
    frame.extend_from_slice(payload);
    frame
}

/// The begin of an HTTP/2 connection with a window of so many bytes for each stream, and a GET of `/faq`.
fn http2(product: &Product, window: u32) -> Vec<u8> {
    let mut settings = vec![0, 4];
    settings.extend_from_slice(&window.to_be_bytes());
    [
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec(),
        frame(4, 0, 0, &settings),
        get_faq(product, 1),
    ]
    .concat()
}

/// A GET of `/faq` on a stream of HTTP/2.
fn get_faq(product: &Product, stream: u32) -> Vec<u8> {
    let host = product.address().as_bytes();
    // Method, scheme and then path and authority spelt out.
    let mut headers = vec![0x82, 0x86, 0x04, 4];
    headers.extend_from_slice(b"/faq");
    headers.extend_from_slice(&[0x01, u8::try_from(host.len()).unwrap()]);
    headers.extend_from_slice(host);
    frame(1, 0b101, stream, &headers)
}

/// The first frame of a kind among what came over HTTP/2.
fn first_of(kind: u8, mut came: &[u8]) -> Option<&[u8]> {
    while let [high, middle, low, its, _, _, _, _, _, rest @ ..] = came {
        let length = u32::from_be_bytes([0, *high, *middle, *low]) as usize;
        let payload = rest.get(..length)?;
        if *its == kind {
            return Some(payload);
        }
        came = &rest[length..];
    }
    None
}

#[tokio::test]
async fn a_connection_that_asks_nothing_is_closed() {
    let product = Product::with(&["--header-seconds", "1", "--stall-seconds", "2"]).await;
    let whole = format!("{}\r\n", get(&product, "/faq"));
    for (what, bytes) in [
        ("nothing at all", Vec::new()),
        ("half of HTTP/2's first line", b"PRI * HT".to_vec()),
        (
            "HTTP/2's first lines only",
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec(),
        ),
        ("half a head", get(&product, "/faq").into_bytes()),
        ("nothing more after an answer", whole.into_bytes()),
        (
            "nothing more after an answer of HTTP/2",
            http2(&product, 100_000),
        ),
    ] {
        let came = until_closed(connect(&product).await, &bytes).await;
        assert_eq!(
            what.contains("after an answer"),
            came.len() > 1000,
            "{what}"
        );
    }
    assert_eq!(
        product.number("connections_cut_total", "no_request").await,
        6
    );
}

#[tokio::test]
async fn a_head_that_comes_by_drops_is_cut_off() {
    let product = Product::with(&["--header-seconds", "2"]).await;
    let mut stream = connect(&product).await;
    stream
        .write_all(get(&product, "/faq").as_bytes())
        .await
        .unwrap();
    let begun = Instant::now();
    while stream.write_all(b"x-a: b\r\n").await.is_ok() {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "it goes on for ever"
        );
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// S-19: whole or not, all of a body has to be there in time.
#[tokio::test]
async fn a_body_that_does_not_come_is_answered_408() {
    let product = Product::with(&["--body-seconds", "1"]).await;
    let head = format!(
        "POST /cart/lines HTTP/1.1\r\nHost: {}\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\nfilial=",
        product.address()
    );
    let came = until_closed(connect(&product).await, head.as_bytes()).await;
    let text = String::from_utf8_lossy(&came);
    assert!(text.starts_with("HTTP/1.1 408 "), "{text}");
    assert!(text.contains("x-request-id"), "it is a page of ours");
    assert_eq!(
        product.number("connections_cut_total", "slow_body").await,
        1
    );

    let mut drops = connect(&product).await;
    drops.write_all(head.as_bytes()).await.unwrap();
    let (mut reader, mut writer) = drops.into_split();
    let dripping = tokio::spawn(async move {
        while writer.write_all(b"1").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    });
    let mut first = [0; 12];
    let read = reader.read_exact(&mut first);
    tokio::time::timeout(Duration::from_secs(60), read)
        .await
        .expect("drops do not put it off")
        .unwrap();
    assert_eq!(&first, b"HTTP/1.1 408");
    dripping.abort();
}

/// Head of the answer to a form of which so much is sent.
async fn head_of_answer(product: &Product, path: &str, site: &str, body: &str) -> String {
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {}\r\nSec-Fetch-Site: {site}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 5\r\n\r\n{body}",
        product.address()
    );
    let mut stream = connect(product).await;
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut came = Vec::new();
    while !came.windows(4).any(|end| end == b"\r\n\r\n") {
        let read = stream.read_buf(&mut came);
        let read = tokio::time::timeout(Duration::from_secs(60), read).await;
        assert!(read.expect("an answer").unwrap() > 0, "{path}");
    }
    let text = String::from_utf8_lossy(&came);
    text.split("\r\n\r\n").next().unwrap().to_lowercase()
}

/// A browser that is not told sends its next request into a connection that is over.
#[tokio::test]
async fn an_answer_before_the_body_says_that_the_connection_ends() {
    let product = Product::start().await;
    let close = "\r\nconnection: close";
    for (path, site, status) in [
        ("/cart/clear", "cross-site", "403"),
        ("/faq", "same-origin", "405"),
    ] {
        let head = head_of_answer(&product, path, site, "").await;
        assert!(
            head.starts_with(&format!("http/1.1 {status} ")) && head.contains(close),
            "{head}"
        );
    }
    let whole = head_of_answer(&product, "/cart/clear", "same-origin", "a=bcd").await;
    assert!(
        whole.starts_with("http/1.1 303 ") && !whole.contains(close),
        "{whole}"
    );
}

#[tokio::test]
async fn a_reader_that_takes_nothing_is_cut_off() {
    let product = Product::with(&["--stall-seconds", "1", "--header-seconds", "60"]).await;
    // Over HTTP/1 it is the sockets that fill: more answers than they hold.
    let mut stream = connect(&product).await;
    let many = format!("{}\r\n", get(&product, &format!("/filials/{VENUE}"))).repeat(2000);
    let _ = tokio::time::timeout(Duration::from_secs(5), stream.write_all(many.as_bytes())).await;
    eventually(90, || async {
        (product.number("connections_cut_total", "no_reader").await == 1).then_some(())
    })
    .await;
    // Over HTTP/2 a window of nothing, or of a byte, holds the answer while the connection itself lives.
    for window in [0, 1] {
        let came = until_closed(connect(&product).await, &http2(&product, window)).await;
        assert!(
            came.len() < 3000,
            "{} bytes for a window of {window}",
            came.len()
        );
    }
}

#[tokio::test]
async fn a_stream_that_is_read_outlives_all_deadlines() {
    let product = Product::with(&[
        "--header-seconds",
        "1",
        "--stall-seconds",
        "1",
        "--body-seconds",
        "1",
    ])
    .await;
    let mut stream = connect(&product).await;
    let request = format!("{}\r\n", get(&product, &format!("/filials/{VENUE}/events")));
    stream.write_all(request.as_bytes()).await.unwrap();
    let begun = Instant::now();
    let mut came = Vec::new();
    while begun.elapsed() < Duration::from_secs(5) {
        let mut piece = [0; 1024];
        let left = Duration::from_secs(5).saturating_sub(begun.elapsed());
        match tokio::time::timeout(left, stream.read(&mut piece)).await {
            Ok(Ok(0)) | Ok(Err(_)) => panic!("it was closed after {:?}", begun.elapsed()),
            Ok(Ok(length)) => came.extend_from_slice(&piece[..length]),
            Err(_) => {}
        }
    }
    let text = String::from_utf8_lossy(&came);
    assert!(text.contains("text/event-stream"), "{text}");
    // And it still tells what happens.
    let dish = crate::support::plain_products(
        &product
            .guest()
            .get(&format!("/filials/{VENUE}"))
            .await
            .data(),
    )[0]
    .0;
    product.sell_out(VENUE, dish).await;
    let mut piece = [0; 1024];
    let read = stream.read(&mut piece);
    let told = tokio::time::timeout(Duration::from_secs(60), read).await;
    assert!(told.expect("an event").unwrap() > 0);
}

/// S-19: requests that are taken back as soon as they are sent cost the sender nothing (CVE-2023-44487).
#[tokio::test]
async fn ten_thousand_streams_that_are_reset_end_their_connection_and_no_other() {
    const RST_STREAM: u8 = 3;
    const GOAWAY: u8 = 7;
    const CANCEL: u32 = 8;
    const ENHANCE_YOUR_CALM: u32 = 11;
    let product = Product::start().await;
    let mut bytes = http2(&product, 100_000);
    for stream in (3..).step_by(2).take(10_000) {
        bytes.extend(get_faq(&product, stream));
        bytes.extend(frame(RST_STREAM, 0, stream, &CANCEL.to_be_bytes()));
    }
    let (mut reader, mut writer) = connect(&product).await.into_split();
    // It ends before all of them are sent.
    let sending = tokio::spawn(async move {
        let _ = writer.write_all(&bytes).await;
        writer
    });
    let mut came = Vec::new();
    let _ = tokio::time::timeout(Duration::from_secs(60), reader.read_to_end(&mut came))
        .await
        .expect("the server ends the connection");
    drop(sending.await.unwrap());
    let goodbye = first_of(GOAWAY, &came).expect("a GOAWAY");
    assert_eq!(goodbye[4..8], ENHANCE_YOUR_CALM.to_be_bytes());
    assert_eq!(product.guest().get("/faq").await.status, 200);
}

#[tokio::test]
async fn sigterm_is_heard_when_no_further_connection_fits() {
    let mut product = Product::with(&[
        "--max-connections",
        "2",
        "--header-seconds",
        "3600",
        "--drain-seconds",
        "2",
    ])
    .await;
    let held = [connect(&product).await, connect(&product).await];
    // A third one waits in the backlog: the first two have taken what there is.
    let mut third = connect(&product).await;
    let request = format!("{}Connection: close\r\n\r\n", get(&product, "/faq"));
    third.write_all(request.as_bytes()).await.unwrap();
    let mut byte = [0];
    let waits = tokio::time::timeout(Duration::from_secs(1), third.read(&mut byte)).await;
    assert!(waits.is_err(), "it was served beyond the cap");
    assert_eq!(product.number("connections_full_total", "").await, 1);
    product.terminate();
    product.ended().await;
    drop(held);
}

/// Services start with 1,024 by habit: the process asks for what it may have.
#[tokio::test]
async fn the_limit_of_descriptors_is_raised_at_the_start() {
    let product = Product::with_descriptors(96, 1024, &["--header-seconds", "3600"]).await;
    let mut held = Vec::new();
    for _ in 0..200 {
        held.push(connect(&product).await);
    }
    assert_eq!(product.guest().get("/faq").await.status, 200);
    assert!(!product.logs().contains("could not be accepted"));
}

#[tokio::test]
async fn guests_connections_leave_descriptors_for_everything_else() {
    let product = Product::with_descriptors(128, 128, &["--header-seconds", "3600"]).await;
    let mut held = Vec::new();
    // As many as are taken and as the kernel lets wait.
    for _ in 0..160 {
        held.push(connect(&product).await);
    }
    // All that fit are taken; the admin address and the upstream are reached all the same.
    eventually(60, || async {
        (product.admin("/livez").await.0 == 200).then_some(())
    })
    .await;
    held.truncate(20);
    let page = product.guest().get(&format!("/filials/{VENUE}")).await;
    assert_eq!(page.status, 200);
    assert!(!product.logs().contains("could not be accepted"));
}

#[test]
fn a_start_with_too_few_descriptors_is_refused_with_what_to_do() {
    let limit = r#"ulimit -n 64 && exec "$0" serve --upstream-url http://127.0.0.1:9 --listen 127.0.0.1:0 --admin-listen 127.0.0.1:0 --state-dir "$1""#;
    let folder = crate::support::new_folder();
    let done = std::process::Command::new("sh")
        .args(["-c", limit, crate::support::BINARY])
        .arg(&folder)
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(1), "{told}");
    assert!(told.contains("ulimit -n"), "{told}");
    let _ = std::fs::remove_dir_all(folder);
}

#[tokio::test]
async fn who_says_nothing_makes_room_for_who_asks() {
    let product = Product::with(&["--max-connections", "4", "--header-seconds", "3600"]).await;
    let held = [
        connect(&product).await,
        connect(&product).await,
        connect(&product).await,
        connect(&product).await,
    ];
    let request = format!("{}Connection: close\r\n\r\n", get(&product, "/faq"));
    let answer = until_closed(connect(&product).await, request.as_bytes()).await;
    assert!(answer.starts_with(b"HTTP/1.1 200 "));
    assert!(product.number("connections_cut_total", "crowded").await > 0);
    drop(held);
}

/// S-19: neither does one whose requests never come whole.
#[tokio::test]
async fn requests_that_do_not_come_whole_make_room_for_those_that_do() {
    let product = Product::with(&["--max-connections", "4"]).await;
    let half = format!(
        "POST /csp-report HTTP/1.1\r\nHost: {}\r\nContent-Type: application/csp-report\r\nContent-Length: 1000\r\n\r\n{{",
        product.address()
    );
    let mut held = Vec::new();
    for _ in 0..4 {
        let mut socket = connect(&product).await;
        socket.write_all(half.as_bytes()).await.unwrap();
        held.push(socket);
    }
    let request = format!("{}Connection: close\r\n\r\n", get(&product, "/faq"));
    let answer = until_closed(connect(&product).await, request.as_bytes()).await;
    assert!(answer.starts_with(b"HTTP/1.1 200 "));
    // Earlier than the deadline of a body would have cut them.
    assert!(product.number("connections_cut_total", "crowded").await > 0);
    assert_eq!(
        product.number("connections_cut_total", "slow_body").await,
        0
    );
    drop(held);
}

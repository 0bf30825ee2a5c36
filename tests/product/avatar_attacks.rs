//! Files that are more than a picture, or none, in the place of a guest's picture (SC-08).

use std::{
    io::{Cursor, Write as _},
    sync::Mutex,
    time::Duration,
};

use image::{DynamicImage, ImageFormat};
use serde_json::Value;
use tokio::{io::AsyncWriteExt as _, net::TcpStream};

use crate::{
    account::account_of,
    profile::signed_in,
    sign_in::{begin, confirm_as},
    support::{Answer, Guest, Product, client},
};

const SCRIPT: &[u8] = b"<html><script>alert(1)</script>";

async fn post(guest: &Guest, file: &[u8]) -> Answer {
    let mut body = b"--cut\r\ncontent-disposition: form-data; name=\"avatar\"; filename=\"me.jpg\"\r\ncontent-type: image/jpeg\r\n\r\n".to_vec();
    body.extend(file);
    body.extend(b"\r\n--cut--\r\n");
    let request = guest
        .request(reqwest::Method::POST, "/profile/avatar")
        .header("sec-fetch-site", "same-origin")
        .header("accept", "application/json")
        .header("content-type", "multipart/form-data; boundary=cut")
        .body(body);
    guest.send(request).await
}

fn picture(side: u32, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let picture = DynamicImage::new_rgb8(side, side);
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

fn jpeg() -> Vec<u8> {
    picture(64, ImageFormat::Jpeg)
}

#[tokio::test]
async fn a_picture_that_is_a_page_too_is_kept_and_shown_as_a_picture_alone() {
    let product = Product::start().await;
    let guest = signed_in(&product).await;
    // A picture to who draws it, with a page in a comment and behind its end.
    let whole = jpeg();
    let mut polyglot = whole[..2].to_vec();
    polyglot.extend(b"\xff\xfe");
    polyglot.extend(u16::try_from(SCRIPT.len() + 2).unwrap().to_be_bytes());
    polyglot.extend(SCRIPT);
    polyglot.extend(&whole[2..]);
    polyglot.extend(SCRIPT);
    let answer = post(&guest, &polyglot).await;
    assert_eq!(answer.status, 200, "{}", answer.text());

    let bearer = account_of(&product, &guest).await.unwrap().bearer;
    let user = client()
        .get(format!("{}/api/v3/user", product.sandbox))
        .bearer_auth(bearer.as_str());
    let user: Value = user.send().await.unwrap().json().await.unwrap();
    let photo = user["data"]["photo"].as_str().unwrap();
    let sent = client().get(photo).send().await.unwrap();
    let sent = sent.bytes().await.unwrap().to_vec();
    let page = guest.get("/profile").await.data();
    let shown = guest
        .get(page["page"]["data"]["avatar"].as_str().unwrap())
        .await;
    assert_eq!(shown.header("content-type"), "image/webp");
    assert_eq!(shown.header("x-content-type-options"), "nosniff");
    for bytes in [&sent, &shown.body] {
        assert!(!bytes.windows(7).any(|part| part == b"<script"));
        assert!(image::load_from_memory(bytes).is_ok());
    }
}

#[tokio::test]
async fn a_drawing_and_a_page_under_another_name_are_no_pictures() {
    const SVG: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>"#;
    let product = Product::start().await;
    let guest = signed_in(&product).await;
    for file in [
        SVG.to_owned(),
        format!("\u{feff}<?xml version=\"1.0\"?>{SVG}"),
        format!("\n\n<!-- {} -->{SVG}", "x".repeat(4000)),
        format!("GIF89a/*{SVG}*/"),
        format!("RIFF\0\0\0\0WEBP{SVG}"),
        "<!doctype html><script>alert(1)</script>".to_owned(),
        "%PDF-1.7".to_owned(),
    ] {
        let answer = post(&guest, file.as_bytes()).await;
        assert_eq!(answer.status, 422, "{file:.40}");
        assert_eq!(answer.json()["flash"]["errors"][0]["code"], "picture");
    }
    let page = guest.get("/profile").await.data();
    assert!(page["page"]["data"]["avatar"].is_null());
}

/// A PNG of 8 pixels a side whose colours have a profile of so many megabytes.
fn with_profile(megabytes: usize) -> Vec<u8> {
    let begin = b"iCCPp\0\0".to_vec();
    let mut packed = flate2::write::ZlibEncoder::new(begin, flate2::Compression::best());
    for _ in 0..megabytes {
        packed.write_all(&[0; 1 << 20]).unwrap();
    }
    let chunk = packed.finish().unwrap();
    let mut sum = flate2::Crc::new();
    sum.update(&chunk);
    let plain = picture(8, ImageFormat::Png);
    let (head, pixels) = plain.split_at(33);
    let length = u32::try_from(chunk.len() - 4).unwrap().to_be_bytes();
    [head, &length, &chunk, &sum.sum().to_be_bytes(), pixels].concat()
}

#[tokio::test]
async fn what_is_packed_in_front_of_the_pixels_takes_no_memory() {
    let product = Product::start().await;
    let guest = signed_in(&product).await;
    assert_eq!(post(&guest, &with_profile(1)).await.status, 200);
    let bomb = with_profile(450);
    assert!(bomb.len() < 1 << 20);
    let before = product.peak_memory();
    let status = post(&guest, &bomb).await.status;
    assert!(status == 200 || status == 422, "{status}");
    let grown = product.peak_memory() - before;
    assert!(grown < 200 << 20, "{grown} bytes for {}", bomb.len());
}

/// A client that announces more than they send.
async fn other_guest(product: &Product) -> TcpStream {
    half_sent(product, "lang=ru").await
}

async fn half_sent(product: &Product, cookie: &str) -> TcpStream {
    let mut socket = TcpStream::connect(product.address()).await.unwrap();
    let head = format!(
        "POST /profile/avatar HTTP/1.1\r\nHost: {}\r\nSec-Fetch-Site: same-origin\r\nCookie: {cookie}\r\n\
         Content-Type: multipart/form-data; boundary=cut\r\nContent-Length: 5000\r\n\r\n--cut\r\n",
        product.address()
    );
    socket.write_all(head.as_bytes()).await.unwrap();
    socket
}

#[tokio::test]
async fn strangers_do_not_take_the_places_of_guests_who_send_a_picture() {
    let product = Product::start().await;
    let guest = signed_in(&product).await;
    let mut held = Vec::new();
    for _ in 0..8 {
        held.push(other_guest(&product).await);
    }
    let other = product.guest();
    // A stranger who comes while this one is there has no place, and comes again: the next one is told to come later.
    while post(&other, &jpeg()).await.status != 503 {
        held.push(other_guest(&product).await);
    }
    assert_eq!(post(&guest, &jpeg()).await.status, 200);
    drop(held);
    // Too many are no fault of the server.
    let logs = product.logs();
    assert!(logs.contains("A request could not be answered"), "{logs}");
    assert!(!logs.contains("ERROR"), "{logs}");
}

#[tokio::test]
async fn an_account_has_no_more_places_by_more_sessions() {
    let product = Product::start().await;
    let cookie_of = |guest: &Guest| format!("dk={}", guest.cookie("dk").unwrap());
    let mut held = Vec::new();
    for _ in 0..4 {
        let cookie = cookie_of(&signed_in(&product).await);
        for _ in 0..2 {
            held.push(half_sent(&product, &cookie).await);
        }
    }
    let own = signed_in(&product).await;
    while post(&own, &jpeg()).await.status != 503 {
        held.push(half_sent(&product, &cookie_of(&own)).await);
    }
    let other = product.guest();
    let page = begin(&other, "/profile").await;
    let back = confirm_as(&product, &page, "+77010000032").await;
    assert_eq!(other.get(&back).await.status, 303);
    assert_eq!(post(&other, &jpeg()).await.status, 200);
    drop(held);
}

/// One of sixteen megapixels, which takes the server longest.
fn large() -> Vec<u8> {
    const SIDE: u32 = 4000;
    let shade = |at: u32| u8::try_from(at * 255 / SIDE).unwrap();
    let wave = |x, y| image::Rgb([shade(x), shade(y), shade((x + y) / 2)]);
    let picture = image::RgbImage::from_fn(SIDE, SIDE, wave);
    webp::Encoder::from_rgb(&picture, SIDE, SIDE)
        .encode(75.0)
        .to_vec()
}

#[tokio::test]
async fn a_guest_who_sends_large_photos_holds_up_no_other() {
    let product = Product::start().await;
    let signed_in_as = async |phone: &str| {
        let guest = product.guest();
        let page = begin(&guest, "/profile").await;
        let back = confirm_as(&product, &page, phone).await;
        assert_eq!(guest.get(&back).await.status, 303);
        guest
    };
    let own = signed_in(&product).await;
    let (second, large, small) = (own.second_tab(), large(), jpeg());
    let other = signed_in_as("+77010000032").await;
    let with_scripts = signed_in_as("+77010000033").await;
    // Where the machine has let a photo come late, once more.
    for round in 1.. {
        let done = Mutex::new(Vec::new());
        let send = async |name: &'static str, guest: &Guest, file: &[u8]| {
            let answer = post(guest, file).await;
            assert_eq!(answer.status, 200, "{name}: {}", answer.text());
            done.lock().unwrap().push(name);
        };
        let later = || tokio::time::sleep(Duration::from_millis(200));
        tokio::join!(
            send("first", &own, &large),
            send("second", &second, &large),
            async {
                later().await;
                send("of another guest", &other, &large).await;
            },
            async {
                later().await;
                send("small", &with_scripts, &small).await;
            },
        );
        let done = done.into_inner().unwrap();
        let at = |name| done.iter().position(|one| *one == name).unwrap();
        let second = at("first").max(at("second"));
        if at("small") < second && at("of another guest") < second {
            break;
        }
        assert!(round < 3, "{done:?}");
    }
}

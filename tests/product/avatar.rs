//! The picture of a guest: what is taken, what of it goes upstream, who sees it (PR-04, PR-11, SC-08, S-12).

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use serde_json::{Value, json};

use crate::{
    account::account_of,
    profile::signed_in,
    support::{Answer, Guest, Product, client},
};

const AVATAR: &str = "/profile/avatar";
const REMOVAL: &str = "/profile/avatar/remove";
const SENT: &str = "/api/v3/user/avatar";
const SECRET: &[u8] = b"43.2567N 76.9286E";

/// Left red, right blue.
fn picture(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
    let half = |x, _| {
        if x < width / 2 {
            Rgb([220, 0, 0])
        } else {
            Rgb([0, 0, 220])
        }
    };
    let picture = DynamicImage::ImageRgb8(RgbImage::from_fn(width, height, half));
    let mut bytes = Vec::new();
    picture
        .write_to(&mut Cursor::new(&mut bytes), format)
        .unwrap();
    bytes
}

/// A JPEG as a phone that was held upright makes it: to be turned by a quarter, and with the place where it was taken.
fn of_a_phone() -> Vec<u8> {
    let jpeg = picture(800, 600, ImageFormat::Jpeg);
    let mut exif = b"Exif\0\0MM\0\x2a\0\0\0\x08\0\x01".to_vec();
    // Orientation, a short: 6.
    exif.extend(b"\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0");
    exif.extend(SECRET);
    let length = u16::try_from(exif.len() + 2).unwrap();
    let mut whole = jpeg[..2].to_vec();
    whole.extend(b"\xff\xe1");
    whole.extend(length.to_be_bytes());
    whole.extend(exif);
    whole.extend(&jpeg[2..]);
    whole
}

async fn post(guest: &Guest, file: &[u8], json: bool) -> Answer {
    post_beside(guest, AVATAR, &[], file, json).await
}

/// The same with what is typed beside it.
async fn post_beside(
    guest: &Guest,
    path: &str,
    typed: &[(&str, &str)],
    file: &[u8],
    json: bool,
) -> Answer {
    let mut body = Vec::new();
    for (name, value) in [("back", "/profile/form")].iter().chain(typed) {
        let part =
            format!("--cut\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
        body.extend(part.into_bytes());
    }
    body.extend(b"--cut\r\ncontent-disposition: form-data; name=\"avatar\"; filename=\"me.exe\"\r\ncontent-type: text/html\r\n\r\n");
    body.extend(file);
    body.extend(b"\r\n--cut--\r\n");
    let accept = if json {
        "application/json"
    } else {
        "text/html"
    };
    let request = guest
        .request(reqwest::Method::POST, path)
        .header("sec-fetch-site", "same-origin")
        .header("accept", accept)
        .header("content-type", "multipart/form-data; boundary=cut")
        .body(body);
    guest.send(request).await
}

/// What the upstream has, with the type that it was told.
async fn stored_photo(product: &Product, guest: &Guest) -> Option<(String, Vec<u8>)> {
    let account = account_of(product, guest).await.unwrap();
    let user = client()
        .get(format!("{}/api/v3/user", product.sandbox))
        .bearer_auth(account.bearer.as_str());
    let user: Value = user.send().await.unwrap().json().await.unwrap();
    let answer = client()
        .get(user["data"]["photo"].as_str()?)
        .send()
        .await
        .unwrap();
    let kind = answer.headers()["content-type"]
        .to_str()
        .unwrap()
        .to_owned();
    Some((kind, answer.bytes().await.unwrap().to_vec()))
}

async fn shown(guest: &Guest) -> Option<String> {
    let page = guest.get("/profile").await.data();
    page["page"]["data"]["avatar"].as_str().map(str::to_owned)
}

#[tokio::test]
async fn a_photo_of_a_phone_goes_upright_and_small_without_its_place_and_is_seen_by_its_guest_alone()
 {
    let product = Product::start().await;
    let guest = signed_in(&product).await;
    assert_eq!(shown(&guest).await, None);
    product.forget_log().await;
    let answer = post(&guest, &of_a_phone(), false).await;
    assert_eq!(answer.location(), "/profile/form", "{}", answer.text());
    // Raw bytes with their own type, which is the picture's and not the browser's word.
    let log = product.sandbox_get("log").await;
    let sent = log.iter().find(|entry| entry["path"] == SENT).unwrap();
    assert_eq!(
        (&sent["method"], &sent["headers"]["content-type"]),
        (&json!("POST"), &json!("image/jpeg"))
    );
    let (kind, bytes) = stored_photo(&product, &guest).await.unwrap();
    assert_eq!(kind, "image/jpeg");
    for secret in [SECRET, b"Exif"] {
        assert!(!bytes.windows(secret.len()).any(|part| part == secret));
    }
    let small = image::load_from_memory(&bytes).unwrap().into_rgb8();
    assert_eq!(small.dimensions(), (512, 512));
    // A quarter to the right: what was left is above.
    assert!(small.get_pixel(256, 40)[0] > 150 && small.get_pixel(256, 470)[2] > 150);

    let address = shown(&guest).await.unwrap();
    let seen = guest.get(&address).await;
    assert_eq!(
        (seen.status, seen.header("content-type")),
        (200, "image/webp")
    );
    assert_eq!(seen.header("cache-control"), "private, no-store");
    assert!(
        guest
            .get("/profile")
            .await
            .rendered()
            .contains("src=\"/profile/avatar?")
    );
    assert_ne!(shown(&guest).await.unwrap(), address, "it may have changed");
    assert_eq!(product.guest().get(&address).await.status, 404);

    let form = guest.get("/profile/form").await;
    assert!(
        form.rendered()
            .contains(r#"action="/profile/avatar/remove""#)
    );
    let answer = guest
        .post("/profile/avatar/remove", &[("back", "/profile/form")])
        .await;
    assert_eq!(
        answer.location(),
        "/profile/form",
        "more may be typed there"
    );
    assert!(stored_photo(&product, &guest).await.is_none());
    assert_eq!(guest.get(&address).await.status, 404);
    let form = guest.get("/profile/form").await;
    assert!(
        !form
            .rendered()
            .contains(r#"action="/profile/avatar/remove""#)
    );
}

#[tokio::test]
async fn what_is_no_picture_is_refused_in_words_and_a_bomb_is_not_unpacked() {
    let product = Product::start().await;
    let guest = signed_in(&product).await;
    guest.get("/faq?lang=ru").await;
    product.forget_log().await;
    let heic = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic".to_vec();
    let mut polyglot = b"\xff\xd8\xff<script>alert(1)</script>".to_vec();
    polyglot.extend([0; 500]);
    let mut bomb = picture(8, 8, ImageFormat::Png);
    bomb[16..24].copy_from_slice(&[0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30]);
    for file in [
        heic,
        polyglot,
        bomb,
        b"<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"/>".to_vec(),
        b"GIF89a".to_vec(),
    ] {
        let answer = post(&guest, &file, true).await;
        let error = &answer.json()["flash"]["errors"][0];
        assert_eq!(
            (answer.status, &error["field"], &error["code"]),
            (422, &json!("avatar"), &json!("picture"))
        );
    }
    assert_eq!(
        post(&guest, b"GIF89a", false).await.location(),
        "/profile/form"
    );
    let page = guest.get("/profile/form").await;
    let told = page.texts(".photo .error");
    assert!(told[0].contains("HEIC"), "{told:?}");
    // More points than are unpacked: a guest without scripts is told how many there may be.
    let mut vast = picture(8, 8, ImageFormat::Jpeg);
    let frame = vast.windows(2).position(|two| two == [0xff, 0xc0]).unwrap();
    vast[frame + 5..frame + 9].copy_from_slice(&[0x10, 0x68, 0x10, 0x00]);
    assert_eq!(post(&guest, &vast, false).await.location(), "/profile/form");
    let told = guest.get("/profile/form").await.texts(".photo .error");
    assert!(told[0].contains("больше 16 мегапикселей"), "{told:?}");
    let error = &post(&guest, &vast, true).await.json()["flash"]["errors"][0];
    assert_eq!(
        (&error["field"], &error["code"], &error["values"]["count"]),
        (&json!("avatar"), &json!("picturePixels"), &json!(16))
    );
    let empty = post(&guest, b"", true).await;
    assert_eq!(empty.json()["flash"]["errors"][0]["code"], "noPhoto");
    assert_eq!(
        post(&product.guest(), &of_a_phone(), true).await.status,
        401
    );
    let log = product.sandbox_get("log").await;
    assert!(
        log.iter().all(|entry| entry["path"] != SENT),
        "nothing of it was sent"
    );
    // Twenty megabytes are taken; that far more are not is the layers' (`outcomes`).
    let mut large = picture(400, 300, ImageFormat::Jpeg);
    large.resize((20 << 20) + 1, 0);
    let error = &post(&guest, &large, true).await.json()["flash"]["errors"][0];
    assert_eq!(
        (&error["code"], &error["values"]["count"]),
        (&json!("pictureHeavy"), &json!(20))
    );
    large.resize(20 << 20, 0);
    assert_eq!(
        post(&guest, &large, true).await.json()["redirect"],
        "/profile/form"
    );
}

/// Each is decoded and sent on, however many sessions an account has.
#[tokio::test]
async fn photos_of_an_account_without_end_wait_in_words_and_what_was_typed_stays() {
    let product = Product::start().await;
    let sessions = [signed_in(&product).await, signed_in(&product).await];
    let photo = picture(8, 8, ImageFormat::Png);
    let mut taken = 0;
    // One more is taken every other minute.
    let refused = loop {
        let answer = post(&sessions[taken % 2], &photo, true).await;
        if answer.status != 200 || taken == 60 {
            break answer;
        }
        taken += 1;
    };
    assert_eq!(refused.status, 429);
    assert!(taken >= 30, "{taken}");
    let error = &refused.json()["flash"]["errors"][0];
    assert_eq!(
        (&error["field"], &error["code"]),
        (&json!("avatar"), &json!("often"))
    );
    let guest = &sessions[0];
    guest.get("/faq?lang=ru").await;
    product.forget_log().await;
    let answer = post_beside(guest, AVATAR, &[("name", "Айгүл")], &photo, false).await;
    assert_eq!(answer.location(), "/profile/form");
    let page = guest.get("/profile/form").await;
    let told = page.texts(".photo .error");
    assert!(told[0].starts_with("Слишком много фото"), "{told:?}");
    assert!(page.rendered().contains(r#"value="Айгүл""#));
    let log = product.sandbox_get("log").await;
    assert!(log.iter().all(|entry| entry["path"] != SENT));
}

/// Where no scripts run, the buttons of the picture send the whole form.
#[tokio::test]
async fn the_buttons_of_the_picture_keep_what_was_typed_beside_it_and_save_none_of_it() {
    let product = Product::start().await;
    let guest = signed_in(&product).await;
    let before = guest.get("/profile/form?lang=en").await.data();
    let before = before["page"]["data"]["name"].as_str().unwrap().to_owned();
    assert_ne!(before, "Айгүл");
    let typed = [
        ("name", "Айгүл"),
        ("birthday", "31/12/1990"),
        ("gender", "female"),
    ];
    let photo = of_a_phone();
    for (path, file, says, has_picture) in [
        (AVATAR, &b"GIF89a"[..], ".photo .error", false),
        (AVATAR, b"", ".photo .error", false),
        (AVATAR, &photo, "[data-info]", true),
        (REMOVAL, b"", "[data-info]", false),
    ] {
        let answer = post_beside(&guest, path, &typed, file, false).await;
        assert_eq!(
            (answer.status, answer.location().as_str()),
            (303, "/profile/form")
        );
        let page = guest.get("/profile/form").await;
        assert_eq!(page.texts(says).len(), 1, "{path} {}", file.len());
        let html = page.rendered();
        for field in [
            r#"value="Айгүл""#,
            r#"value="31/12/1990""#,
            r#"checked="" value="female""#,
        ] {
            assert!(html.contains(field), "{path} {}: {field}", file.len());
        }
        let data = page.data();
        assert_eq!(
            data["page"]["data"]["name"],
            before.as_str(),
            "nothing is saved"
        );
        assert_eq!(data["page"]["data"]["avatar"].is_string(), has_picture);
    }
}

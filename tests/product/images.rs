//! The image service: addresses that only the server makes, hostile storage, a full disk.

use std::{
    sync::{Arc, LazyLock, Mutex},
    time::{Duration, Instant},
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::{Request, State},
    http::{StatusCode, header},
    response::{IntoResponse as _, Response},
};
use dastarkhan::{
    keys::seal::Keys,
    web::files::images::{Images, Options},
};
use futures_util::{StreamExt as _, stream};
use tokio::net::TcpListener;

use crate::{
    free_port::free_port,
    support::{Guest, Product, VENUE, products},
};

const SECRET: &str = "0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f";

/// A storage that answers by the name of what is asked for.
#[derive(Clone)]
struct Storage {
    folder: String,
    requests: Arc<Mutex<Vec<String>>>,
    inside: String,
}

impl Storage {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let storage = Self {
            folder: format!("{base}/files/"),
            requests: Arc::default(),
            inside: format!("{base}/inside/secret.png"),
        };
        let app = Router::new().fallback(answer).with_state(storage.clone());
        tokio::spawn(async move { axum::serve(listener, app).await });
        storage
    }

    /// The server's own addresses of this storage's pictures, as a page would hold them.
    fn addresses(&self) -> Images {
        // The tests' process has made no client yet.
        let _ = crate::support::client();
        let folder = std::env::temp_dir().join("dastarkhan-test-no-images");
        let options = Options {
            upstream: "http://127.0.0.1:1",
            storage: std::slice::from_ref(&self.folder),
            origins: &[],
            state: &folder,
            disk_bytes: 0,
        };
        Images::new(&Keys::from_hex(SECRET).unwrap(), options).unwrap()
    }

    async fn product(&self) -> Product {
        Product::with(&["--secret-keys", SECRET, "--image-storage", &self.folder]).await
    }

    fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

async fn answer(State(storage): State<Storage>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    storage.requests.lock().unwrap().push(path.clone());
    let named_picture =
        |bytes: Vec<u8>| ([(header::CONTENT_TYPE, "image/png")], bytes).into_response();
    match path.rsplit('/').next().unwrap() {
        "good.png" | "secret.png" => named_picture(png(400, 300)),
        "slow.png" => {
            tokio::time::sleep(Duration::from_millis(300)).await;
            named_picture(png(400, 300))
        }
        "metadata.png" => {
            redirect("http://169.254.169.254/latest/meta-data/iam/security-credentials/")
        }
        "inside.png" => redirect(&storage.inside),
        "page.png" => named_picture(b"<!doctype html><script>alert(1)</script>".to_vec()),
        "drawing.svg" => (
            [(header::CONTENT_TYPE, "image/svg+xml")],
            r#"<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>"#,
        )
            .into_response(),
        "bomb.png" => named_picture(bomb()),
        "passes.jpg" => named_picture(in_passes(400)),
        "large-passes.jpg" => named_picture(LARGE_PASSES.clone()),
        "huge.png" => named_picture([png(8, 8), vec![0; 11 << 20]].concat()),
        "endless.png" => {
            let part = Bytes::from(vec![0; 64 << 10]);
            Response::new(Body::from_stream(stream::repeat_with(move || {
                Ok::<_, std::io::Error>(part.clone())
            })))
        }
        "drip.png" => {
            let parts = stream::iter(png(400, 300)).then(|byte| async move {
                tokio::time::sleep(Duration::from_secs(1)).await;
                Ok::<_, std::io::Error>(Bytes::from(vec![byte]))
            });
            Response::new(Body::from_stream(parts))
        }
        name if name.starts_with("hang") => std::future::pending().await,
        "broken.png" => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

fn redirect(to: &str) -> Response {
    (StatusCode::FOUND, [(header::LOCATION, to.to_owned())]).into_response()
}

fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::DynamicImage::new_rgb8(width, height)
        .write_to(&mut bytes, image::ImageFormat::Png)
        .unwrap();
    bytes.into_inner()
}

/// Made once: on a busy machine it takes about as long as a storage may.
static LARGE_PASSES: LazyLock<Vec<u8>> = LazyLock::new(|| in_passes(3100));

/// One that counts as a JPEG in several passes: a byte that means nothing hides its segments.
fn in_passes(side: u32) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::DynamicImage::new_rgb8(side, side)
        .write_to(&mut bytes, image::ImageFormat::Jpeg)
        .unwrap();
    let mut bytes = bytes.into_inner();
    bytes.insert(2, 0xff);
    bytes
}

/// A true picture of 30,000 × 30,000 pixels by its header.
fn bomb() -> Vec<u8> {
    let mut bomb = png(8, 8);
    for at in [16, 20] {
        bomb[at..at + 4].copy_from_slice(&30_000_u32.to_be_bytes());
    }
    let mut crc = flate2::Crc::new();
    crc.update(&bomb[12..29]);
    bomb[29..33].copy_from_slice(&crc.sum().to_be_bytes());
    bomb
}

async fn first_photo(guest: &Guest) -> String {
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    let photo = products(&menu).find_map(|product| product["image"].as_str());
    photo.unwrap().to_owned()
}

#[tokio::test]
async fn only_addresses_that_the_server_made_are_pictures() {
    let product = Product::start().await;
    let guest = product.guest();
    let address = first_photo(&guest).await;
    let ["", "img", "{w}", signature, folder, name] = address.split('/').collect::<Vec<_>>()[..]
    else {
        panic!("{address}");
    };
    for width in [96, 192, 288, 360, 540, 720, 1080, 1620] {
        let photo = guest.get(&address.replace("{w}", &width.to_string())).await;
        assert_eq!(photo.status, 200, "{width}");
        assert_eq!(photo.header("content-type"), "image/webp");
        assert_eq!(photo.header("x-content-type-options"), "nosniff");
        assert_eq!(
            photo.header("cache-control"),
            "public, max-age=2592000, immutable"
        );
        let decoded = image::load_from_memory(&photo.body).unwrap();
        assert!(decoded.width() <= width && decoded.width() * 3 == decoded.height() * 4);
    }
    let preview = guest.get(&address.replace("{w}", "og")).await;
    assert_eq!(preview.header("content-type"), "image/jpeg");
    let decoded = image::load_from_memory(&preview.body).unwrap();
    assert_eq!((decoded.width(), decoded.height()), (1200, 630));

    product.forget_log().await;
    let other = if signature.starts_with('A') { "B" } else { "A" };
    for made_up in [
        format!("/img/193/{signature}/{folder}/{name}"),
        format!("/img/99999/{signature}/{folder}/{name}"),
        format!("/img/0192/{signature}/{folder}/{name}"),
        format!("/img/192/{folder}/{name}"),
        format!("/img/192//{folder}/{name}"),
        format!("/img/192/{other}{}/{folder}/{name}", &signature[1..]),
        format!("/img/192/{}/{folder}/{name}", &signature[..4]),
        format!("/img/192/{signature}/{folder}/1{name}"),
        format!("/img/192/{signature}/{folder}/{name}?x=1"),
        format!("/img/192/{signature}/{folder}/%2e%2e/_sandbox"),
        format!("/img/192/{signature}/..%2f..%2f_sandbox"),
        format!("/img/192/{signature}/https://cdn@127.0.0.1/x.png"),
        format!("/img/192/{signature}/http:%2f%2f[::ffff:127.0.0.1]%2fx.png"),
        format!("/img/192/{signature}/http:%2f%2f0.0.0.0%2fx.png"),
    ] {
        let answer = guest.get(&made_up).await;
        assert_ne!(answer.status, 200, "{made_up}");
        assert!(answer.header("cache-control").contains("no-store") || answer.status == 308);
    }
    let log = product.sandbox_get("log").await;
    assert!(
        !log.iter().any(|call| call.to_string().contains("/files/")),
        "nothing of it was looked for: {log:?}"
    );
}

/// A menu of pictures behind a storage that hangs: none holds a connection for the time of all of them.
#[tokio::test]
async fn many_pictures_of_a_storage_that_hangs_are_given_up_together() {
    let storage = Storage::start().await;
    let product = storage.product().await;
    let addresses = storage.addresses();
    let began = Instant::now();
    let all = (0..120).map(|at| {
        let url = format!("{}hang-{at}.png", storage.folder);
        let address = addresses.address(&url).unwrap().replace("{w}", "192");
        let guest = product.guest();
        async move { guest.get(&address).await.status }
    });
    let all = futures_util::future::join_all(all).await;
    assert!(all.iter().all(|status| *status == 502), "{all:?}");
    // One after another, sixteen at a time, they would take 37 s.
    assert!(began.elapsed() < Duration::from_secs(25));
}

#[tokio::test]
async fn what_a_hostile_storage_answers_is_no_picture() {
    let storage = Storage::start().await;
    let product = storage.product().await;
    let addresses = storage.addresses();
    let address = |name: &str| {
        let url = format!("{}{name}", storage.folder);
        addresses.address(&url).unwrap().replace("{w}", "192")
    };
    let began = Instant::now();
    let names = [
        "metadata.png",
        "inside.png",
        "page.png",
        "drawing.svg",
        "bomb.png",
        "large-passes.jpg",
        "huge.png",
        "endless.png",
        "drip.png",
        "hang.png",
        "broken.png",
        "none.png",
    ];
    // What the storage does not give is told from what is none: the one is an operator's business.
    let fails = ["drip.png", "hang.png", "broken.png"];
    let (slow, quick): (Vec<_>, Vec<_>) = names.into_iter().partition(|name| fails.contains(name));
    let ask = async |name| (name, product.guest().get(&address(name)).await);
    let mut answers = futures_util::future::join_all(slow.into_iter().map(&ask)).await;
    assert!(
        began.elapsed() < Duration::from_secs(20),
        "{:?}",
        began.elapsed()
    );
    // One by one, and once more where it could not be had in time: other tests may keep it from a core.
    for name in quick {
        let mut answer = ask(name).await;
        for _ in 0..3 {
            if answer.1.status != 502 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10_200)).await;
            answer = ask(name).await;
        }
        answers.push(answer);
    }
    for (name, answer) in answers {
        let status = if fails.contains(&name) { 502 } else { 404 };
        assert_eq!(answer.status, status, "{name}");
        assert!(
            answer.body.is_empty() || !answer.text().contains("alert"),
            "{name}"
        );
    }
    assert!(
        !storage
            .requests()
            .iter()
            .any(|path| path.contains("secret")),
        "no redirect is followed"
    );
    // What could not be had is not asked for again at once.
    let tries = || {
        let requests = storage.requests();
        requests
            .iter()
            .filter(|path| path.ends_with("none.png"))
            .count()
    };
    let before = tries();
    product.guest().get(&address("none.png")).await;
    assert_eq!((before > 0, tries()), (true, before));
    for good in ["good.png", "passes.jpg"] {
        assert_eq!(product.guest().get(&address(good)).await.status, 200);
    }
}

#[tokio::test]
async fn a_picture_that_many_ask_for_is_fetched_once_and_kept_on_disk() {
    let storage = Storage::start().await;
    let product = storage.product().await;
    let url = format!("{}slow.png", storage.folder);
    let address = storage
        .addresses()
        .address(&url)
        .unwrap()
        .replace("{w}", "96");
    let guest = product.guest();
    let answers = futures_util::future::join_all((0..20).map(|_| guest.get(&address))).await;
    assert!(answers.iter().all(|answer| answer.status == 200));
    assert_eq!(storage.requests().len(), 1);
    let product = product.killed_and_started_again().await;
    assert_eq!(guest.at(&product).get(&address).await.status, 200);
    assert_eq!(storage.requests().len(), 1, "read from the disk");
}

#[tokio::test]
async fn without_room_on_disk_nothing_is_kept_nor_left_of_before() {
    let storage = Storage::start().await;
    let product = storage.product().await;
    let url = format!("{}good.png", storage.folder);
    let address = storage.addresses().address(&url).unwrap();
    let small = address.replace("{w}", "96");
    assert_eq!(product.guest().get(&small).await.status, 200);
    let pictures = product.folder.join("images");
    let cached_files = || std::fs::read_dir(&pictures).unwrap().count();
    assert_eq!(cached_files(), 1);
    let product = product
        .killed_and_started_again_with(&["--image-cache-mb", "0"])
        .await;
    assert_eq!(cached_files(), 0);
    let large = address.replace("{w}", "192");
    for picture in [&small, &large] {
        assert_eq!(product.guest().get(picture).await.status, 200);
    }
    assert_eq!(cached_files(), 0);
}

#[tokio::test]
async fn pictures_of_other_hosts_are_left_out_unless_their_origin_is_named() {
    let elsewhere = "https://storage.example.kz/files/";
    let product = Product::with(&["--image-storage", elsewhere]).await;
    let page = product.guest().get(&format!("/filials/{VENUE}")).await;
    assert!(products(&page.data()).all(|product| product["image"].is_null()));
    assert!(!page.rendered().contains("<img"));
    assert!(
        !page.text().contains("/files/"),
        "no address of theirs is in the page"
    );
    drop(product);

    let port = free_port();
    let (listen, origin) = (
        format!("127.0.0.1:{port}"),
        format!("http://127.0.0.1:{port}"),
    );
    let product = Product::with(&[
        "--image-storage",
        elsewhere,
        "--image-origins",
        &origin,
        "--sandbox-listen",
        &listen,
    ])
    .await;
    let page = product.guest().get(&format!("/filials/{VENUE}")).await;
    let data = page.data();
    let photo = products(&data)
        .find_map(|product| product["image"].as_str())
        .unwrap();
    assert!(
        photo.starts_with(&format!("{origin}/files/")),
        "as it is: {photo}"
    );
    let policy = page.header("content-security-policy");
    assert!(
        policy.contains(&format!("img-src 'self' data: {origin};")),
        "{policy}"
    );
}

#[tokio::test]
async fn photos_of_a_menu_are_fetched_as_they_come_near_but_for_the_first() {
    let product = Product::start().await;
    let page = product.guest().get(&format!("/filials/{VENUE}")).await;
    let html = scraper::Html::parse_fragment(&page.rendered());
    let photos = scraper::Selector::parse("img[src*='/288/']").unwrap();
    let lazy: Vec<bool> = html
        .select(&photos)
        .map(|photo| photo.attr("loading") == Some("lazy"))
        .collect();
    assert!(lazy.len() > 10, "{}", lazy.len());
    assert!(lazy.is_sorted(), "{lazy:?}");
    let later = lazy.iter().filter(|lazy| **lazy).count();
    assert!(later * 2 > lazy.len() && later < lazy.len(), "{lazy:?}");
}

/// R-22 on a real full disk: a tmpfs of a few pages in a mount namespace of its own.
#[tokio::test]
async fn a_full_disk_costs_the_cache_and_not_the_picture() {
    let product = Product::with_a_full_disk().await;
    let guest = product.guest();
    let menu = guest.get(&format!("/filials/{VENUE}")).await.data();
    let photos: Vec<String> = products(&menu)
        .filter_map(|product| Some(product["image"].as_str()?.replace("{w}", "288")))
        .collect();
    assert!(photos.len() > 30);
    let begun = std::time::Instant::now();
    for photo in &photos {
        let answer = guest.get(photo).await;
        assert_eq!(answer.status, 200, "{photo}");
        assert!(image::load_from_memory(&answer.body).is_ok(), "whole");
    }
    let (_, metrics) = product.admin("/metrics").await;
    let failures = metrics
        .lines()
        .find_map(|line| line.strip_prefix("image_cache_failures_total "))
        .map(|count| count.parse::<f64>().unwrap());
    assert!(failures > Some(10.0), "the disk was full: {failures:?}");
    // It is one line a second, however many are lost.
    let said = product
        .logs()
        .matches("A picture could not be kept")
        .count();
    let seconds = usize::try_from(begun.elapsed().as_secs()).unwrap();
    assert!((1..=seconds + 2).contains(&said), "{said} in {seconds} s");
    assert_eq!(guest.get("/").await.status, 200);
}

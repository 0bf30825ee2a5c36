//! Outcomes that no page of the product has yet: leaving to a bank or a host app, and a picture that a guest sends. Their
//! handlers stand in a router of the test; the layers around them are the product's.

use std::{collections::BTreeSet, path::PathBuf, sync::LazyLock, time::Duration};

use axum::{Router, middleware::from_fn_with_state, routing::post};
use clap::Parser as _;
use dastarkhan::{
    config::ServerArgs,
    error::Error,
    pages::changes,
    routes,
    server::Server,
    web::{
        change::{form::Form, outcome::Outcome},
        connection::client::TrustedProxies,
        files::assets::Assets,
        limits::{self, Bodies},
        rate, session,
    },
};
use reqwest::Response;
use serde_json::Value;
use tokio::{io::AsyncWriteExt as _, net::TcpStream};

use crate::support::{client, new_folder};

/// Bytes of a picture that is taken.
const MOST: usize = 100_000;
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Of a bundle that renders nothing.
static SNAPSHOT: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let script = "globalThis.__render = async () => { throw new Error('no page') }";
    ssr::make_snapshot(script, &[]).unwrap()
});

#[derive(clap::Parser)]
struct Arguments {
    #[command(flatten)]
    server: ServerArgs,
}

struct Stage {
    url: String,
    folder: PathBuf,
    http: reqwest::Client,
}

impl Drop for Stage {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

async fn leave(form: Form) -> Result<Outcome, Error> {
    let cookie = "seen=1; Path=/".parse().ok();
    Ok(Outcome::leave(form.get("to").unwrap_or_default().to_owned()).with_cookie(cookie))
}

async fn avatar(form: Form) -> Result<Outcome, Error> {
    let picture = form
        .picture("avatar", MOST)?
        .ok_or(Error::BadRequest("no picture"))?;
    let (kind, size) = (picture.kind.media(), picture.bytes.len());
    let name = form.get("name").unwrap_or_default();
    Ok(Outcome::go(format!("/faq?{kind}&{size}&{name}")))
}

impl Stage {
    async fn start() -> Self {
        let (http, folder) = (client(), new_folder());
        let arguments = Arguments::parse_from([
            "test",
            "--state-dir",
            folder.to_str().unwrap(),
            "--payment-origins",
            "https://pay.example",
            "--host-origins",
            "https://host.example",
        ]);
        let assets = Assets::embedded(&bundle::BUNDLE, &folder).unwrap();
        // These changes show no page but that of a failure, which goes out unrendered.
        let renderer = tokio::task::spawn_blocking(|| {
            let bundle = ssr::Bundle::new(SNAPSHOT.clone()).unwrap();
            let options = ssr::Options {
                isolates: 1,
                ..ssr::Options::default()
            };
            ssr::Renderer::start(bundle, options).unwrap()
        });
        let renderer = renderer.await.unwrap();
        // Nobody listens there: these changes need no upstream.
        let upstream = "http://127.0.0.1:9";
        let server = Server::new(
            arguments.server,
            upstream,
            assets,
            renderer,
            routes::pages(),
        )
        .await
        .unwrap();
        let limiter = rate::Rate::new(rate::Options::default(), TrustedProxies::default());
        let (app, site) = (&server.app, &server.site);
        let carrier = session::Carrier::new(app.state.sessions(), app.cookie_security(), limiter);
        let bodies = Bodies::within(Duration::from_secs(30)).with_upload("/avatar", MOST);
        let router = Router::new()
            .route("/leave", post(leave))
            .route("/avatar", post(avatar))
            .route("/other", post(avatar))
            .route_layer(from_fn_with_state(app.clone(), changes::once))
            .route_layer(from_fn_with_state(site.clone(), changes::answer))
            .layer(from_fn_with_state(carrier, session::carry))
            .layer(from_fn_with_state(app.clone(), changes::close_records))
            .layer(from_fn_with_state(bodies, limits::guard))
            .with_state(server);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { url, folder, http }
    }

    async fn leave(&self, to: &str, accept: &str) -> Response {
        let request = self.http.post(format!("{}/leave", self.url));
        let request = request.header("accept", accept).form(&[("to", to)]);
        request.send().await.unwrap()
    }

    /// Sends a file under the name and kind that it claims.
    async fn upload(&self, path: &str, claimed: (&str, &str), file: &[u8]) -> Response {
        let (name, kind) = claimed;
        let mut body = format!(
            "--cut\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nAigul\r\n--cut\r\n\
             Content-Disposition: form-data; name=\"avatar\"; filename=\"{name}\"\r\n\
             Content-Type: {kind}\r\n\r\n"
        )
        .into_bytes();
        body.extend_from_slice(file);
        body.extend_from_slice(b"\r\n--cut--\r\n");
        self.send(path, body).await
    }

    async fn send(&self, path: &str, body: Vec<u8>) -> Response {
        self.http
            .post(format!("{}{path}", self.url))
            .header("accept", "application/json")
            .header("content-type", "multipart/form-data; boundary=cut")
            .body(body)
            .send()
            .await
            .unwrap()
    }

    fn files(&self) -> BTreeSet<PathBuf> {
        let own = std::fs::read_dir(&self.folder).unwrap();
        own.map(|file| file.unwrap().path())
            .filter(|path| !path.to_string_lossy().contains(".sqlite"))
            .collect()
    }
}

fn header<'a>(answer: &'a Response, name: &str) -> Option<&'a str> {
    answer.headers().get(name)?.to_str().ok()
}

/// A picture of so many bytes.
fn picture(begin: &[u8], size: usize) -> Vec<u8> {
    let mut bytes = begin.to_vec();
    bytes.resize(size, 7);
    bytes
}

#[tokio::test]
async fn a_change_leaves_to_origins_that_the_settings_name_and_to_no_other() {
    let stage = Stage::start().await;
    for named in [
        "https://pay.example/card?order=5",
        "https://host.example/done",
    ] {
        let form = stage.leave(named, "text/html").await;
        assert_eq!(
            (form.status().as_u16(), header(&form, "location")),
            (303, Some(named))
        );
        assert!(header(&form, "set-cookie").unwrap().starts_with("seen=1"));
        let script = stage.leave(named, "application/json").await;
        assert_eq!(script.status(), 200);
        assert!(header(&script, "set-cookie").is_some());
        assert_eq!(script.json::<Value>().await.unwrap()["redirect"], named);
    }
    for foreign in [
        "https://evil.example/",
        "http://pay.example/",
        "https://pay.example.evil.example/",
        "https://pay.example@evil.example/",
        "https://guest@pay.example/",
        "//pay.example/",
        "javascript:alert(1)",
        "/cart",
        "",
    ] {
        for accept in ["text/html", "application/json"] {
            let answer = stage.leave(foreign, accept).await;
            assert_eq!(answer.status(), 500, "{foreign}");
            assert_eq!(header(&answer, "location"), None, "{foreign}");
            assert!(!answer.text().await.unwrap().contains("evil.example"));
        }
    }
}

#[tokio::test]
async fn a_guest_sent_to_a_payment_page_is_known_when_coming_back() {
    let stage = Stage::start().await;
    // The mark is kept in the session, which begins with it.
    let paid = stage.leave("https://pay.example/card", "text/html").await;
    let cookies = |answer: &Response| answer.headers().get_all("set-cookie").iter().count();
    let left = stage.leave("https://host.example/", "text/html").await;
    assert_eq!((cookies(&paid), cookies(&left)), (2, 1));
}

#[tokio::test]
async fn a_file_is_what_its_first_bytes_say_and_no_larger_than_the_path_allows() {
    let stage = Stage::start().await;
    let before = stage.files();
    for (begin, kind) in [
        (PNG, "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"RIFF\x10\0\0\0WEBPVP8 ", "image/webp"),
    ] {
        // More than a form without a file may have.
        let file = picture(begin, MOST);
        let sent = stage
            .upload("/avatar", ("me.exe", "text/plain"), &file)
            .await;
        assert_eq!(sent.status(), 200, "{kind}");
        let to = sent.json::<Value>().await.unwrap()["redirect"].clone();
        assert_eq!(to, format!("/faq?{kind}&{MOST}&Aigul"));
    }
    for (file, status) in [
        (picture(b"<svg onload=alert(1)>", 500), 415),
        (picture(b"GIF89a", 500), 415),
        (picture(b"\x89PNG\r\n", 6), 415),
        (picture(PNG, MOST + 1), 413),
        (picture(PNG, MOST * 3), 413),
        (Vec::new(), 400),
    ] {
        let refused = stage
            .upload("/avatar", ("me.png", "image/png"), &file)
            .await;
        assert_eq!(refused.status(), status, "{} bytes", file.len());
    }
    // A form that does not come to its end, none at all, and a file where none is taken.
    for broken in [
        "",
        "--cut\r\n",
        "--cut\r\nContent-Disposition: form-data; name=\"avatar\"; filename=\"a\"\r\n\r\nx",
    ] {
        assert_eq!(stage.send("/avatar", broken.into()).await.status(), 400);
    }
    let elsewhere = stage
        .upload("/other", ("me.png", "image/png"), &picture(PNG, 500))
        .await;
    assert_eq!(elsewhere.status(), 415);
    assert_eq!(stage.files(), before, "nothing of it is left on the disk");
}

#[tokio::test]
async fn of_forms_with_files_a_few_are_in_memory_at_once() {
    let stage = Stage::start().await;
    let host = stage.url.trim_start_matches("http://").to_owned();
    // Each announces more than it sends.
    let mut held = Vec::new();
    for _ in 0..6 {
        let mut socket = TcpStream::connect(&host).await.unwrap();
        let head = format!(
            "POST /avatar HTTP/1.1\r\nHost: {host}\r\nSec-Fetch-Site: same-origin\r\n\
             Content-Type: multipart/form-data; boundary=cut\r\nContent-Length: 5000\r\n\r\n--cut\r\n"
        );
        socket.write_all(head.as_bytes()).await.unwrap();
        held.push(socket);
    }
    let send = || stage.upload("/avatar", ("me.png", "image/png"), PNG);
    let refused = async {
        while send().await.status() != 503 {}
        send().await
    };
    let refused = tokio::time::timeout(Duration::from_secs(60), refused)
        .await
        .unwrap();
    assert_eq!(refused.status(), 503);
    assert!(header(&refused, "retry-after").is_some());
    drop(held);
    assert_eq!(send().await.status(), 200);
}

//! A running product, and guests who visit it.

use std::{
    collections::{BTreeMap, HashMap},
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{
        Mutex, Once,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

use reqwest::{
    Client, RequestBuilder,
    header::{HeaderMap, HeaderValue},
    redirect::Policy,
};
use serde_json::{Value, json};

pub const BINARY: &str = env!("CARGO_BIN_EXE_dastarkhan");
/// Lagman house in Almaty: open around the clock, ten per cent for service, exactly 60 products.
pub const VENUE: u64 = 1013;

/// All guests of a test come from one address.
const ROOM: [&str; 6] = [
    "--mutations-per-minute",
    "--address-mutations-per-minute",
    "--address-orders-per-minute",
    "--address-sessions-per-minute",
    "--address-lookups-per-minute",
    "--address-streams",
];

static SNAPSHOT: Once = Once::new();
static FOLDERS: AtomicU32 = AtomicU32::new(0);

/// The binary, serving with its own sandbox and its own state folder.
pub struct Product {
    child: Child,
    pub web: String,
    pub sandbox: String,
    pub admin: String,
    pub folder: PathBuf,
    wrapper: Vec<String>,
    arguments: Vec<String>,
    http: Client,
}

impl Product {
    pub async fn start() -> Self {
        Self::with(&[]).await
    }

    /// With a disk for pictures that is full after a few of them. Where nobody may mount one, the place of the folder
    /// is taken by a file, so that writing fails too.
    pub async fn with_a_full_disk() -> Self {
        let small =
            r#"mkdir "$0/images" && mount -t tmpfs -o size=64k tmpfs "$0/images" && exec "$@""#;
        let folder = new_folder();
        let name = folder.to_str().unwrap().to_owned();
        let wrapper = if may_mount() {
            ["unshare", "-Urm", "sh", "-c", small, &name]
                .map(str::to_owned)
                .to_vec()
        } else {
            std::fs::write(folder.join("images"), "").unwrap();
            Vec::new()
        };
        Self::launch(folder, wrapper, Vec::new()).await
    }

    /// With so many descriptors at its start, and at most so many if it asks for more.
    pub async fn with_descriptors(soft: u32, hard: u32, arguments: &[&str]) -> Self {
        let limit = r#"ulimit -Sn "$0" && ulimit -Hn "$1" && shift && exec "$@""#;
        let wrapper = ["sh", "-c", limit, &soft.to_string(), &hard.to_string()];
        let wrapper = wrapper.map(str::to_owned).to_vec();
        let arguments = arguments.iter().map(|one| (*one).to_owned()).collect();
        Self::launch(new_folder(), wrapper, arguments).await
    }

    /// With a reader of its log that stands still.
    pub async fn with_a_stalled_log() -> Self {
        let stalled = r#"mkfifo "$0/pipe" && exec "$@" 2<>"$0/pipe""#;
        let folder = new_folder();
        let wrapper = ["sh", "-c", stalled, folder.to_str().unwrap()].map(str::to_owned);
        Self::launch(folder.clone(), wrapper.to_vec(), Vec::new()).await
    }

    /// With a small disk of its own for everything that it keeps; none where nobody may mount one.
    pub async fn with_a_small_disk() -> Option<Self> {
        let small = r#"mount -t tmpfs -o size=48m tmpfs "$0" && exec "$@""#;
        let folder = new_folder();
        let name = folder.to_str().unwrap().to_owned();
        let wrapper = ["unshare", "-Urm", "sh", "-c", small, &name].map(str::to_owned);
        may_mount().then_some(())?;
        Some(Self::launch(folder, wrapper.to_vec(), Vec::new()).await)
    }

    /// The most memory that it has had, in bytes.
    pub fn peak_memory(&self) -> u64 {
        let status = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(status).unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = peak.unwrap().trim().trim_end_matches(" kB");
        kilobytes.parse::<u64>().unwrap() << 10
    }

    /// Its folder as the process itself sees it, on a disk of its own.
    pub fn inside(&self) -> PathBuf {
        let root = format!("/proc/{}/root", self.child.id());
        PathBuf::from(root + self.folder.to_str().unwrap())
    }

    /// The product's command beside it, on the same disk: a link under `/proc` would lead SQLite out again.
    pub fn command_inside(&self) -> Command {
        let mut command = Command::new("nsenter");
        let target = self.child.id().to_string();
        command.args(["-U", "-m", "--preserve-credentials", "-t", &target, BINARY]);
        command
    }

    /// Fills the small disk, or makes room on it.
    pub fn fill_disk(&self, full: bool) {
        let filler = self.inside().join("filler");
        if !full {
            std::fs::remove_file(filler).unwrap();
            return;
        }
        use std::io::Write as _;
        let mut file = std::fs::File::create(filler).unwrap();
        // Until not one byte more fits.
        let mut size = 1 << 20;
        while size > 0 {
            if file.write_all(&vec![1; size]).is_err() {
                size /= 2;
            }
        }
    }

    /// With further arguments of `dastarkhan demo`.
    pub async fn with(arguments: &[&str]) -> Self {
        let arguments: Vec<String> = arguments
            .iter()
            .map(|argument| (*argument).to_owned())
            .collect();
        Self::launch(new_folder(), Vec::new(), arguments).await
    }

    async fn launch(folder: PathBuf, wrapper: Vec<String>, arguments: Vec<String>) -> Self {
        // One snapshot for all processes of this run, as a release would have it.
        SNAPSHOT.call_once(|| {
            let made = Command::new(BINARY).arg("snapshot").output().unwrap();
            assert!(
                made.status.success(),
                "{}",
                String::from_utf8_lossy(&made.stderr)
            );
        });
        let (child, lines) = spawn(&folder, &wrapper, "demo", &arguments);
        let find = |name: &str| {
            lines
                .get(name)
                .unwrap_or_else(|| panic!("no {name} in {lines:?}"))
                .clone()
        };
        Self {
            child,
            web: find("web"),
            sandbox: find("sandbox"),
            admin: find("admin"),
            folder,
            wrapper,
            arguments,
            http: client(),
        }
    }

    /// The product alone, with the sandbox of another one, on state of its own.
    pub async fn in_front_of(upstream: &Self) -> Self {
        Self::in_front_of_with(upstream, &[])
    }

    /// The same, served on for so many seconds when it is asked to stop.
    pub async fn lingering(upstream: &Self, seconds: u64) -> Self {
        Self::in_front_of_with(upstream, &["--linger-seconds", &seconds.to_string()])
    }

    /// The product alone, in front of an address where nobody may be.
    pub async fn before(upstream: &str) -> Self {
        let arguments = ["--upstream-url", upstream].map(str::to_owned);
        Self::serving(new_folder(), &[], &arguments, upstream)
    }

    fn in_front_of_with(upstream: &Self, more: &[&str]) -> Self {
        let arguments = [&["--upstream-url", &upstream.sandbox], more].concat();
        let arguments: Vec<_> = arguments.into_iter().map(str::to_owned).collect();
        Self::serving(new_folder(), &[], &arguments, &upstream.sandbox)
    }

    /// Another process on the same state, which belongs to the first.
    pub async fn beside(&self) -> Self {
        let folder = self.folder.clone();
        let mut second = Self::serving(folder, &[], &self.arguments, &self.sandbox);
        second.folder = PathBuf::new();
        second
    }

    /// Another process on a copy of the state that can't be written: the disk is full, or mounted to be read only. None
    /// where nobody may mount.
    pub async fn on_a_copy(&self, full: bool) -> Option<Self> {
        may_mount().then_some(())?;
        let prepare = r#"mount -t tmpfs -o size=4m tmpfs "$0" && cp -a "$1"/state.sqlite* "$1"/secret.keys "$0" && "#;
        let spoil = if full {
            r#"{ cat /dev/zero > "$0/filler"; shift; exec "$@"; }"#
        } else {
            r#"mount -o remount,ro tmpfs "$0" && shift && exec "$@""#
        };
        let folder = new_folder();
        let (to, from) = (folder.to_str().unwrap(), self.folder.to_str().unwrap());
        let script = format!("{prepare}{spoil}");
        let wrapper = ["unshare", "-Urm", "sh", "-c", &script, to, from].map(str::to_owned);
        Some(Self::serving(
            folder,
            &wrapper,
            &self.arguments,
            &self.sandbox,
        ))
    }

    fn serving(folder: PathBuf, wrapper: &[String], arguments: &[String], sandbox: &str) -> Self {
        let (child, lines) = spawn(&folder, wrapper, "serve", arguments);
        Self {
            child,
            web: lines["web"].clone(),
            sandbox: sandbox.to_owned(),
            admin: lines["admin"].clone(),
            folder,
            wrapper: wrapper.to_vec(),
            arguments: arguments.to_vec(),
            http: client(),
        }
    }

    /// `kill -9`.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// `kill -9`, and another process on the same state.
    pub async fn killed_and_started_again(self) -> Self {
        self.killed_and_started_again_with(&[]).await
    }

    /// The same with further arguments.
    pub async fn killed_and_started_again_with(mut self, more: &[&str]) -> Self {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        let folder = self.folder.clone();
        let (wrapper, mut arguments) = (self.wrapper.clone(), self.arguments.clone());
        arguments.extend(more.iter().map(|one| (*one).to_owned()));
        self.folder = PathBuf::new();
        drop(self);
        Self::launch(folder, wrapper, arguments).await
    }

    pub fn guest(&self) -> Guest {
        Guest {
            web: self.web.clone(),
            http: self.http.clone(),
            cookies: Mutex::default(),
            host: None,
        }
    }

    /// A guest who comes by a host name.
    pub fn guest_of(&self, host: &str) -> Guest {
        Guest {
            host: Some(host.to_owned()),
            ..self.guest()
        }
    }

    /// A guest who has opened the QR code of a table.
    pub async fn guest_at_table(&self, venue: u64, table: &str) -> Guest {
        let guest = self.guest();
        let page = guest.get(&table_link(venue, table)).await;
        assert_eq!(page.status, 200);
        guest
    }

    /// A control of the sandbox.
    pub async fn control(&self, name: &str, body: Value) -> Value {
        let url = format!("{}/_sandbox/api/{name}", self.sandbox);
        let answer = self.http.post(url).json(&body).send().await.unwrap();
        assert!(
            answer.status().is_success(),
            "{name}: {}",
            answer.text().await.unwrap()
        );
        answer.json().await.unwrap_or(Value::Null)
    }

    /// Requests of a path, `*` for every one, are answered with a status.
    pub async fn fail(&self, path: &str, status: u16) {
        let fault = json!({ "path": path, "kind": "status", "status": status });
        self.control("faults", fault).await;
    }

    /// Honest answers of a path have other values at the JSON pointers; takes the place of all faults before.
    pub async fn replace(&self, path: &str, values: Value) {
        self.no_faults().await;
        let fault = json!({ "path": path, "kind": "replace", "values": values });
        self.control("faults", fault).await;
    }

    pub async fn sell_out(&self, venue: u64, dish: u64) {
        let stop = json!({ "filial_id": venue, "product_id": dish, "available": false });
        self.control("stock", stop).await;
    }

    /// The price is in whole tenge.
    pub async fn set_price(&self, venue: u64, dish: u64, price: i64) {
        let change = json!({ "filial_id": venue, "product_id": dish, "price": price });
        self.control("price", change).await;
    }

    pub async fn no_faults(&self) {
        self.http
            .delete(format!("{}/_sandbox/api/faults", self.sandbox))
            .send()
            .await
            .unwrap();
    }

    /// Queries of the calls to the paths that begin like this, decoded.
    pub async fn queries(&self, path: &str) -> Vec<HashMap<String, String>> {
        let log = self.sandbox_get("log").await;
        log.iter()
            .filter(|call| call["path"].as_str().unwrap().starts_with(path))
            .map(|call| {
                let query = call["query"].as_str().unwrap();
                let query = query.trim_start_matches('?');
                url::form_urlencoded::parse(query.as_bytes())
                    .into_owned()
                    .collect()
            })
            .collect()
    }

    /// What the sandbox tells, such as `orders` or `log`.
    pub async fn sandbox_get(&self, name: &str) -> Vec<Value> {
        let url = match name {
            "log" => format!("{}/_sandbox/log", self.sandbox),
            name => format!("{}/_sandbox/api/{name}", self.sandbox),
        };
        self.http
            .get(url)
            .send()
            .await
            .unwrap()
            .json()
            .await
            .unwrap()
    }

    pub async fn forget_log(&self) {
        self.http
            .delete(format!("{}/_sandbox/api/log", self.sandbox))
            .send()
            .await
            .unwrap();
    }

    /// What is on the admin address.
    pub async fn admin(&self, path: &str) -> (u16, String) {
        let answer = self
            .http
            .get(format!("{}{path}", self.admin))
            .send()
            .await
            .unwrap();
        (answer.status().as_u16(), answer.text().await.unwrap())
    }

    /// A counter or gauge, all its labels that hold `label` together.
    pub async fn number(&self, name: &str, label: &str) -> u64 {
        let (_, text) = self.admin("/metrics").await;
        text.lines()
            .filter(|line| line.starts_with(name) && line.contains(label))
            .filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok())
            .map(|number| number as u64)
            .sum()
    }

    /// Host and port of the web address.
    pub fn address(&self) -> &str {
        self.web.trim_start_matches("http://")
    }

    /// As an orchestrator ends it.
    pub fn terminate(&self) {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args(["-TERM", &pid]).status();
        assert!(sent.unwrap().success());
    }

    /// Waits until it has ended by itself.
    pub async fn ended(&mut self) -> ExitStatus {
        for _ in 0..400 {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("the server did not end");
    }

    /// Everything that was logged. Lines are written by a thread of their own: until no more come.
    pub fn logs(&self) -> String {
        let read = || std::fs::read_to_string(self.folder.join("log")).unwrap_or_default();
        let mut lines = read();
        for _ in 0..50 {
            std::thread::sleep(Duration::from_millis(50));
            let now = read();
            if now.len() == lines.len() {
                break;
            }
            lines = now;
        }
        lines
    }

    /// The lines of it that say so.
    pub fn logged(&self, words: &str) -> Vec<String> {
        let lines = self.logs();
        let said = lines.lines().filter(|line| line.contains(words));
        said.map(str::to_owned).collect()
    }
}

impl Drop for Product {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if self.folder != PathBuf::new() {
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}

pub fn may_mount() -> bool {
    Command::new("unshare")
        .args(["-Urm", "true"])
        .output()
        .is_ok_and(|done| done.status.success())
}

/// Says that a test needs a disk of its own and nobody may mount one here: `tests/run.sh` counts it as skipped. What is
/// printed by a test that passes is shown to nobody, so this goes past the printing.
#[expect(clippy::explicit_write, reason = "what is printed would be kept back")]
pub fn not_run(test: &str) {
    use std::io::Write as _;
    writeln!(
        std::io::stderr(),
        "# not run: {test}: nobody may mount a disk here"
    )
    .unwrap();
}

pub fn new_folder() -> PathBuf {
    let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
    let folder =
        std::env::temp_dir().join(format!("dastarkhan-test-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[expect(
    clippy::zombie_processes,
    reason = "`Product` kills it and waits for it"
)]
fn spawn(
    folder: &Path,
    wrapper: &[String],
    name: &str,
    arguments: &[String],
) -> (Child, BTreeMap<String, String>) {
    let log = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(folder.join("log"))
        .unwrap();
    let mut command = match wrapper {
        [] => Command::new(BINARY),
        [program, rest @ ..] => {
            let mut command = Command::new(program);
            command.args(rest).arg(BINARY);
            command
        }
    };
    let mut child = command
        .arg(name)
        .args(["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"])
        .args(match name {
            "demo" => unless_given(arguments, ["--sandbox-listen", "127.0.0.1:0"]),
            _ => Vec::new(),
        })
        .args(unless_given(arguments, ["--linger-seconds", "0"]))
        // A busy machine is no overload: what is shed and when has tests that say so.
        .args(unless_given(arguments, ["--render-wait-ms", "10000"]))
        .args(unless_given(arguments, ["--render-limit-ms", "5000"]))
        // Hundreds of processes that render some pages each.
        .args(unless_given(arguments, ["--warm-isolates", "off"]))
        .args(
            ROOM.iter()
                .flat_map(|name| unless_given(arguments, [*name, "100000"])),
        )
        .arg("--state-dir")
        .arg(folder)
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(log)
        .spawn()
        .unwrap();
    let mut lines = BTreeMap::new();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap() == 0 || Instant::now() > deadline {
            let _ = child.kill();
            let _ = child.wait();
            panic!(
                "the product did not start: {}",
                std::fs::read_to_string(folder.join("log")).unwrap_or_default()
            );
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["listening", name, url] => lines.insert((*name).to_owned(), (*url).to_owned()),
            [name, url] => lines.insert((*name).to_owned(), (*url).to_owned()),
            _ => None,
        };
        if lines.contains_key("web") {
            return (child, lines);
        }
    }
}

fn unless_given<'a>(given: &[String], default: [&'a str; 2]) -> Vec<&'a str> {
    if given.iter().any(|argument| argument == default[0]) {
        Vec::new()
    } else {
        default.to_vec()
    }
}

/// It takes pages as they are and trusts nobody: packing each, and reading the system's certificates for each test, took
/// a twentieth of all processor.
pub fn client() -> Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder()
        .redirect(Policy::none())
        .no_proxy()
        .no_gzip()
        .tls_certs_only([])
        // Before the server closes it (HEADER_SECONDS): what was sent at that moment would be lost.
        .pool_idle_timeout(Duration::from_secs(5))
        .timeout(Duration::from_secs(60))
        .build()
        .unwrap()
}

pub fn table_link(venue: u64, table: &str) -> String {
    format!(
        "/filials/{venue}?filial_id={venue}&table_id={table}&main_terminal_id={}",
        venue / 10 * 10
    )
}

/// A browser without scripts: it keeps cookies and posts forms.
pub struct Guest {
    web: String,
    http: Client,
    cookies: Mutex<BTreeMap<String, String>>,
    /// The name in the address bar; that of the listener where there is none.
    host: Option<String>,
}

/// An answer, read whole.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Guest {
    /// A browser on the same phone that knows nothing of this one.
    pub fn another_browser(&self) -> Self {
        Self {
            web: self.web.clone(),
            http: self.http.clone(),
            cookies: Mutex::default(),
            host: self.host.clone(),
        }
    }

    /// The same cookies in another browser window.
    pub fn second_tab(&self) -> Self {
        Self {
            web: self.web.clone(),
            http: self.http.clone(),
            cookies: Mutex::new(self.cookies.lock().unwrap().clone()),
            host: self.host.clone(),
        }
    }

    /// The same browser after the server was started again.
    pub fn at(&self, product: &Product) -> Self {
        Self {
            web: product.web.clone(),
            http: product.http.clone(),
            cookies: Mutex::new(self.cookies.lock().unwrap().clone()),
            host: self.host.clone(),
        }
    }

    /// The same browser behind another way to the server.
    pub fn over(&self, web: &str, http: Client) -> Self {
        Self {
            web: web.to_owned(),
            http,
            cookies: Mutex::new(self.cookies.lock().unwrap().clone()),
            host: self.host.clone(),
        }
    }

    pub fn cookie(&self, name: &str) -> Option<String> {
        self.cookies.lock().unwrap().get(name).cloned()
    }

    pub fn set_cookie(&self, name: &str, value: &str) {
        self.cookies
            .lock()
            .unwrap()
            .insert(name.to_owned(), value.to_owned());
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(
            self.http
                .get(format!("{}{path}", self.web))
                .header("accept", "text/html"),
        )
        .await
    }

    /// With further headers.
    pub async fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        let mut request = self.http.get(format!("{}{path}", self.web));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.send(request).await
    }

    /// The data of a page, as a client navigation asks for it.
    pub async fn data(&self, path: &str) -> Value {
        let request = self
            .http
            .get(format!("{}/_data{path}", self.web))
            .header("accept", "application/json");
        self.send(request).await.json()
    }

    /// A native form of our own page. The first one of a visit is sent once more with the session's cookie, or leads past
    /// the check for cookies.
    pub async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let mut answer = self.post_once(path, fields).await;
        if answer.status == 307 {
            answer = self.post_once(&answer.location(), fields).await;
        }
        if answer.status == 303 && answer.location().starts_with("/cookies?") {
            return self.get(&answer.location()).await;
        }
        answer
    }

    /// The same, as it is answered.
    pub async fn post_once(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let request = self
            .http
            .post(format!("{}{path}", self.web))
            .header("sec-fetch-site", "same-origin")
            .form(fields);
        self.send(request).await
    }

    /// The same by the app's own fetch.
    pub async fn post_json(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let post = |path: &str| {
            self.http
                .post(format!("{}{path}", self.web))
                .header("sec-fetch-site", "same-origin")
                .header("accept", "application/json")
                .form(fields)
        };
        let answer = self.send(post(path)).await;
        if answer.status == 307 {
            return self.send(post(&answer.location())).await;
        }
        answer
    }

    /// What a browser tells of itself, as `sendBeacon` sends it.
    pub async fn tell(&self, batch: &Value) -> Answer {
        let request = self
            .http
            .post(format!("{}/events", self.web))
            .header("sec-fetch-site", "same-origin")
            .header("content-type", "text/plain;charset=UTF-8")
            .body(batch.to_string());
        self.send(request).await
    }

    /// A form, and the page that the 303 leads to.
    pub async fn submit(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let answer = self.post(path, fields).await;
        assert_eq!(answer.status, 303, "{path}: {}", answer.text());
        self.get(&answer.location()).await
    }

    pub fn request(&self, method: reqwest::Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("{}{path}", self.web))
    }

    pub async fn send(&self, request: RequestBuilder) -> Answer {
        self.try_send(request).await.unwrap()
    }

    /// The same where the network may fail.
    pub async fn try_send(&self, request: RequestBuilder) -> reqwest::Result<Answer> {
        let cookies: Vec<String> = self
            .cookies
            .lock()
            .unwrap()
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let request = if cookies.is_empty() {
            request
        } else {
            request.header("cookie", cookies.join("; "))
        };
        let request = match &self.host {
            Some(host) => request.header("host", host),
            None => request,
        };
        let (http, request) = request.build_split();
        let request = request?;
        // Of another site, which `Lax` cookies are kept from.
        let is =
            |name: &str, value: &str| request.headers().get(name).is_some_and(|is| is == value);
        let is_foreign = is("sec-fetch-dest", "iframe") && is("sec-fetch-site", "cross-site");
        let answer = http.execute(request).await?;
        let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
        for cookie in headers.get_all("set-cookie") {
            let (pair, rest) = cookie.to_str().unwrap().split_once(';').unwrap();
            let (name, value) = pair.split_once('=').unwrap();
            // As browsers do, which overlook the others, also when they take a cookie away.
            let is_whole = rest.contains("Secure") && rest.contains("Path=/");
            if name.starts_with("__Host-") && !is_whole {
                continue;
            }
            if name.starts_with("__Host-") && is_foreign && rest.contains("SameSite=Lax") {
                continue;
            }
            if rest.contains("Max-Age=0") {
                self.cookies.lock().unwrap().remove(name);
            } else {
                self.cookies
                    .lock()
                    .unwrap()
                    .insert(name.to_owned(), value.to_owned());
            }
        }
        Ok(Answer {
            status,
            headers,
            body: answer.bytes().await?.to_vec(),
        })
    }

    /// Agrees: a partner's app asks once for the session, a browser never does.
    pub async fn agree(&self) {
        let version = dastarkhan::features::consent::VERSION;
        let fields = [("answer", "yes"), ("version", version), ("back", "/")];
        let answer = self.post("/session/consent", &fields).await;
        assert_eq!(answer.status, 303);
    }

    /// Adds a plain product of the menu.
    pub async fn add(&self, venue: u64, product: u64) -> Answer {
        let (venue, product) = (venue.to_string(), product.to_string());
        self.post(
            "/cart/lines",
            &[
                ("filial", &venue),
                ("product", &product),
                ("back", &format!("/filials/{venue}")),
            ],
        )
        .await
    }
}

impl Answer {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("no JSON: {}", self.text()))
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value: &HeaderValue| value.to_str().unwrap())
    }

    pub fn location(&self) -> String {
        self.header("location").to_owned()
    }

    /// The page data that the document carries.
    pub fn data(&self) -> Value {
        let text = self.text();
        let (_, rest) = text
            .split_once(r#"<script type="application/json" id="data">"#)
            .unwrap_or_else(|| panic!("a page of status {} carries no data", self.status));
        let (json, _) = rest.split_once("</script>").unwrap();
        serde_json::from_str(json).unwrap()
    }

    /// The text of each element that V8 rendered and a selector finds.
    pub fn texts(&self, selector: &str) -> Vec<String> {
        let html = scraper::Html::parse_fragment(&self.rendered());
        let selector = scraper::Selector::parse(selector).unwrap();
        let text = |element: scraper::ElementRef<'_>| element.text().collect::<String>();
        html.select(&selector).map(text).collect()
    }

    /// What V8 rendered.
    pub fn rendered(&self) -> String {
        let text = self.text();
        let (_, rest) = text
            .split_once(r#"<div id="app">"#)
            .unwrap_or_else(|| panic!("V8 rendered no page: {} {text}", self.status));
        let (html, _) = rest
            .split_once(r#"<script type="application/json" id="data">"#)
            .unwrap();
        html.to_owned()
    }
}

/// Products of a menu page that can be added by a plain +, as (id, price).
pub fn plain_products(menu: &Value) -> Vec<(u64, i64)> {
    products(menu)
        .filter(|product| product["options"].is_null() && product["out"].is_null())
        .map(|product| {
            (
                product["id"].as_u64().unwrap(),
                product["promo"]
                    .as_i64()
                    .or(product["price"].as_i64())
                    .unwrap(),
            )
        })
        .collect()
}

/// All products of a menu page, without the favourites' second copies.
pub fn products(menu: &Value) -> impl Iterator<Item = &Value> {
    menu["page"]["data"]["categories"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|category| category["id"] != -2)
        .flat_map(|category| category["products"].as_array().unwrap())
}

/// What the form of a cart sends when it is ordered in cash: its version, and the sum that the guest has seen.
pub fn order_fields(cart: &Value) -> [(&'static str, String); 4] {
    let totals = cart["page"]["data"]["totals"].as_array();
    let total = totals
        .into_iter()
        .flatten()
        .find(|one| one["kind"] == "total")
        .unwrap_or_else(|| panic!("a cart without a total: {}", cart["page"]["data"]));
    let mark = cart["page"]["data"]["delivery"]["mark"].as_str();
    let mark = mark.unwrap_or_default();
    [
        ("cart_version", cart["shell"]["cart"]["version"].to_string()),
        ("total", total["sum"].to_string()),
        ("payment", "cash".to_owned()),
        // Empty where nothing is brought.
        ("address", mark.to_owned()),
    ]
}

pub fn as_fields<'a>(fields: &'a [(&'static str, String)]) -> Vec<(&'a str, &'a str)> {
    let field = |(name, value): &'a (&'static str, String)| (*name, value.as_str());
    fields.iter().map(field).collect()
}

/// Waits until `done` answers something, for at most `seconds`.
pub async fn eventually<T, F: Future<Output = Option<T>>>(
    seconds: u64,
    mut done: impl FnMut() -> F,
) -> T {
    let deadline = Instant::now() + Duration::from_secs(seconds);
    loop {
        if let Some(found) = done().await {
            return found;
        }
        assert!(
            Instant::now() < deadline,
            "nothing happened within {seconds} s"
        );
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

//! Every setting: flag, environment variable, default. Read once at start; nothing else reads the environment.

pub mod all_wrong;
pub mod custom;
pub mod dsn;
pub mod hosts;
pub mod insight;
pub mod secrets;

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use clap::{Args, Parser, Subcommand, ValueEnum};
use tracing_subscriber::EnvFilter;

use crate::{
    rush_hours::RushWindow,
    values::{OrderKind, Service},
};

const MOST_ISOLATES: usize = 1024;

/// A food-ordering web app for restaurants, delivery and self-service fridges.
#[derive(Debug, Parser)]
#[command(name = "dastarkhan", version, about, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the product together with its own sandbox upstream: everything works offline
    Demo {
        /// Settings of the server.
        #[command(flatten)]
        server: ServerArgs,
        /// Settings of the sandbox.
        #[command(flatten)]
        sandbox: SandboxArgs,
    },
    /// Serve the product against a real upstream (UPSTREAM_URL)
    Serve {
        /// Settings of the server.
        #[command(flatten)]
        server: ServerArgs,
        /// Address of the business APIs, such as `https://api.example.kz`
        #[arg(long, env = "UPSTREAM_URL", value_parser = web_address)]
        upstream_url: String,
    },
    /// Run only the sandbox upstream
    Sandbox {
        /// Settings of the sandbox.
        #[command(flatten)]
        sandbox: SandboxArgs,
        /// Folder of its database
        #[arg(long, env = "STATE_DIR", default_value = "var")]
        state_dir: PathBuf,
        /// Address of the web app, for the links on its page
        #[arg(long, env = "PUBLIC_URL", default_value = "http://127.0.0.1:8080", value_parser = web_address)]
        public_url: String,
        /// Kind of installation
        #[arg(long, env = "PROFILE", value_enum, default_value_t = Profile::Development)]
        profile: Profile,
    },
    /// Say what would be wrong with `serve` under these settings: reads them all and asks state, upstream and picture storage
    Check {
        /// Settings of the server.
        #[command(flatten)]
        server: ServerArgs,
        /// Address of the business APIs, such as `https://api.example.kz`
        #[arg(long, env = "UPSTREAM_URL", value_parser = web_address)]
        upstream_url: String,
    },
    /// Copy sessions, carts, orders and secrets into a folder, also while the server runs
    Backup {
        /// Folder of the backup
        folder: PathBuf,
        /// Where the state is.
        #[command(flatten)]
        state: StateArgs,
    },
    /// Put a backup in the place of the state; the server must not run
    Restore {
        /// Folder of the backup
        folder: PathBuf,
        /// Where the state is.
        #[command(flatten)]
        state: StateArgs,
    },
    /// Make the V8 startup snapshot that the server starts from (it makes it itself when it is missing)
    Snapshot {
        /// File to write; by default next to the binary, where the server finds it
        #[arg(long)]
        out: Option<PathBuf>,
        /// Take the bundle from this folder instead of the binary
        #[arg(long)]
        web_dir: Option<PathBuf>,
    },
}

/// Which state is meant.
#[derive(Debug, Clone, Args)]
pub struct StateArgs {
    /// Folder of sessions, carts and keys
    #[arg(long, env = "STATE_DIR", default_value = "var")]
    pub state_dir: PathBuf,
    /// Redis or Valkey that holds the state instead
    #[arg(long, env = "STATE_URL", hide_env_values = true)]
    pub state_url: Option<String>,
}

impl StateArgs {
    /// The folder, if the state is there.
    ///
    /// # Errors
    /// When it is not.
    pub fn folder(&self) -> anyhow::Result<PathBuf> {
        anyhow::ensure!(
            self.state_url.is_none(),
            "STATE_URL: the state is in a Redis or Valkey, which has backups of its own (server/operation/README.md, Backup)"
        );
        Ok(self.state_dir.clone())
    }
}

/// What kind of installation this is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Profile {
    /// A developer's or tester's machine.
    Development,
    /// Real guests: the sandbox refuses to run (S-26).
    Production,
}

/// Settings of the server.
#[derive(Debug, Clone, Args)]
pub struct ServerArgs {
    /// Address that guests reach
    #[arg(long, env = "LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// Address of /livez, /readyz and /metrics; keep it inside the network
    #[arg(long, env = "ADMIN_LISTEN", default_value = "127.0.0.1:8082")]
    pub admin_listen: SocketAddr,
    /// Folder of sessions, carts, keys, snapshots and older builds
    #[arg(long, env = "STATE_DIR", default_value = "var")]
    pub state_dir: PathBuf,
    /// Redis or Valkey that several instances share for sessions, carts and orders, such as redis://user:password@host:6379/0, rediss:// for TLS, redis+sentinel:// and redis+cluster:// with several hosts; by default a database in the state folder
    #[arg(long, env = "STATE_URL", hide_env_values = true)]
    pub state_url: Option<String>,
    /// Origin that guests see, such as `https://example.kz`; by default the request's own host
    #[arg(long, env = "PUBLIC_URL", value_parser = bare_origin)]
    pub public_url: Option<String>,
    /// Address of map tiles with {z}, {x} and {y}; by default the upstream's
    #[arg(long, env = "TILE_URL", hide_env_values = true, value_parser = tile_address)]
    pub tile_url: Option<String>,
    /// Whose map it is, as its licence wants it named on every map, such as `© Map makers`; a link to it may follow after a bar
    #[arg(long, env = "TILE_CREDIT", value_parser = tile_credit)]
    pub tile_credit: Option<String>,
    /// Secrets for seals and keys: one of 64 hex digits, or a new one and after a comma the one before; by default one is made and kept in the state folder
    #[arg(long, env = "SECRET_KEYS", hide_env_values = true)]
    pub secret_keys: Option<secrets::Secret>,
    /// V8 isolates that render at the same time, 0 for one less than the cores
    #[arg(long, env = "ISOLATES", default_value_t = 0, value_parser = isolates)]
    pub isolates: usize,
    /// Whether an isolate renders every page once before it serves; off: it serves at once, and its first pages take longer
    #[arg(long, env = "WARM_ISOLATES", value_enum, default_value_t = insight::Switch::On)]
    pub warm_isolates: insight::Switch,
    /// Milliseconds of computing that one render may take; 0 leaves all rendering to the browsers
    #[arg(long, env = "RENDER_LIMIT_MS", default_value_t = 500, value_parser = clap::value_parser!(u64).range(0..=600_000))]
    pub render_limit_ms: u64,
    /// Milliseconds that a render may wait for an isolate before the page is left to the browser
    #[arg(long, env = "RENDER_WAIT_MS", default_value_t = 200, value_parser = clap::value_parser!(u64).range(0..=600_000))]
    pub render_wait_ms: u64,
    /// Connections that may be open at once; fewer where the process may not open enough descriptors
    #[arg(long, env = "MAX_CONNECTIONS", default_value_t = 4096, value_parser = at_least_one)]
    pub max_connections: usize,
    /// Seconds until the headers of a request must be complete, from the connection's begin or the answer before
    #[arg(long, env = "HEADER_SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub header_seconds: u64,
    /// Seconds in which the whole body of a request must come
    #[arg(long, env = "BODY_SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub body_seconds: u64,
    /// Seconds for which a connection may take nothing of an answer, and an HTTP/2 connection may rest
    #[arg(long, env = "STALL_SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub stall_seconds: u64,
    /// Proxies whose X-Forwarded-For is believed, as addresses or networks after commas
    #[arg(long, env = "TRUSTED_PROXIES", value_delimiter = ',')]
    pub trusted_proxies: Vec<String>,
    /// Milliseconds that a page of a blank session stays fresh in the page cache, 0 for no page cache
    #[arg(long, env = "PAGE_FRESH_MS", default_value_t = 15_000, value_parser = clap::value_parser!(u64).range(0..=604_800_000))]
    pub page_fresh_ms: u64,
    /// Milliseconds that public catalogue answers stay fresh
    #[arg(long, env = "CATALOGUE_FRESH_MS", default_value_t = 60_000, value_parser = clap::value_parser!(u64).range(0..=604_800_000))]
    pub catalogue_fresh_ms: u64,
    /// Requests that change something, per guest and minute; a quarter of them may come at once
    #[arg(long, env = "MUTATIONS_PER_MINUTE", default_value_t = 240, value_parser = clap::value_parser!(u32).range(1..))]
    pub mutations_per_minute: u32,
    /// Requests that change something, per client address and minute, all its guests together
    #[arg(long, env = "ADDRESS_MUTATIONS_PER_MINUTE", default_value_t = 2400, value_parser = clap::value_parser!(u32).range(1..))]
    pub address_mutations_per_minute: u32,
    /// Orders and bookings, per client address and minute
    #[arg(long, env = "ADDRESS_ORDERS_PER_MINUTE", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    pub address_orders_per_minute: u32,
    /// Searches, looks at orders and bills that are not known to be the guest's, and numbers that may be no venue's, per client address and minute
    #[arg(long, env = "ADDRESS_LOOKUPS_PER_MINUTE", default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..))]
    pub address_lookups_per_minute: u32,
    /// Seconds for which an order of unknown outcome is sent again without its guest; then the guest is asked
    #[arg(long, env = "ORDER_RESEND_SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub order_resend_seconds: u32,
    /// Seconds for which a part of a bill that was begun and is not paid is kept from guests who want to pay it
    #[arg(long, env = "BILL_WAIT_SECONDS", default_value_t = 180, value_parser = clap::value_parser!(u32).range(1..=3600))]
    pub bill_wait_seconds: u32,
    /// Parts of one bill that a guest may begin in an hour without paying them; three times as many for a client address
    #[arg(long, env = "BILL_UNPAID_PER_HOUR", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub bill_unpaid_per_hour: u32,
    /// Seconds for which a dish of a bill may be chosen in all, by all guests together, without being paid; then others may choose it as well
    #[arg(long, env = "BILL_CHOSEN_SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub bill_chosen_seconds: u32,
    /// Seconds for which a browser sits at a table at which it does nothing
    #[arg(long, env = "TABLE_SECONDS", default_value_t = 14_400, value_parser = clap::value_parser!(u32).range(1..=7_776_000))]
    pub table_seconds: u32,
    /// Orders to one table in an hour that are neither paid online nor of a guest who is signed in
    #[arg(long, env = "TABLE_ORDERS_PER_HOUR", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    pub table_orders_per_hour: u32,
    /// Calls of a waiter from one client address in an hour, to whatever tables
    #[arg(long, env = "ADDRESS_CALLS_PER_HOUR", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    pub address_calls_per_hour: u32,
    /// Sessions that a client address may begin in a minute; beyond it they end after an hour without a request
    #[arg(long, env = "ADDRESS_SESSIONS_PER_MINUTE", default_value_t = 120, value_parser = clap::value_parser!(u32).range(1..))]
    pub address_sessions_per_minute: u32,
    /// Streams of changes that a client address may hold open; beyond it pages ask now and then
    #[arg(long, env = "ADDRESS_STREAMS", default_value_t = 512)]
    pub address_streams: u32,
    /// Seconds that open requests may take after SIGTERM
    #[arg(long, env = "DRAIN_SECONDS", default_value_t = 25, value_parser = clap::value_parser!(u64).range(0..=86_400))]
    pub drain_seconds: u64,
    /// Seconds that new connections are still taken after SIGTERM, while /readyz says no
    #[arg(long, env = "LINGER_SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u64).range(0..=86_400))]
    pub linger_seconds: u64,
    /// Storage folders whose pictures are resized and served, after commas; by default the upstream's /files/
    #[arg(long, env = "IMAGE_STORAGE", value_delimiter = ',')]
    pub image_storage: Vec<String>,
    /// Origins whose pictures browsers load as they are, after commas; pictures of all others are left out
    #[arg(long, env = "IMAGE_ORIGINS", value_delimiter = ',', value_parser = bare_origin)]
    pub image_origins: Vec<String>,
    /// Origins of host apps, after commas, that may embed the app in a frame and push the language to it; by default none
    #[arg(long, env = "HOST_ORIGINS", value_delimiter = ',', value_parser = bare_origin)]
    pub host_origins: Vec<String>,
    /// Origins of payment pages, after commas, by default the upstream's: guests are led to no other, and one who comes from there goes back to the front, not to the payment
    #[arg(long, env = "PAYMENT_ORIGINS", value_delimiter = ',', value_parser = bare_origin)]
    pub payment_origins: Vec<String>,
    /// Address of the page where guests sign in (OAuth); by default the upstream's /oauth2/authorize
    #[arg(long, env = "OAUTH_URL", value_parser = web_address)]
    pub oauth_url: Option<String>,
    /// Name of this app at the sign-in page and in token calls
    #[arg(long, env = "OAUTH_CLIENT_ID", default_value = "web", value_parser = header_word)]
    pub oauth_client_id: String,
    /// Whose notifications the devices of guests get: X-Project of push calls
    #[arg(long, env = "PUSH_PROJECT", default_value = "web", value_parser = header_word)]
    pub push_project: String,
    /// Address of the bot of the messenger that tells of orders; its chats begin with `?start=` and an order
    #[arg(long, env = "CHAT_URL", default_value = "https://t.me/dastarkhan_bot", value_parser = web_address)]
    pub chat_url: String,
    /// Megabytes of resized pictures that are kept on disk
    #[arg(long, env = "IMAGE_CACHE_MB", default_value_t = 512, value_parser = clap::value_parser!(u64).range(0..=1_000_000_000))]
    pub image_cache_mb: u64,
    /// Services that this installation offers, such as `express,takeaway`; by default all. The first is taken where the usual one is not offered
    #[arg(long, env = "SERVICES", value_delimiter = ',', value_parser = service)]
    pub services: Vec<Service>,
    /// Kinds of orders that need no sign-in, after commas: express, takeaway, delivery, vendor-delivery, micromarket; or none
    #[arg(long, env = "ANONYMOUS_ORDERS", value_delimiter = ',', default_value = "express", value_parser = order_kind)]
    pub anonymous_orders: Vec<Option<OrderKind>>,
    /// Show the venues of this brand only
    #[arg(long, env = "BRAND_ID", value_parser = clap::value_parser!(u64).range(1..))]
    pub brand_id: Option<u64>,
    /// JSON file that gives host names a brand, services, languages, towns, analytics and a name of their own; read again when it has changed
    #[arg(long, env = "HOSTS_FILE")]
    pub hosts_file: Option<PathBuf>,
    /// Weekly windows in which guests are told that cooking takes longer, such as `mon-fri 12:00-14:00,sat 18:00-21:00`, by the venue's clock; by default none
    #[arg(long, env = "RUSH_HOURS", value_delimiter = ',')]
    pub rush_hours: Vec<RushWindow>,
    /// Seconds without a touch after which a tablet in a venue asks whether the guest is still there; 20 seconds later it forgets the guest
    #[arg(long, env = "KIOSK_IDLE_SECONDS", default_value_t = 90, value_parser = clap::value_parser!(u32).range(10..=3600))]
    pub kiosk_idle_seconds: u32,
    /// Kind of installation
    #[arg(long, env = "PROFILE", value_enum, default_value_t = Profile::Development)]
    pub profile: Profile,
    /// Take the bundle from this folder, and again whenever it changes (make dev)
    #[arg(long, env = "WEB_DIR")]
    pub web_dir: Option<PathBuf>,
    /// Where spans are exported to (OpenTelemetry, OTLP over HTTP), such as `http://127.0.0.1:4318/v1/traces`; by default nowhere
    #[arg(long, env = "OTLP_URL", value_parser = web_address)]
    pub otlp_url: Option<String>,
    /// Share of the requests whose spans are exported, 0 to 1, where the proxy in front has not decided
    #[arg(long, env = "OTLP_SHARE", default_value_t = 1.0, value_parser = share)]
    pub otlp_share: f64,
    /// What is told about the product.
    #[command(flatten)]
    pub insight: insight::InsightArgs,
    /// What to log, such as `info` or `info,dastarkhan=debug`
    #[arg(long, env = "LOG", default_value = "info", value_parser = log_filter)]
    pub log: String,
}

/// Settings of the sandbox.
#[derive(Debug, Clone, Args)]
pub struct SandboxArgs {
    /// Address of the sandbox upstream
    #[arg(long, env = "SANDBOX_LISTEN", default_value = "127.0.0.1:8081")]
    pub sandbox_listen: SocketAddr,
    /// How much faster than in life orders move
    #[arg(long, env = "SANDBOX_SPEED", default_value_t = 1.0, value_parser = speed)]
    pub sandbox_speed: f64,
    /// Folder of drawn pictures that sandboxes of one build share
    #[arg(long, env = "SANDBOX_PICTURES_DIR")]
    pub sandbox_pictures_dir: Option<PathBuf>,
}

impl ServerArgs {
    /// How long a cached page stays fresh.
    #[must_use]
    pub const fn page_fresh(&self) -> Duration {
        Duration::from_millis(self.page_fresh_ms)
    }

    /// Origin of the page where guests sign in.
    #[must_use]
    pub fn oauth_origin(&self) -> Option<String> {
        let page = url::Url::parse(self.oauth_url.as_deref()?).ok()?;
        Some(page.origin().ascii_serialization())
    }
}

/// An http(s) origin without path, query or fragment; a slash at the end is dropped.
fn web_address(text: &str) -> Result<String, String> {
    let url = url::Url::parse(text)
        .map_err(|error| format!("{error}: write it like https://example.kz"))?;
    if !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
        return Err("write it like https://example.kz".to_owned());
    }
    if url.query().is_some()
        || url.fragment().is_some()
        || !url.username().is_empty()
        || url.password().is_some()
    {
        return Err("only scheme, host, port and path belong here".to_owned());
    }
    Ok(text.trim_end_matches('/').to_owned())
}

/// An http(s) origin as browsers write it, to be compared with theirs.
fn bare_origin(text: &str) -> Result<String, String> {
    let address = web_address(text)?;
    let url = url::Url::parse(&address).map_err(|error| error.to_string())?;
    if url.path() == "/" {
        Ok(url.origin().ascii_serialization())
    } else {
        Err("only scheme, host and port belong here".to_owned())
    }
}

/// An http(s) address with `{z}`, `{x}` and `{y}` in it.
fn tile_address(text: &str) -> Result<String, String> {
    let example = "write it like https://tiles.example.kz/{z}/{x}/{y}.png";
    let url = url::Url::parse(text).map_err(|error| format!("{error}: {example}"))?;
    let is_web = matches!(url.scheme(), "http" | "https") && url.host().is_some();
    if is_web && ["{z}", "{x}", "{y}"].iter().all(|part| text.contains(part)) {
        Ok(text.to_owned())
    } else {
        Err(example.to_owned())
    }
}

/// Words, and after a bar the address of a page about the map.
fn tile_credit(text: &str) -> Result<String, String> {
    let is_web = |address: &str| {
        url::Url::parse(address).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
    };
    match text.split_once('|') {
        Some((_, address)) if !is_web(address.trim()) => Err(format!(
            "{address:?} is no web address: write it like © Map makers|https://maps.example.kz/about"
        )),
        _ => Ok(text.to_owned()),
    }
}

/// A word that is no level would be taken for the name of a module, and silence all others.
fn log_filter(text: &str) -> Result<String, String> {
    let levels = ["off", "error", "warn", "info", "debug", "trace"];
    let is_for_all = |directive: &&str| !directive.contains(['=', '[']);
    let unknown = text.split(',').map(str::trim).find(|directive| {
        is_for_all(directive)
            && !levels
                .iter()
                .any(|level| level.eq_ignore_ascii_case(directive))
    });
    if let Some(word) = unknown {
        return Err(format!(
            "{word:?} is no level: off, error, warn, info, debug or trace; for one module name=level"
        ));
    }
    // Of all that is not named nothing would be told, errors included.
    if !text.split(',').any(|directive| is_for_all(&directive)) {
        return Err(format!(
            "{text:?} has no level for all else: begin with one, such as info,{text}"
        ));
    }
    // Without a level after it a name would be let tell everything.
    if let Some(name) = text
        .split(',')
        .find(|directive| directive.trim().ends_with('='))
    {
        return Err(format!("{name:?} has no level: write name=level"));
    }
    match EnvFilter::try_new(text) {
        Ok(_) => Ok(text.to_owned()),
        Err(error) => Err(format!(
            "{error}: off, error, warn, info, debug or trace; for one module name=level"
        )),
    }
}

/// Each takes tens of megabytes, and no machine has more cores.
fn isolates(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number) if number <= MOST_ISOLATES => Ok(number),
        _ => Err(format!("a number from 0 to {MOST_ISOLATES}")),
    }
}

/// What may stand in a header.
fn header_word(text: &str) -> Result<String, String> {
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic()) {
        Ok(text.to_owned())
    } else {
        Err("a word of visible ASCII characters".to_owned())
    }
}

/// With none no guest would be served.
fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) | Err(_) => Err("a number such as 4096".to_owned()),
        Ok(number) => Ok(number),
    }
}

/// A service by its name.
fn order_kind(text: &str) -> Result<Option<OrderKind>, String> {
    match text.trim() {
        "none" => Ok(None),
        code => OrderKind::from_code(code).map(Some).ok_or_else(|| {
            "express, takeaway, delivery, vendor-delivery, micromarket or none".to_owned()
        }),
    }
}

fn service(text: &str) -> Result<Service, String> {
    Service::from_code(text.trim()).ok_or_else(|| "express, takeaway or delivery".to_owned())
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("a number from 0 to 1".to_owned()),
    }
}

fn speed(text: &str) -> Result<f64, String> {
    let factor: f64 = text
        .parse()
        .map_err(|_| "a number such as 1 or 20".to_owned())?;
    if factor.is_finite() && factor > 0.0 && factor <= 10_000.0 {
        Ok(factor)
    } else {
        Err("more than 0 and at most 10000".to_owned())
    }
}

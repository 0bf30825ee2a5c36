//! A scripted upstream: answers what a test tells it and remembers what it was asked.

use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::{Request, State},
    http::{HeaderMap, Method, StatusCode, Uri},
    response::{IntoResponse, Response},
    serve::ListenerExt as _,
};
use dastarkhan::{
    upstream::{Caller, Clock, Fingerprint, Upstream, UpstreamConfig},
    values::{Country, Lang},
};
use futures_util::stream;
use serde_json::Value;

/// One request as it arrived.
#[derive(Debug, Clone)]
pub struct Seen {
    pub method: Method,
    pub uri: Uri,
    pub headers: HeaderMap,
    pub body: Bytes,
    pub at: Instant,
}

/// What to answer.
pub enum Reply {
    Json(u16, Value),
    Raw(u16, &'static str, Vec<u8>),
    /// JSON that comes gzipped.
    Gzip(Vec<u8>),
    /// JSON, after a while.
    Late(Duration, Value),
    /// Nothing, for ever.
    Hang,
    /// A head, and then nothing, for ever.
    HangInBody,
    /// A head and a piece of the body, and then the connection breaks.
    Break,
}

type Script = Arc<dyn Fn(usize, &Seen) -> Reply + Send + Sync>;

/// The running double. The script gets the number of the request, from 0.
#[derive(Clone)]
pub struct Double {
    pub base: String,
    seen: Arc<Mutex<Vec<Seen>>>,
    script: Script,
}

impl Double {
    pub async fn start(script: impl Fn(usize, &Seen) -> Reply + Send + Sync + 'static) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let double = Self {
            base,
            seen: Arc::default(),
            script: Arc::new(script),
        };
        let app = Router::new().fallback(answer).with_state(double.clone());
        let listener = listener.tap_io(|socket| socket.set_nodelay(true).unwrap());
        tokio::spawn(async move { axum::serve(listener, app).await });
        double
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    pub fn count(&self) -> usize {
        self.seen.lock().unwrap().len()
    }

    /// Settings whose waits are short; the clock stands still until a test moves it.
    pub fn config(&self) -> UpstreamConfig {
        let mut config = UpstreamConfig::new(&self.base);
        config.clock = Clock::manual();
        config.retries.order_step = Duration::from_millis(2);
        config.retries.page_step = Duration::from_millis(2);
        // Generous where a test does not look at deadlines: the machine may be busy.
        config.deadlines.critical = Duration::from_secs(20);
        config.deadlines.optional = Duration::from_secs(20);
        config.deadlines.order = Duration::from_secs(60);
        config.deadlines.order_attempt = Duration::from_secs(20);
        config.deadlines.connect = Duration::from_secs(10);
        config.cache.timeout = Duration::from_secs(20);
        config
    }

    pub fn client(&self) -> Upstream {
        Upstream::new(&self.config()).unwrap()
    }
}

impl Seen {
    pub fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub fn path(&self) -> &str {
        self.uri.path()
    }

    /// Decoded pairs of the query.
    pub fn query(&self) -> Vec<(String, String)> {
        url::form_urlencoded::parse(self.uri.query().unwrap_or_default().as_bytes())
            .into_owned()
            .collect()
    }
}

pub fn guest() -> Caller {
    let mut caller = Caller::guest(Lang::Ru, Country::Kz);
    caller.fingerprint = Fingerprint::new("device-1");
    caller
}

async fn answer(State(double): State<Double>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let body = axum::body::to_bytes(body, 1 << 24)
        .await
        .unwrap_or_default();
    let seen = Seen {
        at: Instant::now(),
        method: head.method,
        uri: head.uri,
        headers: head.headers,
        body,
    };
    let number = {
        let mut all = double.seen.lock().unwrap();
        all.push(seen.clone());
        all.len() - 1
    };
    let json = [("content-type", "application/vnd.api+json")];
    match (double.script)(number, &seen) {
        Reply::Json(status, value) => (
            StatusCode::from_u16(status).unwrap(),
            json,
            value.to_string(),
        )
            .into_response(),
        Reply::Raw(status, kind, body) => (
            StatusCode::from_u16(status).unwrap(),
            [("content-type", kind)],
            body,
        )
            .into_response(),
        Reply::Gzip(body) => (json, [("content-encoding", "gzip")], body).into_response(),
        Reply::Late(after, value) => {
            tokio::time::sleep(after).await;
            (json, value.to_string()).into_response()
        }
        Reply::Hang => std::future::pending().await,
        Reply::HangInBody => {
            let first = stream::iter([Ok::<_, std::io::Error>(Bytes::from_static(b"{\"data\":"))]);
            let rest = stream::pending();
            Response::new(Body::from_stream(futures_util::StreamExt::chain(
                first, rest,
            )))
        }
        Reply::Break => {
            let broken = std::io::Error::other("as scripted");
            let parts = stream::iter([Ok(Bytes::from_static(b"{\"data\":")), Err(broken)]);
            Response::new(Body::from_stream(parts))
        }
    }
}

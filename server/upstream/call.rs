//! One call before it is sent: method, path, query, body and the headers of HT-01, HT-02, HT-04 and HT-14.

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use serde_json::Value;

use super::{
    Bearer, Caller, Class, Fingerprint, Freshness, IdempotencyKey, Renewal, Upstream,
    address::Path, breaker::Part, query::Query,
};

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const JSON_API: HeaderValue = HeaderValue::from_static("application/vnd.api+json");

/// One call, ready to be sent and sent again.
#[derive(Clone)]
pub(super) struct Call {
    pub method: Method,
    pub part: Part,
    pub path: Path,
    pub query: Query,
    pub headers: HeaderMap,
    pub body: Option<Vec<u8>>,
    pub class: Class,
    /// How new an answer of the cache has to be.
    pub freshness: Freshness,
    /// The caller named the work: sending it again is the same work.
    pub keyed: bool,
    /// The work must not be sent twice, as the upstream does not know it again: tried again only if not reached.
    pub once: bool,
    /// It has no guest: a sign-in could not help it.
    pub shared: bool,
    /// An answer that comes too late for who waits is taken all the same, for those who ask next.
    pub patient: bool,
    /// Whose failures are told to people (HT-09).
    pub watch: Watch,
    /// The bearer sent, and how to get another one (AU-07).
    pub renewal: Option<(Bearer, Renewal)>,
}

/// How loudly a failure is logged, beside the warning about an ill upstream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Watch {
    No,
    Warning,
    Error,
}

impl Call {
    /// A read on behalf of one guest.
    pub fn get(caller: &Caller, part: Part, path: Path) -> Self {
        let mut headers = common(caller);
        let fingerprint = caller
            .fingerprint
            .clone()
            .unwrap_or_else(Fingerprint::random);
        put(&mut headers, "x-fingerprint", fingerprint.as_str());
        if let Some(bearer) = &caller.bearer {
            put(
                &mut headers,
                "authorization",
                &format!("Bearer {}", bearer.as_str()),
            );
        }
        if let Some(place) = caller.coordinates {
            put(&mut headers, "lat", &place.latitude().to_string());
            put(&mut headers, "long", &place.longitude().to_string());
        }
        Self {
            method: Method::GET,
            part,
            path,
            query: Query::new(),
            headers,
            body: None,
            class: caller.class,
            freshness: caller.freshness,
            keyed: false,
            once: false,
            shared: false,
            patient: false,
            watch: Watch::No,
            renewal: caller.bearer.clone().zip(caller.renewal.clone()),
        }
    }

    /// A read whose answer is everybody's: says nothing about the guest but the language.
    pub fn shared(upstream: &Upstream, caller: &Caller, part: Part, path: Path) -> Self {
        let mut headers = common(caller);
        put(
            &mut headers,
            "x-fingerprint",
            upstream.inner.device.as_str(),
        );
        Self {
            method: Method::GET,
            part,
            path,
            query: Query::new(),
            headers,
            body: None,
            class: caller.class,
            freshness: caller.freshness,
            keyed: false,
            once: false,
            shared: true,
            patient: false,
            watch: Watch::No,
            renewal: None,
        }
    }

    /// Adds where the guest is, to about 100 metres, so that neighbours share the answer.
    pub fn near(mut self, caller: &Caller) -> Self {
        if let Some(place) = caller.coordinates {
            let place = place.coarse();
            put(&mut self.headers, "lat", &place.latitude().to_string());
            put(&mut self.headers, "long", &place.longitude().to_string());
        }
        self
    }

    /// What changes by the hour: never as old as the rest of the cache may be (HM-06).
    pub fn recent(mut self) -> Self {
        if self.freshness == Freshness::Usual {
            self.freshness = Freshness::Recent;
        }
        self
    }

    /// What decides where a guest sits: the old answer only where there is no new one in the whole time of a call.
    pub fn forced(mut self) -> Self {
        self.freshness = Freshness::Forced;
        self
    }

    /// A write on behalf of one guest.
    pub fn post(caller: &Caller, part: Part, path: Path, body: &Value) -> Self {
        Self::send(Method::POST, caller, part, path, body)
    }

    /// A write with another verb.
    pub fn send(method: Method, caller: &Caller, part: Part, path: Path, body: &Value) -> Self {
        let body = Some(body.to_string().into_bytes());
        Self {
            method,
            body,
            ..Self::get(caller, part, path)
        }
    }

    /// A call without a body that is no read.
    pub fn bare(method: Method, caller: &Caller, part: Part, path: Path) -> Self {
        Self {
            method,
            ..Self::get(caller, part, path)
        }
    }

    /// Raw bytes with their own type instead of JSON (HT-04).
    pub fn bytes(mut self, kind: &'static str, bytes: Vec<u8>) -> Self {
        put(&mut self.headers, "content-type", kind);
        self.body = Some(bytes);
        self
    }

    /// A header of one call alone. A value that can't be one is left out.
    pub fn header(mut self, name: &'static str, value: &str) -> Self {
        put(&mut self.headers, name, value);
        self
    }

    pub fn once(mut self) -> Self {
        self.once = true;
        self
    }

    pub fn watch(mut self, watch: Watch) -> Self {
        self.watch = watch;
        self
    }

    /// The same work under another bearer.
    pub fn renewed(mut self, bearer: &Bearer) -> Self {
        let value = format!("Bearer {}", bearer.as_str());
        put(&mut self.headers, "authorization", &value);
        self.renewal = None;
        self
    }

    pub fn query(mut self, query: Query) -> Self {
        self.query = query;
        self
    }

    /// Names the work, so that it is done once however often it is sent.
    pub fn key(mut self, key: &IdempotencyKey) -> Self {
        put(&mut self.headers, "x-idempotency-key", key.as_str());
        self.keyed = true;
        self
    }

    /// A key of the caller's for work of which a conflict is an answer, not an earlier try of ours.
    pub fn named(mut self, key: &IdempotencyKey) -> Self {
        put(&mut self.headers, "x-idempotency-key", key.as_str());
        self
    }

    /// `X-Country` of order creation (HT-02).
    pub fn country(mut self, caller: &Caller) -> Self {
        put(&mut self.headers, "x-country", caller.country.code());
        self
    }

    /// All that the answer depends on, for the catalogue cache.
    pub fn cache_key(&self) -> String {
        let header = |name: &str| {
            self.headers
                .get(name)
                .and_then(|value| value.to_str().ok())
                .unwrap_or_default()
        };
        let (lang, lat, long) = (header("x-language"), header("lat"), header("long"));
        format!("{lang} {lat},{long} {}", self.target())
    }

    /// Path and query.
    pub fn target(&self) -> String {
        match self.query.as_str() {
            "" => self.path.filled.clone(),
            query => format!("{}?{query}", self.path.filled),
        }
    }
}

/// The headers of all calls (HT-01), but for whose call it is.
fn common(caller: &Caller) -> HeaderMap {
    let mut headers = HeaderMap::with_capacity(12);
    headers.insert(header::ACCEPT, JSON_API);
    headers.insert(header::CONTENT_TYPE, JSON);
    put(&mut headers, "x-language", caller.lang.code());
    put(
        &mut headers,
        "x-idempotency-key",
        IdempotencyKey::random().as_str(),
    );
    headers
}

/// All our values are visible ASCII by their types; one that were not would be left out.
fn put(headers: &mut HeaderMap, name: &'static str, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(HeaderName::from_static(name), value);
    }
}

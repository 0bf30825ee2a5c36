//! The one way out: headers, deadline, tries, budget, breaker, metrics. Every call of the client goes through
//! `Upstream::request`.
//!
//! Metrics: `upstream_calls_total{part,call,outcome}`, `upstream_retries_total{part}`, `upstream_call_seconds{part}`,
//! `upstream_breaker_open{part}`, `upstream_dropped_elements_total{call}`.

use std::{
    cell::Cell,
    time::{Duration, Instant},
};

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use rand::Rng as _;
use serde_json::Value;
use tracing::{debug, warn};

use super::{
    Answer, Caller, Class, Error, Fingerprint, IdempotencyKey, Upstream,
    address::Path,
    breaker::Part,
    query::Query,
    receive,
    wire::{Bad, Wire},
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
}

/// Reads an answer from its JSON.
pub(super) type Read<T> = fn(Wire<'_>) -> Result<T, Bad>;

/// A decoded answer and how long its JSON was.
pub(super) struct Sized<T> {
    pub value: T,
    pub size: usize,
}

/// How long and how often a call of a class may be tried.
struct Limits {
    deadline: Duration,
    attempt: Duration,
    retries: u32,
    step: Duration,
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

    /// A write on behalf of one guest.
    pub fn post(caller: &Caller, part: Part, path: Path, body: &Value) -> Self {
        let body = Some(body.to_string().into_bytes());
        Self {
            method: Method::POST,
            body,
            ..Self::get(caller, part, path)
        }
    }

    pub fn query(mut self, query: Query) -> Self {
        self.query = query;
        self
    }

    /// Names the work, so that it is done once however often it is sent.
    pub fn key(mut self, key: &IdempotencyKey) -> Self {
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
        format!(
            "{lang} {lat},{long} {}?{}",
            self.path.filled,
            self.query.as_str()
        )
    }
}

impl Upstream {
    /// The answer of a call for one guest, never from the cache.
    pub(super) async fn ask<T>(&self, call: Call, read: Read<T>) -> Result<T, Error> {
        self.request(&call, read).await.map(|answer| answer.value)
    }

    /// The public answer of a shared call, from the cache if it may be. What an order depends on is always asked anew.
    pub(super) async fn catalogue<T: Send + Sync + 'static>(
        &self,
        mut call: Call,
        read: Read<T>,
    ) -> Result<Answer<T>, Error> {
        let patience = match call.class {
            Class::Critical => self.inner.config.deadlines.critical,
            Class::Optional => self.inner.config.deadlines.optional,
            Class::Order => return self.ask(call, read).await.map(Answer::new),
        };
        // The call may be waited for by guests of both classes, so it gets the longer deadline.
        call.class = Class::Critical;
        let (key, upstream) = (call.cache_key(), self.clone());
        self.inner
            .catalogue
            .get(
                key,
                patience,
                async move { upstream.request(&call, read).await },
            )
            .await
    }

    /// Sends a call, again if that may help, and reads its answer.
    pub(super) async fn request<T>(&self, call: &Call, read: Read<T>) -> Result<Sized<T>, Error> {
        let started = Instant::now();
        let result = self.tries(call, read, started).await;
        let (part, path, took) = (call.part.name(), call.path.template, started.elapsed());
        let outcome = result.as_ref().map_or_else(Error::class, |_| "ok");
        metrics::counter!("upstream_calls_total", "part" => part, "call" => path, "outcome" => outcome).increment(1);
        metrics::histogram!("upstream_call_seconds", "part" => part).record(took.as_secs_f64());
        if let Err(error) = &result
            && error.is_temporary()
        {
            warn!(
                upstream.call = path,
                upstream.outcome = outcome,
                ms = took.as_millis(),
                "The upstream failed: {error}"
            );
        }
        result
    }

    async fn tries<T>(
        &self,
        call: &Call,
        read: Read<T>,
        started: Instant,
    ) -> Result<Sized<T>, Error> {
        let limits = self.limits(call.class);
        let (breaker, budget) = (
            self.inner.breakers.of(call.part),
            self.inner.budgets.of(call.class),
        );
        budget.earn();
        let mut last: Option<Error> = None;
        for attempt in 0.. {
            let left = limits.deadline.saturating_sub(started.elapsed());
            if left.is_zero() {
                return Err(last.unwrap_or(Error::Deadline));
            }
            // Refused after an earlier try went out: that try's failure is the truth, its work may have been done.
            let Some(permit) = breaker.enter() else {
                return Err(last.unwrap_or(Error::BreakerOpen));
            };
            let result =
                tokio::time::timeout(left.min(limits.attempt), self.attempt(call, read)).await;
            let result = result.unwrap_or(Err(Error::Deadline));
            permit.settle(result.as_ref().is_err_and(Error::is_failure));
            let open = f64::from(u8::from(breaker.is_open()));
            metrics::gauge!("upstream_breaker_open", "part" => call.part.name()).set(open);
            let error = match result {
                Ok(answer) => return Ok(answer),
                Err(error) if !error.is_retryable() => return Err(error),
                Err(error) => worse(last.take(), error),
            };
            let wait = jitter(limits.step * (attempt + 1));
            let left = limits.deadline.saturating_sub(started.elapsed());
            if attempt >= limits.retries || wait >= left || !budget.spend() {
                return Err(error);
            }
            last = Some(error);
            metrics::counter!("upstream_retries_total", "part" => call.part.name()).increment(1);
            tokio::time::sleep(wait).await;
        }
        Err(Error::Deadline)
    }

    async fn attempt<T>(&self, call: &Call, read: Read<T>) -> Result<Sized<T>, Error> {
        let separator = if call.query.as_str().is_empty() {
            ""
        } else {
            "?"
        };
        let address = format!(
            "{}/{}{separator}{}",
            self.inner.base,
            call.path.filled,
            call.query.as_str()
        );
        let mut request = self
            .inner
            .http
            .request(call.method.clone(), address)
            .headers(call.headers.clone());
        if let Some(body) = &call.body {
            request = request.body(body.clone());
        }
        let response = request
            .send()
            .await
            .map_err(|error| receive::transport(&error))?;
        let status = response.status().as_u16();
        debug!(
            upstream.call = call.path.template,
            status, "The upstream answered"
        );
        let body = receive::read_capped(response, self.inner.config.body_cap).await?;
        decode(
            &receive::judge(status, &body)?,
            read,
            call.path.template,
            body.len(),
        )
    }

    fn limits(&self, class: Class) -> Limits {
        let (deadlines, retries) = (&self.inner.config.deadlines, &self.inner.config.retries);
        let page = |deadline| Limits {
            deadline,
            attempt: deadline,
            retries: retries.page,
            step: retries.page_step,
        };
        match class {
            Class::Critical => page(deadlines.critical),
            Class::Optional => page(deadlines.optional),
            Class::Order => Limits {
                deadline: deadlines.order,
                attempt: deadlines.order_attempt,
                retries: retries.order,
                step: retries.order_step,
            },
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
    if let Some(trace) = &caller.trace {
        put(&mut headers, "traceparent", trace.as_str());
    }
    headers
}

/// All our values are visible ASCII by their types; one that were not would be left out.
fn put(headers: &mut HeaderMap, name: &'static str, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(HeaderName::from_static(name), value);
    }
}

fn decode<T>(
    json: &Value,
    read: Read<T>,
    path: &'static str,
    size: usize,
) -> Result<Sized<T>, Error> {
    let dropped = Cell::new(0);
    let value = read(Wire::new(json, &dropped).object("no object")?)?;
    if dropped.get() > 0 {
        let count = u64::try_from(dropped.get()).unwrap_or(u64::MAX);
        metrics::counter!("upstream_dropped_elements_total", "call" => path).increment(count);
        warn!(
            upstream.call = path,
            count, "Left out {count} elements of an answer that can't be read"
        );
    }
    Ok(Sized { value, size })
}

/// Of two failed tries the one that leaves more open: once the upstream may have seen the call, "not reached" would lie.
fn worse(earlier: Option<Error>, now: Error) -> Error {
    match earlier {
        Some(earlier) if earlier.outcome_unknown() && !now.outcome_unknown() => earlier,
        _ => now,
    }
}

/// Full jitter: callers that failed together do not come back together.
fn jitter(longest: Duration) -> Duration {
    longest.mul_f64(rand::rng().random::<f64>())
}

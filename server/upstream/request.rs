//! The one way out: deadline, tries, budget, breaker, metrics. Every call of the client goes through
//! `Upstream::request`.
//!
//! Metrics: `upstream_calls_total{part,call,outcome}` (`late`: an answer that nobody waited for any more), `upstream_retries_total{part}`, `upstream_call_seconds{part}`,
//! `upstream_breaker_open{part}`, `upstream_dropped_elements_total{call}`.

use std::{
    cell::Cell,
    pin::pin,
    time::{Duration, Instant},
};

use axum::http::{HeaderName, Method, header};
use rand::RngExt as _;
use serde_json::Value;
use tracing::{Instrument as _, debug, error, info, info_span, warn};

use super::{
    Answer, Caller, Class, Error, Upstream,
    breaker::Part,
    call::{Call, Watch},
    deadline::{in_time, write_in_time},
    receive,
    renewals::Renewed,
    wire::{Bad, Wire},
};
use crate::telemetry;

/// Reads an answer from its JSON.
pub(super) type Read<T> = fn(Wire<'_>) -> Result<T, Bad>;

/// Takes what it wants out of the JSON of an answer. Whatever is sent is sent by one code, whatever is read.
type Take<'a> = dyn FnMut(&Value) -> Result<(), Error> + Send + 'a;

/// A decoded answer and how long its JSON was.
pub(super) struct Sized<T> {
    pub value: T,
    pub size: usize,
}

/// How long and how often a call of a class may be tried.
struct Limits {
    /// When it was asked for.
    started: Instant,
    deadline: Duration,
    /// The page or change that waits for it leaves it less time than it has by itself.
    is_cut: bool,
    attempt: Duration,
    retries: u32,
    step: Duration,
    pace: Pace,
}

/// How the waits before retries are spread.
#[derive(Clone, Copy)]
enum Pace {
    /// Inside a page: anything up to the step.
    Quick,
    /// Outside: n steps before retry n (HT-05), and up to a tenth more, so that those who failed together do not come
    /// back together.
    Stepped,
}

impl Limits {
    /// What is left of all tries together.
    fn left(&self) -> Duration {
        self.deadline.saturating_sub(self.started.elapsed())
    }

    /// The wait before retry `number`, from 1.
    fn wait(&self, number: u32) -> Duration {
        let whole = self.step * number;
        match self.pace {
            Pace::Quick => jitter(whole),
            Pace::Stepped => whole + jitter(whole / 10),
        }
    }
}

impl Upstream {
    /// The answer of a call for one guest, never from the cache.
    pub(super) async fn ask<T: Send>(&self, call: Call, read: Read<T>) -> Result<T, Error> {
        self.request(&call, read).await.map(|answer| answer.value)
    }

    /// The public answer of a shared call, from the cache if it may be. What an order depends on is always asked anew.
    pub(super) async fn catalogue<T: Send + Sync + 'static>(
        &self,
        mut call: Call,
        read: Read<T>,
    ) -> Result<Answer<T>, Error> {
        let timeout = match call.class {
            Class::Critical => in_time(self.inner.config.deadlines.critical),
            Class::Optional => in_time(self.inner.config.deadlines.optional),
            Class::Order => return self.ask(call, read).await.map(Answer::new),
        };
        // The call may be waited for by guests of both classes, so it gets the longer deadline.
        call.class = Class::Critical;
        call.patient = true;
        let (key, freshness, upstream) = (call.cache_key(), call.freshness, self.clone());
        // A page waits for many calls at once: their state belongs on the heap, not into the future of the page.
        let fetch = Box::pin(async move { upstream.request(&call, read).await });
        self.inner
            .catalogue
            .get(key, timeout, freshness, fetch)
            .await
    }

    /// The answer of now, and kept for the pages to come. Other calls for the same meanwhile share it.
    pub(super) async fn renewed<T: Send + Sync + 'static>(
        &self,
        mut call: Call,
        read: Read<T>,
    ) -> Result<Answer<T>, Error> {
        call.class = Class::Critical;
        let (key, upstream) = (call.cache_key(), self.clone());
        let fetch = Box::pin(async move { upstream.request(&call, read).await });
        let timeout = in_time(self.inner.config.deadlines.critical);
        self.inner.catalogue.renew(key, timeout, fetch).await
    }

    /// Whether the catalogue has an answer to a call, however old.
    pub(super) async fn keeps(&self, call: &Call) -> bool {
        self.inner.catalogue.keeps(&call.cache_key()).await
    }

    /// Marks the kept answer of a call as old: it is asked for anew, and stands only while that fails.
    pub(super) async fn outdate(&self, call: &Call) {
        self.inner.catalogue.outdate(&call.cache_key()).await;
    }

    /// The bearer of a caller to be kept for later: where a call has lost it a moment ago, the one that has replaced it.
    #[must_use]
    pub fn bearer_to_keep(&self, caller: &Caller) -> Option<String> {
        let own = caller.bearer.as_ref()?;
        let after = self.inner.renewals.after(own);
        Some(after.as_ref().unwrap_or(own).as_str().to_owned())
    }

    /// Sends a call, again if that may help, and reads its answer.
    pub(super) async fn request<T: Send>(
        &self,
        call: &Call,
        read: Read<T>,
    ) -> Result<Sized<T>, Error> {
        let (mut value, path) = (None, call.path.template);
        let mut take = |json: &Value| {
            value = Some(decode(json, read, path)?);
            Ok(())
        };
        let size = self.exchange(call, &mut take).await?;
        let value = value.ok_or(Error::BadAnswer { why: "not read" })?;
        Ok(Sized { value, size })
    }

    /// The bytes of an answer that was taken.
    async fn exchange(&self, call: &Call, take: &mut Take<'_>) -> Result<usize, Error> {
        let limits = self.limits(call);
        let mut earlier = None;
        let result = match self.tries(call, take, &limits, &mut earlier).await {
            // An upstream that wants a sign-in for what is everybody's is at fault; what it said before still stands.
            Err(Error::Unauthorized) if call.shared => Err(Error::UNEXPECTED_SIGN_IN),
            Err(Error::Unauthorized) => {
                let renewed = self.again(call, take, &limits, &mut earlier).await;
                // A work that an earlier try may have done is not undone by a sign-in that has ended since.
                renewed.map_err(|error| match error {
                    Error::Unauthorized | Error::Unreachable { .. } if call.keyed => {
                        worse(earlier, error)
                    }
                    other => other,
                })
            }
            other => other,
        };
        let took = limits.started.elapsed();
        let (part, path) = (call.part.name(), call.path.template);
        let is_in_time = !call.patient || took <= limits.deadline;
        let outcome = result
            .as_ref()
            .map_or_else(Error::class, |_| match is_in_time {
                true => "ok",
                false => "late",
            });
        metrics::counter!("upstream_calls_total", "part" => part, "call" => path, "outcome" => outcome).increment(1);
        metrics::histogram!("upstream_call_seconds", "part" => part).record(took.as_secs_f64());
        if let Err(error) = &result {
            report(call, error, took);
        }
        result
    }

    /// Sends a call again under another bearer, once, if one can be had (AU-07). It is the same work with the same key.
    async fn again(
        &self,
        call: &Call,
        take: &mut Take<'_>,
        limits: &Limits,
        earlier: &mut Option<Error>,
    ) -> Result<usize, Error> {
        let Some((lost, renewal)) = &call.renewal else {
            return Err(Error::Unauthorized);
        };
        let renewed = self.inner.renewals.renew(lost, renewal);
        let refused = match tokio::time::timeout(limits.left(), renewed).await {
            Ok(Renewed::Bearer(bearer)) => {
                let call = call.clone().renewed(&bearer);
                match self.tries(&call, take, limits, earlier).await {
                    Err(Error::Unauthorized) => bearer,
                    other => return other,
                }
            }
            Ok(Renewed::Refused) => lost.clone(),
            // Refused it was, so no work is done; whether the guest is signed in is not known.
            Ok(Renewed::Later) => {
                let why = "the sign-in could not be renewed".to_owned();
                return Err(Error::Unreachable { why });
            }
            Err(_) => return Err(Error::Deadline),
        };
        renewal.end(refused).await;
        Err(Error::Unauthorized)
    }

    /// `last` is the failure of the last try that was to be sent again.
    async fn tries(
        &self,
        call: &Call,
        take: &mut Take<'_>,
        limits: &Limits,
        last: &mut Option<Error>,
    ) -> Result<usize, Error> {
        let (breaker, budget) = (
            self.inner.breakers.of(call.part),
            self.inner.budgets.of(call.part, call.class),
        );
        for attempt in 0.. {
            let left = limits.left();
            if left.is_zero() {
                return Err(last.take().unwrap_or(Error::Deadline));
            }
            // Refused after an earlier try went out: that try's failure is the truth, its work may have been done.
            let Some(permit) = breaker.enter(left).await else {
                return Err(last.take().unwrap_or(Error::BreakerOpen));
            };
            let left = limits.left();
            if attempt == 0 {
                budget.deposit();
            }
            let span = info_span!(
                "upstream",
                upstream.call = call.path.template,
                attempt,
                otel.kind = "client",
            );
            let mut tried = pin!(self.attempt(call, take).instrument(span));
            let result = tokio::time::timeout(left.min(limits.attempt), &mut tried).await;
            let is_late = result.is_err();
            let result = result.unwrap_or(Err(Error::Deadline));
            if is_late && limits.is_cut && left < limits.attempt {
                // That other calls have taken the time of the page says nothing about this part of the upstream.
                drop(permit);
            } else {
                permit.settle(result.as_ref().is_err_and(Error::is_failure));
            }
            let open = f64::from(u8::from(breaker.is_open()));
            metrics::gauge!("upstream_breaker_open", "part" => call.part.name()).set(open);
            if is_late && call.patient {
                let left = self.inner.config.deadlines.late;
                let late =
                    tokio::time::timeout(left.saturating_sub(limits.started.elapsed()), tried);
                return late.await.unwrap_or(Err(Error::Deadline));
            }
            let error = match result {
                Ok(answer) => return Ok(answer),
                Err(Error::Rejected(rejection)) if call.keyed && rejection.status == 409 => {
                    // Our earlier try of the same work is still under way: its end is not known yet.
                    Error::Unavailable { status: Some(409) }
                }
                Err(error) if !error.is_retryable() => return Err(error),
                Err(error) if call.once && error.outcome_unknown() => return Err(error),
                Err(error) => worse(last.take(), error),
            };
            let wait = limits.wait(attempt + 1);
            if attempt >= limits.retries || wait >= limits.left() || !budget.withdraw() {
                return Err(error);
            }
            *last = Some(error);
            metrics::counter!("upstream_retries_total", "part" => call.part.name()).increment(1);
            tokio::time::sleep(wait).await;
        }
        Err(Error::Deadline)
    }

    async fn attempt(&self, call: &Call, take: &mut Take<'_>) -> Result<usize, Error> {
        telemetry::count_call();
        let address = format!("{}/{}", self.inner.base, call.target());
        let mut headers = call.headers.clone();
        telemetry::name_trace(&mut headers);
        let mut request = self
            .http(call.part)
            .request(call.method.clone(), address)
            .headers(headers);
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
        take(&receive::judge(status, &body)?)?;
        Ok(body.len())
    }

    /// The geo service has connections of its own (HT-06).
    fn http(&self, part: Part) -> &reqwest::Client {
        match part {
            Part::Geo => &self.inner.geo,
            _ => &self.inner.http,
        }
    }

    fn limits(&self, call: &Call) -> Limits {
        let (deadlines, retries) = (&self.inner.config.deadlines, &self.inner.config.retries);
        let started = Instant::now();
        let page = |deadline| Limits {
            started,
            deadline,
            is_cut: false,
            attempt: deadline,
            retries: retries.page,
            step: retries.page_step,
            pace: Pace::Quick,
        };
        let own = match call.class {
            // Asked for by itself, not inside a page: as patient as the specification (HT-06).
            Class::Critical if call.part == Part::Geo => Limits {
                started,
                deadline: deadlines.geo,
                is_cut: false,
                attempt: deadlines.critical,
                retries: retries.order,
                step: retries.order_step,
                pace: Pace::Stepped,
            },
            Class::Critical => page(deadlines.critical),
            Class::Optional => page(deadlines.optional),
            Class::Order => {
                return Limits {
                    started,
                    deadline: deadlines.order,
                    is_cut: false,
                    attempt: deadlines.order_attempt,
                    retries: retries.order,
                    step: retries.order_step,
                    pace: Pace::Stepped,
                };
            }
        };
        let deadline = if call.method == Method::GET {
            in_time(own.deadline)
        } else {
            write_in_time(own.deadline)
        };
        Limits {
            deadline,
            is_cut: deadline < own.deadline,
            ..own
        }
    }
}

fn decode<T>(json: &Value, read: Read<T>, path: &'static str) -> Result<T, Error> {
    let dropped = Cell::new(0);
    // Nothing at all is an answer to some calls; anything else but an object is one to none.
    if !json.is_object() && !json.is_null() {
        return Err(Error::BadAnswer { why: "no object" });
    }
    let value = read(Wire::new(json, &dropped))?;
    left_out(path, dropped.get());
    Ok(value)
}

fn left_out(path: &'static str, elements: usize) {
    let count = u64::try_from(elements).unwrap_or(u64::MAX);
    // Also nothing: what begins with a number has not grown.
    metrics::counter!("upstream_dropped_elements_total", "call" => path).increment(count);
    if count > 0 {
        warn!(
            upstream.call = path,
            count, "Left out {count} elements of an answer that can't be read"
        );
    }
}

/// Logs a failure: an ill upstream as a warning, a watched call at its own level whatever happened (HT-09). What the
/// API itself said is reported with what was sent, by names alone, as values may be personal (HT-11, S-21); a network
/// that fails is no exception of the API, and a call that was given up never comes here.
fn report(call: &Call, error: &Error, took: Duration) {
    let (path, outcome, ms) = (call.path.template, error.class(), took.as_millis());
    macro_rules! tell {
        ($tell:ident, $said:expr) => {
            match error.said() {
                Some(status) => $tell!(
                    upstream.call = path,
                    upstream.outcome = outcome,
                    upstream.method = %call.method,
                    upstream.status = status,
                    upstream.params = call.query.names(),
                    upstream.headers = header_names(call),
                    upstream.body = body_names(call),
                    upstream.signed_in = call.headers.contains_key(header::AUTHORIZATION),
                    upstream.code = code_of(error),
                    ms,
                    "{}{error}", $said
                ),
                None => $tell!(
                    upstream.call = path,
                    upstream.outcome = outcome,
                    ms,
                    "{}{error}", $said
                ),
            }
        };
    }
    match call.watch {
        Watch::Error => tell!(error, ""),
        Watch::Warning => tell!(warn, ""),
        // That the breaker is open has been told when it opened.
        Watch::No if matches!(error, Error::BreakerOpen) => tell!(debug, ""),
        Watch::No if error.is_temporary() => tell!(warn, "The upstream failed: "),
        Watch::No if error.said().is_some() => tell!(info, "The upstream refused: "),
        Watch::No => {}
    }
}

/// The machine's code of a refusal, if it has the shape of one: other text there may be personal.
fn code_of(error: &Error) -> &str {
    let code = error.code().unwrap_or_default();
    let is_plain = code.len() <= 64
        && code
            .bytes()
            .all(|byte| byte == b'_' || byte.is_ascii_lowercase());
    if is_plain { code } else { "other" }
}

/// Names of the headers sent, but the one that signs the guest in.
fn header_names(call: &Call) -> String {
    let names: Vec<&str> = call
        .headers
        .keys()
        .filter(|name| *name != header::AUTHORIZATION)
        .map(HeaderName::as_str)
        .collect();
    names.join(",")
}

/// Names of the fields sent.
fn body_names(call: &Call) -> String {
    let json = call.body.as_deref().map(serde_json::from_slice);
    let Some(Ok(Value::Object(fields))) = json else {
        return String::new();
    };
    fields
        .keys()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(",")
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

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(pace: Pace, step: Duration) -> Limits {
        Limits {
            started: Instant::now(),
            deadline: Duration::MAX,
            is_cut: false,
            attempt: Duration::MAX,
            retries: 3,
            step,
            pace,
        }
    }

    #[test]
    fn outside_a_page_retries_wait_one_two_and_three_seconds() {
        let retries = super::super::config::Retries::default();
        for _ in 0..1000 {
            for number in 1..=3 {
                let wait = limits(Pace::Stepped, retries.order_step).wait(number);
                let seconds = Duration::from_secs(number.into());
                assert!((seconds..=seconds * 11 / 10).contains(&wait), "{wait:?}");
                let wait = limits(Pace::Quick, retries.page_step).wait(number);
                assert!(wait <= Duration::from_millis(50) * number, "{wait:?}");
            }
        }
    }

    /// those who failed together come back over the whole span.
    #[test]
    fn waits_before_retries_are_spread_over_their_whole_span() {
        let retries = super::super::config::Retries::default();
        for (pace, step, least, span) in [
            (Pace::Quick, retries.page_step, Duration::ZERO, 100),
            (
                Pace::Stepped,
                retries.order_step,
                Duration::from_secs(2),
                200,
            ),
        ] {
            let limits = limits(pace, step);
            let mut waits: Vec<u128> = (0..1000)
                .map(|_| limits.wait(2).saturating_sub(least).as_nanos())
                .collect();
            waits.sort_unstable();
            waits.dedup();
            assert!(waits.len() > 900, "{} distinct waits", waits.len());
            let percent = span * 1_000_000 / 100;
            assert!(waits.first().is_some_and(|wait| *wait < 20 * percent));
            assert!(waits.last().is_some_and(|wait| *wait > 80 * percent));
        }
    }

    #[test]
    fn a_work_that_may_be_done_stays_so_when_the_next_try_cannot_connect() {
        let lost = Error::Unavailable { status: None };
        let unreachable = Error::Unreachable {
            why: "connection refused".to_owned(),
        };
        assert_eq!(worse(Some(lost.clone()), unreachable.clone()), lost);
        assert_eq!(worse(Some(unreachable.clone()), lost.clone()), lost);
        assert_eq!(worse(Some(lost), Error::Deadline), Error::Deadline);
        assert_eq!(worse(None, unreachable.clone()), unreachable);
    }
}

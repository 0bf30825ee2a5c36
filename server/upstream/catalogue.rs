//! The cache of public answers: fresh for a minute, renewed behind the guest's back for ten, kept for a
//! day for when the upstream is down. However many guests miss one answer at once, one call is made.
//!
//! Metric: `upstream_cache_total{state}` with `fresh`, `stale`, `stale_on_error`, `miss`, `renewed`, `error`;
//! `coalesced` counts those who joined a call under way.

use std::{
    any::Any,
    collections::{HashMap, HashSet},
    ops::Deref,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use futures_util::{
    FutureExt as _,
    future::{BoxFuture, Shared},
};
use tokio::sync::oneshot;

use super::{CacheTimes, Clock, Error, Freshness, request::Sized};
use crate::telemetry;

/// An answer that may be shared by many guests, and may be old.
#[derive(Debug)]
pub struct Answer<T> {
    value: Arc<T>,
    age: Duration,
    stale: bool,
}

#[derive(Clone)]
pub(super) struct Catalogue {
    inner: Arc<Inner>,
}

struct Inner {
    times: CacheTimes,
    clock: Clock,
    answers: moka::future::Cache<Arc<str>, Entry>,
    flights: Mutex<HashMap<Arc<str>, Flight>>,
    /// How long a call under way is joined. Its answer may come later, for those who ask next.
    joined: Duration,
    /// Keys of which a call goes on that is joined no more: one of each, or a slow upstream had ever more to do.
    late: Mutex<HashSet<Arc<str>>>,
}

/// One call under way, with everyone who waits for it.
type Flight = Shared<BoxFuture<'static, Result<Entry, Error>>>;

#[derive(Clone)]
struct Entry {
    value: Arc<dyn Any + Send + Sync>,
    size: u32,
    /// When it was asked for, by our clock.
    asked: Duration,
    /// When it was answered.
    at: Duration,
    /// When something else has told that it is wrong.
    outdated: Option<Duration>,
}

impl<T> Answer<T> {
    /// One that was just made.
    pub(super) fn new(value: T) -> Self {
        Self {
            value: Arc::new(value),
            age: Duration::ZERO,
            stale: false,
        }
    }

    /// Whether it is older than a fresh one may be: pages made of it should be renewed soon.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        self.stale
    }

    /// How long ago the upstream said it.
    #[must_use]
    pub fn age(&self) -> Duration {
        self.age
    }

    /// The value itself, to keep.
    #[must_use]
    pub fn value(&self) -> &Arc<T> {
        &self.value
    }
}

impl<T> Deref for Answer<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> Clone for Answer<T> {
    fn clone(&self) -> Self {
        Self {
            value: Arc::clone(&self.value),
            ..*self
        }
    }
}

impl Catalogue {
    pub fn new(times: CacheTimes, joined: Duration, clock: Clock) -> Self {
        let answers = moka::future::Cache::builder()
            .max_capacity(times.weight)
            .weigher(|key: &Arc<str>, entry: &Entry| {
                entry
                    .size
                    .saturating_add(u32::try_from(key.len()).unwrap_or(u32::MAX))
            })
            .time_to_live(times.on_error)
            .build();
        Self {
            inner: Arc::new(Inner {
                times,
                clock,
                answers,
                flights: Mutex::default(),
                joined,
                late: Mutex::default(),
            }),
        }
    }

    /// The answer of a key, by `fetch` if need be. The fetch runs on its own: a guest who leaves does not stop it for
    /// the others.
    pub async fn get<T, F>(
        &self,
        key: String,
        timeout: Duration,
        freshness: Freshness,
        fetch: F,
    ) -> Result<Answer<T>, Error>
    where
        T: Send + Sync + 'static,
        F: Future<Output = Result<Sized<T>, Error>> + Send + 'static,
    {
        let key: Arc<str> = key.into();
        let (times, entry) = (self.inner.times, self.inner.entry(&key).await);
        let limit = match freshness {
            Freshness::Usual => times.fresh,
            Freshness::Recent | Freshness::Forced => times.recent.min(times.fresh),
        };
        let Some((entry, age)) = entry else {
            return match tokio::time::timeout(timeout, self.fly(key, limit, fetch))
                .await
                .unwrap_or(Err(Error::Deadline))
            {
                Ok(entry) => self.answer(&entry, "miss"),
                Err(error) => Err(counted("error", error)),
            };
        };
        let outdated = entry.outdated.is_some();
        if age < limit && !outdated {
            return self.answer(&entry, "fresh");
        }
        let flight = self.fly(key, limit, fetch);
        let wait = match freshness {
            Freshness::Usual if age < times.revalidate && !outdated => {
                return self.answer(&entry, "stale");
            }
            Freshness::Usual | Freshness::Recent => timeout.min(times.timeout),
            Freshness::Forced => timeout,
        };
        match tokio::time::timeout(wait, flight)
            .await
            .unwrap_or(Err(Error::Deadline))
        {
            Ok(entry) => self.answer(&entry, "miss"),
            Err(error) if error.is_temporary() => self.answer(&entry, "stale_on_error"),
            Err(error) => Err(counted("error", error)),
        }
    }

    /// The answer of a key by `fetch`, whatever is kept; it takes the place of that.
    pub async fn renew<T, F>(
        &self,
        key: String,
        timeout: Duration,
        fetch: F,
    ) -> Result<Answer<T>, Error>
    where
        T: Send + Sync + 'static,
        F: Future<Output = Result<Sized<T>, Error>> + Send + 'static,
    {
        let key: Arc<str> = key.into();
        // A call under way may have read before the moment that the caller asks about.
        let landing = Landing {
            inner: Arc::clone(&self.inner),
            key,
            asked: self.inner.clock.now(),
        };
        let fetched = tokio::time::timeout(timeout, landing.land(fetch))
            .await
            .unwrap_or(Err(Error::Deadline));
        match fetched {
            Ok(entry) => self.answer(&entry, "renewed"),
            Err(error) => Err(counted("error", error)),
        }
    }

    /// Whether there is an answer to a key that may still be given, if only when no newer one comes.
    pub async fn keeps(&self, key: &str) -> bool {
        self.inner.entry(&key.into()).await.is_some()
    }

    /// Makes the kept answer of a key so old that the next guest waits for a newer one, and gets this one only when
    /// that does not come.
    pub async fn outdate(&self, key: &str) {
        let key: Arc<str> = key.into();
        if let Some(entry) = self.inner.answers.get(&key).await {
            let entry = Entry {
                outdated: Some(self.inner.clock.now()),
                ..entry
            };
            self.inner.answers.insert(key, entry).await;
        }
    }

    /// Joins the call under way for a key, or starts it.
    fn fly<T, F>(&self, key: Arc<str>, limit: Duration, fetch: F) -> Flight
    where
        T: Send + Sync + 'static,
        F: Future<Output = Result<Sized<T>, Error>> + Send + 'static,
    {
        let mut flights = self.inner.flights();
        if let Some(flight) = flights.get(&key) {
            metrics::counter!("upstream_cache_total", "state" => "coalesced").increment(1);
            return flight.clone();
        }
        let listed = Listed {
            inner: Arc::clone(&self.inner),
            key: Arc::clone(&key),
        };
        let landing = Landing {
            inner: Arc::clone(&self.inner),
            key: Arc::clone(&key),
            asked: self.inner.clock.now(),
        };
        let (tell, done) = oneshot::channel();
        tokio::spawn(telemetry::of_request(async move {
            let joined = listed.inner.joined;
            let mut landed = Box::pin(landing.fly(limit, fetch));
            let in_time = tokio::time::timeout(joined, &mut landed).await.ok();
            let late = match in_time {
                Some(_) => None,
                None => Late::of(&listed),
            };
            drop(listed);
            // Who waited may have gone.
            let _ = tell.send(in_time.unwrap_or(Err(Error::Deadline)));
            if late.is_some() {
                let _ = landed.await;
            }
        }));
        let failed = Error::BadAnswer {
            why: "the call broke off",
        };
        let flight = done
            .map(move |done| done.unwrap_or(Err(failed)))
            .boxed()
            .shared();
        flights.insert(key, flight.clone());
        flight
    }

    fn answer<T: Send + Sync + 'static>(
        &self,
        entry: &Entry,
        state: &'static str,
    ) -> Result<Answer<T>, Error> {
        metrics::counter!("upstream_cache_total", "state" => state).increment(1);
        let age = self.inner.age(entry);
        // The path is part of the key and has one type of answer, so this can't fail.
        let value = Arc::clone(&entry.value)
            .downcast()
            .map_err(|_| Error::BadAnswer {
                why: "another answer's key",
            })?;
        Ok(Answer {
            value,
            age,
            stale: age >= self.inner.times.fresh || entry.outdated.is_some(),
        })
    }
}

impl Inner {
    async fn entry(&self, key: &Arc<str>) -> Option<(Entry, Duration)> {
        let entry = self.answers.get(key).await?;
        let age = self.age(&entry);
        (age < self.times.on_error).then_some((entry, age))
    }

    fn age(&self, entry: &Entry) -> Duration {
        self.clock.now().saturating_sub(entry.at)
    }

    fn flights(&self) -> MutexGuard<'_, HashMap<Arc<str>, Flight>> {
        self.flights.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn late(&self) -> MutexGuard<'_, HashSet<Arc<str>>> {
        self.late.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes a call off the list of those under way when it ends, even by a panic, or when it is joined no more.
struct Listed {
    inner: Arc<Inner>,
    key: Arc<str>,
}

/// The one call of a key that goes on though it is joined no more.
struct Late {
    inner: Arc<Inner>,
    key: Arc<str>,
}

impl Late {
    /// None while there is another one.
    fn of(call: &Listed) -> Option<Self> {
        let is_first = call.inner.late().insert(Arc::clone(&call.key));
        is_first.then(|| Self {
            inner: Arc::clone(&call.inner),
            key: Arc::clone(&call.key),
        })
    }
}

/// Keeps the answer of a call.
struct Landing {
    inner: Arc<Inner>,
    key: Arc<str>,
    /// When the call went out: what was asked for since is newer than its answer, and so is what was told since.
    asked: Duration,
}

impl Landing {
    async fn fly<T, F>(self, limit: Duration, fetch: F) -> Result<Entry, Error>
    where
        T: Send + Sync + 'static,
        F: Future<Output = Result<Sized<T>, Error>> + Send + 'static,
    {
        // Another flight may have landed between our caller's look into the cache and its joining the list.
        if let Some((entry, age)) = self.inner.entry(&self.key).await
            && age < limit
            && entry.outdated.is_none()
        {
            return Ok(entry);
        }
        self.land(fetch).await
    }

    async fn land<T, F>(self, fetch: F) -> Result<Entry, Error>
    where
        T: Send + Sync + 'static,
        F: Future<Output = Result<Sized<T>, Error>> + Send + 'static,
    {
        let fetched = fetch.await;
        let known = self.inner.answers.get(&self.key).await;
        match fetched {
            Ok(Sized { value, size }) => {
                let size = u32::try_from(size).unwrap_or(u32::MAX);
                let outdated = known.as_ref().and_then(|known| known.outdated);
                let entry = Entry {
                    value: Arc::new(value),
                    size,
                    asked: self.asked,
                    at: self.inner.clock.now(),
                    outdated: outdated.filter(|at| *at > self.asked),
                };
                if let Some(newer) = known.filter(|known| known.asked > self.asked) {
                    return Ok(newer);
                }
                self.inner
                    .answers
                    .insert(Arc::clone(&self.key), entry.clone())
                    .await;
                Ok(entry)
            }
            Err(error) => {
                if error == Error::NotFound && known.is_none_or(|known| known.asked <= self.asked) {
                    self.inner.answers.invalidate(&self.key).await;
                }
                Err(error)
            }
        }
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        self.inner.flights().remove(&self.key);
    }
}

impl Drop for Late {
    fn drop(&mut self) {
        self.inner.late().remove(&self.key);
    }
}

fn counted(state: &'static str, error: Error) -> Error {
    metrics::counter!("upstream_cache_total", "state" => state).increment(1);
    error
}

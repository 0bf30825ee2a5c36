//! The page cache: pages of blank sessions, compressed (architecture.md, step 4; S-12).
//!
//! Only pages that read nothing of a session come here. A hit costs a hash look-up. Fresh pages are answered as they
//! are; stale ones too, while one task renders them again; older ones only when the upstream fails.
//!
//! A page is cached from its second request on: random words and numbers make any number of addresses, and compressing
//! a page well takes twenty times as long as rendering it.

use std::{
    collections::HashSet,
    hash::{BuildHasher as _, RandomState},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, HeaderValue, Response, StatusCode, header},
};
use moka::{ops::compute::Op, sync::Cache};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{
    values::{Country, Lang, Service},
    web::encoding::{
        Encoding,
        etag::{self, Tags},
        opening::Opening,
    },
};

/// A reload is answered with a page rendered within this time, so reloads do not render it more often.
const RECENT: Duration = Duration::from_secs(3);

/// Effort of compressing for everybody.
const EFFORT_CACHED: u32 = 10;
/// A request within this time, or twice of it, is the second one for its address.
const WINDOW: Duration = Duration::from_secs(300);
/// The most addresses that are remembered in that time; half a megabyte.
const MOST_SEEN: usize = 16 * 1024;

/// Everything that a page of a blank session may depend on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Key {
    /// Path and the query keys that the route declares.
    pub url: String,
    /// Language of the page.
    pub lang: Lang,
    /// Country of the visit.
    pub country: Country,
    /// Chosen town.
    pub town: u32,
    /// Chosen service.
    pub service: Service,
    /// Inside of a host app.
    pub in_app: bool,
    /// Origin that absolute links use.
    pub origin: String,
    /// The configuration of the host, by its number: another one from the moment it changes.
    pub custom: u64,
}

/// A rendered page, compressed.
pub struct CachedPage {
    plain: Bytes,
    br: Bytes,
    gzip: Bytes,
    tags: Tags,
    csp: HeaderValue,
    rendered: Instant,
    /// How long what it says of opening hours is true.
    valid_for: Option<Duration>,
    refreshing: AtomicBool,
    /// Marked as wrong by newer data.
    outdated: AtomicBool,
}

/// How old a cached page is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Age {
    /// To be answered as it is.
    Fresh,
    /// To be answered; the caller has to render it again.
    Revalidate,
    /// To be answered; another task renders it again.
    Stale,
    /// To be answered only when rendering fails.
    OnError,
}

/// The page cache.
pub struct PageCache {
    pages: Cache<Key, Arc<CachedPage>>,
    fresh: Duration,
    stale: Duration,
    hasher: RandomState,
    seen: Mutex<Seen>,
    packers: Arc<Semaphore>,
}

/// Hashes of addresses that were asked for of late, in two generations.
struct Seen {
    now: HashSet<u64>,
    before: HashSet<u64>,
    since: Instant,
}

impl CachedPage {
    /// Compresses a document for everybody; takes long, so call it off the request's thread.
    #[must_use]
    pub fn new(document: String, csp: HeaderValue) -> Self {
        let pack = |encoding: Encoding| {
            encoding
                .pack(document.as_bytes(), EFFORT_CACHED)
                .unwrap_or_default()
        };
        let (br, gzip) = (pack(Encoding::Brotli), pack(Encoding::Gzip));
        Self::of(document, csp, br, gzip)
    }

    /// The same for one request only, quickly.
    #[must_use]
    pub fn once(
        document: String,
        csp: HeaderValue,
        headers: &HeaderMap,
        opening: Option<&Opening>,
        effort: u32,
    ) -> Self {
        let best = Encoding::best(headers);
        let packed = best
            .pack_document(document.as_bytes(), opening, effort)
            .unwrap_or_default();
        match best {
            Encoding::Brotli => Self::of(document, csp, packed, Vec::new()),
            Encoding::Gzip | Encoding::Identity => Self::of(document, csp, Vec::new(), packed),
        }
    }

    /// With the time for which what it says of opening hours is true.
    #[must_use]
    pub fn valid_for(self, valid_for: Option<Duration>) -> Self {
        Self { valid_for, ..self }
    }

    fn of(document: String, csp: HeaderValue, br: Vec<u8>, gzip: Vec<u8>) -> Self {
        let tags = Tags::of(document.as_bytes());
        Self {
            plain: document.into(),
            br: br.into(),
            gzip: gzip.into(),
            tags,
            csp,
            rendered: Instant::now(),
            valid_for: None,
            refreshing: AtomicBool::new(false),
            outdated: AtomicBool::new(false),
        }
    }

    /// The answer to one request. `stale` marks a page that was cached for too long.
    #[must_use]
    pub fn answer(&self, headers: &HeaderMap, stale: bool) -> Response<Body> {
        let mut response = Response::new(Body::empty());
        let (bytes, encoding) = match Encoding::best(headers) {
            Encoding::Brotli if !self.br.is_empty() => (&self.br, Encoding::Brotli),
            Encoding::Gzip if !self.gzip.is_empty() => (&self.gzip, Encoding::Gzip),
            _ => (&self.plain, Encoding::Identity),
        };
        let tag = self.tags.tag(encoding);
        let same = etag::is_known(headers, tag);
        let out = response.headers_mut();
        out.insert(
            header::CACHE_CONTROL,
            HeaderValue::from_static("public, max-age=0, must-revalidate"),
        );
        out.insert(
            header::VARY,
            HeaderValue::from_static("accept-encoding, cookie"),
        );
        out.insert(header::ETAG, tag.clone());
        out.insert(header::CONTENT_SECURITY_POLICY, self.csp.clone());
        if stale {
            out.insert("x-stale", HeaderValue::from_static("1"));
        }
        if same {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            return response;
        }
        out.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("text/html; charset=utf-8"),
        );
        if encoding != Encoding::Identity {
            response.headers_mut().insert(
                header::CONTENT_ENCODING,
                HeaderValue::from_static(encoding.name()),
            );
        }
        *response.body_mut() = Body::from(bytes.clone());
        response
    }
}

impl PageCache {
    /// `bytes` bounds what it holds; `fresh` and `stale` are ages.
    #[must_use]
    pub fn new(bytes: u64, fresh: Duration, stale: Duration) -> Self {
        let pages = Cache::builder()
            .max_capacity(bytes)
            .weigher(|key: &Key, page: &Arc<CachedPage>| {
                u32::try_from(key.url.len() + page.plain.len() + page.br.len() + page.gzip.len())
                    .unwrap_or(u32::MAX)
            })
            .time_to_live(Duration::from_secs(24 * 3600))
            .build();
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            pages,
            fresh,
            stale,
            hasher: RandomState::new(),
            seen: Mutex::new(Seen {
                now: HashSet::new(),
                before: HashSet::new(),
                since: Instant::now(),
            }),
            packers: Arc::new(Semaphore::new((cores / 2).max(1))),
        }
    }

    /// Whether this page was requested before, lately; from now on it was.
    #[must_use]
    pub fn is_repeated(&self, key: &Key) -> bool {
        let hash = self.hasher.hash_one(key);
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.since.elapsed() >= WINDOW || seen.now.len() >= MOST_SEEN {
            seen.before = std::mem::take(&mut seen.now);
            seen.since = Instant::now();
        }
        let again = seen.before.contains(&hash);
        !seen.now.insert(hash) || again
    }

    /// The leave to pack a page now, which takes a core for a while; none while others do.
    #[must_use]
    pub fn packer(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.packers).try_acquire_owned().ok()
    }

    /// The same for a page that is kept already: it waits for its turn.
    pub async fn next_packer(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.packers).acquire_owned().await.ok()
    }

    /// How many pages there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pages.run_pending_tasks();
        usize::try_from(self.pages.entry_count()).unwrap_or(usize::MAX)
    }

    /// Whether it is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Looks a page up. `forced` by a guest who has reloaded it, one that is older than a moment is the last resort.
    /// A caller that is told to revalidate a page has to: no other is told while it lasts.
    #[must_use]
    pub fn get(&self, key: &Key, forced: bool) -> Option<(Arc<CachedPage>, Age)> {
        let page = self.pages.get(key)?;
        let age = match self.age(&page, forced) {
            Age::Stale if !page.refreshing.swap(true, Ordering::AcqRel) => Age::Revalidate,
            age => age,
        };
        Some((page, age))
    }

    /// The page while it is fresh. Asking for it claims nothing.
    #[must_use]
    pub fn fresh(&self, key: &Key, forced: bool) -> Option<Arc<CachedPage>> {
        let page = self.pages.get(key)?;
        (self.age(&page, forced) == Age::Fresh).then_some(page)
    }

    fn age(&self, page: &CachedPage, forced: bool) -> Age {
        let old = page.rendered.elapsed();
        let over = page.valid_for.is_some_and(|time| old >= time);
        let wrong = over || page.outdated.load(Ordering::Acquire);
        if wrong || (forced && old >= RECENT.min(self.fresh)) {
            Age::OnError
        } else if old < self.fresh {
            Age::Fresh
        } else if old >= self.stale {
            Age::OnError
        } else {
            Age::Stale
        }
    }

    /// Keeps a page.
    pub fn put(&self, key: Key, page: Arc<CachedPage>) {
        self.pages.insert(key, page);
    }

    /// Puts the better packed bytes of a page in its place, unless it is wrong or gone by now.
    pub fn improve(&self, key: Key, page: &Arc<CachedPage>, mut better: CachedPage) {
        better.rendered = page.rendered;
        better.valid_for = page.valid_for;
        self.pages.entry(key).and_compute_with(|now| match now {
            Some(now)
                if Arc::ptr_eq(now.value(), page) && !page.outdated.load(Ordering::Acquire) =>
            {
                Op::Put(Arc::new(better))
            }
            Some(_) | None => Op::Nop,
        });
    }

    /// Lets the next visitor try to make the page anew, after a try that failed.
    pub fn release(&self, key: &Key) {
        if let Some(page) = self.pages.get(key) {
            page.refreshing.store(false, Ordering::Release);
        }
    }

    /// Forgets a page that is not there any more.
    pub fn forget(&self, key: &Key) {
        self.pages.invalidate(key);
    }

    /// Marks the pages of an address as wrong: the next visitor gets a newer one, and these only when that fails.
    pub fn outdate(&self, path: &str) {
        for (key, page) in &self.pages {
            if key.url.split('?').next() == Some(path) {
                page.outdated.store(true, Ordering::Release);
            }
        }
    }

    /// Forgets everything: the bundle has changed.
    pub fn clear(&self) {
        self.pages.invalidate_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_kept_no_longer_than_what_it_says_of_opening_hours() {
        let cache = PageCache::new(1 << 20, Duration::from_secs(60), Duration::from_secs(600));
        let key = Key {
            url: "/filials/1".to_owned(),
            lang: Lang::En,
            country: Country::Kz,
            town: 0,
            service: Service::Express,
            in_app: false,
            origin: String::new(),
            custom: 0,
        };
        let age = |valid_for| {
            let page = CachedPage::new("page".to_owned(), HeaderValue::from_static(""))
                .valid_for(valid_for);
            cache.put(key.clone(), Arc::new(page));
            cache.get(&key, false).map(|(_, age)| age)
        };
        assert_eq!(age(None), Some(Age::Fresh));
        assert_eq!(age(Some(Duration::from_secs(30))), Some(Age::Fresh));
        assert_eq!(age(Some(Duration::ZERO)), Some(Age::OnError));
    }
}

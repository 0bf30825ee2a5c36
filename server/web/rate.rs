//! How often a guest may change something, and how much all guests of one address may (S-20).
//!
//! One GET makes a session, so limits of sessions are not enough: addresses are counted as well, with room for a
//! restaurant whose guests share one, and for each session that they begin.
//!
//! Several instances count together in the store that they share. While it is away each counts alone, which allows
//! more.

use std::{
    hash::Hash,
    iter,
    net::IpAddr,
    num::NonZeroU32,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use axum::{
    extract::{Request, State},
    http::{StatusCode, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use governor::{
    Quota, RateLimiter,
    clock::{Clock as _, DefaultClock},
    state::keyed::DashMapStateStore,
};

use super::connection::client::{TrustedProxies, subscriber};
use crate::state::allowances::{Allowances, Spend};

/// Keys that have recovered are forgotten after this many checks.
const TIDY_EVERY: u32 = 4096;

type Limiter<K> = RateLimiter<K, DashMapStateStore<K>, DefaultClock>;

/// A burst, and then one more for each pause.
#[derive(Debug, Clone, Copy)]
pub struct Allowance {
    /// At once.
    pub burst: NonZeroU32,
    /// Until one more is allowed.
    pub pause: Duration,
}

impl Allowance {
    /// `count` a minute, a part of them at once.
    #[must_use]
    pub fn per_minute(count: u32, part: u32) -> Self {
        let count = count.max(1);
        Self {
            burst: NonZeroU32::new(count / part.max(1)).unwrap_or(NonZeroU32::MIN),
            pause: Duration::from_secs(60) / count,
        }
    }

    /// `count` an hour, all of them at once.
    #[must_use]
    pub fn per_hour(count: u32) -> Self {
        let burst = NonZeroU32::new(count).unwrap_or(NonZeroU32::MIN);
        Self {
            burst,
            pause: Duration::from_secs(3600) / burst.get(),
        }
    }

    fn spend(&self, what: &'static str, whose: impl ToString) -> Spend {
        Spend {
            what,
            whose: whose.to_string(),
            burst: self.burst.get(),
            pause: self.pause,
        }
    }
}

/// How much is allowed.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Changes of one session.
    pub session: Allowance,
    /// Changes from one address, of all its guests.
    pub address: Allowance,
    /// Those of them that come without a session.
    pub anonymous: Allowance,
    /// Steps of sign-ins from one address by guests who have a session, beside its changes.
    pub sign_ins: Allowance,
    /// Those that come without a session.
    pub first_sign_ins: Allowance,
    /// Orders and bookings that go upstream from one address.
    pub orders: Allowance,
    /// Sessions that one address begins.
    pub sessions: Allowance,
    /// Short-lived ones beyond them that it begins by links.
    pub links: Allowance,
    /// Orders to one table that are neither paid online nor of a signed-in guest.
    pub tables: Allowance,
    /// Calls of a waiter from one address.
    pub calls: Allowance,
    /// Fridges that one guest opens.
    pub locks: Allowance,
    /// Reviews that are reported from one address.
    pub reports: Allowance,
    /// Promo codes that are tried from one address.
    pub codes: Allowance,
    /// Looks from one address at orders and bills that may be others', or none at all.
    pub lookups: Allowance,
    /// Searches from one address by guests who are not signed in.
    pub searches: Allowance,
    /// Searches of one signed-in guest.
    pub guest_searches: Allowance,
    /// Searches from one address for which it is worked out what may be meant, at several times the calls.
    pub guesses: Allowance,
    /// Those of one session.
    pub session_guesses: Allowance,
    /// Those that come without a session.
    pub anonymous_guesses: Allowance,
    /// Those of one signed-in guest, which are none of the address.
    pub guest_guesses: Allowance,
    /// Tiles of the map that are fetched for one address.
    pub tiles: Allowance,
    /// Photos of one account.
    pub photos: Allowance,
}

/// S-17: the fourth in a minute waits, whenever in that minute the first three were.
const LOCKS: Allowance = Allowance {
    burst: match NonZeroU32::new(3) {
        Some(three) => three,
        None => NonZeroU32::MIN,
    },
    pause: Duration::from_secs(60),
};

impl Options {
    /// All numbers are a minute's: changes of one session (a quarter of them at once), then what one address may
    /// change, order and begin. A full room may do its minute's worth at once. Those without a session have half of it:
    /// room for a table full of first taps, while the other half stays for guests who have one.
    #[must_use]
    pub fn per_minute(changes: u32, address: u32, orders: u32, sessions: u32) -> Self {
        Self {
            session: Allowance::per_minute(changes, 4),
            address: Allowance::per_minute(address, 1),
            anonymous: Allowance::per_minute(address / 2, 1),
            sign_ins: Allowance::per_minute(address / 4, 1),
            first_sign_ins: Allowance::per_minute(address / 4, 1),
            orders: Allowance::per_minute(orders, 1),
            sessions: Allowance::per_minute(sessions, 1),
            links: Allowance::per_minute(address / 2, 1),
            tables: Allowance::per_hour(30),
            calls: Allowance::per_hour(60),
            locks: LOCKS,
            reports: Allowance::per_hour(60),
            // Enough for a room of guests with the code of the day, too few to guess one.
            codes: Allowance::per_hour(300),
            lookups: Allowance::per_minute(300, 1),
            searches: Allowance::per_minute(300, 1),
            guest_searches: guest_searches_of(300),
            guesses: guesses_of(300, 1),
            session_guesses: guesses_of(300, SHARE),
            anonymous_guesses: guesses_of(300, 2),
            guest_guesses: guesses_of(300, SHARE),
            // A screen has some dozens, and most of a town's are kept after the first guest.
            tiles: Allowance::per_minute(600, 1),
            photos: Allowance::per_hour(30),
        }
    }

    /// An hour's: orders to one table that are not vouched for, calls of a waiter from one address.
    #[must_use]
    pub fn per_hour(self, tables: u32, calls: u32) -> Self {
        Self {
            tables: Allowance::per_hour(tables),
            calls: Allowance::per_hour(calls),
            ..self
        }
    }

    /// A minute's: what one address may look up, and as often search; all of it at once.
    #[must_use]
    pub fn lookups_per_minute(self, lookups: u32) -> Self {
        Self {
            lookups: Allowance::per_minute(lookups, 1),
            searches: Allowance::per_minute(lookups, 1),
            guest_searches: guest_searches_of(lookups),
            guesses: guesses_of(lookups, 1),
            session_guesses: guesses_of(lookups, SHARE),
            anonymous_guesses: guesses_of(lookups, 2),
            guest_guesses: guesses_of(lookups, SHARE),
            ..self
        }
    }
}

/// More than anybody types.
fn guest_searches_of(lookups: u32) -> Allowance {
    Allowance::per_minute(lookups / 3, 1)
}

/// Guests of one address who may look for made-up words all the time before the others have nothing meant any more.
const SHARE: u32 = 3;

/// A text that finds nothing costs some eight times the calls of one that does, and twice that if its words are tried one by
/// one. What it was found to mean is known for ten minutes (`corrections`).
fn guesses_of(lookups: u32, share: u32) -> Allowance {
    Allowance::per_minute(lookups / 8 / share, 1)
}

impl Default for Options {
    fn default() -> Self {
        Self::per_minute(240, 2400, 60, 120)
    }
}

/// What a session is begun by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BegunBy {
    /// A page, which comes without it as well.
    Link,
    /// The way to the sign-in page.
    SignIn,
    /// A change.
    Change,
}

/// Counts in memory, or together with other instances; cloning shares the counts.
#[derive(Debug, Clone)]
pub struct Rate {
    own: Arc<Inner>,
    shared: Option<Allowances>,
}

#[derive(Debug)]
struct Inner {
    options: Options,
    proxies: TrustedProxies,
    session: Limiter<u64>,
    anonymous: Limiter<IpAddr>,
    sign_ins: Limiter<IpAddr>,
    first_sign_ins: Limiter<IpAddr>,
    address: Limiter<IpAddr>,
    orders: Limiter<IpAddr>,
    sessions: Limiter<IpAddr>,
    links: Limiter<IpAddr>,
    tables: Limiter<String>,
    calls: Limiter<IpAddr>,
    locks: Limiter<String>,
    reports: Limiter<IpAddr>,
    codes: Limiter<IpAddr>,
    lookups: Limiter<IpAddr>,
    searches: Limiter<IpAddr>,
    guest_searches: Limiter<u64>,
    guesses: Limiter<IpAddr>,
    session_guesses: Limiter<u64>,
    anonymous_guesses: Limiter<IpAddr>,
    guest_guesses: Limiter<u64>,
    tiles: Limiter<IpAddr>,
    photos: Limiter<u64>,
    checks: AtomicU32,
}

impl Rate {
    /// Counts from zero.
    #[must_use]
    pub fn new(options: Options, proxies: TrustedProxies) -> Self {
        let own = Arc::new(Inner {
            options,
            proxies,
            session: Limiter::dashmap(quota(options.session)),
            anonymous: Limiter::dashmap(quota(options.anonymous)),
            sign_ins: Limiter::dashmap(quota(options.sign_ins)),
            first_sign_ins: Limiter::dashmap(quota(options.first_sign_ins)),
            address: Limiter::dashmap(quota(options.address)),
            orders: Limiter::dashmap(quota(options.orders)),
            sessions: Limiter::dashmap(quota(options.sessions)),
            links: Limiter::dashmap(quota(options.links)),
            tables: Limiter::dashmap(quota(options.tables)),
            calls: Limiter::dashmap(quota(options.calls)),
            locks: Limiter::dashmap(quota(options.locks)),
            reports: Limiter::dashmap(quota(options.reports)),
            codes: Limiter::dashmap(quota(options.codes)),
            lookups: Limiter::dashmap(quota(options.lookups)),
            searches: Limiter::dashmap(quota(options.searches)),
            guest_searches: Limiter::dashmap(quota(options.guest_searches)),
            guesses: Limiter::dashmap(quota(options.guesses)),
            session_guesses: Limiter::dashmap(quota(options.session_guesses)),
            anonymous_guesses: Limiter::dashmap(quota(options.anonymous_guesses)),
            guest_guesses: Limiter::dashmap(quota(options.guest_guesses)),
            tiles: Limiter::dashmap(quota(options.tiles)),
            photos: Limiter::dashmap(quota(options.photos)),
            checks: AtomicU32::new(0),
        });
        Self { own, shared: None }
    }

    /// Counts where others count too, if there is such a place.
    #[must_use]
    pub fn shared(self, shared: Option<Allowances>) -> Self {
        Self { shared, ..self }
    }

    /// The client's address; none when the request came without a connection (tests).
    #[must_use]
    pub fn client_of(&self, parts: &Parts) -> Option<IpAddr> {
        self.own.proxies.client_of(parts)
    }

    /// Counts one change by this session, or without one, and by this address.
    ///
    /// # Errors
    /// How long to wait.
    pub async fn check(
        &self,
        session: Option<u64>,
        client: Option<IpAddr>,
    ) -> Result<(), Duration> {
        let options = &self.own.options;
        let own = match (session, client) {
            (Some(session), _) => Some(options.session.spend("session", session)),
            (None, Some(client)) => Some(options.anonymous.spend("anonymous", subscriber(client))),
            (None, None) => None,
        };
        let address = client.map(|client| options.address.spend("address", subscriber(client)));
        count_refusal(
            self.spend(own.into_iter().chain(address), || {
                self.own.check(session, client)
            })
            .await,
        )
    }

    /// Counts one step of a sign-in by this session, and by this address apart from its changes: whatever else it sends, its
    /// guests can sign in. Steps without a session leave those of guests who have one alone.
    ///
    /// # Errors
    /// How long to wait.
    pub async fn check_sign_in(
        &self,
        session: Option<u64>,
        client: Option<IpAddr>,
    ) -> Result<(), Duration> {
        let (own, options) = (&self.own, &self.own.options);
        let (what, allowance, limiter) = match session {
            Some(_) => ("sign-in", options.sign_ins, &own.sign_ins),
            None => own.first_sign_ins(),
        };
        let spends = [
            session.map(|session| options.session.spend("session", session)),
            client.map(|client| allowance.spend(what, subscriber(client))),
        ];
        let here = || {
            own.tidy();
            session.map_or(Ok(()), |session| take(&own.session, &session))?;
            one_of(limiter, client)
        };
        count_refusal(self.spend(spends.into_iter().flatten(), here).await)
    }

    /// The same of an address whose session can't be read, here alone: what others count in is away as well.
    ///
    /// # Errors
    /// How long to wait.
    pub fn check_local(&self, client: Option<IpAddr>) -> Result<(), Duration> {
        count_refusal(self.own.check(None, client))
    }

    /// Counts one order or booking from this address.
    ///
    /// # Errors
    /// How long to wait.
    pub async fn order(&self, client: Option<IpAddr>) -> Result<(), Duration> {
        let own = &self.own;
        self.of(client, "order", own.options.orders, &own.orders)
            .await
    }

    /// Counts one session that this address begins.
    ///
    /// # Errors
    /// How long to wait.
    pub async fn begin_session(&self, client: Option<IpAddr>) -> Result<(), Duration> {
        let own = &self.own;
        own.tidy();
        self.one(client, "begun", own.options.sessions, &own.sessions)
            .await
    }

    /// Counts a short-lived session of an address that has begun its share. A change has been counted when it came; the
    /// way to the sign-in page counts as a step of a sign-in without a session.
    ///
    /// # Errors
    /// How long to wait.
    pub async fn begin_short_lived(
        &self,
        client: Option<IpAddr>,
        by: BegunBy,
    ) -> Result<(), Duration> {
        let (own, options) = (&self.own, &self.own.options);
        let (what, allowance, limiter) = match by {
            BegunBy::Link => ("link", options.links, &own.links),
            BegunBy::SignIn => own.first_sign_ins(),
            BegunBy::Change => return Ok(()),
        };
        self.one(client, what, allowance, limiter).await
    }

    async fn table(&self, table: String) -> Result<(), Duration> {
        let own = &self.own;
        self.by(&table, "table", own.options.tables, &own.tables)
            .await
    }

    async fn call(&self, client: Option<IpAddr>) -> Result<(), Duration> {
        let own = &self.own;
        self.of(client, "call", own.options.calls, &own.calls).await
    }

    async fn lock(&self, guest: String) -> Result<(), Duration> {
        let own = &self.own;
        self.by(&guest, "lock", own.options.locks, &own.locks).await
    }

    async fn report(&self, client: Option<IpAddr>) -> Result<(), Duration> {
        let own = &self.own;
        self.of(client, "report", own.options.reports, &own.reports)
            .await
    }

    async fn code(&self, client: Option<IpAddr>) -> Result<(), Duration> {
        let own = &self.own;
        self.of(client, "code", own.options.codes, &own.codes).await
    }

    async fn search(&self, guest: Option<u64>, client: Option<IpAddr>) -> Result<(), Duration> {
        let (own, options) = (&self.own, &self.own.options);
        own.tidy();
        match guest {
            Some(guest) => {
                let limiter = &own.guest_searches;
                self.by(&guest, "guest-search", options.guest_searches, limiter)
                    .await
            }
            None => {
                self.of(client, "search", options.searches, &own.searches)
                    .await
            }
        }
    }

    /// Of a signed-in guest apart from the address. What is over the guest's share takes nothing of it, and a refusal costs
    /// no answer.
    async fn guess(
        &self,
        guest: Option<u64>,
        session: Option<u64>,
        client: Option<IpAddr>,
    ) -> Result<(), Duration> {
        let (own, options) = (&self.own, &self.own.options);
        own.tidy();
        if let Some(guest) = guest {
            let spend = options.guest_guesses.spend("guest-guess", guest);
            let here = || take(&own.guest_guesses, &guest);
            return self.spend(iter::once(spend), here).await;
        }
        let client = client.map(subscriber);
        let share = match (session, client) {
            (Some(session), _) => Some(options.session_guesses.spend("session-guess", session)),
            (None, Some(client)) => {
                Some(options.anonymous_guesses.spend("anonymous-guess", client))
            }
            (None, None) => None,
        };
        let address = client.map(|client| options.guesses.spend("guess", client));
        let here = || {
            match (session, client) {
                (Some(session), _) => take(&own.session_guesses, &session)?,
                (None, client) => one_of(&own.anonymous_guesses, client)?,
            }
            one_of(&own.guesses, client)
        };
        self.spend(share.into_iter().chain(address), here).await
    }

    async fn photo(&self, guest: u64) -> Result<(), Duration> {
        let own = &self.own;
        self.by(&guest, "photo", own.options.photos, &own.photos)
            .await
    }

    async fn tile(&self, client: Option<IpAddr>) -> Result<(), Duration> {
        let own = &self.own;
        own.tidy();
        self.of(client, "tile", own.options.tiles, &own.tiles).await
    }

    /// Counts one of a kind for what is no address.
    async fn by<K: Hash + Eq + Clone + ToString>(
        &self,
        key: &K,
        what: &'static str,
        allowance: Allowance,
        own: &Limiter<K>,
    ) -> Result<(), Duration> {
        let spend = allowance.spend(what, key.to_string());
        count_refusal(self.spend(iter::once(spend), || take(own, key)).await)
    }

    /// Counts one of a kind for an address.
    async fn of(
        &self,
        client: Option<IpAddr>,
        what: &'static str,
        allowance: Allowance,
        own: &Limiter<IpAddr>,
    ) -> Result<(), Duration> {
        count_refusal(self.one(client, what, allowance, own).await)
    }

    /// The same where a refusal may cost no answer.
    async fn one(
        &self,
        client: Option<IpAddr>,
        what: &'static str,
        allowance: Allowance,
        own: &Limiter<IpAddr>,
    ) -> Result<(), Duration> {
        let spend = client.map(|client| allowance.spend(what, subscriber(client)));
        self.spend(spend.into_iter(), || one_of(own, client)).await
    }

    /// Counts with the other instances; `here` alone where there is none, or the shared store is away.
    async fn spend(
        &self,
        spends: impl Iterator<Item = Spend>,
        here: impl FnOnce() -> Result<(), Duration>,
    ) -> Result<(), Duration> {
        if let Some(shared) = &self.shared
            && let Ok(counted) = shared.take(spends.collect()).await
        {
            return counted;
        }
        here()
    }
}

impl Inner {
    fn first_sign_ins(&self) -> (&'static str, Allowance, &Limiter<IpAddr>) {
        let allowance = self.options.first_sign_ins;
        ("first-sign-in", allowance, &self.first_sign_ins)
    }

    fn check(&self, session: Option<u64>, client: Option<IpAddr>) -> Result<(), Duration> {
        self.tidy();
        let client = client.map(subscriber);
        match (session, client) {
            (Some(session), _) => take(&self.session, &session)?,
            (None, Some(client)) => take(&self.anonymous, &client)?,
            (None, None) => {}
        }
        one_of(&self.address, client)
    }

    fn tidy(&self) {
        if self.checks.fetch_add(1, Ordering::Relaxed) % TIDY_EVERY == TIDY_EVERY - 1 {
            for guests in [
                &self.session,
                &self.guest_searches,
                &self.session_guesses,
                &self.guest_guesses,
                &self.photos,
            ] {
                guests.retain_recent();
            }
            self.tables.retain_recent();
            self.locks.retain_recent();
            for addresses in [
                &self.anonymous,
                &self.sign_ins,
                &self.first_sign_ins,
                &self.address,
                &self.orders,
                &self.sessions,
                &self.links,
                &self.calls,
                &self.reports,
                &self.codes,
                &self.lookups,
                &self.searches,
                &self.guesses,
                &self.anonymous_guesses,
                &self.tiles,
            ] {
                addresses.retain_recent();
            }
        }
    }
}

/// What one address may still order, book, call, report, try, look up and fetch: each costs others more than a change of a cart.
/// Handlers take from it when something new is about to go upstream. What is refused before, and what is sent again,
/// costs nothing: otherwise one phone could use up the room's share with empty forms.
#[derive(Debug, Clone)]
pub struct AddressAllowance {
    rate: Rate,
    client: Option<IpAddr>,
}

impl AddressAllowance {
    /// Counts one order or booking.
    ///
    /// # Errors
    /// How long to wait.
    pub async fn take_order(&self) -> Result<(), Duration> {
        self.rate.order(self.client).await
    }

    /// Counts one order to a table that is neither paid online nor of a signed-in guest (SC-03).
    ///
    /// # Errors
    /// How long to wait.
    pub async fn take_table(&self, table: String) -> Result<(), Duration> {
        self.rate.table(table).await
    }

    /// Counts one call of a waiter.
    ///
    /// # Errors
    /// How long to wait.
    pub async fn take_call(&self) -> Result<(), Duration> {
        self.rate.call(self.client).await
    }

    /// Counts one fridge that this guest opens.
    ///
    /// # Errors
    /// How long to wait.
    pub async fn take_lock(&self, guest: String) -> Result<(), Duration> {
        self.rate.lock(guest).await
    }

    /// Counts one review that is reported.
    ///
    /// # Errors
    /// How long to wait.
    pub async fn take_report(&self) -> Result<(), Duration> {
        self.rate.report(self.client).await
    }

    /// Counts one promo code that is tried.
    ///
    /// # Errors
    /// How long to wait.
    pub async fn take_code(&self) -> Result<(), Duration> {
        self.rate.code(self.client).await
    }

    /// Counts one step of a sign-in by a guest who has a session.
    ///
    /// # Errors
    /// How long to wait.
    pub async fn take_sign_in(&self, session: u64) -> Result<(), Duration> {
        self.rate.check_sign_in(Some(session), self.client).await
    }

    /// Counts one search: of a signed-in guest, by a name of the account, whatever others of the address do.
    ///
    /// # Errors
    /// How long to wait.
    pub async fn take_search(&self, guest: Option<u64>) -> Result<(), Duration> {
        self.rate.search(guest, self.client).await
    }

    /// Counts one photo of an account, by a name of it.
    ///
    /// # Errors
    /// How long to wait.
    pub async fn take_photo(&self, guest: u64) -> Result<(), Duration> {
        self.rate.photo(guest).await
    }

    /// Counts one search for which it is worked out what may be meant: of a signed-in guest, by a name of the account, else
    /// of the session's share of the address. A refusal costs no answer.
    ///
    /// # Errors
    /// How long to wait.
    pub async fn take_guess(
        &self,
        guest: Option<u64>,
        session: Option<u64>,
    ) -> Result<(), Duration> {
        self.rate.guess(guest, session, self.client).await
    }

    /// Counts one look at what may be made up, unless `is_known`: that is asked only where the allowance is used up.
    ///
    /// # Errors
    /// How long to wait.
    pub async fn take_lookup_unless(
        &self,
        is_known: impl Future<Output = bool>,
    ) -> Result<(), Duration> {
        let own = &self.rate.own;
        own.tidy();
        let (allowance, limiter) = (own.options.lookups, &own.lookups);
        let taken = self.rate.one(self.client, "lookup", allowance, limiter);
        match taken.await {
            Err(_) if is_known.await => Ok(()),
            taken => count_refusal(taken),
        }
    }

    /// Counts one tile of the map that is fetched.
    ///
    /// # Errors
    /// How long to wait.
    pub async fn take_tile(&self) -> Result<(), Duration> {
        self.rate.tile(self.client).await
    }

    /// The address that it is of, as limits count it; `None` when it is unknown.
    #[must_use]
    pub fn client(&self) -> Option<IpAddr> {
        self.client.map(subscriber)
    }
}

/// Middleware of routes whose handlers take from the [`AddressAllowance`]: puts it into the request.
pub async fn address_allowance(State(rate): State<Rate>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let client = rate.client_of(&parts);
    parts.extensions.insert(AddressAllowance { rate, client });
    next.run(Request::from_parts(parts, body)).await
}

/// Counts what is over a limit, however it is answered. A session that can't begin is counted where that keeps an answer
/// back: most pages come without one.
fn count_refusal(result: Result<(), Duration>) -> Result<(), Duration> {
    result.inspect_err(|_| metrics::counter!("rate_limited_total").increment(1))
}

/// `429` that says when to come again.
#[must_use]
pub fn too_many(wait: Duration) -> Response {
    let seconds = wait.as_secs().saturating_add(1).to_string();
    (
        StatusCode::TOO_MANY_REQUESTS,
        [
            (header::RETRY_AFTER, seconds.as_str()),
            (header::CACHE_CONTROL, "no-store"),
        ],
    )
        .into_response()
}

fn one_of(limiter: &Limiter<IpAddr>, client: Option<IpAddr>) -> Result<(), Duration> {
    client.map_or(Ok(()), |client| take(limiter, &subscriber(client)))
}

fn quota(allowance: Allowance) -> Quota {
    Quota::with_period(allowance.pause)
        .unwrap_or_else(|| Quota::per_second(NonZeroU32::MIN))
        .allow_burst(allowance.burst)
}

fn take<K: Hash + Eq + Clone>(limiter: &Limiter<K>, key: &K) -> Result<(), Duration> {
    limiter
        .check_key(key)
        .map_err(|until| until.wait_time_from(DefaultClock::default().now()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_sessions_of_one_address_share_its_allowance() {
        let rate = Rate::new(Options::default(), TrustedProxies::default());
        let address = "203.0.113.9".parse().ok();
        let done = (0..5000_u64)
            .filter(|session| rate.own.check(Some(*session), address).is_ok())
            .count();
        assert!((2400..4000).contains(&done), "{done}");
        assert!(rate.own.check(Some(1), "203.0.113.10".parse().ok()).is_ok());
        let begun = |_: &u32| one_of(&rate.own.sessions, address).is_ok();
        assert!((120..400).contains(&(0..1000).filter(begun).count()));
        let ordered = |_: &u32| one_of(&rate.own.orders, address).is_ok();
        assert!((60..200).contains(&(0..1000).filter(ordered).count()));
    }

    #[test]
    fn a_session_and_an_address_have_their_own_allowance() {
        let rate = Rate::new(Options::default(), TrustedProxies::default());
        let address = "203.0.113.9".parse().ok();
        for _ in 0..60 {
            assert!(rate.own.check(Some(1), address).is_ok());
        }
        assert!(rate.own.check(Some(1), address).unwrap_err() > Duration::ZERO);
        assert!(rate.own.check(Some(2), address).is_ok());
        assert!(rate.own.check(None, address).is_ok());
    }

    #[tokio::test]
    async fn changes_take_nothing_of_sign_ins_and_sign_ins_nothing_of_changes() {
        let rate = Rate::new(Options::default(), TrustedProxies::default());
        let address = "203.0.113.9".parse().ok();
        for session in 0..5000 {
            let _ = rate.check(Some(session), address).await;
            let _ = rate.check(None, address).await;
        }
        assert!(rate.check(Some(1), address).await.is_err());
        assert!(rate.check_sign_in(None, address).await.is_ok());
        assert!(rate.check_sign_in(Some(5001), address).await.is_ok());
        let by = BegunBy::SignIn;
        assert!(rate.begin_short_lived(address, by).await.is_ok());

        let rate = Rate::new(Options::default(), TrustedProxies::default());
        let mut done = 0;
        for session in 0..2000 {
            done += usize::from(rate.check_sign_in(Some(session), address).await.is_ok());
        }
        assert!((600..1200).contains(&done), "{done}");
        assert!(rate.check(Some(1), address).await.is_ok());
        assert!(rate.check(None, address).await.is_ok());
    }

    #[tokio::test]
    async fn sign_ins_without_a_session_leave_those_of_guests_who_have_one_alone() {
        let rate = Rate::new(Options::default(), TrustedProxies::default());
        let address = "203.0.113.9".parse().ok();
        for _ in 0..2000 {
            let _ = rate.begin_short_lived(address, BegunBy::SignIn).await;
        }
        assert!(rate.check_sign_in(None, address).await.is_err());
        assert!(rate.check_sign_in(Some(1), address).await.is_ok());
    }

    #[tokio::test]
    async fn an_account_has_thirty_photos_and_searches_of_its_own() {
        let rate = Rate::new(Options::default(), TrustedProxies::default());
        let client = "203.0.113.9".parse().ok();
        let mut photos = 0;
        for _ in 0..100 {
            photos += usize::from(rate.photo(1).await.is_ok());
        }
        assert_eq!(photos, 30);
        assert!(rate.photo(2).await.is_ok());
        for _ in 0..1000 {
            let _ = rate.search(None, client).await;
        }
        assert!(rate.search(None, client).await.is_err());
        assert!(rate.search(Some(1), client).await.is_ok());
        let looks = AddressAllowance { rate, client };
        assert!(looks.take_lookup_unless(async { false }).await.is_ok());
    }

    #[tokio::test]
    async fn one_guest_with_made_up_words_leaves_what_is_meant_to_the_others_of_the_address() {
        let rate = Rate::new(Options::default(), TrustedProxies::default());
        let client = "203.0.113.9".parse().ok();
        let mut done = 0;
        for _ in 0..100 {
            done += usize::from(rate.guess(None, Some(1), client).await.is_ok());
        }
        assert!((12..24).contains(&done), "a third of the address's: {done}");
        assert!(rate.guess(None, Some(2), client).await.is_ok());
        // Nor does one who keeps no session.
        for _ in 0..100 {
            let _ = rate.guess(None, None, client).await;
        }
        assert!(rate.guess(None, None, client).await.is_err());
        assert!(rate.guess(None, Some(2), client).await.is_ok());
        // All of them share what the address has, and an account has its own.
        for session in 3..100 {
            let _ = rate.guess(None, Some(session), client).await;
        }
        assert!(rate.guess(None, Some(100), client).await.is_err());
        assert!(rate.guess(Some(1), Some(100), client).await.is_ok());
    }

    #[test]
    fn moving_within_a_64_changes_nothing() {
        let rate = Rate::new(Options::default(), TrustedProxies::default());
        let refused = (0..2000)
            .filter(|n| {
                rate.own
                    .check(None, format!("2001:db8::{n}").parse().ok())
                    .is_err()
            })
            .count();
        assert!(refused >= 400, "{refused}");
    }

    #[test]
    fn who_brings_no_session_leaves_half_of_an_address_to_those_who_do() {
        let rate = Rate::new(Options::default(), TrustedProxies::default());
        let address = "203.0.113.9".parse().ok();
        let done = (0..5000)
            .filter(|_| rate.own.check(None, address).is_ok())
            .count();
        assert!((1200..2000).contains(&done), "{done}");
        assert!(rate.own.check(Some(1), address).is_ok());
    }
}

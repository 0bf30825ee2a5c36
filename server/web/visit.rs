//! One visit of a page or a form: who asks, in which language, where, for what.

use std::{collections::HashMap, sync::Arc, time::Duration};

use axum::{
    extract::{FromRef, FromRequestParts},
    http::{HeaderMap, Method, Uri, header, request::Parts},
};
use tokio::sync::OnceCell;
use url::form_urlencoded;

use super::{
    app::App,
    headers::RequestId,
    hosts::{Chosen, names},
    locale::{self, PLATFORM, Wishes},
    page::{self, Matched},
    prefix::{Carried, Prefix, Prefixed},
    rate::AddressAllowance,
    session::{Sess, SignedIn},
};
use crate::{
    config::custom::Custom,
    state::carts::Cart,
    upstream::{BrandId, Caller, Coordinates, Fingerprint, Freshness, Languages},
    values::{Country, Lang, Platform, Service},
};

/// What handlers and loaders know about a request.
#[derive(Clone)]
pub struct Visit {
    /// What every request needs.
    pub app: App,
    /// Language of the answer.
    pub lang: Lang,
    /// The language was named by the query and should be remembered.
    pub lang_in_query: bool,
    /// Country of the visit.
    pub country: Country,
    /// The country was named by the query, not by the host, and should be remembered.
    pub country_in_query: bool,
    /// Town from the cookie; not yet checked against the country's towns.
    pub town: Option<u64>,
    /// Chosen service, always one that is on offer (SV-07).
    pub service: Service,
    /// The service was named by the query and should be remembered.
    pub service_in_query: bool,
    /// The service before this request, when the query has changed it (SV-06).
    pub service_before: Service,
    /// What the app runs on; the browser itself unless a host app has said otherwise.
    pub platform: Platform,
    /// The platform was named by the query and should be remembered.
    pub platform_in_query: bool,
    /// Server session.
    pub sess: Sess,
    /// The signed-in guest, if there is one.
    pub signed_in: Option<SignedIn>,
    /// Of the session as the request began.
    device: Option<Fingerprint>,
    /// Path of the page, without `/_data`.
    pub path: String,
    /// The page of that path, with what the path names.
    pub matched: Matched,
    /// Query by key; of several values the first.
    pub query: HashMap<String, String>,
    /// The whole query as it came.
    pub raw_query: Option<String>,
    /// Request headers.
    pub headers: HeaderMap,
    /// The answer is a whole document, not the data of a navigation inside the app.
    pub is_document: bool,
    /// What stands in front of the visit's addresses.
    pub prefix: Option<Prefix>,
    /// Seconds for which a tablet's page without scripts has loaded itself anew.
    pub idle: u32,
    /// It is for a guest with something in the session, and not cached.
    pub is_personal: bool,
    /// Only the head is asked for: previews and checkers of links do so.
    pub is_head: bool,
    /// It changes something.
    pub acts: bool,
    /// The guest has reloaded the page: what it shows is asked for anew (HM-07).
    pub is_forced: bool,
    /// Origin for absolute links.
    pub origin: String,
    /// Server time, milliseconds since the epoch.
    pub now: i64,
    /// Names the request in logs and on error pages.
    pub request_id: String,
    /// What the browser's `deviceId` cookie says. Scripts and other hosts of the domain can write it: it is looked at
    /// only to see whether it has to be replaced.
    pub device_cookie: Option<String>,
    /// What the host offers of its own.
    pub custom: Arc<Custom>,
    /// Names that where something is kept for everybody.
    pub custom_number: u64,
    /// The guest's cart as the first part of the page to ask has found it; what changes carts reads it anew.
    pub cart: Arc<OnceCell<Option<Cart>>>,
    /// Of the address; only pages look up.
    allowance: Option<AddressAllowance>,
}

/// The service of guests who have chosen none: what a table QR is for.
pub const DEFAULT_SERVICE: Service = Service::Express;

/// How browsers say that a page is fetched ahead, the older ones by the last three.
const AHEAD: [&str; 4] = ["sec-purpose", "purpose", "x-purpose", "x-moz"];

/// Header with the guest's latitude and longitude.
pub const NEAR: &str = "x-near";

impl Visit {
    /// Reads the request; the session is loaded only when a cookie came.
    pub async fn of(app: App, parts: &Parts) -> Self {
        let Wishes {
            locale,
            preferences,
            chosen: Chosen { custom, number, .. },
        } = Wishes::of(parts, &app.hosts, &app.upstream);
        let path = page::own_path(parts.uri.path());
        let mut query = HashMap::new();
        for (key, value) in form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes())
        {
            query
                .entry(key.into_owned())
                .or_insert_with(|| value.into_owned());
        }
        let origin = origin(&app, &parts.headers, &parts.uri);
        let prefixed = parts.extensions.get::<Prefixed>().copied();
        let sess = Sess::of(parts).await;
        let now = app.state.clock().now();
        let acts = !matches!(parts.method, Method::GET | Method::HEAD);
        let lifetime = i64::from(app.config.table_seconds) * 1000;
        // What can't be written down now is by a later request.
        let _ = sess.get_up_after(lifetime, now, acts).await;
        let device = sess.device().await.as_deref().and_then(Fingerprint::new);
        let caller = Caller {
            fingerprint: device.clone(),
            ..Caller::guest(locale.lang, locale.country)
        };
        let wanted = query
            .get("service")
            .and_then(|code| Service::from_code(code));
        let platform_in_query = query
            .get(PLATFORM)
            .and_then(|code| Platform::from_code(code))
            // A link of another site makes no app of a browser. A frame is of a site that may have one.
            .filter(|platform| {
                let is_frame = || {
                    parts
                        .headers
                        .get("sec-fetch-dest")
                        .is_some_and(|to| to == "iframe")
                };
                !platform.is_host_app() || !is_led(&parts.headers) || is_frame()
            });
        let platform = platform_in_query
            .or(preferences.platform)
            .unwrap_or_default();
        let allowed = |wanted| custom.allowed(wanted, DEFAULT_SERVICE, platform.is_host_app());
        let service = allowed(wanted.or(preferences.service));
        let service_before = allowed(preferences.service);
        Self {
            lang: locale.lang,
            lang_in_query: locale.lang_in_query,
            country: locale.country,
            country_in_query: locale.country_in_query,
            town: preferences.town_id,
            service,
            service_in_query: wanted == Some(service),
            service_before,
            platform,
            platform_in_query: platform_in_query.is_some(),
            signed_in: sess.signed_in(&app.upstream, &app.state, caller).await,
            device,
            sess,
            matched: Matched::of(&parts.extensions),
            path: path.to_owned(),
            query,
            raw_query: parts.uri.query().map(str::to_owned),
            headers: parts.headers.clone(),
            is_document: !page::is_data(parts.uri.path()),
            prefix: match parts.extensions.get::<Carried>() {
                Some(Carried(prefix)) => Some(prefix.clone()),
                None => prefixed.map(|_| Prefix::Tablet),
            },
            idle: prefixed.map_or(0, |prefixed| prefixed.idle),
            is_personal: false,
            acts,
            is_head: parts.method == Method::HEAD,
            is_forced: is_reload(parts),
            origin,
            now,
            request_id: request_id(parts),
            device_cookie: preferences.device_id,
            custom,
            custom_number: number,
            cart: Arc::default(),
            allowance: parts.extensions.get::<AddressAllowance>().cloned(),
            app,
        }
    }

    /// A caller near the town's centre when it is known, signed in if the guest is, of the visit's device. Shared catalogue
    /// calls say nothing of who asks.
    #[must_use]
    pub fn caller(&self, near: Option<Coordinates>) -> Caller {
        let caller = Caller {
            fingerprint: self.device.clone(),
            coordinates: near,
            freshness: if self.is_forced {
                Freshness::Forced
            } else {
                Freshness::Usual
            },
            ..Caller::guest(self.lang, self.country)
        };
        match &self.signed_in {
            Some(guest) => guest.on(caller),
            None => caller,
        }
    }

    /// Services on offer here, in the order of the switcher.
    #[must_use]
    pub fn offered(&self) -> Vec<Service> {
        self.custom.offered(self.platform.is_host_app())
    }

    /// The only brand of this host, for all lists, searches, zones and order lists (SV-09).
    #[must_use]
    pub fn brand(&self) -> Option<BrandId> {
        self.custom.brand()
    }

    /// Languages on offer here.
    #[must_use]
    pub fn languages(&self) -> Languages {
        self.languages_of(self.country)
    }

    /// Languages on offer here for a country.
    #[must_use]
    pub fn languages_of(&self, country: Country) -> Languages {
        self.custom.languages(self.app.upstream.languages(country))
    }

    /// Where the guest is, told by the app after the guest has agreed. It comes in a header: what stands in an address
    /// is kept in histories and logs.
    #[must_use]
    pub fn near(&self) -> Option<Coordinates> {
        let (latitude, longitude) = self.headers.get(NEAR)?.to_str().ok()?.split_once(',')?;
        Coordinates::new(
            latitude.trim().parse().ok()?,
            longitude.trim().parse().ok()?,
        )
    }

    /// A caller of personal calls, of the device that this request may have given to the session.
    pub async fn personal_caller(&self) -> Caller {
        let fingerprint = self
            .sess
            .device()
            .await
            .as_deref()
            .and_then(Fingerprint::new);
        Caller {
            fingerprint,
            ..self.caller(None)
        }
    }

    /// The same visit signed out, when the upstream ended the sign-in while this visit was answered (AU-08).
    #[must_use]
    pub fn signed_out(&self) -> Option<Self> {
        self.signed_in
            .as_ref()
            .is_some_and(SignedIn::is_over)
            .then(|| Self {
                signed_in: None,
                ..self.clone()
            })
    }

    /// A query value, trimmed; none when it is missing or blank.
    #[must_use]
    pub fn query_value(&self, key: &str) -> Option<&str> {
        self.query
            .get(key)
            .map(|value| value.trim())
            .filter(|value| !value.is_empty())
    }

    /// A query value, trimmed, also a blank one: a guest has emptied a field. None when it is missing.
    #[must_use]
    pub fn typed(&self, key: &str) -> Option<&str> {
        self.query.get(key).map(|value| value.trim())
    }

    /// The text of a query value, cut, without control characters; empty when it is missing or blank.
    #[must_use]
    pub fn query_text(&self, key: &str, longest: usize) -> String {
        let text = self.query_value(key).unwrap_or_default();
        let spaced = text
            .chars()
            .map(|letter| if letter.is_whitespace() { ' ' } else { letter });
        let shown = spaced.filter(|letter| !letter.is_control());
        let cut: String = shown.take(longest).collect();
        cut.trim().to_owned()
    }

    /// Whether the client takes JSON rather than a page.
    #[must_use]
    pub fn wants_json(&self) -> bool {
        !self.is_document || takes_json(&self.headers)
    }

    /// Whether the page is fetched before the guest has asked for it, or only its head is: nothing may change by it.
    #[must_use]
    pub fn is_prefetch(&self) -> bool {
        self.is_head || is_ahead(&self.headers)
    }

    /// Whether the browser fetches the page to show it should the guest open it, and what it shows then would not be what
    /// opening it does. A browser that is refused asks again when the guest goes there.
    #[must_use]
    pub fn is_too_early(&self) -> bool {
        let page = self.matched.page;
        let does = self.lang_in_query
            || self.country_in_query
            || self.service_in_query
            || self.platform_in_query
            || page.access != page::Access::Shared
            || page.personal.iter().any(|key| self.typed(key).is_some());
        !self.is_head && does && says_ahead(&self.headers, "prefetch")
    }

    /// Whether the address may say where the guest sits and what the guest prefers.
    #[must_use]
    pub fn may_bind(&self) -> bool {
        !self.is_head && is_opened(&self.headers)
    }

    /// A name of the signed-in guest's account, for limits: the same in all sessions of the account.
    pub async fn account_name(&self) -> Option<u64> {
        self.signed_in.as_ref()?;
        let user = self.sess.last_user().await;
        user.map(|user| user.0).or_else(|| self.sess.name())
    }

    /// Counts a sign-in that a session which is there already begins; a new one is counted as that.
    ///
    /// # Errors
    /// How long to wait.
    pub async fn begin_sign_in(&self) -> Result<(), Duration> {
        match (&self.allowance, self.sess.name()) {
            (Some(allowance), Some(session)) => allowance.take_sign_in(session).await,
            _ => Ok(()),
        }
    }

    /// Counts a search: it asks the upstream, also for what is made up (S-20).
    ///
    /// # Errors
    /// How long to wait.
    pub async fn take_search(&self) -> Result<(), Duration> {
        match &self.allowance {
            Some(allowance) => allowance.take_search(self.account_name().await).await,
            None => Ok(()),
        }
    }

    /// Counts a photo of the signed-in guest.
    ///
    /// # Errors
    /// How long to wait.
    pub async fn take_photo(&self) -> Result<(), Duration> {
        match (&self.allowance, self.account_name().await) {
            (Some(allowance), Some(guest)) => allowance.take_photo(guest).await,
            _ => Ok(()),
        }
    }

    /// Counts a search for which it is worked out what may be meant: it asks the upstream many times.
    ///
    /// # Errors
    /// How long to wait.
    pub async fn take_guess(&self) -> Result<(), Duration> {
        match &self.allowance {
            Some(allowance) => {
                let guest = self.account_name().await;
                allowance.take_guess(guest, self.sess.name()).await
            }
            None => Ok(()),
        }
    }

    /// Counts a look at what may be made up or another's, such as an order or a bill, unless `is_known`: that is asked
    /// only where the allowance is used up.
    ///
    /// # Errors
    /// How long to wait.
    pub async fn look_up_unless(
        &self,
        is_known: impl Future<Output = bool>,
    ) -> Result<(), Duration> {
        match &self.allowance {
            Some(allowance) => allowance.take_lookup_unless(is_known).await,
            None => Ok(()),
        }
    }

    /// Whether the browser has sent the session's cookie, be it a good one or not.
    #[must_use]
    pub fn brings_session(&self) -> bool {
        locale::cookie(&self.headers, self.app.cookie_security().cookie()).is_some()
    }

    /// Whether the session begins with this request: the browser may not keep its cookie.
    #[must_use]
    pub fn begins_session(&self) -> bool {
        !self.brings_session() && self.sess.is_modified()
    }

    /// Whether the page was opened from a page where guests pay (RT-17). They may hide where they come from: then the
    /// session's own mark tells.
    #[must_use]
    pub fn is_from_payment(&self) -> bool {
        self.is_document && comes_from_payment(&self.app, &self.headers)
    }

    /// A path of ours as this visit goes on with it.
    #[must_use]
    pub fn way_on(&self, path: String) -> String {
        match &self.prefix {
            Some(prefix) => prefix.before(&path),
            None => path,
        }
    }

    /// Whether it came to an address of a tablet.
    #[must_use]
    pub fn is_at_tablet(&self) -> bool {
        self.prefix == Some(Prefix::Tablet)
    }

    /// Whether the browser keeps no cookies, so that an address is all that leads to the session.
    #[must_use]
    pub const fn is_carried(&self) -> bool {
        matches!(self.prefix, Some(Prefix::Carried(_)))
    }

    /// Whether cookies may carry `Secure`.
    #[must_use]
    pub fn is_secure(&self) -> bool {
        self.app.is_secure()
    }
}

impl<S> FromRequestParts<S> for Visit
where
    App: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Self::Rejection> {
        // A layer above may have worked it out already.
        match parts.extensions.get::<Self>() {
            Some(visit) => Ok(visit.clone()),
            None => Ok(Self::of(App::from_ref(state), parts).await),
        }
    }
}

/// Whether an address was opened, or fetched by our own script. A picture or a script of some page, or a fetch of
/// another site, brings no guest to a table. Browsers that do not say what a request is for are believed: old Safari,
/// views inside of apps.
#[must_use]
pub fn is_opened(headers: &HeaderMap) -> bool {
    if is_ahead(headers) {
        return false;
    }
    let said = |name: &str| headers.get(name).map(|value| value.as_bytes());
    match said("sec-fetch-dest") {
        None => true,
        Some(b"document" | b"iframe" | b"frame") => true,
        // `none`: a service worker that passes on what the guest has opened.
        Some(b"empty") => matches!(said("sec-fetch-site"), Some(b"same-origin" | b"none")),
        Some(_) => false,
    }
}

/// Whether a page is fetched before the guest has asked for it.
fn is_ahead(headers: &HeaderMap) -> bool {
    headers.contains_key("x-prefetch")
        || headers.contains_key(AHEAD[0])
        || ["prefetch", "preview"]
            .into_iter()
            .any(|word| says_ahead(headers, word))
}

/// Whether a browser says so by this word.
fn says_ahead(headers: &HeaderMap, word: &str) -> bool {
    AHEAD.iter().any(|name| {
        let said = headers.get(*name).and_then(|said| said.to_str().ok());
        said.is_some_and(|said| said.to_ascii_lowercase().contains(word))
    })
}

/// Whether the page before was one where guests pay.
#[must_use]
pub fn comes_from_payment(app: &App, headers: &HeaderMap) -> bool {
    let referrer = headers
        .get(header::REFERER)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| url::Url::parse(value).ok());
    referrer.is_some_and(|referrer| {
        let origin = referrer.origin().ascii_serialization();
        // Where guests sign in on the same origin, the session's own mark tells the two apart.
        app.config.payment_origins.contains(&origin)
            && app.config.oauth_origin().as_ref() != Some(&origin)
    })
}

/// Whether a request is answered in JSON, its errors too: one for the data of a page, and any other that asks for it.
#[must_use]
pub fn is_for_json(path: &str, headers: &HeaderMap) -> bool {
    page::is_data(path) || takes_json(headers)
}

fn takes_json(headers: &HeaderMap) -> bool {
    let accept = headers.get(header::ACCEPT);
    accept
        .and_then(|value| value.to_str().ok())
        .is_some_and(|accept| accept.trim_start().starts_with("application/json"))
}

/// Browsers say so when a document is loaded again by the guest's own wish: the button, the key, a pull at its top.
#[must_use]
pub fn is_reload(parts: &Parts) -> bool {
    matches!(parts.method, Method::GET | Method::HEAD)
        && !page::is_data(parts.uri.path())
        && parts
            .headers
            .get(header::CACHE_CONTROL)
            .and_then(|value| value.to_str().ok())
            .is_some_and(|value| {
                value
                    .split(',')
                    .any(|part| matches!(part.trim(), "no-cache" | "max-age=0"))
            })
}

fn request_id(parts: &Parts) -> String {
    parts
        .extensions
        .get::<RequestId>()
        .map(|id| id.0.clone())
        .unwrap_or_default()
}

/// Whether a page of another site has led here. Browsers that say nothing are believed.
#[must_use]
pub fn is_led(headers: &HeaderMap) -> bool {
    headers
        .get("sec-fetch-site")
        .is_some_and(|site| site == "cross-site" || site == "same-site")
}

/// The origin for absolute links.
#[must_use]
pub fn origin(app: &App, headers: &HeaderMap, uri: &Uri) -> String {
    app.hosts
        .origin(headers, uri)
        .or_else(|| app.config.public_url.clone())
        .unwrap_or_else(|| own_origin(headers, uri))
}

/// The origin by the Host header. Only used when PUBLIC_URL is not set, which is for one's own machine: production
/// refuses to start without it. A foreign Host enters no page; all of them have the same one.
fn own_origin(headers: &HeaderMap, uri: &Uri) -> String {
    let host = names::requested(headers, uri)
        .map(str::to_owned)
        .filter(|host| {
            host.bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte))
                && names::is_local(host)
        })
        .unwrap_or_else(|| "localhost".to_owned());
    format!("http://{host}")
}

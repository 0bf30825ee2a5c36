//! What is told about the product to those who run it: events of guests, errors and vitals of browsers. It is counted
//! here; where a setting names a receiver it goes on from here, never from a browser, so that no page asks a foreign
//! host. Closed lists say what may be told: nothing personal has a place in them (AN-08, S-21).

mod event;
mod fault;
mod outbox;
mod sentry;
mod vital;
mod who;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use anyhow::{Context as _, Result};
use moka::sync::Cache;
use serde::Serialize;

pub use event::{Cleared, Confirmed, Event, Seen};
pub use fault::{Fault, FaultKind};
use outbox::Outbox;
pub use vital::Vital;
use who::Who;
pub use who::{Came, carried, carried_on, known, session_name};

use crate::{
    config::{dsn::Dsn, insight::InsightArgs},
    keys::{seal::Keys, sign::Signer},
    telemetry::reason,
    values::Platform,
};

/// Guests of host apps whose events wait to be fetched.
const HOST_GUESTS: u64 = 10_000;
/// Events that wait for one of them.
const HOST_EVENTS: usize = 50;
/// For so long: a session of the analytics (AN-01).
const HOST_WAIT: std::time::Duration = std::time::Duration::from_secs(30 * 60);

/// One for the process, as the recorder of the metrics is: what is told happens in requests and without one.
static INSIGHT: OnceLock<Insight> = OnceLock::new();

/// Where events and errors go; cloning shares it.
#[derive(Clone)]
pub struct Insight(Arc<Inner>);

struct Inner {
    names: Signer,
    /// Where events without a known guest go.
    usual: Option<String>,
    /// By their receivers: each gets what is its own (AN-07).
    events: Mutex<HashMap<String, Outbox<EventReport>>>,
    http: reqwest::Client,
    faults: Option<Outbox<Fault>>,
    /// What happened to guests of host apps: their app logs it (AN-04).
    hosts: Cache<u64, Vec<Event>>,
}

/// An event on its way to the analytics.
#[derive(Debug, Clone, Serialize)]
pub struct EventReport {
    #[serde(flatten)]
    event: Event,
    /// When, milliseconds since the epoch.
    at: i64,
    /// A name of the guest's session here that leads nowhere: it puts together what the browser and what the server saw.
    #[serde(skip_serializing_if = "Option::is_none")]
    guest: Option<String>,
    /// The browser's session of analytics (AN-01).
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<String>,
}

impl Insight {
    /// By the settings. Whatever has a receiver is sent by a task of its own.
    ///
    /// # Errors
    /// When the client can't be made.
    pub fn start(settings: &InsightArgs, keys: &Keys) -> Result<Self> {
        let http = client()?;
        let faults = settings.sentry_dsn.clone().map(|dsn: Dsn| {
            let http = http.clone();
            Outbox::start("sentry", 1, move |batch: &[Fault]| {
                sentry::request(&dsn, &http, batch)
            })
        });
        let insight = Self(Arc::new(Inner {
            names: Signer::new(keys, "analytics"),
            usual: settings.analytics_url.clone(),
            events: Mutex::default(),
            http,
            faults,
            hosts: Cache::builder()
                .max_capacity(HOST_GUESTS)
                .time_to_idle(HOST_WAIT)
                .build(),
        }));
        // A second server in one process (tests) tells by the first one's.
        let _ = INSIGHT.set(insight.clone());
        Ok(insight)
    }

    /// What a browser saw, with its age in milliseconds.
    pub fn seen(&self, event: Event, at: i64, session: Option<&str>) {
        event.count();
        self.tell(event, at, session, &Who::now());
    }

    /// An error of a browser.
    pub fn fault(&self, fault: Fault) {
        fault.note();
        if let Some(outbox) = &self.0.faults {
            outbox.push(fault);
        }
    }

    /// What happened to the guest of this request, who comes by a host app, since it was asked last.
    #[must_use]
    pub fn of_host(&self) -> Vec<Event> {
        let who = Who::now();
        let name = who.name.filter(|_| who.platform != Platform::Web);
        name.and_then(|name| self.0.hosts.remove(&name))
            .unwrap_or_default()
    }

    fn tell(&self, event: Event, at: i64, session: Option<&str>, who: &Who) {
        let custom = who.custom.as_deref();
        if custom.is_some_and(|custom| custom.muted) {
            return;
        }
        if who.platform != Platform::Web {
            // The browser has logged what it saw; without a guest it is not looked up.
            if let (Some(name), None) = (who.name, session) {
                self.keep_for_host(name, event);
            }
            return;
        }
        let receiver = match custom {
            Some(custom) => custom.analytics_url.as_ref(),
            None => self.0.usual.as_ref(),
        };
        let Some(url) = receiver else {
            return;
        };
        let guest = who.name;
        let guest = guest.map(|name| self.0.names.sign::<11>(&[&name.to_be_bytes()]));
        let report = EventReport {
            event,
            at,
            guest,
            session: session.map(str::to_owned),
        };
        let mut events = self.0.events.lock().unwrap_or_else(PoisonError::into_inner);
        events
            .entry(url.clone())
            .or_insert_with(|| self.outbox(url.clone()))
            .push(report);
    }

    fn outbox(&self, url: String) -> Outbox<EventReport> {
        let http = self.0.http.clone();
        Outbox::start("analytics", 100, move |batch: &[EventReport]| {
            batch_for(&http, &url, batch)
        })
    }

    fn keep_for_host(&self, name: u64, event: Event) {
        self.0.hosts.entry(name).and_upsert_with(|known| {
            let mut events = known.map(moka::Entry::into_value).unwrap_or_default();
            if events.len() == HOST_EVENTS {
                events.remove(0);
            }
            events.push(event);
            events
        });
    }
}

/// Sends a batch of nothing to a receiver, as events would be sent.
///
/// # Errors
/// Why it is not taken.
pub async fn try_receiver(url: &str) -> Result<(), String> {
    let http = client().map_err(|error| error.to_string())?;
    let sent = batch_for(&http, url, &[]).send().await;
    match sent.map(|answer| answer.status()) {
        Ok(status) if status.is_success() => Ok(()),
        Ok(status) => Err(status.to_string()),
        Err(error) => Err(reason(&error)),
    }
}

/// Asks whether a server answers at an address, whatever the answer is.
///
/// # Errors
/// Why none does.
pub async fn try_address(url: &str) -> Result<(), String> {
    let http = client().map_err(|error| error.to_string())?;
    let answer = http.get(url).send().await;
    answer.map(drop).map_err(|error| reason(&error))
}

fn client() -> Result<reqwest::Client> {
    reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .timeout(outbox::DEADLINE)
        .user_agent(concat!("dastarkhan/", env!("CARGO_PKG_VERSION")))
        .no_proxy()
        .build()
        .context("the client of analytics and errors")
}

fn batch_for(http: &reqwest::Client, url: &str, events: &[EventReport]) -> reqwest::RequestBuilder {
    http.post(url)
        .json(&serde_json::json!({ "events": events }))
}

/// Something happened that the server has seen itself.
pub fn happened(event: Event) {
    event.count();
    if let Some(insight) = INSIGHT.get() {
        let now = time::OffsetDateTime::now_utc().unix_timestamp_nanos() / 1_000_000;
        let at = i64::try_from(now).unwrap_or_default();
        insight.tell(event, at, None, &Who::now());
    }
}

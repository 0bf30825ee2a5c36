//! All venues of a country, read from the upstream's lists at most once an hour.

use std::{
    collections::{BTreeMap, HashMap},
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use moka::future::Cache;

use super::seen::Seen;
use crate::{
    config::custom::Custom,
    features::structured::{canonical_id, ids},
    telemetry,
    upstream::{BrandId, Caller, Error, LocationsQuery, Upstream, in_time},
    values::{Country, Service},
};

const FRESH: Duration = Duration::from_secs(3600);
/// Lists that could not be read are left alone for so long by whom they could only let in.
const FAILED: Duration = Duration::from_secs(10);
/// For so long a refused guest may wait for them.
const WAIT: Duration = Duration::from_secs(1);
/// Venues of one call, and calls for one town.
const LIMIT: u32 = 100;
const MOST_PAGES: u32 = 200;

/// A venue as search engines shall know it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// Id in its own address, where all services are offered.
    pub id: u64,
    /// Its ids by service.
    ids: Vec<(Service, u64)>,
    /// Upstream id of the venue with all its services.
    pub location: Option<u64>,
    /// Its brand, where that is told.
    pub brand: Option<BrandId>,
    /// The town that lists it.
    pub town: u64,
    /// Since when it looks as it does, milliseconds since the epoch.
    pub since: i64,
}

impl Entry {
    /// Id in its own address on a host.
    pub(super) fn id_on(&self, custom: &Custom) -> u64 {
        canonical_id(&self.ids, custom).unwrap_or(self.id)
    }

    /// Id on a host for the service that an older id stood for, else its own there.
    fn id_for(&self, service: Option<Service>, custom: &Custom) -> u64 {
        let offered = custom.offered(false);
        let same = self
            .ids
            .iter()
            .find(|(known, _)| service == Some(*known) && offered.contains(known));
        same.map_or_else(|| self.id_on(custom), |(_, id)| *id)
    }

    /// Whether a host has it, and offers one of its services.
    pub(super) fn is_of(&self, custom: &Custom) -> bool {
        let offered = custom.offered(false);
        let mut services = self.ids.iter().map(|(service, _)| service);
        (self.ids.is_empty() || services.any(|service| offered.contains(service)))
            && custom.brand().is_none_or(|brand| self.brand == Some(brand))
            && (custom.towns.is_empty() || custom.towns.contains(&self.town))
    }
}

/// What became of a venue that the upstream does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum VenueStatus {
    /// It has another id now.
    Moved(u64),
    /// It was there and is no more.
    Gone,
    /// It was never known here.
    Unknown,
}

/// The venues of all countries; cloning shares it.
#[derive(Clone)]
pub struct Directory(Arc<Inner>);

struct Inner {
    seen: Seen,
    fresh: Cache<Country, Arc<Vec<Entry>>>,
    /// Countries whose lists could not be read a moment ago.
    failed: Cache<Country, ()>,
    last: Mutex<HashMap<Country, Arc<Vec<Entry>>>>,
}

impl Directory {
    /// With what the state folder remembers.
    #[must_use]
    pub fn open(state: &Path) -> Self {
        Self(Arc::new(Inner {
            seen: Seen::open(state),
            fresh: Cache::builder().time_to_live(FRESH).build(),
            failed: Cache::builder().time_to_live(FAILED).build(),
            last: Mutex::default(),
        }))
    }

    /// What became of a venue that the upstream does not know (SO-08). Asks the upstream only for a venue that once
    /// was there.
    pub(super) async fn status(
        &self,
        upstream: &Upstream,
        country: Country,
        custom: &Custom,
        venue: u64,
        now: i64,
    ) -> VenueStatus {
        let Some(record) = self.0.seen.get(venue) else {
            return VenueStatus::Unknown;
        };
        // A host without a country has the venues of each: the address alone does not say whose it was.
        let others = Country::ALL.into_iter().filter(|other| *other != country);
        for country in std::iter::once(country).chain(others) {
            let Ok(entries) = self.entries(upstream, country, now).await else {
                return VenueStatus::Unknown;
            };
            let same = entries
                .iter()
                .find(|entry| record.location.is_some() && entry.location == record.location);
            if let Some(entry) = same {
                let id = entry.id_for(record.service, custom);
                return if id == venue {
                    VenueStatus::Unknown
                } else {
                    VenueStatus::Moved(id)
                };
            }
        }
        VenueStatus::Gone
    }

    /// Whether a venue has ever been listed, as far as it is known here.
    pub(super) fn has_seen(&self, venue: u64) -> bool {
        self.0.seen.get(venue).is_some()
    }

    /// The same of all that the upstream lists: it is asked at most once an hour, and not waited for when it is slow or has
    /// failed a moment ago. What was begun to be read is read to its end, for those who ask next.
    pub(super) async fn lists(&self, upstream: &Upstream, venue: u64, now: i64) -> bool {
        let (directory, upstream) = (self.clone(), upstream.clone());
        let reading = async move {
            for country in Country::ALL {
                if directory.0.failed.contains_key(&country) {
                    continue;
                }
                // What is listed has been seen.
                if directory.entries(&upstream, country, now).await.is_err() {
                    directory.0.failed.insert(country, ()).await;
                }
                if directory.has_seen(venue) {
                    return;
                }
            }
        };
        let reading = tokio::spawn(telemetry::of_request(reading));
        let _ = tokio::time::timeout(in_time(WAIT), reading).await;
        self.has_seen(venue)
    }

    /// The venues of a country by id; older ones when the upstream does not answer. What was begun to be read is read to its
    /// end, also when the page that waits for it is due.
    pub(super) async fn entries(
        &self,
        upstream: &Upstream,
        country: Country,
        now: i64,
    ) -> Result<Arc<Vec<Entry>>, Arc<Error>> {
        let (directory, upstream) = (self.clone(), upstream.clone());
        let reading = async move { directory.known(&upstream, country, now).await };
        let reading = tokio::spawn(telemetry::of_request(reading));
        let read = tokio::time::timeout(in_time(Duration::MAX), reading).await;
        let read = read.ok().and_then(Result::ok);
        read.unwrap_or_else(|| Err(Arc::new(Error::Deadline)))
    }

    async fn known(
        &self,
        upstream: &Upstream,
        country: Country,
        now: i64,
    ) -> Result<Arc<Vec<Entry>>, Arc<Error>> {
        let read = async {
            let entries = Arc::new(self.read(upstream, country, now).await?);
            let mut last = self.0.last.lock().unwrap_or_else(PoisonError::into_inner);
            last.insert(country, Arc::clone(&entries));
            Ok::<_, Error>(entries)
        };
        let known = self.0.fresh.try_get_with(country, read).await;
        known.or_else(|error| {
            let last = self.0.last.lock().unwrap_or_else(PoisonError::into_inner);
            last.get(&country).cloned().ok_or(error)
        })
    }

    async fn read(
        &self,
        upstream: &Upstream,
        country: Country,
        now: i64,
    ) -> Result<Vec<Entry>, Error> {
        let lang = upstream.languages(country).default();
        let caller = Caller::guest(lang, country);
        let config = upstream.country(&caller, country).await;
        if config.built_in {
            let why = "the towns are not known".to_owned();
            return Err(Error::Unreachable { why });
        }
        let mut found = BTreeMap::new();
        for town in &config.towns {
            let (mut page, mut last_page) = (1, 1);
            while page <= last_page.min(MOST_PAGES) {
                let query = LocationsQuery {
                    town: Some(town.id),
                    limit: LIMIT,
                    page,
                    ..LocationsQuery::default()
                };
                let answer = upstream.locations(&caller, &query).await?;
                for location in &answer.items {
                    let ids = ids(location);
                    let entry = Entry {
                        id: canonical_id(&ids, &Custom::default()).unwrap_or(location.venue_id.0),
                        ids,
                        location: location.id.map(|id| id.0),
                        brand: location.brand_id,
                        town: town.id.0,
                        since: self.0.seen.note(location, now),
                    };
                    found.insert(entry.id, entry);
                }
                last_page = answer.last_page;
                page += 1;
            }
        }
        self.0.seen.keep().await;
        Ok(found.into_values().collect())
    }
}

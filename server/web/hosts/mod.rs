//! Which configuration a request is answered by: that of its host name, else the installation's (SV-09). The file of the
//! host names is read again when it has changed; a wrong one changes nothing.

pub mod names;
pub mod remote;

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime},
};

use anyhow::{Context, Result};
use axum::http::{HeaderMap, Uri};

use crate::{
    config::{
        ServerArgs,
        custom::Custom,
        hosts::{self, Named},
    },
    upstream::{BrandId, Languages},
    values::Lang,
};

/// So often the file is looked at.
const LOOK: Duration = Duration::from_secs(2);

static NUMBERS: AtomicU64 = AtomicU64::new(0);

/// A configuration as long as it stays the same.
#[derive(Debug, Clone)]
pub struct Chosen {
    /// The host name that it is of; none: the installation's.
    pub name: Option<Arc<str>>,
    /// What it says.
    pub custom: Arc<Custom>,
    /// Another one for each that has been: names it where something is kept for everybody.
    pub number: u64,
}

impl Chosen {
    fn new(name: Option<&str>, custom: Custom) -> Self {
        Self {
            name: name.map(Arc::from),
            custom: Arc::new(custom),
            number: NUMBERS.fetch_add(1, Ordering::Relaxed),
        }
    }
}

/// All configurations; cloning shares them.
#[derive(Debug, Clone)]
pub struct Hosts(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    file: Option<PathBuf>,
    public: Option<url::Url>,
    usual: Chosen,
    named: RwLock<Arc<HashMap<String, Chosen>>>,
    /// Of the file as it was read.
    stamp: Option<Stamp>,
}

/// Tells one state of a file from another.
type Stamp = (SystemTime, u64);

impl Hosts {
    /// By the settings.
    ///
    /// # Errors
    /// When the file can't be read, or is wrong.
    pub fn of(settings: &ServerArgs) -> Result<Self> {
        let usual = Chosen::new(None, Custom::of(settings));
        let file = settings.hosts_file.clone();
        // Before it is read: what is written meanwhile is seen later.
        let stamp = file.as_ref().and_then(stamp);
        let named = match &file {
            Some(file) => hosts::read(file, &usual.custom).context("HOSTS_FILE")?,
            None => Named::new(),
        };
        let public = settings.public_url.as_deref();
        Ok(Self(Arc::new(Inner {
            file,
            public: public.and_then(|url| url.parse().ok()),
            named: RwLock::new(Arc::new(follow(&HashMap::new(), named))),
            usual,
            stamp,
        })))
    }

    /// The configuration of a request.
    #[must_use]
    pub fn chosen(&self, headers: &HeaderMap, uri: &Uri) -> Chosen {
        let own = self.own(headers, uri);
        own.map_or_else(|| self.0.usual.clone(), |(chosen, ..)| chosen)
    }

    /// The configuration of a host name of a request; the installation's where the file does not name it any
    /// more.
    #[must_use]
    pub fn named_so(&self, name: Option<&str>) -> Chosen {
        let own = name.and_then(|name| self.named().get(name).cloned());
        own.unwrap_or_else(|| self.0.usual.clone())
    }

    /// The origin of a request for a host name that the file names: scheme and port of `PUBLIC_URL`, without it as guests
    /// come.
    #[must_use]
    pub fn origin(&self, headers: &HeaderMap, uri: &Uri) -> Option<String> {
        let (_, name, port) = self.own(headers, uri)?;
        let Some(public) = &self.0.public else {
            return Some(match port {
                Some(port) => format!("http://{name}:{port}"),
                None => format!("http://{name}"),
            });
        };
        let mut own = public.clone();
        own.set_host(Some(&name)).ok()?;
        Some(own.origin().ascii_serialization())
    }

    /// Every configuration by its host name.
    #[must_use]
    pub fn all(&self) -> Vec<(String, Arc<Custom>)> {
        let named = self.named();
        let own = named.iter();
        own.map(|(name, chosen)| (name.clone(), Arc::clone(&chosen.custom)))
            .collect()
    }

    /// The brands that venues are asked for by, each once; none is one of them where a host name has all.
    #[must_use]
    pub fn brands(&self) -> Vec<Option<BrandId>> {
        let mut brands = vec![self.0.usual.custom.brand()];
        for chosen in self.named().values() {
            let brand = chosen.custom.brand();
            if !brands.contains(&brand) {
                brands.push(brand);
            }
        }
        brands
    }

    /// Reads the file again whenever it has changed.
    pub async fn follow(self) {
        let Some(file) = self.0.file.clone() else {
            return;
        };
        let mut seen = self.0.stamp;
        loop {
            tokio::time::sleep(LOOK).await;
            let (hosts, before) = (self.clone(), seen);
            let file = file.clone();
            let read = move || {
                let now = stamp(&file);
                (now != before).then(|| (now, hosts::read(&file, &hosts.0.usual.custom)))
            };
            let Ok(Some((now, read))) = tokio::task::spawn_blocking(read).await else {
                continue;
            };
            seen = now;
            match read {
                Ok(named) => {
                    let next = Arc::new(follow(&self.named(), named));
                    tracing::info!(hosts = next.len(), "HOSTS_FILE was read again");
                    metrics::gauge!("hosts_file_wrong").set(0);
                    *self.0.named.write().unwrap_or_else(PoisonError::into_inner) = next;
                }
                Err(error) => {
                    metrics::gauge!("hosts_file_wrong").set(1);
                    tracing::warn!("HOSTS_FILE is wrong, what was read before stays: {error:#}");
                }
            }
        }
    }

    /// The configuration of a request's own host, its name and port; none where the file does not name it.
    fn own<'a>(
        &self,
        headers: &'a HeaderMap,
        uri: &'a Uri,
    ) -> Option<(Chosen, String, Option<&'a str>)> {
        let named = self.named();
        // Most installations have no such file: nothing is worked out for them.
        let asked = names::requested(headers, uri).filter(|_| !named.is_empty())?;
        let (name, port) = names::parted(asked);
        Some((named.get(&name)?.clone(), name, port))
    }

    fn named(&self) -> Arc<HashMap<String, Chosen>> {
        let named = self.0.named.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&named)
    }
}

impl Custom {
    /// The only brand, for all lists, searches, zones and order lists (SV-09).
    #[must_use]
    pub fn brand(&self) -> Option<BrandId> {
        self.brand_id.map(BrandId)
    }

    /// Of the languages of a country those that are on offer here; all where none is.
    #[must_use]
    pub fn languages(&self, country: Languages) -> Languages {
        let mine = self.languages.iter().copied();
        let offered: Vec<Lang> = mine.filter(|lang| country.offered.contains(lang)).collect();
        match offered.first() {
            None => country,
            Some(first) => Languages {
                fallback: if offered.contains(&country.fallback) {
                    country.fallback
                } else {
                    *first
                },
                offered: offered.into(),
            },
        }
    }
}

/// What has not changed keeps its number, and with it what is kept of it.
fn follow(before: &HashMap<String, Chosen>, now: Named) -> HashMap<String, Chosen> {
    let chosen = |(name, custom): (String, Custom)| {
        let same = before.get(&name).filter(|old| *old.custom == custom);
        let chosen = same
            .cloned()
            .unwrap_or_else(|| Chosen::new(Some(&name), custom));
        (name, chosen)
    };
    now.into_iter().map(chosen).collect()
}

fn stamp(file: &PathBuf) -> Option<Stamp> {
    let known = std::fs::metadata(file).ok()?;
    Some((known.modified().ok()?, known.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::Country;

    #[test]
    fn languages_of_a_host_are_some_of_its_countrys() {
        let custom = |languages: &[Lang]| Custom {
            languages: languages.to_vec(),
            ..Custom::default()
        };
        let country = Languages::built_in(Country::Kz);
        let own = custom(&[Lang::Ru, Lang::Ka, Lang::Kk]).languages(country.clone());
        assert_eq!(*own.offered, [Lang::Ru, Lang::Kk]);
        assert_eq!(own.default(), Lang::Ru);
        // What a missing text is written in is read here, too.
        let one = custom(&[Lang::En]).languages(country.clone());
        assert_eq!((one.default(), one.fallback), (Lang::En, Lang::En));
        // At least one language stays.
        assert_eq!(custom(&[Lang::Ka]).languages(country.clone()), country);
        assert_eq!(custom(&[]).languages(country.clone()), country);
    }
}

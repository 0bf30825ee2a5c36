//! Where a visit is: country, town, and how sums and times are written there.

use std::{collections::HashMap, sync::Arc};

use crate::{
    upstream::{Answer, Caller, Coordinates, CountryConfig, Freshness, Meta, Town, TownId},
    values::Country,
    web::{app::App, visit::Visit},
};

/// Asks both countries for their languages, so that the first guests already get what is on offer. Without an answer the
/// built-in ones hold until a page asks again (LC-08).
pub async fn learn_languages(app: App) {
    for country in Country::ALL {
        let caller = app.upstream.anonymous(country);
        app.upstream.country(&caller, country).await;
    }
}

/// The stored town's default, in Kazakhstan (LC-06, LC-12).
const DEFAULT_TOWN: u64 = 1;

/// The country and town of a visit.
#[derive(Clone)]
pub struct Place {
    country: Arc<CountryConfig>,
    town: Option<Town>,
    /// Of which town lists are. While none is known: of that which the guest has chosen before, else of the default
    /// (LC-12).
    of_lists: Option<TownId>,
    /// Offset, phone code and money of the town, else of the country.
    pub meta: Meta,
}

impl Place {
    /// Reads the country's settings, from the cache as a rule; never fails (LC-08).
    pub async fn of(visit: &Visit) -> Self {
        // Not what a guest reloads a page for.
        let caller = Caller {
            freshness: Freshness::Usual,
            ..visit.caller(None).optional()
        };
        let country: Answer<CountryConfig> =
            visit.app.upstream.country(&caller, visit.country).await;
        let country = within(country.value().clone(), &visit.custom.towns);
        let town = visit
            .town
            .and_then(|id| country.towns.iter().find(|town| town.id.0 == id))
            .or_else(|| country.towns.first())
            .cloned();
        let of_lists = match &town {
            Some(town) => Some(town.id),
            None => visit
                .town
                .or(visit.custom.towns.first().copied())
                .or((visit.country == Country::Kz).then_some(DEFAULT_TOWN))
                .map(TownId),
        };
        let meta = town
            .as_ref()
            .map_or_else(|| country.meta.clone(), |town| town.meta(&country.meta));
        Self {
            country,
            town,
            of_lists,
            meta,
        }
    }

    /// Towns of the country that are on offer.
    #[must_use]
    pub fn towns(&self) -> &[Town] {
        &self.country.towns
    }

    /// The chosen town, else the country's first.
    #[must_use]
    pub fn town(&self) -> Option<&Town> {
        self.town.as_ref()
    }

    /// The town whose centre is closest to a place.
    #[must_use]
    pub fn nearest_town(&self, here: Coordinates) -> Option<&Town> {
        // Degrees of longitude shrink towards the poles; that is exact enough to tell towns apart.
        let shrink = here.latitude().to_radians().cos();
        let apart = |town: &Town| {
            let centre = town.coordinates?;
            let (north, east) = (
                centre.latitude() - here.latitude(),
                (centre.longitude() - here.longitude()) * shrink,
            );
            Some(north.hypot(east))
        };
        self.country
            .towns
            .iter()
            .filter_map(|town| Some((apart(town)?, town)))
            .min_by(|(one, _), (other, _)| one.total_cmp(other))
            .map(|(_, town)| town)
    }

    /// The other country, if a venue's town is one of its: a browser whose host name tells no country may have come from
    /// a table of the one to a venue of the other.
    pub async fn elsewhere(&self, visit: &Visit, town: Option<&Town>) -> Option<Country> {
        let has = |config: &CountryConfig, wanted: &Town| {
            config.towns.iter().any(|town| town.id == wanted.id)
        };
        let town = town.filter(|town| !has(&self.country, town))?;
        let (other, config) = self.other(visit).await;
        has(config.value(), town).then_some(other)
    }

    /// The country of a venue's town: its phones are dialled as they are there.
    pub async fn country_of(&self, visit: &Visit, town: Option<&Town>) -> Country {
        self.elsewhere(visit, town).await.unwrap_or(visit.country)
    }

    /// The code of phones in a venue's town: as the town tells it, else the country that it is in (LC-19).
    #[must_use]
    pub fn phone_code(&self, country: Country, town: Option<&Town>) -> String {
        let base = if country == self.country.country {
            self.country.meta.clone()
        } else {
            Meta::built_in(country)
        };
        town.map_or_else(|| base.clone(), |town| town.meta(&base))
            .phone_code
    }

    /// The offsets of towns that venues stand in, as far as they are known: a part of the map may lie in the other country,
    /// which is asked only for that.
    pub async fn offsets(&self, visit: &Visit, towns: &[TownId]) -> HashMap<TownId, i32> {
        let of = |config: &CountryConfig| -> HashMap<TownId, i32> {
            let towns = config.towns.iter();
            towns
                .map(|town| (town.id, town.meta(&config.meta).utc_offset))
                .collect()
        };
        let mut offsets = of(&self.country);
        if towns.iter().any(|town| !offsets.contains_key(town)) {
            offsets.extend(of(self.other(visit).await.1.value()));
        }
        offsets
    }

    /// The other country and its settings.
    async fn other(&self, visit: &Visit) -> (Country, Answer<CountryConfig>) {
        let other = match visit.country {
            Country::Kz => Country::Ge,
            Country::Ge => Country::Kz,
        };
        let language = visit.app.upstream.languages(other).default();
        let caller = Caller::guest(language, other).optional();
        (other, visit.app.upstream.country(&caller, other).await)
    }

    /// Id of the town; 0 while no town is known.
    #[must_use]
    pub fn town_id(&self) -> u32 {
        self.town
            .as_ref()
            .and_then(|town| u32::try_from(town.id.0).ok())
            .unwrap_or_default()
    }

    /// Id for venue lists: without one they would be of both countries.
    #[must_use]
    pub const fn upstream_town(&self) -> Option<TownId> {
        self.of_lists
    }

    /// Whether a venue of that town belongs to the places on offer; one whose town nobody tells is not left out.
    #[must_use]
    pub fn offers(&self, town: Option<TownId>) -> bool {
        let towns = self.towns();
        town.is_none_or(|id| towns.is_empty() || towns.iter().any(|town| town.id == id))
    }

    /// The town's centre: where lists are sorted from until the guest tells more.
    #[must_use]
    pub fn centre(&self) -> Option<Coordinates> {
        self.town.as_ref().and_then(|town| town.coordinates)
    }

    /// Offset and money of the town that a venue stands in.
    #[must_use]
    pub fn meta_of(&self, town: Option<&Town>) -> Meta {
        town.map_or_else(|| self.meta.clone(), |town| town.meta(&self.country.meta))
    }
}

/// A country with those of its towns that a host has, in the host's order; with all where it has none of them.
fn within(country: Arc<CountryConfig>, wanted: &[u64]) -> Arc<CountryConfig> {
    let find = |id: &u64| country.towns.iter().find(|town| town.id.0 == *id);
    let towns: Vec<Town> = wanted.iter().filter_map(find).cloned().collect();
    if towns.is_empty() {
        return country;
    }
    Arc::new(CountryConfig {
        towns,
        ..(*country).clone()
    })
}

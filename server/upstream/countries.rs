//! Countries and towns, with built-in defaults for when the upstream does not answer (LC-05 to LC-08, ZZ-01, ZZ-02).

use tracing::warn;

use super::{
    Answer, Caller, Coordinates, Error, Paged, TownId, Upstream,
    address::Path,
    breaker::Part,
    call::Call,
    meta::{Meta, PartialMeta},
    paged::paged,
    query::Query,
    town_names,
    wire::{self, Bad, FromWire, Wire},
};
use crate::{
    telemetry::Throttle,
    values::{Country, Lang},
};

/// A country as the upstream configures it.
#[derive(Debug, Clone, PartialEq)]
pub struct CountryConfig {
    /// Which one.
    pub country: Country,
    /// Name in the caller's language.
    pub name: Option<String>,
    /// The raw currency field, kept as it comes: money is written by `meta.money` (ZZ-01).
    pub currency: String,
    /// Languages on offer.
    pub langs: Vec<Lang>,
    /// Used when the guest has chosen none.
    pub default_lang: Lang,
    /// Used for a text that is missing in the chosen one (LC-03).
    pub fallback_lang: Lang,
    /// Time zone, phone code and money.
    pub meta: Meta,
    /// Towns, if the upstream has told them.
    pub towns: Vec<Town>,
    /// The upstream did not answer: these are built-in defaults.
    pub built_in: bool,
}

/// A town.
#[derive(Debug, Clone, PartialEq)]
pub struct Town {
    /// Its id.
    pub id: TownId,
    /// Name in the caller's language, as the upstream writes it.
    upstream_name: String,
    /// Its centre.
    pub coordinates: Option<Coordinates>,
    /// Translation key of the name (LC-09).
    pub translit_name: String,
    /// Id in the partner store.
    pub parstore_id: Option<u64>,
    /// Three letters, or empty when the upstream has told something else (LC-10).
    pub code: String,
    own_meta: PartialMeta,
}

impl Upstream {
    /// A country with its towns. Never fails: without an answer the built-in defaults hold and the failure is logged
    /// (LC-08). Its towns are asked for by themselves then (LC-06).
    pub async fn country(&self, caller: &Caller, country: Country) -> Answer<CountryConfig> {
        let path = Path::with("locations/v1/countries/{}", &country.id());
        let call = Call::shared(self, caller, Part::Locations, path)
            .query(Query::new().with("include", "towns"));
        let known = match self.catalogue(call, wire::data::<CountryConfig>).await {
            Ok(answer) if answer.country == country => {
                self.note_languages(answer.value());
                if !answer.towns.is_empty() {
                    return answer;
                }
                CountryConfig::clone(answer.value())
            }
            Ok(_) => return Answer::new(CountryConfig::built_in(country)),
            Err(error) => {
                static SAID: Throttle = Throttle::new();
                if let Some(others) = error.admitted_by(&SAID) {
                    warn!(
                        country = country.code(),
                        others, "The country's settings did not come, built-in ones hold: {error}"
                    );
                }
                // What has hung once would hang again while a guest waits.
                if matches!(error, Error::Deadline | Error::BreakerOpen) {
                    return Answer::new(CountryConfig::built_in(country));
                }
                CountryConfig::built_in(country)
            }
        };
        let towns = self.towns(caller, country).await;
        Answer::new(CountryConfig {
            towns: towns.map_or_else(|_| Vec::new(), |towns| towns.items.clone()),
            ..known
        })
    }

    /// The towns of a country.
    pub async fn towns(
        &self,
        caller: &Caller,
        country: Country,
    ) -> Result<Answer<Paged<Town>>, Error> {
        let call = Call::shared(
            self,
            caller,
            Part::Locations,
            Path::fixed("locations/v2/towns"),
        );
        self.catalogue(
            call.query(Query::new().with("country_id", country.id())),
            paged,
        )
        .await
    }
}

impl CountryConfig {
    /// What holds when the upstream has told nothing.
    #[must_use]
    pub fn built_in(country: Country) -> Self {
        let [default_lang, ..] = country.langs();
        Self {
            country,
            name: None,
            // Listed for both countries, whatever they pay in (LC-05).
            currency: "gel".to_owned(),
            langs: country.langs().to_vec(),
            default_lang,
            fallback_lang: match country {
                Country::Kz => Lang::Ru,
                Country::Ge => Lang::En,
            },
            meta: Meta::built_in(country),
            towns: Vec::new(),
            built_in: true,
        }
    }
}

impl Town {
    /// Its name in a language: by its translation key, and as the upstream writes it where the key is not known (LC-09).
    #[must_use]
    pub fn name(&self, lang: Lang) -> &str {
        town_names::name_of(&self.translit_name, lang).unwrap_or(&self.upstream_name)
    }

    /// The town's meta, where it is silent the country's (ZZ-01).
    #[must_use]
    pub fn meta(&self, country: &Meta) -> Meta {
        self.own_meta.clone().over(country)
    }
}

impl FromWire for CountryConfig {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        let country = Country::ALL.into_iter().find(|country| {
            wire.count("id") == Some(country.id())
                || wire.text("code").is_some_and(|code| code == country.code())
        });
        let built_in = Self::built_in(country.ok_or(Bad("country"))?);
        let known = |lang: Option<String>| lang.and_then(|code| Lang::from_code(&code));
        let mut langs = wire
            .get("supportedLanguages")
            .elements(|lang| known(lang.as_text()).ok_or(Bad("language")));
        if langs.is_empty() {
            langs.clone_from(&built_in.langs);
        }
        Ok(Self {
            name: wire.text("name"),
            currency: wire.text("currency").unwrap_or(built_in.currency),
            langs,
            default_lang: known(wire.text("defaultLocale")).unwrap_or(built_in.default_lang),
            fallback_lang: known(wire.text("fallbackLocale")).unwrap_or(built_in.fallback_lang),
            meta: PartialMeta::read(wire.get("config").get("meta")).over(&built_in.meta),
            towns: wire.list("towns"),
            country: built_in.country,
            built_in: false,
        })
    }
}

impl FromWire for Town {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        Ok(Self {
            id: wire.id("id", TownId).ok_or(Bad("town id"))?,
            upstream_name: wire.text("name").ok_or(Bad("town name"))?,
            coordinates: coordinates(wire.get("coordinates")),
            translit_name: wire.text("translit_name").unwrap_or_default(),
            parstore_id: wire.id("parstore_id", |id| id),
            code: wire
                .text("code")
                .filter(|code| {
                    code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_alphabetic())
                })
                .map(|code| code.to_ascii_uppercase())
                .unwrap_or_default(),
            own_meta: PartialMeta::read(wire.get("config").get("meta")),
        })
    }
}

/// Latitude and longitude, if both are on earth. 0,0 stands for an unknown place (DG-17).
pub(super) fn coordinates(wire: Wire<'_>) -> Option<Coordinates> {
    let (latitude, longitude) = (wire.number("latitude")?, wire.number("longitude")?);
    let is_known = latitude != 0.0 || longitude != 0.0;
    Coordinates::new(latitude, longitude).filter(|_| is_known)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use serde_json::json;

    use super::*;

    #[test]
    fn a_silent_town_has_the_meta_of_its_country() {
        let json = json!({ "id": 1, "name": "Алматы", "config": { "meta": { "timezone": "Asia/Almaty", "money": { "symbol": "T" } } } });
        let dropped = Cell::new(0);
        let town = Town::from_wire(Wire::new(&json, &dropped)).expect("a town");
        let meta = town.meta(&Meta::built_in(Country::Kz));
        assert_eq!(
            (
                meta.timezone.as_str(),
                meta.utc_offset,
                meta.money.code.as_str()
            ),
            ("Asia/Almaty", 300, "KZT")
        );
    }

    #[test]
    fn a_town_is_called_by_its_key_else_as_the_upstream_writes_it() {
        let town = |key: &str| {
            let json = json!({ "id": 1, "name": "Алма-Ата", "translit_name": key });
            Town::from_wire(Wire::new(&json, &Cell::new(0))).expect("a town")
        };
        let known = town("town.almaty");
        assert_eq!(
            [Lang::Kk, Lang::Ru, Lang::En].map(|lang| known.name(lang)),
            ["Алматы", "Алматы", "Almaty"]
        );
        assert_eq!(town("town.new").name(Lang::En), "Алма-Ата");
        assert_eq!(town("").name(Lang::En), "Алма-Ата");
    }

    #[test]
    fn a_town_keeps_its_partner_store_and_a_code_of_three_letters() {
        let read = |code: serde_json::Value| {
            let json = json!({ "id": 1, "name": "Алматы", "parstore_id": 11, "code": code });
            let dropped = Cell::new(0);
            let town = Town::from_wire(Wire::new(&json, &dropped)).expect("a town");
            assert_eq!(town.parstore_id, Some(11));
            town.code
        };
        assert_eq!(read(json!("ALA")), "ALA");
        assert_eq!(read(json!("ala")), "ALA");
        for wrong in [
            json!("ALMA"),
            json!("AL"),
            json!("A1A"),
            json!("АЛА"),
            json!(null),
        ] {
            assert_eq!(read(wrong), "");
        }
    }

    #[test]
    fn money_is_that_of_the_meta_not_the_raw_currency() {
        let json = json!({ "id": 1, "currency": "gel", "config": { "meta": { "money": { "currency": "kzt", "fraction_digits": 9, "rounding": { "mode": "odd" } } } } });
        let dropped = Cell::new(0);
        let country = CountryConfig::from_wire(Wire::new(&json, &dropped)).expect("a country");
        assert_eq!(country.currency, "gel");
        let money = &country.meta.money;
        assert_eq!(
            (
                money.code.as_str(),
                money.symbol.as_str(),
                money.fraction_digits,
                money.rounding.as_str()
            ),
            ("KZT", "₸", 2, "floor")
        );
    }
}

//! The languages of the countries, as the upstream has told them last (LC-02, LC-03). A request is decided on before
//! anything is asked for, so they are at hand at any time: until a country has answered, its built-in ones.

use std::sync::{Arc, PoisonError, RwLock};

use super::{Caller, CountryConfig, Upstream};
use crate::values::{Country, Lang};

/// The languages of one country.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Languages {
    /// Those on offer, the default one first; never empty.
    pub offered: Arc<[Lang]>,
    /// What a missing text is written in.
    pub fallback: Lang,
}

/// What is known of each country.
#[derive(Debug)]
pub(super) struct Known {
    kz: RwLock<Languages>,
    ge: RwLock<Languages>,
}

impl Languages {
    /// Those of this program.
    #[must_use]
    pub fn built_in(country: Country) -> Self {
        Self::of(&CountryConfig::built_in(country))
    }

    fn of(country: &CountryConfig) -> Self {
        let default = Some(country.default_lang).filter(|lang| country.langs.contains(lang));
        let mut offered: Vec<Lang> = default.into_iter().collect();
        for lang in &country.langs {
            if !offered.contains(lang) {
                offered.push(*lang);
            }
        }
        Self {
            offered: offered.into(),
            fallback: country.fallback_lang,
        }
    }

    /// For guests who have chosen none.
    #[must_use]
    pub fn default(&self) -> Lang {
        self.offered.first().copied().unwrap_or(self.fallback)
    }

    /// A language if it is on offer, else the default one.
    #[must_use]
    pub fn or_default(&self, lang: Lang) -> Lang {
        if self.offered.contains(&lang) {
            lang
        } else {
            self.default()
        }
    }
}

impl Default for Known {
    fn default() -> Self {
        let built_in = |country| RwLock::new(Languages::built_in(country));
        Self {
            kz: built_in(Country::Kz),
            ge: built_in(Country::Ge),
        }
    }
}

impl Known {
    const fn of(&self, country: Country) -> &RwLock<Languages> {
        match country {
            Country::Kz => &self.kz,
            Country::Ge => &self.ge,
        }
    }
}

impl Upstream {
    /// The languages of a country.
    #[must_use]
    pub fn languages(&self, country: Country) -> Languages {
        let known = self.inner.languages.of(country);
        known.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// An anonymous caller: its answers are those of all guests of a country, in its default language.
    #[must_use]
    pub fn anonymous(&self, country: Country) -> Caller {
        Caller::guest(self.languages(country).default(), country)
    }

    /// Keeps what a country has answered.
    pub(super) fn note_languages(&self, config: &CountryConfig) {
        let current = Languages::of(config);
        if current != self.languages(config.country) {
            let known = self.inner.languages.of(config.country);
            *known.write().unwrap_or_else(PoisonError::into_inner) = current;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_comes_first_and_must_be_on_offer() {
        let of = |langs: &[Lang], default_lang| {
            Languages::of(&CountryConfig {
                langs: langs.to_vec(),
                default_lang,
                ..CountryConfig::built_in(Country::Kz)
            })
        };
        let current = of(&[Lang::Kk, Lang::Ru, Lang::Kk, Lang::En], Lang::Ru);
        assert_eq!(*current.offered, [Lang::Ru, Lang::Kk, Lang::En]);
        assert_eq!(current.default(), Lang::Ru);
        let current = of(&[Lang::En, Lang::Ru], Lang::Ka);
        assert_eq!(*current.offered, [Lang::En, Lang::Ru]);
        assert_eq!(current.default(), Lang::En);
    }
}

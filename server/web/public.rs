//! Addresses as search engines shall know them: absolute, the country's own language bare, the others by `lang`
//! (SO-02, SO-03). `components/lib/head.ts` writes the same ones; a test compares them.

use super::{
    locale::{COUNTRY, LANG, country_of_host},
    visit::Visit,
};
use crate::{
    upstream::Languages,
    values::{Country, Lang},
};

/// The public addresses of one country on one origin.
#[derive(Debug, Clone)]
pub struct Public {
    origin: String,
    country: Country,
    /// The host names no country and this is not the one that it stands for.
    named: bool,
    languages: Languages,
}

impl Public {
    /// Those of a visit.
    #[must_use]
    pub fn of(visit: &Visit) -> Self {
        Self::new(&visit.origin, visit.country, visit.languages())
    }

    /// Those of a country on an origin.
    #[must_use]
    pub fn new(origin: &str, country: Country, languages: Languages) -> Self {
        let own = country_of(origin).unwrap_or(Country::Kz);
        Self {
            origin: origin.to_owned(),
            country,
            named: country != own,
            languages,
        }
    }

    /// Scheme, host and port.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The country.
    #[must_use]
    pub const fn country(&self) -> Country {
        self.country
    }

    /// Its languages.
    #[must_use]
    pub const fn languages(&self) -> &Languages {
        &self.languages
    }

    /// The address of a path in a language.
    #[must_use]
    pub fn address(&self, path: &str, lang: Lang) -> String {
        let mut address = format!("{}{path}", self.origin);
        let mut add = |key: &str, value: &str| {
            address.push(if address.contains('?') { '&' } else { '?' });
            address.push_str(key);
            address.push('=');
            address.push_str(value);
        };
        if lang != self.languages.default() {
            add(LANG, lang.code());
        }
        if self.named {
            add(COUNTRY, self.country.code());
        }
        address
    }

    /// A picture of the image service, absolute, in one of its sizes.
    #[must_use]
    pub fn picture(&self, address: &str, size: &str) -> String {
        let sized = address.replace("{w}", size);
        if sized.starts_with('/') {
            format!("{}{sized}", self.origin)
        } else {
            sized
        }
    }
}

/// The country that an origin's host names.
#[must_use]
pub fn country_of(origin: &str) -> Option<Country> {
    let (_, host) = origin.split_once("://")?;
    country_of_host(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_countrys_language_is_bare_and_a_country_is_named_where_the_host_does_not() {
        let address = |origin, country, lang| {
            Public::new(origin, country, Languages::built_in(country)).address("/faq", lang)
        };
        let (kz, ge) = (Country::Kz, Country::Ge);
        for (origin, country, lang, expected) in [
            ("https://a.kz", kz, Lang::Kk, "https://a.kz/faq"),
            ("https://a.kz", kz, Lang::Ru, "https://a.kz/faq?lang=ru"),
            ("https://a.ge", ge, Lang::Ka, "https://a.ge/faq"),
            ("https://a.ge", ge, Lang::En, "https://a.ge/faq?lang=en"),
            (
                "http://[::1]:80",
                ge,
                Lang::Ka,
                "http://[::1]:80/faq?country=ge",
            ),
            (
                "https://a.com",
                ge,
                Lang::Ru,
                "https://a.com/faq?lang=ru&country=ge",
            ),
            ("https://a.com", kz, Lang::Kk, "https://a.com/faq"),
        ] {
            assert_eq!(address(origin, country, lang), expected);
        }
    }
}

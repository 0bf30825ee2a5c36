//! Language and country of a request, and the preferences that browsers keep in cookies.

use axum::http::{HeaderMap, HeaderValue, header, request::Parts};
use url::form_urlencoded;

use super::hosts::{Chosen, Hosts, names};
use crate::{
    config::custom::Custom,
    upstream::{Languages, Upstream},
    values::{Country, Lang, Platform, Service},
};

/// Query parameter and cookie of the language.
pub const LANG: &str = "lang";
/// Query parameter and cookie of the country.
pub const COUNTRY: &str = "country";
/// Cookie of the town.
pub const TOWN: &str = "townId";
/// Cookie of the service.
pub const SERVICE: &str = "service";
/// Query parameter and cookie of the platform that the app runs on.
pub const PLATFORM: &str = "platform";
/// Cookie of the device: a name for it, for scripts.
pub const DEVICE: &str = "deviceId";

/// Preferences live for a year from their last change.
const MAX_AGE_SECONDS: u32 = 365 * 24 * 3600;

/// What the browser remembers between visits (ST-01). A value that makes no sense is absent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Preferences {
    /// Chosen language.
    pub lang: Option<Lang>,
    /// Country that was asked for on a host whose name tells none.
    pub country: Option<Country>,
    /// Chosen town.
    pub town_id: Option<u64>,
    /// Chosen service.
    pub service: Option<Service>,
    /// What a host app has told that it is.
    pub platform: Option<Platform>,
    /// What the device is called; the session knows the device itself.
    pub device_id: Option<String>,
}

/// Language and country that a request is answered in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Locale {
    /// Language, always one of the country's.
    pub lang: Lang,
    /// Country.
    pub country: Country,
    /// The query asked for this language: worth remembering in the cookie.
    pub lang_in_query: bool,
    /// The query asked for this country and the host name tells none: worth remembering too.
    pub country_in_query: bool,
}

impl Preferences {
    /// Reads the cookies of a request.
    #[must_use]
    pub fn of(headers: &HeaderMap) -> Self {
        let cookie = |name| cookie(headers, name);
        Self {
            lang: cookie(LANG).and_then(Lang::from_code),
            country: cookie(COUNTRY).and_then(country_of),
            town_id: cookie(TOWN)
                .and_then(|id| id.parse().ok())
                .filter(|id| *id > 0),
            service: cookie(SERVICE).and_then(Service::from_code),
            platform: cookie(PLATFORM).and_then(Platform::from_code),
            device_id: cookie(DEVICE).filter(|id| is_device(id)).map(str::to_owned),
        }
    }
}

impl Locale {
    /// Country: query, else the last segment of the host name, else Kazakhstan (LC-04). On a host that names no
    /// country (an address, `localhost`) what was asked for before holds, or links would lose it. Language:
    /// query, else the stored preference, else the country's default; one that the country does not
    /// offer falls to the next (LC-01, LC-02). `languages` tells what a country offers.
    #[must_use]
    pub fn decide(
        query: Option<&str>,
        host: Option<&str>,
        preferences: &Preferences,
        languages: impl FnOnce(Country) -> Languages,
    ) -> Self {
        let wanted = query_value(query, COUNTRY).and_then(|code| country_of(&code));
        let named = host.and_then(country_of_host);
        let country = wanted
            .or(named)
            .or(preferences.country)
            .unwrap_or(Country::Kz);
        let languages = languages(country);
        let in_query = query_value(query, LANG)
            .and_then(|code| Lang::from_code(&code.to_ascii_lowercase()))
            .filter(|lang| languages.offered.contains(lang));
        let stored = preferences
            .lang
            .filter(|lang| languages.offered.contains(lang));
        Self {
            lang: in_query.or(stored).unwrap_or_else(|| languages.default()),
            country,
            lang_in_query: in_query.is_some(),
            country_in_query: wanted.is_some() && named.is_none(),
        }
    }

    fn of(parts: &Parts, preferences: &Preferences, custom: &Custom, upstream: &Upstream) -> Self {
        let host = names::requested(&parts.headers, &parts.uri);
        let languages = |country| custom.languages(upstream.languages(country));
        Self::decide(parts.uri.query(), host, preferences, languages)
    }
}

/// What a request says of language and country and has asked for before, and what its host offers, worked out once for
/// all layers.
#[derive(Debug, Clone)]
pub struct Wishes {
    /// Language and country of the answer.
    pub locale: Locale,
    /// What the cookies hold.
    pub preferences: Preferences,
    /// The configuration of the host.
    pub chosen: Chosen,
}

impl Wishes {
    /// What a layer above has put into the request, else worked out here.
    #[must_use]
    pub fn of(parts: &Parts, hosts: &Hosts, upstream: &Upstream) -> Self {
        if let Some(wishes) = parts.extensions.get::<Self>() {
            return wishes.clone();
        }
        let preferences = Preferences::of(&parts.headers);
        let chosen = hosts.chosen(&parts.headers, &parts.uri);
        Self {
            locale: Locale::of(parts, &preferences, &chosen.custom, upstream),
            preferences,
            chosen,
        }
    }
}

/// `Set-Cookie` of a preference. Scripts may read it: the specification mirrors it into local storage.
#[must_use]
pub fn preference_cookie(name: &'static str, value: &str, secure: bool) -> Option<HeaderValue> {
    cookie_for(name, value, MAX_AGE_SECONDS, secure)
}

/// `Set-Cookie` by which the browser forgets a preference.
#[must_use]
pub fn gone_cookie(name: &'static str, secure: bool) -> Option<HeaderValue> {
    cookie_for(name, "", 0, secure)
}

fn cookie_for(name: &str, value: &str, seconds: u32, secure: bool) -> Option<HeaderValue> {
    let fit = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    if !value.bytes().all(fit) {
        return None;
    }
    let secure = if secure { "; Secure" } else { "" };
    let cookie = format!("{name}={value}; Path=/; Max-Age={seconds}; SameSite=Lax{secure}");
    HeaderValue::from_str(&cookie).ok()
}

/// The first cookie of that name.
pub fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.split_once('='))
        .find(|(found, _)| found.trim() == name)
        .map(|(_, value)| value.trim().trim_matches('"'))
}

fn query_value(query: Option<&str>, name: &str) -> Option<String> {
    form_urlencoded::parse(query?.as_bytes())
        .find(|(found, _)| found == name)
        .map(|(_, value)| value.into_owned())
}

fn country_of(code: &str) -> Option<Country> {
    Country::ALL
        .into_iter()
        .find(|country| country.code().eq_ignore_ascii_case(code))
}

/// `Host` as sent: with a port, a dot at the end, in capitals, or an address instead of a name.
pub(super) fn country_of_host(host: &str) -> Option<Country> {
    if host.starts_with('[') {
        return None;
    }
    let name = host.split(':').next()?.trim_end_matches('.');
    country_of(name.rsplit('.').next()?)
}

fn is_device(id: &str) -> bool {
    (16..=64).contains(&id.len())
        && id
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(query: &str, host: &str, stored: Option<Lang>) -> (Lang, Country) {
        let preferences = Preferences {
            lang: stored,
            ..Preferences::default()
        };
        let locale = Locale::decide(Some(query), Some(host), &preferences, Languages::built_in);
        (locale.lang, locale.country)
    }

    #[test]
    fn the_country_is_the_last_segment_of_the_host_name() {
        for (host, country) in [
            ("app.example.ge", Country::Ge),
            ("app.example.kz", Country::Kz),
            ("app.example.ge:8080", Country::Ge),
            ("APP.EXAMPLE.GE", Country::Ge),
            ("app.example.ge.", Country::Ge),
            ("app.example.Ge.:443", Country::Ge),
            ("app.example.com", Country::Kz),
            ("ge.example.com", Country::Kz),
            ("app.example.xn--node", Country::Kz),
            ("localhost", Country::Kz),
            ("localhost:8080", Country::Kz),
            ("10.0.0.1", Country::Kz),
            ("10.0.0.2:8080", Country::Kz),
            ("[::1]:8080", Country::Kz),
            ("[fe80::ge]", Country::Kz),
            ("", Country::Kz),
            (".", Country::Kz),
            (":", Country::Kz),
        ] {
            assert_eq!(decide("", host, None).1, country, "{host:?}");
        }
        assert_eq!(
            Locale::decide(None, None, &Preferences::default(), Languages::built_in).country,
            Country::Kz
        );
    }

    #[test]
    fn the_query_beats_the_host_if_it_names_a_country() {
        assert_eq!(
            decide("country=ge", "app.kz", None),
            (Lang::Ka, Country::Ge)
        );
        assert_eq!(decide("country=KZ", "app.ge", None).1, Country::Kz);
        assert_eq!(decide("country=fr", "app.ge", None).1, Country::Ge);
        assert_eq!(decide("country=", "app.ge", None).1, Country::Ge);
    }

    #[test]
    fn a_host_without_a_country_remembers_the_one_that_was_asked_for() {
        let stored = Preferences {
            country: Some(Country::Ge),
            ..Preferences::default()
        };
        let decide =
            |query, host| Locale::decide(Some(query), Some(host), &stored, Languages::built_in);
        assert_eq!(decide("", "127.0.0.1:8080").country, Country::Ge);
        assert_eq!(decide("", "app.kz").country, Country::Kz);
        assert_eq!(decide("country=kz", "127.0.0.1:8080").country, Country::Kz);
        assert!(decide("country=ge", "127.0.0.1:8080").country_in_query);
        assert!(!decide("country=ge", "app.kz").country_in_query);
        assert!(!decide("", "127.0.0.1:8080").country_in_query);
    }

    #[test]
    fn a_language_that_is_not_offered_falls_to_the_next_source() {
        for (query, host, stored, lang) in [
            ("", "app.kz", None, Lang::Kk),
            ("", "app.ge", None, Lang::Ka),
            ("lang=ru", "app.kz", Some(Lang::En), Lang::Ru),
            ("lang=RU", "app.kz", None, Lang::Ru),
            ("x=1&lang=en&lang=ru", "app.kz", None, Lang::En),
            ("lang=ka", "app.kz", Some(Lang::En), Lang::En),
            ("lang=ka", "app.kz", None, Lang::Kk),
            ("lang=kk", "app.ge", Some(Lang::Kk), Lang::Ka),
            ("lang=de", "app.ge", Some(Lang::Ru), Lang::Ru),
            ("lang=", "app.ge", None, Lang::Ka),
            ("lang=kk&country=kz", "app.ge", None, Lang::Kk),
        ] {
            assert_eq!(
                decide(query, host, stored).0,
                lang,
                "{query} {host} {stored:?}"
            );
        }
        let asked = |query| {
            Locale::decide(
                Some(query),
                None,
                &Preferences::default(),
                Languages::built_in,
            )
            .lang_in_query
        };
        assert!(asked("lang=ru") && !asked("lang=ka") && !asked(""));
    }

    #[test]
    fn broken_cookies_are_absent() {
        let read = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.append(header::COOKIE, text.parse().unwrap());
            Preferences::of(&headers)
        };
        let good = read(
            "lang=ru; townId=11; service=express; platform=ios; deviceId=0123456789abcdef_-; x=y",
        );
        assert_eq!(good.lang, Some(Lang::Ru));
        assert_eq!(good.town_id, Some(11));
        assert_eq!(good.service, Some(Service::Express));
        assert_eq!(good.platform, Some(Platform::Ios));
        assert_eq!(good.device_id.unwrap(), "0123456789abcdef_-");
        for broken in [
            "",
            ";;;",
            "lang",
            "lang=; townId=; service=; deviceId=",
            "lang=xx; townId=-1; service=2; platform=windows; deviceId=a b",
            "townId=99999999999999999999999; deviceId=<script>alert(1)</script>",
            "townId=0",
            "alang=ru",
        ] {
            assert_eq!(read(broken), Preferences::default(), "{broken:?}");
        }
    }

    #[test]
    fn a_preference_cookie_cannot_carry_attributes() {
        assert_eq!(
            preference_cookie(LANG, "kk", true).unwrap(),
            "lang=kk; Path=/; Max-Age=31536000; SameSite=Lax; Secure"
        );
        assert_eq!(preference_cookie(LANG, "kk; Domain=example", true), None);
    }
}

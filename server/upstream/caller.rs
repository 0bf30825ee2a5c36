//! Who calls: what a call says about the guest, and how long it may take.

use std::fmt;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use rand::Rng as _;
use sha2::{Digest as _, Sha256};

use super::Renewal;
use crate::values::{Country, Lang};

/// On whose behalf a call is made. Shared (cached) calls use only the language and the coordinates of it.
#[derive(Debug, Clone)]
pub struct Caller {
    /// `X-Language`.
    pub lang: Lang,
    /// `X-Country` of order creation; also picks the country for town calls (ZZ-02).
    pub country: Country,
    /// `X-Fingerprint`: the device. Without one a personal call gets a random one, which owns nothing.
    pub fingerprint: Option<Fingerprint>,
    /// `Authorization`, when signed in.
    pub bearer: Option<Bearer>,
    /// How to get another bearer when the upstream no longer takes this one.
    pub renewal: Option<Renewal>,
    /// `lat` and `long`, when known.
    pub coordinates: Option<Coordinates>,
    /// Deadline and retries.
    pub class: Class,
    /// How new shared answers have to be.
    pub freshness: Freshness,
}

/// How new a shared answer has to be (HM-06, HM-07).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Freshness {
    /// As the cache has it: a venue and its menu stay while the guest comes and goes.
    #[default]
    Usual,
    /// Asked for anew unless that was a moment ago. An answer that does not come soon is replaced by the kept one.
    Recent,
    /// The same where it is waited for: a reload, or the code of a table.
    Forced,
}

/// How much a page depends on a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// The page can't be shown without it: 1.5 s, one quick retry.
    Critical,
    /// The page can do without it: 600 ms, one quick retry.
    Optional,
    /// Order creation and what must be true for it: 15 s, three retries, and never from the cache.
    Order,
}

/// Identifies a device; visible ASCII.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Fingerprint(String);

/// An access token; visible ASCII. Never shown.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Bearer(String);

/// Names one piece of work, so that doing it again changes nothing.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct IdempotencyKey(String);

/// Mean radius of the earth, metres.
const EARTH: f64 = 6_371_000.0;

/// A place on earth.
#[derive(Clone, Copy, PartialEq)]
pub struct Coordinates {
    latitude: f64,
    longitude: f64,
}

impl Caller {
    /// A guest of whom nothing else is known.
    #[must_use]
    pub fn guest(lang: Lang, country: Country) -> Self {
        Self {
            lang,
            country,
            fingerprint: None,
            bearer: None,
            renewal: None,
            coordinates: None,
            class: Class::Critical,
            freshness: Freshness::Usual,
        }
    }

    /// Whether the upstream can tell it from others, by its user or its device.
    #[must_use]
    pub const fn is_identified(&self) -> bool {
        self.bearer.is_some() || self.fingerprint.is_some()
    }

    /// The device as the upstream knows it; empty where a guest has none.
    #[must_use]
    pub fn device(&self) -> &str {
        self.fingerprint.as_ref().map_or("", Fingerprint::as_str)
    }

    /// The same caller for a call of another class.
    #[must_use]
    pub fn with_class(&self, class: Class) -> Self {
        Self {
            class,
            ..self.clone()
        }
    }

    /// Shorthand for a call that the page can do without.
    #[must_use]
    pub fn optional(&self) -> Self {
        self.with_class(Class::Optional)
    }
}

impl Fingerprint {
    /// Takes 1 to 128 visible ASCII characters.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        is_visible(text, 128).then(|| Self(text.to_owned()))
    }

    /// A new random one.
    #[must_use]
    pub fn random() -> Self {
        Self(random_text())
    }

    /// As it is sent.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Bearer {
    /// Takes 1 to 4096 visible ASCII characters.
    #[must_use]
    pub fn new(token: &str) -> Option<Self> {
        is_visible(token, 4096).then(|| Self(token.to_owned()))
    }

    /// As it is sent. Nothing but the sealed session and the upstream may get it (S-01).
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl IdempotencyKey {
    /// Takes 1 to 128 visible ASCII characters.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        is_visible(text, 128).then(|| Self(text.to_owned()))
    }

    /// A new random one.
    #[must_use]
    pub fn random() -> Self {
        Self(random_text())
    }

    /// The one of a work that is the same however often it is asked for. What only its guest knows is to be in it: another
    /// could have an answer stored under it.
    #[must_use]
    pub fn of(work: &[&str]) -> Self {
        let text = serde_json::json!(work).to_string();
        Self(URL_SAFE_NO_PAD.encode(Sha256::digest(text.as_bytes())))
    }

    /// As it is sent.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Coordinates {
    /// Takes degrees within their ranges.
    #[must_use]
    pub fn new(latitude: f64, longitude: f64) -> Option<Self> {
        let inside = (-90.0..=90.0).contains(&latitude) && (-180.0..=180.0).contains(&longitude);
        inside.then_some(Self {
            latitude,
            longitude,
        })
    }

    /// Degrees north.
    #[must_use]
    pub const fn latitude(self) -> f64 {
        self.latitude
    }

    /// Degrees east.
    #[must_use]
    pub const fn longitude(self) -> f64 {
        self.longitude
    }

    /// Rounded to about 100 metres: close enough to sort venues, and neighbours share cached answers.
    pub(super) fn coarse(self) -> Self {
        let round = |degrees: f64| (degrees * 1000.0).round() / 1000.0;
        Self {
            latitude: round(self.latitude),
            longitude: round(self.longitude),
        }
    }

    /// Metres along the surface of the earth.
    #[must_use]
    pub fn metres_to(self, other: Self) -> f64 {
        let (north, south) = (self.latitude.to_radians(), other.latitude.to_radians());
        let (up, across) = (
            (south - north) / 2.0,
            (other.longitude - self.longitude).to_radians() / 2.0,
        );
        let half = up.sin().powi(2) + north.cos() * south.cos() * across.sin().powi(2);
        2.0 * EARTH * half.sqrt().min(1.0).asin()
    }
}

// What could identify a guest is not shown by `{:?}` either (S-21).
impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Fingerprint(…)")
    }
}

impl fmt::Debug for Bearer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Bearer(…)")
    }
}

impl fmt::Debug for IdempotencyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("IdempotencyKey(…)")
    }
}

impl fmt::Debug for Coordinates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Coordinates(…)")
    }
}

fn is_visible(text: &str, longest: usize) -> bool {
    !text.is_empty() && text.len() <= longest && text.bytes().all(|byte| byte.is_ascii_graphic())
}

/// 128 random bits as 22 URL-safe characters.
fn random_text() -> String {
    let mut bytes = [0_u8; 16];
    rand::rng().fill_bytes(&mut bytes);
    URL_SAFE_NO_PAD.encode(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_values_can_not_be_split() {
        for bad in ["", "a\r\nX-Evil: 1", "a b", "ключ", "a\0"] {
            assert!(
                Fingerprint::new(bad).is_none()
                    && Bearer::new(bad).is_none()
                    && IdempotencyKey::new(bad).is_none()
            );
        }
    }

    #[test]
    fn nothing_personal_is_shown_by_debug() {
        let mut caller = Caller::guest(Lang::Kk, Country::Kz);
        caller.fingerprint = Fingerprint::new("canary-device");
        caller.bearer = Bearer::new("canary-token");
        caller.coordinates = Coordinates::new(43.123, 76.456);
        let shown = format!("{caller:?}");
        assert!(
            !shown.contains("canary") && !shown.contains("43.1") && !shown.contains("76.4"),
            "{shown}"
        );
    }

    #[test]
    fn coordinates_are_on_earth() {
        assert!(Coordinates::new(43.238, 76.945).is_some());
        for (latitude, longitude) in [
            (91.0, 0.0),
            (0.0, 181.0),
            (f64::NAN, 0.0),
            (0.0, f64::INFINITY),
        ] {
            assert!(Coordinates::new(latitude, longitude).is_none());
        }
    }
}

//! Values that every feature shares: languages, countries, services, sums and how sums are written.

use serde::{Deserialize, Serialize};

/// Interface language (LC-02).
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ts_rs::TS,
)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    /// Kazakh.
    Kk,
    /// Russian.
    Ru,
    /// English.
    En,
    /// Georgian.
    Ka,
}

/// Country of a visit.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ts_rs::TS,
)]
#[serde(rename_all = "lowercase")]
pub enum Country {
    /// Kazakhstan.
    Kz,
    /// Georgia.
    Ge,
}

impl Country {
    /// All of them, the usual one first.
    pub const ALL: [Self; 2] = [Self::Kz, Self::Ge];
}

/// The three services of the switcher (SV-02).
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ts_rs::TS,
)]
#[serde(rename_all = "lowercase")]
pub enum Service {
    /// The guest picks the order up.
    Takeaway,
    /// Ordered at a table of the venue.
    Express,
    /// Brought to the guest's address.
    Delivery,
}

/// The five kinds of orders (OR-01).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the specification's own names")]
pub enum OrderKind {
    #[default]
    Express,
    Takeaway,
    Delivery,
    VendorDelivery,
    Micromarket,
    /// A kind that this program does not know.
    Unknown,
}

impl OrderKind {
    /// The kind of a word.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        match code {
            "express" => Some(Self::Express),
            "takeaway" => Some(Self::Takeaway),
            "delivery" => Some(Self::Delivery),
            "vendor-delivery" => Some(Self::VendorDelivery),
            "micromarket" => Some(Self::Micromarket),
            _ => None,
        }
    }

    /// The service behind the kind, if there is one.
    #[must_use]
    pub const fn service(self) -> Option<Service> {
        match self {
            Self::Express => Some(Service::Express),
            Self::Takeaway => Some(Service::Takeaway),
            Self::Delivery | Self::VendorDelivery => Some(Service::Delivery),
            Self::Micromarket | Self::Unknown => None,
        }
    }
}

/// What the app runs on: the browser itself, or the host app of a phone. Nothing else is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Platform {
    /// A browser.
    #[default]
    Web,
    /// A host app on iOS.
    Ios,
    /// A host app on Android.
    Android,
}

/// A sum of money in hundredths of its currency.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Default,
    Serialize,
    Deserialize,
    ts_rs::TS,
)]
#[ts(type = "number")]
pub struct Sum(pub i64);

/// How sums of a town are written (LC-11).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
pub struct MoneyFormat {
    /// ISO 4217 code.
    pub code: String,
    /// Sign, such as ₸.
    pub symbol: String,
    /// Where the amount (`%v`) and the sign (`%s`) stand (FM-14).
    pub format: String,
    /// Between groups of three digits.
    pub thousands: String,
    /// Before the fraction.
    pub decimal: String,
    /// Digits after the decimal sign where a fraction exists (ZZ-03).
    pub fraction_digits: u32,
    /// Rounding mode (FM-03).
    pub rounding: String,
    /// Rounding precision as the upstream tells it.
    pub precision: i32,
}

impl Lang {
    /// All four, in the order of the specification.
    pub const ALL: [Self; 4] = [Self::Kk, Self::Ru, Self::En, Self::Ka];

    /// Two-letter code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Kk => "kk",
            Self::Ru => "ru",
            Self::En => "en",
            Self::Ka => "ka",
        }
    }

    /// The language of a code, if it is one of the four.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|lang| lang.code() == code)
    }
}

impl Country {
    /// Two-letter code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Kz => "kz",
            Self::Ge => "ge",
        }
    }

    /// Upstream id (LC-06).
    #[must_use]
    pub const fn id(self) -> u32 {
        match self {
            Self::Kz => 1,
            Self::Ge => 2,
        }
    }

    /// Languages on offer, the default one first (LC-02).
    #[must_use]
    pub const fn langs(self) -> [Lang; 3] {
        match self {
            Self::Kz => [Lang::Kk, Lang::Ru, Lang::En],
            Self::Ge => [Lang::Ka, Lang::Ru, Lang::En],
        }
    }
}

impl Platform {
    const ALL: [Self; 3] = [Self::Web, Self::Ios, Self::Android];

    /// The specification's word.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Web => "web",
            Self::Ios => "ios",
            Self::Android => "android",
        }
    }

    /// Whether the product runs inside of a host app.
    #[must_use]
    pub const fn is_host_app(self) -> bool {
        !matches!(self, Self::Web)
    }

    /// The platform of a word, if it is one of the three.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|platform| platform.code() == code)
    }
}

impl Service {
    /// All three, in the order of the switcher.
    pub const ALL: [Self; 3] = [Self::Delivery, Self::Express, Self::Takeaway];

    /// Name in queries, forms and cookies.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Takeaway => "takeaway",
            Self::Express => "express",
            Self::Delivery => "delivery",
        }
    }

    /// The service of a name.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|service| service.code() == code)
    }

    /// Upstream type id; there is no 2 (SV-01).
    #[must_use]
    pub const fn type_id(self) -> u32 {
        match self {
            Self::Takeaway => 1,
            Self::Express => 3,
            Self::Delivery => 4,
        }
    }

    /// Category id of venue lists (ZZ-23).
    #[must_use]
    pub const fn category_id(self) -> u32 {
        match self {
            Self::Takeaway => 4,
            Self::Express => 128,
            Self::Delivery => 8,
        }
    }
}

//! Venues.

use serde::Serialize;

use crate::values::{MoneyFormat, Service};

/// Open state of a venue, worked out from its schedule and the town's offset.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct OpenState {
    /// Takes orders now.
    pub open: bool,
    /// Around the clock (FL-04).
    pub always: bool,
    /// "HH:MM" of the next change, null when not known.
    pub at: Option<String>,
    /// Days from today until `at`.
    pub in_days: u32,
    /// When what is said here changes, milliseconds since the epoch. Pages are told it once, by the shell.
    #[serde(skip)]
    #[cfg_attr(test, ts(skip))]
    pub until: Option<i64>,
}

impl OpenState {
    /// How long a guest waits: lists begin with what is open, and what opens on no known day comes last.
    #[must_use]
    pub fn wait(&self) -> u32 {
        let days = self.at.as_ref().map_or(u32::MAX, |_| self.in_days + 1);
        if self.open { 0 } else { days }
    }
}

/// One venue in a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct VenueCard {
    /// Its id for the chosen service.
    #[cfg_attr(test, ts(type = "number"))]
    pub id: u64,
    /// Its name.
    pub name: String,
    /// Its brand.
    pub brand: String,
    /// Street and building.
    pub address: String,
    /// Metres, null when not known.
    pub distance: Option<u32>,
    /// 1,500 metres or more (HM-09).
    pub far: bool,
    /// 0 to 5.
    pub rating: Option<f64>,
    /// Picture address with `{w}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub image: Option<String>,
    /// Open state at the server's time.
    pub open: OpenState,
    /// Services it offers.
    pub services: Vec<Service>,
    /// It has a promo.
    pub promo: bool,
    /// The most that a dish is cheaper by, negative (MN-01); none where it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub percent: Option<i32>,
    /// Minutes that guests usually wait.
    pub minutes: Option<u32>,
    /// It does not deliver now, though it is open (delivery only).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, type = "true"))]
    pub paused: bool,
    /// Minutes that delivery is late by (delivery only).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub delay: Option<u32>,
}

impl VenueCard {
    /// When what the first of these says of its hours changes, milliseconds since the epoch.
    pub fn soonest<'a>(cards: impl IntoIterator<Item = &'a Self>) -> Option<i64> {
        cards.into_iter().filter_map(|card| card.open.until).min()
    }
}

/// The id that a venue has for one of its services (SV-03).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Sibling {
    /// The service.
    pub service: Service,
    /// The id.
    #[cfg_attr(test, ts(type = "number"))]
    pub id: u64,
}

/// The venue whose menu this is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Venue {
    /// Its id.
    #[cfg_attr(test, ts(type = "number"))]
    pub id: u64,
    /// Its name.
    pub name: String,
    /// Its brand.
    pub brand: String,
    /// Street and building.
    pub address: String,
    /// Picture address with `{w}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub image: Option<String>,
    /// Open state at the server's time.
    pub open: OpenState,
    /// Services it offers.
    pub services: Vec<Service>,
    /// Its id for each service.
    pub siblings: Vec<Sibling>,
    /// Percent added for service (CT-14).
    pub service_percent: u32,
    /// 0 to 5; none where it has no ratings.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub rating: Option<f64>,
    /// Minutes that guests usually wait, while it is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub minutes: Option<u32>,
    /// Minutes east of UTC.
    pub utc_offset: i32,
    /// How its sums are written.
    pub money: MoneyFormat,
}

/// A venue to link to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct VenueRef {
    /// Its id.
    #[cfg_attr(test, ts(type = "number"))]
    pub id: u64,
    /// Its name.
    pub name: String,
}

/// What a banner warns of (FL-12).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the upstream's own names")]
pub enum BannerKind {
    WeatherIssues,
    NightShift,
    Closed,
    /// Of our own: kitchens need longer now (FL-21).
    RushHour,
}

/// A banner over the menu (FL-11).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Banner {
    /// Null for the venue's own message.
    pub kind: Option<BannerKind>,
    /// The venue's own words, may be empty with a kind.
    pub message: String,
}

/// How much another service has, where the chosen one has nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ServiceHits {
    /// The service.
    pub service: Service,
    /// Of venues, or of all that a search finds.
    pub total: u32,
}

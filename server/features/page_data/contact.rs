//! Where something is and how it is called.

use serde::Serialize;

use crate::{upstream::Coordinates, web::visit::Visit};

/// A place on earth, in degrees.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Point {
    /// Latitude, −90 to 90.
    pub lat: f64,
    /// Longitude, −180 to 180.
    pub lon: f64,
}

/// A phone number to read and to call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Phone {
    /// As the venue writes it.
    pub text: String,
    /// `tel:` with digits alone.
    pub href: String,
}

impl From<Coordinates> for Point {
    fn from(place: Coordinates) -> Self {
        Self {
            lat: place.latitude(),
            lon: place.longitude(),
        }
    }
}

/// Whose map it is: named on every map, as licences of map data want.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MapCredit {
    /// The name.
    pub text: String,
    /// The page of its makers, if there is one.
    pub href: Option<String>,
}

impl MapCredit {
    /// What the setting says: a name, and after a bar a web address.
    #[must_use]
    pub fn of(visit: &Visit) -> Option<Self> {
        let credit = visit.app.config.tile_credit.as_deref()?;
        let (text, href) = credit.split_once('|').unwrap_or((credit, ""));
        Some(Self {
            text: text.trim().to_owned(),
            href: Some(href.trim().to_owned()).filter(|href| !href.is_empty()),
        })
        .filter(|credit| !credit.text.is_empty())
    }
}

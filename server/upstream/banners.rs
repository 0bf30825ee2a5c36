//! The banner of a venue (section 3, delivery banner kinds).

use super::{
    Answer, Caller, Error, Upstream, VenueId,
    address::Path,
    breaker::Part,
    call::Call,
    query::Query,
    wire::{self, Bad, FromWire, Wire},
};

/// A word about delivery or the venue as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Banner {
    /// Its kind; `None` for a word without one.
    pub kind: Option<BannerKind>,
    /// Its text; may be empty.
    pub message: String,
}

/// Kinds of banners.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BannerKind {
    /// Bad weather.
    WeatherIssues,
    /// The night team works.
    NightShift,
    /// Closed.
    Closed,
}

impl Upstream {
    /// A word about delivery or the venue as a whole, if there is one.
    pub async fn banner(&self, caller: &Caller, venue: VenueId) -> Result<Answer<Banner>, Error> {
        let path = Path::with("takeaway/v2/filial/settings/banner/info/{}", &venue);
        let call = Call::shared(self, caller, Part::Extras, path)
            .query(Query::new().flag("is_web_view", true))
            .recent();
        self.catalogue(call, wire::data::<Banner>).await
    }
}

impl FromWire for Banner {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        Ok(Self {
            kind: match wire.get("kind").raw().as_str() {
                Some("weather_issues") => Some(BannerKind::WeatherIssues),
                Some("night_shift") => Some(BannerKind::NightShift),
                Some("closed") => Some(BannerKind::Closed),
                _ => None,
            },
            message: wire.text("message").unwrap_or_default(),
        })
    }
}

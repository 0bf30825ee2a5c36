//! `/map`: venues where they stand (HM-12; screens.md, 2.3). The same venues are a list, so nothing depends on the map.

use axum::extract::State;
use serde::Serialize;

use super::{
    loaded::{Facts, Loaded, PageRequest},
    mapping,
    page_data::{MapCredit, Point, VenueCard},
    place::Place,
    sitemap::{Directory, count_unknown},
    venues,
};
use crate::{
    error::Error,
    upstream::{Answer, Bbox, Coordinates, Location, LocationsQuery, TownId, Venue, VenueId},
    web::{
        page::{Frame, Page},
        visit::Visit,
    },
};

/// Venues of one view: more pins than these can't be told apart on a phone.
const MOST: u32 = 40;
/// Half of the view around one venue, in degrees: about ten streets.
const AROUND: f64 = 0.008;
/// Half of the view around a town without venues, in degrees.
const TOWN: f64 = 0.05;
/// A meridian's degree is longer than a parallel's: so much less latitude makes the view about square.
const FLAT: f64 = 0.7;
/// The largest part of the world that is searched, in degrees.
const WIDEST: f64 = 30.0;
/// Beyond it the projection of web maps ends.
const POLE: f64 = 85.0;

/// A part of the map, in degrees.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Bounds {
    /// Least longitude.
    pub west: f64,
    /// Least latitude.
    pub south: f64,
    /// Greatest longitude.
    pub east: f64,
    /// Greatest latitude.
    pub north: f64,
}

/// A venue with its place.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MapVenue {
    /// What lists show of it.
    pub card: VenueCard,
    /// Where it stands.
    pub at: Point,
}

/// Page data of `/map`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MapPage {
    /// What the map shows at first.
    pub view: Bounds,
    /// The view is that of `?bbox=`; else it is the server's choice.
    pub requested: bool,
    /// Search text, trimmed.
    pub query: String,
    /// Venues in view, nearest to its middle first.
    pub venues: Vec<MapVenue>,
    /// Venues in view that there are.
    pub total: u32,
    /// The chosen venue, one of `venues`.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub selected: Option<u64>,
    /// The upstream did not answer: the page offers a retry.
    pub failed: bool,
    /// Whose map it is.
    pub credit: Option<MapCredit>,
}

/// `/map`
pub const PAGE: Page = Page::builder("map", "/map")
    .query(&["bbox", "q", "venue"])
    // Each part of the map would be a page of its own, seldom asked for again.
    .personal(&["bbox"])
    .frame(Frame::Search)
    .shared();

/// Loads `/map`: the part of `?bbox=west,south,east,north`, else around `?venue=`, else the town.
///
/// # Errors
/// None: a list that did not come says so itself.
pub async fn load(
    State(directory): State<Directory>,
    request: PageRequest,
) -> Result<Loaded<MapPage>, Error> {
    let Facts { visit, place, .. } = &*request;
    let in_query = visit.query_value("bbox").and_then(Bounds::parse);
    let chosen = chosen(&directory, visit, place).await;
    let around = chosen
        .as_ref()
        .and_then(|venue| venue.location.coordinates)
        .map(|middle| Bounds::around(middle, AROUND));
    let part = in_query.or(around);
    let query = venues::search(visit);
    let wanted = LocationsQuery {
        service: Some(visit.service),
        // A view may lie across towns, unless there is only one.
        town: if part.is_some() && place.towns().len() != 1 {
            None
        } else {
            place.upstream_town()
        },
        brand: visit.brand(),
        bbox: part.map(Bounds::to_wire),
        limit: MOST,
        search: query.clone(),
        ..LocationsQuery::default()
    };
    let middle = part.and_then(Bounds::middle).or_else(|| place.centre());
    let found = visit
        .app
        .upstream
        .locations(&visit.caller(middle), &wanted)
        .await;
    let failed = found.is_err();
    let stale = found.as_ref().is_ok_and(Answer::is_stale);
    if let Err(error) = &found {
        tracing::warn!(
            class = error.class(),
            "The venues of a map could not be loaded"
        );
    }
    let (found, total) = found.map_or_else(
        |_| (Vec::new(), 0),
        |answer| {
            let mut found = answer.items.clone();
            found.retain(|location| is_here(visit, place, location.town_id));
            let abroad = answer.items.len() - found.len();
            let abroad = u32::try_from(abroad).unwrap_or(u32::MAX);
            (found, answer.total.saturating_sub(abroad))
        },
    );
    let (venues, selected) = venues(visit, place, &found, chosen.as_deref()).await;
    let view = part
        .or_else(|| Bounds::over(&venues))
        .or_else(|| place.centre().map(|centre| Bounds::around(centre, TOWN)))
        .unwrap_or(Bounds::ALMATY);
    let page = MapPage {
        credit: MapCredit::of(visit),
        view,
        requested: in_query.is_some(),
        query,
        total: total.max(u32::try_from(venues.len()).unwrap_or(u32::MAX)),
        venues,
        selected,
        failed,
    };
    let keep = VenueCard::soonest(page.venues.iter().map(|venue| &venue.card));
    let loaded = Loaded::page(page).stale(stale).lacking(failed).keep(keep);
    Ok(if failed { loaded.status(503) } else { loaded })
}

/// Whether a venue of that town is one of this host, which may have only some of the towns (SV-09).
fn is_here(visit: &Visit, place: &Place, town: Option<TownId>) -> bool {
    visit.custom.towns.is_empty() || place.offers(town)
}

/// The venue of `?venue=`; one that is unknown or did not come is not missed.
async fn chosen(directory: &Directory, visit: &Visit, place: &Place) -> Option<Answer<Venue>> {
    let venue: VenueId = visit.query_value("venue")?.parse().ok()?;
    count_unknown(directory, visit, venue).await.ok()?;
    let caller = visit.caller(None).optional();
    let venue = visit
        .app
        .upstream
        .venue(&caller, venue, visit.brand())
        .await;
    venue
        .ok()
        .filter(|venue| is_here(visit, place, town_of(venue)))
}

fn town_of(venue: &Venue) -> Option<TownId> {
    let town = venue.town.as_ref().map(|town| town.id);
    town.or(venue.location.town_id)
}

/// What was found, with the chosen venue among it; venues without a known place are left to the list.
async fn venues(
    visit: &Visit,
    place: &Place,
    found: &[Location],
    chosen: Option<&Venue>,
) -> (Vec<MapVenue>, Option<u64>) {
    let town_of_chosen = chosen.and_then(town_of);
    let towns = found.iter().filter_map(|location| location.town_id);
    let towns: Vec<TownId> = towns.chain(town_of_chosen).collect();
    let offsets = place.offsets(visit, &towns).await;
    let pinned = |location: &Location, town: Option<TownId>| {
        let offset = town.and_then(|town| offsets.get(&town).copied());
        let offset = offset.unwrap_or(place.meta.utc_offset);
        Some(MapVenue {
            at: location.coordinates?.into(),
            card: mapping::venue_card(location, &visit.app.images, visit.now, offset),
        })
    };
    let mut venues: Vec<MapVenue> = found
        .iter()
        .filter_map(|location| pinned(location, location.town_id))
        .collect();
    let Some(chosen) = chosen.map(|venue| &venue.location) else {
        return (venues, None);
    };
    // The same venue has another id for another service.
    let same = found.iter().find(|location| {
        location.venue_id == chosen.venue_id || (location.id.is_some() && location.id == chosen.id)
    });
    let id = same.unwrap_or(chosen).venue_id.0;
    if !venues.iter().any(|venue| venue.card.id == id)
        && let Some(venue) = pinned(chosen, town_of_chosen)
    {
        venues.insert(0, venue);
    }
    let selected = venues.iter().any(|venue| venue.card.id == id).then_some(id);
    (venues, selected)
}

impl Bounds {
    /// The middle of the country's largest town, when nothing at all is known.
    const ALMATY: Self = Self {
        west: 76.85,
        south: 43.2,
        east: 77.0,
        north: 43.3,
    };

    /// Reads `west,south,east,north`; none for what is no part of a map.
    fn parse(text: &str) -> Option<Self> {
        let numbers: Vec<f64> = text
            .split(',')
            .map(|part| {
                part.trim()
                    .parse()
                    .ok()
                    .filter(|number: &f64| number.is_finite())
            })
            .collect::<Option<_>>()?;
        let &[west, south, east, north] = numbers.as_slice() else {
            return None;
        };
        let inside = west >= -180.0 && east <= 180.0 && south >= -POLE && north <= POLE;
        let sized =
            west < east && south < north && east - west <= WIDEST && north - south <= WIDEST;
        (inside && sized).then(|| Self::rounded(west, south, east, north))
    }

    fn around(middle: Coordinates, half: f64) -> Self {
        let (lat, lon) = (middle.latitude(), middle.longitude());
        Self::rounded(lon - half, lat - half * FLAT, lon + half, lat + half * FLAT)
    }

    /// The part that holds all pins; none without pins.
    fn over(venues: &[MapVenue]) -> Option<Self> {
        let first = venues.first()?.at;
        let (mut west, mut east, mut south, mut north) =
            (first.lon, first.lon, first.lat, first.lat);
        for MapVenue { at, .. } in venues {
            (west, east) = (west.min(at.lon), east.max(at.lon));
            (south, north) = (south.min(at.lat), north.max(at.lat));
        }
        // The map leaves room for pins at its edges itself; a single venue still has streets around it.
        let room = |span: f64, least: f64| (span * 0.02).max((least - span) / 2.0);
        let (wide, high) = (
            room(east - west, 2.0 * AROUND),
            room(north - south, 2.0 * AROUND * FLAT),
        );
        Some(Self::rounded(
            west - wide,
            south - high,
            east + wide,
            north + high,
        ))
    }

    fn middle(self) -> Option<Coordinates> {
        Coordinates::new(
            f64::midpoint(self.south, self.north),
            f64::midpoint(self.west, self.east),
        )
    }

    const fn to_wire(self) -> Bbox {
        Bbox(self.west, self.south, self.east, self.north)
    }

    /// To about a metre, as the browser writes them.
    fn rounded(west: f64, south: f64, east: f64, north: f64) -> Self {
        let round = |degrees: f64| (degrees * 100_000.0).round() / 100_000.0;
        Self {
            west: round(west),
            south: round(south),
            east: round(east),
            north: round(north),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_part_of_the_map_is_a_bbox() {
        let good = Bounds::parse("76.9,43.2,77.0001234,43.3").unwrap();
        assert_eq!((good.west, good.east), (76.9, 77.00012));
        for bad in [
            "",
            "1,2,3",
            "1,2,3,4,5",
            "77,43,76,44",
            "76,44,77,43",
            "NaN,43,77,44",
            "76,43,inf,44",
            "76,-89,77,44",
            "0,0,40,40",
            "a,b,c,d",
        ] {
            assert_eq!(Bounds::parse(bad), None, "{bad}");
        }
    }
}

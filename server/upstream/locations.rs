//! Venue lists (HT-15, HT-16, ZZ-23).

use std::fmt;

use super::{
    Answer, BrandId, Caller, Coordinates, Error, Filters, Kitchen, LocationId, Paged, TownId,
    Upstream, VenueId,
    address::Path,
    breaker::Part,
    call::Call,
    countries::coordinates,
    paged::paged,
    query::Query,
    wire::{Bad, FromWire, Wire},
};
use crate::values::Service;

/// Which list is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum List {
    /// All venues.
    #[default]
    All,
    /// Those close to the guest.
    Near,
    /// Bakeries.
    Bakery,
    /// Goods to be cooked at home.
    SemiFinished,
    /// Goods ready to eat.
    ReadyMeals,
    /// Grocery shops.
    Grocery,
}

/// Order of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Sort {
    /// Nearest first.
    #[default]
    Distance,
    /// Best rated first.
    Rating,
}

/// West, south, east, north.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bbox(pub f64, pub f64, pub f64, pub f64);

/// What a venue list can be asked for. The default is the first page of all venues.
#[derive(Debug, Clone, PartialEq)]
pub struct LocationsQuery {
    /// Which list.
    pub list: List,
    /// Venues with this service; also decides the category id (ZZ-23).
    pub service: Option<Service>,
    /// Venues with a promo only.
    pub only_promo: bool,
    /// From 1.
    pub page: u32,
    /// Elements of a page.
    pub limit: u32,
    /// Order.
    pub sort: Sort,
    /// Venues of a town.
    pub town: Option<TownId>,
    /// Venues of a brand.
    pub brand: Option<BrandId>,
    /// Free text.
    pub search: String,
    /// The text is looked for in names and addresses alone, not in the dishes.
    pub in_names: bool,
    /// What venues are narrowed down by.
    pub filters: Filters,
    /// Venues inside a part of the map.
    pub bbox: Option<Bbox>,
    /// Just these venues.
    pub ids: Vec<VenueId>,
}

/// A venue as lists show it.
#[derive(Debug, Clone, PartialEq)]
pub struct Location {
    /// The venue with all its services.
    pub id: Option<LocationId>,
    /// The venue as the asked service sees it.
    pub venue_id: VenueId,
    /// Its name.
    pub name: String,
    /// Its brand.
    pub brand_id: Option<BrandId>,
    /// Name of its brand.
    pub brand_name: String,
    /// How is cooked there; where the upstream tells it.
    pub kitchens: Vec<Kitchen>,
    /// Latin short name.
    pub prefix_en: String,
    /// Street and building.
    pub address: String,
    /// Where it stands.
    pub coordinates: Option<Coordinates>,
    /// Metres from the caller.
    pub distance: Option<f64>,
    /// Its town.
    pub town_id: Option<TownId>,
    /// Stars.
    pub rating: Option<f64>,
    /// How many rated it.
    pub reviews_count: u32,
    /// Picture.
    pub image_url: Option<String>,
    /// Has a promo now.
    pub has_promo: bool,
    /// The most that something there is cheaper by now, percent.
    pub promo_percent: Option<u32>,
    /// Minutes a guest usually waits.
    pub average_minutes: Option<u32>,
    /// Whether it delivers now.
    pub delivery_state: DeliveryState,
    /// Minutes that delivery is late by.
    pub delivery_delay_time: u32,
    /// Its id for takeaway, if it has that service.
    pub takeaway: Option<VenueId>,
    /// Its id for ordering at a table.
    pub express: Option<VenueId>,
    /// Its id for delivery.
    pub delivery: Option<VenueId>,
    /// When it is open.
    pub opening_hours: Vec<Interval>,
    /// So long before closing it takes no more orders.
    pub close_in_advance_minutes: u32,
    /// Closed by hand.
    pub is_closed: bool,
    /// Lists of one kind of place that it stands in.
    pub categories: Vec<List>,
}

/// Whether a venue delivers (FL-02).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum DeliveryState {
    /// It does; also when nothing is told.
    #[default]
    Open,
    /// Anything else, as the upstream calls it.
    Other(String),
}

/// One opening interval. It runs past midnight if it ends at or before its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval {
    /// 1 is Monday.
    pub day: u8,
    /// Minutes from the day's midnight.
    pub from: u16,
    /// Minutes from the day's midnight.
    pub to: u16,
}

impl Upstream {
    /// A page of a venue list, sorted from where the caller is. The same for all guests, so it names none (HM-15).
    pub async fn locations(
        &self,
        caller: &Caller,
        query: &LocationsQuery,
    ) -> Result<Answer<Paged<Location>>, Error> {
        let path = Path::fixed(query.list.path());
        let part = match query.search.trim() {
            "" => Part::Locations,
            _ => Part::Search,
        };
        let call = Call::shared(self, caller, part, path)
            .near(caller)
            .query(query.to_wire());
        self.catalogue(call, paged).await
    }
}

impl Location {
    /// The venue's id for a service.
    #[must_use]
    pub fn venue_for(&self, service: Service) -> Option<VenueId> {
        match service {
            Service::Takeaway => self.takeaway,
            Service::Express => self.express,
            Service::Delivery => self.delivery,
        }
    }
}

impl List {
    /// The list of a category, by the name that its path has.
    #[must_use]
    pub fn of_category(name: &str) -> Option<Self> {
        match name {
            "bakery" => Some(Self::Bakery),
            "semi_finished" => Some(Self::SemiFinished),
            "ready_meals" => Some(Self::ReadyMeals),
            "grocery" => Some(Self::Grocery),
            _ => None,
        }
    }

    const fn path(self) -> &'static str {
        match self {
            Self::All => "takeaway/v2/locations",
            Self::Near => "brandy/api/v1/locations/near",
            Self::Bakery => "takeaway/v2/locations/bakery",
            Self::SemiFinished => "takeaway/v2/locations/semi_finished",
            Self::ReadyMeals => "takeaway/v2/locations/ready_meals",
            Self::Grocery => "takeaway/v2/locations/grocery",
        }
    }
}

impl Default for LocationsQuery {
    fn default() -> Self {
        Self {
            list: List::default(),
            service: None,
            only_promo: false,
            page: 1,
            limit: 20,
            sort: Sort::default(),
            town: None,
            brand: None,
            search: String::new(),
            in_names: false,
            filters: Filters::default(),
            bbox: None,
            ids: Vec::new(),
        }
    }
}

impl LocationsQuery {
    fn to_wire(&self) -> Query {
        let sort = match self.sort {
            Sort::Distance => "distance",
            Sort::Rating => "rating",
        };
        self.filters
            .of_venues(Query::new())
            .maybe("filter[service]", self.service.map(Service::code))
            .flag("filter[only-promo]", self.only_promo)
            .with("page", self.page.max(1))
            .with("limit", self.limit)
            .with("sort", sort)
            .maybe("town_id", self.town)
            .with("search", self.search.trim())
            .maybe("search_in", self.in_names.then_some("names"))
            .maybe("bbox", self.bbox)
            .maybe("category_id", self.service.map(Service::category_id))
            .maybe("brand_id", self.brand)
            .each("ids", &self.ids)
    }
}

impl fmt::Display for Bbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(west, south, east, north) = self;
        write!(f, "{west},{south},{east},{north}")
    }
}

impl FromWire for Location {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        let sibling = |key| wire.get(key).id("filial_id", VenueId);
        let text = |key| wire.text(key).unwrap_or_default();
        Ok(Self {
            id: wire.id("id", LocationId),
            venue_id: wire.id("filial_id", VenueId).ok_or(Bad("filial_id"))?,
            name: wire
                .text("name")
                .or_else(|| wire.text("brand_name"))
                .unwrap_or_default(),
            brand_id: wire.id("brand_id", BrandId),
            brand_name: text("brand_name"),
            kitchens: wire.list("kitchens"),
            prefix_en: text("prefix_en"),
            address: text("address"),
            coordinates: coordinates(wire.get("coordinates")),
            distance: wire.number("distance").filter(|metres| *metres >= 0.0),
            town_id: wire.id("town_id", TownId),
            rating: wire
                .number("rating")
                .filter(|stars| (0.0..=5.0).contains(stars)),
            reviews_count: wire.count("reviews_count").unwrap_or(0),
            image_url: wire.link("image_url"),
            has_promo: wire.flag("has_promo").unwrap_or(false),
            promo_percent: wire
                .count("promo_percent")
                .filter(|percent| (1..=100).contains(percent)),
            average_minutes: wire.count("average_minutes"),
            delivery_state: match wire.get("delivery_state").as_text() {
                Some(state) if state != "open" && !state.is_empty() => DeliveryState::Other(state),
                _ => DeliveryState::Open,
            },
            delivery_delay_time: wire.count("delivery_delay_time").unwrap_or(0),
            takeaway: sibling("takeaway"),
            express: sibling("express"),
            delivery: sibling("delivery"),
            opening_hours: wire.list("opening_hours"),
            close_in_advance_minutes: wire
                .get("relationships")
                .get("filial_settings")
                .count("close_in_advance_minutes")
                .unwrap_or(0),
            is_closed: wire.flag("is_closed").unwrap_or(false),
            categories: wire.get("categories").elements(|name| {
                name.as_text()
                    .and_then(|name| List::of_category(&name))
                    .ok_or(Bad("category"))
            }),
        })
    }
}

impl FromWire for Interval {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        let minutes = |key| wire.text(key).and_then(|text| minutes(&text));
        Ok(Self {
            day: wire
                .count("day")
                .and_then(|day| u8::try_from(day).ok())
                .filter(|day| (1..=7).contains(day))
                .ok_or(Bad("day"))?,
            from: minutes("from").ok_or(Bad("from"))?,
            to: minutes("to").ok_or(Bad("to"))?,
        })
    }
}

/// Minutes of `HH:MM` or `HH:MM:SS`; 24:00 is the end of the day.
fn minutes(text: &str) -> Option<u16> {
    let mut parts = text.trim().split(':');
    let (hours, minutes): (u16, u16) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let total = hours.checked_mul(60)?.checked_add(minutes)?;
    (minutes < 60 && total <= 24 * 60).then_some(total)
}

//! One venue: its settings, its terminal with tables, and the branch check of a table QR link (HT-14, HT-17, FL-02).

use std::time::Duration;

use super::{
    Answer, BrandId, Caller, Class, Error, Location, LocationId, TableId, Town, TownId, Upstream,
    VenueId,
    address::Path,
    breaker::Part,
    call::Call,
    found::Thing,
    query::Query,
    wire::{self, Bad, FromWire, Wire},
};
use crate::values::{Country, Lang, Sum};

/// So long a number that no venue has is not asked for again, except for an order.
const ABSENT: Duration = Duration::from_secs(10);
const ABSENT_AT_MOST: u64 = 10_000;

/// Numbers that no venue had a moment ago.
pub(super) type Absent = moka::sync::Cache<(VenueId, Option<BrandId>, Country, Lang), ()>;

/// None yet. `fresh` is how long public answers are good, at most.
pub(super) fn absent(fresh: Duration) -> Absent {
    Absent::builder()
        .max_capacity(ABSENT_AT_MOST)
        .time_to_live(ABSENT.min(fresh))
        .build()
}

/// How an order can be paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PaymentKind {
    /// By card or QR-pay.
    Online,
    /// In cash.
    Cash,
}

/// A venue with its settings.
#[derive(Debug, Clone, PartialEq)]
pub struct Venue {
    /// What lists show of it.
    pub location: Location,
    /// Its terminal; the venue's own id unless told otherwise.
    pub terminal_id: VenueId,
    /// The venue that others are linked to; the upstream says main terminal.
    pub main_venue_id: Option<VenueId>,
    /// Upstream id of the service.
    pub service_type: Option<u32>,
    /// Whole percent added for service.
    pub service_percentage: u32,
    /// What the venue takes (ZZ-13); `payments` says what may be offered.
    pub payment_types: Vec<PaymentKind>,
    /// The upstream lists no way to pay (FL-16). A venue without a list takes payments online.
    pub has_no_payment_types: bool,
    /// Nothing can be paid.
    pub payment_button_disabled: bool,
    /// No online payment.
    pub online_payment_disabled: bool,
    /// Venues that share a bill with it.
    pub linked_venues: Vec<VenueId>,
    /// Bills are pulled: a table link leads to the bill (RT-09).
    pub is_check_pulling_enabled: bool,
    /// Is not linked to others.
    pub exclude_from_linking: bool,
    /// Has a tablet kiosk.
    pub has_tablet: bool,
    /// Orders of the kiosk that name no table are handed out at the counter.
    pub tablet_pickup: bool,
    /// Delivers with its own couriers.
    pub vendor_delivery_enabled: bool,
    /// Price of that.
    pub vendor_delivery_cost: Sum,
    /// Least goods for that.
    pub vendor_min_sum: Sum,
    /// Most goods for that, 0 for no limit (CT-11).
    pub vendor_max_sum: Sum,
    /// Has its own rewards.
    pub private_reward_enabled: bool,
    /// Hides the balance if the reward can't be read.
    pub private_reward_button_disabled: bool,
    /// Its town.
    pub town: Option<Town>,
    /// Opening hours as text.
    pub schedule: Option<String>,
    /// Phone as text.
    pub phone: Option<String>,
    /// Pages of the venue elsewhere.
    pub social_networks: Vec<SocialNetwork>,
    /// A word from the venue.
    pub banner_message: Option<String>,
    /// A guest may type the table's number.
    pub table_number_allowed: bool,
}

/// A page of a venue elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SocialNetwork {
    /// Its name, such as `instagram`.
    pub name: String,
    /// http(s) only (S-23).
    pub link: String,
}

/// A terminal with its tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terminal {
    /// Its id.
    pub id: VenueId,
    /// Its venue.
    pub location_id: Option<LocationId>,
    /// Its town.
    pub town_id: Option<TownId>,
    /// Upstream id of the service.
    pub service_type: Option<u32>,
    /// Its tables.
    pub tables: Vec<Table>,
}

/// A table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Its id.
    pub id: TableId,
    /// What is written on it.
    pub number: String,
}

/// What a table link leads to (RT-08, RT-09).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// The venue.
    pub venue_id: VenueId,
    /// Go to the bill instead of the menu.
    pub is_check_pulling_enabled: bool,
    /// The table, if the venue has it.
    pub table: Option<Table>,
    /// The venue that others are linked to; the upstream says main terminal.
    pub main_venue_id: Option<VenueId>,
}

impl Upstream {
    /// A venue with everything about it. An unknown one is `NotFound`.
    pub async fn venue(
        &self,
        caller: &Caller,
        venue: VenueId,
        brand: Option<BrandId>,
    ) -> Result<Answer<Venue>, Error> {
        let absent = &self.inner.absent;
        let key = (venue, brand, caller.country, caller.lang);
        if caller.class != Class::Order && absent.contains_key(&key) {
            return Err(Error::NotFound);
        }
        let call = self.venue_of(caller, venue, brand);
        let answer = self.catalogue(call, wire::data::<Venue>).await;
        if matches!(answer, Err(Error::NotFound)) {
            absent.insert(key, ());
        }
        answer
    }

    /// Whether [`Self::venue`] answers without a call for a number that may be made up.
    pub async fn has_asked_for(
        &self,
        caller: &Caller,
        venue: VenueId,
        brand: Option<BrandId>,
    ) -> bool {
        let key = (venue, brand, caller.country, caller.lang);
        self.inner.absent.contains_key(&key) || self.keeps_venue(caller, venue, brand).await
    }

    /// Whether an answer about a venue is kept: it is one that there is.
    pub async fn keeps_venue(
        &self,
        caller: &Caller,
        venue: VenueId,
        brand: Option<BrandId>,
    ) -> bool {
        self.keeps(&self.venue_of(caller, venue, brand)).await
    }

    /// The same asked past the cache, where it takes the place of the older one.
    pub async fn venue_now(
        &self,
        caller: &Caller,
        venue: VenueId,
        brand: Option<BrandId>,
    ) -> Result<Answer<Venue>, Error> {
        self.renewed(self.venue_of(caller, venue, brand), wire::data::<Venue>)
            .await
    }

    /// Marks the other kept answers about a venue as old: those of other languages, and the one asked for without a brand.
    pub async fn outdate_venue(&self, caller: &Caller, venue: VenueId, brand: Option<BrandId>) {
        self.outdate_venues(caller, venue, brand, |lang, variant| {
            lang != caller.lang || variant != brand
        })
        .await;
    }

    /// Marks all kept answers about a venue as old: another answer has told that they are wrong.
    pub async fn outdate_all_of_venue(
        &self,
        caller: &Caller,
        venue: VenueId,
        brand: Option<BrandId>,
    ) {
        self.outdate_venues(caller, venue, brand, |_, _| true).await;
    }

    async fn outdate_venues(
        &self,
        caller: &Caller,
        venue: VenueId,
        brand: Option<BrandId>,
        is_old: impl Fn(Lang, Option<BrandId>) -> bool,
    ) {
        for lang in Lang::ALL {
            let other = Caller {
                lang,
                ..caller.clone()
            };
            for variant in [brand, None] {
                if is_old(lang, variant) {
                    self.outdate(&self.venue_of(&other, venue, variant)).await;
                }
            }
        }
    }

    fn venue_of(&self, caller: &Caller, venue: VenueId, brand: Option<BrandId>) -> Call {
        let path = Path::with("takeaway/locations/card/terminal/{}", &venue);
        let query = Query::new()
            .with("include", "extra")
            .maybe("brand_id", brand);
        Call::shared(self, caller, Part::Locations, path)
            .near(caller)
            .query(query)
    }

    /// The same from the second endpoint, without `extra` (HT-17).
    pub async fn venue_v2(&self, caller: &Caller, venue: VenueId) -> Result<Answer<Venue>, Error> {
        let path = Path::with("locations/v2/locations/card/terminal/{}", &venue);
        let call = Call::shared(self, caller, Part::Locations, path).near(caller);
        self.catalogue(call, wire::data::<Venue>).await
    }

    /// A terminal with its tables.
    pub async fn tables(&self, caller: &Caller, venue: VenueId) -> Result<Answer<Terminal>, Error> {
        let call = Call::shared(
            self,
            caller,
            Part::Locations,
            Path::with("terminals/terminals/{}", &venue),
        );
        self.catalogue(call, wire::data::<Terminal>).await
    }

    /// Checks what a table link leads to: the same for everybody who comes by it, and asked again as soon as may be, as it
    /// decides where the guest sits.
    pub async fn branch(
        &self,
        caller: &Caller,
        venue: VenueId,
        table: Option<&TableId>,
        main_venue: Option<VenueId>,
    ) -> Result<Answer<Branch>, Error> {
        let query = Query::new()
            .maybe("table_id", table)
            .maybe("main_terminal_id", main_venue);
        let path = Path::with("locations/v1/branches/{}", &venue);
        let call = Call::shared(self, caller, Part::Locations, path)
            .near(caller)
            .forced();
        let branch = self
            .catalogue(call.query(query), wire::data::<Branch>)
            .await?;
        if let (Some(table), Some(_)) = (table, &branch.table) {
            self.note_found(Thing::Table(venue, table.clone()));
        }
        Ok(branch)
    }
}

impl Venue {
    /// Whether its bills, and what was ordered already, can be paid online.
    #[must_use]
    pub const fn pays_online(&self) -> bool {
        !self.payment_button_disabled && !self.online_payment_disabled
    }

    /// How an order may be paid here, in the order of the choice.
    #[must_use]
    pub fn payments(&self) -> Vec<PaymentKind> {
        let online = (!self.online_payment_disabled).then_some(PaymentKind::Online);
        let cash = self
            .payment_types
            .contains(&PaymentKind::Cash)
            .then_some(PaymentKind::Cash);
        if self.payment_button_disabled || self.has_no_payment_types {
            Vec::new()
        } else {
            online.into_iter().chain(cash).collect()
        }
    }
}

impl Venue {
    /// A self-service fridge: goods to take along, paid online, without staff who take cash. The upstream has
    /// no word for it.
    #[must_use]
    pub fn is_fridge(&self) -> bool {
        let location = &self.location;
        location.takeaway.is_some()
            && location.express.is_none()
            && location.delivery.is_none()
            && self.payment_types == [PaymentKind::Online]
    }
}

impl PaymentKind {
    /// The upstream's word.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Online => "online",
            Self::Cash => "cash",
        }
    }

    /// The kind of a word.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        [Self::Online, Self::Cash]
            .into_iter()
            .find(|kind| kind.code() == code)
    }
}

impl FromWire for Venue {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        let location = Location::from_wire(wire)?;
        let flag = |key| wire.flag(key).unwrap_or(false);
        let sum = |key| wire.price(key).unwrap_or_default();
        let extra = wire.get("extra");
        let percentage = wire.get("service_percentage");
        Ok(Self {
            terminal_id: wire.id("terminal_id", VenueId).unwrap_or(location.venue_id),
            main_venue_id: wire.id("main_terminal_id", VenueId),
            service_type: wire.count("service_type"),
            // A share that is there but can't be read must not become "no service charge".
            service_percentage: if percentage.is_null() {
                0
            } else {
                wire.count("service_percentage")
                    .filter(|percent| *percent <= 100)
                    .ok_or(Bad("service_percentage"))?
            },
            has_no_payment_types: wire
                .get("payment_types")
                .raw()
                .as_array()
                .is_some_and(Vec::is_empty),
            payment_types: wire.get("payment_types").elements(|kind| {
                kind.as_text()
                    .and_then(|code| PaymentKind::from_code(&code))
                    .ok_or(Bad("payment_types"))
            }),
            payment_button_disabled: flag("payment_button_disabled"),
            online_payment_disabled: flag("online_payment_disabled"),
            linked_venues: wire.get("linked_terminals").elements(|id| {
                id.raw()
                    .as_u64()
                    .map(VenueId)
                    .ok_or(Bad("linked_terminals"))
            }),
            is_check_pulling_enabled: flag("is_check_pulling_enabled"),
            exclude_from_linking: flag("exclude_from_terminal_linking"),
            has_tablet: flag("has_tablet"),
            tablet_pickup: flag("tablet_pickup"),
            vendor_delivery_enabled: flag("vendor_delivery_enabled"),
            vendor_delivery_cost: sum("vendor_delivery_cost"),
            vendor_min_sum: sum("vendor_min_sum"),
            vendor_max_sum: sum("vendor_max_sum"),
            private_reward_enabled: flag("private_reward_enabled"),
            private_reward_button_disabled: flag("private_reward_button_disabled"),
            town: wire.node("town"),
            schedule: extra.text("schedule"),
            phone: extra.text("phone"),
            social_networks: extra.list("social_networks"),
            banner_message: wire.get("banner_info").text("message"),
            table_number_allowed: flag("table_number_allowed"),
            location,
        })
    }
}

impl FromWire for SocialNetwork {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        let name = wire.text("name").unwrap_or_default();
        Ok(Self {
            name,
            link: wire.link("link").ok_or(Bad("link"))?,
        })
    }
}

impl FromWire for Terminal {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        Ok(Self {
            id: wire.id("id", VenueId).ok_or(Bad("terminal id"))?,
            location_id: wire.id("location_id", LocationId),
            town_id: wire.id("town_id", TownId),
            service_type: wire.count("service_type"),
            tables: wire.list("tables"),
        })
    }
}

impl FromWire for Table {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        let id = wire.table_id("id").ok_or(Bad("table id"))?;
        Ok(Self {
            number: wire.text("number").unwrap_or_else(|| id.to_string()),
            id,
        })
    }
}

impl FromWire for Branch {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        Ok(Self {
            venue_id: wire.id("filial_id", VenueId).ok_or(Bad("filial_id"))?,
            is_check_pulling_enabled: wire.flag("is_check_pulling_enabled").unwrap_or(false),
            table: wire.node("table"),
            main_venue_id: wire.id("main_terminal_id", VenueId),
        })
    }
}

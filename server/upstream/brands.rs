//! Brands, the venues of one brand, and what completes a search.

use super::{
    Answer, BrandId, Caller, Error, Location, Paged, ProductId, TownId, Upstream, VenueId,
    address::Path,
    breaker::Part,
    call::Call,
    paged::paged,
    query::Query,
    wire::{self, Bad, FromWire, Wire},
};

/// A brand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Brand {
    /// Its id.
    pub id: BrandId,
    /// Its name.
    pub name: String,
    /// Picture.
    pub image_url: Option<String>,
    /// Venues in the town.
    pub venues_count: u32,
    /// One of them has a promo.
    pub has_promo: bool,
}

/// Venues that bear one brand name.
#[derive(Debug, Clone, PartialEq)]
pub struct BrandGroup {
    /// The brand.
    pub brand_id: Option<BrandId>,
    /// Its name.
    pub brand_name: String,
    /// Its venues.
    pub locations: Vec<Location>,
}

/// What completes the text of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// What it names.
    pub kind: CompletionKind,
    /// The whole text.
    pub text: String,
    /// The venue, of a venue or product.
    pub venue: Option<VenueId>,
    /// The product.
    pub product: Option<ProductId>,
}

/// What a completion names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum CompletionKind {
    Brand,
    Venue,
    Product,
    /// Something that this program does not know: plain text.
    Unknown,
}

/// Elements of a page.
const LIMIT: u32 = 20;
/// Completions shown (specification, section 9).
const COMPLETIONS: u32 = 3;

impl Upstream {
    /// A page of the brands of a town.
    pub async fn brands(
        &self,
        caller: &Caller,
        town: Option<TownId>,
        page: u32,
    ) -> Result<Answer<Paged<Brand>>, Error> {
        let call = Call::shared(
            self,
            caller,
            Part::Locations,
            Path::fixed("brandy/api/v1/brands"),
        );
        self.catalogue(call.query(town_page(town, page)), paged)
            .await
    }

    /// A page of the venues of a brand, by its name.
    pub async fn brand_locations(
        &self,
        caller: &Caller,
        brand: BrandId,
        town: Option<TownId>,
        page: u32,
    ) -> Result<Answer<Paged<BrandGroup>>, Error> {
        let path = Path::with("brandy/api/v1/locations/brand/{}", &brand);
        let call = Call::shared(self, caller, Part::Locations, path).near(caller);
        self.catalogue(call.query(town_page(town, page)), paged)
            .await
    }

    /// What completes a text. Nothing is asked for an empty one.
    pub async fn autocomplete(
        &self,
        caller: &Caller,
        text: &str,
        brand: Option<BrandId>,
        town: Option<TownId>,
    ) -> Result<Vec<Completion>, Error> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(Vec::new());
        }
        let query = Query::new()
            .with("query", text)
            .maybe("brand_id", brand)
            .maybe("town_id", town)
            .with("limit", COMPLETIONS);
        // Each letter typed is another question: they would only push useful answers out of the cache.
        let call = Call::shared(
            self,
            caller,
            Part::Search,
            Path::fixed("brandy/api/v1/autocomplete"),
        );
        self.ask(call.query(query), wire::data_list).await
    }
}

impl FromWire for Brand {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        Ok(Self {
            id: wire.id("id", BrandId).ok_or(Bad("brand id"))?,
            name: wire.text("name").ok_or(Bad("brand name"))?,
            image_url: wire.link("image_url"),
            venues_count: wire.count("venues_count").unwrap_or(0),
            has_promo: wire.flag("has_promo").unwrap_or(false),
        })
    }
}

impl FromWire for BrandGroup {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        Ok(Self {
            brand_id: wire.id("brand_id", BrandId),
            brand_name: wire.text("brand_name").ok_or(Bad("brand_name"))?,
            locations: wire.list("locations"),
        })
    }
}

impl FromWire for Completion {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        Ok(Self {
            kind: match wire.get("kind").raw().as_str() {
                Some("brand") => CompletionKind::Brand,
                Some("venue") => CompletionKind::Venue,
                Some("product") => CompletionKind::Product,
                _ => CompletionKind::Unknown,
            },
            text: wire.text("text").ok_or(Bad("completion"))?,
            venue: wire.id("filial_id", VenueId),
            product: wire.id("product_id", ProductId),
        })
    }
}

fn town_page(town: Option<TownId>, page: u32) -> Query {
    Query::new()
        .maybe("town_id", town)
        .with("page", page.max(1))
        .with("limit", LIMIT)
}

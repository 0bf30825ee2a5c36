//! Dishes and goods of all venues by their names.

use super::{
    Answer, BrandId, Caller, Error, Location, Paged, Product, TownId, Upstream,
    address::Path,
    breaker::Part,
    call::Call,
    paged::paged,
    query::Query,
    wire::{Bad, FromWire, Wire},
};
use crate::values::Service;

/// What is looked for: what a kitchen makes, or what stands on a shelf.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum HitKind {
    Dish,
    Good,
}

/// What products are looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct HitsQuery {
    /// Not empty.
    pub text: String,
    pub kind: HitKind,
    pub service: Option<Service>,
    pub town: Option<TownId>,
    pub brand: Option<BrandId>,
    /// From 1.
    pub page: u32,
    pub limit: u32,
}

/// A product with the nearest venue that has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The product.
    pub product: Product,
    /// The venue as the asked service sees it.
    pub location: Location,
}

impl Upstream {
    /// A page of products, each once, the best match first.
    pub async fn search_products(
        &self,
        caller: &Caller,
        query: &HitsQuery,
    ) -> Result<Answer<Paged<Hit>>, Error> {
        let kind = match query.kind {
            HitKind::Dish => "dish",
            HitKind::Good => "good",
        };
        let wire = Query::new()
            .with("query", query.text.trim())
            .with("kind", kind)
            .maybe("filter[service]", query.service.map(Service::code))
            .maybe("town_id", query.town)
            .maybe("brand_id", query.brand)
            .with("page", query.page.max(1))
            .with("limit", query.limit);
        let path = Path::fixed("menu/v3/search/products");
        let call = Call::shared(self, caller, Part::Menu, path).near(caller);
        self.catalogue(call.query(wire), paged).await
    }
}

impl FromWire for Hit {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        Ok(Self {
            product: wire.node("product").ok_or(Bad("product"))?,
            location: wire.node("location").ok_or(Bad("location"))?,
        })
    }
}

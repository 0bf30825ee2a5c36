//! Dishes and goods of all venues by their names.

use super::{
    Answer, BrandId, Caller, Error, Location, Paged, Product, TownId, Upstream,
    address::Path,
    breaker::Part,
    call::Call,
    paged::paged,
    query::Query,
    wire::{Bad, FromWire, Wire, sum_to_wire},
};
use crate::values::{Service, Sum};

/// What is looked for: what a kitchen makes, or what stands on a shelf.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum HitKind {
    Dish,
    Good,
}

/// What the results are narrowed down by. An upstream that knows none of it leaves it out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filters {
    /// Venues that take orders now.
    pub open: bool,
    /// Venues whose meat is halal.
    pub halal: bool,
    /// Venues of a kitchen, by its code.
    pub kitchen: Option<String>,
    /// Dishes without meat.
    pub meatless: bool,
    /// Dishes up to this price.
    pub max_price: Option<Sum>,
}

/// What the upstream says that the results of a text could be narrowed down by; whatever it leaves out is not offered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facets {
    /// Products without any filter.
    pub total: u32,
    /// Of these those of venues that are open.
    pub open: u32,
    /// Of these those of venues with halal meat.
    pub halal: u32,
    /// Of these those without meat.
    pub meatless: u32,
    /// Kitchens of their venues.
    pub kitchens: Vec<Kitchen>,
    /// The lowest and the highest price.
    pub prices: Option<(Sum, Sum)>,
}

/// A kind of cooking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kitchen {
    /// Its word in queries.
    pub code: String,
    /// Its name in the language that was asked for.
    pub name: String,
}

/// What products are looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct HitsQuery {
    /// Not empty.
    pub text: String,
    /// Also what has the text inside of a word, however short it is.
    pub inside: bool,
    /// Both without one.
    pub kind: Option<HitKind>,
    pub filters: Filters,
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

/// A page of products.
#[derive(Debug, Clone, PartialEq)]
pub struct Hits {
    /// Each once, the best match first.
    pub items: Vec<Hit>,
    /// At least 1.
    pub last_page: u32,
    /// Of all pages.
    pub total: u32,
    /// None: the upstream has nothing to narrow down by.
    pub facets: Facets,
}

impl Upstream {
    /// A page of products, each once, the best match first.
    pub async fn search_products(
        &self,
        caller: &Caller,
        query: &HitsQuery,
    ) -> Result<Answer<Hits>, Error> {
        let kind = query.kind.map(|kind| match kind {
            HitKind::Dish => "dish",
            HitKind::Good => "good",
        });
        let wire = Query::new()
            .with("query", query.text.trim())
            .flag("inside", query.inside)
            .maybe("kind", kind)
            .maybe("filter[service]", query.service.map(Service::code))
            .maybe("town_id", query.town)
            .maybe("brand_id", query.brand)
            .with("page", query.page.max(1))
            .with("limit", query.limit);
        let wire = query.filters.of_dishes(query.filters.of_venues(wire));
        let path = Path::fixed("menu/v3/search/products");
        let call = Call::shared(self, caller, Part::Search, path).near(caller);
        self.catalogue(call.query(wire), hits).await
    }
}

impl Filters {
    /// Those of venues.
    pub(super) fn of_venues(&self, query: Query) -> Query {
        query
            .flag("filter[open]", self.open)
            .flag("filter[halal]", self.halal)
            .maybe("filter[kitchen]", self.kitchen.as_deref())
    }

    fn of_dishes(&self, query: Query) -> Query {
        query
            .flag("filter[meatless]", self.meatless)
            .maybe("filter[max-price]", self.max_price.map(sum_to_wire))
    }
}

fn hits(wire: Wire<'_>) -> Result<Hits, Bad> {
    let page: Paged<Hit> = paged(wire)?;
    let facets = wire.get("facets");
    let count = |key| facets.count(key).unwrap_or(0);
    let prices = facets.get("prices");
    Ok(Hits {
        items: page.items,
        last_page: page.last_page,
        total: page.total,
        facets: Facets {
            total: count("total"),
            open: count("open"),
            halal: count("halal"),
            meatless: count("meatless"),
            kitchens: facets.list("kitchens"),
            prices: prices.price("min").zip(prices.price("max")),
        },
    })
}

impl FromWire for Kitchen {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        Ok(Self {
            code: wire.text("code").ok_or(Bad("code"))?,
            name: wire.text("name").ok_or(Bad("name"))?,
        })
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

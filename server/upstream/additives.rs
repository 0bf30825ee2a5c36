//! Options of products (AT-01 to AT-03, AT-07).

use super::{
    AdditiveGroupId, AdditiveId, Answer, Caller, Class, Error, Product, ProductId, Upstream,
    VenueId,
    address::Path,
    breaker::Part,
    call::Call,
    menu::several,
    query::Query,
    wire::{self, Bad, FromWire, Wire},
};
use crate::values::{Service, Sum};

/// Where the product was opened from: it decides the endpoint (AT-03).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AdditivesOf {
    /// Any list.
    #[default]
    Product,
    /// The favourites.
    Favourite,
}

/// What can be chosen for a product.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Additives {
    /// Groups to choose from.
    pub groups: Vec<AdditiveGroup>,
    /// What the guest took last time, else what the upstream proposes, without what is gone or breaks a maximum (AT-02).
    pub last_selected: Vec<Selected>,
}

/// Options of one kind.
#[derive(Debug, Clone, PartialEq)]
pub struct AdditiveGroup {
    /// Its id.
    pub id: AdditiveGroupId,
    /// Its name.
    pub name: String,
    /// Pieces that must be chosen (AT-01).
    pub min: u32,
    /// Pieces that may be chosen, counting each piece of an option (AT-08).
    pub max: u32,
    /// Its options.
    pub additives: Vec<Additive>,
}

/// One option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Additive {
    /// Its id.
    pub id: AdditiveId,
    /// Its name.
    pub name: String,
    /// What one piece adds to the price.
    pub price: Sum,
    /// Pieces of it that may be chosen.
    pub max_count: u32,
    /// Sold out.
    pub is_unavailable: bool,
}

/// A chosen option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Selected {
    /// Which one.
    pub id: AdditiveId,
    /// Pieces.
    pub count: u32,
}

/// A product together with what can be chosen for it.
#[derive(Debug, Clone, PartialEq)]
pub struct ProductWithAdditives {
    /// The product.
    pub product: Product,
    /// Its groups.
    pub groups: Vec<AdditiveGroup>,
}

impl Upstream {
    /// What can be chosen for a product. The answer to a known device or user tells the last choice and is never
    /// shared; when it does not come, the shared one does instead, without the choice.
    pub async fn additives(
        &self,
        caller: &Caller,
        venue: VenueId,
        product: ProductId,
        service: Service,
        of: AdditivesOf,
    ) -> Result<Answer<Additives>, Error> {
        let (path, query) = of_one(venue, product, service, of);
        if caller.is_identified() {
            let call = Call::get(caller, Part::Dishes, Path::fixed(path)).query(query.clone());
            match self.ask(call, wire::data::<Additives>).await {
                // Signed out by the upstream: a guest like any other (AU-08).
                Err(Error::Unauthorized) => {}
                Err(error) if error.is_temporary() && caller.class != Class::Order => {}
                other => return other.map(Answer::new),
            }
        }
        self.additives_of_all(caller, path, query).await
    }

    /// The same as nobody in particular is answered: what is selected there is the upstream's own proposal, and no choice
    /// of a guest.
    pub async fn shared_additives(
        &self,
        caller: &Caller,
        venue: VenueId,
        product: ProductId,
        service: Service,
        of: AdditivesOf,
    ) -> Result<Answer<Additives>, Error> {
        let (path, query) = of_one(venue, product, service, of);
        self.additives_of_all(caller, path, query).await
    }

    async fn additives_of_all(
        &self,
        caller: &Caller,
        path: &'static str,
        query: Query,
    ) -> Result<Answer<Additives>, Error> {
        let call = self.dish_call(caller, path, query);
        self.catalogue(call, wire::data::<Additives>).await
    }

    /// Several products with what can be chosen for them. Products that are gone are not in the answer.
    pub async fn products_with_additives(
        &self,
        caller: &Caller,
        venue: VenueId,
        products: &[ProductId],
    ) -> Result<Answer<Vec<ProductWithAdditives>>, Error> {
        let query = several(venue, products);
        let call = self.dish_call(caller, "menu/v2/products/with/additives/", query);
        self.catalogue(call, wire::data_list).await
    }
}

fn of_one(
    venue: VenueId,
    product: ProductId,
    service: Service,
    of: AdditivesOf,
) -> (&'static str, Query) {
    let path = match of {
        AdditivesOf::Product => "menu/v2/product/additives",
        AdditivesOf::Favourite => "menu/v2/favourite-product/additives",
    };
    let query = Query::new()
        .with("filial_id", venue)
        .with("product_id", product)
        .with("service_type", service.type_id());
    (path, query)
}

impl FromWire for Additives {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        let groups = groups(wire)?;
        let last_selected = cleaned(&groups, &wire.list("last_selected"));
        Ok(Self {
            groups,
            last_selected,
        })
    }
}

impl FromWire for AdditiveGroup {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        let additives: Vec<Additive> = wire.need_list("additives")?;
        let options = u32::try_from(additives.len()).unwrap_or(u32::MAX);
        let min = wire.count("min").unwrap_or(0);
        // A maximum of 0 would forbid every option that is offered: read it as "not told", like null. One below the
        // minimum would make the product impossible to order.
        let max = wire
            .count("max")
            .filter(|max| *max > 0)
            .unwrap_or(options)
            .max(min);
        Ok(Self {
            id: wire.id("id", AdditiveGroupId).ok_or(Bad("group id"))?,
            name: wire.text("name").unwrap_or_default(),
            min,
            max,
            additives,
        })
    }
}

impl FromWire for Additive {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        // No price means that it costs nothing; a price that can't be read does not.
        let price = if wire.get("price").is_null() {
            Sum(0)
        } else {
            wire.price("price").ok_or(Bad("additive price"))?
        };
        Ok(Self {
            id: wire.id("id", AdditiveId).ok_or(Bad("additive id"))?,
            name: wire.text("name").ok_or(Bad("additive name"))?,
            price,
            max_count: wire.count("max_count").unwrap_or(1).max(1),
            is_unavailable: wire.flag("is_unavailable").unwrap_or(false),
        })
    }
}

impl FromWire for Selected {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        let id = wire.id("id", AdditiveId).ok_or(Bad("selected id"))?;
        let count = wire.count("count").unwrap_or(1);
        if count == 0 {
            Err(Bad("selected count"))
        } else {
            Ok(Self { id, count })
        }
    }
}

impl FromWire for ProductWithAdditives {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        Ok(Self {
            product: Product::from_wire(wire)?,
            groups: groups(wire)?,
        })
    }
}

/// Groups may be absent (a product without options), but one that can't be read must not vanish: it may be required.
fn groups(wire: Wire<'_>) -> Result<Vec<AdditiveGroup>, Bad> {
    if wire.get("additive_groups").is_null() {
        return Ok(Vec::new());
    }
    let groups: Vec<AdditiveGroup> = wire.need_list("additive_groups")?;
    let count = wire
        .get("additive_groups")
        .raw()
        .as_array()
        .map_or(0, Vec::len);
    if groups.len() == count {
        Ok(groups)
    } else {
        Err(Bad("additive_groups"))
    }
}

/// The last choice without options that are gone or sold out, and without what breaks a maximum (AT-02).
fn cleaned(groups: &[AdditiveGroup], selected: &[Selected]) -> Vec<Selected> {
    let mut valid: Vec<Selected> = Vec::new();
    for group in groups {
        let mut left = group.max;
        for additive in group
            .additives
            .iter()
            .filter(|additive| !additive.is_unavailable)
        {
            let Some(chosen) = selected.iter().find(|chosen| chosen.id == additive.id) else {
                continue;
            };
            let count = chosen.count;
            if count <= additive.max_count && count <= left {
                left -= count;
                valid.push(Selected {
                    id: additive.id,
                    count,
                });
            }
        }
    }
    valid
}

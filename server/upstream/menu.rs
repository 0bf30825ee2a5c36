//! Menus and the lists of products around them (MN-05 to MN-08).

use super::{
    Answer, Caller, CategoryId, Error, Product, ProductId, Upstream, VenueId,
    address::Path,
    breaker::Part,
    call::Call,
    query::Query,
    wire::{self, Bad, FromWire, Wire},
};
use crate::values::Lang;

/// The menu of a venue.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Menu {
    /// The venue's own name for it.
    pub external_id: Option<String>,
    /// All categories, hidden ones too (MN-06).
    pub categories: Vec<MenuCategory>,
}

/// A category of a menu.
#[derive(Debug, Clone, PartialEq)]
pub struct MenuCategory {
    /// Its id.
    pub id: CategoryId,
    /// Its name.
    pub name: String,
    /// Shown at all.
    pub is_active: bool,
    /// Shown with pictures.
    pub is_show_photo: bool,
    /// Its products.
    pub products: Vec<Product>,
}

/// Length of the favourite and popular lists (MN-08).
const LIMIT: u32 = 20;

impl Upstream {
    /// The menu of a venue.
    pub async fn menu(&self, caller: &Caller, venue: VenueId) -> Result<Answer<Menu>, Error> {
        self.catalogue(self.menu_of(caller, venue), Menu::from_wire)
            .await
    }

    /// What most guests take.
    pub async fn popular(
        &self,
        caller: &Caller,
        venue: VenueId,
    ) -> Result<Answer<Vec<Product>>, Error> {
        let call = self.list_call(caller, "menu/v3/popular/products", limited(venue));
        self.catalogue(call, wire::data_list).await
    }

    /// The favourites of a signed-in guest, the public ones otherwise (MN-09).
    pub async fn favourites(
        &self,
        caller: &Caller,
        venue: VenueId,
    ) -> Result<Answer<Vec<Product>>, Error> {
        const PATH: &str = "menu/v3/favourite/products";
        if caller.bearer.is_some() {
            let call = Call::get(caller, Part::MenuLists, Path::fixed(PATH)).query(limited(venue));
            match self.ask(call, wire::data_list).await {
                // Signed out by the upstream: a guest like any other (AU-08).
                Err(Error::Unauthorized) => {}
                other => return other.map(Answer::new),
            }
        }
        let call = self.list_call(caller, PATH, limited(venue));
        self.catalogue(call, wire::data_list).await
    }

    /// What goes well with the given products.
    pub async fn cross_sell(
        &self,
        caller: &Caller,
        venue: VenueId,
        products: &[ProductId],
    ) -> Result<Answer<Vec<Product>>, Error> {
        let query = several(venue, products);
        let call = self.list_call(caller, "menu/v3/cross-sell/products", query);
        self.catalogue(call, wire::data_list).await
    }

    /// The menu of now, asked past the cache, where it takes the place of the older one.
    pub async fn menu_now(&self, caller: &Caller, venue: VenueId) -> Result<Answer<Menu>, Error> {
        self.renewed(self.menu_of(caller, venue), Menu::from_wire)
            .await
    }

    /// Marks the kept menus of a venue in the other languages as old: the next page asks for them anew.
    pub async fn outdate_menu(&self, caller: &Caller, venue: VenueId) {
        for lang in Lang::ALL.into_iter().filter(|lang| *lang != caller.lang) {
            let caller = Caller {
                lang,
                ..caller.clone()
            };
            self.outdate(&self.menu_of(&caller, venue)).await;
        }
    }

    fn menu_of(&self, caller: &Caller, venue: VenueId) -> Call {
        let query = Query::new().with("filial_id", venue);
        let path = Path::fixed("menu/v2/category/products");
        Call::shared(self, caller, Part::Menu, path).query(query)
    }

    /// A shared call about single dishes or goods.
    pub(super) fn dish_call(&self, caller: &Caller, path: &'static str, query: Query) -> Call {
        Call::shared(self, caller, Part::Dishes, Path::fixed(path)).query(query)
    }

    /// A shared call for a list that the page can do without.
    pub(super) fn list_call(&self, caller: &Caller, path: &'static str, query: Query) -> Call {
        Call::shared(self, caller, Part::MenuLists, Path::fixed(path)).query(query)
    }
}

impl Menu {
    /// What guests see, in the venue's order: the products of shown categories (MN-06).
    pub fn shown(&self) -> impl Iterator<Item = &Product> {
        self.categories
            .iter()
            .filter(|category| category.is_active)
            .flat_map(|category| &category.products)
    }

    /// A product by its id, wherever it stands.
    #[must_use]
    pub fn product(&self, id: ProductId) -> Option<&Product> {
        self.categories
            .iter()
            .flat_map(|category| &category.products)
            .find(|product| product.id == id)
    }
}

impl FromWire for Menu {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        Ok(Self {
            external_id: wire.text("external_id"),
            categories: wire.need_list("data")?,
        })
    }
}

impl FromWire for MenuCategory {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        let attributes = wire.get("attributes");
        Ok(Self {
            id: wire.whole("id").map(CategoryId).ok_or(Bad("category id"))?,
            name: attributes.text("name").ok_or(Bad("category name"))?,
            is_active: attributes.flag("is_active").unwrap_or(true),
            is_show_photo: attributes.flag("is_show_photo").unwrap_or(true),
            products: wire.get("relationships").get("products").list("data"),
        })
    }
}

pub(super) fn limited(venue: VenueId) -> Query {
    Query::new().with("filial_id", venue).with("limit", LIMIT)
}

/// Several products of a venue, in one order, so that the same products are the same question.
pub(super) fn several(venue: VenueId, products: &[ProductId]) -> Query {
    let mut products = products.to_vec();
    products.sort_unstable();
    products.dedup();
    Query::new()
        .with("filial_id", venue)
        .each("products", products)
}

//! More ways to products: by barcode, frequent, recommended, those that can be had (MN-08, HT-13).

use std::str::FromStr;

use super::{
    Answer, Caller, Error, Product, ProductId, Upstream, VenueId,
    address::Path,
    breaker::Part,
    call::Call,
    ids::BadId,
    menu::limited,
    query::Query,
    wire::{self, Bad},
};

/// 8 or 13 digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Barcode(String);

impl Upstream {
    /// The good with a barcode; `None` if the venue has none.
    pub async fn product_by_barcode(
        &self,
        caller: &Caller,
        venue: VenueId,
        barcode: &Barcode,
    ) -> Result<Option<Answer<Product>>, Error> {
        let query = Query::new()
            .with("filial_id", venue)
            .with("barcode", &barcode.0);
        let call = self.dish_call(caller, "menu/v3/product-by-barcode", query);
        match self.catalogue(call, wire::data).await {
            Ok(product) => Ok(Some(product)),
            Err(Error::NotFound) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// What the caller orders most at a venue.
    pub async fn frequent(&self, caller: &Caller, venue: VenueId) -> Result<Vec<Product>, Error> {
        let path = Path::with("takeaway/v1/filial/{}/products/frequent/", &venue);
        let call = Call::get(caller, Part::MenuLists, path).query(Query::new().with("limit", 20));
        self.ask(call, wire::data_list).await
    }

    /// What a venue recommends.
    pub async fn recommended(
        &self,
        caller: &Caller,
        venue: VenueId,
    ) -> Result<Answer<Vec<Product>>, Error> {
        let call = self.list_call(caller, "menu/v3/recommended/products", limited(venue));
        self.catalogue(call, wire::data_list).await
    }

    /// The products that can be had now. Never cached, as stock is not.
    pub async fn available(
        &self,
        caller: &Caller,
        venue: VenueId,
    ) -> Result<Vec<ProductId>, Error> {
        let call = Call::get(
            caller,
            Part::MenuLists,
            Path::fixed("menu/v2/products/available"),
        );
        self.ask(call.query(Query::new().with("filial_id", venue)), |wire| {
            let list = wire.get("data");
            if !list.raw().is_array() {
                return Err(Bad("data"));
            }
            Ok(list.elements(|id| id.raw().as_u64().map(ProductId).ok_or(Bad("product id"))))
        })
        .await
    }
}

impl Barcode {
    /// Its digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Barcode {
    type Err = BadId;

    fn from_str(text: &str) -> Result<Self, BadId> {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        if digits && matches!(text.len(), 8 | 13) {
            Ok(Self(text.to_owned()))
        } else {
            Err(BadId)
        }
    }
}

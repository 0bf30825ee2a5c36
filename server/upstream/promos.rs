//! Promos, subsidies, promo codes, gifts and coupons.

use serde_json::json;

use super::{
    Answer, Caller, Error, Product, Subsidy, Upstream, UserId, VenueId, When,
    address::Path,
    breaker::Part,
    call::Call,
    query::Query,
    wire::{self, Bad, FromWire, Wire, sum_to_wire},
};
use crate::values::Sum;

/// A promo with its products.
#[derive(Debug, Clone, PartialEq)]
pub struct Promo {
    /// Its id; 0 holds products without a reward.
    pub id: u64,
    /// Its name.
    pub name: String,
    /// Whole percent off.
    pub percentage: Option<u32>,
    /// The most pieces for the promo price.
    pub limit: Option<u32>,
    /// The same per day.
    pub day_limit: Option<u32>,
    /// When it begins, if that is told.
    pub starts_at: Option<When>,
    /// When it ends, if that is told.
    pub ends_at: Option<When>,
    /// What it holds for.
    pub products: Vec<Product>,
}

/// What comes off the delivery of a venue.
#[derive(Debug, Clone, PartialEq)]
pub struct VenueSubsidies {
    /// The venue.
    pub id: VenueId,
    /// By sum of goods.
    pub thresholds: Vec<Subsidy>,
}

/// A gift or coupon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The promo code behind it.
    pub code: String,
    /// Whole percent that it takes off the goods.
    pub percentage: Option<u32>,
    /// The sum that it takes off them, in the money that was asked about.
    pub discount: Option<Sum>,
    /// For how much of goods it counts at least, in the same money.
    pub min_sum: Option<Sum>,
    /// If it ends.
    pub expires_at: Option<When>,
}

/// What a promo code takes off, and on what it depends as far as that is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromoCheck {
    /// Off these goods.
    pub discount: Sum,
    /// For how much of goods it counts at least.
    pub min_sum: Option<Sum>,
    /// If it ends.
    pub expires_at: Option<When>,
}

impl Offer {
    /// Whether it can be used still.
    #[must_use]
    pub fn lasts(&self, now: i64) -> bool {
        let until = self.expires_at.as_ref().and_then(When::utc);
        until.is_none_or(|until| until > now)
    }
}

impl Upstream {
    /// The promos of a venue with their products; for a user they are never shared.
    pub async fn promos(
        &self,
        caller: &Caller,
        venue: VenueId,
        user: Option<UserId>,
    ) -> Result<Answer<Vec<Promo>>, Error> {
        let path = Path::fixed("menu-promos/api/v2/promos");
        let query = Query::new()
            .with("filter[filial_id]", venue)
            .flag("filter[onlyActive]", true)
            .with("include", "products")
            .maybe("user_id", user);
        if user.is_some() {
            let call = Call::get(caller, Part::Promos, path).query(query);
            return self.ask(call, wire::data_list).await.map(Answer::new);
        }
        self.catalogue(
            Call::shared(self, caller, Part::Promos, path).query(query),
            wire::data_list,
        )
        .await
    }

    /// What comes off the delivery of venues.
    pub async fn subsidies(
        &self,
        caller: &Caller,
        venues: &[VenueId],
    ) -> Result<Answer<Vec<VenueSubsidies>>, Error> {
        let query = Query::new()
            .each("terminal_ids", venues)
            .flag("only_active", true);
        let call = Call::shared(
            self,
            caller,
            Part::Promos,
            Path::fixed("menu-promos/v1/promos/subsidies"),
        );
        self.catalogue(call.query(query), wire::data_list).await
    }

    /// What a promo code takes off goods worth a sum. A code that is no good is `Rejected` or `NotFound`.
    pub async fn check_promo_code(
        &self,
        caller: &Caller,
        venue: VenueId,
        code: &str,
        goods: Sum,
    ) -> Result<PromoCheck, Error> {
        let body = json!({ "filial_id": venue, "code": code, "sum": sum_to_wire(goods) });
        let call = Call::post(
            caller,
            Part::Promos,
            Path::fixed("menu-promos/v1/promo-codes/check"),
            &body,
        );
        self.ask(call, |wire| {
            let wire = wire.get("data");
            Ok(PromoCheck {
                discount: wire.price("discount").ok_or(Bad("discount"))?,
                min_sum: wire.price("min_sum"),
                expires_at: wire.text("expires_at").map(When::from_text),
            })
        })
        .await
    }

    /// The gifts of the signed-in guest; their sums are in the money of the venue, without one of the caller's country.
    pub async fn gifts(
        &self,
        caller: &Caller,
        venue: Option<VenueId>,
    ) -> Result<Vec<Offer>, Error> {
        let path = Path::fixed("menu-promos/v1/gifts");
        self.offers(caller, path, venue).await
    }

    /// The same of coupons.
    pub async fn coupons(
        &self,
        caller: &Caller,
        venue: Option<VenueId>,
    ) -> Result<Vec<Offer>, Error> {
        let path = Path::fixed("menu-promos/v1/coupons");
        self.offers(caller, path, venue).await
    }

    async fn offers(
        &self,
        caller: &Caller,
        path: Path,
        venue: Option<VenueId>,
    ) -> Result<Vec<Offer>, Error> {
        let country = venue.is_none().then(|| caller.country.id());
        let query = Query::new()
            .maybe("filial_id", venue)
            .maybe("country_id", country);
        let call = Call::get(caller, Part::Promos, path).query(query);
        self.ask(call, wire::data_list).await
    }
}

impl FromWire for Promo {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        Ok(Self {
            id: wire.id("id", |id| id).ok_or(Bad("promo id"))?,
            name: wire.text("name").unwrap_or_default(),
            percentage: wire.count("percentage"),
            limit: wire.count("limit"),
            day_limit: wire.count("day_limit"),
            starts_at: wire.text("starts_at").map(When::from_text),
            ends_at: wire.text("ends_at").map(When::from_text),
            products: wire.list("products"),
        })
    }
}

impl FromWire for VenueSubsidies {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        let id = wire.id("terminal_id", VenueId).ok_or(Bad("terminal_id"))?;
        Ok(Self {
            id,
            thresholds: wire.list("thresholds"),
        })
    }
}

impl FromWire for Offer {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        let code = wire.text("code").ok_or(Bad("offer code"))?;
        Ok(Self {
            id: wire.text("id").unwrap_or_default(),
            name: wire.text("name").unwrap_or_else(|| code.clone()),
            percentage: wire.count("percentage"),
            discount: wire.price("discount"),
            min_sum: wire.price("min_sum"),
            expires_at: wire.text("expires_at").map(When::from_text),
            code,
        })
    }
}

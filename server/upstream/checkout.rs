//! Before an order: the stop-list check and the cooking time.

use serde_json::{Value, json};

use super::{
    Caller, Error, ProductId, Selected, SizeId, Upstream, VenueId,
    address::Path,
    breaker::Part,
    call::Call,
    wire::{self, Bad, FromWire, Wire, sum_to_wire},
};
use crate::values::{Service, Sum};

/// One line of an order as it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderItem {
    /// What.
    pub product: ProductId,
    /// In which size.
    pub size: Option<SizeId>,
    /// Pieces.
    pub count: u32,
    /// What the guest saw for one piece with its size and options.
    pub price: Sum,
    /// Options of each piece.
    pub additives: Vec<Selected>,
    /// Word to the kitchen.
    pub comment: String,
}

/// Whether a cart can be ordered as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StopListCheck {
    /// Everything is available at the prices that were sent.
    pub ok: bool,
    /// Each checked line.
    pub items: Vec<ItemCheck>,
}

/// One checked line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemCheck {
    /// Place of the line in what was sent.
    pub index: usize,
    /// Which product.
    pub product: Option<ProductId>,
    /// The verdict.
    pub status: ItemStatus,
    /// Price of one piece with size and options now.
    pub price: Option<Sum>,
    /// Where a promo has a limit: pieces for the promo price, and what one of the others costs (MN-14).
    pub split: Option<(u32, Sum)>,
}

/// The verdict over a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemStatus {
    /// Can be ordered.
    Ok,
    /// Can't be ordered now.
    Unavailable,
    /// Costs something else now.
    PriceChanged,
    /// A verdict that this program does not know: not orderable.
    Unknown,
}

/// How long cooking takes, in minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CookingTime {
    /// Usually.
    pub minutes: Option<u32>,
    /// At least.
    pub min: u32,
    /// At most.
    pub max: u32,
}

impl Upstream {
    /// Checks a cart against stock and prices as they are at this moment. Never cached.
    pub async fn check_stop_list(
        &self,
        caller: &Caller,
        venue: VenueId,
        service: Service,
        items: &[OrderItem],
    ) -> Result<StopListCheck, Error> {
        let items: Vec<Value> = items.iter().map(OrderItem::to_wire).collect();
        let body = json!({ "filial_id": venue, "service_type": service.type_id(), "items": items });
        let call = Call::post(
            caller,
            Part::Menu,
            Path::fixed("menu/v2/stop_list/order_items/check"),
            &body,
        );
        self.ask(call, wire::data::<StopListCheck>).await
    }

    /// How long the products take to cook.
    pub async fn cooking_time(
        &self,
        caller: &Caller,
        venue: VenueId,
        products: &[(ProductId, u32)],
    ) -> Result<CookingTime, Error> {
        let product = |(id, count): &(ProductId, u32)| json!({ "product_id": id, "count": count });
        let body = json!({ "filial_id": venue, "products": products.iter().map(product).collect::<Vec<_>>() });
        let call = Call::post(
            caller,
            Part::Extras,
            Path::fixed("takeaway/order/cooking_time"),
            &body,
        );
        self.ask(call, wire::data::<CookingTime>).await
    }
}

impl OrderItem {
    pub(super) fn to_wire(&self) -> Value {
        let additive = |chosen: &Selected| json!({ "id": chosen.id, "count": chosen.count });
        json!({
            "product_id": self.product,
            "size_id": self.size,
            "count": self.count,
            "price": sum_to_wire(self.price),
            "additives": self.additives.iter().map(additive).collect::<Vec<_>>(),
            "comment": self.comment,
        })
    }
}

impl FromWire for OrderItem {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        let count = wire.count("count").filter(|count| *count > 0);
        Ok(Self {
            product: wire.id("product_id", ProductId).ok_or(Bad("product_id"))?,
            size: wire.id("size_id", SizeId),
            count: count.ok_or(Bad("count"))?,
            price: wire.price("price").ok_or(Bad("price"))?,
            additives: wire.list("additives"),
            comment: wire.text("comment").unwrap_or_default(),
        })
    }
}

impl FromWire for StopListCheck {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        let count = wire.get("items").raw().as_array().map_or(0, Vec::len);
        let items: Vec<ItemCheck> = wire.list("items");
        // A line whose verdict was lost may be the one that is gone.
        if items.len() != count {
            return Err(Bad("items"));
        }
        let all_fine = items.iter().all(|item| item.status == ItemStatus::Ok);
        Ok(Self {
            ok: wire.flag("ok").ok_or(Bad("ok"))? && all_fine,
            items,
        })
    }
}

impl FromWire for ItemCheck {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        Ok(Self {
            index: wire
                .count("index")
                .and_then(|index| index.try_into().ok())
                .ok_or(Bad("index"))?,
            product: wire.id("product_id", ProductId),
            status: match wire.get("status").raw().as_str() {
                Some("ok") => ItemStatus::Ok,
                Some("unavailable") => ItemStatus::Unavailable,
                Some("price_changed") => ItemStatus::PriceChanged,
                _ => ItemStatus::Unknown,
            },
            price: wire.price("price"),
            split: wire.count("promo_count").zip(wire.price("regular_price")),
        })
    }
}

impl FromWire for CookingTime {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        let minutes = wire.count("minutes");
        let min = wire.count("min").or(minutes).ok_or(Bad("cooking time"))?;
        let max = wire.count("max").or(minutes).ok_or(Bad("cooking time"))?;
        Ok(Self {
            minutes,
            min: min.min(max),
            max: max.max(min),
        })
    }
}

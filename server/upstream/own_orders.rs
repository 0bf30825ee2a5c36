//! What a guest does with orders that are there: list, take back, grade, repeat; the chat that tells of them.

use serde_json::json;

use super::{
    BrandId, Caller, Error, IdempotencyKey, Order, OrderId, OrderItem, Paged, ProductId, Upstream,
    VenueId,
    address::Path,
    breaker::Part,
    call::Call,
    paged::paged,
    query::Query,
    wire::{self, Bad, FromWire, Wire},
};
use crate::values::Service;

/// What of an order can be had again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeat {
    /// The venue.
    pub venue: VenueId,
    /// The items at the prices of now.
    pub items: Vec<OrderItem>,
    /// What is gone.
    pub missing: Vec<ProductId>,
}

impl Upstream {
    /// A page of the signed-in guest's orders (OR-07).
    pub async fn orders(
        &self,
        caller: &Caller,
        page: u32,
        service: Option<Service>,
        brand: Option<BrandId>,
    ) -> Result<Paged<Order>, Error> {
        let query = Query::new()
            .with("page", page.max(1))
            .maybe("service_type", service.map(Service::type_id))
            .maybe("brand_id", brand);
        let call = Call::get(
            caller,
            Part::Tracking,
            Path::fixed("takeaway/v2/user/orders"),
        );
        self.ask(call.query(query), paged).await
    }

    /// Takes an order back before it is cooked, once however often it is sent; `too_late` after that.
    pub async fn cancel_order(
        &self,
        caller: &Caller,
        id: &OrderId,
        reason: &str,
    ) -> Result<Order, Error> {
        let path = Path::with("takeaway/v1/order/{}/cancel", id);
        let body = json!({ "reason": reason });
        // With another reason it is another body, which the same key would refuse. The device is a secret of its guest:
        // who knows the order's number alone can't have an answer stored under this key.
        let key = IdempotencyKey::of(&["cancel order", id.as_str(), reason, caller.device()]);
        let call = Call::post(caller, Part::Tracking, path, &body).key(&key);
        self.ask(call, wire::data).await
    }

    /// One to five for an order (OR-12).
    pub async fn grade_order(
        &self,
        caller: &Caller,
        id: &OrderId,
        grade: u8,
        comment: &str,
        tags: &[String],
    ) -> Result<(), Error> {
        let body = json!({ "grade": grade, "comment": comment, "tags": tags });
        let path = Path::with("takeaway/v1/order/{}/grade", id);
        let mut call = Call::post(caller, Part::Tracking, path, &body);
        // However often it is pressed, an order has one grade.
        let key = IdempotencyKey::new(&format!("grade.{id}"));
        if let Some(key) = &key {
            call = call.key(key);
        }
        self.ask(call, wire::done).await
    }

    /// What of an order can be had again at the prices of now (OR-14).
    pub async fn repeat_order(
        &self,
        caller: &Caller,
        id: &OrderId,
        key: &IdempotencyKey,
    ) -> Result<Repeat, Error> {
        let path = Path::with("takeaway/v1/order/{}/repeat", id);
        self.ask(
            Call::post(caller, Part::Tracking, path, &json!({})).key(key),
            wire::data,
        )
        .await
    }

    /// The chat that tells the guest of orders; `None` before it exists: then its link carries a start parameter
    /// (OR-10).
    pub async fn chat(&self, caller: &Caller) -> Result<Option<String>, Error> {
        let path = Path::fixed("telegram-user-notifications/v1/chat");
        let call = Call::get(caller, Part::Accounts, path);
        let result = self
            .ask(call, |wire| {
                wire.get("data").text("chat_id").ok_or(Bad("chat_id"))
            })
            .await;
        match result {
            Ok(chat) => Ok(Some(chat)),
            Err(Error::NotFound) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl FromWire for Repeat {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        let gone = |item: Wire<'_>| item.id("product_id", ProductId).ok_or(Bad("product_id"));
        Ok(Self {
            venue: wire.id("filial_id", VenueId).ok_or(Bad("filial_id"))?,
            items: wire.list("items"),
            missing: wire.get("missing").elements(gone),
        })
    }
}

//! Fridges: the lock opens, the door closes, what was taken is settled.

use serde_json::json;

use super::{
    Caller, Class, Error, FridgeSessionId, IdempotencyKey, OrderId, OrderItem, Upstream, VenueId,
    When,
    address::Path,
    breaker::Part,
    call::Call,
    wire::{self, Bad, FromWire, Wire},
};

/// How the door of a fridge is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Door {
    /// The lock was told to open and has not said yet that it did.
    Opening,
    /// It can be opened, or stands open.
    Open,
    /// It is shut, and what was taken is counted.
    Closed,
    /// The lock did not open.
    Failed,
    /// Something that we have no word for: it is asked again.
    Unknown,
}

/// An open door, or what came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FridgeSession {
    /// Its id.
    pub id: FridgeSessionId,
    /// The fridge.
    pub venue: Option<VenueId>,
    /// How the door is.
    pub door: Door,
    /// Since when.
    pub opened_at: Option<When>,
    /// What was taken, once settled.
    pub order: Option<OrderId>,
    /// Pieces that the fridge has counted, once it is shut.
    pub counted: Option<u32>,
}

impl Upstream {
    /// Opens a fridge. A guest who has its door open already gets the same session; `lock_busy` and `lock_failed` are
    /// refusals. A door is a thing in the world, so it is tried again only if the upstream was not reached.
    pub async fn open_lock(
        &self,
        caller: &Caller,
        venue: VenueId,
        key: &IdempotencyKey,
    ) -> Result<FridgeSession, Error> {
        let caller = caller.with_class(Class::Order);
        let path = Path::fixed("smart-lock/v1/open-lock");
        let call = Call::post(
            &caller,
            Part::Fridge,
            path,
            &json!({ "terminal_id": venue }),
        )
        .named(key)
        .once();
        self.ask(call, wire::data).await
    }

    /// The caller's fridges that are not shut yet, on whatever phone they were opened.
    pub async fn fridge_sessions(&self, caller: &Caller) -> Result<Vec<FridgeSession>, Error> {
        let call = Call::get(caller, Part::Fridge, Path::fixed("smart-lock/v1/sessions"));
        self.ask(call, wire::data_list).await
    }

    /// How a session stands.
    pub async fn fridge_session(
        &self,
        caller: &Caller,
        id: &FridgeSessionId,
    ) -> Result<FridgeSession, Error> {
        let call = Call::get(
            caller,
            Part::Fridge,
            Path::with("smart-lock/v1/sessions/{}", id),
        );
        self.ask(call, wire::data).await
    }

    /// Closes the door; what was taken becomes an order, once per session.
    pub async fn close_fridge(
        &self,
        caller: &Caller,
        id: &FridgeSessionId,
        items: &[OrderItem],
        key: &IdempotencyKey,
    ) -> Result<FridgeSession, Error> {
        let caller = caller.with_class(Class::Order);
        let body = json!({ "items": items.iter().map(OrderItem::to_wire).collect::<Vec<_>>() });
        let call = Call::post(
            &caller,
            Part::Fridge,
            Path::with("smart-lock/v1/sessions/{}/close", id),
            &body,
        );
        self.ask(call.key(key), wire::data).await
    }
}

impl FromWire for FridgeSession {
    fn from_wire(wire: Wire<'_>) -> Result<Self, Bad> {
        Ok(Self {
            id: wire
                .text("session_id")
                .and_then(|id| id.parse().ok())
                .ok_or(Bad("session_id"))?,
            venue: wire.id("terminal_id", VenueId),
            door: match wire.get("status").raw().as_str() {
                Some("opening") => Door::Opening,
                Some("open") => Door::Open,
                Some("closed") => Door::Closed,
                Some("failed") => Door::Failed,
                Some(_) => Door::Unknown,
                None => return Err(Bad("status")),
            },
            opened_at: wire.text("opened_at").map(When::from_text),
            order: wire.order_id("order_id"),
            counted: wire.count("counted"),
        })
    }
}
